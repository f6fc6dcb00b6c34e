// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of page table entries, of lists of pages that another driver made, of the kernel's
 * memory in an address space and in the linear window, and of the slots of addresses for copied
 * streams.
 */

#include <kunit/device.h>
#include <kunit/test.h>

#include <linux/device.h>
#include <linux/scatterlist.h>

#include "../vivgpu_device.h"
#include "../vivgpu_mmu.h"
#include "../vivgpu_regs.h"

/* A bus address as an argument, because a constant of more than 32 bits does not fit everywhere. */
static u32 entry(u64 page, u32 flags)
{
	return vivgpu_vm_entry(page, flags);
}

/* Bits 39:32 of a page's address are in bits 11:4 of its entry. */
static void pte_holds_40_bit_addresses(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, entry(0x12345000, MMUV2_PTE_PRESENT), 0x12345001);
	KUNIT_EXPECT_EQ(test, entry(0xfffff000, 0), 0xfffff000);
	if (sizeof(dma_addr_t) < sizeof(u64))
		return;

	KUNIT_EXPECT_EQ(test, entry(0x1abcde000ull, MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE),
			0xabcde015);
	KUNIT_EXPECT_EQ(test, entry(0xfffffff000ull, 0), 0xfffffff0);
}

#define TABLE_ENTRIES	(VIVGPU_STLB_SPAN / VIVGPU_PAGE_SIZE)
#define PARTS		2

/* An address space with one second level table, for VIVGPU_USER_START. */
static struct vivgpu_vm *make_vm(struct kunit *test)
{
	struct vivgpu_vm *vm = kunit_kzalloc(test, sizeof(*vm), GFP_KERNEL);
	u32 *table = kunit_kcalloc(test, TABLE_ENTRIES, sizeof(*table), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vm);
	KUNIT_ASSERT_NOT_NULL(test, table);
	vm->vdev = kunit_kzalloc(test, sizeof(*vm->vdev), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, vm->vdev);
	vm->stlb[VIVGPU_USER_START / VIVGPU_STLB_SPAN] = table;
	mutex_init(&vm->lock);
	spin_lock_init(&vm->vdev->cmd_slots_lock);
	vm->cmd_slot = VIVGPU_NO_CMD_SLOT;
	return vm;
}

/* Map a buffer of @size bytes whose pages are two parts of these addresses and lengths. */
static int map_parts(struct vivgpu_vm *vm, u64 size, const u64 parts[PARTS][2])
{
	struct scatterlist list[PARTS];
	struct sg_table sgt = { .sgl = list, .nents = PARTS, .orig_nents = PARTS };
	int i;

	sg_init_table(list, PARTS);
	for (i = 0; i < PARTS; i++) {
		sg_dma_address(&list[i]) = parts[i][0];
		sg_dma_len(&list[i]) = parts[i][1];
	}
	return vivgpu_vm_set_pages(vm, VIVGPU_USER_START, size, &sgt);
}

static void pages_are_mapped(struct kunit *test)
{
	static const u64 parts[PARTS][2] = { { 0x10000, SZ_8K }, { 0x40000, SZ_4K } };
	struct vivgpu_vm *vm = make_vm(test);
	const u32 *table = vm->stlb[VIVGPU_USER_START / VIVGPU_STLB_SPAN];

	KUNIT_EXPECT_EQ(test, map_parts(vm, SZ_8K + SZ_4K, parts), 0);
	KUNIT_EXPECT_EQ(test, table[0], 0x10000 | MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE);
	KUNIT_EXPECT_EQ(test, table[1], 0x11000 | MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE);
	KUNIT_EXPECT_EQ(test, table[2], 0x40000 | MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE);
	KUNIT_EXPECT_EQ(test, table[3], 0);
}

/*
 * Lists of pages are refused that would be mapped beyond the buffer's addresses, or whose addresses
 * have bits where an entry has flags.
 */
static void pages_of_others_are_checked(struct kunit *test)
{
	static const struct {
		const char *what;
		u64 parts[PARTS][2];
	} bad[] = {
		{ "longer than the buffer", { { 0x10000, SZ_4K }, { 0x40000, SZ_8K } } },
		{ "shorter", { { 0x10000, SZ_4K }, { 0x40000, 0 } } },
		{ "an address within a page", { { 0x10010, SZ_4K }, { 0x40000, SZ_4K } } },
		{ "parts of pages", { { 0x10000, SZ_4K + SZ_2K }, { 0x40000, SZ_2K } } },
		{ "41 bits", { { 0x10000, SZ_4K }, { 1ull << VIVGPU_DMA_BITS, SZ_4K } } },
	};
	struct vivgpu_vm *vm = make_vm(test);
	const u32 *table = vm->stlb[VIVGPU_USER_START / VIVGPU_STLB_SPAN];
	size_t i, entries;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (sizeof(dma_addr_t) < sizeof(u64) && upper_32_bits(bad[i].parts[1][0]))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, map_parts(vm, SZ_8K, bad[i].parts), -EINVAL, "%s",
				    bad[i].what);
	}
	for (i = entries = 0; i < TABLE_ENTRIES; i++)
		entries += table[i] != 0 && table[i] != MMUV2_PTE_EXCEPTION;
	KUNIT_EXPECT_EQ(test, entries, 0);
}

