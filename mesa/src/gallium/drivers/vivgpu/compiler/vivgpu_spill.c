/*
 * SPDX-License-Identifier: MIT
 *
 * Registers that do not fit go to memory.
 *
 * DOC: Scratch memory
 *
 * Each stage has a buffer of its own. The core does not tell a shader which of its
 * threads it is, so each invocation draws a ticket: an atomic counter in the buffer's
 * header, modulo the number of slots.
 *
 * Two invocations in flight never share a slot. Those of a stage enter and leave the
 * core in order, since vertices are assembled, and fragments painted, in order; N, the
 * invocations of all threads, can be in flight. So when one enters, the oldest in flight
 * entered less than N before it. They draw their tickets with the first instructions,
 * in an order that differs from that of entering by less than N as well. Hence tickets
 * in flight differ by less than 2 N, and that many slots there are. A slot has the
 * same size for all of them: the driver waits before it changes a program.
 */

#include "util/u_math.h"

#include "vivgpu_ir.h"

/* What a spilled register takes of an invocation's part, whatever it uses. */
#define BYTES_OF_REG 16u

/* Invocations that a thread runs together: a quad of fragments. */
#define INVOCATIONS_OF_THREAD 4u

/* What cores have at least, if the kernel does not tell. */
#define LEAST_THREADS 256u

unsigned
vir_scratch_slots(unsigned threads)
{
   return util_next_power_of_two(2 * INVOCATIONS_OF_THREAD * MAX2(threads, LEAST_THREADS));
}

static struct vir_src
scratch_address(void)
{
   return (struct vir_src){.file = VIR_UNIFORM};
}

/* Number of the uniform register whose x is the buffer's address; added to the table if new. */
static uint32_t
address_uniform(struct vir_shader *s)
{
   for (uint32_t i = 0; i < s->num_uniforms; i++)
      if (s->uniforms[i * 4].kind == VIVGPU_UNIFORM_SCRATCH_ADDRESS)
         return i;
   s->uniforms = reralloc(s, s->uniforms, struct vivgpu_uniform, (s->num_uniforms + 1) * 4);
   memset(&s->uniforms[s->num_uniforms * 4], 0, 4 * sizeof(*s->uniforms));
   s->uniforms[s->num_uniforms * 4].kind = VIVGPU_UNIFORM_SCRATCH_ADDRESS;
   if (s->num_uniforms + 1 > s->compiler->core.max_uniforms[s->stage])
      vir_fail(s, "no uniform left for the scratch buffer's address");
   return s->num_uniforms++;
}

static struct vir_src
immediate(uint32_t value)
{
   return (struct vir_src){
      .file = VIR_IMMEDIATE, .immediate = VIR_IMMEDIATE_UNSIGNED, .index = value};
}

static struct vir_instr *
scalar(struct vir_shader *s, enum isa_opc op, uint32_t dst, struct vir_src src0,
       struct vir_src src1, struct vir_src src2)
{
   struct vir_instr *instr = vir_instr_create(s, op, ISA_TYPE_U32, dst, 0x1);

   instr->src[0] = src0;
   instr->src[1] = src1;
   instr->src[2] = src2;
   return instr;
}

static uint32_t
scratch_reg(struct vir_shader *s)
{
   const uint32_t reg = vir_reg_create(s, 1);

   s->regs[reg].unspillable = true;
   return reg;
}

/*
 * At the program's start: where this invocation's part begins. How large a part
 * is gets known later: vir_spill() corrects the multiplication each time.
 */
static void
emit_scratch_slot(struct vir_shader *s)
{
   struct vir_block *first = list_first_entry(&s->blocks, struct vir_block, link);
   const uint32_t counter = scratch_reg(s), slot = scratch_reg(s), offset = scratch_reg(s);
   const struct vir_src none = {.file = VIR_NONE};
   struct vir_src address = scratch_address();
   struct vir_instr *made[4];

   address.index = address_uniform(s);
   s->scratch_base = scratch_reg(s);
   made[0] = scalar(s, ISA_OPC_ATOMIC_ADD, counter, address, immediate(0), immediate(1));
   made[1] = scalar(s, ISA_OPC_AND, slot, vir_reg_component(counter, 0),
                    immediate(s->compiler->core.scratch_slots - 1), none);
   made[2] = scalar(s, ISA_OPC_IMULLO0, offset, vir_reg_component(slot, 0), immediate(0), none);
   made[3] = scalar(s, ISA_OPC_ADD, s->scratch_base, vir_reg_component(offset, 0), address, none);
   for (int i = 3; i >= 0; i--) {
      made[i]->block = first;
      list_add(&made[i]->link, &first->instrs);
   }
   s->scratch_stride = made[2];
}

