// SPDX-License-Identifier: MIT
/*
 * outlines FOLDER: draws stippled lines and outlines of polygons (GL_LINE, GL_POINT) with OpenGL
 * 2.1, with all kinds of primitives, and writes PNG files to FOLDER. Its pictures of two drivers
 * are compared.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>

#define SPOKES 24
#define CELL 72

/* Set a view in perspective, from above. */
static void look_from_above(void)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glFrustum(-0.8, 0.8, -0.54, 0.54, 1, 20);
	glMatrixMode(GL_MODELVIEW);
	glLoadIdentity();
	glTranslatef(0, -0.4f, -5);
	glRotatef(25, 1, 0, 0);
}

static void draw_spokes(void)
{
	glLineStipple(3, 0x6b5f);
	glBegin(GL_LINES);
	for (int i = 0; i < SPOKES; i++) {
		float a = 2 * (float)M_PI * i / SPOKES;

		glColor3f(1, 0.9f, 0.3f);
		glVertex2f(110.5f + 15 * cosf(a), 110.5f + 15 * sinf(a));
		glColor3f(0.2f, 0.4f + 0.02f * i, 1);
		glVertex2f(110.5f + 98 * cosf(a), 110.5f + 98 * sinf(a));
	}
	glEnd();
}

static void wave_vertices(float y)
{
	for (int i = 0; i <= 60; i++)
		glVertex2f(230.5f + 6 * i, y + 18 * sinf(0.35f * i));
}

/* The pattern goes on from one line of a strip to the next. */
static void draw_waves(void)
{
	for (int i = 0; i < 4; i++) {
		glLineWidth((float)(1 + i));
		glLineStipple(1 << i, 0x33ff);
		glColor3f(1 - 0.2f * i, 0.3f + 0.2f * i, 0.5f);
		glBegin(GL_LINE_STRIP);
		wave_vertices(32.5f + 45 * i);
		glEnd();
	}
	glLineWidth(1);
}

/* Boxes from an array with indices, as strips and loops in turn; each fifth index is not drawn. */
static void draw_boxes(void)
{
	GLshort vertices[2 * 4 * 8];
	GLubyte indices[5 * 8];

	for (int i = 0; i < 32; i++) {
		int box = i / 4, x = i % 4 == 1 || i % 4 == 2, y = i % 4 >= 2;

		vertices[2 * i] = (GLshort)(20 + 75 * box + 60 * x);
		vertices[2 * i + 1] = (GLshort)(240 + 4 * box + 55 * y);
		indices[i / 4 * 5 + i % 4] = (GLubyte)i;
		indices[i / 4 * 5 + 4] = 0xff;
	}
	glColor3f(0.4f, 1, 0.4f);
	glLineStipple(2, 0x0f0f);
	glVertexPointer(2, GL_SHORT, 0, vertices);
	glEnableClientState(GL_VERTEX_ARRAY);
	for (int box = 0; box < 8; box++)
		glDrawElements(box % 2 ? GL_LINE_LOOP : GL_LINE_STRIP, 4, GL_UNSIGNED_BYTE,
			       indices + 5 * box);
	glDisableClientState(GL_VERTEX_ARRAY);
}

/* A display list, in perspective, flat and clipped in front of the eye. Changes both matrices. */
static void draw_rails(void)
{
	static GLuint list;

	if (!list) {
		list = glGenLists(1);
		glNewList(list, GL_COMPILE);
		glBegin(GL_LINES);
		for (int i = -8; i <= 8; i++) {
			glColor3f(1, 0, 0);
			glVertex3f(0.5f * i, 1.6f, 8);
			glColor3f(0.1f * fabsf((float)i), 1, 1);
			glVertex3f(0.5f * i, 1.6f, -8);
		}
		glEnd();
		glEndList();
	}
	look_from_above();
	glLineStipple(4, 0x5555);
	glShadeModel(GL_FLAT);
	glCallList(list);
	glShadeModel(GL_SMOOTH);
}

static void draw_stippled(void)
{
	use_pixel_coordinates();
	glEnable(GL_LINE_STIPPLE);
	draw_spokes();
	draw_waves();
	draw_boxes();
	draw_rails();
	glDisable(GL_LINE_STIPPLE);
}

