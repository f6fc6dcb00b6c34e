// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of the bounds of inheritance: what is recorded of a job that waits for many fences,
 * and what a selection visits.
 */

#include <kunit/test.h>

#include <linux/dma-fence-array.h>
#include <linux/workqueue.h>

#include "../vivgpu_compat.h"
#include "../vivgpu_device.h"
#include "../vivgpu_fence.h"
#include "../vivgpu_inherit.h"
#include "../vivgpu_job.h"
#include "../vivgpu_queue.h"

#define JOBS		1000
#define MANY_FENCES	5000
#define DEADLINE_NS	1000

/* A fence of another device, which counts the deadlines that it gets */
struct foreign_fence {
	struct dma_fence base;
	spinlock_t lock; /* of @base */
	atomic_t *deadlines;
};

static const char *foreign_name(struct dma_fence *fence)
{
	return "foreign";
}

static void foreign_set_deadline(struct dma_fence *fence, ktime_t deadline)
{
	atomic_inc(container_of(fence, struct foreign_fence, base)->deadlines);
}

/* The fences are the test's memory. */
static void foreign_release(struct dma_fence *fence)
{
}

static const struct dma_fence_ops foreign_ops = {
	.get_driver_name = foreign_name,
	.get_timeline_name = foreign_name,
	.set_deadline = foreign_set_deadline,
	.release = foreign_release,
};

/**
 * struct fixture - a device, its jobs, and fences of another device; wait_for() lets a job wait
 * @vdev: the device
 * @queue: the jobs' queue
 * @jobs: the jobs
 * @own: their fences
 * @outer: the scheduler's fences of them
 * @fences: the fences of another device
 * @deadlines: number of deadlines that those got
 */
struct fixture {
	struct vivgpu_device *vdev;
	struct vivgpu_queue *queue;
	struct vivgpu_job *jobs;
	struct vivgpu_fence *own;
	struct drm_sched_fence *outer;
	struct foreign_fence *fences;
	atomic_t deadlines;
};

static void make_fences(struct kunit *test, struct fixture *f, u32 count)
{
	u32 i;

	f->fences = kvcalloc(count, sizeof(*f->fences), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f->fences);
	for (i = 0; i < count; i++) {
		spin_lock_init(&f->fences[i].lock);
		f->fences[i].deadlines = &f->deadlines;
		dma_fence_init(&f->fences[i].base, &foreign_ops, &f->fences[i].lock,
			       dma_fence_context_alloc(1), 1);
	}
}

static struct fixture *make_fixture(struct kunit *test, u32 jobs, u32 fences)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->vdev = kunit_kzalloc(test, sizeof(*f->vdev), GFP_KERNEL);
	f->queue = kunit_kzalloc(test, sizeof(*f->queue), GFP_KERNEL);
	f->jobs = kvcalloc(jobs, sizeof(*f->jobs), GFP_KERNEL);
	f->own = kvcalloc(jobs, sizeof(*f->own), GFP_KERNEL);
	f->outer = kvcalloc(jobs, sizeof(*f->outer), GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, f->vdev && f->queue && f->jobs && f->own && f->outer);
	make_fences(test, f, fences);

	spin_lock_init(&f->vdev->lock);
	vivgpu_inherit_init(f->vdev);
	f->vdev->free_wq = alloc_workqueue("vivgpu-inherit-test", WQ_UNBOUND, 0);
	KUNIT_ASSERT_NOT_NULL(test, f->vdev->free_wq);
	f->queue->entity.fence_context = dma_fence_context_alloc(2);
	for (i = 0; i < jobs; i++) {
		f->jobs[i].vdev = f->vdev;
		f->jobs[i].queue = f->queue;
		f->jobs[i].fence = &f->own[i];
		f->jobs[i].base.s_fence = &f->outer[i];
		xa_init_flags(&f->jobs[i].base.dependencies, XA_FLAGS_ALLOC);
	}
	return f;
}

