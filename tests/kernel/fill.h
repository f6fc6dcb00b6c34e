/* SPDX-License-Identifier: MIT */
/*
 * Streams with a visible result: fills by the resolve engine. Uses client.h, for clients with a
 * queue and buffers of their own.
 */
#ifndef TESTS_KERNEL_FILL_H
#define TESTS_KERNEL_FILL_H

#include "client.h"

#define STREAM_WORDS 4096

/* An open file with one queue. */
struct client {
	int fd;
	uint32_t queue;
};

struct buffer {
	uint32_t handle;
	uint32_t *map;
	uint64_t va;
	uint64_t size;
};

/* Commands under construction. */
struct stream {
	uint32_t word[STREAM_WORDS];
	uint32_t count;
};

/* A linear surface of 32-bit pixels, and the value to fill it with */
struct fill {
	uint32_t va;
	uint32_t width, height; /* multiples of 16, of 4 */
	uint32_t value;
};

/* Open vivgpu's render node, make a queue without prologue; exits if it cannot. */
struct client open_client(void);
void close_client(struct client *client);

/* Allocate and map; exits if there is no memory. */
struct buffer make_buffer(int gpu, uint64_t size);
void free_buffer(int gpu, struct buffer *buffer);

/* Append a LOAD_STATE of one word. The caller keeps the stream within STREAM_WORDS. */
void add_state(struct stream *stream, uint32_t address, uint32_t value);

/* Append a fill of a surface, with all states that it needs. */
void add_fill(struct stream *stream, const struct fill *fill);

/* Submit commands; @args has the other arguments. Returns the error number. */
int submit_stream(const struct client *client, struct drm_vivgpu_submit *args,
		  const struct stream *stream);

/* Create an unsignaled sync object; exits if that fails. */
uint32_t make_sync(int gpu);

#endif
