// SPDX-License-Identifier: MIT
/*
 * LOAD_STATE: stores each state, and executes those with side effects. Writes to shader programs
 * and uniforms have none, except that instruction memory has a second address: their users compare
 * the stamps of struct gc_state.
 */
#include "gc/fe_internal.h"

#include "clock/random.h"
#include "gc/pe.h"
#include "gc/rs.h"
#include "gc/shader.h"
#include "gc/texture.h"
#include "gc/trace.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(word, name) (((word) & name##__MASK) >> name##__SHIFT)

static void trace_state(struct gc_core *gc, uint32_t address, uint32_t value)
{
	unsigned int index = 0;
	const char *name = gc_state_name(address, &index);

	if (name)
		gc_trace(gc, "fe", "state 0x%05x %s[%u] = 0x%08x", address, name, index, value);
	else
		gc_trace(gc, "fe", "state 0x%05x = 0x%08x", address, value);
}

static void report_hazard(const struct gc_core *gc, enum gc_sync_rule rule)
{
	fprintf(gc->options.hazards, "%llu %s at 0x%08x\n", (unsigned long long)gc->fe->cycle,
		gc_sync_about(rule)->name, gc->fe->address);
}

/* Whether this occasion hangs with gc_options.hazards_random; MAY_HANG: one of four [chosen]. */
static bool hangs_by_chance(struct gc_core *gc, enum gc_sync_effect effect)
{
	return effect == GC_SYNC_HANGS ||
	       (effect == GC_SYNC_MAY_HANG && random_next(&gc->fe->hazard_random) % 4 == 0);
}

bool fe_hazards(struct gc_core *gc, uint32_t broken)
{
	struct gc_fe *fe = gc->fe;
	bool fails = false, hangs = false;

	for (; broken; broken &= broken - 1) {
		enum gc_sync_rule rule = (enum gc_sync_rule)__builtin_ctz(broken);
		const struct gc_sync_info *about = gc_sync_about(rule);

		report_hazard(gc, rule);
		if (about->certainty == 'c') /* inferred: only reported */
			continue;
		fails |= gc->options.hazards_fail;
		hangs |= gc->options.hazards_random && hangs_by_chance(gc, about->effect);
	}
	if (fails) {
		fe->axi_status |= HI_AXI_WRITE_ERROR;
		fe_raise_at(gc, HI_INTR_AXI_BIT, fe->cycle);
	}
	if (fails || hangs)
		fe_halt(gc, FE_HUNG, "hazard");
	return fails || hangs;
}

/*
 * GL_EVENT. An event of the pixel engine becomes visible when all earlier work has left the
 * pipeline. One of no unit, or with the number of another interrupt, has no effect.
 */
static void event(struct gc_core *gc, uint32_t value)
{
	struct gc_fe *fe = gc->fe;
	unsigned int id = FIELD(value, VIVS_GL_EVENT_EVENT_ID);
	uint64_t cycle = fe->cycle;

	if (!(value & (VIVS_GL_EVENT_FROM_FE | VIVS_GL_EVENT_FROM_PE | VIVS_GL_EVENT_FROM_BLT)) ||
	    !(1u << id & HI_INTR_EVENTS))
		return;
	if (!(value & VIVS_GL_EVENT_FROM_FE))
		cycle = gpu_pipeline_token(&gc->pipeline, cycle);
	gc->counters.events++;
	if (fe->inject_lost_event) {
		fe->inject_lost_event = false;
		gc_trace(gc, "fe", "event %u lost by injection", id);
		return;
	}
	fe_raise_at(gc, id, cycle);
}

/* The pipeline stage that waits for tokens of @recipient. */
static enum gpu_stage recipient_stage(unsigned int recipient)
{
	return recipient == SYNC_RECIPIENT_RA ? GPU_STAGE_RA : GPU_STAGE_PE;
}

/* GL_SEMAPHORE_TOKEN: the token arrives when all earlier work has left the pipeline. */
static void semaphore(struct gc_core *gc, uint32_t value)
{
	struct gc_fe *fe = gc->fe;
	unsigned int from = FIELD(value, VIVS_GL_SEMAPHORE_TOKEN_FROM);
	unsigned int to = FIELD(value, VIVS_GL_SEMAPHORE_TOKEN_TO);

	fe->token_armed[from] |= 1u << to;
	fe->token_cycle[from][to] = gpu_pipeline_token(&gc->pipeline, fe->cycle);
}

void fe_stall(struct gc_core *gc, unsigned int from, unsigned int to)
{
	struct gc_fe *fe = gc->fe;

	if (!(fe->token_armed[from] & 1u << to)) {
		fe_halt(gc, FE_HUNG, "stall without a semaphore");
		return;
	}
	fe->token_armed[from] &= ~(1u << to);
	gc_sync_stall(&fe->sync, from, to);
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "stall %u to %u until %llu", from, to,
			 (unsigned long long)fe->token_cycle[from][to]);
	if (from == SYNC_RECIPIENT_FE)
		fe_advance(gc, fe->token_cycle[from][to], true);
	else
		gpu_pipeline_wait(&gc->pipeline, recipient_stage(from), fe->token_cycle[from][to]);
}

