/* SPDX-License-Identifier: MIT */
/*
 * Random scenes for comparisons of draws with one and with several threads, and of two builds:
 * memory, programs, states, primitives, and the drawing of them.
 */
#ifndef CARD_TESTS_THREAD_SCENE_H
#define CARD_TESTS_THREAD_SCENE_H

#include <stdlib.h>

#include "fuzz.h"
#include "gc/deferred_queue.h"
#include "gc/draw_hazards.h"
#include "gc/draw_unit.h"
#include "gc/pe.h"
#include "gc/registers.h"
#include "gc/texture.h"
#include "hw/cmdstream.xml.h"
#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "state_writer.h"

#define DRAWS 3u  /* of a scene */
#define SIZE 256u /* pixels per side of the target */
#define TEXTURE_SIZE 64u
#define LOOKS 40u /* most digests that are taken in the middle of draws */

/* Guest memory, by physical address. */
#define RAM_BASE 0x10000000u
#define RAM_BYTES (2u << 20)
#define TARGET_AT 0x000000u
#define DEPTH_AT 0x080000u
#define TEXTURE_AT 0x100000u
#define VERTICES_AT 0x140000u
#define INDICES_AT 0x160000u
#define TAGS_AT 0x180000u
#define TABLES_AT 0x1c0000u
#define MMU_PRESENT 5u /* and writeable */
#define MMU_ABSENT 2u  /* and an access is a fault */

static struct {
	struct gc_core *gc;
	struct guest_memory memory;
	uint8_t *ram;
	unsigned int yields, look_every, abort_at, remap_at;
	uint64_t answers,
		waits; /* reads between groups, and those that made other threads finish */
	uint64_t look[LOOKS];
	unsigned int looks;
	uint64_t final;
	uint64_t time; /* times_of_work() */
	bool large;    /* triangles, and states that prevent whole tiles are rare */
	bool by_blocks;
	bool cache_data;     /* the caches have contents */
	bool tidy, by_quads; /* no memory is used for two purposes; blocks are queued like quads */
	uint64_t pixels;     /* digest of target, depth and tile status in the end */
	uint64_t begun, left, faults, aborted, parts, remaps; /* of all cases */
} scene;

static void no_irq(void *ctx, bool level)
{
}

