// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Selection of the job that enters the ring next
 *
 * A job in the ring can be neither preempted nor taken back, so what is promised depends on
 * which job enters the ring, and when. The order is:
 *
 * 1. Jobs of queues with a reservation, and jobs that such jobs wait for: the earliest
 *    deadline of the servers that pay for them (vivgpu_server.c).
 * 2. Best-effort jobs of the highest priority: those with a hint by the earliest deadline,
 *    then the least served queue. A hint has no effect while its queue is ahead of the
 *    others by more than a limit, so that deadlines in the past are of no use.
 *
 * Jobs of one queue keep their order; a job inherits payer and hint of those behind it.
 *
 * Without reservations there are at most two jobs in the ring, or up to eight short ones.
 * With reservations the jobs in the ring are one that runs, and one behind it if the bounds
 * of both are within what the admission test found to be harmless, or if the present state of
 * all servers permits it (vivgpu_servers_allow()). For a best-effort job the same holds on an
 * empty ring, and for a job that is longer than the budget of its server. A job that may not
 * start is held back, although the GPU is idle: that time is counted. It starts when the
 * servers' state permits it or, since a fence has to signal within finite time, after a time
 * limit. After it promises can be broken; such jobs are counted.
 *
 * Costs that user space predicts are not trusted: vivgpu_lengths.c has the assumed bounds.
 *
 * Pure functions; the caller serialises. Times are ns of one clock.
 */

#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include <kunit/visibility.h>

#include "vivgpu_arbiter.h"

/**
 * struct selection - a selection on its way
 * @arbiter: the arbiter
 * @now_ns: the time
 * @ring_ns: time that the jobs in the ring can still take, U64_MAX if that is not known
 * @paid: job with the earliest deadline of those that a server pays for
 * @other: the best-effort job that comes first
 * @late: oldest job that was held back for the longest time
 * @held: a job is held back
 * @hold_end_ns: when the first job that is held back has waited for the longest time
 */
struct selection {
	struct vivgpu_arbiter *arbiter;
	u64 now_ns;
	u64 ring_ns;
	struct vivgpu_arbiter_job *paid;
	struct vivgpu_arbiter_job *other;
	struct vivgpu_arbiter_job *late;
	bool held;
	u64 hold_end_ns;
};

/**
 * vivgpu_arbiter_init - initialise an arbiter without queues
 * @arbiter: the arbiter
 * @policy: constants, copied
 */
void vivgpu_arbiter_init(struct vivgpu_arbiter *arbiter,
			 const struct vivgpu_arbiter_policy *policy)
{
	*arbiter = (struct vivgpu_arbiter){
		.policy = *policy,
		.admitted.blocking_ns = policy->admission.max_blocking_ns,
		.recheck_ns = U64_MAX,
	};
	INIT_LIST_HEAD(&arbiter->servers);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_init);

/**
 * vivgpu_arbiter_init_queue - initialise a queue without a reservation
 * @queue: the queue
 * @priority: less than VIVGPU_ARBITER_PRIORITIES, the highest comes first
 */
void vivgpu_arbiter_init_queue(struct vivgpu_arbiter_queue *queue, u32 priority)
{
	*queue = (struct vivgpu_arbiter_queue){ .priority = priority };
	INIT_LIST_HEAD(&queue->server.link);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_init_queue);

/* Copy the reservations, without that of one queue, to the array for the test. */
static u32 vivgpu_arbiter_copy_set(struct vivgpu_arbiter *arbiter,
				   const struct vivgpu_arbiter_queue *without)
{
	const struct vivgpu_server *server;
	u32 count = 0;

	list_for_each_entry(server, &arbiter->servers, link) {
		if (!without || server != &without->server)
			arbiter->set[count++] = server->reservation;
	}

	return count;
}

