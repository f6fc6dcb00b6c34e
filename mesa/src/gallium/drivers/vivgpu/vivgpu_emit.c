/* SPDX-License-Identifier: MIT */

#include "vivgpu_emit.h"

#include <string.h>

#include "hw/common.xml.h"
#include "hw/common_3d.xml.h"
#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_math.h"
#include "vivgpu_emit_private.h"
#include "vivgpu_format.h"
#include "vivgpu_resource.h"
#include "vivgpu_shadow.h"
#include "vivgpu_texture_cache.h"

/*
 * Emission of the packed and per-draw state. What most draws need is inlined into
 * vivgpu_emit_state(); what follows a new framebuffer, program or samplers is in other files or not
 * inlined, to leave the compiler room for that.
 */

void
vivgpu_emit_flush(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH);
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
   vivgpu_stream_end(&context->stream, &pack);
}

/* True if a bound texture was written after the texture caches were last invalidated. */
static bool
vivgpu_emit_textures_changed(const struct vivgpu_context *context)
{
   u_foreach_bit (i, context->textures.active) {
      const struct vivgpu_resource *texture =
         vivgpu_shadow_sampled(vivgpu_resource(context->textures.views[i]->texture));

      if (vivgpu_texture_is_stale(context->seen.texture_cache, texture->seqno) ||
          vivgpu_texture_is_stale(context->seen.texture_cache,
                                  p_atomic_read(&texture->bo->write_seqno)))
         return true;
   }
   return false;
}

/*
 * Emit GL_FLUSH_CACHE for caches of the pixel engine that have to be flushed, and for the texture
 * caches if they are stale. No draw may read the texture caches while they are invalidated. What
 * was rendered to a texture has already been flushed, when the framebuffer changed or the job
 * ended.
 *
 * @compare: since the last draw textures were bound or written, or the framebuffer changed: compare
 * the bound textures
 * @which: caches of the pixel engine to flush because of changed states
 */
