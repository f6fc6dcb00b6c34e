// SPDX-License-Identifier: GPL-2.0-only

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/string.h>

#include <kunit/visibility.h>

#include "vivgpu_regs.h"
#include "vivgpu_state.h"

/*
 * DOC: Isolation of the core's state between clients
 *
 * The core has one set of states (what LOAD_STATE writes: registers of its units,
 * textures, uniforms, shader instructions), without save and restore. A job could use the
 * values of the client before it, for instance read its uniforms or run its shaders.
 * Loading all 16,000 words at each switch of clients would take longer than most jobs.
 *
 * So the kernel records, at a granularity of blocks of 16 states, which states a stream
 * writes (the validator parses each command anyway), and for each block the client that
 * wrote it last. Before a job runs, blocks that another client wrote are set to zero,
 * unless the job's prologue loads them completely. What a job can read was then written by
 * its own client or is zero. The cost of a switch is proportional to what the other client
 * wrote, and zero if the next job is of the same client.
 *
 * A write to some addresses starts an operation instead of storing a value
 * (trigger_states); these are never written here. After a reset it is not known which
 * commands in the ring were executed, so every block that was ever written counts as
 * another client's.
 *
 * VS_ICACHE_CONTROL is the exception: one word holds the bit that enables the instruction
 * cache and the bits that flush it. The cache is indexed by GPU address, so its lines have
 * to be flushed when the address space changes. A client has filled the cache only if it
 * wrote this state, and then its block is set to zero before another client's job, with the
 * flush bits in place of zero. A prologue never counts as covering this block.
 *
 * The functions are pure; the caller serialises.
 */

#define BLOCK_WORDS	(VIVGPU_STATE_BLOCK / sizeof(u32))

/* A state without effect, used as padding of streams */
#define FILLER		0x3fffc

/* If another client wrote it, the kernel writes it even if a prologue loads it, see above. */
#define ICACHE_BLOCK	(VS_ICACHE_CONTROL / VIVGPU_STATE_BLOCK)

/**
 * struct area - states in rows
 * @first: address of the first one, in bytes
 * @words: states in a row
 * @rows: number of rows, 0 means one
 * @step: bytes from row to row
 */
struct area {
	u32 first;
	u16 words;
	u16 rows;
	u32 step;
};

/*
 * States a client may load: those that etnaviv's or this driver's user space writes.
 * tests/kernel/states.txt lists each state that has a name, with the reason why it is
 * permitted or not.
 */
