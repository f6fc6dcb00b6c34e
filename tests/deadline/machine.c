// SPDX-License-Identifier: MIT
/*
 * A GPU that cannot preempt, with the kernel driver's arbiter and its constants. What the driver does
 * around the arbiter (vivgpu_deadline.c) is done here the same way: lengths are learnt, a job that
 * another one waits for gets its budget, a recovery takes the time that the policy says.
 */

#include <stdlib.h>
#include <string.h>

#include <linux/minmax.h>

#include "machine.h"

static struct machine_job *to_job(struct vivgpu_arbiter_job *job)
{
	return container_of(job, struct machine_job, arbiter);
}

static struct machine_job *first_of(struct list_head *list)
{
	return to_job(container_of(list->next, struct vivgpu_arbiter_job, link));
}

/**
 * machine_init - an idle machine without programs
 * @m: the machine
 */
void machine_init(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	INIT_LIST_HEAD(&m->waiting);
	INIT_LIST_HEAD(&m->dependent);
	INIT_LIST_HEAD(&m->ring);
	m->retest_ns = NEVER;
	vivgpu_arbiter_init(&m->arbiter, &vivgpu_arbiter_driver_policy);
}

/**
 * machine_add - add a program
 * @m: the machine, with less than MACHINE_ACTORS programs; this is not checked
 * @a: the program; the caller sets what it does and when, and keeps it as long as the machine
 * @reservation: what it asks for with machine_reserve(), or NULL
 */
void machine_add(struct machine *m, struct actor *a, const struct vivgpu_reservation *reservation)
{
	vivgpu_arbiter_init_queue(&a->queue, 1);
	if (reservation)
		a->reservation = *reservation;
	m->actors[m->nr_actors++] = a;
}

/**
 * machine_reserve - ask for a program's reservation
 * @m: the machine
 * @a: the program
 *
 * Return: true if it was admitted.
 */
bool machine_reserve(struct machine *m, struct actor *a)
{
	struct vivgpu_reservation reservation = a->reservation;
	struct vivgpu_admission result;

	if (vivgpu_arbiter_check(&m->arbiter, &reservation, m->now_ns, &result) != VIVGPU_ADMITTED)
		return false;
	vivgpu_arbiter_admit(&m->arbiter, &a->queue, &reservation, &result);
	return true;
}

/* As the driver's vivgpu_deadline_retest_locked() */
static void retest(struct machine *m)
{
	struct vivgpu_admission result;

	m->retest_ns = vivgpu_arbiter_retest(&m->arbiter, m->now_ns, &result);
	m->arbiter.admitted = result;
}

/**
 * machine_leave - give a program's reservation back
 * @m: the machine
 * @a: the program, which has one
 */
void machine_leave(struct machine *m, struct actor *a)
{
	vivgpu_arbiter_leave(&m->arbiter, &a->queue, m->now_ns);
	retest(m);
}

static void arrive(struct machine *m, struct machine_job *job)
{
	vivgpu_arbiter_arrive(&m->arbiter, &job->arbiter, m->now_ns);
	list_add_tail(&job->arbiter.link, vivgpu_arbiter_join(job->arbiter.queue, &m->waiting));
}

/**
 * machine_submit_after - submit a job that waits for another one
 * @m: the machine
 * @a: who
 * @length_ns: time that it takes
 * @cost_ns: what the program claims, 0 for nothing
 * @due_ns: when it has to have ended, 0 if nothing was promised
 * @before: the other job, which has not ended; or NULL
 *
 * Return: the job, valid until it has ended.
 */
struct machine_job *machine_submit_after(struct machine *m, struct actor *a, u64 length_ns,
					 u64 cost_ns, u64 due_ns, struct machine_job *before)
{
	struct machine_job *job = calloc(1, sizeof(*job));

	job->owner = a;
	job->length_ns = length_ns;
	job->frame_ns = m->now_ns;
	job->due_ns = due_ns;
	job->waits_for = before;
	job->arbiter.queue = &a->queue;
	job->arbiter.cost_ns = cost_ns;
	a->pending++;
	if (!before) {
		arrive(m, job);
		return job;
	}
	list_add_tail(&job->arbiter.link, &m->dependent);
	if (vivgpu_arbiter_has_server(&a->queue) && !before->arbiter.donor)
		before->arbiter.donor = &a->queue;
	return job;
}

/**
 * machine_submit - submit a job
 * @m: the machine
 * @a: who
 * @length_ns: time that it takes
 * @cost_ns: what the program claims, 0 for nothing
 * @due_ns: when it has to have ended, 0 if nothing was promised
 *
 * Return: the job, valid until it has ended.
 */
struct machine_job *machine_submit(struct machine *m, struct actor *a, u64 length_ns, u64 cost_ns,
				   u64 due_ns)
{
	return machine_submit_after(m, a, length_ns, cost_ns, due_ns, NULL);
}

/*
 * A job has ended: those that waited for it may run. Here first_of() gets the element before @at,
 * so it returns the job at @at.
 */
