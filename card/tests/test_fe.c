// SPDX-License-Identifier: MIT
/* The front end: commands, loops, events, stalls, time. */
#include "fe_bench.h"
#include "fe_fakes.h"

#define US 1000ull

static struct bench b;

/* What a driver does from power-on to the first finished job, MMUv2 included. */
TEST(boots_and_runs_a_nop_job)
{
	uint32_t master = BENCH_BASE + 0x10000, slave = master + 0x1000, wait;
	uint32_t config;

	bench_open(&b);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x300);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x80100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x81100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x80100);
	gc_write(b.gc, HI_CLOCK_CONTROL, 0x100);
	CHECK(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE);
	CHECK_EQ(gc_read(b.gc, HI_CLOCK_CONTROL), 0x100 | HI_CLOCK_IDLE_3D | HI_CLOCK_IDLE_2D);
	gc_write(b.gc, HI_INTR_ENABLE, ~0u);

	bench_state(&b, VIVS_GL_PIPE_SELECT, 0);
	bench_state(&b, MMUV2_CONFIGURATION, master);
	bench_state(&b, MMUV2_SAFE_ADDRESS, BENCH_BASE + 0x3000);
	bench_state(&b, VIVS_GL_SEMAPHORE_TOKEN, 0x701);
	bench_emit2(&b, VIV_FE_STALL_HEADER_OP_STALL, 0x701);
	bench_end(&b);
	bench_start(&b, BENCH_BASE, 6);
	bench_run(&b, 100 * US);
	CHECK_EQ(gc_read(b.gc, HI_IDLE_STATE), HI_IDLE_ALL);
	CHECK_EQ(gc_read(b.gc, VIVS_FE_DMA_ADDRESS), b.at);

	/* 4 MiB at 0x80000000 are the guest's first pages */
	bench_poke(&b, master + 4 * (0x80000000u >> 22), slave | 1);
	for (unsigned int page = 0; page < 16; page++)
		bench_poke(&b, slave + 4 * page, (BENCH_BASE + page * 4096) | 5);
	gc_write(b.gc, MMUV2_CONTROL, MMUV2_CONTROL_ENABLE);
	CHECK_EQ(gc_read(b.gc, MMUV2_CONTROL), 1);

	b.at = BENCH_BASE + 0x1000;
	bench_emit2(&b, VIV_FE_WAIT_HEADER_OP_WAIT | 200, 0);
	bench_link(&b, 2, 0x80001000);
	bench_start(&b, 0x80001000, 2);
	bench_run(&b, 100 * US);
	CHECK(gc_is_polling(b.gc));
	CHECK(!(gc_read(b.gc, HI_IDLE_STATE) & HI_IDLE_FE));

	config = b.at; /* the job: NOP, event, next loop */
	bench_emit2(&b, VIV_FE_NOP_HEADER_OP_NOP, 0);
	bench_event(&b, 3, VIVS_GL_EVENT_FROM_PE);
	wait = b.at;
	bench_emit2(&b, VIV_FE_WAIT_HEADER_OP_WAIT | 200, 0);
	bench_link(&b, 2, wait - BENCH_BASE + 0x80000000u);
	bench_poke(&b, BENCH_BASE + 0x1004, config - BENCH_BASE + 0x80000000u);
	CHECK(gc_poll(b.gc));
	bench_poke(&b, BENCH_BASE + 0x1000, VIV_FE_LINK_HEADER_OP_LINK | 4);
	bench_run(&b, 100 * US);
	CHECK(b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 1u << 3);
	CHECK(!b.irq);
	CHECK_EQ(gc_read(b.gc, HI_INTR_ACKNOWLEDGE), 0);
	CHECK(gc_is_polling(b.gc));
	CHECK_EQ(gc_read(b.gc, MMUV2_STATUS), 0);
	CHECK(bench_close(&b));
}

int main(void)
{
	RUN(boots_and_runs_a_nop_job);
	return test_end();
}
