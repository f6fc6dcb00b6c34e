/*
 * SPDX-License-Identifier: MIT
 *
 * Coalescing: removes copies from register to register by merging source and destination. Each
 * component of the source becomes a component of the destination, or several if it is copied
 * to several.
 *
 * Two components may be merged if neither is written while the other is live. The copy itself is
 * no such write: both components hold the same value after it.
 */

#include "util/bitset.h"
#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_ir.h"

/* Programs of more registers are left as they are: the conflict matrix has (4 n)^2 bits. */
#define MAX_REGS 4096u

struct coalesce {
   struct vir_shader *s;
   BITSET_WORD *conflicts; /* square matrix, indexed by reg * 4 + component */
   unsigned row_words;
};

static BITSET_WORD *
vivgpu_coalesce_row(const struct coalesce *c, uint32_t component)
{
   return &c->conflicts[(size_t)component * c->row_words];
}

static void
vivgpu_coalesce_add_conflict(struct coalesce *c, uint32_t a, uint32_t b)
{
   if (a == b)
      return;
   BITSET_SET(vivgpu_coalesce_row(c, a), b);
   BITSET_SET(vivgpu_coalesce_row(c, b), a);
}

/* Adds conflicts of a written component with all live ones but except, the source of a copy. */
static void
vivgpu_coalesce_add_write(struct coalesce *c, const BITSET_WORD *live, uint32_t written,
                          uint32_t except)
{
   unsigned other;

   BITSET_FOREACH_SET(other, live, c->s->num_regs * 4)
      if (other != except)
         vivgpu_coalesce_add_conflict(c, written, other);
}

static void
vivgpu_coalesce_add_instr(struct coalesce *c, const BITSET_WORD *live,
                          const struct vir_instr *instr)
{
   const bool copy = vir_is_copy(instr);

   u_foreach_bit(component, instr->mask) {
      const uint32_t source =
         copy ? instr->src[0].index * 4 + instr->src[0].swizzle[component] : VIR_NO_REG;

      vivgpu_coalesce_add_write(c, live, instr->dst * 4 + component, source);
   }
}

/* Adds conflicts of inputs: the core writes all their components before the program starts. */
static void
vivgpu_coalesce_add_inputs(struct coalesce *c, const BITSET_WORD *live)
{
   for (uint32_t i = 0; i < c->s->num_regs; i++) {
      if (!c->s->regs[i].live_in)
         continue;
      for (unsigned component = 0; component < 4; component++)
         if (BITSET_TEST(live, i * 4 + component))
            vivgpu_coalesce_add_write(c, live, i * 4 + component, VIR_NO_REG);
   }
}

static void
vivgpu_coalesce_find_conflicts(struct coalesce *c)
{
   struct vir_shader *s = c->s;
   BITSET_WORD *live = ralloc_array(s, BITSET_WORD, c->row_words);

   vir_liveness(s);
   vir_foreach_block(block, s) {
      memcpy(live, block->live_out, c->row_words * sizeof(*live));
      vir_foreach_instr_rev(instr, block) {
         if (instr->dst != VIR_NO_REG)
            vivgpu_coalesce_add_instr(c, live, instr);
         vir_live_step(live, instr);
      }
      if (block->link.prev == &s->blocks)
         vivgpu_coalesce_add_inputs(c, live);
   }
   ralloc_free(live);
}

/* A merge of register from into register to, with the new place of each component of from. */
struct mapping {
   uint32_t from, to;
   uint8_t component[4]; /* by component of from: the component of to that readers read */
   uint8_t all[4];       /* by component of from: mask of the components of to that it becomes */
   uint8_t components;   /* mask of the components of from that are mapped */
};

/* Maps the source of a copy to its destination; false if a used component is not copied. */
static bool
vivgpu_coalesce_map_source(const struct coalesce *c, const struct vir_instr *copy,
                           struct mapping *map)
{
   const struct vir_src *src = &copy->src[0];

