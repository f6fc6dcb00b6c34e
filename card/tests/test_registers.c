// SPDX-License-Identifier: MIT
/* The register window: identity, clock and reset, interrupts, cycle and profiling counters. */
#include "fe_bench.h"
#include "fe_fakes.h"
#include "gc/pe_internal.h"
#include "gc/tx.h"

/* HI_CLOCK_CONTROL is written as 0x100 in most tests: a frequency scale of 64, the whole clock. */

#define US 1000ull
#define MS 1000000ull

static struct bench b;

#define FIELD(word, shift, bits) ((word) >> (shift) & ((1u << (bits)) - 1))

TEST(identifies_as_gc3000)
{
	bench_open(&b);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_IDENTITY) >> 24, 0);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MODEL), 0x2000);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_REV), 0xffff5450);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_PRODUCT_ID), 0);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_ECO_ID), 0);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_CUSTOMER_ID), 0);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_FEATURE), 0xe0285cad);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MINOR_0), 0xc9799efb);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MINOR_1), 0xfefbfadb);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MINOR_2), 0xeb9d4bbf);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MINOR_3), 0xedffdced);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MINOR_4), 0x930d2f47);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MINOR_5), 0x10000133);
	CHECK(bench_close(&b));
}

/*
 * The limits are read as a driver decodes them: powers of two; sixteen streams in CHIP_SPECS_4.
 */
TEST(specs_decode_to_the_limits)
{
	for (unsigned int i = 0; gc_personality_at(i); i++) {
		const struct gc_personality *p = gc_personality_at(i);
		uint32_t specs, specs2, streams;

		bench_open_with(&b, p->name, NULL);
		specs = gc_read(b.gc, HI_CHIP_SPECS);
		specs2 = gc_read(b.gc, HI_CHIP_SPECS_2);
		streams = FIELD(gc_read(b.gc, HI_CHIP_SPECS_4), 12, 5);
		CHECK_EQ(streams ? streams : FIELD(specs, 0, 4), p->streams);
		CHECK_EQ(1u << FIELD(specs, 4, 4), 64);
		CHECK_EQ(1u << FIELD(specs, 8, 4), p->threads);
		CHECK_EQ(FIELD(specs, 12, 5), 16);
		CHECK_EQ(FIELD(specs, 20, 5), p->shader_cores);
		CHECK_EQ(FIELD(specs, 25, 3), p->pixel_pipes);
		CHECK_EQ(1u << FIELD(specs, 28, 4), p->halti >= 2 ? 1024 : 512);
		CHECK_EQ(FIELD(specs2, 8, 8), 0);
		CHECK_EQ(specs2 >> 16, p->uniforms);
		/* on HALTI0 one more than drivers can use, since the position takes one */
		CHECK_EQ(FIELD(gc_read(b.gc, HI_CHIP_SPECS_3), 4, 5),
			 p->varyings + (p->halti == 0));
		CHECK(bench_close(&b));
	}
}

TEST(unknown_registers_are_harmless)
{
	bench_open(&b);
	for (uint32_t offset = 0; offset < 0x12000; offset += 4) {
		if (offset == VIVS_FE_COMMAND_CONTROL || offset == HI_CLOCK_CONTROL)
			continue;
		gc_write(b.gc, offset, 0xffffffff);
		gc_read(b.gc, offset);
	}
	CHECK_EQ(gc_read(b.gc, 0x2000), 0);
	CHECK_EQ(gc_read(b.gc, 0xfffc), 0);
	CHECK_EQ(gc_read(b.gc, 0x10000), 0);
	CHECK_EQ(gc_read(b.gc, HI_CHIP_MODEL), 0x2000);
	CHECK(bench_close(&b));
}

TEST(power_registers_keep_what_is_written)
{
	static const uint32_t kept[] = { HI_AXI_CONFIG, PM_POWER_CONTROLS, PM_MODULE_CONTROLS,
					 PM_PULSE_EATER, MC_BUS_CONFIG };

	bench_open(&b);
	for (unsigned int i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		gc_write(b.gc, kept[i], 0x12340000 + i);
		CHECK_EQ(gc_read(b.gc, kept[i]), 0x12340000 + i);
	}
	CHECK(bench_close(&b));
}

