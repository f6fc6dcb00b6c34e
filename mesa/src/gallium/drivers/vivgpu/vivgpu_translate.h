/* SPDX-License-Identifier: MIT */
/*
 * Vertex attributes whose stride exceeds 255 bytes, the limit of the core's stride field. Before
 * such a draw the CPU copies the elements that are read into a stream with a smaller stride.
 */
#ifndef VIVGPU_TRANSLATE_H
#define VIVGPU_TRANSLATE_H

#include <stdbool.h>

#include "vivgpu_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_draw_info;
struct pipe_draw_start_count_bias;
struct pipe_resource;
struct vivgpu_context;

/** The largest stride, in bytes, that needs none of this */
#define VIVGPU_MAX_STRIDE 255

/** An element of a row: where it was, and where it goes */
struct vivgpu_translate_element {
   uint32_t from, to, bytes;
};

/** A stream that is made of elements of one vertex buffer */
struct vivgpu_translate_stream {
   uint32_t number, buffer, from_stride, stride, divisor;
   uint32_t num_elements;
   struct vivgpu_translate_element elements[VIVGPU_MAX_ELEMENTS];
};

struct vivgpu_translate {
   /** The elements, as they are read afterwards */
   struct vivgpu_vertex_elements elements;
   uint32_t num_streams;
   struct vivgpu_translate_stream streams[VIVGPU_MAX_STREAMS];
};

/**
 * Plan what is to be put together. Pure.
 *
 * Returns false if nothing is too far apart, or if there are not enough streams.
 */
bool vivgpu_translate_plan(struct vivgpu_translate *translate, unsigned count,
                           const struct pipe_vertex_element *base,
                           const struct vivgpu_generation *generation);

/** Rows of a vertex buffer that a draw reads */
struct vivgpu_translate_rows {
   uint32_t first, count;
};

/**
 * Which rows to copy for the vertices @min to @max (both included, after the index
 * bias) of a buffer that has @size bytes behind its offset. Pure.
 *
 * Rows that begin behind the buffer are left out: with them an index would decide how
 * much memory is taken. At least one row is returned, which is read as zero if the
 * buffer has none of them or if no vertex is read (@min > @max: restart indices only).
 */
struct vivgpu_translate_rows vivgpu_translate_rows(const struct vivgpu_translate_stream *stream,
                                                   uint64_t size, int64_t min, int64_t max);

/**
 * Copy @rows rows of @stream from @from, the first row, of which @size bytes are there, to @to.
 * What lies behind these bytes becomes zero.
 */
void vivgpu_translate_copy(const struct vivgpu_translate_stream *stream, void *to, const void *from,
                           uint64_t size, uint32_t rows);

/** What was bound, to be bound again after the draw */
struct vivgpu_translate_saved {
   struct vivgpu_vertex_elements *elements;
   struct pipe_vertex_buffer buffers[VIVGPU_MAX_STREAMS];
   uint32_t mask;
};

/** Bind the plan of the bound elements, with streams made for a draw. False without memory. */
bool vivgpu_translate_begin(struct vivgpu_context *context, const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *range,
                            struct vivgpu_translate_saved *saved);
void vivgpu_translate_end(struct vivgpu_context *context, struct vivgpu_translate_saved *saved);

#ifdef __cplusplus
}
#endif

#endif
