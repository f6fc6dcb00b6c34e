// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Admission of queues with a budget and a period
 *
 * The test is the processor demand test for sporadic tasks under non-preemptive earliest
 * deadline first (EDF) scheduling: L. George, N. Rivierre, M. Spuri, "Preemptive and
 * Non-Preemptive Real-Time Uni-Processor Scheduling", INRIA RR-2966, 1996; for implicit
 * deadlines K. Jeffay, D. Stanat, C. Martel, "On Non-Preemptive Scheduling of Periodic and
 * Sporadic Tasks", RTSS 1991. A set of queues i with budget Q_i in each period T_i keeps all
 * deadlines if for all intervals h
 *
 *	sum(floor(h / T_i) * Q_i) + max(B, Q_j of the queues with T_j > h) + R + O <= h
 *
 * where B is the longest time that best-effort jobs in the ring can still take, R is the time
 * that a recovery takes, which ends a job that blocks the GPU for longer, and O is the sum of
 * overruns and latencies that are to be tolerated. The left side grows only at multiples of
 * the periods, so only those are tested. It is at most U * h + max(B, Q_j) + R + O, where U is
 * the utilisation, and this is at most h from h = (max(B, Q_j) + R + O) / (1 - U) on: the
 * horizon, at which the test ends.
 *
 * B is the largest value with which the test succeeds. It bounds what the arbiter may put
 * into the ring for queues without a reservation (vivgpu_arbiter.c).
 *
 * Pure functions.
 */

#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include <kunit/visibility.h>

#include "vivgpu_admission.h"

/* Limits the time that the call takes; each interval costs two divisions for each queue. */
#define MAX_INTERVALS	4096

/**
 * vivgpu_reservation_utilisation - budget / period of a reservation
 * @reservation: the reservation; budget and period are below 2^32 ns
 *
 * Return: the fraction of VIVGPU_UTILISATION_ONE, rounded up.
 */
u64 vivgpu_reservation_utilisation(const struct vivgpu_reservation *reservation)
{
	return div64_u64((reservation->budget_ns << 32) + reservation->period_ns - 1,
			 reservation->period_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_reservation_utilisation);

/**
 * vivgpu_reservation_ppm - the part of what can be reserved that a reservation takes
 * @reservation: the reservation; budget and period are below 2^32 ns
 *
 * It takes its share of the time, and one of VIVGPU_MAX_RESERVATIONS places, of which each is the
 * same part of all that can be reserved.
 *
 * Return: the larger of both in parts per million of the time, the share rounded up.
 */
u64 vivgpu_reservation_ppm(const struct vivgpu_reservation *reservation)
{
	u64 share = div64_u64(reservation->budget_ns * VIVGPU_PPM_ONE + reservation->period_ns - 1,
			      reservation->period_ns);

	return max_t(u64, share, VIVGPU_PPM_MAX / VIVGPU_MAX_RESERVATIONS);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_reservation_ppm);

static bool vivgpu_admission_valid(const struct vivgpu_reservation *reservation)
{
	return reservation->period_ns >= VIVGPU_MIN_PERIOD_NS &&
	       reservation->period_ns <= VIVGPU_MAX_PERIOD_NS && reservation->budget_ns &&
	       reservation->budget_ns <= reservation->period_ns;
}

/* GPU time that all queues can demand with both arrival and deadline in an interval. */
static u64 vivgpu_admission_demand(const struct vivgpu_reservation *set, u32 count, u64 interval)
{
	u64 demand = 0;
	u32 i;

	for (i = 0; i < count; i++)
		demand += div64_u64(interval, set[i].period_ns) * set[i].budget_ns;

	return demand;
}

/* The longest job whose deadline is further away than an interval. */
static u64 vivgpu_admission_later(const struct vivgpu_reservation *set, u32 count, u64 interval)
{
	u64 longest = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		if (set[i].period_ns > interval)
			longest = max(longest, set[i].budget_ns);
	}

	return longest;
}

/* The smallest multiple of any period that is more than an interval. */
static u64 vivgpu_admission_next(const struct vivgpu_reservation *set, u32 count, u64 interval)
{
	u64 next = U64_MAX;
	u32 i;

	for (i = 0; i < count; i++)
		next = min(next, (div64_u64(interval, set[i].period_ns) + 1) * set[i].period_ns);

	return next;
}

/*
 * From this interval on the test succeeds, given the blocking by best-effort jobs, and R + O as
 * @lost. The utilisation is at most VIVGPU_UTILISATION_MAX, so the divisor is not 0.
 */
static u64 vivgpu_admission_horizon(const struct vivgpu_reservation *set, u32 count,
				    u64 utilisation, u64 blocking, u64 lost)
{
	u64 blocked = max(blocking, vivgpu_admission_later(set, count, 0)) + lost;
	u64 free = VIVGPU_UTILISATION_ONE - utilisation;

	return div64_u64((blocked << 32) + free - 1, free);
}

/*
 * The test's intervals; finds the most blocking. The caller has set the result's utilisation. The
 * horizon comes nearer when an interval lowers the blocking.
 */
static enum vivgpu_admission_verdict
vivgpu_admission_intervals(const struct vivgpu_reservation *set, u32 count,
			   const struct vivgpu_admission_policy *policy,
			   struct vivgpu_admission *result)
{
	u64 lost = policy->overrun_ns + policy->recovery_ns;
	u64 interval = vivgpu_admission_next(set, count, 0);
	u32 steps = 0;

	result->blocking_ns = policy->max_blocking_ns;
	do {
		u64 used = vivgpu_admission_demand(set, count, interval) + lost;
		u64 later = vivgpu_admission_later(set, count, interval);

		if (used + max(later, policy->min_blocking_ns) > interval)
			return VIVGPU_REFUSED_BLOCKING;
		if (++steps > MAX_INTERVALS)
			return VIVGPU_REFUSED_EFFORT;
		result->blocking_ns = min(result->blocking_ns, interval - used);
		result->horizon_ns = vivgpu_admission_horizon(set, count, result->utilisation,
							      result->blocking_ns, lost);
		interval = vivgpu_admission_next(set, count, interval);
	} while (interval < result->horizon_ns);

	return VIVGPU_ADMITTED;
}

/**
 * vivgpu_admission_test - whether a set of reservations can be kept
 * @set: the reservations
 * @count: how many
 * @policy: blocking and overruns to be tolerated; all below 2^30 ns, as budgets are, so that the
 *	sum of three has 32 bits
 * @result: out, if the set is admitted
 *
 * Sufficient and, if overruns and best-effort jobs of the permitted lengths occur, close to
 * necessary. The empty set is admitted.
 *
 * Return: VIVGPU_ADMITTED, or the reason why not.
 */
enum vivgpu_admission_verdict
vivgpu_admission_test(const struct vivgpu_reservation *set, u32 count,
		      const struct vivgpu_admission_policy *policy,
		      struct vivgpu_admission *result)
{
	u32 i;

	*result = (struct vivgpu_admission){ .blocking_ns = policy->max_blocking_ns };
	if (count > VIVGPU_MAX_RESERVATIONS)
		return VIVGPU_REFUSED_COUNT;

	for (i = 0; i < count; i++) {
		if (!vivgpu_admission_valid(&set[i]))
			return VIVGPU_REFUSED_VALUES;
		result->utilisation += vivgpu_reservation_utilisation(&set[i]);
	}

	if (result->utilisation > VIVGPU_UTILISATION_MAX)
		return VIVGPU_REFUSED_UTILISATION;

	return count ? vivgpu_admission_intervals(set, count, policy, result) : VIVGPU_ADMITTED;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_admission_test);
