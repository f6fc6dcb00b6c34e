// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu pressure
 * Description: Little memory: allocations that fail, and many that come and go
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: memory
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#define CHILDREN 4
/* More than any call here allocates. */
#define MAX_ALLOCATIONS 400

/* Write a word to a file below /sys/kernel/debug. Returns: false if that fails or there is none. */
static bool debugfs(const char *file, const char *word)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return false;
	ret = write(fd, word, strlen(word));
	close(fd);
	return ret == (int)strlen(word);
}

/* This thread's fail-nth file, open: opening it would allocate. */
static int fail_file = -1;

/* Let allocation number @n of the following calls fail; 0: none. */
static void fail_nth(unsigned int n)
{
	char word[16];

	snprintf(word, sizeof(word), "%u", n);
	igt_assert_eq(pwrite(fail_file, word, strlen(word), 0), strlen(word));
}

/* Allocations still to go before one fails; 0: it has failed. */
static int fail_rest(void)
{
	char word[16] = { 0 };

	igt_assert(pread(fail_file, word, sizeof(word) - 1, 0) > 0);
	return atoi(word);
}

/*
 * Prepare fail_nth(), and open its file: allocations of any kind can fail then, without messages in
 * the kernel's log.
 */
static void require_failing(void)
{
	igt_require_f(debugfs("failslab/ignore-gfp-wait", "N"), "no failslab\n");
	igt_require_f(debugfs("fail_page_alloc/ignore-gfp-wait", "N"), "no fail_page_alloc\n");
	igt_assert(debugfs("fail_page_alloc/min-order", "0"));
	igt_assert(debugfs("failslab/verbose", "0"));
	igt_assert(debugfs("fail_page_alloc/verbose", "0"));
	fail_file = open("/proc/thread-self/fail-nth", O_RDWR);
	igt_assert(fail_file >= 0);
}

/*
 * Let each allocation of a call fail, one after the other, until it needs no
 * more. It must give ENOMEM, or work all the same (some have a second way);
 * shmem gives ENOSPC for an inode (mm/shmem.c, shmem_get_inode()).
 */
static void exhaust(int fd, int (*call)(int fd))
{
	unsigned int n, failures = 0;

	require_failing();
	for (n = 1; n < MAX_ALLOCATIONS; n++) {
		int ret, rest;

		fail_nth(n);
		ret = call(fd);
		rest = fail_rest();
		fail_nth(0);
		igt_assert_f(ret == 0 || ret == -ENOMEM || ret == -ENOSPC, "allocation %u: %s\n", n,
			     strerror(-ret));
		failures += ret != 0;
		if (rest)
			break;
	}
	igt_info("%u allocations, %u that cannot be done without\n", n - 1, failures);
	igt_assert(n > 1 && n < MAX_ALLOCATIONS);
	close(fail_file);
	igt_assert_eq(call(fd), 0);
}

/* Calls for exhaust(). Each frees what it allocated. Returns: 0 or a negative error number. */
static int call_open(int fd)
{
	char path[64];
	int other;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_RDWR | O_CLOEXEC);
	if (other < 0)
		return -errno;
	close(other);
	return 0;
}

static int call_bo(int fd)
{
	struct drm_vivgpu_bo_info info = { 0 };
	int ret = __igt_vivgpu_bo_create(fd, 1 << 16, 0, &info.handle);

	if (ret)
		return ret;
	ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_INFO, &info);
	drmCloseBufferHandle(fd, info.handle);
	return ret;
}

static int call_queue(int fd)
{
	uint32_t queue;
	int ret = __igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL, &queue);

	return ret ? ret : __igt_vivgpu_queue_destroy(fd, queue);
}

static int call_stream(int fd)
{
	int stream;
	int ret = __igt_vivgpu_stream_open(fd, 0, DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					   &stream);

	if (ret == 0)
		close(stream);
	return ret;
}

/* Objects for a submit, created before allocations fail; the second sync object is a timeline. */
static struct igt_vivgpu_bo submit_bo;
static uint32_t submit_queue;
static struct drm_vivgpu_sync submit_syncs[2];

