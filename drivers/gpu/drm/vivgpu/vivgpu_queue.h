/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_QUEUE_H_
#define _VIVGPU_QUEUE_H_

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include <drm/gpu_scheduler.h>

#include "vivgpu_arbiter.h"
#include "vivgpu_state.h"

struct drm_device;
struct drm_file;
struct drm_gem_object;
struct vivgpu_device;
struct vivgpu_cgroup_charge;
struct vivgpu_vmap;

/**
 * struct vivgpu_prologue - a stream that loads a queue's state
 */
struct vivgpu_prologue {
	/** @written: blocks of states it writes */
	struct vivgpu_states written;
	/** @covered: blocks of states it loads completely */
	struct vivgpu_states covered;
	/** @count: number of @words */
	u32 count;
	/** @words: the stream, validated */
	u32 words[];
};

/**
 * struct vivgpu_queue - jobs of one file that start in order
 */
struct vivgpu_queue {
	/** @ref: held by the file, calls that use it, its jobs, and fences whose donor it is */
	struct kref ref;
	/** @vdev: the device */
	struct vivgpu_device *vdev;
	/** @link: in the device's list; empty after the device was unbound */
	struct list_head link;
	/** @id: unique number, compared with vivgpu_device.queue */
	u64 id;
	/** @guilty: number of its jobs that caused a reset */
	atomic_t guilty;
	/** @entity: the scheduler's queue */
	struct drm_sched_entity entity;
	/** @fence_context: of the ring's fences of its jobs, which end in order */
	u64 fence_context;
	/** @fence_seqno: of the last of them; changed by run_job() only */
	u64 fence_seqno;
	/** @arbiter: what the arbiter knows; under the device's lock */
	struct vivgpu_arbiter_queue arbiter;
	/** @charge: what its budget is charged to, or NULL; valid while it has one */
	struct vivgpu_cgroup_charge *charge;
	/** @number: the file's number for it, 0 for the queue of etnaviv's calls */
	u32 number;
	/** @prologue: stream that loads its state, or NULL */
	struct vivgpu_prologue *prologue;
	/** @last_job: number of its newest job; under @submit */
	u32 last_job;
	/** @started_job: number of its last job that the scheduler has run; they run in order */
	u32 started_job;
	/** @ended_job: number of its last job that has ended; jobs end in order */
	u32 ended_job;
	/** @killed: jobs that have not started fail when it is their turn */
	bool killed;
	/** @waiters: woken when @started_job, @ended_job or @killed changes */
	wait_queue_head_t waiters;
	/** @progress: buffer that gets the numbers of ended jobs, referenced; or NULL */
	struct drm_gem_object *progress;
	/** @progress_words: words of @progress, by number of queue; NULL without it */
	u32 *progress_words;
	/** @progress_map: mapping that they are in */
	struct vivgpu_vmap *progress_map;
	/**
	 * @submit: held while a job is armed and pushed, so that both have the same
	 * order; protects @closed
	 */
	struct mutex submit;
	/** @closed: submit calls fail */
	bool closed;
};

struct vivgpu_queue *vivgpu_queue_create(struct vivgpu_device *vdev,
					 enum drm_sched_priority priority,
					 struct vivgpu_prologue *prologue);
int vivgpu_queue_set_progress(struct vivgpu_queue *queue, struct drm_gem_object *obj);
bool vivgpu_queue_job_started(struct vivgpu_queue *queue, u32 job);
void vivgpu_queue_job_ended(struct vivgpu_queue *queue, u32 job);
int vivgpu_queue_wait_job(struct vivgpu_queue *queue, u32 job, long timeout);
struct vivgpu_queue *vivgpu_queue_get(struct vivgpu_queue *queue);
void vivgpu_queue_put(struct vivgpu_queue *queue);
void vivgpu_queue_close(struct vivgpu_queue *queue, unsigned long *until);
unsigned long vivgpu_queue_close_bound(void);
void vivgpu_queue_close_all(struct vivgpu_device *vdev);

int vivgpu_ioctl_queue_create(struct drm_device *drm, void *data, struct drm_file *file);
int vivgpu_ioctl_queue_destroy(struct drm_device *drm, void *data, struct drm_file *file);

#endif
