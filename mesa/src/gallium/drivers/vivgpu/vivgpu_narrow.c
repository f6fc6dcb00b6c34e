/* SPDX-License-Identifier: MIT */

#include "vivgpu_narrow.h"

#include <string.h>

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_upload_mgr.h"
#include "util/u_vbuf.h"
#include "vivgpu_context.h"
#include "vivgpu_generation.h"

/* Elements begin at whole words, as the core wants them. */
#define ELEMENT_ALIGN 4

static bool
is_wide(const struct pipe_vertex_element *element)
{
   return element->src_stride > VIVGPU_LARGEST_STRIDE;
}

/* The stream that takes another element of the same rows, or NULL. */
static struct vivgpu_narrow_stream *
find_stream(struct vivgpu_narrow *narrow, const struct pipe_vertex_element *element, uint32_t bytes)
{
   for (uint32_t i = 0; i < narrow->num_streams; i++) {
      struct vivgpu_narrow_stream *stream = &narrow->streams[i];

      if (stream->buffer == element->vertex_buffer_index &&
          stream->from_stride == element->src_stride &&
          stream->divisor == element->instance_divisor &&
          stream->stride + bytes <= VIVGPU_LARGEST_STRIDE)
         return stream;
   }
   return NULL;
}

/* A new one, numbered by the first stream that is free in @taken. NULL if none is. */
static struct vivgpu_narrow_stream *
add_stream(struct vivgpu_narrow *narrow, const struct pipe_vertex_element *element, uint32_t *taken,
           uint32_t most)
{
   uint32_t number = ffs(~*taken) - 1;
   struct vivgpu_narrow_stream *stream;

   if (number >= most)
      return NULL;
   *taken |= 1u << number;
   stream = &narrow->streams[narrow->num_streams++];
   *stream = (struct vivgpu_narrow_stream){
      .number = number,
      .buffer = element->vertex_buffer_index,
      .from_stride = element->src_stride,
      .divisor = element->instance_divisor,
   };
   return stream;
}

bool
vivgpu_narrow_plan(struct vivgpu_narrow *narrow, unsigned count,
                   const struct pipe_vertex_element *base,
                   const struct vivgpu_generation *generation)
{
   struct vivgpu_narrow_stream *streams[VIVGPU_MAX_ELEMENTS] = {NULL};
   struct pipe_vertex_element elements[VIVGPU_MAX_ELEMENTS];
   uint32_t taken = 0;

   memset(narrow, 0, sizeof(*narrow));
   for (unsigned i = 0; i < count; i++)
      taken |= is_wide(&base[i]) ? 0 : 1u << base[i].vertex_buffer_index;
   for (unsigned i = 0; i < count; i++) {
      uint32_t bytes = util_format_get_blocksize(base[i].src_format);
      uint32_t room = align(bytes, ELEMENT_ALIGN);

      elements[i] = base[i];
      if (!is_wide(&base[i]))
         continue;
      streams[i] = find_stream(narrow, &base[i], room);
      if (!streams[i])
         streams[i] = add_stream(narrow, &base[i], &taken, generation->num_streams);
      if (!streams[i])
         return false;
      streams[i]->pieces[streams[i]->num_pieces++] =
         (struct vivgpu_narrow_piece){base[i].src_offset, streams[i]->stride, bytes};
      elements[i].src_offset = streams[i]->stride;
      elements[i].vertex_buffer_index = streams[i]->number;
      streams[i]->stride += room;
   }
   for (unsigned i = 0; i < count; i++) {
      if (streams[i])
         elements[i].src_stride = streams[i]->stride;
   }
   return narrow->num_streams &&
          vivgpu_vertex_elements_init(&narrow->elements, count, elements, generation);
}

