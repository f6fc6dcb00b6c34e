// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the parts that need no hardware: the validator, the ring, the
 * event bits, the arithmetic of time, and the layout of the interface.
 */

#include <kunit/test.h>

#include <linux/build_bug.h>

#include <drm/vivgpu_drm.h>

#include "../vivgpu_cmd_slot.h"
#include "../vivgpu_compat.h"
#include "../vivgpu_event.h"
#include "../vivgpu_job.h"
#include "../vivgpu_mmu_table.h"
#include "../vivgpu_regs.h"
#include "../vivgpu_ring.h"
#include "../vivgpu_scrub.h"
#include "../vivgpu_state.h"
#include "../vivgpu_usage.h"
#include "../vivgpu_validate.h"

#define LOAD(address, count)	FE_COMMAND(FE_OP_LOAD_STATE, (count) << 16 | (address) >> 2)

/* The layout is the same for 32 and 64 bit callers: no pointers, no holes. */
static_assert(sizeof(struct drm_vivgpu_get_param) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_create) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_info) == 32);
static_assert(sizeof(struct drm_vivgpu_bo_prep) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_fini) == 8);
static_assert(sizeof(struct drm_vivgpu_queue_create) == 24);
static_assert(sizeof(struct drm_vivgpu_queue_destroy) == 8);
static_assert(sizeof(struct drm_vivgpu_submit_bo) == 8);
static_assert(sizeof(struct drm_vivgpu_piece) == 16);
static_assert(sizeof(struct drm_vivgpu_sync) == 16);
static_assert(sizeof(struct drm_vivgpu_point) == 32);
static_assert(sizeof(struct drm_vivgpu_counter) == 24);
static_assert(sizeof(struct drm_vivgpu_submit) == 112);
static_assert(offsetof(struct drm_vivgpu_submit, cookie) == 88);
static_assert(sizeof(struct drm_vivgpu_perf_domain) == 32);
static_assert(sizeof(struct drm_vivgpu_perf_signal) == 64);
static_assert(sizeof(struct drm_vivgpu_bo_label) == 16);
static_assert(sizeof(struct drm_vivgpu_bo_madvise) == 16);
static_assert(sizeof(struct drm_vivgpu_get_time) == 32);
static_assert(sizeof(struct drm_vivgpu_stream_open) == 16);
static_assert(sizeof(struct drm_vivgpu_record) == 128);
static_assert(offsetof(struct drm_vivgpu_record, client) == 24);
static_assert(sizeof(struct drm_vivgpu_reset_query) == 16);
static_assert(VIVGPU_MAX_POINTS < VIVGPU_CREDITS && VIVGPU_CREDITS < VIVGPU_EVENT_BITS);
static_assert(VIVGPU_CREDITS < RING_SLOTS);

static int check(const u32 *words, size_t count)
{
	static struct vivgpu_states written;
	size_t where;

	return vivgpu_validate(words, count, &where, &written);
}

static void validate_permits_drawing(struct kunit *test)
{
	const u32 stream[] = {
		LOAD(0x0a00, 3), 1, 2, 3,
		LOAD(GL_SEMAPHORE_TOKEN, 1), TOKEN(RECIPIENT_FE, RECIPIENT_PE),
		FE_COMMAND(FE_OP_STALL, 0), TOKEN(RECIPIENT_FE, RECIPIENT_PE),
		LOAD(GL_SEMAPHORE_TOKEN, 1), TOKEN(RECIPIENT_RA, RECIPIENT_PE),
		LOAD(GL_STALL_TOKEN, 1), TOKEN(RECIPIENT_RA, RECIPIENT_PE),
		LOAD(GL_PIPE_SELECT, 1), GL_PIPE_SELECT_3D,
		FE_COMMAND(FE_OP_DRAW, 0), 4, 0, 1,
		FE_COMMAND(FE_OP_NOP, 0), 0,
	};

	KUNIT_EXPECT_EQ(test, check(stream, ARRAY_SIZE(stream)), 0);
	KUNIT_EXPECT_EQ(test, check(stream, 0), 0);
}

static void validate_refuses_privileged_commands(struct kunit *test)
{
	static const u32 first[] = {
		LOAD(MMUV2_CONFIGURATION, 1), LOAD(MMUV2_SAFE_ADDRESS, 1), LOAD(GL_EVENT, 1),
		LOAD(FE_COMMAND_ADDRESS, 1), LOAD(HI_CLOCK_CONTROL, 1),
		FE_COMMAND(FE_OP_END, 0), FE_COMMAND(FE_OP_LINK, 2), FE_COMMAND(FE_OP_CALL, 2),
		FE_COMMAND(FE_OP_RETURN, 0), FE_COMMAND(FE_OP_WAIT, 9),
		FE_COMMAND(FE_OP_DRAW_2D, 0), FE_COMMAND(FE_OP_CHIP_SELECT, 0),
		FE_COMMAND(FE_OP_STALL, 0), LOAD(GL_STALL_TOKEN, 1), LOAD(GL_FLUSH_MMU, 1),
		FE_COMMAND(0, 0), FE_COMMAND(31, 0),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(first); i++) {
		const u32 stream[] = { first[i], 0 };

		KUNIT_EXPECT_EQ_MSG(test, check(stream, 2), -EPERM, "%08x", first[i]);
	}
}

