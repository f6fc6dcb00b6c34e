// SPDX-License-Identifier: MIT
/*
 * Rows are read as words 0x00RRGGBB, blended with the cursor's row, converted by the gamma
 * table and packed to bytes. Addresses are checked once per row, of tiled framebuffers per tile.
 */
#include "dc/scan.h"

#include <string.h>

#include "gc/layout.h"

/* Bits per channel, from the highest bits down with swizzle ARGB. */
struct format {
	uint8_t bytes, a, r, g, b;
};

static const struct format formats[] = {
	[DC_FORMAT_X4R4G4B4] = { 2, 4, 4, 4, 4 }, [DC_FORMAT_A4R4G4B4] = { 2, 4, 4, 4, 4 },
	[DC_FORMAT_X1R5G5B5] = { 2, 1, 5, 5, 5 }, [DC_FORMAT_A1R5G5B5] = { 2, 1, 5, 5, 5 },
	[DC_FORMAT_R5G6B5] = { 2, 0, 5, 6, 5 },   [DC_FORMAT_X8R8G8B8] = { 4, 8, 8, 8, 8 },
	[DC_FORMAT_A8R8G8B8] = { 4, 8, 8, 8, 8 }, [DC_FORMAT_A2R10G10B10] = { 4, 2, 10, 10, 10 },
};

/* Where a pixel's colour channels are. */
struct channel {
	uint8_t shift, bits;
};

struct channels {
	struct channel r, g, b;
};

unsigned int dc_format_bytes(uint32_t format)
{
	return format < sizeof(formats) / sizeof(formats[0]) ? formats[format].bytes : 0;
}

/* The channel below those placed before. */
static struct channel place(uint8_t bits, uint8_t *top)
{
	*top -= bits;
	return (struct channel){ *top, bits };
}

static struct channels find_channels(const struct format *f, uint32_t swizzle)
{
	bool alpha_first = swizzle == DC_SWIZZLE_ARGB || swizzle == DC_SWIZZLE_ABGR;
	uint8_t top = 8 * f->bytes - (alpha_first ? f->a : 0);
	struct channels c;

	if (swizzle == DC_SWIZZLE_ARGB || swizzle == DC_SWIZZLE_RGBA) {
		c.r = place(f->r, &top);
		c.g = place(f->g, &top);
		c.b = place(f->b, &top);
	} else {
		c.b = place(f->b, &top);
		c.g = place(f->g, &top);
		c.r = place(f->r, &top);
	}
	return c;
}

/*
 * Convert a channel to eight bits: narrow ones repeat their upper bits, wide ones drop the
 * lower ones.
 */
static uint32_t widen(uint32_t pixel, struct channel c)
{
	uint32_t value = pixel >> c.shift & ((1u << c.bits) - 1);

	return c.bits >= 8 ? value >> (c.bits - 8)
			   : value << (8 - c.bits) | value >> (2 * c.bits - 8);
}

static uint32_t load_pixel(const uint8_t *at, unsigned int bytes)
{
	uint32_t pixel = at[0] | at[1] << 8;

	return bytes == 2 ? pixel : pixel | at[2] << 16 | (uint32_t)at[3] << 24;
}

static void convert(uint32_t *row, const uint8_t *from, uint32_t count, unsigned int bytes,
		    const struct channels *c)
{
	for (uint32_t x = 0; x < count; x++) {
		uint32_t pixel = load_pixel(from + (size_t)x * bytes, bytes);

		row[x] = widen(pixel, c->r) << 16 | widen(pixel, c->g) << 8 | widen(pixel, c->b);
	}
}

/* The most common format: the channels are in place. */
static void convert_xrgb8888(uint32_t *row, const uint8_t *from, uint32_t count)
{
	for (uint32_t x = 0; x < count; x++)
		row[x] = load_pixel(from + (size_t)x * 4, 4) & 0xffffff;
}

static void convert_any(const struct dc_framebuffer *fb, uint32_t *row, const uint8_t *from,
			uint32_t count)
{
	const struct format *f = &formats[fb->format];
	const struct channels c = find_channels(f, fb->swizzle);

	if (f->r == 8 && c.r.shift == 16)
		convert_xrgb8888(row, from, count);
	else
		convert(row, from, count, f->bytes, &c);
}

static bool fetch_linear(const struct dc_framebuffer *fb, const struct guest_memory *memory,
			 uint32_t y, uint32_t *row)
{
	uint64_t address = fb->address + (uint64_t)y * fb->stride;
	const uint8_t *from =
		guest_memory_at(memory, address, (uint64_t)fb->width * dc_format_bytes(fb->format));

	if (from)
		convert_any(fb, row, from, fb->width);
	return from;
}

/*
 * Byte offset of the tile in column @x and row @y of tiles of 4 x 4 pixels; 64 bits, as height
 * times stride may exceed 32. Supertiles have 16 x 16 tiles, in an order of gc/layout.h.
 */
static uint64_t tile_offset(const struct dc_framebuffer *fb, unsigned int bytes, uint32_t x,
			    uint32_t y)
{
	unsigned int mode = fb->tile == DC_TILE_SUPER_GC2000 ? 1 : 2;

	if (fb->tile == DC_TILE_4X4)
		return (uint64_t)y * 4 * fb->stride + (uint64_t)x * 16 * bytes;
	return (uint64_t)(y >> 4) * 64 * fb->stride +
	       gc_layout_tile(GC_SUPERTILED, mode, 0, bytes, x, y & 15);
}

