// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs: usage of clients, reservations, jobs in the ring, the divider of the clock, errata,
 * mapped buffers, and the command streams of the last jobs, whose number is written to
 * capture_streams.
 */

#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_managed.h>

#include "vivgpu_client.h"
#include "vivgpu_debugfs.h"
#include "vivgpu_device.h"
#include "vivgpu_errata.h"
#include "vivgpu_gem.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"

#define WORDS_PER_LINE		8

/**
 * struct vivgpu_captured_stream - the words of a job
 */
struct vivgpu_captured_stream {
	/** @link: in the list */
	struct list_head link;
	/** @client: number of the client */
	u64 client;
	/** @job: its number */
	u32 job;
	/** @cookie: value that the client gave */
	u64 cookie;
	/** @count: number of @words */
	u32 count;
	/** @words: the stream as the client passed it */
	u32 *words;
};

static void vivgpu_debugfs_free_captured_stream(struct vivgpu_captured_stream *stream)
{
	kvfree(stream->words);
	kfree(stream);
}

/* Free the oldest streams until at most @max_count are left; lock held. */
static void vivgpu_debugfs_trim_captures(struct vivgpu_capture *capture, u32 max_count)
{
	while (capture->count > max_count) {
		struct vivgpu_captured_stream *oldest =
			list_first_entry(&capture->list, struct vivgpu_captured_stream, link);

		list_del(&oldest->link);
		vivgpu_debugfs_free_captured_stream(oldest);
		capture->count--;
	}
}

/**
 * vivgpu_capture_alloc - allocate the entry of a captured stream
 * @vdev: the device
 *
 * Return: memory for vivgpu_capture_add(), to be freed with kfree() otherwise; NULL if
 * capturing is off or there is no memory.
 */
struct vivgpu_captured_stream *vivgpu_capture_alloc(struct vivgpu_device *vdev)
{
	if (!READ_ONCE(vdev->capture.max_count))
		return NULL;

	return kzalloc(sizeof(struct vivgpu_captured_stream), GFP_KERNEL);
}

/**
 * vivgpu_capture_set_job - store client, number and cookie of the job, which may be freed later
 * @stream: result of vivgpu_capture_alloc(); NULL does nothing
 * @job: the job, which already has its number
 */
void vivgpu_capture_set_job(struct vivgpu_captured_stream *stream, const struct vivgpu_job *job)
{
	if (!stream)
		return;

	stream->client = job->client->id;
	stream->job = job->id;
	stream->cookie = job->cookie;
	stream->count = job->stream_size / sizeof(u32);
}

/**
 * vivgpu_capture_add - add a captured stream to the list
 * @vdev: the device
 * @stream: result of vivgpu_capture_alloc(), after vivgpu_capture_set_job(); NULL does nothing
 * @words: the words, taken over and set to NULL
 */
void vivgpu_capture_add(struct vivgpu_device *vdev, struct vivgpu_captured_stream *stream,
			u32 **words)
{
	struct vivgpu_capture *capture = &vdev->capture;

	if (!stream)
		return;

	stream->words = *words;
	*words = NULL;
	mutex_lock(&capture->lock);
	list_add_tail(&stream->link, &capture->list);
	capture->count++;
	vivgpu_debugfs_trim_captures(capture, capture->max_count);
	mutex_unlock(&capture->lock);
}

static void vivgpu_debugfs_release_capture(struct drm_device *drm, void *data)
{
	struct vivgpu_capture *capture = data;

	mutex_lock(&capture->lock);
	vivgpu_debugfs_trim_captures(capture, 0);
	mutex_unlock(&capture->lock);
	mutex_destroy(&capture->lock);
}

/**
 * vivgpu_capture_init - nothing is kept yet
 * @vdev: the device
 *
 * Return: 0 or -ENOMEM.
 */
int vivgpu_capture_init(struct vivgpu_device *vdev)
{
	mutex_init(&vdev->capture.lock);
	INIT_LIST_HEAD(&vdev->capture.list);
	return drmm_add_action_or_reset(&vdev->drm, vivgpu_debugfs_release_capture, &vdev->capture);
}

static int vivgpu_debugfs_get_capture_count(void *data, u64 *value)
{
	struct vivgpu_device *vdev = data;

	*value = READ_ONCE(vdev->capture.max_count);
	return 0;
}

