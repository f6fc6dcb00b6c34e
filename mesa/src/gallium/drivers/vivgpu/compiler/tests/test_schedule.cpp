/*
 * SPDX-License-Identifier: MIT
 *
 * Tests of instruction scheduling (vivgpu_schedule.c): the order of instructions within a block.
 */

#include <vector>

#include "vir_test.h"

class schedule : public vir_test {
 protected:
   /* Schedules the program; then ip is the position of each instruction. */
   void run()
   {
      vir_opt_dce(s);
      vir_schedule(s);
      vir_number(s);
   }

   /* Appends a lookup in a two-dimensional texture. */
   struct vir_instr *lookup(uint32_t dst, uint32_t coord)
   {
      struct vir_instr *instr = emit(ISA_OPC_TEXLD, dst, 0xf, vir_reg(coord));

      instr->reads[0] = 0x3;
      return instr;
   }

   /* The largest number of components that are live at a point of the block. */
   unsigned max_live()
   {
      const unsigned words = BITSET_WORDS(s->num_regs * 4);

      vir_liveness(s);
      std::vector<BITSET_WORD> live(block->live_out, block->live_out + words);
      unsigned most = __bitset_count(live.data(), words);
      vir_foreach_instr_rev(instr, block) {
         vir_live_step(live.data(), instr);
         most = MAX2(most, __bitset_count(live.data(), words));
      }
      return most;
   }

   /*
    * A program in which 7 components are live at most. Its second instruction begins the longer
    * chain, but before the first one it would make 8 live: what the first one reads stays live.
    * factor: second operand of the second instruction, whose first one is component x of value
    */
   void expect_first_stays_first(uint32_t value, struct vir_src factor)
   {
      const uint32_t vec = input(4, 2), product = vir_reg_create(s, 4);
      const uint32_t pair = vir_reg_create(s, 2), out = output(4), dot = output(1);
      struct vir_src both = vir_reg(pair);

      both.swizzle[2] = 0;
      both.swizzle[3] = 1;
      struct vir_instr *first = emit(ISA_OPC_DP4, dot, 0x1, vir_reg(vec), user(0));
      struct vir_instr *second =
         emit(ISA_OPC_MUL, product, 0xf, vir_reg_component(value, 0), factor);
      emit(ISA_OPC_MUL, pair, 0x3, vir_reg(product), user(1));
      emit(ISA_OPC_ADD, out, 0xf, vir_reg(product), both);
      EXPECT_EQ(max_live(), 7u);
      run();
      EXPECT_EQ(max_live(), 7u);
      EXPECT_LT(first->ip, second->ip);
   }
};

TEST_F(schedule, a_lookup_is_moved_before_independent_instructions)
{
   const uint32_t in = input(4, 1), other = input(4, 2), texel = vir_reg_create(s, 4);
   const uint32_t sum = vir_reg_create(s, 4), out = output(4);

   struct vir_instr *add = emit(ISA_OPC_ADD, sum, 0xf, vir_reg(other), vir_reg(other));
   struct vir_instr *mul = emit(ISA_OPC_MUL, sum, 0xf, vir_reg(sum), vir_reg(other));
   struct vir_instr *tex = lookup(texel, in);
   emit(ISA_OPC_MUL, out, 0xf, vir_reg(sum), vir_reg(texel));
   run();
   EXPECT_LT(tex->ip, add->ip);
   EXPECT_LT(add->ip, mul->ip);
}

TEST_F(schedule, readers_come_before_the_next_writer)
{
   const uint32_t in = input(4, 1), value = vir_reg_create(s, 4), out = output(4);

   struct vir_instr *first = emit(ISA_OPC_ADD, value, 0xf, vir_reg(in), vir_reg(in));
   struct vir_instr *reader = emit(ISA_OPC_MOV, out, 0x3, vir_reg(value));
   struct vir_instr *second = lookup(value, in); /* overwrites what reader reads */
   emit(ISA_OPC_MOV, out, 0xc, vir_reg(value));
   run();
   EXPECT_LT(first->ip, reader->ip);
   EXPECT_LT(reader->ip, second->ip);
}

TEST_F(schedule, a_kill_is_a_barrier)
{
   const uint32_t in = input(4, 1), texel = vir_reg_create(s, 4), out = output(4);

   struct vir_instr *kill = emit(ISA_OPC_TEXKILL, VIR_NO_REG, 0, vir_reg(in));
   struct vir_instr *tex = lookup(texel, in);
   emit(ISA_OPC_MOV, out, 0xf, vir_reg(texel));
   run();
   EXPECT_LT(kill->ip, tex->ip);
}

TEST_F(schedule, an_address_stays_with_its_reader)
{
   const uint32_t in = input(4, 1), out = output(4);
   struct vir_src src = user(0);
   struct vir_instr *address[2], *reader[2];

   src.indirect = true;
   src.range = 2;
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t index = vir_reg_create(s, 1);

      emit(ISA_OPC_F2I, index, 0x1, vir_reg_component(in, i));
      address[i] = emit(ISA_OPC_MOVAI, VIR_NO_REG, 0x1, vir_reg_component(index, 0));
      address[i]->writes_address = true;
      reader[i] = emit(ISA_OPC_MOV, out, 0x3 << (2 * i), src);
   }
   run();
   for (unsigned i = 0; i < 2; i++)
      EXPECT_EQ(reader[i]->ip, address[i]->ip + 1);
}

TEST_F(schedule, register_pressure_does_not_grow)
{
   const uint32_t in = input(4, 1), out = output(4);

   /* Each texel is dead after its ADD; if all lookups came first, 40 would be live. */
   emit(ISA_OPC_MOV, out, 0xf, vir_reg(in));
   for (unsigned i = 0; i < 40; i++) {
      const uint32_t texel = vir_reg_create(s, 4);

      lookup(texel, in);
      emit(ISA_OPC_ADD, out, 0xf, vir_reg(out), vir_reg(texel));
   }
   run();
   struct vir_assignment *assignments;
   ASSERT_TRUE(vir_allocate(s, &assignments));
   for (uint32_t i = 0; i < s->num_regs; i++)
      EXPECT_LE(assignments[i].reg, 3);
}

TEST_F(schedule, the_limit_is_the_pressure_of_the_programs_order)
{
   expect_first_stays_first(input(1, 1), user(1));
}

TEST_F(schedule, a_component_that_two_sources_read_dies_once)
{
   const uint32_t value = input(1, 1);

   expect_first_stays_first(value, vir_reg_component(value, 0));
}
