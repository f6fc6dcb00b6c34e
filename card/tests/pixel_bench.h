/* SPDX-License-Identifier: MIT */
/*
 * A core with a pixel engine only, and a few MiB of memory at physical addresses, for tests of
 * pixel engine, resolve engine and tile status.
 */
#ifndef CARD_TESTS_PIXEL_BENCH_H
#define CARD_TESTS_PIXEL_BENCH_H

#include <stdlib.h>
#include <string.h>

#include "gc/core.h"
#include "gc/layout.h"
#include "gc/pe_internal.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"

#define RAM_BASE 0x10000000u
#define RAM_BYTES (8u << 20)
#define COLOR_BASE (RAM_BASE + (0u << 20))
#define DEPTH_BASE (RAM_BASE + (2u << 20))
#define OTHER_BASE (RAM_BASE + (4u << 20))
#define TAGS_BASE (RAM_BASE + (7u << 20))

#define TABLES_BASE 0x40000000u
#define TABLE_WORDS 1024u
#define RAM_TABLES (RAM_BYTES >> 22)
#define MMU_PRESENT 5u /* and writeable */
#define MMU_ABSENT 2u  /* and an access is a fault */

struct pixel_bench {
	struct gc_core *gc;
	struct guest_memory memory;
	uint8_t *ram;
	uint32_t table[1 + RAM_TABLES][TABLE_WORDS]; /* MMUv2: master first */
	unsigned int yields, stop_after;             /* abort at this yield; 0 = never */
};

static void bench_yield(void *ctx)
{
	struct pixel_bench *b = ctx;

	if (++b->yields == b->stop_after)
		b->gc->abort = true;
}

static inline void bench_close(struct pixel_bench *b)
{
	if (!b->gc)
		return;
	gc_pe_destroy(b->gc->pe);
	free(b->gc);
	free(b->ram);
	b->gc = NULL;
}

/* Closes the bench of the test before, so that only the last one is left to main(). */
static inline void bench_open(struct pixel_bench *b, const char *personality)
{
	bench_close(b);
	memset(b, 0, sizeof(*b));
	b->ram = calloc(1, RAM_BYTES);
	b->gc = calloc(1, sizeof(*b->gc));
	b->memory.count = 1;
	b->memory.region[0] = (struct guest_region){ RAM_BASE, RAM_BYTES, b->ram };
	b->gc->personality = gc_personality_find(personality);
	b->gc->pipeline.params = gpu_params_find("imx6q");
	b->gc->host = (struct gc_host){ .ctx = b, .memory = &b->memory, .yield = bench_yield };
	/* Version 2 before it is enabled: addresses are physical. */
	gc_mmu_init(&b->gc->mmu, 2, &b->memory);
	b->gc->pe = gc_pe_create(b->gc);
	gc_state_set(&b->gc->state, VIVS_PE_LOGIC_OP,
		     VIVS_PE_LOGIC_OP_OP(LOGIC_OP_COPY) | VIVS_PE_LOGIC_OP_SINGLE_BUFFER(2));
}

/*
 * Enable the MMU: memory is mapped at its own addresses up to @end; other addresses fault.
 * Without MMU, accesses outside of memory have no effect.
 */
static inline void bench_enable_mmu(struct pixel_bench *b, uint32_t end)
{
	for (unsigned int i = 0; i < TABLE_WORDS; i++)
		b->table[0][i] = MMU_ABSENT;
	for (unsigned int t = 0; t < RAM_TABLES; t++) {
		b->table[0][(RAM_BASE >> 22) + t] = (TABLES_BASE + (1 + t) * TABLE_WORDS * 4) | 1;
		for (unsigned int i = 0; i < TABLE_WORDS; i++) {
			uint32_t address = RAM_BASE + (t << 22) + (i << 12);

			b->table[1 + t][i] = address < end ? address | MMU_PRESENT : MMU_ABSENT;
		}
	}
	b->memory.region[1] =
		(struct guest_region){ TABLES_BASE, sizeof(b->table), (uint8_t *)b->table };
	b->memory.count = 2;
	b->gc->mmu.master = TABLES_BASE;
	b->gc->mmu.enabled = true;
	gc_mmu_flush(&b->gc->mmu);
}

static inline void set(struct pixel_bench *b, uint32_t address, uint32_t value)
{
	gc_state_set(&b->gc->state, address, value);
}

static inline void set_float(struct pixel_bench *b, uint32_t address, float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof(word));
	set(b, address, word);
}

static inline uint8_t *at(struct pixel_bench *b, uint32_t address)
{
	return b->ram + (address - RAM_BASE);
}

