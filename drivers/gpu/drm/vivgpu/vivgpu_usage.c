// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: How long a job ran
 *
 * The hardware stamps nothing. The kernel knows when it gave a job to the ring
 * and when the interrupt of the job's event came. On a busy GPU a job starts
 * when the one before it finishes, on a free GPU when it is given to the ring:
 * the later of the two is its start. Events that come with one interrupt have
 * one stamp, so all jobs but the first of them have no time of their own; they
 * took so little that the processor could not tell them apart.
 *
 * Stamps of the giving are taken under the lock and with interrupts off that
 * order the giving itself, so that no interrupt, no other task and no other
 * processor comes between the job and its stamp.
 *
 * The cycle counter is read in the interrupt, a moment after the stamp, and a reading
 * says what the counter showed at some moment between its begin and its end: long, if
 * the processor was taken away. An idle GPU's counter keeps its rate, so a job that is
 * given to a free GPU needs no other reading soon after one. A busy one's need not: it
 * may be clocked down, or wait for its power. Between the giving or the last interrupt,
 * whose cycles have been told, and the reading, an interrupt is as far in cycles as it
 * is in time. So cycles never go back, and no time is without them.
 *
 * The functions are pure arithmetic; the caller serialises.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "vivgpu_usage.h"

/* Oscillators differ by 100 ppm or less, which is 100 ns within this time. */
#define TRUST_NS	NSEC_PER_MSEC

/* When the counter showed so much more, if it has a rate; else as late as may be. */
static u64 expected_ns(const struct vivgpu_clock *clock, u32 more, u64 end_ns)
{
	if (!clock->hz)
		return end_ns;
	return clock->read_ns + DIV_U64_ROUND_CLOSEST(more * (u64)NSEC_PER_SEC, clock->hz);
}

/**
 * vivgpu_clock_update - look at the cycle counter
 * @clock: the clock
 * @raw: the register; it wraps, and must be read once each wrap
 * @begin_ns: before it was read
 * @end_ns: after it was read
 *
 * Return: cycles in 64 bit.
 */
u64 vivgpu_clock_update(struct vivgpu_clock *clock, u32 raw, u64 begin_ns, u64 end_ns)
{
	u32 more = raw - clock->raw;

	clock->read_ns = clamp(expected_ns(clock, more, end_ns), begin_ns, end_ns);
	clock->cycles += more;
	clock->raw = raw;
	return clock->cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_update);

/**
 * vivgpu_clock_reset - the counter began anew
 * @clock: the clock; it goes on from where it was
 * @raw: the register now
 * @now_ns: after it was read
 */
void vivgpu_clock_reset(struct vivgpu_clock *clock, u32 raw, u64 now_ns)
{
	clock->raw = raw;
	clock->read_ns = now_ns;
	clock->free_cycles = clock->cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_reset);

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/**
 * vivgpu_clock_knows - whether an idle GPU's cycles can be told without another look
 * @clock: the clock
 * @ns: the time they are asked for
 *
 * Return: whether the rate is known and the last look was shortly before or after.
 */
bool vivgpu_clock_knows(const struct vivgpu_clock *clock, u64 ns)
{
	return clock->hz && distance(ns, clock->read_ns) <= TRUST_NS;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_knows);

/* Something was told of a moment, and what follows goes on from there. */
static u64 tell(struct vivgpu_clock *clock, u64 ns, u64 cycles)
{
	clock->told_ns = max(clock->told_ns, ns);
	clock->told_cycles = max(clock->told_cycles, cycles);
	return clock->told_cycles;
}

/**
 * vivgpu_clock_give - cycles when a job was given to a free GPU
 * @clock: the clock, looked at if it did not know them
 * @ns: when that was
 *
 * Return: the count, never less than what was told before; that of the last look if
 * the rate is not known.
 */
u64 vivgpu_clock_give(struct vivgpu_clock *clock, u64 ns)
{
	u64 away = mul_u64_u32_div(distance(ns, clock->read_ns), clock->hz, NSEC_PER_SEC);
	u64 cycles = clock->cycles;

	return tell(clock, ns, ns < clock->read_ns ? cycles - min(away, cycles) : cycles + away);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_give);

