// SPDX-License-Identifier: MIT
/*
 * Random draws and resolves through the whole core: nearly valid shader programs, random states
 * of all blocks around a valid scene, buffers at any address. Checks that the core stays inside
 * guest memory (guard bytes and sanitizers), returns in time, and works after a reset; that the
 * order of the pages in memory changes no result; and that the cases gave work to each block and
 * pixels to each format.
 *
 * The scissor is not randomised, since it bounds the work of a draw. See fuzz.h.
 */
#include "fe_bench.h"
#include "gc/float_bits.h"
#include "gc/format.h"
#include "shader_noise.h"

#define CASES 80u
#define STEPS 12u     /* draws and resolves of a case */
#define STATES_STEP 6 /* most states changed before each */
#define WINDOW 64u    /* pixels each way */
#define PROGRAM 24u   /* instructions, at most */
#define VARYINGS 2u
#define PATIENCE 100u /* yields after which the host resets a core that does not end */

/* Offsets in guest memory of valid data. */
#define VERTICES 0x20000u
#define INDICES 0x28000u
#define COLOR 0x30000u
#define DEPTH 0x50000u
#define TEXTURE 0x70000u
#define TAGS 0xa0000u
#define TABLES 0xe0000u

static struct bench b;
static struct gc_counters seen; /* sum over all cases */
static unsigned int yields, resets_in_work;

/* Shaders may loop endlessly: reset the core in the middle, as a driver would. */
static void lose_patience(void *ctx)
{
	if (++yields < PATIENCE)
		return;
	yields = 0;
	resets_in_work++;
	bench_soft_reset(&b);
}

static uint32_t some_address(void)
{
	uint32_t align = fuzz_below(4) ? ~63u : ~0u;

	if (fuzz_below(64) == 0)
		return fuzz_u32();
	return (BENCH_BASE + fuzz_below(BENCH_RAM)) & align;
}

static void emit_float(uint32_t address, float value)
{
	bench_state(&b, address, float_bits(value));
}

/* Viewport, scissor and vertices of the valid scene; target and depth buffer: emit_target(). */
static void emit_geometry(void)
{
	static const uint32_t reg[4] = { 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c };
	float half = WINDOW / 2.0f;

	for (unsigned int i = 0; i < 2; i++) {
		emit_float(VIVS_PA_VIEWPORT_SCALE_X + 4 * i, half);
		emit_float(VIVS_PA_VIEWPORT_OFFSET_X + 4 * i, half);
		emit_float(VIVS_SE_SCISSOR_RIGHT + 4 * i, WINDOW);
		emit_float(VIVS_SE_CLIP_RIGHT + 4 * i, WINDOW);
	}
	emit_float(VIVS_PA_VIEWPORT_SCALE_Z, 1.0f);
	bench_state(&b, VIVS_PA_W_CLIP_LIMIT, 0x34000001);
	bench_state(&b, VIVS_PA_CONFIG,
		    VIVS_PA_CONFIG_FILL_MODE_SOLID | VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	bench_state(&b, VIVS_VS_INPUT_COUNT, 1 + VARYINGS);
	bench_state(&b, VIVS_VS_OUTPUT_COUNT, 1 + VARYINGS);
	bench_state(&b, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT,
		    VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT(VARYINGS));
	bench_state(&b, VIVS_GL_VARYING_NUM_COMPONENTS, 0x44444444);
	for (unsigned int i = 0; i < 4; i++) {
		bench_state(&b, VIVS_VS_INPUT(i), reg[i]);
		bench_state(&b, VIVS_VS_OUTPUT(i), reg[i]);
	}
	for (unsigned int i = 0; i <= VARYINGS; i++)
		bench_state(&b, VIVS_FE_VERTEX_ELEMENT_CONFIG(i),
			    VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE(FE_DATA_TYPE_FLOAT) |
				    VIVS_FE_VERTEX_ELEMENT_CONFIG_START(16 * i));
	bench_state(&b, VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0), BENCH_BASE + VERTICES);
	bench_state(&b, VIVS_NFE_VERTEX_STREAMS_CONTROL(0), 16 * (VARYINGS + 1));
	bench_state(&b, VIVS_FE_VERTEX_STREAM_BASE_ADDR, BENCH_BASE + VERTICES);
	bench_state(&b, VIVS_FE_VERTEX_STREAM_CONTROL, 16 * (VARYINGS + 1));
	bench_state(&b, VIVS_FE_INDEX_STREAM_BASE_ADDR, BENCH_BASE + INDICES);
	bench_state(&b, VIVS_VS_TEMP_REGISTER_CONTROL, 16);
	bench_state(&b, VIVS_PS_TEMP_REGISTER_CONTROL, 16);
	bench_state(&b, VIVS_PS_OUTPUT_REG, 1);
}

