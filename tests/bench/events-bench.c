// SPDX-License-Identifier: MIT
/*
 * events-bench: what collecting events costs a program, and how many come
 * before the first is lost (EGL_BRCM_event_monitor, OpenGL ES 2.0, off screen).
 *
 *	events-bench cost ROUNDS	time of frames, collecting and not, in turn
 *	events-bench instructions	some frames of each kind, for callgrind, which
 *					is to --dump-before=event_mark, and for
 *					strace, which sees a getppid() there
 *	events-bench loss		jobs as fast as they go until an event is lost
 *
 * A frame is DRAWS draws, each with a uniform of its own, a piece of a texture,
 * a flush, and a wait for the frame before. Prints lines "name value unit"; times
 * are the least of all rounds, because what else a machine does only adds to them.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <EGL/eglext_brcm.h>
#include <GLES2/gl2.h>

#include "../gl_program.h"

#define SIZE 256
#define DRAWS 100
#define FRAMES_A_ROUND 10
#define FRAMES_COUNTED 100
/* As a program that reads the events once a frame */
#define READS_A_SECOND 60
/* Jobs before the first read; print_loss() */
#define JOBS_A_LOOK 16
#define BUFFER_BYTES (8 << 20)

static PFNEGLSETEVENTCOLLECTIONBRCMPROC set_collection;
static PFNEGLGETEVENTDATABRCMPROC get_data;
static PFNEGLGETEVENTINFOBRCMPROC get_info;
static PFNEGLCREATESYNCKHRPROC create_sync;
static PFNEGLCLIENTWAITSYNCKHRPROC wait_sync;
static PFNEGLDESTROYSYNCKHRPROC destroy_sync;

static EGLDisplay display;
static GLint color;
static void *buffer;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "events-bench: %s (EGL error 0x%x)\n", what, eglGetError());
	exit(1);
}

/** event_mark - called where callgrind, or who counts system calls, is to begin a new count. */
__attribute__((noinline)) void event_mark(void)
{
	syscall(SYS_getppid);
}

static void init_egl(void)
{
	const EGLint config_attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
					     EGL_OPENGL_ES2_BIT, EGL_NONE };
	const EGLint context_attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLContext context;
	EGLConfig config;
	EGLint count;

	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
	    !eglChooseConfig(display, config_attributes, &config, 1, &count) || !count)
		die("no display");
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		die("no context");
	set_collection = (void *)eglGetProcAddress("eglSetEventCollectionBRCM");
	get_data = (void *)eglGetProcAddress("eglGetEventDataBRCM");
	get_info = (void *)eglGetProcAddress("eglGetEventInfoBRCM");
	create_sync = (void *)eglGetProcAddress("eglCreateSyncKHR");
	wait_sync = (void *)eglGetProcAddress("eglClientWaitSyncKHR");
	destroy_sync = (void *)eglGetProcAddress("eglDestroySyncKHR");
	if (!set_collection || !get_data || !get_info)
		die("no EGL_BRCM_event_monitor");
}

static void init_gl(void)
{
	static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
	GLuint program, names[2], framebuffer, vertices;

	glGenTextures(2, names);
	for (int i = 0; i < 2; i++) {
		glBindTexture(GL_TEXTURE_2D, names[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	}
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, names[0], 0);
	glViewport(0, 0, SIZE, SIZE);
	program = gl_use_program("attribute vec4 p;\nvoid main() { gl_Position = p; }\n",
				 "precision mediump float;\nuniform vec4 c;\n"
				 "void main() { gl_FragColor = c; }\n",
				 "p", NULL);
	color = glGetUniformLocation(program, "c");
	glGenBuffers(1, &vertices);
	glBindBuffer(GL_ARRAY_BUFFER, vertices);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
}

/* The texture that the piece goes to, which was made last, is not drawn with. */
static void frame(int draws)
{
	static const uint8_t pixels[32 * 32 * 4];
	static EGLSyncKHR last;
	EGLSyncKHR sync;

	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < draws; i++) {
		glUniform4f(color, i * 0.001f, 0.5f, 0.25f, 1.0f);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	}
	sync = create_sync(display, EGL_SYNC_FENCE_KHR, NULL);
	glFlush();
	if (last) {
		wait_sync(display, last, 0, EGL_FOREVER_KHR);
		destroy_sync(display, last);
	}
	last = sync;
}

