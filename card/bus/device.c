// SPDX-License-Identifier: MIT
/* Virtio devices of a guest: their descriptors, connects, messages, and ends. */
#include "bus/device.h"

#include <stdio.h>
#include <unistd.h>

#include "bus/unix_socket.h"

void bus_log(const char *what, const char *detail)
{
	fprintf(stderr, "vivgpu-card: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
}

const char *bus_guest_problem(enum vhost_user_status status, const struct vhost_user *vhost)
{
	if (status == VHOST_USER_CLOSED)
		return "it disconnected";
	return vhost->problem ? vhost->problem : "it does not take messages";
}

void bus_device_check(struct bus_device *device, enum vhost_user_status status)
{
	if (status == VHOST_USER_OK)
		return;
	if (status == VHOST_USER_ERROR && !device->gone)
		bus_log(device->name, bus_guest_problem(status, &device->vhost));
	device->gone = true;
}

/* ---- beginning and end ---- */

static void serve_device(void *ctx)
{
	struct bus_device *device = ctx;

	if (!device->gone)
		device->serve(device->ctx);
}

void bus_wake_device(struct bus_device *device)
{
	clock_arm(device->clock, &device->serve_event, clock_now(device->clock));
}

void bus_devices_add(struct bus_devices *devices, struct bus *bus, struct card_clock *clock,
		     struct bus_device *device, bool inband)
{
	device->bus = bus;
	device->clock = clock;
	device->serve_event = (struct clock_event){ .fn = serve_device, .ctx = device };
	vhost_user_init(&device->vhost, inband);
	device->vhost.ctx = device;
	devices->device[devices->count++] = device;
}

static void close_device(struct bus_device *device)
{
	vhost_user_close(&device->vhost);
	clock_disarm(device->clock, &device->serve_event);
	device->reset(device->ctx);
	device->gone = false;
}

void bus_devices_clean_up(struct bus_devices *devices, bool all)
{
	for (unsigned int i = 0; i < devices->count; i++)
		if (all || devices->device[i]->gone)
			close_device(devices->device[i]);
}

void bus_devices_close(struct bus_devices *devices)
{
	bus_devices_clean_up(devices, true);
	for (unsigned int i = 0; i < devices->count; i++)
		close(devices->device[i]->listener);
}

/* ---- descriptors ---- */

unsigned int bus_add_fd(struct pollfd *fds, unsigned int count, int fd)
{
	if (fd >= 0)
		fds[count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return count;
}

unsigned int bus_add_connection(struct pollfd *fds, unsigned int count,
				const struct vhost_user *vhost, int listener)
{
	if (!vhost_user_is_open(vhost))
		return bus_add_fd(fds, count, listener);
	count = bus_add_fd(fds, count, vhost->fd);
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
		count = bus_add_fd(fds, count, vhost->kick_fd[i]);
	return count;
}

unsigned int bus_devices_poll_fds(const struct bus_devices *devices, struct pollfd *fds,
				  unsigned int count)
{
	for (unsigned int i = 0; i < devices->count; i++)
		count = bus_add_connection(fds, count, &devices->device[i]->vhost,
					   devices->device[i]->listener);
	return count;
}

/* There is no connection: the listening socket is polled only then (bus_add_connection()). */
static void accept_device(struct bus_device *device)
{
	int fd = unix_socket_accept(device->listener);

	if (fd >= 0)
		vhost_user_open(&device->vhost, fd);
}

static void receive_from_device(struct bus_device *device)
{
	uint64_t refused = device->vhost.refused;

	bus_device_check(device, vhost_user_receive(&device->vhost));
	if (device->vhost.refused != refused)
		bus_log(device->name, device->vhost.problem);
}

static void dispatch_device(struct bus_device *device, int fd)
{
	if (fd == device->listener)
		accept_device(device);
	else if (fd == device->vhost.fd)
		receive_from_device(device);
	for (unsigned int i = 0; i < VHOST_USER_RINGS; i++) {
		if (fd != device->vhost.kick_fd[i])
			continue;
		vhost_user_drain_kick(&device->vhost, i);
		bus_wake_device(device);
	}
}

void bus_devices_dispatch(struct bus_devices *devices, int fd)
{
	for (unsigned int i = 0; i < devices->count; i++)
		dispatch_device(devices->device[i], fd);
}
