// SPDX-License-Identifier: MIT
/*
 * Deferred shading: pixels are shaded by several threads of the host.
 *
 * The drawing thread does all steps whose order affects the result: vertices, primitives,
 * coverage, early depth test, tile status, addresses of pixels, cache models of the pixel engine.
 * What remains of a full group is arithmetic without side effects: interpolate, shade, sample
 * textures, write colours. This file records such groups in the queue (deferred_queue.h), whose
 * threads shade them.
 *
 * The result is identical to that of one thread, bit by bit, because
 *
 * - chunks that write the same pixels run one after the other (draw_hazards.c);
 * - a page that chunks write has no other use in the draw, and a page that chunks read is not
 *   written; a conflict is detected at the first access to the page: the drawing thread then
 *   waits for all chunks before it accesses the page, and shades the rest of the draw alone;
 * - texture lookups record the cache lines they request; the cache model is updated from the
 *   record when the chunk retires, and chunks retire in order;
 * - if a conflict is detected while the addresses of a group are determined (which may write
 *   clear values to cleared tiles), the group is shaded before that write, as by one thread;
 * - all other counters are sums, which do not depend on the order;
 * - shaders whose invocations could affect each other are excluded (gc_shader_stands_alone()),
 *   and so are textures whose lookups could fault;
 * - the last full group is run by the drawing thread: the lanes that a partial group does not
 *   cover keep the register values of the group before it;
 * - gc_yield(), which lets the guest read memory and registers, drains the queue first.
 */
#include "gc/draw_deferred.h"

#include <string.h>

#include "gc/deferred_queue.h"

/*
 * Minimum length, in instructions, of a shader without texture lookups, for large and for small
 * triangles.
 */
#define FEW_STEPS 2
#define FEW_STEPS_SMALL 12

void gc_deferred_end(struct gc_deferred *queue)
{
	if (!queue || !queue->unit->deferrable)
		return;
	queue->unit->deferrable = false;
	gc_mmu_watch(&queue->gc->mmu, NULL, NULL);
	gc_deferred_drain(queue);
}

/*
 * Shade the group whose addresses are being determined, on this thread. The caller is about to
 * access memory that the group may sample, or to write tiles before the group is stored. The queue
 * is drained, so the texture lines of the chunk being filled are free for this group.
 */
static void shade_in_order(struct gc_deferred *queue)
{
	const struct gc_draw_unit *unit = queue->unit;
	struct gc_deferred_placing *p = &queue->placing;
	struct gc_texture_lines *lines = &gc_deferred_filling(queue)->lines;
	struct gc_deferred_worker *w = &queue->worker[0];

	gc_texture_record(w->gc, lines);
	if (p->group)
		gc_interpolate_quads(unit->setup, p->group->setup, &unit->state.varyings,
				     p->group->quads.quad, GC_QUADS, w->batch);
	else
		gc_interpolate_block(&unit->setup[p->setup], &unit->state.varyings, p->x, p->y,
				     w->batch);
	memset(&w->gc->work, 0, sizeof(w->gc->work));
	gc_deferred_run_shader(w, unit->ps);
	gpu_work_add(&queue->gc->work, &w->gc->work);
	gc_texture_replay(queue->gc, lines, 0, lines->count, &queue->gc->work);
	lines->count = 0;
	gc_deferred_add_counters(queue);
	p->shaded = true;
}

/*
 * The drawing thread is about to access a page that has another use in the draw: complete all
 * groups so far, so that the access finds memory as one thread would leave it. May be called
 * within an access to memory, so the draw keeps the queue until gc_deferred_leave(), which the
 * functions that shade a group call before and after it: at most this group is queued until then.
 */
static void resolve_conflict(struct gc_deferred *queue)
{
	if (!queue->conflict)
		queue->unit->deferral_abandoned++;
	queue->conflict = true;
	gc_deferred_drain(queue);
	if (queue->placing.on && !queue->placing.shaded)
		shade_in_order(queue);
}

