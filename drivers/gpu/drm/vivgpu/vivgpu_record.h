/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_RECORD_H_
#define _VIVGPU_RECORD_H_

struct drm_device;
struct drm_file;
struct vivgpu_device;
struct vivgpu_job;

void vivgpu_record_job(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_fault(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_reset(struct vivgpu_device *vdev);
int vivgpu_ioctl_stream_open(struct drm_device *drm, void *data, struct drm_file *file);

#endif
