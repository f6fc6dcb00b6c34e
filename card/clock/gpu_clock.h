/* SPDX-License-Identifier: MIT */
/*
 * The GPU's cycle counter: modelled cycles as a function of card time.
 *
 * The counter runs at the core's frequency, with an exception that makes it independent of the
 * host's speed: while the card executes an operation in software, the counter is held, i.e. it
 * stops at the modelled end of the work so far (the frontier) until the software has finished.
 * In virtual time software takes no time, so the counter is never held back.
 */
#ifndef CARD_CLOCK_GPU_CLOCK_H
#define CARD_CLOCK_GPU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_clock {
	uint64_t base_ns;     /* card time at which the counter was base_cycles */
	uint64_t base_cycles; /* cycles since creation */
	uint64_t hz;          /* core frequency; 0: clock gated */
	uint64_t limit;       /* largest value while held */
	bool held;
};

void gpu_clock_init(struct gpu_clock *gpu, uint64_t now_ns, uint64_t hz);

/** gpu_clock_cycles - modelled cycles at card time @now_ns; never decreases */
uint64_t gpu_clock_cycles(const struct gpu_clock *gpu, uint64_t now_ns);

/**
 * gpu_clock_ns_at - card time at which the counter reaches @cycles
 *
 * Returns: the time in ns, rounded up; @now_ns if it is in the past; CARD_TIME_NEVER while the
 * clock is gated.
 */
uint64_t gpu_clock_ns_at(const struct gpu_clock *gpu, uint64_t now_ns, uint64_t cycles);

/** gpu_clock_set_hz - change the frequency at @now_ns */
void gpu_clock_set_hz(struct gpu_clock *gpu, uint64_t now_ns, uint64_t hz);

/**
 * gpu_clock_hold - software begins an operation: limit the counter to max(@frontier, its value
 * now)
 */
void gpu_clock_hold(struct gpu_clock *gpu, uint64_t now_ns, uint64_t frontier);

/** gpu_clock_release - software has finished at @now_ns: continue from the counter's value */
void gpu_clock_release(struct gpu_clock *gpu, uint64_t now_ns);

#endif
