/* SPDX-License-Identifier: MIT */

#include "vivgpu_shader.h"

#include <stdio.h>
#include <string.h>

#include "compiler/nir/nir_builder.h"
#include "nir/tgsi_to_nir.h"
#include "util/log.h"
#include "util/ralloc.h"
#include "util/u_atomic.h"
#include "util/u_debug.h"
#include "util/u_memory.h"
#include "vivgpu_bo.h"
#include "vivgpu_context.h"
#include "vivgpu_events.h"
#include "vivgpu_format.h"

/* Last number given to a shader or variant; numbers begin at 1 */
static uint32_t numbers;

static void
vivgpu_shader_destroy_variant(struct vivgpu_variant *variant)
{
   if (variant->shader)
      vivgpu_shader_destroy(variant->shader);
   vivgpu_bo_unref(variant->code);
   FREE(variant->uniforms);
   FREE(variant->runs);
   FREE(variant->computed);
   FREE(variant->addresses);
   FREE(variant);
}

/* Copy the code to memory, unless the core loads it as states. */
static bool
vivgpu_shader_upload(struct vivgpu_screen *screen, struct vivgpu_variant *variant)
{
   size_t size = variant->shader->num_instructions * VIVGPU_INSTRUCTION_WORDS * sizeof(uint32_t);
   void *map;

   if (screen->generation.loads_code)
      return true;
   variant->code = vivgpu_bo_create(screen->kernel, MAX2(size, 1));
   map = variant->code ? vivgpu_bo_map(variant->code) : NULL;
   if (!map)
      return false;
   memcpy(map, variant->shader->code, size);
   return true;
}

static void
vivgpu_shader_dump(const struct vivgpu_shader *shader)
{
   char *text = vivgpu_shader_disassemble(shader);

   if (text)
      fputs(text, stderr);
   free(text);
}

/* Log only the first failure of a shader: its other variants mostly fail for the same reason. */
static void
vivgpu_shader_log_failure(struct vivgpu_shader_object *object, const char *reason)
{
   if (!object->failure_reported)
      mesa_loge("vivgpu: a %s shader can't be compiled: %s",
                _mesa_shader_stage_to_string(object->nir->info.stage),
                reason ? reason : "no memory");
   object->failure_reported = true;
}

/*
 * Compile the shader for a key. @error: filled in if this core cannot run it; the variant then has
 * no shader, so that later draws do not compile it again. Returns NULL if memory is short.
 */
static struct vivgpu_variant *
vivgpu_shader_create_variant(struct vivgpu_screen *screen, struct vivgpu_shader_object *object,
                             const struct vivgpu_shader_key *key,
                             struct vivgpu_compile_error *error)
{
   struct vivgpu_variant *variant = CALLOC_STRUCT(vivgpu_variant);
   uint64_t begin = vivgpu_events_begin();

   if (!variant)
      return NULL;
   variant->key = *key;
   variant->number = p_atomic_inc_return(&numbers);
   variant->shader = vivgpu_cache_find(screen, object->name, key);
   if (!variant->shader) {
      variant->shader = vivgpu_compile(screen->compiler, object->nir, key, error);
      if (variant->shader)
         vivgpu_cache_store(screen, object->name, key, variant->shader);
   }
   if (!variant->shader || !vivgpu_shader_upload(screen, variant) ||
       !vivgpu_uniforms_sort(variant)) {
      if (error->reason)
         return variant;
      vivgpu_shader_destroy_variant(variant);
      return NULL;
   }

   vivgpu_events_end(begin, VIVGPU_EVENT_COMPILE, object->nir->info.stage,
                     variant->shader->num_instructions, variant->code ? variant->code->size : 0);
   if (screen->debug & VIVGPU_DEBUG_SHADERS)
      vivgpu_shader_dump(variant->shader);
   return variant;
}