static const struct area vivgpu_state_areas[] = {
	/* FE: vertex elements, index and vertex streams, attributes */
	{ 0x00600, 16 }, { 0x00644, 4 }, { 0x00674, 1 }, { 0x00680, 16 }, { 0x00780, 16 },
	{ 0x007c4, 1 },
	/* VS, and a part of PS; what follows starts compute jobs */
	{ 0x00800, 13 }, { 0x00838, 1 }, { 0x0085c, 11 },
	{ 0x0088c, 1 }, { 0x008a0, 1 }, { 0x008a8, 1 }, { 0x008b0, 1 }, { 0x008bc, 17 },
	/* PA */
	{ 0x00a00, 8 }, { 0x00a28, 30 }, { 0x00aa8, 1 },
	/* SE: scissor, clipping */
	{ 0x00c00, 7 }, { 0x00c20, 2 },
	/* RA */
	{ 0x00e00, 9 }, { 0x00e40, 16 },
	/* PS */
	{ 0x01000, 5 }, { 0x01018, 2 }, { 0x01024, 4 }, { 0x0103c, 1 }, { 0x01048, 1 },
	{ 0x01054, 2 }, { 0x01080, 6 },
	/* PE */
	{ 0x01400, 14 }, { 0x01454, 1 }, { 0x01460, 25 }, { 0x01500, 3, 3, 0x20 },
	{ 0x01580, 3 },
	/* RS and TS */
	{ 0x01600, 6 }, { 0x01620, 1 }, { 0x01630, 2 }, { 0x0163c, 15 }, { 0x016a0, 1 },
	{ 0x016b0, 1 }, { 0x016b8, 82 },
	/* TS of further targets */
	{ 0x01a00, 16 }, { 0x01a80, 8 },
	/* TE: textures, by kind of state */
	{ 0x02000, 12, 4, 0x40 }, { 0x02180, 12, 2, 0x40 }, { 0x02400, 12, 14, 0x40 },
	{ 0x02c00, 12, 14, 0x40 },
	/* GL: flushes, varyings, queries, API mode; for pipe and tokens see vivgpu_validate.c */
	{ 0x0380c, 1 }, { 0x03814, 10 }, { 0x0384c, 1 }, { 0x03854, 1 }, { 0x03860, 1 },
	/* SH: instructions and uniforms of older cores, instructions of newer ones */
	{ 0x04000, 12288 },
	/* NTE: textures, by kind of state; then by texture */
	{ 0x10000, 128 }, { 0x10280, 96 }, { 0x10500, 32 }, { 0x10700, 32 },
	{ 0x10800, 14, 32, 0x40 },
	/* NFE: vertex streams */
	{ 0x14600, 48 },
	/* PE: further targets */
	{ 0x14800, 79 }, { 0x14960, 7, 3, 0x20 },
	/* SH: configuration, instruction cache */
	{ 0x15600, 2 },
	/* NFE: generic attributes */
	{ 0x17800, 32 }, { 0x17a00, 64 },
	/* SH: uniforms */
	{ 0x30000, 2048 },
	/* a word without effect, used as filler */
	{ FILLER, 1 },
};

/* Permitted states whose write starts an operation, ascending */
static const u32 vivgpu_state_trigger_states[] = {
	0x0088c,	/* VS: prefetch instructions */
	0x008b0,	/* VS: invalidate the instruction cache */
	0x01048,	/* PS: prefetch instructions */
	0x01600,	/* RS: resolve a window */
	0x01650,	/* TS: flush */
	0x016b0,	/* RS: resolve in place */
	0x0380c,	/* GL: flush caches */
	0x03824,	/* GL: begin counting samples */
	0x03830,	/* GL: end counting samples */
};

/* The permitted states as a bit for each word; constant after vivgpu_state_init(). */
static DECLARE_BITMAP(vivgpu_state_permitted_words, VIVGPU_STATE_WORDS);

/**
 * vivgpu_state_permitted - check whether a client may load a range of states
 * @address: address of the first word, in bytes
 * @count: number of consecutive words
 *
 * Return: true if it may load each of them.
 */
bool vivgpu_state_permitted(u32 address, u32 count)
{
	u32 first = address / sizeof(u32), end = first + count;
	const unsigned long *bits = vivgpu_state_permitted_words;

	if (end > VIVGPU_STATE_WORDS)
		return false;
	/* Mostly one word of the bitmap has all of them: a comparison is shorter than a search. */
	if (count && first / BITS_PER_LONG == (end - 1) / BITS_PER_LONG)
		return !(~bits[first / BITS_PER_LONG] &
			 GENMASK((end - 1) % BITS_PER_LONG, first % BITS_PER_LONG));

	return find_next_zero_bit(bits, end, first) >= end;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_permitted);

/**
 * vivgpu_state_is_trigger - check whether a load of a range of states starts an operation
 * @address: address of the first word, in bytes
 * @count: number of consecutive words
 *
 * Return: true if one of them starts an operation.
 */
bool vivgpu_state_is_trigger(u32 address, u32 count)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vivgpu_state_trigger_states); i++) {
		if (vivgpu_state_trigger_states[i] >= address &&
		    vivgpu_state_trigger_states[i] < address + count * sizeof(u32))
			return true;
	}

	return false;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_is_trigger);

/* Mask, for each block, of the states that store a value; constant after vivgpu_state_init(). */
static u16 vivgpu_state_storage_masks[VIVGPU_STATE_BLOCKS];

