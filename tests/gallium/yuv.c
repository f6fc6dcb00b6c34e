// SPDX-License-Identifier: MIT
/*
 * yuv: tests of YUV dma-bufs of one to three planes, which video players hand to compositors. Each
 * is sampled as an external texture, with and without bytes between its rows, all pixels are compared
 * with BT.601's colours, and GBM has to tell where each plane is.
 */
#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <gbm.h>

/*
 * Neither half of the width nor half of the height is a multiple of the resolve engine's window, 16
 * x 4.
 */
#define WIDTH 72
#define HEIGHT 44
#define MAX_PLANES 3
/* Bytes: planes begin at multiples of it, and rows as well if there is room between them */
#define ALIGNMENT 64
/*
 * Bytes of a buffer: more than any of the formats needs, with rows of up to 128 groups of 4 bytes
 */
#define MAX_BYTES (MAX_PLANES * 4 * 128 * HEIGHT)
/* BT.601 in integers differs from the shader's numbers by at most this. */
#define TOLERANCE 4
#define DEVICE "/dev/dri/card0"

/** A plane: groups of bytes, and the pixels that each is for */
struct plane {
	const char *bytes;
	int across, down;
};

static const struct format {
	const char *name;
	uint32_t fourcc;
	struct plane planes[MAX_PLANES];
} formats[] = {
	{ "nv12", DRM_FORMAT_NV12, { { "Y", 1, 1 }, { "UV", 2, 2 } } },
	{ "nv21", DRM_FORMAT_NV21, { { "Y", 1, 1 }, { "VU", 2, 2 } } },
	{ "nv16", DRM_FORMAT_NV16, { { "Y", 1, 1 }, { "UV", 2, 1 } } },
	{ "yu12", DRM_FORMAT_YUV420, { { "Y", 1, 1 }, { "U", 2, 2 }, { "V", 2, 2 } } },
	{ "yv12", DRM_FORMAT_YVU420, { { "Y", 1, 1 }, { "V", 2, 2 }, { "U", 2, 2 } } },
	{ "yuyv", DRM_FORMAT_YUYV, { { "YUYV", 2, 1 } } },
	{ "uyvy", DRM_FORMAT_UYVY, { { "UYVY", 2, 1 } } },
	{ "ayuv", DRM_FORMAT_AYUV, { { "VUYA", 1, 1 } } },
};

/** Where a plane is in the buffer */
struct place {
	int offset, stride;
};

/** Red, green, blue and grey: one for each quarter of the picture */
static const struct color {
	int y, u, v;
} colors[] = { { 81, 90, 240 }, { 145, 54, 34 }, { 41, 240, 110 }, { 180, 128, 128 } };

static struct gbm_device *device;
static EGLDisplay display;

static int num_planes(const struct format *format)
{
	int count = 0;

	while (count < MAX_PLANES && format->planes[count].bytes)
		count++;
	return count;
}

static const struct color *color_at(int x, int y)
{
	return &colors[(x >= WIDTH / 2) + 2 * (y >= HEIGHT / 2)];
}

static uint8_t component(const struct color *color, char name)
{
	switch (name) {
	case 'Y':
		return color->y;
	case 'U':
		return color->u;
	case 'V':
		return color->v;
	default:
		return 255;
	}
}