/* GL_PIPE_SELECT and GL_SEMAPHORE_TOKEN are permitted in one form each. */
static void validate_restricts_forms(struct kunit *test)
{
	static const u32 token = TOKEN(RECIPIENT_FE, RECIPIENT_PE);
	static const u32 bad[][4] = {
		{ LOAD(GL_PIPE_SELECT, 1), 1, FE_COMMAND(FE_OP_NOP, 0), 0 },
		/* no stall; a stall for another unit; stalls of the wrong kind; two tokens */
		{ LOAD(GL_SEMAPHORE_TOKEN, 1), token, FE_COMMAND(FE_OP_NOP, 0), 0 },
		{ LOAD(GL_SEMAPHORE_TOKEN, 1), token, FE_COMMAND(FE_OP_STALL, 0),
		  TOKEN(RECIPIENT_FE, RECIPIENT_RA) },
		{ LOAD(GL_SEMAPHORE_TOKEN, 1), token, LOAD(GL_STALL_TOKEN, 1), token },
		{ LOAD(GL_SEMAPHORE_TOKEN, 1), TOKEN(RECIPIENT_RA, RECIPIENT_PE),
		  FE_COMMAND(FE_OP_STALL, 0), TOKEN(RECIPIENT_RA, RECIPIENT_PE) },
		{ LOAD(GL_SEMAPHORE_TOKEN, 2), token, 0, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, check(bad[i], 4), -EPERM, "stream %zu", i);
	/* cut off before its stall */
	KUNIT_EXPECT_EQ(test, check(bad[1], 2), -EINVAL);
}

static void validate_checks_each_word_of_a_load(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, vivgpu_state_permitted(GL_FLUSH_CACHE, 1));
	KUNIT_EXPECT_FALSE(test, vivgpu_state_permitted(GL_FLUSH_CACHE, 2));
	/* a row of textures' states, and what lies between two rows */
	KUNIT_EXPECT_TRUE(test, vivgpu_state_permitted(0x2400, 12));
	KUNIT_EXPECT_FALSE(test, vivgpu_state_permitted(0x2400, 13));
	KUNIT_EXPECT_TRUE(test, vivgpu_state_permitted(0x2740, 12));
	KUNIT_EXPECT_FALSE(test, vivgpu_state_permitted(0x644, 5));
	KUNIT_EXPECT_TRUE(test, vivgpu_state_permitted(0x30000, 1024));
	KUNIT_EXPECT_FALSE(test, vivgpu_state_permitted(0x3fffc, 2));
}

static void validate_refuses_cut_commands(struct kunit *test)
{
	const u32 load[] = { LOAD(0x0a00, 3), 1 };
	const u32 no_count[] = { LOAD(0x4000, 0), 1 };
	const u32 draw[] = { FE_COMMAND(FE_OP_DRAW_INDEXED, 0), 4, 0, 1 };

	KUNIT_EXPECT_EQ(test, check(load, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(no_count, 2), -EPERM);
	KUNIT_EXPECT_EQ(test, check(draw, 4), -EINVAL);
}

/* Follow the links from the idle ring through two jobs, as a front end does. */
static void ring_links_jobs(struct kunit *test)
{
	struct vivgpu_ring ring = { .va = 0x100000 };
	u32 stream[4] = { FE_COMMAND(FE_OP_NOP, 0), 0 };
	struct vivgpu_ring_job job = {
		.stream = stream, .va = 0x400000, .words = 2, .event = 7,
		.mmu_state = MMUV2_CONFIGURATION, .mmu = 0x1010,
	};
	u32 *words, at;

	ring.words = kunit_kzalloc(test, RING_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring.words);
	at = (vivgpu_ring_start(&ring) - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_WAIT);

	vivgpu_ring_emit(&ring, &job);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_LINK);
	words = ring.words + (ring.words[at + 1] - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, words[0], LOAD(GL_FLUSH_CACHE, 1));
	KUNIT_EXPECT_EQ(test, words[2], LOAD(MMUV2_CONFIGURATION, 1));
	KUNIT_EXPECT_EQ(test, words[3], 0x1010);
	KUNIT_EXPECT_EQ(test, words[8], FE_COMMAND(FE_OP_LINK, 2));
	KUNIT_EXPECT_EQ(test, words[9], 0x400000);

	KUNIT_EXPECT_EQ(test, FE_OPCODE(stream[2]), FE_OP_LINK);
	words = ring.words + (stream[3] - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, words[8], LOAD(GL_EVENT, 1));
	KUNIT_EXPECT_EQ(test, words[9], GL_EVENT_FROM_PE | 7);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(words[10]), FE_OP_WAIT);
	KUNIT_EXPECT_EQ(test, words[13], vivgpu_ring_idle(&ring));
}

