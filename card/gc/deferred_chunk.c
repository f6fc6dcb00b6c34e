// SPDX-License-Identifier: MIT
/*
 * Shading of one chunk of the deferred shading queue: interpolate, run the pixel shader, write
 * colours. Runs on any thread, on the core and registers of that thread. Besides the chunk it reads
 * only what is constant during a draw, and set-ups that are not reused until the chunk is retired.
 */
#include "gc/deferred_queue.h"

static void count(struct gc_deferred_worker *w, const struct gc_shader_cost *cost)
{
	struct gc_counters *n = &w->gc->counters;
	struct gpu_work *work = &w->gc->work;

	n->ps_instructions += cost->instructions;
	n->ps_branches += cost->branches;
	n->ps_texlds += cost->texlds;
	work->ps_instructions += cost->instructions;
	work->ps_texels += cost->texlds;
}

void gc_deferred_run_shader(struct gc_deferred_worker *w, const struct gc_shader *shader)
{
	struct gc_shader_cost cost = { 0 };

	w->batch->live = UINT64_MAX;
	w->batch->killed = 0;
	gc_shader_run_short(w->gc, shader, w->batch, &cost);
	count(w, &cost);
}

static void run_item(struct gc_deferred_worker *w, const struct gc_deferred_chunk *c,
		     const struct gc_deferred_item *item)
{
	const struct gc_deferred *queue = w->deferred;
	const struct gc_draw_unit *unit = queue->unit;
	const struct gc_deferred_group *g = &c->group[item->number]; /* of GC_ITEM_QUADS */
	struct gc_shader_cost cost = { 0 };

	switch (item->kind) {
	case GC_ITEM_RUN:
		gc_interpolate_block(&unit->setup[item->setup], &unit->state.varyings, item->x,
				     item->y, w->batch);
		gc_deferred_run_shader(w, unit->ps);
		gc_pe_paint_run(&queue->paint, item->run, &w->output);
		break;
	case GC_ITEM_QUADS:
		gc_interpolate_quads(unit->setup, g->setup, &unit->state.varyings, g->quad,
				     GC_QUADS, w->batch);
		gc_deferred_run_shader(w, unit->ps);
		gc_pe_paint_quads(&queue->paint, g->quad, g->row, g->covered, &w->output);
		break;
	case GC_ITEM_PART:
		gc_draw_paint_part(w->gc, unit, w->batch, &w->output, &c->part[item->number],
				   &cost);
		count(w, &cost);
		break;
	}
}

void gc_deferred_run_chunk(struct gc_deferred_worker *w, struct gc_deferred_chunk *c)
{
	struct gpu_work *work = &w->gc->work;

	bool drawing = w == &w->deferred->worker[0];

	gc_texture_record(w->gc, &c->lines);
	for (unsigned int i = 0; i < c->items; i++) {
		struct gc_deferred_item *item = &c->item[i];

		if (drawing)
			gc_answer(w->deferred->gc);
		work->ps_instructions = work->ps_texels = work->filters = 0;
		run_item(w, c, item);
		item->instructions = work->ps_instructions;
		item->texels = work->ps_texels;
		item->filters = work->filters;
		item->lines = c->lines.count;
	}
}
