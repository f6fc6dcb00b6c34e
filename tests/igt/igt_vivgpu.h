/* SPDX-License-Identifier: MIT */
/*
 * Common functions of the vivgpu tests: opening the device, buffers, queues, jobs, and the virtual
 * card's control. Functions whose names begin with two underscores return 0 or a negative error
 * number; the others assert success.
 */
#ifndef IGT_VIVGPU_H
#define IGT_VIVGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igt_vivgpu_stream.h"
#include "vivgpu_drm.h"

#define IGT_VIVGPU_MAX_BOS 4
#define IGT_VIVGPU_SECOND 1000000000ll

/* A buffer, mapped. */
struct igt_vivgpu_bo {
	int fd;
	uint32_t handle;
	uint64_t size;
	uint64_t va;
	uint32_t *map;
};

/*
 * Arguments of a submit: set to zero, fill in what is needed, and pass it to igt_vivgpu_submit().
 */
struct igt_vivgpu_job {
	const struct igt_vivgpu_stream *stream;
	struct igt_vivgpu_bo *bos[IGT_VIVGPU_MAX_BOS];
	uint32_t nr_bos;
	uint64_t cookie;
	/* array of timestamp points */
	struct drm_vivgpu_point *points;
	uint32_t nr_points;
	/* binary sync objects to wait for and to signal, 0: none */
	uint32_t in_sync;
	uint32_t out_sync;
	uint32_t flags;
	/*
	 * ns: deadline on CLOCK_MONOTONIC, predicted GPU time, its predicted upper bound; 0: none
	 */
	uint64_t deadline_ns;
	uint64_t cost_ns;
	uint64_t bound_ns;
	/* bytes of the call's structure, as a program has it that was built with another header; 0: all */
	uint32_t args_size;
	/* out: the job's number */
	uint32_t number;
	/* in and out: drm_vivgpu_submit.max_piece_ns, which a failed call leaves as it is */
	uint64_t max_piece_ns;
};

/* A client with a queue, and a job that executes @work and uses a buffer. */
struct igt_vivgpu_client {
	int fd;
	uint32_t queue;
	struct igt_vivgpu_bo bo;
	struct igt_vivgpu_stream work;
	struct igt_vivgpu_job job;
};

/* A subtest: its name, its description, and a function that is called with a client of its own */
struct igt_vivgpu_test {
	const char *name;
	const char *text;
	void (*run)(int fd);
};

/* Run an array of subtests; the body of igt_main. */
void igt_vivgpu_subtests(const struct igt_vivgpu_test *tests, size_t count);

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t igt_vivgpu_now(void);

/* Sleep; ns. */
void igt_vivgpu_sleep(int64_t ns);

/* Open the render node of a vivgpu device, skip if there is none. */
int igt_vivgpu_open(void);

/* Open the same device again, as another client. */
int igt_vivgpu_reopen(int fd);

/* Call an ioctl. Returns: 0 or a negative error number. */
int __igt_vivgpu_ioctl(int fd, unsigned long request, void *data);

uint64_t igt_vivgpu_param(int fd, uint32_t param);

int __igt_vivgpu_bo_create(int fd, uint64_t size, uint32_t flags, uint32_t *handle);
/* Allocate, map and look up a buffer; size in bytes. */
void igt_vivgpu_bo_init(struct igt_vivgpu_bo *bo, int fd, uint64_t size);
void igt_vivgpu_bo_fini(struct igt_vivgpu_bo *bo);

int __igt_vivgpu_queue_create(int fd, uint32_t priority, uint32_t *queue);
uint32_t igt_vivgpu_queue_create(int fd, uint32_t priority);
/* A queue whose jobs, when they have ended, write their numbers to a buffer. */
int __igt_vivgpu_progress_queue_create(int fd, uint32_t handle, uint32_t *queue);
/* A queue with a budget, or without one (0), and why it is refused (DRM_VIVGPU_REFUSED_*, or 0). */
int __igt_vivgpu_reserve(int fd, uint64_t budget_ns, uint64_t period_ns, uint32_t *queue,
			 uint32_t *reason);
int __igt_vivgpu_queue_destroy(int fd, uint32_t queue);

int __igt_vivgpu_submit(int fd, uint32_t queue, struct igt_vivgpu_job *job);
void igt_vivgpu_submit(int fd, uint32_t queue, struct igt_vivgpu_job *job);
/* Submit a stream without buffers and wait for it. Returns: the submit's result. */
int __igt_vivgpu_run(int fd, uint32_t queue, const struct igt_vivgpu_stream *stream);
/* Submit a job and wait for it. */
void igt_vivgpu_run(int fd, uint32_t queue, struct igt_vivgpu_job *job);

/* Create a queue and a buffer of @bytes; the caller fills in the stream. */
void igt_vivgpu_client_init(struct igt_vivgpu_client *client, int fd, uint64_t bytes);
/* Submit the job; it signals a sync object, on which igt_vivgpu_client_wait() waits. */
void igt_vivgpu_client_submit(struct igt_vivgpu_client *client);
void igt_vivgpu_client_wait(const struct igt_vivgpu_client *client);

uint32_t igt_vivgpu_sync_create(int fd);
void igt_vivgpu_sync_destroy(int fd, uint32_t sync);
/* Wait at most timeout_ns for a fence. Returns: whether it signalled. */
bool igt_vivgpu_sync_wait(int fd, uint32_t sync, int64_t timeout_ns);
/* The error of a sync object's signalled fence, 0 if it has none. */
int igt_vivgpu_sync_error(int fd, uint32_t sync);

int __igt_vivgpu_stream_open(int fd, uint32_t flags, uint32_t types, int *stream);
/* Open a stream of records of jobs with counts. */
int igt_vivgpu_counts_open(int fd, uint32_t flags, uint32_t exact_interval);

/* Get totals of the caller (flags and client are zero), of another client, or of the device. */
int __igt_vivgpu_totals(int fd, uint32_t flags, uint64_t client, struct drm_vivgpu_usage *usage);
struct drm_vivgpu_usage igt_vivgpu_totals(int fd, uint32_t flags);

/*
 * Write a stream that keeps the GPU busy for ns of modelled time, rounded up to whole fills of 1
 * MiB of the buffer, which is at least that large, with 0x5a5a5a5a: 0.5 ms each at 528 MHz, and at
 * least one.
 */
void igt_vivgpu_spin_init(struct igt_vivgpu_stream *stream, const struct igt_vivgpu_bo *bo,
			  int64_t ns);

/* Skip the test unless the device is the virtual card and its control program is installed. */
void igt_vivgpu_require_card(void);
/* Send a command to the card; like printf(). */
void igt_vivgpu_card(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Return one of the card's totals. */
uint64_t igt_vivgpu_card_total(const char *name);
/* Return several of them, of one moment. */
void igt_vivgpu_card_totals(const char *const *names, uint64_t *values, unsigned int count);
/* True if the card runs in virtual time. */
bool igt_vivgpu_virtual_time(void);

#endif
