// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams of records: files that a profiler reads. Each has a ring buffer that the interrupt
 * handler fills, and gets the records of the types and clients that it was opened for.
 * Records are written in vivgpu_record.c.
 */

#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_job.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

#define COUNTS_FLAGS	(DRM_VIVGPU_JOB_COUNTS | DRM_VIVGPU_JOB_COUNTS_EXACT)

/* Limits of open streams: of one client; of all for own records only; of all together */
#define MAX_STREAMS_PER_CLIENT	16
#define MAX_OWN_STREAMS	240
#define MAX_STREAMS	256

/**
 * vivgpu_stream_wants - check whether a stream gets a record
 * @stream: the stream
 * @record: the record
 *
 * Return: true if it was opened for records of this type and client. Records without a client
 * are for all.
 */
bool vivgpu_stream_wants(const struct vivgpu_stream *stream,
			 const struct drm_vivgpu_record *record)
{
	if (!(stream->types & DRM_VIVGPU_RECORD_BIT(record->type)))
		return false;
	return !stream->client || !record->client || stream->client == record->client;
}

/* Streams of one client do not get counts that may contain another client's work. */
static bool vivgpu_stream_sees_counts(const struct vivgpu_stream *stream,
				      const struct vivgpu_message *message)
{
	return stream->flags & DRM_VIVGPU_STREAM_COUNTS &&
	       !(stream->client && message->shared_counts);
}

/* Remove the counts from a job's record. */
static void vivgpu_stream_hide_counts(const struct vivgpu_stream *stream,
				      struct drm_vivgpu_record *record)
{
	record->flags &= ~COUNTS_FLAGS;
	if (stream->ring.record_size < offsetofend(struct drm_vivgpu_record, fragments))
		return;
	record->vertices = 0;
	record->primitives = 0;
	record->fragments = 0;
}

/**
 * vivgpu_stream_push - append a record to a stream, or drop it if the stream is full
 * @stream: the stream; its device's lock is held
 * @message: the record
 */
void vivgpu_stream_push(struct vivgpu_stream *stream, const struct vivgpu_message *message)
{
	struct vivgpu_record_ring *ring = &stream->ring;
	struct drm_vivgpu_record *record = vivgpu_record_ring_push(ring, &message->record);

	if (!record) {
		stream->vdev->lost_records++;
		return;
	}

	if (record->type == DRM_VIVGPU_RECORD_JOB && record->flags & DRM_VIVGPU_JOB_COUNTS &&
	    !vivgpu_stream_sees_counts(stream, message))
		vivgpu_stream_hide_counts(stream, record);
	if (message->pid && stream->pid_ns &&
	    ring->record_size >= offsetofend(struct drm_vivgpu_record, pid))
		record->pid = pid_nr_ns(message->pid, stream->pid_ns);
	if (vivgpu_record_ring_unread(ring) >= ring->wakeup && wq_has_sleeper(&stream->wait))
		wake_up_interruptible(&stream->wait);
}

/**
 * vivgpu_stream_publish - append a record to all streams that want it
 * @vdev: the device, its lock held
 * @message: the record
 */
void vivgpu_stream_publish(struct vivgpu_device *vdev, const struct vivgpu_message *message)
{
	struct vivgpu_stream *stream;

	list_for_each_entry(stream, &vdev->streams, link) {
		vivgpu_stretch_spin(VIVGPU_STRETCH_PUBLISH);
		if (vivgpu_stream_wants(stream, &message->record))
			vivgpu_stream_push(stream, message);
	}
}

/**
 * vivgpu_stream_wants_alone - check whether a job is to run alone
 * @vdev: the device, its lock held
 * @job: the job; called once for each
 *
 * Return: true if it is the last of an interval of some stream's jobs.
 */
bool vivgpu_stream_wants_alone(struct vivgpu_device *vdev, const struct vivgpu_job *job)
{
	struct vivgpu_stream *stream;
	bool wants = false;

	if (likely(!vdev->sampling.exact_streams) || job->event_only)
		return false;

	list_for_each_entry(stream, &vdev->streams, link) {
		if (!stream->exact_interval ||
		    (stream->client && stream->client != job->client->id))
			continue;
		stream->jobs = (stream->jobs + 1) % stream->exact_interval;
		wants |= !stream->jobs;
	}
	return wants;
}

/**
 * vivgpu_stream_lost - count the records that a client's open streams have dropped
 * @vdev: the device, its lock held
 * @owner: number of the client that opened them
 *
 * Return: their number.
 */
