// SPDX-License-Identifier: MIT
/*
 * power: the core sleeps and wakes up. Runs in the guest as root.
 *
 *	power runtime	sleeps when idle, wakes for a job; its clock stands still
 *	power wrap	an idle core that may not sleep counts its cycles over a wrap; like
 *			"clock" to 1 %, in virtual time (tests/kernel/run)
 *	power system	system sleep while jobs run and wait
 *	power clock	the core's clock is divided and goes back; a divider that is set
 *			while the core sleeps counts when it has woken up, which resets it
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"

/*
 * A job of 50 flushes, each waited for, takes about 0.4 ms, and 100 times as long with SLOWER, a
 * command to the card; "slow 100" is its modelled speed again.
 */
#define FLUSHES 50
#define SLOWER "slow 10000"
#define JOBS 60
/* More than two wraps of 32 bit at the card's 528 MHz */
#define WRAP_SECONDS 20
#define SCALE_FILE "/sys/kernel/debug/dri/128/clock_scale"
/* The clock can be divided by 2 to the power of at most this. */
#define MAX_SCALE 6

static bool wait_suspended(void)
{
	for (int i = 0; i < 100 && !is_suspended(); i++)
		usleep(50000);
	return is_suspended();
}

static struct drm_vivgpu_get_time get_time(int gpu)
{
	struct drm_vivgpu_get_time time = { 0 };

	check(call(gpu, DRM_IOCTL_VIVGPU_GET_TIME, &time) == 0, "ask for the time");
	return time;
}

static void run_one(int gpu, uint32_t queue, uint32_t sync)
{
	check(submit_nop(gpu, queue, 0, sync) == 0 && wait_sync(gpu, sync, 5) == 0, "a job runs");
}

static void test_runtime(void)
{
	int gpu = open_gpu();
	uint32_t queue = make_queue(gpu), sync = 0;
	struct drm_vivgpu_get_time before, asleep, later, after;
	uint64_t busy, cycles;

	drmSyncobjCreate(gpu, 0, &sync);
	for (int i = 0; i < 3; i++) {
		run_one(gpu, queue, sync);
		check(!is_suspended(), "the core is awake after it");
		before = get_time(gpu);
		busy = fdinfo(gpu, "drm-engine-3d");
		cycles = fdinfo(gpu, "drm-cycles-3d");
		check(wait_suspended(), "the core sleeps when there is nothing to do");

		asleep = get_time(gpu);
		usleep(100000);
		later = get_time(gpu);
		check(asleep.gpu_cycles >= before.gpu_cycles, "the clock did not jump back");
		check(later.gpu_cycles == asleep.gpu_cycles, "the clock of a sleeping core stands");
		check(later.cpu_ns > asleep.cpu_ns, "the processor's does not");
		check(fdinfo(gpu, "drm-engine-3d") == busy &&
			      fdinfo(gpu, "drm-cycles-3d") == cycles,
		      "sleep is not use");
		check(is_suspended(), "nobody was woken by looking");

		run_one(gpu, queue, sync);
		after = get_time(gpu);
		check(after.gpu_cycles > later.gpu_cycles, "the clock goes on");
		/* 528 MHz times the time awake, with a large margin for a slow host */
		check(after.gpu_cycles - later.gpu_cycles < 1ull << 32, "by no wrap");
	}
	close(gpu);
}

static void test_wrap(void)
{
	struct drm_vivgpu_get_param clock = { .param = DRM_VIVGPU_PARAM_CORE_CLOCK };
	struct drm_vivgpu_get_time before, after;
	uint64_t expected, counted;
	int gpu = open_gpu();

	check(call(gpu, DRM_IOCTL_VIVGPU_GET_PARAM, &clock) == 0 && clock.value, "clock known");
	check(let_sleep(false), "the core may not sleep");
	before = get_time(gpu);
	sleep(WRAP_SECONDS);
	after = get_time(gpu);
	expected = (double)(after.cpu_ns - before.cpu_ns) * clock.value / 1e9;
	counted = after.gpu_cycles - before.gpu_cycles;
	check(counted > 2ull << 32, "the counter wrapped twice");
	check(counted > expected * 0.99 && counted < expected * 1.01,
	      "%llu cycles counted, %llu expected", (unsigned long long)counted,
	      (unsigned long long)expected);
	check(let_sleep(true), "the core may sleep");
	close(gpu);
}

