/* SPDX-License-Identifier: MIT */
/* What the parts of the fuzzer share: chance, and a client's things. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>

#define FUZZ_HANDLES 16

/* A client's things; slots that are empty hold a number that names nothing, or -1. */
struct fuzz_client {
	int fd;
	uint32_t bos[FUZZ_HANDLES];
	uint64_t vas[FUZZ_HANDLES];
	uint32_t queues[FUZZ_HANDLES];
	uint32_t syncs[FUZZ_HANDLES];
	int fences[FUZZ_HANDLES];
	int streams[FUZZ_HANDLES];
	/* submits that were taken */
	unsigned int jobs;
};

/* The sequence of a seed is always the same. */
struct fuzz_random {
	uint64_t state;
};

uint32_t fuzz_next(struct fuzz_random *r);
/* A number below limit. */
uint32_t fuzz_below(struct fuzz_random *r, uint32_t limit);
/* True once in so many times. */
bool fuzz_one_in(struct fuzz_random *r, uint32_t times);
/* A number that breaks things: near zero, near a power of two, near all ones, or any. */
uint64_t fuzz_bad(struct fuzz_random *r);

/*
 * Write a command stream of at most so many words. Most are permitted, most of
 * these have addresses of the client's buffers.
 *
 * Returns: its length in words.
 */
uint32_t fuzz_stream(struct fuzz_random *r, const struct fuzz_client *client, uint32_t *words,
		     uint32_t most);

/* Make one call. Returns: its number, for statistics. */
unsigned int fuzz_call(struct fuzz_random *r, struct fuzz_client *client);

/* A client that has nothing, and one that has some of everything. */
void fuzz_client_init(struct fuzz_client *client, int fd);
void fuzz_client_fill(struct fuzz_random *r, struct fuzz_client *client);

#endif
