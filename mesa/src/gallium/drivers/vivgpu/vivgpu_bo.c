/* SPDX-License-Identifier: MIT */

#include "vivgpu_bo.h"

#include <errno.h>

#include "drm/etnaviv_drmif.h"
#include "util/u_memory.h"
#include "vivgpu_events.h"
#include "vivgpu_kernel.h"

/* Bytes of all buffers of the process. Not per screen: buffers have no pointer to their screen. */
static uint64_t memory;

uint64_t
vivgpu_bo_memory(void)
{
   return p_atomic_read(&memory);
}

struct vivgpu_bo *
vivgpu_bo_wrap(struct vivgpu_kernel *kernel, struct etna_bo *etna)
{
   if (!etna)
      return NULL;

   struct vivgpu_bo *bo = CALLOC_STRUCT(vivgpu_bo);

   if (!bo || kernel->bo_address(kernel, etna, &bo->va)) {
      FREE(bo);
      etna_bo_del(etna);
      return NULL;
   }

   bo->references = 1;
   bo->kernel = kernel;
   bo->etna = etna;
   bo->handle = etna_bo_handle(etna);
   bo->size = etna_bo_size(etna);
   p_atomic_add(&memory, bo->size);
   return bo;
}

struct vivgpu_bo *
vivgpu_bo_create(struct vivgpu_kernel *kernel, uint32_t size)
{
   return vivgpu_bo_wrap(kernel, etna_bo_new(kernel->dev, size, DRM_ETNA_GEM_CACHE_WC));
}

struct vivgpu_bo *
vivgpu_bo_create_cached(struct vivgpu_kernel *kernel, uint32_t size)
{
   return vivgpu_bo_wrap(kernel, etna_bo_new(kernel->dev, size, DRM_ETNA_GEM_CACHE_CACHED));
}

void
vivgpu_bo_free(struct vivgpu_bo *bo)
{
   p_atomic_add(&memory, -(uint64_t)bo->size);
   bo->kernel->bo_release(bo->kernel, bo->etna);
   etna_bo_del(bo->etna);
   FREE(bo);
}

void *
vivgpu_bo_map(struct vivgpu_bo *bo)
{
   return etna_bo_map(bo->etna);
}

static bool
vivgpu_bo_has_ended(const struct vivgpu_bo *bo, uint64_t use)
{
   return use && use != VIVGPU_BO_USE_UNKNOWN &&
          bo->kernel->job_ended(bo->kernel, use >> 32, (uint32_t)use);
}

/* Jobs of one queue end in order. If jobs of two queues are running, either may be the last. */
void
vivgpu_bo_used(struct vivgpu_bo *bo, uint32_t queue, uint32_t number)
{
   uint64_t old = p_atomic_read(&bo->last_use), use, found;

   if (!bo->kernel->job_ended)
      return;
   for (;;) {
      use = (uint64_t)queue << 32 | number;
      if (old == VIVGPU_BO_USE_UNKNOWN ||
          (old && old >> 32 != queue && !vivgpu_bo_has_ended(bo, old)))
         use = VIVGPU_BO_USE_UNKNOWN;
      found = p_atomic_cmpxchg(&bo->last_use, old, use);
      if (found == old)
         return;
      old = found;
   }
}

void
vivgpu_bo_share(struct vivgpu_bo *bo)
{
   p_atomic_set(&bo->last_use, VIVGPU_BO_USE_UNKNOWN);
   bo->submitted = bo->shared = true;
}

/* True if no wait is needed, as far as is known without asking the kernel. */
static bool
vivgpu_bo_is_idle(const struct vivgpu_bo *bo)
{
   return !bo->submitted || vivgpu_bo_has_ended(bo, p_atomic_read(&bo->last_use));
}

/* Reading waits for writers only. */
static uint32_t
vivgpu_bo_prep_op(bool write)
{
   return write ? DRM_ETNA_PREP_READ | DRM_ETNA_PREP_WRITE : DRM_ETNA_PREP_READ;
}

bool
vivgpu_bo_busy(struct vivgpu_bo *bo, bool write)
{
   return !vivgpu_bo_is_idle(bo) &&
          etna_bo_cpu_prep(bo->etna, vivgpu_bo_prep_op(write) | DRM_ETNA_PREP_NOSYNC);
}

/* No call is needed after the access: buffers that the GPU uses are mapped write-combined. */
bool
vivgpu_bo_wait(struct vivgpu_bo *bo, bool write)
{
   uint64_t begin;
   int ret;

   if (vivgpu_bo_is_idle(bo))
      return true;

   /* Only waits that block are recorded as events. */
   if (vivgpu_events_enabled() && !vivgpu_bo_busy(bo, write))
      return true;
   begin = vivgpu_events_begin();
   /* libetnaviv's wait ends after five seconds: repeat it. The kernel aborts jobs that hang. */
   do {
      ret = etna_bo_cpu_prep(bo->etna, vivgpu_bo_prep_op(write));
   } while (ret == -ETIMEDOUT);
   vivgpu_events_end(begin, VIVGPU_EVENT_WAIT, bo->handle, ret);
   return ret == 0;
}
