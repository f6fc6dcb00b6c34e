/* SPDX-License-Identifier: MIT */
/*
 * Connections of the guest's virtio devices other than the PCI function (struct bus_device): what
 * is the same for all transports. Each device has a vhost-user socket of its own.
 */
#ifndef CARD_BUS_DEVICE_H
#define CARD_BUS_DEVICE_H

#include <poll.h>
#include <stdbool.h>

#include "bus/bus.h"

struct bus_devices {
	struct bus_device *device[BUS_DEVICES];
	unsigned int count;
};

/** bus_log - write a message to the card's log; @detail may be NULL */
void bus_log(const char *what, const char *detail);

/** bus_guest_problem - why a connection has to end, for the log; @status is not VHOST_USER_OK */
const char *bus_guest_problem(enum vhost_user_status status, const struct vhost_user *vhost);

/** bus_devices_add - add a device of @bus, at most BUS_DEVICES; @inband as in struct vhost_user */
void bus_devices_add(struct bus_devices *devices, struct bus *bus, struct card_clock *clock,
		     struct bus_device *device, bool inband);

/** bus_devices_poll_fds - append the devices' descriptors; returns the new number of @fds */
unsigned int bus_devices_poll_fds(const struct bus_devices *devices, struct pollfd *fds,
				  unsigned int count);

/** bus_devices_dispatch - process the readable descriptor @fd, if it is one of the devices' */
void bus_devices_dispatch(struct bus_devices *devices, int fd);

/** bus_device_check - record that the connection has to end, unless @status is VHOST_USER_OK */
void bus_device_check(struct bus_device *device, enum vhost_user_status status);

/** bus_devices_clean_up - end connections that have to end, or @all; not for use in callbacks */
void bus_devices_clean_up(struct bus_devices *devices, bool all);

/** bus_devices_close - end the connections and close the listening sockets */
void bus_devices_close(struct bus_devices *devices);

/**
 * bus_add_connection - append the descriptors of a connection, or @listener if there is none
 *
 * Returns: the new number of @fds.
 */
unsigned int bus_add_connection(struct pollfd *fds, unsigned int count,
				const struct vhost_user *vhost, int listener);

/** bus_add_fd - append @fd unless it is negative; returns the new number of @fds */
unsigned int bus_add_fd(struct pollfd *fds, unsigned int count, int fd);

#endif
