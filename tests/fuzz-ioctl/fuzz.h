/* SPDX-License-Identifier: MIT */
/* Common declarations of the fuzzer: random numbers, and the objects of a client. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>

#define FUZZ_HANDLES 16

/* Objects of a client; empty slots hold 0, or -1 for file descriptors. Destroyed queues stay. */
struct fuzz_client {
	int fd;
	uint32_t bos[FUZZ_HANDLES];
	uint64_t vas[FUZZ_HANDLES];
	uint32_t queues[FUZZ_HANDLES];
	uint32_t syncs[FUZZ_HANDLES];
	int fences[FUZZ_HANDLES];
	int streams[FUZZ_HANDLES];
	/* accepted submits */
	unsigned int jobs;
};

/* The sequence of a seed is always the same. */
struct fuzz_random {
	uint64_t state;
};

uint32_t fuzz_next(struct fuzz_random *r);
/* A number below limit. */
uint32_t fuzz_below(struct fuzz_random *r, uint32_t limit);
/* True with probability 1 / @times. */
bool fuzz_one_in(struct fuzz_random *r, uint32_t times);
/* A boundary value: near 0, near a power of two, near UINT32_MAX, or any of 32 or 64 bits. */
uint64_t fuzz_bad(struct fuzz_random *r);

/*
 * Write a command stream of at most so many words. Most streams consist of permitted
 * commands, and most addresses in them are those of the client's buffers.
 *
 * Returns: its length in words.
 */
uint32_t fuzz_stream(struct fuzz_random *r, const struct fuzz_client *client, uint32_t *words,
		     uint32_t most);

/* Make one call. Returns: its place in the table of calls. */
unsigned int fuzz_call(struct fuzz_random *r, struct fuzz_client *client);

/* Initialise a client without objects; then give it buffers, queues and sync objects. */
void fuzz_client_init(struct fuzz_client *client, int fd);
void fuzz_client_fill(struct fuzz_random *r, struct fuzz_client *client);

#endif
