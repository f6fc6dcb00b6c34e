/* SPDX-License-Identifier: MIT */

#include "vivgpu_target_order.h"

#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "vivgpu_context.h"
#include "vivgpu_format.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"

#define PASSES 2

/* The framebuffer's native_prims are 0 if it has targets of both orders. */
bool
vivgpu_target_order_matters(const struct vivgpu_context *context)
{
   return !context->packed_framebuffer.native_prims &&
          vivgpu_blend_tells_red_from_blue(context->blend, context->blend_color.color);
}

/* Copy the depth buffer to order->depth, or @back: whole surfaces of one layout. */
static bool
vivgpu_target_copy_depth(struct vivgpu_context *context, const struct vivgpu_target_order *order,
                         bool back)
{
   const struct pipe_surface *surface = order->framebuffer.zsbuf;
   const struct vivgpu_rs_origin copy = {vivgpu_resource(order->depth)};
   const struct vivgpu_rs_origin depth = {
      .resource = vivgpu_surface(order->framebuffer.zsbuf)->render,
      .level = surface->u.tex.level,
      .z = surface->u.tex.first_layer,
   };

   return vivgpu_rs_copy_window(context, back ? &depth : &copy, back ? &copy : &depth,
                                surface->width, surface->height);
}

/* Create a surface like the depth buffer's level. */
static struct pipe_resource *
vivgpu_target_create_depth(struct vivgpu_context *context, struct pipe_surface *surface)
{
   const struct vivgpu_resource *resource = vivgpu_surface(surface)->render;
   const struct pipe_resource base = {
      .target = PIPE_TEXTURE_2D,
      .format = resource->base.b.format,
      .width0 = surface->width,
      .height0 = surface->height,
      .depth0 = 1,
      .array_size = 1,
      .nr_samples = resource->base.b.nr_samples,
      .nr_storage_samples = resource->base.b.nr_storage_samples,
      .bind = PIPE_BIND_DEPTH_STENCIL,
   };

   return vivgpu_resource_create_tiled(context->base.screen, &base, resource->layout.tiling);
}

bool
vivgpu_target_order_begin(struct vivgpu_context *context, struct vivgpu_target_order *order)
{
   *order = (struct vivgpu_target_order){.paused = context->occlusion.paused};
   util_copy_framebuffer_state(&order->framebuffer, &context->framebuffer);
   if (!vivgpu_depth_written(context))
      return true;
   order->depth = vivgpu_target_create_depth(context, order->framebuffer.zsbuf);
   if (order->depth && vivgpu_target_copy_depth(context, order, false))
      return true;
   pipe_resource_reference(&order->depth, NULL);
   util_unreference_framebuffer_state(&order->framebuffer);
   return false;
}

/* Bind the targets of one order. */
static void
vivgpu_target_bind_targets(struct vivgpu_context *context, const struct vivgpu_target_order *order,
                           bool swapped)
{
   struct pipe_framebuffer_state some = order->framebuffer;

   for (unsigned i = 0; i < some.nr_cbufs; i++) {
      if (some.cbufs[i] && vivgpu_format_rb_swap(some.cbufs[i]->format) != swapped)
         some.cbufs[i] = NULL;
   }
   context->base.set_framebuffer_state(&context->base, &some);
}

/* Queries count the samples of the first pass only. */
bool
vivgpu_target_order_next_pass(struct vivgpu_context *context, struct vivgpu_target_order *order)
{
   unsigned pass = order->next++;

   if (pass == PASSES) {
      context->base.set_framebuffer_state(&context->base, &order->framebuffer);
      context->base.set_active_query_state(&context->base, !order->paused);
      pipe_resource_reference(&order->depth, NULL);
      util_unreference_framebuffer_state(&order->framebuffer);
      return false;
   }
   if (pass) {
      context->base.set_active_query_state(&context->base, false);
      if (order->depth)
         vivgpu_target_copy_depth(context, order, true);
   }
   vivgpu_target_bind_targets(context, order, pass);
   return true;
}
