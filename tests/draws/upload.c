// SPDX-License-Identifier: MIT
#include "upload.h"

#include <string.h>

struct upload upload_of(GLenum internal_format)
{
	switch (internal_format) {
	case GL_RGB8:
		return (struct upload){ GL_RGB, GL_UNSIGNED_BYTE };
	case GL_RGBA4:
		return (struct upload){ GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4 };
	case GL_RGB5_A1:
		return (struct upload){ GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1 };
	case GL_RGB565:
	case GL_RGB5:
		return (struct upload){ GL_RGB, GL_UNSIGNED_SHORT_5_6_5 };
	case GL_ALPHA8:
		return (struct upload){ GL_ALPHA, GL_UNSIGNED_BYTE };
	case GL_LUMINANCE8:
		return (struct upload){ GL_LUMINANCE, GL_UNSIGNED_BYTE };
	case GL_LUMINANCE8_ALPHA8:
		return (struct upload){ GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE };
	default:
		return (struct upload){ GL_RGBA, GL_UNSIGNED_BYTE };
	}
}

/* A texel in parts of so many bits, the first in the highest. */
static unsigned pack(const uint8_t texel[4], const unsigned bits[4])
{
	unsigned packed = 0;

	for (int i = 0; i < 4; i++)
		packed = packed << bits[i] | (texel[i] * ((1u << bits[i]) - 1) + 127) / 255;
	return packed;
}

/* Write one texel; returns its bytes. */
static unsigned put_texel(struct upload upload, const uint8_t texel[4], uint8_t *to)
{
	static const unsigned sizes[3][4] = { { 4, 4, 4, 4 }, { 5, 5, 5, 1 }, { 5, 6, 5, 0 } };
	uint16_t packed;

	if (upload.type != GL_UNSIGNED_BYTE) {
		packed = pack(texel, sizes[upload.type == GL_UNSIGNED_SHORT_4_4_4_4   ? 0
					   : upload.type == GL_UNSIGNED_SHORT_5_5_5_1 ? 1
										      : 2]);
		memcpy(to, &packed, 2);
		return 2;
	}
	switch (upload.format) {
	case GL_ALPHA:
		to[0] = texel[3];
		return 1;
	case GL_LUMINANCE:
		to[0] = texel[0];
		return 1;
	case GL_LUMINANCE_ALPHA:
		to[0] = texel[0];
		to[1] = texel[3];
		return 2;
	default:
		memcpy(to, texel, upload.format == GL_RGB ? 3 : 4);
		return upload.format == GL_RGB ? 3 : 4;
	}
}

void pack_texels(struct upload upload, unsigned seed, unsigned level, unsigned width,
		 unsigned height, uint8_t *texels)
{
	unsigned at = 0;
	uint8_t texel[4];

	for (unsigned y = 0; y < height; y++) {
		for (unsigned x = 0; x < width; x++) {
			make_texel(seed, level, x, y, texel);
			at += put_texel(upload, texel, texels + at);
		}
		at = (at + 3) & ~3u;
	}
}
