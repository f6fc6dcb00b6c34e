// SPDX-License-Identifier: GPL-2.0-only

#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/export.h>
#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <linux/moduleparam.h>
#include <linux/pm_runtime.h>

#include <kunit/static_stub.h>
#include <kunit/visibility.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "vivgpu_client.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_hw.h"
#include "vivgpu_kms.h"
#include "vivgpu_mmu.h"
#include "vivgpu_pm.h"
#include "vivgpu_regs.h"
#include "vivgpu_sched.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

/*
 * Probe and removal of the device: allocates and starts its parts in order, and stops them
 * in reverse. The bus code (PCI, platform) has mapped the registers before.
 */

/**
 * vivgpu_device_alloc - allocate the device structure, managed by its parent
 * @dev: the parent
 *
 * Return: the device, or an error pointer.
 */
struct vivgpu_device *vivgpu_device_alloc(struct device *dev)
{
	struct vivgpu_device *vdev;
	int ret;

	vdev = devm_drm_dev_alloc(dev, &vivgpu_drm_driver, struct vivgpu_device, drm);
	if (IS_ERR(vdev))
		return vdev;

	spin_lock_init(&vdev->lock);
	seqcount_spinlock_init(&vdev->usage_seq, &vdev->lock);
	INIT_LIST_HEAD(&vdev->jobs);
	INIT_LIST_HEAD(&vdev->ready_jobs);
	INIT_LIST_HEAD(&vdev->purgeable);
	vivgpu_state_init();
	vivgpu_freq_init(vdev);
	ret = vivgpu_capture_init(vdev);
	if (ret)
		return ERR_PTR(ret);

	INIT_LIST_HEAD(&vdev->streams);
	ret = drmm_mutex_init(&vdev->drm, &vdev->purge_lock);
	if (ret)
		return ERR_PTR(ret);

	ret = drmm_mutex_init(&vdev->drm, &vdev->owners_lock);
	if (ret)
		return ERR_PTR(ret);

	INIT_LIST_HEAD(&vdev->clients);
	INIT_LIST_HEAD(&vdev->queues);
	spin_lock_init(&vdev->bos_lock);
	spin_lock_init(&vdev->cmd_slots_lock);
	INIT_LIST_HEAD(&vdev->bos);
	init_waitqueue_head(&vdev->bos_wait);
	return vdev;
}

/* Identify the core, allocate the ring and the first address space, reset and start. */
static int vivgpu_device_start_core(struct vivgpu_device *vdev)
{
	struct vivgpu_vm *vm;
	int ret;

	ret = vivgpu_core_identify(vdev);
	if (ret)
		return ret;

	ret = vivgpu_core_alloc_shared(vdev);
	if (ret)
		return ret;

	vm = vivgpu_vm_create(vdev);
	if (IS_ERR(vm))
		return PTR_ERR(vm);

	vdev->vm = vm;
	vdev->clock.hz = vdev->clock_hz;
	ret = vivgpu_core_reset(vdev);
	if (ret)
		vivgpu_vm_put(vm);
	return ret;
}

/**
 * vivgpu_device_init - start the core and register the DRM device
 * @vdev: the device; the bus code has set registers, interrupt and clock rate
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_device_init(struct vivgpu_device *vdev)
{
	int ret;

	ret = vivgpu_device_start_core(vdev);
	if (ret)
		return ret;

	ret = vivgpu_dump_init(vdev);
	if (ret)
		goto err_vm;

	ret = vivgpu_sched_init(vdev);
	if (ret)
		goto err_vm;

	ret = request_irq(vdev->irq, vivgpu_irq_handler, IRQF_SHARED, "vivgpu", vdev);
	if (ret)
		goto err_vm;

	ret = vivgpu_kms_init(vdev);
	if (ret)
		goto err_irq;

	ret = vivgpu_shrink_init(vdev);
	if (ret)
		goto err_kms;

	vivgpu_pm_init(vdev);
	/* User space can open the device from here on, so everything it uses is initialised. */
	ret = drm_dev_register(&vdev->drm, 0);
	if (ret)
		goto err_pm;

	vivgpu_kms_register(vdev);
	return 0;

