// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: The arbiter in the driver
 *
 * The DRM scheduler resolves dependencies and hands jobs to run_job(), which puts them into the
 * list of ready jobs. While the arbiter is active it selects which of them enters the ring
 * next; otherwise the oldest does, and a submit costs one more branch.
 *
 * It is active while a queue has a reservation, and for at least a second after the last job with
 * a deadline: until a later job without one finds the ring empty. While it is active, jobs of
 * different queues can run in another order than that in which the DRM scheduler handed them
 * over. The DRM scheduler must then not hand a job over when its dependencies on this device have
 * only been handed over: jobs that are armed while the arbiter is active have
 * DRM_SCHED_FENCE_DONT_PIPELINE set. Those that were armed before are barriers, which none
 * overtakes.
 *
 * The admission test can take milliseconds, so it runs under a mutex only. All other
 * functions need the device's lock.
 */

#include <drm/drm_managed.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_compat.h"
#include "vivgpu_deadline.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_job.h"
#include "vivgpu_queue.h"
#include "vivgpu_stretch.h"
#include "vivgpu_watchdog.h"

/* A job in the ring has at least one event. */
static_assert(VIVGPU_EVENT_BITS <= VIVGPU_ARBITER_RING);

/* How long, at least, the arbiter stays active after a job with a deadline */
#define ACTIVE_NS	NSEC_PER_SEC

static enum hrtimer_restart vivgpu_deadline_timer(struct hrtimer *timer)
{
	struct vivgpu_device *vdev = container_of(timer, struct vivgpu_device, deadlines.timer);

	queue_work(vdev->submit_wq, &vdev->submit_work);
	return HRTIMER_NORESTART;
}

/* Run the admission test again after a queue has left, and once more when its share is free. */
static void vivgpu_deadline_retest_locked(struct vivgpu_device *vdev)
{
	struct vivgpu_deadlines *deadlines = &vdev->deadlines;
	u64 now_ns = ktime_get_ns();
	struct vivgpu_admission result;
	u64 next;

	lockdep_assert_held(&deadlines->lock);
	next = vivgpu_arbiter_retest(&deadlines->arbiter, now_ns, &result);
	vivgpu_cgroup_uncharge(&deadlines->cgroups, now_ns);
	spin_lock_irq(&vdev->lock);
	deadlines->arbiter.admitted = result;
	spin_unlock_irq(&vdev->lock);
	if (next != U64_MAX)
		mod_delayed_work(system_percpu_wq, &deadlines->retest_work,
				 nsecs_to_jiffies(next - now_ns) + 1);
}

static void vivgpu_deadline_retest_work(struct work_struct *work)
{
	struct vivgpu_device *vdev = container_of(to_delayed_work(work), struct vivgpu_device,
						  deadlines.retest_work);

	mutex_lock(&vdev->deadlines.lock);
	vivgpu_deadline_retest_locked(vdev);
	mutex_unlock(&vdev->deadlines.lock);
}

/* At the last reference on the device: files that are closed after it was unbound leave as well. */
static void vivgpu_deadline_fini(struct drm_device *drm, void *data)
{
	struct vivgpu_device *vdev = data;

	cancel_delayed_work_sync(&vdev->deadlines.retest_work);
	vivgpu_cgroup_uncharge(&vdev->deadlines.cgroups, U64_MAX);
}

/**
 * vivgpu_deadline_init - initialise the deadline scheduler, which is not active
 * @vdev: the device, its workqueue exists; vivgpu_inherit_init() initialises the lists of waiting
 *	jobs and @late_work
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_deadline_init(struct vivgpu_device *vdev)
{
	int ret;

	vivgpu_arbiter_init(&vdev->deadlines.arbiter, &vivgpu_arbiter_driver_policy);
	INIT_DELAYED_WORK(&vdev->deadlines.retest_work, vivgpu_deadline_retest_work);
	hrtimer_setup(&vdev->deadlines.timer, vivgpu_deadline_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
	ret = drmm_mutex_init(&vdev->drm, &vdev->deadlines.lock);
	ret = ret ?: vivgpu_cgroup_init(&vdev->deadlines.cgroups, &vdev->drm);
	return ret ?: drmm_add_action_or_reset(&vdev->drm, vivgpu_deadline_fini, vdev);
}

/**
 * vivgpu_deadline_stop - wait until neither timer nor work runs
 * @vdev: the device; it has no ready jobs and gets none
 */
void vivgpu_deadline_stop(struct vivgpu_device *vdev)
{
	hrtimer_cancel(&vdev->deadlines.timer);
	cancel_work_sync(&vdev->deadlines.late_work);
}