/* Let a job wait for a fence, whose reference it takes over until free_fixture(). */
static void wait_for(struct kunit *test, struct vivgpu_job *job, struct dma_fence *fence)
{
	u32 id;

	KUNIT_ASSERT_EQ(test, xa_alloc(&job->base.dependencies, &id, fence, xa_limit_32b,
				       GFP_KERNEL), 0);
	KUNIT_ASSERT_EQ(test, vivgpu_inherit_prepare(job), 0);
	KUNIT_ASSERT_NOT_NULL(test, job->waits);
	vivgpu_inherit_begin(job);
}

/* @jobs: how many of the jobs, from the first on, still have the record of what they wait for */
static void free_fixture(struct fixture *f, u32 jobs)
{
	u32 i;

	for (i = 0; i < jobs; i++) {
		vivgpu_inherit_cancel(&f->jobs[i]);
		vivgpu_inherit_free(&f->jobs[i]);
		xa_destroy(&f->jobs[i].base.dependencies);
	}
	destroy_workqueue(f->vdev->free_wq);
	kvfree(f->fences);
	kvfree(f->outer);
	kvfree(f->own);
	kvfree(f->jobs);
}

/* Hand deadlines on, as a selection does; the number of deadlines that fences got by it. */
static u32 hand_on(struct fixture *f)
{
	u32 before = atomic_read(&f->deadlines);

	spin_lock_irq(&f->vdev->lock);
	vivgpu_inherit_late(f->vdev);
	spin_unlock_irq(&f->vdev->lock);
	flush_workqueue(f->vdev->free_wq);
	return atomic_read(&f->deadlines) - before;
}

/*
 * A selection visits a bounded number of jobs and fences, here as many of each; the following ones
 * visit the others.
 */
static void visits_are_bounded(struct kunit *test)
{
	struct fixture *f = make_fixture(test, JOBS, JOBS);
	u32 i, most = 0, all = 0, selections = DIV_ROUND_UP(2 * JOBS, VIVGPU_INHERIT_VISITS);

	for (i = 0; i < JOBS; i++) {
		wait_for(test, &f->jobs[i], &f->fences[i].base);
		vivgpu_fence_require(&f->own[i], DEADLINE_NS);
	}
	for (i = 0; i < selections; i++) {
		u32 got = hand_on(f);

		most = max(most, got);
		all += got;
	}
	KUNIT_EXPECT_LE(test, most, VIVGPU_INHERIT_VISITS / 2);
	KUNIT_EXPECT_EQ(test, all, JOBS);
	for (i = 0; i < selections; i++)
		KUNIT_EXPECT_EQ(test, hand_on(f), 0);
	/* An earlier deadline of any job arrives, too. */
	vivgpu_fence_require(&f->own[JOBS / 2], DEADLINE_NS / 2);
	for (i = all = 0; i < selections; i++)
		all += hand_on(f);
	KUNIT_EXPECT_EQ(test, all, 1);
	free_fixture(f, JOBS);
}

/* Of a job that waits for more fences only VIVGPU_INHERIT_FENCES are recorded. */
static void fences_are_bounded(struct kunit *test)
{
	struct fixture *f = make_fixture(test, 1, MANY_FENCES);
	struct dma_fence **parts = kmalloc_array(MANY_FENCES, sizeof(*parts), GFP_KERNEL);
	struct dma_fence_array *array;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, parts);
	for (i = 0; i < MANY_FENCES; i++)
		parts[i] = dma_fence_get(&f->fences[i].base);
	array = dma_fence_array_create(MANY_FENCES, parts, dma_fence_context_alloc(1), 1);
	KUNIT_ASSERT_NOT_NULL(test, array);
	wait_for(test, &f->jobs[0], &array->base);
	KUNIT_EXPECT_EQ(test, f->jobs[0].waits->count, VIVGPU_INHERIT_FENCES);
	vivgpu_inherit_cancel(&f->jobs[0]);
	vivgpu_inherit_free(&f->jobs[0]);
	xa_destroy(&f->jobs[0].base.dependencies);
	KUNIT_EXPECT_EQ(test, kref_read(&array->base.refcount), 1);
	dma_fence_put(&array->base);
	free_fixture(f, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(visits_are_bounded),
	KUNIT_CASE(fences_are_bounded),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-inherit",
	.test_cases = cases,
};

kunit_test_suite(suite);
