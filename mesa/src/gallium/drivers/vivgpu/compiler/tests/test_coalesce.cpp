/*
 * SPDX-License-Identifier: MIT
 *
 * Tests of coalescing (vivgpu_coalesce.c), with copies that can and cannot be removed, and of dead
 * code elimination (vivgpu_dce.c).
 */

#include "vir_test.h"

class coalesce : public vir_test {};

TEST_F(coalesce, a_vector_is_built_in_place)
{
   const uint32_t a = vir_reg_create(s, 1), b = vir_reg_create(s, 2), out = output(4);
   struct vir_instr *rcp = emit(ISA_OPC_RCP, a, 0x1, vir_reg(input(4, 1)));
   struct vir_instr *add = emit(ISA_OPC_ADD, b, 0x3, vir_reg(input(4, 2)), vir_float(1.0f));
   struct vir_src shifted = vir_swizzle(vir_reg(b), (const uint8_t[4]){0, 0, 1, 1});

   emit(ISA_OPC_MOV, out, 0x1, vir_reg(a));
   emit(ISA_OPC_MOV, out, 0x6, shifted);
   emit(ISA_OPC_MOV, out, 0x8, vir_float(0.0f));
   vir_opt_dce(s);
   vir_coalesce(s);

   EXPECT_EQ(count(ISA_OPC_MOV), 1u); /* the constant */
   EXPECT_EQ(rcp->dst, out);
   EXPECT_EQ(add->dst, out);
   EXPECT_EQ(add->mask, 0x6);
   EXPECT_EQ(add->src[0].swizzle[1], 1 - 1);
   EXPECT_EQ(add->src[0].swizzle[2], 2 - 1);
}

TEST_F(coalesce, one_value_for_several_components)
{
   const uint32_t a = vir_reg_create(s, 2), out = output(4);
   struct vir_instr *add = emit(ISA_OPC_ADD, a, 0x3, vir_reg(input(4, 1)), vir_float(1.0f));

   emit(ISA_OPC_MOV, out, 0xf, vir_swizzle(vir_reg(a), (const uint8_t[4]){1, 0, 1, 1}));
   vir_opt_dce(s);
   vir_coalesce(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 0u);
   EXPECT_EQ(add->mask, 0xf);
   EXPECT_EQ(add->src[0].swizzle[0], 1);
   EXPECT_EQ(add->src[0].swizzle[1], 0);
   EXPECT_EQ(add->src[0].swizzle[3], 1);
}

TEST_F(coalesce, copies_of_live_values_are_not_removed)
{
   const uint32_t a = vir_reg_create(s, 1), counter = vir_reg_create(s, 1), out = output(2);

   emit(ISA_OPC_RCP, a, 0x1, vir_reg(input(1, 1)));
   emit(ISA_OPC_MOV, counter, 0x1, vir_reg(a));
   emit(ISA_OPC_ADD, counter, 0x1, vir_reg(counter), vir_float(1.0f));
   emit(ISA_OPC_MOV, out, 0x1, vir_reg_component(counter, 0));
   emit(ISA_OPC_MOV, out, 0x2, vir_reg_component(a, 0)); /* after counter was changed */
   vir_opt_dce(s);
   vir_coalesce(s);

   /* a is live while counter changes: one of the two copies of a cannot be removed */
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
}

TEST_F(coalesce, an_input_is_merged_with_an_output)
{
   const uint32_t in = input(4, 3), out = output(4);

   emit(ISA_OPC_MOV, out, 0xf, vir_reg(in));
   vir_opt_dce(s);
   vir_coalesce(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 0u);
   EXPECT_EQ(s->regs[out].fixed, 3);
   EXPECT_TRUE(s->regs[out].live_in);
}

TEST_F(coalesce, a_swizzled_input_is_not_merged_with_an_output)
{
   const uint32_t in = input(4, 3), out = output(4);

   emit(ISA_OPC_MOV, out, 0xf, vir_swizzle(vir_reg(in), (const uint8_t[4]){2, 1, 0, 3}));
   vir_opt_dce(s);
   vir_coalesce(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
}

TEST_F(coalesce, two_inputs_are_not_merged)
{
   const uint32_t a = input(4, 1), b = input(4, 2), out = output(4);

   emit(ISA_OPC_MOV, out, 0x3, vir_reg(a));
   emit(ISA_OPC_MOV, out, 0xc, vir_reg(b));
   vir_opt_dce(s);
   vir_coalesce(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
}

TEST_F(coalesce, a_mov_with_modifiers_is_not_removed)
{
   const uint32_t a = vir_reg_create(s, 1), out = output(1);

   emit(ISA_OPC_RCP, a, 0x1, vir_reg(input(1, 1)));
   emit(ISA_OPC_MOV, out, 0x1, vir_reg(a))->src[0].neg = true;
   vir_opt_dce(s);
   vir_coalesce(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
}

TEST_F(coalesce, loaded_components_stay_contiguous)
{
   const uint32_t a = vir_reg_create(s, 2), out = output(4);
   struct vir_src apart = vir_swizzle(vir_reg(a), (const uint8_t[4]){0, 0, 1, 1});

   emit(ISA_OPC_LOAD, a, 0x3, vir_reg(input(1, 1)), vir_float(0.0f));
   s->regs[a].contiguous = true;
   emit(ISA_OPC_MOV, out, 0x5, apart); /* to x and z */
   vir_opt_dce(s);
   vir_coalesce(s);
   EXPECT_EQ(count(ISA_OPC_MOV), 1u);
}

class dce : public vir_test {};

TEST_F(dce, unread_components_are_not_written)
{
   const uint32_t a = vir_reg_create(s, 4), out = output(1);
   struct vir_instr *add = emit(ISA_OPC_ADD, a, 0xf, vir_reg(input(4, 1)), vir_float(1.0f));

   emit(ISA_OPC_RCP, vir_reg_create(s, 1), 0x1, vir_reg(a));
   emit(ISA_OPC_MOV, out, 0x1, vir_reg_component(a, 2));
   vir_opt_dce(s);
   EXPECT_EQ(count(ISA_OPC_RCP), 0u);
   EXPECT_EQ(add->mask, 0x4);
   EXPECT_EQ(s->regs[a].used, 0x4);
}

TEST_F(dce, factors_are_written_together)
{
   const uint32_t pair = vir_reg_create(s, 2), out = output(1);
   struct vir_instr *log = emit(ISA_OPC_LOG, pair, 0x3, vir_reg(input(1, 1)));

   s->regs[pair].factors = true;
   emit(ISA_OPC_MOV, out, 0x1, vir_reg(pair));
   vir_opt_dce(s);
   EXPECT_EQ(log->mask, 0x3);
}

TEST_F(dce, a_load_keeps_components_before_the_last_used_one)
{
   const uint32_t a = vir_reg_create(s, 4), out = output(1);
   struct vir_instr *load = emit(ISA_OPC_LOAD, a, 0xf, vir_reg(input(1, 1)), vir_float(0.0f));

   emit(ISA_OPC_MOV, out, 0x1, vir_reg_component(a, 1));
   vir_opt_dce(s);
   EXPECT_EQ(load->mask, 0x3);
}

TEST_F(dce, an_unused_address_is_removed)
{
   struct vir_src src = user(0);

   emit(ISA_OPC_MOVAI, VIR_NO_REG, 0x1, vir_reg(input(1, 1)))->writes_address = true;
   src.indirect = true;
   src.range = 2;
   emit(ISA_OPC_MOV, vir_reg_create(s, 4), 0xf, src);
   vir_opt_dce(s);
   EXPECT_TRUE(list_is_empty(&block->instrs));
}
