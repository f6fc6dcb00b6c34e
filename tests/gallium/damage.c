// SPDX-License-Identifier: MIT
/*
 * damage [linear]: tests of EGL_KHR_partial_update on a GBM surface for scanout: frames, each of
 * which changes a random rectangle of a picture, drawn as EGL_EXT_buffer_age allows, show the whole
 * picture.
 *
 * If the surface is linear, the driver draws to a tiled shadow and copies it at the end of a frame;
 * then pixels outside of the damage region are not copied to the buffer that the display reads.
 */
#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <gbm.h>

#define WIDTH 640
#define HEIGHT 432
#define FRAMES 60
#define REMEMBERED 8
#define DEVICE "/dev/dri/card0"

/** A rectangle, from the lower left corner, and its colour */
struct rectangle {
	int x, y, width, height;
	uint32_t color;
};

static struct gbm_surface *window;
static EGLDisplay display;
static EGLSurface surface;
static PFNEGLSETDAMAGEREGIONKHRPROC set_damage_region;
/* What is expected and what was shown, from the upper left corner */
static uint32_t model[HEIGHT][WIDTH], picture[HEIGHT][WIDTH];
/* The rectangle of frame number n is at n % REMEMBERED. */
static struct rectangle changes[REMEMBERED];

static void open_window(bool linear)
{
	static const EGLint config_attributes[] = { EGL_SURFACE_TYPE,
						    EGL_WINDOW_BIT,
						    EGL_RED_SIZE,
						    8,
						    EGL_ALPHA_SIZE,
						    0,
						    EGL_SAMPLES,
						    0,
						    EGL_RENDERABLE_TYPE,
						    EGL_OPENGL_ES2_BIT,
						    EGL_NONE };
	static const EGLint context_attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	struct gbm_device *device = fd >= 0 ? gbm_create_device(fd) : NULL;
	EGLConfig configs[64], config = NULL;
	EGLint count = 0, format;

	if (!device)
		give_up("no GBM device " DEVICE);
	display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		give_up("no display");
	eglChooseConfig(display, config_attributes, configs, COUNT(configs), &count);
	for (int i = 0; i < count && !config; i++) {
		eglGetConfigAttrib(display, configs[i], EGL_NATIVE_VISUAL_ID, &format);
		if (format == GBM_FORMAT_XRGB8888)
			config = configs[i];
	}
	window = gbm_surface_create(device, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888,
				    GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING |
					    (linear ? GBM_BO_USE_LINEAR : 0));
	if (!config || !window)
		give_up("no config or no surface");
	surface = eglCreatePlatformWindowSurface(display, config, window, NULL);
	if (!eglMakeCurrent(display, surface, surface,
			    eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes)))
		give_up("no context");
}

/* Shows the frame; @picture has the buffer's pixels then, from the upper left corner. */
static void show(void)
{
	static struct gbm_bo *before;
	struct gbm_bo *now;
	uint32_t stride;
	void *map, *data = NULL;

	if (!eglSwapBuffers(display, surface))
		give_up("no swap");
	now = gbm_surface_lock_front_buffer(window);
	map = gbm_bo_map(now, 0, 0, WIDTH, HEIGHT, GBM_BO_TRANSFER_READ, &stride, &data);
	if (!map)
		give_up("the buffer cannot be mapped");
	for (int y = 0; y < HEIGHT; y++)
		memcpy(picture[y], (char *)map + (size_t)y * stride, sizeof(picture[y]));
	gbm_bo_unmap(now, data);
	if (before)
		gbm_surface_release_buffer(window, before);
	before = now;
}

static bool same(uint32_t left, uint32_t right)
{
	return !((left ^ right) & 0xffffff);
}

