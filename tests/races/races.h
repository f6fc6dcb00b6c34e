/* SPDX-License-Identifier: MIT */
/*
 * races: clients that use the driver in ways that conflict, at the same time. Each kind of client
 * is an actor, a process of its own that repeats one round until the end; an actor may have
 * threads. Uses tests/kernel's client.h and fill.h.
 */
#ifndef TESTS_RACES_RACES_H
#define TESTS_RACES_RACES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "fill.h"

/* Seconds after which a job counts as stuck; an actor after twice as many */
#define STUCK_SECONDS 60

struct random {
	uint64_t state;
};

/* A number below @count. */
uint32_t random_below(struct random *r, uint32_t count);

/* Sleep for a random time below so many us. */
void random_pause(struct random *r, uint32_t us);

/* What all actors share */
struct shared {
	/* end: time is up, or something failed */
	atomic_bool stop;
	atomic_bool failed;
	/* the device may be unbound: calls may fail with ENODEV */
	atomic_bool unbinds;
	/* highest number of a client that an actor had */
	_Atomic uint64_t client;
};

extern struct shared *shared;

/* Print what is wrong, once for all actors, and end the test. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fail unless an error number is permitted: 0, or with an unbound device ENODEV. True for 0. */
bool permitted(int error, const char *what);

/* An open file with a queue and a buffer. */
struct worker {
	struct client client;
	struct buffer target;
	uint64_t id;
	uint32_t value;
	struct random *r;
};

/* Allocate and map; false if that fails. */
bool worker_buffer(int gpu, uint64_t size, struct buffer *buffer);

/* Open a device, waiting until there is one; false at the end of the test. */
bool worker_open(struct worker *worker, struct random *r);
void worker_close(struct worker *worker);

/*
 * Submit a fill of the worker's buffer with a new value. @args, which is not changed, has the other
 * arguments; if it has buffers, the worker's must be one of them. The job gets a sync_file. Returns
 * the error number; @fence is -1 on error.
 */
int worker_submit(struct worker *worker, struct drm_vivgpu_submit *args, int *fence);

/* Wait for a fence and close it; its negative error number, -ETIMEDOUT if it is stuck. */
int worker_wait(int fence);

/*
 * One job, waited for; its picture is checked. It may only fail if the device is unbound. Returns
 * false if the device is gone.
 */
bool worker_draw(struct worker *worker, struct drm_vivgpu_submit *args);

/* The actors: one round each; they return when the device is gone or the test ends. */
void actor_draw(struct random *r);
void actor_nap(struct random *r);
void actor_count(struct random *r);
void actor_promise(struct random *r);
void actor_fault(struct random *r);
void actor_lose(struct random *r);
void actor_long(struct random *r);
void actor_medium(struct random *r);
void actor_churn(struct random *r);
void actor_visit(struct random *r);
void actor_keep(struct random *r);
void actor_linger(struct random *r);
void actor_share(struct random *r);
void actor_handles(struct random *r);
void actor_old(struct random *r);
void actor_read(struct random *r);
void actor_peek(struct random *r);
void actor_totals(struct random *r);
void actor_purge(struct random *r);
void actor_discard(struct random *r);
void actor_pressure(struct random *r);
void actor_unbind(struct random *r);
void actor_show(struct random *r);

#endif
