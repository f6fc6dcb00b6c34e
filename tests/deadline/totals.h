/* SPDX-License-Identifier: MIT */
/* Missed frames of many simulations, by policy and class of utilisation. */
#ifndef TOTALS_H
#define TOTALS_H

#include "simulate.h"

#define CLASSES 4

/**
 * struct totals - of the sets of one class of utilisation, under one policy
 * @sets: sets with a client whose reservation is admitted
 * @missing: sets in which such a client missed a deadline
 * @frames: frames of such clients
 * @missed: of them, how many were late
 * @first: least utilisation of a set with a miss, 2 if there is none
 */
struct totals {
	u32 sets;
	u32 missing;
	u64 frames;
	u64 missed;
	double first;
};

void totals_init(struct totals totals[POLICIES][CLASSES]);
void totals_frames(const struct taskset *set, const struct result *result, bool overrunners,
		   u64 *frames, u64 *missed);
void totals_count(struct totals *sum, const struct taskset *set, const struct result *result);
u32 totals_missing(const struct totals totals[CLASSES]);
void totals_print(const struct totals totals[POLICIES][CLASSES]);

#endif
