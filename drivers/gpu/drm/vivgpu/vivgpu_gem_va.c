// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses of buffers: a buffer has one in a file's address space as long as the file has a
 * handle of it.
 */

#include <drm/drm_file.h>
#include <drm/drm_gem.h>

#include "vivgpu_drv.h"
#include "vivgpu_gem_va.h"
#include "vivgpu_mmu.h"

/* Has a file a handle of a buffer, besides the one that is being closed? */
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
 * vivgpu_gem_map - find or make a buffer's address in a file's address space
 * @file: the file
 * @obj: the buffer, by a handle of the file
 * @fixed: the address wanted, or 0
 * @va: the address
 *
 * Another thread may close the handle after it was looked up. If the buffer had no
 * address at that moment, vivgpu_gem_close() found nothing to take away.
 *
 * Return: as vivgpu_vm_map(), 0 if the buffer is new; -ENOENT if the handle is gone.
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
 * vivgpu_gem_close - a file's handle went; with the last one its address goes
 * @obj: the buffer
 * @file: the file
 *
 * A buffer that has a name can have several handles in a file.
 */
void vivgpu_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	if (READ_ONCE(obj->handle_count) > 1 && vivgpu_gem_va_has_handle(file, obj))
		return;

	vivgpu_vm_close(vfile->vm, obj);
}
