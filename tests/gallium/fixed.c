// SPDX-License-Identifier: MIT
/*
 * The part of the scene drawn with fixed functions: lights, materials, generated texture
 * coordinates, texture combiners, clip planes.
 */
#include "room.h"

const GLfloat light_position[4] = { 2.5f, 5.0f, 2.0f, 1.0f };

/*
 * Positions and directions are in the coordinates of the current model-view matrix, the camera's.
 */
void set_lights(void)
{
	static const GLfloat ambient[4] = { 0.15f, 0.15f, 0.2f, 1 };
	static const GLfloat warm[4] = { 0.9f, 0.8f, 0.6f, 1 }, white[4] = { 1, 1, 1, 1 };
	static const GLfloat lamp_position[4] = { -3, 3, 4, 1 }, lamp_direction[3] = { 1, -1, -1 };
	static const GLfloat cold[4] = { 0.2f, 0.3f, 0.8f, 1 };
	static const GLfloat fog[4] = { 0.3f, 0.35f, 0.4f, 1 };

	glLightModelfv(GL_LIGHT_MODEL_AMBIENT, ambient);
	glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
	glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, GL_TRUE);
	glLightfv(GL_LIGHT0, GL_POSITION, light_position);
	glLightfv(GL_LIGHT0, GL_DIFFUSE, warm);
	glLightfv(GL_LIGHT0, GL_SPECULAR, white);
	glLightf(GL_LIGHT0, GL_LINEAR_ATTENUATION, 0.06f);
	glLightfv(GL_LIGHT1, GL_POSITION, lamp_position);
	glLightfv(GL_LIGHT1, GL_SPOT_DIRECTION, lamp_direction);
	glLightfv(GL_LIGHT1, GL_DIFFUSE, cold);
	glLightf(GL_LIGHT1, GL_SPOT_CUTOFF, 60);
	glLightf(GL_LIGHT1, GL_SPOT_EXPONENT, 2);
	glEnable(GL_LIGHT0);
	glEnable(GL_LIGHT1);
	glFogi(GL_FOG_MODE, GL_EXP2);
	glFogf(GL_FOG_DENSITY, 0.06f);
	glFogfv(GL_FOG_COLOR, fog);
}

static void set_material(float red, float green, float blue, float shininess)
{
	const GLfloat color[4] = { red, green, blue, 1 }, white[4] = { 1, 1, 1, 1 };

	glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, color);
	glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, white);
	glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, shininess);
}

/* A ball of which a clip plane takes a part, so that its inside shows, of another colour. */
static void draw_open_ball(void)
{
	static const GLdouble plane[4] = { -1, -0.7, -1, 0.9 };
	static const GLfloat inside[4] = { 0.8f, 0.2f, 0.1f, 1 };

	glPushMatrix();
	glTranslatef(-1.9f, 1, 0.3f);
	glClipPlane(GL_CLIP_PLANE0, plane);
	glEnable(GL_CLIP_PLANE0);
	glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, GL_TRUE);
	set_material(0.3f, 0.7f, 0.4f, 30);
	glMaterialfv(GL_BACK, GL_AMBIENT_AND_DIFFUSE, inside);
	glBindTexture(GL_TEXTURE_2D, textures.bricks);
	glEnable(GL_TEXTURE_2D);
	draw_ball();
	glDisable(GL_TEXTURE_2D);
	glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, GL_FALSE);
	glDisable(GL_CLIP_PLANE0);
	glPopMatrix();
}

/*
 * Set the combiner: interpolate the first unit's result and a colour by the second texture. Leaves
 * the second unit active, with a texture matrix of its own; the caller resets both.
 */
static void combine_glow(void)
{
	static const GLfloat color[4] = { 1.0f, 0.9f, 0.3f, 1 };

	glActiveTexture(GL_TEXTURE1);
	glBindTexture(GL_TEXTURE_2D, textures.glow);
	glEnable(GL_TEXTURE_2D);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
	glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_INTERPOLATE);
	glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_CONSTANT);
	glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE1_RGB, GL_PREVIOUS);
	glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE2_RGB, GL_TEXTURE);
	glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND2_RGB, GL_SRC_COLOR);
	glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
	glMatrixMode(GL_TEXTURE);
	glRotatef(20, 0, 0, 1);
	glScalef(1.2f, 0.9f, 1);
	glMatrixMode(GL_MODELVIEW);
}

static void draw_combined_box(void)
{
	glPushMatrix();
	glTranslatef(0.2f, 0.75f, -1.2f);
	glRotatef(35, 0, 1, 0);
	glScalef(1.5f, 1.5f, 1.5f);
	glEnable(GL_NORMALIZE);
	set_material(0.9f, 0.9f, 0.9f, 10);
	glBindTexture(GL_TEXTURE_2D, textures.bricks);
	glEnable(GL_TEXTURE_2D);
	combine_glow();
	draw_box();
	glMatrixMode(GL_TEXTURE);
	glLoadIdentity();
	glMatrixMode(GL_MODELVIEW);
	glDisable(GL_TEXTURE_2D);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
	glActiveTexture(GL_TEXTURE0);
	glDisable(GL_TEXTURE_2D);
	glDisable(GL_NORMALIZE);
	glPopMatrix();
}

/* The cube map in the directions that the ball reflects. */
static void draw_mirror(void)
{
	static const GLenum places[3] = { GL_S, GL_T, GL_R };

	glPushMatrix();
	glTranslatef(2.3f, 1.7f, -1.5f);
	glBindTexture(GL_TEXTURE_CUBE_MAP, textures.sky);
	glEnable(GL_TEXTURE_CUBE_MAP);
	for (int i = 0; i < 3; i++) {
		glTexGeni(places[i], GL_TEXTURE_GEN_MODE, GL_REFLECTION_MAP);
		glEnable(GL_TEXTURE_GEN_S + i);
	}
	set_material(0.9f, 0.9f, 0.9f, 80);
	draw_ball();
	for (int i = 0; i < 3; i++)
		glDisable(GL_TEXTURE_GEN_S + i);
	glDisable(GL_TEXTURE_CUBE_MAP);
	glPopMatrix();
}

void draw_fixed(void)
{
	glEnable(GL_LIGHTING);
	glEnable(GL_FOG);
	draw_open_ball();
	draw_combined_box();
	draw_mirror();
	glDisable(GL_FOG);
	glDisable(GL_LIGHTING);
}
