/* SPDX-License-Identifier: MIT */
/*
 * The board: BAR0 with the GC core, the display block and the board's own
 * registers, the interrupt status that gathers them, and the one MSI.
 * The bus below it (vhost-user today) only knows this header.
 */
#ifndef CARD_BOARD_BOARD_H
#define CARD_BOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "bus/memory.h"
#include "clock/clock.h"
#include "gc/gc.h"

#define BOARD_PCI_VENDOR 0x9234
#define BOARD_PCI_DEVICE 0x5647
#define BOARD_PCI_CLASS 0x038000
#define BOARD_BAR0_BYTES 0x40000u

#define BOARD_GC_BASE 0x00000u
#define BOARD_DC_BASE 0x10000u
#define BOARD_REGS_BASE 0x20000u
#define BOARD_EDID_BASE 0x20100u
#define BOARD_CRC_BASE 0x20200u
#define BOARD_MAILBOX_BASE 0x21000u

/* Offsets from BOARD_REGS_BASE */
#define BOARD_MAGIC 0x00
#define BOARD_VERSION 0x04
#define BOARD_IRQ_STATUS 0x08 /* b0 GC, b1 display; cleared at their source */
#define BOARD_IRQ_ENABLE 0x0c /* reset: all on */
#define BOARD_CORE_HZ 0x10
#define BOARD_DOORBELL 0x14 /* a hint; never required */
#define BOARD_FEATURES 0x18
#define BOARD_PIXEL_HZ 0x1c /* with the display only */

#define BOARD_MAGIC_VALUE 0x47565630u /* "0VVG" as bytes: little-endian "0VVG" */
#define BOARD_VERSION_VALUE 1u

/* BOARD_FEATURES */
#define BOARD_FEATURE_MAILBOX (1u << 0)
#define BOARD_FEATURE_DOORBELL (1u << 1)
#define BOARD_FEATURE_DISPLAY (1u << 2) /* the display block, EDID and frame CRC are there */

struct board;
struct edid_mode;
struct dc_block;

/* Takes one figure of the statistics; @name is stable, such as "board.msi_sent". */
typedef void board_emit_fn(void *ctx, const char *name, uint64_t value);

/* What the board needs of the bus it is plugged into. */
struct board_host {
	void *ctx;
	/** @send_msi: raise the card's message-signalled interrupt once. */
	void (*send_msi)(void *ctx);
	/** @yield: serve pending bus traffic, without sleeping; may re-enter board_read()/board_write(). */
	void (*yield)(void *ctx);
	/** @die: behave as if the card was pulled (fault injection). */
	void (*die)(void *ctx);
	/** @print_statistics, @clear_statistics: the bus's part of them; may be NULL. */
	void (*print_statistics)(void *ctx, board_emit_fn *emit, void *emit_ctx);
	void (*clear_statistics)(void *ctx);
};

struct board *board_create(const struct board_host *host, struct card_clock *clock,
			   const struct guest_memory *memory,
			   const struct gc_personality *personality,
			   const struct gc_options *options);
void board_destroy(struct board *board);

/**
 * board_attach_display - add the display block; without this its addresses are empty
 * @mode: what the monitor prefers
 *
 * Returns: the block, or NULL if out of memory.
 */
struct dc_block *board_attach_display(struct board *board, const struct edid_mode *mode);

/** board_remove_doorbell - a board without one: drivers are not told of any, writes do nothing. */
void board_remove_doorbell(struct board *board);

/** board_reset - as at power-on (guest restart or disconnect). */
void board_reset(struct board *board);

/**
 * board_read, board_write - BAR0 access
 * @offset: byte offset, @size: 1, 2, 4 or 8 bytes; others and unaligned ones read as all ones / are ignored
 */
uint64_t board_read(struct board *board, uint32_t offset, unsigned int size);
void board_write(struct board *board, uint32_t offset, unsigned int size, uint64_t value);

struct gc_core *board_gc(struct board *board);

/** board_test_and_clear_doorbell - whether the doorbell rang since the last call. */
bool board_test_and_clear_doorbell(struct board *board);

/** board_print_statistics - bus, board and GC, in a fixed order. */
void board_print_statistics(struct board *board, board_emit_fn *emit, void *ctx);
void board_clear_statistics(struct board *board);

/**
 * board_control - one line of the control protocol (see Documentation/card/control.rst)
 * @line: command without newline
 * @reply: gets zero-terminated text of several lines, the last "ok" or "error: ..."
 */
void board_control(struct board *board, const char *line, char *reply, unsigned int reply_bytes);

#endif
