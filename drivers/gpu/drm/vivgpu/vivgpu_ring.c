// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Ring: how jobs are linked to each other
 *
 * The front end has no head and tail registers; it follows the commands in memory. The
 * ring is an array of 64 slots, more than jobs can be in it: each has one of 30 events
 * (vivgpu_event.c). An idle front end loops
 * in the slot of the last job: WAIT, LINK back to that WAIT. A new job is written
 * completely to the next slot, then the WAIT is replaced by a LINK to that slot: first its
 * second word, which a WAIT ignores, then the command word, with a write barrier between.
 *
 * A slot has two parts:
 *
 * 1. Switch or flush of the MMU, if needed; LINK to the commands that set other clients'
 *    states to zero, if any, which end with a LINK to the job's words; else LINK to the
 *    job's words.
 * 2. The job's words end with a LINK to here: flush the caches, semaphore and stall for the
 *    pixel engine, raise the event, WAIT, LINK.
 *
 * The first part has RING_AFTER words, which the commands of vivgpu_ring_stop() fill.
 *
 * The functions only write words to memory and access no device.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include <linux/compiler.h>
#include <asm/barrier.h>

#include "vivgpu_regs.h"
#include "vivgpu_ring.h"

static u32 *vivgpu_ring_emit_load_state(u32 *at, u32 address, u32 value)
{
	*at++ = FE_COMMAND(FE_OP_LOAD_STATE, 1 << 16 | address >> 2);
	*at++ = value;
	return at;
}

/* A LINK to @words words, an even number: the front end fetches units of 64 bits. */
static u32 *vivgpu_ring_emit_link(u32 *at, u32 address, u32 words)
{
	*at++ = FE_COMMAND(FE_OP_LINK, words / 2);
	*at++ = address;
	return at;
}

/* Semaphore and stall: the front end waits until the pixel engine has done all earlier work. */
static u32 *vivgpu_ring_emit_pe_stall(u32 *at)
{
	at = vivgpu_ring_emit_load_state(at, GL_SEMAPHORE_TOKEN, TOKEN(RECIPIENT_FE, RECIPIENT_PE));
	*at++ = FE_COMMAND(FE_OP_STALL, 0);
	*at++ = TOKEN(RECIPIENT_FE, RECIPIENT_PE);
	return at;
}

/*
 * Invalidate the caches that are read only, and the second level of the shaders'. Before, the front
 * end has to be stalled until the pixel engine is done. TEXTUREVS has a write of its own, as in
 * galcore and in Mesa's etnaviv: cores before HALTI5 lack TEX_CACHE_FLUSH_FIX.
 */
static u32 *vivgpu_ring_emit_invalidate(u32 *at, u32 write_back)
{
	at = vivgpu_ring_emit_load_state(at, GL_FLUSH_CACHE,
					 write_back | GL_FLUSH_CACHE_TEXTURE |
						 GL_FLUSH_CACHE_SHADER_L1 |
						 GL_FLUSH_CACHE_SHADER_L2);
	return vivgpu_ring_emit_load_state(at, GL_FLUSH_CACHE, GL_FLUSH_CACHE_TEXTUREVS);
}

/*
 * Write all that was drawn to memory and raise an event: it may only be raised when nothing is left
 * in the caches of the pixel engine, of tile status and of stores of shaders. These are 10 words:
 * VIVGPU_POINT_WORDS, and those from RING_AFTER to RING_WAIT.
 */
static u32 *vivgpu_ring_emit_end(u32 *at, u32 event)
{
	at = vivgpu_ring_emit_load_state(at, GL_FLUSH_CACHE,
					 GL_FLUSH_CACHE_DEPTH | GL_FLUSH_CACHE_COLOR |
						 GL_FLUSH_CACHE_SHADER_L1);
	at = vivgpu_ring_emit_load_state(at, TS_FLUSH_CACHE, 1);
	at = vivgpu_ring_emit_pe_stall(at);
	return vivgpu_ring_emit_load_state(at, GL_EVENT, GL_EVENT_FROM_PE | event);
}

static u32 *vivgpu_ring_slot_words(struct vivgpu_ring *ring, u32 slot)
{
	return ring->words + slot * RING_SLOT_WORDS;
}

