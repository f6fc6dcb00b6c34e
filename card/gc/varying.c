// SPDX-License-Identifier: MIT
/*
 * Plane equations and interpolation. Set-up is done in double, so that a
 * plane is as good as its vertices; evaluation in float, as in the core.
 */
#include "gc/varying.h"

#include <string.h>

#include "gc/clip.h"
#include "gc/pixel_vector.h"

typedef double double2 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

/* The geometry that all planes of a triangle share. */
struct slopes {
	double x0, y0; /* anchor's centre, from vertex 0 */
	double ax, ay; /* weight of (value 1 - value 0) in dx and dy */
	double bx, by; /* weight of (value 2 - value 0) */
};

/* @d1, @d2: x and y of corners 1 and 2, from corner 0. */
static inline bool triangle_slopes(double2 d1, double2 d2, double snapped_area, struct slopes *g)
{
	double2 product = d1 * __builtin_shufflevector(d2, d2, 1, 0);
	double area = product[0] - product[1], ratio = area / snapped_area;
	double4 weights;

	if (!(ratio > 0.5 && ratio < 2.0))
		return false;
	/* four divisions for the time of one */
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

/* @p: the corners' exact places, and what follows these in gc_vertex's window. */
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

/* The same of four values at once. */
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
	return __builtin_ia32_cvtps2pd256(*(const gc_float4 *)from); /* the compiler takes five */
#else
	return __builtin_convertvector(*(const gc_float4 *)from, double4);
#endif
}

/* Planes of all components, four at a time; what is behind the last one is never read. */
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
	window = planes4(&g, p[0], p[1], p[2]); /* of which those of x and y are not needed */
	s->linear = false;
	s->z = (struct gc_plane){ window.at[2], window.dx[2], window.dy[2] };
	s->over_w = (struct gc_plane){ window.at[3], window.dx[3], window.dy[3] };
	varying_planes(s, varyings, &g, v);
	set_flat(s, varyings, provoking);
}

/* Weights that make a value go from one end to the other; a length of 0 counts as a subpixel. */
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

static inline px_float evaluate(const struct gc_plane *p, px_float x, px_float y)
{
	return p->at + p->dx * x + p->dy * y;
}

static inline struct gc_plane component_plane(const struct gc_setup *s, unsigned int i)
{
	return (struct gc_plane){ s->at[i], s->dx[i], s->dy[i] };
}

static inline gc_float4 *quad_lanes(union gc_lanes *lanes, unsigned int quad)
{
	return (gc_float4 *)&lanes->f[4 * quad];
}

static inline union gc_lanes *component_lanes(struct gc_batch *batch,
					      const struct gc_varyings *varyings, unsigned int i)
{
	return &batch->temp[varyings->reg[i]].c[varyings->lane_component[i]];
}

/* Whether component @i is multiplied by w. */
static inline bool perspective(const struct gc_setup *s, const struct gc_varyings *varyings,
			       unsigned int i)
{
	return !s->linear && !(varyings->flat >> i & 1);
}

void gc_interpolate_quad(const struct gc_setup *s, const struct gc_varyings *varyings, int x, int y,
			 const float dx[4], const float dy[4], unsigned int quad,
			 struct gc_batch *batch)
{
	struct gc_vec4 *t0 = &batch->temp[0];
	gc_float4 px = gc_quad_x((float)(x - s->anchor_x)),
		  py = gc_quad_y((float)(y - s->anchor_y));
	gc_float4 over_w = gc_plane_at(&s->over_w, px, py), w;

	if (varyings->unread_t0 != 0xf) {
		*quad_lanes(&t0->c[0], quad) = gc_quad_x((float)x + 0.5f);
		*quad_lanes(&t0->c[1], quad) = gc_quad_y((float)y + 0.5f);
		*quad_lanes(&t0->c[2], quad) = gc_plane_at(&s->z, px, py);
		*quad_lanes(&t0->c[3], quad) = over_w;
	}
	if (dx && dy) {
		px += (gc_float4){ dx[0], dx[1], dx[2], dx[3] };
		py += (gc_float4){ dy[0], dy[1], dy[2], dy[3] };
		over_w = gc_plane_at(&s->over_w, px, py);
	}
	w = 1.0f / over_w;
	for (unsigned int i = 0; i < varyings->components; i++) {
		struct gc_plane p = component_plane(s, i);
		gc_float4 value = gc_plane_at(&p, px, py);

		if (varyings->unread >> i & 1)
			continue;
		*quad_lanes(component_lanes(batch, varyings, i), quad) =
			perspective(s, varyings, i) ? value * w : value;
	}
}

/* Where the lanes of a batch are, from the anchor; whole numbers. */
struct group_place {
	px_float x[PX_VECTORS], y[PX_VECTORS];
};

