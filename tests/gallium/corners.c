// SPDX-License-Identifier: MIT
/*
 * corners: tests of combinations of OpenGL state that few applications use. Most checks read
 * single pixels of a square render target. Names of its checks begin with "co.".
 */
#include "harness.h"
#include "canvas.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#define SIDE 32
/* Stride of vertices in bytes: one more than the core's stride field can hold. */
#define WIDE 256

static const float square[4][4] = {
	{ -1, -1, 0, 1 }, { 1, -1, 0, 1 }, { -1, 1, 0, 1 }, { 1, 1, 0, 1 }
};

static bool pixel_is(int x, int y, const uint8_t expected[4])
{
	uint8_t pixel[4];

	glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	if (memcmp(pixel, expected, 4) != 0)
		printf("# %d,%d: %u %u %u %u\n", x, y, pixel[0], pixel[1], pixel[2], pixel[3]);
	return memcmp(pixel, expected, 4) == 0;
}

static void clear_black(void)
{
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void use_color(float r, float g, float b, float a)
{
	GLint program;

	glGetIntegerv(GL_CURRENT_PROGRAM, &program);
	glUniform4f(glGetUniformLocation(program, "color"), r, g, b, a);
}

/* A buffer with the square's vertices WIDE bytes apart. */
static GLuint make_wide_square(void)
{
	static uint8_t vertices[4][WIDE];
	GLuint buffer;

	for (int i = 0; i < 4; i++)
		memcpy(vertices[i], square[i], sizeof(square[i]));
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, WIDE, NULL);
	return buffer;
}

/*
 * Large indices. The first call has one that the buffer has no vertex for: what it draws is
 * undefined, but the square in the same call is right, and so are later calls. Its distance in
 * packed vertices, 2^28 * 16 bytes, is 0 modulo 2^32. In the other two calls the large index is
 * the one that restarts primitives: alone it draws nothing, behind a square it adds nothing.
 */
static void wide_vertices(void)
{
	static const GLuint indices[][5] = {
		{ 0, 1, 2, 3, 0x10000000 },
		{ ~0u, ~0u, ~0u, ~0u, ~0u },
		{ 0, 1, 2, 3, ~0u },
	};
	static const uint8_t expected[3][4] = { { 255, 0, 0, 255 },
						{ 0, 0, 0, 0 },
						{ 0, 0, 255, 255 } };
	static const float colors[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bool restarts = has_extension("GL_NV_primitive_restart");
	GLuint buffer = make_wide_square();

	use_plain_program();
	if (restarts) {
		glEnableClientState(GL_PRIMITIVE_RESTART_NV);
		((PFNGLPRIMITIVERESTARTINDEXNVPROC)get_function("glPrimitiveRestartIndexNV"))(~0u);
	}
	for (unsigned i = 0; i < (restarts ? COUNT(indices) : 1); i++) {
		clear_black();
		use_color(colors[i][0], colors[i][1], colors[i][2], 1);
		glDrawElements(GL_TRIANGLE_STRIP, 5, GL_UNSIGNED_INT, indices[i]);
		check("co.wide-vertices", pixel_is(SIDE / 2, SIDE / 2, expected[i]),
		      "indices up to 0x%x", indices[i][4]);
	}
	if (restarts)
		glDisableClientState(GL_PRIMITIVE_RESTART_NV);
	else
		skip("co.wide-vertices", "no GL_NV_primitive_restart");
	glDisableVertexAttribArray(0);
	glDeleteBuffers(1, &buffer);
}

/* A buffer that was created for another target holds vertices, which change between draws. */
static void renewed_vertices(GLenum target, const char *name)
{
	static const uint8_t red[4] = { 255, 0, 0, 255 }, black[4] = { 0, 0, 0, 0 };
	float left[4][4], right[4][4];
	GLuint buffer;

	for (int i = 0; i < 4; i++) {
		for (int c = 0; c < 4; c++)
			left[i][c] = right[i][c] = square[i][c];
		left[i][0] = square[i][0] / 2 - 0.5f;
		right[i][0] = square[i][0] / 2 + 0.5f;
	}
	use_plain_program();
	use_color(1, 0, 0, 1);
	glGenBuffers(1, &buffer);
	glBindBuffer(target, buffer);
	glBufferData(target, sizeof(left), left, GL_DYNAMIC_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(left[0]), NULL);
	clear_black();
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glClear(GL_COLOR_BUFFER_BIT);
	glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(right), right);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	check("co.renewed-vertices", pixel_is(3 * SIDE / 4, SIDE / 2, red), "%s: new ones", name);
	check("co.renewed-vertices", pixel_is(SIDE / 4, SIDE / 2, black), "%s: not the old", name);
	glBindBuffer(target, 0);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glDisableVertexAttribArray(0);
	glDeleteBuffers(1, &buffer);
}

