// SPDX-License-Identifier: MIT
/* The keyboard: steps of the script are calendar events, in real and in virtual time. */
#include "bus/keyboard.h"

#include <linux/input.h>

static const struct virtio_input_identity identity = {
	.name = "vivgpu keyboard",
	.product = 1,
	.first_key = KEY_ESC,
	.last_key = INPUT_SCRIPT_LAST_KEY,
	.repeats = true,
};

/* Pass on what the guest has buffers for. Each call may end the connection. */
static void serve(void *ctx)
{
	struct keyboard *keyboard = ctx;
	struct vhost_user *vhost = &keyboard->device.vhost;

	if (virtio_input_take_status(&keyboard->input, &vhost->ring[VIRTIO_INPUT_STATUS],
				     &vhost->memory))
		uml_device_call(&keyboard->device, VIRTIO_INPUT_STATUS);
	if (!keyboard->device.gone &&
	    virtio_input_deliver(&keyboard->input, &vhost->ring[VIRTIO_INPUT_EVENTS],
				 &vhost->memory))
		uml_device_call(&keyboard->device, VIRTIO_INPUT_EVENTS);
}

static void arm_next_step(struct keyboard *keyboard)
{
	if (keyboard->next < keyboard->script->count)
		clock_arm(keyboard->clock, &keyboard->step_event,
			  keyboard->start_ns + keyboard->script->step[keyboard->next].time_ns);
}

static void play_step(void *ctx)
{
	struct keyboard *keyboard = ctx;
	const struct input_step *step = &keyboard->script->step[keyboard->next++];
	const struct virtio_input_event event = { EV_KEY, step->key, step->press };

	virtio_input_report(&keyboard->input, &event, 1);
	arm_next_step(keyboard);
	if (!keyboard->device.gone)
		serve(keyboard);
}

static void kicked(void *ctx)
{
	struct keyboard *keyboard = ctx;

	if (!keyboard->started) {
		keyboard->started = true;
		keyboard->start_ns = clock_now(keyboard->clock);
		arm_next_step(keyboard);
	}
	serve(keyboard);
}

/* The next guest gets the script from its start. */
static void reset(void *ctx)
{
	struct keyboard *keyboard = ctx;

	clock_disarm(keyboard->clock, &keyboard->step_event);
	virtio_input_reset(&keyboard->input);
	keyboard->started = false;
	keyboard->next = 0;
}

static void read_config(void *ctx, uint32_t offset, uint8_t *data, uint32_t size)
{
	struct uml_device *device = ctx;
	struct keyboard *keyboard = device->ctx;

	virtio_input_read_config(&keyboard->input, offset, data, size);
}

static bool write_config(void *ctx, uint32_t offset, const uint8_t *data, uint32_t size)
{
	struct uml_device *device = ctx;
	struct keyboard *keyboard = device->ctx;

	return virtio_input_write_config(&keyboard->input, offset, data, size);
}

void keyboard_init(struct keyboard *keyboard, struct uml_bus *bus, struct card_clock *clock,
		   int listener, const struct input_script *script)
{
	*keyboard = (struct keyboard){ .clock = clock, .script = script };
	virtio_input_init(&keyboard->input, &identity);
	keyboard->step_event = (struct clock_event){ .fn = play_step, .ctx = keyboard };
	keyboard->device = (struct uml_device){
		.name = "keyboard",
		.listener = listener,
		.serve = kicked,
		.reset = reset,
		.ctx = keyboard,
	};
	uml_bus_add_device(bus, &keyboard->device);
	keyboard->device.vhost.read_config = read_config;
	keyboard->device.vhost.write_config = write_config;
}
