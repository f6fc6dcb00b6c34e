// SPDX-License-Identifier: MIT
/*
 * Draws with several threads give the same result as with one. Random scenes are drawn with one
 * and with three threads; memory, counters, work and faults are compared at the end, in the
 * middle, and after aborts, modelled time with jitter at the end. Scenes of large triangles are
 * also drawn with and without whole tiles. Scenes contain what threads could get wrong: overlapping
 * and adjacent primitives, blending, depth, fast clear, targets that overlap textures, the depth
 * buffer, vertices, tile status or themselves, missing pages, registers read before they are
 * written. Also built with the thread sanitizer (card/Makefile). See fuzz.h.
 */
#include "check.h"
#include "gc/fe_internal.h"
#include "gc/pe_internal.h"
#include "thread_scene.h"

#define CASES 90u
#define TILE_CASES 60u
#define THREADS 3u

static void check_same(const struct seen *a, const struct seen *b)
{
	CHECK_EQ(a->looks, b->looks);
	for (unsigned int n = 0; n < a->looks; n++)
		CHECK_EQ(a->look[n], b->look[n]);
	CHECK_EQ(a->final, b->final);
}

TEST(threads_draw_what_one_draws)
{
	uint64_t cases = fuzz_cases(CASES);

	for (uint64_t i = 0; i < cases && test_ok; i++) {
		struct seen one = seen_of_case(i, 1), several = seen_of_case(i, THREADS);

		check_same(&one, &several);
		CHECK_EQ(one.time, several.time);
	}
}

/*
 * The cases above have deferred draws, abandoned deferral, faults, aborts and changed page tables,
 * and no register read made the other threads finish.
 */
TEST(cases_are_worth_something)
{
	uint64_t cases = fuzz_cases(CASES);

	CHECK(scene.begun > cases / 4);
	CHECK(scene.left);
	CHECK(scene.faults > cases / 20);
	CHECK(scene.aborted > cases / 20);
	CHECK(scene.remaps > cases / 20);
	CHECK(scene.answers > 1000 * cases);
	CHECK_EQ(scene.waits, 0);
}

TEST(tiles_are_their_blocks)
{
	uint64_t cases = fuzz_cases(TILE_CASES);

	scene.large = true;
	scene.begun = scene.left = scene.faults = scene.aborted = scene.parts = scene.remaps = 0;
	for (uint64_t i = 0; i < cases && test_ok; i++) {
		struct seen blocks, one, several;

		scene.by_blocks = true;
		blocks = seen_of_case(i, 1);
		scene.by_blocks = false;
		one = seen_of_case(i, 1);
		several = seen_of_case(i, THREADS);
		check_same(&blocks, &one);
		check_same(&blocks, &several);
		CHECK_EQ(one.time, several.time); /* pieces of blocks alone are smaller */
	}
	scene.large = false;
	CHECK(scene.parts > 20 * cases);
	CHECK(scene.begun > cases / 4);
	CHECK(scene.left);
	CHECK(scene.faults > cases / 10);
	CHECK(scene.aborted > cases / 10);
}

/*
 * Where no texture is written while it is sampled, caches with contents give the same pixels. These
 * reach memory later, so looks in the middle of a draw differ.
 */
TEST(contents_of_caches_change_nothing_in_streams_that_are_right)
{
	uint64_t cases = fuzz_cases(CASES);

	scene.tidy = true;
	for (uint64_t i = 0; i < cases && test_ok; i++) {
		struct seen tags = seen_of_case(i, THREADS), data;

		scene.cache_data = true;
		data = seen_of_case(i, 1);
		scene.cache_data = false;
		CHECK_EQ(tags.looks, data.looks);
		CHECK_EQ(tags.final, data.final);
		CHECK_EQ(tags.time, data.time);
	}
	scene.tidy = false;
}

