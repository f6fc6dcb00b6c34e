/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DEADLINE_H_
#define _VIVGPU_DEADLINE_H_

#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "vivgpu_arbiter.h"
#include "vivgpu_cgroup.h"

struct vivgpu_device;
struct vivgpu_job;
struct vivgpu_queue;

/**
 * struct vivgpu_deadlines - the device's deadline scheduler
 */
struct vivgpu_deadlines {
	/** @lock: serialises changes of reservations; the device's lock is taken inside */
	struct mutex lock;
	/** @arbiter: selects jobs; under the device's lock */
	struct vivgpu_arbiter arbiter;
	/** @cgroups: limits of what cgroups reserve; under @lock */
	struct vivgpu_cgroups cgroups;
	/**
	 * @active: the arbiter is asked, instead of taking the oldest job; changed under the
	 * device's lock
	 */
	bool active;
	/** @hint_ns: when a job with a deadline was submitted last */
	u64 hint_ns;
	/** @retest_work: runs the admission test again when the share of a queue is free */
	struct delayed_work retest_work;
	/** @evict: a recovery was asked for, to end a job; under the device's lock */
	bool evict;
	/** @evict_seqno: number in the ring of the last job that had to end; likewise */
	u64 evict_seqno;
	/** @timer: queues the work that selects again when a job that is held back may start */
	struct hrtimer timer;
	/**
	 * @waiting: jobs that wait for fences of other queues, those armed first at the front
	 * unless there are so many that a selection visits only a part; under the device's lock
	 */
	struct list_head waiting;
	/** @late: those of @waiting that @late_work has to handle; under the device's lock */
	struct list_head late;
	/** @late_work: hands deadlines on to fences of other devices */
	struct work_struct late_work;
};

int vivgpu_deadline_init(struct vivgpu_device *vdev);
void vivgpu_deadline_stop(struct vivgpu_device *vdev);
int vivgpu_deadline_reserve(struct vivgpu_queue *queue, u64 budget_ns, u64 period_ns,
			    enum vivgpu_admission_verdict *verdict);
void vivgpu_deadline_release(struct vivgpu_queue *queue);
void vivgpu_deadline_activate(struct vivgpu_device *vdev, u64 now_ns);
struct list_head *vivgpu_deadline_enqueue(struct vivgpu_device *vdev, struct vivgpu_job *job);
bool vivgpu_deadline_wants_work(const struct vivgpu_device *vdev);
struct vivgpu_job *vivgpu_deadline_next(struct vivgpu_device *vdev);
void vivgpu_deadline_start(struct vivgpu_device *vdev, struct vivgpu_job *job);
void vivgpu_deadline_retire(struct vivgpu_device *vdev, struct vivgpu_job *job);
bool vivgpu_deadline_take_eviction(struct vivgpu_device *vdev);
bool vivgpu_deadline_is_over(struct vivgpu_device *vdev);
void vivgpu_deadline_requeue(struct vivgpu_device *vdev);

/* DRM_VIVGPU_PARAM_MAX_PIECE: how long jobs without a budget should be, in ns; needs no lock */
static inline u64 vivgpu_deadline_max_piece(const struct vivgpu_deadlines *deadlines)
{
	return READ_ONCE(deadlines->arbiter.nr_servers) ?
	       READ_ONCE(deadlines->arbiter.admitted.blocking_ns) : 0;
}

#endif
