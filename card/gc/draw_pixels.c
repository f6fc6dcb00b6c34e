// SPDX-License-Identifier: MIT
/*
 * Pixels of a draw: collects quads in order, across primitives, sixteen at a time, and runs the
 * early depth test.
 *
 * If depth is decided early, quads are tested first and only those with covered pixels left are
 * collected for the shader. Otherwise the pixel engine may reject quads before the shader
 * (gc_pe_early_test()), but the depth test proper follows the shader.
 */
#include "gc/draw_deferred.h"
#include "gc/draw_unit.h"

#include <string.h>

#define ALL_PIXELS UINT64_MAX

void gc_draw_pixels_begin(struct gc_core *gc, struct gc_draw_unit *unit)
{
	unsigned int temps = unit->state.ps_temps;

	unit->raw = &unit->group[0];
	unit->pending = &unit->group[1];
	unit->raw->quads.count = 0;
	unit->pending->quads.count = 0;
	unit->face_lanes = GC_FACE_MIXED;
	unit->batches = 0;
	memset(unit->references, 0, unit->fresh_setup * sizeof(unit->references[0]));
	unit->free_setups = 0;
	unit->fresh_setup = 1;
	unit->current_setup = 0;
	unit->whole_blocks = unit->samples == 1 && unit->state.sample_mask & 1 && !unit->by_quads;
	unit->raster.block = gc_draw_pixels_block;
	unit->raster.whole = !CARD_PLAIN && unit->whole_blocks ? gc_draw_pixels_whole : NULL;
	unit->raster.tile = NULL;
	unit->raster.ctx = gc;
	unit->raster.tiles = 0;
	/*
	 * registers that a shader reads without having written them must not hold another
	 * draw's values
	 */
	memset(unit->pixel_batch.temp, 0,
	       (temps < GC_TEMPS ? temps : GC_TEMPS) * sizeof(unit->pixel_batch.temp[0]));
}

/* Whether the quads' depth is still needed after test_early(). */
static inline bool depth_is_late(const struct gc_draw_unit *unit)
{
	return unit->depth && !unit->early;
}

/* Copy quad @q of @group to its quad @n. */
static void move_quad(const struct gc_draw_unit *unit, struct gc_quad_group *group, unsigned int n,
		      unsigned int q)
{
	group->quads.quad[n] = group->quads.quad[q];
	group->setup[n] = group->setup[q];
	for (unsigned int s = 0; depth_is_late(unit) && s < unit->samples; s++)
		memcpy(&group->quads.z[s][4 * n], &group->quads.z[s][4 * q], sizeof(gc_float4));
}

/*
 * Copy the quads of @from from number @q on to @to from @n on. Always copies a full group:
 * copying 16 quads is cheaper than a loop over their number.
 */
static inline void copy_quads(const struct gc_draw_unit *unit, struct gc_quad_group *to,
			      unsigned int n, const struct gc_quad_group *from, unsigned int q,
			      bool depth)
{
	memcpy(&to->quads.quad[n], &from->quads.quad[q], GC_QUADS * sizeof(struct gc_quad));
	memcpy(&to->setup[n], &from->setup[q], GC_QUADS * sizeof(to->setup[0]));
	for (unsigned int s = 0; depth && s < unit->samples; s++)
		memcpy(&to->quads.z[s][4 * n], &from->quads.z[s][4 * q], GC_LANES * sizeof(float));
}

/*
 * Remove the quads of @group that have no covered pixel left and release their set-ups.
 * Returns: how many are left.
 */
static unsigned int compact(struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	unsigned int left = 0;

	if (group->quads.block) /* the depth test keeps it only if all pixels are left */
		return GC_QUADS;
	for (unsigned int q = 0; q < group->quads.count; q++) {
		if (!group->quads.quad[q].coverage) {
			gc_draw_put_setup(unit, group->setup[q], 1);
			continue;
		}
		if (left != q)
			move_quad(unit, group, left, q);
		left++;
	}
	group->quads.count = left;
	return left;
}

/* Append the quads of @from to the pending group, which is shaded when it is full. */
static void append_pending(struct gc_core *gc, struct gc_draw_unit *unit,
			   struct gc_quad_group *from)
{
	struct gc_quad_group *to = unit->pending;
	unsigned int count = to->quads.count + from->quads.count;

	copy_quads(unit, to, to->quads.count, from, 0, depth_is_late(unit));
	from->quads.count = 0;
	to->quads.block = false;
	to->quads.count = count;
	if (count < GC_QUADS)
		return;
	to->quads.count = GC_QUADS;
	gc_draw_shade_quads(gc, unit, to);
	to->quads.count = count - GC_QUADS;
	copy_quads(unit, to, 0, to, GC_QUADS, depth_is_late(unit));
}

