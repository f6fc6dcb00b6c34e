// SPDX-License-Identifier: MIT
/* Rules of --hazards: for each a stream that keeps it, and one planted that breaks it. */
#include "tests/check.h"

#include "gc/sync.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define PIXELS (VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH)
#define COMPONENTS VIVS_PE_COLOR_FORMAT_COMPONENTS__MASK
#define A8R8G8B8 VIVS_PE_COLOR_FORMAT_FORMAT(PE_FORMAT_A8R8G8B8)
#define R5G6B5 VIVS_PE_COLOR_FORMAT_FORMAT(PE_FORMAT_R5G6B5)
#define BASE 0x10000u
#define BIT(rule) (1u << (rule))

static struct gc_sync s;
static struct gc_state state;
static struct gc_sync_core core;
/* of all streams */
static uint64_t applied[GC_SYNC_RULES], broken[GC_SYNC_RULES];

/* Write a state. Returns: BIT()s of the rules that it broke, as do draw() and resolve(). */
static uint32_t put(uint32_t address, uint32_t value)
{
	uint32_t old = gc_state_u32(&state, address);

	gc_state_set(&state, address, value);
	return gc_sync_write(&s, &core, address, old);
}

static void stall(void)
{
	gc_sync_stall(&s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
}

static void stall_front_end(void)
{
	gc_sync_stall(&s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
}

static uint32_t draw(void)
{
	return gc_sync_draw(&s, &core);
}

static uint32_t resolve(void)
{
	return gc_sync_resolve(&s, &core, false);
}

/* A core after a reset, with states for draws and resolves that break no rule. */
static void begin(const char *personality)
{
	for (unsigned int rule = 0; rule < GC_SYNC_RULES; rule++) {
		applied[rule] += s.applied[rule];
		broken[rule] += s.broken[rule];
	}
	memset(&s, 0, sizeof(s));
	memset(&state, 0, sizeof(state));
	core = (struct gc_sync_core){ gc_personality_find(personality), &state };
	put(VIVS_PA_VIEWPORT_UNK00A80, 0x38a01404);
	put(VIVS_PA_VIEWPORT_UNK00A84, 0x46000000);
	put(VIVS_SE_CLIP_RIGHT, 1);
	put(VIVS_SE_CLIP_BOTTOM, 1);
	put(VIVS_GL_BUG_FIXES, 6);
	put(VIVS_PE_COLOR_FORMAT, A8R8G8B8 | COMPONENTS | VIVS_PE_COLOR_FORMAT_OVERWRITE);
	put(VIVS_PE_PIPE_COLOR_ADDR(0), BASE);
	put(VIVS_PE_COLOR_STRIDE, 256);
	put(VIVS_PE_LOGIC_OP, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(2));
	put(VIVS_RS_CONFIG, VIVS_RS_CONFIG_SOURCE_TILED | VIVS_RS_CONFIG_DEST_TILED);
	put(VIVS_RS_WINDOW_SIZE, VIVS_RS_WINDOW_SIZE_WIDTH(64) | VIVS_RS_WINDOW_SIZE_HEIGHT(64));
}

/* Write @value to a state, draw, and put the state back. Returns: the rules that the draw broke. */
static uint32_t draw_with(uint32_t address, uint32_t value)
{
	uint32_t old = gc_state_u32(&state, address), result;

	gc_state_set(&state, address, value);
	result = draw();
	gc_state_set(&state, address, old);
	return result;
}

static uint32_t resolve_window(uint32_t width, uint32_t height)
{
	put(VIVS_RS_WINDOW_SIZE,
	    VIVS_RS_WINDOW_SIZE_WIDTH(width) | VIVS_RS_WINDOW_SIZE_HEIGHT(height));
	return resolve();
}

TEST(resolves)
{
	begin("gc3000");
	CHECK_EQ(resolve(), 0); /* nothing was drawn: no rule applies */
	CHECK_EQ(s.applied[GC_SYNC_RS_FLUSH], 0);
	draw();
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	stall();
	CHECK_EQ(resolve(), 0);
	CHECK_EQ(s.applied[GC_SYNC_RS_FLUSH], 1);
	draw();
	stall();
	CHECK_EQ(resolve(), BIT(GC_SYNC_RS_FLUSH));
	draw();
	put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR);
	stall();
	CHECK_EQ(resolve(), BIT(GC_SYNC_RS_FLUSH)); /* depth is missing */
	draw();
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	CHECK_EQ(resolve(), BIT(GC_SYNC_RS_STALL));
	draw();
	stall();
	put(VIVS_GL_FLUSH_CACHE, PIXELS); /* in the wrong order */
	CHECK_EQ(resolve(), BIT(GC_SYNC_RS_STALL));
	draw();
	CHECK_EQ(resolve(), BIT(GC_SYNC_RS_FLUSH) | BIT(GC_SYNC_RS_STALL));
	CHECK_EQ(s.applied[GC_SYNC_RS_STALL], 6);
	CHECK_EQ(s.broken[GC_SYNC_RS_STALL], 3);
	CHECK_EQ(s.broken[GC_SYNC_RS_FLUSH], 3);
}

TEST(tile_status_before_clears)
{
	begin("gc3000");
	put(VIVS_RS_CLEAR_CONTROL, VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1);
	draw();
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	stall();
	put(VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	CHECK_EQ(resolve(), 0);
	draw();
	put(VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH); /* in the wrong order */
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	stall();
	CHECK_EQ(resolve(), BIT(GC_SYNC_TS_ORDER));
	/* the end of a job: the front end waits for all */
	draw();
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	put(VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	stall_front_end();
	CHECK_EQ(resolve(), 0);
	CHECK_EQ(s.applied[GC_SYNC_TS_ORDER], 2);
}

TEST(changes_of_tile_status)
{
	begin("gc3000");
	put(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	draw();
	CHECK_EQ(put(VIVS_TS_COLOR_CLEAR_VALUE, 1), BIT(GC_SYNC_TS_CHANGE));
	CHECK_EQ(put(VIVS_TS_DEPTH_STATUS_BASE, BASE), BIT(GC_SYNC_TS_CHANGE));
	CHECK_EQ(put(VIVS_TS_DEPTH_STATUS_BASE, BASE), 0); /* no change */
	CHECK_EQ(put(VIVS_TS_RT_STATUS_BASE(1), BASE), BIT(GC_SYNC_TS_CHANGE));
	put(VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	CHECK_EQ(put(VIVS_TS_COLOR_CLEAR_VALUE, 2), 0);
	draw();
	CHECK_EQ(put(VIVS_TS_MEM_CONFIG, 0), 0); /* off */
	CHECK_EQ(s.applied[GC_SYNC_TS_CHANGE], 4);
}

TEST(changes_of_targets)
{
	begin("gc3000");
	draw();
	CHECK_EQ(put(VIVS_PE_PIPE_COLOR_ADDR(0), 2 * BASE), BIT(GC_SYNC_TARGET));
	put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR);
	stall();
	CHECK_EQ(put(VIVS_PE_PIPE_DEPTH_ADDR(0), 2 * BASE), BIT(GC_SYNC_TARGET));
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	CHECK_EQ(put(VIVS_PE_RT_ADDR_8_PIPE(0, 0), 2 * BASE), BIT(GC_SYNC_TARGET));
	stall();
	CHECK_EQ(put(VIVS_PE_PIPE_COLOR_ADDR(0), BASE), 0);
	CHECK_EQ(s.applied[GC_SYNC_TARGET], 4);
}

TEST(changes_of_depth_and_blending)
{
	begin("gc3000");
	draw();
	CHECK_EQ(put(VIVS_PE_DEPTH_CONFIG, VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE), BIT(GC_SYNC_DEPTH));
	CHECK_EQ(put(VIVS_PE_STENCIL_CONFIG, VIVS_PE_STENCIL_CONFIG_MODE_ONE_SIDED),
		 BIT(GC_SYNC_DEPTH));
	CHECK_EQ(put(VIVS_PE_COLOR_FORMAT, A8R8G8B8 | COMPONENTS), BIT(GC_SYNC_OVERWRITE));
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	stall();
	CHECK_EQ(put(VIVS_PE_DEPTH_CONFIG, 0), 0);
	CHECK_EQ(put(VIVS_PE_COLOR_FORMAT, A8R8G8B8 | COMPONENTS | VIVS_PE_COLOR_FORMAT_OVERWRITE),
		 0);
	CHECK_EQ(s.applied[GC_SYNC_DEPTH], 3);
	CHECK_EQ(s.applied[GC_SYNC_OVERWRITE], 2);
}

TEST(flushes_of_textures)
{
	begin("gc3000");
	CHECK_EQ(put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE), 0);
	draw();
	CHECK_EQ(put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE), BIT(GC_SYNC_TX_STALL));
	stall_front_end();
	CHECK_EQ(put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE), 0);
	CHECK_EQ(s.applied[GC_SYNC_TX_STALL], 2);
}

TEST(flushes_of_vertex_textures)
{
	begin("gc3000");
	CHECK_EQ(draw(), 0);
	CHECK_EQ(s.applied[GC_SYNC_TXVS_STALL], 0);
	put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	CHECK_EQ(draw(), BIT(GC_SYNC_TXVS_STALL));
	put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	stall_front_end();
	CHECK_EQ(draw(), 0);
	CHECK_EQ(draw(), 0);
	put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE);
	CHECK_EQ(draw(), 0);
	CHECK_EQ(s.applied[GC_SYNC_TXVS_STALL], 2);
	CHECK_EQ(s.broken[GC_SYNC_TXVS_STALL], 1);
}

