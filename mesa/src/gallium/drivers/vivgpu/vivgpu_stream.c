/* SPDX-License-Identifier: MIT */

#include "vivgpu_stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "hw/cmdstream.xml.h"
#include "util/hash_table.h"
#include "util/macros.h"
#include "util/u_atomic.h"
#include "util/u_debug.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_events.h"
#include "vivgpu_kernel.h"

#define INITIAL_WORDS 2048
#define INITIAL_BOS   64

/* Number of streams created in this process */
static uint32_t num_streams;

DEBUG_GET_ONCE_NUM_OPTION(split_words, "VIVGPU_SPLIT_WORDS", 0)

int
vivgpu_stream_init(struct vivgpu_stream *stream, struct vivgpu_kernel *kernel,
                   const struct vivgpu_queue_config *config)
{
   uint32_t count = config->prologue_words;

   stream->kernel = kernel;
   stream->number = p_atomic_inc_return(&num_streams);
   stream->in_fence = -1;
   util_dynarray_init(&stream->counters, NULL);
   stream->split_words = debug_get_option_split_words();
   stream->prologue_words = kernel->has_prologue ? 0 : count;
   stream->max_words = kernel->max_words > count ? kernel->max_words - count : 0;
   stream->slots = _mesa_hash_table_u64_create(NULL);
   stream->points = CALLOC(MAX2(kernel->max_points, 1), sizeof(*stream->points));
   if (!stream->slots || !stream->points || !vivgpu_stream_fits(stream, INITIAL_WORDS))
      return -ENOMEM;
   memcpy(stream->memory, config->prologue, stream->prologue_words * sizeof(uint32_t));
   return kernel->queue_create(kernel, config, &stream->queue);
}

static void
vivgpu_stream_release_bos(struct vivgpu_stream *stream)
{
   for (uint32_t i = 0; i < stream->num_bos; i++) {
      struct vivgpu_bo *bo = stream->bos[i];

      if (unlikely(bo->recorder))
         p_atomic_cmpxchg(&bo->recorder, stream->number, 0);
      p_atomic_dec(&bo->jobs);
      vivgpu_bo_unref(bo);
   }
   stream->num_bos = 0;
   if (stream->num_hashed)
      _mesa_hash_table_u64_clear(stream->slots);
   stream->num_hashed = 0;
}

static void
vivgpu_stream_release_in_fence(struct vivgpu_stream *stream)
{
   if (stream->in_fence >= 0)
      close(stream->in_fence);
   stream->in_fence = -1;
}

void
vivgpu_stream_fini(struct vivgpu_stream *stream)
{
   vivgpu_stream_release_bos(stream);
   vivgpu_stream_release_in_fence(stream);
   if (stream->queue)
      stream->kernel->queue_destroy(stream->kernel, stream->queue);
   if (stream->slots)
      _mesa_hash_table_u64_destroy(stream->slots);
   FREE(stream->points);
   FREE(stream->memory);
   FREE(stream->uses);
   FREE(stream->bos);
   util_dynarray_fini(&stream->counters);
}

bool
vivgpu_stream_fits(struct vivgpu_stream *stream, uint32_t count)
{
   uint32_t needed = stream->used + count;

   if (needed <= stream->size)
      return true;
   if (needed > stream->max_words)
      return false;

   uint32_t size = MIN2(util_next_power_of_two(needed), stream->max_words);
   uint32_t *memory = realloc(stream->memory, (stream->prologue_words + size) * sizeof(uint32_t));
   if (!memory)
      return false;

   stream->memory = memory;
   stream->words = memory + stream->prologue_words;
   stream->size = size;
   stream->limit = stream->split_words ? 0 : size;
   return true;
}

static bool
vivgpu_stream_grow_bos(struct vivgpu_stream *stream)
{
   uint32_t max = MAX2(INITIAL_BOS, 2 * stream->max_bos);
   struct drm_vivgpu_submit_bo *uses = realloc(stream->uses, max * sizeof(*uses));
   if (!uses)
      return false;

   stream->uses = uses;

   struct vivgpu_bo **bos = realloc(stream->bos, max * sizeof(*bos));
   if (!bos)
      return false;

   stream->bos = bos;
   stream->max_bos = max;
   return true;
}

/*
 * Return the index of a buffer in the list, or -1. The index stored in the buffer is right unless
 * several contexts use it, or it is shared and the list has another structure with its handle; only
 * for such buffers the hash table is filled.
 */
static int
vivgpu_stream_find_slot(struct vivgpu_stream *stream, const struct vivgpu_bo *bo)
{
   if (bo->slot < stream->num_bos && stream->bos[bo->slot] == bo)
      return bo->slot;
   if (!p_atomic_read(&bo->jobs) && !bo->shared)
      return -1;
   for (; stream->num_hashed < stream->num_bos; stream->num_hashed++)
      _mesa_hash_table_u64_insert(stream->slots, stream->bos[stream->num_hashed]->handle,
                                  (void *)(uintptr_t)(stream->num_hashed + 1));
   return (int)(uintptr_t)_mesa_hash_table_u64_search(stream->slots, bo->handle) - 1;
}

uint32_t
vivgpu_stream_add_bo(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset,
                     uint32_t access)
{
   int slot = vivgpu_stream_find_slot(stream, bo);

   if (slot < 0) {
      /*
       * If memory is short the buffer is missing in the job. At worst the job faults, which is
       * reported.
       */
      if (stream->num_bos == stream->max_bos && !vivgpu_stream_grow_bos(stream))
         return bo->va + offset;
      slot = stream->num_bos++;
      stream->bos[slot] = vivgpu_bo_ref(bo);
      p_atomic_inc(&bo->jobs);
      stream->uses[slot] = (struct drm_vivgpu_submit_bo){.handle = bo->handle};
   }
   bo->slot = slot;
   stream->uses[slot].flags |= access;
   return bo->va + offset;
}

