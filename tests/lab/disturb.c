// SPDX-License-Identifier: MIT
/* Errors of measurement, added to recorded results; see disturb.h. */

#include "disturb.h"

#include <math.h>
#include <string.h>

bool disturb_named(struct disturbance *disturbance, const char *name)
{
	if (!strcmp(name, "late"))
		return disturbance->late = true;
	if (!strcmp(name, "bus"))
		return disturbance->bus = true;
	if (!strcmp(name, "clock"))
		return disturbance->clock = true;
	return false;
}

struct disturbance disturb_restarted(const struct disturbance *disturbance)
{
	return (struct disturbance){
		.late = disturbance->late,
		.bus = disturbance->bus,
		.clock = disturbance->clock,
		.sequence = disturbance->sequence,
	};
}

/*
 * Evenly distributed from 0 to 1; the same for the same group, sequence and @use, which is 0 to 3.
 * splitmix64 (Steele, Lea, Flood 2014)
 */
static double even(const struct disturbance *d, uint64_t use)
{
	uint64_t z = (4 * d->groups + use + ((uint64_t)d->sequence << 32)) * 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (double)((z ^ z >> 31) >> 11) / (double)(UINT64_C(1) << 53);
}

/* Duration of a cycle, in those of the recording */
static double slowness(const struct disturbance *d)
{
	return d->clock && d->groups / DISTURB_CLOCK_GROUPS % 2 ? 2 : 1;
}

/* How long a group that took @ns takes now */
static double duration(const struct disturbance *d, double ns)
{
	ns *= slowness(d);
	if (d->bus)
		ns += (even(d, 0) - 0.5) * DISTURB_BUS_NS * fmin(ns / DISTURB_BUS_GROUP_NS, 1);
	return ns;
}

/* By how much the interrupt's handler is late */
static double lateness(const struct disturbance *d)
{
	if (!d->late || even(d, 1) * DISTURB_LATE_OF >= 1)
		return 0;
	return even(d, 2) * DISTURB_LATE_NS;
}

/*
 * When the group begins now. One that was submitted after the end of the group before is taken to
 * have waited for it, so it comes after the handler.
 */
static uint64_t begin(const struct disturbance *d, const struct vivgpu_group_result *result)
{
	uint64_t gap;

	if (!d->groups || result->started_ns < d->recorded_end_ns)
		return result->started_ns;
	gap = result->started_ns - d->recorded_end_ns;
	return gap + (result->submitted_ns >= d->recorded_end_ns ? d->seen_end_ns : d->true_end_ns);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Cycles between the stamps, as the kernel counts them: those of the core's clock in that time */
static uint64_t cycles(const struct disturbance *d, const struct vivgpu_group_result *result,
		       double recorded_ns)
{
	double seen_ns = (double)(result->finished_ns - result->started_ns);

	if (recorded_ns <= 0)
		return 0;
	return (uint64_t)((double)result->cycles * seen_ns / (recorded_ns * slowness(d)) + 0.5);
}

double disturb(struct disturbance *d, struct vivgpu_group_result *result)
{
	uint64_t recorded_end = result->finished_ns, start, shift;
	double ns, recorded;

	if (result->flags & VIVGPU_RESULT_FAILED || recorded_end < result->started_ns)
		return -1;
	recorded = (double)(recorded_end - result->started_ns);
	ns = duration(d, recorded);
	start = begin(d, result);
	shift = start - result->started_ns;
	d->true_end_ns = start + (uint64_t)(ns + 0.5);
	result->submitted_ns += shift;
	result->queued_ns += shift;
	result->started_ns = d->groups ? later(result->queued_ns, d->seen_end_ns) : start;
	/* The handler of the group before may have seen the end, if it was late. */
	result->finished_ns = d->groups && d->seen_end_ns >= d->true_end_ns
				      ? d->seen_end_ns
				      : d->true_end_ns + (uint64_t)lateness(d);
	result->finished_ns = later(result->finished_ns, result->started_ns);
	result->cycles = cycles(d, result, recorded);
	/* Last: what is above needs the end of the group before, and this one's number. */
	d->recorded_end_ns = recorded_end;
	d->seen_end_ns = result->finished_ns;
	d->groups++;
	return ns;
}
