// SPDX-License-Identifier: MIT
/* The connection to a guest: descriptors to poll, connects, and messages that have arrived. */
#include <unistd.h>

#include "bus/uml_internal.h"
#include "bus/unix_socket.h"

unsigned int uml_poll_fds(const struct bus *base, struct pollfd *fds)
{
	const struct uml_bus *bus = uml_of(base);
	unsigned int count = 0;

	if (bus->virtual_time)
		count = bus_add_fd(fds, count,
				   timetravel_is_open(&bus->time) ? bus->time.fd
								  : bus->options.time_listener);
	count = bus_add_connection(fds, count, &bus->vhost, bus->options.listener);
	return bus_devices_poll_fds(&bus->devices, fds, count);
}

static void accept_clock(struct uml_bus *bus)
{
	int fd = unix_socket_accept(bus->options.time_listener);

	if (fd < 0)
		return;
	timetravel_open(&bus->time, fd);
}

static void accept_guest(struct uml_bus *bus)
{
	int fd = unix_socket_accept(bus->options.listener);

	if (fd < 0)
		return;
	if (bus->virtual_time && !timetravel_is_open(&bus->time)) {
		bus_log("guest refused", "it was not started with time-travel=ext:SOCKET");
		close(fd);
		return;
	}
	vhost_user_open(&bus->vhost, fd);
	bus->guests++;
	bus_log("guest connected", NULL);
}

static void receive_from_guest(struct uml_bus *bus)
{
	uint64_t refused = bus->vhost.refused;

	uml_check_vhost(bus, vhost_user_receive(&bus->vhost));
	bus->had_guest |= bus->vhost.messages > 0;
	if (bus->vhost.refused != refused)
		bus_log("guest's message refused", bus->vhost.problem);
}

static void receive_time(struct uml_bus *bus)
{
	uml_check_time(bus, timetravel_receive(&bus->time));
	bus->had_guest |= bus->time.messages > 0;
}

/* PCI's kicks only wake the loop, which calls uml_serve(); in virtual time they are messages. */
static void dispatch_one(struct uml_bus *bus, int fd)
{
	if (fd == bus->options.time_listener)
		accept_clock(bus);
	else if (fd == bus->options.listener)
		accept_guest(bus);
	else if (fd == bus->time.fd)
		receive_time(bus);
	else if (fd == bus->vhost.fd)
		receive_from_guest(bus);
	else
		for (unsigned int i = 0; i < VHOST_USER_RINGS; i++)
			if (fd == bus->vhost.kick_fd[i])
				vhost_user_drain_kick(&bus->vhost, i);
	bus_devices_dispatch(&bus->devices, fd);
}

/* The descriptors after one that ends the connection are left: they may be of that connection. */
void uml_dispatch(struct bus *base, const struct pollfd *fds, unsigned int count)
{
	struct uml_bus *bus = uml_of(base);

	for (unsigned int i = 0; i < count && !bus->pulled; i++)
		if (fds[i].revents)
			dispatch_one(bus, fds[i].fd);
	uml_clean_up(bus);
}