/* Tell the arbiter of a job that it did not know, and that is ready or in the ring. */
static void vivgpu_deadline_enter(struct vivgpu_device *vdev, struct vivgpu_job *job, u64 now_ns)
{
	vivgpu_arbiter_arrive(&vdev->deadlines.arbiter, &job->arbiter, now_ns);
}

/* Begin to ask the arbiter: tell it of all jobs; device's lock held. */
static void vivgpu_deadline_activate_locked(struct vivgpu_device *vdev)
{
	u64 now_ns;
	struct vivgpu_job *job;

	if (vdev->deadlines.active)
		return;

	now_ns = ktime_get_ns();
	list_for_each_entry(job, &vdev->jobs, arbiter.link) {
		vivgpu_deadline_enter(vdev, job, now_ns);
		vivgpu_arbiter_start(&vdev->deadlines.arbiter, &job->arbiter, now_ns);
	}
	/* They stay in their list: without reservations vivgpu_arbiter_join() returns no other. */
	list_for_each_entry(job, &vdev->ready_jobs, arbiter.link) {
		vivgpu_deadline_enter(vdev, job, now_ns);
		vivgpu_arbiter_join(&job->queue->arbiter, &vdev->ready_jobs);
	}
	WRITE_ONCE(vdev->deadlines.active, true);
}

/**
 * vivgpu_deadline_activate - a job with a deadline is being submitted
 * @vdev: the device; takes its lock
 * @now_ns: the time
 */
void vivgpu_deadline_activate(struct vivgpu_device *vdev, u64 now_ns)
{
	spin_lock_irq(&vdev->lock);
	vdev->deadlines.hint_ns = max(vdev->deadlines.hint_ns, now_ns);
	vivgpu_deadline_activate_locked(vdev);
	spin_unlock_irq(&vdev->lock);
}

/*
 * Stop asking the arbiter if there is no use for it and it knows of no jobs; lock held.
 * @submitted_ns: when the present job, which has no deadline, was submitted
 */
static void vivgpu_deadline_try_deactivate(struct vivgpu_device *vdev, u64 submitted_ns)
{
	struct vivgpu_deadlines *deadlines = &vdev->deadlines;

	if (!deadlines->arbiter.nr_servers && submitted_ns > deadlines->hint_ns + ACTIVE_NS &&
	    list_empty(&vdev->ready_jobs) && list_empty(&vdev->jobs))
		WRITE_ONCE(deadlines->active, false);
}

/**
 * vivgpu_deadline_reserve - ask for a budget for a queue
 * @queue: the queue, without jobs
 * @budget_ns: GPU time in each period
 * @period_ns: the period
 * @verdict: out: VIVGPU_ADMITTED, or why the GPU cannot keep it
 *
 * The budget is charged to the cgroup of the present task.
 *
 * Return: 0, and @verdict says whether the queue has the budget; -EDQUOT or -ENOMEM as
 * vivgpu_cgroup_charge().
 */
int vivgpu_deadline_reserve(struct vivgpu_queue *queue, u64 budget_ns, u64 period_ns,
			    enum vivgpu_admission_verdict *verdict)
{
	struct vivgpu_reservation reservation = { budget_ns, period_ns };
	struct vivgpu_device *vdev = queue->vdev;
	struct vivgpu_deadlines *deadlines = &vdev->deadlines;
	struct vivgpu_admission result;
	u64 now_ns;
	int ret = 0;

	mutex_lock(&deadlines->lock);
	now_ns = ktime_get_ns();
	*verdict = vivgpu_arbiter_check(&deadlines->arbiter, &reservation, now_ns, &result);
	vivgpu_cgroup_uncharge(&deadlines->cgroups, now_ns);
	if (*verdict == VIVGPU_ADMITTED)
		ret = vivgpu_cgroup_charge(&deadlines->cgroups, &reservation, &queue->charge);
	if (*verdict == VIVGPU_ADMITTED && !ret) {
		vivgpu_stretch_rare(VIVGPU_STRETCH_RESERVE);
		spin_lock_irq(&vdev->lock);
		vivgpu_deadline_activate_locked(vdev);
		vivgpu_arbiter_admit(&deadlines->arbiter, &queue->arbiter, &reservation, &result);
		spin_unlock_irq(&vdev->lock);
	}
	mutex_unlock(&deadlines->lock);
	return ret;
}

/**
 * vivgpu_deadline_release - take a queue's reservation back
 * @queue: the queue; nothing happens if it has none
 *
 * Jobs that it still has become best-effort jobs. When others get its share of the time is decided
 * by vivgpu_server_free_ns().
 */
