// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include <linux/minmax.h>

#include "recorded.h"

/* The program with this name, which is new if it is not the last one. */
static struct recorded *find(struct recorded *programs, u32 *count, const char *name)
{
	if (*count && !strcmp(programs[*count - 1].name, name))
		return &programs[*count - 1];
	if (*count == MAX_PROGRAMS)
		return NULL;
	memset(&programs[*count], 0, sizeof(*programs));
	snprintf(programs[*count].name, sizeof(programs[*count].name), "%s", name);
	return &programs[(*count)++];
}

/*
 * Add a job to a frame. Frames come by their number, from 0 on; false if not, or there are too
 * many.
 */
static bool add(struct recorded *program, u32 frame, u64 length_ns, u64 cost_ns)
{
	struct recorded_frame *to;

	if (frame >= MAX_RECORDED_FRAMES || frame > program->count)
		return false;
	program->count = max(program->count, frame + 1);
	to = &program->frames[frame];
	if (to->jobs == MAX_FRAME_JOBS)
		return false;
	to->length_ns[to->jobs] = length_ns;
	to->cost_ns[to->jobs++] = cost_ns;
	return true;
}

static void find_longest(struct recorded *program)
{
	u32 i, j;

	for (i = 0; i < program->count; i++) {
		u64 sum = 0;

		for (j = 0; j < program->frames[i].jobs; j++)
			sum += program->frames[i].length_ns[j];
		program->longest_ns = max(program->longest_ns, sum);
	}
}

/**
 * recorded_read - read a recording
 * @path: a file with lines "program,frame,time_ns,cost_ns"; those with # are left out
 * @programs: out, MAX_PROGRAMS
 *
 * Return: the number of programs, 0 if the file cannot be read or has a bad line.
 */
u32 recorded_read(const char *path, struct recorded *programs)
{
	FILE *file = fopen(path, "r");
	char line[256], name[64];
	unsigned long long length, cost;
	u32 count = 0, frame, i;

	while (file && fgets(line, sizeof(line), file)) {
		struct recorded *program;

		if (line[0] == '#')
			continue;
		if (sscanf(line, "%63[^,],%u,%llu,%llu", name, &frame, &length, &cost) != 4)
			count = 0;
		else if ((program = find(programs, &count, name)) &&
			 add(program, frame, length, cost))
			continue;
		fclose(file);
		return 0;
	}
	if (!file)
		return 0;
	fclose(file);
	for (i = 0; i < count; i++)
		find_longest(&programs[i]);
	return count;
}
