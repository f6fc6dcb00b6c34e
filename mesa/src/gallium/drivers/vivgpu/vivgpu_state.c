/* SPDX-License-Identifier: MIT */
/* Gallium's functions that create, bind and set state. */

#include <string.h>

#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_format.h"
#include "vivgpu_monitor.h"
#include "vivgpu_translate.h"
#include "vivgpu_resource.h"
#include "vivgpu_vendor.h"

/*
 * Defines functions to create and bind a type of state object. @field: member of the context, and
 * part of the names of the object's structure and of the function that packs it
 */
#define OBJECT(name, base_type, field, flag)                                                       \
   static void *vivgpu_create_##name##_state(struct pipe_context *context,                         \
                                             const struct base_type *base)                         \
   {                                                                                               \
      struct vivgpu_##field *object = CALLOC_STRUCT(vivgpu_##field);                               \
                                                                                                   \
      if (object)                                                                                  \
         vivgpu_##field##_init(object, base);                                                      \
      return object;                                                                               \
   }                                                                                               \
                                                                                                   \
   static void vivgpu_bind_##name##_state(struct pipe_context *context, void *object)              \
   {                                                                                               \
      vivgpu_context(context)->field = object;                                                     \
      vivgpu_context_dirty(vivgpu_context(context), flag);                                         \
   }

OBJECT(blend, pipe_blend_state, blend, VIVGPU_DIRTY_BLEND)
OBJECT(depth_stencil_alpha, pipe_depth_stencil_alpha_state, zsa, VIVGPU_DIRTY_ZSA)
OBJECT(rasterizer, pipe_rasterizer_state, rasterizer, VIVGPU_DIRTY_RASTERIZER)

/* The fallback draws line loops and indexed triangle strips on cores that have none. */
static void *
vivgpu_state_create_rasterizer_state(struct pipe_context *context,
                                     const struct pipe_rasterizer_state *base)
{
   struct vivgpu_rasterizer *rasterizer = vivgpu_create_rasterizer_state(context, base);

   if (rasterizer)
      rasterizer->native_prims &= vivgpu_screen(context->screen)->generation.primitives;
   return rasterizer;
}

static void
vivgpu_state_delete_object(struct pipe_context *context, void *object)
{
   FREE(object);
}

static void *
vivgpu_create_vertex_elements_state(struct pipe_context *context, unsigned count,
                                    const struct pipe_vertex_element *base)
{
   return vivgpu_vertex_elements_create(count, base, 0,
                                        &vivgpu_screen(context->screen)->generation);
}

static void
vivgpu_delete_vertex_elements_state(struct pipe_context *context, void *elements)
{
   vivgpu_vertex_elements_destroy(elements);
}

static void
vivgpu_bind_vertex_elements_state(struct pipe_context *context, void *elements)
{
   if (vivgpu_context(context)->vertices.list.state)
      vivgpu_vertex_state_unbind(vivgpu_context(context));
   vivgpu_context(context)->elements = elements;
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_ELEMENTS);
}

static void
vivgpu_set_blend_color(struct pipe_context *context, const struct pipe_blend_color *color)
{
   vivgpu_context(context)->blend_color = *color;
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_BLEND_COLOR);
}

static void
vivgpu_set_stencil_ref(struct pipe_context *context, const struct pipe_stencil_ref ref)
{
   vivgpu_context(context)->stencil_ref = ref;
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_STENCIL_REF);
}

static void
vivgpu_set_clip_state(struct pipe_context *context, const struct pipe_clip_state *clip)
{
   vivgpu_context(context)->clip = *clip;
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_CLIP_PLANES);
}

static void
vivgpu_set_sample_mask(struct pipe_context *context, unsigned mask)
{
   vivgpu_context(context)->sample_mask = mask;
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_SAMPLE_MASK);
}

/* Makes nothing dirty: each stippled draw looks at @changed (vivgpu_stipple_begin()). */
static void
vivgpu_set_polygon_stipple(struct pipe_context *context, const struct pipe_poly_stipple *stipple)
{
   struct vivgpu_stipple *own = &vivgpu_context(context)->stipple;

   STATIC_ASSERT(sizeof(own->pattern) == sizeof(stipple->stipple));
   own->changed |= memcmp(own->pattern, stipple->stipple, sizeof(own->pattern)) != 0;
   memcpy(own->pattern, stipple->stipple, sizeof(own->pattern));
}

/* There is one viewport, and so one scissor: @first is 0. */
static void
vivgpu_set_scissor_states(struct pipe_context *context, unsigned first, unsigned count,
                          const struct pipe_scissor_state *scissors)
{
   vivgpu_context(context)->scissor = scissors[0];
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_SCISSOR);
}

static void
vivgpu_set_viewport_states(struct pipe_context *context, unsigned first, unsigned count,
                           const struct pipe_viewport_state *viewports)
{
   struct pipe_viewport_state viewport = viewports[0];

   if (unlikely(vivgpu_context(context)->screen->debug & VIVGPU_DEBUG_STILL))
      vivgpu_viewport_close(&viewport);
   vivgpu_viewport_init(&vivgpu_context(context)->viewport, &viewport);
   vivgpu_context_dirty(vivgpu_context(context), VIVGPU_DIRTY_VIEWPORT);
}

