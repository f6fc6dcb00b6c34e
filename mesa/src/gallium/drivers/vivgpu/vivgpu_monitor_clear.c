/* SPDX-License-Identifier: MIT */
/* Parameters of clears; see vivgpu_monitor.h. */

#include "util/format/u_format.h"
#include "util/u_math.h"
#include "vivgpu_context.h"
#include "vivgpu_monitor.h"

/* Surfaces of a clear that a key has room for */
#define KEY_SURFACES 2

static uint32_t
vivgpu_monitor_clear_offset(const struct vivgpu_context *context)
{
   return context->stream.used * sizeof(uint32_t);
}

static void
vivgpu_monitor_set_area(uint16_t area[4], unsigned x, unsigned y, unsigned width, unsigned height)
{
   area[0] = MIN2(x, UINT16_MAX);
   area[1] = MIN2(y, UINT16_MAX);
   area[2] = MIN2(width, UINT16_MAX);
   area[3] = MIN2(height, UINT16_MAX);
}

void
vivgpu_monitor_open_clear(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_command *open =
      vivgpu_group_begin(&monitor->builder, vivgpu_monitor_clear_offset(context));

   monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   if (!open)
      return;
   open->type = VIVGPU_COMMAND_CLEAR;
   open->flags = 0;
   monitor->clear.open = true;
   monitor->clear.count = 0;
   monitor->clear.buffers = 0;
   monitor->clear.bytes = 0;
}

void
vivgpu_monitor_clear_surface(struct vivgpu_context *context, unsigned kind, unsigned buffers,
                             struct pipe_surface *surface, uint32_t bytes)
{
   struct vivgpu_monitor_clear *clear = &context->monitor->clear;

   /* A clear within another command is a part of that one and is not listed. */
   if (!clear->open || context->monitor->builder.depth != 1)
      return;
   /* A command has one kind of clear: another kind begins the next command. */
   if (clear->count && clear->kind != kind) {
      vivgpu_monitor_close_clear(context);
      vivgpu_monitor_open_clear(context);
   }
   clear->kind = kind;
   clear->buffers |= buffers;
   clear->bytes += bytes;
   if (clear->count < ARRAY_SIZE(clear->surfaces))
      clear->surfaces[clear->count++] = surface;
}

/* New surfaces get their key here. The area is that of the last surface. */
void
vivgpu_monitor_finish_clear(struct vivgpu_context *context)
{
   const struct vivgpu_monitor_clear *clear = &context->monitor->clear;
   struct vivgpu_command *open = &context->monitor->builder.open;

   if (!clear->open)
      return;
   *open = (struct vivgpu_command){
      .type = open->type,
      .flags = open->flags,
      .clear = {.kind = clear->kind, .buffers = clear->buffers, .bytes = clear->bytes},
   };
   for (unsigned i = 0; i < clear->count; i++) {
      struct pipe_surface *surface = clear->surfaces[i];

      vivgpu_monitor_add_target(&open->target, vivgpu_monitor_surface(context, surface));
      vivgpu_monitor_set_area(open->clear.area, 0, 0, surface->width, surface->height);
   }
}

/* Words of the key of the open clear, which has one or two surfaces; new ones have the key 0 */

static inline uint64_t
vivgpu_monitor_key_kind(const struct vivgpu_monitor_clear *clear)
{
   return VIVGPU_COMMAND_CLEAR | clear->kind << 8 | clear->buffers << 16 |
          (uint64_t)clear->bytes << 32;
}

static inline uint64_t
vivgpu_monitor_key_surface(const struct vivgpu_monitor_clear *clear, unsigned i)
{
   return i < clear->count ? ((const struct vivgpu_surface *)clear->surfaces[i])->described_key : 0;
}

/* Set the key of the open clear. False if there is none for it, or a surface is new. */
static bool
vivgpu_monitor_clear_key(const struct vivgpu_monitor_clear *clear, struct vivgpu_group_key *key)
{
   for (unsigned i = 0; i < clear->count; i++) {
      if (!vivgpu_monitor_key_surface(clear, i))
         return false;
   }
   if (!clear->count || clear->count > KEY_SURFACES)
      return false;
   *key = (struct vivgpu_group_key){{vivgpu_monitor_key_kind(clear),
                                     vivgpu_monitor_key_surface(clear, 0),
                                     vivgpu_monitor_key_surface(clear, 1)}};
   return true;
}

