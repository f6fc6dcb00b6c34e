// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suspend and resume: of the idle core by runtime power management, and of the system. See
 * vivgpu_pm.c for the conditions.
 */

#include <linux/export.h>
#include <linux/iopoll.h>
#include <linux/pm_runtime.h>

#include <drm/drm_print.h>

#include <kunit/static_stub.h>
#include <kunit/visibility.h>

#include "vivgpu_device.h"
#include "vivgpu_irq.h"
#include "vivgpu_kms.h"
#include "vivgpu_pm.h"
#include "vivgpu_regs.h"
#include "vivgpu_sched.h"
#include "vivgpu_stretch.h"
#include "vivgpu_suspend.h"

#define IDLE_TIMEOUT_US		10000
#define FE_STOP_TIMEOUT_US	10000

VISIBLE_IF_KUNIT u32 vivgpu_suspend_read_idle(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_suspend_read_idle, vdev);
	return vivgpu_read(vdev, HI_IDLE_STATE);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_suspend_read_idle);

/*
 * True once all units are idle but for the front end, which waits for the next job, and the
 * memory controller, from which it fetches its commands. Not asked of a core that is given up or
 * that a fault has stopped: nothing but a reset helps it.
 */
static bool vivgpu_suspend_core_is_idle(struct vivgpu_device *vdev)
{
	const u32 units = HI_IDLE_STATE_ALL & ~(HI_IDLE_STATE_FE | HI_IDLE_STATE_MC);
	u32 idle;

	return READ_ONCE(vdev->dead) || READ_ONCE(vdev->fault) ||
	       !read_poll_timeout(vivgpu_suspend_read_idle, idle, (idle & units) == units,
				  10, IDLE_TIMEOUT_US, false, vdev);
}

/* Stop the front end by an END, end interrupts, take the last reading of the counter. */
VISIBLE_IF_KUNIT void vivgpu_suspend_stop_core(struct vivgpu_device *vdev)
{
	u32 idle;

	KUNIT_STATIC_STUB_REDIRECT(vivgpu_suspend_stop_core, vdev);
	spin_lock_irq(&vdev->lock);
	vivgpu_ring_stop(&vdev->ring);
	vivgpu_device_ring_doorbell(vdev);
	spin_unlock_irq(&vdev->lock);

	if (read_poll_timeout(vivgpu_read, idle,
			      (idle & HI_IDLE_STATE_ALL) == HI_IDLE_STATE_ALL,
			      10, FE_STOP_TIMEOUT_US, false, vdev, HI_IDLE_STATE))
		drm_warn(&vdev->drm, "not idle before sleep: %08x\n", idle);

	vivgpu_stretch(VIVGPU_STRETCH_SUSPEND);
	vivgpu_irq_quiesce(vdev);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_suspend_stop_core);

/**
 * vivgpu_suspend_core - stop the core and switch its power off
 * @vdev: the device; nothing is in its ring
 *
 * Return: 0, or -EBUSY if a unit of the core still works; then nothing has changed.
 */
int vivgpu_suspend_core(struct vivgpu_device *vdev)
{
	if (!vivgpu_suspend_core_is_idle(vdev))
		return -EBUSY;

	cancel_delayed_work_sync(&vdev->clock_poll);
	vivgpu_suspend_stop_core(vdev);
	if (vdev->bus)
		vdev->bus->power_off(vdev);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_suspend_core);

/**
 * vivgpu_pm_runtime_suspend - suspend the idle core
 * @dev: the device
 *
 * Return: 0, or -EBUSY if it still works: runtime power management tries again after the delay.
 */
int vivgpu_pm_runtime_suspend(struct device *dev)
{
	int ret = vivgpu_suspend_core(dev_get_drvdata(dev));

	if (ret)
		pm_runtime_mark_last_busy(dev);
	return ret;
}

/**
 * vivgpu_pm_runtime_resume - resume the core by a reset
 * @dev: the device
 *
 * Return: 0 or a negative error number; on error all jobs of the device fail from then on.
 */
int vivgpu_pm_runtime_resume(struct device *dev)
{
	struct vivgpu_device *vdev = dev_get_drvdata(dev);
	int ret = vivgpu_pm_resume_core(vdev);

	if (ret)
		vivgpu_sched_fail(vdev);
	return ret;
}

/**
 * vivgpu_pm_suspend - system sleep begins
 * @dev: the device
 *
 * Return: 0 or -EBUSY.
 */
int vivgpu_pm_suspend(struct device *dev)
{
	struct vivgpu_device *vdev = dev_get_drvdata(dev);
	int ret;

	ret = vivgpu_kms_suspend(vdev);
	if (ret)
		return ret;

	ret = vivgpu_sched_freeze(vdev);
	if (ret)
		goto err_kms;

	if (!pm_runtime_status_suspended(dev))
		ret = vivgpu_suspend_core(vdev);
	if (ret)
		goto err_sched;

	return 0;

err_sched:
	vivgpu_sched_thaw(vdev);
err_kms:
	vivgpu_kms_resume(vdev);
	return ret;
}

/**
 * vivgpu_pm_resume - system sleep ends
 * @dev: the device
 *
 * Return: 0 or a negative error number; on error all jobs of the device fail from then on.
 */
int vivgpu_pm_resume(struct device *dev)
{
	struct vivgpu_device *vdev = dev_get_drvdata(dev);
	int ret = pm_runtime_status_suspended(dev) ? 0 : vivgpu_pm_resume_core(vdev);

	if (ret)
		vivgpu_sched_fail(vdev);
	vivgpu_sched_thaw(vdev);
	return ret ?: vivgpu_kms_resume(vdev);
}
