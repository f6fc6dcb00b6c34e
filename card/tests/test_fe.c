// SPDX-License-Identifier: MIT
/* The front end: commands, loops, events, stalls, time. */
#include "fe_bench.h"
#include "fe_fakes.h"

#define US 1000ull
#define JOB (BENCH_BASE + 0x8000) /* streams that the ring links to */

static struct bench b;

/* A driver's initialisation up to the first finished job, including MMUv2. */
TEST(boots_and_runs_a_nop_job)
{
	uint32_t master = BENCH_BASE + 0x10000, slave = master + 0x1000, wait;
	uint32_t job;

	bench_open(&b);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x300);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x80100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x81100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x80100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	CHECK(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE);
	CHECK_EQ(gc_read(b.gc, HI_CLOCK_CONTROL), 0x100 | HI_CLOCK_IDLE_3D | HI_CLOCK_IDLE_2D);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);

	bench_state(&b, VIVS_GL_PIPE_SELECT, 0);
	bench_state(&b, MMUV2_CONFIGURATION, master);
	bench_state(&b, MMUV2_SAFE_ADDRESS, BENCH_BASE + 0x3000);
	bench_semaphore(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_stall(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 6);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), b.at);

	/* 4 MiB at 0x80000000 are the guest's first pages */
	bench_poke(&b, master + 4 * (0x80000000u >> 22), slave | 1);
	for (unsigned int page = 0; page < 16; page++)
		bench_poke(&b, slave + 4 * page, (BENCH_BASE + page * 4096) | 5);
	gc_write(b.gc, MMUV2_CONTROL, MMUV2_CONTROL_ENABLE);
	CHECK_EQ(gc_read(b.gc, MMUV2_CONTROL), 1);

	b.at = BENCH_BASE + 0x1000;
	bench_emit2(&b, VIV_FE_WAIT_HEADER_OP_WAIT | 200, 0);
	bench_link(&b, 2, 0x80001000);
	bench_start(&b, 0x80001000, 2);
	bench_run(&b, 100 * US);
	CHECK(gc_is_polling(b.gc));
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));

	job = b.at; /* NOP, event, next loop */
	bench_emit2(&b, VIV_FE_NOP_HEADER_OP_NOP, 0);
	bench_event(&b, 3, VIVS_GL_EVENT_FROM_PE);
	wait = b.at;
	bench_emit2(&b, VIV_FE_WAIT_HEADER_OP_WAIT | 200, 0);
	bench_link(&b, 2, wait - BENCH_BASE + 0x80000000u);
	bench_poke(&b, BENCH_BASE + 0x1004, job - BENCH_BASE + 0x80000000u);
	CHECK(gc_poll(b.gc));
	bench_poke(&b, BENCH_BASE + 0x1000, VIV_FE_LINK_HEADER_OP_LINK | 4);
	bench_run(&b, 100 * US);
	CHECK(b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 3);
	CHECK(!b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	CHECK(gc_is_polling(b.gc));
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK(bench_close(&b));
}

TEST(loads_states)
{
	float f;

	bench_open(&b);
	/* one, an even number with padding, and the count 0 that means 1024 */
	bench_state(&b, VIVS_PA_LINE_WIDTH, 0x11111111);
	bench_load(&b, VIVS_PA_VIEWPORT_SCALE_X, 2, false);
	bench_emit2(&b, 0x22, 0x33);
	bench_emit(&b, 0xdeadbeef);
	bench_load(&b, VIVS_VS_UNIFORMS(0), 0, false);
	for (unsigned int i = 0; i < 1024; i++)
		bench_emit(&b, i);
	bench_emit(&b, 0);
	bench_load(&b, VIVS_PA_VIEWPORT_OFFSET_X, 1, true);
	bench_emit(&b, (uint32_t)-0x18000); /* -1.5 */
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 1000 * US);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_LINE_WIDTH), 0x11111111);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_VIEWPORT_SCALE_X), 0x22);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_VIEWPORT_SCALE_Y), 0x33);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_VIEWPORT_SCALE_Z), 0);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_VS_UNIFORMS(1023)), 1023);
	f = gc_state_f32(&b.gc->state, VIVS_PA_VIEWPORT_OFFSET_X);
	CHECK_NEAR(f, -1.5, 0);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), b.at);
	CHECK(bench_close(&b));
}

