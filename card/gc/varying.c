// SPDX-License-Identifier: MIT
/*
 * Plane equations of a primitive's depth, 1/w and varyings, and their values at pixels. They
 * are set up in double precision, which adds no error to that of the vertices, and evaluated in
 * float, as in the core.
 */
#include "gc/varying.h"

#include <string.h>

#include "gc/clip.h"
#include "gc/pixel_vector.h"

typedef double double2 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

/* Geometry shared by all planes of a triangle. */
struct slopes {
	double x0, y0; /* anchor's centre, from vertex 0 */
	double ax, ay; /* weight of (value 1 - value 0) in dx and dy */
	double bx, by; /* weight of (value 2 - value 0) */
};

/* @d1, @d2: position of corners 1 and 2 relative to corner 0. */
static inline bool triangle_slopes(double2 d1, double2 d2, double snapped_area, struct slopes *g)
{
	double2 product = d1 * __builtin_shufflevector(d2, d2, 1, 0);
	double area = product[0] - product[1], ratio = area / snapped_area;
	double4 weights;

	if (!(ratio > 0.5 && ratio < 2.0))
		return false;
	/* one vector division is faster than four */
	weights = (double4){ d2[1], -d2[0], -d1[1], d1[0] } / area;
	g->ax = weights[0];
	g->ay = weights[1];
	g->bx = weights[2];
	g->by = weights[3];
	return true;
}

static inline double2 snapped_place(const struct gc_vertex *v)
{
	return (double2){ v->x, v->y } * (1.0 / GC_SUBPIXELS);
}

/*
 * @p: window coordinates of the corners, not rounded: x, y, depth, 1/w. The second attempt
 * succeeds, since @area is that of the rounded corners.
 */
static inline void find_slopes(const struct gc_setup *s, const struct gc_vertex *const v[3],
			       const double4 p[3], int64_t area, struct slopes *g)
{
	const double pixels = (double)area * (1.0 / (GC_SUBPIXELS * GC_SUBPIXELS));
	double2 place[3];

	for (unsigned int i = 0; i < 3; i++)
		place[i] = __builtin_shufflevector(p[i], p[i], 0, 1);
	if (!triangle_slopes(place[1] - place[0], place[2] - place[0], pixels, g)) {
		for (unsigned int i = 0; i < 3; i++)
			place[i] = snapped_place(v[i]);
		triangle_slopes(place[1] - place[0], place[2] - place[0], pixels, g);
	}
	g->x0 = s->anchor_x + 0.5 - place[0][0];
	g->y0 = s->anchor_y + 0.5 - place[0][1];
}

static struct gc_plane plane(const struct slopes *g, double v0, double v1, double v2)
{
	double dx = (v1 - v0) * g->ax + (v2 - v0) * g->bx;
	double dy = (v1 - v0) * g->ay + (v2 - v0) * g->by;

	return (struct gc_plane){ (float)(v0 + dx * g->x0 + dy * g->y0), (float)dx, (float)dy };
}

/* Planes of four values, one per lane. */
struct planes4 {
	gc_float4 at, dx, dy;
};

static inline struct planes4 planes4(const struct slopes *g, double4 v0, double4 v1, double4 v2)
{
	double4 d1 = v1 - v0, d2 = v2 - v0;
	double4 dx = d1 * g->ax + d2 * g->bx;
	double4 dy = d1 * g->ay + d2 * g->by;

	return (struct planes4){ __builtin_convertvector(v0 + dx * g->x0 + dy * g->y0, gc_float4),
				 __builtin_convertvector(dx, gc_float4),
				 __builtin_convertvector(dy, gc_float4) };
}

static inline double4 load4(const float *from)
{
#ifdef __AVX__
	return __builtin_ia32_cvtps2pd256(
		*(const gc_float4 *)from); /* one instruction; GCC's conversion has five */
#else
	return __builtin_convertvector(*(const gc_float4 *)from, double4);
#endif
}

/*
 * Planes of all components, four at a time, as value/w; entries past the last component are not
 * used, those of flat components are replaced by set_flat().
 */
static inline void varying_planes(struct gc_setup *s, const struct gc_varyings *varyings,
				  const struct slopes *g, const struct gc_vertex *const v[3])
{
	double w0 = v[0]->window[3], w1 = v[1]->window[3], w2 = v[2]->window[3];

	for (unsigned int i = 0; i < varyings->components; i += 4) {
		struct planes4 p =
			planes4(g, load4(&v[0]->varying[i]) * w0, load4(&v[1]->varying[i]) * w1,
				load4(&v[2]->varying[i]) * w2);

		*(gc_float4 *)&s->at[i] = p.at;
		*(gc_float4 *)&s->dx[i] = p.dx;
		*(gc_float4 *)&s->dy[i] = p.dy;
	}
}

