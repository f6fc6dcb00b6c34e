// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu sync
 * Description: Fences: sync objects, timelines, sync files and implicit order
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: synchronization
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <xf86drm.h>

#define ROWS 1024
/* Long enough that a missing wait is noticed */
#define SPIN (IGT_VIVGPU_SECOND / 10)

struct work {
	int fd;
	uint32_t queue[2];
	struct igt_vivgpu_bo bo[2];
	struct igt_vivgpu_stream slow, copy;
};

/* slow fills the first buffer for a while, copy reads it into the second. */
static void work_init(struct work *w, int fd)
{
	w->fd = fd;
	w->copy.size = 0;
	for (int i = 0; i < 2; i++) {
		w->queue[i] = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
		igt_vivgpu_bo_init(&w->bo[i], fd, ROWS * IGT_VIVGPU_PITCH);
	}
	igt_vivgpu_spin_init(&w->slow, &w->bo[0], SPIN);
	igt_vivgpu_copy(&w->copy, w->bo[1].va, w->bo[0].va, ROWS);
}

/* The second buffer has what slow, a spin, fills with: the copy did not come before its end. */
static void work_check(const struct work *w)
{
	igt_assert_eq_u32(w->bo[1].map[0], 0x5a5a5a5a);
	igt_assert_eq_u32(w->bo[1].map[ROWS * IGT_VIVGPU_PITCH / 4 - 1], 0x5a5a5a5a);
}

static int64_t soon(void)
{
	return igt_vivgpu_now() + 60 * IGT_VIVGPU_SECOND;
}

/*
 * Submit with what igt_vivgpu_submit() does not have: points of timelines, sync files, read-only
 * buffers.
 */
static int submit(struct work *w, uint32_t queue, const struct igt_vivgpu_stream *stream,
		  const struct drm_vivgpu_sync *in, const struct drm_vivgpu_sync *out,
		  uint32_t flags, int *fence_fd)
{
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)stream->words,
					  .size = stream->size * 4 };
	struct drm_vivgpu_submit_bo bos[2] = {
		{ w->bo[0].handle,
		  stream == &w->slow ? DRM_VIVGPU_SUBMIT_BO_WRITE : DRM_VIVGPU_SUBMIT_BO_READ },
		{ w->bo[1].handle, DRM_VIVGPU_SUBMIT_BO_WRITE },
	};
	struct drm_vivgpu_submit args = {
		.queue = queue,
		.flags = flags,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)bos,
		.nr_bos = stream == &w->slow ? 1 : 2,
		.in_syncs = (uintptr_t)in,
		.nr_in_syncs = in != NULL,
		.out_syncs = (uintptr_t)out,
		.nr_out_syncs = out != NULL,
		.fence_fd = fence_fd ? *fence_fd : -1,
	};
	int ret = __igt_vivgpu_ioctl(w->fd, DRM_IOCTL_VIVGPU_SUBMIT, &args);

	if (fence_fd)
		*fence_fd = args.fence_fd;
	return ret;
}

static void binary(int fd)
{
	struct drm_vivgpu_sync between = { .handle = igt_vivgpu_sync_create(fd) };
	struct drm_vivgpu_sync end = { .handle = igt_vivgpu_sync_create(fd) };
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, NULL, &between, 0, NULL), 0);
	igt_assert_eq(submit(&w, w.queue[1], &w.copy, &between, &end, 0, NULL), 0);
	igt_assert(!igt_vivgpu_sync_wait(fd, between.handle, SPIN / 10));
	igt_assert(igt_vivgpu_sync_wait(fd, end.handle, 60 * IGT_VIVGPU_SECOND));
	work_check(&w);
}

static void timeline(int fd)
{
	struct drm_vivgpu_sync sync = { .handle = igt_vivgpu_sync_create(fd), .point = 3 };
	struct drm_vivgpu_sync end = { .handle = sync.handle, .point = 7 };
	struct drm_vivgpu_sync later = { .handle = sync.handle, .point = 8 };
	uint64_t value = 0, point = 7;
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, NULL, &sync, 0, NULL), 0);
	igt_assert_eq(submit(&w, w.queue[1], &w.copy, &sync, &end, 0, NULL), 0);
	igt_assert_eq(submit(&w, w.queue[1], &w.copy, &later, NULL, 0, NULL), -EINVAL);
	igt_assert_eq(drmSyncobjQuery(fd, &sync.handle, &value, 1), 0);
	igt_assert_lt_u64(value, 3);
	igt_assert_eq(drmSyncobjTimelineWait(fd, &sync.handle, &point, 1, soon(), 0, NULL), 0);
	work_check(&w);
	igt_assert_eq(drmSyncobjQuery(fd, &sync.handle, &value, 1), 0);
	igt_assert_eq_u64(value, 7);
}

