/* SPDX-License-Identifier: MIT */
/*
 * How the loader asks for a screen of the vivgpu driver.
 */
#ifndef VIVGPU_DRM_PUBLIC_H
#define VIVGPU_DRM_PUBLIC_H

struct pipe_screen;
struct pipe_screen_config;
struct renderonly;

/** Screen for a render node; @fd stays the caller's. NULL if the core is not one we drive. */
struct pipe_screen *vivgpu_drm_screen_create(int fd, const struct pipe_screen_config *config);

/** The same with a display device of its own, which @ro describes. */
struct pipe_screen *vivgpu_drm_screen_create_renderonly(int fd, struct renderonly *ro,
                                                        const struct pipe_screen_config *config);

#endif
