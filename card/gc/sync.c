// SPDX-License-Identifier: MIT
/* Rules of flushes and stalls. Each has its source in Documentation/card/strict.rst. */
#include "gc/sync.h"

#include <inttypes.h>
#include <string.h>

#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FAST_CLEAR (VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR | VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR)

uint32_t gc_sync_draw(struct gc_sync *sync, const struct gc_sync_core *core)
{
	uint32_t broken = gc_sync_draw_states(sync, core);

	if (sync->texturevs_flushed)
		broken |= gc_sync_judge(sync, GC_SYNC_TXVS_STALL, sync->texturevs_pending);
	if (sync->samples_written)
		broken |= gc_sync_judge(sync, GC_SYNC_INPUTS, !sync->inputs_written);
	sync->texturevs_flushed = sync->samples_written = sync->tags_flushed = false;
	sync->color_dirty = sync->depth_dirty = sync->pixels_pending = true;
	sync->draws_pending = sync->resolvable = sync->unreported = sync->drawn = true;
	sync->tags_dirty |= (gc_state_u32(core->state, VIVS_TS_MEM_CONFIG) & FAST_CLEAR) != 0;
	return broken;
}

uint32_t gc_sync_resolve(struct gc_sync *sync, const struct gc_sync_core *core, bool in_place)
{
	uint32_t broken = gc_sync_resolve_states(sync, core, in_place);
	bool clear = !in_place && gc_state_u32(core->state, VIVS_RS_CLEAR_CONTROL) &
					  VIVS_RS_CLEAR_CONTROL_MODE__MASK;

	if (sync->resolvable)
		broken |= gc_sync_judge(sync, GC_SYNC_RS_FLUSH,
					sync->color_dirty || sync->depth_dirty) |
			  gc_sync_judge(sync, GC_SYNC_RS_STALL, sync->pixels_pending);
	if (clear && sync->tags_flushed)
		broken |= gc_sync_judge(sync, GC_SYNC_TS_ORDER, sync->tags_flushed_early);
	sync->resolvable = sync->tags_flushed = false;
	return broken;
}

static uint32_t flush_caches(struct gc_sync *sync, const struct gc_sync_core *core, uint32_t value)
{
	const uint32_t textures = VIVS_GL_FLUSH_CACHE_TEXTURE | VIVS_GL_FLUSH_CACHE_TEXTUREVS;
	uint32_t broken = 0;

	if (value & textures && core->personality->halti < 5 && sync->drawn)
		broken = gc_sync_judge(sync, GC_SYNC_TX_STALL, sync->draws_pending);
	if (value & VIVS_GL_FLUSH_CACHE_COLOR)
		sync->color_dirty = false;
	if (value & VIVS_GL_FLUSH_CACHE_DEPTH)
		sync->depth_dirty = false;
	if (value & (VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH))
		sync->pixels_pending = true;
	if (value & VIVS_GL_FLUSH_CACHE_TEXTUREVS)
		sync->texturevs_pending = sync->texturevs_flushed = true;
	return broken;
}

static void flush_tags(struct gc_sync *sync)
{
	sync->tags_flushed |= sync->drawn;
	sync->tags_flushed_early = sync->color_dirty || sync->depth_dirty || sync->pixels_pending;
	sync->tags_dirty = false;
}

static bool within(uint32_t address, uint32_t first, uint32_t words)
{
	return address - first < 4 * words;
}

/* States of which cores have one copy, which draws use until they end. */
static bool is_loaded(uint32_t address)
{
	return within(address, VIVS_VS_INST_MEM(0), VIVS_VS_INST_MEM__LEN) ||
	       within(address, VIVS_PS_INST_MEM(0), VIVS_PS_INST_MEM__LEN) ||
	       within(address, VIVS_SH_INST_MEM(0), VIVS_SH_INST_MEM__LEN) ||
	       within(address, VIVS_SH_INST_MEM_MIRROR(0), VIVS_SH_INST_MEM_MIRROR__LEN) ||
	       within(address, VIVS_VS_UNIFORMS(0), VIVS_VS_UNIFORMS__LEN) ||
	       within(address, VIVS_PS_UNIFORMS(0), VIVS_PS_UNIFORMS__LEN) ||
	       within(address, VIVS_SH_UNIFORMS(0), VIVS_SH_UNIFORMS__LEN) ||
	       (address >= VIVS_TE_SAMPLER_CONFIG0(0) &&
		address < VIVS_TE_SAMPLER_LINEAR_STRIDE(0, VIVS_TE_SAMPLER_LINEAR_STRIDE__LEN)) ||
	       (address >= VIVS_NTE_SAMPLER_CONFIG0(0) && address < VIVS_NTE_UNK12000(0));
}