void
vivgpu_narrow_copy(const struct vivgpu_narrow_stream *stream, void *to, const void *from,
                   uint32_t size, uint32_t rows)
{
   for (uint32_t row = 0; row < rows; row++) {
      uint64_t begin = (uint64_t)row * stream->from_stride;
      char *out = (char *)to + row * stream->stride;

      for (uint32_t i = 0; i < stream->num_pieces; i++) {
         const struct vivgpu_narrow_piece *piece = &stream->pieces[i];

         if (begin + piece->from + piece->bytes <= size)
            memcpy(out + piece->to, (const char *)from + begin + piece->from, piece->bytes);
         else
            memset(out + piece->to, 0, piece->bytes);
      }
   }
}

/* Vertices a draw reads: the first, and how many. */
static void
find_rows(struct vivgpu_context *context, const struct pipe_draw_info *info,
          const struct pipe_draw_start_count_bias *range, uint32_t *first, uint32_t *rows)
{
   unsigned min = range->start, max = range->start + range->count - 1;

   if (info->index_size) {
      u_vbuf_get_minmax_index(&context->base, info, range, &min, &max);
      min = MAX2((int64_t)min + range->index_bias, 0);
      max = MAX2((int64_t)max + range->index_bias, 0);
   }
   *first = min;
   *rows = max - min + 1;
}

/* One stream's rows, in new memory that becomes @made. */
static bool
make_stream(struct vivgpu_context *context, const struct vivgpu_narrow_stream *stream,
            const struct pipe_vertex_buffer *buffer, uint32_t first, uint32_t rows,
            struct pipe_vertex_buffer *made)
{
   struct pipe_resource *resource = buffer->buffer.resource;
   uint64_t begin = buffer->buffer_offset + (uint64_t)first * stream->from_stride;
   uint32_t size = resource && begin < resource->width0 ? resource->width0 - begin : 0;
   struct pipe_transfer *transfer = NULL;
   const void *from = NULL;
   void *to = NULL;

   *made = (struct pipe_vertex_buffer){0};
   u_upload_alloc(context->base.stream_uploader, first * stream->stride, rows * stream->stride,
                  ELEMENT_ALIGN, &made->buffer_offset, &made->buffer.resource, &to);
   if (size)
      from = pipe_buffer_map_range(&context->base, resource, begin, size, PIPE_MAP_READ, &transfer);
   if (to && (from || !size))
      vivgpu_narrow_copy(stream, to, from, size, rows);
   if (transfer)
      pipe_buffer_unmap(&context->base, transfer);
   made->buffer_offset -= first * stream->stride;
   return to && (from || !size);
}

bool
vivgpu_narrow_begin(struct vivgpu_context *context, const struct pipe_draw_info *info,
                    const struct pipe_draw_start_count_bias *range,
                    struct vivgpu_narrow_saved *saved)
{
   const struct vivgpu_narrow *narrow = context->elements->narrow;
   bool done = true;
   uint32_t first, rows;

   saved->elements = context->elements;
   saved->mask = context->vertex_buffer_mask;
   memcpy(saved->buffers, context->vertex_buffers, sizeof(saved->buffers));
   find_rows(context, info, range, &first, &rows);
   for (uint32_t i = 0; i < narrow->num_streams; i++) {
      const struct vivgpu_narrow_stream *stream = &narrow->streams[i];
      bool instances = stream->divisor;

      done &= make_stream(context, stream, &saved->buffers[stream->buffer], instances ? 0 : first,
                          instances ? DIV_ROUND_UP(info->instance_count, stream->divisor) : rows,
                          &context->vertex_buffers[stream->number]);
      context->vertex_buffer_mask |= 1u << stream->number;
   }
   context->elements = &context->elements->narrow->elements;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
   return done;
}

void
vivgpu_narrow_end(struct vivgpu_context *context, struct vivgpu_narrow_saved *saved)
{
   const struct vivgpu_narrow *narrow = saved->elements->narrow;

   for (uint32_t i = 0; i < narrow->num_streams; i++)
      pipe_vertex_buffer_unreference(&context->vertex_buffers[narrow->streams[i].number]);
   memcpy(context->vertex_buffers, saved->buffers, sizeof(saved->buffers));
   context->vertex_buffer_mask = saved->mask;
   context->elements = saved->elements;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
}
