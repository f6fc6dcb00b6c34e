// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the order of steps when the core is to be reset or to sleep: with an interrupt
 * line whose level counts, and with units that are busy; of how a reset is checked, and of which
 * registers are read twice.
 */

#include <kunit/static_stub.h>
#include <kunit/test.h>

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "../vivgpu_core.h"
#include "../vivgpu_device.h"
#include "../vivgpu_hw.h"
#include "../vivgpu_regs.h"

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
	/* number of register accesses */
	u32 accesses;
	/* HI_IDLE_STATE */
	u32 idle;
	/* its front end was stopped, and then its power switched off */
	bool stopped;
	bool off;
};

static struct fake_core *power_core(void)
{
	return kunit_get_current_test()->priv;
}

static bool power_line(const struct fake_core *core)
{
	return core->pending & core->enabled;
}

/* After @step: the core reports an event if it is to do so there. */
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

static u32 power_idle(struct vivgpu_device *vdev)
{
	return power_core()->idle;
}

static void power_stop(struct vivgpu_device *vdev)
{
	power_core()->stopped = true;
}

static void power_off(struct vivgpu_device *vdev)
{
	power_core()->off = power_core()->stopped;
}

static void power_no_work(struct work_struct *work)
{
}

static const struct vivgpu_bus_ops power_bus = { .power_off = power_off };

static struct vivgpu_device *power_device(struct kunit *test)
{
	struct vivgpu_device *vdev = kunit_kzalloc(test, sizeof(*vdev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vdev);
	spin_lock_init(&vdev->lock);
	INIT_LIST_HEAD(&vdev->jobs);
	INIT_LIST_HEAD(&vdev->ready_jobs);
	INIT_LIST_HEAD(&vdev->streams);
	INIT_DELAYED_WORK(&vdev->clock_poll, power_no_work);
	vdev->awake = true;
	vdev->bus = &power_bus;
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
	kunit_activate_static_stub(test, vivgpu_suspend_read_idle, power_idle);
	kunit_activate_static_stub(test, vivgpu_suspend_stop_core, power_stop);
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

/* A core with a unit that works keeps its power, and its ring is not stopped. */
static void power_busy_core_stays_on(struct kunit *test)
{
	struct vivgpu_device *vdev = power_device(test);
	struct fake_core *core = test->priv;

	core->idle = HI_IDLE_STATE_ALL & ~BIT(2);
	KUNIT_EXPECT_EQ(test, vivgpu_suspend_core(vdev), -EBUSY);
	KUNIT_EXPECT_FALSE(test, core->stopped);
	KUNIT_EXPECT_FALSE(test, core->off);
}

/* The front end waits for jobs, and reads its commands: that is idle. */
static void power_idle_core_is_stopped(struct kunit *test)
{
	struct vivgpu_device *vdev = power_device(test);
	struct fake_core *core = test->priv;

	core->idle = HI_IDLE_STATE_ALL & ~(HI_IDLE_STATE_FE | HI_IDLE_STATE_MC);
	KUNIT_EXPECT_EQ(test, vivgpu_suspend_core(vdev), 0);
	KUNIT_EXPECT_TRUE(test, core->off);
}

static bool power_is_reset(u32 idle, u32 clock, u32 mmu)
{
	return !vivgpu_core_reset_problem(idle, clock, mmu);
}

/* A reset has worked only if all modules and both pipes are idle and the MMU is off. */
static void power_reset_is_checked(struct kunit *test)
{
	const u32 pipe_3d = HI_CLOCK_CONTROL_IDLE_3D, pipe_2d = HI_CLOCK_CONTROL_IDLE_2D;
	const u32 pipes = pipe_3d | pipe_2d;
	u32 i;

	KUNIT_EXPECT_TRUE(test, power_is_reset(HI_IDLE_STATE_ALL, pipes, 0));
	/* AXI_LP, which may be set or not */
	KUNIT_EXPECT_TRUE(test, power_is_reset(U32_MAX, pipes, 0));
	for (i = 0; i < 31; i++)
		KUNIT_EXPECT_FALSE(test, power_is_reset(U32_MAX & ~BIT(i), pipes, 0));
	KUNIT_EXPECT_FALSE(test, power_is_reset(U32_MAX, pipe_3d, 0));
	KUNIT_EXPECT_FALSE(test, power_is_reset(U32_MAX, pipe_2d, 0));
	KUNIT_EXPECT_FALSE(test, power_is_reset(U32_MAX, pipes, MMUV2_CONTROL_ENABLE));
}

/* DMA_STATUS to AUTO_FLUSH are read twice, and no others. */
static void power_debug_registers_settle(struct kunit *test)
{
	u32 reg, twice = 0;

	for (reg = 0; reg < 0x1000; reg += sizeof(u32))
		twice += vivgpu_read_is_unsettled(reg);
	KUNIT_EXPECT_EQ(test, twice, 6);
	KUNIT_EXPECT_TRUE(test, vivgpu_read_is_unsettled(FE_DMA_ADDRESS));
	KUNIT_EXPECT_FALSE(test, vivgpu_read_is_unsettled(FE_COMMAND_CONTROL));
	KUNIT_EXPECT_FALSE(test, vivgpu_read_is_unsettled(HI_INTR_ACKNOWLEDGE));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(power_reset_is_checked),
	KUNIT_CASE(power_debug_registers_settle),
	KUNIT_CASE(power_line_is_low_before_sleep),
	KUNIT_CASE(power_sleeping_core_is_left_alone),
	KUNIT_CASE(power_busy_core_stays_on),
	KUNIT_CASE(power_idle_core_is_stopped),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-power",
	.init = power_init,
	.test_cases = cases,
};

kunit_test_suite(suite);
