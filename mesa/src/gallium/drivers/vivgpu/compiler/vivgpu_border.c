/*
 * SPDX-License-Identifier: MIT
 *
 * NIR pass for texture borders (GL_CLAMP_TO_BORDER and GL_CLAMP), which the core's samplers do
 * not have.
 *
 * The sampler clamps to the edge, and the shader adds the border's colour with the weight that
 * the filter gives to border texels (OpenGL 2.1, section 3.8.8). The texture's weight, 1 minus
 * the border's, is a product over the axes. Along one axis, a linear filter whose centre is d
 * texels inside the edge gives the texture the weight clamp(d + 0.5, 0, 1).
 *
 * The result is exact within one mipmap level. Between two levels the weights are interpolated
 * like the texels, which is exact if the texels of both levels are equal.
 */

#include "compiler/nir/nir_builder.h"
#include "util/u_math.h"

#include "vivgpu_compiler_private.h"

/* The texture lookup that is being lowered. */
struct lookup {
   nir_tex_instr *tex;
   unsigned border; /* VIVGPU_BORDER_* of its sampler, from the key */
   unsigned axes;
   nir_def *coord; /* 0 to 1 within the texture; of rectangles, in texels */
   nir_def *size;  /* of level 0, in texels */
   /* NULL unless vivgpu_border_needs_lod(): other filters do not depend on the level of detail. */
   nir_def *lod;     /* at least the sampler's minimum */
   nir_def *max_lod; /* the sampler's maximum, at most the number of the last level */
};

static bool
vivgpu_border_is_rectangle(const struct lookup *lookup)
{
   return lookup->tex->sampler_dim == GLSL_SAMPLER_DIM_RECT;
}

static nir_def *
vivgpu_border_source(const nir_tex_instr *tex, nir_tex_src_type type)
{
   int index = nir_tex_instr_src_index(tex, type);

   return index < 0 ? NULL : tex->src[index].src.ssa;
}

/* A sampler's state: components floats of the push constants, which hold it, at VIVGPU_PUSH_*. */
static nir_def *
vivgpu_border_push_constant(nir_builder *b, unsigned components, unsigned base)
{
   return nir_load_push_constant(b, components, 32, nir_imm_int(b, 0), .base = base,
                                 .range = components * 4, .align_mul = 16);
}

static nir_def *
vivgpu_border_derivative_lod(nir_builder *b, const struct lookup *lookup, nir_def *dx, nir_def *dy)
{
   nir_def *x = nir_trim_vector(b, dx, lookup->axes), *y = nir_trim_vector(b, dy, lookup->axes);

   if (!vivgpu_border_is_rectangle(lookup)) {
      x = nir_fmul(b, x, lookup->size);
      y = nir_fmul(b, y, lookup->size);
   }
   nir_def *square = nir_fmax(b, nir_fdot(b, x, x), nir_fdot(b, y, y));

   return nir_fmul_imm(b, nir_flog2(b, square), 0.5);
}

/* Sets lod to the level of detail, computed like the core's, and max_lod. */
static void
vivgpu_border_add_lod(nir_builder *b, struct lookup *lookup)
{
   const nir_tex_instr *tex = lookup->tex;
   nir_def *lod = vivgpu_border_source(tex, nir_tex_src_lod),
           *bias = vivgpu_border_source(tex, nir_tex_src_bias);

   if (vivgpu_border_source(tex, nir_tex_src_ddx))
      lod = vivgpu_border_derivative_lod(b, lookup, vivgpu_border_source(tex, nir_tex_src_ddx),
                                         vivgpu_border_source(tex, nir_tex_src_ddy));
   else if (!lod && b->shader->info.stage == MESA_SHADER_FRAGMENT)
      lod = vivgpu_border_derivative_lod(b, lookup, nir_ddx(b, lookup->coord),
                                         nir_ddy(b, lookup->coord));
   if (!lod)
      lod = nir_imm_float(b, 0);
   if (bias)
      lod = nir_fadd(b, lod, bias);

   /* The sampler's LOD bias, minimum and maximum */
   nir_def *limits = vivgpu_border_push_constant(b, 3, VIVGPU_PUSH_SAMPLER_LOD(tex->sampler_index));

   lod = nir_fadd(b, lod, nir_channel(b, limits, 0));
   lookup->lod = nir_fmax(b, lod, nir_channel(b, limits, 1));
   lookup->max_lod = nir_channel(b, limits, 2);
}

