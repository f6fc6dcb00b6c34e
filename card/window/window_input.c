// SPDX-License-Identifier: MIT
/* Translation of SDL's events to actions. Positions follow the picture, which may be scaled. */
#include "window/window_input.h"

#include "window/scancodes.h"

void window_input_init(struct window_input *input, struct window_link *link)
{
	memset(input, 0, sizeof(*input));
	input->link = link;
}

/* Otherwise a finger would also act as a mouse, and the mouse as a finger. */
void window_input_set_hints(void)
{
	SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
	SDL_SetHint(SDL_HINT_MOUSE_TOUCH_EVENTS, "0");
}

static bool send_action(struct window_input *input, struct input_action action)
{
	return window_link_send_action(input->link, &action);
}

static int within(int value, int least, int greatest)
{
	return value < least ? least : value > greatest ? greatest : value;
}

/* ---- keyboard and mouse ---- */

/* The guest repeats keys itself. Keys without a code of Linux are dropped. */
static bool send_key(struct window_input *input, const SDL_KeyboardEvent *event)
{
	uint32_t key = scancode_to_key(event->keysym.scancode);

	if (!key || event->repeat)
		return true;
	return send_action(input, (struct input_action){
					  .kind = INPUT_KEY,
					  .code = key,
					  .pressed = event->state == SDL_PRESSED,
				  });
}

static bool send_pointer(struct window_input *input, int x, int y, int width, int height)
{
	return send_action(input, (struct input_action){
					  .kind = INPUT_POINTER,
					  .x = input_position(within(x, 0, width - 1), width),
					  .y = input_position(within(y, 0, height - 1), height),
				  });
}

static bool send_button(struct window_input *input, const SDL_MouseButtonEvent *event)
{
	static const uint16_t code[] = {
		[SDL_BUTTON_LEFT] = BTN_LEFT,   [SDL_BUTTON_MIDDLE] = BTN_MIDDLE,
		[SDL_BUTTON_RIGHT] = BTN_RIGHT, [SDL_BUTTON_X1] = BTN_SIDE,
		[SDL_BUTTON_X2] = BTN_EXTRA,
	};

	if (event->button >= SDL_arraysize(code) || !code[event->button])
		return true;
	return send_action(input, (struct input_action){
					  .kind = INPUT_BUTTON,
					  .code = code[event->button],
					  .pressed = event->state == SDL_PRESSED,
				  });
}

static bool send_wheel(struct window_input *input, const SDL_MouseWheelEvent *event)
{
	return send_action(input,
			   (struct input_action){
				   .kind = INPUT_WHEEL,
				   .x = within(event->x, -INPUT_MAX_CLICKS, INPUT_MAX_CLICKS),
				   .y = within(event->y, -INPUT_MAX_CLICKS, INPUT_MAX_CLICKS),
			   });
}

/* ---- touch ---- */

/* The contact of a finger, or with @create a free one; -1: none. */
static int find_contact(struct window_input *input, SDL_FingerID finger, bool create)
{
	int free_one = -1;

	for (int i = 0; i < (int)INPUT_CONTACTS; i++) {
		if (input->contact[i].used && input->contact[i].finger == finger)
			return i;
		if (!input->contact[i].used && free_one < 0)
			free_one = i;
	}
	if (!create || free_one < 0)
		return -1;
	input->contact[free_one].used = true;
	input->contact[free_one].finger = finger;
	return free_one;
}

/* SDL's positions of fingers are from 0 to 1. */
static int32_t touch_position(float position)
{
	return within((int)(position * INPUT_AXIS_MAX), 0, INPUT_AXIS_MAX);
}

static bool send_touch(struct window_input *input, const SDL_TouchFingerEvent *event,
		       enum input_kind kind)
{
	int contact = find_contact(input, event->fingerId, kind == INPUT_TOUCH_DOWN);

	if (contact < 0)
		return true;
	if (kind == INPUT_TOUCH_UP)
		input->contact[contact].used = false;
	return send_action(input, (struct input_action){
					  .kind = kind,
					  .code = contact,
					  .x = touch_position(event->x),
					  .y = touch_position(event->y),
				  });
}

/* A window without the focus gets no releases. */
static bool lose_focus(struct window_input *input)
{
	for (unsigned int i = 0; i < INPUT_CONTACTS; i++)
		input->contact[i].used = false;
	return send_action(input, (struct input_action){ .kind = INPUT_RELEASE_ALL });
}

bool window_input_handle(struct window_input *input, const SDL_Event *event, int width, int height)
{
	if (!width || !height)
		return true;
	switch (event->type) {
	case SDL_KEYDOWN:
	case SDL_KEYUP:
		return send_key(input, &event->key);
	case SDL_MOUSEMOTION:
		return send_pointer(input, event->motion.x, event->motion.y, width, height);
	case SDL_MOUSEBUTTONDOWN:
	case SDL_MOUSEBUTTONUP:
		return send_button(input, &event->button);
	case SDL_MOUSEWHEEL:
		return send_wheel(input, &event->wheel);
	case SDL_FINGERDOWN:
		return send_touch(input, &event->tfinger, INPUT_TOUCH_DOWN);
	case SDL_FINGERMOTION:
		return send_touch(input, &event->tfinger, INPUT_TOUCH_MOVE);
	case SDL_FINGERUP:
		return send_touch(input, &event->tfinger, INPUT_TOUCH_UP);
	case SDL_WINDOWEVENT:
		return event->window.event != SDL_WINDOWEVENT_FOCUS_LOST || lose_focus(input);
	default:
		return true;
	}
}
