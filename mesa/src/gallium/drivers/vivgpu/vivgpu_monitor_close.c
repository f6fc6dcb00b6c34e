/* SPDX-License-Identifier: MIT */
/* The end of draws: by their keys nearly all have a description already; see vivgpu_monitor.h. */

#include <string.h>

#include "vivgpu_context.h"
#include "vivgpu_monitor.h"
#include "vivgpu_monitor_state.h"
#include "vivgpu_resource.h"

/* Textures that a key has room for, and the word where they begin */
#define KEY_TEXTURES      6
#define KEY_FIRST_TEXTURE 6

/*
 * The key of a draw, word by word. It is that of the state with which the open draw was emitted, so
 * it is valid while vivgpu_monitor_key_is_valid(). A key with the number 0, of an object that was
 * not described yet, is not remembered and so never found.
 */

static inline bool
vivgpu_monitor_key_is_valid(const struct vivgpu_context *context)
{
   return !(context->dirty & (VIVGPU_DESCRIBED_AREA | VIVGPU_DESCRIBED_PROGRAM)) &&
          context->program.current;
}

/* What is drawn to. */
struct surfaces {
   const struct vivgpu_surface *color, *depth;
};

/* Stands for a surface that the framebuffer does not have. */
static const bool no_status = false;
static const struct vivgpu_surface no_surface = {
   .described_key = UINT64_MAX,
   .has_status = &no_status,
};

static inline struct surfaces
vivgpu_monitor_bound_surfaces(const struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   const struct pipe_surface *color = fb->nr_cbufs ? fb->cbufs[0] : NULL, *depth = fb->zsbuf;

   return (struct surfaces){
      color ? (const struct vivgpu_surface *)color : &no_surface,
      depth ? (const struct vivgpu_surface *)depth : &no_surface,
   };
}

/*
 * A number that stands for both surfaces: the memory keeps what followed a draw for each such
 * number.
 */
static inline uint32_t
vivgpu_monitor_target_number(struct surfaces bound)
{
   return bound.color->described_key + bound.depth->described_key;
}

static inline uint64_t
vivgpu_monitor_key_call(const struct vivgpu_context *context, const struct pipe_draw_info *info)
{
   return VIVGPU_COMMAND_DRAW | info->mode << 8 | info->index_size << 16 |
          (uint64_t)context->elements->vertex_bytes << 32;
}

static inline uint64_t
vivgpu_monitor_key_state(const struct vivgpu_context *context, struct surfaces bound)
{
   uint32_t state = context->zsa->described | context->blend->described |
                    context->rasterizer->described |
                    (*bound.color->has_status ? VIVGPU_DRAW_COLOR_TS : 0) |
                    (*bound.depth->has_status ? VIVGPU_DRAW_DEPTH_TS : 0);

   return context->program.current->link_number | (uint64_t)state << 32;
}

/*
 * Size, layers, samples and number of colour targets. A draw with more than one target has no key,
 * as the key has room for one.
 */
static inline uint64_t
vivgpu_monitor_key_framebuffer(const struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   uint64_t word;

   STATIC_ASSERT(offsetof(struct pipe_framebuffer_state, nr_cbufs) ==
                 offsetof(struct pipe_framebuffer_state, width) + sizeof(word) - 1);
   memcpy(&word, &fb->width, sizeof(word));
   return word;
}

static inline uint64_t
vivgpu_monitor_key_area(const struct vivgpu_context *context)
{
   uint64_t area;

   STATIC_ASSERT(sizeof(area) == sizeof(context->emitted.scissor));
   memcpy(&area, &context->emitted.scissor, sizeof(area));
   return area;
}

/* Words of the textures. False if they are too many, or a view has no number. */
static bool
vivgpu_monitor_key_textures(const struct vivgpu_context *context, uint64_t words[KEY_TEXTURES / 2])
{
   uint32_t textures[KEY_TEXTURES] = {0};
   unsigned count = 0;

   u_foreach_bit (i, context->program.current->described.samplers) {
      const struct pipe_sampler_view *view = context->textures.views[i];
      const struct vivgpu_sampler *sampler = context->textures.samplers[i];
      uint32_t number = 0;

      if (view && sampler)
         number = ((const struct vivgpu_view *)view)->described_number;
      if (count == KEY_TEXTURES || !number)
         return false;
      textures[count++] = number << 8 | sampler->described;
   }
   memcpy(words, textures, sizeof(textures));
   return true;
}

