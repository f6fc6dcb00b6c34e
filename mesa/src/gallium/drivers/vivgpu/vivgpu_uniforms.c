/* SPDX-License-Identifier: MIT */
/*
 * Uniform registers: constants, immediate values, addresses, sizes. Each stage has its own file of
 * registers, or on newer cores its part of a common one. Only changed registers are emitted.
 */

#include <string.h>

#include "hw/state.xml.h"
#include "hw/state_3d.xml.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_emit_private.h"
#include "vivgpu_resource.h"

static const struct pipe_sampler_view *
vivgpu_uniforms_view_of(const struct vivgpu_context *context, unsigned stage, uint32_t sampler)
{
   return context->textures.views[stage == VIVGPU_VS ? VIVGPU_VERTEX_SAMPLERS + sampler : sampler];
}

/* Width, height, and depth or layers of a view. */
static uint32_t
vivgpu_uniforms_size_of(const struct pipe_sampler_view *view, unsigned dimension)
{
   const struct pipe_resource *texture = view->texture;
   unsigned level = view->u.tex.first_level;

   switch (dimension) {
   case 0:
      return u_minify(texture->width0, level);
   case 1:
      return u_minify(texture->height0, level);
   default:
      return texture->array_size > 1 ? texture->array_size : u_minify(texture->depth0, level);
   }
}

/* Return the words of a constant buffer: the application's memory, or the copy in a buffer. */
static const void *
vivgpu_uniforms_words_of(const struct pipe_constant_buffer *buffer)
{
   const char *map;

   if (buffer->user_buffer)
      return buffer->user_buffer;
   map = buffer->buffer ? vivgpu_bo_map(vivgpu_resource(buffer->buffer)->bo) : NULL;
   return map ? map + buffer->buffer_offset : NULL;
}

/* Copy a user buffer to GPU memory, and return the copy's address. */
static uint32_t
vivgpu_uniforms_copy_address(struct vivgpu_context *context,
                             const struct pipe_constant_buffer *buffer)
{
   struct pipe_resource *copy = NULL;
   unsigned offset = 0;
   uint32_t address;

   u_upload_data(context->base.stream_uploader, 0, buffer->buffer_size, 16,
                 vivgpu_uniforms_words_of(buffer), &offset, &copy);
   address = vivgpu_stream_use(&context->stream, copy ? vivgpu_resource(copy)->bo : context->dummy,
                               copy ? offset : 0, VIVGPU_READ);
   pipe_resource_reference(&copy, NULL);
   context->job.copied_constant_bytes += buffer->buffer_size;
   return address;
}

static uint32_t
vivgpu_uniforms_find_address(struct vivgpu_context *context,
                             const struct pipe_constant_buffer *buffer)
{
   const struct pipe_resource *memory = buffer->buffer;

   if (likely(memory && !(memory->flags & VIVGPU_RESOURCE_FLAG_CPU))) {
      bool locked = vivgpu_lock_buffers(context->screen);
      uint32_t address = vivgpu_stream_use(&context->stream, vivgpu_resource(buffer->buffer)->bo,
                                           buffer->buffer_offset, VIVGPU_READ);

      vivgpu_unlock_buffers(context->screen, locked);
      return address;
   }
   if (memory || buffer->user_buffer)
      return vivgpu_uniforms_copy_address(context, buffer);
   return vivgpu_stream_use(&context->stream, context->dummy, 0, VIVGPU_READ);
}

/*
 * Return a component of a sampler's border, which Mesa has swizzled: 1 if the view's swizzle sets
 * it to 1, unless the sampler compares depth.
 */
static uint32_t
vivgpu_uniforms_border_of(const struct vivgpu_context *context, unsigned stage, uint32_t number,
                          unsigned component)
{
   unsigned index = stage == VIVGPU_VS ? VIVGPU_VERTEX_SAMPLERS + number : number;
   const struct vivgpu_sampler *sampler = context->textures.samplers[index];
   const struct pipe_sampler_view *view = context->textures.views[index];

   if (!sampler || !view)
      return 0;
   const unsigned swizzles[] = {view->swizzle_r, view->swizzle_g, view->swizzle_b, view->swizzle_a};

   if (swizzles[component] == PIPE_SWIZZLE_1 && !sampler->base.compare_mode)
      return fui(1);
   return sampler->base.border_color.ui[component];
}

/* Return the sampler's LOD bias, or a limit of its LOD: see vivgpu_sampler_lod(). */
static uint32_t
vivgpu_uniforms_lod_of(const struct vivgpu_context *context, unsigned stage, uint32_t number,
                       unsigned component)
{
   unsigned index = stage == VIVGPU_VS ? VIVGPU_VERTEX_SAMPLERS + number : number;
   const struct vivgpu_sampler *sampler = context->textures.samplers[index];
   const struct pipe_sampler_view *view = context->textures.views[index];

   if (!sampler || !view)
      return 0;
   return fui(
      vivgpu_sampler_lod(sampler, view->u.tex.last_level - view->u.tex.first_level, component));
}

