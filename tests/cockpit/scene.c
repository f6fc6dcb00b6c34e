// SPDX-License-Identifier: MIT

#include "scene.h"

#include <EGL/eglext_vivgpu.h>
#include <GLES2/gl2ext.h>
#include <drm_fourcc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../gl_program.h"

/* Layers of the two measurements, from whose difference a layer's time follows */
#define FEW_LAYERS 2
#define MANY_LAYERS 10

static const char vertex_shader[] =
	"attribute vec2 at; varying vec2 p; uniform vec4 box;\n"
	"void main() { p = at; gl_Position = vec4(box.xy + (at * .5 + .5) * box.zw, 0., 1.); }\n";

/* Two dials with hands; roads that pass by; rings. */
static const char *const pictures[] = {
	[SCENE_CLUSTER] = "precision mediump float; varying vec2 p; uniform float time;\n"
			  "void main() {\n"
			  "  float r = length(p), hand = 1.2 * sin(time);\n"
			  "  float v = step(abs(r - .9), .04)\n"
			  "    + step(abs(p.x - p.y * hand), .04) * step(r, .8) * step(0., p.y);\n"
			  "  gl_FragColor = vec4(.05 + .3 * v, .06 + .5 * v, .1 + .6 * v, 1.);\n"
			  "}\n",
	[SCENE_MAP] =
		"precision mediump float; varying vec2 p; uniform float time;\n"
		"void main() {\n"
		"  vec2 q = p * 3. + vec2(time * .3, time * .9);\n"
		"  vec2 g = abs(fract(q) - .5);\n"
		"  vec3 c = mix(vec3(.6, .8, .55), vec3(1., .95, .6), step(.42, max(g.x, g.y)));\n"
		"  gl_FragColor = vec4(c, 1.);\n"
		"}\n",
	[SCENE_GAME] = "precision mediump float; varying vec2 p; uniform float time;\n"
		       "void main() {\n"
		       "  vec2 q = p - .6 * vec2(sin(time), cos(time * 1.3));\n"
		       "  float v = sin(40. * dot(q, q) - time * 5.);\n"
		       "  gl_FragColor = vec4(.5 + .5 * v, .3, .5 - .5 * v, 1.);\n"
		       "}\n",
};

/*
 * Where a layer is drawn, of a target from -1 to 1: x, y, width, height of two dials, or
 * everything. A width of 0 is no box.
 */
static const float boxes[][2][4] = {
	[SCENE_CLUSTER] = { { -0.95, -0.45, 0.6, 0.9 }, { 0.35, -0.45, 0.6, 0.9 } },
	[SCENE_MAP] = { { -1, -1, 2, 2 } },
	[SCENE_GAME] = { { -1, -1, 2, 2 } },
};

static const char copy_shader[] =
	"precision mediump float; varying vec2 p; uniform sampler2D picture;\n"
	"void main() { gl_FragColor = texture2D(picture, p * .5 + .5); }\n";

/* Of scene_show(); a process has one scene. */
static GLuint copy_program;

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "cockpit: %s failed (EGL 0x%x)\n", what, eglGetError());
	exit(1);
}

/** scene_now_ns - CLOCK_MONOTONIC */
uint64_t scene_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void set_box(GLuint program, float x, float y, float width, float height)
{
	glUseProgram(program);
	glUniform4f(glGetUniformLocation(program, "box"), x, y, width, height);
}

