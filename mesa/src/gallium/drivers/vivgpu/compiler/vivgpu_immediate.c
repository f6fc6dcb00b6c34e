/*
 * SPDX-License-Identifier: MIT
 *
 * Constants as immediate operands (HALTI2), which need no uniform register. An immediate has 20
 * bits: the upper 20 bits of a float, or an integer with or without a sign.
 */

#include "vivgpu_legalize.h"

/*
 * Makes src an immediate of that 32-bit value, for instructions of any type: an immediate's type
 * only says how its 20 bits become 32. Returns false, with src changed, if no type gives the value.
 */
static bool
vivgpu_immediate_bits(uint32_t value, struct vir_src *src)
{
   src->file = VIR_IMMEDIATE;
   src->neg = src->abs = false;
   if (!(value & BITFIELD_MASK(12))) {
      src->immediate = VIR_IMMEDIATE_FLOAT;
      src->index = value >> 12;
      return true;
   }
   if (value <= BITFIELD_MASK(20)) {
      src->immediate = VIR_IMMEDIATE_UNSIGNED;
      src->index = value;
      return true;
   }
   if (value >= ~BITFIELD_MASK(19)) {
      src->immediate = VIR_IMMEDIATE_SIGNED;
      src->index = value & BITFIELD_MASK(20);
      return true;
   }
   return false;
}

/*
 * A constant with the source's modifiers applied: abs, then neg, which negates integers, too. If
 * all values of the source are constants, vir_resolve() has mostly applied them before.
 */
static uint32_t
vivgpu_immediate_modified(uint32_t value, const struct vir_src *src, enum isa_type type)
{
   if (type != ISA_TYPE_F32)
      return src->neg ? -value : value;
   if (src->abs)
      value &= ~(1u << 31);
   return src->neg ? value ^ 1u << 31 : value;
}

/* Makes source i an immediate if all components that it reads are the same constant and it fits. */
static void
vivgpu_immediate_try_immediate(struct vir_shader *s, struct vir_instr *instr, unsigned i)
{
   struct vir_src *src = &instr->src[i], immediate = *src;
   const unsigned reads = vir_reads(instr, i);
   bool first = true;
   uint32_t value = 0;

   if (!s->compiler->core.integers || vir_shape(instr->op) == VIR_TEXTURE)
      return;
   u_foreach_bit(position, reads) {
      const struct vivgpu_uniform *component = &src->pool[src->swizzle[position]];

      if (component->kind != VIVGPU_UNIFORM_CONSTANT || (!first && component->value != value))
         return;
      value = component->value;
      first = false;
   }
   if (vivgpu_immediate_bits(vivgpu_immediate_modified(value, src, instr->type), &immediate)) {
      *src = immediate;
      s->num_immediates++;
   }
}

/*
 * Negates a constant source of an integer ADD (iadd of ineg) at compile time, as vir_resolve() does
 * for floats.
 */
static void
vivgpu_immediate_fold_modifiers(struct vir_instr *instr, unsigned i)
{
   struct vir_src *src = &instr->src[i];

   if (!src->neg || instr->type == ISA_TYPE_F32 || !vir_is_constant(src))
      return;
   for (unsigned c = 0; c < 4; c++)
      src->pool[c].value = -src->pool[c].value;
   src->neg = false;
}

void
vir_use_immediates(struct vir_shader *s, struct vir_instr *instr)
{
   u_foreach_bit(i, vir_sources_in(instr, VIR_POOL)) {
      vivgpu_immediate_fold_modifiers(instr, i);
      vivgpu_immediate_try_immediate(s, instr, i);
   }
}
