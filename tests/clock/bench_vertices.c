// SPDX-License-Identifier: MIT
/* microbench: cases of vertices, triangles and what passes between the shaders. */

#include <GL/gl.h>
#include <GL/glext.h>

#include "microbench.h"

#include <stdlib.h>

#define CROSSING_GRID 16
#define SQUARES_OF_REUSE 4096
#define THIN_AREA 256
/* Instructions that read a varying: the same number however many varyings there are. */
#define VARYING_USES 8

/* Vertices, or indices after use_indexed(), of the draw that was prepared */
static unsigned int drawn;

/* Position of column @x of @columns over a part of the target's width. */
static float along(unsigned int x, unsigned int columns, float part)
{
	return 2.0f * part * (float)x / (float)columns - 1.0f;
}

/*
 * The two triangles of a square of the grid, as steps to its corners in x and y: counter-clockwise,
 * hence front faces.
 */
static const unsigned int square_corners[6][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 },
						   { 1, 0 }, { 1, 1 }, { 0, 1 } };

/* Separate triangles of a grid of squares over @part of the target's sides. */
static void use_separate(unsigned int columns, unsigned int rows, float part)
{
	float *vertices = calloc((size_t)columns * rows * 6, 3 * sizeof(float)), *to = vertices;

	for (unsigned int i = 0; vertices && i < columns * rows * 6; i++, to += 3) {
		const unsigned int *corner = square_corners[i % 6];

		to[0] = along(i / 6 % columns + corner[0], columns, part);
		to[1] = along(i / 6 / columns + corner[1], rows, part);
	}
	use_vertices(vertices, columns * rows * 6);
	free(vertices);
	drawn = columns * rows * 6;
}

/* The same over the whole target with shared vertices, up to 65536, and indices row by row. */
static void use_indexed(unsigned int columns, unsigned int rows)
{
	unsigned int corners = (columns + 1) * (rows + 1), count = columns * rows * 6;
	float *vertices = calloc(corners, 3 * sizeof(float));
	GLushort *indices = calloc(count, sizeof(*indices));
	GLuint buffer;

	for (unsigned int i = 0; vertices && i < corners; i++) {
		vertices[3 * i] = along(i % (columns + 1), columns, 1);
		vertices[3 * i + 1] = along(i / (columns + 1), rows, 1);
	}
	for (unsigned int i = 0; indices && i < count; i++) {
		const unsigned int *corner = square_corners[i % 6];

		indices[i] = (GLushort)((i / 6 / columns + corner[1]) * (columns + 1) +
					i / 6 % columns + corner[0]);
	}
	use_vertices(vertices, corners);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, count * sizeof(*indices), indices, GL_STATIC_DRAW);
	free(vertices);
	free(indices);
	drawn = count;
}

static void draw_triangles(unsigned int series, unsigned int value)
{
	(void)series;
	(void)value;
	glDrawArrays(GL_TRIANGLES, 0, (int)drawn);
}

/* The parameter is squares per side of the grid; what it covers is always the same. */
static void prepare_vertices(unsigned int series, unsigned int side)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_fragments("", "");
	use_separate(side, side, 0.5f);
}

/* One grid, drawn to a square of more and more pixels. */
static void prepare_crossing(unsigned int series, unsigned int pixels)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_fragments("", "");
	use_separate(CROSSING_GRID, CROSSING_GRID, (float)pixels / SIDE);
}

/* The whole target, by triangles whose legs are this many pixels. */
static void prepare_triangles(unsigned int series, unsigned int legs)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_fragments("", "");
	use_separate(SIDE / legs, SIDE / legs, 1);
}

/* The whole target, by rectangles of THIN_AREA pixels that are this many pixels wide. */
static void prepare_thin(unsigned int series, unsigned int width)
{
	(void)series;
	make_target(SIDE, SIDE);
	use_fragments("", "");
	use_separate(SIDE / width, SIDE / (THIN_AREA / width), 1);
}

/*
 * The same number of squares, in rows of this many. All triangles are culled: their shapes, which
 * depend on the rows, would cost the rasteriser more than vertices take.
 */
static void prepare_reuse(unsigned int series, unsigned int columns)
{
	make_target(SIDE, SIDE);
	glEnable(GL_CULL_FACE);
	glCullFace(GL_FRONT);
	use_fragments("", "");
	if (series)
		use_separate(columns, SQUARES_OF_REUSE / columns, 1);
	else
		use_indexed(columns, SQUARES_OF_REUSE / columns);
}

static void draw_reuse(unsigned int series, unsigned int columns)
{
	(void)columns;
	if (series)
		glDrawArrays(GL_TRIANGLES, 0, (int)drawn);
	else
		glDrawElements(GL_TRIANGLES, (int)drawn, GL_UNSIGNED_SHORT, NULL);
}

/* Series 0: many fragments of two triangles; series 1: many vertices. */
static void prepare_varyings(unsigned int series, unsigned int count)
{
	struct text vertex = { .length = 0 }, fragment = { .length = 0 };

	append(&vertex, "#version 120\nattribute vec4 position;\n");
	append(&fragment, "#version 120\n");
	for (unsigned int i = 0; i < count; i++) {
		append(&vertex, "varying vec4 v%u;\n", i);
		append(&fragment, "varying vec4 v%u;\n", i);
	}
	append(&vertex, "void main() {\ngl_Position = position;\n");
	append(&fragment, "void main() {\nvec4 c = vec4(0.0);\n");
	for (unsigned int i = 0; i < count; i++)
		append(&vertex, "v%u = position * 0.%u;\n", i, i + 1);
	for (unsigned int i = 0; i < VARYING_USES; i++)
		append(&fragment, "c = c * 0.%u + v%u;\n", i + 1, i % count);
	append(&vertex, "}\n");
	append(&fragment, "gl_FragData[0] = c;\n}\n");
	make_target(SIDE, SIDE);
	use_program(vertex.bytes, fragment.bytes);
	use_separate(series ? 64 : 1, series ? 64 : 1, series ? 0.25f : 1);
}

const struct bench_case vertex_cases[] = {
	{ .name = "vertices",
	  .series = { "128 x 128 pixels" },
	  .values = { 1, 2, 4, 8, 16, 32, 64, 128 },
	  .prepare = prepare_vertices,
	  .work = draw_triangles },
	{ .name = "crossing",
	  .series = { "1536 vertices" },
	  .values = { 8, 16, 32, 64, 128, 192, 256 },
	  .prepare = prepare_crossing,
	  .work = draw_triangles },
	{ .name = "triangle-size",
	  .series = { "65536 pixels" },
	  .values = { 2, 4, 8, 16, 32, 64, 128, 256 },
	  .prepare = prepare_triangles,
	  .work = draw_triangles },
	{ .name = "thin",
	  .series = { "256 rectangles" },
	  .values = { 1, 2, 4, 8, 16 },
	  .prepare = prepare_thin,
	  .work = draw_triangles },
	{ .name = "reuse",
	  .series = { "indexed", "separate" },
	  .values = { 2, 4, 8, 16, 32, 64, 128 },
	  .prepare = prepare_reuse,
	  .work = draw_reuse },
	{ .name = "varyings",
	  .series = { "65536 pixels", "24576 vertices" },
	  .values = { 1, 2, 4, 6, 8 },
	  .prepare = prepare_varyings,
	  .work = draw_triangles },
	{ .name = NULL },
};
