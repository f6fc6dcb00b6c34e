/* SPDX-License-Identifier: MIT */
/*
 * Queries: what all kinds have in common. A kind is a file of its own with a
 * function that makes queries of it; vivgpu_query.c hands Mesa's calls on.
 */
#ifndef VIVGPU_QUERY_H
#define VIVGPU_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"
#include "util/u_threaded_context.h"
#include "vivgpu_submitted.h"

struct vivgpu_bo;
struct vivgpu_context;
struct vivgpu_query;
struct vivgpu_screen;

/** vivgpu_query.job of a query whose result depends on no job */
#define VIVGPU_NO_JOB UINT64_MAX

struct vivgpu_query_funcs {
   /** Free the query; it may be active. */
   void (*destroy)(struct vivgpu_context *context, struct vivgpu_query *query);
   /** Forget the last result and start. False without memory. NULL: there is no beginning. */
   bool (*begin)(struct vivgpu_context *context, struct vivgpu_query *query);
   bool (*end)(struct vivgpu_context *context, struct vivgpu_query *query);
   /**
    * Give the result. False if it isn't there yet; with @wait it has to come. The
    * job it depends on was submitted. Changes nothing: with a threaded context it
    * is called beside other functions of the context.
    */
   bool (*result)(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
                  union pipe_query_result *result);
};

struct vivgpu_query {
   struct threaded_query base;
   const struct vivgpu_query_funcs *funcs;
   /** PIPE_QUERY_* */
   unsigned type;
   /** vivgpu_stream.jobs when the job on which the result depends was written */
   uint64_t job;
};

static inline struct vivgpu_query *
vivgpu_query(struct pipe_query *query)
{
   return (struct vivgpu_query *)query;
}

/** What counts samples in a context: vivgpu_query_occlusion.c */
struct vivgpu_occlusion {
   /** Queries between their begin and end */
   struct list_head active;
   /** Mesa draws for itself: it doesn't count */
   bool paused;
   /** The core counts at this place of the stream: see vivgpu_sample_counter.h */
   bool counting;
   /** Where the numbers of a job go, that job, and how many there are */
   struct vivgpu_bo *bo;
   uint64_t job;
   unsigned parts;
};

/** A timestamp point; no buffer: none */
struct vivgpu_timestamp {
   struct vivgpu_bo *bo;
   unsigned index;
};

/** What a context counts of its draws while queries want it: vivgpu_query_submitted.c */
struct vivgpu_submissions {
   /** Queries between their begin and end */
   unsigned active;
   /** Since the context was made, while there were any */
   uint64_t vertices, primitives;
};

/** The timestamp points of a context: vivgpu_query_time.c */
struct vivgpu_time {
   /** The last one, its job, and the words of that job up to it */
   struct vivgpu_timestamp last;
   uint64_t job;
   uint32_t end;
};

/** Leave a timestamp point here, on which the query's result depends. False without memory. */
bool vivgpu_timestamp_emit(struct vivgpu_context *context, struct vivgpu_query *query,
                           struct vivgpu_timestamp *timestamp);
void vivgpu_timestamp_release(struct vivgpu_timestamp *timestamp);

/** Cycles of the core between two points whose jobs are over; 0 if a reset came between. */
uint64_t vivgpu_timestamp_cycles(const struct vivgpu_timestamp *from,
                                 const struct vivgpu_timestamp *to);

/** Make a query of a kind; NULL if the type isn't of the kind, or without memory. */
struct vivgpu_query *vivgpu_occlusion_create(struct vivgpu_context *context, unsigned type);
struct vivgpu_query *vivgpu_time_create(struct vivgpu_context *context, unsigned type);
struct vivgpu_query *vivgpu_disjoint_create(struct vivgpu_context *context, unsigned type);

/** The same of pipeline statistics (PIPE_STAT_QUERY_*). */
struct vivgpu_query *vivgpu_statistics_create(struct vivgpu_context *context, unsigned index);
struct vivgpu_query *vivgpu_submissions_create(unsigned index);

/** What draws submit, with primitives of this mode; reads indices that may restart. */
struct vivgpu_submitted vivgpu_submitted_draws(struct vivgpu_context *context,
                                               const struct pipe_draw_info *info,
                                               enum mesa_prim mode,
                                               const struct pipe_draw_start_count_bias *draws,
                                               unsigned num_draws);

/** The application draws while vivgpu_submissions.active. */
void vivgpu_submissions_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                             const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

/** Before a draw: count if a query wants it. There is room for VIVGPU_COUNT_WORDS. */
void vivgpu_occlusion_resume(struct vivgpu_context *context);

void vivgpu_occlusion_init(struct vivgpu_context *context);
void vivgpu_occlusion_fini(struct vivgpu_context *context);
void vivgpu_time_fini(struct vivgpu_context *context);

/** Offer queries of time if the kernel has timestamp points. */
void vivgpu_time_screen_init(struct vivgpu_screen *screen);

/** Does the query that is the condition of draws allow them? See vivgpu_context_condition(). */
bool vivgpu_query_condition(struct vivgpu_context *context);

void vivgpu_query_init(struct pipe_context *context);
void vivgpu_query_fini(struct vivgpu_context *context);

#endif
