/* SPDX-License-Identifier: MIT */
/*
 * Types and functions shared by the files of the connection to a guest:
 *
 *  uml_bus.c         creation, the transport's table of functions
 *  uml_poll.c        descriptors, connects, messages that have arrived
 *  uml.c             reset, callbacks of the board, kicks, the two kinds of time
 *  uml_connection.c  errors of the sockets, notifications, waits for the guest's answers
 *
 * Each file calls only those below it in this list.
 */
#ifndef CARD_BUS_UML_INTERNAL_H
#define CARD_BUS_UML_INTERNAL_H

#include "bus/device.h"
#include "bus/pcidev.h"
#include "bus/timetravel.h"
#include "bus/uml.h"

#define RING_COMMANDS 0u
#define RING_INTERRUPTS 1u

struct uml_bus {
	struct bus bus; /* first: see uml_of() */
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
	struct bus_devices devices;
};

static inline struct uml_bus *uml_of(const struct bus *bus)
{
	return (struct uml_bus *)bus;
}

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

/** uml_init - initialise a bus whose bytes are zero */
void uml_init(struct uml_bus *bus, const struct uml_bus_options *options, struct card_clock *clock);

/* Functions of struct bus_operations */
void uml_destroy(struct bus *base);
struct board_host uml_host(struct bus *base);
const struct guest_memory *uml_memory(const struct bus *base);
void uml_attach(struct bus *base, struct board *board);
unsigned int uml_poll_fds(const struct bus *base, struct pollfd *fds);
void uml_dispatch(struct bus *base, const struct pollfd *fds, unsigned int count);
bool uml_serve(struct bus *base);
bool uml_pending(const struct bus *base);
bool uml_sleep(struct bus *base);
void uml_wake(struct bus *base);
bool uml_finished(const struct bus *base);
void uml_add_device(struct bus *base, struct bus_device *device);
void uml_call_device(struct bus_device *device, unsigned int ring);
bool uml_guest_waits(const struct bus *base, uint64_t *request_ns);
bool uml_has_clock(const struct bus *base);
void uml_settle_time(struct bus *base);
void uml_run_guest(struct bus *base);
void uml_on_kick(struct bus *base, void (*fn)(void *ctx), void *ctx);

#endif
