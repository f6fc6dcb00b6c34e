/* SPDX-License-Identifier: MIT */
/*
 * Posted writes, for --caches=data: what an operation writes is in memory at the cycle at which the pipeline
 * has done it, and not when the front end parses it.
 *
 * Between gc_posted_begin() and gc_posted_end() the MMU gives an operation copies of all pages that it uses, with
 * what earlier operations are still to change in them. So the core's units see each other's writes in the order
 * of the stream, and the processor sees them when they are due.
 */
#ifndef CARD_GC_POSTED_H
#define CARD_GC_POSTED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Pages that are to change, over all operations, and pages that one operation can have copies of. The front end
 * can be any number of operations ahead: of more than this the oldest are in memory early, and further pages of an
 * operation are written at once, so that a guest cannot use up the host's memory (8 KiB for each).
 */
#define GC_POSTED_PAGES 16384u

struct gc_posted;

struct gc_posted *gc_posted_create(void);
void gc_posted_destroy(struct gc_posted *posted);

/** gc_posted_begin - an operation begins */
void gc_posted_begin(struct gc_posted *posted);

/**
 * gc_posted_page - the page that an operation has to use, to read or to write
 * @host: the page in guest memory
 *
 * Returns: the copy, the same one until the operation ends; or @host outside operations, or if the
 * host is out of memory or the operation has GC_POSTED_PAGES copies.
 */
uint8_t *gc_posted_page(struct gc_posted *posted, uint8_t *host);

/** gc_posted_end - the operation ends; its writes are due at @cycle, or after earlier ones */
void gc_posted_end(struct gc_posted *posted, uint64_t cycle);

/** gc_posted_due - cycle of the earliest write, or UINT64_MAX */
uint64_t gc_posted_due(const struct gc_posted *posted);

/** gc_posted_deliver - write to memory what is due at @cycle */
void gc_posted_deliver(struct gc_posted *posted, uint64_t cycle);

/** gc_posted_drop - what is not in memory is lost, also that of an operation that has not ended */
void gc_posted_drop(struct gc_posted *posted);

#endif
