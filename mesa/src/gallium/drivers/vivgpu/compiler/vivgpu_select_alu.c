/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction selection: arithmetic, comparisons, selects.
 */

#include "util/u_math.h"

#include "vivgpu_select.h"

/* The instruction for a NIR operation. */
struct alu_row {
   bool valid;
   enum isa_opc op;
   enum isa_cond cond;
   enum isa_type type;
};

#undef TRUE /* a macro on some systems, the name of a condition here */

#define ROW(nir, opcode, condition, operands)                                                      \
   [nir_op_##nir] = {                                                                              \
      .valid = true,                                                                               \
      .op = ISA_OPC_##opcode,                                                                      \
      .cond = ISA_COND_##condition,                                                                \
      .type = ISA_TYPE_##operands,                                                                 \
   }

/* clang-format off */

/* Operations that become one instruction with the same sources in the same order. */
static const struct alu_row rows[nir_num_opcodes] = {
   ROW(fadd, ADD, TRUE, F32),
   ROW(fmul, MUL, TRUE, F32),
   ROW(ffma, MAD, TRUE, F32),
   ROW(fdot2, DP2, TRUE, F32),
   ROW(fdot3, DP3, TRUE, F32),
   ROW(fdot4, DP4, TRUE, F32),
   ROW(frcp, RCP, TRUE, F32),
   ROW(frsq, RSQ, TRUE, F32),
   ROW(fsqrt, SQRT, TRUE, F32),
   ROW(fexp2, EXP, TRUE, F32),
   ROW(ffract, FRC, TRUE, F32),
   ROW(ffloor, FLOOR, TRUE, F32),
   ROW(fceil, CEIL, TRUE, F32),
   ROW(fsign, SIGN, TRUE, F32),

   ROW(i2f32, I2F, TRUE, S32),
   ROW(u2f32, I2F, TRUE, U32),
   ROW(f2i32, F2I, TRUE, S32),
   ROW(f2u32, F2I, TRUE, U32),

   ROW(iadd, ADD, TRUE, S32),
   ROW(imul, IMULLO0, TRUE, S32),
   ROW(iabs, IABS, TRUE, S32),
   ROW(isign, SIGN, TRUE, S32),
   ROW(ior, OR, TRUE, U32),
   ROW(iand, AND, TRUE, U32),
   ROW(ixor, XOR, TRUE, U32),
   ROW(inot, NOT, TRUE, U32),
   ROW(ishl, LSHIFT, TRUE, U32),
   ROW(ishr, RSHIFT, TRUE, S32),
   ROW(ushr, RSHIFT, TRUE, U32),
   ROW(uclz, LEADZERO, TRUE, U32),
};

/*
 * Minima and maxima: with a condition of two operands, SELECT computes
 * src1 COND src0 ? src2 : src1; src2 is src0 here.
 */
static const struct alu_row minmax_rows[nir_num_opcodes] = {
   ROW(fmin, SELECT, GT, F32),
   ROW(fmax, SELECT, LT, F32),
   ROW(imin, SELECT, GT, S32),
   ROW(imax, SELECT, LT, S32),
   ROW(umin, SELECT, GT, U32),
   ROW(umax, SELECT, LT, U32),
};

/* Comparisons. On cores with integers (HALTI2) the result is 0 or ~0, on others 0.0 or 1.0. */
static const struct alu_row comparisons[nir_num_opcodes] = {
   ROW(feq32, CMP, EQ, F32),
   ROW(fneu32, CMP, NE, F32),
   ROW(fge32, CMP, GE, F32),
   ROW(flt32, CMP, LT, F32),
   ROW(ieq32, CMP, EQ, S32),
   ROW(ine32, CMP, NE, S32),
   ROW(ige32, CMP, GE, S32),
   ROW(ilt32, CMP, LT, S32),
   ROW(uge32, CMP, GE, U32),
   ROW(ult32, CMP, LT, U32),
   ROW(seq, SET, EQ, F32),
   ROW(sne, SET, NE, F32),
   ROW(sge, SET, GE, F32),
   ROW(slt, SET, LT, F32),
};

/* clang-format on */

static enum vir_modifiers
vivgpu_select_modifiers_of(enum isa_type type)
{
   return type == ISA_TYPE_F32 ? VIR_FOLD_MODIFIERS : VIR_KEEP_MODIFIERS;
}

