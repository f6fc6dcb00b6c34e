// SPDX-License-Identifier: GPL-2.0-only

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/math64.h>
#include <linux/pci.h>
#include <linux/radix-tree.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_gem.h"
#include "vivgpu_mmu.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

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
 * a few long ones. Other keys with that name are vertices, primitives and fragments of those
 * jobs that were counted for streams, missed deadlines, overruns, and the predicted lengths of
 * jobs that had a prediction beside the time that those jobs took. Submits without commands
 * count in no figure.
 */

/* Lines with a number, in their order */
enum vivgpu_fdinfo_line {
	LINE_CLIENT_ID,
	LINE_ENGINE,
	LINE_CAPACITY,
	LINE_CYCLES,
	LINE_MAXFREQ,
	LINE_JOBS,
	LINE_COUNTED_JOBS,
	LINE_VERTICES,
	LINE_PRIMITIVES,
	LINE_FRAGMENTS,
	LINE_MISSED,
	LINE_OVERRUNS,
	LINE_PREDICTED,
	LINE_PREDICTED_ENGINE,
	LINE_TOTAL,
	LINE_SHARED,
	LINE_ACTIVE,
	LINE_RESIDENT,
	LINE_PURGEABLE,
	NR_LINES,
};

/* What is before and after the number of a line */
struct vivgpu_fdinfo_text {
	const char *key;
	u8 key_length;
	u8 unit_length;
	const char *unit;
};

#define LINE(key, unit)	{ key ":\t", sizeof(key ":\t") - 1, sizeof(unit "\n") - 1, unit "\n" }

static const struct vivgpu_fdinfo_text vivgpu_fdinfo_lines[NR_LINES] = {
	[LINE_CLIENT_ID] = LINE("drm-client-id", ""),
	[LINE_ENGINE] = LINE("drm-engine-3d", " ns"),
	[LINE_CAPACITY] = LINE("drm-engine-capacity-3d", ""),
	[LINE_CYCLES] = LINE("drm-cycles-3d", ""),
	[LINE_MAXFREQ] = LINE("drm-maxfreq-3d", " Hz"),
	[LINE_JOBS] = LINE("vivgpu-jobs-3d", ""),
	[LINE_COUNTED_JOBS] = LINE("vivgpu-counted-jobs-3d", ""),
	[LINE_VERTICES] = LINE("vivgpu-vertices-3d", ""),
	[LINE_PRIMITIVES] = LINE("vivgpu-primitives-3d", ""),
	[LINE_FRAGMENTS] = LINE("vivgpu-fragments-3d", ""),
	[LINE_MISSED] = LINE("vivgpu-missed-deadlines-3d", ""),
	[LINE_OVERRUNS] = LINE("vivgpu-overruns-3d", ""),
	[LINE_PREDICTED] = LINE("vivgpu-predicted-3d", " ns"),
	[LINE_PREDICTED_ENGINE] = LINE("vivgpu-predicted-engine-3d", " ns"),
	[LINE_TOTAL] = LINE("drm-total-memory", " KiB"),
	[LINE_SHARED] = LINE("drm-shared-memory", " KiB"),
	[LINE_ACTIVE] = LINE("drm-active-memory", " KiB"),
	[LINE_RESIDENT] = LINE("drm-resident-memory", " KiB"),
	[LINE_PURGEABLE] = LINE("drm-purgeable-memory", " KiB"),
};

#define DIGITS		20
/* Not less than the lines: a key has 26 characters or fewer, a unit 4, and three separate them. */
#define MAX_BYTES	(NR_LINES * (26 + 4 + 3 + DIGITS))

/* Add the running job so far to figures. @client: whose they are, NULL for all clients */
static void vivgpu_fdinfo_add_running(struct vivgpu_usage *usage,
				      const struct vivgpu_client *client,
				      const struct vivgpu_running *running,
				      const struct vivgpu_clock *clock, u64 now_ns)
{
	if (running->client && (!client || running->client == client))
		vivgpu_usage_add_running(usage, &running->times, clock,
					 vivgpu_clock_estimate(clock, now_ns), now_ns);
}

/* Store the highest figures of a client that were shown, and get them. */
static void vivgpu_fdinfo_report(struct vivgpu_client *client, struct vivgpu_usage *usage)
{
	spin_lock(&client->reported_lock);
	vivgpu_usage_update_max(&client->reported, usage);
	*usage = client->reported;
	spin_unlock(&client->reported_lock);
}

/* Get a client's usage up to now, of a consistent snapshot that is taken without locks. */
static void vivgpu_fdinfo_usage(struct vivgpu_device *vdev, struct vivgpu_client *client,
				struct vivgpu_usage *usage)
{
	struct vivgpu_running running;
	struct vivgpu_clock clock;
	unsigned int start;
	u64 now_ns;

	do {
		start = read_seqcount_begin(&vdev->usage_seq);
		*usage = client->usage;
		running = vdev->running;
		clock = vdev->clock;
		now_ns = ktime_get_ns();
	} while (read_seqcount_retry(&vdev->usage_seq, start));

