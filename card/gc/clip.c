// SPDX-License-Identifier: MIT
/*
 * Clipping in homogeneous coordinates (Sutherland-Hodgman), division by w, viewport
 * transformation, rounding to 1/16 pixel.
 */
#include "gc/clip.h"

#include <float.h>
#include <math.h>
#include <string.h>

int32_t gc_snap(float pixels)
{
	double units = floor((double)pixels * GC_SUBPIXELS + 0.5);
	const double limit = (double)GC_GUARD_BAND * GC_SUBPIXELS;

	if (!(units >= -limit))
		return isnan(units) ? 0 : (int32_t)-limit;
	return units > limit ? (int32_t)limit : (int32_t)units;
}

void gc_viewport_set(struct gc_viewport *vp, const float scale[3], const float offset[3],
		     bool z_ready, float w_limit)
{
	memcpy(vp->scale, scale, sizeof(vp->scale));
	memcpy(vp->offset, offset, sizeof(vp->offset));
	vp->z_ready = z_ready;
	vp->w_limit = w_limit >= FLT_MIN ? w_limit : FLT_MIN;
	vp->view_in_band = fabsf(scale[0]) + fabsf(offset[0]) < GC_GUARD_BAND / 2 &&
			   fabsf(scale[1]) + fabsf(offset[1]) < GC_GUARD_BAND / 2;
	/* The core first converts z to (z + w) / 2; scale and offset of z/w include that here. */
	if (!z_ready) {
		vp->scale[2] = scale[2] * 0.5f;
		vp->offset[2] = offset[2] + scale[2] * 0.5f;
	}
}

/* Distance of @clip from clip plane @plane, >= 0 inside. */
static double plane_distance(const struct gc_viewport *vp, const float clip[4], unsigned int plane)
{
	double x = clip[0], y = clip[1], z = clip[2], w = clip[3];

	switch (1 << plane) {
	case GC_OUT_W:
		return w - (double)vp->w_limit;
	case GC_OUT_NEAR:
		return vp->z_ready ? z : z + w;
	case GC_OUT_FAR:
		return w - z;
	case GC_OUT_BAND_LEFT:
		return x * vp->scale[0] + w * ((double)vp->offset[0] + GC_GUARD_BAND);
	case GC_OUT_BAND_RIGHT:
		return w * (GC_GUARD_BAND - (double)vp->offset[0]) - x * vp->scale[0];
	case GC_OUT_BAND_TOP:
		return y * vp->scale[1] + w * ((double)vp->offset[1] + GC_GUARD_BAND);
	default:
		return w * (GC_GUARD_BAND - (double)vp->offset[1]) - y * vp->scale[1];
	}
}

/*
 * The guard band's bits. The distances are computed in double: they are not exact in float, as the
 * comparisons with w in gc_vertex_outcode() are.
 */
static uint32_t band_outcode(const struct gc_viewport *vp, const float clip[4])
{
	uint32_t code = 0;

	/* plane 3 is GC_OUT_BAND_LEFT */
	for (unsigned int i = 3; i < GC_CLIP_PLANES; i++)
		code |= (uint32_t)(plane_distance(vp, clip, i) < 0.0) << i;
	return code;
}

uint32_t gc_vertex_outcode(const struct gc_viewport *vp, const float clip[4])
{
	float x = clip[0], y = clip[1], z = clip[2], w = clip[3];
	float near = vp->z_ready ? 0.0f : -w;
	uint32_t code = 0;

	if (vp->view_in_band && fabsf(x) <= w && fabsf(y) <= w && z >= near && z <= w &&
	    w >= vp->w_limit && w <= FLT_MAX)
		return 0;
	if (!isfinite(x) || !isfinite(y) || !isfinite(z) || !isfinite(w))
		return GC_OUT_BROKEN | GC_OUT_W;
	code |= (w < vp->w_limit ? GC_OUT_W : 0);
	code |= (z < near ? GC_OUT_NEAR : 0) | (z > w ? GC_OUT_FAR : 0);
	code |= (x < -w ? GC_OUT_LEFT : 0) | (x > w ? GC_OUT_RIGHT : 0);
	code |= (y < -w ? GC_OUT_BELOW : 0) | (y > w ? GC_OUT_ABOVE : 0);
	return code | band_outcode(vp, clip);
}

