// SPDX-License-Identifier: MIT
/*
 * peer-scenes: draws small OpenGL ES 2.0 scenes off screen and writes them as
 * PNG, one a scene. Run it on two drivers and compare the pictures.
 *
 *	peer-scenes FOLDER [SCENE...]
 */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

#include "png_file.h"
#include "../gl_program.h"

#define WIDTH 640
#define HEIGHT 432

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Attribute 0 is "position", 1 is "value": colours, texture coordinates or normals. */
static GLuint use_program(const char *vertex, const char *fragment)
{
	return gl_use_program(vertex, fragment, "position", "value");
}

static const char color_vs[] = "attribute vec4 position;\n"
			       "attribute vec4 value;\n"
			       "varying vec4 v;\n"
			       "void main() { gl_Position = position; v = value; }\n";

static const char color_fs[] = "precision mediump float;\n"
			       "varying vec4 v;\n"
			       "void main() { gl_FragColor = v; }\n";

static const char texture_fs[] = "precision mediump float;\n"
				 "varying vec4 v;\n"
				 "uniform sampler2D image;\n"
				 "void main() { gl_FragColor = texture2D(image, v.xy); }\n";

static void draw(const float *positions, int position_size, const float *values, int value_size,
		 GLenum mode, int count)
{
	GLuint buffers[2];

	glGenBuffers(2, buffers);
	glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(float) * position_size * count, positions,
		     GL_STATIC_DRAW);
	glVertexAttribPointer(0, position_size, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(float) * value_size * count, values, GL_STATIC_DRAW);
	glVertexAttribPointer(1, value_size, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(1);
	glDrawArrays(mode, 0, count);
	glDeleteBuffers(2, buffers);
}

static void scene_clear(void)
{
	/* The right half once more, so that the picture is not of one colour. */
	glClearColor(0.2f, 0.4f, 0.8f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_SCISSOR_TEST);
	glScissor(WIDTH / 2, 0, WIDTH / 2, HEIGHT);
	glClearColor(1.0f, 0.5f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
}

static void scene_triangle(void)
{
	static const float positions[] = { -0.8f, -0.8f, 0.8f, -0.7f, 0.1f, 0.9f };
	static const float colors[] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1 };

	glClear(GL_COLOR_BUFFER_BIT);
	use_program(color_vs, color_fs);
	draw(positions, 2, colors, 4, GL_TRIANGLES, 3);
}

static void scene_depth(void)
{
	/* Two triangles that pass through each other: the line of intersection is the test. */
	static const float positions[] = {
		-0.9f, -0.8f, -0.9f, 0.9f, -0.8f, 0.9f,  0.0f, 0.9f,  0.0f,
		-0.9f, 0.8f,  0.9f,  0.9f, 0.8f,  -0.9f, 0.0f, -0.9f, 0.0f,
	};
	static const float colors[] = {
		1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1,
	};

	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	use_program(color_vs, color_fs);
	draw(positions, 3, colors, 4, GL_TRIANGLES, 6);
	glDisable(GL_DEPTH_TEST);
}

/* Red and green rise, blue is chequered: without symmetry, so that flips and swaps show. */
static GLuint make_texture(int size, GLenum filter)
{
	uint8_t *pixels = malloc((size_t)size * size * 4);
	GLuint texture;

	for (int y = 0; y < size; y++)
		for (int x = 0; x < size; x++) {
			uint8_t *p = pixels + 4 * (y * size + x);

			p[0] = 255 * x / size;
			p[1] = 255 * y / size;
			p[2] = (x / 8 + y / 8) % 2 ? 200 : 40;
			p[3] = 255;
		}
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
			filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
	free(pixels);
	return texture;
}

static void textured_quad(GLenum filter, float repeat)
{
	static const float positions[] = { -0.9f, -0.8f, 0.9f, -0.9f, -0.8f, 0.9f, 0.8f, 0.8f };
	const float coords[] = { 0, 0, repeat, 0, 0, repeat, repeat, repeat };
	GLuint texture;

	glClear(GL_COLOR_BUFFER_BIT);
	use_program(color_vs, texture_fs);
	texture = make_texture(64, filter);
	if (filter == GL_LINEAR_MIPMAP_LINEAR)
		glGenerateMipmap(GL_TEXTURE_2D);
	draw(positions, 2, coords, 2, GL_TRIANGLE_STRIP, 4);
	glDeleteTextures(1, &texture);
}

static void scene_texture_nearest(void)
{
	textured_quad(GL_NEAREST, 1.0f);
}

static void scene_texture_linear(void)
{
	textured_quad(GL_LINEAR, 1.7f);
}

static void scene_texture_mipmap(void)
{
	textured_quad(GL_LINEAR_MIPMAP_LINEAR, 24.0f);
}

