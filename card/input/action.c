// SPDX-License-Identifier: MIT
/* Limits of actions. */
#include "input/action.h"

static bool within(int32_t value, int32_t least, int32_t greatest)
{
	return value >= least && value <= greatest;
}

static bool position_valid(const struct input_action *action)
{
	return within(action->x, 0, INPUT_AXIS_MAX) && within(action->y, 0, INPUT_AXIS_MAX);
}

bool input_action_valid(const struct input_action *action)
{
	switch (action->kind) {
	case INPUT_KEY:
		return action->code >= KEY_ESC && action->code <= INPUT_LAST_KEY &&
		       action->pressed <= 1;
	case INPUT_BUTTON:
		return action->code >= INPUT_FIRST_BUTTON && action->code <= INPUT_LAST_BUTTON &&
		       action->pressed <= 1;
	case INPUT_POINTER:
		return position_valid(action);
	case INPUT_WHEEL:
		return within(action->x, -INPUT_MAX_CLICKS, INPUT_MAX_CLICKS) &&
		       within(action->y, -INPUT_MAX_CLICKS, INPUT_MAX_CLICKS);
	case INPUT_TOUCH_DOWN:
	case INPUT_TOUCH_MOVE:
		return action->code < INPUT_CONTACTS && position_valid(action);
	case INPUT_TOUCH_UP:
		return action->code < INPUT_CONTACTS;
	case INPUT_RELEASE_ALL:
		return true;
	default:
		return false;
	}
}
