/* SPDX-License-Identifier: MIT */
/* Packs the rasterizer state: culling, fill modes, lines, points, depth offset. */

#include <math.h>

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_generation.h"
#include "vivgpu_group.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"

#define LINES                                                                                      \
   (BITFIELD_BIT(MESA_PRIM_LINES) | BITFIELD_BIT(MESA_PRIM_LINE_STRIP) |                           \
    BITFIELD_BIT(MESA_PRIM_LINE_LOOP))
#define TRIANGLES                                                                                  \
   (BITFIELD_BIT(MESA_PRIM_TRIANGLES) | BITFIELD_BIT(MESA_PRIM_TRIANGLE_STRIP) |                   \
    BITFIELD_BIT(MESA_PRIM_TRIANGLE_FAN))

/* Draws that cull both faces are dropped before: vivgpu_draw_vbo.c. */
static uint32_t
vivgpu_rasterizer_cull_mode(const struct pipe_rasterizer_state *base)
{
   bool clockwise = base->front_ccw == (base->cull_face == PIPE_FACE_BACK);

   if (base->cull_face != PIPE_FACE_FRONT && base->cull_face != PIPE_FACE_BACK)
      return VIVS_PA_CONFIG_CULL_FACE_MODE_OFF;
   return clockwise ? VIVS_PA_CONFIG_CULL_FACE_MODE_CW : VIVS_PA_CONFIG_CULL_FACE_MODE_CCW;
}

static uint32_t
vivgpu_rasterizer_fill_mode(unsigned mode)
{
   switch (mode) {
   case PIPE_POLYGON_MODE_LINE:
      return VIVS_PA_CONFIG_FILL_MODE_WIREFRAME;
   case PIPE_POLYGON_MODE_POINT:
      return VIVS_PA_CONFIG_FILL_MODE_POINT;
   default:
      return VIVS_PA_CONFIG_FILL_MODE_SOLID;
   }
}

/*
 * The core has one fill mode for both faces: return that of a face that is not culled. If neither
 * is culled and they differ, the draw module draws outlines (vivgpu_needs_swtnl()).
 */
unsigned
vivgpu_rasterizer_fill(const struct pipe_rasterizer_state *base)
{
   return base->cull_face == PIPE_FACE_FRONT ? base->fill_back : base->fill_front;
}

static bool
vivgpu_rasterizer_has_depth_offset(const struct pipe_rasterizer_state *base)
{
   switch (vivgpu_rasterizer_fill(base)) {
   case PIPE_POLYGON_MODE_LINE:
      return base->offset_line;
   case PIPE_POLYGON_MODE_POINT:
      return base->offset_point;
   default:
      return base->offset_tri;
   }
}

/*
 * True if points have integer sizes: those of OpenGL without antialiasing, multisampling and
 * sprites. Points of OpenGL ES are sprites.
 */
static bool
vivgpu_rasterizer_has_integer_points(const struct pipe_rasterizer_state *base)
{
   return !base->point_quad_rasterization && !base->point_smooth && !base->multisample;
}

static float
vivgpu_rasterizer_point_size(const struct pipe_rasterizer_state *base)
{
   return vivgpu_rasterizer_has_integer_points(base) ? MAX2(floorf(base->point_size + 0.5f), 1)
                                                     : base->point_size;
}

static uint32_t
vivgpu_rasterizer_pa_config(const struct pipe_rasterizer_state *base)
{
   return vivgpu_rasterizer_cull_mode(base) |
          vivgpu_rasterizer_fill_mode(vivgpu_rasterizer_fill(base)) | VIVS_PA_CONFIG_WIDE_LINE |
          (base->flatshade ? VIVS_PA_CONFIG_SHADE_MODEL_FLAT : VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH) |
          (base->point_quad_rasterization ? VIVS_PA_CONFIG_POINT_SPRITE_ENABLE : 0) |
          (base->point_size_per_vertex ? VIVS_PA_CONFIG_POINT_SIZE_ENABLE : 0);
}

/*
 * Return the bits of enum mesa_prim that the core draws in any case. It has no stippled or smooth
 * lines and no smooth points, and culls at most one face; quads and polygons are always converted.
 * It draws some outlines of triangles as well, which vivgpu_needs_swtnl() decides for a draw, as it
 * depends on edge flags. Polygon stipple is a part of the fragment shader (vivgpu_stipple.h).
 */
static uint32_t
vivgpu_rasterizer_native_prims(const struct pipe_rasterizer_state *base)
{
   uint32_t modes = base->point_smooth ? 0 : BITFIELD_BIT(MESA_PRIM_POINTS);

   if (!base->line_stipple_enable && !base->line_smooth)
      modes |= LINES;
   if (base->fill_front == PIPE_POLYGON_MODE_FILL && base->fill_back == PIPE_POLYGON_MODE_FILL &&
       base->cull_face != PIPE_FACE_FRONT_AND_BACK)
      modes |= TRIANGLES;
   return modes;
}

void
vivgpu_rasterizer_init(struct vivgpu_rasterizer *rasterizer,
                       const struct pipe_rasterizer_state *base)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(rasterizer->packed.words);
   /* The registers hold halves of a line's width and of a point's size. */
   uint32_t half_width = fui(base->line_width / 2);

   rasterizer->base = *base;
   rasterizer->key = (struct vivgpu_rasterizer_key){
      .ucp_enables = base->clip_plane_enable,
      .sprite_coord_yinvert = base->sprite_coord_mode == PIPE_SPRITE_COORD_LOWER_LEFT,
      .flatshade = base->flatshade,
      .front_ccw = base->front_ccw,
      .round_point_size = base->point_size_per_vertex && vivgpu_rasterizer_has_integer_points(base),
   };
   rasterizer->native_prims = vivgpu_primitive_bits(vivgpu_rasterizer_native_prims(base));
   rasterizer->pa_config = vivgpu_rasterizer_pa_config(base);
   rasterizer->described = (base->cull_face != PIPE_FACE_NONE ? VIVGPU_DRAW_CULL : 0) |
                           (base->scissor ? VIVGPU_DRAW_SCISSOR : 0);
   /*
    * In the core's unit, half of the smallest difference of depth values; SE_DEPTH_BIAS is this
    * times the depth buffer's difference (vivgpu_emit.c).
    */
   rasterizer->depth_bias = vivgpu_rasterizer_has_depth_offset(base) ? base->offset_units * 2 : 0;

   vivgpu_pack(&pack, VIVS_PA_LINE_WIDTH, half_width);
   vivgpu_pack(&pack, VIVS_PA_POINT_SIZE, fui(vivgpu_rasterizer_point_size(base) / 2));
   vivgpu_pack(&pack, VIVS_PA_SYSTEM_MODE,
               (base->flatshade_first ? 0 : VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST) |
                  (base->half_pixel_center ? VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER : 0));
   vivgpu_pack(&pack, VIVS_PA_WIDE_LINE_WIDTH0, half_width);
   vivgpu_pack(&pack, VIVS_PA_WIDE_LINE_WIDTH1, half_width);
   vivgpu_pack(&pack, VIVS_SE_DEPTH_SCALE,
               fui(vivgpu_rasterizer_has_depth_offset(base) ? base->offset_scale : 0));
   vivgpu_pack(&pack, VIVS_SE_CONFIG, base->line_last_pixel ? VIVS_SE_CONFIG_LAST_PIXEL_ENABLE : 0);
   rasterizer->packed.count = vivgpu_pack_end(&pack);
}
