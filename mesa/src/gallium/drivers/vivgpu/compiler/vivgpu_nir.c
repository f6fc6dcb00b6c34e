/*
 * SPDX-License-Identifier: MIT
 *
 * Lowers and optimises NIR for instruction selection (vivgpu_select.c).
 *
 * Three conditions fix the order of the passes: on cores without integers, integers become
 * floats before booleans do; negations, absolute values and saturations remain NIR operations,
 * which instruction selection folds into modifiers; and no pass may run after
 * nir_convert_from_ssa().
 */

#include "compiler/nir/nir_builder.h"
#include "util/u_math.h"

#include "vivgpu_compiler_private.h"

/* NIR_PASS() as an expression: true if the pass changed the shader. */
#define CHANGED(nir, pass, ...)                                                                    \
   ({                                                                                              \
      bool changed_ = false;                                                                       \
      NIR_PASS(changed_, nir, pass, ##__VA_ARGS__);                                                \
      changed_;                                                                                    \
   })

/* Branches of at most this many instructions are replaced by selects. */
#define PEEPHOLE_LIMIT 16

static int
vivgpu_nir_slots_of_type(const struct glsl_type *type, bool bindless)
{
   return glsl_count_attribute_slots(type, false);
}

/*
 * True if the operation reduces vectors to one value. Comparisons of vectors are split later, when
 * booleans have 32 bits: NIR's own passes split those of one bit into fewer instructions.
 */
static bool
vivgpu_nir_is_reduction(const nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];

   return alu->def.bit_size == 32 && info->output_size == 1 && info->num_inputs &&
          info->input_sizes[0] > 1;
}

/* True for operations to be split: the core has them for one component only, or not at all. */
static bool
vivgpu_nir_is_scalar(const nir_instr *instr, const void *data)
{
   const struct vivgpu_core *core = data;

   if (instr->type != nir_instr_type_alu)
      return false;

   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   switch (alu->op) {
   case nir_op_fdot2:
      return !core->integers; /* DP2 came with HALTI2 */
   case nir_op_fdot3:
   case nir_op_fdot4:
      return false;
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_frcp:
   case nir_op_fsqrt:
   case nir_op_frsq:
   case nir_op_imul:
      return true;
   default:
      return vivgpu_nir_is_reduction(alu);
   }
}

static void
vivgpu_nir_optimize(nir_shader *s)
{
   bool changed;

   do {
      changed = false;
      NIR_PASS(_, s, nir_lower_vars_to_ssa);
      changed |= CHANGED(s, nir_opt_copy_prop_vars);
      changed |= CHANGED(s, nir_opt_shrink_stores, true);
      changed |= CHANGED(s, nir_opt_shrink_vectors, false);
      changed |= CHANGED(s, nir_copy_prop);
      changed |= CHANGED(s, nir_opt_dce);
      changed |= CHANGED(s, nir_opt_dead_cf);
      changed |= CHANGED(s, nir_opt_cse);
      changed |= CHANGED(s, nir_opt_peephole_select, PEEPHOLE_LIMIT, true, true);
      changed |= CHANGED(s, nir_opt_intrinsics);
      changed |= CHANGED(s, nir_opt_algebraic);
      changed |= CHANGED(s, nir_opt_constant_folding);
      if (CHANGED(s, nir_opt_loop)) {
         changed = true;
         NIR_PASS(_, s, nir_copy_prop);
         NIR_PASS(_, s, nir_opt_dce);
      }
      changed |= CHANGED(s, nir_opt_loop_unroll);
      changed |= CHANGED(s, nir_opt_if, nir_opt_if_optimize_phi_true_false);
      changed |= CHANGED(s, nir_opt_remove_phis);
      changed |= CHANGED(s, nir_opt_undef);
      changed |= CHANGED(s, nir_opt_conditional_discard);
   } while (changed);
}