/**
 * vivgpu_arbiter_check - whether one more reservation can be kept
 * @arbiter: the arbiter; neither vivgpu_arbiter_admit() nor vivgpu_arbiter_leave() is called
 *	meanwhile, but jobs may be selected, since this can take milliseconds
 * @reservation: budget and period; the overhead of one job is added to the budget
 * @result: out, for vivgpu_arbiter_admit()
 *
 * Return: VIVGPU_ADMITTED, or why the reservation is refused.
 */
enum vivgpu_admission_verdict vivgpu_arbiter_check(struct vivgpu_arbiter *arbiter,
						   struct vivgpu_reservation *reservation,
						   struct vivgpu_admission *result)
{
	u32 count = vivgpu_arbiter_copy_set(arbiter, NULL);

	if (!reservation->budget_ns || reservation->budget_ns > reservation->period_ns)
		return VIVGPU_REFUSED_VALUES;
	if (count == VIVGPU_MAX_RESERVATIONS)
		return VIVGPU_REFUSED_COUNT;

	reservation->budget_ns += arbiter->policy.overhead_ns;
	if (reservation->budget_ns > reservation->period_ns)
		return VIVGPU_REFUSED_UTILISATION;

	arbiter->set[count++] = *reservation;
	return vivgpu_admission_test(arbiter->set, count, &arbiter->policy.admission, result);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_check);

/**
 * vivgpu_arbiter_admit - give a queue a reservation
 * @arbiter: the arbiter
 * @queue: the queue, without jobs
 * @reservation: as vivgpu_arbiter_check() has left it
 * @result: what that returned with VIVGPU_ADMITTED
 */
void vivgpu_arbiter_admit(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_queue *queue,
			  const struct vivgpu_reservation *reservation,
			  const struct vivgpu_admission *result)
{
	vivgpu_server_init(&queue->server, reservation);
	list_add_tail(&queue->server.link, &arbiter->servers);
	arbiter->nr_servers++;
	arbiter->admitted = *result;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_admit);

/**
 * vivgpu_arbiter_check_without - the admission test without a queue's reservation
 * @arbiter: as for vivgpu_arbiter_check()
 * @queue: the queue
 * @result: out, for vivgpu_arbiter_leave()
 */
void vivgpu_arbiter_check_without(struct vivgpu_arbiter *arbiter,
				  const struct vivgpu_arbiter_queue *queue,
				  struct vivgpu_admission *result)
{
	u32 count = vivgpu_arbiter_copy_set(arbiter, queue);

	/* A part of an admitted set is admitted; if the test is too long, nothing changes. */
	if (vivgpu_admission_test(arbiter->set, count, &arbiter->policy.admission, result) !=
	    VIVGPU_ADMITTED)
		*result = arbiter->admitted;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_check_without);

/**
 * vivgpu_arbiter_leave - take a queue's reservation back
 * @arbiter: the arbiter
 * @queue: the queue; jobs that it still has become best-effort jobs
 * @result: of vivgpu_arbiter_check_without()
 */
void vivgpu_arbiter_leave(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_queue *queue,
			  const struct vivgpu_admission *result)
{
	list_del_init(&queue->server.link);
	arbiter->nr_servers--;
	arbiter->admitted = *result;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_leave);

/**
 * vivgpu_arbiter_bound - the assumed bound of a job's length, overhead included
 * @arbiter: the arbiter
 * @job: the job
 *
 * Return: ns.
 */
u64 vivgpu_arbiter_bound(const struct vivgpu_arbiter *arbiter,
			 const struct vivgpu_arbiter_job *job)
{
	const struct vivgpu_arbiter_queue *queue = job->queue;
	u64 overhead = arbiter->policy.overhead_ns;

	if (job->empty)
		return overhead;
	if (!job->cost_ns && !vivgpu_lengths_known(&queue->lengths))
		return vivgpu_arbiter_has_server(queue) ? queue->server.reservation.budget_ns :
							  arbiter->policy.unknown_ns + overhead;
	return vivgpu_lengths_bound(&queue->lengths, job->cost_ns) + overhead;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_bound);

