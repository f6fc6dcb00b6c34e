/* SPDX-License-Identifier: MIT */
/* Buffers that other processes can show, drawn with OpenGL ES 2.0, and fences of drawings. */
#ifndef TESTS_DESKTOP_SYNC_DRAWING_H
#define TESTS_DESKTOP_SYNC_DRAWING_H

#include <stdbool.h>

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <gbm.h>

struct drawing {
	int fd; /* of the render node */
	struct gbm_device *gbm;
	EGLDisplay display;
	EGLContext context;
};

struct drawing_buffer {
	struct gbm_bo *bo;
	GLuint framebuffer;
};

/**
 * drawing_open - open a render node and make a context current
 * @drawing: receives it
 * @node: path of the render node
 *
 * Returns: NULL, or an error message.
 */
const char *drawing_open(struct drawing *drawing, const char *node);

/**
 * drawing_create_buffer - a buffer of @size pixels a side, format XRGB8888
 *
 * Returns: NULL, or an error message.
 */
const char *drawing_create_buffer(struct drawing *drawing, struct drawing_buffer *buffer,
				  unsigned int size);

/**
 * drawing_draw - submit a drawing of frame @number into @buffer
 *
 * Returns: a sync file that signals when the GPU has drawn it; negative after an error.
 */
int drawing_draw(struct drawing *drawing, struct drawing_buffer *buffer, unsigned int number);

#endif
