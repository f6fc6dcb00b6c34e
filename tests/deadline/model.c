// SPDX-License-Identifier: MIT
/*
 * The deadline rules as a model. Times are integers, relative to now; a unit is O / 2. A step is an
 * event at the present moment, or the passing of one unit. Lengths of jobs are not chosen in advance:
 * a job that has run for a unit may end at any moment.
 *
 * Best-effort clients have no state of their own: any number of them may start a job of any bound and
 * length whenever the rules permit one, and one that was held back for long enough whenever a forced
 * one may start. Jobs have no hints: deadlines of their own, which order best-effort jobs only.
 */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum {
	OVERRUN = 1,       /* O / 2 */
	TOLERANCE = 2,     /* O */
	RECOVERY = 1,      /* R */
	BEST_EFFORT = 0xf, /* owner of a job without a server */
	SHORT = 4,         /* jobs behind two in the ring: these take less together (2 ms) */
	LONGER = 6,        /* a best-effort job can be by so much longer than B, if none is ended */
	FURTHEST = 60,     /* deadlines that the slack is computed for */
	LONGEST_TRACE = 400,
	FURTHEST_DEADLINE = 30000, /* so that no sum with a period is more than an int16_t has */
};

/*
 * DONATED: another client's job. LONG: above the budget. BEHIND: it entered the ring behind others.
 * FORMER: its server's reservation was given back while it was in the ring.
 */
enum job_flags { DONATED = 1, LONG = 2, FORMER = 4, BEHIND = 8 };

/*
 * A job in the ring. bound: in units. run: units that the head has run. owner: a server, or
 * BEST_EFFORT.
 */
struct job {
	uint8_t bound, run, owner : 4, flags : 4;
};

/* A job outside of the ring; DONATED and LONG only. */
struct waiting {
	uint8_t bound : 6, flags : 2;
};

/*
 * d: deadline. q: what is left of the budget. used: deadline of the last budget that a job used a
 * part of, and after leaving the moment at which the reservation is free. absent: the reservation
 * was given back. age: since the last frame.
 */
struct server {
	int16_t d, used;
	int8_t q;
	uint8_t absent, age, nr_waiting;
	struct waiting waiting[MODEL_WAITING];
};

/*
 * recovering: until the next job can start. waited: since a server's job waits. overrun, recoveries and
 * latency: in this busy time. measured: longest job of the best-effort queue (MODEL_FRESH_QUEUES...).
 * unused: in the place of padding, because states are compared and hashed as bytes.
 */
struct state {
	uint8_t nr_ring, recovering, waited, overrun, recoveries, latency, measured, late;
	struct job ring[MODEL_RING];
	uint8_t unused;
	struct server servers[MODEL_SERVERS];
} __attribute__((aligned(8)));

enum event_kind {
	TICK, /* a unit of time passes */
	JOB_ENDS,
	FRAME, /* a frame is submitted; argument: how it is divided */
	JOB,   /* a job of a client without frames; argument: its bound */
	BEST_EFFORT_STARTS,
	BEST_EFFORT_FORCED,
	LONG_STARTS, /* a reserved job above its budget, which was held back */
	RECOVERED,   /* the head of the ring is ended */
	LEAVE,
	REJOIN,
	DONATE, /* the next frame waits for a job; argument: its bound */
	REOPEN, /* a best-effort client opens a new queue */
};

struct event {
	uint8_t kind, server, argument;
};

/* Whether an event is one of a server, and its number of arguments. */
static const struct {
	bool of_server;
	int arguments;
} kinds[] = {
	[TICK] = { false, 1 },
	[JOB_ENDS] = { false, 1 },
	[FRAME] = { true, 6 }, /* the divisions of divide() */
	[JOB] = { true, 3 },
	[BEST_EFFORT_STARTS] = { false, 3 },
	[BEST_EFFORT_FORCED] = { false, 1 },
	[LONG_STARTS] = { true, 1 },
	[RECOVERED] = { false, 1 },
	[LEAVE] = { true, 1 },
	[REJOIN] = { true, 1 },
	[DONATE] = { true, 4 }, /* bounds 1 to 4 */
	[REOPEN] = { false, 1 },
};

static const struct model *model;
/* B, the horizon, and the time in a trace that is printed to @trace */
static int blocking, horizon, elapsed;
static FILE *trace;

/* What makes the decisions of a walk, or NULL */
static struct model_follower *follower;

#define say(...)                                     \
	do {                                         \
		if (trace)                           \
			fprintf(trace, __VA_ARGS__); \
	} while (0)

static int imax(int a, int b)
{
	return a > b ? a : b;
}
static int imin(int a, int b)
{
	return a < b ? a : b;
}

static bool flag(int flags)
{
	return model->flags & flags;
}

static const struct model_server *of(int i)
{
	return &model->servers[i];
}

/* --- Admission ----------------------------------------------------------- */

/*
 * The test of the proof sketch with blocking b, for all intervals up to the horizon, which is set
 * here.
 */
static bool admitted(int b)
{
	int h, i, sum, longest, most = b, free_parts = 1000000;

	for (i = 0; i < model->nr_servers; i++) {
		most = imax(most, of(i)->budget);
		free_parts -= 1000000 * of(i)->budget / of(i)->period;
	}
	if (free_parts <= 0)
		return false;
	horizon = ((most + RECOVERY + TOLERANCE) * 1000000 + free_parts - 1) / free_parts;
	for (h = 1; h <= horizon; h++) {
		sum = 0;
		longest = b;
		for (i = 0; i < model->nr_servers; i++) {
			sum += h / of(i)->period * of(i)->budget;
			if (of(i)->period > h)
				longest = imax(longest, of(i)->budget);
		}
		if (sum && sum + longest + RECOVERY + TOLERANCE > h)
			return false;
	}
	return true;
}

