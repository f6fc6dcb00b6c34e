/* SPDX-License-Identifier: MIT */
/*
 * Packed state objects: Gallium's state is converted when an object is created, so that a draw only
 * copies words. The functions below are pure.
 *
 * If a register has fields of several objects, each object stores its part, and vivgpu_emit.c
 * combines them.
 */
#ifndef VIVGPU_STATE_H
#define VIVGPU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/macros.h"
#include "vivgpu_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vivgpu_generation;

#define VIVGPU_MAX_TARGETS  4
#define VIVGPU_MAX_ELEMENTS 16
#define VIVGPU_MAX_STREAMS  16
#define VIVGPU_PIXEL_PIPES  2

/** Commands that are copied into the stream without change */
#define VIVGPU_PACKED_STATE(size)                                                                  \
   struct {                                                                                        \
      uint32_t words[size];                                                                        \
      uint32_t count;                                                                              \
   }

#define VIVGPU_BLEND_WORDS 8

struct vivgpu_blend {
   struct pipe_blend_state base;
   VIVGPU_PACKED_STATE(VIVGPU_BLEND_WORDS) packed;
   uint32_t logic_op;
   /** The written color does not depend on the target's old contents */
   bool opaque;
   /** Of the command monitor: VIVGPU_DRAW_* that follow from this state */
   uint16_t described;
   /**
    * vivgpu_primitive_bit() of primitives that need no fallback; 0 with alpha to coverage or alpha
    * to one (vivgpu_alpha_to_coverage.h)
    */
   uint32_t native_prims;
};

void vivgpu_blend_init(struct vivgpu_blend *blend, const struct pipe_blend_state *base);

/** Write mask and OVERWRITE bit of PE_COLOR_FORMAT for a target of this format. */
uint32_t vivgpu_blend_channels(const struct vivgpu_blend *blend, enum pipe_format format);

/** True if the channel mask, or a blend constant that is used, differs between red and blue. */
bool vivgpu_blend_tells_red_from_blue(const struct vivgpu_blend *blend, const float color[4]);

/** Values of PE_ALPHA_BLEND_COLOR, PE_ALPHA_COLOR_EXT0 and 1. @swap: exchange red and blue. */
void vivgpu_blend_color(const float color[4], bool swap, uint32_t words[3]);

/** Which of Gallium's stencil states the core's front (clockwise) and back faces get */
enum vivgpu_faces {
   VIVGPU_FRONT_CW,
   VIVGPU_FRONT_CCW,
   /**
    * The front state for both: points and lines are front faces (OpenGL 2.1, section 4.1.5), but
    * the core may treat them as back faces
    */
   VIVGPU_FRONT_BOTH,
   VIVGPU_NUM_FACES,
};

struct vivgpu_zsa {
   struct pipe_depth_stencil_alpha_state base;
   /** Indexed by enum vivgpu_faces */
   uint32_t stencil_op[VIVGPU_NUM_FACES], stencil_config[VIVGPU_NUM_FACES],
      stencil_config_ext2[VIVGPU_NUM_FACES];
   uint32_t stencil_config_ext, alpha_op;
   bool tests_depth, writes_depth, uses_stencil, writes_stencil;
   /** The stencil states of front and back differ */
   bool two_sided;
   /** As in struct vivgpu_blend, with a depth buffer */
   uint16_t described;
};

void vivgpu_zsa_init(struct vivgpu_zsa *zsa, const struct pipe_depth_stencil_alpha_state *base);

/** Fields of PE_STENCIL_CONFIG and PE_STENCIL_CONFIG_EXT for the reference values. */
void vivgpu_zsa_references(const struct vivgpu_zsa *zsa, const struct pipe_stencil_ref *ref,
                           enum vivgpu_faces faces, uint32_t *config, uint32_t *config_ext);

/**
 * Fields of PE_DEPTH_CONFIG, and the value of RA_EARLY_DEPTH.
 *
 * @early: the surfaces allow a test before the shader runs.
 * @shader_depth: the fragment shader writes depth.
 */
void vivgpu_zsa_depth(const struct vivgpu_zsa *zsa, bool early, bool shader_depth, uint32_t *config,
                      uint32_t *early_depth);

#define VIVGPU_RASTERIZER_WORDS 20

/** What shaders depend on, see struct vivgpu_shader_key. Compared by memcmp(): no padding */
struct vivgpu_rasterizer_key {
   uint8_t ucp_enables;
   bool sprite_coord_yinvert, flatshade;
   uint8_t front_ccw : 1;
   uint8_t round_point_size : 1;
   uint8_t unused : 6;
};

