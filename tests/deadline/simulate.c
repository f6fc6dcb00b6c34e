// SPDX-License-Identifier: MIT
/*
 * Simulation of a GPU that cannot preempt. A frame's deadline is one period after its arrival.
 *
 * FIFO takes the oldest job, round robin the oldest of the next queue, fair the oldest of the queue
 * that had the least GPU time; "DRM fair" is the DRM scheduler's fair policy (fair.c); EDF takes the
 * job of the frame with the earliest deadline, PRT that of the client with the shortest period, "PRT
 * and AE" too, but with budgets (timegraph.h). These choose when the GPU is idle, so they are better
 * than a scheduler that fills a ring. The deadline policy is the kernel driver's arbiter with the
 * driver's constants, its ring, its admission test and its recoveries; a client whose reservation is
 * refused is a best-effort client with deadlines as hints. Clients ask for admission in the order of
 * the set.
 */

#include <stdlib.h>
#include <string.h>

#include <linux/limits.h>
#include <linux/minmax.h>

#include "fair.h"
#include "simulate.h"
#include "timegraph.h"

const char *const policy_names[POLICIES] = { "FIFO", "round robin", "fair",       "DRM fair",
					     "EDF",  "PRT",         "PRT and AE", "deadline" };

/**
 * struct job - a job of a frame
 * @arbiter: what the arbiter knows
 * @task: whose
 * @length_ns: time that it takes
 * @frame_ns: when its frame arrived
 * @last: it is the last of its frame
 * @overruns: it takes longer than its bound
 */
struct job {
	struct vivgpu_arbiter_job arbiter;
	u32 task;
	u64 length_ns;
	u64 frame_ns;
	bool last;
	bool overruns;
};

/**
 * struct simulation - its state
 * @set: the clients
 * @policy: the policy
 * @result: what they got
 * @now_ns: the time
 * @random: generator of lengths and arrivals
 * @arbiter: the arbiter
 * @queues: a queue for each client
 * @frames: number of each client's frames so far
 * @arrivals: when each client's next frame arrives, U64_MAX if that is at a job's end
 * @unpromised: a job of each client's present frame has a bound above the budget
 * @waiting: jobs that are not in the ring, oldest first
 * @ring: jobs in the ring, oldest first
 * @in_ring: how many
 * @started_ns: when the oldest started
 * @down_until_ns: end of a recovery
 * @turn: the queue after which round robin searches
 * @fair: state of the DRM scheduler's fair policy
 * @fair_queues: of @fair
 * @accounts: budgets of AE
 */
struct simulation {
	const struct taskset *set;
	enum policy policy;
	struct result *result;
	u64 now_ns;
	u64 random;
	struct vivgpu_arbiter arbiter;
	struct vivgpu_arbiter_queue queues[MAX_TASKS];
	u32 frames[MAX_TASKS];
	u64 arrivals[MAX_TASKS];
	bool unpromised[MAX_TASKS];
	struct list_head waiting;
	struct list_head ring;
	u32 in_ring;
	u64 started_ns;
	u64 down_until_ns;
	u32 turn;
	struct fair fair;
	struct fair_queue fair_queues[MAX_TASKS];
	struct timegraph_account accounts[MAX_TASKS];
};

static struct job *to_job(struct vivgpu_arbiter_job *job)
{
	return container_of(job, struct job, arbiter);
}

static struct job *oldest(struct list_head *list)
{
	return to_job(container_of(list->next, struct vivgpu_arbiter_job, link));
}

/* A job of random length, and its prediction: the bound. */
static void draw_length(struct simulation *sim, struct job *job)
{
	const struct task *task = &sim->set->tasks[job->task];
	u64 bound = task->bound_ns / task->jobs;
	u64 shortest = bound * task->shortest_percent / 100;

	job->length_ns = shortest + random_below(&sim->random, bound - shortest + 1);
	if (job->overruns)
		job->length_ns = bound + 1 + random_below(&sim->random, task->overrun_ns);
	job->arbiter.cost_ns = max(bound * task->cost_percent / 100, 1ull);
}

/*
 * A job of a recorded frame, and its recorded prediction, as on a core of another speed; never
 * overruns.
 */
static void take_length(struct simulation *sim, struct job *job, u32 number)
{
	const struct task *task = &sim->set->tasks[job->task];
	const struct recorded_frame *frame = task_frame(task, sim->frames[job->task]);

	job->length_ns = max(1ull, (u64)(frame->length_ns[number] * task->scale));
	job->arbiter.cost_ns = frame->cost_ns[number] * task->scale;
}

