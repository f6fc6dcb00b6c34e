/* SPDX-License-Identifier: MIT */
/* Packs viewport and scissor. */

#include <math.h>

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"

/* Added to the right and lower edges as Vivante's driver does; 16.16 fixed point */
#define SCISSOR_RIGHT_EXTRA  0x1119
#define SCISSOR_BOTTOM_EXTRA 0x1111
#define CLIP_EXTRA           0xffff

/* Size of the largest surface, to which edges are clamped */
#define MAX_SURFACE_SIZE 8192

static uint32_t
vivgpu_viewport_fixed(float value)
{
   return (int32_t)CLAMP(value * 65536.0, INT32_MIN, INT32_MAX);
}

static unsigned
vivgpu_viewport_edge(float value)
{
   return CLAMP(value, 0, MAX_SURFACE_SIZE);
}

void
vivgpu_viewport_close(struct pipe_viewport_state *viewport)
{
   for (unsigned i = 0; i < 2; i++) {
      viewport->scale[i] = 0;
      viewport->translate[i] = floorf(viewport->translate[i]);
   }
}

void
vivgpu_viewport_init(struct vivgpu_viewport *viewport, const struct pipe_viewport_state *base)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(viewport->packed.words);
   const float *scale = base->scale, *translate = base->translate;

   viewport->base = *base;

   /*
    * The core transforms z from -1..1 to 0..1 before it scales, which has to be undone: s * z + t =
    * 2 s * (z + 1) / 2 + (t - s).
    */
   vivgpu_pack_fixp(&pack, VIVS_PA_VIEWPORT_SCALE_X, vivgpu_viewport_fixed(scale[0]));
   vivgpu_pack_fixp(&pack, VIVS_PA_VIEWPORT_SCALE_Y, vivgpu_viewport_fixed(scale[1]));
   vivgpu_pack(&pack, VIVS_PA_VIEWPORT_SCALE_Z, fui(2 * scale[2]));
   vivgpu_pack_fixp(&pack, VIVS_PA_VIEWPORT_OFFSET_X, vivgpu_viewport_fixed(translate[0]));
   vivgpu_pack_fixp(&pack, VIVS_PA_VIEWPORT_OFFSET_Y, vivgpu_viewport_fixed(translate[1]));
   vivgpu_pack(&pack, VIVS_PA_VIEWPORT_OFFSET_Z, fui(translate[2] - scale[2]));
   vivgpu_pack(&pack, VIVS_PE_DEPTH_NEAR, fui(0));
   vivgpu_pack(&pack, VIVS_PE_DEPTH_FAR, fui(1));
   viewport->packed.count = vivgpu_pack_end(&pack);

   viewport->box.minx = vivgpu_viewport_edge(translate[0] - fabsf(scale[0]));
   viewport->box.miny = vivgpu_viewport_edge(translate[1] - fabsf(scale[1]));
   viewport->box.maxx = vivgpu_viewport_edge(ceilf(translate[0] + fabsf(scale[0])));
   viewport->box.maxy = vivgpu_viewport_edge(ceilf(translate[1] + fabsf(scale[1])));
}

uint32_t
vivgpu_scissor_pack(const struct pipe_scissor_state *box, uint32_t words[16])
{
   struct vivgpu_pack pack = vivgpu_pack_begin(words);
   /* The maxima of an empty box may be less than its minima: raise them to these. */
   uint32_t right = MAX2(box->maxx, box->minx) << 16, bottom = MAX2(box->maxy, box->miny) << 16;

   vivgpu_pack_fixp(&pack, VIVS_SE_SCISSOR_LEFT, box->minx << 16);
   vivgpu_pack_fixp(&pack, VIVS_SE_SCISSOR_TOP, box->miny << 16);
   vivgpu_pack_fixp(&pack, VIVS_SE_SCISSOR_RIGHT, right + SCISSOR_RIGHT_EXTRA);
   vivgpu_pack_fixp(&pack, VIVS_SE_SCISSOR_BOTTOM, bottom + SCISSOR_BOTTOM_EXTRA);
   vivgpu_pack_fixp(&pack, VIVS_SE_CLIP_RIGHT, right + CLIP_EXTRA);
   vivgpu_pack_fixp(&pack, VIVS_SE_CLIP_BOTTOM, bottom + CLIP_EXTRA);
   return vivgpu_pack_end(&pack);
}
