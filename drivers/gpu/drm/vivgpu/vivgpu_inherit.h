/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_INHERIT_H_
#define _VIVGPU_INHERIT_H_

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>

struct dma_fence;
struct vivgpu_device;
struct vivgpu_job;

/* Most fences of a job that get a deadline which is set after its submit */
#define VIVGPU_INHERIT_FENCES	64u
/* Most jobs and fences that a selection visits for this, with interrupts off */
#define VIVGPU_INHERIT_VISITS	512u

/**
 * struct vivgpu_waits - the fences that a job waits for
 */
struct vivgpu_waits {
	/** @ref: references: the job, and the work while it uses @fences */
	struct kref ref;
	/** @link: in the device's list of waiting jobs; under the device's lock */
	struct list_head link;
	/**
	 * @late_link: in the device's list of jobs whose deadline has to be set on fences of
	 * other devices; under the device's lock
	 */
	struct list_head late_link;
	/** @job: the job; valid, with the scheduler's fence, while this is in a list */
	struct vivgpu_job *job;
	/** @handed_ns: deadline that was last set on fences of other devices, or 0 */
	u64 handed_ns;
	/** @foreign: there are fences of other devices */
	bool foreign;
	/** @count: number of @fences, not more than VIVGPU_INHERIT_FENCES */
	u32 count;
	/** @fences: the fences, referenced; neither containers nor signalled at the submit */
	struct dma_fence *fences[] __counted_by(count);
};

void vivgpu_inherit_init(struct vivgpu_device *vdev);
void vivgpu_inherit(struct vivgpu_job *job);
int vivgpu_inherit_prepare(struct vivgpu_job *job);
void vivgpu_inherit_begin(struct vivgpu_job *job);
void vivgpu_inherit_end(struct vivgpu_job *job);
void vivgpu_inherit_cancel(struct vivgpu_job *job);
void vivgpu_inherit_free(struct vivgpu_job *job);
void vivgpu_inherit_late(struct vivgpu_device *vdev);

#endif
