/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_LENGTHS_H_
#define _VIVGPU_LENGTHS_H_

#include <linux/types.h>

/**
 * struct vivgpu_peak - maximum of the latest 64 to 128 samples
 * @now: maximum of the samples in this window
 * @last: maximum of the window before
 * @count: samples in this window
 */
struct vivgpu_peak {
	u64 now;
	u64 last;
	u32 count;
};

/**
 * struct vivgpu_lengths - how long the latest jobs of a queue took
 * @length: in ns
 * @excess: length / predicted cost, in 256ths, of jobs with a prediction
 * @frame: bounds of the jobs of one frame, of a queue with a reservation
 */
struct vivgpu_lengths {
	struct vivgpu_peak length;
	struct vivgpu_peak excess;
	struct vivgpu_peak frame;
};

void vivgpu_lengths_learn(struct vivgpu_lengths *lengths, u64 cost_ns, u64 length_ns);
void vivgpu_lengths_fade(struct vivgpu_lengths *lengths, u64 cost_ns, u64 length_ns);
void vivgpu_lengths_learn_frame(struct vivgpu_lengths *lengths, u64 before_ns, u64 frame_ns);
u64 vivgpu_lengths_frame(const struct vivgpu_lengths *lengths);
u64 vivgpu_lengths_bound(const struct vivgpu_lengths *lengths, u64 cost_ns, u64 bound_ns);

/* Whether a job of the queue has ended. */
static inline bool vivgpu_lengths_known(const struct vivgpu_lengths *lengths)
{
	return lengths->length.count;
}

#endif
