// SPDX-License-Identifier: MIT
/*
 * Colour: from the shader's registers to the render targets. A target that is
 * written whole, without blending, is packed once a batch and stored; all
 * others go run by run and read what is there first.
 */
#include <string.h>

#include "gc/pe_internal.h"
#include "hw/state_3d.xml.h"

/* Rounding offsets of each lane, for dithering. */
static void lane_bias(const struct gc_pixel_engine *pe, const struct gc_quads *quads, float *bias)
{
	for (unsigned int q = 0; q < quads->count; q++) {
		const struct gc_quad *quad = &quads->quad[q];

		for (unsigned int p = 0; p < 4; p++)
			bias[4 * q + p] = pe->dither_bias[((quad->y + (p >> 1)) & 3) * 4 +
							  ((quad->x + (p & 1)) & 3)];
	}
}

static void clamp_lanes(const struct gc_vec4 *in, unsigned int lanes, struct gc_vec4 *out)
{
	for (unsigned int c = 0; c < 4; c++) {
		for (unsigned int i = 0; i < lanes; i++) {
			float v = in->c[c].f[i];

			v = v > 0.0f ? v : 0.0f;
			out->c[c].f[i] = v < 1.0f ? v : 1.0f;
		}
	}
}

static void pack(const struct pe_target *t, struct gc_vec4 *color, unsigned int lanes,
		 const float *bias, struct gc_pixels *out)
{
	if (t->srgb) {
		clamp_lanes(color, lanes, color);
		gc_format_srgb_encode(color, lanes);
	}
	gc_format_pack(t->format, color, lanes, bias, out);
}

/* What one call of gc_pe_color_target() works with. */
struct color_job {
	struct pe_target *target;
	const struct gc_quads *quads;
	unsigned int lanes;           /* multiple of 16 */
	const float *bias;            /* NULL without dithering */
	struct gc_vec4 source;        /* ready for blending */
	struct gc_pixels packed;      /* of targets that don't blend */
	struct pe_traffic traffic;
};

/* The pixels of the run as they will be, given what @old memory holds. */
static void blend_pixels(const struct color_job *job, const struct pe_run *run,
			 const struct gc_pixels *old, struct gc_pixels *out)
{
	const struct pe_target *t = job->target;
	struct gc_vec4 destination;

	gc_format_unpack(t->format, old, job->lanes, &destination);
	if (t->srgb)
		gc_format_srgb_decode(&destination, job->lanes);
	pe_blend_lanes(&t->blend, &job->source, 4 * run->first, 4 * run->count, &destination);
	pack(t, &destination, job->lanes, job->bias, out);
}

static void keep_masked(const struct pe_target *t, const struct gc_pixels *old,
			struct gc_pixels *out)
{
	const uint32_t lo = t->mask[0], hi = t->mask[1];

	for (unsigned int i = 0; i < GC_LANES; i++) {
		out->lo[i] = (out->lo[i] & lo) | (old->lo[i] & ~lo);
		out->hi[i] = (out->hi[i] & hi) | (old->hi[i] & ~hi);
	}
}

static void update_sample(const struct gc_pixel_engine *pe, const struct color_job *job,
			  const struct pe_run *run, unsigned int s)
{
	const struct pe_target *t = job->target;
	uint64_t covered = pe_run_coverage(job->quads, run, s);
	struct gc_pixels old, out;

	if (!covered)
		return;
	memset(&old, 0, sizeof(old));
	pe_run_gather(run, &pe->samples, t->format->bytes, s, &old);
	if (t->blend.on)
		blend_pixels(job, run, &old, &out);
	else
		out = job->packed;
	if (t->logic_op != LOGIC_OP_COPY)
		pe_logic_lanes(t->logic_op, &old, job->lanes, &out);
	if (!t->whole)
		keep_masked(t, &old, &out);
	pe_run_scatter(run, &pe->samples, t->format->bytes, s, covered, &out);
}

static uint64_t any_coverage(const struct gc_quads *quads, const struct pe_run *run)
{
	uint64_t lanes = 0;

	for (unsigned int s = 0; s < GC_MAX_SAMPLES; s++)
		lanes |= pe_run_coverage(quads, run, s);
	return lanes;
}

