// SPDX-License-Identifier: MIT
/* microbench: cases of fragments, their instructions, and of what happens to them after. */

#include <GL/gl.h>
#include <GL/glext.h>

#include "microbench.h"

/* Instructions of the shader of overdraw, enough for shading to be what costs. */
#define OVERDRAW_INSTRUCTIONS 16
/* Instructions of each shader that differs in temporaries only. */
#define TEMPORARIES_INSTRUCTIONS 128
#define LOOKUPS 16

/* A chain in which each instruction needs the result of the one before. */
static void use_chain(unsigned int instructions)
{
	struct text body = { .length = 0 };

	for (unsigned int i = 0; i < instructions; i++)
		append(&body, "c = c * place + vec4(0.%02u);\n", i % 89 + 11);
	use_fragments("", body.bytes);
}

static void prepare_area(unsigned int series, unsigned int side)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_chain(0);
	use_square(side, SIDE, 0);
}

/* The same pixels, in a target of more and more columns. */
static void prepare_width(unsigned int series, unsigned int width)
{
	(void)series;
	make_target((int)width, SIDE * SIDE / (int)width);
	use_chain(0);
	use_square(SIDE, SIDE, 0);
}

static void prepare_instructions(unsigned int series, unsigned int instructions)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_chain(instructions);
	use_square(SIDE, SIDE, 0);
}

/*
 * @live values that all depend on each other, so that none is dead before the end. The
 * number of instructions is the same for each. The second series has a lookup in
 * every eighth instruction.
 */
static void prepare_temporaries(unsigned int series, unsigned int live)
{
	struct text body = { .length = 0 };
	unsigned int rounds = TEMPORARIES_INSTRUCTIONS - 2 * live;

	for (unsigned int i = 0; i < live; i++)
		append(&body, "vec4 t%u = place * 0.%02u + vec4(0.5);\n", i, i + 11);
	for (unsigned int i = 0; i < rounds; i++) {
		if (series && i < LOOKUPS)
			append(&body, "t%u += texture2D(image, t%u.xy);\n", i % live,
			       (i + 1) % live);
		else
			append(&body, "t%u = t%u * t%u + vec4(0.%02u);\n", i % live, i % live,
			       (i + 1) % live, i % 89 + 11);
	}
	append(&body, "c = t0;\n");
	for (unsigned int i = 1; i < live; i++)
		append(&body, "c += t%u;\n", i);
	make_target(SIDE, SIDE);
	make_pattern(16);
	use_fragments("uniform sampler2D image;", body.bytes);
	use_square(SIDE, SIDE, 0);
}

static void prepare_overdraw(unsigned int series, unsigned int layers)
{
	(void)series;
	(void)layers;
	make_target(SIDE, SIDE);
	add_depth(GL_DEPTH_COMPONENT16, SIDE, SIDE);
	use_chain(OVERDRAW_INSTRUCTIONS);
	glEnable(GL_DEPTH_TEST);
	use_square(SIDE, SIDE, 0);
}

/* Series 0 goes away from the eye, series 1 towards it. */
static void draw_overdraw(unsigned int series, unsigned int layers)
{
	glClear(GL_DEPTH_BUFFER_BIT);
	for (unsigned int i = 0; i < layers; i++) {
		double near = (double)(series ? layers - i : i) / (layers + 1.0);

		glDepthRange(near, near);
		draw_prepared_square();
	}
}

static void make_storage(GLenum format, GLenum depth, int samples)
{
	GLuint framebuffer, buffers[2];

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glGenRenderbuffers(2, buffers);
	glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
				  buffers[0]);
	if (depth) {
		glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
		glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, depth, SIDE, SIDE);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
					  buffers[1]);
	}
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("framebuffer not complete");
	glViewport(0, 0, SIDE, SIDE);
}

static void prepare_samples(unsigned int series, unsigned int samples)
{
	make_storage(GL_RGBA8, 0, samples == 1 ? 0 : (int)samples);
	use_chain(series ? 64 : 0);
	use_square(SIDE, SIDE, 0);
}

/* The parameter is bits per pixel of colour and depth. */
static void prepare_target(unsigned int series, unsigned int bits)
{
	GLenum color = bits == 16 ? GL_RGB565 : GL_RGBA8;

	make_storage(color,
		     bits == 48   ? GL_DEPTH_COMPONENT16
		     : bits == 64 ? GL_DEPTH_COMPONENT24
				  : 0,
		     0);
	use_chain(0);
	use_square(SIDE, SIDE, 0);
	if (bits > 32)
		glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_ALWAYS);
	if (series) {
		glEnable(GL_BLEND);
		glBlendFunc(GL_ONE, GL_ONE);
	}
}

static void prepare_blending(unsigned int series, unsigned int layers)
{
	(void)layers;
	prepare_target(series, 32);
}

static void draw_layers(unsigned int series, unsigned int layers)
{
	(void)series;
	for (unsigned int i = 0; i < layers; i++)
		draw_prepared_square();
}

static void draw_one(unsigned int series, unsigned int value)
{
	(void)series;
	(void)value;
	draw_prepared_square();
}

/* Series 1 leaves a border of 4 pixels, so that it is not the whole target. */
static void prepare_clear(unsigned int series, unsigned int side)
{
	make_target((int)side, (int)side);
	if (series) {
		glEnable(GL_SCISSOR_TEST);
		glScissor(4, 4, (int)side - 8, (int)side - 8);
	}
}

/* Another colour each time, or the driver might leave it out. */
static void clear(unsigned int series, unsigned int side)
{
	static unsigned int n;

	(void)series;
	(void)side;
	glClearColor((float)(n++ % 7) / 7.0f, 0.5f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
}

const struct bench_case pixel_cases[] = {
	{ "area", { "plain" }, { 4, 8, 16, 32, 64, 128, 256 }, prepare_area, draw_one },
	{ "width", { "65536 pixels" }, { 64, 128, 256, 512, 1024 }, prepare_width, draw_one },
	{ "instructions",
	  { "chain" },
	  { 1, 2, 4, 8, 16, 32, 64, 128 },
	  prepare_instructions,
	  draw_one },
	{ "temporaries",
	  { "arithmetic", "lookups" },
	  { 2, 4, 8, 16, 24, 32, 48, 56 },
	  prepare_temporaries,
	  draw_one },
	{ "overdraw",
	  { "front to back", "back to front" },
	  { 1, 2, 4, 8, 16 },
	  prepare_overdraw,
	  draw_overdraw },
	{ "samples", { "1 instruction", "64 instructions" }, { 1, 4 }, prepare_samples, draw_one },
	{ "target", { "overwritten", "blended" }, { 16, 32, 48, 64 }, prepare_target, draw_one },
	{ "blending", { "off", "on" }, { 1, 2, 4, 8 }, prepare_blending, draw_layers },
	{ "clear",
	  { "whole target", "part of it" },
	  { 64, 128, 256, 512, 1024 },
	  prepare_clear,
	  clear },
	{ NULL, { NULL }, { END }, NULL, NULL },
};
