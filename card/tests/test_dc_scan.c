// SPDX-License-Identifier: MIT
/*
 * Scan-out pixel by pixel against a reference that was written from the documentation with
 * other means: one pixel at a time, doubles and strings instead of shifts and tables.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "dc/scan.h"

#define BASE 0x40000000u
#define BYTES 0x100000u
#define WIDTH 150u
#define HEIGHT 90u

static uint8_t *memory_bytes;
static struct guest_memory memory;
static uint32_t random_state = 1;

static uint32_t random32(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return random_state >> 16 ^ random_state << 16;
}

/* What it allocates is freed by the next one, and by main(). */
static void begin(void)
{
	free(memory_bytes);
	memory_bytes = malloc(BYTES);
	for (uint32_t i = 0; i < BYTES; i++)
		memory_bytes[i] = random32() >> 8;
	memory = (struct guest_memory){ 1, { { BASE, BYTES, memory_bytes } } };
}

/* ---- the reference ---- */

/* Formats as strings: a letter for each bit, from the highest down, swizzle ARGB. */
static const struct {
	uint32_t format;
	const char *bits;
} layouts[] = {
	{ DC_FORMAT_X4R4G4B4, "xxxxrrrrggggbbbb" },
	{ DC_FORMAT_A4R4G4B4, "aaaarrrrggggbbbb" },
	{ DC_FORMAT_X1R5G5B5, "xrrrrrgggggbbbbb" },
	{ DC_FORMAT_A1R5G5B5, "arrrrrgggggbbbbb" },
	{ DC_FORMAT_R5G6B5, "rrrrrggggggbbbbb" },
	{ DC_FORMAT_X8R8G8B8, "xxxxxxxxrrrrrrrrggggggggbbbbbbbb" },
	{ DC_FORMAT_A8R8G8B8, "aaaaaaaarrrrrrrrggggggggbbbbbbbb" },
	{ DC_FORMAT_A2R10G10B10, "aarrrrrrrrrrggggggggggbbbbbbbbbb" },
};

#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static const char *layout_of(uint32_t format)
{
	for (unsigned int i = 0; i < LAYOUTS; i++)
		if (layouts[i].format == format)
			return layouts[i].bits;
	return NULL;
}

/* The bits of a pixel with another order of channels. */
static void swizzled(const char *bits, uint32_t swizzle, char *out)
{
	static const char *const orders[] = { "axrgb", "rgbax", "axbgr", "bgrax" };

	for (const char *c = orders[swizzle]; *c; c++)
		for (const char *b = bits; *b; b++)
			if (*b == *c)
				*out++ = *b;
	*out = '\0';
}

/* A channel as 0..255; 10 bits are truncated. */
static unsigned int channel(const char *bits, uint32_t pixel, char name)
{
	unsigned int value = 0, count = 0;
	int length = strlen(bits);

	for (int i = 0; i < length; i++)
		if (bits[i] == name) {
			value = 2 * value + (pixel >> (length - 1 - i) & 1);
			count++;
		}
	if (count > 8)
		return value / 4;
	/* repeating the upper bits continues the binary fraction */
	return count == 8 ? value
			  : (unsigned int)floor(value * (exp2(8 - count) + exp2(8 - 2.0 * count)));
}

/*
 * Offset of (x, y) in bytes. In a supertile a tile's number has the bits of its column and row in
 * the order of @orders, lowest first.
 */
static uint64_t reference_offset(uint32_t tile, uint32_t stride, unsigned int bytes, uint32_t x,
				 uint32_t y)
{
	static const char *const orders[] = { "xyxyxyxy", "xyyxxxyy" };
	uint32_t tx = x / 4 % 16, ty = y / 4 % 16, place = 0, weight = 1;
	uint32_t inside = y % 4 * 4 + x % 4;

	if (tile == DC_TILE_LINEAR)
		return (uint64_t)y * stride + x * bytes;
	if (tile == DC_TILE_4X4)
		return (uint64_t)(y / 4) * 4 * stride + (x / 4 * 16 + inside) * bytes;
	for (const char *c = orders[tile == DC_TILE_SUPER_GC2000]; *c; c++) {
		uint32_t *from = *c == 'x' ? &tx : &ty;

		place += *from % 2 * weight;
		*from /= 2;
		weight *= 2;
	}
	return (uint64_t)(y / 64) * 64 * stride +
	       ((uint64_t)(x / 64) * 4096 + place * 16 + inside) * bytes;
}

/* A pixel of memory, or false if it is outside. */
static bool peek(uint64_t address, unsigned int bytes, uint32_t *pixel)
{
	*pixel = 0;
	if (address < BASE || address + bytes > (uint64_t)BASE + BYTES)
		return false;
	for (unsigned int i = bytes; i--;)
		*pixel = *pixel << 8 | memory_bytes[address - BASE + i];
	return true;
}