	vivgpu_fdinfo_add_running(usage, client, &running, &clock, now_ns);
	vivgpu_fdinfo_report(client, usage);
}

/*
 * Add a buffer to the sums, as drm_show_memory_stats() does, but jobs without implicit fences make
 * a buffer active too.
 */
static __always_inline void vivgpu_fdinfo_add_buffer(struct drm_memory_stats *stats,
						     struct drm_gem_object *obj)
{
	const struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);
	bool active = vivgpu_gem_is_active(obj);

	if (drm_gem_object_is_shared_for_memory_stats(obj))
		stats->shared += obj->size;
	else
		stats->private += obj->size;
	if (active)
		stats->active += obj->size;
	if (!shmem->pages)
		return;

	stats->resident += obj->size;
	if (shmem->madv > 0 && !active)
		stats->purgeable += obj->size;
}

static void vivgpu_fdinfo_add_closed(void *data, struct drm_gem_object *obj)
{
	vivgpu_fdinfo_add_buffer(data, obj);
}

/* Sum up buffers with a handle, and those that jobs still use though their handle is closed. */
static void vivgpu_fdinfo_memory(struct drm_file *file, u64 *numbers)
{
	struct vivgpu_file *vfile = file->driver_priv;
	struct drm_memory_stats stats = { };
	struct radix_tree_iter iter;
	void __rcu **slot;

	/* idr_for_each_entry() descends from the root of the tree for each handle. */
	spin_lock(&file->table_lock);
	radix_tree_for_each_slot(slot, &file->object_idr.idr_rt, &iter, 0)
		vivgpu_fdinfo_add_buffer(&stats, rcu_dereference_protected(*slot, true));
	spin_unlock(&file->table_lock);
	vivgpu_vm_visit_closed(vfile->vm, vivgpu_fdinfo_add_closed, &stats);

	/* Buffers are whole pages. */
	numbers[LINE_TOTAL] = (stats.private + stats.shared) / SZ_1K;
	numbers[LINE_SHARED] = stats.shared / SZ_1K;
	numbers[LINE_ACTIVE] = stats.active / SZ_1K;
	numbers[LINE_RESIDENT] = stats.resident / SZ_1K;
	numbers[LINE_PURGEABLE] = stats.purgeable / SZ_1K;
}

static char *vivgpu_fdinfo_put_number(char *to, u64 number)
{
	char digits[DIGITS];
	u32 digit, count = 0;

	do {
		number = div_u64_rem(number, 10, &digit);
		digits[count++] = '0' + digit;
	} while (number);
	while (count)
		*to++ = digits[--count];
	return to;
}

static char *vivgpu_fdinfo_put_line(char *to, const struct vivgpu_fdinfo_text *line,
				    u64 number)
{
	memcpy(to, line->key, line->key_length);
	to = vivgpu_fdinfo_put_number(to + line->key_length, number);
	memcpy(to, line->unit, line->unit_length);
	return to + line->unit_length;
}

static void vivgpu_fdinfo_show_numbers(struct seq_file *m, const u64 *numbers)
{
	char *begin, *end;
	u32 i;

	/* After an overflow seq_file calls again with a larger buffer. */
	if (seq_get_buf(m, &begin) < MAX_BYTES) {
		seq_commit(m, -1);
		return;
	}

	end = begin;
	for (i = 0; i < NR_LINES; i++) {
		if (i != LINE_MAXFREQ || numbers[i])
			end = vivgpu_fdinfo_put_line(end, &vivgpu_fdinfo_lines[i], numbers[i]);
	}
	seq_commit(m, end - begin);
}

/* What is not a number: the driver, the device, and on newer kernels what the client is called. */
static void vivgpu_fdinfo_show_names(struct seq_file *m, struct drm_file *file)
{
	struct device *dev = file->minor->dev->dev;

	seq_puts(m, "drm-driver:\tvivgpu\n");
	if (dev_is_pci(dev)) {
		seq_puts(m, "drm-pdev:\t");
		seq_puts(m, dev_name(dev));
		seq_putc(m, '\n');
	}
	vivgpu_compat_show_client_name(m, file);
}

static void vivgpu_fdinfo_show_file(struct seq_file *m, struct drm_file *file)
{
	struct vivgpu_device *vdev = to_vivgpu(file->minor->dev);
	struct vivgpu_file *vfile = file->driver_priv;
	u64 numbers[NR_LINES] = { [LINE_CLIENT_ID] = file->client_id, [LINE_CAPACITY] = 1 };
	struct vivgpu_usage usage;

	vivgpu_fdinfo_usage(vdev, vfile->client, &usage);
	numbers[LINE_ENGINE] = usage.busy_ns;
	numbers[LINE_CYCLES] = usage.cycles;
	numbers[LINE_MAXFREQ] = vdev->clock_hz;
	numbers[LINE_JOBS] = usage.jobs;
	numbers[LINE_COUNTED_JOBS] = usage.counted_jobs;
	numbers[LINE_VERTICES] = usage.counts.value[VIVGPU_COUNT_VERTICES];
	numbers[LINE_PRIMITIVES] = usage.counts.value[VIVGPU_COUNT_PRIMITIVES];
	numbers[LINE_FRAGMENTS] = usage.counts.value[VIVGPU_COUNT_FRAGMENTS];
	numbers[LINE_MISSED] = usage.missed;
	numbers[LINE_OVERRUNS] = usage.overruns;
	numbers[LINE_PREDICTED] = usage.predicted_ns;
	numbers[LINE_PREDICTED_ENGINE] = usage.predicted_busy_ns;
	vivgpu_fdinfo_memory(file, numbers);
	vivgpu_fdinfo_show_names(m, file);
	vivgpu_fdinfo_show_numbers(m, numbers);
}

