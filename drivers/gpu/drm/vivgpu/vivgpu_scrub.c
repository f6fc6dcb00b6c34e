// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ring buffer of memory for the commands that set states to zero before a job, see
 * vivgpu_state.c. It is mapped read-only in each address space at VIVGPU_SCRUB_VA. A client
 * can read it with the GPU; it contains only zeros and addresses of states, so the only
 * thing a client learns is which states other clients used. Pure arithmetic; the caller
 * serialises.
 */

#include <linux/export.h>
#include <linux/math.h>

#include <kunit/visibility.h>

#include "vivgpu_scrub.h"

/* Words left unused at the end of the buffer, so that an allocation does not wrap. */
static u32 vivgpu_scrub_wrap_padding(const struct vivgpu_scrub *scrub, u32 count)
{
	u32 at = scrub->head % VIVGPU_SCRUB_WORDS;

	return at + count > VIVGPU_SCRUB_WORDS ? VIVGPU_SCRUB_WORDS - at : 0;
}

/**
 * vivgpu_scrub_fits - check whether an allocation fits into the free memory
 * @scrub: the memory
 * @count: words
 *
 * Return: true if vivgpu_scrub_alloc() may be called.
 */
bool vivgpu_scrub_fits(const struct vivgpu_scrub *scrub, u32 count)
{
	return scrub->head - scrub->tail + vivgpu_scrub_wrap_padding(scrub, count) + count <=
	       VIVGPU_SCRUB_WORDS;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_fits);

/**
 * vivgpu_scrub_alloc - allocate words
 * @scrub: the memory; vivgpu_scrub_fits() has returned true
 * @count: words
 *
 * Return: index of the first word. The caller keeps &vivgpu_scrub.head as the end of the
 * allocation, for vivgpu_scrub_free().
 */
u32 vivgpu_scrub_alloc(struct vivgpu_scrub *scrub, u32 count)
{
	u32 at;

	scrub->head += vivgpu_scrub_wrap_padding(scrub, count);
	at = scrub->head % VIVGPU_SCRUB_WORDS;
	scrub->head += count;
	return at;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_alloc);

/**
 * vivgpu_scrub_free - free an allocation and all earlier ones
 * @scrub: the memory
 * @end: end of the allocation; if that is free already, nothing happens
 */
void vivgpu_scrub_free(struct vivgpu_scrub *scrub, u32 end)
{
	if ((s32)(end - scrub->tail) > 0)
		scrub->tail = end;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_free);

/**
 * vivgpu_scrub_reset - free all allocations, after a reset
 * @scrub: the memory
 *
 * Head and tail do not go back to zero. Jobs that are failed after the reset still call
 * vivgpu_scrub_free() with their old ends, which then are after the tail and have no effect.
 */
void vivgpu_scrub_reset(struct vivgpu_scrub *scrub)
{
	scrub->head = round_up(scrub->head, VIVGPU_SCRUB_WORDS);
	scrub->tail = scrub->head;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_scrub_reset);
