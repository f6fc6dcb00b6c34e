// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Addresses of copied command streams
 *
 * When the core stops with an error, FE_DMA_ADDRESS has to identify the job that the front
 * end is in. That works if no two jobs in the ring have the same GPU address in different
 * address spaces. So the addresses reserved for the kernel (4 MiB to 64 MiB) are divided
 * into 240 places of 256 KiB, and each address space that has jobs uses one of them. If
 * there are more address spaces than places, some share a place; jobs of two address spaces
 * with the same place are then not put into the ring together.
 *
 * The functions are pure; the caller serialises.
 */

#include <linux/compiler.h>
#include <linux/export.h>

#include <kunit/visibility.h>

#include "vivgpu_place.h"

/**
 * vivgpu_place_take - assign a place to an address space
 * @places: the places
 *
 * Return: index of the place: the first of those with the fewest users.
 */
u32 vivgpu_place_take(struct vivgpu_places *places)
{
	u32 best = 0, i;

	for (i = 1; i < VIVGPU_PLACES && places->users[best]; i++) {
		if (places->users[i] < places->users[best])
			best = i;
	}

	if (places->users[best]++)
		WRITE_ONCE(places->shared, places->shared + 1);
	return best;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_place_take);

/**
 * vivgpu_place_give - an address space is freed, and uses its place no more
 * @places: the places
 * @place: index that vivgpu_place_take() returned
 */
void vivgpu_place_give(struct vivgpu_places *places, u32 place)
{
	if (--places->users[place])
		WRITE_ONCE(places->shared, places->shared - 1);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_place_give);
