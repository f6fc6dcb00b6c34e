// SPDX-License-Identifier: MIT
/*
 * Two-way set-associative tags with least-recently-used replacement. A set's two entries are
 * kept in order of their last use, so that an access to the newest line, the most common one,
 * changes only its dirty bit.
 */
#include "clock/cache_model.h"

static void empty(struct cache_model *cache)
{
	for (uint32_t i = 0; i < cache->sets; i++) {
		cache->newest[i] = cache->older[i] = CACHE_MODEL_NONE;
		cache->newest_dirty[i] = cache->older_dirty[i] = 0;
	}
}

static void drop_translations(struct cache_model *cache)
{
	for (unsigned int i = 0; i < CACHE_MODEL_TRANSLATIONS; i++)
		cache->translated[i] = CACHE_MODEL_NONE;
}

void cache_model_init(struct cache_model *cache, uint32_t bytes, uint32_t line_bytes)
{
	uint32_t sets = bytes / line_bytes / 2;

	if (sets > CACHE_MODEL_LINES / 2)
		sets = CACHE_MODEL_LINES / 2;
	cache->line_bytes = line_bytes;
	cache->line_shift = (uint32_t)__builtin_ctz(line_bytes);
	cache->sets = sets ? sets : 1;
	cache->page_shift = (uint32_t)__builtin_ctz(GPU_MEMORY_PAGE_BYTES) - cache->line_shift;
	for (unsigned int i = 0; i < GPU_MEMORY_BANKS; i++)
		cache->read_page[i] = cache->written_page[i] = CACHE_MODEL_NONE;
	cache->pages = 0;
	cache->walk_shift = (uint32_t)__builtin_ctz(CACHE_MODEL_WALK_BYTES / GPU_MEMORY_PAGE_BYTES);
	cache->walks = 0;
	cache->mmu_flushes = 0;
	drop_translations(cache);
	empty(cache);
}

void cache_model_follow_mmu(struct cache_model *cache, uint32_t flushes)
{
	if (cache->mmu_flushes != flushes)
		drop_translations(cache);
	cache->mmu_flushes = flushes;
}

/*
 * Open DRAM page @page. Its addresses may have to be translated. Accesses to a page that is open
 * nearly always find their translation, so these are not looked up.
 */
static void open_page(struct cache_model *cache, uint32_t *open, uint32_t page)
{
	uint32_t unit = page >> cache->walk_shift;
	uint32_t *translated = &cache->translated[unit % CACHE_MODEL_TRANSLATIONS];

	*open = page;
	cache->pages++;
	cache->walks += *translated != unit;
	*translated = unit;
}

/*
 * Fetch or write back @line: its DRAM page is opened unless it is open. Memory controllers collect
 * reads and writes separately, so each of them has its own open pages.
 */
static inline void move_line(struct cache_model *cache, uint32_t open[GPU_MEMORY_BANKS],
			     uint32_t line)
{
	uint32_t page = line >> cache->page_shift, bank = gpu_memory_bank(page);

	if (open[bank] != page)
		open_page(cache, &open[bank], page);
}

void cache_model_change(struct cache_model *cache, uint32_t line, bool write, uint64_t *read_bytes,
			uint64_t *write_bytes)
{
	uint32_t set = line & (cache->sets - 1), dirty = cache->older_dirty[set];

	if (cache->older[set] != line) {
		if (dirty) {
			*write_bytes += cache->line_bytes;
			move_line(cache, cache->written_page, cache->older[set]);
		}
		*read_bytes += cache->line_bytes;
		move_line(cache, cache->read_page, line);
		dirty = 0;
	}
	cache->older[set] = cache->newest[set];
	cache->older_dirty[set] = cache->newest_dirty[set];
	cache->newest[set] = line;
	cache->newest_dirty[set] = dirty | (0u - write);
}

/* Reads are processed without branches, since hits and misses are unpredictable. */
uint32_t cache_model_read(struct cache_model *cache, const uint32_t *line, unsigned int count)
{
	const uint32_t mask = cache->sets - 1;
	uint32_t fetched = 0;

	for (unsigned int i = 0; i < count; i++) {
		uint32_t set = line[i] & mask, newest = cache->newest[set];
		uint32_t older = cache->older[set], same = 0u - (newest == line[i]);
		uint32_t miss = ~same & (0u - (older != line[i]));
		uint32_t page = line[i] >> cache->page_shift;
		uint32_t *open = &cache->read_page[gpu_memory_bank(page)];

		fetched -= miss;
		if (__builtin_expect(miss & (*open ^ page), 0))
			open_page(cache, open, page);
		cache->older[set] = (older & same) | (newest & ~same);
		cache->newest[set] = line[i];
	}
	return fetched;
}

/* CACHE_MODEL_RUN consecutive sets. */
typedef uint32_t sets4 __attribute__((vector_size(16), aligned(4), may_alias));

