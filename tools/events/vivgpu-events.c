// SPDX-License-Identifier: MIT
/*
 * vivgpu-events [-o NAME] [-w FROM,LENGTH] [-n] COMMAND [ARGUMENT...]
 * vivgpu-events [-o NAME] [-w FROM,LENGTH] [-n] -s SECONDS
 *
 * Record what the GPU, its queue, the display and the drivers of programs do while
 * a command runs, or for some seconds: NAME.json for trace viewers, NAME.png to
 * look at. Jobs are those of all programs; what a driver does is told by programs
 * that the command starts.
 *
 *	-o NAME			where to write (timeline)
 *	-w FROM,LENGTH		part of the picture, in ms from the start (100 ms from
 *				the middle, or all if that is short)
 *	-n			no picture
 *	-s SECONDS		record so long; no command
 *
 * Ends with the command's status.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "recording.h"

static _Noreturn void usage(void)
{
	fprintf(stderr, "usage: vivgpu-events [-o NAME] [-w FROM,LENGTH] [-n] "
			"COMMAND [ARGUMENT...] | -s SECONDS\n");
	exit(2);
}

struct options {
	const char *name;
	double from_ms, length_ms, seconds;
	bool picture;
};

static struct options parse(int argc, char **argv)
{
	struct options options = { .name = "timeline", .picture = true };
	int option;

	while ((option = getopt(argc, argv, "+o:w:ns:")) != -1) {
		switch (option) {
		case 'o':
			options.name = optarg;
			break;
		case 'w':
			if (sscanf(optarg, "%lf,%lf", &options.from_ms, &options.length_ms) != 2 ||
			    options.from_ms < 0 || options.length_ms <= 0)
				usage();
			break;
		case 'n':
			options.picture = false;
			break;
		case 's':
			options.seconds = atof(optarg);
			if (options.seconds <= 0)
				usage();
			break;
		default:
			usage();
		}
	}
	if ((optind < argc) == (options.seconds > 0))
		usage();
	return options;
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
	snprintf(path, sizeof(path), "%s.png", options.name);
	if (options.picture)
		written &= write_picture(&recording, path, options.from_ms, options.length_ms);
	fprintf(stderr, "vivgpu-events: %zu events in %.3f s; lost: %llu records, %llu spans\n",
		recording.count, (recording.end_ns - recording.start_ns) / 1e9,
		(unsigned long long)recording.lost_records,
		(unsigned long long)recording.lost_spans);
	recording_free(&recording);
	return written ? status : 1;
}
