/* SPDX-License-Identifier: MIT */
/*
 * The queue of deferred shading, shared by its files:
 *
 *  draw_deferred.c   decides whether a draw uses the queue, and records groups in it
 *  deferred_queue.c  hands chunks to threads and retires them in order; creates the threads
 *  deferred_chunk.c  shades the groups of one chunk
 *
 * Each file calls only those below it in this list. The functions declared in draw_deferred.h
 * are the interface for the other files of the draw unit.
 */
#ifndef CARD_GC_DEFERRED_QUEUE_H
#define CARD_GC_DEFERRED_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gc/draw_hazards.h"
#include "gc/draw_unit.h"
#include "gc/texture.h"

#define GC_DEFERRED_CHUNKS 16 /* chunks that are not retired, the one being filled included */
#define GC_CHUNK_ITEMS 64
#define GC_CHUNK_GROUPS 16 /* items of kind GC_ITEM_QUADS in a chunk */
#define GC_CHUNK_PARTS 4   /* items of kind GC_ITEM_PART in a chunk */

enum gc_item_kind {
	GC_ITEM_RUN,   /* a fully covered block whose pixels are contiguous in memory */
	GC_ITEM_QUADS, /* a group of GC_QUADS quads */
	GC_ITEM_PART,  /* fully covered blocks of a tile, each of which is a group */
};

/* An entry of the queue: one group, or the groups of a part of a tile */
struct gc_deferred_item {
	enum gc_item_kind kind;
	uint16_t number; /* QUADS: index in chunk->group; PART: index in chunk->part */
	int16_t x, y;    /* RUN: first pixel */
	uint16_t setup;  /* RUN, PART: index of the primitive's set-up */
	uint8_t *run;    /* RUN: memory of the pixels */
	uint64_t piece;  /* piece of the operation that is charged, see gc/pieces.h */
	/* The cost of shading, written by the thread that ran the chunk. */
	uint64_t instructions, texels, filters;
	size_t lines; /* number of entries of chunk->lines after this item */
};

/* Quads of an item of kind GC_ITEM_QUADS */
struct gc_deferred_group {
	struct gc_quad quad[GC_QUADS] __attribute__((aligned(64)));
	uint16_t setup[GC_QUADS] __attribute__((aligned(32))); /* index of the quad's set-up */
	uint8_t *row[GC_QUADS]; /* memory of the quad's upper pixels, if one of it is covered */
	uint64_t covered;       /* lanes to write, one bit each */
};

/* Items that one thread shades without interruption */
struct gc_deferred_chunk {
	unsigned int items, groups, parts;
	unsigned int weight; /* number of groups of all items, at least one for each item */
	uint64_t after;      /* all chunks up to this number must be done first; 0: none */
	struct gc_deferred_item item[GC_CHUNK_ITEMS];
	struct gc_deferred_group group[GC_CHUNK_GROUPS];
	struct gc_tile_part part[GC_CHUNK_PARTS];
	struct gc_texture_lines lines;
};

/* State of a thread: a core that only shades, its registers, and its output colours. */
struct gc_deferred_worker {
	struct gc_deferred *deferred;
	struct gc_core *gc;
	struct gc_batch *batch;
	struct gc_color output;
	uint32_t flushes; /* mmu.flushes of the drawing core when its MMU state was copied */
	pthread_t thread;
};

/*
 * The group whose addresses the drawing thread is determining. If that accesses a page which
 * the draw may not access while groups are queued, the group is shaded before the access.
 */
struct gc_deferred_placing {
	bool on;
	bool shaded; /* by the drawing thread, into worker[0] */
	unsigned int setup;
	int x, y;
	const struct gc_quad_group *group; /* NULL: the block at @x, @y of @setup */
};

struct gc_deferred {
	/* Constant during a draw. */
	struct gc_core *gc;
	struct gc_draw_unit *unit;
	struct gc_pe_paint paint;
	unsigned int limit; /* a chunk of this weight or more is full; at most GC_CHUNK_ITEMS */
	bool walks;         /* a worker's TLB is too small for the textures' pages */

	/*
	 * Chunks are numbered from 1; number n is in chunk[n % GC_DEFERRED_CHUNKS]. The chunk
	 * @published + 1 is being filled.
	 */
	struct gc_deferred_chunk chunk[GC_DEFERRED_CHUNKS];
	uint64_t retired; /* chunks up to this number are retired */
	_Atomic uint64_t published __attribute__((aligned(64)));
	_Atomic uint64_t taken __attribute__((aligned(64)));
	/*
	 * Copies of chunk->after. A thread reads the entry before it has acquired the chunk, when
	 * the chunk itself may already be refilled.
	 */
	_Atomic uint64_t after[GC_DEFERRED_CHUNKS];
	_Atomic uint64_t done[GC_DEFERRED_CHUNKS] __attribute__((aligned(64)));

	/* Used by the drawing thread only. */
	struct gc_hazards hazards;
	bool conflict;      /* a page has two uses: the draw has to leave the queue */
	uint32_t last_page; /* page of colours that was recorded last */
	struct gc_deferred_placing placing;

	pthread_mutex_t lock; /* protects @quit, and waiting for @wake */
	pthread_cond_t wake;
	_Atomic unsigned int sleepers;
	bool quit;
	unsigned int workers; /* worker[0] is the drawing thread */
	struct gc_deferred_worker worker[GC_MAX_THREADS];
};

/* ---- deferred_chunk.c ---- */

/** gc_deferred_run_shader - run @shader for all lanes of @w's registers; counts its cost */
void gc_deferred_run_shader(struct gc_deferred_worker *w, const struct gc_shader *shader);

/** gc_deferred_run_chunk - shade and write all items of @c; records their cost and texture lines */
void gc_deferred_run_chunk(struct gc_deferred_worker *w, struct gc_deferred_chunk *c);

/* ---- deferred_queue.c ---- */

/** gc_deferred_filling_number - number of the chunk that is being filled */
static inline uint64_t gc_deferred_filling_number(const struct gc_deferred *queue)
{
	return atomic_load_explicit(&queue->published, memory_order_relaxed) + 1;
}

/** gc_deferred_filling - the chunk that is being filled */
static inline struct gc_deferred_chunk *gc_deferred_filling(struct gc_deferred *queue)
{
	return &queue->chunk[gc_deferred_filling_number(queue) % GC_DEFERRED_CHUNKS];
}

/** gc_deferred_publish - make the chunk that is being filled available to all threads */
void gc_deferred_publish(struct gc_deferred *queue);

/** gc_deferred_open_chunk - the chunk for the next item; publishes the present one if it is full */
static inline struct gc_deferred_chunk *gc_deferred_open_chunk(struct gc_deferred *queue)
{
	struct gc_deferred_chunk *c = gc_deferred_filling(queue);

	/*
	 * A full chunk is published when another item follows, not before: the last group of a
	 * draw has to be shaded by the drawing thread, see draw_deferred.c.
	 */
	if (c->weight < queue->limit && c->groups < GC_CHUNK_GROUPS && c->parts < GC_CHUNK_PARTS)
		return c;
	gc_deferred_publish(queue);
	return gc_deferred_filling(queue);
}

/** gc_deferred_add_counters - move the workers' counters to those of the drawing core */
void gc_deferred_add_counters(struct gc_deferred *queue);

#endif