static uint64_t drawn_in[64]; /* pixels, by format of the target of a case */

/* The formats of the pixel engine in turn, by the number of a case. */
static unsigned int format_of(uint64_t i)
{
	unsigned int number = 0;

	for (i %= 64;; number = (number + 1) % 64)
		if (gc_format_color(number) && !i--)
			return number;
}

static void emit_format(unsigned int number)
{
	uint32_t word = VIVS_PE_COLOR_FORMAT_COMPONENTS(15) |
			(fuzz_below(2) ? VIVS_PE_COLOR_FORMAT_SUPER_TILED : 0);

	if (number >= 16)
		word |= VIVS_PE_COLOR_FORMAT_FORMAT_EXT(number) | VIVS_PE_COLOR_FORMAT_FORMAT_MASK;
	else
		word |= VIVS_PE_COLOR_FORMAT_FORMAT(number);
	bench_state(&b, VIVS_PE_COLOR_FORMAT, word);
	bench_state(&b, VIVS_PE_COLOR_STRIDE, WINDOW * gc_format_color(number)->bytes);
}

static void emit_target(unsigned int format)
{
	uint32_t color = BENCH_BASE + COLOR + 64 * fuzz_below(4);

	emit_format(format);
	/* split, linear, or tiled */
	bench_state(&b, VIVS_PE_LOGIC_OP,
		    VIVS_PE_LOGIC_OP_OP(LOGIC_OP_COPY) |
			    VIVS_PE_LOGIC_OP_SINGLE_BUFFER(fuzz_below(4)));
	bench_state(&b, VIVS_PE_DEPTH_STRIDE, WINDOW * 4);
	bench_state(&b, VIVS_PE_COLOR_ADDR, color);
	bench_state(&b, VIVS_PE_DEPTH_ADDR, BENCH_BASE + DEPTH);
	for (unsigned int i = 0; i < 2; i++) {
		bench_state(&b, VIVS_PE_PIPE_COLOR_ADDR(i), color);
		bench_state(&b, VIVS_PE_PIPE_DEPTH_ADDR(i), BENCH_BASE + DEPTH);
	}
	bench_state(&b, VIVS_TS_COLOR_SURFACE_BASE, color);
	bench_state(&b, VIVS_TS_COLOR_STATUS_BASE, BENCH_BASE + TAGS);
	bench_state(&b, VIVS_TS_DEPTH_SURFACE_BASE, BENCH_BASE + DEPTH);
	bench_state(&b, VIVS_TS_DEPTH_STATUS_BASE, BENCH_BASE + TAGS + 0x4000);
	bench_state(&b, VIVS_GL_OCCLUSION_QUERY_ADDR, BENCH_BASE + TAGS + 0x8000);
}

