// SPDX-License-Identifier: MIT
/* Rules of flushes and stalls. Each has its source in Documentation/card/strict.rst. */
#include "gc/sync.h"

#include <inttypes.h>
#include <string.h>

#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

/* @rule applied; returns its bit if it was broken, else 0. */
static unsigned int judge(struct gc_sync *sync, enum gc_sync_rule rule, bool broken)
{
	sync->applied[rule]++;
	sync->broken[rule] += broken;
	return (unsigned int)broken << rule;
}

unsigned int gc_sync_draw(struct gc_sync *sync)
{
	unsigned int broken = 0;

	if (sync->texturevs_flushed)
		broken = judge(sync, GC_SYNC_TXVS_STALL, sync->texturevs_pending);
	sync->texturevs_flushed = false;
	sync->color_dirty = sync->depth_dirty = sync->pixels_pending = sync->drawn = true;
	return broken;
}

unsigned int gc_sync_resolve(struct gc_sync *sync)
{
	unsigned int broken = 0;

	if (sync->drawn)
		broken = judge(sync, GC_SYNC_RS_FLUSH, sync->color_dirty || sync->depth_dirty) |
			 judge(sync, GC_SYNC_RS_STALL, sync->pixels_pending);
	sync->drawn = false;
	return broken;
}

void gc_sync_flush(struct gc_sync *sync, uint32_t value)
{
	if (value & VIVS_GL_FLUSH_CACHE_COLOR)
		sync->color_dirty = false;
	if (value & VIVS_GL_FLUSH_CACHE_DEPTH)
		sync->depth_dirty = false;
	if (value & (VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH))
		sync->pixels_pending = true;
	if (value & VIVS_GL_FLUSH_CACHE_TEXTUREVS)
		sync->texturevs_pending = sync->texturevs_flushed = true;
}

void gc_sync_stall(struct gc_sync *sync, unsigned int from, unsigned int to)
{
	if (to != SYNC_RECIPIENT_PE)
		return;
	sync->pixels_pending = false;
	if (from == SYNC_RECIPIENT_FE || from == SYNC_RECIPIENT_RA)
		sync->texturevs_pending = false;
}

void gc_sync_reset(struct gc_sync *sync)
{
	struct gc_sync fresh = { 0 };

	memcpy(fresh.applied, sync->applied, sizeof(fresh.applied));
	memcpy(fresh.broken, sync->broken, sizeof(fresh.broken));
	*sync = fresh;
}

const char *gc_sync_name(enum gc_sync_rule rule)
{
	static const char *const names[GC_SYNC_RULES] = {
		[GC_SYNC_RS_FLUSH] = "rs-flush",
		[GC_SYNC_RS_STALL] = "rs-stall",
		[GC_SYNC_TXVS_STALL] = "txvs-stall",
	};

	return names[rule];
}

void gc_sync_summary(const struct gc_sync *sync, FILE *file)
{
	for (unsigned int rule = 0; rule < GC_SYNC_RULES; rule++)
		fprintf(file, "%s: applied %" PRIu64 ", broken %" PRIu64 "\n", gc_sync_name(rule),
			sync->applied[rule], sync->broken[rule]);
}
