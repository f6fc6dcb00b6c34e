/* SPDX-License-Identifier: MIT */

#include "vivgpu_translate.h"

#include <string.h>

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"
#include "util/u_vbuf.h"
#include "vivgpu_context.h"
#include "vivgpu_generation.h"

enum pipe_format
vivgpu_translate_format(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_R64_FLOAT:
      return PIPE_FORMAT_R32_FLOAT;
   case PIPE_FORMAT_R64G64_FLOAT:
      return PIPE_FORMAT_R32G32_FLOAT;
   case PIPE_FORMAT_R64G64B64_FLOAT:
      return PIPE_FORMAT_R32G32B32_FLOAT;
   case PIPE_FORMAT_R64G64B64A64_FLOAT:
      return PIPE_FORMAT_R32G32B32A32_FLOAT;
   case PIPE_FORMAT_R16G16B16_SINT:
      return PIPE_FORMAT_R32G32B32_SINT;
   case PIPE_FORMAT_R16G16B16_UINT:
      return PIPE_FORMAT_R32G32B32_UINT;
   default:
      return format;
   }
}

static bool
vivgpu_translate_is_unaligned(unsigned offset)
{
   return offset % VIVGPU_VERTEX_ALIGN;
}

/*
 * True if the core cannot fetch the element. @misaligned: vertex buffers with an unaligned offset.
 */
static bool
vivgpu_translate_must_translate(const struct pipe_vertex_element *element, uint32_t misaligned)
{
   return element->src_stride > VIVGPU_MAX_STRIDE ||
          vivgpu_translate_is_unaligned(element->src_stride) ||
          vivgpu_translate_is_unaligned(element->src_offset) ||
          misaligned & 1u << element->vertex_buffer_index ||
          vivgpu_translate_format(element->src_format) != element->src_format;
}

/* Return a stream that has space for another element of the same rows, or NULL. */
static struct vivgpu_translate_stream *
vivgpu_translate_find_stream(struct vivgpu_translate *translate,
                             const struct pipe_vertex_element *element, uint32_t bytes)
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
vivgpu_translate_add_stream(struct vivgpu_translate *translate,
                            const struct pipe_vertex_element *element, uint32_t *used_streams,
                            uint32_t max_streams)
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

/* Let an element be copied to a translated stream. Returns false if no stream is free. */
static bool
vivgpu_translate_move_element(struct vivgpu_translate *translate,
                              const struct pipe_vertex_element *base,
                              struct pipe_vertex_element *element, uint32_t *used_streams,
                              uint32_t max_streams)
{
   enum pipe_format format = vivgpu_translate_format(base->src_format);
   uint32_t bytes = util_format_get_blocksize(format);
   uint32_t room = align(bytes, VIVGPU_VERTEX_ALIGN);
   struct vivgpu_translate_stream *stream = vivgpu_translate_find_stream(translate, base, room);

   if (!stream)
      stream = vivgpu_translate_add_stream(translate, base, used_streams, max_streams);
   if (!stream)
      return false;
   stream->elements[stream->num_elements++] = (struct vivgpu_translate_element){
      .from = base->src_offset,
      .to = stream->stride,
      .bytes = util_format_get_blocksize(base->src_format),
      .to_bytes = bytes,
      .fetch = format == base->src_format ? NULL : util_format_fetch_rgba_func(base->src_format),
   };
   element->src_format = format;
   element->src_offset = stream->stride;
   element->vertex_buffer_index = stream->number;
   stream->stride += room;
   return true;
}

/* Plan a translation that copies the elements in the mask @moved. */
static bool
vivgpu_translate_get_plan(struct vivgpu_translate *translate, unsigned count,
                          const struct pipe_vertex_element *base, uint32_t moved,
                          const struct vivgpu_generation *generation)
{
   struct pipe_vertex_element elements[VIVGPU_MAX_ELEMENTS] = {0};
   uint32_t used_streams = 0;

   translate->num_streams = 0;
   for (unsigned i = 0; i < count; i++)
      used_streams |= moved & 1u << i ? 0 : 1u << base[i].vertex_buffer_index;
   for (unsigned i = 0; i < count; i++) {
      elements[i] = base[i];
      if (moved & 1u << i && !vivgpu_translate_move_element(translate, &base[i], &elements[i],
                                                            &used_streams, generation->num_streams))
         return false;
   }
   /* Strides of streams are known when all elements have been moved to them. */
   for (unsigned i = 0; i < count; i++) {
      for (uint32_t s = 0; moved & 1u << i && s < translate->num_streams; s++) {
         if (translate->streams[s].number == elements[i].vertex_buffer_index)
            elements[i].src_stride = base[i].src_stride ? translate->streams[s].stride : 0;
      }
   }
   if (!vivgpu_vertex_elements_init(&translate->elements, count, elements, generation))
      return false;
   /* The command monitor lists the size of the application's vertices, not of the copies. */
   translate->elements.vertex_bytes = 0;
   for (unsigned i = 0; i < count; i++)
      translate->elements.vertex_bytes += util_format_get_blocksize(base[i].src_format);
   return true;
}