/*
 * Early depth test of a group; quads without covered pixels left are removed. Without unit->depth
 * there are none: the sample mask was applied when the quads were formed.
 */
static void test_early(struct gc_core *gc, struct gc_draw_unit *unit, struct gc_quad_group *group)
{
	struct gc_quads *quads = &group->quads;
	uint64_t read_bytes = gc->work.depth_read_bytes;
	unsigned int count = quads->count, left;

	if (count && !unit->stop &&
	    !(unit->early ? gc_pe_depth(gc, quads) : gc_pe_early_test(gc, quads)))
		unit->stop = true;
	left = unit->depth ? compact(unit, group) : count;
	gc_answer(gc); /* groups without pixels left do not get to the shader */
	gc->counters.ra_quads += count;
	gc->counters.ra_quads_after_early_z += left;
	gc->counters.ra_eez_culled_quads += count - left;
	gc->work.rejected += count - left;
	gc->counters.ra_pipe_cache_misses +=
		(gc->work.depth_read_bytes - read_bytes) / GC_PE_LINE_BYTES;
}

/* The raw group is full, or the draw ends: test its depth, and pass it on to the shader. */
static void flush_raw(struct gc_core *gc, struct gc_draw_unit *unit)
{
	struct gc_quad_group *raw = unit->raw;

	test_early(gc, unit, raw);
	if (unit->pending->quads.count) {
		append_pending(gc, unit, raw);
	} else if (raw->quads.count == GC_QUADS) {
		gc_draw_shade_quads(gc, unit, raw);
	} else { /* swap groups: the raw group becomes the pending one */
		unit->raw = unit->pending;
		unit->pending = raw;
	}
}

unsigned int gc_draw_fresh_setup(struct gc_draw_unit *unit)
{
	if (gc_draw_is_deferred(unit) && unit->fresh_setup == GC_SETUPS)
		gc_deferred_drain(unit->deferred);
	return unit->free_setups ? unit->free_setup[--unit->free_setups] : unit->fresh_setup++;
}

/* Compute the planes of a line or a point. */
static __attribute__((noinline)) void make_other_setup(struct gc_draw_unit *unit,
						       struct gc_setup *s)
{
	const struct gc_current *c = &unit->current;

	if (c->kind == GC_CURRENT_LINE)
		gc_setup_line(s, &unit->state.varyings, c->v, c->provoking, c->axis);
	else
		gc_setup_point(s, &unit->state.varyings, c->v[0], c->size);
}

/* Compute the planes of the current primitive, when it has its first pixels. */
static inline void make_setup(struct gc_draw_unit *unit)
{
	struct gc_current *c = &unit->current;
	struct gc_setup *s = &unit->setup[unit->current_setup];

	if (c->kind == GC_CURRENT_TRIANGLE)
		gc_setup_triangle(s, &unit->state.varyings, c->v, c->provoking, c->area);
	else
		make_other_setup(unit, s);
	if (c->offset)
		gc_setup_offset(s, unit->state.depth_scale, unit->state.depth_bias);
	s->front = c->front;
	c->ready = true;
}

static void add_quad(struct gc_core *gc, struct gc_draw_unit *unit, int x, int y,
		     unsigned int coverage)
{
	struct gc_quad_group *raw = unit->raw;
	struct gc_setup *s = &unit->setup[unit->current_setup];
	struct gc_quad *quad = &raw->quads.quad[raw->quads.count];

	quad->x = (int16_t)x;
	quad->y = (int16_t)y;
	quad->front = s->front;
	quad->coverage = (uint16_t)coverage;
	for (unsigned int i = 0; unit->depth && i < unit->samples; i++)
		gc_depth_quad(s, x, y, unit->state.sample_x[i], unit->state.sample_y[i],
			      &raw->quads.z[i][4 * raw->quads.count]);
	raw->setup[raw->quads.count] = (uint16_t)unit->current_setup;
	raw->quads.block = false;
	if (++raw->quads.count == GC_QUADS)
		flush_raw(gc, unit);
}

/* Flush the first GC_QUADS quads of the raw group; those after them begin the next raw group. */
static void flush_full(struct gc_core *gc, struct gc_draw_unit *unit)
{
	struct gc_quad_group *full = unit->raw, *next;
	unsigned int behind = full->quads.count - GC_QUADS;

	full->quads.count = GC_QUADS;
	flush_raw(gc, unit);
	next = unit->raw;
	next->quads.count = behind;
	next->quads.block = false;
	if (behind)
		copy_quads(unit, next, 0, full, GC_QUADS, unit->depth);
}

