// SPDX-License-Identifier: MIT
/*
 * clears: tests of clears of depth alone, in a buffer of depth and stencil, which keep stencil:
 * after clears of stencil, alone, under a mask or a scissor, and after stencil was drawn or copied.
 * Tile status clears depth and stencil together: the driver uses it for depth alone as long as it
 * knows that all pixels have the same stencil, which they get again. Two arrays have what is
 * expected.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>
#include <string.h>

#define SIZE 128
#define TURNS 200

/* What the target should contain */
static uint8_t stencil[SIZE][SIZE];
static float depth[SIZE][SIZE];
static GLuint target, source;

/** The pixels of an operation */
struct box {
	int x, y, width, height;
};

static struct box random_box(void)
{
	struct box box = { .x = (int)random_below(SIZE), .y = (int)random_below(SIZE) };

	box.width = 1 + (int)random_below(SIZE - box.x);
	box.height = 1 + (int)random_below(SIZE - box.y);
	return box;
}

/* Write @value, in the bits of @mask, and @z to the arrays; a negative one stays as it is. */
static void model(const struct box *box, int value, unsigned mask, float z)
{
	for (int y = box->y; y < box->y + box->height; y++) {
		for (int x = box->x; x < box->x + box->width; x++) {
			if (value >= 0)
				stencil[y][x] = (stencil[y][x] & ~mask) | (value & mask);
			if (z >= 0)
				depth[y][x] = z;
		}
	}
}

static const struct box all = { 0, 0, SIZE, SIZE };

static void clear_depth(void)
{
	float z = random_below(256) / 255.0f;

	glClearDepth(z);
	glClear(GL_DEPTH_BUFFER_BIT);
	model(&all, -1, 0, z);
}

static void clear_both(void)
{
	float z = random_below(256) / 255.0f;
	int value = (int)random_below(256);

	glClearDepth(z);
	glClearStencil(value);
	glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	model(&all, value, 0xff, z);
}

static void clear_stencil(void)
{
	int value = (int)random_below(256);

	glClearStencil(value);
	glClear(GL_STENCIL_BUFFER_BIT);
	model(&all, value, 0xff, -1);
}

static void clear_masked(void)
{
	unsigned mask = random_below(256);
	int value = (int)random_below(256);

	glClearStencil(value);
	glStencilMask(mask);
	glClear(GL_STENCIL_BUFFER_BIT);
	glStencilMask(0xff);
	model(&all, value, mask, -1);
}

static void clear_box(void)
{
	struct box box = random_box();
	int value = (int)random_below(256);

	glEnable(GL_SCISSOR_TEST);
	glScissor(box.x, box.y, box.width, box.height);
	glClearStencil(value);
	glClear(GL_STENCIL_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	model(&box, value, 0xff, -1);
}

static void draw_box(void)
{
	struct box box = random_box();
	int value = (int)random_below(256);

	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, value, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	glRectf(box.x * 2.0f / SIZE - 1, box.y * 2.0f / SIZE - 1,
		(box.x + box.width) * 2.0f / SIZE - 1, (box.y + box.height) * 2.0f / SIZE - 1);
	glDisable(GL_STENCIL_TEST);
	model(&box, value, 0xff, -1);
}

/* A draw that uses the buffer, but changes nothing: no pixel passes, and stencil is off. */
static void draw_depth(void)
{
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_NEVER);
	glRectf(-1, -1, 1, 1);
	glDepthFunc(GL_LESS);
	glDisable(GL_DEPTH_TEST);
}

static void write_pixels(void)
{
	struct box box = random_box();
	static uint8_t values[SIZE * SIZE];

	memset(values, (int)random_below(256), sizeof(values));
	glRasterPos2f(box.x * 2.0f / SIZE - 1, box.y * 2.0f / SIZE - 1);
	glDrawPixels(box.width, box.height, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, values);
	model(&box, values[0], 0xff, -1);
}

static void blit_stencil(void)
{
	int value = (int)random_below(256);

	glBindFramebuffer(GL_FRAMEBUFFER, source);
	glClearStencil(value);
	glClear(GL_STENCIL_BUFFER_BIT);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
	glBlitFramebuffer(0, 0, 64, 64, 32, 32, 96, 96, GL_STENCIL_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, target);
	model(&(struct box){ 32, 32, 64, 64 }, value, 0xff, -1);
}

static bool as_expected(void)
{
	static uint8_t stencils[SIZE][SIZE];
	static float depths[SIZE][SIZE];
	int wrong = 0;

	glReadPixels(0, 0, SIZE, SIZE, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencils);
	glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++)
			wrong += stencils[y][x] != stencil[y][x] ||
				 fabsf(depths[y][x] - depth[y][x]) > 1e-6f;
	}
	return !wrong;
}

static void random_order(void)
{
	static void (*const operations[])(void) = { clear_both,   clear_stencil, clear_masked,
						    clear_box,    draw_box,      draw_depth,
						    write_pixels, blit_stencil };
	int wrong = 0;

	clear_both();
	for (int i = 0; i < TURNS; i++) {
		operations[random_below(COUNT(operations))]();
		if (random_below(2))
			clear_depth();
		if (random_below(4) == 0)
			clear_depth();
		wrong += !as_expected();
	}
	check("cl.order", !wrong, "%d operations between clears of depth: %d times wrong", TURNS,
	      wrong);
}

int main(void)
{
	begin_opengl();
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	source = make_buffers(SIZE, 0, GL_RGBA8);
	target = make_buffers(SIZE, 0, GL_RGBA8); /* the last one stays bound */
	glViewport(0, 0, SIZE, SIZE);
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	random_order();
	check_error("cl.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
