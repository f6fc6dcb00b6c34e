/* SPDX-License-Identifier: MIT */
/*
 * The connection to a guest of QEMU, or of another client of the vfio-user protocol: one unix
 * socket for register accesses, interrupts and guest memory; further devices are
 * vhost-user-input-pci of QEMU. Real time only.
 *
 * Clients are not trusted. Each message is checked (bus/vfio_message.h); an invalid one is answered
 * with an error and has no effect. One that leaves the stream without meaning ends the connection,
 * as does a client that does not read its replies.
 */
#ifndef CARD_BUS_VFIO_USER_H
#define CARD_BUS_VFIO_USER_H

#include <stdbool.h>

#include "bus/bus.h"
#include "clock/clock.h"

struct vfio_user_options {
	int listener;  /* listening socket */
	bool once;     /* end after the first guest */
	bool platform; /* the function is for a device tree, see pci_config_be_platform() */
};

/** vfio_user_create - create the bus; takes over the listening socket; NULL if out of memory */
struct bus *vfio_user_create(const struct vfio_user_options *options, struct card_clock *clock);

#endif
