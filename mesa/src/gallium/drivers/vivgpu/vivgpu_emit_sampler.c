/* SPDX-License-Identifier: MIT */
/* The registers of samplers: each combines a sampler state, a view and a texture. */

#include "vivgpu_emit_private.h"

#include <string.h>

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "vivgpu_resource.h"
#include "vivgpu_shadow.h"

/*
 * Enable the use of tile status by a sampler if pixels of the texture may be cleared only by their
 * tags, or disable it. Returns whether it is enabled. Samplers from VIVS_TS_SAMPLER__LEN on cannot
 * use it: vivgpu_resolve_surfaces() has written these pixels for them.
 */
static bool
vivgpu_emit_pack_texture_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
                                unsigned index, const struct vivgpu_resource *texture)
{
   struct vivgpu_emitted_samplers *emitted = &context->emitted.samplers;
   bool used = texture->status.valid && texture->status.pending;

   if (index >= VIVS_TS_SAMPLER__LEN)
      return false;
   if (!used) {
      if (emitted->without_status & 1u << index)
         return false;
      emitted->without_status |= 1u << index;
      vivgpu_pack(pack, VIVS_TS_SAMPLER_CONFIG(index), 0);
      return false;
   }
   emitted->without_status &= ~(1u << index);
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CONFIG(index), VIVS_TS_SAMPLER_CONFIG_ENABLE);
   vivgpu_pack(pack, VIVS_TS_SAMPLER_STATUS_BASE(index),
               vivgpu_stream_use(&context->stream, texture->status.bo, 0, VIVGPU_READ));
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CLEAR_VALUE(index), texture->status.clear_value);
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CLEAR_VALUE2(index), texture->status.clear_value >> 32);
   return true;
}

/*
 * Return the core's index of a sampler: the context has fragment samplers below VIVGPU_VERTEX_SAMPLERS and
 * those of vertices from there on, the core those of vertices from states->vertex on.
 */
static unsigned
vivgpu_emit_sampler_number(const struct vivgpu_sampler_states *states, unsigned index)
{
   return index < VIVGPU_VERTEX_SAMPLERS ? index : index - VIVGPU_VERTEX_SAMPLERS + states->vertex;
}

/* Pack the addresses of a view's levels: each sampler has a row of states for them. */
static void
vivgpu_emit_pack_levels(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned index,
                        const struct vivgpu_resource *texture)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;
   uint32_t first =
      states->address + vivgpu_emit_sampler_number(states, index) * states->address_sampler;
   uint32_t address = vivgpu_stream_use(&context->stream, texture->bo, 0, VIVGPU_READ);
   unsigned base = vivgpu_view(context->textures.views[index])->words.first_level;

   for (unsigned level = base; level <= texture->base.b.last_level; level++)
      vivgpu_pack(pack, first + (level - base) * states->address_level,
                  address + texture->layout.levels[level].offset);
}

/*
 * Return CONFIG1 of a view. If the shader compares depth, it also applies the swizzle, so the
 * sampler returns depth in all channels.
 */
static uint32_t
vivgpu_emit_view_config1(const struct vivgpu_sampler *sampler,
                         const struct vivgpu_view_state *words)
{
   const uint32_t swizzles =
      VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R__MASK | VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G__MASK |
      VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B__MASK | VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A__MASK;

   /* All zeros select red for each channel. */
   STATIC_ASSERT(TEXTURE_SWIZZLE_RED == 0);
   return sampler->compares_in_shader ? words->config1 & ~swizzles : words->config1;
}

static bool
vivgpu_emit_int_filter(const struct vivgpu_sampler *sampler, const struct vivgpu_view_state *words)
{
   return words->int_filter && sampler->base.max_anisotropy <= 1;
}

/* Return the states of a sampler with a view. The view caches them for its last sampler. */
static const uint32_t *
vivgpu_emit_combine(struct vivgpu_view *view, const struct vivgpu_sampler *sampler)
{
   const struct vivgpu_view_state *words = &view->words;
   uint32_t *states = view->combined;

   if (likely(view->combined_with == sampler->number))
      return states;
   view->combined_with = sampler->number;
   states[VIVGPU_SAMPLER_CONFIG0] = (sampler->config0 & words->config0_keep) | words->config0;
   states[VIVGPU_SAMPLER_SIZE] = words->size;
   states[VIVGPU_SAMPLER_LOG_SIZE] =
      words->log_size |
      (vivgpu_emit_int_filter(sampler, words) ? VIVS_TE_SAMPLER_LOG_SIZE_INT_FILTER : 0);
   states[VIVGPU_SAMPLER_LOD] = vivgpu_view_lod(words, sampler);
   states[VIVGPU_SAMPLER_LINEAR_STRIDE] = words->linear_stride;
   states[VIVGPU_SAMPLER_CONFIG_3D] = sampler->config_3d | words->config_3d;
   states[VIVGPU_SAMPLER_CONFIG1] = sampler->config1 | vivgpu_emit_view_config1(sampler, words);
   states[VIVGPU_SAMPLER_ASTC] = words->astc;
   states[VIVGPU_SAMPLER_BASELOD] = sampler->baselod;
   return states;
}