static void scene_blend(void)
{
	static const float positions[] = {
		-0.9f, -0.9f, 0.5f, -0.6f, -0.3f, 0.8f, 0.9f, -0.7f, -0.6f, -0.2f, 0.3f, 0.9f,
	};
	static const float colors[] = {
		1, 0, 0, 0.6f, 1, 1, 0, 0.3f, 1, 0, 1, 0.9f,
		0, 1, 0, 0.5f, 0, 1, 1, 0.7f, 0, 0, 1, 0.2f,
	};

	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	use_program(color_vs, color_fs);
	draw(positions, 2, colors, 4, GL_TRIANGLES, 6);
	glDisable(GL_BLEND);
}

/* Many small triangles, indexed, shaded per vertex and lit: a torus with perspective. */
#define RINGS 48
#define SIDES 24

static void torus_vertex(int ring, int side, float *position, float *normal)
{
	float a = 2 * (float)M_PI * ring / RINGS, b = 2 * (float)M_PI * side / SIDES;
	float r = 0.9f + 0.35f * cosf(b);

	position[0] = r * cosf(a);
	position[1] = r * sinf(a);
	position[2] = 0.35f * sinf(b);
	normal[0] = cosf(b) * cosf(a);
	normal[1] = cosf(b) * sinf(a);
	normal[2] = sinf(b);
}

static void torus_indices(uint16_t *index)
{
	for (int ring = 0; ring < RINGS; ring++)
		for (int side = 0; side < SIDES; side++) {
			int next_ring = (ring + 1) % RINGS, next_side = (side + 1) % SIDES;
			uint16_t a = ring * SIDES + side, b = next_ring * SIDES + side;
			uint16_t c = ring * SIDES + next_side, d = next_ring * SIDES + next_side;
			const uint16_t quad[6] = { a, b, c, b, d, c };

			memcpy(index, quad, sizeof(quad));
			index += 6;
		}
}

static void scene_torus(void)
{
	static const char vs[] =
		"attribute vec4 position;\n"
		"attribute vec4 value;\n"
		"uniform vec2 turn;\n"
		"varying vec4 v;\n"
		"vec3 tilt(vec3 p) { return vec3(p.x, p.y * turn.x - p.z * turn.y, p.y * turn.y + p.z * turn.x); }\n"
		"void main() {\n"
		"  vec3 p = tilt(position.xyz), n = tilt(value.xyz);\n"
		"  float light = max(dot(normalize(n), normalize(vec3(0.3, 0.5, -0.8))), 0.0);\n"
		"  gl_Position = vec4(p.x * 1.3, p.y * 1.9, p.z * 1.1 + 0.8, p.z * -0.5 + 2.0);\n"
		"  v = vec4(vec3(0.15, 0.1, 0.2) + light * vec3(0.8, 0.7, 0.3), 1.0);\n"
		"}\n";
	static float vertices[RINGS * SIDES][6];
	static uint16_t indices[RINGS * SIDES * 6];
	GLuint program, buffers[2];

	for (int ring = 0; ring < RINGS; ring++)
		for (int side = 0; side < SIDES; side++)
			torus_vertex(ring, side, vertices[ring * SIDES + side],
				     vertices[ring * SIDES + side] + 3);
	torus_indices(indices);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glEnable(GL_DEPTH_TEST);
	program = use_program(vs, color_fs);
	glUniform2f(glGetUniformLocation(program, "turn"), cosf(0.9f), sinf(0.9f));
	glGenBuffers(2, buffers);
	glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 24, NULL);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 24, (void *)12);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	glDrawElements(GL_TRIANGLES, COUNT(indices), GL_UNSIGNED_SHORT, NULL);
	glDeleteBuffers(2, buffers);
	glDisable(GL_DEPTH_TEST);
}

