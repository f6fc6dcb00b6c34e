/* SPDX-License-Identifier: MIT */
/*
 * struct gc_core: what the blocks of a GC core share. Each block has private data behind an
 * opaque pointer and a header with its functions.
 *
 *  fe -> draw -> vertex -> shader -> primitive -> raster -> shader -> pixel
 *    \-> rs (resolve engine)                 texture <-/        \-> ts
 *
 * A block uses only the blocks to its right, the state, the MMU, the counters and the work
 * report of the current operation.
 */
#ifndef CARD_GC_CORE_H
#define CARD_GC_CORE_H

#include "clock/gpu_clock.h"
#include "clock/pipeline.h"
#include "clock/work.h"
#include "gc/counters.h"
#include "gc/data_cache.h"
#include "gc/gc.h"
#include "gc/mmu.h"
#include "gc/pieces.h"
#include "gc/state.h"

struct gc_fe;
struct gc_counted;
struct gc_posted;
struct gc_draw_unit;
struct gc_pixel_engine;
struct gc_texture_unit;
struct gc_shader_cache;
struct gc_record;

struct gc_core {
	const struct gc_personality *personality;
	struct gc_host host;
	struct gc_options options;

	struct gc_state state;
	struct gc_mmu mmu;
	struct gc_counters counters;
	struct gpu_clock clock;
	struct gpu_pipeline pipeline;
	struct gpu_work work; /* of the operation being executed */

	const char *hang; /* why the draw that is executed hangs the core, or NULL */
	/* set by a reset or a fault while a command runs: operations end before their next batch */
	bool abort;

	struct gc_fe *fe;          /* registers, front end, events (fe*.c, registers.c, events.c) */
	struct gc_draw_unit *draw; /* draw.c */
	struct gc_pixel_engine *pe;      /* pe.c */
	struct gc_texture_unit *tx;      /* tx.c */
	struct gc_shader_cache *shaders; /* shader.c; allocated on first use */
	/* with gc_options.cache_data, otherwise NULL: */
	struct data_cache *l1;      /* the shaders' cache of loads and stores */
	struct gc_posted *posted;   /* writes that are not in memory yet */
	struct gc_counted *counted; /* counts that registers do not show yet */

	struct gc_record *record; /* record.c; NULL: none */

	struct gc_pieces pieces; /* of the operation, on their way to the pipeline */
};

/**
 * gc_yield - let the board handle register accesses in the middle of an operation
 *
 * Called between batches. If the operation must end, accesses wait for that.
 *
 * Returns: false if the operation must end.
 */
static inline bool gc_yield(struct gc_core *gc)
{
	if (gc->host.yield && !gc->abort)
		gc->host.yield(gc->host.ctx);
	return !gc->abort;
}

/**
 * gc_answer - let the board answer reads of registers that need not wait, see gc_is_immediate()
 *
 * Called for each group of pixels, and by the drawing thread while it waits for others. Never ends
 * the operation. A core that only shades has no board.
 */
static inline void gc_answer(struct gc_core *gc)
{
	if (gc->host.answer)
		gc->host.answer(gc->host.ctx);
}

#endif
