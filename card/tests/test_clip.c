// SPDX-License-Identifier: MIT
/* Clipping against a reference in homogeneous coordinates, and projection to the window. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gc/clip.h"
#include "gc/project.h"
#include "tests/check.h"

#define COMPONENTS 3

static uint32_t seed = 3;

static double random_unit(void)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) / (double)(1 << 24);
}

static float random_in(double low, double high)
{
	return (float)(low + (high - low) * random_unit());
}

/* 640 x 432 pixels, and the limit of w that Mesa sets; @z_ready: clip space depth is 0..w. */
static struct gc_viewport viewport(bool z_ready)
{
	struct gc_viewport vp = { 0 };
	float scale[3] = { 320.0f, -216.0f, z_ready ? 0.5f : 1.0f };
	float offset[3] = { 320.0f, 216.0f, z_ready ? 0.25f : 0.0f };

	gc_viewport_set(&vp, scale, offset, z_ready, 0x1.000002p-23f);
	return vp;
}

static struct gc_vertex vertex(const struct gc_viewport *vp, float x, float y, float z, float w)
{
	struct gc_vertex v = { .clip = { x, y, z, w } };

	for (unsigned int i = 0; i < COMPONENTS; i++)
		v.varying[i] = random_in(-4, 4);
	v.outcode = gc_vertex_outcode(vp, v.clip);
	if (!(v.outcode & GC_OUT_CLIPPED))
		gc_vertex_project(vp, &v);
	return v;
}

static struct gc_vertex random_vertex(const struct gc_viewport *vp)
{
	return vertex(vp, random_in(-3, 3), random_in(-3, 3), random_in(-3, 3), random_in(-1, 3));
}

TEST(projects_as_gl_says)
{
	struct gc_viewport vp = viewport(false);
	struct gc_vertex v = vertex(&vp, 1.0f, 0.5f, -0.5f, 2.0f);

	CHECK_NEAR(v.window[0], 480.0, 1e-4);
	CHECK_NEAR(v.window[1], 162.0, 1e-4);
	CHECK_NEAR(v.window[2], 0.375, 1e-7); /* (z/w + 1) / 2 */
	CHECK_NEAR(v.window[3], 0.5, 0.0);
	CHECK_EQ(v.x, 480 * 16);
	CHECK_EQ(v.y, 162 * 16);
	vp = viewport(true);
	v = vertex(&vp, 1.0f, 0.5f, 0.5f, 2.0f);
	CHECK_NEAR(v.window[2], 0.25 * 0.5 + 0.25, 1e-7);
	vp.integer_centers = true;
	v = vertex(&vp, 1.0f, 0.5f, 0.5f, 2.0f);
	CHECK_NEAR(v.window[0], 480.5, 1e-4);
	CHECK_EQ(v.y, 162 * 16 + 8);
}

TEST(outcodes)
{
	struct gc_viewport vp = viewport(false);
	const float clip[][4] = {
		{ 0, 0, 0, 1 },      { 0, 0, -1, 1 },       { 0, 0, -1.001f, 1 },
		{ 0, 0, 1.001f, 1 }, { -1.001f, 0, 0, 1 },  { 0, 1.001f, 0, 1 },
		{ 200, 0, 0, 1 },    { 0, 200, 0, 1 },      { 0, 0, 0, -1 },
		{ NAN, 0, 0, 1 },    { 0, 0, 0, INFINITY }, { 0, 0, 0, 0 },
	};
	const uint32_t want[] = {
		0,
		0,
		GC_OUT_NEAR,
		GC_OUT_FAR,
		GC_OUT_LEFT,
		GC_OUT_ABOVE,
		GC_OUT_RIGHT | GC_OUT_BAND_RIGHT,
		GC_OUT_ABOVE | GC_OUT_BAND_TOP, /* y goes down on the screen */
	};

	for (unsigned int i = 0; i < 8; i++)
		CHECK_EQ(gc_vertex_outcode(&vp, clip[i]), want[i]);
	CHECK(gc_vertex_outcode(&vp, clip[8]) & GC_OUT_W);
	CHECK(gc_vertex_outcode(&vp, clip[9]) & GC_OUT_BROKEN);
	CHECK(gc_vertex_outcode(&vp, clip[10]) & GC_OUT_BROKEN);
	CHECK(gc_vertex_outcode(&vp, clip[11]) & GC_OUT_W);
}

