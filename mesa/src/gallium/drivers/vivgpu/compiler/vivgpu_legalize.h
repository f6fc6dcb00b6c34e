/*
 * SPDX-License-Identifier: MIT
 *
 * Internal interface of legalization (vivgpu_legalize.c): immediates (vivgpu_immediate.c) and the
 * pool of constants (vivgpu_pool.c).
 */

#ifndef VIVGPU_LEGALIZE_H
#define VIVGPU_LEGALIZE_H

#include "vivgpu_ir.h"

/* Uniform registers of constants and values that the driver computes; they follow user uniforms. */
struct vir_pool {
   void *mem_ctx; /* ralloc context of regs */
   struct vivgpu_uniform (*regs)[4];
   uint32_t count, capacity;
};

/* vir_sources_in: bit mask of the sources that instr reads and that are in file. */
static inline unsigned
vir_sources_in(const struct vir_instr *instr, enum vir_file file)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == file && vir_reads(instr, i))
         mask |= BITFIELD_BIT(i);
   return mask;
}

/* vir_use_immediates: replace constant sources of instr by immediates where these can hold them. */
void vir_use_immediates(struct vir_shader *s, struct vir_instr *instr);

/*
 * vir_pool_fits: add all values that the sources of instr in mask read to the uniform register
 * reg. Returns false if reg has too few free components; reg may be changed then, too.
 */
bool vir_pool_fits(struct vivgpu_uniform reg[4], const struct vir_instr *instr, unsigned mask);

/*
 * vir_pool_assign: make the sources of instr in mask read one register of the pool: the first
 * with enough free components, or a new one. Returns false if they need more than one register.
 */
bool vir_pool_assign(struct vir_pool *pool, struct vir_instr *instr, unsigned mask);

#endif
