/* SPDX-License-Identifier: MIT */

#include "vivgpu_emit.h"

#include <string.h>

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_math.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_format.h"
#include "vivgpu_resource.h"
#include "vivgpu_shadow.h"

/* Values that Vivante's driver writes to these states; their fields are not documented. */
#define PA_W_CLIP_LIMIT_VALUE    0x34000001
#define PA_UNK00A80_VALUE        0x38a01404
#define RA_HDEPTH_CONTROL_VALUE  0x00007000
#define VS_HALTI1_UNK00884_VALUE 0x00000808
#define GL_BUG_FIXES_VALUE       0x6
#define MAX_VIEWPORT         8192.0f

#define NUM_TEXTURE_STATUS VIVS_TS_SAMPLER__LEN

/*
 * Functions for a new framebuffer or program are not inlined, so that the compiler inlines the
 * functions that most draws need into vivgpu_emit_state().
 */

static void
pack_zeros(struct vivgpu_pack *pack, uint32_t address, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      vivgpu_pack(pack, address + 4 * i, 0);
}

uint32_t
vivgpu_emit_prologue(const struct vivgpu_generation *generation,
                     uint32_t words[VIVGPU_MAX_PROLOGUE_WORDS])
{
   struct vivgpu_pack pack = vivgpu_pack_begin(words);

   vivgpu_pack(&pack, VIVS_GL_PIPE_SELECT, VIVS_GL_PIPE_SELECT_PIPE(PIPE_ID_PIPE_3D));
   vivgpu_pack(&pack, VIVS_GL_API_MODE, VIVS_GL_API_MODE_OPENGL);
   vivgpu_pack(&pack, VIVS_PA_W_CLIP_LIMIT, PA_W_CLIP_LIMIT_VALUE);
   vivgpu_pack(&pack, VIVS_PA_FLAGS, 0);
   vivgpu_pack(&pack, VIVS_PA_VIEWPORT_UNK00A80, PA_UNK00A80_VALUE);
   vivgpu_pack(&pack, VIVS_PA_VIEWPORT_UNK00A84, fui(MAX_VIEWPORT));
   vivgpu_pack(&pack, VIVS_PA_ZFARCLIPPING, 0);
   vivgpu_pack(&pack, VIVS_RA_HDEPTH_CONTROL, RA_HDEPTH_CONTROL_VALUE);
   if (generation->integers)
      vivgpu_pack(&pack, VIVS_VS_HALTI1_UNK00884, VS_HALTI1_UNK00884_VALUE);
   vivgpu_pack(&pack, VIVS_RA_UNK00E0C, 0);
   if (generation->fragment_uniforms) {
      vivgpu_pack(&pack, VIVS_VS_UNIFORM_BASE, 0);
      vivgpu_pack(&pack, VIVS_PS_UNIFORM_BASE, generation->fragment_uniforms);
   }
   if (generation->bug_fixes)
      vivgpu_pack(&pack, VIVS_GL_BUG_FIXES, GL_BUG_FIXES_VALUE);
   if (!generation->split)
      vivgpu_pack(&pack, VIVS_RS_SINGLE_BUFFER, VIVS_RS_SINGLE_BUFFER_ENABLE);

   /* Clear addresses and samplers of other queues: elements, streams, surfaces, tile status. */
   pack_zeros(&pack, VIVS_FE_VERTEX_ELEMENT_CONFIG(0), VIVGPU_MAX_ELEMENTS);
   pack_zeros(&pack, VIVS_FE_INDEX_STREAM_BASE_ADDR, 2);
   pack_zeros(&pack, generation->stream_address, generation->num_streams);
   pack_zeros(&pack, VIVS_PE_PIPE_COLOR_ADDR(0), VIVGPU_PIXEL_PIPES);
   pack_zeros(&pack, VIVS_PE_PIPE_DEPTH_ADDR(0), VIVGPU_PIXEL_PIPES);
   vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, 0);
   pack_zeros(&pack, VIVS_TS_SAMPLER_CONFIG(0), NUM_TEXTURE_STATUS);
   if (generation->halti2_textures)
      pack_zeros(&pack, VIVS_TS_RT_CONFIG(0), VIVS_TS_RT__LEN);
   pack_zeros(&pack, generation->samplers.config0, generation->samplers.count);
   return vivgpu_pack_end(&pack);
}