TEST(loads_beside_draws)
{
	static const uint32_t loaded[] = {
		VIVS_SH_UNIFORMS(0),
		VIVS_SH_INST_MEM(3),
		VIVS_NTE_SAMPLER_ADDR_LOD(1, 0),
		VIVS_TE_SAMPLER_LOD_ADDR(1, 0),
		VIVS_VS_UNIFORMS(VIVS_VS_UNIFORMS__LEN - 1),
	};

	begin("gc3000");
	for (unsigned int i = 0; i < sizeof(loaded) / sizeof(loaded[0]); i++) {
		draw();
		stall(); /* of the rasteriser: the front end goes on */
		CHECK_EQ(put(loaded[i], 1), BIT(GC_SYNC_LOAD));
		stall_front_end();
		CHECK_EQ(put(loaded[i], 1), 0);
	}
	draw();
	CHECK_EQ(put(VIVS_GL_API_MODE, 0), 0);
	CHECK_EQ(put(VIVS_GL_PIPE_SELECT, 0), BIT(GC_SYNC_PIPE));
	stall_front_end();
	CHECK_EQ(put(VIVS_GL_PIPE_SELECT, 0), 0);
}

TEST(events)
{
	begin("gc3000");
	put(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR);
	CHECK_EQ(put(VIVS_GL_EVENT, VIVS_GL_EVENT_FROM_PE), 0);
	draw();
	CHECK_EQ(put(VIVS_GL_EVENT, VIVS_GL_EVENT_FROM_FE), 0);
	CHECK_EQ(put(VIVS_GL_EVENT, VIVS_GL_EVENT_FROM_PE), BIT(GC_SYNC_EVENT));
	draw();
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	stall_front_end();
	CHECK_EQ(put(VIVS_GL_EVENT, VIVS_GL_EVENT_FROM_PE), BIT(GC_SYNC_EVENT)); /* tile status */
	draw();
	put(VIVS_GL_FLUSH_CACHE, PIXELS);
	put(VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	stall_front_end();
	CHECK_EQ(put(VIVS_GL_EVENT, VIVS_GL_EVENT_FROM_PE), 0);
	CHECK_EQ(s.applied[GC_SYNC_EVENT], 3);
}

TEST(states_that_reset_others)
{
	begin("gc3000");
	put(VIVS_GL_MULTI_SAMPLE_CONFIG, 0);
	put(VIVS_PS_INPUT_COUNT, 1);
	CHECK_EQ(draw(), 0);
	put(VIVS_PS_INPUT_COUNT, 1);
	put(VIVS_GL_MULTI_SAMPLE_CONFIG, 0);
	CHECK_EQ(draw(), BIT(GC_SYNC_INPUTS));
	CHECK_EQ(draw(), 0);
	CHECK_EQ(put(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), 0), 0);
	CHECK_EQ(put(VIVS_FE_VERTEX_ELEMENT_CONFIG(1), 0), 0);
	CHECK_EQ(put(VIVS_FE_VERTEX_ELEMENT_CONFIG(3), 0), BIT(GC_SYNC_ELEMENTS));
	put(VIVS_GL_API_MODE, 0);
	CHECK_EQ(put(VIVS_FE_VERTEX_ELEMENT_CONFIG(4), 0), BIT(GC_SYNC_ELEMENTS));
}