static void flush_cache(struct gc_core *gc, uint32_t value)
{
	bool color = value & VIVS_GL_FLUSH_CACHE_COLOR;
	bool depth = value & VIVS_GL_FLUSH_CACHE_DEPTH;

	if (value & (VIVS_GL_FLUSH_CACHE_TEXTURE | VIVS_GL_FLUSH_CACHE_TEXTUREVS))
		gc_texture_flush(gc, value & VIVS_GL_FLUSH_CACHE_TEXTURE,
				 value & VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	if (value & VIVS_GL_FLUSH_CACHE_SHADER_L1 && gc->l1) {
		fe_begin_writes(gc);
		data_cache_flush(gc->l1);
		fe_end_writes(gc);
	}
	if (!color && !depth)
		return;
	fe_begin_work(gc);
	gc_pe_flush(gc, color, depth);
	gc->work.flushes = 1;
	gc->work.flush_bytes = gc->work.color_write_bytes + gc->work.depth_write_bytes;
	fe_end_work(gc);
}

static void end_query(struct gc_core *gc)
{
	fe_begin_writes(gc);
	gc_pe_end_query(gc);
	fe_end_writes(gc);
}

static void flush_status(struct gc_core *gc, uint32_t value)
{
	if (!(value & VIVS_TS_FLUSH_CACHE_FLUSH))
		return;
	fe_begin_work(gc);
	gc_pe_flush_status(gc);
	gc->work.status_flushes = 1;
	fe_end_work(gc);
}

static void resolve(struct gc_core *gc, bool in_place, uint32_t value)
{
	if (gc_tracing(gc))
		gc_trace(gc, "rs", in_place ? "kick in place, %u tiles" : "kick 0x%08x", value);
	if (fe_watches_hazards(gc)) {
		struct gc_sync_core core = fe_sync_core(gc);

		if (fe_hazards(gc, gc_sync_resolve(&gc->fe->sync, &core, in_place)))
			return;
	}
	fe_begin_work(gc);
	gc_pe_lose_lines(gc);
	if (in_place)
		gc_rs_kick_inplace(gc, value);
	else
		gc_rs_kick(gc);
	fe_end_work(gc);
}

/* States below 0x400. Only those that configure MMUv2 have side effects. */
static void load_host_state(struct gc_core *gc, uint32_t address, uint32_t value)
{
	if (gc->personality->mmu_version != 2)
		return;
	if (address == MMUV2_CONFIGURATION)
		gc_mmu_configure(&gc->mmu, value);
	else if (address == MMUV2_SAFE_ADDRESS)
		gc_mmu_set_safe_address(&gc->mmu, value);
}

/* Store a state and judge the write by the rules. Returns: whether the front end has stopped. */
static bool set_watched(struct gc_core *gc, uint32_t address, uint32_t value)
{
	struct gc_sync_core core = fe_sync_core(gc);
	uint32_t old = gc_state_u32(&gc->state, address);

	gc_state_set(&gc->state, address, value);
	return fe_hazards(gc, gc_sync_write(&gc->fe->sync, &core, address, old));
}

/* Whether a state is instruction memory by its second address. */
static bool is_mirror(uint32_t address)
{
	return address >= VIVS_SH_INST_MEM_MIRROR(0) &&
	       address < VIVS_SH_INST_MEM_MIRROR(VIVS_SH_INST_MEM_MIRROR__LEN);
}

/* Whether a state may be one that gc_state_merge() knows. */
static bool has_masks(uint32_t address)
{
	return address == VIVS_PA_CONFIG || address == VIVS_GL_MULTI_SAMPLE_CONFIG ||
	       (address >= VIVS_PE_DEPTH_CONFIG && address <= VIVS_PE_LOGIC_OP);
}

void gc_load_state(struct gc_core *gc, uint32_t address, uint32_t value)
{
	address %= GC_STATE_BYTES;
	if (gc_tracing(gc))
		trace_state(gc, address, value);
	if (has_masks(address))
		value = gc_state_merge(address, gc_state_u32(&gc->state, address), value);
	if (!fe_watches_hazards(gc))
		gc_state_set(&gc->state, address, value);
	else if (set_watched(gc, address, value))
		return;
	if (is_mirror(address))
		gc_shader_load_mirror(gc, address, value);
	switch (address) {
	case MMUV2_CONFIGURATION:
	case MMUV2_SAFE_ADDRESS:
		load_host_state(gc, address, value);
		break;
	case VIVS_GL_EVENT:
		event(gc, value);
		break;
	case VIVS_GL_SEMAPHORE_TOKEN:
		semaphore(gc, value);
		break;
	case VIVS_GL_STALL_TOKEN:
		fe_stall(gc, FIELD(value, VIVS_GL_STALL_TOKEN_FROM),
			 FIELD(value, VIVS_GL_STALL_TOKEN_TO));
		break;
	case VIVS_GL_FLUSH_CACHE:
		flush_cache(gc, value);
		break;
	case VIVS_TS_FLUSH_CACHE:
		flush_status(gc, value);
		break;
	case GC_VS_FIRST:
	case GC_VS_LAST:
	case GC_PS_FIRST:
	case GC_PS_LAST:
		gc_shader_set_range(gc, address, value);
		break;
	case VIVS_VS_ICACHE_CONTROL:
		gc_shader_flush_icache(gc, value);
		break;
	case VIVS_GL_FLUSH_MMU:
		if (gc->personality->mmu_version == 1)
			gc_mmu_flush(&gc->mmu);
		break;
	case VIVS_GL_OCCLUSION_QUERY_ADDR:
		gc_pe_query_address(gc, value);
		break;
	case VIVS_GL_OCCLUSION_QUERY_CONTROL:
		end_query(gc);
		break;
	case VIVS_RS_KICKER:
		resolve(gc, false, value);
		break;
	case VIVS_RS_KICKER_INPLACE:
		resolve(gc, true, value);
		break;
	}
}