static inline uint32_t count(sets4 mask)
{
#ifdef __SSE__
	typedef float float4 __attribute__((vector_size(16)));

	return (uint32_t)__builtin_popcount((unsigned int)__builtin_ia32_movmskps((float4)mask));
#else
	mask &= 1;
	return mask[0] + mask[1] + mask[2] + mask[3];
#endif
}

void cache_model_touch_run(struct cache_model *cache, uint32_t address, bool write,
			   uint64_t *read_bytes, uint64_t *write_bytes)
{
	uint32_t first = address >> cache->line_shift, set = first & (cache->sets - 1);
	sets4 *newest = (sets4 *)&cache->newest[set], *older = (sets4 *)&cache->older[set];
	sets4 *newest_dirty = (sets4 *)&cache->newest_dirty[set];
	sets4 *older_dirty = (sets4 *)&cache->older_dirty[set];
	const sets4 line = (sets4){ 0, 1, 2, 3 } + first;
	const sets4 stays = (sets4)(*newest == line), back = ~stays & (sets4)(*older == line);
	const sets4 fetched = ~(stays | back);
	const sets4 dirty = (stays & *newest_dirty) | (back & *older_dirty);
	const sets4 goes = fetched & *older_dirty;
	const uint32_t lines = count(fetched), written = count(goes);

	*read_bytes += (uint64_t)lines * cache->line_bytes;
	*write_bytes += (uint64_t)written * cache->line_bytes;
	for (unsigned int i = 0; written && i < CACHE_MODEL_RUN; i++)
		if (goes[i])
			move_line(cache, cache->written_page, cache->older[set + i]);
	if (lines)
		move_line(cache, cache->read_page, first);
	*older = (stays & *older) | (~stays & *newest);
	*older_dirty = (stays & *older_dirty) | (~stays & *newest_dirty);
	*newest = line;
	*newest_dirty = dirty | (0u - write);
}

/* Set the contents of these sets to the lines of runs @newer and @older, all dirty. */
static inline void hold_runs(struct cache_model *cache, uint32_t newer, uint32_t older)
{
	const sets4 in_run = { 0, 1, 2, 3 }, dirty = ~(sets4){ 0 };
	uint32_t first = newer * CACHE_MODEL_RUN, set = first & (cache->sets - 1);

	*(sets4 *)&cache->newest[set] = in_run + first;
	*(sets4 *)&cache->older[set] = in_run + older * CACHE_MODEL_RUN;
	*(sets4 *)&cache->newest_dirty[set] = dirty;
	*(sets4 *)&cache->older_dirty[set] = dirty;
}

/*
 * move_line() for a run's first line. @last: DRAM page that has just been opened, which need not be
 * opened again.
 */
static inline void use_page(struct cache_model *cache, uint32_t open[GPU_MEMORY_BANKS],
			    uint32_t *last, uint32_t run)
{
	uint32_t line = run * CACHE_MODEL_RUN;

	if (line >> cache->page_shift == *last)
		return;
	*last = line >> cache->page_shift;
	move_line(cache, open, line);
}

/*
 * After two runs in the same sets, both of the sets' lines are dirty, so each further run reads
 * its lines and writes back as many.
 */
void cache_model_write_runs(struct cache_model *cache, uint32_t address, const uint8_t *order,
			    unsigned int count, uint64_t *read_bytes, uint64_t *write_bytes)
{
	const uint32_t shift = cache->line_shift + 2, mask = cache->sets / CACHE_MODEL_RUN - 1;
	unsigned int seen[CACHE_MODEL_LINES / 2 / CACHE_MODEL_RUN] = { 0 };
	uint32_t last[CACHE_MODEL_LINES / 2 / CACHE_MODEL_RUN][2];
	uint32_t page = CACHE_MODEL_NONE, written_page = CACHE_MODEL_NONE;
	uint64_t bytes = 0;

	_Static_assert(CACHE_MODEL_RUN == 1 << 2, "see shift");
	for (unsigned int i = 0; i < count; i++) {
		uint32_t run = (address >> shift) + order[i], sets = run & mask;
		unsigned int n = seen[sets]++;

		if (n < 2) {
			cache_model_touch_run(cache, run << shift, true, read_bytes, write_bytes);
			page = written_page = CACHE_MODEL_NONE;
		} else {
			bytes += (uint64_t)CACHE_MODEL_RUN * cache->line_bytes;
			use_page(cache, cache->written_page, &written_page, last[sets][n % 2]);
			use_page(cache, cache->read_page, &page, run);
		}
		last[sets][n % 2] = run;
	}
	for (unsigned int i = 0; i <= mask; i++)
		if (seen[i] > 2)
			hold_runs(cache, last[i][~seen[i] % 2], last[i][seen[i] % 2]);
	*read_bytes += bytes;
	*write_bytes += bytes;
}

uint64_t cache_model_flush(struct cache_model *cache)
{
	uint64_t written = 0;

	for (uint32_t i = 0; i < cache->sets; i++)
		written += (uint64_t)cache->line_bytes *
			   ((cache->newest_dirty[i] & 1) + (cache->older_dirty[i] & 1));
	empty(cache);
	return written;
}
