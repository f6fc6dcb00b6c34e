// SPDX-License-Identifier: MIT
/*
 * The pixels that a scene may give: its commands in their order, and the comparison with a picture.
 * Draws: primitives.c.
 */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "primitives.h"

/* Width of a component's range, in steps of eight bits, up to which it is certain; of fewer bits: 1. */
#define SURE_STEPS 4

/* The blend constant; the deviation may exchange red and blue. */
static void set_constant(struct state *state, const double *values)
{
	for (int i = 0; i < 4; i++)
		state->blend.constant[i] = (struct range){ values[i], values[i] };
	if (state->choices.deviations & (DEVIATION_CONSTANT | DEVIATION_MIXED)) {
		widen(&state->blend.constant[0], state->blend.constant[2]);
		state->blend.constant[2] = state->blend.constant[0];
	}
}

static bool in_area(const struct state *state, int x, int y)
{
	return !state->scissor || (x >= state->area[0] && x < state->area[0] + state->area[2] &&
				   y >= state->area[1] && y < state->area[1] + state->area[3]);
}

/* Clears obey the scissor and the masks, of stencil that of front faces. */
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

				if (buffers & GL_COLOR_BUFFER_BIT)
					store_masked(
						state, i, &pixel->color[i],
						store_bits(value, bits, rounding(state, bits)));
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

/*
 * From the target, which the copies of scenes do not exceed, to the texture's base level, as far as
 * it reaches.
 */
static void copy(struct state *state, const struct command *command)
{
	const unsigned to_x = value_of(command, 0), to_y = value_of(command, 1);
	const unsigned x = value_of(command, 2), y = value_of(command, 3);
	const unsigned width = level_size(state->texture.width, state->texture.base);
	const unsigned height = level_size(state->texture.height, state->texture.base);

	if (state->samples || !state->texture.enabled)
		return;
	for (unsigned j = 0; j < value_of(command, 5) && to_y + j < height; j++)
		for (unsigned i = 0; i < value_of(command, 4) && to_x + i < width; i++)
			copy_texel(&state->texture, to_x + i, to_y + j,
				   state->pixels[y + j][x + i].color);
}

/* Whether a blit is mirrored or clipped by the scissor: drivers draw these, and copy others. */
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

/* Copy colours to the same place: @area: x, y, width, height. */
static void copy_area(struct state *state, struct allowed from[SIZE][SIZE], const double *area)
{
	for (int y = area[1]; y < area[1] + area[3]; y++)
		for (int x = area[0]; x < area[0] + area[2]; x++)
			if (in_area(state, x, y))
				memcpy(state->pixels[y][x].color, from[y][x].color,
				       sizeof(from[y][x].color));
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

/* Execute a command that enables or disables something; other commands have no effect. */
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

/* Commands that set the tests of fragments; all others go on to run_switch(). */
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

/* What scenes begin with: OpenGL's initial state, but no dithering, nearest texels; cleared pixels. */
static void begin_state(struct state *state, const struct choices *choices,
			struct allowed pixels[SIZE][SIZE])
{
	const struct stencil stencil = { .function = GL_ALWAYS,
					 .operations = { GL_KEEP, GL_KEEP, GL_KEEP },
					 .mask = 255,
					 .write = 255 };
	static const struct command begin = { OP_CLEAR,
					      7,
					      { GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
							GL_STENCIL_BUFFER_BIT,
						0, 0, 0, 0, 1, 0 } };

	memset(state, 0, sizeof(*state));
	state->choices = *choices;
	state->pixels = pixels;
	state->faces[0] = state->faces[1] = stencil;
	state->depth_write = true;
	state->front_face = GL_CCW;
	state->point_size = state->line_width = 1;
	state->texture.deviations = choices->deviations;
	state->texture.limits[0] = -1000;
	state->texture.limits[1] = 1000;
	state->texture.wrap[0] = state->texture.wrap[1] = GL_REPEAT;
	state->texture.minify = state->texture.magnify = GL_NEAREST;
	memset(state->mask, true, sizeof(state->mask));
	clear(state, &begin);
}

/* What a second context has drawn with the texture, or copied from the target, goes to the target. */
static void show_other(struct state *state, const struct command *command)
{
	static struct allowed others[SIZE][SIZE];
	static struct state other;

	if (value_of(command, 1)) {
		memcpy(others, state->pixels, sizeof(others));
	} else {
		if (!state->texture.enabled)
			return;
		begin_state(&other, &state->choices, others);
		other.texture = state->texture;
		/* The bias is state of a context (its texture units), and not of the texture. */
		other.texture.bias = 0;
		draw_primitives(&other, &other_square);
	}
	copy_area(state, others, command->values + 2);
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
	case OP_LEVELS:
		set_levels(&state->texture, value_of(command, 0), value_of(command, 1));
		break;
	case OP_REPLACE:
		replace_texels(&state->texture, command);
		break;
	case OP_FILL:
		fill_texels(&state->texture, command);
		break;
	case OP_COPY:
		copy(state, command);
		break;
	case OP_OTHER:
		show_other(state, command);
		break;
	case OP_BLIT:
		blit(state, command);
		break;
	case OP_DRAW:
		draw_primitives(state, command);
		break;
	default:
		run_tests(state, command);
	}
}

void draw_reference(const struct scene *scene, const struct choices *choices,
		    struct allowed pixels[SIZE][SIZE])
{
	static struct state state;

	begin_state(&state, choices, pixels);
	state.es = state.texture.es = find_command(scene, OP_ES);
	state.samples = scene_samples(scene);
	for (unsigned i = 0; i < scene->count; i++)
		run(&state, &scene->commands[i]);
}

void use_second(struct choices *choices, struct picture_read *picture)
{
	memcpy(choices->target, choices->second, sizeof(choices->target));
	memcpy(picture->color, picture->second, sizeof(picture->color));
}

/* A component of a pixel: the value read, the permitted range, and the tolerance beyond it. */
struct part {
	const char *name;
	double value, off;
	struct range range;
};

/* Component @i: red, green, blue, alpha, depth, stencil; depth in steps */
static struct part part_of(const struct allowed *pixel, const struct choices *choices,
			   const struct picture_read *picture, int x, int y, int i)
{
	static const char *const names[] = { "red", "green", "blue", "alpha", "depth", "stencil" };
	double scale = i == 4 ? (1u << choices->depth) - 1.0 : i == 5 ? 1 : 255;
	struct part part = { .name = names[i] };

	part.range = i == 4 ? pixel->depth : i == 5 ? pixel->stencil : pixel->color[i];
	part.range.low *= scale;
	part.range.high *= scale;
	/* Components of the target are extended to eight bits by rounding or by repetition. */
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