/* The fsat that is the only reader of alu and reads it without swizzle, or NULL. */
static const nir_alu_instr *
vivgpu_select_only_saturation(const nir_alu_instr *alu)
{
   if (!list_is_singular(&alu->def.uses))
      return NULL;

   nir_src *use = list_first_entry(&alu->def.uses, nir_src, use_link);
   if (nir_src_is_if(use) || nir_src_parent_instr(use)->type != nir_instr_type_alu)
      return NULL;

   const nir_alu_instr *user = nir_instr_as_alu(nir_src_parent_instr(use));
   if (user->op != nir_op_fsat || user->def.num_components != alu->def.num_components)
      return NULL;
   for (unsigned c = 0; c < user->def.num_components; c++)
      if (user->src[0].swizzle[c] != c)
         return NULL;
   return user;
}

/* Sets the destination register of alu's instruction; folds a following fsat into it. */
static void
vivgpu_select_set_result(struct vir_select *sel, const nir_alu_instr *alu, struct vir_instr *instr)
{
   const nir_alu_instr *saturation = vivgpu_select_only_saturation(alu);

   if (saturation && vir_supports_saturate(instr)) {
      instr->sat = true;
      instr->dst = vir_def(sel, &saturation->def);
      sel->is_folded[saturation->def.index] = true;
   } else {
      instr->dst = vir_def(sel, &alu->def);
   }
}

static struct vir_instr *
vivgpu_select_emit_row(struct vir_select *sel, const nir_alu_instr *alu, const struct alu_row *row)
{
   struct vir_src src[VIR_SRCS] = {VIR_NO_SRC, VIR_NO_SRC, VIR_NO_SRC};
   const unsigned inputs = nir_op_infos[alu->op].num_inputs;
   const enum vir_modifiers modifiers = row->op == ISA_OPC_I2F ? VIR_KEEP_MODIFIERS
                                        : row->op == ISA_OPC_F2I
                                           ? VIR_KEEP_MODIFIERS
                                           : vivgpu_select_modifiers_of(row->type);

   for (unsigned i = 0; i < inputs; i++)
      src[i] = vir_resolve_alu(sel, &alu->src[i], modifiers);

   struct vir_instr *instr =
      vir_emit(sel, row->op, row->type, VIR_NO_REG, BITFIELD_MASK(alu->def.num_components), src[0],
               src[1], src[2]);
   instr->cond = row->cond;
   vivgpu_select_set_result(sel, alu, instr);
   return instr;
}

/*
 * True if one MOV can copy components from both sources. User uniforms become part of the pool for
 * that, unless uniform registers are scarce.
 */
static bool
vivgpu_select_copied_together(const struct vir_select *sel, const struct vir_src *a,
                              const struct vir_src *b)
{
   const bool modified = a->neg || a->abs || b->neg || b->abs;
   const bool constants = a->file == VIR_POOL && b->file == VIR_POOL;
   const bool uniforms =
      constants || (!sel->ir->dense && (a->file == VIR_POOL || a->file == VIR_USER) &&
                    (b->file == VIR_POOL || b->file == VIR_USER));

   if (uniforms && !modified)
      return true;
   return a->file == b->file && a->file != VIR_POOL && a->index == b->index && a->neg == b->neg &&
          a->abs == b->abs;
}

/* One source whose position i reads what src[i] reads at position 0, for each i in mask. */
static struct vir_src
vivgpu_select_join_sources(const struct vir_src src[4], unsigned mask)
{
   struct vir_src joined = src[ffs(mask) - 1];
   bool pool = false;

   u_foreach_bit(i, mask)
      pool |= src[i].file == VIR_POOL || src[i].index != joined.index;
   u_foreach_bit(i, mask) {
      if (pool) {
         joined.pool[i] = vir_uniform_component(&src[i], 0);
         joined.swizzle[i] = i;
      } else {
         joined.swizzle[i] = src[i].swizzle[0];
      }
   }
   if (pool)
      joined.file = VIR_POOL;
   return joined;
}

/* vec2 to vec4: one MOV for each group of components that one source can read. */
static void
vivgpu_select_vec(struct vir_select *sel, const nir_alu_instr *alu)
{
   const unsigned components = alu->def.num_components;
   const uint32_t dst = vir_def(sel, &alu->def);
   struct vir_src src[4];
   unsigned left = 0;

   for (unsigned c = 0; c < components; c++) {
      src[c] = vir_resolve_alu(sel, &alu->src[c], VIR_FOLD_MODIFIERS);
      if (alu->src[c].src.ssa->parent_instr->type != nir_instr_type_undef)
         left |= BITFIELD_BIT(c);
   }
   while (left) {
      const unsigned first = ffs(left) - 1;
      unsigned mask = 0;

      u_foreach_bit(i, left)
         if (i == first || vivgpu_select_copied_together(sel, &src[first], &src[i]))
            mask |= BITFIELD_BIT(i);
      vir_emit_mov(sel, dst, mask, vivgpu_select_join_sources(src, mask));
      left &= ~mask;
   }
}