static void
emit_packed(struct vivgpu_context *context, const uint32_t *words, uint32_t count)
{
   memcpy(context->stream.words + context->stream.used, words, count * sizeof(*words));
   context->stream.used += count;
}

void
vivgpu_emit_pe_stall(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   if (!context->pe_stalled)
      vivgpu_pack_stall(pack, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
   context->pe_stalled = true;
}

void
vivgpu_emit_flush(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
   vivgpu_stream_end(&context->stream, &pack);
}

/* Was a texture that is bound written since the texture caches were emptied? */
static bool
textures_changed(const struct vivgpu_context *context)
{
   u_foreach_bit (i, context->active_samplers) {
      uint32_t seqno = vivgpu_shadow_sampled(vivgpu_resource(context->views[i]->texture))->seqno;

      if ((int32_t)(seqno - context->texture_cache_seqno) > 0)
         return true;
   }
   return false;
}

/* Flush and invalidate caches whose contents are stale: GL_FLUSH_CACHE. */
static void
emit_cache_flush(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   bool targets = context->dirty & VIVGPU_DIRTY_FRAMEBUFFER;
   bool textures = textures_changed(context);
   uint32_t which = 0;

   if (targets)
      which |= VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH;
   if (textures)
      which |= VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH | VIVS_GL_FLUSH_CACHE_TEXTURE;
   if (!which)
      return;

   vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, which);
   if (textures) {
      vivgpu_pack_end(&pack);
      vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
      context->texture_cache_seqno = p_atomic_read(&context->screen->write_seqno);
   }
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
   vivgpu_stream_end(&context->stream, &pack);
}

/* Address of a surface, or of the dummy buffer if unbound; pipe_offset() is added per pipe. */
static uint32_t
use_surface(struct vivgpu_context *context, struct pipe_surface *surface)
{
   if (!surface)
      return vivgpu_stream_use(&context->stream, context->dummy, 0, VIVGPU_READ | VIVGPU_WRITE);
   return vivgpu_stream_use(&context->stream, vivgpu_surface(surface)->render->bo,
                            vivgpu_surface(surface)->offset, VIVGPU_READ | VIVGPU_WRITE);
}

static uint32_t
pipe_offset(struct pipe_surface *surface, unsigned pipe)
{
   const struct vivgpu_layout *layout = surface ? &vivgpu_surface(surface)->render->layout : NULL;

   return layout && pipe ? layout->levels[surface->u.tex.level].pipe1_offset : 0;
}

/* Collect the bound render targets in order, without gaps. Returns their number. */
static unsigned
bound_targets(const struct pipe_framebuffer_state *fb, struct pipe_surface **surfaces)
{
   unsigned count = 0;

   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         surfaces[count++] = fb->cbufs[i];
   }
   return count;
}

/* Emit sample positions: all at the pixel's centre if the rasterizer's multisample is off. */
static ATTRIBUTE_NOINLINE void
emit_sample_positions(struct vivgpu_context *context)
{
   const struct vivgpu_framebuffer *fb = &context->packed_framebuffer;

   context->emitted_multisample = context->rasterizer->base.multisample;
   if (context->emitted_multisample)
      emit_packed(context, fb->sample_positions.words, fb->sample_positions.count);
   else
      emit_packed(context, fb->center_positions.words, fb->center_positions.count);
}

