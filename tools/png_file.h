/* SPDX-License-Identifier: MIT */
/* 8-bit RGB pictures in PNG files, and how far two of them differ. */
#ifndef VIVGPU_TOOLS_PNG_FILE_H
#define VIVGPU_TOOLS_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct picture {
	unsigned int width, height; /* pixels */
	uint8_t *rgb;               /* 3 * width * height bytes, rows from the top */
};

/** picture_create - a black picture; false when out of memory. */
bool picture_create(struct picture *picture, unsigned int width, unsigned int height);
void picture_free(struct picture *picture);

/** picture_write - write a PNG by way of a temporary file, so that readers never see half of one; says why on stderr when it returns false. */
bool picture_write(const struct picture *picture, const char *path);

/** picture_read - read any PNG as 8-bit RGB (alpha dropped); says why on stderr when it returns false. */
bool picture_read(struct picture *picture, const char *path);

struct picture_difference {
	uint64_t pixels;    /* compared */
	uint64_t different; /* pixels with a channel further apart than the tolerance */
	unsigned int worst; /* largest difference of one channel */
	bool uniform;       /* the first picture has only one colour */
};

/**
 * picture_compare - compare two pictures of one size
 * @tolerance: channels may differ by this much (0..255)
 * @map: when not NULL, gets a picture: grey where equal, red where not
 *
 * Returns: false when the sizes differ or memory is out.
 */
bool picture_compare(const struct picture *a, const struct picture *b, unsigned int tolerance,
		     struct picture_difference *difference, struct picture *map);

#endif
