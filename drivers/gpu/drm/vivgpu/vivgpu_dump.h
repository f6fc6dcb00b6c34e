/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DUMP_H_
#define _VIVGPU_DUMP_H_

struct vivgpu_device;
struct vivgpu_job;

int vivgpu_dump_init(struct vivgpu_device *vdev);
void vivgpu_dump_stop(struct vivgpu_device *vdev);
void vivgpu_dump_capture(struct vivgpu_device *vdev, struct vivgpu_job *job);

#endif