/*
 * GL_COORD_REPLACE (OpenGL 2.1, 3.3) is of points: a square that is drawn between two
 * points keeps its own texture coordinates. By shaders: Mesa's vertex program for fixed
 * functions leaves coordinates out that points replace, whatever is drawn.
 */
static void replaced_coordinates(void)
{
	static const uint8_t texels[4][4] = {
		{ 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 255, 255 }
	};
	static const char *const vertex = "attribute vec4 position, value;\n"
					  "void main() {\n"
					  "  gl_Position = position;\n"
					  "  gl_TexCoord[0] = value;\n"
					  "}\n";
	static const char *const fragment =
		"uniform sampler2D image;\n"
		"void main() {\n"
		"  gl_FragColor = texture2D(image, gl_TexCoord[0].st);\n"
		"}\n";
	GLuint texture;

	use_program(vertex, fragment);
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
	glEnable(GL_POINT_SPRITE);
	glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
	glPointSize(SIDE / 2);
	for (int turn = 0; turn < 2; turn++) {
		clear_black();
		glVertexAttrib4f(1, 0.75f, 0.75f, 0, 1);
		glBegin(GL_POINTS);
		glVertex2f(0, 0);
		glEnd();
		check("co.point-sprites", pixel_is(3 * SIDE / 8, 5 * SIDE / 8, texels[0]),
		      "a point has its coordinates, turn %d", turn);
		glVertexAttrib4f(1, 0.75f, 0.25f, 0, 1);
		glBegin(GL_TRIANGLE_STRIP);
		for (int i = 0; i < 4; i++)
			glVertex2fv(square[i]);
		glEnd();
		for (int i = 0; i < 4; i++)
			check("co.point-sprites",
			      pixel_is(i & 1 ? SIDE - 2 : 1, i & 2 ? SIDE - 2 : 1, texels[1]),
			      "a square keeps its own, turn %d, corner %d", turn, i);
	}
	glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_FALSE);
	glDisable(GL_POINT_SPRITE);
	glDeleteTextures(1, &texture);
}

/* Samples that pass in a square over all of a framebuffer without attachments. */
static GLuint count_samples(int samples)
{
	GLuint query, passed = 0;

	glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, samples);
	glGenQueries(1, &query);
	glBeginQuery(GL_SAMPLES_PASSED, query);
	glRectf(-1, -1, 1, 1);
	glEndQuery(GL_SAMPLES_PASSED);
	glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
	glDeleteQueries(1, &query);
	return passed;
}

/* ARB_framebuffer_no_attachments: such a framebuffer has the samples it was given. */
static void without_attachments(void)
{
	GLuint framebuffer, one, four;
	GLint most, before;

	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
	glGetIntegerv(GL_MAX_FRAMEBUFFER_SAMPLES, &most);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, SIDE);
	glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, SIDE);
	glUseProgram(0);
	one = count_samples(0);
	check("co.no-attachments", one == SIDE * SIDE, "one sample: %u", one);
	if (most >= 4) {
		four = count_samples(4);
		check("co.no-attachments", four == 4 * SIDE * SIDE, "four samples: %u", four);
	} else {
		check("co.no-attachments", most <= 1, "at most %d samples", most);
		skip("co.no-attachments", "four samples: the core has one");
	}
	glBindFramebuffer(GL_FRAMEBUFFER, before);
	glDeleteFramebuffers(1, &framebuffer);
}

/*
 * Two targets, of which only the second has alpha, and a mask that leaves alpha alone. That writes
 * all that the first one has, but only a part of the second one.
 */
