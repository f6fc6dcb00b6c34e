/* SPDX-License-Identifier: MIT */
/*
 * Values of the groups of recent frames, and the recent-frame rule (thesis, algorithm 6.3):
 * predictions use the most recent frame whose groups have all ended, which may be the one before
 * the last.
 *
 * A group of that frame whose value is unknown has the value that the group with the same number
 * had in the frame used before.
 *
 * A frame ends when a group of another frame or queue is submitted, or after VIVGPU_FRAME_GROUPS
 * groups, so that programs that never swap have frames as well.
 */
#ifndef VIVGPU_FRAMES_H
#define VIVGPU_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/** Groups of a frame, at most, and frames that are remembered */
#define VIVGPU_FRAME_GROUPS 64
#define VIVGPU_FRAMES       8

struct vivgpu_frame {
   /** The context's frame and queue */
   uint32_t frame, queue;
   /** Frames of all queues that ended before this one began */
   uint64_t number;
   bool ended;
   /** Number of groups submitted, and of those whose values are known or will never be */
   uint32_t submitted, finished;
   /** Sums of vertices and values over the groups whose values are known */
   double vertices, total;
   /** By sequence number in the frame, from 0; negative: unknown */
   double values[VIVGPU_FRAME_GROUPS];
   double group_vertices[VIVGPU_FRAME_GROUPS];
   uint64_t cookies[VIVGPU_FRAME_GROUPS];
};

struct vivgpu_frames {
   /** A ring of the last frames */
   struct vivgpu_frame frames[VIVGPU_FRAMES];
   uint32_t current;
   /** Frames that have ended, of all queues */
   uint64_t ended;
   /** The frame that was begun last of those whose groups have all ended; valid if @has_recent */
   struct vivgpu_frame recent;
   bool has_recent;
};

/** A group is submitted; returns its sequence number in its frame. */
uint32_t vivgpu_frames_submit(struct vivgpu_frames *frames, uint32_t queue, uint32_t frame,
                              uint64_t cookie, double vertices);

/**
 * A group has ended: called once a group. @value is negative if it could not be measured. No effect
 * if the group is not remembered.
 */
void vivgpu_frames_finish(struct vivgpu_frames *frames, uint64_t cookie, double value);

/** Value of the group with a sequence number in the recent frame; negative if there is none. */
double vivgpu_frames_value(const struct vivgpu_frames *frames, uint32_t sequence);

/** Sum of values per vertex in the recent frame; negative if there is none. */
double vivgpu_frames_ratio(const struct vivgpu_frames *frames);

#endif
