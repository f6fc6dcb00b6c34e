// SPDX-License-Identifier: MIT
/*
 * samples: tests of OpenGL 2.1's multisampling with four samples: alpha to coverage, alpha to
 * one, sample coverage, that all three do nothing with GL_MULTISAMPLE off, and copies between
 * framebuffers with samples. The number of covered samples is read from the resolved colour.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 4
#define SIZE 64
#define PIXELS (SIZE * SIZE)

/* Framebuffers: drawn and copied have SAMPLES samples, the others one. */
static GLuint drawn, averaged, other_format, copied;

/* Bind the framebuffer with samples, which reading leaves, and clear it. */
static void begin(void)
{
	glBindFramebuffer(GL_FRAMEBUFFER, drawn);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void grey_square(float grey, float alpha, float z)
{
	glColor4f(grey, grey, grey, alpha);
	glBegin(GL_QUADS);
	glVertex3f(-1, -1, z);
	glVertex3f(1, -1, z);
	glVertex3f(1, 1, z);
	glVertex3f(-1, 1, z);
	glEnd();
}

static void square(float alpha, float z)
{
	grey_square(1, alpha, z);
}

/* The average of each pixel's samples in a framebuffer; leaves the one with one sample bound. */
static void read_average_of(GLuint framebuffer, GLubyte pixels[PIXELS * 4])
{
	glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, averaged);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, averaged);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

static void read_average(GLubyte pixels[PIXELS * 4])
{
	read_average_of(drawn, pixels);
}

/*
 * The sum of a channel over the samples of a pixel, on average over all pixels: of white or black
 * samples, how many are white.
 */
static double samples_of(int channel)
{
	static GLubyte pixels[PIXELS * 4];
	double sum = 0;

	read_average(pixels);
	for (int i = 0; i < PIXELS; i++)
		sum += pixels[4 * i + channel] / 255.0;
	return sum * SAMPLES / PIXELS;
}

static void expect(const char *tag, double samples, const char *what)
{
	double are = samples_of(0);

	check(tag, fabs(are - samples) < 0.05, "%s: %.2f samples of %.2f", what, are, samples);
}

/*
 * No samples with alpha 0, all with 1, between them alpha's share of them, give or take one; and
 * the number never decreases as alpha increases.
 */
static void check_alpha(void)
{
	double before = 0;
	char what[32];

	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	for (int eighths = 0; eighths <= 8; eighths++) {
		float alpha = (float)eighths / 8;
		double samples;

		begin();
		square(alpha, 0);
		samples = samples_of(0);
		snprintf(what, sizeof(what), "alpha %g", alpha);
		check("samples.alpha-chooses",
		      fabs(samples - SAMPLES * alpha) <= (eighths % 8 ? 1.05 : 0.05) &&
			      samples >= before,
		      "%s: %.2f samples", what, samples);
		before = samples;
	}
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

/* Samples that alpha to coverage excludes keep their depth as well. */
static void check_depth(void)
{
	begin();
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	square(0.5f, -0.5f);
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	expect("samples.alpha-half", 2, "half of them");
	glBindFramebuffer(GL_FRAMEBUFFER, drawn);
	glClear(GL_COLOR_BUFFER_BIT);
	square(1, 0.5f);
	expect("samples.alpha-depth", 2, "behind half of them");
	glDisable(GL_DEPTH_TEST);
}

/*
 * Alpha becomes one after alpha to coverage has used it, and before the alpha test and blending,
 * which multiplies the colour by alpha here.
 */
static void check_alpha_to_one(void)
{
	begin();
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ZERO);
	square(0.25f, 0);
	expect("samples.alpha-one-off", 1, "a quarter of each");
	begin();
	glEnable(GL_SAMPLE_ALPHA_TO_ONE);
	square(0.25f, 0);
	expect("samples.alpha-one", 4, "all of each");
	begin();
	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	square(0.25f, 0);
	expect("samples.alpha-one-chosen", 1, "all of one");
	glEnable(GL_ALPHA_TEST);
	glAlphaFunc(GL_GEQUAL, 0.9f);
	begin();
	square(0.75f, 0);
	expect("samples.alpha-one-tested", 3, "the test is behind that");
	glDisable(GL_ALPHA_TEST);
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glDisable(GL_SAMPLE_ALPHA_TO_ONE);
	glDisable(GL_BLEND);
}

static void check_coverage(void)
{
	glEnable(GL_SAMPLE_COVERAGE);
	begin();
	glSampleCoverage(0.5f, GL_FALSE);
	square(1, 0);
	expect("samples.coverage", 2, "half of them");
	glBindFramebuffer(GL_FRAMEBUFFER, drawn);
	glSampleCoverage(0.5f, GL_TRUE);
	square(1, 0);
	expect("samples.coverage-inverted", 4, "and the other half");
	begin();
	glSampleCoverage(0.75f, GL_FALSE);
	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	square(1, 0);
	expect("samples.coverage-and-alpha", 3, "all, but for one that is not covered");
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glDisable(GL_SAMPLE_COVERAGE);
}