void vivgpu_deadline_release(struct vivgpu_queue *queue)
{
	struct vivgpu_device *vdev = queue->vdev;
	struct vivgpu_deadlines *deadlines = &vdev->deadlines;
	u64 free_ns;

	/* Only this function ends a reservation, and it is called by the queue's owner. */
	if (!vivgpu_arbiter_has_server(&queue->arbiter))
		return;

	mutex_lock(&deadlines->lock);
	spin_lock_irq(&vdev->lock);
	free_ns = vivgpu_arbiter_leave(&deadlines->arbiter, &queue->arbiter, ktime_get_ns());
	spin_unlock_irq(&vdev->lock);
	vivgpu_cgroup_leave(&deadlines->cgroups, queue->charge, free_ns);
	vivgpu_deadline_retest_locked(vdev);
	mutex_unlock(&deadlines->lock);
}

/*
 * vivgpu_deadline_enqueue() if the arbiter is active or becomes so. Not inlined, so that other jobs
 * do not save registers for it.
 */
static noinline struct list_head *vivgpu_deadline_enqueue_active(struct vivgpu_device *vdev,
								 struct vivgpu_job *job)
{
	struct vivgpu_deadlines *deadlines = &vdev->deadlines;

	if (job->arbiter.deadline_ns)
		vivgpu_deadline_activate_locked(vdev);
	else
		vivgpu_deadline_try_deactivate(vdev, job->times.submitted_ns);
	if (!deadlines->active)
		return &vdev->ready_jobs;

	/* Only servers need the time; reading the clock costs as much as all of the rest. */
	job->ready_ns = deadlines->arbiter.nr_servers ? ktime_get_ns() : 0;
	vivgpu_deadline_enter(vdev, job, job->ready_ns);
	return vivgpu_arbiter_join(&job->queue->arbiter, &vdev->ready_jobs);
}

/**
 * vivgpu_deadline_enqueue - a job is about to be appended to the ready jobs
 * @vdev: the device, its lock held
 * @job: the job
 *
 * Return: the list to which it is appended, that of the ready jobs or one behind them.
 */
struct list_head *vivgpu_deadline_enqueue(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	if (likely(!vdev->deadlines.active && !job->arbiter.deadline_ns))
		return &vdev->ready_jobs;

	return vivgpu_deadline_enqueue_active(vdev, job);
}

/* Copy what was set on the ready jobs' fences since the last selection; lock held. */
static void vivgpu_deadline_refresh(struct vivgpu_device *vdev)
{
	struct vivgpu_job *job;

	list_for_each_entry(job, &vdev->ready_jobs, arbiter.link) {
		struct vivgpu_queue *donor = vivgpu_fence_donor(job->fence);
		u64 deadline = vivgpu_fence_deadline(job->fence, job->base.s_fence);

		job->arbiter.deadline_ns = min_not_zero(job->arbiter.deadline_ns, deadline);
		if (donor && !job->arbiter.donor && vivgpu_arbiter_has_server(&donor->arbiter))
			job->arbiter.donor = &donor->arbiter;
	}
}

/*
 * The oldest job in the ring has to end: start a recovery, once for each job. It runs in another
 * work, and the job may end before. Lock held.
 */
static void vivgpu_deadline_evict(struct vivgpu_device *vdev)
{
	const struct vivgpu_job *job = list_first_entry_or_null(&vdev->jobs, struct vivgpu_job,
								arbiter.link);

	if (!job || vdev->deadlines.evict_seqno == job->ring_seqno)
		return;

	vdev->deadlines.evict_seqno = job->ring_seqno;
	WRITE_ONCE(vdev->deadlines.evict, true);
	vivgpu_watchdog_ask(vdev);
}

/**
 * vivgpu_deadline_take_eviction - whether the job that had to end is still in the ring
 * @vdev: the device, its lock held; the arbiter has asked for a recovery
 *
 * Return: true if it is the oldest one there.
 */
bool vivgpu_deadline_take_eviction(struct vivgpu_device *vdev)
{
	const struct vivgpu_job *job = list_first_entry_or_null(&vdev->jobs, struct vivgpu_job,
								arbiter.link);

	WRITE_ONCE(vdev->deadlines.evict, false);
	return job && job->ring_seqno == vdev->deadlines.evict_seqno;
}

/**
 * vivgpu_deadline_is_over - whether the oldest job in the ring took longer than it may
 * @vdev: the device, its lock held
 *
 * Return: false if only jobs before it did; then it is not guilty and runs again.
 */
bool vivgpu_deadline_is_over(struct vivgpu_device *vdev)
{
	return vivgpu_arbiter_is_over(&vdev->deadlines.arbiter, ktime_get_ns());
}

/**
 * vivgpu_deadline_wants_work - whether ready jobs may enter the ring since a job has ended
 * @vdev: the device, its lock held; there are ready jobs, which the caller sees without a call
 *
 * Return: true if so.
 */
