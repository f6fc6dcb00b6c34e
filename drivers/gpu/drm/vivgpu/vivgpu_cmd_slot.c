// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Addresses of copied command streams
 *
 * When the core stops with an error, FE_DMA_ADDRESS has to identify the job that the front
 * end is in. That works if no two jobs in the ring have the same GPU address in different
 * address spaces. So the addresses reserved for the kernel (4 MiB to 64 MiB) are divided
 * into 240 slots of 256 KiB, and each address space that has jobs uses one of them. If
 * there are more address spaces than slots, some share a slot; jobs of two address spaces
 * with the same slot are then not put into the ring together.
 *
 * The functions are pure; the caller serialises.
 */

#include <linux/compiler.h>
#include <linux/export.h>

#include <kunit/visibility.h>

#include "vivgpu_cmd_slot.h"

/**
 * vivgpu_cmd_slot_get - assign a slot to an address space
 * @slots: the slots
 *
 * Return: index of the slot: the first of those with the fewest users.
 */
u32 vivgpu_cmd_slot_get(struct vivgpu_cmd_slots *slots)
{
	u32 best = 0, i;

	for (i = 1; i < VIVGPU_NUM_CMD_SLOTS && slots->users[best]; i++) {
		if (slots->users[i] < slots->users[best])
			best = i;
	}

	if (slots->users[best]++)
		WRITE_ONCE(slots->shared, slots->shared + 1);
	return best;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_cmd_slot_get);

/**
 * vivgpu_cmd_slot_put - an address space is freed, and uses its slot no more
 * @slots: the slots
 * @slot: index that vivgpu_cmd_slot_get() returned
 */
void vivgpu_cmd_slot_put(struct vivgpu_cmd_slots *slots, u32 slot)
{
	if (--slots->users[slot])
		WRITE_ONCE(slots->shared, slots->shared - 1);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_cmd_slot_put);