/*
 * B is the longest blocking, up to 20 units, with which the set is admitted; the horizon is that
 * for it.
 */
static void find_blocking(void)
{
	for (blocking = 20; blocking > 0 && !admitted(blocking); blocking--)
		;
	if (!blocking) {
		fprintf(stderr, "model: %s is not admitted\n", model->name);
		exit(2);
	}
}

/* --- Servers ------------------------------------------------------------- */

static bool is_servers(const struct job *job)
{
	return job->owner != BEST_EFFORT && !(job->flags & LONG);
}

/*
 * What a server's jobs in the ring take of its budget: their bounds, or more if they took more
 * already.
 */
static int committed(const struct state *s, int i)
{
	int n, sum = 0;

	for (n = 0; n < s->nr_ring; n++)
		if (s->ring[n].owner == i)
			sum += imax(s->ring[n].bound, s->ring[n].run);
	return sum;
}

/* A job that others submitted and that may run on the budget; until it does, the server is idle. */
static bool is_offered(const struct state *s, int i)
{
	return s->servers[i].nr_waiting && (s->servers[i].waiting[0].flags & DONATED);
}

static bool has_jobs(const struct state *s, int i)
{
	return (s->servers[i].nr_waiting && !is_offered(s, i)) || committed(s, i);
}

static bool has_own_jobs(const struct state *s, int i)
{
	int n;

	for (n = 0; n < s->servers[i].nr_waiting; n++)
		if (!(s->servers[i].waiting[n].flags & DONATED))
			return true;
	for (n = 0; n < s->nr_ring; n++)
		if (s->ring[n].owner == i && !(s->ring[n].flags & DONATED))
			return true;
	return false;
}

static bool first_is_long(const struct state *s, int i)
{
	return s->servers[i].nr_waiting && (s->servers[i].waiting[0].flags & LONG);
}

/* A server's job waits outside of the ring. */
static bool queued(const struct state *s)
{
	int i;

	for (i = 0; i < model->nr_servers; i++)
		if (s->servers[i].nr_waiting && !first_is_long(s, i))
			return true;
	return false;
}

static bool waits(const struct state *s)
{
	int n;

	for (n = 1; n < s->nr_ring; n++)
		if (is_servers(&s->ring[n]))
			return true;
	return queued(s);
}

/* Rule 2. What is left of a budget is lost if it does not cover the first job (see the proof sketch). */
static void wake_up(struct state *s, int i, int bound)
{
	struct server *server = &s->servers[i];
	int q = of(i)->budget, t = of(i)->period;
	bool keeps = server->d >= horizon && server->q * t <= q * server->d;

	if (has_jobs(s, i))
		return;
	if (server->d <= 0 || (flag(MODEL_REFILL) && !keeps)) {
		server->d = t;
		server->q = q;
	} else if (server->q < bound && server->q < q) {
		server->d += t;
		server->q = q;
	} else if (!keeps) {
		server->d = imax(server->d, t);
		server->q = imin(server->q, q);
		if (server->q < q)
			server->used = server->d;
	}
}

static struct waiting *new_waiting(struct server *server)
{
	if (server->nr_waiting == MODEL_WAITING) {
		fprintf(stderr, "model: too many jobs wait\n");
		exit(2);
	}
	return &server->waiting[server->nr_waiting++];
}

static void submit(struct state *s, int i, int bound, int flags)
{
	*new_waiting(&s->servers[i]) = (struct waiting){
		.bound = bound,
		.flags = flags | (bound > of(i)->budget ? LONG : 0),
	};
}

static void remove_first(struct server *server)
{
	server->nr_waiting--;
	memmove(server->waiting, server->waiting + 1, MODEL_WAITING - 1);
	server->waiting[server->nr_waiting] = (struct waiting){ 0 };
}

static void put_back(struct state *s, const struct job *job)
{
	struct server *server;
	int unused;

	if (job->owner == BEST_EFFORT)
		return;
	server = &s->servers[job->owner];
	new_waiting(server);
	memmove(server->waiting + 1, server->waiting, MODEL_WAITING - 1);
	server->waiting[0] = (struct waiting){ .bound = job->bound, .flags = job->flags & ~BEHIND };
	/* It used nothing of its budget. */
	unused = server->d - (server->q < of(job->owner)->budget ? 0 : of(job->owner)->period);
	server->used = imin(server->used, imax(unused, 0));
}

/* Add a period and a budget. */
static void postpone(struct server *server, int i)
{
	server->d += of(i)->period;
	server->q += of(i)->budget;
	if (server->d > FURTHEST_DEADLINE) {
		fprintf(stderr, "model: %s has a deadline that is too far away\n", model->name);
		exit(2);
	}
}

/* Rules 1 and 3 for the first job of a server. */
static void replenish(struct state *s, int i)
{
	struct server *server = &s->servers[i];
	int q = of(i)->budget, t = of(i)->period;
	int periods = (server->waiting[0].bound + q - 1) / q;

	/* The budget of a job in the ring is what it was when it started. */
	if (committed(s, i) || (first_is_long(s, i) && flag(MODEL_OWNS_PAST)))
		return;
	if (server->d <= 0 && !flag(MODEL_OWNS_PAST)) {
		server->d = 0;
		server->q = 0;
	}
	while (server->q < server->waiting[0].bound) {
		postpone(server, i);
		say("    client %d: deadline postponed to %d, %d left\n", i, elapsed + server->d,
		    server->q);
	}
	/* The time in which a job is held back is not owed. */
	if (first_is_long(s, i) && server->d < periods * t) {
		server->d = periods * t;
		server->q = periods * q;
	}
}