u64 vivgpu_stream_lost(const struct vivgpu_device *vdev, u64 owner)
{
	const struct vivgpu_stream *stream;
	u64 lost = 0;

	list_for_each_entry(stream, &vdev->streams, link) {
		if (stream->owner == owner)
			lost += stream->ring.lost;
	}
	return lost;
}

/**
 * vivgpu_stream_stop - wake all readers, which then get ENODEV
 * @vdev: the device, unplugged
 */
void vivgpu_stream_stop(struct vivgpu_device *vdev)
{
	struct vivgpu_stream *stream;

	spin_lock_irq(&vdev->lock);
	list_for_each_entry(stream, &vdev->streams, link)
		wake_up_all(&stream->wait);
	spin_unlock_irq(&vdev->lock);
}

/* Get the oldest records, which are not overwritten as long as they are in the ring. */
static u32 vivgpu_stream_oldest(struct vivgpu_stream *stream, u32 most, const void **records)
{
	u32 count;

	spin_lock_irq(&stream->vdev->lock);
	count = vivgpu_record_ring_oldest(&stream->ring, most, records);
	spin_unlock_irq(&stream->vdev->lock);
	return count;
}

static void vivgpu_stream_drop(struct vivgpu_stream *stream, u32 count)
{
	spin_lock_irq(&stream->vdev->lock);
	vivgpu_record_ring_drop(&stream->ring, count);
	spin_unlock_irq(&stream->vdev->lock);
}

/* True after unbind: no more records are written. */
static bool vivgpu_stream_is_ended(struct vivgpu_stream *stream)
{
	return drm_dev_is_unplugged(&stream->vdev->drm);
}

/* True if there are enough records to wake a reader, or any after the end. */
static bool vivgpu_stream_is_readable(struct vivgpu_stream *stream)
{
	u32 unread = vivgpu_record_ring_unread(&stream->ring);

	return unread >= stream->ring.wakeup || (unread && vivgpu_stream_is_ended(stream));
}

/* Wait until there are enough records; with @nonblock -EAGAIN if there is none. */
static int vivgpu_stream_wait_readable(struct vivgpu_stream *stream, bool nonblock)
{
	int ret;

	while (!vivgpu_stream_is_readable(stream)) {
		if (nonblock && vivgpu_record_ring_unread(&stream->ring))
			return 0;
		if (vivgpu_stream_is_ended(stream))
			return -ENODEV;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(stream->wait,
					       vivgpu_stream_is_readable(stream) ||
						       vivgpu_stream_is_ended(stream));
		if (ret)
			return ret;
	}

	return 0;
}

/*
 * Copy as many records as there are and fit; none if another reader has taken them. Called with
 * @reading held.
 */
static ssize_t vivgpu_stream_copy_records(struct vivgpu_stream *stream, char __user *to,
					  size_t size)
{
	u32 record_size = stream->ring.record_size, count;
	const void *records;
	size_t done = 0;

	for (;;) {
		count = vivgpu_stream_oldest(stream, (size - done) / record_size, &records);
		if (!count)
			return done;
		if (copy_to_user(to + done, records, (size_t)count * record_size))
			return done ?: -EFAULT;
		vivgpu_stretch(VIVGPU_STRETCH_RECORDS_READ);
		vivgpu_stream_drop(stream, count);
		done += (size_t)count * record_size;
	}
}

static ssize_t vivgpu_stream_take_records(struct vivgpu_stream *stream, char __user *to,
					  size_t size)
{
	ssize_t ret = mutex_lock_interruptible(&stream->reading);

	if (ret)
		return ret;
	ret = vivgpu_stream_copy_records(stream, to, size);
	mutex_unlock(&stream->reading);
	return ret;
}

static ssize_t vivgpu_stream_read(struct file *filp, char __user *to, size_t size, loff_t *pos)
{
	struct vivgpu_stream *stream = filp->private_data;
	ssize_t ret;

	if (size < stream->ring.record_size)
		return -EINVAL;

	do {
		ret = vivgpu_stream_wait_readable(stream, filp->f_flags & O_NONBLOCK);
		ret = ret ?: vivgpu_stream_take_records(stream, to, size);
	} while (!ret);

	return ret;
}

static __poll_t vivgpu_stream_poll(struct file *filp, poll_table *table)
{
	struct vivgpu_stream *stream = filp->private_data;
	__poll_t mask = 0;

	poll_wait(filp, &stream->wait, table);
	/* Pairs with wq_has_sleeper(): either this finds the record, or the writer the waiter. */
	smp_mb();
	if (vivgpu_stream_is_readable(stream))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (vivgpu_stream_is_ended(stream))
		mask |= EPOLLHUP;
	return mask;
}