/* mov, fneg, fabs and fsat: a MOV with modifiers. */
static void
vivgpu_select_mov(struct vir_select *sel, const nir_alu_instr *alu)
{
   const struct vir_src src = vir_resolve_alu(sel, &alu->src[0], VIR_FOLD_MODIFIERS);
   struct vir_instr *mov =
      vir_emit_mov(sel, VIR_NO_REG, BITFIELD_MASK(alu->def.num_components), src);

   if (alu->op == nir_op_fneg)
      mov->src[0].neg ^= true;
   else if (alu->op == nir_op_fabs) {
      mov->src[0].abs = true;
      mov->src[0].neg = false;
   }
   mov->sat = alu->op == nir_op_fsat;
   if (alu->op == nir_op_fneg || alu->op == nir_op_fabs || alu->op == nir_op_fsat)
      mov->dst = vir_def(sel, &alu->def);
   else
      vivgpu_select_set_result(sel, alu, mov);
}

/* SIN, COS, LOG: with new_transcendentals the result is the product of two components. */
static void
vivgpu_select_factors(struct vir_select *sel, const nir_alu_instr *alu, enum isa_opc op)
{
   const struct vir_src src = vir_resolve_alu(sel, &alu->src[0], VIR_FOLD_MODIFIERS);

   if (!sel->core->new_transcendentals) {
      struct vir_instr *instr =
         vir_emit(sel, op, ISA_TYPE_F32, VIR_NO_REG, 0x1, src, VIR_NO_SRC, VIR_NO_SRC);
      vivgpu_select_set_result(sel, alu, instr);
      return;
   }

   const uint32_t pair = vir_reg_create(sel->ir, 2);
   sel->ir->regs[pair].factors = true;
   struct vir_instr *instr =
      vir_emit(sel, op, ISA_TYPE_F32, pair, 0x3, src, VIR_NO_SRC, VIR_NO_SRC);
   instr->rounding = ISA_ROUNDING_RTZ; /* selects the variant with two factors */
   vivgpu_select_set_result(sel, alu,
                            vir_emit(sel, ISA_OPC_MUL, ISA_TYPE_F32, VIR_NO_REG, 0x1,
                                     vir_reg_component(pair, 0), vir_reg_component(pair, 1),
                                     VIR_NO_SRC));
}

static void
vivgpu_select_minmax(struct vir_select *sel, const nir_alu_instr *alu, const struct alu_row *row)
{
   const struct vir_src a =
      vir_resolve_alu(sel, &alu->src[0], vivgpu_select_modifiers_of(row->type));
   const struct vir_src b =
      vir_resolve_alu(sel, &alu->src[1], vivgpu_select_modifiers_of(row->type));
   struct vir_instr *instr = vir_emit(sel, row->op, row->type, VIR_NO_REG,
                                      BITFIELD_MASK(alu->def.num_components), a, b, a);

   instr->cond = row->cond;
   vivgpu_select_set_result(sel, alu, instr);
}

static void
vivgpu_select_comparison(struct vir_select *sel, const nir_alu_instr *alu,
                         const struct alu_row *row)
{
   struct vir_instr *instr = vivgpu_select_emit_row(sel, alu, row);

   if (row->op == ISA_OPC_CMP)
      instr->src[2] = vir_constant(~0u); /* the result if the comparison is true */
}

/* iadd: the ADD negates sources that are results of ineg. */
static void
vivgpu_select_iadd(struct vir_select *sel, const nir_alu_instr *alu)
{
   struct vir_instr *instr = vivgpu_select_emit_row(sel, alu, &rows[nir_op_iadd]);

   for (unsigned i = 0; i < 2; i++) {
      const nir_alu_instr *negation = nir_src_as_alu_instr(alu->src[i].src);
      uint8_t swizzle[4];

      if (!negation || negation->op != nir_op_ineg)
         continue;
      for (unsigned c = 0; c < 4; c++)
         swizzle[c] = negation->src[0].swizzle[alu->src[i].swizzle[c]];
      instr->src[i] = vir_resolve(sel, negation->src[0].src.ssa, swizzle, VIR_KEEP_MODIFIERS);
      instr->src[i].neg = true;
   }
}

