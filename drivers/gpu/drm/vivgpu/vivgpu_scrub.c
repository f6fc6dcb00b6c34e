// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for the commands that set states to zero before a job: a circle, read
 * by the front end only, mapped read-only in each address space. It holds
 * nothing but zeros and addresses of states, so it tells a client nothing but
 * which states others used. Pure arithmetic; the caller serialises.
 */

#include <linux/export.h>
#include <linux/math.h>

#include <kunit/visibility.h>

#include "vivgpu_scrub.h"

/* Words left unused at the end of the circle, so that a part is in one piece. */
static u32 gap(const struct vivgpu_scrub *scrub, u32 count)
{
	u32 at = scrub->head % VIVGPU_SCRUB_WORDS;

	return at + count > VIVGPU_SCRUB_WORDS ? VIVGPU_SCRUB_WORDS - at : 0;
}

/**
 * vivgpu_scrub_fits - is there room?
 * @scrub: the memory
 * @count: words wanted
 *
 * Return: whether vivgpu_scrub_take() may be called.
 */
bool vivgpu_scrub_fits(const struct vivgpu_scrub *scrub, u32 count)
{
	return scrub->head - scrub->tail + gap(scrub, count) + count <= VIVGPU_SCRUB_WORDS;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_fits);

/**
 * vivgpu_scrub_take - take a part
 * @scrub: the memory, with room
 * @count: words wanted
 *
 * Return: index of the first word. The part ends at the head of this moment, which
 * vivgpu_scrub_give() takes.
 */
u32 vivgpu_scrub_take(struct vivgpu_scrub *scrub, u32 count)
{
	u32 at;

	scrub->head += gap(scrub, count);
	at = scrub->head % VIVGPU_SCRUB_WORDS;
	scrub->head += count;
	return at;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_take);

/**
 * vivgpu_scrub_give - give a part back, and all that were taken before it
 * @scrub: the memory
 * @end: where the part ends; nothing happens if it was given back already
 */
void vivgpu_scrub_give(struct vivgpu_scrub *scrub, u32 end)
{
	if ((s32)(end - scrub->tail) > 0)
		scrub->tail = end;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_give);

/**
 * vivgpu_scrub_clear - give all parts back: nothing is in the ring
 * @scrub: the memory, whole from here on
 *
 * Counts go on, so that jobs that are taken out of the ring after this cannot give
 * their parts back a second time.
 */
void vivgpu_scrub_clear(struct vivgpu_scrub *scrub)
{
	scrub->head = round_up(scrub->head, VIVGPU_SCRUB_WORDS);
	scrub->tail = scrub->head;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_clear);