static void place(int column, int row)
{
	glMatrixMode(GL_MODELVIEW);
	glLoadIdentity();
	glTranslatef(12.3f + CELL * column, 12.4f + CELL * row, 0);
}

/* A star of eight corners; with @flags every third edge has the flag of an inner one. */
static void star_vertices(bool flags)
{
	for (int i = 0; i < 8; i++) {
		float a = 2 * (float)M_PI * i / 8, r = i % 2 ? 20 : 28;

		if (flags)
			glEdgeFlag(i % 3 != 2);
		glColor3f(1, 0.1f * i, 0.3f);
		glVertex2f(28 + r * cosf(a), 28 + r * sinf(a));
	}
	glEdgeFlag(GL_TRUE);
}

static void quad_vertices(bool flags)
{
	static const GLfloat corners[8][2] = { { 0, 0 },  { 24, 4 },  { 26, 50 }, { 2, 55 },
					       { 30, 2 }, { 56, 10 }, { 54, 44 }, { 32, 52 } };

	for (int i = 0; i < 8; i++) {
		if (flags)
			glEdgeFlag(i % 4 != 1);
		glColor3f(0.3f, 1, 0.4f * (i / 4)); /* a quad is split as the driver likes */
		glVertex2fv(corners[i]);
	}
	glEdgeFlag(GL_TRUE);
}

static void band_vertices(void)
{
	for (int i = 0; i < 8; i++) {
		glColor3f(0.1f * i, 0.5f, 1);
		glVertex2f(12.0f * (i / 2) + (i % 2 ? 6 : 0), i % 2 ? 50.0f - 2.7f * i : 2.7f * i);
	}
}

static void draw_shape(GLenum mode, bool flags)
{
	glBegin(mode);
	if (mode == GL_QUADS)
		quad_vertices(flags);
	else if (mode == GL_POLYGON)
		star_vertices(flags);
	else
		band_vertices();
	glEnd();
}

/* Two quads from arrays with edge flags; by indices they share two corners. */
static void draw_shape_array(void)
{
	static const GLshort corners[6][2] = { { 0, 0 },  { 28, 4 },  { 56, 0 },
					       { 0, 50 }, { 28, 54 }, { 56, 50 } };
	static const GLubyte flags[6] = { 1, 1, 0, 1, 0, 1 };
	static const GLushort indices[8] = { 0, 1, 4, 3, 1, 2, 5, 4 };

	glColor3f(1, 1, 0.5f);
	glVertexPointer(2, GL_SHORT, 0, corners);
	glEdgeFlagPointer(0, flags);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_EDGE_FLAG_ARRAY);
	glDrawElements(GL_QUADS, 8, GL_UNSIGNED_SHORT, indices);
	glDisableClientState(GL_EDGE_FLAG_ARRAY);
	glDisableClientState(GL_VERTEX_ARRAY);
}

/* A row of all kinds of polygons. */
static void draw_row(int row, bool flags)
{
	static const GLenum modes[] = { GL_QUADS,     GL_POLYGON,        GL_QUAD_STRIP,
					GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN };
	GLuint list = glGenLists(1);

	for (unsigned i = 0; i < COUNT(modes); i++) {
		place((int)i, row);
		draw_shape(modes[i], flags);
	}
	place(6, row);
	draw_shape_array();
	glNewList(list, GL_COMPILE);
	draw_shape(GL_QUADS, flags);
	glEndList();
	place(7, row);
	glCallList(list);
	glDeleteLists(list, 1);
}

