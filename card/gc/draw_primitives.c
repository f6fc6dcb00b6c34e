// SPDX-License-Identifier: MIT
/*
 * From an assembled primitive to its pixels: rejection, clipping, culling, fill mode, and the
 * call of the rasteriser.
 */
#include "gc/draw_unit.h"

#include <math.h>
#include <stdlib.h>

/*
 * Origin of the plane equations in x or y: the primitive's least pixel, clamped to
 * 0..GC_GUARD_BAND / 2, where targets are. It does not depend on the scissor, since interpolated
 * values must not depend on it either.
 */
static int32_t anchor(int32_t units)
{
	int32_t pixel = units >> GC_SUBPIXEL_BITS;

	return pixel < 0 ? 0 : pixel < GC_GUARD_BAND / 2 ? pixel : GC_GUARD_BAND / 2;
}

static int32_t min_of(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t min3(int32_t a, int32_t b, int32_t c)
{
	return min_of(min_of(a, b), c);
}

/* Begin a point or line in unit->current. Its planes are computed with its first pixel. */
static void begin_point_or_line(struct gc_draw_unit *unit, unsigned int vertices)
{
	const struct gc_current *c = &unit->current;
	const struct gc_vertex *a = c->v[0], *b = c->v[vertices > 1 ? 1 : 0];

	gc_draw_pixels_primitive(unit, anchor(min_of(a->x, b->x)), anchor(min_of(a->y, b->y)));
}

static int64_t doubled_area(const struct gc_vertex *a, const struct gc_vertex *b,
			    const struct gc_vertex *c)
{
	return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(c->x - a->x) * (b->y - a->y);
}

/* With both bits of the field silicon culls what GC_CULL_CCW does (Mesa 708a33d). */
static bool culled(const struct gc_draw_state *s, bool clockwise)
{
	if (s->cull == (GC_CULL_CW | GC_CULL_CCW))
		return !clockwise;
	return s->cull == (clockwise ? GC_CULL_CW : GC_CULL_CCW);
}

/*
 * Rasterise a triangle of non-zero @area. The fields of unit->current are set one by one: a
 * compound literal would also clear those that triangles do not use.
 */
static inline void raster_triangle(struct gc_core *gc, struct gc_draw_unit *unit,
				   const struct gc_vertex *v0, const struct gc_vertex *v1,
				   const struct gc_vertex *v2, const struct gc_vertex *provoking,
				   int64_t area)
{
	bool clockwise = area > 0;
	const struct gc_vertex *second = clockwise ? v1 : v2, *third = clockwise ? v2 : v1;
	int32_t x[3] = { v0->x, second->x, third->x };
	int32_t y[3] = { v0->y, second->y, third->y };
	struct gc_current *c = &unit->current;

	c->kind = GC_CURRENT_TRIANGLE;
	c->v[0] = v0;
	c->v[1] = v1;
	c->v[2] = v2;
	c->provoking = provoking;
	c->area = area;
	c->front = clockwise;
	c->offset = true;
	gc_draw_pixels_primitive(unit, anchor(min3(x[0], x[1], x[2])),
				 anchor(min3(y[0], y[1], y[2])));
	gc->counters.ra_primitives++;
	gc_raster_triangle(&unit->raster, x, y);
}

/* Count a polygon of this doubled area as drawn or not drawn. Returns: whether it is drawn. */
static inline bool count_polygon(struct gc_core *gc, const struct gc_draw_unit *unit, int64_t area)
{
	if (area == 0) {
		gc->counters.pa_dropped_zero_area++;
		return false;
	}
	if (culled(&unit->state, area > 0)) {
		gc->counters.pa_culled++;
		gc->counters.se_culled_triangles++;
		return false;
	}
	gc->counters.pa_output_primitives++;
	gc->counters.se_triangles++;
	gc->work.primitives_drawn++;
	return true;
}

/*
 * Draw the polygon that is left of a clipped triangle. Rounding to 1/16 pixel may have turned
 * parts of it around or reduced their area to zero; these parts are not drawn.
 */
static void draw_polygon(struct gc_core *gc, struct gc_draw_unit *unit,
			 const struct gc_clip_polygon *polygon, const struct gc_vertex *provoking)
{
	const struct gc_vertex *const *v = polygon->vertex;
	int64_t all = 0;

	for (unsigned int i = 2; i < polygon->count; i++)
		all += doubled_area(v[0], v[i - 1], v[i]);
	if (!count_polygon(gc, unit, all))
		return;
	for (unsigned int i = 2; i < polygon->count; i++) {
		int64_t area = doubled_area(v[0], v[i - 1], v[i]);

		if (area && (area > 0) == (all > 0))
			raster_triangle(gc, unit, v[0], v[i - 1], v[i], provoking, area);
	}
}

/* With multisampling a line is drawn as the rectangle around it. Its ends differ. */
static void raster_rectangle(struct gc_draw_unit *unit, const struct gc_vertex *const v[2])
{
	float dx = v[1]->window[0] - v[0]->window[0], dy = v[1]->window[1] - v[0]->window[1];
	float scale = 0.5f * unit->state.line_width / sqrtf(dx * dx + dy * dy);
	int32_t tx = gc_snap(-dy * scale), ty = gc_snap(dx * scale);
	/* clockwise: (tx, ty) points to the right of the direction from v[0] to v[1] */
	int32_t x0[3] = { v[0]->x - tx, v[1]->x - tx, v[1]->x + tx };
	int32_t y0[3] = { v[0]->y - ty, v[1]->y - ty, v[1]->y + ty };
	int32_t x1[3] = { v[0]->x - tx, v[1]->x + tx, v[0]->x + tx };
	int32_t y1[3] = { v[0]->y - ty, v[1]->y + ty, v[0]->y + ty };

	gc_raster_triangle(&unit->raster, x0, y0);
	gc_raster_triangle(&unit->raster, x1, y1);
}

static unsigned int whole_width(float width)
{
	return width >= 1.5f ? (unsigned int)(int)fminf(width + 0.5f, GC_GUARD_BAND) : 1;
}

static void raster_line(struct gc_core *gc, struct gc_draw_unit *unit,
			const struct gc_vertex *const v[2], const struct gc_vertex *provoking,
			bool front, bool offset)
{
	int32_t x[2] = { v[0]->x, v[1]->x }, y[2] = { v[0]->y, v[1]->y };
	enum gc_line_axis axis = abs(x[1] - x[0]) >= abs(y[1] - y[0]) ? GC_LINE_X : GC_LINE_Y;

	gc->counters.pa_output_primitives++;
	gc->counters.se_lines++;
	gc->work.primitives_drawn++;
	unit->current = (struct gc_current){ .kind = GC_CURRENT_LINE,
					     .v = { v[0], v[1] },
					     .provoking = provoking,
					     .axis = unit->samples > 1 ? GC_LINE_ALONG : axis,
					     .front = front,
					     .offset = offset };
	begin_point_or_line(unit, 2);
	gc->counters.ra_primitives++;
	if (unit->samples > 1)
		raster_rectangle(unit, v);
	else
		gc_raster_line(&unit->raster, x, y, whole_width(unit->state.line_width),
			       unit->state.last_pixel);
}

static void draw_line(struct gc_core *gc, struct gc_draw_unit *unit, const struct gc_vertex *v0,
		      const struct gc_vertex *v1, const struct gc_vertex *provoking, bool front,
		      bool offset)
{
	const struct gc_vertex *v[2] = { v0, v1 };

	if ((v0->outcode | v1->outcode) & GC_OUT_BROKEN ||
	    v0->outcode & v1->outcode & GC_OUT_CLIPPED) {
		gc->counters.pa_trivial_rejected++;
		return;
	}
	if ((v0->outcode | v1->outcode) & GC_OUT_CLIPPED) {
		gc->counters.pa_clipped++;
		if (!gc_clip_line(&unit->state.viewport, v, unit->state.varyings.components,
				  unit->clipped))
			return;
		v[0] = &unit->clipped[0];
		v[1] = &unit->clipped[1];
	}
	if (v[0]->x == v[1]->x && v[0]->y == v[1]->y) {
		gc->counters.pa_dropped_zero_area++;
		return;
	}
	raster_line(gc, unit, v, provoking, front, offset);
}

/*
 * Points are squares. Without sprites, a side exactly between two pixels is moved as GL 2.1
 * section 3.3.1 rounds the centre of aliased points; otherwise the fill rule of polygons
 * applies.
 */
static void draw_point(struct gc_core *gc, struct gc_draw_unit *unit, const struct gc_vertex *v,
		       bool front, bool offset)
{
	int32_t width, left, top, tie = !unit->state.point_sprite && unit->samples == 1;
	float size = fminf(fmaxf(v->point_size, 1.0f), GC_GUARD_BAND);

	if (v->outcode & (GC_OUT_CLIPPED | GC_OUT_BROKEN)) {
		gc->counters.pa_trivial_rejected++;
		return;
	}
	gc->counters.pa_output_primitives++;
	gc->counters.se_points++;
	gc->work.primitives_drawn++;
	unit->current = (struct gc_current){ .kind = GC_CURRENT_POINT,
					     .v = { v },
					     .provoking = v,
					     .size = size,
					     .front = front,
					     .offset = offset };
	begin_point_or_line(unit, 1);
	gc->counters.ra_primitives++;
	width = (int32_t)floorf(size * GC_SUBPIXELS + 0.5f);
	left = v->x - width / 2 + tie;
	top = v->y - width / 2 + tie;
	gc_raster_box(&unit->raster, left, top, left + width, top + width);
}

/*
 * Whether a triangle is clockwise in the window, from the sign of det(x, y, w): that is right
 * for vertices behind the eye too.
 */
static bool turns_clockwise(const struct gc_viewport *vp, const struct gc_vertex *const v[3])
{
	double m[3][3], det;

	for (unsigned int i = 0; i < 3; i++) {
		m[i][0] = v[i]->clip[0];
		m[i][1] = v[i]->clip[1];
		m[i][2] = v[i]->clip[3];
	}
	det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
	      m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
	return det * vp->scale[0] * vp->scale[1] > 0.0;
}

/* Fill modes point and line: draws corners or edges of the polygon, each clipped on its own. */
static void draw_unfilled(struct gc_core *gc, struct gc_draw_unit *unit,
			  const struct gc_primitive *p, const struct gc_vertex *const v[3])
{
	const struct gc_vertex *provoking = &unit->vertex[p->provoking];
	bool clockwise = turns_clockwise(&unit->state.viewport, v);

	if (culled(&unit->state, clockwise)) {
		gc->counters.pa_culled++;
		return;
	}
	for (unsigned int i = 0; i < 3; i++) {
		if (!(p->edges >> i & 1))
			continue;
		if (unit->state.fill == GC_FILL_POINT)
			draw_point(gc, unit, v[i], clockwise, true);
		else
			draw_line(gc, unit, v[i], v[(i + 1) % 3], provoking, clockwise, true);
	}
}

/* Triangles that have to be clipped, or are not filled. */
static __attribute__((noinline)) void draw_otherwise(struct gc_core *gc, struct gc_draw_unit *unit,
						     const struct gc_primitive *p)
{
	const struct gc_vertex *v[3] = { &unit->vertex[p->vertex[0]], &unit->vertex[p->vertex[1]],
					 &unit->vertex[p->vertex[2]] };
	const struct gc_vertex *provoking = &unit->vertex[p->provoking];

	if (unit->state.fill != GC_FILL_SOLID) {
		draw_unfilled(gc, unit, p, v);
		return;
	}
	gc->counters.pa_clipped++;
	gc_clip_triangle(&unit->state.viewport, v, unit->state.varyings.components, &unit->polygon);
	if (unit->polygon.count)
		draw_polygon(gc, unit, &unit->polygon, provoking);
}

static void draw_triangle(struct gc_core *gc, struct gc_draw_unit *unit,
			  const struct gc_primitive *p)
{
	const struct gc_vertex *v0 = &unit->vertex[p->vertex[0]];
	const struct gc_vertex *v1 = &unit->vertex[p->vertex[1]];
	const struct gc_vertex *v2 = &unit->vertex[p->vertex[2]];
	uint32_t all = v0->outcode & v1->outcode & v2->outcode;
	uint32_t any = v0->outcode | v1->outcode | v2->outcode;
	int64_t area;

	if (all || any & GC_OUT_BROKEN) {
		gc->counters.pa_trivial_rejected++;
		if (all & (GC_OUT_NEAR | GC_OUT_FAR))
			gc->counters.pa_depth_clipped++;
		return;
	}
	if (unit->state.fill != GC_FILL_SOLID || any & GC_OUT_CLIPPED) {
		draw_otherwise(gc, unit, p);
		return;
	}
	area = doubled_area(v0, v1, v2);
	if (count_polygon(gc, unit, area))
		raster_triangle(gc, unit, v0, v1, v2, &unit->vertex[p->provoking], area);
}

void gc_draw_primitive(struct gc_core *gc, struct gc_draw_unit *unit, const struct gc_primitive *p)
{
	gc->counters.pa_input_primitives++;
	gc->work.primitives_in++;
	if (unit->no_pixels)
		return;
	/* points and lines are GL's front, by default counterclockwise: not gc_quad.front */
	if (p->count == 3)
		draw_triangle(gc, unit, p);
	else if (p->count == 2)
		draw_line(gc, unit, &unit->vertex[p->vertex[0]], &unit->vertex[p->vertex[1]],
			  &unit->vertex[p->provoking], false, false);
	else
		draw_point(gc, unit, &unit->vertex[p->vertex[0]], false, false);
}
