// SPDX-License-Identifier: GPL-2.0-only

#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include <kunit/visibility.h>

#include "vivgpu_usage.h"

/*
 * DOC: Which job was counted
 *
 * The core has one set of counters for all jobs, and they never stop. They are read in the
 * interrupt handler when jobs have ended, and the difference from the reading before is
 * attributed:
 *
 * - It is the ended job's. If one interrupt reports the end of several jobs, it is the first
 *   one's, and the others have zero, as with durations.
 * - It is exact if no other job was in the ring from the end of the job before to this one's
 *   reading. Otherwise the next job may already have been counted, or this one's beginning
 *   was counted for the job before.
 * - It is shared if jobs of several clients were in the ring at the reading. Only those can
 *   have contributed: a job that ended earlier was read earlier, and a job that came later did
 *   not run yet. A shared count is not shown to a client without privilege, because the
 *   other client's work is in it.
 *
 * So no count is lost or counted twice: the sum over all jobs is what the core has counted,
 * and so is the sum over a client's jobs between two readings at which the ring was empty.
 *
 * Submits without commands are counted neither as jobs nor as neighbours.
 *
 * The functions are pure arithmetic; the caller serialises.
 */

/**
 * vivgpu_counts_update_max - take the maximum of each count
 * @shown: the highest counts so far, updated
 * @counts: the new counts
 */
void vivgpu_counts_update_max(struct vivgpu_counts *shown, const struct vivgpu_counts *counts)
{
	u32 i;

	for (i = 0; i < VIVGPU_NR_COUNTS; i++)
		shown->value[i] = max(shown->value[i], counts->value[i]);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counts_update_max);

/**
 * vivgpu_counting_start - begin to count
 * @counting: the counts so far, which are dropped
 * @raw: reading of the counters; no job is in the ring
 */
void vivgpu_counting_start(struct vivgpu_counting *counting, const struct vivgpu_raw_counts *raw)
{
	*counting = (struct vivgpu_counting){ .raw = *raw, .known = true, .idle = true };
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_start);

/**
 * vivgpu_counting_update - account a reading at which no job ended
 * @counting: the counts so far
 * @raw: reading of the counters, 32 bit wide: they must be read at least once each wrap
 */
void vivgpu_counting_update(struct vivgpu_counting *counting, const struct vivgpu_raw_counts *raw)
{
	u32 i;

	for (i = 0; i < VIVGPU_NR_COUNTS && counting->known; i++)
		counting->pending.value[i] += (u32)(raw->value[i] - counting->raw.value[i]);
	counting->raw = *raw;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_update);

/**
 * vivgpu_counting_stop - end counting: the counters change without their value being known
 * @counting: the counts so far, which are dropped
 */
void vivgpu_counting_stop(struct vivgpu_counting *counting)
{
	memset(counting, 0, sizeof(*counting));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_stop);

/**
 * vivgpu_counting_attribute - account a reading at which jobs ended
 * @counting: the counts so far; they begin here if counting was stopped
 * @raw: reading of the counters
 * @ring: the jobs in the ring, those that ended among them; at least one has
 * @first: out, counts of the oldest of the ended jobs; see vivgpu_job_counts_clear() for others
 */
void vivgpu_counting_attribute(struct vivgpu_counting *counting,
			       const struct vivgpu_raw_counts *raw,
			       const struct vivgpu_occupancy *ring,
			       struct vivgpu_job_counts *first)
{
	vivgpu_counting_update(counting, raw);
	first->counts = counting->pending;
	first->valid = counting->known;
	first->exact = counting->known && counting->idle && ring->jobs == 1;
	first->shared = ring->shared;
	counting->pending = (struct vivgpu_counts){ };
	counting->known = true;
	counting->idle = ring->ended == ring->jobs;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_counting_attribute);

