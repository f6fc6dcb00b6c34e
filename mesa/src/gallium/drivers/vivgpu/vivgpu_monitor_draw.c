/* SPDX-License-Identifier: MIT */
/* Parameters of draws; see vivgpu_monitor.h. */

#include <string.h>

#include "compiler/nir/nir.h"
#include "compiler/vivgpu_compiler.h"
#include "util/format/u_format.h"
#include "util/u_math.h"
#include "util/u_prim.h"
#include "util/xxhash.h"
#include "vivgpu_context.h"
#include "vivgpu_monitor.h"
#include "vivgpu_monitor_state.h"
#include "vivgpu_resource.h"

static uint16_t
vivgpu_monitor_draw_limit16(unsigned value)
{
   return MIN2(value, UINT16_MAX);
}

static uint8_t
vivgpu_monitor_limit8(unsigned value)
{
   return MIN2(value, UINT8_MAX);
}

/* Keys have 24 bits for the number of a view: later views have none. */
#define MAX_VIEW_NUMBER BITFIELD_MASK(24)

/*
 * Describe the framebuffer as vivgpu_monitor.target, but for its id. vivgpu_set_framebuffer_state()
 * has set the target's samples to 0, which says that this is to be called.
 */
static void
vivgpu_monitor_describe_framebuffer(struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   struct vivgpu_group_target *target = &context->monitor->target;

   memset(target, 0, sizeof(*target));
   /* The depth buffer is last. */
   for (unsigned i = 0; i <= fb->nr_cbufs; i++) {
      struct pipe_surface *surface = i < fb->nr_cbufs ? fb->cbufs[i] : fb->zsbuf;

      if (surface)
         vivgpu_monitor_add_target(target, vivgpu_monitor_surface(context, surface));
   }
   target->width = fb->width;
   target->height = fb->height;
   if (!target->samples)
      target->samples = MAX2(fb->samples, 1);
}

static void
vivgpu_monitor_describe_target(struct vivgpu_context *context, struct vivgpu_group_target *target)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   const struct pipe_surface *first = fb->zsbuf;

   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (!fb->cbufs[i])
         continue;
      first = fb->cbufs[i];
      break;
   }
   if (!context->monitor->target.samples)
      vivgpu_monitor_describe_framebuffer(context);
   *target = context->monitor->target;
   /* A framebuffer without attachments has no resource; no buffer has this number. */
   target->id = first ? vivgpu_resource(first->texture)->bo->handle : UINT32_MAX;
}

/*
 * The pixels that draws can change: origin and size. If none of the state in VIVGPU_DESCRIBED_AREA
 * is dirty, they were emitted.
 */
static void
vivgpu_monitor_describe_area(const struct vivgpu_context *context, uint16_t area[4])
{
   struct pipe_scissor_state box = context->emitted.scissor;

   if (context->dirty & VIVGPU_DESCRIBED_AREA)
      box = vivgpu_scissor_box(&context->viewport,
                               context->rasterizer->base.scissor ? &context->scissor : NULL,
                               context->framebuffer.width, context->framebuffer.height);

   area[0] = box.minx;
   area[1] = box.miny;
   area[2] = box.maxx > box.minx ? box.maxx - box.minx : 0;
   area[3] = box.maxy > box.miny ? box.maxy - box.miny : 0;
}

/* True if this is a draw by which Mesa clears a part of the framebuffer. */
static bool
vivgpu_monitor_clears(const struct vivgpu_context *context)
{
   const struct vivgpu_shader_object *vs = context->program.bound[VIVGPU_VS];
   const struct shader_info *info = vs ? &vs->nir->info : NULL;

   return info && info->internal && info->name && !strcmp(info->name, "clear VS");
}

