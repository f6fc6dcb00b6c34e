// SPDX-License-Identifier: MIT
/*
 * images: tests of EGL images of textures: levels of a 2D texture, which are sampled; faces of a
 * cube and layers of a 3D texture, which are read as renderbuffers; and of the export of an image
 * as a dma-buf, which is imported again and sampled.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE 32
#define FACES 6
#define LAYERS 4

static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_texture;
static PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC image_renderbuffer;

/** The color of a level, face or layer; valid until the next call */
static const uint8_t *color_of(int index)
{
	static uint8_t color[4];

	color[0] = (uint8_t)(40 * index + 10);
	color[1] = (uint8_t)(255 - 30 * index);
	color[2] = index % 2 ? 200 : 20;
	color[3] = 255;
	return color;
}

/*
 * At most LAYERS pictures of the same size, of the colors from @first on; valid until the next call
 */
static const uint8_t *pixels_of(int side, int layers, int first)
{
	static uint8_t pixels[SIDE * SIDE * LAYERS][4];

	for (int i = 0; i < side * side * layers; i++)
		memcpy(pixels[i], color_of(first + i / (side * side)), 4);
	return pixels[0];
}

static GLuint begin_texture(GLenum target)
{
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(target, texture);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	return texture;
}

/*
 * An image of a texture's level, and of a layer of it if @zoffset is the attribute for layers;
 * EGL_NONE in its place ends the attributes.
 */
static EGLImageKHR image_of(EGLenum target, GLuint texture, EGLint level, EGLint zoffset,
			    EGLint layer)
{
	const EGLint attributes[] = { EGL_GL_TEXTURE_LEVEL_KHR, level, zoffset, layer, EGL_NONE };

	return create_image(get_display(), eglGetCurrentContext(), target,
			    (EGLClientBuffer)(uintptr_t)texture, attributes);
}

static int wrong_pixels(int index)
{
	static uint8_t pixels[SIDE * SIDE][4];
	int wrong = 0;

	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < SIDE * SIDE; i++)
		wrong += memcmp(pixels[i], color_of(index), 4) != 0;
	return wrong;
}

/* Draw the image over the target, compare all pixels and destroy the image. */
static void check_sampled(const char *tag, EGLImageKHR image, int index)
{
	GLuint texture = begin_texture(GL_TEXTURE_2D);
	int wrong;

	image_texture(GL_TEXTURE_2D, image);
	glClear(GL_COLOR_BUFFER_BIT);
	draw_square(0, 1);
	wrong = wrong_pixels(index);
	check(tag, !wrong, "image %d: %d pixels are wrong", index, wrong);
	glDeleteTextures(1, &texture);
	destroy_image(get_display(), image);
}

/*
 * Read an image as renderbuffer, compare all pixels and destroy it: Mesa samples no images of faces
 * and layers as 2D textures.
 */
static void check_read(const char *tag, EGLImageKHR image, int index)
{
	GLuint framebuffer, renderbuffer;
	GLint before;
	int wrong;

	glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
	glGenRenderbuffers(1, &renderbuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
	image_renderbuffer(GL_RENDERBUFFER, image);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
				  renderbuffer);
	wrong = wrong_pixels(index);
	check(tag, !wrong, "image %d: %d pixels are wrong", index, wrong);
	glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
	glDeleteFramebuffers(1, &framebuffer);
	glDeleteRenderbuffers(1, &renderbuffer);
	destroy_image(get_display(), image);
}

static void check_levels(void)
{
	GLuint texture = begin_texture(GL_TEXTURE_2D);

	for (int level = 0; SIDE >> level; level++)
		glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, SIDE >> level, SIDE >> level, 0,
			     GL_RGBA, GL_UNSIGNED_BYTE, pixels_of(SIDE >> level, 1, level));
	for (int level = 0; level < 3; level++)
		check_sampled("im.level",
			      image_of(EGL_GL_TEXTURE_2D_KHR, texture, level, EGL_NONE, 0), level);
	glDeleteTextures(1, &texture);
}

