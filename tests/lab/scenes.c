// SPDX-License-Identifier: MIT
/* Scenes that change every 60 frames, each with a program and a number of layers of its own. */

#include "work.h"

#include <stddef.h>

#include "calibrate.h"

#define SCENE_FRAMES 60
#define SCENES 4

static const char *const fragments[SCENES] = {
	"gl_FragData[0] = color;",
	"gl_FragData[0] = texture2D(image, place);",
	"vec2 p = place; for (int i = 0; i < 6; i++) p = abs(p.yx * 1.7 - 0.6);"
	"gl_FragData[0] = vec4(p, 0.0, 1.0);",
	"gl_FragData[0] = texture2D(image, place * 3.0) * color + vec4(sin(place.x * 40.0));",
};
static const int layers[SCENES] = { 12, 3, 2, 5 };

static void draw_scene(int scene, int frame)
{
	float size = 0.6f + 0.3f * (float)(frame % SCENE_FRAMES) / SCENE_FRAMES;

	glClear(GL_COLOR_BUFFER_BIT);
	for (int layer = 0; layer < layers[scene]; layer++)
		draw_rectangle(size - 0.02f * (float)layer, size);
}

void work_scenes(int count)
{
	GLuint programs[SCENES], texture;

	make_window();
	for (int i = 0; i < SCENES; i++) {
		programs[i] = use_program(fragments[i]);
		glUniform4f(glGetUniformLocation(programs[i], "color"), 0.2f, 0.5f, 0.9f, 1.0f);
	}
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 256, 256, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenerateMipmap(GL_TEXTURE_2D);
	for (int i = 0; i < count; i++) {
		int scene = i / SCENE_FRAMES % SCENES;

		glUseProgram(programs[scene]);
		draw_scene(scene, i);
		present_window();
		work_sleep(FRAME_US);
	}
}
