/* SPDX-License-Identifier: MIT */
/*
 * Types and functions shared by the files of the draw unit and its tests.
 *
 *  draw.c             forms batches of vertices
 *  draw_state.c       decodes states
 *  draw_indices.c     reads indices
 *  draw_vertices.c    fetches and shades a batch
 *  draw_primitives.c  clips, culls, rasterises each primitive
 *  draw_pixels.c      collects quads and runs the early depth test
 *  draw_shading.c     shades quads and passes them to the pixel engine
 *  draw_tile.c        the same for many fully covered blocks of a tile
 *  draw_deferred.c    queues groups of quads for other threads, which shade and write them, by
 *                     deferred_queue.c and deferred_chunk.c
 */
#ifndef CARD_GC_DRAW_UNIT_H
#define CARD_GC_DRAW_UNIT_H

#include "gc/clip.h"
#include "gc/core.h"
#include "gc/draw.h"
#include "gc/layout.h"
#include "gc/pe.h"
#include "gc/primitive.h"
#include "gc/project.h"
#include "gc/raster.h"
#include "gc/shader.h"
#include "gc/varying.h"
#include "gc/vertex.h"
#include "gc/vertex_cache.h"
#include "plain.h"

/*
 * Number of primitive set-ups (plane equations) that exist at the same time: one per quad in
 * the two groups below, the one being rasterised, and 1024 for quads queued for other threads.
 */
#define GC_SETUPS (2 * GC_QUADS + 1 + 1024)

/*
 * Element of the sequence that ends a strip, fan or loop. No combination of slots ORed together
 * has this value.
 */
#define GC_SEQUENCE_END 0xff

/* Vertex slots: the batch's lanes, then vertices of earlier batches that are still needed. */
#define GC_HELD_SLOT GC_LANES
#define GC_SLOTS (GC_LANES + GC_HELD_VERTICES)

#define GC_MAX_TARGETS 8

/*
 * Batches of pixels after which a draw's work goes to the pipeline as a piece. Of blocks of a tile that are
 * shaded together, up to this many count as one batch.
 */
#define GC_PIECE_BATCHES 16

enum gc_cull { GC_CULL_NONE, GC_CULL_CW, GC_CULL_CCW };
enum gc_fill { GC_FILL_POINT, GC_FILL_LINE, GC_FILL_SOLID };

/* The states that a draw depends on, decoded when it begins. */
struct gc_draw_state {
	struct gc_vertex_layout layout;
	struct gc_viewport viewport;
	/* outputs of the vertex shader */
	uint8_t position_reg;
	uint8_t size_reg;
	bool size_per_vertex;
	uint8_t source_reg[GC_MAX_COMPONENTS], source_component[GC_MAX_COMPONENTS];
	struct gc_varyings varyings;
	unsigned int vs_temps, ps_temps;
	/* primitives */
	bool provoking_last;
	enum gc_cull cull;
	enum gc_fill fill;
	float line_width, point_size; /* pixels */
	bool point_sprite;
	bool last_pixel;
	float depth_scale, depth_bias;
	/* pixels */
	uint8_t color_reg[GC_MAX_TARGETS];
	unsigned int sample_mask; /* samples that may be covered, one bit each */
	float sample_x[GC_MAX_SAMPLES], sample_y[GC_MAX_SAMPLES]; /* from the centre, pixels */
	uint8_t centroid[16]; /* y << 4 | x in 1/16 pixel, by covered samples */
};

#define GC_FACE_MIXED 2 /* value of gc_draw_unit.face_lanes: lanes differ, or are not known */

/*
 * Set if a target of 8-bit channels receives only unmodified varyings and constants, so that
 * pixels can be computed without the registers of a batch.
 */
struct gc_passthrough {
	bool on;
	/* number of channels that are varyings; their components and their bit positions */
	unsigned int planes;
	uint8_t component[4], shift[4];
	uint32_t base; /* the other channels, and bits that no channel uses */
};

