// SPDX-License-Identifier: MIT
/*
 * Prints what random scenes (thread_scene.h) leave: build/card/bench/scenes [COUNT]. Each line has
 * a scene's number and digests of memory with counters and work, in the middle of draws and in the
 * end, and of modelled time. card/tests/plain compares those of two builds; not of scenes that end
 * with a fault, before which a block of pixels may have been counted in part or as a whole.
 */
#include <inttypes.h>
#include <stdio.h>

#include "thread_scene.h"

#define COUNT 400u

int main(int argc, char **argv)
{
	unsigned int count = argc > 1 ? (unsigned int)atoi(argv[1]) : COUNT;

	for (unsigned int i = 0; i < count; i++) {
		uint64_t faults = scene.faults;
		struct seen seen;

		scene.large = i & 1;
		scene.tidy = i & 2;
		seen = seen_of_case(i, 1);
		if (scene.faults != faults)
			continue;
		printf("scene %u: %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", i,
		       digest(0, seen.look, 2 * seen.looks), seen.final, seen.time);
	}
	return 0;
}
