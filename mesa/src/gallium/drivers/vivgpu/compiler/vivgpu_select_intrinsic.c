/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction selection: intrinsics, inputs and outputs.
 */

#include "util/u_math.h"

#include "vivgpu_select.h"

static const uint8_t identity[4] = {0, 1, 2, 3};

/* Registers, uniforms, buffers */

static void
vivgpu_select_register(struct vir_select *sel, const nir_intrinsic_instr *decl)
{
   sel->reg_of_def[decl->def.index] = vir_reg_create(sel->ir, nir_intrinsic_num_components(decl));
   if (nir_intrinsic_num_array_elems(decl))
      vir_fail(sel->ir, "array of registers");
}

static void
vivgpu_select_store_reg(struct vir_select *sel, const nir_intrinsic_instr *store)
{
   vir_emit_mov(sel, vir_def(sel, store->src[1].ssa), nir_intrinsic_write_mask(store),
                vir_resolve(sel, store->src[0].ssa, identity, VIR_FOLD_MODIFIERS));
}

/*
 * A uniform whose number is computed: MOVAI or MOVAR writes the index to a0, and the MOV after it,
 * its only reader, copies the uniform. All passes keep the two together.
 */
static void
vivgpu_select_indirect_uniform(struct vir_select *sel, const nir_intrinsic_instr *load)
{
   const struct vir_src index =
      vir_replicate(vir_resolve(sel, load->src[0].ssa, identity, VIR_KEEP_MODIFIERS), 0);
   struct vir_instr *address = vir_emit(sel, sel->core->integers ? ISA_OPC_MOVAI : ISA_OPC_MOVAR,
                                        sel->core->integers ? ISA_TYPE_S32 : ISA_TYPE_F32,
                                        VIR_NO_REG, 0x1, index, VIR_NO_SRC, VIR_NO_SRC);
   address->writes_address = true;

   struct vir_src src = {
      .file = VIR_USER,
      .index = nir_intrinsic_base(load),
      .indirect = true,
      .range = MAX2(nir_intrinsic_range(load), 1),
      .swizzle = {0, 1, 2, 3},
   };
   vir_emit_mov(sel, vir_def(sel, &load->def), BITFIELD_MASK(load->def.num_components), src);
}

static void
vivgpu_select_load_ubo(struct vir_select *sel, const nir_intrinsic_instr *load)
{
   if (!nir_src_is_const(load->src[0])) {
      vir_fail(sel->ir, "computed number of a uniform buffer");
      return;
   }

   const unsigned components = load->def.num_components;
   const uint32_t dst = vir_def(sel, &load->def);
   struct vir_src address = {
      .file = VIR_POOL,
      .pool[0] = {.kind = VIVGPU_UNIFORM_UBO_ADDRESS, .value = nir_src_as_uint(load->src[0])},
   };
   const struct vir_src offset =
      vir_replicate(vir_resolve(sel, load->src[1].ssa, identity, VIR_KEEP_MODIFIERS), 0);

   sel->ir->regs[dst].contiguous = true;
   vir_emit(sel, ISA_OPC_LOAD, ISA_TYPE_U32, dst, BITFIELD_MASK(components), offset, address,
            VIR_NO_SRC);
}

/* The core's face register is 1.0 for clockwise polygons; front_ccw inverts the comparison. */
static void
vivgpu_select_front_face(struct vir_select *sel, const nir_intrinsic_instr *load)
{
   const struct vir_src face = {.file = VIR_FACE};
   const uint32_t dst = vir_def(sel, &load->def);
   struct vir_instr *instr;

   if (sel->core->integers)
      instr = vir_emit(sel, ISA_OPC_CMP, ISA_TYPE_U32, dst, 0x1, face, vir_constant(0),
                       vir_constant(~0u));
   else
      instr = vir_emit(sel, ISA_OPC_SET, ISA_TYPE_F32, dst, 0x1, face, vir_constant(0), VIR_NO_SRC);
   instr->cond = sel->key->front_ccw ? ISA_COND_EQ : ISA_COND_NE;
}

