/*
 * SPDX-License-Identifier: MIT
 *
 * Entry points of the compiler: creates compilers, runs all passes over a shader, and fills in
 * the struct vivgpu_shader that describes the result to the driver.
 */

#include <stdlib.h>
#include <string.h>

#include "util/ralloc.h"
#include "util/u_math.h"

#include "vivgpu_compiler_private.h"
#include "vivgpu_ir.h"

struct vivgpu_compiler *
vivgpu_compiler_create(const struct etna_core_info *info, unsigned threads)
{
   struct vivgpu_compiler *compiler = rzalloc(NULL, struct vivgpu_compiler);

   if (!compiler)
      return NULL;
   vivgpu_core_describe(&compiler->core, info);
   compiler->core.scratch_slots = vir_scratch_slots(threads);
   vivgpu_nir_options(&compiler->options, &compiler->core);
   if (!vir_allocator_setup(compiler)) {
      ralloc_free(compiler);
      return NULL;
   }
   return compiler;
}

void
vivgpu_compiler_destroy(struct vivgpu_compiler *compiler)
{
   if (!compiler)
      return;
   ralloc_free(compiler->regs);
   ralloc_free(compiler);
}

const nir_shader_compiler_options *
vivgpu_compiler_nir_options(const struct vivgpu_compiler *compiler)
{
   return &compiler->options;
}

unsigned
vivgpu_compiler_max_uniforms(const struct vivgpu_compiler *compiler, gl_shader_stage stage)
{
   return compiler->core.max_uniforms[stage];
}

unsigned
vivgpu_compiler_max_instructions(const struct vivgpu_compiler *compiler)
{
   return compiler->core.max_instructions;
}

/* Description of the result */

/* Temporary that holds an output at the program's end, or VIVGPU_NO_REG. */
static int8_t
vivgpu_compiler_output_temp(const struct vir_shader *ir, const struct vir_assignment *assignments,
                            unsigned slot)
{
   const uint32_t reg = ir->output[slot];

   return reg == VIR_NO_REG || !ir->regs[reg].used ? VIVGPU_NO_REG : assignments[reg].reg;
}

static void
vivgpu_compiler_describe_outputs(struct vivgpu_shader *shader, const struct vir_shader *ir,
                                 const struct vir_assignment *assignments)
{
   if (shader->stage == MESA_SHADER_FRAGMENT) {
      for (unsigned i = 0; i < VIVGPU_MAX_COLOR_OUTPUTS; i++)
         shader->color_reg[i] = vivgpu_compiler_output_temp(ir, assignments, FRAG_RESULT_DATA0 + i);
      return;
   }
   shader->position_reg = vivgpu_compiler_output_temp(ir, assignments, VARYING_SLOT_POS);
   shader->point_size_reg = vivgpu_compiler_output_temp(ir, assignments, VARYING_SLOT_PSIZ);
   for (unsigned i = 0; i < shader->num_outputs; i++)
      shader->outputs[i].reg =
         vivgpu_compiler_output_temp(ir, assignments, shader->outputs[i].location);
}

/* Number of temporaries, from 0 to the last one that the program or an input uses. */
static uint32_t
vivgpu_compiler_count_temps(const struct vivgpu_shader *shader, const struct vir_shader *ir,
                            const struct vir_assignment *assignments)
{
   uint32_t temps = shader->num_inputs + (shader->stage == MESA_SHADER_FRAGMENT);

   if (shader->vertex_id_reg != VIVGPU_NO_REG)
      temps = MAX2(temps, shader->vertex_id_reg + 1u);
   for (uint32_t i = 0; i < ir->num_regs; i++)
      if (ir->regs[i].used)
         temps = MAX2(temps, assignments[i].reg + 1u);
   return MAX2(temps, 1);
}

static void
vivgpu_compiler_count_instr(struct vivgpu_shader_stats *stats, const struct vir_instr *instr)
{
   stats->cycles += vir_instr_weight(instr);
   stats->textures += vir_shape(instr->op) == VIR_TEXTURE;
   stats->branches += vir_is_branch(instr->op);
   stats->loads += instr->op == ISA_OPC_LOAD;
   for (unsigned i = 0; i < VIR_SRCS; i++)
      stats->immediates += instr->src[i].file == VIR_IMMEDIATE;
}

/* Fills in the shader's statistics. Fills are LOADs too, so they are subtracted from the loads. */
static void
vivgpu_compiler_count(struct vivgpu_shader *shader, const struct vir_shader *ir)
{
   struct vivgpu_shader_stats *stats = &shader->stats;

   *stats = (struct vivgpu_shader_stats){
      .instructions = shader->num_instructions,
      .temps = shader->num_temps,
      .spills = ir->spills,
      .fills = ir->fills,
      .uniforms = ir->num_uniforms,
      .loops = ir->loops,
   };
   for (uint32_t i = 0; i < shader->num_uniforms; i++)
      stats->constants += shader->uniforms[i].kind == VIVGPU_UNIFORM_CONSTANT;
   vir_foreach_block(block, ir)
      vir_foreach_instr(instr, block)
         vivgpu_compiler_count_instr(stats, instr);
   stats->loads -= ir->fills;
}

static void *
vivgpu_compiler_copy(const void *from, size_t bytes)
{
   void *to = malloc(MAX2(bytes, 1));

   if (to && bytes)
      memcpy(to, from, bytes);
   return to;
}