/* The ring links to the scrub commands, and these link to the job's stream. */
static void ring_runs_scrub_commands(struct kunit *test)
{
	struct vivgpu_ring ring = { .va = 0x100000 };
	u32 stream[4] = { }, first[6] = { }, *words;
	struct vivgpu_ring_job job = {
		.stream = stream, .va = 0x400000, .words = 2,
		.first = first, .first_va = 0x200000, .first_words = 4,
	};

	ring.words = kunit_kzalloc(test, RING_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring.words);
	words = ring.words + (vivgpu_ring_start(&ring) - ring.va) / sizeof(u32);
	vivgpu_ring_emit(&ring, &job);
	words = ring.words + (words[1] - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, words[0], FE_COMMAND(FE_OP_LINK, 3));
	KUNIT_EXPECT_EQ(test, words[1], 0x200000);
	KUNIT_EXPECT_EQ(test, first[4], FE_COMMAND(FE_OP_LINK, 2));
	KUNIT_EXPECT_EQ(test, first[5], 0x400000);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(stream[2]), FE_OP_LINK);
}

/* Each job takes the next slot, modulo RING_SLOTS; the last slot's LINK loops in the slot. */
static void ring_wraps(struct kunit *test)
{
	struct vivgpu_ring ring = { .va = 0x100000 };
	u32 stream[4] = { };
	struct vivgpu_ring_job job = { .stream = stream, .words = 2 };
	u32 i, *wait;

	ring.words = kunit_kzalloc(test, RING_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring.words);
	vivgpu_ring_start(&ring);
	for (i = 0; i < 2 * RING_SLOTS + 1; i++)
		vivgpu_ring_emit(&ring, &job);
	KUNIT_EXPECT_EQ(test, ring.slot, 1);
	wait = ring.words + (vivgpu_ring_idle(&ring) - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(wait[0]), FE_OP_WAIT);
	KUNIT_EXPECT_EQ(test, wait[3], vivgpu_ring_idle(&ring));
}

/* Execute LOAD_STATE commands as a front end does: store their values in @states. */
static void load(u32 *states, const u32 *words, u32 count)
{
	u32 i, j;

	for (i = 0; i < count; i += round_up(1 + FE_LOAD_STATE_COUNT(words[i]), 2)) {
		for (j = 0; j < FE_LOAD_STATE_COUNT(words[i]); j++)
			states[FE_LOAD_STATE_ADDRESS(words[i]) / 4 + j] = words[i + 1 + j];
	}
}

/* States that clients may write are zero afterwards, except triggers; others are unchanged. */
static void scrub_clears_all_storage_states(struct kunit *test)
{
	u32 *states = kunit_kmalloc_array(test, VIVGPU_STATE_WORDS, sizeof(u32), GFP_KERNEL);
	struct vivgpu_states *all = kunit_kzalloc(test, sizeof(*all), GFP_KERNEL);
	u32 *words = kunit_kzalloc(test, VIVGPU_SCRUB_BYTES, GFP_KERNEL);
	u32 at, count, wrong = 0;
	size_t where;

	KUNIT_ASSERT_TRUE(test, states && all && words);
	bitmap_fill(all->bits, VIVGPU_STATE_BLOCKS);
	all->any = true;
	count = vivgpu_state_scrub(NULL, all, 0);
	/* two of the largest size fit into the memory, wherever the allocations begin */
	KUNIT_ASSERT_LE(test, 2 * (count + LINK_WORDS), (u32)VIVGPU_SCRUB_WORDS);
	KUNIT_EXPECT_EQ(test, vivgpu_state_scrub(words, all, 0), count);
	KUNIT_EXPECT_EQ(test, vivgpu_validate(words, count, &where, all), 0);
	kunit_info(test, "all states: %u words\n", count);

	memset32(states, 1, VIVGPU_STATE_WORDS);
	load(states, words, count);
	for (at = 0; at < VIVGPU_STATE_END; at += 4)
		wrong += states[at / 4] && vivgpu_state_permitted(at, 1);
	/* the triggers, and the filler */
	KUNIT_EXPECT_EQ(test, wrong, 10);
	for (at = 0; at < VIVGPU_STATE_END; at += 4)
		wrong += !states[at / 4] && !vivgpu_state_permitted(at, 1);
	KUNIT_EXPECT_EQ(test, wrong, 10);
	KUNIT_EXPECT_EQ(test, states[0x1600 / 4], 1);
	KUNIT_EXPECT_EQ(test, states[0x1604 / 4], 0);
}

/*
 * The instruction cache is flushed when its control state is set to zero for another
 * client, and a prologue that loads the whole block does not prevent that.
 */
