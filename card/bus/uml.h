/* SPDX-License-Identifier: MIT */
/*
 * The connection to a User-Mode Linux guest: a vhost-user socket for the PCI function and, in
 * virtual time, a socket for the guest's clock.
 *
 * In virtual time the guest runs only with the card's permission. What the card does by itself
 * (interrupts, polls of the core's command loop, notifications) are calendar events that
 * run while the guest is stopped.
 */
#ifndef CARD_BUS_UML_H
#define CARD_BUS_UML_H

#include <signal.h>
#include <stdbool.h>

#include "bus/bus.h"
#include "clock/clock.h"

struct uml_bus_options {
	int listener;      /* listening socket for the PCI function */
	int time_listener; /* listening socket for the guest's clock; -1 in real time */
	bool once;         /* end after the first guest */
	const volatile sig_atomic_t *stop; /* nonzero: the process has to end; may be NULL */
};

/** uml_bus_create - create the bus; takes over the listening sockets; NULL if out of memory */
struct bus *uml_bus_create(const struct uml_bus_options *options, struct card_clock *clock);

#endif
