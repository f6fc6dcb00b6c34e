// SPDX-License-Identifier: GPL-2.0-only
/*
 * Totals of a client or of the device (DRM_IOCTL_VIVGPU_USAGE). They are sums that the ends of
 * jobs are added to, so they do not depend on streams of records, which may overflow. All are
 * copied with the device's lock held, so they fit together. As for fdinfo no register is read,
 * since the interrupt handler waits for the lock: the cycles of the running job are estimated.
 */

#include <linux/capability.h>

#include <drm/drm_file.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"
#include "vivgpu_totals.h"

/* Add the running job so far; lock held. @client: NULL for all */
static void vivgpu_totals_add_running(struct vivgpu_device *vdev,
				      const struct vivgpu_client *client, u64 now_ns,
				      struct vivgpu_usage *usage)
{
	const struct vivgpu_running *running = &vdev->running;

	if (running->client && (!client || running->client == client))
		vivgpu_usage_add_running(usage, &running->times, &vdev->clock,
					 vivgpu_clock_estimate(&vdev->clock, now_ns), now_ns);
}

static void vivgpu_totals_set(struct drm_vivgpu_usage *args, const struct vivgpu_usage *usage,
			      const struct vivgpu_ended *ended)
{
	args->finished = ended->finished;
	args->failed = ended->failed;
	args->events = ended->events;
	args->engine_ns = usage->busy_ns;
	args->cycles = usage->cycles;
	args->counted_jobs = usage->counted_jobs;
	args->exact_jobs = usage->exact_jobs;
	args->vertices = usage->counts.value[VIVGPU_COUNT_VERTICES];
	args->primitives = usage->counts.value[VIVGPU_COUNT_PRIMITIVES];
	args->fragments = usage->counts.value[VIVGPU_COUNT_FRAGMENTS];
}

/* Totals of a client; owners_lock held. */
static void vivgpu_totals_of_client(struct vivgpu_device *vdev, struct vivgpu_client *client,
				    struct drm_vivgpu_usage *args)
{
	struct vivgpu_usage usage;
	struct vivgpu_ended ended;

	vivgpu_stretch(VIVGPU_STRETCH_CLIENT_FIND);
	spin_lock_irq(&vdev->lock);
	args->time_ns = ktime_get_ns();
	usage = client->usage;
	ended = client->ended;
	vivgpu_totals_add_running(vdev, client, args->time_ns, &usage);
	args->lost_records = client->lost_records + vivgpu_stream_lost(vdev, client->id);
	args->submitted = atomic64_read(&client->submitted);
	spin_unlock_irq(&vdev->lock);

	args->client = client->id;
	args->clients = 1;
	/* As with fdinfo, a figure never decreases. */
	spin_lock(&client->reported_lock);
	vivgpu_usage_update_max(&client->reported, &usage);
	vivgpu_totals_set(args, &client->reported, &ended);
	spin_unlock(&client->reported_lock);
}

/* Totals of all clients; owners_lock held. */
static void vivgpu_totals_of_device(struct vivgpu_device *vdev, struct drm_vivgpu_usage *args)
{
	struct vivgpu_usage usage;

	args->clients = list_count_nodes(&vdev->clients);
	spin_lock_irq(&vdev->lock);
	args->time_ns = ktime_get_ns();
	usage = vdev->usage;
	vivgpu_totals_add_running(vdev, NULL, args->time_ns, &usage);
	vivgpu_usage_update_max(&vdev->reported, &usage);
	vivgpu_totals_set(args, &vdev->reported, &vdev->ended);
	args->lost_records = vdev->lost_records;
	args->submitted = atomic64_read(&vdev->submitted);
	spin_unlock_irq(&vdev->lock);
}

/* Find a client by its number; owners_lock held. NULL if there is none. */
static struct vivgpu_client *vivgpu_totals_find(struct vivgpu_device *vdev, u64 id)
{
	struct vivgpu_client *client;

	list_for_each_entry(client, &vdev->clients, link) {
		if (client->id == id)
			return client;
	}
	return NULL;
}

/* Check the arguments, and whether the caller has the privilege for other totals than its own. */
static int vivgpu_totals_check(const struct drm_vivgpu_usage *args, u64 own)
{
	bool other = args->flags & DRM_VIVGPU_USAGE_CLIENT;
	bool device = args->flags & DRM_VIVGPU_USAGE_DEVICE;

	if (args->flags & ~(DRM_VIVGPU_USAGE_CLIENT | DRM_VIVGPU_USAGE_DEVICE) ||
	    (other && device) || (!other && args->client))
		return -EINVAL;

	/* The same for clients that exist and those that do not. */
	if ((device || (other && args->client != own)) && !perfmon_capable())
		return -EACCES;
	return 0;
}

static int vivgpu_totals_get(struct vivgpu_device *vdev, struct drm_vivgpu_usage *args)
{
	bool device = args->flags & DRM_VIVGPU_USAGE_DEVICE;
	struct vivgpu_client *client = NULL;
	int ret = 0;

	mutex_lock(&vdev->owners_lock);
	if (!device)
		client = vivgpu_totals_find(vdev, args->client);
	if (device)
		vivgpu_totals_of_device(vdev, args);
	else if (client)
		vivgpu_totals_of_client(vdev, client, args);
	else
		ret = -ENOENT;
	mutex_unlock(&vdev->owners_lock);
	return ret;
}

/**
 * vivgpu_ioctl_usage - DRM_IOCTL_VIVGPU_USAGE
 * @drm: the device
 * @data: &struct drm_vivgpu_usage
 * @file: the caller
 *
 * Return: 0, -EACCES if others' totals need a privilege, -ENOENT if there is no such client.
 */
int vivgpu_ioctl_usage(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_vivgpu_usage *args = data;
	u64 own = vfile->client->id;
	int ret;

	ret = vivgpu_totals_check(args, own);
	if (ret)
		return ret;

	if (!args->flags)
		args->client = own;
	return vivgpu_totals_get(to_vivgpu(drm), args);
}