static void scrub_flushes_instruction_cache(struct kunit *test)
{
	static const u32 expected[] = {
		LOAD(0x085c, 7), 0, 0, 0, VS_ICACHE_CONTROL_FLUSH, 0, 0, 0,
		LOAD(0x087c, 1), 0,
	};
	static const u32 prologue[] = {
		LOAD(0x085c, 7), 1, 1, 1, 1, 1, 1, 1, LOAD(0x087c, 1), 1,
	};
	struct vivgpu_states *sets = kunit_kcalloc(test, 2, sizeof(*sets), GFP_KERNEL);
	struct vivgpu_states *icache = &sets[0], *covered = &sets[1];
	unsigned long *loaded = kunit_kcalloc(test, BITS_TO_LONGS(VIVGPU_STATE_WORDS),
					      sizeof(long), GFP_KERNEL);
	u32 words[ARRAY_SIZE(expected)];

	KUNIT_ASSERT_TRUE(test, sets && loaded);
	vivgpu_states_add(icache, VS_ICACHE_CONTROL, 1);
	KUNIT_ASSERT_EQ(test, vivgpu_state_scrub(NULL, icache, VS_ICACHE_CONTROL_FLUSH),
			ARRAY_SIZE(expected));
	vivgpu_state_scrub(words, icache, VS_ICACHE_CONTROL_FLUSH);
	KUNIT_EXPECT_MEMEQ(test, words, expected, sizeof(expected));

	vivgpu_validate_loads(prologue, ARRAY_SIZE(prologue), loaded);
	vivgpu_states_covered(covered, loaded);
	KUNIT_EXPECT_FALSE(test, test_bit(VS_ICACHE_CONTROL / VIVGPU_STATE_BLOCK, covered->bits));
}

/* Only blocks that another client wrote and the prologue does not load are cleared. */
static void state_is_not_inherited(struct kunit *test)
{
	struct vivgpu_core_state *core = kunit_kzalloc(test, sizeof(*core), GFP_KERNEL);
	struct vivgpu_states *sets = kunit_kcalloc(test, 4, sizeof(*sets), GFP_KERNEL);
	struct vivgpu_states *uniforms = &sets[0], *none = &sets[1], *blend = &sets[2];
	struct vivgpu_states *foreign = &sets[3];

	KUNIT_ASSERT_TRUE(test, core && sets);
	vivgpu_states_add(uniforms, 0x30000, 20);
	vivgpu_states_add(blend, 0x1400, 4);
	KUNIT_EXPECT_EQ(test, bitmap_weight(uniforms->bits, VIVGPU_STATE_BLOCKS), 2);

	vivgpu_state_emitted(core, 1, none, uniforms);
	vivgpu_state_foreign(core, 1, none, foreign);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(foreign->bits, VIVGPU_STATE_BLOCKS));
	/* another client whose prologue loads the same blocks */
	vivgpu_state_foreign(core, 2, uniforms, foreign);
	KUNIT_EXPECT_TRUE(test, bitmap_empty(foreign->bits, VIVGPU_STATE_BLOCKS));
	vivgpu_state_foreign(core, 2, none, foreign);
	KUNIT_EXPECT_TRUE(test, bitmap_equal(foreign->bits, uniforms->bits, VIVGPU_STATE_BLOCKS));

	/* numbers of clients have 64 bits */
	vivgpu_state_foreign(core, (1ull << 32) + 1, none, foreign);
	KUNIT_EXPECT_TRUE(test, bitmap_equal(foreign->bits, uniforms->bits, VIVGPU_STATE_BLOCKS));

	/* cleared blocks have no owner; the blocks of the second client are foreign to the first */
	vivgpu_state_emitted(core, 2, foreign, blend);
	vivgpu_state_foreign(core, 1, none, foreign);
	KUNIT_EXPECT_TRUE(test, bitmap_equal(foreign->bits, blend->bits, VIVGPU_STATE_BLOCKS));

	/* after a reset the owner of each written block is unknown */
	vivgpu_state_mark_unknown(core);
	vivgpu_state_foreign(core, 2, none, foreign);
	KUNIT_EXPECT_EQ(test, bitmap_weight(foreign->bits, VIVGPU_STATE_BLOCKS), 3);
}

