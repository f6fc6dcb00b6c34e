/* SPDX-License-Identifier: MIT */
/* Context and framebuffer of the OpenGL 2.1 test programs, and output of pictures as PNG. */
#ifndef TESTS_GALLIUM_CANVAS_H
#define TESTS_GALLIUM_CANVAS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>

/** Size of the pictures in pixels */
#define WIDTH 640
#define HEIGHT 432

/** A picture's name and the function that draws it to a cleared framebuffer */
struct drawing {
	const char *name;
	void (*draw)(void);
};

/** True if the current context is our driver's. */
bool is_vivgpu(void);

/** Make an OpenGL context current and print its vendor and version. Gives up if there is none. */
void begin_opengl(void);

/**
 * Like begin_opengl(), for programs that write pictures: returns the folder, which is the only
 * argument. Gives up without it.
 */
const char *begin_pictures(int argc, char **argv);

/**
 * Make a framebuffer of @side by @side pixels with @samples samples, colours of this format, depth and
 * stencil, and bind it. Gives up if it is not complete or has another number of samples.
 */
GLuint make_buffers(int side, int samples, GLenum format);

/**
 * Make a program current; the fixed functions are in place of a shader that is NULL. Gives up if it does
 * not link.
 */
GLuint use_shaders(const char *vertex, const char *fragment);

/** Set an orthographic projection: coordinates are pixels, from the lower left corner. */
void use_pixel_coordinates(void);

/**
 * Draw pictures, @count of them, one after the other into the framebuffer that is bound, WIDTH x
 * HEIGHT pixels large, and write each as FOLDER/NAME.png. Gives up after an error.
 */
void write_pictures(const char *folder, const struct drawing *drawings, unsigned count);

#endif