void gc_vertex_project(const struct gc_viewport *vp, struct gc_vertex *v)
{
	float over_w = 1.0f / v->clip[3];
	float shift = vp->integer_centers ? 0.5f : 0.0f;

	for (unsigned int i = 0; i < 3; i++)
		v->window[i] = v->clip[i] * over_w * vp->scale[i] + vp->offset[i];
	v->window[0] += shift;
	v->window[1] += shift;
	v->window[3] = over_w;
	v->x = gc_snap(v->window[0]);
	v->y = gc_snap(v->window[1]);
}

/* Compute the vertex where the edge from @in to @out crosses the plane; @made may be @out. */
static void cut(const struct gc_vertex *in, const struct gc_vertex *out, double d_in, double d_out,
		unsigned int components, struct gc_vertex *made)
{
	double t = d_in / (d_in - d_out);

	for (unsigned int i = 0; i < 4; i++)
		made->clip[i] = (float)(in->clip[i] + t * ((double)out->clip[i] - in->clip[i]));
	for (unsigned int i = 0; i < components; i++)
		made->varying[i] =
			(float)(in->varying[i] + t * ((double)out->varying[i] - in->varying[i]));
	made->point_size = in->point_size;
	made->outcode = 0;
}

/* Rounding may leave a new vertex slightly outside the plane; its w must still be positive. */
static bool projectable(const struct gc_vertex *v)
{
	return v->clip[3] > 0.0f;
}

static void clip_plane(const struct gc_viewport *vp, unsigned int plane, unsigned int components,
		       struct gc_clip_polygon *p)
{
	const struct gc_vertex *from[GC_CLIP_MAX_VERTICES];
	unsigned int n = p->count, count = 0;

	memcpy(from, p->vertex, n * sizeof(from[0]));
	for (unsigned int i = 0; i < n; i++) {
		const struct gc_vertex *a = from[i], *b = from[(i + 1) % n];
		double da = plane_distance(vp, a->clip, plane);
		double db = plane_distance(vp, b->clip, plane);

		if (da >= 0.0 && count < GC_CLIP_MAX_VERTICES)
			p->vertex[count++] = a;
		if ((da >= 0.0) == (db >= 0.0) || count == GC_CLIP_MAX_VERTICES ||
		    p->made == 2 * GC_CLIP_PLANES)
			continue;
		if (da >= 0.0)
			cut(a, b, da, db, components, &p->pool[p->made]);
		else
			cut(b, a, db, da, components, &p->pool[p->made]);
		p->vertex[count++] = &p->pool[p->made++];
	}
	p->count = count;
}

void gc_clip_triangle(const struct gc_viewport *vp, const struct gc_vertex *const v[3],
		      unsigned int components, struct gc_clip_polygon *polygon)
{
	uint32_t planes = v[0]->outcode | v[1]->outcode | v[2]->outcode;

	polygon->count = 3;
	polygon->made = 0;
	memcpy(polygon->vertex, v, 3 * sizeof(v[0]));
	for (unsigned int i = 0; i < GC_CLIP_PLANES && polygon->count; i++)
		if (planes >> i & 1)
			clip_plane(vp, i, components, polygon);
	for (unsigned int i = 0; i < polygon->count; i++)
		if (!projectable(polygon->vertex[i]))
			polygon->count = 0;
	if (polygon->count < 3)
		polygon->count = 0;
	for (unsigned int i = 0; i < polygon->made; i++)
		if (projectable(&polygon->pool[i]))
			gc_vertex_project(vp, &polygon->pool[i]);
}

bool gc_clip_line(const struct gc_viewport *vp, const struct gc_vertex *const v[2],
		  unsigned int components, struct gc_vertex out[2])
{
	uint32_t planes = v[0]->outcode | v[1]->outcode;

	out[0] = *v[0];
	out[1] = *v[1];
	for (unsigned int i = 0; i < GC_CLIP_PLANES; i++) {
		double d0, d1;

		if (!(planes >> i & 1))
			continue;
		d0 = plane_distance(vp, out[0].clip, i);
		d1 = plane_distance(vp, out[1].clip, i);
		if (d0 < 0.0 && d1 < 0.0)
			return false;
		if (d0 < 0.0)
			cut(&out[1], &out[0], d1, d0, components, &out[0]);
		else if (d1 < 0.0)
			cut(&out[0], &out[1], d0, d1, components, &out[1]);
	}
	if (!projectable(&out[0]) || !projectable(&out[1]))
		return false;
	gc_vertex_project(vp, &out[0]);
	gc_vertex_project(vp, &out[1]);
	return true;
}
