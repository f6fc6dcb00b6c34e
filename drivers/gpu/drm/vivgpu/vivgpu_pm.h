/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_PM_H_
#define _VIVGPU_PM_H_

struct vivgpu_device;
struct vivgpu_job;

int vivgpu_pm_resume_core(struct vivgpu_device *vdev);

void vivgpu_pm_init(struct vivgpu_device *vdev);
void vivgpu_pm_fini(struct vivgpu_device *vdev);
int vivgpu_pm_get(struct vivgpu_job *job);
void vivgpu_pm_put(struct vivgpu_job *job);

#endif
