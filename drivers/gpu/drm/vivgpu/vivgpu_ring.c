// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: How jobs follow each other without a doorbell
 *
 * The ring is an array of slots, one for each job in flight and more. When
 * there is nothing to do, the front end runs the pair WAIT, LINK-to-that-WAIT
 * in the slot of the last job. A new job is written to the next slot complete,
 * then the WAIT is replaced by a LINK there: first the argument, which a WAIT
 * ignores, then the command.
 *
 * A slot has two parts. The first switches or flushes the MMU if that is
 * needed, and links to the job's own words, by way of those that clear what
 * other clients left in the core's states. Those end with a LINK to the
 * second part: flush the caches, wait for the pixel engine, raise the event,
 * WAIT, LINK.
 *
 * The functions know no device; they write words.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include <linux/compiler.h>
#include <asm/barrier.h>

#include "vivgpu_regs.h"
#include "vivgpu_ring.h"

static u32 *load_state(u32 *at, u32 address, u32 value)
{
	*at++ = FE_COMMAND(FE_OP_LOAD_STATE, 1 << 16 | address >> 2);
	*at++ = value;
	return at;
}

static u32 *link_to(u32 *at, u32 address, u32 words)
{
	*at++ = FE_COMMAND(FE_OP_LINK, words / 2);
	*at++ = address;
	return at;
}

/* The front end stops until the pixel engine has done what came before. */
static u32 *wait_for_pixels(u32 *at)
{
	at = load_state(at, GL_SEMAPHORE_TOKEN, TOKEN(RECIPIENT_FE, RECIPIENT_PE));
	*at++ = FE_COMMAND(FE_OP_STALL, 0);
	*at++ = TOKEN(RECIPIENT_FE, RECIPIENT_PE);
	return at;
}

static u32 *slot_words(struct vivgpu_ring *ring, u32 slot)
{
	return ring->words + slot * RING_SLOT_WORDS;
}

static u32 slot_va(const struct vivgpu_ring *ring, u32 slot, u32 word)
{
	return ring->va + (slot * RING_SLOT_WORDS + word) * sizeof(u32);
}

/* Let the front end wait in a slot for ever. */
static u32 *wait_link(struct vivgpu_ring *ring, u32 slot)
{
	u32 *at = slot_words(ring, slot) + RING_WAIT;

	*at++ = FE_COMMAND(FE_OP_WAIT, 200);
	*at++ = 0;
	return link_to(at, slot_va(ring, slot, RING_WAIT), 4);
}

/**
 * vivgpu_ring_start - make the ring idle
 * @ring: words and va are set
 *
 * Return: the address at which the front end begins; prefetch is 2.
 */
u32 vivgpu_ring_start(struct vivgpu_ring *ring)
{
	ring->slot = 0;
	wait_link(ring, 0);
	return slot_va(ring, 0, RING_WAIT);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_start);

/**
 * vivgpu_ring_stop - let the front end run into an END instead of waiting
 * @ring: the ring, all its jobs done; vivgpu_ring_start() is next
 */
void vivgpu_ring_stop(struct vivgpu_ring *ring)
{
	u32 *wait = slot_words(ring, ring->slot) + RING_WAIT;

	WRITE_ONCE(wait[0], FE_COMMAND(FE_OP_END, 0));
	mb(); /* let the front end see it */
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_stop);

/**
 * vivgpu_ring_idle - where the front end waits when all jobs are done
 * @ring: the ring
 *
 * Return: the address of the last WAIT.
 */
u32 vivgpu_ring_idle(const struct vivgpu_ring *ring)
{
	return slot_va(ring, ring->slot, RING_WAIT);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_idle);

/**
 * vivgpu_ring_within - whether the front end is in the ring's part of a job
 * @ring: the ring
 * @slot: the job's
 * @address: of the front end
 *
 * That part begins with the WAIT of the slot before it, which leads to the job,
 * and ends before its own.
 *
 * Return: whether it is.
 */
