/* SPDX-License-Identifier: MIT */
/*
 * The 3D core's states: an array of words, indexed by the addresses of LOAD_STATE (bytes, as in
 * etna_viv's register database). Each block decodes the states it uses and compares stamps to
 * find out whether they changed.
 */
#ifndef CARD_GC_STATE_H
#define CARD_GC_STATE_H

#include <stdint.h>

#include "gc/float_bits.h"

#define GC_STATE_BYTES 0x40000u
#define GC_STATE_PAGE_SHIFT 10 /* granularity of change stamps: 1 KiB of addresses */
#define GC_STATE_PAGES (GC_STATE_BYTES >> GC_STATE_PAGE_SHIFT)

struct gc_state {
	uint32_t word[GC_STATE_BYTES / 4];
	uint64_t stamp;                      /* incremented by each write */
	uint64_t page_stamp[GC_STATE_PAGES]; /* stamp of the last write into the page */
};

/** gc_state_u32 - the word at byte address @address. */
static inline uint32_t gc_state_u32(const struct gc_state *state, uint32_t address)
{
	return state->word[(address % GC_STATE_BYTES) / 4];
}

/** gc_state_f32 - the same, as a float. */
static inline float gc_state_f32(const struct gc_state *state, uint32_t address)
{
	return bits_float(gc_state_u32(state, address));
}

/** gc_state_set - store a word; side effects are implemented in fe_states.c */
static inline void gc_state_set(struct gc_state *state, uint32_t address, uint32_t value)
{
	address %= GC_STATE_BYTES;
	state->word[address / 4] = value;
	state->page_stamp[address >> GC_STATE_PAGE_SHIFT] = ++state->stamp;
}

/**
 * gc_state_merge - what a write of @value to the state at @address leaves there
 * @old: what is there; fields whose mask bit in @value is set keep it
 */
uint32_t gc_state_merge(uint32_t address, uint32_t old, uint32_t value);

/** gc_state_changed - newest stamp of the pages that contain byte addresses @first to @last */
static inline uint64_t gc_state_changed(const struct gc_state *state, uint32_t first, uint32_t last)
{
	uint64_t newest = 0;

	for (uint32_t p = first >> GC_STATE_PAGE_SHIFT; p <= last >> GC_STATE_PAGE_SHIFT; p++)
		if (state->page_stamp[p] > newest)
			newest = state->page_stamp[p];
	return newest;
}

#endif
