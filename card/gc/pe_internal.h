/* SPDX-License-Identifier: MIT */
/*
 * The inside of the pixel engine: decoded states, and surfaces as quads see
 * them. Only the pixel engine's own files and its tests include this.
 *
 * Quads are worked on in runs: several quads at a time in arrays over the
 * lanes, but never two that touch the same pixels, so that the order of
 * primitives is kept.
 */
#ifndef CARD_GC_PE_INTERNAL_H
#define CARD_GC_PE_INTERNAL_H

#include "clock/cache_model.h"
#include "gc/core.h"
#include "gc/format.h"
#include "gc/layout.h"
#include "gc/pe.h"
#include "gc/ts.h"

#define PE_MAX_TARGETS 8
#define PE_CACHE_BYTES 2048 /* of the colour and of the depth cache each */
#define PE_LINE_BYTES GC_PE_LINE_BYTES
#define PE_READY_TILES 64

/* Samples of a pixel, as they lie beside each other in the surface. */
struct pe_samples {
	unsigned int count; /* 1, 2 or 4 */
	unsigned int x, y;  /* 1x1, 2x1 or 2x2 */
	uint8_t enabled;    /* the sample mask */
};

/* How a surface is used, for permissions and for the traffic it makes. */
enum pe_use {
	PE_READ,      /* look only */
	PE_UPDATE,    /* read, then perhaps write */
	PE_OVERWRITE, /* write without reading */
};

/* A 4x4 tile that was looked up: most quads come back to one of the last few. */
struct pe_tile {
	uint32_t key; /* y << 16 | x, in tiles */
	uint32_t address;
	uint8_t *host;
};

#define PE_TILES 16             /* remembered, by the low two bits of x and y */
#define PE_TILE_KEY 0x3fff3fffu /* what a key can be: surfaces have at most 65536 samples a side */
#define PE_NO_TILE UINT32_MAX   /* no tile's key */
#define PE_NO_PAGE UINT32_MAX   /* no page's address */

#define PE_SUPER_TILES (GC_SUPERTILE_SIZE / GC_TILE_SIZE)          /* of a supertile, each way */
#define PE_SUPER_BYTES (GC_SUPERTILE_SIZE * GC_SUPERTILE_SIZE * 4) /* of 32-bit pixels */

/* A render target or the depth buffer. */
struct pe_surface {
	enum gc_layout layout;
	unsigned int supertile_mode;
	unsigned int bytes;      /* a sample: 1, 2, 4 or 8 */
	unsigned int byte_shift; /* the same as a shift */
	uint32_t stride;
	uint32_t base[2];      /* of each pixel pipe's half */
	uint32_t sample_step;  /* from one row of samples to the next */
	uint32_t pixel_step;   /* from a quad's upper pixels to its lower ones */
	bool two_lines;        /* those may be in different cache lines */
	bool runs;             /* whole blocks at even tiles are runs of cache lines in a page */
	bool simple;           /* tiled, one sample a pixel, a tile is in one line */
	bool ts_runs;          /* so are their tags: a byte */
	bool silent;           /* going to a tile needs no look at caches and tags */
	unsigned int ts_shift; /* of surface offsets to tag numbers */
	enum pe_use use;
	enum gc_memory_client client;
	struct gc_tile_status ts;
	struct cache_model *cache;
	uint32_t ready[PE_READY_TILES]; /* tag index + 1 of tiles known to be real in this draw */
	uint32_t last_line; /* touched last: neighbours need not ask the cache model again */
	bool last_write;
	uint32_t generation;  /* of the MMU's translations that the tiles below come from */
	struct pe_tile found; /* last; its key is PE_NO_TILE if the next one has to be looked for */
	struct pe_tile tile[PE_TILES]; /* looked up before; not in supertiled surfaces */
	uint32_t page;                 /* of supertiled surfaces: translated last, or PE_NO_PAGE */
	uint8_t *page_host;
};

/* Where the samples of one quad are: its upper and its lower pixels. Empty: row[0] is NULL. */
struct pe_place {
	uint8_t *row[2];
	uint32_t address; /* of row[0], for the GPU */
};

