// SPDX-License-Identifier: MIT
/*
 * Shades one group of quads: interpolates varyings, runs the shader, does the tests that follow
 * the shader where depth is late, and passes colours to the pixel engine.
 */
#include "gc/draw_deferred.h"
#include "gc/draw_unit.h"

#define YIELD_BATCHES 32 /* shader batches between two calls of gc_yield() */

#define FRONT_BITS 0x3f800000u /* the face register holds 1.0 or 0.0 */

/* Coverage of pixel @p of a quad, one bit a sample. */
static unsigned int pixel_samples(unsigned int coverage, unsigned int p)
{
	unsigned int bits = coverage >> p & 0x1111;

	return (bits | bits >> 3 | bits >> 6 | bits >> 9) & 0xf;
}

/* Set the face register's lanes, unless they hold these values since an earlier group. */
static void fill_face(struct gc_draw_unit *unit, const struct gc_quads *quads)
{
	union gc_lanes *face = &unit->pixel_batch.face;
	bool front = quads->quad[0].front, mixed = false;

	for (unsigned int q = 1; q < quads->count; q++)
		mixed |= quads->quad[q].front != front;
	if (!mixed && unit->face_lanes == front)
		return;
	for (unsigned int lane = 0; lane < GC_LANES; lane++)
		face->u[lane] =
			(mixed && lane < 4 * quads->count ? quads->quad[lane / 4].front : front)
				? FRONT_BITS
				: 0;
	unit->face_lanes = mixed ? GC_FACE_MIXED : front;
}

/* Where in its pixels a quad's varyings are evaluated: RA_CENTROID_TABLE, by covered samples. */
static void centroids(const struct gc_draw_state *s, unsigned int coverage, float dx[4],
		      float dy[4])
{
	for (unsigned int p = 0; p < 4; p++) {
		uint8_t at = s->centroid[pixel_samples(coverage, p)];

		dx[p] = ((at & 0xf) - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS);
		dy[p] = ((at >> 4) - GC_SUBPIXELS / 2) * (1.0f / GC_SUBPIXELS);
	}
}

/* One quad after the other. With multisampling varyings are evaluated at centroids. */
static void interpolate_each(struct gc_draw_unit *unit, const struct gc_quad_group *group)
{
	const bool samples = unit->samples > 1;
	float dx[4], dy[4];

	for (unsigned int q = 0; q < group->quads.count; q++) {
		const struct gc_quad *quad = &group->quads.quad[q];

		if (samples)
			centroids(&unit->state, quad->coverage, dx, dy);
		gc_interpolate_quad(&unit->setup[group->setup[q]], &unit->state.varyings, quad->x,
				    quad->y, samples ? dx : NULL, samples ? dy : NULL, q,
				    &unit->pixel_batch);
	}
}

static void interpolate(struct gc_draw_unit *unit, const struct gc_quad_group *group)
{
	const struct gc_setup *setup = &unit->setup[group->setup[0]];

	if (CARD_PLAIN || unit->samples > 1)
		interpolate_each(unit, group);
	else if (group->quads.block)
		gc_interpolate_block(setup, &unit->state.varyings, group->quads.quad[0].x,
				     group->quads.quad[0].y, &unit->pixel_batch);
	else
		gc_interpolate_quads(unit->setup, group->setup, &unit->state.varyings,
				     group->quads.quad, group->quads.count, &unit->pixel_batch);
}

static inline void count_pixels(struct gc_core *gc, uint64_t pixels, uint64_t samples,
				uint64_t quads, const struct gc_shader_cost *cost)
{
	gc->counters.ps_pixels += pixels;
	gc->counters.ps_instructions += cost->instructions;
	gc->counters.ps_branches += cost->branches;
	gc->counters.ps_texlds += cost->texlds;
	gc->work.pixels += pixels;
	gc->work.samples += samples;
	gc->work.quads += quads;
	gc->work.ps_instructions += cost->instructions;
	gc->work.ps_texels += cost->texlds;
	gc->work.ps_accesses += cost->accesses;
	gc->work.ps_read_bytes += cost->read_bytes;
	gc->work.ps_write_bytes += cost->write_bytes;
}