/* Exactly on the guard band's edge, and one float step outside of it. */
TEST(guard_band_edge)
{
	struct gc_viewport vp = viewport(false);
	float in = GC_GUARD_BAND / 256.0f, out = nextafterf(in, INFINITY);
	struct gc_vertex v;

	vp.scale[0] = 256.0f;
	vp.offset[0] = 0.0f;
	v = vertex(&vp, in, 0, 0, 1);

	CHECK(!(v.outcode & GC_OUT_CLIPPED));
	CHECK_EQ(v.x, GC_GUARD_BAND * GC_SUBPIXELS);
	CHECK(gc_vertex_outcode(&vp, (float[]){ out, 0, 0, 1 }) & GC_OUT_BAND_RIGHT);
	v = vertex(&vp, -in, 0, 0, 1);
	CHECK(!(v.outcode & GC_OUT_CLIPPED));
	CHECK_EQ(v.x, -GC_GUARD_BAND * GC_SUBPIXELS);
}

/* Between the near and the far plane, by @margin; the view's other sides do not cut. */
static bool inside_volume(const double p[4], double margin)
{
	return p[3] > margin && p[2] >= -p[3] + margin && p[2] <= p[3] - margin;
}

/* Signed distance of (x, y) from the edge a-b in the window. */
static double side(const struct gc_vertex *a, const struct gc_vertex *b, double x, double y)
{
	double dx = b->window[0] - a->window[0], dy = b->window[1] - a->window[1];

	return (dx * (y - a->window[1]) - dy * (x - a->window[0])) / (hypot(dx, dy) + 1e-9);
}

/* Twice the signed area. */
static double orientation(const struct gc_clip_polygon *p)
{
	double sum = 0;

	for (unsigned int i = 0; i < p->count; i++) {
		const struct gc_vertex *a = p->vertex[i], *b = p->vertex[(i + 1) % p->count];

		sum += (double)a->window[0] * b->window[1] - (double)b->window[0] * a->window[1];
	}
	return sum;
}

static bool in_polygon(const struct gc_clip_polygon *p, double x, double y, double slack)
{
	double turn = orientation(p) < 0 ? -1.0 : 1.0;

	for (unsigned int i = 0; i < p->count; i++)
		if (turn * side(p->vertex[i], p->vertex[(i + 1) % p->count], x, y) < -slack)
			return false;
	return true;
}

/*
 * Points of the triangle by barycentric coordinates: what lies in the volume projects into the
 * polygon, and what lies outside of it, in front of the eye, does not.
 */
TEST(polygon_is_the_visible_part)
{
	struct gc_viewport vp = viewport(false);
	static struct gc_clip_polygon polygon;
	unsigned int seen = 0, hidden = 0;

	for (unsigned int n = 0; n < 3000; n++) {
		struct gc_vertex a = random_vertex(&vp), b = random_vertex(&vp),
				 c = random_vertex(&vp);
		const struct gc_vertex *v[3] = { &a, &b, &c };

		gc_clip_triangle(&vp, v, COMPONENTS, &polygon);
		for (unsigned int k = 0; k < 20; k++) {
			double u = random_unit(), t = random_unit() * (1 - u), s = 1 - u - t;
			double p[4], x, y;

			for (unsigned int i = 0; i < 4; i++)
				p[i] = u * a.clip[i] + t * b.clip[i] + s * c.clip[i];
			if (fabs(p[3]) < 0.05) /* may be beyond the guard band, which cuts */
				continue;
			x = p[0] / p[3] * 320 + 320;
			y = p[1] / p[3] * -216 + 216;
			if (inside_volume(p, 1e-3)) {
				CHECK(polygon.count >= 3);
				CHECK(in_polygon(&polygon, x, y, 0.05));
				seen++;
			} else if (p[3] > 0 && !inside_volume(p, -1e-3)) {
				CHECK(!polygon.count || !in_polygon(&polygon, x, y, -0.05));
				hidden++;
			}
		}
		CHECK(polygon.count <= GC_CLIP_MAX_VERTICES);
	}
	CHECK(seen > 5000 && hidden > 5000);
}

/*
 * The polygon's vertices lie in the volume, and their varyings are the triangle's at their
 * positions.
 */
TEST(cut_vertices_lie_on_the_triangle)
{
	struct gc_viewport vp = viewport(false);
	static struct gc_clip_polygon polygon;
	unsigned int cut = 0;

	for (unsigned int n = 0; n < 3000; n++) {
		struct gc_vertex a = random_vertex(&vp), b = random_vertex(&vp),
				 c = random_vertex(&vp);
		const struct gc_vertex *v[3] = { &a, &b, &c };

		/* varyings linear in clip space */
		for (unsigned int i = 0; i < 3; i++) {
			float *f = ((struct gc_vertex *)v[i])->varying;
			const float *p = v[i]->clip;

			f[0] = p[0] + 2 * p[1];
			f[1] = p[2] - p[3];
			f[2] = 5;
		}
		gc_clip_triangle(&vp, v, COMPONENTS, &polygon);
		cut += polygon.count && polygon.made;
		for (unsigned int i = 0; i < polygon.count; i++) {
			const struct gc_vertex *m = polygon.vertex[i];
			const float *p = m->clip;

			CHECK(p[3] > 0);
			CHECK(p[2] >= -p[3] - 1e-5 && p[2] <= p[3] + 1e-5);
			CHECK(fabsf(m->window[0]) <= GC_GUARD_BAND * 1.0001);
			CHECK(fabsf(m->window[1]) <= GC_GUARD_BAND * 1.0001);
			CHECK_NEAR(m->varying[0], p[0] + 2.0 * p[1], 2e-5);
			CHECK_NEAR(m->varying[1], (double)p[2] - p[3], 2e-5);
			CHECK_NEAR(m->varying[2], 5.0, 1e-6);
		}
	}
	CHECK(cut > 1000);
}

