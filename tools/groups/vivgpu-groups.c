// SPDX-License-Identifier: MIT
/*
 * vivgpu-groups: list the command groups of programs: which GL and EGL commands are in each job,
 * when the GPU worked on it, and what it counted. Groups come from the files of the drivers'
 * command monitors, times from there too or from the kernel's records.
 */

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../allocate.h"
#include "../command.h"
#include "../command_line.h"
#include "collect.h"
#include "filter.h"
#include "print.h"
#include "programs.h"
#include "vivgpu_group_text.h"
#include "words.h"

#define POLL_MS 20
/* Interval between two tables of programs */
#define TABLE_SECONDS 1.0

static const struct command_line_option command_options[] = {
	{ 'f', "follow", NULL, "go on with new groups until interrupted" },
	{ 's', "seconds", "SECONDS", "follow for this time" },
	{ 'p', "process", "PROCESS", "only groups of this process: a number or a program's name" },
	{ 't', "type", "TYPE", "only groups with a command of this type" },
	{ 'm', "min-time", "US", "only groups that took at least this long, in microseconds" },
	{ 'a', "all", NULL, "jobs of all clients and submits without commands (CAP_PERFMON)" },
	{ 'l', "commands", NULL, "a line for each command" },
	{ 'P', "programs", NULL, "a table of programs each second, with predictions" },
	{ 'w', "words", NULL, "words of the command streams of the last 64 jobs (root)" },
	{ 'j', "json", NULL, "print JSON" },
	{ 'c', "csv", NULL, "print CSV" },
	{ 'o', "output", "FILE", "write to FILE" },
	{ 'd', "folder", "FOLDER", "read the files in FOLDER" },
	{ 'C', "clear", NULL, "remove the files of programs that have ended" },
	{ 0 },
};

static const struct command_line command_line = {
	.tool = (char[]){ "vivgpu-groups" },
	.usage = "[OPTION]...\n"
		 "[OPTION]... COMMAND [ARGUMENT]...",
	.purpose =
		"List the command groups of programs that run with VIVGPU_GROUPS=1, or of COMMAND:\n"
		"the GL and EGL commands in each job of the GPU, when it ran, and what it counted.\n"
		"Types of commands: draw, clear, copy, resolve, upload, swap, flush, finish, query,\n"
		"push, pop, marker, label.\n",
	.status = "  that of COMMAND, else 0; 1 if nothing could be read or written, 2 for wrong\n"
		  "  arguments, 127 if COMMAND cannot be run.\n",
	.options = command_options,
};

struct options {
	/* NULL or 0: not given */
	const char *folder, *output;
	double seconds;
	bool follow, clear, by_program;
	struct filter filter;
	struct printer printer;
	struct programs programs;
	/* CLOCK_MONOTONIC in s when the programs' totals began; 0: before this program ran */
	double since;
};

static double parse_number(const char *option, const char *value)
{
	char message[64], *end;
	double number = strtod(value, &end);

	if (end == value || *end || !(number >= 0) || number > 1e9) {
		snprintf(message, sizeof(message), "--%s needs a number", option);
		command_line_fail(&command_line, message);
	}
	return number;
}

static void parse_option(struct options *options, const struct command_line_option *option)
{
	switch (option->letter) {
	case 'f':
		options->follow = true;
		break;
	case 's':
		options->seconds = parse_number(option->name, optarg);
		options->follow = true;
		break;
	case 'p':
		options->filter.process = optarg;
		break;
	case 't':
		options->filter.type = vivgpu_command_type(optarg);
		if (!options->filter.type)
			command_line_fail(&command_line, "--type needs a type of commands");
		break;
	case 'm':
		options->filter.min_ns = parse_number(option->name, optarg) * 1e3;
		break;
	case 'a':
		options->filter.all = true;
		break;
	case 'l':
		options->printer.commands = true;
		break;
	case 'P':
		options->by_program = true;
		break;
	case 'w':
		options->printer.words = true;
		break;
	case 'j':
		options->printer.form = PRINT_JSON;
		break;
	case 'c':
		options->printer.form = PRINT_CSV;
		break;
	case 'o':
		options->output = optarg;
		break;
	case 'd':
		options->folder = optarg;
		break;
	case 'C':
		options->clear = true;
		break;
	}
}

static struct options parse(int argc, char **argv)
{
	struct options options = { .printer.file = stdout };
	const struct command_line_option *option;

	while ((option = command_line_next(&command_line, argc, argv)))
		parse_option(&options, option);
	if (optind < argc && options.follow)
		command_line_fail(&command_line, "--follow and a command exclude each other");
	if (options.by_program && (options.printer.form != PRINT_TABLE ||
				   options.printer.commands || options.printer.words))
		command_line_fail(&command_line, "--programs prints a table of its own");
	if (optind < argc && options.folder)
		command_line_fail(&command_line, "--folder and a command exclude each other");
	return options;
}