/* A read acknowledges; the line is active while a pending bit is enabled. */
TEST(interrupts_clear_on_read)
{
	bench_open(&b);
	bench_event(&b, 0, VIVS_GL_EVENT_FROM_FE);
	bench_event(&b, 29, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	gc_write(b.gc, HI_INTR_ENABLE, 1u << 29);
	bench_start(&b, BENCH_BASE, 3);
	bench_run(&b, 10 * US);
	CHECK(b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 29 | 1);
	CHECK(!b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	gc_write(b.gc, HI_INTR_ENABLE, 0);
	bench_start(&b, BENCH_BASE, 3);
	bench_run(&b, 10 * US);
	CHECK(!b.irq);
	gc_write(b.gc, HI_INTR_ENABLE, 1);
	CHECK(b.irq);
	gc_write(b.gc, HI_INTR_ENABLE, 0);
	CHECK(!b.irq);
	CHECK_EQ(b.irq_edges, 4);
	CHECK(bench_close(&b));
}

/* Caches are cold after a reset: the same texel is fetched again. */
TEST(soft_reset_empties_the_texture_cache)
{
	const uint32_t line = 64;

	bench_open(&b);
	CHECK_EQ(cache_model_read(&b.gc->tx->cache, &line, 1), 1);
	CHECK_EQ(cache_model_read(&b.gc->tx->cache, &line, 1), 0);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	CHECK_EQ(cache_model_read(&b.gc->tx->cache, &line, 1), 1);
	CHECK(bench_close(&b));
}

/* A reset drops queued events, a stall of the front end and all states. */
TEST(soft_reset_forgets)
{
	bench_open(&b);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	bench_state(&b, VIVS_PA_LINE_WIDTH, 5);
	bench_busy(&b, 10000);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_semaphore(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_stall(&b, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 8);
	bench_run(&b, 50 * US);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_LINE_WIDTH), 5);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	/* held in reset: does not start */
	bench_start(&b, BENCH_BASE, 8);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	CHECK_EQ(gc_read(b.gc, HI_CLOCK_CONTROL), 0x100 | HI_CLOCK_IDLE_3D | HI_CLOCK_IDLE_2D);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_PA_LINE_WIDTH), 0);
	bench_run(&b, 100 * MS);
	CHECK(!b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	CHECK(bench_close(&b));
}

/* The frequency scale takes effect with LOAD; the cycle counter follows it. */
TEST(clock_scales)
{
	uint32_t before;

	bench_open(&b);
	before = gc_read(b.gc, HI_TOTAL_CYCLES);
	bench_run(&b, 1 * MS);
	CHECK_EQ(gc_read(b.gc, HI_TOTAL_CYCLES) - before, 528000);
	gc_write(b.gc, HI_CLOCK_CONTROL, 32u << HI_CLOCK_FSCALE_SHIFT); /* no LOAD */
	before = gc_read(b.gc, HI_TOTAL_CYCLES);
	bench_run(&b, 1 * MS);
	CHECK_EQ(gc_read(b.gc, HI_TOTAL_CYCLES) - before, 528000);
	gc_write(b.gc, HI_CLOCK_CONTROL, 32u << HI_CLOCK_FSCALE_SHIFT | HI_CLOCK_FSCALE_LOAD);
	before = gc_read(b.gc, HI_TOTAL_CYCLES);
	bench_run(&b, 1 * MS);
	CHECK_EQ(gc_read(b.gc, HI_TOTAL_CYCLES) - before, 264000);
	CHECK(bench_close(&b));
}

/* Queued events wait while the clock is stopped. */
TEST(clock_gates)
{
	uint32_t before;

	bench_open(&b);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	bench_busy(&b, 114);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 4);
	bench_run(&b, 50 * US);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_3D_DISABLE);
	before = gc_read(b.gc, HI_TOTAL_CYCLES);
	bench_run(&b, 10 * MS);
	CHECK_EQ(gc_read(b.gc, HI_TOTAL_CYCLES), before);
	CHECK(!b.irq);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	bench_run(&b, 60 * US);
	CHECK(!b.irq);
	bench_run(&b, 10 * US);
	CHECK(b.irq);
	CHECK(bench_close(&b));
}

