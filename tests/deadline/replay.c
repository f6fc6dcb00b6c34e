// SPDX-License-Identifier: MIT
/*
 * The driver's arbiter goes the same way as the model of the rules, event by event, and has to make the
 * same decisions. A unit of the model is 0.5 ms. What the model leaves out, or knows only as a choice:
 *
 * - Overhead of jobs: 0 here.
 * - Fairness and hints (replay_order.c): the model decides which best-effort job comes, and when.
 *   The arbiter sees it at that moment only, in a queue that has learnt its bound, and it is taken
 *   away if it is held back.
 * - A job that was held back for a second: it is marked as such.
 * - What is learnt of a server's jobs: they claim their bounds.
 * - Slack: the arbiter's is an estimate from below. Where the model permits something by slack only,
 *   the arbiter may refuse it, and the model follows.
 * - Equal deadlines: the list of waiting jobs is in the model's order, and not in that of arrivals.
 * - "Longer than" is "at least one ns longer than": whether a job has to end is asked 2 ns later as well.
 * - A recovery takes all that is tolerated of overruns in the arbiter, and nothing in the model: it is
 *   given back.
 * - The admission test after a queue has left: B stays what it is for the whole set.
 *
 * Where the arbiter has states that the model does not have, a walk ends at the first decision that
 * differs, and is counted as cut: while a job above its budget waits, which the arbiter treats as one of a
 * server as long as it is harmless; after a deadline was postponed for a job behind another one of its
 * server; after a job whose queue has left, or that was forced, ran. While a reservation is given back, the
 * model keeps room for it, and the arbiter does not.
 */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <linux/minmax.h>

#include "replay.h"
#include "taskset.h"
#include "vivgpu_arbiter.h"

#define UNIT_NS (MS / 2)
/*
 * Jobs at once, of which MODEL_WAITING wait for each server, MODEL_RING are in the ring and one is
 * offered, and queues of a walk, of which each event begins one at most. Neither limit is tested.
 */
#define JOBS 32
#define QUEUES 256
/* Not 0, since jobs are marked as held back since a time before the walk. */
#define BEGIN_NS (10000 * MS)
/* Events of a walk */
#define STEPS 150

/**
 * struct replay_job - a job
 * @arbiter: what the arbiter knows
 * @own: its queue, if it is not a server's
 * @owner: server whose queue it is in or that it is donated to, or -1
 * @used: this entry is in use
 */
struct replay_job {
	struct vivgpu_arbiter_job arbiter;
	struct vivgpu_arbiter_queue own;
	int owner;
	bool used;
};

/**
 * struct replay - the arbiter on its way with the model
 * @follower: what the model calls
 * @model: the set
 * @arbiter: the arbiter
 * @queues: of the servers; one that comes back has a new queue
 * @memory: of all queues with a reservation
 * @nr_queues: of these
 * @waiting: jobs outside of the ring
 * @ring: jobs in the ring
 * @in_ring: how many
 * @jobs: memory
 * @offered: the best-effort job that may start now
 * @apart: the arbiter was in a state that the model does not have
 * @now_ns: the time
 * @started_ns: when the head of the ring started
 * @down_until_ns: end of a recovery
 * @totals: what was counted
 */
struct replay {
	struct model_follower follower;
	const struct model *model;
	struct vivgpu_arbiter arbiter;
	struct vivgpu_arbiter_queue *queues[MODEL_SERVERS];
	struct vivgpu_arbiter_queue memory[QUEUES];
	int nr_queues;
	struct list_head waiting;
	struct replay_job *ring[MODEL_RING];
	int in_ring;
	struct replay_job jobs[JOBS];
	struct replay_job *offered;
	bool apart;
	u64 now_ns;
	u64 started_ns;
	u64 down_until_ns;
	struct replay_totals *totals;
};

static struct replay *to_replay(struct model_follower *f)
{
	return container_of(f, struct replay, follower);
}