/**
 * vivgpu_arbiter_arrive - a job begins to wait
 * @arbiter: the arbiter
 * @job: the job; its queue, deadline and cost are set
 * @now_ns: the time; not used if the queue has no reservation
 */
void vivgpu_arbiter_arrive(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			   u64 now_ns)
{
	struct vivgpu_arbiter_queue *queue = job->queue;
	u64 served = arbiter->served_ns[queue->priority];

	if (vivgpu_arbiter_has_server(queue))
		vivgpu_server_arrive(&queue->server, vivgpu_arbiter_bound(arbiter, job),
				     arbiter->admitted.horizon_ns, now_ns);
	else
		queue->used_ns = max(queue->used_ns, served - min(served, arbiter->policy.lead_ns));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_arrive);

/**
 * vivgpu_arbiter_donate - a job of a queue with a reservation waits for another job
 * @arbiter: the arbiter
 * @job: the job that is waited for, and that waits itself; it has no donor
 * @donor: server of the queue
 * @now_ns: the time
 */
void vivgpu_arbiter_donate(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			   struct vivgpu_server *donor, u64 now_ns)
{
	job->donor = donor;
	vivgpu_server_arrive(donor, vivgpu_arbiter_bound(arbiter, job),
			     arbiter->admitted.horizon_ns, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_donate);

/* A job waits in its queue: update the queue's first job, and what that inherits. */
static void vivgpu_arbiter_enter_selection(struct vivgpu_arbiter *arbiter,
					   struct vivgpu_arbiter_job *job)
{
	struct vivgpu_arbiter_queue *queue = job->queue;

	if (queue->selection != arbiter->selection) {
		queue->selection = arbiter->selection;
		queue->first = job;
		queue->payer = vivgpu_arbiter_has_server(queue) ? &queue->server : NULL;
		queue->hint_ns = U64_MAX;
	}
	if (job->donor && !list_empty(&job->donor->link) &&
	    (!queue->payer || job->donor->deadline_ns < queue->payer->deadline_ns))
		queue->payer = job->donor;
	if (job->deadline_ns)
		queue->hint_ns = min(queue->hint_ns, job->deadline_ns);
}

/*
 * Enter the jobs that may be selected. Behind a barrier there is none, and the barrier itself
 * is one only if it is the oldest job.
 */
static void vivgpu_arbiter_enter_all(struct vivgpu_arbiter *arbiter, struct list_head *jobs)
{
	struct vivgpu_arbiter_job *job;

	arbiter->selection++;
	list_for_each_entry(job, jobs, link) {
		if (!job->barrier || list_is_first(&job->link, jobs))
			vivgpu_arbiter_enter_selection(arbiter, job);
		if (job->barrier)
			break;
	}
}

static bool vivgpu_arbiter_is_first(const struct vivgpu_arbiter *arbiter,
				    const struct vivgpu_arbiter_job *job)
{
	return job->queue->selection == arbiter->selection && job->queue->first == job;
}

/* Time that the jobs in the ring can still take, U64_MAX if one takes longer than its bound. */
static u64 vivgpu_arbiter_ring_left(const struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	u64 elapsed = now_ns - min(now_ns, arbiter->ring_since_ns);

	if (!arbiter->ring_jobs)
		return 0;
	if (!arbiter->ring_first_ns)
		return arbiter->ring_ns;
	return elapsed > arbiter->ring_first_ns ? U64_MAX : arbiter->ring_ns - elapsed;
}

/* Whether no job may enter the ring until one has ended. */
static bool vivgpu_arbiter_ring_is_full(const struct selection *sel)
{
	const struct vivgpu_arbiter *arbiter = sel->arbiter;

	if (arbiter->ring_jobs < VIVGPU_ARBITER_DEPTH)
		return false;
	return arbiter->nr_servers || arbiter->ring_jobs >= VIVGPU_ARBITER_MAX_DEPTH ||
	       sel->ring_ns >= arbiter->policy.ring_ns;
}

/* Whether a job may enter the ring without regard to who waits now. */
static bool vivgpu_arbiter_allows(const struct selection *sel, u64 bound)
{
	const struct vivgpu_arbiter *arbiter = sel->arbiter;
	u64 chunk = sel->ring_ns + bound;

	if (!arbiter->nr_servers)
		return true;
	if (sel->ring_ns == U64_MAX)
		return false;
	return chunk <= arbiter->admitted.blocking_ns ||
	       vivgpu_servers_allow(&arbiter->servers,
				    chunk + arbiter->policy.admission.overrun_ns,
				    arbiter->admitted.horizon_ns, sel->now_ns);
}

/* A job may not enter the ring. */
static void vivgpu_arbiter_hold_back(struct selection *sel, struct vivgpu_arbiter_job *job)
{
	u64 limit = sel->arbiter->policy.hold_ns;

	sel->held = true;
	if (!limit)
		return;
	if (!job->held_back_ns)
		job->held_back_ns = sel->now_ns;
	if (job->held_back_ns + limit > sel->now_ns)
		sel->hold_end_ns = min(sel->hold_end_ns, job->held_back_ns + limit);
	else if (!sel->late)
		sel->late = job;
}

/* Whether the budget of a job's server in one period covers the job. */
static bool vivgpu_arbiter_is_within(const struct selection *sel,
				     const struct vivgpu_arbiter_job *job)
{
	return vivgpu_arbiter_bound(sel->arbiter, job) <=
	       job->queue->payer->reservation.budget_ns;
}

/* A job that a server pays for. One that is longer than a budget must not delay others. */
static void vivgpu_arbiter_consider_paid(struct selection *sel, struct vivgpu_arbiter_job *job)
{
	struct vivgpu_server *payer = job->queue->payer;
	u64 bound = vivgpu_arbiter_bound(sel->arbiter, job);

	vivgpu_server_fit(payer, bound);
	if (!vivgpu_arbiter_is_within(sel, job) && !vivgpu_arbiter_allows(sel, bound))
		vivgpu_arbiter_hold_back(sel, job);
	else if (!sel->paid || payer->deadline_ns < sel->paid->queue->payer->deadline_ns)
		sel->paid = job;
}

/* Deadline by which a best-effort queue is preferred, U64_MAX if it is not. */
static u64 vivgpu_arbiter_effective_hint(const struct vivgpu_arbiter *arbiter,
					 const struct vivgpu_arbiter_queue *queue)
{
	u64 served = arbiter->served_ns[queue->priority];

	return queue->used_ns <= served + arbiter->policy.lead_ns ? queue->hint_ns : U64_MAX;
}

/* Whether a best-effort job comes before another one, which is older. */
static bool vivgpu_arbiter_precedes(const struct vivgpu_arbiter *arbiter,
				    const struct vivgpu_arbiter_job *job,
				    const struct vivgpu_arbiter_job *than)
{
	const struct vivgpu_arbiter_queue *a = job->queue, *b = than->queue;
	u64 hint_a, hint_b;

	if (a->priority != b->priority)
		return a->priority > b->priority;

	hint_a = vivgpu_arbiter_effective_hint(arbiter, a);
	hint_b = vivgpu_arbiter_effective_hint(arbiter, b);
	return hint_a != hint_b ? hint_a < hint_b : a->used_ns < b->used_ns;
}

/* A best-effort job. */
static void vivgpu_arbiter_consider_other(struct selection *sel, struct vivgpu_arbiter_job *job)
{
	if (sel->arbiter->nr_servers &&
	    !vivgpu_arbiter_allows(sel, vivgpu_arbiter_bound(sel->arbiter, job)))
		vivgpu_arbiter_hold_back(sel, job);
	else if (!sel->other || vivgpu_arbiter_precedes(sel->arbiter, job, sel->other))
		sel->other = job;
}

/* Update the least service that any waiting best-effort queue has had; it never decreases. */
static void vivgpu_arbiter_update_served(struct vivgpu_arbiter *arbiter,
					 const struct list_head *jobs)
{
	u64 least[VIVGPU_ARBITER_PRIORITIES] = { U64_MAX, U64_MAX, U64_MAX };
	const struct vivgpu_arbiter_job *job;
	u32 i;

	list_for_each_entry(job, jobs, link) {
		if (vivgpu_arbiter_is_first(arbiter, job) && !job->queue->payer)
			least[job->queue->priority] = min(least[job->queue->priority],
							  job->queue->used_ns);
	}
	for (i = 0; i < VIVGPU_ARBITER_PRIORITIES; i++) {
		if (least[i] != U64_MAX)
			arbiter->served_ns[i] = max(arbiter->served_ns[i], least[i]);
	}
}

static void vivgpu_arbiter_consider_all(struct selection *sel, struct list_head *jobs)
{
	struct vivgpu_arbiter *arbiter = sel->arbiter;
	struct vivgpu_arbiter_job *job;

	list_for_each_entry(job, jobs, link) {
		if (!vivgpu_arbiter_is_first(arbiter, job))
			continue;
		if (job->queue->payer)
			vivgpu_arbiter_consider_paid(sel, job);
	}
	/* No best-effort job may start while a server's job waits. */
	if (sel->paid)
		return;

	list_for_each_entry(job, jobs, link) {
		if (vivgpu_arbiter_is_first(arbiter, job) && !job->queue->payer)
			vivgpu_arbiter_consider_other(sel, job);
	}
}

/* Count the time in which the GPU is idle although a job waits. */
static void vivgpu_arbiter_count_idle(struct vivgpu_arbiter *arbiter, bool idle, u64 now_ns)
{
	if (arbiter->idle_since_ns)
		arbiter->idle_ns += now_ns - arbiter->idle_since_ns;
	arbiter->idle_since_ns = idle ? now_ns : 0;
}

/* The job that enters the ring, of those considered, or NULL. */
static struct vivgpu_arbiter_job *vivgpu_arbiter_decide(struct selection *sel,
							struct vivgpu_arbiter_job *first)
{
	struct vivgpu_arbiter *arbiter = sel->arbiter;

	/* Jobs from before the arbiter was asked enter the ring in their order. */
	if (first->barrier)
		return first;
	if (sel->paid && arbiter->ring_jobs &&
	    !vivgpu_arbiter_allows(sel, vivgpu_arbiter_bound(arbiter, sel->paid)))
		return NULL;
	if (sel->paid)
		return sel->paid;
	if (!sel->late || arbiter->ring_jobs)
		return sel->other;

	arbiter->forced++;
	sel->late->forced = true;
	return sel->late;
}

/**
 * vivgpu_arbiter_select - which job enters the ring now
 * @arbiter: the arbiter
 * @jobs: the waiting jobs, oldest first
 * @now_ns: the time
 *
 * The caller takes the job out of the list, calls vivgpu_arbiter_start() and selects
 * again. It also selects at the time @arbiter->recheck_ns.
 *
 * Return: a job of the list, or NULL if none may enter the ring now.
 */
struct vivgpu_arbiter_job *vivgpu_arbiter_select(struct vivgpu_arbiter *arbiter,
						 struct list_head *jobs, u64 now_ns)
{
	struct selection sel = {
		.arbiter = arbiter,
		.now_ns = now_ns,
		.ring_ns = vivgpu_arbiter_ring_left(arbiter, now_ns),
		.hold_end_ns = U64_MAX,
	};
	struct vivgpu_arbiter_job *job;

	arbiter->recheck_ns = U64_MAX;
	if (vivgpu_arbiter_ring_is_full(&sel) || list_empty(jobs)) {
		vivgpu_arbiter_count_idle(arbiter, false, now_ns);
		return NULL;
	}

	vivgpu_arbiter_enter_all(arbiter, jobs);
	vivgpu_arbiter_update_served(arbiter, jobs);
	vivgpu_arbiter_consider_all(&sel, jobs);
	job = vivgpu_arbiter_decide(&sel, list_first_entry(jobs, struct vivgpu_arbiter_job, link));
	vivgpu_arbiter_count_idle(arbiter, sel.held && !job && !arbiter->ring_jobs, now_ns);
	if (sel.held && !job)
		arbiter->recheck_ns = min(sel.hold_end_ns,
					  vivgpu_servers_next_change(&arbiter->servers,
								     arbiter->admitted.horizon_ns,
								     now_ns));
	return job;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_select);

/**
 * vivgpu_arbiter_start - a job enters the ring
 * @arbiter: the arbiter
 * @job: the job, selected; or one that was in the ring before the arbiter was asked
 * @now_ns: the time
 */
void vivgpu_arbiter_start(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			  u64 now_ns)
{
	struct vivgpu_arbiter_queue *queue = job->queue;
	struct vivgpu_server *payer = vivgpu_arbiter_has_server(queue) ? &queue->server : NULL;

	if (vivgpu_arbiter_is_first(arbiter, job))
		payer = queue->payer;
	job->bound_ns = vivgpu_arbiter_bound(arbiter, job);
	job->in_ring = true;
	queue->first = NULL;
	job->payer = payer;
	job->promised_ns = payer ? payer->deadline_ns : 0;
	arbiter->ring_first_ns = arbiter->ring_jobs ? arbiter->ring_first_ns : job->bound_ns;
	arbiter->ring_since_ns = arbiter->ring_jobs ? arbiter->ring_since_ns : now_ns;
	arbiter->ring_ns += job->bound_ns;
	arbiter->ring_jobs++;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_start);

/**
 * vivgpu_arbiter_drop - a job is over, or will not run
 * @job: the job, which is neither waiting nor in the ring
 */
void vivgpu_arbiter_drop(struct vivgpu_arbiter_job *job)
{
	if (job->queue->first == job)
		job->queue->first = NULL;
	if (vivgpu_arbiter_has_server(job->queue))
		job->queue->server.pending--;
	if (job->donor)
		job->donor->pending--;
	job->donor = NULL;
	job->payer = NULL;
	job->in_ring = false;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_drop);

/**
 * vivgpu_arbiter_finish - the oldest job in the ring ended
 * @arbiter: the arbiter
 * @job: the job
 * @started_ns: when it started
 * @finished_ns: when it ended
 *
 * Return: VIVGPU_ARBITER_MISSED if it ended after its deadline, VIVGPU_ARBITER_OVERRUN if it
 * took longer than its bound.
 */
u32 vivgpu_arbiter_finish(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			  u64 started_ns, u64 finished_ns)
{
	u64 deadline = job->deadline_ns ?: job->promised_ns;
	u64 used = finished_ns - started_ns + arbiter->policy.overhead_ns;
	u32 flags = 0;

	if (deadline && finished_ns > deadline)
		flags |= VIVGPU_ARBITER_MISSED;
	if (used > job->bound_ns)
		flags |= VIVGPU_ARBITER_OVERRUN;
	arbiter->missed += !!(flags & VIVGPU_ARBITER_MISSED);
	arbiter->overruns += !!(flags & VIVGPU_ARBITER_OVERRUN);

	if (job->payer)
		vivgpu_server_charge(job->payer, used);
	else
		job->queue->used_ns += used;
	arbiter->ring_jobs--;
	arbiter->ring_ns -= job->bound_ns;
	arbiter->ring_first_ns = arbiter->ring_jobs == 1 ? arbiter->ring_ns : 0;
	arbiter->ring_since_ns = finished_ns;
	vivgpu_arbiter_drop(job);
	return flags;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_finish);

/**
 * vivgpu_arbiter_requeue - the jobs in the ring wait again, because of a reset
 * @arbiter: the arbiter
 */
void vivgpu_arbiter_requeue(struct vivgpu_arbiter *arbiter)
{
	arbiter->ring_jobs = 0;
	arbiter->ring_ns = 0;
	arbiter->ring_first_ns = 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_requeue);
