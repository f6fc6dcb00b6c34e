// SPDX-License-Identifier: MIT
/*
 * Draw commands: reads indices, forms batches of up to 64 different vertices, has them shaded,
 * and assembles primitives from them.
 *
 * Vertices are reused within a batch: an index that occurs again is not shaded again. Vertices
 * of an ended batch that later primitives of a strip, fan, loop or list still need are copied
 * to the slots after the batch's lanes. Counters and modelled time are those of the core's
 * smaller vertex cache (vertex_cache.h).
 */
#include "gc/draw.h"

#include <stdlib.h>
#include <string.h>

#include "gc/draw_deferred.h"
#include "gc/draw_unit.h"
#include "gc/texture.h"
#include "gc/trace.h"
#include "hw/state_3d.xml.h"

struct gc_draw_unit *gc_draw_create(struct gc_core *gc)
{
	size_t size = (sizeof(struct gc_draw_unit) + 63) & ~(size_t)63;
	struct gc_draw_unit *unit = aligned_alloc(64, size);

	if (!unit)
		return NULL;
	memset(unit, 0, size);
	unit->defer_after = GC_DEFERRED_AFTER;
	gc_vertex_cache_init(&unit->vertex_cache);
	if (!CARD_PLAIN)
		unit->deferred = gc_deferred_create(gc, unit, gc->options.threads);
	return unit;
}

void gc_draw_destroy(struct gc_draw_unit *unit)
{
	if (!CARD_PLAIN)
		gc_deferred_destroy(unit->deferred);
	free(unit);
}

void gc_draw_drain(struct gc_core *gc)
{
	if (gc->draw && gc_draw_is_deferred(gc->draw))
		gc_deferred_drain(gc->draw->deferred);
	gc_pieces_push(gc);
}

void gc_draw_abandon_deferred(struct gc_core *gc)
{
	if (gc->draw && gc_draw_is_deferred(gc->draw))
		gc_deferred_abandon(gc->draw->deferred);
}

/* What the functions below have in common in a draw. */
struct pass {
	struct gc_core *gc;
	struct gc_draw_unit *unit;
	const struct gc_draw *draw;
	struct gc_index_stream indices; /* of an indexed draw */
};

static void invalidate_indices(struct gc_index_cache *cache)
{
	if (++cache->now)
		return;
	memset(cache->stamp, 0, sizeof(cache->stamp));
	cache->now = 1;
}

static void reset_batch(struct gc_draw_unit *unit)
{
	gc_vertex_cache_end_batch(&unit->vertex_cache, unit->run.index);
	unit->run.count = 0;
	unit->shaded = 0;
	unit->length = 0;
	invalidate_indices(&unit->cache);
}

static void add_primitives(struct pass *p, const struct gc_primitive *made, unsigned int count)
{
	for (unsigned int i = 0; i < count && !p->unit->stop; i++)
		gc_draw_primitive(p->gc, p->unit, &made[i]);
}

/* Copy the vertices that the assembler still needs to slots that the next batch does not use. */
static void keep_held(struct gc_draw_unit *unit)
{
	struct gc_assembler *a = &unit->assembler;
	struct gc_vertex kept[GC_HELD_VERTICES];

	for (unsigned int i = 0; i < a->count; i++)
		kept[i] = unit->vertex[a->held[i]];
	for (unsigned int i = 0; i < a->count; i++) {
		unit->vertex[GC_HELD_SLOT + i] = kept[i];
		a->held[i] = (uint8_t)(GC_HELD_SLOT + i);
	}
}

/*
 * Assemble the triangles of a list from element @first of the sequence on without the general
 * assembler, up to the first that is not complete. Returns: number of vertices used.
 */
static unsigned int assemble_list(struct pass *p, unsigned int first)
{
	struct gc_draw_unit *unit = p->unit;
	unsigned int i;

	if (CARD_PLAIN || !gc_assembler_begins_triangle(&unit->assembler))
		return 0;
	for (i = first; i + 3 <= unit->length && !unit->stop; i += 3) {
		const uint8_t *v = &unit->sequence[i];
		struct gc_primitive made;

		if ((v[0] | v[1] | v[2]) == GC_SEQUENCE_END)
			break;
		gc_assembler_triangle(&unit->assembler, v[0], v[1], v[2], &made);
		add_primitives(p, &made, 1);
	}
	return i - first;
}

/*
 * Assemble one element of the sequence. Returns: 1 if it is a vertex, 0 if it ends the
 * sequence.
 */
