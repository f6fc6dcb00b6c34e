/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: libetnaviv_drm's, which allocates and caches them, plus the
 * address each has in this file's address space. References are
 * counted; a buffer may be dropped while the GPU still uses it.
 */
#ifndef VIVGPU_BO_H
#define VIVGPU_BO_H

#include <stdbool.h>
#include <stdint.h>

#include "util/u_atomic.h"

struct etna_bo;
struct vivgpu_kernel;

struct vivgpu_bo {
   int32_t references;
   struct vivgpu_kernel *kernel;
   struct etna_bo *etna;
   uint32_t handle;
   /** GPU address of the first byte */
   uint32_t va;
   /** Bytes */
   uint32_t size;
   /** A job may use it: the CPU has to call vivgpu_bo_wait() before it accesses the memory */
   bool submitted;
   /** Of the content, by vivgpu_screen.writes: none other has this number; 0: none is known */
   uint32_t seqno;
   /** Its last index in a stream's list of buffers; has to be checked against the list */
   uint32_t slot;
};

/** Allocate @size bytes, mapped write-combined. NULL if there is no memory. */
struct vivgpu_bo *vivgpu_bo_create(struct vivgpu_kernel *kernel, uint32_t size);

/** The same, mapped cached: for the processor alone. */
struct vivgpu_bo *vivgpu_bo_create_cached(struct vivgpu_kernel *kernel, uint32_t size);

/** Take over @etna, which may be NULL, a buffer of another process maybe. NULL on failure. */
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

/** Bytes of all buffers that this process has. */
uint64_t vivgpu_bo_memory(void);

/** The processor's mapping, write-combined; NULL if that fails. */
void *vivgpu_bo_map(struct vivgpu_bo *bo);

/** Would an access by the processor have to wait? */
bool vivgpu_bo_busy(struct vivgpu_bo *bo, bool write);

/** Wait until the processor may read, or also write, however long. False if the device is gone. */
bool vivgpu_bo_wait(struct vivgpu_bo *bo, bool write);

#endif
