/* SPDX-License-Identifier: MIT */
/* An EGL context of a client, and pictures whose GPU time can be chosen. */
#ifndef COCKPIT_SCENE_H
#define COCKPIT_SCENE_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <gbm.h>
#include <stdint.h>

/** Pictures */
enum scene_kind { SCENE_CLUSTER, SCENE_MAP, SCENE_GAME };

/**
 * struct scene_budget - GPU time asked for; 0: none
 * @budget_us: GPU time in each period
 * @period_us: the period
 */
struct scene_budget {
	uint32_t budget_us;
	uint32_t period_us;
};

/**
 * struct scene - a client's context and program
 * @gbm: GBM of the client's device
 * @display: EGL's display
 * @config: XRGB8888, for window surfaces
 * @context: current in this process, without a surface at first
 * @surface: current with it, EGL_NO_SURFACE for framebuffer objects
 * @kind: the picture
 * @program: draws it
 * @square: vertices of a square
 * @time: its uniform for the time in seconds
 * @width: pixels of the target
 * @height: rows of it
 * @layer_ns: GPU time of a layer, after scene_measure()
 * @base_ns: GPU time of a frame without layers
 */
struct scene {
	struct gbm_device *gbm;
	EGLDisplay display;
	EGLConfig config;
	EGLContext context;
	EGLSurface surface;
	enum scene_kind kind;
	GLuint program;
	GLuint square;
	GLint time;
	uint32_t width;
	uint32_t height;
	double layer_ns;
	double base_ns;
};

uint64_t scene_now_ns(void);
void scene_init(struct scene *scene, int fd, enum scene_kind kind);
void scene_size(struct scene *scene, uint32_t width, uint32_t height);
void scene_renew(struct scene *scene, struct scene_budget budget);
GLuint scene_import(struct scene *scene, int dma_buf, uint32_t width, uint32_t height,
		    uint32_t stride);
GLuint scene_target(GLuint texture);
void scene_draw(struct scene *scene, double seconds, double layers);
void scene_show(GLuint texture, float x, float y, float width, float height);
void scene_measure(struct scene *scene);
double scene_layers(const struct scene *scene, double target_ns);

#endif
