/* SPDX-License-Identifier: MIT */
/*
 * Actions of a user: keys, pointer, buttons, wheel, touch. They come from a file, from the control
 * protocol, or from a view's process, and become events of the guest's input devices.
 */
#ifndef CARD_INPUT_ACTION_H
#define CARD_INPUT_ACTION_H

#include <linux/input-event-codes.h>
#include <stdbool.h>
#include <stdint.h>

#define INPUT_LAST_KEY 248u /* KEY_MICMUTE, the last one of keyboards */
#define INPUT_FIRST_BUTTON BTN_LEFT
#define INPUT_LAST_BUTTON BTN_TASK /* of mice */
#define INPUT_AXIS_MAX 32767       /* positions are from 0 to this, in both directions */
#define INPUT_CONTACTS 10u         /* fingers on the touch screen */
#define INPUT_MAX_CLICKS 100       /* of the wheel in one action */

enum input_kind {
	INPUT_KEY,
	INPUT_BUTTON,
	INPUT_POINTER,
	INPUT_WHEEL,
	INPUT_TOUCH_DOWN,
	INPUT_TOUCH_MOVE,
	INPUT_TOUCH_UP,
	INPUT_RELEASE_ALL, /* keys, buttons and contacts, e.g. because the window is left */
	INPUT_KINDS,
};

/* Also the format of messages from a view's process, so all fields have a fixed size. */
struct input_action {
	uint32_t kind; /* enum input_kind */
	uint32_t code; /* of a key or button; the number of a contact */
	uint32_t pressed;
	int32_t x, y; /* position; clicks of the wheel to the right and up */
};

/**
 * input_position - position on an axis
 * @pixel: from 0 to @size - 1
 * @size: of the screen in this direction, in pixels
 *
 * Rounds up, so that a guest whose screen has @size pixels computes @pixel from it.
 */
static inline int32_t input_position(uint32_t pixel, uint32_t size)
{
	return (int32_t)(((uint64_t)pixel * (INPUT_AXIS_MAX + 1) + size - 1) / size);
}

/**
 * input_action_valid - whether all fields of a message of a view's process are within the limits of
 * its kind; input_parse() checks what it reads itself
 */
bool input_action_valid(const struct input_action *action);

#endif
