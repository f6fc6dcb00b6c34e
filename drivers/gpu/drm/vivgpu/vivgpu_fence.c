// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Lifetime of fences
 *
 * A job has two fences: the ring's (&struct vivgpu_fence) and the scheduler's
 * finished fence, which is the one that user space and other drivers get. A finished
 * fence may live in a sync_file or in the reservation of a shared buffer for any
 * time, and its get_timeline_name() reads the scheduler, which is part of the device.
 * The operations of the ring's fence are code of this module. So device and module
 * have to live as long as any fence.
 *
 * References: finished fence -> (s_fence->parent) ring's fence -> module_ref -> device and
 * module. The module_ref is an anonymous file: its release function drops the device, and
 * its file operations' owner is the module. A file is used because the kernel calls
 * release from task context without locks and calls module_put() after the release
 * function has returned, so that the module's code is not unloaded while it runs. A
 * client gets one module_ref with its first job, and not at open: the fbdev emulation's
 * in-kernel client submits no jobs and must not pin the module.
 *
 * So the module cannot be unloaded while one of its fences exists. The driver can be
 * unbound at any time.
 */

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sync_file.h>

#include <kunit/visibility.h>

#include <drm/drm_drv.h>
#include <drm/gpu_scheduler.h>

#include "vivgpu_fence.h"
#include "vivgpu_stretch.h"

static int vivgpu_fence_release_module_ref(struct inode *inode, struct file *file)
{
	drm_dev_put(file->private_data);
	return 0;
}

static const struct file_operations vivgpu_fence_module_ref_fops = {
	.owner = THIS_MODULE,
	.release = vivgpu_fence_release_module_ref,
};

static struct file *vivgpu_fence_create_module_ref(struct drm_device *drm)
{
	struct file *module_ref;

	drm_dev_get(drm);
	module_ref = anon_inode_getfile("[vivgpu-fences]", &vivgpu_fence_module_ref_fops, drm, 0);
	if (IS_ERR(module_ref))
		drm_dev_put(drm);
	return module_ref;
}

/**
 * vivgpu_module_ref_create - create a client's module_ref unless it has one
 * @module_ref: the client's pointer to it; release it with vivgpu_module_ref_put()
 * @drm: the device
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_module_ref_create(struct file **module_ref, struct drm_device *drm)
{
	struct file *file;

	if (READ_ONCE(*module_ref))
		return 0;

	file = vivgpu_fence_create_module_ref(drm);
	if (IS_ERR(file))
		return PTR_ERR(file);

	vivgpu_stretch_rare(VIVGPU_STRETCH_MODULE_REF);
	/* Another thread of the client may have set it meanwhile. */
	if (cmpxchg(module_ref, NULL, file))
		fput(file);
	return 0;
}

/**
 * vivgpu_module_ref_put - drop the client's reference on its module_ref
 * @module_ref: the module_ref, or NULL; each fence has a reference of its own
 */
void vivgpu_module_ref_put(struct file *module_ref)
{
	if (module_ref)
		fput(module_ref);
}

static const char *vivgpu_fence_get_driver_name(struct dma_fence *fence)
{
	return "vivgpu";
}

static const char *vivgpu_fence_get_timeline_name(struct dma_fence *fence)
{
	return "ring";
}

static void vivgpu_fence_free(struct vivgpu_fence *fence)
{
	fput(fence->module_ref);
	kfree_rcu(fence, base.rcu);
}

static void vivgpu_fence_release(struct dma_fence *fence)
{
	vivgpu_fence_free(container_of(fence, struct vivgpu_fence, base));
}

/**
 * vivgpu_fence_require - set the deadline of a fence's job, unless it has an earlier one
 * @fence: the job's fence
 * @deadline_ns: the deadline, CLOCK_MONOTONIC, not 0
 *
 * Takes no lock, so it can be called with any lock held. The arbiter reads the deadline when it
 * selects the next job, which it does at the latest when the jobs in the ring have ended.
 */
void vivgpu_fence_require(struct vivgpu_fence *fence, u64 deadline_ns)
{
	s64 old = atomic64_read(&fence->deadline_ns);

	do {
		if (old && old <= (s64)deadline_ns)
			return;
	} while (!atomic64_try_cmpxchg(&fence->deadline_ns, &old, deadline_ns));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_fence_require);

/* Called by dma_fence_set_deadline() from any context, with locks of other fences held or not. */
static void vivgpu_fence_set_deadline(struct dma_fence *base, ktime_t deadline)
{
	vivgpu_fence_require(container_of(base, struct vivgpu_fence, base),
			     max_t(s64, ktime_to_ns(deadline), 1));
}

static const struct dma_fence_ops vivgpu_fence_ops = {
	.get_driver_name = vivgpu_fence_get_driver_name,
	.get_timeline_name = vivgpu_fence_get_timeline_name,
	.release = vivgpu_fence_release,
	.set_deadline = vivgpu_fence_set_deadline,
};

/**
 * vivgpu_fence_alloc - allocate a job's fence
 * @module_ref: the client's module_ref
 *
 * Called at the submit, since run_job() must not allocate memory.
 *
 * Return: the fence, to be initialised by vivgpu_fence_init(); NULL if memory is short.
 */
struct vivgpu_fence *vivgpu_fence_alloc(struct file *module_ref)
{
	struct vivgpu_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);

	if (!fence)
		return NULL;

	spin_lock_init(&fence->lock);
	fence->module_ref = get_file(module_ref);
	return fence;
}

/**
 * vivgpu_fence_init - initialise the dma_fence when the job runs
 * @fence: the fence
 * @context: the ring's fence context
 * @seqno: sequence number in that context
 */
