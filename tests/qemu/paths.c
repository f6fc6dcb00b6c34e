// SPDX-License-Identifier: MIT
/*
 * qemu-paths: what the processor does for uploads of parts of a texture, and for vertices that the core cannot
 * fetch as they are, whose loops a compiler or Mesa may have made faster for one architecture only.
 *
 *	qemu-paths NS	processor time of an instruction, as QEMU's -icount gives it
 *
 * Prints a line "NAME INSTRUCTIONS" for each case, of the process and of the kernel for it, for a pixel or a vertex.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../gl_program.h"

/* Of desktop OpenGL, which GLES2/gl2.h has not */
#define GL_DOUBLE 0x140A
#define GL_LINE_SMOOTH 0x0B20

#define TARGET 64
#define ATLAS 512
/* Of the parts: no multiples of a tile's 4 pixels */
#define WIDTH 31
#define HEIGHT 33
#define PARTS 200
#define VERTICES 4000
#define REPEATS 3

/* Rows of a vertex with a stride that is no multiple of 4 bytes */
struct odd {
	int16_t position[2];
	uint8_t colour[3];
} __attribute__((packed));

static uint8_t pixels[WIDTH * HEIGHT * 4];
static struct odd odd[VERTICES];
static double doubles[VERTICES][3];
static float floats[VERTICES][3];

static void make_context(void)
{
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
	GLuint texture, framebuffer;
	EGLContext context;

	if (!eglInitialize(display, NULL, NULL))
		gl_program_fail("EGL", "no display");
	eglBindAPI(EGL_OPENGL_API);
	context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		gl_program_fail("EGL", "no context");
	if (strncmp((const char *)glGetString(GL_RENDERER), "Vivante", 7) != 0)
		gl_program_fail("another renderer", (const char *)glGetString(GL_RENDERER));
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TARGET, TARGET, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	glViewport(0, 0, TARGET, TARGET);
}

static void make_program(void)
{
	gl_use_program(
		"attribute vec3 position, colour;\n"
		"varying vec3 shade;\n"
		"void main() {\n"
		"	gl_Position = vec4(position, 1.0);\n"
		"	shade = colour;\n"
		"}\n",
		"uniform sampler2D atlas;\n"
		"varying vec3 shade;\n"
		"void main() { gl_FragColor = vec4(shade, 1.0) + texture2D(atlas, shade.xy); }\n",
		"position", "colour");
}

static void make_atlas(GLenum format)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, format, ATLAS, ATLAS, 0, format, GL_UNSIGNED_BYTE, NULL);
}

static void upload(GLenum format)
{
	for (int i = 0; i < PARTS; i++)
		glTexSubImage2D(GL_TEXTURE_2D, 0, i % 16 * WIDTH, i / 16 * HEIGHT, WIDTH, HEIGHT,
				format, GL_UNSIGNED_BYTE, pixels);
}

static void prepare_rgba(void)
{
	make_atlas(GL_RGBA);
}

static void upload_rgba(void)
{
	upload(GL_RGBA);
	glDrawArrays(GL_POINTS, 0, 1);
}

static void prepare_alpha(void)
{
	make_atlas(GL_ALPHA);
}

static void upload_alpha(void)
{
	upload(GL_ALPHA);
	glDrawArrays(GL_POINTS, 0, 1);
}

static void make_buffer(const void *vertices, size_t bytes)
{
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, bytes, vertices, GL_STATIC_DRAW);
}

static void prepare_odd(void)
{
	make_buffer(odd, sizeof(odd));
	glVertexAttribPointer(0, 2, GL_SHORT, GL_TRUE, sizeof(odd[0]), NULL);
	glVertexAttribPointer(1, 3, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(odd[0]), (void *)4);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
}

static void prepare_doubles(void)
{
	glDisableVertexAttribArray(1);
	make_buffer(doubles, sizeof(doubles));
	glVertexAttribPointer(0, 3, GL_DOUBLE, GL_FALSE, 0, NULL);
}

static void prepare_memory(void)
{
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, floats);
}

static void draw_points(void)
{
	glDrawArrays(GL_POINTS, 0, VERTICES);
}

static void prepare_smooth(void)
{
	make_buffer(floats, sizeof(floats));
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnable(GL_LINE_SMOOTH);
	glEnable(GL_BLEND);
}

static void draw_lines(void)
{
	glDrawArrays(GL_LINES, 0, VERTICES);
}

/* The cases, in this order: each begins with the state of the one before. */
static const struct path {
	const char *name;
	void (*prepare)(void);
	void (*run)(void);
	int units;
} paths[] = {
	{ "upload-rgba", prepare_rgba, upload_rgba, PARTS *WIDTH *HEIGHT },
	{ "upload-alpha", prepare_alpha, upload_alpha, PARTS *WIDTH *HEIGHT },
	{ "vertices-unaligned", prepare_odd, draw_points, VERTICES },
	{ "vertices-double", prepare_doubles, draw_points, VERTICES },
	{ "vertices-memory", prepare_memory, draw_points, VERTICES },
	{ "lines-smooth", prepare_smooth, draw_lines, VERTICES },
};

static double used_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void measure(const struct path *path, double ns)
{
	double begin;

	path->prepare();
	path->run();
	glFinish();
	begin = used_ns();
	for (int i = 0; i < REPEATS; i++) {
		path->run();
		glFinish();
	}
	printf("%s %.1f\n", path->name, (used_ns() - begin) / ns / REPEATS / path->units);
	if (glGetError())
		gl_program_fail(path->name, "an error of OpenGL");
}

/* Points and lines all over the target */
static void make_vertices(void)
{
	for (int i = 0; i < VERTICES; i++) {
		odd[i].position[0] = (int16_t)(i * 7919);
		odd[i].position[1] = (int16_t)(i * 104729);
		for (int j = 0; j < 2; j++) {
			floats[i][j] = odd[i].position[j] / 32767.0f;
			doubles[i][j] = floats[i][j];
		}
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		gl_program_fail("usage", "qemu-paths NS");
	make_context();
	make_program();
	make_vertices();
	for (unsigned int i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		measure(&paths[i], atof(argv[1]));
	return 0;
}
