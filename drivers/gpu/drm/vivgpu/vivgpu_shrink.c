// SPDX-License-Identifier: GPL-2.0-only
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
 * Reclaim may be entered with any lock held, so locks are only tried here.
 */

#include <linux/dma-resv.h>
#include <linux/shrinker.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_compat.h"
#include "vivgpu_contiguous.h"
#include "vivgpu_device.h"
#include "vivgpu_gem.h"
#include "vivgpu_mmu.h"
#include "vivgpu_shrink.h"
#include "vivgpu_stretch.h"

/* True if all jobs that were in the ring when the buffer was unmapped have ended. */
static bool vivgpu_shrink_is_unused(struct vivgpu_device *vdev, const struct vivgpu_bo *bo)
{
	unsigned long flags;
	bool done;

	spin_lock_irqsave(&vdev->lock, flags);
	done = bo->purge_seqno <= vdev->done_seqno;
	spin_unlock_irqrestore(&vdev->lock, flags);
	return done;
}

/* Step 1; reservation and purge_lock are held. Returns true if the buffer is lost. */
static bool vivgpu_shrink_unmap(struct vivgpu_bo *bo)
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

/* Do both steps as far as possible. Returns the number of pages freed. */
static unsigned long vivgpu_shrink_purge(struct vivgpu_device *vdev, struct vivgpu_bo *bo)
{
	unsigned long pages = bo->base.base.size >> PAGE_SHIFT;

	if (!vivgpu_shrink_unmap(bo) || !vivgpu_shrink_is_unused(vdev, bo) ||
	    !drm_gem_shmem_is_purgeable(&bo->base))
		return 0;

	vivgpu_stretch(VIVGPU_STRETCH_SHRINK);
	list_del_init(&bo->purgeable);
	drm_gem_shmem_purge_locked(&bo->base);
	return pages;
}

static unsigned long vivgpu_shrink_count(struct shrinker *shrinker, struct shrink_control *control)
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

static unsigned long vivgpu_shrink_scan(struct shrinker *shrinker, struct shrink_control *control)
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
		freed += vivgpu_shrink_purge(vdev, bo);
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

	shrinker->count_objects = vivgpu_shrink_count;
	shrinker->scan_objects = vivgpu_shrink_scan;
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
 * vivgpu_shrink_remove - remove a buffer that is being freed from the purgeable list
 * @obj: the buffer
 */
void vivgpu_shrink_remove(struct drm_gem_object *obj)
{
	struct vivgpu_device *vdev = to_vivgpu(obj->dev);

	mutex_lock(&vdev->purge_lock);
	list_del_init(&to_vivgpu_bo(obj)->purgeable);
	mutex_unlock(&vdev->purge_lock);
}

/* Set a buffer's advice; reservation held. Returns true if it still has its contents. */
static bool vivgpu_shrink_set_madv(struct vivgpu_device *vdev, struct vivgpu_bo *bo, u32 madv)
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
			vivgpu_shrink_set_madv(to_vivgpu(drm), to_vivgpu_bo(obj), args->madv);
		dma_resv_unlock(obj->resv);
	}
	drm_gem_object_put(obj);
	return ret;
}