TEST(triangles_that_need_no_cut_stay)
{
	struct gc_viewport vp = viewport(false);
	static struct gc_clip_polygon polygon;
	struct gc_vertex a = vertex(&vp, -2, 0, 0, 1), b = vertex(&vp, 5, 0, 0, 1),
			 c = vertex(&vp, 0, 9, 0, 1);

	gc_clip_triangle(&vp, (const struct gc_vertex *[]){ &a, &b, &c }, COMPONENTS, &polygon);
	CHECK_EQ(polygon.count, 3);
	CHECK_EQ(polygon.made, 0); /* outside of the view, inside the guard band */
	CHECK(polygon.vertex[0] == &a && polygon.vertex[1] == &b && polygon.vertex[2] == &c);
}

static bool has_vertex(const struct gc_clip_polygon *p, const struct gc_vertex *v)
{
	for (unsigned int i = 0; i < p->count; i++)
		if (!memcmp(p->vertex[i]->clip, v->clip, sizeof(v->clip)) &&
		    p->vertex[i]->x == v->x && p->vertex[i]->y == v->y)
			return true;
	return false;
}

/*
 * Both triangles at an edge get a bit-identical new vertex where the near plane cuts it, whatever their
 * winding.
 */
TEST(shared_edges_are_cut_alike)
{
	struct gc_viewport vp = viewport(false);
	static struct gc_clip_polygon left, right;

	for (unsigned int n = 0; n < 2000; n++) {
		struct gc_vertex a = vertex(&vp, random_in(-1, 1), random_in(-1, 1), 0, 1);
		struct gc_vertex b = vertex(&vp, random_in(-1, 1), random_in(-1, 1), -3, -1);
		struct gc_vertex c = vertex(&vp, random_in(-1, 1), random_in(-1, 1), 0, 1);
		struct gc_vertex d = vertex(&vp, random_in(-1, 1), random_in(-1, 1), 0, 1);
		unsigned int cuts = 0;

		gc_clip_triangle(&vp, (const struct gc_vertex *[]){ &a, &b, &c }, COMPONENTS,
				 &left);
		gc_clip_triangle(&vp, (const struct gc_vertex *[]){ &b, &a, &d }, COMPONENTS,
				 &right);
		for (unsigned int i = 0; i < left.made; i++)
			cuts += has_vertex(&right, &left.pool[i]);
		CHECK_EQ(cuts, 1);
	}
}

TEST(huge_and_broken_positions)
{
	struct gc_viewport vp = viewport(false);
	static struct gc_clip_polygon polygon;
	static const float values[] = { 0.0f,   1.0f,  -1.0f,  1e-30f, 1e30f,
					-1e30f, 3e38f, -3e38f, 1e-38f };

	for (unsigned int n = 0; n < 20000; n++) {
		struct gc_vertex v[3];

		for (unsigned int i = 0; i < 3; i++) {
			float p[4];

			for (unsigned int k = 0; k < 4; k++)
				p[k] = values[(unsigned int)(random_unit() * 9)];
			v[i] = vertex(&vp, p[0], p[1], p[2], p[3]);
		}
		gc_clip_triangle(&vp, (const struct gc_vertex *[]){ &v[0], &v[1], &v[2] },
				 COMPONENTS, &polygon);
		CHECK(polygon.count == 0 ||
		      (polygon.count >= 3 && polygon.count <= GC_CLIP_MAX_VERTICES));
		for (unsigned int i = 0; i < polygon.count; i++) {
			CHECK(abs(polygon.vertex[i]->x) <= GC_GUARD_BAND * GC_SUBPIXELS);
			CHECK(abs(polygon.vertex[i]->y) <= GC_GUARD_BAND * GC_SUBPIXELS);
		}
	}
}

