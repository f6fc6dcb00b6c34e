// SPDX-License-Identifier: MIT
/* Deadlines: a page flip sets the time of its vertical blank on the job that draws the picture. */

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include <linux/dma-buf.h>

#include "../sw_sync.h"
#include "rig.h"

#define WIDTH 640
#define HEIGHT 432
#define NOP 0x18000000u
/* Several frames, by the end of which the commit's work has set the deadline */
#define FRAMES_NS 100000000
#define COOKIE 77
/* By so much a deadline may miss the vertical blank. */
#define TOLERANCE_NS 2000000.0

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int open_jobs(struct rig *rig)
{
	struct drm_vivgpu_stream_open args = {
		.types = DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
		.record_size = sizeof(struct drm_vivgpu_record),
	};

	return drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args) ? -1 : args.fd;
}

/* A job that writes the buffer, as far as its fence tells. */
static bool submit(struct rig *rig, uint32_t queue, const struct buffer *buffer, uint64_t cookie,
		   uint64_t deadline_ns)
{
	static const uint32_t words[] = { NOP, 0 };
	struct drm_vivgpu_piece piece = { .words = (uintptr_t)words, .size = sizeof(words) };
	struct drm_vivgpu_submit_bo bo = { .handle = buffer->handle,
					   .flags = DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_submit submit = {
		.queue = queue,
		.flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC,
		.pieces = (uintptr_t)&piece,
		.nr_pieces = 1,
		.bos = (uintptr_t)&bo,
		.nr_bos = 1,
		.cookie = cookie,
		.deadline_ns = deadline_ns,
	};

	return !drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_SUBMIT, &submit);
}

/* A fence of a timeline on the buffer: the job waits for it. */
static bool attach_fence(struct rig *rig, const struct buffer *buffer, int timeline)
{
	struct sw_sync_create_fence_data data = { .value = 1, .name = "kms-test" };
	struct dma_buf_import_sync_file import = { .flags = DMA_BUF_SYNC_WRITE };
	int dmabuf = -1, ret;

	if (ioctl(timeline, SW_SYNC_IOC_CREATE_FENCE, &data) ||
	    drmPrimeHandleToFD(rig->fd, buffer->handle, DRM_CLOEXEC | DRM_RDWR, &dmabuf))
		return false;
	import.fd = data.fence;
	ret = ioctl(dmabuf, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import);
	close(dmabuf);
	close(data.fence);
	return !ret;
}

/* The deadline in the record of the job with COOKIE, for which the read would wait. */
static uint64_t recorded_deadline(int stream)
{
	struct drm_vivgpu_record record = { 0 };

	while (read(stream, &record, sizeof(record)) == sizeof(record)) {
		if (record.cookie == COOKIE)
			return record.deadline_ns;
	}
	return 0;
}

/* Commit a flip to a buffer whose job waits, let the job run, and read what deadline it had. */
static uint64_t deadline_of_flip(struct rig *rig, const struct buffer *buffer, uint32_t queue,
				 struct event *event)
{
	const struct timespec some_frames = { .tv_nsec = FRAMES_NS };
	int timeline = open(SW_SYNC, O_RDWR), stream = open_jobs(rig);
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	uint64_t deadline = 0;
	uint32_t step = 1;
	bool good;

	set(rig, req, rig->primary, PLANE_FB_ID, buffer->id);
	good = attach_fence(rig, buffer, timeline) && submit(rig, queue, buffer, COOKIE, 0) &&
	       !commit(rig, req, DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_ATOMIC_NONBLOCK);
	nanosleep(&some_frames, NULL);
	ioctl(timeline, SW_SYNC_IOC_INC, &step);
	if (expect(good && wait_event(rig, event), "a flip that waits for a job"))
		deadline = recorded_deadline(stream);
	close(stream);
	close(timeline);
	return deadline;
}

void test_deadlines(struct rig *rig)
{
	struct drm_vivgpu_queue_create queue = { .priority = DRM_VIVGPU_PRIORITY_NORMAL };
	const drmModeModeInfo *mode = rig_mode(rig, WIDTH, HEIGHT);
	double frame, blank, off;
	struct buffer buffers[2];
	struct event event = { 0 };
	uint64_t deadline, before;

	for (int i = 0; i < 2; i++) {
		if (!expect(!buffer_create(rig, &buffers[i], WIDTH, HEIGHT, DRM_FORMAT_XRGB8888,
					   DRM_FORMAT_MOD_LINEAR),
			    "a buffer"))
			return;
	}
	if (!expect(mode && !rig_show(rig, mode, &buffers[0]) &&
			    !drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &queue),
		    "a picture and a queue"))
		return;
	/* Deadlines are looked at for a second after a job that has one. */
	before = now_ns();
	expect(submit(rig, queue.queue, &buffers[0], 0, before + FRAMES_NS),
	       "a job with a deadline");
	deadline = deadline_of_flip(rig, &buffers[1], queue.queue, &event);
	frame = 1e6 * mode->htotal * mode->vtotal / mode->clock;
	blank = 1e6 * (mode->vtotal - mode->vdisplay) * mode->htotal / mode->clock;
	off = remainder((double)(int64_t)(event.time_ns - deadline) - blank, frame);
	/*
	 * The deadline is a blank's start, up to two frames from the commit; an event has its end.
	 */
	expect(deadline > before && deadline < before + 3 * frame + TOLERANCE_NS,
	       "the job's deadline is %.1f ms after the flip's commit", (deadline - before) / 1e6);
	expect(fabs(off) < TOLERANCE_NS, "at a vertical blank, %.0f ns off", off);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}
