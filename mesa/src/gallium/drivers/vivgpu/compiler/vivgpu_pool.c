/*
 * SPDX-License-Identifier: MIT
 *
 * The pool of uniform registers that hold constants and values that the driver computes. Equal
 * values share a component; all values that an instruction reads are put into one register,
 * since most cores can read only one per instruction.
 */

#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_legalize.h"

static bool
vivgpu_pool_same_uniform(const struct vivgpu_uniform *a, const struct vivgpu_uniform *b)
{
   return a->kind == b->kind && a->value == b->value;
}

/* Component of reg that is equal to value; -1 if there is none. */
static int
vivgpu_pool_find_equal(const struct vivgpu_uniform reg[4], const struct vivgpu_uniform *value)
{
   for (unsigned c = 0; c < 4; c++)
      if (vivgpu_pool_same_uniform(&reg[c], value))
         return c;
   return -1;
}

/* Component of reg that is equal to value, or else an unused one; -1 if there is none. */
static int
vivgpu_pool_find_component(const struct vivgpu_uniform reg[4], const struct vivgpu_uniform *value)
{
   const int equal = vivgpu_pool_find_equal(reg, value);

   if (equal >= 0)
      return equal;
   for (unsigned c = 0; c < 4; c++)
      if (reg[c].kind == VIVGPU_UNIFORM_UNUSED)
         return c;
   return -1;
}

bool
vir_pool_fits(struct vivgpu_uniform reg[4], const struct vir_instr *instr, unsigned mask)
{
   u_foreach_bit(i, mask) {
      u_foreach_bit(position, vir_reads(instr, i)) {
         const struct vir_src *src = &instr->src[i];
         const struct vivgpu_uniform *value = &src->pool[src->swizzle[position]];
         const int c = vivgpu_pool_find_component(reg, value);

         if (c < 0)
            return false;
         reg[c] = *value;
      }
   }
   return true;
}

/* True if reg holds all values that the sources of instr in mask read. */
static bool
vivgpu_pool_holds_all(const struct vivgpu_uniform reg[4], const struct vir_instr *instr,
                      unsigned mask)
{
   u_foreach_bit(i, mask) {
      const struct vir_src *src = &instr->src[i];

      u_foreach_bit(position, vir_reads(instr, i))
         if (vivgpu_pool_find_equal(reg, &src->pool[src->swizzle[position]]) < 0)
            return false;
   }
   return true;
}

/* Makes room for register i of the pool. */
static void
vivgpu_pool_reserve(struct vir_pool *pool, uint32_t i)
{
   if (i < pool->capacity)
      return;
   pool->capacity = MAX2(16, 2 * pool->capacity);
   pool->regs = reralloc_size(pool->mem_ctx, pool->regs, pool->capacity * sizeof(*pool->regs));
}

/* Rewrites the sources of instr in mask to read pool register index. */
static void
vivgpu_pool_use_pool(const struct vir_pool *pool, struct vir_instr *instr, unsigned mask,
                     uint32_t index)
{
   u_foreach_bit(i, mask) {
      struct vir_src *src = &instr->src[i];
      const struct vir_src from = *src;

      u_foreach_bit(position, vir_reads(instr, i))
         src->swizzle[position] =
            vivgpu_pool_find_component(pool->regs[index], &from.pool[from.swizzle[position]]);
      src->file = VIR_UNIFORM;
      src->index = index; /* relative to the pool's start, until vivgpu_legalize_fix_pool() */
      src->in_pool = true;
   }
}

bool
vir_pool_assign(struct vir_pool *pool, struct vir_instr *instr, unsigned mask)
{
   struct vivgpu_uniform reg[4];

   for (uint32_t i = 0; i < pool->count; i++) {
      if (vivgpu_pool_holds_all(pool->regs[i], instr, mask)) {
         vivgpu_pool_use_pool(pool, instr, mask, i);
         return true;
      }
   }
   for (uint32_t i = 0; i <= pool->count && i < pool->limit; i++) {
      if (i == pool->count)
         memset(reg, 0, sizeof(reg));
      else
         memcpy(reg, pool->regs[i], sizeof(reg));
      if (!vir_pool_fits(reg, instr, mask))
         continue;
      vivgpu_pool_reserve(pool, i);
      memcpy(pool->regs[i], reg, sizeof(reg));
      pool->count = MAX2(pool->count, i + 1);
      vivgpu_pool_use_pool(pool, instr, mask, i);
      return true;
   }
   return false;
}

bool
vir_pool_add(struct vir_pool *pool, const struct vivgpu_uniform *value)
{
   for (uint32_t i = 0; i < pool->count; i++)
      for (unsigned c = 0; c < 4; c++)
         if (vivgpu_pool_same_uniform(&pool->regs[i][c], value))
            return true;
   for (uint32_t i = 0; i <= pool->count && i < pool->limit; i++) {
      if (i == pool->count) {
         vivgpu_pool_reserve(pool, i);
         memset(pool->regs[i], 0, sizeof(pool->regs[i]));
         pool->count++;
      }

      const int c = vivgpu_pool_find_component(pool->regs[i], value);
      if (c >= 0) {
         pool->regs[i][c] = *value;
         return true;
      }
   }
   return false;
}
