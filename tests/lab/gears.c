// SPDX-License-Identifier: MIT
/*
 * Figure 7.9: three turning gears in 280 draws a frame, as es2gears draws them: a gear's tooth is
 * seven strips (front, back, four flanks, the hole's wall), each a draw.
 */

#include "work.h"

#include <math.h>
#include <string.h>

#include "calibrate.h"

#define GEARS 3
#define STRIPS 7 /* of a tooth */
#define TEETH 40 /* of all gears */
#define POINTS 6 /* of a strip at most */
#define TURN 6.2831853f

struct point {
	GLfloat position[3], normal[3];
};

static const struct gear {
	float x, y, hole, root, tip, width;
	int teeth;
} gears[GEARS] = { { -0.33f, -0.2f, 0.1f, 0.33f, 0.43f, 0.1f, 20 },
		   { 0.31f, -0.2f, 0.05f, 0.15f, 0.24f, 0.2f, 10 },
		   { -0.33f, 0.44f, 0.13f, 0.15f, 0.24f, 0.05f, 10 } };

static struct point points[TEETH * STRIPS][POINTS];
static int lengths[TEETH * STRIPS];

/* A point on a circle of a gear, on the side @z. */
static struct point on_circle(const struct gear *gear, float radius, float angle, float z)
{
	return (struct point){ .position = { radius * cosf(angle), radius * sinf(angle),
					     z * gear->width } };
}

/* Add a strip; all points have the first triangle's normal. */
static void add_strip(int strip, const struct point *from, int count)
{
	float a[3], b[3];

	memcpy(points[strip], from, (size_t)count * sizeof(*from));
	lengths[strip] = count;
	for (int i = 0; i < 3; i++) {
		a[i] = from[1].position[i] - from[0].position[i];
		b[i] = from[2].position[i] - from[0].position[i];
	}
	for (int p = 0; p < count; p++)
		for (int i = 0; i < 3; i++)
			points[strip][p].normal[i] =
				a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* A wall between both sides, through points of the outline. */
static void add_wall(int strip, const struct gear *gear, float r0, float a0, float r1, float a1)
{
	const struct point wall[] = { on_circle(gear, r0, a0, 1), on_circle(gear, r0, a0, -1),
				      on_circle(gear, r1, a1, 1), on_circle(gear, r1, a1, -1) };

	add_strip(strip, wall, 4);
}

static void add_tooth(int strip, const struct gear *gear, int tooth)
{
	float step = TURN / (float)gear->teeth / 4, angle = step * 4 * (float)tooth;

	for (int side = -1; side <= 1; side += 2) {
		const struct point face[] = {
			on_circle(gear, gear->hole, angle, (float)side),
			on_circle(gear, gear->root, angle, (float)side),
			on_circle(gear, gear->tip, angle + step, (float)side),
			on_circle(gear, gear->hole, angle + 4 * step, (float)side),
			on_circle(gear, gear->tip, angle + 2 * step, (float)side),
			on_circle(gear, gear->root, angle + 4 * step, (float)side),
		};

		add_strip(strip++, face, 6);
	}
	add_wall(strip++, gear, gear->root, angle, gear->tip, angle + step);
	add_wall(strip++, gear, gear->tip, angle + step, gear->tip, angle + 2 * step);
	add_wall(strip++, gear, gear->tip, angle + 2 * step, gear->root, angle + 3 * step);
	add_wall(strip++, gear, gear->root, angle + 3 * step, gear->root, angle + 4 * step);
	add_wall(strip, gear, gear->hole, angle, gear->hole, angle + 4 * step);
}

static void add_gears(void)
{
	int strip = 0;

	for (int g = 0; g < GEARS; g++)
		for (int tooth = 0; tooth < gears[g].teeth; tooth++, strip += STRIPS)
			add_tooth(strip, &gears[g], tooth);
}

/* Columns of a matrix that turns a gear about its axis, and all of them towards the viewer. */
static void matrix_of(const struct gear *gear, float angle, GLfloat *m)
{
	const float c = cosf(angle), s = sinf(angle), tilt = 0.35f, ct = cosf(tilt),
		    st = sinf(tilt);
	const GLfloat turned[] = { c, s * ct, s * st, 0, -s,      c * ct,  c * st, 0,
				   0, -st,    ct,     0, gear->x, gear->y, 0,      1 };

	memcpy(m, turned, sizeof(turned));
}

static GLuint shader(GLuint program, GLenum type, const char *source)
{
	GLuint name = glCreateShader(type);

	glShaderSource(name, 1, &source, NULL);
	glCompileShader(name);
	glAttachShader(program, name);
	return name;
}

static GLuint gears_program(void)
{
	GLuint program = glCreateProgram();
	GLint linked;

	shader(program, GL_VERTEX_SHADER,
	       "attribute vec3 position, normal;\n"
	       "uniform mat4 matrix;\n"
	       "uniform vec4 color;\n"
	       "varying vec4 shade;\n"
	       "void main() {\n"
	       "	vec3 n = normalize((matrix * vec4(normal, 0.0)).xyz);\n"
	       "	shade = color * (0.3 + max(dot(n, vec3(0.3, 0.3, -0.9)), 0.0));\n"
	       "	gl_Position = matrix * vec4(position, 1.0);\n"
	       "}");
	shader(program, GL_FRAGMENT_SHADER,
	       "precision mediump float;\n"
	       "varying vec4 shade;\n"
	       "void main() { gl_FragData[0] = shade; }");
	glBindAttribLocation(program, 0, "position");
	glBindAttribLocation(program, 1, "normal");
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &linked);
	if (!linked)
		die("the gears' program does not link");
	glUseProgram(program);
	return program;
}

/* @buffer: from a buffer object, or each draw from the application's memory */
static void draw_gears(GLuint program, float angle, int buffer)
{
	static const GLfloat colors[GEARS][4] = { { 0.8f, 0.1f, 0, 1 },
						  { 0, 0.8f, 0.2f, 1 },
						  { 0.2f, 0.2f, 1, 1 } };
	static const float ratios[GEARS] = { 1, -2, -2 };
	int strip = 0;

	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	for (int g = 0; g < GEARS; g++) {
		GLfloat matrix[16];

		matrix_of(&gears[g], angle * ratios[g], matrix);
		glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix);
		glUniform4fv(glGetUniformLocation(program, "color"), 1, colors[g]);
		for (int i = 0; i < gears[g].teeth * STRIPS; i++, strip++) {
			const char *at = buffer ? (const char *)(sizeof(points[0]) * (size_t)strip)
						: (const char *)points[strip];

			glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(points[0][0]), at);
			glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(points[0][0]),
					      at + sizeof(points[0][0].position));
			glDrawArrays(GL_TRIANGLE_STRIP, 0, lengths[strip]);
		}
	}
}

static void run(int count, int buffer)
{
	GLuint name, program;

	make_window();
	add_gears();
	program = gears_program();
	glEnable(GL_DEPTH_TEST);
	glEnableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	if (buffer) {
		glGenBuffers(1, &name);
		glBindBuffer(GL_ARRAY_BUFFER, name);
		glBufferData(GL_ARRAY_BUFFER, sizeof(points), points, GL_STATIC_DRAW);
	}
	/* es2gears turns by 70 degrees a second, here of 60 frames. */
	for (int i = 0; i < count; i++) {
		draw_gears(program, (float)i * TURN * 70 / 360 / 60, buffer);
		present_window();
		work_sleep(FRAME_US);
	}
}

void work_gears(int count)
{
	run(count, 1);
}

void work_gears_arrays(int count)
{
	run(count, 0);
}
