// SPDX-License-Identifier: MIT
/* microbench: cases of fragments, their instructions, and of what happens to them after. */

#include <GL/gl.h>
#include <GL/glext.h>

#include "microbench.h"

/* Instructions of the shader of overdraw, enough for shading to be what costs. */
#define OVERDRAW_INSTRUCTIONS 16
/*
 * Instructions of every shader of "temporaries", at least twice the largest value of that case, and
 * the texture lookups that series 1 adds.
 */
#define TEMPORARIES_INSTRUCTIONS 112
#define LOOKUPS 128
#define MAX_TARGETS 4

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

/* Always SIDE * SIDE pixels: all of a target of this width, or a corner of a square one. */
static void prepare_width(unsigned int series, unsigned int width)
{
	unsigned int height = series ? width : SIDE * SIDE / width;
	const float right = series ? 2.0f * SIDE / (float)width - 1.0f : 1.0f;
	const float corners[] = { -1, -1, 0, right, -1, 0, -1, right, 0, right, right, 0 };

	make_target((int)width, (int)height);
	use_chain(0);
	use_vertices(corners, 4);
}

static void prepare_instructions(unsigned int series, unsigned int instructions)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_chain(instructions);
	use_square(SIDE, SIDE, 0);
}

/*
 * A chain of @live values, each from the one before, that are read in the same order after the
 * last is there and more was computed from it: no order of the instructions needs fewer
 * temporaries. All programs of a series have as many instructions. Those of the second one look up
 * texels, each at the one before, while all values live.
 */
static void prepare_temporaries(unsigned int series, unsigned int live)
{
	struct text body = { .length = 0 };

	for (unsigned int i = 0; i < live; i++) {
		append(&body, "vec4 t%u = c * place + vec4(0.%02u);\n", i, i + 11);
		append(&body, "c = t%u;\n", i);
	}
	for (unsigned int i = 0; i < TEMPORARIES_INSTRUCTIONS - 2 * live; i++)
		append(&body, "c = c * place + vec4(0.%02u);\n", i % 89 + 11);
	for (unsigned int i = 0; series && i < LOOKUPS; i++)
		append(&body, "c = texture2D(image, c.xy);\n");
	for (unsigned int i = 0; i < live; i++)
		append(&body, "c = c * c + t%u;\n", i);
	make_target(SIDE, SIDE);
	make_pattern(16);
	use_fragments("uniform sampler2D image;", body.bytes);
	use_square(SIDE / 2, SIDE, 0);
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

static bool offers_samples(unsigned int samples)
{
	GLint most = 0;

	glGetIntegerv(GL_MAX_SAMPLES, &most);
	return samples == 1 || samples <= (unsigned int)most;
}

static void prepare_samples(unsigned int series, unsigned int samples)
{
	make_storage(GL_RGBA8, 0, samples == 1 ? 0 : (int)samples);
	use_chain(series ? 64 : 0);
	use_square(SIDE, SIDE, 0);
}

static bool offers_targets(unsigned int targets)
{
	GLint most = 0;

	glGetIntegerv(GL_MAX_DRAW_BUFFERS, &most);
	return targets <= (unsigned int)most;
}

/* Colours of this many textures at once; the shader of series 1 is long. */
static void prepare_targets(unsigned int series, unsigned int targets)
{
	struct text body = { .length = 0 };
	GLenum buffers[MAX_TARGETS];
	GLuint textures[MAX_TARGETS];

	make_target(SIDE, SIDE);
	glGenTextures((int)targets, textures);
	for (unsigned int i = 0; i < targets; i++) {
		buffers[i] = GL_COLOR_ATTACHMENT0 + i;
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     NULL);
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, textures[i], 0);
	}
	glDrawBuffers((int)targets, buffers);
	for (unsigned int i = 0; series && i < 64; i++)
		append(&body, "c = c * place + vec4(0.%02u);\n", i + 11);
	for (unsigned int i = 1; i < targets; i++)
		append(&body, "gl_FragData[%u] = c;\n", i);
	use_fragments("", body.bytes);
	use_square(SIDE, SIDE, 0);
}

/* One target; the parameter is bits per pixel of colour and depth, of which 24 are stored in 32. */
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
	{ .name = "area",
	  .series = { "plain" },
	  .values = { 4, 8, 16, 32, 64, 128, 256 },
	  .prepare = prepare_area,
	  .work = draw_one },
	{ .name = "width",
	  .series = { "whole target", "corner of a square" },
	  .values = { 256, 512, 1024, 2048 },
	  .prepare = prepare_width,
	  .work = draw_one },
	{ .name = "instructions",
	  .series = { "chain" },
	  .values = { 1, 2, 4, 8, 16, 32, 64, 128 },
	  .prepare = prepare_instructions,
	  .work = draw_one },
	{ .name = "temporaries",
	  .series = { "arithmetic", "lookups" },
	  .values = { 2, 4, 8, 16, 24, 32, 48, 56 },
	  .prepare = prepare_temporaries,
	  .work = draw_one },
	{ .name = "overdraw",
	  .series = { "front to back", "back to front" },
	  .values = { 1, 2, 4, 8, 16 },
	  .prepare = prepare_overdraw,
	  .work = draw_overdraw },
	{ .name = "samples",
	  .series = { "1 instruction", "64 instructions" },
	  .values = { 1, 4 },
	  .offers = offers_samples,
	  .prepare = prepare_samples,
	  .work = draw_one },
	{ .name = "targets",
	  .series = { "1 instruction", "64 instructions" },
	  .values = { 1, 2, 3, 4 },
	  .offers = offers_targets,
	  .prepare = prepare_targets,
	  .work = draw_one },
	{ .name = "target",
	  .series = { "overwritten", "blended" },
	  .values = { 16, 32, 48, 64 },
	  .prepare = prepare_target,
	  .work = draw_one },
	{ .name = "blending",
	  .series = { "off", "on" },
	  .values = { 1, 2, 4, 8 },
	  .prepare = prepare_blending,
	  .work = draw_layers },
	{ .name = "clear",
	  .series = { "whole target", "part of it" },
	  .values = { 64, 128, 256, 512, 1024 },
	  .prepare = prepare_clear,
	  .work = clear },
	{ .name = NULL },
};
