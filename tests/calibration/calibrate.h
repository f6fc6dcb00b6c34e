/* SPDX-License-Identifier: MIT */
/* Parts of calibrate: the card's counts, GL contexts, and the pieces of work that are measured. */
#ifndef TESTS_CALIBRATION_CALIBRATE_H
#define TESTS_CALIBRATION_CALIBRATE_H

#include <stdint.h>

#include <GLES2/gl2.h>

#define WIDTH 640 /* of the published tests' screen */
#define HEIGHT 432

/* calibrate.c */

/** die - print a message and end with status 2 */
void die(const char *what) __attribute__((noreturn));

/** card_total - one of the card's statistics, such as "gc.busy_cycles" */
unsigned long long card_total(const char *name);

/** now_ns - CLOCK_MONOTONIC */
uint64_t now_ns(void);

/** open_gpu - file descriptor of etnaviv's render node */
int open_gpu(void);

/** measure - print "FIGURE CYCLES": the mean busy cycles of @work, which waits for its end */
void measure(const char *figure, void (*work)(void));

/* context.c */

/** make_context - a current context with a pixel buffer of @samples as its render target */
void make_context(int samples);

/** make_window - the same with a window surface, which swap_window() copies to a buffer for a display */
void make_window(void);

/** present_window - eglSwapBuffers(); does not wait for the GPU */
void present_window(void);

/** swap_window - eglSwapBuffers(); returns when the GPU has ended */
void swap_window(void);

/** make_target - a texture of @width x @height pixels as render target */
void make_target(int width, int height);

/**
 * use_program - a program whose vertex shader has an attribute "position", and makes of it a
 *	varying "place" from 0 to 1
 * @fragment: statements of its fragment shader
 */
GLuint use_program(const char *fragment);

/** draw_rectangle - from the window's lower left corner; @width, @height: 1 is all of it */
void draw_rectangle(float width, float height);

/* figures.c, curves.c, gears.c: print the lines of a figure and return 1, or 0 if it is not theirs. */

int measure_figure(const char *figure);
int measure_curve(const char *figure);
int measure_gears(const char *figure);

#endif
