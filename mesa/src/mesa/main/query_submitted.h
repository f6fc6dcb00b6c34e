/* SPDX-License-Identifier: MIT */
/*
 * VERTICES_SUBMITTED and PRIMITIVES_SUBMITTED of GL_ARB_pipeline_statistics_query, for
 * drivers that make no query of them: what the application hands over is counted
 * where it does, since what a driver draws may have been put together or converted
 * before. As long as no such query is active draws go the way they always go; the
 * end of glBegin and glEnd and the call of a display list look at a number.
 */
#ifndef QUERY_SUBMITTED_H
#define QUERY_SUBMITTED_H

#include <stdbool.h>
#include <stdint.h>

struct gl_context;
struct gl_query_object;
struct pipe_draw_indirect_info;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

struct gl_query_submitted {
   /** Active queries */
   unsigned active;
   /** A display list is being drawn, of which all is known */
   bool list;
   /** Since the context was made, while queries were active */
   uint64_t vertices, primitives;
   /** What draws, if queries are active */
   void (*draw)(struct gl_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
                const struct pipe_draw_indirect_info *indirect,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
};

/** Begin, end a query that the driver doesn't know. False: it isn't one of these. */
bool
_mesa_begin_submitted(struct gl_context *ctx, struct gl_query_object *query);
bool
_mesa_end_submitted(struct gl_context *ctx, struct gl_query_object *query);

/** What draws is about to become another, and has become another. */
void
_mesa_detach_submitted(struct gl_context *ctx);
void
_mesa_attach_submitted(struct gl_context *ctx);

/** glEnd of a primitive of this mode and so many vertices, while queries are active. */
void
_mesa_submitted_vertices(struct gl_context *ctx, unsigned mode, unsigned count);

/** A display list of these numbers is about to be drawn, while queries are active. */
void
_mesa_submitted_list(struct gl_context *ctx, uint64_t vertices, uint64_t primitives);

#endif
