/* SPDX-License-Identifier: MIT */
/* Parameters of all commands but draws and clears; see vivgpu_monitor.h. */

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
vivgpu_monitor_commands_offset(const struct vivgpu_context *context)
{
   return context->stream.used * sizeof(uint32_t);
}

static struct vivgpu_group_builder *
vivgpu_monitor_builder(struct vivgpu_context *context)
{
   return &context->monitor->builder;
}

static uint16_t
vivgpu_monitor_commands_limit16(unsigned value)
{
   return MIN2(value, UINT16_MAX);
}

static void
vivgpu_monitor_open_command(struct vivgpu_context *context, const struct vivgpu_command *command)
{
   context->monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   vivgpu_group_open(vivgpu_monitor_builder(context), command,
                     vivgpu_monitor_commands_offset(context));
}

void
vivgpu_monitor_close(struct vivgpu_context *context, bool always)
{
   vivgpu_group_close(vivgpu_monitor_builder(context), vivgpu_monitor_commands_offset(context),
                      always);
}

/* Bytes of a box of pixels, all samples. */
static uint32_t
vivgpu_monitor_box_bytes(const struct pipe_resource *resource, enum pipe_format format,
                         const struct pipe_box *box)
{
   return util_format_get_nblocks(format, abs(box->width), abs(box->height)) *
          util_format_get_blocksize(format) * MAX2(box->depth, 1) * MAX2(resource->nr_samples, 1);
}

static struct vivgpu_command
vivgpu_monitor_copy_command(struct vivgpu_context *context, const struct pipe_blit_info *info)
{
   struct pipe_resource *from = info->src.resource, *to = info->dst.resource;
   bool status = from->target != PIPE_BUFFER && info->src.level == 0;
   struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_COPY,
      .copy =
         {
            .width = vivgpu_monitor_commands_limit16(abs(info->dst.box.width)),
            .height = vivgpu_monitor_commands_limit16(abs(info->dst.box.height)),
            .source_format = info->src.format,
            .destination_format = info->dst.format,
            .source_samples = MAX2(from->nr_samples, 1),
            .destination_samples = MAX2(to->nr_samples, 1),
            .source_ts = status && vivgpu_resource(from)->status.valid,
            .bytes_read = vivgpu_monitor_box_bytes(from, info->src.format, &info->src.box),
            .bytes_written = vivgpu_monitor_box_bytes(to, info->dst.format, &info->dst.box),
         },
   };

   if (to->target != PIPE_BUFFER)
      vivgpu_monitor_set_target(context, &command.target, to, info->dst.format, info->dst.level);
   return command;
}

void
vivgpu_monitor_open_copy(struct vivgpu_context *context, const struct pipe_blit_info *info)
{
   const struct vivgpu_command command = vivgpu_monitor_copy_command(context, info);

   vivgpu_monitor_open_command(context, &command);
}

void
vivgpu_monitor_copy_by(struct vivgpu_context *context, unsigned by)
{
   struct vivgpu_command *open = vivgpu_group_opened(vivgpu_monitor_builder(context));

   if (open && open->type == VIVGPU_COMMAND_COPY)
      open->copy.by = by;
}

struct vivgpu_monitor_place
vivgpu_monitor_place(const struct vivgpu_context *context)
{
   return (struct vivgpu_monitor_place){context->stream.jobs, context->stream.used};
}

/*
 * Return the offset at which the words of a command to be inserted begin: @place, or the end of the
 * last listed command if that is later or the job was submitted since. If there are no words it is
 * not below the end of the stream. No command may be open.
 */
static inline uint32_t
vivgpu_monitor_words_since(const struct vivgpu_context *context, struct vivgpu_monitor_place place)
{
   const uint32_t mark = context->monitor->builder.mark;

   return place.job == context->stream.jobs ? MAX2(place.used * (uint32_t)sizeof(uint32_t), mark)
                                            : mark;
}

/*
 * vivgpu_monitor_words_since(), also if a command is open: the inserted one then gets words that
 * the open one would have had, so that one is no longer as it was opened (vivgpu_group_is_whole()).
 */
static inline uint32_t
vivgpu_monitor_words_taken_since(struct vivgpu_context *context, struct vivgpu_monitor_place place)
{
   vivgpu_group_opened(vivgpu_monitor_builder(context));
   return vivgpu_monitor_words_since(context, place);
}

/*
 * Insert a command that is not the expected one. The first time that a key is used the command is
 * listed with its parameters, the second time its description gets a number. @describe: returns the
 * command, called unless the key's description has a number already; @data: its argument
 */