static unsigned int assemble_one(struct pass *p, uint8_t slot)
{
	struct gc_assembler *assembler = &p->unit->assembler;
	struct gc_primitive made[GC_PRIMITIVES_PER_VERTEX];
	bool end = slot == GC_SEQUENCE_END;

	add_primitives(p, made,
		       end ? gc_assembler_end(assembler, made)
			   : gc_assembler_push(assembler, slot, made));
	return !end;
}

static void assemble(struct pass *p)
{
	struct gc_draw_unit *unit = p->unit;
	unsigned int vertices = 0;

	for (unsigned int i = 0; i < unit->length && !unit->stop;) {
		unsigned int whole = assemble_list(p, i);

		vertices += whole ? whole : assemble_one(p, unit->sequence[i]);
		i += whole ? whole : 1;
	}
	p->gc->counters.pa_input_vertices += vertices;
	keep_held(unit);
}

static void flush_batch(struct pass *p)
{
	struct gc_draw_unit *unit = p->unit;

	/* a piece begins: the batch's vertices, their primitives and the pixels of these */
	gc_draw_cut(p->gc, unit);
	if (p->draw->indexed)
		unit->shaded = gc_vertex_cache_shaded(&unit->vertex_cache);
	if (unit->run.count && !gc_draw_shade(p->gc, unit))
		unit->stop = true;
	if (!unit->stop)
		assemble(p);
	reset_batch(unit);
	if (!gc_yield(p->gc))
		unit->stop = true;
}

static void append(struct pass *p, uint8_t slot)
{
	struct gc_draw_unit *unit = p->unit;

	unit->sequence[unit->length++] = slot;
	if (unit->length == GC_SEQUENCE)
		flush_batch(p);
}

static uint8_t new_lane(struct gc_draw_unit *unit, uint32_t index, uint32_t instance)
{
	unsigned int lane = unit->run.count++;

	unit->run.index[lane] = index;
	unit->run.instance[lane] = instance;
	return (uint8_t)lane;
}

/* Index of @index's entry in the reuse table, or of the free entry it would use. */
static unsigned int cache_entry(const struct gc_index_cache *cache, uint32_t index)
{
	unsigned int i = (index * 2654435761u) >> 25; /* Knuth's multiplicative hash, 7 bits */

	while (cache->stamp[i] == cache->now && cache->index[i] != index)
		i = (i + 1) % (2 * GC_LANES);
	return i;
}

static void add_index(struct pass *p, uint32_t index, uint32_t instance)
{
	struct gc_draw_unit *unit = p->unit;
	struct gc_index_cache *cache = &unit->cache;
	struct gc_vertex_cache *vertices = &unit->vertex_cache;
	unsigned int i = cache_entry(cache, index);

	if (cache->stamp[i] != cache->now) {
		if (unit->run.count == GC_LANES) {
			flush_batch(p);
			i = cache_entry(cache, index);
		}
		cache->stamp[i] = cache->now;
		cache->index[i] = index;
		cache->slot[i] = new_lane(unit, index, instance);
		gc_vertex_cache_begin_lane(vertices, vertices->next, cache->slot[i], index);
	}
	vertices->next = gc_vertex_cache_use(vertices, vertices->next, cache->slot[i]);
	append(p, cache->slot[i]);
}

/*
 * add_index() for indices up to the first that needs a flush: its vertex finds no lane, or it may
 * fill the sequence. State is in local variables, for speed. Returns: how many were appended.
 */
static unsigned int add_run(struct gc_draw_unit *unit, const uint32_t *index, unsigned int count,
			    uint32_t base, uint32_t instance)
{
	struct gc_index_cache *cache = &unit->cache;
	struct gc_vertex_cache *vertices = &unit->vertex_cache;
	const uint32_t now = cache->now;
	uint8_t *restrict sequence = &unit->sequence[unit->length];
	unsigned int room = GC_SEQUENCE - 1 - unit->length, lanes = unit->run.count, n;
	unsigned int next = vertices->next;

	for (n = 0; n < count && n < room; n++) {
		uint32_t vertex = index[n] + base;
		unsigned int i = cache_entry(cache, vertex);

		if (cache->stamp[i] != now) {
			if (lanes == GC_LANES)
				break;
			cache->stamp[i] = now;
			cache->index[i] = vertex;
			cache->slot[i] = (uint8_t)lanes;
			unit->run.index[lanes] = vertex;
			unit->run.instance[lanes] = instance;
			gc_vertex_cache_begin_lane(vertices, next, lanes++, vertex);
		}
		sequence[n] = cache->slot[i];
		next = gc_vertex_cache_use(vertices, next, cache->slot[i]);
	}
	vertices->next = next;
	unit->run.count = lanes;
	unit->length += n;
	return n;
}

