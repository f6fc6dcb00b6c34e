/* SPDX-License-Identifier: MIT */
/*
 * The card's plug into a User-Mode Linux guest: a vhost-user socket for the
 * PCI function and, in virtual time, a socket for the guest's clock. One guest
 * at a time; when it goes, the card is reset and waits for the next.
 *
 * In virtual time the guest only runs when told to, and everything the card
 * does on its own (interrupts, front-end polls, notifications) happens while
 * the guest stands still, as an event of the calendar.
 */
#ifndef CARD_BUS_UML_H
#define CARD_BUS_UML_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "bus/memory.h"
#include "clock/clock.h"

#define UML_BUS_FDS 8u

struct uml_bus;

struct uml_bus_options {
	int listener;      /* listening socket for the PCI function */
	int time_listener; /* listening socket for the guest's clock, virtual time only; else -1 */
	bool once;         /* finished when the first guest has gone */
	const volatile sig_atomic_t *stop; /* nonzero: the process shall end; may be NULL */
};

/** uml_bus_create - takes over the listening sockets. */
struct uml_bus *uml_bus_create(const struct uml_bus_options *options, struct card_clock *clock);
void uml_bus_destroy(struct uml_bus *bus);

/** uml_bus_host, uml_bus_memory - what board_create() needs. */
struct board_host uml_bus_host(struct uml_bus *bus);
const struct guest_memory *uml_bus_memory(const struct uml_bus *bus);

/** uml_bus_attach - plug the board in; before anything else is called. */
void uml_bus_attach(struct uml_bus *bus, struct board *board);

/** uml_bus_poll_fds - what to wait for, into @fds (room for UML_BUS_FDS); returns how many. */
unsigned int uml_bus_poll_fds(const struct uml_bus *bus, struct pollfd *fds);

/** uml_bus_dispatch - handle what poll() found in these @fds: connections, messages, kicks. */
void uml_bus_dispatch(struct uml_bus *bus, const struct pollfd *fds, unsigned int count);

/** uml_bus_serve - real time: carry out waiting register accesses; true if there were any. */
bool uml_bus_serve(struct uml_bus *bus);

/** uml_bus_pending - real time: whether uml_bus_serve() has something to do; reads guest memory only. */
bool uml_bus_pending(const struct uml_bus *bus);

/**
 * uml_bus_sleep - real time: whether the card may sleep until a descriptor is ready
 *
 * Asks the guest for kicks. If it returns false something arrived meanwhile.
 */
bool uml_bus_sleep(struct uml_bus *bus);

/** uml_bus_wake - the card is awake: no kicks are needed. */
void uml_bus_wake(struct uml_bus *bus);

/** uml_bus_finished - the only guest that was asked for has gone. */
bool uml_bus_finished(const struct uml_bus *bus);

/* ---- virtual time ---- */

/** uml_bus_guest_waits - whether the guest stands still; @request_ns: when it wants to go on (CARD_TIME_NEVER: not by itself). */
bool uml_bus_guest_waits(const struct uml_bus *bus, uint64_t *request_ns);

/** uml_bus_has_clock - whether a guest has connected to the time socket. */
bool uml_bus_has_clock(const struct uml_bus *bus);

/**
 * uml_bus_settle_time - make the card's time one that the waiting guest has not passed
 *
 * A guest that runs freely does not say how far it came; needed before
 * something happens that neither the guest nor the calendar caused.
 */
void uml_bus_settle_time(struct uml_bus *bus);

/** uml_bus_run_guest - let the guest go on at the card's time now. */
void uml_bus_run_guest(struct uml_bus *bus);

/**
 * uml_bus_on_kick - set who is told that the guest has accessed the card
 * @fn: called within the guest's kick; may only arm events of the calendar
 */
void uml_bus_on_kick(struct uml_bus *bus, void (*fn)(void *ctx), void *ctx);

#endif