/* Outlines, which the draw module processes */
static void check_outlines(void)
{
	double all, half;

	glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
	glLineWidth(8);
	begin();
	square(1, 0);
	all = samples_of(0);
	begin();
	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	square(0.5f, 0);
	half = samples_of(0);
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glLineWidth(1);
	glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
	check("samples.outlines", all > 0.2 && fabs(half - all / 2) < 0.05,
	      "half of %.2f samples: %.2f", all, half);
}

/* Occlusion queries count passing samples, whatever masked the others. */
static void check_query(void)
{
	GLuint query, count[2] = { 0, 0 };

	glGenQueries(1, &query);
	for (int i = 0; i < 2; i++) {
		begin();
		(i ? glEnable : glDisable)(GL_SAMPLE_ALPHA_TO_COVERAGE);
		glBeginQuery(GL_SAMPLES_PASSED, query);
		square(0.5f, 0);
		glEndQuery(GL_SAMPLES_PASSED);
		glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count[i]);
	}
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glDeleteQueries(1, &query);
	check("samples.query", count[0] && count[1] * 2 == count[0], "%u of %u samples passed",
	      count[1], count[0]);
}

/* Mirrored, and to another format: resolves that the resolve engine cannot do in one pass. */
static void check_turned(void)
{
	GLubyte pixels[2][4];

	begin();
	glEnable(GL_SCISSOR_TEST);
	glScissor(0, 0, SIZE, SIZE / 2);
	glClearColor(1, 0.5f, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, other_format);
	glBlitFramebuffer(0, SIZE, SIZE, 0, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glBindFramebuffer(GL_FRAMEBUFFER, other_format);
	glReadPixels(7, SIZE - 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels[0]);
	glReadPixels(7, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels[1]);
	check("samples.turned",
	      pixels[0][0] == 255 && abs(pixels[0][1] - 128) < 8 && pixels[1][0] == 0,
	      "%u, %u above, %u below", pixels[0][0], pixels[0][1], pixels[1][0]);
}

static void triangle(void)
{
	glColor4f(1, 1, 1, 1);
	glBegin(GL_TRIANGLES);
	glVertex2f(-0.9f, -0.83f);
	glVertex2f(0.87f, -0.31f);
	glVertex2f(-0.23f, 0.92f);
	glEnd();
}

/*
 * Limit each sample to a half: pixels whose samples differ become darker than with their average
 * limited to a half, which is what samples would have that were averaged before.
 */
static void draw_darker(void)
{
	glEnable(GL_BLEND);
	glBlendEquation(GL_MIN);
	grey_square(0.5f, 1, 0);
	glBlendEquation(GL_FUNC_ADD);
	glDisable(GL_BLEND);
}

/* White in all samples with a depth of more than that of the square */
static void draw_behind(void)
{
	glEnable(GL_DEPTH_TEST);
	square(1, 0.5f);
	glDisable(GL_DEPTH_TEST);
}

/* White in all samples whose stencil is 0 */
static void draw_outside(void)
{
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_EQUAL, 0, 0xff);
	square(1, 0);
	glDisable(GL_STENCIL_TEST);
}

static void smooth_line(void)
{
	glLineWidth(5);
	glEnable(GL_LINE_SMOOTH);
	glBegin(GL_LINES);
	glVertex2f(-0.8f, -0.7f);
	glVertex2f(0.75f, 0.33f);
	glEnd();
	glDisable(GL_LINE_SMOOTH);
	glLineWidth(1);
}

static void smooth_point(void)
{
	glPointSize(13);
	glEnable(GL_POINT_SMOOTH);
	glBegin(GL_POINTS);
	glVertex2f(0.11f, -0.07f);
	glEnd();
	glDisable(GL_POINT_SMOOTH);
	glPointSize(1);
}

/* Count of pixels with both white and other samples */
static unsigned mixed_pixels(void)
{
	static GLubyte pixels[PIXELS * 4];
	unsigned count = 0;

	read_average(pixels);
	for (int i = 0; i < PIXELS; i++)
		count += pixels[4 * i] != 0 && pixels[4 * i] != 255;
	return count;
}

/*
 * GL_MULTISAMPLE is changed between two draws to one framebuffer. The second is counted: where it
 * is enabled, the samples of a pixel are apart.
 */
static void check_switched(void)
{
	for (int i = 0; i < 4; i++) {
		bool apart = i % 2 == 0;
		unsigned mixed;

		begin();
		(apart ? glDisable : glEnable)(GL_MULTISAMPLE);
		triangle();
		(apart ? glEnable : glDisable)(GL_MULTISAMPLE);
		glClear(GL_COLOR_BUFFER_BIT);
		triangle();
		mixed = mixed_pixels();
		check("samples.switched", apart == (mixed > 0), "%s: %u pixels are mixed",
		      apart ? "on" : "off", mixed);
	}
	glEnable(GL_MULTISAMPLE);
}

/*
 * With GL_MULTISAMPLE off all samples of a pixel get the value at the pixel's centre, as in a
 * framebuffer with one sample: read_average() leaves one bound, to which the second draw goes.
 */
