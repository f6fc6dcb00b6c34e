// SPDX-License-Identifier: MIT
/*
 * Vertex fetch: decodes the layout of attributes from the states and loads the attributes of a
 * batch into registers.
 */
#include "gc/vertex.h"

#include <string.h>

#include "gc/core.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "plain.h"

#define FIELD(value, name) (((value) & name##__MASK) >> name##__SHIFT)

/* NFE_VERTEX_STREAMS_CONTROL has 12 bits of stride, FE_VERTEX_STREAMS_CONTROL has 8 (rnndb). */
#define NFE_STRIDE_MASK 0xfffu
#define FLOAT_ONE 0x3f800000u

static void decode_element(struct gc_core *gc, unsigned int i, struct gc_element *e)
{
	uint32_t config = gc_state_u32(&gc->state, VIVS_FE_VERTEX_ELEMENT_CONFIG(i));
	uint32_t inputs = gc_state_u32(&gc->state, VIVS_VS_INPUT(i / 4));
	uint32_t normalize = config & VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE__MASK;
	uint32_t num = FIELD(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_NUM);

	e->type = FIELD(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE);
	e->components = num ? num : 4;
	e->stream = FIELD(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM);
	e->start = FIELD(config, VIVS_FE_VERTEX_ELEMENT_CONFIG_START);
	e->size = gc_element_size(e->type, e->components);
	e->reg = (inputs >> (8 * (i % 4))) % GC_TEMPS;
	e->sign_extend = normalize == VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE_SIGN_EXTEND;
	e->normalize = normalize == VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE_ON;
	e->one = FLOAT_ONE;
	if (gc->personality->halti < 2 &&
	    (e->type == FE_DATA_TYPE_BYTE_I || e->type == FE_DATA_TYPE_SHORT_I)) {
		gc->counters.fe_refused_formats++;
		e->components = e->size = 0;
	}
	/*
	 * HALTI2: FE_GENERIC_ATTRIB_SCALE selects whether the default of w is the integer or
	 * the float 1
	 */
	if (gc->personality->halti >= 2 &&
	    gc_state_u32(&gc->state, VIVS_FE_GENERIC_ATTRIB_SCALE(i)) == 1)
		e->one = 1;
}

static void decode_stream(const struct gc_core *gc, unsigned int i, struct gc_stream *s)
{
	uint32_t control;

	s->divisor = 0;
	if (gc->personality->halti >= 2) {
		s->address = gc_state_u32(&gc->state, VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(i));
		control = gc_state_u32(&gc->state, VIVS_NFE_VERTEX_STREAMS_CONTROL(i));
		s->divisor = gc_state_u32(&gc->state, VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR(i));
		s->stride = control & NFE_STRIDE_MASK;
		return;
	} else if (gc->personality->streams > 1) {
		i %= VIVS_FE_VERTEX_STREAMS__LEN;
		s->address = gc_state_u32(&gc->state, VIVS_FE_VERTEX_STREAMS_BASE_ADDR(i));
		control = gc_state_u32(&gc->state, VIVS_FE_VERTEX_STREAMS_CONTROL(i));
	} else {
		s->address = gc_state_u32(&gc->state, VIVS_FE_VERTEX_STREAM_BASE_ADDR);
		control = gc_state_u32(&gc->state, VIVS_FE_VERTEX_STREAM_CONTROL);
	}
	s->stride = FIELD(control, FE_VERTEX_STREAM_CONTROL_VERTEX_STRIDE);
}

void gc_vertex_layout_decode(struct gc_core *gc, struct gc_vertex_layout *layout)
{
	uint32_t inputs = gc_state_u32(&gc->state, VIVS_VS_INPUT_COUNT);
	unsigned int count = FIELD(inputs, VIVS_VS_INPUT_COUNT_COUNT);

	layout->ids = inputs & VIVS_VS_INPUT_COUNT_ID_ENABLE && count > 0;
	layout->float_ids = gc->personality->halti < 2;
	if (layout->ids) {
		uint32_t regs;

		count--; /* vertex and instance number are the last input */
		regs = gc_state_u32(&gc->state, VIVS_VS_INPUT(count / 4 % VIVS_VS_INPUT__LEN));
		layout->id_reg = (regs >> (8 * (count % 4))) % GC_TEMPS;
	}
	layout->count = count < GC_MAX_ELEMENTS ? count : GC_MAX_ELEMENTS;
	layout->bytes = 0;
	for (unsigned int i = 0; i < layout->count; i++) {
		struct gc_element *e = &layout->element[i];

		decode_element(gc, i, e);
		decode_stream(gc, e->stream, &layout->stream[e->stream]);
		layout->bytes += e->size;
	}
}

