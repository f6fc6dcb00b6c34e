// SPDX-License-Identifier: MIT
/*
 * Decodes the pixel engine's states at the start of a draw. The low bits of addresses and
 * strides are ignored, as the core does; then no access crosses a page, except in tiles of 64-bit
 * pixels: these have 128 bytes, bases are aligned to 64.
 */
#include <math.h>

#include "gc/pe_internal.h"
#include "gc/trace.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(word, name) (((word) & name##__MASK) >> name##__SHIFT)
#define BASE_ALIGN 64u
#define LINEAR_STRIDE_ALIGN 32u
#define SINGLE_BUFFER_LINEAR 1 /* VIVS_PE_LOGIC_OP_SINGLE_BUFFER: 2 and 3 are tiled */
#define COMPARE_ALWAYS 7

static uint32_t state(const struct gc_core *gc, uint32_t address)
{
	return gc_state_u32(&gc->state, address);
}

bool pe_has_half_float(const struct gc_core *gc)
{
	return gc->personality->minor_features[1] & chipMinorFeatures1_HALF_FLOAT;
}

bool pe_has_early_z(const struct gc_core *gc)
{
	return !(gc->personality->features & chipFeatures_NO_EARLY_Z);
}

static unsigned int single_buffer(const struct gc_core *gc)
{
	uint32_t word = state(gc, VIVS_PE_LOGIC_OP);

	return gc->personality->single_buffer ? FIELD(word, VIVS_PE_LOGIC_OP_SINGLE_BUFFER) : 0;
}

static bool is_split(const struct gc_core *gc)
{
	return gc->personality->pixel_pipes > 1 && !single_buffer(gc);
}

static uint32_t align_stride(enum gc_layout layout, unsigned int bytes, uint32_t stride)
{
	/* tiled: a multiple of a tile's row */
	return stride & ~((layout == GC_LINEAR ? LINEAR_STRIDE_ALIGN : GC_TILE_SIZE * bytes) - 1);
}

/*
 * Set what follows from memory.layout, memory.bytes, use and ts of @surface and from pe->samples,
 * which the caller has decoded.
 */
static void set_surface(struct gc_core *gc, struct pe_surface *surface, uint32_t base_state,
			uint32_t stride)
{
	struct gc_surface *memory = &surface->memory;

	memory->supertile_mode = gc->personality->supertile_mode;
	memory->stride = align_stride(memory->layout, memory->bytes, stride);
	for (unsigned int pipe = 0; pipe < 2; pipe++)
		memory->base[pipe] = state(gc, base_state + 4 * pipe) & ~(BASE_ALIGN - 1);
	if (!gc_layout_is_multi(memory->layout))
		memory->base[1] = memory->base[0];
	surface->sample_step = GC_TILE_SIZE * memory->bytes;
	surface->pixel_step = surface->sample_step * gc->pe->samples.y;
	if (memory->layout == GC_LINEAR)
		surface->pixel_step = memory->stride;
	surface->two_lines = memory->layout == GC_LINEAR || memory->bytes == 8;
	surface->two_pages = !gc_surface_has_whole_tiles(&surface->memory);
	if (gc->pe->samples.count > 1)
		gc_ts_wide(gc, &surface->ts);
	surface->byte_shift = (unsigned int)__builtin_ctz(memory->bytes);
	surface->simple = !surface->two_lines && gc->pe->samples.count == 1;
	surface->runs = memory->layout == GC_SUPERTILED && memory->bytes == 4 &&
			!(memory->base[0] % (PIXEL_CACHE_RUN * PE_LINE_BYTES));
	surface->silent = surface->use == PE_OVERWRITE && !surface->ts.enabled;
	surface->ts_runs =
		surface->runs && surface->ts.bits == 2 && surface->ts.tile_bytes == PE_LINE_BYTES;
	surface->ts_shift = (unsigned int)__builtin_ctz(surface->ts.tile_bytes);
	pe_surface_begin(surface);
}

