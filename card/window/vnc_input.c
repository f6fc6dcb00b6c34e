// SPDX-License-Identifier: MIT
/*
 * Translation of pointer and key events (RFC 6143, sections 7.5.4 and 7.5.5) to actions. When the
 * card has gone, sending fails, and the server ends with the link.
 */
#include "window/vnc_input.h"

#include "input/keysyms.h"

/* Bits of a pointer event's mask; the wheel's directions are buttons that are pressed briefly. */
#define WHEEL_UP (1 << 3)
#define WHEEL_DOWN (1 << 4)
#define WHEEL_LEFT (1 << 5)
#define WHEEL_RIGHT (1 << 6)

static void send_action(struct vnc_input *input, struct input_action action)
{
	window_link_send_action(input->link, &action);
}

static void key_event(rfbBool down, rfbKeySym keysym, rfbClientPtr client)
{
	uint32_t key = keysym_to_key(keysym);

	if (key)
		send_action(client->screen->screenData, (struct input_action){
								.kind = INPUT_KEY,
								.code = key,
								.pressed = down != 0,
							});
}

static void move_pointer(struct vnc_input *input, rfbScreenInfoPtr screen, int x, int y)
{
	if (x >= 0 && x < screen->width && y >= 0 && y < screen->height)
		send_action(input, (struct input_action){
					   .kind = INPUT_POINTER,
					   .x = input_position(x, screen->width),
					   .y = input_position(y, screen->height),
				   });
}

static void change_buttons(struct vnc_input *input, int buttons)
{
	static const uint16_t code[] = { BTN_LEFT, BTN_MIDDLE, BTN_RIGHT }; /* bits 0 to 2 */

	for (unsigned int i = 0; i < 3; i++)
		if ((buttons ^ input->buttons) & 1 << i)
			send_action(input, (struct input_action){
						   .kind = INPUT_BUTTON,
						   .code = code[i],
						   .pressed = buttons >> i & 1,
					   });
}

static void turn_wheel(struct vnc_input *input, int pressed)
{
	struct input_action action = {
		.kind = INPUT_WHEEL,
		.x = !!(pressed & WHEEL_RIGHT) - !!(pressed & WHEEL_LEFT),
		.y = !!(pressed & WHEEL_UP) - !!(pressed & WHEEL_DOWN),
	};

	if (action.x || action.y)
		send_action(input, action);
}

static void pointer_event(int buttons, int x, int y, rfbClientPtr client)
{
	struct vnc_input *input = client->screen->screenData;

	move_pointer(input, client->screen, x, y);
	change_buttons(input, buttons);
	turn_wheel(input, buttons & ~input->buttons);
	input->buttons = buttons;
}

/* A client that has gone does not release what it pressed. What others hold is released as well. */
static void client_gone(rfbClientPtr client)
{
	struct vnc_input *input = client->screen->screenData;

	input->buttons = 0;
	send_action(input, (struct input_action){ .kind = INPUT_RELEASE_ALL });
}

static enum rfbNewClientAction client_come(rfbClientPtr client)
{
	client->clientGoneHook = client_gone;
	return RFB_CLIENT_ACCEPT;
}

void vnc_input_init(struct vnc_input *input, struct window_link *link, rfbScreenInfoPtr screen)
{
	*input = (struct vnc_input){ .link = link };
	screen->screenData = input;
	screen->kbdAddEvent = key_event;
	screen->ptrAddEvent = pointer_event;
	screen->newClientHook = client_come;
}
