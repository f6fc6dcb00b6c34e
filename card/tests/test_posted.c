// SPDX-License-Identifier: MIT
/*
 * Posted writes and counts (--caches=data): the queues alone, and what the processor sees in memory and in
 * counters of streams with resolves and queries, before and after the stream's event.
 */
#include "tests/check.h"
#include "tests/fe_bench.h"

#include <sys/mman.h>

#include "gc/counted.h"
#include "gc/posted.h"
#include "gc/registers.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define US 1000u
#define A (BENCH_BASE + 0x10000) /* surfaces of 16 rows of 256 bytes */
#define B (BENCH_BASE + 0x20000)
#define QUERY (BENCH_BASE + 0x30000)
#define C (BENCH_BASE + 0x40000) /* a surface of 2048 rows */
#define PITCH 256u
#define WORDS (GC_PAGE_SIZE / 8)

static struct bench b;
static uint64_t memory[2][GC_PAGE_SIZE / 8] __attribute__((aligned(4096)));

/* The word of a page that an operation uses. */
static uint64_t *word(struct gc_posted *posted, unsigned int page, unsigned int index)
{
	return (uint64_t *)gc_posted_page(posted, (uint8_t *)memory[page]) + index;
}

TEST(writes_wait_for_their_cycle)
{
	struct gc_posted *posted = gc_posted_create();

	memset(memory, 0, sizeof(memory));
	CHECK_EQ(gc_posted_due(posted), UINT64_MAX);
	gc_posted_begin(posted);
	*word(posted, 0, 1) = 1;
	CHECK_EQ(*word(posted, 0, 1), 1);
	CHECK_EQ(memory[0][1], 0);
	gc_posted_end(posted, 100);
	/* between operations: what the processor sees */
	CHECK_EQ(*word(posted, 0, 1), 0);
	CHECK_EQ(gc_posted_due(posted), 100);
	/* a second one sees the first, another page, and what the processor writes meanwhile */
	memory[0][2] = 7;
	gc_posted_begin(posted);
	CHECK_EQ(*word(posted, 0, 1), 1);
	CHECK_EQ(*word(posted, 0, 2), 7);
	*word(posted, 0, 1) = 2;
	*word(posted, 1, 3) = 3;
	memory[0][2] = 8;
	gc_posted_end(posted, 200);
	gc_posted_deliver(posted, 99);
	CHECK_EQ(memory[0][1], 0);
	gc_posted_deliver(posted, 100);
	CHECK_EQ(memory[0][1], 1);
	CHECK_EQ(memory[0][2], 8);
	CHECK_EQ(memory[1][3], 0);
	CHECK_EQ(gc_posted_due(posted), 200);
	gc_posted_deliver(posted, 200);
	CHECK_EQ(memory[0][1], 2);
	CHECK_EQ(memory[0][2], 8);
	CHECK_EQ(memory[1][3], 3);
	CHECK_EQ(gc_posted_due(posted), UINT64_MAX);
	gc_posted_destroy(posted);
}

/* What was read before is what is written: a unit may fill a tile that it has an address of. */
TEST(reads_and_writes_use_one_copy)
{
	struct gc_posted *posted = gc_posted_create();
	uint64_t *read;

	memset(memory, 0, sizeof(memory));
	gc_posted_begin(posted);
	read = word(posted, 0, 1);
	*word(posted, 0, 1) = 5;
	CHECK_EQ(*read, 5);
	gc_posted_end(posted, 10);
	gc_posted_destroy(posted);
}

/* Bytes beside those that were written have what the processor wrote meanwhile. */
TEST(other_bytes_stay)
{
	struct gc_posted *posted = gc_posted_create();

	memset(memory, 0, sizeof(memory));
	gc_posted_begin(posted);
	*(uint8_t *)word(posted, 0, 0) = 1;
	gc_posted_end(posted, 10);
	memory[0][0] = 0xff00;
	gc_posted_deliver(posted, 10);
	CHECK_EQ(memory[0][0], 0xff01);
	gc_posted_destroy(posted);
}

