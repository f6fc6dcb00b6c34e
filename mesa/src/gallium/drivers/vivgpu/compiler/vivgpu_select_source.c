/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction selection: registers of NIR values, resolution of NIR sources to struct vir_src,
 * and appending of instructions; helpers of the other vivgpu_select_*.c files.
 */

#include "util/u_math.h"

#include "vivgpu_select.h"

static const uint8_t identity[4] = {0, 1, 2, 3};

uint32_t
vir_def(struct vir_select *sel, const nir_def *def)
{
   uint32_t *reg = &sel->reg_of_def[def->index];

   if (*reg == VIR_NO_REG)
      *reg = vir_reg_create(sel->ir, def->num_components);
   return *reg;
}

struct vir_instr *
vir_emit(struct vir_select *sel, enum isa_opc op, enum isa_type type, uint32_t dst, uint8_t mask,
         struct vir_src src0, struct vir_src src1, struct vir_src src2)
{
   struct vir_instr *instr = vir_instr_create(sel->ir, op, type, dst, mask);

   instr->src[0] = src0;
   instr->src[1] = src1;
   instr->src[2] = src2;
   vir_append(sel->block, instr);
   return instr;
}

struct vir_instr *
vir_emit_mov(struct vir_select *sel, uint32_t dst, uint8_t mask, struct vir_src src)
{
   return vir_emit(sel, ISA_OPC_MOV, ISA_TYPE_F32, dst, mask, src, VIR_NO_SRC, VIR_NO_SRC);
}

struct vir_src
vir_in_register(struct vir_select *sel, struct vir_src src, unsigned positions)
{
   if (src.file == VIR_REG && !src.neg && !src.abs)
      return src;

   const uint32_t copy = vir_reg_create(sel->ir, util_last_bit(positions));
   vir_emit_mov(sel, copy, positions, src);
   return vir_reg(copy);
}

struct vivgpu_uniform
vir_uniform_component(const struct vir_src *src, unsigned position)
{
   const unsigned component = src->swizzle[position];

   if (src->file == VIR_POOL)
      return src->pool[component];
   return (struct vivgpu_uniform){
      .kind = VIVGPU_UNIFORM_USER,
      .value = src->index * 4 + component,
   };
}

/* Applies the modifiers of a float constant at compile time. */
static struct vir_src
vivgpu_select_modify_constant(struct vir_src src)
{
   for (unsigned c = 0; c < 4; c++) {
      if (src.abs)
         src.pool[c].value &= ~(1u << 31);
      if (src.neg)
         src.pool[c].value ^= 1u << 31;
   }
   src.abs = src.neg = false;
   return src;
}

static struct vir_src
vivgpu_select_constant_source(const nir_load_const_instr *load)
{
   struct vir_src src = {.file = VIR_POOL};

   for (unsigned c = 0; c < load->def.num_components && c < 4; c++) {
      src.pool[c].kind = VIVGPU_UNIFORM_CONSTANT;
      src.pool[c].value = load->value[c].u32;
   }
   return src;
}

/*
 * A sampler's number. On cores without integers, nir_lower_int_to_float() may have converted the
 * constant to a float, whose bits are larger than any sampler's number.
 */
static unsigned
vivgpu_select_sampler_number(nir_src src)
{
   const unsigned bits = nir_src_as_uint(src);

   return bits < VIVGPU_MAX_SAMPLERS ? bits : (unsigned)uif(bits);
}

/*
 * A VIR_POOL source of values that the driver computes. same_kind: component c is value + c of
 * kind first; otherwise it is value of kind first + c.
 */
static struct vir_src
vivgpu_select_pool_source(enum vivgpu_uniform_kind first, uint32_t value, bool same_kind,
                          unsigned components)
{
   struct vir_src src = {.file = VIR_POOL};

   for (unsigned c = 0; c < components; c++) {
      src.pool[c].kind = same_kind ? first : first + c;
      src.pool[c].value = same_kind ? value + c : value;
   }
   return src;
}

/* A value of a sampler's state, by the VIVGPU_PUSH_* base of the intrinsic. */
static struct vir_src
vivgpu_select_push_constant_source(const nir_intrinsic_instr *load)
{
   const unsigned base = nir_intrinsic_base(load);
   const bool is_lod = base >= VIVGPU_PUSH_SAMPLER_LOD(0);
   const unsigned first = is_lod ? base - VIVGPU_PUSH_SAMPLER_LOD(0) : base;

   assert(nir_src_as_uint(load->src[0]) == 0);
   return vivgpu_select_pool_source(is_lod ? VIVGPU_UNIFORM_SAMPLER_LOD
                                           : VIVGPU_UNIFORM_BORDER_COLOR,
                                    first / 4, true, load->def.num_components);
}

