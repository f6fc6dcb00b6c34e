// SPDX-License-Identifier: MIT
/*
 * Location of programs and uniforms for each kind of core, as drivers set it; the caches of
 * instructions and of decoded programs; memory instructions.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "gc/core.h"
#include "gc/fe.h"
#include "gc/float_bits.h"
#include "gc/personality.h"
#include "gc/shader_program.h"
#include "hw/common.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "shader_asm.h"

#define MEMORY (1u << 20)
#define CODE 0x10ff0u /* 16 bytes before a page ends */

static struct gc_core core;
static struct gc_batch batch;
static struct guest_memory memory;
static uint8_t *bytes;
static struct gc_shader_cost cost;
static struct gc_personality changed;

static void end(void)
{
	gc_shader_cache_free(&core);
	free(bytes);
}

/* Ends the test before, too, so that only the last one is left to main(). */
static void begin(const char *personality)
{
	end();
	memset(&core, 0, sizeof(core));
	memset(&batch, 0, sizeof(batch));
	memset(&cost, 0, sizeof(cost));
	bytes = calloc(1, MEMORY);
	memory.count = 1;
	memory.region[0] = (struct guest_region){ 0, MEMORY, bytes };
	core.personality = gc_personality_find(personality);
	gc_mmu_init(&core.mmu, 2, &memory);
	batch.live = ~UINT64_C(0);
}

/* Make all further accesses fault: the only table entry is "not present, exception". */
static void unmap(void)
{
	uint32_t entry = 2;

	memcpy(bytes, &entry, sizeof(entry));
	core.mmu.enabled = true;
	gc_mmu_flush(&core.mmu);
	core.mmu.faulted = false;
}

static void set(uint32_t address, uint32_t value)
{
	gc_load_state(&core, address, value);
}

static void set_f(uint32_t address, float value)
{
	set(address, float_bits(value));
}

/* MOV t@reg, u0 */
static void encode_mov(uint32_t words[4], unsigned int reg)
{
	asm_encode(&(struct asm_inst){ OP(ISA_MOV), D(reg, "xyzw"), S2(U(0, "xyzw")) }, words);
}

/* The same into state words at @address. */
static void state_mov(uint32_t address, unsigned int reg)
{
	uint32_t words[4];

	encode_mov(words, reg);
	for (unsigned int i = 0; i < 4; i++)
		set(address + 4 * i, words[i]);
}

/* Instructions @first to @first + @count - 1 are a stage's program. */
static void set_range(enum gc_stage stage, unsigned int first, unsigned int count)
{
	set(stage == GC_STAGE_VS ? VIVS_VS_RANGE : VIVS_PS_RANGE,
	    VIVS_VS_RANGE_LOW(first) | VIVS_VS_RANGE_HIGH(first + count - 1));
}

static bool run(enum gc_stage stage)
{
	const struct gc_shader *shader = gc_shader_get(&core, stage);

	if (shader)
		gc_shader_run(&core, shader, &batch, &cost);
	return shader;
}

/* The first component of t@reg in one of the lanes, which are all equal in these programs. */
static float value(unsigned int reg)
{
	return batch.temp[reg].c[0].f[33];
}

TEST(gc3000_state_memory)
{
	begin("gc3000");
	state_mov(VIVS_SH_INST_MEM(0), 1);
	state_mov(VIVS_SH_INST_MEM_MIRROR(0x400), 2); /* drivers write the PS through the mirror */
	set(VIVS_VS_RANGE, 0);
	set(VIVS_PS_RANGE, 0x100 << 16 | 0x100);
	/* both stages' uniforms in one file: two vec4 of the VS, then the PS */
	set(VIVS_VS_UNIFORM_BASE, 0);
	set(VIVS_PS_UNIFORM_BASE, 2);
	set_f(VIVS_SH_UNIFORMS(0), 1.5f);
	set_f(VIVS_SH_UNIFORMS(8), 2.5f);
	CHECK(run(GC_STAGE_VS));
	CHECK(run(GC_STAGE_PS));
	CHECK(value(1) == 1.5f);
	CHECK(value(2) == 2.5f);
	/* the other window to the same memory is valid if it was written later */
	state_mov(VIVS_SH_INST_MEM(0x400), 3);
	CHECK(run(GC_STAGE_PS));
	CHECK(value(3) == 2.5f);
}