/* Take entries out of the list (@all: see list_take()); print them, or add them to the programs. */
static void print_entries(struct options *options, struct list *list, bool all)
{
	struct entry **entries;
	size_t count = list_take(list, all, &entries);

	if (options->printer.words)
		words_attach(entries, count);
	for (size_t i = 0; i < count; i++) {
		if (filter_wants(&options->filter, entries[i]) && options->by_program)
			programs_add(&options->programs, entries[i]);
		else if (filter_wants(&options->filter, entries[i]))
			print_entry(&options->printer, entries[i]);
		entry_free(entries[i]);
	}
	free(entries);
	fflush(options->printer.file);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void print_programs(struct options *options)
{
	FILE *file = options->printer.file;
	double time = now();

	programs_print(&options->programs, file, options->since > 0 ? time - options->since : 0,
		       isatty(fileno(file)));
	options->since = time;
	fflush(file);
}

/*
 * Print new groups until the command @pid ends or, if that is 0, the time is over or a signal
 * comes. Returns the command's exit status, or 0. Groups of which something is missing are left for
 * run().
 */
static int follow(struct options *options, struct collector *collector, struct list *list,
		  pid_t pid)
{
	double end = options->seconds > 0 ? now() + options->seconds : 0;
	bool over = false;
	int status = 0;

	while (!over) {
		poll(NULL, 0, POLL_MS);
		over = pid ? command_ended(pid, &status)
			   : command_interrupted() || (end > 0 && now() >= end);
		collector_poll(collector, list, over);
		print_entries(options, list, false);
		if (options->by_program && now() >= options->since + TABLE_SECONDS)
			print_programs(options);
	}
	return status;
}

/*
 * Collect and print groups: while the command runs if there is one, while following, or what is in
 * the files now, without the kernel's records. Returns the exit status.
 */
static int run(struct options *options, char *const command[])
{
	bool live = command || options->follow;
	struct collector *collector;
	struct list *list = allocate(sizeof(*list));
	pid_t pid = 0;
	int status = 0;

	if (options->printer.words && !words_capture())
		return 1;
	collector = collector_create(options->folder, options->follow, live);
	if (options->filter.all && live && !collector_has_records(collector))
		fprintf(stderr, "vivgpu-groups: no records of other clients: no device of the "
				"vivgpu driver, or no CAP_PERFMON\n");
	if (!options->by_program)
		print_begin(&options->printer);
	options->since = live ? now() : 0;
	if (command)
		pid = command_start("vivgpu-groups", command, false);
	if (pid < 0)
		status = 1;
	else if (live)
		status = follow(options, collector, list, pid);
	else
		collector_poll(collector, list, true);
	print_entries(options, list, true);
	if (options->by_program)
		print_programs(options);
	programs_free(&options->programs);
	/* --programs has no JSON to end, but losses for stderr. */
	print_end(&options->printer, collector_losses(collector));
	collector_destroy(collector);
	list_free(list);
	free(list);
	return status;
}

/* Create a folder for the files of a command's programs, and make these use it. */
static bool make_folder(char *folder)
{
	if (!mkdtemp(folder) || setenv("VIVGPU_GROUPS", folder, 1)) {
		fprintf(stderr, "vivgpu-groups: no folder for groups: %s\n", strerror(errno));
		return false;
	}
	return true;
}

/* Columns of the terminal, else of $COLUMNS, else 0: no limit */
static unsigned int terminal_width(FILE *file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return columns && atoi(columns) > 0 ? (unsigned int)atoi(columns) : 0;
}

static bool open_output(struct options *options)
{
	if (options->output)
		options->printer.file = fopen(options->output, "we");
	if (!options->printer.file) {
		fprintf(stderr, "vivgpu-groups: %s: %s\n", options->output, strerror(errno));
		return false;
	}
	options->printer.width = terminal_width(options->printer.file);
	return true;
}

int main(int argc, char **argv)
{
	struct options options = parse(argc, argv);
	char folder[] = "/tmp/vivgpu-groups-XXXXXX";
	char *const *command = optind < argc ? argv + optind : NULL;
	int status;

	if (options.clear)
		printf("%u files removed\n", collector_clear(options.folder));
	if (options.clear && !command && !options.follow)
		return 0;
	/* Before the folder is made, which would stay. */
	if (command || options.follow)
		command_take_signals();
	if (!open_output(&options) || (command && !make_folder(folder)))
		return 1;
	if (command)
		options.folder = folder;
	status = run(&options, command);
	if (command) {
		collector_clear(folder);
		rmdir(folder);
	}
	if (ferror(options.printer.file) || fclose(options.printer.file)) {
		fprintf(stderr, "vivgpu-groups: cannot write: %s\n", strerror(errno));
		return 1;
	}
	return status;
}
