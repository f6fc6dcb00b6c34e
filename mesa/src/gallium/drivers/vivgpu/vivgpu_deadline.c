/* SPDX-License-Identifier: MIT */

#include "vivgpu_deadline.h"

#include <errno.h>
#include <stdlib.h>

#include "util/log.h"
#include "util/os_time.h"
#include "util/u_atomic.h"
#include "util/u_debug.h"
#include "util/u_math.h"
#include "vivgpu_context.h"
#include "vivgpu_kernel.h"
#include "vivgpu_monitor.h"
#include "vivgpu_prediction.h"
#include "vivgpu_screen.h"
#include "vivgpu_trust.h"

#define SECOND_NS UINT64_C(1000000000)
#define MAX_US    UINT64_C(1000000)

/*
 * Part of the limit that the bound of a job may take: the next job, whose draws are not known yet,
 * may be dearer than the last ones.
 */
#define PIECE_SHARE 0.75
/* vivgpu_frames.ns_per_draw falls by 1 / DECAY with each cheaper job. */
#define DECAY 32

DEBUG_GET_ONCE_BOOL_OPTION(deadline, "VIVGPU_DEADLINE", true)

/* VIVGPU_BUDGET was read */
static bool budget_taken;

uint64_t
vivgpu_vblank_after(const struct vivgpu_vblank *vblank, uint64_t ns)
{
   uint64_t ahead;

   if (!vblank->period_ns)
      return 0;
   /* A time before the known blank: go back by whole periods. */
   if (ns <= vblank->time_ns)
      return vblank->time_ns - (vblank->time_ns - ns) / vblank->period_ns * vblank->period_ns;
   ahead = ns - vblank->time_ns + vblank->period_ns - 1;
   return vblank->time_ns + ahead / vblank->period_ns * vblank->period_ns;
}

/* Read a number of 1 to MAX_US; NULL if there is none, otherwise the text after it. */
static const char *
vivgpu_deadline_parse_us(const char *text, uint64_t *ns)
{
   char *end;
   unsigned long long us;

   if (*text < '0' || *text > '9')
      return NULL;
   errno = 0;
   us = strtoull(text, &end, 10);
   if (errno || !us || us > MAX_US)
      return NULL;
   *ns = us * 1000;
   return end;
}

bool
vivgpu_budget_parse(const char *text, struct vivgpu_budget *budget)
{
   struct vivgpu_budget new;
   const char *end = vivgpu_deadline_parse_us(text, &new.budget_ns);

   if (!end || *end != '/')
      return false;
   end = vivgpu_deadline_parse_us(end + 1, &new.period_ns);
   if (!end || *end || new.budget_ns > new.period_ns)
      return false;
   *budget = new;
   return true;
}

void
vivgpu_deadline_screen_init(struct vivgpu_screen *screen)
{
   screen->has_deadlines = screen->kernel->has_deadlines && debug_get_option_deadline();
}

struct vivgpu_budget
vivgpu_deadline_take_budget(void)
{
   struct vivgpu_budget budget = {0};
   const char *text = getenv("VIVGPU_BUDGET");

   if (!text || !*text || p_atomic_xchg(&budget_taken, true))
      return budget;
   if (!vivgpu_budget_parse(text, &budget))
      mesa_loge("vivgpu: VIVGPU_BUDGET=%s: expected BUDGET/PERIOD, 1 to 1000000 us", text);
   return budget;
}

void
vivgpu_deadline_end_frame(struct vivgpu_context *context)
{
   context->frames.ends = true;
}

uint32_t
vivgpu_frames_max_draws(struct vivgpu_frames *frames, uint32_t draws, uint64_t bound_ns,
                        uint64_t measured_ns)
{
   double price;

   if (!frames->max_piece_ns || frames->has_budget) {
      frames->ns_per_draw = 0;
      return 0;
   }
   if (draws && bound_ns)
      frames->ns_per_draw =
         MAX2((double)bound_ns / draws, frames->ns_per_draw * (DECAY - 1) / DECAY);
   price = bound_ns ? frames->ns_per_draw : MAX2(frames->ns_per_draw, measured_ns);
   if (price <= 0)
      return 1;
   return CLAMP(frames->max_piece_ns * PIECE_SHARE / price, 1, INT32_MAX);
}

/*
 * Read the vertical blank again once a second, since it changes with the display's mode; every
 * tenth of a second while frames are shown but no blank is known.
 */
