/*
 * SPDX-License-Identifier: MIT
 *
 * NIR pass that changes the alpha of a fragment shader's colour outputs where the shader stores
 * them (see struct vivgpu_fragment_extras):
 *
 *  - alpha is multiplied by the coverage of a smooth line or point; fragments without coverage are
 *    killed,
 *  - alpha to coverage becomes a comparison of alpha with alpha_ref that kills the fragment,
 *  - alpha to one replaces alpha by 1.
 */

#include "compiler/nir/nir_builder.h"

#include "vivgpu_compiler_private.h"

/* A smaller coverage counts as 0: it comes from rounding, and 8 bits of alpha cannot hold it. */
#define MIN_COVERAGE (1.0f / 1024)

struct alpha {
   struct vivgpu_fragment_extras extras;
   /* Share of the fragment that the primitive covers, 0 to 1; NULL: 1 */
   nir_def *covered;
};

/* Coverage along one axis: limit - |distance|, in pixels, clamped to 0..1; limit follows axis. */
static nir_def *
vivgpu_alpha_inside(nir_builder *b, nir_def *coords, unsigned axis)
{
   nir_def *distance = nir_fabs(b, nir_channel(b, coords, axis));

   return nir_fsat(b, nir_fsub(b, nir_channel(b, coords, axis + 1), distance));
}

/*
 * Coverage of a line: the product of those across and along it. The latter is at most the line's
 * length: its limit is half the length + 0.5, so the length is 2 * limit - 1.
 */
static nir_def *
vivgpu_alpha_line_coverage(nir_builder *b, nir_def *coords)
{
   nir_def *length = nir_fadd_imm(b, nir_fmul_imm(b, nir_channel(b, coords, 3), 2), -1);

   return nir_fmul(b, vivgpu_alpha_inside(b, coords, 0),
                   nir_fmin(b, vivgpu_alpha_inside(b, coords, 2), length));
}

/* Coverage of a point: limit (y) - distance from the centre (x, z), at most the largest one (w). */
static nir_def *
vivgpu_alpha_point_coverage(nir_builder *b, nir_def *coords)
{
   nir_def *x = nir_channel(b, coords, 0), *y = nir_channel(b, coords, 2);
   nir_def *distance = nir_fsqrt(b, nir_fadd(b, nir_fmul(b, x, x), nir_fmul(b, y, y)));
   nir_def *ramp = nir_fsat(b, nir_fsub(b, nir_channel(b, coords, 1), distance));

   return nir_fmin(b, ramp, nir_channel(b, coords, 3));
}

/*
 * Coverage of the fragment. The vertex shader multiplies the input by w. The core interpolates
 * it with perspective; the product with gl_FragCoord.w = 1 / w is then linear in window space.
 */
static nir_def *
vivgpu_alpha_coverage(nir_builder *b, unsigned kind)
{
   nir_variable *input = nir_create_variable_with_location(
      b->shader, nir_var_shader_in, VIVGPU_COVERAGE_LOCATION, glsl_vec4_type());
   nir_def *w = nir_channel(b, nir_load_frag_coord(b), 3);
   nir_def *coords = nir_fmul(b, nir_load_var(b, input), w);

   return kind == VIVGPU_COVERAGE_LINE ? vivgpu_alpha_line_coverage(b, coords)
                                       : vivgpu_alpha_point_coverage(b, coords);
}

/* The alpha to store. Only the alpha of the first colour output is compared with alpha_ref. */
static nir_def *
vivgpu_alpha_lower_value(nir_builder *b, const struct alpha *state, nir_def *alpha, bool first)
{
   if (state->covered)
      alpha = nir_fmul(b, alpha, state->covered);
   if (state->extras.alpha_ref && first) {
      nir_demote_if(b, nir_flt_imm(b, alpha, state->extras.alpha_ref / 8.0));
      b->shader->info.fs.uses_discard = true;
   }
   return state->extras.alpha_to_one ? nir_imm_float(b, 1) : alpha;
}

static bool
vivgpu_alpha_lower_store(nir_builder *b, nir_intrinsic_instr *store, void *data)
{
   const nir_variable *var =
      store->intrinsic == nir_intrinsic_store_deref ? nir_intrinsic_get_var(store, 0) : NULL;

   if (!var || var->data.mode != nir_var_shader_out ||
       (var->data.location != FRAG_RESULT_COLOR && var->data.location < FRAG_RESULT_DATA0))
      return false;

   /* The stored component that is alpha: the first one is component location_frac of the output. */
   const unsigned last = 3 - var->data.location_frac;

   if (last >= store->num_components || !(nir_intrinsic_write_mask(store) & 1u << last))
      return false;
   b->cursor = nir_before_instr(&store->instr);

   nir_def *color = store->src[1].ssa;
   nir_def *alpha =
      vivgpu_alpha_lower_value(b, data, nir_channel(b, color, last),
                               var->data.location <= FRAG_RESULT_DATA0 && !var->data.index);

   nir_src_rewrite(&store->src[1], nir_vector_insert_imm(b, color, alpha, last));
   return true;
}

bool
vivgpu_nir_lower_alpha(nir_shader *s, struct vivgpu_fragment_extras extras)
{
   nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(s)));
   struct alpha state = {extras};

   if (extras.coverage) {
      state.covered = vivgpu_alpha_coverage(&b, extras.coverage);
      nir_demote_if(&b, nir_flt_imm(&b, state.covered, MIN_COVERAGE));
      s->info.fs.uses_discard = true;
      nir_metadata_preserve(b.impl, nir_metadata_control_flow);
   }
   return nir_shader_intrinsics_pass(s, vivgpu_alpha_lower_store, nir_metadata_control_flow,
                                     &state) ||
          extras.coverage;
}