/* Copies code, uniforms and descriptions to the shader; false if memory is short. */
static bool
vivgpu_compiler_finish(struct vivgpu_shader *shader, struct vir_shader *ir,
                       const struct vir_assignment *assignments, const uint32_t *code)
{
   shader->num_instructions = ir->num_instrs;
   shader->code =
      vivgpu_compiler_copy(code, ir->num_instrs * VIVGPU_INSTRUCTION_WORDS * sizeof(*code));
   shader->num_uniforms = ir->num_uniforms * 4;
   shader->uniforms =
      vivgpu_compiler_copy(ir->uniforms, shader->num_uniforms * sizeof(*ir->uniforms));
   if (ir->scratch_bytes)
      shader->scratch_bytes =
         VIVGPU_SCRATCH_HEADER + ir->scratch_bytes * ir->compiler->core.scratch_slots;
   if (!shader->code || !shader->uniforms)
      return false;
   vivgpu_compiler_describe_outputs(shader, ir, assignments);
   shader->num_temps = vivgpu_compiler_count_temps(shader, ir, assignments);
   vivgpu_compiler_count(shader, ir);
   return true;
}

/* Compilation */

static struct vivgpu_shader *
vivgpu_compiler_new_shader(gl_shader_stage stage)
{
   struct vivgpu_shader *shader = calloc(1, sizeof(*shader));

   if (!shader)
      return NULL;
   shader->stage = stage;
   shader->position_reg = shader->point_size_reg = shader->vertex_id_reg = VIVGPU_NO_REG;
   memset(shader->color_reg, VIVGPU_NO_REG, sizeof(shader->color_reg));
   return shader;
}

/* Runs the passes between selection and encoding; false after vir_fail(). */
static bool
vivgpu_compiler_run_passes(struct vir_shader *ir, struct vir_assignment **assignments)
{
   vir_opt_dce(ir);
   vir_legalize(ir);
   if (ir->error)
      return false;
   vir_coalesce(ir);
   vir_opt_dce(ir);
   vir_schedule(ir);
   return vir_allocate(ir, assignments) && !ir->error;
}

/*
 * The numbers of vertex and instance are an input after the attributes. Mesa binds vertex elements
 * for all attributes of nir, also for those that are not read any more.
 */
static void
vivgpu_compiler_check_inputs(struct vir_shader *ir, const nir_shader *nir,
                             const struct vivgpu_shader *shader)
{
   const unsigned attributes = MAX2(nir->num_inputs, shader->num_inputs);

   if (shader->vertex_id_reg != VIVGPU_NO_REG && attributes >= VIVGPU_MAX_ATTRIBUTES)
      vir_fail(ir, "%u attributes and the number of the vertex or instance", attributes);
}

/* Compiles nir, which is changed, to shader; false after vir_fail() or if memory is short. */
static bool
vivgpu_compiler_compile(const struct vivgpu_compiler *compiler, nir_shader *nir,
                        const struct vivgpu_shader_key *key, struct vir_shader *ir,
                        struct vivgpu_shader *shader)
{
   struct vivgpu_nir_io io;
   struct vir_assignment *assignments;

   vivgpu_nir_prepare(nir, &compiler->core, key, &io);
   ir->out = shader;
   vir_select(ir, nir, key, &io);
   if (ir->error)
      return false;
   ir->selected = true;
   vivgpu_compiler_check_inputs(ir, nir, shader);
   if (!vivgpu_compiler_run_passes(ir, &assignments))
      return false;

   const uint32_t *code = vir_pack(ir, assignments);
   if (ir->num_instrs > compiler->core.max_instructions) {
      vir_fail(ir, "%u instructions of %u", ir->num_instrs, compiler->core.max_instructions);
      return false;
   }
   return vivgpu_compiler_finish(shader, ir, assignments, code);
}

/*
 * One attempt to compile the shader. dense: use few uniform registers; set if the attempt failed
 * for want of them. Returns NULL on failure and fills in error.
 */
static struct vivgpu_shader *
vivgpu_compiler_attempt(const struct vivgpu_compiler *compiler, const nir_shader *nir,
                        const struct vivgpu_shader_key *key, bool *dense,
                        struct vivgpu_compile_error *error)
{
   struct vivgpu_shader *shader = vivgpu_compiler_new_shader(nir->info.stage);
   nir_shader *clone = nir_shader_clone(NULL, nir);
   struct vir_shader *ir = vir_shader_create(compiler, nir->info.stage);

   ir->dense = *dense;
   if (!shader || !vivgpu_compiler_compile(compiler, clone, key, ir, shader)) {
      error->reason = ir->error ? strdup(ir->error) : NULL;
      error->is_limit = ir->selected;
      vivgpu_shader_destroy(shader);
      shader = NULL;
   }
   *dense = ir->needs_dense;
   ralloc_free(ir);
   ralloc_free(clone);
   return shader;
}

struct vivgpu_shader *
vivgpu_compile(const struct vivgpu_compiler *compiler, const nir_shader *nir,
               const struct vivgpu_shader_key *key, struct vivgpu_compile_error *error)
{
   struct vivgpu_compile_error failure;
   bool dense = false;
   struct vivgpu_shader *shader = vivgpu_compiler_attempt(compiler, nir, key, &dense, &failure);

   if (!shader && dense) {
      free(failure.reason);
      shader = vivgpu_compiler_attempt(compiler, nir, key, &dense, &failure);
   }
   if (shader)
      return shader;
   if (error)
      *error = failure;
   else
      free(failure.reason);
   return NULL;
}

void
vivgpu_shader_destroy(struct vivgpu_shader *shader)
{
   if (!shader)
      return;
   free(shader->code);
   free(shader->uniforms);
   free(shader);
}
