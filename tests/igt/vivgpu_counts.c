// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu counts
 * Description: Vertices, primitives and fragments of jobs that do not stop the ring
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: telemetry
 */
#include "igt.h"
#include "igt_vivgpu.h"
#include "igt_vivgpu_draw.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALL DRM_VIVGPU_STREAM_ALL
/* Flags of records: there are counts, and they are of this job alone */
#define COUNTS DRM_VIVGPU_JOB_COUNTS
#define EXACT DRM_VIVGPU_JOB_COUNTS_EXACT
#define JOBS 48
/* Step of the guest's clock, which is the error of a job's cycles at either end. */
#define CLOCK_STEP_NS 256
/* An address that no buffer has. */
#define NOWHERE 0x80000000

/* Set the number of triangles that the client's jobs draw; 0: none. */
static void set_work(struct igt_vivgpu_client *c, uint32_t triangles)
{
	c->work.size = 0;
	igt_vivgpu_draw_states(&c->work, &c->bo);
	if (triangles)
		igt_vivgpu_draw(&c->work, triangles);
}

static void client_init(struct igt_vivgpu_client *c, int fd, uint32_t triangles)
{
	igt_vivgpu_client_init(c, fd, IGT_VIVGPU_DRAW_BYTES);
	igt_vivgpu_draw_init(&c->bo);
	c->job.out_sync = igt_vivgpu_sync_create(fd);
	set_work(c, triangles);
}

static void submit(struct igt_vivgpu_client *c)
{
	c->job.cookie++;
	igt_vivgpu_client_submit(c);
}

/* Run a job and return its record, which must be the next one of the stream. */
static struct drm_vivgpu_record run(struct igt_vivgpu_client *c, int stream)
{
	struct drm_vivgpu_record r;

	submit(c);
	igt_vivgpu_client_wait(c);
	igt_assert_eq(read(stream, &r, sizeof(r)), sizeof(r));
	igt_assert_eq_u64(r.cookie, c->job.cookie);
	return r;
}

/*
 * Read records until there are none; add up their counts, and get the flags that @all or @any of
 * them have. The stream does not wait for records any more. Returns: their number.
 */
static uint32_t drain(int stream, struct igt_vivgpu_counts *sum, uint32_t *all, uint32_t *any)
{
	struct drm_vivgpu_record r;
	uint32_t count = 0;

	*sum = (struct igt_vivgpu_counts){ 0 };
	*all = ~0u;
	*any = 0;
	igt_assert_eq(fcntl(stream, F_SETFL, O_NONBLOCK), 0);
	while (read(stream, &r, sizeof(r)) == sizeof(r)) {
		igt_vivgpu_counts_add(sum, igt_vivgpu_record_counts(&r));
		if (!(r.flags & COUNTS))
			igt_assert(!r.vertices && !r.primitives && !r.fragments);
		igt_assert(r.flags & COUNTS || !(r.flags & EXACT));
		*all &= r.flags;
		*any |= r.flags;
		count++;
	}
	return count;
}

