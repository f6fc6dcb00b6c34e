/* SPDX-License-Identifier: MIT */
/*
 * Vertex attributes that the core cannot fetch: the stride exceeds 255 bytes, the limit of its
 * field; stride, offset or the buffer's offset are no multiples of four bytes; or the format is one
 * of 64-bit floats or of three 16-bit integers. Before such a draw the CPU copies the elements that
 * are read into streams that the core can fetch.
 *
 * Mesa 25's util/u_vbuf translates all of these but large strides. But whether it is used is
 * decided for a whole context, so that draws which need no translation would pass through it as
 * well. So it is used to upload vertices from the application's memory, and to find the lowest and
 * highest index. Its translate module, which could do the copying, reads a whole element of a row
 * that begins within the buffer and ends past it, and repeats the last row for higher indices. Both
 * have to read as zero here, without touching memory past the buffer (vivgpu_translate_copy()).
 */
#ifndef VIVGPU_TRANSLATE_H
#define VIVGPU_TRANSLATE_H

#include <stdbool.h>

#include "util/format/u_format.h"
#include "vivgpu_state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_draw_info;
struct pipe_draw_start_count_bias;
struct pipe_resource;
struct vivgpu_context;

/** The largest stride in bytes that the core's stride field holds */
#define VIVGPU_MAX_STRIDE 255

/** What offsets and strides must be multiples of, in bytes */
#define VIVGPU_VERTEX_ALIGN 4

/** An element of a row: its offsets in the source and destination row and its sizes, in bytes */
struct vivgpu_translate_element {
   uint32_t from, to, bytes, to_bytes;
   /** Converts the format; NULL: the bytes are copied */
   util_format_fetch_rgba_func_ptr fetch;
};

/** A stream made of elements of one vertex buffer; strides in bytes */
struct vivgpu_translate_stream {
   uint32_t number, buffer, from_stride, stride, divisor;
   uint32_t num_elements;
   struct vivgpu_translate_element elements[VIVGPU_MAX_ELEMENTS];
};

struct vivgpu_translate {
   /** Vertex buffers whose offset is unaligned: the plan is for these */
   uint32_t misaligned;
   /** The vertex elements to bind with the translated streams */
   struct vivgpu_vertex_elements elements;
   uint32_t num_streams;
   struct vivgpu_translate_stream streams[VIVGPU_MAX_STREAMS];
};

/**
 * Return the format in which elements of @format are fetched: the same one if the core has it.
 * Pure.
 */
enum pipe_format vivgpu_translate_format(enum pipe_format format);

/**
 * Plan the translation of the @count vertex elements @base for a core of @generation: which
 * elements go to which stream. @misaligned: mask of the vertex buffers with an unaligned offset.
 * Pure.
 *
 * Returns false if the core can fetch all elements, or if it has too few streams.
 */
bool vivgpu_translate_plan(struct vivgpu_translate *translate, unsigned count,
                           const struct pipe_vertex_element *base, uint32_t misaligned,
                           const struct vivgpu_generation *generation);

/**
 * Create vertex elements, with a plan of their translation if the core cannot fetch them.
 * @misaligned: mask of the vertex buffers with an unaligned offset. Returns NULL if memory is
 * short, or if there are more elements than the core supports.
 */
struct vivgpu_vertex_elements *
vivgpu_vertex_elements_create(unsigned count, const struct pipe_vertex_element *base,
                              uint32_t misaligned, const struct vivgpu_generation *generation);
void vivgpu_vertex_elements_destroy(struct vivgpu_vertex_elements *elements);

/** Range of rows of a vertex buffer that a draw reads */
struct vivgpu_translate_rows {
   uint32_t first, count;
};

/**
 * Return the rows to copy for the vertices @min to @max (both included, after the index
 * bias) of a buffer that has @size bytes after its offset. Pure.
 *
 * Rows that begin past the buffer's end are left out, so that the buffer's size and not an
 * index limits the memory that is allocated. At least one row is returned; it is filled with
 * zeros if the buffer has none of the rows or if no vertex is read (@min > @max: all indices
 * are the restart index).
 */
struct vivgpu_translate_rows vivgpu_translate_rows(const struct vivgpu_translate_stream *stream,
                                                   uint64_t size, int64_t min, int64_t max);

/**
 * Return true if the copied rows, and room for the rows before them, are at most 2 GiB: what
 * u_upload_alloc() can add to an offset without exceeding 32 bits. A buffer of hundreds of MB whose
 * stride is smaller than that of its copy may exceed it. Pure.
 */
bool vivgpu_translate_fits(const struct vivgpu_translate_stream *stream,
                           struct vivgpu_translate_rows rows);

/**
 * Copy @rows rows of @stream to @to. @from is the first row; @size bytes may be read from there.
 * An element that is not wholly within them becomes zero.
 */
void vivgpu_translate_copy(const struct vivgpu_translate_stream *stream, void *to, const void *from,
                           uint64_t size, uint32_t rows);

/** Vertex elements and buffers that were bound before vivgpu_translate_begin() */
struct vivgpu_translate_saved {
   struct vivgpu_vertex_elements *elements;
   struct pipe_vertex_buffer buffers[VIVGPU_MAX_STREAMS];
   uint32_t mask;
};

/**
 * Translate the vertices that one draw (@info, @range) reads and bind the translated streams and
 * their elements; what was bound before is stored in @saved. Its elements are NULL if nothing was
 * translated; otherwise vivgpu_translate_end() has to be called. Returns false if memory is short or
 * copies are too large (vivgpu_translate_fits()).
 */
bool vivgpu_translate_begin(struct vivgpu_context *context, const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *range,
                            struct vivgpu_translate_saved *saved);

/** Release the translated streams and bind again what @saved holds. */
void vivgpu_translate_end(struct vivgpu_context *context, struct vivgpu_translate_saved *saved);

#ifdef __cplusplus
}
#endif

#endif
