/* SPDX-License-Identifier: MIT */
/*
 * How slow the core's clock is, from jobs' times and cycles.
 *
 * The kernel takes both at the same stamps (drm_vivgpu_record), so their ratio is the clock's, however
 * late an interrupt was. A changed ratio is believed when the next job confirms it. Until then it is
 * followed if that was right after earlier changes, as it is where the core is scaled, and not where
 * single ratios are wrong.
 */
#ifndef VIVGPU_CLOCK_H
#define VIVGPU_CLOCK_H

#include "vivgpu_advantage.h"

struct vivgpu_clock {
   /** Duration of a cycle in those of full speed: believed, and of the last job that had another */
   double believed, last;
   /** Advantage of the last over the believed one */
   struct vivgpu_advantage follow;
};

/** Begin at full speed. */
void vivgpu_clock_init(struct vivgpu_clock *clock);

/** Duration of a cycle in those of full speed */
double vivgpu_clock_slowness(const struct vivgpu_clock *clock);

/**
 * Learn from a job.
 *
 * @full_ns: what its cycles take at full speed; 0 if they are not known
 * @ns: what it took
 */
void vivgpu_clock_observe(struct vivgpu_clock *clock, double full_ns, double ns);

#endif
