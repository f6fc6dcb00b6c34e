/* SPDX-License-Identifier: MIT */
/*
 * Flushes and stalls that silicon needs between operations and the card does not, for --hazards=FILE.
 * The rules are what the etnaviv drivers do. Each counts how often it applied, so that a rule that no
 * test has exercised is not taken for one that is kept.
 */
#ifndef CARD_GC_SYNC_H
#define CARD_GC_SYNC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum gc_sync_rule {
	GC_SYNC_RS_FLUSH, /* a resolve finds colour and depth caches flushed */
	GC_SYNC_RS_STALL, /* a resolve finds draws and flushes completed: a stall for the pixel engine */
	GC_SYNC_TXVS_STALL, /* a draw after a flush of TEXTUREVS finds a stall between */
	GC_SYNC_RULES,
};

/* What happened since what completes it. */
struct gc_sync {
	bool color_dirty, depth_dirty; /* a draw since the last flush */
	bool pixels_pending;    /* a draw or a flush since the last stall for the pixel engine */
	bool drawn;             /* a draw since the last resolve */
	bool texturevs_pending; /* a flush of TEXTUREVS since the last stall */
	bool texturevs_flushed; /* the same since the last draw */
	uint64_t applied[GC_SYNC_RULES], broken[GC_SYNC_RULES];
};

/**
 * gc_sync_draw, gc_sync_resolve - an operation begins
 *
 * Returns: the rules that it breaks, a bit each.
 */
unsigned int gc_sync_draw(struct gc_sync *sync);
unsigned int gc_sync_resolve(struct gc_sync *sync);

/** gc_sync_flush - GL_FLUSH_CACHE is written with @value */
void gc_sync_flush(struct gc_sync *sync, uint32_t value);

/** gc_sync_stall - unit @from waits for @to (SYNC_RECIPIENT_*) */
void gc_sync_stall(struct gc_sync *sync, unsigned int from, unsigned int to);

/** gc_sync_reset - the core is idle and its caches are empty; keeps the counts */
void gc_sync_reset(struct gc_sync *sync);

/** gc_sync_name - of a rule in reports */
const char *gc_sync_name(enum gc_sync_rule rule);

/** gc_sync_summary - a line for each rule: how often it applied and was broken */
void gc_sync_summary(const struct gc_sync *sync, FILE *file);

#endif
