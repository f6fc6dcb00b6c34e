/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_INHERIT_H_
#define _VIVGPU_INHERIT_H_

#include <linux/types.h>

struct vivgpu_device;
struct vivgpu_job;

void vivgpu_inherit_init(struct vivgpu_device *vdev);
void vivgpu_inherit(struct vivgpu_job *job);
int vivgpu_inherit_prepare(struct vivgpu_job *job);
void vivgpu_inherit_begin(struct vivgpu_job *job);
void vivgpu_inherit_end(struct vivgpu_job *job);
void vivgpu_inherit_cancel(struct vivgpu_job *job);
void vivgpu_inherit_free(struct vivgpu_job *job);
void vivgpu_inherit_late(struct vivgpu_device *vdev);

#endif
