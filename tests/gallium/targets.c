// SPDX-License-Identifier: MIT
/*
 * targets: tests of several render targets, with tile status and with different orders of channels
 * in memory: framebuffers that share textures, in which all or some targets and channels are cleared,
 * drawn, blended, sampled and read in a random order. The model is an array.
 */
#include "harness.h"

#include <math.h>
#include <string.h>

#define TARGETS 4
/*
 * Index of the target of half floats, whose surface is not supertiled, and so has no tile status;
 * all below it, FLOATS targets, have one
 */
#define FLOATS 3
/* Pixels: not a multiple of a supertile's 64, so that there is padding */
#define WIDTH 100
#define HEIGHT 72
/* Channels of all pixels of a target */
#define VALUES (WIDTH * HEIGHT * 4)
#define TURNS 300
#define ALL_CHANNELS 15
/* Number of turns after which all targets are compared; between, single ones are, at random */
#define TURNS_TO_COMPARE 10
/* The largest difference: a step of a unorm channel, to which half floats are rounded twice */
#define TOLERANCE (1.1f / 255)

/** Textures of a framebuffer, in the order of its attachments */
struct framebuffer {
	GLuint name;
	int count;
	int textures[TARGETS];
};

/** The pixels of an operation */
struct box {
	int x, y, width, height;
};

/** What happens to the old value of a channel */
enum blend {
	REPLACE,
	ADD,
	/** It stays where the blend constant is 0, and is replaced where that is 1 */
	CHOOSE,
};

static const struct box all = { 0, 0, WIDTH, HEIGHT };

static float model[TARGETS][HEIGHT][WIDTH][4];
static GLuint textures[TARGETS];
static struct framebuffer framebuffers[] = {
	{ .count = 4, .textures = { 0, 1, 2, 3 } }, { .count = 4, .textures = { 3, 2, 1, 0 } },
	{ .count = 2, .textures = { 2, 1 } },       { .count = 1, .textures = { 1 } },
	{ .count = 1, .textures = { 3 } },
};
static GLuint copy, draw_program, copy_program;
static GLint colors_uniform;
/* Channels that are written, and those in which the blend constant is 1, as bits */
static unsigned mask, constant;
static PFNGLDRAWBUFFERSEXTPROC drawBuffersEXT;

static GLuint make_texture(bool floats)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, WIDTH, HEIGHT, 0, GL_RGBA,
		     floats ? GL_HALF_FLOAT_OES : GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	return texture;
}

static void make_framebuffer(struct framebuffer *framebuffer)
{
	glGenFramebuffers(1, &framebuffer->name);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer->name);
	for (int i = 0; i < framebuffer->count; i++)
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D,
				       textures[framebuffer->textures[i]], 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("a framebuffer is not complete");
}

static void make_programs(void)
{
	copy_program = use_copy_program("precision highp float;\n"
					"uniform sampler2D image;\n"
					"varying vec2 at;\n"
					"void main()\n"
					"{\n"
					"	gl_FragColor = texture2D(image, at);\n"
					"}\n");
	draw_program = use_program("attribute vec4 position;\n"
				   "void main()\n"
				   "{\n"
				   "	gl_Position = vec4(position.xy, 0.0, 1.0);\n"
				   "}\n",
				   "#extension GL_EXT_draw_buffers : require\n"
				   "precision highp float;\n"
				   "uniform vec4 colors[4];\n"
				   "void main()\n"
				   "{\n"
				   "	gl_FragData[0] = colors[0];\n"
				   "	gl_FragData[1] = colors[1];\n"
				   "	gl_FragData[2] = colors[2];\n"
				   "	gl_FragData[3] = colors[3];\n"
				   "}\n");
	colors_uniform = glGetUniformLocation(draw_program, "colors");
}

static struct box random_box(void)
{
	struct box box = { .x = (int)random_below(WIDTH), .y = (int)random_below(HEIGHT) };

	box.width = 1 + (int)random_below(WIDTH - box.x);
	box.height = 1 + (int)random_below(HEIGHT - box.y);
	return box;
}

static void random_color(float color[4])
{
	for (int i = 0; i < 4; i++)
		color[i] = random_below(256) / 255.0f;
}

/* Select the attachments that clears and draws write to, given as bits. */
static void select_targets(const struct framebuffer *framebuffer, unsigned set)
{
	GLenum buffers[TARGETS];

	for (int i = 0; i < framebuffer->count; i++)
		buffers[i] = set >> i & 1 ? GL_COLOR_ATTACHMENT0 + i : GL_NONE;
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer->name);
	drawBuffersEXT(framebuffer->count, buffers);
}

static unsigned everything(const struct framebuffer *framebuffer)
{
	return (1u << framebuffer->count) - 1;
}

