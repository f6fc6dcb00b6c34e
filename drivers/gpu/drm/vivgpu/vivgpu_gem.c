// SPDX-License-Identifier: GPL-2.0-only

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/shrinker.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include <kunit/visibility.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_mode.h>
#include <drm/drm_prime.h>
#include <drm/drm_utils.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_mmu.h"
#include "vivgpu_stretch.h"

/*
 * GPU addresses of buffers: a buffer has one in an address space as long as a file that uses the
 * space has a handle of it or jobs use it.
 */

/**
 * vivgpu_gem_map - find a buffer's address in a file's address space, or map it
 * @file: the file
 * @obj: the buffer, by a handle of the file
 * @fixed: address to map it at, or 0 for any
 * @va: receives the address
 *
 * Return: 0 or an error of vivgpu_vm_map(): -ENOENT if the handle was closed meanwhile.
 */
int vivgpu_gem_map(struct drm_file *file, struct drm_gem_object *obj, u64 fixed, u64 *va)
{
	struct vivgpu_file *vfile = file->driver_priv;

	return vivgpu_vm_map(vfile->vm, obj, fixed, va);
}

/**
 * vivgpu_gem_open - &drm_gem_object_funcs.open: a file gets a handle of a buffer
 * @obj: the buffer
 * @file: the file
 *
 * Return: 0 or -ENOMEM.
 */
static int vivgpu_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	return vivgpu_vm_open(vfile->vm, obj);
}

/**
 * vivgpu_gem_close - &drm_gem_object_funcs.close: a file closes a handle of a buffer
 * @obj: the buffer
 * @file: the file
 */
static void vivgpu_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	vivgpu_stretch(VIVGPU_STRETCH_GEM_CLOSE);
	vivgpu_vm_close(vfile->vm, obj);
}

/*
 * DOC: Contiguous buffers, for scan-out
 *
 * The display block (DC8200) has no MMU, so a framebuffer has to be physically
 * contiguous. Buffers are contiguous from their allocation on: pages are never
 * migrated later, because other devices and the CPU may use their addresses.
 *
 * A contiguous buffer is a GEM shmem object whose pages are one block of the page
 * allocator. Its pages_use_count is 1 from the start, so the shmem helpers neither
 * allocate nor free its pages; GPU mapping, sharing and fences work as for any other
 * shmem object.
 *
 * Dumb buffers and buffers with DRM_VIVGPU_BO_SCANOUT are contiguous. etnaviv's user
 * space has no such flag; see vivgpu_etnaviv_gem_new().
 */

/* The resolve engine (RS) accesses whole lines of 64 bytes, four rows at once. */
#define DUMB_PITCH_ALIGN	64
#define DUMB_HEIGHT_ALIGN	4

static void vivgpu_gem_contiguous_free_object(struct drm_gem_object *obj)
{
	struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);

	vivgpu_gem_release(obj);
	if (shmem->pages)
		free_pages_exact(page_address(shmem->pages[0]), obj->size);
	kvfree(shmem->pages);
	shmem->pages = NULL;
	refcount_set(&shmem->pages_use_count, 0);
	drm_gem_shmem_free(shmem);
}

/* Map the whole block at mmap(): that saves up to 1024 page faults. */
static int vivgpu_gem_contiguous_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);
	int ret = drm_gem_shmem_mmap(shmem, vma);

	if (ret)
		return ret;

	ret = remap_pfn_range(vma, vma->vm_start, page_to_pfn(shmem->pages[0]),
			      vma->vm_end - vma->vm_start, vma->vm_page_prot);
	if (ret) {
		dma_resv_lock(obj->resv, NULL);
		drm_gem_shmem_put_pages_locked(shmem);
		dma_resv_unlock(obj->resv);
	}
	return ret;
}

static enum drm_gem_object_status vivgpu_gem_contiguous_object_status(struct drm_gem_object *obj)
{
	return DRM_GEM_OBJECT_RESIDENT;
}