/* Quads first .. first + count - 1 of a batch, none of which touches another. */
struct pe_run {
	unsigned int first, count;
	struct pe_place place[GC_QUADS]; /* by number in the batch */
};

/* Lanes of whole blocks that a run lies in: loops of known length become vector code. */
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
	bool on;          /* something is tested or written at all */
	bool early_asked; /* the states ask for a test before the shader, and the core can */
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

/** pe_writer - write the covered pixels of a batch to a target; false after a memory fault. */
typedef bool (*pe_writer)(struct gc_core *gc, struct pe_job *job, const struct gc_color *color);

struct pe_target;

/** pe_block_writer - the same of the 8x8 pixels at (@x, @y), all of them covered. */
typedef bool (*pe_block_writer)(struct gc_core *gc, struct pe_target *target, int x, int y,
				const struct gc_color *color, struct pe_traffic *traffic);

/**
 * pe_blender - blend lanes @first to @end of an eight-bit target, multiples of PE_BLOCK
 * @old: the pixels as they are
 * @out: gets the blended ones; may be @old
 */
typedef void (*pe_blender)(const struct gc_color *color, unsigned int first, unsigned int end,
			   uint32_t opaque, const uint32_t *old, uint32_t *out);

struct pe_target {
	bool on;
	pe_writer write;             /* the one for this draw's states */
	pe_block_writer write_block; /* and for whole blocks, or NULL */
	pe_blender blender;          /* of a writer that needs one */
	bool dithered;
	const struct gc_format *format;
	uint32_t mask[2]; /* pixel bits that may change */
	bool whole;       /* that is all of them */
	bool srgb;
	bool needs_old;   /* the pixels as they are have to be read */
	uint8_t logic_op; /* LOGIC_OP_*; COPY when there is none */
	struct pe_blend blend;
	struct pe_surface surface;
};

struct pe_alpha_test {
	bool on;
	bool half; /* compare 16-bit floats, else 8-bit fractions */
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
	bool plain; /* tests: every target is read first and written under a mask */
	/* across draws */
	uint8_t tile_order[64]; /* see struct gc_pe_tile */
	/* bytes from a supertile's first tile to those of its first row and column, see pe_locate.c */
	uint16_t super_column[PE_SUPER_TILES], super_row[PE_SUPER_TILES];
	struct cache_model color_cache, depth_cache;
	struct gc_ts_cache ts_cache;
	struct pe_query query;
};

/** pe_order_tiles - fill in pe->tile_order. */
void pe_order_tiles(const struct gc_core *gc, struct gc_pixel_engine *pe);

/** pe_order_supertile - fill in pe->super_column and pe->super_row. */
void pe_order_supertile(const struct gc_core *gc, struct gc_pixel_engine *pe);

/* The core's features, as its identity words tell them. */
bool pe_has_half_float(const struct gc_core *gc);
bool pe_has_early_z(const struct gc_core *gc);

/** pe_decode_depth, pe_decode_color - read the states of a new draw. */
void pe_decode_depth(struct gc_core *gc);
void pe_decode_color(struct gc_core *gc);

/** pe_compare - value FUNC reference, as COMPARE_FUNC numbers (never, <, =, <=, >, !=, >=, always). */
static inline bool pe_compare(unsigned int func, uint32_t value, uint32_t reference)
{
	/* The function's bits say for which outcome it holds: 1 less, 2 equal, 4 greater. */
	unsigned int outcome = value < reference ? 1 : value == reference ? 2 : 4;

	return func & outcome;
}

/** pe_surface_begin - forget what was known of tiles and lines in the draw before. */
void pe_surface_begin(struct pe_surface *surface);

/** pe_run_length - how many of the quads from @first to @end - 1 touch no pixel twice, 1 at least. */
unsigned int pe_run_length(const struct gc_quad *quads, unsigned int first, unsigned int end);

/**
 * pe_run_locate - find the samples of the run's covered quads
 *
 * Makes fast-cleared tiles real and reports reading to the cache model.
 *
 * Returns: false after a memory fault.
 */
bool pe_run_locate(struct gc_core *gc, struct pe_surface *surface, const struct gc_quads *quads,
		   struct pe_run *run, struct pe_traffic *traffic);