/* DSX and DSY read the value in two sources. */
static void
vivgpu_select_derivative(struct vir_select *sel, const nir_intrinsic_instr *intrin, enum isa_opc op)
{
   const struct vir_src src = vir_resolve(sel, intrin->src[0].ssa, identity, VIR_FOLD_MODIFIERS);

   vir_emit(sel, op, ISA_TYPE_F32, vir_def(sel, &intrin->def),
            BITFIELD_MASK(intrin->def.num_components), src, src, VIR_NO_SRC);
}

static void
vivgpu_select_kill(struct vir_select *sel, const nir_intrinsic_instr *intrin, bool conditional)
{
   struct vir_instr *kill = vir_emit(sel, ISA_OPC_TEXKILL, ISA_TYPE_F32, VIR_NO_REG, 0, VIR_NO_SRC,
                                     VIR_NO_SRC, VIR_NO_SRC);

   sel->ir->out->uses_kill = true;
   if (!conditional)
      return;

   const struct vir_test test = vir_test_of(sel, intrin->src[0].ssa, 0);
   kill->cond = test.cond;
   kill->type = test.type;
   kill->src[0] = test.src[0];
   kill->src[1] = test.src[1];
}

/* Outputs */

/* The register of an output; created at the first call. */
static uint32_t
vivgpu_select_output_reg(struct vir_select *sel, unsigned slot)
{
   uint32_t *reg = &sel->output[slot];

   if (*reg == VIR_NO_REG) {
      *reg = vir_reg_create(sel->ir, 4);
      sel->ir->regs[*reg].start = true;
      sel->ir->regs[*reg].live_out = true;
      sel->ir->regs[*reg].used = 0; /* vivgpu_select_store() adds the components that are written */
   }
   return *reg;
}

static void
vivgpu_select_store(struct vir_select *sel, uint32_t reg, unsigned mask, struct vir_src src)
{
   sel->ir->regs[reg].used |= mask;
   vir_emit_mov(sel, reg, mask, src);
}

/* The core reads the fragment's depth from z of temporary 0 when the program ends. */
static void
vivgpu_select_store_depth(struct vir_select *sel, struct vir_src src)
{
   sel->ir->out->writes_depth = true;
   vir_emit_mov(sel, sel->frag_position, 0x4, vir_replicate(src, 0));
}

static void
vivgpu_select_store_output(struct vir_select *sel, const nir_intrinsic_instr *intrin)
{
   const unsigned slot = nir_intrinsic_io_semantics(intrin).location;
   const unsigned first = nir_intrinsic_component(intrin);
   unsigned mask = nir_intrinsic_write_mask(intrin) << first;
   struct vir_src src = vir_resolve(sel, intrin->src[0].ssa, identity, VIR_FOLD_MODIFIERS);
   const bool is_fragment = sel->ir->stage == MESA_SHADER_FRAGMENT;

   /* The value's first component is component first of the output. */
   for (int c = 3; c >= 0; c--)
      src.swizzle[c] = src.swizzle[MAX2(c - (int)first, 0)];

   if (!is_fragment) {
      vivgpu_select_store(sel, vivgpu_select_output_reg(sel, slot), mask, src);
      return;
   }
   if (slot == FRAG_RESULT_DEPTH) {
      vivgpu_select_store_depth(sel, src);
      return;
   }
   if (slot < FRAG_RESULT_DATA0 || slot >= FRAG_RESULT_DATA0 + VIVGPU_MAX_COLOR_OUTPUTS ||
       nir_intrinsic_io_semantics(intrin).dual_source_blend_index) {
      vir_fail(sel->ir, "fragment result %u", slot);
      return;
   }
   if (sel->key->frag_rb_swap & BITFIELD_BIT(slot - FRAG_RESULT_DATA0)) {
      src = vir_swizzle(src, (uint8_t[4]){2, 1, 0, 3});
      mask = (mask & 0xa) | (mask & 0x1) << 2 | (mask & 0x4) >> 2;
   }
   vivgpu_select_store(sel, vivgpu_select_output_reg(sel, slot), mask, src);
}