static const struct drm_gem_object_funcs vivgpu_gem_contiguous_object_funcs = {
	.free = vivgpu_gem_contiguous_free_object,
	.open = vivgpu_gem_open,
	.close = vivgpu_gem_close,
	.status = vivgpu_gem_contiguous_object_status,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = drm_gem_shmem_object_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = drm_gem_shmem_object_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = vivgpu_gem_contiguous_mmap,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

static int vivgpu_gem_contiguous_alloc_pages(struct drm_gem_shmem_object *shmem)
{
	/* The display block's address registers have 32 bits. */
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | GFP_DMA32 | __GFP_ZERO | __GFP_NOWARN |
			  __GFP_NORETRY;
	size_t i, count = shmem->base.size >> PAGE_SHIFT;
	struct page *first;
	void *memory;

	shmem->pages = kvmalloc_array(count, sizeof(*shmem->pages), GFP_KERNEL_ACCOUNT);
	if (!shmem->pages)
		return -ENOMEM;

	memory = alloc_pages_exact(shmem->base.size, gfp);
	if (!memory) {
		kvfree(shmem->pages);
		shmem->pages = NULL;
		return -ENOMEM;
	}

	first = virt_to_page(memory);
	for (i = 0; i < count; i++)
		shmem->pages[i] = first + i;
	refcount_set(&shmem->pages_use_count, 1);
	return 0;
}

/**
 * vivgpu_contiguous_create - create a contiguous buffer
 * @drm: the device
 * @size: bytes, not 0
 *
 * Return: the object, or an error pointer: -ENOMEM also if @size is above
 * VIVGPU_MAX_CONTIGUOUS_BYTES or no free block of memory is large enough; an error of
 * vivgpu_gem_dma_prepare().
 */
struct drm_gem_object *vivgpu_contiguous_create(struct drm_device *drm, size_t size)
{
	struct drm_gem_shmem_object *shmem;
	int ret;

	if (size > VIVGPU_MAX_CONTIGUOUS_BYTES)
		return ERR_PTR(-ENOMEM);

	shmem = drm_gem_shmem_create(drm, size);
	if (IS_ERR(shmem))
		return ERR_CAST(shmem);

	shmem->base.funcs = &vivgpu_gem_contiguous_object_funcs;
	/* x86 is cache coherent, and write-combining would need set_memory_wc() on the pages. */
	shmem->map_wc = !IS_ENABLED(CONFIG_X86);
	ret = vivgpu_gem_contiguous_alloc_pages(shmem);
	ret = ret ?: vivgpu_gem_dma_prepare(&shmem->base);
	if (ret) {
		drm_gem_object_put(&shmem->base);
		return ERR_PTR(ret);
	}

	return &shmem->base;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_contiguous_create);

/**
 * vivgpu_contiguous_new - create a contiguous buffer and a handle of it
 * @file: the client
 * @size: bytes
 * @handle: receives the handle
 *
 * Return: 0 or a negative error number, see vivgpu_contiguous_create(); -EINVAL if
 * @size is 0.
 */
int vivgpu_contiguous_new(struct drm_file *file, u64 size, u32 *handle)
{
	struct drm_gem_object *obj;
	int ret;

	if (!size)
		return -EINVAL;
	if (size > VIVGPU_MAX_CONTIGUOUS_BYTES)
		return -ENOMEM;

	obj = vivgpu_contiguous_create(file->minor->dev, size);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	ret = drm_gem_handle_create(file, obj, handle);
	drm_gem_object_put(obj);
	return ret;
}

/**
 * vivgpu_gem_is_contiguous - check for a buffer created by vivgpu_contiguous_create()
 * @obj: the buffer
 *
 * Return: true if it was.
 */
static bool vivgpu_gem_is_contiguous(const struct drm_gem_object *obj)
{
	return obj->funcs == &vivgpu_gem_contiguous_object_funcs;
}

/**
 * vivgpu_contiguous_address - get a contiguous buffer's bus address
 * @obj: the buffer, own or imported; its reservation is locked here
 * @size: bytes that have to be contiguous
 * @address: the bus address, constant for the lifetime of the buffer
 *
 * The first call for a buffer maps it for DMA, so it has to be within drm_dev_enter().
 *
 * Return: 0; -EINVAL if the buffer is not contiguous, not aligned to pages or not below 4 GiB;
 * another negative error number.
 */
int vivgpu_contiguous_address(struct drm_gem_object *obj, u64 size, dma_addr_t *address)
{
	struct sg_table *sgt;
	int ret;

	if (!vivgpu_gem_is_contiguous(obj) && !obj->import_attach)
		return -EINVAL;

	ret = vivgpu_gem_track(obj);
	if (ret)
		return ret;

	sgt = drm_gem_shmem_get_pages_sgt(to_drm_gem_shmem_obj(obj));
	if (IS_ERR(sgt))
		return PTR_ERR(sgt);

	if (drm_prime_get_contiguous_size(sgt) < size)
		return -EINVAL;

	*address = sg_dma_address(sgt->sgl);
	if (!IS_ALIGNED(*address, PAGE_SIZE))
		return -EINVAL;

	return upper_32_bits((u64)*address + obj->size - 1) ? -EINVAL : 0;
}

/**
 * vivgpu_dumb_create - DRM_IOCTL_MODE_CREATE_DUMB
 * @file: the caller
 * @drm: the device
 * @args: &struct drm_mode_create_dumb
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_dumb_create(struct drm_file *file, struct drm_device *drm,
		       struct drm_mode_create_dumb *args)
{
	u64 pitch = DIV_ROUND_UP_ULL((u64)args->width * args->bpp, 8);
	u64 size;

	pitch = round_up(pitch, DUMB_PITCH_ALIGN);
	/* If this overflows, the pitch has more than 32 bits. */
	size = PAGE_ALIGN(pitch * round_up((u64)args->height, DUMB_HEIGHT_ALIGN));
	if (pitch > U32_MAX)
		return -EINVAL;

	args->pitch = pitch;
	args->size = size;
	return vivgpu_contiguous_new(file, size, &args->handle);
}

