// SPDX-License-Identifier: MIT
/*
 * Flat objects of the scene: leaves with alpha test, points, stippled polygons, lines, pixel
 * rectangles and bitmaps.
 */
#include <stdint.h>

#include "room.h"

#define LEAVES 7
#define POINTS 9
#define PIXEL_SIDE 24

static void draw_leaves(void)
{
	glBindTexture(GL_TEXTURE_2D, textures.leaf);
	glEnable(GL_TEXTURE_2D);
	glAlphaFunc(GL_GREATER, 0.5f);
	glEnable(GL_ALPHA_TEST);
	for (int i = 0; i < LEAVES; i++) {
		float x = -2.8f + 0.9f * i, y = 1.5f + 0.3f * (i % 3);

		glColor3f(0.4f + 0.08f * i, 0.9f - 0.05f * i, 0.3f);
		glBegin(GL_QUADS);
		glTexCoord2f(0, 0);
		glVertex3f(x, y, -2.5f);
		glTexCoord2f(1, 0);
		glVertex3f(x + 0.5f, y + 0.1f, -2.4f);
		glTexCoord2f(1, 1);
		glVertex3f(x + 0.6f, y + 1.1f, -2.6f);
		glTexCoord2f(0, 1);
		glVertex3f(x + 0.1f, y + 1.0f, -2.7f);
		glEnd();
	}
	glDisable(GL_ALPHA_TEST);
	glDisable(GL_TEXTURE_2D);
}

/* Light that is added. */
static void draw_sparks(void)
{
	glBindTexture(GL_TEXTURE_2D, textures.glow);
	glEnable(GL_TEXTURE_2D);
	glEnable(GL_POINT_SPRITE);
	glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
	glEnable(GL_BLEND);
	glBlendEquation(GL_FUNC_ADD);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE);
	glDepthMask(GL_FALSE);
	glPointSize(24);
	glBegin(GL_POINTS);
	for (int i = 0; i < POINTS; i++) {
		glColor3f(1, 0.3f + 0.07f * i, 0.2f);
		glVertex3f(-3 + 0.7f * i, 0.4f + 0.2f * (i % 4), 1.8f);
	}
	glEnd();
	glDepthMask(GL_TRUE);
	glDisable(GL_BLEND);
	glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_FALSE);
	glDisable(GL_POINT_SPRITE);
	glDisable(GL_TEXTURE_2D);
}

/* For what is drawn in pixels and over the scene; draw_flat() goes back to the camera. */
static void begin_flat(void)
{
	use_pixel_coordinates();
	glDisable(GL_DEPTH_TEST);
}

static void draw_frame(void)
{
	glColor3f(0.2f, 0.9f, 0.9f);
	glLineWidth(3);
	glBegin(GL_LINE_LOOP);
	glVertex2f(8.5f, 8.5f);
	glVertex2f(WIDTH - 8.5f, 8.5f);
	glVertex2f(WIDTH - 8.5f, HEIGHT - 8.5f);
	glVertex2f(8.5f, HEIGHT - 8.5f);
	glEnd();
	glColor3f(0.9f, 0.8f, 0.2f);
	glLogicOp(GL_XOR);
	glEnable(GL_COLOR_LOGIC_OP);
	glRectf(20, 380, 120, 420);
	glDisable(GL_COLOR_LOGIC_OP);
}

/* Pixels of the client, enlarged, and a copy of a part of the framebuffer. */
static void draw_pixels(void)
{
	static uint16_t pixels[PIXEL_SIDE][PIXEL_SIDE];

	for (int y = 0; y < PIXEL_SIDE; y++)
		for (int x = 0; x < PIXEL_SIDE; x++)
			pixels[y][x] = (x * 31 / PIXEL_SIDE) << 11 | (y * 63 / PIXEL_SIDE) << 5 |
				       (x ^ y) % 32;
	glWindowPos2i(560, 20);
	glPixelZoom(2, 3);
	glDrawPixels(PIXEL_SIDE, PIXEL_SIDE, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, pixels);
	glPixelZoom(1, 1);
	glWindowPos2i(500, 340);
	glCopyPixels(250, 150, 100, 60, GL_COLOR);
}

static void draw_bitmaps(void)
{
	static const GLubyte arrow[] = { 0x10, 0x38, 0x7c, 0xfe, 0x38, 0x38, 0x38, 0x1c };

	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glColor3f(1, 0.4f, 0.7f);
	glWindowPos2i(140, 400);
	for (int i = 0; i < 10; i++)
		glBitmap(8, 8, 0, 0, 13, i % 2 ? -5 : 5, arrow);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

/* Two polygons, with the stipple patterns slanted stripes and dots. */
static void draw_stippled(void)
{
	GLubyte pattern[32 * 4];

	glEnable(GL_POLYGON_STIPPLE);
	for (int n = 0; n < 2; n++) {
		for (int row = 0; row < 32; row++)
			for (int byte = 0; byte < 4; byte++)
				pattern[4 * row + byte] = (GLubyte)(n ? row % 3 ? 0x11 : 0x66
								      : 0xf00f >> (row + byte) % 8);
		glPolygonStipple(pattern);
		glColor3f(0.9f - 0.5f * n, 0.8f, 0.3f + 0.6f * n);
		glBegin(GL_POLYGON);
		glVertex3f(-1.4f + 1.6f * n, 0.2f, 1.5f);
		glVertex3f(-0.2f + 1.6f * n, 0.1f, 1.5f);
		glVertex3f(0.1f + 1.6f * n, 0.8f, 1.4f);
		glVertex3f(-0.6f + 1.6f * n, 1.3f, 1.3f);
		glEnd();
	}
	glDisable(GL_POLYGON_STIPPLE);
}

void draw_flat(void)
{
	draw_leaves();
	draw_sparks();
	draw_stippled();
	begin_flat();
	draw_frame();
	draw_pixels();
	draw_bitmaps();
	glEnable(GL_DEPTH_TEST);
	look_from_camera();
}
