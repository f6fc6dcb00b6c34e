/* SPDX-License-Identifier: MIT */
/* 8-bit RGB pictures in PNG files, and the difference of two pictures. */
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
/** picture_free - free the pixels; also after picture_create() returned false. */
void picture_free(struct picture *picture);

/**
 * picture_write - write a PNG to the file PATH.part and rename that, so that readers never get an
 * incomplete file
 *
 * Returns: false on an error, with a message on stderr.
 */
bool picture_write(const struct picture *picture, const char *path);

/**
 * picture_read - read a PNG as 8-bit RGB; alpha is blended with black
 *
 * Returns: false on an error, with a message on stderr.
 */
bool picture_read(struct picture *picture, const char *path);

struct picture_difference {
	uint64_t pixels;    /* compared */
	uint64_t different; /* pixels with a channel that differs by more than the tolerance */
	unsigned int worst; /* largest difference of one channel, in any pixel */
	bool uniform;       /* the first picture has only one colour */
};

/**
 * picture_compare - compare two pictures of one size
 * @tolerance: largest difference of a channel that counts as equal (0..255)
 * @map: if not NULL, set to a picture that is grey where they are equal and red elsewhere; the
 *     caller frees it
 *
 * Returns: false when the sizes differ or memory is out: then there is no difference and no map.
 */
bool picture_compare(const struct picture *a, const struct picture *b, unsigned int tolerance,
		     struct picture_difference *difference, struct picture *map);

#endif
