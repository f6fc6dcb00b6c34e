// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu reset
 * Description: Faults of the GPU: who loses what, and what goes on
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: recovery
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#define ROWS 256
#define WORDS (ROWS * IGT_VIVGPU_PITCH / 4)
#define INNOCENTS 3
#define ROUNDS 8
/* An address without a buffer: below it is the kernel's range, above it the test maps little. */
#define NOWHERE 0x80000000u

static struct drm_vivgpu_reset_query query(int fd)
{
	struct drm_vivgpu_reset_query args = { 0 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &args), 0);
	return args;
}

static struct drm_vivgpu_reset_query query_queue(int fd, uint32_t queue)
{
	struct drm_vivgpu_reset_query args = { .queue = queue };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &args), 0);
	return args;
}

/* A client whose jobs each fill a buffer of their own with another word. */
struct innocent {
	int fd;
	uint32_t queue, sync;
	struct igt_vivgpu_bo bo[ROUNDS];
};

static void innocent_init(struct innocent *c, int fd)
{
	c->fd = igt_vivgpu_reopen(fd);
	c->queue = igt_vivgpu_queue_create(c->fd, DRM_VIVGPU_PRIORITY_NORMAL);
	c->sync = igt_vivgpu_sync_create(c->fd);
	for (int i = 0; i < ROUNDS; i++)
		igt_vivgpu_bo_init(&c->bo[i], c->fd, ROWS * IGT_VIVGPU_PITCH);
}

static void innocent_submit(struct innocent *c, int round)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_job job = {
		.stream = &stream, .bos = { &c->bo[round] }, .nr_bos = 1, .out_sync = c->sync
	};

	igt_vivgpu_fill(&stream, c->bo[round].va, ROWS, 1000 + round);
	for (int i = 0; i < 20; i++)
		igt_vivgpu_again(&stream);
	igt_vivgpu_submit(c->fd, c->queue, &job);
}

/*
 * When all ROUNDS jobs of the client were submitted: check that they complete without an error and
 * with the right result, and close it.
 */
static void innocent_check(struct innocent *c)
{
	igt_assert(igt_vivgpu_sync_wait(c->fd, c->sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq(igt_vivgpu_sync_error(c->fd, c->sync), 0);
	igt_assert_eq_u32(query(c->fd).guilty, 0);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < WORDS; i++)
			igt_assert_eq_u32(c->bo[round].map[i], 1000 + round);
	close(c->fd);
}

/* A stream with a copy from an address that is not mapped. */
static void bad_stream(struct igt_vivgpu_stream *stream, const struct igt_vivgpu_bo *bo)
{
	stream->size = 0;
	igt_vivgpu_copy(stream, bo->va, NOWHERE, 16);
}

/* Run a job. Returns: the error of its fence, or 0. */
static int run_status(int fd, uint32_t queue, struct igt_vivgpu_job *job)
{
	int error;

	job->out_sync = igt_vivgpu_sync_create(fd);
	igt_vivgpu_submit(fd, queue, job);
	igt_assert(igt_vivgpu_sync_wait(fd, job->out_sync, 60 * IGT_VIVGPU_SECOND));
	error = igt_vivgpu_sync_error(fd, job->out_sync);
	igt_vivgpu_sync_destroy(fd, job->out_sync);
	job->out_sync = 0;
	return error;
}

/* A client causes a GPU fault: its job fails, the client is informed, and can continue. */
static void fault(int fd)
{
	uint32_t other = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL), queue, resets;
	struct igt_vivgpu_stream bad, good = { 0 };
	struct igt_vivgpu_bo bo, progress;
	struct igt_vivgpu_job job = { .stream = &bad, .bos = { &bo }, .nr_bos = 1 };

	igt_vivgpu_bo_init(&bo, fd, ROWS * IGT_VIVGPU_PITCH);
	igt_vivgpu_bo_init(&progress, fd, 4096);
	igt_assert_eq(__igt_vivgpu_progress_queue_create(fd, progress.handle, &queue), 0);
	bad_stream(&bad, &bo);
	igt_vivgpu_fill(&good, bo.va, ROWS, 5);
	for (uint32_t i = 1; i <= 3; i++) {
		resets = query(fd).resets;
		job.stream = &bad;
		igt_assert(run_status(fd, queue, &job) < 0);
		igt_assert_eq_u32(progress.map[queue], job.number);
		igt_assert_eq_u32(query(fd).guilty, i);
		igt_assert_eq_u32(query_queue(fd, queue).guilty, i);
		igt_assert_eq_u32(query_queue(fd, other).guilty, 0);
		igt_assert_eq_u32(query(fd).resets, resets + 1);
		job.stream = &good;
		igt_assert_eq(run_status(fd, queue, &job), 0);
		igt_assert_eq_u32(bo.map[0], 5);
		igt_assert_eq_u32(progress.map[queue], job.number);
	}
	igt_vivgpu_bo_fini(&progress);
	igt_vivgpu_bo_fini(&bo);
}

