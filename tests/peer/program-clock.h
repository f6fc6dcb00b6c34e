/* SPDX-License-Identifier: MIT */
/*
 * The clock of libraries that are preloaded into programs which are not ours. The program's own
 * calls see a clock that stands still within a frame and goes on by a fixed step with each,
 * FRAME_CLOCK_STEP_US microseconds (default 300000), but by time() always its first second; the
 * libraries keep the real one, because the kernel's timeouts need it.
 */
#ifndef TESTS_PEER_PROGRAM_CLOCK_H
#define TESTS_PEER_PROGRAM_CLOCK_H

#include <stdbool.h>

/** Frames that the program has shown: its time; the preloaded library counts them. */
extern unsigned int program_frames;

/** Whether a function was called by the program itself, by __builtin_return_address(0). */
bool program_calls(void *return_address);

#endif
