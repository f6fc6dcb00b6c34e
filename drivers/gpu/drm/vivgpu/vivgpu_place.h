/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_PLACE_H_
#define _VIVGPU_PLACE_H_

#include <linux/sizes.h>
#include <linux/types.h>

/* What a client's copies of streams take at most, and how many there are places for. */
#define VIVGPU_PLACE_BYTES	SZ_256K
#define VIVGPU_PLACES		240

/**
 * struct vivgpu_places - which address spaces have their copies of streams where
 * @users: address spaces at each place
 * @shared: how many of them are at a place that another one had before
 */
struct vivgpu_places {
	u16 users[VIVGPU_PLACES];
	u32 shared;
};

u32 vivgpu_place_take(struct vivgpu_places *places);
void vivgpu_place_give(struct vivgpu_places *places, u32 place);

#endif