static void check_centres(const char *what, void (*draw)(void))
{
	static GLubyte several[PIXELS * 4], single[PIXELS * 4];
	unsigned wrong = 0, lit = 0;

	glDisable(GL_MULTISAMPLE);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	begin();
	draw();
	read_average(several);
	glClear(GL_COLOR_BUFFER_BIT);
	draw();
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, single);
	glDisable(GL_BLEND);
	glEnable(GL_MULTISAMPLE);
	for (int i = 0; i < PIXELS; i++) {
		wrong += abs(several[4 * i] - single[4 * i]) > 1;
		lit += single[4 * i] != 0;
	}
	check("samples.centres", !wrong && lit, "%s: %u of %u pixels are not as with one sample",
	      what, wrong, lit);
}

/* Alpha to coverage and sample coverage apply only if multisampling is enabled. */
static void check_chosen_off(void)
{
	glDisable(GL_MULTISAMPLE);
	glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glEnable(GL_SAMPLE_COVERAGE);
	glSampleCoverage(0.5f, GL_FALSE);
	begin();
	square(0.5f, 0);
	expect("samples.chosen-off", 4, "all of them");
	glDisable(GL_SAMPLE_COVERAGE);
	glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
	glEnable(GL_MULTISAMPLE);
}

/** What is copied between framebuffers, and a draw whose result depends on it */
static const struct copy {
	const char *name;
	GLbitfield buffers;
	void (*draw)(void);
} copies[] = {
	{ "colour", GL_COLOR_BUFFER_BIT, draw_darker },
	{ "depth", GL_DEPTH_BUFFER_BIT, draw_behind },
	{ "stencil", GL_STENCIL_BUFFER_BIT, draw_outside },
	{ "depth and stencil", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, draw_behind },
	{ "stencil and depth", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, draw_outside },
};

/* A triangle in colour, depth and stencil: pixels on its edges have different samples. */
static void draw_edges(void)
{
	begin();
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_STENCIL_TEST);
	glStencilFunc(GL_ALWAYS, 1, 0xff);
	glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
	triangle();
	glDisable(GL_STENCIL_TEST);
	glDisable(GL_DEPTH_TEST);
}

/*
 * Draw into the destination of a copy, with the depth and stencil that are there, and read the
 * colours. If the copy leaves out the colours they are cleared before.
 */
static void finish_copy(const struct copy *copy, GLuint framebuffer, GLubyte pixels[PIXELS * 4])
{
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	if (!(copy->buffers & GL_COLOR_BUFFER_BIT)) {
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
	}
	copy->draw();
	read_average_of(framebuffer, pixels);
}

/*
 * The same draws, in one framebuffer, and in two with a copy in between, of all columns but the
 * last @excluded ones, where some pixel must differ. Mixed are pixels on an edge: neither as in the
 * corner, outside of the triangle, nor as in the middle, inside.
 */
static void check_copied(const struct copy *copy, int excluded)
{
	static GLubyte direct[PIXELS * 4], through[PIXELS * 4];
	int wrong = 0, mixed = 0, beyond = 0;

	draw_edges();
	finish_copy(copy, drawn, direct);
	glBindFramebuffer(GL_FRAMEBUFFER, copied);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	draw_edges();
	glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, copied);
	glScissor(0, 0, SIZE - excluded, SIZE);
	glEnable(GL_SCISSOR_TEST);
	glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, copy->buffers, GL_NEAREST);
	glDisable(GL_SCISSOR_TEST);
	finish_copy(copy, copied, through);
	for (int i = 0; i < PIXELS; i++) {
		bool outside = i % SIZE >= SIZE - excluded;

		wrong += !outside && direct[4 * i] != through[4 * i];
		beyond += outside && direct[4 * i] != through[4 * i];
		mixed += direct[4 * i] != direct[0] &&
			 direct[4 * i] != direct[4 * (PIXELS / 2 + SIZE / 2)];
	}
	check("samples.copied", mixed && !wrong && (excluded ? beyond : !beyond),
	      "%s, without %d columns: of %d pixels %d are wrong, %d beyond the scissor; %d are mixed",
	      copy->name, excluded, PIXELS, wrong, beyond, mixed);
}

int main(void)
{
	begin_opengl();
	averaged = make_buffers(SIZE, 0, GL_RGBA8);
	other_format = make_buffers(SIZE, 0, GL_RGB5_A1);
	copied = make_buffers(SIZE, SAMPLES, GL_RGBA8);
	drawn = make_buffers(SIZE, SAMPLES, GL_RGBA8);
	glViewport(0, 0, SIZE, SIZE);
	check_alpha();
	check_depth();
	check_alpha_to_one();
	check_coverage();
	check_outlines();
	check_query();
	check_turned();
	check_switched();
	check_centres("a triangle", triangle);
	check_centres("a smooth line", smooth_line);
	check_centres("a smooth point", smooth_point);
	check_chosen_off();
	for (unsigned i = 0; i < COUNT(copies); i++) {
		check_copied(&copies[i], 0);
		check_copied(&copies[i], 20);
	}
	check_error("samples.no-error", GL_NO_ERROR, "all of it");
	return end_checks();
}
