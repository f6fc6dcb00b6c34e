// SPDX-License-Identifier: MIT
/*
 * vivgpu-predict [-s FRAMES | -g GROUPS] [-t FILE]... [-r] [-w FILE] [-b LEVEL] [-c FILE] [-k KIND]
 *	[-z HZ] [-e ERROR]... [-n NUMBER] [-o] FILE...
 *
 * Recorded groups (files that VIVGPU_GROUPS=FILE made) through all predictors, in the order in
 * which the program submitted groups and read results. Prints the errors as CSV.
 *
 *	-s FRAMES	the first frames teach, but their errors do not count (3)
 *	-g GROUPS	the same, of programs without frames: the first groups
 *	-t FILE		calibrate with these groups first: predictors that need it learn from them
 *	-r		once more, from -t on, as if the program was started again: only this counts
 *	-w FILE		what the card wrote with --truth while the groups were recorded
 *	-b LEVEL	of our bounds, 0.5 to 0.99; without it they are the widest
 *	-c FILE		a line of CSV for each group
 *	-k KIND		only groups of this kind in -c's FILE: draw, copy, clear, upload, flush
 *	-z HZ		predict cycles of a core with this clock instead of time
 *	-e ERROR	add errors of measurement: late, bus, clock (disturb.h)
 *	-n NUMBER	another sequence of errors (0)
 *	-o		only our predictor
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay.h"

static int usage(void)
{
	fputs("usage: vivgpu-predict [-s FRAMES | -g GROUPS] [-t FILE]... [-r] [-w FILE] [-b LEVEL] "
	      "[-c FILE] [-k KIND] [-z HZ] [-e ERROR]... [-n NUMBER] [-o] FILE...\n",
	      stderr);
	return 2;
}

/* Files to calibrate with, at most. */
#define CALIBRATIONS 16

static const char *calibrations[CALIBRATIONS];
static unsigned int num_calibrations;

/* The kind with a name, REPLAY_KINDS if there is none. */
static enum replay_kind kind_named(const char *name)
{
	for (unsigned int i = 0; i < REPLAY_KINDS; i++)
		if (!strcmp(replay_kind_name(i), name))
			return i;
	return REPLAY_KINDS;
}

/* Set an option; false if it is wrong. */
static bool parse(struct replay *replay, int option)
{
	switch (option) {
	case 's':
		replay->skip = strtoul(optarg, NULL, 10);
		return true;
	case 'g':
		replay->skip = 0;
		replay->skip_groups = strtoul(optarg, NULL, 10);
		return true;
	case 't':
		if (num_calibrations == CALIBRATIONS)
			return false;
		calibrations[num_calibrations++] = optarg;
		return true;
	case 'w':
		return truth_read(&replay->truth, optarg);
	case 'b':
		replay->config.level = strtod(optarg, NULL);
		return replay->config.level >= 0.5 && replay->config.level <= 0.99;
	case 'e':
		return disturb_named(&replay->disturbance, optarg);
	case 'n':
		replay->disturbance.sequence = strtoul(optarg, NULL, 10);
		return true;
	case 'o':
		return replay->ours = true;
	case 'r':
		replay->again = true;
		return true;
	case 'c':
		replay->csv = fopen(optarg, "w");
		return replay->csv;
	case 'k':
		replay->only = kind_named(optarg);
		return replay->only < REPLAY_KINDS;
	case 'z':
		replay->config.clock_hz = strtoull(optarg, NULL, 10);
		replay->config.unit = VIVGPU_PREDICT_CYCLES;
		return replay->config.clock_hz > 0;
	}
	return false;
}

/* Replay files; returns the exit status. */
static int replay_files(struct replay *replay, char **files)
{
	int status = 0;

	for (unsigned int i = 0; i < num_calibrations; i++) {
		if (replay_calibrate(replay, calibrations[i]))
			continue;
		fprintf(stderr, "vivgpu-predict: %s: not a file of groups\n", calibrations[i]);
		status = 1;
	}
	for (; *files; files++) {
		if (replay_file(replay, *files))
			continue;
		fprintf(stderr, "vivgpu-predict: %s: not a file of groups\n", *files);
		status = 1;
	}
	return status;
}

int main(int argc, char **argv)
{
	static struct replay replay = { .skip = 3, .only = REPLAY_KINDS };
	int option, status;

	while ((option = getopt(argc, argv, "s:g:t:w:b:rc:k:z:e:n:o")) != -1)
		if (!parse(&replay, option))
			return usage();
	if (optind == argc)
		return usage();
	if (!replay.config.clock_hz)
		replay.config.clock_hz = replay_clock_hz(argv[optind]);
	if (!replay_begin(&replay)) {
		fputs("vivgpu-predict: out of memory\n", stderr);
		return 1;
	}
	status = replay_files(&replay, argv + optind);
	if (replay.again) {
		if (!replay_restart(&replay)) {
			fputs("vivgpu-predict: the calibration cannot be loaded\n", stderr);
			return 1;
		}
		status = replay_files(&replay, argv + optind);
	}
	replay_print(&replay, stdout);
	replay_print_methods(&replay, stdout);
	fprintf(stderr, "%llu groups, %llu results, %llu results without a group\n",
		(unsigned long long)replay.groups, (unsigned long long)replay.results,
		(unsigned long long)replay.unmatched);
	replay_end(&replay);
	if (replay.csv && fclose(replay.csv)) {
		perror("vivgpu-predict");
		status = 1;
	}
	return status;
}
