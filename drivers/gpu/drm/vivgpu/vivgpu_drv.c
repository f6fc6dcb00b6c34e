// SPDX-License-Identifier: GPL-2.0-only
/*
 * The DRM driver: opening and closing of files, the table of calls, and the calls that only
 * read.
 */

#include <linux/module.h>
#include <linux/timekeeping.h>

#include <drm/drm_fbdev_shmem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_print.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fence.h"
#include "vivgpu_gem.h"
#include "vivgpu_job.h"
#include "vivgpu_kms.h"
#include "vivgpu_mmu.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_queue.h"
#include "vivgpu_regs.h"
#include "vivgpu_sched.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"
#include "vivgpu_submit.h"

static int vivgpu_drv_create_file(struct vivgpu_device *vdev, struct drm_file *file)
{
	struct vivgpu_file *vfile;
	int ret;

	vfile = kzalloc(sizeof(*vfile), GFP_KERNEL_ACCOUNT);
	if (!vfile)
		return -ENOMEM;

	vfile->client = vivgpu_client_create(vdev, file->client_id);
	if (IS_ERR(vfile->client)) {
		ret = PTR_ERR(vfile->client);
		goto err_free;
	}

	vfile->compat = vivgpu_queue_create(vdev, DRM_SCHED_PRIORITY_NORMAL, NULL);
	if (IS_ERR(vfile->compat)) {
		ret = PTR_ERR(vfile->compat);
		goto err_client;
	}

	vfile->vm = vfile->client->vm;
	xa_init_flags(&vfile->queues, XA_FLAGS_ALLOC1);
	file->driver_priv = vfile;
	return 0;

err_client:
	vivgpu_client_put(vfile->client);
err_free:
	kfree(vfile);
	return ret;
}

/*
 * Page tables are allocated with the DMA API and an MMU of version 1 shares its address space
 * with the device, so the device must not be unbound meanwhile.
 */
static int vivgpu_drv_open(struct drm_device *drm, struct drm_file *file)
{
	int ret, cookie;

	if (!drm_dev_enter(drm, &cookie))
		return -ENODEV;

	ret = vivgpu_drv_create_file(to_vivgpu(drm), file);
	drm_dev_exit(cookie);
	return ret;
}

/* The queues are closed one after the other, and share the bound of the wait: @until. */
static void vivgpu_drv_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	unsigned long until = vivgpu_queue_close_bound();
	struct vivgpu_queue *queue;
	unsigned long id;

	xa_for_each(&vfile->queues, id, queue)
		vivgpu_queue_close(queue, &until);
	xa_destroy(&vfile->queues);
	vivgpu_queue_close(vfile->compat, &until);
	vivgpu_sched_wait_freed(vfile->client);
	vivgpu_stretch(VIVGPU_STRETCH_FILE_CLOSE);
	vivgpu_client_put(vfile->client);
	kfree(vfile);
}

static u64 vivgpu_drv_identity_param(const struct vivgpu_identity *id, u32 param)
{
	switch (param) {
	case DRM_VIVGPU_PARAM_MODEL:
		return id->model;
	case DRM_VIVGPU_PARAM_REVISION:
		return id->revision;
	case DRM_VIVGPU_PARAM_PRODUCT_ID:
		return id->product;
	case DRM_VIVGPU_PARAM_CUSTOMER_ID:
		return id->customer;
	default:
		return id->eco;
	}
}

/* Resolution in ns of ktime_get(), from which time stamps come; timers have another. */
static u32 vivgpu_drv_clock_resolution_ns(void)
{
	return max(ktime_get_resolution_ns(), 1u);
}

