// SPDX-License-Identifier: MIT
/*
 * Where a lookup samples: cube faces, array layers, derivatives in quads, level of detail
 * (OpenGL ES 3.2, 8.14 "Texture Minification").
 *
 * What the specification leaves open is done as in llvmpipe: derivatives are those of a quad's
 * first pixel, rho is the length of the longer gradient, and its logarithm is approximated
 * linearly between powers of two.
 */
#include "gc/tx.h"
#include "gc/float_bits.h"

#include <math.h>
#include <string.h>

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"

/* log2, exact at powers of two, at most 0.086 too small between them. */
static float coarse_log2(float x)
{
	uint32_t bits = float_bits(x);
	int exponent = (int)(bits >> 23 & 255) - 127;
	float mantissa = bits_float((bits & 0x7fffff) | 0x3f800000);

	return (float)exponent + (mantissa - 1.0f);
}

/* Components of a direction along a face's s and t axes, with signs. */
struct face_axes {
	int major, s, t;
	int major_sign, s_sign, t_sign;
};

/* OpenGL ES 3.2, table 8.25 */
static const struct face_axes faces[6] = {
	[TEXTURE_FACE_POS_X] = { 0, 2, 1, 1, -1, -1 },
	[TEXTURE_FACE_NEG_X] = { 0, 2, 1, -1, 1, -1 },
	[TEXTURE_FACE_POS_Y] = { 1, 0, 2, 1, 1, 1 },
	[TEXTURE_FACE_NEG_Y] = { 1, 0, 2, -1, 1, -1 },
	[TEXTURE_FACE_POS_Z] = { 2, 0, 1, 1, 1, -1 },
	[TEXTURE_FACE_NEG_Z] = { 2, 0, 1, -1, -1, -1 },
};

/* With equal components z is preferred to y, and y to x. */
static int select_face(const float dir[3])
{
	float x = fabsf(dir[0]), y = fabsf(dir[1]), z = fabsf(dir[2]);

	if (z >= fmaxf(x, y))
		return signbit(dir[2]) ? TEXTURE_FACE_NEG_Z : TEXTURE_FACE_POS_Z;
	if (x > y)
		return signbit(dir[0]) ? TEXTURE_FACE_NEG_X : TEXTURE_FACE_POS_X;
	return signbit(dir[1]) ? TEXTURE_FACE_NEG_Y : TEXTURE_FACE_POS_Y;
}

int tx_cube_project(const float dir[3], float st[2])
{
	int face = select_face(dir);
	const struct face_axes *a = &faces[face];
	float half = 0.5f / fabsf(dir[a->major]);

	st[0] = dir[a->s] * (float)a->s_sign * half + 0.5f;
	st[1] = dir[a->t] * (float)a->t_sign * half + 0.5f;
	return face;
}

int tx_cube_neighbour(int face, int32_t size, int32_t *x, int32_t *y)
{
	const struct face_axes *from = &faces[face], *to;
	bool across_s = *x < 0 || *x >= size;
	int32_t dir[3];

	/* texel centre in half texels, relative to the face's centre */
	dir[from->s] = (2 * *x + 1 - size) * from->s_sign;
	dir[from->t] = (2 * *y + 1 - size) * from->t_sign;
	/* the old face's plane contains the outermost texels of the new face */
	dir[from->major] = (size - 1) * from->major_sign;
	/* TEXTURE_FACE_* are the positive and the negative face of each axis in turn */
	face = 2 * (across_s ? from->s : from->t);
	if (dir[face / 2] < 0)
		face++;
	to = &faces[face];
	*x = (dir[to->s] * to->s_sign + size - 1) / 2;
	*y = (dir[to->t] * to->t_sign + size - 1) / 2;
	return face;
}

/*
 * Derivative of the position on the face, by the quotient rule; negated on negative faces, which
 * changes neither its length nor the set of probes along it.
 */
static void cube_gradient(const float dir[3], const float d[3], float st[2])
{
	const struct face_axes *a = &faces[select_face(dir)];
	float inverse = 1.0f / dir[a->major];
	float half = 0.5f * inverse;
	float major = d[a->major] * inverse;

	st[0] = (d[a->s] - major * dir[a->s]) * (float)a->s_sign * half;
	st[1] = (d[a->t] - major * dir[a->t]) * (float)a->t_sign * half;
}

static inline float lane(const union gc_lanes *lanes, unsigned int i)
{
	return lanes ? lanes->f[i] : 0.0f;
}

static void direction(const struct gc_texture_request *q, unsigned int i, float dir[3])
{
	for (int c = 0; c < 3; c++)
		dir[c] = lane(q->coord[c], i);
}

/* Change of the coordinates per pixel, in the request's unit or in texels of level 0. */
struct gradient {
	float x[3], y[3];
};

