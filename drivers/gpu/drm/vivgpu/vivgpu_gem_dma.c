// SPDX-License-Identifier: GPL-2.0-only

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include <kunit/visibility.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem_shmem_helper.h>

#include "vivgpu_device.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_stretch.h"

/*
 * DMA mappings of buffers: buffers that are mapped for DMA are in a list of the device, so
 * that all of them can be unmapped when the device is unbound.
 */

/* DMA-unmap a buffer's memory; its pages and the CPU's mappings stay. */
static void vivgpu_gem_dma_unmap(struct vivgpu_bo *bo)
{
	struct drm_gem_object *obj = &bo->base.base;
	struct sg_table *sgt;

	dma_resv_lock(obj->resv, NULL);
	sgt = bo->base.sgt;
	bo->base.sgt = NULL;
	if (sgt && obj->import_attach) {
		dma_buf_unmap_attachment(obj->import_attach, sgt, DMA_BIDIRECTIONAL);
	} else if (sgt) {
		dma_unmap_sgtable(obj->dev->dev, sgt, DMA_BIDIRECTIONAL, 0);
		sg_free_table(sgt);
		kfree(sgt);
	}
	dma_resv_unlock(obj->resv);
}

/**
 * vivgpu_gem_release - DMA-unmap a buffer that is being freed and stop tracking it
 * @obj: the buffer
 *
 * The buffer stays in the device's list until it is unmapped, because
 * vivgpu_gem_revoke_all() waits for the list to become empty.
 */
void vivgpu_gem_release(struct drm_gem_object *obj)
{
	struct vivgpu_device *vdev = to_vivgpu(obj->dev);
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);

	vivgpu_gem_dma_unmap(bo);
	vivgpu_stretch(VIVGPU_STRETCH_GEM_RELEASE);
	spin_lock(&vdev->bos_lock);
	list_del_init(&bo->link);
	if (list_empty(&vdev->bos))
		wake_up_all(&vdev->bos_wait);
	spin_unlock(&vdev->bos_lock);
}

/* Add a buffer to the device's list; bos_lock held. */
static void vivgpu_gem_dma_add(struct vivgpu_device *vdev, struct vivgpu_bo *bo)
{
	vivgpu_stretch_spin(VIVGPU_STRETCH_GEM_TRACK);
	list_add(&bo->link, &vdev->bos);
}

/**
 * vivgpu_gem_track - add a buffer to the list of those that are mapped for DMA
 * @obj: the buffer
 *
 * Return: 0, or -ENODEV if the device is gone.
 */
int vivgpu_gem_track(struct drm_gem_object *obj)
{
	struct vivgpu_device *vdev = to_vivgpu(obj->dev);
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);
	int ret = 0;

	spin_lock(&vdev->bos_lock);
	if (drm_dev_is_unplugged(obj->dev))
		ret = -ENODEV;
	else if (list_empty(&bo->link))
		vivgpu_gem_dma_add(vdev, bo);
	spin_unlock(&vdev->bos_lock);
	return ret;
}

static int vivgpu_gem_dma_map(struct drm_gem_object *obj)
{
	int ret = vivgpu_gem_track(obj);

	return ret ?: PTR_ERR_OR_ZERO(drm_gem_shmem_get_pages_sgt(to_drm_gem_shmem_obj(obj)));
}

/**
 * vivgpu_gem_dma_prepare - map a buffer for DMA before anybody writes to it
 * @obj: the buffer; its reservation is locked here
 *
 * On a device that is not cache coherent, mapping a buffer for DMA writes the zeroes of its new
 * pages from the CPU's caches to memory. That must not happen after something was written past
 * the caches: through a write-combined mapping, or by another device. So all paths that let the
 * CPU or other devices write to a buffer call this first.
 *
 * A buffer of another driver is mapped by that driver. A purged buffer, and any buffer of a
 * device that is gone, will not be mapped for DMA later; for them this does nothing.
 *
 * Return: 0, -ENOMEM, -EINTR if a signal is pending, or another negative error number.
 */
int vivgpu_gem_dma_prepare(struct drm_gem_object *obj)
{
	int cookie, ret;

	if (obj->import_attach || READ_ONCE(to_vivgpu_bo(obj)->purged) ||
	    !drm_dev_enter(obj->dev, &cookie))
		return 0;

	ret = vivgpu_gem_dma_map(obj);
	drm_dev_exit(cookie);
	return ret;
}

/*
 * Remove the first buffer that is not being freed from the device's list. Returns it
 * with a reference, or NULL.
 */
static struct vivgpu_bo *vivgpu_gem_dma_get_first(struct vivgpu_device *vdev)
{
	struct vivgpu_bo *bo, *found = NULL;

	spin_lock(&vdev->bos_lock);
	list_for_each_entry(bo, &vdev->bos, link) {
		if (kref_get_unless_zero(&bo->base.base.refcount)) {
			list_del_init(&bo->link);
			found = bo;
			break;
		}
	}
	spin_unlock(&vdev->bos_lock);
	return found;
}

