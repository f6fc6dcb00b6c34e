// SPDX-License-Identifier: MIT
/* Statistics of the whole card: bus, board, display and core. */
#include "board/internal.h"

void board_print_statistics(struct board *board, board_emit_fn *emit, void *ctx)
{
	if (board->host.print_statistics)
		board->host.print_statistics(board->host.ctx, emit, ctx);
	emit(ctx, "board.gc_reads", board->statistics.gc_reads);
	emit(ctx, "board.gc_writes", board->statistics.gc_writes);
	emit(ctx, "board.display_accesses", board->statistics.display_accesses);
	emit(ctx, "board.board_reads", board->statistics.board_reads);
	emit(ctx, "board.board_writes", board->statistics.board_writes);
	emit(ctx, "board.bad_accesses", board->statistics.bad_accesses);
	emit(ctx, "board.doorbells", board->statistics.doorbells);
	emit(ctx, "board.control_commands", board->statistics.control_commands);
	emit(ctx, "board.resets", board->statistics.resets);
	emit(ctx, "board.acknowledged", board->statistics.acknowledged);
	emit(ctx, "board.acknowledge_ns", board->statistics.acknowledge_ns);
	emit(ctx, "board.acknowledge_max_ns", board->statistics.acknowledge_max_ns);
	emit(ctx, "board.msi_raised", board->irq.raised);
	emit(ctx, "board.msi_repeated", board->irq.repeated);
	emit(ctx, "board.msi_sent", board->irq.sent);
	emit(ctx, "board.msi_lost", board->irq.lost);
	emit(ctx, "board.msi_delayed", board->irq.delayed);
	emit(ctx, "board.msi_merged", board->irq.merged);
	if (board->display.dc)
		dc_print_statistics(board->display.dc, emit, ctx);
	gc_print_statistics(board->gc, emit, ctx);
}

void board_clear_statistics(struct board *board)
{
	if (board->host.clear_statistics)
		board->host.clear_statistics(board->host.ctx);
	board->statistics = (__typeof__(board->statistics)){ 0 };
	board->irq.raised = 0;
	board->irq.repeated = 0;
	board->irq.sent = 0;
	board->irq.lost = 0;
	board->irq.delayed = 0;
	board->irq.merged = 0;
	if (board->display.dc)
		dc_clear_statistics(board->display.dc);
	gc_clear_statistics(board->gc);
}