static void set_component(struct gc_setup *s, unsigned int i, struct gc_plane p)
{
	s->at[i] = p.at;
	s->dx[i] = p.dx;
	s->dy[i] = p.dy;
}

static void set_flat(struct gc_setup *s, const struct gc_varyings *varyings,
		     const struct gc_vertex *provoking)
{
	for (uint64_t left = varyings->flat; left; left &= left - 1) {
		unsigned int i = __builtin_ctzll(left);

		s->at[i] = provoking->varying[i];
		s->dx[i] = s->dy[i] = 0.0f;
	}
}

void gc_setup_triangle(struct gc_setup *s, const struct gc_varyings *varyings,
		       const struct gc_vertex *const v[3], const struct gc_vertex *provoking,
		       int64_t area)
{
	const double4 p[3] = { load4(v[0]->window), load4(v[1]->window), load4(v[2]->window) };
	struct planes4 window;
	struct slopes g = { 0 };

	find_slopes(s, v, p, area, &g);
	window = planes4(&g, p[0], p[1], p[2]); /* lanes 2 and 3 are used: depth and 1/w */
	s->linear = false;
	s->z = (struct gc_plane){ window.at[2], window.dx[2], window.dy[2] };
	s->over_w = (struct gc_plane){ window.at[3], window.dx[3], window.dy[3] };
	varying_planes(s, varyings, &g, v);
	set_flat(s, varyings, provoking);
}

/* Slopes along a line. A line shorter than a subpixel counts as one subpixel long. */
static void line_slopes(const struct gc_vertex *const v[2], enum gc_line_axis axis,
			struct slopes *g)
{
	double dx = (double)v[1]->window[0] - v[0]->window[0];
	double dy = (double)v[1]->window[1] - v[0]->window[1];
	double square;

	if (axis == GC_LINE_X)
		dy = 0.0;
	else if (axis == GC_LINE_Y)
		dx = 0.0;
	square = dx * dx + dy * dy;
	if (!(square >= 1.0 / (GC_SUBPIXELS * GC_SUBPIXELS)))
		square = 1.0 / (GC_SUBPIXELS * GC_SUBPIXELS);
	g->ax = dx / square;
	g->ay = dy / square;
}

void gc_setup_line(struct gc_setup *s, const struct gc_varyings *varyings,
		   const struct gc_vertex *const v[2], const struct gc_vertex *provoking,
		   enum gc_line_axis axis)
{
	double w0 = v[0]->window[3], w1 = v[1]->window[3];
	struct slopes g = { 0 };

	g.x0 = s->anchor_x + 0.5 - v[0]->window[0];
	g.y0 = s->anchor_y + 0.5 - v[0]->window[1];
	line_slopes(v, axis, &g);
	/* g.bx and g.by are 0: the third value has no effect */
	s->linear = false;
	s->z = plane(&g, v[0]->window[2], v[1]->window[2], 0.0);
	s->over_w = plane(&g, w0, w1, 0.0);
	varying_planes(s, varyings, &g, (const struct gc_vertex *const[]){ v[0], v[1], v[0] });
	set_flat(s, varyings, provoking);
}

void gc_setup_point(struct gc_setup *s, const struct gc_varyings *varyings,
		    const struct gc_vertex *v, float size)
{
	float step = 1.0f / size;

	s->linear = true;
	s->z = (struct gc_plane){ v->window[2], 0.0f, 0.0f };
	s->over_w = (struct gc_plane){ v->window[3], 0.0f, 0.0f };
	for (unsigned int i = 0; i < varyings->components; i++) {
		struct gc_plane p = { v->varying[i], 0.0f, 0.0f };

		if (varyings->point_x >> i & 1)
			p = (struct gc_plane){ 0.5f + (s->anchor_x + 0.5f - v->window[0]) * step,
					       step, 0.0f };
		else if (varyings->point_y >> i & 1)
			p = (struct gc_plane){ 0.5f + (s->anchor_y + 0.5f - v->window[1]) * step,
					       0.0f, step };
		set_component(s, i, p);
	}
}

