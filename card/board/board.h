/* SPDX-License-Identifier: MIT */
/*
 * The board: BAR0 with the GC core, the display block and the board's registers, the interrupt
 * status that combines their lines, and an MSI of each. The bus uses only this header.
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
/* of the function that guests find in a device tree (pci_config_be_platform()) */
#define BOARD_PCI_DEVICE_PLATFORM 0x5650
#define BOARD_PCI_CLASS_PLATFORM 0xff0000 /* none of the defined ones */
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
#define BOARD_IRQ_STATUS 0x08 /* b0 GC, b1 display; cleared at the source */
#define BOARD_IRQ_ENABLE 0x0c /* after reset: all enabled */
#define BOARD_CORE_HZ 0x10
#define BOARD_DOORBELL 0x14 /* written: poll the command loop at once; optional, see bus.rst */
#define BOARD_FEATURES 0x18
#define BOARD_PIXEL_HZ 0x1c /* with the display only */
#define BOARD_MONITOR 0x20  /* likewise: b0 plugged, b31:1 number of changes */

#define BOARD_MAGIC_VALUE 0x47565630u /* its bytes in memory are "0VVG" */
#define BOARD_VERSION_VALUE 1u

/* BOARD_FEATURES */
#define BOARD_FEATURE_MAILBOX (1u << 0)
#define BOARD_FEATURE_DOORBELL (1u << 1)
#define BOARD_FEATURE_DISPLAY (1u << 2) /* display block, EDID and frame CRC exist */

struct board;
struct edid_mode;
struct dc_block;

/* Receives a value of the statistics; @name is stable, such as "board.msi_sent". */
typedef void board_emit_fn(void *ctx, const char *name, uint64_t value);

/* Functions of the bus that the board calls */
struct board_host {
	void *ctx;
	/** @send_msi: send the interrupt of @source, the number of its bit in BOARD_IRQ_STATUS */
	void (*send_msi)(void *ctx, unsigned int source);
	/**
	 * @yield: process pending bus traffic without sleeping; may call board_read() and
	 *     board_write()
	 */
	void (*yield)(void *ctx);
	/** @answer: the same for accesses of board_is_immediate() only; may be NULL */
	void (*answer)(void *ctx);
	/** @die: behave as if the card was unplugged (fault injection) */
	void (*die)(void *ctx);
	/** @print_statistics, @clear_statistics: statistics of the bus; may be NULL */
	void (*print_statistics)(void *ctx, board_emit_fn *emit, void *emit_ctx);
	void (*clear_statistics)(void *ctx);
};

struct board *board_create(const struct board_host *host, struct card_clock *clock,
			   const struct guest_memory *memory,
			   const struct gc_personality *personality,
			   const struct gc_options *options);
void board_destroy(struct board *board);

/**
 * board_attach_display - add the display block; without it its addresses are empty
 * @mode: the monitor's preferred mode
 *
 * Returns: the block, or NULL if out of memory.
 */
struct dc_block *board_attach_display(struct board *board, const struct edid_mode *mode);

/**
 * board_input_fn - perform an action of a user, given as words, the last followed by NULL
 *
 * Returns: NULL, or an error message that continues a sentence such as "the action ...".
 */
typedef const char *board_input_fn(void *ctx, char *const words[]);

/** board_attach_input - set the function that executes the control protocol's command "input" */
void board_attach_input(struct board *board, board_input_fn *input, void *ctx);

/** board_remove_mailbox - clear BOARD_FEATURE_MAILBOX; its registers are then empty addresses */
void board_remove_mailbox(struct board *board);

/** board_remove_doorbell - clear BOARD_FEATURE_DOORBELL and ignore writes to the doorbell */
void board_remove_doorbell(struct board *board);

/**
 * board_use_level_interrupts - repeat the MSI of a line while it is active and enabled
 *
 * For guests without INTx; see board_irq_use_levels().
 */
void board_use_level_interrupts(struct board *board);

/** board_reset - power-on reset (restart or disconnect of the guest) */
void board_reset(struct board *board);

/**
 * board_read, board_write - BAR0 access
 * @offset: byte offset
 * @size: 1, 2, 4 or 8 bytes
 *
 * Accesses of other sizes and unaligned ones read all ones or are ignored, as are writes of less
 * than 4 bytes. The registers of MSI-X in BAR0 are not the board's: see bus/msix.h.
 */
uint64_t board_read(struct board *board, uint32_t offset, unsigned int size);
void board_write(struct board *board, uint32_t offset, unsigned int size, uint64_t value);

/**
 * board_is_immediate - whether a 32-bit access is possible in the middle of the core's operation
 * @offset: byte offset, a multiple of 4
 * @write: a write, otherwise a read
 *
 * That is: reads of core registers for which gc_is_immediate() is true, and reads and writes of the
 * display and of the board's own registers, which end where the EDID begins.
 */
bool board_is_immediate(const struct board *board, uint32_t offset, bool write);

struct gc_core *board_gc(struct board *board);

/** board_interrupt_level - whether a line is active that is enabled, as a level interrupt is */
bool board_interrupt_level(const struct board *board);

/** board_test_and_clear_doorbell - whether the doorbell was written since the last call */
bool board_test_and_clear_doorbell(struct board *board);

/** board_print_statistics - report statistics of bus, board, display and GC, in a fixed order */
void board_print_statistics(struct board *board, board_emit_fn *emit, void *ctx);
void board_clear_statistics(struct board *board);

/**
 * board_control - execute a command of the control protocol (see
 * Documentation/card/control.rst)
 * @line: command without newline
 * @reply: receives zero-terminated text of one or more lines, the last "ok" or "error: ..."
 * @reply_bytes: size of @reply
 */
void board_control(struct board *board, const char *line, char *reply, unsigned int reply_bytes);

#endif
