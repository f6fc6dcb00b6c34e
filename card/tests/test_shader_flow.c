// SPDX-License-Identifier: MIT
/* Shader programs as a whole: write masks, control flow, kills, textures, costs. */
#include "check.h"
#include "shader_bench.h"

TEST(minimal_programs)
{
	/* a transformed position */
	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int c = 0; c < 4; c++) {
		bench_fill(0, c, (float)c, 0.5f);
		for (unsigned int row = 0; row < 4; row++)
			bench_uniform(row, c, (float)(row + 2 * c));
	}
	ASM(OP(ISA_MUL), D(1, "xyzw"), S0(U(0, "xyzw")), S1(T(0, "xxxx")));
	ASM(OP(ISA_MAD), D(1, "xyzw"), S0(U(1, "xyzw")), S1(T(0, "yyyy")), S2(T(1, "xyzw")));
	ASM(OP(ISA_MAD), D(1, "xyzw"), S0(U(2, "xyzw")), S1(T(0, "zzzz")), S2(T(1, "xyzw")));
	ASM(OP(ISA_ADD), D(1, "xyzw"), S0(U(3, "xyzw")), S2(T(1, "xyzw")));
	ASM(OP(ISA_MOV), D(2, "xyzw"), S2(T(1, "wzyx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		float x = bench_f(0, 0, i), y = bench_f(0, 1, i), z = bench_f(0, 2, i);

		for (unsigned int c = 0; c < 4; c++) {
			float k = 2.0f * (float)c;

			CHECK_EQ(bench_f(1, c, i) == k * x + (1 + k) * y + (2 + k) * z + (3 + k),
				 1);
			CHECK_EQ(bench_u(2, 3 - c, i), bench_u(1, c, i));
		}
	}
	CHECK_EQ(bench.cost.instructions, 5 * 64);

	/* a textured colour */
	bench_begin("gc3000", GC_STAGE_PS);
	bench_fill(1, 0, 0.0f, 0.25f);
	bench_fill(1, 1, 1.0f, 0.125f);
	ASM(OP(ISA_TEXLD), D(1, "xyzw"), TEX(3, "yxzw"), S0(T(1, "xyyy")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_f(1, 0, i) == 1.0f + 0.125f * (float)i, 1);
		CHECK_EQ(bench_f(1, 1, i) == 0.25f * (float)i, 1);
		CHECK_EQ(bench_f(1, 2, i) == 3.0f, 1);
	}
	CHECK_EQ(bench.requests, 1);
	CHECK_EQ(bench.request.mode, GC_TEX_IMPLICIT);
	CHECK_EQ(bench.request.live, ~UINT64_C(0));
	CHECK(bench.request.pixel_stage);
	CHECK_EQ(bench.cost.texlds, 64);
}

/* t1.x = number of the lane */
static void number_lanes(void)
{
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(1, 0)->u[i] = i;
}

TEST(if_and_else)
{
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	/* if (i < 20) t2.x = 1 else t2.x = 2, with partial masks on both sides */
	ASM(OP(ISA_CMP), COND(ISA_COND_LT), TYPE(ISA_U32), D(3, "x"), S0(T(1, "xxxx")),
	    S1(IMM_U(20)), S2(IMM_S(-1)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_NOT), TYPE(ISA_U32), S0(T(3, "xxxx")), TO(4));
	ASM(OP(ISA_MOV), D(2, "xy"), S2(IMM_F(1.0f)));
	ASM(OP(ISA_BRANCH), TO(5));
	ASM(OP(ISA_MOV), D(2, "xz"), S2(IMM_F(2.0f)));
	ASM(OP(ISA_ADD), D(2, "w"), S0(T(2, "xxxx")), S2(T(2, "zzzz")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_f(2, 0, i) == (i < 20 ? 1.0f : 2.0f), 1);
		CHECK_EQ(bench_f(2, 1, i) == (i < 20 ? 1.0f : 0.0f), 1);
		CHECK_EQ(bench_f(2, 2, i) == (i < 20 ? 0.0f : 2.0f), 1);
		CHECK_EQ(bench_f(2, 3, i) == (i < 20 ? 1.0f : 4.0f), 1);
	}
	/* CMP, BRANCH and the last ADD by all, two by 20 lanes, one by 44 */
	CHECK_EQ(bench.cost.instructions, 3 * 64 + 2 * 20 + 44);
	CHECK_EQ(bench.cost.branches, 64 + 20);
}

TEST(nested_divergence)
{
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	/* four ways by the two lowest bits of i, each adds its own number; twice nested */
	ASM(OP(ISA_AND), TYPE(ISA_U32), D(3, "x"), S0(T(1, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_AND), TYPE(ISA_U32), D(3, "y"), S0(T(1, "xxxx")), S2(IMM_U(2)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_NOT), TYPE(ISA_U32), S0(T(3, "xxxx")), TO(8));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_NOT), TYPE(ISA_U32), S0(T(3, "yyyy")), TO(6));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(3)));
	ASM(OP(ISA_BRANCH), TO(7));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), TO(12));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_NOT), TYPE(ISA_U32), S0(T(3, "yyyy")), TO(11));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(2)));
	ASM(OP(ISA_BRANCH), TO(12));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(0)));
	ASM(OP(ISA_MOV), D(2, "y"), S2(T(2, "xxxx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 1, i), i % 4);
	CHECK_EQ(bench.cost.instructions, 3 * 64 + 32 + 16 * 2 + 16 + 32 + 32 + 16 * 2 + 16 + 64);
}

TEST(divergent_loop)
{
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	/* t2.x = sum of 1..i, by as many turns as the lane's number */
	ASM(OP(ISA_BRANCH), COND(ISA_COND_GE), TYPE(ISA_U32), S0(T(3, "xxxx")), S1(T(1, "xxxx")),
	    TO(4));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(3, "x"), S0(T(3, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(2, "x"), S0(T(2, "xxxx")), S2(T(3, "xxxx")));
	ASM(OP(ISA_BRANCH), TO(0));
	ASM(OP(ISA_MOV), D(2, "y"), S2(T(2, "xxxx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 1, i), i * (i + 1) / 2);
	/* 0 + 1 + .. + 63 turns of four, one more test, and the end once for all together */
	CHECK_EQ(bench.cost.instructions, 2016 * 4 + 64 + 64);
}

TEST(nested_loops_with_break_and_continue)
{
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	/*
	 * for (a = 0; a < 5; a++)
	 *	for (b = 0; ; b++) {
	 *		if (b > i % 7) break;
	 *		if (b & 1) continue;
	 *		n += a + b;
	 *	}
	 */
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(1, 1)->u[i] = i % 7;
	ASM(OP(ISA_BRANCH), COND(ISA_COND_GE), TYPE(ISA_U32), S0(T(3, "xxxx")), S1(IMM_U(5)),
	    TO(11));
	ASM(OP(ISA_MOV), D(3, "y"), S2(IMM_U(0)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_GT), TYPE(ISA_U32), S0(T(3, "yyyy")), S1(T(1, "yyyy")),
	    TO(9));
	ASM(OP(ISA_AND), TYPE(ISA_U32), D(3, "z"), S0(T(3, "yyyy")), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_NZ), TYPE(ISA_U32), S0(T(3, "zzzz")), TO(7));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(2, "x"), S0(T(2, "xxxx")), S2(T(3, "xxxx")));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(2, "x"), S0(T(2, "xxxx")), S2(T(3, "yyyy")));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(3, "y"), S0(T(3, "yyyy")), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), TO(2));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(3, "x"), S0(T(3, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), TO(0));
	ASM(OP(ISA_MOV), D(2, "y"), S2(T(2, "xxxx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		unsigned int n = 0;

		for (unsigned int a = 0; a < 5; a++)
			for (unsigned int b = 0; b <= i % 7; b += 2)
				n += a + b;
		CHECK_EQ(bench_u(2, 1, i), n);
	}
}

TEST(calls)
{
	bench_begin("gc3000", GC_STAGE_VS);
	number_lanes();
	/* main: twice(); once more where i is odd; end.  twice: inc(); inc().  inc: t2.x += 1 */
	ASM(OP(ISA_CALL), TO(5));
	ASM(OP(ISA_AND), TYPE(ISA_U32), D(3, "x"), S0(T(1, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_CALL), COND(ISA_COND_NZ), TYPE(ISA_U32), S0(T(3, "xxxx")), TO(5));
	ASM(OP(ISA_MOV), D(2, "y"), S2(T(2, "xxxx")));
	ASM(OP(ISA_RET));
	ASM(OP(ISA_CALL), TO(8));
	ASM(OP(ISA_CALL), TO(8));
	ASM(OP(ISA_RET));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(2, "x"), S0(T(2, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_RET));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 1, i), i & 1 ? 4 : 2);

	/* divergent: lanes return at different times to different callers */
	bench_begin("gc3000", GC_STAGE_VS);
	number_lanes();
	ASM(OP(ISA_BRANCH), COND(ISA_COND_LT), TYPE(ISA_U32), S0(T(1, "xxxx")), S1(IMM_U(32)),
	    TO(3));
	ASM(OP(ISA_CALL), TO(5));
	ASM(OP(ISA_BRANCH), TO(4));
	ASM(OP(ISA_CALL), TO(5));
	ASM(OP(ISA_RET));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_EQ), TYPE(ISA_U32), S0(T(1, "xxxx")), S1(IMM_U(40)),
	    TO(7));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(2, "x"), S0(T(2, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_RET));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 0, i), i != 40);

	/* endless recursion ends, without a crash */
	bench_begin("gc3000", GC_STAGE_VS);
	ASM(OP(ISA_CALL), TO(0));
	CHECK(bench_run());
}

