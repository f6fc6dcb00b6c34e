// SPDX-License-Identifier: GPL-2.0-only
/* KUnit tests of the divider of the core's clock. */

#include <kunit/test.h>

#include "../vivgpu_core.h"
#include "../vivgpu_device.h"
#include "../vivgpu_pm.h"
#include "../vivgpu_regs.h"

/* The field has 64 for full speed; the other bits stay, but for the one that loads it. */
static void freq_divides_by_powers_of_two(struct kunit *test)
{
	const u32 others = HI_CLOCK_CONTROL_PIXEL_PIPE | HI_CLOCK_CONTROL_IDLE_3D | BIT(0);
	u32 scale;

	for (scale = 0; scale <= VIVGPU_FREQ_MAX_SCALE; scale++)
		KUNIT_EXPECT_EQ(test, vivgpu_core_divide(others | HI_CLOCK_CONTROL_FSCALE(127) |
							  HI_CLOCK_CONTROL_FSCALE_LOAD, scale),
				others | (64 >> scale) << 2);
}

static void freq_refuses_what_the_field_lacks(struct kunit *test)
{
	struct vivgpu_device *vdev = kunit_kzalloc(test, sizeof(*vdev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vdev);
	KUNIT_EXPECT_EQ(test, vivgpu_freq_set(vdev, VIVGPU_FREQ_MAX_SCALE + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, vivgpu_freq_set(vdev, U32_MAX), -EINVAL);
	KUNIT_EXPECT_EQ(test, vdev->freq.wanted, 0);
}

/* Clocks that have half of their rate, and instead of all others the full one */
static u32 freq_halves(struct vivgpu_device *vdev, u32 scale)
{
	return scale == 1 ? vdev->clock_hz / 2 : vdev->clock_hz;
}

/* The clocks' rates are changed only if the core has the feature and the bus has clocks. */
static void freq_chooses_clocks_or_divider(struct kunit *test)
{
	static const struct vivgpu_bus_ops with = { .set_scale = freq_halves }, without = { };
	struct vivgpu_device *vdev = kunit_kzalloc(test, sizeof(*vdev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vdev);
	vdev->identity.features[3] = MINOR_FEATURE_2_DYNAMIC_FREQUENCY_SCALING;
	KUNIT_EXPECT_FALSE(test, vivgpu_core_by_clocks(vdev));
	vdev->bus = &without;
	KUNIT_EXPECT_FALSE(test, vivgpu_core_by_clocks(vdev));
	vdev->bus = &with;
	KUNIT_EXPECT_TRUE(test, vivgpu_core_by_clocks(vdev));
	vdev->identity.features[3] = 0;
	KUNIT_EXPECT_FALSE(test, vivgpu_core_by_clocks(vdev));
}

static u32 freq_hz(struct vivgpu_device *vdev, u32 scale)
{
	vivgpu_freq_set(vdev, scale);
	flush_work(&vdev->freq.work);
	return vdev->clock.hz;
}

/* Cycles are extrapolated (vdev->clock) at the rate that the clock has, whatever was wanted. */
static void freq_follows_the_clock(struct kunit *test)
{
	static const struct vivgpu_bus_ops halves = { .set_scale = freq_halves };
	struct vivgpu_device *vdev = kunit_kzalloc(test, sizeof(*vdev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vdev);
	spin_lock_init(&vdev->lock);
	seqcount_spinlock_init(&vdev->usage_seq, &vdev->lock);
	vivgpu_freq_init(vdev);
	vdev->bus = &halves;
	vdev->identity.features[3] = MINOR_FEATURE_2_DYNAMIC_FREQUENCY_SCALING;
	vdev->clock_hz = 594000000;
	KUNIT_EXPECT_EQ(test, freq_hz(vdev, 1), 297000000);
	KUNIT_EXPECT_EQ(test, freq_hz(vdev, 2), 594000000);
	KUNIT_EXPECT_EQ(test, freq_hz(vdev, 0), 594000000);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(freq_divides_by_powers_of_two),
	KUNIT_CASE(freq_refuses_what_the_field_lacks),
	KUNIT_CASE(freq_chooses_clocks_or_divider),
	KUNIT_CASE(freq_follows_the_clock),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-freq",
	.test_cases = cases,
};

kunit_test_suite(suite);
