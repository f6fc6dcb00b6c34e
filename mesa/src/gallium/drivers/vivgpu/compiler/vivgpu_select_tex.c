/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction selection: texture lookups.
 *
 * Before HALTI5, a bias or level of detail is the fourth coordinate, and the reference of a
 * shadow comparison is the third source. Sources have to be registers without modifiers.
 */

#include "util/u_math.h"

#include "vivgpu_select.h"

/* A source of tex, or VIR_NONE. */
static struct vir_src
vivgpu_select_tex_source(struct vir_select *sel, const nir_tex_instr *tex, nir_tex_src_type type,
                         unsigned *components)
{
   static const uint8_t identity[4] = {0, 1, 2, 3};
   const int index = nir_tex_instr_src_index(tex, type);

   *components = 0;
   if (index < 0)
      return VIR_NO_SRC;
   *components = nir_tex_instr_src_size(tex, index);
   return vir_resolve(sel, tex->src[index].src.ssa, identity, VIR_KEEP_MODIFIERS);
}

/* Copies coordinates to the first components and fourth to w of a new register. */
static struct vir_src
vivgpu_select_join(struct vir_select *sel, struct vir_src coord, unsigned components,
                   struct vir_src fourth)
{
   const uint32_t joined = vir_reg_create(sel->ir, 4);

   vir_emit_mov(sel, joined, BITFIELD_MASK(components), coord);
   vir_emit_mov(sel, joined, BITFIELD_BIT(3), vir_replicate(fourth, 0));
   return vir_reg(joined);
}

static bool
vivgpu_select_texture_opcode(nir_texop op, enum isa_opc *opcode)
{
   switch (op) {
   case nir_texop_tex:
      *opcode = ISA_OPC_TEXLD;
      return true;
   case nir_texop_txb:
      *opcode = ISA_OPC_TEXLDB;
      return true;
   case nir_texop_txl:
      *opcode = ISA_OPC_TEXLDL;
      return true;
   case nir_texop_txd:
      *opcode = ISA_OPC_TEXLDD;
      return true;
   default:
      return false;
   }
}

void
vir_select_tex(struct vir_select *sel, nir_tex_instr *tex)
{
   unsigned coord_size, fourth_size, gradient_size, reference_size;
   struct vir_src coord = vivgpu_select_tex_source(sel, tex, nir_tex_src_coord, &coord_size);
   struct vir_src fourth = vivgpu_select_tex_source(
      sel, tex, tex->op == nir_texop_txb ? nir_tex_src_bias : nir_tex_src_lod, &fourth_size);
   struct vir_src ddx = vivgpu_select_tex_source(sel, tex, nir_tex_src_ddx, &gradient_size);
   struct vir_src ddy = vivgpu_select_tex_source(sel, tex, nir_tex_src_ddy, &gradient_size);
   struct vir_src reference =
      vivgpu_select_tex_source(sel, tex, nir_tex_src_comparator, &reference_size);
   enum isa_opc op;

   if (!vivgpu_select_texture_opcode(tex->op, &op)) {
      vir_fail(sel->ir, "texture operation %u", tex->op);
      return;
   }
   if (tex->sampler_index >= VIVGPU_MAX_SAMPLERS ||
       nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) >= 0 ||
       nir_tex_instr_src_index(tex, nir_tex_src_offset) >= 0) {
      vir_fail(sel->ir, "texture lookup with a computed sampler or offset");
      return;
   }

   if (fourth.file != VIR_NONE && op != ISA_OPC_TEXLD && op != ISA_OPC_TEXLDD) {
      coord = vivgpu_select_join(sel, coord, coord_size, fourth);
      coord_size = 4;
   } else {
      coord = vir_in_register(sel, coord, BITFIELD_MASK(coord_size));
   }
   if (ddx.file != VIR_NONE) {
      ddx = vir_in_register(sel, ddx, BITFIELD_MASK(gradient_size));
      ddy = vir_in_register(sel, ddy, BITFIELD_MASK(gradient_size));
   }
   if (reference.file != VIR_NONE)
      reference = vir_replicate(vir_in_register(sel, reference, 0x1), 0);
   /*
    * etnaviv's encoder has TEXLDB and TEXLDL with one source or three. With a reference, which is
    * the third, the second repeats the bias or level.
    */
   if (reference.file != VIR_NONE && ddx.file == VIR_NONE && op != ISA_OPC_TEXLD) {
      ddx = vir_replicate(coord, 3);
      gradient_size = 1;
   }

   struct vir_instr *instr = vir_emit(sel, op, ISA_TYPE_F32, vir_def(sel, &tex->def),
                                      BITFIELD_MASK(tex->def.num_components), coord, ddx,
                                      reference.file != VIR_NONE ? reference : ddy);
   instr->reads[0] = BITFIELD_MASK(coord_size);
   instr->reads[1] = BITFIELD_MASK(gradient_size);
   instr->reads[2] = reference.file != VIR_NONE ? 0x1 : BITFIELD_MASK(gradient_size);
   instr->sampler = tex->sampler_index;
   sel->ir->out->samplers |= BITFIELD_BIT(tex->sampler_index);
   if (sel->ir->stage == MESA_SHADER_VERTEX)
      instr->sampler += sel->core->vertex_sampler_base;
}