TEST(a_stopped_clock_stops_the_front_end)
{
	bench_open(&b);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_3D_DISABLE);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 1 * MS);
	CHECK_EQ(b.gc->counters.fe_commands, 0);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	bench_run(&b, 10 * US);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 2);
	CHECK(bench_close(&b));
}

/* Idle cycles are those without work, at the personality's address. */
TEST(cycle_counters)
{
	static const char *const names[] = { "gc3000", "gc2000" };

	for (unsigned int i = 0; i < 2; i++) {
		uint32_t total = i ? MC_CYCLE_COUNTER : HI_TOTAL_CYCLES;
		uint32_t idle = i ? HI_TOTAL_CYCLES : HI_IDLE_CYCLES;
		uint32_t busy;

		bench_open_with(&b, names[i], NULL);
		gc_write(b.gc, MC_MEMORY_BASE_FE, BENCH_BASE);
		b.at = BENCH_BASE;
		bench_busy(&b, 114);
		bench_end(&b);
		bench_run(&b, 1 * MS);
		bench_start(&b, i ? 0 : BENCH_BASE, 3);
		bench_run(&b, 50 * US); /* in the middle */
		busy = gc_read(b.gc, total) - gc_read(b.gc, idle);
		CHECK_EQ(busy, 26400);
		bench_run(&b, 949 * US);
		bench_run(&b, 1 * US);
		CHECK_EQ(gc_read(b.gc, total), 1056000);
		busy = gc_read(b.gc, total) - gc_read(b.gc, idle);
		/* whole points, so up to 11 cycles less than asked for; and the front end's time */
		CHECK(busy >= 114 * 528 - 11 && busy < 114 * 528 + 500);
		gc_write(b.gc, total, 0);
		CHECK_EQ(gc_read(b.gc, total), 0);
		bench_run(&b, 1 * US);
		CHECK_EQ(gc_read(b.gc, total), 528);
		CHECK_EQ(gc_read(b.gc, idle), 528);
		gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
		CHECK_EQ(gc_read(b.gc, total), 0);
		CHECK_EQ(gc_read(b.gc, idle), 0);
		CHECK(bench_close(&b));
	}
}

/* Selectors return their counts; the pipes' shares add up; 15 clears a unit's, except MC's. */
TEST(profile_counters)
{
	uint32_t sum = 0;

	bench_open(&b);
	b.gc->counters.pe_drawn_by_color = 101;
	b.gc->counters.pe_killed_by_depth = 7;
	b.gc->counters.ra_quads = 55;
	b.gc->counters.vs_vertices = 33;
	b.gc->counters.ps_pixels = 44;
	b.gc->counters.tx_requests = 66;
	b.gc->counters.pa_input_primitives = 77;
	b.gc->counters.fe_draws = 88;
	b.gc->counters.mc_color_write_bytes = 800;
	/* from low to high bytes: FE, DE, PE, SH; PA, SE, RA, TX; MC, HI */
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 10 | 2 << 16 | 8 << 24);
	gc_write(b.gc, MC_PROFILE_CONFIG(1), 4 | 1 << 16 | 3 << 24);
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 5);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_FE), 88);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PA), 77);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_RA), 55);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_TX), 66);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_SH), 44);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_MC), 100);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_DE), 0);
	for (unsigned int pipe = 0; pipe < 3; pipe++) {
		gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | pipe << HI_CLOCK_PIPE_SHIFT);
		sum += gc_read(b.gc, MC_PROFILE_PE);
	}
	CHECK_EQ(sum, 101);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 1 << 16 | 10 << 24);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PE), 7 - 3);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_SH), 17);
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 15 << 16 | 10 << 24);
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 2 << 16 | 10 << 24);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PE), 0);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_SH), 17); /* another unit */
	b.gc->counters.pe_drawn_by_color += 4;
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PE), 2);
	b.gc->counters.hi_read_stalls = 12;
	b.gc->counters.hi_write_stalls = 34;
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 0 << 8);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_HI), 12);
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 1 << 8);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_HI), 34);
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 2 << 8);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_HI), 34);
	/* of MC, 15 is a count, and resets nothing */
	b.gc->counters.rs_write_bytes = 160;
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 15);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_MC), 20);
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 5);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_MC), 100);
	/* an unknown selector is zero */
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 0xff << 16);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PE), 0);
	CHECK(bench_close(&b));
}

