// SPDX-License-Identifier: MIT
/*
 * The driver's arbiter selects best-effort jobs in the order of the model (order.c): random jobs of four
 * queues with two priorities, with hints and without, one in the ring at a time, no reservations.
 */

#include <string.h>

#include "order.h"
#include "replay.h"
#include "taskset.h"
#include "vivgpu_arbiter.h"

#define JOBS_OF_QUEUE 6
#define STEPS 300
/* Values of hints; only their order counts */
#define HINTS 5

/**
 * struct order_replay - both
 * @model: the order by the rules; times in ns
 * @arbiter: the driver's
 * @queues: of the driver
 * @jobs: jobs of each queue
 * @waits: which of them wait
 * @came: number of the event at which they came
 * @waiting: these jobs, oldest first
 * @now_ns: the time
 * @random: state of the generator
 * @decisions: how often both selected a job
 */
struct order_replay {
	struct order model;
	struct vivgpu_arbiter arbiter;
	struct vivgpu_arbiter_queue queues[ORDER_QUEUES];
	struct vivgpu_arbiter_job jobs[ORDER_QUEUES][JOBS_OF_QUEUE];
	bool waits[ORDER_QUEUES][JOBS_OF_QUEUE];
	long came[ORDER_QUEUES][JOBS_OF_QUEUE];
	struct list_head waiting;
	u64 now_ns;
	uint64_t random;
	uint64_t decisions;
};

static u32 draw(struct order_replay *r, u32 limit)
{
	/* Of a linear congruential generator the upper bits are used. */
	r->random = r->random * 6364136223846793005u + 1442695040888963407u;
	return (r->random >> 33) % limit;
}

/* What the model knows of a queue's jobs. */
static void count_jobs(struct order_replay *r, int queue)
{
	struct order_queue *q = &r->model.queues[queue];
	int i;

	q->jobs = 0;
	q->hint = 0;
	for (i = 0; i < JOBS_OF_QUEUE; i++) {
		long hint = r->jobs[queue][i].deadline_ns;

		if (!r->waits[queue][i])
			continue;
		if (!q->jobs++ || r->came[queue][i] < q->since)
			q->since = r->came[queue][i];
		if (hint && (!q->hint || hint < q->hint))
			q->hint = hint;
	}
}

static void submit(struct order_replay *r, int queue, long event)
{
	struct vivgpu_arbiter_job *job;
	int i;

	for (i = 0; i < JOBS_OF_QUEUE && r->waits[queue][i]; i++)
		;
	if (i == JOBS_OF_QUEUE)
		return;
	job = &r->jobs[queue][i];
	*job = (struct vivgpu_arbiter_job){ .queue = &r->queues[queue] };
	if (draw(r, 2))
		job->deadline_ns = 1 + draw(r, HINTS);
	r->waits[queue][i] = true;
	r->came[queue][i] = event;
	/* New is a queue that had no GPU time yet. */
	if (!r->model.queues[queue].jobs)
		order_begins(&r->model, queue, !r->model.queues[queue].used);
	count_jobs(r, queue);
	vivgpu_arbiter_arrive(&r->arbiter, job, r->now_ns);
	list_add_tail(&job->link, &r->waiting);
}

/*
 * Returns false if the arbiter selects a job of another queue than the model, or only one of them
 * any.
 */
static bool run(struct order_replay *r)
{
	struct vivgpu_arbiter_job *job = vivgpu_arbiter_select(&r->arbiter, &r->waiting, r->now_ns);
	u64 length_ns = (1 + draw(r, 30)) * MS;
	int queue;

	order_serve(&r->model);
	queue = order_first(&r->model);
	if (!job)
		return queue < 0;
	if (queue < 0 || job->queue != &r->queues[queue])
		return false;
	r->decisions++;
	r->waits[queue][job - r->jobs[queue]] = false;
	count_jobs(r, queue);
	list_del_init(&job->link);
	vivgpu_arbiter_start(&r->arbiter, job, r->now_ns);
	vivgpu_arbiter_finish(&r->arbiter, job, r->now_ns, r->now_ns + length_ns);
	r->now_ns += length_ns;
	r->model.queues[queue].used += length_ns;
	return true;
}

static bool walk(uint64_t random, int flags, uint64_t *decisions)
{
	static struct order_replay r;
	struct vivgpu_arbiter_policy policy = vivgpu_arbiter_driver_policy;
	bool same = true;
	int i;

	memset(&r, 0, sizeof(r));
	policy.overhead_ns = 0;
	r.random = random;
	r.model.lead = policy.lead_ns;
	r.model.flags = flags;
	r.now_ns = MS;
	INIT_LIST_HEAD(&r.waiting);
	vivgpu_arbiter_init(&r.arbiter, &policy);
	for (i = 0; i < ORDER_QUEUES; i++) {
		r.model.queues[i].priority = 1 + (i == ORDER_QUEUES - 1);
		vivgpu_arbiter_init_queue(&r.queues[i], r.model.queues[i].priority);
	}
	for (i = 0; i < STEPS && same; i++) {
		/* Queues with lower numbers have more jobs. */
		if (draw(&r, 2))
			submit(&r, draw(&r, 1 + draw(&r, ORDER_QUEUES)), i);
		else
			same = run(&r);
	}
	*decisions += r.decisions;
	return same;
}

/**
 * replay_order - compare the order of best-effort jobs on random walks
 * @walks: how many
 * @flags: enum order_flags of the model
 * @decisions: out: selected jobs
 *
 * Return: the number of walks on which the arbiter selected another job.
 */
uint32_t replay_order(uint32_t walks, int flags, uint64_t *decisions)
{
	uint32_t i, others = 0;

	*decisions = 0;
	for (i = 0; i < walks; i++)
		others += !walk(1 + i * 1000003u, flags, decisions);
	return others;
}
