// SPDX-License-Identifier: MIT
/*
 * draw-marks.so: preloaded into piglit's drawoverhead, replaces the clock that it reads. The program
 * reads the time before and after a number of draws, and repeats the measurement with more
 * draws, in inverse proportion to the time, until it takes long enough.
 *
 * Here the first draw and the second attempt take a fixed short time, whatever they
 * really took, and the third takes long enough: so every case draws equally often.
 *
 * Under callgrind (--instr-atstart=no) the third attempt is counted, and a profile of
 * it written. With DRAW_MARKS_MORE=N the short times are N times as short, hence there
 * are more draws. A line on standard error tells how long the third attempt took, and the 32-bit
 * words of the command streams that it submitted:
 *
 *	draw-marks NANOSECONDS WORDS
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <valgrind/callgrind.h>

#include "vivgpu_drm.h"

#define CALLS_A_CASE 6
#define SHORT_NS 20000000ll
#define LONG_NS 10000000000ll

/* Bytes of command streams submitted so far */
static uint64_t submitted;

static int64_t real_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void begin(int64_t *since, uint64_t *bytes)
{
	*bytes = submitted;
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
	*since = real_time();
}

static void end(int64_t since, uint64_t bytes)
{
	int64_t now = real_time();

	CALLGRIND_DUMP_STATS;
	CALLGRIND_STOP_INSTRUMENTATION;
	fprintf(stderr, "draw-marks %" PRId64 " %" PRIu64 "\n", now - since,
		(submitted - bytes) / sizeof(uint32_t));
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
	static int64_t now, since;
	static uint64_t bytes;
	const char *more = getenv("DRAW_MARKS_MORE");
	unsigned int call = calls++ % CALLS_A_CASE;

	now += call == CALLS_A_CASE - 1 ? LONG_NS : SHORT_NS / (more ? atoi(more) : 1);
	if (call == CALLS_A_CASE - 2)
		begin(&since, &bytes);
	else if (call == CALLS_A_CASE - 1)
		end(since, bytes);
	return now;
}
