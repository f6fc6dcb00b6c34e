/* SPDX-License-Identifier: MIT */
/* Limits and features. Incomplete features are not offered. */

#include "compiler/vivgpu_compiler.h"
#include "util/os_misc.h"
#include "util/u_math.h"
#include "util/u_screen.h"
#include "vivgpu_context.h"
#include "vivgpu_kernel.h"
#include "vivgpu_screen.h"

/* As etnaviv reports them */
#define MAX_CONTROL_FLOW_DEPTH 32
#define MAX_TEMPS              64

/*
 * OpenGL's minimum for uniform buffers; constants beyond the uniform registers are loaded from
 * memory by the compiled shader
 */
#define CONST_BUFFER_BYTES 16384

/*
 * On cores that cannot load constants from memory: uniform registers that applications do not get.
 * They are for constants of lowered operations, clip planes and borders.
 */
#define RESERVED_UNIFORMS 16

#define MAX_POINT_OR_LINE_SIZE 8192.0f

/* START of an element's configuration has 8 bits. */
#define MAX_ELEMENT_OFFSET 255

/* OpenGL's minimum. Strides beyond the core's limit are translated: vivgpu_translate.h */
#define MAX_ATTRIB_STRIDE 2048

/* Texture uploads may fill a 32nd of the memory before a flush, and at most so many bytes. */
#define UPLOAD_BUDGET_DIVISOR 32
#define MAX_UPLOAD_BUDGET     (64 << 20)

/* Bytes of uniform registers that an application can use for uniforms and constants. */
static unsigned
vivgpu_caps_uniform_bytes(const struct vivgpu_screen *screen, bool fragment)
{
   gl_shader_stage stage = fragment ? MESA_SHADER_FRAGMENT : MESA_SHADER_VERTEX;

   return (vivgpu_compiler_max_uniforms(screen->compiler, stage) - RESERVED_UNIFORMS) * 4 *
          sizeof(float);
}

static int
vivgpu_get_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type type,
                        enum pipe_shader_cap cap)
{
   const struct vivgpu_screen *screen = vivgpu_screen(pscreen);
   const struct vivgpu_generation *generation = &screen->generation;
   bool fragment = type == PIPE_SHADER_FRAGMENT;

   if (type != PIPE_SHADER_VERTEX && type != PIPE_SHADER_FRAGMENT)
      return 0;

   switch (cap) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return vivgpu_compiler_max_instructions(screen->compiler);
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return MAX_CONTROL_FLOW_DEPTH;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return fragment ? screen->base.caps.max_varyings : VIVGPU_MAX_ELEMENTS;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return VIVGPU_MAX_VARYINGS;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return MAX_TEMPS;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return generation->integers ? VIVGPU_MAX_CONST_BUFFERS : 1;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return generation->integers ? CONST_BUFFER_BYTES
                                  : vivgpu_caps_uniform_bytes(screen, fragment);
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
   case PIPE_SHADER_CAP_TGSI_SQRT_SUPPORTED:
      return 1;
   case PIPE_SHADER_CAP_INTEGERS:
      return generation->integers;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return fragment ? generation->samplers.vertex
                      : generation->samplers.count - generation->samplers.vertex;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_TGSI | 1 << PIPE_SHADER_IR_NIR;
   default:
      return 0;
   }
}

static void
vivgpu_caps_init_drawing(struct vivgpu_screen *screen, struct pipe_caps *caps)
{
   /*
    * Includes primitives that the core does not have (vivgpu_draw_fallback.h), and those of later
    * versions of OpenGL, which are never drawn: without them all draws would pass through u_vbuf.
    */
   caps->supported_prim_modes = caps->supported_prim_modes_with_restart =
      BITFIELD_MASK(MESA_PRIM_COUNT);
   caps->primitive_restart = caps->primitive_restart_fixed_index = screen->generation.instances;
   caps->quads_follow_provoking_vertex_convention = true;
   caps->vs_instanceid = caps->vertex_element_instance_divisor = screen->generation.instances;
   caps->max_vertex_buffers = MIN2(screen->info->gpu.stream_count, VIVGPU_MAX_STREAMS);
   caps->draw_vertex_state = true;
   caps->max_vertex_attrib_stride = MAX_ATTRIB_STRIDE;
   caps->max_vertex_element_src_offset = MAX_ELEMENT_OFFSET;
   /* The core needs aligned elements; vivgpu_translate.c copies others to aligned addresses. */
   caps->vertex_input_alignment = PIPE_VERTEX_INPUT_ALIGNMENT_NONE;
   caps->min_line_width = caps->min_line_width_aa = 1;
   caps->min_point_size = caps->min_point_size_aa = 1;
   caps->point_size_granularity = caps->line_width_granularity = 0.1;
   caps->max_line_width = caps->max_line_width_aa = MAX_POINT_OR_LINE_SIZE;
   caps->max_point_size = caps->max_point_size_aa = MAX_POINT_OR_LINE_SIZE;
   caps->occlusion_query = true;
   caps->conditional_render = caps->conditional_render_inverted = true;
   caps->frontend_noop = true;
}

