/* SPDX-License-Identifier: MIT */
/* Render targets and depth buffer: everything but their addresses. */

#include <math.h>

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_format.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"

/* Formats from this one on go to another field of PE_COLOR_FORMAT. */
#define FIRST_EXTENDED_FORMAT PE_FORMAT_R16F

/* Values of PE_LOGIC_OP.SINGLE_BUFFER: both pixel pipes work on one surface. */
#define SINGLE_LINEAR 1
#define SINGLE_32BPP  2
#define SINGLE_16BPP  3

/*
 * What Vivante's driver sets with four samples on cores with SMALL_MSAA. Other cores get it, too,
 * unless a surface is split between the pixel pipes.
 */
#define LOGIC_OP_SMALL_MSAA VIVS_PE_LOGIC_OP_UNK24(5)

/* PS_CONTROL_EXT has a field of this many bits for each render target's output mode. */
#define OUTPUT_MODE_BITS 4

/*
 * Sample positions (RA_MULTISAMPLE_UNK00E10), one byte each: y << 4 | x, in sixteenths of a pixel.
 * The first word has all samples of a pixel. What the other words of four samples are for is not
 * known; their values are those of Mesa's etnaviv.
 */
static const uint32_t positions_2x[] = {0x0000aa22};
static const uint32_t positions_4x[] = {0xeaa26e26, 0xe6ae622a, 0xaaa22a22};

/* Samples and centroids at the pixel's centre: for draws without multisampling. */
static const uint32_t pixel_centers[] = {
   0x88888888, 0x88888888, 0x88888888, 0x88888888, 0x88888888, 0x88888888,
   0x88888888, 0x88888888, 0x88888888, 0x88888888, 0x88888888, 0x88888888,
};

/* Positions at which varyings are evaluated (RA_CENTROID_TABLE), by the set of covered samples. */
static const uint32_t centroids_2[] = {0x66aa2288, 0x88558800, 0x88881100, 0x33888800};
static const uint32_t centroids_4[] = {
   0x4a6e2688, 0x888888a2, 0x888888ea, 0x888888c6, 0x46622a88, 0x888888ae,
   0x888888e6, 0x888888ca, 0x262a2288, 0x886688a2, 0x888866aa, 0x668888a6,
};

static uint32_t
vivgpu_framebuffer_color_format(const struct vivgpu_target *target)
{
   uint32_t format = vivgpu_format_target(target->format);

   return (format >= FIRST_EXTENDED_FORMAT
              ? VIVS_PE_COLOR_FORMAT_FORMAT_EXT(format) | VIVS_PE_COLOR_FORMAT_FORMAT_MASK
              : VIVS_PE_COLOR_FORMAT_FORMAT(format)) |
          (target->tiling >= VIVGPU_SUPER ? VIVS_PE_COLOR_FORMAT_SUPER_TILED : 0);
}

static uint32_t
vivgpu_framebuffer_further_config(const struct vivgpu_target *target)
{
   return RT_CONFIG_STRIDE(target->stride) |
          RT_CONFIG_FORMAT(vivgpu_format_target(target->format)) |
          (target->tiling >= VIVGPU_SUPER ? RT_CONFIG_SUPER_TILED : 0);
}

static uint32_t
vivgpu_framebuffer_output_mode(enum pipe_format format)
{
   unsigned bits = util_format_get_component_bits(format, UTIL_FORMAT_COLORSPACE_RGB, 0);

   return bits == 32 ? COLOR_OUTPUT_MODE_UIF32 : COLOR_OUTPUT_MODE_NORMAL;
}

/* etnaviv sets UNK18 with each depth format; what it does is not known. */
static uint32_t
vivgpu_framebuffer_depth_config(const struct vivgpu_target *depth)
{
   return depth ? vivgpu_format_depth(depth->format) | VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z |
                     VIVS_PE_DEPTH_CONFIG_UNK18 |
                     (depth->tiling >= VIVGPU_SUPER ? VIVS_PE_DEPTH_CONFIG_SUPER_TILED : 0)
                : VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_NONE;
}

static unsigned
vivgpu_framebuffer_depth_bits(const struct vivgpu_target *depth)
{
   return depth->format == PIPE_FORMAT_Z16_UNORM ? 16 : 24;
}

static uint32_t
vivgpu_framebuffer_pack_sample_positions(uint32_t *words, const uint32_t *positions,
                                         uint32_t num_positions, const uint32_t *centroids,
                                         uint32_t num_centroids)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack_array(&pack, VIVS_RA_MULTISAMPLE_UNK00E10(0), positions, num_positions);
   vivgpu_pack_array(&pack, VIVS_RA_CENTROID_TABLE(0), centroids, num_centroids);
   return vivgpu_pack_end(&pack);
}

static void
vivgpu_framebuffer_pack_4x_positions(struct vivgpu_framebuffer *fb)
{
   fb->sample_positions.count = vivgpu_framebuffer_pack_sample_positions(
      fb->sample_positions.words, positions_4x, ARRAY_SIZE(positions_4x), centroids_4,
      ARRAY_SIZE(centroids_4));
   fb->center_positions.count = vivgpu_framebuffer_pack_sample_positions(
      fb->center_positions.words, pixel_centers, ARRAY_SIZE(positions_4x), pixel_centers,
      ARRAY_SIZE(centroids_4));
}

static void
vivgpu_framebuffer_pack_2x_positions(struct vivgpu_framebuffer *fb)
{
   fb->sample_positions.count = vivgpu_framebuffer_pack_sample_positions(
      fb->sample_positions.words, positions_2x, ARRAY_SIZE(positions_2x), centroids_2,
      ARRAY_SIZE(centroids_2));
   fb->center_positions.count = vivgpu_framebuffer_pack_sample_positions(
      fb->center_positions.words, pixel_centers, ARRAY_SIZE(positions_2x), pixel_centers,
      ARRAY_SIZE(centroids_2));
}

