/* SPDX-License-Identifier: MIT */
/* Blending, logic operations, dithering, channel masks. */

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/format/u_format.h"
#include "util/half_float.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_format.h"
#include "vivgpu_group.h"
#include "vivgpu_pack.h"
#include "vivgpu_state.h"

/* 4x4 dither matrix in nibbles, as Vivante's driver sets it. Equal nibbles disable dithering. */
#define DITHER_0  0x6e4ca280
#define DITHER_1  0x5d7f91b3
#define NO_DITHER 0xffffffff

/* Bits of PE_LOGIC_OP that Vivante's driver always sets. */
#define LOGIC_OP_ALWAYS (VIVS_PE_LOGIC_OP_DITHER_MODE(3) | 0xe4000)

static uint32_t
vivgpu_blend_factor(unsigned pipe_factor)
{
   static const uint8_t codes[] = {
      [PIPE_BLENDFACTOR_ZERO] = BLEND_FUNC_ZERO,
      [PIPE_BLENDFACTOR_ONE] = BLEND_FUNC_ONE,
      [PIPE_BLENDFACTOR_SRC_COLOR] = BLEND_FUNC_SRC_COLOR,
      [PIPE_BLENDFACTOR_INV_SRC_COLOR] = BLEND_FUNC_ONE_MINUS_SRC_COLOR,
      [PIPE_BLENDFACTOR_SRC_ALPHA] = BLEND_FUNC_SRC_ALPHA,
      [PIPE_BLENDFACTOR_INV_SRC_ALPHA] = BLEND_FUNC_ONE_MINUS_SRC_ALPHA,
      [PIPE_BLENDFACTOR_DST_ALPHA] = BLEND_FUNC_DST_ALPHA,
      [PIPE_BLENDFACTOR_INV_DST_ALPHA] = BLEND_FUNC_ONE_MINUS_DST_ALPHA,
      [PIPE_BLENDFACTOR_DST_COLOR] = BLEND_FUNC_DST_COLOR,
      [PIPE_BLENDFACTOR_INV_DST_COLOR] = BLEND_FUNC_ONE_MINUS_DST_COLOR,
      [PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE] = BLEND_FUNC_SRC_ALPHA_SATURATE,
      [PIPE_BLENDFACTOR_CONST_COLOR] = BLEND_FUNC_CONSTANT_COLOR,
      [PIPE_BLENDFACTOR_INV_CONST_COLOR] = BLEND_FUNC_ONE_MINUS_CONSTANT_COLOR,
      [PIPE_BLENDFACTOR_CONST_ALPHA] = BLEND_FUNC_CONSTANT_ALPHA,
      [PIPE_BLENDFACTOR_INV_CONST_ALPHA] = BLEND_FUNC_ONE_MINUS_CONSTANT_ALPHA,
   };

   return pipe_factor < ARRAY_SIZE(codes) ? codes[pipe_factor] : BLEND_FUNC_ZERO;
}

/* True if the result is the source: source * 1 + destination * 0. */
static bool
vivgpu_blend_replaces(unsigned func, unsigned src, unsigned dst)
{
   return func == PIPE_BLEND_ADD && src == PIPE_BLENDFACTOR_ONE && dst == PIPE_BLENDFACTOR_ZERO;
}

static bool
vivgpu_blend_blends(const struct pipe_rt_blend_state *rt)
{
   return rt->blend_enable &&
          !(vivgpu_blend_replaces(rt->rgb_func, rt->rgb_src_factor, rt->rgb_dst_factor) &&
            vivgpu_blend_replaces(rt->alpha_func, rt->alpha_src_factor, rt->alpha_dst_factor));
}

static uint32_t
vivgpu_blend_alpha_config(const struct pipe_rt_blend_state *rt)
{
   bool separate = rt->rgb_func != rt->alpha_func || rt->rgb_src_factor != rt->alpha_src_factor ||
                   rt->rgb_dst_factor != rt->alpha_dst_factor;

   STATIC_ASSERT(PIPE_BLEND_ADD == BLEND_EQ_ADD && PIPE_BLEND_MAX == BLEND_EQ_MAX);
   STATIC_ASSERT(PIPE_BLEND_MIN == BLEND_EQ_MIN && PIPE_BLEND_SUBTRACT == BLEND_EQ_SUBTRACT);
   if (!vivgpu_blend_blends(rt))
      return 0;
   return VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
          (separate ? VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA : 0) |
          VIVS_PE_ALPHA_CONFIG_EQ_COLOR(rt->rgb_func) |
          VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR(vivgpu_blend_factor(rt->rgb_src_factor)) |
          VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR(vivgpu_blend_factor(rt->rgb_dst_factor)) |
          VIVS_PE_ALPHA_CONFIG_EQ_ALPHA(rt->alpha_func) |
          VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA(vivgpu_blend_factor(rt->alpha_src_factor)) |
          VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA(vivgpu_blend_factor(rt->alpha_dst_factor));
}

