// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: What makes recoveries begin
 *
 * There are three reasons: the core reported an error, the arbiter ends a job, or no job has ended
 * for a while. For each of them vivgpu_watchdog_ask() calls drm_sched_fault(), which queues the DRM
 * scheduler's work that calls timedout_job().
 *
 * That is not enough. The work is also the one of the scheduler's timeout: when the scheduler frees
 * a job it cancels the work, and when it gets one it delays the work by the whole timeout, in both
 * cases also if it was queued to run at once. So a timer asks again until the recovery has begun.
 *
 * For the same reason the scheduler's timeout is not used: clients that submit jobs would postpone
 * it, and with it the end of a hang. The watchdog looks for progress itself.
 */

#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_watchdog.h"

/* Time after which a recovery that has not begun is asked for again */
#define ASK_AGAIN_NS	(50 * NSEC_PER_USEC)
/* A recovery checks for progress if no job has ended for so long, and again after that time. */
#define STALL_JIFFIES	(HZ / 2)

/*
 * Whether there is a reason for a recovery that has not begun. The DRM scheduler runs none without
 * jobs that have not ended: then the next job asks again. Lock held.
 */
static bool vivgpu_watchdog_wants_recovery(const struct vivgpu_device *vdev)
{
	const struct vivgpu_watchdog *watchdog = &vdev->watchdog;

	if (watchdog->recovering || vdev->dead ||
	    (list_empty(&vdev->jobs) && list_empty(&vdev->ready_jobs)))
		return false;

	return vdev->fault || vdev->deadlines.evict || watchdog->stalled;
}

/**
 * vivgpu_watchdog_ask - ask for a recovery, until it has begun, if there is a reason for one
 * @vdev: the device, its lock held
 */
void vivgpu_watchdog_ask(struct vivgpu_device *vdev)
{
	if (!vivgpu_watchdog_wants_recovery(vdev))
		return;

	drm_sched_fault(&vdev->sched);
	hrtimer_start(&vdev->watchdog.ask, ns_to_ktime(ASK_AGAIN_NS), HRTIMER_MODE_REL);
}

static enum hrtimer_restart vivgpu_watchdog_ask_again(struct hrtimer *timer)
{
	struct vivgpu_device *vdev = container_of(timer, struct vivgpu_device, watchdog.ask);
	unsigned long flags;

	spin_lock_irqsave(&vdev->lock, flags);
	vivgpu_watchdog_ask(vdev);
	spin_unlock_irqrestore(&vdev->lock, flags);
	return HRTIMER_NORESTART;
}

static void vivgpu_watchdog_look(struct timer_list *timer)
{
	struct vivgpu_watchdog *watchdog = timer_container_of(watchdog, timer, stall);
	struct vivgpu_device *vdev = container_of(watchdog, struct vivgpu_device, watchdog);
	unsigned long next, flags;

	spin_lock_irqsave(&vdev->lock, flags);
	next = watchdog->progress + STALL_JIFFIES;
	if (!list_empty(&vdev->jobs)) {
		if (time_after_eq(jiffies, next)) {
			watchdog->stalled = true;
			vivgpu_watchdog_ask(vdev);
			next = jiffies + STALL_JIFFIES;
		}
		mod_timer(timer, next);
	}
	spin_unlock_irqrestore(&vdev->lock, flags);
}

/**
 * vivgpu_watchdog_init - initialise the watchdog
 * @vdev: the device, without jobs
 */
void vivgpu_watchdog_init(struct vivgpu_device *vdev)
{
	hrtimer_setup(&vdev->watchdog.ask, vivgpu_watchdog_ask_again, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL);
	timer_setup(&vdev->watchdog.stall, vivgpu_watchdog_look, 0);
}

/**
 * vivgpu_watchdog_stop - wait until no timer runs
 * @vdev: the device; it is dead and has no jobs in the ring and no ready ones
 */
void vivgpu_watchdog_stop(struct vivgpu_device *vdev)
{
	timer_delete_sync(&vdev->watchdog.stall);
	hrtimer_cancel(&vdev->watchdog.ask);
}

/**
 * vivgpu_watchdog_enter - a job is about to enter the ring
 * @vdev: the device, its lock held
 */
void vivgpu_watchdog_enter(struct vivgpu_device *vdev)
{
	struct vivgpu_watchdog *watchdog = &vdev->watchdog;

	if (!list_empty(&vdev->jobs))
		return;

	watchdog->progress = jiffies;
	if (!timer_pending(&watchdog->stall))
		mod_timer(&watchdog->stall, jiffies + STALL_JIFFIES);
}

/**
 * vivgpu_watchdog_begin - a recovery has begun
 * @vdev: the device; takes its lock
 */
void vivgpu_watchdog_begin(struct vivgpu_device *vdev)
{
	struct vivgpu_watchdog *watchdog = &vdev->watchdog;

	spin_lock_irq(&vdev->lock);
	watchdog->recovering = true;
	watchdog->check = watchdog->stalled;
	watchdog->stalled = false;
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_watchdog_end - a recovery has ended; jobs may have entered the ring again
 * @vdev: the device; takes its lock
 */
void vivgpu_watchdog_end(struct vivgpu_device *vdev)
{
	spin_lock_irq(&vdev->lock);
	vdev->watchdog.recovering = false;
	vivgpu_watchdog_ask(vdev);
	spin_unlock_irq(&vdev->lock);
}
