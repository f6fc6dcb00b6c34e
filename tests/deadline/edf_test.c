// SPDX-License-Identifier: MIT
/*
 * Non-preemptive EDF of sporadic tasks whose deadlines are their periods: K. Jeffay, D. Stanat,
 * C. Martel, "On Non-Preemptive Scheduling of Periodic and Sporadic Tasks", RTSS 1991, theorem 4.1,
 * with the blocking by jobs without a deadline as in L. George, N. Rivierre, M. Spuri, INRIA
 * RR-2966, 1996. Written apart from the kernel's admission test, of another form: intervals are
 * enumerated up to the bound of the busy period, with whole frames as the pieces that block.
 */

#include <linux/minmax.h>

#include "edf_test.h"

/* Work of all tasks with a deadline in an interval of this length. */
static u64 demand(const struct taskset *set, u64 length_ns)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!set->tasks[i].loop)
			sum += length_ns / set->tasks[i].period_ns * set->tasks[i].bound_ns;
	}
	return sum;
}

/* The longest frame whose deadline is not in the interval. */
static u64 blocking(const struct taskset *set, u64 length_ns)
{
	u64 longest = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->tasks[i].loop || set->tasks[i].period_ns > length_ns)
			longest = max(longest, set->tasks[i].bound_ns);
	}
	return longest;
}

/**
 * edf_test - whether non-preemptive EDF keeps all deadlines of a set
 * @set: clients without a period have no deadline; each frame takes its bound at most
 *
 * Return: true if it does, false if that is not known.
 */
bool edf_test(const struct taskset *set)
{
	double utilisation = 0;
	u64 end, step, interval;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (!set->tasks[i].loop)
			utilisation += (double)set->tasks[i].bound_ns / set->tasks[i].period_ns;
	}
	if (utilisation >= 1)
		return false;
	/* Longer intervals have time for the longest blocking. */
	end = blocking(set, 0) / (1 - utilisation) + 1;
	for (i = 0; i < set->count; i++) {
		step = set->tasks[i].period_ns;
		for (interval = step; !set->tasks[i].loop && interval <= end; interval += step) {
			if (demand(set, interval) + blocking(set, interval) > interval)
				return false;
		}
	}
	return true;
}
