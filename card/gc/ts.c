// SPDX-License-Identifier: MIT
/*
 * Tile status. A tag is read before the tile; a fast-cleared tile is filled at that moment.
 * Tags for compressed tiles are never produced here: the states' compression bits only mean
 * that a surface is multisampled.
 *
 * [chosen] The tag cache's lines have the size of the pixel caches' lines. A dirty line is
 * written back as a whole, which overwrites what others wrote to it in memory meanwhile.
 */
#include "gc/ts.h"

#include <string.h>

#include "gc/core.h"
#include "hw/common.xml.h"
#include "hw/state_3d.xml.h"

#define SURFACE_ALIGN 64u
#define SMALL_MSAA_TILE_BYTES 256u

/*
 * The second word is used for 64-bit pixels only, since etnaviv leaves it 0 when it resolves
 * depth.
 */
static uint64_t clear_value(const struct gc_core *gc, unsigned int pixel_bytes, uint32_t low_state,
			    uint32_t high_state)
{
	uint32_t low = gc_state_u32(&gc->state, low_state);
	uint32_t high = pixel_bytes == 8 ? gc_state_u32(&gc->state, high_state) : low;

	return (uint64_t)high << 32 | low;
}

/* Bytes of surface per tag: at most 256, and a power of two. */
static unsigned int tile_bytes(const struct gc_personality *personality)
{
	if (personality->ts_tile_bytes >= 256)
		return 256;
	return personality->ts_tile_bytes >= 128 ? 128 : SURFACE_ALIGN;
}

static void set_place(const struct gc_core *gc, struct gc_tile_status *ts, uint32_t status_state,
		      uint32_t surface_state, enum gc_memory_client client)
{
	ts->status_address = gc_state_u32(&gc->state, status_state);
	ts->surface_address = gc_state_u32(&gc->state, surface_state) & ~(SURFACE_ALIGN - 1);
	ts->bits = gc->personality->ts_bits == 4 ? 4 : 2;
	ts->tile_bytes = tile_bytes(gc->personality);
	ts->client = client;
}

void gc_ts_wide(const struct gc_core *gc, struct gc_tile_status *ts)
{
	if (gc->personality->minor_features[4] & chipMinorFeatures4_SMALL_MSAA)
		ts->tile_bytes = SMALL_MSAA_TILE_BYTES;
}

void gc_ts_color(const struct gc_core *gc, unsigned int pixel_bytes, struct gc_tile_status *ts)
{
	uint32_t config = gc_state_u32(&gc->state, VIVS_TS_MEM_CONFIG);

	ts->enabled = config & VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR;
	set_place(gc, ts, VIVS_TS_COLOR_STATUS_BASE, VIVS_TS_COLOR_SURFACE_BASE, GC_CLIENT_PE);
	ts->clear_value = clear_value(gc, pixel_bytes, VIVS_TS_COLOR_CLEAR_VALUE,
				      VIVS_TS_COLOR_CLEAR_VALUE_EXT);
	ts->compressed = config & VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION;
	if (ts->compressed)
		gc_ts_wide(gc, ts);
}

void gc_ts_target(const struct gc_core *gc, unsigned int target, unsigned int pixel_bytes,
		  struct gc_tile_status *ts)
{
	uint32_t config = gc_state_u32(&gc->state, VIVS_TS_RT_CONFIG(target));

	ts->enabled = config & VIVS_TS_RT_CONFIG_ENABLE;
	set_place(gc, ts, VIVS_TS_RT_STATUS_BASE(target), VIVS_TS_RT_SURFACE_BASE(target),
		  GC_CLIENT_PE);
	ts->clear_value = clear_value(gc, pixel_bytes, VIVS_TS_RT_CLEAR_VALUE(target),
				      VIVS_TS_RT_CLEAR_VALUE2(target));
	ts->compressed = config & VIVS_TS_RT_CONFIG_COMPRESSION;
	if (ts->compressed)
		gc_ts_wide(gc, ts);
}

void gc_ts_depth(const struct gc_core *gc, struct gc_tile_status *ts)
{
	uint32_t config = gc_state_u32(&gc->state, VIVS_TS_MEM_CONFIG);
	uint64_t value = gc_state_u32(&gc->state, VIVS_TS_DEPTH_CLEAR_VALUE);

	ts->enabled = config & VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR;
	set_place(gc, ts, VIVS_TS_DEPTH_STATUS_BASE, VIVS_TS_DEPTH_SURFACE_BASE, GC_CLIENT_PEZ);
	ts->clear_value = value << 32 | value;
	ts->compressed = config & VIVS_TS_MEM_CONFIG_DEPTH_COMPRESSION;
	if (ts->compressed)
		gc_ts_wide(gc, ts);
}