/* Sampler @i reads a small texture of a random type. */
static void emit_sampler(unsigned int i)
{
	uint32_t log = fuzz_below(7), size = 1u << log;

	bench_state(&b, VIVS_NTE_SAMPLER_CONFIG0(i),
		    (fuzz_u32() & ~VIVS_TE_SAMPLER_CONFIG0_TYPE__MASK) |
			    VIVS_TE_SAMPLER_CONFIG0_TYPE(fuzz_below(6)));
	/* mostly a swizzle that changes nothing */
	bench_state(&b, VIVS_NTE_SAMPLER_CONFIG1(i), fuzz_below(3) ? 0x00003210u << 8 : fuzz_u32());
	bench_state(&b, VIVS_NTE_SAMPLER_SIZE(i),
		    VIVS_TE_SAMPLER_SIZE_WIDTH(size) | VIVS_TE_SAMPLER_SIZE_HEIGHT(size));
	bench_state(&b, VIVS_NTE_SAMPLER_LOG_SIZE(i),
		    VIVS_TE_SAMPLER_LOG_SIZE_WIDTH(log << 5) |
			    VIVS_TE_SAMPLER_LOG_SIZE_HEIGHT(log << 5) |
			    (fuzz_below(8) ? 0 : VIVS_TE_SAMPLER_LOG_SIZE_SRGB));
	bench_state(&b, VIVS_NTE_SAMPLER_LOD_CONFIG(i), VIVS_TE_SAMPLER_LOD_CONFIG_MAX(log << 5));
	bench_state(&b, VIVS_NTE_SAMPLER_3D_CONFIG(i), VIVS_TE_SAMPLER_3D_CONFIG_DEPTH(4));
	bench_state(&b, VIVS_NTE_SAMPLER_LINEAR_STRIDE(0, i), size * 4);
	for (unsigned int level = 0; level <= log; level++)
		bench_state(&b, VIVS_NTE_SAMPLER_ADDR_LOD(i, level),
			    fuzz_below(32) ? BENCH_BASE + TEXTURE : some_address());
}

/*
 * A random program for one stage; vertex programs are mostly short, so that positions stay
 * valid.
 */
static void emit_program(bool vertex)
{
	uint32_t count = 1 + fuzz_below(vertex && fuzz_below(4) ? 2 : PROGRAM);
	uint32_t first = vertex ? 0 : 256;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t words[4];

		noise_instruction(words, count);
		bench_load(&b, VIVS_SH_INST_MEM((first + i) * 4), 4, false);
		for (unsigned int w = 0; w < 4; w++)
			bench_emit(&b, words[w]);
		bench_emit(&b, 0); /* commands begin at multiples of 8 bytes */
	}
	bench_state(&b, vertex ? VIVS_VS_START_PC : VIVS_PS_START_PC, 0);
	bench_state(&b, vertex ? VIVS_VS_END_PC : VIVS_PS_END_PC, count);
	bench_state(&b, vertex ? VIVS_VS_RANGE : VIVS_PS_RANGE,
		    VIVS_VS_RANGE_LOW(first) | VIVS_VS_RANGE_HIGH(first + count - 1));
}

