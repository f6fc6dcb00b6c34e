/* SPDX-License-Identifier: MIT */
/*
 * The event sampler of this process, as EGL_BRCM_event_monitor has it: who may
 * collect, when, and what was collected. There is one for all screens and threads.
 *
 * With CAP_PERFMON it reads one stream of records of all processes, the exclusive
 * one, which the kernel gives to one process at a time and takes back when that
 * process ends. Without, it reads a stream of each screen's own records, which keeps
 * no other process from anything.
 */
#ifndef VIVGPU_EVENT_SAMPLER_H
#define VIVGPU_EVENT_SAMPLER_H

struct pipe_event_monitor;

/** The sampler; it lives as long as the library. */
const struct pipe_event_monitor *vivgpu_event_sampler(void);

/** A screen is there, or gone: its descriptor is how the kernel is asked. */
void vivgpu_event_sampler_add_screen(int fd);
void vivgpu_event_sampler_remove_screen(int fd);

#endif