static void reference_framebuffer(const struct dc_framebuffer *fb, uint32_t x, uint32_t y,
				  unsigned int rgb[3])
{
	const char *argb = layout_of(fb->format);
	unsigned int bytes;
	char bits[33];
	uint32_t pixel;

	if (!fb->shown || !argb || fb->tile > DC_TILE_SUPER_GC2000 || x < fb->x || y < fb->y ||
	    x >= fb->x + fb->width || y >= fb->y + fb->height)
		return;
	bytes = strlen(argb) / 8;
	if (!peek(fb->address + reference_offset(fb->tile, fb->stride, bytes, x - fb->x, y - fb->y),
		  bytes, &pixel))
		return;
	swizzled(argb, fb->swizzle, bits);
	for (int c = 0; c < 3; c++)
		rgb[c] = channel(bits, pixel, "rgb"[c]);
}

static void reference_cursor(const struct dc_cursor *cursor, int x, int y, unsigned int rgb[3])
{
	uint32_t pixel;
	double alpha;

	if (!cursor->shown || x < cursor->x || y < cursor->y ||
	    x >= cursor->x + (int)cursor->size || y >= cursor->y + (int)cursor->size ||
	    !peek(cursor->address + 4ull * ((y - cursor->y) * (int)cursor->size + (x - cursor->x)),
		  4, &pixel))
		return;
	alpha = (pixel >> 24) / 255.0;
	for (int c = 0; c < 3; c++) {
		double sum = (pixel >> (16 - 8 * c) & 0xff) + rint((1 - alpha) * rgb[c]);

		rgb[c] = sum < 255 ? sum : 255;
	}
}

static void reference(const struct dc_frame *frame, uint32_t x, uint32_t y, unsigned int rgb[3])
{
	rgb[0] = rgb[1] = rgb[2] = 0;
	if (!frame->lit)
		return;
	reference_framebuffer(&frame->fb, x, y, rgb);
	reference_cursor(&frame->cursor, x, y, rgb);
	if (!frame->gamma)
		return;
	rgb[0] = (frame->gamma[rgb[0]] / 1048576 % 1024) / 4;
	rgb[1] = (frame->gamma[rgb[1]] / 1024 % 1024) / 4;
	rgb[2] = (frame->gamma[rgb[2]] % 1024) / 4;
}

/* Compare the whole screen with the reference. @trouble: receives counts of what was not shown */
static bool matches(const struct dc_frame *frame, struct dc_trouble *trouble)
{
	uint8_t rgb[3 * WIDTH];

	*trouble = (struct dc_trouble){ 0 };
	for (uint32_t y = 0; y < frame->height; y++) {
		dc_scan_row(frame, &memory, y, rgb, trouble);
		for (uint32_t x = 0; x < frame->width; x++) {
			unsigned int want[3];

			reference(frame, x, y, want);
			if (rgb[3 * x] == want[0] && rgb[3 * x + 1] == want[1] &&
			    rgb[3 * x + 2] == want[2])
				continue;
			printf("format %u swizzle %u tile %u pixel %u,%u is %u %u %u, not %u %u %u\n",
			       frame->fb.format, frame->fb.swizzle, frame->fb.tile, x, y,
			       rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2], want[0], want[1],
			       want[2]);
			return false;
		}
	}
	return true;
}

/* ---- the tests ---- */

/* A full screen; the stride is that of 192 pixels, whole supertiles. */
static struct dc_frame full_screen(uint32_t format)
{
	return (struct dc_frame){
		.width = WIDTH,
		.height = HEIGHT,
		.lit = true,
		.fb = { .shown = true,
			.address = BASE,
			.stride = 192 * dc_format_bytes(format),
			.format = format,
			.width = WIDTH,
			.height = HEIGHT },
	};
}

TEST(every_format_swizzle_and_tile)
{
	struct dc_trouble trouble;

	begin();
	for (unsigned int i = 0; i < LAYOUTS; i++)
		for (uint32_t swizzle = 0; swizzle < 4; swizzle++)
			for (uint32_t tile = 0; tile < DC_TILE_MODES; tile++) {
				struct dc_frame frame = full_screen(layouts[i].format);

				frame.fb.swizzle = swizzle;
				frame.fb.tile = tile;
				CHECK(matches(&frame, &trouble));
				CHECK_EQ(trouble.rows + trouble.configs, 0);
			}
}

