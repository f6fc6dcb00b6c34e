/* SPDX-License-Identifier: MIT */
/*
 * Queries: the common part. Each type of query is implemented in a file of its own, with a function
 * that creates queries; vivgpu_query.c calls their functions.
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
   /**
    * Reset the result and begin. Returns false if the query is active or memory is short. NULL for
    * queries without a begin.
    */
   bool (*begin)(struct vivgpu_context *context, struct vivgpu_query *query);
   bool (*end)(struct vivgpu_context *context, struct vivgpu_query *query);
   /**
    * Get the result. Returns false if it is not available yet, or, also with @wait, if counting
    * failed. The job on which it depends is submitted. Must not change state of the context: with a
    * threaded context it is called from another thread.
    */
   bool (*result)(struct vivgpu_context *context, struct vivgpu_query *query, bool wait,
                  union pipe_query_result *result);
};

struct vivgpu_query {
   struct threaded_query base;
   const struct vivgpu_query_funcs *funcs;
   /** PIPE_QUERY_* */
   unsigned type;
   /** vivgpu_stream.jobs of the job on which the result depends */
   uint64_t job;
};

static inline struct vivgpu_query *
vivgpu_query(struct pipe_query *query)
{
   return (struct vivgpu_query *)query;
}

/** Sample counts of a context: vivgpu_query_occlusion.c */
struct vivgpu_occlusion {
   /** Queries between begin and end */
   struct list_head active;
   /** Mesa draws for itself: its samples are not counted */
   bool paused;
   /** A count was started and not stopped: see vivgpu_sample_counter.h */
   bool counting;
   /** Buffer for the counts of a job, the number of that job, and the number of its counts */
   struct vivgpu_bo *bo;
   uint64_t job;
   unsigned parts;
};

/** A timestamp point; bo is NULL if there is none */
struct vivgpu_timestamp {
   struct vivgpu_bo *bo;
   unsigned index;
};

/** What a context counts of its draws while queries are active: vivgpu_query_submitted.c */
struct vivgpu_submissions {
   /** Number of queries between begin and end */
   unsigned active;
   /** Counts since the context was created; only draws while a query was active are included */
   uint64_t vertices, primitives;
};

/** Timestamp points of a context: vivgpu_query_time.c */
struct vivgpu_time {
   /** The last point, its job, and the number of words of that job before it */
   struct vivgpu_timestamp last;
   uint64_t job;
   uint32_t end;
};

/** Emit a timestamp point on which the query's result depends. Returns false if memory is short. */
bool vivgpu_timestamp_emit(struct vivgpu_context *context, struct vivgpu_query *query,
                           struct vivgpu_timestamp *timestamp);
void vivgpu_timestamp_release(struct vivgpu_timestamp *timestamp);

/** Cycles of the core between two points of finished jobs; 0 if one was lost in a reset. */
uint64_t vivgpu_timestamp_cycles(const struct vivgpu_timestamp *from,
                                 const struct vivgpu_timestamp *to);

/** Create a query; NULL if @type is implemented in another file, or if memory is short. */
struct vivgpu_query *vivgpu_occlusion_create(struct vivgpu_context *context, unsigned type);
struct vivgpu_query *vivgpu_time_create(struct vivgpu_context *context, unsigned type);
struct vivgpu_query *vivgpu_disjoint_create(struct vivgpu_context *context, unsigned type);

/** Likewise for pipeline statistics (PIPE_STAT_QUERY_*). */
struct vivgpu_query *vivgpu_statistics_create(struct vivgpu_context *context, unsigned index);
struct vivgpu_query *vivgpu_submissions_create(unsigned index);

/** Number of driver queries of command groups: 0 if the kernel does not tell */
unsigned vivgpu_groups_queries(const struct vivgpu_screen *screen);
/** Describe the query @index of these, but for its number. */
void vivgpu_groups_query_info(unsigned index, struct pipe_driver_query_info *info);
struct vivgpu_query *vivgpu_groups_create(unsigned index);

/** Return what draws with primitives @mode submit. Indices are read if restart is enabled. */
struct vivgpu_submitted vivgpu_submitted_draws(struct vivgpu_context *context,
                                               const struct pipe_draw_info *info,
                                               enum mesa_prim mode,
                                               const struct pipe_draw_start_count_bias *draws,
                                               unsigned num_draws);

/** Count draws of the application; called while vivgpu_submissions.active is not 0. */
void vivgpu_submissions_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                             const struct pipe_draw_start_count_bias *draws, unsigned num_draws);

/**
 * Start to count samples before a draw if a query is active. The caller has reserved
 * VIVGPU_COUNT_WORDS.
 */
void vivgpu_occlusion_resume(struct vivgpu_context *context);

void vivgpu_occlusion_init(struct vivgpu_context *context);
void vivgpu_occlusion_fini(struct vivgpu_context *context);
void vivgpu_time_fini(struct vivgpu_context *context);

/** Offer queries of time if the kernel has timestamp points. */
void vivgpu_time_screen_init(struct vivgpu_screen *screen);

/** True if the render condition's query allows draws. See vivgpu_context_condition(). */
bool vivgpu_query_condition(struct vivgpu_context *context);

void vivgpu_query_init(struct pipe_context *context);
void vivgpu_query_fini(struct vivgpu_context *context);

#endif
