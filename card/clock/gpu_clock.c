// SPDX-License-Identifier: MIT
/*
 * Conversion between card time and modelled cycles. The base is moved at each change of
 * frequency, hold and release, so that cycles never decrease. Products of nanoseconds and hertz
 * are computed in 128 bits.
 */
#include "clock/gpu_clock.h"

#include "clock/clock.h"

#define NS_PER_SECOND 1000000000ull

/* Cycles without the limit of a held counter. */
static uint64_t free_running(const struct gpu_clock *gpu, uint64_t now_ns)
{
	uint64_t elapsed = now_ns > gpu->base_ns ? now_ns - gpu->base_ns : 0;

	return gpu->base_cycles + (uint64_t)((unsigned __int128)elapsed * gpu->hz / NS_PER_SECOND);
}

static void rebase(struct gpu_clock *gpu, uint64_t now_ns)
{
	gpu->base_cycles = gpu_clock_cycles(gpu, now_ns);
	if (now_ns > gpu->base_ns)
		gpu->base_ns = now_ns;
}

void gpu_clock_init(struct gpu_clock *gpu, uint64_t now_ns, uint64_t hz)
{
	*gpu = (struct gpu_clock){ .base_ns = now_ns, .hz = hz };
}

uint64_t gpu_clock_cycles(const struct gpu_clock *gpu, uint64_t now_ns)
{
	uint64_t cycles = free_running(gpu, now_ns);

	if (gpu->held && cycles > gpu->limit)
		cycles = gpu->limit;
	return cycles;
}

uint64_t gpu_clock_ns_at(const struct gpu_clock *gpu, uint64_t now_ns, uint64_t cycles)
{
	uint64_t now_cycles = gpu_clock_cycles(gpu, now_ns);
	unsigned __int128 ns;

	if (cycles <= now_cycles)
		return now_ns;
	if (!gpu->hz)
		return CARD_TIME_NEVER;
	if (now_cycles < free_running(gpu, now_ns)) {
		/* held below card time: count from now, as after a release */
		ns = ((unsigned __int128)(cycles - now_cycles) * NS_PER_SECOND + gpu->hz - 1) /
		     gpu->hz;
		ns += now_ns;
	} else {
		/* count from the base, so that rounding errors do not accumulate */
		ns = ((unsigned __int128)(cycles - gpu->base_cycles) * NS_PER_SECOND + gpu->hz -
		      1) /
		     gpu->hz;
		ns += gpu->base_ns;
	}
	return ns < CARD_TIME_NEVER ? (uint64_t)ns : CARD_TIME_NEVER;
}

void gpu_clock_set_hz(struct gpu_clock *gpu, uint64_t now_ns, uint64_t hz)
{
	rebase(gpu, now_ns);
	gpu->hz = hz;
}

void gpu_clock_hold(struct gpu_clock *gpu, uint64_t now_ns, uint64_t frontier)
{
	uint64_t now_cycles = gpu_clock_cycles(gpu, now_ns);

	if (!gpu->held)
		rebase(gpu, now_ns);
	gpu->held = true;
	gpu->limit = frontier > now_cycles ? frontier : now_cycles;
}

/* The base becomes the held value, so it is moved before the counter is released. */
void gpu_clock_release(struct gpu_clock *gpu, uint64_t now_ns)
{
	if (!gpu->held)
		return;
	rebase(gpu, now_ns);
	gpu->held = false;
}