/* Texture sizes become uniforms. */
static bool
vivgpu_nir_lower_size(nir_builder *b, nir_instr *instr, UNUSED void *data)
{
   nir_tex_instr *tex = instr->type == nir_instr_type_tex ? nir_instr_as_tex(instr) : NULL;

   if (!tex || tex->op != nir_texop_txs)
      return false;
   b->cursor = nir_before_instr(instr);

   nir_def *size = nir_load_texture_size_etna(b, 32, nir_imm_int(b, tex->texture_index));
   nir_def_replace(&tex->def, nir_trim_vector(b, size, tex->def.num_components));
   return true;
}

/* Lowers the shadow comparisons of key->lower_shadow, which the core's samplers cannot do. */
static bool
vivgpu_nir_lower_shadow(nir_shader *s, const struct vivgpu_shader_key *key)
{
   enum compare_func func[VIVGPU_MAX_SAMPLERS];
   nir_lower_tex_shadow_swizzle swizzle[VIVGPU_MAX_SAMPLERS];

   for (unsigned i = 0; i < VIVGPU_MAX_SAMPLERS; i++) {
      func[i] = (enum compare_func)key->shadow_func[i];
      swizzle[i] = (nir_lower_tex_shadow_swizzle){
         .swizzle_r = key->shadow_swizzle[i][0],
         .swizzle_g = key->shadow_swizzle[i][1],
         .swizzle_b = key->shadow_swizzle[i][2],
         .swizzle_a = key->shadow_swizzle[i][3],
      };
   }
   return CHANGED(s, nir_lower_tex_shadow, VIVGPU_MAX_SAMPLERS, func, swizzle, true);
}

/* Lowers borders if a sampler has one; projections first, as weights need final coordinates. */
static bool
vivgpu_nir_run_borders(nir_shader *s, const struct vivgpu_shader_key *key)
{
   const nir_lower_tex_options projection = {.lower_txp = ~0u};

   for (unsigned i = 0; i < VIVGPU_MAX_SAMPLERS; i++) {
      if (!key->border[i])
         continue;
      NIR_PASS(_, s, nir_lower_tex, &projection);
      return CHANGED(s, vivgpu_nir_lower_borders, key);
   }
   return false;
}

bool
vivgpu_nir_lower_textures(nir_shader *s, const struct vivgpu_shader_key *key)
{
   const nir_lower_tex_options options = {
      .lower_txp = ~0u,
      .lower_rect = true,
      .lower_1d = true,
      .lower_txs_lod = true,
      .lower_txd_shadow = true,
      .lower_invalid_implicit_lod = true,
   };
   bool changed = vivgpu_nir_run_borders(s, key);

   changed |= CHANGED(s, nir_lower_tex, &options);
   if (key->lower_shadow)
      changed |= vivgpu_nir_lower_shadow(s, key);
   changed |= CHANGED(s, nir_shader_instructions_pass, vivgpu_nir_lower_size,
                      nir_metadata_control_flow, NULL);
   return changed;
}

static bool
vivgpu_nir_scale_angle(nir_builder *b, nir_alu_instr *alu, void *data)
{
   const struct vivgpu_core *core = data;
   /* The angle in radians that the core's SIN and COS represent by 1.0. */
   const double unit = core->new_transcendentals ? M_PI : M_PI / 2;

   if (alu->op != nir_op_fsin && alu->op != nir_op_fcos)
      return false;

   b->cursor = nir_before_instr(&alu->instr);
   nir_def *angle = nir_fmul_imm(b, nir_ssa_for_alu_src(b, alu, 0), 1.0 / unit);
   nir_src_rewrite(&alu->src[0].src, angle);
   for (unsigned i = 0; i < alu->def.num_components; i++)
      alu->src[0].swizzle[i] = i;
   return true;
}

bool
vivgpu_nir_scale_angles(nir_shader *s, const struct vivgpu_core *core)
{
   return nir_shader_alu_pass(s, vivgpu_nir_scale_angle, nir_metadata_control_flow, (void *)core);
}

static bool
vivgpu_nir_fold_uniform_offset(nir_builder *b, nir_intrinsic_instr *intrin, UNUSED void *data)
{
   if (intrin->intrinsic != nir_intrinsic_load_uniform || !nir_src_is_const(intrin->src[0]))
      return false;

   const unsigned offset = nir_src_as_uint(intrin->src[0]);
   if (!offset)
      return false;

   b->cursor = nir_before_instr(&intrin->instr);
   nir_src_rewrite(&intrin->src[0], nir_imm_int(b, 0));
   nir_intrinsic_set_base(intrin, nir_intrinsic_base(intrin) + offset);
   nir_intrinsic_set_range(intrin, 1);
   return true;
}