/* The device has no memory for a table: the addresses are free again. */
static void kernel_memory_without_table(struct kunit *test)
{
	struct vivgpu_vm *vm = make_vm(test);
	struct drm_mm_node node = { };
	u32 va;

	vm->vdev->drm.dev = kunit_device_register(test, "vivgpu-mmu-test");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, vm->vdev->drm.dev);
	/* No page of memory has an address of one bit. */
	vm->vdev->drm.dev->coherent_dma_mask = 1;
	drm_mm_init(&vm->mm, VIVGPU_KERNEL_START, VIVGPU_VA_END - VIVGPU_KERNEL_START);
	KUNIT_EXPECT_EQ(test, vivgpu_vm_map_kernel(vm, &node, 0x10000, SZ_8K, &va), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&node));
	KUNIT_EXPECT_TRUE(test, drm_mm_clean(&vm->mm));
	if (drm_mm_node_allocated(&node))
		drm_mm_remove_node(&node);
	drm_mm_takedown(&vm->mm);
}

/* Bus addresses of memory and of the linear window, and the GPU address; -ERANGE outside of it */
static void window_has_two_gib(struct kunit *test)
{
	static const struct {
		u32 base;
		u64 dma;
		int ret;
		u32 va;
	} cases[] = {
		{ 0, 0x12345000, 0, 0x12345000 },
		{ 0, SZ_2G - SZ_256K, 0, SZ_2G - SZ_256K },
		{ 0, SZ_2G - SZ_256K + SZ_4K, -ERANGE },
		{ 0, SZ_2G, -ERANGE },
		{ SZ_2G, SZ_2G + SZ_1M, 0, SZ_1M },
		{ SZ_2G, SZ_2G - SZ_4K, -ERANGE },
		{ SZ_2G, U32_MAX - SZ_256K + 1, 0, SZ_2G - SZ_256K },
		{ 0, SZ_4G + SZ_1M, -ERANGE },
	};
	u32 va;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (sizeof(dma_addr_t) < sizeof(u64) && upper_32_bits(cases[i].dma))
			continue;
		va = 0;
		KUNIT_EXPECT_EQ(test, vivgpu_vm_window_address(cases[i].base, cases[i].dma,
							       SZ_256K, &va), cases[i].ret);
		KUNIT_EXPECT_EQ(test, va, cases[i].va);
	}
}

/* Streams on an MMU of version 1 are in the window, and use no entries of the table. */
static void flat_streams_are_in_the_window(struct kunit *test)
{
	struct vivgpu_vm *vm = make_vm(test);
	struct drm_mm_node node = { };
	u32 flat = 0, va = 0;

	vm->flat = &flat;
	KUNIT_EXPECT_EQ(test, vivgpu_vm_map_kernel(vm, &node, SZ_256M, SZ_256K, &va), 0);
	KUNIT_EXPECT_EQ(test, va, SZ_256M);
	KUNIT_EXPECT_FALSE(test, drm_mm_node_allocated(&node));
	KUNIT_EXPECT_EQ(test, vivgpu_vm_map_kernel(vm, &node, SZ_2G, SZ_256K, &va), -ERANGE);
	KUNIT_EXPECT_EQ(test, flat, 0);
}

/* Each address space has a slot of its own while one is free; a freed slot is used again. */
static void cmd_slots_are_shared_last(struct kunit *test)
{
	struct vivgpu_cmd_slots *slots = kunit_kzalloc(test, sizeof(*slots), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, slots);
	for (i = 0; i < VIVGPU_NUM_CMD_SLOTS; i++)
		KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), i);
	KUNIT_EXPECT_EQ(test, slots->shared, 0);

	/* more address spaces are created and freed than there are slots */
	for (i = 0; i < 3 * VIVGPU_NUM_CMD_SLOTS; i++) {
		vivgpu_cmd_slot_put(slots, i % VIVGPU_NUM_CMD_SLOTS);
		KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), i % VIVGPU_NUM_CMD_SLOTS);
	}
	KUNIT_EXPECT_EQ(test, slots->shared, 0);

	KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), 0);
	KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), 1);
	KUNIT_EXPECT_EQ(test, slots->shared, 2);
	/* freeing another slot does not end the sharing of slots 0 and 1 */
	vivgpu_cmd_slot_put(slots, 7);
	KUNIT_EXPECT_EQ(test, slots->shared, 2);
	KUNIT_EXPECT_EQ(test, vivgpu_cmd_slot_get(slots), 7);
	vivgpu_cmd_slot_put(slots, 0);
	vivgpu_cmd_slot_put(slots, 1);
	KUNIT_EXPECT_EQ(test, slots->shared, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(pte_holds_40_bit_addresses),
	KUNIT_CASE(pages_are_mapped),
	KUNIT_CASE(pages_of_others_are_checked),
	KUNIT_CASE(kernel_memory_without_table),
	KUNIT_CASE(window_has_two_gib),
	KUNIT_CASE(flat_streams_are_in_the_window),
	KUNIT_CASE(cmd_slots_are_shared_last),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-mmu",
	.test_cases = cases,
};

kunit_test_suite(suite);
