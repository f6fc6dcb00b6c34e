/* SPDX-License-Identifier: MIT */
/* Depth, stencil and alpha test. */

#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/half_float.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "vivgpu_group.h"
#include "vivgpu_state.h"

/* Bits of RA_EARLY_DEPTH that Vivante's driver always sets. */
#define EARLY_DEPTH_ALWAYS 0x30

static uint32_t
vivgpu_zsa_operation(unsigned op)
{
   static const uint8_t codes[] = {
      [PIPE_STENCIL_OP_KEEP] = STENCIL_OP_KEEP,
      [PIPE_STENCIL_OP_ZERO] = STENCIL_OP_ZERO,
      [PIPE_STENCIL_OP_REPLACE] = STENCIL_OP_REPLACE,
      [PIPE_STENCIL_OP_INCR] = STENCIL_OP_INCR,
      [PIPE_STENCIL_OP_DECR] = STENCIL_OP_DECR,
      [PIPE_STENCIL_OP_INCR_WRAP] = STENCIL_OP_INCR_WRAP,
      [PIPE_STENCIL_OP_DECR_WRAP] = STENCIL_OP_DECR_WRAP,
      [PIPE_STENCIL_OP_INVERT] = STENCIL_OP_INVERT,
   };

   return codes[op];
}

static bool
vivgpu_zsa_modifies(const struct pipe_stencil_state *side)
{
   return side->fail_op != PIPE_STENCIL_OP_KEEP || side->zfail_op != PIPE_STENCIL_OP_KEEP ||
          side->zpass_op != PIPE_STENCIL_OP_KEEP;
}

/* Return which of Gallium's states, front (0) or back (1), a face of the core uses. */
static unsigned
vivgpu_zsa_side_of(const struct vivgpu_zsa *zsa, enum vivgpu_faces faces, bool core_back)
{
   if (!zsa->two_sided || faces == VIVGPU_FRONT_BOTH)
      return 0;
   return core_back != (faces == VIVGPU_FRONT_CCW);
}

static void
vivgpu_zsa_init_stencil(struct vivgpu_zsa *zsa, enum vivgpu_faces faces)
{
   const struct pipe_stencil_state *front =
      &zsa->base.stencil[vivgpu_zsa_side_of(zsa, faces, false)];
   const struct pipe_stencil_state *back = &zsa->base.stencil[vivgpu_zsa_side_of(zsa, faces, true)];

   zsa->stencil_op[faces] =
      VIVS_PE_STENCIL_OP_FUNC_FRONT(front->func) |
      VIVS_PE_STENCIL_OP_PASS_FRONT(vivgpu_zsa_operation(front->zpass_op)) |
      VIVS_PE_STENCIL_OP_FAIL_FRONT(vivgpu_zsa_operation(front->fail_op)) |
      VIVS_PE_STENCIL_OP_DEPTH_FAIL_FRONT(vivgpu_zsa_operation(front->zfail_op)) |
      VIVS_PE_STENCIL_OP_FUNC_BACK(back->func) |
      VIVS_PE_STENCIL_OP_PASS_BACK(vivgpu_zsa_operation(back->zpass_op)) |
      VIVS_PE_STENCIL_OP_FAIL_BACK(vivgpu_zsa_operation(back->fail_op)) |
      VIVS_PE_STENCIL_OP_DEPTH_FAIL_BACK(vivgpu_zsa_operation(back->zfail_op));
   /* Both faces' states are loaded, also if they are the same, so the mode is never ONE_SIDED. */
   zsa->stencil_config[faces] =
      (zsa->base.stencil[0].enabled ? VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED
                                    : VIVS_PE_STENCIL_CONFIG_MODE_DISABLED) |
      VIVS_PE_STENCIL_CONFIG_MASK_FRONT(front->valuemask) |
      VIVS_PE_STENCIL_CONFIG_WRITE_MASK_FRONT(front->writemask);
   zsa->stencil_config_ext2[faces] = VIVS_PE_STENCIL_CONFIG_EXT2_MASK_BACK(back->valuemask) |
                                     VIVS_PE_STENCIL_CONFIG_EXT2_WRITE_MASK_BACK(back->writemask);
}

