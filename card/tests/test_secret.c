// SPDX-License-Identifier: MIT
/*
 * Cards with parameter sets "secret:N" (clock/params.h): before they have executed anything, two
 * with different N must not differ in any register nor in any reply of the control protocol. So a
 * guest learns the modelled machine by measurements only.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "board/board.h"
#include "board/mailbox.h"
#include "clock/params.h"

static struct guest_memory memory;

static void send_nothing(void *ctx, unsigned int source)
{
}

static void do_nothing(void *ctx)
{
}

/* A card with a parameter set and a clock of its own. */
struct machine {
	struct gpu_params params;
	struct card_clock *clock;
	struct board *board;
};

static void build(struct machine *m, const char *choice)
{
	const struct board_host host = { .send_msi = send_nothing,
					 .yield = do_nothing,
					 .die = do_nothing };
	struct gc_options options = { .params = &m->params };

	gpu_params_choose(&m->params, choice);
	m->clock = clock_create(true);
	m->board = board_create(&host, m->clock, &memory, gc_personality_find("gc3000"), &options);
}

static void take_apart(struct machine *m)
{
	board_destroy(m->board);
	clock_destroy(m->clock);
}

TEST(registers_are_equal)
{
	struct machine a, b;

	build(&a, "secret:1");
	build(&b, "secret:9876543210987654321");
	CHECK(memcmp(&a.params, &b.params, sizeof(a.params)));
	for (uint32_t offset = 0; offset < BOARD_BAR0_BYTES; offset += 4)
		CHECK_EQ(board_read(a.board, offset, 4), board_read(b.board, offset, 4));
	take_apart(&a);
	take_apart(&b);
}

/* The first word of each line of "help" is a command. */
TEST(replies_are_equal)
{
	static char help[CONTROL_REPLY_BYTES], one[CONTROL_REPLY_BYTES], two[CONTROL_REPLY_BYTES];
	struct machine a, b;
	unsigned int commands = 0;
	char *rest = NULL;

	build(&a, "secret:1");
	build(&b, "secret:9876543210987654321");
	board_control(a.board, "help", help, sizeof(help));
	board_control(b.board, "help", two, sizeof(two));
	CHECK(!strcmp(help, two));
	for (char *line = strtok_r(help, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char command[64];

		snprintf(command, sizeof(command), "%.*s", (int)strcspn(line, " "), line);
		board_control(a.board, command, one, sizeof(one));
		board_control(b.board, command, two, sizeof(two));
		CHECK(!strcmp(one, two));
		CHECK(!strstr(one, "secret"));
		commands++;
	}
	CHECK(commands > 10);
	take_apart(&a);
	take_apart(&b);
}

int main(void)
{
	return test_all();
}
