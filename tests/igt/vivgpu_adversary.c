// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu adversary
 * Description: A search for clients that make frames with a budget late
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: scheduling
 *
 * What tests/deadline/adversary.c does in simulation, on the driver in virtual time: an adversary is a program
 * of steps, drawn at random and changed step by step as long as a victim's frame comes closer to its deadline.
 * Here no victim waits for an adversary's job. IGT_VIVGPU_EVALUATIONS (10) is how many are run,
 * IGT_VIVGPU_SEED (1) which ones.
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MS (IGT_VIVGPU_SECOND / 1000)
#define US (IGT_VIVGPU_SECOND / 1000000)
#define MIB (1 << 20)
#define STEPS 12
#define QUEUES 4
#define VICTIMS 3
/* Changes of one adversary before another one is drawn */
#define CLIMB 40
/*
 * How long victims and adversary act; also the work of a queue from which on it gets no more jobs
 */
#define LENGTH_NS (400 * MS)
/* How much longer operations take on the card: so the host has less to fill */
#define SLOWER 4

/*
 * What comes before a step's jobs: nothing, another queue, or the reservation given up or asked for
 */
enum kind { SUBMIT, FRESH_QUEUE, LEAVE, KINDS };

/*
 * A step: after a delay, jobs of some length to one of the queues, with a claim, cost_ns, and a
 * hint, deadline_ns, or without them, 0
 */
struct step {
	enum kind kind;
	int64_t delay_ns, length_ns, cost_ns, deadline_ns;
	uint32_t queue, jobs;
};

struct reservation {
	int64_t budget_ns, period_ns;
};

/* With privilege the adversary's first queue has a reservation. */
struct scenario {
	struct reservation victims[VICTIMS], own;
	int64_t offsets_ns[VICTIMS], jitter_ns;
	uint32_t nr_victims;
	bool privileged;
	struct step steps[STEPS];
	uint64_t seed;
};

/* A client whose frames must not be late; @frames is how many it has submitted */
struct victim {
	int fd, stream;
	uint32_t queue, frames;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_stream spin;
	int64_t budget_ns, period_ns, next_ns;
};

struct adversary {
	int fd;
	uint32_t queues[QUEUES], dones[QUEUES];
	int64_t pending_ns[QUEUES]; /* length of the jobs of a queue that have not ended */
	bool reserved;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_stream spin;
	int64_t next_ns;
	uint32_t step;
};

/* xorshift64* (Vigna, 2016) */
static uint64_t draw_next(uint64_t *random)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return *random * 0x2545f4914f6cdd1dull;
}

static int64_t below(uint64_t *random, uint64_t limit)
{
	return draw_next(random) % limit;
}

/* From 0.1 us to 100 ms, mostly more than 10 us */
static int64_t draw_time(uint64_t *random)
{
	static const int64_t scale[] = { 10 * US, 100 * US, MS, MS, 10 * MS, 10 * MS };
	int64_t factor = 1 + below(random, 1000);

	return factor * scale[below(random, 6)] / 100;
}

static void draw_step(struct step *step, uint64_t *random, bool privileged)
{
	step->kind = below(random, privileged ? KINDS : LEAVE);
	step->delay_ns = draw_time(random);
	step->length_ns = draw_time(random);
	step->cost_ns = below(random, 3) ? draw_time(random) : 0;
	step->deadline_ns = below(random, 2) ? draw_time(random) : 0;
	step->queue = below(random, QUEUES);
	step->jobs = 1 + (below(random, 3) ? 0 : below(random, 40));
	if (!below(random, 3))
		step->cost_ns = step->length_ns;
}

static struct reservation draw_reservation(uint64_t *random)
{
	static const int64_t periods_us[] = { 8333, 10000, 16667, 20000, 33333, 50000, 100000 };
	struct reservation r = { .period_ns = periods_us[below(random, 7)] * US };

	r.budget_ns = r.period_ns / 100 * (3 + below(random, 40));
	return r;
}

static void draw(struct scenario *s, uint64_t *random)
{
	memset(s, 0, sizeof(*s));
	s->seed = draw_next(random);
	s->nr_victims = 1 + below(random, VICTIMS);
	s->privileged = below(random, 2);
	s->jitter_ns = below(random, 2) ? 3 * MS : 0;
	for (uint32_t i = 0; i < s->nr_victims; i++) {
		s->victims[i] = draw_reservation(random);
		s->offsets_ns[i] = below(random, 20 * MS);
	}
	s->own = draw_reservation(random);
	for (int i = 0; i < STEPS; i++)
		draw_step(&s->steps[i], random, s->privileged);
}