static struct vivgpu_variant *
vivgpu_shader_find_variant(const struct vivgpu_shader_object *object,
                           const struct vivgpu_shader_key *key)
{
   list_for_each_entry (struct vivgpu_variant, variant, &object->variants, link) {
      if (!memcmp(&variant->key, key, sizeof(*key)))
         return variant;
   }
   return NULL;
}

/* Add the variant for a new key to the object; see vivgpu_shader_create_variant(). */
static struct vivgpu_variant *
vivgpu_shader_add_variant(struct pipe_context *context, struct vivgpu_shader_object *object,
                          const struct vivgpu_shader_key *key, struct vivgpu_compile_error *error)
{
   struct vivgpu_variant *variant =
      vivgpu_shader_create_variant(vivgpu_screen(context->screen), object, key, error);

   if (variant) {
      list_add(&variant->link, &object->variants);
      if (variant->shader)
         vivgpu_shader_report(variant->shader, &context->debug);
   }
   return variant;
}

struct vivgpu_variant *
vivgpu_shader_variant(struct pipe_context *context, struct vivgpu_shader_object *object,
                      const struct vivgpu_shader_key *key)
{
   struct vivgpu_compile_error error = {NULL};
   struct vivgpu_variant *variant;

   simple_mtx_lock(&object->lock);
   variant = vivgpu_shader_find_variant(object, key);
   if (!variant) {
      variant = vivgpu_shader_add_variant(context, object, key, &error);
      if (!variant || !variant->shader)
         vivgpu_shader_log_failure(object, error.reason);
      free(error.reason);
   }
   simple_mtx_unlock(&object->lock);
   return variant && variant->shader ? variant : NULL;
}

/* Add the depth comparisons that the core cannot do to the key. */
static void
vivgpu_shader_add_comparisons(const struct vivgpu_context *context, unsigned stage,
                              struct vivgpu_shader_key *key)
{
   unsigned first = stage == VIVGPU_VS ? VIVGPU_VERTEX_SAMPLERS : 0;

   for (unsigned i = 0; i < VIVGPU_MAX_SAMPLERS; i++) {
      const struct vivgpu_sampler *sampler = context->textures.samplers[first + i];
      const struct pipe_sampler_view *view = context->textures.views[first + i];

      if (!sampler || !sampler->compares_in_shader || !view)
         continue;
      key->lower_shadow |= 1u << i;
      key->shadow_func[i] = sampler->base.compare_func;
      key->shadow_swizzle[i][0] = view->swizzle_r;
      key->shadow_swizzle[i][1] = view->swizzle_g;
      key->shadow_swizzle[i][2] = view->swizzle_b;
      key->shadow_swizzle[i][3] = view->swizzle_a;
   }
}

/* Add the borders of the textures that the shader samples to the key. */
static void
vivgpu_shader_add_borders(const struct vivgpu_context *context, unsigned stage,
                          struct vivgpu_shader_key *key)
{
   const struct nir_shader *nir = context->program.bound[stage]->nir;
   unsigned first = stage == VIVGPU_VS ? VIVGPU_VERTEX_SAMPLERS : 0;

   for (unsigned i = 0; i < VIVGPU_MAX_SAMPLERS && first + i < VIVGPU_NUM_SAMPLERS; i++) {
      if (context->textures.bordered & 1u << (first + i) && BITSET_TEST(nir->info.samplers_used, i))
         key->border[i] = context->textures.samplers[first + i]->border;
   }
}

