// SPDX-License-Identifier: MIT
/*
 * quads FOLDER: tests of the index cache for quads and outlines: index buffers written without
 * synchronization between draws, and quads in pipeline statistics. It also writes a picture of
 * outlines and stippled lines with instances and primitive restart, to be compared with another
 * driver's.
 */
#include "harness.h"
#include "canvas.h"

/* libOpenGL has no functions of extensions. */
static PFNGLDRAWELEMENTSINSTANCEDARBPROC draw_instances;
static PFNGLVERTEXATTRIBDIVISORARBPROC set_divisor;
static PFNGLPRIMITIVERESTARTINDEXNVPROC set_restart;

/** Quads in a row, and how often their indices are written */
#define QUADS 64
#define ROUNDS 40
#define RESTART 0xffff

static const GLfloat corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };

static void look(double width, double height)
{
	glMatrixMode(GL_PROJECTION);
	glLoadIdentity();
	glOrtho(0, width, 0, height, -1, 1);
	glMatrixMode(GL_MODELVIEW);
	glLoadIdentity();
}

/* Vertices of a row of quads, and room for their indices; both buffers stay bound. */
static void make_row(GLuint *vertices, GLuint *indices)
{
	static GLfloat places[QUADS][4][2];

	for (int i = 0; i < QUADS; i++) {
		for (int corner = 0; corner < 4; corner++) {
			places[i][corner][0] = (float)i + corners[corner][0];
			places[i][corner][1] = corners[corner][1];
		}
	}
	glGenBuffers(1, vertices);
	glBindBuffer(GL_ARRAY_BUFFER, *vertices);
	glBufferData(GL_ARRAY_BUFFER, sizeof(places), places, GL_STATIC_DRAW);
	glVertexPointer(2, GL_FLOAT, 0, NULL);
	glEnableClientState(GL_VERTEX_ARRAY);
	glGenBuffers(1, indices);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, *indices);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, QUADS * 4 * sizeof(GLushort), NULL, GL_DYNAMIC_DRAW);
}

/* The indices of one quad, over and over, so that this quad alone is drawn. */
static void write_indices(int quad, bool flushed)
{
	GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
	const GLsizeiptr size = QUADS * 4 * sizeof(GLushort);
	GLushort *map;

	if (flushed)
		access |= GL_MAP_FLUSH_EXPLICIT_BIT;
	map = glMapBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, size, access);
	if (!map)
		give_up("indices can't be mapped");
	for (int i = 0; i < QUADS * 4; i++)
		map[i] = (GLushort)(4 * quad + i % 4);
	if (flushed)
		glFlushMappedBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, size);
	glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
}

