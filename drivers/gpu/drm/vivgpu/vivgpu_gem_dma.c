// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA mappings of buffers: buffers that are mapped for DMA are in a list of the device, so
 * that all of them can be unmapped when the device is unbound.
 */

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/wait.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem_shmem_helper.h>

#include "vivgpu_device.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_stretch.h"

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
