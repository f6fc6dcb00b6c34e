// SPDX-License-Identifier: MIT
/*
 * Projects a vector of vertices at a time. Results are those of clip.c bit for bit: the same
 * operations in the same order. Only the rounding to 1/16 pixel differs: clip.c uses double
 * precision; single precision is exact here, because coordinates inside the view are small.
 */
#include "gc/project.h"

#include <float.h>

#include "gc/pixel_vector.h"

PX_INLINE px_float load(const union gc_lanes *lanes, unsigned int vector)
{
	return ((const px_float *)lanes->f)[vector];
}

PX_INLINE void store(union gc_lanes *lanes, unsigned int vector, px_float value)
{
	((px_float *)lanes->f)[vector] = value;
}

/* gc_snap() for coordinates inside the guard band: a remainder of a half or more rounds up. */
PX_INLINE px_int snap(px_float pixels)
{
	px_float units = pixels * (float)GC_SUBPIXELS, whole = px_floor(units);

	return __builtin_convertvector(whole, px_int) - (units - whole >= 0.5f);
}

PX_INLINE px_int in_view(const struct gc_viewport *vp, px_float x, px_float y, px_float z,
			 px_float w)
{
	const px_float zero = { 0 };

	return (x <= w) & (-x <= w) & (y <= w) & (-y <= w) & (z <= w) &
	       (z >= (vp->z_ready ? zero : -w)) & (w >= vp->w_limit) & (w <= FLT_MAX);
}

void gc_project_lanes(const struct gc_viewport *vp, const struct gc_vec4 *clip, unsigned int count,
		      struct gc_projection *to)
{
	const float shift = vp->integer_centers ? 0.5f : 0.0f;
	const px_int usable = (px_int){ 0 } - (int32_t)vp->view_in_band;

	for (unsigned int i = 0; i < (count + PX_LANES - 1) / PX_LANES; i++) {
		px_float x = load(&clip->c[0], i), y = load(&clip->c[1], i);
		px_float z = load(&clip->c[2], i), w = load(&clip->c[3], i);
		px_float over_w = 1.0f / w;
		px_float window_x = x * over_w * vp->scale[0] + vp->offset[0] + shift;
		px_float window_y = y * over_w * vp->scale[1] + vp->offset[1] + shift;

		((px_int *)to->in_view.i)[i] = in_view(vp, x, y, z, w) & usable;
		store(&to->window[0], i, window_x);
		store(&to->window[1], i, window_y);
		store(&to->window[2], i, z * over_w * vp->scale[2] + vp->offset[2]);
		store(&to->window[3], i, over_w);
		((px_int *)to->x.i)[i] = snap(window_x);
		((px_int *)to->y.i)[i] = snap(window_y);
	}
}