/*
 * Interpolation: evaluates planes at the pixels of one or more vectors of lanes. plane_lanes()
 * evaluates a plane, position_lanes() fills temporary 0, find_w() computes w. They are inlined
 * with a constant enum lanes, so that the compiler removes what the caller does not need.
 */
enum lanes {
	QUADS_OF_A_VECTOR, /* one vector, possibly not all of its quads */
	BLOCK_OF_8X8,      /* all vectors of a batch, quads in rows of four */
};

#define VECTOR_QUADS (PX_LANES / 4)

/* A block: x is the same in each row of quads, y is the same in all vectors of a row. */
#define ROWS 4
#define COLUMNS (PX_VECTORS / ROWS)

/* Positions of the lanes' pixels relative to the anchor. A block has COLUMNS x and ROWS y. */
struct positions {
	px_float x[PX_VECTORS], y[PX_VECTORS];
};

/* Quads to write with QUADS_OF_A_VECTOR; with BLOCK_OF_8X8 all are written. */
struct range {
	unsigned int first, quads;
};

/* complete vectors, from the start of the array: for a whole batch, or for w of one vector */
static const struct range whole_batch = { .first = 0, .quads = VECTOR_QUADS };

PX_INLINE unsigned int vectors_of(enum lanes which)
{
	return which == QUADS_OF_A_VECTOR ? 1 : PX_VECTORS;
}

PX_INLINE px_float x_of(enum lanes which, const struct positions *at, unsigned int vector)
{
	return at->x[which == BLOCK_OF_8X8 ? vector % COLUMNS : vector];
}

PX_INLINE px_float y_of(enum lanes which, const struct positions *at, unsigned int vector)
{
	return at->y[which == BLOCK_OF_8X8 ? vector / COLUMNS : vector];
}

/* Store a vector of values, except those of quads past the last one. */
PX_INLINE void store_lanes(struct range range, unsigned int vector, px_float value, float *lanes)
{
	float *to = lanes + 4 * range.first + vector * PX_LANES;

	if (range.quads >= VECTOR_QUADS)
		memcpy(to, &value, sizeof(value));
	else
		memcpy(to, &value, range.quads * sizeof(gc_float4));
}

/* The plane's values, times @w if that is not NULL. */
PX_INLINE void plane_lanes(enum lanes which, const struct gc_plane *p, const struct positions *at,
			   const px_float *w, struct range range, float *lanes)
{
#pragma GCC unroll 8
	for (unsigned int i = 0; i < vectors_of(which); i++) {
		px_float v = GC_PLANE_AT(p, x_of(which, at, i), y_of(which, at, i));

		if (w)
			v *= w[i];
		store_lanes(range, i, v, lanes);
	}
}

/* Temporary 0: x, y, depth and 1/w of the pixel centres. */
PX_INLINE void position_lanes(enum lanes which, const struct gc_setup *s,
			      const struct positions *at, struct range range, struct gc_vec4 *t0)
{
	for (unsigned int i = 0; i < vectors_of(which); i++) {
		store_lanes(range, i, x_of(which, at, i) + (float)s->anchor_x + 0.5f, t0->c[0].f);
		store_lanes(range, i, y_of(which, at, i) + (float)s->anchor_y + 0.5f, t0->c[1].f);
	}
	plane_lanes(which, &s->z, at, NULL, range, t0->c[2].f);
	plane_lanes(which, &s->over_w, at, NULL, range, t0->c[3].f);
}

/*
 * Constant planes have the anchor's value everywhere. Not for 0, as adding 0 can change its
 * sign.
 */
static inline bool is_constant(const struct gc_plane *p)
{
	return p->dx == 0.0f && p->dy == 0.0f && (p->at > 0.0f || p->at < 0.0f);
}

/*
 * Compute w of the lanes. Returns: true if it is 1.0 in all of them; then only w[0] is set. If 1/w
 * is constant, as without perspective, a batch needs one division only; for a single vector the
 * branch would cost more than the division.
 */
PX_INLINE bool find_w(enum lanes which, const struct gc_setup *s, const struct positions *at,
		      px_float w[PX_VECTORS])
{
	const px_float one = (px_float){ 0 } + 1.0f;
	bool constant = which != QUADS_OF_A_VECTOR && is_constant(&s->over_w);

	if (s->linear || (constant && s->over_w.at == 1.0f)) {
		w[0] = one;
		return true;
	}
	if (!constant)
		plane_lanes(which, &s->over_w, at, NULL, whole_batch, (float *)w);
	for (unsigned int i = 0; i < vectors_of(which); i++)
		w[i] = constant ? one / s->over_w.at : one / w[i];
	return false;
}

