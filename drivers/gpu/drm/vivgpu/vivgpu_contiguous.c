// SPDX-License-Identifier: GPL-2.0-only
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

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include <drm/drm_device.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_mode.h>
#include <drm/drm_prime.h>

#include <kunit/visibility.h>

#include "vivgpu_compat.h"
#include "vivgpu_contiguous.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_gem_va.h"

/* The resolve engine (RS) accesses whole lines of 64 bytes, four rows at once. */
#define DUMB_PITCH_ALIGN	64
#define DUMB_HEIGHT_ALIGN	4

static void vivgpu_contiguous_free_object(struct drm_gem_object *obj)
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
static int vivgpu_contiguous_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
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

static enum drm_gem_object_status vivgpu_contiguous_object_status(struct drm_gem_object *obj)
{
	return DRM_GEM_OBJECT_RESIDENT;
}

static const struct drm_gem_object_funcs vivgpu_contiguous_object_funcs = {
	.free = vivgpu_contiguous_free_object,
	.open = vivgpu_gem_open,
	.close = vivgpu_gem_close,
	.status = vivgpu_contiguous_object_status,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = drm_gem_shmem_object_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = drm_gem_shmem_object_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = vivgpu_contiguous_mmap,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

static int vivgpu_contiguous_alloc_pages(struct drm_gem_shmem_object *shmem)
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

	shmem->base.funcs = &vivgpu_contiguous_object_funcs;
	/* x86 is cache coherent, and write-combining would need set_memory_wc() on the pages. */
	shmem->map_wc = !IS_ENABLED(CONFIG_X86);
	ret = vivgpu_contiguous_alloc_pages(shmem);
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
bool vivgpu_gem_is_contiguous(const struct drm_gem_object *obj)
{
	return obj->funcs == &vivgpu_contiguous_object_funcs;
}

/**
 * vivgpu_contiguous_address - get a contiguous buffer's bus address
 * @obj: the buffer, own or imported; its reservation is locked here
 * @size: bytes that have to be contiguous
 * @address: the bus address, constant for the lifetime of the buffer
 *
 * Return: 0; -EINVAL if the buffer is not contiguous, not of whole pages or not below 4 GiB;
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
	size = PAGE_ALIGN(pitch * round_up((u64)args->height, DUMB_HEIGHT_ALIGN));
	if (pitch > U32_MAX)
		return -EINVAL;

	args->pitch = pitch;
	args->size = size;
	return vivgpu_contiguous_new(file, size, &args->handle);
}