/* Bytes from row to row; @tight: without any between them */
static int stride_of(const struct plane *plane, bool tight)
{
	int bytes = WIDTH / plane->across * (int)strlen(plane->bytes);

	return tight ? bytes : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void find_places(const struct format *format, bool tight, struct place places[MAX_PLANES])
{
	int end = 0;

	for (int i = 0; i < num_planes(format); i++) {
		const struct plane *plane = &format->planes[i];

		places[i].offset = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		places[i].stride = stride_of(plane, tight);
		end = places[i].offset + places[i].stride * HEIGHT / plane->down;
	}
}

static void fill_plane(const struct plane *plane, uint8_t *bytes, int stride)
{
	int count = (int)strlen(plane->bytes);

	for (int y = 0; y < HEIGHT; y += plane->down) {
		for (int x = 0; x < WIDTH; x += plane->across) {
			uint8_t *group =
				bytes + y / plane->down * stride + x / plane->across * count;

			for (int i = 0; i < count; i++)
				group[i] = component(color_at(x, y), plane->bytes[i]);
		}
	}
}

/*
 * A linear buffer with all planes: to GBM an RGB one with enough bytes, so that places are the
 * test's.
 */
static struct gbm_bo *make_buffer(const struct format *format, const struct place *places)
{
	const int rows = 64, width = MAX_BYTES / 4 / rows;
	struct gbm_bo *bo =
		gbm_bo_create(device, width, rows, GBM_FORMAT_ARGB8888, GBM_BO_USE_LINEAR);
	void *map = NULL;
	uint32_t stride;
	uint8_t *bytes;

	if (!bo)
		give_up("no buffer");
	bytes = gbm_bo_map(bo, 0, 0, width, rows, GBM_BO_TRANSFER_WRITE, &stride, &map);
	if (!bytes || stride != gbm_bo_get_stride(bo))
		give_up("the buffer is not mapped");
	for (int i = 0; i < num_planes(format); i++)
		fill_plane(&format->planes[i], bytes + places[i].offset, places[i].stride);
	gbm_bo_unmap(bo, map);
	return bo;
}

static EGLImageKHR import(const struct format *format, const struct place *places, int fd)
{
	PFNEGLCREATEIMAGEKHRPROC create_image = get_function("eglCreateImageKHR");
	EGLint list[8 + 6 * MAX_PLANES], n = 0;

	list[n++] = EGL_WIDTH;
	list[n++] = WIDTH;
	list[n++] = EGL_HEIGHT;
	list[n++] = HEIGHT;
	list[n++] = EGL_LINUX_DRM_FOURCC_EXT;
	list[n++] = (EGLint)format->fourcc;
	for (int i = 0; i < num_planes(format); i++) {
		list[n++] = EGL_DMA_BUF_PLANE0_FD_EXT + 3 * i;
		list[n++] = fd;
		list[n++] = EGL_DMA_BUF_PLANE0_OFFSET_EXT + 3 * i;
		list[n++] = places[i].offset;
		list[n++] = EGL_DMA_BUF_PLANE0_PITCH_EXT + 3 * i;
		list[n++] = places[i].stride;
	}
	list[n] = EGL_NONE;
	return create_image(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, list);
}

static bool near(uint8_t is, double expected)
{
	double limited = expected < 0 ? 0 : expected > 255 ? 255 : expected;

	return abs(is - (int)(limited + 0.5)) <= TOLERANCE;
}

static int wrong_pixels(void)
{
	static uint8_t pixels[HEIGHT][WIDTH][4];
	int wrong = 0;

	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			const struct color *color = color_at(x, y);
			double luma = 1.164 * (color->y - 16);
			int u = color->u - 128, v = color->v - 128;

			wrong += !near(pixels[y][x][0], luma + 1.596 * v) ||
				 !near(pixels[y][x][1], luma - 0.813 * v - 0.391 * u) ||
				 !near(pixels[y][x][2], luma + 2.018 * u);
		}
	}
	return wrong;
}

/* Draw the image over the whole target. */
static void draw(EGLImageKHR image)
{
	PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_texture =
		get_function("glEGLImageTargetTexture2DOES");
	GLuint texture;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
	glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	image_texture(GL_TEXTURE_EXTERNAL_OES, image);
	glClear(GL_COLOR_BUFFER_BIT);
	draw_square(0, 1);
	glDeleteTextures(1, &texture);
}

static void check_sampled(const struct format *format, const struct place *places, int fd)
{
	PFNEGLDESTROYIMAGEKHRPROC destroy_image = get_function("eglDestroyImageKHR");
	EGLImageKHR image = import(format, places, fd);
	char tag[32];
	int wrong;

	snprintf(tag, sizeof(tag), "yuv.%s", format->name);
	if (image == EGL_NO_IMAGE_KHR) {
		check(tag, false, "rows of %d bytes are refused: EGL error 0x%x", places[0].stride,
		      eglGetError());
		return;
	}
	draw(image);
	destroy_image(display, image);
	wrong = wrong_pixels();
	check(tag, !wrong, "rows of %d bytes: %d pixels are wrong", places[0].stride, wrong);
}

/*
 * True if GBM counts planes as the format does. Mesa counts Y, U and V in this order, whatever the
 * buffer's is, and packed YUYV and UYVY as two planes of the same bytes.
 */
static bool in_mesas_order(const struct format *format)
{
	return format->planes[0].across == 1 &&
	       !(format->planes[2].bytes && format->planes[2].bytes[0] == 'U');
}