/*
 * DOC: Shrinker of purgeable buffers
 *
 * A client marks a buffer whose contents it does not need with BO_MADVISE and
 * DRM_VIVGPU_MADV_DONTNEED. When memory is short, such a buffer is purged in two steps:
 *
 * 1. If no job uses it, it is unmapped from all GPU address spaces. From then on it
 *    counts as lost and submits that name it fail.
 * 2. Its pages are freed, after the jobs have ended that were in the ring at the time of
 *    step 1: until the next MMU flush the GPU's translation buffers may hold its address.
 *
 * With an idle ring both steps happen in one call. A submit checks again, with its
 * buffers' reservations locked, whether they are lost; step 1 locks the reservation, too.
 *
 * Reclaim may be entered with any mutex or reservation locked, so those are only tried here.
 */

/* True if all jobs that were in the ring when the buffer was unmapped have ended. */
static bool vivgpu_gem_shrink_is_unused(struct vivgpu_device *vdev, const struct vivgpu_bo *bo)
{
	unsigned long flags;
	bool done;

	spin_lock_irqsave(&vdev->lock, flags);
	done = bo->purge_seqno <= vdev->done_seqno;
	spin_unlock_irqrestore(&vdev->lock, flags);
	return done;
}

/* Step 1; reservation and purge_lock are held. Returns true if the buffer is lost. */
static bool vivgpu_gem_shrink_unmap(struct vivgpu_bo *bo)
{
	struct drm_gem_object *obj = &bo->base.base;

	if (bo->purged)
		return true;
	if (!drm_gem_shmem_is_purgeable(&bo->base) || !xa_empty(&bo->vmaps) ||
	    !dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_BOOKKEEP))
		return false;

	bo->purged = vivgpu_vm_unmap_all(bo);
	return bo->purged;
}

/*
 * Do both steps as far as possible. Returns the number of pages freed. Whether the buffer is
 * purgeable is asked again, since step 1 may have been done by an earlier call.
 */
static unsigned long vivgpu_gem_shrink_purge(struct vivgpu_device *vdev, struct vivgpu_bo *bo)
{
	unsigned long pages = bo->base.base.size >> PAGE_SHIFT;

	if (!vivgpu_gem_shrink_unmap(bo) || !vivgpu_gem_shrink_is_unused(vdev, bo) ||
	    !drm_gem_shmem_is_purgeable(&bo->base))
		return 0;

	vivgpu_stretch(VIVGPU_STRETCH_SHRINK);
	list_del_init(&bo->purgeable);
	drm_gem_shmem_purge_locked(&bo->base);
	return pages;
}

static unsigned long vivgpu_gem_shrink_count(struct shrinker *shrinker,
					     struct shrink_control *control)
{
	struct vivgpu_device *vdev = shrinker->private_data;
	unsigned long pages = 0;
	struct vivgpu_bo *bo;

	if (!mutex_trylock(&vdev->purge_lock))
		return 0;

