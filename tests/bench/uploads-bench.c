// SPDX-License-Identifier: MIT
/*
 * uploads-bench: how long frames take in which a thousand parts of a texture atlas are replaced
 * (OpenGL ES 2.0), as programs do that draw text. No part consists of whole tiles.
 *
 *	uploads-bench [FRAMES [rgba|alpha]]
 *
 * The atlas has four bytes a pixel (rgba, the default) or one (alpha). It is sampled by a draw before each
 * frame's uploads and after them. Prints a line "uploads-bench MICROSECONDS", the median of the frames'
 * times, each until glFinish() returned.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include "../gl_program.h"

#define ATLAS 1024
#define PARTS 1000
/* Of a part: no multiples of a tile's 4 pixels */
#define WIDTH 31
#define HEIGHT 33
#define COLUMNS (ATLAS / WIDTH)
/* Side of the render target */
#define TARGET 256
#define FRAMES 10
#define MAX_FRAMES 1000

static GLenum format;
static uint8_t pixels[WIDTH * HEIGHT * 4];

static void die(const char *what)
{
	fprintf(stderr, "uploads-bench: %s\n", what);
	exit(2);
}

static void use_program(void)
{
	gl_use_program("attribute vec2 position;\n"
		       "varying vec2 place;\n"
		       "void main() {\n"
		       "	gl_Position = vec4(position, 0.0, 1.0);\n"
		       "	place = position * 0.5 + 0.5;\n"
		       "}\n",
		       "precision mediump float;\n"
		       "uniform sampler2D atlas;\n"
		       "varying vec2 place;\n"
		       "void main() { gl_FragColor = texture2D(atlas, place); }\n",
		       "position", NULL);
}

static GLuint make_texture(int size, GLenum texture_format)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, texture_format, size, size, 0, texture_format,
		     GL_UNSIGNED_BYTE, NULL);
	return texture;
}

static void make_scene(void)
{
	static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
	GLuint framebuffer, buffer;

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
			       make_texture(TARGET, GL_RGBA), 0);
	glViewport(0, 0, TARGET, TARGET);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	use_program();
	make_texture(ATLAS, format);
}

static void draw_frame(void)
{
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	for (int i = 0; i < PARTS; i++)
		glTexSubImage2D(GL_TEXTURE_2D, 0, i % COLUMNS * WIDTH,
				i / COLUMNS * HEIGHT % (ATLAS - HEIGHT), WIDTH, HEIGHT, format,
				GL_UNSIGNED_BYTE, pixels);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glFinish();
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
	int frames = argc > 1 ? atoi(argv[1]) : FRAMES;
	const char *name = argc > 2 ? argv[2] : "rgba";
	static double times[MAX_FRAMES];

	format = strcmp(name, "alpha") == 0 ? GL_ALPHA : GL_RGBA;
	if (frames < 1 || frames > MAX_FRAMES || (format == GL_RGBA && strcmp(name, "rgba")))
		die("usage: uploads-bench [FRAMES [rgba|alpha]], 1 to 1000 frames");
	memset(pixels, 0x55, sizeof(pixels));
	gl_surfaceless_context();
	make_scene();
	draw_frame();
	for (int i = 0; i < frames; i++) {
		double begin = now();

		draw_frame();
		times[i] = now() - begin;
	}
	qsort(times, frames, sizeof(times[0]), by_value);
	printf("uploads-bench %.1f\n", times[frames / 2]);
	return 0;
}