static bool is_target(uint32_t address)
{
	return address == VIVS_PE_COLOR_ADDR || address == VIVS_PE_DEPTH_ADDR ||
	       within(address, VIVS_PE_PIPE_COLOR_ADDR(0), 2) ||
	       within(address, VIVS_PE_PIPE_DEPTH_ADDR(0), 2) ||
	       (address >= VIVS_PE_RT_ADDR_4_PIPE(0, 0) && address < VIVS_PE_RT_CONFIG_4(0)) ||
	       (address >= VIVS_PE_RT_ADDR_8_PIPE(0, 0) && address < VIVS_PE_RT_CONFIG_8(0));
}

/*
 * TS_MEM_CONFIG to TS_DEPTH_CLEAR_VALUE; and for eight targets each: CONFIG, STATUS_BASE and
 * SURFACE_BASE, CLEAR_VALUE and CLEAR_VALUE2.
 */
static bool is_tile_status(uint32_t address)
{
	return within(address, VIVS_TS_MEM_CONFIG, 7) || address == VIVS_TS_COLOR_CLEAR_VALUE_EXT ||
	       within(address, VIVS_TS_RT_CONFIG(0), 24) ||
	       within(address, VIVS_TS_RT_CLEAR_VALUE(0), 16);
}

/* Changes of states that the pixel engine uses for what is in its caches. */
static uint32_t judge_change(struct gc_sync *sync, uint32_t address, uint32_t value,
			     uint32_t changed)
{
	if (!changed || !sync->drawn)
		return 0;
	/* etnaviv turns tile status off without a flush, and its tags reach memory later */
	if (address == VIVS_TS_MEM_CONFIG && !(value & FAST_CLEAR))
		return 0;
	if (is_tile_status(address))
		return gc_sync_judge(sync, GC_SYNC_TS_CHANGE, sync->tags_dirty);
	if (is_target(address))
		return gc_sync_judge(sync, GC_SYNC_TARGET,
				     sync->color_dirty || sync->depth_dirty ||
					     sync->pixels_pending);
	if (address == VIVS_PE_DEPTH_CONFIG ||
	    (address == VIVS_PE_STENCIL_CONFIG && changed & VIVS_PE_STENCIL_CONFIG_MODE__MASK))
		return gc_sync_judge(sync, GC_SYNC_DEPTH,
				     sync->depth_dirty || sync->pixels_pending);
	if (address == VIVS_PE_COLOR_FORMAT && changed & VIVS_PE_COLOR_FORMAT_OVERWRITE)
		return gc_sync_judge(sync, GC_SYNC_OVERWRITE,
				     sync->color_dirty || sync->pixels_pending);
	return 0;
}

/* An event of the pixel engine tells the driver that the draws before it are in memory. */
static uint32_t report_event(struct gc_sync *sync, uint32_t value)
{
	if (value & VIVS_GL_EVENT_FROM_FE || !sync->unreported)
		return 0;
	sync->unreported = false;
	return gc_sync_judge(sync, GC_SYNC_EVENT,
			     sync->color_dirty || sync->depth_dirty || sync->tags_dirty ||
				     sync->pixels_pending);
}

static uint32_t write_element(struct gc_sync *sync, uint32_t address)
{
	bool first = address == VIVS_FE_VERTEX_ELEMENT_CONFIG(0);
	bool next = address == sync->element;

	sync->element = address + sizeof(uint32_t);
	sync->elements = (sync->element - VIVS_FE_VERTEX_ELEMENT_CONFIG(0)) / sizeof(uint32_t);
	return gc_sync_judge(sync, GC_SYNC_ELEMENTS, !first && !next);
}

uint32_t gc_sync_write(struct gc_sync *sync, const struct gc_sync_core *core, uint32_t address,
		       uint32_t old)
{
	uint32_t value = gc_state_u32(core->state, address);

	switch (address) {
	case VIVS_GL_FLUSH_CACHE:
		return flush_caches(sync, core, value);
	case VIVS_TS_FLUSH_CACHE:
		if (value & VIVS_TS_FLUSH_CACHE_FLUSH)
			flush_tags(sync);
		return 0;
	case VIVS_GL_EVENT:
		return report_event(sync, value);
	case VIVS_GL_PIPE_SELECT:
		return sync->drawn ? gc_sync_judge(sync, GC_SYNC_PIPE, sync->draws_pending) : 0;
	case VIVS_GL_MULTI_SAMPLE_CONFIG:
		sync->samples_written = true;
		sync->inputs_written = false;
		return 0;
	case VIVS_PS_INPUT_COUNT:
		sync->inputs_written = true;
		return 0;
	}
	if (within(address, VIVS_FE_VERTEX_ELEMENT_CONFIG(0), VIVS_FE_VERTEX_ELEMENT_CONFIG__LEN))
		return write_element(sync, address);
	sync->element = 0; /* ends a run of vertex elements; the states above do not */
	if (is_loaded(address))
		return sync->drawn ? gc_sync_judge(sync, GC_SYNC_LOAD, sync->draws_pending) : 0;
	return judge_change(sync, address, value, value ^ old);
}

