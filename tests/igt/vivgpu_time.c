// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu time
 * Description: Stamps and cycles of jobs and of points in them
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: telemetry
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <string.h>
#include <unistd.h>

#define MIB (1 << 20)
#define JOBS 6
#define MS (IGT_VIVGPU_SECOND / 1000)
#define LATE (5 * MS)
/* Readings of the clock around a job, which take time in virtual time: exact() */
#define CLOCK_READS 1000 /* ns */
/* Cycles are those at the job's stamps, and the guest's clock has steps of so much. */
#define CLOCK_STEP 256 /* ns */

/* A client with a job and a stream of its records. */
struct client {
	int fd, stream;
	uint32_t queue;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_stream work;
	struct igt_vivgpu_job job;
};

static void client_init(struct client *c, int fd, int64_t ns)
{
	c->fd = fd;
	c->queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					       &c->stream),
		      0);
	igt_vivgpu_bo_init(&c->bo, fd, MIB);
	igt_vivgpu_spin_init(&c->work, &c->bo, ns);
	c->job = (struct igt_vivgpu_job){ .stream = &c->work,
					  .bos = { &c->bo },
					  .nr_bos = 1,
					  .out_sync = igt_vivgpu_sync_create(fd) };
}

static void client_wait(struct client *c)
{
	igt_assert(igt_vivgpu_sync_wait(c->fd, c->job.out_sync, 60 * IGT_VIVGPU_SECOND));
}

static struct drm_vivgpu_record next(struct client *c)
{
	struct drm_vivgpu_record r;

	igt_assert_eq(read(c->stream, &r, sizeof(r)), sizeof(r));
	igt_info("job %llu.%u: waited %lld us, ran %lld us, %llu cycles%s\n", r.client, r.job,
		 (long long)(r.started_ns - r.queued_ns) / 1000,
		 (long long)(r.finished_ns - r.started_ns) / 1000, (unsigned long long)r.job_cycles,
		 r.flags & DRM_VIVGPU_JOB_OVERLAPPED ? ", overlapped" : "");
	return r;
}

static uint64_t to_ns(int fd, uint64_t cycles)
{
	return cycles * 1000000 / (igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK) / 1000);
}

/* Equal within a step of the clock at each end of a job. */
static void assert_same_cycles(int fd, uint64_t a, uint64_t b)
{
	igt_assert_lte_u64(to_ns(fd, a > b ? a - b : b - a), 2 * CLOCK_STEP);
}

static void check_order(const struct drm_vivgpu_record *r)
{
	igt_assert_lte_u64(r->submitted_ns, r->queued_ns);
	igt_assert_lte_u64(r->queued_ns, r->started_ns);
	igt_assert_lte_u64(r->started_ns, r->finished_ns);
}

/*
 * A job that is alone starts when it is queued. In real time the host may take the processor
 * between the start and its stamp; then a job seems short, but not most of them.
 */
static void alone(int fd)
{
	struct client c;
	int short_jobs = 0;

	client_init(&c, fd, 10 * MS);
	for (int i = 0; i < JOBS; i++) {
		struct drm_vivgpu_record r;

		igt_vivgpu_submit(fd, c.queue, &c.job);
		client_wait(&c);
		r = next(&c);
		check_order(&r);
		igt_assert_eq_u64(r.started_ns, r.queued_ns);
		short_jobs += r.finished_ns - r.started_ns < 10 * MS * 9 / 10;
		igt_assert_eq_u32(r.flags & DRM_VIVGPU_JOB_OVERLAPPED, 0);
	}
	igt_assert_lte(short_jobs, igt_vivgpu_virtual_time() ? 0 : JOBS / 2);
}

/*
 * Queued jobs start when the previous one finishes, of whichever client it is. On a busy machine it
 * may finish before they are queued.
 */
static void back_to_back(int fd)
{
	int other = igt_vivgpu_reopen(fd);
	struct client c[2];
	uint64_t finished = 0, cycles[2] = { 0 };
	bool exact;

	igt_vivgpu_require_card();
	exact = igt_vivgpu_virtual_time();
	client_init(&c[0], fd, 20 * MS);
	client_init(&c[1], other, 10 * MS);
	for (int i = 0; i < 2 * JOBS; i++)
		igt_vivgpu_submit(c[i & 1].fd, c[i & 1].queue, &c[i & 1].job);
	client_wait(&c[0]);
	client_wait(&c[1]);
	for (int i = 0; i < 2 * JOBS; i++) {
		struct drm_vivgpu_record r = next(&c[i & 1]);

		check_order(&r);
		if (i)
			igt_assert_eq_u64(r.started_ns,
					  r.queued_ns > finished ? r.queued_ns : finished);
		if (exact && i)
			igt_assert_lte_u64(r.queued_ns, finished);
		finished = r.finished_ns;
		/* The first of each began with a GPU that was not busy yet. */
		if (exact && i > 3)
			assert_same_cycles(fd, r.job_cycles, cycles[i & 1]);
		cycles[i & 1] = r.job_cycles;
	}
	close(other);
}

