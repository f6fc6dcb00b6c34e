// SPDX-License-Identifier: MIT
/*
 * Shades many fully covered blocks of a tile whose host addresses are known, one after the other,
 * since texture lookups may see the pixels of earlier ones. If the colours are unmodified varyings
 * and constants, pixels are computed without the shader, in the order of memory.
 */
#include <string.h>

#include "gc/draw_unit.h"
#include "gc/format.h"
#include "gc/pixel_vector.h"

/* The cache lines of a 64x64 tile are 4x4 pixels, 64 bytes: LINE_VECTORS vectors. */
#define LINE_VECTORS (GC_TILE_SIZE * GC_TILE_SIZE / PX_LANES)
#define BLOCK_LINES (GC_BLOCK / GC_TILE_SIZE) /* each way */
#define TILE_LINES (GC_TILE / GC_TILE_SIZE)

/* Number of the varying component whose register is @lanes, or -1. */
static int filling_component(const struct gc_varyings *v, const struct gc_batch *batch,
			     const union gc_lanes *lanes)
{
	int found = -1;

	for (unsigned int i = 0; i < v->components; i++)
		if (!(v->unread >> i & 1) &&
		    lanes == &batch->temp[v->reg[i]].c[v->lane_component[i]])
			found = (int)i;
	return found;
}

void gc_draw_find_passthrough(struct gc_draw_unit *unit)
{
	const struct gc_color *color = &unit->output[0];
	const struct gc_format *format = unit->paint.format;
	struct gc_passthrough *pass = &unit->passthrough;
	struct gc_pixels pixels;

	pass->on =
		!unit->paint.blender && gc_format_is_8888(format) && gc_shader_only_moves(unit->ps);
	pass->planes = 0;
	if (!pass->on)
		return;
	gc_format_pack_color(format, color, 0, GC_FORMAT_BLOCK, NULL, &pixels);
	pass->base = pixels.lo[0];
	for (unsigned int c = 0; c < 4; c++) {
		int component =
			filling_component(&unit->state.varyings, &unit->pixel_batch, color->c[c]);

		if (color->same >> c & 1 || !format->channel[c].bits)
			continue;
		pass->on &= component >= 0;
		pass->base &= ~(UINT32_C(0xff) << format->channel[c].shift);
		pass->component[pass->planes] = (uint8_t)component;
		pass->shift[pass->planes++] = format->channel[c].shift;
	}
}

/* A plane equation over a tile: a value is the sum of its column's and its row's term. */
struct tile_plane {
	px_float column[TILE_LINES], row[TILE_LINES * LINE_VECTORS];
};

/*
 * Evaluate a plane in the columns of the tile and the rows of the part's blocks. Positions are
 * small integers, so that adding up steps is exact.
 */
static void find_plane(const struct gc_plane *p, const struct gc_setup *s,
		       const struct gc_tile_part *part, struct tile_plane *out)
{
#define BELOW(x) ((x) + 2)
	const px_float in_x = { PX_PER_8(PX_SAME, 0, 1, 2, 3, 0, 1, 2, 3) };
	const px_float in_y = { PX_PER_8(BELOW, 0, 0, 0, 0, 1, 1, 1, 1) };
#undef BELOW
	const unsigned int first = (unsigned int)__builtin_ctzll(part->blocks) / GC_TILE_ROW;
	const unsigned int last = (63u - (unsigned int)__builtin_clzll(part->blocks)) / GC_TILE_ROW;
	px_float x = in_x + (float)(part->x - s->anchor_x);
	px_float y = in_y + (float)(part->y - s->anchor_y + (int)first * GC_BLOCK);

	for (unsigned int i = 0; i < TILE_LINES; i++) {
		out->column[i] = p->at + p->dx * x;
		x += (float)GC_TILE_SIZE;
	}
	for (unsigned int i = first * BLOCK_LINES * LINE_VECTORS;
	     i < (last + 1) * BLOCK_LINES * LINE_VECTORS; i++) {
		out->row[i] = p->dy * y;
		y += (float)GC_TILE_SIZE / LINE_VECTORS;
	}
}

/* unit->passthrough for one tile, with the planes of its varyings */
struct passthrough_tile {
	unsigned int planes;
	struct tile_plane plane[4];
	unsigned int shift[4];
	bool divided[4]; /* multiplied by 1 / over_w */
	bool any_divided;
	struct tile_plane over_w;
	px_word base;
};

static void find_passthrough_tile(const struct gc_draw_unit *unit, const struct gc_tile_part *part,
				  struct passthrough_tile *tile)
{
	const struct gc_passthrough *pass = &unit->passthrough;
	const struct gc_varyings *varyings = &unit->state.varyings;
	const struct gc_setup *s = &unit->setup[part->setup];
	const bool one =
		s->linear || (s->over_w.dx == 0.0f && s->over_w.dy == 0.0f && s->over_w.at == 1.0f);

