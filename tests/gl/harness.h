/* SPDX-License-Identifier: MIT */
/*
 * Common functions of GL test programs: counting results, contexts without a window, simple draws,
 * and the card's totals.
 *
 * Each result is one line, as in TAP: "ok 3 - tq.gen-names: text", "not ok ..." or "ok ... # SKIP
 * reason". In tests/gl the tag before the colon is one that Documentation/mesa/conformance-*.rst
 * names: the file's prefix, a dot, words with dashes. A tag may have several results.
 * tests/gl/run compares the printed tags with those on the pages.
 */
#ifndef TESTS_GL_HARNESS_H
#define TESTS_GL_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/**
 * Count a result and print it; the text describes what was observed. Returns @good. Thread-safe.
 */
bool check(const char *tag, bool good, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Count a result that cannot be obtained here; the reason cites code or a specification. */
void skip(const char *tag, const char *reason);

/** Check that glGetError() gives @expected and nothing is left after it. */
bool check_error(const char *tag, GLenum expected, const char *what);

/** Print the plan and the line of counts. Returns the status to exit with. */
int end_checks(void);

/** Print why the test can't go on and end with status 2. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum api {
	API_ES2,
	/** OpenGL, the compatibility profile's highest version that the driver has */
	API_GL,
};

/** The display without windows, initialised at the first call. */
EGLDisplay get_display(void);

struct gbm_device;

/**
 * Open the display of a GBM device and make a context of OpenGL ES without a surface current on it.
 * Gives up on failure.
 */
EGLDisplay open_gbm_display(struct gbm_device *device);

/** A context; @share may be EGL_NO_CONTEXT. Gives up on failure. */
EGLContext make_context(enum api api, EGLContext share);

/** Make a context current without a surface, or none with EGL_NO_CONTEXT. */
void use_context(EGLContext context);

/** True if a word is in a list separated by spaces, like extension strings. */
bool has_word(const char *list, const char *word);

/** True if an extension is in the current context's GL_EXTENSIONS. */
bool has_extension(const char *name);

/** Return a function by its name; gives up if there is none. */
void *get_function(const char *name);

/**
 * Bind a new framebuffer object with a colour texture of this size (pixels)
 * and set the viewport to it. Returns the framebuffer.
 */
GLuint make_target(int width, int height);

/**
 * Attach a depth buffer of this format and size (pixels) to the bound framebuffer; gives up if it
 * is not complete then.
 */
void add_depth(GLenum format, int width, int height);

/** Compile, link and use a program; attribute 0 is "position", 1 is "value". */
GLuint use_program(const char *vertex, const char *fragment);

/** Make a program current that draws "position" in the uniform "color". */
GLuint use_plain_program(void);

/**
 * Make a program current that draws "position"; its fragment shader has a place in the target, from 0
 * to 1, as "varying vec2 at".
 */
GLuint use_copy_program(const char *fragment);

/** Draw a square over the whole target, @count times, @z from -1 to 1. */
void draw_square(float z, int count);

/** A pseudo-random number below a limit; the numbers of all runs are the same. Not thread-safe. */
unsigned random_below(unsigned limit);

/** CLOCK_MONOTONIC in ns. */
int64_t now_ns(void);

/**
 * Number of jobs of this process that have finished, not of all that were submitted, by fdinfo, of
 * the client with the most; a client with two files counts once. 0 if the kernel driver does not
 * report it.
 */
uint64_t submitted_jobs(void);

/** KiB of this process's GPU memory, by fdinfo, of the client with the most. */
uint64_t gpu_memory(void);

/**
 * Send a command of the card's control protocol, as for vivgpu-cardctl. Prints a note on failure.
 * Returns success.
 */
bool card_command(const char *command);

/**
 * Let the core hang at its next command, whichever client's it is, until the driver resets it.
 * Keeps the core awake, since waking up would drop the hang. Gives up on failure.
 */
void hang_core(void);

/**
 * Get several of the card's totals (see vivgpu-cardctl) at one time; gives up if one is missing.
 */
void card_totals(const char *const *names, uint64_t *values, unsigned count);

/** Get one of the card's totals (see vivgpu-cardctl) by its name; gives up if it is missing. */
uint64_t card_total(const char *name);

#endif
