// SPDX-License-Identifier: MIT
/*
 * Planes and other users of their buffers: fences that a flip waits for and signals, buffers
 * imported from another file or device, signals during commits that wait for a buffer's lock
 * (dma_resv); and the picture after a system sleep.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <linux/udmabuf.h>

#include "../sw_sync.h"
#include "rig.h"

#define WIDTH 640
#define HEIGHT 432
/* Some frames: a flip that is not done after this time waits for a fence. */
#define FRAMES_MS 100
/* Signals during flips: time between two, number for each flip, and number of flips */
#define SIGNAL_US 30000
#define SIGNALS 6
#define SIGNAL_FLIPS 12

static int timeline_fence(int timeline)
{
	struct sw_sync_create_fence_data data = { .value = 1, .name = "kms-test" };

	return ioctl(timeline, SW_SYNC_IOC_CREATE_FENCE, &data) ? -errno : data.fence;
}

static bool readable(int fd, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, timeout_ms) == 1;
}

/* A flip that is committed, waits, and comes when the timeline moves. */
static void check_waits(struct rig *rig, int timeline, int out_fence, const char *name)
{
	uint32_t step = 1;
	struct event event;

	expect(!readable(rig->fd, FRAMES_MS), "%s: the flip waits", name);
	if (out_fence >= 0)
		expect(!readable(out_fence, 0), "%s: its own fence waits too", name);
	ioctl(timeline, SW_SYNC_IOC_INC, &step);
	expect(wait_event(rig, &event), "%s: and then it comes", name);
	if (out_fence >= 0)
		expect(readable(out_fence, FRAMES_MS), "%s: its own fence as well", name);
}

static void test_explicit(struct rig *rig, const struct buffer *buffer)
{
	int timeline = open(SW_SYNC, O_RDWR), fence = timeline_fence(timeline), ret;
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	int32_t out_fence = -1;

	set(rig, req, rig->primary, PLANE_FB_ID, buffer->id);
	set(rig, req, rig->primary, PLANE_IN_FENCE_FD, fence);
	set(rig, req, rig->crtc, CRTC_OUT_FENCE_PTR, (uintptr_t)&out_fence);
	ret = commit(rig, req, DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_ATOMIC_NONBLOCK);
	if (expect(!ret && out_fence >= 0, "a flip with a fence and for a fence"))
		check_waits(rig, timeline, out_fence, "explicit");
	close(out_fence);
	close(fence);
	close(timeline);
}

/* Attach a fence of a timeline to a buffer as a writer does. */
static int attach_fence(struct rig *rig, const struct buffer *buffer, int timeline)
{
	int fence = timeline_fence(timeline), dmabuf = -1, ret;
	struct dma_buf_import_sync_file import = { .flags = DMA_BUF_SYNC_WRITE, .fd = fence };

	drmPrimeHandleToFD(rig->fd, buffer->handle, DRM_CLOEXEC | DRM_RDWR, &dmabuf);
	ret = ioctl(dmabuf, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import);
	close(dmabuf);
	close(fence);
	return ret;
}

static void test_implicit(struct rig *rig, const struct buffer *buffer)
{
	int timeline = open(SW_SYNC, O_RDWR), ret = attach_fence(rig, buffer, timeline);
	drmModeAtomicReq *req = drmModeAtomicAlloc();

	set(rig, req, rig->primary, PLANE_FB_ID, buffer->id);
	ret = ret ?: commit(rig, req, DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_ATOMIC_NONBLOCK);
	if (expect(!ret, "a flip to a buffer that is being written"))
		check_waits(rig, timeline, -1, "implicit");
	close(timeline);
}

static int show_cursor(struct rig *rig, const struct buffer *image, uint32_t flags)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();

	set_plane(rig, req, rig->cursor, image, 0, 0, 50, 60, image->width, image->height);
	return commit(rig, req, flags);
}

