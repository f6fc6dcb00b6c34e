// SPDX-License-Identifier: MIT
/*
 * Common functions of GL test programs: counting results, contexts without a window, simple draws,
 * and the card's totals.
 */

#include "harness.h"

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../gl_program.h"

#define SECOND_NS 1000000000ll
#define LINE_BYTES 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned passed, failed, skipped;

static unsigned number(void)
{
	return passed + failed + skipped;
}

bool check(const char *tag, bool good, const char *format, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	if (good)
		passed++;
	else
		failed++;
	printf("%sok %u - %s: ", good ? "" : "not ", number(), tag);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	pthread_mutex_unlock(&lock);
	return good;
}

void skip(const char *tag, const char *reason)
{
	pthread_mutex_lock(&lock);
	skipped++;
	printf("ok %u - %s # SKIP %s\n", number(), tag, reason);
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

bool check_error(const char *tag, GLenum expected, const char *what)
{
	GLenum error = glGetError(), more = glGetError();

	return check(tag, error == expected && more == GL_NO_ERROR,
		     "%s: error 0x%x, expected 0x%x, and 0x%x after it", what, error, expected,
		     more);
}

int end_checks(void)
{
	printf("1..%u\n", number());
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed ? 1 : 0;
}

void give_up(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	exit(2);
}

EGLDisplay get_display(void)
{
	static EGLDisplay display;

	pthread_mutex_lock(&lock);
	if (!display) {
		display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
						NULL);
		if (!display || !eglInitialize(display, NULL, NULL))
			give_up("no display: EGL error 0x%x", eglGetError());
	}
	pthread_mutex_unlock(&lock);
	return display;
}

EGLContext make_context(enum api api, EGLContext share)
{
	const EGLint config_attributes[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
					     api == API_GL ? EGL_OPENGL_BIT : EGL_OPENGL_ES2_BIT,
					     EGL_NONE };
	static const EGLint es2[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLDisplay display = get_display();
	EGLContext context;
	EGLConfig config;
	EGLint count;

	eglBindAPI(api == API_GL ? EGL_OPENGL_API : EGL_OPENGL_ES_API);
	if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count < 1)
		give_up("no config: EGL error 0x%x", eglGetError());
	context = eglCreateContext(display, config, share, api == API_GL ? NULL : es2);
	if (!context)
		give_up("no context: EGL error 0x%x", eglGetError());
	return context;
}

void use_context(EGLContext context)
{
	if (!eglMakeCurrent(get_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		give_up("context does not become current: EGL error 0x%x", eglGetError());
}

bool has_word(const char *list, const char *word)
{
	const char *at = list;
	size_t length = strlen(word);

	while (at && (at = strstr(at, word))) {
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
		at += length;
	}
	return false;
}

bool has_extension(const char *name)
{
	return has_word((const char *)glGetString(GL_EXTENSIONS), name);
}

void *get_function(const char *name)
{
	void *function = (void *)eglGetProcAddress(name);

	if (!function)
		give_up("no function %s", name);
	return function;
}

GLuint make_target(int width, int height)
{
	GLuint color, framebuffer;

	glGenTextures(1, &color);
	glBindTexture(GL_TEXTURE_2D, color);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glBindTexture(GL_TEXTURE_2D, 0);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("framebuffer not complete");
	glViewport(0, 0, width, height);
	return framebuffer;
}

void add_depth(GLenum format, int width, int height)
{
	GLuint depth;

	glGenRenderbuffers(1, &depth);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		give_up("framebuffer not complete");
}

GLuint use_program(const char *vertex, const char *fragment)
{
	return gl_use_program(vertex, fragment, "position", "value");
}

GLuint use_plain_program(void)
{
	return use_program("attribute vec4 position;\n"
			   "void main() { gl_Position = position; }\n",
			   "#ifdef GL_ES\n"
			   "precision mediump float;\n"
			   "#endif\n"
			   "uniform vec4 color;\n"
			   "void main() { gl_FragColor = color; }\n");
}

GLuint use_copy_program(const char *fragment)
{
	return use_program(
		"attribute vec4 position;\n"
		"varying vec2 at;\n"
		"void main() { at = position.xy * 0.5 + 0.5; gl_Position = position; }\n",
		fragment);
}

EGLDisplay open_gbm_display(struct gbm_device *device)
{
	static const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);

	if (!device || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		give_up("no GBM display");
	if (!eglMakeCurrent(
		    display, EGL_NO_SURFACE, EGL_NO_SURFACE,
		    eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes)))
		give_up("no context");
	return display;
}

unsigned random_below(unsigned limit)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % limit;
}

