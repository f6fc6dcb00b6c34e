// SPDX-License-Identifier: MIT
/*
 * Shading of pixels by several threads of the host.
 *
 * The thread that draws, here "this thread", does all steps whose order affects
 * the result: vertices, primitives, coverage, early depth, tile status, addresses
 * of pixels, cache models of the pixel engine. What remains of a full group is
 * arithmetic without side effects: interpolate, shade, sample textures, write
 * colours. Groups are collected in chunks. Any idle thread, this one included,
 * may run a chunk; so this thread waits for another thread only if that thread
 * has already started a chunk.
 *
 * The result is identical to that of one thread, bit by bit, because
 *
 * - chunks that write the same pixels run one after the other (draw_hazards.c);
 * - a page that chunks write has no other use in the draw, and a page that
 *   chunks read is not written; a conflict is found at the first access to the
 *   page: this thread then waits for all chunks and finishes the draw alone;
 * - texture lookups record the cache lines they request; the cache model is
 *   updated from the record when the chunk retires, and chunks retire in order;
 * - if a conflict is found while the addresses of a group are determined (which
 *   may write clear values to cleared tiles), the group is shaded first, as it
 *   would be by one thread;
 * - all other counters are sums, which do not depend on the order;
 * - programs whose invocations could affect each other are excluded
 *   (gc_shader_stands_alone()), and so are textures that could fault;
 * - the last full group is run by this thread: what is not covered of a group
 *   that is not full keeps what that one left in the registers;
 * - who looks from outside, as gc_yield() lets them, waits for all chunks.
 */
#include "gc/draw_deferred.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gc/draw_hazards.h"
#include "gc/texture.h"

#define CHUNKS 16       /* unretired chunks at most */
#define CHUNK_ITEMS 64  /* groups in a chunk */
#define CHUNK_GROUPS 16 /* of quads among them */
#define CHUNK_PARTS 4   /* of tiles, which are many groups each */
#define OWN_SHARE 3 /* queued chunks for each thread from which on this thread runs one itself */

/* Of a program that looks nothing up; where triangles are small, and where they are not. */
#define FEW_STEPS 2
#define FEW_STEPS_SMALL 12

/* An idle thread looks for chunks this often before it sleeps: some 50 us. */
#define SPINS 48
#define POLLS_PER_SPIN 16

/* A full group: a run of four tiles that is covered all over, or quads; or many such runs. */
struct item {
	enum { ITEM_RUN, ITEM_QUADS, ITEM_PART } kind;
	uint16_t number; /* of the quads' group, or of the part */
	int16_t x, y;    /* of a run */
	uint16_t setup;
	uint8_t *run;
	uint64_t piece; /* of the operation, see gc/pieces.h */
	/* what shading it took */
	uint64_t instructions, texels, filters;
	size_t lines; /* of the chunk's lookups, those of the items before included */
};

struct group {
	struct gc_quad quad[GC_QUADS] __attribute__((aligned(64)));
	uint16_t setup[GC_QUADS] __attribute__((aligned(32)));
	uint8_t *row[GC_QUADS];
	uint64_t covered;
};

struct chunk {
	unsigned int items, groups, parts;
	unsigned int weight; /* all in groups */
	uint64_t after;      /* number of the chunk that must be done before */
	struct item item[CHUNK_ITEMS];
	struct group group[CHUNK_GROUPS];
	struct gc_tile_part part[CHUNK_PARTS];
	struct gc_texture_lines lines;
};

/* What a thread works with: a core of its own that only shades. */
struct worker {
	struct gc_deferred *deferred;
	struct gc_core *gc;
	struct gc_batch *batch;
	struct gc_color output;
	uint32_t flushes; /* of the MMU when it was mirrored */
	pthread_t thread;
};

/* A group whose place is being looked for. */
struct placing {
	bool on;
	bool shaded; /* already, by this thread */
	unsigned int setup;
	int x, y;
	const struct gc_quad_group *group; /* NULL: a block, and the above counts */
};

struct gc_deferred {
	struct gc_core *gc;
	struct gc_draw_unit *unit;
	struct gc_pe_paint paint;
	unsigned int limit; /* weight of a chunk of this draw */
	bool walks;         /* other threads may walk the MMU's tables in this draw */