/*
 * DOC: How long a job ran
 *
 * The core writes no timestamps. The kernel takes two: when it wrote the job to the
 * ring, and when the interrupt of the job's last event came. On a busy GPU a job
 * starts when the job before it finishes, on an idle GPU when it is written to the
 * ring: the later of the two is its start. Events that one interrupt reports get the
 * same stamp. Only the first of several jobs that finish with one interrupt has a
 * duration; the others took less than the interrupt's latency and have zero.
 *
 * Job A comes to an idle GPU, job B while A runs::
 *
 *     a       b            c   d             e   f
 *     |------ A -----------|------ B --------|         what the GPU does
 *     |====== A ===============|====== B ========|     what the stamps say
 *
 *     a   A is written to the ring: queued_ns and started_ns of A
 *     b   B is written to the ring: queued_ns of B
 *     c   the GPU ends A and begins B
 *     d   A's interrupt: finished_ns of A, started_ns of B, free_ns of the clock
 *     e   the GPU ends B
 *     f   B's interrupt: finished_ns of B
 *
 * From c to d and from e to f is the interrupts' latency; &vivgpu_clock.min_latency_ns is the
 * shortest time from a to d that was seen.
 *
 * Timestamp points are an exception, since the interval between two is a measurement of a
 * client: if one interrupt reports several events and a point is among them, the time since the
 * last event before is divided among them by the operations between them. The last one
 * keeps the interrupt's time, so intervals add up.
 *
 * The stamp of the start is taken with the lock held and interrupts off, directly after
 * the job was written, so that neither an interrupt nor another task delays it.
 *
 * The cycle counter (HI_PROFILE_TOTAL_CYCLES or MC_PROFILE_CYCLE_COUNTER) is read in the
 * interrupt handler, after the time stamp. The value belongs to an unknown moment between
 * begin and end of the register access, which is a long interval if the host preempted the
 * processor. The cycles of a stamp are therefore computed:
 *
 * - Idle GPU: the counter runs at its nominal rate, so for 1 ms after a reading the
 *   cycles at a job's start are extrapolated from it and the counter is not read again.
 * - Busy GPU: the clock may be scaled or gated, so the rate is not assumed. The cycles at
 *   an interrupt are interpolated linearly in time between the last reported pair of time
 *   and cycles and the reading.
 * - While the cycles of single jobs are not reported, an interrupt within 1 ms of a reading does
 *   not read the counter either, and the cycles are extrapolated. If the clock had another rate,
 *   the next reading puts the sum right: jobs until then get more cycles or fewer.
 *
 * Reported cycles never decrease.
 *
 * The functions are pure arithmetic; the caller serialises.
 */

/* Oscillators differ by 100 ppm or less, which makes an error of 100 ns within this time. */
#define MAX_EXTRAPOLATION_NS	NSEC_PER_MSEC

/* The time at which the counter has advanced by @more at its rate; @end_ns without a rate. */
static u64 vivgpu_usage_expected_ns(const struct vivgpu_clock *clock, u32 more, u64 end_ns)
{
	if (!clock->hz)
		return end_ns;
	return clock->read_ns + DIV_U64_ROUND_CLOSEST(more * (u64)NSEC_PER_SEC, clock->hz);
}

/**
 * vivgpu_clock_update - extend a reading of the cycle counter to 64 bit
 * @clock: the clock
 * @raw: the register's value; 32 bit wide, so it has to be read at least once each wrap
 * @begin_ns: time before it was read
 * @end_ns: time after it was read
 *
 * Return: the count in 64 bit.
 */
u64 vivgpu_clock_update(struct vivgpu_clock *clock, u32 raw, u64 begin_ns, u64 end_ns)
{
	u32 more = raw - clock->raw;

	clock->read_ns = clamp(vivgpu_usage_expected_ns(clock, more, end_ns), begin_ns, end_ns);
	clock->cycles += more;
	clock->raw = raw;
	return clock->cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_update);

/**
 * vivgpu_clock_reset - update the clock after a reset of the hardware counter
 * @clock: the clock; its 64 bit count continues
 * @raw: the register's value after the reset
 * @now_ns: time after it was read
 */
void vivgpu_clock_reset(struct vivgpu_clock *clock, u32 raw, u64 now_ns)
{
	clock->raw = raw;
	clock->read_ns = now_ns;
	clock->free_cycles = clock->cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_reset);

static u64 vivgpu_usage_distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/**
 * vivgpu_clock_can_extrapolate - check whether cycles can be extrapolated from the last reading
 * @clock: the clock
 * @ns: the time
 *
 * Return: true if the rate is known and the last reading is at most 1 ms away.
 */
bool vivgpu_clock_can_extrapolate(const struct vivgpu_clock *clock, u64 ns)
{
	return clock->hz && vivgpu_usage_distance(ns, clock->read_ns) <= MAX_EXTRAPOLATION_NS;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_can_extrapolate);