/*
 * Rule 7: a job that the budget does not cover runs as a best-effort job. The server is woken up
 * only to see what it would have.
 */
static void check_donation(struct state *s, int i)
{
	struct server *server = &s->servers[i];
	struct server before = *server;
	bool covered;
	int own;

	if (!is_offered(s, i) || flag(MODEL_DONATE_ALL))
		return;
	own = flag(MODEL_LEAVES_JOB) ? of(i)->frame / of(i)->jobs : of(i)->frame;
	wake_up(s, i, 0);
	covered = server->d > 0 && server->q - committed(s, i) >= server->waiting[0].bound + own;
	*server = before;
	if (covered)
		return;
	say("    the job that client %d waits for does not run on its budget\n", i);
	remove_first(server);
}

static void charge(struct state *s, const struct job *job, int took)
{
	struct server *server;

	if (job->owner == BEST_EFFORT)
		return;
	server = &s->servers[job->owner];
	if ((job->flags & DONATED) && !flag(MODEL_CHARGE_ALL))
		took = imin(took, job->bound);
	server->q -= took;
	/* Further jobs in the ring have what is left of the budget they started with. */
	if (committed(s, job->owner))
		return;
	while (server->q <= 0)
		postpone(server, job->owner);
	server->used =
		server->d - (server->q < of(job->owner)->budget ? 0 : of(job->owner)->period);
}

/* --- Slack --------------------------------------------------------------- */

/*
 * The budgets of a server up to @deadline, if what is left of one is due at @first, and a new one
 * each period after.
 */
static int budgets_until(int i, int first, int left, int deadline)
{
	if (deadline < first)
		return 0;
	return left + (deadline - first) / of(i)->period * of(i)->budget;
}

/* What a server can demand up to a deadline, with the worst arrivals directly after now. */
static int demand(const struct state *s, int i, int deadline)
{
	const struct server *server = &s->servers[i];
	int q = server->q, t = of(i)->period, most;

	if (s->nr_ring && s->ring[0].owner == i)
		q = imax(q - s->ring[0].run, 0);
	if (server->absent)
		return budgets_until(i, imax(server->used, 0) + t, of(i)->budget, deadline);
	if ((first_is_long(s, i) && !committed(s, i)) || (server->d <= 0 && !has_jobs(s, i)))
		return budgets_until(i, t, of(i)->budget, deadline);
	if (has_jobs(s, i))
		return budgets_until(i, server->d, q, deadline);
	most = budgets_until(i, imax(server->d, t), q, deadline);
	if (server->d >= horizon && q * t <= of(i)->budget * server->d)
		most = imax(most, budgets_until(i, server->d, q, deadline));
	/* After its deadline it has a new budget, one period from then. */
	return imax(most, budgets_until(i, server->d + t, of(i)->budget, deadline));
}

static int left_of(const struct job *job)
{
	return imax(job->bound - job->run, 0);
}

/*
 * Time that is left up to the nearest deadline, if the jobs of the ring but for its first @skip run
 * before, and @job behind them. Best-effort jobs behind a head that is skipped are taken back by its recovery, or
 * ended at once.
 */
static int slack(const struct state *s, int skip, const struct job *job)
{
	int deadline, i, n, sum, least = FURTHEST;
	bool any;

	for (deadline = 1; deadline < FURTHEST; deadline++) {
		sum = 0;
		for (i = 0; i < model->nr_servers; i++)
			sum += demand(s, i, deadline);
		any = sum;
		if (!any)
			continue;
		for (n = skip; n < s->nr_ring; n++)
			if (is_servers(&s->ring[n]) ? s->servers[s->ring[n].owner].d > deadline
						    : !skip)
				sum += left_of(&s->ring[n]);
		if (job && (!is_servers(job) || s->servers[job->owner].d > deadline))
			sum += job->bound;
		least = imin(least, deadline - sum);
	}
	return least;
}

/* --- Arbiter ------------------------------------------------------------- */

/* Two jobs, or more if they take less than 2 ms together. */
static bool ring_is_full(const struct state *s)
{
	int n, sum = 0;

	if (s->nr_ring < 2)
		return false;
	for (n = 0; n < s->nr_ring; n++)
		sum += left_of(&s->ring[n]);
	return s->nr_ring >= imax(model->ring, 2) || sum >= SHORT;
}

/* Rule 4. */
static enum model_verdict enter_verdict(const struct state *s, const struct job *job)
{
	bool behind_server = false;
	int n, sum = job->bound;

	if (s->recovering || ring_is_full(s))
		return MODEL_REFUSED;
	if (!s->nr_ring && is_servers(job))
		return MODEL_PERMITTED;
	for (n = 0; n < s->nr_ring; n++) {
		if (s->ring[n].run > s->ring[n].bound)
			return MODEL_REFUSED;
		if (is_servers(job) && !is_servers(&s->ring[n]))
			return MODEL_REFUSED;
		behind_server |= is_servers(&s->ring[n]);
		sum += left_of(&s->ring[n]);
	}
	if (behind_server && !is_servers(job) && !flag(MODEL_BEHIND_SERVERS))
		return MODEL_REFUSED;
	if (sum <= blocking)
		return MODEL_PERMITTED;
	return slack(s, 0, job) >= RECOVERY + TOLERANCE ? MODEL_BY_SLACK : MODEL_REFUSED;
}

static struct job first_job(const struct state *s, int i)
{
	const struct waiting *first = &s->servers[i].waiting[0];