/* Blocks are processed before waiting quads, but not before quads in the same block. */
TEST(blocks_that_overtake_change_no_pixel)
{
	uint64_t cases = fuzz_cases(CASES);

	scene.tidy = true;
	for (uint64_t i = 0; i < cases && test_ok; i++) {
		uint64_t by_quads;

		scene.large = i % 2;
		scene.by_quads = true;
		run_case(i, 1);
		by_quads = scene.pixels;
		scene.by_quads = false;
		run_case(i, 1);
		CHECK_EQ(scene.pixels, by_quads);
	}
	scene.tidy = scene.large = false;
}

/* ---- conditions for deferred shading ---- */

struct pages {
	uint32_t page[8];
	unsigned int count;
};

static bool note_page(void *ctx, uint32_t address)
{
	struct pages *pages = ctx;

	pages->page[pages->count++ % 8] = address;
	return true;
}

/* A scene without depth and MMU, with its target, which is supertiled, at the usual address. */
static void open_usual_scene(unsigned int threads, void (*program)(void))
{
	fuzz_begin(0);
	open_scene(threads);
	scene.look_every = 1;
	scene.abort_at = 0;
	vertex_program();
	pixel_program(program);
	geometry_states();
	set(VIVS_PE_DEPTH_CONFIG, 0x01000700); /* none */
	set(VIVS_PE_COLOR_FORMAT, 0x00100f06); /* A8R8G8B8 */
	set(VIVS_PE_COLOR_STRIDE, SIZE * 4);
	set(VIVS_PE_PIPE_COLOR_ADDR(0), RAM_BASE + TARGET_AT);
	set(VIVS_PE_PIPE_COLOR_ADDR(1), RAM_BASE + TARGET_AT);
	set(VIVS_PE_LOGIC_OP, 0x000e426c);
}

/* A fully textured target; the texture's pages are stored in @pages. */
static void draw_textured(void (*program)(void), struct pages *pages)
{
	struct gc_draw what;

	open_usual_scene(THREADS, program);
	sampler_states(0);
	set(VIVS_NTE_SAMPLER_CONFIG0(0), 0x00093102); /* as sampler_states(), not random */
	set(VIVS_NTE_SAMPLER_ADDR(0), RAM_BASE + TEXTURE_AT);
	set(VIVS_NTE_SAMPLER_LOD_CONFIG(0), 0);
	what = whole_target();
	gc_draw_execute(scene.gc, &what);
	gc_texture_pages(scene.gc, 0, note_page, pages);
}

/*
 * Programs that read a register before they write it are not deferred; the third and fourth
 * coordinate of a 2D texture do not count.
 */
TEST(coordinates_that_a_2d_lookup_ignores_may_be_unwritten)
{
	uint64_t begun = scene.begun;
	struct pages pages = { .count = 0 };

	draw_textured(textured_flat, &pages);
	close_scene();
	CHECK(scene.begun > begun);
}

/* The page after the texture may be written. */
TEST(pages_of_a_texture_are_its_own)
{
	struct pages pages = { .count = 0 };

	draw_textured(textured, &pages);
	close_scene();
	CHECK_EQ(pages.count, TEXTURE_SIZE * TEXTURE_SIZE * 4 / GC_PAGE_SIZE);
	for (unsigned int i = 0; i < pages.count && i < 8; i++)
		CHECK_EQ(pages.page[i], RAM_BASE + TEXTURE_AT + i * GC_PAGE_SIZE);
}

static void steps(unsigned int count)
{
	ASM(OP(ISA_MUL), D(2, "xyzw"), S0(T(1, "xyzw")), S1(T(1, "xyzw")));
	for (unsigned int i = 1; i < count; i++)
		ASM(OP(ISA_MUL), D(2, "xyzw"), S0(T(2, "xyzw")), S1(T(1, "xyzw")));
}

static void few_steps(void)
{
	steps(6);
}

static void many_steps(void)
{
	steps(24);
}

