/* SPDX-License-Identifier: MIT */
/* Reference pictures: an independent implementation of Documentation/card/display.rst. */
#ifndef TESTS_KMS_REFERENCE_H
#define TESTS_KMS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pixels of 8 bits per channel: red, green, blue */
struct screen {
	uint32_t width, height;
	uint8_t *rgb;
};

void screen_create(struct screen *screen, uint32_t width, uint32_t height);
void screen_free(struct screen *screen);
uint32_t screen_crc(const struct screen *screen);
void screen_set(struct screen *screen, int x, int y, const uint8_t rgb[3]);
/** screen_blend - blend a pixel of premultiplied A8R8G8B8; pixels outside are ignored. */
void screen_blend(struct screen *screen, int x, int y, uint32_t argb);
/** screen_gamma - replace each channel by its table's entry, which has 8 bits. */
void screen_gamma(struct screen *screen, const uint16_t table[3][256]);

struct pixel_format {
	uint32_t fourcc;
	const char *name;
	unsigned int bits;
	/* Position and width of red, green, blue, alpha in a pixel's word. */
	struct {
		unsigned char shift, width;
	} channel[4];
};

extern const struct pixel_format pixel_formats[];
extern const size_t pixel_format_count;
const struct pixel_format *pixel_format_find(uint32_t fourcc);

/** pixel_rgb - convert a pixel's word to 8 bits per channel. */
void pixel_rgb(const struct pixel_format *format, uint32_t word, uint8_t rgb[3]);

/** pixel_offset - byte offset of a pixel in a tiled layout. */
size_t pixel_offset(uint64_t modifier, uint32_t pitch, uint32_t cpp, uint32_t x, uint32_t y);

#endif
