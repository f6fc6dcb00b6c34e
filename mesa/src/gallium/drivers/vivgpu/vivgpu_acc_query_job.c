/* SPDX-License-Identifier: MIT */
/*
 * Counters of one job for queries that sum over jobs: the requests to the kernel at the end of a
 * job, and the memory that the kernel writes the counts to.
 */

#include <string.h>

#include "util/u_memory.h"
#include "vivgpu_acc_query.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"

/* Memory for the counts of several jobs. */
#define CHUNK_BYTES (16 * 1024)

struct chunk {
   struct list_head link;
   struct vivgpu_bo *bo;
   /** Number of jobs that write to it */
   uint32_t jobs;
};

static void
vivgpu_acc_free_chunk(struct chunk *chunk)
{
   list_del(&chunk->link);
   vivgpu_bo_unref(chunk->bo);
   FREE(chunk);
}

void
vivgpu_acc_query_release_counts(struct vivgpu_acc_query *query)
{
   list_for_each_entry_safe (struct chunk, chunk, &query->chunks, link)
      vivgpu_acc_free_chunk(chunk);
   vivgpu_bo_unref(query->previous);
   query->previous = NULL;
}

/* Add the counts of finished jobs in a chunk to the sums, and free the chunk. */
static void
vivgpu_acc_collect(struct vivgpu_acc_query *query, struct chunk *chunk)
{
   const uint64_t *values = vivgpu_bo_map(chunk->bo);

   for (uint32_t i = 0; i < chunk->jobs; i++)
      values = vivgpu_signals_add(&query->sources, query->screen->scales, values, query->sums);
   vivgpu_acc_free_chunk(chunk);
}

static bool
vivgpu_acc_is_written(struct vivgpu_bo *bo, bool wait)
{
   return wait ? vivgpu_bo_wait(bo, false) : !vivgpu_bo_busy(bo, false);
}

bool
vivgpu_acc_query_collect(struct vivgpu_acc_query *query, bool wait)
{
   list_for_each_entry_safe (struct chunk, chunk, &query->chunks, link) {
      if (!vivgpu_acc_is_written(chunk->bo, wait))
         return false;
      vivgpu_acc_collect(query, chunk);
   }
   return !query->previous || vivgpu_acc_is_written(query->previous, wait);
}

/* Allocate and map memory for counts. Returns NULL if memory is short. */
static struct chunk *
vivgpu_acc_add_chunk(struct vivgpu_context *context, struct vivgpu_acc_query *query)
{
   struct chunk *chunk = CALLOC_STRUCT(chunk);

   if (!chunk)
      return NULL;
   chunk->bo = vivgpu_bo_create(context->screen->kernel, CHUNK_BYTES);
   if (!chunk->bo || !vivgpu_bo_map(chunk->bo)) {
      vivgpu_bo_unref(chunk->bo);
      FREE(chunk);
      return NULL;
   }
   list_addtail(&chunk->link, &query->chunks);
   return chunk;
}

/* Return the chunk with space for a job. Full chunks whose jobs have ended are collected. */
static struct chunk *
vivgpu_acc_find_chunk(struct vivgpu_context *context, struct vivgpu_acc_query *query,
                      uint32_t bytes)
{
   struct chunk *last =
      list_is_empty(&query->chunks) ? NULL : list_last_entry(&query->chunks, struct chunk, link);

   if (last && (last->jobs + 1) * bytes <= CHUNK_BYTES)
      return last;
   list_for_each_entry_safe (struct chunk, chunk, &query->chunks, link) {
      if (vivgpu_bo_busy(chunk->bo, false))
         break;
      vivgpu_acc_collect(query, chunk);
   }
   return vivgpu_acc_add_chunk(context, query);
}

/* Request the query's signals for the job being written. */
static bool
vivgpu_acc_request(struct vivgpu_context *context, struct vivgpu_acc_query *query)
{
   const uint32_t value_bytes = sizeof(uint64_t);
   uint32_t bytes = query->num_signals * value_bytes;
   struct chunk *chunk = vivgpu_acc_find_chunk(context, query, bytes);

   if (!chunk)
      return false;

   uint32_t offset = chunk->jobs * bytes;

   /* VIVGPU_NOT_COUNTED, which remains if the kernel refuses the job. */
   memset((char *)vivgpu_bo_map(chunk->bo) + offset, 0xff, bytes);
   chunk->jobs++;
   if (vivgpu_acc_query_is_scoped(query)) {
      vivgpu_bo_unref(context->acc_queries.last);
      context->acc_queries.last = vivgpu_bo_ref(chunk->bo);
   }
   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++) {
      if (!vivgpu_sources_has(&query->sources, VIVGPU_FIRST_SIGNAL + i))
         continue;
      if (!vivgpu_stream_count(&context->stream, query->screen->names[i].domain,
                               query->screen->names[i].signal, chunk->bo, offset))
         return false;
      offset += value_bytes;
   }
   return true;
}

/* Update the software counts for the job being written. */
static void
vivgpu_acc_count_job(struct vivgpu_context *context)
{
   const struct vivgpu_stream *stream = &context->stream;
   uint64_t bytes = 0;

   for (uint32_t i = 0; i < stream->num_bos; i++)
      bytes += stream->bos[i]->size;
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_JOBS, 1);
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_COMMAND_BYTES,
                stream->used * sizeof(uint32_t));
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_JOB_BUFFERS, stream->num_bos);
   vivgpu_count(&context->acc_queries, VIVGPU_SOURCE_JOB_BUFFER_BYTES, bytes);
}

/*
 * True if the job being written is in the scope. occlusion.paused: Mesa draws for itself, in jobs
 * of their own (vivgpu_acc_query_split_job()).
 */
static bool
vivgpu_acc_covers(const struct vivgpu_context *context, enum vivgpu_scope scope)
{
   return scope == VIVGPU_SCOPE_ALL ||
          (!context->occlusion.paused &&
           (scope == VIVGPU_SCOPE_APPLICATION || !context->acc_queries.pixels));
}

void
vivgpu_acc_query_request_job(struct vivgpu_context *context)
{
   if (!vivgpu_acc_queries_active(&context->acc_queries))
      return;
   vivgpu_acc_count_job(context);
   list_for_each_entry (struct vivgpu_acc_query, query, &context->acc_queries.active, link) {
      if (query->num_signals && vivgpu_acc_covers(context, query->scope) &&
          !vivgpu_acc_request(context, query))
         query->failed = true;
   }
}
