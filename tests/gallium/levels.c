// SPDX-License-Identifier: MIT
/*
 * levels: tests of textures whose levels GL_TEXTURE_BASE_LEVEL and GL_TEXTURE_MAX_LEVEL limit. The
 * size of the base level decides whether a texture is magnified, and so between its two filters.
 * Red tells the filter: texels are 0 and 255 in turn, and values between come from filtering. Green
 * tells the level.
 */
#include "harness.h"
#include "canvas.h"

#include <stdlib.h>

/* Texels of level 0: neither is a power of two. */
#define TEXELS_X 48
#define TEXELS_Y 24
#define LEVELS 6
#define LAST_BASE 2
#define MAGNIFY 4
#define TARGET (MAGNIFY * TEXELS_X)
/* Texels of a side of the texture with three dimensions */
#define SIDE 16
#define SIDE_LEVELS 5

/** What was drawn */
struct picture {
	int pixels, between, off_level;
};

/** A case of the loops below */
struct mode {
	GLenum mag, min;
	int base, last;
};

/* For magnification and minification: one of the two is linear, so that red tells which is used. */
static const GLenum filters[][2] = {
	{ GL_NEAREST, GL_LINEAR },
	{ GL_NEAREST, GL_LINEAR_MIPMAP_NEAREST },
	{ GL_NEAREST, GL_LINEAR_MIPMAP_LINEAR },
	{ GL_LINEAR, GL_NEAREST },
	{ GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST },
};

static int level_size(int size, int level)
{
	return size >> level ? size >> level : 1;
}

static int level_color(int level)
{
	return 40 * level;
}

static uint8_t texel_color(int x, int y, int z)
{
	return (x + y + z) % 2 ? 255 : 0;
}

static void fill_level(GLenum target, const int size[3], int level)
{
	static uint8_t texels[TEXELS_X * SIDE * SIDE][4];
	int width = level_size(size[0], level), height = level_size(size[1], level);
	int depth = level_size(size[2], level);

	for (int i = 0; i < width * height * depth; i++) {
		texels[i][0] = texel_color(i % width, i / width % height, i / width / height);
		texels[i][1] = (uint8_t)level_color(level);
		texels[i][3] = 255;
	}
	if (target == GL_TEXTURE_3D)
		glTexImage3D(target, level, GL_RGBA8, width, height, depth, 0, GL_RGBA,
			     GL_UNSIGNED_BYTE, texels);
	else
		glTexImage2D(target, level, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     texels);
}

static GLuint make_texture(GLenum target, int x, int y, int z, int levels)
{
	const int size[] = { x, y, z };
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(target, texture);
	for (int level = 0; level < levels; level++)
		fill_level(target, size, level);
	glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	return texture;
}

static void set_mode(GLenum target, const struct mode *mode)
{
	glTexParameteri(target, GL_TEXTURE_BASE_LEVEL, mode->base);
	glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, mode->last);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mode->mag);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, mode->min);
}

/* Draw the texture over @width by @height pixels; @level: the one that is expected. */
static struct picture draw(int width, int height, int level)
{
	static uint8_t pixels[TARGET * TARGET][4];
	struct picture picture = { .pixels = width * height };

	glViewport(0, 0, width, height);
	draw_square(0, 1);
	glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < picture.pixels; i++) {
		picture.between += pixels[i][0] > 4 && pixels[i][0] < 251;
		picture.off_level += abs(pixels[i][1] - level_color(level)) > 1;
	}
	return picture;
}

/*
 * True if the picture is as the filter leaves it: mostly values between if linear, none if nearest.
 */
static bool filtered(const struct picture *picture, GLenum filter)
{
	bool linear = filter == GL_LINEAR || filter == GL_LINEAR_MIPMAP_NEAREST ||
		      filter == GL_LINEAR_MIPMAP_LINEAR;

	return linear ? picture->between > picture->pixels / 2 : !picture->between;
}

static void check_mode(const struct mode *mode)
{
	int width = level_size(TEXELS_X, mode->base), height = level_size(TEXELS_Y, mode->base);
	bool mipmapped = mode->min != GL_NEAREST && mode->min != GL_LINEAR;
	/*
	 * At half of the size the next level has a texel for each pixel: all filters give the
	 * texels.
	 */
	int next = mipmapped && mode->last > mode->base ? mode->base + 1 : mode->base;
	struct picture picture;

	set_mode(GL_TEXTURE_2D, mode);
	picture = draw(MAGNIFY * width, MAGNIFY * height, mode->base);
	check("le.magnified", filtered(&picture, mode->mag) && !picture.off_level,
	      "levels %d to %d, 0x%x and 0x%x: of %d pixels %d are filtered, %d of another level",
	      mode->base, mode->last, mode->mag, mode->min, picture.pixels, picture.between,
	      picture.off_level);
	picture = draw(width / 2, height / 2, next);
	check("le.minified",
	      !picture.off_level && (next != mode->base || filtered(&picture, mode->min)),
	      "levels %d to %d, 0x%x and 0x%x: of %d pixels %d are filtered, %d of another level",
	      mode->base, mode->last, mode->mag, mode->min, picture.pixels, picture.between,
	      picture.off_level);
}

static void check_2d(void)
{
	GLuint texture = make_texture(GL_TEXTURE_2D, TEXELS_X, TEXELS_Y, 1, LEVELS);

	use_copy_program("uniform sampler2D image;\n"
			 "varying vec2 at;\n"
			 "void main()\n"
			 "{\n"
			 "	gl_FragColor = texture2D(image, at);\n"
			 "}\n");
	for (int base = 0; base <= LAST_BASE; base++) {
		for (unsigned i = 0; i < COUNT(filters); i++) {
			struct mode mode = { filters[i][0], filters[i][1], base, base };

			check_mode(&mode);
			mode.last = LEVELS - 1;
			check_mode(&mode);
		}
	}
	glDeleteTextures(1, &texture);
}

/* The layers of the base level, each at its centre */
static void check_3d(void)
{
	GLuint texture = make_texture(GL_TEXTURE_3D, SIDE, SIDE, SIDE, SIDE_LEVELS);
	GLint layer = glGetUniformLocation(
		use_copy_program("uniform sampler3D image;\n"
				 "uniform float layer;\n"
				 "varying vec2 at;\n"
				 "void main()\n"
				 "{\n"
				 "	gl_FragColor = texture3D(image, vec3(at, layer));\n"
				 "}\n"),
		"layer");

	for (int base = 0; base <= LAST_BASE; base++) {
		const struct mode mode = { GL_NEAREST, GL_LINEAR_MIPMAP_LINEAR, base,
					   SIDE_LEVELS - 1 };
		int side = level_size(SIDE, base), wrong = 0;

		set_mode(GL_TEXTURE_3D, &mode);
		for (int z = 0; z < side; z++) {
			uint8_t pixel[4];
			struct picture picture;

			glUniform1f(layer, (z + 0.5f) / side);
			picture = draw(MAGNIFY * side, MAGNIFY * side, base);
			glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
			wrong += !filtered(&picture, mode.mag) || picture.off_level ||
				 pixel[0] != texel_color(0, 0, z);
		}
		check("le.layers", !wrong, "level %d: %d of %d layers are wrong", base, wrong,
		      side);
	}
	glDeleteTextures(1, &texture);
}

int main(void)
{
	begin_opengl();
	make_target(TARGET, TARGET);
	check_2d();
	check_3d();
	check_error("le.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
