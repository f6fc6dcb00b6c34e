/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SUSPEND_H_
#define _VIVGPU_SUSPEND_H_

struct device;

int vivgpu_pm_runtime_suspend(struct device *dev);
int vivgpu_pm_runtime_resume(struct device *dev);
int vivgpu_pm_suspend(struct device *dev);
int vivgpu_pm_resume(struct device *dev);

#endif
