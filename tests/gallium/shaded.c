// SPDX-License-Identifier: MIT
/* The part of the scene drawn with GLSL 1.20 shaders, which read fixed-function state. */
#include "harness.h"
#include "room.h"

static GLuint floor_program, torus_program;

static const char floor_vertex[] = "#version 120\n"
				   "varying vec4 in_light;\n"
				   "void main() {\n"
				   "  gl_Position = ftransform();\n"
				   "  gl_TexCoord[0] = gl_MultiTexCoord0;\n"
				   "  gl_FrontColor = gl_Color;\n"
				   "  in_light = gl_TextureMatrix[1] * gl_Vertex;\n"
				   "}\n";

static const char floor_fragment[] =
	"#version 120\n"
	"uniform sampler2D tiles;\n"
	"uniform sampler2DShadow shadow;\n"
	"varying vec4 in_light;\n"
	"void main() {\n"
	"  float lit = 0.4 + 0.6 * shadow2DProj(shadow, in_light).r;\n"
	"  gl_FragColor = gl_Color * texture2D(tiles, gl_TexCoord[0].st) * vec4(vec3(lit), 1.0);\n"
	"}\n";

static const char torus_vertex[] = "#version 120\n"
				   "varying vec3 normal, eye, place;\n"
				   "void main() {\n"
				   "  normal = gl_NormalMatrix * gl_Normal;\n"
				   "  eye = vec3(gl_ModelViewMatrix * gl_Vertex);\n"
				   "  place = 0.9 * gl_Vertex.xyz;\n"
				   "  gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
				   "}\n";

static const char torus_fragment[] =
	"#version 120\n"
	"uniform sampler3D marble;\n"
	"varying vec3 normal, eye, place;\n"
	"const vec3 veins[2] = vec3[](vec3(0.2, 0.15, 0.3), vec3(0.95, 0.9, 0.8));\n"
	"void main() {\n"
	"  vec3 n = normalize(normal), l = normalize(gl_LightSource[0].position.xyz - eye);\n"
	"  float diffuse = max(dot(n, l), 0.0);\n"
	"  float shine = pow(max(dot(reflect(-l, n), normalize(-eye)), 0.0), 24.0);\n"
	"  vec3 stone = mix(veins[0], veins[1], texture3D(marble, place).r);\n"
	"  vec3 light = gl_LightModel.ambient.rgb + diffuse * gl_LightSource[0].diffuse.rgb;\n"
	"  gl_FragColor = vec4(stone * light + 0.5 * shine, 1.0);\n"
	"}\n";

void make_programs(void)
{
	floor_program = use_program(floor_vertex, floor_fragment);
	glUniform1i(glGetUniformLocation(floor_program, "tiles"), 0);
	glUniform1i(glGetUniformLocation(floor_program, "shadow"), 1);
	torus_program = use_program(torus_vertex, torus_fragment);
	glUniform1i(glGetUniformLocation(torus_program, "marble"), 0);
	glUseProgram(0);
}

static void place_torus(void)
{
	glTranslatef(1.4f, 0.7f, 1.0f);
	glRotatef(40, 1, 0, 0.5f);
}

/*
 * Draw the objects that cast shadows, depth only, with an offset from the light: the torus, and the
 * box where draw_fixed() has it. The depth test has to be enabled.
 */
void draw_shadow_map(GLuint framebuffer)
{
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, textures.shadow,
			       0);
	glDrawBuffer(GL_NONE);
	glReadBuffer(GL_NONE);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("no framebuffer of depth alone");
	glViewport(0, 0, SHADOW_SIDE, SHADOW_SIDE);
	glClear(GL_DEPTH_BUFFER_BIT);
	glPolygonOffset(2, 4);
	glEnable(GL_POLYGON_OFFSET_FILL);
	look_from_light();
	place_torus();
	draw_torus();
	look_from_light();
	glTranslatef(0.2f, 0.75f, -1.2f);
	glRotatef(35, 0, 1, 0);
	glScalef(1.5f, 1.5f, 1.5f);
	draw_box();
	glDisable(GL_POLYGON_OFFSET_FILL);
}

/*
 * The light's view as texture places from 0 to 1 in the second texture matrix. Leaves the camera's
 * view, and the second unit active.
 */
static void set_light_matrix(void)
{
	GLfloat projection[16], modelview[16];

	look_from_light();
	glGetFloatv(GL_PROJECTION_MATRIX, projection);
	glGetFloatv(GL_MODELVIEW_MATRIX, modelview);
	look_from_camera();
	glActiveTexture(GL_TEXTURE1);
	glMatrixMode(GL_TEXTURE);
	glLoadIdentity();
	glTranslatef(0.5f, 0.5f, 0.5f);
	glScalef(0.5f, 0.5f, 0.5f);
	glMultMatrixf(projection);
	glMultMatrixf(modelview);
	glMatrixMode(GL_MODELVIEW);
}

static void draw_floor(void)
{
	set_light_matrix();
	glBindTexture(GL_TEXTURE_2D, textures.shadow);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, textures.tiles);
	glUseProgram(floor_program);
	glBegin(GL_QUADS);
	for (int corner = 0; corner < 4; corner++) {
		float x = corner == 1 || corner == 2, z = corner >= 2;

		glColor3f(0.7f + 0.3f * x, 0.9f, 1.0f - 0.3f * z);
		glTexCoord2f(6 * x, 6 * z);
		glVertex3f(8 * x - 4, 0, 4 - 8 * z);
	}
	glEnd();
	glActiveTexture(GL_TEXTURE1);
	glMatrixMode(GL_TEXTURE);
	glLoadIdentity();
	glMatrixMode(GL_MODELVIEW);
	glActiveTexture(GL_TEXTURE0);
}

void draw_shaded(void)
{
	draw_floor();
	glBindTexture(GL_TEXTURE_3D, textures.marble);
	glUseProgram(torus_program);
	glPushMatrix();
	place_torus();
	draw_torus();
	glPopMatrix();
	glUseProgram(0);
}
