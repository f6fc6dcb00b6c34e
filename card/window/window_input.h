/* SPDX-License-Identifier: MIT */
/* The window's keyboard, mouse and touch events as actions for the card. */
#ifndef CARD_WINDOW_WINDOW_INPUT_H
#define CARD_WINDOW_WINDOW_INPUT_H

#include <SDL.h>

#include "dc/window_link.h"

struct window_input {
	struct window_link *link;
	struct {
		SDL_FingerID finger;
		bool used;
	} contact[INPUT_CONTACTS];
};

void window_input_init(struct window_input *input, struct window_link *link);

/** window_input_set_hints - set SDL's hints for input; must precede SDL_Init() */
void window_input_set_hints(void);

/**
 * window_input_handle - send the actions of an event
 * @input: the window's input
 * @event: of any type; positions are on a screen of @width x @height
 * @width: of the screen; 0: nothing is shown yet
 * @height: likewise
 *
 * Returns: false if the card has gone.
 */
bool window_input_handle(struct window_input *input, const SDL_Event *event, int width, int height);

#endif
