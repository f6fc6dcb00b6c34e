/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_QUEUE_IOCTL_H_
#define _VIVGPU_QUEUE_IOCTL_H_

struct drm_device;
struct drm_file;

int vivgpu_ioctl_queue_create(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_queue_destroy(struct drm_device *drm, void *data, struct drm_file *file);

#endif