/*
 * As Mesa 26: the pixel program follows the vertex program and is written through the mirror; a
 * state for each end.
 */
TEST(gc3000_programs_side_by_side)
{
	begin("gc3000");
	set(GC_VS_FIRST, 0);
	set(GC_VS_LAST, 1);
	set(GC_PS_FIRST, 2);
	set(GC_PS_LAST, 2);
	state_mov(VIVS_SH_INST_MEM(0), 1);
	state_mov(VIVS_SH_INST_MEM(4), 2);
	state_mov(VIVS_SH_INST_MEM_MIRROR(8), 3);
	set_f(VIVS_SH_UNIFORMS(0), 1.5f);
	CHECK(run(GC_STAGE_VS));
	CHECK(value(1) == 1.5f);
	CHECK(value(2) == 1.5f);
	CHECK(value(3) == 0.0f);
	CHECK(run(GC_STAGE_PS));
	CHECK(value(3) == 1.5f);
	/* of both pairs of states the one that was written last counts */
	set_range(GC_STAGE_PS, 1, 1);
	memset(&batch.temp[2], 0, sizeof(batch.temp[2]));
	CHECK(run(GC_STAGE_PS));
	CHECK(value(2) == 1.5f);
	set(GC_PS_LAST, 0x10000 + 1); /* does not wrap to 1 */
	CHECK(!gc_shader_get(&core, GC_STAGE_PS));
}

TEST(gc2000_has_one_state_for_both_ends)
{
	begin("gc2000");
	state_mov(VIVS_SH_INST_MEM(0), 1);
	set(VIVS_VS_RANGE, 0);
	set(GC_VS_FIRST, 1);
	set_f(VIVS_VS_UNIFORMS(0), 1.5f);
	CHECK(run(GC_STAGE_VS));
	CHECK(value(1) == 1.5f);
}

TEST(gc2000_state_memory)
{
	begin("gc2000");
	state_mov(VIVS_SH_INST_MEM(0), 1);
	state_mov(VIVS_SH_INST_MEM(0x400), 2);
	set(VIVS_PS_RANGE, 0x100 << 16 | 0x100);
	set_f(VIVS_VS_UNIFORMS(0), 1.5f);
	set_f(VIVS_PS_UNIFORMS(0), 2.5f);
	set(VIVS_PS_UNIFORM_BASE, 2); /* no effect on this core */
	CHECK(run(GC_STAGE_VS));
	CHECK(run(GC_STAGE_PS));
	CHECK(value(1) == 1.5f);
	CHECK(value(2) == 2.5f);
}

TEST(small_cores_have_a_memory_for_each_stage)
{
	begin("gc2000");
	changed = *core.personality;
	changed.instructions = 256;
	core.personality = &changed;
	state_mov(VIVS_VS_INST_MEM(0), 1);
	state_mov(VIVS_PS_INST_MEM(0), 2);
	set(VIVS_VS_END_PC, 1);
	set(VIVS_PS_END_PC, 1);
	set(VIVS_PS_RANGE, 0x100 << 16 | 0x100);
	set_f(VIVS_VS_UNIFORMS(0), 1.5f);
	set_f(VIVS_PS_UNIFORMS(0), 2.5f);
	CHECK(run(GC_STAGE_VS));
	CHECK(run(GC_STAGE_PS));
	CHECK(value(1) == 1.5f);
	CHECK(value(2) == 2.5f);
}

static void enable_cache(unsigned int count)
{
	set_range(GC_STAGE_PS, 0, count);
	set(VIVS_VS_ICACHE_CONTROL, VIVS_VS_ICACHE_CONTROL_ENABLE);
	set(VIVS_PS_INST_ADDR, CODE);
}