#define ALL_STORAGE	GENMASK(BLOCK_WORDS - 1, 0)
static_assert(sizeof(vivgpu_state_storage_masks[0]) * BITS_PER_BYTE == BLOCK_WORDS);

static void vivgpu_state_add_area(unsigned long *words, const struct area *area)
{
	u32 row = 0;

	do {
		bitmap_set(words, (area->first + row * area->step) / sizeof(u32), area->words);
	} while (++row < area->rows);
}

/**
 * vivgpu_state_init - compute the tables; may be called more than once
 */
void vivgpu_state_init(void)
{
	size_t i;
	u32 at;

	for (i = 0; i < ARRAY_SIZE(vivgpu_state_areas); i++)
		vivgpu_state_add_area(vivgpu_state_permitted_words, &vivgpu_state_areas[i]);
	for (at = 0; at < VIVGPU_STATE_END; at += sizeof(u32)) {
		if (vivgpu_state_permitted(at, 1) && !vivgpu_state_is_trigger(at, 1) &&
		    at != FILLER)
			vivgpu_state_storage_masks[at / VIVGPU_STATE_BLOCK] |=
				1u << at % VIVGPU_STATE_BLOCK / sizeof(u32);
	}
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_init);

/**
 * vivgpu_states_add - add the blocks of a range of states to a set
 * @states: the set
 * @address: address of the first word, in bytes
 * @count: number of consecutive words, at least 1
 */
void vivgpu_states_add(struct vivgpu_states *states, u32 address, u32 count)
{
	u32 first = address / VIVGPU_STATE_BLOCK;
	u32 last = (address + 4 * count - 1) / VIVGPU_STATE_BLOCK;

	if (first == last)
		__set_bit(first, states->bits);
	else
		bitmap_set(states->bits, first, last - first + 1);
	states->any = true;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_states_add);

/**
 * vivgpu_states_load - add the blocks of a range of states to a set if a client may load it
 * @states: the set
 * @address: address of the first word, in bytes
 * @count: number of consecutive words, at least 1
 *
 * Return: true if it may load each of them; otherwise the set is not changed.
 */
bool vivgpu_states_load(struct vivgpu_states *states, u32 address, u32 count)
{
	if (!vivgpu_state_permitted(address, count))
		return false;

	vivgpu_states_add(states, address, count);
	return true;
}

/**
 * vivgpu_states_merge - add all blocks of one set to another
 * @states: the set that grows
 * @more: the blocks to add
 */
void vivgpu_states_merge(struct vivgpu_states *states, const struct vivgpu_states *more)
{
	bitmap_or(states->bits, states->bits, more->bits, VIVGPU_STATE_BLOCKS);
	states->any |= more->any;
}

/* True if a set of words contains each state of a block, and the kernel need not write it. */
static bool vivgpu_state_is_covered(const unsigned long *words, u32 block)
{
	u32 written = bitmap_read(words, block * BLOCK_WORDS, BLOCK_WORDS);

	return block != ICACHE_BLOCK && !(vivgpu_state_storage_masks[block] & ~written);
}

/**
 * vivgpu_states_covered - compute the blocks that are written completely
 * @covered: the blocks, replaced
 * @words: a bit for each of VIVGPU_STATE_WORDS that is written
 *
 * The block of VS_ICACHE_CONTROL is never one of them.
 */
void vivgpu_states_covered(struct vivgpu_states *covered, const unsigned long *words)
{
	u32 block;

	bitmap_zero(covered->bits, VIVGPU_STATE_BLOCKS);
	covered->any = true;
	for (block = 0; block < VIVGPU_STATE_BLOCKS; block++) {
		if (vivgpu_state_is_covered(words, block))
			__set_bit(block, covered->bits);
	}
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_states_covered);

