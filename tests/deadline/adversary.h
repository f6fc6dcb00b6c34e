/* SPDX-License-Identifier: MIT */
/* A search for clients that make frames with a reservation late. */
#ifndef ADVERSARY_H
#define ADVERSARY_H

#include <time.h>

#include <linux/types.h>

/**
 * struct adversary_found - result of a search
 * @adversaries: how many were drawn, and changed
 * @late: of these, how many made a frame late
 * @closest_ns: longest time from when a frame was due to its end; negative if none was late
 */
struct adversary_found {
	u32 adversaries;
	u32 late;
	s64 closest_ns;
};

u32 adversary_search(u32 evaluations, time_t end, u64 seed, struct adversary_found found[2]);

#endif
