// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of devices that are not coherent with the caches, User-Mode Linux's "noncoherent":
 * what a device sees of a page, and what the processor sees of what the device wrote.
 */

#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

#define OLD 0x11
#define NEW 0x22

/**
 * struct dma_test - a page and a device
 * @dev: a device without driver
 * @cached: the page, by its cached address
 */
struct dma_test {
	struct device *dev;
	u8 *cached;
};

/* What is at a DMA address, for the device: DMA addresses are in the kernel's linear map. */
static u8 *device_view(dma_addr_t address)
{
	return phys_to_virt(address);
}

static dma_addr_t map_page(struct kunit *test, enum dma_data_direction direction)
{
	struct dma_test *t = test->priv;
	dma_addr_t address = dma_map_single(t->dev, t->cached, PAGE_SIZE, direction);

	KUNIT_ASSERT_FALSE(test, dma_mapping_error(t->dev, address));
	return address;
}

static void device_sees_what_was_synced(struct kunit *test)
{
	struct dma_test *t = test->priv;
	dma_addr_t address;

	*t->cached = OLD;
	address = map_page(test, DMA_TO_DEVICE);
	KUNIT_EXPECT_EQ(test, *device_view(address), OLD);

	*t->cached = NEW;
	KUNIT_EXPECT_EQ(test, *device_view(address), OLD);
	dma_sync_single_for_device(t->dev, address, PAGE_SIZE, DMA_TO_DEVICE);
	KUNIT_EXPECT_EQ(test, *device_view(address), NEW);

	dma_unmap_single(t->dev, address, PAGE_SIZE, DMA_TO_DEVICE);
}

static void processor_sees_what_was_synced(struct kunit *test)
{
	struct dma_test *t = test->priv;
	dma_addr_t address;

	*t->cached = OLD;
	address = map_page(test, DMA_FROM_DEVICE);
	*device_view(address) = NEW;
	KUNIT_EXPECT_EQ(test, *t->cached, OLD);
	dma_sync_single_for_cpu(t->dev, address, PAGE_SIZE, DMA_FROM_DEVICE);
	KUNIT_EXPECT_EQ(test, *t->cached, NEW);

	dma_sync_single_for_device(t->dev, address, PAGE_SIZE, DMA_FROM_DEVICE);
	*device_view(address) = OLD;
	KUNIT_EXPECT_EQ(test, *t->cached, NEW);
	dma_unmap_single(t->dev, address, PAGE_SIZE, DMA_FROM_DEVICE);
	KUNIT_EXPECT_EQ(test, *t->cached, OLD);
}

static void only_what_is_synced_is_copied(struct kunit *test)
{
	struct dma_test *t = test->priv;
	dma_addr_t address;

	memset(t->cached, OLD, PAGE_SIZE);
	address = map_page(test, DMA_BIDIRECTIONAL);
	memset(t->cached, NEW, PAGE_SIZE);
	dma_sync_single_range_for_device(t->dev, address, 64, 64, DMA_BIDIRECTIONAL);
	KUNIT_EXPECT_EQ(test, device_view(address)[63], OLD);
	KUNIT_EXPECT_EQ(test, device_view(address)[64], NEW);
	KUNIT_EXPECT_EQ(test, device_view(address)[127], NEW);
	KUNIT_EXPECT_EQ(test, device_view(address)[128], OLD);
	dma_unmap_single(t->dev, address, PAGE_SIZE, DMA_BIDIRECTIONAL);
}

static void coherent_memory_needs_no_sync(struct kunit *test)
{
	struct dma_test *t = test->priv;
	dma_addr_t address;
	u8 *memory = dma_alloc_coherent(t->dev, PAGE_SIZE, &address, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, memory);
	KUNIT_EXPECT_EQ(test, *device_view(address), 0);
	*memory = NEW;
	KUNIT_EXPECT_EQ(test, *device_view(address), NEW);
	*device_view(address) = OLD;
	KUNIT_EXPECT_EQ(test, *memory, OLD);
	dma_free_coherent(t->dev, PAGE_SIZE, memory, address);
}

static u8 *map_write_combined(struct kunit *test)
{
	struct dma_test *t = test->priv;
	struct page *page = virt_to_page(t->cached);
	u8 *memory = vmap(&page, 1, VM_MAP, pgprot_writecombine(PAGE_KERNEL));

	KUNIT_ASSERT_NOT_NULL(test, memory);
	return memory;
}

static void write_combined_memory_needs_no_sync(struct kunit *test)
{
	struct dma_test *t = test->priv;
	dma_addr_t address = map_page(test, DMA_BIDIRECTIONAL);
	u8 *memory = map_write_combined(test);

	*memory = NEW;
	KUNIT_EXPECT_EQ(test, *device_view(address), NEW);
	KUNIT_EXPECT_EQ(test, *t->cached, 0);
	*device_view(address) = OLD;
	KUNIT_EXPECT_EQ(test, *memory, OLD);
	vunmap(memory);
	dma_unmap_single(t->dev, address, PAGE_SIZE, DMA_BIDIRECTIONAL);
}

/* The caches still have the zeroes of the allocation. */
static void first_map_overwrites_write_combined(struct kunit *test)
{
	struct dma_test *t = test->priv;
	u8 *memory = map_write_combined(test);
	dma_addr_t address;

	*memory = NEW;
	address = map_page(test, DMA_BIDIRECTIONAL);
	KUNIT_EXPECT_EQ(test, *device_view(address), 0);
	KUNIT_EXPECT_EQ(test, *memory, 0);
	vunmap(memory);
	dma_unmap_single(t->dev, address, PAGE_SIZE, DMA_BIDIRECTIONAL);
}

static int dma_test_init(struct kunit *test)
{
	struct dma_test *t;

	if (!um_memory_offset)
		kunit_skip(test, "devices are coherent: boot with noncoherent");

	t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t);
	t->dev = kunit_device_register(test, "vivgpu-noncoherent");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, t->dev);
	KUNIT_ASSERT_EQ(test, dma_coerce_mask_and_coherent(t->dev, DMA_BIT_MASK(64)), 0);
	t->cached = (u8 *)get_zeroed_page(GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->cached);
	test->priv = t;
	return 0;
}

static void dma_test_exit(struct kunit *test)
{
	struct dma_test *t = test->priv;

	if (t)
		free_page((unsigned long)t->cached);
}

static struct kunit_case dma_test_cases[] = {
	KUNIT_CASE(device_sees_what_was_synced),
	KUNIT_CASE(processor_sees_what_was_synced),
	KUNIT_CASE(only_what_is_synced_is_copied),
	KUNIT_CASE(coherent_memory_needs_no_sync),
	KUNIT_CASE(write_combined_memory_needs_no_sync),
	KUNIT_CASE(first_map_overwrites_write_combined),
	{ }
};

static struct kunit_suite dma_test_suite = {
	.name = "vivgpu_noncoherent",
	.init = dma_test_init,
	.exit = dma_test_exit,
	.test_cases = dma_test_cases,
};

kunit_test_suite(dma_test_suite);

MODULE_DESCRIPTION("KUnit tests of User-Mode Linux's devices that are not coherent");
MODULE_LICENSE("GPL");
