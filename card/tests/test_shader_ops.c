// SPDX-License-Identifier: MIT
/*
 * All instructions against the reference of shader_reference.h: random operands,
 * with a higher share of special values, types, conditions, swizzles, modifiers, masks,
 * register groups, relative addresses and saturation.
 */
#include <stdlib.h>

#include "check.h"
#include "gc/float_bits.h"
#include "shader_bench.h"
#include "shader_reference.h"

#define VARIANTS 400

/* Special values. */
static const uint32_t edge[] = {
	0x00000000, 0x80000000, /* zeros; 0 and INT32_MIN */
	0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0xc0490fdb, 0x7f800000, 0xff800000,
	0x7fc00000, 0xffc00001, 0x7f800001,                         /* infinities, NaN */
	0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, /* denormals and their border */
	0x7f7fffff, 0xff7fffff, 0x4b000000, 0x4b7fffff, 0xcb000001, /* large */
	0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0xcf000001, /* borders of the integers */
	0x3fc00000, 0xbfc00000, 0x40200000, 0x3effffff, 0x3f7fffff, /* ties of rounding */
	0x7fffffff, 0xffffffff, 0x00000002, 0xfffffffe, 0x0000007f, 0x00000080, 0x000000ff,
	0x00007fff, 0x00008000, 0x0000ffff, 0x00010000, 0x0000001f, 0x00000020, 0xaaaaaaaa,
};

static uint32_t random_state = 1;

static uint32_t random_u32(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state ^ random_state >> 15;
}

static uint32_t random_below(uint32_t n)
{
	return (random_u32() >> 8) % n;
}

static uint32_t random_value(void)
{
	switch (random_below(4)) {
	case 0:
		return edge[random_below(sizeof(edge) / sizeof(edge[0]))];
	case 1:
		return random_u32();
	case 2:
		return random_below(100) - 50;
	default:
		return float_bits(((float)random_below(20001) - 10000.0f) / 256.0f);
	}
}

/* Random instructions */

static void random_source(struct asm_src *src, bool immediates)
{
	static const char *const group_of[] = { "temp",    "temp",     "temp",
						"uniform", "relative", "immediate" };
	const char *what = group_of[random_below(immediates ? 6 : 5)];

	*src = (struct asm_src){ .use = 1, .swizzle = random_u32() >> 8 & 0xff };
	if (!strcmp(what, "immediate")) {
		*src = asm_immediate(random_below(3), random_value());
		return;
	}
	src->neg = random_below(3) == 0;
	src->abs = random_below(4) == 0;
	src->reg = random_below(4);
	if (!strcmp(what, "uniform") || (!strcmp(what, "relative") && random_below(2))) {
		src->group = 2;
		src->reg = random_below(8);
	}
	if (!strcmp(what, "relative"))
		src->amode = 1 + random_below(4);
}

static unsigned int random_type(enum shape shape)
{
	static const uint8_t integer[] = { ISA_S32, ISA_U32, ISA_S32, ISA_U32,
					   ISA_S8,  ISA_U8,  ISA_S16, ISA_U16 };

	if (shape == BIT_OP && random_below(4) == 0)
		return ISA_F32;
	if (shape == COND_OP && random_below(2))
		return ISA_F32;
	return integer[random_below(sizeof(integer))];
}

static void random_instruction(const struct tested *t, struct asm_inst *inst)
{
	static const uint8_t cond[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 22 };
	bool integer = t->shape >= INTEGER_OP && t->shape != DOT_OP;

	memset(inst, 0, sizeof(*inst));
	inst->op = t->op;
	inst->type = integer ? random_type(t->shape) : (unsigned int)ISA_F32;
	inst->cond = t->shape == COND_OP ? cond[random_below(sizeof(cond))] : 0;
	inst->sat = random_below(5) == 0;
	inst->dst_use = 1;
	inst->dst = random_below(5);
	inst->mask = 1 + random_below(15);
	for (unsigned int i = 0; t->sources[i]; i++)
		random_source(&inst->src[t->sources[i] - '0'], bench.gc.personality->halti >= 2);
}

static void random_registers(void)
{
	for (unsigned int reg = 0; reg < 6; reg++)
		for (unsigned int c = 0; c < 4; c++)
			for (unsigned int i = 0; i < GC_LANES; i++)
				bench.batch.temp[reg].c[c].u[i] = random_value();
	for (unsigned int i = 0; i < 12 * 4; i++)
		bench.uniform[i] = random_value();
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i++)
			bench.batch.address.c[c].i[i] = (int32_t)random_below(8) - (c == 3 ? 4 : 1);
}

