// SPDX-License-Identifier: MIT
/*
 * The queue of deferred shading: threads, and the order in which they run chunks.
 *
 * The drawing thread fills chunks and publishes them. Any thread, the drawing one included,
 * acquires the oldest chunk that no thread has acquired, provided that the chunks it depends on
 * are done. The drawing thread therefore never waits for a chunk that no thread has started.
 *
 * The drawing thread retires chunks in the order of their numbers: it updates the cache model
 * by the texture lines that the chunk accessed, and adds its cost to the pieces of the operation.
 *
 * @published and @taken are atomic counters, so acquiring a chunk takes no lock. The lock is
 * taken only by threads that find no chunk for some time and sleep, and to wake these.
 */
#include "gc/deferred_queue.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "gc/draw_deferred.h"

/*
 * The drawing thread runs a chunk itself when more than this number of chunks for each other
 * thread are waiting.
 */
#define OWN_SHARE 3

/* An idle thread polls SPINS * POLLS_PER_SPIN times, about 50 us, before it sleeps. */
#define SPINS 48
#define POLLS_PER_SPIN 16

static bool is_done(const struct gc_deferred *queue, uint64_t number)
{
	/* Greater than @number if the slot has been used again. */
	return atomic_load_explicit(&queue->done[number % GC_DEFERRED_CHUNKS],
				    memory_order_acquire) >= number;
}

/*
 * Whether all chunks up to number @after are done. Chunks up to @before - GC_DEFERRED_CHUNKS are:
 * they were retired before @before, a chunk that is published, could use the slot of the last one.
 */
static bool all_done(const struct gc_deferred *queue, uint64_t after, uint64_t before)
{
	uint64_t number = before > GC_DEFERRED_CHUNKS ? before - GC_DEFERRED_CHUNKS : 0;

	for (number++; number <= after && number < before; number++)
		if (!is_done(queue, number))
			return false;
	return true;
}

/*
 * Acquire the next published chunk for the calling thread, if the chunks that it has to follow
 * are done.
 * Returns: its number, 0 if there is none.
 */
static uint64_t acquire_chunk(struct gc_deferred *queue)
{
	uint64_t taken = atomic_load_explicit(&queue->taken, memory_order_acquire);

	for (;;) {
		uint64_t number = taken + 1, after;

		if (taken == atomic_load_explicit(&queue->published, memory_order_acquire))
			return 0;
		after = atomic_load_explicit(&queue->after[number % GC_DEFERRED_CHUNKS],
					     memory_order_relaxed);
		if (after && !all_done(queue, after, number))
			return 0;
		if (atomic_compare_exchange_weak_explicit(&queue->taken, &taken, number,
							  memory_order_acq_rel,
							  memory_order_acquire))
			return number;
	}
}

