// SPDX-License-Identifier: MIT
/* The front end in time: loops, slices of host time, events, stalls, clock frequencies. */
#include "fe_bench.h"
#include "fe_fakes.h"

#define US 1000ull
#define JOB (BENCH_BASE + 0x8000) /* streams that the ring links to */

static struct bench b;

/* While the front end is parked in its WAIT, only a change of the loop continues it. */
TEST(parks_in_its_wait_loop)
{
	uint32_t wait;
	uint64_t commands;

	bench_open(&b);
	wait = bench_wait_loop(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 10 * US);
	CHECK(gc_is_polling(b.gc));
	commands = b.gc->counters.fe_commands;
	bench_run(&b, 100000 * US);
	CHECK_EQ(b.gc->counters.fe_commands, commands);
	CHECK(!gc_poll(b.gc));
	CHECK(gc_read(b.gc, VIVS_FE_DMA_ADDRESS) - wait <= 16);
	/* the second half of the loop counts as well */
	bench_poke(&b, wait + 8, VIV_FE_END_HEADER_OP_END);
	CHECK(gc_poll(b.gc));
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK(bench_close(&b));
}

/* A driver that reads DMA_ADDRESS repeatedly sees it move within the loop. */
TEST(parked_front_end_seems_to_move)
{
	unsigned int waiting = 0, linking = 0;

	bench_open(&b);
	bench_wait_loop(&b);
	bench_start(&b, BENCH_BASE, 2);
	for (unsigned int i = 0; i < 500; i++) {
		uint32_t at, state;

		bench_run(&b, 50);
		at = gc_read(b.gc, VIVS_FE_DMA_ADDRESS) - BENCH_BASE;
		state = gc_read(b.gc, VIVS_FE_DMA_DEBUG_STATE);
		if (at == 8 && state == VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_WAIT)
			waiting++;
		else if (at == 16 && state == VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_LINK)
			linking++;
	}
	CHECK_EQ(waiting + linking, 500);
	CHECK(linking && waiting > linking);
	CHECK(bench_close(&b));
}

/* DMA_ADDRESS moves in the middle of a long operation, but for at most 30 seconds. */
TEST(slow_software_does_not_look_hung)
{
	uint32_t before, after;

	bench_open(&b);
	fe_begin_work(b.gc);
	before = gc_read(b.gc, VIVS_FE_DMA_ADDRESS);
	for (unsigned int i = 0; i < 59; i++) {
		bench_run(&b, 500000 * US);
		after = gc_read(b.gc, VIVS_FE_DMA_ADDRESS);
		CHECK(after < before || after - before > 16);
		before = after;
	}
	bench_run(&b, 1000000 * US);
	before = gc_read(b.gc, VIVS_FE_DMA_ADDRESS);
	bench_run(&b, 500000 * US);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), before);
	fe_end_work(b.gc);
	CHECK(bench_close(&b));
}

/*
 * The counter is held while software is slower than the model, and does not depend on its
 * speed.
 */
TEST(slow_software_costs_no_cycles)
{
	uint64_t begin;

	bench_open(&b);
	bench_end(&b);
	bench_run(&b, 10 * US);
	bench_start(&b, BENCH_BASE, 1);
	begin = bench_cycles(&b);
	CHECK_EQ(begin, 10 * 528);
	fe_begin_work(b.gc);
	clock_set_now(b.clock, clock_now(b.clock) + 500 * US);
	CHECK_EQ(bench_cycles(&b), begin);
	b.gc->work.samples = 6286; /* 0.84 cycles each: ten microseconds */
	fe_end_work(b.gc);
	bench_run(&b, 0);
	CHECK(bench_cycles(&b) >= begin + 10 * 528 && bench_cycles(&b) < begin + 11 * 528);
	begin = bench_cycles(&b);
	bench_run(&b, 10 * US);
	CHECK_EQ(bench_cycles(&b) - begin, 10 * 528);
	CHECK(bench_close(&b));
}

