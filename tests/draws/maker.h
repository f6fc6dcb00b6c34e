/* SPDX-License-Identifier: MIT */
/* What scene.c and scene_kinds.c make scenes of. */
#ifndef TESTS_DRAWS_MAKER_H
#define TESTS_DRAWS_MAKER_H

#include "scene.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/** Kinds of scenes: what is in them beside the state that all scenes change. */
enum kind {
	KIND_PLAIN,
	/** Two colour buffers of different formats */
	KIND_TARGETS,
	/** Textures whose base and maximum level change */
	KIND_LEVELS,
	/** Texels that change between draws */
	KIND_TEXELS,
	/** Vertices in buffers that stay mapped */
	KIND_BUFFERS,
	/** Copies between targets with samples */
	KIND_SAMPLES,
	/** Two contexts with the same objects */
	KIND_CONTEXTS,
	/** Programs at the limits that the driver announces */
	KIND_LIMITS,
	KINDS,
};

/** A scene in the making. */
struct maker {
	struct scene *scene;
	uint64_t state;
	enum kind kind;
	bool es;
	/** Stencil is not the same for both faces. */
	bool sided;
	GLenum color, depth;
	unsigned samples;
	/** Number of OP_BUFFER so far, and whether the last buffer was made with data */
	unsigned buffers;
	bool with_data;
	/** The last OP_TEXTURE; without values: none */
	struct command texture;
};

/** A random number from 0 to @end - 1. */
unsigned below(struct maker *maker, unsigned end);

/** True in so many percent of the cases. */
bool chance(struct maker *maker, unsigned percent);

#define ONE_OF(maker, list) ((list)[below(maker, COUNT(list))])
#define ONE_OF_API(maker, list, es_count) \
	((list)[below(maker, (maker)->es ? (es_count) : COUNT(list))])

/** Add a command without values to the scene. */
struct command *add(struct maker *maker, enum op op);

/** Add a value to a command. */
void put(struct command *command, double value);

/** Add a clear of the buffers in @bits. */
void add_clear(struct maker *maker, unsigned bits);

/** Add a texture and its sampler. */
void add_texture(struct maker *maker);

/** Add the values of an area: x, y, width, height; @small: inside of the target. */
void add_area(struct command *command, struct maker *maker, bool small);

/** True if the target can be copied to textures. */
bool can_copy(const struct maker *maker);

/** Add a copy to the texture or within the target. */
void add_copy(struct maker *maker);

/** Choose the kind of the scene with this number. */
void begin_kind(struct maker *maker, uint64_t number);

/** Samples of the target of a scene of this kind; @samples: of a plain scene. */
unsigned choose_samples(struct maker *maker, unsigned samples);

/** Texture coordinates go on by 1 to 32 in so many pixels. */
double scale_divisor(const struct maker *maker);

/** True if the next draw keeps the state: tests and blending often hide what it draws. */
bool is_bare(struct maker *maker);

/** Change the filters of an OP_SAMPLER so that it matters which of them is used. */
void adjust_sampler(const struct maker *maker, struct command *sampler);

/** Add what scenes of this kind have before and after each draw, and at their end. */
void add_before_draw(struct maker *maker);
void add_after_draw(struct maker *maker);
void end_kind(struct maker *maker);

#endif