/* MOV t@reg, @immediate at @address of memory */
static void memory_mov(uint32_t address, unsigned int reg, float immediate)
{
	uint32_t words[4];

	asm_encode(&(struct asm_inst){ OP(ISA_MOV), D(reg, "xyzw"), S2(IMM_F(immediate)) }, words);
	memcpy(bytes + address, words, sizeof(words));
}

TEST(instruction_cache)
{
	uint32_t words[4];

	begin("gc3000");
	for (unsigned int i = 0; i < 600; i++) { /* longer than the state memory; over page ends */
		encode_mov(words, i % 64);
		memcpy(bytes + CODE + 16 * i, words, 16);
	}
	enable_cache(600);
	set_f(VIVS_SH_UNIFORMS(0), 4.0f);
	CHECK(run(GC_STAGE_PS));
	CHECK_EQ(cost.instructions, 600 * 64);
	for (unsigned int reg = 0; reg < 64; reg++)
		CHECK(value(reg) == 4.0f);
	/* a program larger than the cache: its lines replace each other */
	memory_mov(CODE + 16 * 599, 9, 7.0f);
	CHECK(run(GC_STAGE_PS));
	CHECK(value(9) == 7.0f);
	/* no memory: the draw is dropped and the fault is recorded */
	set(VIVS_PS_INST_ADDR, MEMORY - 16);
	unmap();
	CHECK(!run(GC_STAGE_PS));
	CHECK(core.mmu.faulted);
}

/*
 * Each line beyond the direct-mapped cache of 512 instructions takes the place of another one: both are
 * read again by each wave, and no line more than once.
 */
TEST(instructions_that_waves_read_again)
{
	static const struct {
		unsigned int instructions, again;
	} cases[] = { { 512, 0 }, { 516, 8 }, { 1000, 976 }, { 1024, 1024 }, { 1500, 1500 } };

	begin("gc3000");
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct gc_shader *shader;
		struct gpu_program program = { 0 };

		enable_cache(cases[i].instructions);
		shader = gc_shader_get(&core, GC_STAGE_PS);
		CHECK(shader);
		gc_shader_price(&core, shader, &program);
		CHECK_EQ(program.wave_code_bytes, 16 * cases[i].again);
	}
}

/* Lines stay until they are flushed, also if their addresses are not mapped any more. */
TEST(instruction_cache_keeps_lines)
{
	begin("gc3000");
	memory_mov(CODE, 1, 1.0f);
	memory_mov(CODE + 16, 2, 1.0f);
	enable_cache(2);
	CHECK(run(GC_STAGE_PS) && value(1) == 1.0f && value(2) == 1.0f);
	/* new words, a flush of the other stage, a program that ends in the same line */
	memory_mov(CODE, 1, 2.0f);
	memory_mov(CODE + 16, 2, 2.0f);
	CHECK(run(GC_STAGE_PS) && value(1) == 1.0f && value(2) == 1.0f);
	gc_shader_flush_icache(&core, VIVS_VS_ICACHE_CONTROL_FLUSH_VS);
	set_range(GC_STAGE_PS, 0, 1);
	CHECK(run(GC_STAGE_PS) && value(1) == 1.0f);
	set_range(GC_STAGE_PS, 0, 2);
	gc_shader_flush_icache(&core, VIVS_VS_ICACHE_CONTROL_FLUSH_PS);
	CHECK(run(GC_STAGE_PS) && value(1) == 2.0f && value(2) == 2.0f);
	/* another address with the same cache index */
	memory_mov(CODE + 64 * 1024, 1, 3.0f);
	set(VIVS_PS_INST_ADDR, CODE + 64 * 1024);
	set_range(GC_STAGE_PS, 0, 1);
	CHECK(run(GC_STAGE_PS) && value(1) == 3.0f);
	memory_mov(CODE, 1, 4.0f);
	set(VIVS_PS_INST_ADDR, CODE);
	CHECK(run(GC_STAGE_PS) && value(1) == 4.0f);
	/* other page tables: no access to memory, no fault */
	unmap();
	CHECK(run(GC_STAGE_PS) && value(1) == 4.0f);
	gc_shader_flush_icache(&core, VIVS_VS_ICACHE_CONTROL_FLUSH_PS);
	CHECK(!run(GC_STAGE_PS));
	CHECK(core.mmu.faulted);
}

