/* SPDX-License-Identifier: MIT */
/* The card's end of --display=window: starts the window's program and feeds it. */
#ifndef CARD_DC_VIEW_WINDOW_H
#define CARD_DC_VIEW_WINDOW_H

#include <sys/types.h>

#include "dc/window_link.h"

/* The program, which lies beside the card's own. */
#define WINDOW_PROGRAM "vivgpu-card-window"

struct view_window {
	struct window_link link;
	pid_t pid;
	bool closed; /* somebody closed the window; the card goes on */
};

/**
 * view_window_open - start @program
 *
 * Returns: NULL, or why it could not be started. That there is no screen shows
 * later, by the program's own message.
 */
const char *view_window_open(struct view_window *window, const char *program);

/** view_window_show - show a frame if the window is there and has time; never waits. */
void view_window_show(struct view_window *window, const struct dc_picture *picture);

/** view_window_close - end the program. */
void view_window_close(struct view_window *window);

#endif
