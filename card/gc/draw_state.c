// SPDX-License-Identifier: MIT
/*
 * Decodes the states of FE, VS, PA, SE, RA and PS that a draw depends on. States that were
 * loaded as fixed point (LOAD_STATE.FIXP) are stored as floats.
 */
#include "gc/draw_unit.h"

#include <math.h>

#include "gc/trace.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define FIELD(value, name) (((value) & name##__MASK) >> name##__SHIFT)

/* (8, 8), the pixel's centre, in the encoding of RA_MULTISAMPLE_UNK00E10 */
#define CENTER_BYTE 0x88
#define MAX_PIXEL 32766 /* coordinates of quads have 16 bits, pixels in them are at + 1 */

static void decode_viewport(const struct gc_state *state, struct gc_viewport *vp)
{
	float scale[3] = {
		gc_state_f32(state, VIVS_PA_VIEWPORT_SCALE_X),
		gc_state_f32(state, VIVS_PA_VIEWPORT_SCALE_Y),
		gc_state_f32(state, VIVS_PA_VIEWPORT_SCALE_Z),
	};
	float offset[3] = {
		gc_state_f32(state, VIVS_PA_VIEWPORT_OFFSET_X),
		gc_state_f32(state, VIVS_PA_VIEWPORT_OFFSET_Y),
		gc_state_f32(state, VIVS_PA_VIEWPORT_OFFSET_Z),
	};
	uint32_t flags = gc_state_u32(state, VIVS_PA_FLAGS);
	uint32_t mode = gc_state_u32(state, VIVS_PA_SYSTEM_MODE);

	gc_viewport_set(vp, scale, offset, flags & VIVS_PA_FLAGS_ZCONVERT_BYPASS,
			gc_state_f32(state, VIVS_PA_W_CLIP_LIMIT));
	vp->integer_centers = !(mode & VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER);
}

/* Temporary register of the vertex shader's output number @n: position, varyings, point size. */
static uint8_t output_reg(const struct gc_state *state, unsigned int n)
{
	uint32_t word;

	if (n < 4 * VIVS_VS_OUTPUT__LEN)
		return (gc_state_u32(state, VIVS_VS_OUTPUT(n / 4)) >> (8 * (n % 4))) % GC_TEMPS;
	word = gc_state_u32(state, VIVS_VS_OUTPUT_COUNT);
	return (n == 4 * VIVS_VS_OUTPUT__LEN ? FIELD(word, VIVS_VS_OUTPUT_COUNT_OUTPUT16_REG)
					     : FIELD(word, VIVS_VS_OUTPUT_COUNT_OUTPUT17_REG)) %
	       GC_TEMPS;
}

static unsigned int varying_components(const struct gc_state *state, unsigned int i)
{
	uint32_t word = gc_state_u32(state, i < 8 ? VIVS_GL_VARYING_NUM_COMPONENTS
						  : VIVS_GL_VARYING_NUM_COMPONENTS2);
	unsigned int n = word >> (4 * (i % 8)) & 7;

	return n < 4 ? n : 4;
}

/* VARYING_COMPONENT_USE_* of component number @n, counted over all varyings. */
static unsigned int component_use(const struct gc_state *state, unsigned int n)
{
	static const uint32_t words[4] = {
		VIVS_GL_VARYING_COMPONENT_USE(0),
		VIVS_GL_VARYING_COMPONENT_USE(1),
		VIVS_GL_VARYING_COMPONENT_USE2,
		VIVS_GL_VARYING_COMPONENT_USE3,
	};

	return gc_state_u32(state, words[n / 16]) >> (2 * (n % 16)) & 3;
}

static void decode_component(const struct gc_state *state, struct gc_draw_state *s,
			     unsigned int varying, unsigned int component, bool flat)
{
	struct gc_varyings *v = &s->varyings;
	unsigned int n = v->components++;
	unsigned int use = component_use(state, n);

	v->reg[n] = (uint8_t)(varying + 1); /* t0 of the pixel shader is the position */
	v->lane_component[n] = (uint8_t)component;
	s->source_reg[n] = output_reg(state, varying + 1);
	s->source_component[n] = (uint8_t)component;
	if (flat)
		v->flat |= 1ull << n;
	if (s->point_sprite && use == VARYING_COMPONENT_USE_POINTCOORD_X)
		v->point_x |= 1ull << n;
	if (s->point_sprite && use == VARYING_COMPONENT_USE_POINTCOORD_Y)
		v->point_y |= 1ull << n;
}

static void decode_varyings(const struct gc_state *state, struct gc_draw_state *s, uint32_t config)
{
	uint32_t count = gc_state_u32(state, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT);
	bool flat = (config & VIVS_PA_CONFIG_SHADE_MODEL__MASK) == VIVS_PA_CONFIG_SHADE_MODEL_FLAT;
	struct gc_varyings *v = &s->varyings;

	*v = (struct gc_varyings){ 0 };
	v->count = FIELD(count, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT);
	for (unsigned int i = 0; i < v->count; i++) {
		uint32_t attribute = gc_state_u32(state, VIVS_PA_SHADER_ATTRIBUTES(i));

		for (unsigned int c = 0; c < varying_components(state, i); c++)
			decode_component(
				state, s, i, c,
				flat && !(attribute & VIVS_PA_SHADER_ATTRIBUTES_BYPASS_FLAT));
	}
	s->position_reg = output_reg(state, 0);
	s->size_per_vertex = config & VIVS_PA_CONFIG_POINT_SIZE_ENABLE;
	s->size_reg = output_reg(state, v->count + 1);
}

