/* SPDX-License-Identifier: MIT */
/*
 * How fragments that were counted together are divided among the groups they belong to: where
 * results ended they are known, and between these places they are spread as the curve of the
 * groups' frame says (vivgpu_parts.h), or evenly over the vertices if there is none.
 */
#ifndef VIVGPU_DIVISION_H
#define VIVGPU_DIVISION_H

#include "vivgpu_counts.h"
#include "vivgpu_parts.h"

struct vivgpu_division {
   double fragments;
   /** Standard deviation of @fragments; 0 if they were counted */
   double doubt;
};

/** Fragments from the begin of a run to the end of its job number @job, from 0 */
struct vivgpu_division vivgpu_divide(struct vivgpu_parts *parts,
                                     const struct vivgpu_counts_run *run, unsigned job);

#endif
