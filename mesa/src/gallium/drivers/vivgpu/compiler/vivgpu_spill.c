/*
 * SPDX-License-Identifier: MIT
 *
 * Spilling: registers for which no temporary is left are kept in memory. Each write is followed by
 * a STORE, each read preceded by a LOAD (a fill).
 *
 * DOC: Scratch memory
 *
 * Each stage has a scratch buffer. A shader cannot read the number of the thread that it runs
 * on, so each invocation increments an atomic counter in the buffer's header; the old value,
 * modulo the number of slots, is its slot.
 *
 * Two invocations in flight never share a slot if invocations of a stage enter and leave the core
 * in order, which is assumed because primitives are assembled and fragments are written in order;
 * it has not been verified on silicon. Let N be the number of invocations that all threads can run
 * at once. The oldest invocation in flight then entered less than N invocations before the newest.
 * They increment the counter with their first instructions, in an order that differs from that of
 * entering by less than N. Hence values of the counter in flight differ by less than 2 N, and there
 * are at least 2 N slots. All invocations in flight have slots of the same size: the driver waits
 * for the core to be idle before it changes a program that uses scratch memory.
 */

#include "util/u_math.h"

#include "vivgpu_ir.h"

/* Bytes of a slot for a spilled register: four components, used or not. */
#define BYTES_OF_REG 16u

/* Invocations that a thread runs together: a quad of fragments. */
#define INVOCATIONS_OF_THREAD 4u

/* Least number of threads to assume; the number is 0 if the kernel does not report it. */
#define MIN_THREADS 256u

unsigned
vir_scratch_slots(unsigned threads)
{
   return util_next_power_of_two(2 * INVOCATIONS_OF_THREAD * MAX2(threads, MIN_THREADS));
}

/* A source that reads x of a uniform register; the caller sets index to the register's number. */
static struct vir_src
vivgpu_spill_scratch_address(void)
{
   return (struct vir_src){.file = VIR_UNIFORM};
}

/* Returns the uniform register whose x is the buffer's address; adds it to the table once. */
static uint32_t
vivgpu_spill_address_uniform(struct vir_shader *s)
{
   for (uint32_t i = 0; i < s->num_uniforms; i++)
      if (s->uniforms[i * 4].kind == VIVGPU_UNIFORM_SCRATCH_ADDRESS)
         return i;
   s->uniforms = reralloc(s, s->uniforms, struct vivgpu_uniform, (s->num_uniforms + 1) * 4);
   memset(&s->uniforms[s->num_uniforms * 4], 0, 4 * sizeof(*s->uniforms));
   s->uniforms[s->num_uniforms * 4].kind = VIVGPU_UNIFORM_SCRATCH_ADDRESS;
   if (s->num_uniforms + 1 > s->compiler->core.max_uniforms[s->stage]) {
      vir_fail(s, "no uniform left for the scratch buffer's address");
      s->needs_dense = true;
   }
   return s->num_uniforms++;
}

static struct vir_src
vivgpu_spill_immediate(uint32_t value)
{
   return (struct vir_src){
      .file = VIR_IMMEDIATE, .immediate = VIR_IMMEDIATE_UNSIGNED, .index = value};
}

static struct vir_instr *
vivgpu_spill_scalar(struct vir_shader *s, enum isa_opc op, uint32_t dst, struct vir_src src0,
                    struct vir_src src1, struct vir_src src2)
{
   struct vir_instr *instr = vir_instr_create(s, op, ISA_TYPE_U32, dst, 0x1);

   instr->src[0] = src0;
   instr->src[1] = src1;
   instr->src[2] = src2;
   return instr;
}

static uint32_t
vivgpu_spill_scratch_reg(struct vir_shader *s)
{
   const uint32_t reg = vir_reg_create(s, 1);

   s->regs[reg].unspillable = true;
   return reg;
}

/*
 * Inserts code at the program's start that computes the address of the invocation's slot. The
 * slot's size is not final yet: each vir_spill() corrects the factor of the multiplication.
 */
