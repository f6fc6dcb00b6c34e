/*
 * SPDX-License-Identifier: MIT
 *
 * Dead code elimination: components that are never read are removed from write masks, and
 * instructions without a result or other effect are removed.
 */

#include "util/u_math.h"

#include "vivgpu_ir.h"

/* Collects the components of each register that are read: by instructions, or as outputs. */
static void
vivgpu_dce_gather_used(struct vir_shader *s)
{
   for (uint32_t i = 0; i < s->num_regs; i++)
      if (!s->regs[i].live_out)
         s->regs[i].used = 0;

   vir_foreach_block(block, s) {
      vir_foreach_instr(instr, block) {
         for (unsigned i = 0; i < VIR_SRCS; i++)
            if (instr->src[i].file == VIR_REG)
               s->regs[instr->src[i].index].used |= vir_components_read(instr, i);
      }
   }
}

/* The smallest write mask that still writes all used components. */
static unsigned
vivgpu_dce_live_mask(const struct vir_shader *s, const struct vir_instr *instr)
{
   const unsigned used = s->regs[instr->dst].used & instr->mask;

   if (!used)
      return 0;
   switch (vir_shape(instr->op)) {
   case VIR_FACTORS:
      return instr->mask; /* the two factors are written together */
   case VIR_MEMORY:
      /* LOAD writes consecutive words from the address on, so earlier components stay. */
      return instr->mask & BITFIELD_MASK(util_last_bit(used));
   default:
      return used;
   }
}

/*
 * True if instr writes a0 and the next instruction does not read it. Only that one can, by src[0]:
 * vivgpu_select_indirect_uniform() emits both.
 */
static bool
vivgpu_dce_is_unused_address(const struct vir_instr *instr)
{
   if (!instr->writes_address)
      return false;
   if (instr->link.next == &instr->block->instrs)
      return true;
   return !list_entry(instr->link.next, struct vir_instr, link)->src[0].indirect;
}

static bool
vivgpu_dce_remove_dead(struct vir_shader *s)
{
   bool changed = false;

   vir_foreach_block_rev(block, s) {
      vir_foreach_instr_rev_safe(instr, block) {
         if (vivgpu_dce_is_unused_address(instr)) {
            vir_remove(instr);
            changed = true;
            continue;
         }
         if (instr->dst == VIR_NO_REG || vir_has_effect(instr))
            continue;

         const unsigned mask = vivgpu_dce_live_mask(s, instr);
         if (mask == instr->mask)
            continue;
         changed = true;
         if (mask)
            instr->mask = mask;
         else
            vir_remove(instr);
      }
   }
   return changed;
}

/* Marks written components as used, too: unread ones that stay in a write mask need a temporary. */
static void
vivgpu_dce_add_written(struct vir_shader *s)
{
   vir_foreach_block(block, s) {
      vir_foreach_instr(instr, block)
         if (instr->dst != VIR_NO_REG)
            s->regs[instr->dst].used |= instr->mask;
   }
}

void
vir_opt_dce(struct vir_shader *s)
{
   do {
      vivgpu_dce_gather_used(s);
   } while (vivgpu_dce_remove_dead(s));
   vivgpu_dce_add_written(s);
}