void
vir_select_intrinsic(struct vir_select *sel, nir_intrinsic_instr *intrin)
{
   switch (intrin->intrinsic) {
   case nir_intrinsic_decl_reg:
      vivgpu_select_register(sel, intrin);
      break;
   case nir_intrinsic_load_reg:
      vir_emit_mov(sel, vir_def(sel, &intrin->def), BITFIELD_MASK(intrin->def.num_components),
                   vir_reg(vir_def(sel, intrin->src[0].ssa)));
      break;
   case nir_intrinsic_store_reg:
      vivgpu_select_store_reg(sel, intrin);
      break;
   case nir_intrinsic_load_uniform:
      if (!nir_src_is_const(intrin->src[0]))
         vivgpu_select_indirect_uniform(sel, intrin);
      break;
   case nir_intrinsic_load_ubo:
      vivgpu_select_load_ubo(sel, intrin);
      break;
   case nir_intrinsic_load_front_face:
      vivgpu_select_front_face(sel, intrin);
      break;
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddx_coarse:
   case nir_intrinsic_ddx_fine:
      vivgpu_select_derivative(sel, intrin, ISA_OPC_DSX);
      break;
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddy_coarse:
   case nir_intrinsic_ddy_fine:
      vivgpu_select_derivative(sel, intrin, ISA_OPC_DSY);
      break;
   case nir_intrinsic_terminate:
   case nir_intrinsic_demote:
      vivgpu_select_kill(sel, intrin, false);
      break;
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if:
      vivgpu_select_kill(sel, intrin, true);
      break;
   case nir_intrinsic_store_output:
      vivgpu_select_store_output(sel, intrin);
      break;
   case nir_intrinsic_load_input: /* no instruction: vivgpu_select_intrinsic_source() */
   case nir_intrinsic_load_frag_coord:
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_vertex_id_zero_base:
   case nir_intrinsic_load_instance_id:
   case nir_intrinsic_load_texture_scale:
   case nir_intrinsic_load_texture_size_etna:
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_load_user_clip_plane:
      break;
   default:
      vir_fail(sel->ir, "intrinsic %s", nir_intrinsic_infos[intrin->intrinsic].name);
      break;
   }
}

/* Inputs: those that the shader reads get registers */

struct input_use {
   uint8_t components[VARYING_SLOT_MAX]; /* by attribute or varying: 1 + last component read */
   bool vertex_id, frag_coord;           /* the shader reads them */
   bool depth;                           /* the shader writes it */
};

static void
vivgpu_select_record_use(struct vir_select *sel, const nir_intrinsic_instr *intrin,
                         struct input_use *use)
{
   unsigned slot;

   switch (intrin->intrinsic) {
   case nir_intrinsic_load_input:
      slot = sel->ir->stage == MESA_SHADER_VERTEX ? nir_intrinsic_base(intrin)
                                                  : nir_intrinsic_io_semantics(intrin).location;
      if (!nir_src_is_const(intrin->src[0]) || slot >= VARYING_SLOT_MAX)
         vir_fail(sel->ir, "computed number of an input");
      else
         use->components[slot] = MAX2(use->components[slot],
                                      nir_intrinsic_component(intrin) + intrin->def.num_components);
      break;
   case nir_intrinsic_load_frag_coord:
      use->frag_coord = true;
      break;
   case nir_intrinsic_store_output:
      if (nir_intrinsic_io_semantics(intrin).location == FRAG_RESULT_DEPTH)
         use->depth = true;
      break;
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_vertex_id_zero_base:
   case nir_intrinsic_load_instance_id:
      use->vertex_id = true;
      break;
   default:
      break;
   }
}

static void
vivgpu_select_gather_uses(struct vir_select *sel, struct input_use *use)
{
   nir_foreach_block(block, nir_shader_get_entrypoint((nir_shader *)sel->nir))
      nir_foreach_instr(instr, block)
         if (instr->type == nir_instr_type_intrinsic)
            vivgpu_select_record_use(sel, nir_instr_as_intrinsic(instr), use);
}

/* Creates the register of an input: the core writes temporary temp before the program starts. */
static uint32_t
vivgpu_select_input_reg(struct vir_select *sel, unsigned components, unsigned temp)
{
   const uint32_t reg = vir_reg_create(sel->ir, components);

   sel->ir->regs[reg].fixed = temp;
   sel->ir->regs[reg].live_in = true;
   return reg;
}

static void
vivgpu_select_attribute_locations(struct vir_select *sel)
{
   nir_foreach_block(block, nir_shader_get_entrypoint((nir_shader *)sel->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->type != nir_instr_type_intrinsic)
            continue;
         const nir_intrinsic_instr *intrin = nir_instr_as_intrinsic(instr);
         if (intrin->intrinsic != nir_intrinsic_load_input)
            continue;
         sel->ir->out->inputs[nir_intrinsic_base(intrin)].location =
            nir_intrinsic_io_semantics(intrin).location;
      }
   }
}