static void
vivgpu_caps_init_shaders(struct vivgpu_screen *screen, struct pipe_caps *caps)
{
   /* One input of the fragment shader is kept for the point coordinates (vivgpu_link.c). */
   caps->max_varyings = MIN2(screen->info->gpu.max_varyings, VIVGPU_MAX_VARYINGS - 1);
   caps->fs_coord_origin_upper_left = true;
   caps->fs_coord_pixel_center_half_integer = true;
   caps->fs_position_is_sysval = true;
   caps->fs_face_is_integer_sysval = true;
   caps->fs_point_is_sysval = false;
   caps->fragment_shader_texture_lod = true;
   caps->fragment_shader_derivatives = true;
   caps->tgsi_texcoord = true;
   caps->vertex_color_unclamped = true;
   caps->two_sided_color = false;
   caps->constant_buffer_offset_alignment = 256;
   caps->max_constant_buffer_size = CONST_BUFFER_BYTES;
}

static void
vivgpu_caps_init_textures(struct vivgpu_screen *screen, struct pipe_caps *caps)
{
   unsigned max_size = vivgpu_has(screen, ETNA_FEATURE_TEXTURE_8K) &&
                            vivgpu_has(screen, ETNA_FEATURE_RENDERTARGET_8K)
                         ? 8192
                         : 2048;
   uint64_t memory;

   caps->max_texture_2d_size = max_size;
   caps->max_texture_array_layers = max_size;
   caps->max_texture_3d_levels = caps->max_texture_cube_levels = util_last_bit(max_size);
   caps->npot_textures = true;
   caps->anisotropic_filter = true;
   caps->texture_swizzle = true;
   /* The shader blends the border in after the swizzle. */
   caps->texture_border_color_quirk = PIPE_QUIRK_TEXTURE_BORDER_COLOR_SWIZZLE_NV50;
   caps->texture_shadow_map = true;
   caps->texture_half_float_linear = vivgpu_has(screen, ETNA_FEATURE_HALF_FLOAT);
   caps->seamless_cube_map_per_texture = vivgpu_has(screen, ETNA_FEATURE_SEAMLESS_CUBE_MAP);
   caps->texture_transfer_modes = 0;
   caps->min_texel_offset = -8;
   caps->max_texel_offset = 7;
   caps->max_texture_anisotropy = 16;
   caps->max_texture_lod_bias = util_last_bit(max_size);
   if (!os_get_total_physical_memory(&memory))
      memory = UINT64_C(4) << 30;
   caps->max_texture_upload_memory_budget = MIN2(memory / UPLOAD_BUDGET_DIVISOR, MAX_UPLOAD_BUDGET);
   /* In MiB, for GLX_MESA_query_renderer. The GPU uses the system's memory. */
   caps->video_memory = memory >> 20;
}

static void
vivgpu_caps_init_targets(struct vivgpu_screen *screen, struct pipe_caps *caps)
{
   caps->max_render_targets = screen->generation.split ? 1 : VIVGPU_MAX_TARGETS;
   caps->blend_equation_separate = true;
   caps->mixed_color_depth_bits = true;
   caps->mixed_framebuffer_sizes = true;
   caps->framebuffer_no_attachment = true;
   caps->texture_barrier = true;
}

/*
 * Priorities that the kernel gives to this process: none with etnaviv, which is the kernel driver
 * without stored prologues.
 */
static uint32_t
vivgpu_caps_priorities(const struct vivgpu_screen *screen)
{
   struct vivgpu_kernel *kernel = screen->kernel;
   const struct vivgpu_queue_config high = {.priority = DRM_VIVGPU_PRIORITY_HIGH};
   uint32_t queue;

   if (!kernel->has_prologue)
      return 0;
   if (kernel->queue_create(kernel, &high, &queue))
      return PIPE_CONTEXT_PRIORITY_LOW | PIPE_CONTEXT_PRIORITY_MEDIUM;
   kernel->queue_destroy(kernel, queue);
   return PIPE_CONTEXT_PRIORITY_LOW | PIPE_CONTEXT_PRIORITY_MEDIUM | PIPE_CONTEXT_PRIORITY_HIGH;
}

void
vivgpu_caps_init(struct vivgpu_screen *screen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&screen->base.caps;

   screen->base.get_shader_param = vivgpu_get_shader_param;
   u_init_pipe_screen_caps(&screen->base, 1);
   caps->graphics = true;
   caps->uma = true;
   caps->string_marker = true;
   caps->native_fence_fd = true;
   caps->device_reset_status_query = true;
   caps->performance_monitor = true;
   caps->context_priority_mask = vivgpu_caps_priorities(screen);
   caps->min_map_buffer_alignment = 4096;
   caps->max_stream_output_buffers = 0;
   caps->max_stream_output_separate_components = 0;
   caps->max_stream_output_interleaved_components = 0;
   vivgpu_caps_init_drawing(screen, caps);
   vivgpu_caps_init_shaders(screen, caps);
   vivgpu_caps_init_textures(screen, caps);
   vivgpu_caps_init_targets(screen, caps);
}
