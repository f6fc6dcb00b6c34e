// SPDX-License-Identifier: MIT
/*
 * Figures that were published as numbers:
 *
 *	flush		a job of a cache flush alone
 *	flush-times	many of them, from submission to the fence: a line of nanoseconds for each
 *	fast-clear	glClear of a render target with tile status
 *	clear-SIZE	glClear of SIZE x SIZE pixels, all written if ETNA_MESA_DEBUG=no_ts
 *	triangle	half of 640x432 pixels in one colour
 *	triangle-msaa	the same with four samples
 */

#include "calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <drm/etnaviv_drm.h>
#include <xf86drm.h>

#define FLUSHES 2000

/* GL_FLUSH_CACHE in a LOAD_STATE of one word: depth and colour caches. */
#define LOAD_STATE_FLUSH (1u << 27 | 1u << 16 | 0x380c >> 2)
#define FLUSH_DEPTH_AND_COLOR 3u
#define NOP 0x18000000u

/* The published test's command group: 16 bytes that flush the caches. */
static void flush_job(void)
{
	static int fd = -1;
	const uint32_t stream[4] = { LOAD_STATE_FLUSH, FLUSH_DEPTH_AND_COLOR, NOP, 0 };
	struct drm_etnaviv_gem_submit submit = {
		.exec_state = ETNA_PIPE_3D,
		.stream = (uintptr_t)stream,
		.stream_size = sizeof(stream),
	};
	struct drm_etnaviv_wait_fence wait = { 0 };

	if (fd < 0)
		fd = open_gpu();
	if (drmIoctl(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &submit) != 0)
		die(strerror(errno));
	wait.fence = submit.fence;
	wait.timeout.tv_sec = (int64_t)(now_ns() / 1000000000u) + 10;
	if (drmIoctl(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &wait) != 0)
		die(strerror(errno));
}

static void flush_times(void)
{
	flush_job();
	for (unsigned int i = 0; i < FLUSHES; i++) {
		uint64_t start = now_ns();

		flush_job();
		printf("flush-times %llu\n", (unsigned long long)(now_ns() - start));
	}
}

/*
 * gl_FragColor would be written to all four possible render targets by Mesa's shader, one
 * instruction each; what was measured had one target.
 */
static void prepare_triangle(void)
{
	static const GLfloat corners[] = { -1, -1, 1, -1, -1, 1 };
	GLuint program = use_program("gl_FragData[0] = color;"), buffer;

	glUniform4f(glGetUniformLocation(program, "color"), 1.0f, 0.5f, 0.0f, 1.0f);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
}

/* The lower left half of the window. */
static void draw_triangle(void)
{
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glFinish();
}

/* Another colour each time, or the driver would leave it out. */
static void clear(void)
{
	static unsigned int n;

	glClearColor((float)(n++ % 7) / 7.0f, 0.5f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glFinish();
}

int measure_figure(const char *figure)
{
	int size;

	if (strcmp(figure, "flush") == 0) {
		measure(figure, flush_job);
	} else if (strcmp(figure, "flush-times") == 0) {
		flush_times();
	} else if (strcmp(figure, "fast-clear") == 0) {
		make_context(0);
		measure(figure, clear);
	} else if (sscanf(figure, "clear-%d", &size) == 1) {
		make_context(0);
		make_target(size, size);
		measure(figure, clear);
	} else if (strcmp(figure, "triangle") == 0 || strcmp(figure, "triangle-msaa") == 0) {
		make_context(strcmp(figure, "triangle") == 0 ? 0 : 4);
		prepare_triangle();
		measure(figure, draw_triangle);
	} else {
		return 0;
	}
	return 1;
}
