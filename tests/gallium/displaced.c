// SPDX-License-Identifier: MIT
/*
 * displaced FOLDER: draws stippled lines and polygon outlines whose vertex shader samples
 * textures: of one, two and three dimensions, arrays and cube maps, with filters, mipmaps, borders
 * and shadow comparisons. Its pictures of two drivers are compared.
 */
#include "harness.h"
#include "canvas.h"

#include <math.h>
#include <stdio.h>

#define SIZE 16
#define STEPS 48
/* Number of the first lookup in an array */
#define ARRAYS 9

static const struct {
	const char *lookup;
	GLenum target;
	GLenum filter, wrap;
} lookups[] = {
	{ "texture2DLod(image2, place.xy, 0.0)", GL_TEXTURE_2D, GL_NEAREST, GL_REPEAT },
	{ "texture2DLod(image2, 2.0 * place.xy, 0.0)", GL_TEXTURE_2D, GL_LINEAR, GL_REPEAT },
	{ "texture2DLod(image2, place.xy, 3.0 * place.x)", GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR,
	  GL_CLAMP_TO_EDGE },
	{ "texture2DLod(image2, place.xy, 3.0 * place.x)", GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST,
	  GL_MIRRORED_REPEAT },
	{ "texture2DLod(image2, 1.6 * place.xy - 0.3, 0.0)", GL_TEXTURE_2D, GL_LINEAR,
	  GL_CLAMP_TO_BORDER },
	{ "texture1DLod(image1, place.x, 0.0)", GL_TEXTURE_1D, GL_LINEAR, GL_REPEAT },
	{ "texture3DLod(image3, place, 0.0)", GL_TEXTURE_3D, GL_LINEAR, GL_REPEAT },
	{ "textureCubeLod(cube, place - 0.453, 0.0)", GL_TEXTURE_CUBE_MAP, GL_NEAREST,
	  GL_CLAMP_TO_EDGE },
	{ "shadow2DLod(depth, place, 0.0)", GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE },
	{ "texture1DArrayLod(array1, vec2(place.x, 20.0 * place.x), 0.0)", GL_TEXTURE_1D_ARRAY,
	  GL_LINEAR, GL_REPEAT },
	{ "texture2DArrayLod(array2, vec3(place.xy, 20.0 * place.x - 2.0), 0.0)",
	  GL_TEXTURE_2D_ARRAY, GL_LINEAR, GL_REPEAT },
};

/*
 * Texels are multiples of 51: those that are not filtered displace by multiples of 6 pixels
 * (30 * 51 / 255), so that no rasterisation decision is a tie.
 */
static void make_texels(GLubyte *texels, int count, int seed)
{
	for (int i = 0; i < count; i++) {
		for (int c = 0; c < 4; c++)
			texels[4 * i + c] =
				(GLubyte)(51 * lrint(2.5 + 2 * sin(0.7 * i + 0.11 * (i / SIZE) + c +
								   seed)));
	}
}

/* Fill the bound texture, or its face @image; each level begins at other texels. */
static void fill(GLenum target, GLenum image, int seed)
{
	static GLubyte texels[SIZE * SIZE * SIZE * 4];

	make_texels(texels, SIZE * SIZE * SIZE, seed);
	if (target == GL_TEXTURE_1D)
		glTexImage1D(image, 0, GL_RGBA8, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
	else if (target == GL_TEXTURE_1D_ARRAY)
		glTexImage2D(image, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
	else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY)
		glTexImage3D(image, 0, GL_RGBA8, SIZE, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     texels);
	else
		for (int level = 0; SIZE >> level; level++)
			glTexImage2D(image, level, GL_RGBA8, SIZE >> level, SIZE >> level, 0,
				     GL_RGBA, GL_UNSIGNED_BYTE, texels + 64 * level);
}

static void fill_depth(void)
{
	static GLfloat texels[SIZE * SIZE];

	for (int i = 0; i < SIZE * SIZE; i++)
		texels[i] = 0.5f + 0.4f * sinf(0.9f * (float)(i % SIZE));
	glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SIZE, SIZE, 0, GL_DEPTH_COMPONENT,
		     GL_FLOAT, texels);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

static GLuint make_texture(unsigned which)
{
	static const GLfloat border[4] = { 0.9f, 0.1f, 0.6f, 1 };
	const GLenum target = lookups[which].target;
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(target, texture);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, (GLint)lookups[which].filter);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER,
			lookups[which].filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
	glTexParameteri(target, GL_TEXTURE_WRAP_S, (GLint)lookups[which].wrap);
	glTexParameteri(target, GL_TEXTURE_WRAP_T, (GLint)lookups[which].wrap);
	glTexParameteri(target, GL_TEXTURE_WRAP_R, (GLint)lookups[which].wrap);
	glTexParameterfv(target, GL_TEXTURE_BORDER_COLOR, border);
	/* shadow2DLod() */
	if (lookups[which].lookup[0] == 's')
		fill_depth();
	else if (target == GL_TEXTURE_CUBE_MAP)
		for (unsigned face = 0; face < 6; face++)
			fill(target, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, (int)face);
	else
		fill(target, target, (int)which);
	return texture;
}

