// SPDX-License-Identifier: MIT
/*
 * top: what vivgpu-top makes of what it reads of a client, from screen to screen, and of a name.
 * Prints each result that is wrong, and ends with status 1 then.
 */

#include <sys/prctl.h>

/* All of it but for main(): the table and its functions are its own. */
#define main top_main
#include "vivgpu-top.c"
#undef main

static int failed;

static void check(bool good, const char *what)
{
	if (!good)
		printf("FAIL  %s\n", what);
	failed += !good;
}

/* GPU time that a screen shows of a client that has used this much of it. */
static uint64_t shown(uint64_t id, uint64_t busy_ns)
{
	const struct client client = { .id = id, .busy_ns = busy_ns };

	begin_screen();
	keep(&client);
	drop_ended();
	for (unsigned int i = 0; i < client_count; i++)
		if (clients[i].id == id)
			return used(&clients[i]);
	return UINT64_MAX;
}

/* Documentation/gpu/drm-usage-stats.rst: of a smaller value readers keep the larger one before. */
static void test_times(void)
{
	check(shown(1, 100) == 0, "the first screen shows no time");
	check(shown(1, 90) == 0, "less than before is no time");
	check(shown(1, 95) == 0, "less than the largest is no time");
	check(shown(1, 110) == 10, "only what is above the largest is new");
	check(shown(1, 130) == 20, "more than before is the difference");
	check(shown(2, 50) == 0 && client_count == 1, "a client that has gone is dropped");
}

static void test_name(void)
{
	char name[NAME_BYTES];

	prctl(PR_SET_NAME, "a\033[2J");
	read_name("self", name);
	check(strcmp(name, "a?[2J") == 0, "a name has no control characters");
}

int main(void)
{
	test_times();
	test_name();
	return failed > 0;
}
