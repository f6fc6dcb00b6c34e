// SPDX-License-Identifier: MIT
/*
 * Decoding of shader programs: position of fields, refused programs, the disassembler, and
 * 100,000 random programs, which must not cause crashes or invalid accesses.
 */
#include "check.h"
#include "shader_bench.h"
#include "shader_noise.h"

#define FUZZ_PROGRAMS 100000u

static const char *disassembled(const uint32_t *words)
{
	static char line[128];

	gc_shader_disassemble(words, line, sizeof(line));
	return line;
}

/* Fields one by one, in words computed by hand from the bit numbers. */
TEST(words_and_fields)
{
	static const struct {
		uint32_t words[4];
		const char *text;
	} known[] = {
		{ { 0, 0, 0, 0 }, "nop -, -, -, -" },
		/* destination t5.xz, source 2 t3.yyyy: dst use 12, reg 16, mask 23; src2 99, 100, 110 */
		{ { 0x02851009, 0, 0, 0x00154038 }, "mov t5.xz, -, -, t3.yyyy" },
		/* source 2 negative (bit 118) and absolute (119) */
		{ { 0x07801009, 0, 0, 0x00f90018 }, "mov t0, -, -, -|t1|" },
		/* saturation is bit 11, rgroup 2 in 124..126 */
		{ { 0x00801809, 0, 0, 0x20000048 }, "mov.sat t0.x, -, -, u4.xxxx" },
		/* type u32: bit 2 in word 1, the rest in word 2; opcode bit 6 is bit 80 */
		{ { 0x00801019, 0x00200800, 0x80010000, 0x00000018 },
		  "lshift.u32 t0.x, t0.xxxx, -, t1.xxxx" },
		/* condition 1 in bits 6..10; src1 u0: use 70, group 96..98 */
		{ { 0x00000056, 0x00001800, 0x00000040, 0x00000282 },
		  "branch.gt -, t1.xxxx, u0.xxxx, -> 5" },
		/* sampler 3 in 27..31, its swizzle in 35.. */
		{ { 0x1f811018, 0x39001f20, 0, 0 }, "texld t1, tex3, t1, -, -" },
		/* amode 1 = a.x of source 2 in 121..123 */
		{ { 0x00801009, 0, 0, 0x22000058 }, "mov t0.x, -, -, u5[a.x].xxxx" },
		/* immediate -1 of kind 1: all of reg, swizzle, neg, abs and amode 3 */
		{ { 0x00801009, 0, 0, 0x76ffdff8 }, "mov t0.x, -, -, -1" },
	};

	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(disassembled(known[i].words), known[i].text)) {
			printf("%08x...: %s, expected %s\n", known[i].words[0],
			       disassembled(known[i].words), known[i].text);
			CHECK(0);
		}
}

TEST(unpacking_undoes_packing)
{
	fuzz_begin(0);
	for (unsigned int n = 0; n < 10000; n++) {
		struct isa_instruction got;
		struct asm_inst inst;
		uint32_t words[4];

		noise_fields(&inst);
		asm_encode(&inst, words);
		isa_unpack(words, &got);
		CHECK_EQ(got.opcode, inst.op);
		CHECK_EQ(got.cond, inst.cond);
		CHECK_EQ(got.type, inst.type);
		CHECK_EQ(got.sat, inst.sat);
		CHECK_EQ(got.dst_use, inst.dst_use);
		CHECK_EQ(got.dst_reg, inst.dst);
		CHECK_EQ(got.dst_mask, inst.mask);
		CHECK_EQ(got.dst_amode, inst.dst_amode);
		CHECK_EQ(got.sampler, inst.tex);
		CHECK_EQ(got.sampler_swizzle, inst.tex_swizzle);
		CHECK_EQ(got.sampler_amode, inst.tex_amode);
		for (unsigned int i = 0; i < 3; i++) {
			CHECK_EQ(got.src[i].use, inst.src[i].use);
			CHECK_EQ(got.src[i].group, inst.src[i].group);
			CHECK_EQ(got.src[i].reg, inst.src[i].reg);
			CHECK_EQ(got.src[i].swizzle, inst.src[i].swizzle);
			CHECK_EQ(got.src[i].neg, inst.src[i].neg);
			CHECK_EQ(got.src[i].abs, inst.src[i].abs);
			CHECK_EQ(got.src[i].amode, inst.src[i].amode);
		}
	}
}