struct vivgpu_rasterizer {
   struct pipe_rasterizer_state base;
   struct vivgpu_rasterizer_key key;
   /** vivgpu_primitive_bit() of primitives that need no fallback */
   uint32_t native_prims;
   VIVGPU_PACKED_STATE(VIVGPU_RASTERIZER_WORDS) packed;
   uint32_t pa_config;
   /** SE_DEPTH_BIAS but for the factor vivgpu_framebuffer.depth_step */
   float depth_bias;
   /** As in struct vivgpu_blend */
   uint16_t described;
};

/** Return the fill mode of polygons (PIPE_POLYGON_MODE_*) for the face that is not culled. */
unsigned vivgpu_rasterizer_fill(const struct pipe_rasterizer_state *base);

void vivgpu_rasterizer_init(struct vivgpu_rasterizer *rasterizer,
                            const struct pipe_rasterizer_state *base);

struct vivgpu_viewport {
   struct pipe_viewport_state base;
   VIVGPU_PACKED_STATE(16) packed;
   /** The pixels that the viewport covers; the maximum is exclusive */
   struct pipe_scissor_state box;
};

/** Reduce a viewport to a point at a pixel's corner, so that nothing is drawn in it. Pure. */
void vivgpu_viewport_close(struct pipe_viewport_state *viewport);

void vivgpu_viewport_init(struct vivgpu_viewport *viewport, const struct pipe_viewport_state *base);

/**
 * Return the pixels that draws can change: the intersection of the viewport, the scissor (NULL: it
 * is disabled) and a framebuffer of @width by @height pixels. Empty if a minimum is not below the
 * maximum. Pure; inline, as each draw calls it.
 */
static inline struct pipe_scissor_state
vivgpu_scissor_box(const struct vivgpu_viewport *viewport, const struct pipe_scissor_state *scissor,
                   unsigned width, unsigned height)
{
   struct pipe_scissor_state box = viewport->box;

   box.maxx = MIN2(box.maxx, width);
   box.maxy = MIN2(box.maxy, height);
   if (scissor) {
      box.minx = MAX2(box.minx, scissor->minx);
      box.miny = MAX2(box.miny, scissor->miny);
      box.maxx = MIN2(box.maxx, scissor->maxx);
      box.maxy = MIN2(box.maxy, scissor->maxy);
   }
   return box;
}

/** Pack scissor and clip rectangle. Returns the number of words. */
uint32_t vivgpu_scissor_pack(const struct pipe_scissor_state *box, uint32_t words[16]);

/** Properties of a surface that the pixel engine's registers depend on */
struct vivgpu_target {
   enum pipe_format format;
   enum vivgpu_tiling tiling;
   uint32_t stride;
};

/** What pairs of shaders depend on. Compared by memcmp(): no padding */
struct vivgpu_framebuffer_key {
   /** See struct vivgpu_shader_key */
   uint8_t num_color_outputs, frag_rb_swap;
   /** As in struct vivgpu_framebuffer */
   uint8_t num_targets;
   bool multisample;
   uint8_t output[VIVGPU_MAX_TARGETS];
};

struct vivgpu_framebuffer {
   struct vivgpu_framebuffer_key key;
   uint32_t num_targets;
   /** Index of the fragment shader's color output for target i */
   uint8_t output[VIVGPU_MAX_TARGETS];
   bool multisample;
   /**
    * As in struct vivgpu_blend; 0 with targets of both orders of channels (vivgpu_target_order.h)
    */
   uint32_t native_prims;
   /** Depth can be tested before the shader runs */
   bool early_depth;
   /** The smallest difference of depth values */
   float depth_step;
   uint32_t gl_multi_sample_config, pe_color_format, pe_depth_config, pe_logic_op, ts_mem_config;
   /** Registers that depend on neither addresses nor other state objects */
   VIVGPU_PACKED_STATE(96) packed;
   /** Sample positions with multisampling off (all at the pixel's centre) and on */
   VIVGPU_PACKED_STATE(18) center_positions, sample_positions;
};

/**
 * Fill in the packed state of a framebuffer.
 *
 * @colors: one entry for each bound target. @depth: may be NULL. @samples: samples of a pixel in
 * all of them, or in a framebuffer without attachments.
 */
void vivgpu_framebuffer_init(struct vivgpu_framebuffer *fb, const struct vivgpu_target *colors,
                             uint32_t num_colors, const struct vivgpu_target *depth,
                             uint32_t samples);

struct vivgpu_pack;
struct vivgpu_translate;