static void
vivgpu_select_vertex_inputs(struct vir_select *sel, const struct input_use *use)
{
   struct vivgpu_shader *out = sel->ir->out;

   for (unsigned i = 0; i < VARYING_SLOT_MAX; i++) {
      if (!use->components[i])
         continue;
      if (i >= VIVGPU_MAX_ATTRIBUTES) {
         vir_fail(sel->ir, "attribute %u", i);
         return;
      }
      out->num_inputs = i + 1;
   }
   vivgpu_select_attribute_locations(sel);
   for (unsigned i = 0; i < out->num_inputs; i++) {
      out->inputs[i].reg = i;
      out->inputs[i].components = use->components[i];
      if (use->components[i])
         sel->input[i] = vivgpu_select_input_reg(sel, 4, i);
   }
   if (use->vertex_id) {
      out->vertex_id_reg = out->num_inputs;
      sel->vertex_id = vivgpu_select_input_reg(sel, 2, out->num_inputs);
   }
}

static void
vivgpu_select_fragment_inputs(struct vir_select *sel, const struct input_use *use)
{
   struct vivgpu_shader *out = sel->ir->out;

   sel->frag_position = sel->frag_coord = vivgpu_select_input_reg(sel, 4, 0);
   sel->ir->regs[sel->frag_position].live_out = true; /* the core reads the depth from it */
   out->uses_frag_coord = use->frag_coord;
   if (use->frag_coord &&
       use->depth) { /* vivgpu_select_store_depth() overwrites z of the position */
      sel->frag_coord = vir_reg_create(sel->ir, 4);
      vir_emit_mov(sel, sel->frag_coord, 0xf, vir_reg(sel->frag_position));
   }
   for (unsigned slot = 0; slot < VARYING_SLOT_MAX; slot++) {
      if (!use->components[slot])
         continue;
      if (out->num_inputs == VIVGPU_MAX_VARYINGS) {
         vir_fail(sel->ir, "more than %u varyings", VIVGPU_MAX_VARYINGS);
         return;
      }
      struct vivgpu_io *input = &out->inputs[out->num_inputs++];

      *input = (struct vivgpu_io){
         .location = slot,
         .reg = out->num_inputs,
         .components = use->components[slot],
         .interpolation = sel->io->interpolation[slot],
      };
      sel->input[slot] = vivgpu_select_input_reg(sel, 4, input->reg);
      out->uses_point_coord |= slot == VARYING_SLOT_PNTC;
   }
}

void
vir_select_inputs(struct vir_select *sel)
{
   struct input_use use = {0};

   vivgpu_select_gather_uses(sel, &use);
   if (sel->ir->stage == MESA_SHADER_VERTEX)
      vivgpu_select_vertex_inputs(sel, &use);
   else
      vivgpu_select_fragment_inputs(sel, &use);
}

void
vir_select_outputs(struct vir_select *sel)
{
   struct vivgpu_shader *out = sel->ir->out;

   for (unsigned slot = 0; slot < VARYING_SLOT_MAX; slot++) {
      const uint32_t reg = sel->output[slot];

      if (reg == VIR_NO_REG || sel->ir->stage == MESA_SHADER_FRAGMENT || slot == VARYING_SLOT_POS ||
          slot == VARYING_SLOT_PSIZ)
         continue;
      if (slot == VARYING_SLOT_EDGE || slot == VARYING_SLOT_CLIP_VERTEX) {
         sel->ir->regs[reg].live_out = false; /* not passed to the fragment shader */
         sel->ir->regs[reg].used = 0;
         continue;
      }
      if (out->num_outputs == VIVGPU_MAX_VARYINGS) {
         vir_fail(sel->ir, "more than %u outputs", VIVGPU_MAX_VARYINGS);
         return;
      }
      out->outputs[out->num_outputs++] = (struct vivgpu_io){
         .location = slot,
         .components = util_last_bit(sel->ir->regs[reg].used),
      };
   }
   sel->ir->output = ralloc_memdup(sel->ir, sel->output, sizeof(sel->output));
}
