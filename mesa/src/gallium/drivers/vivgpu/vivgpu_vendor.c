/* SPDX-License-Identifier: MIT */

#include "vivgpu_vendor.h"

#include "vivgpu_emit.h"
#include "vivgpu_job.h"
#include "vivgpu_resource.h"
#include "vivgpu_rs.h"
#include "vivgpu_shadow.h"

/* Words of vivgpu_emit_flush() at most */
#define FLUSH_WORDS 8

void
vivgpu_vendor_flush(struct vivgpu_context *context)
{
   if (!context->stream.used && vivgpu_job_reserve(context, FLUSH_WORDS))
      vivgpu_emit_flush(context);
}

void
vivgpu_vendor_submit(struct vivgpu_context *context)
{
   vivgpu_vendor_flush(context);
   vivgpu_job_submit(context, VIVGPU_GROUP_FLUSH);
}

void
vivgpu_vendor_swap(struct vivgpu_context *context, struct vivgpu_resource *resource)
{
   bool copies = resource->shadow && p_atomic_read(&resource->shadow_newer);

   if (vivgpu_resource_is_window(&resource->base.b) &&
       (copies || vivgpu_rs_is_pending(context, resource)))
      vivgpu_vendor_submit(context);
}

bool
vivgpu_vendor_clears_fully(const struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *framebuffer = &context->framebuffer;

   return !framebuffer->nr_cbufs || !framebuffer->cbufs[0] ||
          !vivgpu_resource_is_window(framebuffer->cbufs[0]->texture);
}

void
vivgpu_vendor_bind_framebuffer(struct vivgpu_context *context)
{
   const struct pipe_framebuffer_state *framebuffer = &context->framebuffer;

   for (unsigned i = 0; i < framebuffer->nr_cbufs; i++) {
      struct pipe_surface *surface = framebuffer->cbufs[i];
      struct vivgpu_resource *resource;

      if (!surface || vivgpu_resource_is_window(surface->texture))
         continue;
      resource = vivgpu_resource(surface->texture);
      /* What was rendered is copied to the texture, and is older than it then. */
      vivgpu_shadow_update_base(context, resource, 1u << surface->u.tex.level);
      vivgpu_shadow_mark_base_written(resource, surface->u.tex.level);
   }
}

void
vivgpu_vendor_draw(struct vivgpu_context *context)
{
   const struct pipe_vertex_buffer *buffer = &context->vertices.buffers[0];
   const struct pipe_resource *now = NULL;

   /* Mesa copies vertices of the application's memory to such buffers, of 1 MB each. */
   if (context->vertices.mask & 1 && buffer->buffer.resource &&
       buffer->buffer.resource->usage == PIPE_USAGE_STREAM)
      now = buffer->buffer.resource;
   if (context->vendor.vertices && now && now != context->vendor.vertices)
      vivgpu_job_submit(context, VIVGPU_GROUP_FULL_UPLOAD);
   if (now)
      context->vendor.vertices = now;
}
