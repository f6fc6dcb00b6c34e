/* SPDX-License-Identifier: MIT */
/*
 * Errors of predictors over recorded groups, by kind of group. Numbers of chapters are those of the
 * thesis of Documentation/mesa/prediction.rst. What jitter adds to a time is "drawn": at random.
 */
#ifndef VIVGPU_LAB_REPLAY_H
#define VIVGPU_LAB_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "disturb.h"
#include "truth.h"
#include "vivgpu_counts.h"
#include "vivgpu_majority.h"
#include "baselines/vivgpu_measure.h"
#include "vivgpu_predictor.h"

/* Predictors at most */
#define REPLAY_PREDICTORS 16
/* Size of a table that is indexed by a group's number of vertices, modulo its size */
#define REPLAY_RATIOS 256

/* Kinds of groups: the first in this order of which a group has a command. */
enum replay_kind {
	REPLAY_DRAW,
	REPLAY_COPY,
	REPLAY_CLEAR,
	REPLAY_UPLOAD,
	REPLAY_FLUSH,
	REPLAY_KINDS,
};

/* Sums over the groups of a kind for one predictor. */
struct replay_errors {
	/*
	 * All groups; those whose error is within the prediction's bound; those of which fragments
	 * are known and not 0; those whose error is within 15 us.
	 */
	uint64_t groups, within, counted, within_15us;
	/* Sum of errors against the time without what jitter added, if the card tells. */
	double beyond_ns;
	double absolute_ns, relative, largest_ns, fragments, measured_ns;
};

/* A group whose result has not come. */
struct replay_group {
	struct vivgpu_group group;
	struct vivgpu_command *commands;
	struct vivgpu_prediction predictions[REPLAY_PREDICTORS];
	/* Negative: not known yet, or not apart from other groups' */
	double fragments;
	/* What jitter has added to the measured time. */
	double drawn_ns;
};

/* What the mapping of commands to groups and times rests on (thesis, 7.3). */
struct replay_mapping {
	/* Groups with draws, and those of them that took no time. */
	uint64_t draws, without_time;
	/* Sums over the groups whose cycles are their own. */
	double ns, cycles;
	/* Smallest and largest ns per cycle of them. */
	double smallest, largest;
};

struct replay {
	/* Groups of the @skip frames from first_frame on are learnt from but not scored, nor are
	 * the first @skip_groups results.
	 */
	uint32_t skip, skip_groups;
	/* replay_restart() follows: nothing is written before. */
	bool again;
	bool ours; /* only the first predictor, which is ours */
	/* A calibration run is read: only predictors with type->calibrated learn, nothing counts. */
	bool calibrates;
	/* Errors of measurement that are added. Predictions are compared with the times that groups really took. */
	struct disturbance disturbance;
	/* What the card says of the groups of the file; without events: nothing. */
	struct truth truth;
	/* Groups that have an event there, and of these those that were counted as the card says. */
	uint64_t found, counted_right;
	/* Sum of what jitter did to their times, without signs. */
	double drawn_ns;
	/* Where each group is written, or NULL. */
	FILE *csv;
	/* Kind of the groups that are written; REPLAY_KINDS: all */
	enum replay_kind only;
	struct vivgpu_predict_config config;
	void *predictors[REPLAY_PREDICTORS];
	unsigned int count;
	struct replay_errors errors[REPLAY_PREDICTORS][REPLAY_KINDS + 1];
	struct replay_group *waiting;
	unsigned int num_waiting;
	/*
	 * @counts: whose the counts of results are. @ratios: by a group's submitted vertices, the
	 * usual ratio of counted ones to them.
	 */
	struct vivgpu_counts counts;
	struct vivgpu_majority ratios[REPLAY_RATIOS];
	uint64_t groups, results, unmatched;
	struct replay_mapping mapping;
	/* All that count, for what other methods of measurement would have found. */
	struct vivgpu_measured_group *measured;
	size_t num_measured, max_measured;
	/* Frame of the first group that was read since calibration; later files keep it. */
	uint32_t first_frame;
};

/**
 * replay_clock_hz - the core's clock while a ring file was recorded, which the driver knows from the kernel
 *
 * By cycles and time of the longest group.
 *
 * Returns: Hz; 0 if the file cannot be read or has no results.
 */
uint64_t replay_clock_hz(const char *path);

/**
 * replay_begin - create all predictors
 *
 * Returns: false if memory is short.
 */
bool replay_begin(struct replay *replay);

/**
 * replay_restart - drop all that was read but our predictor's calibration, as when the program is started again
 *
 * Returns: false if memory is short, or the calibration cannot be saved and loaded.
 */
bool replay_restart(struct replay *replay);

/**
 * replay_file - predict the groups of a ring file and learn from its results, in their order
 *
 * Returns: false if it cannot be read, is damaged or has items of unknown types, or memory is short.
 */
bool replay_file(struct replay *replay, const char *path);

/**
 * replay_calibrate - let predictors that are calibrated before use learn from a ring file
 *
 * Returns: as replay_file().
 */
bool replay_calibrate(struct replay *replay, const char *path);

/**
 * replay_print_methods - print the mean error of measuring by polling and by glFinish (thesis, 2.2)
 *
 * A line for each: "method", its name, groups, mean time and mean error in us.
 */
void replay_print_methods(struct replay *replay, FILE *to);

/**
 * replay_print - print the errors, a line of CSV for each predictor and kind that occurs
 *
 * Before them a line "mapping": groups, results, results without a group, groups with draws, those of
 * them that took no time, smallest and largest deviation of a group's time from that of its cycles in
 * percent. If the card says something of the groups, a line "truth": groups with an event of the card's, those
 * of them whose own counts the kernel read, mean of what jitter added to their times in us.
 */
void replay_print(const struct replay *replay, FILE *to);

/** replay_end - free everything */
void replay_end(struct replay *replay);

/** replay_kind_name - "draw", "copy", ... "all" */
const char *replay_kind_name(enum replay_kind kind);

#endif
