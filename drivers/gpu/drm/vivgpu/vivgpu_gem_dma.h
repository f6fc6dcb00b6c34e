/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_GEM_DMA_H_
#define _VIVGPU_GEM_DMA_H_

#include <linux/types.h>

struct drm_gem_object;
struct vivgpu_device;

int vivgpu_gem_track(struct drm_gem_object *obj);
int vivgpu_gem_dma_prepare(struct drm_gem_object *obj);
void vivgpu_gem_release(struct drm_gem_object *obj);
void vivgpu_gem_revoke_all(struct vivgpu_device *vdev);

/**
 * struct vivgpu_vmap - a page of a buffer and the next one, mapped for the kernel
 */
struct vivgpu_vmap {
	/** @obj: the buffer; who uses the mapping holds a reference */
	struct drm_gem_object *obj;
	/** @page: index of the first page, its key in the buffer's @vmaps */
	unsigned long page;
	/** @users: vivgpu_gem_vmap() calls without vivgpu_gem_vunmap(); under the reservation */
	u32 users;
	/** @vaddr: kernel address of the first page */
	void *vaddr;
};

void *vivgpu_gem_vmap(struct drm_gem_object *obj, u64 offset, struct vivgpu_vmap **map);
void vivgpu_gem_vunmap(struct vivgpu_vmap *map);

#endif
