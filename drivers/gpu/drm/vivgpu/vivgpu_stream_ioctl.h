/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_STREAM_IOCTL_H_
#define _VIVGPU_STREAM_IOCTL_H_

#include <linux/types.h>

struct drm_device;
struct drm_file;

u32 vivgpu_stream_max_records(void);
u32 vivgpu_stream_min_exact_interval(void);
int vivgpu_ioctl_stream_open(struct drm_device *drm, void *data, struct drm_file *file);

#endif