static void complain(const struct asm_inst *inst, unsigned int c, unsigned int lane, uint32_t got,
		     uint32_t want)
{
	uint32_t words[4];
	char line[128];

	asm_encode(inst, words);
	gc_shader_disassemble(words, line, sizeof(line));
	printf("%s: %s: lane %u component %u is 0x%08x (%g), expected 0x%08x (%g)\n",
	       bench.gc.personality->name, line, lane, c, got, (double)bits_float(got), want,
	       (double)bits_float(want));
}

/* One random instruction of kind @t in random lanes; false if it differs or is refused. */
static bool try_one(const struct tested *t, const char *personality)
{
	static struct gc_batch saved;
	struct asm_inst inst;

	bench_begin(personality, GC_STAGE_VS);
	random_registers();
	if (random_below(3) == 0)
		bench.batch.live =
			((uint64_t)random_u32() << 32 | random_u32()) >> random_below(64);
	random_instruction(t, &inst);
	bench_emit(&inst);
	saved = bench.batch;
	before = &saved;
	if (!bench_run()) {
		printf("refused: %s\n", bench.shader->error);
		return false;
	}
	for (uint64_t left = bench.batch.live; left; left &= left - 1) {
		unsigned int lane = (unsigned int)__builtin_ctzll(left);

		for (unsigned int c = 0; c < 4; c++) {
			uint32_t got = bench_u(inst.dst, c, lane);
			uint32_t want = inst.mask >> c & 1 ? reference(t, &inst, c, lane)
							   : saved.temp[inst.dst].c[c].u[lane];

			if (!agree(got, want, t) || (!(inst.mask >> c & 1) && got != want)) {
				complain(&inst, c, lane, got, want);
				return false;
			}
		}
	}
	return true;
}

/* DP2 came with HALTI2, DIV with fast transcendentals; both cores have all others. */
static bool core_has(const char *personality, unsigned int op)
{
	const struct gc_personality *core = gc_personality_find(personality);

	return op == ISA_DP2 ? core->halti >= 2 : op != ISA_DIV || core->fast_transcendentals;
}

static bool try_all(const char *personality)
{
	for (unsigned int i = 0; i < sizeof(tested) / sizeof(tested[0]); i++)
		for (unsigned int n = 0; n < VARIANTS; n++)
			if (core_has(personality, tested[i].op) &&
			    !try_one(&tested[i], personality))
				return false;
	return true;
}

TEST(all_instructions_gc3000)
{
	CHECK(try_all("gc3000"));
}

TEST(all_instructions_gc2000)
{
	CHECK(try_all("gc2000"));
}

TEST(every_condition_with_nan_and_borders)
{
	static const uint8_t cond[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 22 };
	static const uint8_t types[] = { ISA_F32, ISA_S32, ISA_U32 };
	const unsigned int edges = sizeof(edge) / sizeof(edge[0]);

	for (unsigned int n = 0; n < sizeof(cond) * 3; n++) {
		unsigned int type = types[n % 3], condition = cond[n / 3];

		for (unsigned int first = 0; first < edges; first++) {
			bench_begin("gc3000", GC_STAGE_VS);
			for (unsigned int i = 0; i < GC_LANES; i++) {
				bench_lanes(0, 0)->u[i] = edge[first];
				bench_lanes(0, 1)->u[i] = edge[i % edges];
				bench_lanes(0, 2)->u[i] = 0x12345678;
			}
			ASM(OP(ISA_CMP), COND(condition), TYPE(type), D(1, "x"), S0(T(0, "xxxx")),
			    S1(T(0, "yyyy")), S2(IMM_S(-1)));
			ASM(OP(ISA_SET), COND(condition), TYPE(type), D(1, "y"), S0(T(0, "xxxx")),
			    S1(T(0, "yyyy")));
			ASM(OP(ISA_SELECT), COND(condition), TYPE(type), D(1, "z"),
			    S0(T(0, "xxxx")), S1(T(0, "yyyy")), S2(T(0, "zzzz")));
			CHECK(bench_run());
			for (unsigned int i = 0; i < edges && i < GC_LANES; i++) {
				uint32_t a = edge[first], b = edge[i];
				bool truth = ref_compare(condition, type, a, b);

				CHECK_EQ(bench_u(1, 0, i), truth ? UINT32_MAX : 0);
				CHECK_EQ(bench_u(1, 1, i), truth ? float_bits(1.0f) : 0);
				if (is_unary(condition))
					CHECK_EQ(bench_u(1, 2, i), truth ? b : 0x12345678);
				else
					CHECK_EQ(bench_u(1, 2, i),
						 ref_compare(condition, type, b, a) ? 0x12345678
										    : b);
			}
		}
	}
}

