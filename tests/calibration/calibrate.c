// SPDX-License-Identifier: MIT
/*
 * calibrate: repeats small pieces of GPU work and prints what they take.
 *
 *	calibrate CARDCTL FIGURE...
 *
 * prints lines "FIGURE VALUE...", most with the mean of the busy cycles that the card counted. The
 * figures are those of the published measurements of a GC2000 that the clock model follows; they
 * are listed in figures.c, curves.c and gears.c. The program waits for the GPU after each
 * repetition, which is one job unless the driver copies or resolves in further ones.
 */

#include "calibrate.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <xf86drm.h>

#include "../../tools/render_node.h"

#define WARM_UP 3
#define REPEAT 20

static const char *cardctl;

void die(const char *what)
{
	fprintf(stderr, "calibrate: %s\n", what);
	exit(2);
}

unsigned long long card_total(const char *name)
{
	unsigned long long value = 0;
	char command[512], line[128];
	FILE *answer;
	int found = 0;

	snprintf(command, sizeof(command), "%s total %s", cardctl, name);
	answer = popen(command, "r");
	while (answer && fgets(line, sizeof(line), answer))
		found |= sscanf(line, "%*s %llu", &value) == 1;
	if (!answer || pclose(answer) != 0 || !found)
		die("the card does not answer");
	return value;
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int open_gpu(void)
{
	int fd = open_render_node("etnaviv", NULL);

	if (fd < 0)
		die("no etnaviv render node");
	return fd;
}

void measure(const char *figure, void (*work)(void))
{
	unsigned long long before;

	for (unsigned int i = 0; i < WARM_UP; i++)
		work();
	before = card_total("gc.busy_cycles");
	for (unsigned int i = 0; i < REPEAT; i++)
		work();
	printf("%s %.1f\n", figure, (double)(card_total("gc.busy_cycles") - before) / REPEAT);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: calibrate CARDCTL FIGURE...");
	cardctl = argv[1];
	for (int i = 2; i < argc; i++)
		if (!measure_figure(argv[i]) && !measure_curve(argv[i]) && !measure_gears(argv[i]))
			die("no such figure");
	return 0;
}
