/* SPDX-License-Identifier: MIT */
/*
 * The card's event loop: one thread that serves the bus, runs what the
 * calendar has due, lets the GPU work, and sleeps when there is nothing to do.
 */
#ifndef CARD_LOOP_H
#define CARD_LOOP_H

#include <signal.h>
#include <stdint.h>

#include "board/board.h"
#include "board/control_server.h"
#include "bus/uml.h"
#include "clock/clock.h"

struct loop {
	struct card_clock *clock;
	struct uml_bus *bus;
	struct board *board;
	struct control_server *control;
	uint64_t poll_ns; /* period of looks at an idle front end */
	uint64_t spin_ns; /* real time: how long to stay awake after work */
	const volatile sig_atomic_t *stop;

	/* real time */
	uint64_t last_busy_ns,
		last_poll_ns;   /* when there was work; when descriptors were looked at */
	uint64_t sleeps, polls; /* statistics */

	/* virtual time */
	struct clock_event poll_event; /* the next look at the front end's idle loop */
	uint64_t passed_ns;            /* the calendar was run at this time, plus 1 */
};

/** loop_init - prepare; the pointers have been filled in. */
void loop_init(struct loop *loop);

/** loop_run - until *stop, or until the bus has finished. Signals that set it must be blocked outside ppoll(). */
void loop_run(struct loop *loop);

/** loop_turn - one turn of it; may sleep. Returns false when the loop shall end. */
bool loop_turn(struct loop *loop);

/** loop_print_statistics - figures of the loop; real time only, as they depend on the host. */
void loop_print_statistics(const struct loop *loop, board_emit_fn *emit, void *ctx);

#endif