/* All kinds of polygons, in all modes. */
static void draw_edges(void)
{
	use_pixel_coordinates();
	draw_row(0, true);
	glShadeModel(GL_FLAT);
	draw_row(1, true);
	glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
	draw_row(2, true);
	glShadeModel(GL_SMOOTH);
	glEnable(GL_LINE_STIPPLE);
	glLineStipple(2, 0x3f);
	draw_row(3, false);
	glDisable(GL_LINE_STIPPLE);
	glLineWidth(3);
	draw_row(4, false);
	glLineWidth(1);
	glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
	glPointSize(4);
	draw_row(5, true);
	glPointSize(1);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void tube_vertex(int slice, float y)
{
	float a = 2 * (float)M_PI * slice / 16;

	glNormal3f(cosf(a), 0, sinf(a));
	glVertex3f(cosf(a), y, sinf(a));
}

/* An open tube, cut by a plane, of which both sides are seen. */
static void draw_tube(float x)
{
	static const GLdouble plane[4] = { 1, 1, 0, 0.9 };

	glPushMatrix();
	glTranslatef(x, 0.3f, 0);
	glRotatef(30, 1, 0, 0);
	glClipPlane(GL_CLIP_PLANE0, plane);
	glEnable(GL_CLIP_PLANE0);
	glBegin(GL_QUAD_STRIP);
	for (int slice = 0; slice <= 16; slice++) {
		tube_vertex(slice, -1);
		tube_vertex(slice, 1);
	}
	glEnd();
	glDisable(GL_CLIP_PLANE0);
	glPopMatrix();
}

static void set_light(void)
{
	static const GLfloat position[4] = { 1, 2, 3, 0 }, front[4] = { 0.3f, 0.9f, 0.4f, 1 },
			     back[4] = { 0.9f, 0.3f, 0.3f, 1 };

	glLightfv(GL_LIGHT0, GL_POSITION, position);
	glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
	glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, front);
	glMaterialfv(GL_BACK, GL_AMBIENT_AND_DIFFUSE, back);
	glEnable(GL_LIGHT0);
	glEnable(GL_LIGHTING);
}

/* Modes of front and back faces, lit on both sides, in perspective. */
static void draw_faces(void)
{
	static const GLenum modes[4][2] = { { GL_LINE, GL_FILL },
					    { GL_FILL, GL_LINE },
					    { GL_POINT, GL_LINE },
					    { GL_LINE, GL_LINE } };

	look_from_above();
	set_light();
	glEnable(GL_DEPTH_TEST);
	glPointSize(3);
	for (int i = 0; i < 4; i++) {
		glPolygonMode(GL_FRONT, modes[i][0]);
		glPolygonMode(GL_BACK, modes[i][1]);
		draw_tube(2.4f * ((float)i - 1.5f));
	}
	glPointSize(1);
	glDisable(GL_LIGHTING);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
	glDisable(GL_DEPTH_TEST);
}

/* Outlines and corners in front of and behind the polygons they are of. */
static void draw_offset(void)
{
	look_from_above();
	glEnable(GL_DEPTH_TEST);
	glDepthFunc(GL_LEQUAL);
	for (int i = 0; i < 4; i++) {
		glColor3f(0.2f, 0.3f, 0.2f + 0.2f * i);
		draw_tube(2.4f * ((float)i - 1.5f));
		glPolygonMode(GL_FRONT_AND_BACK, i % 2 ? GL_LINE : GL_POINT);
		glEnable(i % 2 ? GL_POLYGON_OFFSET_LINE : GL_POLYGON_OFFSET_POINT);
		glPolygonOffset(i < 2 ? -2 : 2, i < 2 ? -4 : 4);
		glPointSize(3);
		glColor3f(1, 1, 0.6f);
		draw_tube(2.4f * ((float)i - 1.5f));
		glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
		glDisable(i % 2 ? GL_POLYGON_OFFSET_LINE : GL_POLYGON_OFFSET_POINT);
	}
	glPointSize(1);
	glDepthFunc(GL_LESS);
	glDisable(GL_DEPTH_TEST);
}

int main(int argc, char **argv)
{
	static const struct drawing pictures[] = {
		{ "outlines-stippled", draw_stippled },
		{ "outlines-edges", draw_edges },
		{ "outlines-faces", draw_faces },
		{ "outlines-offset", draw_offset },
	};
	const char *folder = begin_pictures(argc, argv);

	make_target(WIDTH, HEIGHT);
	add_depth(GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
	glClearColor(0.1f, 0.1f, 0.15f, 1);
	write_pictures(folder, pictures, COUNT(pictures));
	return 0;
}
