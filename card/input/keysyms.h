/* SPDX-License-Identifier: MIT */
#ifndef CARD_INPUT_KEYSYMS_H
#define CARD_INPUT_KEYSYMS_H

#include <stdint.h>

/**
 * keysym_to_key - the Linux key code of the key that has a symbol on a keyboard with US layout
 * @keysym: of X, as VNC clients send them
 *
 * Returns: the code of linux/input-event-codes.h, or 0.
 */
uint32_t keysym_to_key(uint32_t keysym);

#endif