static void
vivgpu_emit_cache_flush(struct vivgpu_context *context, bool compare, uint32_t which)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   bool targets = context->dirty & VIVGPU_DIRTY_FRAMEBUFFER;
   bool textures = compare && vivgpu_emit_textures_changed(context);

   if (targets)
      which |= VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH;
   if (textures)
      which |= VIVS_GL_FLUSH_CACHE_TEXTURE;
   if (!which)
      return;

   if (textures)
      vivgpu_emit_pe_stall(context, &pack);
   vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, which);
   if (textures) {
      /* In a command of its own, as in etnaviv. */
      vivgpu_pack_end(&pack);
      vivgpu_pack(&pack, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
      context->seen.texture_cache = p_atomic_read(&context->screen->write_seqno);
      p_atomic_inc(&context->screen->texture_invalidations);
   }
   vivgpu_pack_stall(&pack, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
   vivgpu_stream_end(&context->stream, &pack);
}

/* Memory and offset of a vertex buffer; the dummy buffer if none is bound. */
static struct vivgpu_bo *
vivgpu_emit_stream_memory(const struct vivgpu_context *context, unsigned index, uint32_t *offset)
{
   const struct pipe_vertex_buffer *buffer = &context->vertices.buffers[index];

   if (!(context->vertices.mask & 1u << index && buffer->buffer.resource)) {
      *offset = 0;
      return context->dummy;
   }
   *offset = buffer->buffer_offset;
   return vivgpu_resource(buffer->buffer.resource)->bo;
}

/*
 * Emit the addresses of vertex buffers that differ from those in the GPU. The buffers of the others
 * were added to the job when their addresses were emitted.
 */
static void
vivgpu_emit_vertex_buffers(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   uint32_t count = context->elements->num_streams, known = context->emitted.num_streams, offset;
   bool locked = vivgpu_lock_buffers(context->screen);

   for (unsigned i = 0; i < count; i++) {
      struct vivgpu_bo *bo = vivgpu_emit_stream_memory(context, i, &offset);
      uint32_t address = bo->va + offset;

      if (i < known && address == context->emitted.streams[i])
         continue;
      vivgpu_stream_use(&context->stream, bo, offset, VIVGPU_READ);
      vivgpu_pack(&pack, context->screen->generation.stream_address + 4 * i, address);
      context->emitted.streams[i] = address;
   }
   vivgpu_unlock_buffers(context->screen, locked);
   context->emitted.num_streams = MAX2(known, count);
   vivgpu_stream_end(&context->stream, &pack);
}

static void
vivgpu_emit_elements(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_vertex_elements_pack(context->elements, &context->screen->generation,
                               &context->emitted.vertices, &pack);
   vivgpu_stream_end(&context->stream, &pack);
}

/* Emit the intersection of framebuffer, viewport and scissor. */
static void
vivgpu_emit_scissor(struct vivgpu_context *context)
{
   struct pipe_scissor_state box = vivgpu_scissor_box(
      &context->viewport, context->rasterizer->base.scissor ? &context->scissor : NULL,
      context->framebuffer.width, context->framebuffer.height);
   uint32_t words[16];

   if (!memcmp(&box, &context->emitted.scissor, sizeof(box)))
      return;
   context->emitted.scissor = box;
   vivgpu_stream_append(&context->stream, words, vivgpu_scissor_pack(&box, words));
}

static void
vivgpu_emit_pack_rasterizer(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted.values;
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
vivgpu_emit_pack_depth(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted.values;
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
vivgpu_emit_pack_stencil(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted.values;
   const struct vivgpu_zsa *zsa = context->zsa;
   enum vivgpu_faces faces = context->per_draw.stencil_front_only  ? VIVGPU_FRONT_BOTH
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
vivgpu_emit_pack_color(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct vivgpu_emitted *emitted = &context->emitted.values;
   const struct vivgpu_framebuffer *fb = &context->packed_framebuffer;
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   /* Without a render target no channel is written; without OVERWRITE the core may hang then. */
   uint32_t format = VIVS_PE_COLOR_FORMAT_OVERWRITE;

   if (vivgpu_bound_targets(&context->framebuffer, surfaces)) {
      format = fb->pe_color_format | vivgpu_blend_channels(context->blend, surfaces[0]->format);
      /* OVERWRITE is one bit for all targets: clear it if any target keeps channels. */
      for (unsigned i = 1; i < fb->num_targets; i++)
         format &= vivgpu_blend_channels(context->blend, surfaces[i]->format) |
                   ~VIVS_PE_COLOR_FORMAT_OVERWRITE;
      /* With OVERWRITE and several samples the core may hang. */
      if (fb->multisample)
         format &= ~VIVS_PE_COLOR_FORMAT_OVERWRITE;
   }
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_COLOR_FORMAT, format);
   vivgpu_emitted_pack(emitted, pack, VIVGPU_EMITTED_LOGIC_OP,
                       context->blend->logic_op | fb->pe_logic_op);
}

static void
vivgpu_emit_pack_blend_color(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   struct pipe_surface *surfaces[PIPE_MAX_COLOR_BUFS] = {NULL};
   uint32_t words[3];

   vivgpu_bound_targets(&context->framebuffer, surfaces);
   vivgpu_blend_color(context->blend_color.color,
                      surfaces[0] && vivgpu_format_rb_swap(surfaces[0]->format), words);
   vivgpu_pack(pack, VIVS_PE_ALPHA_BLEND_COLOR, words[0]);
   vivgpu_pack(pack, VIVS_PE_ALPHA_COLOR_EXT0, words[1]);
   vivgpu_pack(pack, VIVS_PE_ALPHA_COLOR_EXT1, words[2]);
}

/* Pack the blend object's registers, unless they are equal to those in the GPU. */
static void
vivgpu_emit_pack_blend(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   const struct vivgpu_blend *blend = context->blend;
   uint32_t bytes = blend->packed.count * sizeof(uint32_t);

   if (context->emitted.blend.count == blend->packed.count &&
       !memcmp(context->emitted.blend.words, blend->packed.words, bytes))
      return;
   vivgpu_pack_end(pack);
   memcpy(pack->words + pack->used, blend->packed.words, bytes);
   pack->used += blend->packed.count;
   memcpy(context->emitted.blend.words, blend->packed.words, bytes);
   context->emitted.blend.count = blend->packed.count;
}

/* Limit of the words that vivgpu_emit_pack_pe() packs */
#define PE_WORDS 64

/*
 * Pack the states of the pixel engine that differ: depth, stencil, colour, blending. Returns which
 * of its caches have to be flushed before these states are loaded: the cached lines were written
 * with the old states, and some changes hang the core. etnaviv flushes whenever other objects are
 * bound.
 */
static uint32_t
vivgpu_emit_pack_pe(struct vivgpu_context *context, struct vivgpu_pack *pack)
{
   uint32_t dirty = context->dirty, flush = 0, before;

   if (dirty & (VIVGPU_DIRTY_ZSA | VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_FRAMEBUFFER))
      vivgpu_emit_pack_depth(context, pack);
   if (dirty & (VIVGPU_DIRTY_ZSA | VIVGPU_DIRTY_STENCIL_REF | VIVGPU_DIRTY_RASTERIZER))
      vivgpu_emit_pack_stencil(context, pack);
   if (pack->used)
      flush |= VIVS_GL_FLUSH_CACHE_DEPTH;
   before = pack->used;
   if (dirty & (VIVGPU_DIRTY_BLEND | VIVGPU_DIRTY_FRAMEBUFFER))
      vivgpu_emit_pack_color(context, pack);
   if (dirty & VIVGPU_DIRTY_BLEND)
      vivgpu_emit_pack_blend(context, pack);
   if (pack->used != before)
      flush |= VIVS_GL_FLUSH_CACHE_COLOR;
   vivgpu_pack_end(pack);
   return context->screen->debug & VIVGPU_DEBUG_NO_STATE_FLUSH ? 0 : flush;
}

/* Emit registers whose fields come from several state objects. */
static void
vivgpu_emit_combined(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);
   uint32_t dirty = context->dirty;

   if (dirty & (VIVGPU_DIRTY_RASTERIZER | VIVGPU_DIRTY_LINK | VIVGPU_DIRTY_FRAMEBUFFER))
      vivgpu_emit_pack_rasterizer(context, &pack);
   if (dirty & (VIVGPU_DIRTY_BLEND_COLOR | VIVGPU_DIRTY_FRAMEBUFFER))
      vivgpu_emit_pack_blend_color(context, &pack);
   vivgpu_stream_end(&context->stream, &pack);
}

/*
 * Changing GL_MULTI_SAMPLE_CONFIG resets the fragment shader's counts, so all registers of the
 * shaders' link are emitted after it.
 */
static void
vivgpu_emit_samples(struct vivgpu_context *context)
{
   uint32_t config = context->packed_framebuffer.gl_multi_sample_config |
                     VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(context->sample_mask);
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   if (context->emitted.values.values[VIVGPU_EMITTED_MULTI_SAMPLE_CONFIG] == config)
      return;
   vivgpu_emitted_pack(&context->emitted.values, &pack, VIVGPU_EMITTED_MULTI_SAMPLE_CONFIG, config);
   vivgpu_stream_end(&context->stream, &pack);
   context->emitted.link = NULL;
}

/* Load code as states. Both stages share the memory; its second half is the fragment shader's. */
static void
vivgpu_emit_load_code(struct vivgpu_pack *pack, unsigned stage, const struct vivgpu_shader *shader)
{
   const uint32_t first = stage == VIVGPU_FS ? VIVGPU_FIRST_FRAGMENT_INSTRUCTION : 0;

   vivgpu_pack(pack, stage == VIVGPU_FS ? VIVS_PS_RANGE : VIVS_VS_RANGE,
               (first + shader->num_instructions - 1) << 16 | first);
   vivgpu_pack_array(pack, VIVS_SH_INST_MEM(first * VIVGPU_INSTRUCTION_WORDS), shader->code,
                     shader->num_instructions * VIVGPU_INSTRUCTION_WORDS);
}

/*
 * Emit a stage's code unless this variant's is loaded. Code that is not loaded as states is fetched
 * through the instruction cache; then the instructions of each stage are numbered from 0. Inline,
 * so that the compiler knows the states' addresses.
 */
static ALWAYS_INLINE void
vivgpu_emit_stage(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned stage)
{
   const struct vivgpu_variant *variant = context->program.variants[stage];
   const uint32_t cache =
      VIVS_VS_ICACHE_CONTROL_ENABLE |
      (stage == VIVGPU_FS ? VIVS_VS_ICACHE_CONTROL_FLUSH_PS : VIVS_VS_ICACHE_CONTROL_FLUSH_VS);

   if (context->emitted.code[stage] == variant->number)
      return;
   context->emitted.code[stage] = variant->number;
   vivgpu_emit_pe_stall(context, pack);
   if (context->screen->generation.loads_code) {
      vivgpu_emit_load_code(pack, stage, variant->shader);
      return;
   }
   vivgpu_pack(pack, stage == VIVGPU_FS ? VIVS_PS_RANGE : VIVS_VS_RANGE,
               (variant->shader->num_instructions - 1) << 16);
   vivgpu_pack(pack, VIVS_VS_ICACHE_CONTROL, cache);
   vivgpu_pack(pack, stage == VIVGPU_FS ? VIVS_PS_INST_ADDR : VIVS_VS_INST_ADDR,
               vivgpu_stream_use(&context->stream, variant->code, 0, VIVGPU_READ));
}

static ATTRIBUTE_NOINLINE void
vivgpu_emit_code(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   vivgpu_emit_stage(context, &pack, VIVGPU_VS);
   vivgpu_emit_stage(context, &pack, VIVGPU_FS);
   vivgpu_stream_end(&context->stream, &pack);
}

/* Update the set of samplers that the shaders read and that have both state and view. */
static void
vivgpu_emit_update_active_samplers(struct vivgpu_context *context)
{
   uint32_t active = 0;

   u_foreach_bit (i, context->textures.read) {
      if (context->textures.samplers[i] && context->textures.views[i])
         active |= 1u << i;
   }
   context->textures.dirty |= active ^ context->textures.active;
   context->textures.active = active;
}

/*
 * Emit the rasterizer's packed state unless the GPU has it: rasterizers often differ only in
 * members that are not packed.
 */
static void
vivgpu_emit_rasterizer(struct vivgpu_context *context)
{
   const struct vivgpu_rasterizer *rasterizer = context->rasterizer;
   uint32_t count = rasterizer->packed.count;

   if (context->packed_framebuffer.multisample &&
       context->emitted.multisample != rasterizer->base.multisample)
      vivgpu_emit_sample_positions(context);
   if (context->emitted.rasterizer.count == count &&
       !memcmp(context->emitted.rasterizer.words, rasterizer->packed.words,
               count * sizeof(uint32_t)))
      return;
   vivgpu_stream_append(&context->stream, rasterizer->packed.words, count);
   memcpy(context->emitted.rasterizer.words, rasterizer->packed.words, count * sizeof(uint32_t));
   context->emitted.rasterizer.count = count;
}

/*
 * Emit the registers in which this pair of shaders differs from the one emitted before. The
 * difference is cached, since in most frames a pair follows the same other pair.
 */
static void
vivgpu_emit_link(struct vivgpu_context *context)
{
   struct vivgpu_linked_program *linked = context->program.current;
   const struct vivgpu_linked_program *emitted = context->emitted.link;

   context->emitted.link = linked;
   if (emitted == linked)
      return;
   if (!emitted) {
      vivgpu_stream_append(&context->stream, linked->link.packed.words, linked->link.packed.count);
      return;
   }
   if (linked->delta_base != emitted->link_number) {
      linked->delta_base = emitted->link_number;
      linked->delta.count = vivgpu_emitted_delta(
         linked->delta.words, emitted->link.packed.words, emitted->link.packed.count,
         linked->link.packed.words, linked->link.packed.count);
   }
   vivgpu_stream_append(&context->stream, linked->delta.words, linked->delta.count);
}

/* Emit state objects that have packed state of their own. */
static void
vivgpu_emit_objects(struct vivgpu_context *context)
{
   uint32_t dirty = context->dirty;

   if (dirty & VIVGPU_DIRTY_RASTERIZER)
      vivgpu_emit_rasterizer(context);
   if (dirty & VIVGPU_DIRTY_VIEWPORT)
      vivgpu_stream_append(&context->stream, context->viewport.packed.words,
                           context->viewport.packed.count);
   if (dirty & VIVGPU_DIRTY_ELEMENTS)
      vivgpu_emit_elements(context);
}

void
vivgpu_emit_state(struct vivgpu_context *context)
{
   uint32_t dirty = context->dirty;
   uint32_t seqno = p_atomic_read(&context->screen->write_seqno);
   uint32_t words[PE_WORDS], flush;
   struct vivgpu_pack pe = vivgpu_pack_begin(words);
   bool compare;

   if (!dirty && !context->textures.dirty &&
       (seqno == context->seen.textures || !vivgpu_emit_textures_changed(context))) {
      context->seen.textures = seqno;
      return;
   }

   context->pe_stalled = context->screen->debug & VIVGPU_DEBUG_NO_DRAIN;
   if (dirty & VIVGPU_DIRTY_FRAMEBUFFER ||
       vivgpu_depth_written(context) & ~context->seen.depth_marked)
      context->seen.targets_marked = false;
   if (dirty & VIVGPU_DIRTY_SAMPLERS)
      vivgpu_emit_update_active_samplers(context);
   compare = seqno != context->seen.textures || context->textures.dirty ||
             dirty & VIVGPU_DIRTY_FRAMEBUFFER;
   context->seen.textures = seqno;
   flush = vivgpu_emit_pack_pe(context, &pe);
   vivgpu_emit_cache_flush(context, compare, flush);
   if (dirty & (VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_SAMPLE_MASK))
      vivgpu_emit_samples(context);
   if (dirty & VIVGPU_DIRTY_FRAMEBUFFER)
      vivgpu_emit_surfaces(context);
   if (dirty & (VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_STATUS))
      vivgpu_emit_tile_status(context);
   vivgpu_emit_objects(context);
   if (dirty & (VIVGPU_DIRTY_VERTEX_BUFFERS | VIVGPU_DIRTY_ELEMENTS))
      vivgpu_emit_vertex_buffers(context);
   if (dirty & (VIVGPU_DIRTY_SCISSOR | VIVGPU_DIRTY_VIEWPORT | VIVGPU_DIRTY_FRAMEBUFFER |
                VIVGPU_DIRTY_RASTERIZER))
      vivgpu_emit_scissor(context);
   vivgpu_emit_combined(context);
   vivgpu_stream_append(&context->stream, words, pe.used);
   if (dirty & (VIVGPU_DIRTY_LINK | VIVGPU_DIRTY_FRAMEBUFFER | VIVGPU_DIRTY_SAMPLE_MASK))
      vivgpu_emit_link(context);
   if (context->textures.dirty)
      vivgpu_emit_samplers(context);
   if (dirty & VIVGPU_DIRTY_PROGRAM)
      vivgpu_emit_code(context);
   if (dirty & (VIVGPU_DIRTY_PROGRAM | VIVGPU_DIRTY_CONSTANTS | VIVGPU_DIRTY_CLIP_PLANES |
                VIVGPU_DIRTY_SAMPLERS))
      vivgpu_uniforms_emit(context);
   context->dirty = 0;
}
