// SPDX-License-Identifier: MIT
/*
 * saver-clock.so: preloaded into a screensaver, makes what it draws depend on the number of the
 * frame alone, and keeps some frames.
 *
 * The program sees the clock of tests/peer/program-clock.h and always the same process id, which is
 * a part of the seed of its random numbers, and does not sleep. After SAVER_FRAMES frames (a list
 * of ascending numbers with commas between) its back buffer is written as SAVER_FOLDER/N.png, and
 * the program ends with the last of them.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glx.h>

#include "png_file.h"
#include "program-clock.h"

#define PROCESS 4711

/** getpid - always the same for the program. */
pid_t getpid(void)
{
	static pid_t (*next)(void);

	if (program_calls(__builtin_return_address(0)))
		return PROCESS;
	if (!next)
		next = (pid_t(*)(void))dlsym(RTLD_NEXT, "getpid");
	return next();
}

/** usleep - returns at once for the program. */
int usleep(useconds_t us)
{
	static int (*next)(useconds_t);

	if (program_calls(__builtin_return_address(0)))
		return 0;
	if (!next)
		next = (int (*)(useconds_t))dlsym(RTLD_NEXT, "usleep");
	return next(us);
}

/* Whether the frame that is now shown is in SAVER_FRAMES, and whether it is the last. */
static bool is_listed(bool *last)
{
	const char *list = getenv("SAVER_FRAMES");
	bool kept = false;

	while (list && *list) {
		char *end;
		unsigned long number = strtoul(list, &end, 10);

		*last = number == program_frames;
		kept = kept || *last;
		list = *end == ',' ? end + 1 : NULL;
	}
	return kept;
}

/* OpenGL's rows go up, the picture's go down. */
static void read_pixels(struct picture *picture)
{
	glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
	glPushAttrib(GL_PIXEL_MODE_BIT);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	glPixelStorei(GL_PACK_ROW_LENGTH, 0);
	glPixelStorei(GL_PACK_SKIP_ROWS, 0);
	glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
	for (unsigned int y = 0; y < picture->height; y++)
		glReadPixels(0, picture->height - 1 - y, picture->width, 1, GL_RGB,
			     GL_UNSIGNED_BYTE, picture->rgb + (size_t)y * picture->width * 3);
	glPopAttrib();
	glPopClientAttrib();
}

static void keep_frame(unsigned int width, unsigned int height)
{
	const char *folder = getenv("SAVER_FOLDER");
	struct picture picture;
	char path[512];

	snprintf(path, sizeof(path), "%s/%u.png", folder ? folder : ".", program_frames);
	if (!picture_create(&picture, width, height))
		abort();
	read_pixels(&picture);
	if (!picture_write(&picture, path)) {
		fprintf(stderr, "saver-clock: no picture %s\n", path);
		abort();
	}
	picture_free(&picture);
}

/* A frame is shown, in a window of this size. */
static void count_frame(unsigned int width, unsigned int height)
{
	bool last = false;

	program_frames++;
	if (!is_listed(&last))
		return;
	keep_frame(width, height);
	if (last)
		_exit(0);
}

/** eglSwapBuffers - EGL's, where frames of programs with EGL pass. */
EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
	static EGLBoolean (*next)(EGLDisplay, EGLSurface);
	EGLint width = 0, height = 0;

	if (!next)
		next = (EGLBoolean(*)(EGLDisplay, EGLSurface))dlsym(RTLD_NEXT, "eglSwapBuffers");
	eglQuerySurface(display, surface, EGL_WIDTH, &width);
	eglQuerySurface(display, surface, EGL_HEIGHT, &height);
	count_frame(width, height);
	return next(display, surface);
}

/** glXSwapBuffers - GLX's, where frames of programs with GLX pass. */
void glXSwapBuffers(Display *display, GLXDrawable drawable)
{
	static void (*next)(Display *, GLXDrawable);
	unsigned int width = 0, height = 0;

	if (!next)
		next = (void (*)(Display *, GLXDrawable))dlsym(RTLD_NEXT, "glXSwapBuffers");
	glXQueryDrawable(display, drawable, GLX_WIDTH, &width);
	glXQueryDrawable(display, drawable, GLX_HEIGHT, &height);
	count_frame(width, height);
	next(display, drawable);
}
