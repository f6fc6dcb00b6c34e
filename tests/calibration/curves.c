// SPDX-License-Identifier: MIT
/*
 * Curves that were published as pictures; each prints lines "FIGURE PARAMETER VALUE":
 *
 *	swap		busy cycles of eglSwapBuffers after a rectangle of so many tiles of 8x8 pixels
 *	swap-times	nanoseconds of equal frames of 160 tiles with a swap; the parameter is
 *			the number of the swap
 *	texture-load	busy cycles of using a texture of this size as render target after new
 *			contents were given to it
 *	texture-copy	busy cycles of copying a colour buffer of 640x432 pixels, as far as it
 *			reaches, into a texture of the same proportion, as the vendor's driver does
 *			before it draws there; the parameter is the texture's pixels
 *	texture-size	busy cycles of a rectangle of 320x216 pixels with a texture of this size,
 *			nearest texel
 */

#include "calibrate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_ROWS (HEIGHT / 8)
#define ROW_TILES (WIDTH / 8)
#define STEP_ROWS 2 /* 160 tiles */
#define WARM_UP 4
#define REPEAT 8
#define SWAPS 200

static void print_point(const char *figure, int parameter, unsigned long long value)
{
	printf("%s %d %llu\n", figure, parameter, value);
	fflush(stdout);
}

/* Draw so many rows of tiles into a cleared render target. */
static void draw_rows(int rows)
{
	glClear(GL_COLOR_BUFFER_BIT);
	draw_rectangle(1.0f, (float)rows / TILE_ROWS);
}

static void use_one_color(void)
{
	GLuint program = use_program("gl_FragData[0] = color;");

	glUniform4f(glGetUniformLocation(program, "color"), 1.0f, 0.5f, 0.0f, 1.0f);
}

/* Mean busy cycles of drawing @rows and of @end, which waits for the GPU. */
static unsigned long long rows_cycles(int rows, void (*end)(void))
{
	unsigned long long before = 0;

	for (unsigned int i = 0; i < REPEAT + WARM_UP; i++) {
		if (i == WARM_UP)
			before = card_total("gc.busy_cycles");
		draw_rows(rows);
		end();
	}
	return (card_total("gc.busy_cycles") - before) / REPEAT;
}

static void finish(void)
{
	glFinish();
}

/*
 * Cycles of a frame with a swap less those of the same frame without. The latter are measured
 * without a window, because with one Mesa copies to the display's buffer at each flush.
 */
static void swap_curve(const char *figure)
{
	unsigned long long alone[TILE_ROWS + 1];

	make_context(0);
	use_one_color();
	for (int rows = STEP_ROWS; rows <= TILE_ROWS; rows += STEP_ROWS)
		alone[rows] = rows_cycles(rows, finish);
	make_window();
	use_one_color();
	for (int rows = STEP_ROWS; rows <= TILE_ROWS; rows += STEP_ROWS)
		print_point(figure, rows * ROW_TILES, rows_cycles(rows, swap_window) - alone[rows]);
}

/* With few tiles drawn nearly all of the time is the swap's. */
static void swap_times(const char *figure)
{
	make_window();
	use_one_color();
	for (int i = -WARM_UP; i < SWAPS; i++) {
		uint64_t start = now_ns();

		draw_rows(STEP_ROWS);
		swap_window();
		if (i >= 0)
			print_point(figure, i, now_ns() - start);
	}
}

/* Give the bound texture this size and new contents. */
static void texture(int size)
{
	static unsigned char texels[1024 * 1024 * 4];

	memset(texels, rand() & 0xff, sizeof(texels));
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
}

/*
 * The texture that make_target() leaves bound; little is drawn, 4 x 4 pixels, so that loading it
 * counts.
 */
static void texture_loads(const char *figure)
{
	static const int sizes[] = { 64, 128, 192, 256, 320, 384, 448, 512 };
	make_context(0);
	use_one_color();
	for (unsigned int s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		unsigned long long before = 0;

		make_target(sizes[s], sizes[s]);
		glViewport(0, 0, sizes[s], sizes[s]);
		for (unsigned int i = 0; i < REPEAT + 1; i++) {
			if (i == 1)
				before = card_total("gc.busy_cycles");
			texture(sizes[s]);
			draw_rectangle(4.0f / (float)sizes[s], 4.0f / (float)sizes[s]);
			glFinish();
		}
		print_point(figure, sizes[s], (card_total("gc.busy_cycles") - before) / REPEAT);
	}
}

#define COPY_STEP_X 160
#define COPY_STEP_Y 108
#define COPY_STEPS 8 /* the fourth has the size of the colour buffer */

/* OpenGL copies the part of the rectangle that is inside the colour buffer. */
static void copy_to_texture(int width, int height)
{
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, width, height);
	glFinish();
}

static void texture_copies(const char *figure)
{
	make_context(0);
	make_target(WIDTH, HEIGHT);
	use_one_color();
	draw_rectangle(1, 1);
	for (int step = 1; step <= COPY_STEPS; step++) {
		int width = step * COPY_STEP_X, height = step * COPY_STEP_Y;
		unsigned long long before = 0, resolved = card_total("gc.rs.resolves");
		GLuint texture;

		glGenTextures(1, &texture);
		glBindTexture(GL_TEXTURE_2D, texture);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     NULL);
		for (unsigned int i = 0; i < REPEAT + 1; i++) {
			if (i == 1)
				before = card_total("gc.busy_cycles");
			copy_to_texture(width, height);
		}
		print_point(figure, width * height,
			    (card_total("gc.busy_cycles") - before) / REPEAT);
		if (card_total("gc.rs.resolves") - resolved < REPEAT)
			die("the resolve engine did not copy");
		glDeleteTextures(1, &texture);
	}
}

static void texture_sizes(const char *figure)
{
	make_context(0);
	use_program("gl_FragData[0] = texture2D(image, place);");
	glViewport(0, 0, 320, 216);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	for (int size = 2; size <= 1024; size *= 2) {
		unsigned long long before = 0;

		texture(size);
		for (unsigned int i = 0; i < REPEAT + 1; i++) {
			if (i == 1)
				before = card_total("gc.busy_cycles");
			draw_rectangle(1, 1);
			glFinish();
		}
		print_point(figure, size, (card_total("gc.busy_cycles") - before) / REPEAT);
	}
}

int measure_curve(const char *figure)
{
	static const struct {
		const char *name;
		void (*measure)(const char *figure);
	} curves[] = {
		{ "swap", swap_curve },
		{ "swap-times", swap_times },
		{ "texture-load", texture_loads },
		{ "texture-copy", texture_copies },
		{ "texture-size", texture_sizes },
	};

	for (unsigned int i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		if (strcmp(figure, curves[i].name) == 0) {
			curves[i].measure(figure);
			return 1;
		}
	}
	return 0;
}