/* The source of an intrinsic's result that needs no instruction; VIR_NONE for others. */
static struct vir_src
vivgpu_select_intrinsic_source(struct vir_select *sel, const nir_intrinsic_instr *intrin)
{
   switch (intrin->intrinsic) {
   case nir_intrinsic_load_uniform:
      if (!nir_src_is_const(intrin->src[0]))
         return VIR_NO_SRC;
      return (struct vir_src){.file = VIR_USER, .index = nir_intrinsic_base(intrin)};
   case nir_intrinsic_load_input: {
      const unsigned slot = sel->ir->stage == MESA_SHADER_VERTEX
                               ? nir_intrinsic_base(intrin)
                               : nir_intrinsic_io_semantics(intrin).location;
      struct vir_src src = vir_reg(sel->input[slot]);

      for (unsigned c = 0; c < 4; c++)
         src.swizzle[c] = MIN2(c + nir_intrinsic_component(intrin), 3);
      return src;
   }
   case nir_intrinsic_load_frag_coord:
      return vir_reg(sel->frag_coord);
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_vertex_id_zero_base:
      return vir_reg_component(sel->vertex_id, 0);
   case nir_intrinsic_load_instance_id:
      return vir_reg_component(sel->vertex_id, 1);
   case nir_intrinsic_load_texture_scale:
      return vivgpu_select_pool_source(VIVGPU_UNIFORM_TEXTURE_SCALE_X,
                                       vivgpu_select_sampler_number(intrin->src[0]), false, 2);
   case nir_intrinsic_load_texture_size_etna:
      return vivgpu_select_pool_source(VIVGPU_UNIFORM_TEXTURE_WIDTH,
                                       vivgpu_select_sampler_number(intrin->src[0]), false, 3);
   case nir_intrinsic_load_push_constant:
      return vivgpu_select_push_constant_source(intrin);
   case nir_intrinsic_load_user_clip_plane:
      return vivgpu_select_pool_source(VIVGPU_UNIFORM_CLIP_PLANE, 4 * nir_intrinsic_ucp_id(intrin),
                                       true, 4);
   default:
      return VIR_NO_SRC;
   }
}

/* Sets component to the uniform or constant that alu_src reads; false if it reads neither. */
static bool
vivgpu_select_uniform_component(struct vir_select *sel, const nir_alu_src *alu_src,
                                struct vivgpu_uniform *component)
{
   const struct vir_src src = vir_resolve_alu(sel, alu_src, VIR_FOLD_MODIFIERS);

   if ((src.file != VIR_POOL && src.file != VIR_USER) || src.neg || src.abs)
      return false;
   *component = vir_uniform_component(&src, 0);
   return true;
}

/*
 * A VIR_POOL source for a vector of uniforms and constants only; VIR_NONE for other vectors, and
 * after VIR_MAX_VECTORS, when vectors are copied to registers.
 */
static struct vir_src
vivgpu_select_uniform_vector(struct vir_select *sel, const nir_alu_instr *vec)
{
   struct vir_src src = {.file = VIR_POOL, .swizzle = {0, 1, 2, 3}};

   if (sel->num_vectors == VIR_MAX_VECTORS)
      return VIR_NO_SRC;
   for (unsigned c = 0; c < vec->def.num_components; c++)
      if (!vivgpu_select_uniform_component(sel, &vec->src[c], &src.pool[c]))
         return VIR_NO_SRC;
   if (!sel->is_vector[vec->def.index])
      sel->num_vectors++;
   sel->is_vector[vec->def.index] = true;
   return src;
}

/* The source of a value; vivgpu_select_look_through() has skipped its copies and modifiers. */
static struct vir_src
vivgpu_select_plain_source(struct vir_select *sel, const nir_def *def)
{
   const nir_instr *parent = def->parent_instr;
   struct vir_src src = VIR_NO_SRC;

   if (parent->type == nir_instr_type_alu &&
       nir_op_is_vec(nir_instr_as_alu((nir_instr *)parent)->op))
      src = vivgpu_select_uniform_vector(sel, nir_instr_as_alu((nir_instr *)parent));

   if (parent->type == nir_instr_type_undef)
      return vir_constant(0);
   if (parent->type == nir_instr_type_load_const) {
      src = vivgpu_select_constant_source(nir_instr_as_load_const((nir_instr *)parent));
      memcpy(src.swizzle, identity, sizeof(identity));
   } else if (parent->type == nir_instr_type_intrinsic) {
      src = vivgpu_select_intrinsic_source(sel, nir_instr_as_intrinsic((nir_instr *)parent));
      if (src.file != VIR_NONE && src.file != VIR_REG)
         memcpy(src.swizzle, identity, sizeof(identity));
   }
   return src.file == VIR_NONE ? vir_reg(vir_def(sel, def)) : src;
}

/*
 * Replaces def, the result of a copy, negation or absolute value, by the source of that operation
 * and updates swizzle and modifiers. Returns false if def is the result of another operation.
 */
static bool
vivgpu_select_look_through(const nir_def **def, uint8_t swizzle[4], bool *neg, bool *abs,
                           enum vir_modifiers modifiers)
{
   if ((*def)->parent_instr->type != nir_instr_type_alu)
      return false;

   const nir_alu_instr *alu = nir_instr_as_alu((*def)->parent_instr);
   if (alu->op != nir_op_mov &&
       (modifiers == VIR_KEEP_MODIFIERS || (alu->op != nir_op_fneg && alu->op != nir_op_fabs)))
      return false;

   if (alu->op == nir_op_fneg)
      *neg ^= !*abs;
   else if (alu->op == nir_op_fabs)
      *abs = true;
   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = alu->src[0].swizzle[swizzle[i]];
   *def = alu->src[0].src.ssa;
   return true;
}

struct vir_src
vir_resolve(struct vir_select *sel, const nir_def *def, const uint8_t swizzle[4],
            enum vir_modifiers modifiers)
{
   uint8_t composed[4];
   bool neg = false, abs = false;

   memcpy(composed, swizzle, sizeof(composed));
   while (vivgpu_select_look_through(&def, composed, &neg, &abs, modifiers))
      ;

   struct vir_src src = vir_swizzle(vivgpu_select_plain_source(sel, def), composed);
   src.neg = neg;
   src.abs = abs;
   if ((neg || abs) && vir_is_constant(&src))
      src = vivgpu_select_modify_constant(src);
   return src;
}

struct vir_src
vir_resolve_alu(struct vir_select *sel, const nir_alu_src *src, enum vir_modifiers modifiers)
{
   return vir_resolve(sel, src->src.ssa, src->swizzle, modifiers);
}
