// SPDX-License-Identifier: MIT
/*
 * Triangles and boxes: edge functions over 64x64 and 8x8 blocks of pixels.
 *
 * With corners within the guard band (+-2^19 units) an edge function's steps
 * stay below 2^24 a pixel, so within a block that an edge crosses its values
 * fit 32 bits; from block to block they are kept in 64.
 */
#include "gc/raster.h"

#include <string.h>

#include "gc/clip.h"
#include "gc/pixel_vector.h"

#define TILE GC_TILE
#define CENTER (GC_SUBPIXELS / 2)
#define ALL_PIXELS UINT64_MAX

/* A vector's lanes are pixels of one row of a block, or of this many. */
#define VECTOR_ROWS (PX_LANES / GC_BLOCK)

/* E(x, y) >= 0 inside, at the centre of pixel (x, y). */
struct edge {
	int64_t at_origin; /* at the centre of pixel (0, 0) */
	int32_t step_x, step_y;
	int32_t sample[GC_MAX_SAMPLES]; /* what a sample's place adds */
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
	bool owns = dy < 0 || (dy == 0 && dx > 0); /* a left or a top edge */

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
 * Which of @active's edges cut the square of @size pixels at (@x, @y).
 * Returns: those; or a negative number when the square is outside of one.
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

/* What walk_down() starts with: an edge's values in the first rows, and from those to the next. */
struct walker {
	px_int rows, step;
};

/* An edge that has the value @at in the first pixel of a block. */
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
 * Pixels of a block that are inside of all three edges. Rows are never counted:
 * how many there are of a triangle is nothing that a processor could foretell.
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

/* Edge @e in the block at (@x, @y); if it does not cut the block, inside for good. */
static inline struct walker walk(const struct edge *e, bool cuts, int x, int y, unsigned int sample)
{
	if (!cuts)
		return (struct walker){ { 0 }, { 0 } };
	return walk_from((int32_t)(edge_at(e, x, y) + e->sample[sample]), e->step_x, e->step_y);
}

/* Pixels of a block whose sample number @sample is inside of all edges in @cutting. */
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

/* Blocks of a tile that no edge cuts and that lie within the bounds. */
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

/* The 8x8 blocks within @bounds. */
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
 * The same of the tile at (@left, @top), in a different order: first the blocks that are
 * covered all over.
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

/* A triangle within one block's extent, counted as the tiles its box touches. */
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

/* Triangles of at most this many units each way have edge functions of 32 bits. */
#define FEW_UNITS 512

/* The first pixel whose centre is at or behind @edge, and the last at or before it. */
static inline int32_t center_from(int32_t edge)
{
	return (edge + GC_SUBPIXELS - 1 - CENTER) >> GC_SUBPIXEL_BITS;
}

static inline int32_t center_to(int32_t edge)
{
	return (edge - CENTER) >> GC_SUBPIXEL_BITS;
}

/* An edge with its value at the centre of some pixel. */
struct few_edge {
	int32_t at, step_x, step_y;
};

/* The edge from (@x0, @y0) to (@x1, @y1) at pixel (@left, @top). */
static inline struct few_edge few_edge(int32_t x0, int32_t y0, int32_t x1, int32_t y1, int32_t left,
				       int32_t top)
{
	int32_t dx = x1 - x0, dy = y1 - y0;
	int32_t at = dy * (x0 - (left * GC_SUBPIXELS + CENTER)) -
		     dx * (y0 - (top * GC_SUBPIXELS + CENTER));
	bool owns = dy < 0 || (dy == 0 && dx > 0); /* a left or a top edge */

	return (struct few_edge){ at - !owns, -dy * GC_SUBPIXELS, dx * GC_SUBPIXELS };
}

/* The same edge @x pixels to the right and @y down. */
static inline struct few_edge few_edge_at(const struct few_edge *e, int32_t x, int32_t y)
{
	return (struct few_edge){ e->at + e->step_x * x + e->step_y * y, e->step_x, e->step_y };
}

/* Its greatest value in the block there: if that is negative, all of the block is outside. */
static inline int32_t greatest(const struct few_edge *e)
{
	return e->at + (max_i(e->step_x, 0) + max_i(e->step_y, 0)) * (GC_BLOCK - 1);
}

static inline uint64_t few_mask(const struct few_edge *a, const struct few_edge *b,
				const struct few_edge *c)
{
	return walk_down(walk_from(a->at, a->step_x, a->step_y),
			 walk_from(b->at, b->step_x, b->step_y),
			 walk_from(c->at, c->step_x, c->step_y));
}

/* What is left of @box. */
static inline struct gc_rect scissored(const struct gc_raster *r, const struct gc_rect *box)
{
	return (struct gc_rect){ max_i(r->scissor.left, box->left), max_i(r->scissor.top, box->top),
				 min_i(r->scissor.right, box->right),
				 min_i(r->scissor.bottom, box->bottom) };
}

/*
 * raster_blocks() for these. @edges are at the first block's first pixel; what is inside of all
 * of them is within the box, but perhaps not within the @scissored part of it.
 */
static __attribute__((noinline)) void raster_several(struct gc_raster *r,
						     const struct few_edge edges[3],
						     const struct gc_rect *b, bool scissored)
{
	int32_t left = b->left & ~(GC_BLOCK - 1), top = b->top & ~(GC_BLOCK - 1);

	for (int32_t y = top; y < b->bottom; y += GC_BLOCK) {
		for (int32_t x = left; x < b->right; x += GC_BLOCK) {
			const struct few_edge e0 = few_edge_at(&edges[0], x - left, y - top);
			const struct few_edge e1 = few_edge_at(&edges[1], x - left, y - top);
			const struct few_edge e2 = few_edge_at(&edges[2], x - left, y - top);
			uint64_t mask[GC_MAX_SAMPLES] = { 0 };

			if ((greatest(&e0) | greatest(&e1) | greatest(&e2)) < 0)
				continue;
			r->tiles++;
			mask[0] = few_mask(&e0, &e1, &e2);
			if (scissored)
				mask[0] &= rect_mask(b, x, y);
			if (mask[0])
				r->block(r->ctx, x, y, mask);
		}
	}
}

/* raster_small() for these. */
static inline __attribute__((always_inline)) void raster_one(struct gc_raster *r,
							     const struct few_edge edges[3],
							     const struct gc_rect *b,
							     bool scissored)
{
	uint64_t mask[GC_MAX_SAMPLES] = { few_mask(&edges[0], &edges[1], &edges[2]) };

	r->tiles += (uint64_t)(((b->right - 1) / GC_BLOCK - b->left / GC_BLOCK + 1) *
			       ((b->bottom - 1) / GC_BLOCK - b->top / GC_BLOCK + 1));
	if (scissored)
		mask[0] &= rect_mask(b, b->left & ~1, b->top & ~1);
	if (mask[0])
		r->block(r->ctx, b->left & ~1, b->top & ~1, mask);
}

/*
 * Most triangles of a scene are a few pixels in size: if it fits a block, all
 * of it is done here at once, with one sample a pixel in its centre.
 *
 * Returns: false if it is not as small as that.
 */
static bool raster_few(struct gc_raster *r, const int32_t x[3], const int32_t y[3])
{
	int32_t x_min = min_i(x[0], min_i(x[1], x[2])), x_max = max_i(x[0], max_i(x[1], x[2]));
	int32_t y_min = min_i(y[0], min_i(y[1], y[2])), y_max = max_i(y[0], max_i(y[1], y[2]));
	const struct gc_rect box = { center_from(x_min), center_from(y_min), center_to(x_max) + 1,
				     center_to(y_max) + 1 };
	const struct gc_rect b = scissored(r, &box);
	bool cut = memcmp(&b, &box, sizeof(b)), one;
	struct few_edge edges[3];
	int32_t left, top;

	if (x_max - x_min > FEW_UNITS || y_max - y_min > FEW_UNITS)
		return false;
	if (b.left >= b.right || b.top >= b.bottom)
		return true;
	one = b.right - (b.left & ~1) <= GC_BLOCK && b.bottom - (b.top & ~1) <= GC_BLOCK;
	left = b.left & (one ? ~1 : ~(GC_BLOCK - 1));
	top = b.top & (one ? ~1 : ~(GC_BLOCK - 1));
	edges[0] = few_edge(x[0], y[0], x[1], y[1], left, top);
	edges[1] = few_edge(x[1], y[1], x[2], y[2], left, top);
	edges[2] = few_edge(x[2], y[2], x[0], y[0], left, top);
	if (one)
		raster_one(r, edges, &b, cut);
	else
		raster_several(r, edges, &b, cut);
	return true;
}

static bool one_central_sample(const struct gc_raster *r)
{
	return r->samples == 1 && r->sample[0].x == CENTER && r->sample[0].y == CENTER;
}

void gc_raster_triangle(struct gc_raster *r, const int32_t x[3], const int32_t y[3])
{
	if (!one_central_sample(r) || !raster_few(r, x, y))
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
