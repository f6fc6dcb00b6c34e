/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_FENCE_H_
#define _VIVGPU_FENCE_H_

#include <linux/dma-fence.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct drm_device;
struct drm_sched_fence;
struct file;

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
};

int vivgpu_module_ref_create(struct file **module_ref, struct drm_device *drm);
void vivgpu_module_ref_put(struct file *module_ref);
struct vivgpu_fence *vivgpu_fence_alloc(struct file *module_ref);
void vivgpu_fence_init(struct vivgpu_fence *fence, u64 context, u64 seqno);
void vivgpu_fence_set_parent(struct vivgpu_fence *fence, struct drm_sched_fence *outer);
void vivgpu_fence_put(struct vivgpu_fence *fence);

#endif
