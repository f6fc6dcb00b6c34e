/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SUSPEND_H_
#define _VIVGPU_SUSPEND_H_

#include <linux/types.h>

#include <kunit/visibility.h>

struct device;
struct vivgpu_device;

int vivgpu_suspend_core(struct vivgpu_device *vdev);
int vivgpu_pm_runtime_suspend(struct device *dev);
int vivgpu_pm_runtime_resume(struct device *dev);
int vivgpu_pm_suspend(struct device *dev);
int vivgpu_pm_resume(struct device *dev);

#if IS_ENABLED(CONFIG_KUNIT)
u32 vivgpu_suspend_read_idle(struct vivgpu_device *vdev);
void vivgpu_suspend_stop_core(struct vivgpu_device *vdev);
#endif

#endif
