/* SPDX-License-Identifier: MIT */
/*
 * The event sampler of this process, which EGL_BRCM_event_monitor acquires, starts, stops and
 * reads. There is one for all screens and threads.
 *
 * One process at a time can have acquired the sampler of a device. With CAP_PERFMON it reads the
 * records of all processes from each device's exclusive stream (DRM_VIVGPU_STREAM_EXCLUSIVE).
 * Without, it reads a stream of each screen's own records.
 */
#ifndef VIVGPU_EVENT_SAMPLER_H
#define VIVGPU_EVENT_SAMPLER_H

struct pipe_event_monitor;

/** The sampler; valid as long as the library is loaded. */
const struct pipe_event_monitor *vivgpu_event_sampler(void);

/**
 * Collect records of a screen, too.
 *
 * @fd: the screen's device file, valid until vivgpu_event_sampler_remove_screen()
 */
void vivgpu_event_sampler_add_screen(int fd);

/** Collect the last records of its stream, if it has one, and close that; forget the screen. */
void vivgpu_event_sampler_remove_screen(int fd);

#endif
