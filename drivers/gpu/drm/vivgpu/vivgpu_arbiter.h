/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_ARBITER_H_
#define _VIVGPU_ARBITER_H_

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>

#include "vivgpu_admission.h"
#include "vivgpu_lengths.h"
#include "vivgpu_server.h"

/* Most jobs in the ring while the arbiter decides: one that runs and one behind it. */
#define VIVGPU_ARBITER_DEPTH	2
/* The same if they take less than the policy's @ring_ns together */
#define VIVGPU_ARBITER_MAX_DEPTH	16
/* Most jobs in the ring, those from before the arbiter was active included: one per event */
#define VIVGPU_ARBITER_RING	32
/*
 * Jobs of a queue with a reservation among which the arbiter selects; further ones wait behind
 * them, so that a selection visits no more than VIVGPU_MAX_RESERVATIONS times as many, and as many
 * best-effort jobs as the DRM scheduler hands over.
 */
#define VIVGPU_ARBITER_KNOWN	2
/* Priorities of best-effort queues: 0 is the lowest. */
#define VIVGPU_ARBITER_PRIORITIES	3

/**
 * struct vivgpu_arbiter_queue - what the arbiter knows of a queue
 * @server: its server; in the arbiter's list if the queue has a reservation
 * @priority: of best-effort queues, the higher first
 * @used_ns: GPU time of its best-effort jobs, raised when it was idle while others were served; 0
 *	until the first of them arrives, then that of the least served queue and a bit more than the
 *	policy's @lead_ns
 * @lengths: how long its jobs took
 * @behind: its further jobs, oldest first, among which the arbiter does not select yet
 * @known: number of its jobs among which the arbiter selects
 * @first: its oldest job that waits; valid from a selection until that job starts
 * @payer: server on whose budget @first runs, or NULL; valid as @first is
 * @due_ns: deadline that @payer has for @first; valid as @first is
 * @hint_ns: earliest hint of its waiting jobs, or U64_MAX; valid as @first is
 * @selection: number of the last selection in which it had jobs
 * @next: the queue whose first job is the next older one; valid during a selection
 */
struct vivgpu_arbiter_queue {
	struct vivgpu_server server;
	u32 priority;
	u64 used_ns;
	struct vivgpu_lengths lengths;
	struct list_head behind;
	u32 known;
	struct vivgpu_arbiter_job *first;
	struct vivgpu_server *payer;
	u64 due_ns;
	u64 hint_ns;
	u64 selection;
	struct vivgpu_arbiter_queue *next;
};

/**
 * struct vivgpu_arbiter_job - what the arbiter knows of a job
 * @link: in the list of waiting jobs, oldest first
 * @queue: its queue
 * @donor: queue of a job that waits for this one, and on whose budget this one may run; NULL
 *	if there is none
 * @deadline_ns: a hint, 0 if there is none
 * @cost_ns: predicted length, as user space says; 0 if there is none
 * @predicted_bound_ns: bound of its length, as user space says; 0 if there is none
 * @held_back_ns: when it was first held back; 0 if it was not
 * @payer: server on whose budget it runs, or NULL; from its start on
 * @promised_ns: deadline of its payer when the job started, 0 without one
 * @bound_ns: assumed bound of its length; from its start on
 * @predicted: @predicted_bound_ns made that longer
 * @lent: its payer is the server of another queue
 * @behind: it entered the ring behind another one; not &vivgpu_arbiter_queue.behind
 * @in_ring: it is in the ring
 * @forced: it started because it had been held back for the policy's @hold_ns
 * @guilty: it is the cause of a recovery
 * @empty: it has no commands
 * @barrier: jobs behind it may depend on it, so that they cannot overtake it
 */
struct vivgpu_arbiter_job {
	struct list_head link;
	struct vivgpu_arbiter_queue *queue;
	struct vivgpu_arbiter_queue *donor;
	u64 deadline_ns;
	u64 cost_ns;
	u64 predicted_bound_ns;
	u64 held_back_ns;
	struct vivgpu_server *payer;
	u64 promised_ns;
	u64 bound_ns;
	bool predicted;
	bool lent;
	bool behind;
	bool in_ring;
	bool forced;
	bool guilty;
	bool empty;
	bool barrier;
};

/**
 * struct vivgpu_arbiter_policy - constants
 * @admission: of the admission test
 * @overhead_ns: time between two jobs in which the GPU is idle
 * @unknown_ns: least bound of best-effort jobs of a queue of which nothing was measured, while no
 *	queue has a reservation
 * @hold_ns: longest time that a job is held back; 0 for no limit
 * @ring_ns: more than VIVGPU_ARBITER_DEPTH jobs enter the ring while those in it take less
 * @lead_ns: by how much more GPU time than the least served queue of its priority a best-effort
 *	queue can have had for its hints to have an effect; also how far it can fall behind while
 *	it is idle, and catch up later
 */
struct vivgpu_arbiter_policy {
	struct vivgpu_admission_policy admission;
	u64 overhead_ns;
	u64 unknown_ns;
	u64 hold_ns;
	u64 ring_ns;
	u64 lead_ns;
};

extern const struct vivgpu_arbiter_policy vivgpu_arbiter_driver_policy;

