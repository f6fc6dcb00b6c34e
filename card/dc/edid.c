// SPDX-License-Identifier: MIT
/* EDID 1.4 (VESA Enhanced EDID Standard, release A revision 2); comments name its sections. */
#include "dc/edid.h"

#include <stdio.h>
#include <string.h>

/* 96 pixels per inch at 1280x720 */
#define WIDTH_MM 339
#define HEIGHT_MM 191

#define DESCRIPTORS 4
#define DESCRIPTOR_BYTES 18
#define FIRST_DESCRIPTOR 54
#define NAME_BYTES 13

/* The first of modes[] are always offered, in this order, after the preferred one. */
#define ALWAYS 2

/*
 * 1280x720 and 1920x1080 as in CTA-861; 640x432, the window size of the thesis that clock.rst
 * refers to, with exactly 60 Hz; and the established modes that edid_build() offers, as in VESA's
 * DMT, but for 640x480, which is CTA-861's with 60 Hz.
 */
static const struct edid_mode modes[] = {
	{ "1280x720", 74250000, 1280, 1390, 1430, 1650, 720, 725, 730, 750 },
	{ "640x432", 21600000, 640, 656, 720, 800, 432, 435, 441, 450 },
	{ "1920x1080", 148500000, 1920, 2008, 2052, 2200, 1080, 1084, 1089, 1125 },
	{ "640x480", 25200000, 640, 656, 752, 800, 480, 490, 492, 525 },
	{ "800x600", 40000000, 800, 840, 968, 1056, 600, 601, 605, 628 },
	{ "1024x768", 65000000, 1024, 1048, 1184, 1344, 768, 771, 777, 806 },
};

const struct edid_mode *edid_mode_at(unsigned int index)
{
	return index < sizeof(modes) / sizeof(modes[0]) ? &modes[index] : NULL;
}

const struct edid_mode *edid_mode_find(const char *name)
{
	const struct edid_mode *mode;

	for (unsigned int i = 0; (mode = edid_mode_at(i)); i++)
		if (!strcmp(mode->name, name))
			return mode;
	return NULL;
}

const char *edid_mode_names(void)
{
	static char names[16 * sizeof(modes) / sizeof(modes[0])];
	size_t length = 0;

	for (unsigned int i = 0; edid_mode_at(i); i++)
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
					   i ? " " : "", modes[i].name);
	return names;
}

/* 3.10.2 Detailed timing definitions */
static void detailed_timing(uint8_t *d, const struct edid_mode *m)
{
	unsigned int hblank = m->htotal - m->width, vblank = m->vtotal - m->height;
	unsigned int hfront = m->hsync_start - m->width, hsync = m->hsync_end - m->hsync_start;
	unsigned int vfront = m->vsync_start - m->height, vsync = m->vsync_end - m->vsync_start;

	d[0] = m->hz / 10000;
	d[1] = m->hz / 10000 >> 8;
	d[2] = m->width;
	d[3] = hblank;
	d[4] = m->width >> 8 << 4 | hblank >> 8;
	d[5] = m->height;
	d[6] = vblank;
	d[7] = m->height >> 8 << 4 | vblank >> 8;
	d[8] = hfront;
	d[9] = hsync;
	d[10] = (vfront & 0xf) << 4 | (vsync & 0xf);
	d[11] = hfront >> 8 << 6 | hsync >> 8 << 4 | vfront >> 4 << 2 | vsync >> 4;
	d[12] = WIDTH_MM & 0xff;
	d[13] = HEIGHT_MM & 0xff;
	d[14] = WIDTH_MM >> 8 << 4 | HEIGHT_MM >> 8;
	d[17] = 0x1e; /* digital separate sync, both positive */
}

/* 3.10.3.4 Display product name */
static void product_name(uint8_t *d, const char *name)
{
	char text[NAME_BYTES + 1];

	d[3] = 0xfc;
	memset(d + 5, ' ', NAME_BYTES);
	snprintf(text, sizeof(text), "%s\n", name);
	memcpy(d + 5, text, strlen(text));
}

/* 3.10.3.11 Dummy descriptor */
static void dummy(uint8_t *d)
{
	d[3] = 0x10;
}

static void descriptors(uint8_t *edid, const struct edid_mode *preferred)
{
	uint8_t *d = edid + FIRST_DESCRIPTOR;
	uint8_t *name = d + (DESCRIPTORS - 1) * DESCRIPTOR_BYTES;

	detailed_timing(d, preferred);
	for (unsigned int i = 0; i < ALWAYS; i++) {
		if (&modes[i] == preferred)
			continue;
		d += DESCRIPTOR_BYTES;
		detailed_timing(d, &modes[i]);
	}
	for (d += DESCRIPTOR_BYTES; d < name; d += DESCRIPTOR_BYTES)
		dummy(d);
	product_name(name, "vivgpu");
}

void edid_build(uint8_t edid[EDID_BYTES], const struct edid_mode *preferred)
{
	static const uint8_t fixed[FIRST_DESCRIPTOR] = {
		/* 3.3 header; 3.4 manufacturer "VIV", product 0x5647, no serial, 2026 */
		0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x59, 0x36, 0x47, 0x56, 0, 0, 0, 0,
		0xff, 2026 - 1990,
		/* 3.5 version; 3.6 digital, 8 bits a colour, DVI; size in cm; gamma 2.2; sRGB,
		 * preferred timing is native */
		1, 4, 0xa1, 34, 19, 120, 0x06,
		/* 3.7 chromaticities of sRGB */
		0xee, 0x91, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54,
		/* 3.8 established timings: 640x480, 800x600, 1024x768, all at 60 Hz */
		0x21, 0x08, 0x00,
		/* 3.9 standard timings: none */
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
	};
	uint8_t sum = 0;

	memset(edid, 0, EDID_BYTES);
	memcpy(edid, fixed, sizeof(fixed));
	descriptors(edid, preferred);
	for (unsigned int i = 0; i < EDID_BYTES - 1; i++)
		sum += edid[i];
	edid[EDID_BYTES - 1] = -sum;
}
