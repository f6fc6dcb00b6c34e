/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CONTIGUOUS_H_
#define _VIVGPU_CONTIGUOUS_H_

#include <linux/mmzone.h>
#include <linux/types.h>

struct drm_device;
struct drm_file;
struct drm_gem_object;
struct drm_mode_create_dumb;

/* Largest allocation of the page allocator: 4 MiB with pages of 4 KiB */
#define VIVGPU_MAX_CONTIGUOUS_BYTES	(PAGE_SIZE << MAX_PAGE_ORDER)

struct drm_gem_object *vivgpu_contiguous_create(struct drm_device *drm, size_t size);
int vivgpu_contiguous_new(struct drm_file *file, u64 size, u32 *handle);
bool vivgpu_gem_is_contiguous(const struct drm_gem_object *obj);
int vivgpu_contiguous_address(struct drm_gem_object *obj, u64 size, dma_addr_t *address);
int vivgpu_dumb_create(struct drm_file *file, struct drm_device *drm,
		       struct drm_mode_create_dumb *args);

#endif
