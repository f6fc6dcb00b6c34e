/* SPDX-License-Identifier: MIT */
/*
 * The vertex format of the draw module's vertices, and the passthrough shader that the core runs
 * for them.
 */

#include "draw/draw_context.h"
#include "tgsi/tgsi_from_mesa.h"
#include "tgsi/tgsi_ureg.h"
#include "util/bitscan.h"
#include "vivgpu_context.h"
#include "vivgpu_swtnl_private.h"

/* Inputs of fragment shaders that are not copied from the draw module's vertices as varyings */
#define NOT_VARYING                                                                                \
   (VARYING_BIT_POS | VARYING_BIT_FACE | VARYING_BIT_PNTC | VARYING_BIT_PSIZ |                     \
    BITFIELD64_BIT(VIVGPU_FACE_LOCATION) | BITFIELD64_BIT(VIVGPU_COVERAGE_LOCATION))

uint64_t
vivgpu_swtnl_varyings(uint64_t inputs)
{
   return inputs & ~(uint64_t)NOT_VARYING;
}

static void
vivgpu_swtnl_add_element(struct pipe_vertex_element *elements, unsigned *count, uint16_t *bytes,
                         enum pipe_format format, unsigned size)
{
   elements[*count] = (struct pipe_vertex_element){.src_format = format, .src_offset = *bytes};
   *bytes += size;
   ++*count;
}

unsigned
vivgpu_swtnl_elements(const struct vivgpu_swtnl_vertex_format *format,
                      struct pipe_vertex_element elements[64])
{
   unsigned vectors = 1 + util_bitcount64(format->varyings), count = 0;
   uint16_t bytes = 0;

   for (unsigned i = 0; i < vectors; i++)
      vivgpu_swtnl_add_element(elements, &count, &bytes, PIPE_FORMAT_R32G32B32A32_FLOAT, 16);
   for (int i = 0; i < format->face + format->point_size; i++)
      vivgpu_swtnl_add_element(elements, &count, &bytes, PIPE_FORMAT_R32_FLOAT, 4);
   if (format->coverage)
      vivgpu_swtnl_add_element(elements, &count, &bytes, PIPE_FORMAT_R32G32B32A32_FLOAT, 16);
   for (unsigned i = 0; i < count; i++)
      elements[i].src_stride = bytes;
   return count;
}

/*
 * Convert window coordinates and 1 / w back to clip coordinates, from which the core computes them
 * again. The scale is a power of two, so for w = 1 the result is exact. Returns w.
 */
static struct ureg_src
vivgpu_swtnl_position(struct ureg_program *ureg)
{
   struct ureg_src in = ureg_DECL_vs_input(ureg, 0);
   struct ureg_dst clip_pos = ureg_DECL_temporary(ureg), w = ureg_DECL_temporary(ureg);
   const float scale = 2.0f / VIVGPU_SWTNL_WINDOW;

   ureg_MAD(ureg, clip_pos, in, ureg_imm4f(ureg, scale, scale, 2, 0),
            ureg_imm4f(ureg, -1, -1, -1, 1));
   ureg_RCP(ureg, ureg_writemask(w, TGSI_WRITEMASK_X), ureg_scalar(in, TGSI_SWIZZLE_W));
   ureg_MUL(ureg, ureg_DECL_output(ureg, TGSI_SEMANTIC_POSITION, 0), ureg_src(clip_pos),
            ureg_scalar(ureg_src(w), TGSI_SWIZZLE_X));
   return ureg_scalar(ureg_src(w), TGSI_SWIZZLE_X);
}

/* Multiply by w, since the core interpolates with perspective: see enum vivgpu_coverage. */
static void
vivgpu_swtnl_pass_coverage(struct ureg_program *ureg, unsigned input, struct ureg_src w)
{
   unsigned name, index;

   tgsi_get_gl_varying_semantic(VIVGPU_COVERAGE_LOCATION, true, &name, &index);
   ureg_MUL(ureg, ureg_DECL_output(ureg, name, index), ureg_DECL_vs_input(ureg, input), w);
}