TEST(minimum_and_maximum_as_drivers_make_them)
{
	bench_begin("gc3000", GC_STAGE_VS);
	bench_fill(0, 0, -4.0f, 0.5f);
	bench_fill(0, 1, 4.0f, -0.25f);
	ASM(OP(ISA_SELECT), COND(ISA_COND_GT), D(1, "x"), S0(T(0, "xxxx")), S1(T(0, "yyyy")),
	    S2(T(0, "xxxx")));
	ASM(OP(ISA_SELECT), COND(ISA_COND_LT), D(1, "y"), S0(T(0, "xxxx")), S1(T(0, "yyyy")),
	    S2(T(0, "xxxx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_u(1, 0, i), float_bits(fminf(bench_f(0, 0, i), bench_f(0, 1, i))));
		CHECK_EQ(bench_u(1, 1, i), float_bits(fmaxf(bench_f(0, 0, i), bench_f(0, 1, i))));
	}
}

TEST(derivatives)
{
	bench_begin("gc3000", GC_STAGE_PS);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int quad = i / 4, x = i % 2, y = i / 2 % 2;

		bench_lanes(0, 0)->f[i] = (float)(quad * 10 + 3 * x + 5 * y);
		bench_lanes(0, 1)->f[i] = (float)(quad + x * y); /* differs from row to row */
	}
	ASM(OP(ISA_DSX), D(1, "xy"), S0(T(0, "xyyy")), S2(T(0, "xyyy")));
	ASM(OP(ISA_DSY), D(1, "zw"), S0(T(0, "xyxy")), S2(T(0, "xyxy")));
	ASM(OP(ISA_DSX), D(2, "x"), S0(NEG(T(0, "xxxx"))), S2(NEG(T(0, "xxxx"))));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int x = i % 2, y = i / 2 % 2;

		CHECK_EQ(bench_f(1, 0, i) == 3.0f, 1);
		CHECK_EQ(bench_f(1, 1, i) == (float)y, 1);
		CHECK_EQ(bench_f(1, 2, i) == 5.0f, 1);
		CHECK_EQ(bench_f(1, 3, i) == (float)x, 1);
		CHECK_EQ(bench_f(2, 0, i) == -3.0f, 1);
	}
}

TEST(address_register)
{
	bench_begin("gc2000", GC_STAGE_VS);
	for (unsigned int reg = 0; reg < 16; reg++)
		bench_uniform(reg, 1, 100.0f + (float)reg);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		bench_lanes(0, 0)->f[i] = (float)(i % 8) + (i & 1 ? 0.25f : -0.25f);
		bench_lanes(0, 1)->f[i] = (float)(i % 4);
		bench_lanes(2, 0)->f[i] = (float)i;
	}
	ASM(OP(ISA_MOVAR), D(0, "x"), S2(T(0, "xxxx")));
	ASM(OP(ISA_MOVAR), D(0, "z"), S2(T(0, "yyyy")));
	ASM(OP(ISA_MOV), D(1, "x"), S2(REL(U(4, "yyyy"), 'x')));
	ASM(OP(ISA_MOV), D(10, "y"), DREL('z'), S2(T(2, "xxxx")));
	ASM(OP(ISA_MOVAF), D(0, "w"), S2(T(0, "xxxx")));
	ASM(OP(ISA_MOV), D(1, "y"), S2(REL(U(4, "yyyy"), 'w')));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int index = i % 8;

		CHECK_EQ(bench_f(1, 0, i) == 104.0f + (float)index, 1);
		CHECK_EQ(bench_f(1, 1, i) ==
				 104.0f + floorf((float)index + (i & 1 ? 0.25f : -0.25f)),
			 1);
		for (unsigned int reg = 10; reg < 14; reg++)
			CHECK_EQ(bench_f(reg, 1, i) == (reg - 10 == i % 4 ? (float)i : 0.0f), 1);
	}

	/* integers on cores that have MOVAI; out of range reads zero and writes nothing */
	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(0, 0)->i[i] = i == 5 ? 1 : (int32_t)i * 1000 - 4000;
	bench_fill(63, 0, 7.0f, 0.0f);
	ASM(OP(ISA_MOVAI), TYPE(ISA_S32), D(0, "y"), S2(T(0, "xxxx")));
	ASM(OP(ISA_MOV), D(1, "x"), S2(REL(T(63, "xxxx"), 'y')));
	ASM(OP(ISA_MOV), D(2, "x"), DREL('y'), S2(IMM_F(1.0f)));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_f(1, 0, i) == (i == 4 ? 7.0f : 0.0f), 1);
		CHECK_EQ(bench_f(2, 0, i) == (i == 4 ? 1.0f : 0.0f), 1);
	}
}

