// SPDX-License-Identifier: MIT
/*
 * GL_AMD_performance_monitor together with GALLIUM_HUD, which uses counters of the same jobs. The
 * number of counters of a job is limited: glBeginPerfMonitorAMD either succeeds, and the result
 * is right, or it gives an error. The HUD draws only into window surfaces, so the test makes
 * one with GBM, which is not displayed.
 *
 * The environment variable HUD_COUNTERS is the number of the core's counters in the HUD; tests/gl/run
 * sets it, and their names in GALLIUM_HUD.
 */

#include "monitor.h"

#include <fcntl.h>
#include <gbm.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 64
#define FRAMES 3
/* Counters of the core's that a job may have. */
#define MAX_SIGNALS 64

static struct gbm_surface *window;
static EGLDisplay display;
static EGLSurface surface;

static void open_window(void)
{
	const EGLint attributes[] = { EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE,
				      EGL_OPENGL_ES2_BIT, EGL_NONE };
	static const EGLint es2[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	struct gbm_device *device;
	EGLConfig configs[64];
	EGLContext context;
	EGLint count = 0, format = 0, i;
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

	device = fd < 0 ? NULL : gbm_create_device(fd);
	display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
	if (!device || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		give_up("no display of GBM's");
	eglChooseConfig(display, attributes, configs, COUNT(configs), &count);
	for (i = 0; i < count && format != GBM_FORMAT_XRGB8888; i++)
		eglGetConfigAttrib(display, configs[i], EGL_NATIVE_VISUAL_ID, &format);
	if (format != GBM_FORMAT_XRGB8888)
		give_up("no config for a window");
	window = gbm_surface_create(device, SIZE, SIZE, format, GBM_BO_USE_RENDERING);
	surface = eglCreatePlatformWindowSurface(display, configs[i - 1], window, NULL);
	context = eglCreateContext(display, configs[i - 1], EGL_NO_CONTEXT, es2);
	if (!window || !eglMakeCurrent(display, surface, surface, context))
		give_up("no window");
}

/* The HUD counts from one swap to the next. */
static void swap(void)
{
	struct gbm_bo *shown;

	if (!eglSwapBuffers(display, surface))
		give_up("no swap");
	shown = gbm_surface_lock_front_buffer(window);
	if (!shown)
		give_up("nothing to show");
	gbm_surface_release_buffer(window, shown);
}

/*
 * Select at most @wanted counters of a group. Returns their number. Ratios are computed from
 * others.
 */
static unsigned select_counts(GLuint monitor, GLuint group, unsigned wanted)
{
	GLuint counters[MAX_COUNTERS], type;
	unsigned count = get_counters(group, counters), selected = 0;

	for (unsigned i = 0; i < count && selected < wanted; i++) {
		pm.counter_info(group, counters[i], GL_COUNTER_TYPE_AMD, &type);
		if (type != GL_UNSIGNED_INT64_AMD)
			continue;
		pm.select(monitor, GL_TRUE, group, 1, &counters[i]);
		selected++;
	}
	return selected;
}

/*
 * A monitor of the first counters of the hardware. Group HW is left out, since some of its counters
 * are computed.
 */
static GLuint make_wide_monitor(unsigned wanted)
{
	GLuint groups[MAX_GROUPS], monitor, api = 0, own = 0;
	unsigned num_groups = get_groups(groups);

	find_group("API", &api);
	find_group("HW", &own);
	pm.gen(1, &monitor);
	for (unsigned i = 0; i < num_groups; i++) {
		if (groups[i] != api && groups[i] != own)
			wanted -= select_counts(monitor, groups[i], wanted);
	}
	if (wanted)
		give_up("the core has %u counters too few", wanted);
	return monitor;
}

/* A small monitor across swaps counts at least the program's own pixels. */
static void test_small(void)
{
	static const char *const name = "Draw Calls", *const pixels = "PS Pixels";
	const char *names[] = { name, pixels };
	struct monitor_result result;
	GLuint monitor = make_monitor(names, COUNT(names));

	pm.begin(monitor);
	check_error("pmx.hud", GL_NO_ERROR, "a monitor that fits begins");
	for (int i = 0; i < FRAMES; i++) {
		draw_square(0, 1);
		swap();
	}
	pm.end(monitor);
	get_result(monitor, &result);
	check("pmx.hud", count_of(&result, pixels) >= FRAMES * SIZE * SIZE,
	      "and counts: %llu pixels", (unsigned long long)count_of(&result, pixels));
	delete_monitor(monitor);
}

/* Check whether a monitor of @counters counters begins; if it does, it must have a result. */
static void test_wide(unsigned counters, unsigned hud)
{
	bool fits = counters + hud <= MAX_SIGNALS;
	GLuint monitor = make_wide_monitor(counters);
	struct monitor_result result;

	glGetError(); /* what is checked is the error of the next call */
	pm.begin(monitor);
	check_error("pmx.hud", fits ? GL_NO_ERROR : GL_INVALID_OPERATION,
		    fits ? "one beside the HUD that fits" : "one beside the HUD that does not fit");
	if (!fits) {
		delete_monitor(monitor);
		return;
	}
	draw_square(0, 1);
	pm.end(monitor);
	get_result(monitor, &result);
	check("pmx.hud", result.sound && result.count == counters, "it has %u results of %u",
	      result.count, counters);
	delete_monitor(monitor);
}

int main(void)
{
	const char *text = getenv("HUD_COUNTERS");
	unsigned hud = text ? atoi(text) : 0;

	if (!hud || hud >= MAX_SIGNALS)
		give_up("HUD_COUNTERS does not say what the HUD counts");
	open_window();
	load_monitor_calls();
	use_plain_program();
	glViewport(0, 0, SIZE, SIZE);
	swap();
	swap();
	test_small();
	test_wide(MAX_SIGNALS - hud, hud);
	test_wide(MAX_SIGNALS - hud + 1, hud);
	/* A refused monitor has no effect. */
	test_wide(MAX_SIGNALS - hud, hud);
	swap();
	test_small();
	check_error("pmx.hud", GL_NO_ERROR, "after all");
	return end_checks();
}
