/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_GEM_H_
#define _VIVGPU_GEM_H_

#include <linux/types.h>

struct drm_device;
struct drm_file;
struct drm_gem_object;

struct drm_gem_object *vivgpu_gem_create_object(struct drm_device *drm, size_t size);
int vivgpu_gem_new(struct drm_file *file, u64 size, bool cached, u32 *handle);
int vivgpu_gem_offset(struct drm_file *file, u32 handle, u64 *offset);
int vivgpu_gem_prep_handle(struct drm_file *file, u32 handle, bool write, unsigned long timeout);
int vivgpu_gem_fini_handle(struct drm_file *file, u32 handle);

int vivgpu_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_info(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_prep(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_fini(struct drm_device *drm, void *data, struct drm_file *file);

#endif
