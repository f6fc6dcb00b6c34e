// SPDX-License-Identifier: MIT
/* Shapes of the scene, drawn by display lists, vertex buffers and client arrays. */
#include <math.h>
#include <stddef.h>

#include "room.h"

/*
 * Parts of the ball around its axis and along it; of the torus around its hole and around its tube
 */
#define SLICES 40
#define STACKS 20
#define RINGS 48
#define SIDES 24

static GLuint ball_list, torus_buffers[2];

static void ball_vertex(int stack, int slice)
{
	float a = (float)M_PI * (stack / (float)STACKS - 0.5f);
	float b = 2 * (float)M_PI * slice / SLICES;
	float x = cosf(a) * cosf(b), y = sinf(a), z = cosf(a) * sinf(b);

	glTexCoord2f(4.0f * slice / SLICES, 2.0f * stack / STACKS);
	glNormal3f(x, y, z);
	glVertex3f(x, y, z);
}

static void make_ball(void)
{
	ball_list = glGenLists(1);
	glNewList(ball_list, GL_COMPILE);
	for (int stack = 0; stack < STACKS; stack++) {
		glBegin(GL_QUAD_STRIP);
		for (int slice = 0; slice <= SLICES; slice++) {
			ball_vertex(stack, slice);
			ball_vertex(stack + 1, slice);
		}
		glEnd();
	}
	glEndList();
}

void draw_ball(void)
{
	glCallList(ball_list);
}

static void torus_vertex(int ring, int side, GLfloat vertex[6])
{
	float a = 2 * (float)M_PI * ring / RINGS, b = 2 * (float)M_PI * side / SIDES;
	float r = 0.7f + 0.28f * cosf(b);
	const GLfloat values[6] = { r * cosf(a),       0.28f * sinf(b), r * sinf(a),
				    cosf(b) * cosf(a), sinf(b),         cosf(b) * sinf(a) };

	for (int i = 0; i < 6; i++)
		vertex[i] = values[i];
}

static void make_torus(void)
{
	static GLfloat vertices[RINGS * SIDES][6];
	static GLushort indices[RINGS][2 * (SIDES + 1)];

	for (int ring = 0; ring < RINGS; ring++) {
		for (int side = 0; side < SIDES; side++)
			torus_vertex(ring, side, vertices[ring * SIDES + side]);
		for (int i = 0; i < 2 * (SIDES + 1); i++)
			indices[ring][i] = (ring + i % 2) % RINGS * SIDES + i / 2 % SIDES;
	}
	glGenBuffers(2, torus_buffers);
	glBindBuffer(GL_ARRAY_BUFFER, torus_buffers[0]);
	glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, torus_buffers[1]);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

void draw_torus(void)
{
	/* Indices of the strip of one ring */
	enum { COUNT = 2 * (SIDES + 1) };

	glBindBuffer(GL_ARRAY_BUFFER, torus_buffers[0]);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, torus_buffers[1]);
	glVertexPointer(3, GL_FLOAT, 24, NULL);
	glNormalPointer(GL_FLOAT, 24, (const void *)12);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_NORMAL_ARRAY);
	for (size_t ring = 0; ring < RINGS; ring++)
		glDrawRangeElements(GL_TRIANGLE_STRIP, 0, RINGS * SIDES - 1, COUNT,
				    GL_UNSIGNED_SHORT,
				    (const void *)(ring * COUNT * sizeof(GLushort)));
	glDisableClientState(GL_NORMAL_ARRAY);
	glDisableClientState(GL_VERTEX_ARRAY);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

/* A corner of a face of the box; faces 2n and 2n + 1 are at the two ends of axis n. */
static void box_vertex(int face, int corner, GLfloat position[3], GLfloat normal[3])
{
	int axis = face / 2, sign = face % 2 ? 1 : -1;
	int u = corner == 1 || corner == 2, v = corner >= 2;

	normal[axis] = sign;
	normal[(axis + 1) % 3] = normal[(axis + 2) % 3] = 0;
	position[axis] = 0.5f * sign;
	position[(axis + 1) % 3] = u - 0.5f;
	position[(axis + 2) % 3] = v - 0.5f;
}

void draw_box(void)
{
	/* Triangles: how quads are split is the driver's choice, and affects their lighting. */
	static const GLubyte order[6] = { 0, 1, 2, 0, 2, 3 };
	GLfloat positions[24][3], normals[24][3], places[24][2];
	GLubyte indices[36];

	for (int i = 0; i < 24; i++) {
		box_vertex(i / 4, i % 4, positions[i], normals[i]);
		places[i][0] = i % 4 == 1 || i % 4 == 2;
		places[i][1] = i % 4 >= 2;
	}
	for (int i = 0; i < 36; i++)
		indices[i] = i / 6 * 4 + order[i % 6];
	glVertexPointer(3, GL_FLOAT, 0, positions);
	glNormalPointer(GL_FLOAT, 0, normals);
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_NORMAL_ARRAY);
	for (int unit = 1; unit >= 0; unit--) {
		glClientActiveTexture(GL_TEXTURE0 + unit);
		glTexCoordPointer(2, GL_FLOAT, 0, places);
		glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	}
	glDrawElements(GL_TRIANGLES, 36, GL_UNSIGNED_BYTE, indices);
	for (int unit = 1; unit >= 0; unit--) {
		glClientActiveTexture(GL_TEXTURE0 + unit);
		glDisableClientState(GL_TEXTURE_COORD_ARRAY);
	}
	glDisableClientState(GL_NORMAL_ARRAY);
	glDisableClientState(GL_VERTEX_ARRAY);
}

void make_shapes(void)
{
	make_ball();
	make_torus();
}
