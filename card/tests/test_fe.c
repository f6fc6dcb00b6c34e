// SPDX-License-Identifier: MIT
/*
 * The front end: commands, calls, faults, reported hazards; loops, events and time: test_fe_time.c.
 */
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
	/* etnaviv's reset: load the full clock, isolate the core, SOFT_RESET, and back */
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
	/* one, an even number with padding, the count 0 that means 1024, and fixed point */
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

static void emit_draw(void)
{
	bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, PRIMITIVE_TYPE_TRIANGLES);
	bench_emit2(&b, 3, 5);
}

/* The commands that the hazard report is about reach it, with their addresses. */
TEST(reports_hazards)
{
	char text[4096] = "", expected[512];
	FILE *file = fmemopen(text, sizeof(text), "w");
	uint32_t first;

	bench_open(&b);
	b.gc->options.hazards = file;
	for (unsigned int good = 0; good < 2; good++) {
		emit_draw();
		if (good) {
			bench_state(&b, VIVS_GL_FLUSH_CACHE,
				    VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
			bench_semaphore(&b, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
			bench_stall(&b, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
		}
		bench_state(&b, VIVS_RS_KICKER, 0xbeebbeeb);
		first = good ? first : b.at;
	}
	bench_state(&b, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	emit_draw();
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 1000 * US);
	CHECK_EQ(b.gc->counters.fe_draws, 3);
	CHECK(bench_close(&b));
	fclose(file);
	snprintf(expected, sizeof(expected), "rs-flush at 0x%08x\n", first);
	CHECK(strstr(text, expected));
	snprintf(expected, sizeof(expected), "rs-stall at 0x%08x\n", first);
	CHECK(strstr(text, expected));
	CHECK(strstr(text,
		     "rs-flush (b): applied 2, broken 1\nrs-stall (b): applied 2, broken 1\n"));
	CHECK(strstr(text, "txvs-stall (b): applied 1, broken 1\n"));
}

/*
 * Whether an event arrives behind a draw and a write of @value to the state at @address. Leaves the
 * core open.
 * @fail: --hazards=fail
 * @random: seed of --hazards=random, or 0
 */
static bool runs_on(bool fail, uint64_t random, uint32_t address, uint32_t value)
{
	char text[1024];
	FILE *file = fmemopen(text, sizeof(text), "w");
	bool event, error;

	bench_open(&b);
	b.gc->options.hazards = file;
	b.gc->options.hazards_fail = fail;
	b.gc->options.hazards_random = random;
	b.gc->fe->hazard_random = random;
	/* states without which the draw itself would break a rule */
	bench_state(&b, VIVS_SE_CLIP_RIGHT, 1);
	bench_state(&b, VIVS_SE_CLIP_BOTTOM, 1);
	bench_state(&b, VIVS_PA_VIEWPORT_UNK00A80, 1);
	bench_state(&b, VIVS_PA_VIEWPORT_UNK00A84, 1);
	bench_state(&b, VIVS_GL_BUG_FIXES, 6);
	bench_state(&b, VIVS_PE_COLOR_FORMAT, VIVS_PE_COLOR_FORMAT_OVERWRITE);
	emit_draw();
	bench_state(&b, address, value);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 1000 * US);
	event = b.gc->fe->pending & 2;
	error = b.gc->fe->pending & (1u << HI_INTR_AXI_BIT);
	fclose(file);
	b.gc->options.hazards = NULL;
	return event && !error;
}

TEST(hazards_stop_the_front_end)
{
	/* RS_KICKER after a draw: lost pixels; a window without a size hangs */
	CHECK(!runs_on(true, 0, VIVS_RS_KICKER, 1));
	CHECK_EQ(b.gc->counters.rs_resolves, 0);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), (1u << HI_INTR_AXI_BIT));
	CHECK(gc_read(b.gc, HI_AXI_STATUS));
	CHECK(bench_close(&b));
	CHECK(runs_on(false, 1, VIVS_PE_PIPE_COLOR_ADDR(0), 0x1000));
	CHECK(bench_close(&b));
	CHECK(!runs_on(true, 0, VIVS_PE_PIPE_COLOR_ADDR(0), 0x1000));
	CHECK(bench_close(&b));
	CHECK(!runs_on(false, 1, VIVS_RS_KICKER_INPLACE, 1));
	CHECK(bench_close(&b));
	/* a rule of certainty c (gc/sync.h) is only reported */
	CHECK(runs_on(true, 1, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE));
	CHECK(bench_close(&b));
}

