// SPDX-License-Identifier: MIT
/* BAR0: decoding of offsets, and the board's own registers. */
#include "board/board.h"

#include <stdlib.h>

#include "board/internal.h"
#include "clock/pipeline.h"

#define ALL_ONES UINT64_MAX
/* End of the board's own registers. Gaps between the areas of board.h read as all ones. */
#define BOARD_REGS_END BOARD_EDID_BASE

/* The core's interrupt line becomes @level: when it falls, count how long it was high. */
static void measure_line(struct board *board, bool level)
{
	uint64_t now = clock_now(board->clock), ns = now - board->gc_line_since;

	if (level == board->gc_line)
		return;
	board->gc_line = level;
	board->gc_line_since = now;
	if (level)
		return;
	board->statistics.acknowledged++;
	board->statistics.acknowledge_ns += ns;
	if (board->statistics.acknowledge_max_ns < ns)
		board->statistics.acknowledge_max_ns = ns;
}

static void gc_interrupt(void *ctx, bool level)
{
	struct board *board = ctx;

	measure_line(board, level);
	board_irq_set(&board->irq, BOARD_IRQ_GC, level);
}

/*
 * Called in the middle of long operations of the core. In real time, interrupts of earlier work
 * and the display continue meanwhile; in virtual time operations take no time, and events run
 * when the loop advances the time.
 */
static void gc_yields(void *ctx)
{
	struct board *board = ctx;

	board->host.yield(board->host.ctx);
	if (!clock_is_virtual(board->clock))
		clock_run_due(board->clock);
}

/*
 * Called more often than gc_yields(), also while the core's state is incomplete (struct gc_host):
 * only accesses of board_is_immediate() are executed.
 */
static void gc_answers(void *ctx)
{
	struct board *board = ctx;

	if (board->host.answer)
		board->host.answer(board->host.ctx);
}

static void run_control(void *ctx, const char *line, char *reply, unsigned int reply_bytes)
{
	board_control(ctx, line, reply, reply_bytes);
}

struct board *board_create(const struct board_host *host, struct card_clock *clock,
			   const struct guest_memory *memory,
			   const struct gc_personality *personality,
			   const struct gc_options *options)
{
	struct board *board = calloc(1, sizeof(*board));
	const struct gc_host gc_host = {
		board, memory, clock, gc_interrupt, gc_yields, gc_answers
	};
	const struct gpu_params *params =
		options->params ? options->params : gpu_params_find(personality->clock_params);

	if (!board)
		return NULL;
	board->host = *host;
	board->clock = clock;
	board->memory = memory;
	board->personality = personality;
	board->core_hz = params->core_hz;
	board->null_draw = options->null_draw;
	board_irq_init(&board->irq, clock, host->send_msi, host->ctx);
	board->irq.truth = options->truth;
	board_irq_set_latency(&board->irq, options->jitter, params->interrupt_spread_ns);
	mailbox_init(&board->mailbox, run_control, board);
	board->gc = gc_create(personality, &gc_host, options);
	if (board->gc)
		return board;
	free(board);
	return NULL;
}

void board_destroy(struct board *board)
{
	if (!board)
		return;
	board_display_destroy(&board->display);
	board_irq_reset(&board->irq);
	gc_destroy(board->gc);
	free(board);
}

static void display_interrupt(void *ctx, bool level)
{
	struct board *board = ctx;

	board_irq_set(&board->irq, BOARD_IRQ_DISPLAY, level);
}

static void display_traffic(void *ctx, uint64_t bytes_per_second)
{
	struct board *board = ctx;

	gc_set_display_traffic(board->gc, bytes_per_second);
}

struct dc_block *board_attach_display(struct board *board, const struct edid_mode *mode)
{
	const struct dc_host host = { board, board->memory, board->clock, display_interrupt,
				      display_traffic };

	return board_display_init(&board->display, &host, mode) ? board->display.dc : NULL;
}

void board_attach_input(struct board *board, board_input_fn *input, void *ctx)
{
	board->input = input;
	board->input_ctx = ctx;
}

void board_remove_mailbox(struct board *board)
{
	board->no_mailbox = true;
}

void board_remove_doorbell(struct board *board)
{
	board->no_doorbell = true;
}

void board_use_level_interrupts(struct board *board)
{
	board_irq_use_levels(&board->irq);
}

/*
 * gc_set_count_from() comes before gc_reset(), at which counters take their first value; slowdown
 * and null_draw survive gc_reset(). Core and display lower their lines before interrupts are reset.
 */
void board_reset(struct board *board)
{
	board->statistics.resets++;
	gc_set_count_from(board->gc, 0);
	gc_reset(board->gc);
	gc_set_slowdown(board->gc, 100);
	gc_set_null_draw(board->gc, board->null_draw);
	board_display_reset(&board->display);
	board_irq_reset(&board->irq);
	mailbox_reset(&board->mailbox);
	board->doorbell = false;
}

struct gc_core *board_gc(struct board *board)
{
	return board->gc;
}

bool board_interrupt_level(const struct board *board)
{
	return board->irq.status & board->irq.enable;
}

bool board_test_and_clear_doorbell(struct board *board)
{
	bool rang = board->doorbell;

	board->doorbell = false;
	return rang;
}

static uint32_t features(const struct board *board)
{
	return (board->no_mailbox ? 0 : BOARD_FEATURE_MAILBOX) |
	       (board->no_doorbell ? 0 : BOARD_FEATURE_DOORBELL) |
	       (board->display.dc ? BOARD_FEATURE_DISPLAY : 0);
}

