/* SPDX-License-Identifier: MIT */
/* Gallium's functions for samplers and sampler views, and the preparation of textures for draws. */

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "vivgpu_emit.h"
#include "vivgpu_job.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"
#include "vivgpu_shadow.h"
#include "vivgpu_tiles.h"
#include "vivgpu_transfer.h"

/* Number of samplers created in this process */
static uint32_t num_samplers;

static void *
vivgpu_create_sampler_state(struct pipe_context *context, const struct pipe_sampler_state *base)
{
   struct vivgpu_sampler *sampler = CALLOC_STRUCT(vivgpu_sampler);
   struct pipe_sampler_state state = *base;

   if (!sampler)
      return NULL;
   sampler->compares_in_shader =
      base->compare_mode && !vivgpu_screen(context->screen)->generation.halti2_textures;
   /* The shader compares a single texel, not the average of several. */
   if (sampler->compares_in_shader)
      state.min_img_filter = state.mag_img_filter = PIPE_TEX_FILTER_NEAREST;
   vivgpu_sampler_init(sampler, &state);
   sampler->number = p_atomic_inc_return(&num_samplers);
   return sampler;
}

static void
vivgpu_delete_sampler_state(struct pipe_context *context, void *sampler)
{
   FREE(sampler);
}

/* Keep textures.bordered up to date, by which borders become part of the shaders' keys. */
static void
vivgpu_texture_set_border(struct vivgpu_context *context, unsigned index,
                          const struct vivgpu_sampler *before, const struct vivgpu_sampler *sampler)
{
   unsigned border = sampler ? sampler->border : 0;

   if (border == (before ? before->border : 0))
      return;
   context->textures.bordered &= ~(1u << index);
   context->textures.bordered |= (border ? 1u : 0) << index;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SHADERS);
}

/* Index of the first sampler of a stage. */
static unsigned
vivgpu_texture_first_of(enum pipe_shader_type type)
{
   return type == PIPE_SHADER_VERTEX ? VIVGPU_VERTEX_SAMPLERS : 0;
}

static void
vivgpu_bind_sampler_states(struct pipe_context *pcontext, enum pipe_shader_type type,
                           unsigned start, unsigned count, void **samplers)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   unsigned first = vivgpu_texture_first_of(type) + start;

   if (type != PIPE_SHADER_VERTEX && type != PIPE_SHADER_FRAGMENT)
      return;
   for (unsigned i = 0; i < count; i++) {
      struct vivgpu_sampler *sampler = samplers ? samplers[i] : NULL;

      if (context->textures.samplers[first + i] == sampler)
         continue;
      vivgpu_texture_set_border(context, first + i, context->textures.samplers[first + i], sampler);
      context->textures.samplers[first + i] = sampler;
      context->textures.dirty |= 1u << (first + i);
   }
   /* What u_blitter saves and restores */
   if (type == PIPE_SHADER_FRAGMENT)
      context->textures.num_fragment_samplers = start + count;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SAMPLERS);
}

static struct pipe_sampler_view *
vivgpu_create_sampler_view(struct pipe_context *context, struct pipe_resource *texture,
                           const struct pipe_sampler_view *base)
{
   struct vivgpu_view *view = CALLOC_STRUCT(vivgpu_view);

   if (!view || !vivgpu_shadow_for_sampling(vivgpu_resource(texture))) {
      FREE(view);
      return NULL;
   }
   view->base = *base;
   pipe_reference_init(&view->base.reference, 1);
   view->base.texture = NULL;
   pipe_resource_reference(&view->base.texture, texture);
   view->base.context = context;
   vivgpu_view_init(&view->words, &view->base, texture,
                    &vivgpu_shadow_sampled(vivgpu_resource(texture))->layout);
   return &view->base;
}

static void
vivgpu_sampler_view_destroy(struct pipe_context *context, struct pipe_sampler_view *view)
{
   pipe_resource_reference(&view->texture, NULL);
   FREE(view);
}

static void
vivgpu_texture_set_view(struct vivgpu_context *context, unsigned index,
                        struct pipe_sampler_view *view, bool take_ownership)
{
   if (context->textures.views[index] != view)
      context->textures.dirty |= 1u << index;
   if (take_ownership) {
      pipe_sampler_view_reference(&context->textures.views[index], NULL);
      context->textures.views[index] = view;
   } else {
      pipe_sampler_view_reference(&context->textures.views[index], view);
   }
}

static void
vivgpu_set_sampler_views(struct pipe_context *pcontext, enum pipe_shader_type type, unsigned start,
                         unsigned count, unsigned unbind, bool take_ownership,
                         struct pipe_sampler_view **views)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   unsigned first = vivgpu_texture_first_of(type) + start;

   if (type != PIPE_SHADER_VERTEX && type != PIPE_SHADER_FRAGMENT)
      return;
   for (unsigned i = 0; i < count; i++)
      vivgpu_texture_set_view(context, first + i, views ? views[i] : NULL, take_ownership);
   for (unsigned i = 0; i < unbind; i++)
      vivgpu_texture_set_view(context, first + count + i, NULL, false);
   if (type == PIPE_SHADER_FRAGMENT)
      context->textures.num_fragment_views = start + count;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SAMPLERS);
}

