// SPDX-License-Identifier: MIT
/*
 * Fully associative tags with least-recently-used replacement.
 *
 * hint[] has the way into which the last line with a place_of() was put. If the line is not there, all ways
 * are compared, but only if held[] says that the cache holds a line with this place. Runs of four lines are
 * nearly always in four ways in a row that were used one after the other; such runs are found, moved to the
 * newest end and replaced as a whole.
 */
#include "clock/pixel_cache.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif
#include <string.h>

#define LINES PIXEL_CACHE_LINES
#define RUN PIXEL_CACHE_RUN
#define RUNS (LINES / RUN)
#define RUN_MASK 0xfu /* a dirty bit for each line of a run */
#define LINE_BYTES PIXEL_CACHE_LINE_BYTES
#define EACH_ONE 0x01010101u /* 1 in each byte of a run's word */
#define END LINES            /* the ring's entry between the newest and the oldest way */

typedef uint32_t lines8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t lines4 __attribute__((vector_size(16), aligned(4), may_alias));

/*
 * Place of a line in hint[] and held[]; lines of a run have successive ones. Lines beside each other in two
 * supertiles of 256 lines would often have the same place, so that of a supertile is mixed in.
 */
static inline uint32_t place_of(uint32_t line)
{
	return (line ^ line / 256 * 0x9c) % PIXEL_CACHE_HINTS;
}

static inline void link(struct pixel_cache *cache, uint32_t older, uint32_t newer)
{
	cache->newer[older] = (uint8_t)newer;
	cache->older[newer] = (uint8_t)older;
}

static void empty(struct pixel_cache *cache)
{
	for (unsigned int i = 0; i < LINES; i++)
		cache->line[i] = CACHE_MEMORY_NONE;
	for (unsigned int i = 0; i <= LINES; i++)
		link(cache, i, (i + 1) % (LINES + 1));
	cache->dirty = 0;
	memset(cache->held, 0, sizeof(cache->held));
	cache->held[place_of(CACHE_MEMORY_NONE)] = LINES;
}

void pixel_cache_init(struct pixel_cache *cache)
{
	cache_memory_init(&cache->memory, LINE_BYTES);
	memset(cache->hint, 0, sizeof(cache->hint));
	empty(cache);
}

uint64_t pixel_cache_flush(struct pixel_cache *cache)
{
	uint64_t bytes = (uint64_t)LINE_BYTES * (unsigned int)__builtin_popcount(cache->dirty);

	empty(cache);
	return bytes;
}

/* The ways from @oldest to @newest, linked in this order, become the newest ones. */
static inline void renew(struct pixel_cache *cache, uint32_t oldest, uint32_t newest)
{
	if (cache->older[END] == newest)
		return;
	link(cache, cache->older[oldest], cache->newer[newest]);
	link(cache, cache->older[END], oldest);
	link(cache, newest, END);
}

/* Whether the RUN ways from @way on were used one after the other. */
static inline bool is_segment(const struct pixel_cache *cache, uint32_t way)
{
	uint32_t newer;

	if (way > LINES - RUN)
		return false;
	memcpy(&newer, &cache->newer[way], sizeof(newer));
	return (newer & 0xffffff) == way * 0x010101 + 0x030201;
}

/* Add a byte of @change to held[] of each line of a run; their places are successive, so it is one word. */
static inline void add_held(struct pixel_cache *cache, uint32_t first, uint32_t change)
{
	uint32_t held;

	memcpy(&held, &cache->held[place_of(first)], sizeof(held));
	held += change;
	memcpy(&cache->held[place_of(first)], &held, sizeof(held));
}

/* Whether a way may hold a line of the run; if not, none does. */
static inline uint32_t may_hold_run(const struct pixel_cache *cache, uint32_t first)
{
	uint32_t held;

	memcpy(&held, &cache->held[place_of(first)], sizeof(held));
	return held;
}

#ifdef __AVX512F__

/* A bit for each way whose line is @line; bits of both that are in @ignore do not count. */
static inline uint32_t matching(const struct pixel_cache *cache, uint32_t line, uint32_t ignore)
{
	const __m512i *held = (const __m512i *)cache->line;
	__m512i wanted = _mm512_set1_epi32((int)(line | ignore));
	__m512i ignored = _mm512_set1_epi32((int)ignore);

	return _mm512_cmpeq_epi32_mask(_mm512_or_si512(held[0], ignored), wanted) |
	       (uint32_t)_mm512_cmpeq_epi32_mask(_mm512_or_si512(held[1], ignored), wanted) << 16;
}

