// SPDX-License-Identifier: MIT
#include "canvas.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "png_file.h"

void write_picture(const char *folder, const char *name)
{
	static uint8_t pixels[WIDTH * HEIGHT * 4];
	struct picture picture;
	char path[4096];

	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	if (glGetError() != GL_NO_ERROR || !picture_create(&picture, WIDTH, HEIGHT))
		give_up("%s: not drawn", name);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			memcpy(picture.rgb + 3 * (y * WIDTH + x),
			       pixels + 4 * ((HEIGHT - 1 - y) * WIDTH + x), 3);
	snprintf(path, sizeof(path), "%s/%s.png", folder, name);
	if (!picture_write(&picture, path))
		give_up("%s: not written", path);
	picture_free(&picture);
}