/* Select all attachments of a framebuffer, or some, at least one, and return them as bits. */
static unsigned select_some(const struct framebuffer *framebuffer)
{
	unsigned set = everything(framebuffer);

	if (random_below(2))
		set = 1 + random_below(set);
	select_targets(framebuffer, set);
	return set;
}

static float blended(enum blend blend, float old, float color, int channel)
{
	if (blend == ADD)
		return old + color;
	return blend == REPLACE || constant >> channel & 1 ? color : old;
}

/* Write a color to the channels of a target; all but half floats are limited to 1. */
static void model_write(int target, const struct box *box, const float color[4], enum blend blend)
{
	for (int y = box->y; y < box->y + box->height; y++) {
		for (int x = box->x; x < box->x + box->width; x++) {
			for (int i = 0; i < 4; i++) {
				float *value = &model[target][y][x][i];

				if (!(mask >> i & 1))
					continue;
				*value = blended(blend, *value, color[i], i);
				if (target != FLOATS)
					*value = fminf(*value, 1);
			}
		}
	}
}

/* Clear the attachments of @set, which are selected; @box: the scissor, or all. */
static void clear(const struct framebuffer *framebuffer, unsigned set, const struct box *box)
{
	float color[4];

	random_color(color);
	glClearColor(color[0], color[1], color[2], color[3]);
	glClear(GL_COLOR_BUFFER_BIT);
	for (int i = 0; i < framebuffer->count; i++) {
		if (set >> i & 1)
			model_write(framebuffer->textures[i], box, color, REPLACE);
	}
}

static void clear_box(const struct framebuffer *framebuffer)
{
	struct box box = random_box();

	glEnable(GL_SCISSOR_TEST);
	glScissor(box.x, box.y, box.width, box.height);
	clear(framebuffer, select_some(framebuffer), &box);
	glDisable(GL_SCISSOR_TEST);
}

/* Draw a box with another color for each target. */
static void draw_box(const struct framebuffer *framebuffer, enum blend blend)
{
	struct box box = random_box();
	unsigned set = select_some(framebuffer);
	float colors[TARGETS][4];

	for (int i = 0; i < TARGETS; i++)
		random_color(colors[i]);
	glUseProgram(draw_program);
	glUniform4fv(colors_uniform, TARGETS, colors[0]);
	glEnable(GL_SCISSOR_TEST);
	glScissor(box.x, box.y, box.width, box.height);
	draw_square(0, 1);
	glDisable(GL_SCISSOR_TEST);
	for (int i = 0; i < framebuffer->count; i++) {
		if (set >> i & 1)
			model_write(framebuffer->textures[i], &box, colors[i], blend);
	}
}

static void blend_box(const struct framebuffer *framebuffer, enum blend blend)
{
	constant = random_below(16);
	glBlendColor(constant & 1, constant >> 1 & 1, constant >> 2 & 1, constant >> 3 & 1);
	if (blend == ADD)
		glBlendFunc(GL_ONE, GL_ONE);
	else
		glBlendFunc(GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR);
	glEnable(GL_BLEND);
	draw_box(framebuffer, blend);
	glDisable(GL_BLEND);
}

static void set_mask(unsigned channels)
{
	mask = channels;
	glColorMask(mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3 & 1);
}

/* True if the bound framebuffer has the model's pixels of a target, limited to 1. */
static bool as_expected(int target)
{
	static uint8_t bytes[VALUES];
	const float *values = &model[target][0][0][0];
	int wrong = 0;

	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
	for (int i = 0; i < VALUES; i++)
		wrong += fabsf(bytes[i] / 255.0f - fminf(values[i], 1)) > TOLERANCE;
	return !wrong;
}

/* Sample a target, through its tile status, and compare the copy. */
static bool sampled_as_expected(int target)
{
	glBindFramebuffer(GL_FRAMEBUFFER, copy);
	glUseProgram(copy_program);
	glBindTexture(GL_TEXTURE_2D, textures[target]);
	draw_square(0, 1);
	return as_expected(target);
}

/* Read a target and compare it. OpenGL ES 2.0 reads no half floats, so that these are sampled. */
static bool read_as_expected(int target)
{
	static GLuint reader;

	if (target == FLOATS)
		return sampled_as_expected(target);
	if (!reader)
		glGenFramebuffers(1, &reader);
	glBindFramebuffer(GL_FRAMEBUFFER, reader);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
			       textures[target], 0);
	return as_expected(target);
}