uint64_t
vivgpu_stream_cookie(const struct vivgpu_stream *stream)
{
   return (uint64_t)stream->number << 32 | (uint32_t)stream->jobs;
}

bool
vivgpu_stream_point(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset)
{
   int slot;

   vivgpu_stream_use(stream, bo, offset, VIVGPU_WRITE);
   slot = vivgpu_stream_find_slot(stream, bo);
   if (slot < 0)
      return false;
   stream->points[stream->num_points++] = (struct drm_vivgpu_point){
      .stream_offset = stream->used * sizeof(uint32_t),
      .bo_index = slot,
      .bo_offset = offset,
      .cookie = vivgpu_stream_cookie(stream),
   };
   stream->words[stream->used++] = VIV_FE_NOP_HEADER_OP_NOP;
   stream->words[stream->used++] = 0;
   return true;
}

uint32_t
vivgpu_stream_uses(struct vivgpu_stream *stream, const struct vivgpu_bo *bo)
{
   int slot = vivgpu_stream_find_slot(stream, bo);

   return slot < 0 ? 0 : stream->uses[slot].flags;
}

bool
vivgpu_stream_count(struct vivgpu_stream *stream, uint32_t domain, uint32_t signal,
                    struct vivgpu_bo *bo, uint32_t offset)
{
   struct drm_vivgpu_counter *counter;
   int slot;

   vivgpu_stream_use(stream, bo, offset, VIVGPU_WRITE);
   slot = vivgpu_stream_find_slot(stream, bo);
   if (slot < 0)
      return false;
   counter = util_dynarray_grow(&stream->counters, struct drm_vivgpu_counter, 1);
   if (!counter)
      return false;
   *counter = (struct drm_vivgpu_counter){
      .domain = domain,
      .signal = signal,
      .bo_index = slot,
      .bo_offset = offset,
   };
   return true;
}

static void
vivgpu_stream_record_flush(struct vivgpu_stream *stream, const struct vivgpu_job *job, int ret)
{
   if (!stream->client)
      stream->client = vivgpu_events_client(stream->kernel->fd);
   vivgpu_events_record(job->times->begin_ns, job->times->end_ns, VIVGPU_EVENT_FLUSH,
                        stream->client, *job->number, job->num_words * sizeof(uint32_t),
                        stream->draws, stream->vertices, ret, stream->uploaded);
}

/* Tell those who ask what became of the job. */
static void
vivgpu_stream_report(struct vivgpu_stream *stream, const struct vivgpu_job *job, int ret)
{
   /* A kernel whose device is gone reports no times. */
   if (!job->times->begin_ns)
      job->times->begin_ns = job->times->end_ns = vivgpu_events_now();
   stream->last_submitted_ns = job->times->begin_ns;
   stream->last_job = *job->number;
   if (job->want_end)
      vivgpu_stream_record_flush(stream, job, ret);
}

/*
 * Give what the job writes a new sequence number. Another context may have invalidated the texture
 * caches after the draw was recorded, but its job may have filled them again before this one wrote.
 */
static void
vivgpu_stream_mark_written(struct vivgpu_stream *stream, uint32_t *write_seqno)
{
   uint32_t seqno = p_atomic_inc_return(write_seqno);

   for (uint32_t i = 0; i < stream->num_bos; i++) {
      if (stream->uses[i].flags & VIVGPU_WRITE)
         p_atomic_set(&stream->bos[i]->write_seqno, seqno);
   }
}

int
vivgpu_stream_submit(struct vivgpu_stream *stream, struct vivgpu_kernel_fence *fence,
                     uint32_t *write_seqno)
{
   const bool events = vivgpu_events_enabled();
   struct vivgpu_submit_times times = {0};
   uint32_t number = 0;
   struct vivgpu_job job = {
      .queue = stream->queue,
      .words = stream->memory,
      .num_words = stream->prologue_words + stream->used,
      .bos = stream->bos,
      .uses = stream->uses,
      .num_bos = stream->num_bos,
      .points = stream->points,
      .num_points = stream->num_points,
      .counters = stream->counters.data,
      .num_counters = util_dynarray_num_elements(&stream->counters, struct drm_vivgpu_counter),
      .in_fence = stream->in_fence,
      .out_fence = fence,
      .cookie = vivgpu_stream_cookie(stream),
      .deadline_ns = stream->deadline_ns,
      .cost_ns = stream->cost_ns,
      .bound_ns = stream->bound_ns,
      .number = &number,
      .max_piece_ns = &stream->max_piece_ns,
      .times = events || stream->monitored ? &times : NULL,
      .want_end = events,
   };
   int ret;

   for (uint32_t i = 0; i < stream->num_bos; i++)
      stream->bos[i]->submitted = true;
   ret = stream->kernel->submit(stream->kernel, &job);
   for (uint32_t i = 0; !ret && i < stream->num_bos; i++)
      vivgpu_bo_used(stream->bos[i], stream->queue, number);
   if (write_seqno)
      vivgpu_stream_mark_written(stream, write_seqno);
   if (unlikely(job.times))
      vivgpu_stream_report(stream, &job, ret);

   stream->jobs++;
   stream->draws = 0;
   stream->vertices = 0;
   stream->uploaded = 0;
   stream->used = 0;
   stream->num_points = 0;
   util_dynarray_clear(&stream->counters);
   vivgpu_stream_release_bos(stream);
   vivgpu_stream_release_in_fence(stream);
   return ret;
}
