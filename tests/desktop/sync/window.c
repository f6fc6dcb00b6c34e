// SPDX-License-Identifier: MIT
#include "window.h"

#include <string.h>
#include <unistd.h>

#include "linux-dmabuf-v1.h"
#include "linux-drm-syncobj-v1.h"
#include "xdg-shell.h"

static void bind_global(void *data, struct wl_registry *registry, uint32_t name,
			const char *interface, uint32_t version)
{
	struct window *window = data;

	(void)version;
	if (!strcmp(interface, wl_compositor_interface.name))
		window->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
	else if (!strcmp(interface, xdg_wm_base_interface.name))
		window->shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
	else if (!strcmp(interface, zwp_linux_dmabuf_v1_interface.name))
		window->dmabuf =
			wl_registry_bind(registry, name, &zwp_linux_dmabuf_v1_interface, 3);
	else if (!strcmp(interface, wp_linux_drm_syncobj_manager_v1_interface.name))
		window->manager = wl_registry_bind(registry, name,
						   &wp_linux_drm_syncobj_manager_v1_interface, 1);
}

static void ignore_removal(void *data, struct wl_registry *registry, uint32_t name)
{
	(void)data;
	(void)registry;
	(void)name;
}

static const struct wl_registry_listener registry_listener = { bind_global, ignore_removal };

static void answer_ping(void *data, struct xdg_wm_base *shell, uint32_t serial)
{
	(void)data;
	xdg_wm_base_pong(shell, serial);
}

static const struct xdg_wm_base_listener shell_listener = { answer_ping };

static void acknowledge(void *data, struct xdg_surface *surface, uint32_t serial)
{
	struct window *window = data;

	xdg_surface_ack_configure(surface, serial);
	window->configured = true;
}

static const struct xdg_surface_listener surface_listener = { acknowledge };

static void ignore_size(void *data, struct xdg_toplevel *toplevel, int32_t width, int32_t height,
			struct wl_array *states)
{
	(void)data;
	(void)toplevel;
	(void)width;
	(void)height;
	(void)states;
}

static void ignore_close(void *data, struct xdg_toplevel *toplevel)
{
	(void)data;
	(void)toplevel;
}

static const struct xdg_toplevel_listener toplevel_listener = {
	.configure = ignore_size,
	.close = ignore_close,
};

/* The frame callback: the compositor has used the frame that was committed with it. */
static void note_shown(void *data, struct wl_callback *callback, uint32_t time)
{
	struct window *window = data;

	(void)time;
	wl_callback_destroy(callback);
	window->shown = true;
}

static const struct wl_callback_listener frame_listener = { note_shown };

static const char *connect_to_compositor(struct window *window)
{
	window->display = wl_display_connect(NULL);
	if (!window->display)
		return "no compositor";
	wl_registry_add_listener(wl_display_get_registry(window->display), &registry_listener,
				 window);
	if (!window_exchange(window, 1))
		return "the compositor has gone";
	if (!window->compositor || !window->shell || !window->dmabuf)
		return "the compositor lacks an interface";
	return window->manager ? NULL : "the compositor has no linux-drm-syncobj-v1";
}

static struct wp_linux_drm_syncobj_timeline_v1 *import(struct window *window, int fd)
{
	struct wp_linux_drm_syncobj_timeline_v1 *timeline =
		wp_linux_drm_syncobj_manager_v1_import_timeline(window->manager, fd);

	close(fd);
	return timeline;
}

static void make_surface(struct window *window)
{
	struct xdg_surface *shell_surface;
	struct xdg_toplevel *toplevel;

	xdg_wm_base_add_listener(window->shell, &shell_listener, window);
	window->surface = wl_compositor_create_surface(window->compositor);
	shell_surface = xdg_wm_base_get_xdg_surface(window->shell, window->surface);
	xdg_surface_add_listener(shell_surface, &surface_listener, window);
	toplevel = xdg_surface_get_toplevel(shell_surface);
	xdg_toplevel_add_listener(toplevel, &toplevel_listener, window);
	xdg_toplevel_set_title(toplevel, "explicit-sync");
	wl_surface_commit(window->surface);
}

const char *window_open(struct window *window, int acquire, int release)
{
	const char *problem = connect_to_compositor(window);

	if (problem)
		return problem;
	make_surface(window);
	window->acquire = import(window, acquire);
	window->release = import(window, release);
	while (!window->configured) {
		if (wl_display_dispatch(window->display) < 0)
			return "the compositor ended the connection";
	}
	window->sync =
		wp_linux_drm_syncobj_manager_v1_get_surface(window->manager, window->surface);
	return NULL;
}

struct wl_buffer *window_add_buffer(struct window *window, struct gbm_bo *bo)
{
	struct zwp_linux_buffer_params_v1 *params =
		zwp_linux_dmabuf_v1_create_params(window->dmabuf);
	uint64_t modifier = gbm_bo_get_modifier(bo);
	struct wl_buffer *buffer;
	int fd = gbm_bo_get_fd(bo);

	zwp_linux_buffer_params_v1_add(params, fd, 0, gbm_bo_get_offset(bo, 0),
				       gbm_bo_get_stride(bo), modifier >> 32, (uint32_t)modifier);
	buffer = zwp_linux_buffer_params_v1_create_immed(
		params, gbm_bo_get_width(bo), gbm_bo_get_height(bo), gbm_bo_get_format(bo), 0);
	zwp_linux_buffer_params_v1_destroy(params);
	close(fd);
	return buffer;
}

void window_show(struct window *window, struct wl_buffer *buffer, uint64_t number)
{
	struct wl_callback *callback = wl_surface_frame(window->surface);

	wl_callback_add_listener(callback, &frame_listener, window);
	window->shown = false;
	wp_linux_drm_syncobj_surface_v1_set_acquire_point(window->sync, window->acquire,
							  number >> 32, (uint32_t)number);
	wp_linux_drm_syncobj_surface_v1_set_release_point(window->sync, window->release,
							  number >> 32, (uint32_t)number);
	wl_surface_attach(window->surface, buffer, 0, 0);
	wl_surface_damage_buffer(window->surface, 0, 0, INT32_MAX, INT32_MAX);
	wl_surface_commit(window->surface);
	wl_display_flush(window->display);
}

bool window_wait(struct window *window)
{
	while (!window->shown) {
		if (wl_display_dispatch(window->display) < 0)
			return false;
	}
	return true;
}

bool window_exchange(struct window *window, unsigned int times)
{
	while (times--) {
		if (wl_display_roundtrip(window->display) < 0)
			return false;
	}
	return true;
}