static void change(struct scenario *s, uint64_t *random)
{
	struct step *step = &s->steps[below(random, STEPS)];

	switch (below(random, 6)) {
	case 0:
		step->delay_ns = draw_time(random);
		break;
	case 1:
		step->length_ns = draw_time(random);
		break;
	case 2:
		step->cost_ns = below(random, 2) ? draw_time(random) : 0;
		break;
	case 3:
		step->delay_ns += below(random, MS) - MS / 2;
		break;
	case 4:
		s->offsets_ns[below(random, s->nr_victims)] = below(random, 20 * MS);
		break;
	default:
		draw_step(step, random, s->privileged);
	}
}

static int reserve(int fd, const struct reservation *r, uint32_t *queue)
{
	uint32_t reason;

	return __igt_vivgpu_reserve(fd, r->budget_ns, r->period_ns, queue, &reason);
}

/* Whether a job is in the ring or held back */
static bool is_busy(int fd)
{
	char path[64], text[8192] = "";
	struct stat node;
	FILE *file;
	size_t size;

	igt_assert_eq(fstat(fd, &node), 0);
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/ring", minor(node.st_rdev));
	file = fopen(path, "r");
	igt_assert(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	igt_assert_lt_u64(0, size);
	return strstr(text, " job ");
}

/*
 * Jobs of clients that have left still end, and others get their budgets when these have been due. While a job
 * is in the ring, a reservation would have its first deadline later.
 */
static void wait_until_free(int fd)
{
	const struct reservation most = { 900 * MS, IGT_VIVGPU_SECOND };
	uint32_t queue;

	while (is_busy(fd) || reserve(fd, &most, &queue) != 0)
		igt_vivgpu_sleep(100 * MS);
	igt_assert_eq(__igt_vivgpu_queue_destroy(fd, queue), 0);
}

/* A stream that takes ns, in steps of 31 us at 528 MHz: fills have multiples of 16 rows. */
static void work_init(struct igt_vivgpu_stream *stream, const struct igt_vivgpu_bo *bo, int64_t ns)
{
	const int64_t row_ns = IGT_VIVGPU_PITCH / 4 * SLOWER * IGT_VIVGPU_SECOND /
			       igt_vivgpu_param(bo->fd, DRM_VIVGPU_PARAM_CORE_CLOCK);
	const uint32_t all = MIB / IGT_VIVGPU_PITCH;
	int64_t rows = ns / row_ns;

	stream->size = 0;
	if (rows >= all)
		igt_vivgpu_fill(stream, bo->va, all, 0);
	for (; rows >= 2 * all; rows -= all)
		igt_vivgpu_again(stream);
	if (rows % all >= 16 || !stream->size)
		igt_vivgpu_fill(stream, bo->va, rows % all / 16 * 16 ?: 16, 0);
}

/* A victim that is not admitted has no frames. */
static void victim_init(struct victim *v, int fd, const struct reservation *r, int64_t first_ns)
{
	v->fd = igt_vivgpu_reopen(fd);
	igt_vivgpu_bo_init(&v->bo, v->fd, MIB);
	igt_assert_eq(__igt_vivgpu_stream_open(
			      v->fd, 0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB), &v->stream),
		      0);
	work_init(&v->spin, &v->bo, r->budget_ns * 95 / 100 - 50 * US);
	v->period_ns = r->period_ns;
	v->budget_ns = r->budget_ns;
	v->frames = 0;
	v->next_ns = reserve(v->fd, r, &v->queue) == 0 ? first_ns : INT64_MAX;
}

static void victim_frame(struct victim *v, int64_t jitter_ns)
{
	struct igt_vivgpu_job job = {
		.stream = &v->spin, .bos = { &v->bo }, .nr_bos = 1, .cookie = ++v->frames
	};

	job.deadline_ns = igt_vivgpu_now() + v->period_ns;
	job.cost_ns = 0;
	igt_vivgpu_submit(v->fd, v->queue, &job);
	v->next_ns = igt_vivgpu_now() + v->period_ns + jitter_ns;
}