/* Points given in falling order still all signal. */
static void timeline_disorder(int fd)
{
	struct drm_vivgpu_sync five = { .handle = igt_vivgpu_sync_create(fd), .point = 5 };
	struct drm_vivgpu_sync two = { .handle = five.handle, .point = 2 };
	uint64_t point = 5;
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, NULL, &five, 0, NULL), 0);
	igt_assert_eq(submit(&w, w.queue[0], &w.copy, NULL, &two, 0, NULL), 0);
	igt_assert_eq(drmSyncobjTimelineWait(fd, &five.handle, &point, 1, soon(), 0, NULL), 0);
	point = 2;
	igt_assert_eq(drmSyncobjTimelineWait(fd, &five.handle, &point, 1, soon(), 0, NULL), 0);
	igt_assert_eq_u32(w.bo[0].map[0], 0x5a5a5a5a);
}

/* Wait for a point before the job that will signal it is submitted. */
static void wait_before_submit(int fd)
{
	struct drm_vivgpu_sync sync = { .handle = igt_vivgpu_sync_create(fd), .point = 9 };
	struct work w;

	work_init(&w, fd);
	igt_fork(child, 1)
	{
		uint64_t point = 9;
		int ret = drmSyncobjTimelineWait(fd, &sync.handle, &point, 1, soon(),
						 DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);

		_exit(ret == 0 && w.bo[0].map[0] == 0x5a5a5a5a ? 0 : 1);
	}
	igt_vivgpu_sleep(SPIN);
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, NULL, &sync, 0, NULL), 0);
	igt_waitchildren();
}

/*
 * A job cannot wait for a point that has no fence yet; it runs when the CPU has signalled the
 * point.
 */
static void host_signal(int fd)
{
	struct drm_vivgpu_sync gate = { .handle = igt_vivgpu_sync_create(fd), .point = 1 };
	struct drm_vivgpu_sync end = { .handle = igt_vivgpu_sync_create(fd) };
	uint64_t point = 1;
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, &gate, &end, 0, NULL), -EINVAL);
	igt_assert_eq(drmSyncobjTimelineSignal(fd, &gate.handle, &point, 1), 0);
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, &gate, &end, 0, NULL), 0);
	igt_assert(igt_vivgpu_sync_wait(fd, end.handle, 60 * IGT_VIVGPU_SECOND));
}

static void sync_file(int fd)
{
	int fence = -1;
	struct pollfd poller = { .events = POLLIN };
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(
		submit(&w, w.queue[0], &w.slow, NULL, NULL, DRM_VIVGPU_SUBMIT_FENCE_FD_OUT, &fence),
		0);
	poller.fd = fence;
	igt_assert_eq(poll(&poller, 1, 0), 0);
	igt_assert_eq(submit(&w, w.queue[1], &w.copy, NULL, NULL,
			     DRM_VIVGPU_SUBMIT_FENCE_FD_IN | DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
			     &fence),
		      0);
	igt_assert_eq(poll(&poller, 1, 60000), 1);
	poller.fd = fence;
	igt_assert_eq(poll(&poller, 1, 60000), 1);
	work_check(&w);
	close(fence);
}

/* A descriptor that is no sync file. */
static void sync_file_bad(int fd)
{
	int fence = fd;
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(
		submit(&w, w.queue[0], &w.copy, NULL, NULL, DRM_VIVGPU_SUBMIT_FENCE_FD_IN, &fence),
		-EINVAL);
	fence = 1000;
	igt_assert_eq(
		submit(&w, w.queue[0], &w.copy, NULL, NULL, DRM_VIVGPU_SUBMIT_FENCE_FD_IN, &fence),
		-EINVAL);
}

