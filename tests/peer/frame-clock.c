// SPDX-License-Identifier: MIT
/*
 * frame-clock.so: preloaded into an unmodified program that draws on a GBM
 * surface, makes its pictures repeatable and keeps some of them.
 *
 * The program sees the clock of program-clock.h. Each frame shown counts, and of every
 * FRAME_CLOCK_EVERY frames (default 1, 0: none) the last is written as
 * FRAME_CLOCK_FOLDER/N.png, N counting from 1, as the display would get it.
 */

#include <stdio.h>
#include <stdlib.h>

#include <gbm.h>

#include "next-frame.h"
#include "png_file.h"
#include "program-clock.h"

/* GBM's XRGB and ARGB: blue in the lowest byte. */
static void copy_row(const uint8_t *from, uint8_t *to, unsigned int width)
{
	for (unsigned int x = 0; x < width; x++, from += 4, to += 3) {
		to[0] = from[2];
		to[1] = from[1];
		to[2] = from[0];
	}
}

static bool copy_buffer(struct gbm_bo *bo, struct picture *picture)
{
	uint32_t format = gbm_bo_get_format(bo), stride;
	void *mapping = NULL;
	const uint8_t *pixels;

	if (format != GBM_FORMAT_XRGB8888 && format != GBM_FORMAT_ARGB8888)
		return false;
	pixels = gbm_bo_map(bo, 0, 0, picture->width, picture->height, GBM_BO_TRANSFER_READ,
			    &stride, &mapping);
	if (!pixels)
		return false;
	for (unsigned int y = 0; y < picture->height; y++)
		copy_row(pixels + (size_t)y * stride, picture->rgb + (size_t)y * picture->width * 3,
			 picture->width);
	gbm_bo_unmap(bo, mapping);
	return true;
}

static void keep_picture(struct gbm_bo *bo, unsigned int number)
{
	const char *folder = getenv("FRAME_CLOCK_FOLDER");
	struct picture picture;
	char path[512];

	snprintf(path, sizeof(path), "%s/%u.png", folder ? folder : ".", number);
	if (!picture_create(&picture, gbm_bo_get_width(bo), gbm_bo_get_height(bo)))
		abort();
	if (!copy_buffer(bo, &picture) || !picture_write(&picture, path)) {
		fprintf(stderr, "frame-clock: no picture %s\n", path);
		abort();
	}
	picture_free(&picture);
}

/** gbm_surface_lock_front_buffer - where every frame shown on a GBM surface passes. */
struct gbm_bo *gbm_surface_lock_front_buffer(struct gbm_surface *surface)
{
	const char *every = getenv("FRAME_CLOCK_EVERY");
	unsigned int period = every ? strtoul(every, NULL, 10) : 1;
	struct gbm_bo *bo = next_frame(surface);

	program_frames++;
	if (bo && period && program_frames % period == 0)
		keep_picture(bo, program_frames / period);
	return bo;
}