/* The program assembled so far is one that the core runs. */
static bool accepted(void)
{
	bench_decode();
	return !bench.shader->error[0];
}

/* The program assembled so far is refused, and the reason contains @why. */
static bool refused(const char *why)
{
	bench_decode();
	if (!strstr(bench.shader->error, why)) {
		printf("\"%s\", expected \"%s\"\n", bench.shader->error, why);
		return false;
	}
	return true;
}

TEST(refusals)
{
	const char *const gc2 = "gc2000", *const gc3 = "gc3000";
	const struct asm_src x = T(0, "xxxx");
	const struct {
		const char *core;
		struct asm_inst inst;
		const char *why;
	} cases[] = {
		{ gc3, { OP(0x2b), D(0, "x") }, "instruction 1: opcode 0x2b" },
		{ gc3, { OP(ISA_MOV), D(64, "x"), S2(x) }, "destination t64" },
		{ gc3, { OP(ISA_MOV), D(0, "x"), S2(T(64, "xxxx")) }, "temporary t64" },
		{ gc3,
		  { OP(ISA_MOV), D(0, "x"), S2(asm_register(4, 0, "xxxx")) },
		  "register group 4" },
		{ gc3, { OP(ISA_MOV), D(0, "x"), S2(I(1, "xxxx")) }, "register group 1" },
		{ gc3, { OP(ISA_MOV), D(0, "x"), .dst_amode = 5, S2(x) }, "addressing mode 5" },
		{ gc3, { OP(ISA_SELECT), COND(17), D(0, "x"), S0(x) }, "condition 17" },
		{ gc3, { OP(ISA_BRANCH), COND(30), S0(x) }, "condition 30" },
		{ gc3, { OP(ISA_MUL), TYPE(ISA_S32), D(0, "x"), S0(x), S1(x) }, "mul of type 1" },
		{ gc3, { OP(ISA_ADD), TYPE(ISA_F16), D(0, "x"), S0(x), S2(x) }, "half floats" },
		{ gc3,
		  { OP(ISA_MOV), D(0, "x"), S2(asm_immediate(3, 0)) },
		  "half-float immediate" },
		{ gc3, { OP(ISA_IMG_LOAD), D(0, "x"), S0(x), S1(x) }, "opcode 0x79" },
		/* what only newer cores have */
		{ gc2, { OP(ISA_MOV), D(0, "x"), S2(IMM_F(1.0f)) }, "HALTI2" },
		{ gc2,
		  { OP(ISA_ATOM_ADD), TYPE(ISA_U32), D(0, "x"), S0(x), S1(x), S2(x) },
		  "atomic_add needs HALTI2" },
		{ gc2, { OP(ISA_DP2), D(0, "x"), S0(x), S1(x) }, "dp2 needs HALTI2" },
		{ gc2,
		  { OP(ISA_DIV), D(0, "x"), S1(x), S2(x) },
		  "div needs HAS_FAST_TRANSCENDENTALS" },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ROW("%s", cases[i].why);
		bench_begin(cases[i].core, GC_STAGE_VS);
		ASM(OP(ISA_NOP));
		bench_emit(&cases[i].inst);
		CHECK(refused(cases[i].why));
	}
	bench_begin("gc3000", GC_STAGE_VS);
	ASM(OP(ISA_MOV), D(0, "x"), S2(x));
	bench.words[3] |= 1u << 31; /* bit 127 */
	CHECK(refused("dual-16"));
	/* instructions that OpenCL needs, which this core supports */
	bench_begin("gc2000", GC_STAGE_VS);
	ASM(OP(ISA_LOAD), TYPE(ISA_U32), D(0, "x"), S0(T(0, "xxxx")), S1(T(0, "xxxx")));
	ASM(OP(ISA_STORE), TYPE(ISA_U32), .mask = 1, S0(T(0, "xxxx")), S1(T(0, "xxxx")),
	    S2(T(0, "xxxx")));
	CHECK(accepted());
}