/*
 * Update the emitted states of a sampler, and add it to the set of each state that changed. Returns
 * false if none did: textures that replace each other mostly differ in their addresses only.
 */
static bool
vivgpu_emit_update_sampler(struct vivgpu_context *context, unsigned index, bool status,
                           uint32_t changed[VIVGPU_NUM_SAMPLER_STATES])
{
   struct vivgpu_emitted_samplers *emitted = &context->emitted.samplers;
   const uint32_t *words = vivgpu_emit_combine(vivgpu_view(context->textures.views[index]),
                                               context->textures.samplers[index]);
   uint32_t *before = emitted->words[index], with_status[VIVGPU_NUM_SAMPLER_STATES];
   bool known = emitted->known & 1u << index;

   if (unlikely(status)) {
      memcpy(with_status, words, sizeof(with_status));
      with_status[VIVGPU_SAMPLER_CONFIG1] |= VIVS_TE_SAMPLER_CONFIG1_USE_TS;
      words = with_status;
   }
   if (likely(known && !memcmp(before, words, sizeof(with_status))))
      return false;
   for (unsigned state = 0; state < VIVGPU_NUM_SAMPLER_STATES; state++)
      changed[state] |= !known || before[state] != words[state] ? 1u << index : 0;
   memcpy(before, words, sizeof(with_status));
   emitted->known |= 1u << index;
   return true;
}

/* Pack state by state: those of neighbours then share a command. */
static void
vivgpu_emit_pack_changed(const struct vivgpu_context *context, struct vivgpu_pack *pack,
                         const uint32_t changed[VIVGPU_NUM_SAMPLER_STATES])
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;

   for (unsigned state = 0; state < VIVGPU_NUM_SAMPLER_STATES; state++) {
      u_foreach_bit (i, states->states[state] ? changed[state] : 0)
         vivgpu_pack(pack, states->states[state] + 4 * vivgpu_emit_sampler_number(states, i),
                     context->emitted.samplers.words[i][state]);
   }
}

/*
 * Pack the second states of linear strides (vivgpu_sampler_states.second_stride). The state for
 * sampler i may count as that of level i of sampler 0 and replace its level 0, so that one is
 * loaded last.
 */
static void
vivgpu_emit_pack_second_strides(const struct vivgpu_context *context, struct vivgpu_pack *pack,
                                uint32_t changed)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;
   const uint32_t first = states->states[VIVGPU_SAMPLER_LINEAR_STRIDE];

   u_foreach_bit (i, changed & ~1u)
      vivgpu_pack(pack, first + states->second_stride * vivgpu_emit_sampler_number(states, i),
                  context->emitted.samplers.words[i][VIVGPU_SAMPLER_LINEAR_STRIDE]);
   vivgpu_pack(pack, first, context->emitted.samplers.words[0][VIVGPU_SAMPLER_LINEAR_STRIDE]);
}

static void
vivgpu_emit_pack_samplers(struct vivgpu_context *context, struct vivgpu_pack *pack,
                          uint32_t samplers)
{
   uint32_t changed[VIVGPU_NUM_SAMPLER_STATES] = {0};
   bool any = false;

   u_foreach_bit (i, samplers) {
      const struct vivgpu_resource *texture =
         vivgpu_shadow_sampled(vivgpu_resource(context->textures.views[i]->texture));
      bool status = vivgpu_emit_pack_texture_status(context, pack, i, texture);

      any |= vivgpu_emit_update_sampler(context, i, status, changed);
      vivgpu_emit_pack_levels(context, pack, i, texture);
   }
   if (any)
      vivgpu_emit_pack_changed(context, pack, changed);
   if (context->screen->generation.samplers.second_stride &&
       changed[VIVGPU_SAMPLER_LINEAR_STRIDE] & ~1u)
      vivgpu_emit_pack_second_strides(context, pack, changed[VIVGPU_SAMPLER_LINEAR_STRIDE]);
}

/* Switch samplers off. */
static void
vivgpu_emit_pack_off(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;

   u_foreach_bit (i, samplers) {
      context->emitted.samplers.words[i][VIVGPU_SAMPLER_CONFIG0] = 0;
      if (vivgpu_emit_sampler_number(states, i) < states->count)
         vivgpu_pack(
            pack,
            states->states[VIVGPU_SAMPLER_CONFIG0] + 4 * vivgpu_emit_sampler_number(states, i), 0);
   }
}

void
vivgpu_emit_samplers(struct vivgpu_context *context)
{
   uint32_t active = context->textures.active;
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_emit_pe_stall(context, &pack);
   vivgpu_emit_pack_off(context, &pack, context->textures.dirty & ~active);
   vivgpu_emit_pack_samplers(context, &pack, context->textures.dirty & active);
   vivgpu_stream_end(&context->stream, &pack);
   context->textures.dirty = 0;
}