#else

/* A bit for each lane of @mask, which are all ones or zero. */
static inline uint32_t lane_bits(lines8 mask)
{
#ifdef __AVX__
	typedef float float8 __attribute__((vector_size(32)));

	return (uint32_t)__builtin_ia32_movmskps256((float8)mask);
#else
	uint32_t bits = 0;

	for (unsigned int i = 0; i < 8; i++)
		bits |= (mask[i] & 1) << i;
	return bits;
#endif
}

static inline uint32_t matching(const struct pixel_cache *cache, uint32_t line, uint32_t ignore)
{
	uint32_t ways = 0;

	for (unsigned int i = 0; i < LINES; i += 8)
		ways |= lane_bits((lines8)((*(const lines8 *)&cache->line[i] | ignore) ==
					   (line | ignore)))
			<< i;
	return ways;
}

#endif

/* Whether the cache holds a line of the first @count runs of @order, run 0 begins with line @base */
static inline bool holds_any(const struct pixel_cache *cache, uint32_t base, const uint8_t *order,
			     unsigned int count)
{
	uint32_t found = 0;

	for (unsigned int i = 0; i < count && !found; i++)
		if (may_hold_run(cache, base + order[i] * RUN))
			found = matching(cache, base + order[i] * RUN, RUN - 1);
	return found;
}

static inline void write_back(struct pixel_cache *cache, uint32_t way, uint64_t *write_bytes)
{
	if (!(cache->dirty >> way & 1))
		return;
	*write_bytes += LINE_BYTES;
	cache_memory_move(&cache->memory, cache->memory.written_page, cache->line[way]);
}

/* The line takes the place of the oldest one. */
static void insert(struct pixel_cache *cache, uint32_t line, bool write, uint64_t *read_bytes,
		   uint64_t *write_bytes)
{
	uint32_t way = cache->newer[END];

	write_back(cache, way, write_bytes);
	cache->held[place_of(cache->line[way])]--;
	cache->held[place_of(line)]++;
	*read_bytes += LINE_BYTES;
	cache_memory_move(&cache->memory, cache->memory.read_page, line);
	cache->line[way] = line;
	cache->dirty = (cache->dirty & ~(1u << way)) | (uint32_t)write << way;
	cache->hint[place_of(line)] = (uint8_t)way;
	renew(cache, way, way);
}

/* The line becomes the newest one; a dirty line stays dirty. */
static inline void use(struct pixel_cache *cache, uint32_t way, bool write)
{
	cache->dirty |= (uint32_t)write << way;
	renew(cache, way, way);
}

/* The line is not at its hint: in another way, or in none. */
static __attribute__((noinline)) void search(struct pixel_cache *cache, uint32_t line, bool write,
					     uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t ways = matching(cache, line, 0), way;

	if (!ways) {
		insert(cache, line, write, read_bytes, write_bytes);
		return;
	}
	way = (uint32_t)__builtin_ctz(ways);
	cache->hint[place_of(line)] = (uint8_t)way;
	use(cache, way, write);
}

void pixel_cache_look_up(struct pixel_cache *cache, uint32_t line, bool write, uint64_t *read_bytes,
			 uint64_t *write_bytes)
{
	uint32_t way = cache->hint[place_of(line)];

	if (!cache->held[place_of(line)])
		insert(cache, line, write, read_bytes, write_bytes);
	else if (cache->line[way] == line)
		use(cache, way, write);
	else
		search(cache, line, write, read_bytes, write_bytes);
}

/* Whether the run's lines are in the ways from @way on. */
static inline bool is_run_at(const struct pixel_cache *cache, uint32_t first, uint32_t way)
{
	typedef long long halves __attribute__((vector_size(16)));
	halves differs;

	if (way > LINES - RUN)
		return false;
	differs = (halves)(*(const lines4 *)&cache->line[way] ^ ((lines4){ 0, 1, 2, 3 } + first));
#ifdef __SSE4_1__
	return __builtin_ia32_ptestz128(differs, differs);
#else
	return !(differs[0] | differs[1]);
#endif
}

