// SPDX-License-Identifier: MIT
/*
 * lab-work EXPERIMENT COUNT: the programs of chapter 7 of the thesis that are none of glmark2's.
 * Each but latency sleeps after each frame or group and reads nothing back: what it measures is in
 * its command groups (VIVGPU_GROUPS). Drawing is that of tests/calibration.
 */

#include "work.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <EGL/egl.h>
#include <time.h>
#include <unistd.h>

#include "calibrate.h"

static const struct {
	const char *name;
	void (*run)(int count);
} experiments[] = {
	{ "flush", work_flush },
	{ "fast-clear", work_fast_clear },
	{ "clear", work_clear },
	{ "swap", work_swap },
	{ "texture-load", work_texture_load },
	{ "texture-size", work_texture_size },
	{ "samples", work_samples },
	{ "gears", work_gears },
	{ "gears-arrays", work_gears_arrays },
	{ "scenes", work_scenes },
	{ "offscreen", work_offscreen },
	{ "latency", work_latency },
};

void die(const char *what)
{
	fprintf(stderr, "lab-work: %s\n", what);
	exit(2);
}

/* The card's node with a display; calibrate.h */
int open_gpu(void)
{
	int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("no /dev/dri/card0");
	return fd;
}

void work_sleep(long us)
{
	struct timespec time = { .tv_nsec = us * 1000 };

	nanosleep(&time, NULL);
}

GLuint work_color(void)
{
	GLuint program = use_program("gl_FragData[0] = color;");

	glUniform4f(glGetUniformLocation(program, "color"), 1.0f, 0.5f, 0.0f, 1.0f);
	return program;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0;

	if (count < 1)
		die("usage: lab-work EXPERIMENT COUNT");
	for (unsigned int i = 0; i < sizeof(experiments) / sizeof(experiments[0]); i++) {
		if (strcmp(argv[1], experiments[i].name))
			continue;
		experiments[i].run(count);
		return eglGetCurrentContext() && glGetError() ? 1 : 0;
	}
	die("no such experiment");
}
