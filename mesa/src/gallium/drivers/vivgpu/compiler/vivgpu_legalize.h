/*
 * SPDX-License-Identifier: MIT
 *
 * Internal interface of legalization (vivgpu_legalize.c): immediates (vivgpu_immediate.c), the
 * pool of constants (vivgpu_pool.c) and dense assignment (vivgpu_dense.c).
 */

#ifndef VIVGPU_LEGALIZE_H
#define VIVGPU_LEGALIZE_H

#include "vivgpu_ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of user uniforms (vec4). */
#define VIR_MAX_USER 4096u

/* The user uniforms that a shader reads, and the uniform registers assigned to them. */
struct vir_users {
   BITSET_DECLARE(used, VIR_MAX_USER);
   BITSET_DECLARE(indirect, VIR_MAX_USER); /* may be read with a computed index */
   uint16_t reg[VIR_MAX_USER];             /* 1 + uniform register; 0: none */
   uint8_t component[VIR_MAX_USER][4];     /* dense: component of reg, by component of the user */
};

/* Uniform registers of constants and values that the driver computes; they follow user uniforms. */
struct vir_pool {
   void *mem_ctx; /* ralloc context of regs */
   struct vivgpu_uniform (*regs)[4];
   uint32_t count, capacity;
   uint32_t limit; /* largest value of count */
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
 * vir_pool_assign: make the sources of instr in mask read one register of the pool: one that holds
 * all their values, or else the first with enough free components, or a new one. Returns false if
 * they need more than one register, or if there is none.
 */
bool vir_pool_assign(struct vir_pool *pool, struct vir_instr *instr, unsigned mask);

/* vir_pool_add: add a value to the pool, unless it has it. Returns false if the pool is full. */
bool vir_pool_add(struct vir_pool *pool, const struct vivgpu_uniform *value);

/*
 * vir_dense_assign: assign registers to the user uniforms in users->used, and to all values that
 * instructions cannot make. The pool holds all of them, so its register n is uniform register n.
 * Calls vir_fail() if there are too few registers.
 */
void vir_dense_assign(struct vir_shader *s, struct vir_users *users, struct vir_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