/* Reads four pixels of each tile along the row. */
static bool fetch_tiled(const struct dc_framebuffer *fb, const struct guest_memory *memory,
			uint32_t y, uint32_t *row)
{
	unsigned int bytes = dc_format_bytes(fb->format);
	bool good = true;

	for (uint32_t x = 0; x < fb->width; x += 4) {
		uint32_t count = fb->width - x < 4 ? fb->width - x : 4;
		uint64_t offset = tile_offset(fb, bytes, x / 4, y / 4) + (y % 4) * 4 * bytes;
		const uint8_t *from =
			guest_memory_at(memory, fb->address + offset, (uint64_t)count * bytes);

		if (from)
			convert_any(fb, row + x, from, count);
		good &= from != NULL;
	}
	return good;
}

/* Pixels that are not covered stay black. The row has room: decode.c clips fb to the screen. */
static void fetch_framebuffer(const struct dc_frame *frame, const struct guest_memory *memory,
			      uint32_t y, uint32_t *row, struct dc_trouble *trouble)
{
	const struct dc_framebuffer *fb = &frame->fb;
	bool good;

	if (!fb->shown || y < fb->y || y - fb->y >= fb->height)
		return;
	if (!dc_format_bytes(fb->format) || fb->tile >= DC_TILE_MODES) {
		trouble->configs++;
		return;
	}
	if (fb->tile == DC_TILE_LINEAR)
		good = fetch_linear(fb, memory, y - fb->y, row + fb->x);
	else
		good = fetch_tiled(fb, memory, y - fb->y, row + fb->x);
	trouble->rows += !good;
}

/* The cursor's colours (@over) are premultiplied by its alpha. */
static uint32_t blend_channel(uint32_t over, uint32_t below, uint32_t alpha)
{
	uint32_t sum = over + ((255 - alpha) * below + 127) / 255;

	return sum < 255 ? sum : 255;
}

static uint32_t blend(uint32_t over, uint32_t below)
{
	uint32_t alpha = over >> 24;

	return blend_channel(over >> 16 & 0xff, below >> 16 & 0xff, alpha) << 16 |
	       blend_channel(over >> 8 & 0xff, below >> 8 & 0xff, alpha) << 8 |
	       blend_channel(over & 0xff, below & 0xff, alpha);
}

static void blend_cursor(const struct dc_frame *frame, const struct guest_memory *memory,
			 uint32_t y, uint32_t *row, struct dc_trouble *trouble)
{
	const struct dc_cursor *c = &frame->cursor;
	int64_t line = (int64_t)y - c->y;
	const uint8_t *image;

	if (!c->shown || line < 0 || line >= c->size)
		return;
	image = guest_memory_at(memory, c->address + (uint64_t)line * c->size * 4,
				(uint64_t)c->size * 4);
	if (!image) {
		trouble->rows++;
		return;
	}
	for (uint32_t i = 0; i < c->size; i++) {
		int64_t x = (int64_t)c->x + i;

		if (x >= 0 && x < frame->width)
			row[x] = blend(load_pixel(image + (size_t)4 * i, 4), row[x]);
	}
}

static void pack(const uint32_t *row, uint32_t count, uint8_t *rgb)
{
	for (uint32_t x = 0; x < count; x++) {
		rgb[3 * x + 0] = row[x] >> 16;
		rgb[3 * x + 1] = row[x] >> 8;
		rgb[3 * x + 2] = row[x];
	}
}

/* The upper eight of the ten bits per channel of a gamma entry. */
static void look_up(const uint32_t *gamma, uint32_t count, uint8_t *rgb)
{
	for (uint32_t x = 0; x < count; x++) {
		rgb[3 * x + 0] = gamma[rgb[3 * x + 0]] >> 22;
		rgb[3 * x + 1] = gamma[rgb[3 * x + 1]] >> 12;
		rgb[3 * x + 2] = gamma[rgb[3 * x + 2]] >> 2;
	}
}

void dc_scan_row(const struct dc_frame *frame, const struct guest_memory *memory, uint32_t y,
		 uint8_t *rgb, struct dc_trouble *trouble)
{
	uint32_t row[DC_MAX_SCREEN_SIZE];

	memset(row, 0, frame->width * sizeof(row[0]));
	if (frame->lit) {
		fetch_framebuffer(frame, memory, y, row, trouble);
		blend_cursor(frame, memory, y, row, trouble);
	}
	pack(row, frame->width, rgb);
	if (frame->lit && frame->gamma)
		look_up(frame->gamma, frame->width, rgb);
}

/* Number of the @size pixels from @at on that lie between 0 and @most. */
static uint64_t visible(int64_t at, int64_t size, int64_t most)
{
	int64_t first = at < 0 ? 0 : at;
	int64_t end = at + size < most ? at + size : most;

	return end > first ? end - first : 0;
}

uint64_t dc_frame_bytes(const struct dc_frame *frame)
{
	const struct dc_framebuffer *fb = &frame->fb;
	const struct dc_cursor *c = &frame->cursor;
	uint64_t bytes = 0;

	if (!frame->lit)
		return 0;
	if (fb->shown && fb->tile < DC_TILE_MODES)
		bytes += (uint64_t)fb->width * fb->height * dc_format_bytes(fb->format);
	if (c->shown)
		bytes += visible(c->x, c->size, frame->width) *
			 visible(c->y, c->size, frame->height) * 4;
	return bytes;
}
