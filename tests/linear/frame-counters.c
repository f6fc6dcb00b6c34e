// SPDX-License-Identifier: MIT
/*
 * frame-counters.so: preloaded into glmark2, whose scenes all have the same number of frames
 * (FRAME_COUNTERS_FRAMES), writes a line of CSV to FRAME_COUNTERS_FILE for each frame of a scene
 * but its first FRAME_COUNTERS_SKIP:
 *
 *	scene,frame,cycles,jobs[,COUNTER...]
 *
 * Scenes and their frames are numbered from 1. Cycles and jobs are those of the program's
 * clients by the kernel's fdinfo. With FRAME_COUNTERS_MONITOR=1 a monitor of
 * GL_AMD_performance_monitor runs during the frame, with all counters that are numbers of events
 * or bytes but for left_out[]. Cycles then differ from those of a frame without a monitor: the
 * kernel starts a job with counters when all earlier ones have ended, and later ones wait for it.
 *
 * Frames begin and end while the GPU is idle.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gbm.h>

#include "client_usage.h"
#include "monitor.h"
#include "next-frame.h"

#define NAME_BYTES 64

/*
 * A monitor has 64 counters of the kernel's at most, and the cycles that are to be predicted are no
 * counts of work. The others left out are zero on the virtual card
 * (Documentation/mesa/counters.rst, "still").
 */
static const char *const left_out[] = {
	"Busy Cycles",
	"Elapsed Cycles",
	"Job Cycles",
	"Idle Cycles",
	"FE Cache Misses",
	"FE Cache Lookups",
	"FE Stalls",
	"FE Processed",
	"RA HZ Pipe Cache Misses",
	"RA HZ Prefetch Cache Misses",
};

static FILE *output;
/* Of the frame that is being drawn; no monitor: 0. */
static struct client_usage before;
static GLuint monitor;

static unsigned int setting(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 10) : 0;
}

static bool is_left_out(const char *name)
{
	for (unsigned int i = 0; i < COUNT(left_out); i++)
		if (strcmp(name, left_out[i]) == 0)
			return true;
	return false;
}

/* Ratios and percentages are no amounts of work. */
static void select_counter(GLuint group, GLuint counter)
{
	char name[NAME_BYTES];
	GLenum type;

	pm.counter_info(group, counter, GL_COUNTER_TYPE_AMD, &type);
	pm.counter_string(group, counter, sizeof(name), NULL, name);
	if (type != GL_FLOAT && type != GL_PERCENTAGE_AMD && !is_left_out(name))
		pm.select(monitor, GL_TRUE, group, 1, &counter);
}

/* Each scene has a context of its own, so each frame has a monitor of its own. */
static void begin_monitor(void)
{
	GLuint groups[MAX_GROUPS], counters[MAX_COUNTERS];
	unsigned int num_groups;

	load_monitor_calls();
	num_groups = get_groups(groups);
	pm.gen(1, &monitor);
	for (unsigned int g = 0; g < num_groups; g++) {
		unsigned int num_counters = get_counters(groups[g], counters);

		for (unsigned int c = 0; c < num_counters; c++)
			select_counter(groups[g], counters[c]);
	}
	pm.begin(monitor);
	if (glGetError() != GL_NO_ERROR)
		give_up("frame-counters: the monitor does not begin");
}

static void write_header(const struct monitor_result *result)
{
	fprintf(output, "scene,frame,cycles,jobs");
	for (unsigned int i = 0; i < result->count; i++) {
		const struct monitor_value *value = &result->values[i];
		char name[NAME_BYTES];

		pm.counter_string(value->group, value->id, sizeof(name), NULL, name);
		fprintf(output, ",%s", name);
	}
	fputc('\n', output);
}

static void write_line(unsigned int scene, unsigned int frame, const struct client_usage *usage,
		       const struct monitor_result *result)
{
	if (!output) {
		output = fopen(getenv("FRAME_COUNTERS_FILE"), "w");
		if (!output)
			give_up("frame-counters: FRAME_COUNTERS_FILE cannot be written");
		write_header(result);
	}
	fprintf(output, "%u,%u,%llu,%llu", scene, frame,
		(unsigned long long)(usage->cycles - before.cycles),
		(unsigned long long)(usage->jobs - before.jobs));
	for (unsigned int i = 0; i < result->count; i++)
		fprintf(output, ",%llu", (unsigned long long)result->values[i].integer);
	fputc('\n', output);
	fflush(output);
}

static void begin_frame(void)
{
	glFinish();
	if (setting("FRAME_COUNTERS_MONITOR"))
		begin_monitor();
	before = client_usage_now();
}

static void end_frame(unsigned int scene, unsigned int frame)
{
	static struct monitor_result result;
	struct client_usage usage;

	glFinish();
	usage = client_usage_now();
	if (monitor) {
		pm.end(monitor);
		get_result(monitor, &result);
		delete_monitor(monitor);
		monitor = 0;
		if (!result.sound || !result.count)
			give_up("frame-counters: a monitor has no result");
	}
	write_line(scene, frame, &usage, &result);
}

/**
 * gbm_surface_lock_front_buffer - where every frame shown on a GBM surface passes
 *
 * It ends there, and the next one of its scene, if that is written, begins. So the first one of a
 * scene, whose begin is not seen, is never written.
 */
__attribute__((visibility("default"))) struct gbm_bo *gbm_surface_lock_front_buffer(
	struct gbm_surface *surface)
{
	static unsigned int frames;
	unsigned int length = setting("FRAME_COUNTERS_FRAMES"),
		     skip = setting("FRAME_COUNTERS_SKIP");
	struct gbm_bo *bo = next_frame(surface);
	unsigned int frame;

	if (!skip || skip >= length)
		give_up("frame-counters: FRAME_COUNTERS_SKIP is from 1 to FRAME_COUNTERS_FRAMES - 1");
	frame = frames++ % length + 1;
	if (frame > skip)
		end_frame((frames - 1) / length + 1, frame);
	if (frame >= skip && frame < length)
		begin_frame();
	return bo;
}
