/* SPDX-License-Identifier: MIT */
/* Fragments of one of several groups; see vivgpu_division.h. */

#include "vivgpu_division.h"

#include <math.h>
#include <stddef.h>

/* A stretch of a run's vertices, and the fragments from the run's begin to both of its ends */
struct stretch {
   double from, from_fragments, to, to_fragments;
};

/* The stretch around a vertex between places where results ended */
static struct stretch
stretch_at(const struct vivgpu_counts_run *run, double vertices)
{
   struct stretch stretch = {.to_fragments = (double)run->fragments};
   double begin = 0;

   for (unsigned i = 0; i < run->num_jobs; i++)
      stretch.to += (double)run->jobs[i].vertices;
   for (unsigned i = 0; i < run->num_jobs; i++) {
      for (unsigned j = 0; j < run->num_points; j++) {
         double at = begin + (double)run->points[j].vertices;

         if (run->points[j].cookie != run->jobs[i].cookie)
            continue;
         if (at <= vertices && at >= stretch.from) {
            stretch.from = at;
            stretch.from_fragments = (double)run->points[j].fragments;
         } else if (at > vertices && at < stretch.to) {
            stretch.to = at;
            stretch.to_fragments = (double)run->points[j].fragments;
         }
      }
      begin += (double)run->jobs[i].vertices;
   }
   return stretch;
}

/*
 * Fragments of a run up to a vertex by the curves of its jobs' frames; negative if one is unknown
 */
static double
expected_up_to(struct vivgpu_parts *parts, const struct vivgpu_counts_run *run, double vertices)
{
   double sum = 0;

   for (unsigned i = 0; i < run->num_jobs && vertices > 0; i++) {
      double own = fmin(vertices, (double)run->jobs[i].vertices);
      double expected = vivgpu_parts_expect(parts, run->jobs[i].cookie, own, NULL);

      if (expected < 0)
         return -1;
      sum += expected;
      vertices -= own;
   }
   return sum;
}

struct vivgpu_division
vivgpu_divide(struct vivgpu_parts *parts, const struct vivgpu_counts_run *run, unsigned job)
{
   struct stretch stretch;
   double vertices = 0, share, from, at, to, fragments, doubt;

   for (unsigned i = 0; i <= job; i++)
      vertices += (double)run->jobs[i].vertices;
   stretch = stretch_at(run, vertices);
   if (!(stretch.to > stretch.from))
      return (struct vivgpu_division){.fragments = stretch.to_fragments};

   share = (vertices - stretch.from) / (stretch.to - stretch.from);
   fragments = stretch.to_fragments - stretch.from_fragments;
   vivgpu_parts_expect(parts, run->jobs[job].cookie, (double)run->jobs[job].vertices, &doubt);
   /*
    * Infinite without a curve. At most what it is if fragments are spread evenly: 0 at both ends of
    * the stretch, a quarter of them in the middle.
    */
   doubt = fmin(doubt, fragments * share * (1 - share));
   from = expected_up_to(parts, run, stretch.from);
   at = expected_up_to(parts, run, vertices);
   to = expected_up_to(parts, run, stretch.to);
   if (from >= 0 && at >= from && to > from)
      share = (at - from) / (to - from);
   return (struct vivgpu_division){
      .fragments = stretch.from_fragments + fragments * share,
      .doubt = doubt,
   };
}