/* A block counts as loaded only if each state in it is. */
static void prologues_cover_whole_blocks(struct kunit *test)
{
	const u32 part[] = { LOAD(0x30000, 15), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	const u32 rest[] = { LOAD(0x3003c, 1), 0 };
	unsigned long *loaded = kunit_kcalloc(test, BITS_TO_LONGS(VIVGPU_STATE_WORDS),
					      sizeof(long), GFP_KERNEL);
	struct vivgpu_states *covered = kunit_kzalloc(test, sizeof(*covered), GFP_KERNEL);
	u32 block = 0x30000 / VIVGPU_STATE_BLOCK;

	KUNIT_ASSERT_TRUE(test, loaded && covered);
	vivgpu_validate_loads(part, ARRAY_SIZE(part), loaded);
	vivgpu_states_covered(covered, loaded);
	KUNIT_EXPECT_FALSE(test, test_bit(block, covered->bits));
	vivgpu_validate_loads(rest, ARRAY_SIZE(rest), loaded);
	vivgpu_states_covered(covered, loaded);
	KUNIT_EXPECT_TRUE(test, test_bit(block, covered->bits));
	KUNIT_EXPECT_FALSE(test, test_bit(block + 1, covered->bits));
}

/* A prologue may run while the core holds another client's state, so it may not use state. */
static void prologues_only_load(struct kunit *test)
{
	const u32 load[] = { LOAD(0x1640, 4), 1, 2, 3, 4, 0, FE_COMMAND(FE_OP_NOP, 0), 0,
			     LOAD(0x3fffc, 1), 0, LOAD(GL_PIPE_SELECT, 1), GL_PIPE_SELECT_3D };
	const u32 kick[] = { LOAD(0x1600, 1), 0xbadabeeb };
	const u32 range[] = { LOAD(0x15fc, 4), 0, 0, 0, 0, 0 };
	const u32 draw[] = { FE_COMMAND(FE_OP_DRAW, 0), 4, 0, 1 };
	const u32 count[] = { LOAD(0x3824, 1), 0 };

	KUNIT_EXPECT_TRUE(test, vivgpu_validate_prologue(load, ARRAY_SIZE(load)));
	KUNIT_EXPECT_FALSE(test, vivgpu_validate_prologue(kick, ARRAY_SIZE(kick)));
	KUNIT_EXPECT_FALSE(test, vivgpu_validate_prologue(draw, ARRAY_SIZE(draw)));
	KUNIT_EXPECT_FALSE(test, vivgpu_validate_prologue(count, ARRAY_SIZE(count)));
	KUNIT_EXPECT_TRUE(test, vivgpu_state_is_trigger(0x15fc, 2));
	KUNIT_EXPECT_FALSE(test, vivgpu_state_is_trigger(0x1604, 3));
	KUNIT_EXPECT_EQ(test, check(range, ARRAY_SIZE(range)), -EPERM);
}

/* Parts are in one piece, and memory in use is not given again. */
static void scrub_memory_wraps(struct kunit *test)
{
	struct vivgpu_scrub scrub = { };
	u32 most = VIVGPU_SCRUB_WORDS / 2 - 1, end;

	KUNIT_EXPECT_EQ(test, vivgpu_scrub_alloc(&scrub, most), 0);
	end = scrub.head;
	KUNIT_EXPECT_EQ(test, vivgpu_scrub_alloc(&scrub, most), most);
	KUNIT_EXPECT_FALSE(test, vivgpu_scrub_fits(&scrub, 4));
	vivgpu_scrub_free(&scrub, end);
	/* two words are left behind the second part */
	KUNIT_EXPECT_TRUE(test, vivgpu_scrub_fits(&scrub, most));
	KUNIT_EXPECT_FALSE(test, vivgpu_scrub_fits(&scrub, most + 1));
	KUNIT_EXPECT_EQ(test, vivgpu_scrub_alloc(&scrub, most), 0);
	vivgpu_scrub_free(&scrub, scrub.head);
	KUNIT_EXPECT_TRUE(test, vivgpu_scrub_fits(&scrub, most));
	vivgpu_scrub_reset(&scrub);
	KUNIT_EXPECT_TRUE(test, vivgpu_scrub_fits(&scrub, VIVGPU_SCRUB_WORDS));
}

/* Jobs that end after a reset free allocations from before it; that has no effect. */
static void scrub_memory_after_reset(struct kunit *test)
{
	struct vivgpu_scrub scrub = { .head = U32_MAX - 99, .tail = U32_MAX - 99 };
	u32 first, second;

	vivgpu_scrub_alloc(&scrub, 64);
	first = scrub.head;
	vivgpu_scrub_alloc(&scrub, 64);
	second = scrub.head;
	vivgpu_scrub_reset(&scrub);
	vivgpu_scrub_free(&scrub, first);
	KUNIT_EXPECT_TRUE(test, vivgpu_scrub_fits(&scrub, VIVGPU_SCRUB_WORDS / 2));
	vivgpu_scrub_alloc(&scrub, 64);
	vivgpu_scrub_free(&scrub, second);
	KUNIT_EXPECT_EQ(test, scrub.head - scrub.tail, 64);
}

/* Pages may be anywhere in 40 bits. */
static void pte_holds_40_bit_addresses(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry(0x12345000, MMUV2_PTE_PRESENT), 0x12345001);
	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry(0xfffff000, 0), 0xfffff000);
	if (sizeof(dma_addr_t) < sizeof(u64))
		return;

	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry((dma_addr_t)0x1abcde000ull,
					      MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE), 0xabcde015);
	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry((dma_addr_t)0xfffffff000ull, 0), 0xfffffff0);
}

/* Each address space has a slot of its own while one is free; a freed slot is used again. */
static void cmd_slots_are_shared_last(struct kunit *test)
{
	struct vivgpu_cmd_slots *slots = kunit_kzalloc(test, sizeof(*slots), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, slots);
	for (i = 0; i < VIVGPU_NUM_CMD_SLOTS; i++)
		KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), i);
	KUNIT_EXPECT_EQ(test, slots->shared, 0);

	/* more address spaces are created and freed than there are slots */
	for (i = 0; i < 3 * VIVGPU_NUM_CMD_SLOTS; i++) {
		vivgpu_cmd_slot_put(slots, i % VIVGPU_NUM_CMD_SLOTS);
		KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), i % VIVGPU_NUM_CMD_SLOTS);
	}
	KUNIT_EXPECT_EQ(test, slots->shared, 0);

	KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), 1);
	KUNIT_EXPECT_EQ(test, slots->shared, 2);
	/* freeing another slot does not end the sharing of slots 0 and 1 */
	vivgpu_cmd_slot_put(slots, 7);
	KUNIT_EXPECT_EQ(test, slots->shared, 2);
	KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), 7);
	vivgpu_cmd_slot_put(slots, 0);
	vivgpu_cmd_slot_put(slots, 1);
	KUNIT_EXPECT_EQ(test, slots->shared, 0);
}

