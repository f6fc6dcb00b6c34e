// SPDX-License-Identifier: MIT
/* Options of the tools; see the header. */
#include "command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * getopt_long() returns this plus an option's index in the tables for a long option, which is above
 * all letters; for a short option its letter, and for an error '?', which is no option's letter.
 */
#define FIRST_LONG 256

static const struct command_line_option common[] = {
	{ 'h', "help", NULL, "print this help and exit" },
	{ 'V', "version", NULL, "print the version and exit" },
	{ 0 },
};

static void print_usage(const struct command_line *line)
{
	const char *prefix = "usage:";

	for (const char *from = line->usage; *from; from++) {
		printf("%s %s ", prefix, line->tool);
		for (; *from && *from != '\n'; from++)
			putchar(*from);
		putchar('\n');
		prefix = "      ";
		if (!*from)
			break;
	}
}

static void print_options(const struct command_line_option *options)
{
	for (; options->name; options++) {
		char text[64];

		snprintf(text, sizeof(text), "--%s%s%s", options->name, options->value ? "=" : "",
			 options->value ? options->value : "");
		if (options->letter)
			printf("  -%c, %-22s %s\n", options->letter, text, options->help);
		else
			printf("      %-22s %s\n", text, options->help);
	}
}

static _Noreturn void print_help(const struct command_line *line)
{
	print_usage(line);
	printf("\n%s\nOptions:\n", line->purpose);
	print_options(line->options);
	print_options(common);
	printf("\nExit status:\n%s", line->status);
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* VIVGPU_VERSION is defined by the Makefile (version.mk). */
static _Noreturn void print_version(const struct command_line *line)
{
	printf("%s %s\n", line->tool, VIVGPU_VERSION);
	exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
}

static _Noreturn void point_to_help(const struct command_line *line)
{
	fprintf(stderr, "Try '%s --help'.\n", line->tool);
	exit(COMMAND_LINE_STATUS);
}

_Noreturn void command_line_fail(const struct command_line *line, const char *error)
{
	fprintf(stderr, "%s: %s\n", line->tool, error);
	point_to_help(line);
}

/* getopt's tables, made from the tool's and from that of common options */
struct tables {
	const struct command_line_option *found[COMMAND_LINE_OPTIONS];
	struct option longs[COMMAND_LINE_OPTIONS + 1];
	char shorts[1 + 2 * COMMAND_LINE_OPTIONS + 1];
	int count;
};

/* Append options to the tables; @shorts: where the next short option goes, advanced */
static void add(struct tables *tables, char **shorts, const struct command_line_option *options)
{
	for (; options->name && tables->count < COMMAND_LINE_OPTIONS; options++) {
		struct option *to = &tables->longs[tables->count];

		to->name = options->name;
		to->has_arg = options->value ? required_argument : no_argument;
		to->val = FIRST_LONG + tables->count;
		if (options->letter) {
			*(*shorts)++ = options->letter;
			if (options->value)
				*(*shorts)++ = ':';
		}
		tables->found[tables->count++] = options;
	}
}

/* The option for a result of getopt_long(); NULL for '?', after getopt's own message. */
static const struct command_line_option *find(const struct tables *tables, int value)
{
	if (value >= FIRST_LONG)
		return tables->found[value - FIRST_LONG];
	for (int i = 0; i < tables->count; i++)
		if (tables->found[i]->letter == value)
			return tables->found[i];
	return NULL;
}

const struct command_line_option *command_line_next(const struct command_line *line, int argc,
						    char **argv)
{
	struct tables tables = { .shorts = "+" }; /* options end at the first other argument */
	const struct command_line_option *option;
	char *shorts = tables.shorts + 1;
	int value;

	add(&tables, &shorts, line->options);
	add(&tables, &shorts, common);
	argv[0] = line->tool; /* getopt's messages begin with it */
	value = getopt_long(argc, argv, tables.shorts, tables.longs, NULL);
	if (value == -1)
		return NULL;
	option = find(&tables, value);
	if (!option)
		point_to_help(line);
	if (option == &common[0])
		print_help(line);
	if (option == &common[1])
		print_version(line);
	return option;
}
