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
 * are more draws, and a line on standard error tells how long the third attempt took:
 *
 *	draw-marks NANOSECONDS
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <valgrind/callgrind.h>

#define CALLS_A_CASE 6
#define SHORT_NS 20000000ll
#define LONG_NS 10000000000ll

static int64_t real_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void begin(int64_t *since)
{
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
	*since = real_time();
}

static void end(int64_t since, bool tell)
{
	int64_t now = real_time();

	CALLGRIND_DUMP_STATS;
	CALLGRIND_STOP_INSTRUMENTATION;
	if (tell)
		fprintf(stderr, "draw-marks %" PRId64 "\n", now - since);
}

/** piglit_time_get_nano - a time that depends on nothing but the number of the call. */
int64_t piglit_time_get_nano(void)
{
	static unsigned int calls;
	static int64_t now, since;
	const char *more = getenv("DRAW_MARKS_MORE");
	unsigned int call = calls++ % CALLS_A_CASE;

	now += call == CALLS_A_CASE - 1 ? LONG_NS : SHORT_NS / (more ? atoi(more) : 1);
	if (call == CALLS_A_CASE - 2)
		begin(&since);
	else if (call == CALLS_A_CASE - 1)
		end(since, more);
	return now;
}
