/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction selection: blocks and control flow, and where sources come from.
 */

#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_select.h"

static const uint8_t identity[4] = {0, 1, 2, 3};

uint32_t
vir_def(struct vir_select *sel, const nir_def *def)
{
   uint32_t *reg = &sel->reg_of_def[def->index];

   if (*reg == VIR_NO_REG)
      *reg = vir_reg_create(sel->ir, def->num_components);
   return *reg;
}

struct vir_instr *
vir_emit(struct vir_select *sel, enum isa_opc op, enum isa_type type, uint32_t dst, uint8_t mask,
         struct vir_src src0, struct vir_src src1, struct vir_src src2)
{
   struct vir_instr *instr = vir_instr_create(sel->ir, op, type, dst, mask);

   instr->src[0] = src0;
   instr->src[1] = src1;
   instr->src[2] = src2;
   vir_append(sel->block, instr);
   return instr;
}

struct vir_instr *
vir_emit_mov(struct vir_select *sel, uint32_t dst, uint8_t mask, struct vir_src src)
{
   return vir_emit(sel, ISA_OPC_MOV, ISA_TYPE_F32, dst, mask, src, VIR_NO_SRC, VIR_NO_SRC);
}

struct vir_src
vir_in_register(struct vir_select *sel, struct vir_src src, unsigned positions)
{
   if (src.file == VIR_REG && !src.neg && !src.abs)
      return src;

   const uint32_t copy = vir_reg_create(sel->ir, util_last_bit(positions));
   vir_emit_mov(sel, copy, positions, src);
   return vir_reg(copy);
}

struct vivgpu_uniform
vir_uniform_component(const struct vir_src *src, unsigned position)
{
   const unsigned component = src->swizzle[position];

   if (src->file == VIR_POOL)
      return src->pool[component];
   return (struct vivgpu_uniform){
      .kind = VIVGPU_UNIFORM_USER,
      .value = src->index * 4 + component,
   };
}

/* Modifiers of a constant are done now. */
static struct vir_src
modify_constant(struct vir_src src)
{
   for (unsigned c = 0; c < 4; c++) {
      if (src.abs)
         src.pool[c].value &= ~(1u << 31);
      if (src.neg)
         src.pool[c].value ^= 1u << 31;
   }
   src.abs = src.neg = false;
   return src;
}

static struct vir_src
constant_source(const nir_load_const_instr *load)
{
   struct vir_src src = {.file = VIR_POOL};

   for (unsigned c = 0; c < load->def.num_components && c < 4; c++) {
      src.pool[c].kind = VIVGPU_UNIFORM_CONSTANT;
      src.pool[c].value = load->value[c].u32;
   }
   return src;
}

/* A sampler's number. Where integers became floats it may be one. */
static unsigned
sampler_number(nir_src src)
{
   const unsigned bits = nir_src_as_uint(src);

   return bits < VIVGPU_MAX_SAMPLERS ? bits : (unsigned)uif(bits);
}

static struct vir_src
pool_source(enum vivgpu_uniform_kind first, uint32_t value, bool same_kind, unsigned components)
{
   struct vir_src src = {.file = VIR_POOL};

   for (unsigned c = 0; c < components; c++) {
      src.pool[c].kind = same_kind ? first : first + c;
      src.pool[c].value = same_kind ? value + c : value;
   }
   return src;
}