static ATTRIBUTE_NOINLINE void
emit_surfaces(struct vivgpu_context *context)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL}, *depth = context->framebuffer.zsbuf;
   unsigned count = bound_targets(&context->framebuffer, surfaces);

   emit_packed(context, context->packed_framebuffer.packed.words,
               context->packed_framebuffer.packed.count);
   if (context->packed_framebuffer.multisample)
      emit_sample_positions(context);

   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   for (unsigned i = 0; i < MAX2(count, 1); i++) {
      uint32_t address = use_surface(context, surfaces[i]);

      for (unsigned pipe = 0; pipe < VIVGPU_PIXEL_PIPES; pipe++)
         vivgpu_pack(&pack, i ? VIVS_PE_RT_ADDR_8_PIPE(i - 1, pipe) : VIVS_PE_PIPE_COLOR_ADDR(pipe),
                     address + pipe_offset(surfaces[i], pipe));
   }
   if (depth) {
      uint32_t address = use_surface(context, depth);

      for (unsigned pipe = 0; pipe < VIVGPU_PIXEL_PIPES; pipe++)
         vivgpu_pack(&pack, VIVS_PE_PIPE_DEPTH_ADDR(pipe), address + pipe_offset(depth, pipe));
   }
   vivgpu_stream_end(&context->stream, &pack);
}

static const struct vivgpu_tile_status *
status_of(struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status =
      surface && surface->u.tex.level == 0 ? &vivgpu_surface(surface)->render->status : NULL;

   return status && status->valid ? status : NULL;
}

/* A tag of a multisampled surface is for a larger tile: selected by the COMPRESSION bits. */
static bool
small_msaa(const struct pipe_surface *surface)
{
   return surface->texture->nr_samples > 1;
}

static uint32_t
color_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
             struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status = status_of(surface);

   if (!status)
      return 0;
   vivgpu_pack(pack, VIVS_TS_COLOR_STATUS_BASE,
               vivgpu_stream_use(&context->stream, status->bo, 0, VIVGPU_READ | VIVGPU_WRITE));
   vivgpu_pack(pack, VIVS_TS_COLOR_SURFACE_BASE,
               vivgpu_surface(surface)->render->bo->va + vivgpu_surface(surface)->offset);
   vivgpu_pack(pack, VIVS_TS_COLOR_CLEAR_VALUE, status->clear_value);
   vivgpu_pack(pack, VIVS_TS_COLOR_CLEAR_VALUE_EXT, status->clear_value >> 32);
   return VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR |
          (small_msaa(surface) ? VIVS_TS_MEM_CONFIG_COLOR_COMPRESSION : 0);
}

static uint32_t
depth_status(struct vivgpu_context *context, struct vivgpu_pack *pack,
             struct pipe_surface *surface)
{
   const struct vivgpu_tile_status *status = status_of(surface);

   if (!status)
      return 0;
   vivgpu_pack(pack, VIVS_TS_DEPTH_STATUS_BASE,
               vivgpu_stream_use(&context->stream, status->bo, 0, VIVGPU_READ | VIVGPU_WRITE));
   vivgpu_pack(pack, VIVS_TS_DEPTH_SURFACE_BASE,
               vivgpu_surface(surface)->render->bo->va + vivgpu_surface(surface)->offset);
   vivgpu_pack(pack, VIVS_TS_DEPTH_CLEAR_VALUE, status->clear_value);
   return VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR |
          (small_msaa(surface) ? VIVS_TS_MEM_CONFIG_DEPTH_COMPRESSION : 0);
}

/* The tile status cache is flushed before the addresses of tile status change. */
static void
emit_status(struct vivgpu_context *context)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   uint32_t config = context->packed_framebuffer.ts_mem_config;

   bound_targets(&context->framebuffer, surfaces);
   vivgpu_pack(&pack, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
   config |= color_status(context, &pack, surfaces[0]);
   config |= depth_status(context, &pack, context->framebuffer.zsbuf);
   vivgpu_pack(&pack, VIVS_TS_MEM_CONFIG, config);
   vivgpu_stream_end(&context->stream, &pack);
}

