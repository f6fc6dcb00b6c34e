// SPDX-License-Identifier: MIT
/*
 * jobs: how many jobs flushes, fences and waits take, by the kernel's own count. The
 * tags are "jo.".
 */
#include "harness.h"

#include <stdio.h>

#define SIDE 64
#define TURNS 10

static PFNEGLCREATESYNCKHRPROC create_sync;
static PFNEGLDESTROYSYNCKHRPROC destroy_sync;
static PFNEGLCLIENTWAITSYNCKHRPROC wait_sync;

/* Jobs since the last call; everything is over then. */
static uint64_t more_jobs(void)
{
	static uint64_t before;
	uint64_t now, more;

	glFinish();
	now = submitted_jobs();
	more = now - before;
	before = now;
	return more;
}

/* Makes a fence, waits for it, deletes it; whether it came. */
static bool waits(EGLDisplay display)
{
	EGLSyncKHR sync = create_sync(display, EGL_SYNC_FENCE_KHR, NULL);
	EGLint result = wait_sync(display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, EGL_FOREVER_KHR);

	return destroy_sync(display, sync) && result == EGL_CONDITION_SATISFIED_KHR;
}

static void flushes(void)
{
	uint64_t jobs;

	draw_square(0, 1);
	jobs = more_jobs();
	check("jo.finish", jobs == 1, "a square and a finish: %d job", (int)jobs);
	for (int i = 0; i < TURNS; i++) {
		glFlush();
		glFinish();
	}
	jobs = more_jobs();
	check("jo.nothing", jobs == 0, "nothing, finished %d times: %d jobs", TURNS, (int)jobs);
	for (int i = 0; i < TURNS; i++) {
		draw_square(0, 1);
		glFlush();
	}
	jobs = more_jobs();
	check("jo.flush", jobs >= TURNS && jobs <= TURNS + 1,
	      "%d squares with a flush each, and a finish: %d jobs", TURNS, (int)jobs);
}

static void fences(EGLDisplay display)
{
	bool waited = true;
	uint64_t jobs;

	for (int i = 0; i < TURNS; i++) {
		draw_square(0, 1);
		waited &= waits(display);
	}
	jobs = more_jobs();
	check("jo.fence", waited && jobs == TURNS, "%d squares with a fence each: %d jobs", TURNS,
	      (int)jobs);
	for (int i = 0; i < TURNS; i++)
		waited &= waits(display);
	jobs = more_jobs();
	check("jo.fence-nothing", waited && jobs == 0, "%d fences of nothing: %d jobs", TURNS,
	      (int)jobs);
}

int main(void)
{
	EGLDisplay display = get_display();

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	create_sync = get_function("eglCreateSyncKHR");
	destroy_sync = get_function("eglDestroySyncKHR");
	wait_sync = get_function("eglClientWaitSyncKHR");
	make_target(SIDE, SIDE);
	use_plain_program();
	more_jobs();
	flushes();
	fences(display);
	return end_checks();
}
