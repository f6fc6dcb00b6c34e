/* SPDX-License-Identifier: MIT */
/*
 * The pixel engine: depth and stencil test, alpha test, blending, logic operations, masks and
 * dithering, on quads in the order of the primitives. Reads and writes colour and depth
 * surfaces, with their tile status.
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

/* Room for a full group of quads after one that is not full. */
#define GC_QUADS_ROOM (2 * GC_QUADS)

struct gc_quad {
	int16_t x, y;      /* upper left pixel, both even */
	uint16_t coverage; /* 4 bits per sample: bit 4 * s + p, p = pixel in the quad */
	bool front;        /* clockwise: the front of the PE's *_FRONT states, not of the API */
};

/* Up to GC_QUADS quads of one draw, in order; lanes 4q..4q+3 of a batch belong to quad q. */
struct gc_quads {
	unsigned int count;
	/*
	 * The quads are all quads of the 8x8 pixels that begin with the first quad, row by row,
	 * fully covered, and the first quad is at the start of a 4x4 tile. Allows faster paths.
	 * Code that clears coverage must clear this too.
	 */
	bool block;
	struct gc_quad quad[GC_QUADS_ROOM] __attribute__((aligned(64)));
	/*
	 * depth of each sample of the lanes, before clamping to 0..1; unset if depth is not
	 * used
	 */
	float z[GC_MAX_SAMPLES][4 * GC_QUADS_ROOM];
};

/* Four quads as 64-bit words: x, y, coverage and front, 16 bits each, from low to high. */
typedef uint64_t gc_quad4 __attribute__((vector_size(32), may_alias));
#define GC_QUAD_COVERAGE_SHIFT 32

_Static_assert(sizeof(struct gc_quad) == sizeof(uint64_t) &&
		       8 * offsetof(struct gc_quad, coverage) == GC_QUAD_COVERAGE_SHIFT,
	       "struct gc_quad is read as a word");

/** gc_quads_covered - mask of the lanes in which sample @s is covered */
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

/* How colours become pixels in this draw, for deferred shading. */
struct gc_pe_paint {
	const struct gc_format *format;
	/* for 8-bit targets that are blended, otherwise NULL; see pe_blender in pe_internal.h */
	void (*blender)(const struct gc_color *color, unsigned int first, unsigned int end,
			uint32_t opaque, const uint32_t *old, uint32_t *out);
};

#define GC_PE_LINE_BYTES 64 /* cache line of the colour and of the depth cache */
#define GC_PE_RUN_BYTES 256 /* an 8x8 block of 32-bit pixels in a supertile */

/* Addresses of the quads of a full group. */
struct gc_pe_location {
	/*
	 * host address if the group is a fully covered block of consecutive lines, otherwise
	 * NULL
	 */
	uint8_t *run;
	uint32_t run_address;
	/* host address of each quad's upper pixels; the lower ones are 16 bytes behind */
	uint8_t *row[GC_QUADS];
	uint32_t address[GC_QUADS]; /* GPU address of these */
	uint64_t covered;           /* lanes to write */
};

struct gc_pixel_engine *gc_pe_create(struct gc_core *gc);
void gc_pe_destroy(struct gc_pixel_engine *pe);

/** gc_pe_reset - reset of the core: no query, empty caches */
void gc_pe_reset(struct gc_core *gc);

/** gc_pe_begin_draw - decode PE, TS and MSAA states; false if quads would have no effect */
bool gc_pe_begin_draw(struct gc_core *gc);

/**
 * gc_pe_shader - set properties of this draw's pixel shader, after gc_pe_begin_draw()
 * @kills: it may kill pixels
 * @writes_depth: it writes depth
 *
 * Until this is called both count as true, so that depth is tested after the shader.
 */
void gc_pe_shader(struct gc_core *gc, bool kills, bool writes_depth);

/** gc_pe_samples - samples per pixel of the current targets: 1, 2 or 4 */
unsigned int gc_pe_samples(const struct gc_core *gc);

/** gc_pe_targets - number of colours that the shader writes, 1 to 8 */
unsigned int gc_pe_targets(const struct gc_core *gc);

/** gc_pe_early - whether this draw's depth and stencil tests precede the shader */
bool gc_pe_early(const struct gc_core *gc);

/** gc_pe_is_late - whether gc_pe_alpha() or gc_pe_depth() have an effect in this draw */
bool gc_pe_is_late(const struct gc_core *gc);

/** gc_pe_needs_depth - whether this draw tests or writes depth or stencil, with the quads' depth */
bool gc_pe_needs_depth(const struct gc_core *gc);

/**
 * gc_pe_early_test - reject quads before the shader whose depth test will fail after it
 *
 * For draws without gc_pe_early(). Reads depth only, as the rasteriser's early Z test does
 * (RA_EARLY_DEPTH). Has no effect unless the states enable it and it cannot change the result;
 * gc_pe_depth() after the shader is required in any case.
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_early_test(struct gc_core *gc, struct gc_quads *quads);

/**
 * gc_pe_depth - apply the sample mask, test and update depth and stencil, count samples for a query
 *
 * Clears the coverage of samples that fail. Called before the shader if gc_pe_early(),
 * otherwise after it and with killed pixels removed.
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_depth(struct gc_core *gc, struct gc_quads *quads);

/**
 * gc_pe_color - blend and write the covered samples to target 0; for tests
 * @color: the shader's output
 *
 * The alpha test, gc_pe_alpha(), has to be done before.
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_color(struct gc_core *gc, const struct gc_quads *quads, const struct gc_vec4 *color);

/** gc_pe_color_target - the same for @target, 0..gc_pe_targets() - 1 */
bool gc_pe_color_target(struct gc_core *gc, unsigned int target, const struct gc_quads *quads,
			const struct gc_color *color);

