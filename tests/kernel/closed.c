// SPDX-License-Identifier: MIT
/*
 * closed: queues and files that are closed while their jobs wait for a fence of another driver,
 * which need never signal. The close waits for 1 s at most; the jobs fail when it has signalled,
 * with results, and are counted. Jobs that wait for nothing still run. Runs in the guest as root.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../sw_sync.h"
#include "client.h"

#define WAIT_SECONDS 10
#define BO_SIZE 4096
#define QUEUES 4
#define JOBS 100
/* The driver waits for blocked jobs for 1 s; the rest is for a slow host. */
#define CLOSE_NS (2 * SECOND_NS)
#define FAILED UINT64_MAX

/* A client whose jobs wait for the next point of a timeline, and write a time stamp to a buffer */
struct rig {
	int timeline;
	int gpu;
	uint32_t bo;
	uint64_t *results;
	uint32_t blocked; /* sync object that signals with the timeline's next step */
};

/* @point: the value that the timeline has after its next step, which is one of signal_all() */
static struct rig open_rig(int timeline, uint32_t point)
{
	struct sw_sync_create_fence_data create = { .value = point };
	struct rig rig = { .timeline = timeline, .gpu = open_gpu() };
	uint64_t va;
	int error;

	rig.bo = make_bo(rig.gpu, BO_SIZE);
	rig.results = map_bo(rig.gpu, rig.bo, BO_SIZE, &va);
	error = drmSyncobjCreate(rig.gpu, 0, &rig.blocked);
	error = error ?: ioctl(timeline, SW_SYNC_IOC_CREATE_FENCE, &create);
	error = error ?: drmSyncobjImportSyncFile(rig.gpu, rig.blocked, create.fence);
	check(rig.results && !error, "a client is open");
	close(create.fence);
	return rig;
}

/* Submit a job with a time stamp, that waits for sync object @in unless it is 0; its sync_file. */
static int submit_stamp(const struct rig *rig, uint32_t queue, uint32_t in)
{
	static const uint32_t nop[] = { COMMAND_NOP, 0 };
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)nop, .size = sizeof(nop) };
	struct drm_vivgpu_submit_bo bo = { .handle = rig->bo, .flags = DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_point point = { .cookie = 1 };
	struct drm_vivgpu_sync sync = { .handle = in };
	struct drm_vivgpu_submit args = {
		.queue = queue,
		.flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.points = (uintptr_t)&point,
		.nr_points = 1,
		.in_syncs = (uintptr_t)&sync,
		.nr_in_syncs = in != 0,
	};

	return call(rig->gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args) ? -1 : args.fence_fd;
}

static struct drm_vivgpu_usage usage(int gpu, uint32_t flags)
{
	struct drm_vivgpu_usage args = { .flags = flags };

	check(!call(gpu, DRM_IOCTL_VIVGPU_USAGE, &args), "totals");
	return args;
}

static int destroy(int gpu, uint32_t queue)
{
	struct drm_vivgpu_queue_destroy args = { .queue = queue };

	return call(gpu, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &args);
}

/* The timeline makes a step: all fences of the rig, whose point that is, signal. */
static void signal_all(int timeline)
{
	check(!ioctl(timeline, SW_SYNC_IOC_INC, &(uint32_t){ 1 }),
	      "the other driver's fence signals");
}

/* A queue is destroyed by a process that lives on. */
static void test_destroy(int timeline)
{
	struct rig rig = open_rig(timeline, 1);
	uint32_t queue = make_queue(rig.gpu);
	int fence = submit_stamp(&rig, queue, rig.blocked);
	int64_t start = now_ns();
	struct drm_vivgpu_usage totals;

	check(fence >= 0, "a job waits");
	check(!destroy(rig.gpu, queue) && now_ns() - start < CLOSE_NS,
	      "its queue is destroyed within a bound");
	check(wait_fence(fence, 0) == -ETIMEDOUT,
	      "the job's fence does not signal before what it depends on");
	rig.results[0] = rig.results[1] = 0;
	signal_all(timeline);
	check(wait_fence(fence, WAIT_SECONDS) == -ESRCH, "the job fails");
	check(rig.results[0] == FAILED && rig.results[1] == FAILED, "with a result");
	totals = usage(rig.gpu, 0);
	check(totals.submitted == 1 && totals.finished == 1 && totals.failed == 1,
	      "and is counted: %llu submitted, %llu finished, %llu failed",
	      (unsigned long long)totals.submitted, (unsigned long long)totals.finished,
	      (unsigned long long)totals.failed);
	close(fence);
	close(rig.gpu);
}

/* A file with several queues is closed: one bound for all. */
static void test_close(int timeline)
{
	struct rig rig = open_rig(timeline, 2);
	int other = open_gpu(), fences[QUEUES], failed = 0;
	struct drm_vivgpu_usage before, after;
	int64_t start;

	before = usage(other, DRM_VIVGPU_USAGE_DEVICE);
	for (int i = 0; i < QUEUES; i++)
		fences[i] = submit_stamp(&rig, make_queue(rig.gpu), rig.blocked);
	/* The mapping has a reference on the file. */
	munmap(rig.results, BO_SIZE);
	start = now_ns();
	close(rig.gpu);
	check(now_ns() - start < CLOSE_NS, "a file with %d queues is closed within a bound",
	      QUEUES);
	signal_all(timeline);
	for (int i = 0; i < QUEUES; i++) {
		failed += wait_fence(fences[i], WAIT_SECONDS) == -ESRCH;
		close(fences[i]);
	}
	check(failed == QUEUES, "%d of its %d jobs fail", failed, QUEUES);
	after = usage(other, DRM_VIVGPU_USAGE_DEVICE);
	check(after.finished - before.finished == QUEUES && after.failed - before.failed == QUEUES,
	      "and are counted");
	close(other);
}

/* Jobs that wait for nothing run, however many are queued. */
static void test_busy(int timeline)
{
	struct rig rig = open_rig(timeline, 3);
	uint32_t queue = make_queue(rig.gpu);
	int fence = -1;

	for (int i = 0; i < JOBS; i++) {
		if (fence >= 0)
			close(fence);
		fence = submit_stamp(&rig, queue, 0);
	}
	check(fence >= 0 && !destroy(rig.gpu, queue), "a queue with %d jobs is destroyed", JOBS);
	check(wait_fence(fence, WAIT_SECONDS) == 0, "its last job runs");
	check(usage(rig.gpu, 0).failed == 0, "none has failed");
	close(fence);
	close(rig.gpu);
}

int main(void)
{
	int timeline = open(SW_SYNC, O_RDWR | O_CLOEXEC);

	check(timeline >= 0, "a timeline");
	/* A close that waits for ever ends the test. */
	alarm(2 * WAIT_SECONDS);
	test_destroy(timeline);
	test_close(timeline);
	test_busy(timeline);
	close(timeline);
	return end_checks();
}
