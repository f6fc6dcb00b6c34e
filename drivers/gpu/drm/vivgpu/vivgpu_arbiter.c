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
 *    others by more than a limit, so that a queue gains nothing by deadlines in the past. A
 *    new queue begins just above that limit, so that a client gains nothing by new queues.
 *
 * Jobs of one queue keep their order; a job inherits payer and hint from those queued after it.
 *
 * The ring holds at most two jobs, or up to sixteen short ones. Jobs that a server pays for and
 * best-effort jobs are not in it at the same time, unless the first one was forced (below). With
 * reservations, the sum of the bounds of the jobs in the ring is limited to the time that the
 * admission test found to be harmless (the blocking), or to more if the present state of all
 * servers permits it (vivgpu_servers_slack()).
 * A job that may not start is held back even if the GPU is idle; that idle time is counted. The
 * job starts when the servers' state permits it or, since a fence has to signal within finite
 * time, after a time limit: then it is forced.
 *
 * Bounds are assumptions (vivgpu_lengths.c), and user space decides how long its jobs are. What is
 * promised does not depend on them: a job that delays a server's job for longer than the blocking
 * and than the servers' state permits is ended by a recovery.
 *
 * Pure functions; the caller serialises. Times are ns of one clock.
 */

#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include <kunit/visibility.h>

#include "vivgpu_arbiter.h"

/*
 * The driver's constants; the simulations use the same ones. Those of the admission test and
 * hold_ns are explained in Documentation/gpu/deadlines.rst.
 */
const struct vivgpu_arbiter_policy vivgpu_arbiter_driver_policy = {
	.admission = {
		.overrun_ns = NSEC_PER_MSEC,
		.min_blocking_ns = NSEC_PER_MSEC,
		.max_blocking_ns = 20 * NSEC_PER_MSEC,
		.recovery_ns = NSEC_PER_MSEC / 2,
	},
	.overhead_ns = 100 * NSEC_PER_USEC,
	.unknown_ns = NSEC_PER_MSEC / 2,
	.hold_ns = NSEC_PER_SEC,
	.ring_ns = 2 * NSEC_PER_MSEC,
	.lead_ns = 20 * NSEC_PER_MSEC,
};

/**
 * struct selection - state of one call of vivgpu_arbiter_select()
 * @arbiter: the arbiter
 * @now_ns: the time
 * @ring_ns: time that the jobs in the ring can still take, U64_MAX if that is not known
 * @queues: list of the queues with waiting jobs, by the age of their first ones
 * @paid: of the jobs that a server pays for, the one with the earliest deadline
 * @other: the best-effort job that comes first
 * @late: oldest job that a server pays for and that has been held back for the policy's @hold_ns,
 *        or the oldest other one if there is none
 * @held: a job is held back
 * @hold_end_ns: when the next of them will have been held back for that time, or U64_MAX
 */
struct selection {
	struct vivgpu_arbiter *arbiter;
	u64 now_ns;
	u64 ring_ns;
	struct vivgpu_arbiter_queue *queues;
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
		.tolerated_ns = policy->admission.overrun_ns / 2,
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
	INIT_LIST_HEAD(&queue->behind);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_init_queue);

/*
 * Copy all reservations to the array for the admission test: those of queues, and those of queues
 * that have left which are not free yet. Returns their number.
 */
static u32 vivgpu_arbiter_copy_set(struct vivgpu_arbiter *arbiter)
{
	const struct vivgpu_server *server;
	u32 count = 0, i;

	list_for_each_entry(server, &arbiter->servers, link)
		arbiter->set[count++] = server->reservation;
	for (i = 0; i < arbiter->nr_leaving; i++)
		arbiter->set[count++] = arbiter->leaving[i].reservation;
	return count;
}

/* Remove those reservations from @leaving that are free for others by now. */
static void vivgpu_arbiter_free_left(struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	u32 i = 0;

	while (i < arbiter->nr_leaving) {
		if (arbiter->leaving[i].free_ns <= now_ns)
			arbiter->leaving[i] = arbiter->leaving[--arbiter->nr_leaving];
		else
			i++;
	}
}

/**
 * vivgpu_arbiter_check - whether one more reservation can be kept
 * @arbiter: the arbiter; neither vivgpu_arbiter_admit() nor vivgpu_arbiter_leave() is called
 *	meanwhile, but jobs may be selected, since this can take milliseconds
 * @reservation: budget and period; the overhead of one job is added to the budget
 * @now_ns: the time
 * @result: out, for vivgpu_arbiter_admit()
 *
 * Return: VIVGPU_ADMITTED, or why the reservation is refused.
 */
