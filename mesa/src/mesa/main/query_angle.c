/* SPDX-License-Identifier: MIT */
/*
 * GL_ANGLE_timer_query: entry points that check the extension's own rules and then call the
 * functions of the other query extensions, with which it shares query objects. The rules are:
 *
 *  - glBeginQueryANGLE() accepts names that glGenQueriesANGLE() did not return,
 *  - the only targets are TIME_ELAPSED and TIMESTAMP,
 *  - deleting an active query deletes its name; the query itself is deleted when it ends, or with
 *    its context. Until then the name is that of the active query for its target: a new object of
 *    that name cannot be begun.
 */

#include "api_exec_decl.h"
#include "main/context.h"
#include "main/enums.h"
#include "main/extensions.h"
#include "main/hash.h"
#include "main/queryobj.h"

/* Returns true if the context has the extension; otherwise sets GL_INVALID_OPERATION. */
static bool
check_extension(struct gl_context *ctx, const char *function)
{
   if (_mesa_has_ANGLE_timer_query(ctx))
      return true;
   _mesa_error(ctx, GL_INVALID_OPERATION, "%s(unsupported)", function);
   return false;
}

/* Returns true if target is TIME_ELAPSED; otherwise sets GL_INVALID_ENUM. */
static bool
is_timer(struct gl_context *ctx, GLenum target, const char *function)
{
   if (target == GL_TIME_ELAPSED)
      return true;
   _mesa_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", function, _mesa_enum_to_string(target));
   return false;
}

void GLAPIENTRY
_mesa_GenQueriesANGLE(GLsizei n, GLuint *ids)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glGenQueriesANGLE"))
      _mesa_GenQueries(n, ids);
}

/* Deletes the name of an active query; the query is deleted when it ends. */
static void
orphan(struct gl_context *ctx, struct gl_query_object *query)
{
   _mesa_HashRemoveLocked(&ctx->Query.QueryObjects, query->Id);
   query->DeletePending = GL_TRUE;
}

void GLAPIENTRY
_mesa_DeleteQueriesANGLE(GLsizei n, const GLuint *ids)
{
   GET_CURRENT_CONTEXT(ctx);

   if (!check_extension(ctx, "glDeleteQueriesANGLE"))
      return;
   if (n < 0) {
      _mesa_error(ctx, GL_INVALID_VALUE, "glDeleteQueriesANGLE(n < 0)");
      return;
   }

   for (GLsizei i = 0; i < n; i++) {
      struct gl_query_object *query = ids[i] ? _mesa_lookup_query_object(ctx, ids[i]) : NULL;

      if (query && query->Active)
         orphan(ctx, query);
      else if (query)
         _mesa_DeleteQueries(1, &ids[i]);
   }
}

GLboolean GLAPIENTRY
_mesa_IsQueryANGLE(GLuint id)
{
   GET_CURRENT_CONTEXT(ctx);

   return check_extension(ctx, "glIsQueryANGLE") && _mesa_IsQuery(id);
}

void GLAPIENTRY
_mesa_BeginQueryANGLE(GLenum target, GLuint id)
{
   GET_CURRENT_CONTEXT(ctx);

   if (!check_extension(ctx, "glBeginQueryANGLE") || !is_timer(ctx, target, "glBeginQueryANGLE"))
      return;
   /* Check for errors first: a call that fails must not create a query object. */
   if (id == 0 || ctx->Query.CurrentTimerObject) {
      _mesa_error(ctx, GL_INVALID_OPERATION, "glBeginQueryANGLE(id=%u, or a query is active)", id);
      return;
   }
   if (!_mesa_lookup_query_object(ctx, id) && !_mesa_add_query_object(ctx, id)) {
      _mesa_error(ctx, GL_OUT_OF_MEMORY, "glBeginQueryANGLE");
      return;
   }
   _mesa_BeginQuery(target, id);
}

void GLAPIENTRY
_mesa_EndQueryANGLE(GLenum target)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glEndQueryANGLE") && is_timer(ctx, target, "glEndQueryANGLE"))
      _mesa_EndQuery(target);
}

void GLAPIENTRY
_mesa_QueryCounterANGLE(GLuint id, GLenum target)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glQueryCounterANGLE"))
      _mesa_QueryCounter(id, target);
}

void GLAPIENTRY
_mesa_GetQueryivANGLE(GLenum target, GLenum pname, GLint *params)
{
   GET_CURRENT_CONTEXT(ctx);

   if (!check_extension(ctx, "glGetQueryivANGLE"))
      return;
   if (target != GL_TIMESTAMP && !is_timer(ctx, target, "glGetQueryivANGLE"))
      return;
   if (pname != GL_QUERY_COUNTER_BITS && pname != GL_CURRENT_QUERY) {
      _mesa_error(ctx, GL_INVALID_ENUM, "glGetQueryivANGLE(pname=%s)",
                  _mesa_enum_to_string(pname));
      return;
   }
   _mesa_GetQueryiv(target, pname, params);
}

void GLAPIENTRY
_mesa_GetQueryObjectivANGLE(GLuint id, GLenum pname, GLint *params)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glGetQueryObjectivANGLE"))
      _mesa_GetQueryObjectiv(id, pname, params);
}

void GLAPIENTRY
_mesa_GetQueryObjectuivANGLE(GLuint id, GLenum pname, GLuint *params)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glGetQueryObjectuivANGLE"))
      _mesa_GetQueryObjectuiv(id, pname, params);
}

/* The signed function is exact: results in nanoseconds are less than 2^63. */
void GLAPIENTRY
_mesa_GetQueryObjecti64vANGLE(GLuint id, GLenum pname, GLint64 *params)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glGetQueryObjecti64vANGLE"))
      _mesa_GetQueryObjecti64v(id, pname, params);
}

void GLAPIENTRY
_mesa_GetQueryObjectui64vANGLE(GLuint id, GLenum pname, GLuint64 *params)
{
   GET_CURRENT_CONTEXT(ctx);

   if (check_extension(ctx, "glGetQueryObjectui64vANGLE"))
      _mesa_GetQueryObjectui64v(id, pname, params);
}