/* The source of an intrinsic's result that needs no instruction; VIR_NONE for others. */
static struct vir_src
intrinsic_source(struct vir_select *sel, const nir_intrinsic_instr *intrin)
{
   switch (intrin->intrinsic) {
   case nir_intrinsic_load_uniform:
      if (!nir_src_is_const(intrin->src[0]))
         return VIR_NO_SRC;
      return (struct vir_src){.file = VIR_USER, .index = nir_intrinsic_base(intrin)};
   case nir_intrinsic_load_input: {
      const unsigned slot = sel->ir->stage == MESA_SHADER_VERTEX
                               ? nir_intrinsic_base(intrin)
                               : nir_intrinsic_io_semantics(intrin).location;
      struct vir_src src = vir_reg(sel->input[slot]);

      for (unsigned c = 0; c < 4; c++)
         src.swizzle[c] = MIN2(c + nir_intrinsic_component(intrin), 3);
      return src;
   }
   case nir_intrinsic_load_frag_coord:
      return vir_reg(sel->frag_coord);
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_vertex_id_zero_base:
      return vir_reg_component(sel->vertex_id, 0);
   case nir_intrinsic_load_instance_id:
      return vir_reg_component(sel->vertex_id, 1);
   case nir_intrinsic_load_texture_scale:
      return pool_source(VIVGPU_UNIFORM_TEXTURE_SCALE_X, sampler_number(intrin->src[0]), false, 2);
   case nir_intrinsic_load_texture_size_etna:
      return pool_source(VIVGPU_UNIFORM_TEXTURE_WIDTH, sampler_number(intrin->src[0]), false, 3);
   case nir_intrinsic_load_sampler_lod_parameters_pan:
      /* Three components are what its name says, four are a border's colour. */
      return pool_source(intrin->def.num_components == 4 ? VIVGPU_UNIFORM_BORDER_COLOR
                                                         : VIVGPU_UNIFORM_SAMPLER_LOD,
                         4 * sampler_number(intrin->src[0]), true, intrin->def.num_components);
   case nir_intrinsic_load_user_clip_plane:
      return pool_source(VIVGPU_UNIFORM_CLIP_PLANE, 4 * nir_intrinsic_ucp_id(intrin), true, 4);
   default:
      return VIR_NO_SRC;
   }
}

/* Where a component comes from if that is a uniform or a constant. */
static bool
uniform_component(struct vir_select *sel, const nir_alu_src *alu_src,
                  struct vivgpu_uniform *component)
{
   const struct vir_src src = vir_resolve_alu(sel, alu_src, VIR_FOLD_MODIFIERS);

   if ((src.file != VIR_POOL && src.file != VIR_USER) || src.neg || src.abs)
      return false;
   *component = vir_uniform_component(&src, 0);
   return true;
}

/* A vector of uniforms and constants only is a register of the pool, for a while. */
static struct vir_src
uniform_vector(struct vir_select *sel, const nir_alu_instr *vec)
{
   struct vir_src src = {.file = VIR_POOL, .swizzle = {0, 1, 2, 3}};

   if (sel->num_vectors == VIR_MAX_VECTORS)
      return VIR_NO_SRC;
   for (unsigned c = 0; c < vec->def.num_components; c++)
      if (!uniform_component(sel, &vec->src[c], &src.pool[c]))
         return VIR_NO_SRC;
   if (!sel->is_vector[vec->def.index])
      sel->num_vectors++;
   sel->is_vector[vec->def.index] = true;
   return src;
}

/* The source of a value that is no ALU operation to be looked through. */
static struct vir_src
plain_source(struct vir_select *sel, const nir_def *def)
{
   const nir_instr *parent = def->parent_instr;
   struct vir_src src = VIR_NO_SRC;

   if (parent->type == nir_instr_type_alu &&
       nir_op_is_vec(nir_instr_as_alu((nir_instr *)parent)->op))
      src = uniform_vector(sel, nir_instr_as_alu((nir_instr *)parent));

   if (parent->type == nir_instr_type_undef)
      return vir_constant(0);
   if (parent->type == nir_instr_type_load_const) {
      src = constant_source(nir_instr_as_load_const((nir_instr *)parent));
      memcpy(src.swizzle, identity, sizeof(identity));
   } else if (parent->type == nir_instr_type_intrinsic) {
      src = intrinsic_source(sel, nir_instr_as_intrinsic((nir_instr *)parent));
      if (src.file != VIR_NONE && src.file != VIR_REG)
         memcpy(src.swizzle, identity, sizeof(identity));
   }
   return src.file == VIR_NONE ? vir_reg(vir_def(sel, def)) : src;
}

/* Steps from a copy, negation or absolute value to what it is made from. */
static bool
look_through(const nir_def **def, uint8_t swizzle[4], bool *neg, bool *abs,
             enum vir_modifiers modifiers)
{
   if ((*def)->parent_instr->type != nir_instr_type_alu)
      return false;

