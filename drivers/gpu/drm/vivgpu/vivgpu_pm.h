/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_PM_H_
#define _VIVGPU_PM_H_

#include <linux/types.h>
#include <linux/workqueue.h>

struct vivgpu_device;
struct vivgpu_job;

/* Largest exponent of the power of two by which the clock is divided: 64 */
#define VIVGPU_FREQ_MAX_SCALE	6

/**
 * struct vivgpu_freq - the clock of the core
 * @work: applies @wanted
 * @wanted: exponent of the power of two by which the clock is to be divided
 * @scale: exponent by which it is divided, or will be after the next reset; protected by the
 *	device's lock
 */
struct vivgpu_freq {
	struct work_struct work;
	u32 wanted;
	u32 scale;
};

void vivgpu_freq_init(struct vivgpu_device *vdev);
void vivgpu_freq_fini(struct vivgpu_device *vdev);
int vivgpu_freq_set(struct vivgpu_device *vdev, u32 scale);

int vivgpu_pm_resume_core(struct vivgpu_device *vdev);

void vivgpu_pm_init(struct vivgpu_device *vdev);
void vivgpu_pm_fini(struct vivgpu_device *vdev);
int vivgpu_pm_get(struct vivgpu_job *job);
void vivgpu_pm_put(struct vivgpu_job *job);

#endif
