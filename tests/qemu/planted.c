// SPDX-License-Identifier: MIT
/*
 * qemu-planted: shows planted faults of our kernel driver that User-Mode Linux does not show
 * (run-planted). Runs in the guest as root.
 *
 *	qemu-planted sizes	an ordinary user's streams whose pieces have 2^32 bytes and more
 *	qemu-planted sleep	a job, before and after which the core sleeps
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"

#define NOBODY 65534
#define MAX_STREAM 131072u
#define PIECES 3
/* More than the driver takes with tests/qemu/planted-asleep.patch */
#define SLEEP_SECONDS 30

/* Submit pieces of these sizes, up to the first 0, which all are read from one place. */
static int submit_sizes(int gpu, uint32_t queue, const uint32_t sizes[PIECES])
{
	static uint32_t words[MAX_STREAM / sizeof(uint32_t)];
	struct drm_vivgpu_piece pieces[PIECES] = { 0 };
	struct drm_vivgpu_submit args = { .queue = queue, .pieces = (uintptr_t)pieces };

	for (unsigned i = 0; i < MAX_STREAM / sizeof(uint32_t); i += 2)
		words[i] = COMMAND_NOP;
	for (; args.nr_pieces < PIECES && sizes[args.nr_pieces]; args.nr_pieces++) {
		pieces[args.nr_pieces].words = (uintptr_t)words;
		pieces[args.nr_pieces].size = sizes[args.nr_pieces];
	}
	return call(gpu, DRM_IOCTL_VIVGPU_SUBMIT, &args);
}

/*
 * If the driver adds sizes in 32 bits, the second and the third are streams of 8 bytes, which are
 * kept on the kernel's stack. Of the second a kernel refuses to copy the second piece, larger than
 * INT_MAX: EFAULT. Of the third it copies the first piece to the stack, or panics.
 */
static void test_sizes(void)
{
	int gpu = open_gpu();
	uint32_t queue = make_queue(gpu);

	check(setuid(NOBODY) == 0, "an ordinary user");
	check(submit_sizes(gpu, queue, (uint32_t[PIECES]){ 8, 8, 8 }) == 0, "24 bytes");
	check(submit_sizes(gpu, queue, (uint32_t[PIECES]){ 8, 0xfffffff8, 8 }) == E2BIG,
	      "2^32 + 8 bytes, the second piece does not fit");
	check(submit_sizes(gpu, queue, (uint32_t[PIECES]){ MAX_STREAM, 0xfffe0008 }) == E2BIG,
	      "2^32 + 8 bytes, the first piece fits");
	close(gpu);
}

static bool wait_suspended(void)
{
	int64_t end = now_ns() + SLEEP_SECONDS * SECOND_NS;

	while (!is_suspended() && now_ns() < end)
		usleep(50000);
	return is_suspended();
}

static void test_sleep(void)
{
	int gpu = open_gpu(), fence = -1;
	uint32_t queue = make_queue(gpu);

	check(wait_suspended(), "the core sleeps");
	check(submit_fence(gpu, queue, &fence) == 0 && wait_fence(fence, 5) == 0, "a job wakes it");
	check(wait_suspended(), "it sleeps again");
	close(fence);
	close(gpu);
}

int main(int argc, char *argv[])
{
	if (argc == 2 && strcmp(argv[1], "sizes") == 0)
		test_sizes();
	else if (argc == 2 && strcmp(argv[1], "sleep") == 0)
		test_sleep();
	else
		return 2;
	return end_checks();
}
