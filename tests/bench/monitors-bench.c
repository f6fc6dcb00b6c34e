// SPDX-License-Identifier: MIT
/*
 * monitors-bench [SECONDS]: frames per second with performance monitors on and off, alternating, so
 * that other load of the machine affects both alike. Prints lines "name rate"; the rate
 * is the inverse of the median time of a frame.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gl/monitor.h"

#define WIDTH 640
#define HEIGHT 432
#define DRAWS 60
#define TURN 20 /* frames drawn in one way before the next */
#define NS_A_SECOND 1000000000ll
#define MAX_FRAMES 65536

/* A way to draw frames: which counters are on. */
struct way {
	const char *name;
	GLuint monitor;  /* 0: none */
	unsigned frames; /* whose times are there; further ones have no time */
	int64_t times[MAX_FRAMES];
};

static struct way ways[] = { { .name = "off" }, { .name = "api" }, { .name = "all" } };

static void select_group(GLuint monitor, GLuint group)
{
	GLuint counters[MAX_COUNTERS];
	unsigned count = get_counters(group, counters);

	pm.select(monitor, GL_TRUE, group, count, counters);
}

/* Of all groups, as many counters as can be sampled together: without MC's last ones. */
static void select_all(GLuint monitor)
{
	static const char *const left_out[] = { "Depth Read Requests", "Depth Write Requests",
						"Other Bytes Read",    "Other Bytes Written",
						"Other Read Requests", "Other Write Requests" };
	GLuint groups[MAX_GROUPS];
	unsigned count = get_groups(groups);

	for (unsigned i = 0; i < count; i++)
		select_group(monitor, groups[i]);
	for (unsigned i = 0; i < COUNT(left_out); i++) {
		struct monitor_counter counter = find_counter(left_out[i]);

		pm.select(monitor, GL_FALSE, counter.group, 1, &counter.id);
	}
}

static void set_up(void)
{
	GLuint api;

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	load_monitor_calls();
	make_target(WIDTH, HEIGHT);
	use_plain_program();
	ways[1].monitor = make_monitor(NULL, 0);
	ways[2].monitor = make_monitor(NULL, 0);
	if (!find_group("API", &api))
		give_up("no group API");
	select_group(ways[1].monitor, api);
	select_all(ways[2].monitor);
}

/* A frame of squares, a quarter of the picture each. */
static void draw_frame(struct way *way)
{
	GLuint result[4 * MAX_VALUES];
	int64_t begin = now_ns();

	if (way->monitor)
		pm.begin(way->monitor);
	glClear(GL_COLOR_BUFFER_BIT);
	for (int i = 0; i < DRAWS; i++) {
		glViewport(i % 2 * WIDTH / 2, i / 2 % 2 * HEIGHT / 2, WIDTH / 2, HEIGHT / 2);
		draw_square(0, 1);
	}
	if (way->monitor) {
		pm.end(way->monitor);
		pm.data(way->monitor, GL_PERFMON_RESULT_AMD, sizeof(result), result, NULL);
	}
	glFinish();
	if (way->frames < MAX_FRAMES)
		way->times[way->frames++] = now_ns() - begin;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void print_rate(struct way *way)
{
	qsort(way->times, way->frames, sizeof(way->times[0]), compare);
	printf("%s %.1f\n", way->name, (double)NS_A_SECOND / way->times[way->frames / 2]);
}

int main(int argc, char **argv)
{
	int64_t end;

	set_up();
	for (unsigned i = 0; i < COUNT(ways); i++)
		draw_frame(&ways[i]);
	for (unsigned i = 0; i < COUNT(ways); i++)
		ways[i].frames = 0;
	end = now_ns() + (argc > 1 ? atoi(argv[1]) : 2) * NS_A_SECOND;
	do {
		for (unsigned i = 0; i < COUNT(ways); i++) {
			for (int frame = 0; frame < TURN; frame++)
				draw_frame(&ways[i]);
		}
	} while (now_ns() < end);
	if (glGetError() != GL_NO_ERROR)
		give_up("a GL error");
	for (unsigned i = 0; i < COUNT(ways); i++)
		print_rate(&ways[i]);
	return 0;
}