static struct replay_job *to_job(struct vivgpu_arbiter_job *job)
{
	return container_of(job, struct replay_job, arbiter);
}

static void diverge(struct replay *r, const char *format, ...)
{
	va_list arguments;

	if (r->follower.trace) {
		va_start(arguments, format);
		fprintf(r->follower.trace, "    arbiter: ");
		vfprintf(r->follower.trace, format, arguments);
		fprintf(r->follower.trace, "\n");
		va_end(arguments);
	}
	r->follower.diverged = true;
	r->follower.over = true;
}

/* A queue is without its reservation: the arbiter forgets what it may demand if it comes back. */
static bool has_absent(const struct replay *r)
{
	return (int)r->arbiter.nr_servers < r->model->nr_servers;
}

static bool is_donated(const struct replay_job *job)
{
	return job->arbiter.donor;
}

static bool is_long(const struct replay *r, const struct replay_job *job)
{
	return job->owner >= 0 && !is_donated(job) &&
	       vivgpu_arbiter_bound(&r->arbiter, &job->arbiter) >
		       r->queues[job->owner]->server.reservation.budget_ns;
}

/* A job above its budget waits, which the arbiter treats as one of a server if it is harmless. */
static bool has_long(const struct replay *r)
{
	struct vivgpu_arbiter_job *job;

	list_for_each_entry(job, &r->waiting, link) {
		if (is_long(r, to_job(job)))
			return true;
	}
	return false;
}

/*
 * States that the model does not have: a deadline that was postponed for the sake of a job behind one of
 * the same server in the ring, and a job in the ring whose queue has left, which stays a server's job.
 */
static void note_apart(struct replay *r)
{
	int i;

	for (i = 0; i < r->in_ring; i++) {
		const struct vivgpu_arbiter_job *job = &r->ring[i]->arbiter;

		if (job->payer &&
		    (r->ring[i]->owner < 0 || job->payer->deadline_ns != job->promised_ns))
			r->apart = true;
	}
}

/* Another decision than the model's: the walk ends, without blame if the model has no such state. */
static void decide_otherwise(struct replay *r, const char *what)
{
	if (r->apart || has_long(r)) {
		r->totals->cut++;
		r->follower.over = true;
	} else if (has_absent(r)) {
		r->totals->absent++;
		r->follower.over = true;
	} else {
		diverge(r, "%s", what);
	}
}

/* --- Jobs ---------------------------------------------------------------- */

static struct replay_job *new_job(struct replay *r, int owner, int bound)
{
	struct replay_job *job = r->jobs;

	while (job->used)
		job++;
	memset(job, 0, sizeof(*job));
	job->used = true;
	job->owner = owner;
	job->arbiter.cost_ns = bound * UNIT_NS;
	return job;
}

/* A job of a queue of its own, whose bound was learnt */
static struct replay_job *best_effort_job(struct replay *r, int owner, int bound)
{
	struct replay_job *job = new_job(r, owner, bound);

	vivgpu_arbiter_init_queue(&job->own, 1);
	vivgpu_lengths_learn(&job->own.lengths, 0, bound * UNIT_NS);
	job->arbiter.cost_ns = 0;
	job->arbiter.queue = &job->own;
	return job;
}

/*
 * Put a job into the list: servers in the reverse order of their numbers, best-effort jobs last. Behind
 * the others of its queue or, if it was in the ring, before them.
 */
static void wait(struct replay *r, struct replay_job *job, bool again)
{
	struct list_head *at = r->waiting.next;

	while (at != &r->waiting) {
		int owner = to_job(container_of(at, struct vivgpu_arbiter_job, link))->owner;

		if (owner < job->owner || (again && owner == job->owner))
			break;
		at = at->next;
	}
	list_add_tail(&job->arbiter.link, at);
}

static void forget(struct replay_job *job)
{
	list_del_init(&job->arbiter.link);
	vivgpu_arbiter_drop(&job->arbiter);
	job->used = false;
}

/* --- What the arbiter does ----------------------------------------------- */

