// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of when buffers are mapped for DMA: before anybody can write to them. The fault
 * that a later mapping causes shows only on devices that are not cache coherent. And of what is
 * mapped for the kernel: the place of a result only; of the lock of reservations, and of the fences
 * by which a buffer counts as active.
 */

#include <kunit/device.h>
#include <kunit/test.h>

#include <linux/dma-buf.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sizes.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_prime.h>

#include "../vivgpu_device.h"
#include "../vivgpu_gem.h"
#include "../vivgpu_gem_dma.h"
#include "../vivgpu_queue.h"

DEFINE_DRM_GEM_FOPS(gem_fops);

static const struct drm_driver gem_driver = {
	.name = "vivgpu-gem",
	.desc = "KUnit tests of buffers",
	.driver_features = DRIVER_GEM,
	.fops = &gem_fops,
	.gem_create_object = vivgpu_gem_create_object,
};

static int gem_init(struct kunit *test)
{
	struct device *dev = kunit_device_register(test, "vivgpu-gem");
	struct vivgpu_device *vdev;

	if (IS_ERR(dev))
		return PTR_ERR(dev);

	vdev = devm_drm_dev_alloc(dev, &gem_driver, struct vivgpu_device, drm);
	if (IS_ERR(vdev))
		return PTR_ERR(vdev);

	spin_lock_init(&vdev->bos_lock);
	INIT_LIST_HEAD(&vdev->bos);
	init_waitqueue_head(&vdev->bos_wait);
	mutex_init(&vdev->purge_lock);
	test->priv = vdev;
	return 0;
}

static struct drm_device *gem_device(struct kunit *test)
{
	struct vivgpu_device *vdev = test->priv;

	return &vdev->drm;
}

static bool gem_is_mapped(struct drm_gem_object *obj)
{
	return to_drm_gem_shmem_obj(obj)->sgt;
}

/* A buffer without pages, which therefore is not mapped for DMA either. */
static struct drm_gem_object *gem_new_buffer(struct kunit *test)
{
	struct drm_gem_shmem_object *shmem = drm_gem_shmem_create(gem_device(test), 4 * PAGE_SIZE);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, shmem);
	KUNIT_EXPECT_FALSE(test, gem_is_mapped(&shmem->base));
	return &shmem->base;
}

/*
 * A private mapping is refused, after the step of interest: a mapping that succeeds needs an
 * address space.
 */
static void buffer_is_mapped_at_mmap(struct kunit *test)
{
	struct vm_area_struct *vma = kunit_kzalloc(test, sizeof(*vma), GFP_KERNEL);
	struct drm_gem_object *obj = gem_new_buffer(test);

	KUNIT_ASSERT_NOT_NULL(test, vma);
	vm_flags_init(vma, VM_MAYWRITE);
	KUNIT_EXPECT_EQ(test, obj->funcs->mmap(obj, vma), -EINVAL);
	KUNIT_EXPECT_TRUE(test, gem_is_mapped(obj));
	drm_gem_object_put(obj);
}

static void buffer_is_mapped_at_export(struct kunit *test)
{
	struct drm_gem_object *obj = gem_new_buffer(test);
	struct dma_buf *dma_buf;

	KUNIT_EXPECT_NOT_NULL(test, obj->funcs->export);
	dma_buf = obj->funcs->export ? obj->funcs->export(obj, 0) : drm_gem_prime_export(obj, 0);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, dma_buf);
	KUNIT_EXPECT_TRUE(test, gem_is_mapped(obj));
	if (!IS_ERR_OR_NULL(dma_buf)) {
		dma_buf_put(dma_buf);
		/* A kernel thread's last fput() is deferred. */
		flush_delayed_fput();
	}
	drm_gem_object_put(obj);
}

static void contiguous_buffer_is_mapped_at_once(struct kunit *test)
{
	struct drm_gem_object *obj = vivgpu_contiguous_create(gem_device(test), SZ_16K);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, obj);
	KUNIT_EXPECT_TRUE(test, gem_is_mapped(obj));
	drm_gem_object_put(obj);
}

/* The driver itself writes the numbers of ended jobs. */
static void progress_buffer_is_mapped(struct kunit *test)
{
	struct vivgpu_queue *queue = kunit_kzalloc(test, sizeof(*queue), GFP_KERNEL);
	struct drm_gem_object *obj = gem_new_buffer(test);

	KUNIT_ASSERT_NOT_NULL(test, queue);
	KUNIT_ASSERT_EQ(test, vivgpu_queue_set_progress(queue, obj), 0);
	KUNIT_EXPECT_TRUE(test, gem_is_mapped(obj));
	/* the words, not the whole buffer */
	KUNIT_EXPECT_NULL(test, to_drm_gem_shmem_obj(obj)->vaddr);
	vivgpu_gem_vunmap(queue->progress_map);
	drm_gem_object_put(queue->progress);
	drm_gem_object_put(obj);
}

