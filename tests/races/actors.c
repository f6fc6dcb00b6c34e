// SPDX-License-Identifier: MIT
/* Actors that submit jobs: good ones, counted ones, with deadlines, faulty, long. */
#include "races.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define ROUND 64
/* No client maps anything there. */
#define NOWHERE 0x80000000u
#define COUNTERS 4
/*
 * With the card slowed down 1000 times (races.c), a fill takes 2 ms for each line, and one of about
 * LONG_LINES takes a little longer than two of the driver's looks for progress, which are 0.5 s
 * apart. A job that did not look stuck is followed by one that is longer by LONG_MORE lines, one
 * that did by one that is shorter by LONG_LESS, so most look stuck.
 */
#define LONG_WIDTH 1024
#define LONG_LINES 640
#define LONG_MORE 24
#define LONG_LESS 8
#define MEDIUM_LINES 64
#define MS 1000000ull
#define LONG_COST_NS (2000 * MS)
/* One of so many jobs has LONG_COST_NS, and goes to the queue without a budget. */
#define PLAIN_JOBS 4

/* A client that does nothing wrong. */
void actor_draw(struct random *r)
{
	struct drm_vivgpu_submit args = { 0 };
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < ROUND && !shared->stop; i++)
		if (!worker_draw(&worker, &args))
			break;
	worker_close(&worker);
}

/* Let the core sleep as soon as it is idle. */
static void sleep_early(void)
{
	write_file("/sys/class/drm/renderD128/device/power/control", "auto");
	write_file("/sys/class/drm/renderD128/device/power/autosuspend_delay_ms", "0");
}

/* A client with pauses, in which the core may sleep. */
void actor_nap(struct random *r)
{
	struct drm_vivgpu_submit args = { 0 };
	struct worker worker;

	sleep_early();
	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < ROUND && !shared->stop; i++) {
		if (!worker_draw(&worker, &args))
			break;
		random_pause(r, 20000);
	}
	worker_close(&worker);
}

/* Jobs with exact counters. */
void actor_count(struct random *r)
{
	struct drm_vivgpu_counter counters[COUNTERS];
	struct drm_vivgpu_submit_bo bos[2];
	struct drm_vivgpu_submit args = { 0 };
	struct worker worker;
	struct buffer results;

	if (!worker_open(&worker, r))
		return;
	if (!worker_buffer(worker.client.fd, 4096, &results)) {
		worker_close(&worker);
		return;
	}
	for (int i = 0; i < COUNTERS; i++)
		counters[i] = (struct drm_vivgpu_counter){ .domain = i + 1,
							   .bo_index = 1,
							   .bo_offset = 16 * i };
	bos[0] = (struct drm_vivgpu_submit_bo){ worker.target.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	bos[1] = (struct drm_vivgpu_submit_bo){ results.handle, DRM_VIVGPU_SUBMIT_BO_WRITE };
	args.bos = (uintptr_t)bos;
	args.nr_bos = 2;
	args.counters = (uintptr_t)counters;
	args.nr_counters = COUNTERS;
	for (int i = 0; i < ROUND && !shared->stop; i++)
		if (!worker_draw(&worker, &args))
			break;
	free_buffer(worker.client.fd, &results);
	worker_close(&worker);
}

/*
 * Jobs with a deadline and a cost, on a queue with a budget; and beside it jobs whose cost keeps
 * them waiting for up to a second, in which a timer runs.
 */
void actor_promise(struct random *r)
{
	struct drm_vivgpu_queue_create create = { .budget_ns = MS, .period_ns = 50 * MS };
	struct worker worker;
	uint32_t plain;

	if (!worker_open(&worker, r))
		return;
	plain = worker.client.queue;
	if (call(worker.client.fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create) != 0)
		create.queue = plain;
	for (int i = 0; i < ROUND && !shared->stop; i++) {
		bool promised = i % PLAIN_JOBS != 0;
		struct drm_vivgpu_submit args = {
			.deadline_ns = promised ? now_ns() + random_below(r, 20) * MS : 0,
			.cost_ns = promised ? 1 + random_below(r, 4) * MS : LONG_COST_NS,
		};

		worker.client.queue = promised ? create.queue : plain;
		if (!worker_draw(&worker, &args))
			break;
	}
	worker_close(&worker);
}

/* A client whose jobs write where nothing is: each costs a reset, and fails. */
void actor_fault(struct random *r)
{
	struct drm_vivgpu_submit args = { 0 };
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < ROUND / 8 && !shared->stop; i++) {
		int fence, status;

		worker.target.va = NOWHERE;
		if (!permitted(worker_submit(&worker, &args, &fence), "submit"))
			break;
		status = worker_wait(fence);
		if (status == 0)
			fail("a faulty job did not fail");
		if (status != -ETIME && !permitted(-status, "a faulty job"))
			break;
		random_pause(r, 50000);
	}
	worker_close(&worker);
}

/* Interrupts and events that are lost. */
void actor_lose(struct random *r)
{
	card(random_below(r, 2) ? "lose-irq 1" : "lose-event");
	random_pause(r, 2000000);
}

/* One job that takes 2 ms for each line. Returns 0 or a negative error number. */
static int run_lines(struct random *r, uint32_t lines)
{
	struct drm_vivgpu_submit_bo bo = { .flags = DRM_VIVGPU_SUBMIT_BO_WRITE };
	struct drm_vivgpu_submit args = { .flags = DRM_VIVGPU_SUBMIT_FENCE_FD_OUT };
	static struct stream stream;
	int error = -ENODEV;
	struct worker worker;
	struct buffer large;

	if (!worker_open(&worker, r))
		return error;
	if (worker_buffer(worker.client.fd, LONG_WIDTH * lines * 4, &large)) {
		struct fill fill = { (uint32_t)large.va, LONG_WIDTH, lines, 1 };

		bo.handle = large.handle;
		args.bos = (uintptr_t)&bo;
		args.nr_bos = 1;
		stream.count = 0;
		add_fill(&stream, &fill);
		error = -submit_stream(&worker.client, &args, &stream);
		if (!error)
			error = worker_wait(args.fence_fd);
		free_buffer(worker.client.fd, &large);
	}
	worker_close(&worker);
	return error;
}

/*
 * Jobs that end at about the time at which they look stuck, and so may fail with ETIME; other
 * actors' may not. That time depends on the delays, so each job's length follows from the end of
 * the one before.
 */
void actor_long(struct random *r)
{
	static uint32_t lines = LONG_LINES;
	int error = run_lines(r, lines);

	if (error == -ETIME)
		lines -= LONG_LESS;
	else if (permitted(-error, "a long job"))
		lines += LONG_MORE;
}

/* Jobs that take a part of the time after which one looks stuck. */
void actor_medium(struct random *r)
{
	permitted(-run_lines(r, MEDIUM_LINES), "a job that is not too long");
}