static void mixed_targets(void)
{
	static const GLenum formats[2] = { GL_RGB5, GL_RGBA8 };
	static const GLenum buffers[2] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
	static const uint8_t expected[2][4] = { { 255, 255, 255, 255 }, { 255, 255, 255, 51 } };
	GLuint framebuffer, textures[2];
	GLint before, most;

	glGetIntegerv(GL_MAX_DRAW_BUFFERS, &most);
	if (most < 2) {
		skip("co.mixed-targets",
		     "the core draws to one target (Mesa: CHIP_FEATURES HALTI2)");
		return;
	}
	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glGenTextures(2, textures);
	for (int i = 0; i < 2; i++) {
		glBindTexture(GL_TEXTURE_2D, textures[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, formats[i], SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     NULL);
		glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, textures[i], 0);
	}
	glDrawBuffers(2, buffers);
	glClearColor(0, 0, 0, 0.2f);
	glClear(GL_COLOR_BUFFER_BIT);
	use_program("attribute vec4 position;\n"
		    "void main() { gl_Position = position; }\n",
		    "void main() { gl_FragData[0] = gl_FragData[1] = vec4(1.0); }\n");
	glColorMask(1, 1, 1, 0);
	glRectf(-1, -1, 1, 1);
	glColorMask(1, 1, 1, 1);
	for (int i = 0; i < 2; i++) {
		glReadBuffer(buffers[i]);
		check("co.mixed-targets", pixel_is(SIDE / 2, SIDE / 2, expected[i]), "%s",
		      i ? "alpha is left alone" : "the target without alpha");
	}
	glBindFramebuffer(GL_FRAMEBUFFER, before);
	glDeleteFramebuffers(1, &framebuffer);
	glDeleteTextures(2, textures);
}

/*
 * Draws of a vertex shader without gl_Position are undefined, in ES only (such desktop programs do
 * not link); the next draw must be right.
 */
static void without_position(void)
{
	static const uint8_t red[4] = { 255, 0, 0, 255 };

	use_program("attribute vec4 value;\n"
		    "varying vec4 color;\n"
		    "void main() { color = value; }\n",
		    "precision mediump float;\n"
		    "varying vec4 color;\n"
		    "void main() { gl_FragColor = color; }\n");
	glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, square);
	glEnableVertexAttribArray(1);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	glDisableVertexAttribArray(1);
	clear_black();
	use_plain_program();
	use_color(1, 0, 0, 1);
	draw_square(0, 1);
	check("co.no-position", pixel_is(SIDE / 2, SIDE / 2, red), "the draw after it is right");
}

/* EXT_color_buffer_half_float: one and two channels with EXT_texture_rg only. */
static void half_float_targets(void)
{
	static const GLenum formats[] = { GL_R16F, GL_RG16F, GL_RGBA16F };
	GLuint buffer;

	if (!has_extension("GL_EXT_color_buffer_half_float")) {
		skip("co.half-float-targets", "no GL_EXT_color_buffer_half_float");
		return;
	}
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	for (unsigned i = 0; i < COUNT(formats); i++) {
		bool offered = i == 2 || has_extension("GL_EXT_texture_rg");

		glRenderbufferStorage(GL_RENDERBUFFER, formats[i], SIDE, SIDE);
		check_error("co.half-float-targets", offered ? GL_NO_ERROR : GL_INVALID_ENUM,
			    "a renderbuffer of half floats");
	}
	glDeleteRenderbuffers(1, &buffer);
}

/*
 * glQueryCounter takes the time after all commands before it, those of glBegin and glEnd
 * included that Mesa collects. What is drawn takes the core several milliseconds.
 */
static void counter_behind_vertices(void)
{
	enum { SQUARES = 2000, MIN_NS = 1000000 };
	GLuint queries[2];
	GLuint64 times[2];

	glGenQueries(2, queries);
	use_plain_program();
	glFinish();
	glQueryCounter(queries[0], GL_TIMESTAMP);
	glBegin(GL_QUADS);
	for (int i = 0; i < SQUARES; i++) {
		glVertex2f(-1, -1);
		glVertex2f(1, -1);
		glVertex2f(1, 1);
		glVertex2f(-1, 1);
	}
	glEnd();
	glQueryCounter(queries[1], GL_TIMESTAMP);
	for (int i = 0; i < 2; i++)
		glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &times[i]);
	check("co.query-counter", times[1] - times[0] >= MIN_NS, "%llu ns between the stamps",
	      (unsigned long long)(times[1] - times[0]));
	glDeleteQueries(2, queries);
}

static struct {
	EGLContext share;
	GLuint texture;
	sem_t drawn, read;
} sampling;

static void draw_texture(void)
{
	GLuint program =
		use_program("attribute vec4 position;\n"
			    "void main() { gl_Position = position; }\n",
			    "uniform sampler2D image;\n"
			    "void main() { gl_FragColor = texture2D(image, vec2(0.5)); }\n");

	glBindTexture(GL_TEXTURE_2D, sampling.texture);
	glUniform1i(glGetUniformLocation(program, "image"), 0);
	draw_square(0, 1);
}

