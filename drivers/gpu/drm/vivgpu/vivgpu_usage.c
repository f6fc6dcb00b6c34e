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
 * A reading of the cycle counter takes longer than many a job. But a clock does not
 * change its rate within a moment, so close to a look at it the rate tells what the
 * counter shows: at the stamp of a giving or of an interrupt. Only events that come
 * a millisecond or more after the last look need another one, a moment after their
 * stamp.
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

/**
 * vivgpu_clock_update - look at the cycle counter
 * @clock: the clock
 * @raw: the register; it wraps, and must be read once each wrap
 * @now_ns: when it was read
 *
 * Return: cycles in 64 bit.
 */
u64 vivgpu_clock_update(struct vivgpu_clock *clock, u32 raw, u64 now_ns)
{
	clock->cycles += (u32)(raw - clock->raw);
	clock->raw = raw;
	clock->read_ns = now_ns;
	return clock->cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_update);

/**
 * vivgpu_clock_reset - the counter began anew
 * @clock: the clock; it goes on from where it was
 * @raw: the register now
 */
void vivgpu_clock_reset(struct vivgpu_clock *clock, u32 raw)
{
	clock->raw = raw;
	clock->read_ns = 0;
	clock->free_cycles = clock->cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_reset);

/**
 * vivgpu_clock_at - cycles shortly before or after the last look
 * @clock: the clock; the GPU did nothing between then and a later @ns
 * @ns: the time asked for
 * @cycles: the count, if it can be told, else untouched; never less than when the
 *	GPU was free
 *
 * Return: false if the last look is too far away, the counter began anew since, or
 * its rate is not known.
 */
bool vivgpu_clock_at(const struct vivgpu_clock *clock, u64 ns, u64 *cycles)
{
	bool later = ns >= clock->read_ns;
	u64 away = later ? ns - clock->read_ns : clock->read_ns - ns;

	if (!clock->hz || !clock->read_ns || away > TRUST_NS)
		return false;

	away = div_u64(away * clock->hz, NSEC_PER_SEC);
	if (later)
		*cycles = clock->cycles + away;
	else
		*cycles = max(clock->cycles - min(away, clock->cycles), clock->free_cycles);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_at);

/**
 * vivgpu_clock_event - cycles at an event
 * @clock: the clock, looked at not long ago if its rate is known, else just now
 * @ns: when its interrupt came
 *
 * A look takes its time, and the counter shows some moment of it: after a long look
 * the rate may lead back behind the event before, which was earlier all the same.
 *
 * Return: the count, never less than at the event before.
 */
u64 vivgpu_clock_event(struct vivgpu_clock *clock, u64 ns)
{
	u64 cycles = clock->cycles;

	vivgpu_clock_at(clock, ns, &cycles);
	clock->event_cycles = max(clock->event_cycles, cycles);
	return clock->event_cycles;
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

	vivgpu_clock_update(&now, raw, now_ns);
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