static void ring_finds_job_of_address(struct kunit *test)
{
	struct vivgpu_ring ring = { .words = kunit_kzalloc(test, RING_BYTES, GFP_KERNEL),
				    .va = 0x100000 };
	u32 stream[8], first, wait;
	struct vivgpu_ring_job job = { .stream = stream, .words = 2 };

	KUNIT_ASSERT_NOT_NULL(test, ring.words);
	first = vivgpu_ring_start(&ring);
	vivgpu_ring_emit(&ring, &job);
	wait = vivgpu_ring_idle(&ring);

	/* from the previous slot's WAIT to the WAIT of the job's own slot */
	KUNIT_EXPECT_TRUE(test, vivgpu_ring_within(&ring, ring.slot, first));
	KUNIT_EXPECT_TRUE(test, vivgpu_ring_within(&ring, ring.slot, first + 12));
	KUNIT_EXPECT_FALSE(test, vivgpu_ring_within(&ring, ring.slot, first - 4));
	KUNIT_EXPECT_TRUE(test, vivgpu_ring_within(&ring, ring.slot, wait - 4));
	KUNIT_EXPECT_FALSE(test, vivgpu_ring_within(&ring, ring.slot, wait));
	/* slot 0 follows the last slot */
	KUNIT_EXPECT_TRUE(test, vivgpu_ring_within(&ring, 0, ring.va + RING_BYTES -
						   (RING_SLOT_WORDS - RING_WAIT) * sizeof(u32)));
	KUNIT_EXPECT_FALSE(test, vivgpu_ring_within(&ring, 5, first));
}

static void events_before_a_job(struct kunit *test)
{
	struct vivgpu_job *jobs = kunit_kcalloc(test, 3, sizeof(*jobs), GFP_KERNEL);
	struct vivgpu_events events = { .first = VIVGPU_EVENT_BITS - 1,
					.next = VIVGPU_EVENT_BITS - 1 };

	KUNIT_ASSERT_NOT_NULL(test, jobs);
	vivgpu_events_add(&events, &jobs[0], 0);
	vivgpu_events_add(&events, &jobs[0], VIVGPU_EVENT_END);
	vivgpu_events_add(&events, &jobs[1], VIVGPU_EVENT_END);
	KUNIT_EXPECT_EQ(test, vivgpu_events_before(&events, &jobs[0]), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_events_before(&events, &jobs[1]), 2);
	KUNIT_EXPECT_EQ(test, vivgpu_events_before(&events, &jobs[2]), 3);
}

static void events_keep_their_order(struct kunit *test)
{
	struct vivgpu_events events = { };
	u32 i;

	for (i = 0; i < VIVGPU_EVENT_BITS - 2; i++) {
		vivgpu_events_add(&events, NULL, i);
		vivgpu_events_pop(&events);
	}
	KUNIT_EXPECT_EQ(test, vivgpu_events_add(&events, NULL, 10), VIVGPU_EVENT_BITS - 2);
	KUNIT_EXPECT_EQ(test, vivgpu_events_add(&events, NULL, 11), VIVGPU_EVENT_BITS - 1);
	KUNIT_EXPECT_EQ(test, vivgpu_events_add(&events, NULL, 12), 0);

	KUNIT_EXPECT_EQ(test, vivgpu_events_signaled(&events, 0), 0);
	/* bits that are not in use */
	KUNIT_EXPECT_EQ(test, vivgpu_events_signaled(&events, 0xff0), 0);
	/* events complete in order: a later one completes earlier ones */
	KUNIT_EXPECT_EQ(test, vivgpu_events_signaled(&events, 1u << (VIVGPU_EVENT_BITS - 1)), 2);
	KUNIT_EXPECT_EQ(test, vivgpu_events_signaled(&events, 1), 3);
	KUNIT_EXPECT_EQ(test, vivgpu_events_pop(&events)->point, 10);
	KUNIT_EXPECT_EQ(test, vivgpu_events_pop(&events)->point, 11);
}

static void clock_wraps_and_restarts(struct kunit *test)
{
	struct vivgpu_clock clock = { };

	vivgpu_clock_reset(&clock, 0xfffffff0, 0);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_update(&clock, 0x10, 1, 1), 0x20);
	vivgpu_clock_reset(&clock, 5, 2);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_update(&clock, 6, 3, 3), 0x21);
}

/* An idle GPU's rate tells the cycles; far from a look the counter must be read. */
static void clock_of_an_idle_gpu(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 528000000 };

	vivgpu_clock_update(&clock, 1000000, 5000000, 5000000);
	KUNIT_EXPECT_FALSE(test, vivgpu_clock_can_extrapolate(&clock, 3999999));
	KUNIT_EXPECT_TRUE(test, vivgpu_clock_can_extrapolate(&clock, 4000000));
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 4000000), 472000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 5000000), 1000000);
	KUNIT_EXPECT_TRUE(test, vivgpu_clock_can_extrapolate(&clock, 6000000));
	KUNIT_EXPECT_FALSE(test, vivgpu_clock_can_extrapolate(&clock, 6000001));
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 6000000), 1528000);
	/* A long look ends far away from what it was made for; nothing goes back. */
	vivgpu_clock_update(&clock, 10000000, 5500000, 90000000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 22045455);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 14545455), 6040000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 6000000), 6040000);

	clock.hz = U32_MAX;
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 23045455),
			10000000 + U32_MAX / 1000);
	clock = (struct vivgpu_clock){ .cycles = 7, .read_ns = 5000000 };
	KUNIT_EXPECT_FALSE(test, vivgpu_clock_can_extrapolate(&clock, 5000000));
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 5000001), 7);
}

