/* SPDX-License-Identifier: MIT */

#include "vivgpu_kept.h"

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

struct vivgpu_kept_place *
vivgpu_kept_find(struct vivgpu_kept *kept, const struct vivgpu_kept_key *key, bool *again)
{
   struct vivgpu_kept_place *place =
      &kept->places[_mesa_hash_data(key, sizeof(*key)) % VIVGPU_KEPT_PLACES];

   *again = !memcmp(&place->key, key, sizeof(*key));
   if (!*again) {
      pipe_resource_reference(&place->indices, NULL);
      place->key = *key;
   }
   return place;
}

/* Convert the indices at @from. */
static void
convert(struct vivgpu_context *context, struct vivgpu_kept_place *place, const void *from)
{
   const struct vivgpu_kept_key *key = &place->key;
   unsigned pv = key->first ? PV_FIRST : PV_LAST, size, count;
   enum mesa_prim mode;
   u_translate_func translate;
   void *words;

   u_index_translator(BITFIELD_BIT(MESA_PRIM_TRIANGLES), key->mode, key->index_size, key->count, pv,
                      pv, PR_DISABLE, &mode, &size, &count, &translate);
   words = malloc((size_t)size * count);
   if (!words)
      return;
   translate(from, 0, key->count, count, 0, words);
   place->indices = pipe_buffer_create_with_data(&context->base, PIPE_BIND_INDEX_BUFFER,
                                                 PIPE_USAGE_IMMUTABLE, size * count, words);
   place->index_size = size;
   place->num_indices = count;
   free(words);
}

static void
fill(struct vivgpu_context *context, struct vivgpu_kept_place *place,
     struct pipe_resource *resource)
{
   const struct vivgpu_kept_key *key = &place->key;
   struct pipe_transfer *transfer;
   const void *from = pipe_buffer_map_range(&context->base, resource, key->start * key->index_size,
                                            key->count * key->index_size, PIPE_MAP_READ, &transfer);

   if (!from)
      return;
   convert(context, place, from);
   pipe_buffer_unmap(&context->base, transfer);
}

/* What the processor may write at any time is converted each time. */
static bool
can_keep(const struct pipe_draw_info *info, const struct pipe_draw_start_count_bias *range)
{
   uint64_t end = ((uint64_t)range->start + range->count) * info->index_size;

   return u_reduced_prim(info->mode) == MESA_PRIM_TRIANGLES && info->index_size &&
          !info->has_user_indices && !info->primitive_restart && range->count >= 3 &&
          vivgpu_resource(info->index.resource)->bo->written &&
          end <= info->index.resource->width0 &&
          !(info->index.resource->flags & PIPE_RESOURCE_FLAG_MAP_PERSISTENT);
}

bool
vivgpu_kept_draw(struct vivgpu_context *context, struct vivgpu_kept *kept,
                 const struct pipe_draw_info *info, const struct pipe_draw_start_count_bias *range)
{
   struct pipe_draw_start_count_bias all = {.index_bias = range->index_bias};
   struct pipe_draw_info drawn = *info;
   struct vivgpu_kept_key key;
   struct vivgpu_kept_place *place;
   bool again;

   if (!can_keep(info, range))
      return false;
   memset(&key, 0, sizeof(key));
   key.written = p_atomic_read(&vivgpu_resource(info->index.resource)->bo->written);
   key.start = range->start;
   key.count = range->count;
   key.index_size = info->index_size;
   key.mode = info->mode;
   key.first = context->rasterizer->base.flatshade_first;
   place = vivgpu_kept_find(kept, &key, &again);
   if (again && !place->indices)
      fill(context, place, info->index.resource);
   if (!place->indices)
      return false;
   drawn.mode = MESA_PRIM_TRIANGLES;
   drawn.index_size = place->index_size;
   drawn.index.resource = place->indices;
   all.count = place->num_indices;
   vivgpu_draw_direct(context, &drawn, &all, 1, false);
   return true;
}

void
vivgpu_kept_fini(struct vivgpu_kept *kept)
{
   for (unsigned i = 0; i < VIVGPU_KEPT_PLACES; i++)
      pipe_resource_reference(&kept->places[i].indices, NULL);
}
