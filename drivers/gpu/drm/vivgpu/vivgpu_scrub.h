/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_SCRUB_H_
#define _VIVGPU_SCRUB_H_

#include <linux/sizes.h>
#include <linux/types.h>

/* More than twice the commands that set all states to zero */
#define VIVGPU_SCRUB_BYTES	SZ_256K
#define VIVGPU_SCRUB_WORDS	(VIVGPU_SCRUB_BYTES / sizeof(u32))

/**
 * struct vivgpu_scrub - memory for commands that set states to zero
 * @words: the CPU's view
 * @va: address for the front end, the same in all address spaces
 * @head: number of words ever allocated
 * @tail: number of words ever freed
 *
 * A ring buffer: parts are allocated for jobs, and freed in the same order.
 */
struct vivgpu_scrub {
	u32 *words;
	u32 va;
	u32 head;
	u32 tail;
};

bool vivgpu_scrub_fits(const struct vivgpu_scrub *scrub, u32 count);
u32 vivgpu_scrub_alloc(struct vivgpu_scrub *scrub, u32 count);
void vivgpu_scrub_free(struct vivgpu_scrub *scrub, u32 end);
void vivgpu_scrub_reset(struct vivgpu_scrub *scrub);

#endif