static uint64_t digest(uint64_t hash, const void *data, size_t words)
{
	const uint32_t *word = data;

	for (size_t i = 0; i < words; i++)
		hash = (hash ^ word[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

/* All but times: memory, counters, work and faults. */
static uint64_t state_of(uint32_t first, uint32_t bytes)
{
	const struct gc_core *gc = scene.gc;
	struct gc_counters counters = gc->counters;
	uint32_t words[sizeof(counters) / 4];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	counters.hi_read_stalls = counters.hi_write_stalls = 0;
	memcpy(words, &counters, sizeof(words));
	hash = digest(hash, scene.ram + first, bytes / 4);
	hash = digest(hash, words, sizeof(words) / 4);
	hash = digest(hash, &gc->work, sizeof(gc->work) / 4);
	hash = digest(hash, gc->mmu.fault_address, 4);
	return digest(hash, &gc->mmu.fault_status, 1);
}

/* The times at which each stage has completed its work, and those of waits for memory. */
static uint64_t times_of_work(void)
{
	const struct gc_core *gc = scene.gc;
	uint64_t hash = digest(0, gc->pipeline.free_at, sizeof(gc->pipeline.free_at) / 4);

	hash += gc->counters.hi_read_stalls;
	return hash * UINT64_C(0x100000001b3) + gc->counters.hi_write_stalls;
}

/* Exchange pages of the texture and flush the MMU; the register read drains queued work first. */
static void remap(void)
{
	uint32_t *page = (uint32_t *)(scene.ram + TABLES_AT) + 1024 + (TEXTURE_AT >> 12);

	gc_read(scene.gc, HI_CLOCK_CONTROL);
	for (unsigned int i = 0; i < 8; i += 2) {
		uint32_t first = page[i];

		page[i] = page[i + 1];
		page[i + 1] = first;
	}
	gc_write(scene.gc, MMUV2_CONFIGURATION, MMUV2_MODE_KEEP | MMUV2_ADDRESS_KEEP | MMUV2_FLUSH);
	scene.remaps++;
}

/* A driver that sometimes reads a register, changes the MMU, or ends the draw. */
static void look(void *ctx)
{
	scene.yields++;
	if (scene.yields % scene.look_every == 0 && scene.looks < LOOKS) {
		gc_read(scene.gc, HI_CLOCK_CONTROL);
		scene.look[scene.looks++] = state_of(TARGET_AT, SIZE * SIZE * 4);
	}
	if (scene.yields == scene.remap_at && scene.gc->mmu.enabled)
		remap();
	if (scene.yields == scene.abort_at) {
		gc_write(scene.gc, HI_CLOCK_CONTROL, 0x200);
		scene.gc->abort = true;
	}
}

/* A driver that handles an interrupt between two groups. */
static void handle_interrupt(void *ctx)
{
	const struct gc_deferred *queue = scene.gc->draw->deferred;
	uint64_t retired = queue ? queue->retired : 0;

	gc_read(scene.gc, HI_INTR_ACKNOWLEDGE);
	gc_read(scene.gc, HI_TOTAL_CYCLES);
	scene.answers++;
	scene.waits += queue && queue->retired != retired;
}

/* ---- programs ---- */

/*
 * Inputs: position in t0; in t1 what is colour and texture coordinates. w of the position becomes
 * 1 or, for perspective, depth + 0.75.
 */
static void vertex_program(void)
{
	writer.instructions = 0;
	ASM(OP(ISA_MOV), D(2, "xyz"), S2(T(0, "xyzz")));
	if (scene.large && fuzz_below(3) == 0)
		ASM(OP(ISA_ADD), D(2, "w"), S0(T(0, "zzzz")), S2(IMM_F(0.75f)));
	else
		ASM(OP(ISA_MOV), D(2, "w"), S2(IMM_F(1.0f)));
	ASM(OP(ISA_MOV), D(3, "xyzw"), S2(T(1, "xyzw")));
	if (fuzz_below(24) == 0) /* samples a texture */
		ASM(OP(ISA_TEXLDL), D(3, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyxx")));
	set(VIVS_VS_RANGE, VIVS_VS_RANGE_HIGH(writer.instructions - 1));
}

static void plain(void)
{
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "zyxw")));
}

static void plain_twice(void)
{
	ASM(OP(ISA_MOV), D(2, "xy"), S2(T(1, "xxxx")));
	ASM(OP(ISA_MOV), D(2, "zw"), S2(IMM_F(0.375f)));
}

static void constant(void)
{
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(IMM_F(0.625f)));
}

/* The last component of the colour is one of the position. */
static void placed(void)
{
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(0, "xyzw")));
	ASM(OP(ISA_MOV), D(2, "xyz"), S2(T(1, "xyzz")));
}

static void squared(void)
{
	ASM(OP(ISA_MUL), D(2, "xyzw"), S0(T(1, "xyzw")), S1(T(1, "xyzw")));
}