/** pe_run_wrote - report to the cache model that the quads of @covered lanes were written. */
void pe_run_wrote(struct pe_surface *surface, const struct pe_run *run, uint64_t covered,
		  struct pe_traffic *traffic);

/** pe_run_lanes - the lanes of the run's quads. */
static inline uint64_t pe_run_lanes(const struct pe_run *run)
{
	return UINT64_MAX >> (GC_LANES - 4 * run->count) << 4 * run->first;
}

/**
 * pe_run_gather, pe_run_scatter - samples @s of the run to and from lanes of the batch
 *
 * Lanes of the run's blocks that are not covered become 0.
 */
void pe_run_gather(const struct pe_surface *surface, const struct pe_samples *samples,
		   const struct pe_run *run, unsigned int s, struct gc_pixels *pixels);
void pe_run_scatter(const struct pe_surface *surface, const struct pe_samples *samples,
		    const struct pe_run *run, unsigned int s, uint64_t covered,
		    const struct gc_pixels *pixels);

/**
 * pe_run_gather_words, pe_run_scatter_words - the same for simple surfaces of 32-bit pixels
 *
 * Lanes of the batch outside of the run are left alone.
 */
void pe_run_gather_words(const struct pe_run *run, uint32_t *pixels);
void pe_run_scatter_words(const struct pe_run *run, uint64_t covered, const uint32_t *pixels);

/* The four tiles of a whole block (struct gc_quads), as they lie: two and two. */
struct pe_block {
	uint32_t address[4];
	uint8_t *tile[4];
	bool run; /* they are four cache lines after each other, see cache_model_touch_run() */
};

/**
 * pe_block_locate, pe_block_wrote - what pe_run_locate() and pe_run_wrote() do, for a whole block
 * @left, @top: its first pixel
 *
 * For simple surfaces. Two quads after the other are in the same tile, and the
 * next two in its neighbour, which the cache model can hold both: going to
 * each tile once tells it the same.
 */
bool pe_block_locate(struct gc_core *gc, struct pe_surface *surface, int left, int top,
		     struct pe_block *block, struct pe_traffic *traffic);
void pe_block_wrote(struct pe_surface *surface, const struct pe_block *block,
		    struct pe_traffic *traffic);

/** pe_block_addresses - where its quads are, as pe_run_locate() finds them; @run is of all of them. */
void pe_block_addresses(const struct pe_surface *surface, const struct pe_block *block,
			struct pe_run *run);

/** pe_block_gather, pe_block_scatter - between the tiles of 32-bit pixels and lanes. */
void pe_block_gather(const struct pe_block *block, uint32_t pixels[GC_LANES]);
void pe_block_scatter(const struct pe_block *block, const uint32_t pixels[GC_LANES]);

/** pe_choose_writer - set write and blender of a target whose states are decoded. */
void pe_choose_writer(const struct gc_pixel_engine *pe, struct pe_target *target);

/** pe_can_write_words - whether a target's 32-bit pixels are written whole, never read, none twice a pixel. */
bool pe_can_write_words(const struct pe_target *target);

/** pe_can_blend_words - whether they are blended by a pe_blender. */
bool pe_can_blend_words(const struct pe_target *target);

/** pe_report - count what a group's colours have moved. */
void pe_report(struct gc_core *gc, const struct pe_traffic *traffic);

/** pe_find_blender - the function for A8R8G8B8 and X8R8G8B8 and these factors, or NULL. */
pe_blender pe_find_blender(const struct pe_blend *blend);

/** pe_blend_lanes - blend @source over @destination; the result replaces @destination. */
void pe_blend_lanes(const struct pe_blend *blend, const struct gc_vec4 *source, unsigned int first,
		    unsigned int end, struct gc_vec4 *destination);

/** pe_logic_lanes - LOGIC_OP_* on pixel bits; the result replaces @source. */
void pe_logic_lanes(unsigned int op, const struct gc_pixels *destination, unsigned int first,
		    unsigned int end, struct gc_pixels *source);

/** pe_stencil_update - the value that STENCIL_OP_* @op leaves, before the write mask. */
uint8_t pe_stencil_update(unsigned int op, uint8_t value, uint8_t ref);

#endif
