/* SPDX-License-Identifier: MIT */

#include "vivgpu_counting.h"

#include <string.h>

#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"

/* Memory for the counts of several jobs. */
#define CHUNK_BYTES (16 * 1024)

struct chunk {
   struct list_head link;
   struct vivgpu_bo *bo;
   /** Jobs that write to it */
   uint32_t jobs;
};

static void
drop(struct chunk *chunk)
{
   list_del(&chunk->link);
   vivgpu_bo_unref(chunk->bo);
   FREE(chunk);
}

static void
drop_all(struct vivgpu_counting *counting)
{
   list_for_each_entry_safe (struct chunk, chunk, &counting->chunks, link)
      drop(chunk);
   vivgpu_bo_unref(counting->after);
   counting->after = NULL;
}

void
vivgpu_countings_init(struct vivgpu_context *context)
{
   list_inithead(&context->countings.active);
}

void
vivgpu_countings_fini(struct vivgpu_context *context)
{
   vivgpu_bo_unref(context->countings.last);
}

void
vivgpu_counting_init(struct vivgpu_counting *counting, struct vivgpu_context *context,
                     enum vivgpu_scope scope)
{
   counting->screen = &context->screen->perfmon;
   counting->scope = scope;
   list_inithead(&counting->chunks);
}

void
vivgpu_counting_ready(struct vivgpu_counting *counting)
{
   counting->num_signals = vivgpu_sources_signals(&counting->sources);
}

static bool
is_scoped(const struct vivgpu_counting *counting)
{
   return counting->num_signals && counting->scope != VIVGPU_SCOPE_ALL;
}

static void
deactivate(struct vivgpu_context *context, struct vivgpu_counting *counting)
{
   list_del(&counting->link);
   context->countings.num_scoped -= is_scoped(counting);
   counting->active = false;
}

void
vivgpu_counting_fini(struct vivgpu_context *context, struct vivgpu_counting *counting)
{
   if (counting->active)
      deactivate(context, counting);
   drop_all(counting);
}

void
vivgpu_counting_begin(struct vivgpu_context *context, struct vivgpu_counting *counting)
{
   struct vivgpu_countings *all = &context->countings;

   /* End the job being written, so that earlier draws are not counted. */
   if (counting->num_signals)
      vivgpu_context_submit(context);
   drop_all(counting);
   memcpy(counting->sums, all->counts, sizeof(counting->sums));
   list_addtail(&counting->link, &all->active);
   all->num_scoped += is_scoped(counting);
   counting->failed = false;
   counting->active = true;
}

void
vivgpu_counting_end(struct vivgpu_context *context, struct vivgpu_counting *counting)
{
   if (counting->num_signals)
      vivgpu_context_submit(context);
   /* A query without draws is over when those before it are, as the specifications ask. */
   if (is_scoped(counting) && list_is_empty(&counting->chunks) && context->countings.last)
      counting->after = vivgpu_bo_ref(context->countings.last);
   deactivate(context, counting);
   for (unsigned i = VIVGPU_FIRST_SOFTWARE; i < VIVGPU_NUM_SOURCES; i++)
      counting->sums[i] = context->countings.counts[i] - counting->sums[i];
}

/* Add up what jobs that are over left in a chunk, and free it. */
static void
collect(struct vivgpu_counting *counting, struct chunk *chunk)
{
   const uint64_t *values = vivgpu_bo_map(chunk->bo);

   for (uint32_t i = 0; i < chunk->jobs; i++)
      values =
         vivgpu_signals_add(&counting->sources, counting->screen->scales, values, counting->sums);
   drop(chunk);
}

static bool
is_written(struct vivgpu_bo *bo, bool wait)
{
   return wait ? vivgpu_bo_wait(bo, false) : !vivgpu_bo_busy(bo, false);
}

bool
vivgpu_counting_collect(struct vivgpu_counting *counting, bool wait)
{
   list_for_each_entry_safe (struct chunk, chunk, &counting->chunks, link) {
      if (!is_written(chunk->bo, wait))
         return false;
      collect(counting, chunk);
   }
   return !counting->after || is_written(counting->after, wait);
}