/* Eight lanes are two quads of two words each. */
#define NEXT_TWO(x) ((x) + 4)

/* Of @words y << 16 | x, two a quad, the first of quad @from + i for each of its lanes. */
static inline px_int spread_quads(px_int words, int from)
{
	const px_int each = { PX_PER_8(NEXT_TWO, 0, 0, 0, 0, 2, 2, 2, 2) };

	return __builtin_shuffle(words, each + 2 * from);
}

/* Each lane's pixel. */
static inline void find_lanes(const struct gc_quad *quads, int32_t anchor_x, int32_t anchor_y,
			      struct group_place *at)
{
	const px_int in_x = { PX_PER_8(PX_SAME, 0, 1, 0, 1, 0, 1, 0, 1) };
	const px_int in_y = { PX_PER_8(PX_SAME, 0, 0, 1, 1, 0, 0, 1, 1) };

	for (unsigned int i = 0; i < PX_VECTORS; i++) {
		px_int words = ((const px_int *)quads)[i / 2];
		px_int xy = spread_quads(words, i % 2 * (PX_LANES / 4));

		at->x[i] = __builtin_convertvector((xy << 16 >> 16) - anchor_x + in_x, px_float);
		at->y[i] = __builtin_convertvector((xy >> 16) - anchor_y + in_y, px_float);
	}
}

/* Planes that do not vary give their value without a sum, unless it is a zero with a sign. */
static inline bool is_constant(const struct gc_plane *p)
{
	return p->dx == 0.0f && p->dy == 0.0f && (p->at > 0.0f || p->at < 0.0f);
}

/* A vector of lanes of quads. */
#define PIECE_QUADS (PX_LANES / 4)

/*
 * Quads of one primitive among others, from @first on, and those behind them in the same vector,
 * which get their own values later: where their pixels are, from the anchor, and their w.
 */
struct piece {
	const struct gc_setup *setup;
	unsigned int first, quads;
	px_float x, y, w;
};

/* y << 16 | x of each lane's quad; lanes of quads that are not there hold 0. */
static inline px_int lanes_of_quads(const struct gc_quad *quads, unsigned int count)
{
	px_int_half words = { 0 };

	if (count >= PIECE_QUADS)
		memcpy(&words, quads, sizeof(words));
	else
		memcpy(&words, quads, count * sizeof(*quads));
	return __builtin_shufflevector(words, words, PX_PER_8(NEXT_TWO, 0, 0, 0, 0, 2, 2, 2, 2));
}

static inline struct piece find_piece(const struct gc_setup *s, const struct gc_quad *quads,
				      unsigned int first, unsigned int count)
{
	const px_int in_x = { PX_PER_8(PX_SAME, 0, 1, 0, 1, 0, 1, 0, 1) };
	const px_int in_y = { PX_PER_8(PX_SAME, 0, 0, 1, 1, 0, 0, 1, 1) };
	px_int xy = lanes_of_quads(&quads[first], count - first);
	struct piece p = { .setup = s, .first = first, .quads = count - first };

	p.x = __builtin_convertvector((xy << 16 >> 16) - s->anchor_x + in_x, px_float);
	p.y = __builtin_convertvector((xy >> 16) - s->anchor_y + in_y, px_float);
	p.w = (px_float){ 0 } + 1.0f;
	if (!s->linear)
		p.w /= evaluate(&s->over_w, p.x, p.y);
	return p;
}

/* A piece's values, but not into lanes of quads that are not there. */
static inline void put_piece(const struct piece *p, px_float value, float *lanes)
{
	if (p->quads >= PIECE_QUADS)
		memcpy(&lanes[4 * p->first], &value, sizeof(value));
	else
		memcpy(&lanes[4 * p->first], &value, p->quads * sizeof(gc_float4));
}

/* Where the piece that begins at quad @first ends. */
static inline unsigned int end_of_piece(const uint16_t *setup, unsigned int first,
					unsigned int count)
{
	unsigned int end = first + 1;

	while (end < first + PIECE_QUADS && end < count && setup[end] == setup[first])
		end++;
	return end;
}

static __attribute__((noinline)) void place_quads_t0(const struct gc_setup *setups,
						     const uint16_t *setup,
						     const struct gc_quad *quads,
						     unsigned int count, struct gc_vec4 *t0)
{
	for (unsigned int q = 0; q < count; q = end_of_piece(setup, q, count)) {
		const struct gc_setup *s = &setups[setup[q]];
		const struct piece p = find_piece(s, quads, q, count);

		put_piece(&p, p.x + (float)s->anchor_x + 0.5f, t0->c[0].f);
		put_piece(&p, p.y + (float)s->anchor_y + 0.5f, t0->c[1].f);
		put_piece(&p, evaluate(&s->z, p.x, p.y), t0->c[2].f);
		put_piece(&p, evaluate(&s->over_w, p.x, p.y), t0->c[3].f);
	}
}