/* A cursor that needs a copy: the copy is made after the buffer's fence has signalled. */
static void test_cursor_fence(struct rig *rig)
{
	int timeline = open(SW_SYNC, O_RDWR), crcs = crc_open();
	uint32_t expected = 0, got = 0;
	struct buffer image;

	if (!expect(!buffer_create(rig, &image, 48, 20, DRM_FORMAT_ARGB8888, 0), "an image"))
		return;
	memset(image.pixels, 0xff, image.size);
	expect(!show_cursor(rig, &image, 0) && shown_crc(rig, crcs, &expected), "a cursor");
	memset(image.pixels, 0, image.size);
	expect(!show_cursor(rig, &image, 0) && shown_crc(rig, crcs, &got) && got != expected,
	       "a cursor that is not seen");
	expect(!attach_fence(rig, &image, timeline) &&
		       !show_cursor(rig, &image,
				    DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_ATOMIC_NONBLOCK),
	       "a cursor that is being written");
	memset(image.pixels, 0xff, image.size);
	check_waits(rig, timeline, -1, "cursor");
	expect(shown_crc(rig, crcs, &got) && got == expected, "cursor: with what was drawn");
	close(crcs);
	close(timeline);
	buffer_destroy(rig, &image);
}

void test_fences(struct rig *rig)
{
	struct buffer buffers[2];

	if (access(SW_SYNC, R_OK)) {
		skip("fences", "no sw_sync in this kernel");
		return;
	}
	for (int i = 0; i < 2; i++)
		expect(!buffer_create(rig, &buffers[i], WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0),
		       "a buffer");
	expect(!rig_show(rig, rig_mode(rig, WIDTH, HEIGHT), &buffers[0]), "a mode");
	test_explicit(rig, &buffers[1]);
	test_implicit(rig, &buffers[0]);
	test_cursor_fence(rig);
	for (int i = 0; i < 2; i++)
		buffer_destroy(rig, &buffers[i]);
}

/* Create a framebuffer of a buffer imported by file descriptor. Returns the error. */
static int framebuffer_of(struct rig *rig, int dmabuf, uint32_t pitch, uint32_t *id,
			  uint32_t *handle)
{
	uint32_t handles[4] = { 0 }, pitches[4] = { pitch }, offsets[4] = { 0 };

	if (drmPrimeFDToHandle(rig->fd, dmabuf, handle))
		return -errno;
	handles[0] = *handle;
	return drmModeAddFB2(rig->fd, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, handles, pitches, offsets,
			     id, 0)
		       ? -errno
		       : 0;
}

/* A buffer exported by one file is shown by another file of the same device. */
static void test_other_file(struct rig *rig, int crcs, const struct buffer *shown)
{
	struct rig other = *rig;
	struct buffer buffer, again = { 0 };
	uint32_t before = 0, after = 0;
	struct event event;
	int dmabuf = -1;

	other.fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	if (!expect(!buffer_dumb(&other, &buffer, WIDTH, HEIGHT, 32), "another file's buffer"))
		return;
	memcpy(buffer.pixels, shown->pixels, shown->size);
	drmPrimeHandleToFD(other.fd, buffer.handle, DRM_CLOEXEC, &dmabuf);
	expect(!framebuffer_of(rig, dmabuf, buffer.pitch, &again.id, &again.handle) &&
		       shown_crc(rig, crcs, &before) && !flip(rig, &again, &event) &&
		       shown_crc(rig, crcs, &after) && before == after,
	       "another file's buffer is shown");
	close(dmabuf);
	buffer_destroy(&other, &buffer);
	close(other.fd);
	flip(rig, shown, &event);
	buffer_destroy(rig, &again);
}

/* Memory of a process: it may be scattered, and then cannot be shown. */
static void test_scattered(struct rig *rig)
{
	const size_t size = 4096 * 271; /* a page more than WIDTH * HEIGHT * 4 */
	int memory = memfd_create("scattered", MFD_ALLOW_SEALING), device, dmabuf, ret;
	struct udmabuf_create create = { .memfd = memory, .size = size };
	uint32_t id, handle = 0;

	device = open("/dev/udmabuf", O_RDWR);
	if (device < 0) {
		skip("scattered memory", "no /dev/udmabuf in this kernel");
		return;
	}
	if (ftruncate(memory, size) || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK))
		expect(false, "memory of a process");
	dmabuf = ioctl(device, UDMABUF_CREATE, &create);
	ret = framebuffer_of(rig, dmabuf, WIDTH * 4, &id, &handle);
	expect(ret == -EINVAL, "scattered memory is not shown: %s", strerror(-ret));
	if (handle)
		drmCloseBufferHandle(rig->fd, handle);
	close(dmabuf);
	close(device);
	close(memory);
}

