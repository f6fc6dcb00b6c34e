// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the ring and of its event bits.
 */

#include <kunit/test.h>

#include <linux/build_bug.h>

#include "../vivgpu_event.h"
#include "../vivgpu_job.h"
#include "../vivgpu_regs.h"
#include "../vivgpu_ring.h"

/* A job in the ring has a slot, and an event bit for its end and for each of its points. */
static_assert(VIVGPU_MAX_POINTS < VIVGPU_HELD_EVENTS && VIVGPU_HELD_EVENTS < VIVGPU_EVENT_BITS);
static_assert(VIVGPU_EVENT_BITS < RING_SLOTS);

#define LOAD(address, count)	FE_COMMAND(FE_OP_LOAD_STATE, (count) << 16 | (address) >> 2)

/* Follow the links from the idle ring through a job, as the front end does. */
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
	KUNIT_EXPECT_TRUE(test, words[1] & GL_FLUSH_CACHE_SHADER_L2);
	KUNIT_EXPECT_FALSE(test, words[1] & GL_FLUSH_CACHE_TEXTUREVS);
	KUNIT_EXPECT_EQ(test, words[2], LOAD(GL_FLUSH_CACHE, 1));
	KUNIT_EXPECT_EQ(test, words[3], GL_FLUSH_CACHE_TEXTUREVS);
	KUNIT_EXPECT_EQ(test, words[4], LOAD(MMUV2_CONFIGURATION, 1));
	KUNIT_EXPECT_EQ(test, words[5], 0x1010);
	KUNIT_EXPECT_EQ(test, words[8], FE_COMMAND(FE_OP_STALL, 0));
	KUNIT_EXPECT_EQ(test, words[10], FE_COMMAND(FE_OP_LINK, 2));
	KUNIT_EXPECT_EQ(test, words[11], 0x400000);

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
	KUNIT_EXPECT_TRUE(test, vivgpu_events_fit(&events, VIVGPU_EVENT_BITS - 3));
	KUNIT_EXPECT_FALSE(test, vivgpu_events_fit(&events, VIVGPU_EVENT_BITS - 2));
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

/* All bits are in use while the numbers of events wrap. */
static void event_numbers_wrap(struct kunit *test)
{
	struct vivgpu_events events = { .first = U32_MAX - 2, .next = U32_MAX - 2 };
	u32 bits = 0, i;

	for (i = 0; i < VIVGPU_EVENT_BITS; i++) {
		KUNIT_EXPECT_TRUE(test, vivgpu_events_fit(&events, 1));
		bits |= BIT(vivgpu_events_add(&events, NULL, i));
		KUNIT_EXPECT_EQ(test, vivgpu_events_signaled(&events, bits), i + 1);
	}
	KUNIT_EXPECT_EQ(test, bits, GENMASK(VIVGPU_EVENT_BITS - 1, 0));
	KUNIT_EXPECT_FALSE(test, vivgpu_events_fit(&events, 1));
	for (i = 0; i < VIVGPU_EVENT_BITS; i++) {
		KUNIT_EXPECT_EQ(test, vivgpu_events_peek(&events, 0)->point, i);
		KUNIT_EXPECT_EQ(test, vivgpu_events_pop(&events)->point, i);
	}
	KUNIT_EXPECT_TRUE(test, vivgpu_events_fit(&events, VIVGPU_EVENT_BITS));
}

/*
 * vivgpu_ring_stop() replaces the WAIT of the last job by a LINK to the flush of all caches and an
 * END; the ring can be started again.
 */
