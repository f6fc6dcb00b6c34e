// SPDX-License-Identifier: MIT
/*
 * Queues with waiting jobs are ordered by a virtual time. It grows by the weighted GPU time of the queue's
 * jobs, but only when a job is taken and another one waits behind it. A queue whose last job is taken
 * remembers how far it is behind the first one, and is put there when it has a job again; if it was
 * the first itself, it comes directly before the present first one if its jobs are not longer
 * than the average, and directly after it otherwise.
 *
 * So a queue that never has two jobs waiting is not charged for its GPU time at all.
 */

#include "fair.h"

/* The weight of normal priority */
#define WEIGHT_SHIFT 4
/* The moving average, in us with 6 bits after the point, takes a quarter of each new value. */
#define MEAN_SHIFT 6

/**
 * fair_first - the queue whose job is taken next
 * @fair: all queues
 *
 * Return: its number, or FAIR_NONE if no job waits.
 */
u32 fair_first(const struct fair *fair)
{
	const struct fair_queue *queues = fair->queues;
	u32 first = FAIR_NONE, i;

	for (i = 0; i < fair->count; i++) {
		if (!queues[i].waiting)
			continue;
		if (first == FAIR_NONE || queues[i].position < queues[first].position ||
		    (queues[i].position == queues[first].position &&
		     queues[i].since < queues[first].since))
			first = i;
	}
	return first;
}

/**
 * fair_push - a job begins to wait
 * @fair: all queues
 * @queue: whose
 */
void fair_push(struct fair *fair, u32 queue)
{
	struct fair_queue *q = &fair->queues[queue];
	u32 first = fair_first(fair);

	if (q->waiting++)
		return;
	if (first != FAIR_NONE) {
		if (!q->position)
			q->position = q->mean >> MEAN_SHIFT <= fair->mean >> MEAN_SHIFT ? -1 : 1;
		q->position += fair->queues[first].position;
	}
	q->since = ++fair->changes;
}

/**
 * fair_take - a queue's oldest job does not wait any more, since it starts
 * @fair: all queues
 * @queue: whose
 */
void fair_take(struct fair *fair, u32 queue)
{
	struct fair_queue *q = &fair->queues[queue];
	s64 first_position;
	u32 first;

	if (--q->waiting) {
		q->position += (q->used_ns - q->counted_ns) << WEIGHT_SHIFT;
		q->counted_ns = q->used_ns;
		q->since = ++fair->changes;
		return;
	}
	first = fair_first(fair);
	first_position = first == FAIR_NONE ? 0 : fair->queues[first].position;
	q->position =
		first_position && q->position > first_position ? q->position - first_position : 0;
}

static u64 average(u64 mean, u64 length_ns)
{
	u64 value = length_ns / 1000 << MEAN_SHIFT;

	return mean ? (3 * mean + value) / 4 : value;
}

/**
 * fair_ended - a job has ended
 * @fair: all queues
 * @queue: whose
 * @length_ns: how long it took
 */
void fair_ended(struct fair *fair, u32 queue, u64 length_ns)
{
	struct fair_queue *q = &fair->queues[queue];

	q->used_ns += length_ns;
	q->mean = average(q->mean, length_ns);
	fair->mean = average(fair->mean, length_ns);
}
