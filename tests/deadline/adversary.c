// SPDX-License-Identifier: MIT
/*
 * A search for a way to make frames of clients with reservations late.
 *
 * An adversary is a program of steps: wait, submit jobs of some length with some claim to one of a
 * few queues, begin a new queue, submit what a victim waits for; a privileged one also has a
 * reservation, which it gives back and asks for again. Programs are drawn at random and changed
 * step by step as long as that brings a victim's frame closer to its deadline (hill climbing).
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/minmax.h>

#include "adversary.h"
#include "machine.h"

#define STEPS 12
#define QUEUES 4
#define VICTIMS 3
/* Changes that are tried on an adversary */
#define CLIMB 40
/* Time that is simulated of a scenario */
#define LENGTH_NS (400 * MS)

/* LEAVE is the last: only privileged adversaries draw it. */
enum kind { SUBMIT, FRESH_QUEUE, AHEAD_OF_VICTIM, LEAVE, KINDS };

/**
 * struct step - of an adversary
 * @kind: what it does
 * @delay_ns: before it
 * @length_ns: length of its jobs
 * @cost_ns: what they claim
 * @deadline_ns: their hint
 * @queue: number of the queue
 * @jobs: how many jobs
 */
struct step {
	enum kind kind;
	u64 delay_ns;
	u64 length_ns;
	u64 cost_ns;
	u64 deadline_ns;
	u32 queue;
	u32 jobs;
};

/**
 * struct scenario - an adversary and those beside it
 * @victims: reservations of the victims
 * @offsets_ns: when their first frames are
 * @jitter_ns: how much later a frame comes at most
 * @nr_victims: how many
 * @reservation: the adversary's, with privilege
 * @privileged: it has one
 * @steps: what it does, again and again
 * @seed: of the victims' frames
 */
struct scenario {
	struct vivgpu_reservation victims[VICTIMS];
	u64 offsets_ns[VICTIMS];
	u64 jitter_ns;
	u32 nr_victims;
	struct vivgpu_reservation reservation;
	bool privileged;
	struct step steps[STEPS];
	u64 seed;
};

/**
 * struct stage - a scenario on a machine
 * @m: the machine
 * @victims: the victims
 * @queues: the adversary's queues, the first with the reservation
 * @scenario: what happens
 * @random: generator of jitter
 * @next: number of the next step
 */
struct stage {
	struct machine m;
	struct actor victims[VICTIMS];
	struct actor queues[QUEUES];
	const struct scenario *scenario;
	u64 random;
	u32 next;
};

/* What evaluate() simulates */
static struct stage *stage;

static void frame(struct machine *m, struct actor *a)
{
	u64 jitter = stage->scenario->jitter_ns;

	machine_submit(m, a, a->length_ns, a->cost_ns, m->now_ns + a->reservation.period_ns);
	a->next_ns = m->now_ns + a->reservation.period_ns +
		     (jitter ? random_below(&stage->random, jitter) : 0);
}

static void submit(struct machine *m, struct actor *queue, const struct step *step)
{
	u32 i;

	for (i = 0; i < step->jobs && queue->pending < 64; i++) {
		struct machine_job *job =
			machine_submit(m, queue, step->length_ns, step->cost_ns, 0);

		if (step->deadline_ns)
			job->arbiter.deadline_ns = m->now_ns + step->deadline_ns;
	}
}

/*
 * Jobs, the last of which may run on a victim's budget, as if a job waited for it that the victim
 * submitted beside its frames. @queue is not the one with the reservation.
 */
static void ahead_of_victim(struct machine *m, struct actor *queue, const struct step *step)
{
	struct actor *victim = &stage->victims[step->queue % stage->scenario->nr_victims];
	struct machine_job *job;

	submit(m, queue, step);
	if (queue->pending >= 64)
		return;
	job = machine_submit(m, queue, step->length_ns, step->cost_ns, 0);
	if (vivgpu_arbiter_has_server(&victim->queue))
		job->arbiter.donor = &victim->queue;
}

static void leave(struct machine *m)
{
	struct actor *a = &stage->queues[0];

	if (vivgpu_arbiter_has_server(&a->queue))
		machine_leave(m, a);
	else if (!a->pending)
		machine_reserve(m, a);
}

