// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Usage statistics in fdinfo
 *
 * The figures of a client are the sums over its finished jobs plus, if the oldest job in
 * the ring is the client's, the time and cycles of that job so far. They are read without
 * the device's lock, so that a reader does not delay the interrupt handler; the sequence
 * count usage_seq detects concurrent changes. No register is read either: that would take as long
 * as a short job, and on a virtual card stop the processor for longer. The cycles of the running
 * job are estimated from its time and the nominal rate, those of finished jobs are counted.
 *
 * A reader's time may be later than the stamp of an interrupt that is not accounted yet, so
 * a job's final time can be less than what was shown for it while it ran, and its cycles less
 * than estimated. To never decrease, the highest figures shown are stored and shown until the
 * real ones exceed them.
 *
 * Keys and units are those of Documentation/gpu/drm-usage-stats.rst. Parsers match keys by
 * prefix and expect drm-engine-capacity directly after its engine, so the order of the
 * lines is part of the interface. vivgpu-jobs-3d, the number of finished jobs, is not
 * defined there and so begins with the driver's name; it distinguishes many short jobs from
 * a few long ones. So are vertices, primitives and fragments of those jobs that were counted
 * for streams, missed deadlines, overruns, and the predicted lengths of jobs that had a
 * prediction beside the time that those jobs took. Submits without commands count in no figure.
 */

#include <linux/dma-resv.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fdinfo.h"
#include "vivgpu_mmu.h"

/* Consistent snapshot of everything the figures are computed from. */
struct reading {
	struct vivgpu_usage usage;
	struct vivgpu_running running;
	struct vivgpu_clock clock;
	u64 now_ns;
};

/* Take a snapshot without locks. */
static void vivgpu_fdinfo_sample(struct vivgpu_device *vdev, const struct vivgpu_client *client,
				 struct reading *r)
{
	unsigned int start;

	do {
		start = read_seqcount_begin(&vdev->usage_seq);
		r->usage = client->usage;
		r->running = vdev->running;
		r->clock = vdev->clock;
		r->now_ns = ktime_get_ns();
	} while (read_seqcount_retry(&vdev->usage_seq, start));
}

/**
 * vivgpu_fdinfo_usage - get a client's usage up to now
 * @vdev: the device
 * @client: the client
 * @usage: the figures
 */
void vivgpu_fdinfo_usage(struct vivgpu_device *vdev, struct vivgpu_client *client,
			 struct vivgpu_usage *usage)
{
	struct reading r;

	vivgpu_fdinfo_sample(vdev, client, &r);
	if (r.running.client == client)
		vivgpu_usage_add_running(&r.usage, &r.running.times, &r.clock,
					 vivgpu_clock_estimate(&r.clock, r.now_ns), r.now_ns);

	spin_lock(&client->reported_lock);
	vivgpu_usage_update_max(&client->reported, &r.usage);
	*usage = client->reported;
	spin_unlock(&client->reported_lock);
}

/* As drm_show_memory_stats() does, but jobs without implicit fences make a buffer active too. */
static void vivgpu_fdinfo_add_memory_stats(void *data, struct drm_gem_object *obj)
{
	enum drm_gem_object_status status = obj->funcs->status(obj);
	bool active = !dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_BOOKKEEP);
	struct drm_memory_stats *stats = data;

	if (drm_gem_object_is_shared_for_memory_stats(obj))
		stats->shared += obj->size;
	else
		stats->private += obj->size;
	if (active)
		stats->active += obj->size;
	if (!(status & DRM_GEM_OBJECT_RESIDENT))
		return;

	stats->resident += obj->size;
	if (status & DRM_GEM_OBJECT_PURGEABLE && !active)
		stats->purgeable += obj->size;
}

/* Buffers with a handle, and those that jobs still use though their handle is closed. */
static void vivgpu_fdinfo_show_memory(struct drm_printer *p, struct drm_file *file)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_memory_stats stats = { };
	struct drm_gem_object *obj;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, obj, id)
		vivgpu_fdinfo_add_memory_stats(&stats, obj);
	spin_unlock(&file->table_lock);
	vivgpu_vm_visit_closed(vfile->vm, vivgpu_fdinfo_add_memory_stats, &stats);

	drm_print_memory_stats(p, &stats, DRM_GEM_OBJECT_ACTIVE | DRM_GEM_OBJECT_RESIDENT |
			       DRM_GEM_OBJECT_PURGEABLE, "memory");
}

/**
 * vivgpu_fdinfo_show - print the figures of an open file
 * @p: printer
 * @file: the file
 */
void vivgpu_fdinfo_show(struct drm_printer *p, struct drm_file *file)
{
	struct vivgpu_device *vdev = to_vivgpu(file->minor->dev);
	struct vivgpu_file *vfile = file->driver_priv;
	struct vivgpu_usage usage;

	vivgpu_fdinfo_usage(vdev, vfile->client, &usage);
	drm_printf(p, "drm-engine-3d:\t%llu ns\n", usage.busy_ns);
	drm_printf(p, "drm-engine-capacity-3d:\t1\n");
	drm_printf(p, "drm-cycles-3d:\t%llu\n", usage.cycles);
	if (vdev->clock_hz)
		drm_printf(p, "drm-maxfreq-3d:\t%u Hz\n", vdev->clock_hz);
	drm_printf(p, "vivgpu-jobs-3d:\t%llu\n", usage.jobs);
	drm_printf(p, "vivgpu-counted-jobs-3d:\t%llu\n", usage.counted_jobs);
	drm_printf(p, "vivgpu-vertices-3d:\t%llu\n", usage.counts.value[VIVGPU_COUNT_VERTICES]);
	drm_printf(p, "vivgpu-primitives-3d:\t%llu\n",
		   usage.counts.value[VIVGPU_COUNT_PRIMITIVES]);
	drm_printf(p, "vivgpu-fragments-3d:\t%llu\n",
		   usage.counts.value[VIVGPU_COUNT_FRAGMENTS]);
	drm_printf(p, "vivgpu-missed-deadlines-3d:\t%llu\n", usage.missed);
	drm_printf(p, "vivgpu-overruns-3d:\t%llu\n", usage.overruns);
	drm_printf(p, "vivgpu-predicted-3d:\t%llu ns\n", usage.predicted_ns);
	drm_printf(p, "vivgpu-predicted-engine-3d:\t%llu ns\n", usage.predicted_busy_ns);
	vivgpu_fdinfo_show_memory(p, file);
}
