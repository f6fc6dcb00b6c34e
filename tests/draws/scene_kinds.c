// SPDX-License-Identifier: MIT
/* What scenes of each kind have in addition to the state of plain scenes. */
#include "maker.h"

/* One of so many scenes is of a kind other than plain. */
#define KIND_INTERVAL 4

/* Kinds but plain, texels and limits need what OpenGL ES 2.0 lacks; render.c relies on it. */
void begin_kind(struct maker *maker, uint64_t number)
{
	if (number % KIND_INTERVAL == KIND_INTERVAL - 1)
		maker->kind = 1 + number / KIND_INTERVAL % (KINDS - 1);
	if (maker->kind == KIND_LIMITS)
		maker->es = true;
	else if (maker->kind != KIND_PLAIN && maker->kind != KIND_TEXELS)
		maker->es = false;
}

unsigned choose_samples(struct maker *maker, unsigned samples)
{
	switch (maker->kind) {
	case KIND_PLAIN:
		return samples;
	case KIND_SAMPLES:
		return 2 + 2 * below(maker, 2);
	default:
		return 0;
	}
}

bool is_bare(struct maker *maker)
{
	return maker->kind != KIND_PLAIN && maker->kind != KIND_TARGETS && chance(maker, 60);
}

double scale_divisor(const struct maker *maker)
{
	/* Most textures are magnified at their base level, some of which would be minified at level 0. */
	return maker->kind == KIND_LEVELS ? 1024 : 128;
}

void adjust_sampler(const struct maker *maker, struct command *sampler)
{
	GLenum minify = value_of(sampler, 2);

	if (maker->kind != KIND_LEVELS)
		return;
	sampler->values[3] = minify == GL_LINEAR || minify == GL_LINEAR_MIPMAP_NEAREST ||
					     minify == GL_LINEAR_MIPMAP_LINEAR
				     ? GL_NEAREST
				     : GL_LINEAR;
	sampler->values[4] = 0;
}

static void add_levels(struct maker *maker)
{
	unsigned levels = value_of(&maker->texture, 3);
	struct command *command;

	if (chance(maker, 40) || !maker->texture.count) {
		add_texture(maker);
		levels = value_of(&maker->texture, 3);
	}
	command = add(maker, OP_LEVELS);
	put(command, below(maker, levels));
	put(command, chance(maker, 50)
			     ? levels - 1
			     : command->values[0] + below(maker, levels - value_of(command, 0)));
}

/* A part of a level of the texture. */
static struct command *add_texels(struct maker *maker, enum op op, unsigned levels)
{
	struct command *command = add(maker, op);
	unsigned level = below(maker, levels);

	put(command, level);
	for (int i = 0; i < 2; i++)
		put(command,
		    chance(maker, 40)
			    ? 0
			    : below(maker, level_size(value_of(&maker->texture, 1 + i), level)));
	for (int i = 0; i < 2; i++)
		put(command, chance(maker, 40)
				     ? SIZE
				     : 1 + below(maker, level_size(value_of(&maker->texture, 1 + i),
								   level)));
	return command;
}

/* Other texels in the texture, by one of the ways that there are. */
static void change_texels(struct maker *maker)
{
	unsigned levels = value_of(&maker->texture, 3), way = below(maker, 3);
	struct command *command;

	if (way == 2 && can_copy(maker)) {
		command = add(maker, OP_COPY);
		for (int i = 0; i < 4; i++)
			put(command, chance(maker, 50) ? 0 : below(maker, SIZE / 2));
		for (int i = 0; i < 2; i++)
			put(command, 1 + below(maker, SIZE / 2));
	} else if (way == 1 && is_renderable(value_of(&maker->texture, 0), maker->es)) {
		/* OpenGL ES 2.0 draws to level 0 only. */
		command = add_texels(maker, OP_FILL, maker->es ? 1 : levels);
		for (int i = 0; i < 4; i++)
			put(command, below(maker, 16) / 15.0);
	} else {
		/* Not as an argument beside add_texels(): C does not say which comes first. */
		unsigned seed = below(maker, 1 << 30);

		put(add_texels(maker, OP_REPLACE, levels), seed);
	}
}

/* Draws with a texture whose texels change, which is not replaced as often as in plain scenes. */
static void add_changes(struct maker *maker)
{
	if (!maker->texture.count || chance(maker, 30))
		add_texture(maker);
	for (unsigned i = below(maker, 3); i > 0; i--)
		change_texels(maker);
}

static void add_buffer(struct maker *maker)
{
	struct command *command = add(maker, OP_BUFFER);

	put(command, !maker->buffers || chance(maker, 20));
	if (value_of(command, 0))
		maker->with_data = chance(maker, 50);
	maker->buffers++;
	put(command, maker->with_data);
	put(command, chance(maker, 60));
	/* Copies are what drivers treat in ways of their own. */
	put(command, chance(maker, 50) ? BUFFER_COPY : below(maker, BUFFER_WAYS));
}

void add_before_draw(struct maker *maker)
{
	struct command *command;

	switch (maker->kind) {
	case KIND_TARGETS:
		if (chance(maker, 50)) {
			command = add(maker, OP_MASK);
			for (int i = 0; i < 4; i++)
				put(command, chance(maker, 60));
		}
		if (chance(maker, 40))
			add_clear(maker, GL_COLOR_BUFFER_BIT);
		break;
	case KIND_LEVELS:
		add_levels(maker);
		break;
	case KIND_TEXELS:
	case KIND_CONTEXTS:
		add_changes(maker);
		break;
	case KIND_BUFFERS:
		add_buffer(maker);
		break;
	case KIND_LIMITS:
		put(add(maker, OP_LIMIT), below(maker, LIMITS));
		break;
	default:
		break;
	}
}

static void add_other(struct maker *maker)
{
	struct command *command = add(maker, OP_OTHER);

	put(command, below(maker, HANDOVERS));
	put(command, chance(maker, 30));
	add_area(command, maker, true);
}

/* All buffers of all samples, or a part. */
static void add_samples(struct maker *maker)
{
	struct command *command = add(maker, OP_SAMPLES);

	put(command, chance(maker, 70)
			     ? GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT
			     : GL_COLOR_BUFFER_BIT);
	if (chance(maker, 50)) {
		add_area(command, maker, true);
		return;
	}
	for (int i = 0; i < 4; i++)
		put(command, i < 2 ? 0 : SIZE);
}

void add_after_draw(struct maker *maker)
{
	if (maker->kind == KIND_CONTEXTS && chance(maker, 70))
		add_other(maker);
	else if (maker->kind == KIND_SAMPLES && chance(maker, 60))
		add_samples(maker);
	else if (maker->kind == KIND_LEVELS && chance(maker, 30))
		change_texels(maker);
}

void end_kind(struct maker *maker)
{
	if (maker->kind == KIND_SAMPLES && chance(maker, 50))
		add_area(add(maker, OP_RESOLVE), maker, true);
}
