// SPDX-License-Identifier: MIT
/*
 * frame-marks.so: preloaded into glmark2, whose scenes all have the same number of
 * frames (FRAME_MARKS_FRAMES), says what a frame of each scene takes once the first
 * FRAME_MARKS_SKIP of it are over (one at least, or there are no lines): lines on standard error
 *
 *	frame-marks CYCLES JOBS
 *
 * one for each scene, in order: the GPU cycles and jobs of its clients by the kernel's fdinfo.
 * Before both readings the program waits until the GPU is idle. Under callgrind
 * (--instr-atstart=no) only these frames are counted, and a profile is written for each scene. With
 * FRAME_MARKS_TIME=PATH the guest's processor time is taken at both ends: a line on descriptor 3
 * asks guest-time for it, which answers by a file, PATH.N, N from 1 on. With FRAME_MARKS_KERNEL a
 * system call that is used nowhere else is at both ends, for kernel-steps.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gbm.h>
#include <valgrind/callgrind.h>

#include "client_usage.h"
#include "guest_time.h"
#include "next-frame.h"

static unsigned int setting(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 10) : 0;
}

/* Wait until everything that was drawn is done. The program has a current context. */
static void finish(void)
{
	static void (*gl_finish)(void);

	if (!gl_finish) {
		void *library = dlopen("libGLESv2.so.2", RTLD_NOW);

		gl_finish = library ? (void (*)(void))dlsym(library, "glFinish") : NULL;
	}
	if (!gl_finish)
		abort();
	gl_finish();
}

/* The host reads the guest's processor time while the guest waits. */
static void take_time(void)
{
	const char *prefix = getenv("FRAME_MARKS_TIME");
	static unsigned int number;
	char path[4096];

	if (!prefix)
		return;
	snprintf(path, sizeof(path), "%s.%u", prefix, ++number);
	guest_time_take(path);
}

static void mark_kernel(void)
{
	if (getenv("FRAME_MARKS_KERNEL"))
		syscall(SYS_getsid, 0);
}

static struct client_usage begin(void)
{
	struct client_usage usage;

	finish();
	usage = client_usage_now();
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
	take_time();
	mark_kernel();
	return usage;
}

static void end(const struct client_usage *before, unsigned int frames)
{
	struct client_usage usage;

	mark_kernel();
	take_time();
	CALLGRIND_DUMP_STATS;
	CALLGRIND_STOP_INSTRUMENTATION;
	finish();
	usage = client_usage_now();
	fprintf(stderr, "frame-marks %.0f %.2f\n", (double)(usage.cycles - before->cycles) / frames,
		(double)(usage.jobs - before->jobs) / frames);
}

/** gbm_surface_lock_front_buffer - where every frame shown on a GBM surface passes. */
struct gbm_bo *gbm_surface_lock_front_buffer(struct gbm_surface *surface)
{
	static unsigned int frames;
	static struct client_usage usage;
	/* Frames of a scene, and those of it that are left out */
	unsigned int scene = setting("FRAME_MARKS_FRAMES"), skip = setting("FRAME_MARKS_SKIP");
	struct gbm_bo *bo = next_frame(surface);

	frames++;
	if (!scene || skip >= scene)
		return bo;
	if (frames % scene == skip)
		usage = begin();
	else if (frames % scene == 0)
		end(&usage, scene - skip);
	return bo;
}