	return (struct job){ .bound = first->bound, .owner = i, .flags = first->flags };
}

static bool may_enter(const struct state *s, const struct job *job)
{
	return enter_verdict(s, job) != MODEL_REFUSED;
}

static struct model_job describe(const struct state *s, const struct job *job)
{
	struct model_job described = {
		.owner = job->owner == BEST_EFFORT ? -1 : job->owner,
		.bound = job->bound,
		.donated = job->flags & DONATED,
		.above_budget = job->flags & LONG,
	};

	if (described.owner >= 0) {
		described.deadline = s->servers[job->owner].d;
		described.left = s->servers[job->owner].q;
	}
	return described;
}

/* Whether a job enters the ring: as may_enter(), or as a walk's follower decides. */
static bool enters(const struct state *s, const struct job *job)
{
	struct model_job described;

	if (!follower)
		return may_enter(s, job);
	described = describe(s, job);
	return follower->enters(follower, &described, enter_verdict(s, job));
}

static void enter(struct state *s, const struct job *job)
{
	s->ring[s->nr_ring++] = *job;
}

static void enter_first(struct state *s, int i)
{
	struct server *server = &s->servers[i];
	struct job job = first_job(s, i);

	say("    a job of client %d with bound %d and deadline %d enters the ring\n", i, job.bound,
	    elapsed + server->d);
	if (s->nr_ring)
		job.flags |= BEHIND;
	enter(s, &job);
	server->used = server->d;
	remove_first(server);
}

static void reset_busy_time(struct state *s)
{
	int n;

	if (waits(s))
		return;
	s->waited = 0;
	for (n = 0; n < s->nr_ring; n++)
		if (is_servers(&s->ring[n]))
			return;
	s->overrun = 0;
	s->recoveries = 0;
	s->latency = 0;
}

/* A server as its first job finds it: if that is offered, with rule 2. */
static struct server found_by_first(const struct state *s, int i)
{
	struct state copy = *s;

	if (is_offered(s, i))
		wake_up(&copy, i, 0);
	return copy.servers[i];
}

/* Earliest deadline first; the victims, which are the first servers, lose if deadlines are equal. */
static void select_jobs(struct state *s)
{
	struct server server, before;
	struct job job;
	int i, best;

	for (;;) {
		best = -1;
		for (i = model->nr_servers - 1; i >= 0; i--) {
			check_donation(s, i);
			if (!s->servers[i].nr_waiting)
				continue;
			if (!is_offered(s, i) || flag(MODEL_DONATE_ALL))
				replenish(s, i);
			server = found_by_first(s, i);
			if (first_is_long(s, i))
				continue;
			if (best < 0 || server.d < found_by_first(s, best).d)
				best = i;
		}
		/* What the jobs in the ring do not take is known when they have ended. */
		if (best < 0 || (committed(s, best) && s->servers[best].q - committed(s, best) <
							       s->servers[best].waiting[0].bound))
			break;
		before = s->servers[best];
		s->servers[best] = found_by_first(s, best);
		job = first_job(s, best);
		if (!enters(s, &job)) {
			s->servers[best] = before;
			break;
		}
		enter_first(s, best);
	}
	reset_busy_time(s);
}

/*
 * What the head of the ring may use before it is an overrun: what is left of a budget, with those of its
 * server's jobs that are behind it. @head: a server's.
 */
static int limit_of(const struct state *s, const struct job *head)
{
	int q = s->servers[head->owner].q, budget = of(head->owner)->budget;
	int behind = committed(s, head->owner) - imax(head->bound, head->run);

	if (head->flags & DONATED)
		return head->bound;
	if (flag(MODEL_LONG_AS_SERVER) && (head->flags & LONG))
		return q;
	if (flag(MODEL_BUDGET_EACH))
		return imin(q, budget);
	if (head->flags & BEHIND)
		return imin(q, head->bound);
	return imax(imin(q, budget) - behind, head->bound);
}

/* Rule 5: whether the head of the ring is ended now, if the servers' slack does not permit more. */
static enum model_verdict end_verdict(const struct state *s)
{
	const struct job *head = &s->ring[0];
	bool by_budget =
		is_servers(head) || (flag(MODEL_LONG_AS_SERVER) && head->owner != BEST_EFFORT);
	int limit;

	if (!s->nr_ring || !waits(s) || flag(MODEL_NO_ENDING))
		return MODEL_REFUSED;
	if (by_budget) {
		limit = limit_of(s, head);
		/* A frame that used all of its budget has ended. */
		if (of(head->owner)->frame && !(head->flags & DONATED))
			limit++;
		if (head->run < limit || s->overrun < OVERRUN)
			return MODEL_REFUSED;
	} else if (s->waited < blocking + (flag(MODEL_NO_ROOM) ? OVERRUN : 0)) {
		return MODEL_REFUSED;
	}
	return slack(s, 1, NULL) <= RECOVERY + (flag(MODEL_NO_ROOM) ? OVERRUN : TOLERANCE)
		       ? MODEL_PERMITTED
		       : MODEL_BY_SLACK;
}

static bool is_ended(const struct state *s)
{
	return end_verdict(s) == MODEL_PERMITTED;
}

static void leave_ring(struct state *s)
{
	s->nr_ring--;
	memmove(s->ring, s->ring + 1, s->nr_ring * sizeof(s->ring[0]));
	memset(&s->ring[s->nr_ring], 0, sizeof(s->ring[0]));
}

/* --- Events: each returns false if it is not possible -------------------- */

/*
 * The longest that the head of the ring can be: a frame's job its bound; others of a server two
 * units beyond the budget and an overrun, so that rule 5 has jobs to end; best-effort jobs any time
 * if they can be ended.
 */
