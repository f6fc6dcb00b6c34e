/*
 * SPDX-License-Identifier: MIT
 *
 * Register allocation: assigns temporaries to the virtual registers with Mesa's graph colouring
 * (util/register_allocate.h). The allocator's registers are the 15 non-empty sets of components
 * of each temporary; two sets conflict if they have a component in common. A virtual register
 * gets as many components of one temporary as it uses, in ascending order, so several small
 * virtual registers can share a temporary. Inputs and outputs keep their components.
 *
 * If the graph cannot be coloured, one register is spilled to memory (vivgpu_spill.c) and
 * allocation starts again.
 */

#include "util/ralloc.h"
#include "util/register_allocate.h"
#include "util/u_math.h"

#include "vivgpu_ir.h"

/* Number of non-empty sets of the four components. */
#define SETS 15u

/* After this many spilled registers compilation fails; it bounds the compile time. */
#define MAX_SPILLS 512u

/* The allocator's register number of a set of components of temporary temp. */
static unsigned
vivgpu_allocate_set_number(unsigned temp, unsigned components)
{
   return temp * SETS + components - 1;
}

static unsigned
vivgpu_allocate_temp_of(unsigned number)
{
   return number / SETS;
}

static unsigned
vivgpu_allocate_components_of(unsigned number)
{
   return number % SETS + 1;
}

/* True if a register of the class may be assigned to the set components. */
static bool
vivgpu_allocate_class_has(enum vir_class kind, unsigned components)
{
   switch (kind) {
   case VIR_CLASS_ANY_1:
   case VIR_CLASS_ANY_2:
   case VIR_CLASS_ANY_3:
   case VIR_CLASS_ANY_4:
      return util_bitcount(components) == kind - VIR_CLASS_ANY_1 + 1;
   case VIR_CLASS_START_1:
      return components == 0x1;
   case VIR_CLASS_START_2:
      return components == 0x3;
   case VIR_CLASS_START_3:
      return components == 0x7;
   case VIR_CLASS_FACTORS:
      return components == 0x3 || components == 0xc;
   case VIR_CLASS_CONTIGUOUS_2:
      return components == 0x3 || components == 0x6 || components == 0xc;
   case VIR_CLASS_CONTIGUOUS_3:
      return components == 0x7 || components == 0xe;
   default:
      return false;
   }
}

bool
vir_allocator_setup(struct vivgpu_compiler *compiler)
{
   const unsigned temps = compiler->core.max_temps;
   struct ra_regs *regs = ra_alloc_reg_set(compiler, temps * SETS, true);

   if (!regs)
      return false;
   for (unsigned temp = 0; temp < temps; temp++)
      for (unsigned a = 1; a <= SETS; a++)
         for (unsigned b = 1; b < a; b++)
            if (a & b)
               ra_add_reg_conflict(regs, vivgpu_allocate_set_number(temp, a),
                                   vivgpu_allocate_set_number(temp, b));
   for (unsigned kind = 0; kind < VIR_CLASSES; kind++) {
      compiler->classes[kind] = ra_alloc_reg_class(regs);
      for (unsigned number = 0; number < temps * SETS; number++)
         if (vivgpu_allocate_class_has(kind, vivgpu_allocate_components_of(number)))
            ra_class_add_reg(compiler->classes[kind], number);
   }
   ra_set_finalize(regs, NULL);
   compiler->regs = regs;
   return true;
}

static bool
vivgpu_allocate_is_contiguous(unsigned mask)
{
   const unsigned low = mask >> (ffs(mask) - 1);

   return !(low & (low + 1));
}

static enum vir_class
vivgpu_allocate_start_class(unsigned components)
{
   return components == 4 ? VIR_CLASS_ANY_4 : VIR_CLASS_START_1 + components - 1;
}

/*
 * True if component c of the register has to be component c of the temporary: for outputs, inputs,
 * and what a LOAD writes if the components in use are not contiguous, for which there is no class.
 */
static bool
vivgpu_allocate_keeps_components(const struct vir_reg *reg)
{
   return reg->start || reg->fixed >= 0 ||
          (reg->contiguous && !vivgpu_allocate_is_contiguous(reg->used));
}

static enum vir_class
vivgpu_allocate_class_of(const struct vir_reg *reg)
{
   const unsigned count = util_bitcount(reg->used);

   if (reg->factors)
      return VIR_CLASS_FACTORS;
   if (vivgpu_allocate_keeps_components(reg))
      return vivgpu_allocate_start_class(util_last_bit(reg->used));
   if (reg->contiguous && (count == 2 || count == 3))
      return VIR_CLASS_CONTIGUOUS_2 + count - 2;
   return VIR_CLASS_ANY_1 + count - 1;
}

/* Interference graph: a node for each virtual register */

static bool
vivgpu_allocate_is_live(const BITSET_WORD *live, uint32_t reg)
{
   const unsigned shift = (reg * 4) % BITSET_WORDBITS;

   return live[BITSET_BITWORD(reg * 4)] >> shift & 0xf;
}

static void
vivgpu_allocate_interfere_with_live(struct vir_shader *s, struct ra_graph *g,
                                    const BITSET_WORD *live, uint32_t reg)
{
   for (uint32_t other = 0; other < s->num_regs; other++)
      if (other != reg && vivgpu_allocate_is_live(live, other))
         ra_add_node_interference(g, reg, other);
}

