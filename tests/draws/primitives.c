// SPDX-License-Identifier: MIT
/*
 * OpenGL 2.1, chapters 3 and 4: from points, lines and triangles to fragments, and from fragments
 * to pixels. Positions of vertices are multiples of 1/16 pixel, so edges are computed exactly; a
 * pixel whose centre lies on an edge may be covered or not. Pixels of lines may be one pixel
 * away from the exact position (section 3.4.1). With multisampling, only pixels that are
 * wholly inside or outside are certain.
 */
#include "primitives.h"

#include <string.h>

/* Distance (pixels) from an edge up to which a centre is on it. */
#define EDGE_SLACK 0.01
/* Errors of interpolated colours; of positions, in pixels; of depth, 0 to 1. */
#define VALUE_SLACK 1e-4
#define POSITION_SLACK (1.0 / 256)
#define DEPTH_SLACK (8.0 / (1 << 24))

/* A value that is linear over the target: at its lower left corner, and how much it grows a pixel. */
struct plane {
	double value, by_x, by_y;
};

struct fragment {
	int x, y;
	enum sure covered;
	bool back;
	/** How far the level of detail may be off */
	double level_slack;
	struct range color[4], depth;
};

static void write_color(const struct state *state, const struct range source[4],
			struct range target[4])
{
	struct range old[4], result[4];
	bool blended = false;

	memcpy(old, target, sizeof(old));
	memcpy(result, source, sizeof(result));
	if (state->blend.enabled && !state->logic) {
		blend_color(&state->blend, source, old, result);
		blended = true;
	}
	for (int i = 0; i < 4; i++) {
		int bits = state->choices.target[i];
		double slack = rounding(state, bits) + (blended ? state->choices.blend_slack : 0);
		struct range stored = store_bits(result[i], bits, slack);

		if (state->logic && !(state->choices.deviations & DEVIATION_LOGIC))
			stored = logic_operation(state->logic_operation, stored, old[i], bits);
		store_masked(state, i, &target[i], stored);
	}
}

/* The stencil state of a face, which with a deviation is the front's if the back's mask is 0. */
static struct stencil face_of(const struct state *state, bool back)
{
	struct stencil stencil = state->faces[back];

	if (state->choices.deviations & DEVIATION_BACK_MASK && back && !stencil.mask) {
		stencil = state->faces[0];
		stencil.reference = state->faces[1].reference;
	}
	return stencil;
}

/* Points and lines are front faces; with a deviation they are clockwise ones. */
static bool faceless_back(const struct state *state)
{
	return state->choices.deviations & DEVIATION_FACELESS && state->front_face == GL_CCW;
}

/* Add to what a pixel may be. */
static void add_allowed(struct allowed *sum, const struct allowed *pixel, bool *any)
{
	if (!*any) {
		*sum = *pixel;
		*any = true;
		return;
	}
	for (int i = 0; i < 4; i++)
		widen(&sum->color[i], pixel->color[i]);
	widen(&sum->depth, pixel->depth);
	widen(&sum->stencil, pixel->stencil);
}

static void draw_fragment(struct state *state, const struct fragment *fragment)
{
	struct allowed *pixel = &state->pixels[fragment->y][fragment->x], sum, next = *pixel;
	const struct stencil face = face_of(state, fragment->back), *stencil = &face;
	const bool stencils = state->stencil && state->choices.stencil;
	const bool depths = state->depth && state->choices.depth;
	/* Section 4.1.4: both may be rounded to as many bits as the target has. */
	const struct range reference = { state->alpha_reference - 1.0 / 255,
					 state->alpha_reference + 1.0 / 255 };
	enum sure sure = fragment->covered, passed;
	bool any = false;

	if (state->scissor &&
	    (fragment->x < state->area[0] || fragment->x >= state->area[0] + state->area[2] ||
	     fragment->y < state->area[1] || fragment->y >= state->area[1] + state->area[3]))
		return;
	if (state->alpha)
		sure = fmin(sure,
			    compare_ranges(state->alpha_function, fragment->color[3], reference));
	if (sure == NO)
		return;
	if (sure == MAYBE)
		add_allowed(&sum, pixel, &any);
	passed = stencils ? test_stencil(stencil, pixel->stencil) : YES;
	if (passed != YES) {
		next.stencil = change_stencil(stencil, stencil->operations[0], pixel->stencil);
		add_allowed(&sum, &next, &any);
	}
	if (passed == NO) {
		*pixel = sum;
		return;
	}
	passed =
		depths ? compare_ranges(state->depth_function, fragment->depth, pixel->depth) : YES;
	if (passed != YES) {
		next = *pixel;
		if (stencils)
			next.stencil =
				change_stencil(stencil, stencil->operations[1], pixel->stencil);
		add_allowed(&sum, &next, &any);
	}
	if (passed != NO) {
		next = *pixel;
		if (stencils)
			next.stencil =
				change_stencil(stencil, stencil->operations[2], pixel->stencil);
		if (depths && state->depth_write)
			next.depth = fragment->depth;
		write_color(state, fragment->color, next.color);
		add_allowed(&sum, &next, &any);
	}
	*pixel = sum;
}