TEST(conditions_of_several_components)
{
	bench_begin("gc3000", GC_STAGE_PS);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(1, i % 4)->u[i] = 1;
	ASM(OP(ISA_BRANCH_ANY), COND(ISA_COND_EQ), TYPE(ISA_U32), S0(T(1, "yzww")), S1(IMM_U(1)),
	    TO(2));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_EQ), TYPE(ISA_U32), S0(T(1, "yzww")), S1(IMM_U(1)),
	    TO(4));
	ASM(OP(ISA_MOV), D(2, "y"), S2(IMM_U(1)));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++) {
		CHECK_EQ(bench_u(2, 0, i), i % 4 == 0);
		CHECK_EQ(bench_u(2, 1, i), i % 4 != 1);
	}
}

TEST(early_end_keeps_results)
{
	bench_begin("gc3000", GC_STAGE_VS);
	number_lanes();
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(5)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_LT), TYPE(ISA_U32), S0(T(1, "xxxx")), S1(IMM_U(10)),
	    TO(3));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(6)));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 0, i), i < 10 ? 5 : 6);
}

TEST(kill)
{
	/* unconditional: no lane is left, and nothing more runs */
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_TEXKILL));
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(5)));
	CHECK(bench_run());
	CHECK(bench_shader_uses_kill(bench.shader));
	CHECK_EQ(bench.batch.killed, ~UINT64_C(0));
	CHECK_EQ(bench.cost.instructions, 64);

	/* as drivers do it; a quad of which one lane lives goes on whole */
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	bench.batch.live = UINT64_C(0x0000ffffffffffff);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(3, 0)->u[i] = i >= 8 && i < 31 ? UINT32_MAX : 0;
	ASM(OP(ISA_TEXKILL), COND(ISA_COND_NZ), TYPE(ISA_U32), S0(T(3, "xxxx")));
	ASM(OP(ISA_DSX), D(2, "x"), S0(T(1, "xxxx")), S2(T(1, "xxxx")));
	CHECK(bench_run());
	CHECK_EQ(bench.batch.killed, ((UINT64_C(1) << 31) - 1) & ~UINT64_C(0xff));
	CHECK_EQ(bench.cost.instructions, 48 + 48 - 20);

	/* on cores without integers */
	bench_begin("gc2000", GC_STAGE_PS);
	bench_fill(3, 0, -1.0f, 0.5f);
	ASM(OP(ISA_TEXKILL), COND(ISA_COND_NZ), S0(T(3, "xxxx")));
	CHECK(bench_run());
	CHECK_EQ(bench.batch.killed, ~(UINT64_C(1) << 2));

	/* two operands, any component */
	bench_begin("gc3000", GC_STAGE_PS);
	bench_lanes(3, 2)->f[5] = -1.0f;
	ASM(OP(ISA_TEXKILL), COND(ISA_COND_LT), S0(T(3, "xyzw")), S1(IMM_F(0.0f)));
	CHECK(bench_run());
	CHECK_EQ(bench.batch.killed, UINT64_C(1) << 5);

	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_NOP));
	CHECK(bench_run());
	CHECK(!bench_shader_uses_kill(bench.shader));
}

