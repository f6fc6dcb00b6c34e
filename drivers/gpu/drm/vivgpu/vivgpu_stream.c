// SPDX-License-Identifier: GPL-2.0-only

#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/file.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <kunit/visibility.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_job.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

/*
 * The ring buffer of a stream of records. All records of a stream have one size, which the
 * opener chose: programs that were built for an older version of struct drm_vivgpu_record get
 * its first fields.
 *
 * When the ring is full, new records are dropped; their sequence numbers are used up, so that a
 * reader can count the dropped ones.
 *
 * The functions are pure; the caller serialises and allocates the memory.
 */

/**
 * vivgpu_record_ring_size - compute the number of records of a ring
 * @wanted: number that the opener asked for, 0 for the default
 * @max: largest number that it may have, a power of two
 *
 * Return: the number, a power of two, not larger than @max.
 */
u32 vivgpu_record_ring_size(u32 wanted, u32 max)
{
	return roundup_pow_of_two(min(wanted ?: VIVGPU_STREAM_RECORDS, max));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_size);

/**
 * vivgpu_record_ring_record_size - compute the size of a stream's records
 * @wanted: size in bytes of the largest record that it knows, 0 for the first version's
 *
 * Return: the size, a multiple of 8, or 0 if @wanted is smaller than any record.
 */
u32 vivgpu_record_ring_record_size(u32 wanted)
{
	u32 size = wanted ?: DRM_VIVGPU_RECORD_SIZE_0;

	if (size < DRM_VIVGPU_RECORD_SIZE_0)
		return 0;
	return min_t(u32, round_down(size, 8), sizeof(struct drm_vivgpu_record));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_record_size);

static u8 *vivgpu_stream_record_ring_slot(const struct vivgpu_record_ring *ring, u32 n)
{
	return ring->records + (size_t)(n & (ring->size - 1)) * ring->record_size;
}

/**
 * vivgpu_record_ring_push - append a record, or drop it if the ring is full
 * @ring: the ring
 * @record: the record; size and sequence are set in the copy
 *
 * Return: the copy, whose first record_size bytes of the ring are valid, or NULL if it
 * was dropped.
 */
struct drm_vivgpu_record *vivgpu_record_ring_push(struct vivgpu_record_ring *ring,
						  const struct drm_vivgpu_record *record)
{
	struct drm_vivgpu_record *copy;
	u32 sequence = ring->sequence++;

	if (vivgpu_record_ring_unread(ring) == ring->size) {
		ring->lost++;
		return NULL;
	}

	copy = (struct drm_vivgpu_record *)vivgpu_stream_record_ring_slot(ring, ring->tail);
	memcpy(copy, record, ring->record_size);
	vivgpu_stretch_spin(VIVGPU_STRETCH_RECORD_PUSH);
	copy->size = ring->record_size;
	copy->sequence = sequence;
	WRITE_ONCE(ring->tail, ring->tail + 1);
	return copy;
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_push);

/**
 * vivgpu_record_ring_oldest - get the oldest unread records, up to the end of the memory
 * @ring: the ring
 * @most: largest number of records that are wanted
 * @records: out, the first of them; they stay until vivgpu_record_ring_drop()
 *
 * Return: their number, 0 if there is none.
 */
u32 vivgpu_record_ring_oldest(const struct vivgpu_record_ring *ring, u32 most,
			      const void **records)
{
	u32 until_end = ring->size - (ring->head & (ring->size - 1));

	*records = vivgpu_stream_record_ring_slot(ring, ring->head);
	return min3(most, until_end, vivgpu_record_ring_unread(ring));
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_oldest);

/**
 * vivgpu_record_ring_drop - remove the oldest records
 * @ring: the ring
 * @count: their number, which vivgpu_record_ring_oldest() returned
 */
void vivgpu_record_ring_drop(struct vivgpu_record_ring *ring, u32 count)
{
	WRITE_ONCE(ring->head, ring->head + count);
}
EXPORT_SYMBOL_IF_KUNIT(vivgpu_record_ring_drop);

/*
 * Streams of records: files that a profiler reads. Each has a ring buffer that the interrupt
 * handler fills, and gets the records of the types and clients that it was opened for.
 */

#define COUNTS_FLAGS	(DRM_VIVGPU_JOB_COUNTS | DRM_VIVGPU_JOB_COUNTS_EXACT)

