/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_RECOVERY_H_
#define _VIVGPU_RECOVERY_H_

#include <linux/types.h>

struct vivgpu_device;

bool vivgpu_recovery_needed(struct vivgpu_device *vdev);
void vivgpu_recovery_reset(struct vivgpu_device *vdev);

#endif
