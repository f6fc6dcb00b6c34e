/* SPDX-License-Identifier: MIT */
/*
 * The pixel engine: depth and stencil, alpha test, blending, logic operations,
 * masks and dithering, on quads in the order of the primitives; reads and
 * writes colour and depth surfaces through tile status.
 */
#ifndef CARD_GC_PE_H
#define CARD_GC_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gc/batch.h"
#include "gc/mmu.h"

struct gc_core;
struct gc_pixel_engine;

#define GC_MAX_SAMPLES 4

/* A whole block of pixels may be put behind quads that do not fill a batch yet. */
#define GC_QUADS_ROOM (2 * GC_QUADS)

struct gc_quad {
	int16_t x, y;      /* of its upper left pixel, both even, in pixels */
	uint16_t coverage; /* 4 bits a sample: bit 4*s + p, p = pixel in the quad */
	bool front;        /* facing as the core's FRONT states mean it, not the API's */
};

/* Up to GC_QUADS quads of one draw, in order; lanes 4q..4q+3 of the batch belong to quad q. */
struct gc_quads {
	unsigned int count;
	/*
	 * They are the 8x8 pixels from the first quad's on, row by row, all
	 * covered, and begin with a 4x4 tile: what is known then need not be
	 * found out. Whoever takes coverage away also takes this away.
	 */
	bool block;
	struct gc_quad quad[GC_QUADS_ROOM] __attribute__((aligned(64)));
	/* depth of each sample of the lanes, 0..1, before clamping; only if depth is tested or written */
	float z[GC_MAX_SAMPLES][4 * GC_QUADS_ROOM];
};

/* Four quads as words: x, y, coverage and front in 16 bits each, low to high. */
typedef uint64_t gc_quad4 __attribute__((vector_size(32), may_alias));
#define GC_QUAD_COVERAGE_SHIFT 32

_Static_assert(sizeof(struct gc_quad) == sizeof(uint64_t) &&
		       8 * offsetof(struct gc_quad, coverage) == GC_QUAD_COVERAGE_SHIFT,
	       "struct gc_quad is read as a word");

/** gc_quads_covered - the lanes that sample @s of the quads covers. */
static inline uint64_t gc_quads_covered(const struct gc_quads *quads, unsigned int s)
{
	const gc_quad4 place = { 0, 4, 8, 12 };
	gc_quad4 bits = { 0 };
	uint64_t lanes;

	for (unsigned int i = 0; i < GC_QUADS / 4; i++) {
		gc_quad4 quad = ((const gc_quad4 *)quads->quad)[i];

		bits |= (quad >> (GC_QUAD_COVERAGE_SHIFT + 4 * s) & 15) << (place + 16 * i);
	}
	lanes = bits[0] | bits[1] | bits[2] | bits[3];
	return quads->count < GC_QUADS ? lanes & ((UINT64_C(1) << 4 * quads->count) - 1) : lanes;
}

/* How colours become pixels in this draw, for those who do it later. */
struct gc_pe_paint {
	const struct gc_format *format;
	/* eight-bit targets that are blended, else NULL; see pe_internal.h */
	void (*blender)(const struct gc_color *color, unsigned int first, unsigned int end,
			uint32_t opaque, const uint32_t *old, uint32_t *out);
};

#define GC_PE_LINE_BYTES 64 /* of the colour and of the depth cache */
#define GC_PE_RUN_BYTES 256 /* of 8x8 pixels of 32 bits that follow each other */

/* Where the quads of a full group are in memory. */
struct gc_pe_location {
	/* four tiles after each other, one cache line each, covered all over; else NULL */
	uint8_t *run;
	uint32_t run_address;
	uint8_t *row[GC_QUADS];     /* of each quad its upper pixels; the lower ones follow */
	uint32_t address[GC_QUADS]; /* of those, for the GPU */
	uint64_t covered;           /* lanes to write */
};

struct gc_pixel_engine *gc_pe_create(struct gc_core *gc);
void gc_pe_destroy(struct gc_pixel_engine *pe);

/** gc_pe_reset - as the core's reset leaves it: no query, empty caches. */
void gc_pe_reset(struct gc_core *gc);

/** gc_pe_begin_draw - decode PE, TS and MSAA states; false: nothing can be drawn (no target). */
bool gc_pe_begin_draw(struct gc_core *gc);

/**
 * gc_pe_shader - what the pixel shader of this draw may do, told after gc_pe_begin_draw()
 * @kills: it may kill pixels
 * @writes_depth: it writes depth
 *
 * Until it is told, the pixel engine expects both and decides late.
 */
void gc_pe_shader(struct gc_core *gc, bool kills, bool writes_depth);

/** gc_pe_samples - samples per pixel of the current target: 1, 2 or 4. */
unsigned int gc_pe_samples(const struct gc_core *gc);

/** gc_pe_targets - colours that the shader has to deliver: 1 to 8 (gc_pe_color_target()). */
unsigned int gc_pe_targets(const struct gc_core *gc);

/** gc_pe_early - whether depth and stencil are decided before the shader for this draw. */
bool gc_pe_early(const struct gc_core *gc);

/** gc_pe_is_late - whether gc_pe_alpha() or gc_pe_depth() have anything to do in this draw. */
bool gc_pe_is_late(const struct gc_core *gc);

/** gc_pe_needs_depth - whether this draw looks at the quads' depth at all. */
bool gc_pe_needs_depth(const struct gc_core *gc);