/* Components that are read, and where they go; those that are multiplied by w come first. */
struct read_components {
	unsigned int smooth, count;
	uint8_t number[GC_MAX_COMPONENTS];
	float *lanes[GC_MAX_COMPONENTS];
};

static inline void add_components(const struct gc_varyings *varyings, uint64_t which,
				  struct gc_batch *batch, struct read_components *read)
{
	for (unsigned int i = 0; i < varyings->components; i++) {
		read->number[read->count] = (uint8_t)i;
		read->lanes[read->count] = component_lanes(batch, varyings, i)->f;
		read->count += which >> i & 1;
	}
}

static inline void put_components(const struct piece *p, const struct read_components *read)
{
	unsigned int n = 0;

	for (; n < read->smooth; n++) {
		struct gc_plane plane = component_plane(p->setup, read->number[n]);

		put_piece(p, evaluate(&plane, p->x, p->y) * p->w, read->lanes[n]);
	}
	for (; n < read->count; n++) {
		struct gc_plane plane = component_plane(p->setup, read->number[n]);

		put_piece(p, evaluate(&plane, p->x, p->y), read->lanes[n]);
	}
}

void gc_interpolate_quads(const struct gc_setup *setups, const uint16_t *setup,
			  const struct gc_varyings *varyings, const struct gc_quad *quads,
			  unsigned int count, struct gc_batch *batch)
{
	struct read_components read;

	if (varyings->unread_t0 != 0xf)
		place_quads_t0(setups, setup, quads, count, &batch->temp[0]);
	read.count = 0;
	add_components(varyings, ~varyings->unread & ~varyings->flat, batch, &read);
	read.smooth = read.count;
	if (varyings->flat)
		add_components(varyings, ~varyings->unread & varyings->flat, batch, &read);
	for (unsigned int q = 0; q < count; q = end_of_piece(setup, q, count)) {
		const struct piece p = find_piece(&setups[setup[q]], quads, q, count);

		put_components(&p, &read);
	}
}

static inline void plane_lanes(const struct gc_plane *p, const struct group_place *at,
			       union gc_lanes *to)
{
	px_float *out = (px_float *)to->f;

	for (unsigned int i = 0; i < PX_VECTORS; i++)
		out[i] = evaluate(p, at->x[i], at->y[i]);
}

/* The same times w. */
static inline void divided_lanes(const struct gc_plane *p, const struct group_place *at,
				 const px_float w[PX_VECTORS], union gc_lanes *to)
{
	px_float *out = (px_float *)to->f;

	for (unsigned int i = 0; i < PX_VECTORS; i++)
		out[i] = evaluate(p, at->x[i], at->y[i]) * w[i];
}

static void place_t0(const struct gc_setup *s, const struct gc_quad *quads,
		     const struct group_place *at, struct gc_vec4 *t0)
{
	struct group_place window;

	find_lanes(quads, 0, 0, &window);
	for (unsigned int i = 0; i < PX_VECTORS; i++) {
		((px_float *)t0->c[0].f)[i] = window.x[i] + 0.5f;
		((px_float *)t0->c[1].f)[i] = window.y[i] + 0.5f;
	}
	plane_lanes(&s->z, at, &t0->c[2]);
	plane_lanes(&s->over_w, at, &t0->c[3]);
}

/* Returns: whether it is 1.0 everywhere, so that nothing has to be multiplied by it. */
static bool find_w(const struct gc_setup *s, const struct group_place *at, px_float w[PX_VECTORS])
{
	const px_float zero = { 0 };

	if (s->linear)
		return true;
	if (is_constant(&s->over_w)) {
		for (unsigned int i = 0; i < PX_VECTORS; i++)
			w[i] = zero + 1.0f / s->over_w.at;
		return s->over_w.at == 1.0f;
	}
	for (unsigned int i = 0; i < PX_VECTORS; i++)
		w[i] = 1.0f / evaluate(&s->over_w, at->x[i], at->y[i]);
	return false;
}

void gc_interpolate_group(const struct gc_setup *s, const struct gc_varyings *varyings,
			  const struct gc_quad *quads, struct gc_batch *batch)
{
	struct group_place at;
	px_float w[PX_VECTORS];
	bool one;

	find_lanes(quads, s->anchor_x, s->anchor_y, &at);
	if (varyings->unread_t0 != 0xf)
		place_t0(s, quads, &at, &batch->temp[0]);
	one = find_w(s, &at, w);
	for (unsigned int i = 0; i < varyings->components; i++) {
		struct gc_plane p = component_plane(s, i);
		union gc_lanes *to = component_lanes(batch, varyings, i);

		if (varyings->unread >> i & 1)
			continue;
		if (one || !perspective(s, varyings, i))
			plane_lanes(&p, &at, to);
		else
			divided_lanes(&p, &at, w, to);
	}
}