/* The second thread: samples, but does not flush until the first one has read its own target. */
static void *sample_without_flush(void *data)
{
	EGLContext context = make_context(API_GL, sampling.share);

	use_context(context);
	make_target(SIDE, SIDE);
	draw_texture();
	sem_post(&sampling.drawn);
	sem_wait(&sampling.read);
	use_context(EGL_NO_CONTEXT);
	eglDestroyContext(get_display(), context);
	return data;
}

/*
 * Two contexts sample what one of them has drawn and finished, first the other one. On cores that
 * cannot sample what they draw, that one makes a copy to sample, in a job that it does not submit:
 * the one that has drawn must not take the copy for made.
 */
static void sampled_by_two(void)
{
	static const uint8_t green[4] = { 0, 255, 0, 255 };
	pthread_t other;
	GLuint target;

	sampling.share = eglGetCurrentContext();
	sem_init(&sampling.drawn, 0, 0);
	sem_init(&sampling.read, 0, 0);
	glGenTextures(1, &sampling.texture);
	glBindTexture(GL_TEXTURE_2D, sampling.texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &target);
	glBindFramebuffer(GL_FRAMEBUFFER, target);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
			       sampling.texture, 0);
	glViewport(0, 0, SIDE, SIDE);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT);
	use_plain_program();
	use_color(0, 1, 0, 1);
	draw_square(0, 1);
	glFinish();

	pthread_create(&other, NULL, sample_without_flush, NULL);
	sem_wait(&sampling.drawn);
	make_target(SIDE, SIDE);
	clear_black();
	draw_texture();
	check("co.sampled-by-two", pixel_is(SIDE / 2, SIDE / 2, green),
	      "beside a context that has sampled it and not flushed");
	sem_post(&sampling.read);
	pthread_join(other, NULL);
	glDeleteFramebuffers(1, &target);
	glDeleteTextures(1, &sampling.texture);
}

/*
 * Write a shader function keep() with @values vectors that are all live at once. It returns by how
 * much they differ from the same values computed again at its end, which must be 0; adding the
 * uniform zero, which is never set, keeps the compiler from taking both for the same.
 */
static void write_live_values(char *text, size_t size, int values)
{
	size_t used = snprintf(text, size, "uniform float zero;\nfloat keep(vec4 p) {\n");

	for (int i = 0; i < values; i++)
		used += snprintf(text + used, size - used, "vec4 v%d = fract(p * %d.37);\n", i,
				 i + 1);
	used += snprintf(text + used, size - used, "vec4 moved = vec4(0.0), all = v0");
	for (int i = 1; i < values; i++)
		used += snprintf(text + used, size - used, " + v%d", i);
	used += snprintf(text + used, size - used, ";\np += all * zero;\n");
	for (int i = 0; i < values; i++)
		used += snprintf(text + used, size - used,
				 "moved = max(moved, abs(v%d - fract(p * %d.37)));\n", i, i + 1);
	snprintf(text + used, size - used,
		 "return max(max(moved.x, moved.y), max(moved.z, moved.w));\n}\n");
}

/*
 * Both stages have more live values than the core has temporaries and keep the rest in memory,
 * different numbers of them, while many vertices and fragments are in flight: no invocation may see
 * another's. The core that has no instances, GC2000, cannot keep values in memory either.
 */
static void spilling_stages(void)
{
	enum { ACROSS = 24, DRAWS = 2, VERTEX_VALUES = 90, FRAGMENT_VALUES = 140, TEXT = 24000 };
	static float grid[ACROSS * ACROSS][2];
	static GLushort indices[(ACROSS - 1) * (ACROSS - 1)][6];
	static char function[TEXT], vertex[TEXT + 500], fragment[TEXT + 500];
	static uint8_t pixels[SIDE * SIDE][4];
	unsigned wrong = 0;

	if (!has_extension("GL_ARB_draw_instanced")) {
		skip("co.spills", "the core cannot keep values in memory");
		return;
	}
	write_live_values(function, sizeof(function), VERTEX_VALUES);
	snprintf(vertex, sizeof(vertex),
		 "%sattribute vec4 position;\nvarying float moved;\nvoid main() {\n"
		 "gl_Position = position;\nmoved = keep(position);\n}\n",
		 function);
	write_live_values(function, sizeof(function), FRAGMENT_VALUES);
	snprintf(fragment, sizeof(fragment),
		 "%svarying float moved;\nvoid main() {\n"
		 "gl_FragColor = vec4(moved, keep(gl_FragCoord), 1.0, 1.0);\n}\n",
		 function);
	use_program(vertex, fragment);
	for (int i = 0; i < ACROSS * ACROSS; i++) {
		grid[i][0] = (i % ACROSS) * 2.0f / (ACROSS - 1) - 1;
		grid[i][1] = (i / ACROSS) * 2.0f / (ACROSS - 1) - 1;
	}
	for (int i = 0; i < (ACROSS - 1) * (ACROSS - 1); i++) {
		GLushort at = i / (ACROSS - 1) * ACROSS + i % (ACROSS - 1);
		const GLushort corners[6] = { at,     at + 1,      at + ACROSS,
					      at + 1, at + ACROSS, at + ACROSS + 1 };

		memcpy(indices[i], corners, sizeof(corners));
	}
	make_target(SIDE, SIDE);
	clear_black();
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, grid);
	for (int i = 0; i < DRAWS; i++)
		glDrawElements(GL_TRIANGLES, sizeof(indices) / sizeof(indices[0][0]),
			       GL_UNSIGNED_SHORT, indices);
	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < SIDE * SIDE; i++)
		wrong += pixels[i][0] != 0 || pixels[i][1] != 0 || pixels[i][2] != 255;
	check("co.spills", wrong == 0, "%u of %u pixels had values of others", wrong, SIDE * SIDE);
	glDisableVertexAttribArray(0);
}