	/* Chunks have numbers from 1 on; number n is in chunk[n % CHUNKS]. */
	struct chunk chunk[CHUNKS];
	uint64_t retired; /* up to this number; the one after @published is being filled */
	_Atomic uint64_t published __attribute__((aligned(64)));
	_Atomic uint64_t taken __attribute__((aligned(64)));
	_Atomic uint64_t after[CHUNKS]; /* a copy, for those who may come too late */
	_Atomic uint64_t done[CHUNKS] __attribute__((aligned(64)));

	struct gc_hazards hazards;
	uint32_t last_page; /* of colours */
	struct placing placing;

	pthread_mutex_t lock;
	pthread_cond_t wake;
	_Atomic unsigned int sleepers;
	bool quit;
	unsigned int workers; /* the first is this thread's */
	struct worker worker[GC_MAX_THREADS];
};

/* ---- a chunk's groups ---- */

static void interpolate(const struct gc_draw_unit *unit, const struct gc_quad quad[GC_QUADS],
			const uint16_t setup[GC_QUADS], struct gc_batch *batch)
{
	const struct gc_varyings *varyings = &unit->state.varyings;
	unsigned int differ = 0;

	for (unsigned int q = 1; q < GC_QUADS; q++)
		differ |= (unsigned int)(setup[q] ^ setup[0]);
	if (differ)
		gc_interpolate_quads(unit->setup, setup, varyings, quad, GC_QUADS, batch);
	else
		gc_interpolate_group(&unit->setup[setup[0]], varyings, quad, batch);
}

static void count(struct worker *w, const struct gc_shader_cost *cost)
{
	struct gc_counters *n = &w->gc->counters;
	struct gpu_work *work = &w->gc->work;

	n->ps_instructions += cost->instructions;
	n->ps_branches += cost->branches;
	n->ps_texlds += cost->texlds;
	work->ps_instructions += cost->instructions;
	work->ps_texels += cost->texlds;
}

static void run_shader(struct worker *w, const struct gc_shader *shader)
{
	struct gc_shader_cost cost = { 0 };

	w->batch->live = UINT64_MAX;
	w->batch->killed = 0;
	gc_shader_run_short(w->gc, shader, w->batch, &cost);
	count(w, &cost);
}

static void run_item(struct worker *w, const struct chunk *c, const struct item *item)
{
	const struct gc_deferred *queue = w->deferred;
	const struct gc_draw_unit *unit = queue->unit;
	const struct group *g = &c->group[item->number];
	struct gc_shader_cost cost = { 0 };

	switch (item->kind) {
	case ITEM_RUN:
		gc_interpolate_block(&unit->setup[item->setup], &unit->state.varyings, item->x,
				     item->y, w->batch);
		run_shader(w, unit->ps);
		gc_pe_paint_run(&queue->paint, item->run, &w->output);
		break;
	case ITEM_QUADS:
		interpolate(unit, g->quad, g->setup, w->batch);
		run_shader(w, unit->ps);
		gc_pe_paint_quads(&queue->paint, g->quad, g->row, g->covered, &w->output);
		break;
	case ITEM_PART:
		gc_draw_paint_part(w->gc, unit, w->batch, &w->output, &c->part[item->number],
				   &cost);
		count(w, &cost);
		break;
	}
}

static void run_chunk(struct worker *w, struct chunk *c)
{
	struct gpu_work *work = &w->gc->work;

	gc_texture_record(w->gc, &c->lines);
	for (unsigned int i = 0; i < c->items; i++) {
		struct item *item = &c->item[i];

		work->ps_instructions = work->ps_texels = work->filters = 0;
		run_item(w, c, item);
		item->instructions = work->ps_instructions;
		item->texels = work->ps_texels;
		item->filters = work->filters;
		item->lines = c->lines.count;
	}
}

/* ---- the queue ---- */

static bool is_done(const struct gc_deferred *queue, uint64_t number)
{
	/* the place may be a later chunk's already */
	return atomic_load_explicit(&queue->done[number % CHUNKS], memory_order_acquire) >= number;
}