/* Get the addresses of the buffers in a set, once for each until the buffer or the job changes. */
static void
vivgpu_uniforms_find_addresses(struct vivgpu_context *context, struct vivgpu_constants *constants,
                               uint32_t buffers)
{
   u_foreach_bit (i, buffers & ~constants->emitted)
      constants->addresses[i] = vivgpu_uniforms_find_address(context, &constants->buffers[i]);
   constants->emitted |= buffers;
}

static uint32_t
vivgpu_uniforms_value_of(struct vivgpu_context *context, unsigned stage,
                         const struct vivgpu_uniform *uniform)
{
   const struct pipe_sampler_view *view;
   uint32_t size;

   switch (uniform->kind) {
   case VIVGPU_UNIFORM_TEXTURE_WIDTH:
   case VIVGPU_UNIFORM_TEXTURE_HEIGHT:
   case VIVGPU_UNIFORM_TEXTURE_DEPTH:
      view = vivgpu_uniforms_view_of(context, stage, uniform->value);
      size = view ? vivgpu_uniforms_size_of(view, uniform->kind - VIVGPU_UNIFORM_TEXTURE_WIDTH) : 1;
      return context->screen->generation.integers ? size : fui(size);
   case VIVGPU_UNIFORM_TEXTURE_SCALE_X:
   case VIVGPU_UNIFORM_TEXTURE_SCALE_Y:
      view = vivgpu_uniforms_view_of(context, stage, uniform->value);
      return fui(
         view ? 1.0f / vivgpu_uniforms_size_of(view, uniform->kind - VIVGPU_UNIFORM_TEXTURE_SCALE_X)
              : 1);
   case VIVGPU_UNIFORM_CLIP_PLANE:
      return fui(context->clip.ucp[uniform->value / 4][uniform->value % 4]);
   case VIVGPU_UNIFORM_SCRATCH_ADDRESS:
      return vivgpu_stream_use(&context->stream, context->scratch[stage], 0,
                               VIVGPU_READ | VIVGPU_WRITE);
   case VIVGPU_UNIFORM_BORDER_COLOR:
      return vivgpu_uniforms_border_of(context, stage, uniform->value / 4, uniform->value % 4);
   case VIVGPU_UNIFORM_SAMPLER_LOD:
      return vivgpu_uniforms_lod_of(context, stage, uniform->value / 4, uniform->value % 4);
   default:
      return 0;
   }
}

/*
 * Flush the cache of a stage's uniform registers, before the first of them changes in a draw.
 */
static void
vivgpu_uniforms_pack_flush(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned stage)
{
   vivgpu_emit_pe_stall(context, pack);
   vivgpu_pack(pack, VIVS_VS_UNIFORM_CACHE,
               VIVS_VS_UNIFORM_CACHE_FLUSH | (stage == VIVGPU_FS ? VIVS_VS_UNIFORM_CACHE_PS : 0));
}

static void
vivgpu_uniforms_pack_registers(struct vivgpu_context *context, struct vivgpu_pack *pack,
                               unsigned stage, uint32_t first, const uint32_t *values,
                               uint32_t count)
{
   vivgpu_pack_array(pack, context->screen->generation.uniforms[stage] + 4 * first, values, count);
   memcpy(context->emitted.uniforms[stage].words + first, values, count * sizeof(*values));
}

/* Emit the changed registers of a stage. */
static void
vivgpu_uniforms_emit_stage(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned stage,
                           const uint32_t *values, uint32_t count)
{
   uint32_t emitted = context->emitted.uniforms[stage].emitted, first, end;

   if (!vivgpu_emitted_range(context->emitted.uniforms[stage].words, emitted, values, count, &first,
                             &end))
      return;
   vivgpu_uniforms_pack_flush(context, pack, stage);
   vivgpu_uniforms_pack_registers(context, pack, stage, first, values + first, end - first);
   context->emitted.uniforms[stage].emitted = MAX2(emitted, end);
}

bool
vivgpu_uniforms_sort(struct vivgpu_variant *variant)
{
   uint32_t count = variant->shader->num_uniforms;
   struct vivgpu_uniform_run *run = NULL;

   variant->uniforms = CALLOC(MAX2(count, 1), sizeof(*variant->uniforms));
   variant->runs = CALLOC(MAX2(count, 1), sizeof(*variant->runs));
   variant->computed = CALLOC(MAX2(count, 1), sizeof(*variant->computed));
   variant->addresses = CALLOC(MAX2(count, 1), sizeof(*variant->addresses));
   if (!variant->uniforms || !variant->runs || !variant->computed || !variant->addresses)
      return false;

   for (uint32_t i = 0; i < count; i++) {
      const struct vivgpu_uniform *uniform = &variant->shader->uniforms[i];

      if (uniform->kind == VIVGPU_UNIFORM_CONSTANT) {
         variant->uniforms[i] = uniform->value;
      } else if (uniform->kind == VIVGPU_UNIFORM_UBO_ADDRESS) {
         variant->addresses[variant->num_addresses++] =
            (struct vivgpu_uniform_address){.index = i, .buffer = uniform->value};
         variant->buffers |= 1u << uniform->value;
      } else if (uniform->kind != VIVGPU_UNIFORM_USER) {
         if (uniform->kind != VIVGPU_UNIFORM_UNUSED)
            variant->computed[variant->num_computed++] = i;
      } else if (run && run->first + run->count == i && run->word + run->count == uniform->value) {
         run->count++;
      } else {
         run = &variant->runs[variant->num_runs++];
         *run = (struct vivgpu_uniform_run){.first = i, .word = uniform->value, .count = 1};
      }
      if (uniform->kind == VIVGPU_UNIFORM_USER)
         variant->run_words = MAX2(variant->run_words, uniform->value + 1);
   }
   return true;
}

