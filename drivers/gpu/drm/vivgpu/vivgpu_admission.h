/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_ADMISSION_H_
#define _VIVGPU_ADMISSION_H_

#include <linux/bits.h>
#include <linux/types.h>

/* Utilisations are fractions with 32 bits after the point. */
#define VIVGPU_UTILISATION_ONE		BIT_ULL(32)
/* Largest sum of utilisations: closer to one, the test would have too many intervals. */
#define VIVGPU_UTILISATION_MAX		(VIVGPU_UTILISATION_ONE - VIVGPU_UTILISATION_ONE / 64)
#define VIVGPU_MAX_RESERVATIONS		64
/* VIVGPU_UTILISATION_ONE and VIVGPU_UTILISATION_MAX in parts per million */
#define VIVGPU_PPM_ONE			1000000
#define VIVGPU_PPM_MAX			(VIVGPU_PPM_ONE - VIVGPU_PPM_ONE / 64)
#define VIVGPU_MIN_PERIOD_NS		1000000
#define VIVGPU_MAX_PERIOD_NS		1000000000

/**
 * struct vivgpu_reservation - GPU time that a queue has been promised
 * @budget_ns: time in each period
 * @period_ns: the period, which is also the relative deadline
 */
struct vivgpu_reservation {
	u64 budget_ns;
	u64 period_ns;
};

/**
 * struct vivgpu_admission_policy - what is not decided by the reservations
 * @overrun_ns: sum of the overruns, in any one busy period, that must not make another
 *	queue miss a deadline, with latencies of interrupts and wake-ups
 * @recovery_ns: longest time from the decision to end a job until the next one can start
 * @min_blocking_ns: best-effort jobs up to this length must remain possible at any time
 * @max_blocking_ns: more blocking by best-effort jobs is not needed
 */
struct vivgpu_admission_policy {
	u64 overrun_ns;
	u64 recovery_ns;
	u64 min_blocking_ns;
	u64 max_blocking_ns;
};

/**
 * enum vivgpu_admission_verdict - result of the admission test
 * @VIVGPU_ADMITTED: all deadlines will be kept
 * @VIVGPU_REFUSED_VALUES: a budget or period is out of range
 * @VIVGPU_REFUSED_COUNT: too many reservations
 * @VIVGPU_REFUSED_UTILISATION: more GPU time than there is
 * @VIVGPU_REFUSED_BLOCKING: a job that cannot be preempted could make another miss its deadline
 * @VIVGPU_REFUSED_EFFORT: the test would need too many steps
 */
enum vivgpu_admission_verdict {
	VIVGPU_ADMITTED,
	VIVGPU_REFUSED_VALUES,
	VIVGPU_REFUSED_COUNT,
	VIVGPU_REFUSED_UTILISATION,
	VIVGPU_REFUSED_BLOCKING,
	VIVGPU_REFUSED_EFFORT,
};

/**
 * struct vivgpu_admission - what a set of admitted reservations permits
 * @utilisation: sum of vivgpu_reservation_utilisation()
 * @blocking_ns: longest time that best-effort jobs in the ring may take at any time
 * @horizon_ns: no deadline that is further away than this can be missed because of blocking; 0
 *	without reservations
 */
struct vivgpu_admission {
	u64 utilisation;
	u64 blocking_ns;
	u64 horizon_ns;
};

u64 vivgpu_reservation_utilisation(const struct vivgpu_reservation *reservation);
u64 vivgpu_reservation_ppm(const struct vivgpu_reservation *reservation);
enum vivgpu_admission_verdict
vivgpu_admission_test(const struct vivgpu_reservation *set, u32 count,
		      const struct vivgpu_admission_policy *policy,
		      struct vivgpu_admission *result);

#endif
