/* SPDX-License-Identifier: MIT */
/* Whose the counts of a result are; see vivgpu_counts.h. */

#include "vivgpu_counts.h"

#include <stddef.h>

void
vivgpu_counts_submit(struct vivgpu_counts *counts, uint64_t cookie, uint64_t vertices)
{
   uint32_t at = counts->submitted++ % VIVGPU_COUNTS_JOBS;

   counts->jobs[at].cookie = cookie;
   counts->jobs[at].vertices = vertices;
   /* The first job that was not counted has just been overwritten. */
   if (counts->submitted - counts->first > VIVGPU_COUNTS_JOBS)
      counts->aligned = false;
}

/* Find the number of a job, the newest with a cookie; false if it is not remembered. */
static bool
find(const struct vivgpu_counts *counts, uint64_t cookie, uint32_t *number)
{
   for (uint32_t ago = 1; ago <= VIVGPU_COUNTS_JOBS && ago <= counts->submitted; ago++) {
      *number = counts->submitted - ago;
      if (counts->jobs[*number % VIVGPU_COUNTS_JOBS].cookie == cookie)
         return true;
   }
   return false;
}

/* Begin a run without jobs. */
static void
clear_run(struct vivgpu_counts_run *run)
{
   run->num_jobs = run->num_points = 0;
   run->fragments = 0;
}

/* Add a job to a run; false if there are too many. */
static bool
add_job(struct vivgpu_counts_run *run, uint64_t cookie, uint64_t vertices)
{
   if (run->num_jobs == VIVGPU_COUNTS_SHARED)
      return false;
   run->jobs[run->num_jobs].cookie = cookie;
   run->jobs[run->num_jobs++].vertices = vertices;
   return true;
}

/*
 * Add a point to a run: a result ended within a job. Further points than a run can have are
 * dropped.
 */
static void
add_point(struct vivgpu_counts_run *run, uint64_t cookie, uint64_t vertices)
{
   if (run->num_points == VIVGPU_COUNTS_SHARED)
      return;
   run->points[run->num_points].cookie = cookie;
   run->points[run->num_points].vertices = vertices;
   run->points[run->num_points++].fragments = run->fragments;
}

/*
 * The next @vertices are counted and belong to the run, to which their jobs are added; false if
 * fewer were submitted, or the run has too many jobs.
 */
static bool
take(struct vivgpu_counts *counts, uint64_t vertices)
{
   while (vertices && counts->first != counts->submitted) {
      uint32_t at = counts->first % VIVGPU_COUNTS_JOBS;
      uint64_t all = counts->jobs[at].vertices, left = all - counts->offset;
      uint64_t taken = left < vertices ? left : vertices;

      if (all && !counts->offset && !add_job(&counts->run, counts->jobs[at].cookie, all))
         return false;
      vertices -= taken;
      counts->offset += taken;
      if (taken == left) {
         counts->first++;
         counts->offset = 0;
      }
   }
   return !vertices;
}

/*
 * A job has ended, so all jobs up to it have been counted. Those that are left should have no
 * vertices; if one has, it is not known where counting is.
 */
static void
skip_to(struct vivgpu_counts *counts, uint32_t number)
{
   while ((int32_t)(number - counts->first) >= 0) {
      if (counts->jobs[counts->first++ % VIVGPU_COUNTS_JOBS].vertices)
         counts->aligned = false;
      counts->offset = 0;
   }
}

/* It is known that all up to the job with a number has been counted, and nothing behind it. */
static void
align(struct vivgpu_counts *counts, uint32_t number)
{
   if (!counts->aligned || counts->first != number + 1 || counts->offset)
      clear_run(&counts->run);
   counts->first = number + 1;
   counts->offset = 0;
   counts->aligned = true;
}

/* The run of a result with exact counts: those of its job only */
static const struct vivgpu_counts_run *
take_exact(struct vivgpu_counts *counts, uint32_t number, uint64_t fragments)
{
   uint32_t at = number % VIVGPU_COUNTS_JOBS;

   align(counts, number);
   clear_run(&counts->run);
   if (!counts->jobs[at].vertices)
      return NULL;
   add_job(&counts->run, counts->jobs[at].cookie, counts->jobs[at].vertices);
   counts->run.fragments = fragments;
   return &counts->run;
}

const struct vivgpu_counts_run *
vivgpu_counts_result(struct vivgpu_counts *counts, const struct vivgpu_group_result *result)
{
   uint32_t number;

   if (!find(counts, result->cookie, &number) || result->flags & VIVGPU_RESULT_FAILED ||
       !(result->flags & VIVGPU_RESULT_COUNTS)) {
      counts->aligned = false;
      return NULL;
   }
   if (result->flags & VIVGPU_RESULT_EXACT)
      return take_exact(counts, number, result->fragments);
   /* A new run, unless the last result ended within a job */
   if (!counts->aligned || !counts->offset)
      clear_run(&counts->run);
   if (counts->aligned) {
      counts->run.fragments += result->fragments;
      counts->aligned = take(counts, result->vertices);
   }
   if (counts->aligned)
      skip_to(counts, number);
   if (!counts->aligned)
      clear_run(&counts->run);
   /*
    * Nothing behind this job has been counted: the next one had not begun, or an earlier result had
    * all vertices of this job and no more came since.
    */
   if (!(result->flags & VIVGPU_RESULT_OVERLAPPED) ||
       (!result->vertices && counts->jobs[number % VIVGPU_COUNTS_JOBS].vertices))
      align(counts, number);
   if (counts->offset)
      add_point(&counts->run, counts->jobs[counts->first % VIVGPU_COUNTS_JOBS].cookie,
                counts->offset);
   return counts->offset || !counts->run.num_jobs ? NULL : &counts->run;
}