static void textured(void)
{
	ASM(OP(ISA_MUL), D(1, "xy"), S0(T(1, "xyyy")), S1(IMM_F(3.0f)));
	ASM(OP(ISA_TEXLD), D(2, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyyy")));
}

/*
 * Reads components of a coordinate that its texture does not have, and that were never written.
 */
static void textured_flat(void)
{
	ASM(OP(ISA_MUL), D(3, "xy"), S0(T(1, "xyyy")), S1(IMM_F(3.0f)));
	ASM(OP(ISA_TEXLD), D(2, "xyzw"), TEX(0, "xyzw"), S0(T(3, "xyzw")));
}

static void lit(void)
{
	ASM(OP(ISA_DP3), D(2, "w"), S0(T(1, "xyzz")), S1(T(1, "xyzz")));
	ASM(OP(ISA_RSQ), D(2, "w"), S2(T(2, "wwww")));
	ASM(OP(ISA_MUL), D(3, "xyz"), S0(T(1, "xyzz")), S1(T(2, "wwww")));
	ASM(OP(ISA_TEXLD), D(2, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyyy")));
	ASM(OP(ISA_TEXLD), D(4, "xyzw"), TEX(1, "xyzw"), S0(T(3, "xyyy")));
	ASM(OP(ISA_MUL), D(2, "xyz"), S0(T(2, "xyzz")), S1(T(4, "xyzz")));
}

/* Depends on the batch before: t5 keeps its value. */
static void counting(void)
{
	ASM(OP(ISA_ADD), D(5, "x"), S0(T(5, "xxxx")), S2(IMM_F(0.0078125f)));
	ASM(OP(ISA_MOV), D(2, "xyz"), S2(T(5, "xxxx")));
	ASM(OP(ISA_MOV), D(2, "w"), S2(T(1, "wwww")));
}

static void killing(void)
{
	ASM(OP(ISA_TEXKILL), COND(ISA_COND_LT), S0(T(1, "xxxx")), S1(IMM_F(0.25f)));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "xyzw")));
}

static void pixel_program(void (*program)(void))
{
	writer.instructions = 256;
	program();
	set(VIVS_PS_RANGE, VIVS_PS_RANGE_LOW(256) | VIVS_PS_RANGE_HIGH(writer.instructions - 1));
	set(VIVS_PS_OUTPUT_REG, 2);
	set(VIVS_PS_TEMP_REGISTER_CONTROL, 6);
}

static void some_pixel_program(void)
{
	static void (*const programs[])(void) = { plain, textured, lit,      textured_flat,
						  lit,   plain,    counting, killing };
	unsigned int n = fuzz_below(8);

	pixel_program(programs[scene.tidy && n == 6 ? 7 : n > 5 && fuzz_below(3) ? 1 : n]);
}

static void some_short_program(void)
{
	static void (*const programs[])(void) = { plain,   plain_twice, plain,    constant,
						  squared, placed,      textured, counting };

	pixel_program(programs[fuzz_below(scene.tidy ? 7 : 8)]);
}

/* ---- states ---- */

/* Mostly @usual, otherwise an address near it or of something else. */
static uint32_t some_place(uint32_t usual)
{
	static const uint32_t places[] = { TARGET_AT, DEPTH_AT, TEXTURE_AT, VERTICES_AT, TAGS_AT };

	switch (scene.tidy ? 15 : fuzz_below(16)) {
	case 0:
		return RAM_BASE + places[fuzz_below(5)] + 0x1000 * fuzz_below(8);
	case 1:
		return RAM_BASE + usual + 64 * fuzz_below(256);
	default:
		return RAM_BASE + usual;
	}
}

static void geometry_states(void)
{
	set(VIVS_FE_VERTEX_ELEMENT_CONFIG(0),
	    VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE(FE_DATA_TYPE_FLOAT) |
		    VIVS_FE_VERTEX_ELEMENT_CONFIG_NUM(3) | VIVS_FE_VERTEX_ELEMENT_CONFIG_END(12));
	set(VIVS_FE_VERTEX_ELEMENT_CONFIG(1),
	    VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE(FE_DATA_TYPE_FLOAT) |
		    VIVS_FE_VERTEX_ELEMENT_CONFIG_START(12) |
		    VIVS_FE_VERTEX_ELEMENT_CONFIG_NONCONSECUTIVE |
		    VIVS_FE_VERTEX_ELEMENT_CONFIG_END(28));
	set(VIVS_FE_GENERIC_ATTRIB_SCALE(0), 0x3f800000);
	set(VIVS_FE_GENERIC_ATTRIB_SCALE(1), 0x3f800000);
	set(VIVS_NFE_VERTEX_STREAMS_BASE_ADDR(0), RAM_BASE + VERTICES_AT);
	set(VIVS_NFE_VERTEX_STREAMS_CONTROL(0), 28);
	set(VIVS_FE_INDEX_STREAM_BASE_ADDR, RAM_BASE + INDICES_AT);
	set(VIVS_FE_INDEX_STREAM_CONTROL, VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_SHORT);
	set(VIVS_VS_INPUT_COUNT, 0x102);
	set(VIVS_VS_INPUT(0), 0x0100);
	set(VIVS_VS_OUTPUT_COUNT, 2);
	set(VIVS_VS_OUTPUT(0), 0x0302);
	set(VIVS_VS_TEMP_REGISTER_CONTROL, 4);
	set_f(VIVS_PA_VIEWPORT_SCALE_X, SIZE / 2);
	set_f(VIVS_PA_VIEWPORT_SCALE_Y, SIZE / 2);
	set_f(VIVS_PA_VIEWPORT_SCALE_Z, 1.0f);
	set_f(VIVS_PA_VIEWPORT_OFFSET_X, SIZE / 2);
	set_f(VIVS_PA_VIEWPORT_OFFSET_Y, SIZE / 2);
	set(VIVS_PA_W_CLIP_LIMIT, 0x34000001);
	set(VIVS_PA_SYSTEM_MODE, 0x11);
	set(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, 0x100);
	set(VIVS_PA_CONFIG, 0x412000);
	set(VIVS_PA_SHADER_ATTRIBUTES(0), 0x2f1);
	set(VIVS_GL_VARYING_NUM_COMPONENTS, 4);
	set_f(VIVS_SE_SCISSOR_RIGHT, SIZE);
	set_f(VIVS_SE_SCISSOR_BOTTOM, SIZE);
	set_f(VIVS_SE_CLIP_RIGHT, SIZE);
	set_f(VIVS_SE_CLIP_BOTTOM, SIZE);
	set(VIVS_PS_CONTROL, 2);
}

static void target_states(void)
{
	/* none; SRC_ALPHA, ONE_MINUS_SRC_ALPHA; ONE, ONE; ONE, ZERO */
	static const uint32_t blends[] = { 0, 0, 0x05400541, 0x01100111, 0x00100011 };
	/* A8R8G8B8, X8R8G8B8, R5G6B5; supertiled (bit 20) or not */
	uint32_t format = fuzz_below(12) ? fuzz_below(4) ? 6 : 5 : 4;
	uint32_t place = some_place(TARGET_AT);

	set(VIVS_PE_COLOR_FORMAT, (fuzz_below(6) ? 0x00100f00 : 0x00000f00) | format);
	set(VIVS_PE_COLOR_STRIDE, scene.tidy || fuzz_below(12) ? SIZE * 4 : 64 * fuzz_below(20));
	set(VIVS_PE_PIPE_COLOR_ADDR(0), place);
	set(VIVS_PE_PIPE_COLOR_ADDR(1), place);
	set(VIVS_PE_LOGIC_OP, 0x000e426c);
	set(VIVS_PE_ALPHA_CONFIG, blends[fuzz_below(5)]);
	set(VIVS_TS_MEM_CONFIG,
	    fuzz_below(scene.large ? 12 : 3)
		    ? 0
		    : VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR | VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR);
	set(VIVS_TS_COLOR_SURFACE_BASE, scene.tidy || fuzz_below(12) ? place : place + 0x1000);
	set(VIVS_TS_COLOR_STATUS_BASE, some_place(TAGS_AT));
	set(VIVS_TS_COLOR_CLEAR_VALUE, 0x20406080);
	set(VIVS_TS_DEPTH_CLEAR_VALUE, 0xffffff00);
}

static void depth_states(void)
{
	uint32_t place = some_place(DEPTH_AT), kind = fuzz_below(8);

	set(VIVS_PE_DEPTH_CONFIG, 0x01000700); /* none */
	set(VIVS_RA_EARLY_DEPTH, 0);
	if (kind < 3 || (scene.large && kind < 7))
		return;
	set(VIVS_PE_DEPTH_CONFIG, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z |
					  (kind < 7 ? VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D24S8
						    : VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16) |
					  VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(1 + fuzz_below(7)) |
					  (fuzz_below(4) ? VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE : 0) |
					  (kind < 6 ? VIVS_PE_DEPTH_CONFIG_EARLY_Z : 0) |
					  VIVS_PE_DEPTH_CONFIG_SUPER_TILED);
	set(VIVS_RA_EARLY_DEPTH, VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
	set(VIVS_PE_PIPE_DEPTH_ADDR(0), place);
	set(VIVS_PE_PIPE_DEPTH_ADDR(1), place);
	set(VIVS_PE_DEPTH_STRIDE, SIZE * 4);
	set(VIVS_TS_DEPTH_SURFACE_BASE, place);
	set(VIVS_TS_DEPTH_STATUS_BASE, some_place(TAGS_AT + 0x8000));
}

static void sampler_states(unsigned int i)
{
	/* 2D, bilinear, A8B8G8R8 or X8R8G8B8; the last is mirrored in u */
	static const uint32_t configs[] = { 0x00093102, 0x00093102, 0x00091102, 0x0009310a };

	set(VIVS_NTE_SAMPLER_CONFIG0(i), configs[fuzz_below(4)]);
	set(VIVS_NTE_SAMPLER_SIZE(i), TEXTURE_SIZE << 16 | TEXTURE_SIZE);
	set(VIVS_NTE_SAMPLER_LOG_SIZE(i), 0x200300c0);
	set(VIVS_NTE_SAMPLER_3D_CONFIG(i), 1);
	set(VIVS_NTE_SAMPLER_CONFIG1(i), fuzz_below(6) ? 0x08321000 : 0x08012300);
	set(VIVS_NTE_SAMPLER_ASTC0(i), 0x0c0c0c00);
	set(VIVS_NTE_SAMPLER_ADDR(i), some_place(TEXTURE_AT + 0x4000 * i));
	set(VIVS_NTE_SAMPLER_LOD_CONFIG(i),
	    fuzz_below(12) ? 0 : VIVS_TE_SAMPLER_LOD_CONFIG_MAX(3 << 5));
}

/* Maps memory at its own addresses, except for some pages. */
static void enable_mmu(void)
{
	uint32_t *table = (uint32_t *)(scene.ram + TABLES_AT);
	struct gc_mmu *mmu = &scene.gc->mmu;
	uint32_t pages = scene.large ? SIZE * SIZE * 4 / GC_PAGE_SIZE : TABLES_AT >> 12;

	for (unsigned int i = 0; i < 1024; i++) {
		table[i] = MMU_ABSENT;
		table[1024 + i] =
			i < RAM_BYTES >> 12 ? (RAM_BASE + (i << 12)) | MMU_PRESENT : MMU_ABSENT;
	}
	table[RAM_BASE >> 22] = (RAM_BASE + TABLES_AT + 0x1000) | 1;
	if (fuzz_below(2)) /* a hole */
		table[1024 + fuzz_below(pages)] = MMU_ABSENT;
	if (fuzz_below(3) == 0) /* two addresses of one page */
		table[1024 + fuzz_below(pages)] = table[1024 + fuzz_below(64)];
	mmu->master = RAM_BASE + TABLES_AT;
	gc_mmu_enable(mmu);
}

/* ---- primitives ---- */

static float *vertex(unsigned int i)
{
	return (float *)(scene.ram + VERTICES_AT) + 7 * i;
}

static void put_vertex(unsigned int i, float x, float y)
{
	float *v = vertex(i);

	v[0] = x;
	v[1] = y;
	v[2] = fuzz_float(0.0f, 1.0f);
	for (unsigned int c = 0; c < 4; c++)
		v[3 + c] = fuzz_float(0.0f, 1.0f);
}

static struct gc_draw some_triangles(void)
{
	static const uint32_t kinds[] = { PRIMITIVE_TYPE_TRIANGLES, PRIMITIVE_TYPE_TRIANGLE_STRIP,
					  PRIMITIVE_TYPE_TRIANGLE_FAN };
	float reach = fuzz_below(2) ? 1.3f : 0.4f;
	unsigned int count = 3 + fuzz_below(60);

	for (unsigned int i = 0; i < count; i++)
		put_vertex(i, fuzz_float(-reach, reach), fuzz_float(-reach, reach));
	return (struct gc_draw){ .primitive = kinds[fuzz_below(3)],
				 .by_vertices = true,
				 .count = count,
				 .instances = 1 };
}

/* Reaches beyond the view. */
static struct gc_draw large_triangles(void)
{
	unsigned int count = 3 * (1 + fuzz_below(6));

	for (unsigned int i = 0; i < count; i++) {
		put_vertex(i, fuzz_float(-4.0f, 4.0f), fuzz_float(-4.0f, 4.0f));
		for (unsigned int c = 0; c < 4; c++)
			vertex(i)[3 + c] = fuzz_float(-1.0f, 2.0f);
	}
	return (struct gc_draw){ .primitive = PRIMITIVE_TYPE_TRIANGLES,
				 .by_vertices = true,
				 .count = count,
				 .instances = 1 };
}

/* Pixels, the fully covered block around them, pixels again, and so on. */
static struct gc_draw layers(void)
{
	unsigned int count = 20 + fuzz_below(60);

	for (unsigned int i = 0; i < count; i++) {
		float x = fuzz_float(-0.9f, 0.9f), y = fuzz_float(-0.9f, 0.9f);
		float few = fuzz_float(0.01f, 0.04f), more = fuzz_float(0.2f, 0.5f);

		for (unsigned int n = 0; n < 6; n++) {
			float reach = n < 3 ? few : more;

			put_vertex(6 * i + n, n % 3 == 1 ? x + 2.0f * reach : x - reach,
				   n % 3 == 2 ? y + 2.0f * reach : y - reach);
		}
	}
	return (struct gc_draw){ .primitive = PRIMITIVE_TYPE_TRIANGLES,
				 .by_vertices = true,
				 .count = 6 * count,
				 .instances = 1 };
}

/* A few triangles that cover the whole target. */
static struct gc_draw whole_target(void)
{
	static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, -1, 1, 1, -1, 1 };
	unsigned int times = 1 + fuzz_below(3);

	for (unsigned int i = 0; i < 6 * times; i++)
		put_vertex(i, corners[2 * (i % 6)], corners[2 * (i % 6) + 1]);
	return (struct gc_draw){ .primitive = PRIMITIVE_TYPE_TRIANGLES,
				 .by_vertices = true,
				 .count = 6 * times,
				 .instances = 1 };
}

/* Triangles with common edges, and thus quads of two primitives. */
static struct gc_draw grid_of(unsigned int side)
{
	for (unsigned int y = 0; y <= side; y++)
		for (unsigned int x = 0; x <= side; x++)
			put_vertex(y * (side + 1) + x, 2.0f * (float)x / (float)side - 1.0f,
				   2.0f * (float)y / (float)side - 1.0f);
	return draw_grid((uint16_t *)(scene.ram + INDICES_AT), side, side);
}

static struct gc_draw grid(void)
{
	return grid_of(4 + fuzz_below(40));
}

/* ---- cases ---- */

static void open_scene(unsigned int threads)
{
	struct gc_host host = { .set_irq = no_irq,
				.memory = &scene.memory,
				.yield = look,
				.answer = handle_interrupt };
	struct gc_options options = { .threads = threads,
				      .jitter = 1,
				      .cache_data = scene.cache_data };

	scene.ram = aligned_alloc(4096, RAM_BYTES);
	for (uint32_t i = 0; i < RAM_BYTES / 4; i++)
		((uint32_t *)scene.ram)[i] = i * 0x01020305;
	memset(scene.ram + DEPTH_AT, 0xff, SIZE * SIZE * 4);
	memset(scene.ram + TAGS_AT, 0x55, 0x10000);
	scene.memory.count = 1;
	scene.memory.region[0] = (struct guest_region){ RAM_BASE, RAM_BYTES, scene.ram };
	host.clock = clock_create(true);
	scene.gc = gc_create(gc_personality_find("gc3000"), &host, &options);
	writer.gc = scene.gc;
	scene.yields = scene.looks = 0;
	scene.gc->draw->defer_after = 1 + fuzz_below(3);
	scene.gc->draw->by_blocks = scene.by_blocks;
	scene.gc->draw->by_quads = scene.by_quads;
}

static void close_scene(void)
{
	struct card_clock *clock = scene.gc->host.clock;

	scene.begun += scene.gc->draw->deferral_active;
	scene.left += scene.gc->draw->deferral_abandoned;
	scene.parts += scene.gc->draw->tile_parts;
	gc_destroy(scene.gc);
	clock_destroy(clock);
	free(scene.ram);
}

static void draw_once(void)
{
	struct gc_draw what;

	vertex_program();
	if (scene.large)
		some_short_program();
	else
		some_pixel_program();
	geometry_states();
	target_states();
	depth_states();
	sampler_states(0);
	sampler_states(1);
	if (scene.large)
		set(VIVS_PA_CONFIG, fuzz_below(4) ? 0x412000 : 0x402000); /* flat */
	switch (fuzz_below(3)) {
	case 0:
		what = scene.large ? large_triangles() : some_triangles();
		break;
	case 1:
		what = scene.tidy ? layers() : whole_target();
		break;
	default:
		what = scene.large ? large_triangles() : grid();
		break;
	}
	/* as the front end does */
	gc_pieces_begin(scene.gc, 0);
	gc_draw_execute(scene.gc, &what);
	if (scene.gc->abort)
		gc_pieces_push(scene.gc);
	else
		gc_pieces_end(scene.gc);
}

/* Run case @i with this number of threads; results: scene.look, looks, final, time, pixels. */
static void run_case(uint64_t i, unsigned int threads)
{
	fuzz_begin(i);
	open_scene(threads);
	scene.look_every = 1 + fuzz_below(64);
	scene.abort_at = scene.tidy || fuzz_below(6) ? 0 : 1 + fuzz_below(64);
	scene.remap_at = scene.tidy || fuzz_below(3) ? 0 : 1 + fuzz_below(16);
	if (!scene.tidy && fuzz_below(scene.large ? 2 : 3) == 0)
		enable_mmu();
	for (unsigned int n = 0; n < DRAWS && !scene.gc->abort && !scene.gc->mmu.faulted; n++) {
		draw_once();
		if (scene.tidy) /* the next one has other targets and tile status */
			gc_pe_flush(scene.gc, true, true);
	}
	gc_pe_flush_status(scene.gc);
	scene.faults += scene.gc->mmu.faulted;
	scene.aborted += scene.yields >= scene.abort_at && scene.abort_at;
	gc_pe_flush(scene.gc, true, true);
	if (scene.gc->l1)
		data_cache_flush(scene.gc->l1);
	gc_texture_flush(scene.gc, true, true);
	scene.final = state_of(0, RAM_BYTES);
	scene.time = times_of_work();
	scene.pixels = digest(0, scene.ram + TARGET_AT, TEXTURE_AT / 4);
	scene.pixels = digest(scene.pixels, scene.ram + TAGS_AT, (TABLES_AT - TAGS_AT) / 4);
	close_scene();
}

/* Results of run_case(). */
struct seen {
	uint64_t look[LOOKS], final, time;
	unsigned int looks;
};

static struct seen seen_of_case(uint64_t i, unsigned int threads)
{
	struct seen seen;

	run_case(i, threads);
	memcpy(seen.look, scene.look, sizeof(seen.look));
	seen.looks = scene.looks;
	seen.final = scene.final;
	seen.time = scene.time;
	return seen;
}

#endif
