// SPDX-License-Identifier: MIT
/*
 * fuzz: random calls and command streams, for a given time.
 *
 * Work is done in rounds. A round is a process that opens the device, makes a
 * thousand calls and exits without cleaning up, while its jobs may still run. Its
 * number is the seed of its random numbers, so a round can be repeated. Three
 * rounds run at the same time. After every three the GPU must still do a job right.
 *
 *	IGT_VIVGPU_SECONDS	for how long (60)
 *	IGT_VIVGPU_SEED		number of the first round (1)
 *	IGT_VIVGPU_ROUNDS	no more rounds than this, rounded up to threes (no end)
 */
#include "fuzz.h"
#include "igt.h"
#include "igt_vivgpu.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS 1000
#define TOGETHER 3
#define ROWS 32

static unsigned int setting(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : otherwise;
}

/* Accepted submits of all rounds. */
static atomic_uint *jobs;

static _Noreturn void run_round(int fd, unsigned int number)
{
	struct fuzz_random r = { 0x9e3779b97f4a7c15ull * (number + 1) };
	struct fuzz_client client;

	fuzz_client_init(&client, igt_vivgpu_reopen(fd));
	fuzz_client_fill(&r, &client);
	for (int i = 0; i < CALLS; i++)
		fuzz_call(&r, &client);
	*jobs += client.jobs;
	_exit(0);
}

/* A job of a well-behaved client after the rounds. */
static void check_gpu(int fd, uint32_t queue, struct igt_vivgpu_bo *bo, uint32_t value)
{
	struct igt_vivgpu_stream stream = { 0 };
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { bo },
				      .nr_bos = 1,
				      .out_sync = igt_vivgpu_sync_create(fd) };

	igt_vivgpu_fill(&stream, bo->va, ROWS, value);
	igt_vivgpu_submit(fd, queue, &job);
	igt_assert(igt_vivgpu_sync_wait(fd, job.out_sync, 120 * IGT_VIVGPU_SECOND));
	igt_assert_eq(igt_vivgpu_sync_error(fd, job.out_sync), 0);
	igt_vivgpu_sync_destroy(fd, job.out_sync);
	for (uint32_t i = 0; i < ROWS * IGT_VIVGPU_PITCH / 4; i++)
		igt_assert_eq_u32(bo->map[i], value);
}

/* Returns: the rounds that were run. */
static unsigned int fuzz(int fd, unsigned int first, unsigned int most, int64_t end)
{
	uint32_t queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	unsigned int round = first;
	struct igt_vivgpu_bo bo;

	jobs = mmap(NULL, sizeof(*jobs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(jobs != MAP_FAILED);
	igt_vivgpu_bo_init(&bo, fd, ROWS * IGT_VIVGPU_PITCH);
	while (round < first + most && igt_vivgpu_now() < end) {
		pid_t children[TOGETHER];
		int status;

		for (int i = 0; i < TOGETHER; i++) {
			children[i] = fork();
			if (children[i] == 0)
				run_round(fd, round + i);
		}
		for (int i = 0; i < TOGETHER; i++) {
			igt_assert_eq(waitpid(children[i], &status, 0), children[i]);
			igt_assert_f(WIFEXITED(status) && WEXITSTATUS(status) == 0,
				     "round %u ended with %x\n", round + i, status);
		}
		round += TOGETHER;
		check_gpu(fd, queue, &bo, round);
		if (round / 30 != (round - TOGETHER) / 30)
			igt_info("round %u\n", round);
	}
	return round - first;
}

igt_main
{
	igt_describe("Calls and streams of chance");
	igt_subtest("fuzz")
	{
		int64_t seconds = setting("IGT_VIVGPU_SECONDS", 60);
		int fd = igt_vivgpu_open();
		unsigned int rounds = fuzz(fd, setting("IGT_VIVGPU_SEED", 1),
					   setting("IGT_VIVGPU_ROUNDS", UINT32_MAX / 2),
					   igt_vivgpu_now() + seconds * IGT_VIVGPU_SECOND);

		igt_info("%u rounds, %u calls, %u jobs\n", rounds, rounds * CALLS,
			 (unsigned int)*jobs);
		drm_close_driver(fd);
	}
}
