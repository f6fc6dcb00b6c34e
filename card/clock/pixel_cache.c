// SPDX-License-Identifier: MIT
/*
 * Fully associative tags with least-recently-used replacement.
 *
 * The lines are kept in the order of their last use, in a few vectors: a line is searched for with
 * one comparison a vector, and becomes the newest one when those before it move up by a place. Runs
 * of four lines move together. All of the lines are loaded and stored as the same vectors: the host
 * would wait for a single line that was stored just before it is loaded in a vector.
 */
#include "clock/pixel_cache.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif
#include <string.h>

/* Without AVX GCC warns that vectors are passed differently; no other file's function gets them. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define LINES PIXEL_CACHE_LINES
#define RUN PIXEL_CACHE_RUN
#define RUNS (LINES / RUN)
#define RUN_BITS 0xfu /* of the lines of a run, in a mask of lines */
#define LINE_BYTES PIXEL_CACHE_LINE_BYTES

#ifdef __AVX512F__
#define WIDTH 16 /* lines in a vector */
#define EACH(i)                                                               \
	(lines){ i,     i + 1, i + 2,  i + 3,  i + 4,  i + 5,  i + 6,  i + 7, \
		 i + 8, i + 9, i + 10, i + 11, i + 12, i + 13, i + 14, i + 15 }
/* the last @by lines of @before and the first ones of @now, for a constant @by */
#define MOVED(before, now, by)                                                                    \
	__builtin_shufflevector(before, now, 16 - (by), 17 - (by), 18 - (by), 19 - (by),          \
				20 - (by), 21 - (by), 22 - (by), 23 - (by), 24 - (by), 25 - (by), \
				26 - (by), 27 - (by), 28 - (by), 29 - (by), 30 - (by), 31 - (by))
#else
#define WIDTH 8
#define EACH(i) (lines){ i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7 }
#define MOVED(before, now, by)                                                                    \
	__builtin_shufflevector(before, now, 8 - (by), 9 - (by), 10 - (by), 11 - (by), 12 - (by), \
				13 - (by), 14 - (by), 15 - (by))
#endif
#define VECTORS (LINES / WIDTH)

/* Numbers of WIDTH lines; the member "lines" of struct pixel_cache is a count. */
typedef uint32_t lines __attribute__((vector_size(4 * WIDTH), may_alias));
typedef uint32_t lines4 __attribute__((vector_size(16), aligned(4), may_alias));

static void empty(struct pixel_cache *cache)
{
	for (unsigned int i = 0; i < LINES; i++)
		cache->line[i] = CACHE_MEMORY_NONE;
	cache->dirty = 0;
}

void pixel_cache_init(struct pixel_cache *cache, const struct gpu_structure *structure)
{
	cache_memory_init(&cache->memory, LINE_BYTES, structure);
	cache->lines = structure->pixel_lines;
	empty(cache);
}

uint64_t pixel_cache_flush(struct pixel_cache *cache)
{
	uint64_t bytes = (uint64_t)LINE_BYTES * (unsigned int)__builtin_popcount(cache->dirty);

	empty(cache);
	return bytes;
}

/* A bit for each lane in which @a and @b are equal */
static inline uint32_t equal(lines a, lines b)
{
#ifdef __AVX512F__
	return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
#elif defined(__AVX__)
	typedef float floats __attribute__((vector_size(4 * WIDTH)));

	return (uint32_t)__builtin_ia32_movmskps256((floats)(a == b));
#else
	uint32_t bits = 0;

	for (unsigned int i = 0; i < WIDTH; i++)
		bits |= (uint32_t)(a[i] == b[i]) << i;
	return bits;
#endif
}

static inline const lines *vectors(const struct pixel_cache *cache)
{
	return (const lines *)cache->line;
}

/* A bit for each line that is @line; bits of both that are in @ignore do not count. */
static inline uint32_t matching(const struct pixel_cache *cache, uint32_t line, uint32_t ignore)
{
	uint32_t found = 0;

#pragma GCC unroll 4
	for (unsigned int i = 0; i < VECTORS; i++)
		found |= equal(vectors(cache)[i] | ignore, (lines){ 0 } + (line | ignore))
			 << WIDTH * i;
	return found;
}

/*
 * Put the last @by lines of @newest before the others; those before place @end move up to make
 * room, so it is as if the ones from @end - @by on had been taken out. @by is a constant, 1 or RUN.
 */
