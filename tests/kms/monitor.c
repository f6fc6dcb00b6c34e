// SPDX-License-Identifier: MIT
/*
 * The monitor: exactly the modes of its EDID are offered, and a client can set a mode of its own
 * that fits into memory.
 */

#include <string.h>
#include <unistd.h>

#include "reference.h"
#include "rig.h"

#define EDID_BYTES 128

/* The modes in Documentation/card/display.rst. */
static const struct {
	int width, height, khz, preferred;
} offered[] = {
	{ 1280, 720, 74250, 1 }, { 640, 432, 21600, 0 },  { 640, 480, 25175, 0 },
	{ 800, 600, 40000, 0 },  { 1024, 768, 65000, 0 },
};

static void test_offered(struct rig *rig)
{
	const int count = sizeof(offered) / sizeof(offered[0]);

	for (int i = 0; i < count; i++) {
		const drmModeModeInfo *mode = rig_mode(rig, offered[i].width, offered[i].height);

		expect(mode && (int)mode->clock == offered[i].khz && mode->vrefresh == 60 &&
			       !(mode->type & DRM_MODE_TYPE_PREFERRED) == !offered[i].preferred,
		       "%dx%d is offered, %d kHz%s", offered[i].width, offered[i].height,
		       offered[i].khz, offered[i].preferred ? ", and preferred" : "");
	}
	expect(rig->monitor->count_modes == count, "%d modes, no others",
	       rig->monitor->count_modes);
}

/* The EDID that the driver has read is reported, and its bytes add up to 0. */
static void test_edid(struct rig *rig)
{
	static const uint8_t header[8] = { 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0 };
	drmModePropertyBlobRes *blob = rig_blob(rig, CONNECTOR_EDID);
	const uint8_t *bytes = blob ? blob->data : NULL;
	uint8_t sum = 0;

	if (expect(blob && blob->length == EDID_BYTES, "an EDID of one block")) {
		for (int i = 0; i < EDID_BYTES; i++)
			sum += bytes[i];
		expect(!sum && !memcmp(bytes, header, sizeof(header)), "its header and sum");
	}
	drmModeFreePropertyBlob(blob);
}

/* CTA-861's 1920x1080 at 60 Hz. */
static drmModeModeInfo full_hd(void)
{
	return (drmModeModeInfo){
		.clock = 148500,
		.hdisplay = 1920,
		.hsync_start = 2008,
		.hsync_end = 2052,
		.htotal = 2200,
		.vdisplay = 1080,
		.vsync_start = 1084,
		.vsync_end = 1089,
		.vtotal = 1125,
		.vrefresh = 60,
		.flags = DRM_MODE_FLAG_PHSYNC | DRM_MODE_FLAG_PVSYNC,
		.name = "own",
	};
}

static void draw_slope(struct buffer *buffer, struct screen *picture)
{
	const struct pixel_format *format = pixel_format_find(buffer->format);
	uint8_t rgb[3];

	screen_create(picture, buffer->width, buffer->height);
	for (uint32_t y = 0; y < buffer->height; y++) {
		for (uint32_t x = 0; x < buffer->width; x++) {
			uint32_t word = x * 0x10101 + y * 0x30503;

			memcpy(buffer->pixels + (size_t)y * buffer->pitch + 4 * x, &word, 4);
			pixel_rgb(format, word, rgb);
			screen_set(picture, x, y, rgb);
		}
	}
}

static void test_own(struct rig *rig)
{
	const drmModeModeInfo mode = full_hd();
	struct screen picture;
	struct buffer buffer;
	uint32_t got = 0;
	bool shown;
	int crcs;

	if (!expect(!buffer_create(rig, &buffer, mode.hdisplay, mode.vdisplay, DRM_FORMAT_XRGB8888,
				   DRM_FORMAT_MOD_LINEAR),
		    "a buffer of 1920x1080"))
		return;
	draw_slope(&buffer, &picture);
	if (expect(!rig_show(rig, &mode, &buffer), "a mode of the client's own")) {
		crcs = crc_open();
		shown = shown_crc(rig, crcs, &got) && got == screen_crc(&picture);
		expect(shown, "it is shown: %08x, expected %08x", got, screen_crc(&picture));
		close(crcs);
	}
	screen_free(&picture);
	buffer_destroy(rig, &buffer);
}

void test_monitor(struct rig *rig)
{
	test_offered(rig);
	test_edid(rig);
	test_own(rig);
}
