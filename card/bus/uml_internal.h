/* SPDX-License-Identifier: MIT */
/*
 * Types and functions shared by the files of the connection to a guest:
 *
 *  uml_poll.c        descriptors, connects, messages that have arrived
 *  uml.c             creation and reset, callbacks of the board, kicks, the two kinds of time
 *  uml_connection.c  errors of the sockets, notifications, waits for the guest's answers
 *
 * Each file calls only those below it in this list.
 */
#ifndef CARD_BUS_UML_INTERNAL_H
#define CARD_BUS_UML_INTERNAL_H

#include "bus/pcidev.h"
#include "bus/timetravel.h"
#include "bus/uml.h"

#define RING_COMMANDS 0u
#define RING_INTERRUPTS 1u

struct uml_bus {
	struct uml_bus_options options;
	struct card_clock *clock;
	struct board *board;
	struct vhost_user vhost;
	struct timetravel time;
	struct pcidev pci;
	bool virtual_time;
	bool had_guest; /* a guest that sent a message, not only a connection */
	bool pulled;    /* unplugged, or the guest has gone: clean up when no callback is active */
	const char *reason; /* reason for that, for the log */
	void (*on_kick)(void *ctx);
	void *on_kick_ctx;
	struct clock_event notify_event; /* virtual time: notifications caused by a kick */
	uint64_t guests;
	struct uml_device *device[UML_BUS_DEVICES];
	unsigned int devices;
};

/** uml_log - write a message to the card's log; @detail may be NULL */
void uml_log(const char *what, const char *detail);

/**
 * uml_disconnect_guest - record that the connection has to end
 *
 * uml_clean_up() ends it, since callers may be inside the card's callbacks.
 */
void uml_disconnect_guest(struct uml_bus *bus, const char *reason);

/** uml_check_vhost - disconnect the guest if @status is an error */
void uml_check_vhost(struct uml_bus *bus, enum vhost_user_status status);

/**
 * uml_check_time - disconnect the guest if @status of its clock's socket is an error
 *
 * Without its clock the guest cannot continue, so this ends the whole connection.
 */
void uml_check_time(struct uml_bus *bus, enum timetravel_status status);

/** uml_check_device - record that a device's connection has to end if @status is an error */
void uml_check_device(struct uml_device *device, enum vhost_user_status status);

/** uml_call - notify the guest that @ring has used chains; virtual time: wait for its answer */
void uml_call(struct uml_bus *bus, unsigned int ring);

/**
 * uml_limit_guest - virtual time: reduce the time up to which a guest stopped in a kick may run
 *
 * The guest's access may have made the card's next event earlier than that time.
 */
void uml_limit_guest(struct uml_bus *bus);

/**
 * uml_clean_up - reset the card if the connection has ended; not for use in callbacks
 *
 * Resets it once, whichever of the guest's two sockets closes first.
 */
void uml_clean_up(struct uml_bus *bus);

#endif