static uint32_t read_register(struct board *board, uint32_t offset)
{
	switch (offset) {
	case BOARD_MAGIC:
		return BOARD_MAGIC_VALUE;
	case BOARD_VERSION:
		return BOARD_VERSION_VALUE;
	case BOARD_IRQ_STATUS:
		return board->irq.status;
	case BOARD_IRQ_ENABLE:
		return board->irq.enable;
	case BOARD_CORE_HZ:
		return board->core_hz;
	case BOARD_DOORBELL:
		return 0;
	case BOARD_FEATURES:
		return features(board);
	case BOARD_PIXEL_HZ:
		return board->display.dc ? board->display.pixel_hz : UINT32_MAX;
	case BOARD_MONITOR:
		return board->display.dc ? board_display_monitor(&board->display) : UINT32_MAX;
	default:
		return UINT32_MAX;
	}
}

static void write_register(struct board *board, uint32_t offset, uint32_t value)
{
	if (offset == BOARD_IRQ_ENABLE)
		board_irq_set_enable(&board->irq, value);
	if (offset == BOARD_DOORBELL && !board->no_doorbell) {
		board->doorbell = true;
		board->statistics.doorbells++;
	}
	if (offset == BOARD_PIXEL_HZ && board->display.dc)
		board_display_set_pixel_hz(&board->display, value);
}

static bool in_mailbox(const struct board *board, uint32_t offset)
{
	return !board->no_mailbox && offset >= BOARD_MAILBOX_BASE &&
	       offset - BOARD_MAILBOX_BASE < MAILBOX_BYTES;
}

static bool in_edid(const struct board *board, uint32_t offset)
{
	return board->display.dc && offset >= BOARD_EDID_BASE &&
	       offset - BOARD_EDID_BASE < DISPLAY_EDID_AREA;
}

static bool in_crc(const struct board *board, uint32_t offset)
{
	return board->display.dc && offset >= BOARD_CRC_BASE &&
	       offset - BOARD_CRC_BASE < DISPLAY_CRC_BYTES;
}

/*
 * Read a 32-bit register. Without a display block, its range, the EDID and the frame CRC read
 * as empty address space.
 */
static uint32_t read32(struct board *board, uint32_t offset)
{
	if (offset < BOARD_DC_BASE) {
		board->statistics.gc_reads++;
		return gc_read(board->gc, offset - BOARD_GC_BASE);
	}
	if (offset < BOARD_REGS_BASE) {
		board->statistics.display_accesses++;
		return board->display.dc ? dc_read(board->display.dc, offset - BOARD_DC_BASE)
					 : UINT32_MAX;
	}
	board->statistics.board_reads++;
	if (offset < BOARD_REGS_END)
		return read_register(board, offset - BOARD_REGS_BASE);
	if (in_mailbox(board, offset))
		return mailbox_read(&board->mailbox, offset - BOARD_MAILBOX_BASE);
	if (in_edid(board, offset))
		return board_display_edid(&board->display, offset - BOARD_EDID_BASE);
	if (in_crc(board, offset))
		return board_display_read(&board->display, offset - BOARD_CRC_BASE);
	return UINT32_MAX;
}

static void write32(struct board *board, uint32_t offset, uint32_t value)
{
	if (offset < BOARD_DC_BASE) {
		board->statistics.gc_writes++;
		gc_write(board->gc, offset - BOARD_GC_BASE, value);
		return;
	}
	if (offset < BOARD_REGS_BASE) {
		board->statistics.display_accesses++;
		if (board->display.dc)
			dc_write(board->display.dc, offset - BOARD_DC_BASE, value);
		return;
	}
	board->statistics.board_writes++;
	if (offset < BOARD_REGS_END)
		write_register(board, offset - BOARD_REGS_BASE, value);
	else if (in_mailbox(board, offset))
		mailbox_write(&board->mailbox, offset - BOARD_MAILBOX_BASE, value);
	else if (in_crc(board, offset))
		board_display_write(&board->display, offset - BOARD_CRC_BASE, value);
}

bool board_is_immediate(const struct board *board, uint32_t offset, bool write)
{
	if (offset < BOARD_DC_BASE)
		return !write && gc_is_immediate(board->gc, offset - BOARD_GC_BASE);
	return offset < BOARD_REGS_END;
}

static bool good_access(struct board *board, uint32_t offset, unsigned int size)
{
	if ((size == 1 || size == 2 || size == 4 || size == 8) && offset % size == 0 &&
	    offset < BOARD_BAR0_BYTES && size <= BOARD_BAR0_BYTES - offset)
		return true;
	board->statistics.bad_accesses++;
	return false;
}

/* Narrower reads return a part of the 32-bit register, whose side effects they have. */
uint64_t board_read(struct board *board, uint32_t offset, unsigned int size)
{
	uint64_t value;

	if (!good_access(board, offset, size))
		return ALL_ONES;
	if (size == 8) {
		value = read32(board, offset);
		return value | (uint64_t)read32(board, offset + 4) << 32;
	}
	value = read32(board, offset & ~3u) >> 8 * (offset & 3);
	return size == 4 ? value : value & ((1u << 8 * size) - 1);
}

/* Narrower writes are ignored: no register can be written in parts. */
void board_write(struct board *board, uint32_t offset, unsigned int size, uint64_t value)
{
	if (!good_access(board, offset, size))
		return;
	if (size < 4) {
		board->statistics.bad_accesses++;
		return;
	}
	write32(board, offset, value);
	if (size == 8)
		write32(board, offset + 4, value >> 32);
}
