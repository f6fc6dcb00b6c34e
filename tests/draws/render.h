/* SPDX-License-Identifier: MIT */
/* Scenes drawn with OpenGL 2.1 or OpenGL ES 2.0. */
#ifndef TESTS_DRAWS_RENDER_H
#define TESTS_DRAWS_RENDER_H

#include "reference.h"

/** Create contexts, print vendor and renderer of that of OpenGL. Gives up if there is none. */
void begin_rendering(void);

/** True if the driver is llvmpipe. */
bool is_llvmpipe(void);

/** Largest number of samples that the driver offers; 0: none. */
unsigned max_samples(void);

/** Colour buffers that can be drawn to at once. */
unsigned max_targets(void);

/** What became of a scene */
enum rendered {
	RENDERED,
	/** OpenGL reported an error. */
	RENDERED_ERROR,
	/** A mapped buffer does not show what is in it. */
	RENDERED_MAPPING,
	/** A program is larger than what the driver can draw with. */
	RENDERED_UNFIT,
};

/**
 * Draw a scene and read it back. @direct: without the copies of samples, and resolved at once, which
 * gives the same picture. Returns what became of it, and the driver's choices for the target.
 */
enum rendered render_scene(const struct scene *scene, bool direct, struct choices *choices,
			   struct picture_read *picture);

#endif