/* Limits of open streams: of one client; of all for own records only; of all together */
#define MAX_STREAMS_PER_CLIENT	16
#define MAX_OWN_STREAMS	240
#define MAX_STREAMS	256

/**
 * vivgpu_stream_alloc - allocate a stream
 * @ring_records: number of unread records that it holds, a power of two
 * @record_size: their size in bytes
 *
 * The memory is charged to the caller's memory cgroup.
 *
 * Return: the stream, or NULL if there is no memory.
 */
static struct vivgpu_stream *vivgpu_stream_alloc(u32 ring_records, u32 record_size)
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
static void vivgpu_stream_free(struct vivgpu_stream *stream)
{
	if (stream->pid_ns)
		put_pid_ns(stream->pid_ns);
	kvfree(stream->ring.records);
	kfree(stream);
}

/**
 * vivgpu_stream_wants - check whether a stream gets a record
 * @stream: the stream
 * @record: the record
 *
 * Return: true if it was opened for records of this type and client. Records without a client
 * are for all.
 */
static bool vivgpu_stream_wants(const struct vivgpu_stream *stream,
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
static void vivgpu_stream_push(struct vivgpu_stream *stream, const struct vivgpu_message *message)
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
static void vivgpu_stream_publish(struct vivgpu_device *vdev, const struct vivgpu_message *message)
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
static void vivgpu_stream_detach(struct vivgpu_stream *stream)
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
static int vivgpu_stream_get_fd(struct vivgpu_stream *stream)
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
static int vivgpu_stream_attach(struct vivgpu_stream *stream)
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

/*
 * Records: jobs, marks, faults, resets, vertical blanks, flips and clients.
 */

/* Publish a record that is the same for all streams; device's lock held. */
static void vivgpu_stream_record_publish(struct vivgpu_device *vdev,
					 const struct drm_vivgpu_record *record)
{
	struct vivgpu_message message = { .record = *record };

	if (!list_empty(&vdev->streams))
		vivgpu_stream_publish(vdev, &message);
}

static void vivgpu_stream_record_set_counts(struct vivgpu_message *message,
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
			.ready_ns = job->ready_ns,
			.held_ns = job->arbiter.held_back_ns,
			.bound_ns = job->arbiter.bound_ns,
		},
	};
	vivgpu_stream_record_set_counts(&message, &job->counts);
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

	vivgpu_stream_record_publish(vdev, &record);
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

	vivgpu_stream_record_publish(vdev, &record);
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

	vivgpu_stream_record_publish(vdev, &record);
}

/* Cycles are those of the last reading of the core's counter, because the core may be suspended. */
static void vivgpu_stream_record_publish_display(struct vivgpu_device *vdev,
						 struct drm_vivgpu_record *record)
{
	unsigned long flags;

	spin_lock_irqsave(&vdev->lock, flags);
	record->cycles = vdev->clock.cycles;
	vivgpu_stream_record_publish(vdev, record);
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

	vivgpu_stream_record_publish_display(vdev, &record);
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

	vivgpu_stream_record_publish_display(vdev, &record);
}

/* A record of a client. Device's lock held. */
static struct vivgpu_message vivgpu_stream_make_client(const struct vivgpu_client *client,
						       u16 type, u32 flags, u64 now_ns)
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
	message = vivgpu_stream_make_client(client, type, 0,
					    open ? client->opened_ns : ktime_get_ns());
	vivgpu_stream_publish(vdev, &message);
	spin_unlock_irq(&vdev->lock);
}

/**
 * vivgpu_stream_existing_clients - write records of the existing clients to a new stream
 * @stream: the stream; the lock and owners_lock of its device are held
 */
static void vivgpu_stream_existing_clients(struct vivgpu_stream *stream)
{
	const struct vivgpu_client *client;

	list_for_each_entry(client, &stream->vdev->clients, link) {
		struct vivgpu_message message =
			vivgpu_stream_make_client(client, DRM_VIVGPU_RECORD_CLIENT_OPEN,
						  DRM_VIVGPU_CLIENT_EXISTING, client->opened_ns);

		vivgpu_stretch_spin(VIVGPU_STRETCH_CLIENT_WALK);
		if (vivgpu_stream_wants(stream, &message.record))
			vivgpu_stream_push(stream, &message);
	}
}

/* DRM_IOCTL_VIVGPU_STREAM_OPEN */

#define ALL_FLAGS	(DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE | \
			 DRM_VIVGPU_STREAM_COUNTS)
#define PRIVILEGED_FLAGS	(DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_EXCLUSIVE)

