// SPDX-License-Identifier: MIT
/*
 * replay [--last-job] FILE: feed a record (gc/record.h) to a core that has nothing but the record, and print its
 * statistics as "NAME VALUE" lines. Time is virtual, and the front end begins to execute at the
 * recorded cycles; so all but the total of cycles, which goes on while the core is idle, is that of the
 * recorded core.
 *
 * With --last-job, only what has been counted since the front end left its WAIT loop for the last time.
 * The recorded cycles are ignored: it leaves the loop each time at the next multiple of
 * JOB_REFRESHES * GPU_TICKS refreshes of memory after the reset. So two records of one stream take
 * the same time, whatever the speed of their guests was.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "clock/clock.h"
#include "gc/core.h"
#include "gc/fe_internal.h"
#include "gc/mmu.h"
#include "gc/record.h"

#define JOB_REFRESHES (UINT64_C(1) << 20) /* longer than any job */
#define MEMORY_BYTES (UINT64_C(1) << 32)

static uint8_t *bytes;
static struct guest_memory memory;
static struct card_clock *clock_;
static struct gc_core *gc;
static bool last_job;

static void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "replay: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(1);
}

static void ignore_irq(void *ctx, bool level)
{
}

static void create_core(const char *personality)
{
	const struct gc_options options = { .threads = 1 };
	struct gc_host host = { .memory = &memory, .set_irq = ignore_irq };
	const struct gc_personality *model = gc_personality_find(personality);

	bytes = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		fail("no room for the guest's memory");
	memory.count = 1;
	memory.region[0] = (struct guest_region){ 0, MEMORY_BYTES, bytes };
	host.clock = clock_ = clock_create(true);
	gc = model && clock_ ? gc_create(model, &host, &options) : NULL;
	if (!gc)
		fail("no core is called %s", personality);
}

/* Execute until nothing happens any more without the guest. */
static void run(void)
{
	for (;;) {
		while (gc_run(gc))
			;
		if (clock_next(clock_) == CARD_TIME_NEVER)
			break;
		clock_set_now(clock_, clock_next(clock_));
		clock_run_due(clock_);
	}
}

/* Let time pass until the core's cycle counter is @cycle. */
static void wait_for_cycle(uint64_t cycle)
{
	uint64_t now = clock_now(clock_), then = gpu_clock_ns_at(&gc->clock, now, cycle);

	if (then == CARD_TIME_NEVER || then <= now)
		return;
	clock_set_now(clock_, then);
	clock_run_due(clock_);
}

/* A refresh interval is given in ticks; as many cycles as that are GPU_TICKS intervals. */
static void begin_job(void)
{
	uint64_t interval = gc->pipeline.memory_params.refresh_interval;
	uint64_t pause = JOB_REFRESHES * (interval ? interval : 1), reset = gc->fe->reset_cycle;

	wait_for_cycle(reset + ((fe_now(gc) - reset) / pause + 1) * pause);
	gc_clear_statistics(gc);
}

static void read_exactly(FILE *file, void *to, size_t size)
{
	if (fread(to, size, 1, file) != 1)
		fail("the record ends too early");
}

static void replay_page(FILE *file, uint64_t address)
{
	if (address % GC_PAGE_SIZE || address >= MEMORY_BYTES)
		fail("a page at 0x%" PRIx64, address);
	read_exactly(file, bytes + address, GC_PAGE_SIZE);
}

static void replay_entry(FILE *file, const struct gc_record_entry *entry)
{
	if (!last_job)
		wait_for_cycle(entry->cycle);
	switch (entry->kind) {
	case GC_RECORD_RESET:
		gc_reset(gc);
		break;
	case GC_RECORD_READ:
		gc_read(gc, (uint32_t)entry->address);
		break;
	case GC_RECORD_WRITE:
		gc_write(gc, (uint32_t)entry->address, entry->value);
		run();
		break;
	case GC_RECORD_PAGE:
		replay_page(file, entry->address);
		break;
	case GC_RECORD_POLL:
		if (last_job)
			begin_job();
		if (!gc_poll(gc))
			fail("the front end has no reason to leave its loop: entry at %ld",
			     ftell(file));
		run();
		break;
	default:
		fail("an entry of kind %" PRIu32, entry->kind);
	}
}

static void print(void *ctx, const char *name, uint64_t value)
{
	printf("%s %" PRIu64 "\n", name, value);
}

int main(int argc, char *argv[])
{
	char magic[sizeof(GC_RECORD_MAGIC)], personality[GC_RECORD_NAME];
	struct gc_record_entry entry;
	FILE *file;

	last_job = argc == 3 && !strcmp(argv[1], "--last-job");
	if (argc != 2 + last_job)
		fail("usage: replay [--last-job] FILE");
	file = fopen(argv[argc - 1], "rb");
	if (!file)
		fail("%s cannot be read", argv[argc - 1]);
	read_exactly(file, magic, sizeof(magic));
	read_exactly(file, personality, sizeof(personality));
	if (memcmp(magic, GC_RECORD_MAGIC, sizeof(magic)) || personality[GC_RECORD_NAME - 1])
		fail("%s is not a record", argv[argc - 1]);
	create_core(personality);
	while (fread(&entry, sizeof(entry), 1, file) == 1)
		replay_entry(file, &entry);
	fclose(file);
	gc_print_statistics(gc, print, NULL);
	gc_destroy(gc);
	clock_destroy(clock_);
	munmap(bytes, MEMORY_BYTES);
	return 0;
}
