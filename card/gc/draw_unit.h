/* SPDX-License-Identifier: MIT */
/*
 * The inside of the draw unit: what draw.c, draw_state.c, draw_indices.c, draw_vertices.c,
 * draw_primitives.c, draw_pixels.c and draw_shading.c share. Nobody else includes it, but tests.
 *
 *   draw.c             forms batches of vertices
 *   draw_indices.c     reads indices
 *   draw_vertices.c    fetches and shades a batch
 *   draw_primitives.c  clips, culls, rasterises each primitive
 *   draw_pixels.c      collects quads and has their depth tested early
 *   draw_shading.c     shades quads and hands them to the pixel engine
 *   draw_tile.c        the same of many whole blocks of a tile
 *   draw_deferred.c       or to other threads; what is decided in order is decided before
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

/*
 * Primitives whose planes are kept: one a quad in both groups below, and the
 * one being rasterised; many more where quads wait for other threads.
 */
#define GC_SETUPS (2 * GC_QUADS + 1 + 1024)

/* Vertices and restarts of one batch, in order; the batch ends when it is full. */
#define GC_SEQUENCE 256
/* In place of a slot: the primitive sequence ends here. No slots have all of these bits together. */
#define GC_SEQUENCE_END 0xff

/* Slots: a batch's lanes, then those held over from earlier ones. */
#define GC_HELD_SLOT GC_LANES
#define GC_SLOTS (GC_LANES + GC_HELD_VERTICES)

#define GC_MAX_TARGETS 8

enum gc_cull { GC_CULL_NONE, GC_CULL_CW, GC_CULL_CCW };
enum gc_fill { GC_FILL_POINT, GC_FILL_LINE, GC_FILL_SOLID };

/* The states a draw depends on, decoded once. */
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

#define GC_FACE_MIXED 2

/* A colour of eight-bit channels that are varyings as they are, or equal in all pixels. */
struct gc_plain_color {
	bool on;
	unsigned int
		planes; /* channels that vary: by number of their component, and where they go */
	uint8_t component[4], shift[4];
	uint32_t base; /* the others, and bits without channel */
};

/* Whole blocks of the tile at (@x, @y), of one primitive. */
struct gc_tile_part {
	int16_t x, y;
	uint16_t setup;
	uint64_t blocks; /* one bit each, row by row */
	unsigned int groups;
	struct gc_pe_tile place;
};

/* Quads with the primitives they are of. */
struct gc_quad_group {
	struct gc_quads quads;
	uint16_t setup[GC_QUADS_ROOM] __attribute__((aligned(64)));
};

/* The primitive being rasterised; its planes are made when its first pixel appears. */
struct gc_current {
	enum { GC_CURRENT_TRIANGLE, GC_CURRENT_LINE, GC_CURRENT_POINT } kind;
	const struct gc_vertex *v[3], *provoking;
	int64_t area;
	enum gc_line_axis axis;
	float size;
	bool front;
	bool offset; /* depth bias applies */
	bool ready;  /* its set-up is filled in */
};

struct gc_index_cache {
	uint32_t stamp[2 * GC_LANES]; /* valid if equal to now */
	uint32_t index[2 * GC_LANES];
	uint8_t slot[2 * GC_LANES];
	uint32_t now;
};

struct gc_draw_unit {
	struct gc_draw_state state;
	const struct gc_shader *vs, *ps;
	bool stop;                              /* fault or abort: finish nothing more */
	bool early;                             /* depth before shading */
	bool no_pixels;                         /* nothing to draw into */
	bool depth;                             /* quads need their depth */
	bool late;                              /* something is decided after the shader */
	bool face;                              /* the shader reads the face register */
	bool straight;                          /* whole blocks go from the shader to the targets */
	struct gc_color output[GC_MAX_TARGETS]; /* where the pixel shader leaves its colours */
	const union gc_lanes *depth_output;     /* and what it leaves in t0.z */
	unsigned int samples;
	unsigned int targets; /* colours the shader delivers */