static unsigned int yields;

static void count_yield(void *ctx)
{
	yields++;
}

/* A reset during an operation: the operation is aborted and costs no time, and register accesses wait for its end. */
TEST(reset_in_the_middle_of_an_operation)
{
	bench_open(&b);
	yields = 0;
	b.gc->host.yield = count_yield;
	b.gc->fe->in_run = true;
	fe_begin_work(b.gc);
	CHECK(gc_yield(b.gc));
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	CHECK(!gc_yield(b.gc));
	CHECK_EQ(yields, 1);
	b.gc->work.vertices = 1000000;
	gc_pieces_cut(b.gc, 0);
	fe_end_work(b.gc);
	b.gc->fe->in_run = false;
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	bench_run(&b, 1 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 2);
	CHECK(bench_close(&b));
}

/* The kernel patches the argument, then the command. */
TEST(patched_wait_is_read_whole)
{
	uint32_t wait, next;

	bench_open(&b);
	wait = bench_wait_loop(&b);
	next = b.at;
	bench_event(&b, 4, VIVS_GL_EVENT_FROM_FE);
	bench_wait_loop(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 10 * US);
	bench_poke(&b, wait + 4, next);
	CHECK(gc_poll(b.gc)); /* the loop has changed: executes a WAIT, and parks again */
	bench_run(&b, 10 * US);
	CHECK(gc_is_polling(b.gc));
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	bench_poke(&b, wait, VIV_FE_LINK_HEADER_OP_LINK | 3);
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 4);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS) - next, 16);
	CHECK(bench_close(&b));
}

TEST(parks_in_a_link_to_itself)
{
	bench_open(&b);
	bench_link(&b, 1, BENCH_BASE);
	bench_start(&b, BENCH_BASE, 1);
	bench_run(&b, 1000 * US);
	CHECK(gc_is_polling(b.gc));
	bench_poke(&b, BENCH_BASE, VIV_FE_END_HEADER_OP_END);
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK(bench_close(&b));
}

/* A loop without WAIT runs at modelled speed. */
TEST(other_loops_do_not_hang_the_host)
{
	uint64_t commands;

	bench_open(&b);
	bench_emit2(&b, VIV_FE_NOP_HEADER_OP_NOP, 0);
	bench_link(&b, 2, BENCH_BASE);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 100 * US);
	commands = b.gc->counters.fe_commands;
	/*
	 * Two words a command at a word a cycle of 528 MHz, for 100 us and the 20 us by which the
	 * front end may be ahead (FE_SLACK_NS).
	 */
	CHECK(commands > 25000 && commands < 33000);
	CHECK(!gc_is_polling(b.gc));
	bench_poke(&b, BENCH_BASE, VIV_FE_END_HEADER_OP_END);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK(bench_close(&b));
}

/* In real time, too: a call is short, and the front end sleeps when it is ahead. */
TEST(gives_the_host_back_in_real_time)
{
	unsigned int calls = 0;

	bench_open_in(&b, "gc3000", NULL, false);
	gc_set_slowdown(
		b.gc, 2000000000); /* a command takes 76 ms, so that a busy host is not too slow */
	for (unsigned int i = 0; i < 1000; i++)
		bench_emit2(&b, VIV_FE_NOP_HEADER_OP_NOP, 0);
	bench_link(&b, 1001, BENCH_BASE);
	bench_start(&b, BENCH_BASE, 1001);
	while (gc_run(b.gc) && calls < 100)
		calls++;
	CHECK(calls < 100);
	CHECK(!gc_poll(b.gc)); /* asleep: an event is armed */
	CHECK(clock_next(b.clock) != CARD_TIME_NEVER);
	CHECK(b.gc->counters.fe_commands < 1000);
	CHECK(bench_close(&b));
}

/* A trace whose lines take @slow_line_ns of host time each, to make commands slow. */
static uint64_t slow_line_ns;