/* States that a case changes, in blocks of neighbours. */
static const struct {
	uint32_t first, words;
	bool address; /* the state contains an address */
} blocks[] = {
	{ VIVS_FE_VERTEX_ELEMENT_CONFIG(0), 16, false },
	{ VIVS_FE_INDEX_STREAM_CONTROL, 1, false },
	{ VIVS_FE_INDEX_STREAM_BASE_ADDR, 1, true },
	{ VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0), 2, true },
	{ VIVS_NFE_VERTEX_STREAMS_CONTROL(0), 2, false },
	{ VIVS_VS_OUTPUT_COUNT, 3, false },
	{ VIVS_VS_OUTPUT(0), 8, false },
	{ VIVS_PA_VIEWPORT_SCALE_X, 8, false },
	{ VIVS_PA_SYSTEM_MODE, 4, false },
	{ VIVS_PA_SHADER_ATTRIBUTES(0), 8, false },
	{ VIVS_SE_DEPTH_SCALE, 3, false },
	{ VIVS_RA_CONTROL, 12, false },
	{ VIVS_PS_OUTPUT_REG, 4, false },
	{ VIVS_PS_UNIFORMS(0), 64, false },
	{ VIVS_GL_MULTI_SAMPLE_CONFIG, 1, false },
	{ VIVS_GL_VARYING_NUM_COMPONENTS, 4, false },
	{ VIVS_PE_DEPTH_CONFIG, 4, false },
	{ VIVS_PE_DEPTH_ADDR, 1, true },
	{ VIVS_PE_DEPTH_STRIDE, 7, false },
	{ VIVS_PE_COLOR_STRIDE, 1, false },
	{ VIVS_PE_PIPE_COLOR_ADDR(0), 2, true },
	{ VIVS_PE_STENCIL_CONFIG_EXT, 5, false },
	{ VIVS_TS_MEM_CONFIG, 1, false },
	{ VIVS_TS_COLOR_STATUS_BASE, 2, true },
	{ VIVS_TS_COLOR_CLEAR_VALUE, 1, false },
	{ VIVS_TS_DEPTH_STATUS_BASE, 2, true },
	{ VIVS_TS_SAMPLER_CONFIG(0), 4, false },
	{ VIVS_TS_SAMPLER_STATUS_BASE(0), 4, true },
	{ VIVS_NTE_SAMPLER_CONFIG0(0), 4, false },
	{ VIVS_NTE_SAMPLER_CONFIG1(0), 4, false },
	{ VIVS_NTE_SAMPLER_LOD_CONFIG(0), 4, false },
	{ VIVS_NTE_SAMPLER_3D_CONFIG(0), 4, false },
	{ VIVS_NTE_SAMPLER_BASELOD(0), 4, false },
	{ VIVS_NTE_SAMPLER_ADDR_LOD(0, 0), 4, true },
	{ VIVS_GL_FLUSH_CACHE, 1, false },
	{ VIVS_GL_OCCLUSION_QUERY_ADDR, 1, true },
};

static uint32_t some_value(uint32_t address)
{
	switch (fuzz_below(4)) {
	case 0:
		return 1u << fuzz_below(32);
	case 1:
		return b.gc->state.word[address / 4] ^ 1u << fuzz_below(32);
	case 2:
		return float_bits(fuzz_float(-100.0f, 100.0f));
	default:
		return fuzz_u32();
	}
}

static void emit_changes(void)
{
	for (unsigned int n = fuzz_below(STATES_STEP + 1); n; n--) {
		unsigned int i = fuzz_below(sizeof(blocks) / sizeof(blocks[0]));
		uint32_t address = blocks[i].first + 4 * fuzz_below(blocks[i].words);

		bench_state(&b, address, blocks[i].address ? some_address() : some_value(address));
	}
}

static void emit_draw(void)
{
	uint32_t primitive = 1 + fuzz_below(8), count = fuzz_below(24);

	if (fuzz_below(2)) {
		bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, primitive);
		bench_emit2(&b, fuzz_below(16), count);
		return;
	}
	bench_emit2(&b, VIV_FE_DRAW_INDEXED_PRIMITIVES_HEADER_OP_DRAW_INDEXED_PRIMITIVES,
		    primitive);
	bench_emit2(&b, 0, count);
	bench_emit2(&b, fuzz_below(4), 0);
}

/*
 * 21 triangles of 63 of the 64 vertices, so that the target gets pixels (drawn_in): before any
 * program is loaded, NOPs leave position and colours in the registers of the outputs.
 */
static void emit_triangles(void)
{
	bench_emit2(&b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, PRIMITIVE_TYPE_TRIANGLES);
	bench_emit2(&b, 0, 21);
}

