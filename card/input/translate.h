/* SPDX-License-Identifier: MIT */
/*
 * Actions as events of three evdev devices, as drivers of real ones report them: a keyboard, a
 * pointer with absolute axes, and a touch screen with the multitouch protocol of type B.
 */
#ifndef CARD_INPUT_TRANSLATE_H
#define CARD_INPUT_TRANSLATE_H

#include "bus/virtio_input.h"
#include "input/action.h"

enum input_device {
	INPUT_KEYBOARD,
	INPUT_MOUSE,
	INPUT_TOUCH_SCREEN,
	INPUT_DEVICES,
};

/* Most events of an action, without SYN_REPORT: slot, tracking ID, X, Y, BTN_TOUCH of a contact */
#define INPUT_REPORT_EVENTS 5u

/* Keys and buttons that are pressed, and contacts */
struct input_state {
	bool pressed[INPUT_LAST_BUTTON + 1]; /* keys and buttons, by code */
	bool touching[INPUT_CONTACTS];
	uint16_t tracking_id; /* of the next contact */
};

struct input_report {
	enum input_device device;
	unsigned int count; /* 0: there is nothing to report */
	struct virtio_input_event event[INPUT_REPORT_EVENTS];
};

/** input_identity - what the guest reads of a device */
const struct virtio_input_identity *input_identity(enum input_device device);

/**
 * input_translate - translate an action
 * @state: updated
 * @action: a valid one (input_action_valid()), not INPUT_RELEASE_ALL
 * @report: receives the events
 *
 * A contact that goes down twice moves; one that is not down neither moves nor goes up.
 */
void input_translate(struct input_state *state, const struct input_action *action,
		     struct input_report *report);

/**
 * input_next_release - find something that is pressed
 * @state: what is pressed
 * @action: receives its release
 *
 * Returns: false if nothing is pressed.
 */
bool input_next_release(const struct input_state *state, struct input_action *action);

#endif
