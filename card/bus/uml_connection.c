// SPDX-License-Identifier: MIT
/* The connection to a guest: errors of its sockets, notifications, and waits for its answers. */
#include "bus/uml_internal.h"

/* Interval at which a wait for the guest checks whether the process has to end. */
#define WAIT_MS 200

void uml_disconnect_guest(struct uml_bus *bus, const char *reason)
{
	if (!bus->pulled)
		bus->reason = reason;
	bus->pulled = true;
	bus->pci.unplugged = true;
}

void uml_check_vhost(struct uml_bus *bus, enum vhost_user_status status)
{
	if (status != VHOST_USER_OK)
		uml_disconnect_guest(bus, bus_guest_problem(status, &bus->vhost));
}

void uml_check_time(struct uml_bus *bus, enum timetravel_status status)
{
	if (status == TIMETRAVEL_OK)
		return;
	if (status == TIMETRAVEL_ERROR && bus->time.problem)
		bus_log("guest's clock", bus->time.problem);
	timetravel_close(&bus->time);
	uml_disconnect_guest(bus, "it disconnected");
}

/* ---- waiting for the guest, virtual time only ---- */

static bool should_stop(const struct uml_bus *bus)
{
	return bus->options.stop && *bus->options.stop;
}

/*
 * Wait until the guest has answered the notifications, for which it requests the time and to run;
 * in real time none needs an answer. Messages about rings and memory are not processed here, since
 * callers may be using these.
 */
static enum vhost_user_status wait_for_call_answers(struct uml_bus *bus, struct vhost_user *vhost)
{
	enum vhost_user_status status = VHOST_USER_OK;

	while (vhost->calls_unanswered && !bus->pulled && !should_stop(bus) &&
	       status == VHOST_USER_OK) {
		struct pollfd fds[] = {
			{ .fd = vhost->backend_fd, .events = POLLIN },
			{ .fd = bus->time.fd, .events = POLLIN },
			{ .fd = vhost->fd }, /* hang-up only */
		};

		if (poll(fds, 3, WAIT_MS) <= 0)
			continue;
		if (fds[1].revents)
			uml_check_time(bus, timetravel_receive(&bus->time));
		if (fds[0].revents && !bus->pulled)
			status = vhost_user_receive_backend(vhost);
		else if (fds[2].revents)
			status = VHOST_USER_CLOSED;
	}
	return status;
}

/* Wait until the guest has acknowledged the time messages. */
static void wait_for_time_answers(struct uml_bus *bus)
{
	while (timetravel_is_open(&bus->time) && bus->time.unanswered && !should_stop(bus)) {
		struct pollfd fds = { .fd = bus->time.fd, .events = POLLIN };

		if (poll(&fds, 1, WAIT_MS) > 0)
			uml_check_time(bus, timetravel_receive(&bus->time));
	}
}

void uml_call(struct uml_bus *bus, unsigned int ring)
{
	uml_check_vhost(bus, vhost_user_call(&bus->vhost, ring));
	uml_check_vhost(bus, wait_for_call_answers(bus, &bus->vhost));
}

void uml_call_device(struct bus_device *device, unsigned int ring)
{
	bus_device_check(device, vhost_user_call(&device->vhost, ring));
	bus_device_check(device, wait_for_call_answers(uml_of(device->bus), &device->vhost));
}

void uml_limit_guest(struct uml_bus *bus)
{
	uint64_t next = clock_next(bus->clock);

	if (bus->time.waiting || next >= bus->time.free_until_ns)
		return;
	uml_check_time(bus, timetravel_limit(&bus->time, next));
	wait_for_time_answers(bus);
}