static int call_submit(int fd)
{
	const uint32_t words[2] = { IGT_VIVGPU_NOP };
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	struct drm_vivgpu_submit_bo bo = { submit_bo.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_point point = { 0 };
	struct drm_vivgpu_submit submit = {
		.queue = submit_queue,
		.flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC | DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.points = (uintptr_t)&point,
		.nr_points = 1,
		.out_syncs = (uintptr_t)submit_syncs,
		.nr_out_syncs = 2,
	};
	int ret;

	submit_syncs[1].point++;
	ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_SUBMIT, &submit);
	if (ret)
		return ret;
	close(submit.fence_fd);
	return 0;
}

static void fail_open(int fd)
{
	exhaust(fd, call_open);
}
static void fail_bo(int fd)
{
	exhaust(fd, call_bo);
}
static void fail_queue(int fd)
{
	exhaust(fd, call_queue);
}
static void fail_stream(int fd)
{
	exhaust(fd, call_stream);
}

static void fail_submit(int fd)
{
	igt_vivgpu_bo_init(&submit_bo, fd, 4096);
	submit_queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	submit_syncs[0].handle = igt_vivgpu_sync_create(fd);
	submit_syncs[1].handle = igt_vivgpu_sync_create(fd);
	exhaust(fd, call_submit);
	igt_assert(igt_vivgpu_sync_wait(fd, submit_syncs[0].handle, 60 * IGT_VIVGPU_SECOND));
	igt_vivgpu_bo_fini(&submit_bo);
}

/* Several clients allocate, use and free buffers; each reads back what it wrote. */
static void churn(int fd)
{
	igt_fork(child, CHILDREN)
	{
		int mine = igt_vivgpu_reopen(fd);
		uint32_t queue = igt_vivgpu_queue_create(mine, DRM_VIVGPU_PRIORITY_NORMAL);
		unsigned int seed = 1 + child;

		for (uint32_t round = 0; round < 40; round++) {
			uint32_t rows = 16 * (1 + rand_r(&seed) % 64);
			struct igt_vivgpu_stream stream = { 0 };
			struct igt_vivgpu_bo bo;
			struct igt_vivgpu_job job = { .stream = &stream,
						      .bos = { &bo },
						      .nr_bos = 1 };

			igt_vivgpu_bo_init(&bo, mine, rows * IGT_VIVGPU_PITCH);
			igt_vivgpu_fill(&stream, bo.va, rows, child * 1000 + round);
			igt_vivgpu_run(mine, queue, &job);
			for (uint32_t i = 0; i < rows * IGT_VIVGPU_PITCH / 4; i += 61)
				igt_assert_eq_u32(bo.map[i], child * 1000 + round);
			igt_vivgpu_bo_fini(&bo);
		}
	}
	igt_waitchildren();
}

/* Buffers are closed while jobs that use them run. */
static void close_busy(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	uint32_t sync = igt_vivgpu_sync_create(fd);
	struct drm_vivgpu_reset_query query = { 0 };

	for (int round = 0; round < 60; round++) {
		struct igt_vivgpu_stream stream;
		struct igt_vivgpu_bo bo;
		struct igt_vivgpu_job job = {
			.stream = &stream, .bos = { &bo }, .nr_bos = 1, .out_sync = sync
		};

		igt_vivgpu_bo_init(&bo, fd, 1 << 20);
		igt_vivgpu_spin_init(&stream, &bo, IGT_VIVGPU_SECOND / 200);
		igt_vivgpu_submit(fd, queue, &job);
		igt_vivgpu_bo_fini(&bo);
	}
	igt_assert(igt_vivgpu_sync_wait(fd, sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq(igt_vivgpu_sync_error(fd, sync), 0);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query), 0);
	igt_assert_eq_u32(query.guilty, 0);
}

static int madvise_bo(int fd, uint32_t handle, uint32_t madv, uint32_t *retained)
{
	struct drm_vivgpu_bo_madvise args = { .handle = handle, .madv = madv };
	int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_MADVISE, &args);

	*retained = args.retained;
	return ret;
}

/* All shrinkers free what they can. */
static void drop_caches(void)
{
	int file = open("/proc/sys/vm/drop_caches", O_WRONLY);

	igt_assert(file >= 0);
	igt_assert_eq(write(file, "2", 1), 1);
	close(file);
}