/* A reset loses what is not in memory, of an operation that is running too. */
TEST(a_reset_loses_them)
{
	struct gc_posted *posted = gc_posted_create();

	memset(memory, 0, sizeof(memory));
	gc_posted_begin(posted);
	*word(posted, 0, 0) = 1;
	gc_posted_end(posted, 10);
	gc_posted_begin(posted);
	*word(posted, 1, 0) = 1;
	gc_posted_drop(posted);
	gc_posted_end(posted, 20);
	gc_posted_deliver(posted, UINT64_MAX - 1);
	CHECK_EQ(memory[0][0], 0);
	CHECK_EQ(memory[1][0], 0);
	gc_posted_destroy(posted);
}

#define FEW 64u /* pages of an operation */

/* Operations can be any number ahead of what is due: the oldest are in memory early. */
TEST(only_so_many_wait)
{
	struct gc_posted *posted = gc_posted_create();
	uint64_t *pages = aligned_alloc(4096, FEW * 4096);

	memset(pages, 0, FEW * 4096);
	for (unsigned int n = 0; n <= GC_POSTED_PAGES / FEW; n++) {
		CHECK_EQ(pages[0] | pages[(FEW - 1) * WORDS], 0);
		gc_posted_begin(posted);
		for (unsigned int i = 0; i < FEW; i++)
			*(uint64_t *)gc_posted_page(posted, (uint8_t *)&pages[i * WORDS]) = n + 1;
		gc_posted_end(posted, 100 + n);
	}
	CHECK_EQ(pages[0], 1);
	CHECK_EQ(pages[(FEW - 1) * WORDS], 1);
	CHECK_EQ(gc_posted_due(posted), 101);
	gc_posted_deliver(posted, UINT64_MAX - 1);
	CHECK_EQ(pages[0], GC_POSTED_PAGES / FEW + 1);
	gc_posted_destroy(posted);
	free(pages);
}

/* Pages above the limit are written at once, behind what earlier operations are to change in them. */
TEST(large_operations_write_at_once)
{
	struct gc_posted *posted = gc_posted_create();
	const size_t bytes = (GC_POSTED_PAGES + 1) * 4096ul;
	uint8_t *pages =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *last = pages + bytes - 4096;

	gc_posted_begin(posted);
	gc_posted_page(posted, last)[1] = 1;
	gc_posted_end(posted, 100);
	gc_posted_begin(posted);
	for (unsigned int i = 0; i < GC_POSTED_PAGES; i++)
		CHECK(gc_posted_page(posted, pages + i * 4096ul) != pages + i * 4096ul);
	CHECK_EQ(last[1], 0);
	CHECK(gc_posted_page(posted, last) == last);
	CHECK_EQ(last[1], 1);
	gc_posted_end(posted, 200);
	gc_posted_destroy(posted);
	munmap(pages, bytes);
}

static void open_core_with(bool cache_data)
{
	const struct gc_options options = { .cache_data = cache_data };

	bench_open_as(&b, "gc3000", &options, true);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
}

static void open_core(void)
{
	open_core_with(true);
}

/* Linear, 32 bits a pixel: fill @rows rows at @to with @value, or copy them from @from. */
static void emit_resolve_of(uint32_t rows, uint32_t to, uint32_t from, uint32_t value)
{
	bench_state(&b, VIVS_RS_CONFIG,
		    VIVS_RS_CONFIG_SOURCE_FORMAT(RS_FORMAT_A8R8G8B8) |
			    VIVS_RS_CONFIG_DEST_FORMAT(RS_FORMAT_A8R8G8B8));
	bench_state(&b, VIVS_RS_SINGLE_BUFFER, 1);
	bench_state(&b, VIVS_RS_DITHER(0), 0xffffffff);
	bench_state(&b, VIVS_RS_DITHER(1), 0xffffffff);
	bench_state(&b, VIVS_RS_SOURCE_STRIDE, PITCH);
	bench_state(&b, VIVS_RS_DEST_STRIDE, PITCH);
	bench_state(&b, VIVS_RS_PIPE_SOURCE_ADDR(0), from);
	bench_state(&b, VIVS_RS_PIPE_DEST_ADDR(0), to);
	bench_state(&b, VIVS_RS_WINDOW_SIZE,
		    VIVS_RS_WINDOW_SIZE_WIDTH(PITCH / 4) | VIVS_RS_WINDOW_SIZE_HEIGHT(rows));
	bench_state(&b, VIVS_RS_CLEAR_CONTROL,
		    from ? 0 : VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1 | 0xffff);
	bench_state(&b, VIVS_RS_FILL_VALUE(0), value);
	bench_state(&b, VIVS_RS_KICKER, 0xbeebbeeb);
}