/* Run a job with three exact counters (as PERF_SIGNAL names them) and return their values. */
static struct igt_vivgpu_counts counted(struct igt_vivgpu_client *c)
{
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)c->work.words,
					  .size = c->work.size * 4 };
	struct igt_vivgpu_bo out;
	struct drm_vivgpu_submit_bo bos[2];
	struct drm_vivgpu_sync sync = { .handle = c->job.out_sync };
	struct drm_vivgpu_counter counters[3] = {
		{ .domain = 4, .signal = 0, .bo_index = 1 }, /* PA: INPUT_VTX_COUNTER */
		{ .domain = 6,
		  .signal = 3,
		  .bo_index = 1,
		  .bo_offset = 8 }, /* RA: TOTAL_PRIMITIVE_COUNT */
		{ .domain = 3,
		  .signal = 2,
		  .bo_index = 1,
		  .bo_offset = 16 }, /* SH: RENDERED_PIXEL_COUNTER */
	};
	struct drm_vivgpu_submit submit = {
		.queue = c->queue,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)bos,
		.nr_bos = 2,
		.out_syncs = (uintptr_t)&sync,
		.nr_out_syncs = 1,
		.counters = (uintptr_t)counters,
		.nr_counters = 3,
		.cookie = ++c->job.cookie,
	};
	struct igt_vivgpu_counts counts;
	const uint64_t *value;

	igt_vivgpu_bo_init(&out, c->fd, 4096);
	value = (uint64_t *)out.map;
	bos[0] = (struct drm_vivgpu_submit_bo){ c->bo.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	bos[1] = (struct drm_vivgpu_submit_bo){ out.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	igt_assert_eq(__igt_vivgpu_ioctl(c->fd, DRM_IOCTL_VIVGPU_SUBMIT, &submit), 0);
	igt_vivgpu_client_wait(c);
	counts = (struct igt_vivgpu_counts){ value[0], value[1], value[2] };
	igt_vivgpu_bo_fini(&out);
	return counts;
}

static struct igt_vivgpu_counts of_triangles(uint32_t triangles, uint64_t fragments)
{
	return (struct igt_vivgpu_counts){ 3 * triangles, triangles, triangles * fragments };
}

/* One job at a time: exact, what the exact counters count, and what the card did. */
static void exact(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, 0, 0);
	struct igt_vivgpu_counts before, one;
	struct drm_vivgpu_record r;
	struct igt_vivgpu_client c;

	igt_vivgpu_require_card();
	client_init(&c, fd, 1);
	before = igt_vivgpu_card_counts();
	r = run(&c, stream);
	one = igt_vivgpu_record_counts(&r);
	igt_vivgpu_assert_counts(igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before), one);
	igt_vivgpu_assert_counts(one, of_triangles(1, one.fragments));
	/* Half of the square, with or without its diagonal. */
	igt_assert_lte_u64(64 * 63 / 2, one.fragments);
	igt_assert_lte_u64(one.fragments, 64 * 65 / 2);
	for (uint32_t triangles = 0; triangles <= 512; triangles = triangles ? triangles * 2 : 1) {
		set_work(&c, triangles);
		r = run(&c, stream);
		igt_assert_eq_u32(r.flags & (COUNTS | EXACT), COUNTS | EXACT);
		igt_vivgpu_assert_counts(igt_vivgpu_record_counts(&r),
					 of_triangles(triangles, one.fragments));
		igt_vivgpu_assert_counts(counted(&c), of_triangles(triangles, one.fragments));
		/* The job with counters has a record with counts, too. */
		igt_assert_eq(read(stream, &r, sizeof(r)), sizeof(r));
		igt_assert_eq_u32(r.flags & (COUNTS | EXACT | DRM_VIVGPU_JOB_COUNTED),
				  COUNTS | EXACT | DRM_VIVGPU_JOB_COUNTED);
		igt_vivgpu_assert_counts(igt_vivgpu_record_counts(&r),
					 of_triangles(triangles, one.fragments));
	}
	close(stream);
}

/* Without the flag there are no counts, also if another stream has them. */
static void without(int fd)
{
	struct drm_vivgpu_usage usage;
	struct drm_vivgpu_record r;
	struct igt_vivgpu_client c;
	int plain, counts;

	client_init(&c, fd, 3);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					       &plain),
		      0);
	r = run(&c, plain);
	igt_assert_eq_u32(r.flags & (COUNTS | EXACT), 0);
	igt_assert(!r.vertices && !r.primitives && !r.fragments);
	usage = igt_vivgpu_totals(fd, 0);
	igt_assert_eq_u64(usage.counted_jobs, 0);
	igt_assert_eq_u64(usage.vertices, 0);

	counts = igt_vivgpu_counts_open(fd, 0, 0);
	r = run(&c, plain);
	igt_assert_eq_u32(r.flags & (COUNTS | EXACT), 0);
	igt_assert(!r.vertices && !r.primitives && !r.fragments);
	igt_assert_eq(read(counts, &r, sizeof(r)), sizeof(r));
	igt_assert_eq_u32(r.flags & (COUNTS | EXACT), COUNTS | EXACT);
	igt_assert_eq_u64(r.vertices, 9);
	usage = igt_vivgpu_totals(fd, 0);
	igt_assert_eq_u64(usage.counted_jobs, 1);
	igt_assert_eq_u64(usage.vertices, 9);

	close(counts);
	r = run(&c, plain);
	igt_assert_eq_u32(r.flags & (COUNTS | EXACT), 0);
	igt_assert_eq_u64(igt_vivgpu_totals(fd, 0).counted_jobs, 1);
	close(plain);
}

