// SPDX-License-Identifier: MIT
/* The input devices: each action is a report in a queue that a calendar event delivers. */
#include "input/devices.h"

#include <string.h>

const char *const input_socket_suffix[INPUT_DEVICES] = { ".keyboard", ".mouse", ".touch" };

/* Deliver what the guest has buffers for. Each call may end the connection. */
static void deliver(struct input_port *port)
{
	struct vhost_user *vhost = &port->device.vhost;

	if (virtio_input_take_status(&port->input, &vhost->ring[VIRTIO_INPUT_STATUS],
				     &vhost->memory))
		bus_call_device(&port->device, VIRTIO_INPUT_STATUS);
	if (!port->device.gone &&
	    virtio_input_deliver(&port->input, &vhost->ring[VIRTIO_INPUT_EVENTS], &vhost->memory))
		bus_call_device(&port->device, VIRTIO_INPUT_EVENTS);
}

/* Report an action of one device. The state follows also if the device does not report it. */
static void report_action(struct input_devices *devices, const struct input_action *action)
{
	struct input_report report;
	struct input_port *port;

	input_translate(&devices->state, action, &report);
	port = &devices->port[report.device];
	if (!report.count || !port->ready || port->device.gone)
		return;
	virtio_input_report(&port->input, report.event, report.count);
	bus_wake_device(&port->device);
}

void input_devices_perform(struct input_devices *devices, const struct input_action *action)
{
	struct input_action release;

	if (action->kind != INPUT_RELEASE_ALL)
		report_action(devices, action);
	else /* ends, as each report updates the state */
		while (input_next_release(&devices->state, &release))
			report_action(devices, &release);
}

const char *input_devices_command(void *ctx, char *const words[])
{
	struct input_devices *devices = ctx;
	struct input_action action;
	const char *problem = input_parse(words, &devices->screen, &action);

	if (!problem)
		input_devices_perform(devices, &action);
	return problem;
}

/* ---- the script ---- */

static void arm_next_step(struct input_devices *devices)
{
	const struct input_script *script = devices->script;

	if (devices->next < script->count)
		clock_arm(devices->clock, &devices->step_event,
			  devices->start_ns + script->step[devices->next].time_ns);
}

static void play_step(void *ctx)
{
	struct input_devices *devices = ctx;

	input_devices_perform(devices, &devices->script->step[devices->next++].action);
	arm_next_step(devices);
}

static bool all_ready(const struct input_devices *devices)
{
	for (unsigned int i = 0; i < INPUT_DEVICES; i++)
		if (!devices->port[i].ready)
			return false;
	return true;
}

/* ---- functions that the bus calls ---- */

/* The first call is due to a kick by the driver: report_action() wakes ready devices only. */
static void serve(void *ctx)
{
	struct input_port *port = ctx;

	if (!port->ready) {
		port->ready = true;
		if (all_ready(port->devices)) {
			port->devices->start_ns = clock_now(port->devices->clock);
			arm_next_step(port->devices);
		}
	}
	deliver(port);
}

/*
 * A device's connection has ended. The script stops, for all devices, and begins anew when all are
 * ready again; nothing is pressed.
 */
static void reset(void *ctx)
{
	struct input_port *port = ctx;
	struct input_devices *devices = port->devices;

	virtio_input_reset(&port->input);
	port->ready = false;
	clock_disarm(devices->clock, &devices->step_event);
	devices->next = 0;
	devices->state = (struct input_state){ 0 };
}

static void read_config(void *ctx, uint32_t offset, uint8_t *data, uint32_t size)
{
	struct bus_device *device = ctx;
	struct input_port *port = device->ctx;

	virtio_input_read_config(&port->input, offset, data, size);
}

static bool write_config(void *ctx, uint32_t offset, const uint8_t *data, uint32_t size)
{
	struct bus_device *device = ctx;
	struct input_port *port = device->ctx;

	return virtio_input_write_config(&port->input, offset, data, size);
}

static void init_port(struct input_port *port, struct bus *bus, int listener,
		      const struct virtio_input_identity *identity)
{
	virtio_input_init(&port->input, identity);
	port->device = (struct bus_device){
		.name = identity->name,
		.listener = listener,
		.serve = serve,
		.reset = reset,
		.ctx = port,
	};
	bus_add_device(bus, &port->device);
	port->device.vhost.read_config = read_config;
	port->device.vhost.write_config = write_config;
}

void input_devices_init(struct input_devices *devices, struct bus *bus, struct card_clock *clock,
			const int listener[INPUT_DEVICES], const struct input_script *script,
			const struct input_screen *screen)
{
	memset(devices, 0, sizeof(*devices));
	devices->clock = clock;
	devices->script = script;
	devices->screen = *screen;
	devices->step_event = (struct clock_event){ .fn = play_step, .ctx = devices };
	for (unsigned int i = 0; i < INPUT_DEVICES; i++) {
		devices->port[i].devices = devices;
		init_port(&devices->port[i], bus, listener[i], input_identity(i));
	}
}
