/* SPDX-License-Identifier: MIT */
/* gc_vertex_outcode() and gc_vertex_project() for a whole batch, for vertices inside the view. */
#ifndef CARD_GC_PROJECT_H
#define CARD_GC_PROJECT_H

#include "gc/batch.h"
#include "gc/clip.h"

/* Result for each lane. */
struct gc_projection {
	/* i: nonzero: inside the view, vp->view_in_band: its outcode is 0, and the rest is valid */
	union gc_lanes in_view;
	union gc_lanes window[4]; /* f */
	union gc_lanes x, y;      /* i: rounded to 1/16 pixel */
};

/**
 * gc_project_lanes - project lanes 0 to @count - 1 of @clip; of lanes outside the view, and of all
 * without vp->view_in_band, only in_view, which is 0, is valid
 */
void gc_project_lanes(const struct gc_viewport *vp, const struct gc_vec4 *clip, unsigned int count,
		      struct gc_projection *to);

#endif
