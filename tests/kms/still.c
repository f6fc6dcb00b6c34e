// SPDX-License-Identifier: MIT
/*
 * Pictures that are shown until a file exists, so that a viewer of the card has time to read each.
 * The second one differs from the first in a square.
 */

#include <stdio.h>
#include <unistd.h>

#include "rig.h"

#define STEP_US 100000
#define SQUARE_LEFT 200u
#define SQUARE_TOP 100u
#define SQUARE_SIZE 90u

static void wait_for(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	do
		usleep(STEP_US);
	while (access(path, F_OK));
}

static void draw(struct buffer *buffer, bool inverted)
{
	for (uint32_t y = 0; y < buffer->height; y++) {
		uint32_t *row = (uint32_t *)(buffer->pixels + (size_t)y * buffer->pitch);

		for (uint32_t x = 0; x < buffer->width; x++) {
			/* unsigned: false to the left of it and above it, too */
			bool inside = x - SQUARE_LEFT < SQUARE_SIZE && y - SQUARE_TOP < SQUARE_SIZE;

			row[x] = (x * 0x9e3779b9u ^ y * 0x85ebca6bu) >> 8;
			if (inside && inverted)
				row[x] ^= 0xffffff;
		}
	}
}

int show_still(struct rig *rig, const char *folder)
{
	const drmModeModeInfo *mode = &rig->monitor->modes[0];
	struct buffer first, second;
	struct event event;

	if (buffer_create(rig, &first, mode->hdisplay, mode->vdisplay, DRM_FORMAT_XRGB8888,
			  DRM_FORMAT_MOD_LINEAR) ||
	    buffer_create(rig, &second, mode->hdisplay, mode->vdisplay, DRM_FORMAT_XRGB8888,
			  DRM_FORMAT_MOD_LINEAR))
		return 2;
	draw(&first, false);
	draw(&second, true);
	if (rig_show(rig, mode, &first))
		return 2;
	wait_for(folder, "next");
	if (flip(rig, &second, &event))
		return 2;
	wait_for(folder, "end");
	rig_off(rig);
	buffer_destroy(rig, &first);
	buffer_destroy(rig, &second);
	rig_close(rig);
	return 0;
}
