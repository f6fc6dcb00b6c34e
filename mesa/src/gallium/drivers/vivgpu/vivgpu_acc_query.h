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

/** What is counted of it */
enum vivgpu_scope {
   /** All that jobs do */
   VIVGPU_SCOPE_ALL,
   /** What the application draws, without what Mesa draws for itself */
   VIVGPU_SCOPE_APPLICATION,
   /** The same without pixel rectangles and bitmaps, which Mesa draws as quads */
   VIVGPU_SCOPE_PRIMITIVES,
};

struct vivgpu_acc_query {
   const struct vivgpu_perfmon_screen *screen;
   enum vivgpu_scope scope;
   /** In the context's list while it runs */
   struct list_head link;
   bool active;
   /** A job could not be counted, for want of memory */
   bool failed;
   /** What is wanted, and how many of it are signals */
   struct vivgpu_sources sources;
   uint32_t num_signals;
   /** What was counted; of the driver's own counts, until the end, what they were before */
   uint64_t sums[VIVGPU_NUM_SOURCES];
   /** Counts of jobs that are not in the sums yet, oldest first */
   struct list_head chunks;
   /** If there was no job: where one wrote that came before; NULL if none did */
   struct vivgpu_bo *previous;
};

/** All of a context */
struct vivgpu_acc_queries {
   /** What the driver did since the context began, for sources from VIVGPU_FIRST_SOFTWARE on */
   uint64_t counts[VIVGPU_NUM_SOURCES];
   /** Those between their beginning and end */
   struct list_head active;
   /** Of these, those that want signals and have another scope than all */
   uint32_t num_scoped;
   /** Where the last job wrote that counted for one with another scope than all */
   struct vivgpu_bo *last;
   /** The job that is being written draws pixel rectangles and bitmaps */
   bool pixels;
};

void vivgpu_acc_queries_init(struct vivgpu_context *context);
void vivgpu_acc_queries_fini(struct vivgpu_context *context);

/** Sources are to be added, and then vivgpu_acc_query_sources_added() is called. */
void vivgpu_acc_query_init(struct vivgpu_acc_query *query, struct vivgpu_context *context,
                           enum vivgpu_scope scope);
void vivgpu_acc_query_sources_added(struct vivgpu_acc_query *query);

/** It may be active. */
void vivgpu_acc_query_fini(struct vivgpu_context *context, struct vivgpu_acc_query *query);

/** It is not active; sums are forgotten. */
void vivgpu_acc_query_begin(struct vivgpu_context *context, struct vivgpu_acc_query *query);
void vivgpu_acc_query_end(struct vivgpu_context *context, struct vivgpu_acc_query *query);

/** Is all in the sums, after the end? With @wait it comes to that. */
bool vivgpu_acc_query_collect(struct vivgpu_acc_query *query, bool wait);

/** Free the memory of counts that are not in the sums. */
void vivgpu_acc_query_release_counts(struct vivgpu_acc_query *query);

/** Request the counters that active queries want in the job being written, at its end. */
void vivgpu_acc_query_request_job(struct vivgpu_context *context);

/** Mesa is about to draw for itself, or has done so: what is scoped has another job for that. */
void vivgpu_acc_query_split_job(struct vivgpu_context *context);

/** The application is about to draw with the shaders that are bound. */
void vivgpu_acc_query_before_draw(struct vivgpu_context *context);

/** Does it request counters of the kernel only for a part of the jobs? */
static inline bool
vivgpu_acc_query_is_scoped(const struct vivgpu_acc_query *query)
{
   return query->num_signals && query->scope != VIVGPU_SCOPE_ALL;
}

/** Does any run? Only then are things counted that would cost something. */
static inline bool
vivgpu_acc_queries_active(const struct vivgpu_acc_queries *all)
{
   return !list_is_empty(&all->active);
}

/** The driver did something that is counted. */
static inline void
vivgpu_count(struct vivgpu_acc_queries *all, enum vivgpu_source source, uint64_t amount)
{
   all->counts[source] += amount;
}

#endif