/* Derivatives of the request's coordinates at lane @i, in its unit, as given or between pixels. */
static void raw_gradient(const struct gc_texture_request *q, unsigned int i, struct gradient *g)
{
	unsigned int first = i & ~3u;

	for (int c = 0; c < 3; c++) {
		if (q->mode == GC_TEX_GRADIENT) {
			g->x[c] = lane(q->ddx[c], i);
			g->y[c] = lane(q->ddy[c], i);
		} else {
			float origin = lane(q->coord[c], first);

			g->x[c] = lane(q->coord[c], first + 1) - origin;
			g->y[c] = lane(q->coord[c], first + 2) - origin;
		}
	}
}

/* Derivatives of the position in the texture or on the face, in texels of level 0 */
static void find_gradient(const struct tx_sampler *s, const struct gc_texture_request *q,
			  unsigned int i, struct gradient *g)
{
	raw_gradient(q, i, g);
	if (s->type == TEXTURE_TYPE_CUBE_MAP) {
		struct gradient raw = *g;
		float dir[3];

		direction(q, q->mode == GC_TEX_GRADIENT ? i : i & ~3u, dir);
		cube_gradient(dir, raw.x, g->x);
		cube_gradient(dir, raw.y, g->y);
	}
	for (unsigned int c = 0; c < s->filtered_dims; c++) {
		g->x[c] *= s->level[0].fsize[c];
		g->y[c] *= s->level[0].fsize[c];
	}
}

static float squared_length(const float v[3], unsigned int dims)
{
	float sum = v[0] * v[0];

	for (unsigned int c = 1; c < dims; c++)
		sum += v[c] * v[c];
	return sum;
}

static float lambda_of(float rho_squared)
{
	return isnan(rho_squared) ? 0.0f : 0.5f * coarse_log2(rho_squared);
}

/*
 * Anisotropy: the number of probes is the ratio of the longer to the shorter gradient; the
 * level of detail is that of one probe's part of the longer one. to->step is set if there are
 * several. Anisotropic samplers have two filtered dimensions (decode_filter() in tx_state.c).
 */
static float anisotropic_lambda(const struct tx_sampler *s, const struct gradient *g,
				struct tx_lookup *to, unsigned int i)
{
	float x2 = squared_length(g->x, 2), y2 = squared_length(g->y, 2);
	const float *major = x2 >= y2 ? g->x : g->y;
	float max2 = fmaxf(x2, y2), min2 = fminf(x2, y2);
	float ratio = min2 > 0.0f ? sqrtf(max2 / min2) : s->anisotropy;
	float probes = ceilf(fminf(ratio, s->anisotropy));

	to->probes[i] = 1;
	if (!(max2 > 1.0f) || !isfinite(max2) || !(probes > 1.0f))
		return lambda_of(max2);
	to->probes[i] = (uint8_t)probes;
	for (int c = 0; c < 2; c++)
		to->step[c][i] = major[c] / s->level[0].fsize[c] / probes;
	return lambda_of(max2 / (probes * probes));
}

static float lambda(const struct tx_sampler *s, const struct gc_texture_request *q,
		    struct tx_lookup *to, unsigned int i)
{
	struct gradient g;
	float x2, y2;

	if (q->mode == GC_TEX_LOD)
		return lane(q->lod, i);
	if (q->mode != GC_TEX_GRADIENT && !q->pixel_stage)
		return 0.0f;
	find_gradient(s, q, i, &g);
	if (s->anisotropy > 1.0f)
		return anisotropic_lambda(s, &g, to, i);
	x2 = squared_length(g.x, s->filtered_dims);
	y2 = squared_length(g.y, s->filtered_dims);
	return lambda_of(x2 > y2 ? x2 : y2);
}

/* Level, filter, and weight of the next level. */
struct choice {
	uint8_t level;
	bool linear;
	float blend;
};

/*
 * @lod: from clamp_lod(), so at most TX_LEVELS - 1, as lod_max is: the next level exists where
 * blend is not 0
 */
static struct choice choose(const struct tx_sampler *s, float lod)
{
	/* lod_max 1/32, the smallest above 0, only allows the minification filter on level 0 */
	float at = s->lod_max <= 1.0f / 32.0f ? 0.0f : lod;
	struct choice to = { .linear = (lod > 0.0f ? s->min : s->mag) >= TEXTURE_FILTER_LINEAR };

	switch (s->mip) {
	case TEXTURE_FILTER_NONE:
		to.level = (uint8_t)s->lod_min;
		break;
	case TEXTURE_FILTER_NEAREST:
		to.level = at > 0.5f ? (uint8_t)(ceilf(at + 0.5f) - 1.0f) : 0;
		break;
	default:
		to.level = (uint8_t)at;
		to.blend = at - (float)to.level;
		break;
	}
	return to;
}

static void set_choice(struct tx_lookup *to, unsigned int i, const struct choice *c)
{
	to->level[i] = c->level;
	to->blend.f[i] = c->blend;
	to->linear |= (uint64_t)c->linear << i;
	to->blended |= (uint64_t)(c->blend > 0.0f) << i;
}

