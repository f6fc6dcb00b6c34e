/* SPDX-License-Identifier: MIT */
/*
 * State objects: what Mesa's become when they are created, once, so that a draw
 * only copies words. The functions below are pure.
 *
 * Where a register has fields of several objects, each object keeps its part,
 * and vivgpu_emit.c puts them together.
 */
#ifndef VIVGPU_STATE_H
#define VIVGPU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "vivgpu_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_generation;

#define VIVGPU_MAX_TARGETS  4
#define VIVGPU_MAX_ELEMENTS 16
#define VIVGPU_MAX_STREAMS  16
#define VIVGPU_PIXEL_PIPES  2

/** Words that are copied into the stream as they are */
#define VIVGPU_PACKED_STATE(most)                                                                         \
   struct {                                                                                        \
      uint32_t words[most];                                                                        \
      uint32_t count;                                                                              \
   }

struct vivgpu_blend {
   struct pipe_blend_state base;
   VIVGPU_PACKED_STATE(8) packed;
   uint32_t logic_op;
   /** What is written does not depend on what was there */
   bool opaque;
   /**
    * Bits of enum mesa_prim: what needs no help; none if alpha chooses samples or becomes 1
    * (vivgpu_alpha_to_coverage.h)
    */
   uint32_t native_prims;
};

void vivgpu_blend_init(struct vivgpu_blend *blend, const struct pipe_blend_state *base);

/** Channels and overwrite bit of PE_COLOR_FORMAT for a target of this format. */
uint32_t vivgpu_blend_channels(const struct vivgpu_blend *blend, enum pipe_format format);

/** PE_ALPHA_BLEND_COLOR, PE_ALPHA_COLOR_EXT0 and 1; @swap exchanges red and blue. */
void vivgpu_blend_color(const float color[4], bool swap, uint32_t words[3]);

/** Which stencil state the core's two faces get, of which its front is clockwise */
enum vivgpu_faces {
   VIVGPU_FRONT_CW,
   VIVGPU_FRONT_CCW,
   /** Points and lines are front faces (OpenGL 2.1, 4.1.5), whatever the core takes them for */
   VIVGPU_FRONT_BOTH,
   VIVGPU_NUM_FACES,
};

struct vivgpu_zsa {
   struct pipe_depth_stencil_alpha_state base;
   /** By enum vivgpu_faces */
   uint32_t stencil_op[VIVGPU_NUM_FACES], stencil_config[VIVGPU_NUM_FACES],
      stencil_config_ext2[VIVGPU_NUM_FACES];
   uint32_t stencil_config_ext, alpha_op;
   bool tests_depth, writes_depth, uses_stencil, writes_stencil;
   /** Front and back differ */
   bool two_sided;
};

void vivgpu_zsa_init(struct vivgpu_zsa *zsa, const struct pipe_depth_stencil_alpha_state *base);

/** Reference values: parts of PE_STENCIL_CONFIG and PE_STENCIL_CONFIG_EXT. */
void vivgpu_zsa_references(const struct vivgpu_zsa *zsa, const struct pipe_stencil_ref *ref,
                           enum vivgpu_faces faces, uint32_t *config, uint32_t *config_ext);

/**
 * Part of PE_DEPTH_CONFIG, and RA_EARLY_DEPTH.
 *
 * @early: the surfaces allow a test before the shader.
 * @shader_depth: the fragment shader computes depth.
 */
void vivgpu_zsa_depth(const struct vivgpu_zsa *zsa, bool early, bool shader_depth, uint32_t *config,
                      uint32_t *early_depth);

#define VIVGPU_RASTERIZER_WORDS 20

struct vivgpu_rasterizer {
   struct pipe_rasterizer_state base;
   /** Kinds of primitives that need no help: bits of enum mesa_prim */
   uint32_t native_prims;
   VIVGPU_PACKED_STATE(VIVGPU_RASTERIZER_WORDS) packed;
   uint32_t pa_config;
   /** In units of the depth buffer's resolution */
   float depth_bias;
};

/** How polygons are filled: enum PIPE_POLYGON_MODE_* */
unsigned vivgpu_rasterizer_fill(const struct pipe_rasterizer_state *base);