static ssize_t write_slowly(void *cookie, const char *text, size_t bytes)
{
	struct card_clock *clock = clock_create(false);
	uint64_t end = clock_now(clock) + slow_line_ns;

	while (clock_now(clock) < end)
		;
	clock_destroy(clock);
	return bytes;
}

static FILE *open_slow_trace(void)
{
	FILE *file = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_slowly });

	setvbuf(file, NULL, _IONBF, 0);
	return file;
}

/*
 * A command that takes longer than a time slice (RUN_HOST_NS) ends it: a draw, for which one line
 * is traced, and a load of 400 states, with a line each.
 */
TEST(a_long_command_ends_the_slice)
{
	FILE *trace = open_slow_trace();

	bench_open_in(&b, "gc3000", trace, false);
	for (unsigned int i = 0; i < 3; i++) {
		bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES,
			    PRIMITIVE_TYPE_TRIANGLES);
		bench_emit2(&b, 0, 1);
	}
	for (unsigned int i = 0; i < 3; i++) {
		bench_load(&b, VIVS_VS_UNIFORMS(0), 400, false);
		for (unsigned int word = 0; word < 401; word++)
			bench_emit(&b, 7);
	}
	bench_end(&b);
	slow_line_ns = 0;
	bench_start(&b, BENCH_BASE, 1000);
	slow_line_ns = 1000000;
	for (unsigned int i = 1; i <= 3; i++) {
		CHECK(gc_run(b.gc));
		CHECK_EQ(b.gc->counters.fe_commands, i);
	}
	slow_line_ns = 2500;
	for (unsigned int i = 4; i <= 6; i++) {
		CHECK(gc_run(b.gc));
		CHECK_EQ(b.gc->counters.fe_commands, i);
	}
	CHECK(!gc_run(b.gc));
	CHECK_EQ(b.gc->fe->state, FE_STOPPED);
	CHECK(bench_close(&b));
	fclose(trace);
}

/*
 * The command that ends a slice may end the stream as well: an END, 256 words (RUN_WORDS) after the last reading of
 * the clock, with 40 us of host time for its line of trace and for the draw's. The cycle counter is not held after it,
 * so that events come. On a loaded host the draw may end the slice first; then nothing is shown.
 */
TEST(the_last_command_may_end_the_slice)
{
	FILE *trace = open_slow_trace();

	bench_open_in(&b, "gc3000", trace, false);
	bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, PRIMITIVE_TYPE_TRIANGLES);
	bench_emit2(&b, 0, 1);
	for (unsigned int i = 0; i < 127; i++)
		bench_emit2(&b, VIV_FE_NOP_HEADER_OP_NOP, 0);
	bench_end(&b);
	slow_line_ns = 0;
	bench_start(&b, BENCH_BASE, 1000);
	slow_line_ns = 40 * US;
	while (gc_run(b.gc))
		;
	CHECK_EQ(b.gc->fe->state, FE_STOPPED);
	CHECK(!b.gc->clock.held);
	CHECK(bench_close(&b));
	fclose(trace);
}

/* A WAIT without a LINK back to it takes its cycles. */
TEST(wait_takes_time)
{
	uint64_t before;

	bench_open(&b);
	bench_emit2(&b, VIV_FE_WAIT_HEADER_OP_WAIT | 50000, 0);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	before = clock_now(b.clock);
	bench_start(&b, BENCH_BASE, 3);
	bench_run(&b, 94 * US);
	CHECK(!b.irq);
	bench_run(&b, 2 * US); /* 50000 / 528 MHz = 94.7 us */
	CHECK(b.irq);
	CHECK_EQ(clock_now(b.clock) - before, 96 * US);
	CHECK(bench_close(&b));
}

