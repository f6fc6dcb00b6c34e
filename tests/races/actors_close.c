// SPDX-License-Identifier: MIT
/* Actors that close and free what others of their threads use. */
#include "races.h"

#include <drm/etnaviv_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS 3
#define QUEUES 4
#define HANDLES 4
#define FENCES 8
#define ROUND 48
#define BO_SIZE 8192
#define IDLERS 4
#define KEPT 16

/* Threads of one client, with what they share */
struct crowd {
	struct worker *worker;
	pthread_barrier_t begin;
	_Atomic uint32_t queues[QUEUES];
	_Atomic uint32_t handles[HANDLES];
	_Atomic uint32_t fences[FENCES];
	atomic_bool done;
};

struct member {
	struct crowd *crowd;
	struct random r;
};

static void crowd_init(struct crowd *crowd, struct worker *worker)
{
	memset(crowd, 0, sizeof(*crowd));
	crowd->worker = worker;
	pthread_barrier_init(&crowd->begin, NULL, THREADS);
}

/* Run a function for each thread, wait for all. */
static void crowd_run(struct crowd *crowd, void *(*functions[THREADS])(void *), struct random *r)
{
	struct member members[THREADS];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		members[i] = (struct member){ crowd, { r->state + 1000003 * (i + 1) } };
		pthread_create(&threads[i], NULL, functions[i], &members[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	/* So that the threads of the next round get other seeds. */
	random_below(r, 2);
	pthread_barrier_destroy(&crowd->begin);
}

/* The client's jobs on a queue that may be destroyed at any time. */
static void *submit_to_queues(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;
	struct worker worker = *crowd->worker;
	struct drm_vivgpu_submit args = { 0 };

	pthread_barrier_wait(&crowd->begin);
	if (!worker_buffer(worker.client.fd, BO_SIZE, &worker.target))
		return NULL;
	for (int i = 0; i < ROUND && !shared->stop; i++) {
		int fence, status, error;

		worker.client.queue = crowd->queues[random_below(&member->r, QUEUES)];
		error = worker_submit(&worker, &args, &fence);
		if (error == ENOENT)
			continue;
		if (!permitted(error, "submit to a queue that is destroyed"))
			break;
		status = worker_wait(fence);
		/* A job that has not started one second after its queue was closed is dropped. */
		if (status != -ESRCH && status != -ECANCELED &&
		    !permitted(-status, "a job of a queue that is destroyed"))
			break;
	}
	free_buffer(worker.client.fd, &worker.target);
	crowd->done = true;
	return NULL;
}

static void *destroy_queues(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;
	int gpu = crowd->worker->client.fd;

	pthread_barrier_wait(&crowd->begin);
	while (!crowd->done && !shared->stop) {
		_Atomic uint32_t *queue = &crowd->queues[random_below(&member->r, QUEUES)];
		struct drm_vivgpu_queue_destroy destroy = { .queue = atomic_exchange(queue, 0) };

		if (destroy.queue)
			call(gpu, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy);
		*queue = make_queue(gpu);
		random_pause(&member->r, 2000);
	}
	return NULL;
}

static void *query_queues(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;

	pthread_barrier_wait(&crowd->begin);
	while (!crowd->done && !shared->stop) {
		struct drm_vivgpu_reset_query query = {
			.queue = crowd->queues[random_below(&member->r, QUEUES)]
		};

		call(crowd->worker->client.fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query);
	}
	return NULL;
}

/* Queues are destroyed while jobs are submitted to them. */
void actor_share(struct random *r)
{
	void *(*functions[THREADS])(void *) = { submit_to_queues, destroy_queues, query_queues };
	struct worker worker;
	struct crowd crowd;

	if (!worker_open(&worker, r))
		return;
	crowd_init(&crowd, &worker);
	for (int i = 0; i < QUEUES; i++)
		crowd.queues[i] = make_queue(worker.client.fd);
	crowd_run(&crowd, functions, r);
	worker_close(&worker);
}

/* Jobs with a buffer whose handle may be closed at any time. */
static void *submit_handles(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;
	struct worker *worker = crowd->worker;
	struct drm_vivgpu_submit_bo bos[2] = {
		{ worker->target.handle, DRM_VIVGPU_SUBMIT_BO_WRITE },
		{ 0, DRM_VIVGPU_SUBMIT_BO_READ },
	};
	struct drm_vivgpu_submit args = { .bos = (uintptr_t)bos, .nr_bos = 2 };

	pthread_barrier_wait(&crowd->begin);
	for (int i = 0; i < ROUND && !shared->stop; i++) {
		int fence, error;

		bos[1].handle = crowd->handles[random_below(&member->r, HANDLES)];
		error = worker_submit(worker, &args, &fence);
		if (error == ENOENT)
			continue;
		if (!permitted(error, "submit with a handle that is closed") ||
		    !permitted(-worker_wait(fence), "a job with a handle that is closed"))
			break;
	}
	crowd->done = true;
	return NULL;
}

static void *close_handles(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;
	int gpu = crowd->worker->client.fd;

	pthread_barrier_wait(&crowd->begin);
	while (!crowd->done && !shared->stop) {
		_Atomic uint32_t *handle = &crowd->handles[random_below(&member->r, HANDLES)];
		uint32_t old = atomic_exchange(handle, make_bo(gpu, BO_SIZE));

		if (old)
			drmCloseBufferHandle(gpu, old);
		random_pause(&member->r, 1000);
	}
	return NULL;
}

/* The number of buffers that are mapped for a client and were not closed; -1 if unknown. */
static int count_mappings(uint64_t id)
{
	FILE *file = fopen("/sys/kernel/debug/dri/128/mmu", "r");
	unsigned long long client = 0;
	char line[256];
	int count = 0;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "client %llu", &client) != 1 && client == id)
			count += !strstr(line, " closed");
	fclose(file);
	return count;
}

