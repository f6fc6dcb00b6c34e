// SPDX-License-Identifier: MIT
/* Rules of the states that draws and resolves find. Each has its source in Documentation/card/strict.rst. */
#include "gc/format.h"
#include "gc/sync.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(word, name) (((word) & name##__MASK) >> name##__SHIFT)
#define SINGLE_BUFFER_LINEAR 1u
#define SINGLE_BUFFER_NARROW 3u  /* a target has 16 bits a pixel or less; otherwise 2 */
#define SMALL_MSAA_BITS 5u       /* of PE_LOGIC_OP_UNK24 */
#define TAGS_CLEARED 0x55555555u /* tags of two bits */
#define BUG_FIXES 6u             /* what GL_BUG_FIXES has to be */

static uint32_t state(const struct gc_sync_core *core, uint32_t address)
{
	return gc_state_u32(core->state, address);
}

/* States of a draw that several rules look at. */
struct draw {
	uint32_t color, depth, status, samples;
	unsigned int single, targets;
	bool has_color, has_depth, linear;
};

static struct draw decode_draw(const struct gc_sync_core *core)
{
	struct draw d = {
		.color = state(core, VIVS_PE_COLOR_FORMAT),
		.depth = state(core, VIVS_PE_DEPTH_CONFIG),
		.status = state(core, VIVS_TS_MEM_CONFIG),
		.samples = state(core, VIVS_GL_MULTI_SAMPLE_CONFIG) &
			   VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES__MASK,
		.targets = 1 + FIELD(state(core, VIVS_PS_CONTROL), VIVS_PS_CONTROL_RT_COUNT),
	};

	if (core->personality->single_buffer)
		d.single = FIELD(state(core, VIVS_PE_LOGIC_OP), VIVS_PE_LOGIC_OP_SINGLE_BUFFER);
	d.linear = d.single == SINGLE_BUFFER_LINEAR;
	d.has_color = FIELD(d.color, VIVS_PE_COLOR_FORMAT_COMPONENTS);
	d.has_depth = FIELD(d.depth, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE) !=
		      VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_NONE;
	return d;
}

static unsigned int color_format(uint32_t word)
{
	return word & VIVS_PE_COLOR_FORMAT_FORMAT_MASK
		       ? FIELD(word, VIVS_PE_COLOR_FORMAT_FORMAT_EXT)
		       : FIELD(word, VIVS_PE_COLOR_FORMAT_FORMAT);
}

static bool is_narrow(unsigned int pe_format)
{
	const struct gc_format *format = gc_format_color(pe_format);

	return format && format->bytes <= 2;
}

/* Whether a colour target has 16 bits a pixel or less. */
static bool has_narrow_color(const struct gc_sync_core *core, const struct draw *d)
{
	bool narrow = is_narrow(color_format(d->color));

	for (unsigned int i = 0; i + 1 < d->targets; i++)
		narrow |= is_narrow(
			FIELD(state(core, core->personality->halti >= 2 ? VIVS_PE_RT_CONFIG_8(i)
									: VIVS_PE_RT_CONFIG_4(i)),
			      RT_CONFIG_FORMAT));
	return d->has_color && narrow;
}

static uint32_t judge_targets(struct gc_sync *sync, const struct gc_sync_core *core,
			      const struct draw *d)
{
	bool d16 = d->has_depth && (d->depth & VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT__MASK) ==
					   VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16;
	uint32_t low = 0, broken = 0; /* low % 64: 0 if all are aligned */

	if (d->has_color) {
		sync->color_address = state(core, VIVS_PE_PIPE_COLOR_ADDR(0));
		low |= sync->color_address | 4 * state(core, VIVS_PE_COLOR_STRIDE);
	}
	if (d->has_depth)
		low |= state(core, VIVS_PE_PIPE_DEPTH_ADDR(0)) |
		       4 * state(core, VIVS_PE_DEPTH_STRIDE);
	if (d->has_color || d->has_depth)
		broken |= gc_sync_judge(sync, GC_SYNC_BASES, low % 64);
	if (d->single > SINGLE_BUFFER_LINEAR && (has_narrow_color(core, d) || d16))
		broken |= gc_sync_judge(sync, GC_SYNC_SINGLE, d->single != SINGLE_BUFFER_NARROW);
	if (d->linear && d->has_color && d->has_depth)
		broken |= gc_sync_judge(sync, GC_SYNC_LINEAR_Z,
					d->depth & VIVS_PE_DEPTH_CONFIG_EARLY_Z);
	return broken;
}