/* Width, height and depth of a level, in whole texels. */
static nir_def *
vivgpu_border_size_of_level(nir_builder *b, const struct lookup *lookup, nir_def *level)
{
   nir_def *size = nir_fmul(b, lookup->size, nir_fexp2(b, nir_fneg(b, level)));

   /* Sizes are rounded down; 1/64 covers the error of the core's EXP. */
   return nir_fmax(b, nir_ffloor(b, nir_fadd_imm(b, size, 1.0 / 64)), nir_imm_float(b, 1));
}

/* Texture's weight along an axis of a linear filter centred at texel, in a level of size texels. */
static nir_def *
vivgpu_border_linear_weight(nir_builder *b, nir_def *texel, nir_def *size)
{
   nir_def *left = nir_fsat(b, nir_fadd_imm(b, texel, 0.5));
   nir_def *right = nir_fsat(b, nir_fadd_imm(b, nir_fsub(b, size, texel), 0.5));

   return nir_fmul(b, left, right);
}

/* The same for a nearest filter: 1 inside the texture, else 0. */
static nir_def *
vivgpu_border_nearest_weight(nir_builder *b, nir_def *texel, nir_def *size)
{
   nir_def *inside = nir_iand(b, nir_fge_imm(b, texel, 0), nir_flt(b, texel, size));

   return nir_b2f32(b, inside);
}

/* The coordinate along an axis, in texels of the level; GL_CLAMP clamps it to the texture. */
static nir_def *
vivgpu_border_texel_on_axis(nir_builder *b, const struct lookup *lookup, nir_def *size,
                            unsigned axis)
{
   bool clamp = lookup->border & VIVGPU_BORDER_CLAMP(axis);
   nir_def *coord = nir_channel(b, lookup->coord, axis);

   if (!vivgpu_border_is_rectangle(lookup))
      return nir_fmul(b, clamp ? nir_fsat(b, coord) : coord, size);
   return clamp ? nir_fmin(b, nir_fmax(b, coord, nir_imm_float(b, 0)), size) : coord;
}

/* The texture's weight along an axis, by the filter that the level of detail selects. */
static nir_def *
vivgpu_border_axis_weight(nir_builder *b, const struct lookup *lookup, nir_def *size, unsigned axis)
{
   const unsigned filters = lookup->border & (VIVGPU_BORDER_MAG_LINEAR | VIVGPU_BORDER_MIN_LINEAR);
   bool clamp = lookup->border & VIVGPU_BORDER_CLAMP(axis);
   nir_def *texel, *linear, *nearest;

   size = nir_channel(b, size, axis);
   texel = vivgpu_border_texel_on_axis(b, lookup, size, axis);
   /* A clamped coordinate is inside the texture: a nearest filter never reads the border. */
   linear = vivgpu_border_linear_weight(b, texel, size);
   nearest = clamp ? nir_imm_float(b, 1) : vivgpu_border_nearest_weight(b, texel, size);
   if (filters == (VIVGPU_BORDER_MAG_LINEAR | VIVGPU_BORDER_MIN_LINEAR))
      return linear;
   if (!filters)
      return nearest;
   return nir_bcsel(b, nir_flt(b, nir_imm_float(b, 0), lookup->lod),
                    filters & VIVGPU_BORDER_MIN_LINEAR ? linear : nearest,
                    filters & VIVGPU_BORDER_MIN_LINEAR ? nearest : linear);
}

/* The texture's weight in a level of size texels; NULL if no axis has a border. */
static nir_def *
vivgpu_border_weight_in_level(nir_builder *b, const struct lookup *lookup, nir_def *size)
{
   nir_def *weight = NULL;

   for (unsigned axis = 0; axis < lookup->axes; axis++) {
      if (!(lookup->border & (VIVGPU_BORDER_AXIS(axis) | VIVGPU_BORDER_CLAMP(axis))))
         continue;
      nir_def *along = vivgpu_border_axis_weight(b, lookup, size, axis);

      weight = weight ? nir_fmul(b, weight, along) : along;
   }
   return weight;
}

