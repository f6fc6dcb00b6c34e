// SPDX-License-Identifier: MIT
/*
 * Colour writes in two steps, for deferred shading. gc_pe_locate_*() find the addresses of a
 * group's pixels, with tile status and cache model; the drawing thread calls them in the order
 * of the groups. gc_pe_paint_*() blend and store, on any thread. The result of both is that of
 * pe_color.c. Supports one target of 32-bit pixels with one sample that needs no old value or is
 * blended by a function of pe_blend.c.
 */
#include <string.h>

#include "gc/pe_internal.h"

bool gc_pe_can_defer(const struct gc_core *gc, struct gc_pe_paint *paint)
{
	const struct gc_pixel_engine *pe = gc->pe;
	const struct pe_target *t = &pe->target[0];
	bool words, own_tags;

	if (pe->targets != 1 || !t->on || pe->plain)
		return false;
	words = pe_can_write_words(t);
	/*
	 * Filling a cleared tile writes to the surface of the tile status states, which must be
	 * this target: hazards are recorded for its pages only.
	 */
	own_tags = !t->surface.ts.enabled ||
		   t->surface.ts.surface_address == t->surface.memory.base[0];
	paint->format = t->format;
	paint->blender = words ? NULL : t->blender;
	return own_tags && (words || pe_can_blend_words(t));
}

static void set_rows(struct gc_pe_location *place, const struct pe_run *run)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		place->row[q] = run->place[q].row[0];
		place->address[q] = run->place[q].address;
	}
}

bool gc_pe_locate_block(struct gc_core *gc, int x, int y, struct gc_pe_location *place)
{
	struct pe_surface *surface = &gc->pe->target[0].surface;
	struct pe_traffic traffic = { 0, 0 };
	struct pe_run all = { .first = 0, .count = GC_QUADS };
	struct pe_block block;
	bool ok = pe_block_locate(gc, surface, x, y, &block, &traffic);

	place->run = NULL;
	place->covered = ok ? UINT64_MAX : 0;
	if (ok) {
		pe_block_wrote(surface, &block, &traffic);
		if (block.run) {
			place->run = block.tile[0];
			place->run_address = block.address[0];
		} else {
			pe_block_addresses(surface, &block, &all);
			set_rows(place, &all);
		}
	}
	gc->counters.pe_drawn_by_color += GC_LANES;
	pe_report(gc, &traffic);
	return ok;
}

/* Locate the group in the runs that pe_color.c would process, so that cache accesses are the same. */
static bool locate_runs(struct gc_core *gc, const struct gc_quads *quads, uint64_t covered,
			struct gc_pe_location *place, struct pe_traffic *traffic)
{
	struct pe_target *t = &gc->pe->target[0];
	struct pe_run run;

	for (run.first = 0; run.first < quads->count; run.first += run.count) {
		uint64_t lanes;

		run.count = t->needs_old ? pe_run_length(quads->quad, run.first, quads->count)
					 : quads->count;
		if (!pe_run_locate(gc, &t->surface, quads, &run, traffic))
			return false;
		lanes = covered & pe_run_lanes(&run);
		pe_run_wrote(&t->surface, &run, lanes, traffic);
		set_rows(place, &run);
		place->covered |= lanes;
	}
	return true;
}

bool gc_pe_locate_quads(struct gc_core *gc, const struct gc_quads *quads,
			struct gc_pe_location *place)
{
	struct pe_traffic traffic = { 0, 0 };
	uint64_t covered = gc_quads_covered(quads, 0);
	bool ok;

	place->run = NULL;
	place->covered = 0;
	ok = locate_runs(gc, quads, covered, place, &traffic);
	gc->counters.pe_drawn_by_color += (unsigned int)__builtin_popcountll(covered);
	pe_report(gc, &traffic);
	return ok;
}

void gc_pe_paint_run(const struct gc_pe_paint *paint, uint8_t *run, const struct gc_color *color)
{
	const struct pe_block block = { .tile = { run, run + PE_LINE_BYTES, run + 2 * PE_LINE_BYTES,
						  run + 3 * PE_LINE_BYTES } };
	uint32_t pixels[GC_LANES] __attribute__((aligned(64)));
	struct gc_pixels packed;

	if (!paint->blender) {
		gc_format_pack_color(paint->format, color, 0, GC_LANES, NULL, &packed);
		pe_block_scatter(&block, packed.lo);
		return;
	}
	pe_block_gather(&block, pixels);
	paint->blender(color, 0, GC_LANES, paint->format->pad, pixels, pixels);
	pe_block_scatter(&block, pixels);
}

/* Set the rows of @run's quads for pe_run_gather_words() and pe_run_scatter_words(). */
static void load_rows(struct pe_run *run, uint8_t *const row[GC_QUADS], uint64_t covered)
{
	for (unsigned int q = run->first; q < run->first + run->count; q++) {
		bool there = covered >> 4 * q & 15;

		run->place[q].row[0] = there ? row[q] : NULL;
		run->place[q].row[1] = there ? row[q] + GC_TILE_SIZE * sizeof(uint32_t) : NULL;
	}
}

static void blend_quads(const struct gc_pe_paint *paint, const struct gc_quad quad[GC_QUADS],
			uint8_t *const row[GC_QUADS], uint64_t covered,
			const struct gc_color *color)
{
	uint32_t pixels[GC_LANES] __attribute__((aligned(64))) = { 0 };
	struct pe_run run;

	for (run.first = 0; run.first < GC_QUADS; run.first += run.count) {
		run.count = pe_run_length(quad, run.first, GC_QUADS);
		load_rows(&run, row, covered);
		pe_run_gather_words(&run, pixels);
		paint->blender(color, pe_run_first(&run), pe_run_end(&run), paint->format->pad,
			       pixels, pixels);
		pe_run_scatter_words(&run, covered & pe_run_lanes(&run), pixels);
	}
}

void gc_pe_paint_quads(const struct gc_pe_paint *paint, const struct gc_quad quad[GC_QUADS],
		       uint8_t *const row[GC_QUADS], uint64_t covered, const struct gc_color *color)
{
	struct pe_run run = { .first = 0, .count = GC_QUADS };
	struct gc_pixels packed;

	if (!covered)
		return;
	if (paint->blender) {
		blend_quads(paint, quad, row, covered, color);
		return;
	}
	gc_format_pack_color(paint->format, color, 0, GC_LANES, NULL, &packed);
	load_rows(&run, row, covered);
	pe_run_scatter_words(&run, covered, packed.lo);
}
