/*
 * SPDX-License-Identifier: MIT
 *
 * Construction of the intermediate representation and properties of its instructions. The
 * functions are documented in vivgpu_ir.h.
 */

#include <stdarg.h>

#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_ir.h"

struct vir_shader *
vir_shader_create(const struct vivgpu_compiler *compiler, gl_shader_stage stage)
{
   struct vir_shader *s = rzalloc(NULL, struct vir_shader);

   s->compiler = compiler;
   s->stage = stage;
   s->scratch_base = VIR_NO_REG;
   list_inithead(&s->blocks);
   return s;
}

void
vir_fail(struct vir_shader *s, const char *format, ...)
{
   va_list args;

   if (s->error)
      return;
   va_start(args, format);
   s->error = ralloc_vasprintf(s, format, args);
   va_end(args);
}

uint32_t
vir_reg_create(struct vir_shader *s, unsigned components)
{
   if (s->num_regs == s->regs_capacity) {
      s->regs_capacity = MAX2(64, 2 * s->regs_capacity);
      s->regs = reralloc(s, s->regs, struct vir_reg, s->regs_capacity);
   }
   s->regs[s->num_regs] = (struct vir_reg){
      .fixed = -1,
      .used = BITFIELD_MASK(components),
   };
   return s->num_regs++;
}

struct vir_block *
vir_block_create(struct vir_shader *s)
{
   struct vir_block *block = rzalloc(s, struct vir_block);

   list_inithead(&block->instrs);
   block->index = s->num_blocks++;
   return block;
}

struct vir_instr *
vir_instr_create(struct vir_shader *s, enum isa_opc op, enum isa_type type, uint32_t dst,
                 uint8_t mask)
{
   struct vir_instr *instr = rzalloc(s, struct vir_instr);

   instr->op = op;
   instr->type = type;
   instr->dst = dst;
   instr->mask = mask;
   for (unsigned c = 0; c < 4; c++)
      instr->tex_swizzle[c] = c;
   vir_set_reads(instr);
   return instr;
}

void
vir_append(struct vir_block *block, struct vir_instr *instr)
{
   instr->block = block;
   list_addtail(&instr->link, &block->instrs);
}

void
vir_insert_before(struct vir_instr *where, struct vir_instr *instr)
{
   instr->block = where->block;
   list_addtail(&instr->link, &where->link);
}

void
vir_insert_after(struct vir_instr *where, struct vir_instr *instr)
{
   instr->block = where->block;
   list_add(&instr->link, &where->link);
}

void
vir_remove(struct vir_instr *instr)
{
   list_del(&instr->link);
}

void
vir_number(struct vir_shader *s)
{
   s->num_blocks = 0;
   s->num_instrs = 0;
   vir_foreach_block(block, s) {
      block->index = s->num_blocks++;
      vir_foreach_instr(instr, block)
         instr->ip = s->num_instrs++;
   }
}

struct vir_src
vir_reg(uint32_t index)
{
   return (struct vir_src){.file = VIR_REG, .index = index, .swizzle = {0, 1, 2, 3}};
}

struct vir_src
vir_reg_component(uint32_t index, unsigned component)
{
   return vir_replicate(vir_reg(index), component);
}

struct vir_src
vir_constant(uint32_t bits)
{
   return (struct vir_src){
      .file = VIR_POOL,
      .pool[0] = {.kind = VIVGPU_UNIFORM_CONSTANT, .value = bits},
   };
}

struct vir_src
vir_float(float value)
{
   return vir_constant(fui(value));
}

bool
vir_is_constant(const struct vir_src *src)
{
   for (unsigned c = 0; c < 4; c++)
      if (src->pool[c].kind != VIVGPU_UNIFORM_CONSTANT &&
          src->pool[c].kind != VIVGPU_UNIFORM_UNUSED)
         return false;
   return src->file == VIR_POOL;
}

struct vir_src
vir_swizzle(struct vir_src src, const uint8_t swizzle[4])
{
   const struct vir_src from = src;

   for (unsigned i = 0; i < 4; i++)
      src.swizzle[i] = from.swizzle[swizzle[i]];
   return src;
}

struct vir_src
vir_replicate(struct vir_src src, unsigned position)
{
   return vir_swizzle(src, (uint8_t[4]){position, position, position, position});
}