/* Whether all chunks up to number @after are done, as seen from number @before. */
static bool all_done(const struct gc_deferred *queue, uint64_t after, uint64_t before)
{
	uint64_t number = before > CHUNKS ? before - CHUNKS : 0;

	for (number++; number <= after && number < before; number++)
		if (!is_done(queue, number))
			return false;
	return true;
}

/* The next chunk that nobody has, if it may begin. Returns: its number, 0 if there is none. */
static uint64_t take_item(struct gc_deferred *queue)
{
	uint64_t taken = atomic_load_explicit(&queue->taken, memory_order_acquire);

	for (;;) {
		uint64_t number = taken + 1, after;

		if (taken == atomic_load_explicit(&queue->published, memory_order_acquire))
			return 0;
		after = atomic_load_explicit(&queue->after[number % CHUNKS], memory_order_relaxed);
		if (after && !all_done(queue, after, number))
			return 0;
		if (atomic_compare_exchange_weak_explicit(&queue->taken, &taken, number,
							  memory_order_acq_rel,
							  memory_order_acquire))
			return number;
	}
}

/* Run the next chunk, if there is one. */
static bool run_one(struct worker *w)
{
	struct gc_deferred *queue = w->deferred;
	uint64_t number = take_item(queue);

	if (!number)
		return false;
	run_chunk(w, &queue->chunk[number % CHUNKS]);
	atomic_store_explicit(&queue->done[number % CHUNKS], number, memory_order_release);
	return true;
}

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Look for something to do for a while; others who want the processor have it. */
static bool spin(struct worker *w)
{
	for (unsigned int i = 0; i < SPINS * POLLS_PER_SPIN; i++) {
		if (run_one(w))
			return true;
		relax();
		if (i % POLLS_PER_SPIN == POLLS_PER_SPIN - 1)
			sched_yield();
	}
	return false;
}

/* Sleep until there are chunks. Returns: false when it is time to end. */
static bool sleep_until_woken(struct worker *w)
{
	struct gc_deferred *queue = w->deferred;
	bool quit;

	pthread_mutex_lock(&queue->lock);
	atomic_fetch_add(&queue->sleepers, 1);
	while (!queue->quit && atomic_load(&queue->taken) == atomic_load(&queue->published))
		pthread_cond_wait(&queue->wake, &queue->lock);
	atomic_fetch_sub(&queue->sleepers, 1);
	quit = queue->quit;
	pthread_mutex_unlock(&queue->lock);
	return !quit;
}

static void *work(void *ctx)
{
	struct worker *w = ctx;

	do {
		while (spin(w))
			;
	} while (sleep_until_woken(w));
	return NULL;
}

static void wake_sleepers(struct gc_deferred *queue)
{
	if (!atomic_load(&queue->sleepers))
		return;
	pthread_mutex_lock(&queue->lock);
	pthread_cond_signal(&queue->wake);
	pthread_mutex_unlock(&queue->lock);
}

/* ---- this thread ---- */

static struct chunk *filling(struct gc_deferred *queue)
{
	return &queue->chunk[(atomic_load_explicit(&queue->published, memory_order_relaxed) + 1) %
			     CHUNKS];
}

/* What items @from to @to - 1, of one piece, have taken. */
static void report_items(struct gc_deferred *queue, const struct chunk *c, unsigned int from,
			 unsigned int to)
{
	struct gpu_work work = { 0 };
	size_t lines = from ? c->item[from - 1].lines : 0;

	for (unsigned int i = from; i < to; i++) {
		work.ps_instructions += c->item[i].instructions;
		work.ps_texels += c->item[i].texels;
		work.filters += c->item[i].filters;
	}
	gc_texture_replay(queue->gc, &c->lines, lines, c->item[to - 1].lines, &work);
	gc_pieces_shaded(queue->gc, c->item[from].piece, to - from, &work);
}

static void report_chunk(struct gc_deferred *queue, struct chunk *c)
{
	for (unsigned int from = 0, to; from < c->items; from = to) {
		for (to = from + 1; to < c->items; to++)
			if (c->item[to].piece != c->item[from].piece)
				break;
		report_items(queue, c, from, to);
	}
	c->lines.count = 0;
}

