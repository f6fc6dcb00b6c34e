/* SPDX-License-Identifier: MIT */
/* Our kernel driver's device, and streams of its records (DRM_IOCTL_VIVGPU_STREAM_OPEN). */
#ifndef VIVGPU_TOOLS_DEVICE_H
#define VIVGPU_TOOLS_DEVICE_H

#include <stdint.h>

/**
 * open_device - open the first render node of the vivgpu driver
 *
 * Returns: a file descriptor, -1 if there is none
 */
int open_device(void);

/**
 * open_records - open a stream of records whose read() does not block
 *
 * A record has the size of &struct drm_vivgpu_record, or less if the kernel is older than its
 * header: readers go on by its member size.
 *
 * @device: from open_device()
 * @flags: DRM_VIVGPU_STREAM_*
 * @types: DRM_VIVGPU_RECORD_BIT() of each type
 *
 * Returns: a file descriptor, or a negative errno: -EACCES for DRM_VIVGPU_STREAM_ALL or
 * DRM_VIVGPU_STREAM_EXCLUSIVE without CAP_PERFMON
 */
int open_records(int device, uint32_t flags, uint32_t types);

#endif
