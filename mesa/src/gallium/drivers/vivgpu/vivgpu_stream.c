/* SPDX-License-Identifier: MIT */

#include "vivgpu_stream.h"

#include <errno.h>
#include <unistd.h>
#include <xf86drm.h>

#include "util/hash_table.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"

#define FIRST_WORDS 2048
#define FIRST_BOS   64

/* The kernel's limit counts the prologue too. */
static uint32_t
most_words(int fd, uint32_t prologue)
{
   struct drm_vivgpu_get_param get = {.param = DRM_VIVGPU_PARAM_MAX_STREAM};

   if (drmIoctl(fd, DRM_IOCTL_VIVGPU_GET_PARAM, &get) || get.value / 4 <= prologue)
      return 0;
   return get.value / 4 - prologue;
}

int
vivgpu_stream_init(struct vivgpu_stream *stream, int fd, uint32_t priority,
                   const uint32_t *prologue, uint32_t count)
{
   struct drm_vivgpu_queue_create create = {
      .priority = priority,
      .prologue = (uintptr_t)prologue,
      .prologue_size = count * sizeof(uint32_t),
   };

   stream->fd = fd;
   stream->in_fence = -1;
   stream->most = most_words(fd, count);
   stream->slots = _mesa_hash_table_u64_create(NULL);
   if (!stream->slots || !vivgpu_stream_fits(stream, FIRST_WORDS))
      return -ENOMEM;
   if (drmIoctl(fd, DRM_IOCTL_VIVGPU_QUEUE_CREATE, &create))
      return -errno;

   stream->queue = create.queue;
   return 0;
}

static void
forget_bos(struct vivgpu_stream *stream)
{
   for (uint32_t i = 0; i < stream->num_bos; i++)
      vivgpu_bo_unref(stream->bos[i]);
   stream->num_bos = 0;
   if (stream->slots)
      _mesa_hash_table_u64_clear(stream->slots);
}

static void
forget_fence(struct vivgpu_stream *stream)
{
   if (stream->in_fence >= 0)
      close(stream->in_fence);
   stream->in_fence = -1;
}

void
vivgpu_stream_fini(struct vivgpu_stream *stream)
{
   struct drm_vivgpu_queue_destroy destroy = {.queue = stream->queue};

   forget_bos(stream);
   forget_fence(stream);
   if (stream->queue)
      drmIoctl(stream->fd, DRM_IOCTL_VIVGPU_QUEUE_DESTROY, &destroy);
   if (stream->slots)
      _mesa_hash_table_u64_destroy(stream->slots);
   FREE(stream->words);
   FREE(stream->uses);
   FREE(stream->bos);
}

bool
vivgpu_stream_fits(struct vivgpu_stream *stream, uint32_t count)
{
   uint32_t needed = stream->used + count;

   if (needed <= stream->size)
      return true;
   if (needed > stream->most)
      return false;

   uint32_t size = MIN2(util_next_power_of_two(needed), stream->most);
   uint32_t *words = realloc(stream->words, size * sizeof(uint32_t));
   if (!words)
      return false;

   stream->words = words;
   stream->size = size;
   return true;
}

static bool
grow_bos(struct vivgpu_stream *stream)
{
   uint32_t max = MAX2(FIRST_BOS, 2 * stream->max_bos);
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

/* The index of a buffer in the list, or -1. Its own note is right but for contexts that share. */
static int
find_slot(const struct vivgpu_stream *stream, const struct vivgpu_bo *bo)
{
   if (bo->slot < stream->num_bos && stream->bos[bo->slot] == bo)
      return bo->slot;
   return (int)(uintptr_t)_mesa_hash_table_u64_search(stream->slots, bo->handle) - 1;
}

uint32_t
vivgpu_stream_use(struct vivgpu_stream *stream, struct vivgpu_bo *bo, uint32_t offset,
                  uint32_t access)
{
   int slot = find_slot(stream, bo);

   if (slot < 0) {
      /* Without memory the job lacks a buffer; at worst it faults, which is reported. */
      if (stream->num_bos == stream->max_bos && !grow_bos(stream))
         return bo->va + offset;
      slot = stream->num_bos++;
      stream->bos[slot] = vivgpu_bo_ref(bo);
      stream->uses[slot] = (struct drm_vivgpu_submit_bo){.handle = bo->handle};
      _mesa_hash_table_u64_insert(stream->slots, bo->handle, (void *)(uintptr_t)(slot + 1));
   }
   bo->slot = slot;
   stream->uses[slot].flags |= access;
   return bo->va + offset;
}

uint32_t
vivgpu_stream_uses(const struct vivgpu_stream *stream, const struct vivgpu_bo *bo)
{
   int slot = find_slot(stream, bo);

   return slot < 0 ? 0 : stream->uses[slot].flags;
}

int
vivgpu_stream_submit(struct vivgpu_stream *stream, uint32_t syncobj)
{
   struct drm_vivgpu_piece piece = {
      .words = (uintptr_t)stream->words,
      .size = stream->used * sizeof(uint32_t),
   };
   struct drm_vivgpu_sync out = {.handle = syncobj};
   struct drm_vivgpu_submit submit = {
      .queue = stream->queue,
      .flags = DRM_VIVGPU_SUBMIT_IMPLICIT_SYNC,
      .pieces = (uintptr_t)&piece,
      .nr_pieces = 1,
      .bos = (uintptr_t)stream->uses,
      .nr_bos = stream->num_bos,
      .out_syncs = (uintptr_t)&out,
      .nr_out_syncs = syncobj ? 1 : 0,
      .fence_fd = stream->in_fence,
   };

   if (stream->in_fence >= 0)
      submit.flags |= DRM_VIVGPU_SUBMIT_FENCE_FD_IN;

   for (uint32_t i = 0; i < stream->num_bos; i++)
      stream->bos[i]->submitted = true;
   int ret = drmIoctl(stream->fd, DRM_IOCTL_VIVGPU_SUBMIT, &submit) ? -errno : 0;

   stream->jobs++;
   stream->used = 0;
   forget_bos(stream);
   forget_fence(stream);
   return ret;
}