static void
emit_vertex_buffers(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   for (unsigned i = 0; i < context->elements->num_streams; i++) {
      const struct pipe_vertex_buffer *buffer = &context->vertex_buffers[i];
      uint32_t address;

      if (context->vertex_buffer_mask & 1u << i && buffer->buffer.resource)
         address = vivgpu_stream_use(&context->stream, vivgpu_resource(buffer->buffer.resource)->bo,
                                     buffer->buffer_offset, VIVGPU_READ);
      else
         address = vivgpu_stream_use(&context->stream, context->dummy, 0, VIVGPU_READ);
      vivgpu_pack(&pack, context->screen->generation.stream_address + 4 * i, address);
   }
   vivgpu_stream_end(&context->stream, &pack);
}

/* Framebuffer, viewport and scissor together. */
static void
emit_scissor(struct vivgpu_context *context)
{
   struct pipe_scissor_state box = context->viewport.box;
   uint32_t words[16];

   box.maxx = MIN2(box.maxx, context->framebuffer.width);
   box.maxy = MIN2(box.maxy, context->framebuffer.height);
   if (context->rasterizer->base.scissor) {
      box.minx = MAX2(box.minx, context->scissor.minx);
      box.miny = MAX2(box.miny, context->scissor.miny);
      box.maxx = MIN2(box.maxx, context->scissor.maxx);
      box.maxy = MIN2(box.maxy, context->scissor.maxy);
   }
   if (!memcmp(&box, &context->emitted_scissor, sizeof(box)))
      return;
   context->emitted_scissor = box;
   emit_packed(context, words, vivgpu_scissor_pack(&box, words));
}

static void
pack_rasterizer(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted;
   const struct vivgpu_rasterizer *rasterizer = context->rasterizer;
   const struct vivgpu_link *link = &context->program.current->link;

   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_PA_CONFIG,
                     rasterizer->pa_config & link->pa_config_mask);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_VS_OUTPUT_COUNT,
                     rasterizer->base.point_size_per_vertex ? link->vs_output_count_sized
                                                            : link->vs_output_count);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_DEPTH_BIAS,
                     fui(rasterizer->depth_bias * context->packed_framebuffer.depth_step));
}

static void
pack_depth(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted;
   const struct vivgpu_framebuffer *fb = &context->packed_framebuffer;
   const struct vivgpu_shader *fs = context->program.variants[VIVGPU_FS]->shader;
   uint32_t config, early;

   vivgpu_zsa_depth(context->zsa, fb->early_depth && context->screen->generation.early_depth,
                    fs->writes_depth, &config, &early);
   if (!context->framebuffer.zsbuf)
      config = VIVS_PE_DEPTH_CONFIG_DISABLE_ZS | VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC(PIPE_FUNC_ALWAYS);
   if (!context->framebuffer.zsbuf)
      early &= ~VIVS_RA_EARLY_DEPTH_TEST_ENABLE;
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_EARLY_DEPTH, early);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_DEPTH_CONFIG, config | fb->pe_depth_config);
}

static void
pack_stencil(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted;
   const struct vivgpu_zsa *zsa = context->zsa;
   enum vivgpu_faces faces = context->stencil_front_only                       ? VIVGPU_FRONT_BOTH
                             : context->rasterizer->base.front_ccw ? VIVGPU_FRONT_CCW
                                                                   : VIVGPU_FRONT_CW;
   uint32_t config, config_ext;

   vivgpu_zsa_references(zsa, &context->stencil_ref, faces, &config, &config_ext);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_STENCIL_OP, zsa->stencil_op[faces]);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_STENCIL_CONFIG,
                       zsa->stencil_config[faces] | config);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_ALPHA_OP, zsa->alpha_op);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_STENCIL_CONFIG_EXT,
                     zsa->stencil_config_ext | config_ext);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_STENCIL_CONFIG_EXT2,
                       zsa->stencil_config_ext2[faces]);
}

