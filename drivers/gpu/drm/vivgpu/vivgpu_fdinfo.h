/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_FDINFO_H_
#define _VIVGPU_FDINFO_H_

struct drm_file;
struct drm_printer;
struct vivgpu_client;
struct vivgpu_device;
struct vivgpu_usage;

void vivgpu_fdinfo_usage(struct vivgpu_device *vdev, struct vivgpu_client *client,
			 struct vivgpu_usage *usage);
void vivgpu_fdinfo_show(struct drm_printer *p, struct drm_file *file);

#endif