/**
 * vivgpu_fdinfo_show - &file_operations.show_fdinfo: print the figures of an open file
 * @m: the file in /proc
 * @f: the open file
 *
 * Not drm_show_fdinfo(), whose &drm_printer formats each line twice: tools read this of every
 * process every second, and the formatting took more than half of a reading. After an unbind there
 * are no figures.
 */
void vivgpu_fdinfo_show(struct seq_file *m, struct file *f)
{
	struct drm_file *file = f->private_data;
	int cookie;

	if (!drm_dev_enter(file->minor->dev, &cookie))
		return;

	vivgpu_fdinfo_show_file(m, file);
	drm_dev_exit(cookie);
}

/*
 * Totals of a client or of the device (DRM_IOCTL_VIVGPU_USAGE). They are sums that the ends of
 * jobs are added to, so they do not depend on streams of records, which may overflow. All are
 * copied with the device's lock held, so they fit together. As for fdinfo no register is read,
 * since the interrupt handler waits for the lock: the cycles of the running job are estimated.
 */

static void vivgpu_fdinfo_totals_set(struct drm_vivgpu_usage *args,
				     const struct vivgpu_usage *usage,
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
static void vivgpu_fdinfo_totals_of_client(struct vivgpu_device *vdev, struct vivgpu_client *client,
					   struct drm_vivgpu_usage *args)
{
	struct vivgpu_usage usage;
	struct vivgpu_ended ended;

	vivgpu_stretch(VIVGPU_STRETCH_CLIENT_FIND);
	spin_lock_irq(&vdev->lock);
	args->time_ns = ktime_get_ns();
	usage = client->usage;
	ended = client->ended;
	vivgpu_fdinfo_add_running(&usage, client, &vdev->running, &vdev->clock, args->time_ns);
	args->lost_records = client->lost_records + vivgpu_stream_lost(vdev, client->id);
	args->submitted = atomic64_read(&client->submitted);
	spin_unlock_irq(&vdev->lock);

	args->client = client->id;
	args->clients = 1;
	/* As with fdinfo, a figure never decreases. */
	vivgpu_fdinfo_report(client, &usage);
	vivgpu_fdinfo_totals_set(args, &usage, &ended);
}

/* Totals of all clients; owners_lock held. */
static void vivgpu_fdinfo_totals_of_device(struct vivgpu_device *vdev,
					   struct drm_vivgpu_usage *args)
{
	struct vivgpu_usage usage;

	args->clients = list_count_nodes(&vdev->clients);
	spin_lock_irq(&vdev->lock);
	args->time_ns = ktime_get_ns();
	usage = vdev->usage;
	vivgpu_fdinfo_add_running(&usage, NULL, &vdev->running, &vdev->clock, args->time_ns);
	vivgpu_usage_update_max(&vdev->reported, &usage);
	vivgpu_fdinfo_totals_set(args, &vdev->reported, &vdev->ended);
	args->lost_records = vdev->lost_records;
	args->submitted = atomic64_read(&vdev->submitted);
	spin_unlock_irq(&vdev->lock);
}

/* Find a client by its number; owners_lock held. NULL if there is none. */
static struct vivgpu_client *vivgpu_fdinfo_totals_find(struct vivgpu_device *vdev, u64 id)
{
	struct vivgpu_client *client;

	list_for_each_entry(client, &vdev->clients, link) {
		if (client->id == id)
			return client;
	}
	return NULL;
}

/* Check the arguments, and whether the caller has the privilege for other totals than its own. */
static int vivgpu_fdinfo_totals_check(const struct drm_vivgpu_usage *args, u64 own)
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

static int vivgpu_fdinfo_totals_get(struct vivgpu_device *vdev, struct drm_vivgpu_usage *args)
{
	bool device = args->flags & DRM_VIVGPU_USAGE_DEVICE;
	struct vivgpu_client *client = NULL;
	int ret = 0;

	mutex_lock(&vdev->owners_lock);
	if (!device)
		client = vivgpu_fdinfo_totals_find(vdev, args->client);
	if (device)
		vivgpu_fdinfo_totals_of_device(vdev, args);
	else if (client)
		vivgpu_fdinfo_totals_of_client(vdev, client, args);
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

	ret = vivgpu_fdinfo_totals_check(args, own);
	if (ret)
		return ret;

	if (!args->flags)
		args->client = own;
	return vivgpu_fdinfo_totals_get(to_vivgpu(drm), args);
}
