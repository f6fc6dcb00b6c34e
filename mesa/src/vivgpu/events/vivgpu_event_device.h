/* SPDX-License-Identifier: MIT */
/*
 * The devices of screens, each of which has one event sampler that one process at a time can
 * acquire.
 */
#ifndef VIVGPU_EVENT_DEVICE_H
#define VIVGPU_EVENT_DEVICE_H

#include <stdint.h>

/**
 * Return a number of the device of a DRM file, the same one for all its nodes; 0 if it is unknown.
 */
uint64_t vivgpu_event_device(int fd);

/**
 * Keep other processes from acquiring the sampler of a DRM file's device. Returns a file that does
 * so until it is closed; -EBUSY if another process has one; or -1 where sysfs is missing.
 */
int vivgpu_event_device_lock(int fd);

#endif