TEST(kill_inside_a_loop_ends_it)
{
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	/* for (n = 0; ; n++) if (n == i / 4) discard; */
	ASM(OP(ISA_RSHIFT), TYPE(ISA_U32), D(1, "y"), S0(T(1, "xxxx")), S2(IMM_U(2)));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_NE), TYPE(ISA_U32), S0(T(2, "xxxx")), S1(T(1, "yyyy")),
	    TO(3));
	ASM(OP(ISA_TEXKILL));
	ASM(OP(ISA_ADD), TYPE(ISA_U32), D(2, "x"), S0(T(2, "xxxx")), S2(IMM_U(1)));
	ASM(OP(ISA_BRANCH), TO(1));
	CHECK(bench_run());
	CHECK_EQ(bench.batch.killed, ~UINT64_C(0));
	CHECK_EQ(bench.yields, 0);
}

TEST(internal_registers)
{
	bench_begin("gc3000", GC_STAGE_PS);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench.batch.face.f[i] = i & 4 ? 1.0f : 0.0f;
	ASM(OP(ISA_CMP), COND(ISA_COND_NE), TYPE(ISA_S32), D(2, "x"), S0(I(0, "xxxx")),
	    S1(IMM_U(0)), S2(IMM_S(-1)));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 0, i), i & 4 ? UINT32_MAX : 0);

	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < GC_LANES; i++) {
		bench.batch.vertex_id.u[i] = 100 + i;
		bench.batch.instance_id.u[i] = 7;
	}
	ASM(OP(ISA_MOV), D(2, "xy"), S2(I(0, "xyyy")));
	CHECK(bench_run());
	CHECK_EQ(bench_u(2, 0, 9), 109);
	CHECK_EQ(bench_u(2, 1, 9), 7);
}