/* A device that is gone maps nothing more, but what there is can be used by the CPU. */
static void gone_device_maps_nothing(struct kunit *test)
{
	struct vivgpu_queue *queue = kunit_kzalloc(test, sizeof(*queue), GFP_KERNEL);
	struct drm_gem_object *obj = gem_new_buffer(test);

	KUNIT_ASSERT_NOT_NULL(test, queue);
	gem_device(test)->unplugged = true;
	KUNIT_ASSERT_EQ(test, vivgpu_queue_set_progress(queue, obj), 0);
	KUNIT_EXPECT_FALSE(test, gem_is_mapped(obj));
	vivgpu_gem_vunmap(queue->progress_map);
	drm_gem_object_put(queue->progress);
	drm_gem_object_put(obj);
}

/* The kernel's address of a byte of a buffer whose pages it has. */
static void *gem_byte(struct drm_gem_object *obj, u64 offset)
{
	struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);

	return page_address(shmem->pages[offset >> PAGE_SHIFT]) + offset_in_page(offset);
}

/* The result at the end of the buffer's first page goes on in the second. */
static void result_is_mapped_by_pages(struct kunit *test)
{
	struct drm_gem_object *obj = gem_new_buffer(test);
	const u64 first = PAGE_SIZE - sizeof(u64), last = obj->size - 2 * sizeof(u64);
	struct vivgpu_vmap *maps[2] = { };
	u64 *across, *end;

	across = vivgpu_gem_vmap(obj, first, &maps[0]);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, across);
	end = vivgpu_gem_vmap(obj, last, &maps[1]);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, end);
	across[0] = 1;
	across[1] = 2;
	end[0] = 3;
	end[1] = 4;
	KUNIT_EXPECT_EQ(test, *(u64 *)gem_byte(obj, first), 1);
	KUNIT_EXPECT_EQ(test, *(u64 *)gem_byte(obj, PAGE_SIZE), 2);
	KUNIT_EXPECT_EQ(test, *(u64 *)gem_byte(obj, last), 3);
	KUNIT_EXPECT_EQ(test, *(u64 *)gem_byte(obj, last + sizeof(u64)), 4);
	/* neither the whole buffer, nor one page twice */
	KUNIT_EXPECT_NULL(test, to_drm_gem_shmem_obj(obj)->vaddr);
	KUNIT_EXPECT_PTR_NE(test, maps[0], maps[1]);
	vivgpu_gem_vunmap(maps[0]);
	vivgpu_gem_vunmap(maps[1]);
	drm_gem_object_put(obj);
}

/* A job may have many results in one page; the mapping goes with the last one. */
static void results_share_a_mapping(struct kunit *test)
{
	struct drm_gem_object *obj = gem_new_buffer(test);
	struct vivgpu_vmap *maps[2] = { };
	u64 *one, *other;

	one = vivgpu_gem_vmap(obj, 0, &maps[0]);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, one);
	other = vivgpu_gem_vmap(obj, 16, &maps[1]);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, other);
	KUNIT_EXPECT_PTR_EQ(test, maps[0], maps[1]);
	KUNIT_EXPECT_PTR_EQ(test, other, one + 2);
	vivgpu_gem_vunmap(maps[0]);
	KUNIT_EXPECT_NOT_NULL(test, to_drm_gem_shmem_obj(obj)->pages);
	*other = 5;
	KUNIT_EXPECT_EQ(test, *(u64 *)gem_byte(obj, 16), 5);
	vivgpu_gem_vunmap(maps[1]);
	KUNIT_EXPECT_TRUE(test, xa_empty(&to_vivgpu_bo(obj)->vmaps));
	KUNIT_EXPECT_NULL(test, to_drm_gem_shmem_obj(obj)->pages);
	drm_gem_object_put(obj);
}