static void
vivgpu_spill_emit_scratch_slot(struct vir_shader *s)
{
   struct vir_block *first = list_first_entry(&s->blocks, struct vir_block, link);
   const uint32_t counter = vivgpu_spill_scratch_reg(s), slot = vivgpu_spill_scratch_reg(s),
                  offset = vivgpu_spill_scratch_reg(s);
   const struct vir_src none = {.file = VIR_NONE};
   struct vir_src address = vivgpu_spill_scratch_address();
   struct vir_instr *made[4];

   address.index = vivgpu_spill_address_uniform(s);
   s->scratch_base = vivgpu_spill_scratch_reg(s);
   made[0] = vivgpu_spill_scalar(s, ISA_OPC_ATOMIC_ADD, counter, address, vivgpu_spill_immediate(0),
                                 vivgpu_spill_immediate(1));
   made[1] = vivgpu_spill_scalar(s, ISA_OPC_AND, slot, vir_reg_component(counter, 0),
                                 vivgpu_spill_immediate(s->compiler->core.scratch_slots - 1), none);
   made[2] = vivgpu_spill_scalar(s, ISA_OPC_IMULLO0, offset, vir_reg_component(slot, 0),
                                 vivgpu_spill_immediate(0), none);
   made[3] = vivgpu_spill_scalar(s, ISA_OPC_ADD, s->scratch_base, vir_reg_component(offset, 0),
                                 address, none);
   for (int i = 3; i >= 0; i--) {
      made[i]->block = first;
      list_add(&made[i]->link, &first->instrs);
   }
   s->scratch_stride = made[2];
}

/* Offset in bytes of component c of the spilled register from scratch_base. */
static struct vir_src
vivgpu_spill_offset_of(uint32_t offset, unsigned c)
{
   return vivgpu_spill_immediate(VIVGPU_SCRATCH_HEADER + offset + 4 * c);
}

/* Inserts a LOAD of components, and of those between them, to a new register before where. */
static uint32_t
vivgpu_spill_fill(struct vir_shader *s, struct vir_instr *where, uint32_t offset,
                  unsigned components)
{
   const unsigned first = ffs(components) - 1;
   const unsigned mask = BITFIELD_MASK(util_last_bit(components)) & ~BITFIELD_MASK(first);
   const uint32_t reg = vir_reg_create(s, 4);
   struct vir_instr *load = vir_instr_create(s, ISA_OPC_LOAD, ISA_TYPE_U32, reg, mask);

   s->regs[reg].used = mask;
   s->regs[reg].contiguous = true;
   s->regs[reg].unspillable = true;
   load->src[0] = vir_reg_component(s->scratch_base, 0);
   load->src[1] = vivgpu_spill_offset_of(offset, first);
   vir_insert_before(where, load);
   s->fills++;
   return reg;
}

/* Inserts a STORE after where for each contiguous range of components in mask. */
static void
vivgpu_spill_store_runs(struct vir_shader *s, struct vir_instr *where, uint32_t offset,
                        uint32_t reg, unsigned mask)
{
   while (mask) {
      int first, count;

      u_bit_scan_consecutive_range(&mask, &first, &count);
      struct vir_instr *store =
         vir_instr_create(s, ISA_OPC_STORE, ISA_TYPE_U32, VIR_NO_REG, BITFIELD_MASK(count));
      store->src[0] = vir_reg_component(s->scratch_base, 0);
      store->src[1] = vivgpu_spill_offset_of(offset, first);
      store->src[2] = vir_reg(reg);
      for (int c = 0; c < 4; c++)
         store->src[2].swizzle[c] = MIN2(first + c, 3);
      vir_insert_after(where, store);
      s->spills++;
   }
}

static void
vivgpu_spill_sources(struct vir_shader *s, struct vir_instr *instr, uint32_t reg, uint32_t offset)
{
   unsigned components = 0;

   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == VIR_REG && instr->src[i].index == reg)
         components |= vir_components_read(instr, i);
   if (!components)
      return;

   const uint32_t copy = vivgpu_spill_fill(s, instr, offset, components);
   for (unsigned i = 0; i < VIR_SRCS; i++)
      if (instr->src[i].file == VIR_REG && instr->src[i].index == reg)
         instr->src[i].index = copy;
}

static void
vivgpu_spill_result(struct vir_shader *s, struct vir_instr *instr, uint32_t reg, uint32_t offset)
{
   if (instr->dst != reg)
      return;

   const uint32_t copy = vir_reg_create(s, 4);
   s->regs[copy].used = instr->mask;
   s->regs[copy].factors = s->regs[reg].factors;
   s->regs[copy].contiguous = s->regs[reg].contiguous;
   s->regs[copy].unspillable = true;
   instr->dst = copy;
   vivgpu_spill_store_runs(s, instr, offset, copy, instr->mask);
}

void
vir_spill(struct vir_shader *s, uint32_t reg)
{
   const uint32_t offset = s->scratch_bytes;

   if (s->scratch_base == VIR_NO_REG)
      vivgpu_spill_emit_scratch_slot(s);
   s->scratch_bytes += BYTES_OF_REG;
   s->scratch_stride->src[1] = vivgpu_spill_immediate(s->scratch_bytes);
   vir_foreach_block(block, s) {
      vir_foreach_instr_safe(instr, block) {
         vivgpu_spill_sources(s, instr, reg, offset);
         vivgpu_spill_result(s, instr, reg, offset);
      }
   }
   s->regs[reg].used = 0;
}
