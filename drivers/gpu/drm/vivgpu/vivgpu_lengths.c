// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Assumed bounds of the lengths of jobs
 *
 * Costs that user space predicts are not trusted. The bound of a job's length is the predicted
 * cost times the largest ratio of length and cost that its queue has had lately, at least one;
 * without a prediction it is the largest length lately. So a prediction that is wrong has an effect
 * once, and the same error is expected of later ones. If the ratio is more than two, the
 * costs of the queue say little, and the bound is at least the largest length. A bound that user
 * space predicts counts if it is larger than all this.
 *
 * One length that was an exception, as when an interrupt came late, would hold back the next
 * 64 to 128 jobs, each of them for the time limit. So a job that was held back for that time
 * and then took less halves what is remembered.
 *
 * Pure functions; the caller serialises.
 */

#include <linux/bits.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include <kunit/visibility.h>

#include "vivgpu_lengths.h"

/* Samples in a window of struct vivgpu_peak */
#define PEAK_WINDOW	64
/* Ratios of length and cost, in 256ths: one, the limit, and the largest of trusted costs */
#define EXCESS_ONE	256
#define EXCESS_MAX	BIT(24)
#define EXCESS_TRUSTED	(2 * EXCESS_ONE)
/* Longer ones count as this, whose product with EXCESS_MAX has less than 64 bits. */
#define LENGTH_MAX_NS	10000000000ull

static void vivgpu_lengths_peak_add(struct vivgpu_peak *peak, u64 sample)
{
	if (peak->count == PEAK_WINDOW) {
		peak->last = peak->now;
		peak->now = 0;
		peak->count = 0;
	}
	peak->now = max(peak->now, sample);
	peak->count++;
}

static u64 vivgpu_lengths_peak_get(const struct vivgpu_peak *peak)
{
	return max(peak->now, peak->last);
}

/* Halve what is remembered, but not below the last sample. */
static void vivgpu_lengths_peak_halve(struct vivgpu_peak *peak, u64 sample)
{
	peak->now = max(peak->now / 2, sample);
	peak->last /= 2;
}

/* Length / cost, rounded up, so that the same prediction then covers the same length. */
static u64 vivgpu_lengths_excess(u64 cost_ns, u64 length_ns)
{
	return min_t(u64, div64_u64(length_ns * EXCESS_ONE + cost_ns - 1, cost_ns), EXCESS_MAX);
}

/**
 * vivgpu_lengths_learn - a job has ended
 * @lengths: of its queue
 * @cost_ns: what was predicted, 0 without a prediction
 * @length_ns: its length
 */
void vivgpu_lengths_learn(struct vivgpu_lengths *lengths, u64 cost_ns, u64 length_ns)
{
	u64 length = min(length_ns, LENGTH_MAX_NS);

	vivgpu_lengths_peak_add(&lengths->length, length);
	if (cost_ns)
		vivgpu_lengths_peak_add(&lengths->excess, vivgpu_lengths_excess(cost_ns, length));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_lengths_learn);

/**
 * vivgpu_lengths_fade - a job that was held back for the time limit has ended
 * @lengths: of its queue, which have learnt the job
 * @cost_ns: what was predicted, 0 without a prediction
 * @length_ns: its length
 */
void vivgpu_lengths_fade(struct vivgpu_lengths *lengths, u64 cost_ns, u64 length_ns)
{
	u64 length = min(length_ns, LENGTH_MAX_NS);

	vivgpu_lengths_peak_halve(&lengths->length, length);
	if (cost_ns)
		vivgpu_lengths_peak_halve(&lengths->excess, vivgpu_lengths_excess(cost_ns, length));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_lengths_fade);

/**
 * vivgpu_lengths_learn_frame - one more job of a frame has ended
 * @lengths: of its queue
 * @before_ns: bounds of the jobs of the frame that ended before, 0 if it is the first
 * @frame_ns: with this one
 */
void vivgpu_lengths_learn_frame(struct vivgpu_lengths *lengths, u64 before_ns, u64 frame_ns)
{
	if (before_ns)
		lengths->frame.now = max(lengths->frame.now, frame_ns);
	else
		vivgpu_lengths_peak_add(&lengths->frame, frame_ns);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_lengths_learn_frame);

/**
 * vivgpu_lengths_frame - bounds of the jobs of the longest of the queue's last frames
 * @lengths: of the queue
 *
 * Return: ns; 0 if there was none.
 */
u64 vivgpu_lengths_frame(const struct vivgpu_lengths *lengths)
{
	return vivgpu_lengths_peak_get(&lengths->frame);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_lengths_frame);

/**
 * vivgpu_lengths_bound - the assumed bound of a job's length
 * @lengths: of its queue
 * @cost_ns: predicted length, 0 without a prediction
 * @bound_ns: predicted bound, 0 without one
 *
 * Return: ns, not less than with a @bound_ns of 0; 0 if there is neither a prediction nor a job
 * that has ended.
 */
u64 vivgpu_lengths_bound(const struct vivgpu_lengths *lengths, u64 cost_ns, u64 bound_ns)
{
	u64 excess = max_t(u64, vivgpu_lengths_peak_get(&lengths->excess), EXCESS_ONE);
	u64 longest = vivgpu_lengths_peak_get(&lengths->length);
	u64 bound = min(cost_ns, LENGTH_MAX_NS) * excess / EXCESS_ONE;

	if (!cost_ns || excess > EXCESS_TRUSTED)
		bound = max(bound, longest);
	return min(max(bound, bound_ns), LENGTH_MAX_NS);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_lengths_bound);