enum vir_shape
vir_shape(enum isa_opc op)
{
   switch (op) {
   case ISA_OPC_RCP:
   case ISA_OPC_RSQ:
   case ISA_OPC_SQRT:
   case ISA_OPC_EXP:
   case ISA_OPC_IMULLO0:
   case ISA_OPC_IMADLO0:
      return VIR_SCALAR;
   case ISA_OPC_SIN:
   case ISA_OPC_COS:
   case ISA_OPC_LOG:
   case ISA_OPC_DIV:
      return VIR_FACTORS;
   case ISA_OPC_DP2:
   case ISA_OPC_DP3:
   case ISA_OPC_DP4:
      return VIR_DOT;
   case ISA_OPC_TEXLD:
   case ISA_OPC_TEXLDB:
   case ISA_OPC_TEXLDL:
   case ISA_OPC_TEXLDD:
      return VIR_TEXTURE;
   case ISA_OPC_LOAD:
   case ISA_OPC_STORE:
   case ISA_OPC_ATOMIC_ADD:
      return VIR_MEMORY;
   case ISA_OPC_BRANCH:
   case ISA_OPC_BRANCH_UNARY:
   case ISA_OPC_BRANCH_BINARY:
   case ISA_OPC_TEXKILL:
      return VIR_CONTROL;
   default:
      return VIR_COMPONENTS;
   }
}

void
vir_set_reads(struct vir_instr *instr)
{
   unsigned positions = 0;

   switch (instr->op) {
   case ISA_OPC_DP2:
      positions = 0x3;
      break;
   case ISA_OPC_DP3:
      positions = 0x7;
      break;
   case ISA_OPC_DP4:
      positions = 0xf;
      break;
   default:
      positions = 0x1;
      break;
   }
   for (unsigned i = 0; i < VIR_SRCS; i++)
      instr->reads[i] = positions;
   if (instr->op == ISA_OPC_STORE)
      instr->reads[2] = instr->mask;
}

unsigned
vir_reads(const struct vir_instr *instr, unsigned i)
{
   if (instr->src[i].file == VIR_NONE)
      return 0;
   if (vir_shape(instr->op) == VIR_COMPONENTS)
      return instr->mask;
   return instr->reads[i];
}

unsigned
vir_components_read(const struct vir_instr *instr, unsigned i)
{
   unsigned components = 0;

   u_foreach_bit(position, vir_reads(instr, i))
      components |= BITFIELD_BIT(instr->src[i].swizzle[position]);
   return components;
}

bool
vir_is_branch(enum isa_opc op)
{
   return op == ISA_OPC_BRANCH || op == ISA_OPC_BRANCH_UNARY || op == ISA_OPC_BRANCH_BINARY;
}

bool
vir_has_effect(const struct vir_instr *instr)
{
   return vir_shape(instr->op) == VIR_CONTROL || instr->op == ISA_OPC_STORE ||
          instr->op == ISA_OPC_ATOMIC_ADD;
}

bool
vir_is_copy(const struct vir_instr *instr)
{
   const struct vir_src *src = &instr->src[0];

   return instr->op == ISA_OPC_MOV && !instr->sat && src->file == VIR_REG && !src->neg &&
          !src->abs && instr->dst != VIR_NO_REG;
}

bool
vir_supports_modifiers(const struct vir_instr *instr)
{
   const enum vir_shape shape = vir_shape(instr->op);

   return instr->type == ISA_TYPE_F32 && shape != VIR_TEXTURE && shape != VIR_MEMORY &&
          shape != VIR_CONTROL;
}

bool
vir_supports_saturate(const struct vir_instr *instr)
{
   switch (instr->op) {
   case ISA_OPC_ADD:
   case ISA_OPC_MUL:
   case ISA_OPC_MAD:
   case ISA_OPC_DP2:
   case ISA_OPC_DP3:
   case ISA_OPC_DP4:
   case ISA_OPC_MOV:
   case ISA_OPC_RCP:
   case ISA_OPC_RSQ:
   case ISA_OPC_SQRT:
   case ISA_OPC_EXP:
      return instr->type == ISA_TYPE_F32;
   default:
      return false;
   }
}

uint32_t
vir_instr_weight(const struct vir_instr *instr)
{
   uint32_t weight = 1;

   for (unsigned i = 0; i < MIN2(instr->block->loop_depth, 6); i++)
      weight *= 10;
   return weight;
}
