/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_GEM_H_
#define _VIVGPU_GEM_H_

#include <linux/list.h>
#include <linux/mmzone.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include <drm/drm_gem_shmem_helper.h>
#include <drm/vivgpu_drm.h>

struct dma_buf;
struct drm_device;
struct drm_file;
struct drm_gem_object;
struct drm_mode_create_dumb;
struct vivgpu_device;
struct ww_acquire_ctx;

/* A label and its terminating zero */
#define VIVGPU_LABEL_SIZE	(DRM_VIVGPU_LABEL_MAX + 1)

/**
 * struct vivgpu_bo - a buffer
 */
struct vivgpu_bo {
	/** @base: the GEM shmem object */
	struct drm_gem_shmem_object base;
	/** @link: in the device's list, while the device can reach the memory */
	struct list_head link;
	/**
	 * @purgeable: in the device's list of buffers whose contents are not
	 * needed; under the device's purge_lock, as @mappings, @purged and @purge_seqno
	 */
	struct list_head purgeable;
	/** @mappings: its mappings in address spaces */
	struct list_head mappings;
	/** @vmaps: mappings of pages for results, by page; under the reservation */
	struct xarray vmaps;
	/** @purged: its memory is freed or about to be; reservation held as well */
	bool purged;
	/** @purge_seqno: its memory may be freed when the job with this ring_seqno is done */
	u64 purge_seqno;
	/** @used: a job uses it, or did since vivgpu_gem_find_active() found it idle */
	bool used;
	/** @lock: protects @label and @modifier; innermost */
	spinlock_t lock;
	/** @label: name given by the client, zero-terminated */
	char label[VIVGPU_LABEL_SIZE];
	/** @modifier: layout of framebuffers that are made of it without a modifier */
	u64 modifier;
};

#define to_vivgpu_bo(obj) container_of(to_drm_gem_shmem_obj(obj), struct vivgpu_bo, base)

struct drm_gem_object *vivgpu_gem_create_object(struct drm_device *drm, size_t size);
struct drm_gem_object *vivgpu_gem_import(struct drm_device *drm, struct dma_buf *dma_buf);
int vivgpu_gem_new(struct drm_file *file, u64 size, bool cached, u32 *handle);
int vivgpu_gem_offset(struct drm_file *file, u32 handle, u64 *offset);
int vivgpu_gem_prep_handle(struct drm_file *file, u32 handle, bool write, unsigned long timeout);
int vivgpu_gem_fini_handle(struct drm_file *file, u32 handle);
int vivgpu_gem_lock(struct drm_gem_object **bos, u32 *count, struct ww_acquire_ctx *ctx);
bool vivgpu_gem_find_active(struct drm_gem_object *obj);
void vivgpu_gem_label(struct drm_gem_object *obj, char label[VIVGPU_LABEL_SIZE]);
u64 vivgpu_gem_modifier(struct drm_gem_object *obj);

int vivgpu_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_info(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_prep(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_fini(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_label(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_bo_modifier(struct drm_device *drm, void *data, struct drm_file *file);

/**
 * vivgpu_gem_is_active - check whether a buffer is in use by jobs or by other devices
 * @obj: the buffer; any context
 *
 * fdinfo asks this of every buffer of a client, most of which are idle. So the fences of a buffer
 * that no other driver has are looked at only if a job has used it since it was found idle.
 *
 * Return: true if the buffer has a fence that is not signalled.
 */
static inline bool vivgpu_gem_is_active(struct drm_gem_object *obj)
{
	bool may_be = READ_ONCE(to_vivgpu_bo(obj)->used) || obj->dma_buf || obj->import_attach;

	return unlikely(may_be) && vivgpu_gem_find_active(obj);
}

int vivgpu_gem_map(struct drm_file *file, struct drm_gem_object *obj, u64 fixed, u64 *va);

/* Largest allocation of the page allocator: 4 MiB with pages of 4 KiB */
#define VIVGPU_MAX_CONTIGUOUS_BYTES	(PAGE_SIZE << MAX_PAGE_ORDER)

struct drm_gem_object *vivgpu_contiguous_create(struct drm_device *drm, size_t size);
int vivgpu_contiguous_new(struct drm_file *file, u64 size, u32 *handle);
int vivgpu_contiguous_address(struct drm_gem_object *obj, u64 size, dma_addr_t *address);
int vivgpu_dumb_create(struct drm_file *file, struct drm_device *drm,
		       struct drm_mode_create_dumb *args);

int vivgpu_shrink_init(struct vivgpu_device *vdev);
void vivgpu_shrink_fini(struct vivgpu_device *vdev);

int vivgpu_ioctl_bo_madvise(struct drm_device *drm, void *data, struct drm_file *file);

#endif