bool
vivgpu_nir_fold_uniform_offsets(nir_shader *s)
{
   return nir_shader_intrinsics_pass(s, vivgpu_nir_fold_uniform_offset, nir_metadata_control_flow,
                                     NULL);
}

/*
 * Polygon stipple: kills the fragment where alpha of the pattern's texture is not zero. The
 * texture has 32 x 32 texels and repeats, so the window position / 32 is its coordinate.
 * vivgpu_stipple.h says why nir_lower_pstipple_fs() is not used.
 */
static void
vivgpu_nir_lower_stipple(nir_shader *s, unsigned sampler)
{
   nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(s)));
   nir_tex_instr *tex = nir_tex_instr_create(s, 1);
   nir_def *coord = nir_fmul_imm(&b, nir_trim_vector(&b, nir_load_frag_coord(&b), 2), 1.0 / 32);

   tex->op = nir_texop_tex;
   tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
   tex->coord_components = 2;
   tex->dest_type = nir_type_float32;
   tex->texture_index = tex->sampler_index = sampler;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, coord);
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(&b, &tex->instr);
   nir_demote_if(&b, nir_fneu_imm(&b, nir_channel(&b, &tex->def, 3), 0));
   s->info.fs.uses_discard = true;
   nir_metadata_preserve(b.impl, nir_metadata_control_flow);
   BITSET_SET(s->info.textures_used, sampler);
   BITSET_SET(s->info.samplers_used, sampler);
}

static bool
vivgpu_nir_read_face(nir_builder *b, nir_intrinsic_instr *load, void *variable)
{
   if (load->intrinsic != nir_intrinsic_load_front_face)
      return false;
   b->cursor = nir_before_instr(&load->instr);
   nir_def_replace(&load->def, nir_fgt_imm(b, nir_load_var(b, variable), 0.5));
   return true;
}

/*
 * gl_FrontFacing from an input, for polygons that the driver draws as points or lines: for those
 * the core's face register is not that of the polygon.
 */
static void
vivgpu_nir_lower_face(nir_shader *s)
{
   nir_variable *face = nir_create_variable_with_location(s, nir_var_shader_in,
                                                          VIVGPU_FACE_LOCATION, glsl_float_type());

   NIR_PASS(_, s, nir_shader_intrinsics_pass, vivgpu_nir_read_face, nir_metadata_control_flow,
            face);
}

/*
 * Replaces gl_PointCoord.y by 1 - y. nir_lower_pntc_ytransform() does not apply: it changes
 * gl_PointCoord only if that is a system value or read by load_interpolated_input, while this
 * driver reads it by load_input, like a varying. That pass would also add a uniform and a
 * multiplication to every shader that reads gl_PointCoord; this pass adds one instruction, only
 * in variants that need it.
 */
static bool
vivgpu_nir_flip_point_coord(nir_builder *b, nir_intrinsic_instr *load, UNUSED void *data)
{
   const nir_variable *var =
      load->intrinsic == nir_intrinsic_load_deref ? nir_intrinsic_get_var(load, 0) : NULL;

   if (!var || var->data.mode != nir_var_shader_in || var->data.location != VARYING_SLOT_PNTC ||
       load->def.num_components < 2)
      return false;
   b->cursor = nir_after_instr(&load->instr);

   nir_def *y = nir_fsub_imm(b, 1, nir_channel(b, &load->def, 1));
   nir_def *flipped = nir_vector_insert_imm(b, &load->def, y, 1);

   nir_def_rewrite_uses_after(&load->def, flipped, flipped->parent_instr);
   return true;
}