static struct vivgpu_framebuffer_key
vivgpu_state_framebuffer_key(const struct vivgpu_framebuffer *words,
                             const struct pipe_framebuffer_state *base)
{
   struct vivgpu_framebuffer_key key = {
      .num_color_outputs = base->nr_cbufs > 1 ? base->nr_cbufs : 0,
      .num_targets = words->num_targets,
      .multisample = words->multisample,
   };

   memcpy(key.output, words->output, sizeof(key.output));
   for (unsigned i = 0; i < base->nr_cbufs; i++) {
      if (base->cbufs[i] && vivgpu_format_rb_swap(base->cbufs[i]->format))
         key.frag_rb_swap |= 1 << i;
   }
   return key;
}

static void
vivgpu_set_framebuffer_state(struct pipe_context *pcontext,
                             const struct pipe_framebuffer_state *base)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_framebuffer *words = &context->packed_framebuffer;
   struct vivgpu_target colors[VIVGPU_MAX_TARGETS];
   unsigned count = 0;

   util_copy_framebuffer_state(&context->framebuffer, base);
   memset(words->output, 0, sizeof(words->output));
   for (unsigned i = 0; i < base->nr_cbufs; i++) {
      if (!base->cbufs[i] || count == VIVGPU_MAX_TARGETS)
         continue;
      colors[count] = vivgpu_surface(base->cbufs[i])->target;
      words->output[count++] = i;
   }
   vivgpu_framebuffer_init(words, colors, count,
                           base->zsbuf ? &vivgpu_surface(base->zsbuf)->target : NULL,
                           util_framebuffer_get_num_samples(base));
   words->key = vivgpu_state_framebuffer_key(words, base);
   if (unlikely(context->monitor))
      context->monitor->target.samples = 0;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_FRAMEBUFFER);
   if (vivgpu_vendor(context))
      vivgpu_vendor_bind_framebuffer(context);
}

/* Takes over the references to the buffers. */
static void
vivgpu_set_vertex_buffers(struct pipe_context *pcontext, unsigned count,
                          const struct pipe_vertex_buffer *buffers)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   uint32_t bound = 0, misaligned = 0;

   if (context->vertices.list.state)
      vivgpu_vertex_state_unbind(context);
   for (unsigned i = 0; i < count; i++) {
      pipe_vertex_buffer_unreference(&context->vertices.buffers[i]);
      context->vertices.buffers[i] = buffers[i];
      bound |= (buffers[i].buffer.resource ? 1u : 0) << i;
      misaligned |= (buffers[i].buffer_offset % VIVGPU_VERTEX_ALIGN ? 1u : 0) << i;
   }
   u_foreach_bit (i, context->vertices.mask & ~BITFIELD_MASK(count))
      pipe_vertex_buffer_unreference(&context->vertices.buffers[i]);
   context->vertices.mask = bound;
   context->vertices.misaligned = misaligned;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_VERTEX_BUFFERS);
}

/* User buffers remain in the application's memory: see vivgpu_uniforms.c. */
static void
vivgpu_set_constant_buffer(struct pipe_context *pcontext, enum pipe_shader_type type, uint index,
                           bool take_ownership, const struct pipe_constant_buffer *base)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_constants *constants = &context->constants[vivgpu_stage(type)];

   if (type != PIPE_SHADER_VERTEX && type != PIPE_SHADER_FRAGMENT)
      return;
   util_copy_constant_buffer(&constants->buffers[index], base, take_ownership);
   constants->emitted &= ~(1u << index);
   constants->changed = true;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_CONSTANTS);
}

void
vivgpu_state_init(struct pipe_context *context)
{
   context->create_blend_state = vivgpu_create_blend_state;
   context->bind_blend_state = vivgpu_bind_blend_state;
   context->delete_blend_state = vivgpu_state_delete_object;
   context->create_depth_stencil_alpha_state = vivgpu_create_depth_stencil_alpha_state;
   context->bind_depth_stencil_alpha_state = vivgpu_bind_depth_stencil_alpha_state;
   context->delete_depth_stencil_alpha_state = vivgpu_state_delete_object;
   context->create_rasterizer_state = vivgpu_state_create_rasterizer_state;
   context->bind_rasterizer_state = vivgpu_bind_rasterizer_state;
   context->delete_rasterizer_state = vivgpu_state_delete_object;
   context->create_vertex_elements_state = vivgpu_create_vertex_elements_state;
   context->bind_vertex_elements_state = vivgpu_bind_vertex_elements_state;
   context->delete_vertex_elements_state = vivgpu_delete_vertex_elements_state;

   context->set_blend_color = vivgpu_set_blend_color;
   context->set_stencil_ref = vivgpu_set_stencil_ref;
   context->set_clip_state = vivgpu_set_clip_state;
   context->set_sample_mask = vivgpu_set_sample_mask;
   context->set_polygon_stipple = vivgpu_set_polygon_stipple;
   context->set_scissor_states = vivgpu_set_scissor_states;
   context->set_viewport_states = vivgpu_set_viewport_states;
   context->set_framebuffer_state = vivgpu_set_framebuffer_state;
   context->set_vertex_buffers = vivgpu_set_vertex_buffers;
   context->set_constant_buffer = vivgpu_set_constant_buffer;
}