/* Position of a tag: the address of its byte, and its bits. */
struct tag {
	uint32_t address;
	unsigned int shift, mask;
};

static inline struct tag find_tag(const struct gc_tile_status *ts, uint32_t index)
{
	uint64_t bit = (uint64_t)index * ts->bits;

	return (struct tag){ ts->status_address + (uint32_t)(bit / 8), bit % 8,
			     (1u << ts->bits) - 1 };
}

static inline bool tag_is_cleared(const struct tag *tag, uint8_t tags)
{
	return (tags >> tag->shift & tag->mask) == GC_TS_CLEARED;
}

/*
 * Whether the tag is one that a clear or a draw writes. Silicon hangs at others, as in memory that was never
 * initialised (Mesa etnaviv, "random TS memory"). Compressed tiles have further ones.
 */
static inline bool tag_is_valid(const struct gc_tile_status *ts, const struct tag *tag,
				uint8_t tags)
{
	return ts->compressed || ts->bits != 2 || (tags >> tag->shift & tag->mask) <= GC_TS_CLEARED;
}

static inline uint8_t set_normal(const struct tag *tag, uint8_t tags)
{
	return (uint8_t)(tags & ~(tag->mask << tag->shift));
}

/* Half the alignment of surfaces, filled with copies of the clear value; the unit of stores. */
typedef uint64_t clear_words __attribute__((vector_size(SURFACE_ALIGN / 2), aligned(8), may_alias));

static inline void clear_part(clear_words *part, uint64_t value)
{
	part[0] = part[1] = (clear_words){ 0 } + value;
}

/* Write the clear value to tile @index, without reading its tag; false after a fault. */
static inline bool write_clear(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index)
{
	uint32_t address = ts->surface_address + index * ts->tile_bytes;
	uint32_t end = address + ts->tile_bytes;

	/* steps of SURFACE_ALIGN never cross a page */
	do {
		clear_words *part = gc_mmu_map(&gc->mmu, ts->client, GC_WRITE, address);

		if (!part)
			return false;
		clear_part(part, ts->clear_value);
		address += SURFACE_ALIGN;
	} while (address != end);
	return true;
}

/* ---- tags in memory ---- */

bool gc_ts_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address,
		      bool *cleared)
{
	const struct tag tag = find_tag(ts, gc_ts_index(ts, address));
	const uint8_t *tags = gc_mmu_map(&gc->mmu, ts->client, GC_READ, tag.address);

	if (!tags)
		return false;
	*cleared = tag_is_cleared(&tag, *tags);
	return true;
}

bool gc_ts_fill(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address)
{
	uint32_t index = gc_ts_index(ts, address);
	const struct tag tag = find_tag(ts, index);
	uint8_t *tags;
	bool cleared;

	if (!gc_ts_is_cleared(gc, ts, address, &cleared))
		return false;
	if (!cleared)
		return true;
	if (!write_clear(gc, ts, index))
		return false;
	tags = gc_mmu_map(&gc->mmu, ts->client, GC_WRITE, tag.address);
	if (!tags)
		return false;
	*tags = set_normal(&tag, *tags);
	return true;
}

/* ---- tags in the cache ---- */

void gc_ts_cache_clear(struct gc_ts_cache *cache)
{
	for (unsigned int set = 0; set < GC_TS_SETS; set++) {
		cache->newest[set] = 0;
		for (unsigned int way = 0; way < GC_TS_WAYS; way++) {
			cache->line[set][way].number = GC_TS_NO_LINE;
			cache->line[set][way].dirty = false;
		}
	}
}

bool gc_ts_cache_is_dirty(const struct gc_ts_cache *cache)
{
	bool dirty = false;

	for (unsigned int set = 0; set < GC_TS_SETS; set++)
		for (unsigned int way = 0; way < GC_TS_WAYS; way++)
			dirty |= cache->line[set][way].dirty;
	return dirty;
}