bool gc_deferred_leave(struct gc_deferred *queue)
{
	if (queue->conflict)
		gc_deferred_end(queue);
	return queue->conflict;
}

void gc_deferred_abandon(struct gc_deferred *queue)
{
	if (!queue->unit->deferrable)
		return;
	if (!queue->conflict)
		queue->unit->deferral_abandoned++;
	gc_deferred_end(queue);
}

/* ---- groups ---- */

/*
 * Record that groups write colours to the page of @address. Returns: false for a conflict, see
 * gc_hazards_page().
 */
static inline bool add_hazard_page(struct gc_deferred *queue, uint32_t address, const uint8_t *host)
{
	uint32_t page = address / GC_PAGE_SIZE;

	if (page == queue->last_page)
		return true;
	queue->last_page = page;
	return gc_hazards_page(&queue->hazards, page, host - address % GC_PAGE_SIZE, GC_USE_COLOR);
}

static bool add_hazard_pages(struct gc_deferred *queue, const struct gc_pe_location *place)
{
	bool ok = true;

	if (place->run)
		return add_hazard_page(queue, place->run_address, place->run);
	for (unsigned int q = 0; q < GC_QUADS; q++)
		if (place->covered >> 4 * q & 15)
			ok &= add_hazard_page(queue, place->address[q], place->row[q]);
	return ok;
}

static void add_hazard_pixels(struct gc_deferred *queue, const struct gc_pe_location *place,
			      struct gc_deferred_chunk *c)
{
	uint64_t number = gc_deferred_filling_number(queue);
	uint64_t after;

	if (place->run)
		after = gc_hazards_pixels(&queue->hazards, place->run_address, UINT64_MAX, number,
					  queue->retired);
	else
		after = gc_hazards_quads(&queue->hazards, place->address, place->covered, number,
					 queue->retired);
	c->after = after > c->after ? after : c->after;
}

/*
 * Add an item for a group whose addresses are known to the chunk being filled, and record the
 * pages and pixels that the group will write. If one of the pages has another use, the queue is
 * drained first; gc_deferred_leave() then drains this item.
 */
static struct gc_deferred_item *add_item(struct gc_deferred *queue,
					 const struct gc_pe_location *place)
{
	struct gc_deferred_chunk *c;

	if (!add_hazard_pages(queue, place))
		resolve_conflict(queue);
	c = gc_deferred_open_chunk(queue);
	add_hazard_pixels(queue, place, c);
	c->weight++;
	c->item[c->items].piece = gc_pieces_defer(queue->gc);
	return &c->item[c->items++];
}

static void set_group(struct gc_deferred *queue, struct gc_deferred_item *item,
		      const struct gc_quad *quad, const struct gc_pe_location *place)
{
	struct gc_deferred_chunk *c = gc_deferred_filling(queue);
	struct gc_deferred_group *g = &c->group[c->groups];

	item->kind = GC_ITEM_QUADS;
	item->number = (uint16_t)c->groups++;
	memcpy(g->quad, quad, sizeof(g->quad));
	memcpy(g->row, place->row, sizeof(g->row));
	g->covered = place->covered;
}

static void quads_of_block(int x, int y, struct gc_quad quad[GC_QUADS])
{
	for (unsigned int q = 0; q < GC_QUADS; q++)
		quad[q] = (struct gc_quad){ .x = (int16_t)(x + 2 * (int)(q % 4)),
					    .y = (int16_t)(y + 2 * (int)(q / 4)),
					    .coverage = 0xf };
}

/* Write a group that shade_in_order() has shaded. */
static void write_shaded(struct gc_deferred *queue, const struct gc_pe_location *place)
{
	const struct gc_deferred_placing *p = &queue->placing;
	const struct gc_color *color = &queue->worker[0].output;
	struct gc_quad quad[GC_QUADS];

	if (place->run) {
		gc_pe_paint_run(&queue->paint, place->run, color);
		return;
	}
	if (p->group)
		memcpy(quad, p->group->quads.quad, sizeof(quad));
	else
		quads_of_block(p->x, p->y, quad);
	gc_pe_paint_quads(&queue->paint, quad, place->row, place->covered, color);
}

