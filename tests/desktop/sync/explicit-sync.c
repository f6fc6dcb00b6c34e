// SPDX-License-Identifier: MIT
/*
 * explicit-sync NODE: a Wayland client with linux-drm-syncobj-v1 on a compositor that has it. It draws
 * FRAMES frames on the GPU without waiting for it: the fence of each drawing becomes a point of
 * one timeline, and a buffer is used again when its point of the other timeline has signalled.
 * Then it commits a frame whose point never got a fence: the compositor must not use it, and keep the buffer
 * before it, until the point is signalled.
 */

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "drawing.h"
#include "timeline.h"
#include "window.h"

#define FRAMES 60
#define BUFFERS 3
#define SIZE 256
/* Round trips that the compositor gets to use a frame that it must not use */
#define EXCHANGES 20

struct client {
	struct drawing drawing;
	struct drawing_buffer buffers[BUFFERS];
	struct wl_buffer *shown[BUFFERS]; /* what the compositor knows @buffers as */
	struct timeline acquire, release;
	struct window window;
};

static const char *prepare(struct client *c, const char *node)
{
	const char *problem = drawing_open(&c->drawing, node);
	int acquire, release;

	if (problem)
		return problem;
	acquire = timeline_create(&c->acquire, c->drawing.fd);
	release = timeline_create(&c->release, c->drawing.fd);
	if (acquire < 0 || release < 0)
		return "no timelines";
	problem = window_open(&c->window, acquire, release);
	for (int i = 0; !problem && i < BUFFERS; i++) {
		problem = drawing_create_buffer(&c->drawing, &c->buffers[i], SIZE);
		if (!problem)
			c->shown[i] = window_add_buffer(&c->window, c->buffers[i].bo);
	}
	return problem;
}

/* Draw frame @number when its buffer is free; returns the drawing's fence, negative after an error. */
static int draw(struct client *c, uint64_t number)
{
	if (number > BUFFERS && !timeline_wait(&c->release, number - BUFFERS))
		return -1;
	return drawing_draw(&c->drawing, &c->buffers[number % BUFFERS], number);
}

static const char *draw_frames(struct client *c)
{
	for (uint64_t number = 1; number <= FRAMES; number++) {
		int fence = draw(c, number);
		bool attached;

		if (fence < 0)
			return "a buffer was not released, or not drawn";
		attached = timeline_attach(&c->acquire, number, fence);
		close(fence);
		if (!attached)
			return "the fence does not become a point";
		window_show(&c->window, c->shown[number % BUFFERS], number);
		if (!window_wait(&c->window))
			return "the compositor ended the connection";
	}
	return NULL;
}

static const char *withhold_frame(struct client *c)
{
	uint64_t number = FRAMES + 1;
	int fence = draw(c, number);

	if (fence < 0)
		return "the last buffer was not released, or not drawn";
	close(fence);
	window_show(&c->window, c->shown[number % BUFFERS], number);
	if (!window_exchange(&c->window, EXCHANGES))
		return "the compositor ended the connection";
	if (c->window.shown || timeline_has(&c->release, FRAMES))
		return "the compositor did not wait for the point";
	if (!timeline_signal(&c->acquire, number) || !window_wait(&c->window))
		return "the frame was not used after its point was signalled";
	return timeline_wait(&c->release, FRAMES) ? NULL : "the buffer before it was not released";
}

int main(int argc, char **argv)
{
	struct client client = { 0 };
	const char *problem;

	if (argc != 2) {
		fprintf(stderr, "usage: explicit-sync NODE\n");
		return 2;
	}
	problem = prepare(&client, argv[1]);
	if (!problem)
		problem = draw_frames(&client);
	if (!problem)
		problem = withhold_frame(&client);
	if (problem) {
		fprintf(stderr, "explicit-sync: %s\n", problem);
		return 1;
	}
	printf("explicit-sync: %d frames, and one that was withheld\n", FRAMES);
	return 0;
}
