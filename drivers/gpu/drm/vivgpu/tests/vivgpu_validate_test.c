// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the validator of command streams.
 */

#include <kunit/test.h>

#include <linux/sizes.h>

#include <drm/vivgpu_drm.h>

#include "../vivgpu_regs.h"
#include "../vivgpu_state.h"
#include "../vivgpu_validate.h"

#define LOAD(address, count)	FE_COMMAND(FE_OP_LOAD_STATE, (count) << 16 | (address) >> 2)

static int check(const u32 *words, size_t count)
{
	static struct vivgpu_states written;
	size_t where;

	return vivgpu_validate(words, count, &where, &written);
}

static int sum(u32 first, u32 second)
{
	const struct drm_vivgpu_piece pieces[] = { { .size = first }, { .size = second } };

	return vivgpu_validate_pieces(pieces, ARRAY_SIZE(pieces), SZ_128K);
}

/* Sums of 2^32 and more are too large, as are sums that are small when cut to 32 bits. */
static void validate_sums_pieces(struct kunit *test)
{
	const struct drm_vivgpu_piece padded = { .size = 8, .pad = 1 };

	KUNIT_EXPECT_EQ(test, vivgpu_validate_pieces(NULL, 0, SZ_128K), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_validate_pieces(&padded, 1, SZ_128K), -EINVAL);
	KUNIT_EXPECT_EQ(test, sum(8, 16), 24);
	KUNIT_EXPECT_EQ(test, sum(SZ_128K - 8, 8), SZ_128K);
	KUNIT_EXPECT_EQ(test, sum(8, 12), -EINVAL);
	KUNIT_EXPECT_EQ(test, sum(0, 8), -EINVAL);
	KUNIT_EXPECT_EQ(test, sum(SZ_128K, 8), -E2BIG);
	KUNIT_EXPECT_EQ(test, sum(SZ_128K, 0xfffe0008), -E2BIG);
	KUNIT_EXPECT_EQ(test, sum(8, 0xfffffff8), -E2BIG);
	KUNIT_EXPECT_EQ(test, sum(0xfffffff8, 16), -E2BIG);
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
		/* no stall; for another unit; two of the wrong kind; a load of two states */
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

/* Draws and resolves take time, by which points of one interrupt are spread; others do not. */
static void operations_draw_or_resolve(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, vivgpu_validate_is_operation(FE_COMMAND(FE_OP_DRAW, 0)));
	KUNIT_EXPECT_TRUE(test, vivgpu_validate_is_operation(FE_COMMAND(FE_OP_DRAW_INSTANCED, 0)));
	KUNIT_EXPECT_TRUE(test, vivgpu_validate_is_operation(LOAD(RS_KICKER, 1)));
	KUNIT_EXPECT_TRUE(test, vivgpu_validate_is_operation(LOAD(RS_KICKER_INPLACE - 8, 3)));
	KUNIT_EXPECT_FALSE(test, vivgpu_validate_is_operation(LOAD(RS_KICKER_INPLACE - 8, 2)));
	KUNIT_EXPECT_FALSE(test, vivgpu_validate_is_operation(LOAD(GL_FLUSH_CACHE, 1)));
	KUNIT_EXPECT_FALSE(test, vivgpu_validate_is_operation(FE_COMMAND(FE_OP_NOP, 0)));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(validate_sums_pieces),
	KUNIT_CASE(validate_permits_drawing),
	KUNIT_CASE(validate_refuses_privileged_commands),
	KUNIT_CASE(validate_restricts_forms),
	KUNIT_CASE(validate_checks_each_word_of_a_load),
	KUNIT_CASE(validate_refuses_cut_commands),
	KUNIT_CASE(operations_draw_or_resolve),
	KUNIT_CASE(prologues_only_load),
	{ }
};

static int init_suite(struct kunit_suite *suite)
{
	vivgpu_state_init();
	return 0;
}

static struct kunit_suite suite = {
	.suite_init = init_suite,
	.name = "vivgpu-validate",
	.test_cases = cases,
};

kunit_test_suite(suite);