static void set_block(struct gc_deferred *queue, struct gc_deferred_item *item, unsigned int setup,
		      int x, int y, const struct gc_pe_location *place)
{
	struct gc_quad quad[GC_QUADS];
	struct gc_deferred_group *g;

	quads_of_block(x, y, quad);
	set_group(queue, item, quad, place);
	g = &gc_deferred_filling(queue)->group[item->number];
	for (unsigned int q = 0; q < GC_QUADS; q++)
		g->setup[q] = (uint16_t)setup;
	queue->unit->references[setup] += GC_QUADS;
}

bool gc_deferred_block(struct gc_deferred *queue, unsigned int setup, int x, int y)
{
	struct gc_pe_location place;
	struct gc_deferred_item *item;
	bool ok;

	queue->placing = (struct gc_deferred_placing){ .on = true, .setup = setup, .x = x, .y = y };
	ok = gc_pe_locate_block(queue->gc, x, y, &place);
	queue->placing.on = false;
	if (queue->placing.shaded) {
		write_shaded(queue, &place);
		gc_deferred_leave(queue);
		return ok;
	}
	item = add_item(queue, &place);
	if (place.run) {
		item->kind = GC_ITEM_RUN;
		item->x = (int16_t)x;
		item->y = (int16_t)y;
		item->setup = (uint16_t)setup;
		item->run = place.run;
		queue->unit->references[setup]++;
	} else {
		set_block(queue, item, setup, x, y, &place);
	}
	gc_deferred_leave(queue);
	return ok;
}

bool gc_deferred_quads(struct gc_deferred *queue, const struct gc_quad_group *group)
{
	struct gc_pe_location place;
	struct gc_deferred_item *item;
	bool ok;

	queue->placing = (struct gc_deferred_placing){ .on = true, .group = group };
	ok = gc_pe_locate_quads(queue->gc, &group->quads, &place);
	queue->placing.on = false;
	if (queue->placing.shaded) {
		write_shaded(queue, &place);
		for (unsigned int q = 0; q < GC_QUADS; q++)
			gc_draw_put_setup(queue->unit, group->setup[q], 1);
		gc_deferred_leave(queue);
		return ok;
	}
	item = add_item(queue, &place);
	set_group(queue, item, group->quads.quad, &place);
	memcpy(gc_deferred_filling(queue)->group[item->number].setup, group->setup,
	       GC_QUADS * sizeof(group->setup[0]));
	gc_deferred_leave(queue);
	return ok;
}

/* As add_hazard_page() for the pages of a tile. */
static bool add_part_hazards(struct gc_deferred *queue, const struct gc_pe_tile *tile)
{
	bool ok = true;

	for (unsigned int i = 0; i < GC_PE_TILE_PAGES; i++)
		if (tile->page[i])
			ok &= add_hazard_page(queue,
					      (tile->address / GC_PAGE_SIZE + i) * GC_PAGE_SIZE,
					      tile->page[i]);
	return ok;
}

/* The part's blocks as granules of memory (see draw_hazards.h), one bit each. */
static uint64_t part_granules(const struct gc_tile_part *part)
{
	uint64_t granules = 0;

	for (uint64_t left = part->blocks; left; left &= left - 1)
		granules |= UINT64_C(1) << part->place.order[__builtin_ctzll(left)];
	return granules;
}

void gc_deferred_part(struct gc_deferred *queue, const struct gc_tile_part *part)
{
	uint64_t after;
	struct gc_deferred_chunk *c;

	if (!add_part_hazards(queue, &part->place))
		resolve_conflict(queue);
	c = gc_deferred_open_chunk(queue);
	after = gc_hazards_area(&queue->hazards, part->place.address, part_granules(part),
				gc_deferred_filling_number(queue), queue->retired);
	c->after = after > c->after ? after : c->after;
	c->item[c->items++] = (struct gc_deferred_item){ .kind = GC_ITEM_PART,
							 .number = (uint16_t)c->parts,
							 .setup = part->setup,
							 .piece = gc_pieces_defer(queue->gc) };
	c->part[c->parts++] = *part;
	c->weight += part->groups;
	queue->unit->references[part->setup]++;
	gc_deferred_leave(queue);
}

