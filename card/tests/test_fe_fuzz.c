// SPDX-License-Identifier: MIT
/*
 * Random streams for the front end: random words, and random words that resemble commands. The
 * front end must return after modelled time has passed, stay inside guest memory, and work
 * after a reset. Seeds are fixed, so failures are reproducible (fuzz.h).
 */
#include "fe_bench.h"
#include "fe_fakes.h"
#include "fuzz.h"

#define STREAM_WORDS 2048u
#define STREAMS 100u
#define STARTS 200u
#define TABLES (BENCH_BASE + 0x80000)
#define MIN_COMMANDS 1000u /* for each of STREAMS, in all tests together */

static struct bench b;
static uint64_t commands;

/* An address that is inside memory in most cases. */
static uint32_t some_address(void)
{
	uint32_t r = fuzz_u32();

	return r & 7 ? BENCH_BASE + (r >> 3) % BENCH_RAM : r;
}

/* States with side effects, with a higher share than at random. */
static uint32_t some_state(void)
{
	static const uint32_t states[] = {
		VIVS_GL_EVENT,
		VIVS_GL_SEMAPHORE_TOKEN,
		VIVS_GL_STALL_TOKEN,
		VIVS_GL_FLUSH_CACHE,
		VIVS_GL_FLUSH_MMU,
		VIVS_RS_KICKER,
		VIVS_RS_KICKER_INPLACE,
		MMUV2_CONFIGURATION,
		MMUV2_SAFE_ADDRESS,
		VIVS_GL_OCCLUSION_QUERY_ADDR,
		VIVS_GL_OCCLUSION_QUERY_CONTROL,
		VIVS_GL_PIPE_SELECT,
		VIVS_TS_FLUSH_CACHE,
	};
	uint32_t r = fuzz_u32();

	return r & 3 ? states[(r >> 2) % (sizeof(states) / sizeof(states[0]))] : r % 0x40000;
}

/* Whether a LOAD_STATE sets the size of resolves. */
static bool sizes_resolves(uint32_t header)
{
	uint32_t first = header & VIV_FE_LOAD_STATE_HEADER_OFFSET__MASK;
	uint32_t count = (header & VIV_FE_LOAD_STATE_HEADER_COUNT__MASK) >>
			 VIV_FE_LOAD_STATE_HEADER_COUNT__SHIFT;

	return VIVS_RS_WINDOW_SIZE / 4 - first < (count ? count : 1024);
}

/*
 * One command, plausible in its first word. Resolves of a size that keeps a
 * software pixel engine busy for minutes are left to that engine's own tests.
 */
static void emit_command(void)
{
	static const uint32_t opcodes[] = {
		VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE, /* four times as often as others */
		VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE,
		VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE,
		VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE,
		VIV_FE_NOP_HEADER_OP_NOP,
		VIV_FE_DRAW_2D_HEADER_OP_DRAW_2D,
		VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES,
		VIV_FE_DRAW_INDEXED_PRIMITIVES_HEADER_OP_DRAW_INDEXED_PRIMITIVES,
		VIV_FE_WAIT_HEADER_OP_WAIT,
		VIV_FE_LINK_HEADER_OP_LINK,
		VIV_FE_STALL_HEADER_OP_STALL,
		VIV_FE_CALL_HEADER_OP_CALL,
		VIV_FE_RETURN_HEADER_OP_RETURN,
		VIV_FE_DRAW_INSTANCED_HEADER_OP_DRAW_INSTANCED,
		VIV_FE_CHIP_SELECT_HEADER_OP_CHIP_SELECT,
	};
	uint32_t r = fuzz_u32();
	uint32_t opcode = opcodes[r % (sizeof(opcodes) / sizeof(opcodes[0]))];

	if (opcode == VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE && (r & 0x300)) {
		bench_state(&b, some_state(), fuzz_u32() & 1 ? some_address() : fuzz_u32());
		return;
	}
	if (opcode == VIV_FE_STALL_HEADER_OP_STALL && (r & 0x100)) {
		bench_semaphore(&b, 1, 7); /* FE waits for PE */
		bench_stall(&b, 1, 7);
		return;
	}
	r = opcode | (fuzz_u32() & ~VIV_FE_NOP_HEADER_OP__MASK);
	if (opcode == VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE && sizes_resolves(r))
		r = opcode;
	bench_emit2(&b, r, some_address());
}

static void fill(bool plausible)
{
	b.at = BENCH_BASE;
	while (b.at < BENCH_BASE + 4 * STREAM_WORDS) {
		if (plausible)
			emit_command();
		else
			bench_emit2(&b, fuzz_u32(), fuzz_u32());
	}
}

/* After a reset the front end must execute a job that is one event. */
static void check_recovers(void)
{
	bench_soft_reset(&b);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	bench_check_job(&b);
}

/*
 * Most streams stop soon, or wait for long modelled times: go on somewhere
 * else in them, mostly after a reset.
 */
static void run_stream(bool with_mmu)
{
	for (unsigned int start = 0; start < STARTS; start++) {
		if (fuzz_u32() & 7)
			bench_soft_reset(&b);
		if (with_mmu)
			bench_enable_mmu(&b, TABLES);
		bench_start(&b, BENCH_BASE + fuzz_u32() % (4 * STREAM_WORDS), fuzz_u32() & 0xffff);
		bench_run(&b, 2000);
	}
	commands += b.gc->counters.fe_commands;
}

static void run_streams(const char *personality, bool plausible, bool with_mmu)
{
	FILE *trace = fopen("/dev/null", "w");
	uint64_t count = fuzz_cases(STREAMS);

	for (uint64_t i = 0; i < count && test_ok; i++) {
		fuzz_begin(i);
		bench_open_with(&b, personality, i & 1 ? trace : NULL);
		fill(plausible);
		if (with_mmu)
			bench_map(&b, TABLES, BENCH_BASE, BENCH_BASE, 128, 1);
		run_stream(with_mmu);
		check_recovers();
		CHECK(bench_close(&b));
	}
	fclose(trace);
}

TEST(random_words)
{
	run_streams("gc3000", false, false);
}

TEST(random_commands)
{
	run_streams("gc3000", true, false);
}

TEST(random_commands_behind_mmuv2)
{
	run_streams("gc3000", true, true);
}

TEST(random_commands_behind_mmuv1)
{
	run_streams("gc2000", true, false);
}

TEST(enough_commands_were_executed)
{
	CHECK(commands >= MIN_COMMANDS * fuzz_cases(STREAMS));
}

int main(void)
{
	return test_all();
}