TEST(lines)
{
	struct gc_viewport vp = viewport(false);
	struct gc_vertex out[2];

	for (unsigned int n = 0; n < 3000; n++) {
		struct gc_vertex a = random_vertex(&vp), b = random_vertex(&vp);
		const struct gc_vertex *v[2] = { &a, &b };
		bool left, visible = false;

		for (unsigned int i = 0; i < 3; i++) {
			a.varying[i] = a.clip[i];
			b.varying[i] = b.clip[i];
		}
		left = gc_clip_line(&vp, v, COMPONENTS, out);
		for (unsigned int k = 0; k <= 50; k++) {
			double p[4];

			for (unsigned int i = 0; i < 4; i++)
				p[i] = a.clip[i] + k / 50.0 * (b.clip[i] - a.clip[i]);
			visible |= inside_volume(p, 1e-4) && fabs(p[0]) < 90 * p[3] &&
				   fabs(p[1]) < 90 * p[3]; /* the guard band cuts too */
		}
		CHECK(left || !visible);
		if (!left)
			continue;
		for (unsigned int i = 0; i < 2; i++) {
			CHECK(out[i].clip[2] >= -out[i].clip[3] - 1e-5);
			CHECK(out[i].clip[2] <= out[i].clip[3] + 1e-5);
			CHECK_NEAR(out[i].varying[0], out[i].clip[0], 1e-5);
		}
	}
}

/*
 * A random component of a clip position: ordinary, at an edge of the view or one float step from
 * it, between two sixteenths of a pixel, or special.
 */
static float position_number(float w)
{
	static const float odd[] = { 0.0f,     -0.0f,     1e-30f,      -1e-30f,   1e-40f,
				     INFINITY, -INFINITY, NAN,         FLT_MAX,   -FLT_MAX,
				     FLT_MIN,  1.0f,      0.49999997f, -0.500001f };

	switch ((unsigned int)random_in(0, 8)) {
	case 0:
		return random_unit() < 0.5 ? w : -w;
	case 1:
		return nextafterf(random_unit() < 0.5 ? w : -w, random_unit() < 0.5 ? 0 : INFINITY);
	case 2:
		return odd[(unsigned int)random_in(0, sizeof(odd) / sizeof(odd[0]))];
	case 3:
		return w * (float)((int)random_in(-10240, 10240) + 0.5f) / 10240.0f;
	default:
		return w * random_in(-1.1, 1.1);
	}
}

static uint32_t word_of(float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof(word));
	return word;
}

/*
 * Random lanes: those marked as in view, whose number is added to @in_view, are as vertices one by one; of
 * others nothing is used.
 */
static void check_lanes(const struct gc_viewport *vp, unsigned int count, unsigned int *in_view)
{
	struct gc_vec4 clip;
	struct gc_projection projection;

	for (unsigned int lane = 0; lane < GC_LANES; lane++) {
		float w = random_unit() < 0.9 ? random_in(0.01, 50) : position_number(1.0f);

		for (unsigned int i = 0; i < 3; i++)
			clip.c[i].f[lane] = position_number(w);
		clip.c[3].f[lane] = w;
	}
	memset(&projection, 0xaa, sizeof(projection));
	gc_project_lanes(vp, &clip, count, &projection);
	for (unsigned int lane = 0; lane < count; lane++) {
		struct gc_vertex want = { 0 };

		for (unsigned int i = 0; i < 4; i++)
			want.clip[i] = clip.c[i].f[lane];
		want.outcode = gc_vertex_outcode(vp, want.clip);
		if (!(want.outcode & GC_OUT_CLIPPED))
			gc_vertex_project(vp, &want);
		if (!projection.in_view.i[lane])
			continue;
		++*in_view;
		for (unsigned int i = 0; i < 4; i++)
			CHECK_EQ(projection.window[i].u[lane], word_of(want.window[i]));
		CHECK_EQ(want.outcode, 0);
		CHECK_EQ(projection.x.i[lane], want.x);
		CHECK_EQ(projection.y.i[lane], want.y);
	}
}

/*
 * Lanes in view get the same bits as vertex by vertex, with both kinds of depth; of viewports
 * beyond half of the guard band (view_in_band) no lane is in view.
 */
TEST(batches_are_projected_alike)
{
	unsigned int in_view = 0;

	for (unsigned int round = 0; round < 2000; round++) {
		struct gc_viewport vp = viewport(round % 2);
		unsigned int before = in_view;

		if (round % 5 == 0)
			vp.scale[0] = 1e-3f;
		if (round % 7 == 0)
			gc_viewport_set(&vp, (float[3]){ 9000, 5, 1 }, (float[3]){ 9000, 7, 0 },
					false, 0);
		vp.integer_centers = round % 3 == 0;
		check_lanes(&vp, round % GC_LANES + 1, &in_view);
		CHECK(in_view == before || round % 7);
	}
	CHECK(in_view > 5000);
}

int main(void)
{
	return test_all();
}