static inline struct gc_plane component_plane(const struct gc_setup *s, unsigned int i)
{
	return (struct gc_plane){ s->at[i], s->dx[i], s->dy[i] };
}

static inline float *component_lanes(struct gc_batch *batch, const struct gc_varyings *varyings,
				     unsigned int i)
{
	return batch->temp[varyings->reg[i]].c[varyings->lane_component[i]].f;
}

/* Interpolate all components that the shader reads. */
PX_INLINE void interpolate(enum lanes which, const struct gc_setup *s,
			   const struct gc_varyings *varyings, const struct positions *at,
			   struct range range, struct gc_batch *batch)
{
	px_float w[PX_VECTORS];
	bool one = find_w(which, s, at, w);

	for (unsigned int i = 0; i < varyings->components; i++) {
		struct gc_plane p = component_plane(s, i);
		float *lanes = component_lanes(batch, varyings, i);

		if (varyings->unread >> i & 1)
			continue;
		if (one || varyings->flat >> i & 1)
			plane_lanes(which, &p, at, NULL, range, lanes);
		else
			plane_lanes(which, &p, at, w, range, lanes);
	}
}

/* Positions of a vector of quads; @xy: y << 16 | x of each lane's quad. */
static inline void quad_positions(const struct gc_setup *s, px_int xy, px_float *x, px_float *y)
{
	const px_int in_x = { PX_PER_8(PX_SAME, 0, 1, 0, 1, 0, 1, 0, 1) };
	const px_int in_y = { PX_PER_8(PX_SAME, 0, 0, 1, 1, 0, 0, 1, 1) };

	*x = __builtin_convertvector((xy << 16 >> 16) - s->anchor_x + in_x, px_float);
	*y = __builtin_convertvector((xy >> 16) - s->anchor_y + in_y, px_float);
}

/* y << 16 | x of each lane's quad: the first of its two words; 0 after @count quads. */
static inline px_int lanes_of_quads(const struct gc_quad *quads, unsigned int count)
{
#define NEXT_TWO(x) ((x) + 4)
	px_int_half words = { 0 };

	if (count >= VECTOR_QUADS)
		memcpy(&words, quads, sizeof(words));
	else
		memcpy(&words, quads, count * sizeof(*quads));
	return __builtin_shufflevector(words, words, PX_PER_8(NEXT_TWO, 0, 0, 0, 0, 2, 2, 2, 2));
#undef NEXT_TWO
}

void gc_interpolate_quad(const struct gc_setup *s, const struct gc_varyings *varyings, int x, int y,
			 const float dx[4], const float dy[4], unsigned int quad,
			 struct gc_batch *batch)
{
	const struct range range = { .first = quad, .quads = 1 };
	const px_int xy = (px_int){ 0 } + (int32_t)((uint32_t)y << 16 | (uint16_t)x);
	struct positions at;

	quad_positions(s, xy, &at.x[0], &at.y[0]);
	if (varyings->unread_t0 != 0xf)
		position_lanes(QUADS_OF_A_VECTOR, s, &at, range, &batch->temp[0]);
	for (unsigned int i = 0; dx && dy && i < 4; i++) {
		at.x[0][i] += dx[i];
		at.y[0][i] += dy[i];
	}
	interpolate(QUADS_OF_A_VECTOR, s, varyings, &at, range, batch);
}

static inline struct positions block_positions(const struct gc_setup *s, int x, int y)
{
#define RIGHT(x) ((x) + 4)
	const px_float in_x = { PX_PER_8(RIGHT, 0, 1, 0, 1, 2, 3, 2, 3) };
#undef RIGHT
	const px_float in_y = { PX_PER_8(PX_SAME, 0, 0, 1, 1, 0, 0, 1, 1) };
	const px_float left = in_x + (float)(x - s->anchor_x),
		       top = in_y + (float)(y - s->anchor_y);
	struct positions at;

	for (unsigned int i = 0; i < COLUMNS; i++)
		at.x[i] = left + (float)(i * PX_LANES / 2);
	for (unsigned int j = 0; j < ROWS; j++)
		at.y[j] = top + (float)(2 * j);
	return at;
}

