// SPDX-License-Identifier: MIT
/*
 * Commands of the front end's stream. A command starts at a 64-bit word and is padded to whole
 * 64-bit words. As on silicon, an unknown command stops the front end; a reset or a new start is
 * needed then.
 */
#include "gc/fe_internal.h"

#include "gc/draw.h"
#include "gc/float_bits.h"
#include "gc/primitive.h"
#include "gc/trace.h"
#include "hw/cmdstream.xml.h"
#include "hw/state.xml.h"

#define FIELD(word, name) (((word) & name##__MASK) >> name##__SHIFT)

/* Convert 16.16 fixed point to the bits of a float. */
static uint32_t fixed_to_float(uint32_t fixed)
{
	return float_bits((float)(int32_t)fixed / 65536.0f);
}

static void load(struct gc_core *gc, uint32_t address, uint32_t value, bool fixed)
{
	gc_load_state(gc, address, fixed ? fixed_to_float(value) : value);
}

static void load_state(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint32_t header = fe->low;
	uint32_t count = FIELD(header, VIV_FE_LOAD_STATE_HEADER_COUNT);
	uint32_t address = FIELD(header, VIV_FE_LOAD_STATE_HEADER_OFFSET) << 2;
	bool fixed = header & VIV_FE_LOAD_STATE_HEADER_FIXP;
	bool high = true;

	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_LOAD0;
	if (!count)
		count = 1024; /* 2^10: the field has ten bits */
	fe_charge(gc, (count + 2) & ~1u);
	for (; count; count--, address += 4, high = !high) {
		if (!high && !fe_fetch(gc))
			return;
		load(gc, address, high ? fe->high : fe->low, fixed);
		if (fe->state != FE_RUNNING)
			return;
	}
}

/* Skip the rectangles of a 2D draw, 0 means 256: this core has no 2D pipe. */
static void skip_2d(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint32_t rectangles = FIELD(fe->low, VIV_FE_DRAW_2D_HEADER_COUNT);
	uint32_t data = FIELD(fe->low, VIV_FE_DRAW_2D_HEADER_DATA_COUNT);
	uint32_t words;

	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_2DRECT0;
	words = 2 * (rectangles ? rectangles : 256) + ((data + 1) & ~1u);
	fe_charge(gc, 2 + words);
	for (; words; words -= 2)
		if (!fe_fetch(gc))
			return;
}

/* For null_draw(): the reverse of gc_primitive_vertices(). */
static uint64_t primitives_of(uint32_t type, uint64_t vertices)
{
	switch (type) {
	case PRIMITIVE_TYPE_LINES:
		return vertices / 2;
	case PRIMITIVE_TYPE_LINE_STRIP:
		return vertices ? vertices - 1 : 0;
	case PRIMITIVE_TYPE_TRIANGLES:
		return vertices / 3;
	case PRIMITIVE_TYPE_TRIANGLE_STRIP:
	case PRIMITIVE_TYPE_TRIANGLE_FAN:
		return vertices > 2 ? vertices - 2 : 0;
	case PRIMITIVE_TYPE_QUADS:
		return vertices / 4;
	default:
		return vertices;
	}
}

/* --null-draw: count vertices and primitives, draw nothing. */
static void null_draw(struct gc_core *gc, const struct gc_draw *draw)
{
	uint64_t vertices = draw->by_vertices ? draw->count
					      : gc_primitive_vertices(draw->primitive, draw->count);
	uint64_t primitives = primitives_of(draw->primitive, vertices);

	gc->work.vertices = vertices * draw->instances;
	gc->work.primitives_in = primitives * draw->instances;
	gc->counters.vs_vertices += gc->work.vertices;
	gc->counters.pa_input_primitives += gc->work.primitives_in;
}

