// SPDX-License-Identifier: MIT
/*
 * vivgpu-cardctl: sends a command of the control protocol to a virtual card and prints the
 * reply. Uses the card's control socket outside the guest, and the mailbox inside.
 * Documentation/card/control.rst lists the commands.
 */
#include <stdio.h>
#include <string.h>

#include "board/mailbox.h"
#include "control/channel.h"

#define EXIT_OK 0
#define EXIT_REFUSED 1 /* the card answered with an error */
#define EXIT_FAILED 2  /* no card, no command, or no answer */

static int usage(FILE *out, int status)
{
	fputs("usage: vivgpu-cardctl [--socket PATH] COMMAND [ARGUMENT]...\n"
	      "\n"
	      "Says COMMAND to a virtual card and prints its reply; 'help' lists the commands.\n"
	      "With --socket to the card's control socket, otherwise, as root inside the guest,\n"
	      "to the mailbox of the card found on the PCI bus.\n"
	      "Exit status: 0 done, 1 refused by the card, 2 no card or no answer.\n",
	      out);
	return status;
}

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
	int first = 1;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		return usage(stdout, EXIT_OK);
	if (argc > 1 && !strncmp(argv[1], "--socket=", 9)) {
		path = argv[1] + 9;
		first = 2;
	} else if (argc > 2 && !strcmp(argv[1], "--socket")) {
		path = argv[2];
		first = 3;
	}
	if (first >= argc || argv[first][0] == '-')
		return usage(stderr, EXIT_FAILED);
	if (!join(line, sizeof(line), argv + first, argc - first)) {
		fputs("vivgpu-cardctl: the command is too long\n", stderr);
		return EXIT_FAILED;
	}
	problem = path ? channel_socket(path, line, reply, sizeof(reply))
		       : channel_mailbox(line, reply, sizeof(reply));
	if (problem) {
		fprintf(stderr, "vivgpu-cardctl: %s\n", problem);
		return EXIT_FAILED;
	}
	return report(reply);
}