/*
 * A block of 8x8 pixels: the x of the lanes repeat in every row of quads, and
 * the y within a row, which is of as many vectors as two rows of eight pixels.
 */
#define ROWS 4
#define COLUMNS (PX_VECTORS / ROWS)

struct block_place {
	px_float x[COLUMNS], y[ROWS];
};

static inline struct block_place find_block(int x, int y)
{
#define RIGHT(x) ((x) + 4)
	const px_float in_x = { PX_PER_8(RIGHT, 0, 1, 0, 1, 2, 3, 2, 3) };
#undef RIGHT
	const px_float in_y = { PX_PER_8(PX_SAME, 0, 0, 1, 1, 0, 0, 1, 1) };
	const px_float left = in_x + (float)x, top = in_y + (float)y;
	struct block_place at;

	for (unsigned int i = 0; i < COLUMNS; i++)
		at.x[i] = left + (float)(i * PX_LANES / 2);
	for (unsigned int j = 0; j < ROWS; j++)
		at.y[j] = top + (float)(2 * j);
	return at;
}

/* plane_lanes() of a block; @w NULL: not to be divided by 1/w. */
static inline __attribute__((always_inline)) void plane_block(const struct gc_plane *p,
							      const struct block_place *at,
							      const px_float *w, px_float *out)
{
	px_float columns[COLUMNS];

	for (unsigned int i = 0; i < COLUMNS; i++)
		columns[i] = p->at + p->dx * at->x[i];
	for (unsigned int j = 0; j < ROWS; j++) {
		const px_float row = p->dy * at->y[j];

		for (unsigned int i = 0; i < COLUMNS; i++) {
			px_float v = columns[i] + row;

			if (w)
				v *= w[COLUMNS * j + i];
			out[COLUMNS * j + i] = v;
		}
	}
}

static void place_block_t0(const struct gc_setup *s, int x, int y, const struct block_place *at,
			   struct gc_vec4 *t0)
{
	struct block_place window = find_block(x, y);

	for (unsigned int i = 0; i < PX_VECTORS; i++) {
		((px_float *)t0->c[0].f)[i] = window.x[i % COLUMNS] + 0.5f;
		((px_float *)t0->c[1].f)[i] = window.y[i / COLUMNS] + 0.5f;
	}
	plane_block(&s->z, at, NULL, (px_float *)t0->c[2].f);
	plane_block(&s->over_w, at, NULL, (px_float *)t0->c[3].f);
}

/* As find_w(), of a block. */
static bool find_block_w(const struct gc_setup *s, const struct block_place *at,
			 px_float w[PX_VECTORS])
{
	const px_float zero = { 0 };

	if (s->linear || (is_constant(&s->over_w) && s->over_w.at == 1.0f))
		return true;
	if (is_constant(&s->over_w)) {
		for (unsigned int i = 0; i < PX_VECTORS; i++)
			w[i] = zero + 1.0f / s->over_w.at;
		return false;
	}
	plane_block(&s->over_w, at, NULL, w);
	for (unsigned int i = 0; i < PX_VECTORS; i++)
		w[i] = 1.0f / w[i];
	return false;
}

void gc_interpolate_block(const struct gc_setup *s, const struct gc_varyings *varyings, int x,
			  int y, struct gc_batch *batch)
{
	struct block_place at = find_block(x - s->anchor_x, y - s->anchor_y);
	px_float w[PX_VECTORS];
	bool one = find_block_w(s, &at, w);

	if (varyings->unread_t0 != 0xf)
		place_block_t0(s, x, y, &at, &batch->temp[0]);
	for (unsigned int i = 0; i < varyings->components; i++) {
		struct gc_plane p = component_plane(s, i);
		px_float *to = (px_float *)component_lanes(batch, varyings, i)->f;

		if (varyings->unread >> i & 1)
			continue;
		if (one || !perspective(s, varyings, i))
			plane_block(&p, &at, NULL, to);
		else
			plane_block(&p, &at, w, to);
	}
}

void gc_depth_block(const struct gc_setup *s, int x, int y, float depth[GC_LANES])
{
	struct block_place at = find_block(x - s->anchor_x, y - s->anchor_y);
	px_float z[PX_VECTORS];

	plane_block(&s->z, &at, NULL, z);
	memcpy(depth, z, sizeof(z));
}
