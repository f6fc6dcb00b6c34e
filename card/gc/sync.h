/* SPDX-License-Identifier: MIT */
/*
 * What silicon needs of a stream and the card's blocks forgive, for --hazards: flushes and stalls
 * between operations, and states that a draw or a resolve must or must not find. The rules are what
 * the etnaviv drivers do; Documentation/card/strict.rst has the source of each. Each counts how often
 * it applied, so that a rule that no test has exercised is not taken for one that is kept.
 */
#ifndef CARD_GC_SYNC_H
#define CARD_GC_SYNC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gc/personality.h"
#include "gc/state.h"

enum gc_sync_rule {
	/* the order of commands */
	GC_SYNC_RS_FLUSH, /* a resolve finds colour and depth caches flushed */
	GC_SYNC_RS_STALL, /* a resolve finds draws and flushes completed: a stall for the pixel engine */
	GC_SYNC_TS_ORDER,  /* tile status flushed before a clear: after both caches, and a stall */
	GC_SYNC_TS_CHANGE, /* a change of tile status finds its cache flushed */
	GC_SYNC_TARGET,    /* a change of targets finds both caches flushed, and a stall */
	GC_SYNC_DEPTH, /* a change of the depth test finds the depth cache flushed, and a stall */
	GC_SYNC_OVERWRITE,  /* a change of OVERWRITE finds the colour cache flushed, and a stall */
	GC_SYNC_TX_STALL,   /* a flush of texture caches finds the front end stalled for draws */
	GC_SYNC_TXVS_STALL, /* a draw after a flush of TEXTUREVS finds a stall between */
	GC_SYNC_LOAD,       /* code, uniforms and samplers find the front end stalled for draws */
	GC_SYNC_PIPE,       /* the same for PIPE_SELECT */
	GC_SYNC_EVENT,      /* an event of the pixel engine finds all caches flushed, and a stall */
	GC_SYNC_INPUTS,     /* PS_INPUT_COUNT is written after GL_MULTI_SAMPLE_CONFIG */
	GC_SYNC_ELEMENTS,   /* vertex elements are written in one go, from the first on */
	/* states of draws */
	GC_SYNC_VS_INPUTS, /* VS_INPUT_COUNT is the number of vertex elements, and one for the ID */
	GC_SYNC_FIRST_DRAW, /* the first draw after a reset finds states that are not zero */
	GC_SYNC_NO_TARGET,  /* without a colour target OVERWRITE is set */
	GC_SYNC_DUMMY,      /* before HALTI2: then the target's address is not the last one's */
	GC_SYNC_SAMPLED,    /* with several samples or compression OVERWRITE is clear */
	GC_SYNC_SMALL_MSAA, /* cores with SMALL_MSAA: 4 samples, and the bits for them in LOGIC_OP */
	GC_SYNC_BASES,      /* targets begin at multiples of 64 bytes, rows of tiles too */
	GC_SYNC_LINEAR_Z,   /* linear targets: no early depth test */
	GC_SYNC_SINGLE,     /* SINGLE_BUFFER is 3 if a target has 16 bits a pixel or less */
	GC_SYNC_LINEAR_TS,  /* linear targets with tile status: a row is a number of tiles */
	GC_SYNC_TARGETS_TS,   /* before HALTI2: one target, or no tile status */
	GC_SYNC_AUTO_DISABLE, /* tile status without AUTO_DISABLE */
	GC_SYNC_CODE,         /* programs begin at multiples of 256 bytes */
	/* states of resolves */
	GC_SYNC_RS_WINDOW,   /* width in 16 pixels, height of tiled surfaces in 4 */
	GC_SYNC_RS_NARROW,   /* linear to linear 17 pixels, tiled to linear 13 at least */
	GC_SYNC_RS_PIPES,    /* two pipes: both resolve a half, in 4 rows of pixels */
	GC_SYNC_RS_TAGS,     /* a fill of tile status: 256 bytes for each pipe */
	GC_SYNC_RS_IN_PLACE, /* in place: supertiled, with tile status, without compression */
	GC_SYNC_RULES,
};

