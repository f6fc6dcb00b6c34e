// SPDX-License-Identifier: MIT
/*
 * Speed of the shader core: millions of instructions times lanes per second, for several kinds
 * of programs. Prints a table; not a test. The texture unit is a fake.
 */
#include <stdio.h>
#include <time.h>

#include "shader_bench.h"

#define RUNS 20000

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const char *name)
{
	double start, best = 1e9;
	uint64_t instructions;

	if (!bench_run()) {
		printf("%-20s refused: %s\n", name, bench.shader->error);
		return;
	}
	instructions = bench.cost.instructions;
	for (unsigned int round = 0; round < 5; round++) {
		start = seconds();
		for (unsigned int n = 0; n < RUNS; n++)
			bench_shader_run(&bench.gc, bench.shader, &bench.batch, &bench.cost);
		start = seconds() - start;
		best = start < best ? start : best;
	}
	printf("%-20s %8.0f Mlane-instructions/s %8.1f ns/batch\n", name,
	       (double)instructions * RUNS / best * 1e-6, best / RUNS * 1e9);
}

/* A vertex: position by a matrix, a normal by another, one light. */
static void lighting(void)
{
	for (unsigned int m = 0; m < 2; m++) {
		ASM(OP(ISA_MUL), D(3 + m, "xyzw"), S0(U(4 * m, "xyzw")), S1(T(m, "xxxx")));
		for (unsigned int i = 1; i < 4; i++)
			ASM(OP(ISA_MAD), D(3 + m, "xyzw"), S0(U(4 * m + i, "xyzw")),
			    S1(T(m, "yyyy")), S2(T(3 + m, "xyzw")));
	}
	ASM(OP(ISA_DP3), D(5, "x"), S0(T(4, "xyzz")), S1(T(4, "xyzz")));
	ASM(OP(ISA_RSQ), D(5, "x"), S2(T(5, "xxxx")));
	ASM(OP(ISA_MUL), D(4, "xyz"), S0(T(4, "xyzz")), S1(T(5, "xxxx")));
	ASM(OP(ISA_DP3), D(5, "x"), S0(T(4, "xyzz")), S1(U(9, "xyzz")));
	ASM(OP(ISA_SELECT), COND(ISA_COND_LT), D(5, "x"), S0(T(5, "xxxx")), S1(IMM_F(0.0f)),
	    S2(T(5, "xxxx")));
	ASM(OP(ISA_MUL), D(6, "xyzw"), S0(U(10, "xyzw")), S1(T(5, "xxxx")));
	ASM(OP(ISA_ADD), SAT, D(6, "xyz"), S0(T(6, "xyzz")), S2(U(11, "xyzz")));
}

int main(void)
{
	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < 100; i++)
		ASM(OP(ISA_MAD), D(1 + i % 4, "xyzw"), S0(T(6, "xyzw")), S1(T(7, "xyzw")),
		    S2(U(0, "xyzw")));
	measure("mad vec4");

	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < 100; i++)
		ASM(OP(ISA_ADD), D(1 + i % 4, "x"), S0(T(6, "xxxx")), S2(NEG(T(7, "yyyy"))));
	measure("add scalar");

	bench_begin("gc3000", GC_STAGE_VS);
	lighting();
	measure("lighting");

	bench_begin("gc3000", GC_STAGE_VS);
	bench.batch.live = 0xffff;
	lighting();
	measure("lighting, 16 lanes");

	bench_begin("gc3000", GC_STAGE_VS);
	for (unsigned int i = 0; i < 25; i++) {
		ASM(OP(ISA_SIN), D(1, "xy"), S2(T(0, "xxxx")));
		ASM(OP(ISA_LOG), D(2, "xy"), S2(T(0, "yyyy")));
		ASM(OP(ISA_EXP), D(3, "x"), S2(T(0, "zzzz")));
		ASM(OP(ISA_RSQ), D(4, "x"), S2(T(0, "wwww")));
	}
	measure("transcendental");

	bench_begin("gc3000", GC_STAGE_PS);
	for (unsigned int i = 0; i < GC_LANES; i++)
		bench_lanes(0, 0)->u[i] = i % 16;
	ASM(OP(ISA_ADD), TYPE(ISA_S32), D(1, "x"), S0(T(1, "xxxx")), S2(IMM_S(1)));
	ASM(OP(ISA_MAD), D(2, "xyzw"), S0(T(3, "xyzw")), S1(T(4, "xyzw")), S2(T(2, "xyzw")));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_LT), TYPE(ISA_U32), S0(T(1, "xxxx")), S1(T(0, "xxxx")),
	    TO(0));
	ASM(OP(ISA_MOV), D(1, "x"), S2(IMM_F(0.0f)));
	measure("divergent loop");

	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_ADD), TYPE(ISA_S32), D(1, "x"), S0(T(1, "xxxx")), S2(IMM_S(1)));
	ASM(OP(ISA_MAD), D(2, "xyzw"), S0(T(3, "xyzw")), S1(T(4, "xyzw")), S2(T(2, "xyzw")));
	ASM(OP(ISA_BRANCH), COND(ISA_COND_LT), TYPE(ISA_U32), S0(T(1, "xxxx")), S1(IMM_U(30)),
	    TO(0));
	ASM(OP(ISA_MOV), D(1, "x"), S2(IMM_F(0.0f)));
	measure("uniform loop");

	bench_begin("gc3000", GC_STAGE_PS);
	ASM(OP(ISA_MOV), D(0, "xyzw"), S2(T(1, "xyzw")));
	measure("one mov");
	gc_shader_destroy(bench.shader);
	return 0;
}
