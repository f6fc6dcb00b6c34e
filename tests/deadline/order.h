/* SPDX-License-Identifier: MIT */
/*
 * The order of best-effort jobs by the rules of Documentation/gpu/deadlines.rst: priorities, hints, and GPU
 * time that queues had. Written from that document, shares nothing with the driver.
 */

#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define ORDER_QUEUES 4

/* What is other than the rules, or not promised. */
enum order_flags {
	ORDER_HINTS_FOREVER = 1 << 0, /* hints of a queue that is ahead of the others count */
	ORDER_OWNS_PAST = 1 << 1, /* a queue that was idle catches up with all that others had */
	ORDER_REOPEN = 1 << 2,    /* not a rule: other clients open new queues for jobs */
	ORDER_NEW_AS_SERVED = 1 << 3, /* a new queue begins with what the least served one had */
};

/**
 * struct order_queue - a queue
 * @priority: the higher first
 * @jobs: how many of its jobs wait
 * @used: GPU time that it had, in any unit
 * @hint: earliest hint of its jobs that wait, 0 if they have none
 * @since: number of the event at which its first job came
 */
struct order_queue {
	int priority, jobs;
	long used, hint, since;
};

/**
 * struct order - all queues
 * @lead: by so much a queue may be ahead of the others, and fall behind them while it is idle
 * @flags: enum order_flags
 * @queues: these
 * @served: for each priority the least that a queue which waits had; never decreases
 */
struct order {
	long lead;
	int flags;
	struct order_queue queues[ORDER_QUEUES];
	long served[ORDER_QUEUES];
};

/* A queue that was idle, or is new, gets a job. */
void order_begins(struct order *o, int queue, bool is_new);
/* Updates @served. */
void order_serve(struct order *o);
/* Whether the first job of a queue comes before that of another, if neither is older. */
bool order_precedes(const struct order *o, const struct order_queue *a,
		    const struct order_queue *b);
/* The queue whose job comes first, or -1; of equal ones the older. */
int order_first(const struct order *o);

/**
 * order_search() - Visits all states of three queues of one priority.
 * @flags: enum order_flags
 * @lead: in units
 * @longest: length of the longest job, in units
 * @states: out: number of states
 *
 * Jobs have any length up to the longest, and one of two hints or none.
 *
 * Returns the most GPU time that the others have while a job waits; LONG_MAX if there is no limit.
 */
long order_search(int flags, int lead, int longest, uint32_t *states);

#endif