void gc_interpolate_block(const struct gc_setup *s, const struct gc_varyings *varyings, int x,
			  int y, struct gc_batch *batch)
{
	struct positions at = block_positions(s, x, y);

	if (varyings->unread_t0 != 0xf)
		position_lanes(BLOCK_OF_8X8, s, &at, whole_batch, &batch->temp[0]);
	interpolate(BLOCK_OF_8X8, s, varyings, &at, whole_batch, batch);
}

void gc_depth_block(const struct gc_setup *s, int x, int y, float depth[GC_LANES])
{
	struct positions at = block_positions(s, x, y);

	plane_lanes(BLOCK_OF_8X8, &s->z, &at, NULL, whole_batch, depth);
}

/*
 * Quads of several primitives: successive quads of one primitive form a piece, of at most a
 * vector. Lanes after a piece are written too, and overwritten by the next piece.
 */
struct piece {
	const struct gc_setup *setup;
	struct range range;
	struct positions at;
};

static inline void find_piece(const struct gc_setup *s, const struct gc_quad *quads,
			      unsigned int first, unsigned int count, struct piece *piece)
{
	piece->setup = s;
	piece->range = (struct range){ .first = first, .quads = count - first };
	quad_positions(s, lanes_of_quads(&quads[first], count - first), &piece->at.x[0],
		       &piece->at.y[0]);
}

/* First quad after the piece that starts with quad @first. */
static inline unsigned int end_of_piece(const uint16_t *setup, unsigned int first,
					unsigned int count)
{
	unsigned int end = first + 1;

	while (end < first + VECTOR_QUADS && end < count && setup[end] == setup[first])
		end++;
	return end;
}

static __attribute__((noinline)) void position_quads(const struct gc_setup *setups,
						     const uint16_t *setup,
						     const struct gc_quad *quads,
						     unsigned int count, struct gc_vec4 *t0)
{
	for (unsigned int q = 0; q < count; q = end_of_piece(setup, q, count)) {
		struct piece p;

		find_piece(&setups[setup[q]], quads, q, count, &p);
		position_lanes(QUADS_OF_A_VECTOR, p.setup, &p.at, p.range, t0);
	}
}

/*
 * Components that the shader reads and their registers; those to be multiplied by w come first.
 */
struct read_components {
	unsigned int smooth, count;
	/* add_components() writes each component before it knows whether it counts: one more */
	uint8_t number[GC_MAX_COMPONENTS + 1];
	float *lanes[GC_MAX_COMPONENTS + 1];
};

static inline void add_components(const struct gc_varyings *varyings, uint64_t which,
				  struct gc_batch *batch, struct read_components *read)
{
	for (unsigned int i = 0; i < varyings->components; i++) {
		read->number[read->count] = (uint8_t)i;
		read->lanes[read->count] = component_lanes(batch, varyings, i);
		read->count += which >> i & 1;
	}
}

/*
 * interpolate() with a list of components that is computed once for all pieces. Multiplies by w
 * also if it is 1.0, which changes nothing; a piece has one vector, so w[0] is enough.
 */
static inline void interpolate_piece(const struct piece *p, const struct read_components *read)
{
	px_float w[PX_VECTORS];
	unsigned int n = 0;

	find_w(QUADS_OF_A_VECTOR, p->setup, &p->at, w);
	for (; n < read->smooth; n++) {
		struct gc_plane plane = component_plane(p->setup, read->number[n]);

		plane_lanes(QUADS_OF_A_VECTOR, &plane, &p->at, w, p->range, read->lanes[n]);
	}
	for (; n < read->count; n++) {
		struct gc_plane plane = component_plane(p->setup, read->number[n]);

		plane_lanes(QUADS_OF_A_VECTOR, &plane, &p->at, NULL, p->range, read->lanes[n]);
	}
}

void gc_interpolate_quads(const struct gc_setup *setups, const uint16_t *setup,
			  const struct gc_varyings *varyings, const struct gc_quad *quads,
			  unsigned int count, struct gc_batch *batch)
{
	struct read_components read;

	if (varyings->unread_t0 != 0xf)
		position_quads(setups, setup, quads, count, &batch->temp[0]);
	read.count = 0;
	add_components(varyings, ~varyings->unread & ~varyings->flat, batch, &read);
	read.smooth = read.count;
	if (varyings->flat)
		add_components(varyings, ~varyings->unread & varyings->flat, batch, &read);
	for (unsigned int q = 0; q < count; q = end_of_piece(setup, q, count)) {
		struct piece p;

		find_piece(&setups[setup[q]], quads, q, count, &p);
		interpolate_piece(&p, &read);
	}
}