static const uint32_t clear_head = VIVGPU_PACKED_HEAD(VIVGPU_COMMAND_CLEAR, 0, 0, 0);

/*
 * Close a clear that is not the expected one. Its key is looked for again once it is finished,
 * since new surfaces have their keys only then. The first time that a key is used it is remembered
 * without a number, and the clear is listed with its parameters.
 */
static ATTRIBUTE_NOINLINE void
vivgpu_monitor_close_other_clear(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_group_builder *builder = &monitor->builder;
   struct vivgpu_group_known *known = NULL;
   struct vivgpu_group_key key;
   bool whole = vivgpu_group_is_whole(builder, vivgpu_monitor_clear_offset(context));

   if (whole && vivgpu_monitor_clear_key(&monitor->clear, &key))
      known =
         vivgpu_group_find(&monitor->memory, &key, vivgpu_monitor_key_surface(&monitor->clear, 0));
   if (!known || !known->number) {
      vivgpu_monitor_finish_clear(context);
      if (known)
         known->number = vivgpu_monitor_describe(monitor, &builder->open);
      else if (whole && vivgpu_monitor_clear_key(&monitor->clear, &key))
         known = vivgpu_group_remember(&monitor->memory, &key,
                                       vivgpu_monitor_key_surface(&monitor->clear, 0));
   }
   if (known && known->number)
      vivgpu_group_refer(builder, clear_head, 0, 0, known->number);
   else
      vivgpu_group_close(builder, vivgpu_monitor_clear_offset(context), false);
}

/* True if the open clear is the expected one, which is listed then. */
static inline bool
vivgpu_monitor_close_expected(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   const struct vivgpu_monitor_clear *clear = &monitor->clear;
   const struct vivgpu_group_known *expected;

   /*
    * Without surfaces, where the subtraction wraps, or with more than KEY_SURFACES there is no key.
    */
   if (!vivgpu_group_is_whole(&monitor->builder, vivgpu_monitor_clear_offset(context)) ||
       clear->count - 1u >= KEY_SURFACES)
      return false;
   expected = vivgpu_group_expected(&monitor->memory, vivgpu_monitor_key_surface(clear, 0));
   if (!vivgpu_group_expects(expected, vivgpu_monitor_key_kind(clear),
                             vivgpu_monitor_key_surface(clear, 0),
                             vivgpu_monitor_key_surface(clear, 1), 0))
      return false;
   vivgpu_group_confirm(&monitor->memory, expected);
   vivgpu_group_refer(&monitor->builder, clear_head, 0, 0, expected->number);
   return true;
}

void
vivgpu_monitor_close_clear(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;

   /* Within another command there is nothing but a close. */
   if (!monitor->clear.open || monitor->builder.depth != 1) {
      vivgpu_group_close(&monitor->builder, vivgpu_monitor_clear_offset(context), false);
      return;
   }
   if (unlikely(!vivgpu_monitor_close_expected(context)))
      vivgpu_monitor_close_other_clear(context);
   monitor->clear.open = false;
}

void
vivgpu_monitor_open_clear_draw(struct vivgpu_context *context, unsigned buffers,
                               const struct pipe_surface *surface, unsigned x, unsigned y,
                               unsigned width, unsigned height)
{
   struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_CLEAR,
      .clear = {
         .kind = VIVGPU_CLEAR_DRAW,
         .buffers = buffers,
         .bytes = width * height * util_format_get_blocksize(surface->format) *
                  MAX2(surface->texture->nr_samples, 1),
      },
   };

   vivgpu_monitor_set_area(command.clear.area, x, y, width, height);
   vivgpu_monitor_set_target(context, &command.target, surface->texture, surface->format,
                             surface->u.tex.level);
   context->monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   vivgpu_group_open(&context->monitor->builder, &command, vivgpu_monitor_clear_offset(context));
}