/*
 * Interrupts that all are late do not add up: all jobs of a batch together took
 * what the card counted, and one delay.
 */
static void delayed_interrupts(int fd)
{
	uint64_t card, late_cycles, sum = 0;
	struct client c;

	igt_vivgpu_require_card();
	late_cycles = LATE / 1000 * (igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK) / 1000000);
	client_init(&c, fd, 40 * MS);
	card = igt_vivgpu_card_total("gc.busy_cycles");
	igt_vivgpu_card("delay-irq %lld", (long long)LATE);
	for (int i = 0; i < JOBS; i++)
		igt_vivgpu_submit(fd, c.queue, &c.job);
	client_wait(&c);
	igt_vivgpu_card("delay-irq 0");
	card = igt_vivgpu_card_total("gc.busy_cycles") - card;
	for (int i = 0; i < JOBS; i++) {
		struct drm_vivgpu_record r = next(&c);

		check_order(&r);
		sum += r.job_cycles;
	}
	igt_info("card %llu, driver %llu cycles\n", (unsigned long long)card,
		 (unsigned long long)sum);
	if (igt_vivgpu_virtual_time()) {
		igt_assert_lte_u64(card, sum);
		igt_assert_lte_u64(sum, card + late_cycles + card / 100);
	} else {
		igt_assert_lte_u64(card - card / 10, sum);
		igt_assert_lte_u64(sum, card + late_cycles + card / 10);
	}
}

/* Two points around the work, and one in the middle of it. */
static void points(int fd)
{
	struct drm_vivgpu_point at[3] = { { 0 }, { .bo_offset = 16 }, { .bo_offset = 32 } };
	struct igt_vivgpu_bo out;
	struct drm_vivgpu_record r;
	struct client c;
	uint64_t(*stamp)[2];

	igt_vivgpu_require_card();
	client_init(&c, fd, 10 * MS);
	igt_vivgpu_bo_init(&out, fd, 4096);
	stamp = (void *)out.map;
	c.work.size = 0;
	for (int half = 0; half < 2; half++) {
		struct igt_vivgpu_stream part;

		at[half].stream_offset = igt_vivgpu_nop(&c.work);
		igt_vivgpu_spin_init(&part, &c.bo, 10 * MS);
		for (uint32_t i = 0; i < part.size; i += 2)
			igt_vivgpu_emit(&c.work, part.words[i], part.words[i + 1]);
	}
	at[2].stream_offset = igt_vivgpu_nop(&c.work);
	c.job.points = at;
	c.job.nr_points = 3;
	c.job.bos[0] = &out;
	c.job.bos[1] = &c.bo;
	c.job.nr_bos = 2;
	igt_vivgpu_submit(fd, c.queue, &c.job);
	client_wait(&c);
	r = next(&c);
	check_order(&r);
	for (int i = 0; i < 3; i++)
		igt_info("point %d: +%lld us\n", i, (long long)(stamp[i][0] - r.started_ns) / 1000);
	igt_assert_lte_u64(r.started_ns, stamp[0][0]);
	for (int i = 1; i < 3; i++) {
		igt_assert_lte_u64(stamp[i - 1][0], stamp[i][0]);
		igt_assert_lte_u64(stamp[i - 1][1], stamp[i][1]);
	}
	igt_assert_lte_u64(stamp[2][0], r.finished_ns);
	/* Without interrupt latency both halves take equal times, which add up to the whole. */
	if (igt_vivgpu_virtual_time()) {
		uint64_t half[2] = { stamp[1][1] - stamp[0][1], stamp[2][1] - stamp[1][1] };

		igt_assert_lte_u64(half[0], half[1] + half[1] / 100);
		igt_assert_lte_u64(half[1], half[0] + half[0] / 100);
		igt_assert_lte_u64(r.job_cycles * 99 / 100, half[0] + half[1]);
	}
}

/*
 * Points that one interrupt reports, because it is late: no interval is 0, and one of three times
 * as much work is longer.
 */
