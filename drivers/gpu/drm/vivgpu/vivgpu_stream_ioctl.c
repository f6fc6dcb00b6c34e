// SPDX-License-Identifier: GPL-2.0-only
/* Opening of streams of records (DRM_IOCTL_VIVGPU_STREAM_OPEN). */

#include <linux/capability.h>
#include <linux/pid_namespace.h>

#include <drm/drm_file.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_record.h"
#include "vivgpu_stream.h"
#include "vivgpu_stream_ioctl.h"

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
		vivgpu_record_existing_clients(stream);
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
