// SPDX-License-Identifier: MIT
/*
 * Colour: from the shader's registers to the render targets. For each target a writer is chosen
 * once per draw, by pe_choose_writer(). Most targets have 32 bits per pixel, are tiled, and are
 * overwritten or blended with common factors; these have fast writers. The general writer packs
 * a batch once if the target is not read; otherwise it reads, combines and writes run by run.
 * All writers give identical results.
 */
#include <string.h>

#include "gc/pe_internal.h"
#include "hw/state_3d.xml.h"

/* Dithering: rounding offsets of each lane. */
static void lane_bias(const struct gc_pixel_engine *pe, const struct gc_quads *quads, float *bias)
{
	for (unsigned int q = 0; q < quads->count; q++) {
		const struct gc_quad *quad = &quads->quad[q];

		for (unsigned int p = 0; p < 4; p++)
			bias[4 * q + p] = pe->dither_bias[((quad->y + (p >> 1)) & 3) * 4 +
							  ((quad->x + (p & 1)) & 3)];
	}
}

/* Clamp to 0..1. Processes all lanes, since a constant count vectorises. @out may be @in. */
static void clamp_lanes(const struct gc_color *in, struct gc_vec4 *out)
{
	for (unsigned int c = 0; c < 4; c++) {
		for (unsigned int i = 0; i < GC_LANES; i++) {
			float v = in->c[c]->f[i];

			v = v > 0.0f ? v : 0.0f;
			out->c[c].f[i] = v < 1.0f ? v : 1.0f;
		}
	}
}

/* Data of one gc_pe_color_target() call; the arrays are used by the general writer. */
struct pe_job {
	struct gc_pixel_engine *pe;
	struct pe_target *target;
	const struct gc_quads *quads;
	unsigned int lanes;               /* multiple of PE_BLOCK */
	uint64_t covered[GC_MAX_SAMPLES]; /* covered lanes of each sample */
	uint64_t any;                     /* lanes with a covered sample */
	float bias_lanes[GC_LANES] __attribute__((aligned(64)));
	const float *bias;       /* bias_lanes, or NULL without dithering */
	struct gc_vec4 source;   /* operands of blending */
	struct gc_pixels packed; /* used if the target is not blended */
	struct pe_traffic traffic;
};

/* Compute the run's pixels, where memory holds @old. */
static void blend_pixels(const struct pe_job *job, const struct pe_run *run,
			 const struct gc_pixels *old, struct gc_pixels *out)
{
	const struct pe_target *t = job->target;
	unsigned int first = pe_run_first(run), end = pe_run_end(run);
	struct gc_vec4 destination;

	gc_format_unpack(t->format, old, first, end, &destination);
	pe_blend_lanes(&t->blend, &job->source, first, end, &destination);
	gc_format_pack(t->format, &destination, first, end, job->bias, out);
}

static void merge(uint32_t mask, const uint32_t *restrict old, uint32_t *restrict out)
{
	for (unsigned int i = 0; i < PE_BLOCK; i++)
		out[i] = (out[i] & mask) | (old[i] & ~mask);
}

static void keep_masked(const struct pe_target *t, const struct pe_run *run,
			const struct gc_pixels *old, struct gc_pixels *out)
{
	for (unsigned int at = pe_run_first(run); at < pe_run_end(run); at += PE_BLOCK) {
		merge(t->mask[0], old->lo + at, out->lo + at);
		if (t->format->bytes == 8)
			merge(t->mask[1], old->hi + at, out->hi + at);
	}
}

static void update_sample(const struct gc_pixel_engine *pe, const struct pe_job *job,
			  const struct pe_run *run, unsigned int s)
{
	const struct pe_target *t = job->target;
	uint64_t covered = job->covered[s] & pe_run_lanes(run);
	struct gc_pixels old, out;

	if (!covered)
		return;
	pe_run_gather(&t->surface, &pe->samples, run, s, &old);
	if (t->blend.on)
		blend_pixels(job, run, &old, &out);
	else
		out = job->packed;
	if (t->logic_op != LOGIC_OP_COPY)
		pe_logic_lanes(t->logic_op, &old, pe_run_first(run), pe_run_end(run), &out);
	if (!t->whole)
		keep_masked(t, run, &old, &out);
	pe_run_scatter(&t->surface, &pe->samples, run, s, covered, &out);
}

static bool color_run(struct gc_core *gc, struct pe_job *job, struct pe_run *run)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_target *t = job->target;

	if (!pe_run_locate(gc, &t->surface, job->quads, run, &job->traffic))
		return false;
	for (unsigned int s = 0; s < pe->samples.count; s++) {
		if (t->needs_old)
			update_sample(pe, job, run, s);
		else
			pe_run_scatter(&t->surface, &pe->samples, run, s, job->covered[s],
				       &job->packed);
	}
	pe_run_wrote(&t->surface, run, job->any, &job->traffic);
	return true;
}

