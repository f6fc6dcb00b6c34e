// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams of records (DRM_IOCTL_VIVGPU_STREAM_OPEN): jobs, marks, faults, resets, vertical
 * blanks and flips, for profilers.
 *
 * Each open stream has a ring buffer of records that the interrupt handler fills. When it
 * is full, new records are dropped; their sequence numbers are used up, so that a reader
 * can count the dropped ones.
 */

#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_job.h"
#include "vivgpu_record.h"

/* Types are numbered from 1 without gaps. */
#define ALL_TYPES	(DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_FLIP + 1) - \
			 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB))

/* Limits of open streams: of one client; of all for own records only; of all together */
#define MAX_STREAMS_PER_CLIENT	16
#define MAX_OWN_STREAMS	240
#define MAX_STREAMS	256

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
	/** @owner: the client that opened it */
	u64 owner;
	/** @client: number of the client whose records are selected, 0 for all */
	u64 client;
	/** @exclusive: the stream is the device's exclusive sampler */
	bool exclusive;
	/** @sequence: sequence number of the next record */
	u32 sequence;
	/** @head: number of records ever read; under the device's lock, like @tail and @records */
	u32 head;
	/** @tail: number of records ever written */
	u32 tail;
	/** @records: ring buffer */
	struct drm_vivgpu_record *records;
};

static void vivgpu_record_push_record(struct vivgpu_stream *stream,
				      const struct drm_vivgpu_record *record)
{
	u32 sequence = stream->sequence++;

	if (stream->tail - stream->head == VIVGPU_STREAM_RECORDS)
		return;
	stream->records[stream->tail % VIVGPU_STREAM_RECORDS] = *record;
	stream->records[stream->tail % VIVGPU_STREAM_RECORDS].sequence = sequence;
	stream->tail++;
	wake_up_interruptible(&stream->wait);
}

/* Copy a record to all streams that selected its type and client; device's lock held. */
static void vivgpu_record_publish_record(struct vivgpu_device *vdev,
					 struct drm_vivgpu_record *record)
{
	struct vivgpu_stream *stream;

	record->size = sizeof(*record);
	list_for_each_entry(stream, &vdev->streams, link) {
		if (!(stream->types & DRM_VIVGPU_RECORD_BIT(record->type)))
			continue;
		if (stream->client && record->client && stream->client != record->client)
			continue;
		vivgpu_record_push_record(stream, record);
	}
}

/**
 * vivgpu_record_job - write the record of a finished job
 * @vdev: the device, its lock held
 * @job: the job
 */
void vivgpu_record_job(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	const struct vivgpu_times *times = &job->times;
	struct drm_vivgpu_record record = {
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
	};

	if (!list_empty(&vdev->streams))
		vivgpu_record_publish_record(vdev, &record);
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

	vivgpu_record_publish_record(vdev, &record);
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

	vivgpu_record_publish_record(vdev, &record);
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

	vivgpu_record_publish_record(vdev, &record);
}

/* Cycles are those of the last reading of the core's counter, because the core may be suspended. */
static void vivgpu_record_publish_display(struct vivgpu_device *vdev,
					  struct drm_vivgpu_record *record)
{
	unsigned long flags;

