// SPDX-License-Identifier: MIT
/*
 * smooth FOLDER: draws smooth lines, points and outlines with OpenGL 2.1 and writes PNG files to
 * FOLDER, to be compared with another driver's. It also tests that the coverage of lines and
 * points, summed over all pixels, is their area.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>
#include <stdio.h>

#define SPOKES 40
/** Allowed difference of coverage and area, relative to the area */
#define TOLERANCE 0.02

static void draw_spokes(float x, float y, float radius)
{
	glBegin(GL_LINES);
	for (int i = 0; i < SPOKES; i++) {
		float a = 2 * (float)M_PI * i / SPOKES;

		glColor4f(1, 0.9f, 0.3f, 1);
		glVertex2f(x + radius / 6 * cosf(a), y + radius / 6 * sinf(a));
		glColor4f(0.2f, 0.4f + 0.01f * i, 1, 0.5f);
		glVertex2f(x + radius * cosf(a), y + radius * sinf(a));
	}
	glEnd();
}

/* Strips of several widths, of which one is dashed and one flat. */
static void draw_waves(void)
{
	for (int i = 0; i < 5; i++) {
		glLineWidth(0.5f + i);
		glLineStipple(2 + i, 0x33ff);
		(i == 3 ? glEnable : glDisable)(GL_LINE_STIPPLE);
		glShadeModel(i == 1 ? GL_FLAT : GL_SMOOTH);
		glBegin(i == 4 ? GL_LINE_LOOP : GL_LINE_STRIP);
		for (int x = 0; x <= 36; x++) {
			glColor3f(1 - 0.02f * x, 0.3f + 0.1f * i, 0.3f + 0.1f * (x % 7));
			glVertex2f(250.5f + 10 * x, 60.5f + 75 * i + 24 * sinf(0.35f * x));
		}
		glEnd();
	}
	glDisable(GL_LINE_STIPPLE);
	glShadeModel(GL_SMOOTH);
	glLineWidth(1);
}

static void draw_lines(void)
{
	use_pixel_coordinates();
	glEnable(GL_LINE_SMOOTH);
	draw_spokes(110.5f, 110.5f, 98);
	glLineWidth(2.5f);
	draw_spokes(110.2f, 320.7f, 98);
	draw_waves();
	glDisable(GL_LINE_SMOOTH);
}

static void solid_vertices(void)
{
	for (int i = 0; i <= 12; i++) {
		float a = 2 * (float)M_PI * i / 12;

		for (int y = -1; y <= 1; y += 2) {
			glColor3f(0.5f + 0.5f * cosf(a), 0.5f + 0.4f * y, 0.5f + 0.5f * sinf(a));
			glVertex3f(cosf(a), (float)y, sinf(a));
		}
	}
}

/*
 * Outlines of quads and of triangles, the last time of front faces only. Without perspective:
 * llvmpipe's lines get thicker and thinner with the distance.
 */
static void draw_outlines(void)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(-3.6, 3.6, -2.43, 2.43, -10, 10);
	glEnable(GL_LINE_SMOOTH);
	for (int i = 0; i < 3; i++) {
		glMatrixMode(GL_MODELVIEW);
		glLoadIdentity();
		glTranslatef(2.3f * (float)(i - 1), 0, 0);
		glRotatef(30, 1, 0.3f, 0);
		glLineWidth(1.0f + i);
		glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
		glCullFace(GL_BACK);
		(i == 2 ? glEnable : glDisable)(GL_CULL_FACE);
		glBegin(i == 1 ? GL_TRIANGLE_STRIP : GL_QUAD_STRIP);
		solid_vertices();
		glEnd();
	}
	glDisable(GL_CULL_FACE);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
	glDisable(GL_LINE_SMOOTH);
	glLineWidth(1);
}

/*
 * The front face is green; lines have no back face, whichever winding is the front's. Polygon
 * stipple, with its first pattern of ones, must not matter to them.
 */
static void draw_faced(void)
{
	static const char *const source =
		"void main() { gl_FragColor = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }";
	GLuint program = use_shaders(NULL, source);

	use_pixel_coordinates();
	glEnable(GL_LINE_SMOOTH);
	glEnable(GL_POLYGON_STIPPLE);
	glLineWidth(4);
	for (int i = 0; i < 2; i++) {
		glFrontFace(i ? GL_CW : GL_CCW);
		draw_spokes(150.5f + 300 * (float)i, 200.5f, 130);
	}
	glFrontFace(GL_CCW);
	glLineWidth(1);
	glDisable(GL_POLYGON_STIPPLE);
	glDisable(GL_LINE_SMOOTH);
	glUseProgram(0);
	glDeleteProgram(program);
}

