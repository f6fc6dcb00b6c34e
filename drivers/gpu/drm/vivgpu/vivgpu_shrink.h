/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SHRINK_H_
#define _VIVGPU_SHRINK_H_

struct drm_device;
struct drm_file;
struct drm_gem_object;
struct vivgpu_device;

int vivgpu_shrink_init(struct vivgpu_device *vdev);
void vivgpu_shrink_fini(struct vivgpu_device *vdev);
void vivgpu_shrink_remove(struct drm_gem_object *obj);

int vivgpu_ioctl_bo_madvise(struct drm_device *drm, void *data, struct drm_file *file);

#endif