/* Buffers of another driver that share a reservation: it is locked once. */
static void shared_reservation_is_locked_once(struct kunit *test)
{
	struct drm_gem_object *bos[4], *some[4];
	struct ww_acquire_ctx ctx;
	u32 i, count = ARRAY_SIZE(some);
	int ret;

	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		bos[i] = gem_new_buffer(test);
		some[i] = bos[i];
	}
	bos[1]->resv = bos[0]->resv;
	bos[3]->resv = bos[0]->resv;
	ret = vivgpu_gem_lock(some, &count, &ctx);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, count, 2);
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		KUNIT_EXPECT_EQ(test, dma_resv_is_locked(bos[i]->resv), !ret);
	if (!ret)
		drm_gem_unlock_reservations(some, count, &ctx);
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		KUNIT_EXPECT_FALSE(test, dma_resv_is_locked(bos[i]->resv));

	/* one buffer twice is a mistake of the client */
	some[0] = bos[2];
	some[1] = bos[1];
	some[2] = bos[2];
	count = 3;
	KUNIT_EXPECT_EQ(test, vivgpu_gem_lock(some, &count, &ctx), -EINVAL);
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		KUNIT_EXPECT_FALSE(test, dma_resv_is_locked(bos[i]->resv));

	bos[1]->resv = &bos[1]->_resv;
	bos[3]->resv = &bos[3]->_resv;
	for (i = 0; i < ARRAY_SIZE(bos); i++)
		drm_gem_object_put(bos[i]);
}

static const char *gem_fence_name(struct dma_fence *fence)
{
	return "test";
}

static const struct dma_fence_ops gem_fence_ops = {
	.get_driver_name = gem_fence_name,
	.get_timeline_name = gem_fence_name,
};

/* Add a fence as a submit does, or with @used = false as another driver. */
static void gem_add_fence(struct kunit *test, struct drm_gem_object *obj, struct dma_fence *fence,
			  bool used)
{
	dma_resv_lock(obj->resv, NULL);
	KUNIT_EXPECT_EQ(test, dma_resv_reserve_fences(obj->resv, 1), 0);
	dma_resv_add_fence(obj->resv, fence, DMA_RESV_USAGE_BOOKKEEP);
	dma_resv_unlock(obj->resv);
	if (used)
		to_vivgpu_bo(obj)->used = true;
}

/*
 * The fences are looked at from a use on until they are found signalled, and always if other
 * drivers may add some.
 */
static void buffer_is_active_while_used(struct kunit *test)
{
	struct drm_gem_object *obj = gem_new_buffer(test);
	u64 context = dma_fence_context_alloc(1);
	struct dma_fence *fences[2];
	static DEFINE_SPINLOCK(lock);
	struct dma_buf *dma_buf;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fences); i++) {
		fences[i] = kzalloc(sizeof(*fences[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, fences[i]);
		dma_fence_init(fences[i], &gem_fence_ops, &lock, context, i + 1);
	}

	KUNIT_EXPECT_FALSE(test, vivgpu_gem_is_active(obj));
	gem_add_fence(test, obj, fences[0], true);
	KUNIT_EXPECT_TRUE(test, vivgpu_gem_is_active(obj));
	KUNIT_EXPECT_TRUE(test, vivgpu_gem_is_active(obj));
	dma_fence_signal(fences[0]);
	KUNIT_EXPECT_FALSE(test, vivgpu_gem_is_active(obj));
	KUNIT_EXPECT_FALSE(test, to_vivgpu_bo(obj)->used);

	dma_buf = obj->funcs->export(obj, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dma_buf);
	obj->dma_buf = dma_buf;
	gem_add_fence(test, obj, fences[1], false);
	KUNIT_EXPECT_TRUE(test, vivgpu_gem_is_active(obj));
	dma_fence_signal(fences[1]);
	KUNIT_EXPECT_FALSE(test, vivgpu_gem_is_active(obj));

	obj->dma_buf = NULL;
	dma_buf_put(dma_buf);
	flush_delayed_fput();
	drm_gem_object_put(obj);
	for (i = 0; i < ARRAY_SIZE(fences); i++)
		dma_fence_put(fences[i]);
}

/* A purged buffer gets no new pages for a result. */
static void lost_buffer_has_no_results(struct kunit *test)
{
	struct drm_gem_object *obj = gem_new_buffer(test);
	struct vivgpu_vmap *map = NULL;

	to_vivgpu_bo(obj)->purged = true;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(vivgpu_gem_vmap(obj, 0, &map)), -EFAULT);
	KUNIT_EXPECT_NULL(test, map);
	KUNIT_EXPECT_NULL(test, to_drm_gem_shmem_obj(obj)->pages);
	drm_gem_object_put(obj);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(buffer_is_mapped_at_mmap),
	KUNIT_CASE(buffer_is_mapped_at_export),
	KUNIT_CASE(contiguous_buffer_is_mapped_at_once),
	KUNIT_CASE(progress_buffer_is_mapped),
	KUNIT_CASE(gone_device_maps_nothing),
	KUNIT_CASE(result_is_mapped_by_pages),
	KUNIT_CASE(results_share_a_mapping),
	KUNIT_CASE(shared_reservation_is_locked_once),
	KUNIT_CASE(buffer_is_active_while_used),
	KUNIT_CASE(lost_buffer_has_no_results),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-gem",
	.init = gem_init,
	.test_cases = cases,
};

kunit_test_suite(suite);
