/* SPDX-License-Identifier: MIT */
/*
 * A core for tests of the front end with a MiB of guest memory; records the interrupt line. Unless
 * opened otherwise, time is virtual and draws have no pixels.
 */
#ifndef CARD_TESTS_FE_BENCH_H
#define CARD_TESTS_FE_BENCH_H

#include <stdlib.h>

#include "check.h"
#include "gc/core.h"
#include "gc/fe_internal.h"
#include "gc/registers.h"
#include "hw/cmdstream.xml.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define BENCH_RAM 0x00100000u  /* bytes */
#define BENCH_BASE 0x10000000u /* guest-physical */
#define BENCH_GUARD 4096       /* bytes on each side of the memory, which must not change */

struct bench {
	struct card_clock *clock;
	struct guest_memory memory;
	struct gc_core *gc;
	uint8_t *arena; /* guard, RAM, guard */
	uint8_t *ram;
	bool irq;
	unsigned int irq_edges;
	uint32_t at; /* where the next stream word goes */
};

static void bench_set_irq(void *ctx, bool level)
{
	struct bench *b = ctx;

	b->irq = level;
	b->irq_edges++;
}

static void bench_open_as(struct bench *b, const char *personality,
			  const struct gc_options *options, bool virtual)
{
	struct gc_host host = { .ctx = b, .set_irq = bench_set_irq };

	memset(b, 0, sizeof(*b));
	b->clock = clock_create(virtual);
	b->arena = aligned_alloc(4096, BENCH_RAM + 2 * BENCH_GUARD);
	memset(b->arena, 0xa5, BENCH_RAM + 2 * BENCH_GUARD);
	b->ram = b->arena + BENCH_GUARD;
	memset(b->ram, 0, BENCH_RAM);
	b->memory.count = 1;
	b->memory.region[0] = (struct guest_region){ BENCH_BASE, BENCH_RAM, b->ram };
	host.memory = &b->memory;
	host.clock = b->clock;
	b->gc = gc_create(gc_personality_find(personality), &host, options);
	b->at = BENCH_BASE;
}

static inline void bench_open_in(struct bench *b, const char *personality, FILE *trace,
				 bool virtual)
{
	struct gc_options options = { .trace = trace, .null_draw = true };

	bench_open_as(b, personality, &options, virtual);
}

static inline void bench_open_with(struct bench *b, const char *personality, FILE *trace)
{
	bench_open_in(b, personality, trace, true);
}

static inline void bench_open(struct bench *b)
{
	bench_open_with(b, "gc3000", NULL);
}

/* Destroy the core; returns whether the bytes around guest memory are unchanged. */
static bool bench_close(struct bench *b)
{
	bool clean = true;

	for (unsigned int i = 0; i < BENCH_GUARD; i++)
		if (b->arena[i] != 0xa5 || b->ram[BENCH_RAM + i] != 0xa5)
			clean = false;
	gc_destroy(b->gc);
	clock_destroy(b->clock);
	free(b->arena);
	return clean;
}

static inline void bench_poke(struct bench *b, uint32_t address, uint32_t value)
{
	memcpy(b->ram + (address - BENCH_BASE), &value, sizeof(value));
}

static inline uint32_t bench_peek(struct bench *b, uint32_t address)
{
	uint32_t value;

	memcpy(&value, b->ram + (address - BENCH_BASE), sizeof(value));
	return value;
}

static inline void bench_emit(struct bench *b, uint32_t value)
{
	bench_poke(b, b->at, value);
	b->at += 4;
}

static inline void bench_emit2(struct bench *b, uint32_t low, uint32_t high)
{
	bench_emit(b, low);
	bench_emit(b, high);
}

static inline void bench_state(struct bench *b, uint32_t address, uint32_t value)
{
	bench_emit2(b,
		    VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE | VIV_FE_LOAD_STATE_HEADER_COUNT(1) |
			    VIV_FE_LOAD_STATE_HEADER_OFFSET(address >> 2),
		    value);
}

static inline void bench_event(struct bench *b, unsigned int id, uint32_t from)
{
	bench_state(b, VIVS_GL_EVENT, VIVS_GL_EVENT_EVENT_ID(id) | from);
}

static inline void bench_end(struct bench *b)
{
	bench_emit2(b, VIV_FE_END_HEADER_OP_END, 0);
}

static inline void bench_link(struct bench *b, unsigned int prefetch, uint32_t to)
{
	bench_emit2(b, VIV_FE_LINK_HEADER_OP_LINK | VIV_FE_LINK_HEADER_PREFETCH(prefetch), to);
}

