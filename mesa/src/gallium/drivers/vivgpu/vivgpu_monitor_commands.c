/* SPDX-License-Identifier: MIT */
/* Parameters of all commands but draws; see vivgpu_monitor.h. */

#include <string.h>

#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_atomic.h"
#include "util/u_math.h"
#include "util/u_threaded_context.h"
#include "vivgpu_context.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"

static uint32_t
offset(const struct vivgpu_context *context)
{
   return context->stream.used * sizeof(uint32_t);
}

static struct vivgpu_group_builder *
builder(struct vivgpu_context *context)
{
   return &context->monitor->builder;
}

static uint16_t
limit16(unsigned value)
{
   return MIN2(value, UINT16_MAX);
}

static void
set_area(uint16_t area[4], unsigned x, unsigned y, unsigned width, unsigned height)
{
   area[0] = limit16(x);
   area[1] = limit16(y);
   area[2] = limit16(width);
   area[3] = limit16(height);
}

static void
open_command(struct vivgpu_context *context, const struct vivgpu_command *command)
{
   context->monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   vivgpu_group_open(builder(context), command, offset(context));
}

void
vivgpu_monitor_close(struct vivgpu_context *context, bool always)
{
   vivgpu_group_close(builder(context), offset(context), always);
}

void
vivgpu_monitor_open_clear(struct vivgpu_context *context)
{
   const struct vivgpu_command command = {.type = VIVGPU_COMMAND_CLEAR};

   open_command(context, &command);
}

void
vivgpu_monitor_clear_surface(struct vivgpu_context *context, unsigned kind, unsigned buffers,
                             struct pipe_surface *surface, uint32_t bytes)
{
   struct vivgpu_command *open = vivgpu_group_opened(builder(context));

   if (open->type != VIVGPU_COMMAND_CLEAR)
      return;
   /* Surfaces that are cleared in another way are another command. */
   if (open->clear.buffers && open->clear.kind != kind) {
      vivgpu_group_close(builder(context), offset(context), false);
      vivgpu_monitor_open_clear(context);
   }
   open->clear.kind = kind;
   open->clear.buffers |= buffers;
   open->clear.bytes += bytes;
   set_area(open->clear.area, 0, 0, surface->width, surface->height);
   vivgpu_monitor_add_target(&open->target, vivgpu_monitor_surface(context, surface));
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

   set_area(command.clear.area, x, y, width, height);
   vivgpu_monitor_set_target(context, &command.target, surface->texture, surface->format,
                             surface->u.tex.level);
   open_command(context, &command);
}

/* Bytes of a box of pixels, all samples. */
static uint32_t
box_bytes(const struct pipe_resource *resource, enum pipe_format format, const struct pipe_box *box)
{
   return util_format_get_nblocks(format, abs(box->width), abs(box->height)) *
          util_format_get_blocksize(format) * MAX2(box->depth, 1) * MAX2(resource->nr_samples, 1);
}

static struct vivgpu_command
copy_command(struct vivgpu_context *context, const struct pipe_blit_info *info)
{
   struct pipe_resource *from = info->src.resource, *to = info->dst.resource;
   bool status = from->target != PIPE_BUFFER && info->src.level == 0;
   struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_COPY,
      .copy = {
         .width = limit16(abs(info->dst.box.width)),
         .height = limit16(abs(info->dst.box.height)),
         .source_format = info->src.format,
         .destination_format = info->dst.format,
         .source_samples = MAX2(from->nr_samples, 1),
         .destination_samples = MAX2(to->nr_samples, 1),
         .source_ts = status && vivgpu_resource(from)->status.valid,
         .bytes_read = box_bytes(from, info->src.format, &info->src.box),
         .bytes_written = box_bytes(to, info->dst.format, &info->dst.box),
      },
   };

   if (to->target != PIPE_BUFFER)
      vivgpu_monitor_set_target(context, &command.target, to, info->dst.format, info->dst.level);
   return command;
}