/* Dirty lines in the ways from @way on, which are replaced. */
static void write_back_run(struct pixel_cache *cache, uint32_t way, uint64_t *write_bytes)
{
	struct cache_memory *memory = &cache->memory;
	uint32_t bits = cache->dirty >> way & RUN_MASK, page = CACHE_MEMORY_NONE;

	if (bits == RUN_MASK && cache->line[way] % RUN == 0 &&
	    is_run_at(cache, cache->line[way], way)) { /* of one page */
		*write_bytes += RUN * LINE_BYTES;
		cache_memory_move(memory, memory->written_page, cache->line[way]);
		return;
	}
	for (; bits; bits &= bits - 1) {
		uint32_t line = cache->line[way + (uint32_t)__builtin_ctz(bits)];

		*write_bytes += LINE_BYTES;
		if (line >> memory->page_shift == page)
			continue;
		page = line >> memory->page_shift;
		cache_memory_move(memory, memory->written_page, line);
	}
}

/* The lines in the ways from @way on are replaced. */
static inline void drop_run(struct pixel_cache *cache, uint32_t way)
{
	uint32_t first = cache->line[way];

	if (first % RUN == 0 && is_run_at(cache, first, way)) {
		add_held(cache, first, -EACH_ONE);
		return;
	}
	for (uint32_t i = 0; i < RUN; i++)
		cache->held[place_of(cache->line[way + i])]--;
}

/* The run's lines are in the ways from @way on from now on. */
static inline void place_run(struct pixel_cache *cache, uint32_t first, uint32_t way)
{
	uint32_t hints = way * EACH_ONE + 0x03020100u;

	drop_run(cache, way);
	add_held(cache, first, EACH_ONE);
	*(lines4 *)&cache->line[way] = (lines4){ 0, 1, 2, 3 } + first;
	memcpy(&cache->hint[place_of(first)], &hints, sizeof(hints));
}

/*
 * The line in way @from moves to way @to, which is not linked into the ring. The line that was in @to is
 * dropped; it is in @from until that way gets another line.
 */
static void move_way(struct pixel_cache *cache, uint32_t from, uint32_t to)
{
	uint32_t line = cache->line[from];

	cache->line[from] = cache->line[to];
	cache->line[to] = line;
	cache->hint[place_of(line)] = (uint8_t)to;
	cache->dirty = (cache->dirty & ~(1u << to)) | (cache->dirty >> from & 1) << to;
	link(cache, cache->older[from], to);
	link(cache, to, cache->newer[from]);
}

/*
 * Make RUN ways in a row a segment of the oldest ones: free the oldest RUN ways, and move what else
 * is beside the first of them. Results do not depend on the way that a line is in.
 */
static __attribute__((noinline)) uint32_t gather_oldest(struct pixel_cache *cache,
							uint64_t *write_bytes)
{
	uint32_t group = RUN_MASK << (cache->newer[END] & ~(RUN - 1)), freed = 0;
	uint32_t way = (uint32_t)__builtin_ctz(group);

	for (unsigned int i = 0; i < RUN; i++) {
		uint32_t oldest = cache->newer[END];

		write_back(cache, oldest, write_bytes);
		link(cache, END, cache->newer[oldest]);
		freed |= 1u << oldest;
	}
	while (group & ~freed) {
		uint32_t from = (uint32_t)__builtin_ctz(group & ~freed);
		uint32_t to = (uint32_t)__builtin_ctz(freed & ~group);

		move_way(cache, from, to);
		freed ^= 1u << from | 1u << to;
	}
	link(cache, way + RUN - 1, cache->newer[END]);
	for (uint32_t i = way + RUN - 1; i > way; i--)
		link(cache, i - 1, i);
	link(cache, END, way);
	return way;
}

/* None of the run's lines is in the cache. */
static inline void insert_run(struct pixel_cache *cache, uint32_t first, bool write,
			      uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t way = cache->newer[END];

	if (is_segment(cache, way))
		write_back_run(cache, way, write_bytes);
	else
		way = gather_oldest(cache, write_bytes);
	*read_bytes += RUN * LINE_BYTES;
	cache_memory_move(&cache->memory, cache->memory.read_page, first);
	cache->dirty = (cache->dirty & ~(RUN_MASK << way)) | (write ? RUN_MASK << way : 0);
	place_run(cache, first, way);
	renew(cache, way, way + RUN - 1);
}

static inline void touch_run(struct pixel_cache *cache, uint32_t first, bool write,
			     uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t way = cache->hint[place_of(first)];

	if (is_run_at(cache, first, way) && is_segment(cache, way)) {
		cache->dirty |= write ? RUN_MASK << way : 0;
		renew(cache, way, way + RUN - 1);
		return;
	}
	if (!may_hold_run(cache, first) || !matching(cache, first, RUN - 1)) {
		insert_run(cache, first, write, read_bytes, write_bytes);
		return;
	}
	for (uint32_t i = 0; i < RUN; i++)
		pixel_cache_touch(cache, (first + i) * LINE_BYTES, write, read_bytes, write_bytes);
}

