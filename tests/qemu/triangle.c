// SPDX-License-Identifier: MIT
/*
 * qemu-triangle: draws a triangle off screen and compares every pixel with what OpenGL demands:
 * those whose centres are inside have the triangle's colour, all others the background's. No edge
 * passes through the centre of a pixel, so nothing is left to the implementation.
 *
 *	qemu-triangle RENDERER [TIMES]	how the name of the renderer that must draw it begins;
 *					how often (1)
 *
 * Prints the renderer, the number of pixels, and after how many seconds since the guest's start the
 * last picture was there: the first frame with TIMES 1.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#define SIZE 256

/* Corners in pixels, counter-clockwise. */
static const int corner[3][2] = { { 29, 17 }, { 228, 39 }, { 66, 239 } };

static const uint8_t background[4] = { 0x20, 0x40, 0x60, 0xff };
static const uint8_t colour[4] = { 0xff, 0x80, 0x00, 0xff };

static void fail(const char *what)
{
	fprintf(stderr, "qemu-triangle: %s (EGL %#x)\n", what, (unsigned int)eglGetError());
	exit(1);
}

static void make_context(void)
{
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
	EGLContext context;

	if (!eglInitialize(display, NULL, NULL))
		fail("no display");
	eglBindAPI(EGL_OPENGL_ES_API);
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		fail("no context");
}

static void make_target(void)
{
	GLuint texture, framebuffer;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		fail("incomplete framebuffer");
	glViewport(0, 0, SIZE, SIZE);
}

static GLuint compile(GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);
	GLint good;

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
	if (!good)
		fail("a shader does not compile");
	return shader;
}

static void use_program(void)
{
	static const char vertex[] = "attribute vec4 position;\n"
				     "void main() { gl_Position = position; }\n";
	static const char fragment[] = "precision mediump float;\n"
				       "uniform vec4 colour;\n"
				       "void main() { gl_FragColor = colour; }\n";
	GLuint program = glCreateProgram();
	GLint good;

	glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
	glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
	glBindAttribLocation(program, 0, "position");
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	if (!good)
		fail("the program does not link");
	glUseProgram(program);
	glUniform4f(glGetUniformLocation(program, "colour"), colour[0] / 255.f, colour[1] / 255.f,
		    colour[2] / 255.f, colour[3] / 255.f);
}

static void draw(void)
{
	float position[3][2];

	for (int i = 0; i < 3; i++)
		for (int axis = 0; axis < 2; axis++)
			position[i][axis] = 2.f * corner[i][axis] / SIZE - 1;
	glClearColor(background[0] / 255.f, background[1] / 255.f, background[2] / 255.f,
		     background[3] / 255.f);
	glClear(GL_COLOR_BUFFER_BIT);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, position);
	glEnableVertexAttribArray(0);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

/*
 * Twice the area between edge @i and the centre of a pixel, in quarters of a pixel; its sign is the
 * side on which the centre is.
 */
static int edge(int i, int x, int y)
{
	const int *a = corner[i], *b = corner[(i + 1) % 3];

	return 2 *
	       ((b[0] - a[0]) * (2 * y + 1 - 2 * a[1]) - (b[1] - a[1]) * (2 * x + 1 - 2 * a[0]));
}

static bool inside(int x, int y)
{
	for (int i = 0; i < 3; i++) {
		if (!edge(i, x, y))
			fail("an edge passes through the centre of a pixel");
		if (edge(i, x, y) < 0)
			return false;
	}
	return true;
}

/* Print the first ten pixels that differ. Returns: the number of all. */
static unsigned int compare(const uint8_t *pixels, unsigned int *covered)
{
	unsigned int different = 0;

	for (int y = 0; y < SIZE; y++)
		for (int x = 0; x < SIZE; x++) {
			const uint8_t *is = pixels + 4 * (y * SIZE + x);
			const uint8_t *wanted = inside(x, y) ? colour : background;

			*covered += wanted == colour;
			if (memcmp(is, wanted, 4) && different++ < 10)
				printf("pixel %d, %d: %02x%02x%02x%02x instead of %02x%02x%02x%02x\n",
				       x, y, is[0], is[1], is[2], is[3], wanted[0], wanted[1],
				       wanted[2], wanted[3]);
		}
	return different;
}

int main(int argc, char *argv[])
{
	static uint8_t pixels[SIZE * SIZE * 4];
	unsigned int different, covered = 0, times = 1;
	const char *renderer;
	struct timespec now;

	if (argc < 2 || argc > 3)
		fail("usage: qemu-triangle RENDERER [TIMES]");
	if (argc == 3)
		times = (unsigned int)strtoul(argv[2], NULL, 10);
	make_context();
	renderer = (const char *)glGetString(GL_RENDERER);
	printf("renderer: %s, %s\n", renderer, (const char *)glGetString(GL_VERSION));
	if (strncmp(renderer, argv[1], strlen(argv[1])) != 0)
		fail("another renderer");
	make_target();
	use_program();
	for (unsigned int i = 0; i < times; i++) {
		draw();
		glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	}
	clock_gettime(CLOCK_BOOTTIME, &now);
	different = compare(pixels, &covered);
	printf("triangle: %u pixels, %u wrong\n", covered, different);
	printf("first frame after %.1f s\n", now.tv_sec + now.tv_nsec * 1e-9);
	return different || glGetError();
}