static bool vivgpu_gem_dma_has_bos(struct vivgpu_device *vdev)
{
	bool has;

	spin_lock(&vdev->bos_lock);
	has = !list_empty(&vdev->bos);
	spin_unlock(&vdev->bos_lock);
	return has;
}

/**
 * vivgpu_gem_revoke_all - unmap all buffers from the device
 * @vdev: the device, unplugged, its address spaces revoked
 *
 * Buffers that are being freed at this time are unmapped by vivgpu_gem_release(); this
 * function waits until that has happened.
 */
void vivgpu_gem_revoke_all(struct vivgpu_device *vdev)
{
	struct vivgpu_bo *bo;

	while ((bo = vivgpu_gem_dma_get_first(vdev))) {
		vivgpu_gem_dma_unmap(bo);
		drm_gem_object_put(&bo->base.base);
	}
	wait_event(vdev->bos_wait, !vivgpu_gem_dma_has_bos(vdev));
}

/*
 * DOC: Results in buffers
 *
 * The driver writes timestamps, counts and numbers of ended jobs into clients' buffers, from
 * interrupts. A result has 16 bytes or fewer, and a buffer can be large, so only the page that the
 * result begins in is mapped for the kernel, and the next one, where it may end. Numbers of ended
 * jobs are all in the first page of their buffer.
 *
 * Jobs that write to the same page share a mapping. It has the CPU attributes of the client's own
 * mapping; the kernel's linear mapping has others, so on a device that is not cache coherent what
 * is written there is not seen by the client.
 */

/* Map a page of a buffer and the page after it, if there is one; the reservation is locked. */
static void *vivgpu_gem_vmap_pages(struct vivgpu_bo *bo, unsigned long page)
{
	unsigned long pages = bo->base.base.size >> PAGE_SHIFT;
	pgprot_t prot = PAGE_KERNEL;
	void *vaddr;
	int ret;

	if (bo->purged)
		return ERR_PTR(-EFAULT);

	ret = drm_gem_shmem_pin_locked(&bo->base);
	if (ret)
		return ERR_PTR(ret);

	if (bo->base.map_wc)
		prot = pgprot_writecombine(prot);
	vaddr = vmap(bo->base.pages + page, min(pages - page, 2ul), VM_MAP, prot);
	if (vaddr)
		return vaddr;

	drm_gem_shmem_unpin_locked(&bo->base);
	return ERR_PTR(-ENOMEM);
}

/* Add a mapping without users; the reservation is locked. */
static struct vivgpu_vmap *vivgpu_gem_vmap_add(struct vivgpu_bo *bo, unsigned long page)
{
	struct vivgpu_vmap *map = kzalloc(sizeof(*map), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!map)
		return ERR_PTR(-ENOMEM);

	map->obj = &bo->base.base;
	map->page = page;
	map->vaddr = vivgpu_gem_vmap_pages(bo, page);
	if (IS_ERR(map->vaddr)) {
		ret = PTR_ERR(map->vaddr);
		goto err_free;
	}

	ret = xa_err(xa_store(&bo->vmaps, page, map, GFP_KERNEL_ACCOUNT));
	if (ret)
		goto err_unmap;

	return map;

err_unmap:
	vunmap(map->vaddr);
	drm_gem_shmem_unpin_locked(&bo->base);
err_free:
	kfree(map);
	return ERR_PTR(ret);
}

/**
 * vivgpu_gem_vmap - map the place of a result in a buffer for the kernel
 * @obj: the buffer, not another driver's; its reservation is locked here
 * @offset: bytes from the buffer's begin, within the buffer
 * @map: receives the mapping, for vivgpu_gem_vunmap(); on success only
 *
 * Return: the kernel address of @offset, from which on a page, or the rest of the buffer, can be
 * accessed. Or an error pointer, -EFAULT if the buffer was purged.
 */
void *vivgpu_gem_vmap(struct drm_gem_object *obj, u64 offset, struct vivgpu_vmap **map)
{
	struct vivgpu_bo *bo = to_vivgpu_bo(obj);
	unsigned long page = offset >> PAGE_SHIFT;
	struct vivgpu_vmap *found;

	dma_resv_lock(obj->resv, NULL);
	found = xa_load(&bo->vmaps, page) ?: vivgpu_gem_vmap_add(bo, page);
	if (!IS_ERR(found))
		found->users++;
	dma_resv_unlock(obj->resv);
	if (IS_ERR(found))
		return ERR_CAST(found);

	*map = found;
	return found->vaddr + offset_in_page(offset);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_gem_vmap);

/**
 * vivgpu_gem_vunmap - end a use of a mapping, which is freed with the last one
 * @map: the mapping, or NULL; its buffer's reservation is locked here
 */
void vivgpu_gem_vunmap(struct vivgpu_vmap *map)
{
	struct vivgpu_bo *bo;

	if (!map)
		return;

	bo = to_vivgpu_bo(map->obj);
	dma_resv_lock(map->obj->resv, NULL);
	if (!--map->users) {
		xa_erase(&bo->vmaps, map->page);
		vunmap(map->vaddr);
		drm_gem_shmem_unpin_locked(&bo->base);
		kfree(map);
	}
	dma_resv_unlock(bo->base.base.resv);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_gem_vunmap);
