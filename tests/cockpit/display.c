// SPDX-License-Identifier: MIT

#include "display.h"

#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <xf86drm.h>

/* What belongs to a buffer of the surface, not only to the one that struct display has as @shown */
struct shown {
	uint32_t fb;
	int dma_buf;
};

static void must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

/* The last connector that has a monitor. */
static void choose_connector(struct display *display, const drmModeRes *resources)
{
	for (int i = 0; i < resources->count_connectors; i++) {
		drmModeConnector *connector =
			drmModeGetConnector(display->fd, resources->connectors[i]);

		if (connector && connector->connection == DRM_MODE_CONNECTED &&
		    connector->count_modes) {
			display->connector = connector->connector_id;
			display->mode = connector->modes[0];
		}
		drmModeFreeConnector(connector);
	}
	must(display->connector != 0, "a monitor");
}

/**
 * display_open - find the display
 * @display: out
 * @fd: the device
 * @shrink: pictures have 1/@shrink of the mode's width and height; the blanking is larger, and the
 *	frames take the same time
 */
void display_open(struct display *display, int fd, uint32_t shrink)
{
	drmModeRes *resources = drmModeGetResources(fd);

	memset(display, 0, sizeof(*display));
	display->fd = fd;
	must(resources && resources->count_crtcs, "a display");
	display->crtc = resources->crtcs[0];
	choose_connector(display, resources);
	display->mode.hdisplay /= shrink;
	display->mode.vdisplay /= shrink;
	drmModeFreeResources(resources);
}

/* Of a buffer: made when it is first asked for, and kept until the program ends. */
static struct shown *shown_of(struct display *display, struct gbm_bo *bo)
{
	struct shown *shown = gbm_bo_get_user_data(bo);
	uint32_t handles[4] = { gbm_bo_get_handle(bo).u32 };
	uint32_t pitches[4] = { gbm_bo_get_stride(bo) }, offsets[4] = { 0 };

	if (shown)
		return shown;
	shown = calloc(1, sizeof(*shown));
	must(shown != NULL, "memory");
	must(!drmModeAddFB2(display->fd, gbm_bo_get_width(bo), gbm_bo_get_height(bo),
			    GBM_FORMAT_XRGB8888, handles, pitches, offsets, &shown->fb, 0),
	     "drmModeAddFB2");
	shown->dma_buf = gbm_bo_get_fd(bo);
	must(shown->dma_buf >= 0, "gbm_bo_get_fd");
	gbm_bo_set_user_data(bo, shown, NULL);
	return shown;
}

/* End the frame; returns the buffer that it was drawn to, which must be released. */
static struct gbm_bo *swap(struct display *display)
{
	struct gbm_bo *bo;

	must(eglSwapBuffers(display->scene->display, display->scene->surface), "eglSwapBuffers");
	bo = gbm_surface_lock_front_buffer(display->gbm);
	must(bo != NULL, "gbm_surface_lock_front_buffer");
	return bo;
}

/**
 * display_start - create the surface, and show a black picture
 * @display: the display
 * @scene: the client that draws on it; the surface becomes its target
 */
void display_start(struct display *display, struct scene *scene)
{
	display->scene = scene;
	display->gbm =
		gbm_surface_create(scene->gbm, display->mode.hdisplay, display->mode.vdisplay,
				   GBM_FORMAT_XRGB8888, GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING);
	must(display->gbm != NULL, "gbm_surface_create");
	scene->surface =
		eglCreatePlatformWindowSurface(scene->display, scene->config, display->gbm, NULL);
	must(scene->surface != EGL_NO_SURFACE, "eglCreatePlatformWindowSurface");
	must(eglMakeCurrent(scene->display, scene->surface, scene->surface, scene->context),
	     "eglMakeCurrent");
	scene_size(scene, display->mode.hdisplay, display->mode.vdisplay);
	glClear(GL_COLOR_BUFFER_BIT);
	display->shown = swap(display);
	must(!drmModeSetCrtc(display->fd, display->crtc, shown_of(display, display->shown)->fb, 0,
			     0, &display->connector, 1, &display->mode),
	     "drmModeSetCrtc");
}

/* A sync_file of what a reader of the buffer has to wait for: the jobs that draw to it. */
static int fence_of(int dma_buf)
{
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_READ, .fd = -1 };

	must(!ioctl(dma_buf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export), "a fence");
	return export.fd;
}

/*
 * When the last of a sync_file's fences, 8 at most, was signalled. All must be: the caller has seen
 * the flip, which waits for them. Closes the file.
 */
static uint64_t signalled_ns(int fence)
{
	struct sync_fence_info parts[8] = { 0 };
	struct sync_file_info info = { .num_fences = 8, .sync_fence_info = (uintptr_t)parts };
	uint64_t last = 0;

	must(!ioctl(fence, SYNC_IOC_FILE_INFO, &info), "SYNC_IOC_FILE_INFO");
	must(info.status == 1, "the frame's job");
	for (uint32_t i = 0; i < info.num_fences; i++)
		last = parts[i].timestamp_ns > last ? parts[i].timestamp_ns : last;
	close(fence);
	return last;
}

static void on_flip(int fd, unsigned int sequence, unsigned int sec, unsigned int usec, void *data)
{
	struct flip *flip = data;

	(void)fd;
	(void)sec;
	(void)usec;
	flip->vblank = sequence;
}

/**
 * display_flip - end the frame, and wait until it is shown
 * @display: the display
 *
 * Return: at which vertical blank that was, and when the GPU had finished the frame.
 */
struct flip display_flip(struct display *display)
{
	drmEventContext context = { .version = 2, .page_flip_handler = on_flip };
	struct pollfd poller = { .fd = display->fd, .events = POLLIN };
	struct gbm_bo *bo = swap(display);
	struct shown *shown = shown_of(display, bo);
	struct flip flip = { 0 };
	int fence = fence_of(shown->dma_buf);

	must(!drmModePageFlip(display->fd, display->crtc, shown->fb, DRM_MODE_PAGE_FLIP_EVENT,
			      &flip),
	     "drmModePageFlip");
	must(poll(&poller, 1, -1) == 1, "poll");
	must(!drmHandleEvent(display->fd, &context), "drmHandleEvent");
	gbm_surface_release_buffer(display->gbm, display->shown);
	display->shown = bo;
	flip.finished_ns = signalled_ns(fence);
	return flip;
}

/**
 * display_period_ns - the time between two vertical blanks
 * @display: the display
 */
double display_period_ns(const struct display *display)
{
	return 1e6 * display->mode.htotal * display->mode.vtotal / display->mode.clock;
}
