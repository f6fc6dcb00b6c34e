// SPDX-License-Identifier: MIT
/*
 * corners: what is drawn where states meet that few programs use together. Each check
 * reads single pixels of a square target. The tags are "co.".
 */
#include "harness.h"
#include "canvas.h"

#include <stdio.h>
#include <string.h>

#define SIDE 32
/* Bytes between vertices: more than the core's state can say. */
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
 * Indices that no buffer has vertices for. What they draw is undefined, but nothing else
 * may suffer: the square that is drawn in the same call and after it is right. The large
 * one is chosen such that its distance in packed vertices, 2^28 * 16 bytes, is 0 modulo 2^32.
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
	GLuint buffer = make_wide_square();

	use_plain_program();
	glEnableClientState(GL_PRIMITIVE_RESTART_NV);
	((PFNGLPRIMITIVERESTARTINDEXNVPROC)get_function("glPrimitiveRestartIndexNV"))(~0u);
	for (unsigned i = 0; i < COUNT(indices); i++) {
		clear_black();
		use_color(colors[i][0], colors[i][1], colors[i][2], 1);
		glDrawElements(GL_TRIANGLE_STRIP, 5, GL_UNSIGNED_INT, indices[i]);
		check("co.wide-vertices", pixel_is(SIDE / 2, SIDE / 2, expected[i]),
		      "indices up to 0x%x", indices[i][4]);
	}
	glDisableClientState(GL_PRIMITIVE_RESTART_NV);
	glDisableVertexAttribArray(0);
	glDeleteBuffers(1, &buffer);
}

/* A buffer that was made for another target holds vertices, and gets new ones between draws. */
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

int main(void)
{
	begin_opengl();
	make_target(SIDE, SIDE);
	wide_vertices();
	renewed_vertices(GL_ELEMENT_ARRAY_BUFFER, "index buffer");
	renewed_vertices(GL_PIXEL_UNPACK_BUFFER, "pixel buffer");
	replaced_coordinates();
	check("co.errors", glGetError() == GL_NO_ERROR, "no error is left");
	return end_checks();
}
