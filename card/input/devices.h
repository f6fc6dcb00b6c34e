/* SPDX-License-Identifier: MIT */
/* Keyboard, mouse and touch screen of the guest: virtio-input devices that report actions. */
#ifndef CARD_INPUT_DEVICES_H
#define CARD_INPUT_DEVICES_H

#include "bus/bus.h"
#include "bus/virtio_input.h"
#include "clock/clock.h"
#include "input/script.h"
#include "input/translate.h"

struct input_port {
	struct input_devices *devices;
	struct virtio_input input;
	struct bus_device device;
	bool ready; /* the guest's driver has offered buffers */
};

struct input_devices {
	struct input_port port[INPUT_DEVICES];
	struct input_state state;
	struct input_screen screen;
	struct card_clock *clock;
	const struct input_script *script;
	unsigned int next; /* step of the script */
	uint64_t start_ns; /* since when all devices are ready */
	struct clock_event step_event;
};

/* A device's socket has the name of the PCI function's with this suffix. */
extern const char *const input_socket_suffix[INPUT_DEVICES];

/**
 * input_devices_init - create the devices on @bus
 * @devices: must stay valid as long as @bus
 * @bus: the connection to the guest
 * @clock: the card's clock
 * @listener: listening sockets of the devices; taken over
 * @script: actions to play, from when all devices are ready; may be empty; must stay valid as long
 * as @bus
 * @screen: size of the screen, for commands
 */
void input_devices_init(struct input_devices *devices, struct bus *bus, struct card_clock *clock,
			const int listener[INPUT_DEVICES], const struct input_script *script,
			const struct input_screen *screen);

/**
 * input_devices_perform - report an action to the guest
 * @devices: the devices
 * @action: a valid one (input_action_valid())
 *
 * In virtual time only while the guest is stopped. Without a guest whose driver is ready the action
 * is ignored.
 */
void input_devices_perform(struct input_devices *devices, const struct input_action *action);

/**
 * input_devices_command - parse an action and perform it, for the control protocol
 * @ctx: the struct input_devices
 * @words: its words, the last followed by NULL
 *
 * Returns: NULL, or an error message that continues a sentence such as "the action ...".
 */
const char *input_devices_command(void *ctx, char *const words[]);

#endif
