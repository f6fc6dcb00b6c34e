// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU addresses of buffers: a buffer has one in a file's address space as long as the file
 * has a handle of it or jobs use it.
 */

#include <drm/drm_file.h>
#include <drm/drm_gem.h>

#include "vivgpu_drv.h"
#include "vivgpu_gem_va.h"
#include "vivgpu_mmu.h"
#include "vivgpu_stretch.h"

/* True if the file has a handle of the buffer; a handle that is being closed does not count. */
static bool vivgpu_gem_va_has_handle(struct drm_file *file, const struct drm_gem_object *obj)
{
	struct drm_gem_object *other;
	bool found = false;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, other, id)
		found |= other == obj;
	spin_unlock(&file->table_lock);
	return found;
}

/**
 * vivgpu_gem_map - find a buffer's address in a file's address space, or map it
 * @file: the file
 * @obj: the buffer, by a handle of the file
 * @fixed: address to map it at, or 0 for any
 * @va: receives the address
 *
 * Another thread may close the handle after it was looked up. If the buffer was not
 * mapped yet at that moment, vivgpu_gem_close() could not unmap it. So a new mapping is
 * closed here if the file has no handle any more.
 *
 * Return: 0, -ENOENT if the handle was closed, or an error of vivgpu_vm_map().
 */
int vivgpu_gem_map(struct drm_file *file, struct drm_gem_object *obj, u64 fixed, u64 *va)
{
	struct vivgpu_file *vfile = file->driver_priv;
	int ret = vivgpu_vm_map(vfile->vm, obj, fixed, va);

	if (ret <= 0 || vivgpu_gem_va_has_handle(file, obj))
		return min(ret, 0);

	vivgpu_vm_close(vfile->vm, obj);
	return -ENOENT;
}

/**
 * vivgpu_gem_close - close the mapping if a file closed its last handle of a buffer
 * @obj: the buffer
 * @file: the file
 *
 * A buffer that has a flink name can have several handles in a file.
 */
void vivgpu_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	if (READ_ONCE(obj->handle_count) > 1 && vivgpu_gem_va_has_handle(file, obj))
		return;

	vivgpu_stretch(VIVGPU_STRETCH_GEM_CLOSE);
	vivgpu_vm_close(vfile->vm, obj);
}