/* A resolve of a small window with a random configuration. */
static void emit_resolve(void)
{
	bench_state(&b, VIVS_RS_CONFIG, fuzz_u32());
	bench_state(&b, VIVS_RS_SOURCE_ADDR, some_address());
	bench_state(&b, VIVS_RS_PIPE_SOURCE_ADDR(0), some_address());
	bench_state(&b, VIVS_RS_SOURCE_STRIDE, fuzz_below(2) ? WINDOW * 4 : fuzz_u32());
	bench_state(&b, VIVS_RS_DEST_ADDR, some_address());
	bench_state(&b, VIVS_RS_PIPE_DEST_ADDR(0), some_address());
	bench_state(&b, VIVS_RS_DEST_STRIDE, fuzz_below(2) ? WINDOW * 4 : fuzz_u32());
	bench_state(&b, VIVS_RS_WINDOW_SIZE,
		    VIVS_RS_WINDOW_SIZE_WIDTH(fuzz_below(2 * WINDOW)) |
			    VIVS_RS_WINDOW_SIZE_HEIGHT(fuzz_below(2 * WINDOW)));
	bench_state(&b, VIVS_RS_CLEAR_CONTROL, fuzz_below(2) ? 0 : fuzz_u32());
	bench_state(&b, VIVS_RS_EXTRA_CONFIG, fuzz_below(2) ? 0 : fuzz_u32());
	if (fuzz_below(4))
		bench_state(&b, VIVS_RS_KICKER, 0xbeebbeeb);
	else
		bench_state(&b, VIVS_RS_KICKER_INPLACE, fuzz_below(64));
}

static void emit_step(void)
{
	if (fuzz_below(4) == 0)
		emit_program(true);
	if (fuzz_below(2) == 0)
		emit_program(false);
	if (fuzz_below(4) == 0)
		emit_sampler(fuzz_below(12));
	emit_changes();
	if (fuzz_below(6) == 0)
		emit_resolve();
	else
		emit_draw();
}

/* Vertices around the window, some far outside; random otherwise. */
static void fill_memory(void)
{
	float *vertex = (float *)(b.ram + VERTICES);

	for (uint32_t at = VERTICES; at < BENCH_RAM; at += 4)
		bench_poke(&b, BENCH_BASE + at, fuzz_u32());
	for (unsigned int i = 0; i < 64 * 4 * (1 + VARYINGS); i++)
		vertex[i] = fuzz_below(40) ? fuzz_float(-1.5f, 1.5f) : fuzz_float(-1e6f, 1e6f);
	for (unsigned int i = 0; i < 64; i++)
		vertex[4 * (1 + VARYINGS) * i + 3] = fuzz_below(8) ? 1.0f : fuzz_float(-1.0f, 2.0f);
	for (unsigned int i = 0; i < 256; i++)
		b.ram[INDICES + i] = (uint8_t)fuzz_below(32);
}

static void add_counters(void)
{
	const uint64_t *from = (const uint64_t *)&b.gc->counters;
	uint64_t *to = (uint64_t *)&seen;

	for (unsigned int i = 0; i < sizeof(seen) / sizeof(*to); i++)
		to[i] += from[i];
}

/* After a reset the core must execute a job that is one event. */
static void check_recovers(void)
{
	bench_soft_reset(&b);
	bench_check_job(&b);
}

/* How guest memory is seen by the core. */
enum view {
	VIEW_PHYSICAL,  /* without MMU */
	VIEW_IN_ORDER,  /* pages at their own addresses */
	VIEW_SCATTERED, /* pages in another order */
	VIEW_CACHED,    /* without MMU, caches with contents */
};

/*
 * Reverse the order of the first @pages of memory, and of their mappings if @tables; twice
 * changes nothing.
 */
static void swap_pages(unsigned int pages, bool tables)
{
	uint32_t *entry = (uint32_t *)(b.ram + TABLES + 0x1000) + (BENCH_BASE >> 12 & 1023);
	uint8_t copy[GC_PAGE_SIZE];

	for (unsigned int i = 0; i < pages / 2; i++) {
		uint8_t *one = b.ram + i * GC_PAGE_SIZE;
		uint8_t *other = b.ram + (pages - 1 - i) * GC_PAGE_SIZE;
		uint32_t mapping = entry[i];

		memcpy(copy, one, sizeof(copy));
		memcpy(one, other, sizeof(copy));
		memcpy(other, copy, sizeof(copy));
		if (!tables)
			continue;
		entry[i] = entry[pages - 1 - i];
		entry[pages - 1 - i] = mapping;
	}
}

