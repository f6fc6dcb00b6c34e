// SPDX-License-Identifier: MIT
/*
 * piglit-picture.so: preloaded into an unmodified piglit test, writes what the
 * test presents to the file in PIGLIT_PICTURE. Piglit's own -png option is not
 * in the packaged build.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GLES2/gl2.h>

#include "png_file.h"

/* Symbols of piglit's library */
extern int piglit_width, piglit_height;
extern void (*piglit_dispatch_glReadPixels)(GLint x, GLint y, GLsizei width, GLsizei height,
					    GLenum format, GLenum type, void *pixels);
extern void (*piglit_dispatch_glPixelStorei)(GLenum name, GLint value);

/* Rows from the bottom, with alpha, to rows from the top without. */
static void copy_rows(const uint8_t *rgba, struct picture *picture)
{
	for (unsigned int y = 0; y < picture->height; y++)
		for (unsigned int x = 0; x < picture->width; x++)
			memcpy(picture->rgb + 3 * ((size_t)y * picture->width + x),
			       rgba + 4 * ((size_t)(picture->height - 1 - y) * picture->width + x),
			       3);
}

/** piglit_present_results - keep the picture; there is no window to show it in. */
void piglit_present_results(void)
{
	const char *path = getenv("PIGLIT_PICTURE");
	struct picture picture;
	uint8_t *rgba = malloc((size_t)piglit_width * piglit_height * 4);

	if (!path || !rgba || !picture_create(&picture, piglit_width, piglit_height))
		abort();
	piglit_dispatch_glPixelStorei(GL_PACK_ALIGNMENT, 4);
	piglit_dispatch_glReadPixels(0, 0, piglit_width, piglit_height, GL_RGBA, GL_UNSIGNED_BYTE,
				     rgba);
	copy_rows(rgba, &picture);
	if (!picture_write(&picture, path))
		abort();
	picture_free(&picture);
	free(rgba);
}
