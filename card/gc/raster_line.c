// SPDX-License-Identifier: MIT
/*
 * Lines without multisampling, by GL's diamond-exit rule, in exact arithmetic.
 *
 * Along the major axis, a line with a slope of at most 1 crosses the centre of each column of
 * pixels inside exactly one diamond. So each column strictly between the ends has one fragment,
 * in the row with the crossing (the upper or left one if it is between two). Only for the
 * columns of the ends the diamond has to be tested. All samples of a pixel get the same result.
 */
#include "gc/raster.h"

#include "gc/clip.h"

#define CENTER (GC_SUBPIXELS / 2)

/* A line, with its major axis first. */
struct walk {
	struct gc_raster *r;
	bool transposed;        /* the major axis is y */
	int64_t u0, v0, u1, v1; /* ends: major, minor */
	int64_t du, dv;         /* from first to second end, negated if necessary so that du > 0 */
	unsigned int width;
	/* block whose mask is being collected, multiples of 8; of no meaning while the mask is 0 */
	int x, y;
	uint64_t mask;
};

static int64_t div_floor(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t div_ceil(int64_t a, int64_t b)
{
	return a / b + (a % b > 0);
}

static int64_t pixel_of(int64_t units)
{
	return div_floor(units, GC_SUBPIXELS);
}

/* Whether a point lies in the diamond of its pixel. */
static bool in_diamond(int64_t u, int64_t v)
{
	int64_t du = u - (pixel_of(u) * GC_SUBPIXELS + CENTER);
	int64_t dv = v - (pixel_of(v) * GC_SUBPIXELS + CENTER);

	return (du < 0 ? -du : du) + (dv < 0 ? -dv : dv) < CENTER;
}

static void flush(struct walk *w)
{
	uint64_t mask[GC_MAX_SAMPLES] = { w->mask };

	if (!w->mask)
		return;
	for (unsigned int s = 1; s < w->r->samples; s++)
		mask[s] = w->mask;
	w->r->tiles++;
	w->r->block(w->r->ctx, w->x, w->y, mask);
	w->mask = 0;
}

static void plot(struct walk *w, int64_t u, int64_t v)
{
	const struct gc_rect *s = &w->r->scissor;
	int64_t x = w->transposed ? v : u, y = w->transposed ? u : v;
	int block_x, block_y;

	if (x < s->left || x >= s->right || y < s->top || y >= s->bottom)
		return;
	block_x = (int)x & ~(GC_BLOCK - 1);
	block_y = (int)y & ~(GC_BLOCK - 1);
	if (block_x != w->x || block_y != w->y)
		flush(w);
	w->x = block_x;
	w->y = block_y;
	w->mask |= GC_BLOCK_BIT(x - block_x, y - block_y);
}

/* The fragments of a column: pixels with centres in [crossing - width/2, crossing + width/2). */
static void plot_column(struct walk *w, int64_t column)
{
	const struct gc_rect *s = &w->r->scissor;
	int64_t center = column * GC_SUBPIXELS + CENTER;
	int64_t crossing = w->v0 * w->du + w->dv * (center - w->u0); /* times du */
	int64_t half = (int64_t)w->width * CENTER;
	int64_t first = div_ceil(crossing - (half + CENTER) * w->du, GC_SUBPIXELS * w->du);
	int64_t end = first + w->width;
	int64_t low = w->transposed ? s->left : s->top;
	int64_t high = w->transposed ? s->right : s->bottom;

	for (int64_t v = first < low ? low : first; v < end && v < high; v++)
		plot(w, column, v);
}

/*
 * Whether the first end's column has a fragment, as far as this end decides it: the line begins in
 * a diamond, or before the column's centre, and so leaves its diamond later.
 */
static bool starts(const struct walk *w, bool forward)
{
	int64_t past = w->u0 - (pixel_of(w->u0) * GC_SUBPIXELS + CENTER);

	return in_diamond(w->u0, w->v0) || (forward ? past <= 0 : past >= 0);
}

/*
 * The same for the second end's column: the line ends behind the column's centre and outside of a
 * diamond, or inside of one with @last.
 */
static bool ends(const struct walk *w, bool forward, bool last)
{
	int64_t past = w->u1 - (pixel_of(w->u1) * GC_SUBPIXELS + CENTER);
	bool inside = in_diamond(w->u1, w->v1);

	if (last && inside)
		return true;
	return (forward ? past > 0 : past < 0) && !inside;
}

static void walk_columns(struct walk *w, bool forward, bool last)
{
	const struct gc_rect *s = &w->r->scissor;
	int64_t first = pixel_of(w->u0), final = pixel_of(w->u1);
	int64_t low = w->transposed ? s->top : s->left;
	int64_t high = (w->transposed ? s->bottom : s->right) - 1;
	int64_t from = forward ? first : final, to = forward ? final : first;
	bool start = starts(w, forward), end = ends(w, forward, last);

	low = from > low ? from : low;
	high = to < high ? to : high;
	for (int64_t n = low; n <= high; n++) {
		int64_t column = forward ? n : low + high - n;

		if ((column != first || start) && (column != final || end))
			plot_column(w, column);
	}
	flush(w);
}

void gc_raster_line(struct gc_raster *r, const int32_t x[2], const int32_t y[2], unsigned int width,
		    bool last)
{
	int64_t dx = (int64_t)x[1] - x[0], dy = (int64_t)y[1] - y[0];
	bool x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
	struct walk w = { .r = r, .transposed = !x_major, .width = width ? width : 1 };
	bool forward;

	if (!dx && !dy)
		return;
	w.u0 = x_major ? x[0] : y[0];
	w.v0 = x_major ? y[0] : x[0];
	w.u1 = x_major ? x[1] : y[1];
	w.v1 = x_major ? y[1] : x[1];
	w.du = x_major ? dx : dy;
	w.dv = x_major ? dy : dx;
	forward = w.du > 0;
	if (!forward) {
		w.du = -w.du;
		w.dv = -w.dv;
	}
	walk_columns(&w, forward, last);
}
