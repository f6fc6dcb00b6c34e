// SPDX-License-Identifier: MIT
/*
 * The displayed picture equals the reference, by its checksum: every format and tiling, plane and
 * cursor at and beyond every edge, gamma.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include "reference.h"
#include "rig.h"

#define WIDTH 640
#define HEIGHT 432
#define SEED 0x9e3779b9u

static const uint64_t modifiers[] = { DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_VIVANTE_TILED,
				      DRM_FORMAT_MOD_VIVANTE_SUPER_TILED };
static const char *const modifier_names[] = { "linear", "tiled", "supertiled" };

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Fill a buffer with noise, and @picture with the picture that it shows. */
static void draw_noise(struct buffer *buffer, struct screen *picture)
{
	const struct pixel_format *format = pixel_format_find(buffer->format);
	uint32_t cpp = format->bits / 8, state = SEED ^ buffer->format;
	uint8_t rgb[3];

	for (uint32_t y = 0; y < buffer->height; y++) {
		for (uint32_t x = 0; x < buffer->width; x++) {
			uint32_t word = next_random(&state);

			if (cpp == 2)
				word &= 0xffff;
			memcpy(buffer->pixels +
				       pixel_offset(buffer->modifier, buffer->pitch, cpp, x, y),
			       &word, cpp);
			pixel_rgb(format, word, rgb);
			screen_set(picture, x, y, rgb);
		}
	}
}

static bool crc_equals(struct rig *rig, int crcs, const struct screen *screen, uint32_t *got)
{
	return shown_crc(rig, crcs, got) && *got == screen_crc(screen);
}

/* Show a new buffer, which is black until the caller draws into it, and open the checksums. */
static bool prepare(struct rig *rig, struct buffer *black, int *crcs)
{
	const drmModeModeInfo *mode = rig_mode(rig, WIDTH, HEIGHT);

	if (!expect(mode, "the monitor offers %dx%d", WIDTH, HEIGHT))
		return false;
	if (!expect(!buffer_create(rig, black, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888,
				   DRM_FORMAT_MOD_LINEAR),
		    "a black buffer") ||
	    !expect(!rig_show(rig, mode, black), "the mode is set"))
		return false;
	*crcs = crc_open();
	return expect(*crcs >= 0, "checksums");
}

/* A removed framebuffer leaves its plane off, so all of the plane is set. */
static int show(struct rig *rig, const struct buffer *buffer)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();

	set_plane(rig, req, rig->primary, buffer, 0, 0, 0, 0, buffer->width, buffer->height);
	return commit(rig, req, 0);
}

static void test_format(struct rig *rig, int crcs, const struct pixel_format *format, int m)
{
	struct buffer buffer;
	struct screen screen;
	uint32_t got = 0;
	bool ok;

	screen_create(&screen, WIDTH, HEIGHT);
	ok = !buffer_create(rig, &buffer, WIDTH, HEIGHT, format->fourcc, modifiers[m]);
	if (ok) {
		draw_noise(&buffer, &screen);
		ok = !show(rig, &buffer) && crc_equals(rig, crcs, &screen, &got);
	}
	expect(ok, "%s %s: %08x, expected %08x", format->name, modifier_names[m], got,
	       screen_crc(&screen));
	buffer_destroy(rig, &buffer);
	screen_free(&screen);
}

/* Replace a buffer's framebuffer by one that is made without a modifier. Returns the error. */
static int add_without_modifier(struct rig *rig, struct buffer *buffer)
{
	uint32_t handles[4] = { buffer->handle }, pitches[4] = { buffer->pitch };
	uint32_t offsets[4] = { 0 };

	drmModeRmFB(rig->fd, buffer->id);
	buffer->id = 0;
	return drmModeAddFB2(rig->fd, buffer->width, buffer->height, buffer->format, handles,
			     pitches, offsets, &buffer->id, 0)
		       ? -errno
		       : 0;
}