/*
 * The job that the arbiter lets in, or NULL. A donated job that does not run on the budget is a
 * best-effort job from then on, which the model does not see any more. The arbiter is asked again
 * for each job in the list, because what it finds may depend on one that was forgotten.
 */
static struct replay_job *pick(struct replay *r)
{
	struct vivgpu_arbiter_job *first;
	struct list_head *at;

	for (at = r->waiting.next; at != &r->waiting;) {
		struct replay_job *job = to_job(container_of(at, struct vivgpu_arbiter_job, link));

		at = at->next;
		vivgpu_arbiter_select(&r->arbiter, &r->waiting, r->now_ns);
		note_apart(r);
		if (is_donated(job) && job->own.selection == r->arbiter.selection &&
		    !job->own.payer)
			forget(job);
	}
	first = vivgpu_arbiter_select(&r->arbiter, &r->waiting, r->now_ns);
	return first && r->now_ns >= r->down_until_ns ? to_job(first) : NULL;
}

static void start(struct replay *r, struct replay_job *job)
{
	list_del_init(&job->arbiter.link);
	vivgpu_arbiter_start(&r->arbiter, &job->arbiter, r->now_ns);
	if (!r->in_ring)
		r->started_ns = r->now_ns;
	r->ring[r->in_ring++] = job;
}

static void leave_ring(struct replay *r)
{
	r->in_ring--;
	memmove(r->ring, r->ring + 1, r->in_ring * sizeof(r->ring[0]));
}

static void end_head(struct replay *r, bool guilty)
{
	struct replay_job *job = r->ring[0];

	/* What a forced job takes beyond its bound is an overrun for the arbiter. */
	r->apart |= job->arbiter.forced && job->arbiter.payer &&
		    r->now_ns - r->started_ns > job->arbiter.bound_ns;
	leave_ring(r);
	job->arbiter.guilty = guilty;
	vivgpu_arbiter_finish(&r->arbiter, &job->arbiter, r->started_ns, r->now_ns);
	r->started_ns = r->now_ns;
	job->used = false;
}

static void recover(struct replay *r)
{
	bool guilty = vivgpu_arbiter_is_over(&r->arbiter, r->now_ns + 1);
	u64 tolerated_ns;

	if (guilty)
		end_head(r, true);
	tolerated_ns = r->arbiter.tolerated_ns;
	vivgpu_arbiter_requeue(&r->arbiter);
	r->arbiter.tolerated_ns = tolerated_ns;
	while (r->in_ring) {
		struct replay_job *job = r->ring[--r->in_ring];

		if (job->owner >= 0) {
			wait(r, job, true);
		} else {
			vivgpu_arbiter_drop(&job->arbiter);
			job->used = false;
		}
	}
	r->down_until_ns = r->now_ns + r->arbiter.policy.admission.recovery_ns;
}

/* --- Events -------------------------------------------------------------- */

static void submit(struct replay *r, const struct model_event *event)
{
	struct vivgpu_arbiter_queue *queue = r->queues[event->server];
	int i;

	for (i = 0; i < event->jobs; i++) {
		struct replay_job *job = new_job(r, event->server, event->bounds[i]);

		job->arbiter.queue = queue;
		/* A claim alone does not make a job longer than the budget. */
		if (event->bounds[i] * UNIT_NS > queue->server.reservation.budget_ns)
			vivgpu_lengths_learn(&queue->lengths, 0, event->bounds[i] * UNIT_NS);
		vivgpu_arbiter_arrive(&r->arbiter, &job->arbiter, r->now_ns);
		wait(r, job, false);
	}
}

/* A frame of a server waits for a job of another client. */
static void submit_donated(struct replay *r, const struct model_event *event)
{
	struct replay_job *job = best_effort_job(r, event->server, event->bounds[0]);

	vivgpu_arbiter_arrive(&r->arbiter, &job->arbiter, r->now_ns);
	job->arbiter.donor = r->queues[event->server];
	wait(r, job, false);
}

