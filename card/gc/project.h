/* SPDX-License-Identifier: MIT */
/*
 * gc_vertex_outcode() and gc_vertex_project() for a whole batch, where its
 * vertices are in the view.
 */
#ifndef CARD_GC_PROJECT_H
#define CARD_GC_PROJECT_H

#include "gc/batch.h"
#include "gc/clip.h"

/* What is known of each lane. */
struct gc_projection {
	union gc_lanes in_view;   /* i: nonzero, then its outcode is 0 and the rest is valid */
	union gc_lanes window[4]; /* f */
	union gc_lanes x, y;      /* i: snapped */
};

/** gc_project_lanes - lanes 0..@count - 1 of @clip; lanes outside the view are left to the functions above. */
void gc_project_lanes(const struct gc_viewport *vp, const struct gc_vec4 *clip, unsigned int count,
		      struct gc_projection *to);

/** gc_projection_window - the window position of lane @lane, which is in the view, into @v. */
static inline void gc_projection_window(const struct gc_projection *from, unsigned int lane,
					struct gc_vertex *v)
{
	for (unsigned int i = 0; i < 4; i++)
		v->window[i] = from->window[i].f[lane];
}

/** gc_projection_place - its outcode, which is 0, and the snap of its window position. */
static inline void gc_projection_place(const struct gc_projection *from, unsigned int lane,
				       struct gc_vertex *v)
{
	v->outcode = 0;
	v->x = from->x.i[lane];
	v->y = from->y.i[lane];
}

#endif
