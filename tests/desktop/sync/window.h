/* SPDX-License-Identifier: MIT */
/* A window on a compositor with linux-drm-syncobj-v1. */
#ifndef TESTS_DESKTOP_SYNC_WINDOW_H
#define TESTS_DESKTOP_SYNC_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include <gbm.h>
#include <wayland-client.h>

struct window {
	struct wl_display *display;
	struct wl_compositor *compositor;
	struct xdg_wm_base *shell;
	struct zwp_linux_dmabuf_v1 *dmabuf;
	struct wp_linux_drm_syncobj_manager_v1 *manager;
	struct wl_surface *surface;
	struct wp_linux_drm_syncobj_surface_v1 *sync;
	struct wp_linux_drm_syncobj_timeline_v1 *acquire, *release;
	bool configured;
	bool shown; /* the compositor has used the last frame */
};

/**
 * window_open - connect to the compositor and open a window
 * @window: receives it
 * @acquire: descriptor of the timeline whose points say that frames are drawn; is closed
 * @release: descriptor of the timeline whose points say that buffers are free; is closed
 *
 * Returns: NULL, or an error message.
 */
const char *window_open(struct window *window, int acquire, int release);

/** window_add_buffer - a buffer for window_show(); that the compositor refuses it shows later */
struct wl_buffer *window_add_buffer(struct window *window, struct gbm_bo *bo);

/**
 * window_show - commit a frame
 * @window: the window
 * @buffer: what it shows, when point @number of the timeline acquire has signalled
 * @number: also the point of the timeline release that signals when @buffer is free again
 */
void window_show(struct window *window, struct wl_buffer *buffer, uint64_t number);

/** window_wait - wait until the last frame was used; false if the connection was lost */
bool window_wait(struct window *window);

/** window_exchange - wait until the compositor has read all requests, @times times; false likewise */
bool window_exchange(struct window *window, unsigned int times);

#endif
