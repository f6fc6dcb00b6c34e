// SPDX-License-Identifier: MIT
/*
 * draw-marks.so: preloaded into piglit's drawoverhead, replaces the clock that it reads. The program
 * reads the time before and after a number of draws, and repeats the measurement with more
 * draws, in inverse proportion to the time, until it takes long enough.
 *
 * Here the first two attempts take a fixed short time, whatever they really took, and the third
 * takes long enough: so every case draws equally often.
 *
 * Under callgrind (--instr-atstart=no) the third attempt is counted, and a profile of it written.
 * With DRAW_MARKS_MORE=N the short times are N times as short, hence there are more draws. With
 * DRAW_MARKS_TIME=PREFIX the guest's processor time at the beginning and the end of the third
 * attempt is left in PREFIX.1 and PREFIX.2, by guest-time; only for a run of one case, since
 * guest_time_take() does not wait if its file exists. A line on standard error tells how many
 * 32-bit words of command streams the attempt submitted:
 *
 *	draw-marks WORDS
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <valgrind/callgrind.h>

#include "guest_time.h"
#include "vivgpu_drm.h"

/* Three attempts, with the time read before and after each */
#define CALLS_A_CASE 6
#define SHORT_NS 20000000ll
#define LONG_NS 10000000000ll

/* Bytes of command streams submitted so far */
static uint64_t submitted;

/* @which: "1" or "2" */
static void take_time(const char *which)
{
	const char *prefix = getenv("DRAW_MARKS_TIME");
	char path[4096];

	if (!prefix)
		return;
	snprintf(path, sizeof(path), "%s.%s", prefix, which);
	guest_time_take(path);
}

static void begin(uint64_t *bytes)
{
	*bytes = submitted;
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
	take_time("1");
}

static void end(uint64_t bytes)
{
	take_time("2");
	CALLGRIND_DUMP_STATS;
	CALLGRIND_STOP_INSTRUMENTATION;
	fprintf(stderr, "draw-marks %" PRIu64 "\n", (submitted - bytes) / sizeof(uint32_t));
}

/** ioctl - the system call; the command streams of jobs for vivgpu's or etnaviv's interface are counted. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (request == DRM_IOCTL_VIVGPU_SUBMIT) {
		const struct drm_vivgpu_submit *job = argument;
		const struct drm_vivgpu_piece *pieces =
			(const struct drm_vivgpu_piece *)(uintptr_t)job->pieces;

		for (uint32_t i = 0; i < job->nr_pieces; i++)
			submitted += pieces[i].size;
	} else if (request == DRM_IOCTL_ETNAVIV_GEM_SUBMIT) {
		submitted += ((const struct drm_etnaviv_gem_submit *)argument)->stream_size;
	}
	return syscall(SYS_ioctl, fd, request, argument);
}

/** piglit_time_get_nano - a time that depends on nothing but the number of the call. */
int64_t piglit_time_get_nano(void)
{
	static unsigned int calls;
	static int64_t now;
	static uint64_t bytes;
	const char *more = getenv("DRAW_MARKS_MORE");
	unsigned int call = calls++ % CALLS_A_CASE;

	now += call == CALLS_A_CASE - 1 ? LONG_NS : SHORT_NS / (more ? atoi(more) : 1);
	if (call == CALLS_A_CASE - 2)
		begin(&bytes);
	else if (call == CALLS_A_CASE - 1)
		end(bytes);
	return now;
}
