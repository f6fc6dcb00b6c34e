/* SPDX-License-Identifier: MIT */

#include "vivgpu_translate.h"

#include <string.h>

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_upload_mgr.h"
#include "util/u_vbuf.h"
#include "vivgpu_context.h"
#include "vivgpu_generation.h"

/* Elements begin at 32-bit words, as the core requires. */
#define ELEMENT_ALIGN 4

static bool
exceeds_max_stride(const struct pipe_vertex_element *element)
{
   return element->src_stride > VIVGPU_MAX_STRIDE;
}

/* Return a stream that has space for another element of the same rows, or NULL. */
static struct vivgpu_translate_stream *
find_stream(struct vivgpu_translate *translate, const struct pipe_vertex_element *element,
            uint32_t bytes)
{
   for (uint32_t i = 0; i < translate->num_streams; i++) {
      struct vivgpu_translate_stream *stream = &translate->streams[i];

      if (stream->buffer == element->vertex_buffer_index &&
          stream->from_stride == element->src_stride &&
          stream->divisor == element->instance_divisor &&
          stream->stride + bytes <= VIVGPU_MAX_STRIDE)
         return stream;
   }
   return NULL;
}

/*
 * Add a stream with the lowest number that is free in @used_streams. Returns NULL if none is free.
 */
static struct vivgpu_translate_stream *
add_stream(struct vivgpu_translate *translate, const struct pipe_vertex_element *element,
           uint32_t *used_streams, uint32_t max_streams)
{
   uint32_t number = ffs(~*used_streams) - 1;
   struct vivgpu_translate_stream *stream;

   if (number >= max_streams)
      return NULL;
   *used_streams |= 1u << number;
   stream = &translate->streams[translate->num_streams++];
   *stream = (struct vivgpu_translate_stream){
      .number = number,
      .buffer = element->vertex_buffer_index,
      .from_stride = element->src_stride,
      .divisor = element->instance_divisor,
   };
   return stream;
}

bool
vivgpu_translate_plan(struct vivgpu_translate *translate, unsigned count,
                      const struct pipe_vertex_element *base,
                      const struct vivgpu_generation *generation)
{
   struct vivgpu_translate_stream *streams[VIVGPU_MAX_ELEMENTS] = {NULL};
   struct pipe_vertex_element elements[VIVGPU_MAX_ELEMENTS];
   uint32_t used_streams = 0;

   memset(translate, 0, sizeof(*translate));
   for (unsigned i = 0; i < count; i++)
      used_streams |= exceeds_max_stride(&base[i]) ? 0 : 1u << base[i].vertex_buffer_index;
   for (unsigned i = 0; i < count; i++) {
      uint32_t bytes = util_format_get_blocksize(base[i].src_format);
      uint32_t room = align(bytes, ELEMENT_ALIGN);

      elements[i] = base[i];
      if (!exceeds_max_stride(&base[i]))
         continue;
      streams[i] = find_stream(translate, &base[i], room);
      if (!streams[i])
         streams[i] = add_stream(translate, &base[i], &used_streams, generation->num_streams);
      if (!streams[i])
         return false;
      streams[i]->elements[streams[i]->num_elements++] =
         (struct vivgpu_translate_element){base[i].src_offset, streams[i]->stride, bytes};
      elements[i].src_offset = streams[i]->stride;
      elements[i].vertex_buffer_index = streams[i]->number;
      streams[i]->stride += room;
   }
   for (unsigned i = 0; i < count; i++) {
      if (streams[i])
         elements[i].src_stride = streams[i]->stride;
   }
   return translate->num_streams &&
          vivgpu_vertex_elements_init(&translate->elements, count, elements, generation);
}

struct vivgpu_translate_rows
vivgpu_translate_rows(const struct vivgpu_translate_stream *stream, uint64_t size, int64_t min,
                      int64_t max)
{
   int64_t available = DIV_ROUND_UP(size, stream->from_stride);

   min = MAX2(min, 0);
   max = MIN2(max, available - 1);
   if (min > max)
      return (struct vivgpu_translate_rows){0, 1};
   return (struct vivgpu_translate_rows){min, max - min + 1};
}