static void check_faces(void)
{
	GLuint texture = begin_texture(GL_TEXTURE_CUBE_MAP);

	for (int face = 0; face < FACES; face++)
		glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, SIDE, SIDE, 0,
			     GL_RGBA, GL_UNSIGNED_BYTE, pixels_of(SIDE, 1, face));
	for (int face = 0; face < FACES; face++)
		check_read("im.face",
			   image_of(EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X_KHR + face, texture, 0,
				    EGL_NONE, 0),
			   face);
	glDeleteTextures(1, &texture);
}

static void check_layers(void)
{
	PFNGLTEXIMAGE3DOESPROC texture_image = get_function("glTexImage3DOES");
	GLuint texture = begin_texture(GL_TEXTURE_3D_OES);

	texture_image(GL_TEXTURE_3D_OES, 0, GL_RGBA, SIDE, SIDE, LAYERS, 0, GL_RGBA,
		      GL_UNSIGNED_BYTE, pixels_of(SIDE, LAYERS, 0));
	for (int layer = 0; layer < LAYERS; layer++)
		check_read("im.layer",
			   image_of(EGL_GL_TEXTURE_3D_KHR, texture, 0, EGL_GL_TEXTURE_ZOFFSET_KHR,
				    layer),
			   layer);
	glDeleteTextures(1, &texture);
}

/* What is exported is the same picture for who imports it. */
static void check_export(void)
{
	PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query = get_function("eglExportDMABUFImageQueryMESA");
	PFNEGLEXPORTDMABUFIMAGEMESAPROC export = get_function("eglExportDMABUFImageMESA");
	GLuint texture = begin_texture(GL_TEXTURE_2D);
	EGLint fourcc = 0, stride = 0, offset = 0;
	EGLuint64KHR modifier = 0;
	EGLImageKHR image;
	int planes = 0, fd = -1;
	bool good;

	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
		     pixels_of(SIDE, 1, 5));
	image = image_of(EGL_GL_TEXTURE_2D_KHR, texture, 0, EGL_NONE, 0);
	good = query(get_display(), image, &fourcc, &planes, &modifier) && planes == 1 &&
	       export(get_display(), image, &fd, &stride, &offset);
	if (check("im.export", good, "%d planes, file %d", planes, fd)) {
		const EGLint attributes[] = { EGL_WIDTH,
					      SIDE,
					      EGL_HEIGHT,
					      SIDE,
					      EGL_LINUX_DRM_FOURCC_EXT,
					      fourcc,
					      EGL_DMA_BUF_PLANE0_FD_EXT,
					      fd,
					      EGL_DMA_BUF_PLANE0_OFFSET_EXT,
					      offset,
					      EGL_DMA_BUF_PLANE0_PITCH_EXT,
					      stride,
					      EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
					      (EGLint)modifier,
					      EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
					      (EGLint)(modifier >> 32),
					      EGL_NONE };

		check_sampled("im.export",
			      create_image(get_display(), EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT,
					   NULL, attributes),
			      5);
		close(fd);
	}
	destroy_image(get_display(), image);
	glDeleteTextures(1, &texture);
}

int main(void)
{
	use_context(make_context(API_ES2, EGL_NO_CONTEXT));
	create_image = get_function("eglCreateImageKHR");
	destroy_image = get_function("eglDestroyImageKHR");
	image_texture = get_function("glEGLImageTargetTexture2DOES");
	image_renderbuffer = get_function("glEGLImageTargetRenderbufferStorageOES");
	make_target(SIDE, SIDE);
	use_copy_program("precision mediump float;\n"
			 "uniform sampler2D image;\n"
			 "varying vec2 at;\n"
			 "void main()\n"
			 "{\n"
			 "	gl_FragColor = texture2D(image, at);\n"
			 "}\n");
	check_levels();
	check_faces();
	check_layers();
	check_export();
	check_error("im.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