static void emit_resolve(uint32_t to, uint32_t from, uint32_t value)
{
	emit_resolve_of(16, to, from, value);
}

/* Run the stream to its event. Returns: the word at @address up to a microsecond before it. */
static uint32_t run_to_event(uint32_t address)
{
	uint32_t seen = 0;

	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 60);
	for (unsigned int us = 0; us < 1000 && !b.irq; us++) {
		seen = bench_peek(&b, address);
		bench_run(&b, US);
	}
	return seen;
}

TEST(resolves_are_due_with_their_event)
{
	open_core();
	emit_resolve(A, 0, 0x11111111);
	emit_resolve(B, A, 0);
	CHECK_EQ(run_to_event(B), 0);
	CHECK(b.irq);
	CHECK_EQ(bench_peek(&b, A), 0x11111111);
	CHECK_EQ(bench_peek(&b, B), 0x11111111); /* the copy saw what was not in memory */
	CHECK_EQ(bench_peek(&b, B + 15 * PITCH + PITCH - 4), 0x11111111);
	CHECK(bench_close(&b));
}

TEST(queries_are_due_with_their_event)
{
	open_core();
	bench_poke(&b, QUERY, 0x5555);
	bench_state(&b, VIVS_GL_OCCLUSION_QUERY_ADDR, QUERY);
	emit_resolve(A, 0, 0x11111111);
	bench_state(&b, VIVS_GL_OCCLUSION_QUERY_CONTROL, 1);
	CHECK_EQ(run_to_event(QUERY), 0x5555);
	CHECK(b.irq);
	CHECK_EQ(bench_peek(&b, QUERY), 0);
	CHECK(bench_close(&b));
}

/* What was not in memory is lost when the guest takes the memory away: it may not be the card's any more. */
TEST(memory_may_move)
{
	uint8_t *other = aligned_alloc(4096, BENCH_RAM);

	memset(other, 0, BENCH_RAM);
	open_core();
	emit_resolve(A, 0, 0x11111111);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 60);
	gc_run(b.gc);
	CHECK(gc_posted_due(b.gc->posted) != UINT64_MAX);
	b.memory.region[0].host = other;
	bench_run(&b, 1000 * US);
	CHECK_EQ(gc_posted_due(b.gc->posted), UINT64_MAX);
	CHECK_EQ(bench_peek(&b, A), 0);
	CHECK_EQ(other[A - BENCH_BASE], 0);
	CHECK(bench_close(&b));
	free(other);
}

/* So that a guest cannot use up the host's memory */
TEST(so_many_counts_wait)
{
	struct gc_counted *counted = gc_counted_create();
	struct gc_counters now = { 0 };

	for (unsigned int i = 0; i < GC_COUNTED_OPERATIONS + 3; i++) {
		gc_counted_begin(counted, &now, 0);
		now.fe_draws++;
		gc_counted_end(counted, &now, 100);
	}
	CHECK_EQ(gc_counted_visible(counted, &now, 0).fe_draws, 3);
	CHECK_EQ(gc_counted_visible(counted, &now, 100).fe_draws, GC_COUNTED_OPERATIONS + 3);
	gc_counted_destroy(counted);
}

/* Writes of the resolve engine, in 8 bytes, as the register of the memory controller shows them */
static uint32_t written(void)
{
	return gc_read(b.gc, MC_PROFILE_MC);
}

TEST(counters_are_due_with_their_event)
{
	uint32_t seen = 0;

	open_core();
	gc_write(b.gc, MC_PROFILE_CONFIG(2), 13);
	emit_resolve(A, 0, 0x11111111);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 60);
	for (unsigned int us = 0; us < 1000 && !b.irq; us++) {
		CHECK_EQ(seen, 0);
		bench_run(&b, US);
		seen = written();
	}
	CHECK(b.irq);
	CHECK_EQ(seen, 16 * PITCH / 8);
	CHECK(bench_close(&b));
}