/* Lanes with a covered sample; adds the number of these samples to @samples. */
static uint64_t covered_lanes(const struct gc_core *gc, const struct gc_quads *quads,
			      uint64_t *samples)
{
	uint64_t any = 0;

	for (unsigned int s = 0; s < gc->draw->samples; s++) {
		uint64_t covered = gc_quads_covered(quads, s);

		*samples += (unsigned int)__builtin_popcountll(covered);
		any |= covered;
	}
	return any;
}

/* Remove killed pixels from the coverage. */
static void apply_kill(struct gc_quads *quads, uint64_t killed)
{
	if (!killed)
		return;
	quads->block = false;
	for (unsigned int q = 0; q < quads->count; q++)
		quads->quad[q].coverage &= ~((killed >> 4 * q & 0xf) * 0x1111u);
}

/* Pixels whose t0.z the shader changed have that depth in all samples. */
static void use_shader_depth(struct gc_quads *quads, const union gc_lanes *before,
			     const union gc_lanes *after)
{
	uint32_t changed = 0;

	for (unsigned int lane = 0; lane < GC_LANES; lane++)
		changed |= before->u[lane] ^ after->u[lane];
	for (unsigned int lane = 0; changed && lane < 4 * quads->count; lane++) {
		if (before->u[lane] == after->u[lane])
			continue;
		for (unsigned int s = 0; s < GC_MAX_SAMPLES; s++)
			quads->z[s][lane] = after->f[lane];
	}
}

static bool any_coverage(const struct gc_quads *quads)
{
	unsigned int any = quads->block;

	for (unsigned int q = 0; !any && q < quads->count; q++)
		any |= quads->quad[q].coverage;
	return any;
}

/*
 * Alpha and depth tests after the shader: unit->late, so not unit->early. @z_before: t0.z before the
 * shader; only for unit->depth. Returns: false after a fault.
 */
static bool late_tests(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_quads *quads,
		       const union gc_lanes *z_before)
{
	bool ok;

	if (unit->depth)
		use_shader_depth(quads, z_before, unit->depth_output);
	gc_pe_alpha(gc, quads, &unit->output[0]);
	gc_draw_check_block(quads);
	ok = gc_pe_depth(gc, quads);
	gc_draw_check_block(quads);
	return ok;
}

static bool write_colors(struct gc_core *gc, struct gc_draw_unit *unit,
			 const struct gc_quads *quads)
{
	for (unsigned int t = 0; t < unit->targets && t < GC_MAX_TARGETS; t++) {
		if (!gc_pe_color_target(gc, t, quads, &unit->output[t]))
			return false;
	}
	return true;
}

/*
 * Shade and write a group. Returns: false after a fault, or if the core was reset while the shader ran:
 * addresses are not translated any more then.
 */
static bool shade(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	struct gc_batch *batch = &unit->pixel_batch;
	struct gc_quads *quads = &group->quads;
	bool late_depth = unit->depth && !unit->early;
	struct gc_shader_cost cost = { 0 };
	uint64_t samples = 0, covered = covered_lanes(gc, quads, &samples);
	union gc_lanes z_before;

	if (unit->face)
		fill_face(unit, quads);
	interpolate(unit, group);
	if (late_depth)
		z_before = batch->temp[0].c[2];
	batch->live = quads->count < GC_QUADS ? (1ull << 4 * quads->count) - 1 : UINT64_MAX;
	batch->helpers = batch->live & ~covered;
	batch->killed = 0;
	gc_shader_run_short(gc, unit->ps, batch, &cost);
	count_pixels(gc, (unsigned int)__builtin_popcountll(covered), samples, quads->count, &cost);
	if (gc->abort)
		return false;
	apply_kill(quads, batch->killed);
	if (unit->late && !late_tests(gc, unit, quads, &z_before))
		return false;
	return !any_coverage(quads) || write_colors(gc, unit, quads);
}

