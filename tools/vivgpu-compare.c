// SPDX-License-Identifier: MIT
/*
 * vivgpu-compare: checks whether two PNG pictures are equal within a tolerance.
 *
 * The criterion of the picture tests that compare with this program: at least 99.9 % of the pixels
 * within 2/255 in every channel, and, without --uniform, the first picture not of a single colour.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "png_file.h"

#define TOLERANCE 2
#define REQUIRED_PER_MILLE 999

static const struct command_line_option command_options[] = {
	{ 'u', "uniform", NULL, "OURS may be of a single colour" },
	{ 0 },
};

static const struct command_line command_line = {
	.tool = (char[]){ "vivgpu-compare" },
	.usage = "[OPTION]... OURS.png REFERENCE.png [DIFFERENCE.png]",
	.purpose =
		"Compare two pictures. They are the same when at least 99.9 % of the pixels are\n"
		"within 2/255 of the reference in every channel, and OURS is not of a single\n"
		"colour. When they are not, DIFFERENCE.png shows where.\n",
	.status = "  0 the same, 1 not the same, 2 error.\n",
	.options = command_options,
};

/*
 * Compare two files, and print one line unless one of them cannot be read. If they are not the same
 * but of one size, write the difference to @map_path if that is not NULL. Returns the exit status.
 */
static int compare(const char *ours, const char *reference, const char *map_path,
		   bool may_be_uniform)
{
	struct picture a, b, map;
	struct picture_difference d;
	bool same;

	if (!picture_read(&a, ours) || !picture_read(&b, reference))
		return 2;
	if (a.width != b.width || a.height != b.height) {
		printf("%s: %ux%u, but the reference is %ux%u\n", ours, a.width, a.height, b.width,
		       b.height);
		return 1;
	}
	if (!picture_compare(&a, &b, TOLERANCE, &d, &map)) {
		fprintf(stderr, "vivgpu-compare: out of memory\n");
		return 2;
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
	const struct command_line_option *option;
	bool may_be_uniform = false;
	int count;

	while ((option = command_line_next(&command_line, argc, argv)))
		may_be_uniform |= option->letter == 'u';
	count = argc - optind;
	if (count < 2 || count > 3)
		command_line_fail(&command_line, "two or three files are needed");
	argv += optind;
	return compare(argv[0], argv[1], count > 2 ? argv[2] : NULL, may_be_uniform);
}
