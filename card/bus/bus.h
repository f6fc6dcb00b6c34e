/* SPDX-License-Identifier: MIT */
/*
 * What the card needs of a transport, the connection between a guest and the card: accesses to the
 * PCI function, interrupts, guest memory, and in virtual time the guest's clock. There is one guest
 * at a time; after its disconnect the card is reset and waits for the next.
 *
 * A transport embeds struct bus as its first member and fills in a table of functions. Transports:
 * bus/uml.h (User-Mode Linux) and bus/vfio_user.h (QEMU).
 */
#ifndef CARD_BUS_BUS_H
#define CARD_BUS_BUS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "bus/memory.h"
#include "bus/vhost_user.h"
#include "clock/clock.h"

#define BUS_DEVICES 3u /* besides the PCI function */
/* At least as many as bus_poll_fds() gives: those of a device are its socket and its kicks. */
#define BUS_FDS (5u + BUS_DEVICES * (2u + VHOST_USER_RINGS))

struct bus;

/*
 * A virtio device of the guest besides the PCI function, with a vhost-user socket of its own. It
 * comes and goes with the guest.
 */
struct bus_device {
	const char *name; /* for the log */
	int listener;
	/** @serve: there are new buffers; a calendar event, also in real time */
	void (*serve)(void *ctx);
	/** @reset: the guest has gone */
	void (*reset)(void *ctx);
	void *ctx; /* of these; vhost's functions get the device */
	struct vhost_user vhost;
	/* set by the bus */
	struct bus *bus;
	struct card_clock *clock;
	struct clock_event serve_event;
	bool gone; /* the connection has to end: clean up when no callback is active */
};

/* Functions of a transport; those below describe them. */
struct bus_operations {
	void (*destroy)(struct bus *bus);
	struct board_host (*host)(struct bus *bus);
	const struct guest_memory *(*memory)(const struct bus *bus);
	void (*attach)(struct bus *bus, struct board *board);
	unsigned int (*poll_fds)(const struct bus *bus, struct pollfd *fds);
	void (*dispatch)(struct bus *bus, const struct pollfd *fds, unsigned int count);
	bool (*serve)(struct bus *bus);
	bool (*pending)(const struct bus *bus);
	bool (*sleep)(struct bus *bus);
	void (*wake)(struct bus *bus);
	bool (*finished)(const struct bus *bus);

	/* Further devices */
	void (*add_device)(struct bus *bus, struct bus_device *device);
	void (*call_device)(struct bus_device *device, unsigned int ring);

	/* Virtual time; NULL: the transport has only real time */
	bool (*guest_waits)(const struct bus *bus, uint64_t *request_ns);
	bool (*has_clock)(const struct bus *bus);
	void (*settle_time)(struct bus *bus);
	void (*run_guest)(struct bus *bus);
	void (*on_kick)(struct bus *bus, void (*fn)(void *ctx), void *ctx);
};

struct bus {
	const struct bus_operations *operations;
};

/** bus_destroy - end the connection and free the bus; NULL is ignored */
static inline void bus_destroy(struct bus *bus)
{
	if (bus)
		bus->operations->destroy(bus);
}

/** bus_host, bus_memory - arguments for board_create() */
static inline struct board_host bus_host(struct bus *bus)
{
	return bus->operations->host(bus);
}

static inline const struct guest_memory *bus_memory(const struct bus *bus)
{
	return bus->operations->memory(bus);
}

/** bus_attach - connect the board; must precede all calls below but bus_add_device() */
static inline void bus_attach(struct bus *bus, struct board *board)
{
	bus->operations->attach(bus, board);
}

/** bus_poll_fds - file descriptors to poll, in @fds (room for BUS_FDS); returns their number */
static inline unsigned int bus_poll_fds(const struct bus *bus, struct pollfd *fds)
{
	return bus->operations->poll_fds(bus, fds);
}

/** bus_dispatch - process these @fds after poll(): connections, messages, kicks */
static inline void bus_dispatch(struct bus *bus, const struct pollfd *fds, unsigned int count)
{
	bus->operations->dispatch(bus, fds, count);
}

/**
 * bus_serve - real time: execute waiting register accesses
 *
 * Returns: true if there were any; with vfio-user also if the guest has gone.
 */
static inline bool bus_serve(struct bus *bus)
{
	return bus->operations->serve(bus);
}

/** bus_pending - real time: whether bus_serve() has something to do; changes nothing */
static inline bool bus_pending(const struct bus *bus)
{
	return bus->operations->pending(bus);
}

/**
 * bus_sleep - real time: prepare to sleep until a descriptor is ready
 *
 * Lets the guest notify the card of register accesses.
 *
 * Returns: false if something has arrived meanwhile.
 */
static inline bool bus_sleep(struct bus *bus)
{
	return bus->operations->sleep(bus);
}

/** bus_wake - the card is awake and needs no notifications */
static inline void bus_wake(struct bus *bus)
{
	bus->operations->wake(bus);
}

/** bus_finished - whether the only guest to be served (an option of the transport) has gone */
static inline bool bus_finished(const struct bus *bus)
{
	return bus->operations->finished(bus);
}

/* ---- further devices ---- */

/**
 * bus_add_device - add a device; takes over its listening socket
 * @bus: the bus
 * @device: with name, listener, functions and context set; must stay valid until bus_destroy().
 * Configuration space is set in its vhost afterwards.
 */
static inline void bus_add_device(struct bus *bus, struct bus_device *device)
{
	bus->operations->add_device(bus, device);
}

/**
 * bus_wake_device - let the device's serve function run as a calendar event, at once
 *
 * In virtual time only while the guest is stopped: one that runs may be past the event already.
 */
void bus_wake_device(struct bus_device *device);

/**
 * bus_call_device - notify the guest that @ring has used chains
 *
 * For calendar events only. The connection's rings may be unusable afterwards.
 */
static inline void bus_call_device(struct bus_device *device, unsigned int ring)
{
	device->bus->operations->call_device(device, ring);
}

/* ---- virtual time ---- */

/**
 * bus_guest_waits - whether the guest is stopped; @request_ns receives when it wants to continue
 * (CARD_TIME_NEVER: not by itself)
 */
static inline bool bus_guest_waits(const struct bus *bus, uint64_t *request_ns)
{
	return bus->operations->guest_waits(bus, request_ns);
}

/** bus_has_clock - whether a guest has connected its clock */
static inline bool bus_has_clock(const struct bus *bus)
{
	return bus->operations->has_clock(bus);
}

/**
 * bus_settle_time - set the card's time to one that the stopped guest has not passed
 *
 * A guest that runs without requests does not report its time. Must be called before external
 * events are processed.
 */
static inline void bus_settle_time(struct bus *bus)
{
	bus->operations->settle_time(bus);
}

/** bus_run_guest - permit the guest to run from the card's current time on */
static inline void bus_run_guest(struct bus *bus)
{
	bus->operations->run_guest(bus);
}

/**
 * bus_on_kick - set the function that is called when the guest has accessed the card
 * @fn: called within the guest's kick; may only arm calendar events
 * @ctx: passed to @fn
 */
static inline void bus_on_kick(struct bus *bus, void (*fn)(void *ctx), void *ctx)
{
	bus->operations->on_kick(bus, fn, ctx);
}

#endif