/* The next step of the adversary, for whichever queue; @a is always the first queue's actor. */
static void step(struct machine *m, struct actor *a)
{
	const struct step *step = &stage->scenario->steps[stage->next];
	struct actor *queue = &stage->queues[step->queue];

	switch (step->kind) {
	case FRESH_QUEUE:
		if (!queue->pending && !vivgpu_arbiter_has_server(&queue->queue))
			vivgpu_arbiter_init_queue(&queue->queue, 1); /* normal priority */
		submit(m, queue, step);
		break;
	case AHEAD_OF_VICTIM:
		ahead_of_victim(m, &stage->queues[1 + step->queue % (QUEUES - 1)], step);
		break;
	case LEAVE:
		if (stage->scenario->privileged)
			leave(m);
		submit(m, &stage->queues[0], step);
		break;
	default:
		submit(m, queue, step);
	}
	stage->next = (stage->next + 1) % STEPS;
	a->next_ns = m->now_ns + max(stage->scenario->steps[stage->next].delay_ns, 10 * US);
}

/* Returns the longest time from when a victim's frame was due to its end. */
static s64 evaluate(const struct scenario *scenario)
{
	static struct stage one;
	s64 worst = -(s64)LENGTH_NS;
	u32 i;

	stage = &one;
	memset(stage, 0, sizeof(*stage));
	stage->scenario = scenario;
	stage->random = scenario->seed;
	machine_init(&stage->m);
	for (i = 0; i < scenario->nr_victims; i++) {
		struct actor *v = &stage->victims[i];

		v->act = frame;
		v->lateness_ns = worst;
		machine_add(&stage->m, v, &scenario->victims[i]);
		v->length_ns = scenario->victims[i].budget_ns;
		v->cost_ns = v->length_ns;
		v->next_ns = machine_reserve(&stage->m, v) ? scenario->offsets_ns[i] : NEVER;
	}
	for (i = 0; i < QUEUES; i++) {
		stage->queues[i].act = step;
		stage->queues[i].next_ns = i ? NEVER : 0;
		machine_add(&stage->m, &stage->queues[i], &scenario->reservation);
	}
	if (scenario->privileged)
		machine_reserve(&stage->m, &stage->queues[0]);
	machine_run(&stage->m, LENGTH_NS);
	for (i = 0; i < scenario->nr_victims; i++)
		worst = max(worst, stage->victims[i].lateness_ns);
	machine_fini(&stage->m);
	return worst;
}

/* From 0.1 us to 100 ms, mostly more than 10 us */
static u64 draw_time(u64 *random)
{
	static const u64 scale[] = { 10 * US, 100 * US, MS, MS, 10 * MS, 10 * MS };

	u64 factor = 1 + random_below(random, 1000);

	return factor * scale[random_below(random, 6)] / 100;
}

static void draw_step(struct step *step, u64 *random, bool privileged)
{
	step->kind = random_below(random, privileged ? KINDS : LEAVE);
	step->delay_ns = draw_time(random);
	step->length_ns = draw_time(random);
	step->cost_ns = random_below(random, 3) ? draw_time(random) : 0;
	step->deadline_ns = random_below(random, 2) ? draw_time(random) : 0;
	step->queue = random_below(random, QUEUES);
	step->jobs = 1 + (random_below(random, 3) ? 0 : random_below(random, 40));
	if (!random_below(random, 3))
		step->cost_ns = step->length_ns;
}

static void draw(struct scenario *s, u64 *random)
{
	static const u64 periods_us[] = { 8333, 10000, 16667, 20000, 33333, 50000, 100000 };
	u32 i;

	memset(s, 0, sizeof(*s));
	s->seed = random_next(random);
	s->nr_victims = 1 + random_below(random, VICTIMS);
	s->privileged = random_below(random, 2);
	s->jitter_ns = random_below(random, 2) ? 3 * MS : 0;
	for (i = 0; i < s->nr_victims; i++) {
		s->victims[i].period_ns = periods_us[random_below(random, 7)] * US;
		s->victims[i].budget_ns =
			s->victims[i].period_ns / 100 * (3 + random_below(random, 40));
		s->offsets_ns[i] = random_below(random, 20 * MS);
	}
	s->reservation.period_ns = periods_us[random_below(random, 7)] * US;
	s->reservation.budget_ns = s->reservation.period_ns / 100 * (3 + random_below(random, 40));
	for (i = 0; i < STEPS; i++)
		draw_step(&s->steps[i], random, s->privileged);
}

