// SPDX-License-Identifier: MIT
/*
 * Both MMUs: walks, all faults of each level, tables and pages outside of memory, the
 * translation cache.
 */
#include "fe_bench.h"
#include "fe_fakes.h"

#define MASTER (BENCH_BASE + 0x10000)
#define SLAVE (MASTER + 0x1000)
#define PAGE (BENCH_BASE + 0x20000)
#define VA 0x40000000u

static struct bench b;

static void open_v2(void)
{
	bench_open(&b);
	bench_map(&b, MASTER, VA, PAGE, 2, 1);
	bench_enable_mmu(&b, MASTER);
}

static uint32_t read32(enum gc_memory_client client, uint32_t address, bool *good)
{
	uint32_t value = 0xeeeeeeee;

	*good = gc_mmu_read(&b.gc->mmu, client, address, &value, sizeof(value));
	return value;
}

TEST(physical_before_enable)
{
	bool good;

	bench_open(&b);
	bench_poke(&b, PAGE, 0x12345678);
	CHECK_EQ(read32(GC_CLIENT_FE, PAGE, &good), 0x12345678);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER);
	CHECK_EQ(read32(GC_CLIENT_FE, PAGE, &good), 0x12345678);
	CHECK(good);
	CHECK(bench_close(&b));
}

TEST(v2_translates)
{
	uint32_t value = 77;
	bool good;

	open_v2();
	bench_poke(&b, PAGE + 4092, 1);
	bench_poke(&b, PAGE + 4096, 2);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 4092, &good), 1);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 4096, &good), 2);
	/* a copy over the page's end */
	CHECK_EQ(read32(GC_CLIENT_RA, VA + 4094, &good), 0x00020000);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 8, &value, 4));
	CHECK_EQ(bench_peek(&b, PAGE + 8), 77);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK(bench_close(&b));
}

/* The MMU stays enabled until reset; the safe address can be written once. */
TEST(v2_sticky_registers)
{
	open_v2();
	gc_write(b.gc, MMUV2_CONTROL, 0);
	CHECK_EQ(gc_read(b.gc, MMUV2_CONTROL), 1);
	gc_write(b.gc, MMUV2_SAFE_ADDRESS, PAGE + 123);
	gc_write(b.gc, MMUV2_SAFE_ADDRESS, MASTER);
	CHECK_EQ(gc_read(b.gc, MMUV2_SAFE_ADDRESS), PAGE + 64);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100 | HI_CLOCK_SOFT_RESET);
	CHECK_EQ(gc_read(b.gc, MMUV2_CONTROL), 0);
	CHECK_EQ(gc_read(b.gc, MMUV2_SAFE_ADDRESS), 0);
	CHECK(bench_close(&b));
}

/* The mask bits of CONFIGURATION protect their fields. */
TEST(v2_configuration_masks)
{
	open_v2();
	gc_write(b.gc, MMUV2_CONFIGURATION, 0x12345400 | MMUV2_ADDRESS_KEEP | MMUV2_MODE_1K);
	CHECK_EQ(gc_read(b.gc, MMUV2_CONFIGURATION), MASTER | MMUV2_MODE_1K);
	gc_write(b.gc, MMUV2_CONFIGURATION, 0x12345400 | MMUV2_MODE_KEEP);
	CHECK_EQ(gc_read(b.gc, MMUV2_CONFIGURATION), 0x12345400 | MMUV2_MODE_1K);
	CHECK(bench_close(&b));
}

static void check_fault(enum gc_memory_client client, unsigned int slot, uint32_t code,
			uint32_t address)
{
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), code << 4 * slot);
	CHECK_EQ(gc_read(b.gc, MMUV2_EXCEPTION_ADDR(slot)), address);
	bench_run(&b, 1000);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 30);
	CHECK_EQ(b.gc->fe->state, FE_FAULTED);
	CHECK_EQ(b.gc->counters.mmu_faults, 1);
}

TEST(v2_fault_no_table)
{
	bool good;

	open_v2();
	read32(GC_CLIENT_FE, 0x80001234, &good);
	CHECK(!good);
	check_fault(GC_CLIENT_FE, 0, GC_FAULT_NO_TABLE, 0x80001234);
	CHECK(bench_close(&b));
}

TEST(v2_fault_no_page)
{
	bool good;

	open_v2();
	read32(GC_CLIENT_TX, VA + 0x5678, &good);
	CHECK(!good);
	check_fault(GC_CLIENT_TX, 1, GC_FAULT_NO_PAGE, VA + 0x5678);
	CHECK(bench_close(&b));
}

