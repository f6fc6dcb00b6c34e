// SPDX-License-Identifier: MIT
/*
 * vivgpu-compare: says whether two PNG pictures show the same.
 *
 * The measure of all picture tests here: at least 99.9 % of the pixels within
 * 2/255 in every channel, and the first picture not of a single colour.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png_file.h"

#define TOLERANCE 2
#define REQUIRED_PER_MILLE 999

static int usage(void)
{
	fprintf(stderr,
		"usage: vivgpu-compare [--uniform] OURS.png REFERENCE.png [DIFFERENCE.png]\n"
		"\n"
		"Status 0 when at least 99.9 %% of the pixels are within 2/255 of the reference\n"
		"and OURS is not of one colour (--uniform: it may be); 1 when not, and then\n"
		"DIFFERENCE.png shows where; 2 on errors.\n");
	return 2;
}

/* Compare, print one line, keep the difference picture of a failure. */
static int compare(const char *ours, const char *reference, const char *map_path,
		   bool may_be_uniform)
{
	struct picture a, b, map;
	struct picture_difference d;
	bool same;

	if (!picture_read(&a, ours) || !picture_read(&b, reference))
		return 2;
	if (!picture_compare(&a, &b, TOLERANCE, &d, &map)) {
		printf("%s: %ux%u, but the reference is %ux%u\n", ours, a.width, a.height, b.width,
		       b.height);
		return 1;
	}
	same = (d.pixels - d.different) * 1000 >= d.pixels * REQUIRED_PER_MILLE &&
	       (may_be_uniform || !d.uniform);
	printf("%s: %.3f %% of pixels within %d/255, worst difference %u%s\n", ours,
	       100.0 * (d.pixels - d.different) / d.pixels, TOLERANCE, d.worst,
	       d.uniform ? ", of one colour" : "");
	if (!same && map_path && !picture_write(&map, map_path))
		return 2;
	picture_free(&a);
	picture_free(&b);
	picture_free(&map);
	return same ? 0 : 1;
}

int main(int argc, char **argv)
{
	bool may_be_uniform = argc > 1 && strcmp(argv[1], "--uniform") == 0;

	if (may_be_uniform) {
		argv++;
		argc--;
	}
	if (argc < 3 || argc > 4)
		return usage();
	return compare(argv[1], argv[2], argc > 3 ? argv[3] : NULL, may_be_uniform);
}