/* Of memory below the page tables (which differ between views), drawn pixels and MMU faults. */
static uint64_t digest(void)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (uint32_t i = 0; i < TABLES; i += sizeof(hash)) {
		uint64_t word;

		memcpy(&word, b.ram + i, sizeof(word));
		hash = (hash ^ word) * 0x100000001b3;
		hash ^= hash >> 29;
	}
	return hash ^ b.gc->counters.pe_drawn_by_color ^ b.gc->counters.mmu_faults << 32;
}

/*
 * Case @i, begun by fuzz_begin(); leaves the core open. With an MMU, up to 63 pages before the
 * tables are not mapped, so that there are faults. Returns: digest().
 */
static uint64_t run_case(const char *personality, uint64_t i, enum view view)
{
	unsigned int format = format_of(i), pages = (TABLES >> 12) - fuzz_below(64);
	const struct gc_options options = { .cache_data = view == VIEW_CACHED };
	uint64_t result;

	bench_open_as(&b, personality, &options, true);
	b.gc->host.yield = lose_patience;
	yields = 0;
	bench_soft_reset(&b);
	fill_memory();
	if (view == VIEW_IN_ORDER || view == VIEW_SCATTERED) {
		bench_map(&b, BENCH_BASE + TABLES, BENCH_BASE, BENCH_BASE, pages, true);
		bench_enable_mmu(&b, BENCH_BASE + TABLES);
	}
	emit_geometry();
	emit_target(format);
	emit_triangles();
	emit_program(true);
	emit_program(false);
	for (unsigned int i = 0; i < STEPS; i++)
		emit_step();
	bench_end(&b);
	if (view == VIEW_SCATTERED)
		swap_pages(pages, true);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 1000000000);
	if (view == VIEW_SCATTERED)
		swap_pages(pages, false);
	result = digest();
	drawn_in[format] += b.gc->counters.pe_drawn_by_color;
	add_counters();
	check_recovers();
	return result;
}

static void run_cases(const char *personality, enum view view)
{
	uint64_t cases = fuzz_cases(CASES);

	for (uint64_t i = 0; i < cases && test_ok; i++) {
		fuzz_begin(i);
		run_case(personality, i, view);
		CHECK(bench_close(&b));
	}
}

TEST(gc3000_draws_anything)
{
	run_cases("gc3000", VIEW_PHYSICAL);
}

/* With --caches=data: lines and posted writes. */
TEST(cached_gc3000_draws_anything)
{
	run_cases("gc3000", VIEW_CACHED);
}

/* No access crosses a page with the translation of its first byte. */
TEST(order_of_pages_changes_nothing)
{
	uint64_t cases = fuzz_cases(CASES);

	for (uint64_t i = 0; i < cases && test_ok; i++) {
		uint64_t in_order, scattered;

		fuzz_begin(i);
		in_order = run_case("gc3000", i, VIEW_IN_ORDER);
		CHECK(bench_close(&b));
		fuzz_begin(i);
		scattered = run_case("gc3000", i, VIEW_SCATTERED);
		CHECK(bench_close(&b));
		CHECK_EQ(scattered, in_order);
	}
}

TEST(gc2000_draws_anything)
{
	run_cases("gc2000", VIEW_PHYSICAL);
}

/* Check that each block had work in the cases. */
TEST(all_blocks_had_work)
{
	uint64_t cases = fuzz_cases(CASES);

	CHECK(seen.fe_draws > cases);
	CHECK(seen.vs_instructions > 10 * cases);
	CHECK(seen.ps_instructions > 1000 * cases);
	CHECK(seen.tx_requests > 100 * cases);
	CHECK(seen.ra_quads > 100 * cases);
	CHECK(seen.pe_drawn_by_color > 100 * cases);
	CHECK(seen.rs_pixels > 100 * cases);
	CHECK(seen.mmu_faults);
	CHECK(resets_in_work);
	for (unsigned int format = 0; format < 64; format++)
		CHECK(!gc_format_color(format) || drawn_in[format]);
}

int main(void)
{
	return test_all();
}
