// SPDX-License-Identifier: MIT
/* Events of SDL as actions. The window's program itself needs a screen. */
#include "tests/check.h"
#include "window/scancodes.h"
#include "window/window_input.h"

#include <unistd.h>

#define WIDTH 1280
#define HEIGHT 720

static struct window_link window;
static struct window_input input;
static struct input_action got;

static void begin(void)
{
	CHECK(window_link_create(&window));
	window_input_init(&input, &window);
}

static void end(void)
{
	window_link_close(&window);
}

static void handle(SDL_Event event)
{
	CHECK(window_input_handle(&input, &event, WIDTH, HEIGHT));
}

/* Whether the next action that the card receives is this one. */
static bool acts(enum input_kind kind, uint32_t code, uint32_t pressed, int32_t x, int32_t y)
{
	const struct input_action expected = { kind, code, pressed, x, y };
	bool gone;

	return window_link_receive_action(&window, &got, &gone) &&
	       !memcmp(&got, &expected, sizeof(got));
}

static bool nothing(void)
{
	bool gone;

	return !window_link_receive_action(&window, &got, &gone) && !gone;
}

static SDL_Event key(uint32_t type, SDL_Scancode scancode, uint8_t repeat)
{
	SDL_Event event = { .key = { .type = type, .repeat = repeat } };

	event.key.state = type == SDL_KEYDOWN ? SDL_PRESSED : SDL_RELEASED;
	event.key.keysym.scancode = scancode;
	return event;
}

static SDL_Event finger(uint32_t type, SDL_FingerID id, float x, float y)
{
	return (SDL_Event){ .tfinger = { .type = type, .fingerId = id, .x = x, .y = y } };
}

TEST(keys)
{
	begin();
	handle(key(SDL_KEYDOWN, SDL_SCANCODE_A, 0));
	CHECK(acts(INPUT_KEY, KEY_A, 1, 0, 0));
	handle(key(SDL_KEYDOWN, SDL_SCANCODE_A, 1));
	handle(key(SDL_KEYDOWN, SDL_SCANCODE_UNKNOWN, 0));
	CHECK(nothing());
	handle(key(SDL_KEYUP, SDL_SCANCODE_A, 0));
	CHECK(acts(INPUT_KEY, KEY_A, 0, 0, 0));
	CHECK_EQ(scancode_to_key(SDL_NUM_SCANCODES), 0);
	end();
}

TEST(every_key_is_valid)
{
	for (unsigned int i = 0; i < SDL_NUM_SCANCODES; i++)
		CHECK(scancode_to_key(i) <= INPUT_LAST_KEY);
}

TEST(mouse)
{
	begin();
	handle((SDL_Event){ .motion = { .type = SDL_MOUSEMOTION, .x = 640, .y = 360 } });
	CHECK(acts(INPUT_POINTER, 0, 0, 16384, 16384));
	handle((SDL_Event){ .motion = { .type = SDL_MOUSEMOTION, .x = -5, .y = 1000 } });
	CHECK(acts(INPUT_POINTER, 0, 0, 0, input_position(HEIGHT - 1, HEIGHT)));
	handle((SDL_Event){ .button = { .type = SDL_MOUSEBUTTONDOWN,
					.button = SDL_BUTTON_RIGHT,
					.state = SDL_PRESSED } });
	CHECK(acts(INPUT_BUTTON, BTN_RIGHT, 1, 0, 0));
	handle((SDL_Event){ .button = { .type = SDL_MOUSEBUTTONUP, .button = 200 } });
	CHECK(nothing());
	handle((SDL_Event){ .wheel = { .type = SDL_MOUSEWHEEL, .y = -1 } });
	CHECK(acts(INPUT_WHEEL, 0, 0, 0, -1));
	handle((SDL_Event){ .wheel = { .type = SDL_MOUSEWHEEL, .x = 1 << 30 } });
	CHECK(acts(INPUT_WHEEL, 0, 0, INPUT_MAX_CLICKS, 0));
	end();
}

TEST(fingers)
{
	begin();
	handle(finger(SDL_FINGERDOWN, 77, 0, 1));
	CHECK(acts(INPUT_TOUCH_DOWN, 0, 0, 0, INPUT_AXIS_MAX));
	handle(finger(SDL_FINGERDOWN, 78, 1, 0));
	CHECK(acts(INPUT_TOUCH_DOWN, 1, 0, INPUT_AXIS_MAX, 0));
	handle(finger(SDL_FINGERUP, 77, 0, 0));
	CHECK(acts(INPUT_TOUCH_UP, 0, 0, 0, 0));
	handle(finger(SDL_FINGERMOTION, 77, 0, 0));
	CHECK(nothing());
	handle(finger(SDL_FINGERMOTION, 78, 0, 0));
	CHECK(acts(INPUT_TOUCH_MOVE, 1, 0, 0, 0));
	handle((SDL_Event){
		.window = { .type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST } });
	CHECK(acts(INPUT_RELEASE_ALL, 0, 0, 0, 0));
	handle(finger(SDL_FINGERUP, 78, 0, 0));
	CHECK(nothing());
	end();
}

TEST(more_fingers_than_contacts)
{
	begin();
	for (SDL_FingerID id = 0; id <= INPUT_CONTACTS; id++)
		handle(finger(SDL_FINGERDOWN, id, 0, 0));
	for (uint32_t i = 0; i < INPUT_CONTACTS; i++)
		CHECK(acts(INPUT_TOUCH_DOWN, i, 0, 0, 0));
	CHECK(nothing());
	end();
}

TEST(the_card_has_gone)
{
	SDL_Event event = { .motion = { .type = SDL_MOUSEMOTION } };

	begin();
	CHECK(window_input_handle(&input, &event, 0, 0)); /* nothing is shown yet */
	close(window.card_fd);
	window.card_fd = -1;
	CHECK(!window_input_handle(&input, &event, WIDTH, HEIGHT));
	end();
}

int main(void)
{
	return test_all();
}
