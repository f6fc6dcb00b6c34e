// SPDX-License-Identifier: MIT
/*
 * formats: textures that all cores sample which this driver drives: sRGB, ten bits
 * a channel, and arrays. OpenGL 2.1 requires sRGB textures.
 */
#include "harness.h"
#include "canvas.h"

#include <stdlib.h>
#include <string.h>

#define SIDE 16

static bool pixel_near(int red, int green, int blue)
{
	uint8_t pixel[4];

	glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	return abs(pixel[0] - red) <= 2 && abs(pixel[1] - green) <= 2 && abs(pixel[2] - blue) <= 2;
}

static void new_texture(GLenum target, GLuint *texture)
{
	glGenTextures(1, texture);
	glBindTexture(target, *texture);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

/* Draw a texel of red 128, green 64, blue 255 and check the three values. */
static void sampled(const char *tag, GLenum format, int red, int green, int blue)
{
	static const uint8_t texel[4] = { 128, 64, 255, 255 };
	GLuint texture;

	new_texture(GL_TEXTURE_2D, &texture);
	glTexImage2D(GL_TEXTURE_2D, 0, format, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
	glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
	glEnable(GL_TEXTURE_2D);
	glClear(GL_COLOR_BUFFER_BIT);
	glRectf(-1, -1, 1, 1);
	check(tag, pixel_near(red, green, blue), "a texel is sampled");
	glDisable(GL_TEXTURE_2D);
	glDeleteTextures(1, &texture);
}

static const char layer_shader[] =
	"#extension GL_EXT_texture_array : require\n"
	"uniform sampler2DArray image;\n"
	"uniform float layer;\n"
	"void main()\n"
	"{\n"
	"	gl_FragColor = texture2DArray(image, vec3(0.5, 0.5, layer));\n"
	"}\n";

/* Each layer of an array has its own color. */
static void sampled_layers(void)
{
	static const uint8_t layers[3][4] = { { 255, 0, 0, 255 },
					      { 0, 255, 0, 255 },
					      { 0, 0, 255, 255 } };
	bool good = true;
	GLuint texture, program;

	if (!check("fo.array", has_extension("GL_EXT_texture_array"), "arrays are offered"))
		return;
	program = use_shaders(NULL, layer_shader);
	new_texture(GL_TEXTURE_2D_ARRAY, &texture);
	glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, 1, 1, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     layers);
	for (int i = 0; i < 3; i++) {
		glUniform1f(glGetUniformLocation(program, "layer"), i);
		glRectf(-1, -1, 1, 1);
		good &= pixel_near(layers[i][0], layers[i][1], layers[i][2]);
	}
	check("fo.array", good, "each layer is sampled");
	glUseProgram(0);
	glDeleteProgram(program);
	glDeleteTextures(1, &texture);
}

int main(void)
{
	begin_opengl();
	make_target(SIDE, SIDE);
	check("fo.version", !strncmp((const char *)glGetString(GL_VERSION), "2.1", 3),
	      "OpenGL 2.1 is offered");
	/* Linear: 55 and 13 are sRGB's 128 and 64. */
	sampled("fo.srgb", GL_SRGB8_ALPHA8, 55, 13, 255);
	sampled("fo.ten-bits", GL_RGB10_A2, 128, 64, 255);
	sampled_layers();
	check_error("fo.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