/**
 * vivgpu_stream_detach - remove a stream from the device's list
 * @stream: the stream
 *
 * What it lost is added to the figures of the client that opened it, if that still exists.
 */
void vivgpu_stream_detach(struct vivgpu_stream *stream)
{
	struct vivgpu_device *vdev = stream->vdev;
	struct vivgpu_client *client;

	mutex_lock(&vdev->owners_lock);
	spin_lock_irq(&vdev->lock);
	list_del(&stream->link);
	if (stream->flags & DRM_VIVGPU_STREAM_EXCLUSIVE)
		vdev->sampler = false;
	if (stream->flags & DRM_VIVGPU_STREAM_COUNTS)
		vivgpu_sample_remove_stream(vdev, stream->exact_interval);
	list_for_each_entry(client, &vdev->clients, link) {
		if (client->id == stream->owner)
			client->lost_records += stream->ring.lost;
	}
	spin_unlock_irq(&vdev->lock);
	mutex_unlock(&vdev->owners_lock);
}

static int vivgpu_stream_release(struct inode *inode, struct file *filp)
{
	struct vivgpu_stream *stream = filp->private_data;
	struct vivgpu_device *vdev = stream->vdev;

	vivgpu_stream_detach(stream);
	vivgpu_stretch_rare(VIVGPU_STRETCH_STREAM_FREE);
	vivgpu_stream_free(stream);
	drm_dev_put(&vdev->drm);
	return 0;
}

static const struct file_operations vivgpu_stream_fops = {
	.owner = THIS_MODULE,
	.read = vivgpu_stream_read,
	.poll = vivgpu_stream_poll,
	.release = vivgpu_stream_release,
};

/**
 * vivgpu_stream_get_fd - make a file of a stream
 * @stream: the stream, attached; its file releases it
 *
 * Return: the file's descriptor, or a negative error number.
 */
int vivgpu_stream_get_fd(struct vivgpu_stream *stream)
{
	int fd;

	drm_dev_get(&stream->vdev->drm);
	fd = anon_inode_getfd("[vivgpu]", &vivgpu_stream_fops, stream, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		drm_dev_put(&stream->vdev->drm);
	return fd;
}

/*
 * True if one more stream may be opened. Some are reserved for streams of all clients'
 * records, which need a privilege. Called with the device's lock held.
 */
static bool vivgpu_stream_may_open(const struct vivgpu_device *vdev,
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

/**
 * vivgpu_stream_attach - add a stream to the device's list
 * @stream: the stream; the lock of its device is held
 *
 * The number is limited, because the interrupt handler walks all streams for each record.
 *
 * Return: 0, -ENOSPC if there are too many, -EBUSY if it is exclusive and another one is.
 */
int vivgpu_stream_attach(struct vivgpu_stream *stream)
{
	struct vivgpu_device *vdev = stream->vdev;
	bool exclusive = stream->flags & DRM_VIVGPU_STREAM_EXCLUSIVE;

	if (!vivgpu_stream_may_open(vdev, stream))
		return -ENOSPC;
	if (exclusive && vdev->sampler)
		return -EBUSY;

	list_add_tail(&stream->link, &vdev->streams);
	vdev->sampler |= exclusive;
	if (stream->flags & DRM_VIVGPU_STREAM_COUNTS)
		vivgpu_sample_add_stream(vdev, stream->exact_interval);
	return 0;
}

/**
 * vivgpu_stream_alloc - allocate a stream
 * @ring_records: number of unread records that it holds, a power of two
 * @record_size: their size in bytes
 *
 * The memory is charged to the caller's memory cgroup.
 *
 * Return: the stream, or NULL if there is no memory.
 */
struct vivgpu_stream *vivgpu_stream_alloc(u32 ring_records, u32 record_size)
{
	struct vivgpu_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);

	if (!stream)
		return NULL;

	stream->ring.records = kvcalloc(ring_records, record_size,
					GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!stream->ring.records) {
		kfree(stream);
		return NULL;
	}

	stream->ring.size = ring_records;
	stream->ring.record_size = record_size;
	init_waitqueue_head(&stream->wait);
	mutex_init(&stream->reading);
	return stream;
}

/**
 * vivgpu_stream_free - free a stream
 * @stream: the stream, which is in no list
 */
void vivgpu_stream_free(struct vivgpu_stream *stream)
{
	if (stream->pid_ns)
		put_pid_ns(stream->pid_ns);
	kvfree(stream->ring.records);
	kfree(stream);
}
