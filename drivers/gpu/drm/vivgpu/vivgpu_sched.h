/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SCHED_H_
#define _VIVGPU_SCHED_H_

struct vivgpu_client;
struct vivgpu_device;

int vivgpu_sched_init(struct vivgpu_device *vdev);
void vivgpu_sched_fail(struct vivgpu_device *vdev);
int vivgpu_sched_freeze(struct vivgpu_device *vdev);
void vivgpu_sched_thaw(struct vivgpu_device *vdev);
void vivgpu_sched_stop(struct vivgpu_device *vdev);
void vivgpu_sched_wait_freed(struct vivgpu_client *client);

#endif
