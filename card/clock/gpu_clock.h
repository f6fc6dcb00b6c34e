/* SPDX-License-Identifier: MIT */
/*
 * The GPU's cycle counter: card time turned into modelled cycles.
 *
 * Cycles pass at the core's frequency, with one exception that makes the
 * figures independent of this host's speed: while the card executes an
 * operation in software, the counter may not run past the modelled end of the
 * work done so far (the frontier). It waits there until the software has
 * caught up. In virtual time software takes no time, so this never happens.
 */
#ifndef CARD_CLOCK_GPU_CLOCK_H
#define CARD_CLOCK_GPU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_clock {
	uint64_t base_ns;     /* card time at which base_cycles was true */
	uint64_t base_cycles; /* cycles since creation */
	uint64_t hz;          /* current core frequency; 0 = gated */
	uint64_t limit;       /* cycles the counter may not pass while held */
	bool held;
};

void gpu_clock_init(struct gpu_clock *gpu, uint64_t now_ns, uint64_t hz);

/** gpu_clock_cycles - modelled cycles at card time @now_ns; never goes back. */
uint64_t gpu_clock_cycles(const struct gpu_clock *gpu, uint64_t now_ns);

/** gpu_clock_ns_at - card time at which the counter reaches @cycles (rounded up; @now_ns if past; CARD_TIME_NEVER while gated). */
uint64_t gpu_clock_ns_at(const struct gpu_clock *gpu, uint64_t now_ns, uint64_t cycles);

/** gpu_clock_set_hz - change the frequency from @now_ns on. */
void gpu_clock_set_hz(struct gpu_clock *gpu, uint64_t now_ns, uint64_t hz);

/** gpu_clock_hold - software begins work: do not pass max(@frontier, cycles now). */
void gpu_clock_hold(struct gpu_clock *gpu, uint64_t now_ns, uint64_t frontier);

/** gpu_clock_release - the software has caught up at @now_ns: go on from where the counter stands. */
void gpu_clock_release(struct gpu_clock *gpu, uint64_t now_ns);

#endif
