// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests of page table entries, and of the slots that address spaces get in the
 * memory for commands.
 */

#include <kunit/test.h>

#include "../vivgpu_cmd_slot.h"
#include "../vivgpu_mmu_table.h"
#include "../vivgpu_regs.h"

/* Bits 39:32 of a page's address are in bits 11:4 of its entry. */
static void pte_holds_40_bit_addresses(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry(0x12345000, MMUV2_PTE_PRESENT), 0x12345001);
	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry(0xfffff000, 0), 0xfffff000);
	if (sizeof(dma_addr_t) < sizeof(u64))
		return;

	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry((dma_addr_t)0x1abcde000ull,
					      MMUV2_PTE_PRESENT | MMUV2_PTE_WRITEABLE), 0xabcde015);
	KUNIT_EXPECT_EQ(test, vivgpu_vm_entry((dma_addr_t)0xfffffff000ull, 0), 0xfffffff0);
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
	KUNIT_CASE(cmd_slots_are_shared_last),
	{ }
};

static struct kunit_suite suite = {
	.name = "vivgpu-mmu",
	.test_cases = cases,
};

kunit_test_suite(suite);