   const nir_alu_instr *alu = nir_instr_as_alu((*def)->parent_instr);
   if (alu->op != nir_op_mov &&
       (modifiers == VIR_KEEP_MODIFIERS || (alu->op != nir_op_fneg && alu->op != nir_op_fabs)))
      return false;

   if (alu->op == nir_op_fneg)
      *neg ^= !*abs;
   else if (alu->op == nir_op_fabs)
      *abs = true;
   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = alu->src[0].swizzle[swizzle[i]];
   *def = alu->src[0].src.ssa;
   return true;
}

struct vir_src
vir_resolve(struct vir_select *sel, const nir_def *def, const uint8_t swizzle[4],
            enum vir_modifiers modifiers)
{
   uint8_t composed[4];
   bool neg = false, abs = false;

   memcpy(composed, swizzle, sizeof(composed));
   while (look_through(&def, composed, &neg, &abs, modifiers))
      ;

   struct vir_src src = vir_swizzle(plain_source(sel, def), composed);
   src.neg = neg;
   src.abs = abs;
   if ((neg || abs) && vir_is_constant(&src))
      src = modify_constant(src);
   return src;
}

struct vir_src
vir_resolve_alu(struct vir_select *sel, const nir_alu_src *src, enum vir_modifiers modifiers)
{
   return vir_resolve(sel, src->src.ssa, src->swizzle, modifiers);
}

/* Control flow */

static void
start_block(struct vir_select *sel, struct vir_block *block)
{
   block->loop_depth = sel->loop_depth;
   list_addtail(&block->link, &sel->ir->blocks);
   sel->block = block;
}

static void
add_successor(struct vir_block *block, struct vir_block *successor)
{
   if (block->successors[0] == successor || block->successors[1] == successor)
      return;
   block->successors[block->successors[0] ? 1 : 0] = successor;
}

static void
jump(struct vir_select *sel, struct vir_block *target)
{
   struct vir_instr *branch = vir_emit(sel, ISA_OPC_BRANCH, ISA_TYPE_F32, VIR_NO_REG, 0, VIR_NO_SRC,
                                       VIR_NO_SRC, VIR_NO_SRC);

   branch->target = target;
   add_successor(sel->block, target);
}

/* Goes to target unless the condition of nif is true. */
static void
jump_unless(struct vir_select *sel, const nir_if *nif, struct vir_block *target)
{
   struct vir_test test = vir_test_of(sel, nif->condition.ssa, 0);

   if (!vir_test_invert(&test)) {
      const uint8_t x[4] = {0};
      test = (struct vir_test){
         .cond = ISA_COND_NOT,
         .type = sel->core->integers ? ISA_TYPE_U32 : ISA_TYPE_F32,
         .src[0] = vir_resolve(sel, nif->condition.ssa, x, VIR_KEEP_MODIFIERS),
      };
   }

   const bool binary = test.src[1].file != VIR_NONE;
   struct vir_instr *branch =
      vir_emit(sel, binary ? ISA_OPC_BRANCH_BINARY : ISA_OPC_BRANCH_UNARY, test.type, VIR_NO_REG, 0,
               test.src[0], test.src[1], VIR_NO_SRC);
   branch->cond = test.cond;
   branch->target = target;
   add_successor(sel->block, target);
}

static void select_list(struct vir_select *sel, struct exec_list *list);

/* Does the code that was just selected end in a jump? */
static bool
ends_in_jump(const struct exec_list *list)
{
   const nir_cf_node *last = exec_node_data(nir_cf_node, exec_list_get_tail_const(list), node);

   return last->type == nir_cf_node_block &&
          nir_block_ends_in_jump(nir_cf_node_as_block((nir_cf_node *)last));
}