/**
 * gc_pe_early_test - reject before the shader what depth will surely reject later
 *
 * For draws that decide late (not gc_pe_early()): a read-only test, as the
 * rasteriser's early Z does it, if the states ask for it and it can change no
 * result; else nothing happens. gc_pe_depth() after the shader stays necessary.
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_early_test(struct gc_core *gc, struct gc_quads *quads);

/**
 * gc_pe_depth - depth and stencil test (and update) of @quads
 *
 * Clears coverage bits of samples that fail. Called before the shader when
 * gc_pe_early(), else after it with the killed samples already removed.
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_depth(struct gc_core *gc, struct gc_quads *quads);

/**
 * gc_pe_color - alpha test, blend and write the covered samples
 * @color: the shader's output, one lane a pixel
 *
 * With a late alpha test (not gc_pe_early()) the caller calls gc_pe_alpha() first.
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_color(struct gc_core *gc, const struct gc_quads *quads, const struct gc_vec4 *color);

/** gc_pe_color_target - the same for render target @target, 0..gc_pe_targets() - 1. */
bool gc_pe_color_target(struct gc_core *gc, unsigned int target, const struct gc_quads *quads,
			const struct gc_color *color);

/** gc_pe_can_write_blocks - whether all targets of this draw have a way for gc_pe_color_block(). */
bool gc_pe_can_write_blocks(const struct gc_core *gc);

/** gc_pe_color_block - gc_pe_color_target() of the 8x8 pixels at (@x, @y), all of them covered. */
bool gc_pe_color_block(struct gc_core *gc, unsigned int target, int x, int y,
		       const struct gc_color *color);

/** gc_pe_alpha - alpha test: clears the coverage of failing pixels. */
void gc_pe_alpha(struct gc_core *gc, struct gc_quads *quads, const struct gc_color *color);

/**
 * gc_pe_can_defer - whether places of pixels can be found before their colours are known
 * @paint: filled in if so
 *
 * Then gc_pe_locate_block() and gc_pe_locate_quads() do all of gc_pe_color_block()
 * and gc_pe_color_target() that depends on the order of groups, and gc_pe_paint()
 * the rest, on any thread, as long as each pixel is painted in order.
 */
bool gc_pe_can_defer(const struct gc_core *gc, struct gc_pe_paint *paint);

/**
 * gc_pe_locate_block, gc_pe_locate_quads - false after a memory fault; what was found before it is
 * painted
 */
bool gc_pe_locate_block(struct gc_core *gc, int x, int y, struct gc_pe_location *place);
bool gc_pe_locate_quads(struct gc_core *gc, const struct gc_quads *quads,
			struct gc_pe_location *place);

/** gc_pe_paint_run - @color becomes the pixels of place->run. */
void gc_pe_paint_run(const struct gc_pe_paint *paint, uint8_t *run, const struct gc_color *color);

/** gc_pe_paint_quads - @color becomes the @covered pixels of @quad at place->row. */
void gc_pe_paint_quads(const struct gc_pe_paint *paint, const struct gc_quad quad[GC_QUADS],
		       uint8_t *const row[GC_QUADS], uint64_t covered,
		       const struct gc_color *color);

/* Pages that 64x64 pixels of 32 bits lie in, if they do not begin with one. */
#define GC_PE_TILE_PAGES 5

/* Where such a tile is in memory: blocks of 8x8 pixels, each a run as in struct gc_pe_location. */
struct gc_pe_tile {
	uint32_t address;     /* for the GPU, of its first block in memory */
	const uint8_t *order; /* of its blocks, row by row: how many lie before each */
	uint8_t *page[GC_PE_TILE_PAGES];
};

/** gc_pe_tile_run - the run of the tile's block @block. */
static inline uint8_t *gc_pe_tile_run(const struct gc_pe_tile *tile, unsigned int block)
{
	uint32_t at = tile->address % GC_PAGE_SIZE + tile->order[block] * GC_PE_RUN_BYTES;

	return tile->page[at / GC_PAGE_SIZE] + at % GC_PAGE_SIZE;
}

/** gc_pe_can_write_tiles - whether gc_pe_locate_tile() is of use; @paint: as gc_pe_can_defer(). */
bool gc_pe_can_write_tiles(const struct gc_core *gc, struct gc_pe_paint *paint);

/**
 * gc_pe_find_tile - find @blocks of the 64x64 pixels at (@x, @y), one bit each, row by row
 * @tile: their pages are filled in
 *
 * Nothing that could be seen happens.
 *
 * Returns: false if they must be placed one by one.
 */
bool gc_pe_find_tile(struct gc_core *gc, int x, int y, uint64_t blocks, struct gc_pe_tile *tile);

/** gc_pe_locate_tile - gc_pe_locate_block() of these blocks, which were found. */
void gc_pe_locate_tile(struct gc_core *gc, const struct gc_pe_tile *tile, uint64_t blocks);

/** gc_pe_flush - write back the pixel caches (GL FLUSH_CACHE COLOR, DEPTH); fills gc->work. */
void gc_pe_flush(struct gc_core *gc, bool color, bool depth);

/** gc_pe_status_is_dirty - whether the tile status cache holds what is not in memory. */
bool gc_pe_status_is_dirty(const struct gc_core *gc);

/** gc_pe_flush_status - write back and empty the tile status cache (TS FLUSH_CACHE); fills gc->work. */
void gc_pe_flush_status(struct gc_core *gc);

/** gc_pe_query - occlusion query states (GL_OCCLUSION_QUERY_*): start or stop writing the count. */
void gc_pe_query_address(struct gc_core *gc, uint32_t address);
void gc_pe_query_control(struct gc_core *gc, uint32_t control);

#endif