void
vivgpu_blend_init(struct vivgpu_blend *blend, const struct pipe_blend_state *base)
{
   struct vivgpu_pack pack = vivgpu_pack_begin(blend->packed.words);
   unsigned op = base->logicop_enable ? base->logicop_func : LOGIC_OP_COPY;

   STATIC_ASSERT(PIPE_LOGICOP_COPY == LOGIC_OP_COPY && PIPE_LOGICOP_XOR == LOGIC_OP_XOR);
   blend->base = *base;
   blend->opaque = !vivgpu_blend_blends(&base->rt[0]) && op == LOGIC_OP_COPY;
   blend->described = base->rt[0].blend_enable || base->logicop_enable ? VIVGPU_DRAW_BLEND : 0;
   blend->native_prims = base->alpha_to_coverage || base->alpha_to_one ? 0 : ~0u;
   blend->logic_op = VIVS_PE_LOGIC_OP_OP(op) | LOGIC_OP_ALWAYS;

   vivgpu_pack(&pack, VIVS_PE_ALPHA_CONFIG, vivgpu_blend_alpha_config(&base->rt[0]));
   vivgpu_pack(&pack, VIVS_PE_DITHER(0), base->dither ? DITHER_0 : NO_DITHER);
   vivgpu_pack(&pack, VIVS_PE_DITHER(1), base->dither ? DITHER_1 : NO_DITHER);
   blend->packed.count = vivgpu_pack_end(&pack);
}

uint32_t
vivgpu_blend_channels(const struct vivgpu_blend *blend, enum pipe_format format)
{
   const struct util_format_description *desc = util_format_description(format);
   unsigned mask = blend->base.rt[0].colormask;
   unsigned stored = mask;

   if (vivgpu_format_rb_swap(format)) {
      stored = mask & (PIPE_MASK_G | PIPE_MASK_A);
      stored |= mask & PIPE_MASK_R ? PIPE_MASK_B : 0;
      stored |= mask & PIPE_MASK_B ? PIPE_MASK_R : 0;
   }

   return VIVS_PE_COLOR_FORMAT_COMPONENTS(stored) |
          (blend->opaque && util_format_colormask_full(desc, mask) ? VIVS_PE_COLOR_FORMAT_OVERWRITE
                                                                   : 0);
}

static bool
vivgpu_blend_is_constant_color(unsigned pipe_factor)
{
   return pipe_factor == PIPE_BLENDFACTOR_CONST_COLOR ||
          pipe_factor == PIPE_BLENDFACTOR_INV_CONST_COLOR;
}

bool
vivgpu_blend_tells_red_from_blue(const struct vivgpu_blend *blend, const float color[4])
{
   const struct pipe_rt_blend_state *rt = &blend->base.rt[0];

   return !(rt->colormask & PIPE_MASK_R) != !(rt->colormask & PIPE_MASK_B) ||
          (vivgpu_blend_blends(rt) &&
           (vivgpu_blend_is_constant_color(rt->rgb_src_factor) ||
            vivgpu_blend_is_constant_color(rt->rgb_dst_factor)) &&
           color[0] != color[2]);
}

void
vivgpu_blend_color(const float color[4], bool swap, uint32_t words[3])
{
   float r = color[swap ? 2 : 0], g = color[1], b = color[swap ? 0 : 2], a = color[3];

   words[0] = VIVS_PE_ALPHA_BLEND_COLOR_R(float_to_ubyte(r)) |
              VIVS_PE_ALPHA_BLEND_COLOR_G(float_to_ubyte(g)) |
              VIVS_PE_ALPHA_BLEND_COLOR_B(float_to_ubyte(b)) |
              VIVS_PE_ALPHA_BLEND_COLOR_A(float_to_ubyte(a));
   /* Red first: the names B and R are swapped in the register database. */
   words[1] = VIVS_PE_ALPHA_COLOR_EXT0_B(_mesa_float_to_half(r)) |
              VIVS_PE_ALPHA_COLOR_EXT0_G(_mesa_float_to_half(g));
   words[2] = VIVS_PE_ALPHA_COLOR_EXT1_R(_mesa_float_to_half(b)) |
              VIVS_PE_ALPHA_COLOR_EXT1_A(_mesa_float_to_half(a));
}