bool
vivgpu_translate_plan(struct vivgpu_translate *translate, unsigned count,
                      const struct pipe_vertex_element *base, uint32_t misaligned,
                      const struct vivgpu_generation *generation)
{
   uint32_t moved = 0;

   memset(translate, 0, sizeof(*translate));
   translate->misaligned = misaligned;
   if (count > VIVGPU_MAX_ELEMENTS)
      return false;
   for (unsigned i = 0; i < count; i++)
      moved |= vivgpu_translate_must_translate(&base[i], misaligned) ? 1u << i : 0;
   /*
    * If only some elements of a buffer are copied, the buffer and the copy are two streams. If the
    * core has too few streams for that, copy all elements.
    */
   return moved &&
          (vivgpu_translate_get_plan(translate, count, base, moved, generation) ||
           vivgpu_translate_get_plan(translate, count, base, BITFIELD_MASK(count), generation));
}

static void
vivgpu_translate_add_translate(struct vivgpu_vertex_elements *elements, unsigned count,
                               const struct pipe_vertex_element *base, uint32_t misaligned,
                               const struct vivgpu_generation *generation)
{
   struct vivgpu_translate *translate = CALLOC_STRUCT(vivgpu_translate);

   if (translate && vivgpu_translate_plan(translate, count, base, misaligned, generation))
      elements->translate = translate;
   else
      FREE(translate);
}

struct vivgpu_vertex_elements *
vivgpu_vertex_elements_create(unsigned count, const struct pipe_vertex_element *base,
                              uint32_t misaligned, const struct vivgpu_generation *generation)
{
   struct vivgpu_vertex_elements *elements = CALLOC_STRUCT(vivgpu_vertex_elements);

   if (elements && !vivgpu_vertex_elements_init(elements, count, base, generation)) {
      FREE(elements);
      return NULL;
   }
   if (elements)
      vivgpu_translate_add_translate(elements, count, base, misaligned, generation);
   return elements;
}

void
vivgpu_vertex_elements_destroy(struct vivgpu_vertex_elements *elements)
{
   FREE(elements->translate);
   FREE(elements);
}

struct vivgpu_translate_rows
vivgpu_translate_rows(const struct vivgpu_translate_stream *stream, uint64_t size, int64_t min,
                      int64_t max)
{
   int64_t available;

   /* All vertices read the same row. */
   if (!stream->from_stride)
      return (struct vivgpu_translate_rows){0, 1};
   available = DIV_ROUND_UP(size, stream->from_stride);
   min = MAX2(min, 0);
   max = MIN2(max, available - 1);
   if (min > max)
      return (struct vivgpu_translate_rows){0, 1};
   return (struct vivgpu_translate_rows){min, max - min + 1};
}

bool
vivgpu_translate_fits(const struct vivgpu_translate_stream *stream,
                      struct vivgpu_translate_rows rows)
{
   return ((uint64_t)rows.first + rows.count) * stream->stride <= INT32_MAX;
}

static void
vivgpu_translate_copy_element(const struct vivgpu_translate_element *element, char *to,
                              const char *from)
{
   uint32_t values[4];

   if (!element->fetch) {
      memcpy(to, from, element->to_bytes);
      return;
   }
   element->fetch(values, (const uint8_t *)from, 0, 0);
   memcpy(to, values, element->to_bytes);
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
            vivgpu_translate_copy_element(element, out + element->to,
                                          (const char *)from + begin + element->from);
         else
            memset(out + element->to, 0, element->to_bytes);
      }
   }
}