void
vivgpu_monitor_open_copy(struct vivgpu_context *context, const struct pipe_blit_info *info)
{
   const struct vivgpu_command command = copy_command(context, info);

   open_command(context, &command);
}

void
vivgpu_monitor_copy_by(struct vivgpu_context *context, unsigned by)
{
   struct vivgpu_command *open = vivgpu_group_opened(builder(context));

   if (open && open->type == VIVGPU_COMMAND_COPY)
      open->copy.by = by;
}

struct vivgpu_monitor_place
vivgpu_monitor_place(const struct vivgpu_context *context)
{
   return (struct vivgpu_monitor_place){context->stream.jobs, context->stream.used};
}

/* Insert a command whose words begin at @place, or later if the job was submitted since. */
static void
insert_since(struct vivgpu_context *context, struct vivgpu_monitor_place place,
             struct vivgpu_command *command)
{
   uint32_t mark, begin;

   vivgpu_group_opened(builder(context));
   begin = mark = builder(context)->mark;
   if (place.job == context->stream.jobs)
      begin = MAX2(place.used * (uint32_t)sizeof(uint32_t), mark);
   if (begin < offset(context))
      vivgpu_group_insert(builder(context), command, begin, offset(context));
}

void
vivgpu_monitor_copied(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                      const struct pipe_blit_info *info)
{
   struct vivgpu_command command = copy_command(context, info);

   insert_since(context, place, &command);
}

/* Bytes of a layer that a resolve reads or writes: with padding if it is whole. */
static uint64_t
resolved_bytes(const struct vivgpu_resource *resource, unsigned level, const struct pipe_box *box)
{
   const struct vivgpu_level *size = &resource->layout.levels[level];

   if (!box || (box->width == (int)size->width && box->height == (int)size->height))
      return size->layer_stride;
   return (uint64_t)box->width * box->height * util_format_get_blocksize(resource->base.b.format);
}

void
vivgpu_monitor_resolved(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                        const struct vivgpu_resource *to, const struct vivgpu_resource *from,
                        unsigned level, const struct pipe_box *box)
{
   const struct vivgpu_level *size = &from->layout.levels[level];
   const struct pipe_resource *source = &from->base.b, *dest = &to->base.b;
   unsigned layers = source->target == PIPE_TEXTURE_3D ? size->depth : MAX2(source->array_size, 1);
   struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_RESOLVE,
      .copy = {
         .width = limit16(box ? box->width : size->width),
         .height = limit16(box ? box->height : size->height),
         .source_format = source->format,
         .destination_format = dest->format,
         .source_samples = MAX2(source->nr_samples, 1),
         .destination_samples = MAX2(dest->nr_samples, 1),
         .source_ts = from == to || (level == 0 && from->status.valid),
         .bytes_read = resolved_bytes(from, level, box) * layers,
         .bytes_written = resolved_bytes(to, level, box) * layers,
      },
   };

   vivgpu_monitor_set_target(context, &command.target, (struct pipe_resource *)dest, dest->format,
                             level);
   insert_since(context, place, &command);
}

static struct vivgpu_command
upload_command(uint32_t bytes, enum pipe_format format, unsigned width, unsigned height,
               unsigned level, bool by_gpu)
{
   return (struct vivgpu_command){
      .type = VIVGPU_COMMAND_UPLOAD,
      .upload = {
         .bytes = bytes,
         .width = limit16(width),
         .height = limit16(height),
         .format = format,
         .level = level,
         .by_gpu = by_gpu,
      },
   };
}

void
vivgpu_monitor_open_upload(struct vivgpu_context *context, uint32_t bytes, enum pipe_format format,
                           unsigned width, unsigned height, unsigned level, bool by_gpu)
{
   const struct vivgpu_command command =
      upload_command(bytes, format, width, height, level, by_gpu);

   open_command(context, &command);
}

void
vivgpu_monitor_upload(struct vivgpu_context *context, uint32_t bytes, enum pipe_format format,
                      unsigned width, unsigned height, unsigned level)
{
   struct vivgpu_command command = upload_command(bytes, format, width, height, level, false);

   if (!vivgpu_group_opened(builder(context)))
      vivgpu_group_insert(builder(context), &command, offset(context), offset(context));
}