/* Return the variant's key: the bound state that the core does not implement itself. */
static struct vivgpu_shader_key
vivgpu_shader_shader_key(const struct vivgpu_context *context, unsigned stage,
                         const struct vivgpu_program_key *program)
{
   struct vivgpu_shader_key key;

   memset(&key, 0, sizeof(key));
   key.ucp_enables = program->rasterizer.ucp_enables;
   if (stage == VIVGPU_VS)
      key.round_point_size = program->rasterizer.round_point_size;
   if (!context->screen->generation.halti2_textures)
      vivgpu_shader_add_comparisons(context, stage, &key);
   if (context->textures.bordered)
      vivgpu_shader_add_borders(context, stage, &key);
   if (stage == VIVGPU_VS)
      return key;

   /*
    * One of the fragment shader's samplers, which end where the vertex shader's begin. If all are
    * used the key is 0, and the polygon is not stippled.
    */
   if (program->stippled)
      key.stipple =
         1 + vivgpu_stipple_sampler(context->program.bound[stage]->nir->info.textures_used,
                                    context->screen->generation.samplers.vertex);
   key.sprite_coord_enable = program->sprite_coord_enable;
   key.sprite_coord_yinvert = program->rasterizer.sprite_coord_yinvert;
   key.front_ccw = program->rasterizer.front_ccw;
   key.extras = program->extras;
   key.flatshade = program->rasterizer.flatshade;
   key.num_color_outputs = program->framebuffer.num_color_outputs;
   key.frag_rb_swap = program->framebuffer.frag_rb_swap;
   return key;
}

/* True if no variant depends on textures. */
static bool
vivgpu_shader_textures_irrelevant(const struct vivgpu_context *context)
{
   return !context->textures.bordered && context->screen->generation.halti2_textures;
}

static void
vivgpu_shader_program_key(const struct vivgpu_context *context, struct vivgpu_program_key *key)
{
   const struct vivgpu_rasterizer *rasterizer = context->rasterizer;

   STATIC_ASSERT(sizeof(*key) == 24);
   key->objects[VIVGPU_VS] = context->program.bound[VIVGPU_VS]->number;
   key->objects[VIVGPU_FS] = context->program.bound[VIVGPU_FS]->number;
   key->framebuffer = context->packed_framebuffer.key;
   key->rasterizer = rasterizer->key;
   key->sprite_coord_enable =
      context->per_draw.point_sprites ? rasterizer->base.sprite_coord_enable : 0;
   key->extras = context->per_draw.extras;
   key->stippled = context->stipple.enabled;
   key->num_elements = context->elements->num_elements;
}

/* Allocate scratch memory for all invocations of a stage that can be in flight. */
static bool
vivgpu_shader_add_scratch(struct vivgpu_context *context, unsigned stage)
{
   uint32_t size = context->program.variants[stage]->shader->scratch_bytes;
   struct vivgpu_bo **bo = &context->scratch[stage];
   void *map;

   if (!size || (*bo && (*bo)->size >= size))
      return true;
   vivgpu_bo_unref(*bo);
   *bo = vivgpu_bo_create(context->screen->kernel, size);
   map = *bo ? vivgpu_bo_map(*bo) : NULL;
   if (!map) {
      /* Not kept, since the counter in its header is not zero. */
      vivgpu_bo_unref(*bo);
      *bo = NULL;
      return false;
   }
   memset(map, 0, VIVGPU_SCRATCH_HEADER);
   return true;
}

static void
vivgpu_shader_link_variants(struct vivgpu_context *context, struct vivgpu_linked_program *linked,
                            const struct vivgpu_variant *vs, const struct vivgpu_variant *fs)
{
   const struct vivgpu_program_key *program = &linked->key;
   struct vivgpu_link_key key = {
      .core = &context->screen->info->gpu,
      .num_elements = program->num_elements,
      .multisample = program->framebuffer.multisample,
      .num_targets = program->framebuffer.num_targets,
   };

   memcpy(key.output, program->framebuffer.output, sizeof(key.output));
   linked->described.hash = 0;
   linked->link_number = ++context->program.num_links;
   linked->delta_base = 0;
   linked->samplers =
      fs->shader->samplers | (uint32_t)vs->shader->samplers << VIVGPU_VERTEX_SAMPLERS;
   /* The entry's words change below: they no longer say what the GPU has. */
   if (context->emitted.link == linked)
      context->emitted.link = NULL;
   vivgpu_link(&linked->link, vs->shader, fs->shader, &key);
}

