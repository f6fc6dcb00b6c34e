// SPDX-License-Identifier: MIT
/*
 * The model of the deadline rules as a program:
 *
 *	model [--large] [--traces]
 *
 * Searches all states of small sets of clients: by the rules no frame is late, and by earlier rules, or
 * without what the rules need, one is. --large has three reservations and more; --traces prints the
 * shortest trace to each late frame. The trace of one that is not expected is always printed.
 */

#include <stdio.h>
#include <string.h>

#include "model.h"

#define MILLION 1000000u

/* A set, and whether a frame is late */
struct search {
	struct model model;
	bool late;
};

/* Budget and period, length of a frame, jobs in a frame; a frame of 0 is a client that may do anything. */
#define FRAMES(q, t, length, jobs) { q, t, length, jobs, false }
#define WAITS(q, t, length, jobs) { q, t, length, jobs, true }
#define STRANGER(q, t) { q, t, 0, 0, false }

static const struct search searches[] = {
	{ { "frames beside shorter periods",
	    0,
	    2,
	    { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    3,
	    4 * MILLION },
	  false },
	{ { "frames beside longer periods",
	    0,
	    2,
	    { FRAMES(1, 6, 1, 1), STRANGER(2, 9) },
	    3,
	    4 * MILLION },
	  false },
	{ { "frames beside nearly equal periods",
	    0,
	    2,
	    { FRAMES(2, 8, 2, 2), STRANGER(2, 10) },
	    2,
	    4 * MILLION },
	  false },
	{ { "frames that wait for best-effort jobs",
	    0,
	    2,
	    { WAITS(2, 9, 1, 1), STRANGER(1, 6) },
	    2,
	    4 * MILLION },
	  false },
	{ { "frames of two jobs that wait for best-effort jobs",
	    0,
	    2,
	    { WAITS(3, 9, 2, 2), STRANGER(1, 7) },
	    2,
	    8 * MILLION },
	  false },
	{ { "no job is ended, but all keep their bounds",
	    MODEL_NO_ENDING | MODEL_MEASURED,
	    2,
	    { FRAMES(2, 9, 2, 2), FRAMES(1, 6, 1, 1) },
	    3,
	    MILLION },
	  false },

	{ { "T-D1: lengths are learnt for each queue",
	    MODEL_NO_ENDING | MODEL_FRESH_QUEUES,
	    2,
	    { FRAMES(2, 9, 2, 2), FRAMES(1, 6, 1, 1) },
	    3,
	    MILLION },
	  true },
	{ { "T-D2: costs lower what was measured",
	    MODEL_NO_ENDING | MODEL_LOW_COSTS,
	    2,
	    { FRAMES(2, 9, 2, 2), FRAMES(1, 6, 1, 1) },
	    3,
	    MILLION },
	  true },
	{ { "T-D3: a server owns the time in which it was held back",
	    MODEL_OWNS_PAST,
	    2,
	    { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    3,
	    4 * MILLION },
	  true },
	{ { "T-D4: leaving frees a reservation at once",
	    MODEL_FREE_AT_ONCE,
	    3,
	    { FRAMES(2, 10, 2, 1), FRAMES(2, 10, 2, 1), STRANGER(1, 6) },
	    2,
	    6 * MILLION },
	  true },
	{ { "T-D5: donation without a limit",
	    MODEL_DONATE_ALL | MODEL_CHARGE_ALL,
	    1,
	    { WAITS(2, 9, 1, 1) },
	    2,
	    4 * MILLION },
	  true },

	{ { "rule 4: a best-effort job behind a server's job",
	    MODEL_BEHIND_SERVERS,
	    2,
	    { FRAMES(2, 8, 2, 2), STRANGER(2, 10) },
	    2,
	    4 * MILLION },
	  true },
	{ { "rule 5: no room for recoveries that begin late",
	    MODEL_NO_ROOM,
	    2,
	    { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    2,
	    4 * MILLION },
	  true },
	{ { "rule 5: a job above its budget is ended with it",
	    MODEL_LONG_AS_SERVER,
	    2,
	    { FRAMES(2, 8, 2, 2), STRANGER(2, 9) },
	    3,
	    4 * MILLION },
	  true },
	{ { "rule 5: each job in the ring may use a budget",
	    MODEL_BUDGET_EACH,
	    2,
	    { FRAMES(2, 8, 2, 2), STRANGER(3, 14) },
	    3,
	    4 * MILLION },
	  true },
	{ { "rule 7: a donation leaves the longest job of a frame of two",
	    MODEL_LEAVES_JOB,
	    2,
	    { WAITS(3, 9, 2, 2), STRANGER(1, 7) },
	    2,
	    4 * MILLION },
	  true },
	{ { "rule 7: a refused donation wakes the server up",
	    MODEL_REFUSED_WAKES,
	    1,
	    { WAITS(3, 9, 2, 1) },
	    2,
	    4 * MILLION },
	  true },
	{ { "not promised: two recoveries in a busy time",
	    MODEL_RECOVERIES,
	    2,
	    { FRAMES(2, 9, 2, 2), STRANGER(1, 6) },
	    2,
	    4 * MILLION },
	  true },
	{ { "not promised: bounds of a frame's jobs above the budget",
	    MODEL_LOOSE_BOUNDS,
	    1,
	    { FRAMES(3, 14, 3, 2) },
	    2,
	    4 * MILLION },
	  true },
};

static const struct search large_searches[] = {
	{ { "rule 2: a whole budget at an early wake-up",
	    MODEL_REFILL,
	    3,
	    { FRAMES(2, 10, 2, 1), FRAMES(2, 10, 2, 1), STRANGER(1, 6) },
	    2,
	    10 * MILLION },
	  true },
	{ { "larger budgets, longer periods",
	    0,
	    2,
	    { FRAMES(2, 8, 2, 2), STRANGER(3, 14) },
	    3,
	    20 * MILLION },
	  false },
	{ { "larger budgets, shorter periods",
	    0,
	    2,
	    { FRAMES(3, 14, 3, 2), STRANGER(2, 8) },
	    3,
	    20 * MILLION },
	  false },
	{ { "three reservations, two with frames of two jobs",
	    0,
	    3,
	    { FRAMES(2, 10, 2, 2), FRAMES(2, 10, 2, 2), STRANGER(1, 6) },
	    3,
	    20 * MILLION },
	  false },
	{ { "three reservations, frames that wait",
	    0,
	    3,
	    { WAITS(2, 11, 1, 1), FRAMES(2, 11, 2, 1), STRANGER(1, 7) },
	    3,
	    200 * MILLION },
	  false },
	{ { "three reservations, two of strangers",
	    0,
	    3,
	    { FRAMES(1, 8, 1, 1), STRANGER(1, 7), STRANGER(1, 7) },
	    1,
	    200 * MILLION },
	  false },
};

static int passed, failed;

static void run(const struct search *search, bool traces)
{
	struct model_result result;
	bool good;

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

int main(int argc, char **argv)
{
	bool large = false, traces = false;
	size_t n;
	int i;

	for (i = 1; i < argc; i++) {
		large |= !strcmp(argv[i], "--large");
		traces |= !strcmp(argv[i], "--traces");
	}
	for (n = 0; n < sizeof(searches) / sizeof(*searches); n++)
		run(&searches[n], traces);
	for (n = 0; large && n < sizeof(large_searches) / sizeof(*large_searches); n++)
		run(&large_searches[n], traces);
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed > 0;
}