/* Memory for a job's counts, mapped. NULL without memory. */
static struct chunk *
add_chunk(struct vivgpu_context *context, struct vivgpu_counting *counting)
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
   list_addtail(&chunk->link, &counting->chunks);
   return chunk;
}

/* The chunk with room for a job; those that are full and written to are collected. */
static struct chunk *
find_chunk(struct vivgpu_context *context, struct vivgpu_counting *counting, uint32_t bytes)
{
   struct chunk *last = list_is_empty(&counting->chunks)
                           ? NULL
                           : list_last_entry(&counting->chunks, struct chunk, link);

   if (last && (last->jobs + 1) * bytes <= CHUNK_BYTES)
      return last;
   list_for_each_entry_safe (struct chunk, chunk, &counting->chunks, link) {
      if (vivgpu_bo_busy(chunk->bo, false))
         break;
      collect(counting, chunk);
   }
   return add_chunk(context, counting);
}

/* Ask for the signals in the job that is being written. */
static bool
request(struct vivgpu_context *context, struct vivgpu_counting *counting)
{
   const uint32_t value_bytes = sizeof(uint64_t);
   uint32_t bytes = counting->num_signals * value_bytes;
   struct chunk *chunk = find_chunk(context, counting, bytes);

   if (!chunk)
      return false;

   uint32_t offset = chunk->jobs * bytes;

   /* VIVGPU_NOT_COUNTED, which stays if the kernel refuses the job. */
   memset((char *)vivgpu_bo_map(chunk->bo) + offset, 0xff, bytes);
   chunk->jobs++;
   if (is_scoped(counting)) {
      vivgpu_bo_unref(context->countings.last);
      context->countings.last = vivgpu_bo_ref(chunk->bo);
   }
   for (unsigned i = 0; i < VIVGPU_NUM_SIGNALS; i++) {
      if (!vivgpu_sources_has(&counting->sources, VIVGPU_FIRST_SIGNAL + i))
         continue;
      if (!vivgpu_stream_count(&context->stream, counting->screen->names[i].domain,
                               counting->screen->names[i].signal, chunk->bo, offset))
         return false;
      offset += value_bytes;
   }
   return true;
}

/* What the driver itself knows of a job. */
static void
count_job(struct vivgpu_context *context)
{
   const struct vivgpu_stream *stream = &context->stream;
   uint64_t bytes = 0;

   for (uint32_t i = 0; i < stream->num_bos; i++)
      bytes += stream->bos[i]->size;
   vivgpu_count(&context->countings, VIVGPU_SOURCE_JOBS, 1);
   vivgpu_count(&context->countings, VIVGPU_SOURCE_COMMAND_BYTES, stream->used * sizeof(uint32_t));
   vivgpu_count(&context->countings, VIVGPU_SOURCE_JOB_BUFFERS, stream->num_bos);
   vivgpu_count(&context->countings, VIVGPU_SOURCE_JOB_BUFFER_BYTES, bytes);
}

/* Is the job that is being written in the scope? */
static bool
covers(const struct vivgpu_context *context, enum vivgpu_scope scope)
{
   return scope == VIVGPU_SCOPE_ALL ||
          (!context->occlusion.paused &&
           (scope == VIVGPU_SCOPE_APPLICATION || !context->countings.pixels));
}

void
vivgpu_counting_job(struct vivgpu_context *context)
{
   if (!vivgpu_counting_active(&context->countings))
      return;
   count_job(context);
   list_for_each_entry (struct vivgpu_counting, counting, &context->countings.active, link) {
      if (counting->num_signals && covers(context, counting->scope) && !request(context, counting))
         counting->failed = true;
   }
}

void
vivgpu_counting_border(struct vivgpu_context *context)
{
   if (context->countings.num_scoped)
      vivgpu_context_submit(context);
}

void
vivgpu_counting_draw(struct vivgpu_context *context)
{
   struct vivgpu_countings *all = &context->countings;
   bool pixels;

   if (!all->num_scoped || !context->program.bound[VIVGPU_VS])
      return;
   pixels = vivgpu_shader_draws_pixels(context->program.bound[VIVGPU_VS]);
   if (pixels != all->pixels)
      vivgpu_context_submit(context);
   all->pixels = pixels;
}