/* The VIVGPU_LINKED_PROGRAM_WAYS entries of the cache in which a pair with this hash may be. */
static struct vivgpu_linked_program *
vivgpu_shader_linked_set(struct vivgpu_program *program, unsigned hash)
{
   return &program->linked[hash * VIVGPU_LINKED_PROGRAM_WAYS % VIVGPU_MAX_LINKED_PROGRAMS];
}

/* True if an entry is the pair of these variants for this state. */
static bool
vivgpu_shader_is_linked(const struct vivgpu_linked_program *linked,
                        const struct vivgpu_program_key *key,
                        struct vivgpu_variant *const variants[2])
{
   return linked->numbers[VIVGPU_VS] == variants[VIVGPU_VS]->number &&
          linked->numbers[VIVGPU_FS] == variants[VIVGPU_FS]->number &&
          !memcmp(&linked->key, key, sizeof(*key));
}

/* The entry of a set that is the pair of these variants, or an unused one, or each in turn. */
static struct vivgpu_linked_program *
vivgpu_shader_choose_entry(const struct vivgpu_program *program, struct vivgpu_linked_program *set,
                           const struct vivgpu_program_key *key,
                           struct vivgpu_variant *const variants[2])
{
   struct vivgpu_linked_program *entry = &set[program->num_links % VIVGPU_LINKED_PROGRAM_WAYS];

   for (unsigned i = 0; i < VIVGPU_LINKED_PROGRAM_WAYS; i++) {
      if (vivgpu_shader_is_linked(&set[i], key, variants))
         return &set[i];
      if (!set[i].numbers[VIVGPU_VS])
         entry = &set[i];
   }
   return entry;
}

/*
 * Choose variants by all state, and link them unless the cache has this pair. @complete: the key is
 * complete, that is, the variants do not depend on textures; otherwise, the variants' numbers are
 * part of the hash. Returns NULL on failure.
 */
static struct vivgpu_linked_program *
vivgpu_shader_link_program(struct vivgpu_context *context, const struct vivgpu_program_key *key,
                           unsigned hash, bool complete)
{
   struct vivgpu_program *program = &context->program;
   struct vivgpu_linked_program *linked;
   struct vivgpu_variant *variants[2];

   for (unsigned stage = 0; stage < 2; stage++) {
      struct vivgpu_shader_key shader = vivgpu_shader_shader_key(context, stage, key);

      variants[stage] = vivgpu_shader_variant(&context->base, program->bound[stage], &shader);
      if (!variants[stage])
         return NULL;
      hash += complete ? 0 : variants[stage]->number;
   }
   linked =
      vivgpu_shader_choose_entry(program, vivgpu_shader_linked_set(program, hash), key, variants);
   linked->complete = complete;
   memcpy(linked->variants, variants, sizeof(variants));
   if (vivgpu_shader_is_linked(linked, key, variants))
      return linked;
   linked->numbers[VIVGPU_VS] = variants[VIVGPU_VS]->number;
   linked->numbers[VIVGPU_FS] = variants[VIVGPU_FS]->number;
   linked->key = *key;
   vivgpu_shader_link_variants(context, linked, variants[VIVGPU_VS], variants[VIVGPU_FS]);
   return linked;
}

static unsigned
vivgpu_shader_hash_key(const struct vivgpu_program_key *key)
{
   uint32_t words[sizeof(*key) / sizeof(uint32_t)], hash = 0;

   memcpy(words, key, sizeof(words));
   for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
      hash = (hash ^ words[i]) * 0x9e3779b1;
   /* The highest bits depend on all bits of the key. */
   return hash >> 27;
}