/* Whether a grid with @side squares per side is deferred. */
static bool grid_is_deferred(unsigned int side, void (*program)(void))
{
	struct gc_draw what;
	bool begun;

	open_usual_scene(THREADS, program);
	what = grid_of(side);
	gc_draw_execute(scene.gc, &what);
	begun = scene.gc->draw->deferral_active;
	close_scene();
	return begun;
}

/* Small triangles with short programs are not deferred, since locating their quads costs more. */
TEST(small_triangles_are_deferred_if_their_program_is_long)
{
	CHECK(grid_is_deferred(2, few_steps));
	CHECK(grid_is_deferred(2, many_steps));
	CHECK(!grid_is_deferred(48, few_steps));
	CHECK(grid_is_deferred(48, many_steps));
}

/* Adds one to a word of memory for each lane that may write. */
static void counted_in_memory(void)
{
	ASM(OP(ISA_ATOM_ADD), TYPE(ISA_U32), D(3, "x"), S0(U(0, "xxxx")), S1(IMM_U(0)),
	    S2(IMM_U(1)));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "xyzw")));
}

/* Lanes of a quad outside the triangle are shaded for the others' sake, but write nothing. */
TEST(lanes_without_a_covered_sample_do_not_write)
{
	struct gc_draw what;
	uint32_t *word;

	open_usual_scene(1, counted_in_memory);
	set(VIVS_SH_UNIFORMS(0), RAM_BASE + TEXTURE_AT);
	word = (uint32_t *)(scene.ram + TEXTURE_AT);
	*word = 0;
	what = some_triangles();
	gc_draw_execute(scene.gc, &what);
	CHECK(*word > 1000);
	CHECK_EQ(*word, scene.gc->counters.ps_pixels);
	CHECK(scene.gc->counters.ps_instructions > 2 * scene.gc->counters.ps_pixels);
	close_scene();
}

/* Takes more than the 8192 instructions after which shaders yield, once. */
static void long_loop(void)
{
	ASM(OP(ISA_MOV), TYPE(ISA_U32), D(3, "x"), S2(IMM_U(0)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_GE), TYPE(ISA_U32), S0(T(3, "xxxx")), S1(IMM_U(3000)),
	    TO(4));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(3, "x"), S0(T(3, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), TO(1));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "xyzw")));
}

/* A driver that resets the core, which is executing a command. */
static void reset_at_yield(void *ctx)
{
	if (++scene.yields != scene.abort_at)
		return;
	scene.gc->fe->in_run = true;
	gc_write(scene.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	scene.gc->fe->in_run = false;
}

static unsigned int dirty_lines(const struct data_cache *cache)
{
	unsigned int dirty = 0;

	for (unsigned int i = 0; i < DATA_CACHE_LINES; i++)
		dirty += cache->line[i].dirty;
	return dirty;
}

/* Draw whole tiles; the core is reset at yield @yield, in the shader, that is in part @part of a tile. */
static void reset_in_part(unsigned int yield, uint64_t part)
{
	struct gc_draw what;

	open_usual_scene(1, long_loop);
	scene.gc->draw->defer_after = 3; /* the first part has three groups */
	scene.gc->host.yield = reset_at_yield;
	scene.abort_at = yield;
	what = whole_target();
	gc_pieces_begin(scene.gc, 0);
	gc_draw_execute(scene.gc, &what);
	gc_pieces_push(scene.gc);
	CHECK(scene.yields >= yield);
	CHECK_EQ(scene.gc->draw->tile_parts, part);
	if (scene.cache_data)
		CHECK_EQ(dirty_lines(scene.gc->pe->color_data), 0);
	close_scene();
}

/* A draw ends with the part in which the core is reset, whose pixels are not in the caches either. */
TEST(a_reset_within_a_tile_ends_the_draw)
{
	scene.large = false;
	for (unsigned int data = 0; data < 2; data++) {
		scene.cache_data = data;
		reset_in_part(1, 1);
		reset_in_part(3, 1);
		reset_in_part(20, 2);
	}
	scene.cache_data = false;
}

int main(void)
{
	return test_all();
}
