// SPDX-License-Identifier: MIT
/*
 * uploads [--jobs]: tests of parts of textures that are replaced between draws which sample the
 * texture, of random sizes and places, in each format of 2 and 4 bytes a pixel and in those of
 * one, in levels, faces and slices, in render targets that were cleared, and by two contexts.
 * Every byte is compared with a copy in the program's memory. With the option, for our kernel
 * driver, that 1,000 such parts take few jobs.
 */
#include "harness.h"
#include "canvas.h"

#include <stdlib.h>
#include <string.h>

#define PART_WIDTH 31
#define PART_HEIGHT 33
#define PARTS 1000
#define ATLAS 512
#define MAX_JOBS 20
#define UPLOADS 60
#define MAX_BYTES (160 * 160 * 4)

/**
 * A texture's image: where it is, and how its pixels are transferred without a change. Sizes are
 * the level's; @bytes a pixel; @face is 0 if it is not of a cube; @cleared: the texture is a render
 * target that is cleared first
 */
struct image {
	const char *tag;
	GLenum target, face;
	GLint internal;
	GLenum format, type;
	unsigned bytes;
	int width, height, depth, level;
	bool cleared;
};

static const struct image images[] = {
	{ "up.rgba", GL_TEXTURE_2D, 0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 150, 131, 1, 0,
	  false },
	{ "up.bgra", GL_TEXTURE_2D, 0, GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, 4, 150, 131, 1, 0,
	  false },
	{ "up.small", GL_TEXTURE_2D, 0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 37, 23, 1, 0,
	  false },
	{ "up.rgb565", GL_TEXTURE_2D, 0, GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, 150, 131, 1,
	  0, false },
	{ "up.rgba4", GL_TEXTURE_2D, 0, GL_RGBA4, GL_BGRA, GL_UNSIGNED_SHORT_4_4_4_4_REV, 2, 150,
	  131, 1, 0, false },
	{ "up.rgb5-a1", GL_TEXTURE_2D, 0, GL_RGB5_A1, GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV, 2,
	  150, 131, 1, 0, false },
	{ "up.luminance-alpha", GL_TEXTURE_2D, 0, GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA,
	  GL_UNSIGNED_BYTE, 2, 150, 131, 1, 0, false },
	{ "up.luminance", GL_TEXTURE_2D, 0, GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, 150,
	  131, 1, 0, false },
	{ "up.alpha", GL_TEXTURE_2D, 0, GL_ALPHA8, GL_ALPHA, GL_UNSIGNED_BYTE, 1, 37, 23, 1, 0,
	  false },
	{ "up.luminance-level", GL_TEXTURE_2D, 0, GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1,
	  150, 131, 1, 2, false },
	{ "up.luminance-slices", GL_TEXTURE_3D, 0, GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1,
	  70, 67, 3, 0, false },
	{ "up.srgb", GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 150, 131, 1,
	  0, false },
	{ "up.ten-bits", GL_TEXTURE_2D, 0, GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4,
	  150, 131, 1, 0, false },
	{ "up.level", GL_TEXTURE_2D, 0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 150, 131, 1, 2,
	  false },
	{ "up.face", GL_TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, GL_RGBA8, GL_RGBA,
	  GL_UNSIGNED_BYTE, 4, 131, 131, 1, 0, false },
	{ "up.slices", GL_TEXTURE_3D, 0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 70, 67, 3, 0,
	  false },
	{ "up.cleared", GL_TEXTURE_2D, 0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 150, 131, 1, 0,
	  true },
};

static uint8_t expected[MAX_BYTES], part[MAX_BYTES], found[MAX_BYTES];
static GLuint screen;

static void fill_with_noise(uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = random_below(256);
}

static GLenum place(const struct image *image)
{
	return image->face ? image->face : image->target;
}

static void define(const struct image *image, int level, const void *pixels)
{
	if (image->target == GL_TEXTURE_3D)
		glTexImage3D(image->target, level, image->internal, image->width, image->height,
			     image->depth, 0, image->format, image->type, pixels);
	else
		glTexImage2D(place(image), level, image->internal, image->width, image->height, 0,
			     image->format, image->type, pixels);
}

/* Larger levels and all faces, without smaller levels: a texture that can be sampled. */
static void define_others(const struct image *image)
{
	struct image other = *image;

	for (int face = 0; image->face && face < 6; face++) {
		other.face = GL_TEXTURE_CUBE_MAP_POSITIVE_X + face;
		define(&other, 0, NULL);
	}
	for (int level = 0; image->level && level < image->level; level++) {
		other.width = image->width << (image->level - level);
		other.height = image->height << (image->level - level);
		define(&other, level, NULL);
	}
	glTexParameteri(image->target, GL_TEXTURE_MAX_LEVEL, image->level);
}