/* Get the linked pair from the cache, or link it. */
static struct vivgpu_linked_program *
vivgpu_shader_find_program(struct vivgpu_context *context, const struct vivgpu_program_key *key)
{
   unsigned hash = vivgpu_shader_hash_key(key);
   struct vivgpu_linked_program *set = vivgpu_shader_linked_set(&context->program, hash);
   bool complete = vivgpu_shader_textures_irrelevant(context);

   for (unsigned i = 0; complete && i < VIVGPU_LINKED_PROGRAM_WAYS; i++) {
      if (set[i].complete && !memcmp(&set[i].key, key, sizeof(*key)))
         return &set[i];
   }
   return vivgpu_shader_link_program(context, key, hash, complete);
}

/*
 * Choose the linked pair for the bound state. Returns false if nothing can be drawn; without
 * variants program->current remains the last pair, which vivgpu_program_chosen() ignores then.
 */
static bool
vivgpu_shader_choose_program(struct vivgpu_context *context)
{
   struct vivgpu_program *program = &context->program;
   struct vivgpu_linked_program *linked;
   struct vivgpu_program_key key;

   if (!program->bound[VIVGPU_VS] || !program->bound[VIVGPU_FS])
      return false;
   vivgpu_shader_program_key(context, &key);
   linked = vivgpu_shader_find_program(context, &key);
   if (!linked) {
      program->variants[VIVGPU_VS] = program->variants[VIVGPU_FS] = NULL;
      return false;
   }
   program->variants[VIVGPU_VS] = linked->variants[VIVGPU_VS];
   program->variants[VIVGPU_FS] = linked->variants[VIVGPU_FS];
   if (context->textures.read != linked->samplers) {
      context->textures.read = linked->samplers;
      context->dirty |= VIVGPU_DIRTY_SAMPLERS;
   }
   if (program->current == linked && program->link_number == linked->link_number)
      return true;
   program->current = linked;
   program->link_number = linked->link_number;
   context->dirty |= VIVGPU_DIRTY_LINK;
   /*
    * Compare numbers, not pointers: another context may have deleted the last variant, and the new
    * one may have its address.
    */
   if (memcmp(program->numbers, linked->numbers, sizeof(program->numbers))) {
      memcpy(program->numbers, linked->numbers, sizeof(program->numbers));
      context->dirty |= VIVGPU_DIRTY_PROGRAM;
   }
   return true;
}

bool
vivgpu_shader_update(struct vivgpu_context *context)
{
   if (!vivgpu_shader_choose_program(context))
      return false;
   if (!(context->dirty & VIVGPU_DIRTY_PROGRAM))
      return true;
   return vivgpu_shader_add_scratch(context, VIVGPU_VS) &&
          vivgpu_shader_add_scratch(context, VIVGPU_FS);
}

static bool
vivgpu_shader_number_buffer(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   nir_def *number;

   if (load->intrinsic != nir_intrinsic_load_ubo)
      return false;
   b->cursor = nir_before_instr(&load->instr);
   number = nir_src_is_const(load->src[0]) ? nir_imm_int(b, nir_src_as_uint(load->src[0]) + 1)
                                           : nir_iadd_imm(b, load->src[0].ssa, 1);
   nir_src_rewrite(&load->src[0], number);
   return true;
}

/* Gallium binds uniform blocks as buffers from 1 on, but NIR numbers them from 0. */
static void
vivgpu_shader_number_buffers(nir_shader *nir)
{
   if (nir->info.first_ubo_is_default_ubo)
      return;
   nir_shader_intrinsics_pass(nir, vivgpu_shader_number_buffer, nir_metadata_control_flow, NULL);
   nir->info.first_ubo_is_default_ubo = true;
}

static void
vivgpu_shader_destroy_object(struct vivgpu_shader_object *object)
{
   list_for_each_entry_safe (struct vivgpu_variant, variant, &object->variants, link)
      vivgpu_shader_destroy_variant(variant);
   simple_mtx_destroy(&object->lock);
   ralloc_free(object->nir);
   FREE(object);
}

