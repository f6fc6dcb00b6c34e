/* SPDX-License-Identifier: MIT */
/*
 * The fair policy of the DRM scheduler of Linux 7.3 (DRM_SCHED_POLICY_FAIR, drivers/gpu/drm/scheduler),
 * written again in our words, for queues of normal priority.
 */
#ifndef FAIR_H
#define FAIR_H

#include <linux/types.h>

/**
 * struct fair_queue - a queue
 * @position: virtual time that orders queues whose jobs wait, the least first; of others, how far
 *	behind the first one they were when their last job was taken
 * @used_ns: GPU time of jobs that have ended
 * @counted_ns: of it, what is part of @position
 * @mean: moving average of its jobs' lengths
 * @waiting: jobs that wait
 * @since: of queues at the same position the one that is there longest comes first
 */
struct fair_queue {
	s64 position;
	u64 used_ns;
	u64 counted_ns;
	u64 mean;
	u32 waiting;
	u64 since;
};

/**
 * struct fair - all queues
 * @queues: the queues
 * @count: how many
 * @mean: moving average of all jobs' lengths
 * @changes: number of changes of positions
 */
struct fair {
	struct fair_queue *queues;
	u32 count;
	u64 mean;
	u64 changes;
};

#define FAIR_NONE 0xffffffffu

void fair_push(struct fair *fair, u32 queue);
u32 fair_first(const struct fair *fair);
void fair_take(struct fair *fair, u32 queue);
void fair_ended(struct fair *fair, u32 queue, u64 length_ns);

#endif
