/* SPDX-License-Identifier: MIT */
/*
 * Types and functions of the pixel engine's own files: decoded states, and surfaces as quads
 * access them. Only these files and their tests include this.
 *
 * Quads are processed in runs: several quads at a time in arrays over the lanes. Where pixels are
 * read and written, no two of a run cover the same pixels, so that blending sees the result of
 * earlier primitives.
 */
#ifndef CARD_GC_PE_INTERNAL_H
#define CARD_GC_PE_INTERNAL_H

#include "clock/pixel_cache.h"
#include "gc/core.h"
#include "gc/format.h"
#include "gc/layout.h"
#include "gc/pe.h"
#include "gc/ts.h"
#include "plain.h"

#define PE_MAX_TARGETS 8
#define PE_LINE_BYTES GC_PE_LINE_BYTES
#define PE_READY_TILES 64 /* size of pe_surface.ready, a hash table */

/* Samples of a pixel. They are neighbours in the surface. */
struct pe_samples {
	unsigned int count; /* 1, 2 or 4 */
	unsigned int x, y;  /* 1x1, 2x1 or 2x2 */
	uint8_t enabled;    /* the sample mask */
};

/* How a surface is accessed: selects the permission and the memory traffic. */
enum pe_use {
	PE_READ,      /* read */
	PE_UPDATE,    /* read, then possibly write */
	PE_OVERWRITE, /* write all bytes without reading */
};

/* A 4x4 tile whose address was translated. Most quads are in one of the last tiles. */
struct pe_tile {
	uint32_t key; /* y << 16 | x, in tiles */
	uint32_t address;
	uint8_t *host;
};

#define PE_TILES 16             /* cached tiles, indexed by the low two bits of x and y */
#define PE_TILE_KEY 0x3fff3fffu /* bits of a key: surfaces have at most 65536 samples per side */
#define PE_NO_TILE UINT32_MAX   /* no tile's key */
#define PE_NO_PAGE UINT32_MAX   /* no page's address */

/* A render target or the depth buffer. */
struct pe_surface {
	struct gc_surface memory; /* of samples */
	unsigned int byte_shift;  /* log2 of their bytes */
	uint32_t sample_step;     /* bytes from one row of samples to the next */
	uint32_t pixel_step;      /* bytes from a quad's upper to its lower pixels */
	bool two_lines;           /* upper and lower pixels may be in different cache lines */
	bool two_pages;           /* upper and lower pixels may be in different pages */
	bool runs;    /* 8x8 blocks at even tiles are consecutive cache lines in one page */
	bool simple;  /* tiled, one sample per pixel, a tile is in one cache line */
	bool ts_runs; /* @runs, and the tags of such a block are in one byte */
	bool silent;  /* accessing a tile needs neither tile status nor a report of reading */
	unsigned int ts_shift; /* log2 of surface bytes per tag */
	enum pe_use use;
	enum gc_memory_client client;
	struct gc_tile_status ts;
	struct pixel_cache *cache;
	struct data_cache *data; /* its contents, or NULL: they are in memory */
	/* tag index + 1 of tiles that are not cleared, in this draw */
	uint32_t ready[PE_READY_TILES];
	uint32_t last_line; /* line accessed last */
	bool last_write;
	uint32_t generation;           /* MMU generation of the translations in the fields below */
	struct pe_tile found;          /* tile used last; key PE_NO_TILE: none */
	struct pe_tile tile[PE_TILES]; /* tiles used before; not in supertiled surfaces */
	uint32_t page;                 /* supertiled surfaces: page used last, or PE_NO_PAGE */
	uint8_t *page_host;
};

/* pe_tile_bytes - size of a 4x4 tile with @bytes per sample */
static inline uint32_t pe_tile_bytes(unsigned int bytes)
{
	return GC_TILE_SIZE * GC_TILE_SIZE * bytes;
}

/*
 * Addresses of a quad's samples, upper and lower pixels. row[0] is NULL if the quad is not
 * covered.
 */
struct pe_place {
	uint8_t *row[2];
	uint32_t address; /* GPU address of row[0] */
};

/* Quads first .. first + count - 1 of a batch; see the top of this file. */
struct pe_run {
	unsigned int first, count;
	struct pe_place place[GC_QUADS]; /* by number of the quad in the batch */
};

/*
 * The lanes of a run, extended to multiples of PE_BLOCK: loops of constant length are
 * vectorised.
 */
#define PE_BLOCK GC_FORMAT_BLOCK

static inline unsigned int pe_run_first(const struct pe_run *run)
{
	return 4 * run->first / PE_BLOCK * PE_BLOCK;
}

static inline unsigned int pe_run_end(const struct pe_run *run)
{
	return (4 * (run->first + run->count) + PE_BLOCK - 1) / PE_BLOCK * PE_BLOCK;
}

struct pe_traffic {
	uint64_t read_bytes, write_bytes;
};

/* One side of the stencil test. */
struct pe_stencil {
	uint8_t func, fail, zfail, pass; /* COMPARE_FUNC numbers and STENCIL_OP_* */
	uint8_t ref, mask, write_mask;
};