static void release(struct machine *m, const struct machine_job *ended)
{
	struct list_head *at = m->dependent.next;

	while (at != &m->dependent) {
		struct machine_job *job = first_of(at->prev);

		at = at->next;
		if (job->waits_for != ended)
			continue;
		list_del_init(&job->arbiter.link);
		arrive(m, job);
	}
}

/* As vivgpu_deadline_learn() */
static void learn(const struct machine_job *job, u64 length_ns)
{
	struct vivgpu_lengths *lengths = &job->arbiter.queue->lengths;

	vivgpu_lengths_learn(lengths, job->arbiter.cost_ns, length_ns);
	if (job->arbiter.forced)
		vivgpu_lengths_fade(lengths, job->arbiter.cost_ns, length_ns);
}

/* Count a job with a promise. */
static void judge(struct machine *m, const struct machine_job *job)
{
	struct actor *a = job->owner;

	if (!job->due_ns)
		return;
	a->frames++;
	a->lateness_ns = max(a->lateness_ns, (s64)(m->now_ns - job->due_ns));
	if (m->now_ns <= job->due_ns)
		return;
	a->late++;
	a->worst_ns = max(a->worst_ns, m->now_ns - job->due_ns);
}

/* The oldest job in the ring ends now, and the one behind it starts. */
static void end_job(struct machine *m, bool failed)
{
	struct machine_job *job = first_of(&m->ring);
	struct actor *a = job->owner;

	list_del_init(&job->arbiter.link);
	m->in_ring--;
	job->failed = failed;
	job->arbiter.guilty = failed;
	learn(job, m->now_ns - m->started_ns);
	vivgpu_arbiter_finish(&m->arbiter, &job->arbiter, m->started_ns, m->now_ns);
	a->busy_ns += m->now_ns - m->started_ns;
	a->failed += failed;
	a->pending--;
	m->started_ns = m->now_ns;
	judge(m, job);
	release(m, job);
	if (a->ended)
		a->ended(m, a, job);
	free(job);
}

static void fill_ring(struct machine *m)
{
	struct vivgpu_arbiter_job *job;

	while (m->now_ns >= m->down_until_ns &&
	       (job = vivgpu_arbiter_select(&m->arbiter, &m->waiting, m->now_ns))) {
		list_del_init(&job->link);
		vivgpu_arbiter_start(&m->arbiter, job, m->now_ns);
		vivgpu_arbiter_advance(job->queue, &m->waiting);
		if (!m->in_ring++)
			m->started_ns = m->now_ns;
		list_add_tail(&job->link, &m->ring);
	}
}

/*
 * A recovery: the job that is overdue fails if it took longer than was assumed, and the others in the
 * ring wait again, in their order, before all that wait.
 */
static void recover(struct machine *m)
{
	bool guilty = vivgpu_arbiter_is_over(&m->arbiter, m->now_ns);
	struct list_head *at;

	m->recoveries++;
	m->down_until_ns = m->now_ns + m->arbiter.policy.admission.recovery_ns;
	if (guilty)
		end_job(m, true);
	vivgpu_arbiter_requeue(&m->arbiter);
	while (m->in_ring) {
		at = m->ring.prev;
		list_del_init(at);
		list_add_tail(at, m->waiting.next);
		m->in_ring--;
	}
}

static u64 next_event(const struct machine *m)
{
	u64 next = m->retest_ns;
	u32 i;

	for (i = 0; i < m->nr_actors; i++)
		next = min(next, m->actors[i]->next_ns);
	if (m->in_ring)
		next = min(next, m->started_ns + first_of((struct list_head *)&m->ring)->length_ns);
	/* The arbiter is not asked during a recovery. */
	if (m->now_ns < m->down_until_ns)
		return min(next, m->down_until_ns);
	return m->arbiter.recheck_ns == NEVER ? next
					      : min(next, m->arbiter.recheck_ns + m->timer_late_ns);
}

/**
 * machine_run - let time pass
 * @m: the machine
 * @until_ns: until then
 */
void machine_run(struct machine *m, u64 until_ns)
{
	while (m->now_ns < until_ns) {
		u32 i;

		while (m->in_ring && m->started_ns + first_of(&m->ring)->length_ns <= m->now_ns)
			end_job(m, false);
		for (i = 0; i < m->nr_actors; i++) {
			if (m->actors[i]->next_ns <= m->now_ns)
				m->actors[i]->act(m, m->actors[i]);
		}
		if (m->retest_ns <= m->now_ns)
			retest(m);
		fill_ring(m);
		if (m->arbiter.overdue)
			recover(m);
		m->now_ns = max(m->now_ns + 1, next_event(m));
	}
}

static void free_all(struct list_head *list)
{
	while (!list_empty(list)) {
		struct machine_job *job = first_of(list);

		list_del_init(&job->arbiter.link);
		free(job);
	}
}

/**
 * machine_fini - free the jobs
 * @m: the machine
 */
void machine_fini(struct machine *m)
{
	u32 i;

	free_all(&m->waiting);
	free_all(&m->dependent);
	free_all(&m->ring);
	for (i = 0; i < m->nr_actors; i++)
		free_all(&m->actors[i]->queue.behind);
}