TEST(decoded_programs_are_cached)
{
	const struct gc_shader *first, *second;

	begin("gc3000");
	state_mov(VIVS_SH_INST_MEM(0), 1);
	first = gc_shader_get(&core, GC_STAGE_VS);
	CHECK(first);
	/* unrelated states; the same words again; other words and back */
	set(VIVS_VS_UNIFORM_CACHE, VIVS_VS_UNIFORM_CACHE_FLUSH);
	CHECK(gc_shader_get(&core, GC_STAGE_VS) == first);
	state_mov(VIVS_SH_INST_MEM(0), 1);
	CHECK(gc_shader_get(&core, GC_STAGE_VS) == first);
	state_mov(VIVS_SH_INST_MEM(0), 2);
	second = gc_shader_get(&core, GC_STAGE_VS);
	CHECK(second && second != first);
	state_mov(VIVS_SH_INST_MEM(0), 1);
	CHECK(gc_shader_get(&core, GC_STAGE_VS) == first);
	/* more programs than the cache holds */
	for (unsigned int n = 0; n < 300; n++) {
		set_range(GC_STAGE_VS, 0, 1 + n % 100);
		for (unsigned int i = 0; i <= n % 100; i++)
			state_mov(VIVS_SH_INST_MEM(4 * i), (n + i) % 64);
		set_f(VIVS_SH_UNIFORMS(0), (float)n);
		CHECK(run(GC_STAGE_VS));
		CHECK(value((n + n % 100) % 64) == (float)n);
	}
}

TEST(uniforms_follow_the_states)
{
	begin("gc3000");
	state_mov(VIVS_SH_INST_MEM(0), 1);
	set_f(VIVS_SH_UNIFORMS(0), 1.0f);
	CHECK(run(GC_STAGE_VS) && value(1) == 1.0f);
	set_f(VIVS_SH_UNIFORMS(0), 2.0f);
	CHECK(run(GC_STAGE_VS) && value(1) == 2.0f);
	set(VIVS_VS_UNIFORM_BASE, 100);
	set_f(VIVS_SH_UNIFORMS(400), 3.0f);
	CHECK(run(GC_STAGE_VS) && value(1) == 3.0f);
	/* past the last one: zero, whatever the base */
	set(VIVS_VS_UNIFORM_BASE, 512);
	CHECK(run(GC_STAGE_VS) && value(1) == 0.0f);
	set(VIVS_VS_UNIFORM_BASE, 0xffffffff);
	CHECK(run(GC_STAGE_VS) && value(1) == 0.0f);
}

/* The value of uniform @reg in a program of @stage. */
static float read_uniform(enum gc_stage stage, unsigned int reg)
{
	uint32_t words[4];

	asm_encode(&(struct asm_inst){ OP(ISA_MOV), D(1, "xyzw"), S2(U(reg, "xxxx")) }, words);
	for (unsigned int i = 0; i < 4; i++)
		set(VIVS_SH_INST_MEM(i), words[i]);
	set_range(stage, 0, 1);
	return run(stage) ? value(1) : NAN;
}

/*
 * Without unified uniforms each stage has the core's number of uniforms, not the number of
 * states.
 */
TEST(uniforms_end_with_the_core)
{
	begin("gc2000");
	set_f(VIVS_VS_UNIFORMS(4 * 167), 1.0f);
	set_f(VIVS_VS_UNIFORMS(4 * 168), 2.0f);
	set_f(VIVS_PS_UNIFORMS(4 * 63), 3.0f);
	set_f(VIVS_PS_UNIFORMS(4 * 64), 4.0f);
	CHECK(read_uniform(GC_STAGE_VS, 167) == 1.0f);
	CHECK(read_uniform(GC_STAGE_VS, 168) == 0.0f);
	CHECK(read_uniform(GC_STAGE_PS, 63) == 3.0f);
	CHECK(read_uniform(GC_STAGE_PS, 64) == 0.0f);
}

