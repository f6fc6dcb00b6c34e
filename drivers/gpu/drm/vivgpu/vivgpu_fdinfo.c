// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: What fdinfo says
 *
 * The figures of a client are those of its finished jobs and, if the oldest job
 * in the ring is its, what that one has used up to the moment of reading. They
 * are read without the device's lock, so that no reader delays the interrupt
 * handler: a sequence count tells whether something changed meanwhile.
 *
 * A reader's clock may run ahead of an interrupt's stamp that is not in the
 * books yet. So that no figure ever decreases, the highest ones shown are kept;
 * they are shown until the true ones have caught up.
 *
 * Parsers match keys by their beginning, and want the capacity directly behind
 * the engine: the order here is part of the interface.
 */

#include <linux/dma-resv.h>
#include <linux/math64.h>
#include <linux/pm_runtime.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "vivgpu_device.h"
#include "vivgpu_drv.h"
#include "vivgpu_fdinfo.h"

/* What one reading saw. */
struct reading {
	struct vivgpu_usage usage;
	struct vivgpu_running running;
	struct vivgpu_clock clock;
	u64 now_ns;
	bool awake;
	u32 raw;
};

/* Lock-free; @powered: the core's registers can be read while it is awake. */
static void read_all(struct vivgpu_device *vdev, const struct vivgpu_client *client,
		     bool powered, struct reading *r)
{
	unsigned int start;

	do {
		start = read_seqcount_begin(&vdev->usage_seq);
		r->usage = client->usage;
		r->running = vdev->running;
		r->clock = vdev->clock;
		r->awake = vdev->awake && powered;
		r->now_ns = ktime_get_ns();
		r->raw = r->awake && r->running.client == client ?
			 vivgpu_read(vdev, vdev->cycles_reg) : r->clock.raw;
	} while (read_seqcount_retry(&vdev->usage_seq, start));
}

/**
 * vivgpu_fdinfo_usage - what a client has used up to now
 * @vdev: the device
 * @client: the client
 * @usage: the figures
 */
void vivgpu_fdinfo_usage(struct vivgpu_device *vdev, struct vivgpu_client *client,
			 struct vivgpu_usage *usage)
{
	struct device *dev = vdev->drm.dev;
	bool powered = pm_runtime_get_if_active(dev) > 0;
	struct reading r;

	read_all(vdev, client, powered, &r);
	if (powered) {
		pm_runtime_mark_last_busy(dev);
		pm_runtime_put_autosuspend(dev);
	}

	/* A card that was pulled reads as ones everywhere. */
	if (r.raw == U32_MAX)
		r.raw = r.clock.raw;
	if (r.running.client == client)
		vivgpu_usage_add_running(&r.usage, &r.running.times, &r.clock, r.raw, r.now_ns);

	spin_lock(&client->shown_lock);
	vivgpu_usage_raise(&client->shown, &r.usage);
	*usage = client->shown;
	spin_unlock(&client->shown_lock);
}

/**
 * struct memory - what a file's buffers take, in KiB
 * @shared: of buffers that others know too
 * @private: of those that nobody else knows
 * @active: of those that the GPU uses
 * @resident: of those that have pages
 * @purgeable: of those that may be thrown away
 */
struct memory {
	u64 shared;
	u64 private;
	u64 active;
	u64 resident;
	u64 purgeable;
};

static void add_buffer(struct memory *memory, struct drm_gem_object *obj)
{
	enum drm_gem_object_status status = obj->funcs->status(obj);
	bool active = !dma_resv_test_signaled(obj->resv, dma_resv_usage_rw(true));
	u64 size = obj->size / SZ_1K;

	if (drm_gem_object_is_shared_for_memory_stats(obj))
		memory->shared += size;
	else
		memory->private += size;
	if (active)
		memory->active += size;
	if (!(status & DRM_GEM_OBJECT_RESIDENT))
		return;

	memory->resident += size;
	if (status & DRM_GEM_OBJECT_PURGEABLE && !active)
		memory->purgeable += size;
}

static void add_buffers(struct memory *memory, struct drm_file *file)
{
	struct drm_gem_object *obj;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, obj, id)
		add_buffer(memory, obj);
	spin_unlock(&file->table_lock);
}

/* All lines with the largest numbers need less than 600. */
#define TEXT_BYTES	640
/* Of 2^64 - 1 */
#define MOST_DIGITS	20

/*
 * Lines on their way to the printer, which then is called once. Decoding formats
 * would be most of the work of a reading.
 */
struct text {
	size_t length;
	char bytes[TEXT_BYTES];
};

static __always_inline void put(struct text *text, const char *bytes, size_t length)
{
	/* Room for a zero stays. */
	if (length >= TEXT_BYTES - text->length)
		return;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
}

static void put_number(struct text *text, u64 value)
{
	char digits[MOST_DIGITS];
	size_t first = MOST_DIGITS;

	do {
		u64 rest = div_u64(value, 10);

		digits[--first] = '0' + (value - rest * 10);
		value = rest;
	} while (value);
	put(text, digits + first, MOST_DIGITS - first);
}

/* A line; @key and @unit are constants, so their lengths are too. */
static __always_inline void put_line(struct text *text, const char *key, u64 value,
				     const char *unit)
{
	put(text, key, strlen(key));
	put_number(text, value);
	put(text, unit, strlen(unit));
}

/*
 * The keys of drm_show_memory_stats(), always in KiB, and an older name of one of
 * them. One look at the buffers serves for all.
 */
static void put_memory(struct text *text, struct drm_file *file)
{
	struct memory memory = { 0 };

	add_buffers(&memory, file);
	put_line(text, "drm-total-memory:\t", memory.shared + memory.private, " KiB\n");
	put_line(text, "drm-shared-memory:\t", memory.shared, " KiB\n");
	put_line(text, "drm-active-memory:\t", memory.active, " KiB\n");
	put_line(text, "drm-resident-memory:\t", memory.resident, " KiB\n");
	put_line(text, "drm-purgeable-memory:\t", memory.purgeable, " KiB\n");
	put_line(text, "drm-memory-memory:\t", memory.resident, " KiB\n");
}

/**
 * vivgpu_fdinfo_show - print the figures of an open file
 * @p: where to
 * @file: the file
 */
void vivgpu_fdinfo_show(struct drm_printer *p, struct drm_file *file)
{
	struct vivgpu_device *vdev = to_vivgpu(file->minor->dev);
	struct vivgpu_file *vfile = file->driver_priv;
	struct vivgpu_usage usage;
	struct text text;

	text.length = 0;
	vivgpu_fdinfo_usage(vdev, vfile->client, &usage);
	put_line(&text, "drm-engine-3d:\t", usage.busy_ns, " ns\ndrm-engine-capacity-3d:\t1\n");
	put_line(&text, "drm-cycles-3d:\t", usage.cycles, "\n");
	if (vdev->clock_hz)
		put_line(&text, "drm-maxfreq-3d:\t", vdev->clock_hz, " Hz\n");
	put_line(&text, "vivgpu-jobs-3d:\t", usage.jobs, "\n");
	put_memory(&text, file);
	text.bytes[text.length] = '\0';
	drm_puts(p, text.bytes);
}
