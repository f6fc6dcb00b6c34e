// SPDX-License-Identifier: MIT
/* PNG reading, writing and comparing for the tools and picture tests (libpng's simplified API). */

#include "png_file.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool picture_create(struct picture *picture, unsigned int width, unsigned int height)
{
	picture->width = width;
	picture->height = height;
	picture->rgb = calloc((size_t)width * height, 3);
	return picture->rgb != NULL;
}

void picture_free(struct picture *picture)
{
	free(picture->rgb);
	picture->rgb = NULL;
}

/* Returns false. */
static bool no_memory(const char *path)
{
	fprintf(stderr, "%s: %s: out of memory\n", program_invocation_short_name, path);
	return false;
}

bool picture_write(const struct picture *picture, const char *path)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION,
		.width = picture->width,
		.height = picture->height,
		.format = PNG_FORMAT_RGB,
		.flags = PNG_IMAGE_FLAG_FAST, /* rather a larger file than a longer time */
	};
	char *temporary;
	bool ok;

	if (asprintf(&temporary, "%s.part", path) < 0)
		return no_memory(path);
	ok = png_image_write_to_file(&image, temporary, 0, picture->rgb, 0, NULL);
	if (!ok)
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path, image.message);
	else if (rename(temporary, path) != 0) {
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path,
			strerror(errno));
		ok = false;
	}
	free(temporary);
	return ok;
}

bool picture_read(struct picture *picture, const char *path)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	const png_color black = { 0, 0, 0 };

	if (!png_image_begin_read_from_file(&image, path)) {
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path, image.message);
		return false;
	}
	image.format = PNG_FORMAT_RGB;
	if (!picture_create(picture, image.width, image.height)) {
		png_image_free(&image);
		return no_memory(path);
	}
	/* It frees what is in @image, whether it fails or not. */
	if (!png_image_finish_read(&image, &black, picture->rgb, 0, NULL)) {
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path, image.message);
		picture_free(picture);
		return false;
	}
	return true;
}

/* Largest difference of one channel between two pixels. */
static unsigned int pixel_distance(const uint8_t *a, const uint8_t *b)
{
	unsigned int worst = 0;

	for (int c = 0; c < 3; c++) {
		unsigned int d = abs(a[c] - b[c]);

		if (d > worst)
			worst = d;
	}
	return worst;
}

/*
 * Equal pixels, within the tolerance: grey, a quarter of the first picture's brightness. Others:
 * red of half the brightness or more, by their difference.
 */
static void paint_difference(uint8_t *to, const uint8_t *a, bool different, unsigned int distance)
{
	uint8_t grey = (a[0] + a[1] + a[2]) / 12;

	to[0] = different ? (distance < 128 ? 128 + distance : 255) : grey;
	to[1] = different ? 0 : grey;
	to[2] = different ? 0 : grey;
}

bool picture_compare(const struct picture *a, const struct picture *b, unsigned int tolerance,
		     struct picture_difference *difference, struct picture *map)
{
	if (a->width != b->width || a->height != b->height)
		return false;
	if (map && !picture_create(map, a->width, a->height))
		return false;
	*difference = (struct picture_difference){
		.pixels = (uint64_t)a->width * a->height,
		.uniform = true,
	};
	for (uint64_t i = 0; i < difference->pixels; i++) {
		const uint8_t *pa = a->rgb + 3 * i, *pb = b->rgb + 3 * i;
		unsigned int distance = pixel_distance(pa, pb);

		difference->different += distance > tolerance;
		if (distance > difference->worst)
			difference->worst = distance;
		if (memcmp(pa, a->rgb, 3) != 0)
			difference->uniform = false;
		if (map)
			paint_difference(map->rgb + 3 * i, pa, distance > tolerance, distance);
	}
	return true;
}
