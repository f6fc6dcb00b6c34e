/* SPDX-License-Identifier: MIT */
#ifndef CARD_WINDOW_SCANCODES_H
#define CARD_WINDOW_SCANCODES_H

#include <SDL.h>
#include <stdint.h>

/**
 * scancode_to_key - the Linux key code of a key
 * @scancode: of SDL, which names keys by their position on a keyboard with US layout
 *
 * Returns: the code of linux/input-event-codes.h, or 0.
 */
uint32_t scancode_to_key(SDL_Scancode scancode);

#endif
