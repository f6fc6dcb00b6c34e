/*
 * SPDX-License-Identifier: MIT
 *
 * Liveness analysis: the components of registers that are live at the start and end of each block.
 */

#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_ir.h"

static void
vivgpu_liveness_set_components(BITSET_WORD *live, uint32_t reg, unsigned components)
{
   u_foreach_bit(c, components)
      BITSET_SET(live, reg * 4 + c);
}

static void
vivgpu_liveness_clear_components(BITSET_WORD *live, uint32_t reg, unsigned components)
{
   u_foreach_bit(c, components)
      BITSET_CLEAR(live, reg * 4 + c);
}

void
vir_live_step(BITSET_WORD *live, const struct vir_instr *instr)
{
   if (instr->dst != VIR_NO_REG)
      vivgpu_liveness_clear_components(live, instr->dst, instr->mask);
   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == VIR_REG)
         vivgpu_liveness_set_components(live, instr->src[i].index, vir_components_read(instr, i));
}

/* Adds the outputs, which the core reads when the program ends. */
static void
vivgpu_liveness_set_outputs(const struct vir_shader *s, BITSET_WORD *live)
{
   for (uint32_t i = 0; i < s->num_regs; i++) {
      const struct vir_reg *reg = &s->regs[i];

      if (reg->live_out)
         vivgpu_liveness_set_components(live, i, reg->used);
   }
}

/* Propagates liveness backwards through a block; true if its live_in grew. */
static bool
vivgpu_liveness_update_block(struct vir_shader *s, struct vir_block *block, BITSET_WORD *live,
                             unsigned words)
{
   bool grew = false;

   for (unsigned i = 0; i < 2; i++)
      if (block->successors[i])
         for (unsigned w = 0; w < words; w++)
            block->live_out[w] |= block->successors[i]->live_in[w];
   memcpy(live, block->live_out, words * sizeof(*live));
   vir_foreach_instr_rev(instr, block)
      vir_live_step(live, instr);
   for (unsigned w = 0; w < words; w++) {
      grew |= (live[w] & ~block->live_in[w]) != 0;
      block->live_in[w] |= live[w];
   }
   return grew;
}

void
vir_liveness(struct vir_shader *s)
{
   const unsigned words = BITSET_WORDS(s->num_regs * 4);
   BITSET_WORD *live = rzalloc_array(s, BITSET_WORD, words);
   bool grew;

   vir_foreach_block(block, s) {
      ralloc_free(block->live_in);
      ralloc_free(block->live_out);
      block->live_in = rzalloc_array(s, BITSET_WORD, words);
      block->live_out = rzalloc_array(s, BITSET_WORD, words);
   }
   vivgpu_liveness_set_outputs(s, list_last_entry(&s->blocks, struct vir_block, link)->live_out);
   do {
      grew = false;
      vir_foreach_block_rev(block, s)
         grew |= vivgpu_liveness_update_block(s, block, live, words);
   } while (grew);
   ralloc_free(live);
}