/* The guilty job is in the middle of others' jobs, all in the ring at once. */
static void innocents(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct innocent clients[INNOCENTS];
	struct igt_vivgpu_stream bad;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = {
		.stream = &bad, .bos = { &bo }, .nr_bos = 1, .out_sync = igt_vivgpu_sync_create(fd)
	};

	igt_vivgpu_bo_init(&bo, fd, ROWS * IGT_VIVGPU_PITCH);
	bad_stream(&bad, &bo);
	for (int i = 0; i < INNOCENTS; i++)
		innocent_init(&clients[i], fd);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < INNOCENTS; i++)
			innocent_submit(&clients[i], round);
		if (round == 2 || round == 5)
			igt_vivgpu_submit(fd, queue, &job);
	}
	for (int i = 0; i < INNOCENTS; i++)
		innocent_check(&clients[i]);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq_u32(query(fd).guilty, 2);
	igt_vivgpu_bo_fini(&bo);
}

/* The front end hangs; the job that it was executing fails, the others run again. */
static void hang(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_job job = { .stream = &nop, .out_sync = igt_vivgpu_sync_create(fd) };
	struct innocent clients[INNOCENTS];

	igt_vivgpu_require_card();
	for (int i = 0; i < INNOCENTS; i++)
		innocent_init(&clients[i], fd);
	igt_vivgpu_card("hang");
	igt_vivgpu_submit(fd, queue, &job);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < INNOCENTS; i++)
			innocent_submit(&clients[i], round);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert(igt_vivgpu_sync_error(fd, job.out_sync) < 0);
	igt_assert_eq_u32(query(fd).guilty, 1);
	for (int i = 0; i < INNOCENTS; i++)
		innocent_check(&clients[i]);
}

/* All interrupts, the next 1000, are lost: no job is guilty or fails, and no wait hangs. */
static void lost_interrupt(int fd)
{
	struct innocent clients[INNOCENTS];

	igt_vivgpu_require_card();
	for (int i = 0; i < INNOCENTS; i++)
		innocent_init(&clients[i], fd);
	igt_vivgpu_card("lose-irq 1000");
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < INNOCENTS; i++)
			innocent_submit(&clients[i], round);
	for (int i = 0; i < INNOCENTS; i++)
		innocent_check(&clients[i]);
	igt_vivgpu_card("lose-irq 0");
}

/* In each round the event of one job is lost. */
static void lost_event(int fd)
{
	struct innocent clients[INNOCENTS];

	igt_vivgpu_require_card();
	for (int i = 0; i < INNOCENTS; i++)
		innocent_init(&clients[i], fd);
	for (int round = 0; round < ROUNDS; round++) {
		igt_vivgpu_card("lose-event");
		for (int i = 0; i < INNOCENTS; i++)
			innocent_submit(&clients[i], round);
	}
	for (int i = 0; i < INNOCENTS; i++)
		innocent_check(&clients[i]);
}

/*
 * A job of an innocent client that is done, but whose event is lost: the card still counts the
 * event as executed, which shows that the job has ended.
 */
static void silent_job(struct innocent *c)
{
	uint64_t events = igt_vivgpu_card_total("gc.hi.events");
	int64_t end = igt_vivgpu_now() + 60 * IGT_VIVGPU_SECOND;

	igt_vivgpu_card("lose-event");
	innocent_submit(c, 0);
	while (igt_vivgpu_card_total("gc.hi.events") == events)
		igt_assert_lt_u64(igt_vivgpu_now(), end);
}

/*
 * Run @stream, which must fail, by itself or by a fault that @command plants (NULL: none), behind a
 * job whose event was lost: @fd's client is guilty, and not the innocent one, whose event is still
 * awaited. That job is the innocent one's round 0; the other rounds have ended before.
 */
static void blame_after(int fd, const struct igt_vivgpu_stream *stream,
			const struct igt_vivgpu_bo *bo, const char *command)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_bo own = *bo;
	struct igt_vivgpu_job job = { .stream = stream, .bos = { &own }, .nr_bos = 1 };
	uint32_t before = query(fd).guilty;
	struct innocent c;

	innocent_init(&c, fd);
	for (int round = 1; round < ROUNDS; round++)
		innocent_submit(&c, round);
	igt_assert(igt_vivgpu_sync_wait(c.fd, c.sync, 60 * IGT_VIVGPU_SECOND));
	silent_job(&c);
	if (command)
		igt_vivgpu_card(command);
	igt_assert(run_status(fd, queue, &job) < 0);
	igt_assert_eq_u32(query(fd).guilty, before + 1);
	innocent_check(&c);
}

static void lost_event_then_fault(int fd)
{
	struct igt_vivgpu_stream bad, nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_bo bo;

	igt_vivgpu_require_card();
	igt_vivgpu_bo_init(&bo, fd, ROWS * IGT_VIVGPU_PITCH);
	bad_stream(&bad, &bo);
	blame_after(fd, &bad, &bo, NULL);
	blame_after(fd, &nop, &bo, "hang");
	igt_vivgpu_bo_fini(&bo);
}

