/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_COMPLETE_H_
#define _VIVGPU_COMPLETE_H_

#include <linux/types.h>

struct vivgpu_device;

void vivgpu_complete_counters(struct vivgpu_device *vdev);
void vivgpu_complete_events(struct vivgpu_device *vdev, u32 bits, u64 now_ns);
void vivgpu_complete_up_to_fe(struct vivgpu_device *vdev);
void vivgpu_complete_fail_first(struct vivgpu_device *vdev, int error);
void vivgpu_complete_fail_all(struct vivgpu_device *vdev);

#endif
