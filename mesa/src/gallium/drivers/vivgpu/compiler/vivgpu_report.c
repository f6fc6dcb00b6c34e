/*
 * SPDX-License-Identifier: MIT
 *
 * Text output: a shader's statistics in shader-db's format, and its disassembly.
 */

#include <stdio.h>
#include <stdlib.h>

#include "compiler/isaspec/isaspec.h"
#include "etnaviv/isa/etnaviv-isa.h"
#include "util/macros.h"
#include "util/u_debug.h"
#include "util/u_math.h"

#include "vivgpu_compiler.h"

static const char *
vivgpu_report_stage_name(gl_shader_stage stage)
{
   return stage == MESA_SHADER_VERTEX ? "VERT" : "FRAG";
}

void
vivgpu_shader_report(const struct vivgpu_shader *shader, struct util_debug_callback *debug)
{
   const struct vivgpu_shader_stats *stats = &shader->stats;

   util_debug_message(debug, SHADER_INFO,
                      "%s shader: %u instructions, %u temps, %u uniforms, %u constants, "
                      "%u immediates, %u textures, %u loads, %u branches, %u loops, "
                      "%u:%u spills:fills, %u cycles",
                      vivgpu_report_stage_name(shader->stage), stats->instructions, stats->temps,
                      stats->uniforms, stats->constants, stats->immediates, stats->textures,
                      stats->loads, stats->branches, stats->loops, stats->spills, stats->fills,
                      stats->cycles);
}

static void
vivgpu_report_print_uniforms(FILE *out, const struct vivgpu_shader *shader)
{
   static const char *const kinds[] = {
      [VIVGPU_UNIFORM_UNUSED] = "unused",
      [VIVGPU_UNIFORM_CONSTANT] = "constant",
      [VIVGPU_UNIFORM_USER] = "user",
      [VIVGPU_UNIFORM_UBO_ADDRESS] = "address of buffer",
      [VIVGPU_UNIFORM_TEXTURE_WIDTH] = "width of texture",
      [VIVGPU_UNIFORM_TEXTURE_HEIGHT] = "height of texture",
      [VIVGPU_UNIFORM_TEXTURE_DEPTH] = "depth of texture",
      [VIVGPU_UNIFORM_TEXTURE_SCALE_X] = "1/width of texture",
      [VIVGPU_UNIFORM_TEXTURE_SCALE_Y] = "1/height of texture",
      [VIVGPU_UNIFORM_CLIP_PLANE] = "clip plane",
      [VIVGPU_UNIFORM_SCRATCH_ADDRESS] = "scratch address",
      [VIVGPU_UNIFORM_BORDER_COLOR] = "border colour",
      [VIVGPU_UNIFORM_SAMPLER_LOD] = "level of detail",
   };

   for (uint32_t i = 0; i < shader->num_uniforms; i++) {
      const struct vivgpu_uniform *uniform = &shader->uniforms[i];

      if (uniform->kind == VIVGPU_UNIFORM_UNUSED)
         continue;
      fprintf(out, "u%u.%c: %s ", i / 4, "xyzw"[i % 4], kinds[uniform->kind]);
      if (uniform->kind == VIVGPU_UNIFORM_CONSTANT)
         fprintf(out, "0x%08x (%g)\n", uniform->value, uif(uniform->value));
      else
         fprintf(out, "%u\n", uniform->value);
   }
}

static void
vivgpu_report_print_io(FILE *out, const char *what, const struct vivgpu_io *io, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      fprintf(out, "%s: location %u, t%u, %u components\n", what, io[i].location, io[i].reg,
              io[i].components);
}

static void
vivgpu_report_print_outputs(FILE *out, const struct vivgpu_shader *shader)
{
   if (shader->stage == MESA_SHADER_VERTEX) {
      fprintf(out, "position: t%d\n", shader->position_reg);
      if (shader->point_size_reg != VIVGPU_NO_REG)
         fprintf(out, "point size: t%d\n", shader->point_size_reg);
      return;
   }
   for (unsigned i = 0; i < VIVGPU_MAX_COLOR_OUTPUTS; i++)
      if (shader->color_reg[i] != VIVGPU_NO_REG)
         fprintf(out, "colour %u: t%d\n", i, shader->color_reg[i]);
}

char *
vivgpu_shader_disassemble(const struct vivgpu_shader *shader)
{
   const struct isa_decode_options options = {.show_errors = true, .branch_labels = true};
   char *text = NULL;
   size_t size;
   FILE *out = open_memstream(&text, &size);

   if (!out)
      return NULL;
   fprintf(out, "%s shader: %u instructions, %u temps\n", vivgpu_report_stage_name(shader->stage),
           shader->num_instructions, shader->num_temps);
   vivgpu_report_print_io(out, "input", shader->inputs, shader->num_inputs);
   vivgpu_report_print_io(out, "output", shader->outputs, shader->num_outputs);
   vivgpu_report_print_outputs(out, shader);
   vivgpu_report_print_uniforms(out, shader);
   etnaviv_isa_disasm(shader->code,
                      shader->num_instructions * VIVGPU_INSTRUCTION_WORDS * sizeof(uint32_t), out,
                      &options);
   fclose(out);
   return text;
}
