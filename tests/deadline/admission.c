// SPDX-License-Identifier: MIT
/*
 * Random sets of two or three reservations in units of 0.5 ms, with the driver's constants, and what the
 * oracle says of them. The driver adds the overhead of a job to a budget, so the oracle's budgets have
 * it as well; what is tolerated and a recovery are times that are lost.
 */

#include <linux/minmax.h>

#include "admission.h"
#include "oracle.h"
#include "taskset.h"
#include "vivgpu_arbiter.h"

#define UNIT_NS (MS / 2)

/*
 * Two reservations have periods of 4 to 9 ms, three of 5 to 8 ms; the utilisation is at most 0.95.
 */
static void draw(struct oracle_set *set, u32 tasks, u64 *random)
{
	double utilisation;
	u32 i;

	do {
		utilisation = 0;
		*set = (struct oracle_set){ .count = tasks };
		for (i = 0; i < tasks; i++) {
			set->period[i] = tasks == 2 ? 8 + random_below(random, 11)
						    : 10 + random_below(random, 7);
			set->budget[i] = 1 + random_below(random, set->period[i] / 2);
			utilisation += (double)set->budget[i] / set->period[i];
		}
	} while (utilisation > 0.95);
}

/* The blocking that the driver permits beside all reservations of a set, 0 if it refuses one. */
static u32 driver_blocking(const struct oracle_set *set, u64 recovery_ns)
{
	struct vivgpu_arbiter_policy policy = vivgpu_arbiter_driver_policy;
	struct vivgpu_arbiter_queue queues[ORACLE_TASKS];
	struct vivgpu_admission result;
	struct vivgpu_arbiter arbiter;
	int i;

	policy.admission.recovery_ns = recovery_ns;
	vivgpu_arbiter_init(&arbiter, &policy);
	for (i = 0; i < set->count; i++) {
		struct vivgpu_reservation reservation = {
			set->budget[i] * UNIT_NS - policy.overhead_ns,
			set->period[i] * UNIT_NS,
		};

		vivgpu_arbiter_init_queue(&queues[i], 1);
		if (vivgpu_arbiter_check(&arbiter, &reservation, 0, &result) != VIVGPU_ADMITTED)
			return 0;
		vivgpu_arbiter_admit(&arbiter, &queues[i], &reservation, &result);
	}
	return result.blocking_ns / UNIT_NS;
}

/* Whether a job can be late with this blocking. */
static bool breaks(struct oracle_set *set, u32 blocking, struct admission_judgement *sum)
{
	u32 states;
	bool late;

	set->blocking = blocking;
	late = oracle_breaks(set, &states);
	sum->states += states;
	return late;
}

/**
 * admission_judge - judge the admission test
 * @sets: number of random sets
 * @tasks: reservations in each, 2 or 3
 * @recovery_ns: that the driver takes into account; the oracle always has the driver's own
 * @sum: out
 */
void admission_judge(u32 sets, u32 tasks, u64 recovery_ns, struct admission_judgement *sum)
{
	const struct vivgpu_admission_policy *policy = &vivgpu_arbiter_driver_policy.admission;
	u32 least = policy->min_blocking_ns / UNIT_NS;
	u32 most = policy->max_blocking_ns / UNIT_NS;
	u64 random = tasks;
	u32 i;

	*sum = (struct admission_judgement){ .sets = sets };
	for (i = 0; i < sets; i++) {
		struct oracle_set set;
		u32 blocking;
		bool harmless;

		draw(&set, tasks, &random);
		set.lost = (policy->overrun_ns + policy->recovery_ns) / UNIT_NS;
		blocking = driver_blocking(&set, recovery_ns);
		harmless = !breaks(&set, least, sum);
		sum->harmless += harmless;
		sum->refused += harmless && !blocking;
		if (!blocking)
			continue;
		sum->admitted++;
		sum->broken += breaks(&set, blocking, sum);
		sum->tight += blocking < most && breaks(&set, blocking + 1, sum);
	}
}
