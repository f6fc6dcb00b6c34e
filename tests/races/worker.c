// SPDX-License-Identifier: MIT
/* Workers: clients that submit fills and check the pictures. */
#include "races.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WIDTH 64
#define HEIGHT 16
#define BYTES (WIDTH * HEIGHT * 4)

bool worker_buffer(int gpu, uint64_t size, struct buffer *buffer)
{
	*buffer = (struct buffer){ .handle = make_bo(gpu, size), .size = size };
	if (!buffer->handle)
		return false;
	buffer->map = map_bo(gpu, buffer->handle, size, &buffer->va);
	return buffer->map;
}

/* Tell other actors the number of this client. */
static void publish_client(struct worker *worker)
{
	struct drm_vivgpu_usage usage = { 0 };
	uint64_t last = shared->client;

	if (call(worker->client.fd, DRM_IOCTL_VIVGPU_USAGE, &usage))
		return;
	worker->id = usage.client;
	while (usage.client > last &&
	       !atomic_compare_exchange_weak(&shared->client, &last, usage.client))
		;
}

/* Returns false if the device is gone, or is not there yet. */
static bool try_open(struct worker *worker, struct random *r)
{
	*worker = (struct worker){ .client.fd = open_gpu(), .r = r };
	worker->value = random_below(r, 1u << 31);
	if (worker->client.fd < 0)
		return false;
	publish_client(worker);
	worker->client.queue = make_queue(worker->client.fd);
	if (worker->client.queue && worker_buffer(worker->client.fd, BYTES, &worker->target))
		return true;
	worker_close(worker);
	return false;
}

bool worker_open(struct worker *worker, struct random *r)
{
	while (!shared->stop) {
		if (try_open(worker, r))
			return true;
		if (!shared->unbinds)
			fail("a device cannot be opened: %s", strerror(errno));
		usleep(1000);
	}
	return false;
}

void worker_close(struct worker *worker)
{
	if (worker->target.map)
		munmap(worker->target.map, worker->target.size);
	worker->target.map = NULL;
	close_client(&worker->client);
}

int worker_submit(struct worker *worker, struct drm_vivgpu_submit *args, int *fence)
{
	struct fill fill = { (uint32_t)worker->target.va, WIDTH, HEIGHT, ++worker->value };
	struct drm_vivgpu_submit_bo bo = { worker->target.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_submit with = *args;
	static _Thread_local struct stream stream;
	int error;

	stream.count = 0;
	add_fill(&stream, &fill);
	if (!with.nr_bos) {
		with.bos = (uintptr_t)&bo;
		with.nr_bos = 1;
	}
	with.flags |= DRM_VIVGPU_SUBMIT_FENCE_FD_OUT;
	error = submit_stream(&worker->client, &with, &stream);
	*fence = error ? -1 : with.fence_fd;
	return error;
}

int worker_wait(int fence)
{
	int status = wait_fence(fence, STUCK_SECONDS);

	close(fence);
	return status;
}

static void check_picture(const struct worker *worker)
{
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		if (worker->target.map[i] != worker->value)
			fail("pixel %d is %08x, not %08x", i, worker->target.map[i], worker->value);
}

bool worker_draw(struct worker *worker, struct drm_vivgpu_submit *args)
{
	int fence, status;

	if (!permitted(worker_submit(worker, args, &fence), "submit"))
		return false;
	status = worker_wait(fence);
	if (!permitted(-status, "a job that did nothing wrong"))
		return false;
	check_picture(worker);
	return true;
}