/* A framebuffer that is made without a modifier has the one that its buffer was given. */
static void test_modifier_of_buffer(struct rig *rig, int crcs, int m)
{
	struct drm_vivgpu_bo_modifier set = { .flags = DRM_VIVGPU_MODIFIER_SET,
					      .modifier = modifiers[m] };
	struct buffer buffer;
	struct screen screen;
	uint32_t got = 0;
	drmModeFB2 *info;

	screen_create(&screen, WIDTH, HEIGHT);
	if (expect(!buffer_create(rig, &buffer, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, modifiers[m]),
		   "a %s buffer", modifier_names[m])) {
		draw_noise(&buffer, &screen);
		set.handle = buffer.handle;
		expect(!drmIoctl(rig->fd, DRM_IOCTL_VIVGPU_BO_MODIFIER, &set) &&
			       !add_without_modifier(rig, &buffer) && !show(rig, &buffer) &&
			       crc_equals(rig, crcs, &screen, &got),
		       "%s by its buffer: %08x, expected %08x", modifier_names[m], got,
		       screen_crc(&screen));
		info = drmModeGetFB2(rig->fd, buffer.id);
		expect(info && info->modifier == modifiers[m], "%s is told by GETFB2",
		       modifier_names[m]);
		drmModeFreeFB2(info);
	}
	buffer_destroy(rig, &buffer);
	screen_free(&screen);
}

/*
 * A part of a buffer somewhere on the screen, the rest of which is black. @place: x and y in the
 * buffer, x and y on the screen, width and height.
 */
static void test_place(struct rig *rig, int crcs, struct buffer *buffer, const struct screen *noise,
		       const int place[6])
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	struct screen screen;
	uint32_t got = 0;
	int ret;

	screen_create(&screen, WIDTH, HEIGHT);
	for (int y = 0; y < place[5]; y++)
		for (int x = 0; x < place[4]; x++)
			screen_set(&screen, place[2] + x, place[3] + y,
				   noise->rgb + 3 * ((place[1] + y) * noise->width + place[0] + x));
	set_plane(rig, req, rig->primary, buffer, place[0], place[1], place[2], place[3], place[4],
		  place[5]);
	ret = commit(rig, req, 0);
	expect(!ret && crc_equals(rig, crcs, &screen, &got),
	       "%s part %d,%d %dx%d at %d,%d: %d, %08x, expected %08x",
	       buffer->modifier ? "tiled" : "linear", place[0], place[1], place[4], place[5],
	       place[2], place[3], ret, got, screen_crc(&screen));
	screen_free(&screen);
}

static void test_places(struct rig *rig, int crcs)
{
	static const int places[][6] = {
		{ 0, 0, 100, 60, 256, 128 },   { 64, 64, 0, 0, 192, 64 },
		{ 0, 0, -64, -64, 256, 128 },  { 0, 0, 500, 400, 256, 128 },
		{ 128, 64, 639, 431, 64, 64 }, { 0, 0, -192, 100, 256, 128 },
	};
	static const int odd[6] = { 3, 5, 17, 13, 201, 99 };

	for (size_t m = 0; m < 3; m++) {
		struct buffer buffer;
		struct screen noise;

		screen_create(&noise, 256, 128);
		if (expect(!buffer_create(rig, &buffer, 256, 128, DRM_FORMAT_XRGB8888,
					  modifiers[m]),
			   "a small buffer")) {
			draw_noise(&buffer, &noise);
			for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
				test_place(rig, crcs, &buffer, &noise, places[i]);
			if (!modifiers[m])
				test_place(rig, crcs, &buffer, &noise, odd);
		}
		buffer_destroy(rig, &buffer);
		screen_free(&noise);
	}
}

void test_pictures(struct rig *rig)
{
	struct buffer black;
	struct screen screen;
	uint32_t got = 0;
	int crcs;

	if (!prepare(rig, &black, &crcs))
		return;
	screen_create(&screen, WIDTH, HEIGHT);
	expect(crc_equals(rig, crcs, &screen, &got), "black");
	screen_free(&screen);
	for (size_t f = 0; f < pixel_format_count; f++)
		for (int m = 0; m < 3; m++)
			test_format(rig, crcs, &pixel_formats[f], m);
	for (int m = 0; m < 3; m++)
		test_modifier_of_buffer(rig, crcs, m);
	test_places(rig, crcs);
	close(crcs);
	buffer_destroy(rig, &black);
}

/* The cursor's image: noise whose channels are not above its alpha. */
static void draw_cursor(struct buffer *buffer)
{
	uint32_t state = SEED;

	for (uint32_t i = 0; i < buffer->pitch / 4 * buffer->height; i++) {
		uint32_t word = next_random(&state), alpha = word >> 24;

		for (int shift = 0; shift < 24; shift += 8) {
			uint32_t value = word >> shift & 0xff;

			word -= value << shift;
			word |= value * alpha / 255 << shift;
		}
		memcpy(buffer->pixels + 4 * i, &word, 4);
	}
}

