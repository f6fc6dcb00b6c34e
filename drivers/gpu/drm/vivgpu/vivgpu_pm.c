// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Power
 *
 * The core sleeps when no job was there for a while, and during system sleep.
 * A job holds a reference from its submit, which may wait for the core to wake
 * up, until it is freed. So nothing waits for power between a job's arming and
 * its fence, and no waking is part of a measured time.
 *
 * A core that sleeps has lost everything: it wakes up through a reset. Its cycle
 * counter stands still meanwhile and then begins anew; the extended count goes
 * on from where it was.
 *
 * Whoever reads the counter holds the device's lock and looks whether the core
 * is awake. A counter that is read too seldom wraps unseen, so a work looks at
 * it twice in each wrap as long as the core is awake.
 *
 * On system sleep jobs that are in the ring end first, those behind them wait
 * in the scheduler until the system is back.
 */

#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <linux/math64.h>
#include <linux/pm_runtime.h>

#include <drm/drm_print.h>

#include "vivgpu_core.h"
#include "vivgpu_device.h"
#include "vivgpu_job.h"
#include "vivgpu_pm.h"
#include "vivgpu_regs.h"

#define AUTOSUSPEND_MS		200
#define FE_STOP_TIMEOUT_US	10000
/* Looks at the counter in each of its wraps, and how long without a known clock. */
#define LOOKS_PER_WRAP		2
#define LOOK_DEFAULT_MS		1000

static unsigned long vivgpu_pm_poll_interval(const struct vivgpu_device *vdev)
{
	u64 ms = LOOK_DEFAULT_MS;

	if (vdev->clock_hz)
		ms = div_u64((1ull << 32) / LOOKS_PER_WRAP * MSEC_PER_SEC, vdev->clock_hz);
	return msecs_to_jiffies(ms);
}

/* Look at the counter, so that no wrap goes by unseen. */
static void vivgpu_pm_poll_counter(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(work, struct vivgpu_device, look.work);

	spin_lock_irq(&vdev->lock);
	vivgpu_core_update_clock(vdev);
	spin_unlock_irq(&vdev->lock);
	queue_delayed_work(system_wq, &vdev->look, vivgpu_pm_poll_interval(vdev));
}

/* Let the front end run into an END, and close the books of the counter. */
static void vivgpu_pm_stop_core(struct vivgpu_device *vdev)
{
	u32 idle;

	spin_lock_irq(&vdev->lock);
	vivgpu_ring_stop(&vdev->ring);
	vivgpu_device_ring_doorbell(vdev);
	spin_unlock_irq(&vdev->lock);

	if (read_poll_timeout(vivgpu_read, idle,
			      (idle & HI_IDLE_STATE_ALL) == HI_IDLE_STATE_ALL,
			      10, FE_STOP_TIMEOUT_US, false, vdev, HI_IDLE_STATE))
		drm_warn(&vdev->drm, "not idle before sleep: %08x\n", idle);

	vivgpu_core_stop_clock(vdev);
	vivgpu_write(vdev, HI_INTR_ENBL, 0);
	synchronize_irq(vdev->irq);
}

/**
 * vivgpu_pm_suspend_core - stop the core and switch its power off
 * @vdev: the device; nothing is in its ring
 */
void vivgpu_pm_suspend_core(struct vivgpu_device *vdev)
{
	cancel_delayed_work_sync(&vdev->look);
	vivgpu_pm_stop_core(vdev);
	if (vdev->bus)
		vdev->bus->power_off(vdev);
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

	ret = vivgpu_core_reset(vdev);
	if (ret) {
		if (vdev->bus)
			vdev->bus->power_off(vdev);
		return ret;
	}

	queue_delayed_work(system_wq, &vdev->look, vivgpu_pm_poll_interval(vdev));
	return 0;
}

/**
 * vivgpu_pm_init - let the core sleep when there is nothing to do
 * @vdev: the device; runtime power management is enabled for it, it is awake,
 *	and the bus code holds a reference that is given back here
 */
void vivgpu_pm_init(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;

	INIT_DELAYED_WORK(&vdev->look, vivgpu_pm_poll_counter);
	queue_delayed_work(system_wq, &vdev->look, vivgpu_pm_poll_interval(vdev));
	pm_runtime_set_autosuspend_delay(dev, AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_allow(dev);
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/**
 * vivgpu_pm_fini - the end of vivgpu_pm_init()
 * @vdev: the device; it is awake afterwards, if it still answers, and the bus
 *	code has its reference back
 */
void vivgpu_pm_fini(struct vivgpu_device *vdev)
{
	struct device *dev = vdev->drm.dev;

	pm_runtime_get_sync(dev);
	pm_runtime_dont_use_autosuspend(dev);
	cancel_delayed_work_sync(&vdev->look);
}

/**
 * vivgpu_pm_get - wake the core for a job
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
 * vivgpu_pm_put - the job needs the core no more
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