/* Handles are closed while jobs are submitted with them; no buffer stays mapped by that. */
void actor_handles(struct random *r)
{
	void *(*functions[THREADS])(void *) = { submit_handles, close_handles, close_handles };
	struct worker worker;
	struct crowd crowd;
	int mappings;

	if (!worker_open(&worker, r))
		return;
	crowd_init(&crowd, &worker);
	crowd_run(&crowd, functions, r);
	for (int i = 0; i < HANDLES; i++)
		if (crowd.handles[i])
			drmCloseBufferHandle(worker.client.fd, crowd.handles[i]);
	/* One is the worker's own buffer. Handles of a device that is gone cannot be closed. */
	mappings = count_mappings(worker.id);
	if (mappings > 1 && !shared->unbinds)
		fail("%d buffers without a handle are mapped", mappings - 1);
	worker_close(&worker);
}

/* A first job, at the same time as the other threads. */
static void *submit_first(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;
	struct worker worker = *crowd->worker;
	int gpu = worker.client.fd, fence = -1;
	struct drm_vivgpu_submit args = { 0 };

	worker.client.queue = make_queue(gpu);
	pthread_barrier_wait(&crowd->begin);
	for (int i = 0; i < 4; i++) {
		if (!permitted(worker_submit(&worker, &args, &fence), "a first submit"))
			break;
		close(fence);
	}
	return NULL;
}

/* A client of three threads that ends with its jobs in the ring. */
void actor_churn(struct random *r)
{
	void *(*functions[THREADS])(void *) = { submit_first, submit_first, submit_first };
	struct worker worker;
	struct crowd crowd;

	if (!worker_open(&worker, r))
		return;
	crowd_init(&crowd, &worker);
	crowd_run(&crowd, functions, r);
	worker_close(&worker);
}

/* A client that opens the device, maps a buffer, and ends. */
void actor_visit(struct random *r)
{
	struct worker worker;

	if (worker_open(&worker, r))
		worker_close(&worker);
}

/* Clients that do nothing, and end one after the other. */
void actor_linger(struct random *r)
{
	struct worker workers[IDLERS];
	int count = 0;

	while (count < IDLERS && worker_open(&workers[count], r))
		count++;
	while (count) {
		random_pause(r, 200000);
		worker_close(&workers[--count]);
	}
}

/* Map a buffer for the GPU and export it; its handle and its mapping end with the client. */
static int export_buffer(struct worker *worker, int *kept)
{
	struct drm_vivgpu_bo_info info = { .handle = make_bo(worker->client.fd, BO_SIZE) };
	int error;

	if (!info.handle)
		return errno;
	error = call(worker->client.fd, DRM_IOCTL_VIVGPU_BO_INFO, &info);
	if (error)
		return error;
	return drmPrimeHandleToFD(worker->client.fd, info.handle, DRM_CLOEXEC, kept) ? errno : 0;
}

/* Buffers that outlive their client as dma-bufs: closing those frees them, one after the other. */
void actor_keep(struct random *r)
{
	struct worker worker;
	int kept[KEPT], count = 0;

	if (!worker_open(&worker, r))
		return;
	while (count < KEPT && permitted(export_buffer(&worker, &kept[count]), "export a buffer"))
		count++;
	worker_close(&worker);
	while (count) {
		random_pause(r, 100000);
		close(kept[--count]);
	}
}

/* Jobs by etnaviv's calls, whose fences have numbers. */
static void *submit_old(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;
	uint32_t words[2] = { COMMAND_NOP, 0 };

	pthread_barrier_wait(&crowd->begin);
	for (int i = 0; i < 4 * ROUND && !shared->stop; i++) {
		struct drm_etnaviv_gem_submit submit = {
			.exec_state = ETNA_PIPE_3D,
			.stream = (uintptr_t)words,
			.stream_size = sizeof(words),
		};

		if (!permitted(
			    call(crowd->worker->client.fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &submit),
			    "etnaviv's submit"))
			break;
		crowd->fences[i % FENCES] = submit.fence;
		random_pause(&member->r, 2000);
	}
	crowd->done = true;
	return NULL;
}

static void *wait_old(void *data)
{
	struct member *member = data;
	struct crowd *crowd = member->crowd;

	pthread_barrier_wait(&crowd->begin);
	while (!crowd->done && !shared->stop) {
		struct drm_etnaviv_wait_fence wait = {
			.fence = crowd->fences[random_below(&member->r, FENCES)],
			.flags = ETNA_WAIT_NONBLOCK,
		};

		call(crowd->worker->client.fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &wait);
	}
	return NULL;
}

/* Fences are looked up while their jobs are freed. */
void actor_old(struct random *r)
{
	void *(*functions[THREADS])(void *) = { submit_old, wait_old, wait_old };
	struct worker worker;
	struct crowd crowd;

	if (!worker_open(&worker, r))
		return;
	crowd_init(&crowd, &worker);
	crowd_run(&crowd, functions, r);
	worker_close(&worker);
}