/* Cycles in 10 ms of an idle core that is awake: those of the divided clock, within 1 % */
static void check_speed(int gpu, uint64_t hz, unsigned int scale)
{
	struct drm_vivgpu_get_time before = get_time(gpu), after;
	uint64_t expected, counted;

	usleep(10000);
	after = get_time(gpu);
	expected = (double)(after.cpu_ns - before.cpu_ns) * (hz >> scale) / 1e9;
	counted = after.gpu_cycles - before.gpu_cycles;
	check(counted > expected * 0.99 && counted < expected * 1.01,
	      "divided by %u: %llu cycles counted, %llu expected", 1u << scale,
	      (unsigned long long)counted, (unsigned long long)expected);
}

static bool set_scale(unsigned int scale)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", scale);
	return write_file(SCALE_FILE, text) == 0;
}

static void test_clock(void)
{
	struct drm_vivgpu_get_param clock = { .param = DRM_VIVGPU_PARAM_CORE_CLOCK };
	uint32_t queue, sync = 0;
	int gpu = open_gpu();

	queue = make_queue(gpu);
	drmSyncobjCreate(gpu, 0, &sync);
	check(call(gpu, DRM_IOCTL_VIVGPU_GET_PARAM, &clock) == 0 && clock.value, "clock known");
	check(let_sleep(false), "the core may not sleep");
	run_one(gpu, queue, sync);
	check_speed(gpu, clock.value, 0);
	for (unsigned int scale = 1; scale <= MAX_SCALE; scale++) {
		check(set_scale(scale), "another divider");
		check_speed(gpu, clock.value, scale);
	}
	check(!set_scale(MAX_SCALE + 1), "a seventh is refused");
	check(let_sleep(true) && wait_suspended(), "the core sleeps");
	check(set_scale(2), "the divider of a core that sleeps");
	check(let_sleep(false), "it may not sleep");
	run_one(gpu, queue, sync);
	check_speed(gpu, clock.value, 2);
	check(set_scale(0), "full speed");
	check_speed(gpu, clock.value, 0);
	check(let_sleep(true), "it may sleep");
	close(gpu);
}

static void test_system(void)
{
	static uint32_t words[FLUSHES * FLUSH_WORDS];
	int gpu = open_gpu(), error = 0;
	uint32_t queue = make_queue(gpu), syncs[JOBS];
	uint64_t done;
	bool good = true;

	for (int i = 0; i < FLUSHES; i++)
		put_flush(words + FLUSH_WORDS * i);
	check(card(SLOWER), "jobs take their time");
	for (int i = 0; i < JOBS && !error; i++) {
		drmSyncobjCreate(gpu, 0, &syncs[i]);
		error = submit(gpu, queue, words, sizeof(words), 0, syncs[i]);
	}
	check(error == 0, "many jobs");
	check(write_file("/sys/power/pm_test", "devices") == 0, "only devices sleep");
	check(write_file("/sys/module/suspend/parameters/pm_test_delay", "1") == 0, "for a second");
	check(write_file("/sys/power/state", "mem") == 0, "sleep");
	done = fdinfo(gpu, "vivgpu-jobs-3d");
	check(done > 0 && done < JOBS, "%llu jobs were done before", (unsigned long long)done);
	check(card("slow 100"), "faster");
	for (int i = 0; i < JOBS; i++)
		good &= wait_sync(gpu, syncs[i], 20) == 0;
	check(good && fdinfo(gpu, "vivgpu-jobs-3d") == JOBS, "the others are done after it");
	write_file("/sys/power/pm_test", "none");
	close(gpu);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "runtime") == 0) {
		test_runtime();
	} else if (strcmp(what, "wrap") == 0) {
		test_wrap();
	} else if (strcmp(what, "system") == 0) {
		test_system();
	} else if (strcmp(what, "clock") == 0) {
		test_clock();
	} else {
		fprintf(stderr, "usage: power runtime | wrap | system | clock\n");
		return 2;
	}
	return end_checks();
}