err_pm:
	vivgpu_pm_fini(vdev);
	vivgpu_shrink_fini(vdev);
err_kms:
	vivgpu_kms_fini(vdev);
err_irq:
	vivgpu_irq_quiesce(vdev);
	free_irq(vdev->irq, vdev);
err_vm:
	/* The front end runs in the ring, whose memory is about to be freed. */
	vivgpu_core_soft_reset(vdev);
	vivgpu_vm_put(vdev->vm);
	return ret;
}

/* Disable interrupts and stop the front end; of a suspended core both was done before. */
static void vivgpu_device_stop_core(struct vivgpu_device *vdev)
{
	bool awake = vdev->awake;

	vivgpu_irq_quiesce(vdev);
	free_irq(vdev->irq, vdev);
	if (awake)
		vivgpu_core_soft_reset(vdev);
}

/**
 * vivgpu_device_fini - unregister the DRM device and stop the core
 * @vdev: the device
 *
 * Jobs that wait or run fail with -ENODEV. Files may stay open: each call on them returns
 * -ENODEV, and nothing they hold is allocated or mapped for the device any more.
 */
void vivgpu_device_fini(struct vivgpu_device *vdev)
{
	drm_dev_unplug(&vdev->drm);
	vivgpu_stretch(VIVGPU_STRETCH_UNPLUGGED);
	vivgpu_freq_fini(vdev);
	vivgpu_shrink_fini(vdev);
	mutex_lock(&vdev->owners_lock);
	vdev->gone = true;
	mutex_unlock(&vdev->owners_lock);
	vivgpu_sched_stop(vdev);
	/* Fences of all jobs have signalled, so no page flip waits for one. */
	vivgpu_kms_fini(vdev);
	vivgpu_stream_stop(vdev);
	vivgpu_pm_fini(vdev);
	vivgpu_dump_stop(vdev);
	vivgpu_device_stop_core(vdev);
	vivgpu_stretch(VIVGPU_STRETCH_STOPPED);
	vivgpu_client_revoke_all(vdev);
	vivgpu_stretch(VIVGPU_STRETCH_REVOKED);
	vivgpu_gem_revoke_all(vdev);
	vivgpu_vm_revoke(vdev->vm);
	vivgpu_vm_put(vdev->vm);
	vdev->vm = NULL;
}

/*
 * Suspend and resume: of the idle core by runtime power management, and of the system. See
 * vivgpu_pm.c for the conditions.
 */

/* How long the core may take to become idle, and the front end to reach the END */
#define IDLE_TIMEOUT_US		10000
#define FE_STOP_TIMEOUT_US	10000

VISIBLE_IF_KUNIT u32 vivgpu_suspend_read_idle(struct vivgpu_device *vdev)
{
	KUNIT_STATIC_STUB_REDIRECT(vivgpu_suspend_read_idle, vdev);
	return vivgpu_read(vdev, HI_IDLE_STATE);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_suspend_read_idle);

/*
 * True once all units are idle but for the front end, which waits for the next job, and the
 * memory controller, from which it fetches its commands. Not asked of a core that is given up or
 * that a fault has stopped: nothing but a reset helps it.
 */
static bool vivgpu_device_core_is_idle(struct vivgpu_device *vdev)
{
	const u32 units = HI_IDLE_STATE_ALL & ~(HI_IDLE_STATE_FE | HI_IDLE_STATE_MC);
	u32 idle;

	return READ_ONCE(vdev->dead) || READ_ONCE(vdev->fault) ||
	       !read_poll_timeout(vivgpu_suspend_read_idle, idle, (idle & units) == units,
				  10, IDLE_TIMEOUT_US, false, vdev);
}

