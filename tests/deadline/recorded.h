/* SPDX-License-Identifier: MIT */
/* GPU times of programs' frames, and their predictions, recorded on the card (groups.csv). */
#ifndef RECORDED_H
#define RECORDED_H

#include <stdbool.h>

#include <linux/types.h>

#define MAX_PROGRAMS 32
#define MAX_RECORDED_FRAMES 128
#define MAX_FRAME_JOBS 8

/**
 * struct recorded_frame - a frame
 * @jobs: number of its command groups
 * @length_ns: GPU time of each
 * @cost_ns: what was predicted
 */
struct recorded_frame {
	u32 jobs;
	u64 length_ns[MAX_FRAME_JOBS];
	u64 cost_ns[MAX_FRAME_JOBS];
};

/**
 * struct recorded - the frames of a program
 * @name: the program's or the scene's
 * @count: of @frames
 * @longest_ns: GPU time of the longest frame
 * @frames: in their order
 */
struct recorded {
	char name[64];
	u32 count;
	u64 longest_ns;
	struct recorded_frame frames[MAX_RECORDED_FRAMES];
};

u32 recorded_read(const char *path, struct recorded *programs);

#endif
