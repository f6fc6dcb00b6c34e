/* SPDX-License-Identifier: MIT */
/*
 * The codes of Mesa's formats, for each unit of the core. Pure functions; they return
 * VIVGPU_NO_FORMAT for a format that no core's unit supports.
 */
#ifndef VIVGPU_FORMAT_H
#define VIVGPU_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etna_core_info;

#define VIVGPU_NO_FORMAT 0xffff

/** Flags of vivgpu_format_texture(): the register field that holds the code */
#define VIVGPU_TEXTURE_EXT  0x100
#define VIVGPU_TEXTURE_ASTC 0x200
#define VIVGPU_TEXTURE_CODE 0xff

/** Code of a vertex element's type (FE_DATA_TYPE_*). */
uint32_t vivgpu_format_vertex(enum pipe_format format);

/** Code of a texture's format, with VIVGPU_TEXTURE_* flags. */
uint32_t vivgpu_format_texture(enum pipe_format format);

/** True if the core can decompress the format, or the format is not compressed. */
bool vivgpu_format_decompresses(const struct etna_core_info *info, enum pipe_format format);

/** Code of a render target's format (PE_FORMAT_*). */
uint32_t vivgpu_format_target(enum pipe_format format);

/** True if the shader has to swap red and blue for this render target. */
bool vivgpu_format_rb_swap(enum pipe_format format);

/** Field of PE_DEPTH_CONFIG for a depth buffer. */
uint32_t vivgpu_format_depth(enum pipe_format format);

/** Format in which the resolve engine averages samples (RS_FORMAT_*). */
uint32_t vivgpu_format_resolve(enum pipe_format format);

/** Format in which the resolve engine copies or fills pixels of @bytes bytes; 8 only fills. */
uint32_t vivgpu_format_copy(unsigned bytes);

/** True if the resolve engine can copy pixels of this format to tiled layouts. */
bool vivgpu_format_can_tile(enum pipe_format format);

/** True if the texture unit's integer filter, which is faster, supports the format. */
bool vivgpu_format_int_filter(enum pipe_format format);

#ifdef __cplusplus
}
#endif

#endif