static void copy_color(const struct gc_color *from, struct gc_vec4 *to)
{
	for (unsigned int c = 0; c < 4; c++)
		to->c[c] = *from->c[c];
}

static void prepare(struct pe_job *job, const struct gc_color *color)
{
	const struct pe_target *t = job->target;

	if (t->blend.on && t->format->kind == GC_FORMAT_UNORM) {
		clamp_lanes(color, &job->source);
	} else if (t->blend.on) {
		copy_color(color, &job->source);
	} else {
		gc_format_pack_color(t->format, color, 0, job->lanes, job->bias, &job->packed);
	}
}

/* The writers */

static void find_bias(struct pe_job *job)
{
	job->bias = NULL;
	if (!job->target->dithered)
		return;
	memset(job->bias_lanes, 0, sizeof(job->bias_lanes));
	lane_bias(job->pe, job->quads, job->bias_lanes);
	job->bias = job->bias_lanes;
}

/* Supports all states. */
static bool write_general(struct gc_core *gc, struct pe_job *job, const struct gc_color *color)
{
	const struct gc_quads *quads = job->quads;
	struct pe_run run;

	find_bias(job);
	prepare(job, color);
	for (run.first = 0; run.first < quads->count; run.first += run.count) {
		run.count = job->target->needs_old
				    ? pe_run_length(quads->quad, run.first, quads->count)
				    : quads->count;
		if (!color_run(gc, job, &run))
			return false;
	}
	return true;
}

static bool write_word_block(struct gc_core *gc, struct pe_target *t, int x, int y,
			     const struct gc_color *color, struct pe_traffic *traffic)
{
	struct gc_pixels packed;
	struct pe_block block;

	if (!pe_block_locate(gc, &t->surface, x, y, &block, traffic))
		return false;
	gc_format_pack_color(t->format, color, 0, GC_LANES, NULL, &packed);
	pe_block_scatter(&block, packed.lo);
	pe_block_wrote(&t->surface, &block, traffic);
	return true;
}

/* 32-bit pixels with one sample, overwritten. */
static bool write_words(struct gc_core *gc, struct pe_job *job, const struct gc_color *color)
{
	struct pe_target *t = job->target;
	struct gc_pixels packed;
	struct pe_run run;

	run.first = 0;
	run.count = job->quads->count;
	if (!pe_run_locate(gc, &t->surface, job->quads, &run, &job->traffic))
		return false;
	gc_format_pack_color(t->format, color, 0, job->lanes, NULL, &packed);
	pe_run_scatter_words(&run, job->any, packed.lo);
	pe_run_wrote(&t->surface, &run, job->any, &job->traffic);
	return true;
}

static bool write_blended_block(struct gc_core *gc, struct pe_target *t, int x, int y,
				const struct gc_color *color, struct pe_traffic *traffic)
{
	uint32_t pixels[GC_LANES] __attribute__((aligned(64)));
	struct pe_block block;

	if (!pe_block_locate(gc, &t->surface, x, y, &block, traffic))
		return false;
	pe_block_gather(&block, pixels);
	t->blender(color, 0, GC_LANES, t->format->pad, pixels, pixels);
	pe_block_scatter(&block, pixels);
	pe_block_wrote(&t->surface, &block, traffic);
	return true;
}

/* 8 bits per channel, one sample, blended by a pe_blender. */
static bool write_blended(struct gc_core *gc, struct pe_job *job, const struct gc_color *color)
{
	struct pe_target *t = job->target;
	uint32_t pixels[GC_LANES] __attribute__((aligned(64))) = { 0 };
	struct pe_run run;

	for (run.first = 0; run.first < job->quads->count; run.first += run.count) {
		run.count = pe_run_length(job->quads->quad, run.first, job->quads->count);
		if (!pe_run_locate(gc, &t->surface, job->quads, &run, &job->traffic))
			return false;
		pe_run_gather_words(&run, pixels);
		t->blender(color, pe_run_first(&run), pe_run_end(&run), t->format->pad, pixels,
			   pixels);
		pe_run_scatter_words(&run, job->any & pe_run_lanes(&run), pixels);
		pe_run_wrote(&t->surface, &run, job->any & pe_run_lanes(&run), &job->traffic);
	}
	return true;
}

/* 32-bit pixels with one sample, of which all bits are written as packed or blended */
static bool is_simple(const struct pe_target *t)
{
	return t->surface.simple && t->format->bytes == 4 && !t->dithered &&
	       t->logic_op == LOGIC_OP_COPY && t->whole;
}

bool pe_can_write_words(const struct pe_target *t)
{
	return is_simple(t) && !t->needs_old;
}

bool pe_can_blend_words(const struct pe_target *t)
{
	return is_simple(t) && t->blend.on && gc_format_is_8888(t->format) &&
	       pe_find_blender(&t->blend);
}

