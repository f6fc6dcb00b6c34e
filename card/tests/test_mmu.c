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

static bool good; /* the last read did not fault */

static uint32_t read32(enum gc_memory_client client, uint32_t address)
{
	uint32_t value = 0xeeeeeeee;

	good = gc_mmu_read(&b.gc->mmu, client, address, &value, sizeof(value));
	return value;
}

TEST(physical_before_enable)
{
	bench_open(&b);
	bench_poke(&b, PAGE, 0x12345678);
	CHECK_EQ(read32(GC_CLIENT_FE, PAGE), 0x12345678);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER);
	CHECK_EQ(read32(GC_CLIENT_FE, PAGE), 0x12345678);
	CHECK(good);
	CHECK(bench_close(&b));
}

TEST(v2_translates)
{
	uint32_t value = 77;

	open_v2();
	bench_poke(&b, PAGE + 4092, 1);
	bench_poke(&b, PAGE + 4096, 2);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 4092), 1);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 4096), 2);
	/* a copy over the page's end */
	CHECK_EQ(read32(GC_CLIENT_RA, VA + 4094), 0x00020000);
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

#define TABLE_AT_END (BENCH_BASE + BENCH_RAM - 1024)
#define NO_MEMORY 0x70000000

TEST(v2_faults)
{
	static const struct {
		const char *name;
		uint32_t master;
		enum gc_memory_client client;
		unsigned int slot;
		enum gc_access access;
		uint32_t address, code;
	} cases[] = {
		{ "no table", MASTER, GC_CLIENT_FE, 0, GC_READ, 0x80001234, GC_FAULT_NO_TABLE },
		{ "no page", MASTER, GC_CLIENT_TX, 1, GC_READ, VA + 0x5678, GC_FAULT_NO_PAGE },
		{ "read-only", MASTER, GC_CLIENT_PE, 2, GC_WRITE, VA + 16, GC_FAULT_READ_ONLY },
		{ "master table outside", NO_MEMORY, GC_CLIENT_RA, 3, GC_READ, 0x123000,
		  GC_FAULT_BOUNDS },
		{ "table outside", MASTER, GC_CLIENT_FE, 0, GC_READ, 1u << 22, GC_FAULT_BOUNDS },
		{ "last entry in memory", TABLE_AT_END, GC_CLIENT_FE, 0, GC_READ, 255u << 22,
		  GC_FAULT_NO_TABLE },
		{ "entry past the end of memory", TABLE_AT_END, GC_CLIENT_FE, 0, GC_READ,
		  256u << 22, GC_FAULT_BOUNDS },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t value = 1;

		ROW("%s", cases[i].name);
		bench_open(&b);
		bench_map(&b, MASTER, VA, PAGE, 2, 0);
		bench_poke(&b, MASTER + 4, NO_MEMORY | 1);
		for (unsigned int e = 0; e < 256; e++)
			bench_poke(&b, TABLE_AT_END + 4 * e, 2);
		bench_enable_mmu(&b, cases[i].master);
		read32(cases[i].client, cases[i].address);
		CHECK_EQ(good, cases[i].access == GC_WRITE); /* a read-only page can be read */
		if (good) {
			CHECK(!gc_mmu_write(&b.gc->mmu, cases[i].client, cases[i].address, &value,
					    4));
			CHECK_EQ(bench_peek(&b, PAGE + cases[i].address - VA), 0);
		}
		CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), cases[i].code << 4 * cases[i].slot);
		CHECK_EQ(gc_read(b.gc, MMUV2_EXCEPTION_ADDR(cases[i].slot)), cases[i].address);
		bench_run(&b, 1000);
		CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 30);
		CHECK_EQ(b.gc->fe->state, FE_FAULTED);
		CHECK_EQ(b.gc->counters.mmu_faults, 1);
		CHECK(bench_close(&b));
	}
}

/* A page without memory: a bus error; reads return zeros, writes are ignored. */
TEST(v2_page_outside_memory)
{
	uint32_t value = 1;

	open_v2();
	bench_poke(&b, SLAVE + 4 * 3, NO_MEMORY | 5);
	bench_poke(&b, SLAVE + 4 * 4, BENCH_BASE | 0x10 | 5); /* above 4 GiB */
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 0x3000, &value, 4));
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 0x4000, &value, 4));
	CHECK_EQ(read32(GC_CLIENT_PE, VA + 0x3000), 0);
	CHECK(good);
	CHECK_EQ(read32(GC_CLIENT_PE, VA + 0x4000), 0);
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

	open_v2();
	gc_write(b.gc, MMUV2_SAFE_ADDRESS, PAGE + 0x8000);
	bench_poke(&b, PAGE + 0x8010, 99);
	bench_poke(&b, SLAVE + 4 * 7, 0);
	bench_poke(&b, MASTER + 4 * 9, 0);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7010), 99);
	CHECK_EQ(read32(GC_CLIENT_TX, (9u << 22) + 0x10), 99);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7fd0), 99);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7014), 0);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, VA + 0x7020, &value, 4));
	CHECK_EQ(bench_peek(&b, PAGE + 0x8020), 0);
	CHECK_EQ(read32(GC_CLIENT_TX, VA + 0x7020), 0);
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

		open_v2();
		bench_poke(&b, MASTER + 4 * (VA >> 22), SLAVE | cases[i].size << 2 | 1);
		for (unsigned int e = 0; e < 64; e++)
			bench_poke(&b, SLAVE + 4 * e, 2);
		bench_poke(&b, SLAVE + 4 * cases[i].entry, cases[i].page | 5);
		bench_poke(&b, cases[i].page + (cases[i].at & mask), 0xabcd + i);
		CHECK_EQ(read32(GC_CLIENT_TX, VA + cases[i].at), 0xabcd + i);
		CHECK(good);
		if (cases[i].size < 3) {
			read32(GC_CLIENT_TX, VA + (cases[i].at ^ (mask + 1)));
			CHECK(!good);
		}
		CHECK(bench_close(&b));
	}
}

