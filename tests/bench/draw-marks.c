// SPDX-License-Identifier: MIT
/*
 * draw-marks.so: preloaded into piglit's drawoverhead, makes every case of it
 * draw equally often, and tells callgrind (--dump-before=draw_mark) where the
 * draws that count begin and end.
 *
 * The program asks for the time before and after a number of draws. As long as
 * they took less than it wants, it draws the more often the shorter they took.
 * Here the first draw and the second attempt take a fixed short time, whatever
 * they really took, and the third takes long enough.
 */

#include <stdint.h>

#define CALLS_A_CASE 6
#define SHORT_NS 20000000ll
#define LONG_NS 10000000000ll

/** draw_mark - called before the draws that count and after them. */
__attribute__((noinline)) void draw_mark(void)
{
	__asm__ volatile("");
}

/** piglit_time_get_nano - a time that depends on nothing but the number of the call. */
int64_t piglit_time_get_nano(void)
{
	static unsigned int calls;
	static int64_t now;
	unsigned int call = calls++ % CALLS_A_CASE;

	now += call == CALLS_A_CASE - 1 ? LONG_NS : SHORT_NS;
	if (call >= CALLS_A_CASE - 2)
		draw_mark();
	return now;
}