	/* vertices */
	struct gc_vertex_run run;
	struct gc_index_cache cache;
	uint8_t sequence[GC_SEQUENCE];
	unsigned int length;
	struct gc_assembler assembler;
	struct gc_vertex vertex[GC_SLOTS];
	struct gc_projection projection; /* of the batch's lanes */
	struct gc_clip_polygon polygon;
	struct gc_vertex clipped[2];

	/* pixels */
	struct gc_raster raster;
	bool whole_blocks; /* blocks that are covered all over may be taken as such */
	bool whole_tiles;  /* and tiles of them; then paint and plain are of this draw */
	bool by_blocks;    /* tests: tiles are not taken as one */
	bool by_quads;     /* tests: nor are blocks */
	struct gc_pe_paint paint;
	struct gc_plain_color plain;
	struct gc_current current;
	unsigned int current_setup;
	struct gc_setup setup[GC_SETUPS];
	uint16_t references[GC_SETUPS]; /* quads that still need it */
	/* set-ups that no quad needs, besides the current one: these, and from @fresh_setup on */
	uint16_t free_setup[GC_SETUPS];
	unsigned int free_setups, fresh_setup;
	struct gc_quad_group *raw;     /* as rasterised */
	struct gc_quad_group *pending; /* left after early depth */
	struct gc_quad_group group[2]; /* what the two point to */
	struct gc_quad_group whole;    /* a block that overtakes them */
	unsigned int face_lanes; /* what all of the face register holds: 0, 1, or GC_FACE_MIXED */
	unsigned int batches;    /* of this draw */
	struct gc_deferred *deferred; /* other threads, or NULL */
	bool deferrable;              /* they have a part in this draw from here on */
	unsigned int
		defer_after; /* groups that a draw shades alone before; smaller ones wake nobody */
	uint64_t deferral_active,
		deferral_abandoned; /* draws that went ahead, and those that had to give it up */
	uint64_t tile_parts;        /* that were shaded at once */

	struct gc_batch vertex_batch, pixel_batch;
};

/* draw_state.c */
void gc_draw_state_decode(struct gc_core *gc, struct gc_draw_unit *unit);

/** gc_draw_varyings_fit - whether the core has as many varyings as the states ask for; the trace says if not. */
bool gc_draw_varyings_fit(struct gc_core *gc);

/* draw_indices.c */
/* Where the indices of a draw are. */
struct gc_index_stream {
	uint32_t address;
	unsigned int bytes; /* of one index */
	bool restart;       /* an index of this value ends the sequence */
	uint32_t restart_index;
};

/** gc_index_stream_decode - the index stream that the states describe. */
void gc_index_stream_decode(const struct gc_state *state, struct gc_index_stream *stream);

#define GC_INDEX_RUN 64 /* indices read at once, at most */

/**
 * gc_index_stream_read - indices from number @first on, as many as lie in one page
 * @most: of them, at least 1
 *
 * Returns: how many, at least 1; 0 after a memory fault.
 */
unsigned int gc_index_stream_read(struct gc_core *gc, const struct gc_index_stream *stream,
				  uint64_t first, uint64_t most, uint32_t index[GC_INDEX_RUN]);

/* draw_vertices.c */
/** gc_draw_shade - fetch and shade unit->run into unit->vertex[]; false to give up. */
bool gc_draw_shade(struct gc_core *gc, struct gc_draw_unit *unit);
/**
 * gc_draw_count_vertices - count the vertices of unit->run and what shading them took
 * @cost: of a run of the program
 * @times: how many such runs there were
 */
void gc_draw_count_vertices(struct gc_core *gc, const struct gc_draw_unit *unit,
			    const struct gc_shader_cost *cost, uint64_t times);

/** gc_draw_shade_one - cost of shading one vertex of unit->run; nothing is kept. */
bool gc_draw_shade_one(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_shader_cost *cost);

/* draw_primitives.c */
void gc_draw_primitive(struct gc_core *gc, struct gc_draw_unit *unit,
		       const struct gc_primitive *primitive);