TEST(skips_commands_without_effect)
{
	bench_open(&b);
	bench_emit2(&b, VIV_FE_NOP_HEADER_OP_NOP, 0x12345678);
	bench_emit2(&b, VIV_FE_CHIP_SELECT_HEADER_OP_CHIP_SELECT | 1, 0);
	bench_emit2(&b,
		    VIV_FE_DRAW_2D_HEADER_OP_DRAW_2D | VIV_FE_DRAW_2D_HEADER_COUNT(3) |
			    VIV_FE_DRAW_2D_HEADER_DATA_COUNT(3),
		    0);
	for (unsigned int i = 0; i < 10; i++)
		bench_emit(&b, 0xffffffff); /* illegal if it was executed */
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), b.at);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_DEBUG_STATE), VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_END);
	CHECK(bench_close(&b));
}

TEST(stops_at_illegal_commands)
{
	for (unsigned int opcode = 0; opcode < 32; opcode++) {
		bool legal = (opcode >= FE_OPCODE_LOAD_STATE && opcode <= FE_OPCODE_CHIP_SELECT);

		if (legal)
			continue;
		bench_open(&b);
		bench_emit2(&b, opcode << 27, 0);
		bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
		bench_end(&b);
		bench_start(&b, BENCH_BASE, 3);
		bench_run(&b, 100 * US);
		CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
		CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
		CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_LOW), opcode << 27);
		CHECK(bench_close(&b));
	}
}

TEST(draws_what_the_command_says)
{
	bench_open(&b);
	gc_set_null_draw(b.gc, true);
	bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, PRIMITIVE_TYPE_TRIANGLES);
	bench_emit2(&b, 3, 5);
	bench_emit2(&b, VIV_FE_DRAW_INDEXED_PRIMITIVES_HEADER_OP_DRAW_INDEXED_PRIMITIVES,
		    PRIMITIVE_TYPE_TRIANGLE_STRIP);
	bench_emit2(&b, 0, 4);
	bench_emit2(&b, (uint32_t)-2, 0);
	bench_emit2(&b,
		    VIV_FE_DRAW_INSTANCED_HEADER_OP_DRAW_INSTANCED |
			    VIV_FE_DRAW_INSTANCED_HEADER_TYPE(PRIMITIVE_TYPE_LINES) |
			    VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO(3),
		    VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT(10));
	bench_emit2(&b, 0, 0);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 1000 * US);
	CHECK_EQ(b.gc->counters.fe_draws, 3);
	CHECK_EQ(b.gc->counters.vs_vertices, 15 + 6 + 30);
	CHECK_EQ(b.gc->counters.pa_input_primitives, 5 + 4 + 15);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), b.at);
	CHECK(bench_close(&b));
}

/* HALTI0 has no instanced draws: an illegal command. */
TEST(instanced_draws_need_halti2)
{
	bench_open_with(&b, "gc2000", NULL);
	bench_emit2(&b, VIV_FE_DRAW_INSTANCED_HEADER_OP_DRAW_INSTANCED | 1, 3);
	bench_emit2(&b, 0, 0);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 100 * US);
	CHECK_EQ(b.gc->counters.fe_draws, 0);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
	CHECK(bench_close(&b));
}

TEST(calls_and_returns)
{
	uint32_t back;

	bench_open(&b);
	back = b.at + 24;
	bench_emit2(&b, VIV_FE_CALL_HEADER_OP_CALL | 2, JOB);
	bench_emit2(&b, 2, back);
	bench_emit2(&b, 0, 0); /* skipped by the jump */
	bench_event(&b, 2, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	b.at = JOB;
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_emit2(&b, VIV_FE_RETURN_HEADER_OP_RETURN, 0);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 6);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), back + 16);
	CHECK(bench_close(&b));
}

TEST(bad_calls_end_in_an_error)
{
	bench_open(&b);
	bench_emit2(&b, VIV_FE_RETURN_HEADER_OP_RETURN, 0);
	bench_start(&b, BENCH_BASE, 1);
	bench_run(&b, 100 * US);
	CHECK_EQ(b.gc->fe->state, FE_ERROR);
	gc_reset(b.gc);
	b.at = BENCH_BASE;
	bench_emit2(&b, VIV_FE_CALL_HEADER_OP_CALL | 2, BENCH_BASE); /* endless recursion */
	bench_emit2(&b, 0, 0);
	bench_start(&b, BENCH_BASE, 1);
	bench_run(&b, 100 * US);
	CHECK_EQ(b.gc->fe->state, FE_ERROR);
	CHECK(bench_close(&b));
}

TEST(end_can_raise_an_event)
{
	bench_open(&b);
	bench_emit2(&b, VIV_FE_END_HEADER_OP_END | VIV_FE_END_HEADER_EVENT_ENABLE | 9, 0);
	bench_start(&b, BENCH_BASE, 1);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 9);
	CHECK(bench_close(&b));
}

