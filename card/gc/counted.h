/* SPDX-License-Identifier: MIT */
/*
 * Counts that registers do not show yet, for --caches=data: what an operation counts is visible at the cycle at
 * which the pipeline has done it, and not when the front end parses it.
 */
#ifndef CARD_GC_COUNTED_H
#define CARD_GC_COUNTED_H

#include "gc/counters.h"

struct gc_counted;

struct gc_counted *gc_counted_create(void);
void gc_counted_destroy(struct gc_counted *counted);

/**
 * gc_counted_begin - an operation begins
 * @now: all counts until now
 * @cycle: the present one; no earlier one is asked for later
 */
void gc_counted_begin(struct gc_counted *counted, const struct gc_counters *now, uint64_t cycle);

/* Operations that wait; counts of the oldest above it are visible early [chosen]. */
#define GC_COUNTED_OPERATIONS 16384u

/** gc_counted_end - the operation ends; what it counted is due at @cycle, or after what earlier ones did */
void gc_counted_end(struct gc_counted *counted, const struct gc_counters *now, uint64_t cycle);

/**
 * gc_counted_visible - what registers show
 * @now: all counts until now
 * @cycle: the present one; no earlier one is asked for later
 */
struct gc_counters gc_counted_visible(struct gc_counted *counted, const struct gc_counters *now,
				      uint64_t cycle);

/** gc_counted_drop - all is visible at once, also that of an operation that has not ended */
void gc_counted_drop(struct gc_counted *counted);

#endif
