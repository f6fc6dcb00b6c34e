/*
 * SPDX-License-Identifier: MIT
 *
 * Encodes the program as machine code with etnaviv's encoder, after registers have been assigned
 * to temporaries.
 */

#include "etnaviv/isa/asm.h"
#include "etnaviv/isa/isa.h"
#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_ir.h"

/* For each component of the encoded instruction, the position of the swizzle that it reads. */
struct positions {
   uint8_t of[4]; /* by component of the temporary */
};

/*
 * Returns the mask of the temporary's components that are written. positions: by component of
 * the temporary; components that are not written repeat the first written one.
 */
static unsigned
vivgpu_pack_result_positions(const struct vir_instr *instr, const struct vir_assignment *assignment,
                             struct positions *positions)
{
   const unsigned first = instr->mask ? ffs(instr->mask) - 1 : 0;
   unsigned mask = 0;

   memset(positions->of, first, sizeof(positions->of));
   u_foreach_bit(c, instr->mask) {
      const unsigned component = assignment ? assignment->component[c] : c;

      positions->of[component] = c;
      mask |= BITFIELD_BIT(component);
   }
   return mask;
}

/* The same for a source with fixed positions: each unread position repeats the last one read. */
static void
vivgpu_pack_fixed_positions(const struct vir_instr *instr, unsigned i, struct positions *positions)
{
   const unsigned reads = vir_reads(instr, i);
   unsigned last = reads ? ffs(reads) - 1 : 0;

   for (unsigned p = 0; p < 4; p++) {
      if (reads & BITFIELD_BIT(p))
         last = p;
      positions->of[p] = last;
   }
}

static unsigned
vivgpu_pack_swizzle(const uint8_t swizzle[4])
{
   return INST_SWIZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
}

static struct etna_inst_src
vivgpu_pack_source(const struct vir_src *src, const struct positions *positions,
                   const struct vir_assignment *assignments)
{
   struct etna_inst_src packed = {.use = 1};
   uint8_t swizzle[4];

   if (src->file == VIR_IMMEDIATE) {
      packed.rgroup = ISA_REG_GROUP_IMMED;
      packed.imm_val = src->index;
      packed.imm_type = src->immediate;
      return packed;
   }
   for (unsigned p = 0; p < 4; p++) {
      swizzle[p] = src->swizzle[positions->of[p]];
      if (src->file == VIR_REG)
         swizzle[p] = assignments[src->index].component[swizzle[p]];
   }
   packed.swiz = vivgpu_pack_swizzle(swizzle);
   packed.neg = src->neg;
   packed.abs = src->abs;
   switch (src->file) {
   case VIR_REG:
      packed.rgroup = ISA_REG_GROUP_TEMP;
      packed.reg = assignments[src->index].reg;
      break;
   case VIR_UNIFORM:
      packed.rgroup = ISA_REG_GROUP_UNIFORM_0;
      packed.reg = src->index;
      packed.amode = src->indirect ? ISA_REG_ADDRESSING_MODE_AX : ISA_REG_ADDRESSING_MODE_DIRECT;
      break;
   default: /* VIR_FACE */
      packed.rgroup = ISA_REG_GROUP_INTERNAL;
      break;
   }
   return packed;
}

static void
vivgpu_pack_result(struct etna_inst *inst, const struct vir_instr *instr, unsigned mask,
                   const struct vir_assignment *assignment)
{
   if (!instr->mask)
      return;
   inst->dst.write_mask = mask;
   if (instr->op == ISA_OPC_STORE)
      return;
   inst->dst.use = 1;
   inst->dst.reg = assignment ? assignment->reg : 0; /* no assignment: the destination is a0 */
}

static void
vivgpu_pack_instr(uint32_t *words, const struct vir_instr *instr,
                  const struct vir_assignment *assignments, const uint32_t *block_start)
{
   const struct vir_assignment *assignment =
      instr->dst != VIR_NO_REG ? &assignments[instr->dst] : NULL;
   const enum vir_shape shape = vir_shape(instr->op);
   struct positions result, fixed;
   struct etna_inst inst = {
      .opcode = instr->op,
      .cond = instr->cond,
      .type = instr->type,
      .rounding = instr->rounding,
      .sat = instr->sat,
   };
   const unsigned mask = vivgpu_pack_result_positions(instr, assignment, &result);

   vivgpu_pack_result(&inst, instr, mask, assignment);
   for (unsigned i = 0; i < VIR_SRCS; i++) {
      if (instr->src[i].file == VIR_NONE)
         continue;
      vivgpu_pack_fixed_positions(instr, i, &fixed);
      inst.src[i] = vivgpu_pack_source(&instr->src[i], shape == VIR_COMPONENTS ? &result : &fixed,
                                       assignments);
   }
   if (shape == VIR_TEXTURE) {
      uint8_t swizzle[4];

      for (unsigned c = 0; c < 4; c++)
         swizzle[c] = instr->tex_swizzle[result.of[c]];
      inst.tex.id = instr->sampler;
      inst.tex.swiz = vivgpu_pack_swizzle(swizzle);
   }
   if (instr->target)
      inst.imm = block_start[instr->target->index];
   isa_assemble_instruction(words, &inst);
}

static void
vivgpu_pack_nop(uint32_t *words)
{
   const struct etna_inst nop = {.opcode = ISA_OPC_NOP};

   isa_assemble_instruction(words, &nop);
}

uint32_t *
vir_pack(struct vir_shader *s, const struct vir_assignment *assignments)
{
   vir_number(s);

   uint32_t *code = ralloc_array(s, uint32_t, MAX2(s->num_instrs, 1) * VIVGPU_INSTRUCTION_WORDS);
   uint32_t *block_start = ralloc_array(s, uint32_t, s->num_blocks);
   uint32_t next = 0;

   vir_foreach_block(block, s) {
      block_start[block->index] = next;
      next += list_length(&block->instrs);
   }
   vir_foreach_block(block, s) {
      vir_foreach_instr(instr, block)
         vivgpu_pack_instr(&code[instr->ip * VIVGPU_INSTRUCTION_WORDS], instr, assignments,
                           block_start);
   }
   if (!s->num_instrs) { /* the core needs at least one instruction */
      vivgpu_pack_nop(code);
      s->num_instrs = 1;
   }
   ralloc_free(block_start);
   return code;
}