static int longest(const struct state *s)
{
	const struct job *head = &s->ring[0];

	if (head->owner != BEST_EFFORT) {
		if (of(head->owner)->frame && !(head->flags & DONATED))
			return head->bound;
		return s->servers[head->owner].q + OVERRUN + 2;
	}
	if (!flag(MODEL_NO_ENDING))
		return INT_MAX;
	return flag(MODEL_MEASURED) ? head->bound : blocking + LONGER;
}

static bool is_late(const struct state *s)
{
	int i;

	for (i = 0; i < model->nr_servers; i++) {
		if (!of(i)->frame || s->servers[i].age < of(i)->period || !has_own_jobs(s, i))
			continue;
		say("    the frame of client %d is late\n", i);
		return true;
	}
	return false;
}

static void server_ages(struct state *s, int i)
{
	struct server *server = &s->servers[i];

	server->age = of(i)->frame ? imin(server->age + 1, of(i)->period) : 0;
	server->d = imax(server->d - 1, flag(MODEL_OWNS_PAST) && has_jobs(s, i) ? -FURTHEST : 0);
	server->used = imax(server->used - 1, 0);
	if (!server->d && !has_jobs(s, i))
		server->q = 0;
}

/* By how much a best-effort job is longer than its bound makes no difference if it can be ended. */
static void head_runs(struct state *s)
{
	struct job *head = &s->ring[0];

	if (head->owner != BEST_EFFORT || flag(MODEL_NO_ENDING))
		head->run++;
	else
		head->run = imin(head->run + 1, head->bound + 1);
	if (is_servers(head) && head->run > limit_of(s, head))
		s->overrun = imin(s->overrun + 1, OVERRUN);
}

static bool tick(struct state *s)
{
	int i;

	if (is_ended(s)) {
		if (s->latency == OVERRUN)
			return false;
		s->latency++;
		say("    the timer is late\n");
	}
	if (s->nr_ring && s->ring[0].run >= longest(s))
		return false;
	s->late = is_late(s);
	if (s->late)
		return true;
	for (i = 0; i < model->nr_servers; i++)
		server_ages(s, i);
	if (s->nr_ring)
		head_runs(s);
	if (waits(s))
		s->waited = imin(s->waited + 1, blocking + OVERRUN);
	if (s->recovering)
		s->recovering--;
	elapsed++;
	return true;
}

static bool job_ends(struct state *s)
{
	struct job head = s->ring[0];

	if (!s->nr_ring || !head.run)
		return false;
	say("    it took %d\n", head.run);
	if (head.owner == BEST_EFFORT && flag(MODEL_FRESH_QUEUES))
		s->measured = imax(s->measured, head.run);
	leave_ring(s);
	charge(s, &head, head.run);
	return true;
}

/*
 * The bounds of a frame's jobs: one job, or one long and the others of one unit. Returns their
 * number, 0 if there is no such division, or it equals another one.
 */
static int divide(int i, int division, int bounds[MODEL_FRAME_JOBS])
{
	static const struct {
		int jobs, longest;
	} divisions[] = { { 1, 0 }, { 2, 1 }, { 2, 0 }, { 3, 2 }, { 3, 1 }, { 3, 0 } };
	int jobs = divisions[division].jobs, longest = divisions[division].longest;
	int n, length = of(i)->frame;

	if (jobs > of(i)->jobs || jobs > length || (jobs == length && longest < jobs - 1))
		return 0;
	for (n = 0; n < jobs; n++)
		bounds[n] = n == longest ? length - jobs + 1 : 1;
	return jobs;
}

static bool frame(struct state *s, int i, int division)
{
	int n, jobs, bounds[MODEL_FRAME_JOBS] = { 0 }, length = of(i)->frame;

	if (!length || s->servers[i].age < of(i)->period || has_jobs(s, i) || is_offered(s, i))
		return false;
	/*
	 * With MODEL_LEAVES_JOB a frame has two jobs at least, or its longest job would be the
	 * frame.
	 */
	if (!division && flag(MODEL_LEAVES_JOB))
		return false;
	jobs = divide(i, division, bounds);
	if (!jobs)
		return false;
	wake_up(s, i, bounds[0]);
	s->servers[i].age = 0;
	if (jobs > 1 && flag(MODEL_LOOSE_BOUNDS)) {
		bounds[0] = length - 1;
		bounds[1] = imax(length - 1, 2);
	}
	for (n = 0; n < jobs; n++)
		submit(s, i, bounds[n], 0);
	return true;
}

/* Bounds up to the budget, and one above it. Only if the deadline is at most two periods away. */
static bool job(struct state *s, int i, int which)
{
	const int bounds[] = { of(i)->budget, 1, 2 * of(i)->budget };

	if (of(i)->frame || s->servers[i].absent ||
	    s->servers[i].nr_waiting >= imax(model->waiting, 1) ||
	    s->servers[i].d > 2 * of(i)->period || which >= model->bounds_of_strangers ||
	    (which == 1 && bounds[0] == 1))
		return false;
	wake_up(s, i, bounds[which]);
	submit(s, i, bounds[which], 0);
	return true;
}

/*
 * Bounds B, 1, and above B: all that costs and a history can make of a job. By earlier rules a
 * queue's own history decides (MODEL_FRESH_QUEUES), or a cost instead of it (MODEL_LOW_COSTS). 0:
 * none such.
 */