/*
 * A bus error does not show whose access it was. At most one job is lost, its client is informed,
 * and the GPU continues.
 */
static void bus_error(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL), failed = 0;
	struct igt_vivgpu_stream spin;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &spin, .bos = { &bo }, .nr_bos = 1 };
	uint32_t syncs[ROUNDS];

	igt_vivgpu_require_card();
	igt_vivgpu_bo_init(&bo, fd, 1 << 20);
	igt_vivgpu_spin_init(&spin, &bo, IGT_VIVGPU_SECOND / 20);
	for (int i = 0; i < ROUNDS; i++) {
		syncs[i] = job.out_sync = igt_vivgpu_sync_create(fd);
		igt_vivgpu_submit(fd, queue, &job);
		if (i == ROUNDS / 2)
			igt_vivgpu_card("axi-error");
	}
	for (int i = 0; i < ROUNDS; i++) {
		igt_assert(igt_vivgpu_sync_wait(fd, syncs[i], 60 * IGT_VIVGPU_SECOND));
		failed += igt_vivgpu_sync_error(fd, syncs[i]) < 0;
	}
	igt_assert_lte(failed, 1);
	igt_assert_eq_u32(query(fd).guilty, failed);
	job.out_sync = 0;
	igt_assert_eq(run_status(fd, queue, &job), 0);
	igt_vivgpu_bo_fini(&bo);
}

/* Timestamp points of a failed job have the error value; those of others do not. */
static void points(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct drm_vivgpu_point point = { .bo_index = 0 };
	struct igt_vivgpu_stream bad = { 0 };
	struct igt_vivgpu_bo out, bo;
	struct igt_vivgpu_job job = {
		.stream = &bad, .bos = { &out, &bo }, .nr_bos = 2, .points = &point, .nr_points = 1
	};
	uint64_t *stamp;

	igt_vivgpu_bo_init(&out, fd, 4096);
	igt_vivgpu_bo_init(&bo, fd, 16 * IGT_VIVGPU_PITCH);
	stamp = (void *)out.map;
	igt_vivgpu_copy(&bad, bo.va, NOWHERE, 16);
	point.stream_offset = igt_vivgpu_nop(&bad);
	igt_assert(run_status(fd, queue, &job) < 0);
	igt_assert_eq_u64(stamp[0], UINT64_MAX);
	igt_assert_eq_u64(stamp[1], UINT64_MAX);
	bad.size = 0;
	point.stream_offset = igt_vivgpu_nop(&bad);
	igt_assert_eq(run_status(fd, queue, &job), 0);
	igt_assert(stamp[0] != UINT64_MAX);
	igt_vivgpu_bo_fini(&bo);
}

/* Fault, the failed job and the reset are recorded in this order. */
static void records(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream bad;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &bad, .bos = { &bo }, .nr_bos = 1, .cookie = 9 };
	struct drm_vivgpu_record r[4];
	int stream;

	igt_assert_eq(
		__igt_vivgpu_stream_open(fd, 0,
					 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB) |
						 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_FAULT) |
						 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_RESET),
					 &stream),
		0);
	igt_vivgpu_bo_init(&bo, fd, 16 * IGT_VIVGPU_PITCH);
	bad_stream(&bad, &bo);
	igt_assert(run_status(fd, queue, &job) < 0);
	igt_assert_eq(read(stream, r, sizeof(r)), 3 * sizeof(r[0]));
	igt_assert_eq(r[0].type, DRM_VIVGPU_RECORD_FAULT);
	igt_assert_eq_u32(r[0].job, job.number);
	igt_assert_eq_u64(r[0].fault_address & ~4095ull, NOWHERE);
	igt_assert_eq(r[1].type, DRM_VIVGPU_RECORD_JOB);
	igt_assert_eq_u64(r[1].cookie, 9);
	igt_assert(r[1].flags & DRM_VIVGPU_JOB_FAILED);
	igt_assert_eq(r[2].type, DRM_VIVGPU_RECORD_RESET);
	igt_assert_lte_u64(r[0].time_ns, r[2].time_ns);
	close(stream);
	igt_vivgpu_bo_fini(&bo);
}

static const struct igt_vivgpu_test tests[] = {
	{ "fault", "The guilty job fails, its client is told and goes on", fault },
	{ "innocents", "Others in the ring lose nothing", innocents },
	{ "hang", "A front end that stops", hang },
	{ "lost-interrupt", "Lost interrupts cost nobody a job", lost_interrupt },
	{ "lost-event", "Lost events cost nobody a job", lost_event },
	{ "lost-event-then-fault", "A fault is not blamed on a job whose event was lost",
	  lost_event_then_fault },
	{ "bus-error", "A bus error is recovered from", bus_error },
	{ "points", "Points of a failed job are marked", points },
	{ "records", "Records tell of fault, job and reset", records },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
