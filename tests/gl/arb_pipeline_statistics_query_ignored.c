// SPDX-License-Identifier: MIT
/*
 * GL_ARB_pipeline_statistics_query: clears, copies and uploads, which the driver draws itself and
 * which do not count; pixel rectangles and bitmaps, which count in part.
 */

#include "arb_pipeline_statistics_query.h"

#define COLOR 0x1800

static struct {
	void (*raster_pos)(GLfloat, GLfloat);
	void (*draw_pixels)(GLsizei, GLsizei, GLenum, GLenum, const void *);
	void (*bitmap)(GLsizei, GLsizei, GLfloat, GLfloat, GLfloat, GLfloat, const GLubyte *);
	void (*copy_pixels)(GLint, GLint, GLsizei, GLsizei, GLenum);
	void (*blit)(GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum);
} gl;

static void load(void)
{
	gl.raster_pos = get_function("glRasterPos2f");
	gl.draw_pixels = get_function("glDrawPixels");
	gl.bitmap = get_function("glBitmap");
	gl.copy_pixels = get_function("glCopyPixels");
	gl.blit = get_function("glBlitFramebufferEXT");
}

static void clear_all(void)
{
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void clear_parts(void)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(3, 5, 17, 11);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
	glClear(GL_COLOR_BUFFER_BIT);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

static void upload(void)
{
	static uint8_t pixels[SIZE * SIZE * 4];

	glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, SIZE - 1, SIZE - 1, GL_RGBA, GL_UNSIGNED_BYTE,
			pixels);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_LUMINANCE, GL_UNSIGNED_BYTE, pixels);
}

static void make_mipmap(void)
{
	glGenerateMipmap(GL_TEXTURE_2D);
}

static void copy_texture(void)
{
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 5, 5, 40, 40);
	glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, SIZE, SIZE, 0);
}

static void blit(void)
{
	gl.blit(0, 0, 40, 40, 3, 5, 60, 62, GL_COLOR_BUFFER_BIT, GL_LINEAR);
	gl.blit(0, 0, 40, 40, 60, 62, 3, 5, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void read_back(void)
{
	uint8_t pixel[4];

	glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
}

/* What draw_around() calls */
static void (*own)(void);

/* Call own() between the two squares that are counted, and after them. */
static void draw_around(void)
{
	draw_square(0, 1);
	own();
	draw_square(0, 1);
	own();
}

static void test_own(void)
{
	static const struct {
		void (*draw)(void);
		const char *name;
	} all[] = {
		{ clear_all, "clears" },
		{ clear_parts, "clears of parts" },
		{ upload, "uploads" },
		{ make_mipmap, "mipmaps" },
		{ copy_texture, "copies to textures" },
		{ blit, "blits" },
		{ read_back, "reading back" },
	};

	for (size_t i = 0; i < COUNT(all); i++) {
		own = all[i].draw;
		expect_squares("psq.own", draw_around, 2, all[i].name);
	}
}

static void draw_pixels(void)
{
	static uint8_t pixels[16 * 8 * 4];

	gl.raster_pos(-0.5f, -0.5f);
	gl.draw_pixels(16, 8, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

static void copy_pixels(void)
{
	gl.raster_pos(-0.5f, -0.5f);
	gl.copy_pixels(40, 40, 16, 8, COLOR);
}

static void draw_bitmap(void)
{
	static const GLubyte bits[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	gl.raster_pos(-0.5f, -0.5f);
	gl.bitmap(8, 8, 0, 0, 0, 0, bits);
}

/* Pixel rectangles and bitmaps have fragments, but no vertices, and are not clipped. */
static void test_rectangles(void)
{
	static const struct {
		void (*draw)(void);
		const char *name;
	} all[] = {
		{ draw_pixels, "glDrawPixels" },
		{ copy_pixels, "glCopyPixels" },
		{ draw_bitmap, "glBitmap" },
	};
	uint64_t results[NR_TARGETS];

	for (size_t i = 0; i < COUNT(all); i++) {
		own = all[i].draw;
		count(draw_around, results);
		if (!check("psq.rectangles",
			   results[VERTICES] == 8 && results[PRIMITIVES] == 4 &&
				   results[VERTEX_SHADER] == 8 && results[CLIPPING_INPUT] == 4 &&
				   results[CLIPPING_OUTPUT] == 4 &&
				   results[FRAGMENT_SHADER] >= 2 * SIZE * SIZE,
			   "%s", all[i].name))
			print_results(results);
	}
}

void test_ignored(void)
{
	load();
	test_own();
	test_rectangles();
}