/* Covered area in pixels: the sum of the white parts */
static double covered(void)
{
	static GLubyte pixels[WIDTH * HEIGHT * 4];
	double sum = 0;

	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		sum += pixels[4 * i] / 255.0;
	return sum;
}

/* Give up if that is not the area, and clear for the next draw. */
static void expect_covered(const char *what, double size, double area)
{
	double is = covered();

	if (fabs(is - area) > TOLERANCE * area)
		give_up("%s of %g covers %.2f pixels, not %.2f", what, size, is, area);
	printf("%s of %g covers %.2f pixels of %.2f\n", what, size, is, area);
	glClear(GL_COLOR_BUFFER_BIT);
}

/* The first check: the others use its white on black, and check_points() its view. */
static void check_lines(void)
{
	use_pixel_coordinates();
	glClearColor(0, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glColor4f(1, 1, 1, 1);
	glEnable(GL_LINE_SMOOTH);
	for (int i = 2; i <= 14; i += 3) {
		glLineWidth(0.5f * i);
		glBegin(GL_LINES);
		glVertex2f(30.3f, 40.6f);
		glVertex2f(330.3f, 40.6f + 25 * (float)i);
		glEnd();
		expect_covered("a line", 0.5 * i, 0.5 * i * hypot(300, 25 * i));
	}
	glLineWidth(1);
	glDisable(GL_LINE_SMOOTH);
}

static void check_points(void)
{
	glEnable(GL_POINT_SMOOTH);
	for (int i = 2; i <= 24; i += 5) {
		glPointSize(0.5f * i);
		glBegin(GL_POINTS);
		for (int n = 0; n < 100; n++)
			glVertex2f(20 + 40.13f * (float)(n % 10), 20 + 40.29f * (float)(n / 10));
		glEnd();
		expect_covered("100 points", 0.5 * i, 100 * M_PI * i * i / 16);
	}
	glPointSize(1);
	glDisable(GL_POINT_SMOOTH);
}

/* A filled front face, to which smoothing does not apply, beside the outline of a back face. */
static void check_mixed(void)
{
	use_pixel_coordinates();
	glEnable(GL_LINE_SMOOTH);
	glPolygonMode(GL_BACK, GL_LINE);
	glBegin(GL_QUADS);
	for (int i = 0; i < 8; i++) {
		int x = i % 4 == 1 || i % 4 == 2, y = i % 4 >= 2;

		glVertex2i(20 + 200 * (i / 4) + 100 * (i < 4 ? x : y), 20 + 100 * (i < 4 ? y : x));
	}
	glEnd();
	glPolygonMode(GL_BACK, GL_FILL);
	glDisable(GL_LINE_SMOOTH);
	expect_covered("front and back", 100, 100 * 100 + 4 * 100);
}

/* A line in perspective has the same width at all depths. */
static void check_perspective(void)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glFrustum(0, WIDTH, 0, HEIGHT, 1, 100);
	glMatrixMode(GL_MODELVIEW);
	glEnable(GL_LINE_SMOOTH);
	glLineWidth(6);
	glBegin(GL_LINES);
	glVertex3f(2 * 30.3f, 2 * 40.6f, -2);
	glVertex3f(20 * 330.3f, 20 * 340.6f, -20);
	glEnd();
	glLineWidth(1);
	glDisable(GL_LINE_SMOOTH);
	expect_covered("a line into the distance", 6, 6 * hypot(300, 300));
}

int main(int argc, char **argv)
{
	static const struct drawing pictures[] = {
		{ "smooth-lines", draw_lines },
		{ "smooth-outlines", draw_outlines },
		{ "smooth-faced", draw_faced },
	};
	const char *folder = begin_pictures(argc, argv);

	make_target(WIDTH, HEIGHT);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glClearColor(0.1f, 0.1f, 0.15f, 1);
	write_pictures(folder, pictures, COUNT(pictures));
	check_lines();
	/*
	 * llvmpipe, with which pictures are compared, draws no fill beside smooth outlines, cuts
	 * points out of whole pixels, and shears the edges of lines in perspective.
	 */
	if (is_vivgpu()) {
		check_points();
		check_mixed();
		check_perspective();
	}
	return 0;
}