void vivgpu_fence_init(struct vivgpu_fence *fence, u64 context, u64 seqno)
{
	dma_fence_init(&fence->base, &vivgpu_fence_ops, &fence->lock, context, seqno);
	fence->initialised = true;
}

/**
 * vivgpu_fence_set_parent - make the ring's fence the parent of the scheduler's fence
 * @fence: the ring's fence; if the job never ran, it is initialised and signalled here
 * @outer: the scheduler's fence of the same job, signalled
 *
 * Does nothing if the scheduler has set the parent. After this the scheduler's fence
 * holds a reference on the module_ref by way of its parent.
 */
void vivgpu_fence_set_parent(struct vivgpu_fence *fence, struct drm_sched_fence *outer)
{
	if (outer->parent)
		return;

	if (!fence->initialised) {
		vivgpu_fence_init(fence, dma_fence_context_alloc(1), 1);
		dma_fence_signal(&fence->base);
	}
	/* The scheduler's fence code reads parent without a lock. */
	smp_store_release(&outer->parent, dma_fence_get(&fence->base));
}

/**
 * vivgpu_fence_put - drop the job's reference on its fence
 * @fence: the fence, initialised or not; NULL is fine
 */
void vivgpu_fence_put(struct vivgpu_fence *fence)
{
	if (!fence)
		return;

	/* Only an initialised fence can have other references. */
	if (fence->initialised)
		dma_fence_put(&fence->base);
	else
		vivgpu_fence_free(fence);
}

/**
 * vivgpu_fence_deadline - the earliest deadline that was set on a job's fences
 * @fence: the ring's fence
 * @outer: the scheduler's fence of the same job, which passes its deadline to the ring's fence
 *	only after run_job() has returned
 *
 * Return: CLOCK_MONOTONIC in ns, 0 if there is none.
 */
u64 vivgpu_fence_deadline(struct vivgpu_fence *fence, const struct drm_sched_fence *outer)
{
	u64 deadline = atomic64_read(&fence->deadline_ns);

	if (test_bit(DRM_SCHED_FENCE_FLAG_HAS_DEADLINE_BIT, &outer->finished.flags))
		deadline = min_not_zero(deadline, (u64)ktime_to_ns(outer->deadline));
	return deadline;
}

/**
 * vivgpu_fence_set_donor - let a fence's job run on the budget of a queue
 * @fence: the fence, whose job may have been freed
 * @donor: the queue; its reference is the fence's if this returns true
 *
 * Return: false if the job was freed or has a donor already.
 */
bool vivgpu_fence_set_donor(struct vivgpu_fence *fence, struct vivgpu_queue *donor)
{
	return !cmpxchg(&fence->donor, NULL, donor);
}

/**
 * vivgpu_fence_donor - the queue on whose budget a fence's job may run
 * @fence: the fence of a job that waits or is ready: only when a job is freed,
 *	vivgpu_fence_refuse_donor() and vivgpu_fence_take_donor() store
 *	VIVGPU_FENCE_NO_DONOR
 *
 * Return: the queue, or NULL.
 */
struct vivgpu_queue *vivgpu_fence_donor(const struct vivgpu_fence *fence)
{
	return READ_ONCE(fence->donor);
}

/**
 * vivgpu_fence_refuse_donor - keep a job that is being freed without a donor, unless it has one
 * @fence: the fence
 *
 * Return: false if it has one.
 */
bool vivgpu_fence_refuse_donor(struct vivgpu_fence *fence)
{
	return !cmpxchg(&fence->donor, NULL, VIVGPU_FENCE_NO_DONOR);
}

/**
 * vivgpu_fence_take_donor - take the donor of a job that is being freed; it gets no other
 * @fence: the fence, or NULL
 *
 * Return: the queue, whose reference the caller puts, or NULL.
 */
struct vivgpu_queue *vivgpu_fence_take_donor(struct vivgpu_fence *fence)
{
	struct vivgpu_queue *donor = fence ? xchg(&fence->donor, VIVGPU_FENCE_NO_DONOR) : NULL;

	return donor == VIVGPU_FENCE_NO_DONOR ? NULL : donor;
}

/**
 * vivgpu_fence_out_init - reserve a file descriptor and a sync_file for a fence
 * @out: the descriptor
 * @wanted: false if no descriptor is needed
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_fence_out_init(struct vivgpu_fence_out *out, bool wanted)
{
	struct dma_fence *stub;

	out->fd = -1;
	out->file = NULL;
	if (!wanted)
		return 0;

	stub = dma_fence_get_stub();
	out->file = sync_file_create(stub);
	dma_fence_put(stub);
	if (!out->file)
		return -ENOMEM;

	out->fd = get_unused_fd_flags(O_CLOEXEC);
	if (out->fd < 0)
		fput(out->file->file);
	return min(out->fd, 0);
}

/**
 * vivgpu_fence_out_fini - install the fence, or release the descriptor
 * @out: the descriptor
 * @fence: the fence, NULL if there is none
 * @fd: receives the number of the descriptor
 *
 * The fence exists only after the job was pushed, when nothing may fail any more. So the
 * sync_file was created with the kernel's signaled fence (dma_fence_get_stub()), which @fence
 * replaces here: nothing else uses the file before fd_install().
 */
void vivgpu_fence_out_fini(struct vivgpu_fence_out *out, struct dma_fence *fence, s32 *fd)
{
	if (out->fd < 0)
		return;

	if (!fence) {
		fput(out->file->file);
		put_unused_fd(out->fd);
		return;
	}

	dma_fence_put(out->file->fence);
	out->file->fence = dma_fence_get(fence);
	fd_install(out->fd, out->file->file);
	*fd = out->fd;
}