/* Some changes of the depth test hang, by chance: the same ones for the same seed. */
TEST(hazards_by_chance)
{
	unsigned int hung = 0;

	for (uint64_t seed = 0; seed < 64; seed++) {
		bool runs = runs_on(false, seed + 1, VIVS_PE_DEPTH_CONFIG, 1);

		CHECK(bench_close(&b));
		CHECK_EQ(runs_on(false, seed + 1, VIVS_PE_DEPTH_CONFIG, 1), runs);
		CHECK(bench_close(&b));
		hung += !runs;
	}
	CHECK(hung >= 8 && hung <= 24); /* a quarter is expected */
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

/* A draw of no primitives has no vertices, not even the first ones of a strip. */
TEST(draws_of_nothing_have_no_vertices)
{
	bench_open(&b);
	for (uint32_t type = PRIMITIVE_TYPE_POINTS; type <= PRIMITIVE_TYPE_QUADS; type++) {
		bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, type);
		bench_emit2(&b, 0, 0);
	}
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 1000 * US);
	CHECK_EQ(b.gc->counters.fe_draws, PRIMITIVE_TYPE_QUADS);
	CHECK_EQ(b.gc->counters.vs_vertices, 0);
	CHECK_EQ(b.gc->counters.pa_input_primitives, 0);
	CHECK(bench_close(&b));
}

/* HALTI0 has instanced draws, without START (rnndb). */
TEST(instanced_draws_of_older_cores)
{
	bench_open_with(&b, "gc2000", NULL);
	bench_emit2(&b, VIV_FE_DRAW_INSTANCED_HEADER_OP_DRAW_INSTANCED | 1, 3);
	bench_emit2(&b, 0, 0);
	bench_end(&b);
	gc_set_null_draw(b.gc, true);
	bench_start(&b, BENCH_BASE, 0);
	bench_run(&b, 100 * US);
	CHECK_EQ(b.gc->counters.fe_draws, 1);
	CHECK(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE);
	CHECK(bench_close(&b));
}

/* A field whose mask bit is set keeps its value; one without a mask bit in the word does not. */
TEST(masked_fields_do_not_change)
{
	const uint32_t before = VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE |
				VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(3) |
				VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8;

	bench_open(&b);
	gc_load_state(b.gc, VIVS_PE_DEPTH_CONFIG, before);
	gc_load_state(b.gc, VIVS_PE_DEPTH_CONFIG,
		      VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE_MASK | VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(5) |
			      VIVS_PE_DEPTH_CONFIG_EARLY_Z);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PE_DEPTH_CONFIG),
		 VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE_MASK | VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE |
			 VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(5) | VIVS_PE_DEPTH_CONFIG_EARLY_Z);
	gc_load_state(b.gc, VIVS_PA_CONFIG, VIVS_PA_CONFIG_CULL_FACE_MODE_CCW);
	gc_load_state(b.gc, VIVS_PA_CONFIG, VIVS_PA_CONFIG_CULL_FACE_MODE_MASK);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_CONFIG),
		 VIVS_PA_CONFIG_CULL_FACE_MODE_CCW | VIVS_PA_CONFIG_CULL_FACE_MODE_MASK);
	gc_load_state(b.gc, VIVS_GL_MULTI_SAMPLE_CONFIG,
		      VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(5));
	gc_load_state(b.gc, VIVS_GL_MULTI_SAMPLE_CONFIG,
		      VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES_MASK | 2);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_GL_MULTI_SAMPLE_CONFIG),
		 VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES_MASK |
			 VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(5) | 2);
	CHECK(bench_close(&b));
}

/* What a LINK does not prefetch is never fetched: a block without an end in these words hangs. */
TEST(short_prefetch_hangs)
{
	for (unsigned int prefetch = 1; prefetch < 4; prefetch++) {
		bench_open(&b);
		bench_link(&b, prefetch, JOB);
		b.at = JOB;
		bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
		bench_event(&b, 2, VIVS_GL_EVENT_FROM_FE);
		bench_end(&b);
		bench_start(&b, BENCH_BASE, 1);
		bench_run(&b, 100 * US);
		CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), prefetch > 1 ? 6 : 2);
		CHECK_EQ(b.gc->fe->state, prefetch < 3 ? FE_HUNG : FE_STOPPED);
		CHECK(bench_close(&b));
	}
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

/* --truth: a line for each event, with its time and what was done before. */
TEST(events_write_the_truth)
{
	char line[160] = "";
	FILE *truth = tmpfile();
	unsigned long long time, cycle;
	int got = 0;

	CHECK(truth);
	bench_open(&b);
	b.gc->options.truth = truth;
	b.gc->counters.vs_vertices = 12;
	b.gc->counters.ps_pixels = 34;
	bench_event(&b, 5, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 100 * US);
	rewind(truth);
	CHECK(fgets(line, sizeof(line), truth));
	got = sscanf(line, "event 5 %llu %llu 12 34 0 0", &time, &cycle);
	CHECK_EQ(got, 2);
	CHECK(time > 0 && cycle > 0);
	CHECK(!fgets(line, sizeof(line), truth));
	fclose(truth);
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
	return test_all();
}