static int vivgpu_drv_get_param(struct vivgpu_device *vdev, u32 param, u64 *value)
{
	switch (param) {
	case DRM_VIVGPU_PARAM_MODEL ... DRM_VIVGPU_PARAM_ECO_ID:
		*value = vivgpu_drv_identity_param(&vdev->identity, param);
		return 0;
	case DRM_VIVGPU_PARAM_FEATURES_0 ... DRM_VIVGPU_PARAM_FEATURES_0 + VIVGPU_FEATURE_WORDS - 1:
		*value = vdev->identity.features[param - DRM_VIVGPU_PARAM_FEATURES_0];
		return 0;
	case DRM_VIVGPU_PARAM_SPECS_0 ... DRM_VIVGPU_PARAM_SPECS_0 + VIVGPU_SPECS_WORDS - 1:
		*value = vdev->identity.specs[param - DRM_VIVGPU_PARAM_SPECS_0];
		return 0;
	case DRM_VIVGPU_PARAM_CORE_CLOCK:
		*value = vdev->clock_hz;
		return 0;
	case DRM_VIVGPU_PARAM_MAX_POINTS:
		*value = VIVGPU_MAX_POINTS;
		return 0;
	case DRM_VIVGPU_PARAM_MAX_STREAM:
		*value = VIVGPU_MAX_CMD_BYTES;
		return 0;
	case DRM_VIVGPU_PARAM_TIME_QUANTUM:
		*value = vivgpu_drv_clock_resolution_ns();
		return 0;
	case DRM_VIVGPU_PARAM_CYCLE_BITS:
		*value = 32;
		return 0;
	case DRM_VIVGPU_PARAM_MAX_COUNTERS:
		*value = VIVGPU_MAX_COUNTERS;
		return 0;
	case DRM_VIVGPU_PARAM_TIME_UNCERTAINTY:
		*value = READ_ONCE(vdev->clock.min_latency_ns);
		return 0;
	case DRM_VIVGPU_PARAM_STREAM_RECORDS:
		*value = VIVGPU_STREAM_RECORDS;
		return 0;
	case DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS:
		*value = vivgpu_stream_max_records();
		return 0;
	case DRM_VIVGPU_PARAM_DEADLINES:
	case DRM_VIVGPU_PARAM_PROGRESS:
	case DRM_VIVGPU_PARAM_BOUNDS:
		*value = 1;
		return 0;
	case DRM_VIVGPU_PARAM_BLOCKING:
		*value = READ_ONCE(vdev->deadlines.arbiter.admitted.blocking_ns);
		return 0;
	case DRM_VIVGPU_PARAM_NEXT_VBLANK:
		*value = vivgpu_kms_next_vblank(vdev);
		return 0;
	case DRM_VIVGPU_PARAM_VBLANK_PERIOD:
		*value = vivgpu_kms_vblank_period(vdev);
		return 0;
	case DRM_VIVGPU_PARAM_MAX_PIECE:
		*value = vivgpu_deadline_max_piece(&vdev->deadlines);
		return 0;
	case DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL:
		*value = vivgpu_stream_min_exact_interval();
		return 0;
	default:
		return -EINVAL;
	}
}

static int vivgpu_drv_ioctl_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_vivgpu_get_param *args = data;

	return args->pad ? -EINVAL :
			   vivgpu_drv_get_param(to_vivgpu(drm), args->param, &args->value);
}

static int vivgpu_drv_ioctl_get_time(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_device *vdev = to_vivgpu(drm);
	struct drm_vivgpu_get_time *args = data;
	u64 before, after;
	bool dead;

	if (args->flags)
		return -EINVAL;

	/* A suspended core is not resumed for this: its cycle count does not change. */
	spin_lock_irq(&vdev->lock);
	before = ktime_get_ns();
	vivgpu_core_update_clock(vdev);
	after = ktime_get_ns();
	args->gpu_cycles = vdev->clock.cycles;
	dead = vdev->dead;
	spin_unlock_irq(&vdev->lock);
	if (dead)
		return -ENODEV;

	args->cpu_ns = before + (after - before) / 2;
	args->uncertainty_ns = DIV_ROUND_UP(after - before, 2) + vivgpu_drv_clock_resolution_ns();
	return 0;
}

static int vivgpu_drv_ioctl_reset_query(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_vivgpu_reset_query *args = data;
	struct vivgpu_queue *queue;
	int ret = 0;

	if (args->flags)
		return -EINVAL;

	args->resets = READ_ONCE(to_vivgpu(drm)->resets);
	if (!args->queue) {
		args->guilty = atomic_read(&vfile->client->guilty);
		return 0;
	}

	xa_lock(&vfile->queues);
	queue = xa_load(&vfile->queues, args->queue);
	vivgpu_stretch_spin(VIVGPU_STRETCH_QUEUE_QUERY);
	if (queue)
		args->guilty = atomic_read(&queue->guilty);
	else
		ret = -ENOENT;
	xa_unlock(&vfile->queues);
	return ret;
}

