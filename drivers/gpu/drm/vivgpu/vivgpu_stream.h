/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_STREAM_H_
#define _VIVGPU_STREAM_H_

#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <drm/vivgpu_drm.h>

struct drm_device;
struct drm_file;
struct drm_vivgpu_record;
struct pid;
struct pid_namespace;
struct vivgpu_client;
struct vivgpu_device;
struct vivgpu_job;

/* Number of unread records of a stream: default, and maximum without and with CAP_PERFMON */
#define VIVGPU_STREAM_RECORDS			1024
#define VIVGPU_MAX_STREAM_RECORDS		8192
#define VIVGPU_MAX_PRIVILEGED_STREAM_RECORDS	65536

/**
 * struct vivgpu_record_ring - ring buffer of the unread records of a stream
 * @records: the memory, @size times @record_size bytes
 * @size: number of records that fit, a power of two
 * @record_size: bytes of each record
 * @wakeup: number of unread records at which readers are woken
 * @head: number of records ever read
 * @tail: number of records ever written
 * @sequence: sequence number of the next record
 * @lost: number of records that were dropped because the ring was full
 */
struct vivgpu_record_ring {
	u8 *records;
	u32 size;
	u32 record_size;
	u32 wakeup;
	u32 head;
	u32 tail;
	u32 sequence;
	u64 lost;
};

/**
 * vivgpu_record_ring_unread - count the unread records
 * @ring: the ring
 *
 * Return: their number; without serialisation it may have changed meanwhile.
 */
static inline u32 vivgpu_record_ring_unread(const struct vivgpu_record_ring *ring)
{
	return READ_ONCE(ring->tail) - READ_ONCE(ring->head);
}

u32 vivgpu_record_ring_size(u32 wanted, u32 max);
u32 vivgpu_record_ring_record_size(u32 wanted);
struct drm_vivgpu_record *vivgpu_record_ring_push(struct vivgpu_record_ring *ring,
						  const struct drm_vivgpu_record *record);
u32 vivgpu_record_ring_oldest(const struct vivgpu_record_ring *ring, u32 most,
			      const void **records);
void vivgpu_record_ring_drop(struct vivgpu_record_ring *ring, u32 count);

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

bool vivgpu_stream_wants_alone(struct vivgpu_device *vdev, const struct vivgpu_job *job);
u64 vivgpu_stream_lost(const struct vivgpu_device *vdev, u64 owner);
void vivgpu_stream_stop(struct vivgpu_device *vdev);

void vivgpu_record_job(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_fault(struct vivgpu_device *vdev, const struct vivgpu_job *job);
void vivgpu_record_reset(struct vivgpu_device *vdev);
void vivgpu_record_mark(struct vivgpu_device *vdev, const struct vivgpu_job *job,
			u64 cookie, u64 now_ns);
void vivgpu_record_vblank(struct vivgpu_device *vdev, u32 crtc, u64 vblank, u64 now_ns);
void vivgpu_record_flip(struct vivgpu_device *vdev, u64 client, u32 crtc, u32 fb, u64 vblank,
			u64 now_ns);
void vivgpu_record_client(const struct vivgpu_client *client, u16 type);

u32 vivgpu_stream_max_records(void);
u32 vivgpu_stream_min_exact_interval(void);
int vivgpu_ioctl_stream_open(struct drm_device *drm, void *data, struct drm_file *file);

#endif
