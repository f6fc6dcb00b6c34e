// SPDX-License-Identifier: MIT
/*
 * Adversaries beside clients with reservations, on the driver's arbiter with the driver's
 * constants. None may make a frame late that the victim's reservation covers.
 */

#include <linux/minmax.h>

#include "attacks.h"
#include "machine.h"

#define HZ60 16666667ull
#define SECONDS 1000000000ull

/* A frame in each period, of the whole budget */
static void frame(struct machine *m, struct actor *a)
{
	machine_submit(m, a, a->length_ns, a->cost_ns, m->now_ns + a->reservation.period_ns);
	a->next_ns = m->now_ns + a->reservation.period_ns;
}

static struct actor victim(void)
{
	return (struct actor){ .act = frame };
}

static void add_victim(struct machine *m, struct actor *a, u64 budget_ns, u64 period_ns)
{
	const struct vivgpu_reservation reservation = { budget_ns, period_ns };

	machine_add(m, a, &reservation);
	a->length_ns = budget_ns;
	a->cost_ns = budget_ns;
	if (!machine_reserve(m, a))
		a->next_ns = NEVER;
}

static void count(const struct actor *a, u32 *frames, u32 *late, u64 *worst_ns)
{
	*frames += a->frames;
	*late += a->late;
	*worst_ns = max(*worst_ns, a->worst_ns);
}

/* A job of 40 ms on a queue of which nothing is known */
static void on_a_fresh_queue(struct machine *m, struct actor *a)
{
	if (!a->pending) {
		vivgpu_arbiter_init_queue(&a->queue, 1);
		machine_submit(m, a, 40 * MS, 0, 0);
	}
	a->next_ns = m->now_ns + 100 * MS;
}

/* A victim with 6 ms in each frame of 60 Hz, beside a best-effort client that does this */
static void beside_best_effort(void (*act)(struct machine *m, struct actor *a), u32 *frames,
			       u32 *late, u64 *worst_ns)
{
	struct actor v = victim(), a = { .act = act };
	struct machine m;

	machine_init(&m);
	add_victim(&m, &v, 6 * MS, HZ60);
	machine_add(&m, &a, NULL);
	machine_run(&m, 10 * SECONDS);
	count(&v, frames, late, worst_ns);
	machine_fini(&m);
}

static void fresh_queues(u32 *frames, u32 *late, u64 *worst_ns)
{
	beside_best_effort(on_a_fresh_queue, frames, late, worst_ns);
}

/* 128 tiny jobs with costs, then one of 40 ms without */
static void behind_tiny_jobs(struct machine *m, struct actor *a)
{
	u32 i;

	a->next_ns = m->now_ns + 100 * MS;
	if (a->pending)
		return;
	for (i = 0; i < 128; i++)
		machine_submit(m, a, 10 * US, 10 * US, 0);
	machine_submit(m, a, 40 * MS, 0, 0);
}

static void tiny_jobs(u32 *frames, u32 *late, u64 *worst_ns)
{
	beside_best_effort(behind_tiny_jobs, frames, late, worst_ns);
}

/*
 * A reservation of 4 ms in 20 ms, and a job in each period. Every 2 s one claims 30 ms, and one takes
 * 6 ms, so that more is expected of those after it as well.
 */
static void exceeds_its_budget(struct machine *m, struct actor *a)
{
	u32 turn = a->count++ % 100;

	machine_submit(m, a, turn == 50 ? 6 * MS : 3200 * US, turn ? 3200 * US : 30 * MS, 0);
	a->next_ns = m->now_ns + 20 * MS;
}

static void held_server(u32 *frames, u32 *late, u64 *worst_ns)
{
	const struct vivgpu_reservation reservation = { 4 * MS, 20 * MS };
	struct actor v = victim(), a = { .act = exceeds_its_budget };
	struct machine m;

	machine_init(&m);
	add_victim(&m, &v, 3 * MS, 10 * MS);
	machine_add(&m, &a, &reservation);
	machine_reserve(&m, &a);
	machine_run(&m, 10 * SECONDS);
	count(&v, frames, late, worst_ns);
	machine_fini(&m);
}

/*
 * One of three queues has the reservation and a job. When the job is in the ring, it gives the
 * reservation back, and the next queue asks for it.
 */
static void hands_over(struct machine *m, struct actor *a)
{
	a->next_ns = m->now_ns + 100 * US;
	if (!vivgpu_arbiter_has_server(&a->queue)) {
		if (!a->pending && machine_reserve(m, a))
			a->newest = machine_submit(m, a, a->reservation.budget_ns,
						   a->reservation.budget_ns, 0);
	} else if (!a->pending || a->newest->arbiter.in_ring) {
		/* @newest is freed when it has ended: it is valid only while a job is pending. */
		machine_leave(m, a);
		a->next_ns = NEVER;
		a->other->next_ns = m->now_ns;
	}
}