/* ---- which draws use the queue ---- */

/*
 * Callback of the MMU: the drawing thread is about to access a page for the first time in this
 * draw; unit->deferrable is not set yet while gc_deferred_begin() walks tables for the textures.
 * GC_CLIENT_PE accesses the colour buffer and its tile status. Of these the drawing thread
 * reads only tile status, since colours are read by chunks, to blend. It writes tile status, which
 * it reads before, and colours, as the clear value of tiles that chunks then write.
 */
static void on_first_access(void *ctx, enum gc_memory_client client, enum gc_access access,
			    uint32_t address, const uint8_t *host)
{
	struct gc_deferred *queue = ctx;
	enum gc_page_use use = access == GC_WRITE ? GC_USE_WRITE : GC_USE_READ;
	uint32_t page = address / GC_PAGE_SIZE;

	if (client == GC_CLIENT_PE && access == GC_READ)
		use = GC_USE_TILE_STATUS;
	if (client == GC_CLIENTS && !queue->unit->deferrable)
		use = GC_USE_TEXTURE; /* page tables, which workers walk for textures */
	if (client == GC_CLIENT_PE && access == GC_WRITE) {
		if (gc_hazards_find_page(&queue->hazards, page, host) & GC_USE_TILE_STATUS)
			return;
		use = GC_USE_COLOR;
	}
	if (!gc_hazards_page(&queue->hazards, page, host, use) && queue->unit->deferrable)
		resolve_conflict(queue);
}

/*
 * Enter the translation of a page of a texture into all workers' TLBs, and record its use, so
 * that a write to the page in this draw is detected.
 */
static bool provide_page(void *ctx, uint32_t address)
{
	struct gc_deferred *queue = ctx;
	uint8_t *host = gc_mmu_peek(&queue->gc->mmu, GC_CLIENT_TX, GC_READ, address);

	if (!host ||
	    !gc_hazards_page(&queue->hazards, address / GC_PAGE_SIZE, host, GC_USE_TEXTURE))
		return false;
	for (unsigned int i = 0; i < queue->workers; i++)
		queue->walks |= !gc_mmu_enter(&queue->worker[i].gc->mmu, GC_CLIENT_TX, GC_READ,
					      address, host);
	return true;
}

/* The textures have more pages than a worker's TLB holds: the workers walk the page tables. */
static bool provide_walks(void *ctx, uint32_t address)
{
	struct gc_deferred *queue = ctx;

	gc_mmu_report_walks(&queue->gc->mmu, GC_CLIENT_TX, address);
	return true;
}

/* Copy the MMU's state to the workers whose copies are older than its last flush. */
static void provide_tables(struct gc_deferred *queue)
{
	for (unsigned int i = 0; i < queue->workers; i++) {
		struct gc_deferred_worker *w = &queue->worker[i];

		if (w->flushes == queue->gc->mmu.flushes)
			continue;
		gc_mmu_mirror(&w->gc->mmu, &queue->gc->mmu);
		w->flushes = queue->gc->mmu.flushes;
	}
	queue->walks = false;
}

/* Call @each for all pages of the textures of @samplers, one bit each. */
static bool for_pages(struct gc_deferred *queue, uint32_t samplers,
		      bool (*each)(void *ctx, uint32_t address))
{
	bool ok = true;

	for (; samplers && ok; samplers &= samplers - 1)
		ok = gc_texture_pages(queue->gc, (unsigned int)__builtin_ctz(samplers), each,
				      queue);
	return ok;
}