   *map = (struct mapping){.from = src->index, .to = copy->dst};
   u_foreach_bit(component, copy->mask) {
      const unsigned from = src->swizzle[component];

      if (!map->all[from])
         map->component[from] = component;
      map->all[from] |= BITFIELD_BIT(component);
      map->components |= BITFIELD_BIT(from);
   }
   return !(c->s->regs[map->from].used & ~map->components);
}

/*
 * Maps the destination of a copy to its source; false if a source component is copied to two
 * destination components, or if the destination has used components that are not copied.
 */
static bool
vivgpu_coalesce_map_destination(const struct coalesce *c, const struct vir_instr *copy,
                                struct mapping *map)
{
   const struct vir_src *src = &copy->src[0];
   unsigned taken = 0;

   *map = (struct mapping){.from = copy->dst, .to = src->index, .components = copy->mask};
   u_foreach_bit(component, copy->mask) {
      if (taken & BITFIELD_BIT(src->swizzle[component]))
         return false;
      taken |= BITFIELD_BIT(src->swizzle[component]);
      map->component[component] = src->swizzle[component];
      map->all[component] = BITFIELD_BIT(src->swizzle[component]);
   }
   return !(c->s->regs[map->from].used & ~map->components);
}

static bool
vivgpu_coalesce_is_identity(const struct mapping *map)
{
   u_foreach_bit(component, map->components)
      if (map->all[component] != BITFIELD_BIT(component))
         return false;
   return true;
}

/* True if the components that a LOAD writes stay contiguous and in their order. */
static bool
vivgpu_coalesce_keeps_contiguous(const struct mapping *map)
{
   int last = -1;

   u_foreach_bit(component, map->components) {
      if ((last >= 0 && map->component[component] != last + 1) ||
          util_bitcount(map->all[component]) != 1)
         return false;
      last = map->component[component];
   }
   return true;
}

/*
 * True if the merged register can meet the allocator's constraints of both. An output keeps its
 * number, by which vir_shader.output refers to it: another register may become part of it only.
 */
static bool
vivgpu_coalesce_constraints_allow(const struct coalesce *c, const struct mapping *map)
{
   const struct vir_reg *from = &c->s->regs[map->from], *to = &c->s->regs[map->to];

   if (from->factors || to->factors || from->start || from->live_out)
      return false;
   if (from->fixed >= 0 && to->fixed >= 0)
      return from->fixed == to->fixed && vivgpu_coalesce_is_identity(map);
   /* The merged register is fixed, too. One of a LOAD stays free to be moved to other components. */
   if (from->fixed >= 0)
      return vivgpu_coalesce_is_identity(map) && !to->contiguous;
   if (from->contiguous && !vivgpu_coalesce_keeps_contiguous(map))
      return false;
   return true;
}

static bool
vivgpu_coalesce_conflicting(const struct coalesce *c, const struct mapping *map)
{
   u_foreach_bit(component, map->components)
      u_foreach_bit(to, map->all[component])
         if (BITSET_TEST(vivgpu_coalesce_row(c, map->from * 4 + component), map->to * 4 + to))
            return true;
   return false;
}

/* Adds the conflicts of each component of from to the components that it became. */
static void
vivgpu_coalesce_merge_conflicts(struct coalesce *c, const struct mapping *map)
{
   u_foreach_bit(component, map->components) {
      const uint32_t old = map->from * 4 + component;
      unsigned other;

      BITSET_FOREACH_SET(other, vivgpu_coalesce_row(c, old), c->s->num_regs * 4)
         u_foreach_bit(to, map->all[component])
            vivgpu_coalesce_add_conflict(c, map->to * 4 + to, other);
   }
}

static void
vivgpu_coalesce_rename_dst(struct vir_instr *instr, const struct mapping *map)
{
   const struct vir_instr old = *instr;

   instr->dst = map->to;
   instr->mask = 0;
   u_foreach_bit(component, old.mask) {
      u_foreach_bit(new, map->all[component]) {
         instr->mask |= BITFIELD_BIT(new);
         instr->tex_swizzle[new] = old.tex_swizzle[component];
         if (vir_shape(instr->op) == VIR_COMPONENTS)
            for (unsigned i = 0; i < VIR_SRCS; i++)
               instr->src[i].swizzle[new] = old.src[i].swizzle[component];
      }
   }
}

