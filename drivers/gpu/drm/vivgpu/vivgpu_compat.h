/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compatibility with Linux 6.12 and 7.2. The driver uses the newest kernel's names; this header maps
 * them to those of 6.12, and what 7.3 changed to that of 7.2. It includes all headers that declare
 * either name first, so that the macros do not change them. 6.12 is recognised by its
 * drm_fbdev_shmem.h, which does not define DRM_FBDEV_SHMEM_DRIVER_OPS.
 */
#ifndef VIVGPU_COMPAT_H
#define VIVGPU_COMPAT_H

#include <linux/dma-fence-array.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/thermal.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_fbdev_shmem.h>
#include <drm/drm_file.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/gpu_scheduler.h>

#ifdef DRM_FBDEV_SHMEM_DRIVER_OPS

#include <linux/cgroup_dmem.h>
#include <linux/version.h>

#include <drm/clients/drm_client_setup.h>
#include <drm/drm_drv.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)

/* A region is described by its size only. */
struct dmem_cgroup_init {
	u64 size;
};

#define drmm_cgroup_register_region(drm, name, init) \
	drmm_cgroup_register_region(drm, name, (init)->size)

#endif

#define VIVGPU_COMPAT_FORMAT_INFO(info, drm, cmd)

/* In 6.12 clients have no names. */
static inline void vivgpu_compat_show_client_name(struct seq_file *m, struct drm_file *file)
{
	mutex_lock(&file->client_name_lock);
	if (file->client_name)
		seq_printf(m, "drm-client-name:\t%s\n", file->client_name);
	mutex_unlock(&file->client_name_lock);
}

#else /* 6.12 */

/* 6.12 has no cgroup controller for regions of devices: nothing is limited. */
struct dmem_cgroup_pool_state;
struct dmem_cgroup_region;

struct dmem_cgroup_init {
	u64 size;
};

static inline struct dmem_cgroup_region *
drmm_cgroup_register_region(struct drm_device *drm, const char *name,
			    const struct dmem_cgroup_init *init)
{
	return NULL;
}

static inline int dmem_cgroup_try_charge(struct dmem_cgroup_region *region, u64 size,
					 struct dmem_cgroup_pool_state **pool,
					 struct dmem_cgroup_pool_state **limit)
{
	return 0;
}

static inline void dmem_cgroup_uncharge(struct dmem_cgroup_pool_state *pool, u64 size)
{
}

/* An array of fences can signal with the first of them. */
#define dma_fence_array_create(count, fences, context, seqno) \
	dma_fence_array_create(count, fences, context, seqno, false)

/* The function of a timer is set by an assignment. */
#define hrtimer_setup(timer, callback, clock, mode)	\
	do {						\
		hrtimer_init(timer, clock, mode);	\
		(timer)->function = (callback);		\
	} while (0)

/* Symbol namespaces are identifiers in 6.12 and strings later. */
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns)	MODULE_INFO(import_ns, ns)

#define timer_container_of	from_timer

/* Later kernels warn about the old names of these workqueues. */
#define system_percpu_wq	system_wq
#define system_dfl_wq		system_unbound_wq

/* struct drm_atomic_state was renamed. */
#define drm_atomic_commit	drm_atomic_state

/* The unsuffixed functions lock the reservation themselves only in newer kernels. */
#define drm_gem_vmap(obj, map)		drm_gem_vmap_unlocked(obj, map)
#define drm_gem_vunmap(obj, map)	drm_gem_vunmap_unlocked(obj, map)

/* Callers of these hold the reservation lock. */
#define drm_gem_shmem_put_pages_locked(shmem)	drm_gem_shmem_put_pages(shmem)
#define drm_gem_shmem_madvise_locked(shmem, madv) drm_gem_shmem_madvise(shmem, madv)
#define drm_gem_shmem_purge_locked(shmem)	drm_gem_shmem_purge(shmem)

/* In 6.12 an object's pages_use_count is an integer, not a refcount_t. */
#define refcount_set(count, n)			(*(count) = (n))

/* 6.12 shows memory in use for all drivers. */
#define DRM_GEM_OBJECT_ACTIVE			0

/* 6.12 has neither this status nor the error argument. */
#define DRM_GPU_SCHED_STAT_RESET	DRM_GPU_SCHED_STAT_NOMINAL
#define drm_sched_start(sched, error)	drm_sched_start(sched)

/* 6.12 requires a date of the driver, and sets up fbdev without a client. */
#define DRM_FBDEV_SHMEM_DRIVER_OPS	.date = "20261120"
#define drm_client_setup(drm, format)	drm_fbdev_shmem_setup(drm, 32)

#define vivgpu_compat_show_client_name(m, file)

/* The newest kernel passes the format of a framebuffer to .fb_create. */
#define VIVGPU_COMPAT_FORMAT_INFO(info, drm, cmd) \
	const struct drm_format_info *info = drm_get_format_info(drm, cmd);
#define vivgpu_kms_fb_create(drm, file, info, cmd)	vivgpu_kms_fb_create(drm, file, cmd)
#define drm_gem_fb_create(drm, file, info, cmd)		drm_gem_fb_create(drm, file, cmd)

/* In the newest kernel a node may have several cooling devices. */
#define thermal_of_cooling_device_register(node, id, name, data, ops) \
	thermal_of_cooling_device_register(node, name, data, ops)

/* The newest kernel passes whether an asynchronous commit is a page flip. */
#define vivgpu_cursor_atomic_async_check(plane, all, flip) \
	vivgpu_cursor_atomic_async_check(plane, all)

#endif
#endif
