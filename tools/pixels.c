// SPDX-License-Identifier: MIT
#include "pixels.h"

#include <stddef.h>

#include <drm_fourcc.h>

struct channel {
	uint8_t shift, bits;
};

struct format {
	uint32_t fourcc;
	uint8_t bytes;
	struct channel rgb[3];
};

/*
 * Formats without alpha; lowest bit and width of red, green and blue in the little-endian pixel. No
 * channel has less than 4 bits, see to_byte().
 */
static const struct format formats[] = {
	{ DRM_FORMAT_RGB565, 2, { { 11, 5 }, { 5, 6 }, { 0, 5 } } },
	{ DRM_FORMAT_BGR565, 2, { { 0, 5 }, { 5, 6 }, { 11, 5 } } },
	{ DRM_FORMAT_XRGB4444, 2, { { 8, 4 }, { 4, 4 }, { 0, 4 } } },
	{ DRM_FORMAT_XBGR4444, 2, { { 0, 4 }, { 4, 4 }, { 8, 4 } } },
	{ DRM_FORMAT_RGBX4444, 2, { { 12, 4 }, { 8, 4 }, { 4, 4 } } },
	{ DRM_FORMAT_BGRX4444, 2, { { 4, 4 }, { 8, 4 }, { 12, 4 } } },
	{ DRM_FORMAT_XRGB1555, 2, { { 10, 5 }, { 5, 5 }, { 0, 5 } } },
	{ DRM_FORMAT_XBGR1555, 2, { { 0, 5 }, { 5, 5 }, { 10, 5 } } },
	{ DRM_FORMAT_RGBX5551, 2, { { 11, 5 }, { 6, 5 }, { 1, 5 } } },
	{ DRM_FORMAT_BGRX5551, 2, { { 1, 5 }, { 6, 5 }, { 11, 5 } } },
	{ DRM_FORMAT_XRGB8888, 4, { { 16, 8 }, { 8, 8 }, { 0, 8 } } },
	{ DRM_FORMAT_XBGR8888, 4, { { 0, 8 }, { 8, 8 }, { 16, 8 } } },
	{ DRM_FORMAT_RGBX8888, 4, { { 24, 8 }, { 16, 8 }, { 8, 8 } } },
	{ DRM_FORMAT_BGRX8888, 4, { { 8, 8 }, { 16, 8 }, { 24, 8 } } },
	{ DRM_FORMAT_XRGB2101010, 4, { { 20, 10 }, { 10, 10 }, { 0, 10 } } },
	{ DRM_FORMAT_XBGR2101010, 4, { { 0, 10 }, { 10, 10 }, { 20, 10 } } },
	{ DRM_FORMAT_RGBX1010102, 4, { { 22, 10 }, { 12, 10 }, { 2, 10 } } },
	{ DRM_FORMAT_BGRX1010102, 4, { { 2, 10 }, { 12, 10 }, { 22, 10 } } },
};

/*
 * Codes with alpha have an 'A' among the first two letters, which are the lower bytes, where those
 * without have an 'X'.
 */
static uint32_t without_alpha(uint32_t fourcc)
{
	for (int shift = 0; shift < 16; shift += 8)
		if ((fourcc >> shift & 0xff) == 'A')
			fourcc ^= (uint32_t)('A' ^ 'X') << shift;
	return fourcc;
}

static const struct format *find_format(uint32_t fourcc)
{
	fourcc = without_alpha(fourcc);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].fourcc == fourcc)
			return &formats[i];
	return NULL;
}

unsigned int pixels_bytes(uint32_t format)
{
	const struct format *f = find_format(format);

	return f ? f->bytes : 0;
}

/* A channel of 4 bits or more: a narrow one fills the byte if it is repeated once. */
static uint8_t to_byte(uint32_t pixel, struct channel c)
{
	uint32_t value = pixel >> c.shift & ((1u << c.bits) - 1);

	return c.bits >= 8 ? value >> (c.bits - 8)
			   : value << (8 - c.bits) | value >> (2 * c.bits - 8);
}

void pixels_to_rgb(uint32_t format, const uint8_t *from, uint8_t *rgb, unsigned int count)
{
	const struct format *f = find_format(format);

	for (; count; count--, from += f->bytes) {
		uint32_t pixel = 0;

		for (unsigned int i = 0; i < f->bytes; i++)
			pixel |= (uint32_t)from[i] << 8 * i;
		for (unsigned int i = 0; i < 3; i++)
			*rgb++ = to_byte(pixel, f->rgb[i]);
	}
}
