// SPDX-License-Identifier: MIT
/*
 * points: which pixels points cover (OpenGL 2.1, 3.3.1 and 3.3.2): sizes without antialiasing are
 * integers unless points are sprites, and smooth points and lines have no fragments where they cover
 * nothing of a pixel.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>

#define SIDE 32

/* Of the pixels that are not black: how many, and the first and last column and row. */
struct area {
	int count, left, right, low, high;
};

static struct area covered(void)
{
	static uint8_t pixels[SIDE * SIDE * 4];
	struct area area = { 0, SIDE, -1, SIDE, -1 };

	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < SIDE * SIDE; i++) {
		int x = i % SIDE, y = i / SIDE;

		if (!pixels[4 * i])
			continue;
		area.count++;
		area.left = x < area.left ? x : area.left;
		area.right = x > area.right ? x : area.right;
		area.low = y < area.low ? y : area.low;
		area.high = y > area.high ? y : area.high;
	}
	return area;
}

static void clear(void)
{
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/* @x and @y in pixels, @z from -1, near, to 1 */
static void draw_point(float x, float y, float z)
{
	glBegin(GL_POINTS);
	glVertex3f(x / SIDE * 2 - 1, y / SIDE * 2 - 1, z);
	glEnd();
}

/* Check that a point is a square of @side pixels, at several positions within a pixel. */
static void check_square(const char *tag, float size, int side)
{
	int wrong = 0;
	struct area area;

	for (int k = 0; k < 16; k++) {
		clear();
		draw_point(12.03f + 0.25f * (float)(k % 4), 12.03f + 0.25f * (float)(k / 4), 0);
		area = covered();
		wrong += area.right - area.left + 1 != side || area.high - area.low + 1 != side ||
			 area.count != side * side;
	}
	check(tag, !wrong, "size %g: %d of 16 squares have not %d x %d pixels", size, wrong, side,
	      side);
}

static const struct {
	float size;
	int side;
} sizes[] = { { 0.4f, 1 }, { 1, 1 },    { 1.3f, 1 }, { 1.7f, 2 }, { 2.3f, 2 },
	      { 2.5f, 3 }, { 3.4f, 3 }, { 4.6f, 5 }, { 7.8f, 8 } };

static GLuint use_vertex_program(void)
{
	static const char *const source =
		"uniform float size;\n"
		"void main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color; gl_PointSize = size; }\n";

	return use_shaders(source, NULL);
}

static void integer_sizes(void)
{
	GLuint program;
	GLint location;

	for (unsigned i = 0; i < COUNT(sizes); i++) {
		glPointSize(sizes[i].size);
		check_square("pt.size", sizes[i].size, sizes[i].side);
	}

	/* The size is divided by the root of 4. */
	glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (const float[]){ 4, 0, 0 });
	for (unsigned i = 0; i < COUNT(sizes); i++) {
		glPointSize(2 * sizes[i].size);
		check_square("pt.attenuated", sizes[i].size, sizes[i].side);
	}
	glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (const float[]){ 1, 0, 0 });

	program = use_vertex_program();
	location = glGetUniformLocation(program, "size");
	glEnable(GL_VERTEX_PROGRAM_POINT_SIZE);
	for (unsigned i = 0; i < COUNT(sizes); i++) {
		glUniform1f(location, sizes[i].size);
		check_square("pt.program", sizes[i].size, sizes[i].side);
	}
	glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
	glUseProgram(0);
	glDeleteProgram(program);

	glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
	glPointSize(2.6f);
	clear();
	glBegin(GL_TRIANGLES);
	glVertex2f(-0.5f, -0.5f);
	glVertex2f(0.5f, -0.5f);
	glVertex2f(-0.5f, 0.5f);
	glEnd();
	check("pt.polygon", covered().count == 3 * 9, "three corners of 3 x 3 pixels: %d pixels",
	      covered().count);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* A sprite of 2.5 pixels covers 2 or 3 columns, by its position. */
