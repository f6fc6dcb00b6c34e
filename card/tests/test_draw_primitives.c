// SPDX-License-Identifier: MIT
/*
 * Primitives from states and memory to samples: interpolation, culling, clipping, points, lines,
 * fill modes, multisampling. The rig: tests/draw_rig.h.
 */
#include "tests/draw_rig.h"

/* Perspective-correct colour and 1/w at (@x, @y), in double, of a red, green and blue vertex. */
static void reference(const double p[3][4], double x, double y, double out[3], double *over_w)
{
	double sx[3], sy[3], area, b[3], sum = 0;
	static const double color[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

	for (int i = 0; i < 3; i++) {
		sx[i] = p[i][0];
		sy[i] = p[i][1];
	}
	area = (sx[1] - sx[0]) * (sy[2] - sy[0]) - (sx[2] - sx[0]) * (sy[1] - sy[0]);
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;

		b[i] = ((sx[j] - x) * (sy[k] - y) - (sx[k] - x) * (sy[j] - y)) / area / p[i][3];
		sum += b[i];
	}
	*over_w = sum;
	for (int c = 0; c < 3; c++)
		out[c] = (b[0] * color[0][c] + b[1] * color[1][c] + b[2] * color[2][c]) / sum;
}

static void keep_position(struct gc_batch *batch)
{
	batch->temp[1].c[3] = batch->temp[0].c[3]; /* alpha is 1/w */
}