static void
pack_color(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted;
   const struct vivgpu_framebuffer *fb = &context->packed_framebuffer;
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   /* Without a target: no channel is written. */
   uint32_t format = VIVS_PE_COLOR_FORMAT_OVERWRITE;

   if (bound_targets(&context->framebuffer, surfaces)) {
      format = fb->pe_color_format | vivgpu_blend_channels(context->blend, surfaces[0]->format);
      /* The switch is for all targets, of which others may have channels that stay. */
      for (unsigned i = 1; i < fb->num_targets; i++)
         format &= vivgpu_blend_channels(context->blend, surfaces[i]->format) |
                   ~VIVS_PE_COLOR_FORMAT_OVERWRITE;
      if (fb->multisample)
         format &= ~VIVS_PE_COLOR_FORMAT_OVERWRITE;
   }
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_COLOR_FORMAT, format);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_LOGIC_OP,
                     context->blend->logic_op | fb->pe_logic_op);
}

static void
pack_blend_color(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   uint32_t words[3];

   bound_targets(&context->framebuffer, surfaces);
   vivgpu_blend_color(context->blend_color.color,
                      surfaces[0] && vivgpu_format_rb_swap(surfaces[0]->format), words);
   vivgpu_pack(pack, VIVS_PE_ALPHA_BLEND_COLOR, words[0]);
   vivgpu_pack(pack, VIVS_PE_ALPHA_COLOR_EXT0, words[1]);
   vivgpu_pack(pack, VIVS_PE_ALPHA_COLOR_EXT1, words[2]);
}

/* Emit registers whose fields come from several state objects. */
static void
emit_combined(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   uint32_t dirty = context->dirty;

   if (dirty & (VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_LINK | VIVGPU_DIRTY_FRAMEBUFFER))
      pack_rasterizer(context, &pack);
   if (dirty & (VIVGPU_DIRTY_ZSA | VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_FRAMEBUFFER))
      pack_depth(context, &pack);
   if (dirty & (VIVGPU_DIRTY_ZSA | VIVGPU_DIRTY_STENCIL_REF | VIVGPU_DIRTY_RASTERIZER))
      pack_stencil(context, &pack);
   if (dirty & (VIVGPU_DIRTY_BLEND | VIVGPU_DIRTY_FRAMEBUFFER))
      pack_color(context, &pack);
   if (dirty & (VIVGPU_DIRTY_BLEND_COLOR | VIVGPU_DIRTY_FRAMEBUFFER))
      pack_blend_color(context, &pack);
   vivgpu_stream_end(&context->stream, &pack);
}

/* Changing GL_MULTI_SAMPLE_CONFIG clobbers the fragment shader's counts: emit it first. */
static void
emit_samples(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_MULTI_SAMPLE_CONFIG,
               context->packed_framebuffer.gl_multi_sample_config |
                  VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(context->sample_mask));
   vivgpu_stream_end(&context->stream, &pack);
   context->emitted_link = NULL;
}

/* Both stages share a memory, the fragment shader's part of which is the second half. */
static void
load_code(struct vivgpu_pack *pack, const struct vivgpu_shader *vs, const struct vivgpu_shader *fs)
{
   const uint32_t first = VIVGPU_FIRST_FRAGMENT_INSTRUCTION;

   vivgpu_pack(pack, VIVS_VS_RANGE, (vs->num_instructions - 1) << 16);
   vivgpu_pack(pack, VIVS_PS_RANGE, (first + fs->num_instructions - 1) << 16 | first);
   vivgpu_pack_array(pack, VIVS_SH_INST_MEM(0), vs->code,
                     vs->num_instructions * VIVGPU_INSTRUCTION_WORDS);
   vivgpu_pack_array(pack, VIVS_SH_INST_MEM(first * VIVGPU_INSTRUCTION_WORDS), fs->code,
                     fs->num_instructions * VIVGPU_INSTRUCTION_WORDS);
}