TEST(v2_fault_read_only)
{
	uint32_t value = 1;
	bool good;

	bench_open(&b);
	bench_map(&b, MASTER, VA, PAGE, 2, 0);
	bench_enable_mmu(&b, MASTER);
	read32(GC_CLIENT_PE, VA, &good);
	CHECK(good);
	CHECK(!gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 16, &value, 4));
	CHECK_EQ(bench_peek(&b, PAGE + 16), 0);
	check_fault(GC_CLIENT_PE, 2, GC_FAULT_READ_ONLY, VA + 16);
	CHECK(bench_close(&b));
}

TEST(v2_tables_outside_memory)
{
	bool good;

	bench_open(&b);
	bench_enable_mmu(&b, 0x70000000);
	read32(GC_CLIENT_RA, 0x123000, &good);
	CHECK(!good);
	check_fault(GC_CLIENT_RA, 3, GC_FAULT_BOUNDS, 0x123000);
	CHECK(bench_close(&b));

	open_v2();
	bench_poke(&b, MASTER + 4, 0x70000000 | 1);
	read32(GC_CLIENT_FE, 1u << 22, &good);
	CHECK(!good);
	check_fault(GC_CLIENT_FE, 0, GC_FAULT_BOUNDS, 1u << 22);
	CHECK(bench_close(&b));
}

/* A table whose last entries are past the end of memory. */
TEST(v2_table_across_the_end_of_memory)
{
	bool good;

	bench_open(&b);
	for (unsigned int i = 0; i < 256; i++)
		bench_poke(&b, BENCH_BASE + BENCH_RAM - 1024 + 4 * i, 2);
	bench_enable_mmu(&b, BENCH_BASE + BENCH_RAM - 1024);
	read32(GC_CLIENT_FE, 255u << 22, &good);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_NO_TABLE);
	gc_reset(b.gc);
	bench_enable_mmu(&b, BENCH_BASE + BENCH_RAM - 1024);
	read32(GC_CLIENT_FE, 256u << 22, &good);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_BOUNDS);
	CHECK(bench_close(&b));
}

/* A page without memory: a bus error; reads return zeros, writes are ignored. */
TEST(v2_page_outside_memory)
{
	uint32_t value = 1;
	bool good;

	open_v2();
	bench_poke(&b, SLAVE + 4 * 3, 0x70000000 | 5);
	bench_poke(&b, SLAVE + 4 * 4, BENCH_BASE | 0x10 | 5); /* above 4 GiB */
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 0x3000, &value, 4));
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 0x4000, &value, 4));
	CHECK_EQ(read32(GC_CLIENT_PE, VA + 0x3000, &good), 0);
	CHECK(good);
	CHECK_EQ(read32(GC_CLIENT_PE, VA + 0x4000, &good), 0);
	CHECK_EQ(bench_peek(&b, BENCH_BASE), 0);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	bench_run(&b, 1000);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 31);
	CHECK_EQ(gc_read(b.gc, HI_AXI_STATUS), HI_AXI_WRITE_ERROR | HI_AXI_READ_ERROR);
	CHECK_EQ(gc_read(b.gc, HI_AXI_STATUS), 0);
	CHECK(bench_close(&b));
}

/* Without the exception bit, reads of an absent page get the 64 bytes at the safe address; writes are lost. */
TEST(v2_safe_address)
{
	uint32_t value = 5;
	bool good;

	open_v2();
	gc_write(b.gc, MMUV2_SAFE_ADDRESS, PAGE + 0x8000);
	bench_poke(&b, PAGE + 0x8010, 99);
	bench_poke(&b, SLAVE + 4 * 7, 0);
	bench_poke(&b, MASTER + 4 * 9, 0);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7010, &good), 99);
	CHECK_EQ(read32(GC_CLIENT_TX, (9u << 22) + 0x10, &good), 99);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7fd0, &good), 99);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7014, &good), 0);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 0x7020, &value, 4));
	CHECK_EQ(bench_peek(&b, PAGE + 0x8020), 0);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7020, &good), 0);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK(bench_close(&b));
}