TEST(counts_wait_for_their_cycle)
{
	struct gc_counted *counted = gc_counted_create();
	struct gc_counters now = { .fe_draws = 5, .resets = 1 };

	CHECK_EQ(gc_counted_visible(counted, &now, 0).fe_draws, 5);
	gc_counted_begin(counted, &now, 0);
	now.fe_draws += 2;
	CHECK_EQ(gc_counted_visible(counted, &now, 0).fe_draws, 5);
	gc_counted_end(counted, &now, 100);
	now.resets++; /* between operations: at once */
	gc_counted_begin(counted, &now, 0);
	now.fe_draws += 10;
	gc_counted_end(counted, &now, 90); /* not before the first */
	CHECK_EQ(gc_counted_visible(counted, &now, 99).fe_draws, 5);
	CHECK_EQ(gc_counted_visible(counted, &now, 99).resets, 2);
	CHECK_EQ(gc_counted_visible(counted, &now, 100).fe_draws, 17);
	/* a reset in the middle of an operation */
	gc_counted_begin(counted, &now, 0);
	now.fe_draws++;
	gc_counted_end(counted, &now, 200);
	gc_counted_begin(counted, &now, 0);
	now.fe_draws++;
	gc_counted_drop(counted);
	CHECK_EQ(gc_counted_visible(counted, &now, 100).fe_draws, 19);
	gc_counted_end(counted, &now, 300);
	CHECK_EQ(gc_counted_visible(counted, &now, 100).fe_draws, 19);
	gc_counted_destroy(counted);
}

static unsigned int yields;
static bool resets;

/* A driver that starts the front end at B in the middle of an operation, perhaps after a reset. */
static void start_another(void *ctx)
{
	if (yields++)
		return;
	if (resets)
		bench_soft_reset(&b);
	bench_start(&b, B, 60);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
}

/* A resolve to C, in the middle of which another stream is started. The command has two more states. */
static void run_interrupted_resolve(bool reset, bool cache_data)
{
	open_core_with(cache_data);
	yields = 0;
	resets = reset;
	b.gc->host.yield = start_another;
	b.at = B;
	bench_event(&b, 2, VIVS_GL_EVENT_FROM_PE);
	bench_end(&b);
	b.at = BENCH_BASE;
	emit_resolve_of(2048, C, 0, 0x11111111);
	b.at -= 8;
	bench_load(&b, VIVS_RS_KICKER, 3, false);
	bench_emit(&b, 0xbeebbeeb);
	bench_emit2(&b, 0, 0x12345678);
	run_to_event(C);
	CHECK(yields > 0);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 2);
}

/* The command is executed to its end, and what the start prefetches are not the operation's copies of pages. */
TEST(a_start_within_an_operation_waits)
{
	run_interrupted_resolve(false, true);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_RS_KICKER + 8), 0x12345678);
	CHECK_EQ(bench_peek(&b, C + 2047 * PITCH), 0x11111111);
	CHECK(bench_close(&b));
}

TEST(a_reset_and_a_start_within_an_operation)
{
	run_interrupted_resolve(true, true);
	CHECK_EQ(gc_state_u32(&b.gc->state, VIVS_RS_KICKER + 8), 0);
	CHECK_EQ(bench_peek(&b, C), 0);
	CHECK(bench_close(&b));
}

/* What the operation had written before the reset is counted at its end only: no register shows it. */
TEST(counts_of_an_aborted_operation_are_lost)
{
	for (unsigned int data = 0; data < 2; data++) {
		run_interrupted_resolve(true, data);
		CHECK(b.gc->counters.rs_write_bytes > 0);
		CHECK_EQ(gc_read(b.gc, HI_WRITE_BYTES8), 0);
		gc_write(b.gc, MC_PROFILE_CONFIG(2), 13);
		CHECK_EQ(gc_read(b.gc, MC_PROFILE_MC), 0);
		CHECK(bench_close(&b));
	}
}

int main(void)
{
	return test_all();
}