/**
 * vivgpu_clock_event - cycles at an event
 * @clock: the clock, looked at since
 * @ns: when its interrupt came
 *
 * Return: the count, never less than what was told before.
 */
u64 vivgpu_clock_event(struct vivgpu_clock *clock, u64 ns)
{
	u64 since = clock->cycles - min(clock->told_cycles, clock->cycles);

	if (ns <= clock->told_ns)
		return clock->told_cycles;
	if (ns < clock->read_ns)
		since = mul_u64_u64_div_u64(since, ns - clock->told_ns,
					    clock->read_ns - clock->told_ns);
	return tell(clock, ns, clock->told_cycles + since);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_event);

/**
 * vivgpu_times_start - find when a job started
 * @times: its stamps; queued is known
 * @clock: when the GPU was free before it
 */
void vivgpu_times_start(struct vivgpu_times *times, const struct vivgpu_clock *clock)
{
	times->started_ns = max(times->queued_ns, clock->free_ns);
	times->started_cycles = max(times->queued_cycles, clock->free_cycles);
}

/* Stamps are late by no more than this on an idle machine. */
static void note_shortest(struct vivgpu_clock *clock, u64 ns)
{
	if (!clock->shortest_ns || ns < clock->shortest_ns)
		clock->shortest_ns = ns;
}

/**
 * vivgpu_times_finish - a job's interrupt came
 * @times: its stamps
 * @clock: as for vivgpu_clock_event(); the GPU is free for the next job now
 * @now_ns: when the interrupt came
 */
void vivgpu_times_finish(struct vivgpu_times *times, struct vivgpu_clock *clock, u64 now_ns)
{
	u64 cycles = vivgpu_clock_event(clock, now_ns);

	vivgpu_times_start(times, clock);
	/* The interrupt may be older than the stamp of the giving. */
	times->started_ns = min(times->started_ns, now_ns);
	times->finished_ns = now_ns;
	if (times->started_ns == times->queued_ns && now_ns > times->started_ns)
		note_shortest(clock, now_ns - times->started_ns);
	times->cycles = cycles - min(times->started_cycles, cycles);
	clock->free_ns = now_ns;
	clock->free_cycles = cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_times_finish);

/**
 * vivgpu_usage_add - account a finished job to its client
 * @usage: the client's
 * @times: the job's
 */
void vivgpu_usage_add(struct vivgpu_usage *usage, const struct vivgpu_times *times)
{
	usage->busy_ns += times->finished_ns - times->started_ns;
	usage->cycles += times->cycles;
	usage->jobs++;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_add);

/**
 * vivgpu_usage_add_running - account what a running job has used so far
 * @usage: the client's, a copy
 * @times: the job's stamps so far
 * @clock: at the last look
 * @raw: the cycle register now
 * @now_ns: the time now
 *
 * The job itself does not count yet.
 */
void vivgpu_usage_add_running(struct vivgpu_usage *usage, const struct vivgpu_times *times,
			      const struct vivgpu_clock *clock, u32 raw, u64 now_ns)
{
	struct vivgpu_clock now = *clock;
	struct vivgpu_times so_far = *times;

	vivgpu_clock_update(&now, raw, now_ns, now_ns);
	vivgpu_times_finish(&so_far, &now, now_ns);
	usage->busy_ns += so_far.finished_ns - so_far.started_ns;
	usage->cycles += so_far.cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_add_running);

/**
 * vivgpu_usage_raise - let figures only rise
 * @shown: the highest so far, of each
 * @usage: the new ones
 */
void vivgpu_usage_raise(struct vivgpu_usage *shown, const struct vivgpu_usage *usage)
{
	shown->busy_ns = max(shown->busy_ns, usage->busy_ns);
	shown->cycles = max(shown->cycles, usage->cycles);
	shown->jobs = max(shown->jobs, usage->jobs);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_raise);