void
vivgpu_monitor_buffer(struct vivgpu_context *context, unsigned usage, uint32_t bytes)
{
   if (usage & PIPE_MAP_PERSISTENT)
      return;
   if (usage & TC_TRANSFER_MAP_THREADED_UNSYNC)
      p_atomic_add(&context->monitor->unsynchronized_bytes, bytes);
   else
      vivgpu_monitor_upload(context, bytes, PIPE_FORMAT_NONE, 0, 0, 0);
}

void
vivgpu_monitor_open_query(struct vivgpu_context *context, unsigned type, bool end)
{
   const struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_QUERY,
      .query = {.type = limit16(type), .end = end},
   };

   open_command(context, &command);
}

void
vivgpu_monitor_marker(struct vivgpu_context *context, const char *text, unsigned length)
{
   static const uint8_t types[] = {
      [VIVGPU_MARKER_PUSH] = VIVGPU_COMMAND_DEBUG_PUSH,
      [VIVGPU_MARKER_POP] = VIVGPU_COMMAND_DEBUG_POP,
      [VIVGPU_MARKER_LABEL] = VIVGPU_COMMAND_DEBUG_LABEL,
   };
   unsigned skip = vivgpu_marker_is_debug(text) ? 1 : 0;
   struct vivgpu_command command = {
      .type = skip ? types[(unsigned char)text[0]] : VIVGPU_COMMAND_DEBUG_MARKER,
   };

   memcpy(command.text, text + skip, MIN2(length - skip, sizeof(command.text)));
   vivgpu_group_insert(builder(context), &command, offset(context), offset(context));
}

/*
 * Describe a swap by the window that was drawn to since the last one. The pixels that were drawn at
 * most are read; the rest is cleared. The copy itself, if there is one, is a RESOLVE before.
 */
static void
describe_swap(struct vivgpu_monitor *monitor, struct vivgpu_command *command)
{
   const struct vivgpu_group_target *window = &monitor->window;
   uint32_t pixel_bytes = window->color_bytes * window->samples;
   uint64_t pixels = (uint64_t)window->width * window->height;

   command->target = *window;
   command->copy = (struct vivgpu_command_copy){
      .width = window->width,
      .height = window->height,
      .source_format = window->color_format,
      .destination_format = window->color_format,
      .source_samples = window->samples,
      .destination_samples = 1,
      .source_ts = monitor->window_has_status,
      .bytes_read = MIN2(monitor->window_pixels, pixels) * pixel_bytes,
      .bytes_written = pixels * window->color_bytes,
   };
   memset(&monitor->window, 0, sizeof(monitor->window));
   monitor->window_pixels = 0;
}

enum vivgpu_group_reason
vivgpu_monitor_flush(struct vivgpu_context *context, unsigned flags, bool fence, bool submits)
{
   enum vivgpu_group_reason reason = flags & PIPE_FLUSH_END_OF_FRAME  ? VIVGPU_GROUP_SWAP
                                     : flags & PIPE_FLUSH_HINT_FINISH ? VIVGPU_GROUP_FINISH
                                     : fence                          ? VIVGPU_GROUP_FENCE
                                                                      : VIVGPU_GROUP_FLUSH;
   struct vivgpu_command command = {
      .type = reason == VIVGPU_GROUP_SWAP     ? VIVGPU_COMMAND_SWAP
              : reason == VIVGPU_GROUP_FINISH ? VIVGPU_COMMAND_FINISH
                                              : VIVGPU_COMMAND_FLUSH,
   };

   if (reason == VIVGPU_GROUP_SWAP)
      describe_swap(context->monitor, &command);
   if (submits)
      vivgpu_group_insert(builder(context), &command, offset(context), offset(context));
   else
      builder(context)->group.frame += reason == VIVGPU_GROUP_SWAP;
   return reason;
}
