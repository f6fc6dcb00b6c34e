// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU addresses of buffers: a buffer has one in an address space as long as a file that uses the
 * space has a handle of it or jobs use it.
 */

#include <drm/drm_file.h>
#include <drm/drm_gem.h>

#include "vivgpu_drv.h"
#include "vivgpu_gem_va.h"
#include "vivgpu_mmu.h"
#include "vivgpu_stretch.h"

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
int vivgpu_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	return vivgpu_vm_open(vfile->vm, obj);
}

/**
 * vivgpu_gem_close - &drm_gem_object_funcs.close: a file closes a handle of a buffer
 * @obj: the buffer
 * @file: the file
 */
void vivgpu_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;

	vivgpu_stretch(VIVGPU_STRETCH_GEM_CLOSE);
	vivgpu_vm_close(vfile->vm, obj);
}
