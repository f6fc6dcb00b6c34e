/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: those of libetnaviv_drm, which allocates and caches them, plus the address that
 * each has in the address space of the screen's DRM file. References are counted; a buffer may be
 * dropped while the GPU still uses it.
 */
#ifndef VIVGPU_BO_H
#define VIVGPU_BO_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_atomic.h"

struct etna_bo;
struct vivgpu_kernel;

#define VIVGPU_BO_USE_UNKNOWN UINT64_MAX

struct vivgpu_bo {
   int32_t references;
   struct vivgpu_kernel *kernel;
   struct etna_bo *etna;
   uint32_t handle;
   /** GPU address of the first byte */
   uint32_t va;
   /** Bytes */
   uint32_t size;
   /**
    * True once a job has used it or it is shared: the CPU has to call vivgpu_bo_wait() before it
    * accesses the memory
    */
   bool submitted;
   /**
    * The last job that used it: its queue in the upper half, its number in the lower one.
    * VIVGPU_BO_USE_UNKNOWN: no single job is the last one, ask the kernel. 0: none, or not recorded
    * since there is no vivgpu_kernel.job_ended
    */
   uint64_t last_use;
   /** Number of jobs being written that use it */
   int32_t jobs;
   /**
    * Number of the stream whose job being written brings it up to date, although what describes it
    * (tile status, newer levels) says that it is: other contexts cannot rely on that yet. 0: none
    */
   uint32_t recorder;
   /**
    * vivgpu_screen.write_seqno when the last job that writes it was submitted while there were
    * several contexts; 0: none
    */
   uint32_t write_seqno;
   /** Imported or exported: there may be several of these structures with the same handle */
   bool shared;
   /**
    * Sequence number of the contents from vivgpu_screen.buffer_seqno, unique in the screen; 0 if
    * unknown
    */
   uint32_t seqno;
   /**
    * Index in the list of buffers of the stream that used it last; a hint that has to be compared
    * with the list
    */
   uint32_t slot;
};

/** Allocate @size bytes, mapped write-combined. Returns NULL if memory is short. */
struct vivgpu_bo *vivgpu_bo_create(struct vivgpu_kernel *kernel, uint32_t size);

/** Like vivgpu_bo_create(), but mapped cached: for buffers that only the CPU accesses. */
struct vivgpu_bo *vivgpu_bo_create_cached(struct vivgpu_kernel *kernel, uint32_t size);

/**
 * Create a buffer around @etna, which may have been imported, and take over the reference. @etna
 * may be NULL. Returns NULL on failure.
 */
struct vivgpu_bo *vivgpu_bo_wrap(struct vivgpu_kernel *kernel, struct etna_bo *etna);

void vivgpu_bo_free(struct vivgpu_bo *bo);

static inline struct vivgpu_bo *
vivgpu_bo_ref(struct vivgpu_bo *bo)
{
   p_atomic_inc(&bo->references);
   return bo;
}

static inline void
vivgpu_bo_unref(struct vivgpu_bo *bo)
{
   if (bo && p_atomic_dec_zero(&bo->references))
      vivgpu_bo_free(bo);
}

/** Bytes of all buffers of this process. */
uint64_t vivgpu_bo_memory(void);

/** Return the CPU's mapping; NULL if mapping fails. */
void *vivgpu_bo_map(struct vivgpu_bo *bo);

/** A job uses the buffer: it was submitted to @queue and got @number. */
void vivgpu_bo_used(struct vivgpu_bo *bo, uint32_t queue, uint32_t number);

/** The buffer is imported or exported: only the kernel knows whether it is busy. */
void vivgpu_bo_share(struct vivgpu_bo *bo);

/** True if an access by the CPU (@write or read) would have to wait. */
bool vivgpu_bo_busy(struct vivgpu_bo *bo, bool write);

/**
 * Wait without a limit until the CPU may read, or also write. Returns false if the device is gone.
 */
bool vivgpu_bo_wait(struct vivgpu_bo *bo, bool write);

#endif