enum vivgpu_admission_verdict vivgpu_arbiter_check(struct vivgpu_arbiter *arbiter,
						   struct vivgpu_reservation *reservation,
						   u64 now_ns, struct vivgpu_admission *result)
{
	u32 count;

	vivgpu_arbiter_free_left(arbiter, now_ns);
	count = vivgpu_arbiter_copy_set(arbiter);
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

/* Whether a job of a server waits or is in the ring. */
static bool vivgpu_arbiter_is_pending(const struct vivgpu_arbiter *arbiter)
{
	const struct vivgpu_server *server;

	list_for_each_entry(server, &arbiter->servers, link) {
		if (server->pending)
			return true;
	}

	return false;
}

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
	/*
	 * Jobs that wait or run may block for longer than is permitted from here on. That cannot
	 * make a job late whose deadline is further away than the previous reservations' horizon.
	 */
	if (arbiter->ring_jobs || vivgpu_arbiter_is_pending(arbiter))
		queue->server.start_ns = arbiter->admitted.horizon_ns;
	list_add_tail(&queue->server.link, &arbiter->servers);
	arbiter->nr_servers++;
	arbiter->admitted = *result;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_admit);

/**
 * vivgpu_arbiter_retest - the admission test after queues have left
 * @arbiter: as for vivgpu_arbiter_check()
 * @now_ns: the time
 * @result: out: the caller stores it as the arbiter's @admitted
 *
 * Return: when to call this again, since the reservation of a queue that has left is free, or
 * U64_MAX.
 */
u64 vivgpu_arbiter_retest(struct vivgpu_arbiter *arbiter, u64 now_ns,
			  struct vivgpu_admission *result)
{
	u64 next = U64_MAX;
	u32 count, i;

	vivgpu_arbiter_free_left(arbiter, now_ns);
	count = vivgpu_arbiter_copy_set(arbiter);
	/* A part of an admitted set is admitted; if the test is too long, nothing changes. */
	if (vivgpu_admission_test(arbiter->set, count, &arbiter->policy.admission, result) !=
	    VIVGPU_ADMITTED)
		*result = arbiter->admitted;
	for (i = 0; i < arbiter->nr_leaving; i++)
		next = min(next, arbiter->leaving[i].free_ns);
	return next;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_retest);

/**
 * vivgpu_arbiter_leave - take a queue's reservation back
 * @arbiter: the arbiter
 * @queue: the queue; jobs that it still has become best-effort jobs
 * @now_ns: the time
 *
 * The caller calls vivgpu_arbiter_retest() afterwards.
 *
 * Return: when others can get the reservation, as vivgpu_server_free_ns().
 */
u64 vivgpu_arbiter_leave(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_queue *queue,
			 u64 now_ns)
{
	const struct vivgpu_server *server = &queue->server;
	u64 free_ns = vivgpu_server_free_ns(server);

	list_del_init(&queue->server.link);
	arbiter->nr_servers--;
	if (free_ns > now_ns)
		arbiter->leaving[arbiter->nr_leaving++] = (struct vivgpu_arbiter_leaving){
			.reservation = server->reservation,
			.free_ns = free_ns,
		};
	return free_ns;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_leave);

/*
 * Assumed bound of a job whose queue has a reservation. Predictions alone do not raise it above the
 * budget: while no job was measured to be longer, one that is longer counts as an overrun.
 */
static u64 vivgpu_arbiter_reserved_bound(const struct vivgpu_arbiter *arbiter,
					 const struct vivgpu_arbiter_queue *queue, u64 cost_ns,
					 u64 predicted_ns)
{
	u64 overhead = arbiter->policy.overhead_ns;
	u64 bound = vivgpu_lengths_bound(&queue->lengths, cost_ns, predicted_ns) + overhead;
	u64 longest = vivgpu_lengths_bound(&queue->lengths, 0, 0) + overhead;

	if (!cost_ns && !vivgpu_lengths_known(&queue->lengths))
		return queue->server.reservation.budget_ns;
	return min(bound, max(longest, queue->server.reservation.budget_ns));
}

/* vivgpu_arbiter_bound() with @predicted_ns in place of the bound that user space predicts */
static u64 vivgpu_arbiter_bound_with(const struct vivgpu_arbiter *arbiter,
				     const struct vivgpu_arbiter_job *job, u64 predicted_ns)
{
	const struct vivgpu_arbiter_queue *queue = job->queue;
	u64 overhead = arbiter->policy.overhead_ns;
	u64 bound;

	if (job->empty)
		return overhead;
	if (vivgpu_arbiter_has_server(queue))
		return vivgpu_arbiter_reserved_bound(arbiter, queue, job->cost_ns, predicted_ns);

	bound = vivgpu_lengths_bound(&queue->lengths, job->cost_ns, predicted_ns) + overhead;
	if (vivgpu_lengths_known(&queue->lengths))
		return bound;
	return max(bound, arbiter->nr_servers ? arbiter->admitted.blocking_ns :
						arbiter->policy.unknown_ns + overhead);
}

/**
 * vivgpu_arbiter_bound - the assumed bound of a job's length, overhead included
 * @arbiter: the arbiter
 * @job: the job
 *
 * While a queue has a reservation, a best-effort queue of which nothing was measured is assumed to
 * have jobs of the longest time that is harmless; what it predicts does not lower that.
 *
 * Return: ns.
 */
