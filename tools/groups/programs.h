/* SPDX-License-Identifier: MIT */
/* Totals of each program's groups: GPU time, cycles, and how good predictions were. */
#ifndef VIVGPU_TOOLS_GROUPS_PROGRAMS_H
#define VIVGPU_TOOLS_GROUPS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "list.h"

/** Totals of a process, or of a client whose process is not known */
struct program {
	struct group_owner owner;
	/** Jobs with a result, monitored or not, but for failed ones; their time and cycles */
	uint64_t groups, ns, cycles;
	/** Groups with a prediction too: their time, what was predicted, sum of absolute errors */
	uint64_t predicted, measured_ns, predicted_ns, error_ns;
	/** Groups that took no longer than prediction and bound together */
	uint64_t within_bound;
};

/** Zero at first */
struct programs {
	struct program *all;
	size_t count, size;
};

/**
 * programs_add - add an entry to its program's totals; ends the program without memory
 *
 * Nothing is added for submits without commands, jobs that failed, and those without a result.
 */
void programs_add(struct programs *programs, const struct entry *entry);

/**
 * programs_print - print a table, the longest time first, and forget the totals
 *
 * @seconds: for how long groups were added; 0 if that is not known
 * @over: print over the last table of a terminal
 */
void programs_print(struct programs *programs, FILE *file, double seconds, bool over);

void programs_free(struct programs *programs);

#endif
