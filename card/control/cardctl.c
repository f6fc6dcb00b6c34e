// SPDX-License-Identifier: MIT
/*
 * vivgpu-cardctl: sends a command of the control protocol to a virtual card and prints the
 * reply. Uses the card's control socket outside the guest, and the mailbox inside.
 * Documentation/card/control.rst lists the commands.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "../tools/command_line.h"
#include "board/mailbox.h"
#include "control/channel.h"

#define EXIT_OK 0
#define EXIT_REFUSED 1 /* the card answered with an error */
#define EXIT_FAILED 2  /* no card, no command, or no answer */

static const struct command_line_option command_options[] = {
	{ 's', "socket", "PATH", "the card's control socket, outside the guest" },
	{ 0 },
};

static const struct command_line command_line = {
	.tool = (char[]){ "vivgpu-cardctl" },
	.usage = "[OPTION]... COMMAND [ARGUMENT]...",
	.purpose =
		"Send COMMAND to a virtual card and print its reply; 'help' lists the commands.\n"
		"Without --socket it goes, as root inside the guest, to the mailbox of the card\n"
		"found on the PCI bus.\n",
	.status = "  0 done, 1 refused by the card, 2 no card, no answer or wrong arguments.\n",
	.options = command_options,
};

/* Join the command's words to a line; false if it is too long. */
static bool join(char *line, size_t room, char *const words[], int count)
{
	size_t used = 0;

	for (int i = 0; i < count; i++) {
		int length = snprintf(line + used, room - used, "%s%s", i ? " " : "", words[i]);

		if (length < 0 || (size_t)length >= room - used)
			return false;
		used += length;
	}
	return true;
}

/* Print the reply. Its last line determines the exit status. */
static int report(char *reply)
{
	size_t length = strlen(reply);
	char *last;

	if (length && reply[length - 1] == '\n')
		reply[--length] = '\0';
	last = strrchr(reply, '\n');
	last = last ? last + 1 : reply;
	fwrite(reply, 1, last - reply, stdout);
	if (!strcmp(last, "ok"))
		return EXIT_OK;
	fprintf(stderr, "vivgpu-cardctl: %s\n", last);
	return EXIT_REFUSED;
}

int main(int argc, char *argv[])
{
	static char reply[CONTROL_REPLY_BYTES];
	char line[CONTROL_LINE_BYTES];
	const char *path = NULL;
	const char *problem;

	while (command_line_next(&command_line, argc, argv))
		path = optarg; /* --socket is the only option that is returned */
	if (optind == argc)
		command_line_fail(&command_line, "a command is needed");
	if (!join(line, sizeof(line), argv + optind, argc - optind))
		command_line_fail(&command_line, "the command is too long");
	problem = path ? channel_socket(path, line, reply, sizeof(reply))
		       : channel_mailbox(line, reply, sizeof(reply));
	if (problem) {
		fprintf(stderr, "vivgpu-cardctl: %s\n", problem);
		return EXIT_FAILED;
	}
	return report(reply);
}