/* --- Primitives -------------------------------------------------------------------- */

/* Give a fragment its values: @planes of what follows x and y of a vertex; @off: pixels that the
 * place of the values may be away. */
static void shade(struct state *state, struct fragment *fragment, const struct plane *planes,
		  double off)
{
	double dx = fragment->x + 0.5, dy = fragment->y + 0.5, slopes[4], coordinates[2], slack;
	struct range texel[4];

	for (int i = 0; i < 4; i++) {
		const struct plane *plane = &planes[1 + i];
		double value = plane->value + plane->by_x * dx + plane->by_y * dy;

		slack = VALUE_SLACK + (fabs(plane->by_x) + fabs(plane->by_y)) * off;
		fragment->color[i] = (struct range){ fmin(fmax(value - slack, 0), 1),
						     fmin(fmax(value + slack, 0), 1) };
	}
	if (!state->texture.enabled)
		return;
	for (int i = 0; i < 2; i++) {
		const struct plane *plane = &planes[5 + i];

		coordinates[i] = plane->value + plane->by_x * dx + plane->by_y * dy;
		slopes[2 * i] = plane->by_x;
		slopes[2 * i + 1] = plane->by_y;
	}
	sample_texture(&state->texture, coordinates, slopes, fragment->level_slack, texel);
	for (int i = 0; i < 4; i++) {
		/* Where values may be taken elsewhere, any texel is permitted. */
		if (off > POSITION_SLACK)
			texel[i] = (struct range){ 0, 1 };
		fragment->color[i].low *= texel[i].low;
		fragment->color[i].high *= texel[i].high;
	}
}

static void set_depth(const struct state *state, struct fragment *fragment,
		      const struct plane *plane, double off, bool polygon)
{
	double value = plane->value + plane->by_x * (fragment->x + 0.5) +
		       plane->by_y * (fragment->y + 0.5);
	double slope = fabs(plane->by_x) + fabs(plane->by_y);
	double slack = fmax(DEPTH_SLACK, 1.5 * depth_step(state)) +
		       slope * (off + (state->samples ? 0.5 : 0));
	bool exact = slope == 0 && (value == 0 || value == 1);
	struct range depth = { value - slack, value + slack };

	if (exact)
		depth.low = depth.high = value;
	if (polygon && state->offset) {
		/* Section 3.5.5: either kind of slope, and a unit of one or two steps. */
		double least = fmax(fabs(plane->by_x), fabs(plane->by_y)) * state->offset_factor;
		double most = hypot(plane->by_x, plane->by_y) * state->offset_factor;
		double unit = state->offset_units * depth_step(state);

		depth.low += fmin(least, most) + fmin(unit, 2 * unit);
		depth.high += fmax(least, most) + fmax(unit, 2 * unit);
	}
	depth.low = fmin(fmax(depth.low, 0), 1);
	depth.high = fmin(fmax(depth.high, 0), 1);
	fragment->depth = depth;
}

/* Twice the signed area, negative if the corners are clockwise. */
static double triangle_area(const double *a, const double *b, const double *c)
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Position of a pixel relative to the edge from a to b; inside is left of it. */
static enum sure beside_edge(const struct state *state, const double *a, const double *b, int x,
			     int y)
{
	double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
	double distance = (dx * (y + 0.5 - a[1]) - dy * (x + 0.5 - a[0])) / length;
	double slack = EDGE_SLACK;

	if (state->samples)
		slack += (fabs(dx) + fabs(dy)) / length * 0.5;
	return distance > slack ? YES : distance < -slack ? NO : MAYBE;
}

static enum sure covers(const struct state *state, const double *const corners[3], int x, int y)
{
	return fmin(beside_edge(state, corners[0], corners[1], x, y),
		    fmin(beside_edge(state, corners[1], corners[2], x, y),
			 beside_edge(state, corners[2], corners[0], x, y)));
}

/*
 * Where pixels have samples, those of which some are not covered, or fail a depth test that
 * comes before the shader, may be shaded at a place of their own, which makes the differences
 * inside their two by two pixels anything from none to twice as large: 8 is more than there are
 * levels.
 */
static double level_slack(const struct state *state, const double *const corners[3], int x, int y)
{
	for (int i = 0; state->samples && i < 4; i++)
		if (state->depth ||
		    covers(state, corners, (x & ~1) + i % 2, (y & ~1) + i / 2) != YES)
			return 8;
	return 0;
}

