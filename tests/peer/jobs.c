// SPDX-License-Identifier: MIT
/*
 * peer-jobs: submits jobs without pictures by etnaviv's calls, which the kernel drivers
 * etnaviv and vivgpu have, and prints how long they took. Tests of the machine, not of
 * drawing.
 *
 *	peer-jobs nop COUNT PROCESSES   COUNT jobs of NOPs, a multiple of PROCESSES, shared among
 *	                                the processes, each waited for
 *	peer-jobs hang PLANT            a good job; the shell command PLANT, which plants a
 *	                                fault; a job that meets it; three good ones
 */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <xf86drm.h>

#include "../../tools/render_node.h"

#define COMMAND_NOP 0x18000000u

static int open_gpu(void)
{
	return open_render_node("etnaviv", "vivgpu");
}

static int submit_nop(int fd, uint32_t *fence)
{
	const uint32_t stream[4] = { COMMAND_NOP, 0, COMMAND_NOP, 0 };
	struct drm_etnaviv_gem_submit submit = {
		.pipe = 0,
		.exec_state = ETNA_PIPE_3D,
		.stream = (uintptr_t)stream,
		.stream_size = sizeof(stream),
	};

	if (drmIoctl(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &submit) != 0)
		return -errno;
	*fence = submit.fence;
	return 0;
}

static int wait_fence(int fd, uint32_t fence, unsigned int seconds)
{
	struct drm_etnaviv_wait_fence wait = { .pipe = 0, .fence = fence };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	wait.timeout.tv_sec = now.tv_sec + seconds;
	wait.timeout.tv_nsec = now.tv_nsec;
	return drmIoctl(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &wait) == 0 ? 0 : -errno;
}

/* Whether the job's fence signals; etnaviv's calls do not tell whether the job failed. */
static bool run_job(int fd)
{
	uint32_t fence = 0;
	int error = submit_nop(fd, &fence);

	if (!error)
		error = wait_fence(fd, fence, 20);
	if (error)
		fprintf(stderr, "peer-jobs: %s\n", strerror(-error));
	return error == 0;
}

/* Run one process's share of the jobs. Returns its exit status: 0 if all jobs were successful. */
static int run_jobs(unsigned int count)
{
	int fd = open_gpu();
	unsigned int done = 0;

	if (fd < 0) {
		fprintf(stderr, "peer-jobs: no etnaviv render node\n");
		return 1;
	}
	while (done < count && run_job(fd))
		done++;
	close(fd);
	return done == count ? 0 : 1;
}

static int run_processes(unsigned int count, unsigned int processes)
{
	struct timespec begin, end;
	int failed = 0, status;
	double us;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (unsigned int i = 0; i < processes; i++)
		if (fork() == 0)
			_exit(run_jobs(count / processes));
	while (wait(&status) > 0)
		failed += status != 0;
	clock_gettime(CLOCK_MONOTONIC, &end);
	us = (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3;
	printf("%u jobs from %u processes, %.1f us each, %d processes failed\n", count, processes,
	       us / count, failed);
	return failed ? 1 : 0;
}

/* A job meets a planted fault: the driver must recover and go on. */
static int run_hang(const char *plant)
{
	int fd = open_gpu();

	if (fd < 0 || !run_job(fd) || system(plant) != 0)
		return 1;
	if (!run_job(fd)) {
		fprintf(stderr, "peer-jobs: the hung job's fence was never signalled\n");
		return 1;
	}
	for (int i = 0; i < 3; i++)
		if (!run_job(fd))
			return 1;
	printf("went on after the hang\n");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "nop") == 0 && atoi(argv[3]) > 0)
		return run_processes(atoi(argv[2]), atoi(argv[3]));
	if (argc == 3 && strcmp(argv[1], "hang") == 0)
		return run_hang(argv[2]);
	fprintf(stderr, "usage: peer-jobs nop COUNT PROCESSES | hang PLANT\n");
	return 2;
}