static void
vivgpu_deadline_read_vblank(struct vivgpu_context *context, uint64_t now)
{
   struct vivgpu_kernel *kernel = context->screen->kernel;
   struct vivgpu_frames *frames = &context->frames;
   bool unknown = frames->ended_ns && !frames->vblank.period_ns;

   /* Many programs draw their first frames before they switch the display on. */
   if (frames->read_ns && now - frames->read_ns <= (unknown ? SECOND_NS / 10 : SECOND_NS))
      return;
   if (!kernel->next_vblank(kernel, &frames->vblank))
      frames->vblank.period_ns = 0;
   frames->read_ns = now;
}

/*
 * Set the predicted time of the job, and its bound; 0 if they are not known. The kernel multiplies
 * predictions by their largest error, so guesses, like those of the first groups, would spoil all
 * later ones: they are not passed. The predictor's own bounds remember the last 128 errors, so
 * predictions are trusted again earlier if the last ones came true (vivgpu_trust.h).
 */
static void
vivgpu_deadline_set_cost(struct vivgpu_context *context)
{
   struct vivgpu_stream *stream = &context->stream;
   uint64_t error, cost = vivgpu_monitor_predicted(context, &error);

   stream->bound_ns = vivgpu_trust_bound(cost, error, vivgpu_monitor_is_trusted(context));
   stream->cost_ns = stream->bound_ns ? cost : 0;
}

/*
 * Limit the next job's draws; @draws: those of the last one. A context that does not predict cannot
 * find out that its draws are short, so it is not divided.
 */
static void
vivgpu_deadline_limit(struct vivgpu_context *context, uint32_t draws)
{
   struct vivgpu_frames *frames = &context->frames;

   frames->max_draws = !vivgpu_monitor_predicts(context)
                          ? 0
                          : vivgpu_frames_max_draws(frames, draws, context->stream.bound_ns,
                                                    vivgpu_monitor_measured_draw(context));
}

void
vivgpu_deadline_predict(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor;

   /* A context that VIVGPU_GROUPS lists has a monitor, but perhaps no predictor. */
   if (!vivgpu_prediction_enable(context->screen, context->frames.has_budget) || context->monitor)
      return;
   monitor = vivgpu_monitor_create(context->screen);
   if (!monitor)
      return;
   context->stream.monitored = true;
   if (!context->draw_hooks)
      context->draw_hooks = VIVGPU_HOOKS_MONITOR;
   /* The application's thread lists uploads in the monitor if there is one. */
   p_atomic_set(&context->monitor, monitor);
}

void
vivgpu_deadline_begin(struct vivgpu_context *context)
{
   struct vivgpu_kernel *kernel = context->screen->kernel;
   struct vivgpu_frames *frames = &context->frames;

   if (!context->screen->has_deadlines)
      return;
   frames->max_piece_ns = context->stream.max_piece_ns = kernel->max_piece(kernel);
   if (frames->max_piece_ns)
      vivgpu_deadline_predict(context);
   vivgpu_deadline_limit(context, 0);
}

void
vivgpu_deadline_flushed(struct vivgpu_context *context)
{
   if (likely(!context->frames.max_piece_ns) || vivgpu_monitor_predicts(context))
      return;
   vivgpu_deadline_predict(context);
   vivgpu_deadline_limit(context, 0);
}

void
vivgpu_deadline_submitted(struct vivgpu_context *context)
{
   struct vivgpu_frames *frames = &context->frames;
   bool begins = !frames->max_piece_ns && context->stream.max_piece_ns;

   if (!context->screen->has_deadlines)
      return;
   frames->max_piece_ns = context->stream.max_piece_ns;
   if (unlikely(begins))
      vivgpu_deadline_limit(context, 0);
}

void
vivgpu_deadline_set(struct vivgpu_context *context)
{
   struct vivgpu_frames *frames = &context->frames;
   struct vivgpu_stream *stream = &context->stream;
   uint32_t draws = frames->draws;
   uint64_t now;

   frames->draws = 0;
   stream->deadline_ns = stream->cost_ns = stream->bound_ns = 0;
   if (!context->screen->has_deadlines ||
       (!frames->ends && !frames->ended_ns && !vivgpu_monitor_predicts(context)))
      return;
   /* The only reading of the clock for a job: without a vDSO it is a system call. */
   now = os_time_get_nano();
   if (frames->ends)
      frames->ended_ns = now;
   frames->ends = false;
   vivgpu_deadline_read_vblank(context, now);
   vivgpu_deadline_set_cost(context);
   vivgpu_deadline_limit(context, draws);
   /* A context that has shown no frame for a second does something else. */
   if (now - frames->ended_ns > SECOND_NS)
      frames->ended_ns = 0;
   if (frames->ended_ns)
      stream->deadline_ns = vivgpu_vblank_after(&frames->vblank, now + stream->cost_ns);
}
