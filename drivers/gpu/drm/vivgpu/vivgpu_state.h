/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_STATE_H_
#define _VIVGPU_STATE_H_

#include <linux/bitmap.h>
#include <linux/sizes.h>
#include <linux/types.h>

/* Addresses of states are below this, in bytes. */
#define VIVGPU_STATE_END	0x40000
/* Bytes of a block: which client wrote a state is recorded by block. */
#define VIVGPU_STATE_BLOCK	64
#define VIVGPU_STATE_BLOCKS	(VIVGPU_STATE_END / VIVGPU_STATE_BLOCK)
#define VIVGPU_STATE_WORDS	(VIVGPU_STATE_END / sizeof(u32))

/**
 * struct vivgpu_states - a set of blocks of states
 * @any: false if the set is empty, to save a search of the bitmap; neither kept up to date nor read
 *	in @dirty and @ever_written of &struct vivgpu_core_state
 * @bits: one for each block
 */
struct vivgpu_states {
	bool any;
	DECLARE_BITMAP(bits, VIVGPU_STATE_BLOCKS);
};

/**
 * struct vivgpu_core_state - which client wrote each state, after the last job in the ring
 */
struct vivgpu_core_state {
	/** @client: client of the last job; 0 if not known */
	u64 client;
	/** @dirty: blocks with values that @owner wrote */
	struct vivgpu_states dirty;
	/** @ever_written: blocks that were ever written */
	struct vivgpu_states ever_written;
	/** @scratch: memory for the set that vivgpu_state_foreign() computes */
	struct vivgpu_states scratch;
	/** @owner: client that wrote each block last; 0 if not known */
	u64 owner[VIVGPU_STATE_BLOCKS];
};

void vivgpu_state_init(void);
bool vivgpu_state_permitted(u32 address, u32 count);
bool vivgpu_state_is_trigger(u32 address, u32 count);
void vivgpu_states_add(struct vivgpu_states *states, u32 address, u32 count);
bool vivgpu_states_load(struct vivgpu_states *states, u32 address, u32 count);
void vivgpu_states_merge(struct vivgpu_states *states, const struct vivgpu_states *more);
void vivgpu_states_covered(struct vivgpu_states *covered, const unsigned long *words);
void vivgpu_state_foreign(const struct vivgpu_core_state *core, u64 client,
			  const struct vivgpu_states *covered, struct vivgpu_states *foreign);
u32 vivgpu_state_scrub(u32 *words, const struct vivgpu_states *states, u32 icache_control);
void vivgpu_state_emitted(struct vivgpu_core_state *core, u64 client,
			  const struct vivgpu_states *scrubbed,
			  const struct vivgpu_states *written);
void vivgpu_state_mark_unknown(struct vivgpu_core_state *core);

/* More than twice the commands that set all states to zero */
#define VIVGPU_SCRUB_BYTES	SZ_256K
#define VIVGPU_SCRUB_WORDS	(VIVGPU_SCRUB_BYTES / sizeof(u32))

/**
 * struct vivgpu_scrub - memory for commands that set states to zero
 * @words: the CPU's view
 * @va: address for the front end, the same in all address spaces
 * @head: number of words ever allocated
 * @tail: number of words ever freed
 *
 * A ring buffer: parts are allocated for jobs, and freed in the same order.
 */
struct vivgpu_scrub {
	u32 *words;
	u32 va;
	u32 head;
	u32 tail;
};

bool vivgpu_scrub_fits(const struct vivgpu_scrub *scrub, u32 count);
u32 vivgpu_scrub_alloc(struct vivgpu_scrub *scrub, u32 count);
void vivgpu_scrub_free(struct vivgpu_scrub *scrub, u32 end);
void vivgpu_scrub_reset(struct vivgpu_scrub *scrub);

#endif
