// SPDX-License-Identifier: MIT
/* The transport of User-Mode Linux: its creation and table of functions. */
#include "bus/uml.h"

#include <stdlib.h>

#include "bus/uml_internal.h"

static const struct bus_operations operations = {
	.destroy = uml_destroy,
	.host = uml_host,
	.memory = uml_memory,
	.attach = uml_attach,
	.poll_fds = uml_poll_fds,
	.dispatch = uml_dispatch,
	.serve = uml_serve,
	.pending = uml_pending,
	.sleep = uml_sleep,
	.wake = uml_wake,
	.finished = uml_finished,
	.add_device = uml_add_device,
	.call_device = uml_call_device,
	.guest_waits = uml_guest_waits,
	.has_clock = uml_has_clock,
	.settle_time = uml_settle_time,
	.run_guest = uml_run_guest,
	.on_kick = uml_on_kick,
};

struct bus *uml_bus_create(const struct uml_bus_options *options, struct card_clock *clock)
{
	struct uml_bus *bus = calloc(1, sizeof(*bus));

	if (!bus)
		return NULL;
	bus->bus.operations = &operations;
	uml_init(bus, options, clock);
	return &bus->bus;
}