static void create_programs(struct scene *scene, enum scene_kind kind)
{
	static const GLfloat square[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

	copy_program = gl_use_program(vertex_shader, copy_shader, "at", NULL);
	scene->kind = kind;
	scene->program = gl_use_program(vertex_shader, pictures[kind], "at", NULL);
	scene->time = glGetUniformLocation(scene->program, "time");
	glGenBuffers(1, &scene->square);
	glBindBuffer(GL_ARRAY_BUFFER, scene->square);
	glBufferData(GL_ARRAY_BUFFER, sizeof(square), square, GL_STATIC_DRAW);
}

static void choose_config(struct scene *scene)
{
	static const EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE,
					 EGL_OPENGL_ES2_BIT, EGL_NONE };
	EGLConfig configs[256];
	EGLint count, format;

	must(eglChooseConfig(scene->display, wanted, configs, 256, &count), "eglChooseConfig");
	for (EGLint i = 0; i < count; i++) {
		eglGetConfigAttrib(scene->display, configs[i], EGL_NATIVE_VISUAL_ID, &format);
		if (format == GBM_FORMAT_XRGB8888) {
			scene->config = configs[i];
			return;
		}
	}
	must(0, "a configuration of XRGB8888");
}

/* Make the context current, with state that contexts do not share: vertices and viewport. */
static void bind(struct scene *scene)
{
	must(eglMakeCurrent(scene->display, scene->surface, scene->surface, scene->context),
	     "eglMakeCurrent");
	glBindBuffer(GL_ARRAY_BUFFER, scene->square);
	glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
	glViewport(0, 0, scene->width, scene->height);
}

/**
 * scene_init - create a context and make it current; scene_size() has to follow
 * @scene: out
 * @fd: the device
 * @kind: the picture
 */
void scene_init(struct scene *scene, int fd, enum scene_kind kind)
{
	const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };

	scene->gbm = gbm_create_device(fd);
	must(scene->gbm != NULL, "gbm_create_device");
	scene->display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, scene->gbm, NULL);
	must(eglInitialize(scene->display, NULL, NULL), "eglInitialize");
	must(eglBindAPI(EGL_OPENGL_ES_API), "eglBindAPI");
	choose_config(scene);
	scene->context =
		eglCreateContext(scene->display, scene->config, EGL_NO_CONTEXT, attributes);
	must(scene->context != EGL_NO_CONTEXT, "eglCreateContext");
	must(eglMakeCurrent(scene->display, EGL_NO_SURFACE, EGL_NO_SURFACE, scene->context),
	     "eglMakeCurrent");
	create_programs(scene, kind);
	bind(scene);
}

/**
 * scene_import - a texture from a shared buffer
 * @scene: the client
 * @dma_buf: the buffer: XRGB8888, linear
 * @width: pixels
 * @height: rows
 * @stride: bytes of a row
 *
 * Return: the texture.
 */
