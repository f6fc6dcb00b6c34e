/* SPDX-License-Identifier: MIT */
/* The registers of samplers: each combines a sampler state, a view and a texture. */

#include "vivgpu_emit_private.h"

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_resource.h"
#include "vivgpu_shadow.h"

/* Let a sampler read through the tile status of a texture that was rendered to. */
static bool
pack_texture_status(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned index,
                    const struct vivgpu_resource *texture)
{
   bool used = texture->status.valid && texture->status.pending;

   if (index >= VIVS_TS_SAMPLER__LEN)
      return false;
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CONFIG(index), used ? VIVS_TS_SAMPLER_CONFIG_ENABLE : 0);
   if (!used)
      return false;
   vivgpu_pack(pack, VIVS_TS_SAMPLER_STATUS_BASE(index),
               vivgpu_stream_use(&context->stream, texture->status.bo, 0, VIVGPU_READ));
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CLEAR_VALUE(index), texture->status.clear_value);
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CLEAR_VALUE2(index), texture->status.clear_value >> 32);
   return true;
}

/* Pack the tile status of all samplers. Returns the set of those that read through it. */
static uint32_t
pack_statuses(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   uint32_t used = 0;

   u_foreach_bit (i, samplers) {
      if (pack_texture_status(context, pack, i,
                              vivgpu_shadow_sampled(vivgpu_resource(context->views[i]->texture))))
         used |= 1u << i;
   }
   return used;
}

/* Return the core's index of a sampler. */
static unsigned
sampler_number(const struct vivgpu_sampler_states *states, unsigned index)
{
   return index < VIVGPU_VERTEX_SAMPLERS ? index : index - VIVGPU_VERTEX_SAMPLERS + states->vertex;
}

/* Pack the addresses of a texture's levels: each sampler has a row of states for them. */
static void
pack_levels(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;

   u_foreach_bit (i, samplers) {
      uint32_t first = states->address + sampler_number(states, i) * states->address_sampler;
      const struct vivgpu_resource *texture =
         vivgpu_shadow_sampled(vivgpu_resource(context->views[i]->texture));
      uint32_t address = vivgpu_stream_use(&context->stream, texture->bo, 0, VIVGPU_READ);

      for (unsigned level = 0; level <= texture->base.b.last_level; level++)
         vivgpu_pack(pack, first + level * states->address_level,
                     address + texture->layout.levels[level].offset);
   }
}

/* Pack one state of all dirty samplers: states of neighbours then share a command. */
#define PACK_SAMPLERS(state, value)                                                                \
   u_foreach_bit (i, states->state ? samplers : 0) {                                               \
      const struct vivgpu_sampler *sampler = context->samplers[i];                                 \
      const struct vivgpu_view_state *words = &vivgpu_view(context->views[i])->words;              \
                                                                                                   \
      (void)sampler, (void)words;                                                                  \
      vivgpu_pack(pack, states->state + 4 * sampler_number(states, i), value);                     \
   }

/*
 * Return CONFIG1 of a view. If the shader compares depth, it also applies the swizzle, so the
 * sampler returns depth in all channels.
 */
static uint32_t
view_config1(const struct vivgpu_sampler *sampler, const struct vivgpu_view_state *words)
{
   const uint32_t swizzles =
      VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R__MASK | VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G__MASK |
      VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B__MASK | VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A__MASK;

   /* All zeros select red for each channel. */
   STATIC_ASSERT(TEXTURE_SWIZZLE_RED == 0);
   return sampler->compares_in_shader ? words->config1 & ~swizzles : words->config1;
}

static bool
int_filter(const struct vivgpu_sampler *sampler, const struct vivgpu_view_state *words)
{
   return words->int_filter && sampler->base.max_anisotropy <= 1;
}

static void
pack_samplers(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;
   uint32_t statuses = pack_statuses(context, pack, samplers);

   PACK_SAMPLERS(config0, (sampler->config0 & words->config0_keep) | words->config0);
   PACK_SAMPLERS(size, words->size);
   PACK_SAMPLERS(log_size,
                 words->log_size |
                    (int_filter(sampler, words) ? VIVS_TE_SAMPLER_LOG_SIZE_INT_FILTER : 0));
   PACK_SAMPLERS(lod, vivgpu_view_lod(words, sampler));
   PACK_SAMPLERS(linear_stride, words->linear_stride);
   PACK_SAMPLERS(config_3d, sampler->config_3d | words->config_3d);
   PACK_SAMPLERS(config1, sampler->config1 | view_config1(sampler, words) |
                             (statuses & 1u << i ? VIVS_TE_SAMPLER_CONFIG1_USE_TS : 0));
   PACK_SAMPLERS(astc, words->astc);
   PACK_SAMPLERS(baselod, sampler->baselod);
   pack_levels(context, pack, samplers);
}

void
vivgpu_emit_samplers(struct vivgpu_context *context)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_emit_pe_stall(context, &pack);
   u_foreach_bit (i, context->dirty_samplers & ~context->active_samplers) {
      if (sampler_number(states, i) < states->count)
         vivgpu_pack(&pack, states->config0 + 4 * sampler_number(states, i), 0);
   }
   pack_samplers(context, &pack, context->dirty_samplers & context->active_samplers);
   vivgpu_stream_end(&context->stream, &pack);
   context->dirty_samplers = 0;
}