static u32 vivgpu_ring_slot_va(const struct vivgpu_ring *ring, u32 slot, u32 word)
{
	return ring->va + (slot * RING_SLOT_WORDS + word) * sizeof(u32);
}

/* Write the idle loop (WAIT, LINK to that WAIT) of a slot. */
static u32 *vivgpu_ring_emit_wait_link(struct vivgpu_ring *ring, u32 slot)
{
	u32 *at = vivgpu_ring_slot_words(ring, slot) + RING_WAIT;

	/* Of 200 cycles: by so much a job on an idle GPU can start late. */
	*at++ = FE_COMMAND(FE_OP_WAIT, 200);
	*at++ = 0;
	return vivgpu_ring_emit_link(at, vivgpu_ring_slot_va(ring, slot, RING_WAIT), 4);
}

/**
 * vivgpu_ring_start - write the idle loop to slot 0
 * @ring: the ring; words and va are set
 *
 * Return: the address at which the front end begins; its first fetch is RING_WAIT_WORDS words.
 */
u32 vivgpu_ring_start(struct vivgpu_ring *ring)
{
	ring->slot = 0;
	vivgpu_ring_emit_wait_link(ring, 0);
	return vivgpu_ring_slot_va(ring, 0, RING_WAIT);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_start);

/* Replace the WAIT that the front end is at by a LINK to words of another slot. */
static void vivgpu_ring_leave_wait(struct vivgpu_ring *ring, u32 address, u32 words)
{
	u32 *wait = vivgpu_ring_slot_words(ring, ring->slot) + RING_WAIT;

	wmb(); /* the words before the LINK to them */
	WRITE_ONCE(wait[1], address);
	wmb(); /* the LINK's address before its command word */
	WRITE_ONCE(wait[0], FE_COMMAND(FE_OP_LINK, words / 2));
	mb(); /* let the front end see it */
}

/**
 * vivgpu_ring_stop - empty all caches and stop the front end
 * @ring: the ring, all its jobs done; vivgpu_ring_start() is next
 *
 * Nothing may be left in a cache when the power is switched off, and the end of a job does not
 * flush those of textures and the second level of the shaders'. The commands are in the next
 * slot; the END is the last of them.
 */
void vivgpu_ring_stop(struct vivgpu_ring *ring)
{
	u32 slot = (ring->slot + 1) % RING_SLOTS;
	u32 *start = vivgpu_ring_slot_words(ring, slot) + RING_BEFORE, *at = start;

	at = vivgpu_ring_emit_pe_stall(at);
	at = vivgpu_ring_emit_invalidate(at, GL_FLUSH_CACHE_DEPTH | GL_FLUSH_CACHE_COLOR);
	at = vivgpu_ring_emit_load_state(at, TS_FLUSH_CACHE, 1);
	at = vivgpu_ring_emit_pe_stall(at);
	*at++ = FE_COMMAND(FE_OP_END, 0);
	*at++ = 0;
	vivgpu_ring_leave_wait(ring, vivgpu_ring_slot_va(ring, slot, RING_BEFORE), at - start);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_stop);

/**
 * vivgpu_ring_idle - get the address of the idle loop
 * @ring: the ring
 *
 * Return: the address of the last WAIT.
 */
u32 vivgpu_ring_idle(const struct vivgpu_ring *ring)
{
	return vivgpu_ring_slot_va(ring, ring->slot, RING_WAIT);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_idle);

/**
 * vivgpu_ring_within - check whether an address belongs to the ring's commands of a job
 * @ring: the ring
 * @slot: slot of the job
 * @address: address at which the front end is
 *
 * They begin with the previous slot's WAIT, which was replaced by the LINK to the job, and
 * end before the WAIT of the job's own slot.
 *
 * Return: true if it does.
 */
bool vivgpu_ring_within(const struct vivgpu_ring *ring, u32 slot, u32 address)
{
	u32 before = vivgpu_ring_slot_va(ring, (slot + RING_SLOTS - 1) % RING_SLOTS, RING_WAIT);

	return address - vivgpu_ring_slot_va(ring, slot, 0) < RING_WAIT * sizeof(u32) ||
	       address - before < RING_WAIT_WORDS * sizeof(u32);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_within);

