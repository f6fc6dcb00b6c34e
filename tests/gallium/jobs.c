// SPDX-License-Identifier: MIT
/*
 * jobs [--vendor]: tests how many jobs flushes, fences and waits submit, as the kernel counts them;
 * with the option how many draws with the application's vertices do, which VIVGPU_DEBUG=vendor divides
 * (vivgpu_vendor.h). Names of its checks begin with "jo.".
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vivgpu_drm.h"

#define SIDE 64
#define TURNS 10
#define MAX_RECORDS 64
#define BUFFER_BYTES (1 << 20) /* Mesa's buffers for the application's vertices */
#define DEVICE "/dev/dri/renderD128"

static PFNGLFENCESYNCAPPLEPROC fence_sync;
static PFNGLCLIENTWAITSYNCAPPLEPROC client_wait_sync;
static PFNGLDELETESYNCAPPLEPROC delete_sync;
static PFNEGLCREATESYNCKHRPROC create_sync;
static PFNEGLDESTROYSYNCKHRPROC destroy_sync;
static PFNEGLCLIENTWAITSYNCKHRPROC wait_sync;

/* Number of jobs since the last call, that of glFinish() included; all of them have ended. */
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

/* Create a fence, wait for it and delete it. Returns whether it signalled. */
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

/* Wait for a fence, by polling or in one call, and delete it. Returns whether it signalled. */
static bool sync_ends(GLsync sync, bool polled)
{
	GLenum result;

	do
		result = client_wait_sync(sync, polled ? 0 : GL_SYNC_FLUSH_COMMANDS_BIT_APPLE,
					  polled ? 0 : GL_TIMEOUT_IGNORED_APPLE);
	while (polled && result == GL_TIMEOUT_EXPIRED_APPLE);
	delete_sync(sync);
	return result == GL_ALREADY_SIGNALED_APPLE || result == GL_CONDITION_SATISFIED_APPLE;
}

/* Fences of OpenGL submit their job when they are waited for, and not before. */
static void deferred_fences(void)
{
	bool waited = true;
	uint64_t jobs;
	GLsync first, second;

	for (int i = 0; i < TURNS; i++) {
		draw_square(0, 1);
		delete_sync(fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0));
	}
	jobs = more_jobs();
	check("jo.sync-not-waited", jobs == 1, "%d squares with a sync object each: %d jobs", TURNS,
	      (int)jobs);
	for (int i = 0; i < TURNS; i++) {
		draw_square(0, 1);
		first = fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
		draw_square(0, 1);
		second = fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0);
		waited &= sync_ends(second, i % 2) && sync_ends(first, i % 2);
	}
	jobs = more_jobs();
	check("jo.sync-waited", waited && jobs == TURNS, "%d waits for two sync objects: %d jobs",
	      TURNS, (int)jobs);
	waited &= sync_ends(fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0), true);
	jobs = more_jobs();
	check("jo.sync-nothing", waited && jobs == 0, "a sync object of nothing: %d jobs",
	      (int)jobs);
}

/* A stream of the kernel's records of all clients' jobs. */
static int open_records(void)
{
	struct drm_vivgpu_stream_open args = { .flags = DRM_VIVGPU_STREAM_ALL,
					       .types =
						       DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB),
					       .record_size = sizeof(struct drm_vivgpu_record) };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args))
		give_up("no records from " DEVICE);
	close(fd);
	fcntl(args.fd, F_SETFL, O_NONBLOCK);
	return args.fd;
}

/*
 * Jobs of two contexts. The upper half of a cookie names the context's stream of commands (@stream
 * here is one of records), the lower one counts the jobs of that. No other process may use the GPU
 * meanwhile.
 */
static void cookies(void)
{
	struct drm_vivgpu_record records[MAX_RECORDS];
	uint64_t last[2] = { 0 };
	unsigned count, jobs[2] = { 0 };
	ssize_t bytes;
	bool counted = true;
	int stream = open_records();

	for (int context = 0; context < 2; context++) {
		use_context(make_context(API_ES2, EGL_NO_CONTEXT));
		make_target(SIDE, SIDE);
		use_plain_program();
		for (int i = 0; i < TURNS; i++) {
			draw_square(0, 1);
			glFinish();
		}
	}
	bytes = read(stream, records, sizeof(records));
	if (bytes < 0)
		give_up("no records: %s", strerror(errno));
	count = (size_t)bytes / sizeof(records[0]);
	for (unsigned i = 0; i < count; i++) {
		uint64_t cookie = records[i].cookie;
		unsigned context = !last[0] || last[0] >> 32 == cookie >> 32 ? 0 : 1;

		counted &= cookie >> 32 && (!last[context] || cookie == last[context] + 1);
		last[context] = cookie;
		jobs[context]++;
	}
	check("jo.cookies", counted && jobs[0] >= TURNS && jobs[1] >= TURNS,
	      "%u and %u jobs of two contexts, the last ones 0x%llx and 0x%llx", jobs[0], jobs[1],
	      (unsigned long long)last[0], (unsigned long long)last[1]);
	close(stream);
}

/*
 * Draws whose vertices fill two and a half of Mesa's buffers: 16 draws fill one, with vertices of
 * 16 bytes. Each of the two full ones ends a job. The finish is two jobs: the rest, and a flush of
 * the caches.
 */
static void vendor(void)
{
	static float corners[BUFFER_BYTES / 16 / sizeof(float)];
	uint64_t jobs;

	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, corners);
	glEnableVertexAttribArray(0);
	for (int i = 0; i < 2 * 16 + 8; i++)
		glDrawArrays(GL_TRIANGLES, 0, sizeof(corners) / 16);
	jobs = more_jobs();
	check("jo.vendor-vertices", jobs == 4, "2.5 MB of vertices and a finish: %d jobs",
	      (int)jobs);
}

int main(int argc, char **argv)
{
	EGLDisplay display = get_display();

	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	fence_sync = get_function("glFenceSyncAPPLE");
	client_wait_sync = get_function("glClientWaitSyncAPPLE");
	delete_sync = get_function("glDeleteSyncAPPLE");
	create_sync = get_function("eglCreateSyncKHR");
	destroy_sync = get_function("eglDestroySyncKHR");
	wait_sync = get_function("eglClientWaitSyncKHR");
	make_target(SIDE, SIDE);
	use_plain_program();
	more_jobs();
	if (argc > 1 && !strcmp(argv[1], "--vendor")) {
		vendor();
		return end_checks();
	}
	flushes();
	fences(display);
	deferred_fences();
	cookies();
	return end_checks();
}