/* Compute the current values of the registers of a stage. */
static void
vivgpu_uniforms_compute(struct vivgpu_context *context, unsigned stage, uint32_t *values,
                        uint32_t count)
{
   const struct vivgpu_variant *variant = context->program.variants[stage];
   struct vivgpu_constants *constants = &context->constants[stage];
   const struct pipe_constant_buffer *buffer = &constants->buffers[0];
   const uint32_t *words = vivgpu_uniforms_words_of(buffer);
   uint32_t num_words = words ? buffer->buffer_size / sizeof(*words) : 0;

   memcpy(values, variant->uniforms, count * sizeof(*values));
   for (uint32_t i = 0; i < variant->num_runs; i++) {
      const struct vivgpu_uniform_run *run = &variant->runs[i];

      if (run->word < num_words && run->first < count)
         memcpy(values + run->first, words + run->word,
                MIN3(run->count, num_words - run->word, count - run->first) * sizeof(*values));
   }
   vivgpu_uniforms_find_addresses(context, constants, variant->buffers);
   for (uint32_t i = 0; i < variant->num_addresses && variant->addresses[i].index < count; i++)
      values[variant->addresses[i].index] = constants->addresses[variant->addresses[i].buffer];
   for (uint32_t i = 0; i < variant->num_computed && variant->computed[i] < count; i++) {
      unsigned index = variant->computed[i];

      values[index] = vivgpu_uniforms_value_of(context, stage, &variant->shader->uniforms[index]);
   }
}

/*
 * True if registers of a stage may depend on changes since the last draw, apart from the constants
 * in buffer 0 and the addresses of other buffers.
 */
static bool
vivgpu_uniforms_others_changed(const struct vivgpu_context *context,
                               const struct vivgpu_variant *variant)
{
   /* Few shaders have uniforms that depend on clip planes or textures. */
   return context->dirty & VIVGPU_DIRTY_PROGRAM ||
          (variant->num_computed &&
           context->dirty & (VIVGPU_DIRTY_CLIP_PLANES | VIVGPU_DIRTY_SAMPLERS));
}

/*
 * Emit what changed of the constants in buffer 0, if only they did since a draw of this job with
 * the same variant: that one emitted all its registers, so their values are known. Returns false if
 * the buffer is too small for the shader.
 */
static bool
vivgpu_uniforms_emit_runs(struct vivgpu_context *context, struct vivgpu_pack *pack, unsigned stage)
{
   const struct vivgpu_variant *variant = context->program.variants[stage];
   const struct pipe_constant_buffer *buffer = &context->constants[stage].buffers[0];
   const uint32_t *words = vivgpu_uniforms_words_of(buffer),
                  *file = context->emitted.uniforms[stage].words;
   bool flushed = false;

   if (!words || buffer->buffer_size / sizeof(*words) < variant->run_words)
      return false;
   for (uint32_t i = 0; i < variant->num_runs; i++) {
      const struct vivgpu_uniform_run *run = &variant->runs[i];
      const uint32_t *values = words + run->word;
      uint32_t first, end;

      if (!vivgpu_emitted_range(file + run->first, run->count, values, run->count, &first, &end))
         continue;
      if (!flushed)
         vivgpu_uniforms_pack_flush(context, pack, stage);
      flushed = true;
      vivgpu_uniforms_pack_registers(context, pack, stage, run->first + first, values + first,
                                     end - first);
   }
   return true;
}

void
vivgpu_uniforms_emit(struct vivgpu_context *context)
{
   struct vivgpu_pack pack = vivgpu_stream_begin(&context->stream);

   for (unsigned stage = 0; stage < 2; stage++) {
      const struct vivgpu_variant *variant = context->program.variants[stage];
      struct vivgpu_constants *constants = &context->constants[stage];
      uint32_t values[VIVGPU_MAX_UNIFORM_WORDS], count = variant->shader->num_uniforms;
      bool others = vivgpu_uniforms_others_changed(context, variant);

      if (!constants->changed && !others)
         continue;
      constants->changed = false;
      if (!count || (!others && !(variant->buffers & ~constants->emitted) &&
                     vivgpu_uniforms_emit_runs(context, &pack, stage)))
         continue;
      vivgpu_uniforms_compute(context, stage, values, count);
      vivgpu_uniforms_emit_stage(context, &pack, stage, values, count);
   }
   vivgpu_stream_end(&context->stream, &pack);
}
