// SPDX-License-Identifier: MIT
/* EGL contexts on etnaviv, and the GL objects that the measured work shares. */

#include "calibrate.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <gbm.h>
#include <stdbool.h>
#include <stdio.h>

#include "../gl_program.h"

static EGLDisplay display;
static EGLSurface surface;
static struct gbm_surface *window;

/* A configuration for surfaces of @type with @samples. */
static EGLConfig choose_config(EGLint type, int samples)
{
	const EGLint attributes[] = { EGL_SURFACE_TYPE,   type,           EGL_RENDERABLE_TYPE,
				      EGL_OPENGL_ES2_BIT, EGL_ALPHA_SIZE, 8,
				      EGL_SAMPLES,        samples,        EGL_NONE };
	EGLConfig config = NULL;
	EGLint count = 0, real = -1;

	if (!eglInitialize(display, NULL, NULL) ||
	    !eglChooseConfig(display, attributes, &config, 1, &count) || !count)
		die("no such EGL configuration");
	eglGetConfigAttrib(display, config, EGL_SAMPLES, &real);
	if (real != samples)
		die("no such number of samples");
	return config;
}

static void make_current(EGLConfig config)
{
	const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);

	if (!eglMakeCurrent(display, surface, surface, context))
		die("no context");
	glViewport(0, 0, WIDTH, HEIGHT);
}

void make_context(int samples)
{
	const EGLint size[] = { EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE };
	EGLConfig config;

	display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	config = choose_config(EGL_PBUFFER_BIT, samples);
	surface = eglCreatePbufferSurface(display, config, size);
	make_current(config);
}

void make_window(void)
{
	struct gbm_device *device = gbm_create_device(open_gpu());
	EGLConfig config;

	display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
	config = choose_config(EGL_WINDOW_BIT, 0);
	/* This GPU draws to no linear buffer, so Mesa copies to it at each swap. */
	window = gbm_surface_create(device, WIDTH, HEIGHT, GBM_FORMAT_ARGB8888,
				    GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR);
	if (!window)
		die("no window surface");
	surface = eglCreatePlatformWindowSurface(display, config, window, NULL);
	make_current(config);
}

void present_window(void)
{
	struct gbm_bo *front;

	if (!eglSwapBuffers(display, surface))
		die("no swap");
	front = gbm_surface_lock_front_buffer(window);
	gbm_surface_release_buffer(window, front);
}

void swap_window(void)
{
	present_window();
	glFinish();
}

/* The texture stays bound. */
void make_target(int width, int height)
{
	GLuint texture, framebuffer;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		die("no render target");
}

GLuint use_program(const char *fragment)
{
	char source[1024];

	snprintf(source, sizeof(source),
		 "precision mediump float;\n"
		 "uniform vec4 color;\n"
		 "uniform sampler2D image;\n"
		 "varying vec2 place;\n"
		 "void main() { %s }",
		 fragment);
	return gl_use_program("attribute vec4 position;\n"
			      "varying vec2 place;\n"
			      "void main() { gl_Position = position;\n"
			      "place = position.xy * 0.5 + 0.5; }",
			      source, "position", NULL);
}

void draw_rectangle(float width, float height)
{
	const float right = 2 * width - 1, top = 2 * height - 1;
	const GLfloat corners[] = { -1, -1, right, -1, -1, top, right, top };

	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
	glEnableVertexAttribArray(0);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
