/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_RECORD_H_
#define _VIVGPU_RECORD_H_

#include <linux/types.h>

struct vivgpu_client;
struct vivgpu_device;
struct vivgpu_job;
struct vivgpu_stream;

void vivgpu_record_job(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_fault(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_reset(struct vivgpu_device *vdev);
void vivgpu_record_mark(struct vivgpu_device *vdev, const struct vivgpu_job *job,
			u64 cookie, u64 now_ns);
void vivgpu_record_vblank(struct vivgpu_device *vdev, u32 crtc, u64 vblank, u64 now_ns);
void vivgpu_record_flip(struct vivgpu_device *vdev, u64 client, u32 crtc, u32 fb, u64 vblank,
			u64 now_ns);
void vivgpu_record_client(const struct vivgpu_client *client, u16 type);
void vivgpu_record_existing_clients(struct vivgpu_stream *stream);

#endif