/* Clears the texture as a render target. */
static void clear_texture(GLuint texture)
{
	GLuint framebuffer;

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	glClearColor(1, 1, 1, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glBindFramebuffer(GL_FRAMEBUFFER, screen);
	glDeleteFramebuffers(1, &framebuffer);
}

/* A draw that samples the texture, so that the GPU uses it while it is replaced. */
static void sample(GLenum target)
{
	glEnable(target);
	glRectf(-1, -1, 1, 1);
	glDisable(target);
}

/* Replaces a box of random size and place, in the texture and in the copy. */
static void replace(const struct image *image)
{
	int x = random_below(image->width), y = random_below(image->height),
	    z = random_below(image->depth);
	int width = 1 + random_below(image->width - x),
	    height = 1 + random_below(image->height - y);
	size_t row = (size_t)width * image->bytes, stride = (size_t)image->width * image->bytes;

	fill_with_noise(part, row * height);
	for (int i = 0; i < height; i++)
		memcpy(expected + ((size_t)z * image->height + y + i) * stride +
			       (size_t)x * image->bytes,
		       part + i * row, row);
	if (image->target == GL_TEXTURE_3D)
		glTexSubImage3D(image->target, image->level, x, y, z, width, height, 1,
				image->format, image->type, part);
	else
		glTexSubImage2D(place(image), image->level, x, y, width, height, image->format,
				image->type, part);
}

static void replace_parts_of(const struct image *image)
{
	size_t size = (size_t)image->width * image->height * image->depth * image->bytes;
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(image->target, texture);
	glTexParameteri(image->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	define_others(image);
	fill_with_noise(expected, size);
	define(image, image->level, expected);
	if (image->cleared) {
		clear_texture(texture);
		memset(expected, 255, size);
	}
	for (int i = 0; i < UPLOADS; i++) {
		replace(image);
		if (i % 3 == 0)
			sample(image->target);
		if (i % 20 == 0)
			glFlush();
	}
	glGetTexImage(place(image), image->level, image->format, image->type, found);
	check(image->tag, !memcmp(expected, found, size), "%d parts of a texture of %d by %d",
	      UPLOADS, image->width, image->height);
	glDeleteTextures(1, &texture);
}

/*
 * A thousand parts of an atlas in a frame, each of which begins with other bytes than the last one.
 */
static void replace_many(const char *tag, GLint internal, GLenum format)
{
	uint64_t before, jobs;
	GLuint atlas;

	glGenTextures(1, &atlas);
	glBindTexture(GL_TEXTURE_2D, atlas);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, internal, ATLAS, ATLAS, 0, format, GL_UNSIGNED_BYTE, NULL);
	sample(GL_TEXTURE_2D);
	glFinish();
	before = submitted_jobs();
	for (int i = 0; i < PARTS; i++) {
		fill_with_noise(part, 4);
		glTexSubImage2D(GL_TEXTURE_2D, 0, random_below(ATLAS - PART_WIDTH),
				random_below(ATLAS - PART_HEIGHT), PART_WIDTH, PART_HEIGHT, format,
				GL_UNSIGNED_BYTE, part);
		sample(GL_TEXTURE_2D);
	}
	glFinish();
	jobs = submitted_jobs() - before;
	check(tag, jobs <= MAX_JOBS, "%d parts and draws: %d jobs", PARTS, (int)jobs);
	glDeleteTextures(1, &atlas);
}

/* A part is replaced while the GPU uses the texture, which another context then reads and replaces. */
static void replace_shared(void)
{
	static const struct image image = {
		"up.shared", GL_TEXTURE_2D, 0,   GL_ALPHA8, GL_ALPHA, GL_UNSIGNED_BYTE,
		1,           150,           131, 1,         0,        false
	};
	EGLContext contexts[2] = { eglGetCurrentContext() };
	size_t size = (size_t)image.width * image.height;
	GLuint texture;
	int wrong = 0;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	fill_with_noise(expected, size);
	define(&image, 0, expected);
	sample(GL_TEXTURE_2D);
	replace(&image);
	glFlush();
	contexts[1] = make_context(API_GL, contexts[0]);
	for (int i = 1; i < UPLOADS; i++) {
		use_context(contexts[i % 2]);
		glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
		glPixelStorei(GL_PACK_ALIGNMENT, 1);
		glBindTexture(GL_TEXTURE_2D, texture);
		glGetTexImage(GL_TEXTURE_2D, 0, image.format, image.type, found);
		wrong += memcmp(expected, found, size) != 0;
		sample(GL_TEXTURE_2D);
		replace(&image);
		glFinish();
	}
	check(image.tag, !wrong, "%d parts by two contexts: %d times wrong", UPLOADS, wrong);
	use_context(contexts[0]);
	eglDestroyContext(get_display(), contexts[1]);
	glDeleteTextures(1, &texture);
}

int main(int argc, char **argv)
{
	begin_opengl();
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	screen = make_target(64, 64);
	for (unsigned i = 0; i < COUNT(images); i++)
		replace_parts_of(&images[i]);
	replace_shared();
	if (argc > 1 && !strcmp(argv[1], "--jobs")) {
		replace_many("up.jobs", GL_RGBA8, GL_RGBA);
		replace_many("up.jobs-alpha", GL_ALPHA8, GL_ALPHA);
	}
	check_error("up.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