static inline __attribute__((always_inline)) void move_up(struct pixel_cache *cache, lines newest,
							  unsigned int by, uint32_t end)
{
	lines before = newest, *vector = (lines *)cache->line;

#pragma GCC unroll 4
	for (unsigned int i = 0; i < VECTORS && i * WIDTH < end; i++) {
		lines now = vector[i], places = EACH(WIDTH * i);
		lines moved = by == 1 ? MOVED(before, now, 1) : MOVED(before, now, (int)RUN);
		lines chosen = (lines)(places < (lines){ 0 } + end);

		if (end < LINES)
			moved = (moved & chosen) | (now & ~chosen);
		vector[i] = moved;
		before = now;
	}
}

/*
 * The bits of @dirty for lines before place @end move up by @by places, and those of the last @by
 * of these go first.
 */
static inline uint32_t move_bits(uint32_t dirty, unsigned int by, uint32_t end)
{
	uint32_t below = end < LINES ? (1u << end) - 1 : UINT32_MAX, bits = dirty & below;

	return (dirty & ~below) | (bits << by & below) | bits >> (end - by);
}

static inline void write_back(struct pixel_cache *cache, uint32_t line, uint64_t *write_bytes)
{
	*write_bytes += LINE_BYTES;
	cache_memory_move(&cache->memory, cache->memory.written_page, line);
}

/*
 * Count the traffic of a line that replaces the line @oldest. Not inlined, nor are the functions
 * below that are marked so: in a caller that has used vectors, saving registers around calls takes
 * longer than its work.
 */
static __attribute__((noinline)) void count_miss(struct pixel_cache *cache, uint32_t line,
						 uint32_t oldest, bool dirty, uint64_t *read_bytes,
						 uint64_t *write_bytes)
{
	if (dirty)
		write_back(cache, oldest, write_bytes);
	*read_bytes += LINE_BYTES;
	cache_memory_move(&cache->memory, cache->memory.read_page, line);
}

/* Lines that moved up beyond the last one leave the cache, the oldest first. */
static __attribute__((noinline, cold)) void trim(struct pixel_cache *cache, uint64_t *write_bytes)
{
	for (uint32_t i = LINES; i-- > cache->lines;) {
		if (cache->dirty >> i & 1)
			write_back(cache, cache->line[i], write_bytes);
		cache->line[i] = CACHE_MEMORY_NONE;
		cache->dirty &= ~(UINT32_C(1) << i);
	}
}

/*
 * The line takes the place of the oldest one. In a structure with fewer lines that is empty, and
 * trim() drops the oldest.
 */
static inline void insert(struct pixel_cache *cache, uint32_t line, bool write,
			  uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t oldest = cache->line[LINES - 1], dirty = cache->dirty;

	move_up(cache, (lines){ 0 } + line, 1, LINES);
	cache->dirty = dirty << 1 | (uint32_t)write;
	count_miss(cache, line, oldest, dirty >> (LINES - 1), read_bytes, write_bytes);
	if (__builtin_expect(cache->lines < LINES, 0))
		trim(cache, write_bytes);
}

void pixel_cache_look_up(struct pixel_cache *cache, uint32_t line, bool write, uint64_t *read_bytes,
			 uint64_t *write_bytes)
{
	uint32_t found = matching(cache, line, 0), end;

	if (!found) {
		insert(cache, line, write, read_bytes, write_bytes);
		return;
	}
	end = (uint32_t)__builtin_ctz(found) + 1;
	move_up(cache, (lines){ 0 } + line, 1, end);
	cache->dirty = move_bits(cache->dirty, 1, end) | (uint32_t)write;
}

/* The lines of a run that begins with line @first, after they were used in order */
static inline lines4 used_run(uint32_t first)
{
	return (lines4){ 3, 2, 1, 0 } + first;
}

/* used_run() in the last lanes of a vector */
static inline lines newest_run(uint32_t first)
{
	return 3 - EACH(0) % RUN + first;
}

static inline bool is_used_run(const lines4 *four, uint32_t first)
{
	typedef long long halves __attribute__((vector_size(16)));
	halves differs = (halves)(*four ^ used_run(first));

#ifdef __SSE4_1__
	return __builtin_ia32_ptestz128(differs, differs);
#else
	return !(differs[0] | differs[1]);
#endif
}

/* Write back the lines of @old whose bit in @dirty is set, the oldest one first. */
static __attribute__((noinline)) void write_back_lines(struct pixel_cache *cache, const lines4 *old,
						       uint32_t dirty, uint64_t *write_bytes)
{
	for (uint32_t i = RUN; i > 0; i--)
		if (dirty >> (i - 1) & 1)
			write_back(cache, (*old)[i - 1], write_bytes);
}

