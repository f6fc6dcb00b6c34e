// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffer objects: GEM shmem objects. The CPU maps them write-combined, or cached
 * with DRM_VIVGPU_BO_CACHED; BO_PREP and BO_FINI do the cache maintenance of the latter.
 */

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/errno.h>
#include <linux/pagemap.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_prime.h>
#include <drm/drm_utils.h>
#include <drm/vivgpu_drm.h>

#include <kunit/visibility.h>

#include "vivgpu_contiguous.h"
#include "vivgpu_device.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_gem_va.h"
#include "vivgpu_mmu.h"
#include "vivgpu_shrink.h"
#include "vivgpu_stretch.h"

static enum drm_gem_object_status vivgpu_gem_object_status(struct drm_gem_object *obj)
{
	const struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);
	enum drm_gem_object_status status = 0;

	if (shmem->pages)
		status |= DRM_GEM_OBJECT_RESIDENT;
	if (shmem->madv > 0)
		status |= DRM_GEM_OBJECT_PURGEABLE;
	return status;
}

static void vivgpu_gem_free_object(struct drm_gem_object *obj)
{
	vivgpu_shrink_remove(obj);
	vivgpu_stretch(VIVGPU_STRETCH_GEM_FREE);
	vivgpu_gem_release(obj);
	drm_gem_shmem_free(to_drm_gem_shmem_obj(obj));
}

/* mmap() of the device file or of an exported dma-buf. A signal does not make it fail. */
static int vivgpu_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	int ret = vivgpu_gem_dma_prepare(obj);

	if (ret)
		return ret == -EINTR ? -ERESTARTNOINTR : ret;

	return drm_gem_shmem_mmap(to_drm_gem_shmem_obj(obj), vma);
}

/* Importers write to the buffer: devices, or the CPU through their mappings. */
static struct dma_buf *vivgpu_gem_export(struct drm_gem_object *obj, int flags)
{
	int ret = vivgpu_gem_dma_prepare(obj);

	return ret ? ERR_PTR(ret) : drm_gem_prime_export(obj, flags);
}

static const struct drm_gem_object_funcs vivgpu_gem_object_funcs = {
	.free = vivgpu_gem_free_object,
	.open = vivgpu_gem_open,
	.close = vivgpu_gem_close,
	.export = vivgpu_gem_export,
	.status = vivgpu_gem_object_status,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = drm_gem_shmem_object_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = drm_gem_shmem_object_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = vivgpu_gem_mmap,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

/**
 * vivgpu_gem_create_object - &drm_driver.gem_create_object
 * @drm: the device
 * @size: bytes
 *
 * Return: the object or an error pointer.
 */
struct drm_gem_object *vivgpu_gem_create_object(struct drm_device *drm, size_t size)
{
	struct vivgpu_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);

	if (!bo)
		return ERR_PTR(-ENOMEM);

	spin_lock_init(&bo->lock);
	INIT_LIST_HEAD(&bo->link);
	INIT_LIST_HEAD(&bo->purgeable);
	INIT_LIST_HEAD(&bo->mappings);
	xa_init(&bo->vmaps);
	bo->base.base.funcs = &vivgpu_gem_object_funcs;
	bo->base.map_wc = true;
	return &bo->base.base;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_gem_create_object);

static struct drm_gem_object *vivgpu_gem_import_and_track(struct drm_device *drm,
							  struct dma_buf *dma_buf)
{
	struct drm_gem_object *obj = drm_gem_prime_import(drm, dma_buf);
	int ret;

	if (IS_ERR(obj) || !obj->import_attach)
		return obj;

	ret = vivgpu_gem_track(obj);
	if (!ret)
		return obj;

	drm_gem_object_put(obj);
	return ERR_PTR(ret);
}

/**
 * vivgpu_gem_import - &drm_driver.gem_prime_import
 * @drm: the device
 * @dma_buf: the buffer
 *
 * The import maps the buffer for DMA, so it runs within drm_dev_enter().
 *
 * Return: the object or an error pointer.
 */
