// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Clock of the core
 *
 * A cooling device, or a test, divides the core's clock by a power of two: by the clocks' rates
 * where the core has DYNAMIC_FREQUENCY_SCALING and its bus has clocks, otherwise by the core's own
 * divider (FSCALE). That is what etnaviv does.
 *
 * The divider is in HI_CLOCK_CONTROL, which a reset writes, and in which exact counters select a
 * pixel pipe. So it is changed by a work on the scheduler's ordered workqueue, on which
 * counters are read, with the device's lock held, and only if the core is awake: a reset
 * ends with writing the present divider.
 *
 * From before the change until after it the rate counts as unknown: cycles are not extrapolated.
 */

#include <linux/export.h>

#include <kunit/visibility.h>

#include "vivgpu_compat.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_freq.h"

/* Read the counter and set the rate with which it goes on, 0 if that is not known; lock held. */
static void vivgpu_freq_set_hz(struct vivgpu_device *vdev, u32 hz)
{
	vivgpu_core_update_clock(vdev);
	write_seqcount_begin(&vdev->usage_seq);
	vdev->clock.hz = hz;
	write_seqcount_end(&vdev->usage_seq);
}

static void vivgpu_freq_work(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, freq.work);
	u32 scale = READ_ONCE(vdev->freq.wanted);

	spin_lock_irq(&vdev->lock);
	vivgpu_freq_set_hz(vdev, 0);
	vdev->freq.scale = scale;
	spin_unlock_irq(&vdev->lock);

	if (vivgpu_core_by_clocks(vdev))
		vdev->bus->set_scale(vdev, scale);

	spin_lock_irq(&vdev->lock);
	if (vdev->awake && !vivgpu_core_by_clocks(vdev))
		vivgpu_core_write_divider(vdev);
	vivgpu_freq_set_hz(vdev, vdev->clock_hz >> scale);
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_freq_set - divide the core's clock by a power of two, soon
 * @vdev: the device, also while it sleeps
 * @scale: the power
 *
 * Return: 0 or -EINVAL.
 */
int vivgpu_freq_set(struct vivgpu_device *vdev, u32 scale)
{
	if (scale > VIVGPU_FREQ_MAX_SCALE)
		return -EINVAL;

	WRITE_ONCE(vdev->freq.wanted, scale);
	/* Clocks may allocate memory, which may wait for fences of jobs that submit_wq starts. */
	queue_work(vivgpu_core_by_clocks(vdev) ? system_percpu_wq : vdev->submit_wq,
		   &vdev->freq.work);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_freq_set);

/**
 * vivgpu_freq_init - initialise: full speed
 * @vdev: the device
 */
void vivgpu_freq_init(struct vivgpu_device *vdev)
{
	INIT_WORK(&vdev->freq.work, vivgpu_freq_work);
}

/**
 * vivgpu_freq_fini - the clock is not changed any more
 * @vdev: the device; vivgpu_freq_set() is not called any more
 */
void vivgpu_freq_fini(struct vivgpu_device *vdev)
{
	disable_work_sync(&vdev->freq.work);
}