/* The texture's weight in the levels that the mipmap filter reads; NULL if no axis has a border. */
static nir_def *
vivgpu_border_texture_weight(nir_builder *b, const struct lookup *lookup)
{
   nir_def *level, *weight, *next;

   if (!(lookup->border & VIVGPU_BORDER_MIPMAPS))
      return vivgpu_border_weight_in_level(b, lookup, lookup->size);
   level = nir_fmin(b, lookup->lod, lookup->max_lod);
   if (!(lookup->border & VIVGPU_BORDER_MIP_LINEAR)) {
      /* ceil(level + 0.5) - 1, which rounds halves down: OpenGL 2.1, equation 3.21. */
      level = nir_fneg(b, nir_ffloor(b, nir_fsub(b, nir_imm_float(b, 0.5), level)));
      return vivgpu_border_weight_in_level(b, lookup,
                                           vivgpu_border_size_of_level(b, lookup, level));
   }

   nir_def *below = nir_ffloor(b, level);

   weight = vivgpu_border_weight_in_level(b, lookup, vivgpu_border_size_of_level(b, lookup, below));
   if (!weight)
      return NULL;
   next = vivgpu_border_weight_in_level(
      b, lookup, vivgpu_border_size_of_level(b, lookup, nir_fadd_imm(b, below, 1)));
   return nir_fadd(b, weight, nir_fmul(b, nir_fsub(b, next, weight), nir_fsub(b, level, below)));
}

/* The border's colour, or the result of the shadow comparison with its first component. */
static nir_def *
vivgpu_border_value(nir_builder *b, const struct lookup *lookup)
{
   const nir_tex_instr *tex = lookup->tex;
   nir_def *color = vivgpu_border_push_constant(b, 4, VIVGPU_PUSH_BORDER_COLOR(tex->sampler_index));

   if (tex->is_shadow) {
      nir_def *reference = nir_fsat(b, vivgpu_border_source(tex, nir_tex_src_comparator));
      nir_def *passed =
         nir_b2f32(b, nir_compare_func(b, (enum compare_func)VIVGPU_BORDER_FUNC(lookup->border),
                                       reference, nir_channel(b, color, 0)));

      color = nir_vec4(b, passed, passed, passed, nir_imm_float(b, 1));
   }
   return nir_trim_vector(b, color, tex->def.num_components);
}

static bool
vivgpu_border_has_border(const nir_tex_instr *tex, const struct vivgpu_shader_key *key)
{
   switch (tex->op) {
   case nir_texop_tex:
   case nir_texop_txb:
   case nir_texop_txl:
   case nir_texop_txd:
      break;
   default:
      return false;
   }
   return tex->sampler_index < VIVGPU_MAX_SAMPLERS && key->border[tex->sampler_index] &&
          tex->sampler_dim != GLSL_SAMPLER_DIM_CUBE;
}

static bool
vivgpu_border_lower_border(nir_builder *b, nir_instr *instr, void *data)
{
   const struct vivgpu_shader_key *key = data;
   nir_tex_instr *tex = instr->type == nir_instr_type_tex ? nir_instr_as_tex(instr) : NULL;

   if (!tex || !vivgpu_border_has_border(tex, key))
      return false;
   b->cursor = nir_after_instr(instr);

   struct lookup lookup = {
      .tex = tex,
      .border = key->border[tex->sampler_index],
      .axes = tex->coord_components - tex->is_array,
   };
   nir_def *size = nir_load_texture_size_etna(b, 32, nir_imm_int(b, tex->texture_index));

   lookup.coord = nir_trim_vector(b, vivgpu_border_source(tex, nir_tex_src_coord), lookup.axes);
   lookup.size = nir_trim_vector(b, nir_i2f32(b, size), lookup.axes);
   if (vivgpu_border_needs_lod(lookup.border))
      vivgpu_border_add_lod(b, &lookup);

   nir_def *weight = vivgpu_border_texture_weight(b, &lookup);
   if (!weight)
      return false;
   nir_def *border = nir_fmul(b, vivgpu_border_value(b, &lookup), nir_fsub_imm(b, 1.0, weight));
   nir_def *mixed = nir_fadd(b, nir_fmul(b, &tex->def, weight), border);

   nir_def_rewrite_uses_after(&tex->def, mixed, mixed->parent_instr);
   return true;
}

bool
vivgpu_nir_lower_borders(nir_shader *s, const struct vivgpu_shader_key *key)
{
   return nir_shader_instructions_pass(s, vivgpu_border_lower_border, nir_metadata_control_flow,
                                       (void *)key);
}