static void
vivgpu_monitor_describe_clear(const struct vivgpu_context *context, struct vivgpu_command *command)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   struct vivgpu_command_clear *clear = &command->clear;
   unsigned bytes = 0;

   memset(&command->draw, 0, sizeof(command->draw));
   command->type = VIVGPU_COMMAND_CLEAR;
   clear->kind = VIVGPU_CLEAR_DRAW;
   vivgpu_monitor_describe_area(context, clear->area);
   /* All targets have one channel mask, which is in entry 0. */
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      unsigned mask = context->blend->base.rt[0].colormask;

      if (fb->cbufs[i] && mask) {
         clear->buffers |= PIPE_CLEAR_COLOR0 << i;
         bytes += util_format_get_blocksize(fb->cbufs[i]->format);
      }
   }
   if (fb->zsbuf && context->zsa->writes_depth)
      clear->buffers |= PIPE_CLEAR_DEPTH;
   if (fb->zsbuf && context->zsa->writes_stencil)
      clear->buffers |= PIPE_CLEAR_STENCIL;
   if (clear->buffers & PIPE_CLEAR_DEPTHSTENCIL)
      bytes += command->target.depth_bytes;
   clear->bytes = (uint32_t)clear->area[2] * clear->area[3] * bytes * command->target.samples;
}

void
vivgpu_monitor_open_draw(struct vivgpu_context *context, const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_command *command =
      vivgpu_group_begin(&monitor->builder, context->stream.used * sizeof(uint32_t));

   monitor->repeat_key = VIVGPU_MONITOR_NO_REPEAT;
   monitor->stale |= context->dirty;
   /* Nothing of a draw within another command is listed, but the next one has to describe more. */
   if (!command)
      return;
   command->type = VIVGPU_COMMAND_DRAW;
   command->flags = 0;
   monitor->described = monitor->swtnl = false;
   monitor->info = info;
   monitor->draws = draws;
   monitor->num_draws = num_draws;
}

/* Set what the open draw's description has from its call. */
static void
vivgpu_monitor_describe_call(const struct vivgpu_monitor *monitor, struct vivgpu_command_draw *draw)
{
   const struct pipe_draw_info *info = monitor->info;

   draw->count = draw->primitives = 0;
   draw->instances = info->instance_count;
   draw->mode = info->mode;
   draw->index_bytes = info->index_size;
   draw->state |=
      (info->index_size ? VIVGPU_DRAW_INDEXED : 0) | (monitor->swtnl ? VIVGPU_DRAW_SWTNL : 0);
   for (unsigned i = 0; i < monitor->num_draws; i++) {
      draw->count += monitor->draws[i].count;
      draw->primitives +=
         vivgpu_group_primitives(info->mode, monitor->draws[i].count) * info->instance_count;
   }
}

void
vivgpu_monitor_set_swtnl(struct vivgpu_context *context, bool swtnl)
{
   struct vivgpu_command *open = vivgpu_group_opened(&context->monitor->builder);

   if (open && open->type == VIVGPU_COMMAND_DRAW)
      context->monitor->swtnl = swtnl;
}

/* Hash of a shader's code: the same in each run. It is computed once. */
static uint32_t
vivgpu_monitor_code_hash(struct vivgpu_variant *variant)
{
   uint32_t hash = p_atomic_read(&variant->code_hash);

   if (!hash) {
      hash =
         XXH32(variant->shader->code,
               variant->shader->num_instructions * VIVGPU_INSTRUCTION_WORDS * sizeof(uint32_t), 0);
      hash += !hash;
      p_atomic_set(&variant->code_hash, hash);
   }
   return hash;
}

/* Describe a pair of variants, once. */
static const struct vivgpu_described_program *
vivgpu_monitor_describe_program(struct vivgpu_linked_program *linked,
                                struct vivgpu_variant *const variants[2])
{
   const struct vivgpu_shader *vs = variants[VIVGPU_VS]->shader, *fs = variants[VIVGPU_FS]->shader;
   struct vivgpu_described_program *described = &linked->described;

