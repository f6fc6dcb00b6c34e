/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_FENCE_H_
#define _VIVGPU_FENCE_H_

#include <linux/atomic.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct drm_device;
struct drm_sched_fence;
struct file;
struct sync_file;
struct vivgpu_queue;

/**
 * struct vivgpu_fence - the ring's fence of a job
 */
struct vivgpu_fence {
	/** @base: the fence; its lock is @lock */
	struct dma_fence base;
	/** @lock: lock of @base, not shared since fences outlive the device */
	spinlock_t lock;
	/** @module_ref: references device and module as long as the fence exists */
	struct file *module_ref;
	/** @initialised: vivgpu_fence_init() has initialised @base */
	bool initialised;
	/** @deadline_ns: the earliest deadline that was set on it, 0 if there is none */
	atomic64_t deadline_ns;
	/**
	 * @donor: queue on whose budget the job may run, referenced; NULL if there is none;
	 * VIVGPU_FENCE_NO_DONOR if there may be none any more
	 */
	struct vivgpu_queue *donor;
};

#define VIVGPU_FENCE_NO_DONOR	((struct vivgpu_queue *)ERR_PTR(-ESRCH))

/**
 * struct vivgpu_fence_out - a file descriptor by which a job's fence is returned
 * @fd: reserved number, -1 if none is wanted
 * @file: the file to install, NULL if none is wanted
 */
struct vivgpu_fence_out {
	int fd;
	struct sync_file *file;
};

int vivgpu_module_ref_create(struct file **module_ref, struct drm_device *drm);
void vivgpu_module_ref_put(struct file *module_ref);
struct vivgpu_fence *vivgpu_fence_alloc(struct file *module_ref);
void vivgpu_fence_init(struct vivgpu_fence *fence, u64 context, u64 seqno);
void vivgpu_fence_set_parent(struct vivgpu_fence *fence, struct drm_sched_fence *outer);
void vivgpu_fence_put(struct vivgpu_fence *fence);
void vivgpu_fence_require(struct vivgpu_fence *fence, u64 deadline_ns);
u64 vivgpu_fence_deadline(struct vivgpu_fence *fence, const struct drm_sched_fence *outer);
bool vivgpu_fence_set_donor(struct vivgpu_fence *fence, struct vivgpu_queue *donor);
struct vivgpu_queue *vivgpu_fence_donor(const struct vivgpu_fence *fence);
bool vivgpu_fence_refuse_donor(struct vivgpu_fence *fence);
struct vivgpu_queue *vivgpu_fence_take_donor(struct vivgpu_fence *fence);
int vivgpu_fence_out_init(struct vivgpu_fence_out *out, bool wanted);
void vivgpu_fence_out_fini(struct vivgpu_fence_out *out, struct dma_fence *fence, s32 *fd);

#endif