/* Code is fetched through the instruction cache; instructions count from 0 in each stage. */
static ATTRIBUTE_NOINLINE void
emit_code(struct vivgpu_context *context)
{
   struct vivgpu_stream *stream = &context->stream;
   const struct vivgpu_variant *vs = context->program.variants[VIVGPU_VS];
   const struct vivgpu_variant *fs = context->program.variants[VIVGPU_FS];
   struct vivgpu_pack pack = vivgpu_stream_begin(stream);

   vivgpu_emit_pe_stall(context, &pack);
   if (context->screen->generation.loads_code) {
      load_code(&pack, vs->shader, fs->shader);
      vivgpu_stream_end(stream, &pack);
      return;
   }
   vivgpu_pack(&pack, VIVS_VS_RANGE, (vs->shader->num_instructions - 1) << 16);
   vivgpu_pack(&pack, VIVS_VS_ICACHE_CONTROL,
               VIVS_VS_ICACHE_CONTROL_ENABLE | VIVS_VS_ICACHE_CONTROL_FLUSH_VS);
   vivgpu_pack(&pack, VIVS_VS_INST_ADDR, vivgpu_stream_use(stream, vs->code, 0, VIVGPU_READ));
   vivgpu_pack(&pack, VIVS_PS_RANGE, (fs->shader->num_instructions - 1) << 16);
   vivgpu_pack(&pack, VIVS_VS_ICACHE_CONTROL,
               VIVS_VS_ICACHE_CONTROL_ENABLE | VIVS_VS_ICACHE_CONTROL_FLUSH_PS);
   vivgpu_pack(&pack, VIVS_PS_INST_ADDR, vivgpu_stream_use(stream, fs->code, 0, VIVGPU_READ));
   vivgpu_stream_end(stream, &pack);
}

/* Let a sampler read through the tile status of a texture that was rendered to. */
static bool
pack_texture_status(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned index,
                    const struct vivgpu_resource *texture)
{
   bool used = texture->status.valid && texture->status.pending;

   if (index >= NUM_TEXTURE_STATUS)
      return false;
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CONFIG(index), used ? VIVS_TS_SAMPLER_CONFIG_ENABLE : 0);
   if (!used)
      return false;
   vivgpu_pack(pack, VIVS_TS_SAMPLER_STATUS_BASE(index),
               vivgpu_stream_use(&context->stream, texture->status.bo, 0, VIVGPU_READ));
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CLEAR_VALUE(index), texture->status.clear_value);
   vivgpu_pack(pack, VIVS_TS_SAMPLER_CLEAR_VALUE2(index), texture->status.clear_value >> 32);
   return true;
}

/* Which samplers read through tile status. */
static uint32_t
pack_statuses(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   uint32_t used = 0;

   u_foreach_bit (i, samplers) {
      if (pack_texture_status(context, pack, i,
                              vivgpu_shadow_sampled(vivgpu_resource(context->views[i]->texture))))
         used |= 1u << i;
   }
   return used;
}

/* The core's number of a sampler. */
static unsigned
sampler_number(const struct vivgpu_sampler_states *states, unsigned index)
{
   return index < VIVGPU_VERTEX_SAMPLERS ? index : index - VIVGPU_VERTEX_SAMPLERS + states->vertex;
}

/* Levels of textures: each sampler has a row of addresses. */
static void
pack_levels(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;

   u_foreach_bit (i, samplers) {
      uint32_t first = states->address + sampler_number(states, i) * states->address_sampler;
      const struct vivgpu_resource *texture =
         vivgpu_shadow_sampled(vivgpu_resource(context->views[i]->texture));
      uint32_t address = vivgpu_stream_use(&context->stream, texture->bo, 0, VIVGPU_READ);

      for (unsigned level = 0; level <= texture->base.b.last_level; level++)
         vivgpu_pack(pack, first + level * states->address_level,
                     address + texture->layout.levels[level].offset);
   }
}

