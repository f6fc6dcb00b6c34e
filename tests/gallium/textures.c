// SPDX-License-Identifier: MIT
/* Textures of the scene: patterns in which flips and swapped axes are visible. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "room.h"

#define SIDE 64
#define BRICK_WIDTH 48
#define BRICK_HEIGHT 40
#define MARBLE_SIDE 16

struct textures textures;

static GLuint begin_texture(GLenum target, GLint min_filter, GLint wrap)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(target, texture);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min_filter);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
	glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
	glTexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
	return texture;
}

static void make_tiles(void)
{
	static uint8_t texels[SIDE][SIDE][3];

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++) {
			int dark = (x / 32 + y / 32) % 2;

			texels[y][x][0] = dark ? 60 : 180 + x;
			texels[y][x][1] = dark ? 70 : 160 + y;
			texels[y][x][2] = dark ? 90 + x / 2 : 150;
		}
	textures.tiles = begin_texture(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
	glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, SIDE, SIDE, 0, GL_RGB, GL_UNSIGNED_BYTE, texels);
}

static void make_bricks(void)
{
	static uint32_t texels[BRICK_HEIGHT][BRICK_WIDTH];

	for (int y = 0; y < BRICK_HEIGHT; y++)
		for (int x = 0; x < BRICK_WIDTH; x++) {
			int row = y / 10, column = (x + row % 2 * 12) % BRICK_WIDTH / 24;
			int joint = y % 10 == 0 || (x + row % 2 * 12) % 24 == 0;
			uint32_t red = joint ? 120 : 150 + 20 * column + 5 * row;
			uint32_t green = joint ? 120 : 60 + 10 * row, blue = joint ? 110 : 40;

			texels[y][x] = 0xff000000u | red << 16 | green << 8 | blue;
		}
	textures.bricks =
		begin_texture(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_NEAREST, GL_MIRRORED_REPEAT);
	glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, BRICK_WIDTH, BRICK_HEIGHT, 0, GL_BGRA,
		     GL_UNSIGNED_INT_8_8_8_8_REV, texels);
}

static void make_glow(void)
{
	static uint8_t texels[SIDE][SIDE];

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++) {
			float dx = x - 20.5f, dy = y - 36.5f;

			texels[y][x] = 255 * expf(-(dx * dx + dy * dy) / 500);
		}
	textures.glow = begin_texture(GL_TEXTURE_2D, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_INTENSITY8, SIDE, SIDE, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE,
		     texels);
}

static void make_leaf(void)
{
	static uint8_t texels[SIDE][SIDE][2];

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++) {
			float u = (x + 0.5f) / SIDE,
			      width = 0.45f * sinf((y + 0.5f) / SIDE * 3.1416f);

			texels[y][x][0] = 90 + 2 * y;
			texels[y][x][1] = fabsf(u - 0.5f) < width ? 255 : 0;
		}
	textures.leaf = begin_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE8_ALPHA8, SIDE, SIDE, 0, GL_LUMINANCE_ALPHA,
		     GL_UNSIGNED_BYTE, texels);
}

static void make_marble(void)
{
	static uint8_t texels[MARBLE_SIDE][MARBLE_SIDE][MARBLE_SIDE];

	for (int z = 0; z < MARBLE_SIDE; z++)
		for (int y = 0; y < MARBLE_SIDE; y++)
			for (int x = 0; x < MARBLE_SIDE; x++)
				texels[z][y][x] =
					128 + 100 * sinf(0.8f * x + 1.6f * sinf(0.4f * y + z));
	textures.marble = begin_texture(GL_TEXTURE_3D, GL_LINEAR, GL_REPEAT);
	glTexImage3D(GL_TEXTURE_3D, 0, GL_LUMINANCE8, MARBLE_SIDE, MARBLE_SIDE, MARBLE_SIDE, 0,
		     GL_LUMINANCE, GL_UNSIGNED_BYTE, texels);
}

static void make_sky(void)
{
	static uint8_t texels[SIDE][SIDE][4];

	textures.sky = begin_texture(GL_TEXTURE_CUBE_MAP, GL_LINEAR, GL_CLAMP_TO_EDGE);
	for (int face = 0; face < 6; face++) {
		for (int y = 0; y < SIDE; y++)
			for (int x = 0; x < SIDE; x++) {
				texels[y][x][0] = 40 * face + x / 2;
				texels[y][x][1] = 3 * y;
				texels[y][x][2] = 220 - 30 * face;
				texels[y][x][3] = 255;
			}
		glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, SIDE, SIDE, 0,
			     GL_RGBA, GL_UNSIGNED_BYTE, texels);
	}
}

static void make_shadow(void)
{
	textures.shadow = begin_texture(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIDE, SHADOW_SIDE, 0,
		     GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
}

void make_textures(void)
{
	make_tiles();
	make_bricks();
	make_glow();
	make_leaf();
	make_marble();
	make_sky();
	make_shadow();
}
