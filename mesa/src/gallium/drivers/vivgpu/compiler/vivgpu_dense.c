/*
 * SPDX-License-Identifier: MIT
 *
 * Dense assignment of uniform registers, for shaders that need too many of them otherwise; they
 * are compiled a second time, with vir_shader.dense.
 *
 * A user uniform takes only the components that the shader reads of it, and shares its register
 * with others. Elements of an array that is read with a computed index are in consecutive
 * registers, in the same components, as in the packing algorithm of The OpenGL ES Shading Language
 * (A.7). Values that the driver computes come next, once each, and then constants.
 *
 * On cores with integers user uniforms get at most half of the registers, and others are loaded
 * from memory; constants for which no register is left are made by instructions
 * (vivgpu_legalize.c).
 */

#include <stdlib.h>

#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_legalize.h"

/* User uniforms in consecutive registers: one, or an array that is read with a computed index. */
struct range {
   uint32_t first;
   uint32_t count;
   unsigned read; /* components that the shader reads of any of them */
};

struct dense {
   struct vir_shader *s;
   struct vir_users *users;
   uint8_t read[VIR_MAX_USER]; /* components of each user uniform that the shader reads */
   struct range *ranges;
   unsigned num_ranges;
};

/* Adds an array; arrays that have elements in common become one. */
static void
vivgpu_dense_add_array(struct dense *d, uint32_t first, uint32_t count)
{
   uint32_t end = first + count;

   for (unsigned i = 0; i < d->num_ranges;) {
      const struct range *other = &d->ranges[i];

      if (other->first >= end || first >= other->first + other->count) {
         i++;
         continue;
      }
      end = MAX2(end, other->first + other->count);
      first = MIN2(first, other->first);
      d->ranges[i] = d->ranges[--d->num_ranges];
      i = 0; /* the larger array may overlap with those before */
   }
   d->ranges[d->num_ranges++] = (struct range){.first = first, .count = end - first};
}

static void
vivgpu_dense_record_source(struct dense *d, const struct vir_instr *instr, unsigned i)
{
   const struct vir_src *src = &instr->src[i];
   const unsigned count = src->indirect ? src->range : 1;

   for (unsigned u = 0; u < count; u++)
      d->read[src->index + u] |= vir_components_read(instr, i);
   if (src->indirect)
      vivgpu_dense_add_array(d, src->index, count);
}

/* Collects all ranges: arrays first, then the uniforms that are in none. */
static void
vivgpu_dense_gather_ranges(struct dense *d)
{
   BITSET_DECLARE(in_array, VIR_MAX_USER) = {0};
   unsigned u;

   vir_foreach_block(block, d->s)
      vir_foreach_instr(instr, block)
         u_foreach_bit(i, vir_sources_in(instr, VIR_USER))
            vivgpu_dense_record_source(d, instr, i);
   for (unsigned i = 0; i < d->num_ranges; i++) {
      struct range *array = &d->ranges[i];

      BITSET_SET_RANGE(in_array, array->first, array->first + array->count - 1);
      for (unsigned n = 0; n < array->count; n++)
         array->read |= d->read[array->first + n];
   }
   BITSET_FOREACH_SET(u, d->users->used, VIR_MAX_USER)
      if (!BITSET_TEST(in_array, u))
         d->ranges[d->num_ranges++] = (struct range){.first = u, .count = 1, .read = d->read[u]};
}

/* Order of assignment: those with most components first, then the longest arrays. */
static int
vivgpu_dense_compare_ranges(const void *left, const void *right)
{
   const struct range *a = left, *b = right;
   const int components = (int)util_bitcount(b->read) - (int)util_bitcount(a->read);

   if (components)
      return components;
   return a->count != b->count ? (int)b->count - (int)a->count : (int)a->first - (int)b->first;
}

/* Components that are free in all of count registers. */
static unsigned
vivgpu_dense_free_components(const struct vir_pool *pool, uint32_t reg, uint32_t count)
{
   unsigned free = 0xf;

   for (uint32_t i = reg; i < reg + count; i++)
      for (unsigned c = 0; c < 4; c++)
         if (pool->regs[i][c].kind != VIVGPU_UNIFORM_UNUSED)
            free &= ~BITFIELD_BIT(c);
   return free;
}

