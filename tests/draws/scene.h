/* SPDX-License-Identifier: MIT */
/*
 * Scenes of random fixed-function state. A scene is a list of commands, each a word and numbers.
 * State persists until it is changed, as in OpenGL, so a scene without one of its commands is a
 * scene, too.
 */
#ifndef TESTS_DRAWS_SCENE_H
#define TESTS_DRAWS_SCENE_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Width and height of the target, pixels. */
#define SIZE 32
/** Numbers of a vertex: x, y (pixels), z (0 to 1), red, green, blue, alpha, s, t. */
#define VERTEX 9
#define MAX_VERTICES 8
#define MAX_VALUES (1 + VERTEX * MAX_VERTICES)
#define MAX_COMMANDS 128

enum op {
	OP_ES,     /* an OpenGL ES 2.0 context; the first command or none */
	OP_TARGET, /* formats of colour and of depth and stencil (0: none), samples; after OP_ES */
	OP_CLEAR,  /* bits of glClear, red, green, blue, alpha, depth, stencil */
	OP_BLEND,  /* equation, equation of alpha, four factors as glBlendFuncSeparate has them */
	OP_NO_BLEND,
	OP_CONSTANT, /* blend constant: red, green, blue, alpha */
	OP_MASK,     /* red, green, blue, alpha */
	OP_DEPTH,    /* function, write */
	OP_NO_DEPTH,
	OP_STENCIL, /* face, function, reference, mask, fail, depth fails, passes, write mask */
	OP_NO_STENCIL,
	OP_SCISSOR, /* x, y, width, height */
	OP_NO_SCISSOR,
	OP_LOGIC, /* operation */
	OP_NO_LOGIC,
	OP_ALPHA, /* function, reference */
	OP_NO_ALPHA,
	OP_CULL, /* face, front face */
	OP_NO_CULL,
	OP_OFFSET, /* factor, units */
	OP_NO_OFFSET,
	OP_DITHER,
	OP_NO_DITHER,
	OP_POINT,   /* size */
	OP_LINE,    /* width */
	OP_TEXTURE, /* internal format, width, height, levels, seed of the texels */
	OP_NO_TEXTURE,
	OP_SAMPLER, /* wrap of s, of t, minifying, magnifying filter, LOD bias */
	OP_LIMITS,  /* of the texture's level of detail: least, most */
	OP_BORDER,  /* red, green, blue, alpha of the texture's border */
	OP_LEVELS,  /* the texture's base level and maximum level */
	OP_REPLACE, /* texels: level, x, y, width, height, seed of the texels */
	OP_FILL,    /* texels by a clear: level, x, y, width, height, red, green, blue, alpha */
	OP_COPY,    /* into the texture's base level: its x, y, the target's x, y, width, height */
	OP_BLIT,    /* bits, x, y, width, height, x and y where it goes, whether mirrored */
	OP_SECOND,  /* format of a second colour buffer, which is drawn to as the first is */
	OP_BUFFER,  /* vertices are in a mapped buffer: new, made with data, written whole, way */
	OP_SAMPLES, /* samples are copied to another target and back: bits, x, y, width, height */
	OP_RESOLVE, /* the part of the target that is resolved for itself: x, y, width, height */
	OP_OTHER,   /* what a second context sees: way, target, x, y, width, height */
	OP_LIMIT,   /* enum limit: draw with a program at it, which draws as others do */
	OP_DRAW,    /* primitive, then vertices */
	OP_COUNT,
};

/** Ways to write vertices to a buffer that stays mapped */
enum buffer_way { BUFFER_POINTER, BUFFER_DATA, BUFFER_COPY, BUFFER_WAYS };

/** Ways to hand over what a context did to another one */
enum handover { HANDOVER_FINISH, HANDOVER_FENCE, HANDOVER_FLUSH, HANDOVERS };

/** What programs use as much of as OpenGL ES permits; constants: 100 uniforms compared with such */
enum limit { LIMIT_VERTEX, LIMIT_FRAGMENT, LIMIT_CONSTANTS, LIMIT_VARYINGS, LIMIT_UNITS, LIMITS };

struct command {
	enum op op;
	unsigned count;
	double values[MAX_VALUES];
};

struct scene {
	unsigned count;
	struct command commands[MAX_COMMANDS];
};

/** A pseudo-random number generator (splitmix64); any @state is a seed. */
uint64_t next_number(uint64_t *state);

/**
 * The scene with this number of a seed: the same on all machines, independent of other numbers.
 * @kinds: one scene in four is of a kind of its own (scene_kinds.c).
 */
void make_scene(struct scene *scene, uint64_t seed, uint64_t number, bool kinds);

/** The first command of a kind, or NULL. */
const struct command *find_command(const struct scene *scene, enum op op);

/** The square over the whole target that a second context draws with the texture: OP_OTHER. */
extern const struct command other_square;

/** True if a texture of this internal format can be drawn to. */
bool is_renderable(GLenum format, bool es);

/** Width or height of a texture's level. */
static inline unsigned level_size(unsigned size, unsigned level)
{
	return size >> level ? size >> level : 1;
}

/** Samples of a scene's target; 0: it has none. */
unsigned scene_samples(const struct scene *scene);

/**
 * Get the vertices of a draw's primitive @i, at most three. Returns their number; 0: there is no
 * such primitive. Triangles of strips keep their direction.
 */
unsigned primitive_corners(const struct command *draw, unsigned i, unsigned corners[3]);

/** Write a scene as text, one command a line. */
void print_scene(FILE *file, const struct scene *scene);

/** Read a scene up to a line "end" or the end of the file. Returns false if it is invalid. */
bool read_scene(FILE *file, struct scene *scene);

/** The value of a command as an unsigned number. */
static inline unsigned value_of(const struct command *command, unsigned i)
{
	return (unsigned)command->values[i];
}

/** A texel of a texture with this seed, four parts from 0 to 255, each a multiple of 17. */
void make_texel(unsigned seed, unsigned level, unsigned x, unsigned y, uint8_t texel[4]);

#endif
