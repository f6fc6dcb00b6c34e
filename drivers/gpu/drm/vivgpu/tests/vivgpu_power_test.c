// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the order of steps when the core is to be reset or to sleep, with an
 * interrupt line whose level counts.
 */

#include <kunit/static_stub.h>
#include <kunit/test.h>

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/spinlock.h>

#include "../vivgpu_core.h"
#include "../vivgpu_device.h"
#include "../vivgpu_irq.h"

/* Steps of vivgpu_irq_quiesce(), after each of which the core may report something */
enum step {
	BEFORE,
	MASKED,
	ACKNOWLEDGED,
	SYNCHRONIZED,
	STEPS,
};

/* A core with its interrupt line */
struct fake_core {
	/* reported, and not acknowledged */
	u32 pending;
	/* HI_INTR_ENBL */
	u32 enabled;
	/* the step after which an event is reported */
	enum step reports;
	/* no handler runs any more, and none is called unless the line rises */
	bool synchronized;
	/* registers that were accessed */
	u32 accesses;
};

static struct fake_core *power_core(void)
{
	return kunit_get_current_test()->priv;
}

static bool power_line(const struct fake_core *core)
{
	return core->pending & core->enabled;
}

/* The core has come as far as @step. */
static void power_reach(struct fake_core *core, enum step step)
{
	if (core->reports == step)
		core->pending |= BIT(3);
}

static void power_mask(struct vivgpu_device *vdev)
{
	struct fake_core *core = power_core();

	core->accesses++;
	core->enabled = 0;
	power_reach(core, MASKED);
}

static u32 power_acknowledge(struct vivgpu_device *vdev)
{
	struct fake_core *core = power_core();
	u32 bits = core->pending;

	core->accesses++;
	core->pending = 0;
	power_reach(core, ACKNOWLEDGED);
	return bits;
}

static void power_synchronize(struct vivgpu_device *vdev)
{
	struct fake_core *core = power_core();

	core->synchronized = !power_line(core);
	power_reach(core, SYNCHRONIZED);
}

/* From here on the handler reads no register: if the line is high, it stays so. */
static void power_sleep(struct vivgpu_device *vdev)
{
	struct fake_core *core = power_core();
	struct kunit *test = kunit_get_current_test();

	if (vdev->awake) {
		KUNIT_EXPECT_TRUE(test, core->synchronized);
		KUNIT_EXPECT_FALSE(test, power_line(core));
	}
	vdev->awake = false;
}

static struct vivgpu_device *power_device(struct kunit *test)
{
	struct vivgpu_device *vdev = kunit_kzalloc(test, sizeof(*vdev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vdev);
	spin_lock_init(&vdev->lock);
	INIT_LIST_HEAD(&vdev->jobs);
	INIT_LIST_HEAD(&vdev->held);
	INIT_LIST_HEAD(&vdev->streams);
	vdev->awake = true;
	return vdev;
}

static int power_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fake_core), GFP_KERNEL);
	if (!test->priv)
		return -ENOMEM;

	kunit_activate_static_stub(test, vivgpu_irq_mask, power_mask);
	kunit_activate_static_stub(test, vivgpu_irq_acknowledge, power_acknowledge);
	kunit_activate_static_stub(test, vivgpu_irq_synchronize, power_synchronize);
	kunit_activate_static_stub(test, vivgpu_core_stop_clock, power_sleep);
	return 0;
}

/* Whenever the core reports something, the line is low when the core counts as asleep. */
static void power_line_is_low_before_sleep(struct kunit *test)
{
	struct fake_core *core = test->priv;
	enum step step;

	for (step = BEFORE; step < STEPS; step++) {
		struct vivgpu_device *vdev = power_device(test);

		*core = (struct fake_core){ .enabled = U32_MAX, .reports = step };
		power_reach(core, BEFORE);
		vivgpu_irq_quiesce(vdev);
		KUNIT_EXPECT_FALSE(test, vdev->awake);
		KUNIT_EXPECT_EQ(test, core->enabled, 0);
	}
}

/* The registers of a core that is asleep already are not accessed. */
static void power_sleeping_core_is_left_alone(struct kunit *test)
{
	struct vivgpu_device *vdev = power_device(test);
	struct fake_core *core = test->priv;

	vdev->awake = false;
	vivgpu_irq_quiesce(vdev);
	KUNIT_EXPECT_EQ(test, core->accesses, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(power_line_is_low_before_sleep),
	KUNIT_CASE(power_sleeping_core_is_left_alone),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-power",
	.init = power_init,
	.test_cases = cases,
};

kunit_test_suite(suite);