/* A part of a buffer as cursor: where it is in the image, and its size. */
struct cursor_part {
	const struct buffer *image;
	int src_x, src_y, width, height;
};

static void blend_part(struct screen *screen, const struct cursor_part *part, int x, int y)
{
	const struct buffer *image = part->image;
	uint32_t word;

	for (int row = 0; row < part->height; row++) {
		for (int column = 0; column < part->width; column++) {
			memcpy(&word,
			       image->pixels + (size_t)(part->src_y + row) * image->pitch +
				       4 * (size_t)(part->src_x + column),
			       4);
			screen_blend(screen, x + column, y + row, word);
		}
	}
}

static bool cursor_is_right(struct rig *rig, int crcs, const struct screen *below,
			    const struct cursor_part *part, int x, int y)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	struct screen screen;
	uint32_t got = 0;
	bool ok;

	screen_create(&screen, WIDTH, HEIGHT);
	memcpy(screen.rgb, below->rgb, WIDTH * HEIGHT * 3);
	blend_part(&screen, part, x, y);
	set_plane(rig, req, rig->cursor, part->image, part->src_x, part->src_y, x, y, part->width,
		  part->height);
	ok = !commit(rig, req, 0) && crc_equals(rig, crcs, &screen, &got);
	if (!ok)
		expect(false, "cursor of %dx%d at %d,%d: %08x, expected %08x", part->width,
		       part->height, x, y, got, screen_crc(&screen));
	screen_free(&screen);
	return ok;
}

static void test_cursor_part(struct rig *rig, int crcs, const struct screen *below,
			     const struct cursor_part *part)
{
	const int w = part->width, h = part->height;
	const int xs[] = { -w, 1 - w, -1, 0, 1, WIDTH / 2, WIDTH - w, WIDTH - 1, WIDTH };
	const int ys[] = { -h, 1 - h, -1, 0, 1, HEIGHT / 2, HEIGHT - h, HEIGHT - 1, HEIGHT };
	const size_t count = sizeof(xs) / sizeof(xs[0]);
	bool ok = true;

	for (size_t i = 0; i < count * count; i++)
		ok &= cursor_is_right(rig, crcs, below, part, xs[i % count], ys[i / count]);
	expect(ok, "cursor of %dx%d from %d,%d of %ux%u at %zu places at and over every edge", w, h,
	       part->src_x, part->src_y, part->image->width, part->image->height, count * count);
}

/* A cursor's image, not part of a larger buffer: width, height. */
static void test_cursor_size(struct rig *rig, int crcs, const struct screen *below,
			     const int size[2])
{
	struct cursor_part part = { .width = size[0], .height = size[1] };
	struct buffer image;

	if (!expect(!buffer_create(rig, &image, size[0], size[1], DRM_FORMAT_ARGB8888,
				   DRM_FORMAT_MOD_LINEAR),
		    "an image of %dx%d", size[0], size[1]))
		return;
	draw_cursor(&image);
	part.image = &image;
	test_cursor_part(rig, crcs, below, &part);
	buffer_destroy(rig, &image);
}

/* Parts of a larger image; the display block can read the second one in place. */
static void test_cursor_parts(struct rig *rig, int crcs, const struct screen *below)
{
	struct cursor_part parts[] = {
		{ .src_x = 13, .src_y = 7, .width = 40, .height = 20 },
		{ .src_x = 0, .src_y = 50, .width = 128, .height = 128 },
		{ .src_x = 1, .src_y = 50, .width = 64, .height = 64 },
	};
	struct buffer image;

	if (!expect(!buffer_create(rig, &image, 128, 200, DRM_FORMAT_ARGB8888,
				   DRM_FORMAT_MOD_LINEAR),
		    "an image of 128x200"))
		return;
	draw_cursor(&image);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		parts[i].image = &image;
		test_cursor_part(rig, crcs, below, &parts[i]);
	}
	buffer_destroy(rig, &image);
}

/*
 * The next commit shows what was drawn in the meantime, whether the driver copies the image or not.
 */