/* Set the key of the open draw. False if there is none, or an object was not described yet. */
static bool
vivgpu_monitor_draw_key(const struct vivgpu_context *context, struct surfaces bound,
                        struct vivgpu_group_key *key)
{
   if (!vivgpu_monitor_key_is_valid(context) || context->framebuffer.nr_cbufs > 1 ||
       (bound.color == &no_surface && bound.depth == &no_surface) || !bound.color->described_key ||
       !bound.depth->described_key || !context->program.current->described.hash)
      return false;
   key->words[0] = vivgpu_monitor_key_call(context, context->monitor->info);
   key->words[1] = vivgpu_monitor_key_state(context, bound);
   key->words[2] = bound.color->described_key;
   key->words[3] = bound.depth->described_key;
   key->words[4] = vivgpu_monitor_key_framebuffer(context);
   key->words[5] = vivgpu_monitor_key_area(context);
   return vivgpu_monitor_key_textures(context, &key->words[KEY_FIRST_TEXTURE]);
}

/*
 * True if a key has the textures of the open draw. Its pair of shaders must be the draw's: then it
 * has a word for each of the samplers, at most KEY_TEXTURES. A texture that is not described has
 * the number 0, which no key has.
 */
static inline bool
vivgpu_monitor_textures_are_expected(const struct vivgpu_context *context,
                                     const struct vivgpu_group_key *key)
{
   const char *at = (const char *)&key->words[KEY_FIRST_TEXTURE];
   uint32_t expected;

   u_foreach_bit (i, context->program.current->described.samplers) {
      const struct vivgpu_view *view = (const struct vivgpu_view *)context->textures.views[i];
      const struct vivgpu_sampler *sampler = context->textures.samplers[i];

      memcpy(&expected, at, sizeof(expected));
      if (!view || !sampler || expected != (view->described_number << 8 | sampler->described))
         return false;
      at += sizeof(expected);
   }
   return true;
}

/*
 * True if the open draw has the key of an entry. The textures are compared last, when word 1 has
 * shown that the pair of shaders is the same.
 */
static ALWAYS_INLINE bool
vivgpu_monitor_is_expected(const struct vivgpu_context *context, struct surfaces bound,
                           const struct vivgpu_group_known *known)
{
   const uint64_t *words = known->key.words;

   return known->number && vivgpu_monitor_key_is_valid(context) &&
          words[0] == vivgpu_monitor_key_call(context, context->monitor->info) &&
          words[1] == vivgpu_monitor_key_state(context, bound) &&
          words[2] == bound.color->described_key && words[3] == bound.depth->described_key &&
          words[4] == vivgpu_monitor_key_framebuffer(context) &&
          words[5] == vivgpu_monitor_key_area(context) &&
          vivgpu_monitor_textures_are_expected(context, &known->key);
}

/* List the open draw, which is one with this key, by the number of its description. */
static ALWAYS_INLINE void
vivgpu_monitor_refer(struct vivgpu_monitor *monitor, const struct vivgpu_group_known *known)
{
   monitor->repeat_key = known->repeat_key;
   monitor->repeat_head = known->repeat_head;
   monitor->described = true;
   if (known->window) {
      monitor->window = known->target;
      monitor->window_has_status = known->has_status;
      monitor->window_pixels += known->pixels;
   }
   vivgpu_group_refer(&monitor->builder, known->repeat_head, monitor->draws->count,
                      monitor->info->instance_count, known->number);
}

/* No draw repeats a stippled one: vivgpu_draw_direct() binds the pattern anew for each. */
static bool
vivgpu_monitor_is_stippled(const struct vivgpu_context *context)
{
   return context->program.variants[VIVGPU_FS]->key.stipple;
}