/* Pages of 64 KiB, 1 MiB and 16 MiB, by the master entry. */
TEST(v2_large_pages)
{
	static const struct {
		uint32_t size, at, entry, page;
	} cases[] = { { 1, 0x123450, 0x12, BENCH_BASE + 0x30000 },
		      { 2, 0x312340, 3, BENCH_BASE },
		      { 3, 0x012340, 0, BENCH_BASE } };

	for (unsigned int i = 0; i < 3; i++) {
		const uint32_t mask = (1u << (12 + 4 * cases[i].size)) - 1;
		bool good;

		open_v2();
		bench_poke(&b, MASTER + 4 * (VA >> 22), SLAVE | cases[i].size << 2 | 1);
		for (unsigned int e = 0; e < 64; e++)
			bench_poke(&b, SLAVE + 4 * e, 2);
		bench_poke(&b, SLAVE + 4 * cases[i].entry, cases[i].page | 5);
		bench_poke(&b, cases[i].page + (cases[i].at & mask), 0xabcd + i);
		CHECK_EQ(read32(GC_CLIENT_TX, VA + cases[i].at, &good), 0xabcd + i);
		CHECK(good);
		if (cases[i].size < 3) {
			read32(GC_CLIENT_TX, VA + (cases[i].at ^ (mask + 1)), &good);
			CHECK(!good);
		}
		CHECK(bench_close(&b));
	}
}

/* Translations are cached until they are flushed. */
TEST(v2_cache_needs_a_flush)
{
	bool good;

	open_v2();
	bench_poke(&b, PAGE, 1);
	bench_poke(&b, PAGE + 0x5000, 2);
	CHECK_EQ(read32(GC_CLIENT_TX, VA, &good), 1);
	bench_poke(&b, SLAVE, (PAGE + 0x5000) | 5);
	CHECK_EQ(read32(GC_CLIENT_TX, VA, &good), 1);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER | MMUV2_FLUSH | MMUV2_FLUSH_KEEP);
	CHECK_EQ(read32(GC_CLIENT_TX, VA, &good), 1);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER | MMUV2_FLUSH);
	CHECK_EQ(read32(GC_CLIENT_TX, VA, &good), 2);
	CHECK(bench_close(&b));
}

/* After any number of flushes no old translation is used. */
TEST(many_flushes)
{
	bool good;

	open_v2();
	for (unsigned int i = 0; i < 10000; i++) {
		uint32_t page = PAGE + (i & 15) * 4096;

		bench_poke(&b, page, i);
		bench_poke(&b, SLAVE, page | 5);
		gc_mmu_flush(&b.gc->mmu);
		CHECK_EQ(read32(GC_CLIENT_TX, VA, &good), i);
	}
	CHECK(bench_close(&b));
}

TEST(v2_mode_1k)
{
	bool good;

	bench_open(&b);
	bench_poke(&b, MASTER + 4 * 0x12, SLAVE | 1);
	bench_poke(&b, SLAVE + 4 * 0x345, PAGE | 5);
	bench_poke(&b, PAGE + 0x678, 0xabcd);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER | MMUV2_MODE_1K);
	gc_write(b.gc, MMUV2_CONTROL, 1);
	CHECK_EQ(read32(GC_CLIENT_FE, 0x12345678, &good), 0xabcd);
	CHECK(bench_close(&b));
}

/* Only the first fault of a unit is kept. */
TEST(v2_first_fault_stays)
{
	bool good;

	open_v2();
	read32(GC_CLIENT_FE, 0x80001000, &good);
	read32(GC_CLIENT_FE, VA + 0x9000, &good);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_NO_TABLE);
	CHECK_EQ(gc_read(b.gc, MMUV2_EXCEPTION_ADDR(0)), 0x80001000);
	CHECK(bench_close(&b));
}

/* Random page tables: no walk leaves guest memory. */
TEST(v2_random_tables)
{
	uint64_t random = 88172645463325252ull;
	bool good;

	bench_open(&b);
	for (unsigned int i = 0; i < BENCH_RAM / 4; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		/* half of them point into memory */
		bench_poke(&b, BENCH_BASE + 4 * i,
			   random & 1 ? (uint32_t)random
				      : BENCH_BASE | ((uint32_t)random & (BENCH_RAM - 1)));
	}
	bench_enable_mmu(&b, MASTER);
	for (unsigned int i = 0; i < 100000; i++) {
		uint32_t value = i;

		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		if (random & 1)
			read32(random % GC_CLIENTS, (uint32_t)(random >> 20), &good);
		else
			gc_mmu_write(&b.gc->mmu, random % GC_CLIENTS, (uint32_t)(random >> 20),
				     &value, 4);
	}
	CHECK(bench_close(&b));
}

TEST(v1_linear_window)
{
	bool good;

	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MEMORY_BASE_TX, BENCH_BASE);
	gc_write(b.gc, MC_MEMORY_BASE_PE, BENCH_BASE + 0x1000);
	bench_poke(&b, BENCH_BASE + 0x2000, 42);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x2000, &good), 42);
	CHECK_EQ(read32(GC_CLIENT_PE, 0x1000, &good), 42);
	CHECK(good);
	CHECK(bench_close(&b));
}

