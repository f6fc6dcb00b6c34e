/* SPDX-License-Identifier: MIT */
/*
 * A queue of the kernel, and the job that is being written for it: commands and the buffers that
 * they use.
 */
#ifndef VIVGPU_STREAM_H
#define VIVGPU_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "drm-uapi/vivgpu_drm.h"
#include "util/macros.h"
#include "util/u_dynarray.h"
#include "vivgpu_bo.h"
#include "vivgpu_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hash_table_u64;
struct vivgpu_kernel;
struct vivgpu_kernel_fence;
struct vivgpu_queue_config;

/** Words of a timestamp point */
#define VIVGPU_POINT_WORDS 2

#define VIVGPU_READ  DRM_VIVGPU_SUBMIT_BO_READ
#define VIVGPU_WRITE DRM_VIVGPU_SUBMIT_BO_WRITE

struct vivgpu_stream {
   struct vivgpu_kernel *kernel;
   uint32_t queue;
   /**
    * Start of the allocation: @prologue_words words of prologue, if the kernel does not store it,
    * followed by @words
    */
   uint32_t *memory;
   uint32_t prologue_words;
   uint32_t *words;
   uint32_t used, size;
   /** Words up to which vivgpu_job_reserve() need not look closer: @size, or 0 with @split_words */
   uint32_t limit;
   /** Submit at the first chance from this many words on (VIVGPU_SPLIT_WORDS); 0: no */
   uint32_t split_words;
   /** Limit of the words of a job without the prologue */
   uint32_t max_words;
   /** Two arrays of one capacity rather than util_dynarrays: each draw looks buffers up in them */
   struct drm_vivgpu_submit_bo *uses;
   struct vivgpu_bo **bos;
   uint32_t num_bos, max_bos;
   /** Counters that the kernel reads for the job: struct drm_vivgpu_counter */
   struct util_dynarray counters;
   /** Timestamp points; vivgpu_kernel.max_points entries are allocated */
   struct drm_vivgpu_point *points;
   uint32_t num_points;
   /** From a buffer's handle to its index in @uses, plus one, of the first @num_hashed buffers */
   struct hash_table_u64 *slots;
   uint32_t num_hashed;
   /** Number of jobs that were submitted or refused: the number of the job being written */
   uint64_t jobs;
   /** Unique in the process; not 0 */
   uint32_t number;
   /** sync_file that the next job waits for, or -1 */
   int in_fence;
   /** Of the job being submitted, see vivgpu_job */
   uint64_t deadline_ns, cost_ns, bound_ns;
   /** How long a job should take at most, as the kernel said it last; 0: no limit */
   uint64_t max_piece_ns;
   /**
    * Counts of the job for the event timeline, kept only while it is recorded: draw commands,
    * vertices times instances, and bytes of uploads too small for events of their own
    */
   uint32_t draws;
   uint64_t vertices, uploaded;
   /** The kernel's number of this client; 0 until an event needs it */
   uint64_t client;
   /** If @monitored: time of the last submit, and its job, which is 0 if it was refused */
   bool monitored;
   uint64_t last_submitted_ns;
   uint32_t last_job;
};

/** Create a queue. Returns 0 or a negative error number. */
int vivgpu_stream_init(struct vivgpu_stream *stream, struct vivgpu_kernel *kernel,
                       const struct vivgpu_queue_config *config);
void vivgpu_stream_fini(struct vivgpu_stream *stream);

/**
 * Return the number that the kernel's records use for the job being written and its timestamp
 * points: the lower 32 bits of the stream's number (upper half) and of the job's. Never 0.
 */
uint64_t vivgpu_stream_cookie(const struct vivgpu_stream *stream);

/** True if @count more words fit into the job, for which the memory grows. */
bool vivgpu_stream_fits(struct vivgpu_stream *stream, uint32_t count);

/** vivgpu_stream_use() for a buffer that is not at the index bo->slot. */
uint32_t vivgpu_stream_add_bo(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset,
                              uint32_t access);

/**
 * Add a buffer and its access (VIVGPU_READ, VIVGPU_WRITE) to the job. Returns the GPU address of
 * byte @offset.
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
 * Add a timestamp point: the kernel writes time and cycles, 16 bytes, at byte @offset of the
 * buffer. The caller has reserved VIVGPU_POINT_WORDS, and num_points is below the kernel's limit.
 * Returns false if memory is short.
 */
bool vivgpu_stream_point(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset);

/** The job, which uses the buffer, brings it up to date: see vivgpu_bo.recorder. */
static inline void
vivgpu_stream_record(const struct vivgpu_stream *stream, struct vivgpu_bo *bo)
{
   p_atomic_set(&bo->recorder, stream->number);
}

/** True if a job that another stream writes brings the buffer up to date. */
static inline bool
vivgpu_stream_lacks(const struct vivgpu_stream *stream, const struct vivgpu_bo *bo)
{
   uint32_t recorder = p_atomic_read(&bo->recorder);

   return recorder && recorder != stream->number;
}

/** Return how the job uses a buffer: a set of VIVGPU_READ and VIVGPU_WRITE. */
uint32_t vivgpu_stream_uses(struct vivgpu_stream *stream, const struct vivgpu_bo *bo);

/**
 * Request a hardware counter for the job; its 64-bit count is written at byte @offset of the
 * buffer. Returns false if memory is short.
 */
bool vivgpu_stream_count(struct vivgpu_stream *stream, uint32_t domain, uint32_t signal,
                         struct vivgpu_bo *bo, uint32_t offset);

/**
 * Submit the job and begin a new one. @fence, if not NULL, is signaled when the job ends.
 * @write_seqno: vivgpu_screen.write_seqno if other contexts may sample what the job writes, or NULL
 *
 * Returns 0 or a negative error number, after which the job's commands are discarded.
 */
int vivgpu_stream_submit(struct vivgpu_stream *stream, struct vivgpu_kernel_fence *fence,
                         uint32_t *write_seqno);

/** Begin to write commands, for which the caller has reserved words. */
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

/** Append packed commands, for which the caller has reserved words. */
static inline void
vivgpu_stream_append(struct vivgpu_stream *stream, const uint32_t *words, uint32_t count)
{
   memcpy(stream->words + stream->used, words, count * sizeof(*words));
   stream->used += count;
}

#ifdef __cplusplus
}
#endif

#endif