static bool
vivgpu_nir_round_point_size(nir_builder *b, nir_intrinsic_instr *store, UNUSED void *data)
{
   const nir_variable *var =
      store->intrinsic == nir_intrinsic_store_deref ? nir_intrinsic_get_var(store, 0) : NULL;

   if (!var || var->data.mode != nir_var_shader_out || var->data.location != VARYING_SLOT_PSIZ)
      return false;
   b->cursor = nir_before_instr(&store->instr);

   nir_def *size = nir_ffloor(b, nir_fadd_imm(b, store->src[1].ssa, 0.5));
   nir_src_rewrite(&store->src[1], nir_fmax(b, size, nir_imm_float(b, 1)));
   return true;
}

/* Outputs become temporaries first, so that only the final colour is changed and compared. */
static void
vivgpu_nir_run_alpha(nir_shader *s, struct vivgpu_fragment_extras extras)
{
   NIR_PASS_V(s, nir_lower_io_to_temporaries, nir_shader_get_entrypoint(s), true, false);
   NIR_PASS(_, s, nir_lower_global_vars_to_local);
   NIR_PASS(_, s, nir_split_var_copies);
   NIR_PASS(_, s, nir_lower_var_copies);
   NIR_PASS(_, s, vivgpu_nir_lower_alpha, extras);
}

static void
vivgpu_nir_lower_key(nir_shader *s, const struct vivgpu_shader_key *key)
{
   if (s->info.stage == MESA_SHADER_VERTEX) {
      if (key->ucp_enables) {
         NIR_PASS(_, s, nir_lower_clip_vs, key->ucp_enables, true, false, NULL);
         /* Outputs become temporaries: nir_lower_clip_vs() reads the position and gl_ClipVertex. */
         NIR_PASS_V(s, nir_lower_io_to_temporaries, nir_shader_get_entrypoint(s), true, false);
         NIR_PASS(_, s, nir_lower_global_vars_to_local);
         NIR_PASS(_, s, nir_split_var_copies);
         NIR_PASS(_, s, nir_lower_var_copies);
      }
      if (key->round_point_size)
         NIR_PASS(_, s, nir_shader_intrinsics_pass, vivgpu_nir_round_point_size,
                  nir_metadata_control_flow, NULL);
      return;
   }
   if (key->stipple)
      vivgpu_nir_lower_stipple(s, key->stipple - 1);
   if (key->extras.face_input)
      vivgpu_nir_lower_face(s);
   if (key->extras.coverage || key->extras.alpha_ref || key->extras.alpha_to_one)
      vivgpu_nir_run_alpha(s, key->extras);
   NIR_PASS(_, s, nir_lower_fragcolor, MAX2(key->num_color_outputs, 1));
   /*
    * The core's gl_PointCoord.y grows downwards. nir_lower_texcoord_replace() inserts loads of the
    * point coordinate after this pass and inverts their y itself.
    */
   if (key->sprite_coord_yinvert)
      NIR_PASS(_, s, nir_shader_intrinsics_pass, vivgpu_nir_flip_point_coord,
               nir_metadata_control_flow, NULL);
   if (key->sprite_coord_enable)
      NIR_PASS_V(s, nir_lower_texcoord_replace, key->sprite_coord_enable, false,
                 key->sprite_coord_yinvert);
   if (key->ucp_enables)
      NIR_PASS(_, s, nir_lower_clip_fs, key->ucp_enables, false, false);
}

static void
vivgpu_nir_gather_interpolation(nir_shader *s, const struct vivgpu_shader_key *key,
                                struct vivgpu_nir_io *io)
{
   memset(io, 0, sizeof(*io));
   if (s->info.stage != MESA_SHADER_FRAGMENT)
      return;

   nir_foreach_shader_in_variable(var, s) {
      const unsigned first = var->data.location;
      const bool is_color = first == VARYING_SLOT_COL0 || first == VARYING_SLOT_COL1;
      unsigned mode = var->data.interpolation;

      if (mode == INTERP_MODE_NONE && is_color && key->flatshade)
         mode = INTERP_MODE_FLAT;
      for (unsigned i = 0; i < vivgpu_nir_slots_of_type(var->type, false); i++)
         io->interpolation[first + i] = mode;
   }
}