static void draw_triangle(struct state *state, const double *a, const double *b, const double *c)
{
	const double *const corners[3] = { a, triangle_area(a, b, c) < 0 ? c : b,
					   triangle_area(a, b, c) < 0 ? b : c };

	double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1];
	double area = triangle_area(a, b, c);
	struct fragment fragment = { .back = (area > 0) != (state->front_face == GL_CCW) };
	struct plane planes[VERTEX - 2];

	if (area == 0 || (state->cull && fragment.back == (state->cull_face == GL_BACK)))
		return;
	for (int i = 0; i < VERTEX - 2; i++) {
		double du = b[2 + i] - a[2 + i], dv = c[2 + i] - a[2 + i];

		planes[i].by_x = (du * vy - dv * uy) / area;
		planes[i].by_y = (dv * ux - du * vx) / area;
		planes[i].value = a[2 + i] - planes[i].by_x * a[0] - planes[i].by_y * a[1];
	}
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			fragment.x = x;
			fragment.y = y;
			fragment.covered = covers(state, corners, x, y);
			if (fragment.covered == NO)
				continue;
			fragment.level_slack = level_slack(state, corners, x, y);
			/* Section 3.2.1: any position in the pixel if it is multisampled */
			shade(state, &fragment, planes,
			      fragment.level_slack > 0 ? 0.5 : POSITION_SLACK);
			set_depth(state, &fragment, planes, POSITION_SLACK, true);
			draw_fragment(state, &fragment);
		}
	}
}

/* Points are squares, with samples circles. One whose centre is outside may be missing. */
static void draw_point(struct state *state, const double *vertex)
{
	bool inside = vertex[0] >= 0 && vertex[0] <= SIZE && vertex[1] >= 0 && vertex[1] <= SIZE;
	struct plane planes[VERTEX - 2];
	struct fragment fragment = { .back = faceless_back(state) };
	double half = state->point_size / 2;

	for (int i = 0; i < VERTEX - 2; i++)
		planes[i] = (struct plane){ .value = vertex[2 + i] };
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			double dx = fabs(x + 0.5 - vertex[0]), dy = fabs(y + 0.5 - vertex[1]);

			if (fmax(dx, dy) > half + (state->samples ? 0.5 : 0))
				continue;
			fragment.x = x;
			fragment.y = y;
			fragment.covered =
				inside && (!state->samples || hypot(dx, dy) < half - 0.75) ? YES
											   : MAYBE;
			shade(state, &fragment, planes, POSITION_SLACK);
			set_depth(state, &fragment, planes, POSITION_SLACK, false);
			draw_fragment(state, &fragment);
		}
	}
}

/*
 * Whether a pixel is one of a line's, whose width is that across its main axis; with tolerances of a
 * pixel or more (section 3.4.1). With samples it is a rectangle, across the main axis up to sqrt(2)
 * times as wide.
 */
static enum sure beside_line(const struct state *state, const double *a, const double *b, int x,
			     int y)
{
	int axis = fabs(b[0] - a[0]) >= fabs(b[1] - a[1]) ? 0 : 1;
	double place[2] = { x + 0.5, y + 0.5 }, length = b[axis] - a[axis];
	double along = length ? (place[axis] - a[axis]) / length : 0;
	double across = fabs(place[!axis] - a[!axis] - along * (b[!axis] - a[!axis]));
	double half = state->line_width / 2, end = state->samples ? half + 1.5 : 1;
	double wide = state->samples ? half * M_SQRT2 : half;

	if (along * fabs(length) < -end || (along - 1) * fabs(length) > end || across > wide + 1.5)
		return NO;
	if (along * fabs(length) < end || (along - 1) * fabs(length) > -end || across > half - 1.5)
		return MAYBE;
	return YES;
}

/* Clipping may remove the parts of a wide line that are beside an end outside of the view. */
static bool outside(const double *vertex)
{
	return vertex[0] < 0 || vertex[0] > SIZE || vertex[1] < 0 || vertex[1] > SIZE;
}

static void draw_line(struct state *state, const double *a, const double *b)
{
	double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
	struct plane planes[VERTEX - 2];
	struct fragment fragment = { .back = faceless_back(state) };

	for (int i = 0; i < VERTEX - 2; i++) {
		double by = square ? (b[2 + i] - a[2 + i]) / square : 0;

		planes[i].by_x = by * dx;
		planes[i].by_y = by * dy;
		planes[i].value = a[2 + i] - by * (dx * a[0] + dy * a[1]);
	}
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			fragment.x = x;
			fragment.y = y;
			fragment.covered = beside_line(state, a, b, x, y);
			if (fragment.covered == NO)
				continue;
			if (outside(a) || outside(b))
				fragment.covered = MAYBE;
			shade(state, &fragment, planes, state->line_width + 2);
			set_depth(state, &fragment, planes, state->line_width + 2, false);
			draw_fragment(state, &fragment);
		}
	}
}

void draw_primitives(struct state *state, const struct command *command)
{
	unsigned corners[3], size;

	for (unsigned i = 0; (size = primitive_corners(command, i, corners)); i++) {
		const double *vertices[3];

		for (unsigned j = 0; j < size; j++)
			vertices[j] = command->values + 1 + corners[j] * VERTEX;
		if (size == 1)
			draw_point(state, vertices[0]);
		else if (size == 2)
			draw_line(state, vertices[0], vertices[1]);
		else
			draw_triangle(state, vertices[0], vertices[1], vertices[2]);
	}
}