static void madvise_bad(int fd)
{
	struct drm_vivgpu_bo_madvise pad = { .pad = 1 };
	uint32_t handle, retained;

	igt_assert_eq(__igt_vivgpu_bo_create(fd, 4096, 0, &handle), 0);
	igt_assert_eq(madvise_bo(fd, handle, 2, &retained), -EINVAL);
	igt_assert_eq(madvise_bo(fd, handle, UINT32_MAX, &retained), -EINVAL);
	igt_assert_eq(madvise_bo(fd, 0x7fffffff, DRM_VIVGPU_MADV_DONTNEED, &retained), -ENOENT);
	pad.handle = handle;
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_BO_MADVISE, &pad), -EINVAL);
}

/*
 * A buffer marked as not needed is purged when memory is short. It is the first one here: the
 * second is marked, too, but shared, and the third is not marked.
 */
static void purge(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_bo bo[3];
	struct igt_vivgpu_job job = { .stream = &stream, .bos = { &bo[0] }, .nr_bos = 1 };
	uint32_t retained;
	int dmabuf = -1;

	for (int i = 0; i < 3; i++) {
		igt_vivgpu_bo_init(&bo[i], fd, 1 << 18);
		bo[i].map[0] = 100 + i;
	}
	igt_assert_eq(drmPrimeHandleToFD(fd, bo[1].handle, O_CLOEXEC, &dmabuf), 0);
	for (int i = 0; i < 2; i++)
		igt_assert_eq(madvise_bo(fd, bo[i].handle, DRM_VIVGPU_MADV_DONTNEED, &retained), 0);
	drop_caches();
	for (int i = 0; i < 3; i++) {
		igt_assert_eq(madvise_bo(fd, bo[i].handle, DRM_VIVGPU_MADV_WILLNEED, &retained), 0);
		igt_assert_eq_u32(retained, i != 0);
		if (i)
			igt_assert_eq_u32(bo[i].map[0], 100 + i);
	}
	igt_vivgpu_nop(&stream);
	igt_assert_eq(__igt_vivgpu_submit(fd, queue, &job), -EFAULT);
	job.bos[0] = &bo[1];
	igt_vivgpu_run(fd, queue, &job);
	close(dmabuf);
}

/* A buffer that a job uses is not purged, even if its owner has marked it as not needed. */
static void purge_busy(int fd)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL), retained;
	struct igt_vivgpu_stream spin;
	struct igt_vivgpu_bo bo;
	bool busy;
	struct igt_vivgpu_job job = {
		.stream = &spin, .bos = { &bo }, .nr_bos = 1, .out_sync = igt_vivgpu_sync_create(fd)
	};

	igt_vivgpu_bo_init(&bo, fd, 1 << 20);
	igt_vivgpu_spin_init(&spin, &bo, IGT_VIVGPU_SECOND / 4);
	igt_vivgpu_submit(fd, queue, &job);
	igt_assert_eq(madvise_bo(fd, bo.handle, DRM_VIVGPU_MADV_DONTNEED, &retained), 0);
	drop_caches();
	/* If the job has ended by now, it may have ended before the caches were dropped. */
	busy = !igt_vivgpu_sync_wait(fd, job.out_sync, 0);
	igt_assert_eq(madvise_bo(fd, bo.handle, DRM_VIVGPU_MADV_WILLNEED, &retained), 0);
	igt_assert(retained || !busy);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 60 * IGT_VIVGPU_SECOND));
	igt_assert_eq(igt_vivgpu_sync_error(fd, job.out_sync), 0);
	if (retained)
		igt_assert_eq_u32(bo.map[0], 0x5a5a5a5a);
}

static const struct igt_vivgpu_test tests[] = {
	{ "fail-open", "No memory for a client", fail_open },
	{ "fail-bo", "No memory for a buffer", fail_bo },
	{ "fail-queue", "No memory for a queue", fail_queue },
	{ "fail-stream", "No memory for a stream", fail_stream },
	{ "fail-submit", "No memory for a job", fail_submit },
	{ "madvise-bad", "Bad advice is refused", madvise_bad },
	{ "purge", "Buffers that nobody needs go, and only they", purge },
	{ "purge-busy", "A buffer that a job uses stays", purge_busy },
	{ "churn", "Clients allocate, use and free", churn },
	{ "close-busy", "Buffers are closed while they are used", close_busy },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