/* Record a pair of time and cycles that is reported; later pairs are never less. */
static u64 vivgpu_usage_report_cycles(struct vivgpu_clock *clock, u64 ns, u64 cycles)
{
	clock->reported_ns = max(clock->reported_ns, ns);
	clock->reported_cycles = max(clock->reported_cycles, cycles);
	return clock->reported_cycles;
}

/**
 * vivgpu_clock_extrapolate - extrapolate the cycles at which a job started on an idle GPU
 * @clock: the clock, updated before unless vivgpu_clock_can_extrapolate() returned true
 * @ns: time of the start
 *
 * Return: the count, never less than one reported before; without a rate the count of
 * the last reading.
 */
u64 vivgpu_clock_extrapolate(struct vivgpu_clock *clock, u64 ns)
{
	u64 distance_ns = vivgpu_usage_distance(ns, clock->read_ns);
	u64 away = mul_u64_u32_div(distance_ns, clock->hz, NSEC_PER_SEC);
	u64 cycles = clock->cycles;

	cycles = ns < clock->read_ns ? cycles - min(away, cycles) : cycles + away;
	return vivgpu_usage_report_cycles(clock, ns, cycles);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_extrapolate);

/**
 * vivgpu_clock_estimate - estimate the cycle register's value without reading it
 * @clock: the clock
 * @ns: the time, in the present
 *
 * Return: what a counter that runs at the nominal rate has at @ns; the last reading without a rate.
 */