static void offer(struct replay *r, int bound, bool forced)
{
	struct replay_job *job = best_effort_job(r, -1, bound);

	vivgpu_arbiter_arrive(&r->arbiter, &job->arbiter, r->now_ns);
	if (forced)
		job->arbiter.held_back_ns = r->now_ns - 2 * r->arbiter.policy.hold_ns;
	wait(r, job, false);
	r->offered = job;
}

/*
 * The first job of a server, which is longer than the budget, was held back for a second. The model
 * has it, so it is in the list.
 */
static void force_long(struct replay *r, int server)
{
	struct vivgpu_arbiter_job *job;
	struct replay_job *picked;

	list_for_each_entry(job, &r->waiting, link) {
		if (to_job(job)->owner == server)
			break;
	}
	job->held_back_ns = r->now_ns - 2 * r->arbiter.policy.hold_ns;
	picked = pick(r);
	if (picked != to_job(job))
		diverge(r, "a job that was held back is not forced");
	else
		start(r, picked);
}

static void leave(struct replay *r, const struct model_event *event)
{
	u64 free_ns = 0;
	struct list_head *at = r->waiting.next;
	u32 i;

	while (at != &r->waiting) {
		struct replay_job *job = to_job(container_of(at, struct vivgpu_arbiter_job, link));

		at = at->next;
		if (job->owner == event->server)
			forget(job);
	}
	vivgpu_arbiter_leave(&r->arbiter, r->queues[event->server], r->now_ns);
	for (i = 0; i < r->arbiter.nr_leaving; i++)
		free_ns = max(free_ns, r->arbiter.leaving[i].free_ns);
	for (i = 0; i < (u32)r->in_ring; i++)
		if (r->ring[i]->owner == event->server)
			r->ring[i]->owner = -1;
	/* For the arbiter a budget counts as used even if no job took a part of it. */
	if (free_ns > r->now_ns + event->free_after * UNIT_NS) {
		r->totals->stricter++;
		r->arbiter.nr_leaving = 0;
	}
	if (free_ns < r->now_ns + event->free_after * UNIT_NS && event->free_after)
		diverge(r, "the reservation is free at %lld, and not after %d",
			(s64)(free_ns - BEGIN_NS) / (s64)UNIT_NS, event->free_after);
}

static void reserve(struct replay *r, int server)
{
	const struct model_server *of = &r->model->servers[server];
	struct vivgpu_reservation reservation = { of->budget * UNIT_NS, of->period * UNIT_NS };
	struct vivgpu_admission result;

	r->queues[server] = &r->memory[r->nr_queues++];
	vivgpu_arbiter_init_queue(r->queues[server], 1);
	if (vivgpu_arbiter_check(&r->arbiter, &reservation, r->now_ns, &result) != VIVGPU_ADMITTED)
		diverge(r, "the reservation of client %d is refused", server);
	/* B and the horizon are those of the whole set. */
	if (r->now_ns > BEGIN_NS)
		result = r->arbiter.admitted;
	vivgpu_arbiter_admit(&r->arbiter, r->queues[server], &reservation, &result);
	/* B was that of the whole set all the time, so nothing longer is on its way. */
	r->queues[server]->server.start_ns = 0;
	if (of->frame) {
		vivgpu_lengths_learn(&r->queues[server]->lengths, 0,
				     of->frame / of->jobs * UNIT_NS);
		vivgpu_lengths_learn_frame(&r->queues[server]->lengths, 0, of->frame * UNIT_NS);
	}
}

