// SPDX-License-Identifier: MIT
/*
 * A state is what each task's job does and since when, what runs on the GPU, and how much time can still
 * be lost. Within one moment any number of events happen in any order, so that a job can start
 * directly before one with an earlier deadline arrives.
 *
 * Of the definition of non-preemptive EDF (K. Jeffay, D. Stanat, C. Martel, RTSS 1991): whenever the GPU
 * is free and jobs wait, that with the earliest deadline starts, and runs until it ends.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/*
 * waits: a job of the task waits or runs. age: since that job arrived or, if none waits, since the last
 * one did, at most the period.
 */
struct task {
	int age;
	bool waits;
};

enum { IDLE = -1, BLOCKED = ORACLE_TASKS };

/* runs: number of the task whose job runs, IDLE, or BLOCKED. ran: since it started. lost: what is left. */
struct state {
	struct task tasks[ORACLE_TASKS];
	int runs, ran, lost;
};

/* The search of a set: states that were seen, and of these those to be continued */
struct search {
	const struct oracle_set *set;
	uint8_t *seen;
	uint32_t *open;
	uint32_t nr_open, size_open, nr_states;
	bool late;
};

static void *allocate(void *old, size_t size)
{
	void *memory = realloc(old, size);

	if (!memory) {
		fprintf(stderr, "oracle: no memory\n");
		exit(2);
	}
	return memory;
}

/* Longest time that one job occupies the GPU */
static int longest(const struct oracle_set *set)
{
	int i, most = set->blocking;

	for (i = 0; i < set->count; i++)
		most = set->budget[i] > most ? set->budget[i] : most;
	return most;
}

/* States as numbers: mixed radix */
static uint32_t number_of(const struct oracle_set *set, const struct state *s)
{
	uint32_t n = 0;
	int i;

	for (i = 0; i < set->count; i++)
		n = n * 2 * (set->period[i] + 1) + 2 * s->tasks[i].age + s->tasks[i].waits;
	n = n * (ORACLE_TASKS + 2) + s->runs + 1;
	n = n * (longest(set) + 1) + s->ran;
	return n * (set->lost + 1) + s->lost;
}

static struct state state_of(const struct oracle_set *set, uint32_t n)
{
	struct state s = { 0 };
	int i;

	s.lost = n % (set->lost + 1);
	n /= set->lost + 1;
	s.ran = n % (longest(set) + 1);
	n /= longest(set) + 1;
	s.runs = (int)(n % (ORACLE_TASKS + 2)) - 1;
	n /= ORACLE_TASKS + 2;
	for (i = set->count - 1; i >= 0; i--) {
		uint32_t part = n % (2 * (set->period[i] + 1));

		s.tasks[i] = (struct task){ part / 2, part % 2 };
		n /= 2 * (set->period[i] + 1);
	}
	return s;
}

static uint64_t states_of(const struct oracle_set *set)
{
	uint64_t n = (uint64_t)(ORACLE_TASKS + 2) * (longest(set) + 1) * (set->lost + 1);
	int i;

	for (i = 0; i < set->count; i++)
		n *= 2 * (set->period[i] + 1);
	return n;
}

static bool any_waits(const struct oracle_set *set, const struct state *s)
{
	int i;

	for (i = 0; i < set->count; i++)
		if (s->tasks[i].waits)
			return true;
	return false;
}

/* In a state without jobs all time that can be lost is there again. */
static void visit(struct search *search, struct state s)
{
	uint32_t n;

	if (!any_waits(search->set, &s))
		s.lost = search->set->lost;
	n = number_of(search->set, &s);
	if (search->seen[n / 8] & 1 << n % 8)
		return;
	search->seen[n / 8] |= 1 << n % 8;
	search->nr_states++;
	if (search->nr_open == search->size_open) {
		search->size_open = search->size_open ? 2 * search->size_open : 1024;
		search->open = allocate(search->open, search->size_open * sizeof(*search->open));
	}
	search->open[search->nr_open++] = n;
}

static int time_left(const struct oracle_set *set, const struct state *s, int i)
{
	return set->period[i] - s->tasks[i].age;
}

/* Jobs arrive: one of each task that had none for a period. */
static void arrivals(struct search *search, const struct state *s)
{
	int i;

	for (i = 0; i < search->set->count; i++) {
		struct state next = *s;

		if (s->tasks[i].waits || s->tasks[i].age < search->set->period[i])
			continue;
		next.tasks[i] = (struct task){ 0, true };
		visit(search, next);
	}
}

/* The GPU is free: a job starts. Of those with the same deadline any does. */
static void starts(struct search *search, const struct state *s)
{
	const struct oracle_set *set = search->set;
	struct state next = *s;
	int i, earliest = -1;

	if (!any_waits(set, s) && set->blocking) {
		next.runs = BLOCKED;
		visit(search, next);
	}
	for (i = 0; i < set->count; i++)
		if (s->tasks[i].waits && (earliest < 0 || time_left(set, s, i) < earliest))
			earliest = time_left(set, s, i);
	for (i = 0; i < set->count; i++) {
		if (!s->tasks[i].waits || time_left(set, s, i) != earliest)
			continue;
		next.runs = i;
		visit(search, next);
	}
}

/* The job that runs ends: it may have any length. */
static void ends(struct search *search, const struct state *s)
{
	struct state next = *s;

	if (!s->ran)
		return;
	if (s->runs != BLOCKED)
		next.tasks[s->runs].waits = false;
	next.runs = IDLE;
	next.ran = 0;
	visit(search, next);
}

/* A unit of time passes: the job runs, the GPU has nothing to do, or the time is lost. */
static void passes(struct search *search, const struct state *s)
{
	const struct oracle_set *set = search->set;
	struct state next = *s;
	int i;

	if (s->runs != IDLE) {
		if (s->ran == (s->runs == BLOCKED ? set->blocking : set->budget[s->runs]))
			return;
		next.ran++;
	} else if (any_waits(set, s)) {
		if (!s->lost)
			return;
		next.lost--;
	}
	for (i = 0; i < set->count; i++) {
		if (s->tasks[i].waits && s->tasks[i].age == set->period[i]) {
			search->late = true;
			return;
		}
		next.tasks[i].age += s->tasks[i].age < set->period[i];
	}
	visit(search, next);
}

bool oracle_breaks(const struct oracle_set *set, uint32_t *states)
{
	struct search search = { .set = set };
	struct state first = { .runs = IDLE, .lost = set->lost };
	uint64_t bytes = states_of(set) / 8 + 1;
	int i;

	search.seen = allocate(NULL, bytes);
	memset(search.seen, 0, bytes);
	for (i = 0; i < set->count; i++)
		first.tasks[i].age = set->period[i];
	visit(&search, first);
	while (search.nr_open && !search.late) {
		struct state s = state_of(set, search.open[--search.nr_open]);

		arrivals(&search, &s);
		if (s.runs == IDLE)
			starts(&search, &s);
		else
			ends(&search, &s);
		passes(&search, &s);
	}
	if (states)
		*states = search.nr_states;
	free(search.seen);
	free(search.open);
	return search.late;
}