static int best_effort_bound(const struct state *s, int which)
{
	const int bounds[] = { blocking, 1, blocking + 3 };

	if (flag(MODEL_FRESH_QUEUES))
		return which ? 0 : imax(s->measured, 1);
	if (flag(MODEL_LOW_COSTS))
		return which ? 1 : blocking + LONGER;
	return bounds[which];
}

static bool best_effort_starts(struct state *s, int which, bool forced)
{
	struct job job = { .owner = BEST_EFFORT, .bound = best_effort_bound(s, which) };

	if (!job.bound || queued(s) || (which == 1 && blocking == 1))
		return false;
	if (forced) {
		/* A job whose bound is within B starts without being forced. */
		if (s->nr_ring || s->recovering || job.bound <= blocking || flag(MODEL_NO_ENDING))
			return false;
	} else if (!may_enter(s, &job)) {
		return false;
	}
	enter(s, &job);
	return true;
}

static bool long_starts(struct state *s, int i)
{
	if (!first_is_long(s, i) || queued(s) || s->nr_ring || s->recovering)
		return false;
	if (flag(MODEL_OWNS_PAST)) {
		while (s->servers[i].q < s->servers[i].waiting[0].bound) {
			postpone(&s->servers[i], i);
		}
	}
	enter_first(s, i);
	return true;
}

static bool recovered(struct state *s)
{
	struct job head = s->ring[0];
	bool reserved = is_servers(&head);

	if (!follower && !is_ended(s))
		return false;
	if (((reserved && !(head.flags & DONATED)) || (head.flags & FORMER)) && s->recoveries &&
	    !flag(MODEL_RECOVERIES))
		return false;
	s->recoveries = imin(s->recoveries + 1, 2);
	s->recovering = RECOVERY;
	leave_ring(s);
	while (s->nr_ring) {
		put_back(s, &s->ring[s->nr_ring - 1]);
		memset(&s->ring[--s->nr_ring], 0, sizeof(s->ring[0]));
	}
	if (head.run > head.bound || (reserved && head.run >= head.bound) || (head.flags & LONG)) {
		say("    it took %d, more than its bound, and fails\n", head.run);
		charge(s, &head, head.run + RECOVERY);
	} else {
		charge(s, &head, head.run);
		put_back(s, &head);
	}
	return true;
}

/* Rule 6. The jobs become best-effort jobs. */
static bool leave(struct state *s, int i)
{
	struct server *server = &s->servers[i];
	int n;

	if (of(i)->frame || server->absent)
		return false;
	for (n = 0; n < s->nr_ring; n++)
		if (s->ring[n].owner == i) {
			s->ring[n].owner = BEST_EFFORT;
			s->ring[n].flags = FORMER;
			s->ring[n].run = imin(s->ring[n].run, s->ring[n].bound + 1);
		}
	n = flag(MODEL_FREE_AT_ONCE) ? 0 : server->used;
	memset(server, 0, sizeof(*server));
	server->absent = 1;
	server->used = n;
	return true;
}

static bool rejoin(struct state *s, int i)
{
	if (!s->servers[i].absent || s->servers[i].used > 0)
		return false;
	s->servers[i].absent = 0;
	return true;
}

static bool donate(struct state *s, int i, int bound)
{
	if (!of(i)->donates || has_jobs(s, i) || is_offered(s, i) || bound > of(i)->budget)
		return false;
	if (flag(MODEL_REFUSED_WAKES | MODEL_DONATE_ALL))
		wake_up(s, i, 0);
	submit(s, i, bound, DONATED);
	return true;
}

static bool reopen(struct state *s)
{
	if (!flag(MODEL_FRESH_QUEUES) || !s->measured)
		return false;
	s->measured = 0;
	return true;
}

static void exchange(struct state *s, int a, int b)
{
	struct server server = s->servers[a];
	int n;

	s->servers[a] = s->servers[b];
	s->servers[b] = server;
	for (n = 0; n < s->nr_ring; n++) {
		if (s->ring[n].owner == a)
			s->ring[n].owner = b;
		else if (s->ring[n].owner == b)
			s->ring[n].owner = a;
	}
	say("    from here on client %d is called %d and the reverse\n", a, b);
}

/* Equal clients are exchanged so that of states that differ by that only one is visited. */
static void order_equal_clients(struct state *s)
{
	int i;

	for (i = 1; i < model->nr_servers; i++)
		if (!memcmp(of(i - 1), of(i), sizeof(*of(i))) &&
		    memcmp(&s->servers[i - 1], &s->servers[i], sizeof(s->servers[i])) > 0)
			exchange(s, i - 1, i);
}

static void announce(const struct state *s, struct event event)
{
	static const char *const texts[] = {
		[TICK] = "time passes",
		[JOB_ENDS] = "the job in the ring ends",
		[FRAME] = "a frame is submitted",
		[JOB] = "a job is submitted",
		[BEST_EFFORT_STARTS] = "a best-effort job enters the ring",
		[BEST_EFFORT_FORCED] = "a best-effort job that was held back is forced",
		[LONG_STARTS] = "a job above its budget, which was held back, starts",
		[RECOVERED] = "the job in the ring is ended",
		[LEAVE] = "the reservation is given back",
		[REJOIN] = "the reservation is given again",
		[DONATE] = "the next frame waits for a job",
		[REOPEN] = "the best-effort client opens a new queue",
	};

	if (!trace)
		return;
	fprintf(trace, "%4d  ", elapsed);
	if (kinds[event.kind].of_server)
		fprintf(trace, "client %d: ", event.server);
	fprintf(trace, "%s", texts[event.kind]);
	if (event.kind == FRAME)
		fprintf(trace, ", due at %d", elapsed + of(event.server)->period);
	else if (event.kind == BEST_EFFORT_STARTS)
		fprintf(trace, " with bound %d", best_effort_bound(s, event.argument));
	else if (event.kind == DONATE)
		fprintf(trace, " with bound %d", event.argument + 1);
	fprintf(trace, "\n");
}