static void execute_draw(struct gc_core *gc, const struct gc_draw *draw)
{
	gc->fe->debug_state = draw->indexed ? VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_DRAWIDX
					    : VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_DRAW;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "draw %s type %u count %u%s first %u base %d instances %u",
			 draw->indexed ? "indexed" : "arrays", draw->primitive, draw->count,
			 draw->by_vertices ? " vertices" : " primitives", draw->first,
			 draw->base_vertex, draw->instances);
	gc->counters.fe_draws++;
	if (fe_watches_hazards(gc)) {
		struct gc_sync_core core = fe_sync_core(gc);

		if (fe_hazards(gc, gc_sync_draw(&gc->fe->sync, &core)))
			return;
	}
	fe_begin_work(gc);
	gc->work.draws = 1;
	if (gc->options.null_draw)
		null_draw(gc, draw);
	else
		gc_draw_execute(gc, draw);
	fe_end_work(gc);
	if (gc->hang && !gc->abort)
		fe_halt(gc, FE_HUNG, gc->hang);
	gc->hang = NULL;
}

static void draw_primitives(struct gc_core *gc, bool indexed)
{
	struct gc_fe *fe = gc->fe;
	struct gc_draw draw = { .indexed = indexed, .instances = 1 };

	draw.primitive = FIELD(fe->high, VIV_FE_DRAW_PRIMITIVES_COMMAND_TYPE);
	fe_charge(gc, indexed ? 6 : 4);
	if (!fe_fetch(gc))
		return;
	draw.first = fe->low;
	draw.count = fe->high;
	if (indexed && !fe_fetch(gc))
		return;
	draw.base_vertex = indexed ? (int32_t)fe->low : 0;
	execute_draw(gc, &draw);
}

/*
 * DRAW_INSTANCED (HALTI0) counts vertices. START is the first vertex, or the value added to each index; cores
 * below HALTI2 ignore it (rnndb, of the GC2000).
 */
static void draw_instanced(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	struct gc_draw draw = {
		.primitive = FIELD(fe->low, VIV_FE_DRAW_INSTANCED_HEADER_TYPE),
		.indexed = fe->low & VIV_FE_DRAW_INSTANCED_HEADER_INDEXED,
		.by_vertices = true,
		.count = FIELD(fe->high, VIV_FE_DRAW_INSTANCED_COUNT_VERTEX_COUNT),
		.instances = FIELD(fe->low, VIV_FE_DRAW_INSTANCED_HEADER_INSTANCE_COUNT_LO) |
			     FIELD(fe->high, VIV_FE_DRAW_INSTANCED_COUNT_INSTANCE_COUNT_HI) << 16,
	};

	fe_charge(gc, 4);
	if (!fe_fetch(gc))
		return;
	if (gc->personality->halti < 2)
		draw.first = 0;
	else if (draw.indexed)
		draw.base_vertex = (int32_t)fe->low;
	else
		draw.first = fe->low;
	execute_draw(gc, &draw);
}

/* Read the 64-bit word at @address if that is possible without a fault. */
static bool peek(struct gc_core *gc, uint32_t address, uint64_t *word)
{
	uint64_t *at = (uint64_t *)gc_mmu_probe(&gc->mmu, GC_CLIENT_FE, GC_READ, address);

	if (!at)
		return false;
	*word = __atomic_load_n(at, __ATOMIC_ACQUIRE);
	return true;
}

static bool links_to(uint64_t word, uint32_t address)
{
	return ((uint32_t)word & VIV_FE_LINK_HEADER_OP__MASK) == VIV_FE_LINK_HEADER_OP_LINK &&
	       ((uint32_t)(word >> 32) & ~7u) == address;
}

static void wait(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint32_t here = fe->address - 8;
	uint64_t next;

	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_WAIT;
	fe_charge(gc, 2);
	if (peek(gc, fe->address, &next) && links_to(next, here)) {
		fe->loop[0] = (uint64_t)fe->high << 32 | fe->low;
		fe->loop[1] = next;
		fe_park(gc, here, 2);
		return;
	}
	fe_advance(gc,
		   fe->cycle + gpu_pipeline_scale(&gc->pipeline,
						  FIELD(fe->low, VIV_FE_WAIT_HEADER_DELAY)),
		   false);
}

static void link(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	uint32_t here = fe->address - 8, target = fe->high & ~7u;

	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_LINK;
	fe_charge(gc, 2);
	if (target == here) {
		fe->loop[0] = (uint64_t)fe->high << 32 | fe->low;
		fe_park(gc, here, 1);
		return;
	}
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "link to 0x%08x prefetch %u", target,
			 FIELD(fe->low, VIV_FE_LINK_HEADER_PREFETCH));
	fe_link(gc, target, FIELD(fe->low, VIV_FE_LINK_HEADER_PREFETCH));
}