/* Find the vertices that a draw reads, @min to @max; none if @min > @max. */
static void
vivgpu_translate_find_vertices(struct vivgpu_context *context, const struct pipe_draw_info *info,
                               const struct pipe_draw_start_count_bias *range, int64_t *min,
                               int64_t *max)
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
vivgpu_translate_make_stream(struct vivgpu_context *context,
                             const struct vivgpu_translate_stream *stream,
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
   if (!vivgpu_translate_fits(stream, rows))
      return false;
   u_upload_alloc(context->base.stream_uploader, rows.first * stream->stride,
                  rows.count * stream->stride, VIVGPU_VERTEX_ALIGN, &made->buffer_offset,
                  &made->buffer.resource, &to);
   size -= MIN2(size, begin);
   if (size)
      from = pipe_buffer_map_range(&context->base, resource, buffer->buffer_offset + begin, size,
                                   PIPE_MAP_READ, &transfer);
   if (to && (from || !size))
      vivgpu_translate_copy(stream, to, from, size, rows.count);
   if (transfer)
      pipe_buffer_unmap(&context->base, transfer);
   /* Indices count from row 0: u_upload_alloc() has left room for the rows before the first one. */
   made->buffer_offset -= rows.first * stream->stride;
   return to && (from || !size);
}

/*
 * Return the plan for the bound elements and vertex buffers, of which other ones than before may be
 * misaligned; NULL if the core fetches all elements, or if memory or streams are short. Elements of
 * display lists, which contexts share, have the plan from the start, so it is only read here.
 */
static const struct vivgpu_translate *
vivgpu_translate_current_plan(struct vivgpu_context *context)
{
   struct vivgpu_vertex_elements *elements = context->elements;
   uint32_t misaligned = context->vertices.misaligned & elements->base_streams;
   struct vivgpu_translate *translate = elements->translate;

   if (translate ? translate->misaligned == misaligned : !misaligned)
      return translate;
   /* There is none for the list, since memory or streams were short. */
   if (context->vertices.list.state)
      return NULL;
   if (!translate)
      translate = CALLOC_STRUCT(vivgpu_translate);
   if (translate && !vivgpu_translate_plan(translate, elements->num_base, elements->base,
                                           misaligned, &context->screen->generation)) {
      FREE(translate);
      translate = NULL;
   }
   elements->translate = translate;
   return translate;
}

/* Rows of a stream with a divisor begin with instance 0, as base instances are not offered. */
bool
vivgpu_translate_begin(struct vivgpu_context *context, const struct pipe_draw_info *info,
                       const struct pipe_draw_start_count_bias *range,
                       struct vivgpu_translate_saved *saved)
{
   const struct vivgpu_translate *translate = vivgpu_translate_current_plan(context);
   bool done = true;
   int64_t min, max;

   saved->elements = NULL;
   if (!translate)
      return true;
   saved->elements = context->elements;
   saved->mask = context->vertices.mask;
   memcpy(saved->buffers, context->vertices.buffers, sizeof(saved->buffers));
   vivgpu_translate_find_vertices(context, info, range, &min, &max);
   for (uint32_t i = 0; i < translate->num_streams; i++) {
      const struct vivgpu_translate_stream *stream = &translate->streams[i];
      int64_t last = stream->divisor ? ((int64_t)info->instance_count - 1) / stream->divisor : max;

      done &= vivgpu_translate_make_stream(context, stream, &saved->buffers[stream->buffer],
                                           stream->divisor ? 0 : min, last,
                                           &context->vertices.buffers[stream->number]);
      context->vertices.mask |= 1u << stream->number;
   }
   context->elements = &saved->elements->translate->elements;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
   return done;
}

void
vivgpu_translate_end(struct vivgpu_context *context, struct vivgpu_translate_saved *saved)
{
   const struct vivgpu_translate *translate = saved->elements->translate;

   for (uint32_t i = 0; i < translate->num_streams; i++)
      pipe_vertex_buffer_unreference(&context->vertices.buffers[translate->streams[i].number]);
   memcpy(context->vertices.buffers, saved->buffers, sizeof(saved->buffers));
   context->vertices.mask = saved->mask;
   context->elements = saved->elements;
   context->dirty |= VIVGPU_DIRTY_ELEMENTS | VIVGPU_DIRTY_VERTEX_BUFFERS;
}