/* Puts a range into registers from reg on, whose components free are not used yet. */
static void
vivgpu_dense_put_range(struct dense *d, struct vir_pool *pool, const struct range *range,
                       uint32_t reg, unsigned free)
{
   u_foreach_bit(c, range->read) {
      const unsigned to = u_bit_scan(&free);

      for (uint32_t i = 0; i < range->count; i++) {
         d->users->component[range->first + i][c] = to;
         pool->regs[reg + i][to] = (struct vivgpu_uniform){.kind = VIVGPU_UNIFORM_USER,
                                                           .value = (range->first + i) * 4 + c};
      }
   }
   for (uint32_t i = 0; i < range->count; i++)
      d->users->reg[range->first + i] = reg + i + 1;
   pool->count = MAX2(pool->count, reg + range->count);
}

/* Puts a range into the first of limit registers that have room; returns false if none have. */
static bool
vivgpu_dense_place_range(struct dense *d, struct vir_pool *pool, const struct range *range,
                         uint32_t limit)
{
   for (uint32_t reg = 0; reg + range->count <= limit; reg++) {
      const unsigned free = vivgpu_dense_free_components(pool, reg, range->count);

      if (util_bitcount(free) >= util_bitcount(range->read)) {
         vivgpu_dense_put_range(d, pool, range, reg, free);
         return true;
      }
   }
   return false;
}

/*
 * Puts all values that instructions cannot make into the pool. This comes first, so that they fit:
 * vir_pool_assign() later adds copies of values to put them into one register with others. On cores
 * without integers these include constants.
 */
static void
vivgpu_dense_place_values(struct vir_shader *s, struct vir_pool *pool)
{
   const bool makes_constants = s->compiler->core.integers;
   bool placed = true;

   vir_foreach_block(block, s) {
      vir_foreach_instr(instr, block) {
         u_foreach_bit(i, vir_sources_in(instr, VIR_POOL)) {
            u_foreach_bit(position, vir_reads(instr, i)) {
               const struct vivgpu_uniform *value =
                  &instr->src[i].pool[instr->src[i].swizzle[position]];

               placed &= (makes_constants && value->kind == VIVGPU_UNIFORM_CONSTANT) ||
                         vir_pool_add(pool, value);
            }
         }
      }
   }
   if (!placed)
      vir_fail(s, "uniforms and constants need more than %u uniform registers", pool->limit);
}

void
vir_dense_assign(struct vir_shader *s, struct vir_users *users, struct vir_pool *pool)
{
   const struct vivgpu_uniform address = {.kind = VIVGPU_UNIFORM_UBO_ADDRESS};
   const bool loads = s->compiler->core.integers;
   const unsigned max = s->compiler->core.max_uniforms[s->stage];
   struct dense *d = rzalloc(s, struct dense);
   bool all = true;

   d->s = s;
   d->users = users;
   d->ranges = ralloc_array(d, struct range, VIR_MAX_USER);
   /* One register is for the scratch buffer's address. */
   pool->limit = loads ? max - 1 : max;
   pool->capacity = max;
   pool->regs = rzalloc_size(pool->mem_ctx, max * sizeof(*pool->regs));

   vivgpu_dense_gather_ranges(d);
   qsort(d->ranges, d->num_ranges, sizeof(*d->ranges), vivgpu_dense_compare_ranges);
   for (unsigned i = 0; i < d->num_ranges; i++)
      all &= vivgpu_dense_place_range(d, pool, &d->ranges[i], loads ? max / 2 : max);
   if (!all && loads)
      vir_pool_add(pool, &address);
   else if (!all)
      vir_fail(s, "%u vectors of uniforms do not fit %u uniform registers",
               BITSET_COUNT(users->used), max);
   vivgpu_dense_place_values(s, pool);
   ralloc_free(d);
}