u32 vivgpu_clock_estimate(const struct vivgpu_clock *clock, u64 ns)
{
	u64 since_ns = ns - min(clock->read_ns, ns);
	u64 more = mul_u64_u32_div(since_ns, clock->hz, NSEC_PER_SEC);

	return clock->raw + (u32)min_t(u64, more, U32_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_estimate);

/**
 * vivgpu_clock_event - interpolate the cycles at an event
 * @clock: the clock, updated after the event, or at most 1 ms before it
 * @ns: time of the event's interrupt
 *
 * Return: the count, never less than one reported before; extrapolated if the clock was updated
 * before the event.
 */
u64 vivgpu_clock_event(struct vivgpu_clock *clock, u64 ns)
{
	u64 since = clock->cycles - min(clock->reported_cycles, clock->cycles);

	if (ns <= clock->reported_ns)
		return clock->reported_cycles;
	if (ns > clock->read_ns && vivgpu_clock_can_extrapolate(clock, ns))
		return vivgpu_clock_extrapolate(clock, ns);
	if (ns < clock->read_ns)
		since = mul_u64_u64_div_u64(since, ns - clock->reported_ns,
					    clock->read_ns - clock->reported_ns);
	return vivgpu_usage_report_cycles(clock, ns, clock->reported_cycles + since);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_event);

/**
 * vivgpu_clock_spread - time of one of several events that an interrupt reports
 * @clock: the clock; its last reported pair is of an event or start before them
 * @now_ns: time of the interrupt
 * @part: operations from that event up to this one
 * @all: operations up to the last of the events, not 0
 *
 * Return: the time at which @part of @all were done, if all took the same time.
 */
u64 vivgpu_clock_spread(const struct vivgpu_clock *clock, u64 now_ns, u32 part, u32 all)
{
	u64 from_ns = min(clock->reported_ns, now_ns);

	return from_ns + mul_u64_u32_div(now_ns - from_ns, part, all);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_clock_spread);

/**
 * vivgpu_usage_times_start - compute when a job started
 * @times: its stamps; the queued ones are set
 * @clock: the clock, with the end of the job before it
 */
static void vivgpu_usage_times_start(struct vivgpu_times *times, const struct vivgpu_clock *clock)
{
	times->started_ns = max(times->queued_ns, clock->free_ns);
	times->started_cycles = max(times->queued_cycles, clock->free_cycles);
}

/* DRM_VIVGPU_PARAM_TIME_UNCERTAINTY: by how much stamps are late on an idle machine, at most */
static void vivgpu_usage_update_min_latency(struct vivgpu_clock *clock, u64 ns)
{
	if (!clock->min_latency_ns || ns < clock->min_latency_ns)
		clock->min_latency_ns = ns;
}

/**
 * vivgpu_times_finish - set the stamps of a job whose interrupt came
 * @times: its stamps
 * @clock: as for vivgpu_clock_event(); the end of this job is stored in it
 * @now_ns: time of the interrupt
 */
void vivgpu_times_finish(struct vivgpu_times *times, struct vivgpu_clock *clock, u64 now_ns)
{
	u64 cycles;

	vivgpu_usage_times_start(times, clock);
	/* If another CPU wrote the job while the handler waited for the lock, its time is older. */
	now_ns = max(now_ns, times->started_ns);
	cycles = vivgpu_clock_event(clock, now_ns);
	times->finished_ns = now_ns;
	if (times->started_ns == times->queued_ns && now_ns > times->started_ns && !clock->spread)
		vivgpu_usage_update_min_latency(clock, now_ns - times->started_ns);
	times->cycles = cycles - min(times->started_cycles, cycles);
	clock->free_ns = now_ns;
	clock->free_cycles = cycles;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_times_finish);

/**
 * vivgpu_usage_add - account a finished job
 * @usage: figures of its client or of the device
 * @times: the job's stamps
 */
void vivgpu_usage_add(struct vivgpu_usage *usage, const struct vivgpu_times *times)
{
	usage->busy_ns += times->finished_ns - times->started_ns;
	usage->cycles += times->cycles;
	usage->jobs++;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_add);

/**
 * vivgpu_usage_add_counts - add the counts of a finished job
 * @usage: figures of its client, if the counts are not shared, or of the device
 * @counts: the counts
 */
void vivgpu_usage_add_counts(struct vivgpu_usage *usage, const struct vivgpu_job_counts *counts)
{
	vivgpu_counts_add(&usage->counts, &counts->counts);
	usage->counted_jobs++;
	usage->exact_jobs += counts->exact;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_add_counts);

/**
 * vivgpu_usage_add_deadline - account whether a job kept its deadline and its prediction
 * @usage: figures of its client or of the device
 * @times: the job's timestamps
 * @cost_ns: its predicted length, 0 if it had none
 * @missed: it ended after its deadline
 * @overrun: it took longer than was assumed
 */
void vivgpu_usage_add_deadline(struct vivgpu_usage *usage, const struct vivgpu_times *times,
			       u64 cost_ns, bool missed, bool overrun)
{
	usage->missed += missed;
	usage->overruns += overrun;
	if (!cost_ns)
		return;

	usage->predicted_ns += cost_ns;
	usage->predicted_busy_ns += times->finished_ns - times->started_ns;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_add_deadline);

/**
 * vivgpu_ended_add - count the end of a job
 * @ended: figures of its client or of the device
 * @failed: the job failed
 * @event: the job had no commands
 */
void vivgpu_ended_add(struct vivgpu_ended *ended, bool failed, bool event)
{
	ended->finished++;
	ended->failed += failed;
	ended->events += event;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ended_add);

/**
 * vivgpu_usage_add_running - add the time and cycles of the running job so far
 * @usage: a copy of the figures of its client or of the device
 * @times: the job's stamps so far
 * @clock: the clock as of its last update
 * @raw: the cycle register's value now, or an estimate
 * @now_ns: the time now
 *
 * The number of jobs does not change.
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
 * vivgpu_usage_update_max - take the maximum of each figure
 * @shown: the highest figures so far, updated
 * @usage: the new figures
 */
void vivgpu_usage_update_max(struct vivgpu_usage *shown, const struct vivgpu_usage *usage)
{
	shown->busy_ns = max(shown->busy_ns, usage->busy_ns);
	shown->cycles = max(shown->cycles, usage->cycles);
	shown->jobs = max(shown->jobs, usage->jobs);
	vivgpu_counts_update_max(&shown->counts, &usage->counts);
	shown->counted_jobs = max(shown->counted_jobs, usage->counted_jobs);
	shown->exact_jobs = max(shown->exact_jobs, usage->exact_jobs);
	shown->missed = max(shown->missed, usage->missed);
	shown->overruns = max(shown->overruns, usage->overruns);
	shown->predicted_ns = max(shown->predicted_ns, usage->predicted_ns);
	shown->predicted_busy_ns = max(shown->predicted_busy_ns, usage->predicted_busy_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_usage_update_max);
