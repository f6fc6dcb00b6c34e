/* SPDX-License-Identifier: MIT */
/*
 * The card's event loop: one thread that serves the bus, runs due events of the calendar, lets
 * the GPU work, and sleeps if there is nothing to do.
 */
#ifndef CARD_LOOP_H
#define CARD_LOOP_H

#include <signal.h>
#include <stdint.h>

#include "board/board.h"
#include "board/control_server.h"
#include "bus/bus.h"
#include "clock/clock.h"
#include "dc/view.h"
#include "input/devices.h"

struct loop {
	struct card_clock *clock;
	struct bus *bus;
	struct board *board;
	struct control_server *control;
	struct view *view; /* its user acts on @input; NULL: no view, or no input devices */
	struct input_devices *input;
	uint64_t poll_ns; /* polling interval of the core's front end when it is idle */
	uint64_t spin_ns; /* real time: time without work before the card sleeps */
	const volatile sig_atomic_t *stop;

	/* real time */
	uint64_t last_busy_ns, last_poll_ns; /* last time with work; last poll of descriptors */
	uint64_t sleeps, polls;              /* statistics */

	/* virtual time */
	struct clock_event poll_event; /* next poll of the front end's idle loop */
	uint64_t passed_ns; /* time at which the calendar was last run, plus 1; 0: it was not */
};

/** loop_init - initialise; the caller has set the pointers */
void loop_init(struct loop *loop);

/**
 * loop_run - run until *stop is set or the bus has finished
 *
 * Signals that set *stop must be blocked, except in ppoll().
 */
void loop_run(struct loop *loop);

/** loop_turn - one iteration; may sleep; false if the loop has to end */
bool loop_turn(struct loop *loop);

/**
 * loop_print_statistics - report sleeps and polls; in real time only, as they depend on the
 * host
 */
void loop_print_statistics(const struct loop *loop, board_emit_fn *emit, void *ctx);

#endif
