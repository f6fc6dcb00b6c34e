// SPDX-License-Identifier: MIT
/*
 * Pixels: collects the quads of a draw in order, across primitives, sixteen at
 * a time; tests their depth, interpolates, shades, and gives them to the pixel
 * engine.
 *
 * Where depth is decided early, quads are tested first and only those with
 * something left are collected for the shader; else the pixel engine may still
 * reject some of them beforehand, and decides after the shader.
 */
#include "gc/draw_unit.h"

#include <string.h>

#define YIELD_BATCHES 32 /* shader batches between two looks at the board */

#define FRONT_BITS 0x3f800000u /* the face register holds 1.0 or 0.0 */

void gc_draw_pixels_begin(struct gc_core *gc, struct gc_draw_unit *unit)
{
	unsigned int temps = unit->state.ps_temps;

	unit->raw.quads.count = 0;
	unit->pending.quads.count = 0;
	unit->batches = 0;
	unit->next_setup = 0;
	for (unsigned int i = 0; i < GC_SETUPS; i++)
		unit->setup[i].references = 0;
	unit->raster.block = gc_draw_pixels_block;
	unit->raster.ctx = gc;
	unit->raster.tiles = 0;
	/* What a shader reads without having written it must not come from another draw. */
	memset(unit->pixel_batch.temp, 0, (temps < GC_TEMPS ? temps : GC_TEMPS) *
						  sizeof(unit->pixel_batch.temp[0]));
}

/* One bit a pixel, of the quad's covered samples together. */
static unsigned int covered_pixels(unsigned int coverage)
{
	return (coverage | coverage >> 4 | coverage >> 8 | coverage >> 12) & 0xf;
}

/* Sample number @n of pixel @p: the coverage bits of that pixel only. */
static unsigned int pixel_samples(unsigned int coverage, unsigned int p)
{
	unsigned int bits = coverage >> p & 0x1111;

	return (bits | bits >> 3 | bits >> 6 | bits >> 9) & 0xf;
}

static void interpolate_group(struct gc_draw_unit *unit, const struct gc_quad_group *group)
{
	const struct gc_draw_state *s = &unit->state;
	struct gc_batch *batch = &unit->pixel_batch;

	for (unsigned int q = 0; q < group->quads.count; q++) {
		const struct gc_quad *quad = &group->quads.quad[q];
		float dx[4], dy[4];

		for (unsigned int p = 0; p < 4; p++)
			batch->face.u[4 * q + p] = quad->front ? FRONT_BITS : 0;
		for (unsigned int p = 0; p < 4 && unit->samples > 1; p++) {
			uint8_t at = s->centroid[pixel_samples(quad->coverage, p)];

			dx[p] = ((at & 0xf) - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS);
			dy[p] = ((at >> 4) - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS);
		}
		gc_interpolate_quad(&unit->setup[group->setup[q]], &s->varyings, quad->x, quad->y,
				    unit->samples > 1 ? dx : NULL, unit->samples > 1 ? dy : NULL, q,
				    batch);
	}
	batch->live = group->quads.count < GC_QUADS ? (1ull << 4 * group->quads.count) - 1 :
						      UINT64_MAX;
	batch->killed = 0;
}

static void count_shading(struct gc_core *gc, const struct gc_quads *quads,
			  const struct gc_shader_cost *cost)
{
	uint64_t pixels = 0, samples = 0;

	for (unsigned int q = 0; q < quads->count; q++) {
		pixels += (unsigned int)__builtin_popcount(covered_pixels(quads->quad[q].coverage));
		samples += (unsigned int)__builtin_popcount(quads->quad[q].coverage);
	}
	gc->counters.ps_pixels += pixels;
	gc->counters.ps_instructions += cost->instructions;
	gc->counters.ps_branches += cost->branches;
	gc->counters.ps_texlds += cost->texlds;
	gc->work.pixels += pixels;
	gc->work.samples += samples;
	gc->work.quads += quads->count;
	gc->work.ps_instructions += cost->instructions;
	gc->work.ps_texels += cost->texlds;
}