static void points_together(int fd)
{
	enum { PASSES = 4 };
	static const unsigned int fills[PASSES] = { 1, 3, 1, 1 };
	struct drm_vivgpu_point at[PASSES + 1] = { 0 };
	struct igt_vivgpu_bo out;
	struct client c;
	uint64_t(*stamp)[2];

	igt_vivgpu_require_card();
	client_init(&c, fd, MS);
	igt_vivgpu_bo_init(&out, fd, 4096);
	stamp = (void *)out.map;
	c.work.size = 0;
	for (unsigned int i = 0; i < PASSES; i++) {
		at[i].stream_offset = igt_vivgpu_nop(&c.work);
		igt_vivgpu_fill(&c.work, c.bo.va, IGT_VIVGPU_ROWS, i);
		for (unsigned int n = 1; n < fills[i]; n++)
			igt_vivgpu_again(&c.work);
		at[i + 1].bo_offset = 16 * (i + 1);
	}
	at[PASSES].stream_offset = igt_vivgpu_nop(&c.work);
	c.job.points = at;
	c.job.nr_points = PASSES + 1;
	c.job.bos[0] = &out;
	c.job.bos[1] = &c.bo;
	c.job.nr_bos = 2;
	igt_vivgpu_card("delay-irq %lld", (long long)LATE);
	igt_vivgpu_submit(fd, c.queue, &c.job);
	client_wait(&c);
	igt_vivgpu_card("delay-irq 0");
	for (unsigned int i = 0; i < PASSES; i++) {
		igt_info("%u fills: %llu ns\n", fills[i],
			 (unsigned long long)(stamp[i + 1][0] - stamp[i][0]));
		igt_assert_lt_u64(stamp[i][0], stamp[i + 1][0]);
		igt_assert_lt_u64(stamp[i][1], stamp[i + 1][1]);
	}
	igt_assert_lt_u64(2 * (stamp[1][0] - stamp[0][0]), stamp[2][0] - stamp[1][0]);
}

/* As many points as there may be. */
static void max_points(int fd)
{
	uint64_t most = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_POINTS);
	struct drm_vivgpu_point at[64];
	struct igt_vivgpu_bo out;
	struct client c;
	uint64_t(*stamp)[2];

	igt_assert_lte_u64(most, 64);
	client_init(&c, fd, MS);
	igt_vivgpu_bo_init(&out, fd, 4096);
	stamp = (void *)out.map;
	c.job.bos[0] = &out;
	c.job.points = at;
	c.job.nr_points = most;
	for (int round = 0; round < 20; round++) {
		memset(out.map, 0, out.size);
		c.work.size = 0;
		for (uint64_t i = 0; i < most; i++)
			at[i] = (struct drm_vivgpu_point){ .stream_offset = igt_vivgpu_nop(&c.work),
							   .bo_offset = 16 * i };
		igt_vivgpu_submit(fd, c.queue, &c.job);
		client_wait(&c);
		igt_assert_lt_u64(0, stamp[0][0]);
		for (uint64_t i = 1; i < most; i++) {
			igt_assert_lte_u64(stamp[i - 1][0], stamp[i][0]);
			igt_assert_lte_u64(stamp[i - 1][1], stamp[i][1]);
		}
	}
}

/*
 * In virtual time equal jobs take equal times, which are those of their cycles;
 * but reading a clock takes time there, so that the two differ by some readings.
 */
static void exact(int fd)
{
	struct client c;
	uint64_t cycles = 0;

	igt_vivgpu_require_card();
	igt_require_f(igt_vivgpu_virtual_time(), "only virtual time is exact\n");
	client_init(&c, fd, 10 * MS);
	for (int i = 0; i < JOBS; i++) {
		struct drm_vivgpu_record r;
		uint64_t ns;

		igt_vivgpu_submit(fd, c.queue, &c.job);
		client_wait(&c);
		r = next(&c);
		ns = to_ns(fd, r.job_cycles);
		igt_assert_lte_u64(r.finished_ns - r.started_ns, ns + CLOCK_READS);
		igt_assert_lte_u64(ns, r.finished_ns - r.started_ns + CLOCK_READS);
		/* The first one switches the address space. */
		if (i > 1)
			assert_same_cycles(fd, r.job_cycles, cycles);
		cycles = r.job_cycles;
	}
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The resolution of the stamps is exactly the one that is reported. */
static void quantum(int fd)
{
	uint64_t step = 0, first = 0;
	struct client c;

	igt_vivgpu_require_card();
	client_init(&c, fd, MS);
	for (int i = 0; i < 4 * JOBS; i++) {
		struct drm_vivgpu_record r;

		igt_vivgpu_submit(fd, c.queue, &c.job);
		client_wait(&c);
		r = next(&c);
		first = first ?: r.submitted_ns;
		step = divisor(step, r.submitted_ns - first);
		step = divisor(step, r.queued_ns - first);
		step = divisor(step, r.finished_ns - first);
	}
	igt_assert_eq_u64(step, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_TIME_QUANTUM));
}

static const struct igt_vivgpu_test tests[] = {
	{ "alone", "A job that is alone starts at once", alone },
	{ "back-to-back", "Jobs of two clients start when the other's finish", back_to_back },
	{ "delayed-interrupts", "Late interrupts do not add up", delayed_interrupts },
	{ "points", "Points lie where they are", points },
	{ "points-together", "Points of one interrupt have times of their own", points_together },
	{ "points-max", "As many points as there may be", max_points },
	{ "quantum", "The step of all stamps", quantum },
	{ "exact", "In virtual time all is exact", exact },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
