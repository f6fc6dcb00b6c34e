/* SPDX-License-Identifier: MIT */
/* A keyboard of the guest, a virtio-input device, that plays a file of key presses. */
#ifndef CARD_BUS_KEYBOARD_H
#define CARD_BUS_KEYBOARD_H

#include "bus/input_script.h"
#include "bus/uml.h"
#include "bus/virtio_input.h"
#include "clock/clock.h"

struct keyboard {
	struct virtio_input input;
	struct uml_device device;
	struct card_clock *clock;
	const struct input_script *script;
	unsigned int next; /* step of the script */
	bool started;      /* the guest's driver is ready since start_ns */
	uint64_t start_ns;
	struct clock_event step_event;
};

/**
 * keyboard_init - create a keyboard on @bus
 * @keyboard: must stay valid as long as @bus
 * @bus: the connection to the guest
 * @clock: the card's clock
 * @listener: listening socket of the device; taken over
 * @script: must stay valid as long as @bus
 */
void keyboard_init(struct keyboard *keyboard, struct uml_bus *bus, struct card_clock *clock,
		   int listener, const struct input_script *script);

#endif