/* The front end hands over as many elements as were written, whether a program takes them or not. */
TEST(inputs_of_programs)
{
	begin("gc3000");
	put(VIVS_VS_INPUT_COUNT, 2);
	CHECK_EQ(draw(), 0); /* no element was written: how many there are is not known */
	CHECK_EQ(s.applied[GC_SYNC_VS_INPUTS], 0);
	put(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), 0);
	put(VIVS_FE_VERTEX_ELEMENT_CONFIG(1), 0);
	CHECK_EQ(draw(), 0);
	CHECK_EQ(draw_with(VIVS_VS_INPUT_COUNT, 1), BIT(GC_SYNC_VS_INPUTS));
	CHECK_EQ(draw_with(VIVS_VS_INPUT_COUNT, 3), BIT(GC_SYNC_VS_INPUTS));
	CHECK_EQ(draw_with(VIVS_VS_INPUT_COUNT, 2 | VIVS_VS_INPUT_COUNT_UNK8(31)), 0);
	/* the numbers of vertex and instance are an input behind the elements */
	CHECK_EQ(draw_with(VIVS_VS_INPUT_COUNT, 3 | VIVS_VS_INPUT_COUNT_ID_ENABLE), 0);
	CHECK_EQ(draw_with(VIVS_VS_INPUT_COUNT, 2 | VIVS_VS_INPUT_COUNT_ID_ENABLE),
		 BIT(GC_SYNC_VS_INPUTS));
	/* the number written last counts, also if it is lower */
	put(VIVS_FE_VERTEX_ELEMENT_CONFIG(0), 0);
	CHECK_EQ(draw(), BIT(GC_SYNC_VS_INPUTS));
	CHECK_EQ(draw_with(VIVS_VS_INPUT_COUNT, 1), 0);
	CHECK_EQ(s.applied[GC_SYNC_VS_INPUTS], 8);
}