static void decode_samples(struct gc_core *gc)
{
	uint32_t word = state(gc, VIVS_GL_MULTI_SAMPLE_CONFIG);
	struct pe_samples *samples = &gc->pe->samples;

	*samples = (struct pe_samples){ 1, 1, 1, 1 };
	switch (word & VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES__MASK) {
	case VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_2X:
		*samples = (struct pe_samples){ 2, 2, 1, 0 };
		break;
	case VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X:
		*samples = (struct pe_samples){ 4, 2, 2, 0 };
		break;
	default:
		return;
	}
	samples->enabled = (uint8_t)FIELD(word, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES);
}

static void decode_stencil(const struct gc_core *gc, struct pe_depth *depth)
{
	uint32_t op = state(gc, VIVS_PE_STENCIL_OP), config = state(gc, VIVS_PE_STENCIL_CONFIG);
	uint32_t ext = state(gc, VIVS_PE_STENCIL_CONFIG_EXT);
	uint32_t ext2 = state(gc, VIVS_PE_STENCIL_CONFIG_EXT2);
	struct pe_stencil *front = &depth->stencil[0], *back = &depth->stencil[1];

	front->func = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_FUNC_FRONT);
	front->fail = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_FAIL_FRONT);
	front->zfail = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_DEPTH_FAIL_FRONT);
	front->pass = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_PASS_FRONT);
	front->ref = (uint8_t)FIELD(config, VIVS_PE_STENCIL_CONFIG_REF_FRONT);
	front->mask = (uint8_t)FIELD(config, VIVS_PE_STENCIL_CONFIG_MASK_FRONT);
	front->write_mask = (uint8_t)FIELD(config, VIVS_PE_STENCIL_CONFIG_WRITE_MASK_FRONT);
	*back = *front;
	if (FIELD(config, VIVS_PE_STENCIL_CONFIG_MODE) != VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED)
		return;
	back->func = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_FUNC_BACK);
	back->fail = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_FAIL_BACK);
	back->zfail = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_DEPTH_FAIL_BACK);
	back->pass = (uint8_t)FIELD(op, VIVS_PE_STENCIL_OP_PASS_BACK);
	back->ref = (uint8_t)FIELD(ext, VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK);
	back->mask = (uint8_t)FIELD(ext2, VIVS_PE_STENCIL_CONFIG_EXT2_MASK_BACK);
	back->write_mask = (uint8_t)FIELD(ext2, VIVS_PE_STENCIL_CONFIG_EXT2_WRITE_MASK_BACK);
}

/* PE_DEPTH_NORMALIZE, or the format's largest depth if the state is out of range. */
static double depth_scale(const struct gc_core *gc, bool d24)
{
	double most = d24 ? 16777215.0 : 65535.0;
	float normalize = gc_state_f32(&gc->state, VIVS_PE_DEPTH_NORMALIZE);

	return normalize >= 1.0f && normalize <= (float)most ? (double)normalize : most;
}

static void decode_depth_surface(struct gc_core *gc, struct pe_depth *depth, uint32_t config)
{
	struct pe_surface *surface = &depth->surface;
	bool super = config & VIVS_PE_DEPTH_CONFIG_SUPER_TILED;

	surface->memory.layout = gc_layout_from_bits(true, super, is_split(gc));
	surface->memory.bytes = depth->d24 ? 4 : 2;
	surface->client = GC_CLIENT_PEZ;
	surface->cache = &gc->pe->depth_cache;
	surface->data = gc->pe->depth_data;
	surface->use = depth->write || depth->stencil_on ? PE_UPDATE : PE_READ;
	/* D24S8 is read to keep the stencil value */
	if (depth->write && !depth->stencil_on && !depth->d24 && depth->func == COMPARE_ALWAYS)
		surface->use = PE_OVERWRITE;
	gc_ts_depth(gc, &surface->ts);
	set_surface(gc, surface, VIVS_PE_PIPE_DEPTH_ADDR(0), state(gc, VIVS_PE_DEPTH_STRIDE));
}

