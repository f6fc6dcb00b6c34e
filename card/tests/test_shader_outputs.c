// SPDX-License-Identifier: MIT
/* Skipping of moves at the end of programs, and the analysis of registers read. */
#include "check.h"
#include "shader_bench.h"

/* Runs the assembled program as far as its outputs need. */
static void run_short(void)
{
	bench_decode();
	gc_shader_set_uniforms(bench.shader, bench.uniform, 512 * 4);
	memset(&bench.cost, 0, sizeof(bench.cost));
	bench_shader_run_short(&bench.gc, bench.shader, &bench.batch, &bench.cost);
}

static float output(unsigned int reg, unsigned int c, unsigned int lane)
{
	return gc_shader_output(bench.shader, &bench.batch, reg, c)->f[lane];
}

static void fill_register(unsigned int reg)
{
	for (unsigned int c = 0; c < 4; c++)
		bench_fill(reg, c, (float)(16 * reg + c), 64.0f);
}

/* Makes a whole run, and compares all lanes of register @reg, and the cost, with those before. */
static bool equals_whole_run(unsigned int reg)
{
	static float got[4][GC_LANES];
	uint64_t cost = bench.cost.instructions;
	bool equal;

	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < GC_LANES; i++)
			got[c][i] = output(reg, c, i);
	memset(&bench.cost, 0, sizeof(bench.cost));
	bench_shader_run(&bench.gc, bench.shader, &bench.batch, &bench.cost);
	equal = cost == bench.cost.instructions;
	for (unsigned int c = 0; c < 4; c++)
		equal &= !memcmp(got[c], bench_lanes(reg, c)->f, sizeof(got[c]));
	return equal;
}

TEST(moves_alone)
{
	bench_begin("gc3000", GC_STAGE_PS);
	fill_register(1);
	bench_uniform(0, 0, 0.5f);
	bench_uniform(0, 1, 1.0f);
	ASM(OP(ISA_MOV), D(2, "xy"), S2(T(1, "xyxx")));
	ASM(OP(ISA_MOV), D(2, "zw"), S2(U(0, "xxxy")));
	ASM(OP(ISA_MOV), D(3, "xyzw"), S2(T(2, "zyxw")));
	run_short();
	CHECK_EQ(bench.shader->tail, 0);
	CHECK_EQ(bench.cost.instructions, 3 * 64);
	CHECK(bench_f(3, 1, 5) == 0.0f); /* not executed */
	CHECK(output(3, 0, 5) == 0.5f && output(3, 3, 5) == 1.0f);
	CHECK(output(3, 1, 5) == bench_f(1, 1, 5) && output(3, 2, 5) == bench_f(1, 0, 5));
	CHECK(equals_whole_run(3));
}

TEST(constants_are_marked)
{
	struct gc_color color;

	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_MOV), D(3, "yz"), S2(T(1, "yyxy")));
	ASM(OP(ISA_MOV), D(3, "xw"), S2(IMM_F(0.5f)));
	run_short();
	gc_shader_output_color(bench.shader, &bench.batch, 3, &color);
	CHECK_EQ(color.same, 0x9);
	CHECK(color.c[1] == bench_lanes(1, 1) && color.c[2] == bench_lanes(1, 0));
	CHECK(color.c[3]->f[0] == 0.5f);
}

TEST(moves_behind_arithmetic)
{
	bench_begin("gc3000", GC_STAGE_PS);
	fill_register(1);
	ASM(OP(ISA_MOV), D(3, "xyzw"), S2(T(1, "xyzw")));
	ASM(OP(ISA_ADD), D(2, "xyzw"), S0(T(3, "xyzw")), S2(T(1, "wzyx")));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(2, "zyxw"))); /* exchanges in place */
	run_short();
	CHECK_EQ(bench.shader->tail, 2);
	CHECK_EQ(bench.cost.instructions, 3 * 64);
	CHECK(equals_whole_run(2));
}

/* A register that is read before it is written keeps the value of the batch before. */
TEST(moves_that_the_next_batch_reads)
{
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_ADD), D(2, "x"), S0(T(3, "xxxx")), S2(IMM_F(1.0f)));
	ASM(OP(ISA_MOV), D(3, "x"), S2(T(2, "xxxx")));
	run_short();
	CHECK_EQ(bench.shader->tail, 2);
	CHECK(bench_f(3, 0, 0) == 1.0f);
}

TEST(not_every_move_can_be_followed)
{
	const struct asm_inst last[] = {
		{ OP(ISA_MOV), SAT, D(2, "x"), S2(T(1, "xxxx")) },
		{ OP(ISA_MOV), D(2, "x"), S2(NEG(T(1, "xxxx"))) },
		{ OP(ISA_MOV), D(2, "x"), DREL('x'), S2(T(1, "xxxx")) },
	};

	for (unsigned int i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
		bench_begin("gc3000", GC_STAGE_PS);
		bench_emit(&last[i]);
		bench_decode();
		CHECK_EQ(bench.shader->tail, 1);
	}
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_TEXKILL), COND(ISA_COND_LT), S0(T(1, "xxxx")), S1(IMM_F(0.0f)));
	ASM(OP(ISA_MOV), D(2, "x"), S2(T(1, "xxxx")));
	bench_decode();
	CHECK(!bench.shader->straight);
	CHECK_EQ(bench.shader->tail, 2);
}

TEST(what_is_read)
{
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_MUL), D(2, "xy"), S0(T(1, "zwzz")), S1(U(0, "xxxx")));
	ASM(OP(ISA_TEXLD), D(2, "xyzw"), TEX(0, "xyzw"), S0(T(2, "xyyy")));
	ASM(OP(ISA_DP3), D(4, "x"), S0(T(2, "xyzw")), S1(T(5, "xxxx")));
	bench_decode();
	CHECK_EQ(gc_shader_reads(bench.shader, 0), 0);
	CHECK_EQ(gc_shader_reads(bench.shader, 1), 0xc);
	CHECK_EQ(gc_shader_reads(bench.shader, 2), 0x7);
	CHECK_EQ(gc_shader_reads(bench.shader, 5), 0x1);
	CHECK(!gc_shader_reads_face(bench.shader));
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_MOV), D(2, "x"), S2(I(0, "xxxx")));
	ASM(OP(ISA_MOV), D(3, "x"), S2(REL(T(4, "xxxx"), 'x')));
	bench_decode();
	CHECK(gc_shader_reads_face(bench.shader));
	CHECK_EQ(gc_shader_reads(bench.shader, 0), 0xf); /* any register may be read */
}

int main(void)
{
	int status = test_all();

	gc_shader_destroy(bench.shader);
	return status;
}