struct drm_gem_object *vivgpu_gem_import(struct drm_device *drm, struct dma_buf *dma_buf)
{
	struct drm_gem_object *obj;
	int cookie;

	if (!drm_dev_enter(drm, &cookie))
		return ERR_PTR(-ENODEV);

	obj = vivgpu_gem_import_and_track(drm, dma_buf);
	drm_dev_exit(cookie);
	return obj;
}

/* If the device cannot address all memory, allocate the buffer's pages below 4 GiB. */
static void vivgpu_gem_limit_pages_to_dma32(struct drm_gem_object *obj)
{
	struct address_space *pages = obj->filp->f_mapping;

	if (dma_addressing_limited(obj->dev->dev))
		mapping_set_gfp_mask(pages, (mapping_gfp_mask(pages) & ~__GFP_HIGHMEM) | GFP_DMA32);
}

/**
 * vivgpu_gem_new - allocate a buffer
 * @file: the file that gets a handle
 * @size: bytes, not 0
 * @cached: mapped cached by the CPU
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
	vivgpu_gem_limit_pages_to_dma32(&shmem->base);
	ret = drm_gem_handle_create(file, &shmem->base, handle);
	drm_gem_object_put(&shmem->base);
	return ret;
}

/* Cache maintenance of a cached buffer before access by the CPU or by the device. */
static void vivgpu_gem_sync_pages(struct drm_gem_object *obj, bool for_cpu)
{
	struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);

	if (shmem->map_wc || obj->import_attach)
		return;

	dma_resv_lock(obj->resv, NULL);
	if (shmem->sgt && for_cpu)
		dma_sync_sgtable_for_cpu(obj->dev->dev, shmem->sgt, DMA_BIDIRECTIONAL);
	else if (shmem->sgt)
		dma_sync_sgtable_for_device(obj->dev->dev, shmem->sgt, DMA_BIDIRECTIONAL);
	dma_resv_unlock(obj->resv);
}

/*
 * Wait until the CPU may access a buffer. @timeout is in jiffies; 0 does not wait.
 * Returns 0, -EBUSY (@timeout is 0 and the buffer is in use), -ETIMEDOUT, -ERESTARTSYS.
 */
static int vivgpu_gem_prep(struct drm_gem_object *obj, bool write, unsigned long timeout)
{
	enum dma_resv_usage usage = dma_resv_usage_rw(write);
	long ret;

	if (!timeout) {
		if (!dma_resv_test_signaled(obj->resv, usage))
			return -EBUSY;
	} else {
		ret = dma_resv_wait_timeout(obj->resv, usage, true, timeout);
		if (ret <= 0)
			return ret ?: -ETIMEDOUT;
	}

	vivgpu_gem_sync_pages(obj, true);
	return 0;
}

/**
 * vivgpu_gem_offset - get a buffer's fake offset for mmap()
 * @file: the caller
 * @handle: the buffer
 * @offset: for mmap() of the device file
 *
 * Return: 0 or a negative error number, -ENOENT for a bad handle.
 */
int vivgpu_gem_offset(struct drm_file *file, u32 handle, u64 *offset)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	int ret = obj ? drm_gem_create_mmap_offset(obj) : -ENOENT;

	if (!ret)
		*offset = drm_vma_node_offset_addr(&obj->vma_node);
	if (obj)
		drm_gem_object_put(obj);
	return ret;
}

/**
 * vivgpu_gem_prep_handle - wait until the CPU may access a buffer
 * @file: the caller
 * @handle: the buffer
 * @write: the CPU is going to write, so wait for readers, too
 * @timeout: jiffies; 0 does not wait
 *
 * Return: 0, -ENOENT, -EBUSY if @timeout is 0 and the buffer is in use, -ETIMEDOUT,
 * -ERESTARTSYS.
 */
int vivgpu_gem_prep_handle(struct drm_file *file, u32 handle, bool write, unsigned long timeout)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	int ret = obj ? vivgpu_gem_prep(obj, write, timeout) : -ENOENT;

	if (obj)
		drm_gem_object_put(obj);
	return ret;
}

