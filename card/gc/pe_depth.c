// SPDX-License-Identifier: MIT
/*
 * Depth and stencil tests. A D16 pixel is the depth; a D24S8 pixel has the depth in bits 31:8 and
 * the stencil value in bits 7:0. Depths are compared as the integers in memory.
 */
#include <string.h>

#include "gc/pe_internal.h"
#include "gc/pixel_vector.h"
#include "hw/state_3d.xml.h"

#define STENCIL_BITS 8
#define STENCIL_MASK 0xffu

uint8_t pe_stencil_update(unsigned int op, uint8_t value, uint8_t ref)
{
	switch (op) {
	case STENCIL_OP_ZERO:
		return 0;
	case STENCIL_OP_REPLACE:
		return ref;
	case STENCIL_OP_INCR:
		return value < 0xff ? value + 1 : 0xff;
	case STENCIL_OP_DECR:
		return value > 0 ? value - 1 : 0;
	case STENCIL_OP_INVERT:
		return (uint8_t)~value;
	case STENCIL_OP_INCR_WRAP:
		return (uint8_t)(value + 1);
	case STENCIL_OP_DECR_WRAP:
		return (uint8_t)(value - 1);
	default:
		return value;
	}
}

/* Pixels of one sample of all lanes. */
struct depth_lanes {
	struct gc_pixels old, fresh; /* before and after the depth test, if it passes */
	uint64_t pass;               /* lanes whose depth passes */
};

/*
 * The depth test of a vector of lanes.
 * @d24: D24S8, otherwise D16; a compile-time constant
 * @func: COMPARE_FUNC_*
 * @scale: largest depth in memory
 * @z: depth of the primitive
 * @old: pixels in memory
 * @fresh: receives the pixels with the new depth, whether or not they pass
 *
 * Returns: all ones where the test passes.
 */
PX_INLINE px_int test_vector(bool d24, unsigned int func, double scale, px_float z, px_word old,
			     px_word *fresh)
{
	const unsigned int shift = d24 ? STENCIL_BITS : 0;
	const uint32_t keep = d24 ? STENCIL_MASK : 0;
	px_int new_depth = px_unorm(z, scale), old_depth = (px_int)(old >> shift);

	*fresh = (px_word)new_depth << shift | (old & keep);
	return PE_COMPARE(func, new_depth, old_depth);
}

/*
 * test_vector() for the lanes of @run. Other lanes in the same vectors are computed too: their
 * pixels in @fresh are undefined. @fresh may be @old.
 * Returns: the lanes that pass, without regard to coverage.
 */
PX_INLINE uint64_t test_lanes(bool d24, const struct pe_depth *depth, const struct pe_run *run,
			      const float *z, const uint32_t *old, uint32_t *fresh)
{
	const unsigned int end = 4 * (run->first + run->count), func = depth->func;
	const double scale = depth->scale;
	uint64_t passed = 0;

	for (unsigned int i = 4 * run->first & ~(PX_LANES - 1); i < end; i += PX_LANES) {
		px_int pass = test_vector(d24, func, scale, *(const px_float *)&z[i],
					  *(const px_word *)&old[i], (px_word *)&fresh[i]);

		passed |= (uint64_t)px_bits(pass) << i;
	}
	return passed;
}

/*
 * Stencil and depth test of lane @i, which is covered; sets its pixel in l->fresh. Returns: whether
 * it passes both.
 */
static bool stencil_lane(const struct pe_depth *depth, const struct pe_stencil *st,
			 struct depth_lanes *l, unsigned int i)
{
	uint32_t old = l->old.lo[i], word = old;
	uint8_t value = old & STENCIL_MASK, next;
	bool pass = pe_compare(st->func, st->ref & st->mask, value & st->mask);
	bool depth_passes = l->pass >> i & 1;
	unsigned int op = !pass ? st->fail : !depth_passes ? st->zfail : st->pass;

	next = pe_stencil_update(op, value, st->ref);
	pass = pass && depth_passes;
	if (pass && depth->write)
		word = l->fresh.lo[i];
	word &= ~STENCIL_MASK;
	word |= (value & (uint8_t)~st->write_mask) | (next & st->write_mask);
	l->fresh.lo[i] = word;
	return pass;
}

/*
 * Stencil and depth test of the lanes in @covered. @changed receives the lanes whose pixel changes.
 * Returns: the lanes that pass.
 */
static uint64_t stencil_lanes(const struct pe_depth *depth, const struct gc_quads *quads,
			      struct depth_lanes *l, uint64_t covered, uint64_t *changed)
{
	uint64_t passed = 0;

	*changed = 0;
	for (uint64_t left = covered; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		const struct pe_stencil *st = &depth->stencil[!quads->quad[i / 4].front];

		if (stencil_lane(depth, st, l, i))
			passed |= 1ull << i;
		if (l->fresh.lo[i] != l->old.lo[i])
			*changed |= 1ull << i;
	}
	return passed;
}

