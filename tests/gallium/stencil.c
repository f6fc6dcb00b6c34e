// SPDX-License-Identifier: MIT
/*
 * stencil: tests of copies of depth and stencil by glBlitFramebuffer, glCopyPixels and
 * glDrawPixels: one without the other, scaled, mirrored, with scissor, and from four samples.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>
#include <stdio.h>

#define SIZE 64
/** Values of the target before a copy */
#define OLD_STENCIL 200
#define OLD_DEPTH 0.75f

static GLuint target;

static int stencil_at(int x, int y)
{
	return 1 + x / 8 + 8 * (y / 8);
}

static float depth_at(int x, int y)
{
	return (float)(1 + x / 8 + y / 8) / 16;
}

static void clear(float depth, int stencil)
{
	glClearDepth(depth);
	glClearStencil(stencil);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* Squares with different stencils, and depths that grow along both axes. */
static void draw_pattern(GLuint framebuffer)
{
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	clear(1, 0);
	glEnable(GL_STENCIL_TEST);
	glEnable(GL_DEPTH_TEST);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	for (int y = 0; y < SIZE; y += 8) {
		for (int x = 0; x < SIZE; x += 8) {
			float left = x * 2.0f / SIZE - 1, bottom = y * 2.0f / SIZE - 1,
			      z = 2 * depth_at(x, y) - 1, size = 16.0f / SIZE;

			glStencilFunc(GL_ALWAYS, stencil_at(x, y), 0xff);
			glBegin(GL_QUADS);
			glVertex3f(left, bottom, z);
			glVertex3f(left + size, bottom, z);
			glVertex3f(left + size, bottom + size, z);
			glVertex3f(left, bottom + size, z);
			glEnd();
		}
	}
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_STENCIL_TEST);
}

/* From which pixel of the pattern one of the target comes; false: it is as before. */
typedef bool (*origin)(int *x, int *y);

/* All of the target: always true */
static bool same(int *x, int *y)
{
	return *x >= 0 && *y >= 0;
}

/* Always false */
static bool none(int *x, int *y)
{
	return *x < 0 && *y < 0;
}

static bool half_mirrored(int *x, int *y)
{
	*x = SIZE - 1 - 2 * *x;
	*y = 2 * *y;
	return *x >= 0 && *y < SIZE;
}

static bool twice(int *x, int *y)
{
	*x /= 2;
	*y /= 2;
	return true;
}

static bool cut(int *x, int *y)
{
	return *x >= 10 && *x < 40 && *y >= 5 && *y < 50;
}

static bool moved(int *x, int *y)
{
	*x -= 8;
	*y -= 16;
	return *x >= 0 && *y >= 0 && *x < 40 && *y < 30;
}

static void expect(const char *tag, const char *what, origin stencil, origin depth)
{
	static GLubyte stencils[SIZE][SIZE];
	static float depths[SIZE][SIZE];
	int wrong[2] = { 0, 0 };

	glBindFramebuffer(GL_FRAMEBUFFER, target);
	glReadPixels(0, 0, SIZE, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencils);
	glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
	for (int i = 0; i < SIZE * SIZE; i++) {
		int x = i % SIZE, y = i / SIZE, s = x, t = y;
		float z = depth(&s, &t) ? depth_at(s, t) : OLD_DEPTH;

		wrong[1] += fabsf(depths[y][x] - z) > 1e-3f;
		s = x;
		t = y;
		wrong[0] += stencils[y][x] != (stencil(&s, &t) ? stencil_at(s, t) : OLD_STENCIL);
	}
	check(tag, !wrong[0] && !wrong[1], "%s: %d stencils and %d depths are wrong", what,
	      wrong[0], wrong[1]);
}

/* Clear the target, to which copies go, and let them come from a framebuffer. */
static void begin(GLuint from)
{
	glBindFramebuffer(GL_FRAMEBUFFER, target);
	clear(OLD_DEPTH, OLD_STENCIL);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
}