u64 vivgpu_arbiter_bound(const struct vivgpu_arbiter *arbiter,
			 const struct vivgpu_arbiter_job *job)
{
	return vivgpu_arbiter_bound_with(arbiter, job, job->predicted_bound_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_bound);

/* Whether the bound that user space predicts decides what is assumed */
static bool vivgpu_arbiter_is_predicted(const struct vivgpu_arbiter *arbiter,
					const struct vivgpu_arbiter_job *job)
{
	return job->predicted_bound_ns &&
	       vivgpu_arbiter_bound(arbiter, job) > vivgpu_arbiter_bound_with(arbiter, job, 0);
}

/**
 * vivgpu_arbiter_arrive - a job begins to wait
 * @arbiter: the arbiter
 * @job: the job; its queue, deadline, cost and predicted bound are set
 * @now_ns: the time; not used if the queue has no reservation
 *
 * A best-effort queue whose @used_ns is 0 is new: it gets the GPU time with which queues begin.
 */
void vivgpu_arbiter_arrive(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			   u64 now_ns)
{
	struct vivgpu_arbiter_queue *queue = job->queue;
	u64 served = arbiter->served_ns[queue->priority];

	if (vivgpu_arbiter_has_server(queue))
		vivgpu_server_arrive(&queue->server, vivgpu_arbiter_bound(arbiter, job),
				     arbiter->admitted.horizon_ns, now_ns);
	else if (queue->used_ns)
		queue->used_ns = max(queue->used_ns, served - min(served, arbiter->policy.lead_ns));
	else
		queue->used_ns = served + arbiter->policy.lead_ns + 1;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_arrive);

/*
 * Deadline with which a job may run on the budget of a queue that waits for it, 0 if it may not:
 * the budget that it would find has to cover the job and the longest of the queue's own last
 * frames. The deadline is never postponed for other queues' jobs, so these can neither take more
 * than one budget in a period, nor what the queue needs itself. Does not change the server:
 * vivgpu_arbiter_start() does.
 */
static u64 vivgpu_arbiter_lend_until(const struct vivgpu_arbiter *arbiter,
				     const struct vivgpu_arbiter_queue *donor, u64 bound,
				     u64 now_ns)
{
	u64 own = vivgpu_lengths_frame(&donor->lengths);
	struct vivgpu_server woken;

	if (!vivgpu_arbiter_has_server(donor) || !own)
		return 0;

	woken = vivgpu_server_woken(&donor->server, arbiter->admitted.horizon_ns, now_ns);
	if (woken.deadline_ns <= now_ns || !vivgpu_server_covers(&woken, bound + own))
		return 0;
	return woken.deadline_ns;
}

/*
 * Let the queue's first job run on the budget of a queue that waits for it, if that one's deadline
 * is earlier than the deadline with which it runs otherwise.
 */
static void vivgpu_arbiter_inherit(struct vivgpu_arbiter *arbiter,
				   struct vivgpu_arbiter_queue *queue,
				   struct vivgpu_arbiter_queue *donor, u64 now_ns)
{
	u64 bound = vivgpu_arbiter_bound(arbiter, queue->first);
	u64 due = vivgpu_arbiter_lend_until(arbiter, donor, bound, now_ns);

	if (!due || (queue->payer && queue->due_ns <= due))
		return;

	queue->payer = &donor->server;
	queue->due_ns = due;
}

/*
 * Update a queue's state in this selection from one of its waiting jobs, oldest first: the first
 * job, and what it inherits from the later ones. Returns whether the job is the first one.
 */
static bool vivgpu_arbiter_enter_selection(struct vivgpu_arbiter *arbiter,
					   struct vivgpu_arbiter_job *job, u64 now_ns)
{
	struct vivgpu_arbiter_queue *queue = job->queue;
	bool first = queue->selection != arbiter->selection;

	if (first) {
		queue->selection = arbiter->selection;
		queue->next = NULL;
		queue->first = job;
		queue->payer = vivgpu_arbiter_has_server(queue) ? &queue->server : NULL;
		queue->due_ns = queue->server.deadline_ns;
		queue->hint_ns = U64_MAX;
	}
	/* The donor may wait for a later job: the first one is what would run on its budget. */
	if (job->donor)
		vivgpu_arbiter_inherit(arbiter, queue, job->donor, now_ns);
	if (job->deadline_ns)
		queue->hint_ns = min(queue->hint_ns, job->deadline_ns);
	return first;
}

/*
 * Enter the jobs that may be selected: none after a barrier, and a barrier only if it is the
 * oldest job.
 */
static void vivgpu_arbiter_enter_all(struct selection *sel, struct list_head *jobs)
{
	struct vivgpu_arbiter_queue **tail = &sel->queues;
	struct vivgpu_arbiter_job *job;

	sel->arbiter->selection++;
	list_for_each_entry(job, jobs, link) {
		if ((!job->barrier || list_is_first(&job->link, jobs)) &&
		    vivgpu_arbiter_enter_selection(sel->arbiter, job, sel->now_ns)) {
			*tail = job->queue;
			tail = &job->queue->next;
		}
		if (job->barrier)
			break;
	}
}

static bool vivgpu_arbiter_is_first(const struct vivgpu_arbiter *arbiter,
				    const struct vivgpu_arbiter_job *job)
{
	return job->queue->selection == arbiter->selection && job->queue->first == job;
}

static u64 vivgpu_arbiter_elapsed(const struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	return now_ns - min(now_ns, arbiter->ring_since_ns);
}

/* Time that the jobs in the ring can still take, U64_MAX if one takes longer than its bound. */
static u64 vivgpu_arbiter_ring_left(const struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	u64 elapsed = vivgpu_arbiter_elapsed(arbiter, now_ns);

	if (!arbiter->ring_jobs)
		return 0;
	return elapsed > arbiter->ring[0]->bound_ns ? U64_MAX : arbiter->ring_ns - elapsed;
}

/* Whether no job may enter the ring until one has ended. */
static bool vivgpu_arbiter_ring_is_full(const struct vivgpu_arbiter *arbiter, u64 left_ns)
{
	if (arbiter->ring_jobs < VIVGPU_ARBITER_DEPTH)
		return false;
	return arbiter->ring_jobs >= VIVGPU_ARBITER_MAX_DEPTH ||
	       left_ns >= arbiter->policy.ring_ns;
}

/*
 * Whether the GPU may be busy for @chunk ns, whatever jobs arrive in that time. The server @payer,
 * if not NULL, pays for @bound of it.
 */
static bool vivgpu_arbiter_is_harmless(const struct selection *sel,
				       const struct vivgpu_server *payer, u64 bound, u64 chunk)
{
	const struct vivgpu_arbiter *arbiter = sel->arbiter;
	const struct vivgpu_admission_policy *policy = &arbiter->policy.admission;

	return chunk <= arbiter->admitted.blocking_ns ||
	       (s64)(chunk + policy->overrun_ns + policy->recovery_ns) <=
	       vivgpu_servers_slack(&arbiter->servers, payer, bound,
				    arbiter->admitted.horizon_ns, sel->now_ns);
}

/* Whether a job may join those in the ring. */
static bool vivgpu_arbiter_allows(const struct selection *sel, const struct vivgpu_server *payer,
				  u64 bound)
{
	if (!sel->arbiter->nr_servers)
		return true;
	return sel->ring_ns != U64_MAX &&
	       vivgpu_arbiter_is_harmless(sel, payer, bound, sel->ring_ns + bound);
}

/* Record that a job is held back, and since when. */
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

/*
 * Postpone the deadline of a job's server until the budget covers the job. Returns whether the job
 * may start: one that is longer than a whole budget must not delay other servers.
 */
static bool vivgpu_arbiter_replenish(struct selection *sel, struct vivgpu_arbiter_job *job)
{
	struct vivgpu_server *payer = job->queue->payer;
	u64 bound = vivgpu_arbiter_bound(sel->arbiter, job);

	/* vivgpu_arbiter_lend_until() has checked that a lent budget covers the job. */
	if (payer != &job->queue->server)
		return true;

	vivgpu_server_fit(payer, bound, sel->now_ns);
	job->queue->due_ns = payer->deadline_ns;
	if (bound <= payer->reservation.budget_ns ||
	    vivgpu_arbiter_is_harmless(sel, payer, bound, bound))
		return true;

	vivgpu_server_renew(payer, bound, sel->now_ns);
	return false;
}

/* Enter a job that a server pays for. */
static void vivgpu_arbiter_enter_paid(struct selection *sel, struct vivgpu_arbiter_job *job)
{
	if (!vivgpu_arbiter_replenish(sel, job))
		vivgpu_arbiter_hold_back(sel, job);
	else if (!sel->paid || job->queue->due_ns < sel->paid->queue->due_ns)
		sel->paid = job;
}

/* The queue's hint, or U64_MAX if the queue is too far ahead of others for it to have an effect. */
static u64 vivgpu_arbiter_effective_hint(const struct vivgpu_arbiter *arbiter,
					 const struct vivgpu_arbiter_queue *queue)
{
	u64 served = arbiter->served_ns[queue->priority];

	return queue->used_ns <= served + arbiter->policy.lead_ns ? queue->hint_ns : U64_MAX;
}

/* Whether a best-effort job comes before @than, which is older. */
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

/* Enter a best-effort job. */
static void vivgpu_arbiter_enter_other(struct selection *sel, struct vivgpu_arbiter_job *job)
{
	if (sel->arbiter->nr_servers &&
	    !vivgpu_arbiter_allows(sel, NULL, vivgpu_arbiter_bound(sel->arbiter, job)))
		vivgpu_arbiter_hold_back(sel, job);
	else if (!sel->other || vivgpu_arbiter_precedes(sel->arbiter, job, sel->other))
		sel->other = job;
}

/* Update the least service that any waiting best-effort queue has had; it never decreases. */
static void vivgpu_arbiter_update_served(const struct selection *sel)
{
	u64 least[VIVGPU_ARBITER_PRIORITIES] = { U64_MAX, U64_MAX, U64_MAX };
	struct vivgpu_arbiter *arbiter = sel->arbiter;
	const struct vivgpu_arbiter_queue *queue;
	u32 i;

	for (queue = sel->queues; queue; queue = queue->next) {
		if (!queue->payer)
			least[queue->priority] = min(least[queue->priority], queue->used_ns);
	}
	for (i = 0; i < VIVGPU_ARBITER_PRIORITIES; i++) {
		if (least[i] != U64_MAX)
			arbiter->served_ns[i] = max(arbiter->served_ns[i], least[i]);
	}
}

/*
 * Whether a job in the ring runs on a budget. If servers waited for a best-effort job before it, a
 * best-effort job behind it would block them a second time. A forced job does not count: like a
 * best-effort one it may be ended (vivgpu_arbiter_can_end()).
 */
static bool vivgpu_arbiter_runs_server(const struct vivgpu_arbiter *arbiter)
{
	u32 i;

	for (i = 0; i < arbiter->ring_jobs; i++) {
		if (arbiter->ring[i]->payer && !arbiter->ring[i]->forced)
			return true;
	}

	return false;
}

/* Find the jobs that come first, and hold back those that may not start. */
static void vivgpu_arbiter_rank(struct selection *sel)
{
	const struct vivgpu_arbiter_queue *queue;

	for (queue = sel->queues; queue; queue = queue->next) {
		if (queue->payer)
			vivgpu_arbiter_enter_paid(sel, queue->first);
	}
	/* No best-effort job may start while a server's job could, or after one in the ring. */
	if (sel->paid || vivgpu_arbiter_runs_server(sel->arbiter))
		return;

	for (queue = sel->queues; queue; queue = queue->next) {
		if (!queue->payer)
			vivgpu_arbiter_enter_other(sel, queue->first);
	}
}

/* Count the time in which the GPU is idle although a job waits. */
static void vivgpu_arbiter_count_idle(struct vivgpu_arbiter *arbiter, bool idle, u64 now_ns)
{
	if (arbiter->idle_since_ns)
		arbiter->idle_ns += now_ns - arbiter->idle_since_ns;
	arbiter->idle_since_ns = idle ? now_ns : 0;
}

/*
 * How long a job in the ring may take before it is an overrun: its bound. A job that runs on its
 * own queue's budget may take all that is left of it, since others are promised no more than the
 * rest. A job that entered the ring after others may not: only the sum of its bound and theirs was
 * found to be harmless.
 */
static u64 vivgpu_arbiter_limit(const struct vivgpu_arbiter_job *job)
{
	const struct vivgpu_server *server = job->payer;
	s64 left;

	/* A postponed deadline means that the budget is that of a later period. */
	if (!server || job->lent || job->behind || server->deadline_ns != job->promised_ns)
		return job->bound_ns;

	left = min_t(s64, server->budget_ns, server->reservation.budget_ns) -
	       (s64)(server->committed_ns - job->bound_ns);
	return max_t(s64, job->bound_ns, left);
}

/*
 * Whether a job in the ring may be ended in favour of servers. One that runs on a budget may only
 * be ended after an overrun, so only if it is the oldest one, which runs, unless it was forced; a
 * barrier, a job from before the arbiter was active, never.
 */
static bool vivgpu_arbiter_can_end(const struct vivgpu_arbiter *arbiter, u32 index, u64 now_ns)
{
	const struct vivgpu_arbiter_job *job = arbiter->ring[index];

	if (job->barrier)
		return false;
	if (!job->payer || job->forced)
		return true;
	return !index && vivgpu_arbiter_elapsed(arbiter, now_ns) > vivgpu_arbiter_limit(job);
}

/* Whether any job in the ring may be ended. */
static bool vivgpu_arbiter_can_end_any(const struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	u32 i;

	for (i = 0; i < arbiter->ring_jobs; i++) {
		if (vivgpu_arbiter_can_end(arbiter, i, now_ns))
			return true;
	}

	return false;
}

/*
 * Whether a server's job may enter the ring. It may not queue after a job that may be ended: should
 * that job overrun and a job with an earlier deadline arrive, this one could not be taken back.
 */
static bool vivgpu_arbiter_can_enter(const struct selection *sel,
				     const struct vivgpu_arbiter_job *job)
{
	const struct vivgpu_arbiter *arbiter = sel->arbiter;
	const struct vivgpu_server *payer = job->queue->payer;
	u64 bound = vivgpu_arbiter_bound(arbiter, job);
	bool covered = payer != &job->queue->server || vivgpu_server_covers(payer, bound);

	return !arbiter->ring_jobs ||
	       (!vivgpu_arbiter_can_end_any(arbiter, sel->now_ns) && covered &&
		vivgpu_arbiter_allows(sel, payer, bound));
}

/* The job that enters the ring, or NULL. */
static struct vivgpu_arbiter_job *vivgpu_arbiter_decide(struct selection *sel,
							struct vivgpu_arbiter_job *first)
{
	struct vivgpu_arbiter *arbiter = sel->arbiter;

	/* Jobs from before the arbiter was active enter the ring in their order. */
	if (first->barrier)
		return first;
	if (sel->paid)
		return vivgpu_arbiter_can_enter(sel, sel->paid) ? sel->paid : NULL;
	if (!sel->late || arbiter->ring_jobs)
		return sel->other;

	arbiter->forced++;
	sel->late->forced = true;
	return sel->late;
}

/*
 * Sum of the bounds of the jobs that are behind the oldest one in the ring and may not be ended.
 * They do not run, so vivgpu_arbiter_can_end() does not use the time.
 */
static u64 vivgpu_arbiter_behind(const struct vivgpu_arbiter *arbiter)
{
	u64 sum = 0;
	u32 i;

	for (i = 1; i < arbiter->ring_jobs; i++) {
		if (!vivgpu_arbiter_can_end(arbiter, i, 0))
			sum += arbiter->ring[i]->bound_ns;
	}

	return sum;
}

/*
 * When the oldest job in the ring has to end. A best-effort job may block servers for the blocking,
 * counted from when the first of their jobs waits. An overrun ends at the job's limit and what is
 * left of @tolerated_ns: half of the policy's overrun_ns for all overruns until servers have no
 * more jobs. The other half is for latencies, such as that of the timer which ends the job. The job
 * gets more than either if the servers' state permits it. Called if the job may be ended and a
 * server's job waits for it, so @blocked_ns is set.
 */
static u64 vivgpu_arbiter_end_ns(const struct selection *sel)
{
	const struct vivgpu_arbiter *arbiter = sel->arbiter;
	const struct vivgpu_admission_policy *policy = &arbiter->policy.admission;
	const struct vivgpu_arbiter_job *job = arbiter->ring[0];
	bool overrun = job->payer && !job->forced;
	u64 tolerated = overrun ? arbiter->tolerated_ns : 0;
	u64 elapsed = vivgpu_arbiter_elapsed(arbiter, sel->now_ns);
	u64 used = job->lent ? min(elapsed, job->bound_ns) : job->payer ? elapsed : 0;
	s64 slack = vivgpu_servers_slack(&arbiter->servers, job->payer, used,
					 arbiter->admitted.horizon_ns, sel->now_ns) -
		    (s64)(policy->recovery_ns + policy->overrun_ns +
			  vivgpu_arbiter_behind(arbiter));
	u64 end = overrun ? arbiter->ring_since_ns + vivgpu_arbiter_limit(job) :
			    arbiter->blocked_ns + arbiter->admitted.blocking_ns;

	return max(end + tolerated, sel->now_ns + max_t(s64, slack, 0));
}

/* Whether a server's job waits for the oldest job in the ring, in the ring or outside. */
static bool vivgpu_arbiter_is_waited_for(const struct selection *sel)
{
	const struct vivgpu_arbiter *arbiter = sel->arbiter;
	u32 i;

	for (i = 1; i < arbiter->ring_jobs; i++) {
		if (arbiter->ring[i]->payer)
			return true;
	}

	return arbiter->ring_jobs && sel->paid;
}

/*
 * Determine whether the oldest job in the ring has to end now, or else when to check again: when it
 * has to end, or, if it may not be ended yet, 1 ns after its limit, when it may be. Only its end
 * changes anything for a barrier.
 */
static void vivgpu_arbiter_watch(struct selection *sel)
{
	struct vivgpu_arbiter *arbiter = sel->arbiter;
	u64 end;

	arbiter->overdue = false;
	if (!vivgpu_arbiter_is_waited_for(sel)) {
		arbiter->blocked_ns = 0;
		return;
	}

	if (!vivgpu_arbiter_can_end_any(arbiter, sel->now_ns))
		arbiter->blocked_ns = 0;
	else
		arbiter->blocked_ns = arbiter->blocked_ns ?: sel->now_ns;
	if (vivgpu_arbiter_can_end(arbiter, 0, sel->now_ns))
		end = vivgpu_arbiter_end_ns(sel);
	else if (arbiter->ring[0]->barrier)
		end = U64_MAX;
	else
		end = max(arbiter->ring_since_ns + vivgpu_arbiter_limit(arbiter->ring[0]),
			  sel->now_ns) + 1;
	arbiter->overdue = end <= sel->now_ns;
	if (!arbiter->overdue)
		arbiter->recheck_ns = min(arbiter->recheck_ns, end);
}

/**
 * vivgpu_arbiter_join - choose the list in which a job waits
 * @queue: its queue
 * @jobs: the waiting jobs among which the arbiter selects
 *
 * Return: the list to whose end the caller adds it, which can be the queue's own.
 */
struct list_head *vivgpu_arbiter_join(struct vivgpu_arbiter_queue *queue, struct list_head *jobs)
{
	if (vivgpu_arbiter_has_server(queue) &&
	    (queue->known >= VIVGPU_ARBITER_KNOWN || !list_empty(&queue->behind)))
		return &queue->behind;

	queue->known++;
	return jobs;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_join);

/**
 * vivgpu_arbiter_advance - a job enters the ring: the queue's next one takes its place
 * @queue: its queue
 * @jobs: the waiting jobs among which the arbiter selects
 */
void vivgpu_arbiter_advance(struct vivgpu_arbiter_queue *queue, struct list_head *jobs)
{
	queue->known--;
	if (list_empty(&queue->behind))
		return;

	list_move_tail(queue->behind.next, jobs);
	queue->known++;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_advance);

/**
 * vivgpu_arbiter_is_filled - whether no selection is needed when a job ends
 * @arbiter: the arbiter
 *
 * Filling the ring again when half of its jobs have ended takes one wake-up for all of them.
 *
 * Return: true if more than half of the ring is in use, and no server's job waits or runs.
 */
bool vivgpu_arbiter_is_filled(const struct vivgpu_arbiter *arbiter)
{
	return arbiter->ring_jobs > VIVGPU_ARBITER_MAX_DEPTH / 2 &&
	       !vivgpu_arbiter_is_pending(arbiter);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_is_filled);

/**
 * vivgpu_arbiter_is_full - whether vivgpu_arbiter_select() visits no job now
 * @arbiter: the arbiter
 * @now_ns: the time
 *
 * Return: true if the ring has no room, and no server's job waits or runs, for which a job in
 * the ring might have to end.
 */
bool vivgpu_arbiter_is_full(const struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	return vivgpu_arbiter_ring_is_full(arbiter, vivgpu_arbiter_ring_left(arbiter, now_ns)) &&
	       !vivgpu_arbiter_is_pending(arbiter);
}

/**
 * vivgpu_arbiter_select - which job enters the ring now
 * @arbiter: the arbiter
 * @jobs: the waiting jobs, oldest first
 * @now_ns: the time
 *
 * The caller takes the job out of the list, calls vivgpu_arbiter_start() and selects
 * again. It also selects at the time @arbiter->recheck_ns. If @arbiter->overdue is set, it ends the
 * oldest job in the ring by a recovery and calls vivgpu_arbiter_requeue().
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
	struct vivgpu_arbiter_job *job = NULL;
	bool full = vivgpu_arbiter_ring_is_full(arbiter, sel.ring_ns);
	bool pending = vivgpu_arbiter_is_pending(arbiter);

	arbiter->recheck_ns = U64_MAX;
	if (!pending)
		arbiter->tolerated_ns = arbiter->policy.admission.overrun_ns / 2;
	if ((full || list_empty(jobs)) && !pending) {
		vivgpu_arbiter_watch(&sel);
		vivgpu_arbiter_count_idle(arbiter, false, now_ns);
		return NULL;
	}

	vivgpu_arbiter_enter_all(&sel, jobs);
	vivgpu_arbiter_update_served(&sel);
	vivgpu_arbiter_rank(&sel);
	if (!full && !list_empty(jobs))
		job = vivgpu_arbiter_decide(&sel, list_first_entry(jobs, struct vivgpu_arbiter_job,
								   link));
	vivgpu_arbiter_count_idle(arbiter, sel.held && !job && !arbiter->ring_jobs, now_ns);
	if (sel.held && !job)
		arbiter->recheck_ns = min(sel.hold_end_ns,
					  vivgpu_servers_next_change(&arbiter->servers,
								     arbiter->admitted.horizon_ns,
								     now_ns));
	vivgpu_arbiter_watch(&sel);
	return job;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_select);

/**
 * vivgpu_arbiter_start - a job enters the ring
 * @arbiter: the arbiter
 * @job: the job, selected; or one that was in the ring before the arbiter was active
 * @now_ns: the time
 */
void vivgpu_arbiter_start(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			  u64 now_ns)
{
	struct vivgpu_arbiter_queue *queue = job->queue;
	struct vivgpu_server *payer = vivgpu_arbiter_has_server(queue) ? &queue->server : NULL;

	if (vivgpu_arbiter_is_first(arbiter, job))
		payer = queue->payer;
	/* A job of another queue makes the server busy while it is in the ring. */
	job->lent = payer && payer != &queue->server;
	if (job->lent)
		vivgpu_server_lend(payer, arbiter->admitted.horizon_ns, now_ns);
	job->bound_ns = vivgpu_arbiter_bound(arbiter, job);
	job->predicted = vivgpu_arbiter_is_predicted(arbiter, job);
	job->in_ring = true;
	queue->first = NULL;
	job->payer = payer;
	job->behind = arbiter->ring_jobs;
	job->promised_ns = payer ? payer->deadline_ns : 0;
	if (payer)
		vivgpu_server_commit(payer, job->bound_ns);
	arbiter->ring_since_ns = arbiter->ring_jobs ? arbiter->ring_since_ns : now_ns;
	arbiter->ring_ns += job->bound_ns;
	arbiter->ring[arbiter->ring_jobs++] = job;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_start);

/* A job leaves the ring. */
static void vivgpu_arbiter_remove(struct vivgpu_arbiter_job *job)
{
	if (job->payer)
		vivgpu_server_uncommit(job->payer, job->bound_ns);
	if (job->lent)
		vivgpu_server_unlend(job->payer);
	job->lent = false;
	job->payer = NULL;
	job->in_ring = false;
}

/**
 * vivgpu_arbiter_drop - a job is over, or will not run
 * @job: the job, which is neither in the list of waiting jobs nor in the ring
 */
void vivgpu_arbiter_drop(struct vivgpu_arbiter_job *job)
{
	if (job->queue->first == job)
		job->queue->first = NULL;
	if (vivgpu_arbiter_has_server(job->queue))
		job->queue->server.pending--;
	job->donor = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_drop);

/* A server of another queue pays up to the job's bound; the job's own queue pays the rest. */
static void vivgpu_arbiter_charge(struct vivgpu_arbiter_job *job, u64 used_ns, u64 now_ns)
{
	u64 paid = job->lent ? min(used_ns, job->bound_ns) : used_ns;

	if (job->payer)
		vivgpu_server_charge(job->payer, paid, now_ns);
	else
		paid = 0;
	if (paid < used_ns)
		job->queue->used_ns += used_ns - paid;
}

/*
 * Learn the length of a frame: the sum of the bounds of a queue's own jobs that end between two
 * moments at which it has none. Jobs that another queue's server paid for do not count.
 */
static void vivgpu_arbiter_learn_frame(const struct vivgpu_arbiter *arbiter,
				       const struct vivgpu_arbiter_job *job)
{
	struct vivgpu_arbiter_queue *queue = job->queue;
	u64 before = queue->server.frame_ns;

	if (!vivgpu_arbiter_has_server(queue) || job->lent)
		return;

	queue->server.frame_ns += vivgpu_arbiter_bound(arbiter, job);
	vivgpu_lengths_learn_frame(&queue->lengths, before, queue->server.frame_ns);
}

/**
 * vivgpu_arbiter_finish - the oldest job in the ring ended
 * @arbiter: the arbiter
 * @job: the job, whose length was learnt
 * @started_ns: when it started
 * @finished_ns: when it ended
 *
 * Return: VIVGPU_ARBITER_MISSED if it ended after its hint, or without one after the deadline that
 * its payer had when it started; VIVGPU_ARBITER_MISSED_BUDGET if after the latter in any case;
 * VIVGPU_ARBITER_OVERRUN if it took longer than its bound.
 */
u32 vivgpu_arbiter_finish(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			  u64 started_ns, u64 finished_ns)
{
	u64 deadline = job->deadline_ns ?: job->promised_ns;
	u64 used = finished_ns - started_ns + arbiter->policy.overhead_ns;
	u32 flags = 0, i;

	/* The guilty job's payer also pays for the recovery. */
	if (job->guilty)
		used += arbiter->policy.admission.recovery_ns;
	if (deadline && finished_ns > deadline)
		flags |= VIVGPU_ARBITER_MISSED;
	if (job->promised_ns && finished_ns > job->promised_ns)
		flags |= VIVGPU_ARBITER_MISSED_BUDGET;
	if (used > job->bound_ns)
		flags |= VIVGPU_ARBITER_OVERRUN;
	arbiter->missed += !!(flags & VIVGPU_ARBITER_MISSED);
	arbiter->overruns += !!(flags & VIVGPU_ARBITER_OVERRUN);

	if (job->payer && used > vivgpu_arbiter_limit(job))
		arbiter->tolerated_ns -= min(arbiter->tolerated_ns,
					     used - vivgpu_arbiter_limit(job));
	vivgpu_arbiter_charge(job, used, finished_ns);
	vivgpu_arbiter_learn_frame(arbiter, job);
	arbiter->ring_ns -= job->bound_ns;
	arbiter->ring_jobs--;
	for (i = 0; i < arbiter->ring_jobs; i++)
		arbiter->ring[i] = arbiter->ring[i + 1];
	arbiter->ring_since_ns = finished_ns;
	vivgpu_arbiter_remove(job);
	vivgpu_arbiter_drop(job);
	return flags;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_finish);

/**
 * vivgpu_arbiter_is_over - whether the oldest job in the ring took longer than it may
 * @arbiter: the arbiter, @overdue
 * @now_ns: the time
 *
 * Return: true if it is guilty and fails; false if only jobs before it took longer, so that it may
 * run again.
 */
bool vivgpu_arbiter_is_over(const struct vivgpu_arbiter *arbiter, u64 now_ns)
{
	const struct vivgpu_arbiter_job *job = arbiter->ring[0];

	return arbiter->ring_jobs &&
	       (job->forced ||
		vivgpu_arbiter_elapsed(arbiter, now_ns) > vivgpu_arbiter_limit(job));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_is_over);

/**
 * vivgpu_arbiter_requeue - the jobs in the ring wait again, because of a reset
 * @arbiter: the arbiter
 *
 * The caller puts them at the front of the waiting jobs among which the arbiter selects.
 */
void vivgpu_arbiter_requeue(struct vivgpu_arbiter *arbiter)
{
	u32 i;

	for (i = 0; i < arbiter->ring_jobs; i++) {
		vivgpu_arbiter_remove(arbiter->ring[i]);
		arbiter->ring[i]->queue->known++;
	}
	arbiter->ring_jobs = 0;
	arbiter->ring_ns = 0;
	arbiter->blocked_ns = 0;
	arbiter->overdue = false;
	/* The reset uses up what is tolerated until servers have no more jobs. */
	arbiter->tolerated_ns = 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_arbiter_requeue);