/* A state of samplers side by side, so that neighbours share a command. */
#define PACK_SAMPLERS(state, value)                                                                \
   u_foreach_bit (i, states->state ? samplers : 0) {                                               \
      const struct vivgpu_sampler *sampler = context->samplers[i];                                 \
      const struct vivgpu_view_state *words = &vivgpu_view(context->views[i])->words;              \
                                                                                                   \
      (void)sampler, (void)words;                                                                  \
      vivgpu_pack(pack, states->state + 4 * sampler_number(states, i), value);                     \
   }

/* A shader that compares wants the depth as it is, and swizzles the result. */
static uint32_t
view_config1(const struct vivgpu_sampler *sampler, const struct vivgpu_view_state *words)
{
   const uint32_t swizzles =
      VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_R__MASK | VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_G__MASK |
      VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_B__MASK | VIVS_TE_SAMPLER_CONFIG1_SWIZZLE_A__MASK;

   /* Red for all is zeros. */
   STATIC_ASSERT(TEXTURE_SWIZZLE_RED == 0);
   return sampler->compares_in_shader ? words->config1 & ~swizzles : words->config1;
}

static bool
int_filter(const struct vivgpu_sampler *sampler, const struct vivgpu_view_state *words)
{
   return words->int_filter && sampler->base.max_anisotropy <= 1;
}

static void
pack_samplers(struct vivgpu_context *context, struct vivgpu_pack *pack, uint32_t samplers)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;
   uint32_t statuses = pack_statuses(context, pack, samplers);

   PACK_SAMPLERS(config0, (sampler->config0 & words->config0_keep) | words->config0);
   PACK_SAMPLERS(size, words->size);
   PACK_SAMPLERS(log_size,
                 words->log_size |
                    (int_filter(sampler, words) ? VIVS_TE_SAMPLER_LOG_SIZE_INT_FILTER : 0));
   PACK_SAMPLERS(lod, vivgpu_view_lod(words, sampler));
   PACK_SAMPLERS(linear_stride, words->linear_stride);
   PACK_SAMPLERS(config_3d, sampler->config_3d | words->config_3d);
   PACK_SAMPLERS(config1,
                 sampler->config1 | view_config1(sampler, words) |
                    (statuses & 1u << i ? VIVS_TE_SAMPLER_CONFIG1_USE_TS : 0));
   PACK_SAMPLERS(astc, words->astc);
   PACK_SAMPLERS(baselod, sampler->baselod);
   pack_levels(context, pack, samplers);
}

static void
emit_samplers(struct vivgpu_context *context)
{
   const struct vivgpu_sampler_states *states = &context->screen->generation.samplers;
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_emit_pe_stall(context, &pack);
   u_foreach_bit (i, context->dirty_samplers & ~context->active_samplers) {
      if (sampler_number(states, i) < states->count)
         vivgpu_pack(&pack, states->config0 + 4 * sampler_number(states, i), 0);
   }
   pack_samplers(context, &pack, context->dirty_samplers & context->active_samplers);
   vivgpu_stream_end(&context->stream, &pack);
   context->dirty_samplers = 0;
}

/* Samplers that have all they need and are read by the shaders. */
static void
update_active_samplers(struct vivgpu_context *context)
{
   uint32_t read = context->program.variants[VIVGPU_FS]->shader->samplers |
                   (uint32_t)context->program.variants[VIVGPU_VS]->shader->samplers
                      << VIVGPU_VERTEX_SAMPLERS;
   uint32_t active = 0;

   u_foreach_bit (i, read) {
      if (context->samplers[i] && context->views[i])
         active |= 1u << i;
   }
   context->dirty_samplers |= active ^ context->active_samplers;
   context->active_samplers = active;
}

/* Skip the packed state if it equals what was emitted: rasterizers often differ elsewhere. */
static void
emit_rasterizer(struct vivgpu_context *context)
{
   const struct vivgpu_rasterizer *rasterizer = context->rasterizer;
   uint32_t count = rasterizer->packed.count;

   if (context->packed_framebuffer.multisample &&
       context->emitted_multisample != rasterizer->base.multisample)
      emit_sample_positions(context);
   if (context->emitted_rasterizer.count == count &&
       !memcmp(context->emitted_rasterizer.words, rasterizer->packed.words,
               count * sizeof(uint32_t)))
      return;
   emit_packed(context, rasterizer->packed.words, count);
   memcpy(context->emitted_rasterizer.words, rasterizer->packed.words, count * sizeof(uint32_t));
   context->emitted_rasterizer.count = count;
}

