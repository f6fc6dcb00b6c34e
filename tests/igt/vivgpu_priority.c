// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu priority
 * Description: Queues of high priority overtake those of low priority
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: scheduling
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>
#include <unistd.h>

#define MIB (1 << 20)
#define JOBS 60
/*
 * Jobs that may end before one of higher priority that was submitted after them: RING are in the
 * ring, which runs in the order of submission (each job has one of the 28 events that the driver
 * gives to jobs), and MEANWHILE enter it before the scheduler finds the other queue.
 */
#define RING 28
#define MEANWHILE 15

static void privilege(int fd)
{
	igt_fork(child, 1)
	{
		uint32_t queue;

		igt_drop_root();
		igt_assert_eq(__igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_HIGH, &queue),
			      -EACCES);
		igt_assert_eq(__igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL, &queue), 0);
		igt_assert_eq(__igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_LOW, &queue), 0);
	}
	igt_waitchildren();
}

/*
 * Submit JOBS jobs of the first priority, then one of the second. Returns: how many of them
 * finished before that one. @after: how many of these finished after it was submitted; the others
 * ran while a busy machine submitted.
 */
static int overtaken(int fd, uint32_t first, uint32_t second, int *after)
{
	int other = igt_vivgpu_reopen(fd), stream, before = 0;
	uint64_t finished[JOBS];
	struct igt_vivgpu_stream spin, nop = { .size = 2, .words = { IGT_VIVGPU_NOP } };
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job slow = { .stream = &spin, .bos = { &bo }, .nr_bos = 1 };
	struct igt_vivgpu_job quick = { .stream = &nop, .cookie = 1 };
	uint32_t low = igt_vivgpu_queue_create(fd, first);
	uint32_t high = igt_vivgpu_queue_create(other, second);
	struct drm_vivgpu_record record = { 0 };

	igt_assert_eq(__igt_vivgpu_stream_open(fd, DRM_VIVGPU_STREAM_ALL,
					       DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					       &stream),
		      0);
	slow.out_sync = igt_vivgpu_sync_create(fd);
	igt_vivgpu_bo_init(&bo, fd, MIB);
	igt_vivgpu_spin_init(&spin, &bo, IGT_VIVGPU_SECOND / 50);
	for (int i = 0; i < JOBS; i++)
		igt_vivgpu_submit(fd, low, &slow);
	igt_vivgpu_run(other, high, &quick);
	igt_assert(igt_vivgpu_sync_wait(fd, slow.out_sync, 60 * IGT_VIVGPU_SECOND));
	for (;;) {
		igt_assert_eq(read(stream, &record, sizeof(record)), sizeof(record));
		if (record.cookie == 1)
			break;
		igt_assert_lte(before, JOBS - 1);
		finished[before++] = record.finished_ns;
	}
	*after = 0;
	for (int i = 0; i < before; i++)
		*after += finished[i] > record.submitted_ns;
	igt_info("%d of %d jobs before, %d of them after the submit\n", before, JOBS, *after);
	close(stream);
	close(other);
	return before;
}

static void high_first(int fd)
{
	int after;

	overtaken(fd, DRM_VIVGPU_PRIORITY_LOW, DRM_VIVGPU_PRIORITY_HIGH, &after);
	igt_assert_lte(after, RING + MEANWHILE);
}

static void normal_before_low(int fd)
{
	int after;

	overtaken(fd, DRM_VIVGPU_PRIORITY_LOW, DRM_VIVGPU_PRIORITY_NORMAL, &after);
	igt_assert_lte(after, RING + MEANWHILE);
}

static void low_last(int fd)
{
	int after;

	igt_assert_eq(overtaken(fd, DRM_VIVGPU_PRIORITY_HIGH, DRM_VIVGPU_PRIORITY_LOW, &after),
		      JOBS);
}

static const struct igt_vivgpu_test tests[] = {
	{ "privilege", "High priority takes a privilege", privilege },
	{ "high-first", "High priority overtakes low", high_first },
	{ "normal-before-low", "Normal priority overtakes low", normal_before_low },
	{ "low-last", "Low priority overtakes nobody", low_last },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
