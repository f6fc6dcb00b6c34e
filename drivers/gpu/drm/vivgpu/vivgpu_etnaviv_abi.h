/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_ETNAVIV_ABI_H_
#define _VIVGPU_ETNAVIV_ABI_H_

#include <drm/etnaviv_drm.h>

struct drm_device;
struct drm_file;

#ifdef CONFIG_DRM_VIVGPU_ETNAVIV_ABI

int vivgpu_etnaviv_get_param(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_gem_new(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_gem_info(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_cpu_prep(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_cpu_fini(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_submit(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_wait_fence(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_gem_wait(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_query_domain(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_etnaviv_query_signal(struct drm_device *drm, void *data, struct drm_file *file);

#endif

#endif