void pe_decode_depth(struct gc_core *gc)
{
	struct pe_depth *depth = &gc->pe->depth;
	uint32_t config = state(gc, VIVS_PE_DEPTH_CONFIG);
	uint32_t stencil = state(gc, VIVS_PE_STENCIL_CONFIG);
	bool present = FIELD(config, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE) !=
		       VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_NONE;
	/* the test after the shader, and all writes; without it only an early test can be left */
	bool late = present && !(config & VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);

	decode_samples(gc);
	depth->d24 = (config & VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT__MASK) ==
		     VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8;
	depth->early_asked = present && pe_has_early_z(gc) &&
			     (config & VIVS_PE_DEPTH_CONFIG_EARLY_Z) &&
			     (state(gc, VIVS_RA_EARLY_DEPTH) & VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
	depth->write = late && (config & VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE);
	depth->stencil_on =
		late && depth->d24 &&
		FIELD(stencil, VIVS_PE_STENCIL_CONFIG_MODE) != VIVS_PE_STENCIL_CONFIG_MODE_DISABLED;
	depth->func = late || depth->early_asked
			      ? (uint8_t)FIELD(config, VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC)
			      : COMPARE_ALWAYS;
	depth->on = depth->write || depth->stencil_on || depth->func != COMPARE_ALWAYS;
	depth->scale = depth_scale(gc, depth->d24);
	if (!depth->on)
		return;
	decode_stencil(gc, depth);
	decode_depth_surface(gc, depth, config);
}

/*
 * PE_ALPHA_COLOR_EXT0 and EXT1 hold red, green, blue, alpha as half floats from
 * the lowest half word on: Mesa etnaviv writes to the field named B of EXT0 what
 * it writes to R of PE_ALPHA_BLEND_COLOR, and to R of EXT1 what it writes to B.
 */
static void decode_constant(const struct gc_core *gc, float constant[4])
{
	uint32_t word = state(gc, VIVS_PE_ALPHA_BLEND_COLOR);
	uint32_t ext0 = state(gc, VIVS_PE_ALPHA_COLOR_EXT0);
	uint32_t ext1 = state(gc, VIVS_PE_ALPHA_COLOR_EXT1);

	if (pe_has_half_float(gc)) {
		constant[0] = gc_half_to_float((uint16_t)FIELD(ext0, VIVS_PE_ALPHA_COLOR_EXT0_B));
		constant[1] = gc_half_to_float((uint16_t)FIELD(ext0, VIVS_PE_ALPHA_COLOR_EXT0_G));
		constant[2] = gc_half_to_float((uint16_t)FIELD(ext1, VIVS_PE_ALPHA_COLOR_EXT1_R));
		constant[3] = gc_half_to_float((uint16_t)FIELD(ext1, VIVS_PE_ALPHA_COLOR_EXT1_A));
		return;
	}
	constant[0] = (float)FIELD(word, VIVS_PE_ALPHA_BLEND_COLOR_R) / 255.0f;
	constant[1] = (float)FIELD(word, VIVS_PE_ALPHA_BLEND_COLOR_G) / 255.0f;
	constant[2] = (float)FIELD(word, VIVS_PE_ALPHA_BLEND_COLOR_B) / 255.0f;
	constant[3] = (float)FIELD(word, VIVS_PE_ALPHA_BLEND_COLOR_A) / 255.0f;
}

static void decode_blend(const struct gc_core *gc, struct pe_blend *blend)
{
	uint32_t config = state(gc, VIVS_PE_ALPHA_CONFIG);

	blend->on = config & VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR;
	blend->equation[0] = (uint8_t)FIELD(config, VIVS_PE_ALPHA_CONFIG_EQ_COLOR);
	blend->source[0] = (uint8_t)FIELD(config, VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR);
	blend->destination[0] = (uint8_t)FIELD(config, VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR);
	blend->equation[1] = blend->equation[0];
	blend->source[1] = blend->source[0];
	blend->destination[1] = blend->destination[0];
	if (config & VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA) {
		blend->equation[1] = (uint8_t)FIELD(config, VIVS_PE_ALPHA_CONFIG_EQ_ALPHA);
		blend->source[1] = (uint8_t)FIELD(config, VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA);
		blend->destination[1] = (uint8_t)FIELD(config, VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA);
	}
	decode_constant(gc, blend->constant);
}

static float saturate(float v)
{
	v = v > 0.0f ? v : 0.0f;
	return v < 1.0f ? v : 1.0f;
}

/* Whether dithering changes any pixel of this format; see gc_format_pack(). */
static bool has_coarse_channel(const struct gc_format *format)
{
	bool coarse = false;

	for (unsigned int c = 0; c < 3; c++)
		coarse |= format->channel[c].bits && format->channel[c].bits < 8;
	return coarse && format->kind == GC_FORMAT_UNORM;
}

/* Decode the states that are common to all targets: masks, blending, logic operation. */
static void decode_output(const struct gc_core *gc, const struct pe_blend *blend,
			  unsigned int components, struct pe_target *t)
{
	uint32_t word = state(gc, VIVS_PE_LOGIC_OP);
	bool integer = t->format->kind == GC_FORMAT_INTEGER;
	bool unorm = t->format->kind == GC_FORMAT_UNORM;

	t->whole = gc_format_mask(t->format, components, t->mask);
	t->on = t->mask[0] || t->mask[1];
	t->dithered = gc->pe->dither && has_coarse_channel(t->format);
	t->blend = *blend;
	t->blend.on = blend->on && !integer;
	for (unsigned int c = 0; unorm && c < 4; c++)
		t->blend.constant[c] = saturate(t->blend.constant[c]);
	t->logic_op = unorm || integer ? (uint8_t)FIELD(word, VIVS_PE_LOGIC_OP_OP) : LOGIC_OP_COPY;
	t->needs_old = t->blend.on || !t->whole || t->logic_op != LOGIC_OP_COPY || gc->pe->plain;
	if (gc->pe->plain)
		t->whole = false;
}

static void decode_target_surface(struct gc_core *gc, unsigned int number, struct pe_target *t,
				  bool super, uint32_t base_state, uint32_t stride)
{
	struct pe_surface *surface = &t->surface;
	/* multisampled surfaces are always tiled */
	bool tiled = single_buffer(gc) != SINGLE_BUFFER_LINEAR || gc->pe->samples.count > 1;

	surface->memory.layout = gc_layout_from_bits(tiled, super, is_split(gc));
	surface->memory.bytes = t->format->bytes;
	surface->client = GC_CLIENT_PE;
	surface->cache = &gc->pe->color_cache;
	surface->data = gc->pe->color_data;
	surface->use = t->needs_old ? PE_UPDATE : PE_OVERWRITE;
	if (number == 0)
		gc_ts_color(gc, surface->memory.bytes, &surface->ts);
	else
		gc_ts_target(gc, number, surface->memory.bytes, &surface->ts);
	set_surface(gc, surface, base_state, stride);
}

static const struct gc_format *find_format(struct gc_core *gc, unsigned int number,
					   unsigned int pe_format)
{
	const struct gc_format *format = gc_format_color(pe_format);
	const char *lacks = format ? gc_format_lacks(gc->personality, format) : "unknown";

	if (!lacks)
		return format;
	gc->counters.pe_refused_formats++;
	if (gc_tracing(gc))
		gc_trace(gc, "pe", "target %u: format %#x refused, not drawn (%s)", number,
			 pe_format, lacks);
	return NULL;
}

static void decode_first_target(struct gc_core *gc, const struct pe_blend *blend)
{
	struct pe_target *t = &gc->pe->target[0];
	uint32_t word = state(gc, VIVS_PE_COLOR_FORMAT);
	unsigned int components = FIELD(word, VIVS_PE_COLOR_FORMAT_COMPONENTS);
	/* PE_COLOR_FORMAT.FORMAT_MASK set: FORMAT_EXT has the format */
	unsigned int pe_format = word & VIVS_PE_COLOR_FORMAT_FORMAT_MASK
					 ? FIELD(word, VIVS_PE_COLOR_FORMAT_FORMAT_EXT)
					 : FIELD(word, VIVS_PE_COLOR_FORMAT_FORMAT);

	t->on = false;
	if (!components)
		return;
	t->format = find_format(gc, 0, pe_format);
	if (!t->format)
		return;
	decode_output(gc, blend, components, t);
	decode_target_surface(gc, 0, t, word & VIVS_PE_COLOR_FORMAT_SUPER_TILED,
			      VIVS_PE_PIPE_COLOR_ADDR(0), state(gc, VIVS_PE_COLOR_STRIDE));
}

/* Before HALTI5 the other targets have no masks and blending of their own. */
static void decode_further_target(struct gc_core *gc, unsigned int number,
				  const struct pe_blend *blend)
{
	struct pe_target *t = &gc->pe->target[number];
	bool eight = gc->personality->halti >= 2;
	uint32_t config = state(gc, eight ? VIVS_PE_RT_CONFIG_8(number - 1)
					  : VIVS_PE_RT_CONFIG_4(number - 1));
	uint32_t word = state(gc, VIVS_PE_COLOR_FORMAT);
	unsigned int components = FIELD(word, VIVS_PE_COLOR_FORMAT_COMPONENTS);

	t->on = false;
	if (!components)
		return;
	t->format = find_format(gc, number, FIELD(config, RT_CONFIG_FORMAT));
	if (!t->format)
		return;
	decode_output(gc, blend, components, t);
	decode_target_surface(gc, number, t, config & RT_CONFIG_SUPER_TILED,
			      eight ? VIVS_PE_RT_ADDR_8_PIPE(number - 1, 0)
				    : VIVS_PE_RT_ADDR_4_PIPE(number - 1, 0),
			      FIELD(config, RT_CONFIG_STRIDE));
}

static void decode_alpha_test(struct gc_core *gc)
{
	struct pe_alpha_test *test = &gc->pe->alpha;
	uint32_t op = state(gc, VIVS_PE_ALPHA_OP), ext = state(gc, VIVS_PE_STENCIL_CONFIG_EXT);

	test->func = (uint8_t)FIELD(op, VIVS_PE_ALPHA_OP_ALPHA_FUNC);
	test->on = (op & VIVS_PE_ALPHA_OP_ALPHA_TEST) && test->func != COMPARE_ALWAYS;
	test->half = pe_has_half_float(gc);
	test->ref = test->half ? (uint16_t)FIELD(ext, VIVS_PE_STENCIL_CONFIG_EXT_EXTRA_ALPHA_REF)
			       : (uint16_t)FIELD(op, VIVS_PE_ALPHA_OP_ALPHA_REF);
}

void pe_decode_color(struct gc_core *gc)
{
	struct gc_pixel_engine *pe = gc->pe;
	uint32_t matrix[2] = { state(gc, VIVS_PE_DITHER(0)), state(gc, VIVS_PE_DITHER(1)) };
	bool only_depth = state(gc, VIVS_PE_DEPTH_CONFIG) & VIVS_PE_DEPTH_CONFIG_ONLY_DEPTH;
	struct pe_blend blend;

	pe->targets = 1 + FIELD(state(gc, VIVS_PS_CONTROL), VIVS_PS_CONTROL_RT_COUNT);
	if (gc->personality->halti < 2 && pe->targets > 4)
		pe->targets = 4;
	pe->dither = gc_dither_bias(matrix, pe->dither_bias);
	decode_alpha_test(gc);
	decode_blend(gc, &blend);
	decode_first_target(gc, &blend);
	for (unsigned int i = 1; i < pe->targets; i++)
		decode_further_target(gc, i, &blend);
	for (unsigned int i = 0; only_depth && i < pe->targets; i++)
		pe->target[i].on = false;
	for (unsigned int i = 0; i < pe->targets; i++)
		if (pe->target[i].on)
			pe_choose_writer(pe, &pe->target[i]);
}