static void rejoining(u32 *frames, u32 *late, u64 *worst_ns)
{
	const struct vivgpu_reservation reservation = { 3700 * US, 20 * MS };
	struct actor victims[4], a[3] = {};
	struct machine m;
	u32 i;

	machine_init(&m);
	for (i = 0; i < 4; i++) {
		victims[i] = victim();
		add_victim(&m, &victims[i], 12 * MS, 80 * MS);
	}
	for (i = 0; i < 3; i++) {
		a[i].act = hands_over;
		a[i].next_ns = i ? NEVER : 0;
		a[i].other = &a[(i + 1) % 3];
		machine_add(&m, &a[i], &reservation);
	}
	machine_run(&m, 30 * SECONDS);
	for (i = 0; i < 4; i++)
		count(&victims[i], frames, late, worst_ns);
	machine_fini(&m);
}

/* Always has work for its server */
static void greedy(struct machine *m, struct actor *a)
{
	while (a->pending < 3)
		machine_submit(m, a, 3 * MS, 3 * MS, 0);
	a->next_ns = m->now_ns + MS;
}

/* Frames of a compositor, every tenth of which waits for a job that claims ten seconds */
static void composes(struct machine *m, struct actor *a)
{
	struct machine_job *before = NULL;

	if (a->count++ % 10 == 0)
		before = machine_submit(m, a->other, 100 * US, 10 * SECONDS, 0);
	machine_submit_after(m, a, 3 * MS, 3 * MS,
			     before ? 0 : m->now_ns + a->reservation.period_ns, before);
	a->next_ns = m->now_ns + a->reservation.period_ns;
}

/* Does nothing by itself: its jobs are submitted by those that wait for them. */
static void nothing(struct machine *m, struct actor *a)
{
	(void)m;
	a->next_ns = NEVER;
}

static void lent_budget(u32 *frames, u32 *late, u64 *worst_ns)
{
	const struct vivgpu_reservation reservation = { 9 * MS, 2 * HZ60 };
	struct actor producer = { .act = nothing }, v = victim(), a = { .act = greedy };
	struct machine m;

	machine_init(&m);
	machine_add(&m, &producer, NULL);
	add_victim(&m, &v, 5 * MS, HZ60);
	v.act = composes;
	v.other = &producer;
	machine_add(&m, &a, &reservation);
	machine_reserve(&m, &a);
	machine_run(&m, 10 * SECONDS);
	count(&v, frames, late, worst_ns);
	machine_fini(&m);
}

/* Who does something in a scenario: two clients with reservations, if the attacker has one, and two without */
enum who {
	VICTIM,
	ATTACKER,
	BEST_EFFORT,
	OTHER,
	NR_WHO,
};

/* What happens at a time */
struct step {
	u64 at_ns;
	enum who who;
	enum {
		SUBMIT,
		/* A job that waits for that of the last SUBMIT */
		WAIT,
		/* The reservation is given back. */
		LEAVE,
		/* The timer that ends jobs is late by @length_ns from here on. */
		TIMER,
	} action;
	/* The job; its deadline from @at_ns on, 0: none */
	u64 length_ns, cost_ns, due_ns;
};

/* Steps at 0, where there are some, let the arbiter learn lengths; what matters begins at START. */
struct scenario {
	u64 budget_ns, period_ns; /* of the victim */
	struct vivgpu_reservation attacker;
	struct step steps[10]; /* in the order of their times; after the last one, zero */
	struct actor actors[NR_WHO], clock;
	struct machine_job *submitted; /* by the last SUBMIT */
	u64 ready_ns;                  /* when the job ended for which the victim waits */
};

#define START (20 * MS)

static bool is_end(const struct step *step)
{
	return step->action == SUBMIT && !step->length_ns;
}

static void do_step(struct machine *m, struct scenario *s, const struct step *step)
{
	struct actor *a = &s->actors[step->who];
	u64 due_ns = step->due_ns ? m->now_ns + step->due_ns : 0;

	switch (step->action) {
	case SUBMIT:
		s->submitted = machine_submit(m, a, step->length_ns, step->cost_ns, due_ns);
		break;
	case WAIT:
		machine_submit_after(m, a, step->length_ns, step->cost_ns, due_ns, s->submitted);
		break;
	case LEAVE:
		machine_leave(m, a);
		break;
	case TIMER:
		m->timer_late_ns = step->length_ns;
		break;
	}
}

