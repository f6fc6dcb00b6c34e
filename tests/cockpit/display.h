/* SPDX-License-Identifier: MIT */
/* The display of the cluster: a GBM surface whose buffers are shown by page flips. */
#ifndef COCKPIT_DISPLAY_H
#define COCKPIT_DISPLAY_H

#include <stdint.h>
#include <xf86drmMode.h>

#include "scene.h"

/**
 * struct display - the display
 * @fd: the device, of which this process is the master
 * @crtc: its CRTC
 * @connector: its connector
 * @mode: the monitor's first mode, with a smaller picture if it is shrunk
 * @scene: what draws
 * @gbm: surface
 * @shown: buffer on the screen
 */
struct display {
	int fd;
	uint32_t crtc;
	uint32_t connector;
	drmModeModeInfo mode;
	struct scene *scene;
	struct gbm_surface *gbm;
	struct gbm_bo *shown;
};

/**
 * struct flip - a picture that was shown
 * @vblank: number of the vertical blank at which it appeared
 * @finished_ns: when the GPU had finished it
 */
struct flip {
	uint32_t vblank;
	uint64_t finished_ns;
};

void display_open(struct display *display, int fd, uint32_t shrink);
void display_start(struct display *display, struct scene *scene);
struct flip display_flip(struct display *display);
double display_period_ns(const struct display *display);

#endif