void
vivgpu_translate_copy(const struct vivgpu_translate_stream *stream, void *to, const void *from,
                      uint64_t size, uint32_t rows)
{
   for (uint32_t row = 0; row < rows; row++) {
      uint64_t begin = (uint64_t)row * stream->from_stride;
      char *out = (char *)to + (uint64_t)row * stream->stride;

      for (uint32_t i = 0; i < stream->num_elements; i++) {
         const struct vivgpu_translate_element *element = &stream->elements[i];

         if (begin + element->from + element->bytes <= size)
            memcpy(out + element->to, (const char *)from + begin + element->from, element->bytes);
         else
            memset(out + element->to, 0, element->bytes);
      }
   }
}

/* Find the vertices that a draw reads, @min to @max; none if @min > @max. */
static void
find_vertices(struct vivgpu_context *context, const struct pipe_draw_info *info,
              const struct pipe_draw_start_count_bias *range, int64_t *min, int64_t *max)
{
   unsigned lowest = 0, highest = 0;

   if (!info->index_size) {
      *min = range->start;
      *max = (int64_t)range->start + range->count - 1;
      return;
   }
   u_vbuf_get_minmax_index(&context->base, info, range, &lowest, &highest);
   *min = (int64_t)lowest + range->index_bias;
   *max = (int64_t)highest + range->index_bias;
}

/* Copy the vertices @min to @max of a stream to new memory, bound as @made. */
static bool
make_stream(struct vivgpu_context *context, const struct vivgpu_translate_stream *stream,
            const struct pipe_vertex_buffer *buffer, int64_t min, int64_t max,
            struct pipe_vertex_buffer *made)
{
   struct pipe_resource *resource = buffer->buffer.resource;
   uint64_t width = resource ? resource->width0 : 0;
   uint64_t size = width - MIN2(width, buffer->buffer_offset);
   struct vivgpu_translate_rows rows = vivgpu_translate_rows(stream, size, min, max);
   uint64_t begin = (uint64_t)rows.first * stream->from_stride;
   struct pipe_transfer *transfer = NULL;
   const void *from = NULL;
   void *to = NULL;

   *made = (struct pipe_vertex_buffer){0};
   /* No overflow: the rows are within the buffer, which has a larger stride. */
   u_upload_alloc(context->base.stream_uploader, rows.first * stream->stride,
                  rows.count * stream->stride, ELEMENT_ALIGN, &made->buffer_offset,
                  &made->buffer.resource, &to);
   size -= MIN2(size, begin);
   if (size)
      from = pipe_buffer_map_range(&context->base, resource, buffer->buffer_offset + begin, size,
                                   PIPE_MAP_READ, &transfer);
   if (to && (from || !size))
      vivgpu_translate_copy(stream, to, from, size, rows.count);
   if (transfer)
      pipe_buffer_unmap(&context->base, transfer);
   made->buffer_offset -= rows.first * stream->stride;
   return to && (from || !size);
}

bool
vivgpu_translate_begin(struct vivgpu_context *context, const struct pipe_draw_info *info,
                       const struct pipe_draw_start_count_bias *range,
                       struct vivgpu_translate_saved *saved)
{
   const struct vivgpu_translate *translate = context->elements->translate;
   bool done = true;
   int64_t min, max;

   saved->elements = context->elements;
   saved->mask = context->vertex_buffer_mask;
   memcpy(saved->buffers, context->vertex_buffers, sizeof(saved->buffers));
   find_vertices(context, info, range, &min, &max);
   for (uint32_t i = 0; i < translate->num_streams; i++) {
      const struct vivgpu_translate_stream *stream = &translate->streams[i];
      int64_t last = stream->divisor ? ((int64_t)info->instance_count - 1) / stream->divisor : max;

      done &= make_stream(context, stream, &saved->buffers[stream->buffer],
                          stream->divisor ? 0 : min, last,
                          &context->vertex_buffers[stream->number]);
      context->vertex_buffer_mask |= 1u << stream->number;
   }
   context->elements = &context->elements->translate->elements;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
   return done;
}

void
vivgpu_translate_end(struct vivgpu_context *context, struct vivgpu_translate_saved *saved)
{
   const struct vivgpu_translate *translate = saved->elements->translate;

   for (uint32_t i = 0; i < translate->num_streams; i++)
      pipe_vertex_buffer_unreference(&context->vertex_buffers[translate->streams[i].number]);
   memcpy(context->vertex_buffers, saved->buffers, sizeof(saved->buffers));
   context->vertex_buffer_mask = saved->mask;
   context->elements = saved->elements;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
}