void vivgpu_rasterizer_init(struct vivgpu_rasterizer *rasterizer,
                            const struct pipe_rasterizer_state *base);

struct vivgpu_viewport {
   struct pipe_viewport_state base;
   VIVGPU_PACKED_STATE(16) packed;
   /** Pixels it covers; max is exclusive */
   struct pipe_scissor_state box;
};

void vivgpu_viewport_init(struct vivgpu_viewport *viewport, const struct pipe_viewport_state *base);

/** Words of scissor and clip rectangle. Returns their number. */
uint32_t vivgpu_scissor_pack(const struct pipe_scissor_state *box, uint32_t words[16]);

/** A surface as the pixel engine needs it. */
struct vivgpu_target {
   enum pipe_format format;
   enum vivgpu_tiling tiling;
   uint32_t stride;
   bool has_tile_status;
};

struct vivgpu_framebuffer {
   uint32_t num_targets;
   /** Which colour of the shader goes to target i */
   uint8_t output[VIVGPU_MAX_TARGETS];
   bool multisample;
   /** Depth may be tested before the shader */
   bool early_depth;
   /** The smallest step of depth */
   float depth_step;
   uint32_t gl_multi_sample_config, pe_color_format, pe_depth_config, pe_logic_op, ts_mem_config;
   /** Everything that needs neither address nor other objects */
   VIVGPU_PACKED_STATE(96) packed;
   /** Where several samples are: all at the pixel's centre, or apart */
   VIVGPU_PACKED_STATE(18) center_positions, sample_positions;
};

/**
 * @colors has one entry for each bound target, @depth may be NULL. @samples is the number a pixel
 * has in all of them, or what the application gave a framebuffer without attachments.
 */
void vivgpu_framebuffer_init(struct vivgpu_framebuffer *fb, const struct vivgpu_target *colors,
                             uint32_t num_colors, const struct vivgpu_target *depth,
                             uint32_t samples);

struct vivgpu_translate;

struct vivgpu_vertex_elements {
   /** How draws make do with strides the core doesn't have; NULL: these are none */
   struct vivgpu_translate *translate;
   /** As Mesa gave them, num_base of them: for vertices that the processor computes */
   struct pipe_vertex_element base[VIVGPU_MAX_ELEMENTS];
   uint32_t num_base;
   uint32_t num_elements;
   uint32_t num_streams;
   VIVGPU_PACKED_STATE(2 * VIVGPU_MAX_ELEMENTS + 2 * VIVGPU_MAX_STREAMS + 8) packed;
};

/** False if there are more elements than the core has. */
bool vivgpu_vertex_elements_init(struct vivgpu_vertex_elements *elements, unsigned count,
                                 const struct pipe_vertex_element *base,
                                 const struct vivgpu_generation *generation);

struct vivgpu_sampler {
   struct pipe_sampler_state base;
   uint32_t config0, config1, config_3d, lod_config, baselod;
   /** 5.5 fixed point */
   uint32_t min_lod, max_lod, min_max_lod;
   /** The border that the shader has to mix in: VIVGPU_BORDER_*, 0 if there is none */
   uint16_t border;
   /** The core can't compare depth with a reference */
   bool compares_in_shader;
};

void vivgpu_sampler_init(struct vivgpu_sampler *sampler, const struct pipe_sampler_state *base);

/**
 * What the core does to a level of detail, for shaders that have to know it. @levels: number of
 * the last level of the view. @component: 0: what is added, 1: the least, 2: the most that
 * becomes of it.
 */
float vivgpu_sampler_lod(const struct vivgpu_sampler *sampler, unsigned levels, unsigned component);

struct vivgpu_view_state {
   uint32_t config0, config0_keep, config1, config_3d, size, log_size, astc, linear_stride;
   uint32_t min_lod, max_lod;
   bool int_filter;
};

/** Sampler states of a view of @texture, all but the addresses. */
void vivgpu_view_init(struct vivgpu_view_state *view, const struct pipe_sampler_view *base,
                      const struct pipe_resource *texture, const struct vivgpu_layout *layout);

/** Field by field: the level of detail's limits, of sampler and view. */
uint32_t vivgpu_view_lod(const struct vivgpu_view_state *view,
                         const struct vivgpu_sampler *sampler);

#ifdef __cplusplus
}
#endif

#endif
