/* SPDX-License-Identifier: MIT */
/* The core's clock; see vivgpu_clock.h. */

#include "vivgpu_clock.h"

#include <stdbool.h>

/* Half a step of the core's divider of its clock (HI_CLOCK_CONTROL, 64ths of full speed) */
#define CLOCK_STEP (1 / 128.0)
/* The slowest clock, and the fastest if full speed is not known, in cycles of full speed */
#define CLOCK_SLOWEST 64.0
#define CLOCK_FASTEST 0.25
/* By how far stamps of time and of cycles may be apart: accesses to a register */
#define CLOCK_STAMPS_NS 5000.0

void
vivgpu_clock_init(struct vivgpu_clock *clock)
{
   *clock = (struct vivgpu_clock){.believed = 1, .last = 1, .follow = {.mean = 0.2, .count = 8}};
}

double
vivgpu_clock_slowness(const struct vivgpu_clock *clock)
{
   return clock->follow.mean > 0 ? clock->last : clock->believed;
}

/* True if a job of @ns could have had this clock. */
static bool
is_possible(double slowness, double full_ns, double ns)
{
   return fabs(ns - full_ns * slowness) <= fmax(CLOCK_STEP * ns, CLOCK_STAMPS_NS);
}

void
vivgpu_clock_observe(struct vivgpu_clock *clock, double full_ns, double ns)
{
   bool confirms = is_possible(clock->last, full_ns, ns);
   bool denies = is_possible(clock->believed, full_ns, ns);

   /* A short job may have had any clock. */
   if (ns < CLOCK_FASTEST * full_ns || ns > CLOCK_SLOWEST * full_ns || (confirms && denies))
      return;
   if (clock->last != clock->believed)
      vivgpu_advantage_compare(&clock->follow, ns - full_ns * clock->last,
                               ns - full_ns * clock->believed);
   if (confirms)
      clock->believed = clock->last;
   else
      clock->last = denies ? clock->believed : ns / full_ns;
}
