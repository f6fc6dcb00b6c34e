// SPDX-License-Identifier: MIT
/* Reservations of a shared resource, and the memory that is one: times computed by hand. */
#include "check.h"
#include "clock/memory.h"
#include "clock/resource.h"

TEST(work_follows_work)
{
	struct gpu_resource r;

	gpu_resource_reset(&r, 100);
	CHECK_EQ(gpu_resource_reserve(&r, 100, 10), 110);
	CHECK_EQ(gpu_resource_reserve(&r, 100, 5), 115);
	CHECK_EQ(gpu_resource_reserve(&r, 200, 0), 200); /* nothing takes no time */
	CHECK_EQ(gpu_resource_reserve(&r, 100, 5), 120);
}

/*
 * Work that arrived while the resource was idle is done in its gaps, in several if necessary. What
 * lies before it in a gap is lost.
 */
TEST(idle_time_is_used_later)
{
	struct gpu_resource r;

	gpu_resource_reset(&r, 0);
	CHECK_EQ(gpu_resource_reserve(&r, 10, 10), 20); /* idle 0 to 10 */
	CHECK_EQ(gpu_resource_reserve(&r, 30, 10), 40); /* and 20 to 30 */
	CHECK_EQ(gpu_resource_reserve(&r, 4, 3), 7);    /* 4 to 7; 0 to 4 is lost */
	CHECK_EQ(gpu_resource_reserve(&r, 0, 8), 25);   /* 7 to 10, 20 to 25 */
	CHECK_EQ(gpu_resource_reserve(&r, 0, 7), 42);   /* 25 to 30, 40 to 42 */
	CHECK_EQ(gpu_resource_reserve(&r, 41, 1), 43);
}

TEST(old_idle_time_is_dropped)
{
	struct gpu_resource r;

	gpu_resource_reset(&r, 0);
	for (uint64_t i = 1; i <= GPU_RESOURCE_GAPS + 1; i++)
		gpu_resource_reserve(&r, 10 * i, 5);
	/* the gap from 0 to 10 was dropped, that from 15 to 20 was not */
	CHECK_EQ(gpu_resource_reserve(&r, 0, 1), 16);
}

static const struct gpu_memory_params simple = {
	.line = 8, .page = 20, .turn = 12, .burst_lines = 4
};

static struct gpu_memory_request request(uint64_t lines, uint64_t pages)
{
	return (struct gpu_memory_request){
		.bytes = lines * GPU_MEMORY_LINE_BYTES,
		.pages = pages,
	};
}

TEST(pages_and_lines_cost)
{
	const struct gpu_memory_request r = request(10, 0), p = request(10, 3),
					none = request(0, 0);
	struct gpu_memory m = { 0 };

	gpu_memory_reset(&m, &simple, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 0, &r), 80);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 80, &p), 80 + 80 + 60);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 17, &none), 17);
	CHECK_EQ(gpu_memory_pages(0, 13), 0);
	CHECK_EQ(gpu_memory_pages(1, 13), 1);
	CHECK_EQ(gpu_memory_pages(GPU_MEMORY_PAGE_BYTES + 1, 13), 2);
}

/* Two clients at the same time change turns after each four lines of the shorter request. */
TEST(clients_disturb_each_other)
{
	const struct gpu_memory_request ten = request(10, 0), nine = request(9, 0);
	struct gpu_memory m = { 0 };

	gpu_memory_reset(&m, &simple, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 0, &ten), 80);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_TX, 40, &nine), 80 + 72 + 2 * 12);
	/* later they do not */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 1000, &ten), 1080);
}

/* Waits are all times of requests but the transfer of their own lines. */
TEST(waits_are_counted)
{
	const struct gpu_memory_request reads = request(9, 0);
	struct gpu_memory_request writes = request(10, 0), both = request(5, 1);
	struct gpu_memory m = { 0 };

	writes.written_bytes = writes.bytes;
	both.written_bytes = GPU_MEMORY_LINE_BYTES;
	gpu_memory_reset(&m, &simple, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 0, &writes), 80);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_WRITE), 0);
	/* 40 for the other client and two changes of turns */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_TX, 40, &reads), 176);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 40 + 2 * 12);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_WRITE), 0);
	/* three pages */
	writes.pages = 3;
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 1000, &writes), 1140);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_WRITE), 60);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 64);
	/* the page of a request that reads and writes */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_RA, 2000, &both), 2060);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_WRITE), 60 + 20);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 64 + 20);
	gpu_memory_reset(&m, &simple, 5000);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 0);
}

