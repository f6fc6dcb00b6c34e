/* SPDX-License-Identifier: MIT */
/*
 * The inside of a GC core: what its blocks share. Each block keeps its own
 * data behind an opaque pointer and is reached through its header.
 *
 *   fe -> draw -> vertex -> shader -> primitive -> raster -> shader -> pixel
 *     \-> rs (resolve engine)                 texture <-/        \-> ts
 *
 * Blocks only see what is to their right, the state, the mmu, the counters
 * and the work report of the operation at hand.
 */
#ifndef CARD_GC_CORE_H
#define CARD_GC_CORE_H

#include "clock/gpu_clock.h"
#include "clock/pipeline.h"
#include "clock/work.h"
#include "gc/counters.h"
#include "gc/gc.h"
#include "gc/mmu.h"
#include "gc/state.h"

struct gc_fe;
struct gc_draw_unit;
struct gc_pixel_engine;
struct gc_texture_unit;
struct gc_shader_cache;

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

	/* set by reset or fault while an operation runs: give it up at the next batch */
	bool abort;

	struct gc_fe *fe;                /* registers, front end, events (fe.c, registers.c) */
	struct gc_draw_unit *draw;       /* draw.c */
	struct gc_pixel_engine *pe;      /* pe.c */
	struct gc_texture_unit *tx;      /* tx.c */
	struct gc_shader_cache *shaders; /* shader.c; made when first needed */
};

/**
 * gc_yield - between batches: let the board answer register accesses
 *
 * Returns: false when the operation must be given up.
 */
static inline bool gc_yield(struct gc_core *gc)
{
	if (gc->host.yield)
		gc->host.yield(gc->host.ctx);
	return !gc->abort;
}

#endif