static uint32_t
vivgpu_framebuffer_multi_sample_config(uint32_t count)
{
   return count == 4   ? VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X
          : count == 2 ? VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_2X
                       : VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_NONE;
}

/*
 * PE_LOGIC_OP.SINGLE_BUFFER is one field for all surfaces. A linear target requires SINGLE_LINEAR,
 * so that is chosen before the modes of tiled surfaces. Split surfaces are of two buffers, one for
 * each pixel pipe; cores that have them draw to one colour target only.
 */
static uint32_t
vivgpu_framebuffer_logic_op(const struct vivgpu_target *colors, uint32_t num_colors,
                            const struct vivgpu_target *depth, uint32_t samples)
{
   bool linear = false, is_16bpp = depth && vivgpu_framebuffer_depth_bits(depth) == 16;

   if ((num_colors && colors[0].tiling == VIVGPU_SPLIT) || (depth && depth->tiling == VIVGPU_SPLIT))
      return 0;
   for (uint32_t i = 0; i < num_colors; i++) {
      linear |= colors[i].tiling == VIVGPU_LINEAR;
      is_16bpp |= util_format_get_blocksize(colors[i].format) <= 2;
   }

   return VIVS_PE_LOGIC_OP_SINGLE_BUFFER(linear   ? SINGLE_LINEAR
                                         : is_16bpp ? SINGLE_16BPP
                                                  : SINGLE_32BPP) |
          (samples == 4 ? LOGIC_OP_SMALL_MSAA : 0);
}

static void
vivgpu_framebuffer_pack_colors(struct vivgpu_pack *pack, const struct vivgpu_target *colors,
                               uint32_t count)
{
   uint32_t control = count ? VIVS_PS_CONTROL_RT_COUNT(count - 1) : 0, modes = 0;

   for (uint32_t i = 0; i < count; i++) {
      if (util_format_is_unorm(colors[i].format))
         control |= VIVS_PS_CONTROL_SATURATE_RT0 << i;
      modes |= vivgpu_framebuffer_output_mode(colors[i].format) << (OUTPUT_MODE_BITS * i);
   }
   vivgpu_pack(pack, VIVS_PS_CONTROL, control);
   vivgpu_pack(pack, VIVS_PS_CONTROL_EXT, modes);
   vivgpu_pack(pack, VIVS_PE_COLOR_STRIDE, count ? colors[0].stride : 0);
   for (uint32_t i = 1; i < count; i++)
      vivgpu_pack(pack, VIVS_PE_RT_CONFIG_8(i - 1), vivgpu_framebuffer_further_config(&colors[i]));
}

static void
vivgpu_framebuffer_pack_depth(struct vivgpu_pack *pack, const struct vivgpu_target *depth)
{
   vivgpu_pack(pack, VIVS_PE_DEPTH_NORMALIZE,
               fui(depth ? exp2f(vivgpu_framebuffer_depth_bits(depth)) - 1 : 0));
   vivgpu_pack(pack, VIVS_PE_DEPTH_STRIDE, depth ? depth->stride : 0);
   vivgpu_pack(pack, VIVS_PE_HDEPTH_CONTROL, VIVS_PE_HDEPTH_CONTROL_FORMAT_DISABLED);
}

/* True if the targets differ in the order of red and blue in memory. */
static bool
vivgpu_framebuffer_orders_differ(const struct vivgpu_target *colors, uint32_t count)
{
   for (uint32_t i = 1; i < count; i++) {
      if (vivgpu_format_rb_swap(colors[i].format) != vivgpu_format_rb_swap(colors[0].format))
         return true;
   }
   return false;
}

void
vivgpu_framebuffer_init(struct vivgpu_framebuffer *fb, const struct vivgpu_target *colors,
                        uint32_t num_colors, const struct vivgpu_target *depth, uint32_t samples)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(fb->packed.words);

   fb->num_targets = num_colors;
   fb->multisample = samples > 1;
   /* Primitives that need no fallback; with both orders all do (vivgpu_target_order.h). */
   fb->native_prims = vivgpu_framebuffer_orders_differ(colors, num_colors) ? 0 : ~0u;
   fb->depth_step = depth ? util_get_depth_format_mrd(util_format_description(depth->format)) : 0;
   fb->gl_multi_sample_config = vivgpu_framebuffer_multi_sample_config(samples);
   fb->pe_color_format = num_colors ? vivgpu_framebuffer_color_format(&colors[0]) : 0;
   fb->pe_depth_config = vivgpu_framebuffer_depth_config(depth);
   fb->pe_logic_op = vivgpu_framebuffer_logic_op(colors, num_colors, depth, samples);
   fb->ts_mem_config =
      depth && vivgpu_framebuffer_depth_bits(depth) == 16 ? VIVS_TS_MEM_CONFIG_DEPTH_16BPP : 0;
   /*
    * With a linear colour target the early depth test and the late depth write address the
    * depth buffer in different layouts, so the early test cannot be used.
    */
   fb->early_depth = depth && (!num_colors || colors[0].tiling != VIVGPU_LINEAR);

   if (fb->multisample) /* as etnaviv; what it does is not known */
      vivgpu_pack(&pack, VIVS_RA_MULTISAMPLE_UNK00E04, 0);
   if (samples == 4)
      vivgpu_framebuffer_pack_4x_positions(fb);
   else if (samples == 2)
      vivgpu_framebuffer_pack_2x_positions(fb);
   vivgpu_framebuffer_pack_colors(&pack, colors, num_colors);
   vivgpu_framebuffer_pack_depth(&pack, depth);
   fb->packed.count = vivgpu_pack_end(&pack);
}
