// SPDX-License-Identifier: MIT
/*
 * The search for adversaries as a program:
 *
 *	search EVALUATIONS [SECONDS [SEED]]
 *
 * Ends after the evaluations or, if SECONDS is not 0, after that time at the latest. Fails if a
 * frame was late.
 */

#include <stdio.h>
#include <stdlib.h>

#include "adversary.h"

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "without privilege", "with a reservation" };
	u32 evaluations = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	u32 seconds = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	u64 seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
	struct adversary_found found[2];
	u32 i, done, failed = 0;

	done = adversary_search(evaluations, seconds ? time(NULL) + seconds : 0, seed, found);
	for (i = 0; i < 2; i++) {
		printf("%s  %u of %u adversaries %s made a frame late; the closest was done %.3f ms before it was due\n",
		       found[i].late ? "FAIL" : "ok  ", found[i].late, found[i].adversaries,
		       kinds[i], -found[i].closest_ns / 1e6);
		failed += found[i].late > 0;
	}
	printf("%u evaluations\n%u passed, %u failed, 0 skipped\n", done, 2 - failed, failed);
	return failed > 0;
}