/* A driver continues after a sync point by DMA_ADDRESS + 2 with prefetch 2. */
TEST(restarts_behind_end)
{
	uint32_t address;

	bench_open(&b);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_event(&b, 2, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 1);
	address = gc_read(b.gc, VIVS_FE_DMA_ADDRESS);
	CHECK_EQ(address, BENCH_BASE + 16);
	bench_start(&b, address + 2, 2);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 2);
	CHECK(bench_close(&b));
}

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

/* DMA_ADDRESS moves in the middle of a long operation, but not without limit. */
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
	b.gc->work.vertices = 480; /* 11 cycles each: ten microseconds */
	fe_end_work(b.gc);
	bench_run(&b, 0);
	CHECK(bench_cycles(&b) >= begin + 10 * 528 && bench_cycles(&b) < begin + 11 * 528);
	begin = bench_cycles(&b);
	bench_run(&b, 10 * US);
	CHECK_EQ(bench_cycles(&b) - begin, 10 * 528);
	CHECK(bench_close(&b));
}

/* A reset during an operation: the operation is aborted and costs no time. */
TEST(reset_in_the_middle_of_an_operation)
{
	bench_open(&b);
	b.gc->fe->in_run = true;
	fe_begin_work(b.gc);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	CHECK(!gc_yield(b.gc));
	b.gc->work.vertices = 1000000;
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
	/* two words a command at a word a cycle: (100 + 20) us at 528 MHz, half as many commands */
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

/* A command that takes longer than a time slice ends it. */
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

/* A fault inside a LOAD_STATE: states before it are loaded, none after it. */
TEST(fault_in_the_middle_of_a_command)
{
	bench_open(&b);
	bench_map(&b, BENCH_BASE + 0x10000, 0x40000000, BENCH_BASE, 1, 1);
	bench_enable_mmu(&b, BENCH_BASE + 0x10000);
	b.at = BENCH_BASE + 0xff0;
	bench_load(&b, VIVS_VS_UNIFORMS(0), 8, false);
	for (unsigned int i = 0; i < 8; i++)
		bench_emit(&b, 7);
	bench_start(&b, 0x40000ff0, 5);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_NO_PAGE);
	CHECK_EQ(gc_read(b.gc, MMUV2_EXCEPTION_ADDR(0)), 0x40001000);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_VS_UNIFORMS(2)), 7);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_VS_UNIFORMS(3)), 0);
	CHECK(bench_close(&b));
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
	/* the pixel engine is busy for long with a flush, so its event is later than FE's */
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
	b.gc->work.texture_bytes = 1000000;
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
	CHECK_EQ(move_a_megabyte(), alone);
	CHECK(bench_close(&b));
}

/*
 * The page directory is switched by a command of the block whose LINK then
 * goes to the new context: the block itself runs on as it was linked.
 */
TEST(block_outlives_a_directory_switch)
{
	uint32_t old = BENCH_BASE + 0x10000, new = BENCH_BASE + 0x14000, block;

	bench_open(&b);
	bench_map(&b, old, 0x40000000, BENCH_BASE, 8, 1);
	bench_map(&b, new, 0x50000000, JOB, 1, 1);
	bench_enable_mmu(&b, old);
	/*
	 * the page of the LINK is only mapped in the old directory, its target only in the new
	 * one
	 */
	b.at = BENCH_BASE + 0xff8;
	block = b.at;
	bench_state(&b, MMUV2_CONFIGURATION, new | MMUV2_FLUSH | MMUV2_MODE_KEEP);
	bench_link(&b, 2, 0x50000000);
	b.at = JOB;
	bench_event(&b, 5, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, 0x40000000 + (block - BENCH_BASE), 2);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 5);
	CHECK(bench_close(&b));
}

/* Behind the prefetched words the current directory is used. */
TEST(fetch_behind_the_block_faults)
{
	uint32_t old = BENCH_BASE + 0x10000, new = BENCH_BASE + 0x14000, block;

	bench_open(&b);
	bench_map(&b, old, 0x40000000, BENCH_BASE, 8, 1);
	bench_map(&b, new, 0x50000000, JOB, 1, 1);
	bench_enable_mmu(&b, old);
	b.at = BENCH_BASE + 0xff8;
	block = b.at;
	bench_state(&b, MMUV2_CONFIGURATION, new | MMUV2_FLUSH | MMUV2_MODE_KEEP);
	bench_end(&b); /* on the next page, which is not prefetched */
	bench_start(&b, 0x40000000 + (block - BENCH_BASE), 1);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_NO_TABLE);
	CHECK_EQ(gc_read(b.gc, MMUV2_EXCEPTION_ADDR(0)), 0x40001000);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 30);
	CHECK(bench_close(&b));
}

