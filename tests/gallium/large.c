// SPDX-License-Identifier: MIT
/*
 * large: tests of draws with more vertices than the core's draw command can count in 24 bits. All
 * indices but the last two are 0, so that only the last triangle has an area: the whole target. And
 * a draw of vertices so far apart that no copy of what is between them fits into memory. Names of
 * its checks begin with "la.".
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define SIDE 32
#define LIMIT (1 << 24)

static const float positions[] = { -1, -1, 3, -1, -1, 3 };

static int covered(void)
{
	uint8_t pixels[SIDE * SIDE * 4];
	int count = 0;

	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < SIDE * SIDE; i++)
		count += pixels[4 * i] == 255;
	return count;
}

/*
 * Draw @count vertices with indices. @front: the winding of the last triangle; the other one is
 * culled
 */
static void draw(const char *tag, GLenum mode, GLsizei count, GLenum front)
{
	uint8_t *indices = calloc(count, 1);
	GLuint buffer;
	int pixels;

	indices[count - 2] = 1;
	indices[count - 1] = 2;
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, count, indices, GL_STATIC_DRAW);
	free(indices);
	glFrontFace(front);
	glClear(GL_COLOR_BUFFER_BIT);
	glDrawElements(mode, count, GL_UNSIGNED_BYTE, NULL);
	pixels = covered();
	check(tag, pixels == SIDE * SIDE, "%d vertices: %d pixels", count, pixels);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &buffer);
}

/*
 * Vertices one byte apart are copied before they are drawn, all from the lowest to the highest
 * index. These copies of 16 bytes would be 4 GiB and 64 bytes, or 64 bytes in 32 bits: nothing may
 * be drawn, and the next draw is right.
 */
static void draw_distant(void)
{
	const GLsizeiptr bytes = (1 << 28) + 4;
	const GLuint indices[] = { 0, 1, bytes - 1 };
	GLuint buffer;
	int pixels;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, bytes, NULL, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 1, NULL);
	glClear(GL_COLOR_BUFFER_BIT);
	glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, indices);
	pixels = covered();
	check("la.distant", !pixels, "%d pixels", pixels);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &buffer);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, positions);
	glFrontFace(GL_CCW);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	pixels = covered();
	check("la.distant", pixels == SIDE * SIDE, "the next draw: %d pixels", pixels);
}

int main(void)
{
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	make_target(SIDE, SIDE);
	glUniform4f(glGetUniformLocation(use_plain_program(), "color"), 1, 1, 1, 1);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, positions);
	glEnableVertexAttribArray(0);
	glEnable(GL_CULL_FACE);
	draw("la.triangles", GL_TRIANGLES, LIMIT + 2, GL_CCW);
	/*
	 * The winding alternates in a strip: it is reversed behind the first's LIMIT + 1 triangles.
	 */
	draw("la.strip", GL_TRIANGLE_STRIP, LIMIT + 4, GL_CW);
	draw("la.strip", GL_TRIANGLE_STRIP, LIMIT + 5, GL_CCW);
	draw("la.fan", GL_TRIANGLE_FAN, LIMIT + 1, GL_CCW);
	draw_distant();
	check_error("la.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