/* The core takes as long with counts as without; in virtual time to a step of the clock. */
static void cycles(int fd)
{
	const uint64_t hz = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK);
	const uint64_t step = 2 * CLOCK_STEP_NS * hz / IGT_VIVGPU_SECOND + 1;
	struct drm_vivgpu_record without, with;
	int plain, counts;
	struct igt_vivgpu_client c;

	igt_vivgpu_require_card();
	client_init(&c, fd, 64);
	igt_assert_eq(__igt_vivgpu_stream_open(fd, 0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					       &plain),
		      0);
	run(&c, plain);
	without = run(&c, plain);
	close(plain);
	counts = igt_vivgpu_counts_open(fd, 0, 0);
	run(&c, counts);
	with = run(&c, counts);
	close(counts);
	igt_info("%llu cycles without, %llu with counts\n", (unsigned long long)without.job_cycles,
		 (unsigned long long)with.job_cycles);
	igt_assert(with.flags & EXACT);
	if (igt_vivgpu_virtual_time()) {
		igt_assert_lte_u64(with.job_cycles, without.job_cycles + step);
		igt_assert_lte_u64(without.job_cycles, with.job_cycles + step);
	}
}

/* Many jobs in the ring: all are counted, and the sums are the card's. */
static void sums(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, 0, 0);
	struct igt_vivgpu_counts before, sum;
	struct drm_vivgpu_usage usage;
	uint32_t all, any;
	struct igt_vivgpu_client c;

	igt_vivgpu_require_card();
	client_init(&c, fd, 1);
	before = igt_vivgpu_card_counts();
	for (uint32_t i = 0; i < JOBS; i++) {
		set_work(&c, 1 + i % 7);
		submit(&c);
	}
	igt_vivgpu_client_wait(&c);
	igt_assert_eq_u32(drain(stream, &sum, &all, &any), JOBS);
	igt_assert(all & COUNTS);
	igt_vivgpu_assert_counts(sum, igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before));
	usage = igt_vivgpu_totals(fd, 0);
	igt_assert_eq_u64(usage.counted_jobs, JOBS);
	igt_assert_eq_u64(usage.vertices, sum.vertices);
	igt_assert_eq_u64(usage.primitives, sum.primitives);
	igt_assert_eq_u64(usage.fragments, sum.fragments);
	close(stream);
}

/* Every fourth job runs alone, though others wait: its counts are exact, and the sums right. */
static void interval(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, 0, 4);
	struct igt_vivgpu_counts before, sum = { 0 };
	struct drm_vivgpu_record r;
	uint64_t fragments;
	uint32_t exact = 0;
	struct igt_vivgpu_client c;

	igt_vivgpu_require_card();
	client_init(&c, fd, 1);
	fragments = run(&c, stream).fragments;
	/*
	 * The third job from here is the next one that runs alone. The card is slow, so that others
	 * wait in the ring.
	 */
	before = igt_vivgpu_card_counts();
	igt_vivgpu_card("slow 10000");
	for (uint32_t i = 0; i < JOBS; i++) {
		set_work(&c, 1 + i % 7);
		submit(&c);
	}
	igt_vivgpu_client_wait(&c);
	igt_vivgpu_card("slow 100");
	for (uint32_t i = 0; i < JOBS; i++) {
		igt_assert_eq(read(stream, &r, sizeof(r)), sizeof(r));
		igt_assert(r.flags & COUNTS);
		igt_vivgpu_counts_add(&sum, igt_vivgpu_record_counts(&r));
		igt_assert_eq(i % 4 == 2, !!(r.flags & DRM_VIVGPU_JOB_COUNTED));
		if (i % 4 == 2)
			igt_assert(r.flags & EXACT);
		if (!(r.flags & EXACT))
			continue;
		igt_vivgpu_assert_counts(igt_vivgpu_record_counts(&r),
					 of_triangles(1 + i % 7, fragments));
		exact++;
	}
	igt_info("%u of %u jobs are exact\n", exact, JOBS);
	igt_assert_lte_u64(JOBS / 4, exact);
	igt_vivgpu_assert_counts(sum, igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before));
	igt_assert_lte_u64(exact, igt_vivgpu_totals(fd, 0).exact_jobs);
	close(stream);
}

