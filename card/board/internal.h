/* SPDX-License-Identifier: MIT */
/* struct board, for the files of card/board/ only. */
#ifndef CARD_BOARD_INTERNAL_H
#define CARD_BOARD_INTERNAL_H

#include "board/board.h"
#include "board/display.h"
#include "board/irq.h"
#include "board/mailbox.h"

struct board {
	struct board_host host;
	struct card_clock *clock;
	const struct guest_memory *memory;
	const struct gc_personality *personality;
	struct gc_core *gc;
	struct board_irq irq;
	struct mailbox mailbox;
	struct board_display display;
	board_input_fn *input; /* NULL: no input devices */
	void *input_ctx;
	uint64_t core_hz;
	bool null_draw; /* from the options; restored by a reset */
	bool no_doorbell, no_mailbox;
	bool gc_line;           /* the core's interrupt line */
	uint64_t gc_line_since; /* ns; if it is high */
	bool doorbell;          /* written since board_test_and_clear_doorbell() */
	struct {
		uint64_t gc_reads, gc_writes, display_accesses, board_reads, board_writes;
		uint64_t bad_accesses, doorbells, control_commands, resets;
		/* how often, how long in sum and at most the guest left the core's line high */
		uint64_t acknowledged, acknowledge_ns, acknowledge_max_ns;
	} statistics;
};

#endif
