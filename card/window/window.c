// SPDX-License-Identifier: MIT
/*
 * vivgpu-card-window: a window on the host that shows what the card scans out, and sends keyboard,
 * mouse and touch to the guest. The card starts it (--display=window); both are connected by
 * dc/window_link.h. It ends with the card or when the user closes the window.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>

#include "dc/window_link.h"
#include "window/window_input.h"

/* Time to wait for a frame before the window's events are processed, in ms. */
#define POLL_MS 20

struct window {
	SDL_Window *window;
	SDL_Renderer *renderer;
	SDL_Texture *texture;
	int width, height; /* of the texture */
	struct window_input input;
};

static bool fail(const char *what)
{
	fprintf(stderr, "vivgpu-card-window: %s: %s\n", what, SDL_GetError());
	return false;
}

static bool open_window(struct window *w)
{
	SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
	SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
	window_input_set_hints();
	if (SDL_Init(SDL_INIT_VIDEO))
		return fail("no screen");
	w->window = SDL_CreateWindow("vivgpu", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 1, 1,
				     SDL_WINDOW_RESIZABLE | SDL_WINDOW_HIDDEN);
	if (!w->window)
		return fail("no window");
	w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_SOFTWARE);
	return w->renderer || fail("no renderer");
}

/* Set the size of texture and window to the mode's. */
static bool resize(struct window *w, int width, int height)
{
	if (w->texture)
		SDL_DestroyTexture(w->texture);
	w->width = width;
	w->height = height;
	w->texture = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_RGB24,
				       SDL_TEXTUREACCESS_STREAMING, width, height);
	if (!w->texture)
		return fail("no texture");
	SDL_SetWindowSize(w->window, width, height);
	SDL_SetWindowPosition(w->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
	SDL_ShowWindow(w->window);
	SDL_ShowCursor(SDL_DISABLE); /* the guest's is in the frames */
	return SDL_RenderSetLogicalSize(w->renderer, width, height) == 0 || fail("no scaling");
}

static bool paint(struct window *w)
{
	SDL_RenderClear(w->renderer);
	if (w->texture && SDL_RenderCopy(w->renderer, w->texture, NULL, NULL))
		return fail("cannot draw");
	SDL_RenderPresent(w->renderer);
	return true;
}

static bool show(struct window *w, const struct dc_picture *picture)
{
	char title[64];

	if ((w->width != (int)picture->width || w->height != (int)picture->height) &&
	    !resize(w, picture->width, picture->height))
		return false;
	SDL_UpdateTexture(w->texture, NULL, picture->rgb, 3 * picture->width);
	snprintf(title, sizeof(title), "vivgpu %ux%u, frame %u", picture->width, picture->height,
		 picture->number);
	SDL_SetWindowTitle(w->window, title);
	return paint(w);
}

/* Process the window's events; false if it was closed or the card has gone. */
static bool handle_events(struct window *w)
{
	SDL_Event event;

	while (SDL_PollEvent(&event)) {
		if (event.type == SDL_QUIT)
			return false;
		if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_EXPOSED)
			paint(w);
		if (!window_input_handle(&w->input, &event, w->width, w->height))
			return false;
	}
	return true;
}

static bool run(struct window *w, struct window_link *link)
{
	bool gone = false, good = true;

	while (good && !gone) {
		struct dc_picture picture;

		if (!handle_events(w))
			return true;
		if (!window_link_receive_frame(link, POLL_MS, &picture, &gone))
			continue;
		good = show(w, &picture);
		window_link_release_frame(link);
	}
	return good;
}

/* The card may be pinned to one processor; this process must not inherit that. */
static void use_all_processors(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
}

int main(void)
{
	struct window window = { 0 };
	struct window_link link;
	bool good;

	if (!window_link_attach(&link)) {
		fprintf(stderr,
			"vivgpu-card-window: it is started by vivgpu-card --display=window\n");
		return EXIT_FAILURE;
	}
	use_all_processors();
	window_input_init(&window.input, &link);
	good = open_window(&window) && run(&window, &link);
	SDL_Quit();
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
