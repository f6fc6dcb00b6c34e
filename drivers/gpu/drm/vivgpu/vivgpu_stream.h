/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_STREAM_H_
#define _VIVGPU_STREAM_H_

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <drm/vivgpu_drm.h>

#include "vivgpu_record_ring.h"

struct pid;
struct pid_namespace;
struct vivgpu_device;
struct vivgpu_job;

/**
 * struct vivgpu_stream - an open stream
 */
struct vivgpu_stream {
	/** @link: in the device's list; under the device's lock */
	struct list_head link;
	/** @vdev: the device, referenced */
	struct vivgpu_device *vdev;
	/** @wait: wait queue of readers */
	wait_queue_head_t wait;
	/** @types: set of record types that the stream selects */
	u32 types;
	/** @flags: DRM_VIVGPU_STREAM_* */
	u32 flags;
	/** @owner: the client that opened it */
	u64 owner;
	/** @client: number of the client whose records are selected, 0 for all */
	u64 client;
	/** @pid_ns: namespace of the pids in records, the opener's; referenced, or NULL */
	struct pid_namespace *pid_ns;
	/** @exact_interval: one of this number of jobs runs alone, 0 for none */
	u32 exact_interval;
	/** @jobs: number of jobs since the last one that did; under the device's lock */
	u32 jobs;
	/** @ring: unread records; under the device's lock */
	struct vivgpu_record_ring ring;
	/** @reading: held by who copies records from the ring, outside of the device's lock */
	struct mutex reading;
};

/**
 * struct vivgpu_message - a record, with data that only some streams get
 */
struct vivgpu_message {
	/** @record: the record for streams of all clients, without the pid */
	struct drm_vivgpu_record record;
	/** @shared_counts: its counts may contain work of another client */
	bool shared_counts;
	/** @pid: process of a record of a client, or NULL */
	struct pid *pid;
};

struct vivgpu_stream *vivgpu_stream_alloc(u32 ring_records, u32 record_size);
void vivgpu_stream_free(struct vivgpu_stream *stream);
int vivgpu_stream_attach(struct vivgpu_stream *stream);
void vivgpu_stream_detach(struct vivgpu_stream *stream);
int vivgpu_stream_get_fd(struct vivgpu_stream *stream);
bool vivgpu_stream_wants(const struct vivgpu_stream *stream,
			 const struct drm_vivgpu_record *record);
void vivgpu_stream_push(struct vivgpu_stream *stream, const struct vivgpu_message *message);
void vivgpu_stream_publish(struct vivgpu_device *vdev, const struct vivgpu_message *message);
bool vivgpu_stream_wants_alone(struct vivgpu_device *vdev, const struct vivgpu_job *job);
u64 vivgpu_stream_lost(const struct vivgpu_device *vdev, u64 owner);
void vivgpu_stream_stop(struct vivgpu_device *vdev);

#endif
