/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_HW_H_
#define _VIVGPU_HW_H_

#include <linux/interrupt.h>
#include <linux/types.h>

#include <kunit/visibility.h>

struct vivgpu_device;
struct vivgpu_job;

void vivgpu_hw_submit_ready(struct vivgpu_device *vdev);

void vivgpu_complete_counters(struct vivgpu_device *vdev);
void vivgpu_complete_fail_all(struct vivgpu_device *vdev);

irqreturn_t vivgpu_irq_handler(int irq, void *data);
void vivgpu_irq_quiesce(struct vivgpu_device *vdev);

#if IS_ENABLED(CONFIG_KUNIT)
u32 vivgpu_irq_acknowledge(struct vivgpu_device *vdev);
void vivgpu_irq_mask(struct vivgpu_device *vdev);
void vivgpu_irq_synchronize(struct vivgpu_device *vdev);
#endif

bool vivgpu_recovery_needed(struct vivgpu_device *vdev);
void vivgpu_recovery_reset(struct vivgpu_device *vdev);

int vivgpu_dump_init(struct vivgpu_device *vdev);
void vivgpu_dump_stop(struct vivgpu_device *vdev);
void vivgpu_dump_capture(struct vivgpu_device *vdev, struct vivgpu_job *job);

#endif