static int vivgpu_debugfs_set_capture_count(void *data, u64 value)
{
	struct vivgpu_device *vdev = data;

	if (value > VIVGPU_MAX_CAPTURED_STREAMS)
		return -EINVAL;

	mutex_lock(&vdev->capture.lock);
	WRITE_ONCE(vdev->capture.max_count, value);
	vivgpu_debugfs_trim_captures(&vdev->capture, value);
	mutex_unlock(&vdev->capture.lock);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(vivgpu_debugfs_capture_fops, vivgpu_debugfs_get_capture_count,
			 vivgpu_debugfs_set_capture_count, "%llu\n");

static void vivgpu_debugfs_show_captured_stream(struct seq_file *m,
						const struct vivgpu_captured_stream *stream)
{
	u32 i;

	seq_printf(m, "client %llu job %u cookie %llx words %u", stream->client, stream->job,
		   stream->cookie, stream->count);
	for (i = 0; i < stream->count; i++)
		seq_printf(m, "%s%08x", i % WORDS_PER_LINE ? " " : "\n", stream->words[i]);
	seq_puts(m, "\n");
}

static int vivgpu_debugfs_streams_show(struct seq_file *m, void *unused)
{
	struct vivgpu_device *vdev = m->private;
	struct vivgpu_captured_stream *stream;

	mutex_lock(&vdev->capture.lock);
	list_for_each_entry(stream, &vdev->capture.list, link)
		vivgpu_debugfs_show_captured_stream(m, stream);
	mutex_unlock(&vdev->capture.lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vivgpu_debugfs_streams);

static int vivgpu_debugfs_usage_show(struct seq_file *m, void *unused)
{
	struct vivgpu_device *vdev = m->private;
	struct vivgpu_client *client;

	seq_puts(m, "client jobs guilty busy_ns cycles\n");
	mutex_lock(&vdev->owners_lock);
	list_for_each_entry(client, &vdev->clients, link) {
		struct vivgpu_usage usage;

		spin_lock_irq(&vdev->lock);
		usage = client->usage;
		spin_unlock_irq(&vdev->lock);
		seq_printf(m, "%llu %llu %d %llu %llu\n", client->id, usage.jobs,
			   atomic_read(&client->guilty), usage.busy_ns, usage.cycles);
	}
	mutex_unlock(&vdev->owners_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vivgpu_debugfs_usage);

static void vivgpu_debugfs_show_mappings(struct seq_file *m, struct vivgpu_vm *vm)
{
	struct vivgpu_mapping *mapping;
	char label[VIVGPU_LABEL_SIZE];

	mutex_lock(&vm->lock);
	list_for_each_entry(mapping, &vm->mappings, link) {
		vivgpu_gem_label(mapping->obj, label);
		seq_printf(m, "  %08llx %08llx%s %s\n", mapping->node.start, mapping->node.size,
			   mapping->closed ? " closed" : "", label);
	}
	mutex_unlock(&vm->lock);
}

static int vivgpu_debugfs_mmu_show(struct seq_file *m, void *unused)
{
	struct vivgpu_device *vdev = m->private;
	struct vivgpu_client *client;

	mutex_lock(&vdev->owners_lock);
	list_for_each_entry(client, &vdev->clients, link) {
		seq_printf(m, "client %llu%s\n", client->id,
			   READ_ONCE(vdev->vm) == client->vm ? " (current)" : "");
		vivgpu_debugfs_show_mappings(m, client->vm);
	}
	mutex_unlock(&vdev->owners_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vivgpu_debugfs_mmu);

/* Jobs that the list of the ring shows, the first ones */
#define RING_LINES	VIVGPU_HELD_EVENTS

/* Data of a job that is shown in the list of the ring */
struct ring_line {
	u64 client;
	u32 job;
	u32 words;
	u32 va;
	bool ready;
};

static u32 vivgpu_debugfs_copy_jobs(struct list_head *list, bool ready, struct ring_line *lines,
				    u32 count)
{
	struct vivgpu_job *job;

	list_for_each_entry(job, list, arbiter.link) {
		if (count == RING_LINES)
			break;
		lines[count++] = (struct ring_line){
			.client = job->client->id,
			.job = job->id,
			.words = job->total_words,
			.va = job->va,
			.ready = ready,
		};
	}
	return count;
}

static int vivgpu_debugfs_ring_show(struct seq_file *m, void *unused)
{
	struct vivgpu_device *vdev = m->private;
	struct ring_line lines[RING_LINES];
	struct vivgpu_events events;
	u32 slot, scrub, count, i;
	u64 given, done;

	spin_lock_irq(&vdev->lock);
	slot = vdev->ring.slot;
	scrub = vdev->scrub.head - vdev->scrub.tail;
	given = vdev->ring_seqno;
	done = vdev->done_seqno;
	events = vdev->events;
	count = vivgpu_debugfs_copy_jobs(&vdev->jobs, false, lines, 0);
	count = vivgpu_debugfs_copy_jobs(&vdev->ready_jobs, true, lines, count);
	spin_unlock_irq(&vdev->lock);

	seq_printf(m, "slot %u given %llu done %llu resets %u\n", slot, given, done,
		   READ_ONCE(vdev->resets));
	seq_printf(m, "events %u..%u scrub words %u\n", events.first, events.next, scrub);
	for (i = 0; i < count; i++)
		seq_printf(m, "client %llu job %u words %u at %08x%s\n", lines[i].client,
			   lines[i].job, lines[i].words, lines[i].va,
			   lines[i].ready ? " ready" : "");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vivgpu_debugfs_ring);

static void vivgpu_debugfs_show_servers(struct seq_file *m, const struct vivgpu_arbiter *arbiter)
{
	const struct vivgpu_server *server;

	seq_puts(m, "budget_ns period_ns left_ns deadline_ns pending\n");
	list_for_each_entry(server, &arbiter->servers, link)
		seq_printf(m, "%llu %llu %lld %llu %u\n", server->reservation.budget_ns,
			   server->reservation.period_ns, server->budget_ns, server->deadline_ns,
			   server->pending);
}

/* At most 64 short lines are written with the device's lock held. */
static int vivgpu_debugfs_deadlines_show(struct seq_file *m, void *unused)
{
	struct vivgpu_device *vdev = m->private;
	const struct vivgpu_arbiter *arbiter = &vdev->deadlines.arbiter;

	spin_lock_irq(&vdev->lock);
	seq_printf(m, "active %d blocking_ns %llu horizon_ns %llu\n", vdev->deadlines.active,
		   arbiter->admitted.blocking_ns, arbiter->admitted.horizon_ns);
	seq_printf(m, "missed %llu overruns %llu forced %llu idle_ns %llu ended %u\n",
		   arbiter->missed, arbiter->overruns, arbiter->forced, arbiter->idle_ns,
		   vdev->evictions);
	vivgpu_debugfs_show_servers(m, arbiter);
	spin_unlock_irq(&vdev->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vivgpu_debugfs_deadlines);

static int vivgpu_debugfs_get_clock_scale(void *data, u64 *value)
{
	struct vivgpu_device *vdev = data;

	*value = READ_ONCE(vdev->freq.wanted);
	return 0;
}

static int vivgpu_debugfs_set_clock_scale(void *data, u64 value)
{
	struct vivgpu_device *vdev = data;
	int ret = vivgpu_freq_set(vdev, min_t(u64, value, U32_MAX));

	if (!ret)
		flush_work(&vdev->freq.work);
	return ret;
}
DEFINE_DEBUGFS_ATTRIBUTE(vivgpu_debugfs_clock_scale, vivgpu_debugfs_get_clock_scale,
			 vivgpu_debugfs_set_clock_scale, "%llu\n");

static int vivgpu_debugfs_errata_show(struct seq_file *m, void *unused)
{
	struct vivgpu_device *vdev = m->private;
	const struct vivgpu_erratum *row = NULL;

	while ((row = vivgpu_errata_next(&vdev->identity, row)))
		seq_printf(m, "register %03x clear %08x set %08x %s\n", row->reg, row->clear,
			   row->set, row->source);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vivgpu_debugfs_errata);

/**
 * vivgpu_debugfs_init - make the files of a device node
 * @minor: the node
 */
void vivgpu_debugfs_init(struct drm_minor *minor)
{
	struct vivgpu_device *vdev = to_vivgpu(minor->dev);
	struct dentry *root = minor->debugfs_root;

	debugfs_create_file("usage", 0400, root, vdev, &vivgpu_debugfs_usage_fops);
	debugfs_create_file("deadlines", 0400, root, vdev, &vivgpu_debugfs_deadlines_fops);
	debugfs_create_file("ring", 0400, root, vdev, &vivgpu_debugfs_ring_fops);
	debugfs_create_file_unsafe("clock_scale", 0600, root, vdev, &vivgpu_debugfs_clock_scale);
	debugfs_create_file("errata", 0400, root, vdev, &vivgpu_debugfs_errata_fops);
	debugfs_create_file("mmu", 0400, root, vdev, &vivgpu_debugfs_mmu_fops);
	debugfs_create_file("streams", 0400, root, vdev, &vivgpu_debugfs_streams_fops);
	debugfs_create_file_unsafe("capture_streams", 0600, root, vdev,
				   &vivgpu_debugfs_capture_fops);
}