/*
 * List draws like the one that was closed by their counts only. The builder's open command still
 * has its parameters; the key is the vivgpu_monitor_key() of its call.
 */
static void
vivgpu_monitor_allow_repeats(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   const struct vivgpu_command_draw *draw = &monitor->builder.open.draw;

   if (vivgpu_monitor_is_stippled(context))
      return;
   monitor->repeat_key = (uint32_t)draw->mode | (uint32_t)draw->index_bytes << 16;
   monitor->repeat_head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, draw->index_bytes);
}

/* Give the open draw, which was described, a number the second time its key is used. */
static void
vivgpu_monitor_number_draw(struct vivgpu_context *context, struct vivgpu_group_known *known)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   struct vivgpu_monitor *monitor = context->monitor;
   const struct vivgpu_command *open = &monitor->builder.open;

   known->number = vivgpu_monitor_describe(monitor, open);
   known->repeat_key = vivgpu_monitor_is_stippled(context) ? VIVGPU_MONITOR_NO_REPEAT
                                                           : vivgpu_monitor_key(monitor->info);
   known->repeat_head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_DRAW, 0, 0, open->draw.index_bytes);
   known->window = fb->nr_cbufs && fb->cbufs[0] && vivgpu_resource_is_window(fb->cbufs[0]->texture);
   known->has_status = open->draw.state & VIVGPU_DRAW_COLOR_TS;
   known->pixels = (uint32_t)open->draw.area[2] * open->draw.area[3];
   known->target = open->target;
}

/*
 * Close a draw that is not the expected one. Its key is made again after the draw is finished,
 * since new objects get their numbers then. The finished draw may be a clear, which has no key
 * here. The first time that a key is used it is remembered, the second time the description gets a
 * number.
 */
static ATTRIBUTE_NOINLINE void
vivgpu_monitor_close_other_draw(struct vivgpu_context *context, uint32_t offset)
{
   const struct surfaces bound = vivgpu_monitor_bound_surfaces(context);
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_group_builder *builder = &monitor->builder;
   bool has_key = monitor->num_draws == 1 && vivgpu_group_is_whole(builder, offset) &&
                  builder->open.type == VIVGPU_COMMAND_DRAW;
   struct vivgpu_group_known *known = NULL;
   struct vivgpu_group_key key;

   if (has_key && vivgpu_monitor_draw_key(context, bound, &key))
      known = vivgpu_group_find(&monitor->memory, &key, vivgpu_monitor_target_number(bound));
   if (known && known->number) {
      vivgpu_monitor_refer(monitor, known);
      return;
   }
   vivgpu_monitor_finish_draw(context);
   has_key &= monitor->described && builder->open.type == VIVGPU_COMMAND_DRAW;
   if (has_key && known)
      vivgpu_monitor_number_draw(context, known);
   else if (has_key && vivgpu_monitor_draw_key(context, bound, &key))
      vivgpu_group_remember(&monitor->memory, &key, vivgpu_monitor_target_number(bound));
   if (!vivgpu_group_close_draw(builder, offset))
      vivgpu_group_close(builder, offset, false);
   if (builder->open.type == VIVGPU_COMMAND_DRAW && !builder->depth && monitor->described &&
       vivgpu_group_is_listed(builder) && !(builder->open.draw.state & VIVGPU_DRAW_SWTNL))
      vivgpu_monitor_allow_repeats(context);
}

void
vivgpu_monitor_close_draw(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   uint32_t offset = context->stream.used * sizeof(uint32_t);

   if (likely(vivgpu_group_is_whole(&monitor->builder, offset) && monitor->num_draws == 1)) {
      const struct surfaces bound = vivgpu_monitor_bound_surfaces(context);
      const struct vivgpu_group_known *expected =
         vivgpu_group_expected(&monitor->memory, vivgpu_monitor_target_number(bound));

      if (likely(vivgpu_monitor_is_expected(context, bound, expected))) {
         vivgpu_group_confirm(&monitor->memory, expected);
         vivgpu_monitor_refer(monitor, expected);
         return;
      }
   }
   vivgpu_monitor_close_other_draw(context, offset);
}
