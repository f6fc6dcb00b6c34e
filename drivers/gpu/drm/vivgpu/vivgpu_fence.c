// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Fences that outlive what made them
 *
 * A job has two fences: the ring's own, and the scheduler's, which is what user
 * space and other drivers get to see. They may keep one in a sync_file or in the
 * reservation of a shared buffer for as long as they like, and ask it for names
 * meanwhile: the scheduler's looks for them in the scheduler, which is a part of
 * the device, and the ring's fence has its operations in this module.
 *
 * The scheduler's fence holds the ring's until it is freed itself, and the ring's
 * holds a keeper: a file that nobody can open, which has a reference on the device
 * and, as all files, on the module whose operations it has. It is the last put of
 * a file that makes this safe: the kernel does it outside of interrupts and locks,
 * and lets go of the module after its code has returned. A client gets one keeper,
 * with its first job: clients of the kernel's own must not hold the module.
 *
 * So the module cannot be unloaded as long as somebody has a fence of it. The
 * driver can be unbound at any time.
 */

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/gpu_scheduler.h>

#include "vivgpu_fence.h"

static int release_keeper(struct inode *inode, struct file *file)
{
	drm_dev_put(file->private_data);
	return 0;
}

static const struct file_operations keeper_fops = {
	.owner = THIS_MODULE,
	.release = release_keeper,
};

static struct file *create_keeper(struct drm_device *drm)
{
	struct file *keeper;

	drm_dev_get(drm);
	keeper = anon_inode_getfile("[vivgpu-fences]", &keeper_fops, drm, 0);
	if (IS_ERR(keeper))
		drm_dev_put(drm);
	return keeper;
}

/**
 * vivgpu_keeper_make - make what keeps device and module, if it is not there yet
 * @keeper: the client's place for it; give it back with vivgpu_keeper_put()
 * @drm: the device
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_keeper_make(struct file **keeper, struct drm_device *drm)
{
	struct file *file;

	if (READ_ONCE(*keeper))
		return 0;

	file = create_keeper(drm);
	if (IS_ERR(file))
		return PTR_ERR(file);

	/* Another thread may have been faster. */
	if (cmpxchg(keeper, NULL, file))
		fput(file);
	return 0;
}

/**
 * vivgpu_keeper_put - the client needs it no more
 * @keeper: the keeper, or NULL; fences have references of their own
 */
void vivgpu_keeper_put(struct file *keeper)
{
	if (keeper)
		fput(keeper);
}

static const char *driver_name(struct dma_fence *fence)
{
	return "vivgpu";
}

static const char *timeline_name(struct dma_fence *fence)
{
	return "ring";
}

static void free_fence(struct vivgpu_fence *fence)
{
	fput(fence->keeper);
	kfree_rcu(fence, base.rcu);
}

static void release_fence(struct dma_fence *fence)
{
	free_fence(container_of(fence, struct vivgpu_fence, base));
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = driver_name,
	.get_timeline_name = timeline_name,
	.release = release_fence,
};

/**
 * vivgpu_fence_alloc - memory for a job's fence
 * @keeper: the client's
 *
 * Return: the fence, not initialised before the job runs; or NULL.
 */
struct vivgpu_fence *vivgpu_fence_alloc(struct file *keeper)
{
	struct vivgpu_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);

	if (!fence)
		return NULL;

	spin_lock_init(&fence->lock);
	fence->keeper = get_file(keeper);
	return fence;
}

/**
 * vivgpu_fence_init - make it a fence
 * @fence: the fence
 * @context: the ring's
 * @seqno: number in it
 */
void vivgpu_fence_init(struct vivgpu_fence *fence, u64 context, u64 seqno)
{
	dma_fence_init(&fence->base, &fence_ops, &fence->lock, context, seqno);
}

/**
 * vivgpu_fence_tie - let the scheduler's fence hold the ring's, if it does not yet
 * @fence: the ring's; one that was never initialised becomes a signalled one
 * @outer: the scheduler's fence of the same job, signalled
 */
void vivgpu_fence_tie(struct vivgpu_fence *fence, struct drm_sched_fence *outer)
{
	if (outer->parent)
		return;

	if (!fence->base.ops) {
		vivgpu_fence_init(fence, dma_fence_context_alloc(1), 1);
		dma_fence_signal(&fence->base);
	}
	/* Whoever looks at it does so without a lock. */
	smp_store_release(&outer->parent, dma_fence_get(&fence->base));
}

/**
 * vivgpu_fence_put - the job needs its fence no more
 * @fence: the fence, initialised or not; NULL is fine
 */
void vivgpu_fence_put(struct vivgpu_fence *fence)
{
	if (!fence)
		return;

	/* One that was never initialised nobody ever saw. */
	if (fence->base.ops)
		dma_fence_put(&fence->base);
	else
		free_fence(fence);
}