static ATTRIBUTE_NOINLINE void
vivgpu_monitor_insert_by_key(struct vivgpu_context *context, const struct vivgpu_group_key *key,
                             uint32_t target, uint32_t from,
                             struct vivgpu_command (*describe)(struct vivgpu_context *,
                                                               const void *),
                             const void *data)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_group_known *known = vivgpu_group_find(&monitor->memory, key, target);
   struct vivgpu_command command;

   if (!known || !known->number) {
      command = describe(context, data);
      if (known)
         known->number = vivgpu_monitor_describe(monitor, &command);
      else
         known = vivgpu_group_remember(&monitor->memory, key, target);
   }
   if (known->number)
      vivgpu_group_insert_reference(vivgpu_monitor_builder(context), key->words[0] & 0xff,
                                    known->number, from, vivgpu_monitor_commands_offset(context));
   else
      vivgpu_group_insert(vivgpu_monitor_builder(context), &command, from,
                          vivgpu_monitor_commands_offset(context));
}

/* Insert the command that was expected, from the offset @from on. */
static inline void
vivgpu_monitor_insert_expected(struct vivgpu_context *context,
                               const struct vivgpu_group_known *expected, unsigned type,
                               uint32_t from)
{
   vivgpu_group_confirm(&context->monitor->memory, expected);
   vivgpu_group_insert_reference(vivgpu_monitor_builder(context), type, expected->number, from,
                                 vivgpu_monitor_commands_offset(context));
}

void
vivgpu_monitor_copied(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                      const struct pipe_blit_info *info)
{
   uint32_t from = vivgpu_monitor_words_taken_since(context, place);
   struct vivgpu_command command;

   if (from >= vivgpu_monitor_commands_offset(context))
      return;
   command = vivgpu_monitor_copy_command(context, info);
   vivgpu_group_insert(vivgpu_monitor_builder(context), &command, from,
                       vivgpu_monitor_commands_offset(context));
}

/* Bytes of a layer that a resolve reads or writes: with padding if it is whole. */
static uint64_t
vivgpu_monitor_resolved_bytes(const struct vivgpu_resource *resource, unsigned level,
                              const struct pipe_box *box)
{
   const struct vivgpu_level *size = &resource->layout.levels[level];

   if (!box || (box->width == (int)size->width && box->height == (int)size->height))
      return size->layer_stride;
   return (uint64_t)box->width * box->height * util_format_get_blocksize(resource->base.b.format);
}

/* A resolve, as vivgpu_monitor_resolved() gets it */
struct resolve {
   const struct vivgpu_resource *to, *from;
   unsigned level;
   const struct pipe_box *box;
   bool status;
};

static struct vivgpu_command
vivgpu_monitor_resolve_command(struct vivgpu_context *context, const void *data)
{
   const struct resolve *resolve = data;
   const struct vivgpu_resource *from = resolve->from, *to = resolve->to;
   const struct vivgpu_level *size = &from->layout.levels[resolve->level];
   const struct pipe_resource *source = &from->base.b, *dest = &to->base.b;
   const struct pipe_box *box = resolve->box;
   unsigned layers = source->target == PIPE_TEXTURE_3D ? size->depth : MAX2(source->array_size, 1);
   struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_RESOLVE,
      .copy =
         {
            .width = vivgpu_monitor_commands_limit16(box ? box->width : size->width),
            .height = vivgpu_monitor_commands_limit16(box ? box->height : size->height),
            .source_format = source->format,
            .destination_format = dest->format,
            .source_samples = MAX2(source->nr_samples, 1),
            .destination_samples = MAX2(dest->nr_samples, 1),
            .source_ts = resolve->status,
            .bytes_read = vivgpu_monitor_resolved_bytes(from, resolve->level, box) * layers,
            .bytes_written = vivgpu_monitor_resolved_bytes(to, resolve->level, box) * layers,
         },
   };

   vivgpu_monitor_set_target(context, &command.target, (struct pipe_resource *)dest, dest->format,
                             resolve->level);
   return command;
}

/* Words of a resolve's key */

static inline uint64_t
vivgpu_monitor_key_resolve(unsigned level, bool status)
{
   return VIVGPU_COMMAND_RESOLVE | level << 8 | (unsigned)status << 16;
}

static inline uint64_t
vivgpu_monitor_key_resources(const struct vivgpu_resource *to, const struct vivgpu_resource *from)
{
   return p_atomic_read(&from->described_number) |
          (uint64_t)p_atomic_read(&to->described_number) << 32;
}