/* Write the first part of a slot. Returns the number of words. */
static u32 vivgpu_ring_emit_job_start(struct vivgpu_ring *ring, u32 slot,
				      const struct vivgpu_ring_job *job)
{
	u32 *start = vivgpu_ring_slot_words(ring, slot) + RING_BEFORE, *at = start;

	if (job->mmu_state) {
		/*
		 * These caches are indexed by GPU address, whose mapping changes. The end of the
		 * job before has stalled the front end.
		 */
		at = vivgpu_ring_emit_invalidate(at, 0);
		at = vivgpu_ring_emit_load_state(at, job->mmu_state, job->mmu);
		at = vivgpu_ring_emit_pe_stall(at);
	}
	if (job->first) {
		vivgpu_ring_emit_link(job->first + job->first_words, job->va,
				      job->words + LINK_WORDS);
		at = vivgpu_ring_emit_link(at, job->first_va, job->first_words + LINK_WORDS);
	} else {
		at = vivgpu_ring_emit_link(at, job->va, job->words + LINK_WORDS);
	}
	return at - start;
}

/* Write the second part of a slot. Returns the number of words, WAIT and LINK included. */
static u32 vivgpu_ring_emit_job_end(struct vivgpu_ring *ring, u32 slot, u32 event)
{
	u32 *start = vivgpu_ring_slot_words(ring, slot) + RING_AFTER;

	vivgpu_ring_emit_end(start, event);
	return vivgpu_ring_emit_wait_link(ring, slot) - start;
}

/**
 * vivgpu_ring_emit - write a job to the next slot and link it to the idle loop
 * @ring: the ring
 * @job: the job; the LINK at the end of its stream is written here
 */
void vivgpu_ring_emit(struct vivgpu_ring *ring, const struct vivgpu_ring_job *job)
{
	u32 slot = (ring->slot + 1) % RING_SLOTS;
	u32 before = vivgpu_ring_emit_job_start(ring, slot, job);
	u32 after = vivgpu_ring_emit_job_end(ring, slot, job->event);

	vivgpu_ring_emit_link(job->stream + job->words, vivgpu_ring_slot_va(ring, slot, RING_AFTER),
			      after);
	vivgpu_ring_leave_wait(ring, vivgpu_ring_slot_va(ring, slot, RING_BEFORE), before);
	ring->slot = slot;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_emit);

/**
 * vivgpu_ring_event - write the commands of a timestamp point: as at the end of a job
 * @words: receives VIVGPU_POINT_WORDS words
 * @event: event bit
 */
void vivgpu_ring_event(u32 *words, u32 event)
{
	vivgpu_ring_emit_end(words, event);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_event);

/* End set-up commands at @at by a stall and an END. Returns the number of words from @words on. */
static u32 vivgpu_ring_finish_setup(u32 *words, u32 *at)
{
	at = vivgpu_ring_emit_pe_stall(at);
	*at++ = FE_COMMAND(FE_OP_END, 0);
	*at++ = 0;
	return at - words;
}

/**
 * vivgpu_ring_pipe_setup - write the commands that select the 3D pipe
 * @words: destination
 *
 * After a reset they come before any stall, whose units are those of the pipe.
 *
 * Return: words written.
 */
u32 vivgpu_ring_pipe_setup(u32 *words)
{
	return vivgpu_ring_finish_setup(words,
					vivgpu_ring_emit_load_state(words, GL_PIPE_SELECT,
								    GL_PIPE_SELECT_3D));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_pipe_setup);

/**
 * vivgpu_ring_mmu_setup - write the commands that select the 3D pipe and configure the MMU
 * @words: destination
 * @mtlb: bus address of the first level
 * @safe: bus address of a page for accesses that go wrong
 *
 * Return: words written.
 */
u32 vivgpu_ring_mmu_setup(u32 *words, u32 mtlb, u32 safe)
{
	u32 *at = vivgpu_ring_emit_load_state(words, GL_PIPE_SELECT, GL_PIPE_SELECT_3D);

	at = vivgpu_ring_emit_load_state(at, MMUV2_CONFIGURATION, mtlb);
	at = vivgpu_ring_emit_load_state(at, MMUV2_SAFE_ADDRESS, safe);
	return vivgpu_ring_finish_setup(words, at);
}