/* Colours computed by hand: the reference could have the same errors as the scan-out. */
TEST(known_colours)
{
	static const struct {
		uint32_t format, swizzle, pixel;
		uint8_t rgb[3];
	} known[] = {
		{ DC_FORMAT_X8R8G8B8, DC_SWIZZLE_ARGB, 0xff123456, { 0x12, 0x34, 0x56 } },
		{ DC_FORMAT_X8R8G8B8, DC_SWIZZLE_ABGR, 0xff123456, { 0x56, 0x34, 0x12 } },
		{ DC_FORMAT_A8R8G8B8, DC_SWIZZLE_RGBA, 0x123456ff, { 0x12, 0x34, 0x56 } },
		{ DC_FORMAT_A8R8G8B8, DC_SWIZZLE_BGRA, 0x123456ff, { 0x56, 0x34, 0x12 } },
		{ DC_FORMAT_R5G6B5, DC_SWIZZLE_ARGB, 0xf800, { 0xff, 0, 0 } },
		{ DC_FORMAT_R5G6B5, DC_SWIZZLE_ABGR, 0xf800, { 0, 0, 0xff } },
		{ DC_FORMAT_R5G6B5, DC_SWIZZLE_ARGB, 0x0410, { 0, 0x82, 0x84 } },
		{ DC_FORMAT_A1R5G5B5, DC_SWIZZLE_ARGB, 0x7c00, { 0xff, 0, 0 } },
		{ DC_FORMAT_X4R4G4B4, DC_SWIZZLE_ARGB, 0xf18c, { 0x11, 0x88, 0xcc } },
		{ DC_FORMAT_A2R10G10B10, DC_SWIZZLE_ARGB, 0x3ff00000, { 0xff, 0, 0 } },
		{ DC_FORMAT_A2R10G10B10, DC_SWIZZLE_ABGR, 0x00000203, { 0x80, 0, 0 } },
	};

	begin();
	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct dc_frame frame = full_screen(known[i].format);
		struct dc_trouble trouble = { 0 };
		uint8_t rgb[3 * WIDTH];

		frame.fb.swizzle = known[i].swizzle;
		memcpy(memory_bytes, &known[i].pixel, 4);
		dc_scan_row(&frame, &memory, 0, rgb, &trouble);
		CHECK(!memcmp(rgb, known[i].rgb, 3));
	}
}

TEST(framebuffers_that_do_not_fill_the_screen)
{
	struct dc_trouble trouble;

	begin();
	for (uint32_t tile = 0; tile < DC_TILE_MODES; tile++) {
		struct dc_frame frame = full_screen(DC_FORMAT_R5G6B5);

		frame.fb.tile = tile;
		frame.fb.x = 7;
		frame.fb.y = 11;
		frame.fb.width = 101;
		frame.fb.height = 67;
		CHECK(matches(&frame, &trouble));
		frame.fb.x = WIDTH - 1;
		frame.fb.width = 1;
		CHECK(matches(&frame, &trouble));
	}
}

TEST(cursors_at_and_over_every_edge)
{
	static const int over[] = { -300, -256, -255, -64, -63, -33, -32, -31, -1, 0, 1, 50 };
	struct dc_trouble trouble;

	begin();
	for (uint32_t size = 32; size <= 256; size *= 2)
		for (unsigned int ix = 0; ix < 24; ix += 1 + (size > 32))
			for (unsigned int iy = 0; iy < 24; iy += 1 + (size > 32)) {
				struct dc_frame frame = full_screen(DC_FORMAT_X8R8G8B8);
				int x = over[ix % 12], y = over[iy % 12];

				/* the same from the right and bottom edges */
				frame.cursor = (struct dc_cursor){
					.shown = true,
					.address = BASE + 0x20000,
					.size = size,
					.x = ix < 12 ? x : (int)WIDTH + x,
					.y = iy < 12 ? y : (int)HEIGHT + y,
				};
				frame.height = size > 64 ? 40 : HEIGHT;
				CHECK(matches(&frame, &trouble));
				CHECK_EQ(trouble.rows, 0);
			}
}

/* All alphas, each with random colours over random colours. */
TEST(blending)
{
	struct dc_trouble trouble;

	begin();
	for (unsigned int alpha = 0; alpha < 256; alpha++) {
		struct dc_frame frame = full_screen(DC_FORMAT_X8R8G8B8);

		for (unsigned int i = 0; i < 32 * 32; i++) {
			uint32_t pixel = alpha << 24 | (random32() & 0xffffff);

			memcpy(memory_bytes + 0x20000 + 4 * i, &pixel, 4);
		}
		frame.height = 32;
		frame.cursor = (struct dc_cursor){ true, BASE + 0x20000, 32, 3, 0 };
		CHECK(matches(&frame, &trouble));
	}
}

