/* SPDX-License-Identifier: MIT */
/* A second context, current in a thread of its own, that has the objects of the first. */
#ifndef TESTS_DRAWS_SECOND_H
#define TESTS_DRAWS_SECOND_H

#include "scene.h"

#include <EGL/egl.h>

/** What the second context does. */
struct view {
	/** The fence to wait for before; NULL: none. Replaced by one to wait for after it */
	GLsync fence;
	/** How the second context hands over what it drew */
	enum handover way;
	/** The texture to draw with; 0: none */
	GLuint texture;
	/** Otherwise the renderbuffer to copy */
	GLuint from;
	/** The renderbuffer to draw to */
	GLuint to;
};

/** Hand over what the current context did. Returns a fence for HANDOVER_FENCE, or NULL. */
GLsync hand_over(enum handover way);

/** Wait for a fence in the current context, if there is one, and delete it. */
void take_over(GLsync fence);

/** Make the second context, which shares objects with @share, if there is none. */
void start_second(EGLContext share);

/** Let the second context draw or copy. */
void show_view(struct view *view);

#endif
