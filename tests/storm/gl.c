// SPDX-License-Identifier: MIT
/*
 * The scene: intersecting textured triangles with depth and blending. Its picture is right only if
 * shaders, textures, vertices, depth and colour are, and if its four draws run in their order.
 */
#include "gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include "igt.h"

#include <math.h>
#include <string.h>

#define TRIANGLES 24
#define TEXTURE_SIDE 64

static const char vertex_source[] = "attribute vec3 position;\n"
				    "attribute vec2 place;\n"
				    "uniform vec2 turn;\n"
				    "varying vec2 at;\n"
				    "void main()\n"
				    "{\n"
				    "	mat2 m = mat2(turn.x, turn.y, -turn.y, turn.x);\n"
				    "	gl_Position = vec4(m * position.xy, position.z, 1.0);\n"
				    "	at = place;\n"
				    "}\n";

static const char fragment_source[] = "precision mediump float;\n"
				      "uniform sampler2D image;\n"
				      "varying vec2 at;\n"
				      "void main()\n"
				      "{\n"
				      "	gl_FragColor = texture2D(image, at);\n"
				      "}\n";

static GLint turn_uniform;

static void make_context(void)
{
	static const EGLint config_attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
						    EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
						    EGL_NONE };
	static const EGLint context_attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLDisplay display =
		eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	const char *vendor = getenv("IGT_VIVGPU_GL_VENDOR");
	EGLContext context;
	EGLConfig config;
	EGLint count = 0;

	igt_assert(eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_ES_API));
	igt_assert(eglChooseConfig(display, config_attributes, &config, 1, &count) && count == 1);
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
	igt_assert(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
	igt_assert_f(strstr((const char *)glGetString(GL_VENDOR), vendor ? vendor : "vivgpu"),
		     "GL is %s's\n", glGetString(GL_VENDOR));
	igt_assert_f(strstr((const char *)glGetString(GL_RENDERER), "Vivante"), "%s draws\n",
		     glGetString(GL_RENDERER));
}

static void make_target(void)
{
	GLuint color, depth, framebuffer;

	glGenRenderbuffers(1, &depth);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, GL_SIDE, GL_SIDE);
	glGenTextures(1, &color);
	glBindTexture(GL_TEXTURE_2D, color);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, GL_SIDE, GL_SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     NULL);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
	igt_assert_eq(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
	glViewport(0, 0, GL_SIDE, GL_SIDE);
}

static void make_texture(void)
{
	static uint32_t texels[TEXTURE_SIDE][TEXTURE_SIDE];
	GLuint texture;

	for (uint32_t y = 0; y < TEXTURE_SIDE; y++)
		for (uint32_t x = 0; x < TEXTURE_SIDE; x++)
			texels[y][x] = 0x80000000u | x * 4 | y * 4 << 8 | (x ^ y) * 4 << 16;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TEXTURE_SIDE, TEXTURE_SIDE, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, texels);
}

static GLuint make_shader(GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);
	GLint ok = 0;

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	igt_assert(ok);
	return shader;
}

static void make_program(void)
{
	GLuint program = glCreateProgram();
	GLint ok = 0;

	glAttachShader(program, make_shader(GL_VERTEX_SHADER, vertex_source));
	glAttachShader(program, make_shader(GL_FRAGMENT_SHADER, fragment_source));
	glBindAttribLocation(program, 0, "position");
	glBindAttribLocation(program, 1, "place");
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	igt_assert(ok);
	glUseProgram(program);
	turn_uniform = glGetUniformLocation(program, "turn");
}

/* A fan of large triangles, each at a slant of its own. */
static void make_triangles(void)
{
	float vertices[TRIANGLES][3][5];
	GLuint buffer;

	for (int t = 0; t < TRIANGLES; t++) {
		for (int v = 0; v < 3; v++) {
			double angle = 2 * M_PI * (v / 3.0 + t / (double)TRIANGLES);
			float *out = vertices[t][v];

			out[0] = cos(angle);
			out[1] = sin(angle);
			out[2] = (v - 1) * 0.9f * (t & 1 ? 1 : -1);
			out[3] = v == 1;
			out[4] = v == 2;
		}
	}
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 20, NULL);
	glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 20, (const void *)12);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
}

void gl_init(void)
{
	make_context();
	make_target();
	make_texture();
	make_program();
	make_triangles();
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	igt_assert_eq(glGetError(), GL_NO_ERROR);
}

void gl_draw(unsigned int turn, uint32_t pixels[GL_PIXELS])
{
	glClearColor(0.2f, 0.3f, 0.4f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glUniform2f(turn_uniform, cos(turn), sin(turn));
	/* Each quarter of the triangles is a job, so that several jobs are in flight. */
	for (int t = 0; t < TRIANGLES; t += TRIANGLES / 4) {
		glDrawArrays(GL_TRIANGLES, 3 * t, 3 * TRIANGLES / 4);
		glFlush();
	}
	glReadPixels(0, 0, GL_SIDE, GL_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	igt_assert_eq(glGetError(), GL_NO_ERROR);
}
