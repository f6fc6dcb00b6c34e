// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records: jobs, marks, faults, resets, vertical blanks, flips and clients, as profilers read
 * them from streams (vivgpu_stream.c).
 */

#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_job.h"
#include "vivgpu_record.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

/* Publish a record that is the same for all streams; device's lock held. */
static void vivgpu_record_publish(struct vivgpu_device *vdev,
				  const struct drm_vivgpu_record *record)
{
	struct vivgpu_message message = { .record = *record };

	if (!list_empty(&vdev->streams))
		vivgpu_stream_publish(vdev, &message);
}

static void vivgpu_record_set_counts(struct vivgpu_message *message,
				     const struct vivgpu_job_counts *counts)
{
	struct drm_vivgpu_record *record = &message->record;

	if (!counts->valid)
		return;

	record->flags |= DRM_VIVGPU_JOB_COUNTS;
	if (counts->exact)
		record->flags |= DRM_VIVGPU_JOB_COUNTS_EXACT;
	record->vertices = counts->counts.value[VIVGPU_COUNT_VERTICES];
	record->primitives = counts->counts.value[VIVGPU_COUNT_PRIMITIVES];
	record->fragments = counts->counts.value[VIVGPU_COUNT_FRAGMENTS];
	message->shared_counts = counts->shared;
}

/**
 * vivgpu_record_job - write the record of a finished job
 * @vdev: the device, its lock held
 * @job: the job
 */
void vivgpu_record_job(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	const struct vivgpu_times *times = &job->times;
	struct vivgpu_message message;

	if (list_empty(&vdev->streams))
		return;

	message = (struct vivgpu_message){
		.record = {
			.type = job->event_only ? DRM_VIVGPU_RECORD_EVENT : DRM_VIVGPU_RECORD_JOB,
			.time_ns = times->finished_ns,
			.cycles = vdev->clock.reported_cycles,
			.client = job->client->id,
			.job = job->id,
			.submitted_ns = times->submitted_ns,
			.queued_ns = times->queued_ns,
			.started_ns = times->started_ns,
			.finished_ns = times->finished_ns,
			.job_cycles = times->cycles,
			.cookie = job->cookie,
			.stream_size = job->stream_size,
			.flags = job->flags,
			.queue = job->queue_number,
			.prologue_size = job->loaded_words * sizeof(u32),
			.deadline_ns = job->arbiter.deadline_ns ?: job->arbiter.promised_ns,
			.cost_ns = job->arbiter.cost_ns,
		},
	};
	vivgpu_record_set_counts(&message, &job->counts);
	vivgpu_stream_publish(vdev, &message);
}

/**
 * vivgpu_record_fault - write the record of a fault
 * @vdev: the device, its lock held
 * @job: the job it ran, or NULL
 */
void vivgpu_record_fault(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	struct drm_vivgpu_record record = {
		.type = DRM_VIVGPU_RECORD_FAULT,
		.time_ns = ktime_get_ns(),
		.cycles = vdev->clock.cycles,
		.client = job ? job->client->id : 0,
		.job = job ? job->id : 0,
		.flags = vdev->fault_status,
		.fault_address = vdev->fault_address,
	};

	vivgpu_record_publish(vdev, &record);
}

/**
 * vivgpu_record_reset - write the record of a reset of the core
 * @vdev: the device, its lock held
 */
void vivgpu_record_reset(struct vivgpu_device *vdev)
{
	struct drm_vivgpu_record record = {
		.type = DRM_VIVGPU_RECORD_RESET,
		.time_ns = ktime_get_ns(),
		.cycles = vdev->clock.cycles,
	};

	vivgpu_record_publish(vdev, &record);
}

/**
 * vivgpu_record_mark - write the record of a timestamp point with DRM_VIVGPU_POINT_MARK
 * @vdev: the device, its lock held, with the point's cycles in its clock
 * @job: the job it is in
 * @cookie: cookie of the point
 * @now_ns: time of the point, CLOCK_MONOTONIC
 */
void vivgpu_record_mark(struct vivgpu_device *vdev, const struct vivgpu_job *job,
			u64 cookie, u64 now_ns)
{
	struct drm_vivgpu_record record = {
		.type = DRM_VIVGPU_RECORD_MARK,
		.time_ns = now_ns,
		.cycles = vdev->clock.reported_cycles,
		.client = job->client->id,
		.job = job->id,
		.queue = job->queue_number,
		.cookie = cookie,
	};

	vivgpu_record_publish(vdev, &record);
}

