/* SPDX-License-Identifier: MIT */
/*
 * Common functions of the kernel driver's test clients: counting, opening the render node,
 * submitting a stream, and planting faults in the card.
 */
#ifndef TESTS_KERNEL_CLIENT_H
#define TESTS_KERNEL_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <vivgpu_drm.h>
#include <xf86drm.h>

#define COMMAND_NOP 0x18000000u
#define COMMAND_LOAD(address, count) (0x08000000u | (count) << 16 | (address) >> 2)
#define FLUSH_WORDS 6
#define SECOND_NS 1000000000ll

/* Count a result and print it. */
void check(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print the line of counts; the status to exit with. */
int end_checks(void);

/* The first render node of vivgpu, or -1. */
int open_gpu(void);

/* Whether the core of renderD128 sleeps, by runtime PM. */
bool is_suspended(void);

/* An ioctl's error number, 0 if it succeeded. */
int call(int gpu, unsigned long request, void *data);

/* CLOCK_MONOTONIC. */
int64_t now_ns(void);

/* A queue without prologue; 0 on failure. */
uint32_t make_queue(int gpu);

/* A buffer; 0 on failure. */
uint32_t make_bo(int gpu, uint64_t size);

/* A buffer's mapping and its address for the GPU; NULL on failure. */
void *map_bo(int gpu, uint32_t handle, uint64_t size, uint64_t *va);

/*
 * Submit words, @size bytes of them, that wait for the sync object @in and signal @out, each 0
 * for none; the error number.
 */
int submit(int gpu, uint32_t queue, const uint32_t *words, uint32_t size, uint32_t in,
	   uint32_t out);

/* Deadline and predicted length of a job: struct drm_vivgpu_submit; 0: none */
struct hints {
	uint64_t deadline_ns, cost_ns;
};

/* submit() with hints */
int submit_hinted(int gpu, uint32_t queue, const uint32_t *words, uint32_t size, uint32_t in,
		  uint32_t out, struct hints hints);

/* Write FLUSH_WORDS words, a cache flush that the front end waits for: work that takes time. */
void put_flush(uint32_t *words);

/* A job of one NOP; the error number. */
int submit_nop(int gpu, uint32_t queue, uint32_t in, uint32_t out);

/* Wait for a sync object at most some seconds; the error number. */
int wait_sync(int gpu, uint32_t sync, int seconds);

/* A job of one NOP with a sync_file; the error number. */
int submit_fence(int gpu, uint32_t queue, int *fence);

/* Wait for a sync_file at most some seconds; 0, or its negative error number. */
int wait_fence(int fence, int seconds);

/* A number in our own fdinfo, memory in bytes; 0 if the key is not there. */
uint64_t fdinfo(int gpu, const char *key);

/* Write a line to a file; the error number. */
int write_file(const char *path, const char *text);

/* Wait at most @seconds for a line with this text in the kernel's log; one from before counts. */
bool wait_log(const char *text, int seconds);

/*
 * Allow or forbid the core to sleep when it is idle: waking up resets it, which drops planted
 * faults.
 */
bool let_sleep(bool may);

/* Send a command to the card through the mailbox (argv of vivgpu-cardctl). */
bool card(const char *command);

/* Return total @name of the card. */
uint64_t card_total(const char *name);

#endif