/* 0 if there is no box: a box is never empty. */
static inline uint64_t
vivgpu_monitor_key_size(const struct pipe_box *box)
{
   return box ? (uint32_t)box->width | (uint64_t)(uint32_t)box->height << 32 : 0;
}

/* True if the resolve is listed as one that reads tile status: each one in place is. */
static inline bool
vivgpu_monitor_reads_status(const struct vivgpu_resource *to, const struct vivgpu_resource *from,
                            unsigned level)
{
   return from == to || (level == 0 && from->status.valid);
}

/* A resolve within another command, or one that is not the expected one */
static ATTRIBUTE_NOINLINE void
vivgpu_monitor_insert_resolve(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                              struct vivgpu_resource *to, struct vivgpu_resource *from,
                              unsigned level, const struct pipe_box *box)
{
   const struct resolve resolve = {to, from, level, box,
                                   vivgpu_monitor_reads_status(to, from, level)};
   const uint32_t words = vivgpu_monitor_words_taken_since(context, place);
   struct vivgpu_group_key key = {
      {vivgpu_monitor_key_resolve(level, resolve.status), 0, vivgpu_monitor_key_size(box)}};

   if (words >= vivgpu_monitor_commands_offset(context))
      return;
   key.words[1] = vivgpu_monitor_number(&from->described_number) |
                  (uint64_t)vivgpu_monitor_number(&to->described_number) << 32;
   vivgpu_monitor_insert_by_key(context, &key, to->described_number, words,
                                vivgpu_monitor_resolve_command, &resolve);
}

void
vivgpu_monitor_resolved(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                        struct vivgpu_resource *to, struct vivgpu_resource *from, unsigned level,
                        const struct pipe_box *box)
{
   const struct vivgpu_group_known *expected =
      vivgpu_group_expected(&context->monitor->memory, p_atomic_read(&to->described_number));

   if (likely(!vivgpu_monitor_builder(context)->depth &&
              vivgpu_group_expects(
                 expected,
                 vivgpu_monitor_key_resolve(level, vivgpu_monitor_reads_status(to, from, level)),
                 vivgpu_monitor_key_resources(to, from), vivgpu_monitor_key_size(box), 0))) {
      const uint32_t words = vivgpu_monitor_words_since(context, place);

      if (words < vivgpu_monitor_commands_offset(context))
         vivgpu_monitor_insert_expected(context, expected, VIVGPU_COMMAND_RESOLVE, words);
   } else {
      vivgpu_monitor_insert_resolve(context, place, to, from, level, box);
   }
}

void
vivgpu_monitor_tiles_resolved(struct vivgpu_context *context, struct vivgpu_monitor_place place,
                              struct vivgpu_resource *to, unsigned level,
                              struct vivgpu_resource *words)
{
   const struct resolve resolve = {.to = words, .from = words};
   const uint32_t from = vivgpu_monitor_words_taken_since(context, place);
   struct vivgpu_command command;

   if (from >= vivgpu_monitor_commands_offset(context))
      return;
   command = vivgpu_monitor_resolve_command(context, &resolve);
   vivgpu_monitor_set_target(context, &command.target, &to->base.b, to->base.b.format, level);
   vivgpu_group_insert(vivgpu_monitor_builder(context), &command, from,
                       vivgpu_monitor_commands_offset(context));
}

static struct vivgpu_command_upload
vivgpu_monitor_describe_upload(uint32_t bytes, enum pipe_format format, unsigned width,
                               unsigned height, unsigned level, bool by_gpu)
{
   return (struct vivgpu_command_upload){
      .bytes = bytes,
      .width = vivgpu_monitor_commands_limit16(width),
      .height = vivgpu_monitor_commands_limit16(height),
      .format = format,
      .level = level,
      .by_gpu = by_gpu,
   };
}

void
vivgpu_monitor_open_upload(struct vivgpu_context *context, uint32_t bytes, enum pipe_format format,
                           unsigned width, unsigned height, unsigned level, bool by_gpu)
{
   struct vivgpu_command *open =
      vivgpu_group_begin(vivgpu_monitor_builder(context), vivgpu_monitor_commands_offset(context));

   context->monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   if (!open)
      return;
   open->type = VIVGPU_COMMAND_UPLOAD;
   open->flags = 0;
   memset(&open->target, 0, sizeof(open->target));
   open->upload = vivgpu_monitor_describe_upload(bytes, format, width, height, level, by_gpu);
}

