/* SPDX-License-Identifier: MIT */
/*
 * Shaders, programs and contexts of test programs. Each function prints what is wrong and ends the
 * process with status 2 if it cannot do what it is asked for.
 */
#ifndef TESTS_GL_PROGRAM_H
#define TESTS_GL_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

static inline void gl_program_fail(const char *what, const char *detail)
{
	fprintf(stderr, "%s: %s (EGL error 0x%x)\n", what, detail, (unsigned int)eglGetError());
	exit(2);
}

/** gl_compile - compile a shader of a type */
static inline GLuint gl_compile(GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);
	char log[1024] = "";
	GLint good;

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
	if (!good) {
		glGetShaderInfoLog(shader, sizeof(log), NULL, log);
		gl_program_fail(source, log);
	}
	return shader;
}

/** gl_use_program - link a program of two shaders and use it; names of attributes 0 and 1, or NULL */
static inline GLuint gl_use_program(const char *vertex, const char *fragment, const char *first,
				    const char *second)
{
	GLuint program = glCreateProgram();
	char log[1024] = "";
	GLint good;

	glAttachShader(program, gl_compile(GL_VERTEX_SHADER, vertex));
	glAttachShader(program, gl_compile(GL_FRAGMENT_SHADER, fragment));
	if (first)
		glBindAttribLocation(program, 0, first);
	if (second)
		glBindAttribLocation(program, 1, second);
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	if (!good) {
		glGetProgramInfoLog(program, sizeof(log), NULL, log);
		gl_program_fail("a program does not link", log);
	}
	glUseProgram(program);
	return program;
}

/** gl_surfaceless_context - make a context of OpenGL ES 2 current, without a surface */
static inline void gl_surfaceless_context(void)
{
	static const EGLint config_attributes[] = { EGL_SURFACE_TYPE, 0, EGL_NONE };
	static const EGLint context_attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLDisplay display =
		eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLConfig config;
	EGLContext context;
	EGLint count;

	if (!eglInitialize(display, NULL, NULL))
		gl_program_fail("EGL", "no display");
	eglBindAPI(EGL_OPENGL_ES_API);
	if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || !count)
		gl_program_fail("EGL", "no config");
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		gl_program_fail("EGL", "no context");
}

#endif
