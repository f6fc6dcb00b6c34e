// SPDX-License-Identifier: MIT
/*
 * Triangles and boxes, by edge functions over 64x64 and 8x8 blocks of pixels.
 *
 * Corners lie within the guard band of clip.h (+-2^19 units), so an edge function changes by at
 * most 2^24 per pixel: within a block that an edge crosses its values fit 32 bits. From block to
 * block they are computed with 64 bits.
 */
#include "gc/raster.h"

#include <string.h>

#include "gc/clip.h"
#include "gc/pixel_vector.h"
#include "plain.h"

#define TILE GC_TILE
#define BLOCK_BITS 3 /* of GC_BLOCK */
#define CENTER (GC_SUBPIXELS / 2)
#define ALL_PIXELS UINT64_MAX

/* A vector's lanes are the pixels of this many rows of a block. */
#define VECTOR_ROWS (PX_LANES / GC_BLOCK)

/* E(x, y) >= 0 inside, at the centre of pixel (x, y). */
struct edge {
	int64_t at_origin; /* at the centre of pixel (0, 0) */
	int32_t step_x, step_y;
	int32_t sample[GC_MAX_SAMPLES]; /* added for each sample's position */
	int32_t sample_min, sample_max;
};

static int32_t div_floor(int32_t a, int32_t b)
{
	return a / b - (a % b < 0);
}

static int32_t div_ceil(int32_t a, int32_t b)
{
	return a / b + (a % b > 0);
}