/* Fully covered 8x8 blocks of the 64x64 tile at (@x, @y), all of one primitive. */
struct gc_tile_part {
	int16_t x, y;
	uint16_t setup;
	uint64_t blocks; /* one bit each, row by row */
	unsigned int groups;
	struct gc_pe_tile place;
};

/* A group of quads, each with the number of its primitive's set-up. */
struct gc_quad_group {
	struct gc_quads quads;
	uint16_t setup[GC_QUADS_ROOM] __attribute__((aligned(64)));
};

/* The primitive being rasterised. Its plane equations are computed with its first pixel. */
struct gc_current {
	enum { GC_CURRENT_TRIANGLE, GC_CURRENT_LINE, GC_CURRENT_POINT } kind;
	const struct gc_vertex *v[3], *provoking;
	int64_t area;
	enum gc_line_axis axis;
	float size;
	bool front;  /* see gc_quad.front */
	bool offset; /* polygon offset applies */
	bool ready;  /* its plane equations are computed */
};

/* Reuse table of a batch: a hash table from an index to the slot of its vertex. */
struct gc_index_cache {
	uint32_t stamp[2 * GC_LANES]; /* valid if equal to now */
	uint32_t index[2 * GC_LANES];
	uint8_t slot[2 * GC_LANES];
	uint32_t now;
};

struct gc_draw_unit {
	struct gc_draw_state state;
	const struct gc_shader *vs, *ps;
	bool stop;      /* a fault or abort occurred: the draw ends */
	bool early;     /* depth is tested before shading */
	bool no_pixels; /* quads would have no effect, see gc_pe_begin_draw() */
	bool depth;     /* depth or stencil is tested or written: quads have a depth */
	bool late;      /* gc_pe_alpha() and gc_pe_depth() follow the shader; never with early */
	bool face;      /* the shader reads the face register */
	bool straight;  /* no test between shader and targets for whole blocks */
	struct gc_color output[GC_MAX_TARGETS]; /* registers with the pixel shader's colours */
	const union gc_lanes *depth_output;     /* register with the pixel shader's t0.z */
	unsigned int samples;
	unsigned int targets; /* number of colours that are written */

	/* vertices */
	struct gc_vertex_run run;
	struct gc_index_cache cache;
	struct gc_vertex_cache vertex_cache;
	/* vertices of the batch that the core shades; in an indexed draw by vertex_cache */
	unsigned int shaded;
	uint8_t sequence[GC_SEQUENCE];
	unsigned int length;
	struct gc_assembler assembler;
	struct gc_vertex vertex[GC_SLOTS];
	struct gc_projection projection; /* of the batch's lanes */
	struct gc_clip_polygon polygon;
	struct gc_vertex clipped[2];

	/* pixels */
	struct gc_raster raster;
	bool whole_blocks; /* fully covered blocks are passed on as such */
	bool whole_tiles;  /* tiles of them too; @paint and @passthrough are valid */
	bool by_blocks;    /* tests: disables whole_tiles */
	bool by_quads;     /* tests: disables whole_blocks */
	struct gc_pe_paint paint;
	struct gc_passthrough passthrough;
	struct gc_current current;
	unsigned int current_setup;
	struct gc_setup setup[GC_SETUPS];
	uint16_t references[GC_SETUPS]; /* number of quads, queued blocks and parts that use it */
	/*
	 * set-ups that are not in use: those listed in @free_setup, and all from @fresh_setup
	 * on
	 */
	uint16_t free_setup[GC_SETUPS];
	unsigned int free_setups, fresh_setup;
	struct gc_quad_group *raw;     /* as rasterised, before the depth test */
	struct gc_quad_group *pending; /* after the early depth test */
	struct gc_quad_group group[2]; /* storage of @raw and @pending */
	/* a whole block that is not collected, see send_block() and shade_part_plainly() */
	struct gc_quad_group whole;
	/* value of all lanes of the face register: 0, 1 or GC_FACE_MIXED */
	unsigned int face_lanes;
	unsigned int batches;         /* batches shaded in this draw */
	unsigned int piece_batches;   /* since the last cut, see GC_PIECE_BATCHES */
	uint64_t piece_tiles;         /* raster.tiles at the last cut */
	struct gc_deferred *deferred; /* queue of the other threads, or NULL */
	bool deferrable;              /* the rest of this draw's groups is queued for them */
	/* groups shaded without other threads first, since waking these costs more than a small draw */
	unsigned int defer_after;
	/* draws that used the queue, and draws that had to stop using it */
	uint64_t deferral_active, deferral_abandoned;
	uint64_t tile_parts; /* calls of gc_draw_shade_part() */