   if (described->hash)
      return described;
   for (unsigned stage = 0; stage < 2; stage++) {
      const struct vivgpu_shader *shader = variants[stage]->shader;

      described->instructions[stage] = vivgpu_monitor_draw_limit16(shader->num_instructions);
      described->lookups[stage] = vivgpu_monitor_limit8(shader->stats.textures);
      described->temporaries[stage] = vivgpu_monitor_limit8(shader->num_temps);
   }
   described->varyings = vivgpu_monitor_limit8(fs->num_inputs);
   described->late_depth = fs->uses_kill || fs->writes_depth;
   described->samplers = fs->samplers | (uint32_t)vs->samplers << VIVGPU_VERTEX_SAMPLERS;
   described->hash = vivgpu_monitor_code_hash(variants[VIVGPU_VS]) * 31 +
                     vivgpu_monitor_code_hash(variants[VIVGPU_FS]);
   described->hash += !described->hash;
   return described;
}

/*
 * Describe what a view shows of its texture: once, or each time if numbers exceed MAX_VIEW_NUMBER.
 * The texture is not a buffer.
 */
static const struct vivgpu_group_texture *
vivgpu_monitor_describe_view(struct vivgpu_view *view)
{
   const struct pipe_resource *resource = view->base.texture;
   unsigned first = view->base.u.tex.first_level;

   if (view->described_number)
      return &view->described;
   view->described = (struct vivgpu_group_texture){
      .width = vivgpu_monitor_draw_limit16(u_minify(resource->width0, first)),
      .height = vivgpu_monitor_draw_limit16(u_minify(resource->height0, first)),
      .format = view->base.format,
      .layers = resource->target == PIPE_TEXTURE_3D ? u_minify(resource->depth0, first)
                                                    : MAX2(resource->array_size, 1),
      .levels = view->base.u.tex.last_level - first + 1,
   };
   if (vivgpu_monitor_number(&view->described_number) > MAX_VIEW_NUMBER)
      view->described_number = 0;
   return &view->described;
}

static struct vivgpu_group_texture
vivgpu_monitor_describe_texture(struct vivgpu_view *view, const struct vivgpu_sampler *sampler)
{
   struct vivgpu_group_texture texture = *vivgpu_monitor_describe_view(view);

   texture.anisotropy = sampler->described >> VIVGPU_DESCRIBED_FILTER_BITS;
   texture.filter = sampler->described & BITFIELD_MASK(VIVGPU_DESCRIBED_FILTER_BITS);
   return texture;
}

static void
vivgpu_monitor_describe_textures(const struct vivgpu_context *context,
                                 struct vivgpu_command_draw *draw, uint32_t samplers)
{
   u_foreach_bit (i, samplers) {
      struct pipe_sampler_view *view = context->textures.views[i];
      const struct vivgpu_sampler *sampler = context->textures.samplers[i];
      struct vivgpu_group_texture texture;

      if (!view || !sampler || view->target == PIPE_BUFFER)
         continue;
      draw->texture_bytes += vivgpu_resource(view->texture)->layout.size;
      texture = vivgpu_monitor_describe_texture(vivgpu_view(view), sampler);
      if (draw->num_textures < VIVGPU_DRAW_TEXTURES)
         draw->textures[draw->num_textures] = texture;
      draw->num_textures = vivgpu_monitor_limit8(draw->num_textures + 1);
   }
}