/* draw_pixels.c */
/** gc_draw_put_setup - @quads quads no longer need the planes of set-up @setup. */
static inline void gc_draw_put_setup(struct gc_draw_unit *unit, unsigned int setup,
				     unsigned int quads)
{
	unit->references[setup] -= (uint16_t)quads;
	if (!unit->references[setup] && setup != unit->current_setup)
		unit->free_setup[unit->free_setups++] = (uint16_t)setup;
}

void gc_draw_pixels_begin(struct gc_core *gc, struct gc_draw_unit *unit);
/**
 * gc_draw_fresh_setup - a set-up that no quad refers to, and none before it
 *
 * There always is one, but where other threads have them all: these are waited for.
 */
unsigned int gc_draw_fresh_setup(struct gc_draw_unit *unit);

/** gc_draw_pixels_primitive - unit->current is new; anchor its planes at pixel (@x, @y). */
static inline void gc_draw_pixels_primitive(struct gc_draw_unit *unit, int32_t x, int32_t y)
{
	unit->current.ready = false;
	if (unit->references[unit->current_setup])
		unit->current_setup = unit->free_setups ? unit->free_setup[--unit->free_setups]
							: gc_draw_fresh_setup(unit);
	gc_setup_anchor(&unit->setup[unit->current_setup], x, y);
}

/** gc_draw_pixels_block - gc_raster's block callback; @ctx is the core. */
void gc_draw_pixels_block(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES]);
/** gc_draw_pixels_whole - the same for a block covered all over, with one sample a pixel. */
void gc_draw_pixels_whole(void *ctx, int x, int y);
/** gc_draw_pixels_tile - the same for some blocks of a tile, with unit->whole_tiles. */
void gc_draw_pixels_tile(void *ctx, int x, int y, uint64_t blocks);
/** gc_draw_pixels_finish - shade and write what is still waiting. */
void gc_draw_pixels_finish(struct gc_core *gc, struct gc_draw_unit *unit);

/* draw_shading.c */
/** gc_draw_check_block - @quads' coverage may have changed: is it still that of a whole block? */
static inline void gc_draw_check_block(struct gc_quads *quads)
{
	quads->block = quads->block && quads->count == GC_QUADS &&
		       gc_quads_covered(quads, 0) == UINT64_MAX;
}

/**
 * gc_draw_shade_block - shade and write the 8x8 pixels at (@x, @y) of @setup's primitive
 *
 * Only with unit->straight, and if no quads of these pixels wait.
 */
void gc_draw_shade_block(struct gc_core *gc, struct gc_draw_unit *unit,
			 const struct gc_setup *setup, int x, int y);

/** gc_draw_groups_left - how many can be shaded before somebody looks. */
unsigned int gc_draw_groups_left(const struct gc_draw_unit *unit);

/** gc_draw_find_part - find @part's blocks; false: they must go alone. */
bool gc_draw_find_part(struct gc_core *gc, struct gc_tile_part *part);

/** gc_draw_shade_part - gc_draw_shade_block() of the part's blocks, with unit->whole_tiles. */
void gc_draw_shade_part(struct gc_core *gc, struct gc_draw_unit *unit,
			const struct gc_tile_part *part);

/** gc_draw_shade_quads - shade a group of quads, write them, and empty it. */
void gc_draw_shade_quads(struct gc_core *gc, struct gc_draw_unit *unit,
			 struct gc_quad_group *group);

/* draw_tile.c */
/** gc_draw_find_plain_color - fill in unit->plain once all else about the draw is known. */
void gc_draw_find_plain_color(struct gc_draw_unit *unit);

/**
 * gc_draw_paint_part - interpolate, shade and paint blocks whose places are found
 * @gc: looks textures up
 * @color: where in @batch the program leaves its colour
 * @cost: increased
 */
void gc_draw_paint_part(struct gc_core *gc, const struct gc_draw_unit *unit, struct gc_batch *batch,
			const struct gc_color *color, const struct gc_tile_part *part,
			struct gc_shader_cost *cost);

#endif
