// SPDX-License-Identifier: MIT
/* microbench: cases of jobs, of contexts that share the core, and of the display beside it. */

#include <GL/gl.h>
#include <GL/glext.h>

#include "microbench.h"

#include <fcntl.h>
#include <string.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#define SMALL 16

static EGLContext contexts[2];

static void prepare_flush(unsigned int series, unsigned int jobs)
{
	(void)jobs;
	make_target(SIDE, SIDE);
	use_fragments("", "");
	use_square(series ? SIDE : SMALL, SIDE, 0);
}

static void draw_jobs(unsigned int series, unsigned int jobs)
{
	(void)series;
	for (unsigned int i = 0; i < jobs; i++) {
		draw_prepared_square();
		glFlush();
	}
}

/* Two contexts without sharing, each with a target and a program of its own. */
static void prepare_clients(unsigned int series, unsigned int jobs)
{
	contexts[0] = eglGetCurrentContext();
	prepare_flush(1, jobs);
	if (!series)
		return;
	contexts[1] = make_context(API_GL, EGL_NO_CONTEXT);
	use_context(contexts[1]);
	prepare_flush(1, jobs);
	use_context(contexts[0]);
}

/*
 * All jobs are the first context's, or both take turns. glFinish() ends the second one's jobs
 * before the count.
 */
static void draw_clients(unsigned int series, unsigned int jobs)
{
	for (unsigned int i = 0; i < jobs; i++) {
		if (series)
			use_context(contexts[i % 2]);
		draw_prepared_square();
		glFlush();
	}
	if (!series)
		return;
	use_context(contexts[1]);
	glFinish();
	use_context(contexts[0]);
}

/*
 * Show a picture of the first mode with this height, or nothing with a height of 1. It stays so
 * until the next call, in cases that are measured later, too.
 */
static void show(unsigned int height)
{
	static int fd = -1;
	drmModeRes *resources;
	drmModeConnector *connector;
	struct drm_mode_create_dumb create = { .bpp = 32 };
	drmModeModeInfo *mode = NULL;
	uint32_t picture;

	if (fd < 0)
		fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	resources = fd < 0 ? NULL : drmModeGetResources(fd);
	if (!resources || !resources->count_connectors)
		give_up("no display");
	connector = drmModeGetConnector(fd, resources->connectors[0]);
	for (int i = 0; i < connector->count_modes && !mode; i++)
		if (connector->modes[i].vdisplay == height)
			mode = &connector->modes[i];
	if (!mode && height > 1)
		give_up("no mode with %u lines", height);
	if (mode) {
		create.width = mode->hdisplay;
		create.height = mode->vdisplay;
		if (drmIoctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create) ||
		    drmModeAddFB(fd, create.width, create.height, 24, 32, create.pitch,
				 create.handle, &picture))
			give_up("no picture");
	}
	if (drmModeSetCrtc(fd, resources->crtcs[0], mode ? picture : 0, 0, 0,
			   &connector->connector_id, mode ? 1 : 0, mode))
		give_up("no such mode");
	drmModeFreeConnector(connector);
	drmModeFreeResources(resources);
}

/* Work that waits for memory (texels far from each other), and work that does not. */
static void prepare_display(unsigned int series, unsigned int height)
{
	show(height);
	make_target(SIDE, SIDE);
	make_pattern(512);
	use_fragments("uniform sampler2D image;",
		      series ? "c = place * place;\n"
			     : "c = texture2D(image, place.xy * vec2(47.3, 79.7));\n");
	use_square(SIDE, SIDE, 0);
}

static void draw_one(unsigned int series, unsigned int height)
{
	(void)series;
	(void)height;
	draw_prepared_square();
}

const struct bench_case job_cases[] = {
	{ .name = "flush",
	  .series = { "256 pixels", "65536 pixels" },
	  .values = { 1, 2, 4, 8, 16 },
	  .prepare = prepare_flush,
	  .work = draw_jobs },
	{ .name = "clients",
	  .series = { "one client", "two clients" },
	  .values = { 2, 4, 8, 16 },
	  .prepare = prepare_clients,
	  .work = draw_clients },
	{ .name = "display",
	  .series = { "bound by memory", "bound by pixels" },
	  .values = { 1, 480, 720, 1080 },
	  .prepare = prepare_display,
	  .work = draw_one },
	{ .name = NULL },
};