static bool color_run(struct gc_core *gc, struct color_job *job, struct pe_run *run)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_target *t = job->target;

	if (!pe_run_locate(gc, &t->surface, job->quads, run, &job->traffic))
		return false;
	for (unsigned int s = 0; s < pe->samples.count; s++) {
		if (t->needs_old)
			update_sample(pe, job, run, s);
		else
			pe_run_scatter(run, &pe->samples, t->format->bytes, s,
				       pe_run_coverage(job->quads, run, s), &job->packed);
	}
	pe_run_wrote(&t->surface, &pe->samples, run, any_coverage(job->quads, run), &job->traffic);
	return true;
}

static void prepare(struct color_job *job, const struct gc_vec4 *color)
{
	const struct pe_target *t = job->target;

	if (t->blend.on && t->format->kind == GC_FORMAT_UNORM) {
		clamp_lanes(color, job->lanes, &job->source);
	} else if (t->blend.on) {
		job->source = *color;
	} else if (t->srgb) {
		job->source = *color;
		pack(t, &job->source, job->lanes, job->bias, &job->packed);
	} else {
		gc_format_pack(t->format, color, job->lanes, job->bias, &job->packed);
	}
}

static void count_drawn(struct gc_core *gc, const struct gc_quads *quads)
{
	struct pe_run all = { .first = 0, .count = quads->count };

	gc->counters.pe_drawn_by_color +=
		(unsigned int)__builtin_popcountll(any_coverage(quads, &all));
}

static void report(struct gc_core *gc, const struct pe_traffic *traffic)
{
	gc->work.color_read_bytes += traffic->read_bytes;
	gc->work.color_write_bytes += traffic->write_bytes;
	gc->counters.pe_read_bytes += traffic->read_bytes;
	gc->counters.pe_write_bytes += traffic->write_bytes;
}

bool gc_pe_color_target(struct gc_core *gc, unsigned int target, const struct gc_quads *quads,
			const struct gc_vec4 *color)
{
	struct gc_pixel_engine *pe = gc->pe;
	float bias[GC_LANES] __attribute__((aligned(64))) = { 0 };
	struct color_job job;
	struct pe_run run;
	bool ok = true;

	if (target >= pe->targets || !pe->target[target].on || !quads->count)
		return true;
	job.target = &pe->target[target];
	job.quads = quads;
	job.lanes = (4 * quads->count + 15) & ~15u;
	job.bias = pe->dither ? bias : NULL;
	job.traffic = (struct pe_traffic){ 0, 0 };
	if (pe->dither)
		lane_bias(pe, quads, bias);
	prepare(&job, color);
	for (run.first = 0; ok && run.first < quads->count; run.first += run.count) {
		run.count = job.target->needs_old ? pe_run_length(quads, run.first) : quads->count;
		ok = color_run(gc, &job, &run);
	}
	if (target == 0)
		count_drawn(gc, quads);
	report(gc, &job.traffic);
	return ok;
}

bool gc_pe_color(struct gc_core *gc, const struct gc_quads *quads, const struct gc_vec4 *color)
{
	return gc_pe_color_target(gc, 0, quads, color);
}

/* The value that an alpha test compares: [chosen] as precise as the reference is. */
static uint32_t alpha_value(const struct pe_alpha_test *test, float alpha)
{
	alpha = alpha > 0.0f ? alpha : 0.0f;
	alpha = alpha < 1.0f ? alpha : 1.0f;
	return test->half ? gc_half_from_float(alpha) : (uint32_t)(alpha * 255.0f + 0.5f);
}

void gc_pe_alpha(struct gc_core *gc, struct gc_quads *quads, const struct gc_vec4 *color)
{
	const struct pe_alpha_test *test = &gc->pe->alpha;

	if (!test->on)
		return;
	for (unsigned int q = 0; q < quads->count; q++) {
		for (unsigned int p = 0; p < 4; p++) {
			uint16_t pixel = (uint16_t)(0x1111u << p);
			float alpha = color->c[3].f[4 * q + p];

			if (!(quads->quad[q].coverage & pixel) ||
			    pe_compare(test->func, alpha_value(test, alpha), test->ref))
				continue;
			quads->quad[q].coverage &= (uint16_t)~pixel;
			gc->counters.pe_killed_by_color++;
		}
	}
}
