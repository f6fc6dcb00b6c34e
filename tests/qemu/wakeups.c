// SPDX-License-Identifier: MIT
/*
 * qemu-wakeups: how late a thread with the highest real-time priority wakes, beside a process that
 * draws all the time, and one that computes when nothing else does: the guest's processor never
 * sleeps, so that with QEMU's -icount its time is that of its instructions, and not of the host
 * while it waits.
 *
 *	qemu-wakeups LOOPS	of the sleeps
 *
 * "timer": as cyclictest measures, after a sleep until a time. "fence": after the fence of a small
 * job, whose time of signalling the kernel has in the sync file. Prints microseconds.
 */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <linux/sync_file.h>

#define PRIORITY 99
#define INTERVAL_NS 10000000
#define SECOND_NS 1000000000
/* The process beside draws larger pictures than the one that is measured. */
#define LARGE 512
#define SMALL 16
/* Fences for each sleep, which takes longer */
#define FENCES 4

static PFNEGLCREATESYNCKHRPROC create_sync;
static PFNEGLDESTROYSYNCKHRPROC destroy_sync;
static PFNEGLDUPNATIVEFENCEFDANDROIDPROC dup_fence;
static EGLDisplay display;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "qemu-wakeups: %s (EGL %#x)\n", what, (unsigned int)eglGetError());
	exit(1);
}

static void make_context(int size)
{
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	GLuint texture, framebuffer;
	EGLContext context;

	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
	if (!eglInitialize(display, NULL, NULL))
		fail("no display");
	eglBindAPI(EGL_OPENGL_ES_API);
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		fail("no context");
	if (strncmp((const char *)glGetString(GL_RENDERER), "Vivante", 7) != 0)
		fail("another renderer");
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		fail("incomplete framebuffer");
}

static void draw(int frame)
{
	glClearColor((frame & 1) * .5f, .25f, .75f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

/* A process that draws until it is killed. Returns its id once it has drawn something. */
static pid_t start_drawing(void)
{
	int ready[2];
	pid_t child;
	char c;

	if (pipe(ready))
		fail("no pipe");
	child = fork();
	if (child < 0)
		fail("no process");
	if (!child) {
		make_context(LARGE);
		for (int frame = 0;; frame++) {
			draw(frame);
			glFinish();
			if (!frame && write(ready[1], "", 1) != 1)
				exit(1);
		}
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		fail("the process beside does not draw");
	close(ready[0]);
	return child;
}

/* A process that computes until it is killed, when no other has anything to do. */
static pid_t start_computing(void)
{
	const struct sched_param parameters = { 0 };
	pid_t child = fork();

	if (child < 0)
		fail("no process");
	if (child)
		return child;
	if (sched_setscheduler(0, SCHED_IDLE, &parameters))
		fail("no idle priority");
	for (volatile unsigned int n = 0;; n++)
		;
}

static void stop(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

/* Each returns by how many ns the thread was late. */

static int64_t wake_by_timer(void)
{
	const int64_t until = now_ns() + INTERVAL_NS;
	const struct timespec t = { until / SECOND_NS, until % SECOND_NS };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	return now_ns() - until;
}

/* When the kernel signalled the fence of a sync file. */
static int64_t signalled_ns(int fence)
{
	struct sync_fence_info info;
	struct sync_file_info file = { .num_fences = 1, .sync_fence_info = (uintptr_t)&info };

	if (ioctl(fence, SYNC_IOC_FILE_INFO, &file) || file.num_fences != 1 || info.status != 1)
		fail("the fence cannot be read");
	return (int64_t)info.timestamp_ns;
}

static int64_t wake_by_fence(void)
{
	static int frame;
	struct pollfd poll_fence = { .events = POLLIN };
	int64_t woken;
	EGLSync sync;

	draw(frame++);
	sync = create_sync(display, EGL_SYNC_NATIVE_FENCE_ANDROID, NULL);
	glFlush();
	poll_fence.fd = dup_fence(display, sync);
	if (poll_fence.fd < 0)
		fail("no native fence");
	if (poll(&poll_fence, 1, -1) != 1)
		fail("no wake-up");
	woken = now_ns() - signalled_ns(poll_fence.fd);
	close(poll_fence.fd);
	destroy_sync(display, sync);
	return woken;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void measure(const char *what, int loops, int64_t (*wake)(void))
{
	int64_t *late = calloc((size_t)loops, sizeof(*late));
	double sum = 0;

	if (!late)
		fail("no memory");
	for (int i = 0; i < loops; i++) {
		late[i] = wake();
		sum += (double)late[i];
	}
	qsort(late, (size_t)loops, sizeof(*late), compare);
	printf("%s: %d wake-ups, mean %.1f, median %.1f, 99 %% within %.1f, at most %.1f us\n",
	       what, loops, sum / loops / 1e3, (double)late[loops / 2] / 1e3,
	       (double)late[loops * 99 / 100] / 1e3, (double)late[loops - 1] / 1e3);
	fflush(stdout);
	free(late);
}

int main(int argc, char *argv[])
{
	const struct sched_param parameters = { .sched_priority = PRIORITY };
	const int loops = argc == 2 ? atoi(argv[1]) : 0;
	pid_t drawing, computing;

	if (loops <= 0)
		fail("usage: qemu-wakeups LOOPS");
	drawing = start_drawing();
	computing = start_computing();
	make_context(SMALL);
	create_sync = (PFNEGLCREATESYNCKHRPROC)eglGetProcAddress("eglCreateSyncKHR");
	destroy_sync = (PFNEGLDESTROYSYNCKHRPROC)eglGetProcAddress("eglDestroySyncKHR");
	dup_fence =
		(PFNEGLDUPNATIVEFENCEFDANDROIDPROC)eglGetProcAddress("eglDupNativeFenceFDANDROID");
	if (sched_setscheduler(0, SCHED_FIFO, &parameters) || mlockall(MCL_CURRENT | MCL_FUTURE))
		fail("no real-time priority");
	measure("timer", loops, wake_by_timer);
	measure("fence", FENCES * loops, wake_by_fence);
	stop(drawing);
	stop(computing);
	return 0;
}
