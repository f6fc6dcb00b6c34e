/* SPDX-License-Identifier: MIT */
/* Who looks at the display: nobody, PNG files, a window. */
#ifndef CARD_DC_VIEW_H
#define CARD_DC_VIEW_H

#include <stdbool.h>

#include "dc/dc.h"

enum view_kind {
	VIEW_NOT_FITTED, /* there is no display block */
	VIEW_NOBODY,
	VIEW_PNG,     /* a file for each picture that differs from the one before */
	VIEW_PNG_ALL, /* a file for each frame */
	VIEW_WINDOW,
};

struct view_choice {
	enum view_kind kind;
	const char *folder; /* of the PNG files */
};

/** view_choose - read what --display= says; returns NULL, or what is wrong with it. */
const char *view_choose(struct view_choice *choice, const char *word);

struct view;

/**
 * view_create - somebody who looks, as chosen
 * @choice: its folder must stay where it is
 * @problem: gets a reason if that is not possible
 *
 * Returns: NULL if not; a view that shows nothing for VIEW_NOBODY.
 */
struct view *view_create(const struct view_choice *choice, const char **problem);
void view_destroy(struct view *view);

/** view_viewer - what dc_set_viewer() needs; NULL if nobody looks. */
const struct dc_viewer *view_viewer(const struct view *view);

#endif
