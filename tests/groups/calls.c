// SPDX-License-Identifier: MIT
/*
 * Commands of all types for the command monitor, with debug groups around them; or jobs of one draw
 * each.
 *
 *	calls			each type of command once or more
 *	calls jobs NUMBER	NUMBER flushed draws, with glFinish() after each 64 and at the end
 *	calls jobs NUMBER FOLDER	the same, but with glFinish() after each 16, and two programs with
 *				this FOLDER begin together
 *	calls copies		glBlitFramebuffer() of depth with stencil twice, which only the CPU can copy
 *	calls tiles		a texture of one byte per pixel is written while a draw samples it
 *	calls forever		flushed draws with glFinish() after each 64, until it is killed
 */

#include "harness.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

#define SIZE 64

static void (*push)(GLenum, GLuint, GLsizei, const GLchar *);
static void (*pop)(void);
static void (*label)(GLenum, GLuint, GLsizei, const GLchar *);
static void (*blit)(GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum);
static void (*insert)(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar *);

static void draws(void)
{
	static const GLubyte indices[] = { 0, 1, 2, 3 };
	static const GLfloat corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
	GLuint buffer;

	push(GL_DEBUG_SOURCE_APPLICATION_KHR, 1, -1, "draws");
	draw_square(0, 3);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, indices);
	glDrawArrays(GL_POINTS, 0, 4);
	glDrawArrays(GL_LINE_LOOP, 0, 4);
	/* Two vertices are no triangle: nothing is drawn. */
	glDrawArrays(GL_TRIANGLES, 0, 2);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &buffer);
	pop();
}

static void clears(void)
{
	push(GL_DEBUG_SOURCE_APPLICATION_KHR, 2, 6, "clears and more");
	glClear(GL_COLOR_BUFFER_BIT);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_SCISSOR_TEST);
	glScissor(8, 8, 16, 16);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	pop();
}

static void textures(void)
{
	static unsigned char texels[SIZE * SIZE * 4];
	GLuint texture;

	insert(GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_MARKER_KHR, 0,
	       GL_DEBUG_SEVERITY_NOTIFICATION_KHR, -1, "textures");
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	label(GL_TEXTURE, texture, -1, "sky");
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
	glGenerateMipmap(GL_TEXTURE_2D);
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, SIZE, SIZE);
	glDeleteTextures(1, &texture);
}

static void everything(void)
{
	unsigned char pixel[4];

	draws();
	glFlush();
	clears();
	textures();
	glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	draw_square(0, 1);
	glFinish();
}

/*
 * @count: 0 for ever. @burst: jobs that are submitted before the program waits for them. 64 are more
 * than the 50 of the test of times, which have to follow each other without gaps (check.py,
 * check_durations()). Two programs wait more often, so that they take turns (check_apart()).
 */
static void jobs(unsigned long count, unsigned int burst)
{
	for (unsigned long i = 0; !count || i < count; i++) {
		draw_square(0, 1);
		glFlush();
		/* The kernel refuses no job, however many are queued: the program itself has to wait. */
		if (i % burst == burst - 1)
			glFinish();
	}
	glFinish();
}

/* A target whose depth and stencil the CPU has written: no command is needed before it reads them. */
static GLuint make_depth_stencil(void)
{
	static const GLuint values[SIZE * SIZE];
	GLuint framebuffer = make_target(SIZE, SIZE), texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8_OES, SIZE, SIZE, 0, GL_DEPTH_STENCIL_OES,
		     GL_UNSIGNED_INT_24_8_OES, values);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
	return framebuffer;
}

/* At no multiple of the resolve engine's windows, so that the engine cannot copy it */
static void copy_depth_stencil(void)
{
	blit(3, 5, 20, 22, 7, 9, 24, 26, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
}

static void copies(void)
{
	const GLuint from = make_depth_stencil();

	blit = get_function("glBlitFramebuffer");
	make_depth_stencil();
	glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, from);
	glFinish();
	copy_depth_stencil();
	copy_depth_stencil();
	draw_square(0, 1);
	glFinish();
}

/*
 * The driver writes such a texture by the CPU, here to a copy, of which the resolve engine brings the
 * changed tiles to the texture before the next draw.
 */
static void tiles(void)
{
	static unsigned char texels[SIZE * SIZE];
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, SIZE, SIZE, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE,
		     texels);
	use_copy_program("precision mediump float;\n"
			 "uniform sampler2D image;\n"
			 "varying vec2 at;\n"
			 "void main() { gl_FragColor = texture2D(image, at); }\n");
	draw_square(0, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 16, 16, GL_LUMINANCE, GL_UNSIGNED_BYTE, texels);
	draw_square(0, 1);
	glFinish();
}

/* Create a file in the folder, and wait until the other program's file exists. */
static void meet(const char *folder)
{
	char name[256];
	glob_t found;
	size_t count;

	snprintf(name, sizeof(name), "%s/%d", folder, getpid());
	close(open(name, O_CREAT | O_WRONLY, 0600));
	snprintf(name, sizeof(name), "%s/*", folder);
	do {
		usleep(1000);
		glob(name, GLOB_NOSORT, NULL, &found);
		count = found.gl_pathc;
		globfree(&found);
	} while (count < 2);
}

int main(int argc, char **argv)
{
	const bool copying = argc == 2 && !strcmp(argv[1], "copies");

	use_context(make_context(copying ? API_GL : API_ES2, EGL_NO_CONTEXT));
	push = get_function("glPushDebugGroupKHR");
	pop = get_function("glPopDebugGroupKHR");
	insert = get_function("glDebugMessageInsertKHR");
	label = get_function("glObjectLabelKHR");
	make_target(SIZE, SIZE);
	add_depth(GL_DEPTH_COMPONENT16, SIZE, SIZE);
	use_plain_program();
	if (argc > 3)
		meet(argv[3]);
	if (argc == 1)
		everything();
	else if (copying)
		copies();
	else if (argc == 2 && !strcmp(argv[1], "tiles"))
		tiles();
	else
		jobs(argc > 2 ? strtoul(argv[2], NULL, 10) : 0, argc > 3 ? 16 : 64);
	return glGetError() ? 1 : 0;
}