/** gc_pe_can_write_blocks - whether gc_pe_color_block() supports all targets of this draw */
bool gc_pe_can_write_blocks(const struct gc_core *gc);

/** gc_pe_color_block - gc_pe_color_target() for the fully covered 8x8 pixels at (@x, @y) */
bool gc_pe_color_block(struct gc_core *gc, unsigned int target, int x, int y,
		       const struct gc_color *color);

/** gc_pe_alpha - alpha test: clear the coverage of pixels that fail */
void gc_pe_alpha(struct gc_core *gc, struct gc_quads *quads, const struct gc_color *color);

/**
 * gc_pe_can_defer - whether pixels of this draw can be located before their colours are
 * computed
 * @paint: filled in if so
 *
 * Then gc_pe_locate_block() and gc_pe_locate_quads() do the part of gc_pe_color_block() and
 * gc_pe_color_target() that depends on the order of groups. gc_pe_paint_run() and
 * gc_pe_paint_quads() do the rest, on any thread, if each pixel's writes stay in order.
 */
bool gc_pe_can_defer(const struct gc_core *gc, struct gc_pe_paint *paint);

/**
 * gc_pe_locate_block, gc_pe_locate_quads - find the addresses of a group's pixels
 * @place: receives the addresses; after a fault those found before it, which have to be written
 *
 * Returns: false after a memory fault.
 */
bool gc_pe_locate_block(struct gc_core *gc, int x, int y, struct gc_pe_location *place);
bool gc_pe_locate_quads(struct gc_core *gc, const struct gc_quads *quads,
			struct gc_pe_location *place);

/** gc_pe_paint_run - write @color to the 8x8 pixels at @run */
void gc_pe_paint_run(const struct gc_pe_paint *paint, uint8_t *run, const struct gc_color *color);

/** gc_pe_paint_quads - write @color to the @covered pixels of @quad at @row */
void gc_pe_paint_quads(const struct gc_pe_paint *paint, const struct gc_quad quad[GC_QUADS],
		       uint8_t *const row[GC_QUADS], uint64_t covered,
		       const struct gc_color *color);

/* Pages of 64x64 pixels of 32 bits (16 KiB) that do not start at a page boundary. */
#define GC_PE_TILE_PAGES 5

/* Addresses of a 64x64 tile: blocks of 8x8 pixels, each a run as in struct gc_pe_location. */
struct gc_pe_tile {
	uint32_t address;                /* GPU address of the first block in memory */
	const uint8_t *order;            /* position in memory of each block, blocks row by row */
	uint8_t *page[GC_PE_TILE_PAGES]; /* host addresses; NULL: not used */
};

/** gc_pe_tile_run - host address of the tile's block @block */
static inline uint8_t *gc_pe_tile_run(const struct gc_pe_tile *tile, unsigned int block)
{
	uint32_t at = tile->address % GC_PAGE_SIZE + tile->order[block] * GC_PE_RUN_BYTES;

	return tile->page[at / GC_PAGE_SIZE] + at % GC_PAGE_SIZE;
}

/**
 * gc_pe_can_write_tiles - whether this draw can be drawn by gc_pe_find_tile() and the functions of
 * tiles below; @paint as in gc_pe_can_defer()
 */
bool gc_pe_can_write_tiles(const struct gc_core *gc, struct gc_pe_paint *paint);

/**
 * gc_pe_find_tile - translate the addresses of blocks of the 64x64 tile at (@x, @y)
 * @blocks: one bit each, row by row
 * @tile: receives the addresses
 *
 * Has no side effect that the guest could observe; but with gc_options.cache_data lines of the
 * colour cache may be written back, and gc_pe_finish_tile() has to follow unless the draw is aborted.
 *
 * Returns: false if the blocks must be located one by one.
 */
bool gc_pe_find_tile(struct gc_core *gc, int x, int y, uint64_t blocks, struct gc_pe_tile *tile);

/**
 * gc_pe_finish_tile - blocks found by gc_pe_find_tile() were painted
 *
 * No effect without gc_options.cache_data. Otherwise nothing else may be drawn in between.
 */
void gc_pe_finish_tile(struct gc_core *gc, const struct gc_pe_tile *tile, uint64_t blocks);

/** gc_pe_locate_tile - gc_pe_locate_block() for blocks found by gc_pe_find_tile() */
void gc_pe_locate_tile(struct gc_core *gc, const struct gc_pe_tile *tile, uint64_t blocks);

/** gc_pe_flush - write back the pixel caches (GL_FLUSH_CACHE COLOR, DEPTH); adds to gc->work */
void gc_pe_flush(struct gc_core *gc, bool color, bool depth);

/**
 * gc_pe_lose_lines - the resolve engine takes the pixel pipes: what is in their caches and was not flushed is
 * lost
 *
 * No effect without gc_options.cache_data.
 */
void gc_pe_lose_lines(struct gc_core *gc);

/**
 * gc_pe_flush_status - write back and empty the tile status cache (TS_FLUSH_CACHE); adds to
 * gc->work
 */
void gc_pe_flush_status(struct gc_core *gc);

/** gc_pe_query_address - state GL_OCCLUSION_QUERY_ADDR: start counting samples */
void gc_pe_query_address(struct gc_core *gc, uint32_t address);

/**
 * gc_pe_end_query - any write of state GL_OCCLUSION_QUERY_CONTROL: stop counting, and write the
 * count to memory
 */
void gc_pe_end_query(struct gc_core *gc);

#endif
