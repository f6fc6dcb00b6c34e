// SPDX-License-Identifier: MIT
/* Translation of actions to events, see input/translate.h. */
#include "input/translate.h"

#include <linux/input.h>

#define WHEEL_HI_RES_CLICK 120 /* units of REL_WHEEL_HI_RES in a click */

static const struct virtio_input_axis mouse_axes[] = {
	{ ABS_X, INPUT_AXIS_MAX },
	{ ABS_Y, INPUT_AXIS_MAX },
};

static const struct virtio_input_axis touch_axes[] = {
	{ ABS_MT_SLOT, INPUT_CONTACTS - 1 },
	{ ABS_MT_POSITION_X, INPUT_AXIS_MAX },
	{ ABS_MT_POSITION_Y, INPUT_AXIS_MAX },
	{ ABS_MT_TRACKING_ID, UINT16_MAX },
};

const struct virtio_input_identity *input_identity(enum input_device device)
{
	static const struct virtio_input_identity identity[INPUT_DEVICES] = {
		[INPUT_KEYBOARD] = { .name = "vivgpu keyboard",
				     .product = 1,
				     .first_key = KEY_ESC,
				     .last_key = INPUT_LAST_KEY,
				     .repeats = true },
		[INPUT_MOUSE] = { .name = "vivgpu mouse",
				  .product = 2,
				  .first_key = INPUT_FIRST_BUTTON,
				  .last_key = INPUT_LAST_BUTTON,
				  .relative_axes = 1u << REL_WHEEL | 1u << REL_HWHEEL |
						   1u << REL_WHEEL_HI_RES | 1u << REL_HWHEEL_HI_RES,
				  .axis = mouse_axes,
				  .axes = 2 },
		[INPUT_TOUCH_SCREEN] = { .name = "vivgpu touch screen",
					 .product = 3,
					 .first_key = BTN_TOUCH,
					 .last_key = BTN_TOUCH,
					 .axis = touch_axes,
					 .axes = 4,
					 .direct = true },
	};

	return &identity[device];
}

static void add(struct input_report *report, uint16_t type, uint16_t code, int32_t value)
{
	report->event[report->count++] = (struct virtio_input_event){ type, code, (uint32_t)value };
}

static void press(struct input_state *state, const struct input_action *action,
		  struct input_report *report)
{
	state->pressed[action->code] = action->pressed;
	add(report, EV_KEY, action->code, action->pressed);
}

static void point(const struct input_action *action, struct input_report *report)
{
	add(report, EV_ABS, ABS_X, action->x);
	add(report, EV_ABS, ABS_Y, action->y);
}

static void turn_wheel(const struct input_action *action, struct input_report *report)
{
	if (action->y) {
		add(report, EV_REL, REL_WHEEL, action->y);
		add(report, EV_REL, REL_WHEEL_HI_RES, action->y * WHEEL_HI_RES_CLICK);
	}
	if (action->x) {
		add(report, EV_REL, REL_HWHEEL, action->x);
		add(report, EV_REL, REL_HWHEEL_HI_RES, action->x * WHEEL_HI_RES_CLICK);
	}
}

static bool any_contact(const struct input_state *state)
{
	for (unsigned int i = 0; i < INPUT_CONTACTS; i++)
		if (state->touching[i])
			return true;
	return false;
}

static void move_contact(const struct input_action *action, struct input_report *report)
{
	add(report, EV_ABS, ABS_MT_POSITION_X, action->x);
	add(report, EV_ABS, ABS_MT_POSITION_Y, action->y);
}

/* The slot is reported already: see touch(). The first contact also presses BTN_TOUCH. */
static void begin_contact(struct input_state *state, const struct input_action *action,
			  struct input_report *report)
{
	bool first = !any_contact(state);

	state->touching[action->code] = true;
	add(report, EV_ABS, ABS_MT_TRACKING_ID, state->tracking_id++);
	move_contact(action, report);
	if (first)
		add(report, EV_KEY, BTN_TOUCH, 1);
}

static void end_contact(struct input_state *state, const struct input_action *action,
			struct input_report *report)
{
	state->touching[action->code] = false;
	add(report, EV_ABS, ABS_MT_TRACKING_ID, -1);
	if (!any_contact(state))
		add(report, EV_KEY, BTN_TOUCH, 0);
}

static void touch(struct input_state *state, const struct input_action *action,
		  struct input_report *report)
{
	bool touching = state->touching[action->code];

	if (!touching && action->kind != INPUT_TOUCH_DOWN)
		return;
	add(report, EV_ABS, ABS_MT_SLOT, action->code);
	if (!touching)
		begin_contact(state, action, report);
	else if (action->kind == INPUT_TOUCH_UP)
		end_contact(state, action, report);
	else
		move_contact(action, report);
}

void input_translate(struct input_state *state, const struct input_action *action,
		     struct input_report *report)
{
	report->count = 0;
	report->device = INPUT_MOUSE;
	switch (action->kind) {
	case INPUT_KEY:
		report->device = INPUT_KEYBOARD;
		press(state, action, report);
		break;
	case INPUT_BUTTON:
		press(state, action, report);
		break;
	case INPUT_POINTER:
		point(action, report);
		break;
	case INPUT_WHEEL:
		turn_wheel(action, report);
		break;
	default:
		report->device = INPUT_TOUCH_SCREEN;
		touch(state, action, report);
		break;
	}
}

bool input_next_release(const struct input_state *state, struct input_action *action)
{
	for (unsigned int code = 0; code <= INPUT_LAST_BUTTON; code++) {
		if (!state->pressed[code])
			continue;
		*action = (struct input_action){
			.kind = code <= INPUT_LAST_KEY ? INPUT_KEY : INPUT_BUTTON,
			.code = code,
		};
		return true;
	}
	for (unsigned int i = 0; i < INPUT_CONTACTS; i++) {
		if (!state->touching[i])
			continue;
		*action = (struct input_action){ .kind = INPUT_TOUCH_UP, .code = i };
		return true;
	}
	return false;
}