void test_sharing(struct rig *rig)
{
	struct buffer buffer;
	int crcs;

	if (!expect(!buffer_create(rig, &buffer, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0) &&
			    !rig_show(rig, rig_mode(rig, WIDTH, HEIGHT), &buffer),
		    "a mode"))
		return;
	memset(buffer.pixels, 0x77, buffer.size);
	crcs = crc_open();
	test_other_file(rig, crcs, &buffer);
	test_scattered(rig);
	close(crcs);
	buffer_destroy(rig, &buffer);
}

static volatile sig_atomic_t signals_left;

/* A signal restarts a commit: without a limit it might never end. */
static void on_alarm(int number)
{
	if (--signals_left == 0)
		signal(number, SIG_IGN);
}

/* Take a buffer's lock (dma_resv) again and again, from another file, until killed. */
static void keep_busy(int dmabuf)
{
	struct drm_vivgpu_bo_madvise args = { .madv = DRM_VIVGPU_MADV_WILLNEED };
	int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);

	if (fd < 0 || drmPrimeFDToHandle(fd, dmabuf, &args.handle))
		_exit(1);
	while (!drmIoctl(fd, DRM_IOCTL_VIVGPU_BO_MADVISE, &args))
		;
	_exit(1);
}

/*
 * Signals interrupt commits that wait for a buffer's lock, which child processes take all the time.
 * The commits are restarted, and each shows its picture: none turns the plane off.
 */
void test_signals(struct rig *rig)
{
	const struct itimerval often = { { 0, SIGNAL_US }, { 0, SIGNAL_US } }, never = { 0 };
	struct sigaction action = { .sa_handler = on_alarm };
	struct buffer buffers[2];
	uint32_t expected = 0, got = 0;
	int dmabuf[2] = { -1, -1 }, crcs, ret = 0, same = 0;
	pid_t children[2];

	for (int i = 0; i < 2; i++) {
		ret |= buffer_create(rig, &buffers[i], WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0);
		memset(buffers[i].pixels, 0x5a, buffers[i].size);
		drmPrimeHandleToFD(rig->fd, buffers[i].handle, DRM_CLOEXEC, &dmabuf[i]);
	}
	ret |= rig_show(rig, rig_mode(rig, WIDTH, HEIGHT), &buffers[0]);
	crcs = crc_open();
	expect(!ret && shown_crc(rig, crcs, &expected), "a picture");
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		if (!children[i])
			keep_busy(dmabuf[i]);
	}
	for (int i = 1; i <= SIGNAL_FLIPS; i++) {
		drmModeAtomicReq *req = drmModeAtomicAlloc();

		set(rig, req, rig->primary, PLANE_FB_ID, buffers[i % 2].id);
		signals_left = SIGNALS;
		sigaction(SIGALRM, &action, NULL);
		setitimer(ITIMER_REAL, &often, NULL);
		ret = commit(rig, req, 0);
		setitimer(ITIMER_REAL, &never, NULL);
		same += !ret && shown_crc(rig, crcs, &got) && got == expected;
	}
	expect(same == SIGNAL_FLIPS, "%d of %d flips amid signals show it", same, SIGNAL_FLIPS);
	for (int i = 0; i < 2; i++) {
		kill(children[i], SIGKILL);
		waitpid(children[i], &ret, 0);
		expect(WIFSIGNALED(ret), "who takes its lock was there to the end");
		close(dmabuf[i]);
		buffer_destroy(rig, &buffers[i]);
	}
	close(crcs);
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return ok;
}

/* All devices are suspended and resumed (pm_test); the picture is the same afterwards. */
void test_sleep(struct rig *rig)
{
	uint32_t before = 0, after = 1;
	struct buffer buffer;
	struct event event;
	int crcs;

	if (!expect(!buffer_create(rig, &buffer, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, 0) &&
			    !rig_show(rig, rig_mode(rig, WIDTH, HEIGHT), &buffer),
		    "a mode"))
		return;
	for (size_t i = 0; i < buffer.size; i++)
		buffer.pixels[i] = i * 7 >> 4;
	crcs = crc_open();
	expect(shown_crc(rig, crcs, &before), "a picture");
	close(crcs);
	expect(write_file("/sys/power/pm_test", "devices") && write_file("/sys/power/state", "mem"),
	       "the devices sleep and wake up");
	crcs = crc_open();
	expect(shown_crc(rig, crcs, &after) && before == after, "the same picture after sleep");
	expect(!flip(rig, &buffer, &event), "a flip after sleep");
	close(crcs);
	buffer_destroy(rig, &buffer);
}
