// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Results in buffers
 *
 * The driver writes timestamps, counts and numbers of ended jobs into clients' buffers, from
 * interrupts. A result has 16 bytes or fewer, and a buffer can be large, so only the page that the
 * result begins in is mapped for the kernel, and the next one, where it may end.
 *
 * Jobs that write to the same page share a mapping. It has the CPU attributes of the client's own
 * mapping; the kernel's linear mapping has others, so on a device that is not cache coherent what
 * is written there is not seen by the client.
 */

#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>

#include <drm/drm_gem_shmem_helper.h>

#include <kunit/visibility.h>

#include "vivgpu_gem.h"
#include "vivgpu_gem_vmap.h"

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
