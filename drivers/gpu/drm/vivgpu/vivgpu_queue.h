/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_QUEUE_H_
#define _VIVGPU_QUEUE_H_

#include <linux/kref.h>
#include <linux/mutex.h>

#include <drm/gpu_scheduler.h>

#include "vivgpu_state.h"

struct vivgpu_device;

/**
 * struct vivgpu_prologue - a stream that loads a queue's state
 */
struct vivgpu_prologue {
	/** @written: states it writes */
	struct vivgpu_states written;
	/** @covered: those of them that it loads completely */
	struct vivgpu_states covered;
	/** @count: of @words */
	u32 count;
	/** @words: the stream, validated */
	u32 words[];
};

/**
 * struct vivgpu_queue - jobs of one file that start in order
 */
struct vivgpu_queue {
	/** @ref: the file and calls that use it */
	struct kref ref;
	/** @vdev: the device */
	struct vivgpu_device *vdev;
	/** @link: in the device's list; empty if the device is gone */
	struct list_head link;
	/** @id: unique in the device, so that the ring knows whose state is loaded */
	u64 id;
	/** @entity: the scheduler's queue */
	struct drm_sched_entity entity;
	/** @number: the file's number for it, 0 for the queue of etnaviv's calls */
	u32 number;
	/** @prologue: what loads its state, or NULL */
	struct vivgpu_prologue *prologue;
	/**
	 * @submit: jobs are armed and pushed in one order, and the entity ends
	 * when nobody does that; protects @closed
	 */
	struct mutex submit;
	/** @closed: takes no more jobs */
	bool closed;
};

struct vivgpu_queue *vivgpu_queue_create(struct vivgpu_device *vdev,
					 enum drm_sched_priority priority,
					 struct vivgpu_prologue *prologue);
void vivgpu_queue_put(struct vivgpu_queue *queue);
void vivgpu_queue_close(struct vivgpu_queue *queue);
void vivgpu_queue_close_all(struct vivgpu_device *vdev);

#endif
