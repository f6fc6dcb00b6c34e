/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_RECORD_H_
#define _VIVGPU_RECORD_H_

#include <linux/types.h>

/* Maximum of unread records of a stream */
#define VIVGPU_STREAM_RECORDS	1024

struct drm_device;
struct drm_file;
struct vivgpu_device;
struct vivgpu_job;

void vivgpu_record_job(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_fault(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_reset(struct vivgpu_device *vdev);
void vivgpu_record_mark(struct vivgpu_device *vdev, const struct vivgpu_job *job,
			u64 cookie, u64 now_ns);
void vivgpu_record_vblank(struct vivgpu_device *vdev, u32 crtc, u64 vblank, u64 now_ns);
void vivgpu_record_flip(struct vivgpu_device *vdev, u64 client, u32 crtc, u32 fb, u64 vblank,
			u64 now_ns);
void vivgpu_record_stop(struct vivgpu_device *vdev);
int vivgpu_ioctl_stream_open(struct drm_device *drm, void *data, struct drm_file *file);

#endif