bool vivgpu_ring_within(const struct vivgpu_ring *ring, u32 slot, u32 address)
{
	u32 before = slot_va(ring, (slot + RING_SLOTS - 1) % RING_SLOTS, RING_WAIT);

	return address - slot_va(ring, slot, 0) < RING_WAIT * sizeof(u32) ||
	       address - before < RING_WAIT_WORDS * sizeof(u32);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_within);

/* What comes before a job's own words. Returns the words written. */
static u32 write_before(struct vivgpu_ring *ring, u32 slot, const struct vivgpu_ring_job *job)
{
	u32 *start = slot_words(ring, slot) + RING_BEFORE, *at = start;

	if (job->mmu_state) {
		/* Caches go by address, and addresses mean other memory now. */
		at = load_state(at, GL_FLUSH_CACHE, GL_FLUSH_CACHE_TEXTURE |
				GL_FLUSH_CACHE_TEXTUREVS | GL_FLUSH_CACHE_SHADER_L1);
		at = load_state(at, job->mmu_state, job->mmu);
		at = wait_for_pixels(at);
	}
	if (job->first) {
		link_to(job->first + job->first_words, job->va, job->words + LINK_WORDS);
		at = link_to(at, job->first_va, job->first_words + LINK_WORDS);
	} else {
		at = link_to(at, job->va, job->words + LINK_WORDS);
	}
	return at - start;
}

/* What comes after them, up to the WAIT. Returns the words with the LINK. */
static u32 write_after(struct vivgpu_ring *ring, u32 slot, u32 event)
{
	u32 *start = slot_words(ring, slot) + RING_AFTER, *at = start;

	at = load_state(at, GL_FLUSH_CACHE, GL_FLUSH_CACHE_DEPTH | GL_FLUSH_CACHE_COLOR |
			GL_FLUSH_CACHE_SHADER_L1);
	at = load_state(at, TS_FLUSH_CACHE, 1);
	at = wait_for_pixels(at);
	load_state(at, GL_EVENT, GL_EVENT_FROM_PE | event);
	return wait_link(ring, slot) - start;
}

/**
 * vivgpu_ring_emit - give a job to the front end
 * @ring: the ring
 * @job: the job; its stream gets its last LINK here
 */
void vivgpu_ring_emit(struct vivgpu_ring *ring, const struct vivgpu_ring_job *job)
{
	u32 slot = (ring->slot + 1) % RING_SLOTS;
	u32 *wait = slot_words(ring, ring->slot) + RING_WAIT;
	u32 before = write_before(ring, slot, job);
	u32 after = write_after(ring, slot, job->event);

	link_to(job->stream + job->words, slot_va(ring, slot, RING_AFTER), after);
	wmb(); /* all of the job before the way to it */
	WRITE_ONCE(wait[1], slot_va(ring, slot, RING_BEFORE));
	wmb(); /* where to before go */
	WRITE_ONCE(wait[0], FE_COMMAND(FE_OP_LINK, before / 2));
	mb(); /* let the front end see it */
	ring->slot = slot;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_ring_emit);

/**
 * vivgpu_ring_event - write the words that report a timestamp point
 * @words: room for four, where the stream says VIVGPU_POINT_WORDS
 * @event: bit
 */
void vivgpu_ring_event(u32 *words, u32 event)
{
	words = load_state(words, GL_FLUSH_CACHE, GL_FLUSH_CACHE_DEPTH | GL_FLUSH_CACHE_COLOR);
	load_state(words, GL_EVENT, GL_EVENT_FROM_PE | event);
}

/**
 * vivgpu_ring_mmu_setup - commands that prepare the MMU before it is enabled
 * @words: where to
 * @mtlb: bus address of the first level
 * @safe: bus address of a page for accesses that go wrong
 *
 * Return: words written.
 */
u32 vivgpu_ring_mmu_setup(u32 *words, u32 mtlb, u32 safe)
{
	u32 *at = load_state(words, GL_PIPE_SELECT, 0);

	at = load_state(at, MMUV2_CONFIGURATION, mtlb);
	at = load_state(at, MMUV2_SAFE_ADDRESS, safe);
	at = wait_for_pixels(at);
	*at++ = FE_COMMAND(FE_OP_END, 0);
	*at++ = 0;
	return at - words;
}