TEST(injected_faults)
{
	bench_open(&b);
	bench_map(&b, BENCH_BASE + 0x10000, 0x40000000, BENCH_BASE, 8, 1);
	bench_enable_mmu(&b, BENCH_BASE + 0x10000);
	b.at = JOB;
	bench_wait_loop(&b);
	bench_poke(&b, JOB + 12, 0x40000000 + JOB - BENCH_BASE);
	bench_map(&b, BENCH_BASE + 0x10000, 0x40000000, BENCH_BASE, 9, 1);
	bench_start(&b, 0x40000000 + JOB - BENCH_BASE, 2);
	bench_run(&b, 100 * US);
	CHECK(gc_is_polling(b.gc));
	gc_inject(b.gc, GC_FAULT_AXI);
	bench_run(&b, 1 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 31);
	CHECK_EQ(gc_read(b.gc, HI_AXI_STATUS), HI_AXI_READ_ERROR);
	gc_inject(b.gc, GC_FAULT_MMU);
	bench_run(&b, 1 * US);
	CHECK(!gc_is_polling(b.gc));
	bench_run(&b, 1 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 30);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_NO_PAGE);
	CHECK(bench_close(&b));
}

TEST(injected_hang_and_lost_event)
{
	bench_open(&b);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_event(&b, 2, VIVS_GL_EVENT_FROM_FE);
	bench_wait_loop(&b);
	gc_inject(b.gc, GC_FAULT_LOSE_EVENT);
	bench_start(&b, BENCH_BASE, 4);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 2);
	CHECK(gc_is_polling(b.gc));
	gc_inject(b.gc, GC_FAULT_HANG_FE);
	bench_run(&b, 100 * US);
	CHECK_EQ(b.gc->fe->state, FE_HUNG);
	gc_reset(b.gc);
	bench_start(&b, BENCH_BASE, 4);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 6);
	CHECK(bench_close(&b));
}

/* Guest memory is replaced while the front end is parked: no old pointer may be used. */
TEST(memory_may_move)
{
	uint8_t *other;

	bench_open(&b);
	bench_wait_loop(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 10 * US);
	CHECK(gc_is_polling(b.gc));
	other = aligned_alloc(4096, BENCH_RAM);
	memset(other, 0, BENCH_RAM);
	b.memory.region[0].host = other;
	memset(b.ram, 0xff, BENCH_RAM);
	CHECK(gc_poll(b.gc)); /* zeros: the loop has changed */
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_LOW), 0);
	free(other);
	b.memory.count = 0;
	gc_reset(b.gc);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 10 * US); /* no memory: reads zeros, and raises a bus error */
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 31);
	CHECK(bench_close(&b));
}

int main(void)
{
	RUN(boots_and_runs_a_nop_job);
	RUN(loads_states);
	RUN(skips_commands_without_effect);
	RUN(stops_at_illegal_commands);
	RUN(draws_what_the_command_says);
	RUN(instanced_draws_need_halti2);
	RUN(calls_and_returns);
	RUN(bad_calls_end_in_an_error);
	RUN(end_can_raise_an_event);
	RUN(restarts_behind_end);
	RUN(parks_in_its_wait_loop);
	RUN(parked_front_end_seems_to_move);
	RUN(slow_software_does_not_look_hung);
	RUN(slow_software_costs_no_cycles);
	RUN(reset_in_the_middle_of_an_operation);
	RUN(patched_wait_is_read_whole);
	RUN(parks_in_a_link_to_itself);
	RUN(other_loops_do_not_hang_the_host);
	RUN(gives_the_host_back_in_real_time);
	RUN(a_long_command_ends_the_slice);
	RUN(fault_in_the_middle_of_a_command);
	RUN(wait_takes_time);
	RUN(events_come_in_order_of_their_time);
	RUN(many_events_all_arrive);
	RUN(events_without_a_source_or_number_do_nothing);
	RUN(stall_waits_for_the_pixel_engine);
	RUN(stall_without_semaphore_hangs);
	RUN(stall_inside_the_pipeline);
	RUN(slowdown_stretches_time);
	RUN(scan_out_slows_memory);
	RUN(block_outlives_a_directory_switch);
	RUN(fetch_behind_the_block_faults);
	RUN(injected_faults);
	RUN(injected_hang_and_lost_event);
	RUN(memory_may_move);
	return test_end();
}