static uint32_t judge_without_target(struct gc_sync *sync, const struct gc_sync_core *core,
				     bool overwrites)
{
	uint32_t broken = gc_sync_judge(sync, GC_SYNC_NO_TARGET, !overwrites);

	if (core->personality->halti < 2 && sync->color_address)
		broken |= gc_sync_judge(sync, GC_SYNC_DUMMY,
					state(core, VIVS_PE_PIPE_COLOR_ADDR(0)) ==
						sync->color_address);
	return broken;
}

static uint32_t judge_overwrite(struct gc_sync *sync, const struct gc_sync_core *core,
				const struct draw *d)
{
	bool overwrites = d->color & VIVS_PE_COLOR_FORMAT_OVERWRITE;

	if (!d->has_color && !state(core, VIVS_PE_COLOR_STRIDE))
		return judge_without_target(sync, core, overwrites);
	if (d->samples != VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_NONE ||
	    d->status & VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION)
		return gc_sync_judge(sync, GC_SYNC_SAMPLED, overwrites);
	return 0;
}

static uint32_t judge_tags(struct gc_sync *sync, const struct gc_sync_core *core,
			   const struct draw *d)
{
	bool color = d->status & VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR;
	uint32_t broken = 0;

	if (color || d->status & VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR)
		broken |= gc_sync_judge(sync, GC_SYNC_AUTO_DISABLE,
					d->status & (VIVS_TS_MEM_CONFIG_COLOR_AUTO_DISABLE |
						     VIVS_TS_MEM_CONFIG_DEPTH_AUTO_DISABLE));
	if (color && d->linear)
		broken |= gc_sync_judge(sync, GC_SYNC_LINEAR_TS,
					state(core, VIVS_PE_COLOR_STRIDE) %
						core->personality->ts_tile_bytes);
	if (d->targets > 1 && core->personality->halti < 2)
		broken |= gc_sync_judge(sync, GC_SYNC_TARGETS_TS, color);
	return broken;
}

static uint32_t judge_samples(struct gc_sync *sync, const struct gc_sync_core *core,
			      const struct draw *d)
{
	bool small = core->personality->minor_features[4] & chipMinorFeatures4_SMALL_MSAA;

	if (d->samples == VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_NONE || !small)
		return 0;
	return gc_sync_judge(sync, GC_SYNC_SMALL_MSAA,
			     d->samples != VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X ||
				     FIELD(state(core, VIVS_PE_LOGIC_OP), VIVS_PE_LOGIC_OP_UNK24) !=
					     SMALL_MSAA_BITS);
}

/* States that are zero after a reset and that a driver has to write, although no API names them. */
static bool states_are_missing(const struct gc_sync_core *core)
{
	const struct gc_personality *p = core->personality;
	bool viewport =
		state(core, VIVS_PA_VIEWPORT_UNK00A80) && state(core, VIVS_PA_VIEWPORT_UNK00A84);
	bool clip = state(core, VIVS_SE_CLIP_RIGHT) && state(core, VIVS_SE_CLIP_BOTTOM);
	bool fixes = !(p->minor_features[4] & chipMinorFeatures4_BUG_FIXES18) ||
		     state(core, VIVS_GL_BUG_FIXES) == BUG_FIXES;

	return !clip || !fixes || (p->halti >= 2 && !viewport);
}

static uint32_t judge_code(struct gc_sync *sync, const struct gc_sync_core *core)
{
	bool cached = core->personality->instruction_cache &&
		      state(core, VIVS_VS_ICACHE_CONTROL) & VIVS_VS_ICACHE_CONTROL_ENABLE;

	return cached ? gc_sync_judge(
				sync, GC_SYNC_CODE,
				(state(core, VIVS_VS_INST_ADDR) | state(core, VIVS_PS_INST_ADDR)) %
					256)
		      : 0;
}