static void event(struct model_follower *f, const struct model_event *event)
{
	struct replay *r = to_replay(f);

	r->totals->steps++;
	switch (event->kind) {
	case MODEL_TIME_PASSES:
		r->now_ns += UNIT_NS;
		break;
	case MODEL_JOB_ENDS:
		end_head(r, false);
		break;
	case MODEL_SUBMITS:
		submit(r, event);
		break;
	case MODEL_WAITS:
		submit_donated(r, event);
		break;
	case MODEL_BEST_EFFORT:
	case MODEL_BEST_EFFORT_FORCED:
		offer(r, event->bounds[0], event->kind == MODEL_BEST_EFFORT_FORCED);
		break;
	case MODEL_LONG_FORCED:
		force_long(r, event->server);
		break;
	case MODEL_ENDED:
		recover(r);
		break;
	case MODEL_LEAVES:
		leave(r, event);
		break;
	case MODEL_REJOINS:
		reserve(r, event->server);
		break;
	}
}

/* --- Decisions ----------------------------------------------------------- */

/* Deadline and budget of the server that pays, and the bound */
static bool is_same(struct replay *r, const struct replay_job *job, const struct model_job *as)
{
	const struct vivgpu_server *server = job->arbiter.payer;

	if (job->arbiter.bound_ns != as->bound * UNIT_NS || job->owner != as->owner)
		return false;
	if (as->owner < 0)
		return true;
	return server && server->deadline_ns == r->now_ns + as->deadline * UNIT_NS &&
	       server->budget_ns == (s64)(as->left * UNIT_NS);
}

static void start_as(struct replay *r, struct replay_job *job, const struct model_job *as)
{
	start(r, job);
	if (!is_same(r, job, as))
		decide_otherwise(r, "a job enters with another deadline, budget or bound");
}

static bool is_the_same_job(const struct replay *r, const struct replay_job *job,
			    const struct model_job *as)
{
	if (as->owner < 0)
		return job == r->offered;
	return job->owner == as->owner && is_donated(job) == as->donated;
}

static bool enters(struct model_follower *f, const struct model_job *as, enum model_verdict verdict)
{
	struct replay *r = to_replay(f);
	struct replay_job *job;
	bool entered = false;

	if (f->over)
		return false;
	r->totals->decisions++;
	job = pick(r);
	if (job && !is_the_same_job(r, job, as)) {
		/* The model lets a job above its budget start by itself only if nothing else waits. */
		decide_otherwise(r, "another job comes first");
	} else if (job && verdict == MODEL_REFUSED) {
		decide_otherwise(r, "a job enters the ring, against the rules");
	} else if (job) {
		start_as(r, job, as);
		entered = true;
	} else if (verdict == MODEL_PERMITTED) {
		decide_otherwise(r, "a job does not enter the ring");
	} else if (verdict == MODEL_BY_SLACK) {
		r->totals->stricter++;
	}
	if (r->offered && !entered)
		forget(r->offered);
	r->offered = NULL;
	return entered;
}

/* Whether the head of the ring is overdue; what takes longer than it may does so 1 ns later. */
static bool is_overdue(struct replay *r)
{
	u64 now_ns = r->now_ns;

	pick(r);
	while (!r->arbiter.overdue && r->arbiter.recheck_ns <= r->now_ns + 2) {
		now_ns = max(now_ns + 1, r->arbiter.recheck_ns);
		vivgpu_arbiter_select(&r->arbiter, &r->waiting, now_ns);
	}
	return r->arbiter.overdue;
}

static bool ends(struct model_follower *f, enum model_verdict verdict)
{
	struct replay *r = to_replay(f);
	bool overdue = is_overdue(r);

	r->totals->decisions++;
	if (overdue && verdict == MODEL_REFUSED)
		decide_otherwise(r, "the job in the ring is ended, against the rules");
	if (!overdue && verdict == MODEL_PERMITTED)
		decide_otherwise(r, "the job in the ring is not ended");
	if (overdue && verdict == MODEL_BY_SLACK)
		r->totals->stricter++;
	return overdue;
}

/*
 * Donated jobs that do not run on the budget in the model. The arbiter finds the same when it comes to
 * select, which it does not while the ring is full.
 */