static void add_job(struct simulation *sim, u32 index, u32 number, u32 jobs, bool overruns)
{
	const struct task *task = &sim->set->tasks[index];
	struct job *job = calloc(1, sizeof(*job));

	job->task = index;
	job->frame_ns = sim->now_ns;
	job->last = number + 1 == jobs;
	job->overruns = overruns && !number;
	job->arbiter.queue = &sim->queues[index];
	if (task->recorded)
		take_length(sim, job, number);
	else
		draw_length(sim, job);
	/*
	 * Best-effort jobs always have a cost: beside such of unknown length nothing is guaranteed.
	 */
	if (!task->has_cost && vivgpu_arbiter_has_server(&sim->queues[index]))
		job->arbiter.cost_ns = 0;
	if (!task->loop && !vivgpu_arbiter_has_server(&sim->queues[index]))
		job->arbiter.deadline_ns = sim->now_ns + task->period_ns;
	if (sim->policy == DEADLINE)
		vivgpu_arbiter_arrive(&sim->arbiter, &job->arbiter, sim->now_ns);
	else if (sim->policy == DRM_FAIR)
		fair_push(&sim->fair, index);
	list_add_tail(&job->arbiter.link, &sim->waiting);
}

/* A client submits a frame. */
static void add_frame(struct simulation *sim, u32 index)
{
	const struct task *task = &sim->set->tasks[index];
	bool overruns = random_below(&sim->random, 100) < task->overrun_percent;
	u32 jobs = task->recorded ? task_frame(task, sim->frames[index])->jobs : task->jobs;
	u32 i;

	for (i = 0; i < jobs; i++)
		add_job(sim, index, i, jobs, overruns);
	sim->frames[index]++;
	sim->arrivals[index] = U64_MAX;
	if (!task->loop)
		sim->arrivals[index] =
			sim->now_ns + task->period_ns / max(task->hurry, 1u) +
			(task->jitter_ns ? random_below(&sim->random, task->jitter_ns) : 0);
}

static struct job *select_round_robin(struct simulation *sim)
{
	struct vivgpu_arbiter_job *job, *best = NULL;
	u32 best_distance = MAX_TASKS;

	list_for_each_entry(job, &sim->waiting, link) {
		u32 distance = (to_job(job)->task + MAX_TASKS - sim->turn - 1) % MAX_TASKS;

		if (distance < best_distance) {
			best_distance = distance;
			best = job;
		}
	}
	if (best)
		sim->turn = to_job(best)->task;
	return best ? to_job(best) : NULL;
}

/* The policy FAIR. What is called fair_*() is that of the DRM scheduler, DRM_FAIR. */
static struct job *select_fair(struct simulation *sim)
{
	struct vivgpu_arbiter_job *job, *best = NULL;

	list_for_each_entry(job, &sim->waiting, link) {
		if (!best || job->queue->used_ns < best->queue->used_ns)
			best = job;
	}
	return best ? to_job(best) : NULL;
}

static struct job *select_drm_fair(struct simulation *sim)
{
	struct vivgpu_arbiter_job *job;
	u32 first = fair_first(&sim->fair);

	list_for_each_entry(job, &sim->waiting, link) {
		if (to_job(job)->task == first)
			return to_job(job);
	}
	return NULL;
}

/* When a job's frame has to have ended. */
static u64 frame_deadline(const struct simulation *sim, const struct job *job)
{
	const struct task *task = &sim->set->tasks[job->task];

	return task->loop ? U64_MAX : job->frame_ns + task->period_ns;
}

static struct job *select_edf(struct simulation *sim)
{
	struct vivgpu_arbiter_job *job;
	struct job *best = NULL;

	list_for_each_entry(job, &sim->waiting, link) {
		if (!best || frame_deadline(sim, to_job(job)) < frame_deadline(sim, best))
			best = to_job(job);
	}
	return best;
}

/*
 * By rate-monotonic priorities; clients without a period are last. A client's jobs are in order, so what holds back
 * the oldest holds back the others.
 */
static struct job *select_prt(struct simulation *sim)
{
	struct vivgpu_arbiter_job *job;
	struct job *best = NULL;
	u64 best_period = U64_MAX;
	bool held[MAX_TASKS] = { false };
	u32 i;

	for (i = 0; i < sim->set->count; i++)
		timegraph_renew(&sim->accounts[i], sim->now_ns);
	list_for_each_entry(job, &sim->waiting, link) {
		u32 index = to_job(job)->task;
		const struct task *task = &sim->set->tasks[index];
		u64 period_ns = task->loop ? U64_MAX : task->period_ns;

		if (held[index])
			continue;
		if (sim->policy == PRT_AE &&
		    !timegraph_allows(&sim->accounts[index], job->cost_ns)) {
			held[index] = true;
			continue;
		}
		if (!best || period_ns < best_period) {
			best = to_job(job);
			best_period = period_ns;
		}
	}
	return best;
}