/* Take killed pixels out. */
static void apply_kill(struct gc_quads *quads, uint64_t killed)
{
	for (unsigned int q = 0; killed && q < quads->count; q++)
		quads->quad[q].coverage &= ~((killed >> 4 * q & 0xf) * 0x1111u);
}

/* A shader that changed t0.z gave the depth of all samples of a pixel itself. */
static void take_shader_depth(struct gc_quads *quads, const union gc_lanes *before,
			      const union gc_lanes *after)
{
	for (unsigned int lane = 0; lane < 4 * quads->count; lane++) {
		if (before->u[lane] == after->u[lane])
			continue;
		for (unsigned int s = 0; s < GC_MAX_SAMPLES; s++)
			quads->quad[lane / 4].z[s][lane % 4] = after->f[lane];
	}
}

static bool any_coverage(const struct gc_quads *quads)
{
	unsigned int any = 0;

	for (unsigned int q = 0; q < quads->count; q++)
		any |= quads->quad[q].coverage;
	return any;
}

/* What follows the shader. Returns: false after a fault. */
static bool late_tests(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_quads *quads,
		       const union gc_lanes *z_before)
{
	struct gc_batch *batch = &unit->pixel_batch;

	if (unit->early)
		return true;
	take_shader_depth(quads, z_before, &batch->temp[0].c[2]);
	gc_pe_alpha(gc, quads, &batch->temp[unit->state.color_reg[0]]);
	return gc_pe_depth(gc, quads);
}

static bool write_colors(struct gc_core *gc, struct gc_draw_unit *unit,
			 const struct gc_quads *quads)
{
	for (unsigned int t = 0; t < unit->targets && t < GC_MAX_TARGETS; t++) {
		unsigned int reg = unit->state.color_reg[t];

		if (!gc_pe_color_target(gc, t, quads, &unit->pixel_batch.temp[reg]))
			return false;
	}
	return true;
}

static void release(struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	for (unsigned int q = 0; q < group->quads.count; q++)
		unit->setup[group->setup[q]].references--;
	group->quads.count = 0;
}

static void shade_group(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	struct gc_batch *batch = &unit->pixel_batch;
	struct gc_quads *quads = &group->quads;
	struct gc_shader_cost cost = { 0 };
	union gc_lanes z_before;

	if (!quads->count || unit->stop) {
		release(unit, group);
		return;
	}
	interpolate_group(unit, group);
	if (!unit->early)
		z_before = batch->temp[0].c[2];
	gc_shader_run(gc, unit->ps, batch, &cost);
	count_shading(gc, quads, &cost);
	apply_kill(quads, batch->killed);
	if (!late_tests(gc, unit, quads, &z_before) ||
	    (any_coverage(quads) && !write_colors(gc, unit, quads)))
		unit->stop = true;
	release(unit, group);
	if (++unit->batches % YIELD_BATCHES == 0 && !gc_yield(gc))
		unit->stop = true;
}

/* What early depth left waits for the shader, what it did not frees its primitive. */
static void collect_survivors(struct gc_core *gc, struct gc_draw_unit *unit)
{
	struct gc_quad_group *raw = &unit->raw, *pending = &unit->pending;

	for (unsigned int q = 0; q < raw->quads.count; q++) {
		unsigned int n = pending->quads.count;

		if (!raw->quads.quad[q].coverage) {
			unit->setup[raw->setup[q]].references--;
			continue;
		}
		gc->counters.ra_quads_after_early_z++;
		pending->quads.quad[n] = raw->quads.quad[q];
		pending->setup[n] = raw->setup[q];
		pending->quads.count = n + 1;
		if (n + 1 == GC_QUADS)
			shade_group(gc, unit, pending);
	}
	raw->quads.count = 0;
}

static void flush_raw(struct gc_core *gc, struct gc_draw_unit *unit)
{
	struct gc_quads *quads = &unit->raw.quads;

	if (quads->count && !unit->stop &&
	    !(unit->early ? gc_pe_depth(gc, quads) : gc_pe_early_test(gc, quads)))
		unit->stop = true;
	collect_survivors(gc, unit);
}