/* START_PC and END_PC are zero, as in streams for a GC3000; programs at both ends of the memory. */
TEST(range_alone_is_a_program)
{
	static const char *const personalities[] = { "gc3000", "gc2000" };

	for (unsigned int i = 0; i < 2; i++) {
		uint32_t address = VIVS_SH_INST_MEM(511 * 4);

		begin(personalities[i]);
		state_mov(VIVS_SH_INST_MEM(0), 1);
		state_mov(address, 2);
		set_range(GC_STAGE_VS, 0, 1);
		set_range(GC_STAGE_PS, 511, 1);
		CHECK(run(GC_STAGE_VS));
		CHECK(run(GC_STAGE_PS));
	}
}

TEST(nonsense_is_dropped)
{
	begin("gc3000");
	set_range(GC_STAGE_VS, 0, 513);
	CHECK(!gc_shader_get(&core, GC_STAGE_VS)); /* more than the core has */
	set_range(GC_STAGE_VS, 509, 4);
	CHECK(!gc_shader_get(&core, GC_STAGE_VS));
	set(VIVS_VS_RANGE, VIVS_VS_RANGE_LOW(4) | VIVS_VS_RANGE_HIGH(3));
	CHECK(!gc_shader_get(&core, GC_STAGE_VS));
	set_range(GC_STAGE_VS, 0, 4);
	set(VIVS_VS_START_PC, 4);
	CHECK(!gc_shader_get(&core, GC_STAGE_VS));
	set(VIVS_VS_START_PC, 0);
	CHECK(gc_shader_get(&core, GC_STAGE_VS)); /* zeros are NOPs */
	set(VIVS_SH_INST_MEM(0), 0x3f);
	CHECK(!gc_shader_get(&core, GC_STAGE_VS));
}

/* Runs one instruction as a vertex shader. */
static bool run_one(const struct asm_inst *inst)
{
	uint32_t words[4];

	asm_encode(inst, words);
	for (unsigned int i = 0; i < 4; i++)
		set(VIVS_SH_INST_MEM(i), words[i]);
	return run(GC_STAGE_VS);
}

#define RUN_ONE(...) run_one(&(struct asm_inst){ __VA_ARGS__ })

TEST(loads)
{
	static const struct {
		unsigned int type;
		uint32_t want;
	} shifted[] = { { ISA_U32, 9 * 0x01010101u ^ 0x80u },
			{ ISA_S8, 0xffffff89 },
			{ ISA_U8, 0x89 },
			{ ISA_U16, 0x0989 } };

	begin("gc3000");
	for (unsigned int i = 0; i < 1024; i++)
		((uint32_t *)(bytes + 0x2000))[i] = i * 0x01010101u ^ 0x80u;
	for (unsigned int i = 0; i < GC_LANES; i++) {
		batch.temp[0].c[0].u[i] = 16 * i;
		batch.temp[0].c[1].u[i] = i;
	}
	set(VIVS_SH_UNIFORMS(1), 0x2000);
	/* offset plus the uniform with the buffer's address, as drivers load uniform buffers */
	CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(ISA_U32), D(1, "xyzw"), S0(T(0, "xxxx")),
		      S1(U(0, "yyyy"))));
	for (unsigned int i = 0; i < GC_LANES; i++)
		for (unsigned int c = 0; c < 4; c++)
			CHECK_EQ(batch.temp[1].c[c].u[i], (4 * i + c) * 0x01010101u ^ 0x80u);
	CHECK_EQ(cost.accesses, 64);
	CHECK_EQ(cost.read_bytes, 64 * 16);
	/* fewer components in a row, wherever they go */
	CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(ISA_U32), D(2, "yz"), S0(T(0, "xxxx")), S1(U(0, "yyyy"))));
	CHECK_EQ(batch.temp[2].c[0].u[5], 0);
	CHECK_EQ(batch.temp[2].c[1].u[5], 20 * 0x01010101u ^ 0x80u);
	CHECK_EQ(batch.temp[2].c[2].u[5], 21 * 0x01010101u ^ 0x80u);
	/* a shifted index; bytes and half-words are extended by their type */
	for (unsigned int i = 0; i < sizeof(shifted) / sizeof(shifted[0]); i++) {
		ROW("type %u", shifted[i].type);
		CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(shifted[i].type), .shift = 2, D(3, "x"),
			      S0(U(0, "yyyy")), S1(T(0, "yyyy"))));
		CHECK_EQ(batch.temp[3].c[0].u[9], shifted[i].want);
	}
	CHECK_EQ(cost.accesses, 6 * 64);
	CHECK_EQ(cost.read_bytes, 64 * (16 + 8 + 4 + 1 + 1 + 2));
	CHECK_EQ(cost.write_bytes, 0);
}