TEST(first_draws)
{
	begin("gc3000");
	CHECK_EQ(draw_with(VIVS_SE_CLIP_RIGHT, 0), BIT(GC_SYNC_FIRST_DRAW));
	CHECK_EQ(draw_with(VIVS_SE_CLIP_RIGHT, 0), 0);
	begin("gc3000");
	CHECK_EQ(draw_with(VIVS_PA_VIEWPORT_UNK00A84, 0), BIT(GC_SYNC_FIRST_DRAW));
	begin("gc2000");
	CHECK_EQ(draw_with(VIVS_PA_VIEWPORT_UNK00A84, 0), 0);
	CHECK_EQ(s.applied[GC_SYNC_FIRST_DRAW], 1);
}

TEST(draws)
{
	const uint32_t samples = VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X;

	begin("gc3000");
	CHECK_EQ(draw_with(VIVS_PE_PIPE_COLOR_ADDR(0), BASE + 32), BIT(GC_SYNC_BASES));
	CHECK_EQ(draw_with(VIVS_PE_COLOR_STRIDE, 264), BIT(GC_SYNC_BASES));
	CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, R5G6B5 | COMPONENTS), BIT(GC_SYNC_SINGLE));
	CHECK_EQ(draw_with(VIVS_GL_MULTI_SAMPLE_CONFIG, samples),
		 BIT(GC_SYNC_SAMPLED) | BIT(GC_SYNC_SMALL_MSAA));
	CHECK_EQ(draw_with(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION),
		 BIT(GC_SYNC_SAMPLED));
	CHECK_EQ(draw_with(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR |
						       VIVS_TS_MEM_CONFIG_COLOR_AUTO_DISABLE),
		 BIT(GC_SYNC_AUTO_DISABLE));
	put(VIVS_VS_ICACHE_CONTROL, VIVS_VS_ICACHE_CONTROL_ENABLE);
	CHECK_EQ(draw_with(VIVS_PS_INST_ADDR, BASE + 128), BIT(GC_SYNC_CODE));
	CHECK_EQ(draw_with(VIVS_PS_INST_ADDR, BASE + 256), 0);
	gc_state_set(&state, VIVS_PE_COLOR_FORMAT, A8R8G8B8 | COMPONENTS);
	gc_state_set(&state, VIVS_PE_LOGIC_OP, VIVS_PE_LOGIC_OP_UNK24(5));
	CHECK_EQ(draw_with(VIVS_GL_MULTI_SAMPLE_CONFIG, samples), 0);
	CHECK_EQ(
		draw_with(VIVS_GL_MULTI_SAMPLE_CONFIG, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_2X),
		BIT(GC_SYNC_SMALL_MSAA));
	gc_state_set(&state, VIVS_PE_LOGIC_OP, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(3));
	CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, R5G6B5 | COMPONENTS), 0);
}

