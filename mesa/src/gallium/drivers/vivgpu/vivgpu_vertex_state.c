/* SPDX-License-Identifier: MIT */

#include "vivgpu_vertex_state.h"

#include <string.h>

#include "compiler/nir/nir.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "vivgpu_context.h"
#include "vivgpu_screen.h"
#include "vivgpu_state.h"
#include "vivgpu_translate.h"

/* Elements of a list that a vertex shader reads */
struct subset {
   struct list_head link;
   uint32_t mask;
   struct vivgpu_vertex_elements *elements;
};

struct vivgpu_vertex_state {
   struct pipe_vertex_state base;
   /** Protects @subsets: several contexts may draw a list. */
   simple_mtx_t lock;
   struct list_head subsets;
};

/* The mask of vertex buffers with an unaligned offset: a list has one buffer, number 0. */
static uint32_t
vivgpu_vertex_state_misaligned(const struct vivgpu_vertex_state *state)
{
   return state->base.input.vbuffer.buffer_offset % VIVGPU_VERTEX_ALIGN != 0;
}

static struct subset *
vivgpu_vertex_create_subset(const struct vivgpu_vertex_state *state, uint32_t mask)
{
   const struct vivgpu_generation *generation = &vivgpu_screen(state->base.screen)->generation;
   struct pipe_vertex_element elements[PIPE_MAX_ATTRIBS];
   struct subset *subset = CALLOC_STRUCT(subset);
   unsigned count = 0, number = 0;

   if (!subset)
      return NULL;
   u_foreach_bit (attribute, state->base.input.full_velem_mask) {
      if (mask & 1u << attribute)
         elements[count++] = state->base.input.elements[number];
      number++;
   }
   subset->mask = mask;
   subset->elements = vivgpu_vertex_elements_create(
      count, elements, vivgpu_vertex_state_misaligned(state), generation);
   if (!subset->elements) {
      FREE(subset);
      return NULL;
   }
   return subset;
}

/* Find or create the elements in @mask; NULL if memory is short. */
static struct vivgpu_vertex_elements *
vivgpu_vertex_elements_of(struct vivgpu_vertex_state *state, uint32_t mask)
{
   struct subset *found = NULL;

   simple_mtx_lock(&state->lock);
   list_for_each_entry (struct subset, subset, &state->subsets, link) {
      if (subset->mask == mask) {
         found = subset;
         break;
      }
   }
   if (!found) {
      found = vivgpu_vertex_create_subset(state, mask);
      if (found)
         list_add(&found->link, &state->subsets);
   }
   simple_mtx_unlock(&state->lock);
   return found ? found->elements : NULL;
}

/*
 * The elements that the vertex shader reads. Mesa passes those of the application's shader, without
 * the edge flag, which it appends to the inputs of its variant for outlines.
 */
static uint32_t
vivgpu_vertex_elements_read(const struct vivgpu_context *context,
                            const struct pipe_vertex_state *state, uint32_t mask)
{
   const struct vivgpu_shader_object *vs = context->program.bound[VIVGPU_VS];

   if (vs && vs->nir->info.outputs_written & VARYING_BIT_EDGE)
      mask |= state->input.full_velem_mask & VERT_BIT_EDGEFLAG;
   return mask;
}

bool
vivgpu_vertex_state_bind(struct vivgpu_context *context, struct pipe_vertex_state *base,
                         uint32_t mask)
{
   struct vivgpu_bound_list *list = &context->vertices.list;
   struct vivgpu_vertex_elements *elements;

   mask = vivgpu_vertex_elements_read(context, base, mask);
   if (list->state == base && list->mask == mask)
      return true;
   elements = vivgpu_vertex_elements_of((struct vivgpu_vertex_state *)base, mask);
   if (!elements)
      return false;
   if (!list->state) {
      list->elements = context->elements;
      list->buffer = context->vertices.buffers[0];
      list->buffer_mask = context->vertices.mask;
      list->misaligned = context->vertices.misaligned;
   }
   if (list->state)
      pipe_vertex_buffer_unreference(&context->vertices.buffers[0]);
   else
      memset(&context->vertices.buffers[0], 0, sizeof(context->vertices.buffers[0]));
   pipe_vertex_buffer_reference(&context->vertices.buffers[0], &base->input.vbuffer);
   pipe_vertex_state_reference(&list->state, base);
   list->mask = mask;
   context->elements = elements;
   context->vertices.mask |= 1;
   context->vertices.misaligned =
      vivgpu_vertex_state_misaligned((struct vivgpu_vertex_state *)base);
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
   return true;
}

void
vivgpu_vertex_state_unbind(struct vivgpu_context *context)
{
   struct vivgpu_bound_list *list = &context->vertices.list;

   if (list->drawing)
      return;
   pipe_vertex_buffer_unreference(&context->vertices.buffers[0]);
   context->elements = list->elements;
   context->vertices.buffers[0] = list->buffer;
   context->vertices.mask = list->buffer_mask;
   context->vertices.misaligned = list->misaligned;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
   pipe_vertex_state_reference(&list->state, NULL);
}

static struct pipe_vertex_state *
vivgpu_vertex_create(struct pipe_screen *screen, struct pipe_vertex_buffer *buffer,
                     const struct pipe_vertex_element *elements, unsigned num_elements,
                     struct pipe_resource *indices, uint32_t full_mask)
{
   struct vivgpu_vertex_state *state = CALLOC_STRUCT(vivgpu_vertex_state);

   if (!state)
      return NULL;
   util_init_pipe_vertex_state(screen, buffer, elements, num_elements, indices, full_mask,
                               &state->base);
   simple_mtx_init(&state->lock, mtx_plain);
   list_inithead(&state->subsets);
   return &state->base;
}

static void
vivgpu_vertex_destroy(struct pipe_screen *screen, struct pipe_vertex_state *base)
{
   struct vivgpu_vertex_state *state = (struct vivgpu_vertex_state *)base;

   list_for_each_entry_safe (struct subset, subset, &state->subsets, link) {
      vivgpu_vertex_elements_destroy(subset->elements);
      FREE(subset);
   }
   simple_mtx_destroy(&state->lock);
   pipe_vertex_buffer_unreference(&base->input.vbuffer);
   pipe_resource_reference(&base->input.indexbuf, NULL);
   FREE(state);
}

/* Lists with the same buffers share a state: their draws need no other state in between. */
static struct pipe_vertex_state *
vivgpu_create_vertex_state(struct pipe_screen *screen, struct pipe_vertex_buffer *buffer,
                           const struct pipe_vertex_element *elements, unsigned num_elements,
                           struct pipe_resource *indices, uint32_t full_mask)
{
   return util_vertex_state_cache_get(screen, buffer, elements, num_elements, indices, full_mask,
                                      &vivgpu_screen(screen)->vertex_states);
}

static void
vivgpu_vertex_state_destroy(struct pipe_screen *screen, struct pipe_vertex_state *state)
{
   util_vertex_state_destroy(screen, &vivgpu_screen(screen)->vertex_states, state);
}

void
vivgpu_vertex_state_screen_init(struct pipe_screen *screen)
{
   util_vertex_state_cache_init(&vivgpu_screen(screen)->vertex_states, vivgpu_vertex_create,
                                vivgpu_vertex_destroy);
   screen->create_vertex_state = vivgpu_create_vertex_state;
   screen->vertex_state_destroy = vivgpu_vertex_state_destroy;
}

void
vivgpu_vertex_state_screen_fini(struct pipe_screen *screen)
{
   util_vertex_state_cache_deinit(&vivgpu_screen(screen)->vertex_states);
}
