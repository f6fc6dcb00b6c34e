// SPDX-License-Identifier: MIT
/*
 * Tile status. A tag is read before the tile it stands for; a fast-cleared
 * tile becomes real at that moment. Compressed tiles, which tags can also
 * announce, are never produced here: the compression bits of the states only
 * say that a surface is multisampled.
 */
#include "gc/ts.h"

#include <string.h>

#include "gc/core.h"
#include "hw/common.xml.h"
#include "hw/state_3d.xml.h"

#define SURFACE_ALIGN 64u
#define SMALL_MSAA_TILE_BYTES 256u

/* The second word matters to 64-bit pixels only: etnaviv leaves it 0 when it resolves depth. */
static uint64_t clear_value(const struct gc_core *gc, unsigned int pixel_bytes, uint32_t low_state,
			    uint32_t high_state)
{
	uint32_t low = gc_state_u32(&gc->state, low_state);
	uint32_t high = pixel_bytes == 8 ? gc_state_u32(&gc->state, high_state) : low;

	return (uint64_t)high << 32 | low;
}

/* A power of two that surfaces are aligned to at least. */
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
	if (config & VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION)
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
	if (config & VIVS_TS_RT_CONFIG_COMPRESSION)
		gc_ts_wide(gc, ts);
}

void gc_ts_depth(const struct gc_core *gc, struct gc_tile_status *ts)
{
	uint32_t config = gc_state_u32(&gc->state, VIVS_TS_MEM_CONFIG);
	uint64_t value = gc_state_u32(&gc->state, VIVS_TS_DEPTH_CLEAR_VALUE);

	ts->enabled = config & VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR;
	set_place(gc, ts, VIVS_TS_DEPTH_STATUS_BASE, VIVS_TS_DEPTH_SURFACE_BASE, GC_CLIENT_PEZ);
	ts->clear_value = value << 32 | value;
	if (config & VIVS_TS_MEM_CONFIG_DEPTH_COMPRESSION)
		gc_ts_wide(gc, ts);
}

/* A tag: the byte that holds it, and where in that. */
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

bool gc_ts_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address,
		      bool *cleared)
{
	return gc_ts_tag_is_cleared(gc, ts, gc_ts_index(ts, address), cleared);
}

static inline bool tag_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts,
				  const struct tag *tag, bool *cleared)
{
	const uint8_t *tags = gc_mmu_map(&gc->mmu, ts->client, GC_READ, tag->address);

	if (!tags)
		return false;
	*cleared = (*tags >> tag->shift & tag->mask) == GC_TS_CLEARED;
	return true;
}

bool gc_ts_tag_is_cleared(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index,
			  bool *cleared)
{
	const struct tag tag = find_tag(ts, index);

	return tag_is_cleared(gc, ts, &tag, cleared);
}

/* The clear value as often as it fits half the alignment of surfaces: what is stored at once. */
typedef uint64_t clear_words __attribute__((vector_size(SURFACE_ALIGN / 2), aligned(8), may_alias));

static inline void clear_part(clear_words *part, uint64_t value)
{
	part[0] = part[1] = (clear_words){ 0 } + value;
}

static inline bool write_clear(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index)
{
	uint32_t address = ts->surface_address + index * ts->tile_bytes;
	uint32_t end = address + ts->tile_bytes;

	/* In steps that never cross a page, whatever the surface's place. */
	do {
		clear_words *part = gc_mmu_map(&gc->mmu, ts->client, GC_WRITE, address);

		if (!part)
			return false;
		clear_part(part, ts->clear_value);
		address += SURFACE_ALIGN;
	} while (address != end);
	return true;
}

bool gc_ts_write_clear(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index)
{
	return write_clear(gc, ts, index);
}

/* A tag that says cleared says normal from now on; false after a fault. */
static inline bool set_normal(struct gc_core *gc, const struct gc_tile_status *ts,
			      const struct tag *tag)
{
	uint8_t *tags = gc_mmu_map(&gc->mmu, ts->client, GC_WRITE, tag->address);

	if (!tags)
		return false;
	*tags = (uint8_t)(*tags & ~(tag->mask << tag->shift));
	return true;
}

bool gc_ts_fill_tile(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index,
		     bool *cleared)
{
	const struct tag tag = find_tag(ts, index);

	if (!tag_is_cleared(gc, ts, &tag, cleared))
		return false;
	return !*cleared || (write_clear(gc, ts, index) && set_normal(gc, ts, &tag));
}

bool gc_ts_fill(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t address)
{
	bool cleared;

	return gc_ts_fill_tile(gc, ts, gc_ts_index(ts, address), &cleared);
}

/* A byte of tags that are all the same. */
#define TAGS(tag) ((tag) * 0x55u)

bool gc_ts_fill_run(struct gc_core *gc, const struct gc_tile_status *ts, uint32_t index,
		    bool *cleared)
{
	uint32_t address = ts->surface_address + index * SURFACE_ALIGN;
	uint32_t tag_address = gc_ts_tag_address(ts, index);
	const uint8_t *old = gc_mmu_cached(&gc->mmu, ts->client, GC_READ, tag_address);
	clear_words *tile = (clear_words *)gc_mmu_cached(&gc->mmu, ts->client, GC_WRITE, address);
	uint8_t *tags = gc_mmu_cached(&gc->mmu, ts->client, GC_WRITE, tag_address);
	bool apart = (uintptr_t)tags - (uintptr_t)tile >= GC_TS_RUN * SURFACE_ALIGN;

	if (!old || !tile || !tags || !apart || (*old != TAGS(GC_TS_CLEARED) && *old))
		return false;
	*cleared = *old;
	if (!*cleared)
		return true;
	for (unsigned int i = 0; i < GC_TS_RUN; i++)
		clear_part(tile + 2 * i, ts->clear_value);
	*tags = 0;
	return true;
}
