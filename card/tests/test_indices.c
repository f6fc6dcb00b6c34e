// SPDX-License-Identifier: MIT
/* Index streams: sizes, page boundaries, faults. */
#include "gc/core.h"
#include "gc/draw_unit.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "tests/check.h"

#define BASE 0x40000000u
#define BYTES 0x4000u
#define PAGES 2 /* of indices; the page tables are after them */
#define MASTER_AT 0x2000u
#define TABLE_AT 0x3000u

static uint8_t memory[BYTES] __attribute__((aligned(4096)));
static struct gc_core gc;
static struct guest_memory guest;

static void put_word(uint32_t offset, uint32_t word)
{
	memcpy(memory + offset, &word, 4);
}

/* Maps the first @pages of memory at address 0 by MMUv2, and nothing after them. */
static void open_core(unsigned int pages)
{
	memset(&gc, 0, sizeof(gc));
	memset(memory, 0, sizeof(memory));
	guest = (struct guest_memory){ 1, { { BASE, BYTES, memory } } };
	gc_mmu_init(&gc.mmu, 2, &guest);
	gc.mmu.enabled = true;
	gc.mmu.master = BASE + MASTER_AT;
	put_word(MASTER_AT, (BASE + TABLE_AT) | 1);
	for (unsigned int i = 0; i < PAGES; i++)
		put_word(TABLE_AT + 4 * i, i < pages ? (BASE + GC_PAGE_SIZE * i) | 5 : 2);
	for (unsigned int i = 0; i < PAGES * GC_PAGE_SIZE; i++)
		memory[i] = (uint8_t)(i * 2654435761u >> 24);
}

static uint32_t index_in_memory(const struct gc_index_stream *stream, uint64_t n)
{
	uint32_t value = 0;

	memcpy(&value, memory + stream->address + n * stream->bytes, stream->bytes);
	return value;
}

/* Reading @count indices from number @first on as a draw does ends after @want of them. */
static void check_reading(const struct gc_index_stream *stream, unsigned int first,
			  unsigned int count, unsigned int want)
{
	uint32_t index[GC_INDEX_RUN];
	unsigned int n, got = 1;

	for (n = 0; got && n < count; n += got) {
		memset(index, 0xaa, sizeof(index));
		got = gc_index_stream_read(&gc, stream, first + n, count - n, index);
		CHECK(got <= GC_INDEX_RUN && got <= count - n);
		for (unsigned int i = 0; i < got; i++)
			CHECK_EQ(index[i], index_in_memory(stream, first + n + i));
		/* after a fault the first one is not defined */
		for (unsigned int i = got > 0 ? got : 1; i < GC_INDEX_RUN; i++)
			CHECK_EQ(index[i], 0xaaaaaaaa);
	}
	CHECK_EQ(n, want);
}

/* All index sizes at all offsets, also across the end of a page. */
TEST(as_memory_has_them)
{
	for (unsigned int shift = 0; shift < 3; shift++) {
		for (unsigned int at = 0; at < 8; at++) {
			struct gc_index_stream stream = { .address = at, .bytes = 1u << shift };
			unsigned int all = (PAGES * GC_PAGE_SIZE - at) >> shift;

			open_core(PAGES);
			check_reading(&stream, 0, all, all);
			check_reading(&stream, 5, 1, 1);
			check_reading(&stream, (GC_PAGE_SIZE >> shift) - 3, 6, 6);
			CHECK(!gc.mmu.faulted);
		}
	}
}

/* All indices before a page that is not mapped are read, and none behind it. */
TEST(up_to_a_fault)
{
	for (unsigned int at = 0; at < 4; at++) {
		struct gc_index_stream stream = { .address = at, .bytes = 4 };
		unsigned int whole = (GC_PAGE_SIZE - at) / 4;

		open_core(1);
		check_reading(&stream, 0, whole, whole);
		CHECK(!gc.mmu.faulted);
		check_reading(&stream, 0, whole + 10, whole);
		CHECK(gc.mmu.faulted);
	}
}

TEST(states)
{
	static struct gc_state state;
	static const uint32_t type[] = { VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_CHAR,
					 VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT,
					 VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_INT };
	struct gc_index_stream stream;

	state.word[VIVS_FE_INDEX_STREAM_BASE_ADDR / 4] = 0x1234;
	state.word[VIVS_FE_PRIMITIVE_RESTART_INDEX / 4] = 0xffff;
	for (unsigned int i = 0; i < 6; i++) {
		state.word[VIVS_FE_INDEX_STREAM_CONTROL / 4] =
			type[i % 3] | (i < 3 ? 0 : VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART);
		gc_index_stream_decode(&state, &stream);
		CHECK_EQ(stream.bytes, 1u << i % 3);
		CHECK_EQ(stream.address, 0x1234);
		CHECK_EQ(stream.restart, i >= 3);
		CHECK_EQ(stream.restart_index, 0xffff);
	}
}

int main(void)
{
	return test_all();
}