void gc_sync_stall(struct gc_sync *sync, unsigned int from, unsigned int to)
{
	if (to != SYNC_RECIPIENT_PE)
		return;
	sync->pixels_pending = false;
	if (from == SYNC_RECIPIENT_FE)
		sync->draws_pending = sync->tags_flushed = false;
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

const struct gc_sync_info *gc_sync_about(enum gc_sync_rule rule)
{
	static const struct gc_sync_info about[GC_SYNC_RULES] = {
		[GC_SYNC_RS_FLUSH] = { "rs-flush", 'b', GC_SYNC_WRONG },
		[GC_SYNC_RS_STALL] = { "rs-stall", 'b', GC_SYNC_WRONG },
		[GC_SYNC_TS_ORDER] = { "ts-order", 'a', GC_SYNC_HANGS },
		[GC_SYNC_TS_CHANGE] = { "ts-change", 'a', GC_SYNC_WRONG },
		[GC_SYNC_TARGET] = { "target", 'a', GC_SYNC_WRONG },
		[GC_SYNC_DEPTH] = { "depth", 'b', GC_SYNC_MAY_HANG },
		[GC_SYNC_OVERWRITE] = { "overwrite", 'a', GC_SYNC_WRONG },
		[GC_SYNC_TX_STALL] = { "tx-stall", 'c', GC_SYNC_WRONG },
		[GC_SYNC_TXVS_STALL] = { "txvs-stall", 'b', GC_SYNC_HANGS },
		[GC_SYNC_LOAD] = { "load", 'a', GC_SYNC_WRONG },
		[GC_SYNC_PIPE] = { "pipe", 'a', GC_SYNC_WRONG },
		[GC_SYNC_EVENT] = { "event", 'a', GC_SYNC_WRONG },
		[GC_SYNC_INPUTS] = { "inputs", 'a', GC_SYNC_WRONG },
		[GC_SYNC_ELEMENTS] = { "elements", 'b', GC_SYNC_WRONG },
		[GC_SYNC_VS_INPUTS] = { "vs-inputs", 'a', GC_SYNC_HANGS },
		[GC_SYNC_FIRST_DRAW] = { "first-draw", 'b', GC_SYNC_WRONG },
		[GC_SYNC_NO_TARGET] = { "no-target", 'b', GC_SYNC_HANGS },
		[GC_SYNC_DUMMY] = { "dummy", 'b', GC_SYNC_WRONG },
		[GC_SYNC_SAMPLED] = { "sampled", 'b', GC_SYNC_HANGS },
		[GC_SYNC_SMALL_MSAA] = { "small-msaa", 'b', GC_SYNC_WRONG },
		[GC_SYNC_BASES] = { "bases", 'a', GC_SYNC_WRONG },
		[GC_SYNC_LINEAR_Z] = { "linear-z", 'b', GC_SYNC_WRONG },
		[GC_SYNC_SINGLE] = { "single", 'b', GC_SYNC_WRONG },
		[GC_SYNC_LINEAR_TS] = { "linear-ts", 'b', GC_SYNC_WRONG },
		[GC_SYNC_TARGETS_TS] = { "targets-ts", 'b', GC_SYNC_WRONG },
		[GC_SYNC_AUTO_DISABLE] = { "auto-disable", 'a', GC_SYNC_WRONG },
		[GC_SYNC_CODE] = { "code", 'a', GC_SYNC_WRONG },
		[GC_SYNC_RS_WINDOW] = { "rs-window", 'a', GC_SYNC_HANGS },
		[GC_SYNC_RS_NARROW] = { "rs-narrow", 'b', GC_SYNC_WRONG },
		[GC_SYNC_RS_PIPES] = { "rs-pipes", 'a', GC_SYNC_WRONG },
		[GC_SYNC_RS_TAGS] = { "rs-tags", 'b', GC_SYNC_HANGS },
		[GC_SYNC_RS_IN_PLACE] = { "rs-in-place", 'b', GC_SYNC_HANGS },
	};

	return &about[rule];
}

void gc_sync_summary(const struct gc_sync *sync, FILE *file)
{
	for (unsigned int rule = 0; rule < GC_SYNC_RULES; rule++)
		fprintf(file, "%s (%c): applied %" PRIu64 ", broken %" PRIu64 "\n",
			gc_sync_about(rule)->name, gc_sync_about(rule)->certainty,
			sync->applied[rule], sync->broken[rule]);
}