static bool provide_textures(struct gc_deferred *queue)
{
	uint32_t samplers = gc_shader_samplers(queue->unit->ps);

	if (samplers)
		provide_tables(queue);
	if (!for_pages(queue, samplers, provide_page))
		return false;
	if (queue->walks)
		for_pages(queue, samplers, provide_walks);
	for (; samplers; samplers &= samplers - 1)
		for (unsigned int i = 0; i < queue->workers; i++)
			gc_texture_mirror(queue->worker[i].gc, queue->gc,
					  (unsigned int)__builtin_ctz(samplers));
	return true;
}

/* Whether the shader's result for a pixel depends only on its position and its primitive. */
static bool shader_stands_alone(const struct gc_core *gc, const struct gc_draw_unit *unit)
{
	const struct gc_varyings *v = &unit->state.varyings;
	uint32_t flat = 0;
	uint8_t provided[GC_TEMPS] = { (uint8_t)(~v->unread_t0 & 0xf) };

	for (unsigned int i = 0; i < v->components; i++)
		if (!(v->unread >> i & 1))
			provided[v->reg[i]] |= (uint8_t)(1u << v->lane_component[i]);
	for (uint32_t left = gc_shader_samplers(unit->ps); left; left &= left - 1) {
		unsigned int sampler = (unsigned int)__builtin_ctz(left);

		flat |= (uint32_t)gc_texture_is_flat(gc, sampler) << sampler;
	}
	return gc_shader_stands_alone(unit->ps, provided, unit->state.color_reg[0], flat);
}

/* Whether the operation's primitives so far have less than a group of quads each, on average. */
static bool is_of_small_triangles(const struct gc_deferred *queue)
{
	const struct gpu_work *work = &queue->gc->work;

	return work->quads < GC_QUADS * work->primitives_drawn;
}

/*
 * Whether shading a group takes longer than queueing it. A shader of one move does not. Neither do short
 * shaders with small triangles, for whose groups the drawing thread determines more addresses.
 */
static bool pays_off(const struct gc_deferred *queue)
{
	const struct gc_shader *program = queue->unit->ps;
	unsigned int few = is_of_small_triangles(queue) ? FEW_STEPS_SMALL : FEW_STEPS;

	return queue->paint.blender || gc_shader_steps(program) >= few ||
	       gc_shader_samplers(program);
}

/*
 * Groups in a full chunk: fewer if a group takes long, so that the wait for the last chunk is
 * short. A group's cost is estimated: 16, and more for each register and sampler of its program; a
 * chunk has 1600 of that. At most GC_CHUNK_ITEMS: each item has a group at least, so there is room
 * for all items of a chunk.
 */
static unsigned int items_in_chunk(const struct gc_draw_unit *unit)
{
	unsigned int cost = 16 + unit->state.ps_temps +
			    16 * (unsigned int)__builtin_popcount(gc_shader_samplers(unit->ps));
	unsigned int items = 1600 / cost;

	return items < GC_CHUNK_ITEMS ? items : GC_CHUNK_ITEMS;
}

void gc_deferred_begin(struct gc_deferred *queue)
{
	struct gc_draw_unit *unit = queue->unit;
	struct gc_core *gc = queue->gc;

	/*
	 * with cache_data pixels are written to lines of a cache, in order; unit->straight includes
	 * one sample per pixel; the vertex shader must not access memory that chunks write
	 */
	if (queue->gc->options.cache_data || !unit->straight || unit->targets != 1 ||
	    !gc_pe_can_defer(gc, &queue->paint) || !pays_off(queue) ||
	    !gc_shader_is_inward(unit->vs) || !shader_stands_alone(gc, unit))
		return;
	gc_hazards_begin(&queue->hazards);
	gc_mmu_watch(&gc->mmu, on_first_access, queue);
	if (!provide_textures(queue)) {
		gc_mmu_watch(&gc->mmu, NULL, NULL);
		return;
	}
	queue->conflict = false;
	queue->last_page = UINT32_MAX;
	queue->limit = items_in_chunk(unit);
	for (unsigned int i = 0; i < queue->workers; i++)
		gc_shader_output_color(unit->ps, queue->worker[i].batch, unit->state.color_reg[0],
				       &queue->worker[i].output);
	unit->deferrable = true;
	unit->deferral_active++;
}
