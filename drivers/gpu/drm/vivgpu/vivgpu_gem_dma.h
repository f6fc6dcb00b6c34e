/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_GEM_DMA_H_
#define _VIVGPU_GEM_DMA_H_

struct drm_gem_object;
struct vivgpu_device;

int vivgpu_gem_track(struct drm_gem_object *obj);
int vivgpu_gem_dma_prepare(struct drm_gem_object *obj);
void vivgpu_gem_release(struct drm_gem_object *obj);
void vivgpu_gem_revoke_all(struct vivgpu_device *vdev);

#endif