/* What is known when the shaders are chosen; another pair may read other samplers. */
static void
vivgpu_monitor_describe_shaders(struct vivgpu_context *context, struct vivgpu_command_draw *draw)
{
   struct vivgpu_linked_program *linked = context->program.current;
   const struct vivgpu_described_program *program =
      vivgpu_monitor_describe_program(linked, context->program.variants);

   if (linked->link_number != context->monitor->link_number) {
      context->monitor->link_number = linked->link_number;
      draw->program = program->hash;
      draw->varyings = program->varyings;
      memcpy(draw->instructions, program->instructions, sizeof(draw->instructions));
      memcpy(draw->lookups, program->lookups, sizeof(draw->lookups));
      memcpy(draw->temporaries, program->temporaries, sizeof(draw->temporaries));
      context->monitor->stale |= VIVGPU_DIRTY_SAMPLERS | VIVGPU_DIRTY_LINK;
   }
   if (!(context->monitor->stale & VIVGPU_DIRTY_SAMPLERS))
      return;
   draw->texture_bytes = draw->num_textures = 0;
   if (program->samplers)
      vivgpu_monitor_describe_textures(context, draw, program->samplers);
}

/* False until the shaders of a draw are chosen and linked. */
static bool
vivgpu_monitor_has_shaders(const struct vivgpu_context *context)
{
   struct vivgpu_variant *const *variants = context->program.variants;
   const struct vivgpu_linked_program *linked = context->program.current;

   return linked && variants[VIVGPU_VS] && variants[VIVGPU_FS] &&
          linked->numbers[VIVGPU_VS] == variants[VIVGPU_VS]->number &&
          linked->numbers[VIVGPU_FS] == variants[VIVGPU_FS]->number;
}

/*
 * Describe what changed since the last draw that was described. A draw whose shaders were not
 * chosen is not described completely, and what is stale stays so.
 */
static void
vivgpu_monitor_update_draw(struct vivgpu_context *context, struct vivgpu_command *command)
{
   struct vivgpu_monitor *monitor = context->monitor;

   if (monitor->stale & VIVGPU_DIRTY_FRAMEBUFFER)
      vivgpu_monitor_describe_target(context, &command->target);
   command->draw.vertex_bytes = vivgpu_monitor_draw_limit16(context->elements->vertex_bytes);
   if (monitor->stale & VIVGPU_DESCRIBED_AREA)
      vivgpu_monitor_describe_area(context, command->draw.area);
   if (vivgpu_monitor_has_shaders(context)) {
      vivgpu_monitor_describe_shaders(context, &command->draw);
      command->draw.state =
         vivgpu_describe_state(context) |
         (context->program.current->described.late_depth ? VIVGPU_DRAW_LATE_DEPTH : 0);
      monitor->stale = 0;
      monitor->described = true;
   }
}

/* Add a draw to what the next swap copies. Repeated draws, of the same area, are not added. */
static void
vivgpu_monitor_add_to_window(struct vivgpu_context *context, const struct vivgpu_command *command)
{
   const struct pipe_framebuffer_state *fb = &context->framebuffer;
   struct vivgpu_monitor *monitor = context->monitor;

   if (!fb->nr_cbufs || !fb->cbufs[0] || !vivgpu_resource_is_window(fb->cbufs[0]->texture))
      return;
   monitor->window = command->target;
   monitor->window_has_status = command->draw.state & VIVGPU_DRAW_COLOR_TS;
   monitor->window_pixels += (uint32_t)command->draw.area[2] * command->draw.area[3];
}

void
vivgpu_monitor_finish_draw(struct vivgpu_context *context)
{
   struct vivgpu_monitor *monitor = context->monitor;
   struct vivgpu_command *open = &monitor->builder.open;

   if (monitor->builder.depth != 1 || open->type != VIVGPU_COMMAND_DRAW || monitor->described)
      return;
   if (unlikely(vivgpu_monitor_clears(context))) {
      vivgpu_monitor_describe_target(context, &open->target);
      vivgpu_monitor_describe_clear(context, open);
      return;
   }
   vivgpu_monitor_update_draw(context, &monitor->draw);
   open->target = monitor->draw.target;
   open->draw = monitor->draw.draw;
   vivgpu_monitor_describe_call(monitor, &open->draw);
   open->draw.box_pixels = monitor->box_pixels;
   open->draw.state |= vivgpu_describe_status(context);
   vivgpu_monitor_add_to_window(context, open);
}
