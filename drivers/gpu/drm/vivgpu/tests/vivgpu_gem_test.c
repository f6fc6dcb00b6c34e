// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of when buffers are mapped for DMA: before anybody can write to them. The fault
 * that a later mapping causes shows only on devices that are not cache coherent.
 */

#include <kunit/device.h>
#include <kunit/test.h>

#include <linux/dma-buf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/sizes.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_prime.h>

#include "../vivgpu_compat.h"
#include "../vivgpu_contiguous.h"
#include "../vivgpu_device.h"
#include "../vivgpu_gem.h"
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
	struct drm_gem_shmem_object *shmem = drm_gem_shmem_create(gem_device(test), SZ_16K);

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
	drm_gem_vunmap(obj, &queue->progress_map);
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
	drm_gem_vunmap(obj, &queue->progress_map);
	drm_gem_object_put(queue->progress);
	drm_gem_object_put(obj);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(buffer_is_mapped_at_mmap),
	KUNIT_CASE(buffer_is_mapped_at_export),
	KUNIT_CASE(contiguous_buffer_is_mapped_at_once),
	KUNIT_CASE(progress_buffer_is_mapped),
	KUNIT_CASE(gone_device_maps_nothing),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-gem",
	.init = gem_init,
	.test_cases = cases,
};

kunit_test_suite(suite);
