/* SPDX-License-Identifier: MIT */
/*
 * Entry points for Mesa's pipe loader: create a screen of the vivgpu driver.
 */
#ifndef VIVGPU_DRM_PUBLIC_H
#define VIVGPU_DRM_PUBLIC_H

struct pipe_screen;
struct pipe_screen_config;
struct renderonly;

/**
 * Create a screen for the render node @fd, which is duplicated: the caller still closes its own.
 * Returns NULL if the driver does not support the core or memory is short.
 */
struct pipe_screen *vivgpu_drm_screen_create(int fd, const struct pipe_screen_config *config);

/**
 * The same for a GPU without display: @ro describes the display controller's device. It belongs to
 * the screen, and is destroyed if there is none.
 */
struct pipe_screen *vivgpu_drm_screen_create_renderonly(int fd, struct renderonly *ro,
                                                        const struct pipe_screen_config *config);

#endif