static uint32_t judge_inputs(struct gc_sync *sync, const struct gc_sync_core *core)
{
	uint32_t inputs = state(core, VIVS_VS_INPUT_COUNT);
	uint32_t ids = inputs & VIVS_VS_INPUT_COUNT_ID_ENABLE ? 1 : 0;

	if (!sync->elements)
		return 0;
	return gc_sync_judge(sync, GC_SYNC_VS_INPUTS,
			     FIELD(inputs, VIVS_VS_INPUT_COUNT_COUNT) != sync->elements + ids);
}

uint32_t gc_sync_draw_states(struct gc_sync *sync, const struct gc_sync_core *core)
{
	struct draw d = decode_draw(core);
	uint32_t broken = 0;

	if (!sync->drawn)
		broken |= gc_sync_judge(sync, GC_SYNC_FIRST_DRAW, states_are_missing(core));
	return broken | judge_inputs(sync, core) | judge_targets(sync, core, &d) |
	       judge_overwrite(sync, core, &d) | judge_tags(sync, core, &d) |
	       judge_samples(sync, core, &d) | judge_code(sync, core);
}

static uint32_t judge_in_place(struct gc_sync *sync, const struct gc_sync_core *core)
{
	uint32_t status = state(core, VIVS_TS_MEM_CONFIG);

	return gc_sync_judge(sync, GC_SYNC_RS_IN_PLACE,
			     !(state(core, VIVS_RS_SOURCE_STRIDE) & VIVS_RS_SOURCE_STRIDE_TILING) ||
				     !(status & VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR) ||
				     status & VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION);
}

uint32_t gc_sync_resolve_states(struct gc_sync *sync, const struct gc_sync_core *core,
				bool in_place)
{
	const struct gc_personality *p = core->personality;
	uint32_t config = state(core, VIVS_RS_CONFIG), size = state(core, VIVS_RS_WINDOW_SIZE);
	bool fill = state(core, VIVS_RS_CLEAR_CONTROL) & VIVS_RS_CLEAR_CONTROL_MODE__MASK;
	bool from_tiles = !fill && config & VIVS_RS_CONFIG_SOURCE_TILED;
	bool to_tiles = config & VIVS_RS_CONFIG_DEST_TILED;
	unsigned int shift_x = !fill && config & VIVS_RS_CONFIG_DOWNSAMPLE_X ? 1 : 0;
	unsigned int shift_y = !fill && config & VIVS_RS_CONFIG_DOWNSAMPLE_Y ? 1 : 0;
	uint32_t width = FIELD(size, VIVS_RS_WINDOW_SIZE_WIDTH) >> shift_x;
	uint32_t height = FIELD(size, VIVS_RS_WINDOW_SIZE_HEIGHT) >> shift_y;
	uint32_t second = FIELD(state(core, VIVS_RS_PIPE_OFFSET(1)), VIVS_RS_PIPE_OFFSET_Y);
	uint32_t broken;

	if (in_place)
		return judge_in_place(sync, core);
	broken = gc_sync_judge(sync, GC_SYNC_RS_WINDOW,
			       width % 16 || ((from_tiles || to_tiles) && height % 4));
	if (!fill && !to_tiles)
		broken |= gc_sync_judge(sync, GC_SYNC_RS_NARROW, width < (from_tiles ? 13 : 17));
	/* as WINDOW_SIZE, PIPE_OFFSET counts rows before downsampling */
	if (p->pixel_pipes > 1 && !p->single_buffer && second)
		broken |= gc_sync_judge(sync, GC_SYNC_RS_PIPES,
					height % 4 || second != height << shift_y);
	/* drivers see the tags as 16 pixels in a row */
	if (fill && state(core, VIVS_RS_FILL_VALUE(0)) == TAGS_CLEARED && width == 16)
		broken |= gc_sync_judge(sync, GC_SYNC_RS_TAGS,
					width * height * 4 * (second ? 2 : 1) %
						(256 * p->pixel_pipes));
	return broken;
}