/* A look moves the clock only if it contradicts it, and no further than it must. */
static void updates_narrow_the_clock_down(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 1000000000 };

	vivgpu_clock_reset(&clock, 0, 1000);
	/* Known no better: the first look's end holds. */
	vivgpu_clock_update(&clock, 500, 1400, 9000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 1500);
	/* The moment was earlier than that, then earlier still. */
	vivgpu_clock_update(&clock, 1000, 1900, 1980);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 1980);
	vivgpu_clock_update(&clock, 2000, 2950, 2970);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 2970);
	/* A long look teaches nothing. */
	vivgpu_clock_update(&clock, 3000, 3100, 90000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 3970);
	/* The counter goes slower than its rate says. */
	vivgpu_clock_update(&clock, 4000, 5100, 5200);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 5100);
	/* Without a rate a look is as late as may be. */
	clock.hz = 0;
	vivgpu_clock_update(&clock, 5000, 6000, 7000);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 7000);
	/* Far apart: nothing overflows. */
	clock.hz = 1;
	vivgpu_clock_update(&clock, 4999, 8000, U64_MAX);
	KUNIT_EXPECT_EQ(test, clock.read_ns, 7000 + U32_MAX * (u64)NSEC_PER_SEC);
}

/* A busy GPU's counter may stand still: events lie between what was told and a look. */
static void events_keep_cycles_and_time_together(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 1000000000 };

	vivgpu_clock_reset(&clock, 0, 1000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 2000), 1000);
	/* 100 cycles in 1000 ns */
	vivgpu_clock_update(&clock, 1100, 3000, 9000);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2500), 1050);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2500), 1050);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2400), 1050);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 2999), 1099);
	/* Later than the look: what it showed. */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 4000), 1100);
	/* The counter shows less than what was told of the giving. */
	KUNIT_EXPECT_EQ(test, vivgpu_clock_extrapolate(&clock, 5000), 3100);
	vivgpu_clock_update(&clock, 1200, 5100, 5200);
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, 5050), 3100);
	/* Nothing overflows. */
	clock.cycles = U64_MAX / 2;
	clock.read_ns = U64_MAX / 2;
	clock.reported_cycles = 0;
	clock.reported_ns = 0;
	KUNIT_EXPECT_EQ(test, vivgpu_clock_event(&clock, U64_MAX / 4), U64_MAX / 4);
}

/* The counter is read a moment after the stamp. */
static void cycles_are_those_of_the_stamp(struct kunit *test)
{
	struct vivgpu_clock clock = { .hz = 500000000, .cycles = 500, .read_ns = 1000 };
	struct vivgpu_times a = { .queued_ns = 1000 };

	a.queued_cycles = vivgpu_clock_extrapolate(&clock, 1000);
	vivgpu_clock_update(&clock, 1100, 3200, 3200);
	vivgpu_times_finish(&a, &clock, 3000);
	KUNIT_EXPECT_EQ(test, a.cycles, 1000);
	KUNIT_EXPECT_EQ(test, clock.free_cycles, 1500);
	KUNIT_EXPECT_EQ(test, clock.cycles, 1600);
}

static void finish(struct vivgpu_clock *clock, struct vivgpu_times *times, u32 raw, u64 ns)
{
	vivgpu_clock_update(clock, raw, ns, ns);
	vivgpu_times_finish(times, clock, ns);
}

static void times_follow_the_one_before(struct kunit *test)
{
	struct vivgpu_times a = { .queued_ns = 100, .queued_cycles = 10 };
	struct vivgpu_times b = { .queued_ns = 110, .queued_cycles = 0 };
	struct vivgpu_times c = { .queued_ns = 500, .queued_cycles = 300 };
	struct vivgpu_clock clock = { };
	struct vivgpu_usage usage = { };

	finish(&clock, &a, 110, 200);
	KUNIT_EXPECT_EQ(test, a.started_ns, 100);
	KUNIT_EXPECT_EQ(test, a.cycles, 100);
	/* given while a ran: starts when a finished */
	finish(&clock, &b, 160, 250);
	KUNIT_EXPECT_EQ(test, b.started_ns, 200);
	KUNIT_EXPECT_EQ(test, b.cycles, 50);
	/* given to a free GPU */
	finish(&clock, &c, 400, 600);
	KUNIT_EXPECT_EQ(test, c.started_ns, 500);
	KUNIT_EXPECT_EQ(test, c.cycles, 100);

	vivgpu_usage_add(&usage, &a);
	vivgpu_usage_add(&usage, &b);
	vivgpu_usage_add(&usage, &c);
	/* b did not find the GPU free, so only a and c tell how long a job takes at least */
	KUNIT_EXPECT_EQ(test, clock.min_latency_ns, 100);
	KUNIT_EXPECT_EQ(test, usage.busy_ns, 250);
	KUNIT_EXPECT_EQ(test, usage.cycles, 250);
	KUNIT_EXPECT_EQ(test, usage.jobs, 3);
}

