/* SPDX-License-Identifier: MIT */
/*
 * The 3D core's state: one word an address, as LOAD_STATE writes them
 * (addresses of etna_viv's state maps, in bytes). Blocks decode what they need
 * from here when they need it and use the stamps to see whether it changed.
 */
#ifndef CARD_GC_STATE_H
#define CARD_GC_STATE_H

#include <stdint.h>
#include <string.h>

#define GC_STATE_BYTES 0x40000u
#define GC_STATE_PAGE_SHIFT 10 /* changes are stamped per KiB of addresses */
#define GC_STATE_PAGES (GC_STATE_BYTES >> GC_STATE_PAGE_SHIFT)

struct gc_state {
	uint32_t word[GC_STATE_BYTES / 4];
	uint64_t stamp;                      /* increased by every write */
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
	float value;

	memcpy(&value, &state->word[(address % GC_STATE_BYTES) / 4], sizeof(value));
	return value;
}

/** gc_state_set - store a word; triggers are the front end's business. */
static inline void gc_state_set(struct gc_state *state, uint32_t address, uint32_t value)
{
	address %= GC_STATE_BYTES;
	state->word[address / 4] = value;
	state->page_stamp[address >> GC_STATE_PAGE_SHIFT] = ++state->stamp;
}

/** gc_state_changed - newest stamp within [first, last] byte addresses, by page. */
static inline uint64_t gc_state_changed(const struct gc_state *state, uint32_t first, uint32_t last)
{
	uint64_t newest = 0;

	for (uint32_t p = first >> GC_STATE_PAGE_SHIFT; p <= last >> GC_STATE_PAGE_SHIFT; p++)
		if (state->page_stamp[p] > newest)
			newest = state->page_stamp[p];
	return newest;
}

#endif
