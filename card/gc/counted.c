// SPDX-License-Identifier: MIT
/* Counts that are not due: a queue of what operations counted. */
#include "gc/counted.h"

#include <stdbool.h>
#include <stdlib.h>

#define COUNTERS (sizeof(struct gc_counters) / sizeof(uint64_t))

union counts {
	struct gc_counters counters;
	uint64_t value[COUNTERS];
};

struct counted {
	struct counted *next;
	uint64_t cycle;
	union counts counts;
};

struct gc_counted {
	bool working;       /* within an operation */
	union counts begin; /* all counts when it began */
	union counts due;   /* the sum of the queue */
	struct counted *first, **last;
	unsigned int length; /* of the queue */
	uint64_t cycle;      /* of the last one */
};

struct gc_counted *gc_counted_create(void)
{
	struct gc_counted *counted = calloc(1, sizeof(*counted));

	if (counted)
		counted->last = &counted->first;
	return counted;
}

static void take(struct gc_counted *counted)
{
	struct counted *first = counted->first;

	for (unsigned int i = 0; i < COUNTERS; i++)
		counted->due.value[i] -= first->counts.value[i];
	counted->first = first->next;
	counted->length--;
	if (!counted->first)
		counted->last = &counted->first;
	free(first);
}

void gc_counted_destroy(struct gc_counted *counted)
{
	if (!counted)
		return;
	gc_counted_drop(counted);
	free(counted);
}

static void take_due(struct gc_counted *counted, uint64_t cycle)
{
	while (counted->first && counted->first->cycle <= cycle)
		take(counted);
}

void gc_counted_begin(struct gc_counted *counted, const struct gc_counters *now, uint64_t cycle)
{
	take_due(counted, cycle);
	counted->working = true;
	counted->begin.counters = *now;
}

void gc_counted_end(struct gc_counted *counted, const struct gc_counters *now, uint64_t cycle)
{
	const union counts *end = (const union counts *)now;
	struct counted *last;

	if (!counted->working)
		return;
	counted->working = false;
	last = malloc(sizeof(*last));
	if (!last) /* visible at once */
		return;
	if (cycle > counted->cycle)
		counted->cycle = cycle;
	last->next = NULL;
	last->cycle = counted->cycle;
	for (unsigned int i = 0; i < COUNTERS; i++) {
		last->counts.value[i] = end->value[i] - counted->begin.value[i];
		counted->due.value[i] += last->counts.value[i];
	}
	*counted->last = last;
	counted->last = &last->next;
	if (++counted->length > GC_COUNTED_OPERATIONS)
		take(counted);
}

struct gc_counters gc_counted_visible(struct gc_counted *counted, const struct gc_counters *now,
				      uint64_t cycle)
{
	union counts visible = { *now };

	take_due(counted, cycle);
	if (counted->working)
		visible = counted->begin;
	for (unsigned int i = 0; i < COUNTERS; i++)
		visible.value[i] -= counted->due.value[i];
	return visible.counters;
}

void gc_counted_drop(struct gc_counted *counted)
{
	while (counted->first)
		take(counted);
	counted->working = false;
	counted->cycle = 0;
}