TEST(texture_requests)
{
	const union gc_lanes *t4;

	/* bias and LOD are in the coordinates' fourth component */
	bench_begin("gc3000", GC_STAGE_PS);
	bench_fill(1, 3, 2.0f, 0.0f);
	ASM(OP(ISA_TEXLDB), D(2, "w"), TEX(1, "xyzw"), S0(T(1, "xyzw")));
	CHECK(bench_run());
	CHECK_EQ(bench.request.mode, GC_TEX_BIAS);
	CHECK_EQ(bench.request.sampler, 1);
	CHECK_EQ(bench_f(2, 3, 7) == 2.0f, 1);
	CHECK_EQ(bench_u(2, 0, 7), 0);

	/* or in a source of their own; vertex shaders use samplers from 16 on */
	bench_begin("gc3000", GC_STAGE_VS);
	bench_fill(3, 1, 5.0f, 0.0f);
	ASM(OP(ISA_TEXLDL), D(2, "xyzw"), TEX(17, "xyzw"), S0(T(1, "xyzw")), S1(T(3, "yyyy")));
	CHECK(bench_run());
	CHECK_EQ(bench.request.mode, GC_TEX_LOD);
	CHECK_EQ(bench.request.sampler, 17);
	CHECK(!bench.request.pixel_stage);
	CHECK(!bench.request.shadow);
	CHECK_EQ(bench_f(2, 3, 7) == 5.0f, 1);

	/* gradients */
	t4 = bench.batch.temp[4].c;
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_TEXLDD), D(2, "xyzw"), TEX(0, "xyzw"), S0(T(1, "xyyy")), S1(T(4, "xyzz")),
	    S2(T(4, "zwww")));
	CHECK(bench_run());
	CHECK_EQ(bench.request.mode, GC_TEX_GRADIENT);
	CHECK(!bench.request.shadow);
	CHECK(bench.request.ddx[1] == &t4[1]);
	CHECK(bench.request.ddy[0] == &t4[2]);
	CHECK(bench.request.ddy[1] == &t4[3]);

	/* depth compare */
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_TEXLD), D(2, "x"), TEX(0, "xxxx"), S0(T(1, "xyyy")), S2(T(4, "zzzz")));
	CHECK(bench_run());
	CHECK(bench.request.shadow);
	CHECK(bench.request.reference == &t4[2]);
	CHECK_EQ(bench.request.mode, GC_TEX_IMPLICIT);
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_TEXLDLPCF), D(2, "x"), TEX(0, "xxxx"), S0(T(1, "xyyy")), S1(T(4, "xxxx")),
	    S2(T(4, "yyyy")));
	CHECK(bench_run());
	CHECK(bench.request.shadow);
	CHECK(bench.request.lod == &t4[0]);
	CHECK(bench.request.reference == &t4[1]);

	/* texel fetch */
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_TXF), D(2, "xyzw"), TEX(2, "xyzw"), S0(T(1, "xyzw")), S2(IMM_U(0x1100)));
	CHECK(bench_run());
	CHECK_EQ(bench.request.mode, GC_TEX_FETCH);
	CHECK(!bench.request.shadow);
	CHECK(bench.request.lod == bench.request.coord[3]);
}

