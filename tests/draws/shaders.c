// SPDX-License-Identifier: MIT
#include "shaders.h"

#include <string.h>

#include "harness.h"
#include "limits.h"
#include "../gl_program.h"

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
	HIGH_PRECISION "varying vec4 color;\n"
		       "void main() { gl_FragColor = color; }\n",
	HIGH_PRECISION "varying vec4 color;\n"
		       "varying vec2 place;\n"
		       "uniform sampler2D image;\n"
		       "void main() { gl_FragColor = color * texture2D(image, place); }\n",
	HIGH_PRECISION "varying vec4 color;\n"
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

GLuint try_program(const char *vertex, const char *fragment)
{
	GLuint program = glCreateProgram();
	char reason[256] = "";
	GLint good;

	glAttachShader(program, gl_compile(GL_VERTEX_SHADER, vertex));
	glAttachShader(program, gl_compile(GL_FRAGMENT_SHADER, fragment));
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	if (good)
		return program;
	glGetProgramInfoLog(program, sizeof(reason), NULL, reason);
	if (!reason[0])
		give_up("a program does not link, without a reason:\n%s%s", vertex, fragment);
	printf("# a program does not link: %.*s\n", (int)strcspn(reason, "\n"), reason);
	return 0;
}

unsigned load_vertices(const struct command *command, GLfloat vertices[][VERTEX])
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

void draw_with_program(struct shading *shading, const struct command *command)
{
	static const struct {
		const char *name;
		int size, first;
	} attributes[] = { { "position", 3, 0 }, { "value", 4, 3 }, { "coordinates", 2, 7 } };
	GLuint program = programs[!shading->textured ? 0 : shading->bias == 0 ? 1 : 2];
	GLfloat vertices[MAX_VERTICES][VERTEX];
	unsigned count = load_vertices(command, vertices);
	bool limited = shading->limit < LIMITS && !shading->textured;
	GLint places[3];

	if (limited) {
		program = use_limit(shading->limit);
		shading->unfit = shading->unfit || !program;
		if (!program)
			return;
	}
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
	if (limited)
		end_limit();
}
