// SPDX-License-Identifier: MIT
/*
 * pixels: what vivgpu-frame makes of pixels of 4 to 10 bits a channel, in several orders of
 * channels, with and without alpha. Not each format that it reads is among them. Prints what is
 * wrong; the exit status tells.
 */

#include <stdio.h>
#include <string.h>

#include <drm_fourcc.h>

#include "pixels.h"

/*
 * Of each format the pixels, as little-endian numbers, that are all ones in one channel and zero in
 * the others: they must become pure red, green and blue.
 */
static const struct sample {
	uint32_t format;
	const char *name;
	uint32_t red, green, blue;
} samples[] = {
#define SAMPLE(name, red, green, blue) { DRM_FORMAT_##name, #name, red, green, blue }
	SAMPLE(XRGB2101010, 0x3ffu << 20, 0x3ffu << 10, 0x3ffu),
	SAMPLE(ARGB2101010, 0x3ffu << 20, 0x3ffu << 10, 0x3ffu),
	SAMPLE(XBGR2101010, 0x3ffu, 0x3ffu << 10, 0x3ffu << 20),
	SAMPLE(ABGR2101010, 0x3ffu, 0x3ffu << 10, 0x3ffu << 20),
	SAMPLE(RGBX1010102, 0x3ffu << 22, 0x3ffu << 12, 0x3ffu << 2),
	SAMPLE(BGRA1010102, 0x3ffu << 2, 0x3ffu << 12, 0x3ffu << 22),
	SAMPLE(XRGB8888, 0xffu << 16, 0xffu << 8, 0xffu),
	SAMPLE(ARGB8888, 0xffu << 16, 0xffu << 8, 0xffu),
	SAMPLE(XBGR8888, 0xffu, 0xffu << 8, 0xffu << 16),
	SAMPLE(RGBX8888, 0xffu << 24, 0xffu << 16, 0xffu << 8),
	SAMPLE(BGRA8888, 0xffu << 8, 0xffu << 16, 0xffu << 24),
	SAMPLE(RGB565, 0x1fu << 11, 0x3fu << 5, 0x1fu),
	SAMPLE(BGR565, 0x1fu, 0x3fu << 5, 0x1fu << 11),
	SAMPLE(XRGB1555, 0x1fu << 10, 0x1fu << 5, 0x1fu),
	SAMPLE(RGBA5551, 0x1fu << 11, 0x1fu << 6, 0x1fu << 1),
	SAMPLE(XBGR4444, 0xfu, 0xfu << 4, 0xfu << 8),
	SAMPLE(RGBA4444, 0xfu << 12, 0xfu << 8, 0xfu << 4),
};

static int failures;

static void expect(const char *format, const char *what, uint32_t format_id, uint32_t pixel,
		   uint32_t rgb)
{
	uint8_t bytes[4] = { pixel, pixel >> 8, pixel >> 16, pixel >> 24 }, got[3] = { 0 };

	if (pixels_bytes(format_id))
		pixels_to_rgb(format_id, bytes, got, 1);
	if (pixels_bytes(format_id) && ((uint32_t)got[0] << 16 | got[1] << 8 | got[2]) == rgb)
		return;
	printf("%s, %s: %02x%02x%02x, not %06x\n", format, what, got[0], got[1], got[2], rgb);
	failures++;
}

int main(void)
{
	static const uint8_t row[] = { 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x3f };
	static const uint8_t white[6] = { 0, 0, 0, 255, 255, 255 };
	uint8_t rgb[6];

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *s = &samples[i];

		expect(s->name, "red", s->format, s->red, 0xff0000);
		expect(s->name, "green", s->format, s->green, 0x00ff00);
		expect(s->name, "blue", s->format, s->blue, 0x0000ff);
		expect(s->name, "black", s->format, 0, 0);
	}
	/* As the display does it: wide channels lose bits, narrow ones repeat them. */
	expect("XRGB2101010", "513", DRM_FORMAT_XRGB2101010, 513u << 20 | 3u, 0x800000);
	expect("RGB565", "17, 33", DRM_FORMAT_RGB565, 17u << 11 | 33u << 5, 0x8c8600);
	pixels_to_rgb(DRM_FORMAT_XBGR2101010, row, rgb, 2);
	if (memcmp(rgb, white, sizeof(rgb)) != 0) {
		printf("a row is wrong\n");
		failures++;
	}
	if (pixels_bytes(DRM_FORMAT_NV12)) {
		printf("NV12 is taken for a packed format\n");
		failures++;
	}
	return failures != 0;
}
