// SPDX-License-Identifier: MIT
/*
 * calibrate: repeats one small piece of GPU work and prints the mean of the busy cycles that the
 * card counted for it.
 *
 *	calibrate CARDCTL FIGURE...
 *
 * prints a line "FIGURE CYCLES" for each. The figures are those of the
 * published measurements of a GC2000 that the clock model follows:
 *
 *	flush		a job of a cache flush alone
 *	fast-clear	glClear of a render target with tile status
 *	clear-SIZE	glClear of SIZE x SIZE pixels; full with ETNA_MESA_DEBUG=no_ts
 *	triangle	half of 640x432 pixels in one colour
 *	triangle-msaa	the same with four samples
 *
 * Every repetition is one job; the program waits for it before the next.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <drm/etnaviv_drm.h>
#include <xf86drm.h>

#define WIDTH 640
#define HEIGHT 432
#define WARM_UP 3
#define REPEAT 20

/* GL_FLUSH_CACHE in a LOAD_STATE of one word: depth and colour caches. */
#define LOAD_STATE_FLUSH (1u << 27 | 1u << 16 | 0x380c >> 2)
#define FLUSH_DEPTH_AND_COLOR 3u
#define NOP 0x18000000u

static const char *cardctl;

static void die(const char *what)
{
	fprintf(stderr, "calibrate: %s\n", what);
	exit(2);
}

/* The card's count of cycles in which some stage had work. */
static unsigned long long busy_cycles(void)
{
	unsigned long long cycles = 0;
	char command[512], line[128];
	FILE *stats;

	snprintf(command, sizeof(command), "%s stats", cardctl);
	stats = popen(command, "r");
	while (stats && fgets(line, sizeof(line), stats))
		sscanf(line, "gc.busy_cycles %llu", &cycles);
	if (!stats || pclose(stats) != 0 || !cycles)
		die("the card says nothing");
	return cycles;
}

static int open_gpu(void)
{
	char path[32];

	for (int i = 128; i < 144; i++) {
		drmVersionPtr version;
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		version = fd < 0 ? NULL : drmGetVersion(fd);
		if (version && strcmp(version->name, "etnaviv") == 0) {
			drmFreeVersion(version);
			return fd;
		}
		drmFreeVersion(version);
	}
	die("no etnaviv render node");
	return -1;
}

/* The published test's command group: 16 bytes that flush the caches. */
static void flush_job(void)
{
	static int fd = -1;
	const uint32_t stream[4] = { LOAD_STATE_FLUSH, FLUSH_DEPTH_AND_COLOR, NOP, 0 };
	struct drm_etnaviv_gem_submit submit = {
		.exec_state = ETNA_PIPE_3D,
		.stream = (uintptr_t)stream,
		.stream_size = sizeof(stream),
	};
	struct drm_etnaviv_wait_fence wait = { 0 };
	struct timespec now;

	if (fd < 0)
		fd = open_gpu();
	if (drmIoctl(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &submit) != 0)
		die(strerror(errno));
	clock_gettime(CLOCK_MONOTONIC, &now);
	wait.fence = submit.fence;
	wait.timeout.tv_sec = now.tv_sec + 10;
	if (drmIoctl(fd, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &wait) != 0)
		die(strerror(errno));
}

/* A current context with a pixel buffer as default render target. */
static void make_context(int samples)
{
	const EGLint config_attributes[] = {
		EGL_SURFACE_TYPE,   EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
		EGL_OPENGL_ES2_BIT, EGL_ALPHA_SIZE,  8,
		EGL_SAMPLES,        samples,         EGL_NONE
	};
	const EGLint context_attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
	const EGLint size[] = { EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE };
	EGLDisplay display =
		eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLSurface surface;
	EGLContext context;
	EGLConfig config;
	EGLint count = 0, real = -1;

	if (!eglInitialize(display, NULL, NULL) ||
	    !eglChooseConfig(display, config_attributes, &config, 1, &count) || !count)
		die("no such EGL configuration");
	eglGetConfigAttrib(display, config, EGL_SAMPLES, &real);
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
	surface = eglCreatePbufferSurface(display, config, size);
	if (real != samples || !eglMakeCurrent(display, surface, surface, context))
		die("no context");
	glViewport(0, 0, WIDTH, HEIGHT);
}

/* A texture as render target, as applications clear those that are not the window. */
static void make_target(int size)
{
	GLuint texture, framebuffer;

	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		die("no render target");
}

static GLuint compile(GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	return shader;
}

/*
 * The lower left half of the window. gl_FragColor would be written to all four
 * possible render targets by Mesa's shader, one instruction each; what was
 * measured had one target.
 */
static void prepare_triangle(void)
{
	static const GLfloat corners[] = { -1, -1, 1, -1, -1, 1 };
	GLuint program = glCreateProgram(), buffer;
	GLint ok;

	glAttachShader(program,
		       compile(GL_VERTEX_SHADER, "attribute vec4 position;\n"
						 "void main() { gl_Position = position; }"));
	glAttachShader(program,
		       compile(GL_FRAGMENT_SHADER, "precision mediump float;\n"
						   "uniform vec4 color;\n"
						   "void main() { gl_FragData[0] = color; }"));
	glBindAttribLocation(program, 0, "position");
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok)
		die("the program does not link");
	glUseProgram(program);
	glUniform4f(glGetUniformLocation(program, "color"), 1.0f, 0.5f, 0.0f, 1.0f);
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
}

static void draw_triangle(void)
{
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glFinish();
}

/* Another colour each time, or the driver would leave it out. */
static void clear(void)
{
	static unsigned int n;

	glClearColor((float)(n++ % 7) / 7.0f, 0.5f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glFinish();
}

static void measure(const char *figure, void (*work)(void))
{
	unsigned long long before;

	for (unsigned int i = 0; i < WARM_UP; i++)
		work();
	before = busy_cycles();
	for (unsigned int i = 0; i < REPEAT; i++)
		work();
	printf("%s %.1f\n", figure, (double)(busy_cycles() - before) / REPEAT);
	fflush(stdout);
}

static void measure_figure(const char *figure)
{
	int size;

	if (strcmp(figure, "flush") == 0) {
		measure(figure, flush_job);
	} else if (strcmp(figure, "fast-clear") == 0) {
		make_context(0);
		measure(figure, clear);
	} else if (sscanf(figure, "clear-%d", &size) == 1) {
		make_context(0);
		make_target(size);
		measure(figure, clear);
	} else if (strcmp(figure, "triangle") == 0 || strcmp(figure, "triangle-msaa") == 0) {
		make_context(strcmp(figure, "triangle") == 0 ? 0 : 4);
		prepare_triangle();
		measure(figure, draw_triangle);
	} else {
		die("no such figure");
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		die("usage: calibrate CARDCTL FIGURE...");
	cardctl = argv[1];
	for (int i = 2; i < argc; i++)
		measure_figure(argv[i]);
	return 0;
}
