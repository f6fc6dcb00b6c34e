/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_RING_H_
#define _VIVGPU_RING_H_

#include <linux/types.h>

/* Words of a timestamp point in the copied stream */
#define VIVGPU_POINT_WORDS	10

/* Words of a LINK */
#define LINK_WORDS	2

/* Slots of the ring; more than the maximum of jobs in flight */
#define RING_SLOTS	64
/* Words of a slot, and where its two parts begin */
#define RING_SLOT_WORDS	64
#define RING_BEFORE	0
#define RING_AFTER	16
/* From the start of a slot to its WAIT. */
#define RING_WAIT	(RING_AFTER + 10)
/* WAIT, and LINK to it */
#define RING_WAIT_WORDS	4
#define RING_BYTES	(RING_SLOTS * RING_SLOT_WORDS * sizeof(u32))

/**
 * struct vivgpu_ring - the commands that link jobs together
 * @words: the CPU's view
 * @va: address for the front end, the same in all address spaces
 * @slot: slot whose WAIT the front end is at when it is idle
 */
struct vivgpu_ring {
	u32 *words;
	u32 va;
	u32 slot;
};

/**
 * struct vivgpu_ring_job - a job's commands, for vivgpu_ring_emit()
 * @mmu_state: state that switches or flushes the MMU, 0 to leave it alone
 * @mmu: value for @mmu_state
 * @first: words to run before the stream, followed by space for a LINK; NULL if none
 * @first_va: GPU address of @first
 * @first_words: number of words, without the LINK
 * @stream: the job's words, followed by space for a LINK
 * @va: GPU address of @stream
 * @words: number of words, without the LINK
 * @event: bit of the event that ends the job
 */
struct vivgpu_ring_job {
	u32 mmu_state;
	u32 mmu;
	u32 *first;
	u32 first_va;
	u32 first_words;
	u32 *stream;
	u32 va;
	u32 words;
	u32 event;
};

u32 vivgpu_ring_start(struct vivgpu_ring *ring);
void vivgpu_ring_stop(struct vivgpu_ring *ring);
u32 vivgpu_ring_idle(const struct vivgpu_ring *ring);
bool vivgpu_ring_within(const struct vivgpu_ring *ring, u32 slot, u32 address);
void vivgpu_ring_emit(struct vivgpu_ring *ring, const struct vivgpu_ring_job *job);
u32 vivgpu_ring_pipe_setup(u32 *words);
u32 vivgpu_ring_mmu_setup(u32 *words, u32 mtlb, u32 safe);
void vivgpu_ring_event(u32 *words, u32 event);

#endif