static void next_steps(struct machine *m, struct actor *a)
{
	struct scenario *s = container_of(a, struct scenario, clock);
	const struct step *step = &s->steps[a->count];

	for (; !is_end(step) && step->at_ns <= m->now_ns; step++, a->count++)
		do_step(m, s, step);
	a->next_ns = is_end(step) ? NEVER : step->at_ns;
}

static void job_is_ready(struct machine *m, struct actor *a, const struct machine_job *job)
{
	struct scenario *s = container_of(a, struct scenario, actors[OTHER]);

	(void)job;
	s->ready_ns = m->now_ns;
}

/*
 * A frame that waited is due a period after the job for which it waits has ended. Counted is each
 * job of the victim without a due time, once a job of OTHER has ended.
 */
static void frame_that_waited_ended(struct machine *m, struct actor *a,
				    const struct machine_job *job)
{
	struct scenario *s = container_of(a, struct scenario, actors[VICTIM]);
	u64 took_ns = m->now_ns - s->ready_ns;

	if (!s->ready_ns || job->due_ns)
		return;
	a->frames++;
	if (took_ns <= a->reservation.period_ns)
		return;
	a->late++;
	a->worst_ns = max(a->worst_ns, took_ns - a->reservation.period_ns);
}

static void run_scenario(struct scenario *s, u32 *frames, u32 *late, u64 *worst_ns)
{
	const struct vivgpu_reservation reservation = { s->budget_ns, s->period_ns };
	const struct step *step;
	struct machine m;
	u32 i;

	machine_init(&m);
	for (i = 0; i < NR_WHO; i++) {
		s->actors[i].act = nothing;
		machine_add(&m, &s->actors[i],
			    i == VICTIM                              ? &reservation
			    : i == ATTACKER && s->attacker.budget_ns ? &s->attacker
								     : NULL);
	}
	for (step = s->steps; !is_end(step); step++) {
		if (step->action == WAIT) {
			s->actors[OTHER].ended = job_is_ready;
			s->actors[VICTIM].ended = frame_that_waited_ended;
		}
	}
	s->clock.act = next_steps;
	machine_add(&m, &s->clock, NULL);
	machine_reserve(&m, &s->actors[VICTIM]);
	if (s->attacker.budget_ns)
		machine_reserve(&m, &s->actors[ATTACKER]);
	machine_run(&m, 200 * MS);
	machine_fini(&m);
	count(&s->actors[VICTIM], frames, late, worst_ns);
}

/* Behind the attacker's job a best-effort one enters the ring, and blocks a second time. */
static void blocked_twice(u32 *frames, u32 *late, u64 *worst_ns)
{
	struct scenario s = {
		.budget_ns = 900 * US,
		.period_ns = 4 * MS,
		.attacker = { 900 * US, 5 * MS },
		.steps = {
			{ 0, OTHER, SUBMIT, 300 * US },
			{ START, BEST_EFFORT, SUBMIT, MS },
			{ START + 10 * US, ATTACKER, SUBMIT, 500 * US },
			{ START + 1020 * US, OTHER, SUBMIT, 1550 * US },
			{ START + 1050 * US, VICTIM, SUBMIT, 900 * US, 900 * US, 4 * MS },
			{ START + 1100 * US, ATTACKER, SUBMIT, 3 * MS, 200 * US },
		},
	};

	run_scenario(&s, frames, late, worst_ns);
}

/*
 * The victim's budget does not cover the jobs that it waits for: they must not move its server's
 * deadline.
 */
static void refused_donation(u32 *frames, u32 *late, u64 *worst_ns)
{
	struct scenario s = {
		.budget_ns = 1400 * US,
		.period_ns = 5 * MS,
		.steps = {
			{ 0, ATTACKER, SUBMIT, 200 * US },
			{ 0, VICTIM, SUBMIT, 900 * US, 900 * US },
			{ START, BEST_EFFORT, SUBMIT, MS },
			{ START + 10 * US, OTHER, SUBMIT, MS },
			{ START + 10 * US, VICTIM, WAIT, 900 * US, 900 * US },
			{ START + 4500 * US, BEST_EFFORT, SUBMIT, 1300 * US },
			{ START + 5020 * US, OTHER, SUBMIT, 1400 * US },
			{ START + 5020 * US, VICTIM, WAIT, 900 * US, 900 * US },
			{ START + 5900 * US, ATTACKER, SUBMIT, 30 * MS },
		},
	};

	run_scenario(&s, frames, late, worst_ns);
}

/*
 * A frame has two jobs, and the budget covers only one beside the job that it waits for. The attacker
 * gives its reservation back while its job runs, so that only the victim's deadline counts.
 */
