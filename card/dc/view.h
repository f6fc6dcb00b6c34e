/* SPDX-License-Identifier: MIT */
/* Receivers of the display's frames: none, PNG files, a window, VNC clients. */
#ifndef CARD_DC_VIEW_H
#define CARD_DC_VIEW_H

#include <stdbool.h>

#include "dc/dc.h"
#include "input/action.h"

enum view_kind {
	VIEW_NOT_FITTED, /* no display block */
	VIEW_NOBODY,     /* a display block without a viewer */
	VIEW_PNG,        /* a file for each frame that differs from the one before */
	VIEW_PNG_ALL,    /* a file for each frame */
	VIEW_WINDOW,
	VIEW_VNC,
};

struct view_choice {
	enum view_kind kind;
	const char *folder; /* for the PNG files */
	const char *port;   /* for VNC; NULL: the first free one from 5900 on */
};

/** view_has_user - whether the view shows the screen to a user who can also type and point */
bool view_has_user(const struct view_choice *choice);

/** view_choose - parse the argument of --display=; returns NULL, or an error message */
const char *view_choose(struct view_choice *choice, const char *word);

struct view;

/**
 * view_create - create the chosen view
 * @choice: its folder and port must stay valid
 * @problem: receives an error message
 *
 * Returns: the view, also for VIEW_NOBODY; NULL after an error.
 */
struct view *view_create(const struct view_choice *choice, const char **problem);
void view_destroy(struct view *view);

/** view_viewer - argument for dc_set_viewer(); NULL if there is no receiver */
const struct dc_viewer *view_viewer(const struct view *view);

/** view_input_fd - descriptor to poll for actions of the user; -1: there is none */
int view_input_fd(const struct view *view);

/** view_receive_action - receive an action of the user, if there is one; does not wait */
bool view_receive_action(struct view *view, struct input_action *action);

#endif
