// SPDX-License-Identifier: MIT
/*
 * wanted: which entries vivgpu-groups lists, by its options. Prints what is wrong; the exit status
 * tells.
 */

#include <stdio.h>

#include "groups/filter.h"

/* A group with a draw, a monitored job whose group was lost, a job of another program, two submits */
static struct vivgpu_command draw = { .type = VIVGPU_COMMAND_DRAW };
static const struct entry group = { .owner = { .process = 7, .name = "seven" },
				    .group.num_commands = 1,
				    .commands = &draw,
				    .result = { .started_ns = 1000, .finished_ns = 3000 },
				    .has_group = true,
				    .has_result = true };
static const struct entry lost = { .owner = { .process = 7 }, .has_result = true };
static const struct entry other = { .owner = { .process = 8, .unmonitored = true },
				    .has_result = true };
static const struct entry unknown = { .owner = { .client = 9 }, .has_result = true };
static const struct entry event = { .owner = { .process = 7 },
				    .has_result = true,
				    .is_event = true };
static const struct entry other_event = { .owner = { .process = 8, .unmonitored = true },
					  .has_result = true,
					  .is_event = true };

static const struct entry *const entries[] = {
	&group, &lost, &other, &unknown, &event, &other_event
};

#define NUM_ENTRIES (sizeof(entries) / sizeof(entries[0]))

/* @wanted: an x for each entry that is to be listed, in the order above */
static int expect(const char *what, struct filter filter, const char *wanted)
{
	int failed = 0;

	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		if (filter_wants(&filter, entries[i]) != (wanted[i] == 'x')) {
			printf("%s: entry %zu\n", what, i);
			failed = 1;
		}
	}
	return failed;
}

int main(void)
{
	int failed = expect("no option", (struct filter){ 0 }, "xx----");

	failed |= expect("all", (struct filter){ .all = true }, "xxxxxx");
	failed |= expect("number", (struct filter){ .process = "7" }, "xx----");
	failed |= expect("number of all", (struct filter){ .process = "7", .all = true }, "xx--x-");
	failed |= expect("name", (struct filter){ .process = "seven" }, "x-----");
	failed |= expect("type", (struct filter){ .type = VIVGPU_COMMAND_DRAW, .all = true },
			 "x-----");
	failed |= expect("another type",
			 (struct filter){ .type = VIVGPU_COMMAND_SWAP, .all = true }, "------");
	failed |= expect("time", (struct filter){ .min_ns = 2000, .all = true }, "x-----");
	failed |= expect("a longer time", (struct filter){ .min_ns = 2001, .all = true }, "------");
	return failed;
}