void
vivgpu_monitor_upload(struct vivgpu_context *context, uint32_t bytes, enum pipe_format format,
                      unsigned width, unsigned height, unsigned level)
{
   struct vivgpu_command command = {
      .type = VIVGPU_COMMAND_UPLOAD,
      .upload = vivgpu_monitor_describe_upload(bytes, format, width, height, level, false),
   };

   if (!vivgpu_group_opened(vivgpu_monitor_builder(context)))
      vivgpu_group_insert(vivgpu_monitor_builder(context), &command,
                          vivgpu_monitor_commands_offset(context),
                          vivgpu_monitor_commands_offset(context));
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
      .query = {.type = vivgpu_monitor_commands_limit16(type), .end = end},
   };

   vivgpu_monitor_open_command(context, &command);
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
   vivgpu_group_insert(vivgpu_monitor_builder(context), &command,
                       vivgpu_monitor_commands_offset(context),
                       vivgpu_monitor_commands_offset(context));
}

/*
 * Describe a swap by the window that was drawn to since the last one. It reads at most the pixels
 * that were drawn; of the others only the tags are read, which say that they are cleared. The copy
 * itself, if there is one, is a RESOLVE before.
 */
static struct vivgpu_command
vivgpu_monitor_swap_command(struct vivgpu_context *context, const void *data)
{
   const struct vivgpu_monitor *monitor = context->monitor;
   const struct vivgpu_group_target *window = &monitor->window;
   uint32_t pixel_bytes = window->color_bytes * window->samples;
   uint64_t pixels = (uint64_t)window->width * window->height;

   return (struct vivgpu_command){
      .type = VIVGPU_COMMAND_SWAP,
      .target = *window,
      .copy = {
         .width = window->width,
         .height = window->height,
         .source_format = window->color_format,
         .destination_format = window->color_format,
         .source_samples = window->samples,
         .destination_samples = 1,
         .source_ts = monitor->window_has_status,
         .bytes_read = MIN2(monitor->window_pixels, pixels) * pixel_bytes,
         .bytes_written = pixels * window->color_bytes,
      },
   };
}

static void
vivgpu_monitor_list_swap(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   const struct vivgpu_group_known *expected =
      vivgpu_group_expected(&monitor->memory, monitor->window.id);
   const uint64_t how = VIVGPU_COMMAND_SWAP | (uint64_t)monitor->window_has_status << 32;
   const uint64_t pixels = monitor->window_pixels;
   uint64_t window[2];

   STATIC_ASSERT(sizeof(monitor->window) == sizeof(window));
   memcpy(window, &monitor->window, sizeof(window));
   if (likely(vivgpu_group_expects(expected, how, pixels, window[0], window[1])))
      vivgpu_monitor_insert_expected(context, expected, VIVGPU_COMMAND_SWAP,
                                     vivgpu_monitor_commands_offset(context));
   else
      vivgpu_monitor_insert_by_key(context,
                                   &(struct vivgpu_group_key){{how, pixels, window[0], window[1]}},
                                   monitor->window.id, vivgpu_monitor_commands_offset(context),
                                   vivgpu_monitor_swap_command, NULL);
}

/* Forget the window and the pixels that were drawn to it since the last swap. */
static void
vivgpu_monitor_begin_frame(struct vivgpu_monitor *monitor)
{
   memset(&monitor->window, 0, sizeof(monitor->window));
   monitor->window_pixels = 0;
}

static enum vivgpu_group_reason
vivgpu_monitor_flush_reason(unsigned flags, bool fence)
{
   return flags & PIPE_FLUSH_END_OF_FRAME  ? VIVGPU_GROUP_SWAP
          : flags & PIPE_FLUSH_HINT_FINISH ? VIVGPU_GROUP_FINISH
          : fence                          ? VIVGPU_GROUP_FENCE
                                           : VIVGPU_GROUP_FLUSH;
}

enum vivgpu_group_reason
vivgpu_monitor_flush(struct vivgpu_context *context, unsigned flags, bool fence, bool submits)
{
   enum vivgpu_group_reason reason = vivgpu_monitor_flush_reason(flags, fence);

   if (reason == VIVGPU_GROUP_SWAP) {
      /* If a job is submitted, vivgpu_monitor_submitted() counts the frame. */
      if (submits)
         vivgpu_monitor_list_swap(context);
      else
         vivgpu_monitor_builder(context)->group.frame++;
      vivgpu_monitor_begin_frame(context->monitor);
   } else if (submits) {
      vivgpu_group_insert_reference(
         vivgpu_monitor_builder(context),
         reason == VIVGPU_GROUP_FINISH ? VIVGPU_COMMAND_FINISH : VIVGPU_COMMAND_FLUSH, 0,
         vivgpu_monitor_commands_offset(context), vivgpu_monitor_commands_offset(context));
   }
   return reason;
}
