// SPDX-License-Identifier: MIT
/*
 * Experiments with one command each: flush, clears, swap, texture loading, texture size, samples.
 */

#include "work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"

/* Tiles of 4x4 pixels, and how many more are drawn with each frame (thesis, 7.4.2) */
#define TILES (WIDTH / 4 * (HEIGHT / 4))
#define STEP_TILES 160
#define PAUSE_US 100

/* Groups of each number of samples in a first pass of work_samples(), which is not scored */
#define FIRST_PASS 8

/*
 * Widths of square targets: multiples of SIZE_STEP up to SIZES times that, also above the display's
 * 640. Predictors (vivgpu-predict) learn from groups before the first mark of a recording and are
 * scored on those after it: from every second size, and on those between, UNSEEN_GROUPS groups
 * each.
 */
#define SIZE_STEP 64
#define SIZES 16
#define UNSEEN_GROUPS 4

/* Figure 7.1: groups of a flush alone. */
void work_flush(int count)
{
	make_context(0);
	for (int i = 0; i < count; i++) {
		glFlush();
		work_sleep(PAUSE_US);
	}
}

/* Another colour each time, or the driver would leave the clear out. */
static void next_clear(void)
{
	static unsigned int n;

	glClearColor((float)(n++ % 7) / 7.0f, 0.5f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
}

/* 7.4.1: the window is cleared, and a rectangle covers it. */
void work_fast_clear(int count)
{
	make_window();
	work_color();
	for (int i = 0; i < count; i++) {
		next_clear();
		glFlush();
		draw_rectangle(1, 1);
		present_window();
		work_sleep(FRAME_US);
	}
}

/*
 * Call a function of a size and a number of groups: @count groups of sizes to learn from, then the
 * others.
 */
static void for_sizes(void (*run)(int size, int count), int count)
{
	for (int s = 1; s <= SIZES; s += 2)
		run(s * SIZE_STEP, count / (SIZES / 2));
	for (int s = 2; s <= SIZES; s += 2)
		run(s * SIZE_STEP, UNSEEN_GROUPS);
}

static void clear_size(int size, int count)
{
	make_target(size, size);
	for (int i = 0; i < count; i++) {
		next_clear();
		glFlush();
		work_sleep(GROUP_US);
	}
}

/* Figure 7.2: textures of several sizes are cleared, each with a flush after it. */
void work_clear(int count)
{
	make_context(0);
	for_sizes(clear_size, count);
}

static void swap_tiles(int tiles)
{
	glViewport(0, 0, WIDTH, tiles / (WIDTH / 4) * 4);
	glClear(GL_COLOR_BUFFER_BIT);
	draw_rectangle(1, 1);
	glFlush();
	present_window();
	work_sleep(FRAME_US);
}

/*
 * Figure 7.3: a rectangle over 160 tiles more in each frame, in rows of tiles; the swap is a group.
 * The 54 odd ones of the 108 sizes again and again for @count frames, then once the 54 even ones.
 */
void work_swap(int count)
{
	const int half = TILES / STEP_TILES / 2;

	make_window();
	work_color();
	for (int i = 0; i < count; i++)
		swap_tiles((2 * (i % half) + 1) * STEP_TILES);
	for (int i = 1; i <= half; i++)
		swap_tiles(2 * i * STEP_TILES);
}

/* Load the bound texture with @size x @size texels, all of whose bytes are one random number. */
static void texture_of(int size)
{
	static unsigned char texels[SIZES * SIZE_STEP * SIZES * SIZE_STEP * 4];

	memset(texels, rand() & 0xff, sizeof(texels));
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

static void load_size(int size, int count)
{
	GLuint textures[2];

	make_target(size, size);
	glViewport(0, 0, size, size);
	glGenTextures(2, textures);
	for (int t = 0; t < 2; t++) {
		glBindTexture(GL_TEXTURE_2D, textures[t]);
		texture_of(size);
	}
	/* What the core copies of the data above is a group of its own. */
	glFlush();
	work_sleep(GROUP_US);
	for (int i = 0; i < count; i++) {
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
				       textures[i % 2], 0);
		draw_rectangle(4.0f / (float)size, 4.0f / (float)size);
		glFlush();
		work_sleep(GROUP_US);
	}
	glDeleteTextures(2, textures);
}

/* Figure 7.4: textures of several sizes are bound as render target, and 4x4 pixels drawn. */
void work_texture_load(int count)
{
	make_context(0);
	work_color();
	for_sizes(load_size, count);
}

/*
 * Figure 7.10: a rectangle of 320x216 pixels with square textures of several sizes, nearest texel.
 * Those 2, 8, 32, 128 and 512 wide to learn from, then those 4, 16 ... 1024 wide, each with an
 * equal part of @count groups.
 */
void work_texture_size(int count)
{
	make_context(0);
	use_program("gl_FragData[0] = texture2D(image, place);");
	glViewport(0, 0, 320, 216);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	for (int first = 2; first <= 4; first *= 2) {
		for (int size = first; size <= 1024; size *= 4) {
			texture_of(size);
			for (int i = 0; i < count / 10; i++) {
				draw_rectangle(1, 1);
				glFlush();
				work_sleep(GROUP_US);
			}
		}
	}
}

/* A texture over the whole of a target of 640x432 pixels: memory is what takes the time. */
void work_offscreen(int count)
{
	make_context(0);
	make_target(WIDTH, HEIGHT);
	use_program("gl_FragData[0] = texture2D(image, place);");
	texture_of(512);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	for (int i = 0; i < count; i++) {
		draw_rectangle(1, 1);
		glFlush();
		work_sleep(FRAME_US);
	}
}

/*
 * Figure 7.11: half of 640x432 pixels without and with four samples. Each of the two halves of the
 * first pass has FIRST_PASS groups, each of the two that are scored half of @count.
 */
void work_samples(int count)
{
	static const GLfloat corners[] = { -1, -1, 1, -1, -1, 1 };

	for (int half = 0; half < 4; half++) {
		make_context(half % 2 ? 4 : 0);
		work_color();
		glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
		glEnableVertexAttribArray(0);
		for (int i = 0; i < (half < 2 ? FIRST_PASS : count / 2); i++) {
			glDrawArrays(GL_TRIANGLES, 0, 3);
			glFlush();
			work_sleep(GROUP_US);
		}
	}
}
