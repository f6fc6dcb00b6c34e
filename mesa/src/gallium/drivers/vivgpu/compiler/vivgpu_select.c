/*
 * SPDX-License-Identifier: MIT
 *
 * Instruction selection: creates the basic blocks for NIR's control flow and calls the functions
 * that select ALU (vivgpu_select_alu.c), texture (vivgpu_select_tex.c) and intrinsic instructions
 * (vivgpu_select_intrinsic.c).
 */

#include "util/ralloc.h"

#include "vivgpu_select.h"

static void
vivgpu_select_start_block(struct vir_select *sel, struct vir_block *block)
{
   block->loop_depth = sel->loop_depth;
   list_addtail(&block->link, &sel->ir->blocks);
   sel->block = block;
}

static void
vivgpu_select_add_successor(struct vir_block *block, struct vir_block *successor)
{
   if (block->successors[0] == successor || block->successors[1] == successor)
      return;
   block->successors[block->successors[0] ? 1 : 0] = successor;
}

static void
vivgpu_select_jump(struct vir_select *sel, struct vir_block *target)
{
   struct vir_instr *branch = vir_emit(sel, ISA_OPC_BRANCH, ISA_TYPE_F32, VIR_NO_REG, 0, VIR_NO_SRC,
                                       VIR_NO_SRC, VIR_NO_SRC);

   branch->target = target;
   vivgpu_select_add_successor(sel->block, target);
}

/*
 * Emits a branch to target that is taken if the condition of nif is false. Where NaN forbids to
 * invert the comparison, its result is computed, and the branch is taken if that is 0.
 */
static void
vivgpu_select_jump_unless(struct vir_select *sel, const nir_if *nif, struct vir_block *target)
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
   vivgpu_select_add_successor(sel->block, target);
}

static void vivgpu_select_list(struct vir_select *sel, struct exec_list *list);

/* True if the list ends in a break or continue. */
static bool
vivgpu_select_ends_in_jump(const struct exec_list *list)
{
   const nir_cf_node *last = exec_node_data(nir_cf_node, exec_list_get_tail_const(list), node);

   return last->type == nir_cf_node_block &&
          nir_block_ends_in_jump(nir_cf_node_as_block((nir_cf_node *)last));
}

static void
vivgpu_select_if(struct vir_select *sel, nir_if *nif)
{
   const bool has_else = !nir_cf_list_is_empty_block(&nif->else_list);
   struct vir_block *then_start = vir_block_create(sel->ir);
   struct vir_block *else_start = vir_block_create(sel->ir);
   struct vir_block *end = has_else ? vir_block_create(sel->ir) : else_start;

   vivgpu_select_add_successor(sel->block, then_start);
   vivgpu_select_jump_unless(sel, nif, else_start);
   vivgpu_select_start_block(sel, then_start);
   vivgpu_select_list(sel, &nif->then_list);
   if (!vivgpu_select_ends_in_jump(&nif->then_list)) {
      if (has_else)
         vivgpu_select_jump(sel, end);
      else
         vivgpu_select_add_successor(sel->block, end);
   }
   vivgpu_select_start_block(sel, else_start);
   if (!has_else)
      return;
   vivgpu_select_list(sel, &nif->else_list);
   if (!vivgpu_select_ends_in_jump(&nif->else_list))
      vivgpu_select_add_successor(sel->block, end);
   vivgpu_select_start_block(sel, end);
}

static void
vivgpu_select_loop(struct vir_select *sel, nir_loop *loop)
{
   struct vir_block *outer_start = sel->loop_start, *outer_end = sel->loop_end;

   sel->loop_start = vir_block_create(sel->ir);
   sel->loop_end = vir_block_create(sel->ir);
   sel->ir->loops++;
   vivgpu_select_add_successor(sel->block, sel->loop_start);
   sel->loop_depth++;
   vivgpu_select_start_block(sel, sel->loop_start);
   vivgpu_select_list(sel, &loop->body);
   if (!vivgpu_select_ends_in_jump(&loop->body))
      vivgpu_select_jump(sel, sel->loop_start);
   sel->loop_depth--;
   vivgpu_select_start_block(sel, sel->loop_end);
   sel->loop_start = outer_start;
   sel->loop_end = outer_end;
}

static void
vivgpu_select_nir_jump(struct vir_select *sel, const nir_jump_instr *instr)
{
   switch (instr->type) {
   case nir_jump_break:
      vivgpu_select_jump(sel, sel->loop_end);
      break;
   case nir_jump_continue:
      vivgpu_select_jump(sel, sel->loop_start);
      break;
   default:
      vir_fail(sel->ir, "jump of type %u", instr->type);
      break;
   }
}

static void
vivgpu_select_instr(struct vir_select *sel, nir_instr *instr)
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
      vivgpu_select_nir_jump(sel, nir_instr_as_jump(instr));
      break;
   case nir_instr_type_load_const:
   case nir_instr_type_undef:
   case nir_instr_type_deref: /* unused: accesses of variables have been lowered */
      break;
   default:
      vir_fail(sel->ir, "NIR instruction of type %u", instr->type);
      break;
   }
}

static void
vivgpu_select_list(struct vir_select *sel, struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list) {
      switch (node->type) {
      case nir_cf_node_block:
         nir_foreach_instr(instr, nir_cf_node_as_block(node))
            vivgpu_select_instr(sel, instr);
         break;
      case nir_cf_node_if:
         vivgpu_select_if(sel, nir_cf_node_as_if(node));
         break;
      case nir_cf_node_loop:
         vivgpu_select_loop(sel, nir_cf_node_as_loop(node));
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
      .num_vectors = ir->dense ? VIR_MAX_VECTORS : 0,
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

   vivgpu_select_start_block(&sel, vir_block_create(ir));
   vir_select_inputs(&sel);
   vivgpu_select_list(&sel, &impl->body);
   vir_select_outputs(&sel);
   ralloc_free(sel.reg_of_def);
   ralloc_free(sel.is_folded);
   ralloc_free(sel.is_vector);
}