/*
 * Count the events of a batch; @lost: whether something was lost. An event is a header of 24 bytes,
 * with its index at byte 16, and data.
 */
static unsigned int read_events(EGLBoolean *lost)
{
	unsigned int count = 0;
	EGLint bytes, data;
	uint32_t index;

	if (!get_data(BUFFER_BYTES, buffer, &bytes, lost, NULL))
		die("no data");
	for (EGLint at = 0; at < bytes; at += 24 + data, count++) {
		memcpy(&index, (char *)buffer + at + 16, sizeof(index));
		get_info(index, 0, NULL, NULL, &data);
	}
	return count;
}

/* Read all collected events and drop them. */
static void collect(void)
{
	EGLint bytes;

	if (!get_data(BUFFER_BYTES, buffer, &bytes, NULL, NULL))
		die("no data");
}

/* Seconds a frame. If @collecting, the read of the events at the end is part of the time. */
static double round_time(int collecting, int frames)
{
	double start = now();

	for (int i = 0; i < frames; i++)
		frame(DRAWS);
	if (collecting)
		collect();
	glFinish();
	return (now() - start) / frames;
}

static void print_costs(int rounds)
{
	double least[2] = { 1e9, 1e9 };

	for (int i = 0; i < 2 * rounds; i++) {
		int on = i % 2;
		double time;

		if (!set_collection(on ? EGL_START_EVENTS_BRCM : EGL_STOP_EVENTS_BRCM))
			die("no collecting");
		collect();
		time = round_time(on, FRAMES_A_ROUND);
		if (time < least[on])
			least[on] = time;
	}
	printf("frame_off %.3f us\nframe_on %.3f us\n", least[0] * 1e6, least[1] * 1e6);
}

/* Not acquired, acquired, collecting, collecting and read at the end: one count each. */
static void count_instructions(void)
{
	frame(DRAWS);
	glFinish();
	for (int i = 0; i < 4; i++) {
		if (i == 1 && !set_collection(EGL_ACQUIRE_EVENTS_BRCM))
			die("no sampler");
		if (i == 2 && !set_collection(EGL_START_EVENTS_BRCM))
			die("no collecting");
		if (i == 3)
			collect();
		event_mark();
		round_time(i == 3, FRAMES_COUNTED);
		event_mark();
	}
}

static void jobs(int count)
{
	for (int i = 0; i < count; i++) {
		glUniform4f(color, i * 0.01f, 0.5f, 0.25f, 1.0f);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
		glFlush();
	}
	glFinish();
}

/*
 * Print two rates: of events that jobs make which are read every JOBS_A_LOOK jobs, and of those
 * that a program can read without loss. That is READS_A_SECOND times what a read finds once
 * something was lost, after more and more jobs without a read.
 */
static void print_loss(void)
{
	unsigned int count;
	EGLBoolean lost;
	double start;

	set_collection(EGL_START_EVENTS_BRCM);
	start = now();
	/* All reads find as many events as the last one, since all jobs are alike. */
	for (int i = 0; i < READS_A_SECOND; i++) {
		jobs(JOBS_A_LOOK);
		count = read_events(&lost);
		if (lost)
			die("something is lost that was read at once");
	}
	printf("events_a_second_made %.0f event/s\n", count * READS_A_SECOND / (now() - start));

	for (int made = JOBS_A_LOOK;; made += JOBS_A_LOOK) {
		jobs(made);
		count = read_events(&lost);
		if (lost)
			break;
	}
	printf("events_a_read %u event\nevents_a_second %u event/s\n", count,
	       READS_A_SECOND * count);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		die("usage: events-bench cost ROUNDS | instructions | loss");
	init_egl();
	init_gl();
	buffer = malloc(BUFFER_BYTES);
	if (strcmp(argv[1], "instructions") == 0) {
		count_instructions();
		return 0;
	}
	if (!set_collection(EGL_ACQUIRE_EVENTS_BRCM))
		die("no sampler");
	if (strcmp(argv[1], "cost") == 0)
		print_costs(argc > 2 ? atoi(argv[2]) : 20);
	else
		print_loss();
	return 0;
}