	list_for_each_entry(bo, &vdev->purgeable, purgeable) {
		if (drm_gem_shmem_is_purgeable(&bo->base))
			pages += bo->base.base.size >> PAGE_SHIFT;
	}
	mutex_unlock(&vdev->purge_lock);
	return pages ?: SHRINK_EMPTY;
}

static unsigned long vivgpu_gem_shrink_scan(struct shrinker *shrinker,
					    struct shrink_control *control)
{
	struct vivgpu_device *vdev = shrinker->private_data;
	struct vivgpu_bo *bo, *next;
	unsigned long freed = 0;

	if (!mutex_trylock(&vdev->purge_lock))
		return SHRINK_STOP;

	list_for_each_entry_safe(bo, next, &vdev->purgeable, purgeable) {
		if (freed >= control->nr_to_scan)
			break;
		if (!dma_resv_trylock(bo->base.base.resv))
			continue;
		freed += vivgpu_gem_shrink_purge(vdev, bo);
		dma_resv_unlock(bo->base.base.resv);
	}
	mutex_unlock(&vdev->purge_lock);
	return freed ?: SHRINK_STOP;
}

/**
 * vivgpu_shrink_init - register the shrinker
 * @vdev: the device
 *
 * Return: 0 or -ENOMEM.
 */
int vivgpu_shrink_init(struct vivgpu_device *vdev)
{
	struct shrinker *shrinker = shrinker_alloc(0, "drm-vivgpu:%s", dev_name(vdev->drm.dev));

	if (!shrinker)
		return -ENOMEM;

	shrinker->count_objects = vivgpu_gem_shrink_count;
	shrinker->scan_objects = vivgpu_gem_shrink_scan;
	shrinker->private_data = vdev;
	vdev->shrinker = shrinker;
	shrinker_register(shrinker);
	return 0;
}

/**
 * vivgpu_shrink_fini - unregister the shrinker
 * @vdev: the device
 */
void vivgpu_shrink_fini(struct vivgpu_device *vdev)
{
	shrinker_free(vdev->shrinker);
}

/**
 * vivgpu_gem_shrink_remove - remove a buffer that is being freed from the purgeable list
 * @obj: the buffer
 */
static void vivgpu_gem_shrink_remove(struct drm_gem_object *obj)
{
	struct vivgpu_device *vdev = to_vivgpu(obj->dev);

	mutex_lock(&vdev->purge_lock);
	list_del_init(&to_vivgpu_bo(obj)->purgeable);
	mutex_unlock(&vdev->purge_lock);
}

/* Set a buffer's advice; reservation held. Returns true if it still has its contents. */
static bool vivgpu_gem_shrink_set_madv(struct vivgpu_device *vdev, struct vivgpu_bo *bo, u32 madv)
{
	bool retained;

	/* Buffers that other devices may use are never purged. */
	if (bo->base.base.import_attach || vivgpu_gem_is_contiguous(&bo->base.base))
		return true;

	mutex_lock(&vdev->purge_lock);
	retained = !bo->purged;
	if (retained) {
		drm_gem_shmem_madvise_locked(&bo->base, madv);
		vivgpu_stretch(VIVGPU_STRETCH_MADVISE);
		if (madv == DRM_VIVGPU_MADV_DONTNEED)
			list_move_tail(&bo->purgeable, &vdev->purgeable);
		else
			list_del_init(&bo->purgeable);
	}
	mutex_unlock(&vdev->purge_lock);
	return retained;
}

/**
 * vivgpu_ioctl_bo_madvise - DRM_IOCTL_VIVGPU_BO_MADVISE
 * @drm: the device
 * @data: &struct drm_vivgpu_bo_madvise
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_bo_madvise(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_bo_madvise *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->pad || args->madv > DRM_VIVGPU_MADV_DONTNEED)
		return -EINVAL;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;

	ret = dma_resv_lock_interruptible(obj->resv, NULL);
	if (!ret) {
		args->retained =
			vivgpu_gem_shrink_set_madv(to_vivgpu(drm), to_vivgpu_bo(obj), args->madv);
		dma_resv_unlock(obj->resv);
	}
	drm_gem_object_put(obj);
	return ret;
}

/*
 * Buffer objects: GEM shmem objects. The CPU maps them write-combined, or cached
 * with DRM_VIVGPU_BO_CACHED; BO_PREP and BO_FINI do the cache maintenance of the latter.
 */

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
	vivgpu_gem_shrink_remove(obj);
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

/* The layouts that the display reads; it does not read those of cores with several pixel pipes. */
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