static void test_cursor_drawing(struct rig *rig, int crcs, const struct screen *below, int side)
{
	struct buffer image;
	struct cursor_part part = { .image = &image, .width = side, .height = side };
	bool ok;

	if (!expect(!buffer_create(rig, &image, side, side, DRM_FORMAT_ARGB8888,
				   DRM_FORMAT_MOD_LINEAR),
		    "an image of %d", side))
		return;
	memset(image.pixels, 0xff, image.size);
	ok = cursor_is_right(rig, crcs, below, &part, 100, 100);
	draw_cursor(&image);
	ok &= cursor_is_right(rig, crcs, below, &part, 100, 100);
	expect(ok, "cursor of %d, drawn again and committed", side);
	buffer_destroy(rig, &image);
}

/*
 * Like crc_equals() after calls that do not wait for a frame: DRM's count may be one frame late,
 * the frame after that is running, and the next one shows the last call.
 */
static bool settled_crc_equals(struct rig *rig, int crcs, const struct screen *screen)
{
	uint32_t got;

	return shown_crc(rig, crcs, &got) && shown_crc(rig, crcs, &got) &&
	       crc_equals(rig, crcs, screen, &got);
}

/* Images change faster than frames; the last one stays. */
static void test_cursor_changes(struct rig *rig, int crcs, const struct screen *below)
{
	struct buffer images[2];
	struct screen screen;
	bool ok = true;

	for (int i = 0; i < 2; i++) {
		if (!expect(!buffer_create(rig, &images[i], 200, 150, DRM_FORMAT_ARGB8888,
					   DRM_FORMAT_MOD_LINEAR),
			    "an image of 200x150"))
			return;
		memset(images[i].pixels, i ? 0xff : 0x7f, images[i].size);
	}
	for (int i = 0; i < 1000; i++)
		ok &= !drmModeSetPlane(rig->fd, rig->cursor, rig->crtc, images[i % 2].id, 0,
				       i % 300, i % 200, 200, 150, 0, 0, 200 << 16, 150 << 16);
	screen_create(&screen, WIDTH, HEIGHT);
	memcpy(screen.rgb, below->rgb, WIDTH * HEIGHT * 3);
	blend_part(&screen,
		   &(struct cursor_part){ .image = &images[1], .width = 200, .height = 150 },
		   999 % 300, 999 % 200);
	expect(ok && settled_crc_equals(rig, crcs, &screen),
	       "cursor of 200x150 replaced 1000 times");
	screen_free(&screen);
	buffer_destroy(rig, &images[0]);
	buffer_destroy(rig, &images[1]);
}

/* The old calls: images of 64 x 64, and moves that do not wait for a frame. */
static void test_cursor_calls(struct rig *rig, int crcs, const struct screen *below)
{
	struct screen screen;
	struct buffer image;
	bool ok;

	if (!expect(!buffer_create(rig, &image, 64, 64, DRM_FORMAT_ARGB8888, DRM_FORMAT_MOD_LINEAR),
		    "an image of 64"))
		return;
	memset(image.pixels, 0xff, image.size);
	ok = !drmModeSetCursor(rig->fd, rig->crtc, image.handle, 64, 64);
	for (int i = 0; i < 100; i++)
		ok &= !drmModeMoveCursor(rig->fd, rig->crtc, i, 2 * i);
	screen_create(&screen, WIDTH, HEIGHT);
	memcpy(screen.rgb, below->rgb, WIDTH * HEIGHT * 3);
	for (int i = 0; i < 64 * 64; i++)
		screen_blend(&screen, 99 + i % 64, 198 + i / 64, 0xffffffff);
	expect(ok && settled_crc_equals(rig, crcs, &screen),
	       "cursor by the old calls, moved 100 times");
	ok = !drmModeSetCursor(rig->fd, rig->crtc, 0, 0, 0);
	expect(ok && settled_crc_equals(rig, crcs, below), "and gone");
	screen_free(&screen);
	buffer_destroy(rig, &image);
}

void test_cursor(struct rig *rig)
{
	/* Sizes that the display block reads in place, then those that need a copy. */
	static const int sizes[][2] = {
		{ 32, 32 }, { 64, 64 },  { 128, 128 }, { 256, 256 },
		{ 64, 21 }, { 85, 256 }, { 1, 1 },
	};
	struct buffer noise;
	struct screen below;
	int crcs;

	if (!prepare(rig, &noise, &crcs))
		return;
	screen_create(&below, WIDTH, HEIGHT);
	draw_noise(&noise, &below);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		test_cursor_size(rig, crcs, &below, sizes[i]);
	test_cursor_parts(rig, crcs, &below);
	test_cursor_drawing(rig, crcs, &below, 64);
	test_cursor_drawing(rig, crcs, &below, 48);
	test_cursor_changes(rig, crcs, &below);
	test_cursor_calls(rig, crcs, &below);
	screen_free(&below);
	close(crcs);
	buffer_destroy(rig, &noise);
}