static void remove_refused(struct replay *r, const struct model_state *state)
{
	struct list_head *at = r->waiting.next;

	while (at != &r->waiting) {
		struct replay_job *job = to_job(container_of(at, struct vivgpu_arbiter_job, link));

		at = at->next;
		if (!is_donated(job) || state->waiting[job->owner])
			continue;
		if (job->own.selection == r->arbiter.selection && job->own.payer)
			diverge(r, "the job that a frame waits for runs on the budget");
		forget(job);
	}
}

static void settled(struct model_follower *f, const struct model_state *state)
{
	struct replay *r = to_replay(f);
	int waiting[MODEL_SERVERS] = { 0 };
	struct vivgpu_arbiter_job *job;
	struct replay_job *next;
	int i;

	if (f->over)
		return;
	next = pick(r);
	if (next)
		decide_otherwise(r, "a further job enters the ring");
	if (r->in_ring != state->in_ring)
		diverge(r, "%d jobs in the ring, and not %d", r->in_ring, state->in_ring);
	for (i = 0; i < r->in_ring && i < state->in_ring; i++)
		if (r->ring[i]->owner != state->ring[i].owner)
			diverge(r, "other jobs are in the ring");
	remove_refused(r, state);
	/* All that wait are servers' jobs: enters() took the one away that was offered. */
	list_for_each_entry(job, &r->waiting, link)
		waiting[to_job(job)->owner]++;
	for (i = 0; i < r->model->nr_servers; i++)
		if (waiting[i] != state->waiting[i])
			diverge(r, "%d jobs of client %d wait, and not %d", waiting[i], i,
				state->waiting[i]);
}

static void begin(struct model_follower *f, const struct model *model, int blocking, int horizon)
{
	struct replay *r = to_replay(f);
	struct vivgpu_arbiter_policy policy = vivgpu_arbiter_driver_policy;
	s64 difference;
	int i;

	policy.overhead_ns = 0;
	if (!model->ring)
		policy.ring_ns = 0;
	r->model = model;
	r->now_ns = BEGIN_NS;
	INIT_LIST_HEAD(&r->waiting);
	vivgpu_arbiter_init(&r->arbiter, &policy);
	for (i = 0; i < model->nr_servers; i++)
		reserve(r, i);
	/* The model's horizon is the driver's, rounded up to a unit. */
	difference = horizon * UNIT_NS - r->arbiter.admitted.horizon_ns;
	if (r->arbiter.admitted.blocking_ns != blocking * UNIT_NS || difference < -1000 ||
	    difference >= (s64)UNIT_NS)
		diverge(r, "B and horizon are %.2f and %.2f, and not %d and %d",
			(double)r->arbiter.admitted.blocking_ns / UNIT_NS,
			(double)r->arbiter.admitted.horizon_ns / UNIT_NS, blocking, horizon);
	r->arbiter.admitted.horizon_ns = horizon * UNIT_NS;
}

static bool walk(const struct model *model, uint64_t random, FILE *trace, struct replay_totals *sum)
{
	static struct replay r;

	memset(&r, 0, sizeof(r));
	r.totals = sum;
	r.follower = (struct model_follower){
		.begin = begin,
		.event = event,
		.enters = enters,
		.ends = ends,
		.settled = settled,
		.trace = trace,
	};
	return model_walk(model, &r.follower, &random, STEPS) && !r.follower.late;
}

/**
 * replay_walks - replay random walks of a model
 * @model: the model
 * @seed: of the walks
 * @walks: how many
 * @print: whether a walk that diverges is printed
 * @sum: counts are added to it
 *
 * Ends at the first walk that diverges.
 */
void replay_walks(const struct model *model, uint64_t seed, uint32_t walks, bool print,
		  struct replay_totals *sum)
{
	struct replay_totals unused = { 0 };
	uint32_t i;

	for (i = 0; i < walks; i++) {
		sum->walks++;
		if (walk(model, seed + i * 1000003u, NULL, sum))
			continue;
		if (print)
			walk(model, seed + i * 1000003u, stdout, &unused);
		sum->diverged++;
		return;
	}
}