TEST(interpolation_is_perspective_correct)
{
	rig_open();
	for (unsigned int n = 0; n < 60; n++) {
		double p[3][4], area;

		rig_clear();
		for (unsigned int i = 0; i < 3; i++) {
			p[i][0] = (float)(rig_random() * 300 - 100);
			p[i][1] = (float)(rig_random() * 300 - 100);
			p[i][2] = (float)rig_random();
			p[i][3] = (float)(0.2 + 5 * rig_random());
			rig_pixel_vertex(i, (float)p[i][0], (float)p[i][1], (float)p[i][2],
					 (float)p[i][3], i == 0, i == 1, i == 2);
		}
		area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
		       (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
		if (fabs(area) < 500)
			continue;
		rig.shade = keep_position;
		rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
		for (unsigned int y = 0; y < RIG_SIZE; y++)
			for (unsigned int x = 0; x < RIG_SIZE; x++) {
				double want[3], over_w;

				if (!rig.target[y][x][0].writes)
					continue;
				reference(p, x + 0.5, y + 0.5, want, &over_w);
				for (unsigned int c = 0; c < 3; c++)
					CHECK_NEAR(rig.target[y][x][0].color[c], want[c], 3e-4);
				CHECK_NEAR(rig.target[y][x][0].color[3], over_w, 3e-4 * over_w);
			}
	}
}

static void show_position(struct gc_batch *batch)
{
	batch->temp[1] = batch->temp[0];
}

TEST(t0_is_the_fragment_position)
{
	rig_open();
	rig.shade = show_position;
	rig_pixel_vertex(0, 0, 0, 0.0f, 2, 0, 0, 0);
	rig_pixel_vertex(1, 96, 0, 0.5f, 2, 0, 0, 0);
	rig_pixel_vertex(2, 0, 96, 0.5f, 2, 0, 0, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	for (unsigned int i = 0; i < 90; i += 7) {
		CHECK_NEAR(rig.target[2][i][0].color[0], i + 0.5, 0);
		CHECK_NEAR(rig.target[2][i][0].color[1], 2.5, 0);
		CHECK_NEAR(rig.target[2][i][0].color[2], (i + 3.0) / 96 / 2, 1e-6);
		CHECK_NEAR(rig.target[2][i][0].color[3], 0.5, 1e-7);
	}
}

TEST(culling_and_facing)
{
	static const uint32_t modes[] = { VIVS_PA_CONFIG_CULL_FACE_MODE_OFF,
					  VIVS_PA_CONFIG_CULL_FACE_MODE_CW,
					  VIVS_PA_CONFIG_CULL_FACE_MODE_CCW,
					  VIVS_PA_CONFIG_CULL_FACE_MODE_CW |
						  VIVS_PA_CONFIG_CULL_FACE_MODE_CCW };

	for (unsigned int clockwise = 0; clockwise < 2; clockwise++)
		for (unsigned int m = 0; m < 4; m++) {
			/* both bits cull what CCW alone does */
			bool hidden = m && (m == 1) == clockwise;

			rig_open();
			rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_SOLID |
							VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH |
							modes[m]);
			rig_pixel_vertex(0, 10, 10, 0.5f, 1, 1, 1, 1);
			rig_pixel_vertex(1, clockwise ? 30 : 10, clockwise ? 10 : 30, 0.5f, 1, 1, 1,
					 1);
			rig_pixel_vertex(2, clockwise ? 10 : 30, clockwise ? 30 : 10, 0.5f, 1, 1, 1,
					 1);
			rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
			CHECK_EQ(rig_writes(0) == 0, hidden);
			CHECK_EQ(rig.gc.counters.pa_culled, hidden);
			if (!hidden)
				CHECK_EQ(rig.target[12][12][0].front, clockwise);
		}
}

static void show_face(struct gc_batch *batch)
{
	batch->temp[1].c[0] = batch->face;
}

TEST(face_register)
{
	rig_open();
	rig.shade = show_face;
	rig_quad(10, 10, 20, 20, 0.5f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK(rig.target[15][15][0].color[0] == 1.0f);
	rig_draw_indexed(PRIMITIVE_TYPE_TRIANGLES, (uint16_t[]){ 0, 2, 1 }, 3, 0);
	CHECK(rig.target[11][11][0].color[0] == 0.0f);
}

TEST(flat_shading_takes_the_provoking_vertex)
{
	for (unsigned int last = 0; last < 2; last++) {
		rig_open();
		rig_quad(10, 10, 20, 20, 0.5f);
		rig_set(VIVS_PA_CONFIG,
			VIVS_PA_CONFIG_FILL_MODE_SOLID | VIVS_PA_CONFIG_SHADE_MODEL_FLAT);
		rig_set(VIVS_PA_SYSTEM_MODE,
			VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER |
				(last ? VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST : 0));
		rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
		CHECK(rig.target[11][11][0].color[0] == (last ? 0.0f : 1.0f)); /* red or blue */
		CHECK(rig.target[11][11][0].color[2] == (last ? 1.0f : 0.0f));
		CHECK(rig.target[18][18][0].color[1] == 1.0f); /* green or white */
		CHECK(rig.target[18][18][0].color[0] == (last ? 1.0f : 0.0f));
		/* a texture coordinate is not affected */
		rig_set(VIVS_PA_SHADER_ATTRIBUTES(0), VIVS_PA_SHADER_ATTRIBUTES_BYPASS_FLAT);
		rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
		CHECK(rig.target[11][11][0].color[0] > 0.5f &&
		      rig.target[11][11][0].color[0] < 1.0f);
	}
}

TEST(varyings_with_fewer_components)
{
	rig_open();
	rig_inputs(3);
	rig_set(VIVS_GL_VARYING_NUM_COMPONENTS, 0x124);
	rig_set(VIVS_PS_OUTPUT_REG, 2);
	for (unsigned int i = 0; i < 3; i++) {
		float *v = rig_vertex(3, i);
		const float x[] = { -1, 3, -1 }, y[] = { -1, -1, 3 };

		v[0] = x[i];
		v[1] = y[i];
		v[3] = 1;
		for (unsigned int c = 0; c < 12; c++)
			v[4 + c] = (float)c;
	}
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[40][40][0].color[0], 4, 1e-5);
	CHECK_NEAR(rig.target[40][40][0].color[1], 5, 1e-5);
	CHECK_NEAR(rig.target[40][40][0].color[2], 0, 0); /* not a component: keeps its value */
	rig_set(VIVS_PS_OUTPUT_REG, 3);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[40][40][0].color[0], 8, 1e-5);
}

