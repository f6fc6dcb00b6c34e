// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the ring buffers of streams of records.
 */

#include <kunit/test.h>

#include <drm/vivgpu_drm.h>

#include "../vivgpu_stream.h"

#define NEWEST	sizeof(struct drm_vivgpu_record)

static void numbers_of_records(struct kunit *test)
{
	static const struct {
		u32 wanted, max, given;
	} cases[] = {
		{ 0, 8192, VIVGPU_STREAM_RECORDS },
		{ 1, 8192, 1 },
		{ 2, 8192, 2 },
		{ 3, 8192, 4 },
		{ 1000, 8192, 1024 },
		{ 8192, 8192, 8192 },
		{ 8193, 8192, 8192 },
		{ U32_MAX, 8192, 8192 },
		{ U32_MAX, 65536, 65536 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ(test, vivgpu_record_ring_size(cases[i].wanted, cases[i].max),
				cases[i].given);
}

static void sizes_of_records(struct kunit *test)
{
	static const struct {
		u32 wanted, given;
	} cases[] = {
		{ 0, DRM_VIVGPU_RECORD_SIZE_0 },
		{ 1, 0 },
		{ 127, 0 },
		{ 128, 128 },
		{ 135, 128 },
		{ 136, 136 },
		{ NEWEST - 1, NEWEST - 8 },
		{ NEWEST, NEWEST },
		{ NEWEST + 8, NEWEST },
		{ U32_MAX, NEWEST },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ(test, vivgpu_record_ring_record_size(cases[i].wanted),
				cases[i].given);
}

static struct vivgpu_record_ring make_ring(struct kunit *test, u32 size, u32 record_size)
{
	struct vivgpu_record_ring ring = { .size = size, .record_size = record_size };

	/* One record more, to see writes past the end. */
	ring.records = kunit_kzalloc(test, (size + 1) * record_size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring.records);
	return ring;
}

static bool push(struct vivgpu_record_ring *ring, u64 cookie)
{
	struct drm_vivgpu_record record = {
		.cookie = cookie,
		.reserved = 7,
		.vertices = cookie,
		.pid = 9,
		.spare = { 1, 2, 3, 4, 5 },
	};

	return vivgpu_record_ring_push(ring, &record);
}

/* Take the oldest record. */
static bool pop(struct vivgpu_record_ring *ring, struct drm_vivgpu_record *record)
{
	const void *oldest;

	if (!vivgpu_record_ring_oldest(ring, 1, &oldest))
		return false;
	memcpy(record, oldest, ring->record_size);
	vivgpu_record_ring_drop(ring, 1);
	return true;
}

/* Records come out in order, whole, with their size and number. */
static void records_of_each_size(struct kunit *test)
{
	u32 size, i;

	for (size = 128; size <= NEWEST; size += 8) {
		struct vivgpu_record_ring ring = make_ring(test, 4, size);
		union {
			struct drm_vivgpu_record record;
			u8 bytes[NEWEST + 8];
		} out;

		/* The counts of records ever read and written wrap. */
		ring.head = U32_MAX - 1;
		ring.tail = U32_MAX - 1;
		for (i = 0; i < 9; i++) {
			KUNIT_EXPECT_TRUE(test, push(&ring, i));
			memset(&out, 0xaa, sizeof(out));
			KUNIT_EXPECT_TRUE(test, pop(&ring, &out.record));
			KUNIT_EXPECT_EQ(test, out.record.cookie, i);
			KUNIT_EXPECT_EQ(test, out.record.size, size);
			KUNIT_EXPECT_EQ(test, out.record.sequence, i);
			KUNIT_EXPECT_EQ(test, out.record.reserved, 7);
			/* Nothing after the record's size is touched. */
			KUNIT_EXPECT_EQ(test, out.bytes[size], 0xaa);
			if (size >= 136)
				KUNIT_EXPECT_EQ(test, out.record.vertices, i);
		}
		KUNIT_EXPECT_FALSE(test, pop(&ring, &out.record));
		KUNIT_EXPECT_NULL(test, memchr_inv(ring.records + 4 * size, 0, size));
	}
}

/* What does not fit is dropped, counted, and leaves a gap in the numbers. */
static void full_rings_drop(struct kunit *test)
{
	struct vivgpu_record_ring ring = make_ring(test, 2, 128);
	struct drm_vivgpu_record record;
	u32 i;

	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, push(&ring, i), i < 2);
	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_unread(&ring), 2);
	KUNIT_EXPECT_EQ(test, ring.lost, 3);
	KUNIT_EXPECT_TRUE(test, pop(&ring, &record));
	KUNIT_EXPECT_EQ(test, record.sequence, 0);
	KUNIT_EXPECT_TRUE(test, push(&ring, 5));
	KUNIT_EXPECT_TRUE(test, pop(&ring, &record));
	KUNIT_EXPECT_EQ(test, record.sequence, 1);
	KUNIT_EXPECT_TRUE(test, pop(&ring, &record));
	KUNIT_EXPECT_EQ(test, record.sequence, 5);
	KUNIT_EXPECT_EQ(test, record.cookie, 5);
	KUNIT_EXPECT_FALSE(test, pop(&ring, &record));
}

/* Several records at once: as many as are wanted, up to the end of the memory. */
static void several_at_once(struct kunit *test)
{
	struct vivgpu_record_ring ring = make_ring(test, 4, 128);
	const struct drm_vivgpu_record *oldest;
	const void *records;
	u32 i;

	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_oldest(&ring, 8, &records), 0);
	for (i = 0; i < 3; i++)
		push(&ring, i);
	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_oldest(&ring, 0, &records), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_oldest(&ring, 2, &records), 2);
	KUNIT_EXPECT_PTR_EQ(test, records, (const void *)ring.records);
	vivgpu_record_ring_drop(&ring, 2);
	for (; i < 6; i++)
		push(&ring, i);
	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_unread(&ring), 4);
	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_oldest(&ring, 8, &records), 2);
	oldest = records;
	KUNIT_EXPECT_EQ(test, oldest->cookie, 2);
	vivgpu_record_ring_drop(&ring, 2);
	KUNIT_EXPECT_EQ(test, vivgpu_record_ring_oldest(&ring, 8, &records), 2);
	oldest = records;
	KUNIT_EXPECT_EQ(test, oldest->cookie, 4);
	/* They stay until they are dropped, also while the ring is full. */
	for (i = 6; i < 9; i++)
		push(&ring, i);
	KUNIT_EXPECT_EQ(test, oldest->cookie, 4);
	KUNIT_EXPECT_EQ(test, ring.lost, 1);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(numbers_of_records),
	KUNIT_CASE(sizes_of_records),
	KUNIT_CASE(records_of_each_size),
	KUNIT_CASE(full_rings_drop),
	KUNIT_CASE(several_at_once),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-record-ring",
	.test_cases = cases,
};

kunit_test_suite(suite);
