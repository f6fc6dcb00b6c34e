// SPDX-License-Identifier: MIT
#include "shaders.h"

#include "harness.h"

/* highp where there is one: mediump may be half-floats, less exact than the fixed function. */
#define PRECISION                             \
	"#ifdef GL_FRAGMENT_PRECISION_HIGH\n" \
	"precision highp float;\n"            \
	"#else\n"                             \
	"precision mediump float;\n"          \
	"#endif\n"

/* Without a texture, with one, with one and a bias. */
static GLuint programs[3];

static const char vertex_shader[] = "attribute vec4 position, value;\n"
				    "attribute vec2 coordinates;\n"
				    "uniform float size;\n"
				    "varying vec4 color;\n"
				    "varying vec2 place;\n"
				    "void main() {\n"
				    "	gl_Position = position;\n"
				    "	gl_PointSize = size;\n"
				    "	color = value;\n"
				    "	place = coordinates;\n"
				    "}\n";

static const char *const fragment_shaders[3] = {
	PRECISION "varying vec4 color;\n"
		  "void main() { gl_FragColor = color; }\n",
	PRECISION "varying vec4 color;\n"
		  "varying vec2 place;\n"
		  "uniform sampler2D image;\n"
		  "void main() { gl_FragColor = color * texture2D(image, place); }\n",
	PRECISION "varying vec4 color;\n"
		  "varying vec2 place;\n"
		  "uniform sampler2D image;\n"
		  "uniform float bias;\n"
		  "void main() { gl_FragColor = color * texture2D(image, place, bias); }\n",
};

void make_programs(void)
{
	for (int i = 0; i < 3; i++)
		programs[i] = use_program(vertex_shader, fragment_shaders[i]);
}

/* x, y, z from -1 to 1, colour, coordinates, as the programs take them. */
static unsigned load_vertices(const struct command *command, GLfloat vertices[][VERTEX])
{
	unsigned count = 0;

	for (unsigned i = 1; i < command->count; i += VERTEX, count++) {
		for (unsigned j = 0; j < VERTEX; j++)
			vertices[count][j] = command->values[i + j];
		for (unsigned j = 0; j < 3; j++)
			vertices[count][j] = command->values[i + j] * (j < 2 ? 2.0 / SIZE : 2) - 1;
	}
	return count;
}

void draw_with_program(const struct shading *shading, const struct command *command)
{
	static const struct {
		const char *name;
		int size, first;
	} attributes[] = { { "position", 3, 0 }, { "value", 4, 3 }, { "coordinates", 2, 7 } };
	GLuint program = programs[!shading->textured ? 0 : shading->bias == 0 ? 1 : 2];
	GLfloat vertices[MAX_VERTICES][VERTEX];
	unsigned count = load_vertices(command, vertices);
	GLint places[3];

	glUseProgram(program);
	glUniform1f(glGetUniformLocation(program, "size"), shading->point_size);
	glUniform1f(glGetUniformLocation(program, "bias"), shading->bias);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	for (int i = 0; i < 3; i++) {
		places[i] = glGetAttribLocation(program, attributes[i].name);
		if (places[i] < 0)
			continue;
		glVertexAttribPointer(places[i], attributes[i].size, GL_FLOAT, GL_FALSE,
				      sizeof(vertices[0]), &vertices[0][attributes[i].first]);
		glEnableVertexAttribArray(places[i]);
	}
	glDrawArrays(value_of(command, 0), 0, count);
	for (int i = 0; i < 3; i++)
		if (places[i] >= 0)
			glDisableVertexAttribArray(places[i]);
}