/*
 * After a reset, counters can start shortly before 32-bit overflow, each pipe's share too. Idle and
 * total cycles start at the same value, so that their difference is still the busy cycles.
 */
TEST(counters_begin_where_set)
{
	uint32_t total;

	bench_open(&b);
	gc_set_count_from(b.gc, 0xfffffff0);
	CHECK(gc_read(b.gc, HI_TOTAL_CYCLES) < 0xfffffff0);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	total = gc_read(b.gc, HI_TOTAL_CYCLES);
	CHECK(total >= 0xfffffff0);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_CYCLES), total);
	b.gc->counters.pe_drawn_by_color = 40;
	b.gc->counters.fe_draws = 5;
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 10 | 2 << 16);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_FE), 0xfffffff5);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PE), 4);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | 1 << HI_CLOCK_PIPE_SHIFT);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_PE), 4);
	CHECK_EQ(gc_read(b.gc, HI_READ_BYTES8), 0xfffffff0);
	CHECK(bench_close(&b));
}

TEST(profile_registers_can_be_switched_off)
{
	bench_open(&b);
	b.gc->counters.fe_draws = 5;
	gc_write(b.gc, MC_PROFILE_CONFIG(0), 10);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_DEBUG_DISABLE);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_FE), 0);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	CHECK_EQ(gc_read(b.gc, MC_PROFILE_FE), 5);
	CHECK(bench_close(&b));
}

/* Bandwidth in units of eight bytes, summed over the pipes; MEMORY_COUNTER_RESET zeroes it. */
TEST(bandwidth_counters)
{
	uint32_t sum = 0;

	bench_open(&b);
	b.gc->counters.tx_read_bytes = 8 * 1001;
	b.gc->counters.pe_write_bytes = 8 * 10;
	for (unsigned int pipe = 0; pipe < 2; pipe++) {
		gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | pipe << HI_CLOCK_PIPE_SHIFT);
		sum += gc_read(b.gc, HI_READ_BYTES8);
	}
	CHECK_EQ(sum, 1001);
	CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 5);
	gc_write(b.gc, HI_MEMORY_COUNTER_RESET, 1);
	CHECK_EQ(gc_read(b.gc, HI_READ_BYTES8), 0);
	CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 0);
	/* 1 holds both at 0, 0 lets them count from there */
	b.gc->counters.pe_write_bytes += 8 * 20;
	CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 0);
	gc_write(b.gc, HI_MEMORY_COUNTER_RESET, 0);
	CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 0);
	b.gc->counters.pe_write_bytes += 8 * 6;
	CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 3);
	CHECK(bench_close(&b));
}

/* Bytes of tile status and of shaders' own accesses are in all of these counts of 8-byte words. */
TEST(bytes_of_tile_status_and_shaders)
{
	const struct {
		uint8_t select;
		uint32_t words;
	} expected[] = { { 1, 7 }, { 3, 15 }, { 12, 7 }, { 13, 15 }, { 14, 7 }, { 15, 15 } };

	bench_open(&b);
	b.gc->work = (struct gpu_work){ .ts_read_bytes = 24,
					.ts_write_bytes = 56,
					.ps_accesses = 3,
					.vs_accesses = 4,
					.ps_read_bytes = 8,
					.vs_read_bytes = 24,
					.ps_write_bytes = 48,
					.vs_write_bytes = 16 };
	fe_end_work(b.gc);
	CHECK_EQ(b.gc->counters.sh_accesses, 7);
	CHECK_EQ(b.gc->counters.ts_read_bytes, 24);
	CHECK_EQ(b.gc->counters.sh_write_bytes, 64);
	for (unsigned int i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		gc_write(b.gc, MC_PROFILE_CONFIG(2), expected[i].select);
		CHECK_EQ(gc_read(b.gc, MC_PROFILE_MC), expected[i].words);
	}
	CHECK_EQ(gc_read(b.gc, HI_READ_BYTES8), 4); /* the first pipe's share */
	CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 8);
	CHECK(bench_close(&b));
}