/* Clear the coverage of sample @s for lanes of @run that are not in @passed. */
static void keep_passed(struct gc_quads *quads, const struct pe_run *run, unsigned int s,
			uint64_t passed)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		uint16_t nibble = passed >> 4 * q & 15;

		quads->quad[q].coverage &=
			(uint16_t)(~(15u << 4 * s) | (unsigned int)nibble << 4 * s);
	}
}

/* Test sample @s of a run; @update: also test stencil, and write both, see gc_pe_early_test(). */
static void depth_sample(struct gc_core *gc, struct gc_quads *quads, const struct pe_run *run,
			 unsigned int s, bool update, struct pe_traffic *traffic)
{
	struct pe_depth *depth = &gc->pe->depth;
	const struct pe_samples *samples = &gc->pe->samples;
	uint64_t covered = gc_quads_covered(quads, s) & pe_run_lanes(run), passed, changed;
	struct depth_lanes l;

	if (!covered)
		return;
	pe_run_gather(&depth->surface, samples, run, s, &l.old);
	l.pass = depth->d24 ? test_lanes(true, depth, run, quads->z[s], l.old.lo, l.fresh.lo)
			    : test_lanes(false, depth, run, quads->z[s], l.old.lo, l.fresh.lo);
	if (update && depth->stencil_on) {
		passed = stencil_lanes(depth, quads, &l, covered, &changed);
	} else {
		passed = l.pass & covered;
		changed = update && depth->write ? passed : 0;
	}
	keep_passed(quads, run, s, passed);
	if (changed) {
		pe_run_wrote(&depth->surface, run, changed, traffic);
		pe_run_scatter(&depth->surface, samples, run, s, changed, &l.fresh);
	}
}

/*
 * depth_words() for a fully covered 8x8 block; clears quads->block if a lane fails. The addresses
 * of its quads are needed only to write some, but not all, of the lanes.
 */
static bool depth_block(struct gc_core *gc, struct gc_quads *quads, bool write,
			struct pe_traffic *traffic, uint64_t *lanes)
{
	struct pe_depth *depth = &gc->pe->depth;
	uint32_t words[GC_LANES] __attribute__((aligned(64)));
	struct pe_block block;
	struct pe_run run = { .first = 0, .count = GC_QUADS };
	uint64_t passed;

	if (!pe_block_locate(gc, &depth->surface, quads->quad[0].x, quads->quad[0].y, &block,
			     traffic))
		return false;
	pe_block_gather(&block, words);
	passed = test_lanes(true, depth, &run, quads->z[0], words, words);
	if (passed == UINT64_MAX && write) {
		pe_block_scatter(&block, words);
		pe_block_wrote(&depth->surface, &block, traffic);
	}
	if (passed == UINT64_MAX)
		return true;
	*lanes = passed;
	quads->block = false;
	keep_passed(quads, &run, 0, passed);
	if (write && passed) {
		pe_block_addresses(&depth->surface, &block, &run);
		pe_run_wrote(&depth->surface, &run, passed, traffic);
		pe_run_scatter_words(&run, passed, words);
	}
	return true;
}

/*
 * The depth test for the common case, see can_test_words(): pixels are single words.
 * @lanes: those that are covered; those that fail are removed
 */
static bool depth_words(struct gc_core *gc, struct gc_quads *quads, bool write,
			struct pe_traffic *traffic, uint64_t *lanes)
{
	struct pe_depth *depth = &gc->pe->depth;
	uint32_t words[GC_LANES] __attribute__((aligned(64))) = { 0 };
	struct pe_run run;

	if (quads->block)
		return depth_block(gc, quads, write, traffic, lanes);
	for (run.first = 0; run.first < quads->count; run.first += run.count) {
		uint64_t covered, passed;

		run.count =
			write ? pe_run_length(quads->quad, run.first, quads->count) : quads->count;
		if (!pe_run_locate(gc, &depth->surface, quads, &run, traffic))
			return false;
		pe_run_gather_words(&run, words);
		covered = *lanes & pe_run_lanes(&run);
		passed = test_lanes(true, depth, &run, quads->z[0], words, words) & covered;
		if (passed != covered)
			keep_passed(quads, &run, 0, passed);
		*lanes ^= covered ^ passed;
		if (!write || !passed)
			continue;
		pe_run_wrote(&depth->surface, &run, passed, traffic);
		pe_run_scatter_words(&run, passed, words);
	}
	return true;
}

/* Whether depth_words() does this draw's test: D24S8, one sample per pixel, without stencil. */
static bool can_test_words(const struct gc_pixel_engine *pe)
{
	return pe->depth.surface.simple && pe->depth.d24 && !pe->depth.stencil_on && !pe->plain;
}

/* The depth test for all formats and sample counts, with stencil. */
static bool depth_runs(struct gc_core *gc, struct gc_quads *quads, bool update,
		       struct pe_traffic *traffic)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_run run;
	bool ok = true;

	for (run.first = 0; ok && run.first < quads->count; run.first += run.count) {
		run.count =
			update ? pe_run_length(quads->quad, run.first, quads->count) : quads->count;
		ok = pe_run_locate(gc, &pe->depth.surface, quads, &run, traffic);
		for (unsigned int s = 0; ok && s < pe->samples.count; s++)
			depth_sample(gc, quads, &run, s, update, traffic);
	}
	return ok;
}

