/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CMD_SLOT_H_
#define _VIVGPU_CMD_SLOT_H_

#include <linux/sizes.h>
#include <linux/types.h>

/* Size and number of command slots: ranges of GPU addresses for clients' copied streams */
#define VIVGPU_CMD_SLOT_BYTES	SZ_256K
#define VIVGPU_NUM_CMD_SLOTS		240

/**
 * struct vivgpu_cmd_slots - use of the command slots
 * @users: number of address spaces that use each slot
 * @shared: number of address spaces that had to share a slot
 */
struct vivgpu_cmd_slots {
	u16 users[VIVGPU_NUM_CMD_SLOTS];
	u32 shared;
};

u32 vivgpu_cmd_slot_get(struct vivgpu_cmd_slots *slots);
void vivgpu_cmd_slot_put(struct vivgpu_cmd_slots *slots, u32 slot);

#endif
