// SPDX-License-Identifier: MIT
/*
 * draw-bench: how fast a driver draws simple things off screen (OpenGL ES 2.0).
 *
 *	draw-bench [SECONDS]
 *
 * Prints a line a case, "name rate unit", from the wall time of draws and the glFinish() behind
 * them. Run it on two drivers in one session and compare the rates.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include "../gl_program.h"

#define WIDTH 1024
#define HEIGHT 1024
#define GRID 256 /* squares a side of the vertex case */
#define DRAWS_A_WAIT 16

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void use_program(const char *fragment)
{
	static const char vertex[] =
		"attribute vec2 position;\n"
		"varying vec2 v;\n"
		"void main() { gl_Position = vec4(position, 0.0, 1.0); v = position; }\n";

	gl_use_program(vertex, fragment, "position", NULL);
}

/* The texture stays bound: the programs sample the one that was made last. */
static GLuint make_texture(int size, const void *pixels)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	return texture;
}

static void make_target(void)
{
	GLuint framebuffer;

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
			       make_texture(WIDTH, NULL), 0);
	glViewport(0, 0, WIDTH, HEIGHT);
}

static void use_quad(void)
{
	static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
}

static void draw_quad(void)
{
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* A fine grid of triangles of 8 pixels each, as attribute 0, which use_quad() has enabled. */
static void use_grid(void)
{
	static float vertices[(GRID + 1) * (GRID + 1)][2];
	static GLushort indices[GRID * GRID * 6];
	GLuint buffers[2];
	GLushort *index = indices;

	for (int y = 0; y <= GRID; y++)
		for (int x = 0; x <= GRID; x++) {
			vertices[y * (GRID + 1) + x][0] = 2.0f * x / GRID - 1;
			vertices[y * (GRID + 1) + x][1] = 2.0f * y / GRID - 1;
		}
	for (int y = 0; y < GRID - 2; y++) /* rows whose vertices 16-bit indices reach */
		for (int x = 0; x < GRID; x++) {
			GLushort a = y * (GRID + 1) + x, c = a + GRID + 1;

			*index++ = a, *index++ = a + 1, *index++ = c;
			*index++ = a + 1, *index++ = c + 1, *index++ = c;
		}
	glGenBuffers(2, buffers);
	glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
}

static void draw_grid(void)
{
	glDrawElements(GL_TRIANGLES, GRID * (GRID - 2) * 6, GL_UNSIGNED_SHORT, NULL);
}

/*
 * Draw for @seconds and print the rate in millions of units per second; @units: of one draw.
 * Several draws between two waits, so that drawing dominates and not the latency of the card.
 */
static void measure(const char *name, void (*draw)(void), double units, const char *unit,
		    double seconds)
{
	double begin, used;
	int draws = 0;

	draw();
	glFinish();
	begin = now();
	do {
		for (int i = 0; i < DRAWS_A_WAIT; i++)
			draw();
		glFinish();
		draws += DRAWS_A_WAIT;
		used = now() - begin;
	} while (used < seconds);
	printf("%s %.3f %s\n", name, draws * units / used / 1e6, unit);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 2.0, pixels = (double)WIDTH * HEIGHT;
	static uint8_t image[256 * 256 * 4];

	for (size_t i = 0; i < sizeof(image); i++)
		image[i] = i * 7;
	gl_surfaceless_context();
	make_target();
	make_texture(256, image);

	use_quad();
	use_program("precision mediump float; varying vec2 v;\n"
		    "void main() { gl_FragColor = vec4(v, 0.5, 1.0); }\n");
	measure("fill", draw_quad, pixels, "Mpixel/s", seconds);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	measure("fill_blended", draw_quad, pixels, "Mpixel/s", seconds);
	glDisable(GL_BLEND);
	use_program("precision mediump float; varying vec2 v; uniform sampler2D image;\n"
		    "void main() { gl_FragColor = texture2D(image, v * 2.0); }\n");
	measure("fill_textured", draw_quad, pixels, "Mpixel/s", seconds);
	use_program("precision mediump float; varying vec2 v;\n"
		    "void main() { gl_FragColor = vec4(v, 0.5, 1.0); }\n");
	use_grid();
	/* Each vertex that is drawn counts once, though up to six triangles share it. */
	measure("vertices", draw_grid, (GRID + 1.0) * (GRID - 1.0), "Mvertex/s", seconds);
	return 0;
}