TEST(draws_without_a_target)
{
	begin("gc3000");
	gc_state_set(&state, VIVS_PE_COLOR_STRIDE, 0);
	CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, VIVS_PE_COLOR_FORMAT_OVERWRITE), 0);
	CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, 0), BIT(GC_SYNC_NO_TARGET));
}

/* Draws without a target write lines of the last one to the address that they find. */
TEST(addresses_without_a_target)
{
	static const char *const cores[] = { "gc2000", "gc3000" };

	for (unsigned int i = 0; i < 2; i++) {
		begin(cores[i]);
		gc_state_set(&state, VIVS_PE_COLOR_STRIDE, 0);
		CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, VIVS_PE_COLOR_FORMAT_OVERWRITE), 0);
		CHECK_EQ(draw_with(VIVS_PE_COLOR_STRIDE, 256), 0);
		CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, VIVS_PE_COLOR_FORMAT_OVERWRITE),
			 i ? 0 : BIT(GC_SYNC_DUMMY));
		put(VIVS_PE_PIPE_COLOR_ADDR(0), BASE + 0x1000);
		CHECK_EQ(draw_with(VIVS_PE_COLOR_FORMAT, VIVS_PE_COLOR_FORMAT_OVERWRITE), 0);
		CHECK_EQ(s.applied[GC_SYNC_DUMMY], i ? 0 : 2);
	}
}

