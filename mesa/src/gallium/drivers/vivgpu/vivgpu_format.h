/* SPDX-License-Identifier: MIT */
/*
 * What the core calls Mesa's formats, unit by unit. Pure functions; they give
 * VIVGPU_NO_FORMAT for a format the unit does not know.
 */
#ifndef VIVGPU_FORMAT_H
#define VIVGPU_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIVGPU_NO_FORMAT 0xffff

/** Flags of vivgpu_format_texture(): which field the code goes to */
#define VIVGPU_TEXTURE_EXT  0x100
#define VIVGPU_TEXTURE_ASTC 0x200
#define VIVGPU_TEXTURE_CODE 0xff

/** Type of a vertex element (FE_DATA_TYPE_*). */
uint32_t vivgpu_format_vertex(enum pipe_format format);

/** Code of a texture's format, with VIVGPU_TEXTURE_* flags. */
uint32_t vivgpu_format_texture(enum pipe_format format);

/** Code of a render target's format (PE_FORMAT_*). */
uint32_t vivgpu_format_target(enum pipe_format format);

/** Does the shader have to exchange red and blue for this render target? */
bool vivgpu_format_rb_swap(enum pipe_format format);

/** Field of PE_DEPTH_CONFIG for a depth buffer. */
uint32_t vivgpu_format_depth(enum pipe_format format);

/** Format in which the resolve engine averages samples (RS_FORMAT_*). */
uint32_t vivgpu_format_resolve(enum pipe_format format);

/** Format in which it copies bits, or fills: by size alone. */
uint32_t vivgpu_format_copy(unsigned bytes);

/** Can the resolve engine lay out pixels of this format in tiles? */
bool vivgpu_format_can_tile(enum pipe_format format);

/** Does the texture unit's integer filter do? It is faster than the other. */
bool vivgpu_format_int_filter(enum pipe_format format);

#ifdef __cplusplus
}
#endif

#endif
