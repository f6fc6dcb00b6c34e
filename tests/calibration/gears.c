// SPDX-License-Identifier: MIT
/*
 * The mix of draws of es2gears: three gears in 280 draws a frame, most of a few vertices.
 *
 *	gears		lines "gears VERTICES FRAGMENTS CYCLES", one for each job; every second job
 *			has all draws, the others a random number, as if cut at a full buffer
 */

#include "calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS 60
#define GEARS 3
#define DRAWS 280 /* a frame */
#define MAX_VERTICES 40

static const struct {
	float x, y, inner, outer;
	int teeth;
} gears[GEARS] = { { -0.3f, -0.2f, 0.12f, 0.42f, 20 },
		   { 0.33f, -0.25f, 0.06f, 0.22f, 10 },
		   { -0.3f, 0.48f, 0.13f, 0.22f, 10 } };

/*
 * A tooth of a gear's ring: a strip between two radii. Each draw is of the next gear, then tooth.
 * Returns the number of vertices.
 */
static int strip(GLfloat *at, int draw, float turn)
{
	const int gear = draw % GEARS, tooth = draw / GEARS % gears[gear].teeth;
	const int points = 2 + draw % 5 * 2;
	int n = 0;

	for (int i = 0; i < points; i++) {
		float angle = turn + 6.2831853f * ((float)tooth + (float)i / (float)(points - 1)) /
					     (float)gears[gear].teeth;
		float outer = gears[gear].outer * (i % 2 ? 1.0f : 0.85f);

		at[n++] = gears[gear].x + gears[gear].inner * cosf(angle);
		at[n++] = gears[gear].y + gears[gear].inner * sinf(angle);
		at[n++] = gears[gear].x + outer * cosf(angle);
		at[n++] = gears[gear].y + outer * sinf(angle);
	}
	return n / 2;
}

static void job(int draws, int first, float turn)
{
	for (int i = first; i < first + draws; i++) {
		GLfloat points[2 * MAX_VERTICES];
		int count = strip(points, i % DRAWS, turn);

		glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, points);
		glEnableVertexAttribArray(0);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, count);
	}
	glFinish();
}

int measure_gears(const char *figure)
{
	GLuint program;

	if (strcmp(figure, "gears") != 0)
		return 0;
	make_context(0);
	program = use_program("gl_FragData[0] = color;");
	glUniform4f(glGetUniformLocation(program, "color"), 1.0f, 0.5f, 0.0f, 1.0f);
	srand(1);
	job(DRAWS, 0, 0);
	for (int i = 0; i < JOBS; i++) {
		unsigned long long vertices = card_total("gc.vs.vertices");
		unsigned long long fragments = card_total("gc.ps.pixels");
		unsigned long long cycles = card_total("gc.busy_cycles");
		int draws = i % 2 ? DRAWS : 1 + rand() % DRAWS;

		job(draws, rand() % DRAWS, (float)i * 0.03f);
		printf("gears %llu %llu %llu\n", card_total("gc.vs.vertices") - vertices,
		       card_total("gc.ps.pixels") - fragments,
		       card_total("gc.busy_cycles") - cycles);
		fflush(stdout);
	}
	return 1;
}