bool vivgpu_deadline_wants_work(const struct vivgpu_device *vdev)
{
	return !vdev->deadlines.active || !vivgpu_arbiter_is_filled(&vdev->deadlines.arbiter);
}

/**
 * vivgpu_deadline_next - select the job that enters the ring next
 * @vdev: the device, its lock held; the arbiter is active
 *
 * Return: a ready job, or NULL if none may enter the ring now.
 */
struct vivgpu_job *vivgpu_deadline_next(struct vivgpu_device *vdev)
{
	struct vivgpu_arbiter *arbiter = &vdev->deadlines.arbiter;
	struct vivgpu_arbiter_job *job;
	u64 now_ns;

	if (list_empty(&vdev->ready_jobs) && !arbiter->idle_since_ns && !arbiter->nr_servers)
		return NULL;

	now_ns = ktime_get_ns();
	if (!vivgpu_arbiter_is_full(arbiter, now_ns))
		vivgpu_deadline_refresh(vdev);
	job = vivgpu_arbiter_select(arbiter, &vdev->ready_jobs, now_ns);
	if (unlikely(arbiter->overdue))
		vivgpu_deadline_evict(vdev);
	/* Without a time the timer of an earlier selection stays: it only selects once more. */
	if (arbiter->recheck_ns != U64_MAX)
		hrtimer_start(&vdev->deadlines.timer, ns_to_ktime(arbiter->recheck_ns),
			      HRTIMER_MODE_ABS);
	return job ? container_of(job, struct vivgpu_job, arbiter) : NULL;
}

/**
 * vivgpu_deadline_start - a job was written to the ring
 * @vdev: the device, its lock held
 * @job: the first ready job of its queue, queued_ns of its times is set
 */
void vivgpu_deadline_start(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	if (likely(!vdev->deadlines.active))
		return;

	vivgpu_arbiter_start(&vdev->deadlines.arbiter, &job->arbiter, job->times.queued_ns);
	vivgpu_arbiter_advance(&job->queue->arbiter, &vdev->ready_jobs);
}

/* Remember how long a job took. */
static void vivgpu_deadline_learn(struct vivgpu_job *job)
{
	vivgpu_lengths_learn(&job->queue->arbiter.lengths, job->arbiter.cost_ns,
			     job->times.finished_ns - job->times.started_ns);
}

/* vivgpu_deadline_retire() while the arbiter is active; not inlined, as the one for ready jobs */
static noinline void vivgpu_deadline_retire_active(struct vivgpu_device *vdev,
						   struct vivgpu_job *job)
{
	const struct vivgpu_times *times = &job->times;
	u32 result;

	if (!job->event_only)
		vivgpu_deadline_learn(job);
	if (unlikely(job->arbiter.forced) && !job->event_only)
		vivgpu_lengths_fade(&job->queue->arbiter.lengths, job->arbiter.cost_ns,
				    times->finished_ns - times->started_ns);
	if (!job->arbiter.in_ring) {
		vivgpu_arbiter_drop(&job->arbiter);
		return;
	}

	if (job->arbiter.payer)
		job->flags |= DRM_VIVGPU_JOB_RESERVED;
	if (job->arbiter.predicted)
		job->flags |= DRM_VIVGPU_JOB_BOUND_PREDICTED;
	result = vivgpu_arbiter_finish(&vdev->deadlines.arbiter, &job->arbiter, times->started_ns,
				       times->finished_ns);
	if (result & VIVGPU_ARBITER_MISSED)
		job->flags |= DRM_VIVGPU_JOB_MISSED;
	if (result & VIVGPU_ARBITER_OVERRUN)
		job->flags |= DRM_VIVGPU_JOB_OVERRUN;
	if (result & VIVGPU_ARBITER_MISSED_BUDGET)
		job->flags |= DRM_VIVGPU_JOB_MISSED_BUDGET;
}

/**
 * vivgpu_deadline_retire - a job has completed or failed
 * @vdev: the device, its lock held
 * @job: the job, its times are complete; its flags are updated
 */
void vivgpu_deadline_retire(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	if (unlikely(vdev->deadlines.active))
		vivgpu_deadline_retire_active(vdev, job);
	else if (!job->event_only)
		vivgpu_deadline_learn(job);
}

/**
 * vivgpu_deadline_requeue - the jobs in the ring are about to become ready jobs, after a reset
 * @vdev: the device, its lock held
 */
void vivgpu_deadline_requeue(struct vivgpu_device *vdev)
{
	WRITE_ONCE(vdev->deadlines.evict, false);
	vivgpu_arbiter_requeue(&vdev->deadlines.arbiter);
}
