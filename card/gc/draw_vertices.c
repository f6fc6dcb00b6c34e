// SPDX-License-Identifier: MIT
/* Fetches and shades a batch of vertices, and converts its lanes to vertex records. */
#include "gc/draw_unit.h"

#include <stddef.h>
#include <string.h>

static uint64_t lanes_below(unsigned int count)
{
	return count < GC_LANES ? (1ull << count) - 1 : UINT64_MAX;
}

void gc_draw_count_vertices(struct gc_core *gc, const struct gc_draw_unit *unit,
			    const struct gc_shader_cost *cost, unsigned int lanes)
{
	uint64_t shaded = unit->shaded, bytes = shaded * unit->state.layout.bytes;
	uint64_t instructions = cost->instructions * shaded / lanes;
	uint64_t texlds = cost->texlds * shaded / lanes;

	gc->counters.fe_vertices_fetched += shaded;
	gc->counters.fe_read_bytes += bytes;
	gc->counters.vs_vertices += shaded;
	gc->counters.vs_instructions += instructions;
	gc->counters.vs_branches += cost->branches * shaded / lanes;
	gc->counters.vs_texlds += texlds;
	gc->work.vertex_bytes += bytes;
	gc->work.vertices += shaded;
	gc->work.vs_instructions += instructions;
	gc->work.vs_texels += texlds;
	gc->work.vs_accesses += cost->accesses * shaded / lanes;
	gc->work.vs_read_bytes += cost->read_bytes * shaded / lanes;
	gc->work.vs_write_bytes += cost->write_bytes * shaded / lanes;
}

/* One word of each of four lanes, or four words of one vertex. */
typedef uint32_t word4 __attribute__((vector_size(16), may_alias));

static inline word4 four_lanes(const union gc_lanes *lanes, unsigned int first)
{
	return *(const word4 *)&lanes->u[first];
}

/*
 * Transpose: words @a to @d of four lanes become the four words at byte @field of four
 * vertices.
 */
static inline void put_words(word4 a, word4 b, word4 c, word4 d, struct gc_vertex v[4],
			     size_t field)
{
	uint8_t *to = (uint8_t *)v + field;
	word4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
	word4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
	word4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
	word4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);

	*(word4 *)to = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
	*(word4 *)(to + sizeof(*v)) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
	*(word4 *)(to + 2 * sizeof(*v)) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
	*(word4 *)(to + 3 * sizeof(*v)) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/* put_words() of the four lanes from @first on, with a pointer to the lanes of each word. */
static inline void put_lanes(const union gc_lanes *const from[4], unsigned int first,
			     struct gc_vertex v[4], size_t field)
{
	put_words(four_lanes(from[0], first), four_lanes(from[1], first),
		  four_lanes(from[2], first), four_lanes(from[3], first), v, field);
}

/* The same for the four components of a register. */
static inline void put_register(const union gc_lanes from[4], unsigned int first,
				struct gc_vertex v[4], size_t field)
{
	const union gc_lanes *const each[] = { &from[0], &from[1], &from[2], &from[3] };

	put_lanes(each, first, v, field);
}

/* Compute outcode and, unless it is clipped, window position of any vertex. */
static __attribute__((noinline)) void place_vertex(const struct gc_viewport *viewport,
						   struct gc_vertex *v)
{
	v->outcode = gc_vertex_outcode(viewport, v->clip);
	if (!(v->outcode & GC_OUT_CLIPPED))
		gc_vertex_project(viewport, v);
}

/*
 * Find the lanes of each component of the varyings, in the registers of the vertex shader. The
 * first one fills up the array to a multiple of four.
 */
static void find_sources(const struct gc_draw_unit *unit,
			 const union gc_lanes *source[GC_MAX_COMPONENTS])
{
	const struct gc_draw_state *s = &unit->state;

	for (unsigned int i = 0; i < (s->varyings.components + 3) / 4 * 4; i++) {
		unsigned int n = i < s->varyings.components ? i : 0;

		source[i] = &unit->vertex_batch.temp[s->source_reg[n]].c[s->source_component[n]];
	}
}

/* Convert four lanes to vertices, as if all were inside the view. */
static inline void gather_four(struct gc_draw_unit *unit, const union gc_lanes *const *source,
			       word4 constant_size, unsigned int first)
{
	const struct gc_draw_state *s = &unit->state;
	const struct gc_projection *p = &unit->projection;
	const struct gc_batch *batch = &unit->vertex_batch;
	const word4 outcode = { 0 };
	word4 size = s->size_per_vertex ? four_lanes(&batch->temp[s->size_reg].c[0], first)
					: constant_size;
	struct gc_vertex *v = &unit->vertex[first];

	put_register(batch->temp[s->position_reg].c, first, v, offsetof(struct gc_vertex, clip));
	put_register(p->window, first, v, offsetof(struct gc_vertex, window));
	/* x, y, outcode and point_size follow each other in struct gc_vertex */
	put_words(four_lanes(&p->x, first), four_lanes(&p->y, first), outcode, size, v,
		  offsetof(struct gc_vertex, x));
	for (unsigned int i = 0; i < s->varyings.components; i += 4)
		put_lanes(&source[i], first, v,
			  offsetof(struct gc_vertex, varying) + i * sizeof(float));
}

/*
 * Convert the batch's lanes to vertices: first all of them as inside the view, then the others. The
 * plain card does not compute unit->projection: there all are others.
 */
static void gather_all(struct gc_draw_unit *unit)
{
	const struct gc_draw_state *s = &unit->state;
	const union gc_lanes *source[GC_MAX_COMPONENTS];
	uint32_t size;

	memcpy(&size, &s->point_size, sizeof(size));
	find_sources(unit, source);
	if (!CARD_PLAIN)
		gc_project_lanes(&s->viewport, &unit->vertex_batch.temp[s->position_reg],
				 unit->run.count, &unit->projection);
	for (unsigned int first = 0; first < unit->run.count; first += 4)
		gather_four(unit, source, (word4){ size, size, size, size }, first);
	for (unsigned int lane = 0; lane < unit->run.count; lane++)
		if (CARD_PLAIN || !unit->projection.in_view.i[lane])
			place_vertex(&s->viewport, &unit->vertex[lane]);
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
	gc_draw_count_vertices(gc, unit, &cost, unit->run.count);
	if (gc->abort)
		return false;
	gather_all(unit);
	return true;
}
