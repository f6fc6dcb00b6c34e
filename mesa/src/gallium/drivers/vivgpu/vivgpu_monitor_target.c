/* SPDX-License-Identifier: MIT */
/* Resources as the targets of commands; see vivgpu_monitor.h. */

#include "util/format/u_format.h"
#include "util/u_math.h"
#include "vivgpu_context.h"
#include "vivgpu_monitor.h"
#include "vivgpu_resource.h"

/* Few formats are in use at a time: their properties are kept. */
static const struct vivgpu_monitor_format *
vivgpu_monitor_look_up(struct vivgpu_monitor *monitor, enum pipe_format format)
{
   struct vivgpu_monitor_format *of = &monitor->formats[format % ARRAY_SIZE(monitor->formats)];

   if (of->format != format) {
      of->format = format;
      of->bytes = util_format_get_blocksize(format);
      of->depth = util_format_is_depth_or_stencil(format);
   }
   return of;
}

void
vivgpu_monitor_set_target(struct vivgpu_context *context, struct vivgpu_group_target *target,
                          struct pipe_resource *resource, enum pipe_format format, unsigned level)
{
   const struct vivgpu_monitor_format *of = vivgpu_monitor_look_up(context->monitor, format);

   *target = (struct vivgpu_group_target){
      .width = MIN2(u_minify(resource->width0, level), UINT16_MAX),
      .height = MIN2(u_minify(resource->height0, level), UINT16_MAX),
      .samples = MAX2(resource->nr_samples, 1),
      .id = vivgpu_resource(resource)->bo->handle,
   };
   if (of->depth) {
      target->depth_format = format;
      target->depth_bytes = of->bytes;
   } else {
      target->color_format = format;
      target->color_bytes = of->bytes;
      target->num_colors = 1;
   }
}

const struct vivgpu_group_target *
vivgpu_monitor_surface(struct vivgpu_context *context, struct pipe_surface *psurface)
{
   struct vivgpu_surface *surface = vivgpu_surface(psurface);

   if (!surface->described.samples)
      vivgpu_monitor_set_target(context, &surface->described, psurface->texture, psurface->format,
                                psurface->u.tex.level);
   if (!surface->described_key)
      surface->described_key = vivgpu_monitor_surface_key(
         psurface, &vivgpu_resource(psurface->texture)->described_number);
   surface->described.id = vivgpu_resource(psurface->texture)->bo->handle;
   return &surface->described;
}

void
vivgpu_monitor_add_target(struct vivgpu_group_target *target,
                          const struct vivgpu_group_target *added)
{
   /* It is empty: handles of buffers, which are the ids, are not 0. */
   if (!target->id) {
      *target = *added;
      return;
   }
   target->color_format = target->color_format ? target->color_format : added->color_format;
   target->depth_format = target->depth_format ? target->depth_format : added->depth_format;
   target->color_bytes += added->color_bytes;
   target->depth_bytes += added->depth_bytes;
   target->num_colors += added->num_colors;
}