/* Run the next chunk that may run. Returns: false if there is none. */
static bool run_one(struct gc_deferred_worker *w)
{
	struct gc_deferred *queue = w->deferred;
	uint64_t number = acquire_chunk(queue);

	if (!number)
		return false;
	gc_deferred_run_chunk(w, &queue->chunk[number % GC_DEFERRED_CHUNKS]);
	atomic_store_explicit(&queue->done[number % GC_DEFERRED_CHUNKS], number,
			      memory_order_release);
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

/*
 * Poll the queue for a while, and yield the processor at intervals. Returns: true if a chunk was
 * run.
 */
static bool spin(struct gc_deferred_worker *w)
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

/* Sleep until a chunk is published. Returns: false if the thread has to end. */
static bool sleep_until_woken(struct gc_deferred_worker *w)
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

static void *worker_main(void *ctx)
{
	struct gc_deferred_worker *w = ctx;

	do {
		while (spin(w))
			;
	} while (sleep_until_woken(w));
	return NULL;
}

/* Wake one of the sleeping threads, if there are any. */
static void wake_sleeper(struct gc_deferred *queue)
{
	if (!atomic_load(&queue->sleepers))
		return;
	pthread_mutex_lock(&queue->lock);
	pthread_cond_signal(&queue->wake);
	pthread_mutex_unlock(&queue->lock);
}

/* ---- retirement, by the drawing thread ---- */

/* Charge the cost of items @from to @to - 1 of @c, which belong to one piece. */
static void report_items(struct gc_deferred *queue, const struct gc_deferred_chunk *c,
			 unsigned int from, unsigned int to)
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

/* Charge the cost of a chunk, by runs of items that belong to the same piece. */
static void report_chunk(struct gc_deferred *queue, struct gc_deferred_chunk *c)
{
	for (unsigned int from = 0, to; from < c->items; from = to) {
		for (to = from + 1; to < c->items; to++)
			if (c->item[to].piece != c->item[from].piece)
				break;
		report_items(queue, c, from, to);
	}
	c->lines.count = 0;
}

/* Charge a chunk's cost, release the set-ups of its primitives, and empty it. */
static void retire(struct gc_deferred *queue, struct gc_deferred_chunk *c)
{
	struct gc_draw_unit *unit = queue->unit;

	report_chunk(queue, c);
	for (unsigned int i = 0; i < c->items; i++) {
		const struct gc_deferred_item *item = &c->item[i];
		const struct gc_deferred_group *g = &c->group[item->number]; /* of QUADS */

		if (item->kind != GC_ITEM_QUADS) {
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

/* Retire the chunks that follow the last retired one and are done. */
static void retire_done(struct gc_deferred *queue, uint64_t published)
{
	while (queue->retired < published && is_done(queue, queue->retired + 1)) {
		queue->retired++;
		retire(queue, &queue->chunk[queue->retired % GC_DEFERRED_CHUNKS]);
	}
}

/* Retire published chunks in order, and run some meanwhile, until at most @left are not retired. */
static void run_until_done(struct gc_deferred *queue, uint64_t left)
{
	uint64_t published = atomic_load_explicit(&queue->published, memory_order_relaxed);
	unsigned int polls = 0;

	for (;;) {
		retire_done(queue, published);
		if (published - queue->retired <= left)
			return;
		gc_answer(queue->gc);
		if (run_one(&queue->worker[0]))
			continue;
		relax();
		if (++polls % POLLS_PER_SPIN == 0)
			sched_yield();
	}
}

void gc_deferred_publish(struct gc_deferred *queue)
{
	uint64_t number = gc_deferred_filling_number(queue);
	uint64_t waiting;

	atomic_store_explicit(&queue->after[number % GC_DEFERRED_CHUNKS],
			      queue->chunk[number % GC_DEFERRED_CHUNKS].after,
			      memory_order_relaxed);
	atomic_store(&queue->published, number);
	waiting = number - atomic_load_explicit(&queue->taken, memory_order_relaxed);
	/* a single chunk is not worth waking a thread: this one or one that polls will run it */
	if (waiting > 1)
		wake_sleeper(queue);
	if (waiting > OWN_SHARE * (queue->workers - 1))
		run_one(&queue->worker[0]);
	run_until_done(queue, GC_DEFERRED_CHUNKS - 1); /* frees the slot of the next chunk */
}

/* Add each counter of @from to that of @to, and clear it. */
static void move_counters(uint64_t *to, uint64_t *from, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*to); i++) {
		to[i] += from[i];
		from[i] = 0;
	}
}

void gc_deferred_add_counters(struct gc_deferred *queue)
{
	struct gc_core *gc = queue->gc;

	for (unsigned int i = 0; i < queue->workers; i++) {
		struct gc_core *own = queue->worker[i].gc;

		move_counters((uint64_t *)&gc->counters, (uint64_t *)&own->counters,
			      sizeof(gc->counters));
	}
}

void gc_deferred_drain(struct gc_deferred *queue)
{
	struct gc_deferred_chunk *c = gc_deferred_filling(queue);

	run_until_done(queue, 0);
	/* the drawing thread needs the registers of the last group, see draw_deferred.c */
	gc_deferred_run_chunk(&queue->worker[0], c);
	retire(queue, c);
	gc_deferred_add_counters(queue);
}

/* ---- creation ---- */

/* A core that can only shade: MMU, texture unit and counters. */
static struct gc_core *create_core(const struct gc_core *gc)
{
	struct gc_core *own = aligned_alloc(64, (sizeof(*own) + 63) & ~(size_t)63);

	if (!own)
		return NULL;
	memset(own, 0, sizeof(*own));
	own->personality = gc->personality;
	own->pipeline.params = gc->pipeline.params;
	gc_mmu_init(&own->mmu, gc->mmu.version, gc->mmu.memory);
	own->tx = gc_texture_create(own);
	if (own->tx)
		return own;
	free(own);
	return NULL;
}

static bool init_worker(struct gc_deferred *queue, struct gc_deferred_worker *w,
			struct gc_batch *batch)
{
	w->deferred = queue;
	w->gc = create_core(queue->gc);
	w->batch = batch ? batch : aligned_alloc(64, sizeof(*batch));
	w->flushes = queue->gc->mmu.flushes - 1; /* differs: provide_tables() copies */
	if (w->batch && !batch)
		memset(w->batch, 0, sizeof(*w->batch));
	return w->gc && w->batch;
}

/*
 * Signals are handled by the creating thread, except those which an access to memory raises in
 * the thread itself.
 */
static bool start_worker(struct gc_deferred_worker *w)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !pthread_create(&w->thread, NULL, worker_main, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

static void free_worker(struct gc_deferred_worker *w, bool own_batch)
{
	if (w->gc) {
		if (w->gc->tx)
			gc_texture_destroy(w->gc->tx);
		free(w->gc);
	}
	if (own_batch)
		free(w->batch);
	*w = (struct gc_deferred_worker){ 0 };
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
		struct gc_deferred_worker *w = &queue->worker[queue->workers];

		if (!init_worker(queue, w, NULL) || !start_worker(w)) {
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
	for (unsigned int i = 0; i < GC_DEFERRED_CHUNKS; i++)
		free(queue->chunk[i].lines.line);
	pthread_cond_destroy(&queue->wake);
	pthread_mutex_destroy(&queue->lock);
	free(queue);
}
