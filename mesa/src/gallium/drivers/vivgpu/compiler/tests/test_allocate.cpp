/*
 * SPDX-License-Identifier: MIT
 *
 * Tests of register allocation (vivgpu_allocate.c, vivgpu_spill.c): components that are live at the
 * same time are assigned different components of temporaries, and assignments meet the
 * registers' constraints.
 */

#include <vector>

#include "vir_test.h"

class allocate : public vir_test {
 protected:
   /* Expects that no two live components are assigned the same component of a temporary. */
   void expect_distinct(const BITSET_WORD *live, const struct vir_assignment *assignments)
   {
      std::vector<int> owner(64 * 4, -1);
      unsigned bit;

      BITSET_FOREACH_SET(bit, live, s->num_regs * 4) {
         const uint32_t reg = bit / 4;
         const unsigned at = assignments[reg].reg * 4 + assignments[reg].component[bit % 4];

         EXPECT_TRUE(owner[at] < 0) << "t" << at / 4 << "." << at % 4;
         owner[at] = bit;
      }
   }

   /* Expects that of all sets of components that are live at the same time. */
   void expect_valid(const struct vir_assignment *assignments)
   {
      std::vector<BITSET_WORD> live(BITSET_WORDS(s->num_regs * 4));

      vir_liveness(s);
      vir_foreach_block(b, s) {
         memcpy(live.data(), b->live_out, live.size() * sizeof(live[0]));
         vir_foreach_instr_rev(instr, b) {
            expect_distinct(live.data(), assignments);
            vir_live_step(live.data(), instr);
         }
         expect_distinct(live.data(), assignments);
      }
   }

   /* Emits count vec4 values that are all live at the same time, then adds them up. */
   void many_values(unsigned count)
   {
      const uint32_t in = input(4, 1), out = output(4);
      std::vector<uint32_t> value;

      for (unsigned i = 0; i < count; i++) {
         value.push_back(vir_reg_create(s, 4));
         emit(ISA_OPC_MUL, value.back(), 0xf, vir_reg(in), vir_float(i));
      }
      emit(ISA_OPC_MOV, out, 0xf, vir_reg(in));
      for (unsigned i = 0; i < count; i++)
         emit(ISA_OPC_ADD, out, 0xf, vir_reg(out), vir_reg(value[i]));
      vir_opt_dce(s);
      vir_legalize(s);
   }

   struct vir_assignment *assignments = nullptr;
};

TEST_F(allocate, small_values_share_a_temporary)
{
   const uint32_t in = input(4, 0), out = output(4);
   uint32_t value[4];

   for (unsigned i = 0; i < 4; i++) {
      value[i] = vir_reg_create(s, 1);
      emit(ISA_OPC_RCP, value[i], 0x1, vir_reg_component(in, i));
   }
   for (unsigned i = 0; i < 4; i++)
      emit(ISA_OPC_MOV, out, 1 << i, vir_reg_component(value[3 - i], 0));
   vir_opt_dce(s);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   expect_valid(assignments);
   for (unsigned i = 0; i < 4; i++)
      EXPECT_LE(assignments[value[i]].reg, 2u);
}

TEST_F(allocate, outputs_start_at_x)
{
   const uint32_t in = input(4, 1), out = output(2);

   emit(ISA_OPC_ADD, out, 0x3, vir_reg(in), vir_float(1.0f));
   vir_opt_dce(s);
   vir_legalize(s);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   EXPECT_EQ(assignments[out].component[0], 0);
   EXPECT_EQ(assignments[out].component[1], 1);
   EXPECT_EQ(assignments[in].reg, 1);
}

TEST_F(allocate, factors_are_xy_or_zw)
{
   const uint32_t in = input(4, 1), out = output(4);

   for (unsigned i = 0; i < 4; i++) {
      const uint32_t pair = vir_reg_create(s, 2);

      s->regs[pair].factors = true;
      emit(ISA_OPC_LOG, pair, 0x3, vir_reg_component(in, i));
      emit(ISA_OPC_MUL, out, 1 << i, vir_reg_component(pair, 0), vir_reg_component(pair, 1));
   }
   vir_opt_dce(s);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   expect_valid(assignments);
   for (uint32_t i = 0; i < s->num_regs; i++) {
      if (!s->regs[i].factors)
         continue;
      EXPECT_EQ(assignments[i].component[0] % 2, 0);
      EXPECT_EQ(assignments[i].component[1], assignments[i].component[0] + 1);
   }
}

TEST_F(allocate, registers_that_fit_are_not_spilled)
{
   many_values(60);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   EXPECT_EQ(s->spills, 0u);
   expect_valid(assignments);
}

TEST_F(allocate, registers_that_do_not_fit_are_spilled)
{
   many_values(90);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   EXPECT_GT(s->spills, 0u);
   EXPECT_EQ(s->spills, count(ISA_OPC_STORE));
   EXPECT_EQ(s->fills, count(ISA_OPC_LOAD));
   EXPECT_EQ(count(ISA_OPC_ATOMIC_ADD), 1u);
   EXPECT_GE(s->scratch_bytes, 16 * s->spills);
   expect_valid(assignments);
}

TEST_F(allocate, slots_are_twice_the_invocations_in_flight)
{
   EXPECT_EQ(vir_scratch_slots(1024), 8192u);
   EXPECT_EQ(vir_scratch_slots(1025), 16384u);
   /* Unknown number of threads */
   EXPECT_GE(vir_scratch_slots(0), 2048u);
}

TEST_F(allocate, max_registers_limits_temporaries)
{
   info.gpu.max_registers = 16;
   open();
   many_values(30);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   EXPECT_GT(s->spills, 0u);
   for (uint32_t i = 0; i < s->num_regs; i++)
      EXPECT_LT(assignments[i].reg, 16);
   expect_valid(assignments);
}

TEST_F(allocate, before_halti2_too_many_registers_are_an_error)
{
   info.halti = 0;
   open();
   many_values(90);
   EXPECT_FALSE(vir_allocate(s, &assignments));
   EXPECT_NE(s->error, nullptr);
}

TEST_F(allocate, values_live_across_a_loop_are_not_overwritten)
{
   const uint32_t in = input(4, 1), sum = vir_reg_create(s, 4), out = output(4);
   struct vir_block *body;

   emit(ISA_OPC_MOV, sum, 0xf, vir_float(0.0f));
   body = new_block();
   block->successors[0] = body;
   block = body;
   const uint32_t scratch = vir_reg_create(s, 4);
   emit(ISA_OPC_MUL, scratch, 0xf, vir_reg(in), vir_float(3.0f));
   emit(ISA_OPC_ADD, sum, 0xf, vir_reg(sum), vir_reg(scratch));
   struct vir_instr *back = emit(ISA_OPC_BRANCH, VIR_NO_REG, 0, vir_src{});
   back->target = body;
   body->successors[0] = body;
   block = new_block();
   body->successors[1] = block;
   emit(ISA_OPC_MOV, out, 0xf, vir_reg(sum));
   vir_opt_dce(s);
   vir_legalize(s);
   ASSERT_TRUE(vir_allocate(s, &assignments));
   expect_valid(assignments);
   EXPECT_NE(assignments[scratch].reg, assignments[in].reg);
}