static void times_of_one_interrupt(struct kunit *test)
{
	struct vivgpu_times a = { .queued_ns = 100 }, b = { .queued_ns = 105 };
	struct vivgpu_times late = { .queued_ns = 310 };
	struct vivgpu_clock clock = { };

	finish(&clock, &a, 50, 200);
	finish(&clock, &b, 50, 200);
	KUNIT_EXPECT_EQ(test, b.finished_ns - b.started_ns, 0);
	KUNIT_EXPECT_EQ(test, b.cycles, 0);
	/* the interrupt's stamp is older than that of the giving */
	finish(&clock, &late, 60, 305);
	KUNIT_EXPECT_EQ(test, late.started_ns, late.finished_ns);
}

/* A reader adds what runs to a copy; nothing shown ever decreases. */
static void usage_counts_what_runs(struct kunit *test)
{
	const struct vivgpu_times times = { .queued_ns = 1000, .queued_cycles = 50 };
	const struct vivgpu_clock clock = { .cycles = 60, .raw = 0xfffffff0, .free_ns = 1100 };
	struct vivgpu_usage shown = { }, usage = { .busy_ns = 7, .cycles = 5, .jobs = 2 };

	vivgpu_usage_add_running(&usage, &times, &clock, 0x10, 1500);
	KUNIT_EXPECT_EQ(test, usage.busy_ns, 7 + 400);
	KUNIT_EXPECT_EQ(test, usage.cycles, 5 + 0x20 + 10);
	KUNIT_EXPECT_EQ(test, usage.jobs, 2);
	vivgpu_usage_update_max(&shown, &usage);

	/* the interrupt's stamp was older than the reader's clock */
	usage = (struct vivgpu_usage){ .busy_ns = 7 + 390, .cycles = 100, .jobs = 3 };
	vivgpu_usage_update_max(&shown, &usage);
	KUNIT_EXPECT_EQ(test, shown.busy_ns, 7 + 400);
	KUNIT_EXPECT_EQ(test, shown.cycles, 100);
	KUNIT_EXPECT_EQ(test, shown.jobs, 3);
}

/* The WAIT of the last job becomes an END, and the ring begins anew. */
static void ring_stops(struct kunit *test)
{
	struct vivgpu_ring ring = { .va = 0x100000 };
	u32 stream[4] = { };
	struct vivgpu_ring_job job = { .stream = stream, .words = 2 };
	u32 at;

	ring.words = kunit_kzalloc(test, RING_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring.words);
	vivgpu_ring_start(&ring);
	vivgpu_ring_emit(&ring, &job);
	at = (vivgpu_ring_idle(&ring) - ring.va) / sizeof(u32);
	vivgpu_ring_stop(&ring);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_END);

	at = (vivgpu_ring_start(&ring) - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_WAIT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(validate_permits_drawing),
	KUNIT_CASE(validate_refuses_privileged_commands),
	KUNIT_CASE(validate_restricts_forms),
	KUNIT_CASE(validate_checks_each_word_of_a_load),
	KUNIT_CASE(validate_refuses_cut_commands),
	KUNIT_CASE(ring_links_jobs),
	KUNIT_CASE(ring_runs_scrub_commands),
	KUNIT_CASE(ring_wraps),
	KUNIT_CASE(scrub_clears_all_storage_states),
	KUNIT_CASE(scrub_flushes_instruction_cache),
	KUNIT_CASE(state_is_not_inherited),
	KUNIT_CASE(prologues_cover_whole_blocks),
	KUNIT_CASE(prologues_only_load),
	KUNIT_CASE(scrub_memory_wraps),
	KUNIT_CASE(scrub_memory_after_reset),
	KUNIT_CASE(pte_holds_40_bit_addresses),
	KUNIT_CASE(cmd_slots_are_shared_last),
	KUNIT_CASE(ring_finds_job_of_address),
	KUNIT_CASE(events_before_a_job),
	KUNIT_CASE(events_keep_their_order),
	KUNIT_CASE(clock_wraps_and_restarts),
	KUNIT_CASE(clock_of_an_idle_gpu),
	KUNIT_CASE(updates_narrow_the_clock_down),
	KUNIT_CASE(events_keep_cycles_and_time_together),
	KUNIT_CASE(cycles_are_those_of_the_stamp),
	KUNIT_CASE(times_follow_the_one_before),
	KUNIT_CASE(times_of_one_interrupt),
	KUNIT_CASE(usage_counts_what_runs),
	KUNIT_CASE(ring_stops),
	{ }
};

static int init_suite(struct kunit_suite *suite)
{
	vivgpu_state_init();
	return 0;
}

static struct kunit_suite suite = {
	.suite_init = init_suite,
	.name = "vivgpu",
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
MODULE_DESCRIPTION("KUnit tests of vivgpu");
MODULE_LICENSE("GPL");