void pixel_cache_touch_run(struct pixel_cache *cache, uint32_t address, bool write,
			   uint64_t *read_bytes, uint64_t *write_bytes)
{
	touch_run(cache, address / LINE_BYTES, write, read_bytes, write_bytes);
}

/* First ways of the segments that the cache consists of, oldest first; false: it does not. */
static bool find_segments(const struct pixel_cache *cache, uint8_t segment[RUNS])
{
	uint32_t way = cache->newer[END];

	for (unsigned int i = 0; i < RUNS; i++) {
		if (!is_segment(cache, way))
			return false;
		segment[i] = (uint8_t)way;
		way = cache->newer[way + RUN - 1];
	}
	return true;
}

/* cache_memory_move() for a run's first line, unless its page is @last, which was opened just before. */
static inline void move_run(struct cache_memory *memory, uint32_t open[GPU_MEMORY_BANKS],
			    uint32_t *last, uint32_t first)
{
	if (first >> memory->page_shift == *last)
		return;
	*last = first >> memory->page_shift;
	cache_memory_move(memory, open, first);
}

/* @count times, the oldest segment becomes the newest one. */
static void turn_ring(struct pixel_cache *cache, const uint8_t segment[RUNS], unsigned int count)
{
	unsigned int oldest = count % RUNS;

	if (!oldest)
		return;
	link(cache, cache->older[END], cache->newer[END]);
	link(cache, segment[oldest - 1] + RUN - 1, END);
	link(cache, END, segment[oldest]);
}

/*
 * pixel_cache_touch_run() with @write for runs RUNS to @count - 1 of @order. The cache holds the
 * RUNS ones before them, all dirty, so each takes the place of the one RUNS before it.
 */
static void replace_runs(struct pixel_cache *cache, const uint8_t segment[RUNS], uint32_t base,
			 const uint8_t *order, unsigned int count)
{
	struct cache_memory *memory = &cache->memory;
	uint32_t read = CACHE_MEMORY_NONE, written = CACHE_MEMORY_NONE;

	for (unsigned int i = RUNS; i < count; i++) {
		move_run(memory, memory->written_page, &written, base + order[i - RUNS] * RUN);
		move_run(memory, memory->read_page, &read, base + order[i] * RUN);
	}
	for (unsigned int i = count - RUNS; i < count; i++)
		place_run(cache, base + order[i] * RUN, segment[i % RUNS]);
	turn_ring(cache, segment, count);
}

/*
 * pixel_cache_touch_run() with @write for @count runs of @order, at most RUNS, none of which the cache
 * holds.
 */
static void insert_runs(struct pixel_cache *cache, const uint8_t segment[RUNS], uint32_t base,
			const uint8_t *order, unsigned int count, uint64_t *read_bytes,
			uint64_t *write_bytes)
{
	for (unsigned int i = 0; i < count; i++) {
		uint32_t first = base + order[i] * RUN;

		write_back_run(cache, segment[i], write_bytes);
		cache_memory_move(&cache->memory, cache->memory.read_page, first);
		place_run(cache, first, segment[i]);
		cache->dirty |= RUN_MASK << segment[i];
	}
	*read_bytes += (uint64_t)count * RUN * LINE_BYTES;
	turn_ring(cache, segment, count);
}

/* After RUNS runs the cache holds only these. */
void pixel_cache_write_runs(struct pixel_cache *cache, uint32_t address, const uint8_t *order,
			    unsigned int count, uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t base = address / LINE_BYTES;
	uint8_t segment[RUNS];
	unsigned int i = 0;
	unsigned int first_runs = count < RUNS ? count : RUNS;
	bool inserted = !holds_any(cache, base, order, first_runs) && find_segments(cache, segment);

	if (inserted)
		insert_runs(cache, segment, base, order, first_runs, read_bytes, write_bytes);
	else
		for (; i < first_runs; i++)
			touch_run(cache, base + order[i] * RUN, true, read_bytes, write_bytes);
	if (count > RUNS && (inserted || find_segments(cache, segment))) {
		uint64_t bytes = (uint64_t)(count - RUNS) * RUN * LINE_BYTES;

		*read_bytes += bytes;
		*write_bytes += bytes;
		replace_runs(cache, segment, base, order, count);
		return;
	}
	for (i = first_runs; i < count; i++)
		touch_run(cache, base + order[i] * RUN, true, read_bytes, write_bytes);
}