TEST(stores)
{
	begin("gc3000");
	for (unsigned int i = 0; i < GC_LANES; i++) {
		batch.temp[0].c[0].u[i] = 0x3000 + 8 * i;
		batch.temp[1].c[1].u[i] = 100 + i;
		batch.temp[1].c[2].u[i] = 200 + i;
	}
	batch.killed = 1 << 3;
	CHECK(RUN_ONE(OP(ISA_STORE), TYPE(ISA_U32), .mask = 6, S0(T(0, "xxxx")), S1(IMM_U(4)),
		      S2(T(1, "xyzw"))));
	CHECK_EQ(cost.accesses, 63); /* killed lanes make no access */
	CHECK_EQ(cost.write_bytes, 63 * 8);
	CHECK_EQ(cost.read_bytes, 0);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		uint32_t last = i == 4 ? 0 : 199 + i; /* the second word of lane i - 1 */

		CHECK_EQ(*(uint32_t *)(bytes + 0x3004 + 8 * i), i == 3 ? 0 : 100 + i);
		if (i)
			CHECK_EQ(*(uint32_t *)(bytes + 0x3000 + 8 * i), last);
	}
}

/* With contents, the shaders' cache has what is loaded and stored until it is flushed. */
TEST(accesses_through_l1)
{
	begin("gc3000");
	core.l1 = data_cache_create(16, 4, &core.mmu, GC_CLIENT_TX);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		batch.temp[0].c[0].u[i] = 0x3000 + 4 * i;
		batch.temp[1].c[0].u[i] = 100 + i;
	}
	*(uint32_t *)(bytes + 0x3000) = 7;
	CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(ISA_U32), D(2, "x"), S0(T(0, "xxxx")), S1(IMM_U(0))));
	CHECK_EQ(batch.temp[2].c[0].u[0], 7);
	*(uint32_t *)(bytes + 0x3000) = 8;
	CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(ISA_U32), D(2, "x"), S0(T(0, "xxxx")), S1(IMM_U(0))));
	CHECK_EQ(batch.temp[2].c[0].u[0], 7);
	data_cache_flush(core.l1);
	CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(ISA_U32), D(2, "x"), S0(T(0, "xxxx")), S1(IMM_U(0))));
	CHECK_EQ(batch.temp[2].c[0].u[0], 8);
	CHECK(RUN_ONE(OP(ISA_STORE), TYPE(ISA_U32), .mask = 1, S0(T(0, "xxxx")), S1(IMM_U(0)),
		      S2(T(1, "xyzw"))));
	CHECK_EQ(*(uint32_t *)(bytes + 0x3000), 8);
	CHECK(RUN_ONE(OP(ISA_ATOM_ADD), TYPE(ISA_U32), D(1, "x"), S0(T(0, "xxxx")), S1(IMM_U(0)),
		      S2(T(1, "xxxx"))));
	data_cache_flush(core.l1);
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(*(uint32_t *)(bytes + 0x3000 + 4 * i), 2 * (100 + i));
	free(core.l1);
	core.l1 = NULL;
}