/* WAIT and LINK back to it; returns where the WAIT is. */
static inline uint32_t bench_wait_loop(struct bench *b)
{
	uint32_t here = b->at;

	bench_emit2(b, VIV_FE_WAIT_HEADER_OP_WAIT | VIV_FE_WAIT_HEADER_DELAY(200), 0);
	bench_link(b, 2, here);
	return here;
}

static inline void bench_load(struct bench *b, uint32_t address, unsigned int count, bool fixed)
{
	bench_emit(b, VIV_FE_LOAD_STATE_HEADER_OP_LOAD_STATE |
			      VIV_FE_LOAD_STATE_HEADER_COUNT(count) |
			      VIV_FE_LOAD_STATE_HEADER_OFFSET(address >> 2) |
			      (fixed ? VIV_FE_LOAD_STATE_HEADER_FIXP : 0));
}

/* A draw of as many points as can be shaded in @us microseconds. */
static inline void bench_busy(struct bench *b, uint64_t us)
{
	const struct gpu_params *params = b->gc->pipeline.params;
	uint64_t cycles = us * (params->core_hz / 1000000);

	bench_emit2(b, VIV_FE_DRAW_PRIMITIVES_HEADER_OP_DRAW_PRIMITIVES, PRIMITIVE_TYPE_POINTS);
	bench_emit2(b, 0, (uint32_t)((cycles << 16) / params->vertex_fp));
}

static inline void bench_semaphore(struct bench *b, unsigned int from, unsigned int to)
{
	bench_state(b, VIVS_GL_SEMAPHORE_TOKEN,
		    VIVS_GL_SEMAPHORE_TOKEN_FROM(from) | VIVS_GL_SEMAPHORE_TOKEN_TO(to));
}

static inline void bench_stall(struct bench *b, unsigned int from, unsigned int to)
{
	bench_emit2(b, VIV_FE_STALL_HEADER_OP_STALL,
		    VIV_FE_STALL_TOKEN_FROM(from) | VIV_FE_STALL_TOKEN_TO(to));
}

/*
 * Tables that map @pages pages from @address on to @physical, and nothing else: the master at
 * @master, after it the only slave.
 */
static inline void bench_map(struct bench *b, uint32_t master, uint32_t address, uint32_t physical,
			     unsigned int pages, bool writeable)
{
	for (unsigned int i = 0; i < 1024; i++) {
		bench_poke(b, master + 4 * i, 2);
		bench_poke(b, master + 0x1000 + 4 * i, 2);
	}
	bench_poke(b, master + 4 * (address >> 22), (master + 0x1000) | 1);
	for (unsigned int i = 0; i < pages; i++)
		bench_poke(b, master + 0x1000 + 4 * ((address >> 12 & 1023) + i),
			   (physical + 4096 * i) | (writeable ? 5 : 1));
}

static inline void bench_enable_mmu(struct bench *b, uint32_t master)
{
	gc_write(b->gc, MMUV2_CONFIGURATION, master);
	gc_write(b->gc, MMUV2_CONTROL, MMUV2_CONTROL_ENABLE);
}

static inline void bench_start(struct bench *b, uint32_t address, unsigned int prefetch)
{
	gc_write(b->gc, VIVS_FE_COMMAND_ADDRESS, address);
	gc_write(b->gc, VIVS_FE_COMMAND_CONTROL, VIVS_FE_COMMAND_CONTROL_ENABLE | prefetch);
}

/*
 * Run for @ns as the main loop does: run the core as long as it can, otherwise advance to the
 * next event.
 */
static void bench_run(struct bench *b, uint64_t ns)
{
	uint64_t end = clock_now(b->clock) + ns;
	uint64_t next;

	for (;;) {
		gc_poll(b->gc);
		while (gc_run(b->gc))
			;
		next = clock_next(b->clock);
		if (next > end)
			break;
		if (next > clock_now(b->clock))
			clock_set_now(b->clock, next);
		clock_run_due(b->clock);
	}
	clock_set_now(b->clock, end);
}

static inline uint64_t bench_cycles(struct bench *b)
{
	return gpu_clock_cycles(&b->gc->clock, clock_now(b->clock));
}

static inline void bench_soft_reset(struct bench *b)
{
	/* 0x1000 is SOFT_RESET, 0x300 loads the full clock */
	gc_write(b->gc, HI_CLOCK_CONTROL, 0x1300);
	gc_write(b->gc, HI_CLOCK_CONTROL, 0x300);
}

/* Check that the idle front end executes a job that is one event. */
static inline void bench_check_job(struct bench *b)
{
	b->at = BENCH_BASE;
	bench_event(b, 7, VIVS_GL_EVENT_FROM_PE);
	bench_end(b);
	bench_start(b, BENCH_BASE, 2);
	bench_run(b, 100000);
	CHECK_EQ(gc_read(b->gc, HI_INTR_ACKNOWLEDGE), 1u << 7);
}

#endif
