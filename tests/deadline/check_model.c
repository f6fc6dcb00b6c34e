// SPDX-License-Identifier: MIT
/*
 * The model of the deadline rules as a program:
 *
 *	model [--large] [--traces] [WORD]
 *
 * Searches all states of small sets of clients: by the rules no frame is late, and by earlier rules, or
 * without what the rules need, one is. --large has three reservations and more; --traces prints the
 * shortest trace to each late frame, which is always printed of one that is not expected; only sets whose names
 * have the WORD are searched.
 */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "order.h"

#define MILLION 1000000u

/* A set, and whether a late frame is expected */
struct search {
	struct model model;
	bool late;
};

/* Budget and period, length of a frame, jobs in a frame; a frame of 0 is a client that may do anything. */
#define FRAMES(q, t, length, jobs) { q, t, length, jobs, false }
#define WAITS(q, t, length, jobs) { q, t, length, jobs, true }
#define STRANGER(q, t) { q, t, 0, 0, false }

static const struct search searches[] = {
	{ { .name = "frames beside shorter periods",
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    .bounds_of_strangers = 3,
	    .max_states = 4 * MILLION },
	  false },
	{ { .name = "frames beside longer periods",
	    .nr_servers = 2,
	    .servers = { FRAMES(1, 6, 1, 1), STRANGER(2, 9) },
	    .bounds_of_strangers = 3,
	    .max_states = 4 * MILLION },
	  false },
	{ { .name = "frames beside nearly equal periods",
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 8, 2, 2), STRANGER(2, 10) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  false },
	{ { .name = "frames that wait for best-effort jobs",
	    .nr_servers = 2,
	    .servers = { WAITS(2, 9, 1, 1), STRANGER(1, 6) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  false },
	{ { .name = "frames of two jobs that wait for best-effort jobs",
	    .nr_servers = 2,
	    .servers = { WAITS(3, 9, 2, 2), STRANGER(1, 7) },
	    .bounds_of_strangers = 2,
	    .max_states = 8 * MILLION },
	  false },
	{ { .name = "up to five jobs in the ring",
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    .bounds_of_strangers = 3,
	    .max_states = 8 * MILLION,
	    .ring = MODEL_RING },
	  false },
	{ { .name = "no job is ended, but all keep their bounds",
	    .flags = MODEL_NO_ENDING | MODEL_MEASURED,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), FRAMES(1, 6, 1, 1) },
	    .bounds_of_strangers = 3,
	    .max_states = MILLION },
	  false },

	{ { .name = "earlier rule: lengths are learnt for each queue",
	    .flags = MODEL_NO_ENDING | MODEL_FRESH_QUEUES,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), FRAMES(1, 6, 1, 1) },
	    .bounds_of_strangers = 3,
	    .max_states = MILLION },
	  true },
	{ { .name = "earlier rule: costs lower what was measured",
	    .flags = MODEL_NO_ENDING | MODEL_LOW_COSTS,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), FRAMES(1, 6, 1, 1) },
	    .bounds_of_strangers = 3,
	    .max_states = MILLION },
	  true },
	{ { .name = "earlier rule: a server owns the time in which it was held back",
	    .flags = MODEL_OWNS_PAST,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    .bounds_of_strangers = 3,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "earlier rule: leaving frees a reservation at once",
	    .flags = MODEL_FREE_AT_ONCE,
	    .nr_servers = 3,
	    .servers = { FRAMES(2, 10, 2, 1), FRAMES(2, 10, 2, 1), STRANGER(1, 6) },
	    .bounds_of_strangers = 2,
	    .max_states = 6 * MILLION },
	  true },
	{ { .name = "earlier rule: donation without a limit",
	    .flags = MODEL_DONATE_ALL | MODEL_CHARGE_ALL,
	    .nr_servers = 1,
	    .servers = { WAITS(2, 9, 1, 1) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },

	{ { .name = "rule 4: a best-effort job behind a server's job",
	    .flags = MODEL_BEHIND_SERVERS,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 8, 2, 2), STRANGER(2, 10) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "rule 5: no room for recoveries that begin late",
	    .flags = MODEL_NO_ROOM,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "rule 5: a job above its budget is ended with it",
	    .flags = MODEL_LONG_AS_SERVER,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 8, 2, 2), STRANGER(2, 9) },
	    .bounds_of_strangers = 3,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "rule 5: each job in the ring may use a budget",
	    .flags = MODEL_BUDGET_EACH,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 8, 2, 2), STRANGER(3, 14) },
	    .bounds_of_strangers = 3,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "rule 7: a donation leaves the longest job of a frame of two",
	    .flags = MODEL_LEAVES_JOB,
	    .nr_servers = 2,
	    .servers = { WAITS(3, 9, 2, 2), STRANGER(1, 7) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "rule 7: a refused donation wakes the server up",
	    .flags = MODEL_REFUSED_WAKES,
	    .nr_servers = 1,
	    .servers = { WAITS(3, 9, 2, 1) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "not promised: two recoveries in a busy time",
	    .flags = MODEL_RECOVERIES,
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },
	{ { .name = "not promised: bounds of a frame's jobs above the budget",
	    .flags = MODEL_LOOSE_BOUNDS,
	    .nr_servers = 1,
	    .servers = { FRAMES(3, 14, 3, 2) },
	    .bounds_of_strangers = 2,
	    .max_states = 4 * MILLION },
	  true },
};

