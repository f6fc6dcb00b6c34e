// SPDX-License-Identifier: MIT
/*
 * OpenGL 2.1, chapters 3 and 4. Positions of vertices are sixteenths of a pixel, so edges are
 * exact; what lies on an edge may be covered or not. Of lines, pixels up to one away from where
 * they should be are allowed (section 3.4.1); of pixels with samples, what is wholly inside or
 * outside is sure.
 */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "blend.h"
#include "fragment.h"
#include "texture.h"

/* Distance (pixels) from an edge up to which a centre is on it. */
#define EDGE_SLACK 0.01
/* Values across a triangle: of floats, at positions that are off by 1/256 pixel. */
#define VALUE_SLACK 1e-4
#define POSITION_SLACK (1.0 / 256)
#define DEPTH_SLACK (8.0 / (1 << 24))
/* Steps of a colour up to which a range counts as sure. */
#define SURE_STEPS 4

struct state {
	struct choices choices;
	unsigned samples;
	struct allowed (*pixels)[SIZE];
	struct blend blend;
	bool es, mask[4], depth, depth_write, stencil, scissor, logic, alpha, cull, offset, dither;
	GLenum depth_function, logic_operation, alpha_function, cull_face, front_face;
	double alpha_reference, offset_factor, offset_units, point_size, line_width;
	struct stencil faces[2];
	int area[4];
	struct texture texture;
};

/* A plane over the target. */
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

static void widen(struct range *a, struct range b)
{
	a->low = fmin(a->low, b.low);
	a->high = fmax(a->high, b.high);
}

/* Steps by which a stored value may be off: few bits may be made of eight. */
static double rounding(const struct state *state, int bits)
{
	return state->dither ? 1 : bits < 8 ? 0.5 : 0.02;
}

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
		if (state->mask[i])
			target[i] = stored;
	}
}

/* A step of the depth buffer. */
static double depth_step(const struct state *state)
{
	return 1.0 / (1 << state->choices.depth);
}

/* The blend constant; the deviation may exchange red and blue. */
static void set_constant(struct state *state, const double *values)
{
	for (int i = 0; i < 4; i++)
		state->blend.constant[i] = (struct range){ values[i], values[i] };
	if (state->choices.deviations & DEVIATION_CONSTANT) {
		widen(&state->blend.constant[0], state->blend.constant[2]);
		state->blend.constant[2] = state->blend.constant[0];
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

/* Points and lines are of the front face, if not by a deviation. */
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
		/* Where values may be elsewhere, any texel may be met. */
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

/* Twice the area, negative if the corners go round clockwise. */
static double triangle_area(const double *a, const double *b, const double *c)
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* How a pixel lies to the edge from a to b: inside on its left. */
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
 * inside their two by two pixels anything from none to twice as large.
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
			/* Section 3.2.1: any place in the pixel if it has samples. */
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

/* Where a pixel's centre lies beside a line, across its main axis. */
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

/* Of a wide line, clipping may take away what is beside an end that is outside. */
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

static void draw(struct state *state, const struct command *command)
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

/* --- Commands ---------------------------------------------------------------------- */

static bool in_area(const struct state *state, int x, int y)
{
	return !state->scissor || (x >= state->area[0] && x < state->area[0] + state->area[2] &&
				   y >= state->area[1] && y < state->area[1] + state->area[3]);
}

static void clear(struct state *state, const struct command *command)
{
	struct stencil stencil = { .reference = value_of(command, 6),
				   .write = state->faces[0].write };
	unsigned buffers = value_of(command, 0);
	double slack = depth_step(state);

	if (command->values[5] == 0 || command->values[5] == 1)
		slack = 0;
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			struct allowed *pixel = &state->pixels[y][x];

			if (!in_area(state, x, y))
				continue;
			for (int i = 0; i < 4; i++) {
				struct range value = { command->values[1 + i],
						       command->values[1 + i] };
				int bits = state->choices.target[i];

				if (buffers & GL_COLOR_BUFFER_BIT && state->mask[i])
					pixel->color[i] =
						store_bits(value, bits, rounding(state, bits));
			}
			if (buffers & GL_DEPTH_BUFFER_BIT && state->depth_write)
				pixel->depth = (struct range){ command->values[5] - slack,
							       command->values[5] + slack };
			if (buffers & GL_STENCIL_BUFFER_BIT)
				pixel->stencil =
					change_stencil(&stencil, GL_REPLACE, pixel->stencil);
		}
	}
}

static void copy(struct state *state, const struct command *command)
{
	const unsigned to_x = value_of(command, 0), to_y = value_of(command, 1);
	const unsigned x = value_of(command, 2), y = value_of(command, 3);

	if (state->samples || !state->texture.enabled)
		return;
	for (unsigned j = 0; j < value_of(command, 5) && to_y + j < state->texture.height; j++)
		for (unsigned i = 0; i < value_of(command, 4) && to_x + i < state->texture.width;
		     i++)
			copy_texel(&state->texture, to_x + i, to_y + j,
				   state->pixels[y + j][x + i].color);
}