/*
 * Compile the variant that most draws use, so that the first draw does not wait for it. The lock is
 * not needed, since no other thread has the object yet. Returns false, with a message, if linking
 * has to fail since the shader exceeds a limit of the core. Operations that the core lacks do not
 * make it fail: shaders have them only if the user makes Mesa expose a version of GL that the core
 * does not support.
 */
static bool
vivgpu_shader_compile_first(struct pipe_context *context, struct vivgpu_shader_object *object,
                            struct pipe_shader_state *state)
{
   struct vivgpu_compile_error error = {NULL};
   struct vivgpu_shader_key key;
   bool refused;

   memset(&key, 0, sizeof(key));
   vivgpu_shader_add_variant(context, object, &key, &error);
   refused = error.reason && error.is_limit && state->report_compile_error;
   if (refused && asprintf(&state->error_message, "The %s shader does not fit the GPU: %s.\n",
                           _mesa_shader_stage_to_string(object->nir->info.stage), error.reason) < 0)
      state->error_message = NULL;
   else if (!refused && error.reason)
      vivgpu_shader_log_failure(object, error.reason);
   free(error.reason);
   return !refused;
}

static void *
vivgpu_create_shader_state(struct pipe_context *context, const struct pipe_shader_state *state)
{
   struct vivgpu_shader_object *object = CALLOC_STRUCT(vivgpu_shader_object);

   if (!object)
      return NULL;
   object->number = p_atomic_inc_return(&numbers);
   simple_mtx_init(&object->lock, mtx_plain);
   list_inithead(&object->variants);
   object->nir = state->type == PIPE_SHADER_IR_NIR
                    ? state->ir.nir
                    : tgsi_to_nir(state->tokens, context->screen, false);
   vivgpu_shader_number_buffers(object->nir);
   if (vivgpu_screen(context->screen)->cache)
      vivgpu_cache_hash_nir(object->nir, object->name);
   /* Mesa declares the state constant, but drivers write its error_message. */
   if (!vivgpu_shader_compile_first(context, object, (struct pipe_shader_state *)state)) {
      vivgpu_shader_destroy_object(object);
      return NULL;
   }
   return object;
}

static void
vivgpu_delete_shader_state(struct pipe_context *pcontext, void *state)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);
   struct vivgpu_shader_object *object = state;

   list_for_each_entry (struct vivgpu_variant, variant, &object->variants, link) {
      if (context->program.variants[VIVGPU_VS] == variant ||
          context->program.variants[VIVGPU_FS] == variant)
         context->program.variants[VIVGPU_VS] = context->program.variants[VIVGPU_FS] = NULL;
   }
   vivgpu_shader_destroy_object(object);
}

/* Only the state tracker's own shader has this name; applications cannot name shaders. */
bool
vivgpu_shader_draws_pixels(const struct vivgpu_shader_object *object)
{
   const struct shader_info *info = &object->nir->info;

   return info->internal && info->name && !strcmp(info->name, "drawpixels VS");
}

static void
vivgpu_shader_bind(struct pipe_context *pcontext, unsigned stage, void *state)
{
   struct vivgpu_context *context = vivgpu_context(pcontext);

   context->program.bound[stage] = state;
   vivgpu_context_dirty(context, VIVGPU_DIRTY_SHADERS);
}

static void
vivgpu_bind_vs_state(struct pipe_context *context, void *state)
{
   vivgpu_shader_bind(context, VIVGPU_VS, state);
}

static void
vivgpu_bind_fs_state(struct pipe_context *context, void *state)
{
   vivgpu_shader_bind(context, VIVGPU_FS, state);
}

void
vivgpu_shader_init(struct pipe_context *context)
{
   context->create_vs_state = vivgpu_create_shader_state;
   context->bind_vs_state = vivgpu_bind_vs_state;
   context->delete_vs_state = vivgpu_delete_shader_state;
   context->create_fs_state = vivgpu_create_shader_state;
   context->bind_fs_state = vivgpu_bind_fs_state;
   context->delete_fs_state = vivgpu_delete_shader_state;
}