/**
 * vivgpu_gem_fini_handle - end the CPU's access that vivgpu_gem_prep_handle() began
 * @file: the caller
 * @handle: the buffer
 *
 * Return: 0 or -ENOENT.
 */
int vivgpu_gem_fini_handle(struct drm_file *file, u32 handle)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);

	if (!obj)
		return -ENOENT;

	vivgpu_gem_sync_pages(obj, false);
	drm_gem_object_put(obj);
	return 0;
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

	switch (args->flags) {
	case 0:
	case DRM_VIVGPU_BO_CACHED:
		return vivgpu_gem_new(file, args->size, args->flags & DRM_VIVGPU_BO_CACHED,
				      &args->handle);
	case DRM_VIVGPU_BO_SCANOUT:
		return vivgpu_contiguous_new(file, args->size, &args->handle);
	default:
		return -EINVAL;
	}
}

/* Get a buffer's size and GPU address; maps it if it is not mapped yet. */
static int vivgpu_gem_get_info(struct drm_file *file, struct drm_vivgpu_bo_info *args)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);
	int ret;

	if (!obj)
		return -ENOENT;

	args->size = obj->size;
	ret = vivgpu_gem_map(file, obj, 0, &args->va);
	drm_gem_object_put(obj);
	return ret;
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
	struct drm_vivgpu_bo_info *args = data;

	if (args->pad)
		return -EINVAL;

	return vivgpu_gem_offset(file, args->handle, &args->offset) ?:
	       vivgpu_gem_get_info(file, args);
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
	unsigned long timeout = drm_timeout_abs_to_jiffies(args->timeout_ns);
	int ret;

	if (!args->op || args->op & ~(DRM_VIVGPU_PREP_READ | DRM_VIVGPU_PREP_WRITE))
		return -EINVAL;

	ret = vivgpu_gem_prep_handle(file, args->handle, args->op & DRM_VIVGPU_PREP_WRITE,
				     timeout);
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

	return args->pad ? -EINVAL : vivgpu_gem_fini_handle(file, args->handle);
}

/* Order of buffers in which those with the same reservation, and equal ones, are neighbours. */
static int vivgpu_gem_compare(const void *a, const void *b)
{
	const struct drm_gem_object *one = *(struct drm_gem_object * const *)a;
	const struct drm_gem_object *other = *(struct drm_gem_object * const *)b;

	if (one->resv != other->resv)
		return (uintptr_t)one->resv < (uintptr_t)other->resv ? -1 : 1;
	if (one != other)
		return (uintptr_t)one < (uintptr_t)other ? -1 : 1;
	return 0;
}

/* Keep one buffer of each reservation; -EINVAL if a buffer is there twice. */
static int vivgpu_gem_unique(struct drm_gem_object **bos, u32 *count)
{
	u32 i, kept = 0;

	sort(bos, *count, sizeof(*bos), vivgpu_gem_compare, NULL);
	for (i = 0; i < *count; i++) {
		if (i && bos[i] == bos[i - 1])
			return -EINVAL;
		if (!kept || bos[i]->resv != bos[kept - 1]->resv)
			bos[kept++] = bos[i];
	}
	*count = kept;
	return 0;
}

/**
 * vivgpu_gem_lock - lock the reservations of buffers
 * @bos: the buffers; afterwards one of each reservation, for drm_gem_unlock_reservations()
 * @count: number of buffers; receives the number of reservations
 * @ctx: for drm_gem_unlock_reservations()
 *
 * Buffers of another driver can share a reservation, which is locked once.
 *
 * Return: 0, -EINVAL if a buffer is there twice, or another negative error number.
 */
int vivgpu_gem_lock(struct drm_gem_object **bos, u32 *count, struct ww_acquire_ctx *ctx)
{
	int ret = drm_gem_lock_reservations(bos, *count, ctx);

	if (likely(ret != -EALREADY))
		return ret;

	ret = vivgpu_gem_unique(bos, count);
	return ret ?: drm_gem_lock_reservations(bos, *count, ctx);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_gem_lock);

