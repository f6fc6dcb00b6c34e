/*
 * SPDX-License-Identifier: MIT
 *
 * Tests of legalization (vivgpu_legalize.c, vivgpu_pool.c, vivgpu_immediate.c): uniform registers
 * of user uniforms and constants, copies, loads and immediates.
 */

#include "vir_test.h"
#include "vivgpu_legalize.h"

class legalize : public vir_test {};

TEST_F(legalize, user_uniforms_keep_their_order)
{
   const uint32_t out = output(4);

   emit(ISA_OPC_MOV, out, 0x3, user(9));
   emit(ISA_OPC_MOV, out, 0xc, user(4));
   vir_legalize(s);

   ASSERT_EQ(s->num_uniforms, 2u);
   for (unsigned c = 0; c < 4; c++) {
      EXPECT_EQ(s->uniforms[c].kind, VIVGPU_UNIFORM_USER);
      EXPECT_EQ(s->uniforms[c].value, 4 * 4 + c);
      EXPECT_EQ(s->uniforms[4 + c].value, 9 * 4 + c);
   }
}

TEST_F(legalize, second_uniform_is_copied)
{
   struct vir_instr *mul = emit(ISA_OPC_MUL, output(4), 0xf, user(0), user(1));

   vir_legalize(s);
   EXPECT_EQ(uniforms_read(mul), 1u);
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
}