/* The second 64-bit word of CALL is what RETURN links to: its prefetch and its address. */
static void call(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;
	unsigned int prefetch = FIELD(fe->low, VIV_FE_CALL_HEADER_PREFETCH);
	uint32_t target = fe->high;

	fe_charge(gc, 4);
	if (!fe_fetch(gc))
		return;
	if (fe->calls == FE_CALLS) {
		fe_halt(gc, FE_ERROR, "calls nested too deep");
		return;
	}
	fe->call[fe->calls].prefetch = fe->low & 0xffff;
	fe->call[fe->calls].address = fe->high;
	fe->calls++;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "call 0x%08x prefetch %u", target & ~7u, prefetch);
	fe_link(gc, target, prefetch);
}

static void call_return(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	fe_charge(gc, 2);
	if (!fe->calls) {
		fe_halt(gc, FE_ERROR, "return without a call");
		return;
	}
	fe->calls--;
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "return to 0x%08x", fe->call[fe->calls].address & ~7u);
	fe_link(gc, fe->call[fe->calls].address, fe->call[fe->calls].prefetch);
}

static void end(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	fe_charge(gc, 2);
	if (fe->low & VIV_FE_END_HEADER_EVENT_ENABLE)
		gc_load_state(gc, VIVS_GL_EVENT,
			      VIVS_GL_EVENT_FROM_FE | FIELD(fe->low, VIV_FE_END_HEADER_EVENT_ID));
	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_END;
	fe_halt(gc, FE_STOPPED, "end");
}

static void illegal(struct gc_core *gc)
{
	if (gc_tracing(gc))
		gc_trace(gc, "fe", "illegal command 0x%08x 0x%08x", gc->fe->low, gc->fe->high);
	fe_halt(gc, FE_ERROR, "illegal command");
}

static void dispatch(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	switch (fe->low >> VIV_FE_NOP_HEADER_OP__SHIFT) {
	case FE_OPCODE_LOAD_STATE:
		load_state(gc);
		break;
	case FE_OPCODE_END:
		end(gc);
		break;
	case FE_OPCODE_NOP:
	case FE_OPCODE_CHIP_SELECT: /* one chip: always selected */
		fe_charge(gc, 2);
		break;
	case FE_OPCODE_DRAW_2D:
		skip_2d(gc);
		break;
	case FE_OPCODE_DRAW_PRIMITIVES:
	case FE_OPCODE_DRAW_INDEXED_PRIMITIVES:
		draw_primitives(gc, fe->low >> VIV_FE_NOP_HEADER_OP__SHIFT ==
					    FE_OPCODE_DRAW_INDEXED_PRIMITIVES);
		break;
	case FE_OPCODE_DRAW_INSTANCED:
		draw_instanced(gc);
		break;
	case FE_OPCODE_WAIT:
		wait(gc);
		break;
	case FE_OPCODE_LINK:
		link(gc);
		break;
	case FE_OPCODE_STALL:
		fe_charge(gc, 2);
		fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_STALL;
		fe_stall(gc, FIELD(fe->high, VIV_FE_STALL_TOKEN_FROM),
			 FIELD(fe->high, VIV_FE_STALL_TOKEN_TO));
		break;
	case FE_OPCODE_CALL:
		call(gc);
		break;
	case FE_OPCODE_RETURN:
		call_return(gc);
		break;
	default:
		illegal(gc);
		break;
	}
}

void fe_execute(struct gc_core *gc)
{
	struct gc_fe *fe = gc->fe;

	fe->debug_state = VIVS_FE_DMA_DEBUG_STATE_CMD_STATE_DEC;
	if (fe->inject_hang) {
		fe->inject_hang = false;
		fe_halt(gc, FE_HUNG, "hang injected");
		return;
	}
	if (!fe_fetch(gc))
		return;
	gc->counters.fe_commands++;
	dispatch(gc);
}