struct pe_depth {
	bool on;          /* anything is tested or written */
	bool early_asked; /* the states enable the test before the shader, and the core has it */
	bool stencil_on;
	bool write; /* depth is written where the test passes */
	bool d24;   /* D24S8, else D16 */
	uint8_t func;
	double scale;                 /* depth 1.0 as an integer */
	struct pe_stencil stencil[2]; /* 0 front, 1 back */
	struct pe_surface surface;
};

struct pe_blend {
	bool on;
	uint8_t equation[2];               /* BLEND_EQ_*: colour, alpha */
	uint8_t source[2], destination[2]; /* BLEND_FUNC_* */
	float constant[4];
};

struct pe_job;

/** pe_writer - write the covered pixels of a batch to a target; false after a memory fault */
typedef bool (*pe_writer)(struct gc_core *gc, struct pe_job *job, const struct gc_color *color);

struct pe_target;

/** pe_block_writer - the same for the fully covered 8x8 pixels at (@x, @y) */
typedef bool (*pe_block_writer)(struct gc_core *gc, struct pe_target *target, int x, int y,
				const struct gc_color *color, struct pe_traffic *traffic);

/**
 * pe_blender - blend lanes @first to @end, multiples of PE_BLOCK, of a target with 8-bit
 * channels
 * @opaque: bits that are set in a result: those of absent alpha channels
 * @old: the pixels in memory
 * @out: receives the blended pixels; may be @old
 */
typedef void (*pe_blender)(const struct gc_color *color, unsigned int first, unsigned int end,
			   uint32_t opaque, const uint32_t *old, uint32_t *out);

struct pe_target {
	bool on;
	pe_writer write;             /* chosen by the draw's states */
	bool blocks;                 /* whole blocks are processed as such */
	pe_block_writer write_block; /* writes these */
	pe_blender blender;          /* used by the writers of blended pixels */
	bool dithered;
	const struct gc_format *format;
	uint32_t mask[2]; /* pixel bits that may be written */
	bool whole;       /* all bits may be written */
	bool needs_old;   /* pixels have to be read before they are written */
	uint8_t logic_op; /* LOGIC_OP_*; COPY if disabled */
	struct pe_blend blend;
	struct pe_surface surface;
};

struct pe_alpha_test {
	bool on;
	bool half; /* compare 16-bit floats, otherwise 8-bit integers */
	uint8_t func;
	uint16_t ref;
};

struct pe_query {
	bool on;
	uint32_t address;
	uint64_t samples;
};

struct gc_pixel_engine {
	/* this draw */
	struct pe_samples samples;
	struct pe_depth depth;
	struct pe_alpha_test alpha;
	unsigned int targets;
	struct pe_target target[PE_MAX_TARGETS];
	bool dither;
	float dither_bias[16];
	bool shader_kills, shader_writes_depth;
	bool plain; /* tests: always read each target and write under a mask */
	/* across draws */
	uint8_t tile_order[64]; /* see struct gc_pe_tile */
	struct pixel_cache color_cache, depth_cache;
	/* with gc_options.cache_data, otherwise NULL: contents of these caches */
	struct data_cache *color_data, *depth_data;
	/* also with it: pages in which a tile is painted, and the memory that they stand for */
	uint8_t *tile_pages, *tile_memory[GC_PE_TILE_PAGES];
	struct gc_ts_cache ts_cache;
	struct pe_query query;
};

/** pe_order_tiles - compute pe->tile_order */
void pe_order_tiles(const struct gc_core *gc, struct gc_pixel_engine *pe);

/* The core's features, from its identity registers. */
bool pe_has_half_float(const struct gc_core *gc);
bool pe_has_early_z(const struct gc_core *gc);

/** pe_decode_depth, pe_decode_color - decode the states at the start of a draw */
void pe_decode_depth(struct gc_core *gc);
void pe_decode_color(struct gc_core *gc);

/**
 * PE_COMPARE - evaluate COMPARE_FUNC_* @func (never, <, =, <=, >, !=, >=, always)
 * @value: an integer or a vector of integers, as @reference
 *
 * Each bit of a function's number stands for an outcome for which it is true: 1 less, 2 equal,
 * 4 greater.
 *
 * Returns: 1 for integers, all ones for elements of vectors, if the function is true; otherwise 0.
 */
#define PE_COMPARE(func, value, reference)                          \
	((((value) < (reference)) & -(int32_t)((func) & 1)) |       \
	 (((value) == (reference)) & -(int32_t)((func) >> 1 & 1)) | \
	 (((value) > (reference)) & -(int32_t)((func) >> 2 & 1)))

/** pe_compare - PE_COMPARE() for unsigned integers */
static inline bool pe_compare(unsigned int func, uint32_t value, uint32_t reference)
{
	return PE_COMPARE(func, value, reference);
}

/** pe_leave_tile - forget the tile used last, as a block that is processed as such does */
static inline void pe_leave_tile(struct pe_surface *surface)
{
	surface->found.key = PE_NO_TILE;
}