static void retire(struct gc_deferred *queue, struct chunk *c)
{
	struct gc_draw_unit *unit = queue->unit;

	report_chunk(queue, c);
	for (unsigned int i = 0; i < c->items; i++) {
		const struct item *item = &c->item[i];
		const struct group *g = &c->group[item->number];

		if (item->kind != ITEM_QUADS) {
			gc_draw_put_setup(unit, item->setup, 1);
			continue;
		}
		for (unsigned int q = 0; q < GC_QUADS; q++)
			gc_draw_put_setup(unit, g->setup[q], 1);
	}
	c->items = 0;
	c->groups = 0;
	c->parts = 0;
	c->weight = 0;
	c->after = 0;
}

static void retire_done(struct gc_deferred *queue, uint64_t published)
{
	while (queue->retired < published && is_done(queue, queue->retired + 1)) {
		queue->retired++;
		retire(queue, &queue->chunk[queue->retired % CHUNKS]);
	}
}

/* Help until at most @left chunks are not retired. */
static void run_until_done(struct gc_deferred *queue, uint64_t left)
{
	uint64_t published = atomic_load_explicit(&queue->published, memory_order_relaxed);
	unsigned int looks = 0;

	for (;;) {
		retire_done(queue, published);
		if (published - queue->retired <= left)
			return;
		if (run_one(&queue->worker[0]))
			continue;
		relax();
		if (++looks % POLLS_PER_SPIN == 0)
			sched_yield();
	}
}

/* The chunk being filled is full: others may have it, and the next one begins. */
static void publish(struct gc_deferred *queue)
{
	uint64_t number = atomic_load_explicit(&queue->published, memory_order_relaxed) + 1;
	uint64_t waiting;

	atomic_store_explicit(&queue->after[number % CHUNKS], queue->chunk[number % CHUNKS].after,
			      memory_order_relaxed);
	atomic_store(&queue->published, number);
	waiting = number - atomic_load_explicit(&queue->taken, memory_order_relaxed);
	if (waiting > 1)
		wake_sleepers(queue);
	if (waiting > OWN_SHARE * (queue->workers - 1))
		run_one(&queue->worker[0]);
	run_until_done(queue, CHUNKS - 1); /* there must be room for the next one */
}

static struct chunk *open_chunk(struct gc_deferred *queue)
{
	struct chunk *c = filling(queue);

	/* Only when the next group is there, so that the last one is never given away. */
	if (c->weight < queue->limit && c->groups < CHUNK_GROUPS && c->parts < CHUNK_PARTS)
		return c;
	publish(queue);
	return filling(queue);
}

static void add_figures(uint64_t *to, uint64_t *from, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*to); i++) {
		to[i] += from[i];
		from[i] = 0;
	}
}

static void add_counters(struct gc_deferred *queue)
{
	struct gc_core *gc = queue->gc;

	for (unsigned int i = 0; i < queue->workers; i++) {
		struct gc_core *own = queue->worker[i].gc;

		add_figures((uint64_t *)&gc->counters, (uint64_t *)&own->counters,
			    sizeof(gc->counters));
	}
}

void gc_deferred_drain(struct gc_deferred *queue)
{
	struct chunk *c = filling(queue);

	run_until_done(queue, 0);
	run_chunk(&queue->worker[0], c);
	retire(queue, c);
	add_counters(queue);
}

void gc_deferred_end(struct gc_deferred *queue)
{
	if (!queue || !queue->unit->deferrable)
		return;
	queue->unit->deferrable = false;
	gc_mmu_watch(&queue->gc->mmu, NULL, NULL);
	gc_deferred_drain(queue);
}

/* The group being placed, before what its place may change. */
static void shade_in_order(struct gc_deferred *queue)
{
	const struct gc_draw_unit *unit = queue->unit;
	struct placing *p = &queue->placing;
	struct gc_texture_lines *lines = &filling(queue)->lines;
	struct worker *w = &queue->worker[0];

	gc_texture_record(w->gc, lines);
	if (p->group)
		interpolate(unit, p->group->quads.quad, p->group->setup, w->batch);
	else
		gc_interpolate_block(&unit->setup[p->setup], &unit->state.varyings, p->x, p->y,
				     w->batch);
	memset(&w->gc->work, 0, sizeof(w->gc->work));
	run_shader(w, unit->ps);
	gpu_work_add(&queue->gc->work, &w->gc->work);
	gc_texture_replay(queue->gc, lines, 0, lines->count, &queue->gc->work);
	lines->count = 0;
	add_counters(queue);
	p->shaded = true;
}

