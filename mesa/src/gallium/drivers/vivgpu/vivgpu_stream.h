/* SPDX-License-Identifier: MIT */
/*
 * A queue of the kernel's, and the job that is being written for it: command
 * words and the buffers they use.
 */
#ifndef VIVGPU_STREAM_H
#define VIVGPU_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "drm-uapi/vivgpu_drm.h"
#include "util/macros.h"
#include "vivgpu_bo.h"
#include "vivgpu_pack.h"

struct hash_table_u64;
struct vivgpu_kernel;
struct vivgpu_kernel_fence;

/** Words that a timestamp point takes */
#define VIVGPU_POINT_WORDS 2

#define VIVGPU_READ  DRM_VIVGPU_SUBMIT_BO_READ
#define VIVGPU_WRITE DRM_VIVGPU_SUBMIT_BO_WRITE

struct vivgpu_stream {
   struct vivgpu_kernel *kernel;
   uint32_t queue;
   /** A kernel that keeps no prologue gets it with each job: @prologue_words words before @words */
   uint32_t *memory;
   uint32_t prologue_words;
   uint32_t *words;
   uint32_t used, size;
   /** Words a job may have at most */
   uint32_t max_words;
   struct drm_vivgpu_submit_bo *uses;
   struct vivgpu_bo **bos;
   uint32_t num_bos, max_bos;
   /** What the job asks the kernel to count */
   struct drm_vivgpu_counter *counters;
   uint32_t num_counters, max_counters;
   /** Timestamp points; there is room for as many as the kernel takes */
   struct drm_vivgpu_point *points;
   uint32_t num_points;
   /** From a buffer's handle to its index in @uses, plus one */
   struct hash_table_u64 *slots;
   /** Jobs that were submitted: the number of the one being written */
   uint64_t jobs;
   /** No other stream of the process has this number, which is above 0 */
   uint32_t number;
   /** sync_file the next job waits for, or -1 */
   int in_fence;
   /**
    * What the job draws while somebody collects events: commands, vertices times
    * instances; and bytes of uploads too small to be events of their own
    */
   uint32_t draws;
   uint64_t vertices, uploaded;
   /** The kernel's number of this client, once an event needed it */
   uint64_t client;
};

/**
 * Make a queue whose prologue is @count words.
 *
 * Returns 0 or a negative error number.
 */
int vivgpu_stream_init(struct vivgpu_stream *stream, struct vivgpu_kernel *kernel,
                       uint32_t priority, const uint32_t *prologue, uint32_t count);
void vivgpu_stream_fini(struct vivgpu_stream *stream);

/**
 * The name that the kernel's records have for the job being written and for its timestamp
 * points: the stream's number above the job's, lower 32 bits of each. Never 0.
 */
uint64_t vivgpu_stream_cookie(const struct vivgpu_stream *stream);

/** Is there room for @count words more without a submit? Grows the memory. */
bool vivgpu_stream_fits(struct vivgpu_stream *stream, uint32_t count);

/** vivgpu_stream_use() of a buffer that is not where it was last time. */
uint32_t vivgpu_stream_add_bo(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset,
                              uint32_t access);

/**
 * The job uses a buffer: VIVGPU_READ, VIVGPU_WRITE. Returns the address of byte
 * @offset in it.
 */
static inline uint32_t
vivgpu_stream_use(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset,
                  uint32_t access)
{
   uint32_t slot = bo->slot;

   if (unlikely(slot >= stream->num_bos || stream->bos[slot] != bo))
      return vivgpu_stream_add_bo(stream, bo, offset, access);
   stream->uses[slot].flags |= access;
   return bo->va + offset;
}

/**
 * Leave a timestamp point: the kernel writes time and cycles, 16 bytes, at byte
 * @offset of the buffer. vivgpu_stream_fits() was asked for VIVGPU_POINT_WORDS,
 * and num_points is below the kernel's limit.
 */
void vivgpu_stream_point(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset);

/** How the job that is being written uses a buffer: a set of VIVGPU_READ and VIVGPU_WRITE. */
uint32_t vivgpu_stream_uses(const struct vivgpu_stream *stream, const struct vivgpu_bo *bo);

/**
 * Have a counter of the kernel's counted while the job runs. The count, of 64 bits,
 * goes to byte @offset of the buffer. False without memory.
 */
bool vivgpu_stream_count(struct vivgpu_stream *stream, uint32_t domain, uint32_t signal,
                         struct vivgpu_bo *bo, uint32_t offset);

/**
 * Submit what was written and begin anew. @fence is signalled when the job is
 * done, if it is not NULL.
 *
 * Returns 0 or a negative error number; the words are gone in either case.
 */
int vivgpu_stream_submit(struct vivgpu_stream *stream, struct vivgpu_kernel_fence *fence);

/** Begin to write commands; vivgpu_stream_fits() was asked. */
static inline struct vivgpu_pack
vivgpu_stream_begin(struct vivgpu_stream *stream)
{
   return vivgpu_pack_begin(stream->words + stream->used);
}

static inline void
vivgpu_stream_end(struct vivgpu_stream *stream, struct vivgpu_pack *pack)
{
   stream->used += vivgpu_pack_end(pack);
}

/** Append commands that are packed already; vivgpu_stream_fits() was asked. */
static inline void
vivgpu_stream_append(struct vivgpu_stream *stream, const uint32_t *words, uint32_t count)
{
   memcpy(stream->words + stream->used, words, count * sizeof(*words));
   stream->used += count;
}

#endif
