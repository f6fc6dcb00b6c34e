// SPDX-License-Identifier: MIT
/**
 * TEST: vivgpu query
 * Description: Calls that only read: parameters, clocks, resets
 * Category: Core
 * Mega feature: General Core features
 * Sub-category: uapi
 */
#include "igt.h"
#include "igt_vivgpu.h"

#include <errno.h>

#define UNKNOWN 0xffff

static void params(int fd)
{
	igt_assert_lt_u64(0, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MODEL));
	igt_assert_lt_u64(0, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_FEATURES_0));
	igt_assert_lt_u64(0, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK));
	igt_assert_lte_u64(1, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_TIME_QUANTUM));
	igt_assert_eq_u64(igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CYCLE_BITS), 32);
	igt_assert_lte_u64(1, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_POINTS));
	igt_assert_lte_u64(4096, igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_MAX_STREAM));
}

/*
 * All but what is measured and, with a display, the time of its next blanking. BLOCKING and
 * MAX_PIECE change only when queues with a budget come and go, which none does here.
 */
static bool is_constant(uint32_t param)
{
	return param != DRM_VIVGPU_PARAM_TIME_UNCERTAINTY && param != DRM_VIVGPU_PARAM_NEXT_VBLANK;
}

/*
 * Each parameter number is refused, or has a value, which is the same at the next read if it is
 * constant.
 */
static void params_are_constant(int fd)
{
	for (uint32_t param = 0; param < 256; param++) {
		struct drm_vivgpu_get_param a = { .param = param }, b = a;
		int ret = __igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &a);

		igt_assert(ret == 0 || ret == -EINVAL);
		igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &b), ret);
		if (ret == 0 && is_constant(param))
			igt_assert_eq_u64(a.value, b.value);
	}
}

static void bad_params(int fd)
{
	struct drm_vivgpu_get_param unknown = { .param = UNKNOWN };
	struct drm_vivgpu_get_param pad = { .param = DRM_VIVGPU_PARAM_MODEL, .pad = 1 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &unknown), -EINVAL);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &pad), -EINVAL);
}

/*
 * The GPU's clock runs at most 5 % faster than the parameter reports; it stands while the GPU
 * sleeps.
 */
static void time_goes_on(int fd)
{
	struct drm_vivgpu_get_time a = { 0 }, b = { 0 };
	uint64_t clock = igt_vivgpu_param(fd, DRM_VIVGPU_PARAM_CORE_CLOCK), expected;
	int64_t before = igt_vivgpu_now();

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_TIME, &a), 0);
	igt_vivgpu_sleep(IGT_VIVGPU_SECOND / 2);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_TIME, &b), 0);
	igt_assert_lte_u64(before, a.cpu_ns);
	igt_assert_lt_u64(a.cpu_ns, b.cpu_ns);
	igt_assert_lte_u64(b.cpu_ns, igt_vivgpu_now());
	igt_assert_lt_u64(0, a.uncertainty_ns);
	igt_assert_lt_u64(a.uncertainty_ns, IGT_VIVGPU_SECOND);

	expected = (b.cpu_ns - a.cpu_ns) * (clock / 1000) / 1000000;
	igt_info("%llu cycles in %llu ns\n", (unsigned long long)(b.gpu_cycles - a.gpu_cycles),
		 (unsigned long long)(b.cpu_ns - a.cpu_ns));
	igt_assert_lte_u64(b.gpu_cycles - a.gpu_cycles, expected + expected / 20);
}

/* The GPU may sleep while it is idle, but its clock never decreases. */
static void time_is_monotonic(int fd)
{
	struct drm_vivgpu_get_time last = { 0 }, now = { 0 };

	for (int i = 0; i < 1000; i++) {
		igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_TIME, &now), 0);
		igt_assert_lte_u64(last.cpu_ns, now.cpu_ns);
		igt_assert_lte_u64(last.gpu_cycles, now.gpu_cycles);
		last = now;
	}
}

static void time_flags(int fd)
{
	for (unsigned int bit = 0; bit < 64; bit++) {
		struct drm_vivgpu_get_time get = { .flags = 1ull << bit };

		igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_TIME, &get), -EINVAL);
	}
}

static void reset_query(int fd)
{
	struct drm_vivgpu_reset_query query = { 0 }, bad = { .flags = 1 }, none = { .queue = 77 };

	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &query), 0);
	igt_assert_eq_u32(query.guilty, 0);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &bad), -EINVAL);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_RESET_QUERY, &none), -ENOENT);
}

/* Unused ioctl numbers of the driver's range. */
static void unknown_calls(int fd)
{
	char data[256] = { 0 };

	for (unsigned int nr = 0x50; nr < 0x60; nr++)
		igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOWR(DRM_COMMAND_BASE + nr, data), data),
			      -EINVAL);
}

/* A caller with an older header passes a smaller structure; the missing fields count as zero. */
static void short_structure(int fd)
{
	struct {
		__u64 cpu_ns;
		__u64 gpu_cycles;
	} old = { 0 };

	igt_assert_eq(
		__igt_vivgpu_ioctl(fd, DRM_IOWR(DRM_COMMAND_BASE + DRM_VIVGPU_GET_TIME, old), &old),
		0);
	igt_assert_lt_u64(0, old.cpu_ns);
}

/* Arguments at addresses without memory. */
static void bad_pointer(int fd)
{
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_TIME, (void *)8), -EFAULT);
	igt_assert_eq(__igt_vivgpu_ioctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, NULL), -EFAULT);
}

static const struct igt_vivgpu_test tests[] = {
	{ "params", "The parameters make sense", params },
	{ "params-are-constant", "A parameter is refused or constant", params_are_constant },
	{ "params-bad", "Unknown parameters and pads are refused", bad_params },
	{ "time-goes-on", "The GPU's clock is not faster than reported", time_goes_on },
	{ "time-is-monotonic", "The clocks never go back", time_is_monotonic },
	{ "time-flags", "Unknown flags are refused", time_flags },
	{ "reset-query", "A new client is guilty of nothing", reset_query },
	{ "unknown-calls", "Numbers without a call are refused", unknown_calls },
	{ "short-structure", "A shorter structure is extended with zeros", short_structure },
	{ "bad-pointer", "A bad pointer is EFAULT", bad_pointer },
};

igt_main
{
	igt_vivgpu_subtests(tests, sizeof(tests) / sizeof(tests[0]));
}
