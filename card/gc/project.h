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

#endif