void pe_choose_writer(const struct gc_pixel_engine *pe, struct pe_target *t)
{
	bool words = pe_can_write_words(t);

	t->blender = pe_find_blender(&t->blend);
	t->blocks = !pe->plain && (words || pe_can_blend_words(t));
	t->write = write_general;
	if (CARD_PLAIN || !t->blocks)
		return;
	t->write = words ? write_words : write_blended;
	t->write_block = words ? write_word_block : write_blended_block;
}

void pe_report(struct gc_core *gc, const struct pe_traffic *traffic)
{
	gc->work.color_read_bytes += traffic->read_bytes;
	gc->work.color_write_bytes += traffic->write_bytes;
	gc->work.color_pages += cache_memory_new_pages(&gc->pe->color_cache.memory);
	gc->work.color_walks += cache_memory_new_walks(&gc->pe->color_cache.memory);
	gc->counters.pe_read_bytes += traffic->read_bytes;
	gc->counters.pe_write_bytes += traffic->write_bytes;
}

static void begin_job(struct gc_pixel_engine *pe, struct pe_target *target,
		      const struct gc_quads *quads, struct pe_job *job)
{
	job->pe = pe;
	job->target = target;
	job->quads = quads;
	job->lanes = (4 * quads->count + PE_BLOCK - 1) / PE_BLOCK * PE_BLOCK;
	job->traffic = (struct pe_traffic){ 0, 0 };
	job->any = 0;
	for (unsigned int s = 0; s < pe->samples.count; s++) {
		job->covered[s] = gc_quads_covered(quads, s);
		job->any |= job->covered[s];
	}
}

bool gc_pe_can_write_blocks(const struct gc_core *gc)
{
	const struct gc_pixel_engine *pe = gc->pe;

	for (unsigned int i = 0; i < pe->targets; i++)
		if (pe->target[i].on && !pe->target[i].blocks)
			return false;
	return true;
}

bool gc_pe_color_block(struct gc_core *gc, unsigned int target, int x, int y,
		       const struct gc_color *color)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_target *t = &pe->target[target];
	struct pe_traffic traffic = { 0, 0 };
	bool ok;

	if (target >= pe->targets || !t->on)
		return true;
	ok = t->write_block(gc, t, x, y, color, &traffic);
	if (target == 0)
		gc->counters.pe_drawn_by_color += GC_LANES;
	pe_report(gc, &traffic);
	return ok;
}

bool gc_pe_color_target(struct gc_core *gc, unsigned int target, const struct gc_quads *quads,
			const struct gc_color *color)
{
	struct gc_pixel_engine *pe = gc->pe;
	struct pe_job job;
	bool ok;

	if (target >= pe->targets || !pe->target[target].on || !quads->count)
		return true;
	if (!CARD_PLAIN && quads->block && pe->target[target].blocks)
		return gc_pe_color_block(gc, target, quads->quad[0].x, quads->quad[0].y, color);
	begin_job(pe, &pe->target[target], quads, &job);
	ok = job.target->write(gc, &job, color);
	if (CARD_PLAIN && quads->block && job.target->blocks)
		pe_leave_tile(&job.target->surface);
	if (target == 0) /* pixels are counted once, not for each target */
		gc->counters.pe_drawn_by_color += (unsigned int)__builtin_popcountll(job.any);
	pe_report(gc, &job.traffic);
	return ok;
}

bool gc_pe_color(struct gc_core *gc, const struct gc_quads *quads, const struct gc_vec4 *color)
{
	const struct gc_color lanes = gc_color_of(color);

	return gc_pe_color_target(gc, 0, quads, &lanes);
}

/* The value that the alpha test compares, with the precision of the reference [chosen]. */
static uint32_t alpha_value(const struct pe_alpha_test *test, float alpha)
{
	alpha = alpha > 0.0f ? alpha : 0.0f;
	alpha = alpha < 1.0f ? alpha : 1.0f;
	return test->half ? gc_half_from_float(alpha) : (uint32_t)(int32_t)(alpha * 255.0f + 0.5f);
}

void gc_pe_alpha(struct gc_core *gc, struct gc_quads *quads, const struct gc_color *color)
{
	const struct pe_alpha_test *test = &gc->pe->alpha;

	if (!test->on)
		return;
	for (unsigned int q = 0; q < quads->count; q++) {
		for (unsigned int p = 0; p < 4; p++) {
			uint16_t pixel = (uint16_t)(0x1111u << p);
			float alpha = color->c[3]->f[4 * q + p];

			if (!(quads->quad[q].coverage & pixel) ||
			    pe_compare(test->func, alpha_value(test, alpha), test->ref))
				continue;
			quads->quad[q].coverage &= (uint16_t)~pixel;
			gc->counters.pe_killed_by_color++;
		}
	}
}