/* Write the line back if it is dirty, and empty it. Returns: false after a fault. */
static bool write_back(struct gc_core *gc, struct gc_ts_line *line)
{
	uint32_t address = line->number * GC_TS_LINE_BYTES;
	bool dirty = line->dirty;
	uint8_t *to;

	line->number = GC_TS_NO_LINE;
	line->dirty = false;
	if (!dirty)
		return true;
	to = gc_mmu_map(&gc->mmu, line->client, GC_WRITE, address);
	if (!to)
		return false;
	memcpy(to, line->tags, sizeof(line->tags));
	gc->work.ts_write_bytes += GC_TS_LINE_BYTES;
	return true;
}

void gc_ts_cache_flush(struct gc_core *gc, struct gc_ts_cache *cache)
{
	for (unsigned int set = 0; set < GC_TS_SETS; set++)
		for (unsigned int way = 0; way < GC_TS_WAYS; way++)
			write_back(gc, &cache->line[set][way]);
}

/*
 * Returns: the line with the tags at @address, now the newest of its set; NULL if it is not
 * cached.
 */
static inline struct gc_ts_line *look_up(struct gc_ts_cache *cache, uint32_t address)
{
	uint32_t number = address / GC_TS_LINE_BYTES, set = number % GC_TS_SETS;
	unsigned int newest = cache->newest[set];

	_Static_assert(GC_TS_WAYS == 2, "the other way is the oldest");
	if (cache->line[set][newest].number == number)
		return &cache->line[set][newest];
	newest ^= 1;
	if (cache->line[set][newest].number != number)
		return NULL;
	cache->newest[set] = newest;
	return &cache->line[set][newest];
}

/*
 * Returns: the line with the tags at @address, read from memory if necessary; NULL after a
 * fault.
 */
static struct gc_ts_line *fetch(struct gc_core *gc, struct gc_ts_cache *cache,
				const struct gc_tile_status *ts, uint32_t address)
{
	uint32_t number = address / GC_TS_LINE_BYTES, set = number % GC_TS_SETS;
	struct gc_ts_line *line = look_up(cache, address);
	const uint8_t *from;

	if (line)
		return line;
	line = &cache->line[set][cache->newest[set] ^ 1];
	if (!write_back(gc, line))
		return NULL;
	from = gc_mmu_map(&gc->mmu, ts->client, GC_READ, number * GC_TS_LINE_BYTES);
	if (!from)
		return NULL;
	memcpy(line->tags, from, sizeof(line->tags));
	line->number = number;
	line->client = ts->client;
	cache->newest[set] ^= 1;
	gc->work.ts_read_bytes += GC_TS_LINE_BYTES;
	return line;
}

bool gc_ts_fill_tile(struct gc_core *gc, struct gc_ts_cache *cache, const struct gc_tile_status *ts,
		     uint32_t index, bool *cleared)
{
	const struct tag tag = find_tag(ts, index);
	struct gc_ts_line *line = fetch(gc, cache, ts, tag.address);
	uint8_t *tags;

	if (!line)
		return false;
	tags = &line->tags[tag.address % GC_TS_LINE_BYTES];
	if (!tag_is_valid(ts, &tag, *tags)) {
		gc->hang = "tile status that no clear writes";
		return false;
	}
	*cleared = tag_is_cleared(&tag, *tags);
	if (!*cleared)
		return true;
	if (!write_clear(gc, ts, index))
		return false;
	*tags = set_normal(&tag, *tags);
	line->dirty = true;
	return true;
}

/* A byte with the same tag four times. */
#define TAGS(tag) ((tag) * 0x55u)

bool gc_ts_fill_run(struct gc_core *gc, struct gc_ts_cache *cache, const struct gc_tile_status *ts,
		    uint32_t index, bool *cleared)
{
	uint32_t address = ts->surface_address + index * SURFACE_ALIGN; /* the tiles' size, too */
	uint32_t tag_address = gc_ts_tag_address(ts, index);
	clear_words *tile = (clear_words *)gc_mmu_cached(&gc->mmu, ts->client, GC_WRITE, address);
	struct gc_ts_line *line = look_up(cache, tag_address);
	uint8_t *tags;

	if (!line || !tile)
		return false;
	tags = &line->tags[tag_address % GC_TS_LINE_BYTES];
	if (*tags != TAGS(GC_TS_CLEARED) && *tags)
		return false;
	*cleared = *tags;
	if (!*cleared)
		return true;
	for (unsigned int i = 0; i < GC_TS_RUN; i++)
		clear_part(tile + 2 * i, ts->clear_value);
	*tags = 0;
	line->dirty = true;
	return true;
}