/* A fragment shader with a loop, branches and transcendental functions. */
static void scene_shader(void)
{
	static const char fs[] =
		"precision highp float;\n"
		"varying vec4 v;\n"
		"void main() {\n"
		"  vec2 z = v.xy * vec2(1.6, 1.2) - vec2(0.4, 0.0), c = z;\n"
		"  float n = 0.0;\n"
		"  for (int i = 0; i < 24; i++) {\n"
		"    if (dot(z, z) > 4.0) break;\n"
		"    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;\n"
		"    n += 1.0;\n"
		"  }\n"
		"  float s = n / 24.0;\n"
		"  gl_FragColor = vec4(0.5 + 0.5 * sin(6.0 * s), sqrt(s), exp2(-4.0 * s), 1.0);\n"
		"}\n";
	static const float positions[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

	glClear(GL_COLOR_BUFFER_BIT);
	use_program(color_vs, fs);
	draw(positions, 2, positions, 2, GL_TRIANGLE_STRIP, 4);
}

/* Vertices 320 bytes apart, of which the indices leave out the first two. */
static void scene_wide_vertices(void)
{
	static const float corner[][2] = {
		{ -0.9f, -0.9f }, { 0.9f, -0.8f }, { -0.7f, 0.9f }, { 0.8f, 0.7f }
	};
	static const GLushort indices[] = { 2, 3, 4, 4, 3, 5 };
	enum { STRIDE = 320, COLOR = 220, FIRST = 2, COUNT_OF_CORNERS = 4 };
	static uint8_t vertices[STRIDE * (FIRST + COUNT_OF_CORNERS)];
	GLuint buffer;

	for (int i = 0; i < COUNT_OF_CORNERS; i++) {
		const float color[] = { i & 1, i >> 1, 0.5f, 1.0f };
		uint8_t *vertex = vertices + STRIDE * (FIRST + i);

		memcpy(vertex, corner[i], sizeof(corner[i]));
		memcpy(vertex + COLOR, color, sizeof(color));
	}
	glClear(GL_COLOR_BUFFER_BIT);
	use_program(color_vs, color_fs);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, STRIDE, NULL);
	glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, STRIDE, (const void *)(uintptr_t)COLOR);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	glDrawElements(GL_TRIANGLES, COUNT(indices), GL_UNSIGNED_SHORT, indices);
	glDeleteBuffers(1, &buffer);
}

static const struct scene {
	const char *name;
	void (*draw)(void);
} scenes[] = {
	{ "clear", scene_clear },
	{ "triangle", scene_triangle },
	{ "depth", scene_depth },
	{ "texture-nearest", scene_texture_nearest },
	{ "texture-linear", scene_texture_linear },
	{ "texture-mipmap", scene_texture_mipmap },
	{ "blend", scene_blend },
	{ "torus", scene_torus },
	{ "shader", scene_shader },
	{ "wide-vertices", scene_wide_vertices },
};

static void die(const char *what)
{
	fprintf(stderr, "peer-scenes: %s (EGL error 0x%x)\n", what, eglGetError());
	exit(2);
}

static void make_context(void)
{
	static const EGLint config_attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
						    EGL_OPENGL_ES2_BIT, EGL_NONE };
	static const EGLint context_attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLDisplay display =
		eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLContext context;
	EGLConfig config;
	EGLint count;

	if (!display || !eglInitialize(display, NULL, NULL))
		die("no display");
	eglBindAPI(EGL_OPENGL_ES_API);
	if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count < 1)
		die("no config");
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
	if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		die("no context");
}

static void make_target(void)
{
	GLuint color, depth, framebuffer;

	glGenTextures(1, &color);
	glBindTexture(GL_TEXTURE_2D, color);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glGenRenderbuffers(1, &depth);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, WIDTH, HEIGHT);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		die("framebuffer not complete");
	glViewport(0, 0, WIDTH, HEIGHT);
}

/* Read the picture back, upper row first, and write it. */
static bool save(const char *folder, const char *name)
{
	static uint8_t pixels[WIDTH * HEIGHT * 4];
	struct picture picture;
	char path[4096];
	bool ok;

	if (!picture_create(&picture, WIDTH, HEIGHT))
		return false;
	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			memcpy(picture.rgb + 3 * (y * WIDTH + x),
			       pixels + 4 * ((HEIGHT - 1 - y) * WIDTH + x), 3);
	snprintf(path, sizeof(path), "%s/%s.png", folder, name);
	ok = picture_write(&picture, path);
	picture_free(&picture);
	return ok;
}

static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc == 2;
}

int main(int argc, char **argv)
{
	bool ok = true;

	if (argc < 2) {
		fprintf(stderr, "usage: peer-scenes FOLDER [SCENE...]\nscenes:");
		for (size_t i = 0; i < COUNT(scenes); i++)
			fprintf(stderr, " %s", scenes[i].name);
		fprintf(stderr, "\n");
		return 2;
	}
	make_context();
	make_target();
	printf("vendor: %s\nrenderer: %s\n", (const char *)glGetString(GL_VENDOR),
	       (const char *)glGetString(GL_RENDERER));
	for (size_t i = 0; i < COUNT(scenes); i++) {
		if (!wanted(scenes[i].name, argc, argv))
			continue;
		glClearColor(0.1f, 0.1f, 0.15f, 1.0f);
		scenes[i].draw();
		ok = save(argv[1], scenes[i].name) && ok;
		if (glGetError() != GL_NO_ERROR)
			die(scenes[i].name);
	}
	return ok ? 0 : 1;
}
