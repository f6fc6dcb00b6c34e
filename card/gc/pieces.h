/* SPDX-License-Identifier: MIT */
/*
 * The work of an operation, cut into pieces for the pipeline's model.
 *
 * Blocks add what they do to gc->work. A cut makes what was added since the last one a
 * piece. What other threads of the host shade is added to its piece when it is known;
 * pieces go to the pipeline in their order, each when it is complete, so that modelled
 * time does not depend on threads.
 */
#ifndef CARD_GC_PIECES_H
#define CARD_GC_PIECES_H

#include <stdbool.h>

#include "clock/work.h"

struct gc_core;

#define GC_PIECES 256

struct gc_pieces {
	struct gpu_work counted; /* gc->work when the last piece was cut */
	uint64_t first, next;    /* pieces that are not in the pipeline; @next is not cut yet */
	bool dropped;            /* the core was reset: they do not enter the pipeline */
	uint64_t begin;          /* cycle at which the front end can begin the operation */
	uint64_t end;            /* cycle at which those before @first have left the pipeline */
	struct {
		struct gpu_work work;
		unsigned int open; /* groups of it that are not shaded yet */
	} piece[GC_PIECES];        /* by number modulo GC_PIECES */
};

/**
 * gc_pieces_begin - an operation begins; gc->work is zero
 * @cycle: earliest one at which the front end can begin it
 */
void gc_pieces_begin(struct gc_core *gc, uint64_t cycle);

/** gc_pieces_is_full - whether groups have to be shaded before the next cut. */
bool gc_pieces_is_full(const struct gc_core *gc);

/**
 * gc_pieces_cut - what was added to gc->work since the last cut is a piece
 * @tiles: raster tiles of it; a draw adds them to gc->work at its end only
 */
void gc_pieces_cut(struct gc_core *gc, uint64_t tiles);

/**
 * gc_pieces_push - let complete pieces that wait for others enter the pipeline
 *
 * Has to be called before the pipeline or its counters are read or the core is reset within gc_yield(), and
 * at the end of an operation that was aborted.
 */
void gc_pieces_push(struct gc_core *gc);

/** gc_pieces_drop - the core is reset: what follows of the operation does not enter the pipeline */
void gc_pieces_drop(struct gc_core *gc);

/** gc_pieces_defer - a group of the present piece will be shaded later. Returns: the piece's number. */
uint64_t gc_pieces_defer(struct gc_core *gc);

/**
 * gc_pieces_shaded - @groups groups of a piece were shaded
 * @work: what that took; added to gc->work, too
 */
void gc_pieces_shaded(struct gc_core *gc, uint64_t piece, unsigned int groups,
		      const struct gpu_work *work);

/**
 * gc_pieces_end - cut the last piece of an operation
 *
 * All groups are shaded. Returns: the cycle at which the operation has left the pipeline.
 */
uint64_t gc_pieces_end(struct gc_core *gc);

#endif
