/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_IRQ_H_
#define _VIVGPU_IRQ_H_

#include <linux/interrupt.h>

irqreturn_t vivgpu_irq_handler(int irq, void *data);

#endif