/* Host address of @size bytes, up to 16; those that cross a page are copied to @spill. */
static const uint8_t *attribute_at(struct gc_core *gc, uint32_t address, unsigned int size,
				   uint8_t spill[16])
{
	if ((address & (GC_PAGE_SIZE - 1)) + size <= GC_PAGE_SIZE)
		return gc_mmu_map(&gc->mmu, GC_CLIENT_FE, GC_READ, address);
	return gc_mmu_read(&gc->mmu, GC_CLIENT_FE, address, spill, size) ? spill : NULL;
}

/*
 * Fetch @components floats for each vertex. Most vertices are in the page of the one before, so
 * its translation is reused: way is the host's minus the GPU's address in that page.
 */
static inline __attribute__((always_inline)) bool fetch_floats(
	struct gc_core *gc, const struct gc_stream *stream, const struct gc_element *e,
	const struct gc_vertex_run *run, unsigned int components, struct gc_vec4 *reg)
{
	uint32_t page = UINT32_MAX, base = stream->address + e->start;
	uint8_t spill[16] __attribute__((aligned(16)));
	uintptr_t way = 0;

	for (unsigned int lane = 0; lane < run->count; lane++) {
		uint32_t address = base + run->index[lane] * stream->stride;
		uint32_t last = address + 4 * components - 1;
		const uint8_t *from = (const uint8_t *)(way + address);

		if (address / GC_PAGE_SIZE != page || last / GC_PAGE_SIZE != page) {
			from = attribute_at(gc, address, 4 * components, spill);
			if (!from)
				return false;
			page = from == spill ? UINT32_MAX : address / GC_PAGE_SIZE;
			way = (uintptr_t)from - address;
		}
		for (unsigned int i = 0; i < components; i++)
			memcpy(&reg->c[i].u[lane], from + 4 * i, 4);
	}
	return true;
}

/* Set components that are not in memory. */
static void set_defaults(const struct gc_element *e, const struct gc_vertex_run *run,
			 struct gc_vec4 *reg)
{
	for (unsigned int i = e->components; i < 4; i++)
		for (unsigned int lane = 0; lane < run->count; lane++)
			reg->c[i].u[lane] = i == 3 ? e->one : 0;
}

/* fetch_floats() for a constant number of components. */
#define FETCH(components) fetch_floats(gc, stream, e, run, components, reg)

/* fetch_element() for floats of vertices, not of instances: the faster way. */
static bool fetch_vertex_floats(struct gc_core *gc, const struct gc_stream *stream,
				const struct gc_element *e, const struct gc_vertex_run *run,
				struct gc_vec4 *reg)
{
	set_defaults(e, run, reg);
	switch (e->components) {
	case 1:
		return FETCH(1);
	case 2:
		return FETCH(2);
	case 3:
		return FETCH(3);
	default:
		return FETCH(4);
	}
}

static bool fetch_element(struct gc_core *gc, const struct gc_vertex_layout *layout,
			  const struct gc_element *e, const struct gc_vertex_run *run,
			  struct gc_vec4 *reg)
{
	const struct gc_stream *stream = &layout->stream[e->stream];
	uint8_t spill[16] __attribute__((aligned(16)));

	if (!CARD_PLAIN && e->type == FE_DATA_TYPE_FLOAT && !stream->divisor)
		return fetch_vertex_floats(gc, stream, e, run, reg);
	for (unsigned int lane = 0; lane < run->count; lane++) {
		uint32_t nth =
			stream->divisor ? run->instance[lane] / stream->divisor : run->index[lane];
		uint32_t address = stream->address + e->start + nth * stream->stride;
		const uint8_t *from = attribute_at(gc, address, e->size, spill);
		uint32_t value[4] = { 0, 0, 0, e->one };

		if (!from)
			return false;
		gc_element_decode(e, from, value);
		for (unsigned int i = 0; i < 4; i++)
			reg->c[i].u[lane] = value[i];
	}
	return true;
}

static void load_ids(const struct gc_vertex_layout *layout, const struct gc_vertex_run *run,
		     struct gc_batch *batch)
{
	struct gc_vec4 *reg = &batch->temp[layout->id_reg];

	for (unsigned int lane = 0; lane < run->count; lane++) {
		batch->vertex_id.u[lane] = run->index[lane];
		batch->instance_id.u[lane] = run->instance[lane];
		if (!layout->ids)
			continue;
		if (layout->float_ids) {
			reg->c[0].f[lane] = (float)run->index[lane];
			reg->c[1].f[lane] = (float)run->instance[lane];
		} else {
			reg->c[0].u[lane] = run->index[lane];
			reg->c[1].u[lane] = run->instance[lane];
		}
	}
}

bool gc_vertex_fetch(struct gc_core *gc, const struct gc_vertex_layout *layout,
		     const struct gc_vertex_run *run, struct gc_batch *batch)
{
	for (unsigned int i = 0; i < layout->count; i++) {
		const struct gc_element *e = &layout->element[i];

		if (!fetch_element(gc, layout, e, run, &batch->temp[e->reg]))
			return false;
	}
	load_ids(layout, run, batch);
	return true;
}