static void
vivgpu_select_ineg(struct vir_select *sel, const nir_alu_instr *alu)
{
   struct vir_src src = vir_resolve_alu(sel, &alu->src[0], VIR_KEEP_MODIFIERS);

   src.neg = true;
   vir_emit(sel, ISA_OPC_ADD, ISA_TYPE_S32, vir_def(sel, &alu->def),
            BITFIELD_MASK(alu->def.num_components), vir_constant(0), src, VIR_NO_SRC);
}

/* The comparison that def is the result of, or NULL. */
static const nir_alu_instr *
vivgpu_select_comparison_of(const nir_def *def)
{
   if (def->parent_instr->type != nir_instr_type_alu)
      return NULL;

   const nir_alu_instr *alu = nir_instr_as_alu(def->parent_instr);
   return comparisons[alu->op].valid ? alu : NULL;
}

/*
 * b2f32, b2i32: one (1.0 or 1) where the boolean is set. If it is the result of a comparison, a
 * CMP with one as result replaces the conversion; otherwise it is AND of the mask and one.
 */
static void
vivgpu_select_from_bool(struct vir_select *sel, const nir_alu_instr *alu, uint32_t one)
{
   const nir_alu_instr *comparison = vivgpu_select_comparison_of(alu->src[0].src.ssa);
   const unsigned mask = BITFIELD_MASK(alu->def.num_components);
   const uint32_t dst = vir_def(sel, &alu->def);

   if (comparison) {
      const struct alu_row *row = &comparisons[comparison->op];
      struct vir_src src[2];

      for (unsigned i = 0; i < 2; i++)
         src[i] = vir_swizzle(
            vir_resolve_alu(sel, &comparison->src[i], vivgpu_select_modifiers_of(row->type)),
            alu->src[0].swizzle);
      struct vir_instr *instr =
         vir_emit(sel, ISA_OPC_CMP, row->type, dst, mask, src[0], src[1], vir_constant(one));
      instr->cond = row->cond;
      return;
   }
   vir_emit(sel, ISA_OPC_AND, ISA_TYPE_U32, dst, mask,
            vir_resolve_alu(sel, &alu->src[0], VIR_KEEP_MODIFIERS), vir_constant(one), VIR_NO_SRC);
}

static bool
vivgpu_select_is_zero(const struct vir_src *src, unsigned positions)
{
   u_foreach_bit(i, positions) {
      const struct vivgpu_uniform *value = &src->pool[src->swizzle[i]];

      if (src->file != VIR_POOL || value->kind != VIVGPU_UNIFORM_CONSTANT || value->value)
         return false;
   }
   return true;
}

/*
 * Converts a comparison with zero to a condition of one operand.
 *
 * cond: condition of two operands
 * swap: the first operand is zero; otherwise the second
 * unary: set to the condition
 *
 * Returns false if there is none.
 */
static bool
vivgpu_select_compare_with_zero(enum isa_cond cond, enum isa_type type, bool swap,
                                enum isa_cond *unary)
{
   const bool has_sign = type != ISA_TYPE_U32;

   switch (cond) {
   case ISA_COND_EQ:
      *unary = ISA_COND_NOT;
      return true;
   case ISA_COND_NE:
      *unary = ISA_COND_NZ;
      return true;
   case ISA_COND_LT:
      if (has_sign)
         *unary = swap ? ISA_COND_GZ : ISA_COND_LZ;
      return has_sign;
   case ISA_COND_GE:
      if (has_sign)
         *unary = swap ? ISA_COND_LEZ : ISA_COND_GEZ;
      return has_sign;
   default:
      return false;
   }
}

/*
 * b32csel, fcsel. SELECT with a condition of one operand also does the comparison if that is
 * with zero; other comparisons need an instruction of their own.
 */