/**
 * vivgpu_state_foreign - compute the blocks to be set to zero before a client's job
 * @core: owners of the core's states
 * @client: client of the job
 * @covered: blocks that its prologue loads completely
 * @foreign: the blocks, replaced
 */
void vivgpu_state_foreign(const struct vivgpu_core_state *core, u64 client,
			  const struct vivgpu_states *covered, struct vivgpu_states *foreign)
{
	u32 block;

	if (foreign->any)
		bitmap_zero(foreign->bits, VIVGPU_STATE_BLOCKS);
	foreign->any = false;
	if (core->client == client)
		return;

	for_each_andnot_bit(block, core->dirty.bits, covered->bits, VIVGPU_STATE_BLOCKS) {
		if (core->owner[block] == client)
			continue;
		__set_bit(block, foreign->bits);
		foreign->any = true;
	}
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_foreign);

/**
 * struct run - states that one command will set to zero
 * @words: receives the commands, or NULL to only count their words
 * @size: words of the commands so far
 * @start: address of the first state
 * @count: number of states, 0 if there is no run
 * @icache_control: value for VS_ICACHE_CONTROL
 */
struct run {
	u32 *words;
	u32 size;
	u32 start;
	u32 count;
	u32 icache_control;
};

/* Write the LOAD_STATE of a run, padded to 64 bit. */
static void vivgpu_state_end_run(struct run *run)
{
	u32 size = round_up(1 + run->count, 2);
	u32 icache = (VS_ICACHE_CONTROL - run->start) / sizeof(u32);

	if (!run->count)
		return;
	if (run->words) {
		u32 *at = run->words + run->size;

		memset(at, 0, size * sizeof(u32));
		*at = FE_COMMAND(FE_OP_LOAD_STATE, run->count << 16 | run->start >> 2);
		if (run->start <= VS_ICACHE_CONTROL && icache < run->count)
			at[1 + icache] = run->icache_control;
	}
	run->size += size;
	run->count = 0;
}

/*
 * Add states to a run, or end it and begin another one. The field of the count has 10 bits,
 * so a run has at most 1023 states.
 */
static void vivgpu_state_add_to_run(struct run *run, u32 address, u32 count)
{
	if (address != run->start + sizeof(u32) * run->count ||
	    run->count + count > FE_MAX_LOAD_STATE_COUNT)
		vivgpu_state_end_run(run);
	if (!run->count)
		run->start = address;
	run->count += count;
}

/**
 * vivgpu_state_scrub - write the commands that set states to zero
 * @words: destination, or NULL to count only
 * @states: blocks
 * @icache_control: value for VS_ICACHE_CONTROL: VS_ICACHE_CONTROL_FLUSH on a core with an
 * instruction cache, which disables the cache, too; else 0
 *
 * Return: words written, even.
 */
u32 vivgpu_state_scrub(u32 *words, const struct vivgpu_states *states, u32 icache_control)
{
	struct run run = { .words = words, .icache_control = icache_control };
	u32 block;

	if (!states->any)
		return 0;

	for_each_set_bit(block, states->bits, VIVGPU_STATE_BLOCKS) {
		u32 address = block * VIVGPU_STATE_BLOCK;
		unsigned long mask = vivgpu_state_storage_masks[block];
		u32 word;

		if (mask == ALL_STORAGE) {
			vivgpu_state_add_to_run(&run, address, BLOCK_WORDS);
			continue;
		}
		for_each_set_bit(word, &mask, BLOCK_WORDS)
			vivgpu_state_add_to_run(&run, address + word * sizeof(u32), 1);
	}

	vivgpu_state_end_run(&run);
	return run.size;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_scrub);

/**
 * vivgpu_state_emitted - record the writes of a job that enters the ring
 * @core: owners of the core's states at the end of the ring
 * @client: client of the job
 * @scrubbed: blocks that were set to zero before it
 * @written: blocks that it writes
 */