typedef int16_t short16 __attribute__((vector_size(32)));

/* The quad at column @i, row @j of a fully covered block. */
#define BLOCK_QUAD(i, j) 2 * (i), 2 * (j), 0xf, 0
#define BLOCK_ROW(j) { BLOCK_QUAD(0, j), BLOCK_QUAD(1, j), BLOCK_QUAD(2, j), BLOCK_QUAD(3, j) }

/*
 * Mask for the first word of a quad (y << 16 | x) that clears the position within a square of
 * @size pixels.
 */
#define POSITION_MASK(size) (~((size) - 1u) << 16 | (~((size) - 1u) & 0xffffu))

/* Position of a quad or of a square of pixels, in the format of a quad's first word. */
static inline uint32_t position_word(int x, int y)
{
	return (uint32_t)(uint16_t)y << 16 | (uint16_t)x;
}

/* Whether none of @quads lies in the 8x8 block at (@x, @y). */
static inline bool none_in_block(const struct gc_quads *quads, int x, int y)
{
	const uint32_t block = position_word(x, y);
	unsigned int in_it = 0;

	for (unsigned int q = 0; q < quads->count; q++) {
		uint32_t place;

		memcpy(&place, &quads->quad[q], sizeof(place));
		in_it |= !((place ^ block) & POSITION_MASK(GC_BLOCK));
	}
	return !in_it;
}

/* The blocks of the tile at (@x, @y) that contain a quad of @quads, one bit each. */
static inline uint64_t blocks_of(const struct gc_quads *quads, int x, int y)
{
	const uint32_t tile = position_word(x, y);
	uint64_t blocks = 0;

	for (unsigned int q = 0; q < quads->count; q++) {
		const struct gc_quad *quad = &quads->quad[q];
		uint32_t place;

		memcpy(&place, quad, sizeof(place));
		if (!((place ^ tile) & POSITION_MASK(GC_TILE)))
			blocks |= UINT64_C(1) << (quad->y % GC_TILE / GC_BLOCK * GC_TILE_ROW +
						  quad->x % GC_TILE / GC_BLOCK);
	}
	return blocks;
}

void gc_draw_set_block(struct gc_draw_unit *unit, struct gc_quad_group *group, unsigned int n,
		       int x, int y)
{
	static const short16 rows[4] = { BLOCK_ROW(0), BLOCK_ROW(1), BLOCK_ROW(2), BLOCK_ROW(3) };
	struct gc_setup *s = &unit->setup[unit->current_setup];
	struct gc_quad corner = { .x = (int16_t)x, .y = (int16_t)y };
	gc_quad4 all = { 0 };
	uint64_t word;

	corner.front = s->front;
	memcpy(&word, &corner, sizeof(word));
	all += word;
	for (unsigned int j = 0; j < 4; j++) {
		short16 row = rows[j] + (short16)all;

		memcpy(&group->quads.quad[n + 4 * j], &row, sizeof(row));
	}
	for (unsigned int q = 0; q < GC_QUADS; q++)
		group->setup[n + q] = (uint16_t)unit->current_setup;
	for (unsigned int q = 0; CARD_PLAIN && unit->depth && q < GC_QUADS; q++)
		gc_depth_centers(s, x + 2 * (int)(q % 4), y + 2 * (int)(q / 4),
				 &group->quads.z[0][4 * (n + q)]);
	if (!CARD_PLAIN && unit->depth)
		gc_depth_block(s, x, y, &group->quads.z[0][4 * n]);
	unit->references[unit->current_setup] += GC_QUADS;
	group->quads.count = n + GC_QUADS;
}

/* Append a block's quads to the raw group. */
static __attribute__((noinline)) void append_block(struct gc_core *gc, struct gc_draw_unit *unit,
						   int x, int y)
{
	struct gc_quad_group *raw = unit->raw;

	gc_draw_set_block(unit, raw, raw->quads.count, x, y);
	raw->quads.block = false;
	flush_full(gc, unit);
}

/*
 * Test a block before the quads in the raw group. It is also shaded before the pending group,
 * unless the test removed some of its quads or a pending quad lies in the same block.
 */
static __attribute__((noinline)) void send_block(struct gc_core *gc, struct gc_draw_unit *unit,
						 int x, int y)
{
	struct gc_quad_group *group = &unit->whole;

	gc_draw_set_block(unit, group, 0, x, y);
	group->quads.block = true;
	test_early(gc, unit, group);
	if (group->quads.count == GC_QUADS && none_in_block(&unit->pending->quads, x, y))
		gc_draw_shade_quads(gc, unit, group);
	else
		append_pending(gc, unit, group);
}