/* Returns the longest time from when a frame was due to its end; negative: all ended before. */
static int64_t victim_fini(struct victim *v)
{
	struct pollfd ready = { .fd = v->stream, .events = POLLIN };
	int64_t worst = -LENGTH_NS;

	for (uint32_t i = 0; i < v->frames; i++) {
		struct drm_vivgpu_record r;
		int64_t late;

		igt_assert_eq(poll(&ready, 1, 20000), 1);
		igt_assert_eq(read(v->stream, &r, sizeof(r)), sizeof(r));
		igt_assert(!(r.flags & DRM_VIVGPU_JOB_FAILED));
		igt_assert_lte_u64(r.finished_ns - r.started_ns, v->budget_ns);
		late = r.finished_ns - r.submitted_ns - v->period_ns;
		worst = late > worst ? late : worst;
	}
	close(v->stream);
	igt_vivgpu_bo_fini(&v->bo);
	close(v->fd);
	return worst;
}

static void adversary_init(struct adversary *a, int fd, const struct scenario *s, int64_t now_ns)
{
	const struct reservation none = { 0 };

	memset(a, 0, sizeof(*a));
	a->fd = igt_vivgpu_reopen(fd);
	igt_vivgpu_bo_init(&a->bo, a->fd, MIB);
	for (int i = 0; i < QUEUES; i++) {
		a->dones[i] = igt_vivgpu_sync_create(a->fd);
		a->reserved |= !i && s->privileged && reserve(a->fd, &s->own, &a->queues[i]) == 0;
		if (!a->queues[i])
			igt_assert_eq(reserve(a->fd, &none, &a->queues[i]), 0);
	}
	a->next_ns = now_ns;
}

static void adversary_submit(struct adversary *a, const struct step *step)
{
	struct igt_vivgpu_job job = { .stream = &a->spin,
				      .bos = { &a->bo },
				      .nr_bos = 1,
				      .out_sync = a->dones[step->queue],
				      .cost_ns = step->cost_ns };
	int64_t *pending_ns = &a->pending_ns[step->queue];

	if (*pending_ns && igt_vivgpu_sync_wait(a->fd, job.out_sync, 0))
		*pending_ns = 0;
	if (step->deadline_ns)
		job.deadline_ns = igt_vivgpu_now() + step->deadline_ns;
	work_init(&a->spin, &a->bo, step->length_ns);
	for (uint32_t i = 0; i < step->jobs && *pending_ns < LENGTH_NS; i++) {
		igt_vivgpu_submit(a->fd, a->queues[step->queue], &job);
		*pending_ns += step->length_ns;
	}
}

/*
 * Replace the queue by another one, with a reservation if @reserved asks for one and it is granted.
 * A queue whose jobs have not ended stays.
 */
static void adversary_renew(struct adversary *a, const struct scenario *s, uint32_t queue,
			    bool reserved)
{
	const struct reservation none = { 0 };

	if (a->pending_ns[queue] && !igt_vivgpu_sync_wait(a->fd, a->dones[queue], 0))
		return;
	igt_assert_eq(__igt_vivgpu_queue_destroy(a->fd, a->queues[queue]), 0);
	a->queues[queue] = 0;
	if (!reserved || reserve(a->fd, &s->own, &a->queues[queue]) != 0) {
		igt_assert_eq(reserve(a->fd, &none, &a->queues[queue]), 0);
		reserved = false;
	}
	if (!queue)
		a->reserved = reserved;
}

static void adversary_act(struct adversary *a, const struct scenario *s)
{
	const struct step *step = &s->steps[a->step];

	if (step->kind == LEAVE)
		adversary_renew(a, s, 0, !a->reserved);
	else if (step->kind == FRESH_QUEUE && !(step->queue == 0 && a->reserved))
		adversary_renew(a, s, step->queue, false);
	adversary_submit(a, step);
	a->step = (a->step + 1) % STEPS;
	a->next_ns = igt_vivgpu_now() +
		     (s->steps[a->step].delay_ns > 10 * US ? s->steps[a->step].delay_ns : 10 * US);
}

/* Let victims and adversary act until the end. */
static void play(struct victim *victims, struct adversary *a, const struct scenario *s,
		 int64_t end_ns)
{
	uint64_t random = s->seed | 1;

	for (;;) {
		struct victim *next = NULL;
		int64_t next_ns = a->next_ns;

		for (uint32_t i = 0; i < s->nr_victims; i++) {
			if (victims[i].next_ns > next_ns)
				continue;
			next = &victims[i];
			next_ns = next->next_ns;
		}
		if (next_ns >= end_ns)
			return;
		igt_vivgpu_sleep(next_ns - igt_vivgpu_now());
		if (next)
			victim_frame(next, s->jitter_ns ? below(&random, s->jitter_ns) : 0);
		else
			adversary_act(a, s);
	}
}

