// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers: shmem objects, write-combined for the processor unless a client
 * asks for cached ones, which prep and fini then keep coherent.
 */

#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>

#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_utils.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_gem.h"
#include "vivgpu_mmu.h"

/* The last handle of this file went: the address can be given to others. */
static void close_object(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	vivgpu_vm_close(vfile->vm, obj);
}

static enum drm_gem_object_status object_status(struct drm_gem_object *obj)
{
	return to_drm_gem_shmem_obj(obj)->pages ? DRM_GEM_OBJECT_RESIDENT : 0;
}

static const struct drm_gem_object_funcs object_funcs = {
	.free = drm_gem_shmem_object_free,
	.close = close_object,
	.status = object_status,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = drm_gem_shmem_object_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = drm_gem_shmem_object_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = drm_gem_shmem_object_mmap,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

/**
 * vivgpu_gem_create_object - the driver's object, for DRM's helpers
 * @drm: the device
 * @size: bytes
 *
 * Return: the object or an error pointer.
 */
struct drm_gem_object *vivgpu_gem_create_object(struct drm_device *drm, size_t size)
{
	struct drm_gem_shmem_object *shmem = kzalloc(sizeof(*shmem), GFP_KERNEL);

	if (!shmem)
		return ERR_PTR(-ENOMEM);

	shmem->base.funcs = &object_funcs;
	shmem->map_wc = true;
	return &shmem->base;
}

/**
 * vivgpu_gem_new - allocate a buffer
 * @file: for whom
 * @size: bytes, not 0
 * @cached: mapped cached by the processor
 * @handle: its handle
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_gem_new(struct drm_file *file, u64 size, bool cached, u32 *handle)
{
	struct drm_gem_shmem_object *shmem;
	int ret;

	if (!size || size > VIVGPU_VA_END - VIVGPU_USER_START)
		return -EINVAL;

	shmem = drm_gem_shmem_create(file->minor->dev, PAGE_ALIGN(size));
	if (IS_ERR(shmem))
		return PTR_ERR(shmem);

	shmem->map_wc = !cached;
	ret = drm_gem_handle_create(file, &shmem->base, handle);
	drm_gem_object_put(&shmem->base);
	return ret;
}

static struct sg_table *cached_pages(struct drm_gem_object *obj)
{
	struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);

	return shmem->map_wc || obj->import_attach ? NULL : shmem->sgt;
}

/**
 * vivgpu_gem_prep - wait until the processor may access a buffer
 * @obj: the buffer
 * @write: it wants to write, not only to read
 * @timeout: jiffies; 0 to ask only
 *
 * Return: 0, -EBUSY if @timeout is 0, -ETIMEDOUT, -ERESTARTSYS.
 */
int vivgpu_gem_prep(struct drm_gem_object *obj, bool write, unsigned long timeout)
{
	enum dma_resv_usage usage = dma_resv_usage_rw(write);
	struct sg_table *sgt;
	long ret;

	if (!timeout) {
		if (!dma_resv_test_signaled(obj->resv, usage))
			return -EBUSY;
	} else {
		ret = dma_resv_wait_timeout(obj->resv, usage, true, timeout);
		if (ret <= 0)
			return ret ?: -ETIMEDOUT;
	}

	sgt = cached_pages(obj);
	if (sgt)
		dma_sync_sgtable_for_cpu(obj->dev->dev, sgt, DMA_BIDIRECTIONAL);
	return 0;
}

/**
 * vivgpu_gem_fini - the processor's access is over
 * @obj: the buffer
 */
void vivgpu_gem_fini(struct drm_gem_object *obj)
{
	struct sg_table *sgt = cached_pages(obj);

	if (sgt)
		dma_sync_sgtable_for_device(obj->dev->dev, sgt, DMA_BIDIRECTIONAL);
}

/**
 * vivgpu_ioctl_bo_create - DRM_IOCTL_VIVGPU_BO_CREATE
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_create
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_bo_create *args = data;

	if (args->flags & ~DRM_VIVGPU_BO_CACHED)
		return -EINVAL;

	return vivgpu_gem_new(file, args->size, args->flags & DRM_VIVGPU_BO_CACHED,
			      &args->handle);
}

/**
 * vivgpu_ioctl_bo_info - DRM_IOCTL_VIVGPU_BO_INFO
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_info
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_vivgpu_bo_info *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->pad)
		return -EINVAL;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;

	ret = drm_gem_create_mmap_offset(obj);
	if (!ret)
		ret = vivgpu_vm_map(vfile->vm, obj, 0, &args->va);
	args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	args->size = obj->size;
	drm_gem_object_put(obj);
	return ret;
}

/**
 * vivgpu_ioctl_bo_prep - DRM_IOCTL_VIVGPU_BO_PREP
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_prep
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_prep(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_bo_prep *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (!args->op || args->op & ~(DRM_VIVGPU_PREP_READ | DRM_VIVGPU_PREP_WRITE))
		return -EINVAL;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;

	ret = vivgpu_gem_prep(obj, args->op & DRM_VIVGPU_PREP_WRITE,
			      drm_timeout_abs_to_jiffies(args->timeout_ns));
	drm_gem_object_put(obj);
	return ret == -EBUSY ? -ETIMEDOUT : ret;
}

/**
 * vivgpu_ioctl_bo_fini - DRM_IOCTL_VIVGPU_BO_FINI
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_fini
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_fini(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_bo_fini *args = data;
	struct drm_gem_object *obj;

	if (args->pad)
		return -EINVAL;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;

	vivgpu_gem_fini(obj);
	drm_gem_object_put(obj);
	return 0;
}