#define NATIVE(name, function) \
	DRM_IOCTL_DEF_DRV(VIVGPU_##name, function, DRM_RENDER_ALLOW)

#define COMPAT(name, function) \
	DRM_IOCTL_DEF_DRV(ETNAVIV_##name, function, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc vivgpu_drv_ioctls[] = {
#ifdef CONFIG_DRM_VIVGPU_ETNAVIV_ABI
	COMPAT(GET_PARAM, vivgpu_etnaviv_get_param),
	COMPAT(GEM_NEW, vivgpu_etnaviv_gem_new),
	COMPAT(GEM_INFO, vivgpu_etnaviv_gem_info),
	COMPAT(GEM_CPU_PREP, vivgpu_etnaviv_cpu_prep),
	COMPAT(GEM_CPU_FINI, vivgpu_etnaviv_cpu_fini),
	COMPAT(GEM_SUBMIT, vivgpu_etnaviv_submit),
	COMPAT(WAIT_FENCE, vivgpu_etnaviv_wait_fence),
	COMPAT(GEM_WAIT, vivgpu_etnaviv_gem_wait),
	COMPAT(PM_QUERY_DOM, vivgpu_etnaviv_query_domain),
	COMPAT(PM_QUERY_SIG, vivgpu_etnaviv_query_signal),
#endif
	NATIVE(GET_PARAM, vivgpu_drv_ioctl_get_param),
	NATIVE(BO_CREATE, vivgpu_ioctl_bo_create),
	NATIVE(BO_INFO, vivgpu_ioctl_bo_info),
	NATIVE(BO_PREP, vivgpu_ioctl_bo_prep),
	NATIVE(BO_FINI, vivgpu_ioctl_bo_fini),
	NATIVE(BO_LABEL, vivgpu_ioctl_bo_label),
	NATIVE(BO_MADVISE, vivgpu_ioctl_bo_madvise),
	NATIVE(QUEUE_CREATE, vivgpu_ioctl_queue_create),
	NATIVE(QUEUE_DESTROY, vivgpu_ioctl_queue_destroy),
	NATIVE(SUBMIT, vivgpu_ioctl_submit),
	NATIVE(GET_TIME, vivgpu_drv_ioctl_get_time),
	NATIVE(STREAM_OPEN, vivgpu_ioctl_stream_open),
	NATIVE(RESET_QUERY, vivgpu_drv_ioctl_reset_query),
	NATIVE(PERF_DOMAIN, vivgpu_ioctl_perf_domain),
	NATIVE(PERF_SIGNAL, vivgpu_ioctl_perf_signal),
	NATIVE(USAGE, vivgpu_ioctl_usage),
	NATIVE(BO_MODIFIER, vivgpu_ioctl_bo_modifier),
	NATIVE(JOB_WAIT, vivgpu_ioctl_job_wait),
};

static const struct file_operations vivgpu_drv_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = vivgpu_fdinfo_show,
};

#ifdef CONFIG_DRM_VIVGPU_KMS
#define KMS_FEATURES	(DRIVER_MODESET | DRIVER_ATOMIC)
#else
#define KMS_FEATURES	0
#endif

const struct drm_driver vivgpu_drm_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE |
			   KMS_FEATURES,
	.open = vivgpu_drv_open,
	.postclose = vivgpu_drv_postclose,
#ifdef CONFIG_DEBUG_FS
	.debugfs_init = vivgpu_debugfs_init,
#endif
	.ioctls = vivgpu_drv_ioctls,
	.num_ioctls = ARRAY_SIZE(vivgpu_drv_ioctls),
	.fops = &vivgpu_drv_fops,
	.gem_create_object = vivgpu_gem_create_object,
	.gem_prime_import = vivgpu_gem_import,
	.gem_prime_import_sg_table = drm_gem_shmem_prime_import_sg_table,
	.dumb_create = vivgpu_dumb_create,
	DRM_FBDEV_SHMEM_DRIVER_OPS,
	.name = "vivgpu",
	.desc = "Vivante GC cores",
	.major = 1,
	.minor = 5,
};