static void
vivgpu_nir_lower_io(nir_shader *s)
{
   if (!s->info.io_lowered) {
      NIR_PASS(_, s, nir_lower_io, nir_var_shader_in | nir_var_shader_out, vivgpu_nir_slots_of_type,
               nir_lower_io_lower_64bit_to_32);
   }
   NIR_PASS(_, s, nir_opt_constant_folding);
   NIR_PASS(_, s, nir_io_add_const_offset_to_base, nir_var_shader_in | nir_var_shader_out);
}

/* Lowers integers (before HALTI2, to floats) and booleans. */
static void
vivgpu_nir_lower_types(nir_shader *s, const struct vivgpu_core *core)
{
   if (core->integers) {
      NIR_PASS(_, s, nir_lower_bool_to_int32);
      return;
   }
   NIR_PASS(_, s, nir_lower_int_to_float);
   NIR_PASS(_, s, nir_opt_algebraic); /* simplifies the truncations that it added */
   NIR_PASS(_, s, nir_lower_bool_to_float, true);
}

/* Joins equal scalar operations to vectors, then splits those that the core has only as scalars. */
static void
vivgpu_nir_vectorize(nir_shader *s, const struct vivgpu_core *core)
{
   while (CHANGED(s, nir_opt_vectorize, NULL, NULL)) {
      NIR_PASS(_, s, nir_copy_prop);
      NIR_PASS(_, s, nir_opt_dce);
   }
   NIR_PASS(_, s, nir_lower_alu_to_scalar, vivgpu_nir_is_scalar, core);
}

static void
vivgpu_nir_clean(nir_shader *s)
{
   NIR_PASS(_, s, nir_copy_prop);
   NIR_PASS(_, s, nir_opt_dce);
   NIR_PASS(_, s, nir_opt_cse);
}

static void
vivgpu_nir_optimize_late(nir_shader *s, const struct vivgpu_core *core)
{
   bool changed;

   do {
      changed = CHANGED(s, nir_opt_algebraic_late);
      NIR_PASS(_, s, nir_opt_constant_folding);
      vivgpu_nir_clean(s);
   } while (changed);
   NIR_PASS(_, s, vivgpu_nir_scale_angles, core);
   NIR_PASS(_, s, nir_opt_constant_folding);
   vivgpu_nir_clean(s);
}

void
vivgpu_nir_prepare(nir_shader *s, const struct vivgpu_core *core,
                   const struct vivgpu_shader_key *key, struct vivgpu_nir_io *io)
{
   const nir_lower_idiv_options idiv = {.allow_fp16 = false};

   vivgpu_nir_lower_key(s, key);
   if (s->info.stage == MESA_SHADER_VERTEX && core->half_z)
      NIR_PASS_V(s, nir_lower_clip_halfz);
   NIR_PASS(_, s, nir_remove_dead_variables, nir_var_shader_in, NULL);
   vivgpu_nir_gather_interpolation(s, key, io);
   vivgpu_nir_lower_io(s);
   NIR_PASS(_, s, nir_lower_vars_to_ssa);
   NIR_PASS(_, s, nir_lower_indirect_derefs, nir_var_all, UINT32_MAX);
   NIR_PASS(_, s, vivgpu_nir_lower_textures, key);
   NIR_PASS(_, s, nir_lower_alu_to_scalar, vivgpu_nir_is_scalar, core);
   if (core->integers)
      NIR_PASS(_, s, nir_lower_idiv, &idiv);
   NIR_PASS(_, s, nir_lower_alu);
   NIR_PASS(_, s, nir_lower_pack);
   NIR_PASS(_, s, nir_lower_frexp);
   NIR_PASS(_, s, nir_lower_flrp, 32, false);
   vivgpu_nir_optimize(s);
   NIR_PASS(_, s, vivgpu_nir_fold_uniform_offsets);
   vivgpu_nir_lower_types(s, core);
   vivgpu_nir_vectorize(s, core);
   NIR_PASS(_, s, nir_remove_dead_variables, nir_var_function_temp, NULL);
   vivgpu_nir_optimize_late(s, core);
   NIR_PASS(_, s, nir_lower_bool_to_bitsize);
   NIR_PASS(_, s, nir_convert_from_ssa, true, false);
}