TEST(draws_to_linear_targets)
{
	const uint32_t depth =
		VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z | VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8;

	begin("gc3000");
	put(VIVS_PE_LOGIC_OP, VIVS_PE_LOGIC_OP_SINGLE_BUFFER(1));
	CHECK_EQ(draw_with(VIVS_PE_DEPTH_CONFIG, depth), 0);
	CHECK_EQ(draw_with(VIVS_PE_DEPTH_CONFIG, depth | VIVS_PE_DEPTH_CONFIG_EARLY_Z),
		 BIT(GC_SYNC_LINEAR_Z));
	put(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	CHECK_EQ(draw(), 0);
	CHECK_EQ(draw_with(VIVS_PE_COLOR_STRIDE, 272), BIT(GC_SYNC_LINEAR_TS));
}

TEST(draws_to_several_targets)
{
	begin("gc2000");
	put(VIVS_PS_CONTROL, VIVS_PS_CONTROL_RT_COUNT(1));
	CHECK_EQ(draw(), 0);
	CHECK_EQ(draw_with(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR),
		 BIT(GC_SYNC_TARGETS_TS));
}

TEST(windows_of_resolves)
{
	begin("gc3000");
	CHECK_EQ(resolve_window(64, 62), BIT(GC_SYNC_RS_WINDOW));
	CHECK_EQ(resolve_window(72, 64), BIT(GC_SYNC_RS_WINDOW));
	put(VIVS_RS_CONFIG, VIVS_RS_CONFIG_SOURCE_TILED | VIVS_RS_CONFIG_DOWNSAMPLE_X |
				    VIVS_RS_CONFIG_DOWNSAMPLE_Y);
	CHECK_EQ(resolve_window(64, 64), 0);
	CHECK_EQ(resolve_window(48, 64), BIT(GC_SYNC_RS_WINDOW)); /* 24 pixels */
	put(VIVS_RS_CONFIG, 0);
	CHECK_EQ(resolve_window(32, 3), 0);
	CHECK_EQ(resolve_window(16, 3), BIT(GC_SYNC_RS_NARROW));
	put(VIVS_RS_CONFIG, VIVS_RS_CONFIG_SOURCE_TILED);
	CHECK_EQ(resolve_window(16, 4), 0);
}

TEST(two_pipes_resolve_halves)
{
	begin("gc2000");
	CHECK_EQ(resolve_window(64, 8), 0); /* one window */
	put(VIVS_RS_PIPE_OFFSET(1), VIVS_RS_PIPE_OFFSET_Y(8));
	CHECK_EQ(resolve_window(64, 8), 0);
	CHECK_EQ(resolve_window(64, 16), BIT(GC_SYNC_RS_PIPES));
	put(VIVS_RS_CONFIG, VIVS_RS_CONFIG_SOURCE_TILED | VIVS_RS_CONFIG_DOWNSAMPLE_Y);
	CHECK_EQ(resolve_window(64, 8), 0);
}

TEST(fills_of_tile_status)
{
	begin("gc3000");
	put(VIVS_RS_CLEAR_CONTROL, VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1);
	put(VIVS_RS_FILL_VALUE(0), 0x55555555);
	CHECK_EQ(resolve_window(16, 8), 0);
	CHECK_EQ(resolve_window(16, 12), BIT(GC_SYNC_RS_TAGS)); /* 3 * 256 bytes, two pipes */
}

TEST(resolves_in_place)
{
	begin("gc3000");
	put(VIVS_RS_SOURCE_STRIDE, VIVS_RS_SOURCE_STRIDE_TILING);
	put(VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	CHECK_EQ(gc_sync_resolve(&s, &core, true), 0);
	put(VIVS_RS_SOURCE_STRIDE, 0);
	CHECK_EQ(gc_sync_resolve(&s, &core, true), BIT(GC_SYNC_RS_IN_PLACE));
	put(VIVS_RS_SOURCE_STRIDE, VIVS_RS_SOURCE_STRIDE_TILING);
	put(VIVS_TS_MEM_CONFIG, 0);
	CHECK_EQ(gc_sync_resolve(&s, &core, true), BIT(GC_SYNC_RS_IN_PLACE));
}

TEST(a_reset_forgets_what_is_pending)
{
	begin("gc3000");
	draw();
	resolve();
	draw();
	put(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	gc_sync_reset(&s);
	CHECK_EQ(resolve(), 0);
	CHECK_EQ(draw(), 0);
	CHECK_EQ(s.applied[GC_SYNC_RS_FLUSH], 1);
	CHECK_EQ(s.broken[GC_SYNC_RS_FLUSH], 1);
}

/* The streams above have kept and broken each rule. */
TEST(all_rules_have_streams)
{
	begin("gc3000");
	for (unsigned int rule = 0; rule < GC_SYNC_RULES; rule++) {
		CHECK(broken[rule] > 0);
		CHECK(applied[rule] > broken[rule]);
		CHECK(gc_sync_about(rule)->name != NULL);
	}
}

TEST(summary)
{
	struct gc_sync counts = { .applied = { 1, 2, 3 }, .broken = { 0, 1, 3 } };
	char text[2048] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");

	gc_sync_summary(&counts, file);
	fclose(file);
	CHECK(!strncmp(text,
		       "rs-flush (b): applied 1, broken 0\n"
		       "rs-stall (b): applied 2, broken 1\n"
		       "ts-order (a): applied 3, broken 3\n"
		       "ts-change (a): applied 0, broken 0\n",
		       137)); /* the length of these lines; others follow */
}

int main(void)
{
	return test_all();
}