/*
 * Emit the registers in which this pair of shaders differs from the one emitted before. The
 * difference is cached, since a pair mostly follows the same one in each frame.
 */
static void
emit_link(struct vivgpu_context *context)
{
   struct vivgpu_linked_program *linked = context->program.current;
   const struct vivgpu_linked_program *emitted = context->emitted_link;

   context->emitted_link = linked;
   if (emitted == linked)
      return;
   if (!emitted) {
      emit_packed(context, linked->link.packed.words, linked->link.packed.count);
      return;
   }
   if (linked->delta_base != emitted->link_number) {
      linked->delta_base = emitted->link_number;
      linked->delta.count = vivgpu_emitted_delta(
         linked->delta.words, emitted->link.packed.words, emitted->link.packed.count,
         linked->link.packed.words, linked->link.packed.count);
   }
   emit_packed(context, linked->delta.words, linked->delta.count);
}

/* Emit state objects that have packed state of their own. */
static void
emit_objects(struct vivgpu_context *context)
{
   uint32_t dirty = context->dirty;

   if (dirty & VIVGPU_DIRTY_BLEND)
      emit_packed(context, context->blend->packed.words, context->blend->packed.count);
   if (dirty & VIVGPU_DIRTY_RASTERIZER)
      emit_rasterizer(context);
   if (dirty & VIVGPU_DIRTY_VIEWPORT)
      emit_packed(context, context->viewport.packed.words, context->viewport.packed.count);
   if (dirty & VIVGPU_DIRTY_ELEMENTS)
      emit_packed(context, context->elements->packed.words, context->elements->packed.count);
}

/* Few shaders have uniforms that depend on clip planes or textures. */
static bool
uniforms_changed(const struct vivgpu_context *context)
{
   return context->dirty & (VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_CONSTANTS) ||
          (context->dirty & (VIVGPU_DIRTY_CLIP_PLANES | VIVGPU_DIRTY_SAMPLERS) &&
           (context->program.variants[VIVGPU_VS]->num_computed ||
            context->program.variants[VIVGPU_FS]->num_computed));
}

void
vivgpu_emit_state(struct vivgpu_context *context)
{
   uint32_t dirty = context->dirty;

   if (!dirty && !context->dirty_samplers && !textures_changed(context))
      return;

   context->pe_stalled = false;
   if (dirty & (VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_SAMPLERS))
      update_active_samplers(context);
   emit_cache_flush(context);
   if (dirty & (VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_SAMPLE_MASK))
      emit_samples(context);
   if (dirty & VIVGPU_DIRTY_FRAMEBUFFER)
      emit_surfaces(context);
   if (dirty & (VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_STATUS))
      emit_status(context);
   emit_objects(context);
   if (dirty & (VIVGPU_DIRTY_VERTEX_BUFFERS | VIVGPU_DIRTY_ELEMENTS))
      emit_vertex_buffers(context);
   if (dirty & (VIVGPU_DIRTY_SCISSOR | VIVGPU_DIRTY_VIEWPORT | VIVGPU_DIRTY_FRAMEBUFFER |
                VIVGPU_DIRTY_RASTERIZER))
      emit_scissor(context);
   emit_combined(context);
   if (dirty & (VIVGPU_DIRTY_LINK | VIVGPU_DIRTY_SAMPLE_MASK))
      emit_link(context);
   if (context->dirty_samplers)
      emit_samplers(context);
   if (dirty & VIVGPU_DIRTY_PROGRAM)
      emit_code(context);
   if (uniforms_changed(context))
      vivgpu_uniforms_emit(context);
   context->dirty = 0;
}