/* Bytes from the invocation's base to component c of the spilled register. */
static struct vir_src
offset_of(uint32_t offset, unsigned c)
{
   return immediate(VIVGPU_SCRATCH_HEADER + offset + 4 * c);
}

/* The register's components of mask are read: they come from memory, into a register of their own.
 */
static uint32_t
fill(struct vir_shader *s, struct vir_instr *where, uint32_t offset, unsigned components)
{
   const unsigned first = ffs(components) - 1;
   const unsigned mask = BITFIELD_MASK(util_last_bit(components)) & ~BITFIELD_MASK(first);
   const uint32_t reg = vir_reg_create(s, 4);
   struct vir_instr *load = vir_instr_create(s, ISA_OPC_LOAD, ISA_TYPE_U32, reg, mask);

   s->regs[reg].used = mask;
   s->regs[reg].contiguous = true;
   s->regs[reg].unspillable = true;
   load->src[0] = vir_reg_component(s->scratch_base, 0);
   load->src[1] = offset_of(offset, first);
   vir_insert_before(where, load);
   s->fills++;
   return reg;
}

/* Components of mask were written to reg after where: they go to memory, run by run. */
static void
store_runs(struct vir_shader *s, struct vir_instr *where, uint32_t offset, uint32_t reg,
           unsigned mask)
{
   while (mask) {
      int first, count;

      u_bit_scan_consecutive_range(&mask, &first, &count);
      struct vir_instr *store =
         vir_instr_create(s, ISA_OPC_STORE, ISA_TYPE_U32, VIR_NO_REG, BITFIELD_MASK(count));
      store->src[0] = vir_reg_component(s->scratch_base, 0);
      store->src[1] = offset_of(offset, first);
      store->src[2] = vir_reg(reg);
      for (int c = 0; c < 4; c++)
         store->src[2].swizzle[c] = MIN2(first + c, 3);
      vir_insert_after(where, store);
      s->spills++;
   }
}

static void
spill_sources(struct vir_shader *s, struct vir_instr *instr, uint32_t reg, uint32_t offset)
{
   unsigned components = 0;

   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == VIR_REG && instr->src[i].index == reg)
         components |= vir_components_read(instr, i);
   if (!components)
      return;

   const uint32_t copy = fill(s, instr, offset, components);
   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == VIR_REG && instr->src[i].index == reg)
         instr->src[i].index = copy;
}

static void
spill_result(struct vir_shader *s, struct vir_instr *instr, uint32_t reg, uint32_t offset)
{
   if (instr->dst != reg || instr->op == ISA_OPC_STORE)
      return;

   const uint32_t copy = vir_reg_create(s, 4);
   s->regs[copy].used = instr->mask;
   s->regs[copy].factors = s->regs[reg].factors;
   s->regs[copy].contiguous = s->regs[reg].contiguous;
   s->regs[copy].unspillable = true;
   instr->dst = copy;
   store_runs(s, instr, offset, copy, instr->mask);
}

void
vir_spill(struct vir_shader *s, uint32_t reg)
{
   const uint32_t offset = s->scratch_bytes;

   if (s->scratch_base == VIR_NO_REG)
      emit_scratch_slot(s);
   s->scratch_bytes += BYTES_OF_REG;
   s->scratch_stride->src[1] = immediate(s->scratch_bytes);
   vir_foreach_block(block, s) {
      vir_foreach_instr_safe(instr, block) {
         spill_sources(s, instr, reg, offset);
         spill_result(s, instr, reg, offset);
      }
   }
   s->regs[reg].used = 0;
}