TEST(v1_page_table)
{
	uint32_t value = 9;
	bool good;

	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MMU_TX_PAGE_TABLE, MASTER);
	gc_write(b.gc, MC_MMU_PE_PAGE_TABLE, MASTER);
	bench_poke(&b, MASTER + 4 * 5, PAGE);
	bench_poke(&b, PAGE + 0x10, 7);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80005010, &good), 7);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, 0x80005014, &value, 4));
	CHECK_EQ(bench_peek(&b, PAGE + 0x14), 9);
	CHECK_EQ(gc_read(b.gc, MC_MMU_TX_PAGE_TABLE), MASTER);
	CHECK(bench_close(&b));
}

/* The front end has no translation for commands: it stops at the first one above the window. */
TEST(v1_commands_are_in_the_window)
{
	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MMU_FE_PAGE_TABLE, MASTER);
	bench_poke(&b, MASTER, BENCH_BASE + 0x4000);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	bench_event(&b, 1, VIVS_GL_EVENT_FROM_FE);
	bench_emit2(&b, VIV_FE_LINK_HEADER_OP_LINK | 2, 0x80000000u);
	b.at = BENCH_BASE + 0x4000;
	bench_event(&b, 2, VIVS_GL_EVENT_FROM_FE);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 2);
	bench_run(&b, 100000);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 2);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), 0x80000000u);
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));
	CHECK(bench_close(&b));
}

/* No faults: without a page or a table, reads return zero and writes are ignored. */
TEST(v1_outside_memory)
{
	uint32_t value = 1;
	bool good;

	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	gc_write(b.gc, MC_MMU_PE_PAGE_TABLE, 0xfffff000);
	CHECK_EQ(read32(GC_CLIENT_PE, 0x1000, &good), 0);
	CHECK(good);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, 0x1000, &value, 4));
	CHECK_EQ(read32(GC_CLIENT_PE, 0x1000, &good), 0);
	CHECK_EQ(read32(GC_CLIENT_PE, 0xfffff000, &good), 0);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, 0xffffffff, &value, 1));
	bench_run(&b, 1000);
	CHECK(!b.irq);
	CHECK_EQ(gc_read(b.gc, HI_AXI_STATUS), 0);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK(bench_close(&b));
}

/* GL FLUSH_MMU empties the cache of MMUv1. */
/* The substitute pages are aligned like memory, for atomic accesses. */
TEST(words_of_absent_memory_are_aligned)
{
	bench_open(&b);
	for (unsigned int access = GC_READ; access <= GC_WRITE; access++) {
		uint8_t *page = gc_mmu_map(&b.gc->mmu, GC_CLIENT_TX, access, 0xfff00000u);

		CHECK(page);
		CHECK_EQ((uintptr_t)page % 16, 0);
	}
	bench_close(&b);
}

TEST(v1_flush)
{
	bool good;

	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MMU_TX_PAGE_TABLE, MASTER);
	bench_poke(&b, MASTER, PAGE);
	bench_poke(&b, PAGE, 1);
	bench_poke(&b, PAGE + 0x1000, 2);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80000000, &good), 1);
	bench_poke(&b, MASTER, PAGE + 0x1000);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80000000, &good), 1);
	gc_load_state(b.gc, VIVS_GL_FLUSH_MMU, 0x1f);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80000000, &good), 2);
	CHECK(bench_close(&b));
}

int main(void)
{
	RUN(physical_before_enable);
	RUN(v2_translates);
	RUN(v2_sticky_registers);
	RUN(v2_configuration_masks);
	RUN(v2_fault_no_table);
	RUN(v2_fault_no_page);
	RUN(v2_fault_read_only);
	RUN(v2_tables_outside_memory);
	RUN(v2_table_across_the_end_of_memory);
	RUN(v2_page_outside_memory);
	RUN(v2_safe_address);
	RUN(v2_large_pages);
	RUN(v2_cache_needs_a_flush);
	RUN(many_flushes);
	RUN(v2_mode_1k);
	RUN(v2_first_fault_stays);
	RUN(v2_random_tables);
	RUN(v1_linear_window);
	RUN(v1_page_table);
	RUN(v1_commands_are_in_the_window);
	RUN(v1_outside_memory);
	RUN(words_of_absent_memory_are_aligned);
	RUN(v1_flush);
	return test_end();
}