static const struct search large_searches[] = {
	{ { .name = "rule 2: a whole budget at an early wake-up",
	    .flags = MODEL_REFILL,
	    .nr_servers = 3,
	    .servers = { FRAMES(2, 10, 2, 1), FRAMES(2, 10, 2, 1), STRANGER(1, 6) },
	    .bounds_of_strangers = 2,
	    .max_states = 10 * MILLION },
	  true },
	{ { .name = "larger budgets, longer periods",
	    .nr_servers = 2,
	    .servers = { FRAMES(2, 8, 2, 2), STRANGER(3, 14) },
	    .bounds_of_strangers = 3,
	    .max_states = 20 * MILLION },
	  false },
	{ { .name = "larger budgets, shorter periods",
	    .nr_servers = 2,
	    .servers = { FRAMES(3, 14, 3, 2), STRANGER(2, 8) },
	    .bounds_of_strangers = 3,
	    .max_states = 20 * MILLION },
	  false },
	{ { .name = "frames of two jobs that wait, up to five in the ring",
	    .nr_servers = 2,
	    .servers = { WAITS(3, 9, 2, 2), STRANGER(1, 7) },
	    .bounds_of_strangers = 2,
	    .max_states = 20 * MILLION,
	    .ring = MODEL_RING },
	  false },
	{ { .name = "two jobs of a stranger wait, up to five in the ring",
	    .nr_servers = 2,
	    .servers = { FRAMES(1, 8, 1, 1), STRANGER(2, 10) },
	    .bounds_of_strangers = 2,
	    .max_states = 40 * MILLION,
	    .ring = MODEL_RING,
	    .waiting = 2 },
	  false },
	{ { .name = "three jobs each, up to five in the ring",
	    .nr_servers = 2,
	    .servers = { FRAMES(3, 12, 3, 3), STRANGER(1, 7) },
	    .bounds_of_strangers = 3,
	    .max_states = 60 * MILLION,
	    .ring = MODEL_RING,
	    .waiting = 3 },
	  false },
	{ { .name = "three reservations, two with frames of two jobs",
	    .nr_servers = 3,
	    .servers = { FRAMES(2, 10, 2, 2), FRAMES(2, 10, 2, 2), STRANGER(1, 6) },
	    .bounds_of_strangers = 3,
	    .max_states = 20 * MILLION },
	  false },
	{ { .name = "three reservations, frames that wait",
	    .nr_servers = 3,
	    .servers = { WAITS(2, 11, 1, 1), FRAMES(2, 11, 2, 1), STRANGER(1, 7) },
	    .bounds_of_strangers = 3,
	    .max_states = 100 * MILLION },
	  false },
	{ { .name = "three reservations, two of strangers",
	    .nr_servers = 3,
	    .servers = { FRAMES(1, 8, 1, 1), STRANGER(1, 7), STRANGER(1, 7) },
	    .bounds_of_strangers = 1,
	    .max_states = 100 * MILLION },
	  false },
};

static int passed, failed;

static void run(const struct search *search, const char *word, bool traces)
{
	struct model_result result;
	bool good;

	if (!strstr(search->model.name, word))
		return;
	model_search(&search->model, false, &result);
	good = result.late == search->late && (result.late || result.complete);
	printf("%s  %s: ", good ? "ok  " : "FAIL", search->model.name);
	if (result.late)
		printf("late after %d steps, %u states\n", result.steps, result.states);
	else
		printf("none late in %s%u states (B = %d)\n",
		       result.complete ? "all " : "the first ", result.states, result.blocking);
	if (result.late && (traces || !good))
		model_search(&search->model, true, &result);
	fflush(stdout);
	passed += good;
	failed += !good;
}

/* The most that two other queues get while a best-effort job waits. Lead and longest job: two units of 10 ms */
static void run_order(const char *word)
{
	static const struct {
		const char *name;
		int flags;
		/* What each of the others gets besides three leads; 0: there is no limit */
		int jobs;
	} orders[] = {
		{ "hints: a best-effort job waits for a limited time", 0, 2 },
		{ "hints count however far a queue is ahead", ORDER_HINTS_FOREVER, 0 },
		{ "an idle queue catches up with all that others had", ORDER_OWNS_PAST, 0 },
		{ "hints on new queues", ORDER_REOPEN, 3 },
		{ "a new queue begins with what the least served one had",
		  ORDER_REOPEN | ORDER_NEW_AS_SERVED, 0 },
	};
	uint32_t states;
	size_t n;

	for (n = 0; n < sizeof(orders) / sizeof(*orders); n++) {
		bool good;
		long most;

		if (!strstr(orders[n].name, word))
			continue;
		most = order_search(orders[n].flags, 2, 2, &states);
		/*
		 * Each of the others gets three leads and two jobs at most: it may begin a lead behind, when the
		 * waiting queue is a lead and a job ahead. Its hints count until it is ahead of that by a lead,
		 * and its last job begins before. A new queue in its place, before the others have come up to the
		 * waiting one, gets one more job.
		 */
		good = orders[n].jobs ? most == 2 * (3 * 2 + orders[n].jobs * 2) : most == LONG_MAX;
		printf("%s  %s: ", good ? "ok  " : "FAIL", orders[n].name);
		if (most == LONG_MAX)
			printf("no limit, %u states\n", states);
		else
			printf("at most %ld ms in all %u states\n", most * 10, states);
		fflush(stdout);
		passed += good;
		failed += !good;
	}
}

int main(int argc, char **argv)
{
	const char *word = "";
	bool large = false, traces = false;
	size_t n;
	int i;

	for (i = 1; i < argc; i++) {
		large |= !strcmp(argv[i], "--large");
		traces |= !strcmp(argv[i], "--traces");
		if (argv[i][0] != '-')
			word = argv[i];
	}
	for (n = 0; n < sizeof(searches) / sizeof(*searches); n++)
		run(&searches[n], word, traces);
	run_order(word);
	for (n = 0; large && n < sizeof(large_searches) / sizeof(*large_searches); n++)
		run(&large_searches[n], word, traces);
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
