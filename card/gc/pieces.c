// SPDX-License-Identifier: MIT
/* Pieces of an operation on their way to the pipeline's model. */
#include "gc/pieces.h"

#include <string.h>

#include "gc/core.h"

/*
 * A resolve is one piece, but enters the pipeline in equal parts of at least this many pixels, so
 * that stages overlap as they do for the pieces of a draw.
 */
#define RESOLVE_PIXELS 4096u

/*
 * So many pieces go to the pipeline's model together, unless they have to wait for others: its code and
 * that of a draw displace each other from the host's instruction cache.
 */
#define TOGETHER 16

void gc_pieces_begin(struct gc_core *gc, uint64_t cycle)
{
	struct gc_pieces *p = &gc->pieces;

	p->counted = gc->work;
	p->first = p->next = 0;
	p->dropped = false;
	p->begin = p->end = cycle;
	memset(&p->piece[0], 0, sizeof(p->piece[0]));
}

bool gc_pieces_is_full(const struct gc_core *gc)
{
	return gc->pieces.next - gc->pieces.first == GC_PIECES - 1;
}

/* Part @i of @parts equal ones. */
static struct gpu_work part(const struct gpu_work *work, uint64_t i, uint64_t parts)
{
	const uint64_t *all = (const uint64_t *)work;
	struct gpu_work result;
	uint64_t *member = (uint64_t *)&result;

	for (unsigned int m = 0; m < GPU_WORK_MEMBERS; m++)
		member[m] = all[m] / parts + (i < all[m] % parts);
	return result;
}

static void push_one(struct gc_core *gc, const struct gpu_work *work)
{
	const struct gpu_pipeline *pipe = &gc->pipeline;
	uint64_t reads = gpu_pipeline_waited(pipe, GPU_MEMORY_READ);
	uint64_t writes = gpu_pipeline_waited(pipe, GPU_MEMORY_WRITE);
	uint64_t end = gpu_pipeline_push(&gc->pipeline, work, gc->pieces.begin);

	gc->counters.hi_read_stalls += gpu_pipeline_waited(pipe, GPU_MEMORY_READ) - reads;
	gc->counters.hi_write_stalls += gpu_pipeline_waited(pipe, GPU_MEMORY_WRITE) - writes;
	gc->pieces.end = end > gc->pieces.end ? end : gc->pieces.end;
}

static void push(struct gc_core *gc, const struct gpu_work *work)
{
	uint64_t parts = work->rs_pixels / RESOLVE_PIXELS;

	if (parts < 2) {
		push_one(gc, work);
		return;
	}
	for (uint64_t i = 0; i < parts; i++) {
		struct gpu_work one = part(work, i, parts);

		push_one(gc, &one);
	}
}

void gc_pieces_push(struct gc_core *gc)
{
	struct gc_pieces *p = &gc->pieces;

	while (p->first < p->next && !p->piece[p->first % GC_PIECES].open) {
		if (!p->dropped)
			push(gc, &p->piece[p->first % GC_PIECES].work);
		p->first++;
	}
}

void gc_pieces_drop(struct gc_core *gc)
{
	gc->pieces.dropped = true;
}

void gc_pieces_cut(struct gc_core *gc, uint64_t tiles)
{
	struct gc_pieces *p = &gc->pieces;
	struct gpu_work *work = &p->piece[p->next % GC_PIECES].work;

	gpu_work_add_since(work, &gc->work, &p->counted);
	work->tiles = tiles;
	p->next++;
	if (p->next - p->first >= TOGETHER)
		gc_pieces_push(gc);
	/* without deferred groups all pieces use the first places, which stay in the host's caches */
	if (p->first == p->next)
		p->first = p->next = 0;
	memset(&p->piece[p->next % GC_PIECES], 0, sizeof(p->piece[0]));
}

uint64_t gc_pieces_defer(struct gc_core *gc)
{
	struct gc_pieces *p = &gc->pieces;

	p->piece[p->next % GC_PIECES].open++;
	return p->next;
}

void gc_pieces_shaded(struct gc_core *gc, uint64_t piece, unsigned int groups,
		      const struct gpu_work *work)
{
	struct gc_pieces *p = &gc->pieces;

	gpu_work_add(&p->piece[piece % GC_PIECES].work, work);
	gpu_work_add(&gc->work, work);
	gpu_work_add(&p->counted, work);
	p->piece[piece % GC_PIECES].open -= groups;
	gc_pieces_push(gc);
}

uint64_t gc_pieces_end(struct gc_core *gc)
{
	gc_pieces_cut(gc, 0); /* a draw's own cuts have counted all its tiles */
	gc_pieces_push(gc);
	return gc->pieces.end;
}
