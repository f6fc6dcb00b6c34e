// SPDX-License-Identifier: MIT
/*
 * caches: tests that texture caches are invalidated when a texture in them was replaced, also if others
 * were replaced after it, and in an earlier job. A draw whose texture is in the caches has no misses, which
 * the card counts; on a card with --caches=data stale texels are seen as well. Names of its checks begin with
 * "ca.".
 */
#include "harness.h"

#include <string.h>

#define SIDE 16

static GLuint textures[2];

static void replace(GLuint texture, uint8_t value)
{
	uint8_t pixels[SIDE * SIDE * 4];

	memset(pixels, value, sizeof(pixels));
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

/* A job with a draw that samples the texture. */
static void draw(GLuint texture)
{
	glBindTexture(GL_TEXTURE_2D, texture);
	draw_square(0, 1);
	glFlush();
}

/*
 * Misses since the last call. The core has nothing to do then, and may or may not lose its caches by
 * sleeping: so each sequence of draws begins with a texture that was replaced.
 */
static int misses(void)
{
	static uint64_t before;
	uint64_t now;

	glFinish();
	now = card_total("gc.tx.cache_misses");
	now -= before;
	before += now;
	return (int)now;
}

/* Red in the middle of the target, 0 to 255. */
static int red(void)
{
	uint8_t pixel[4];

	glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	return pixel[0];
}

int main(void)
{
	int one, two, replaced;

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(SIDE, SIDE);
	use_copy_program("precision mediump float;\n"
			 "uniform sampler2D picture;\n"
			 "varying vec2 at;\n"
			 "void main() { gl_FragColor = texture2D(picture, at); }\n");
	glGenTextures(COUNT(textures), textures);
	for (unsigned i = 0; i < COUNT(textures); i++) {
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     NULL);
		replace(textures[i], 255);
	}
	misses();
	draw(textures[0]);
	one = misses();
	replace(textures[0], 3);
	draw(textures[0]);
	draw(textures[0]);
	two = misses();
	check("ca.kept", one && two == one, "%d misses of a draw, %d of two", one, two);
	replace(textures[0], 4);
	draw(textures[0]);
	replace(textures[0], 1);
	replace(textures[1], 2);
	glFlush();
	draw(textures[0]);
	replaced = misses();
	check("ca.replaced", replaced == 2 * one,
	      "%d misses of two draws, between which the texture was replaced, then another one",
	      replaced);
	check("ca.fresh", red() == 1, "red is %d after it was replaced by 1", red());
	check_error("ca.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
