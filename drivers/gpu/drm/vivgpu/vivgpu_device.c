// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probe and removal of the device: allocates and starts its parts in order, and stops them
 * in reverse. The bus code (PCI, platform) has mapped the registers before.
 */

#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <linux/moduleparam.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "vivgpu_client.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_dump.h"
#include "vivgpu_freq.h"
#include "vivgpu_gem.h"
#include "vivgpu_gem_dma.h"
#include "vivgpu_irq.h"
#include "vivgpu_kms.h"
#include "vivgpu_mmu.h"
#include "vivgpu_pm.h"
#include "vivgpu_sched.h"
#include "vivgpu_shrink.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

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
	INIT_LIST_HEAD(&vdev->held);
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

/* Disable interrupts and stop the front end; a suspended core does neither already. */
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