/** pe_surface_begin - invalidate what is cached about tiles and lines at the start of a draw */
void pe_surface_begin(struct pe_surface *surface);

/**
 * pe_run_length - number of quads from @first on, before @end, that cover no pixel twice; at
 * least 1
 */
unsigned int pe_run_length(const struct gc_quad *quads, unsigned int first, unsigned int end);

/**
 * pe_run_locate - find the addresses of the run's covered quads
 *
 * Fills cleared tiles and reports reads to the cache model.
 *
 * Returns: false after a memory fault.
 */
bool pe_run_locate(struct gc_core *gc, struct pe_surface *surface, const struct gc_quads *quads,
		   struct pe_run *run, struct pe_traffic *traffic);

/** pe_run_wrote - report writes of the run's quads with @covered lanes to the cache model */
void pe_run_wrote(struct pe_surface *surface, const struct pe_run *run, uint64_t covered,
		  struct pe_traffic *traffic);

/** pe_run_lanes - mask of the lanes of the run's quads */
static inline uint64_t pe_run_lanes(const struct pe_run *run)
{
	return UINT64_MAX >> (GC_LANES - 4 * run->count) << 4 * run->first;
}

/**
 * pe_run_gather, pe_run_scatter - read and write samples @s of the run, as lanes of the batch
 *
 * Reading sets lanes of quads that are not covered to 0.
 */
void pe_run_gather(const struct pe_surface *surface, const struct pe_samples *samples,
		   const struct pe_run *run, unsigned int s, struct gc_pixels *pixels);
void pe_run_scatter(const struct pe_surface *surface, const struct pe_samples *samples,
		    const struct pe_run *run, unsigned int s, uint64_t covered,
		    const struct gc_pixels *pixels);

/**
 * pe_run_gather_words, pe_run_scatter_words - the same for simple surfaces of 32-bit pixels
 *
 * Reading does not change lanes outside of the run.
 */
void pe_run_gather_words(const struct pe_run *run, uint32_t *pixels);
void pe_run_scatter_words(const struct pe_run *run, uint64_t covered, const uint32_t *pixels);

/* The four tiles of a whole block (see struct gc_quads): two upper and two lower ones. */
struct pe_block {
	uint32_t address[4];
	uint8_t *tile[4];
	bool run; /* they are consecutive cache lines, see pixel_cache_touch_run() */
};

/**
 * pe_block_locate, pe_block_wrote - pe_run_locate() and pe_run_wrote() for a whole block
 * @left: x of its first pixel
 * @top: y of its first pixel
 *
 * For simple surfaces. Each tile is reported to the cache model once. Quad by quad, accesses
 * would alternate between two neighbouring tiles; the result is the same since the cache holds
 * both.
 */
bool pe_block_locate(struct gc_core *gc, struct pe_surface *surface, int left, int top,
		     struct pe_block *block, struct pe_traffic *traffic);
void pe_block_wrote(struct pe_surface *surface, const struct pe_block *block,
		    struct pe_traffic *traffic);

/**
 * pe_block_addresses - the addresses of the block's quads as pe_run_locate() finds them; sets
 * all of @run
 */
void pe_block_addresses(const struct pe_surface *surface, const struct pe_block *block,
			struct pe_run *run);

/** pe_block_gather, pe_block_scatter - read and write a block of 32-bit pixels as lanes */
void pe_block_gather(const struct pe_block *block, uint32_t pixels[GC_LANES]);
void pe_block_scatter(const struct pe_block *block, const uint32_t pixels[GC_LANES]);

/** pe_choose_writer - choose the functions that write a target with decoded states */
void pe_choose_writer(const struct gc_pixel_engine *pe, struct pe_target *target);

/**
 * pe_can_write_words - whether the target has 32-bit pixels with one sample, written without
 * reading
 */
bool pe_can_write_words(const struct pe_target *target);

/** pe_can_blend_words - whether the target's pixels are blended by a pe_blender */
bool pe_can_blend_words(const struct pe_target *target);

/** pe_report - count the memory traffic of a group's colours */
void pe_report(struct gc_core *gc, const struct pe_traffic *traffic);

/** pe_find_blender - the blender for A8R8G8B8 and X8R8G8B8 with these factors, or NULL */
pe_blender pe_find_blender(const struct pe_blend *blend);

/** pe_blend_lanes - blend @source with @destination; the result is stored in @destination */
void pe_blend_lanes(const struct pe_blend *blend, const struct gc_vec4 *source, unsigned int first,
		    unsigned int end, struct gc_vec4 *destination);

/** pe_logic_lanes - LOGIC_OP_* on pixel bits; the result is stored in @source */
void pe_logic_lanes(unsigned int op, const struct gc_pixels *destination, unsigned int first,
		    unsigned int end, struct gc_pixels *source);

/** pe_stencil_update - result of STENCIL_OP_* @op before the write mask */
uint8_t pe_stencil_update(unsigned int op, uint8_t value, uint8_t ref);

#endif
