/* SPDX-License-Identifier: MIT */
/* Textures and their sampling, with ranges of what is allowed. */
#ifndef TESTS_DRAWS_TEXTURE_H
#define TESTS_DRAWS_TEXTURE_H

#include "reference.h"

#define MAX_LEVELS 6

struct texture {
	bool enabled;
	/** True if the texture is sampled by a program of OpenGL ES */
	bool es;
	GLenum format;
	/** Size of level 0, number of levels, first and last level that is used */
	unsigned width, height, levels, base, last;
	GLenum wrap[2], minify, magnify;
	/** Level of detail: bias, least and most */
	double bias, limits[2], border[4];
	/** Deviations of the driver from OpenGL; bits of enum deviation */
	unsigned deviations;
	/**
	 * Texels of each level; levels are at most SIZE x SIZE. All textures share one memory.
	 */
	struct range (*texels)[SIZE][SIZE][4];
};

/** Set the texels of a texture; its sampler state is not changed. */
void make_texture(struct texture *texture, const struct command *command);

/** Return texel @i of a row of @size texels after wrapping; -1: the border. */
int wrap_texel(GLenum mode, int i, int size);

/** Limit the levels that are used to @base and those after it up to @last. */
void set_levels(struct texture *texture, unsigned base, unsigned last);

/** Replace a texel of the base level by a colour of the target. */
void copy_texel(struct texture *texture, unsigned x, unsigned y, const struct range color[4]);

/** Replace a part of a level by texels of a seed: OP_REPLACE. */
void replace_texels(struct texture *texture, const struct command *command);

/** Replace a part of a level by one colour: OP_FILL. */
void fill_texels(struct texture *texture, const struct command *command);

/**
 * What a sample may be, red to alpha, as factors of the fragment's colour.
 *
 * @coordinates: s and t
 * @slopes: of s by x, s by y, t by x, t by y
 * @level_slack: how far the level of detail may be off
 */
void sample_texture(const struct texture *texture, const double coordinates[2],
		    const double slopes[4], double level_slack, struct range result[4]);

#endif