static int32_t min_i(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t max_i(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

struct gc_rect gc_raster_bounds(const struct gc_raster *r, int32_t left, int32_t top, int32_t right,
				int32_t bottom)
{
	int32_t x_min = GC_SUBPIXELS, y_min = GC_SUBPIXELS, x_max = 0, y_max = 0;
	struct gc_rect b;

	for (unsigned int s = 0; s < r->samples; s++) {
		x_min = min_i(x_min, r->sample[s].x);
		x_max = max_i(x_max, r->sample[s].x);
		y_min = min_i(y_min, r->sample[s].y);
		y_max = max_i(y_max, r->sample[s].y);
	}
	b.left = max_i(r->scissor.left, div_ceil(left - x_max, GC_SUBPIXELS));
	b.top = max_i(r->scissor.top, div_ceil(top - y_max, GC_SUBPIXELS));
	b.right = min_i(r->scissor.right, div_floor(right - x_min, GC_SUBPIXELS) + 1);
	b.bottom = min_i(r->scissor.bottom, div_floor(bottom - y_min, GC_SUBPIXELS) + 1);
	return b;
}

/* Pixels of the block at (@x, @y) that lie in @rect. */
static uint64_t rect_mask(const struct gc_rect *rect, int x, int y)
{
	int left = max_i(rect->left - x, 0), right = min_i(rect->right - x, GC_BLOCK);
	int top = max_i(rect->top - y, 0), bottom = min_i(rect->bottom - y, GC_BLOCK);
	uint64_t columns, rows;

	if ((left | top) == 0 && right == GC_BLOCK && bottom == GC_BLOCK)
		return ALL_PIXELS;
	if (left >= right || top >= bottom)
		return 0;
	columns = (0xffu >> (GC_BLOCK - right + left) << left) * 0x0101010101010101ull;
	rows = ALL_PIXELS >> (GC_BLOCK * (GC_BLOCK - bottom + top)) << (GC_BLOCK * top);
	return columns & rows;
}

static void edge_init(struct edge *e, const struct gc_raster *r, int32_t x0, int32_t y0, int32_t x1,
		      int32_t y1)
{
	int32_t dx = x1 - x0, dy = y1 - y0;
	bool owns = dy < 0 || (dy == 0 && dx > 0); /* left or top edge */

	e->step_x = -dy * GC_SUBPIXELS;
	e->step_y = dx * GC_SUBPIXELS;
	e->at_origin = (int64_t)dy * (x0 - CENTER) - (int64_t)dx * (y0 - CENTER) - (owns ? 0 : 1);
	e->sample_min = INT32_MAX;
	e->sample_max = INT32_MIN;
	for (unsigned int s = 0; s < r->samples; s++) {
		e->sample[s] = dx * (r->sample[s].y - CENTER) - dy * (r->sample[s].x - CENTER);
		e->sample_min = min_i(e->sample_min, e->sample[s]);
		e->sample_max = max_i(e->sample_max, e->sample[s]);
	}
}

static inline int64_t edge_at(const struct edge *e, int x, int y)
{
	return e->at_origin + (int64_t)e->step_x * x + (int64_t)e->step_y * y;
}

/*
 * Edges of @active that cross the square of @size pixels at (@x, @y), as a mask; negative if
 * the square is outside of an edge.
 */
static int classify(const struct edge edges[3], unsigned int active, int x, int y, int size)
{
	int cutting = 0;

	for (unsigned int i = 0; i < 3; i++) {
		const struct edge *e = &edges[i];
		int64_t at, dx, dy, low, high;

		if (!(active >> i & 1))
			continue;
		at = edge_at(e, x, y);
		dx = (int64_t)e->step_x * (size - 1);
		dy = (int64_t)e->step_y * (size - 1);
		low = at + (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0) + e->sample_min;
		high = at + (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0) + e->sample_max;
		if (high < 0)
			return -1;
		if (low < 0)
			cutting |= 1 << i;
	}
	return cutting;
}

/* Edge values for walk_down(): in the first rows of a block, and the step to the next rows. */
struct walker {
	px_int rows, step;
};

/* An edge with the value @at in the first pixel of a block. */
static inline struct walker walk_from(int32_t at, int32_t step_x, int32_t step_y)
{
#define NEXT_ROW(n) -1
	const px_int column = { PX_PER_8(PX_SAME, 0, 1, 2, 3, 4, 5, 6, 7) };
	const px_int next = { PX_PER_8(NEXT_ROW, 0, 0, 0, 0, 0, 0, 0, 0) };
#undef NEXT_ROW
	const px_int zero = { 0 };

	return (struct walker){ at + column * step_x + (next & (zero + step_y)),
				zero + step_y * VECTOR_ROWS };
}

/* Bits of the lanes whose sign is set. */
static inline uint32_t signs(px_int v)
{
#ifdef __AVX__
	return px_bits(v);
#else
	return px_bits(v < 0);
#endif
}

/*
 * Pixels of a block that are inside all three edges. Always walks all rows: the number of rows
 * of a triangle is unpredictable, so a loop over it would mispredict.
 */
static inline uint64_t walk_down(struct walker a, struct walker b, struct walker c)
{
	uint64_t outside = 0;

#pragma GCC unroll 8
	for (unsigned int j = 0; j < GC_BLOCK; j += VECTOR_ROWS) {
		outside |= (uint64_t)signs(a.rows | b.rows | c.rows) << (GC_BLOCK * j);
		a.rows += a.step;
		b.rows += b.step;
		c.rows += c.step;
	}
	return ~outside;
}

/*
 * Edge @e in the block at (@x, @y); an edge that does not cross it counts as inside everywhere.
 */
static inline struct walker walk(const struct edge *e, bool cuts, int x, int y, unsigned int sample)
{
	if (!cuts)
		return (struct walker){ { 0 }, { 0 } };
	return walk_from((int32_t)(edge_at(e, x, y) + e->sample[sample]), e->step_x, e->step_y);
}

/* Pixels of a block whose sample @sample is inside all edges in @cutting. */
static uint64_t block_mask(const struct edge edges[3], unsigned int cutting, int x, int y,
			   unsigned int sample)
{
	return walk_down(walk(&edges[0], cutting & 1, x, y, sample),
			 walk(&edges[1], cutting & 2, x, y, sample),
			 walk(&edges[2], cutting & 4, x, y, sample));
}

static void emit_block(const struct gc_raster *r, const struct edge edges[3], unsigned int cutting,
		       const struct gc_rect *bounds, int x, int y)
{
	uint64_t inside = rect_mask(bounds, x, y);
	uint64_t mask[GC_MAX_SAMPLES] = { 0 }, any = 0;

	for (unsigned int s = 0; s < r->samples; s++) {
		mask[s] = inside;
		if (cutting)
			mask[s] &= block_mask(edges, cutting, x, y, s);
		any |= mask[s];
	}
	if (any)
		r->block(r->ctx, x, y, mask);
}

/* Report fully covered blocks of a tile, one bit each in @blocks: by r->tile, whole or block. */
static void emit_whole(struct gc_raster *r, int left, int top, uint64_t blocks)
{
	static const uint64_t all[GC_MAX_SAMPLES] = { ALL_PIXELS, ALL_PIXELS, ALL_PIXELS,
						      ALL_PIXELS };

	if (r->tile && blocks) {
		r->tile(r->ctx, left, top, blocks);
		return;
	}
	for (; blocks; blocks &= blocks - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(blocks);
		int x = left + (int)(i % GC_TILE_ROW * GC_BLOCK);
		int y = top + (int)(i / GC_TILE_ROW * GC_BLOCK);

		if (r->whole)
			r->whole(r->ctx, x, y);
		else
			r->block(r->ctx, x, y, all);
	}
}

/* Report the 8x8 blocks within @bounds, row by row. */
static void raster_blocks(struct gc_raster *r, const struct edge edges[3],
			  const struct gc_rect *bounds)
{
	for (int y = bounds->top & ~(GC_BLOCK - 1); y < bounds->bottom; y += GC_BLOCK) {
		for (int x = bounds->left & ~(GC_BLOCK - 1); x < bounds->right; x += GC_BLOCK) {
			int cutting = classify(edges, 7, x, y, GC_BLOCK);

			if (cutting < 0)
				continue;
			r->tiles++;
			emit_block(r, edges, (unsigned int)cutting, bounds, x, y);
		}
	}
}

/*
 * Report the blocks of the tile at (@left, @top), first the fully covered ones, since @tile gets
 * them in one call, then the others. @active: edges that cross the tile; it is inside the others.
 */
static void raster_cut(struct gc_raster *r, const struct edge edges[3], unsigned int active,
		       const struct gc_rect *bounds, int left, int top)
{
	struct {
		int x, y;
		unsigned int cutting;
	} cut[GC_TILE_BLOCKS];
	uint64_t whole = 0;
	unsigned int n = 0;

	for (unsigned int i = 0; i < GC_TILE_BLOCKS; i++) {
		int x = left + (int)(i % GC_TILE_ROW * GC_BLOCK);
		int y = top + (int)(i / GC_TILE_ROW * GC_BLOCK), cutting;
		uint64_t inside = rect_mask(bounds, x, y);

		if (!inside)
			continue;
		cutting = classify(edges, active, x, y, GC_BLOCK);
		if (cutting < 0)
			continue;
		r->tiles++;
		if (!cutting && inside == ALL_PIXELS) {
			whole |= UINT64_C(1) << i;
		} else {
			cut[n].x = x;
			cut[n].y = y;
			cut[n++].cutting = (unsigned int)cutting;
		}
	}
	emit_whole(r, left, top, whole);
	for (unsigned int i = 0; i < n; i++)
		emit_block(r, edges, cut[i].cutting, bounds, cut[i].x, cut[i].y);
}

static void raster_tiles(struct gc_raster *r, const struct edge edges[3],
			 const struct gc_rect *bounds)
{
	for (int y = bounds->top & ~(TILE - 1); y < bounds->bottom; y += TILE) {
		for (int x = bounds->left & ~(TILE - 1); x < bounds->right; x += TILE) {
			int cutting = classify(edges, 7, x, y, TILE);
			bool inside = x >= bounds->left && y >= bounds->top &&
				      x + TILE <= bounds->right && y + TILE <= bounds->bottom;

			if (cutting == 0 && inside) {
				r->tiles += GC_TILE_BLOCKS;
				emit_whole(r, x, y, UINT64_MAX);
			} else if (cutting >= 0) {
				raster_cut(r, edges, (unsigned int)cutting, bounds, x, y);
			}
		}
	}
}

/*
 * A triangle that fits in the 8x8 pixels at (@x, @y), which need not be an aligned block; counts
 * the aligned 8x8 blocks that its box touches.
 */
static void raster_small(struct gc_raster *r, const struct edge edges[3],
			 const struct gc_rect *bounds, int x, int y)
{
	int columns = ((bounds->right - 1) / GC_BLOCK) - bounds->left / GC_BLOCK + 1;
	int rows = ((bounds->bottom - 1) / GC_BLOCK) - bounds->top / GC_BLOCK + 1;
	int cutting = classify(edges, 7, x, y, GC_BLOCK);

	r->tiles += (uint64_t)(columns * rows);
	if (cutting >= 0)
		emit_block(r, edges, (unsigned int)cutting, bounds, x, y);
}

/* Any triangle with any samples: as one block, block by block, or tile by tile, by its bounds. */
static void raster_any(struct gc_raster *r, const int32_t x[3], const int32_t y[3])
{
	struct gc_rect b =
		gc_raster_bounds(r, min_i(x[0], min_i(x[1], x[2])), min_i(y[0], min_i(y[1], y[2])),
				 max_i(x[0], max_i(x[1], x[2])), max_i(y[0], max_i(y[1], y[2])));
	struct edge edges[3];

	if (b.left >= b.right || b.top >= b.bottom)
		return;
	for (unsigned int i = 0; i < 3; i++)
		edge_init(&edges[i], r, x[i], y[i], x[(i + 1) % 3], y[(i + 1) % 3]);
	if (b.right - (b.left & ~1) <= GC_BLOCK && b.bottom - (b.top & ~1) <= GC_BLOCK)
		raster_small(r, edges, &b, b.left & ~1, b.top & ~1);
	else if (b.right - b.left <= TILE && b.bottom - b.top <= TILE)
		raster_blocks(r, edges, &b);
	else
		raster_tiles(r, edges, &b);
}

/* Edge functions of triangles of up to 32 pixels per side, the most common ones, fit 32 bits. */
#define FEW_UNITS 512

/* Four words: a triangle's corners or edges and an unused one; or a box as in struct gc_rect. */
typedef int32_t int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));