/*
 * Give the bound framebuffer colour and depth of 64 x 64 pixels, a whole supertile, so that drivers
 * clear them by their tile status.
 */
static void make_renderbuffers(GLuint buffers[2])
{
	static const GLenum formats[2] = { GL_RGBA8, GL_DEPTH24_STENCIL8 };
	static const GLenum points[2] = { GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT };

	glGenRenderbuffers(2, buffers);
	for (int i = 0; i < 2; i++) {
		glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
		glRenderbufferStorage(GL_RENDERBUFFER, formats[i], 2 * SIDE, 2 * SIDE);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, points[i], GL_RENDERBUFFER, buffers[i]);
	}
	glViewport(0, 0, 2 * SIDE, 2 * SIDE);
}

/*
 * Clears amid draws of the same frame. Drivers clear by filling the tile status, of which the
 * pixel engine's cache holds what earlier draws have written.
 */
static void clear_amid_draws(void)
{
	static const uint8_t red[4] = { 255, 0, 0, 255 }, blue[4] = { 0, 0, 255, 255 };
	GLuint framebuffer = make_target(SIDE, SIDE), buffers[2];

	make_renderbuffers(buffers);
	use_plain_program();
	glEnable(GL_DEPTH_TEST);
	for (int last = 0; last < 2; last++) {
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
		use_color(0, 1, 0, 1);
		draw_square(-0.5f, 1);
		glClearColor(1, 0, 0, 1);
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
		use_color(0, 0, 1, 1);
		if (last)
			draw_square(0.5f, 1);
		check("co.clear-amid-draws", pixel_is(SIDE, SIDE, last ? blue : red), "%s",
		      last ? "depth" : "colour");
	}
	glDisable(GL_DEPTH_TEST);
	glDeleteRenderbuffers(2, buffers);
	glDeleteFramebuffers(1, &framebuffer);
}

/*
 * A part of a surface with ten bits per channel, mirrored and at odd coordinates: the copy samples
 * the surface, so the driver must not offer render targets that cannot be sampled.
 */
static void blit_ten_bits(void)
{
	static const uint8_t red[4] = { 255, 0, 0, 255 }, black[4] = { 0, 0, 0, 0 };
	GLuint framebuffer, buffer;
	GLint before;

	clear_black();
	glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB10_A2, SIDE, SIDE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
	glClearColor(1, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, before);
	glBlitFramebuffer(3, 5, 13, 15, 7, 21, 17, 11, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, before);
	check("co.blit-ten-bits",
	      pixel_is(8, 12, red) && pixel_is(16, 20, red) && pixel_is(6, 12, black) &&
		      pixel_is(17, 20, black),
	      "the part is copied");
	glDeleteRenderbuffers(1, &buffer);
	glDeleteFramebuffers(1, &framebuffer);
}

int main(void)
{
	begin_opengl();
	make_target(SIDE, SIDE);
	wide_vertices();
	renewed_vertices(GL_ELEMENT_ARRAY_BUFFER, "index buffer");
	renewed_vertices(GL_PIXEL_UNPACK_BUFFER, "pixel buffer");
	replaced_coordinates();
	without_attachments();
	mixed_targets();
	blit_ten_bits();
	counter_behind_vertices();
	clear_amid_draws();
	spilling_stages();
	sampled_by_two();
	check_error("co.errors", GL_NO_ERROR, "no error is left");
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(SIDE, SIDE);
	without_position();
	half_float_targets();
	check_error("co.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
