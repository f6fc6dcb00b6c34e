// SPDX-License-Identifier: GPL-2.0-only

#include <linux/export.h>
#include <linux/math64.h>
#include <linux/pm_runtime.h>

#include <kunit/visibility.h>

#include "vivgpu_compat.h"
#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_job.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_pm.h"
#include "vivgpu_stretch.h"

/*
 * DOC: Power management
 *
 * The core is suspended 200 ms after the last job was freed, and during system sleep. A
 * job holds a runtime PM reference from its submit call, which may wait for the resume,
 * until it is freed. So nothing waits for a resume between the arming of a job and its
 * fence, and no resume is part of a measured time. A core whose units still work is not
 * suspended: -EBUSY, and another attempt 200 ms later.
 *
 * A suspended core has lost its state and is resumed by a reset. Its cycle counter starts
 * again from an arbitrary value; the 64 bit count continues from its last value.
 *
 * The counter may be read only with the device's lock held and vdev->awake set. It has 32
 * bits, so while the core is awake a delayed work reads it twice in each wrap.
 *
 * On system sleep the jobs in the ring end first; later ones wait in the scheduler until
 * the resume.
 *
 * The callbacks, such as vivgpu_pm_runtime_suspend(), are in vivgpu_device.c.
 */

#define AUTOSUSPEND_MS		200
/* Readings of the counter in each wrap; their interval if the clock rate is not known */
#define POLLS_PER_WRAP		2
#define DEFAULT_POLL_MS		1000

static unsigned long vivgpu_pm_poll_interval(const struct vivgpu_device *vdev)
{
	u64 ms = DEFAULT_POLL_MS;

	if (vdev->clock_hz)
		ms = div_u64((1ull << 32) / POLLS_PER_WRAP * MSEC_PER_SEC, vdev->clock_hz);
	return msecs_to_jiffies(ms);
}

/* Work that reads the cycle counter, so that no wrap is missed. */
static void vivgpu_pm_poll_counter(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, clock_poll.work);

	spin_lock_irq(&vdev->lock);
	vivgpu_core_update_clock(vdev);
	vivgpu_sample_poll(vdev);
	spin_unlock_irq(&vdev->lock);
	queue_delayed_work(system_percpu_wq, &vdev->clock_poll, vivgpu_pm_poll_interval(vdev));
}

/**
 * vivgpu_pm_resume_core - switch the core's power on and reset it
 * @vdev: the device
 *
 * Return: 0 or a negative error number; then the power is off.
 */
int vivgpu_pm_resume_core(struct vivgpu_device *vdev)
{
	int ret = vdev->bus ? vdev->bus->power_on(vdev) : 0;

	if (ret)
		return ret;

	vivgpu_stretch(VIVGPU_STRETCH_RESUME);
	ret = vivgpu_core_reset(vdev);
	if (ret) {
		if (vdev->bus)
			vdev->bus->power_off(vdev);
		return ret;
	}

	queue_delayed_work(system_percpu_wq, &vdev->clock_poll, vivgpu_pm_poll_interval(vdev));
	return 0;
}

/**
 * vivgpu_pm_init - enable autosuspend of the core
 * @vdev: the device; runtime power management is enabled for it, it is awake,
 *	and the bus code holds a reference that is given back here
 */
void vivgpu_pm_init(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;

	INIT_DELAYED_WORK(&vdev->clock_poll, vivgpu_pm_poll_counter);
	queue_delayed_work(system_percpu_wq, &vdev->clock_poll, vivgpu_pm_poll_interval(vdev));
	pm_runtime_set_autosuspend_delay(dev, AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_allow(dev);
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/**
 * vivgpu_pm_fini - disable autosuspend
 * @vdev: the device; it is resumed, if the hardware still responds, and the bus code's
 *	runtime PM reference is taken again
 */
void vivgpu_pm_fini(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;

	pm_runtime_get_sync(dev);
	pm_runtime_dont_use_autosuspend(dev);
	cancel_delayed_work_sync(&vdev->clock_poll);
}

/**
 * vivgpu_pm_get - take a runtime PM reference for a job
 * @job: the job, not armed yet; may sleep
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_pm_get(struct vivgpu_job *job)
{
	int ret;

	if (READ_ONCE(job->vdev->dead))
		return -ENODEV;

	ret = pm_runtime_resume_and_get(job->vdev->drm.dev);
	job->powered = ret >= 0;
	return ret < 0 ? ret : 0;
}

/**
 * vivgpu_pm_put - drop a job's runtime PM reference
 * @job: the job, with or without vivgpu_pm_get()
 */
void vivgpu_pm_put(struct vivgpu_job *job)
{
	struct device *dev = job->vdev->drm.dev;

	if (!job->powered)
		return;

	job->powered = false;
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

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

/* Read the counter and set the rate at which it continues, 0 if that is not known; lock held. */
static void vivgpu_pm_freq_set_hz(struct vivgpu_device *vdev, u32 hz)
{
	vivgpu_core_update_clock(vdev);
	write_seqcount_begin(&vdev->usage_seq);
	vdev->clock.hz = hz;
	write_seqcount_end(&vdev->usage_seq);
}

/* The lock cannot be held while the bus changes its clocks, so the rate is 0 meanwhile: unknown. */
static void vivgpu_pm_freq_work(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, freq.work);
	u32 scale = READ_ONCE(vdev->freq.wanted);
	u32 hz = vdev->clock_hz >> scale;

	spin_lock_irq(&vdev->lock);
	vivgpu_pm_freq_set_hz(vdev, 0);
	vdev->freq.scale = scale;
	spin_unlock_irq(&vdev->lock);

	if (vivgpu_core_by_clocks(vdev))
		hz = vdev->bus->set_scale(vdev, scale);

	spin_lock_irq(&vdev->lock);
	if (vdev->awake && !vivgpu_core_by_clocks(vdev))
		vivgpu_core_write_divider(vdev);
	vivgpu_pm_freq_set_hz(vdev, hz);
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_freq_set - divide the core's clock by a power of two
 * @vdev: the device, which may be asleep
 * @scale: the exponent, at most VIVGPU_FREQ_MAX_SCALE
 *
 * Only queues the work that does it.
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
 * vivgpu_freq_init - initialise the work that changes the clock
 * @vdev: the device; its clock is not divided
 */
void vivgpu_freq_init(struct vivgpu_device *vdev)
{
	INIT_WORK(&vdev->freq.work, vivgpu_pm_freq_work);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_freq_init);

/**
 * vivgpu_freq_fini - stop changing the clock
 * @vdev: the device; nothing calls vivgpu_freq_set() any more
 */
void vivgpu_freq_fini(struct vivgpu_device *vdev)
{
	disable_work_sync(&vdev->freq.work);
}