/* Who imports a buffer gets the same planes from GBM as were given. */
static void check_planes(const struct format *format, const struct place *places, int fd)
{
	int count = num_planes(format), wrong = 0, is;
	struct gbm_import_fd_modifier_data data = {
		.width = WIDTH,
		.height = HEIGHT,
		.format = format->fourcc,
		.num_fds = (uint32_t)count,
		.modifier = DRM_FORMAT_MOD_LINEAR,
	};
	struct gbm_bo *imported;
	char tag[32];

	for (int i = 0; i < count; i++) {
		data.fds[i] = fd;
		data.strides[i] = places[i].stride;
		data.offsets[i] = places[i].offset;
	}
	snprintf(tag, sizeof(tag), "yuv.%s-planes", format->name);
	imported = gbm_bo_import(device, GBM_BO_IMPORT_FD_MODIFIER, &data, 0);
	if (!check(tag, imported, "GBM imports the buffer"))
		return;
	is = gbm_bo_get_plane_count(imported);
	for (int i = 0; i < is && i < count; i++)
		wrong += (int)gbm_bo_get_stride_for_plane(imported, i) != places[i].stride ||
			 (int)gbm_bo_get_offset(imported, i) != places[i].offset;
	check(tag, is == count && !wrong, "%d planes of %d, %d of them wrong", is, count, wrong);
	gbm_bo_destroy(imported);
}

static void check_format(const struct format *format, bool tight)
{
	struct place places[MAX_PLANES];
	struct gbm_bo *bo;
	int fd;

	find_places(format, tight, places);
	bo = make_buffer(format, places);
	fd = gbm_bo_get_fd(bo);
	check_sampled(format, places, fd);
	if (in_mesas_order(format))
		check_planes(format, places, fd);
	close(fd);
	gbm_bo_destroy(bo);
}

/*
 * An RGB picture without bytes between its rows, which no whole window of the resolve engine covers: it
 * can be cleared and drawn to, but for cores that render to another surface and copy it.
 */
static void check_target(void)
{
	static const struct format format = { "rgb", DRM_FORMAT_ARGB8888, { { "VUYA", 1, 1 } } };
	const bool copies = strstr((const char *)glGetString(GL_RENDERER), "GC2000");
	PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_texture =
		get_function("glEGLImageTargetTexture2DOES");
	struct place places[MAX_PLANES];
	uint8_t pixels[HEIGHT][WIDTH][4];
	GLuint texture, framebuffer;
	EGLImageKHR image;
	struct gbm_bo *bo;
	int wrong = 0;

	find_places(&format, true, places);
	bo = make_buffer(&format, places);
	image = import(&format, places, gbm_bo_get_fd(bo));
	check("yuv.rgb", (image == EGL_NO_IMAGE_KHR) == copies, "rows of %d bytes are %s",
	      places[0].stride, image == EGL_NO_IMAGE_KHR ? "refused" : "accepted");
	if (image == EGL_NO_IMAGE_KHR)
		return;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	image_texture(GL_TEXTURE_2D, image);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	glClearColor(0, 1, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_SCISSOR_TEST);
	glScissor(WIDTH / 2, 0, WIDTH / 2, HEIGHT);
	glClearColor(1, 0, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++)
			wrong += pixels[y][x][0] != (x < WIDTH / 2 ? 0 : 255) ||
				 pixels[y][x][1] != (x < WIDTH / 2 ? 255 : 0);
	}
	check("yuv.rgb", !wrong, "%d pixels are wrong", wrong);
	gbm_bo_destroy(bo);
}

int main(void)
{
	device = gbm_create_device(open(DEVICE, O_RDWR | O_CLOEXEC));
	display = open_gbm_display(device);
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	make_target(WIDTH, HEIGHT);
	use_copy_program("#extension GL_OES_EGL_image_external : require\n"
			 "precision mediump float;\n"
			 "uniform samplerExternalOES image;\n"
			 "varying vec2 at;\n"
			 "void main()\n"
			 "{\n"
			 "	gl_FragColor = texture2D(image, at);\n"
			 "}\n");
	for (unsigned i = 0; i < COUNT(formats); i++) {
		check_format(&formats[i], false);
		check_format(&formats[i], true);
	}
	check_target();
	check_error("yuv.errors", GL_NO_ERROR, "no error is left");
	return end_checks();
}
