/* SPDX-License-Identifier: MIT */
/*
 * Counters summed over the jobs of a context between begin and end, for performance monitors and
 * pipeline statistics queries. If hardware counters are wanted, begin and end submit the job
 * being written, and each job in between requests the counters of all active queries from the
 * kernel. So the sums are exact, independent of flushes and of other users of the GPU.
 */
#ifndef VIVGPU_ACC_QUERY_H
#define VIVGPU_ACC_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"
#include "vivgpu_perfmon_table.h"

struct vivgpu_bo;
struct vivgpu_context;
struct vivgpu_perfmon_screen;

/** Which jobs' hardware counters are summed */
enum vivgpu_scope {
   /** All jobs of the context */
   VIVGPU_SCOPE_ALL,
   /** Jobs with draws of the application, not those in which Mesa draws for itself */
   VIVGPU_SCOPE_APPLICATION,
   /** The same without jobs that draw pixel rectangles and bitmaps, which Mesa draws as quads */
   VIVGPU_SCOPE_PRIMITIVES,
};

struct vivgpu_acc_query {
   const struct vivgpu_perfmon_screen *screen;
   enum vivgpu_scope scope;
   /** Link in vivgpu_acc_queries.active between begin and end */
   struct list_head link;
   bool active;
   /** Memory for the counts of a job could not be allocated */
   bool failed;
   /** Sources to be summed, and how many of them are hardware signals */
   struct vivgpu_sources sources;
   uint32_t num_signals;
   /** The sums. Until the query ends, entries of software sources hold the count at begin. */
   uint64_t sums[VIVGPU_NUM_SOURCES];
   /** struct chunk: counts of jobs that are not in the sums yet, oldest first */
   struct list_head chunks;
   /** For a query without jobs: counts buffer of the last scoped job before it; NULL if none */
   struct vivgpu_bo *previous;
};

/** The accumulating queries of a context */
struct vivgpu_acc_queries {
   /**
    * Counts of software sources (VIVGPU_FIRST_SOFTWARE on) since the context was created; those of
    * signals stay 0, so that the sums of a query begin with 0
    */
   uint64_t counts[VIVGPU_NUM_SOURCES];
   /** Queries between begin and end */
   struct list_head active;
   /** Number of active queries with signals whose scope is not VIVGPU_SCOPE_ALL */
   uint32_t num_scoped;
   /** Counts buffer of the last job that was counted for a scoped query */
   struct vivgpu_bo *last;
   /** The job being written draws pixel rectangles or bitmaps; kept while @num_scoped is not 0 */
   bool pixels;
};

void vivgpu_acc_queries_init(struct vivgpu_context *context);
void vivgpu_acc_queries_fini(struct vivgpu_context *context);

/**
 * Initialise a query. The caller then adds sources to vivgpu_acc_query.sources and calls
 * vivgpu_acc_query_sources_added().
 */
void vivgpu_acc_query_init(struct vivgpu_acc_query *query, struct vivgpu_context *context,
                           enum vivgpu_scope scope);
void vivgpu_acc_query_sources_added(struct vivgpu_acc_query *query);

/** Free a query, active or not. */
void vivgpu_acc_query_fini(struct vivgpu_context *context, struct vivgpu_acc_query *query);

/** Begin a query that is not active; its sums are reset. */
void vivgpu_acc_query_begin(struct vivgpu_context *context, struct vivgpu_acc_query *query);
void vivgpu_acc_query_end(struct vivgpu_context *context, struct vivgpu_acc_query *query);

/**
 * Add the counts of finished jobs to the sums. Returns true if all jobs of the query, which has
 * ended, are summed up.
 * @wait: wait for the jobs; the result is then true unless the device is gone.
 */
bool vivgpu_acc_query_collect(struct vivgpu_acc_query *query, bool wait);

/** Free the memory of counts that are not in the sums yet. */
void vivgpu_acc_query_release_counts(struct vivgpu_acc_query *query);

/** Add requests for the counters of all active queries to the end of the job being written. */
void vivgpu_acc_query_request_job(struct vivgpu_context *context);

/**
 * Called when Mesa begins or ends drawing for itself: submits the job if a scoped query is active,
 * so that each job is entirely inside or outside the scope.
 */
void vivgpu_acc_query_split_job(struct vivgpu_context *context);

/**
 * Called before a draw of the application with the bound shaders: submits the job if the draw is in
 * another scope than the job.
 */
void vivgpu_acc_query_before_draw(struct vivgpu_context *context);

/** True if the query sums hardware counters of a part of the jobs only. */
static inline bool
vivgpu_acc_query_is_scoped(const struct vivgpu_acc_query *query)
{
   return query->num_signals && query->scope != VIVGPU_SCOPE_ALL;
}

/** True if any query is active. Counts that take time are kept only then. */
static inline bool
vivgpu_acc_queries_active(const struct vivgpu_acc_queries *all)
{
   return !list_is_empty(&all->active);
}

/** Add to the count of a software source. */
static inline void
vivgpu_count(struct vivgpu_acc_queries *all, enum vivgpu_source source, uint64_t amount)
{
   all->counts[source] += amount;
}

#endif
