/* SPDX-License-Identifier: MIT */
/*
 * Whose the counts of a result are.
 *
 * The kernel reads the core's counters after a job has ended, when jobs behind it may have begun or
 * even have done their work. So the counts of a result may be those of its job and of a part of the
 * next one, of several jobs, of later ones only, or nothing. But jobs run in the order in which
 * they were submitted, no work is counted twice or left out, and how many vertices each job has is
 * known. So the counts are those of as many vertices as were counted, from the first one on that
 * was not counted before. Several results in sequence are a run, until one ends with the last
 * vertex of a job: a run has the counts of whole jobs, mostly of one.
 *
 * The vertex at which counting goes on has to be learnt from one result: one whose next job had not
 * begun, one with exact counts, or one that counted no vertices though its job has some. It is
 * unknown again when fewer vertices were counted than the job has, or more than were submitted:
 * other clients or queues ran in between.
 */
#ifndef VIVGPU_COUNTS_H
#define VIVGPU_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vivgpu_group.h"

/** Jobs that are remembered, and of which one run can have the counts */
#define VIVGPU_COUNTS_JOBS   64
#define VIVGPU_COUNTS_SHARED 4

struct vivgpu_counts_run {
   struct {
      uint64_t cookie, vertices;
   } jobs[VIVGPU_COUNTS_SHARED];
   unsigned num_jobs;
   /** Results that ended within a job: its vertices up to there, and the fragments of the run */
   struct {
      uint64_t cookie, vertices, fragments;
   } points[VIVGPU_COUNTS_SHARED];
   unsigned num_points;
   uint64_t fragments;
};

struct vivgpu_counts {
   /** A ring of the last submitted jobs, by their numbers from 0 */
   struct {
      uint64_t cookie, vertices;
   } jobs[VIVGPU_COUNTS_JOBS];
   /** Number of submitted jobs */
   uint32_t submitted;
   /** Number of the first job that was not counted yet, and its vertices that were; if @aligned */
   uint32_t first;
   uint64_t offset;
   bool aligned;
   struct vivgpu_counts_run run;
};

/** A job is submitted; @vertices: that the core will count, 0 if it does not draw */
void vivgpu_counts_submit(struct vivgpu_counts *counts, uint64_t cookie, uint64_t vertices);

/**
 * A result has come, in the order of results.
 *
 * Returns the run that it ends; NULL if it ends within a job, or has the counts of nothing. If it
 * is unknown whose counts it has, counts->aligned is false.
 */
const struct vivgpu_counts_run *vivgpu_counts_result(struct vivgpu_counts *counts,
                                                     const struct vivgpu_group_result *result);

#endif