	struct gc_batch vertex_batch, pixel_batch;
};

/** gc_draw_is_deferred - whether the rest of the draw's groups is queued for other threads */
static inline bool gc_draw_is_deferred(const struct gc_draw_unit *unit)
{
	return !CARD_PLAIN && unit->deferrable;
}

/** gc_draw_cut - what was done since the last cut becomes a piece for the pipeline. */
void gc_draw_cut(struct gc_core *gc, struct gc_draw_unit *unit);

/* draw_state.c */
void gc_draw_state_decode(struct gc_core *gc, struct gc_draw_unit *unit);

/**
 * gc_draw_varyings_fit - false, and a trace message, if the states ask for more varyings than
 * the core has
 */
bool gc_draw_varyings_fit(struct gc_core *gc);

/* draw_indices.c */
/* Where the indices of a draw are in memory. */
struct gc_index_stream {
	uint32_t address;
	unsigned int bytes; /* of one index */
	bool restart;       /* an index of this value ends the sequence */
	uint32_t restart_index;
};

/** gc_index_stream_decode - the index stream that the states describe. */
void gc_index_stream_decode(const struct gc_state *state, struct gc_index_stream *stream);

#define GC_INDEX_RUN 64 /* most indices read by one call */

/**
 * gc_index_stream_read - read indices from number @first on, at most to the end of a page
 * @first: number of the first index
 * @most: how many to read, at least 1
 * @index: receives them
 *
 * Returns: how many were read, at least 1; 0 after a memory fault.
 */
unsigned int gc_index_stream_read(struct gc_core *gc, const struct gc_index_stream *stream,
				  uint64_t first, uint64_t most, uint32_t index[GC_INDEX_RUN]);

/* draw_vertices.c */
/**
 * gc_draw_shade - fetch and shade unit->run into unit->vertex[]; false after a memory fault or a reset
 */
bool gc_draw_shade(struct gc_core *gc, struct gc_draw_unit *unit);
/**
 * gc_draw_count_vertices - count unit->shaded vertices and their shading
 * @cost: of shading @lanes vertices
 * @lanes: at least 1
 */
void gc_draw_count_vertices(struct gc_core *gc, const struct gc_draw_unit *unit,
			    const struct gc_shader_cost *cost, unsigned int lanes);

/* draw_primitives.c */
void gc_draw_primitive(struct gc_core *gc, struct gc_draw_unit *unit,
		       const struct gc_primitive *primitive);

/* draw_pixels.c */
/** gc_draw_put_setup - drop @count references to set-up @setup; without any it can be reused */
static inline void gc_draw_put_setup(struct gc_draw_unit *unit, unsigned int setup,
				     unsigned int count)
{
	unit->references[setup] -= (uint16_t)count;
	if (!unit->references[setup] && setup != unit->current_setup)
		unit->free_setup[unit->free_setups++] = (uint16_t)setup;
}

void gc_draw_pixels_begin(struct gc_core *gc, struct gc_draw_unit *unit);
/**
 * gc_draw_fresh_setup - number of an unused set-up
 *
 * If all are used by queued groups, waits until these are shaded.
 */
