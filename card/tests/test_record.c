// SPDX-License-Identifier: MIT
/* What the record of a core contains (gc/record.h); tests/replay.c feeds it to another. */
#include <stdio.h>

#include "fe_bench.h"
#include "gc/record.h"

#define MASTER (BENCH_BASE + 0x10000)
#define CODE (BENCH_BASE + 0x20000) /* mapped, and the two pages after it */
#define CODE_AT 0x40000000u         /* the GPU's address of it */
#define MAX_ENTRIES 64
#define US 1000u

static struct bench b;
static FILE *file;
static struct gc_record_entry entry[MAX_ENTRIES];
static uint32_t first_word[MAX_ENTRIES]; /* of pages */
static unsigned int entries;

static void open_record(void)
{
	struct gc_options options = { .null_draw = true };

	file = options.record = tmpfile();
	bench_open_as(&b, "gc3000", &options, true);
}

static void read_record(void)
{
	char head[sizeof(GC_RECORD_MAGIC) + GC_RECORD_NAME];
	uint8_t page[GC_PAGE_SIZE];

	rewind(file);
	CHECK(fread(head, sizeof(head), 1, file) == 1);
	CHECK(!strcmp(head, GC_RECORD_MAGIC));
	CHECK(!strcmp(head + sizeof(GC_RECORD_MAGIC), "gc3000"));
	for (entries = 0; entries < MAX_ENTRIES; entries++) {
		if (fread(&entry[entries], sizeof(entry[0]), 1, file) != 1)
			break;
		if (entry[entries].kind != GC_RECORD_PAGE)
			continue;
		CHECK(fread(page, sizeof(page), 1, file) == 1);
		memcpy(&first_word[entries], page, sizeof(first_word[0]));
	}
}

static void close_record(void)
{
	fclose(file);
	CHECK(bench_close(&b));
}

/* The number of entries of this kind with this address. */
static unsigned int count(enum gc_record_kind kind, uint32_t address)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < entries; i++)
		n += entry[i].kind == kind && entry[i].address == address;
	return n;
}

/* The last entry of this kind with this address; 0 if there is none. */
static unsigned int last(enum gc_record_kind kind, uint32_t address)
{
	unsigned int at = 0;

	for (unsigned int i = 0; i < entries; i++)
		if (entry[i].kind == kind && entry[i].address == address)
			at = i;
	return at;
}

TEST(registers_and_resets)
{
	open_record();
	gc_read(b.gc, HI_CHIP_IDENTITY);
	gc_write(b.gc, HI_INTR_ENABLE, 5);
	gc_reset(b.gc);
	read_record();
	CHECK_EQ(entries, 3);
	CHECK_EQ(count(GC_RECORD_READ, HI_CHIP_IDENTITY), 1);
	CHECK_EQ(entry[1].kind, GC_RECORD_WRITE);
	CHECK_EQ(entry[1].address, HI_INTR_ENABLE);
	CHECK_EQ(entry[1].value, 5);
	CHECK_EQ(entry[2].kind, GC_RECORD_RESET);
	close_record();
}

/* Without the MMU, the pages of the stream's first block, before the write that starts it */
TEST(memory_of_a_start)
{
	open_record();
	b.at = BENCH_BASE + GC_PAGE_SIZE - 8;
	bench_state(&b, VIVS_GL_FLUSH_CACHE, 0);
	bench_end(&b);
	bench_poke(&b, BENCH_BASE, 7);
	bench_start(&b, BENCH_BASE + GC_PAGE_SIZE - 8, 2);
	bench_run(&b, 10 * US);
	read_record();
	CHECK_EQ(count(GC_RECORD_PAGE, BENCH_BASE), 1);
	CHECK_EQ(count(GC_RECORD_PAGE, BENCH_BASE + GC_PAGE_SIZE), 1);
	CHECK_EQ(first_word[last(GC_RECORD_PAGE, BENCH_BASE)], 7);
	CHECK(last(GC_RECORD_WRITE, VIVS_FE_COMMAND_CONTROL) > last(GC_RECORD_PAGE, BENCH_BASE));
	close_record();
}

/* With the MMU: tables and pages that are not zero; after a wait loop, those that changed. */
TEST(memory_behind_the_tables)
{
	uint32_t loop;

	open_record();
	bench_map(&b, MASTER, CODE_AT, CODE, 3, false);
	b.at = CODE;
	bench_emit2(&b, VIV_FE_WAIT_HEADER_OP_WAIT | VIV_FE_WAIT_HEADER_DELAY(200), 0);
	bench_link(&b, 2, CODE_AT);
	loop = CODE;
	bench_poke(&b, CODE + GC_PAGE_SIZE, 3);
	bench_enable_mmu(&b, MASTER);
	bench_start(&b, CODE_AT, 2);
	bench_run(&b, 10 * US);
	CHECK(gc_is_polling(b.gc));
	bench_poke(&b, CODE + GC_PAGE_SIZE, 4);
	bench_poke(&b, loop, VIV_FE_END_HEADER_OP_END);
	CHECK(gc_poll(b.gc));
	read_record();
	CHECK_EQ(count(GC_RECORD_PAGE, MASTER), 1);
	CHECK_EQ(count(GC_RECORD_PAGE, MASTER + GC_PAGE_SIZE), 1);
	CHECK_EQ(count(GC_RECORD_PAGE, CODE), 2);
	CHECK_EQ(count(GC_RECORD_PAGE, CODE + GC_PAGE_SIZE), 2);
	CHECK_EQ(first_word[last(GC_RECORD_PAGE, CODE + GC_PAGE_SIZE)], 4);
	CHECK_EQ(count(GC_RECORD_PAGE, CODE + 2 * GC_PAGE_SIZE), 0); /* zeros */
	CHECK_EQ(entry[entries - 1].kind, GC_RECORD_POLL);
	CHECK_EQ(entry[entries - 1].cycle, b.gc->fe->cycle);
	close_record();
}

/* A block that begins at the end of the addresses goes on at their beginning, as fetches of it do. */
TEST(blocks_wrap_around)
{
	open_record();
	b.memory.region[0].address = 0xfff80000;
	b.memory.region[1] = (struct guest_region){ 0, BENCH_RAM / 2, b.ram + BENCH_RAM / 2 };
	b.memory.region[0].size = BENCH_RAM / 2;
	b.memory.count = 2;
	memset(b.ram, 1, BENCH_RAM);
	gc_write(b.gc, VIVS_FE_COMMAND_ADDRESS, 0xffffe000);
	gc_write(b.gc, VIVS_FE_COMMAND_CONTROL, 3 * GC_PAGE_SIZE / 8);
	read_record();
	CHECK_EQ(count(GC_RECORD_PAGE, 0xffffe000), 1);
	CHECK_EQ(count(GC_RECORD_PAGE, 0xfffff000), 1);
	CHECK_EQ(count(GC_RECORD_PAGE, 0), 1);
	CHECK_EQ(count(GC_RECORD_PAGE, GC_PAGE_SIZE), 0);
	close_record();
}

int main(void)
{
	return test_all();
}