void gc_draw_pixels_primitive(struct gc_draw_unit *unit, int32_t x, int32_t y)
{
	/* A set-up no quad refers to any more; there is always one, see GC_SETUPS. */
	while (unit->setup[unit->next_setup].references)
		unit->next_setup = (unit->next_setup + 1) % GC_SETUPS;
	unit->current.ready = false;
	unit->current.setup = unit->next_setup;
	gc_setup_anchor(&unit->setup[unit->next_setup], x, y);
}

/* The primitive has its first pixels: compute its planes. */
static void make_setup(struct gc_draw_unit *unit)
{
	struct gc_current *c = &unit->current;
	struct gc_setup *s = &unit->setup[c->setup];

	switch (c->kind) {
	case GC_CURRENT_TRIANGLE:
		gc_setup_triangle(s, &unit->state.varyings, c->v, c->provoking, c->area);
		break;
	case GC_CURRENT_LINE:
		gc_setup_line(s, &unit->state.varyings, c->v, c->provoking, c->axis);
		break;
	case GC_CURRENT_POINT:
		gc_setup_point(s, &unit->state.varyings, c->v[0], c->size);
		break;
	}
	if (c->offset)
		gc_setup_offset(s, unit->state.depth_scale, unit->state.depth_bias);
	s->front = c->front;
	c->ready = true;
}

static void add_quad(struct gc_core *gc, struct gc_draw_unit *unit, int x, int y,
		     unsigned int coverage)
{
	struct gc_quad_group *raw = &unit->raw;
	struct gc_setup *s = &unit->setup[unit->current.setup];
	struct gc_quad *quad = &raw->quads.quad[raw->quads.count];

	quad->x = (int16_t)x;
	quad->y = (int16_t)y;
	quad->front = s->front;
	quad->coverage = (uint16_t)coverage;
	for (unsigned int i = 0; i < unit->samples; i++) {
		struct gc_sample_point at = unit->raster.sample[i];

		gc_plane_quad(s, &s->z, x, y, (at.x - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS),
			      (at.y - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS), quad->z[i]);
	}
	raw->setup[raw->quads.count] = (uint8_t)unit->current.setup;
	s->references++;
	gc->counters.ra_quads++;
	gc->counters.ra_pixels += (unsigned int)__builtin_popcount(covered_pixels(coverage));
	if (++raw->quads.count == GC_QUADS)
		flush_raw(gc, unit);
}

/* The quad whose upper left pixel is bit @shift of the masks. */
static unsigned int quad_coverage(const struct gc_draw_unit *unit,
				  const uint64_t mask[GC_MAX_SAMPLES], unsigned int shift)
{
	unsigned int coverage = 0;

	for (unsigned int s = 0; s < unit->samples; s++) {
		uint64_t bits = mask[s] >> shift;

		coverage |= (unsigned int)((bits & 3) | (bits >> (GC_BLOCK - 2) & 12)) << (4 * s);
	}
	return coverage & unit->state.sample_mask;
}

void gc_draw_pixels_block(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES])
{
	struct gc_core *gc = ctx;
	struct gc_draw_unit *unit = gc->draw;
	uint64_t any = mask[0];

	for (unsigned int s = 1; s < unit->samples; s++)
		any |= mask[s];
	/* one bit a quad, at the place of its upper left pixel */
	any |= any >> 1;
	any |= any >> GC_BLOCK;
	any &= 0x0055005500550055ull;
	for (; any && !unit->stop; any &= any - 1) {
		unsigned int shift = (unsigned int)__builtin_ctzll(any);
		unsigned int coverage = quad_coverage(unit, mask, shift);

		if (!coverage)
			continue;
		if (!unit->current.ready)
			make_setup(unit);
		add_quad(gc, unit, x + (int)(shift % GC_BLOCK), y + (int)(shift / GC_BLOCK),
			 coverage);
	}
}

void gc_draw_pixels_finish(struct gc_core *gc, struct gc_draw_unit *unit)
{
	flush_raw(gc, unit);
	shade_group(gc, unit, &unit->pending);
	gc->work.tiles += unit->raster.tiles;
}