GLuint scene_import(struct scene *scene, int dma_buf, uint32_t width, uint32_t height,
		    uint32_t stride)
{
	const EGLint attributes[] = { EGL_WIDTH,
				      width,
				      EGL_HEIGHT,
				      height,
				      EGL_LINUX_DRM_FOURCC_EXT,
				      DRM_FORMAT_XRGB8888,
				      EGL_DMA_BUF_PLANE0_FD_EXT,
				      dma_buf,
				      EGL_DMA_BUF_PLANE0_OFFSET_EXT,
				      0,
				      EGL_DMA_BUF_PLANE0_PITCH_EXT,
				      stride,
				      EGL_NONE };
	PFNEGLCREATEIMAGEKHRPROC create =
		(PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
	PFNGLEGLIMAGETARGETTEXTURE2DOESPROC bind =
		(PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress(
			"glEGLImageTargetTexture2DOES");
	EGLImageKHR image =
		create(scene->display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
	GLuint texture;

	must(image != EGL_NO_IMAGE_KHR, "eglCreateImageKHR");
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	bind(GL_TEXTURE_2D, image);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	return texture;
}

/**
 * scene_target - a framebuffer that draws to a texture
 * @texture: the texture
 *
 * Return: the framebuffer object.
 */
GLuint scene_target(GLuint texture)
{
	GLuint target;

	glGenFramebuffers(1, &target);
	glBindFramebuffer(GL_FRAMEBUFFER, target);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
	must(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "a framebuffer");
	return target;
}

/* Draw the picture once, or the lower part of it. */
static void draw_layer(struct scene *scene, double part)
{
	for (int i = 0; i < 2 && boxes[scene->kind][i][2] > 0; i++) {
		const float *box = boxes[scene->kind][i];

		set_box(scene->program, box[0], box[1], box[2], box[3]);
		glScissor(0, 0, scene->width, scene->height * (1 + box[1] + box[3] * part) / 2);
		glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
	}
}

/**
 * scene_draw - draw the picture
 * @scene: the client
 * @seconds: its time
 * @layers: how often; the rest after a whole number is drawn in part
 */
void scene_draw(struct scene *scene, double seconds, double layers)
{
	glUseProgram(scene->program);
	glUniform1f(scene->time, (float)fmod(seconds, 1000));
	glEnable(GL_SCISSOR_TEST);
	for (; layers >= 1; layers--)
		draw_layer(scene, 1);
	draw_layer(scene, layers);
	glDisable(GL_SCISSOR_TEST);
}

/**
 * scene_size - set the size of the target
 * @scene: the client
 * @width: pixels
 * @height: rows
 */
void scene_size(struct scene *scene, uint32_t width, uint32_t height)
{
	scene->width = width;
	scene->height = height;
	glViewport(0, 0, width, height);
}

/**
 * scene_show - draw another client's picture
 * @texture: the picture
 * @x, @y, @width, @height: where, of a target from -1 to 1
 */
void scene_show(GLuint texture, float x, float y, float width, float height)
{
	glBindTexture(GL_TEXTURE_2D, texture);
	set_box(copy_program, x, y, width, height);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/*
 * ns from the first call to the end on the GPU; of a second frame, since the first one may compile.
 */
static double time_of(struct scene *scene, uint32_t layers)
{
	uint64_t begin = 0;

	for (int i = 0; i < 2; i++) {
		begin = scene_now_ns();
		glClear(GL_COLOR_BUFFER_BIT);
		scene_draw(scene, 0, layers);
		glFinish();
	}
	return scene_now_ns() - begin;
}

/**
 * scene_measure - measure the GPU time of layers, while no other client draws
 * @scene: the client, its target is bound
 */
void scene_measure(struct scene *scene)
{
	double few = time_of(scene, FEW_LAYERS), many = time_of(scene, MANY_LAYERS);

	scene->layer_ns = fmax((many - few) / (MANY_LAYERS - FEW_LAYERS), 1);
	scene->base_ns = fmax(few - FEW_LAYERS * scene->layer_ns, 0);
}

/**
 * scene_layers - how many layers take a time
 * @scene: the client, after scene_measure()
 * @target_ns: the time
 *
 * Return: the number, at least 1.
 */
double scene_layers(const struct scene *scene, double target_ns)
{
	return fmax((target_ns - scene->base_ns) / scene->layer_ns, 1);
}

/**
 * scene_renew - replace the context, for whose queue the kernel has learnt the measurement's jobs
 * @scene: the client; its textures and programs stay, framebuffer objects do not
 * @budget: GPU time to ask for; the program ends if it is refused
 */
void scene_renew(struct scene *scene, struct scene_budget budget)
{
	/* Without a budget the list ends at its third element. */
	const EGLint attributes[] = { EGL_CONTEXT_CLIENT_VERSION,
				      2,
				      budget.budget_us ? EGL_CONTEXT_BUDGET_VIVGPU : EGL_NONE,
				      budget.budget_us,
				      EGL_CONTEXT_PERIOD_VIVGPU,
				      budget.period_us,
				      EGL_NONE };
	EGLContext old = scene->context;

	scene->context = eglCreateContext(scene->display, scene->config, old, attributes);
	must(scene->context != EGL_NO_CONTEXT, "eglCreateContext with the budget");
	bind(scene);
	eglDestroyContext(scene->display, old);
}