/* Stop the front end by an END, end interrupts, take the last reading of the counter. */
VISIBLE_IF_KUNIT void vivgpu_suspend_stop_core(struct vivgpu_device *vdev)
{
	u32 idle;

	KUNIT_STATIC_STUB_REDIRECT(vivgpu_suspend_stop_core, vdev);
	spin_lock_irq(&vdev->lock);
	vivgpu_ring_stop(&vdev->ring);
	vivgpu_device_ring_doorbell(vdev);
	spin_unlock_irq(&vdev->lock);

	if (read_poll_timeout(vivgpu_read, idle,
			      (idle & HI_IDLE_STATE_ALL) == HI_IDLE_STATE_ALL,
			      10, FE_STOP_TIMEOUT_US, false, vdev, HI_IDLE_STATE))
		drm_warn(&vdev->drm, "not idle before sleep: %08x\n", idle);

	vivgpu_stretch(VIVGPU_STRETCH_SUSPEND);
	vivgpu_irq_quiesce(vdev);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_suspend_stop_core);

/**
 * vivgpu_suspend_core - stop the core and switch its power off
 * @vdev: the device; nothing is in its ring
 *
 * Return: 0, or -EBUSY if a unit of the core still works; then nothing has changed.
 */
int vivgpu_suspend_core(struct vivgpu_device *vdev)
{
	if (!vivgpu_device_core_is_idle(vdev))
		return -EBUSY;

	cancel_delayed_work_sync(&vdev->clock_poll);
	vivgpu_suspend_stop_core(vdev);
	if (vdev->bus)
		vdev->bus->power_off(vdev);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_suspend_core);

/**
 * vivgpu_pm_runtime_suspend - suspend the idle core
 * @dev: the device
 *
 * Return: 0, or -EBUSY if it still works: runtime power management tries again after the delay.
 */
int vivgpu_pm_runtime_suspend(struct device *dev)
{
	int ret = vivgpu_suspend_core(dev_get_drvdata(dev));

	if (ret)
		pm_runtime_mark_last_busy(dev);
	return ret;
}

/**
 * vivgpu_pm_runtime_resume - resume the core by a reset
 * @dev: the device
 *
 * Return: 0 or a negative error number; on error all jobs of the device fail from then on.
 */
int vivgpu_pm_runtime_resume(struct device *dev)
{
	struct vivgpu_device *vdev = dev_get_drvdata(dev);
	int ret = vivgpu_pm_resume_core(vdev);

	if (ret)
		vivgpu_sched_fail(vdev);
	return ret;
}

/**
 * vivgpu_pm_suspend - system sleep begins
 * @dev: the device
 *
 * Return: 0, -EBUSY if jobs do not end or the core still works, or vivgpu_kms_suspend()'s error.
 */
int vivgpu_pm_suspend(struct device *dev)
{
	struct vivgpu_device *vdev = dev_get_drvdata(dev);
	int ret;

	ret = vivgpu_kms_suspend(vdev);
	if (ret)
		return ret;

	ret = vivgpu_sched_freeze(vdev);
	if (ret)
		goto err_kms;

	if (!pm_runtime_status_suspended(dev))
		ret = vivgpu_suspend_core(vdev);
	if (ret)
		goto err_sched;

	return 0;

err_sched:
	vivgpu_sched_thaw(vdev);
err_kms:
	vivgpu_kms_resume(vdev);
	return ret;
}

/**
 * vivgpu_pm_resume - system sleep ends
 * @dev: the device
 *
 * Return: 0 or a negative error number; on error all jobs of the device fail from then on.
 */
int vivgpu_pm_resume(struct device *dev)
{
	struct vivgpu_device *vdev = dev_get_drvdata(dev);
	int ret = pm_runtime_status_suspended(dev) ? 0 : vivgpu_pm_resume_core(vdev);

	if (ret)
		vivgpu_sched_fail(vdev);
	vivgpu_sched_thaw(vdev);
	return ret ?: vivgpu_kms_resume(vdev);
}
