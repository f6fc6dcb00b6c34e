/* SPDX-License-Identifier: MIT */
/*
 * The connection to a User-Mode Linux guest: a vhost-user socket for the PCI function and, in
 * virtual time, a socket for the guest's clock. There is one guest at a time; after its
 * disconnect the card is reset and waits for the next.
 *
 * In virtual time the guest runs only with the card's permission. What the card does by itself
 * (interrupts, polls of the front end, notifications) are calendar events that run while the
 * guest is stopped.
 */
#ifndef CARD_BUS_UML_H
#define CARD_BUS_UML_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "bus/memory.h"
#include "bus/vhost_user.h"
#include "clock/clock.h"

#define UML_BUS_DEVICES 3u /* besides the PCI function */
#define UML_BUS_FDS (5u + UML_BUS_DEVICES * (2u + VHOST_USER_RINGS))

struct uml_bus;

struct uml_bus_options {
	int listener;      /* listening socket for the PCI function */
	int time_listener; /* listening socket for the guest's clock; -1 in real time */
	bool once;         /* end after the first guest */
	const volatile sig_atomic_t *stop; /* nonzero: the process has to end; may be NULL */
};

/*
 * A virtio device of the guest besides the PCI function, with a vhost-user socket of its own. It
 * comes and goes with the guest.
 */
struct uml_device {
	const char *name; /* for the log */
	int listener;
	/** @serve: there are new buffers; a calendar event, also in real time */
	void (*serve)(void *ctx);
	/** @reset: the guest has gone */
	void (*reset)(void *ctx);
	void *ctx; /* of these; vhost's functions get the device */
	struct vhost_user vhost;
	/* set by the bus */
	struct uml_bus *bus;
	struct clock_event serve_event;
	bool gone; /* the guest has closed the socket: clean up when no callback is active */
};

/** uml_bus_create - create the bus; takes over the listening sockets */
struct uml_bus *uml_bus_create(const struct uml_bus_options *options, struct card_clock *clock);
void uml_bus_destroy(struct uml_bus *bus);

/** uml_bus_host, uml_bus_memory - arguments for board_create() */
struct board_host uml_bus_host(struct uml_bus *bus);
const struct guest_memory *uml_bus_memory(const struct uml_bus *bus);

/** uml_bus_attach - connect the board; must precede all other calls */
void uml_bus_attach(struct uml_bus *bus, struct board *board);

/**
 * uml_bus_add_device - add a device; takes over its listening socket
 * @bus: the bus
 * @device: with name, listener, functions and context set; must stay valid until
 * uml_bus_destroy(). Configuration space is set in its vhost afterwards.
 */
void uml_bus_add_device(struct uml_bus *bus, struct uml_device *device);

/**
 * uml_device_wake - let the device's serve function run as a calendar event, at once
 *
 * In virtual time, for when the guest is stopped.
 */
void uml_device_wake(struct uml_device *device);

/**
 * uml_device_call - notify the guest that @ring has used chains
 *
 * For calendar events only. The connection's rings may be unusable afterwards.
 */
void uml_device_call(struct uml_device *device, unsigned int ring);

/**
 * uml_bus_poll_fds - file descriptors to poll, in @fds (room for UML_BUS_FDS); returns their
 * number
 */
unsigned int uml_bus_poll_fds(const struct uml_bus *bus, struct pollfd *fds);

/** uml_bus_dispatch - process these @fds after poll(): connections, messages, kicks */
void uml_bus_dispatch(struct uml_bus *bus, const struct pollfd *fds, unsigned int count);

/** uml_bus_serve - real time: execute waiting register accesses; true if there were any */
bool uml_bus_serve(struct uml_bus *bus);

/**
 * uml_bus_pending - real time: whether uml_bus_serve() has something to do; only reads guest
 * memory
 */
bool uml_bus_pending(const struct uml_bus *bus);

/**
 * uml_bus_sleep - real time: prepare to sleep until a descriptor is ready
 *
 * Enables the guest's kicks.
 *
 * Returns: false if something has arrived meanwhile.
 */
bool uml_bus_sleep(struct uml_bus *bus);

/** uml_bus_wake - the card is awake: disable kicks */
void uml_bus_wake(struct uml_bus *bus);

/** uml_bus_finished - whether the only guest to be served (uml_bus_options.once) has gone */
bool uml_bus_finished(const struct uml_bus *bus);

/* ---- virtual time ---- */

/**
 * uml_bus_guest_waits - whether the guest is stopped; @request_ns receives when it wants to
 * continue (CARD_TIME_NEVER: not by itself)
 */
bool uml_bus_guest_waits(const struct uml_bus *bus, uint64_t *request_ns);

/** uml_bus_has_clock - whether a guest has connected to the time socket. */
bool uml_bus_has_clock(const struct uml_bus *bus);

/**
 * uml_bus_settle_time - set the card's time to one that the stopped guest has not passed
 *
 * A guest that runs without requests does not report its time. Must be called before external
 * events are processed.
 */
void uml_bus_settle_time(struct uml_bus *bus);

/** uml_bus_run_guest - permit the guest to run from the card's current time on */
void uml_bus_run_guest(struct uml_bus *bus);

/**
 * uml_bus_on_kick - set the function that is called when the guest has accessed the card
 * @fn: called within the guest's kick; may only arm calendar events
 * @ctx: passed to @fn
 */
void uml_bus_on_kick(struct uml_bus *bus, void (*fn)(void *ctx), void *ctx);

#endif