/* mask of the lanes left and top; box_ends(box) - box is width and height there */
#define BOX_SIDES 3

static inline int4 min_4(int4 a, int4 b)
{
#ifdef __SSE4_1__
	return __builtin_ia32_pminsd128(a, b);
#else
	return (a & (a < b)) | (b & ~(a < b));
#endif
}

static inline int4 max_4(int4 a, int4 b)
{
#ifdef __SSE4_1__
	return __builtin_ia32_pmaxsd128(a, b);
#else
	return (a & (a > b)) | (b & ~(a > b));
#endif
}

/* Bits of the lanes whose sign is set. */
static inline unsigned int signs_4(int4 v)
{
#ifdef __SSE__
	return (unsigned int)__builtin_ia32_movmskps((float4)v);
#else
	int4 bits = (v < 0) & (int4){ 1, 2, 4, 8 };

	return (unsigned int)(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}

/*
 * The edges from each corner to the next one: their values at the centre of a pixel, and the
 * steps.
 */
struct few_edges {
	int4 at, step_x, step_y;
};

/* The edges between corners @x, @y, at the centre of the pixel (corner[0], corner[1]). */
static inline struct few_edges few_edges(int4 x, int4 y, int4 corner)
{
	const int4 center = corner * GC_SUBPIXELS + CENTER;
	int4 dx = __builtin_shufflevector(x, x, 1, 2, 0, 3) - x;
	int4 dy = __builtin_shufflevector(y, y, 1, 2, 0, 3) - y;
	int4 at = dy * (x - __builtin_shufflevector(center, center, 0, 0, 0, 0)) -
		  dx * (y - __builtin_shufflevector(center, center, 1, 1, 1, 1));
	int4 owns = (dy < 0) | ((dy == 0) & (dx > 0)); /* left or top edge */

	return (struct few_edges){ at + ~owns, -dy * GC_SUBPIXELS, dx * GC_SUBPIXELS };
}

/* The same edges @x pixels further right and @y further down. */
static inline struct few_edges few_edges_at(const struct few_edges *e, int32_t x, int32_t y)
{
	return (struct few_edges){ e->at + e->step_x * x + e->step_y * y, e->step_x, e->step_y };
}

/* Whether the block there is outside of one of the edges. */
static inline bool few_outside(const struct few_edges *e)
{
	const int4 zero = { 0 };
	int4 most = e->at + (max_4(e->step_x, zero) + max_4(e->step_y, zero)) * (GC_BLOCK - 1);

	return signs_4(most) & 7;
}

static inline uint64_t few_mask(const struct few_edges *e)
{
	return walk_down(walk_from(e->at[0], e->step_x[0], e->step_y[0]),
			 walk_from(e->at[1], e->step_x[1], e->step_y[1]),
			 walk_from(e->at[2], e->step_x[2], e->step_y[2]));
}

/* Bounding box of the corners, in 1/16 pixel. */
static inline int4 few_extent(int4 x, int4 y)
{
	int4 next_x = __builtin_shufflevector(x, x, 1, 2, 0, 3);
	int4 next_y = __builtin_shufflevector(y, y, 1, 2, 0, 3);
	int4 low_x = min_4(x, next_x), high_x = max_4(x, next_x);
	int4 low_y = min_4(y, next_y), high_y = max_4(y, next_y);
	int4 low = __builtin_shufflevector(low_x, low_y, 0, 4, 1, 5);
	int4 high = __builtin_shufflevector(high_x, high_y, 0, 4, 1, 5);

	low = min_4(low, __builtin_shufflevector(low, low, 2, 3, 2, 3));
	high = max_4(high, __builtin_shufflevector(high, high, 2, 3, 2, 3));
	return __builtin_shufflevector(low, high, 0, 1, 4, 5);
}

/* Right and bottom of @box in the lanes of its left and top. */
static inline int4 box_ends(int4 box)
{
	return __builtin_shufflevector(box, box, 2, 3, 2, 3);
}

/* Number of aligned 8x8 blocks that @box touches. */
static inline uint64_t box_tiles(int4 box)
{
	const int4 last = { 0, 0, -1, -1 };
	int4 tile = (box + last) >> BLOCK_BITS;
	int4 count = box_ends(tile) - tile + 1;

	return (uint64_t)(count[0] * count[1]);
}

static inline struct gc_rect box_rect(int4 box)
{
	return (struct gc_rect){ box[0], box[1], box[2], box[3] };
}

/*
 * raster_blocks() for triangles of up to FEW_UNITS. @edges is at the first block's first pixel.
 * @scissored: the box was cut by the scissor, so that coverage must be cut, too.
 */
static __attribute__((noinline)) void raster_several(struct gc_raster *r,
						     const struct few_edges *edges,
						     const struct gc_rect *b, bool scissored)
{
	int32_t left = b->left & ~(GC_BLOCK - 1), top = b->top & ~(GC_BLOCK - 1);

	for (int32_t y = top; y < b->bottom; y += GC_BLOCK) {
		for (int32_t x = left; x < b->right; x += GC_BLOCK) {
			const struct few_edges here = few_edges_at(edges, x - left, y - top);
			uint64_t mask[GC_MAX_SAMPLES] = { 0 };

			if (few_outside(&here))
				continue;
			r->tiles++;
			mask[0] = few_mask(&here);
			if (scissored)
				mask[0] &= rect_mask(b, x, y);
			if (mask[0])
				r->block(r->ctx, x, y, mask);
		}
	}
}

/* raster_small() for triangles of up to FEW_UNITS; @edges is at the pixel @corner, both even. */
static inline __attribute__((always_inline)) void raster_one(struct gc_raster *r,
							     const struct few_edges *edges,
							     int4 box, int4 corner, bool scissored)
{
	uint64_t mask[GC_MAX_SAMPLES] = { few_mask(edges) };

	r->tiles += box_tiles(box);
	if (scissored) {
		const struct gc_rect b = box_rect(box);

		mask[0] &= rect_mask(&b, corner[0], corner[1]);
	}
	if (mask[0])
		r->block(r->ctx, corner[0], corner[1], mask);
}

/*
 * Triangles of up to FEW_UNITS per side, the most common ones, with one sample per pixel in its
 * centre; those that fit in one block without a loop over blocks. Reports and counts what
 * raster_any() does.
 *
 * Returns: false if the triangle is larger.
 */
static bool raster_few(struct gc_raster *r, const int32_t x[3], const int32_t y[3])
{
	const int4 xs = { x[0], x[1], x[2] }, ys = { y[0], y[1], y[2] };
	/* from the first pixel whose centre is in the box to past the last one */
	const int4 first_pixel = { GC_SUBPIXELS - 1 - CENTER, GC_SUBPIXELS - 1 - CENTER,
				   GC_SUBPIXELS - CENTER, GC_SUBPIXELS - CENTER };
	const int4 begins = { -1, -1, 0, 0 };
	int4 extent = few_extent(xs, ys), scissor, whole, box, corner;
	struct few_edges edges;
	bool cut;

	memcpy(&scissor, &r->scissor, sizeof(scissor));
	if (signs_4(FEW_UNITS - (box_ends(extent) - extent)) & BOX_SIDES)
		return false;
	whole = (extent + first_pixel) >> GC_SUBPIXEL_BITS;
	box = (begins & max_4(whole, scissor)) | (~begins & min_4(whole, scissor));
	if ((signs_4(box - box_ends(box)) & BOX_SIDES) != BOX_SIDES)
		return true;
	cut = signs_4(whole != box);
	corner = box & ~1;
	if (signs_4(GC_BLOCK - (box_ends(box) - corner)) & BOX_SIDES) {
		const struct gc_rect b = box_rect(box);

		edges = few_edges(xs, ys, box & ~(GC_BLOCK - 1));
		raster_several(r, &edges, &b, cut);
	} else {
		edges = few_edges(xs, ys, corner);
		raster_one(r, &edges, box, corner, cut);
	}
	return true;
}

static bool one_central_sample(const struct gc_raster *r)
{
	return r->samples == 1 && r->sample[0].x == CENTER && r->sample[0].y == CENTER;
}

void gc_raster_triangle(struct gc_raster *r, const int32_t x[3], const int32_t y[3])
{
	if (CARD_PLAIN || !one_central_sample(r) || !raster_few(r, x, y))
		raster_any(r, x, y);
}

void gc_raster_box(struct gc_raster *r, int32_t left, int32_t top, int32_t right, int32_t bottom)
{
	struct gc_rect b = gc_raster_bounds(r, left, top, right, bottom);
	struct gc_rect inside[GC_MAX_SAMPLES];

	for (unsigned int s = 0; s < r->samples; s++) {
		inside[s].left = max_i(b.left, div_ceil(left - r->sample[s].x, GC_SUBPIXELS));
		inside[s].top = max_i(b.top, div_ceil(top - r->sample[s].y, GC_SUBPIXELS));
		inside[s].right = min_i(b.right, div_ceil(right - r->sample[s].x, GC_SUBPIXELS));
		inside[s].bottom = min_i(b.bottom, div_ceil(bottom - r->sample[s].y, GC_SUBPIXELS));
	}
	for (int y = b.top & ~(GC_BLOCK - 1); y < b.bottom; y += GC_BLOCK) {
		for (int x = b.left & ~(GC_BLOCK - 1); x < b.right; x += GC_BLOCK) {
			uint64_t mask[GC_MAX_SAMPLES] = { 0 }, any = 0;

			r->tiles++;
			for (unsigned int s = 0; s < r->samples; s++)
				any |= mask[s] = rect_mask(&inside[s], x, y);
			if (any)
				r->block(r->ctx, x, y, mask);
		}
	}
}