static bool happens(struct state *s, struct event event)
{
	switch (event.kind) {
	case TICK:
		return tick(s);
	case JOB_ENDS:
		return job_ends(s);
	case FRAME:
		return frame(s, event.server, event.argument);
	case JOB:
		return job(s, event.server, event.argument);
	case BEST_EFFORT_STARTS:
		return best_effort_starts(s, event.argument, false);
	case BEST_EFFORT_FORCED:
		return best_effort_starts(s, 2, true);
	case LONG_STARTS:
		return long_starts(s, event.server);
	case RECOVERED:
		return recovered(s);
	case LEAVE:
		return leave(s, event.server);
	case REJOIN:
		return rejoin(s, event.server);
	case DONATE:
		return donate(s, event.server, event.argument + 1);
	default:
		return reopen(s);
	}
}

/* Returns false if the event is not possible; the state is of no use then. */
static bool apply(struct state *s, struct event event)
{
	announce(s, event);
	if (!happens(s, event))
		return false;
	if (s->late)
		return true;
	select_jobs(s);
	order_equal_clients(s);
	return true;
}

/* --- Search -------------------------------------------------------------- */

struct node {
	struct state state;
	uint32_t parent;
	struct event event;
};

static struct node *nodes;
static uint32_t *table, table_mask, nr_nodes;

static uint64_t hash(const struct state *s)
{
	uint64_t words[sizeof(*s) / 8], sum = 0;
	size_t n;

	memcpy(words, s, sizeof(words));
	for (n = 0; n < sizeof(words) / 8; n++) {
		sum = (sum ^ words[n]) * 0x9e3779b97f4a7c15u;
		sum ^= sum >> 32;
	}
	return sum ^ sum >> 29;
}

/*
 * Add a state unless it is there. table: a node's index and 1, or 0; there is room
 * (model_search()).
 */
static void visit(const struct state *s, uint32_t parent, struct event event)
{
	uint32_t place = hash(s) & table_mask;

	for (; table[place]; place = (place + 1) & table_mask)
		if (!memcmp(&nodes[table[place] - 1].state, s, sizeof(*s)))
			return;
	nodes[nr_nodes] = (struct node){ *s, parent, event };
	table[place] = ++nr_nodes;
}

static void print_trace(uint32_t last, int *steps)
{
	uint32_t path[LONGEST_TRACE], n = 0;
	struct state s;

	for (; last && n < LONGEST_TRACE; last = nodes[last].parent)
		path[n++] = last;
	*steps = n;
	elapsed = 0;
	s = nodes[0].state;
	while (trace && n--)
		apply(&s, nodes[path[n]].event);
}

static void *allocate(size_t number, size_t size)
{
	void *memory = calloc(number, size);

	if (!memory) {
		fprintf(stderr, "model: no memory\n");
		exit(2);
	}
	return memory;
}

/* Visits what follows from a state after one event; returns whether a frame is late. */
static bool expand(uint32_t from, int kind)
{
	struct event event = { kind, 0, 0 };
	struct state s;
	int servers = kinds[kind].of_server ? model->nr_servers : 1;

	for (event.server = 0; event.server < servers; event.server++) {
		for (event.argument = 0; event.argument < kinds[kind].arguments; event.argument++) {
			s = nodes[from].state;
			if (!apply(&s, event))
				continue;
			visit(&s, from, event);
			if (s.late)
				return true;
		}
	}
	return false;
}

/* --- Walks --------------------------------------------------------------- */

/*
 * How often an event is tried, of all of them. The follower decides on RECOVERED; REOPEN does not
 * come.
 */
static const uint8_t weights[] = {
	[TICK] = 12,
	[JOB_ENDS] = 5,
	[FRAME] = 5,
	[JOB] = 6,
	[BEST_EFFORT_STARTS] = 6,
	[BEST_EFFORT_FORCED] = 1,
	[LONG_STARTS] = 1,
	[LEAVE] = 1,
	[REJOIN] = 2,
	[DONATE] = 4,
};

static uint32_t draw(uint64_t *random, uint32_t limit)
{
	/* Of a linear congruential generator the upper bits are used. */
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (*random >> 33) % limit;
}

/* @without: events that this walk does not have, as bits */
static struct event draw_event(uint64_t *random, uint32_t without)
{
	struct event event = { TICK, 0, 0 };
	uint32_t sum = weights[0], at;
	size_t kind;

	for (kind = 1; kind < sizeof(weights); kind++)
		sum += weights[kind];
	at = draw(random, sum);
	while (at >= weights[event.kind])
		at -= weights[event.kind++];
	if (kinds[event.kind].of_server)
		event.server = draw(random, model->nr_servers);
	event.argument = draw(random, kinds[event.kind].arguments);
	/* Nor jobs above the budget, which are forced sooner or later */
	if (event.kind == JOB && without & 1 << LONG_STARTS)
		event.argument %= 2;
	return without & 1 << event.kind ? (struct event){ TICK, 0, 0 } : event;
}

/* The jobs that an event submits are the last ones of the state after it. */
static struct model_event tell(const struct state *before, const struct state *after,
			       struct event event)
{
	const struct server *server = &after->servers[event.server];
	struct model_event told = { .kind = event.kind, .server = event.server };
	int n, old = before->servers[event.server].nr_waiting;