/* Whether a blit is no plain copy: mirrored, or cut by the scissor. */
static bool is_drawn_blit(const struct state *state, const struct command *command)
{
	int x = value_of(command, 5), y = value_of(command, 6);

	return value_of(command, 7) || !in_area(state, x, y) ||
	       !in_area(state, x + value_of(command, 3) - 1, y + value_of(command, 4) - 1);
}

static void blit(struct state *state, const struct command *command)
{
	static struct allowed old[SIZE][SIZE];
	unsigned bits = value_of(command, 0), width = value_of(command, 3);

	if (state->samples)
		return;
	if (state->choices.deviations & DEVIATION_STENCIL_BLIT && is_drawn_blit(state, command))
		bits &= ~GL_STENCIL_BUFFER_BIT;
	memcpy(old, state->pixels, sizeof(old));
	for (unsigned j = 0; j < value_of(command, 4); j++) {
		for (unsigned i = 0; i < width; i++) {
			unsigned x =
				value_of(command, 5) + (value_of(command, 7) ? width - 1 - i : i);
			unsigned y = value_of(command, 6) + j;
			const struct allowed *from =
				&old[value_of(command, 2) + j][value_of(command, 1) + i];

			if (!in_area(state, x, y))
				continue;
			if (bits & GL_COLOR_BUFFER_BIT)
				memcpy(state->pixels[y][x].color, from->color, sizeof(from->color));
			if (bits & GL_DEPTH_BUFFER_BIT)
				state->pixels[y][x].depth = from->depth;
			if (bits & GL_STENCIL_BUFFER_BIT)
				state->pixels[y][x].stencil = from->stencil;
		}
	}
}

static void set_stencil(struct state *state, const struct command *command)
{
	GLenum face = value_of(command, 0);

	state->stencil = true;
	for (int i = 0; i < 2; i++) {
		struct stencil *stencil = &state->faces[i];

		if (face == (i ? GL_FRONT : GL_BACK))
			continue;
		stencil->function = value_of(command, 1);
		stencil->reference = value_of(command, 2);
		stencil->mask = value_of(command, 3);
		for (int j = 0; j < 3; j++)
			stencil->operations[j] = value_of(command, 4 + j);
		stencil->write = value_of(command, 7);
	}
}

static void set_blend(struct state *state, const struct command *command)
{
	state->blend.enabled = true;
	for (int i = 0; i < 2; i++)
		state->blend.equations[i] = value_of(command, i);
	for (int i = 0; i < 4; i++)
		state->blend.factors[i] = value_of(command, 2 + i);
}

static void set_sampler(struct state *state, const struct command *command)
{
	struct texture *texture = &state->texture;

	for (int i = 0; i < 2; i++) {
		texture->wrap[i] = value_of(command, i);
		if (state->choices.deviations & DEVIATION_BORDER &&
		    (texture->wrap[i] == GL_CLAMP || texture->wrap[i] == GL_CLAMP_TO_BORDER))
			texture->wrap[i] = GL_CLAMP_TO_EDGE;
	}
	texture->minify = value_of(command, 2);
	texture->magnify = value_of(command, 3);
	texture->bias = command->values[4];
	if (state->choices.deviations & DEVIATION_BIAS && !state->es &&
	    (texture->minify == GL_NEAREST || texture->minify == GL_LINEAR))
		texture->bias = 0;
}

/* Switches: whether a command is one, and has done its work. */
static void run_switch(struct state *state, enum op op)
{
	switch (op) {
	case OP_NO_BLEND:
		state->blend.enabled = false;
		break;
	case OP_NO_DEPTH:
		state->depth = false;
		break;
	case OP_NO_STENCIL:
		state->stencil = false;
		break;
	case OP_NO_SCISSOR:
		state->scissor = false;
		break;
	case OP_NO_LOGIC:
		state->logic = false;
		break;
	case OP_NO_ALPHA:
		state->alpha = false;
		break;
	case OP_NO_CULL:
		state->cull = false;
		break;
	case OP_NO_OFFSET:
		state->offset = false;
		break;
	case OP_DITHER:
	case OP_NO_DITHER:
		state->dither = op == OP_DITHER;
		break;
	case OP_NO_TEXTURE:
		state->texture.enabled = false;
		break;
	default:
		break;
	}
}

static void run_tests(struct state *state, const struct command *command)
{
	const double *values = command->values;

	switch (command->op) {
	case OP_MASK:
		for (int i = 0; i < 4; i++)
			state->mask[i] = values[i] != 0;
		break;
	case OP_DEPTH:
		state->depth = true;
		state->depth_function = value_of(command, 0);
		state->depth_write = values[1] != 0;
		break;
	case OP_STENCIL:
		set_stencil(state, command);
		break;
	case OP_SCISSOR:
		state->scissor = true;
		for (int i = 0; i < 4; i++)
			state->area[i] = (int)values[i];
		break;
	case OP_LOGIC:
		state->logic = true;
		state->logic_operation = value_of(command, 0);
		break;
	case OP_ALPHA:
		state->alpha = true;
		state->alpha_function = value_of(command, 0);
		state->alpha_reference = fmin(values[1], 1);
		break;
	default:
		run_switch(state, command->op);
	}
}