unsigned int gc_draw_fresh_setup(struct gc_draw_unit *unit);

/**
 * gc_draw_pixels_primitive - begin a new primitive in unit->current with its planes' origin at
 * pixel (@x, @y)
 */
static inline void gc_draw_pixels_primitive(struct gc_draw_unit *unit, int32_t x, int32_t y)
{
	unit->current.ready = false;
	if (unit->references[unit->current_setup])
		unit->current_setup = unit->free_setups ? unit->free_setup[--unit->free_setups]
							: gc_draw_fresh_setup(unit);
	gc_setup_anchor(&unit->setup[unit->current_setup], x, y);
}

/** gc_draw_pixels_block - gc_raster's block callback; @ctx is the core */
void gc_draw_pixels_block(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES]);
/** gc_draw_pixels_whole - the same for a fully covered block, with one sample per pixel */
void gc_draw_pixels_whole(void *ctx, int x, int y);
/**
 * gc_draw_pixels_tile - the same for some fully covered blocks of a tile, if unit->whole_tiles
 */
void gc_draw_pixels_tile(void *ctx, int x, int y, uint64_t blocks);
/**
 * gc_draw_set_block - write the current primitive's quads of the block at (@x, @y), with one sample
 * per pixel, to @group from number @n on, as its last ones; they reference the set-up
 */
void gc_draw_set_block(struct gc_draw_unit *unit, struct gc_quad_group *group, unsigned int n,
		       int x, int y);
/** gc_draw_pixels_finish - shade and write the quads still collected */
void gc_draw_pixels_finish(struct gc_core *gc, struct gc_draw_unit *unit);

/* draw_shading.c */
/** gc_draw_check_block - clear quads->block if the coverage no longer is that of a whole block */
static inline void gc_draw_check_block(struct gc_quads *quads)
{
	quads->block = quads->block && quads->count == GC_QUADS &&
		       gc_quads_covered(quads, 0) == UINT64_MAX;
}

/**
 * gc_draw_shade_block - shade and write the 8x8 pixels at (@x, @y) of @setup's primitive
 *
 * Requires unit->straight, and that no collected quad covers one of these pixels.
 */
void gc_draw_shade_block(struct gc_core *gc, struct gc_draw_unit *unit,
			 const struct gc_setup *setup, int x, int y);

/**
 * gc_draw_groups_left - number of groups that may be shaded before the next gc_yield() or the
 * start of deferred shading is due
 */
unsigned int gc_draw_groups_left(const struct gc_draw_unit *unit);

/**
 * gc_draw_find_part - translate the addresses of @part's blocks; false if they must be drawn
 * one by one
 */
bool gc_draw_find_part(struct gc_core *gc, struct gc_tile_part *part);

/** gc_draw_shade_part - gc_draw_shade_block() for all blocks of @part, if unit->whole_tiles */
void gc_draw_shade_part(struct gc_core *gc, struct gc_draw_unit *unit,
			const struct gc_tile_part *part);

/** gc_draw_shade_quads - shade and write a group of quads, and empty it */
void gc_draw_shade_quads(struct gc_core *gc, struct gc_draw_unit *unit,
			 struct gc_quad_group *group);

/* draw_tile.c */
/**
 * gc_draw_find_passthrough - compute unit->passthrough; called after all else of the draw is
 * decoded
 */
void gc_draw_find_passthrough(struct gc_draw_unit *unit);

/**
 * gc_draw_paint_part - interpolate, shade and write blocks whose addresses are translated
 * @gc: used for texture lookups
 * @batch: registers to shade with
 * @color: registers of @batch with the program's colour
 * @part: the blocks, located by gc_pe_locate_tile()
 * @cost: the cost of shading is added to it
 */
void gc_draw_paint_part(struct gc_core *gc, const struct gc_draw_unit *unit, struct gc_batch *batch,
			const struct gc_color *color, const struct gc_tile_part *part,
			struct gc_shader_cost *cost);

#endif