	switch (event.kind) {
	case FRAME:
	case JOB:
		told.kind = MODEL_SUBMITS;
		for (n = old; n < server->nr_waiting; n++)
			told.bounds[told.jobs++] = server->waiting[n].bound;
		break;
	case DONATE:
		told.kind = MODEL_WAITS;
		told.bounds[told.jobs++] = event.argument + 1;
		break;
	case BEST_EFFORT_STARTS:
	case BEST_EFFORT_FORCED:
		told.bounds[told.jobs++] = best_effort_bound(
			before, event.kind == BEST_EFFORT_FORCED ? 2 : event.argument);
		told.kind = event.kind == BEST_EFFORT_FORCED ? MODEL_BEST_EFFORT_FORCED
							     : MODEL_BEST_EFFORT;
		break;
	case TICK:
		told.kind = MODEL_TIME_PASSES;
		break;
	case JOB_ENDS:
		told.kind = MODEL_JOB_ENDS;
		break;
	case LONG_STARTS:
		told.kind = MODEL_LONG_FORCED;
		break;
	case RECOVERED:
		told.kind = MODEL_ENDED;
		break;
	case LEAVE:
		told.kind = MODEL_LEAVES;
		told.free_after = server->used;
		break;
	default:
		told.kind = MODEL_REJOINS;
		break;
	}
	return told;
}

/* A best-effort job is there, and the follower decides whether it enters the ring. */
static bool offers(struct state *s, struct event event)
{
	bool forced = event.kind == BEST_EFFORT_FORCED;
	struct state after = *s;
	struct model_event told = tell(s, s, event);
	struct job job = { .owner = BEST_EFFORT, .bound = told.bounds[0] };
	struct model_job described = describe(s, &job);
	enum model_verdict verdict = MODEL_REFUSED;

	if (forced && best_effort_starts(&after, 2, true))
		verdict = MODEL_PERMITTED;
	else if (forced || (event.argument == 1 && blocking == 1))
		return false;
	else if (!queued(s))
		verdict = enter_verdict(s, &job);
	announce(s, event);
	follower->event(follower, &told);
	if (follower->enters(follower, &described, verdict))
		enter(s, &job);
	return true;
}

static bool walks(struct state *s, struct event event)
{
	struct state after = *s;
	struct model_event told;

	if (event.kind == BEST_EFFORT_STARTS || event.kind == BEST_EFFORT_FORCED) {
		if (!offers(s, event))
			return false;
	} else {
		if (!happens(&after, event))
			return false;
		told = tell(s, &after, event);
		announce(s, event);
		follower->event(follower, &told);
		*s = after;
	}
	select_jobs(s);
	return true;
}

/* What the follower has to agree with after an event. */
static void settle(struct state *s)
{
	struct model_state state = { 0 };
	int i;

	for (i = 0; i < s->nr_ring; i++)
		state.ring[state.in_ring++] = describe(s, &s->ring[i]);
	for (i = 0; i < model->nr_servers; i++)
		state.waiting[i] = s->servers[i].nr_waiting;
	follower->settled(follower, &state);
}

bool model_walk(const struct model *parameters, struct model_follower *with, uint64_t *random,
		int steps)
{
	struct state s = { 0 };
	uint32_t without;
	int i, tries = 0;

	/* Three quarters of the walks are without each of these. */
	without = (draw(random, 4) ? 1 << LEAVE : 0) | (draw(random, 4) ? 1 << LONG_STARTS : 0);
	model = parameters;
	trace = with->trace;
	elapsed = 0;
	find_blocking();
	for (i = 0; i < model->nr_servers; i++)
		s.servers[i].age = of(i)->frame ? of(i)->period : 0;
	with->begin(with, model, blocking, horizon);
	follower = with;
	while (steps > 0 && !with->over) {
		struct event event = draw_event(random, without);

		/* A job that cannot run longer ends by itself. */
		if (s.nr_ring && s.ring[0].run < longest(&s) && with->ends(with, end_verdict(&s)))
			event = (struct event){ RECOVERED, 0, 0 };
		if (with->over)
			break;
		if (!walks(&s, event)) {
			/* Neither can time pass nor a job end: a recovery that is not promised. */
			if (event.kind == RECOVERED || ++tries > 1000)
				break;
			continue;
		}
		settle(&s);
		with->late = s.late;
		if (s.late)
			break;
		tries = 0;
		steps--;
	}
	follower = NULL;
	trace = NULL;
	return !with->diverged;
}

void model_search(const struct model *parameters, bool print, struct model_result *result)
{
	struct state first;
	uint32_t n;
	int i;

	model = parameters;
	trace = NULL;
	find_blocking();
	for (table_mask = 1; table_mask < 2 * model->max_states; table_mask *= 2)
		;
	/* The limit is tested before each state, which has less than 64 successors (kinds). */
	nodes = allocate(model->max_states + 64, sizeof(*nodes));
	table = allocate(table_mask--, sizeof(*table));
	nr_nodes = 0;
	memset(&first, 0, sizeof(first));
	for (i = 0; i < model->nr_servers; i++)
		first.servers[i].age = of(i)->frame ? of(i)->period : 0;
	visit(&first, 0, (struct event){ 0, 0, 0 });
	memset(result, 0, sizeof(*result));
	result->blocking = blocking;
	for (n = 0; n < nr_nodes && nr_nodes < model->max_states && !result->late; n++)
		for (i = TICK; i <= REOPEN && !result->late; i++)
			result->late = expand(n, i);
	result->states = nr_nodes;
	result->complete = n == nr_nodes;
	if (result->late) {
		trace = print ? stdout : NULL;
		print_trace(nr_nodes - 1, &result->steps);
		trace = NULL;
	}
	free(nodes);
	free(table);
}
