// SPDX-License-Identifier: MIT
/*
 * A batch of vertices: fetch, shade, and gather what the primitives need.
 */
#include "gc/draw_unit.h"

#include <string.h>

static uint64_t lanes_below(unsigned int count)
{
	return count < GC_LANES ? (1ull << count) - 1 : UINT64_MAX;
}

static void count_vertices(struct gc_core *gc, const struct gc_draw_unit *unit)
{
	uint64_t bytes = (uint64_t)unit->run.count * unit->state.layout.bytes;

	gc->counters.fe_vertices_fetched += unit->run.count;
	gc->counters.fe_read_bytes += bytes;
	gc->counters.vs_vertices += unit->run.count;
	gc->work.vertex_bytes += bytes;
	gc->work.vertices += unit->run.count;
}

static void count_cost(struct gc_core *gc, const struct gc_shader_cost *cost)
{
	gc->counters.vs_instructions += cost->instructions;
	gc->counters.vs_branches += cost->branches;
	gc->counters.vs_texlds += cost->texlds;
	gc->work.vs_instructions += cost->instructions;
	gc->work.vs_texels += cost->texlds;
}

static void gather_clip(const struct gc_draw_unit *unit, unsigned int lane, struct gc_vertex *v)
{
	const struct gc_vec4 *position = &unit->vertex_batch.temp[unit->state.position_reg];

	for (unsigned int i = 0; i < 4; i++)
		v->clip[i] = position->c[i].f[lane];
}

void gc_draw_gather(struct gc_draw_unit *unit, unsigned int lane)
{
	const struct gc_draw_state *s = &unit->state;
	const struct gc_batch *batch = &unit->vertex_batch;
	struct gc_vertex *v = &unit->vertex[lane];

	unit->gathered[lane] = true;
	v->point_size = s->size_per_vertex ? batch->temp[s->size_reg].c[0].f[lane] : s->point_size;
	for (unsigned int i = 0; i < s->varyings.components; i++)
		v->varying[i] = batch->temp[s->source_reg[i]].c[s->source_component[i]].f[lane];
	if (unit->projection.in_view.i[lane]) {
		gather_clip(unit, lane, v);
		gc_projection_window(&unit->projection, lane, v);
	}
}

/* A vertex that is not in the view as a whole: where it is must be known of it alone. */
static __attribute__((noinline)) void place_outside(struct gc_draw_unit *unit, unsigned int lane,
						    struct gc_vertex *v)
{
	gather_clip(unit, lane, v);
	v->outcode = gc_vertex_outcode(&unit->state.viewport, v->clip);
	if (!(v->outcode & GC_OUT_CLIPPED))
		gc_vertex_project(&unit->state.viewport, v);
}

/* Of each vertex what says whether its primitives are drawn; if all are culled, that is all. */
static void place_all(struct gc_draw_unit *unit)
{
	const struct gc_draw_state *s = &unit->state;

	gc_project_lanes(&s->viewport, &unit->vertex_batch.temp[s->position_reg], unit->run.count,
			 &unit->projection);
	memset(unit->gathered, false, GC_LANES);
	for (unsigned int lane = 0; lane < unit->run.count; lane++) {
		if (unit->projection.in_view.i[lane])
			gc_projection_place(&unit->projection, lane, &unit->vertex[lane]);
		else
			place_outside(unit, lane, &unit->vertex[lane]);
	}
}

bool gc_draw_shade(struct gc_core *gc, struct gc_draw_unit *unit)
{
	struct gc_batch *batch = &unit->vertex_batch;
	struct gc_shader_cost cost = { 0 };

	if (!gc_vertex_fetch(gc, &unit->state.layout, &unit->run, batch))
		return false;
	batch->live = lanes_below(unit->run.count);
	batch->killed = 0;
	gc_shader_run(gc, unit->vs, batch, &cost);
	count_vertices(gc, unit);
	count_cost(gc, &cost);
	place_all(unit);
	return true;
}

bool gc_draw_shade_one(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_shader_cost *cost)
{
	struct gc_vertex_run one = { .count = 1,
				     .index = { unit->run.index[0] },
				     .instance = { unit->run.instance[0] } };

	if (!gc_vertex_fetch(gc, &unit->state.layout, &one, &unit->vertex_batch))
		return false;
	unit->vertex_batch.live = 1;
	unit->vertex_batch.killed = 0;
	gc_shader_run(gc, unit->vs, &unit->vertex_batch, cost);
	return true;
}