/* Translations are cached until they are flushed. */
TEST(v2_cache_needs_a_flush)
{
	open_v2();
	bench_poke(&b, PAGE, 1);
	bench_poke(&b, PAGE + 0x5000, 2);
	CHECK_EQ(read32(GC_CLIENT_TX, VA), 1);
	bench_poke(&b, SLAVE, (PAGE + 0x5000) | 5);
	CHECK_EQ(read32(GC_CLIENT_TX, VA), 1);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER | MMUV2_FLUSH | MMUV2_FLUSH_KEEP);
	CHECK_EQ(read32(GC_CLIENT_TX, VA), 1);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER | MMUV2_FLUSH);
	CHECK_EQ(read32(GC_CLIENT_TX, VA), 2);
	CHECK(bench_close(&b));
}

/* After any number of flushes no old translation is used. */
TEST(many_flushes)
{
	open_v2();
	for (unsigned int i = 0; i < 10000; i++) {
		uint32_t page = PAGE + (i & 15) * 4096;

		bench_poke(&b, page, i);
		bench_poke(&b, SLAVE, page | 5);
		gc_mmu_flush(&b.gc->mmu);
		CHECK_EQ(read32(GC_CLIENT_TX, VA), i);
	}
	CHECK(bench_close(&b));
}

TEST(v2_mode_1k)
{
	bench_open(&b);
	bench_poke(&b, MASTER + 4 * 0x12, SLAVE | 1);
	bench_poke(&b, SLAVE + 4 * 0x345, PAGE | 5);
	bench_poke(&b, PAGE + 0x678, 0xabcd);
	gc_write(b.gc, MMUV2_CONFIGURATION, MASTER | MMUV2_MODE_1K);
	gc_write(b.gc, MMUV2_CONTROL, 1);
	CHECK_EQ(read32(GC_CLIENT_FE, 0x12345678), 0xabcd);
	CHECK(bench_close(&b));
}

/* Only the first fault of a unit is kept. */
TEST(v2_first_fault_stays)
{
	open_v2();
	read32(GC_CLIENT_FE, 0x80001000);
	read32(GC_CLIENT_FE, VA + 0x9000);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), GC_FAULT_NO_TABLE);
	CHECK_EQ(gc_read(b.gc, MMUV2_EXCEPTION_ADDR(0)), 0x80001000);
	CHECK(bench_close(&b));
}

/* Random page tables: no walk leaves guest memory. */
TEST(v2_random_tables)
{
	uint64_t random = 88172645463325252ull;

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
			read32(random % GC_CLIENTS, (uint32_t)(random >> 20));
		else
			gc_mmu_write(&b.gc->mmu, random % GC_CLIENTS, (uint32_t)(random >> 20),
				     &value, 4);
	}
	CHECK(bench_close(&b));
}

TEST(v1_linear_window)
{
	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MEMORY_BASE_TX, BENCH_BASE);
	gc_write(b.gc, MC_MEMORY_BASE_PE, BENCH_BASE + 0x1000);
	bench_poke(&b, BENCH_BASE + 0x2000, 42);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x2000), 42);
	CHECK_EQ(read32(GC_CLIENT_PE, 0x1000), 42);
	CHECK(good);
	CHECK(bench_close(&b));
}

TEST(v1_page_table)
{
	uint32_t value = 9;

	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MMU_TX_PAGE_TABLE, MASTER);
	gc_write(b.gc, MC_MMU_PE_PAGE_TABLE, MASTER);
	bench_poke(&b, MASTER + 4 * 5, PAGE);
	bench_poke(&b, PAGE + 0x10, 7);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80005010), 7);
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

	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);
	gc_write(b.gc, MC_MMU_PE_PAGE_TABLE, 0xfffff000);
	CHECK_EQ(read32(GC_CLIENT_PE, 0x1000), 0);
	CHECK(good);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, 0x1000, &value, 4));
	CHECK_EQ(read32(GC_CLIENT_PE, 0x1000), 0);
	CHECK_EQ(read32(GC_CLIENT_PE, 0xfffff000), 0);
	CHECK(gc_mmu_write(&b.gc->mmu, GC_CLIENT_PE, 0xffffffff, &value, 1));
	bench_run(&b, 1000);
	CHECK(!b.irq);
	CHECK_EQ(gc_read(b.gc, HI_AXI_STATUS), 0);
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK(bench_close(&b));
}

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

/* GL FLUSH_MMU empties the cache of MMUv1. */
TEST(v1_flush)
{
	bench_open_with(&b, "gc2000", NULL);
	gc_write(b.gc, MC_MMU_TX_PAGE_TABLE, MASTER);
	bench_poke(&b, MASTER, PAGE);
	bench_poke(&b, PAGE, 1);
	bench_poke(&b, PAGE + 0x1000, 2);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80000000), 1);
	bench_poke(&b, MASTER, PAGE + 0x1000);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80000000), 1);
	gc_load_state(b.gc, VIVS_GL_FLUSH_MMU, 0x1f);
	CHECK_EQ(read32(GC_CLIENT_TX, 0x80000000), 2);
	CHECK(bench_close(&b));
}

int main(void)
{
	return test_all();
}
