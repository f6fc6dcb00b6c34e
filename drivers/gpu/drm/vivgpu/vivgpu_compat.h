/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver is written for the newest kernel. What 6.12 calls otherwise gets its newest name
 * here, after all headers of the kernel that declare something of either name. 6.12 is told by
 * its drm_fbdev_shmem.h, which does not define DRM_FBDEV_SHMEM_DRIVER_OPS.
 */
#ifndef VIVGPU_COMPAT_H
#define VIVGPU_COMPAT_H

#include <linux/module.h>
#include <linux/timer.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_fbdev_shmem.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/gpu_scheduler.h>

#ifdef DRM_FBDEV_SHMEM_DRIVER_OPS

#include <drm/clients/drm_client_setup.h>

#define VIVGPU_COMPAT_FORMAT_INFO(info, drm, cmd)

#else /* 6.12 */

/* Names of modules' symbols are strings. */
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns)	MODULE_INFO(import_ns, ns)

#define timer_container_of	from_timer

/* What a commit changes is a structure drm_atomic_commit. */
#define drm_atomic_commit	drm_atomic_state

/* These two take the reservation lock themselves. */
#define drm_gem_vmap(obj, map)		drm_gem_vmap_unlocked(obj, map)
#define drm_gem_vunmap(obj, map)	drm_gem_vunmap_unlocked(obj, map)

/* Callers of these hold the reservation lock. */
#define drm_gem_shmem_put_pages_locked(shmem)	drm_gem_shmem_put_pages(shmem)
#define drm_gem_shmem_madvise_locked(shmem, madv) drm_gem_shmem_madvise(shmem, madv)
#define drm_gem_shmem_purge_locked(shmem)	drm_gem_shmem_purge(shmem)

/* The count of users of an object's pages is a plain integer. */
#define refcount_set(count, n)			(*(count) = (n))

/* Memory in use is always shown. */
#define DRM_GEM_OBJECT_ACTIVE			0

/* What follows a job that hung, and the error of jobs that do not run again. */
#define DRM_GPU_SCHED_STAT_RESET	DRM_GPU_SCHED_STAT_NOMINAL
#define drm_sched_start(sched, error)	drm_sched_start(sched)

/* The driver's date must be there, and is nowhere else since. */
#define DRM_FBDEV_SHMEM_DRIVER_OPS	.date = "20261120"
#define drm_client_setup(drm, format)	drm_fbdev_shmem_setup(drm, 32)

/* DRM looks the format of a framebuffer up, and hands it to the driver and back. */
#define VIVGPU_COMPAT_FORMAT_INFO(info, drm, cmd) \
	const struct drm_format_info *info = drm_get_format_info(drm, cmd);
#define vivgpu_kms_fb_create(drm, file, info, cmd)	vivgpu_kms_fb_create(drm, file, cmd)
#define drm_gem_fb_create(drm, file, info, cmd)		drm_gem_fb_create(drm, file, cmd)

/* An asynchronous commit is a page flip or not. */
#define vivgpu_cursor_atomic_async_check(plane, all, flip) \
	vivgpu_cursor_atomic_async_check(plane, all)

#endif
#endif