TEST(litp)
{
	bench_begin("gc2000", GC_STAGE_VS);
	bench_fill(0, 0, -1.0f, 0.5f);
	bench_fill(0, 1, 3.0f, 0.0f);
	ASM(OP(ISA_LITP), D(0, "xyzw"), S1(T(0, "xxxx")), S2(T(0, "yyyy")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		float x = -1.0f + 0.5f * (float)i;

		CHECK_EQ(bench_f(0, 0, i) == 1.0f, 1);
		CHECK_EQ(bench_f(0, 1, i) == (x > 0 ? x : 0), 1);
		CHECK_EQ(bench_f(0, 2, i) == (x > 0 ? 8.0f : 0), 1);
		CHECK_EQ(bench_f(0, 3, i) == 1.0f, 1);
	}
}

TEST(low_parts)
{
	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		bench_lanes(0, 0)->f[i] = 1.0f + (float)i * 0x1p-20f;
		bench_lanes(0, 1)->f[i] = 3.0f + (float)(i * i) * 0x1p-21f;
	}
	ASM(OP(ISA_ADDLO), D(1, "x"), S0(T(0, "xxxx")), S2(T(0, "yyyy")));
	ASM(OP(ISA_MULLO), D(1, "y"), S0(T(0, "xxxx")), S1(T(0, "yyyy")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		float a = bench_f(0, 0, i), b = bench_f(0, 1, i);

		CHECK_EQ((double)bench_f(1, 0, i) + (double)(a + b) == (double)a + (double)b, 1);
		CHECK_EQ((double)bench_f(1, 1, i) + (double)(a * b) == (double)a * (double)b, 1);
	}
}

TEST(find_bits)
{
	static const uint32_t value[] = { 0, 1, 0x80000000, 0xffffffff, 0x00f0, 0xfffffff0 };
	static const uint32_t lsb[] = { UINT32_MAX, 0, 31, 0, 4, 4 };
	static const uint32_t msb_u[] = { UINT32_MAX, 0, 31, 31, 7, 31 };
	static const uint32_t msb_s[] = { UINT32_MAX, 0, 30, UINT32_MAX, 7, 3 };
	struct asm_src lsb_code = asm_immediate(2, ISA_EXT_FINDLSB);
	struct asm_src msb_code = asm_immediate(2, ISA_EXT_FINDMSB);

	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < 6; i++)
		bench_lanes(0, 0)->u[i] = value[i];
	ASM(OP(ISA_EXTENDED), TYPE(ISA_U32), D(1, "x"), S0(T(0, "xxxx")), S2(lsb_code));
	ASM(OP(ISA_EXTENDED), TYPE(ISA_U32), D(1, "y"), S0(T(0, "xxxx")), S2(msb_code));
	ASM(OP(ISA_EXTENDED), TYPE(ISA_S32), D(1, "z"), S0(T(0, "xxxx")), S2(msb_code));
	CHECK(bench_run());
	for (unsigned int i = 0; i < 6; i++) {
		CHECK_EQ(bench_u(1, 0, i), lsb[i]);
		CHECK_EQ(bench_u(1, 1, i), msb_u[i]);
		CHECK_EQ(bench_u(1, 2, i), msb_s[i]);
	}
}

TEST(denormals_are_zeros)
{
	bench_begin("gc3000", GC_STAGE_VS);
	bench_fill(0, 0, 0x1p-100f, 0.0f);
	bench_fill(0, 1, 0x1p-49f, 0.0f);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(0, 2)->u[i] = 0x7fffff;
	ASM(OP(ISA_MUL), D(1, "x"), S0(T(0, "xxxx")), S1(T(0, "yyyy")));
	ASM(OP(ISA_CMP), COND(ISA_COND_LT), D(1, "y"), S0(IMM_F(0.0f)), S1(T(0, "zzzz")),
	    S2(IMM_S(-1)));
	ASM(OP(ISA_MOV), D(1, "z"), S2(T(0, "zzzz"))); /* no arithmetic: bits are preserved */
	ASM(OP(ISA_RCP), D(1, "w"), S2(T(0, "zzzz")));
	ASM(OP(ISA_EXP), D(2, "x"), S2(NEG(U(0, "xxxx"))));
	ASM(OP(ISA_LOG), D(2, "yz"), S2(T(0, "zzzz")));
	ASM(OP(ISA_ADD), TYPE(ISA_S32), D(2, "w"), S0(T(0, "zzzz")), S2(IMM_S(1)));
	bench_uniform(0, 0, 130.0f);
	CHECK(bench_run());
	CHECK_EQ(bench_u(1, 0, 3), 0);
	CHECK_EQ(bench_u(1, 1, 3), 0);
	CHECK_EQ(bench_u(1, 2, 3), 0x7fffff);
	CHECK_EQ(bench_u(1, 3, 3), float_bits(INFINITY));
	CHECK_EQ(bench_u(2, 0, 3), 0);
	CHECK_EQ(bench_u(2, 1, 3), float_bits(-INFINITY));
	CHECK_EQ(bench_u(2, 3, 3), 0x800000);
	/* outside of the shader denormals are preserved */
	volatile float tiny = 0x1p-140f;
	CHECK(tiny * 0.5f > 0.0f);
}

int main(void)
{
	return test_all();
}