/*
 * Two clients in alternation. One stream of all clients has everything; a client's own stream has what
 * no job of the other may be part of, so a client that draws nothing has never any.
 */
static void interleaved(int fd)
{
	int other = igt_vivgpu_reopen(fd), all = igt_vivgpu_counts_open(fd, ALL, 0);
	int own[2] = { igt_vivgpu_counts_open(fd, 0, 0), igt_vivgpu_counts_open(other, 0, 0) };
	struct igt_vivgpu_counts before, sum, mine, theirs;
	struct drm_vivgpu_usage usage;
	uint32_t always, any;
	struct igt_vivgpu_client c[2];

	igt_vivgpu_require_card();
	client_init(&c[0], fd, 5);
	client_init(&c[1], other, 0);
	before = igt_vivgpu_card_counts();
	for (uint32_t i = 0; i < 2 * JOBS; i++)
		submit(&c[i % 2]);
	igt_vivgpu_client_wait(&c[0]);
	igt_vivgpu_client_wait(&c[1]);
	igt_assert_eq_u32(drain(all, &sum, &always, &any), 2 * JOBS);
	igt_assert(always & COUNTS);
	igt_vivgpu_assert_counts(sum, igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before));
	igt_assert_eq_u32(drain(own[0], &mine, &always, &any), JOBS);
	igt_assert_eq_u32(drain(own[1], &theirs, &always, &any), JOBS);
	igt_assert_lte_u64(mine.vertices, sum.vertices);
	igt_vivgpu_assert_counts(theirs, (struct igt_vivgpu_counts){ 0 });
	usage = igt_vivgpu_totals(other, 0);
	igt_assert(!usage.vertices && !usage.primitives && !usage.fragments);
	/* When the clients run one after the other, each sees its own counts. */
	submit(&c[0]);
	igt_vivgpu_client_wait(&c[0]);
	submit(&c[1]);
	igt_vivgpu_client_wait(&c[1]);
	drain(own[0], &mine, &always, &any);
	igt_assert(always & EXACT);
	igt_assert_eq_u64(mine.vertices, 15);
	drain(own[1], &theirs, &always, &any);
	igt_assert(always & EXACT);
	igt_vivgpu_assert_counts(theirs, (struct igt_vivgpu_counts){ 0 });
	close(all);
	for (int i = 0; i < 2; i++)
		close(own[i]);
	close(other);
}

/* Exact counters of some jobs and counts of all of them do not disturb each other. */
static void with_counters(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, 0, 0);
	struct igt_vivgpu_counts before, sum;
	uint32_t all, any;
	struct igt_vivgpu_client c;
	uint64_t fragments;

	igt_vivgpu_require_card();
	client_init(&c, fd, 1);
	fragments = run(&c, stream).fragments;
	before = igt_vivgpu_card_counts();
	for (uint32_t i = 0; i < JOBS / 4; i++) {
		set_work(&c, 1 + i);
		submit(&c);
		submit(&c);
		igt_vivgpu_assert_counts(counted(&c), of_triangles(1 + i, fragments));
		submit(&c);
	}
	igt_vivgpu_client_wait(&c);
	igt_assert_eq_u32(drain(stream, &sum, &all, &any), JOBS);
	igt_assert(all & COUNTS);
	igt_vivgpu_assert_counts(sum, igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before));
	close(stream);
}

/* "auto" lets an idle core sleep, "on" keeps it awake. */
static void power(const char *control)
{
	int file = open("/sys/class/drm/renderD128/device/power/control", O_WRONLY);

	igt_assert(file >= 0);
	igt_assert(write(file, control, strlen(control)) > 0);
	close(file);
}

