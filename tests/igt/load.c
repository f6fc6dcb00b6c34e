// SPDX-License-Identifier: MIT
/*
 * load: a client that keeps the GPU busy for a part of the time, to see what
 * tools show of it (show-usage).
 *
 *	load PERCENT SECONDS
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <fcntl.h>
#include <unistd.h>

/* ns: in each period a job of PERCENT of it runs */
#define PERIOD (IGT_VIVGPU_SECOND / 20)

int main(int argc, char **argv)
{
	struct igt_vivgpu_stream stream;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_job job = { .stream = &stream,
				      .bos = { &bo },
				      .nr_bos = 1,
				      .flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC };
	int percent, seconds, fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	uint32_t queue;

	if (argc != 3 || fd < 0) {
		fputs("usage: load PERCENT SECONDS, with a vivgpu device\n", stderr);
		return 2;
	}
	percent = atoi(argv[1]);
	seconds = atoi(argv[2]);
	queue = igt_vivgpu_queue_create(fd, DRM_VIVGPU_PRIORITY_NORMAL);
	igt_vivgpu_bo_init(&bo, fd, 1 << 20);
	igt_vivgpu_spin_init(&stream, &bo, PERIOD / 100 * percent);
	for (int64_t now = igt_vivgpu_now(), end = now + seconds * IGT_VIVGPU_SECOND; now < end;) {
		igt_vivgpu_run(fd, queue, &job);
		now += PERIOD;
		if (now > igt_vivgpu_now())
			igt_vivgpu_sleep(now - igt_vivgpu_now());
		else
			now = igt_vivgpu_now();
	}
	return 0;
}