/* Returns the longest time from when a victim's frame was due to its end. */
static int64_t evaluate(int fd, const struct scenario *s)
{
	static struct victim victims[VICTIMS];
	static struct adversary a;
	int64_t begin, worst = -LENGTH_NS;

	wait_until_free(fd);
	begin = igt_vivgpu_now() + 10 * MS;
	for (uint32_t i = 0; i < s->nr_victims; i++)
		victim_init(&victims[i], fd, &s->victims[i], begin + s->offsets_ns[i]);
	adversary_init(&a, fd, s, begin);
	play(victims, &a, s, begin + LENGTH_NS);
	for (uint32_t i = 0; i < s->nr_victims; i++) {
		int64_t late = victim_fini(&victims[i]);

		worst = late > worst ? late : worst;
	}
	igt_vivgpu_bo_fini(&a.bo);
	close(a.fd);
	return worst;
}

static void print(const struct scenario *s, int64_t worst)
{
	igt_info("late by %lld us: %s, jitter %lld, %u victims\n", (long long)worst / US,
		 s->privileged ? "with a reservation" : "without privilege",
		 (long long)s->jitter_ns, s->nr_victims);
	for (uint32_t i = 0; i < s->nr_victims; i++)
		igt_info("\tvictim %lld/%lld us at %lld\n", (long long)s->victims[i].budget_ns / US,
			 (long long)s->victims[i].period_ns / US, (long long)s->offsets_ns[i] / US);
	igt_info("\tadversary %lld/%lld us\n", (long long)s->own.budget_ns / US,
		 (long long)s->own.period_ns / US);
	for (int i = 0; i < STEPS; i++)
		igt_info("\tafter %lld kind %d queue %u: %u x %lld us, claims %lld, hint %lld\n",
			 (long long)s->steps[i].delay_ns / US, s->steps[i].kind, s->steps[i].queue,
			 s->steps[i].jobs, (long long)s->steps[i].length_ns / US,
			 (long long)s->steps[i].cost_ns / US,
			 (long long)s->steps[i].deadline_ns / US);
}

static uint32_t number(const char *variable, uint32_t otherwise)
{
	const char *text = getenv(variable);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

static void search(int fd)
{
	uint64_t random = number("IGT_VIVGPU_SEED", 1);
	uint32_t wanted = number("IGT_VIVGPU_EVALUATIONS", 10), done = 0, adversaries = 0, late = 0;
	/* Without a reservation, and with one */
	int64_t closest[2] = { -LENGTH_NS, -LENGTH_NS };

	igt_require_f(igt_vivgpu_virtual_time(), "runs in virtual time only\n");
	igt_vivgpu_require_card();
	igt_assert_eq(prctl(PR_SET_TIMERSLACK, 1), 0);
	igt_vivgpu_card("slow %d", 100 * SLOWER);
	while (done < wanted) {
		struct scenario best, next;
		int64_t worst, found;

		draw(&best, &random);
		worst = evaluate(fd, &best);
		adversaries++;
		done++;
		for (int i = 0; i < CLIMB && worst <= 0 && done < wanted; i++, done++) {
			next = best;
			change(&next, &random);
			found = evaluate(fd, &next);
			if (found < worst)
				continue;
			best = next;
			worst = found;
		}
		igt_info("%u evaluations: %s, %lld us before it was due\n", done,
			 best.privileged ? "with a reservation" : "without privilege",
			 (long long)-worst / US);
		if (worst > closest[best.privileged])
			closest[best.privileged] = worst;
		if (worst <= 0)
			continue;
		print(&best, worst);
		late++;
	}
	igt_info(
		"%u evaluations, %u of %u adversaries made a frame late; closest %lld us before it was due, "
		"with a reservation %lld us\n",
		done, late, adversaries, (long long)-closest[0] / US, (long long)-closest[1] / US);
	/* The next test has the GPU alone. */
	wait_until_free(fd);
	igt_vivgpu_card("slow 100");
	igt_assert_eq(late, 0);
}

static const struct igt_vivgpu_test tests[] = {
	{ "search", "No adversary that is found makes a frame with a budget late", search },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