/* An entry of 16 bits has 10 in the hardware, nearest, of which 8 are shown. */
static uint16_t shown_level(uint16_t entry)
{
	return (entry * 1023u + 32767) / 65535 >> 2;
}

static int set_gamma(struct rig *rig, const struct drm_color_lut *lut, size_t count)
{
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	uint32_t blob = 0;
	int ret;

	if (lut && drmModeCreatePropertyBlob(rig->fd, lut, count * sizeof(*lut), &blob) != 0)
		return -1;
	set(rig, req, rig->crtc, CRTC_GAMMA_LUT, blob);
	ret = commit(rig, req, 0);
	if (blob)
		drmModeDestroyPropertyBlob(rig->fd, blob);
	return ret;
}

static void test_table(struct rig *rig, int crcs, const struct screen *picture, const char *name,
		       const struct drm_color_lut lut[256])
{
	uint16_t table[3][256];
	struct screen screen;
	uint32_t got = 0;

	for (int i = 0; i < 256; i++) {
		table[0][i] = shown_level(lut[i].red);
		table[1][i] = shown_level(lut[i].green);
		table[2][i] = shown_level(lut[i].blue);
	}
	screen_create(&screen, WIDTH, HEIGHT);
	memcpy(screen.rgb, picture->rgb, WIDTH * HEIGHT * 3);
	screen_gamma(&screen, table);
	expect(!set_gamma(rig, lut, 256) && crc_equals(rig, crcs, &screen, &got),
	       "gamma, %s: %08x, expected %08x", name, got, screen_crc(&screen));
	screen_free(&screen);
}

static void test_tables(struct rig *rig, int crcs, const struct screen *picture)
{
	struct drm_color_lut lut[256] = { 0 };
	uint32_t state = SEED;

	for (int i = 0; i < 256; i++)
		lut[i].red = lut[i].green = lut[i].blue = i * 0x101;
	test_table(rig, crcs, picture, "straight", lut);
	for (int i = 0; i < 256; i++)
		lut[i].red = lut[i].green = lut[i].blue = 0xffff - i * 0x101;
	test_table(rig, crcs, picture, "negative", lut);
	for (int i = 0; i < 256; i++) {
		lut[i].red = i * i;
		lut[i].green = 0x8000 + i * 0x7f;
		lut[i].blue = 0;
	}
	test_table(rig, crcs, picture, "a table for each channel", lut);
	for (int i = 0; i < 256; i++) {
		lut[i].red = next_random(&state);
		lut[i].green = next_random(&state);
		lut[i].blue = next_random(&state);
	}
	test_table(rig, crcs, picture, "noise", lut);
	expect(set_gamma(rig, lut, 255) != 0, "a table of 255 entries is refused");
}

void test_gamma(struct rig *rig)
{
	struct buffer noise;
	struct screen picture;
	uint32_t got = 0;
	int crcs;

	if (!prepare(rig, &noise, &crcs))
		return;
	screen_create(&picture, WIDTH, HEIGHT);
	draw_noise(&noise, &picture);
	test_tables(rig, crcs, &picture);
	expect(!set_gamma(rig, NULL, 0) && crc_equals(rig, crcs, &picture, &got), "no gamma");
	screen_free(&picture);
	close(crcs);
	buffer_destroy(rig, &noise);
}

/* The monitor's first mode, whatever its size. */
void test_best(struct rig *rig)
{
	const drmModeModeInfo *mode = &rig->monitor->modes[0];
	struct buffer noise;
	struct screen picture;
	uint32_t got = 0;
	int crcs;
	bool ok;

	if (!expect(!buffer_create(rig, &noise, mode->hdisplay, mode->vdisplay, DRM_FORMAT_XRGB8888,
				   DRM_FORMAT_MOD_LINEAR) &&
			    !rig_show(rig, mode, &noise),
		    "mode %s", mode->name))
		return;
	crcs = crc_open();
	screen_create(&picture, mode->hdisplay, mode->vdisplay);
	draw_noise(&noise, &picture);
	ok = crc_equals(rig, crcs, &picture, &got);
	expect(ok, "noise at %s: %08x, expected %08x", mode->name, got, screen_crc(&picture));
	screen_free(&picture);
	close(crcs);
	buffer_destroy(rig, &noise);
}