/* Cycles are those of the last reading of the core's counter, because the core may be suspended. */
static void vivgpu_record_publish_display(struct vivgpu_device *vdev,
					  struct drm_vivgpu_record *record)
{
	unsigned long flags;

	spin_lock_irqsave(&vdev->lock, flags);
	record->cycles = vdev->clock.cycles;
	vivgpu_record_publish(vdev, record);
	spin_unlock_irqrestore(&vdev->lock, flags);
}

/**
 * vivgpu_record_vblank - write the record of a vertical blank
 * @vdev: the device
 * @crtc: the display's index
 * @vblank: number of the vertical blank
 * @now_ns: start of its sync pulse, CLOCK_MONOTONIC
 *
 * Takes the device's lock. The record's cycles are those of the last reading of the
 * core's counter, because the core may be suspended.
 */
void vivgpu_record_vblank(struct vivgpu_device *vdev, u32 crtc, u64 vblank, u64 now_ns)
{
	struct drm_vivgpu_record record = {
		.type = DRM_VIVGPU_RECORD_VBLANK,
		.time_ns = now_ns,
		.crtc = crtc,
		.vblank = vblank,
	};

	vivgpu_record_publish_display(vdev, &record);
}

/**
 * vivgpu_record_flip - write the record of a flip, which takes effect now
 * @vdev: the device
 * @client: number of the client that committed the flip, 0 if there is none
 * @crtc: the display's index
 * @fb: number of the framebuffer
 * @vblank: number of the vertical blank
 * @now_ns: start of its sync pulse, CLOCK_MONOTONIC
 *
 * Takes the device's lock. Cycles are as with vivgpu_record_vblank().
 */
void vivgpu_record_flip(struct vivgpu_device *vdev, u64 client, u32 crtc, u32 fb, u64 vblank,
			u64 now_ns)
{
	struct drm_vivgpu_record record = {
		.type = DRM_VIVGPU_RECORD_FLIP,
		.time_ns = now_ns,
		.client = client,
		.crtc = crtc,
		.fb = fb,
		.vblank = vblank,
	};

	vivgpu_record_publish_display(vdev, &record);
}

/* A record of a client. Device's lock held. */
static struct vivgpu_message vivgpu_record_make_client(const struct vivgpu_client *client, u16 type,
						       u32 flags, u64 now_ns)
{
	struct vivgpu_message message = {
		.record = {
			.type = type,
			.time_ns = now_ns,
			.cycles = client->vdev->clock.cycles,
			.client = client->id,
			.flags = flags,
		},
		.pid = client->pid,
	};

	strscpy_pad(message.record.name, client->name, sizeof(message.record.name));
	return message;
}

/**
 * vivgpu_record_client - write the record of an opened or closed client
 * @client: the client, in the device's list, whose lock (owners_lock) is held
 * @type: DRM_VIVGPU_RECORD_CLIENT_OPEN or DRM_VIVGPU_RECORD_CLIENT_CLOSE
 */
void vivgpu_record_client(const struct vivgpu_client *client, u16 type)
{
	struct vivgpu_device *vdev = client->vdev;
	bool open = type == DRM_VIVGPU_RECORD_CLIENT_OPEN;
	struct vivgpu_message message;

	spin_lock_irq(&vdev->lock);
	message = vivgpu_record_make_client(client, type, 0,
					    open ? client->opened_ns : ktime_get_ns());
	vivgpu_stream_publish(vdev, &message);
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_record_existing_clients - write records of the existing clients to a new stream
 * @stream: the stream; the lock and owners_lock of its device are held
 */
void vivgpu_record_existing_clients(struct vivgpu_stream *stream)
{
	const struct vivgpu_client *client;

	list_for_each_entry(client, &stream->vdev->clients, link) {
		struct vivgpu_message message =
			vivgpu_record_make_client(client, DRM_VIVGPU_RECORD_CLIENT_OPEN,
						  DRM_VIVGPU_CLIENT_EXISTING, client->opened_ns);

		vivgpu_stretch_spin(VIVGPU_STRETCH_CLIENT_WALK);
		if (vivgpu_stream_wants(stream, &message.record))
			vivgpu_stream_push(stream, &message);
	}
}
