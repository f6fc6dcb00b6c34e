/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_HW_H_
#define _VIVGPU_HW_H_

struct vivgpu_device;

void vivgpu_hw_update_running(struct vivgpu_device *vdev);
void vivgpu_hw_submit_held(struct vivgpu_device *vdev);
void vivgpu_hw_requeue(struct vivgpu_device *vdev);

#endif