/* Two independent queues that use one buffer. */
static void implicit(int fd)
{
	struct drm_vivgpu_sync end = { .handle = igt_vivgpu_sync_create(fd) };
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(
		submit(&w, w.queue[0], &w.slow, NULL, NULL, DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC, NULL),
		0);
	igt_assert_eq(
		submit(&w, w.queue[1], &w.copy, NULL, &end, DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC, NULL),
		0);
	igt_assert(igt_vivgpu_sync_wait(fd, end.handle, 60 * IGT_VIVGPU_SECOND));
	work_check(&w);
}

/* Jobs of one queue keep their order. */
static void in_order(int fd)
{
	enum { COUNT = 64 };
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_bo bo;
	uint32_t sync = igt_vivgpu_sync_create(fd);

	igt_vivgpu_bo_init(&bo, fd, 16 * IGT_VIVGPU_PITCH);
	for (uint32_t i = 1; i <= COUNT; i++) {
		struct igt_vivgpu_stream stream = { 0 };
		struct igt_vivgpu_job job = {
			.stream = &stream, .bos = { &bo }, .nr_bos = 1, .out_sync = sync
		};

		igt_vivgpu_fill(&stream, bo.va, 16, i);
		igt_vivgpu_submit(fd, queue, &job);
	}
	igt_assert(igt_vivgpu_sync_wait(fd, sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq_u32(bo.map[0], COUNT);
}

/* Each job waits for the previous one, which is in the other queue. */
static void chain(int fd)
{
	enum { COUNT = 200 };
	struct drm_vivgpu_sync sync = { .handle = igt_vivgpu_sync_create(fd) }, next = sync;
	uint64_t point = COUNT;
	struct work w;

	work_init(&w, fd);
	for (uint64_t i = 1; i <= COUNT; i++) {
		sync.point = i - 1;
		next.point = i;
		igt_assert_eq(
			submit(&w, w.queue[i & 1], &w.copy, i > 1 ? &sync : NULL, &next, 0, NULL),
			0);
	}
	igt_assert_eq(drmSyncobjTimelineWait(fd, &sync.handle, &point, 1, soon(), 0, NULL), 0);
}

/* Points have 64 bits: one that equals a signalled point in the lower 32 is another one. */
static void large_points(int fd)
{
	static const uint64_t late[] = { 1ull << 32, (1ull << 32) + 5, 1ull << 63 };
	struct drm_vivgpu_sync sync = { .handle = igt_vivgpu_sync_create(fd), .point = 5 };
	struct drm_vivgpu_sync end = { .handle = sync.handle, .point = (1ull << 40) + 1 };
	uint64_t point = 5;
	struct work w;

	work_init(&w, fd);
	igt_assert_eq(drmSyncobjTimelineSignal(fd, &sync.handle, &point, 1), 0);
	igt_assert_eq(submit(&w, w.queue[0], &w.copy, &sync, NULL, 0, NULL), 0);
	for (size_t i = 0; i < sizeof(late) / sizeof(late[0]); i++) {
		sync.point = late[i];
		igt_assert_eq(submit(&w, w.queue[0], &w.copy, &sync, NULL, 0, NULL), -EINVAL);
	}
	sync.point = 5;
	igt_assert_eq(submit(&w, w.queue[0], &w.slow, &sync, &end, 0, NULL), 0);
	igt_assert_eq(submit(&w, w.queue[1], &w.copy, &end, NULL, 0, NULL), 0);
	point = end.point;
	igt_assert_eq(drmSyncobjTimelineWait(fd, &sync.handle, &point, 1, soon(), 0, NULL), 0);
}

static const struct igt_vivgpu_test tests[] = {
	{ "binary", "A job waits for a binary sync object", binary },
	{ "timeline", "Points of a timeline are waited for and signalled", timeline },
	{ "large-points", "Points above 32 bits are not cut", large_points },
	{ "timeline-disorder", "Points in falling order signal", timeline_disorder },
	{ "wait-before-submit", "A waiter may come before the job", wait_before_submit },
	{ "host-signal", "The processor's signal lets a job run", host_signal },
	{ "sync-file", "A job waits for a sync file and gives one", sync_file },
	{ "sync-file-bad", "What is no sync file is refused", sync_file_bad },
	{ "implicit", "Users of one buffer are put in order if they ask", implicit },
	{ "in-order", "Jobs of a queue keep their order", in_order },
	{ "chain", "A chain of jobs over two queues", chain },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
