// SPDX-License-Identifier: MIT
/* microbench: cases of texture lookups and of loading textures. */

#include <GL/gl.h>
#include <GL/glext.h>

#include "microbench.h"

#include <stdlib.h>

#ifndef GL_TEXTURE_MAX_ANISOTROPY_EXT
#define GL_TEXTURE_MAX_ANISOTROPY_EXT 0x84FE
#endif

#define IMAGE "uniform sampler2D image;"
/* Lookups of each fragment where filters are compared, so that lookups are what costs. */
#define LOOKUPS 4
/* Side of the squares of "warmth" and of their textures; the largest value of that case */
#define PATCH 32
#define MAX_PATCHES 16

static GLuint patches[MAX_PATCHES];
static void *upload;

static void draw_one(unsigned int series, unsigned int value)
{
	(void)series;
	(void)value;
	draw_prepared_square();
}

/*
 * Series 0: each lookup depends on the previous one; series 1: none does; series 2: as 0 with few
 * pixels.
 */
static void prepare_fetches(unsigned int series, unsigned int count)
{
	struct text body = { .length = 0 };

	append(&body, "vec2 at = place.xy;\nc = vec4(0.0);\n");
	for (unsigned int i = 0; i < count; i++)
		if (series == 1)
			append(&body, "c += texture2D(image, at + vec2(0.%02u));\n", i + 11);
		else
			append(&body, "at = texture2D(image, at).xy;\nc += at.xyxy;\n");
	make_target(SIDE, SIDE);
	make_pattern(16);
	use_fragments(IMAGE, body.bytes);
	use_square(series == 2 ? 8 : SIDE, SIDE, 0);
}

/* Neighbouring fragments read places far from each other, all over the texture. */
static void prepare_size(unsigned int series, unsigned int size)
{
	(void)series;
	make_target(SIDE, SIDE);
	make_pattern(size);
	use_fragments(IMAGE, "c = texture2D(image, place.xy * vec2(47.3, 79.7));\n");
	use_square(SIDE, SIDE, 0);
}

/*
 * The parameter is the number of texels that the filter weights. 11.2 texture widths in half of the
 * target are 1.4 texels in a pixel, a level of detail of 0.5: a filter of two levels weights both.
 */
static void prepare_filter(unsigned int series, unsigned int texels)
{
	struct text body = { .length = 0 };
	const GLint filters[] = { GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR };

	(void)series;
	append(&body, "c = vec4(0.0);\n");
	for (unsigned int i = 0; i < LOOKUPS; i++)
		append(&body, "c += texture2D(image, place.xy * 11.2 + vec2(0.%u));\n", i + 1);
	make_target(SIDE, SIDE);
	make_pattern(16);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
			filters[texels == 1   ? 0
				: texels == 4 ? 1
					      : 2]);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texels == 1 ? GL_NEAREST : GL_LINEAR);
	use_fragments(IMAGE, body.bytes);
	use_square(SIDE, SIDE, 0);
}

/* A fragment covers 16 texels in one direction and one in the other. */
static void prepare_anisotropy(unsigned int series, unsigned int most)
{
	(void)series;
	if (!has_extension("GL_EXT_texture_filter_anisotropic"))
		give_up("no anisotropic filters");
	prepare_filter(0, 8);
	glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, (float)most);
	use_fragments(IMAGE, "c = texture2D(image, place.xy * vec2(128.0, 8.0));\n");
}

/* Small squares, each with a texture. Series 0: the same for all; series 1: one each. */
static void prepare_warmth(unsigned int series, unsigned int count)
{
	(void)series;
	make_target(SIDE, SIDE);
	for (unsigned int i = 0; i < count; i++)
		patches[i] = make_pattern(PATCH);
	use_fragments(IMAGE, "c = texture2D(image, place.xy * 4.0);\n");
	use_square(PATCH, SIDE, 0);
}

static void draw_patches(unsigned int series, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		glBindTexture(GL_TEXTURE_2D, patches[series ? i : 0]);
		draw_prepared_square();
	}
}

static void prepare_upload(unsigned int series, unsigned int size)
{
	(void)series;
	make_target(SIDE, SIDE);
	make_pattern(size);
	glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_FALSE);
	free(upload);
	upload = calloc(size * size, 4);
	use_fragments(IMAGE, "c = texture2D(image, place.xy);\n");
	use_square(8, SIDE, 0);
}

/*
 * Load textures (series 1 only) and use them, so that work that the driver defers until the first
 * use is measured, too.
 */
static void load(unsigned int series, unsigned int size)
{
	if (series)
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (int)size, (int)size, GL_RGBA,
				GL_UNSIGNED_BYTE, upload);
	draw_prepared_square();
}

const struct bench_case texture_cases[] = {
	{ .name = "fetches",
	  .series = { "dependent", "independent", "dependent on 64 pixels" },
	  .values = { 1, 2, 4, 8, 16, 32 },
	  .prepare = prepare_fetches,
	  .work = draw_one },
	{ .name = "texture-size",
	  .series = { "scattered" },
	  .values = { 4, 8, 16, 32, 64, 128, 256, 512 },
	  .prepare = prepare_size,
	  .work = draw_one },
	{ .name = "filter",
	  .series = { "four lookups" },
	  .values = { 1, 4, 8 },
	  .prepare = prepare_filter,
	  .work = draw_one },
	{ .name = "anisotropy",
	  .series = { "16:1" },
	  .values = { 1, 2, 4, 8, 16 },
	  .prepare = prepare_anisotropy,
	  .work = draw_one },
	{ .name = "warmth",
	  .series = { "same texture", "other textures" },
	  .values = { 1, 2, 4, 8, 16 },
	  .prepare = prepare_warmth,
	  .work = draw_patches },
	{ .name = "upload",
	  .series = { "drawn", "loaded and drawn" },
	  .values = { 32, 64, 128, 256, 512, 1024 },
	  .prepare = prepare_upload,
	  .work = load },
	{ .name = NULL },
};