/* Count the traffic of a run that replaces the lines @old, which mostly are a run, too. */
static __attribute__((noinline)) void count_run_miss(struct pixel_cache *cache, uint32_t first,
						     const lines4 *old, uint32_t dirty,
						     uint64_t *read_bytes, uint64_t *write_bytes)
{
	const uint32_t oldest = (*old)[RUN - 1];

	if (dirty == RUN_BITS && oldest % RUN == 0 && is_used_run(old, oldest)) { /* of one page */
		*write_bytes += RUN * LINE_BYTES;
		cache_memory_move(&cache->memory, cache->memory.written_page, oldest);
	} else if (dirty) {
		write_back_lines(cache, old, dirty, write_bytes);
	}
	*read_bytes += RUN * LINE_BYTES;
	cache_memory_move(&cache->memory, cache->memory.read_page, first);
}

/* None of the run's lines is in the cache. */
static inline void insert_run(struct pixel_cache *cache, uint32_t first, bool write,
			      uint64_t *read_bytes, uint64_t *write_bytes)
{
	const lines4 old = *(const lines4 *)&cache->line[LINES - RUN];
	const uint32_t dirty = cache->dirty;

	move_up(cache, newest_run(first), RUN, LINES);
	cache->dirty = dirty << RUN | (write ? RUN_BITS : 0);
	count_run_miss(cache, first, &old, dirty >> (LINES - RUN), read_bytes, write_bytes);
	if (__builtin_expect(cache->lines < LINES, 0))
		trim(cache, write_bytes);
}

/* The lines of a run, which may be anywhere, one by one */
static __attribute__((noinline)) void touch_lines(struct pixel_cache *cache, uint32_t first,
						  bool write, uint64_t *read_bytes,
						  uint64_t *write_bytes)
{
	for (uint32_t i = 0; i < RUN; i++)
		pixel_cache_touch(cache, (first + i) * LINE_BYTES, write, read_bytes, write_bytes);
}

/* Slow path of touch_run(), for other lines than the newest ones. */
static __attribute__((noinline)) void look_up_run(struct pixel_cache *cache, uint32_t first,
						  bool write, uint64_t *read_bytes,
						  uint64_t *write_bytes)
{
	uint32_t found = matching(cache, first, RUN - 1);

	if (found)
		touch_lines(cache, first, write, read_bytes, write_bytes);
	else
		insert_run(cache, first, write, read_bytes, write_bytes);
}

static inline void touch_run(struct pixel_cache *cache, uint32_t first, bool write,
			     uint64_t *read_bytes, uint64_t *write_bytes)
{
	if (is_used_run((const lines4 *)cache->line, first))
		cache->dirty |= write ? RUN_BITS : 0;
	else
		look_up_run(cache, first, write, read_bytes, write_bytes);
}

void pixel_cache_touch_run(struct pixel_cache *cache, uint32_t address, bool write,
			   uint64_t *read_bytes, uint64_t *write_bytes)
{
	touch_run(cache, address / LINE_BYTES, write, read_bytes, write_bytes);
}

/* cache_memory_move() for a run's first line, unless its page, @last, is open already. */
static inline void move_run(struct cache_memory *memory, uint32_t open[GPU_MAX_BANKS],
			    uint32_t *last, uint32_t first)
{
	if (first >> memory->page_shift == *last)
		return;
	*last = first >> memory->page_shift;
	cache_memory_move(memory, open, first);
}

/*
 * pixel_cache_touch_run() with @write for runs RUNS to @count - 1 of @order. The cache holds the
 * RUNS ones before them, all dirty, so each takes the place of the one RUNS before it.
 */
static void replace_runs(struct pixel_cache *cache, uint32_t base, const uint8_t *order,
			 unsigned int count)
{
	struct cache_memory *memory = &cache->memory;
	uint32_t read = CACHE_MEMORY_NONE, written = CACHE_MEMORY_NONE;

	for (unsigned int i = RUNS; i < count; i++) {
		move_run(memory, memory->written_page, &written, base + order[i - RUNS] * RUN);
		move_run(memory, memory->read_page, &read, base + order[i] * RUN);
	}
	for (unsigned int i = 0; i < RUNS; i++)
		*(lines4 *)&cache->line[i * RUN] = used_run(base + order[count - 1 - i] * RUN);
}

void pixel_cache_write_runs(struct pixel_cache *cache, uint32_t address, const uint8_t *order,
			    unsigned int count, uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t base = address / LINE_BYTES;
	unsigned int first_runs = count < RUNS || cache->lines < LINES ? count : RUNS;
	uint64_t bytes = (uint64_t)(count - first_runs) * RUN * LINE_BYTES;

	for (unsigned int i = 0; i < first_runs; i++)
		touch_run(cache, base + order[i] * RUN, true, read_bytes, write_bytes);
	if (!bytes)
		return;
	*read_bytes += bytes;
	*write_bytes += bytes;
	replace_runs(cache, base, order, count);
}