	spin_lock_irqsave(&vdev->lock, flags);
	record->cycles = vdev->clock.cycles;
	vivgpu_record_publish_record(vdev, record);
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

/**
 * vivgpu_record_stop - wake all readers, which then get ENODEV
 * @vdev: the device, unplugged
 */
void vivgpu_record_stop(struct vivgpu_device *vdev)
{
	struct vivgpu_stream *stream;

	spin_lock_irq(&vdev->lock);
	list_for_each_entry(stream, &vdev->streams, link)
		wake_up_all(&stream->wait);
	spin_unlock_irq(&vdev->lock);
}

static bool vivgpu_record_pop_record(struct vivgpu_stream *stream, struct drm_vivgpu_record *record)
{
	bool there;

	spin_lock_irq(&stream->vdev->lock);
	there = stream->head != stream->tail;
	if (there)
		*record = stream->records[stream->head++ % VIVGPU_STREAM_RECORDS];
	spin_unlock_irq(&stream->vdev->lock);
	return there;
}

static bool vivgpu_record_is_readable(struct vivgpu_stream *stream)
{
	return READ_ONCE(stream->head) != READ_ONCE(stream->tail);
}

/* True after unbind: no more records are written. */
static bool vivgpu_record_is_ended(struct vivgpu_stream *stream)
{
	return drm_dev_is_unplugged(&stream->vdev->drm);
}

/* Wait until there is a record; -EAGAIN if there is none and @nonblock is set. */
static int vivgpu_record_wait_readable(struct vivgpu_stream *stream, bool nonblock)
{
	int ret;

	while (!vivgpu_record_is_readable(stream)) {
		if (vivgpu_record_is_ended(stream))
			return -ENODEV;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(stream->wait,
					       vivgpu_record_is_readable(stream) ||
						       vivgpu_record_is_ended(stream));
		if (ret)
			return ret;
	}

	return 0;
}

/* Copy as many records as there are and fit; none if another reader has taken them. */
static ssize_t vivgpu_record_copy_records(struct vivgpu_stream *stream, char __user *to,
					  size_t size)
{
	struct drm_vivgpu_record record;
	size_t done = 0;

	while (size - done >= sizeof(record) && vivgpu_record_pop_record(stream, &record)) {
		if (copy_to_user(to + done, &record, sizeof(record)))
			return done ?: -EFAULT;
		done += sizeof(record);
	}

	return done;
}

static ssize_t vivgpu_record_stream_read(struct file *filp, char __user *to, size_t size,
					 loff_t *pos)
{
	struct vivgpu_stream *stream = filp->private_data;
	ssize_t ret;

	if (size < sizeof(struct drm_vivgpu_record))
		return -EINVAL;

	do {
		ret = vivgpu_record_wait_readable(stream, filp->f_flags & O_NONBLOCK);
		ret = ret ?: vivgpu_record_copy_records(stream, to, size);
	} while (!ret);

	return ret;
}

static __poll_t vivgpu_record_stream_poll(struct file *filp, poll_table *table)
{
	struct vivgpu_stream *stream = filp->private_data;
	__poll_t mask = 0;

	poll_wait(filp, &stream->wait, table);
	if (vivgpu_record_is_readable(stream))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (vivgpu_record_is_ended(stream))
		mask |= EPOLLHUP;
	return mask;
}

static int vivgpu_record_stream_release(struct inode *inode, struct file *filp)
{
	struct vivgpu_stream *stream = filp->private_data;
	struct vivgpu_device *vdev = stream->vdev;

	spin_lock_irq(&vdev->lock);
	list_del(&stream->link);
	if (stream->exclusive)
		vdev->sampler = false;
	spin_unlock_irq(&vdev->lock);
	kvfree(stream->records);
	kfree(stream);
	drm_dev_put(&vdev->drm);
	return 0;
}

static const struct file_operations stream_fops = {
	.owner = THIS_MODULE,
	.read = vivgpu_record_stream_read,
	.poll = vivgpu_record_stream_poll,
	.release = vivgpu_record_stream_release,
};

/*
 * True if one more stream may be opened. Some are reserved for streams of all clients'
 * records, which need a privilege. Called with the device's lock held.
 */
static bool vivgpu_record_may_open(const struct vivgpu_device *vdev,
				   const struct vivgpu_stream *new)
{
	u32 max = new->client ? MAX_OWN_STREAMS : MAX_STREAMS;
	const struct vivgpu_stream *stream;
	u32 of_owner = 0, all = 0;

	list_for_each_entry(stream, &vdev->streams, link) {
		of_owner += stream->owner == new->owner;
		all++;
	}
	return of_owner < MAX_STREAMS_PER_CLIENT && all < max;
}

/*
 * Add a stream to the device's list; -EBUSY if it is exclusive and another one is, too.
 * The number is limited, because the interrupt handler walks all streams for each record.
 */
static int vivgpu_record_stream_attach(struct vivgpu_device *vdev, struct vivgpu_stream *stream)
{
	int ret = 0;

	spin_lock_irq(&vdev->lock);
	if (!vivgpu_record_may_open(vdev, stream))
		ret = -ENOSPC;
	else if (stream->exclusive && vdev->sampler)
		ret = -EBUSY;
	else
		list_add_tail(&stream->link, &vdev->streams);
	if (!ret && stream->exclusive)
		vdev->sampler = true;
	spin_unlock_irq(&vdev->lock);
	return ret;
}

static struct vivgpu_stream *vivgpu_record_stream_alloc(void)
{
	struct vivgpu_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);

	if (!stream)
		return NULL;

	stream->records = kvcalloc(VIVGPU_STREAM_RECORDS, sizeof(*stream->records),
				   GFP_KERNEL_ACCOUNT);
	if (!stream->records) {
		kfree(stream);
		return NULL;
	}

	init_waitqueue_head(&stream->wait);
	return stream;
}

/**
 * vivgpu_ioctl_stream_open - DRM_IOCTL_VIVGPU_STREAM_OPEN
 * @drm: the device
 * @data: &struct drm_vivgpu_stream_open
 * @file: the caller
 *
 * Return: 0 or a negative error number.
 */
int vivgpu_ioctl_stream_open(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_vivgpu_stream_open *args = data;
	struct vivgpu_stream *stream;
	int ret;

	if (args->flags & ~(DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE) ||
	    args->types & ~ALL_TYPES || !args->types || args->pad)
		return -EINVAL;
	if (args->flags && !perfmon_capable())
		return -EACCES;

	stream = vivgpu_record_stream_alloc();
	if (!stream)
		return -ENOMEM;

	stream->vdev = to_vivgpu(drm);
	stream->types = args->types;
	stream->owner = vfile->client->id;
	stream->exclusive = args->flags & DRM_VIVGPU_STREAM_EXCLUSIVE;
	stream->client = args->flags & DRM_VIVGPU_STREAM_ALL ? 0 : vfile->client->id;
	ret = vivgpu_record_stream_attach(stream->vdev, stream);
	if (ret)
		goto err_free;

	drm_dev_get(drm);
	ret = anon_inode_getfd("[vivgpu]", &stream_fops, stream, O_RDONLY | O_CLOEXEC);
	if (ret < 0)
		goto err_detach;

	args->fd = ret;
	return 0;

err_detach:
	drm_dev_put(drm);
	spin_lock_irq(&stream->vdev->lock);
	list_del(&stream->link);
	stream->vdev->sampler &= !stream->exclusive;
	spin_unlock_irq(&stream->vdev->lock);
err_free:
	kvfree(stream->records);
	kfree(stream);
	return ret;
}