/* Release the set-ups of the group's quads and empty the group. */
static void release(struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	unsigned int run = 0;

	if (group->quads.block) {
		gc_draw_put_setup(unit, group->setup[0], GC_QUADS);
		group->quads.count = 0;
		return;
	}
	for (unsigned int q = 0; q < group->quads.count; q++) {
		run++;
		if (q + 1 < group->quads.count && group->setup[q + 1] == group->setup[q])
			continue;
		gc_draw_put_setup(unit, group->setup[q], run);
		run = 0;
	}
	group->quads.count = 0;
}

void gc_draw_cut(struct gc_core *gc, struct gc_draw_unit *unit)
{
	if (gc_pieces_is_full(gc) && gc_draw_is_deferred(unit))
		gc_deferred_drain(unit->deferred);
	gc_pieces_cut(gc, unit->raster.tiles - unit->piece_tiles);
	unit->piece_batches = 0;
	unit->piece_tiles = unit->raster.tiles;
}

/*
 * Account for @batches shaded batches, at most gc_draw_groups_left(), so that no yield and no start
 * of deferred shading is skipped; @ok is false after a fault.
 */
static inline void end_batches(struct gc_core *gc, struct gc_draw_unit *unit, unsigned int batches,
			       bool ok)
{
	unit->batches += batches;
	/* a tile's blocks are of one primitive and load the stages alike: larger pieces will do */
	unit->piece_batches += (batches + GC_PIECE_BATCHES - 1) / GC_PIECE_BATCHES;
	if (unit->piece_batches >= GC_PIECE_BATCHES)
		gc_draw_cut(gc, unit);
	if (!ok)
		unit->stop = true;
	gc_answer(gc);
	if (unit->batches % YIELD_BATCHES == 0 && !gc_yield(gc))
		unit->stop = true;
	if (!CARD_PLAIN && unit->batches == unit->defer_after && !unit->stop && unit->deferred)
		gc_deferred_begin(unit->deferred);
}

/* Number of batches until end_batches() has to yield or to start deferred shading. */
unsigned int gc_draw_groups_left(const struct gc_draw_unit *unit)
{
	unsigned int to_yield = YIELD_BATCHES - unit->batches % YIELD_BATCHES;
	unsigned int to_defer = unit->defer_after - unit->batches;

	return unit->batches < unit->defer_after && to_defer < to_yield ? to_defer : to_yield;
}

/*
 * Count a group that other threads will shade: all but the cost of its shader. Such draws have one sample
 * (gc_pe_can_defer()).
 */
static void count_deferred(struct gc_core *gc, uint64_t pixels)
{
	const struct gc_shader_cost none = { 0 };

	count_pixels(gc, pixels, pixels, GC_QUADS, &none);
}

/* shade() for a whole block without tests between shader and targets. */
static bool shade_block(struct gc_core *gc, struct gc_draw_unit *unit, const struct gc_setup *setup,
			int x, int y)
{
	struct gc_batch *batch = &unit->pixel_batch;
	struct gc_shader_cost cost = { 0 };

	gc_interpolate_block(setup, &unit->state.varyings, x, y, batch);
	batch->live = UINT64_MAX;
	batch->helpers = 0;
	batch->killed = 0;
	gc_shader_run_short(gc, unit->ps, batch, &cost);
	count_pixels(gc, GC_LANES, GC_LANES, GC_QUADS, &cost);
	if (gc->abort)
		return false;
	for (unsigned int t = 0; t < unit->targets && t < GC_MAX_TARGETS; t++)
		if (!gc_pe_color_block(gc, t, x, y, &unit->output[t]))
			return false;
	return true;
}