static struct job *select_job(struct simulation *sim)
{
	struct vivgpu_arbiter_job *job;

	if (sim->policy == DEADLINE) {
		job = vivgpu_arbiter_select(&sim->arbiter, &sim->waiting, sim->now_ns);
		return job ? to_job(job) : NULL;
	}
	if (sim->in_ring || list_empty(&sim->waiting))
		return NULL;
	if (sim->policy == FIFO)
		return oldest(&sim->waiting);
	if (sim->policy == DRM_FAIR)
		return select_drm_fair(sim);
	if (sim->policy == EDF)
		return select_edf(sim);
	if (sim->policy == PRT || sim->policy == PRT_AE)
		return select_prt(sim);
	return sim->policy == FAIR ? select_fair(sim) : select_round_robin(sim);
}

static void fill_ring(struct simulation *sim)
{
	struct job *job;

	while (sim->now_ns >= sim->down_until_ns && (job = select_job(sim))) {
		list_del_init(&job->arbiter.link);
		if (sim->policy == DEADLINE)
			vivgpu_arbiter_start(&sim->arbiter, &job->arbiter, sim->now_ns);
		else if (sim->policy == DRM_FAIR)
			fair_take(&sim->fair, job->task);
		if (!sim->in_ring++)
			sim->started_ns = sim->now_ns;
		list_add_tail(&job->arbiter.link, &sim->ring);
		sim->result->deepest = max(sim->result->deepest, sim->in_ring);
	}
}

/* The last job of a frame has ended. */
static void end_frame(struct simulation *sim, const struct job *job)
{
	const struct task *task = &sim->set->tasks[job->task];
	struct task_result *result = &sim->result->tasks[job->task];
	u64 taken = sim->now_ns - job->frame_ns;

	result->latest_ns = max(result->latest_ns, taken);
	if (task->loop) {
		add_frame(sim, job->task);
		return;
	}
	result->frames++;
	result->missed += taken > task->period_ns;
	result->missed_promised += taken > task->period_ns && !sim->unpromised[job->task];
	sim->unpromised[job->task] = false;
}

/* As vivgpu_deadline_learn() */
static void learn(const struct job *job, u64 length_ns)
{
	struct vivgpu_lengths *lengths = &job->arbiter.queue->lengths;

	vivgpu_lengths_learn(lengths, job->arbiter.cost_ns, length_ns);
	if (job->arbiter.forced)
		vivgpu_lengths_fade(lengths, job->arbiter.cost_ns, length_ns);
}

static void end_job(struct simulation *sim, bool failed)
{
	struct job *job = oldest(&sim->ring);
	u64 began_ns = sim->started_ns;

	list_del_init(&job->arbiter.link);
	sim->in_ring--;
	job->arbiter.guilty = failed;
	sim->result->tasks[job->task].failed += failed;
	if (sim->policy == DEADLINE) {
		learn(job, sim->now_ns - sim->started_ns);
		if (vivgpu_arbiter_finish(&sim->arbiter, &job->arbiter, sim->started_ns,
					  sim->now_ns) &
		    VIVGPU_ARBITER_OVERRUN)
			sim->result->tasks[job->task].beyond_bound++;
	} else {
		job->arbiter.queue->used_ns += job->length_ns;
		fair_ended(&sim->fair, job->task, job->length_ns);
		timegraph_charge(&sim->accounts[job->task], job->length_ns);
	}
	sim->started_ns = sim->now_ns;
	if (sim->policy == DEADLINE &&
	    job->arbiter.bound_ns > sim->queues[job->task].server.reservation.budget_ns)
		sim->unpromised[job->task] = true;
	sim->result->tasks[job->task].busy_ns += sim->now_ns - began_ns;
	sim->result->tasks[job->task].overran += job->overruns;
	sim->result->tasks[job->task].jobs++;
	if (job->last)
		end_frame(sim, job);
	free(job);
}

/* As vivgpu_recovery_reset(): the guilty job fails, the others in the ring wait again. */
static void recover(struct simulation *sim)
{
	sim->down_until_ns = sim->now_ns + sim->arbiter.policy.admission.recovery_ns;
	if (vivgpu_arbiter_is_over(&sim->arbiter, sim->now_ns))
		end_job(sim, true);
	vivgpu_arbiter_requeue(&sim->arbiter);
	while (sim->in_ring) {
		struct list_head *last = sim->ring.prev;

		list_del_init(last);
		list_add_tail(last, sim->waiting.next);
		sim->in_ring--;
	}
}