/* Count whole blocks that are shaded without a depth test. */
static inline void count_straight(struct gc_core *gc, unsigned int blocks)
{
	gc->counters.ra_pixels += (uint64_t)GC_LANES * blocks;
	gc->counters.ra_quads += (uint64_t)GC_QUADS * blocks;
	gc->counters.ra_quads_after_early_z += (uint64_t)GC_QUADS * blocks;
}

/*
 * Process the fully covered block at (@x, @y) as a group of its own, unless a quad of the raw
 * group lies in the same block: then the order of writes requires that it is appended.
 */
static inline void add_block(struct gc_core *gc, struct gc_draw_unit *unit, int x, int y)
{
	if (!unit->current.ready)
		make_setup(unit);
	if ((x | y) % GC_BLOCK || !none_in_block(&unit->raw->quads, x, y)) {
		gc->counters.ra_pixels += GC_LANES;
		append_block(gc, unit, x, y);
	} else if (CARD_PLAIN || unit->depth || !unit->straight) {
		gc->counters.ra_pixels += GC_LANES;
		send_block(gc, unit, x, y);
	} else { /* without depth no quads are removed, so none are pending */
		count_straight(gc, 1);
		gc_draw_shade_block(gc, unit, &unit->setup[unit->current_setup], x, y);
	}
}

void gc_draw_pixels_whole(void *ctx, int x, int y)
{
	struct gc_core *gc = ctx;

	if (!gc->draw->stop)
		add_block(gc, gc->draw, x, y);
}

/* The first @count bits of @blocks. */
static uint64_t first_blocks(uint64_t blocks, unsigned int count)
{
	uint64_t behind = blocks;

	for (unsigned int i = 0; i < count; i++)
		behind &= behind - 1;
	return blocks & ~behind;
}

/*
 * The blocks before the first one that contains a quad of the raw group, and not more than
 * gc_draw_groups_left(): these can be shaded together.
 */
static uint64_t first_part(const struct gc_draw_unit *unit, int x, int y, uint64_t blocks)
{
	uint64_t wait = blocks & blocks_of(&unit->raw->quads, x, y);

	return first_blocks(blocks & ((wait & -wait) - 1), gc_draw_groups_left(unit));
}

/* Process some of the tile's blocks, at least the first. Returns: the blocks that are left. */
static uint64_t add_part(struct gc_core *gc, struct gc_draw_unit *unit, int x, int y,
			 uint64_t blocks)
{
	unsigned int first = (unsigned int)__builtin_ctzll(blocks);
	struct gc_tile_part part = { .x = (int16_t)x,
				     .y = (int16_t)y,
				     .blocks = first_part(unit, x, y, blocks) };

	if (!part.blocks || !gc_draw_find_part(gc, &part)) {
		add_block(gc, unit, x + (int)(first % GC_TILE_ROW * GC_BLOCK),
			  y + (int)(first / GC_TILE_ROW * GC_BLOCK));
		return blocks & (blocks - 1);
	}
	if (!unit->current.ready)
		make_setup(unit);
	part.setup = (uint16_t)unit->current_setup;
	part.groups = (unsigned int)__builtin_popcountll(part.blocks);
	count_straight(gc, part.groups);
	gc_draw_shade_part(gc, unit, &part);
	return blocks & ~part.blocks;
}

void gc_draw_pixels_tile(void *ctx, int x, int y, uint64_t blocks)
{
	struct gc_core *gc = ctx;

	while (blocks && !gc->draw->stop)
		blocks = add_part(gc, gc->draw, x, y, blocks);
}

/* Coverage of the quad whose upper left pixel is bit @shift of the masks. */
static inline unsigned int quad_coverage(unsigned int samples, const uint64_t mask[GC_MAX_SAMPLES],
					 unsigned int shift)
{
	unsigned int coverage = 0;

	for (unsigned int s = 0; s < samples; s++) {
		uint64_t bits = mask[s] >> shift;

		coverage |= (unsigned int)((bits & 3) | (bits >> (GC_BLOCK - 2) & 12)) << (4 * s);
	}
	return coverage;
}

/*
 * A quad's position in its block, y << 16 | x as in gc_quad4, by the bit number of its first
 * pixel.
 */
#define QUAD_POSITION(i) [(i)] = (i) / GC_BLOCK << 16 | (i) % GC_BLOCK
#define QUAD_ROW(i) \
	QUAD_POSITION(i), QUAD_POSITION((i) + 2), QUAD_POSITION((i) + 4), QUAD_POSITION((i) + 6)