/* Append @count indices. Returns: how many were appended before a batch failed. */
static unsigned int add_indices(struct pass *p, const uint32_t *index, unsigned int count,
				uint32_t instance)
{
	const uint32_t base = (uint32_t)p->draw->base_vertex;
	struct gc_draw_unit *unit = p->unit;
	unsigned int i = 0;

	while (i < count && !unit->stop) {
		if (!CARD_PLAIN && !p->indices.restart)
			i += add_run(unit, &index[i], count - i, base, instance);
		if (i == count)
			break;
		if (p->indices.restart && index[i] == p->indices.restart_index)
			append(p, GC_SEQUENCE_END);
		else
			add_index(p, index[i] + base, instance);
		i++;
	}
	return i;
}

static void draw_indexed(struct pass *p, uint64_t vertices, uint32_t instance)
{
	struct gc_draw_unit *unit = p->unit;
	uint32_t index[GC_INDEX_RUN];
	uint64_t n = 0;

	while (n < vertices && !unit->stop) {
		unsigned int count = gc_index_stream_read(p->gc, &p->indices, p->draw->first + n,
							  vertices - n, index);

		if (!count)
			unit->stop = true;
		n += add_indices(p, index, count, instance);
	}
	p->gc->counters.fe_indices += n;
	p->gc->counters.fe_read_bytes += n * p->indices.bytes;
	p->gc->work.index_bytes += n * p->indices.bytes;
}

/*
 * Append vertices @first and following, at most @most and as many as the batch has room for.
 * Returns: number of vertices appended.
 */
static unsigned int append_lanes(struct gc_draw_unit *unit, uint32_t first, uint64_t most,
				 uint32_t instance)
{
	unsigned int lane = unit->run.count, count = GC_LANES - lane;

	if (count > GC_SEQUENCE - unit->length)
		count = GC_SEQUENCE - unit->length;
	if (count > most)
		count = (unsigned int)most;
	for (unsigned int i = 0; i < count; i++) {
		unit->run.index[lane + i] = first + i;
		unit->run.instance[lane + i] = instance;
		unit->sequence[unit->length + i] = (uint8_t)(lane + i);
	}
	unit->run.count += count;
	unit->shaded += count;
	unit->length += count;
	return count;
}

static void draw_arrays(struct pass *p, uint64_t vertices, uint32_t instance)
{
	struct gc_draw_unit *unit = p->unit;

	for (uint64_t n = 0; n < vertices && !unit->stop;) {
		if (unit->run.count == GC_LANES)
			flush_batch(p);
		n += append_lanes(unit, p->draw->first + (uint32_t)n, vertices - n, instance);
		if (unit->length == GC_SEQUENCE)
			flush_batch(p);
	}
}

static void run_instances(struct pass *p)
{
	const struct gc_draw *draw = p->draw;
	struct gc_draw_unit *unit = p->unit;
	uint64_t vertices = draw->by_vertices ? draw->count
					      : gc_primitive_vertices(draw->primitive, draw->count);

	if (!vertices)
		return;
	for (uint32_t i = 0; i < draw->instances && !unit->stop; i++) {
		if (draw->indexed)
			draw_indexed(p, vertices, i);
		else
			draw_arrays(p, vertices, i);
		if (unit->stop)
			break;
		append(p, GC_SEQUENCE_END);
		/* instances do not share vertices */
		invalidate_indices(&unit->cache);
		gc_vertex_cache_reset(&unit->vertex_cache);
	}
	if (!unit->stop)
		flush_batch(p);
}

/*
 * Components of temporary @reg whose interpolated value is used. The first colour is always
 * among them, since the alpha test reads it even without a target.
 */
static unsigned int reads(const struct gc_draw_unit *unit, unsigned int reg)
{
	unsigned int components = gc_shader_reads(unit->ps, reg);

	for (unsigned int t = 0; t == 0 || (t < unit->targets && t < GC_MAX_TARGETS); t++)
		if (unit->state.color_reg[t] == reg)
			components = 0xf;
	return components;
}

/* Find the varyings and registers that the pixel shader reads; the others are not computed. */
static void find_reads(struct gc_draw_unit *unit)
{
	struct gc_varyings *v = &unit->state.varyings;

	unit->face = gc_shader_reads_face(unit->ps);
	v->unread_t0 = 0;
	v->unread = 0;
	if (CARD_PLAIN)
		return;
	/* whether the shader wrote depth is found by comparing t0.z before and after it */
	v->unread_t0 = ~(reads(unit, 0) | (unit->depth && !unit->early ? 4 : 0)) & 0xf;
	for (unsigned int i = 0; i < v->components; i++)
		if (!(reads(unit, v->reg[i]) >> v->lane_component[i] & 1))
			v->unread |= 1ull << i;
}