static void operate(const struct framebuffer *framebuffer)
{
	set_mask(random_below(2) ? ALL_CHANNELS : random_below(ALL_CHANNELS));
	switch (random_below(5)) {
	case 0:
		clear(framebuffer, select_some(framebuffer), &all);
		break;
	case 1:
		clear_box(framebuffer);
		break;
	case 2:
		draw_box(framebuffer, REPLACE);
		break;
	case 3:
		blend_box(framebuffer, ADD);
		break;
	default:
		blend_box(framebuffer, CHOOSE);
	}
	set_mask(ALL_CHANNELS);
}

static void random_order(void)
{
	int sampled = 0, read = 0;

	for (int i = 1; i <= TURNS; i++) {
		operate(&framebuffers[random_below(COUNT(framebuffers))]);
		if (random_below(3) == 0)
			sampled += !sampled_as_expected((int)random_below(TARGETS));
		if (random_below(5) == 0)
			read += !read_as_expected((int)random_below(TARGETS));
		for (int j = 0; i % TURNS_TO_COMPARE == 0 && j < TARGETS; j++)
			read += !read_as_expected(j);
	}
	check("ta.sampled", !sampled, "%d operations: %d times wrong when sampled", TURNS, sampled);
	check("ta.read", !read, "%d operations: %d times wrong when read", TURNS, read);
}

/*
 * A draw whose second half is behind the first one, with a channel mask: in no target may it be
 * seen, nor when it is drawn again, since depth has to be that of the first half afterwards.
 */
static void keeps_depth(void)
{
	static const float vertices[][4] = {
		{ -1, -1, -0.5f, 1 }, { 3, -1, -0.5f, 1 }, { -1, 3, -0.5f, 1 },
		{ -1, -1, 0.5f, 0 },  { 3, -1, 0.5f, 0 },  { -1, 3, 0.5f, 0 },
	};
	const struct framebuffer *framebuffer = &framebuffers[0];
	float color[4] = { 1, 0, 0, 0 };
	int wrong = 0;

	select_targets(framebuffer, everything(framebuffer));
	add_depth(GL_DEPTH_COMPONENT16, WIDTH, HEIGHT);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	set_mask(1);
	glEnable(GL_DEPTH_TEST);
	use_program("attribute vec4 position;\n"
		    "varying float shade;\n"
		    "void main()\n"
		    "{\n"
		    "	gl_Position = vec4(position.xyz, 1.0);\n"
		    "	shade = position.w;\n"
		    "}\n",
		    "#extension GL_EXT_draw_buffers : require\n"
		    "precision highp float;\n"
		    "varying float shade;\n"
		    "void main()\n"
		    "{\n"
		    "	for (int i = 0; i < 4; i++)\n"
		    "		gl_FragData[i] = vec4(shade);\n"
		    "}\n");
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, vertices);
	glDrawArrays(GL_TRIANGLES, 0, 6);
	glDrawArrays(GL_TRIANGLES, 3, 3);
	glDisable(GL_DEPTH_TEST);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
	set_mask(ALL_CHANNELS);
	for (int i = 0; i < TARGETS; i++) {
		model_write(i, &all, color, REPLACE);
		wrong += !read_as_expected(i);
	}
	check("ta.depth", !wrong, "%d of %d targets are wrong", wrong, TARGETS);
}

/*
 * A clear of the targets with tile status writes the tags of their tiles only, less than a byte for
 * each pixel of 4 bytes.
 */
static void clear_writes_tags(void)
{
	uint64_t before, bytes;

	select_targets(&framebuffers[0], (1u << FLOATS) - 1);
	glFinish();
	before = card_total("gc.rs.write_bytes");
	glClear(GL_COLOR_BUFFER_BIT);
	glFinish();
	bytes = card_total("gc.rs.write_bytes") - before;
	check("ta.tags", bytes > 0 && bytes < FLOATS * WIDTH * HEIGHT,
	      "a clear of %d targets writes %llu bytes", FLOATS, (unsigned long long)bytes);
}

int main(void)
{
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	if (!has_extension("GL_EXT_draw_buffers") ||
	    !has_extension("GL_EXT_color_buffer_half_float"))
		give_up("several targets or half floats are missing");
	drawBuffersEXT = (PFNGLDRAWBUFFERSEXTPROC)get_function("glDrawBuffersEXT");
	copy = make_target(WIDTH, HEIGHT);
	for (int i = 0; i < TARGETS; i++)
		textures[i] = make_texture(i == FLOATS);
	for (unsigned i = 0; i < COUNT(framebuffers); i++)
		make_framebuffer(&framebuffers[i]);
	make_programs();
	glViewport(0, 0, WIDTH, HEIGHT);
	select_targets(&framebuffers[0], everything(&framebuffers[0]));
	set_mask(ALL_CHANNELS);
	clear(&framebuffers[0], everything(&framebuffers[0]), &all);
	random_order();
	keeps_depth();
	clear_writes_tags();
	check_error("ta.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