static void ring_stops(struct kunit *test)
{
	const u32 caches = GL_FLUSH_CACHE_DEPTH | GL_FLUSH_CACHE_COLOR | GL_FLUSH_CACHE_TEXTURE |
		GL_FLUSH_CACHE_TEXTUREVS | GL_FLUSH_CACHE_SHADER_L1 | GL_FLUSH_CACHE_SHADER_L2;
	struct vivgpu_ring ring = { .va = 0x100000 };
	u32 stream[4] = { };
	struct vivgpu_ring_job job = { .stream = stream, .words = 2 };
	u32 at, end, flushed = 0;

	ring.words = kunit_kzalloc(test, RING_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring.words);
	vivgpu_ring_start(&ring);
	vivgpu_ring_emit(&ring, &job);
	at = (vivgpu_ring_idle(&ring) - ring.va) / sizeof(u32);
	vivgpu_ring_stop(&ring);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_LINK);
	end = (ring.words[at + 1] - ring.va) / sizeof(u32) + 2 * (ring.words[at] & 0xffff);
	for (at = (ring.words[at + 1] - ring.va) / sizeof(u32); at < end - 2; at += 2) {
		if (ring.words[at] == LOAD(GL_FLUSH_CACHE, 1))
			flushed |= ring.words[at + 1];
	}
	KUNIT_EXPECT_EQ(test, flushed, caches);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_END);
	/* before the END the front end waits until the caches are empty */
	KUNIT_EXPECT_EQ(test, ring.words[at - 2], FE_COMMAND(FE_OP_STALL, 0));

	at = (vivgpu_ring_start(&ring) - ring.va) / sizeof(u32);
	KUNIT_EXPECT_EQ(test, FE_OPCODE(ring.words[at]), FE_OP_WAIT);
}

/*
 * The event of a timestamp point, as that of a job, follows a flush of all caches that hold written
 * data, and a stall.
 */
static void ring_point_waits_for_memory(struct kunit *test)
{
	const u32 caches = GL_FLUSH_CACHE_DEPTH | GL_FLUSH_CACHE_COLOR | GL_FLUSH_CACHE_SHADER_L1;
	u32 words[VIVGPU_POINT_WORDS] = { };

	vivgpu_ring_event(words, 5);
	KUNIT_EXPECT_EQ(test, words[0], LOAD(GL_FLUSH_CACHE, 1));
	KUNIT_EXPECT_EQ(test, words[1], caches);
	KUNIT_EXPECT_EQ(test, words[2], LOAD(TS_FLUSH_CACHE, 1));
	KUNIT_EXPECT_EQ(test, words[4], LOAD(GL_SEMAPHORE_TOKEN, 1));
	KUNIT_EXPECT_EQ(test, words[5], TOKEN(RECIPIENT_FE, RECIPIENT_PE));
	KUNIT_EXPECT_EQ(test, words[6], FE_COMMAND(FE_OP_STALL, 0));
	KUNIT_EXPECT_EQ(test, words[7], TOKEN(RECIPIENT_FE, RECIPIENT_PE));
	KUNIT_EXPECT_EQ(test, words[8], LOAD(GL_EVENT, 1));
	KUNIT_EXPECT_EQ(test, words[9], GL_EVENT_FROM_PE | 5);
}

/* After a reset the pipe is selected before the first stall. */
static void ring_selects_pipe_first(struct kunit *test)
{
	u32 words[16] = { };

	KUNIT_EXPECT_EQ(test, vivgpu_ring_pipe_setup(words), 8);
	KUNIT_EXPECT_EQ(test, words[0], LOAD(GL_PIPE_SELECT, 1));
	KUNIT_EXPECT_EQ(test, words[1], GL_PIPE_SELECT_3D);
	KUNIT_EXPECT_EQ(test, words[4], FE_COMMAND(FE_OP_STALL, 0));
	KUNIT_EXPECT_EQ(test, words[6], FE_COMMAND(FE_OP_END, 0));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(ring_links_jobs),
	KUNIT_CASE(ring_point_waits_for_memory),
	KUNIT_CASE(ring_selects_pipe_first),
	KUNIT_CASE(ring_runs_scrub_commands),
	KUNIT_CASE(ring_wraps),
	KUNIT_CASE(ring_finds_job_of_address),
	KUNIT_CASE(events_before_a_job),
	KUNIT_CASE(events_keep_their_order),
	KUNIT_CASE(event_numbers_wrap),
	KUNIT_CASE(ring_stops),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-ring",
	.test_cases = cases,
};

kunit_test_suite(suite);