/*
 * Tile status can be sampled for level 0 only, not with several samples, and by the first samplers
 * only. There is a view.
 */
static bool
vivgpu_texture_reads_through_status(const struct vivgpu_context *context, unsigned index)
{
   const struct pipe_sampler_view *view = context->textures.views[index];

   return index < VIVS_TS_SAMPLER__LEN && view->u.tex.first_level == 0 &&
          MIN2(view->u.tex.last_level, view->texture->last_level) == 0 &&
          view->texture->nr_samples <= 1;
}

/* Update the shadows of render targets, since a draw may not write all of their pixels. */
static void
vivgpu_texture_update_target_shadows(struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;

   for (unsigned i = 0; i <= fb->nr_cbufs; i++) {
      struct pipe_surface *surface = i < fb->nr_cbufs ? fb->cbufs[i] : fb->zsbuf;

      if (surface && vivgpu_resource(surface->texture)->shadow)
         vivgpu_shadow_update(context, vivgpu_resource(surface->texture),
                              vivgpu_surface(surface)->render, 1u << surface->u.tex.level);
   }
}

/*
 * Return the views that the shaders read whose textures have tile status, a shadow or a copy. Most
 * textures never get one, so the set is cached.
 */
static uint32_t
vivgpu_texture_resolvable_views(struct vivgpu_context *context)
{
   uint32_t num_resolvable = p_atomic_read(&context->screen->num_resolvable);

   if (!(context->dirty & VIVGPU_DIRTY_SAMPLERS) && num_resolvable == context->seen.resolvable)
      return context->textures.resolvable;
   context->seen.resolvable = num_resolvable;
   context->textures.resolvable = 0;
   u_foreach_bit (i, context->textures.read) {
      const struct vivgpu_resource *texture =
         context->textures.views[i] ? vivgpu_resource(context->textures.views[i]->texture) : NULL;

      if (texture && (texture->shadow || texture->status.bo || texture->copy))
         context->textures.resolvable |= 1u << i;
   }
   return context->textures.resolvable;
}

/*
 * Step 1 of struct vivgpu_seen: write_seqno is read first, so that writes which are recorded
 * meanwhile count as not seen. A copy from or to a shadow reads through tile status.
 */
void
vivgpu_resolve_surfaces(struct vivgpu_context *context)
{
   uint32_t seqno = p_atomic_read(&context->screen->write_seqno);
   uint32_t replaced = p_atomic_read(&context->screen->replaced_buffers);

   if (unlikely(replaced != context->seen.replaced_buffers))
      vivgpu_transfer_rebind_buffers(context);
   context->seen.replaced_buffers = replaced;
   vivgpu_texture_update_target_shadows(context);
   u_foreach_bit (i, vivgpu_texture_resolvable_views(context)) {
      struct vivgpu_resource *texture = vivgpu_resource(context->textures.views[i]->texture);

      if (texture->shadow) {
         vivgpu_shadow_update(context, texture, vivgpu_shadow_sampled(texture), ~0u);
         continue;
      }
      if (texture->copy)
         vivgpu_tiles_update(context, texture);
      if (!vivgpu_rs_is_pending(context, texture))
         continue;
      /*
       * Emit the sampler again: the clear value may have changed. It uses tile status only if
       * status.pending is set; a resolve that another context has recorded has cleared that.
       */
      context->textures.dirty |= 1u << i;
      if (!vivgpu_texture_reads_through_status(context, i) || !texture->status.pending)
         vivgpu_rs_resolve(context, texture);
   }
   context->seen.resolved = seqno;
}

/* Called before a draw samples what earlier draws rendered. */
static void
vivgpu_texture_barrier(struct pipe_context *pcontext, unsigned flags)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   if (!vivgpu_job_reserve(context, VIVGPU_MAX_EMIT_WORDS))
      return;

   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack_texture_barrier(&pack);
   vivgpu_stream_end(&context->stream, &pack);
}

void
vivgpu_texture_init(struct pipe_context *context)
{
   context->create_sampler_state = vivgpu_create_sampler_state;
   context->bind_sampler_states = vivgpu_bind_sampler_states;
   context->delete_sampler_state = vivgpu_delete_sampler_state;
   context->create_sampler_view = vivgpu_create_sampler_view;
   context->sampler_view_destroy = vivgpu_sampler_view_destroy;
   context->set_sampler_views = vivgpu_set_sampler_views;
   context->texture_barrier = vivgpu_texture_barrier;
}