static void run(struct state *state, const struct command *command)
{
	const double *values = command->values;

	switch (command->op) {
	case OP_CLEAR:
		clear(state, command);
		break;
	case OP_BLEND:
		set_blend(state, command);
		break;
	case OP_CONSTANT:
		set_constant(state, values);
		break;
	case OP_CULL:
		state->cull = true;
		state->cull_face = value_of(command, 0);
		state->front_face = value_of(command, 1);
		break;
	case OP_OFFSET:
		state->offset = true;
		state->offset_factor = values[0];
		state->offset_units = values[1];
		break;
	case OP_POINT:
		state->point_size = values[0];
		break;
	case OP_LINE:
		state->line_width = values[0];
		break;
	case OP_TEXTURE:
		make_texture(&state->texture, command);
		break;
	case OP_SAMPLER:
		set_sampler(state, command);
		break;
	case OP_LIMITS:
		memcpy(state->texture.limits, values, sizeof(state->texture.limits));
		break;
	case OP_BORDER:
		memcpy(state->texture.border, values, sizeof(state->texture.border));
		break;
	case OP_COPY:
		copy(state, command);
		break;
	case OP_BLIT:
		blit(state, command);
		break;
	case OP_DRAW:
		draw(state, command);
		break;
	default:
		run_tests(state, command);
	}
}

void draw_reference(const struct scene *scene, const struct choices *choices,
		    struct allowed pixels[SIZE][SIZE])
{
	static struct state state;
	const struct stencil stencil = { .function = GL_ALWAYS,
					 .operations = { GL_KEEP, GL_KEEP, GL_KEEP },
					 .mask = 255,
					 .write = 255 };
	static const struct command begin = { OP_CLEAR,
					      7,
					      { GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
							GL_STENCIL_BUFFER_BIT,
						0, 0, 0, 0, 1, 0 } };

	memset(&state, 0, sizeof(state));
	state.choices = *choices;
	state.pixels = pixels;
	state.es = state.texture.es = find_command(scene, OP_ES);
	state.samples = scene_samples(scene);
	state.faces[0] = state.faces[1] = stencil;
	state.depth_write = true;
	state.front_face = GL_CCW;
	state.point_size = state.line_width = 1;
	state.texture.deviations = choices->deviations;
	state.texture.limits[0] = -1000;
	state.texture.limits[1] = 1000;
	state.texture.wrap[0] = state.texture.wrap[1] = GL_REPEAT;
	state.texture.minify = state.texture.magnify = GL_NEAREST;
	memset(state.mask, true, sizeof(state.mask));
	clear(&state, &begin);
	for (unsigned i = 0; i < scene->count; i++)
		run(&state, &scene->commands[i]);
}

/* A part of a pixel: what was read, what is allowed, and how far it may be off beside that. */
struct part {
	const char *name;
	double value, off;
	struct range range;
};

/* @i: red, green, blue, alpha, depth, stencil. Depth in steps, others as they are. */
static struct part part_of(const struct allowed *pixel, const struct choices *choices,
			   const struct picture_read *picture, int x, int y, int i)
{
	static const char *const names[] = { "red", "green", "blue", "alpha", "depth", "stencil" };
	double scale = i == 4 ? (1u << choices->depth) - 1.0 : i == 5 ? 1 : 255;
	struct part part = { .name = names[i] };

	part.range = i == 4 ? pixel->depth : i == 5 ? pixel->stencil : pixel->color[i];
	part.range.low *= scale;
	part.range.high *= scale;
	/* Bits of the target become eight by rounding, or by repetition. */
	part.off = (i < 4 && choices->target[i] < 8) || i == 4 ? 1.01 : 0.01;
	part.value = i == 4   ? picture->depth[y][x] * scale
		     : i == 5 ? picture->stencil[y][x]
			      : picture->color[y][x][i];
	return part;
}

bool find_difference(struct allowed pixels[SIZE][SIZE], const struct choices *choices,
		     const struct picture_read *picture, char text[160])
{
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++) {
			for (int i = 0; i < 6; i++) {
				struct part part =
					part_of(&pixels[y][x], choices, picture, x, y, i);

				if ((i == 4 && !picture->has_depth) ||
				    (i == 5 && !picture->has_stencil) ||
				    (part.value >= part.range.low - part.off &&
				     part.value <= part.range.high + part.off))
					continue;
				if (text)
					snprintf(text, 160,
						 "pixel %d, %d: %s is %g, allowed %g to %g", x, y,
						 part.name, part.value, part.range.low - part.off,
						 part.range.high + part.off);
				return true;
			}
		}
	}
	return false;
}

unsigned count_sure(struct allowed pixels[SIZE][SIZE], const struct choices *choices)
{
	unsigned sure = 0;

	for (int i = 0; i < SIZE * SIZE * 4; i++) {
		const struct range *range = &pixels[i / 4 / SIZE][i / 4 % SIZE].color[i % 4];
		int bits = choices->target[i % 4];

		sure += (range->high - range->low) * ((1 << bits) - 1) <=
			(bits < 8 ? 1 : SURE_STEPS);
	}
	return sure;
}