static void fractional_sprites(void)
{
	struct area two, three;

	glEnable(GL_POINT_SPRITE);
	glPointSize(2.5f);
	clear();
	draw_point(12, 12, 0);
	two = covered();
	clear();
	draw_point(12.5f, 12.5f, 0);
	three = covered();
	check("pt.sprite", two.right - two.left == 1 && three.right - three.left == 2,
	      "2.5 pixels: %d and %d columns", two.right - two.left + 1,
	      three.right - three.left + 1);
	glDisable(GL_POINT_SPRITE);
}

/*
 * Pixels that a circle of this diameter surely covers, and those that it may touch. The least are
 * wholly within the circle, with a margin of 0.04 pixels, the most begin less than 0.1 pixels
 * outside.
 */
static void touched(float x, float y, float size, int *least, int *most)
{
	*least = *most = 0;
	for (int i = 0; i < SIDE * SIDE; i++) {
		float column = (float)(i % SIDE), row = (float)(i / SIDE);
		float dx = fmaxf(fmaxf(column - x, x - column - 1), 0);
		float dy = fmaxf(fmaxf(row - y, y - row - 1), 0);

		*least += hypotf(column + 0.5f - x, row + 0.5f - y) < size / 2 - 0.75f;
		*most += hypotf(dx, dy) < size / 2 + 0.1f;
	}
}

static void check_circle(float x, float y, float size)
{
	int least, most, drawn, hidden;

	touched(x, y, size, &least, &most);
	glPointSize(size);
	clear();
	draw_point(x, y, 0);
	drawn = covered().count;

	/* The point writes depth only; a square behind it is hidden where it did. */
	glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
	glEnable(GL_DEPTH_TEST);
	clear();
	draw_point(x, y, -0.5f);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glClear(GL_COLOR_BUFFER_BIT);
	glBegin(GL_QUADS);
	for (int i = 0; i < 4; i++)
		glVertex3f(i == 1 || i == 2 ? 1 : -1, i >= 2 ? 1 : -1, 0.5f);
	glEnd();
	hidden = SIDE * SIDE - covered().count;
	glDisable(GL_DEPTH_TEST);
	check("pt.smooth", drawn >= least && drawn <= most,
	      "size %g: %d pixels, the circle touches %d to %d", size, drawn, least, most);
	check("pt.smooth-depth", hidden >= least && hidden <= most, "size %g: %d pixels are hidden",
	      size, hidden);
}

/* A line through the centers of a row of pixels covers this row only. */
static void check_line(void)
{
	struct area area;

	glEnable(GL_LINE_SMOOTH);
	clear();
	glBegin(GL_LINES);
	glVertex2f(8.0f / SIDE * 2 - 1, 20.5f / SIDE * 2 - 1);
	glVertex2f(24.0f / SIDE * 2 - 1, 20.5f / SIDE * 2 - 1);
	glEnd();
	area = covered();
	glDisable(GL_LINE_SMOOTH);
	check("pt.smooth-line",
	      area.low == 20 && area.high == 20 && area.left == 8 && area.right == 23,
	      "%d pixels in rows %d to %d, columns %d to %d", area.count, area.low, area.high,
	      area.left, area.right);
}

static void smooth_shapes(void)
{
	glEnable(GL_POINT_SMOOTH);
	check_circle(16.3f, 16.6f, 4);
	check_circle(16.3f, 16.6f, 6);
	check_circle(16, 16, 6);
	check_circle(15.5f, 12.25f, 9);
	glDisable(GL_POINT_SMOOTH);
	check_line();
}

int main(void)
{
	begin_opengl();
	make_target(SIDE, SIDE);
	add_depth(GL_DEPTH_COMPONENT16, SIDE, SIDE);
	glClearColor(0, 0, 0, 0);
	glColor4f(1, 1, 1, 1);
	integer_sizes();
	fractional_sprites();
	smooth_shapes();
	check_error("pt.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