/* The SIN and COS of cores without new_transcendentals must not write what they read. */
static void
vivgpu_allocate_add_operand_interference(struct vir_shader *s, struct ra_graph *g,
                                         const struct vir_instr *instr)
{
   if (s->compiler->core.new_transcendentals ||
       (instr->op != ISA_OPC_SIN && instr->op != ISA_OPC_COS))
      return;
   if (instr->src[0].file == VIR_REG && instr->src[0].index != instr->dst)
      ra_add_node_interference(g, instr->dst, instr->src[0].index);
}

static void
vivgpu_allocate_build_graph(struct vir_shader *s, struct ra_graph *g)
{
   BITSET_WORD *live = ralloc_array(s, BITSET_WORD, BITSET_WORDS(s->num_regs * 4));

   vir_liveness(s);
   vir_foreach_block(block, s) {
      memcpy(live, block->live_out, BITSET_WORDS(s->num_regs * 4) * sizeof(*live));
      vir_foreach_instr_rev(instr, block) {
         if (instr->dst != VIR_NO_REG) {
            vivgpu_allocate_interfere_with_live(s, g, live, instr->dst);
            vivgpu_allocate_add_operand_interference(s, g, instr);
         }
         vir_live_step(live, instr);
      }
      /* The core writes all inputs before the first instruction, so they interfere. */
      if (block->link.prev == &s->blocks)
         for (uint32_t reg = 0; reg < s->num_regs; reg++)
            if (s->regs[reg].live_in && vivgpu_allocate_is_live(live, reg))
               vivgpu_allocate_interfere_with_live(s, g, live, reg);
   }
   ralloc_free(live);
}

static struct ra_graph *
vivgpu_allocate_make_graph(struct vir_shader *s)
{
   struct ra_graph *g = ra_alloc_interference_graph(s->compiler->regs, s->num_regs);

   for (uint32_t i = 0; i < s->num_regs; i++) {
      const struct vir_reg *reg = &s->regs[i];

      ra_set_node_class(
         g, i, s->compiler->classes[reg->used ? vivgpu_allocate_class_of(reg) : VIR_CLASS_ANY_1]);
      if (reg->used && reg->fixed >= 0)
         ra_set_node_reg(g, i, vivgpu_allocate_set_number(reg->fixed, reg->used));
   }
   vivgpu_allocate_build_graph(s, g);
   return g;
}

/* Spilling */

/*
 * Sets each node's spill cost: the number of memory accesses that spilling it adds, weighted by
 * loop depth. Mesa's allocator never spills a node of cost 0.
 */
static void
vivgpu_allocate_set_spill_costs(struct vir_shader *s, struct ra_graph *g)
{
   float *cost = rzalloc_array(s, float, s->num_regs);

   vir_foreach_block(block, s) {
      vir_foreach_instr(instr, block) {
         if (instr->dst != VIR_NO_REG)
            cost[instr->dst] += vir_instr_weight(instr);
         for (unsigned i = 0; i < VIR_SRCS; i++)
            if (instr->src[i].file == VIR_REG)
               cost[instr->src[i].index] += vir_instr_weight(instr);
      }
   }
   for (uint32_t i = 0; i < s->num_regs; i++) {
      const struct vir_reg *reg = &s->regs[i];
      const bool never = reg->unspillable || reg->fixed >= 0 || reg->live_out || !reg->used;

      ra_set_node_spill_cost(g, i, never ? 0.0f : cost[i]);
   }
   ralloc_free(cost);
}

/* Converts the colouring to temporaries and components, by virtual register. */
static struct vir_assignment *
vivgpu_allocate_read_assignments(struct vir_shader *s, struct ra_graph *g)
{
   struct vir_assignment *assignments = rzalloc_array(s, struct vir_assignment, s->num_regs);

   for (uint32_t i = 0; i < s->num_regs; i++) {
      const struct vir_reg *reg = &s->regs[i];
      const unsigned number = ra_get_node_reg(g, i);
      unsigned left = vivgpu_allocate_components_of(number);

      if (!reg->used)
         continue;
      assignments[i].reg = vivgpu_allocate_temp_of(number);
      u_foreach_bit(c, reg->used) {
         assignments[i].component[c] =
            vivgpu_allocate_keeps_components(reg) ? c : u_bit_scan(&left);
      }
   }
   return assignments;
}

/* Chooses a register to spill and spills it; returns false after vir_fail(). */
static bool
vivgpu_allocate_spill_one(struct vir_shader *s, struct ra_graph *g)
{
   if (!s->compiler->core.integers) {
      vir_fail(s, "too many temporaries, and the core has no memory to spill to");
      return false;
   }
   vivgpu_allocate_set_spill_costs(s, g);

   const int node = ra_get_best_spill_node(g);
   if (node < 0) {
      vir_fail(s, "too many temporaries, none of which can be spilled");
      return false;
   }
   vir_spill(s, node);
   return true;
}

bool
vir_allocate(struct vir_shader *s, struct vir_assignment **assignments)
{
   for (unsigned round = 0; round < MAX_SPILLS; round++) {
      struct ra_graph *g = vivgpu_allocate_make_graph(s);

      if (ra_allocate(g)) {
         *assignments = vivgpu_allocate_read_assignments(s, g);
         ralloc_free(g);
         return true;
      }

      const bool spilled = vivgpu_allocate_spill_one(s, g);
      ralloc_free(g);
      if (!spilled)
         return false;
   }
   vir_fail(s, "too many temporaries after %u spills", MAX_SPILLS);
   return false;
}
