/* SPDX-License-Identifier: MIT */
/* The texture of a scene in OpenGL. */
#ifndef TESTS_DRAWS_RENDER_TEXTURE_H
#define TESTS_DRAWS_RENDER_TEXTURE_H

#include "scene.h"

/** The texture that is bound */
struct bound {
	GLuint name;
	bool es;
	/** Internal format; size of level 0 (texels); levels, of which there are none at first */
	GLenum format;
	unsigned width, height, levels, base;
};

/** OP_TEXTURE: specify its levels. */
void specify_texture(struct bound *texture, const struct command *command);

/** OP_LEVELS: limit the levels that are used. */
void limit_levels(struct bound *texture, const struct command *command);

/** OP_REPLACE: replace a part of a level. */
void upload_texels(const struct bound *texture, const struct command *command);

/**
 * OP_FILL: replace a part of a level by a clear in a framebuffer of its own. That is bound then,
 * the scissor has changed and is enabled, and all components are written without dithering.
 * Returns false if there is nothing to fill.
 */
bool draw_texels(const struct bound *texture, const struct command *command);

/** OP_COPY: copy a part of the target into the base level. */
void copy_to_texture(const struct bound *texture, const struct command *command);

#endif