static const uint32_t quad_position[] = { QUAD_ROW(0), QUAD_ROW(2 * GC_BLOCK),
					  QUAD_ROW(4 * GC_BLOCK), QUAD_ROW(6 * GC_BLOCK) };

/*
 * Collect the quads @quads of a block with one sample per pixel, at least one. Each quad is one
 * 64-bit word (see gc_quad4): the sum of the facing and position of the block, the quad's
 * position in the block, and its coverage.
 */
static inline void add_single_quads(struct gc_core *gc, struct gc_draw_unit *unit, int x, int y,
				    uint64_t mask, uint64_t quads)
{
	const unsigned int setup = unit->current_setup;
	const struct gc_setup *s = &unit->setup[setup];
	const struct gc_quad corner = { .x = (int16_t)x, .y = (int16_t)y, .front = s->front };
	struct gc_quad_group *raw = unit->raw;
	unsigned int n = raw->quads.count;
	uint64_t word;

	memcpy(&word, &corner, sizeof(word));
	raw->quads.block = false;
	do {
		unsigned int shift = (unsigned int)__builtin_ctzll(quads);
		uint64_t bits = mask >> shift,
			 coverage = (bits & 3) | (bits >> (GC_BLOCK - 2) & 12);
		uint64_t quad = word + quad_position[shift] + (coverage << GC_QUAD_COVERAGE_SHIFT);

		memcpy(&raw->quads.quad[n], &quad, sizeof(quad));
		raw->setup[n] = (uint16_t)setup;
		if (unit->depth)
			gc_depth_centers(s, x + (int)(shift % GC_BLOCK),
					 y + (int)(shift / GC_BLOCK), &raw->quads.z[0][4 * n]);
		if (++n == GC_QUADS) {
			raw->quads.count = GC_QUADS;
			flush_raw(gc, unit);
			if (unit->stop)
				return;
			raw = unit->raw;
			raw->quads.block = false;
			n = raw->quads.count;
		}
		quads &= quads - 1;
	} while (quads);
	raw->quads.count = n;
}

/* The quads that contain one of @pixels: bit of the quad's upper left pixel. */
static inline uint64_t quads_of(uint64_t pixels)
{
	pixels |= pixels >> 1;
	pixels |= pixels >> GC_BLOCK;
	return pixels & 0x0055005500550055ull;
}

/*
 * Count pixels of a block and reference the current set-up for their quads. Returns: their
 * quads, as quads_of().
 */
static inline uint64_t begin_pixels(struct gc_core *gc, struct gc_draw_unit *unit, uint64_t pixels)
{
	uint64_t quads = quads_of(pixels);

	gc->counters.ra_pixels += (unsigned int)__builtin_popcountll(pixels);
	if (!unit->current.ready)
		make_setup(unit);
	unit->references[unit->current_setup] += (uint16_t)__builtin_popcountll(quads);
	return quads;
}

static __attribute__((noinline)) void add_sampled_quads(struct gc_core *gc,
							struct gc_draw_unit *unit, int x, int y,
							const uint64_t mask[GC_MAX_SAMPLES])
{
	uint64_t enabled[GC_MAX_SAMPLES] = { 0 }, any = 0;

	for (unsigned int s = 0; s < unit->samples; s++) {
		enabled[s] = unit->state.sample_mask >> s & 1 ? mask[s] : 0;
		any |= enabled[s];
	}
	if (!any)
		return;
	for (any = begin_pixels(gc, unit, any); any && !unit->stop; any &= any - 1) {
		unsigned int shift = (unsigned int)__builtin_ctzll(any);

		add_quad(gc, unit, x + (int)(shift % GC_BLOCK), y + (int)(shift / GC_BLOCK),
			 quad_coverage(unit->samples, enabled, shift));
	}
}

void gc_draw_pixels_block(void *ctx, int x, int y, const uint64_t mask[GC_MAX_SAMPLES])
{
	struct gc_core *gc = ctx;
	struct gc_draw_unit *unit = gc->draw;

	if (unit->stop)
		return;
	if (unit->whole_blocks && mask[0] == ALL_PIXELS)
		add_block(gc, unit, x, y);
	else if (CARD_PLAIN || !unit->whole_blocks)
		add_sampled_quads(gc, unit, x, y, mask);
	else if (mask[0])
		add_single_quads(gc, unit, x, y, mask[0], begin_pixels(gc, unit, mask[0]));
}

void gc_draw_pixels_finish(struct gc_core *gc, struct gc_draw_unit *unit)
{
	flush_raw(gc, unit);
	gc_draw_shade_quads(gc, unit, unit->pending);
	gc->work.tiles += unit->raster.tiles;
}
