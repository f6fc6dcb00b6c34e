/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_CMD_SLOT_H_
#define _VIVGPU_CMD_SLOT_H_

#include <linux/sizes.h>
#include <linux/types.h>

/* What a client's copies of streams take at most, and how many there are slots for. */
#define VIVGPU_CMD_SLOT_BYTES	SZ_256K
#define VIVGPU_NUM_CMD_SLOTS		240

/**
 * struct vivgpu_cmd_slots - which address spaces have their copies of streams where
 * @users: address spaces at each slot
 * @shared: how many of them are at a slot that another one had before
 */
struct vivgpu_cmd_slots {
	u16 users[VIVGPU_NUM_CMD_SLOTS];
	u32 shared;
};

u32 vivgpu_cmd_slot_get(struct vivgpu_cmd_slots *slots);
void vivgpu_cmd_slot_put(struct vivgpu_cmd_slots *slots, u32 slot);

#endif
