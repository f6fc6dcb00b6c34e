// SPDX-License-Identifier: MIT
#include "canvas.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "png_file.h"

void begin_opengl(void)
{
	use_context(make_context(API_GL, EGL_NO_CONTEXT));
	printf("vendor: %s\nversion: %s\n", (const char *)glGetString(GL_VENDOR),
	       (const char *)glGetString(GL_VERSION));
}

bool is_vivgpu(void)
{
	return strcmp((const char *)glGetString(GL_VENDOR), "vivgpu") == 0;
}

const char *begin_pictures(int argc, char **argv)
{
	if (argc != 2)
		give_up("usage: %s FOLDER", argv[0]);
	begin_opengl();
	return argv[1];
}

static void make_renderbuffer(GLenum attachment, GLenum format, int side, int samples)
{
	GLuint buffer;

	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, side, side);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
}

GLuint make_buffers(int side, int samples, GLenum format)
{
	GLint is = 0;
	GLuint framebuffer;

	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	make_renderbuffer(GL_COLOR_ATTACHMENT0, format, side, samples);
	make_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, side, samples);
	glGetIntegerv(GL_SAMPLES, &is);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE || is != samples)
		give_up("a framebuffer of %d samples has %d", samples, is);
	return framebuffer;
}

GLuint use_shaders(const char *vertex, const char *fragment)
{
	GLuint program = glCreateProgram();
	GLint good = 0;

	for (int i = 0; i < 2; i++) {
		const char *const source = i ? fragment : vertex;
		GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);

		if (source) {
			glShaderSource(shader, 1, &source, NULL);
			glCompileShader(shader);
			glAttachShader(program, shader);
		}
		glDeleteShader(shader);
	}
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	if (!good)
		give_up("a program does not link: %s", vertex ? vertex : fragment);
	glUseProgram(program);
	return program;
}

void use_pixel_coordinates(void)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);
	glMatrixMode(GL_MODELVIEW);
	glLoadIdentity();
}

/* Write the framebuffer to FOLDER/NAME.png; OpenGL has the lowest row first, PNG the highest. */
static void write_picture(const char *folder, const char *name)
{
	static uint8_t pixels[WIDTH * HEIGHT * 4];
	struct picture picture;
	char path[4096];

	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	if (glGetError() != GL_NO_ERROR || !picture_create(&picture, WIDTH, HEIGHT))
		give_up("%s: not drawn", name);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			memcpy(picture.rgb + 3 * (y * WIDTH + x),
			       pixels + 4 * ((HEIGHT - 1 - y) * WIDTH + x), 3);
	snprintf(path, sizeof(path), "%s/%s.png", folder, name);
	if (!picture_write(&picture, path))
		give_up("%s: not written", path);
	picture_free(&picture);
}

void write_pictures(const char *folder, const struct drawing *drawings, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		drawings[i].draw();
		write_picture(folder, drawings[i].name);
	}
}
