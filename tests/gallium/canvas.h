/* SPDX-License-Identifier: MIT */
/* Pictures that are drawn with OpenGL 2.1 and compared with another driver's. */
#ifndef TESTS_GALLIUM_CANVAS_H
#define TESTS_GALLIUM_CANVAS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

/** Pixels. */
#define WIDTH 640
#define HEIGHT 432

/** Read the framebuffer back, upper row first, and write it as FOLDER/NAME.png, or give up. */
void write_picture(const char *folder, const char *name);

#endif