/* Only the sampler in the lookup is active; the shader's compiler drops the others. */
static GLuint make_program(unsigned which)
{
	static const char *const plain = "#version 120\nvoid main() { gl_FragColor = gl_Color; }\n";
	static const char *const samplers[] = { "image1", "image2", "image3", "cube",
						"depth",  "array1", "array2" };
	static char source[1024];
	GLuint program;

	snprintf(
		source, sizeof(source),
		"#version 120\n"
		"#extension GL_EXT_texture_array : require\n"
		"uniform sampler1D image1;\n"
		"uniform sampler2D image2;\n"
		"uniform sampler3D image3;\n"
		"uniform samplerCube cube;\n"
		"uniform sampler2DShadow depth;\n"
		"uniform sampler1DArray array1;\n"
		"uniform sampler2DArray array2;\n"
		"void main()\n"
		"{\n"
		"	vec3 place = gl_MultiTexCoord0.xyz;\n"
		"	vec4 found = %s;\n"
		"	gl_Position = gl_ModelViewProjectionMatrix * (gl_Vertex + vec4(0, 30, 0, 0) * found.x);\n"
		"	gl_FrontColor = vec4(found.yz, 1.0 - found.w, 1);\n"
		"}\n",
		lookups[which].lookup);
	program = use_shaders(source, plain);
	for (unsigned i = 0; i < COUNT(samplers); i++)
		glUniform1i(glGetUniformLocation(program, samplers[i]), 0);
	return program;
}

static void vertices(GLenum mode, float x)
{
	glBegin(mode);
	for (int i = 0; i <= STEPS; i++) {
		float at = ((float)i + 0.37f) / (STEPS + 1);

		for (int y = 0; y < (mode == GL_QUAD_STRIP ? 2 : 1); y++) {
			glTexCoord3f(at, 0.117f + 0.31f * (float)y, 0.71f * at + 0.1f);
			glVertex2f(x + 5.5f * (float)i, 0.37f + 12 * (float)y);
		}
	}
	glEnd();
}

/* A row for each lookup from @first to before @end: a dashed strip, and the outlines of quads. */
static void draw_rows(unsigned first, unsigned end)
{
	use_pixel_coordinates();
	glLineStipple(1, 0x7f3f);
	for (unsigned which = first; which < end; which++) {
		GLuint texture = make_texture(which), program = make_program(which);

		glLoadIdentity();
		glTranslatef(0, 4 + 47 * (float)(which - first), 0);
		glEnable(GL_LINE_STIPPLE);
		vertices(GL_LINE_STRIP, 20.5f);
		glDisable(GL_LINE_STIPPLE);
		glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
		vertices(GL_QUAD_STRIP, 340.5f);
		glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
		glUseProgram(0);
		glDeleteProgram(program);
		glDeleteTextures(1, &texture);
	}
}

static void displaced(void)
{
	draw_rows(0, ARRAYS);
}

static void displaced_by_arrays(void)
{
	draw_rows(ARRAYS, COUNT(lookups));
}

int main(int argc, char **argv)
{
	static const struct drawing pictures[] = { { "displaced", displaced },
						   { "displaced-arrays", displaced_by_arrays } };
	const char *folder = begin_pictures(argc, argv);

	make_target(WIDTH, HEIGHT);
	glClearColor(0, 0, 0.1f, 1);
	write_pictures(folder, pictures, COUNT(pictures));
	return 0;
}
