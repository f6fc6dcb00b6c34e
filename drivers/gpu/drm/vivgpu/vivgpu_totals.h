/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_TOTALS_H_
#define _VIVGPU_TOTALS_H_

struct drm_device;
struct drm_file;

int vivgpu_ioctl_usage(struct drm_device *drm, void *data, struct drm_file *file);

#endif