/* Attribute 0 stays enabled, but its array is gone: the next draw has to set another one. */
void draw_square(float z, int count)
{
	const float corners[] = { -1, -1, z, 1, -1, z, -1, 1, z, 1, 1, z };

	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners);
	glEnableVertexAttribArray(0);
	for (int i = 0; i < count; i++)
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/*
 * Start the control program of the card, whose path the script that runs the test has set, with the
 * system's libraries instead of those that the test may have.
 */
static FILE *start_cardctl(const char *command)
{
	const char *program = getenv("CARDCTL");
	char line[LINE_BYTES];

	if (!program)
		give_up("CARDCTL does not say where vivgpu-cardctl is");
	snprintf(line, sizeof(line), "env -u LD_LIBRARY_PATH %s %s", program, command);
	return popen(line, "r");
}

bool card_command(const char *command)
{
	FILE *reply = start_cardctl(command);
	char line[LINE_BYTES];

	while (reply && fgets(line, sizeof(line), reply))
		;
	if (reply && pclose(reply) == 0)
		return true;
	printf("# the card refused: %s\n", command);
	return false;
}

void hang_core(void)
{
	FILE *control = fopen("/sys/class/drm/renderD128/device/power/control", "w");

	if (!control || fputs("on", control) < 0 || fclose(control))
		give_up("the core may fall asleep");
	if (!card_command("hang"))
		give_up("the card does not hang");
}

/* The place of a total's line in the list of names, or @count. */
static unsigned find_name(const char *line, const char *const *names, unsigned count)
{
	unsigned i;

	for (i = 0; i < count; i++) {
		size_t length = strlen(names[i]);

		if (strncmp(line, names[i], length) == 0 && line[length] == ' ')
			break;
	}
	return i;
}

/*
 * A single total is requested by its name: replies are transferred in pieces of four bytes, so that
 * the list of all takes longer.
 */
void card_totals(const char *const *names, uint64_t *values, unsigned count)
{
	char command[LINE_BYTES / 4];
	FILE *reply;
	unsigned place, found = 0;
	char line[LINE_BYTES];

	snprintf(command, sizeof(command), count == 1 ? "total %s" : "stats", names[0]);
	reply = start_cardctl(command);
	while (reply && fgets(line, sizeof(line), reply)) {
		place = find_name(line, names, count);
		if (place == count)
			continue;
		values[place] = strtoull(line + strlen(names[place]), NULL, 0);
		found++;
	}
	if (!reply || pclose(reply) != 0 || found != count)
		give_up("the card tells %u of %u totals", found, count);
}

uint64_t card_total(const char *name)
{
	uint64_t value;

	card_totals(&name, &value, 1);
	return value;
}

/*
 * The largest value of a key that begins with @key in this process's fdinfo, in bytes if it has a
 * unit of memory; 0 if there is none.
 */
static uint64_t fdinfo_maximum(const char *key)
{
	uint64_t most = 0, value;
	struct dirent *entry;
	DIR *folder = opendir("/proc/self/fdinfo");

	while (folder && (entry = readdir(folder))) {
		char path[300], line[128], unit[8] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%s", entry->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file)) {
			const char *colon = strchr(line, ':');

			if (strncmp(line, key, strlen(key)) || !colon ||
			    sscanf(colon, ": %" SCNu64 " %7s", &value, unit) < 1)
				continue;
			value <<= !strcmp(unit, "KiB") ? 10 : !strcmp(unit, "MiB") ? 20 : 0;
			most = value > most ? value : most;
		}
		if (file)
			fclose(file);
	}
	if (folder)
		closedir(folder);
	return most;
}

uint64_t submitted_jobs(void)
{
	return fdinfo_maximum("vivgpu-jobs-3d:");
}

uint64_t gpu_memory(void)
{
	return fdinfo_maximum("drm-total-") >> 10;
}