/* Types are numbered from 1 without gaps. */
#define ALL_TYPES	(DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_CLIENT_CLOSE + 1) - \
			 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB))

/* A job that runs alone empties the ring twice, so unprivileged streams have a minimum. */
#define MIN_EXACT_INTERVAL	16

/**
 * vivgpu_stream_max_records - DRM_VIVGPU_PARAM_MAX_STREAM_RECORDS of the calling process
 *
 * Return: the largest number of unread records that it may ask for.
 */
u32 vivgpu_stream_max_records(void)
{
	return perfmon_capable() ? VIVGPU_MAX_PRIVILEGED_STREAM_RECORDS : VIVGPU_MAX_STREAM_RECORDS;
}

/**
 * vivgpu_stream_min_exact_interval - DRM_VIVGPU_PARAM_MIN_EXACT_INTERVAL of the calling process
 *
 * Return: the smallest number of jobs of which it may have one run alone.
 */
u32 vivgpu_stream_min_exact_interval(void)
{
	return perfmon_capable() ? 1 : MIN_EXACT_INTERVAL;
}

/* Counts need records large enough for them, and exact counts need counts. */
static bool vivgpu_stream_counts_are_valid(const struct drm_vivgpu_stream_open *args)
{
	if (!(args->flags & DRM_VIVGPU_STREAM_COUNTS))
		return !args->exact_interval;

	return args->record_size >= offsetofend(struct drm_vivgpu_record, fragments);
}

/* Check the arguments, and replace requested sizes by those that the stream gets. */
static int vivgpu_stream_check(struct drm_vivgpu_stream_open *args)
{
	if (args->flags & ~ALL_FLAGS || args->types & ~ALL_TYPES || !args->types || args->pad ||
	    !vivgpu_stream_counts_are_valid(args))
		return -EINVAL;

	args->record_size = vivgpu_record_ring_record_size(args->record_size);
	args->ring_records = vivgpu_record_ring_size(args->ring_records,
						     vivgpu_stream_max_records());
	args->wakeup_records = args->wakeup_records ?: 1;
	if (!args->record_size || args->wakeup_records > args->ring_records)
		return -EINVAL;
	if (args->flags & PRIVILEGED_FLAGS && !perfmon_capable())
		return -EACCES;
	if (args->exact_interval && args->exact_interval < vivgpu_stream_min_exact_interval())
		return -EACCES;
	return 0;
}

static struct vivgpu_stream *vivgpu_stream_create(struct vivgpu_device *vdev, u64 owner,
						  const struct drm_vivgpu_stream_open *args)
{
	struct vivgpu_stream *stream = vivgpu_stream_alloc(args->ring_records, args->record_size);
	bool all = args->flags & DRM_VIVGPU_STREAM_ALL;

	if (!stream)
		return NULL;

	stream->vdev = vdev;
	stream->types = args->types;
	stream->flags = args->flags;
	stream->owner = owner;
	stream->client = all ? 0 : owner;
	stream->pid_ns = all ? get_pid_ns(task_active_pid_ns(current)) : NULL;
	stream->exact_interval = args->exact_interval;
	stream->ring.wakeup = args->wakeup_records;
	return stream;
}

/*
 * Add the stream to the device's list, and write records of the existing clients to it. While
 * owners_lock is held no client is opened or closed, so there is one record for each.
 */
static int vivgpu_stream_start(struct vivgpu_stream *stream)
{
	struct vivgpu_device *vdev = stream->vdev;
	int ret;

	mutex_lock(&vdev->owners_lock);
	spin_lock_irq(&vdev->lock);
	ret = vivgpu_stream_attach(stream);
	if (!ret)
		vivgpu_stream_existing_clients(stream);
	spin_unlock_irq(&vdev->lock);
	mutex_unlock(&vdev->owners_lock);
	return ret;
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

	ret = vivgpu_stream_check(args);
	if (ret)
		return ret;

	stream = vivgpu_stream_create(to_vivgpu(drm), vfile->client->id, args);
	if (!stream)
		return -ENOMEM;

	ret = vivgpu_stream_start(stream);
	if (ret)
		goto err_free;

	ret = vivgpu_stream_get_fd(stream);
	if (ret < 0)
		goto err_detach;

	args->fd = ret;
	return 0;

err_detach:
	vivgpu_stream_detach(stream);
err_free:
	vivgpu_stream_free(stream);
	return ret;
}