static void
vivgpu_coalesce_rename_src(struct vir_instr *instr, unsigned i, const struct mapping *map)
{
   struct vir_src *src = &instr->src[i];

   src->index = map->to;
   for (unsigned position = 0; position < 4; position++)
      if (map->components & BITFIELD_BIT(src->swizzle[position]))
         src->swizzle[position] = map->component[src->swizzle[position]];
}

static void
vivgpu_coalesce_rename_all(struct coalesce *c, const struct mapping *map)
{
   vir_foreach_block(block, c->s) {
      vir_foreach_instr(instr, block) {
         /* sources first: in shape VIR_COMPONENTS their positions move with the result's */
         for (unsigned i = 0; i < VIR_SRCS; i++)
            if (instr->src[i].file == VIR_REG && instr->src[i].index == map->from)
               vivgpu_coalesce_rename_src(instr, i, map);
         if (instr->dst == map->from)
            vivgpu_coalesce_rename_dst(instr, map);
      }
   }
}

static void
vivgpu_coalesce_merge_regs(struct coalesce *c, const struct mapping *map)
{
   struct vir_reg *from = &c->s->regs[map->from], *to = &c->s->regs[map->to];

   if (from->fixed >= 0)
      to->fixed = from->fixed;
   to->live_in |= from->live_in;
   to->contiguous |= from->contiguous;
   to->unspillable |= from->unspillable;
   from->used = 0;
   from->live_in = false;
   from->fixed = -1;
}

/* True for a copy of a register's components to themselves. */
static bool
vivgpu_coalesce_is_self_copy(const struct vir_instr *instr)
{
   if (!vir_is_copy(instr) || instr->src[0].index != instr->dst)
      return false;
   u_foreach_bit(component, instr->mask)
      if (instr->src[0].swizzle[component] != component)
         return false;
   return true;
}

static bool
vivgpu_coalesce_try_mapping(struct coalesce *c, const struct mapping *map)
{
   if (!vivgpu_coalesce_constraints_allow(c, map) || vivgpu_coalesce_conflicting(c, map))
      return false;
   vivgpu_coalesce_merge_conflicts(c, map);
   vivgpu_coalesce_rename_all(c, map);
   vivgpu_coalesce_merge_regs(c, map);
   return true;
}

/* Merges source and destination of a copy if possible. Returns true if the copy is redundant. */
static bool
vivgpu_coalesce_try_copy(struct coalesce *c, struct vir_instr *copy)
{
   struct mapping map;

   if (copy->src[0].index == copy->dst)
      return vivgpu_coalesce_is_self_copy(copy);
   if (vivgpu_coalesce_map_source(c, copy, &map) && vivgpu_coalesce_try_mapping(c, &map))
      return true;
   return vivgpu_coalesce_map_destination(c, copy, &map) && vivgpu_coalesce_try_mapping(c, &map);
}

void
vir_coalesce(struct vir_shader *s)
{
   if (s->num_regs > MAX_REGS)
      return;

   struct coalesce c = {.s = s, .row_words = BITSET_WORDS(s->num_regs * 4)};

   c.conflicts = rzalloc_array(s, BITSET_WORD, (size_t)s->num_regs * 4 * c.row_words);
   vivgpu_coalesce_find_conflicts(&c);
   vir_foreach_block(block, s) {
      vir_foreach_instr_safe(instr, block) {
         if (vir_is_copy(instr) && vivgpu_coalesce_try_copy(&c, instr))
            vir_remove(instr);
      }
   }
   vir_foreach_block(block, s)
      vir_foreach_instr_safe(instr, block)
         if (vivgpu_coalesce_is_self_copy(instr))
            vir_remove(instr);
   ralloc_free(c.conflicts);
}