static void find_outputs(struct gc_draw_unit *unit)
{
	const struct gc_batch *batch = &unit->pixel_batch;

	for (unsigned int t = 0; t < GC_MAX_TARGETS; t++)
		gc_shader_output_color(unit->ps, batch, unit->state.color_reg[t], &unit->output[t]);
	unit->depth_output = gc_shader_output(unit->ps, batch, 0, 2);
}

/* What the modelled pipeline has to know of a draw beside its pieces. */
static void set_programs(struct gc_core *gc, const struct gc_draw_unit *unit)
{
	struct gpu_program vs = { .temporaries = unit->state.vs_temps };
	struct gpu_program ps = { .temporaries = unit->state.ps_temps };
	uint64_t color = gc_state_u32(&gc->state, VIVS_PE_PIPE_COLOR_ADDR(0));
	uint32_t depth = gc_state_u32(&gc->state, VIVS_PE_PIPE_DEPTH_ADDR(0));

	gc_shader_price(gc, unit->vs, &vs);
	gc_shader_price(gc, unit->ps, &ps);
	gpu_pipeline_set_programs(&gc->pipeline, &vs, &ps);
	gpu_pipeline_set_target(&gc->pipeline, color << 32 | depth);
}

/* Decode states and programs. Returns: false when there is nothing to draw. */
static bool begin(struct gc_core *gc, struct gc_draw_unit *unit)
{
	unsigned int temps;

	unit->no_pixels = !gc_pe_begin_draw(gc);
	gc_texture_begin_draw(gc);
	unit->vs = gc_shader_get(gc, GC_STAGE_VS);
	unit->ps = gc_shader_get(gc, GC_STAGE_PS);
	if (!unit->vs || !unit->ps) {
		gc_trace(gc, "draw", "dropped: no program");
		return false;
	}
	if (!gc_draw_varyings_fit(gc))
		return false;
	/*
	 * No state says that a shader writes depth. For such a shader drivers have to disable early
	 * depth (PE_DEPTH_CONFIG.EARLY_Z), as etnaviv does; the model relies on it.
	 */
	gc_pe_shader(gc, gc_shader_uses_kill(unit->ps), false);
	unit->samples = gc_pe_samples(gc);
	unit->targets = gc_pe_targets(gc);
	unit->early = gc_pe_early(gc);
	unit->depth = gc_pe_needs_depth(gc);
	unit->late = !unit->early && gc_pe_is_late(gc);
	gc_draw_state_decode(gc, unit);
	find_reads(unit);
	find_outputs(unit);
	temps = unit->state.vs_temps < GC_TEMPS ? unit->state.vs_temps : GC_TEMPS;
	memset(unit->vertex_batch.temp, 0, temps * sizeof(unit->vertex_batch.temp[0]));
	gc_draw_pixels_begin(gc, unit);
	unit->straight = unit->whole_blocks && !unit->late && !unit->face &&
			 !gc_shader_uses_kill(unit->ps) && gc_pe_can_write_blocks(gc);
	unit->whole_tiles = unit->straight && !unit->depth && !unit->by_blocks &&
			    gc_pe_can_write_tiles(gc, &unit->paint);
	if (unit->whole_tiles) {
		if (!CARD_PLAIN)
			gc_draw_find_passthrough(unit);
		unit->raster.tile = gc_draw_pixels_tile;
	}
	set_programs(gc, unit);
	unit->piece_batches = 0;
	unit->piece_tiles = 0;
	unit->stop = false;
	reset_batch(unit);
	gc_vertex_cache_reset(&unit->vertex_cache);
	return true;
}

void gc_draw_execute(struct gc_core *gc, const struct gc_draw *draw)
{
	struct gc_draw_unit *unit = gc->draw;
	struct pass pass = { .gc = gc, .unit = unit, .draw = draw };

	if (gc->abort || !begin(gc, unit))
		return;
	if (draw->indexed)
		gc_index_stream_decode(&gc->state, &pass.indices);
	gc_assembler_begin(&unit->assembler, draw->primitive, unit->state.provoking_last);
	run_instances(&pass);
	gc_draw_pixels_finish(gc, unit);
	if (gc_draw_is_deferred(unit))
		gc_deferred_end(unit->deferred);
	gc_draw_cut(gc, unit);
	if (gc_tracing(gc))
		gc_trace(gc, "draw", "type %u count %u instances %u%s: %llu pixels",
			 draw->primitive, draw->count, draw->instances,
			 draw->indexed ? " indexed" : "", (unsigned long long)gc->work.pixels);
}