static void two_jobs(u32 *frames, u32 *late, u64 *worst_ns)
{
	struct scenario s = {
		.budget_ns = 1400 * US,
		.period_ns = 4500 * US,
		.attacker = { 400 * US, 3500 * US },
		.steps = {
			{ 0, OTHER, SUBMIT, 900 * US },
			{ 0, VICTIM, SUBMIT, 400 * US, 400 * US },
			{ 0, VICTIM, SUBMIT, 400 * US, 400 * US },
			{ START, OTHER, SUBMIT, 900 * US },
			{ START, VICTIM, WAIT, 400 * US, 400 * US },
			{ START, VICTIM, WAIT, 400 * US, 400 * US },
			{ START + 1200 * US, ATTACKER, SUBMIT, 8 * MS, 400 * US },
			{ START + 3 * MS, ATTACKER, LEAVE },
		},
	};

	run_scenario(&s, frames, late, worst_ns);
}

/*
 * The timer that ends a best-effort job is late, but the job ends by itself before; the attacker's job
 * takes all that overruns may take, and is ended.
 */
static void late_timer(u32 *frames, u32 *late, u64 *worst_ns)
{
	struct scenario s = {
		.budget_ns = 900 * US,
		.period_ns = 4500 * US,
		.attacker = { 400 * US, 3 * MS },
		.steps = {
			{ START, BEST_EFFORT, TIMER, 450 * US },
			{ START, BEST_EFFORT, SUBMIT, 2440 * US },
			{ START + 10 * US, VICTIM, SUBMIT, 900 * US, 900 * US, 4500 * US },
			{ START + 1500 * US, ATTACKER, SUBMIT, 3 * MS, 400 * US },
			{ START + 2440 * US, BEST_EFFORT, TIMER, 0 },
		},
	};

	run_scenario(&s, frames, late, worst_ns);
}

/* Two victims wait for a best-effort job when a third client gets a reservation, which has a shorter period. */
struct joining {
	struct actor victims[2], newcomer, best_effort, clock;
};

static void join(struct machine *m, struct actor *a)
{
	struct joining *j = container_of(a, struct joining, clock);

	switch (a->count++) {
	case 0:
		machine_submit(m, &j->best_effort, 40 * MS, 0, 0);
		a->next_ns = m->now_ns + 10 * US;
		break;
	case 1:
		frame(m, &j->victims[0]);
		frame(m, &j->victims[1]);
		a->next_ns = m->now_ns + 5480 * US;
		break;
	default:
		if (machine_reserve(m, &j->newcomer))
			machine_submit(m, &j->newcomer, 1400 * US, 1400 * US, 0);
		a->next_ns = NEVER;
		break;
	}
}

static void joining(u32 *frames, u32 *late, u64 *worst_ns)
{
	const struct vivgpu_reservation reservation = { 1400 * US, 4500 * US };
	struct joining j = { .victims = { victim(), victim() },
			     .newcomer.act = nothing,
			     .best_effort.act = nothing,
			     .clock = { .act = join, .next_ns = 20 * MS } };
	struct machine m;
	u32 i;

	machine_init(&m);
	for (i = 0; i < 2; i++) {
		add_victim(&m, &j.victims[i], 1400 * US, 10 * MS);
		j.victims[i].next_ns = NEVER;
	}
	machine_add(&m, &j.newcomer, &reservation);
	machine_add(&m, &j.best_effort, NULL);
	machine_add(&m, &j.clock, NULL);
	machine_run(&m, 30 * MS);
	for (i = 0; i < 2; i++)
		count(&j.victims[i], frames, late, worst_ns);
	machine_fini(&m);
}

const struct attack attacks[] = {
	{ "nobody is late beside 40 ms on a fresh queue every 100 ms", fresh_queues },
	{ "nobody is late beside 40 ms behind 128 tiny jobs with costs", tiny_jobs },
	{ "nobody is late beside a server with jobs that exceed its budget", held_server },
	{ "nobody is late beside a reservation that is given back and asked for again", rejoining },
	{ "frames after those in which a compositor waits for jobs that claim 10 s are not late",
	  lent_budget },
	{ "nobody is late beside a best-effort job that could run behind a server's job",
	  blocked_twice },
	{ "a frame is not late that waits for a job whose donation is refused", refused_donation },
	{ "a frame of two jobs is not late that waits for a job", two_jobs },
	{ "nobody is late if the timer that ends a job is late", late_timer },
	{ "nobody is late beside a reservation that is given while a best-effort job runs",
	  joining },
};
const u32 nr_attacks = sizeof(attacks) / sizeof(attacks[0]);