/* The registers start again after a sleep, near their end, and wrap within a job. */
static void sleep_and_wrap(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, 0, 0);
	struct drm_vivgpu_record r;
	struct igt_vivgpu_client c;
	uint64_t fragments;

	igt_vivgpu_require_card();
	client_init(&c, fd, 1);
	fragments = run(&c, stream).fragments;
	for (int i = 0; i < 4; i++) {
		set_work(&c, 10 + i);
		igt_vivgpu_card("count-from 0xfffffff8");
		power("auto");
		igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 2);
		for (int j = 0; j < 3; j++) {
			r = run(&c, stream);
			igt_assert_eq_u32(r.flags & (COUNTS | EXACT), COUNTS | EXACT);
			igt_vivgpu_assert_counts(igt_vivgpu_record_counts(&r),
						 of_triangles(10 + i, fragments));
		}
	}
	igt_vivgpu_card("count-from 0");
	power("on");
	close(stream);
}

/*
 * A job fails after it has drawn. It has no counts; later ones have, and the device's totals are
 * the card's.
 */
static void fault(int fd)
{
	int stream = igt_vivgpu_counts_open(fd, 0, 0);
	struct drm_vivgpu_usage device = igt_vivgpu_totals(fd, DRM_VIVGPU_USAGE_DEVICE), now;
	struct igt_vivgpu_counts before = igt_vivgpu_card_counts(), done;
	struct drm_vivgpu_record r;
	struct igt_vivgpu_client c;

	client_init(&c, fd, 2);
	for (int i = 0; i < 3; i++) {
		r = run(&c, stream);
		igt_assert(r.flags & EXACT);
		igt_vivgpu_flush(&c.work);
		igt_vivgpu_copy(&c.work, c.bo.va, NOWHERE, 16);
		r = run(&c, stream);
		igt_assert(r.flags & DRM_VIVGPU_JOB_FAILED);
		igt_assert_eq_u32(r.flags & (COUNTS | EXACT), 0);
		igt_assert(!r.vertices && !r.primitives && !r.fragments);
		set_work(&c, 2);
	}
	r = run(&c, stream);
	igt_assert(r.flags & EXACT);
	igt_assert_eq_u64(r.vertices, 6);
	done = igt_vivgpu_counts_since(igt_vivgpu_card_counts(), before);
	now = igt_vivgpu_totals(fd, DRM_VIVGPU_USAGE_DEVICE);
	igt_assert_eq_u64(now.vertices - device.vertices, done.vertices);
	igt_assert_eq_u64(now.fragments - device.fragments, done.fragments);
	igt_assert_eq_u64(now.failed - device.failed, 3);
	now = igt_vivgpu_totals(fd, 0);
	igt_assert_eq_u64(now.counted_jobs, 4);
	igt_assert_eq_u64(now.vertices, 4 * 6);
	close(stream);
}

/*
 * Streams of counts are opened and closed while jobs run. Each job has a record, and the sum of
 * their counts is at most what the jobs drew.
 */
static void open_close(int fd)
{
	struct igt_vivgpu_counts sum;
	uint32_t all, any;
	struct igt_vivgpu_client c;

	client_init(&c, fd, 4);
	igt_fork(child, 1)
	{
		for (int i = 0; i < 200; i++)
			close(igt_vivgpu_counts_open(fd, i % 3 ? 0 : ALL, i % 5));
	}
	for (int i = 0; i < 20; i++) {
		int stream = igt_vivgpu_counts_open(fd, 0, 0);

		for (int j = 0; j < 10; j++)
			submit(&c);
		igt_vivgpu_client_wait(&c);
		igt_assert_eq_u32(drain(stream, &sum, &all, &any), 10);
		igt_assert_lte_u64(sum.vertices, 10 * 12);
		close(stream);
	}
	igt_waitchildren();
}

static const struct igt_vivgpu_test tests[] = {
	{ "exact", "One job at a time has exact counts", exact },
	{ "without", "There are no counts unless they are asked for", without },
	{ "cycles", "Counts take no cycles of the core", cycles },
	{ "sums", "Counts of jobs in flight add up to the card's", sums },
	{ "interval", "One of some jobs runs alone for exact counts", interval },
	{ "interleaved", "A client sees no work of another one in its counts", interleaved },
	{ "with-counters", "Exact counters work at the same time", with_counters },
	{ "sleep-and-wrap", "Counters that start again and wrap change no count", sleep_and_wrap },
	{ "fault", "A failed job has no counts, and the device's totals have its work", fault },
	{ "open-close", "Counting begins and ends while jobs run", open_close },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