/* Whether the next group can be queued for other threads; leaves the queue after a conflict. */
static inline bool can_queue(struct gc_draw_unit *unit)
{
	return gc_draw_is_deferred(unit) && !gc_deferred_leave(unit->deferred);
}

void gc_draw_shade_block(struct gc_core *gc, struct gc_draw_unit *unit,
			 const struct gc_setup *setup, int x, int y)
{
	bool ok;

	if (can_queue(unit)) {
		count_deferred(gc, GC_LANES);
		ok = gc_deferred_block(unit->deferred, (unsigned int)(setup - unit->setup), x, y);
	} else {
		ok = shade_block(gc, unit, setup, x, y);
	}
	end_batches(gc, unit, 1, ok);
}

bool gc_draw_find_part(struct gc_core *gc, struct gc_tile_part *part)
{
	return gc_pe_find_tile(gc, part->x, part->y, part->blocks, &part->place);
}

/* CARD_PLAIN: the blocks of @part as quads */
static bool shade_part_plainly(struct gc_core *gc, struct gc_draw_unit *unit,
			       const struct gc_tile_part *part)
{
	bool ok = true;

	for (uint64_t left = part->blocks; left && ok; left &= left - 1) {
		int block = __builtin_ctzll(left);

		gc_draw_set_block(unit, &unit->whole, 0, part->x + block % GC_TILE_ROW * GC_BLOCK,
				  part->y + block / GC_TILE_ROW * GC_BLOCK);
		unit->whole.quads.block = true;
		ok = shade(gc, unit, &unit->whole);
		release(unit, &unit->whole);
	}
	return ok;
}

void gc_draw_shade_part(struct gc_core *gc, struct gc_draw_unit *unit,
			const struct gc_tile_part *part)
{
	struct gc_shader_cost cost = { 0 };
	unsigned int pixels = GC_LANES * part->groups;

	unit->tile_parts++;
	if (CARD_PLAIN) {
		end_batches(gc, unit, part->groups, shade_part_plainly(gc, unit, part));
		return;
	}
	gc_pe_locate_tile(gc, &part->place, part->blocks);
	if (can_queue(unit))
		gc_deferred_part(unit->deferred, part);
	else
		gc_draw_paint_part(gc, unit, &unit->pixel_batch, &unit->output[0], part, &cost);
	count_pixels(gc, pixels, pixels, GC_QUADS * part->groups, &cost);
	if (!gc->abort)
		gc_pe_finish_tile(gc, &part->place, part->blocks);
	end_batches(gc, unit, part->groups, !gc->abort);
}

/* Queue a full group for other threads. Its set-ups are released when its chunk is retired. */
static void shade_deferred(struct gc_core *gc, struct gc_draw_unit *unit,
			   struct gc_quad_group *group)
{
	uint64_t covered = gc_quads_covered(&group->quads, 0);
	bool ok;

	count_deferred(gc, (unsigned int)__builtin_popcountll(covered));
	ok = gc_deferred_quads(unit->deferred, group);
	group->quads.count = 0;
	end_batches(gc, unit, 1, ok);
}

void gc_draw_shade_quads(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	const struct gc_quad *first = &group->quads.quad[0];

	if (group->quads.count && !unit->stop) {
		/*
		 * missing lanes must hold what the previous group left in them, so all shading
		 * has to be in order
		 */
		if (can_queue(unit) && group->quads.count < GC_QUADS)
			gc_deferred_end(unit->deferred);
		if (gc_draw_is_deferred(unit) && !group->quads.block) {
			shade_deferred(gc, unit, group);
			return;
		}
		if (!CARD_PLAIN && group->quads.block && unit->straight)
			gc_draw_shade_block(gc, unit, &unit->setup[group->setup[0]], first->x,
					    first->y);
		else
			end_batches(gc, unit, 1, shade(gc, unit, group));
	}
	release(unit, group);
}