bool gc_draw_varyings_fit(struct gc_core *gc)
{
	unsigned int count = FIELD(gc_state_u32(&gc->state, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT),
				   VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT);

	if (count <= gc->personality->varyings)
		return true;
	gc_trace(gc, "draw", "dropped: %u varyings, the core has %u", count,
		 gc->personality->varyings);
	return false;
}

static void decode_primitives(const struct gc_state *state, struct gc_draw_state *s)
{
	uint32_t config = gc_state_u32(state, VIVS_PA_CONFIG);
	uint32_t mode = gc_state_u32(state, VIVS_PA_SYSTEM_MODE);

	s->provoking_last = mode & VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST;
	s->cull = FIELD(config, VIVS_PA_CONFIG_CULL_FACE_MODE);
	s->fill = FIELD(config, VIVS_PA_CONFIG_FILL_MODE);
	s->point_sprite = config & VIVS_PA_CONFIG_POINT_SPRITE_ENABLE;
	/* the states of widths and sizes hold a half */
	s->line_width = config & VIVS_PA_CONFIG_WIDE_LINE
				? 2.0f * gc_state_f32(state, VIVS_PA_LINE_WIDTH)
				: 1.0f;
	s->point_size = 2.0f * gc_state_f32(state, VIVS_PA_POINT_SIZE);
	s->last_pixel = gc_state_u32(state, VIVS_SE_CONFIG) & VIVS_SE_CONFIG_LAST_PIXEL_ENABLE;
	s->depth_scale = gc_state_f32(state, VIVS_SE_DEPTH_SCALE);
	s->depth_bias = gc_state_f32(state, VIVS_SE_DEPTH_BIAS);
	decode_varyings(state, s, config);
}

/* First pixel whose centre is not left of @edge. */
static int32_t first_pixel(float edge)
{
	double pixel = ceil((double)edge - 0.5);

	if (!(pixel > 0.0))
		return 0;
	return pixel < MAX_PIXEL ? (int32_t)pixel : MAX_PIXEL;
}

static void decode_scissor(const struct gc_state *state, struct gc_rect *scissor)
{
	scissor->left = first_pixel(gc_state_f32(state, VIVS_SE_SCISSOR_LEFT));
	scissor->top = first_pixel(gc_state_f32(state, VIVS_SE_SCISSOR_TOP));
	scissor->right = first_pixel(fminf(gc_state_f32(state, VIVS_SE_SCISSOR_RIGHT),
					   gc_state_f32(state, VIVS_SE_CLIP_RIGHT)));
	scissor->bottom = first_pixel(fminf(gc_state_f32(state, VIVS_SE_SCISSOR_BOTTOM),
					    gc_state_f32(state, VIVS_SE_CLIP_BOTTOM)));
}

static void decode_samples(const struct gc_state *state, struct gc_draw_unit *unit)
{
	uint32_t where = gc_state_u32(state, VIVS_RA_MULTISAMPLE_UNK00E10(0));
	uint32_t config = gc_state_u32(state, VIVS_GL_MULTI_SAMPLE_CONFIG);
	uint32_t enabled = FIELD(config, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES);
	struct gc_draw_state *s = &unit->state;

	if (unit->samples == 1) {
		where = CENTER_BYTE;
		enabled = 1;
	}
	unit->raster.samples = unit->samples;
	s->sample_mask = enabled;
	for (unsigned int i = 0; i < unit->samples; i++) {
		struct gc_sample_point *at = &unit->raster.sample[i];

		at->x = where >> (8 * i) & 0xf;
		at->y = where >> (8 * i + 4) & 0xf;
		s->sample_x[i] = (at->x - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS);
		s->sample_y[i] = (at->y - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS);
	}
	for (unsigned int i = 0; i < 16; i++)
		s->centroid[i] =
			gc_state_u32(state, VIVS_RA_CENTROID_TABLE(i / 4)) >> (8 * (i % 4));
}

void gc_draw_state_decode(struct gc_core *gc, struct gc_draw_unit *unit)
{
	const struct gc_state *state = &gc->state;
	struct gc_draw_state *s = &unit->state;
	uint32_t vs = gc_state_u32(state, VIVS_VS_TEMP_REGISTER_CONTROL);
	uint32_t ps = gc_state_u32(state, VIVS_PS_TEMP_REGISTER_CONTROL);
	uint32_t out = gc_state_u32(state, VIVS_PS_OUTPUT_REG);
	uint32_t more = gc_state_u32(state, VIVS_PS_OUTPUT_REG2);

	gc_vertex_layout_decode(gc, &s->layout);
	decode_viewport(state, &s->viewport);
	decode_primitives(state, s);
	decode_scissor(state, &unit->raster.scissor);
	decode_samples(state, unit);
	s->vs_temps = FIELD(vs, VIVS_VS_TEMP_REGISTER_CONTROL_NUM_TEMPS);
	s->ps_temps = FIELD(ps, VIVS_PS_TEMP_REGISTER_CONTROL_NUM_TEMPS);
	for (unsigned int t = 0; t < GC_MAX_TARGETS; t++)
		s->color_reg[t] = (t < 4 ? out : more) >> (8 * (t % 4)) & (GC_TEMPS - 1);
}