static void clear(const struct rectangle *to)
{
	glEnable(GL_SCISSOR_TEST);
	glScissor(to->x, to->y, to->width, to->height);
	glClearColor((to->color >> 16 & 0xff) / 255.0f, (to->color >> 8 & 0xff) / 255.0f,
		     (to->color & 0xff) / 255.0f, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
}

static struct rectangle random_rectangle(void)
{
	struct rectangle r = { .x = random_below(WIDTH),
			       .y = random_below(HEIGHT),
			       .color = random_below(1 << 24) };

	r.width = 1 + random_below(WIDTH - r.x);
	r.height = 1 + random_below(HEIGHT - r.y);
	return r;
}

static void change_model(const struct rectangle *r)
{
	for (int y = r->y; y < r->y + r->height; y++) {
		for (int x = r->x; x < r->x + r->width; x++)
			model[HEIGHT - 1 - y][x] = r->color;
	}
}

/*
 * Draws the rectangles of the last @age frames, which the buffer lacks, @frame's included; at most
 * as many as are remembered. Returns their number, 0 if the damage region is refused.
 */
static int draw_changes(int frame, EGLint age)
{
	EGLint damage[REMEMBERED][4];

	for (int i = 0; i < age; i++) {
		const struct rectangle *r = &changes[(frame - i) % REMEMBERED];

		memcpy(damage[i], (EGLint[]){ r->x, r->y, r->width, r->height }, sizeof(damage[i]));
	}
	if (!set_damage_region(display, surface, damage[0], age))
		return 0;
	for (int i = age - 1; i >= 0; i--)
		clear(&changes[(frame - i) % REMEMBERED]);
	return age;
}

/* A buffer that is new or too old gets the whole picture, as pieces of rows with one colour. */
static void draw_all(void)
{
	for (int y = 0; y < HEIGHT; y++) {
		int begin = 0;

		for (int x = 1; x <= WIDTH; x++) {
			if (x < WIDTH && model[y][x] == model[y][begin])
				continue;
			clear(&(struct rectangle){ begin, HEIGHT - 1 - y, x - begin, 1,
						   model[y][begin] });
			begin = x;
		}
	}
}

static void whole_pictures(void)
{
	int wrong = 0, partial = 0;

	for (int frame = 0; frame < FRAMES; frame++) {
		EGLint age = 0;

		changes[frame % REMEMBERED] = random_rectangle();
		change_model(&changes[frame % REMEMBERED]);
		if (!eglQuerySurface(display, surface, EGL_BUFFER_AGE_KHR, &age))
			give_up("no buffer age");
		if (age > 0 && age < REMEMBERED)
			partial += draw_changes(frame, age) > 0;
		else
			draw_all();
		show();
		for (int y = 0; y < HEIGHT; y++) {
			for (int x = 0; x < WIDTH; x++)
				wrong += !same(model[y][x], picture[y][x]);
		}
	}
	check("da.pictures", !wrong && partial > FRAMES / 2,
	      "%d frames, %d of them drawn in part: %d pixels are wrong", FRAMES, partial, wrong);
}

/*
 * What a frame draws outside of its damage region is undefined. If the surface is linear, the
 * driver does not copy it.
 */
static void outside(void)
{
	EGLint region[4] = { 0, 0, 64, 48 }, age;
	uint32_t corner, far;

	eglQuerySurface(display, surface, EGL_BUFFER_AGE_KHR, &age);
	check("da.region", set_damage_region(display, surface, region, 1), "a region is set");
	clear(&(struct rectangle){ 0, 0, WIDTH, HEIGHT, 0x123456 });
	show();
	corner = picture[HEIGHT - 1][0];
	far = picture[0][WIDTH - 1];
	check("da.outside", same(corner, 0x123456) && !same(far, 0x123456),
	      "a pixel inside is %06x, one outside %06x", corner & 0xffffff, far & 0xffffff);
}

int main(int argc, char **argv)
{
	bool linear = argc > 1 && !strcmp(argv[1], "linear");

	open_window(linear);
	printf("# vendor: %s\n", (const char *)glGetString(GL_VENDOR));
	set_damage_region = get_function("eglSetDamageRegionKHR");
	if (check("da.extension",
		  has_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_partial_update"),
		  "EGL_KHR_partial_update is offered")) {
		whole_pictures();
		if (linear)
			outside();
	}
	return end_checks();
}
