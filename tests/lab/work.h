/* SPDX-License-Identifier: MIT */
/*
 * Parts of lab-work: one function for each experiment; see work.c. Numbers of chapters and figures
 * are those of the thesis of Documentation/mesa/prediction.rst.
 */
#ifndef TESTS_LAB_WORK_H
#define TESTS_LAB_WORK_H

#include <GLES2/gl2.h>

/* Microseconds that a program sleeps after a frame, and after a group without a window */
#define FRAME_US 16667
#define GROUP_US 4000

/** work_sleep - wait, less than a second: it adds no command */
void work_sleep(long us);

/** work_color - use a program that draws in one colour, in one instruction */
GLuint work_color(void);

/* Experiments; @count: frames, or groups */
void work_flush(int count);
void work_fast_clear(int count);
void work_clear(int count);
void work_swap(int count);
void work_texture_load(int count);
void work_texture_size(int count);
void work_samples(int count);
void work_gears(int count);
void work_gears_arrays(int count);
void work_scenes(int count);
void work_offscreen(int count);

/** work_latency - no experiment of the GPU: print how late a thread with the highest priority wakes */
void work_latency(int count);

#endif
