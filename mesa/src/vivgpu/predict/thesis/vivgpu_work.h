/* SPDX-License-Identifier: MIT */
/* Amounts of a group on which the thesis's models rest. */
#ifndef VIVGPU_WORK_H
#define VIVGPU_WORK_H

#include <stdbool.h>

#include "vivgpu_group.h"

/** Programs of a group that are distinguished; further ones are left out */
#define VIVGPU_WORK_PROGRAMS 16

/** Bytes of a pixel of a target that is copied, whatever its format and padding are */
#define VIVGPU_WORK_PIXEL 4

struct vivgpu_work {
   bool draws;
   /** All draws have a viewport without area: there are no fragments */
   bool still;
   /** The core loads data of the application: a command that the thesis has no model of */
   bool uploads;
   double vertices;
   /** Pixels of the objects' bounding boxes, or of viewport and scissor where they are unknown */
   double boxes;
   double clear_bytes, texture_bytes, swap_tiles;
   /** Hash of the set of programs */
   uint64_t programs;
};

/**
 * Sum up the commands of a group. A copy of the window's size in a group with a swap is the swap's
 * own; all others are texture loading, but for those by the processor, which take no time of the
 * core. Fast clears have no amount: the thesis predicts them as 0.
 */
struct vivgpu_work vivgpu_work_of(const struct vivgpu_group *group,
                                  const struct vivgpu_command *commands);

#endif
