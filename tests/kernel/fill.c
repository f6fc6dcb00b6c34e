// SPDX-License-Identifier: MIT
/*
 * See fill.h. State addresses are those of the public register database.
 */
#include "fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define RS_KICKER 0x1600
#define RS_CONFIG 0x1604
#define RS_DEST_STRIDE 0x1614
#define RS_WINDOW_SIZE 0x1620
#define RS_CLEAR_CONTROL 0x163c
#define RS_CLEAR_CONTROL_ALL_BYTES 0x1ffff
#define RS_FILL_VALUE 0x1640
#define RS_EXTRA_CONFIG 0x16a0
#define RS_SINGLE_BUFFER 0x16b8
#define RS_PIPE_DEST_ADDR 0x16e0
#define RS_FORMAT_A8R8G8B8 6
#define RS_KICK 0xbeebbeebu
#define PIPE_SELECT 0x3800

static void die(const char *what)
{
	perror(what);
	exit(2);
}

struct client open_client(void)
{
	struct client client = { .fd = open_gpu() };

	if (client.fd < 0)
		die("open a render node");
	client.queue = make_queue(client.fd);
	if (!client.queue)
		die("make a queue");
	return client;
}

void close_client(struct client *client)
{
	close(client->fd);
	client->fd = -1;
}

struct buffer make_buffer(int gpu, uint64_t size)
{
	struct buffer buffer = { .handle = make_bo(gpu, size), .size = size };

	if (!buffer.handle)
		die("allocate a buffer");
	buffer.map = map_bo(gpu, buffer.handle, size, &buffer.va);
	if (!buffer.map)
		die("map a buffer");
	return buffer;
}

void free_buffer(int gpu, struct buffer *buffer)
{
	munmap(buffer->map, buffer->size);
	drmCloseBufferHandle(gpu, buffer->handle);
	*buffer = (struct buffer){ 0 };
}

void add_state(struct stream *stream, uint32_t address, uint32_t value)
{
	stream->word[stream->count++] = COMMAND_LOAD(address, 1);
	stream->word[stream->count++] = value;
}

void add_fill(struct stream *stream, const struct fill *fill)
{
	add_state(stream, PIPE_SELECT, 0);
	add_state(stream, RS_CONFIG, RS_FORMAT_A8R8G8B8 << 8 | RS_FORMAT_A8R8G8B8);
	add_state(stream, RS_DEST_STRIDE, fill->width * 4);
	add_state(stream, RS_PIPE_DEST_ADDR, fill->va);
	add_state(stream, RS_WINDOW_SIZE, fill->height << 16 | fill->width);
	add_state(stream, RS_CLEAR_CONTROL, RS_CLEAR_CONTROL_ALL_BYTES);
	add_state(stream, RS_FILL_VALUE, fill->value);
	add_state(stream, RS_EXTRA_CONFIG, 0);
	add_state(stream, RS_SINGLE_BUFFER, 1);
	add_state(stream, RS_KICKER, RS_KICK);
}

int submit_stream(const struct client *client, struct drm_vivgpu_submit *args,
		  const struct stream *stream)
{
	struct drm_vivgpu_piece piece = {
		.words = (uintptr_t)stream->word,
		.size = stream->count * (uint32_t)sizeof(uint32_t),
	};
	int error;

	args->queue = client->queue;
	args->pieces = (uintptr_t)&piece;
	args->nr_pieces = 1;
	error = call(client->fd, DRM_IOCTL_VIVGPU_SUBMIT, args);
	args->pieces = 0;
	return error;
}

uint32_t make_sync(int gpu)
{
	uint32_t sync;

	if (drmSyncobjCreate(gpu, 0, &sync))
		die("make a sync object");
	return sync;
}