/* The tile status cache is written back by its own state, not with pixels; a reset empties it. */
TEST(tile_status_is_flushed_by_its_own_state)
{
	struct gc_tile_status ts = { .status_address = BENCH_BASE,
				     .surface_address = BENCH_BASE + 4096,
				     .tile_bytes = 64,
				     .bits = 2,
				     .client = GC_CLIENT_PE };
	bool cleared;

	bench_open(&b);
	b.ram[0] = 0x55;
	CHECK(gc_ts_fill_tile(b.gc, &b.gc->pe->ts_cache, &ts, 0, &cleared));
	gc_load_state(b.gc, VIVS_GL_FLUSH_CACHE,
		      VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
	CHECK_EQ(b.ram[0], 0x55);
	gc_load_state(b.gc, VIVS_TS_FLUSH_CACHE, 0);
	CHECK_EQ(b.ram[0], 0x55);
	gc_load_state(b.gc, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	CHECK_EQ(b.ram[0], 0x54);
	CHECK_EQ(b.gc->counters.ts_write_bytes, 64);
	CHECK(gc_ts_fill_tile(b.gc, &b.gc->pe->ts_cache, &ts, 1, &cleared));
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x1000); /* SOFT_RESET */
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	gc_load_state(b.gc, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	CHECK_EQ(b.ram[0], 0x54);
	CHECK_EQ(b.gc->counters.ts_write_bytes, 64);
	CHECK(bench_close(&b));
}

static unsigned int emitted;
static char last_name[64];
static uint64_t commands_seen;

static void emit(void *ctx, const char *name, uint64_t value)
{
	emitted++;
	snprintf(last_name, sizeof(last_name), "%s", name);
	if (!strcmp(name, "gc.fe.commands"))
		commands_seen = value;
}

TEST(statistics)
{
	unsigned int first;

	bench_open(&b);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 1);
	bench_run(&b, 10 * US);
	emitted = 0;
	gc_print_statistics(b.gc, emit, NULL);
	first = emitted;
	CHECK(first > 50);
	CHECK_EQ(commands_seen, 1);
	CHECK(!strcmp(last_name, "gc.hi.resets"));
	gc_clear_statistics(b.gc);
	gc_print_statistics(b.gc, emit, NULL);
	CHECK_EQ(emitted, 2 * first);
	CHECK_EQ(commands_seen, 0);
	CHECK(bench_close(&b));
}

/* The trace of the same run is the same text, and names states. */
TEST(trace_is_readable_and_repeats)
{
	char *text[2];
	size_t size[2];

	for (unsigned int i = 0; i < 2; i++) {
		FILE *file = open_memstream(&text[i], &size[i]);

		bench_open_with(&b, "gc3000", file);
		bench_state(&b, VIVS_PE_COLOR_FORMAT, 0x123);
		bench_event(&b, 3, VIVS_GL_EVENT_FROM_PE);
		bench_wait_loop(&b);
		bench_start(&b, BENCH_BASE, 4);
		bench_run(&b, 10 * US);
		CHECK(bench_close(&b));
		fclose(file);
	}
	CHECK_EQ(size[0], size[1]);
	CHECK(!memcmp(text[0], text[1], size[0]));
	CHECK(strstr(text[0], "fe state 0x0142c PE_COLOR_FORMAT[0] = 0x00000123\n"));
	CHECK(strstr(text[0], " hi interrupt 3\n"));
	CHECK(strstr(text[0], " hi write 0x654 = 0x10000000\n"));
	free(text[0]);
	free(text[1]);
}

TEST(state_names)
{
	unsigned int index = 99;

	CHECK(!strcmp(gc_state_name(VIVS_GL_EVENT, &index), "GL_EVENT"));
	CHECK(!strcmp(gc_state_name(VIVS_VS_UNIFORMS(17), &index), "VS_UNIFORMS"));
	CHECK_EQ(index, 17);
	CHECK(!gc_state_name(0x100, &index));
	CHECK(!gc_state_name(VIVS_GL_STALL_TOKEN + 4, &index));
}

int main(void)
{
	return test_all();
}