/* While one request to read is transferred another one waits, but reading does not. */
TEST(no_time_counts_twice)
{
	const struct gpu_memory_request ten = request(10, 0), one = request(1, 0);
	struct gpu_memory m = { 0 };

	gpu_memory_reset(&m, &simple, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_FE, 20, &ten), 100);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_TX, 20, &ten), 180 + 2 * 12);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 2 * 12);
	/* found late, and done in the idle time before */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_SH, 0, &one), 8);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 2 * 12);
}

/* Of each 100 ticks refresh takes 30, or scan-out 50; a request of 80 ticks waits for them. */
TEST(requests_wait_for_the_background)
{
	struct gpu_memory_params p = simple;
	const struct gpu_memory_request r = request(10, 0);
	struct gpu_memory m = { 0 };

	p.refresh_interval = 100;
	p.refresh_time = 30;
	gpu_memory_reset(&m, &p, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 40, &r), 120 + 30);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 30);
	gpu_memory_reset(&m, &simple, 0);
	gpu_memory_set_scanout(&m, 100, 50);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 0, &r), 80 + 100);
	CHECK_EQ(gpu_memory_waited(&m, GPU_MEMORY_READ), 100);
}

/*
 * Refresh takes 30 of 100 ticks; refreshes in idle time delay no request, but for the last one
 * before a request, which delays it by all of its 30 ticks.
 */
TEST(refresh_takes_its_time)
{
	struct gpu_memory_params p = simple;
	const struct gpu_memory_request r = request(10, 0);
	struct gpu_memory m = { 0 };

	p.refresh_interval = 100;
	p.refresh_time = 30;
	gpu_memory_reset(&m, &p, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 0, &r), 80);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 80, &r), 160 + 30);    /* at 100 */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 190, &r), 270 + 30);   /* at 200 */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 1010, &r), 1090 + 60); /* at 1000 and 1100 */
}

TEST(scan_out_takes_its_time)
{
	const struct gpu_memory_request r = request(10, 0);
	struct gpu_memory m = { 0 };

	gpu_memory_reset(&m, &simple, 0);
	gpu_memory_set_scanout(&m, 100, 50);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 0, &r), 80 + 100); /* at 0 and 100 */
	gpu_memory_set_scanout(&m, 0, 0);
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 180, &r), 260);
	gpu_memory_set_scanout(&m, 80, 1000); /* an eighth is left: 70 of 80 */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 260, &r), 340 + 8 * 70);
}

/*
 * Other bus masters change the cost of requests by up to a tenth, for 1000 ticks at a time; the
 * mean is unchanged.
 */
TEST(others_load_the_memory)
{
	struct gpu_memory_params p = simple;
	const struct gpu_memory_request r = request(100, 0);
	uint64_t lowest = UINT64_MAX, highest = 0, sum = 0;
	struct gpu_memory m = { 0 };

	p.seed = 1;
	p.spread = 10;
	p.spread_time = 1000;
	gpu_memory_reset(&m, &p, 0);
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t at = 2000 * i, time = gpu_memory_serve(&m, GPU_MEMORY_PE, at, &r) - at;

		if (i % 2) /* in the same 1000 ticks: the same load */
			CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, at + 900, &r) - at - 900,
				 time);
		lowest = time < lowest ? time : lowest;
		highest = time > highest ? time : highest;
		sum += time;
	}
	CHECK(lowest >= 720 && lowest < 740);
	CHECK(highest <= 880 && highest > 860);
	CHECK_NEAR((double)sum / 1000, 800, 4);
	p.seed = 0; /* exact */
	CHECK_EQ(gpu_memory_serve(&m, GPU_MEMORY_PE, 5000000, &r), 5000800);
}

/* With jitter the first refresh after a reset comes at any time of its interval. */
TEST(refresh_has_a_phase)
{
	struct gpu_memory_params p = simple;
	struct gpu_memory m = { 0 };
	uint64_t sum = 0;

	p.refresh_interval = 100;
	p.refresh_time = 30;
	for (p.seed = 1; p.seed <= 1000; p.seed++) {
		gpu_memory_reset(&m, &p, 5000);
		CHECK(m.refresh.next > 5000 && m.refresh.next <= 5100);
		sum += m.refresh.next - 5000;
	}
	CHECK_NEAR((double)sum / 1000, 50, 5);
}

int main(void)
{
	return test_all();
}