void vivgpu_state_emitted(struct vivgpu_core_state *core, u64 client,
			  const struct vivgpu_states *scrubbed, const struct vivgpu_states *written)
{
	unsigned long bits;
	u32 word, bit;

	core->client = client;
	if (!written->any && !scrubbed->any)
		return;

	/* Most jobs write few blocks: skip words of the bitmaps without any. */
	for (word = 0; word < BITS_TO_LONGS(VIVGPU_STATE_BLOCKS); word++) {
		bits = written->bits[word];
		if (!(bits | scrubbed->bits[word]))
			continue;

		core->dirty.bits[word] &= ~scrubbed->bits[word];
		core->dirty.bits[word] |= bits;
		core->ever_written.bits[word] |= bits;
		for_each_set_bit(bit, &bits, BITS_PER_LONG)
			core->owner[word * BITS_PER_LONG + bit] = client;
	}
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_emitted);

/**
 * vivgpu_state_mark_unknown - make the owner of all written blocks unknown, after a reset
 * @core: owners of the core's states
 */
void vivgpu_state_mark_unknown(struct vivgpu_core_state *core)
{
	bitmap_copy(core->dirty.bits, core->ever_written.bits, VIVGPU_STATE_BLOCKS);
	memset(core->owner, 0, sizeof(core->owner));
	core->client = 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_state_mark_unknown);

/*
 * Ring buffer of memory for the commands that set states to zero before a job. It is mapped
 * read-only in each address space at VIVGPU_SCRUB_VA. A client can read it with the GPU; it
 * contains only zeros and addresses of states, so the only thing a client learns is which
 * states other clients used. Pure arithmetic; the caller serialises.
 */

/* Words left unused at the end of the buffer, so that an allocation does not wrap. */
static u32 vivgpu_state_scrub_wrap_padding(const struct vivgpu_scrub *scrub, u32 count)
{
	u32 at = scrub->head % VIVGPU_SCRUB_WORDS;

	return at + count > VIVGPU_SCRUB_WORDS ? VIVGPU_SCRUB_WORDS - at : 0;
}

/**
 * vivgpu_scrub_fits - check whether an allocation fits into the free memory
 * @scrub: the memory
 * @count: words
 *
 * Return: true if vivgpu_scrub_alloc() may be called.
 */
bool vivgpu_scrub_fits(const struct vivgpu_scrub *scrub, u32 count)
{
	return scrub->head - scrub->tail + vivgpu_state_scrub_wrap_padding(scrub, count) + count <=
	       VIVGPU_SCRUB_WORDS;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_fits);

/**
 * vivgpu_scrub_alloc - allocate words
 * @scrub: the memory; vivgpu_scrub_fits() has returned true
 * @count: words
 *
 * Return: index of the first word. The caller keeps &vivgpu_scrub.head as the end of the
 * allocation, for vivgpu_scrub_free().
 */
u32 vivgpu_scrub_alloc(struct vivgpu_scrub *scrub, u32 count)
{
	u32 at;

	scrub->head += vivgpu_state_scrub_wrap_padding(scrub, count);
	at = scrub->head % VIVGPU_SCRUB_WORDS;
	scrub->head += count;
	return at;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_alloc);

/**
 * vivgpu_scrub_free - free an allocation and all earlier ones
 * @scrub: the memory
 * @end: end of the allocation; if that is free already, nothing happens
 */
void vivgpu_scrub_free(struct vivgpu_scrub *scrub, u32 end)
{
	if ((s32)(end - scrub->tail) > 0)
		scrub->tail = end;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_free);

/**
 * vivgpu_scrub_reset - free all allocations, after a reset
 * @scrub: the memory
 *
 * Head and tail do not go back to zero. Jobs that are failed after the reset still call
 * vivgpu_scrub_free() with their old ends, which are not after the new tail and have no effect.
 */
void vivgpu_scrub_reset(struct vivgpu_scrub *scrub)
{
	scrub->head = round_up(scrub->head, VIVGPU_SCRUB_WORDS);
	scrub->tail = scrub->head;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_reset);