/* What has happened and is not completed yet: by a flush, a stall, or the next operation. */
struct gc_sync {
	bool color_dirty, depth_dirty; /* a draw since the last flush */
	bool tags_dirty;               /* a draw with tile status since its last flush */
	bool pixels_pending; /* a draw or a flush since the last stall for the pixel engine */
	bool draws_pending;  /* a draw since the last stall of the front end for it */
	bool resolvable;     /* a draw since the last resolve */
	bool unreported;     /* a draw since the last event of the pixel engine */
	bool drawn;          /* a draw since the reset */
	/*
	 * a flush of tile status since the last draw, resolve or stall of the front end; those
	 * before the first draw do not count
	 */
	bool tags_flushed;
	bool tags_flushed_early; /* the last one came before both caches' flushes, or the stall */
	bool texturevs_pending;  /* a flush of TEXTUREVS since FE or RA last stalled for PE */
	bool texturevs_flushed;  /* the same since the last draw */
	bool samples_written;    /* GL_MULTI_SAMPLE_CONFIG since the last draw */
	bool inputs_written;     /* PS_INPUT_COUNT since that write */
	uint32_t element;        /* address behind the vertex element written last */
	uint32_t color_address;  /* of the last draw with a colour target; 0: there was none */
	uint32_t elements; /* vertex elements that are in use: those written last; 0: unknown */
	uint64_t applied[GC_SYNC_RULES], broken[GC_SYNC_RULES];
};

/* What happens on silicon if a rule is broken. */
enum gc_sync_effect {
	GC_SYNC_WRONG, /* wrong pixels or contents, or not known */
	GC_SYNC_HANGS,
	GC_SYNC_MAY_HANG, /* under a condition that is not known */
};

struct gc_sync_info {
	const char *name; /* in reports */
	/*
	 * certainty: a: code of a working driver plus its reason, b: seen on silicon, c: inferred, which
	 * never stops the front end
	 */
	char certainty;
	enum gc_sync_effect effect;
};

/** gc_sync_about - properties of a rule */
const struct gc_sync_info *gc_sync_about(enum gc_sync_rule rule);

/* The core whose rules they are. */
struct gc_sync_core {
	const struct gc_personality *personality;
	const struct gc_state *state;
};

/**
 * gc_sync_draw, gc_sync_resolve - an operation begins
 * @in_place: it is started by RS_KICKER_INPLACE
 *
 * Returns: the rules that it breaks, a bit each.
 */
uint32_t gc_sync_draw(struct gc_sync *sync, const struct gc_sync_core *core);
uint32_t gc_sync_resolve(struct gc_sync *sync, const struct gc_sync_core *core, bool in_place);

/**
 * gc_sync_write - the state at byte @address was written
 * @old: its value before; states of targets, tile status and tests that keep theirs need no flush
 *
 * Returns: the rules that this breaks.
 */
uint32_t gc_sync_write(struct gc_sync *sync, const struct gc_sync_core *core, uint32_t address,
		       uint32_t old);

/** gc_sync_stall - unit @from waits for @to (SYNC_RECIPIENT_*) */
void gc_sync_stall(struct gc_sync *sync, unsigned int from, unsigned int to);

/** gc_sync_reset - the core is idle and its caches are empty; keeps the counts */
void gc_sync_reset(struct gc_sync *sync);

/** gc_sync_judge - @rule applied; returns its bit if it was @broken, otherwise 0 */
static inline uint32_t gc_sync_judge(struct gc_sync *sync, enum gc_sync_rule rule, bool broken)
{
	sync->applied[rule]++;
	sync->broken[rule] += broken;
	return (uint32_t)broken << rule;
}

/** gc_sync_draw_states, gc_sync_resolve_states - only the rules of states of draws, of resolves */
uint32_t gc_sync_draw_states(struct gc_sync *sync, const struct gc_sync_core *core);
uint32_t gc_sync_resolve_states(struct gc_sync *sync, const struct gc_sync_core *core,
				bool in_place);

/** gc_sync_summary - a line for each rule: how often it applied and was broken */
void gc_sync_summary(const struct gc_sync *sync, FILE *file);

#endif