static float clamp_lod(const struct tx_sampler *s, float lod)
{
	if (!(lod > s->lod_min))
		return s->lod_min;
	return lod < s->lod_max ? lod : s->lod_max;
}

static int32_t select_layer(const struct tx_sampler *s, float coord)
{
	float layer = floorf(coord + 0.5f);

	if (!(layer > 0.0f))
		return 0;
	return layer < (float)s->layers ? (int32_t)layer : s->layers - 1;
}

static void project_on_cube(const struct gc_texture_request *q, struct tx_lookup *to)
{
	float dir[3], st[2];

	for (unsigned int i = 0; i < GC_LANES; i++) {
		direction(q, i, dir);
		to->layer.i[i] = tx_cube_project(dir, st);
		to->coord[0].f[i] = st[0];
		to->coord[1].f[i] = st[1];
	}
}

static void project_coord(const struct tx_sampler *s, const struct gc_texture_request *q,
			  struct tx_lookup *to)
{
	static const union gc_lanes zero;
	const union gc_lanes *layer;

	if (s->type == TEXTURE_TYPE_CUBE_MAP) {
		project_on_cube(q, to);
		return;
	}
	for (unsigned int c = 0; c < s->filtered_dims; c++)
		to->coord[c] = q->coord[c] ? *q->coord[c] : zero;
	to->layer = zero;
	if (!s->array)
		return;
	layer = q->coord[s->filtered_dims];
	for (unsigned int i = 0; i < GC_LANES; i++)
		to->layer.i[i] = select_layer(s, lane(layer, i));
}

/*
 * Whether all lanes get the same level and filter, whatever the coordinates. If so, there is one
 * probe, also for anisotropic samplers.
 */
static bool lod_is_constant(const struct tx_sampler *s)
{
	bool one_filter = s->min == s->mag && s->anisotropy <= 1.0f;

	return s->lod_min >= s->lod_max || (one_filter && s->mip == TEXTURE_FILTER_NONE);
}

static void choose_constant(const struct tx_sampler *s, struct tx_lookup *to)
{
	struct choice c = choose(s, s->lod_min);

	memset(to->level, c.level, sizeof(to->level));
	for (unsigned int i = 0; i < GC_LANES; i++)
		to->blend.f[i] = c.blend;
	to->linear = c.linear ? UINT64_MAX : 0;
	to->blended = c.blend > 0.0f ? UINT64_MAX : 0;
}

/* One level of detail for each quad. */
static void choose_quads(const struct tx_sampler *s, const struct gc_texture_request *q,
			 struct tx_lookup *to)
{
	for (unsigned int i = 0; i < GC_LANES; i += 4) {
		float lod = lambda(s, q, to, i);
		struct choice c = choose(s, clamp_lod(s, lod + s->lod_bias));

		for (unsigned int k = 0; k < 4; k++)
			set_choice(to, i + k, &c);
		for (unsigned int k = 1; s->anisotropy > 1.0f && k < 4; k++) {
			to->probes[i + k] = to->probes[i];
			to->step[0][i + k] = to->step[0][i];
			to->step[1][i + k] = to->step[1][i];
		}
	}
}

/*
 * Each lane has its own level of detail, derivatives or bias, or it is a vertex. With a bias, lod
 * is computed for the first lane of each quad only, but with anisotropy for all, for their probes.
 */
static void choose_lanes(const struct tx_sampler *s, const struct gc_texture_request *q,
			 struct tx_lookup *to)
{
	float lod = 0.0f;

	for (unsigned int i = 0; i < GC_LANES; i++) {
		bool biased = q->mode == GC_TEX_BIAS;
		struct choice c;

		/* the bias is added to the quad's level of detail */
		if (!biased || !(i & 3) || s->anisotropy > 1.0f)
			lod = lambda(s, q, to, i) + s->lod_bias;
		c = choose(s, clamp_lod(s, biased ? lod + lane(q->lod, i) : lod));
		set_choice(to, i, &c);
	}
}

static bool is_uniform(const struct tx_lookup *to)
{
	uint8_t first[GC_LANES];

	if (to->blended && ~to->blended)
		return false;
	memset(first, to->level[0], sizeof(first));
	return !memcmp(to->level, first, sizeof(first));
}

void tx_prepare(const struct tx_sampler *s, const struct gc_texture_request *q,
		struct tx_lookup *to)
{
	project_coord(s, q, to);
	memset(to->probes, 1, sizeof(to->probes));
	to->linear = to->blended = 0;
	if (lod_is_constant(s))
		choose_constant(s, to);
	else if (q->mode == GC_TEX_IMPLICIT && q->pixel_stage)
		choose_quads(s, q, to);
	else
		choose_lanes(s, q, to);
	to->uniform = is_uniform(to);
}