/* Pixels with at least one covered sample. */
static unsigned int pixels(const struct pe_samples *samples, const struct gc_quads *quads)
{
	uint64_t any = 0;

	for (unsigned int s = 0; s < samples->count; s++)
		any |= gc_quads_covered(quads, s);
	return (unsigned int)__builtin_popcountll(any);
}

/* @before, @left: receive the numbers of pixels before and after the test */
static bool depth_quads(struct gc_core *gc, struct gc_quads *quads, bool update,
			struct pe_traffic *traffic, unsigned int *before, unsigned int *left)
{
	struct gc_pixel_engine *pe = gc->pe;
	uint64_t lanes;
	bool ok;

	if (CARD_PLAIN || !can_test_words(pe)) {
		bool block = quads->block && can_test_words(pe);

		*before = pixels(&pe->samples, quads);
		ok = depth_runs(gc, quads, update, traffic);
		if (block)
			pe_leave_tile(&pe->depth.surface);
		*left = pixels(&pe->samples, quads);
		quads->block = quads->block && *left == GC_LANES;
		return ok;
	}
	lanes = quads->block ? UINT64_MAX : gc_quads_covered(quads, 0);
	*before = (unsigned int)__builtin_popcountll(lanes);
	ok = depth_words(gc, quads, update && pe->depth.write, traffic, &lanes);
	*left = (unsigned int)__builtin_popcountll(lanes);
	return ok;
}

static void apply_sample_mask(const struct pe_samples *samples, struct gc_quads *quads)
{
	const gc_quad4 ones = (gc_quad4){ 0 } - 1;
	gc_quad4 *quad = (gc_quad4 *)quads->quad;
	uint64_t refused = 0xffff;

	if (quads->block) /* only formed with one sample per pixel, which is enabled */
		return;
	for (unsigned int s = 0; s < samples->count; s++)
		if (samples->enabled >> s & 1)
			refused &= ~(UINT64_C(15) << 4 * s);
	for (unsigned int i = 0; i < GC_QUADS / 4; i++)
		quad[i] &= ones ^ refused << GC_QUAD_COVERAGE_SHIFT;
}

static void count_query(struct pe_query *query, const struct gc_quads *quads)
{
	if (!query->on)
		return;
	for (unsigned int q = 0; q < quads->count; q++)
		query->samples += (unsigned int)__builtin_popcount(quads->quad[q].coverage);
}

/* Test, and count the pixels that fail; @left receives the number of pixels that remain. */
static bool run_stage(struct gc_core *gc, struct gc_quads *quads, bool update, unsigned int *left)
{
	struct pixel_cache *cache = &gc->pe->depth_cache;
	struct pe_traffic traffic = { 0, 0 };
	unsigned int before;
	bool ok = depth_quads(gc, quads, update, &traffic, &before, left);

	gc->work.depth_read_bytes += traffic.read_bytes;
	gc->work.depth_write_bytes += traffic.write_bytes;
	gc->work.depth_pages += cache_memory_new_pages(&cache->memory);
	gc->work.depth_walks += cache_memory_new_walks(&cache->memory);
	gc->counters.pe_read_bytes += traffic.read_bytes;
	gc->counters.pe_write_bytes += traffic.write_bytes;
	gc->counters.pe_killed_by_depth += before - *left;
	return ok;
}

bool gc_pe_depth(struct gc_core *gc, struct gc_quads *quads)
{
	struct gc_pixel_engine *pe = gc->pe;
	unsigned int left;

	apply_sample_mask(&pe->samples, quads);
	if (pe->depth.on) {
		if (!run_stage(gc, quads, true, &left))
			return false;
		gc->counters.pe_drawn_by_depth += left;
	}
	count_query(&pe->query, quads);
	return true;
}

/*
 * Whether pixels that fail the test before shading may be discarded: whether they would also fail
 * once all earlier pixels are written, and failing does not change the stencil value. Writes move
 * depths only in the direction in which more pixels fail, except with "not equal".
 */
static bool rejection_is_final(const struct pe_depth *depth)
{
	bool not_equal = depth->func == (1 | 4); /* less or greater, see PE_COMPARE */

	for (unsigned int i = 0; depth->stencil_on && i < 2; i++) {
		const struct pe_stencil *st = &depth->stencil[i];

		if (st->fail != STENCIL_OP_KEEP || st->zfail != STENCIL_OP_KEEP)
			return false;
	}
	return !(not_equal && depth->write);
}

bool gc_pe_early_test(struct gc_core *gc, struct gc_quads *quads)
{
	struct gc_pixel_engine *pe = gc->pe;
	unsigned int left;

	if (!pe->depth.on || !pe->depth.early_asked || pe->shader_writes_depth || gc_pe_early(gc) ||
	    !rejection_is_final(&pe->depth))
		return true;
	apply_sample_mask(&pe->samples, quads);
	return run_stage(gc, quads, false, &left);
}