TEST(events_come_in_order_of_their_time)
{
	bench_open(&b);
	gc_set_null_draw(b.gc, true);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	/* the pixel engine's event waits for a long draw, so it is later than FE's */
	bench_busy(&b, 1136);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_event(&b, 2, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 5);
	bench_run(&b, 10 * US);
	CHECK(b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 2);
	CHECK(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_SH));
	CHECK(!(gc_read(b.gc, HI_CLOCK_CONTROL) & HI_CLOCK_IDLE_3D));
	bench_run(&b, 1120 * US);
	CHECK(!b.irq);
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 1);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK(bench_close(&b));
}

/* With more events than the queue can hold, the front end waits, and none is lost. */
TEST(many_events_all_arrive)
{
	bench_open(&b);
	for (unsigned int i = 0; i < 300; i++)
		bench_event(&b, i % 30, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 301);
	bench_run(&b, 1000 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0x3fffffff);
	CHECK_EQ(b.gc->counters.interrupts, 300);
	CHECK(bench_close(&b));
}

TEST(events_without_a_source_or_number_do_nothing)
{
	bench_open(&b);
	bench_event(&b, 1, 0);
	bench_event(&b, 30, VIVS_GL_EVENT_FROM_FE);
	bench_event(&b, 31, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 4);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	CHECK(bench_close(&b));
}

TEST(stall_waits_for_the_pixel_engine)
{
	bench_open(&b);
	gc_set_null_draw(b.gc, true);
	bench_busy(&b, 114);
	bench_semaphore(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_stall(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 6);
	bench_run(&b, 110 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
	bench_run(&b, 6 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 1);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK(bench_close(&b));
}

TEST(stall_without_semaphore_hangs)
{
	bench_open(&b);
	bench_stall(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 1000 * US);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_DEBUG_STATE), VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_STALL);
	gc_reset(b.gc);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK(bench_close(&b));
}

/* RA waits for PE within the pipeline: the front end itself does not. */
TEST(stall_inside_the_pipeline)
{
	bench_open(&b);
	gc_set_null_draw(b.gc, true);
	bench_busy(&b, 114);
	bench_semaphore(&b, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
	bench_state(&b, VIVS_GL_STALL_TOKEN,
		    VIVS_GL_STALL_TOKEN_FROM(SYNC_RECIPIENT_RA) |
			    VIVS_GL_STALL_TOKEN_TO(SYNC_RECIPIENT_PE));
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 6);
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 1);
	CHECK(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE);
	CHECK(bench_close(&b));
}

/* A slow-down applies to all costs. */
TEST(slowdown_stretches_time)
{
	bench_open(&b);
	gc_set_null_draw(b.gc, true);
	gc_set_slowdown(b.gc, 1000);
	bench_busy(&b, 11); /* times ten */
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 4);
	bench_run(&b, 110 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	bench_run(&b, 20 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 1);
	CHECK(bench_close(&b));
}

/* Cycles of an operation that moves a megabyte. */
static uint64_t move_a_megabyte(void)
{
	uint64_t begin = gpu_pipeline_drained(&b.gc->pipeline);

	b.gc->fe->cycle = begin;
	fe_begin_work(b.gc);
	b.gc->work.samples = 1;
	b.gc->work.color_write_bytes = 1000000;
	fe_end_work(b.gc);
	return gpu_pipeline_drained(&b.gc->pipeline) - begin;
}

/* Scan-out uses the same memory: operations limited by memory take longer, until it is off. */
TEST(scan_out_slows_memory)
{
	uint64_t alone, beside;

	bench_open(&b);
	alone = move_a_megabyte();
	gc_set_display_traffic(b.gc, 1280 * 720 * 4 * 60);
	beside = move_a_megabyte();
	CHECK(beside > alone * 105 / 100 && beside < alone * 106 / 100);
	gc_reset(b.gc);
	CHECK(move_a_megabyte() > alone);
	gc_set_display_traffic(b.gc, 0);
	CHECK_NEAR(move_a_megabyte(), alone, 100); /* a refresh more or less */
	CHECK(bench_close(&b));
}

int main(void)
{
	return test_all();
}