static void arrivals(struct simulation *sim)
{
	u32 i;

	for (i = 0; i < sim->set->count; i++) {
		if (sim->arrivals[i] <= sim->now_ns)
			add_frame(sim, i);
	}
}

/* When something happens next. */
static u64 next_event(struct simulation *sim)
{
	bool down = sim->now_ns < sim->down_until_ns;
	u64 next = down ? sim->down_until_ns : sim->arbiter.recheck_ns;
	u32 i;

	for (i = 0; i < sim->set->count; i++)
		next = min(next, sim->arrivals[i]);
	for (i = 0; sim->policy == PRT_AE && !sim->in_ring && i < sim->set->count; i++)
		next = min(next, timegraph_next(&sim->accounts[i]));
	if (sim->in_ring)
		next = min(next, sim->started_ns + oldest(&sim->ring)->length_ns);
	return next;
}

/* The number of jobs of the frame that has the largest. */
static u32 max_jobs(const struct task *task)
{
	u32 most = task->jobs, i;

	for (i = 0; task->recorded && i < task->recorded->count; i++)
		most = max(most, task->recorded->frames[i].jobs);
	return most;
}

/*
 * Ask for a client's reservation, with the overhead of each job but the first, whose the driver
 * adds.
 */
static bool reserve(struct simulation *sim, u32 index)
{
	const struct task *task = &sim->set->tasks[index];
	struct vivgpu_reservation reservation = { task->bound_ns, task->period_ns };
	struct vivgpu_admission result;

	reservation.budget_ns += (max_jobs(task) - 1) * sim->arbiter.policy.overhead_ns;

	if (vivgpu_arbiter_check(&sim->arbiter, &reservation, 0, &result) != VIVGPU_ADMITTED)
		return false;
	vivgpu_arbiter_admit(&sim->arbiter, &sim->queues[index], &reservation, &result);
	return true;
}

/* As much of each period as the reservation has that the client asks for; without one there is no budget. */
static void open_account(struct simulation *sim, u32 index)
{
	const struct task *task = &sim->set->tasks[index];

	timegraph_init(&sim->accounts[index], task->wants_reservation ? task->bound_ns : 0,
		       task->period_ns);
}

static void begin(struct simulation *sim)
{
	u32 i;

	INIT_LIST_HEAD(&sim->waiting);
	INIT_LIST_HEAD(&sim->ring);
	sim->fair = (struct fair){ .queues = sim->fair_queues, .count = sim->set->count };
	vivgpu_arbiter_init(&sim->arbiter, &vivgpu_arbiter_driver_policy);
	for (i = 0; i < sim->set->count; i++) {
		const struct task *task = &sim->set->tasks[i];

		vivgpu_arbiter_init_queue(&sim->queues[i], 1);
		open_account(sim, i);
		sim->result->tasks[i].admitted = task->wants_reservation && reserve(sim, i);
	}
	sim->result->admitted = sim->arbiter.admitted;
	/* Two frames of a client without a period are under way at any time. */
	for (i = 0; i < sim->set->count; i++) {
		sim->arrivals[i] = sim->set->tasks[i].loop ? U64_MAX : 0;
		if (sim->set->tasks[i].loop) {
			add_frame(sim, i);
			add_frame(sim, i);
		}
	}
}

static void free_all(struct list_head *list)
{
	while (!list_empty(list)) {
		struct job *job = oldest(list);

		list_del_init(&job->arbiter.link);
		free(job);
	}
}

/**
 * simulate - simulate a set of clients
 * @set: the clients
 * @policy: the scheduler
 * @length_ns: how long
 * @result: what the clients got; whose reservations are admitted is the same for all policies
 */
void simulate(const struct taskset *set, enum policy policy, u64 length_ns, struct result *result)
{
	struct simulation *sim = calloc(1, sizeof(*sim));

	memset(result, 0, sizeof(*result));
	sim->set = set;
	sim->policy = policy;
	sim->result = result;
	sim->random = set->seed;
	begin(sim);
	while (sim->now_ns < length_ns) {
		if (sim->in_ring && sim->started_ns + oldest(&sim->ring)->length_ns <= sim->now_ns)
			end_job(sim, false);
		arrivals(sim);
		fill_ring(sim);
		if (sim->arbiter.overdue)
			recover(sim);
		sim->now_ns = max(sim->now_ns, next_event(sim));
	}
	result->idle_ns = sim->arbiter.idle_ns;
	result->forced = sim->arbiter.forced;
	free_all(&sim->waiting);
	free_all(&sim->ring);
	free(sim);
}