TEST(atomics)
{
	/* on one word, in this order; the last but one finds the 3 of t2.x there */
	const struct {
		unsigned int op, type;
		struct asm_src source;
		uint64_t live;
		uint32_t want;
	} cases[] = {
		{ ISA_ATOM_MAX, ISA_S32, T(0, "yyyy"), ~0ull, 64 },
		{ ISA_ATOM_MIN, ISA_S32, IMM_S(-5), ~0ull, (uint32_t)-5 },
		{ ISA_ATOM_MIN, ISA_U32, IMM_U(7), ~0ull, 7 },
		{ ISA_ATOM_XCHG, ISA_U32, IMM_U(0xf0), ~0ull, 0xf0 },
		{ ISA_ATOM_OR, ISA_U32, IMM_U(3), ~0ull, 0xf3 },
		{ ISA_ATOM_AND, ISA_U32, IMM_U(0x3f), ~0ull, 0x33 },
		{ ISA_ATOM_XOR, ISA_U32, IMM_U(0x30), 1, 3 },
		{ ISA_ATOM_CMP_XCHG, ISA_U32, T(2, "xyyy"), 1, 9 },
		{ ISA_ATOM_CMP_XCHG, ISA_U32, T(2, "xyyy"), 1, 9 },
	};

	begin("gc3000");
	batch.temp[2].c[0].u[0] = 3;
	batch.temp[2].c[1].u[0] = 9;
	for (unsigned int i = 0; i < GC_LANES; i++) {
		batch.temp[0].c[0].u[i] = 0x3000;
		batch.temp[0].c[1].u[i] = i + 1;
	}
	CHECK(RUN_ONE(OP(ISA_ATOM_ADD), TYPE(ISA_U32), D(1, "x"), S0(T(0, "xxxx")), S1(IMM_U(0)),
		      S2(T(0, "yyyy"))));
	CHECK_EQ(*(uint32_t *)(bytes + 0x3000), 64 * 65 / 2);
	CHECK_EQ(cost.accesses, 64);
	CHECK_EQ(cost.read_bytes, 64 * 4);
	CHECK_EQ(cost.write_bytes, 64 * 4);
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(batch.temp[1].c[0].u[i], i * (i + 1) / 2);
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ROW("operation %u, of lanes 0x%" PRIx64, i, cases[i].live);
		batch.live = cases[i].live;
		CHECK(RUN_ONE(OP(cases[i].op), TYPE(cases[i].type), D(1, "x"), S0(T(0, "xxxx")),
			      S1(IMM_U(4)), S2(cases[i].source)));
		CHECK_EQ(*(uint32_t *)(bytes + 0x3004), cases[i].want);
		if (cases[i].op == ISA_ATOM_CMP_XCHG)
			CHECK_EQ(batch.temp[1].c[0].u[0], cases[i - 1].want);
	}
}

TEST(faults_end_the_run)
{
	begin("gc3000");
	unmap();
	CHECK(RUN_ONE(OP(ISA_LOAD), TYPE(ISA_U32), D(1, "x"), S0(T(0, "xxxx")), S1(IMM_U(0x4000))));
	CHECK(core.mmu.faulted);
	core.mmu.faulted = false;
	CHECK(RUN_ONE(OP(ISA_STORE), TYPE(ISA_U32), .mask = 1, S0(T(0, "xxxx")), S1(IMM_U(0x4000)),
		      S2(T(1, "xxxx"))));
	CHECK(core.mmu.faulted);
	core.mmu.faulted = false;
	CHECK(RUN_ONE(OP(ISA_ATOM_ADD), TYPE(ISA_U32), D(1, "x"), S0(T(0, "xxxx")),
		      S1(IMM_U(0x4000)), S2(T(1, "xxxx"))));
	CHECK(core.mmu.faulted);
}

int main(void)
{
	int status = test_all();

	end();
	return status;
}