static void *
vivgpu_swtnl_build_passthrough(struct vivgpu_context *context,
                               const struct vivgpu_swtnl_vertex_format *format)
{
   struct ureg_program *ureg = ureg_create(PIPE_SHADER_VERTEX);
   unsigned name, index, input = 1;
   struct ureg_src w;

   if (!ureg)
      return NULL;
   w = vivgpu_swtnl_position(ureg);
   u_foreach_bit64 (slot, format->varyings) {
      tgsi_get_gl_varying_semantic(slot, true, &name, &index);
      ureg_MOV(ureg, ureg_DECL_output(ureg, name, index), ureg_DECL_vs_input(ureg, input++));
   }
   if (format->face) {
      tgsi_get_gl_varying_semantic(VIVGPU_FACE_LOCATION, true, &name, &index);
      ureg_MOV(ureg, ureg_DECL_output(ureg, name, index),
               ureg_scalar(ureg_DECL_vs_input(ureg, input++), TGSI_SWIZZLE_X));
   }
   if (format->point_size)
      ureg_MOV(ureg,
               ureg_writemask(ureg_DECL_output(ureg, TGSI_SEMANTIC_PSIZE, 0), TGSI_WRITEMASK_X),
               ureg_scalar(ureg_DECL_vs_input(ureg, input++), TGSI_SWIZZLE_X));
   if (format->coverage)
      vivgpu_swtnl_pass_coverage(ureg, input++, w);
   ureg_END(ureg);
   return ureg_create_shader_and_destroy(ureg, &context->base);
}

bool
vivgpu_swtnl_shader_init(struct vivgpu_swtnl_shader *shader, struct vivgpu_context *context,
                         const struct vivgpu_swtnl_vertex_format *format)
{
   struct pipe_context *base = &context->base;
   struct pipe_vertex_element elements[64];
   unsigned count = vivgpu_swtnl_elements(format, elements);

   if (count > VIVGPU_MAX_ELEMENTS)
      return false;
   shader->format = *format;
   shader->elements = base->create_vertex_elements_state(base, count, elements);
   shader->shader = vivgpu_swtnl_build_passthrough(context, format);
   if (shader->shader && shader->elements)
      return true;
   vivgpu_swtnl_shader_fini(shader, context);
   return false;
}

void
vivgpu_swtnl_shader_fini(struct vivgpu_swtnl_shader *shader, struct vivgpu_context *context)
{
   struct pipe_context *base = &context->base;

   if (shader->shader)
      base->delete_vs_state(base, shader->shader);
   if (shader->elements)
      base->delete_vertex_elements_state(base, shader->elements);
   *shader = (struct vivgpu_swtnl_shader){0};
}

void
vivgpu_swtnl_link(const struct vivgpu_swtnl_vertex_format *format, const struct draw_context *draw,
                  struct vivgpu_swtnl_output *output)
{
   struct vertex_info *info = &output->info;
   const int clip_pos = draw_find_shader_output(draw, TGSI_SEMANTIC_POSITION, 0);
   unsigned name, index;

   output->format = *format;
   info->num_attribs = 0;
   draw_emit_vertex_attr(info, EMIT_4F, clip_pos);
   u_foreach_bit64 (slot, format->varyings) {
      tgsi_get_gl_varying_semantic(slot, true, &name, &index);
      draw_emit_vertex_attr(info, EMIT_4F, draw_find_shader_output(draw, name, index));
   }
   if (format->face)
      draw_emit_vertex_attr(info, EMIT_1F, draw_find_shader_output(draw, TGSI_SEMANTIC_FACE, 0));
   if (format->point_size)
      draw_emit_vertex_attr(info, EMIT_1F, draw_find_shader_output(draw, TGSI_SEMANTIC_PSIZE, 0));
   /* Reserve four floats, which vivgpu_swtnl_smooth.c fills in. */
   if (format->coverage)
      draw_emit_vertex_attr(info, EMIT_4F, clip_pos);
   draw_compute_vertex_size(info);
}