/* glReadPixels() waits until the GPU has read the indices, before they are overwritten. */
static void check_written(void)
{
	GLuint vertices, indices;
	GLubyte pixels[QUADS][4];
	int wrong = 0;

	look(QUADS, 1);
	glViewport(0, 0, QUADS, 1);
	make_row(&vertices, &indices);
	for (int round = 0; round < ROUNDS; round++) {
		int quad = round * 7 % QUADS;

		write_indices(quad, round % 2);
		glClear(GL_COLOR_BUFFER_BIT);
		glColor3f(1, 1, 1);
		for (int again = 0; again < 3; again++)
			glDrawElements(GL_QUADS, QUADS * 4, GL_UNSIGNED_SHORT, NULL);
		glReadPixels(0, 0, QUADS, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
		for (int i = 0; i < QUADS; i++)
			wrong += (pixels[i][0] == 255) != (i == quad);
	}
	glDisableClientState(GL_VERTEX_ARRAY);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
	glDeleteBuffers(1, &vertices);
	glDeleteBuffers(1, &indices);
	glViewport(0, 0, WIDTH, HEIGHT);
	if (wrong)
		give_up("indices that were written: %d pixels of %d are wrong", wrong,
			ROUNDS * QUADS);
}

/* Number of primitives that enter clipping, whether they are cut or not */
static GLuint clipped(GLenum mode, int vertices, bool culled)
{
	GLuint query, count = 0;

	glGenQueries(1, &query);
	(culled ? glEnable : glDisable)(GL_CULL_FACE);
	glCullFace(GL_FRONT_AND_BACK);
	glBeginQuery(GL_CLIPPING_INPUT_PRIMITIVES_ARB, query);
	glBegin(mode);
	for (int i = 0; i < vertices; i++)
		glVertex2f(10.0f * i, i % 4 < 2 ? 10 : 20);
	glEnd();
	glEndQuery(GL_CLIPPING_INPUT_PRIMITIVES_ARB);
	glDisable(GL_CULL_FACE);
	glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
	glDeleteQueries(1, &query);
	return count;
}

/* As many primitives as if they were visible: two per quad, where other drivers may count one. */
static void check_culled(void)
{
	static const struct {
		GLenum mode;
		int vertices;
		GLuint triangles;
	} cases[] = { { GL_QUADS, 8, 4 },   { GL_QUADS, 11, 4 },    { GL_QUAD_STRIP, 8, 6 },
		      { GL_POLYGON, 6, 4 }, { GL_TRIANGLES, 7, 2 }, { GL_TRIANGLE_STRIP, 6, 4 } };

	look(WIDTH, HEIGHT);
	for (unsigned i = 0; i < COUNT(cases); i++) {
		for (int culled = 0; culled < 2; culled++) {
			GLuint is = clipped(cases[i].mode, cases[i].vertices, culled);

			if (is != cases[i].triangles)
				give_up("mode %u, %s: %u primitives, not %u", cases[i].mode,
					culled ? "culled" : "seen", is, cases[i].triangles);
		}
	}
}

static GLuint use_instances(void)
{
	static const char *const sources[2] = {
		"#version 120\n"
		"#extension GL_ARB_draw_instanced : require\n"
		"attribute vec2 move;\n"
		"void main()\n"
		"{\n"
		"	vec2 place = gl_Vertex.xy + move + vec2(0, 70 * gl_InstanceIDARB);\n"
		"	gl_Position = gl_ModelViewProjectionMatrix * vec4(place, 0, 1);\n"
		"	gl_FrontColor = vec4(0.3 + 0.2 * gl_InstanceIDARB, gl_Color.gb, 1);\n"
		"}\n",
		"#version 120\n"
		"void main() { gl_FragColor = gl_Color; }\n",
	};
	GLuint program = use_shaders(sources[0], sources[1]);

	/* The place of an attribute is used by the next link. */
	glBindAttribLocation(program, 5, "move");
	glLinkProgram(program);
	glUseProgram(program);
	return program;
}

/* Two primitives of four indices and half of one, separated by restarts. */
static const GLushort restarted[] = { 0, 1, 2, 3, RESTART, 4, 5, 6, 7, RESTART, 8, 9 };

static void draw_kind(int kind)
{
	static const GLenum modes[] = { GL_QUADS,      GL_QUAD_STRIP, GL_TRIANGLE_STRIP,
					GL_LINE_STRIP, GL_LINE_LOOP,  GL_POLYGON };

	draw_instances(modes[kind], COUNT(restarted), GL_UNSIGNED_SHORT, restarted, 5);
}

/* A column for each kind, a row for each instance; pairs of rows are moved by an array. */
static void draw_repeated(void)
{
	static const GLshort places[10][2] = { { 10, 12 }, { 40, 16 }, { 40, 52 }, { 10, 60 },
					       { 55, 8 },  { 90, 14 }, { 92, 40 }, { 58, 62 },
					       { 20, 20 }, { 30, 30 } };
	static const GLshort moves[3][2] = { { 0, 0 }, { 6, 3 }, { 0, 6 } };
	GLuint program = use_instances();

	look(WIDTH, HEIGHT);
	glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
	set_restart(RESTART);
	glEnableClientState(GL_PRIMITIVE_RESTART_NV);
	glVertexPointer(2, GL_SHORT, 0, places);
	glEnableClientState(GL_VERTEX_ARRAY);
	glVertexAttribPointer(5, 2, GL_SHORT, GL_FALSE, 0, moves);
	set_divisor(5, 2);
	glEnableVertexAttribArray(5);
	glLineStipple(2, 0x7f1f);
	for (int kind = 0; kind < 6; kind++) {
		glLoadIdentity();
		glTranslatef(4.3f + 105 * (float)kind, 4.3f, 0);
		glColor3f(1, 1 - 0.15f * kind, 0.15f * kind);
		(kind % 2 ? glEnable : glDisable)(GL_LINE_STIPPLE);
		draw_kind(kind);
	}
	glDisable(GL_LINE_STIPPLE);
	glDisableVertexAttribArray(5);
	glDisableClientState(GL_VERTEX_ARRAY);
	glDisableClientState(GL_PRIMITIVE_RESTART_NV);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
	glUseProgram(0);
	glDeleteProgram(program);
}

int main(int argc, char **argv)
{
	static const struct drawing pictures[] = { { "quads-repeated", draw_repeated } };
	const char *folder = begin_pictures(argc, argv);

	draw_instances = get_function("glDrawElementsInstancedARB");
	set_divisor = get_function("glVertexAttribDivisorARB");
	set_restart = get_function("glPrimitiveRestartIndexNV");
	make_target(WIDTH, HEIGHT);
	glClearColor(0, 0, 0.1f, 1);
	check_written();
	if (is_vivgpu())
		check_culled();
	write_pictures(folder, pictures, COUNT(pictures));
	return 0;
}
