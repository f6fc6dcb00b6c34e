/* SPDX-License-Identifier: MIT */
/*
 * The command line of the tools: options by getopt_long() from one table, from which --help is
 * printed as well. Every tool has --help and --version. Errors go to stderr with the tool's name.
 */
#ifndef VIVGPU_TOOLS_COMMAND_LINE_H
#define VIVGPU_TOOLS_COMMAND_LINE_H

/* Exit status of a tool that was called with wrong arguments. */
#define COMMAND_LINE_STATUS 2

/*
 * Maximum number of options of a tool, with --help and --version, which come last. What is beyond
 * it is left out, without a message.
 */
#define COMMAND_LINE_OPTIONS 16

struct command_line_option {
	char letter;       /* of the short option, 0 if there is none */
	const char *name;  /* of the long option */
	const char *value; /* name of its value in the help, NULL if it has none */
	const char *help;  /* one line */
};

struct command_line {
	char *tool;          /* name of the program; becomes argv[0], hence not const */
	const char *usage;   /* arguments; a line for each way to call the tool */
	const char *purpose; /* what the tool does, whole lines */
	const char *status;  /* meanings of the exit status, whole lines */
	/* ends with an option without a name */
	const struct command_line_option *options;
};

/**
 * command_line_next - parse the next option with getopt_long()
 *
 * Sets optarg to the option's value, and optind to the first argument that is not an option
 * after the last option. Options end at the first other argument. Prints and exits for
 * --help, --version and for an option that the tool does not have.
 *
 * Returns: the option, NULL after the last one.
 */
const struct command_line_option *command_line_next(const struct command_line *line, int argc,
						    char **argv);

/** command_line_fail - print an error and where help is, and exit with COMMAND_LINE_STATUS */
_Noreturn void command_line_fail(const struct command_line *line, const char *error);

#endif
