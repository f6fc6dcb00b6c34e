// SPDX-License-Identifier: MIT
/*
 * vivgpu-events: records what the GPU, its queue, the display and the drivers of programs do
 * while a command runs, or for some seconds, as JSON for trace viewers and as a picture. Jobs are
 * those of all programs; spans of drivers come from the programs that the command starts.
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command_line.h"
#include "late.h"
#include "recording.h"

static const struct command_line_option command_options[] = {
	{ 'o', "output", "NAME", "write NAME.json and NAME.png (default: timeline)" },
	{ 'w', "window", "FROM,LENGTH", "the part to draw, in ms from the start" },
	{ 'd', "deadlines", NULL, "write NAME.deadlines.png as well: queues, deadlines, costs" },
	{ 'l', "late", NULL, "write NAME.late.txt as well: why jobs ended after their deadlines" },
	{ 'n', "no-picture", NULL, "write no PNG" },
	{ 'p', "perfetto", NULL, "write NAME.perfetto-trace, too" },
	{ 's', "seconds", "SECONDS", "record for this time, without a command" },
	{ 0 },
};

static const struct command_line command_line = {
	.tool = (char[]){ "vivgpu-events" },
	.usage = "[OPTION]... COMMAND [ARGUMENT]...\n"
		 "[OPTION]... --seconds=SECONDS",
	.purpose =
		"Record what the GPU, its queue, the display and the drivers of programs do while\n"
		"COMMAND runs, or for some seconds. NAME.json is for trace viewers. NAME.png shows\n"
		"the whole recording, or 100 ms from its middle on if it is longer than 200 ms.\n",
	.status = "  that of COMMAND, or 0 with --seconds; 1 if nothing could be recorded or\n"
		  "  written, 2 for wrong arguments, 127 if COMMAND cannot be run.\n",
	.options = command_options,
};

struct options {
	const char *name;
	/* length_ms 0: no --window was given; seconds 0: a command was */
	double from_ms, length_ms, seconds;
	bool picture, deadlines, late, perfetto;
};

static void parse_window(struct options *options, const char *value)
{
	char rest;

	if (sscanf(value, "%lf,%lf%c", &options->from_ms, &options->length_ms, &rest) != 2 ||
	    options->from_ms < 0 || options->length_ms <= 0)
		command_line_fail(&command_line, "--window needs FROM,LENGTH in milliseconds");
}

static void parse_seconds(struct options *options, const char *value)
{
	char *end;

	options->seconds = strtod(value, &end);
	if (end == value || *end || !(options->seconds > 0))
		command_line_fail(&command_line, "--seconds needs a number above 0");
}

static struct options parse(int argc, char **argv)
{
	struct options options = { .name = "timeline", .picture = true };
	const struct command_line_option *option;

	while ((option = command_line_next(&command_line, argc, argv))) {
		switch (option->letter) {
		case 'o':
			options.name = optarg;
			break;
		case 'w':
			parse_window(&options, optarg);
			break;
		case 'd':
			options.deadlines = true;
			break;
		case 'l':
			options.late = true;
			break;
		case 'n':
			options.picture = false;
			break;
		case 'p':
			options.perfetto = true;
			break;
		case 's':
			parse_seconds(&options, optarg);
			break;
		}
	}
	if (optind == argc && !options.seconds)
		command_line_fail(&command_line, "a command or --seconds is needed");
	if (optind < argc && options.seconds)
		command_line_fail(&command_line, "--seconds and a command exclude each other");
	return options;
}

static bool write_late(const struct recording *recording, const char *path)
{
	FILE *file = fopen(path, "w");
	bool failed = !file;

	if (file) {
		late_write(recording, file);
		failed = ferror(file);
		failed |= fclose(file) != 0;
	}
	if (!failed)
		return true;
	fprintf(stderr, "vivgpu-events: %s: %s\n", path, strerror(errno));
	return false;
}

int main(int argc, char **argv)
{
	struct options options = parse(argc, argv);
	struct recording recording = { 0 };
	bool written;
	char path[4096];
	int status;

	status = record(&recording, optind < argc ? argv + optind : NULL, options.seconds);
	if (status < 0)
		return 1;
	snprintf(path, sizeof(path), "%s.json", options.name);
	written = write_json(&recording, path);
	snprintf(path, sizeof(path), "%s.perfetto-trace", options.name);
	if (options.perfetto)
		written &= write_perfetto(&recording, path);
	snprintf(path, sizeof(path), "%s.png", options.name);
	if (options.picture)
		written &= write_picture(&recording, path, options.from_ms, options.length_ms);
	snprintf(path, sizeof(path), "%s.deadlines.png", options.name);
	if (options.deadlines)
		written &= write_gantt(&recording, path, options.from_ms, options.length_ms);
	snprintf(path, sizeof(path), "%s.late.txt", options.name);
	if (options.late)
		written &= write_late(&recording, path);
	fprintf(stderr, "vivgpu-events: %zu events in %.3f s; lost: %llu records, %llu spans\n",
		recording.count, (recording.end_ns - recording.start_ns) / 1e9,
		(unsigned long long)recording.lost_records,
		(unsigned long long)recording.lost_spans);
	recording_free(&recording);
	return written ? status : 1;
}