/**
 * vivgpu_gem_find_active - look at a buffer's fences for vivgpu_gem_is_active()
 * @obj: the buffer; any context
 *
 * Return: true if the buffer has a fence that is not signalled.
 */
bool vivgpu_gem_find_active(struct drm_gem_object *obj)
{
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);

	WRITE_ONCE(bo->used, false);
	/* A submit adds its fence, then sets @used: it is seen here, or @used is set again. */
	smp_mb();
	if (dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_BOOKKEEP))
		return false;

	WRITE_ONCE(bo->used, true);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_gem_find_active);

/**
 * vivgpu_gem_label - get the label that a client gave a buffer
 * @obj: the buffer
 * @label: the label is copied here, empty if there is none; any context
 */
void vivgpu_gem_label(struct drm_gem_object *obj, char label[VIVGPU_LABEL_SIZE])
{
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);
	unsigned long flags;

	spin_lock_irqsave(&bo->lock, flags);
	memcpy(label, bo->label, VIVGPU_LABEL_SIZE);
	spin_unlock_irqrestore(&bo->lock, flags);
}

/**
 * vivgpu_ioctl_bo_label - DRM_IOCTL_VIVGPU_BO_LABEL
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_label
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_label(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_bo_label *args = data;
	char label[VIVGPU_LABEL_SIZE] = { };
	struct drm_gem_object *obj;
	struct vivgpu_bo *bo;

	if (args->length > DRM_VIVGPU_LABEL_MAX)
		return -EINVAL;
	if (copy_from_user(label, u64_to_user_ptr(args->label), args->length))
		return -EFAULT;
	if (strlen(label) != args->length)
		return -EINVAL;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;

	bo = to_vivgpu_bo(obj);
	spin_lock_irq(&bo->lock);
	memcpy(bo->label, label, sizeof(label));
	spin_unlock_irq(&bo->lock);
	drm_gem_object_put(obj);
	return 0;
}

/**
 * vivgpu_gem_modifier - get the layout of a buffer's picture
 * @obj: the buffer
 *
 * Return: the modifier for framebuffers that are made without one.
 */
u64 vivgpu_gem_modifier(struct drm_gem_object *obj)
{
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);
	u64 modifier;

	spin_lock_irq(&bo->lock);
	modifier = bo->modifier;
	spin_unlock_irq(&bo->lock);
	return modifier;
}

/* The layouts that one core draws and the display shows. */
static bool vivgpu_gem_modifier_valid(u64 modifier)
{
	return modifier == DRM_FORMAT_MOD_LINEAR || modifier == DRM_FORMAT_MOD_VIVANTE_TILED ||
	       modifier == DRM_FORMAT_MOD_VIVANTE_SUPER_TILED;
}

static void vivgpu_gem_set_modifier(struct drm_gem_object *obj, u64 modifier)
{
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);

	spin_lock_irq(&bo->lock);
	bo->modifier = modifier;
	spin_unlock_irq(&bo->lock);
}

/**
 * vivgpu_ioctl_bo_modifier - DRM_IOCTL_VIVGPU_BO_MODIFIER
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_modifier
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_modifier(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_bo_modifier *args = data;
	bool set = args->flags & DRM_VIVGPU_MODIFIER_SET;
	struct drm_gem_object *obj;

	if (args->flags & ~DRM_VIVGPU_MODIFIER_SET)
		return -EINVAL;
	if (set && !drm_core_check_feature(drm, DRIVER_MODESET))
		return -EOPNOTSUPP;
	if (set && !vivgpu_gem_modifier_valid(args->modifier))
		return -EINVAL;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;

	if (set)
		vivgpu_gem_set_modifier(obj, args->modifier);
	else
		args->modifier = vivgpu_gem_modifier(obj);
	drm_gem_object_put(obj);
	return 0;
}
