// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "totals.h"

/**
 * totals_init - nothing was simulated yet
 * @totals: out
 */
void totals_init(struct totals totals[POLICIES][CLASSES])
{
	u32 policy, class;

	for (policy = 0; policy < POLICIES; policy++) {
		for (class = 0; class < CLASSES; class ++)
			totals[policy][class] = (struct totals){ .first = 2 };
	}
}

/**
 * totals_frames - count the frames of clients with a reservation
 * @set: the clients
 * @result: what they got
 * @overrunners: with those that do not keep their bounds
 * @frames: out
 * @missed: out, of these
 */
void totals_frames(const struct taskset *set, const struct result *result, bool overrunners,
		   u64 *frames, u64 *missed)
{
	u32 i;

	*frames = 0;
	*missed = 0;
	for (i = 0; i < set->count; i++) {
		if (!result->tasks[i].admitted ||
		    (!overrunners && (set->tasks[i].overrun_ns || set->tasks[i].hurry)))
			continue;
		*frames += result->tasks[i].frames;
		*missed += result->tasks[i].missed;
	}
}

/**
 * totals_count - add a simulation
 * @sum: of its policy and class
 * @set: the clients
 * @result: what they got
 */
void totals_count(struct totals *sum, const struct taskset *set, const struct result *result)
{
	u64 frames, missed;

	totals_frames(set, result, true, &frames, &missed);
	sum->sets += frames > 0;
	sum->missing += missed > 0;
	sum->frames += frames;
	sum->missed += missed;
	if (missed && set->utilisation < sum->first)
		sum->first = set->utilisation;
}

/**
 * totals_missing - in how many sets of a policy a client missed a deadline
 * @totals: of the policy
 */
u32 totals_missing(const struct totals totals[CLASSES])
{
	u32 class, missing = 0;

	for (class = 0; class < CLASSES; class ++)
		missing += totals[class].missing;
	return missing;
}

/**
 * totals_print - print a table
 * @totals: of all policies
 */
void totals_print(const struct totals totals[POLICIES][CLASSES])
{
	/* Quarters of the utilisations that deadline.c draws, 0.3 to 0.95 */
	static const char *const classes[CLASSES] = { "0.30-0.46", "0.46-0.62", "0.62-0.78",
						      "0.78-0.95" };
	u32 policy, class;

	printf("\n%-12s %-10s %5s %12s %10s %9s %8s %11s\n", "policy", "load", "sets",
	       "sets missing", "frames", "missed", "percent", "first miss");
	for (policy = 0; policy < POLICIES; policy++) {
		for (class = 0; class < CLASSES; class ++) {
			const struct totals *sum = &totals[policy][class];

			printf("%-12s %-10s %5u %12u %10llu %9llu %8.3f ", policy_names[policy],
			       classes[class], sum->sets, sum->missing, sum->frames, sum->missed,
			       sum->frames ? 100.0 * sum->missed / sum->frames : 0.0);
			if (sum->first < 2)
				printf("%11.3f\n", sum->first);
			else
				printf("%11s\n", "none");
		}
	}
	printf("\n");
}
