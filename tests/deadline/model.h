/* SPDX-License-Identifier: MIT */
/*
 * The rules of Documentation/gpu/deadlines.rst as a state machine over small integer times, written from
 * that document and sharing nothing with the driver, and an exhaustive search of its states.
 */

#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MODEL_SERVERS 3
#define MODEL_WAITING 8
/* As many as there can be if each takes a unit at least: the fifth behind four that take less than 2 ms */
#define MODEL_RING 5
#define MODEL_FRAME_JOBS 3

/* What a model does other than the rules: earlier rules, other readings, and what is not promised. */
enum model_flags {
	MODEL_NO_ENDING = 1 << 0, /* rule 5 is missing */
	MODEL_FRESH_QUEUES =
		1 << 1, /* lengths are learnt for each queue; a new one is assumed short */
	MODEL_LOW_COSTS = 1 << 2,    /* costs lower what was measured */
	MODEL_MEASURED = 1 << 3,     /* best-effort jobs are at most as long as their bound */
	MODEL_OWNS_PAST = 1 << 4,    /* rule 3 is missing */
	MODEL_FREE_AT_ONCE = 1 << 5, /* rule 6 is missing */
	MODEL_DONATE_ALL = 1 << 6,   /* rule 7 without a limit */
	MODEL_CHARGE_ALL = 1 << 7,   /* a donated job is charged for more than its bound */
	MODEL_REFILL = 1 << 8, /* rule 2 gives a whole budget to a queue that wakes up early */
	MODEL_LONG_AS_SERVER = 1 << 9,  /* a job above its budget is ended as servers' jobs are */
	MODEL_BEHIND_SERVERS = 1 << 10, /* best-effort jobs enter the ring behind servers' jobs */
	MODEL_REFUSED_WAKES = 1 << 11,  /* rule 2 applies to a donation that rule 7 refuses */
	MODEL_NO_ROOM = 1 << 12, /* rule 5 with B + O / 2 and R + O / 2 instead of B and R + O */
	MODEL_RECOVERIES =
		1 << 13, /* more recoveries of reserved jobs in a busy time than promised */
	MODEL_LOOSE_BOUNDS = 1 << 14, /* frames keep the budget, the bounds of their jobs do not */
	MODEL_BUDGET_EACH = 1 << 15,  /* each of a server's jobs in the ring may use a budget */
	MODEL_LEAVES_JOB = 1 << 16, /* rule 7 leaves the longest job instead of the longest frame */
};

/**
 * struct model_server - a reservation, and the client that has it
 * @budget: Q
 * @period: T
 * @frame: GPU time of a frame; 0 for a client that submits what it likes, leaves and comes back
 * @jobs: most jobs in a frame, up to MODEL_FRAME_JOBS
 * @donates: frames wait for best-effort jobs
 */
struct model_server {
	int budget, period, frame, jobs;
	bool donates;
};

/**
 * struct model - parameters; times in units of O / 2
 * @name: of the set or variant
 * @flags: enum model_flags
 * @servers: reservations, of which the first @nr_servers count
 * @bounds_of_strangers: the client without frames has bounds {1, Q} for 2, also 2 Q for 3
 * @max_states: the search ends after as many
 * @ring: most jobs in the ring; 0: two
 * @waiting: most jobs of a client without frames that wait; 0: one
 */
struct model {
	const char *name;
	int flags;
	int nr_servers;
	struct model_server servers[MODEL_SERVERS];
	int bounds_of_strangers;
	uint32_t max_states;
	int ring, waiting;
};

/**
 * struct model_result - what a search found
 * @states: number of states
 * @late: a frame that keeps its budget was late
 * @complete: all states were visited
 * @steps: of the shortest trace to a late frame
 * @blocking: B of the set
 */
struct model_result {
	uint32_t states;
	bool late, complete;
	int steps, blocking;
};

/**
 * model_search() - Visits all states of a model, breadth first.
 * @model: the parameters
 * @trace: whether the shortest trace to a late frame is printed
 * @result: what was found
 *
 * Ends at the first late frame. Exits if there is no memory or the set is not admitted.
 */
void model_search(const struct model *model, bool trace, struct model_result *result);

/* What the rules say of a decision; by the slack of the servers something may decide more strictly. */
enum model_verdict { MODEL_REFUSED, MODEL_BY_SLACK, MODEL_PERMITTED };

/**
 * struct model_job - a job that enters the ring, or is there
 * @owner: number of the server that pays, or -1
 * @bound: its bound
 * @deadline: of the server, from now
 * @left: of the server's budget
 * @donated: another client's job, which a frame of the server waits for
 * @above_budget: longer than the budget
 */
struct model_job {
	int owner, bound, deadline, left;
	bool donated, above_budget;
};

enum model_event_kind {
	MODEL_TIME_PASSES,
	MODEL_JOB_ENDS,
	MODEL_SUBMITS,
	MODEL_WAITS,
	MODEL_BEST_EFFORT,
	MODEL_BEST_EFFORT_FORCED,
	MODEL_LONG_FORCED,
	MODEL_ENDED,
	MODEL_LEAVES,
	MODEL_REJOINS,
};

/**
 * struct model_event - an event of a walk
 * @kind: what happens
 * @server: of which server
 * @jobs: number of jobs that are submitted
 * @bounds: of these
 * @free_after: when the reservation that is left is free for others
 */
struct model_event {
	enum model_event_kind kind;
	int server, jobs, bounds[MODEL_FRAME_JOBS], free_after;
};

/**
 * struct model_state - what is compared after each event
 * @in_ring: number of jobs in the ring
 * @ring: these
 * @waiting: number of jobs of each server that are not in the ring
 */
struct model_state {
	int in_ring;
	struct model_job ring[MODEL_RING];
	int waiting[MODEL_SERVERS];
};

/**
 * struct model_follower - something else that goes a walk of the model
 * @begin: a walk begins, with B and the horizon of the set
 * @event: an event happens
 * @enters: a job comes first; returns whether it enters the ring
 * @ends: returns whether the head of the ring is ended now
 * @settled: no further job enters the ring
 * @trace: the walk is written to it, or NULL
 * @over: set by the follower: the walk ends
 * @diverged: set by the follower: it does not do the same
 * @late: out: a frame was late
 */
struct model_follower {
	void (*begin)(struct model_follower *f, const struct model *model, int blocking,
		      int horizon);
	void (*event)(struct model_follower *f, const struct model_event *event);
	bool (*enters)(struct model_follower *f, const struct model_job *job,
		       enum model_verdict verdict);
	bool (*ends)(struct model_follower *f, enum model_verdict verdict);
	void (*settled)(struct model_follower *f, const struct model_state *state);
	FILE *trace;
	bool over, diverged, late;
};

/**
 * model_walk() - Goes a random way through the states of a model.
 * @model: the parameters
 * @follower: decides where the rules leave a choice, and compares
 * @random: state of the generator of events
 * @steps: most events
 *
 * Returns false if the follower diverged.
 */
bool model_walk(const struct model *model, struct model_follower *follower, uint64_t *random,
		int steps);

#endif
