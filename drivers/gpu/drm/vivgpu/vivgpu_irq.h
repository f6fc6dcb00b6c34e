/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_IRQ_H_
#define _VIVGPU_IRQ_H_

#include <linux/interrupt.h>
#include <linux/types.h>

#include <kunit/visibility.h>

struct vivgpu_device;

irqreturn_t vivgpu_irq_handler(int irq, void *data);
void vivgpu_irq_quiesce(struct vivgpu_device *vdev);

#if IS_ENABLED(CONFIG_KUNIT)
u32 vivgpu_irq_acknowledge(struct vivgpu_device *vdev);
void vivgpu_irq_mask(struct vivgpu_device *vdev);
void vivgpu_irq_synchronize(struct vivgpu_device *vdev);
#endif

#endif