/** Words of a command that loads the configurations of all elements */
#define VIVGPU_CONFIG_WORDS (VIVGPU_MAX_ELEMENTS + 2)

struct vivgpu_vertex_elements {
   /** Translation of elements that the core cannot fetch; or NULL */
   struct vivgpu_translate *translate;
   /** The elements before translation (num_base), for the draw module */
   struct pipe_vertex_element base[VIVGPU_MAX_ELEMENTS];
   uint32_t num_base;
   /** Vertex buffers that @base uses */
   uint32_t base_streams;
   /** Bytes of a vertex in @base */
   uint32_t vertex_bytes;
   uint32_t num_elements;
   uint32_t num_streams;
   /** The command that loads the configurations of all elements */
   VIVGPU_PACKED_STATE(VIVGPU_CONFIG_WORDS) packed;
   /** Registers of streams */
   uint32_t control[VIVGPU_MAX_STREAMS], divisor[VIVGPU_MAX_STREAMS];
   /** Elements of integers, and streams with a divisor */
   uint32_t integers, divided;
};

/** States of vertex elements and streams in the GPU */
struct vivgpu_emitted_vertices {
   /** The last command with configurations; 0 in its first word: unknown */
   uint32_t packed[VIVGPU_CONFIG_WORDS];
   uint32_t control[VIVGPU_MAX_STREAMS], integers, divided;
   /** Elements of which @integers is known, and streams of which @control and @divided are */
   uint32_t known_elements, known_streams;
};

/** Limit of the words of vivgpu_vertex_elements_pack() */
#define VIVGPU_VERTEX_WORDS (2 * VIVGPU_MAX_ELEMENTS + 2 * VIVGPU_MAX_STREAMS + 8)

/** Returns false if there are more elements than the core supports. */
bool vivgpu_vertex_elements_init(struct vivgpu_vertex_elements *elements, unsigned count,
                                 const struct pipe_vertex_element *base,
                                 const struct vivgpu_generation *generation);

/** Pack the states that differ from @emitted, which is updated. */
void vivgpu_vertex_elements_pack(const struct vivgpu_vertex_elements *elements,
                                 const struct vivgpu_generation *generation,
                                 struct vivgpu_emitted_vertices *emitted, struct vivgpu_pack *pack);

/** Bits of vivgpu_sampler.described that are VIVGPU_FILTER_*; the rest is the largest anisotropy */
#define VIVGPU_DESCRIBED_FILTER_BITS 3

struct vivgpu_sampler {
   struct pipe_sampler_state base;
   /** Unique in the process, not 0 */
   uint32_t number;
   uint32_t config0, config1, config_3d, lod_config, baselod;
   /** 5.5 fixed point; @min_max_lod: lower bound of the maximum, also if a view has one level */
   uint32_t min_lod, max_lod, min_max_lod;
   /** The border that the shader has to blend in: VIVGPU_BORDER_*; 0 if none */
   uint16_t border;
   /** The shader compares depth with the reference, since the core cannot */
   bool compares_in_shader;
   /** Of the command monitor: see VIVGPU_DESCRIBED_FILTER_BITS */
   uint8_t described;
};

void vivgpu_sampler_init(struct vivgpu_sampler *sampler, const struct pipe_sampler_state *base);

/**
 * Return what the sampler does to a level of detail, for shaders that compute it themselves.
 *
 * @levels: index of the view's last level.
 * @component: 0: the bias, 1: the lower limit, 2: the upper limit.
 */
float vivgpu_sampler_lod(const struct vivgpu_sampler *sampler, unsigned levels, unsigned component);

struct vivgpu_view_state {
   /** Registers but for the sampler's fields; @config0_keep: mask of vivgpu_sampler.config0 */
   uint32_t config0, config0_keep, config1, config_3d, size, log_size, astc, linear_stride;
   /** The texture's level that is level 0 of the sampler */
   uint32_t first_level;
   /** 5.5 fixed point */
   uint32_t max_lod;
   /** The format allows the integer filter, see vivgpu_format_int_filter() */
   bool int_filter;
};

/** Fill in the sampler states of a view of @texture, except for addresses. */
void vivgpu_view_init(struct vivgpu_view_state *view, const struct pipe_sampler_view *base,
                      const struct pipe_resource *texture, const struct vivgpu_layout *layout);

/** Return the LOD state: the sampler's bias, and the limits of sampler and view combined. */
uint32_t vivgpu_view_lod(const struct vivgpu_view_state *view,
                         const struct vivgpu_sampler *sampler);

#ifdef __cplusplus
}
#endif

#endif
