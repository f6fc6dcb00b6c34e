/* SPDX-License-Identifier: MIT */
/*
 * GPU_DISJOINT of GL_EXT_disjoint_timer_query; see query_disjoint.h.
 */

#include "query_disjoint.h"

#include "main/mtypes.h"
#include "pipe/p_context.h"
#include "pipe/p_screen.h"

/* Begins the query; if that fails, deletes it, since its result would be undefined. */
static void
begin_disjoint_query(struct gl_context *ctx)
{
   struct pipe_context *pipe = ctx->pipe;

   if (pipe->begin_query(pipe, ctx->Query.Disjoint))
      return;
   pipe->destroy_query(pipe, ctx->Query.Disjoint);
   ctx->Query.Disjoint = NULL;
}

void
_mesa_init_gpu_disjoint(struct gl_context *ctx)
{
   struct pipe_context *pipe = ctx->pipe;

   if (ctx->API != API_OPENGLES2 || !pipe->screen->caps.query_timestamp)
      return;
   ctx->Query.Disjoint = pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP_DISJOINT, 0);
   if (ctx->Query.Disjoint)
      begin_disjoint_query(ctx);
}

void
_mesa_free_gpu_disjoint(struct gl_context *ctx)
{
   if (ctx->Query.Disjoint)
      ctx->pipe->destroy_query(ctx->pipe, ctx->Query.Disjoint);
   ctx->Query.Disjoint = NULL;
}

bool
_mesa_get_gpu_disjoint(struct gl_context *ctx)
{
   struct pipe_context *pipe = ctx->pipe;
   union pipe_query_result result = {0};

   if (!ctx->Query.Disjoint)
      return false;
   pipe->end_query(pipe, ctx->Query.Disjoint);
   pipe->get_query_result(pipe, ctx->Query.Disjoint, true, &result);
   begin_disjoint_query(ctx);
   return result.timestamp_disjoint.disjoint;
}
