// SPDX-License-Identifier: MIT
/*
 * layouts: tests of GBM buffers for scanout that are made without modifiers. The driver tiles them,
 * and the kernel keeps the layout for those who name none: a framebuffer, and another who imports
 * the buffer. Memory that such a buffer leaves behind is linear again for the next one.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <gbm.h>
#include <vivgpu_drm.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

/* Whole supertiles, so that a linear buffer has the same size and may get the same memory. */
#define WIDTH 256
#define HEIGHT 192
#define FIELD 16 /* side of a square of one colour in pixels */
#define DEVICE "/dev/dri/card0"

static struct gbm_device *device;
static EGLDisplay display;
static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_texture;

static void open_display(void)
{
	device = gbm_create_device(open(DEVICE, O_RDWR | O_CLOEXEC));
	display = open_gbm_display(device);
	create_image = get_function("eglCreateImageKHR");
	destroy_image = get_function("eglDestroyImageKHR");
	image_texture = get_function("glEGLImageTargetTexture2DOES");
}

static struct gbm_bo *create(uint32_t usage)
{
	struct gbm_bo *bo = gbm_bo_create(device, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888, usage);

	if (!bo)
		give_up("no buffer");
	return bo;
}

/* The layout that the kernel keeps; DRM_FORMAT_MOD_INVALID if it does not tell. */
static uint64_t stored_modifier(struct gbm_bo *bo)
{
	struct drm_vivgpu_bo_modifier args = { .handle = gbm_bo_get_handle(bo).u32 };

	if (drmIoctl(gbm_device_get_fd(device), DRM_IOCTL_VIVGPU_BO_MODIFIER, &args))
		return DRM_FORMAT_MOD_INVALID;
	return args.modifier;
}

/* The layout of a framebuffer that is made of the buffer without a modifier. */
static uint64_t framebuffer_modifier(struct gbm_bo *bo)
{
	uint32_t handles[4] = { gbm_bo_get_handle(bo).u32 }, offsets[4] = { 0 }, id;
	uint32_t pitches[4] = { gbm_bo_get_stride(bo) };
	uint64_t modifier = DRM_FORMAT_MOD_INVALID;
	int fd = gbm_device_get_fd(device);
	drmModeFB2 *info;

	if (drmModeAddFB2(fd, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888, handles, pitches, offsets, &id,
			  0))
		return modifier;
	info = drmModeGetFB2(fd, id);
	if (info)
		modifier = info->modifier;
	drmModeFreeFB2(info);
	drmModeRmFB(fd, id);
	return modifier;
}

static uint32_t field_color(int x, int y)
{
	return (uint32_t)(x * 12) << 16 | (uint32_t)(y * 19) << 8 | 0x55;
}

/*
 * Bind a framebuffer object of the image, which must not be destroyed before the last draw or read.
 */
static void bind(EGLImageKHR image)
{
	GLuint texture, framebuffer;

	if (image == EGL_NO_IMAGE_KHR)
		give_up("no image: %#x", eglGetError());
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	image_texture(GL_TEXTURE_2D, image);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("the framebuffer is not complete");
}

static void clear(uint32_t color)
{
	glClearColor((color >> 16 & 0xff) / 255.0f, (color >> 8 & 0xff) / 255.0f,
		     (color & 0xff) / 255.0f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

/* A whole clear, which is done by tile status, and fields in the left half of the picture. */
static void draw(struct gbm_bo *bo)
{
	bind(create_image(display, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, bo, NULL));
	clear(field_color(0, 0));
	glEnable(GL_SCISSOR_TEST);
	for (int y = 0; y < HEIGHT / FIELD; y++) {
		for (int x = 0; x < WIDTH / FIELD / 2; x++) {
			glScissor(x * FIELD, y * FIELD, FIELD, FIELD);
			clear(field_color(x, y));
		}
	}
	glDisable(GL_SCISSOR_TEST);
	glFlush();
}

static int wrong_pixels(void)
{
	static uint8_t pixels[HEIGHT][WIDTH][4];
	int wrong = 0;

	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			bool field = x < WIDTH / 2;
			uint32_t color =
				field ? field_color(x / FIELD, y / FIELD) : field_color(0, 0);
			const uint8_t *p = pixels[y][x];

			wrong += (uint32_t)(p[0] << 16 | p[1] << 8 | p[2]) != color;
		}
	}
	return wrong;
}

/* Read what was drawn as one who got the buffer's file and no modifier. */
static int wrong_imported_pixels(struct gbm_bo *bo)
{
	int fd = gbm_bo_get_fd(bo);
	const EGLint attributes[] = { EGL_WIDTH,
				      WIDTH,
				      EGL_HEIGHT,
				      HEIGHT,
				      EGL_LINUX_DRM_FOURCC_EXT,
				      DRM_FORMAT_XRGB8888,
				      EGL_DMA_BUF_PLANE0_FD_EXT,
				      fd,
				      EGL_DMA_BUF_PLANE0_OFFSET_EXT,
				      0,
				      EGL_DMA_BUF_PLANE0_PITCH_EXT,
				      (EGLint)gbm_bo_get_stride(bo),
				      EGL_NONE };
	EGLImageKHR image =
		create_image(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
	int wrong;

	close(fd);
	bind(image);
	wrong = wrong_pixels();
	destroy_image(display, image);
	return wrong;
}

static void shared_without_modifier(uint32_t usage, uint64_t expected, const char *name)
{
	struct gbm_bo *bo = create(usage | GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING);
	uint64_t got = gbm_bo_get_modifier(bo), stored = stored_modifier(bo);
	uint64_t shown = framebuffer_modifier(bo);
	int wrong;
	char tag[32];

	snprintf(tag, sizeof(tag), "la.%s", name);
	check(tag, got == expected && stored == expected && shown == expected,
	      "the modifier is %#llx, the kernel's %#llx, the framebuffer's %#llx",
	      (unsigned long long)got, (unsigned long long)stored, (unsigned long long)shown);
	draw(bo);
	wrong = wrong_imported_pixels(bo);
	snprintf(tag, sizeof(tag), "la.%s-imported", name);
	check(tag, !wrong, "%d pixels are wrong for who imports the buffer", wrong);
	gbm_bo_destroy(bo);
}

int main(void)
{
	open_display();
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	shared_without_modifier(0, DRM_FORMAT_MOD_VIVANTE_SUPER_TILED, "tiled");
	/* The next buffer may get the memory of this one. */
	gbm_bo_destroy(create(GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING));
	shared_without_modifier(GBM_BO_USE_LINEAR, DRM_FORMAT_MOD_LINEAR, "linear");
	shared_without_modifier(0, DRM_FORMAT_MOD_VIVANTE_SUPER_TILED, "tiled-again");
	return end_checks();
}