TEST(clipped_at_the_near_plane)
{
	rig_open();
	/* the third vertex has negative w: the visible part reaches the upper edge */
	rig_pixel_vertex(0, 20, 20, 0.5f, 1, 1, 0, 0);
	rig_pixel_vertex(1, 76, 20, 0.5f, 1, 1, 0, 0);
	memcpy(rig_vertex(1, 2), (float[]){ 0, -2, -2, -1, 1, 0, 0, 1 }, 32);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig.gc.counters.pa_clipped, 1);
	CHECK_EQ(rig.gc.counters.se_triangles, 1);
	CHECK_EQ(rig.target[10][48][0].writes, 1);
	CHECK_EQ(rig.target[0][48][0].writes, 1);
	CHECK_EQ(rig.target[21][48][0].writes, 0);
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++) {
			CHECK(rig.target[y][x][0].writes <= 1);
			if (rig.target[y][x][0].writes)
				CHECK_NEAR(rig.target[y][x][0].color[0], 1.0, 1e-5);
		}
}

TEST(rejected_and_degenerate)
{
	rig_open();
	/* left of the view, without area, behind the far plane, not a number */
	rig_pixel_vertex(0, -30, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(1, -10, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(2, -10, 90, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(3, 10, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(4, 20, 20, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(5, 30, 30, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(6, 10, 10, 1.5f, 1, 0, 0, 0);
	rig_pixel_vertex(7, 20, 20, 1.5f, 1, 0, 0, 0);
	rig_pixel_vertex(8, 10, 30, 1.5f, 1, 0, 0, 0);
	rig_pixel_vertex(9, NAN, 10, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(10, 20, 20, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(11, 10, 30, 0.5f, 1, 0, 0, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 12);
	CHECK_EQ(rig_writes(0), 0);
	CHECK_EQ(rig.gc.counters.pa_trivial_rejected, 3);
	CHECK_EQ(rig.gc.counters.pa_depth_clipped, 1);
	CHECK_EQ(rig.gc.counters.pa_dropped_zero_area, 1);
}

TEST(polygon_offset)
{
	rig_open();
	rig_set_f(VIVS_SE_DEPTH_SCALE, 2.0f);
	rig_set_f(VIVS_SE_DEPTH_BIAS, 0.125f);
	rig_pixel_vertex(0, 0, 0, 0.0f, 1, 1, 1, 1);
	rig_pixel_vertex(1, 96, 0, 0.96f, 1, 1, 1, 1); /* slope 0.01 a pixel in x */
	rig_pixel_vertex(2, 0, 96, 0.48f, 1, 1, 1, 1);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[4][10][0].z, 10.5 * 0.01 + 4.5 * 0.005 + 2 * 0.01 + 0.125, 1e-6);
	rig_clear(); /* lines and points have no polygon offset */
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	rig_pixel_vertex(0, 10.5f, 10.5f, 0.25f, 1, 1, 1, 1);
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	CHECK_NEAR(rig.target[10][10][0].z, 0.25, 1e-7);
}

TEST(points)
{
	static const float sizes[] = { 0.3f, 1, 2, 3, 7.4f };
	static const unsigned int want[] = { 1, 1, 4, 9, 49 };

	for (unsigned int i = 0; i < 5; i++) {
		rig_open();
		rig_set_f(VIVS_PA_POINT_SIZE, sizes[i] / 2); /* the state is half the size */
		rig_pixel_vertex(0, 40.5f, 50.5f, 0.5f, 1, 1, 1, 1);
		rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
		CHECK_EQ(rig.target[50][40][0].writes, 1);
		if (sizes[i] == 2.0f) /* between two pixels: right and below without sprites */
			CHECK_EQ(rig.target[51][41][0].writes, 1);
		CHECK_EQ(rig_writes(0), want[i]);
	}
	rig_open();
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_POINT_SIZE_ENABLE | VIVS_PA_CONFIG_FILL_MODE_SOLID);
	rig_set(VIVS_VS_OUTPUT(0), 0x00010100); /* the size's register is the varying's */
	rig_pixel_vertex(0, 40, 50, 0.5f, 1, 6, 1, 1);
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	CHECK_EQ(rig_writes(0), 36);
}

TEST(point_sprites)
{
	rig_open();
	rig_set(VIVS_PA_CONFIG,
		VIVS_PA_CONFIG_POINT_SPRITE_ENABLE | VIVS_PA_CONFIG_FILL_MODE_SOLID);
	rig_set(VIVS_GL_VARYING_COMPONENT_USE(0),
		VIVS_GL_VARYING_COMPONENT_USE_COMP0(VARYING_COMPONENT_USE_POINTCOORD_X) |
			VIVS_GL_VARYING_COMPONENT_USE_COMP1(VARYING_COMPONENT_USE_POINTCOORD_Y));
	rig_set_f(VIVS_PA_POINT_SIZE, 4);
	rig_pixel_vertex(0, 20, 30, 0.5f, 3, 7, 7, 7);
	rig_draw(PRIMITIVE_TYPE_POINTS, 0, 1);
	CHECK_EQ(rig_writes(0), 64);
	for (unsigned int y = 0; y < 8; y++)
		for (unsigned int x = 0; x < 8; x++) {
			const float *c = rig.target[26 + y][16 + x][0].color;

			CHECK_NEAR(c[0], (x + 0.5) / 8, 1e-5);
			CHECK_NEAR(c[1], (y + 0.5) / 8, 1e-5);
			CHECK_NEAR(c[2], 7, 1e-5);
		}
	/* triangles are not replaced */
	rig_pixel_vertex(1, 90, 0, 0.5f, 1, 7, 7, 7);
	rig_pixel_vertex(2, 90, 90, 0.5f, 1, 7, 7, 7);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_NEAR(rig.target[40][80][0].color[0], 7, 1e-4);
}

TEST(lines_interpolate_along_themselves)
{
	rig_open();
	rig_pixel_vertex(0, 10.5f, 10.5f, 0.0f, 1, 0, 0, 0);
	rig_pixel_vertex(1, 60.5f, 35.5f, 1.0f, 1, 1, 0, 0);
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	CHECK_EQ(rig_writes(0), 50);
	for (unsigned int y = 0; y < RIG_SIZE; y++)
		for (unsigned int x = 0; x < RIG_SIZE; x++)
			if (rig.target[y][x][0].writes)
				CHECK_NEAR(rig.target[y][x][0].color[0], (x - 10) / 50.0, 1e-5);
	rig_clear();
	rig_set_f(VIVS_PA_LINE_WIDTH, 2.5f); /* half of the width */
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	CHECK_EQ(rig_writes(0), 250);
	rig_clear();
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_SOLID); /* without WIDE_LINE */
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	CHECK_EQ(rig_writes(0), 50);
}

TEST(fill_modes)
{
	rig_open();
	rig_quad(10.5f, 10.5f, 30.5f, 30.5f, 0.5f);
	rig_set(VIVS_PA_CONFIG,
		VIVS_PA_CONFIG_FILL_MODE_WIREFRAME | VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig_writes(0), 60);
	CHECK_EQ(rig.target[10][20][0].writes, 1);
	CHECK_EQ(rig.target[20][20][0].writes, 1);
	CHECK_EQ(rig.target[15][12][0].writes, 0);
	CHECK_EQ(rig.gc.counters.se_lines, 3);
	rig_clear();
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_POINT | VIVS_PA_CONFIG_SHADE_MODEL_SMOOTH);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig_writes(0), 3);
	rig_set(VIVS_PA_CONFIG, VIVS_PA_CONFIG_FILL_MODE_POINT | VIVS_PA_CONFIG_CULL_FACE_MODE_CW);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	CHECK_EQ(rig_writes(0), 3); /* culled: no points more */
}

/* Two or four samples with the positions and centroids that Mesa programs. */
static void multisample(unsigned int samples)
{
	rig.samples = samples;
	if (samples == 4) {
		rig_set(VIVS_RA_MULTISAMPLE_UNK00E10(0), 0xeaa26e26);
		rig_set(VIVS_RA_CENTROID_TABLE(0), 0x4a6e2688);
		rig_set(VIVS_RA_CENTROID_TABLE(1), 0x888888a2);
		rig_set(VIVS_RA_CENTROID_TABLE(2), 0x888888ea);
		rig_set(VIVS_RA_CENTROID_TABLE(3), 0x888888c6);
	} else {
		rig_set(VIVS_RA_MULTISAMPLE_UNK00E10(0), 0x0000aa22);
		rig_set(VIVS_RA_CENTROID_TABLE(0), 0x66aa2288);
	}
	rig_set(VIVS_GL_MULTI_SAMPLE_CONFIG, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(15));
}

TEST(samples)
{
	rig_open();
	multisample(4);
	rig_quad(10.5f, 20, 40, 33, 0.25f);
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	/* x samples at 6, 14, 2 and 10 sixteenths: in pixel 10 the second and fourth */
	CHECK_EQ(rig.target[25][10][0].writes, 0);
	CHECK_EQ(rig.target[25][10][1].writes, 1);
	CHECK_EQ(rig.target[25][10][2].writes, 0);
	CHECK_EQ(rig.target[25][10][3].writes, 1);
	for (unsigned int s = 0; s < 4; s++)
		CHECK_EQ(rig_writes(s), (s & 1 ? 30 : 29) * 13);
	CHECK_EQ(rig.gc.work.samples, (29 + 30) * 2 * 13);
	rig_clear();
	rig_set(VIVS_GL_MULTI_SAMPLE_CONFIG, VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES(4));
	rig_draw(PRIMITIVE_TYPE_TRIANGLE_STRIP, 0, 4);
	CHECK_EQ(rig_writes(0) + rig_writes(1) + rig_writes(3), 0);
	CHECK_EQ(rig_writes(2), 29 * 13);
}

TEST(depth_of_samples_and_centroid)
{
	static const double sx[] = { 6 / 16.0, 14 / 16.0, 2 / 16.0, 10 / 16.0 };

	rig_open();
	multisample(4);
	rig_pixel_vertex(0, 10.75f, 0, 0.1075f, 1, 10.75f, 0, 0); /* depth x/100, red x, green y */
	rig_pixel_vertex(1, 90.75f, 0, 0.9075f, 1, 90.75f, 0, 0);
	rig_pixel_vertex(2, 10.75f, 96, 0.1075f, 1, 10.75f, 96, 0);
	rig_draw(PRIMITIVE_TYPE_TRIANGLES, 0, 3);
	for (unsigned int s = 0; s < 4; s++) {
		CHECK_NEAR(rig.target[5][20][s].z, (20 + sx[s]) / 100, 1e-6);
		CHECK_NEAR(rig.target[5][20][s].color[0], 20.5, 1e-4);
	}
	/* of pixel 10 only sample 1 is covered, and there varyings are taken */
	CHECK_EQ(rig.target[5][10][0].writes + rig.target[5][10][2].writes +
			 rig.target[5][10][3].writes,
		 0);
	CHECK_NEAR(rig.target[5][10][1].color[0], 10 + 14 / 16.0, 1e-4);
	CHECK_NEAR(rig.target[5][10][1].color[1], 5 + 6 / 16.0, 1e-4);
}

TEST(multisampled_lines_are_rectangles)
{
	rig_open();
	multisample(4);
	rig_set_f(VIVS_PA_LINE_WIDTH, 2.0f);
	rig_pixel_vertex(0, 10, 20, 0.5f, 1, 0, 0, 0);
	rig_pixel_vertex(1, 50, 20, 0.5f, 1, 1, 0, 0);
	rig_draw(PRIMITIVE_TYPE_LINES, 0, 2);
	for (unsigned int s = 0; s < 4; s++)
		CHECK_EQ(rig_writes(s), 40 * 4);
	CHECK_NEAR(rig.target[20][30][0].color[0], 20.5 / 40, 1e-5);
}

int main(void)
{
	return test_all();
}
