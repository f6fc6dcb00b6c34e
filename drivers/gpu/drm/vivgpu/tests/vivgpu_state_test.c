// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the states that clients may write and have written, of the commands that clear
 * them for the next client, and of the memory for these commands.
 */

#include <kunit/test.h>

#include "../vivgpu_regs.h"
#include "../vivgpu_ring.h"
#include "../vivgpu_state.h"
#include "../vivgpu_validate.h"

#define LOAD(address, count)	FE_COMMAND(FE_OP_LOAD_STATE, (count) << 16 | (address) >> 2)

/* Execute LOAD_STATE commands as a front end does: store their values in @states. */
static void load(u32 *states, const u32 *words, u32 count)
{
	u32 i, j;

	for (i = 0; i < count; i += round_up(1 + FE_LOAD_STATE_COUNT(words[i]), 2)) {
		for (j = 0; j < FE_LOAD_STATE_COUNT(words[i]); j++)
			states[FE_LOAD_STATE_ADDRESS(words[i]) / 4 + j] = words[i + 1 + j];
	}
}

/*
 * States that clients may write are zero afterwards, except triggers and the filler; others are
 * unchanged.
 */
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

/* A range is permitted if each of its states is, whether or not it crosses a word of the bitmap. */
static void ranges_are_permitted_word_by_word(struct kunit *test)
{
	static const u32 counts[] = { 2, 3, 64, 65, 200 };
	u32 i, at, end, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		end = 0;
		for (at = 0; at + 4 * counts[i] <= VIVGPU_STATE_END; at += 4) {
			end = max(end, at);
			while (end < at + 4 * counts[i] && vivgpu_state_permitted(end, 1))
				end += 4;
			wrong += vivgpu_state_permitted(at, counts[i]) !=
				 (end == at + 4 * counts[i]);
		}
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/*
 * The instruction cache is flushed when its control state is set to zero for another
 * client, and a prologue that loads the whole block does not prevent that.
 */
static void scrub_flushes_instruction_cache(struct kunit *test)
{
	static const u32 expected[] = {
		LOAD(0x085c, 9), 0, 0, 0, VS_ICACHE_CONTROL_FLUSH, 0, 0, 0, 0, 0,
	};
	static const u32 prologue[] = {
		LOAD(0x085c, 9), 1, 1, 1, 1, 1, 1, 1, 1, 1,
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

	/* cleared blocks are foreign to no client; those of the second one are to the first */
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

/* Allocations are contiguous, and memory in use is not allocated again. */
static void scrub_memory_wraps(struct kunit *test)
{
	struct vivgpu_scrub scrub = { };
	u32 most = VIVGPU_SCRUB_WORDS / 2 - 1, end;

	KUNIT_EXPECT_EQ(test, vivgpu_scrub_alloc(&scrub, most), 0);
	end = scrub.head;
	KUNIT_EXPECT_EQ(test, vivgpu_scrub_alloc(&scrub, most), most);
	KUNIT_EXPECT_FALSE(test, vivgpu_scrub_fits(&scrub, 4));
	vivgpu_scrub_free(&scrub, end);
	/* two words are free after the second allocation */
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

static struct kunit_case cases[] = {
	KUNIT_CASE(ranges_are_permitted_word_by_word),
	KUNIT_CASE(scrub_clears_all_storage_states),
	KUNIT_CASE(scrub_flushes_instruction_cache),
	KUNIT_CASE(state_is_not_inherited),
	KUNIT_CASE(prologues_cover_whole_blocks),
	KUNIT_CASE(scrub_memory_wraps),
	KUNIT_CASE(scrub_memory_after_reset),
	{ }
};

static int init_suite(struct kunit_suite *suite)
{
	vivgpu_state_init();
	return 0;
}

static struct kunit_suite suite = {
	.suite_init = init_suite,
	.name = "vivgpu-state",
	.test_cases = cases,
};

kunit_test_suite(suite);