/**
 * struct vivgpu_arbiter_leaving - the reservation of a queue that has left
 * @reservation: what it was
 * @free_ns: when others can get it
 */
struct vivgpu_arbiter_leaving {
	struct vivgpu_reservation reservation;
	u64 free_ns;
};

/**
 * struct vivgpu_arbiter - which of the waiting jobs enters the ring next
 * @policy: constants
 * @servers: servers of the queues with reservations
 * @nr_servers: how many
 * @set: memory for the admission test; the caller serialises its use
 * @admitted: result of the last admission test that succeeded
 * @selection: number of the last selection
 * @served_ns: the least @used_ns of waiting best-effort queues, for each priority
 * @leaving: reservations of queues that have left, which others cannot get yet; changed with the
 *	lock for reservations held
 * @nr_leaving: how many; with those of queues not more than VIVGPU_MAX_RESERVATIONS
 * @ring: jobs in the ring, oldest first
 * @ring_jobs: how many
 * @ring_ns: sum of their bounds
 * @ring_since_ns: when the oldest of them started
 * @blocked_ns: since when a server's job waits for one that may be ended, 0 if none does
 * @tolerated_ns: overruns of servers' jobs that are tolerated until servers have no more jobs
 * @overdue: the oldest job in the ring has to end
 * @recheck_ns: when to select again although nothing arrived or ended, or U64_MAX
 * @idle_since_ns: when the GPU became idle although a job waits, or 0
 * @idle_ns: sum of these times: inserted idle time
 * @overruns: jobs that took longer than their bound
 * @missed: jobs that ended after their deadline
 * @forced: jobs that started because they had been held back for the policy's @hold_ns
 */
struct vivgpu_arbiter {
	struct vivgpu_arbiter_policy policy;
	struct list_head servers;
	u32 nr_servers;
	struct vivgpu_reservation set[VIVGPU_MAX_RESERVATIONS];
	struct vivgpu_admission admitted;
	u64 selection;
	u64 served_ns[VIVGPU_ARBITER_PRIORITIES];
	struct vivgpu_arbiter_leaving leaving[VIVGPU_MAX_RESERVATIONS];
	u32 nr_leaving;
	struct vivgpu_arbiter_job *ring[VIVGPU_ARBITER_RING];
	u32 ring_jobs;
	u64 ring_ns;
	u64 ring_since_ns;
	u64 blocked_ns;
	u64 tolerated_ns;
	bool overdue;
	u64 recheck_ns;
	u64 idle_since_ns;
	u64 idle_ns;
	u64 overruns;
	u64 missed;
	u64 forced;
};

/* What vivgpu_arbiter_finish() returns */
#define VIVGPU_ARBITER_MISSED	BIT(0)
#define VIVGPU_ARBITER_OVERRUN	BIT(1)
#define VIVGPU_ARBITER_MISSED_BUDGET	BIT(2)

void vivgpu_arbiter_init(struct vivgpu_arbiter *arbiter,
			 const struct vivgpu_arbiter_policy *policy);
void vivgpu_arbiter_init_queue(struct vivgpu_arbiter_queue *queue, u32 priority);
enum vivgpu_admission_verdict vivgpu_arbiter_check(struct vivgpu_arbiter *arbiter,
						   struct vivgpu_reservation *reservation,
						   u64 now_ns, struct vivgpu_admission *result);
void vivgpu_arbiter_admit(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_queue *queue,
			  const struct vivgpu_reservation *reservation,
			  const struct vivgpu_admission *result);
u64 vivgpu_arbiter_retest(struct vivgpu_arbiter *arbiter, u64 now_ns,
			  struct vivgpu_admission *result);
u64 vivgpu_arbiter_leave(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_queue *queue,
			 u64 now_ns);
u64 vivgpu_arbiter_bound(const struct vivgpu_arbiter *arbiter,
			 const struct vivgpu_arbiter_job *job);
void vivgpu_arbiter_arrive(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			   u64 now_ns);
struct list_head *vivgpu_arbiter_join(struct vivgpu_arbiter_queue *queue, struct list_head *jobs);
void vivgpu_arbiter_advance(struct vivgpu_arbiter_queue *queue, struct list_head *jobs);
bool vivgpu_arbiter_is_filled(const struct vivgpu_arbiter *arbiter);
bool vivgpu_arbiter_is_full(const struct vivgpu_arbiter *arbiter, u64 now_ns);
struct vivgpu_arbiter_job *vivgpu_arbiter_select(struct vivgpu_arbiter *arbiter,
						 struct list_head *jobs, u64 now_ns);
void vivgpu_arbiter_start(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			  u64 now_ns);
u32 vivgpu_arbiter_finish(struct vivgpu_arbiter *arbiter, struct vivgpu_arbiter_job *job,
			  u64 started_ns, u64 finished_ns);
void vivgpu_arbiter_drop(struct vivgpu_arbiter_job *job);
bool vivgpu_arbiter_is_over(const struct vivgpu_arbiter *arbiter, u64 now_ns);
void vivgpu_arbiter_requeue(struct vivgpu_arbiter *arbiter);

static inline bool vivgpu_arbiter_has_server(const struct vivgpu_arbiter_queue *queue)
{
	return !list_empty(&queue->server.link);
}

#endif