static void change(struct scenario *s, u64 *random)
{
	struct step *step = &s->steps[random_below(random, STEPS)];

	switch (random_below(random, 6)) {
	case 0:
		step->delay_ns = draw_time(random);
		break;
	case 1:
		step->length_ns = draw_time(random);
		break;
	case 2:
		step->cost_ns = random_below(random, 2) ? draw_time(random) : 0;
		break;
	case 3:
		/* Less than nothing wraps around, and becomes 100 ms. */
		step->delay_ns += random_below(random, MS) - MS / 2;
		step->delay_ns = min(step->delay_ns, 100 * MS);
		break;
	case 4:
		s->offsets_ns[random_below(random, s->nr_victims)] = random_below(random, 20 * MS);
		break;
	default:
		draw_step(step, random, s->privileged);
	}
}

static void print(const struct scenario *s, s64 worst)
{
	u32 i;

	printf("%+.3f ms:", worst / 1e6);
	for (i = 0; i < s->nr_victims; i++)
		printf(" %.2f/%.2f@%.2f", s->victims[i].budget_ns / 1e6,
		       s->victims[i].period_ns / 1e6, s->offsets_ns[i] / 1e6);
	if (s->privileged)
		printf(", adversary %.2f/%.2f", s->reservation.budget_ns / 1e6,
		       s->reservation.period_ns / 1e6);
	printf(", jitter %.0f, seed %llu\n", s->jitter_ns / 1e6, s->seed);
	for (i = 0; i < STEPS; i++)
		printf("\tafter %.3f kind %d queue %u: %u x %.3f claims %.3f hint %.3f\n",
		       s->steps[i].delay_ns / 1e6, s->steps[i].kind, s->steps[i].queue,
		       s->steps[i].jobs, s->steps[i].length_ns / 1e6, s->steps[i].cost_ns / 1e6,
		       s->steps[i].deadline_ns / 1e6);
}

/*
 * Tries CLIMB changes of an adversary, or until a frame is late, and keeps those after which the
 * latest frame ends no earlier relative to its deadline. Returns how late that is, as evaluate().
 */
static s64 climb(struct scenario *best, u64 *random, u32 *evaluations)
{
	s64 worst = evaluate(best);
	u32 i;

	for (i = 0; i < CLIMB && worst <= 0; i++) {
		struct scenario next = *best;
		s64 found;

		change(&next, random);
		found = evaluate(&next);
		if (found >= worst) {
			*best = next;
			worst = found;
		}
	}
	*evaluations += 1 + i;
	return worst;
}

/**
 * adversary_search - search for adversaries that make a frame late
 * @evaluations: how many scenarios are simulated at least
 * @end: when to begin no further adversary in any case, as time() has it; 0 for never
 * @seed: of the search
 * @found: out, by privilege: none and a reservation
 *
 * Prints the first three that it finds of each privilege.
 *
 * Return: number of scenarios that were simulated.
 */
u32 adversary_search(u32 evaluations, time_t end, u64 seed, struct adversary_found found[2])
{
	u64 random = seed;
	u32 done = 0, i;

	for (i = 0; i < 2; i++)
		found[i] = (struct adversary_found){ .closest_ns = -(s64)LENGTH_NS };
	while (done < evaluations && (!end || time(NULL) < end)) {
		struct adversary_found *sum;
		struct scenario scenario;
		s64 worst;

		draw(&scenario, &random);
		worst = climb(&scenario, &random, &done);
		sum = &found[scenario.privileged];
		sum->adversaries++;
		sum->closest_ns = max(sum->closest_ns, worst);
		if (worst > 0 && sum->late++ < 3)
			print(&scenario, worst);
	}
	return done;
}
