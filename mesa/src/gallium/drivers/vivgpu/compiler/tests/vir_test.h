/*
 * SPDX-License-Identifier: MIT
 *
 * Fixture for tests of the compiler's passes: a core with HALTI2, a program of one block, and
 * functions that append instructions to it.
 */

#ifndef VIR_TEST_H
#define VIR_TEST_H

#include <gtest/gtest.h>

#include "etnaviv/common/etna_core_info.h"
#include "util/ralloc.h"

#include "vivgpu_ir.h"

class vir_test : public ::testing::Test {
 protected:
   vir_test()
   {
      info.model = 0x3000;
      info.halti = 2;
      info.gpu.max_instructions = 512;
      info.gpu.max_registers = 64;
      info.gpu.num_constants = 320;
      etna_core_enable_feature(&info, ETNA_FEATURE_HAS_FAST_TRANSCENDENTALS);
      etna_core_enable_feature(&info, ETNA_FEATURE_INSTRUCTION_CACHE);
      etna_core_enable_feature(&info, ETNA_FEATURE_HAS_SIGN_FLOOR_CEIL);
      etna_core_enable_feature(&info, ETNA_FEATURE_HAS_SQRT_TRIG);
      open();
   }

   ~vir_test()
   {
      ralloc_free(s);
      vivgpu_compiler_destroy(compiler);
   }

   /* Replaces compiler and program by new ones for the core that info describes. */
   void open()
   {
      if (s)
         ralloc_free(s);
      vivgpu_compiler_destroy(compiler);
      compiler = vivgpu_compiler_create(&info, 1024);
      s = vir_shader_create(compiler, MESA_SHADER_FRAGMENT);
      block = new_block();
   }

   /* Appends an empty block to the program. */
   struct vir_block *new_block()
   {
      struct vir_block *made = vir_block_create(s);

      list_addtail(&made->link, &s->blocks);
      return made;
   }

   /* Appends a float instruction to block. */
   struct vir_instr *emit(enum isa_opc op, uint32_t dst, uint8_t mask, struct vir_src a,
                          struct vir_src b = vir_src{}, struct vir_src c = vir_src{})
   {
      struct vir_instr *instr = vir_instr_create(s, op, ISA_TYPE_F32, dst, mask);

      instr->src[0] = a;
      instr->src[1] = b;
      instr->src[2] = c;
      vir_append(block, instr);
      return instr;
   }

   /* Creates an output: a register that is read when the program ends and starts at x. */
   uint32_t output(unsigned components)
   {
      const uint32_t reg = vir_reg_create(s, components);

      s->regs[reg].start = true;
      s->regs[reg].live_out = true;
      return reg;
   }

   /* Creates an input: a register in temporary temp that is written before the program starts. */
   uint32_t input(unsigned components, unsigned temp)
   {
      const uint32_t reg = vir_reg_create(s, components);

      s->regs[reg].live_in = true;
      s->regs[reg].fixed = temp;
      return reg;
   }

   /* Source that reads vec4 number index of constant buffer 0. */
   struct vir_src user(uint32_t index)
   {
      struct vir_src src = vir_reg(index);

      src.file = VIR_USER;
      return src;
   }

   /* Number of instructions with that opcode. */
   unsigned count(enum isa_opc op)
   {
      unsigned n = 0;

      vir_foreach_block(b, s)
         vir_foreach_instr(instr, b)
            n += instr->op == op;
      return n;
   }

   /* Number of different uniform registers that an instruction reads. */
   static unsigned uniforms_read(const struct vir_instr *instr)
   {
      uint64_t seen[8] = {};
      unsigned n = 0;

      for (unsigned i = 0; i < VIR_SRCS; i++) {
         const uint32_t index = instr->src[i].index;

         if (instr->src[i].file != VIR_UNIFORM || seen[index / 64] >> (index % 64) & 1)
            continue;
         seen[index / 64] |= UINT64_C(1) << (index % 64);
         n++;
      }
      return n;
   }

   struct etna_core_info info = {};
   struct vivgpu_compiler *compiler = nullptr;
   struct vir_shader *s = nullptr;
   struct vir_block *block = nullptr;
};

#endif
