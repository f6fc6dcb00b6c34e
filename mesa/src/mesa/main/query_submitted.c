/* SPDX-License-Identifier: MIT */

#include "query_submitted.h"

#include "main/condrender.h"
#include "main/mtypes.h"
#include "pipe/p_context.h"
#include "util/u_inlines.h"
#include "util/u_submitted.h"

/* What is discarded by a condition was not submitted. */
static void
add(struct gl_context *ctx, const struct util_submitted *sum)
{
   if (!_mesa_check_conditional_render(ctx))
      return;
   ctx->Query.Submitted.vertices += sum->vertices;
   ctx->Query.Submitted.primitives += sum->primitives;
}

/* Where primitives restart is in the indices. Indices behind the buffer's end don't count. */
static void
count_restarted(struct gl_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draw, struct util_submitted *sum)
{
   uint64_t offset = (uint64_t)draw->start * info->index_size;
   struct pipe_transfer *transfer = NULL;
   unsigned count = draw->count;
   const void *indices;

   if (info->has_user_indices) {
      indices = (const char *)info->index.user + offset;
   } else {
      unsigned size = info->index.resource->width0;

      count = offset < size ? MIN2(count, (size - offset) / info->index_size) : 0;
      if (!count)
         return;
      indices = pipe_buffer_map_range(ctx->pipe, info->index.resource, offset,
                                      count * info->index_size, PIPE_MAP_READ, &transfer);
   }
   if (indices)
      util_submitted_add_restarted(sum, info->mode, indices, info->index_size, count,
                                   info->restart_index, info->instance_count);
   if (transfer)
      pipe_buffer_unmap(ctx->pipe, transfer);
}

static void
count_draws(struct gl_context *ctx, const struct pipe_draw_info *info,
            const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct util_submitted sum = {0};

   for (unsigned i = 0; i < num_draws; i++) {
      if (info->index_size && info->primitive_restart && draws[i].count)
         count_restarted(ctx, info, &draws[i], &sum);
      else
         util_submitted_add(&sum, info->mode, draws[i].count, info->instance_count);
   }
   add(ctx, &sum);
}

/* In place of what draws, while queries are active. */
static void
draw(struct gl_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
     const struct pipe_draw_indirect_info *indirect,
     const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct gl_query_submitted *submitted = &ctx->Query.Submitted;

   /* Drivers that leave the counting to Mesa read no numbers of draws from buffers. */
   assert(!indirect);
   if (!submitted->list)
      count_draws(ctx, info, draws, num_draws);
   submitted->draw(ctx, info, drawid_offset, indirect, draws, num_draws);
}

void
_mesa_attach_submitted(struct gl_context *ctx)
{
   if (!ctx->Query.Submitted.active)
      return;
   ctx->Query.Submitted.draw = ctx->Driver.DrawGallium;
   ctx->Driver.DrawGallium = draw;
}

void
_mesa_detach_submitted(struct gl_context *ctx)
{
   if (ctx->Query.Submitted.active)
      ctx->Driver.DrawGallium = ctx->Query.Submitted.draw;
}

static uint64_t
count_of(const struct gl_context *ctx, const struct gl_query_object *query)
{
   return query->Target == GL_VERTICES_SUBMITTED ? ctx->Query.Submitted.vertices
                                                 : ctx->Query.Submitted.primitives;
}

static bool
is_submitted(const struct gl_query_object *query)
{
   return query->Target == GL_VERTICES_SUBMITTED || query->Target == GL_PRIMITIVES_SUBMITTED;
}

/* Until the end, the result is what was counted before. */
bool
_mesa_begin_submitted(struct gl_context *ctx, struct gl_query_object *query)
{
   if (!is_submitted(query))
      return false;
   _mesa_detach_submitted(ctx);
   ctx->Query.Submitted.active++;
   _mesa_attach_submitted(ctx);
   query->Result = count_of(ctx, query);
   return true;
}

bool
_mesa_end_submitted(struct gl_context *ctx, struct gl_query_object *query)
{
   if (!is_submitted(query))
      return false;
   _mesa_detach_submitted(ctx);
   ctx->Query.Submitted.active--;
   _mesa_attach_submitted(ctx);
   query->Result = count_of(ctx, query) - query->Result;
   return true;
}

void
_mesa_submitted_vertices(struct gl_context *ctx, unsigned mode, unsigned count)
{
   struct util_submitted sum = {0};

   util_submitted_add(&sum, mode, count, 1);
   add(ctx, &sum);
}

void
_mesa_submitted_list(struct gl_context *ctx, uint64_t vertices, uint64_t primitives)
{
   const struct util_submitted sum = {vertices, primitives};

   add(ctx, &sum);
   ctx->Query.Submitted.list = true;
}
