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

#define VIVGPU_ETNAVIV(name, function) \
	DRM_IOCTL_DEF_DRV(ETNAVIV_##name, vivgpu_etnaviv_##function, DRM_RENDER_ALLOW),

/* Entries of the table of calls */
#define VIVGPU_ETNAVIV_IOCTLS				\
	VIVGPU_ETNAVIV(GET_PARAM, get_param)		\
	VIVGPU_ETNAVIV(GEM_NEW, gem_new)		\
	VIVGPU_ETNAVIV(GEM_INFO, gem_info)		\
	VIVGPU_ETNAVIV(GEM_CPU_PREP, cpu_prep)		\
	VIVGPU_ETNAVIV(GEM_CPU_FINI, cpu_fini)		\
	VIVGPU_ETNAVIV(GEM_SUBMIT, submit)		\
	VIVGPU_ETNAVIV(WAIT_FENCE, wait_fence)		\
	VIVGPU_ETNAVIV(GEM_WAIT, gem_wait)

#else
#define VIVGPU_ETNAVIV_IOCTLS
#endif

#endif