static void
vivgpu_select_csel(struct vir_select *sel, const nir_alu_instr *alu)
{
   const unsigned mask = BITFIELD_MASK(alu->def.num_components);
   const nir_alu_instr *comparison = vivgpu_select_comparison_of(alu->src[0].src.ssa);
   enum isa_type type = sel->core->integers ? ISA_TYPE_U32 : ISA_TYPE_F32;
   enum isa_cond cond = ISA_COND_NZ;
   struct vir_src test = vir_resolve_alu(sel, &alu->src[0], VIR_KEEP_MODIFIERS);

   if (comparison) {
      const struct alu_row *row = &comparisons[comparison->op];
      struct vir_src src[2];

      for (unsigned i = 0; i < 2; i++)
         src[i] = vir_swizzle(
            vir_resolve_alu(sel, &comparison->src[i], vivgpu_select_modifiers_of(row->type)),
            alu->src[0].swizzle);
      for (unsigned i = 0; i < 2; i++) {
         if (vivgpu_select_is_zero(&src[1 - i], mask) &&
             vivgpu_select_compare_with_zero(row->cond, row->type, i == 1, &cond)) {
            test = src[i];
            type = row->type;
            break;
         }
      }
   }

   struct vir_instr *instr =
      vir_emit(sel, ISA_OPC_SELECT, type, VIR_NO_REG, mask, test,
               vir_resolve_alu(sel, &alu->src[1], vivgpu_select_modifiers_of(type)),
               vir_resolve_alu(sel, &alu->src[2], vivgpu_select_modifiers_of(type)));
   instr->cond = cond;
   vivgpu_select_set_result(sel, alu, instr);
}

struct vir_test
vir_test_of(struct vir_select *sel, const nir_def *def, unsigned component)
{
   const uint8_t swizzle[4] = {component, component, component, component};
   const nir_alu_instr *comparison = vivgpu_select_comparison_of(def);
   struct vir_test test = {
      .cond = ISA_COND_NZ,
      .type = sel->core->integers ? ISA_TYPE_U32 : ISA_TYPE_F32,
      .src[1] = VIR_NO_SRC,
   };

   if (!comparison) {
      test.src[0] = vir_resolve(sel, def, swizzle, VIR_KEEP_MODIFIERS);
      return test;
   }

   const struct alu_row *row = &comparisons[comparison->op];
   test.cond = row->cond;
   test.type = row->type;
   for (unsigned i = 0; i < 2; i++)
      test.src[i] =
         vir_swizzle(vir_resolve_alu(sel, &comparison->src[i], VIR_KEEP_MODIFIERS), swizzle);
   if (comparison->exact)
      test.exact = true;
   return test;
}

bool
vir_test_invert(struct vir_test *test)
{
   static const enum isa_cond inverse[] = {
      [ISA_COND_EQ] = ISA_COND_NE, [ISA_COND_NE] = ISA_COND_EQ,  [ISA_COND_LT] = ISA_COND_GE,
      [ISA_COND_GE] = ISA_COND_LT, [ISA_COND_NZ] = ISA_COND_NOT,
   };
   const bool ordered = test->cond == ISA_COND_LT || test->cond == ISA_COND_GE;

   if (ordered && test->type == ISA_TYPE_F32 && test->exact)
      return false;
   test->cond = inverse[test->cond];
   return true;
}

void
vir_select_alu(struct vir_select *sel, nir_alu_instr *alu)
{
   if (sel->is_folded[alu->def.index])
      return;

   switch (alu->op) {
   case nir_op_mov:
   case nir_op_fneg:
   case nir_op_fabs:
   case nir_op_fsat:
      vivgpu_select_mov(sel, alu);
      return;
   case nir_op_vec2:
   case nir_op_vec3:
   case nir_op_vec4:
      vivgpu_select_vec(sel, alu);
      return;
   case nir_op_fsin:
      vivgpu_select_factors(sel, alu, ISA_OPC_SIN);
      return;
   case nir_op_fcos:
      vivgpu_select_factors(sel, alu, ISA_OPC_COS);
      return;
   case nir_op_flog2:
      vivgpu_select_factors(sel, alu, ISA_OPC_LOG);
      return;
   case nir_op_iadd:
      vivgpu_select_iadd(sel, alu);
      return;
   case nir_op_ineg:
      vivgpu_select_ineg(sel, alu);
      return;
   case nir_op_b2f32:
      vivgpu_select_from_bool(sel, alu, fui(1.0f));
      return;
   case nir_op_b2i32:
      vivgpu_select_from_bool(sel, alu, 1);
      return;
   case nir_op_b32csel:
   case nir_op_fcsel:
      vivgpu_select_csel(sel, alu);
      return;
   default:
      break;
   }

   if (minmax_rows[alu->op].valid)
      vivgpu_select_minmax(sel, alu, &minmax_rows[alu->op]);
   else if (comparisons[alu->op].valid)
      vivgpu_select_comparison(sel, alu, &comparisons[alu->op]);
   else if (rows[alu->op].valid)
      vivgpu_select_emit_row(sel, alu, &rows[alu->op]);
   else
      vir_fail(sel->ir, "operation %s", nir_op_infos[alu->op].name);
}
