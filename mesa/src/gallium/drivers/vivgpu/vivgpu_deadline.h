/* SPDX-License-Identifier: MIT */
/*
 * Deadlines, costs and budgets of a context's jobs, for kernels that schedule by them
 * (Documentation/mesa/deadlines.rst).
 *
 * A context that shows frames gives each of its jobs a deadline: the first vertical blank that the
 * job can meet by its predicted cost, which is passed to the kernel as well if it is known. The
 * time of a blank is read from the kernel about once a second and extrapolated, so most jobs cost a
 * read of the clock and no system call.
 */
#ifndef VIVGPU_DEADLINE_H
#define VIVGPU_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_context;
struct vivgpu_screen;

/** The display's vertical blanks: one of them, and the time between two; period 0: unknown */
struct vivgpu_vblank {
   uint64_t time_ns, period_ns;
};

/** GPU time that a queue asks for in each period; 0: none */
struct vivgpu_budget {
   uint64_t budget_ns, period_ns;
};

/** A context's frames */
struct vivgpu_frames {
   /** The frame ends with the job being written */
   bool ends;
   /** When the last frame ended, CLOCK_MONOTONIC; 0 if none did in the last second */
   uint64_t ended_ns;
   struct vivgpu_vblank vblank;
   /** Longest time that a job should take, 0: no limit */
   uint64_t max_piece_ns;
   /** When @vblank was read, 0 if it was not */
   uint64_t read_ns;
   /** The context's queue has a budget: its jobs may be as long as that */
   bool has_budget;
   /** Predicted bound per draw, in ns: the largest mean of the last jobs, which decays */
   double ns_per_draw;
   /** A job ends before the draw after so many; 0: no limit */
   uint32_t max_draws;
   /**
    * Draws of the job being written, counted while @max_piece_ns is set; the monitor's group counts
    * them only at its end
    */
   uint32_t draws;
};

/** Return the first vertical blank that is not before @ns; 0 if the display is unknown. */
uint64_t vivgpu_vblank_after(const struct vivgpu_vblank *vblank, uint64_t ns);

/**
 * Read a budget written as "BUDGET/PERIOD", each 1 to 1000000 microseconds. False, and *@budget is
 * not changed, if @text is anything else, or the budget exceeds the period.
 */
bool vivgpu_budget_parse(const char *text, struct vivgpu_budget *budget);

/**
 * Update vivgpu_frames.ns_per_draw, and return how many draws a job may have, so that none takes
 * longer than max_piece_ns; 0: no limit. A draw is taken to cost ns_per_draw, or if the job was not
 * predicted the measured time if that is more. If neither is known, a job has one draw.
 *
 * @draws, @bound_ns: draws and predicted bound of the job that is submitted; 0: not predicted
 * @measured_ns: vivgpu_monitor_measured_draw()
 */
uint32_t vivgpu_frames_max_draws(struct vivgpu_frames *frames, uint32_t draws, uint64_t bound_ns,
                                 uint64_t measured_ns);

/** Read VIVGPU_DEADLINE; after the kernel's back end was chosen. */
void vivgpu_deadline_screen_init(struct vivgpu_screen *screen);

/**
 * Return the budget that the process's first context gets by VIVGPU_BUDGET, once; later calls, and
 * calls without the variable, return 0. An invalid value is reported.
 */
struct vivgpu_budget vivgpu_deadline_take_budget(void);

/**
 * Predict the context's groups, unless they are already or VIVGPU_PREDICT forbids it; before the
 * first command of a job. With the calibration if the context has a budget.
 */
void vivgpu_deadline_predict(struct vivgpu_context *context);

/**
 * At the creation of a context, whose queue exists: if there are budgets, predict its groups and
 * limit its first jobs.
 */
void vivgpu_deadline_begin(struct vivgpu_context *context);

/** After the submit of a job: take over what the kernel said of other clients' budgets. */
void vivgpu_deadline_submitted(struct vivgpu_context *context);

/**
 * At the end of a flush, between two commands: if there are budgets by now, predict the context's
 * groups and limit its jobs from here on.
 */
void vivgpu_deadline_flushed(struct vivgpu_context *context);

/** The context's frame ends with the job being written. */
void vivgpu_deadline_end_frame(struct vivgpu_context *context);

/** Before the job is submitted and after it was predicted: set its deadline and cost. */
void vivgpu_deadline_set(struct vivgpu_context *context);

#ifdef __cplusplus
}
#endif

#endif
