// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suspend and resume: of the idle core by runtime power management, and of the system. See
 * vivgpu_pm.c for the conditions.
 */

#include <linux/pm_runtime.h>

#include "vivgpu_device.h"
#include "vivgpu_kms.h"
#include "vivgpu_pm.h"
#include "vivgpu_sched.h"
#include "vivgpu_suspend.h"

/**
 * vivgpu_pm_runtime_suspend - suspend the idle core
 * @dev: the device
 *
 * Return: 0.
 */
int vivgpu_pm_runtime_suspend(struct device *dev)
{
	vivgpu_pm_suspend_core(dev_get_drvdata(dev));
	return 0;
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
	if (ret) {
		vivgpu_kms_resume(vdev);
		return ret;
	}

	if (!pm_runtime_status_suspended(dev))
		vivgpu_pm_suspend_core(vdev);
	return 0;
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
