// SPDX-License-Identifier: MIT
/* Shader programs as a whole: write masks, control flow, kills, textures, costs. */
#include "check.h"
#include "shader_bench.h"

TEST(triangle)
{
	/* what a first triangle needs: a transformed position and a textured colour */
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

			CHECK_EQ(bench_f(1, c, i) == k * x + (1 + k) * y + (2 + k) * z + (3 + k), 1);
			CHECK_EQ(bench_u(2, 3 - c, i), bench_u(1, c, i));
		}
	}
	CHECK_EQ(bench.cost.instructions, 5 * 64);

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

int main(void)
{
	RUN(triangle);
	return test_end();
}
