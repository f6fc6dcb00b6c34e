/* SPDX-License-Identifier: MIT */

#include "vivgpu_index_cache.h"

#include <string.h>

#include "indices/u_indices.h"
#include "util/hash_table.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_prim.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_draw.h"
#include "vivgpu_resource.h"

struct vivgpu_index_cache_entry *
vivgpu_index_cache_find(struct vivgpu_index_cache *cache, const struct vivgpu_index_cache_key *key,
                        bool *hit)
{
   struct vivgpu_index_cache_entry *entry =
      &cache->entries[_mesa_hash_data(key, sizeof(*key)) % VIVGPU_INDEX_CACHE_ENTRIES];

   *hit = !memcmp(&entry->key, key, sizeof(*key));
   if (!*hit) {
      pipe_resource_reference(&entry->indices, NULL);
      entry->key = *key;
   }
   return entry;
}

/* Convert the indices at @from. */
static void
vivgpu_index_convert_indices(struct vivgpu_context *context, struct vivgpu_index_cache_entry *entry,
                             const void *from)
{
   const struct vivgpu_index_cache_key *key = &entry->key;
   unsigned pv = key->flatshade_first ? PV_FIRST : PV_LAST, size, count;
   enum mesa_prim mode;
   u_translate_func translate;
   void *words;

   u_index_translator(BITFIELD_BIT(MESA_PRIM_TRIANGLES), key->mode, key->index_size, key->count, pv,
                      pv, PR_DISABLE, &mode, &size, &count, &translate);
   words = malloc((size_t)size * count);
   if (!words)
      return;
   translate(from, 0, key->count, count, 0, words);
   entry->indices = pipe_buffer_create_with_data(&context->base, PIPE_BIND_INDEX_BUFFER,
                                                 PIPE_USAGE_IMMUTABLE, size * count, words);
   entry->index_size = size;
   entry->num_indices = count;
   free(words);
}

static void
vivgpu_index_fill_entry(struct vivgpu_context *context, struct vivgpu_index_cache_entry *entry,
                        struct pipe_resource *resource)
{
   const struct vivgpu_index_cache_key *key = &entry->key;
   struct pipe_transfer *transfer;
   const void *from = pipe_buffer_map_range(&context->base, resource, key->start * key->index_size,
                                            key->count * key->index_size, PIPE_MAP_READ, &transfer);

   if (!from)
      return;
   vivgpu_index_convert_indices(context, entry, from);
   pipe_buffer_unmap(&context->base, transfer);
}

/* Return the number of a buffer's contents; 0 if it is unknown. */
static uint32_t
vivgpu_index_cache_contents(struct pipe_resource *buffer)
{
   struct vivgpu_screen *screen = vivgpu_screen(buffer->screen);
   bool locked = vivgpu_lock_buffers(screen);
   uint32_t seqno = p_atomic_read(&vivgpu_resource(buffer)->bo->seqno);

   vivgpu_unlock_buffers(screen, locked);
   return seqno;
}

/*
 * Persistently mapped buffers are not cacheable: the CPU may write to them at any time. Nor are
 * draws with more triangles than the draw command can count: a vertex makes at most one, of three
 * indices.
 */
static bool
vivgpu_index_is_cacheable(const struct pipe_draw_info *info,
                          const struct pipe_draw_start_count_bias *range)
{
   uint64_t end = ((uint64_t)range->start + range->count) * info->index_size;

   return u_reduced_prim(info->mode) == MESA_PRIM_TRIANGLES && info->index_size &&
          !info->has_user_indices && !info->primitive_restart && range->count >= 3 &&
          range->count <= VIVGPU_DRAW_MAX_COUNT / 3 &&
          vivgpu_index_cache_contents(info->index.resource) &&
          end <= info->index.resource->width0 &&
          !(info->index.resource->flags & PIPE_RESOURCE_FLAG_MAP_PERSISTENT);
}

bool
vivgpu_index_cache_draw(struct vivgpu_context *context, struct vivgpu_index_cache *cache,
                        const struct pipe_draw_info *info,
                        const struct pipe_draw_start_count_bias *range)
{
   struct pipe_draw_start_count_bias all = {.index_bias = range->index_bias};
   struct pipe_draw_info drawn = *info;
   struct vivgpu_index_cache_key key;
   struct vivgpu_index_cache_entry *entry;
   bool hit;

   if (!vivgpu_index_is_cacheable(info, range))
      return false;
   memset(&key, 0, sizeof(key));
   key.seqno = vivgpu_index_cache_contents(info->index.resource);
   key.start = range->start;
   key.count = range->count;
   key.index_size = info->index_size;
   key.mode = info->mode;
   key.flatshade_first = context->rasterizer->base.flatshade_first;
   entry = vivgpu_index_cache_find(cache, &key, &hit);
   if (hit && !entry->indices)
      vivgpu_index_fill_entry(context, entry, info->index.resource);
   if (!entry->indices)
      return false;
   drawn.mode = MESA_PRIM_TRIANGLES;
   drawn.index_size = entry->index_size;
   drawn.index.resource = entry->indices;
   all.count = entry->num_indices;
   vivgpu_draw_direct(context, &drawn, &all, 1, false);
   return true;
}

void
vivgpu_index_cache_fini(struct vivgpu_index_cache *cache)
{
   for (unsigned i = 0; i < VIVGPU_INDEX_CACHE_ENTRIES; i++)
      pipe_resource_reference(&cache->entries[i].indices, NULL);
}