TEST(texture_in_a_branch)
{
	bench_begin("gc3000", GC_STAGE_PS);
	number_lanes();
	bench_fill(3, 0, 1.0f, 1.0f);
	ASM(OP(ISA_BRANCH), COND(ISA_COND_GE), TYPE(ISA_U32), S0(T(1, "xxxx")), S1(IMM_U(12)),
	    TO(2));
	ASM(OP(ISA_TEXLD), SAT, D(3, "x"), TEX(0, "xyzw"), S0(NEG(T(3, "xxxx"))));
	ASM(OP(ISA_NOP));
	CHECK(bench_run());
	CHECK_EQ(bench.request.live, 0xfff);
	CHECK_EQ(bench.cost.texlds, 12);
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_f(3, 0, i) == (i < 12 ? -1.0f : 1.0f) * (1.0f + (float)i), 1);
}

TEST(indexed_sampler)
{
	bench_begin("gc3000", GC_STAGE_PS);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(1, 0)->u[i] = i / 4 % 3;
	ASM(OP(ISA_MOVAI), TYPE(ISA_U32), D(0, "y"), S2(T(1, "xxxx")));
	ASM(OP(ISA_TEXLD), D(2, "xyzw"), TEX(5, "xyzw"), .tex_amode = 2, S0(T(1, "xyyy")));
	CHECK(bench_run());
	CHECK_EQ(bench.requests, 3);
	CHECK_EQ(bench.cost.texlds, 64);
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_f(2, 2, i) == 5.0f + (float)(i / 4 % 3), 1);
}

TEST(partial_batch)
{
	bench_begin("gc3000", GC_STAGE_VS);
	bench.batch.live = 0x1fff;
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(5)));
	CHECK(bench_run());
	for (unsigned int i = 0; i < 13; i++)
		CHECK_EQ(bench_u(2, 0, i), 5);
	CHECK_EQ(bench.cost.instructions, 13);
	bench_begin("gc3000", GC_STAGE_VS);
	bench.batch.live = 0;
	ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(5)));
	CHECK(bench_run());
	CHECK_EQ(bench.cost.instructions, 0);
}

static void abort_at_third_yield(void *ctx)
{
	struct bench *b = ctx;

	b->gc.abort = ++b->yields == 3;
}

TEST(endless_loop)
{
	/* ends after a limit, and serves register accesses meanwhile */
	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_BRANCH), TO(0));
	CHECK(bench_run());
	CHECK_EQ(bench.yields, LIMIT_INSTRUCTIONS / YIELD_INSTRUCTIONS);
	/* a reset ends it at once */
	bench_begin("gc3000", GC_STAGE_PS);
	bench.gc.host.yield = abort_at_third_yield;
	ASM(OP(ISA_BRANCH), TO(0));
	CHECK(bench_run());
	CHECK_EQ(bench.yields, 3);
	CHECK_EQ(bench.cost.instructions, 3 * YIELD_INSTRUCTIONS * 64);
}

TEST(all_lanes_apart)
{
	/* each lane jumps to a different address: 64 groups of lanes */
	bench_begin("gc3000", GC_STAGE_VS);
	number_lanes();
	for (unsigned int i = 0; i < GC_LANES; i++)
		ASM(OP(ISA_BRANCH), COND(ISA_COND_EQ), TYPE(ISA_U32), S0(T(1, "xxxx")),
		    S1(IMM_U(i)), TO(64 + 2 * (63 - i)));
	for (unsigned int i = 0; i < GC_LANES; i++) {
		ASM(OP(ISA_MOV), D(2, "x"), S2(IMM_U(1000 + 63 - i)));
		ASM(OP(ISA_BRANCH), TO(192));
	}
	ASM(OP(ISA_MOV), D(2, "y"), S2(T(2, "xxxx")));
	CHECK(bench_run());
	for (unsigned int i = 0; i < GC_LANES; i++)
		CHECK_EQ(bench_u(2, 1, i), 1000 + i);
	CHECK_EQ(bench.cost.instructions, 64 * 65 / 2 + 2 * 64 + 64);
}

int main(void)
{
	return test_all();
}