void
vivgpu_zsa_init(struct vivgpu_zsa *zsa, const struct pipe_depth_stencil_alpha_state *base)
{
   /* PIPE_FUNC_* and COMPARE_FUNC_* have the same values. */
   zsa->base = *base;
   zsa->two_sided = base->stencil[1].enabled;
   zsa->tests_depth = base->depth_enabled && base->depth_func != PIPE_FUNC_ALWAYS;
   zsa->writes_depth = base->depth_enabled && base->depth_writemask;
   zsa->writes_stencil =
      base->stencil[0].enabled && (vivgpu_zsa_modifies(&base->stencil[0]) ||
                                   (zsa->two_sided && vivgpu_zsa_modifies(&base->stencil[1])));
   zsa->uses_stencil =
      zsa->writes_stencil ||
      (base->stencil[0].enabled && (base->stencil[0].func != PIPE_FUNC_ALWAYS ||
                                    (zsa->two_sided && base->stencil[1].func != PIPE_FUNC_ALWAYS)));
   zsa->described = (zsa->tests_depth ? VIVGPU_DRAW_DEPTH_TEST : 0) |
                    (zsa->writes_depth ? VIVGPU_DRAW_DEPTH_WRITE : 0) |
                    (zsa->uses_stencil ? VIVGPU_DRAW_STENCIL : 0);

   for (unsigned faces = 0; faces < VIVGPU_NUM_FACES; faces++)
      vivgpu_zsa_init_stencil(zsa, faces);
   zsa->alpha_op = (base->alpha_enabled ? VIVS_PE_ALPHA_OP_ALPHA_TEST : 0) |
                   VIVS_PE_ALPHA_OP_ALPHA_FUNC(base->alpha_func) |
                   VIVS_PE_ALPHA_OP_ALPHA_REF(float_to_ubyte(base->alpha_ref_value));
   zsa->stencil_config_ext = VIVS_PE_STENCIL_CONFIG_EXT_EXTRA_ALPHA_REF(
      _mesa_float_to_half(SATURATE(base->alpha_ref_value)));
}

void
vivgpu_zsa_references(const struct vivgpu_zsa *zsa, const struct pipe_stencil_ref *ref,
                      enum vivgpu_faces faces, uint32_t *config, uint32_t *config_ext)
{
   unsigned front = vivgpu_zsa_side_of(zsa, faces, false),
            back = vivgpu_zsa_side_of(zsa, faces, true);

   *config = VIVS_PE_STENCIL_CONFIG_REF_FRONT(ref->ref_value[front]);
   *config_ext = VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK(ref->ref_value[back]);
}

void
vivgpu_zsa_depth(const struct vivgpu_zsa *zsa, bool early, bool shader_depth, uint32_t *config,
                 uint32_t *early_depth)
{
   /*
    * The early test rejects fragments before the shader runs, so the shader must not write depth,
    * and stencil must not change where depth fails. @late: the pixel engine tests or writes after
    * the shader; both are set if depth is tested early and written.
    */
   bool tests_early = zsa->tests_depth && early && !shader_depth && !zsa->writes_stencil;
   bool late = zsa->writes_depth || zsa->uses_stencil || (zsa->tests_depth && !tests_early);
   unsigned func = zsa->tests_depth ? zsa->base.depth_func : PIPE_FUNC_ALWAYS;

   *config = VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(func) |
             (zsa->writes_depth ? VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE : 0) |
             (tests_early ? VIVS_PE_DEPTH_CONFIG_EARLY_Z : 0) |
             (late ? 0 : VIVS_PE_DEPTH_CONFIG_DISABLE_ZS);
   *early_depth = EARLY_DEPTH_ALWAYS | (tests_early ? VIVS_RA_EARLY_DEPTH_TEST_ENABLE : 0);
}