/* Samplers are shared by both stages. */
TEST(samplers_end_with_the_core)
{
	static const struct {
		const char *core;
		unsigned int last;
		bool refused;
	} cases[] = { { "gc2000", 11, true }, { "gc3000", 31, false } };

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bench_begin(cases[i].core, GC_STAGE_VS);
		ASM(OP(ISA_TEXLDL), D(1, "xyzw"), TEX(cases[i].last, "xyzw"), S0(T(0, "xyzw")));
		CHECK(accepted());
		bench_begin(cases[i].core, GC_STAGE_PS);
		ASM(OP(ISA_TEXLD), D(1, "xyzw"), TEX((cases[i].last + 1) % 32, "xyzw"),
		    S0(T(0, "xyzw")));
		if (cases[i].refused)
			CHECK(refused("sampler 12, the core has 12"));
		else
			CHECK(accepted()); /* no instruction can address more */
	}
}

/* Instructions that feature bits announce. */
TEST(features_bring_opcodes)
{
	static const struct {
		unsigned int opcode;
		const char *why;
	} gone[] = { { ISA_SIGN, "sign needs HAS_SIGN_FLOOR_CEIL" },
		     { ISA_FLOOR, "floor needs HAS_SIGN_FLOOR_CEIL" },
		     { ISA_CEIL, "ceil needs HAS_SIGN_FLOOR_CEIL" },
		     { ISA_SQRT, "sqrt needs HAS_SQRT_TRIG" },
		     { ISA_SIN, "sin needs HAS_SQRT_TRIG" },
		     { ISA_COS, "cos needs HAS_SQRT_TRIG" } };
	struct gc_personality small;

	for (unsigned int i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
		bench_begin("gc2000", GC_STAGE_VS);
		ASM(OP(gone[i].opcode), D(1, "x"), S2(T(0, "xxxx")));
		CHECK(accepted());
		small = *bench.gc.personality;
		small.minor_features[0] = 0;
		bench.gc.personality = &small;
		CHECK(refused(gone[i].why));
	}
}

TEST(long_programs)
{
	static uint32_t words[SHADER_MAX_INSTRUCTIONS * 4];
	struct gc_shader *shader;

	/* the longest program, with different immediates: refused, without taking long */
	bench_begin("gc3000", GC_STAGE_VS);
	for (uint32_t i = 0; i < SHADER_MAX_INSTRUCTIONS; i++)
		asm_encode(&(struct asm_inst){ OP(ISA_MOV), D(0, "x"), S2(IMM_U(i)) },
			   &words[4 * i]);
	shader = gc_shader_decode(bench.gc.personality, GC_STAGE_VS, words, SHADER_MAX_INSTRUCTIONS,
				  0);
	CHECK(strstr(shader->error, "too many constants"));
	gc_shader_destroy(shader);
	/* equal constants share an entry of the pool */
	for (uint32_t i = 0; i < SHADER_MAX_INSTRUCTIONS; i++)
		asm_encode(&(struct asm_inst){ OP(ISA_MOV), D(0, "x"), S2(IMM_U(7)) },
			   &words[4 * i]);
	shader = gc_shader_decode(bench.gc.personality, GC_STAGE_VS, words, SHADER_MAX_INSTRUCTIONS,
				  0);
	CHECK_EQ(shader->error[0], 0);
	CHECK_EQ(shader->constants, 1);
	gc_shader_destroy(shader);
}

static void random_program(void)
{
	for (bench.count = 0; bench.count < 1 + fuzz_below(24); bench.count++)
		noise_instruction(&bench.words[bench.count * 4], 32);
}

TEST(noise)
{
	static const char *const personality[] = { "gc3000", "gc2000" };
	uint64_t accepted = 0, programs = fuzz_cases(FUZZ_PROGRAMS);

	bench_begin("gc3000", GC_STAGE_PS);
	gc_mmu_init(&bench.gc.mmu, 2, &(struct guest_memory){ 0 });
	for (uint64_t n = 0; n < programs; n++) {
		fuzz_begin(n);
		bench.gc.personality = gc_personality_find(personality[n % 4 == 3]);
		bench.stage = n % 2 ? GC_STAGE_PS : GC_STAGE_VS;
		bench.batch.live = (uint64_t)fuzz_u32() << 32 | fuzz_u32();
		bench.batch.killed = 0;
		bench.gc.abort = true; /* endless ones end at the first yield */
		for (unsigned int c = 0; c < 4; c++)
			for (unsigned int i = 0; i < GC_LANES; i++)
				bench_lanes(fuzz_u32() % 64, c)->u[i] = fuzz_u32();
		random_program();
		accepted += bench_run();
	}
	CHECK(accepted > programs / 4);
}

int main(void)
{
	return test_all();
}
