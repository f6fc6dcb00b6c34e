/* SPDX-License-Identifier: MIT */
/* Times of a client's frames. */
#ifndef COCKPIT_FRAMES_H
#define COCKPIT_FRAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_FRAMES 20000

/**
 * struct frame - a frame
 * @begun_ns: when the client began it; CLOCK_MONOTONIC
 * @ended_ns: when the GPU had finished it
 * @late: it missed its period
 */
struct frame {
	uint64_t begun_ns;
	uint64_t ended_ns;
	bool late;
};

/**
 * struct frames - the frames of a client
 * @count: of @list; those beyond MAX_FRAMES are counted in @total only
 * @total: all frames
 * @late: of these, how many missed their period
 * @jobs: jobs of the GPU in all frames
 * @lost_jobs: jobs that made the GPU fault or that the kernel ended, also before the first of @list
 * @list: the frames
 */
struct frames {
	uint32_t count;
	uint32_t total;
	uint32_t late;
	uint64_t jobs;
	uint32_t lost_jobs;
	struct frame list[MAX_FRAMES];
};

void frames_add(struct frames *frames, uint64_t begun_ns, uint64_t ended_ns, bool late);
double frames_percentile_ms(const struct frames *frames, double percent);
double frames_mean_ms(const struct frames *frames);
void frames_print(const struct frames *frames, const char *client, uint64_t start_ns, FILE *csv);

#endif