static inline uint64_t peek(struct pixel_bench *b, uint32_t address, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, at(b, address), bytes);
	return value;
}

/* xorshift, reproducible. */
static inline uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static inline float random_unit(uint32_t *seed)
{
	return (float)(next_random(seed) >> 8) / 16777215.0f;
}

/* A colour target, all components written, without dithering. Other states stay as they are. */
static inline void bench_target(struct pixel_bench *b, unsigned int format, bool super,
				uint32_t stride)
{
	uint32_t word = VIVS_PE_COLOR_FORMAT_COMPONENTS(15) |
			(super ? VIVS_PE_COLOR_FORMAT_SUPER_TILED : 0);

	if (format >= 16)
		word |= VIVS_PE_COLOR_FORMAT_FORMAT_EXT(format) | VIVS_PE_COLOR_FORMAT_FORMAT_MASK;
	else
		word |= VIVS_PE_COLOR_FORMAT_FORMAT(format);
	set(b, VIVS_PE_COLOR_FORMAT, word);
	set(b, VIVS_PE_COLOR_STRIDE, stride);
	set(b, VIVS_PE_PIPE_COLOR_ADDR(0), COLOR_BASE);
	set(b, VIVS_PE_PIPE_COLOR_ADDR(1), COLOR_BASE);
	set(b, VIVS_PE_DITHER(0), 0xffffffff);
	set(b, VIVS_PE_DITHER(1), 0xffffffff);
}

/* A depth buffer that is tested with @func (0 never .. 7 always). */
static inline void bench_depth(struct pixel_bench *b, bool d24, unsigned int func, bool write,
			       uint32_t stride)
{
	set(b, VIVS_PE_DEPTH_CONFIG,
	    VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z | VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(func) |
		    (d24 ? VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8 : 0) |
		    (write ? VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE : 0));
	set_float(b, VIVS_PE_DEPTH_NORMALIZE, d24 ? 16777215.0f : 65535.0f);
	set(b, VIVS_PE_DEPTH_STRIDE, stride);
	set(b, VIVS_PE_PIPE_DEPTH_ADDR(0), DEPTH_BASE);
	set(b, VIVS_PE_PIPE_DEPTH_ADDR(1), DEPTH_BASE);
}

/* Fully covered quads of depth @z in a row from (@x, @y) on. */
static inline void bench_quads(struct gc_quads *quads, unsigned int count, int x, int y, float z)
{
	memset(quads, 0, sizeof(*quads));
	quads->count = count;
	for (unsigned int q = 0; q < count; q++) {
		struct gc_quad *quad = &quads->quad[q];

		quad->x = (int16_t)(x + 2 * (int)q);
		quad->y = (int16_t)y;
		quad->front = true;
		quad->coverage = 0xffff;
		for (unsigned int i = 0; i < 16; i++)
			quads->z[i / 4][4 * q + i % 4] = z;
	}
}

/* The quads of the 8x8 pixels at (@x, @y), multiples of four, as a whole block of depth 0. */
static inline void bench_block(struct gc_quads *block, int x, int y)
{
	bench_quads(block, GC_QUADS, 0, 0, 0);
	for (unsigned int q = 0; q < GC_QUADS; q++) {
		block->quad[q].x = (int16_t)(x + q % 4 * 2);
		block->quad[q].y = (int16_t)(y + q / 4 * 2);
		block->quad[q].coverage = 0xf;
	}
	block->block = true;
}

static inline void bench_color(struct gc_vec4 *color, float r, float g, float bl, float a)
{
	for (unsigned int i = 0; i < GC_LANES; i++) {
		color->c[0].f[i] = r;
		color->c[1].f[i] = g;
		color->c[2].f[i] = bl;
		color->c[3].f[i] = a;
	}
}

static inline void bench_samples(struct pixel_bench *b, unsigned int log2)
{
	set(b, VIVS_GL_MULTI_SAMPLE_CONFIG, log2 | VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(15));
}

/* Tile status of the first MiB of the target, two bits a tile of 64 bytes: all are cleared. */
static inline void bench_fast_clear(struct pixel_bench *b, uint32_t value, uint32_t extended)
{
	memset(at(b, TAGS_BASE), 0x55, 4096);
	set(b, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
	set(b, VIVS_TS_COLOR_STATUS_BASE, TAGS_BASE);
	set(b, VIVS_TS_COLOR_SURFACE_BASE, COLOR_BASE);
	set(b, VIVS_TS_COLOR_CLEAR_VALUE, value);
	set(b, VIVS_TS_COLOR_CLEAR_VALUE_EXT, extended);
}

#endif
