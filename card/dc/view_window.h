/* SPDX-License-Identifier: MIT */
/* The card's part of --display=window and vnc: starts a program and sends frames to it. */
#ifndef CARD_DC_VIEW_WINDOW_H
#define CARD_DC_VIEW_WINDOW_H

#include <sys/types.h>

#include "dc/window_link.h"

/* Names of the programs; they are in the folder of the card's program. */
#define WINDOW_PROGRAM "vivgpu-card-window"
#define VNC_PROGRAM "vivgpu-card-vnc"

struct view_window {
	struct window_link link;
	pid_t pid;
	bool closed; /* the program has ended, as when its user closes it; the card continues */
};

/**
 * view_window_open - start @program
 * @argument: its argument, or NULL
 *
 * Returns: NULL, or an error message. A missing screen is reported later by the program itself.
 */
const char *view_window_open(struct view_window *window, const char *program, const char *argument);

/**
 * view_window_show - send a frame if the window exists and is idle; does not wait
 *
 * That the window has gone is noticed by view_window_receive_action() only, for its last action.
 */
void view_window_show(struct view_window *window, const struct dc_picture *picture);

/**
 * view_window_input_fd - descriptor to poll for actions; -1 if the window has gone
 */
int view_window_input_fd(const struct view_window *window);

/**
 * view_window_receive_action - receive what the user did in the window; does not wait
 *
 * The last action, when the window has gone, is INPUT_RELEASE_ALL.
 *
 * Returns: true if there is an action.
 */
bool view_window_receive_action(struct view_window *window, struct input_action *action);

/** view_window_close - end the program */
void view_window_close(struct view_window *window);

#endif