static void
select_if(struct vir_select *sel, nir_if *nif)
{
   const bool has_else = !nir_cf_list_is_empty_block(&nif->else_list);
   struct vir_block *then_start = vir_block_create(sel->ir);
   struct vir_block *else_start = vir_block_create(sel->ir);
   struct vir_block *end = has_else ? vir_block_create(sel->ir) : else_start;

   add_successor(sel->block, then_start);
   jump_unless(sel, nif, else_start);
   start_block(sel, then_start);
   select_list(sel, &nif->then_list);
   if (!ends_in_jump(&nif->then_list)) {
      if (has_else)
         jump(sel, end);
      else
         add_successor(sel->block, end);
   }
   start_block(sel, else_start);
   if (!has_else)
      return;
   select_list(sel, &nif->else_list);
   if (!ends_in_jump(&nif->else_list))
      add_successor(sel->block, end);
   start_block(sel, end);
}

static void
select_loop(struct vir_select *sel, nir_loop *loop)
{
   struct vir_block *outer_start = sel->loop_start, *outer_end = sel->loop_end;

   sel->loop_start = vir_block_create(sel->ir);
   sel->loop_end = vir_block_create(sel->ir);
   sel->ir->loops++;
   add_successor(sel->block, sel->loop_start);
   sel->loop_depth++;
   start_block(sel, sel->loop_start);
   select_list(sel, &loop->body);
   if (!ends_in_jump(&loop->body))
      jump(sel, sel->loop_start);
   sel->loop_depth--;
   start_block(sel, sel->loop_end);
   sel->loop_start = outer_start;
   sel->loop_end = outer_end;
}

static void
select_jump(struct vir_select *sel, const nir_jump_instr *instr)
{
   switch (instr->type) {
   case nir_jump_break:
      jump(sel, sel->loop_end);
      break;
   case nir_jump_continue:
      jump(sel, sel->loop_start);
      break;
   default:
      vir_fail(sel->ir, "jump of type %u", instr->type);
      break;
   }
}

static void
select_instr(struct vir_select *sel, nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      vir_select_alu(sel, nir_instr_as_alu(instr));
      break;
   case nir_instr_type_tex:
      vir_select_tex(sel, nir_instr_as_tex(instr));
      break;
   case nir_instr_type_intrinsic:
      vir_select_intrinsic(sel, nir_instr_as_intrinsic(instr));
      break;
   case nir_instr_type_jump:
      select_jump(sel, nir_instr_as_jump(instr));
      break;
   case nir_instr_type_load_const:
   case nir_instr_type_undef:
   case nir_instr_type_deref: /* of variables that nobody loads any more */
      break;
   default:
      vir_fail(sel->ir, "NIR instruction of type %u", instr->type);
      break;
   }
}

static void
select_list(struct vir_select *sel, struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      switch (node->type) {
      case nir_cf_node_block:
         nir_foreach_instr(instr, nir_cf_node_as_block(node))
            select_instr(sel, instr);
         break;
      case nir_cf_node_if:
         select_if(sel, nir_cf_node_as_if(node));
         break;
      case nir_cf_node_loop:
         select_loop(sel, nir_cf_node_as_loop(node));
         break;
      default:
         vir_fail(sel->ir, "control flow of type %u", node->type);
         break;
      }
   }
}

void
vir_select(struct vir_shader *ir, nir_shader *s, const struct vivgpu_shader_key *key,
           const struct vivgpu_nir_io *io)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(s);
   struct vir_select sel = {
      .ir = ir,
      .nir = s,
      .core = &ir->compiler->core,
      .key = key,
      .io = io,
   };

   nir_index_ssa_defs(impl);
   sel.num_defs = impl->ssa_alloc;
   sel.reg_of_def = ralloc_array(ir, uint32_t, sel.num_defs);
   sel.is_folded = rzalloc_array(ir, bool, sel.num_defs);
   sel.is_vector = rzalloc_array(ir, bool, sel.num_defs);
   memset(sel.reg_of_def, 0xff, sel.num_defs * sizeof(*sel.reg_of_def));
   memset(sel.input, 0xff, sizeof(sel.input));
   memset(sel.output, 0xff, sizeof(sel.output));
   sel.vertex_id = VIR_NO_REG;

   start_block(&sel, vir_block_create(ir));
   vir_select_inputs(&sel);
   select_list(&sel, &impl->body);
   vir_select_outputs(&sel);
   ralloc_free(sel.reg_of_def);
   ralloc_free(sel.is_folded);
   ralloc_free(sel.is_vector);
}
