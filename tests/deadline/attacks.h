/* SPDX-License-Identifier: MIT */
#ifndef ATTACKS_H
#define ATTACKS_H

#include <linux/types.h>

/**
 * struct attack - an adversary beside clients with reservations
 * @name: what it does
 * @run: runs it; adds frames of the victims, how many of them were late, and by how much at most
 */
struct attack {
	const char *name;
	void (*run)(u32 *frames, u32 *late, u64 *worst_ns);
};

extern const struct attack attacks[];
extern const u32 nr_attacks;

#endif
