// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Where copies of streams lie
 *
 * When the core stops, the front end's address tells which job it is in, if no two
 * jobs in the ring lie at the same address of different spaces. So each space that
 * has jobs gets a place of its own in the kernel's part of the addresses. If there
 * are more spaces than places, some share one; as long as any do, jobs of two
 * spaces at the same place are not in the ring together.
 *
 * The functions are pure; the caller serialises.
 */

#include <linux/compiler.h>
#include <linux/export.h>

#include <kunit/visibility.h>

#include "vivgpu_place.h"

/**
 * vivgpu_place_take - find a place for one more address space
 * @places: the places
 *
 * Return: its index: the first of those with the fewest users.
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
 * vivgpu_place_give - an address space is gone
 * @places: the places
 * @place: what it got
 */
void vivgpu_place_give(struct vivgpu_places *places, u32 place)
{
	if (--places->users[place])
		WRITE_ONCE(places->shared, places->shared - 1);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_place_give);
