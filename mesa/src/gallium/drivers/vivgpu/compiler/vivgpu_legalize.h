/*
 * SPDX-License-Identifier: MIT
 *
 * What the parts of legalization share: immediates, and the pool of constants.
 */

#ifndef VIVGPU_LEGALIZE_H
#define VIVGPU_LEGALIZE_H

#include "vivgpu_ir.h"

/* Uniform registers of constants, behind those of user uniforms */
struct vir_pool {
   void *mem_ctx; /* of regs */
   struct vivgpu_uniform (*regs)[4];
   uint32_t count, capacity;
};

/* vir_sources_in: set of the sources of instr that are in a file and read. */
static inline unsigned
vir_sources_in(const struct vir_instr *instr, enum vir_file file)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == file && vir_reads(instr, i))
         mask |= BITFIELD_BIT(i);
   return mask;
}

/* vir_use_immediates: make constants immediates in the sources of instr that can have them. */
void vir_use_immediates(struct vir_shader *s, struct vir_instr *instr);

/*
 * vir_pool_fits: put all that the sources of instr in mask read into reg; false if that is more
 * than reg has components left, reg has some of it then.
 */
bool vir_pool_fits(struct vivgpu_uniform reg[4], const struct vir_instr *instr, unsigned mask);

/*
 * vir_pool_assign: let the sources of instr in mask read one register of the pool, an old one
 * that has room or a new one; false if they are too many.
 */
bool vir_pool_assign(struct vir_pool *pool, struct vir_instr *instr, unsigned mask);

#endif