static void check_whole(const char *tag, GLuint from)
{
	static const struct {
		GLbitfield mask;
		origin stencil, depth;
		const char *what;
	} cases[] = {
		{ GL_STENCIL_BUFFER_BIT, same, none, "stencil" },
		{ GL_DEPTH_BUFFER_BIT, none, same, "depth" },
		{ GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, same, same, "both" },
		{ GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, same, none, "stencil and colour" },
	};

	for (unsigned i = 0; i < COUNT(cases); i++) {
		begin(from);
		glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, cases[i].mask, GL_NEAREST);
		expect(tag, cases[i].what, cases[i].stencil, cases[i].depth);
	}
}

static void check_shapes(GLuint from)
{
	begin(from);
	glBlitFramebuffer(SIZE, 0, 0, SIZE, 0, 0, SIZE / 2, SIZE / 2, GL_STENCIL_BUFFER_BIT,
			  GL_NEAREST);
	expect("stencil.half", "half as large, mirrored", half_mirrored, none);
	begin(from);
	glBlitFramebuffer(0, 0, SIZE / 2, SIZE / 2, 0, 0, SIZE, SIZE,
			  GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
	expect("stencil.twice", "twice as large", twice, twice);
	begin(from);
	glScissor(10, 5, 30, 45);
	glEnable(GL_SCISSOR_TEST);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_STENCIL_BUFFER_BIT, GL_NEAREST);
	glDisable(GL_SCISSOR_TEST);
	expect("stencil.cut", "in a scissor", cut, none);
}

static void check_pixels(GLuint from)
{
	static GLubyte pixels[30][40];

	begin(from);
	glWindowPos2i(8, 16);
	glCopyPixels(0, 0, 40, 30, GL_STENCIL);
	expect("stencil.copy-pixels", "copied pixels", moved, none);
	begin(target);
	for (int y = 0; y < 30; y++)
		for (int x = 0; x < 40; x++)
			pixels[y][x] = (GLubyte)stencil_at(x, y);
	glWindowPos2i(8, 16);
	glDrawPixels(40, 30, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, pixels);
	expect("stencil.draw-pixels", "drawn pixels", moved, none);
}

/*
 * Stencils that are drawn to a multisampled buffer; and depth, without stencil, from that to
 * another multisampled buffer. Each is checked in a copy with one sample.
 */
static void check_drawn(GLuint several)
{
	static GLubyte pixels[SIZE][SIZE];
	GLuint more = make_buffers(SIZE, 4, GL_RGBA8);

	for (int i = 0; i < SIZE * SIZE; i++)
		pixels[i / SIZE][i % SIZE] = (GLubyte)stencil_at(i % SIZE, i / SIZE);
	glBindFramebuffer(GL_FRAMEBUFFER, several);
	clear(OLD_DEPTH, 0);
	glWindowPos2i(0, 0);
	glDrawPixels(SIZE, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, pixels);
	begin(several);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_STENCIL_BUFFER_BIT, GL_NEAREST);
	expect("stencil.drawn-samples", "drawn to several samples", same, none);
	draw_pattern(several);
	glBindFramebuffer(GL_FRAMEBUFFER, more);
	clear(OLD_DEPTH, OLD_STENCIL);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, several);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
	begin(more);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE,
			  GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
	expect("stencil.moved-samples", "from several samples to several", none, same);
}

int main(void)
{
	GLuint single, several;
	GLint most = 0;

	begin_opengl();
	glGetIntegerv(GL_MAX_SAMPLES, &most);
	glViewport(0, 0, SIZE, SIZE);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	target = make_buffers(SIZE, 0, GL_RGBA8);
	single = make_buffers(SIZE, 0, GL_RGBA8);
	draw_pattern(single);
	check_whole("stencil.whole", single);
	check_shapes(single);
	check_pixels(single);
	if (most >= 4) {
		several = make_buffers(SIZE, 4, GL_RGBA8);
		draw_pattern(several);
		check_whole("stencil.samples", several);
		check_drawn(several);
	} else {
		skip("stencil.samples", "the core has one sample only");
	}
	check_error("stencil.no-error", GL_NO_ERROR, "all of it");
	return end_checks();
}