TEST_F(legalize, one_copy_serves_a_block)
{
   emit(ISA_OPC_MUL, output(4), 0x7, user(0), user(1));
   emit(ISA_OPC_MUL, output(4), 0xf, user(0), user(1));
   vir_legalize(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
   EXPECT_EQ(list_first_entry(&block->instrs, struct vir_instr, link)->mask, 0xf);
}

TEST_F(legalize, small_uniforms_read_together_share_a_register)
{
   struct vir_instr *mad = emit(ISA_OPC_MAD, output(1), 0x1, user(5), user(2), vir_float(0.1f));

   vir_legalize(s);
   EXPECT_EQ(uniforms_read(mad), 1u);
   EXPECT_EQ(count(ISA_OPC_MOV), 0u);
   ASSERT_EQ(s->num_uniforms, 1u);
   EXPECT_EQ(s->uniforms[mad->src[0].swizzle[0]].value, 5u * 4);
   EXPECT_EQ(s->uniforms[mad->src[1].swizzle[0]].value, 2u * 4);
   EXPECT_EQ(s->uniforms[mad->src[2].swizzle[0]].kind, VIVGPU_UNIFORM_CONSTANT);
}

TEST_F(legalize, same_uniform_twice_needs_no_copy)
{
   emit(ISA_OPC_MUL, output(4), 0xf, user(3), user(3));
   vir_legalize(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 0u);
}

TEST_F(legalize, without_oneconst_limit_nothing_is_copied)
{
   etna_core_enable_feature(&info, ETNA_FEATURE_SH_NO_ONECONST_LIMIT);
   open();
   struct vir_instr *mul = emit(ISA_OPC_MUL, output(4), 0xf, user(0), user(1));

   vir_legalize(s);
   EXPECT_EQ(uniforms_read(mul), 2u);
   EXPECT_EQ(count(ISA_OPC_MOV), 0u);
}

TEST_F(legalize, immediates)
{
   static const struct {
      uint32_t value;
      enum vir_immediate kind;
      uint32_t bits;
   } fitting[] = {
      {0x3f800000, VIR_IMMEDIATE_FLOAT, 0x3f800},  {0x000fffff, VIR_IMMEDIATE_UNSIGNED, 0xfffff},
      {0xffffffff, VIR_IMMEDIATE_SIGNED, 0xfffff}, {0xfff80000, VIR_IMMEDIATE_FLOAT, 0xfff80},
      {0xfff80001, VIR_IMMEDIATE_SIGNED, 0x80001},
   };

   for (const auto &row : fitting) {
      open();
      struct vir_instr *mov = emit(ISA_OPC_MOV, output(1), 0x1, vir_constant(row.value));
      vir_legalize(s);
      EXPECT_EQ(mov->src[0].file, VIR_IMMEDIATE) << row.value;
      EXPECT_EQ(mov->src[0].immediate, row.kind) << row.value;
      EXPECT_EQ(mov->src[0].index, row.bits) << row.value;
      EXPECT_EQ(s->num_uniforms, 0u);
   }
}

TEST_F(legalize, other_constants_are_uniforms)
{
   for (uint32_t value : {0x3f800001u, 0x00100001u, 0xfff7ffffu}) {
      open();
      struct vir_instr *mov = emit(ISA_OPC_MOV, output(1), 0x1, vir_constant(value));
      vir_legalize(s);
      EXPECT_EQ(mov->src[0].file, VIR_UNIFORM) << value;
      EXPECT_EQ(s->uniforms[0].value, value);
   }
}

TEST_F(legalize, cores_before_halti2_have_no_immediates)
{
   info.halti = 0;
   open();
   struct vir_instr *mov = emit(ISA_OPC_MOV, output(1), 0x1, vir_float(1.0f));

   vir_legalize(s);
   EXPECT_EQ(mov->src[0].file, VIR_UNIFORM);
}

TEST_F(legalize, constants_read_together_share_a_register)
{
   struct vir_instr *mad =
      emit(ISA_OPC_MAD, output(1), 0x1, vir_reg(input(1, 1)), vir_float(0.1f), vir_float(0.2f));

   vir_legalize(s);
   EXPECT_EQ(uniforms_read(mad), 1u);
   EXPECT_EQ(s->num_uniforms, 1u);
   EXPECT_EQ(count(ISA_OPC_MOV), 0u);
}

TEST_F(legalize, equal_constants_are_one_component)
{
   emit(ISA_OPC_MOV, output(1), 0x1, vir_float(0.1f));
   emit(ISA_OPC_MOV, output(1), 0x1, vir_float(0.1f));
   vir_legalize(s);
   EXPECT_EQ(s->uniforms[1].kind, VIVGPU_UNIFORM_UNUSED);
}

TEST_F(legalize, uniforms_that_do_not_fit_are_loaded)
{
   const unsigned max = compiler->core.max_uniforms[MESA_SHADER_FRAGMENT];
   const uint32_t out = output(4);

   for (uint32_t u = 0; u < max + 10; u++)
      emit(ISA_OPC_ADD, out, 0xf, vir_reg(out), user(u));
   vir_legalize(s);
   EXPECT_EQ(s->error, nullptr);
   EXPECT_LE(s->num_uniforms, max);
   EXPECT_GE(count(ISA_OPC_LOAD), 10u);
   EXPECT_EQ(s->uniforms[(s->num_uniforms - 1) * 4].kind, VIVGPU_UNIFORM_UBO_ADDRESS);
}

TEST_F(legalize, without_loads_too_many_uniforms_are_an_error)
{
   info.halti = 0;
   open();
   const uint32_t out = output(4);

   for (uint32_t u = 0; u < 300; u++)
      emit(ISA_OPC_ADD, out, 0xf, vir_reg(out), user(u));
   vir_legalize(s);
   EXPECT_NE(s->error, nullptr);
}

TEST_F(legalize, without_loads_all_uniform_registers_can_be_used)
{
   info.halti = 0;
   info.gpu.num_constants = 168;
   open();

   const unsigned max = vivgpu_compiler_max_uniforms(compiler, MESA_SHADER_FRAGMENT);

   for (unsigned i = 0; i < max; i++)
      emit(ISA_OPC_MOV, output(4), 0xf, user(i));
   vir_legalize(s);
   EXPECT_EQ(s->error, nullptr);
   EXPECT_EQ(s->num_uniforms, max);
}

TEST_F(legalize, indirect_ranges_stay_together)
{
   struct vir_instr *address = emit(ISA_OPC_MOVAI, VIR_NO_REG, 0x1, vir_reg(input(1, 1)));
   struct vir_src src = user(20);

   address->writes_address = true;
   src.indirect = true;
   src.range = 8;
   struct vir_instr *mov = emit(ISA_OPC_MOV, output(4), 0xf, src);
   emit(ISA_OPC_MOV, output(4), 0xf, user(3));
   vir_legalize(s);

   ASSERT_EQ(s->num_uniforms, 9u);
   EXPECT_TRUE(mov->src[0].indirect);
   for (unsigned i = 0; i < 8; i++)
      EXPECT_EQ(s->uniforms[(mov->src[0].index + i) * 4].value, (20 + i) * 4);
}

/* A value of constant buffer 0 beside a constant, of which only the constant is read. */
TEST_F(legalize, immediates_keep_modifiers)
{
   struct vir_src vector = {};

   vector.file = VIR_POOL;
   vector.pool[0].kind = VIVGPU_UNIFORM_USER;
   vector.pool[1].kind = VIVGPU_UNIFORM_CONSTANT;
   for (unsigned c = 0; c < 4; c++)
      vector.swizzle[c] = 1;

   static const struct {
      bool neg, abs;
      enum isa_type type;
      uint32_t value, want;
   } rows[] = {
      {true, false, ISA_TYPE_F32, 0x40400000, 0xc0400000}, /* 3 */
      {false, true, ISA_TYPE_F32, 0xc0400000, 0x40400000},
      {true, true, ISA_TYPE_F32, 0xc0400000, 0xc0400000},
      {true, false, ISA_TYPE_S32, 7, 0xfffffff9},
   };
   for (const auto &row : rows) {
      open();
      vector.pool[1].value = row.value;
      vector.neg = row.neg;
      vector.abs = row.abs;
      struct vir_instr *add = emit(ISA_OPC_ADD, output(1), 0x1, vir_reg(input(1, 1)), vector);

      add->type = row.type;
      vir_legalize(s);
      ASSERT_EQ(add->src[1].file, VIR_IMMEDIATE);
      EXPECT_FALSE(add->src[1].neg || add->src[1].abs);
      if (row.type == ISA_TYPE_F32) {
         EXPECT_EQ(add->src[1].immediate, VIR_IMMEDIATE_FLOAT);
         EXPECT_EQ(add->src[1].index << 12, row.want);
      } else {
         EXPECT_EQ(add->src[1].immediate, VIR_IMMEDIATE_SIGNED);
         EXPECT_EQ(add->src[1].index, row.want & 0xfffff);
      }
   }
}

/* The shader needs more registers than there are: an instruction for each of n constants. */
class dense : public vir_test {
 protected:
   void add_constants(unsigned n, uint32_t value)
   {
      for (unsigned i = 0; i < n; i++)
         emit(ISA_OPC_MAD, out, 0x1, vir_reg(out), vir_constant(value + i), vir_reg(out));
   }

   unsigned of_kind(enum vivgpu_uniform_kind kind, uint32_t value)
   {
      unsigned n = 0;

      for (uint32_t i = 0; i < s->num_uniforms * 4; i++)
         n += s->uniforms[i].kind == kind && s->uniforms[i].value == value;
      return n;
   }

   void legalize(bool densely)
   {
      s->dense = densely;
      vir_legalize(s);
   }

   uint32_t out;
};

TEST_F(dense, too_many_constants_ask_for_it)
{
   out = output(1);
   add_constants(4 * 128 + 1, 0x3f800001);
   legalize(false);
   EXPECT_NE(s->error, nullptr);
   EXPECT_TRUE(s->needs_dense);
}

TEST_F(dense, constants_without_a_register_are_two_immediates)
{
   const unsigned max = compiler->core.max_uniforms[MESA_SHADER_FRAGMENT];

   out = output(1);
   add_constants(4 * max + 10, 0x3f800001);
   legalize(true);
   EXPECT_EQ(s->error, nullptr);
   EXPECT_LE(s->num_uniforms, max - 1); /* one is left for scratch memory */
   /* 4 (max - 1) constants are in registers; one whose lower bits are 0 is an immediate. */
   EXPECT_GE(count(ISA_OPC_OR), 10u);
   EXPECT_LE(count(ISA_OPC_OR), 14u);
   EXPECT_EQ(count(ISA_OPC_MOV), count(ISA_OPC_OR));

   struct vir_instr *lower = NULL;
   vir_foreach_instr(instr, block)
      lower = instr->op == ISA_OPC_OR ? instr : lower;
   ASSERT_NE(lower, nullptr);
   const struct vir_instr *upper = list_entry(lower->link.prev, struct vir_instr, link);
   EXPECT_EQ(upper->dst, lower->dst);
   EXPECT_EQ(upper->src[0].immediate, VIR_IMMEDIATE_FLOAT);
   EXPECT_EQ(upper->src[0].index << 12 | lower->src[1].index, 0x3f800001 + 4 * max + 9);
}

TEST_F(dense, uniforms_share_registers)
{
   info.halti = 0;
   info.gpu.num_constants = 168;
   open();
   const unsigned max = compiler->core.max_uniforms[MESA_SHADER_FRAGMENT];

   out = output(4);
   for (unsigned i = 0; i < 4 * max; i++) {
      struct vir_src one = vir_swizzle(user(i), (const uint8_t[4]){2, 2, 2, 2});

      emit(ISA_OPC_ADD, out, 0x1, vir_reg(out), one);
   }
   legalize(true);
   EXPECT_EQ(s->error, nullptr);
   EXPECT_EQ(s->num_uniforms, max);
   for (unsigned i = 0; i < 4 * max; i++)
      EXPECT_EQ(of_kind(VIVGPU_UNIFORM_USER, 4 * i + 2), 1u) << i;
   vir_foreach_instr(instr, block) {
      const uint32_t at = instr->src[1].index * 4 + instr->src[1].swizzle[0];

      EXPECT_EQ(s->uniforms[at].value % 4, 2u);
   }
}

TEST_F(dense, arrays_keep_their_component)
{
   out = output(4);
   for (unsigned array = 0; array < 2; array++) {
      struct vir_instr *address = emit(ISA_OPC_MOVAI, VIR_NO_REG, 0x1, vir_reg(input(1, 1)));
      struct vir_src src = user(20 + 30 * array);

      address->writes_address = true;
      src.indirect = true;
      src.range = 30;
      src.swizzle[0] = 1;
      emit(ISA_OPC_MOV, out, 0x1, src);
   }
   emit(ISA_OPC_MOV, out, 0xe, user(1));
   legalize(true);
   ASSERT_EQ(s->error, nullptr);
   EXPECT_LE(s->num_uniforms, 31u); /* user(1) is in the first */
   vir_foreach_instr(instr, block) {
      if (!instr->src[0].indirect)
         continue;
      const struct vivgpu_uniform *first =
         &s->uniforms[instr->src[0].index * 4 + instr->src[0].swizzle[0]];

      EXPECT_EQ(first->value % 4, 1u);
      for (unsigned i = 0; i < 30; i++)
         EXPECT_EQ(first[4 * i].value, first->value + 4 * i);
   }
}

TEST_F(dense, state_has_registers_before_constants)
{
   const unsigned max = compiler->core.max_uniforms[MESA_SHADER_FRAGMENT];
   struct vir_src width = {};

   out = output(1);
   add_constants(4 * max, 0x3f800001);
   width.file = VIR_POOL;
   width.pool[0].kind = VIVGPU_UNIFORM_TEXTURE_WIDTH;
   struct vir_instr *mov = emit(ISA_OPC_MOV, output(1), 0x1, width);

   legalize(true);
   EXPECT_EQ(s->error, nullptr);
   EXPECT_EQ(mov->src[0].file, VIR_UNIFORM);
   EXPECT_EQ(of_kind(VIVGPU_UNIFORM_TEXTURE_WIDTH, 0), 1u);
}

TEST_F(dense, what_does_not_fit_is_an_error)
{
   info.halti = 0;
   open();
   out = output(1);
   add_constants(4 * compiler->core.max_uniforms[MESA_SHADER_FRAGMENT] + 1, 0x3f800001);
   legalize(true);
   ASSERT_NE(s->error, nullptr);
   EXPECT_FALSE(s->needs_dense);
   EXPECT_NE(strstr(s->error, "constants"), nullptr);
}

TEST_F(legalize, equal_constants_share_a_component_whatever_their_padding_is)
{
   struct vivgpu_uniform regs[2][4] = {};
   struct vir_pool pool = {.mem_ctx = s, .regs = regs, .count = 2, .capacity = 2, .limit = 2};
   struct vir_instr *mov = emit(ISA_OPC_MOV, output(1), 0x1, vir_float(1.0f));

   /* Register 0 has free components, register 1 the constant. */
   regs[0][0].kind = regs[1][0].kind = VIVGPU_UNIFORM_CONSTANT;
   regs[1][0].value = fui(1.0f);
   memset(&mov->src[0].pool[0], 0xff, sizeof(mov->src[0].pool[0]));
   mov->src[0].pool[0].kind = VIVGPU_UNIFORM_CONSTANT;
   mov->src[0].pool[0].value = fui(1.0f);

   ASSERT_TRUE(vir_pool_assign(&pool, mov, 0x1));
   EXPECT_EQ(mov->src[0].index, 1u);
   EXPECT_EQ(regs[0][1].kind, VIVGPU_UNIFORM_UNUSED);
}