	tile->planes = pass->planes;
	tile->any_divided = false;
	tile->base = (px_word){ 0 } + pass->base;
	for (unsigned int n = 0; n < pass->planes; n++) {
		unsigned int i = pass->component[n];
		struct gc_plane p = { s->at[i], s->dx[i], s->dy[i] };

		find_plane(&p, s, part, &tile->plane[n]);
		tile->shift[n] = pass->shift[n];
		tile->divided[n] = !one && !(varyings->flat >> i & 1);
		tile->any_divided |= tile->divided[n];
	}
	if (tile->any_divided)
		find_plane(&s->over_w, s, part, &tile->over_w);
}

/* Vectors of a block, in the order of memory. */
#define BLOCK_VECTORS (BLOCK_LINES * BLOCK_LINES * LINE_VECTORS)

PX_INLINE px_float value_at(const px_float *column, const px_float *row, unsigned int v)
{
	unsigned int line = v / LINE_VECTORS;

	return column[line % BLOCK_LINES] +
	       row[line / BLOCK_LINES * LINE_VECTORS + v % LINE_VECTORS];
}

/* One vector of a block's pixels. @planes and @divided are compile-time constants. */
PX_INLINE px_word passthrough_pixels(const struct passthrough_tile *tile, unsigned int planes,
				     bool divided, unsigned int column, unsigned int row,
				     unsigned int v)
{
	px_word pixels = tile->base;
	px_float w;

	if (divided)
		w = 1.0f / value_at(&tile->over_w.column[column], &tile->over_w.row[row], v);
#pragma GCC unroll 4
	for (unsigned int n = 0; n < planes; n++) {
		px_float value =
			value_at(&tile->plane[n].column[column], &tile->plane[n].row[row], v);

		if (divided && tile->divided[n])
			value *= w;
		pixels |= px_unorm8(value) << tile->shift[n];
	}
	return pixels;
}

typedef px_word px_pixels __attribute__((aligned(4)));

PX_INLINE void paint_blocks(const struct passthrough_tile *tile, const struct gc_tile_part *part,
			    unsigned int planes, bool divided)
{
	for (uint64_t left = part->blocks; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		px_pixels *run = (px_pixels *)gc_pe_tile_run(&part->place, i);
		unsigned int column = i % GC_TILE_ROW * BLOCK_LINES;
		unsigned int row = i / GC_TILE_ROW * BLOCK_LINES * LINE_VECTORS;

#pragma GCC unroll 8
		for (unsigned int v = 0; v < BLOCK_VECTORS; v++)
			run[v] = passthrough_pixels(tile, planes, divided, column, row, v);
	}
}

static void paint_passthrough(const struct gc_draw_unit *unit, const struct gc_tile_part *part)
{
	struct passthrough_tile tile;

	find_passthrough_tile(unit, part, &tile);
	/* clang-format off */
#define PLANES(n, divided) case 2 * (n) + (divided): paint_blocks(&tile, part, n, divided); break;
	switch (2 * tile.planes + tile.any_divided) {
	PLANES(0, 0) PLANES(1, 0) PLANES(2, 0) PLANES(3, 0) PLANES(4, 0)
	PLANES(1, 1) PLANES(2, 1) PLANES(3, 1) PLANES(4, 1)
	}
	/* clang-format on */
#undef PLANES
}

static void shade_block(struct gc_core *gc, const struct gc_draw_unit *unit, struct gc_batch *batch,
			const struct gc_tile_part *part, unsigned int block,
			struct gc_shader_cost *cost)
{
	gc_interpolate_block(&unit->setup[part->setup], &unit->state.varyings,
			     part->x + (int)(block % GC_TILE_ROW * GC_BLOCK),
			     part->y + (int)(block / GC_TILE_ROW * GC_BLOCK), batch);
	batch->live = UINT64_MAX;
	batch->helpers = 0;
	batch->killed = 0;
	gc_shader_run_short(gc, unit->ps, batch, cost);
}

void gc_draw_paint_part(struct gc_core *gc, const struct gc_draw_unit *unit, struct gc_batch *batch,
			const struct gc_color *color, const struct gc_tile_part *part,
			struct gc_shader_cost *cost)
{
	struct gc_shader_cost one = { 0 };

	/*
	 * The shader runs once, for its cost only: its inputs are those of an earlier block, but
	 * nothing reads what it computes.
	 */
	if (unit->passthrough.on) {
		paint_passthrough(unit, part);
		batch->live = UINT64_MAX;
		gc_shader_run_short(gc, unit->ps, batch, &one);
		cost->instructions += one.instructions * part->groups;
		return;
	}
	for (uint64_t left = part->blocks; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);

		gc_answer(gc);
		shade_block(gc, unit, batch, part, i, cost);
		if (gc->abort) /* reset while the shader ran */
			return;
		gc_pe_paint_run(&unit->paint, gc_pe_tile_run(&part->place, i), color);
	}
}
