// SPDX-License-Identifier: MIT
/* Pictures in software: formats, tiles, blending, gamma, checksum. */

#include "reference.h"

#include <stdlib.h>
#include <string.h>

#include <drm_fourcc.h>
#include <zlib.h>

/* A format, its bits a pixel, and position and width of red, green, blue and alpha */
#define ROW(f, b, rs, rw, gs, gw, bs, bw, as, aw)           \
	{                                                   \
		DRM_FORMAT_##f, #f, b,                      \
		{                                           \
			{ rs, rw }, { gs, gw }, { bs, bw }, \
			{                                   \
				as, aw                      \
			}                                   \
		}                                           \
	}

const struct pixel_format pixel_formats[] = {
	ROW(XRGB8888, 32, 16, 8, 8, 8, 0, 8, 24, 0),
	ROW(ARGB8888, 32, 16, 8, 8, 8, 0, 8, 24, 8),
	ROW(XBGR8888, 32, 0, 8, 8, 8, 16, 8, 24, 0),
	ROW(ABGR8888, 32, 0, 8, 8, 8, 16, 8, 24, 8),
	ROW(RGBX8888, 32, 24, 8, 16, 8, 8, 8, 0, 0),
	ROW(RGBA8888, 32, 24, 8, 16, 8, 8, 8, 0, 8),
	ROW(BGRX8888, 32, 8, 8, 16, 8, 24, 8, 0, 0),
	ROW(BGRA8888, 32, 8, 8, 16, 8, 24, 8, 0, 8),
	ROW(RGB565, 16, 11, 5, 5, 6, 0, 5, 0, 0),
	ROW(BGR565, 16, 0, 5, 5, 6, 11, 5, 0, 0),
	ROW(XRGB1555, 16, 10, 5, 5, 5, 0, 5, 15, 0),
	ROW(ARGB1555, 16, 10, 5, 5, 5, 0, 5, 15, 1),
	ROW(XBGR1555, 16, 0, 5, 5, 5, 10, 5, 15, 0),
	ROW(ABGR1555, 16, 0, 5, 5, 5, 10, 5, 15, 1),
	ROW(RGBX5551, 16, 11, 5, 6, 5, 1, 5, 0, 0),
	ROW(RGBA5551, 16, 11, 5, 6, 5, 1, 5, 0, 1),
	ROW(XRGB4444, 16, 8, 4, 4, 4, 0, 4, 12, 0),
	ROW(ARGB4444, 16, 8, 4, 4, 4, 0, 4, 12, 4),
	ROW(XBGR4444, 16, 0, 4, 4, 4, 8, 4, 12, 0),
	ROW(ABGR4444, 16, 0, 4, 4, 4, 8, 4, 12, 4),
	ROW(RGBX4444, 16, 12, 4, 8, 4, 4, 4, 0, 0),
	ROW(XRGB2101010, 32, 20, 10, 10, 10, 0, 10, 30, 0),
	ROW(ARGB2101010, 32, 20, 10, 10, 10, 0, 10, 30, 2),
	ROW(XBGR2101010, 32, 0, 10, 10, 10, 20, 10, 30, 0),
	ROW(ABGR2101010, 32, 0, 10, 10, 10, 20, 10, 30, 2),
};
const size_t pixel_format_count = sizeof(pixel_formats) / sizeof(pixel_formats[0]);

const struct pixel_format *pixel_format_find(uint32_t fourcc)
{
	for (size_t i = 0; i < pixel_format_count; i++)
		if (pixel_formats[i].fourcc == fourcc)
			return &pixel_formats[i];
	return NULL;
}

/* Narrow channels repeat their upper bits, of wide ones the upper 8 are shown. */
static uint8_t eight_bits(uint32_t value, unsigned int width)
{
	uint32_t wide = value << (32 - width);

	for (unsigned int bits = width; bits < 8; bits *= 2)
		wide |= wide >> bits;
	return wide >> 24;
}

void pixel_rgb(const struct pixel_format *format, uint32_t word, uint8_t rgb[3])
{
	for (int c = 0; c < 3; c++) {
		unsigned int width = format->channel[c].width;

		rgb[c] = eight_bits(word >> format->channel[c].shift & ((1u << width) - 1), width);
	}
}

/* A 64 x 64 supertile of 4 x 4 tiles as GC3000 has it: bits of column and row take turns. */
static uint32_t supertile_index(uint32_t x, uint32_t y)
{
	uint32_t tile = 0;

	for (int bit = 0; bit < 4; bit++)
		tile |= (x >> (2 + bit) & 1) << 2 * bit | (y >> (2 + bit) & 1) << (2 * bit + 1);
	return tile * 16 + y % 4 * 4 + x % 4;
}

size_t pixel_offset(uint64_t modifier, uint32_t pitch, uint32_t cpp, uint32_t x, uint32_t y)
{
	if (modifier == DRM_FORMAT_MOD_VIVANTE_TILED)
		return (size_t)(y / 4) * 4 * pitch +
		       ((size_t)(x / 4) * 16 + y % 4 * 4 + x % 4) * cpp;
	if (modifier == DRM_FORMAT_MOD_VIVANTE_SUPER_TILED)
		return (size_t)(y / 64) * 64 * pitch +
		       ((size_t)(x / 64) * 64 * 64 + supertile_index(x % 64, y % 64)) * cpp;
	return (size_t)y * pitch + (size_t)x * cpp;
}

void screen_create(struct screen *screen, uint32_t width, uint32_t height)
{
	screen->width = width;
	screen->height = height;
	screen->rgb = calloc((size_t)width * height, 3);
	if (!screen->rgb)
		abort();
}

void screen_free(struct screen *screen)
{
	free(screen->rgb);
}

uint32_t screen_crc(const struct screen *screen)
{
	return crc32(0, screen->rgb, screen->width * screen->height * 3);
}

static uint8_t *at(struct screen *screen, int x, int y)
{
	if (x < 0 || y < 0 || x >= (int)screen->width || y >= (int)screen->height)
		return NULL;
	return screen->rgb + 3 * ((size_t)y * screen->width + x);
}

void screen_set(struct screen *screen, int x, int y, const uint8_t rgb[3])
{
	uint8_t *to = at(screen, x, y);

	if (to)
		memcpy(to, rgb, 3);
}

void screen_blend(struct screen *screen, int x, int y, uint32_t argb)
{
	uint8_t *to = at(screen, x, y);
	uint32_t alpha = argb >> 24;

	for (int c = 0; to && c < 3; c++) {
		uint32_t sum = (argb >> (16 - 8 * c) & 0xff) + ((255 - alpha) * to[c] + 127) / 255;

		to[c] = sum > 255 ? 255 : sum;
	}
}

void screen_gamma(struct screen *screen, const uint16_t table[3][256])
{
	for (size_t i = 0; i < (size_t)screen->width * screen->height * 3; i++)
		screen->rgb[i] = table[i % 3][screen->rgb[i]];
}