void gc_deferred_abandon(struct gc_deferred *queue)
{
	if (!queue->unit->deferrable)
		return;
	queue->unit->deferral_abandoned++;
	gc_deferred_end(queue);
	if (queue->placing.on)
		shade_in_order(queue);
}

/* ---- groups ---- */

/* The colours of a group lie in the page at @address; false: others use it too. */
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
			      struct chunk *c)
{
	uint64_t number = atomic_load_explicit(&queue->published, memory_order_relaxed) + 1;
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
 * A group whose place is known: the pages and pixels it will write are recorded.
 * If the draw may not go on like this, what came before is painted first, and then
 * this group.
 */
static struct item *add_item(struct gc_deferred *queue, const struct gc_pe_location *place)
{
	struct chunk *c;

	if (!add_hazard_pages(queue, place))
		gc_deferred_abandon(queue);
	c = open_chunk(queue);
	add_hazard_pixels(queue, place, c);
	c->weight++;
	c->item[c->items].piece = gc_pieces_defer(queue->gc);
	return &c->item[c->items++];
}

static void set_group(struct gc_deferred *queue, struct item *item, const struct gc_quad *quad,
		      const struct gc_pe_location *place)
{
	struct chunk *c = filling(queue);
	struct group *g = &c->group[c->groups];

	item->kind = ITEM_QUADS;
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

/* A group that is shaded already. */
static void paint_placed(struct gc_deferred *queue, const struct gc_pe_location *place)
{
	const struct placing *p = &queue->placing;
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

static void set_block(struct gc_deferred *queue, struct item *item, unsigned int setup, int x,
		      int y, const struct gc_pe_location *place)
{
	struct gc_quad quad[GC_QUADS];
	struct group *g;

	quads_of_block(x, y, quad);
	set_group(queue, item, quad, place);
	g = &filling(queue)->group[item->number];
	for (unsigned int q = 0; q < GC_QUADS; q++)
		g->setup[q] = (uint16_t)setup;
	queue->unit->references[setup] += GC_QUADS;
}

/* If the draw has left, nobody else may come to it. */
static void finish_item(struct gc_deferred *queue)
{
	if (!queue->unit->deferrable)
		gc_deferred_drain(queue);
}

bool gc_deferred_block(struct gc_deferred *queue, unsigned int setup, int x, int y)
{
	struct gc_pe_location place;
	struct item *item;
	bool ok;

	queue->placing = (struct placing){ .on = true, .setup = setup, .x = x, .y = y };
	ok = gc_pe_locate_block(queue->gc, x, y, &place);
	queue->placing.on = false;
	if (queue->placing.shaded) {
		paint_placed(queue, &place);
		return ok;
	}
	item = add_item(queue, &place);
	if (place.run) {
		item->kind = ITEM_RUN;
		item->x = (int16_t)x;
		item->y = (int16_t)y;
		item->setup = (uint16_t)setup;
		item->run = place.run;
		queue->unit->references[setup]++;
	} else {
		set_block(queue, item, setup, x, y, &place);
	}
	finish_item(queue);
	return ok;
}

bool gc_deferred_quads(struct gc_deferred *queue, const struct gc_quad_group *group)
{
	struct gc_pe_location place;
	struct item *item;
	bool ok;

	queue->placing = (struct placing){ .on = true, .group = group };
	ok = gc_pe_locate_quads(queue->gc, &group->quads, &place);
	queue->placing.on = false;
	if (queue->placing.shaded) {
		paint_placed(queue, &place);
		for (unsigned int q = 0; q < GC_QUADS; q++)
			gc_draw_put_setup(queue->unit, group->setup[q], 1);
		return ok;
	}
	item = add_item(queue, &place);
	set_group(queue, item, group->quads.quad, &place);
	memcpy(filling(queue)->group[item->number].setup, group->setup,
	       GC_QUADS * sizeof(group->setup[0]));
	finish_item(queue);
	return ok;
}

/* The pages of a part; false: others use one too. */
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

/* The part's blocks in memory, one bit each. */
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
	struct chunk *c;

	if (!add_part_hazards(queue, &part->place))
		gc_deferred_abandon(queue);
	c = open_chunk(queue);
	after = gc_hazards_area(&queue->hazards, part->place.address, part_granules(part),
				atomic_load_explicit(&queue->published, memory_order_relaxed) + 1,
				queue->retired);
	c->after = after > c->after ? after : c->after;
	c->item[c->items++] = (struct item){ .kind = ITEM_PART,
					     .number = (uint16_t)c->parts,
					     .setup = part->setup,
					     .piece = gc_pieces_defer(queue->gc) };
	c->part[c->parts++] = *part;
	c->weight += part->groups;
	queue->unit->references[part->setup]++;
	finish_item(queue);
}

/* ---- a draw ---- */

/*
 * This thread is about to access a page for the first time in this draw. Writing
 * of the pixel engine are colours, or tiles that become real before they are
 * painted, or tags, which are read before.
 */
static void on_table_change(void *ctx, enum gc_memory_client client, enum gc_access access,
			    uint32_t address, const uint8_t *host)
{
	struct gc_deferred *queue = ctx;
	enum gc_page_use use = access == GC_WRITE ? GC_USE_WRITE : GC_USE_READ;
	uint32_t page = address / GC_PAGE_SIZE;

	if (client == GC_CLIENT_PE && access == GC_READ)
		use = GC_USE_TILE_STATUS;
	if (client == GC_CLIENTS && !queue->unit->deferrable)
		use = GC_USE_TEXTURE; /* where textures are is found out as they are looked up */
	if (client == GC_CLIENT_PE && access == GC_WRITE) {
		if (gc_hazards_find_page(&queue->hazards, page, host) & GC_USE_TILE_STATUS)
			return;
		use = GC_USE_COLOR;
	}
	if (!gc_hazards_page(&queue->hazards, page, host, use))
		gc_deferred_abandon(queue);
}

/* A page of a texture: everybody gets its translation, and nobody may write there. */
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

/* The other threads' translations are too many to be kept: they walk the tables themselves. */
static bool provide_walks(void *ctx, uint32_t address)
{
	struct gc_deferred *queue = ctx;

	gc_mmu_report_walks(&queue->gc->mmu, GC_CLIENT_TX, address);
	return true;
}

static void provide_tables(struct gc_deferred *queue)
{
	for (unsigned int i = 0; i < queue->workers; i++) {
		struct worker *w = &queue->worker[i];

		if (w->flushes == queue->gc->mmu.flushes)
			continue;
		gc_mmu_mirror(&w->gc->mmu, &queue->gc->mmu);
		w->flushes = queue->gc->mmu.flushes;
	}
	queue->walks = false;
}

/* @each for all pages of the textures that @samplers look up. */
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

/* Whether a pixel's result depends on nothing but its place and its primitive. */
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

/* Whether most groups so far have quads of several primitives, each of which is to be placed. */
static bool is_of_small_triangles(const struct gc_deferred *queue)
{
	const struct gpu_work *work = &queue->gc->work;

	return work->quads < GC_QUADS * work->primitives_drawn;
}

/*
 * Whether there is something to do beside what has an order: programs of a move have not. Where
 * whole tiles are painted it is more, but over so soon that waiting for a thread costs more.
 */
static bool pays_off(const struct gc_deferred *queue)
{
	const struct gc_shader *program = queue->unit->ps;
	unsigned int few = is_of_small_triangles(queue) ? FEW_STEPS_SMALL : FEW_STEPS;

	return queue->paint.blender || gc_shader_steps(program) >= few ||
	       gc_shader_samplers(program);
}

/* Dear groups make smaller chunks, so that nobody waits long for the last one. */
static unsigned int items_in_chunk(const struct gc_draw_unit *unit)
{
	unsigned int cost = 16 + unit->state.ps_temps +
			    16 * (unsigned int)__builtin_popcount(gc_shader_samplers(unit->ps));
	unsigned int items = 1600 / cost;

	return items < CHUNK_ITEMS ? items : CHUNK_ITEMS;
}

void gc_deferred_begin(struct gc_deferred *queue)
{
	struct gc_draw_unit *unit = queue->unit;
	struct gc_core *gc = queue->gc;

	if (!unit->straight || unit->targets != 1 || !gc_pe_can_defer(gc, &queue->paint) ||
	    !pays_off(queue) || !gc_shader_is_inward(unit->vs) || !shader_stands_alone(gc, unit))
		return;
	gc_hazards_begin(&queue->hazards);
	gc_mmu_watch(&gc->mmu, on_table_change, queue);
	if (!provide_textures(queue)) {
		gc_mmu_watch(&gc->mmu, NULL, NULL);
		return;
	}
	queue->last_page = UINT32_MAX;
	queue->limit = items_in_chunk(unit);
	for (unsigned int i = 0; i < queue->workers; i++)
		gc_shader_output_color(unit->ps, queue->worker[i].batch, unit->state.color_reg[0],
				       &queue->worker[i].output);
	unit->deferrable = true;
	unit->deferral_active++;
}

/* ---- life ---- */

/* A core that can shade: textures and translations, counters, nothing else. */
static struct gc_core *create_core(const struct gc_core *gc)
{
	struct gc_core *own = aligned_alloc(64, (sizeof(*own) + 63) & ~(size_t)63);

	if (!own)
		return NULL;
	memset(own, 0, sizeof(*own));
	own->personality = gc->personality;
	gc_mmu_init(&own->mmu, gc->mmu.version, gc->mmu.memory);
	own->tx = gc_texture_create(own);
	if (own->tx)
		return own;
	free(own);
	return NULL;
}

static bool init_worker(struct gc_deferred *queue, struct worker *w, struct gc_batch *batch)
{
	w->deferred = queue;
	w->gc = create_core(queue->gc);
	w->batch = batch ? batch : aligned_alloc(64, sizeof(*batch));
	w->flushes = queue->gc->mmu.flushes - 1;
	if (w->batch && !batch)
		memset(w->batch, 0, sizeof(*w->batch));
	return w->gc && w->batch;
}

/* Signals are for this thread alone, but for those that an access itself raises. */
static bool start(struct worker *w)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

static void free_worker(struct worker *w, bool own_batch)
{
	if (w->gc) {
		if (w->gc->tx)
			gc_texture_destroy(w->gc->tx);
		free(w->gc);
	}
	if (own_batch)
		free(w->batch);
	*w = (struct worker){ 0 };
}

struct gc_deferred *gc_deferred_create(struct gc_core *gc, struct gc_draw_unit *unit,
				       unsigned int threads)
{
	struct gc_deferred *queue;

	if (threads < 2)
		return NULL;
	queue = aligned_alloc(64, (sizeof(*queue) + 63) & ~(size_t)63);
	if (!queue)
		return NULL;
	memset(queue, 0, sizeof(*queue));
	queue->gc = gc;
	queue->unit = unit;
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->wake, NULL);
	if (init_worker(queue, &queue->worker[0], &unit->pixel_batch))
		queue->workers = 1;
	while (queue->workers && queue->workers < threads && queue->workers < GC_MAX_THREADS) {
		struct worker *w = &queue->worker[queue->workers];

		if (!init_worker(queue, w, NULL) || !start(w)) {
			free_worker(w, true);
			break;
		}
		queue->workers++;
	}
	if (queue->workers > 1)
		return queue;
	gc_deferred_destroy(queue);
	return NULL;
}

void gc_deferred_destroy(struct gc_deferred *queue)
{
	if (!queue)
		return;
	pthread_mutex_lock(&queue->lock);
	queue->quit = true;
	pthread_cond_broadcast(&queue->wake);
	pthread_mutex_unlock(&queue->lock);
	for (unsigned int i = 1; i < queue->workers; i++)
		pthread_join(queue->worker[i].thread, NULL);
	for (unsigned int i = 0; i < GC_MAX_THREADS; i++)
		free_worker(&queue->worker[i], i > 0);
	for (unsigned int i = 0; i < CHUNKS; i++)
		free(queue->chunk[i].lines.line);
	pthread_cond_destroy(&queue->wake);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}