TEST(opaque_and_transparent_cursors)
{
	struct dc_frame frame = full_screen(DC_FORMAT_X8R8G8B8);
	struct dc_trouble trouble = { 0 };
	const uint32_t pixels[2] = { 0xff102030, 0x00000000 };
	uint8_t without[3 * WIDTH], rgb[3 * WIDTH];

	begin();
	dc_scan_row(&frame, &memory, 0, without, &trouble);
	memcpy(memory_bytes + 0x20000, pixels, sizeof(pixels));
	frame.cursor = (struct dc_cursor){ true, BASE + 0x20000, 32, 10, 0 };
	dc_scan_row(&frame, &memory, 0, rgb, &trouble);
	CHECK(!memcmp(rgb + 30, "\x10\x20\x30", 3));
	CHECK(!memcmp(rgb + 33, without + 33, 3));
	CHECK(!memcmp(rgb, without, 30));
}

TEST(gamma)
{
	uint32_t table[DC_GAMMA_ENTRIES];
	struct dc_trouble trouble;

	begin();
	for (unsigned int i = 0; i < DC_GAMMA_ENTRIES; i++)
		table[i] = random32() & DC_GAMMA_DATA_MASK;
	for (unsigned int i = 0; i < LAYOUTS; i++) {
		struct dc_frame frame = full_screen(layouts[i].format);

		frame.gamma = table;
		frame.cursor = (struct dc_cursor){ true, BASE + 0x20000, 64, 20, 20 };
		CHECK(matches(&frame, &trouble));
	}
}

TEST(an_unlit_screen_is_black)
{
	struct dc_frame frame = full_screen(DC_FORMAT_X8R8G8B8);
	uint32_t white[DC_GAMMA_ENTRIES];
	struct dc_trouble trouble;

	begin();
	memset(white, 0x3f, sizeof(white));
	frame.lit = false;
	frame.gamma = white;
	frame.cursor = (struct dc_cursor){ true, BASE, 64, 20, 20 };
	CHECK(matches(&frame, &trouble));
	CHECK_EQ(dc_frame_bytes(&frame), 0);
}

/* Addresses of surfaces that begin before, end past or are outside of memory. */
static const uint32_t outside[] = {
	0, BASE - 16, BASE - 700 * 16, BASE + BYTES - 20000, BASE + BYTES, 0xfffffff0, 0xffff0000
};

TEST(tiles_outside_memory_are_black)
{
	struct dc_trouble trouble;

	begin();
	for (unsigned int i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		for (uint32_t tile = DC_TILE_4X4; tile < DC_TILE_MODES; tile++) {
			struct dc_frame frame = full_screen(DC_FORMAT_X8R8G8B8);

			frame.fb.address = outside[i];
			frame.fb.tile = tile;
			CHECK(matches(&frame, &trouble));
			CHECK(trouble.rows > 0);
		}
}

/* A row partly outside of memory is black, also at odd addresses; a cursor's row is not drawn. */
TEST(rows_outside_memory_are_black)
{
	static const uint8_t black[3 * WIDTH];
	uint8_t rgb[3 * WIDTH];

	begin();
	memset(memory_bytes, 0xff, BYTES);
	for (unsigned int i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		for (int odd = -1; odd < 2; odd++) {
			struct dc_frame frame = full_screen(DC_FORMAT_X8R8G8B8);
			struct dc_trouble trouble = { 0 };
			unsigned int dark = 0;

			frame.fb.address = outside[i] + odd;
			frame.cursor = (struct dc_cursor){ true, BASE + BYTES - 1000, 64, 20, 80 };
			for (uint32_t y = 0; y < HEIGHT; y++) {
				dc_scan_row(&frame, &memory, y, rgb, &trouble);
				dark += !memcmp(rgb, black, sizeof(rgb));
			}
			CHECK(dark > 0);
			CHECK(trouble.rows >= dark);
		}
}

TEST(what_has_no_meaning_is_black)
{
	struct dc_trouble trouble;

	begin();
	for (uint32_t format = 0; format < 64; format++) {
		struct dc_frame frame = full_screen(format);

		CHECK(matches(&frame, &trouble));
		CHECK_EQ(trouble.configs, dc_format_bytes(format) ? 0 : HEIGHT);
		frame.fb.tile = DC_TILE_MODES + format % 28; /* a field of five bits */
		CHECK(matches(&frame, &trouble));
		CHECK_EQ(trouble.configs, HEIGHT);
	}
}

TEST(bytes_of_a_frame)
{
	struct dc_frame frame = full_screen(DC_FORMAT_R5G6B5);

	CHECK_EQ(dc_frame_bytes(&frame), 2 * WIDTH * HEIGHT);
	frame.cursor = (struct dc_cursor){ true, BASE, 64, -10, (int)HEIGHT - 4 };
	CHECK_EQ(dc_frame_bytes(&frame), 2 * WIDTH * HEIGHT + 4 * 54 * 4);
	frame.cursor.x = -64;
	CHECK_EQ(dc_frame_bytes(&frame), 2 * WIDTH * HEIGHT);
	frame.fb.shown = false;
	CHECK_EQ(dc_frame_bytes(&frame), 0);
}

int main(void)
{
	int status = test_all();

	free(memory_bytes);
	return status;
}
