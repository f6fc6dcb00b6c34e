// SPDX-License-Identifier: GPL-2.0-only
/*
 * DOC: Dumps of faults, by devcoredump
 *
 * A dump is taken during the recovery from a fault or a hang (both are called faults here), before
 * the reset. Fences depend on the recovery, so memory must not be allocated there (reclaim may wait
 * for fences). The data is copied to one of four slots that were allocated with the device. A work
 * formats it as text later and passes it to devcoredump.
 *
 * devcoredump holds one dump per device and drops further ones. The next slot is passed to it
 * after user space has dismissed the previous dump, or devcoredump's timeout of five minutes
 * has expired. So user space gets the first faults in order; while all slots are in use,
 * further faults are only counted.
 */

#include <linux/devcoredump.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "vivgpu_client.h"
#include "vivgpu_compat.h"
#include "vivgpu_device.h"
#include "vivgpu_gem.h"
#include "vivgpu_hw.h"
#include "vivgpu_job.h"
#include "vivgpu_mmu.h"
#include "vivgpu_regs.h"

#define DUMP_SLOTS		4
/* Words of the stream that are copied, with the front end's position in the middle */
#define STREAM_WORDS	512
#define MAX_DUMP_BOS	256
#define WORDS_PER_LINE	4
/* Slots of the ring that are shown, and the words in use of each */
#define RING_SHOWN	8
#define RING_SLOT_USED	(RING_WAIT + 4)
/* More than the text of a dump with MAX_DUMP_BOS buffers takes */
#define TEXT_BYTES	SZ_128K
/* devcoredump accepts the next dump a short time after it has called vivgpu_dump_free_text() */
#define NEXT_DELAY_MS	20

static const struct {
	const char *name;
	u16 offset;
} vivgpu_dump_registers[] = {
	{ "HI_CLOCK_CONTROL", HI_CLOCK_CONTROL },
	{ "HI_IDLE_STATE", HI_IDLE_STATE },
	{ "HI_AXI_CONFIG", HI_AXI_CONFIG },
	{ "HI_INTR_ENBL", HI_INTR_ENBL },
	{ "HI_PROFILE_TOTAL_CYCLES", HI_PROFILE_TOTAL_CYCLES },
	{ "PM_POWER_CONTROLS", PM_POWER_CONTROLS },
	{ "PM_MODULE_CONTROLS", PM_MODULE_CONTROLS },
	{ "PM_PULSE_EATER", PM_PULSE_EATER },
	{ "MMUV2_STATUS", MMUV2_STATUS },
	{ "MMUV2_CONTROL", MMUV2_CONTROL },
	{ "MMUV2_EXCEPTION_ADDR_0", MMUV2_EXCEPTION_ADDR(0) },
	{ "MMUV2_EXCEPTION_ADDR_1", MMUV2_EXCEPTION_ADDR(1) },
	{ "MMUV2_EXCEPTION_ADDR_2", MMUV2_EXCEPTION_ADDR(2) },
	{ "MMUV2_EXCEPTION_ADDR_3", MMUV2_EXCEPTION_ADDR(3) },
	{ "FE_COMMAND_ADDRESS", FE_COMMAND_ADDRESS },
	{ "FE_DMA_DEBUG_STATE", FE_DMA_DEBUG_STATE },
	{ "FE_DMA_ADDRESS", FE_DMA_ADDRESS },
	{ "FE_DMA_LOW", FE_DMA_LOW },
	{ "FE_DMA_HIGH", FE_DMA_HIGH },
};

/**
 * struct dump_bo - a buffer of the job in a dump
 * @va: its address
 * @size: bytes
 * @flags: how the job uses it
 * @label: name given by the client
 */
struct dump_bo {
	u64 va;
	u64 size;
	u32 flags;
	char label[VIVGPU_LABEL_SIZE];
};

/**
 * struct vivgpu_dump - the dump of a fault
 * @time_ns: time of the fault, CLOCK_MONOTONIC
 * @client: number of the job's client, 0 if no job is guilty
 * @job: its number
 * @cookie: value that the client gave
 * @fault_status: the MMU's status at the fault
 * @fault_address: GPU address of the fault
 * @mtlb: bus address of the first level of the job's tables
 * @mtlb_entry: its entry for @fault_address
 * @stlb_entry: entry of the second level
 * @registers: values of vivgpu_dump_registers
 * @ring_va: address of the ring
 * @ring_slot: slot of the last job
 * @ring: the ring's words
 * @stream_va: address of the first word of @stream
 * @stream_words: number of words in @stream
 * @stream: part of the job's words
 * @nr_bos: buffers of the job, also those that are not in @bos
 * @bos: the first buffers
 */
struct vivgpu_dump {
	u64 time_ns;
	u64 client;
	u32 job;
	u64 cookie;
	u32 fault_status;
	u32 fault_address;
	u32 mtlb;
	u32 mtlb_entry;
	u32 stlb_entry;
	u32 registers[ARRAY_SIZE(vivgpu_dump_registers)];
	u32 ring_va;
	u32 ring_slot;
	u32 ring[RING_BYTES / sizeof(u32)];
	u32 stream_va;
	u32 stream_words;
	u32 stream[STREAM_WORDS];
	u32 nr_bos;
	struct dump_bo bos[MAX_DUMP_BOS];
};

/**
 * struct vivgpu_dumps - the dumps of a device, a ring buffer of slots
 */
struct vivgpu_dumps {
	/** @vdev: the device */
	struct vivgpu_device *vdev;
	/** @lock: protects the members up to @slots */
	spinlock_t lock;
	/** @first: number of the oldest dump; dump n is in slot n % DUMP_SLOTS */
	u32 first;
	/** @next: number of the next dump */
	u32 next;
	/** @dropped: faults without a slot for them, since a dump was published */
	u32 dropped;
	/** @published: devcoredump has the oldest dump */
	bool published;
	/** @stopped: the device is being unbound */
	bool stopped;
	/** @slots: the slots; each is written before @next counts it, and only read afterwards */
	struct vivgpu_dump *slots;
	/** @publish: work that passes the oldest dump to devcoredump */
	struct delayed_work publish;
};

/**
 * struct dump_text - a dump as text, passed to devcoredump
 * @dumps: dumps of its device, which is referenced
 * @length: length of @text
 * @text: the text
 */
struct dump_text {
	struct vivgpu_dumps *dumps;
	size_t length;
	char text[];
};

/* Copy the words around @fe, the front end's address; the first ones if it is elsewhere. */
static void vivgpu_dump_copy_stream(struct vivgpu_dump *dump, const struct vivgpu_job *job, u32 fe)
{
	u32 at = (fe - job->va) / sizeof(u32), first = 0;

	if (at < job->total_words && at > STREAM_WORDS / 2)
		first = min(at - STREAM_WORDS / 2, job->total_words - 1) & ~1u;
	dump->stream_va = job->va + first * sizeof(u32);
	dump->stream_words = min(job->total_words - first, STREAM_WORDS);
	memcpy(dump->stream, job->words + first, dump->stream_words * sizeof(u32));
}

static void vivgpu_dump_copy_bos(struct vivgpu_dump *dump, const struct vivgpu_job *job)
{
	u32 i;

	dump->nr_bos = job->nr_bos;
	for (i = 0; i < min(job->nr_bos, MAX_DUMP_BOS); i++) {
		dump->bos[i].va = job->bos[i].va;
		dump->bos[i].size = job->bos[i].obj->size;
		dump->bos[i].flags = job->bos[i].flags;
		vivgpu_gem_label(job->bos[i].obj, dump->bos[i].label);
	}
}

static void vivgpu_dump_copy_job(struct vivgpu_dump *dump, const struct vivgpu_job *job)
{
	dump->client = job->client->id;
	dump->job = job->id;
	dump->cookie = job->cookie;
	vivgpu_dump_copy_stream(dump, job, vivgpu_read(job->vdev, FE_DMA_ADDRESS));
	vivgpu_dump_copy_bos(dump, job);
	vivgpu_vm_walk(job->vm, dump->fault_address, &dump->mtlb, &dump->mtlb_entry,
		       &dump->stlb_entry);
}

static void vivgpu_dump_fill_slot(struct vivgpu_dump *dump, struct vivgpu_device *vdev,
				  const struct vivgpu_job *job)
{
	size_t i;

	memset(dump, 0, sizeof(*dump));
	dump->time_ns = ktime_get_ns();
	dump->fault_status = vdev->fault_status;
	dump->fault_address = vdev->fault_address;
	for (i = 0; i < ARRAY_SIZE(vivgpu_dump_registers); i++)
		dump->registers[i] = vivgpu_read(vdev, vivgpu_dump_registers[i].offset);
	dump->ring_va = vdev->ring.va;
	dump->ring_slot = vdev->ring.slot;
	memcpy(dump->ring, vdev->ring.words, RING_BYTES);
	if (job)
		vivgpu_dump_copy_job(dump, job);
}

/**
 * vivgpu_dump_capture - copy registers, ring, stream and buffers of a fault or a hang to a slot
 * @vdev: the device, stopped by it, not reset yet
 * @job: the guilty job, or NULL
 *
 * Allocates no memory and takes no lock under which memory is allocated.
 */
void vivgpu_dump_capture(struct vivgpu_device *vdev, struct vivgpu_job *job)
{
	struct vivgpu_dumps *dumps = vdev->dumps;
	bool room;

	spin_lock(&dumps->lock);
	room = dumps->next - dumps->first < DUMP_SLOTS && !dumps->stopped;
	if (!room)
		dumps->dropped++;
	spin_unlock(&dumps->lock);
	if (!room)
		return;

	/* Recoveries are serialised, so no other one uses the slot before next is incremented. */
	vivgpu_dump_fill_slot(&dumps->slots[dumps->next % DUMP_SLOTS], vdev, job);
	spin_lock(&dumps->lock);
	dumps->next++;
	if (!dumps->stopped)
		queue_delayed_work(system_dfl_wq, &dumps->publish, 0);
	spin_unlock(&dumps->lock);
}

static void vivgpu_dump_print_words(struct seq_buf *buf, u32 va, const u32 *words, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (i % WORDS_PER_LINE == 0)
			seq_buf_printf(buf, "%s  %08x:", i ? "\n" : "", va + i * 4);
		seq_buf_printf(buf, " %08x", words[i]);
	}
	seq_buf_puts(buf, "\n");
}

static void vivgpu_dump_print_head(struct seq_buf *buf, const struct vivgpu_device *vdev,
				   const struct vivgpu_dump *dump, u32 lost)
{
	seq_buf_printf(buf, "vivgpu dump, version 1\ntime: %llu ns\nlost before: %u\n",
		       dump->time_ns, lost);
	seq_buf_printf(buf, "core: GC%x, revision %x\n", vdev->identity.model,
		       vdev->identity.revision);
	seq_buf_printf(buf, "client: %llu\njob: %u\ncookie: %llx\n", dump->client, dump->job,
		       dump->cookie);
}

static void vivgpu_dump_print_registers(struct seq_buf *buf, const struct vivgpu_dump *dump)
{
	size_t i;

	seq_buf_puts(buf, "registers:\n");
	for (i = 0; i < ARRAY_SIZE(vivgpu_dump_registers); i++)
		seq_buf_printf(buf, "  %04x %s: %08x\n", vivgpu_dump_registers[i].offset,
			       vivgpu_dump_registers[i].name, dump->registers[i]);
}

static void vivgpu_dump_print_mmu(struct seq_buf *buf, const struct vivgpu_dump *dump)
{
	seq_buf_printf(buf, "mmu:\n  fault status: %x\n  fault address: %08x\n",
		       dump->fault_status, dump->fault_address);
	seq_buf_printf(buf, "  first level at: %08x\n  its entry: %08x\n  second level's: %08x\n",
		       dump->mtlb, dump->mtlb_entry, dump->stlb_entry);
}

/* The slot of the last job in the ring, and those before it. */
static void vivgpu_dump_print_ring(struct seq_buf *buf, const struct vivgpu_dump *dump)
{
	u32 i, slot;

	seq_buf_printf(buf, "ring: last slot %u\n", dump->ring_slot);
	for (i = 0; i < RING_SHOWN; i++) {
		slot = (dump->ring_slot + RING_SLOTS - RING_SHOWN + 1 + i) % RING_SLOTS;
		vivgpu_dump_print_words(buf, dump->ring_va + slot * RING_SLOT_WORDS * sizeof(u32),
					dump->ring + slot * RING_SLOT_WORDS, RING_SLOT_USED);
	}
}

static void vivgpu_dump_print_bos(struct seq_buf *buf, const struct vivgpu_dump *dump)
{
	u32 i;

	seq_buf_printf(buf, "buffers: %u\n", dump->nr_bos);
	for (i = 0; i < min(dump->nr_bos, MAX_DUMP_BOS); i++)
		seq_buf_printf(buf, "  %08llx %llu bytes, flags %x, \"%s\"\n", dump->bos[i].va,
			       dump->bos[i].size, dump->bos[i].flags, dump->bos[i].label);
}

/* Free the oldest slot, and publish the next dump if there is one. */
static void vivgpu_dump_release_slot(struct vivgpu_dumps *dumps)
{
	spin_lock(&dumps->lock);
	dumps->first++;
	dumps->published = false;
	if (dumps->first != dumps->next && !dumps->stopped)
		queue_delayed_work(system_dfl_wq, &dumps->publish,
				   msecs_to_jiffies(NEXT_DELAY_MS));
	spin_unlock(&dumps->lock);
}

static ssize_t vivgpu_dump_read_text(char *buffer, loff_t offset, size_t count, void *data,
				     size_t length)
{
	struct dump_text *text = data;

	return memory_read_from_buffer(buffer, count, &offset, text->text, text->length);
}

static void vivgpu_dump_free_text(void *data)
{
	struct dump_text *text = data;
	struct vivgpu_dumps *dumps = text->dumps;

	kvfree(text);
	vivgpu_dump_release_slot(dumps);
	drm_dev_put(&dumps->vdev->drm);
}

/* Format a dump; @lost is the number of faults before it that had no slot. */
static struct dump_text *vivgpu_dump_format_text(struct vivgpu_dumps *dumps,
						 const struct vivgpu_dump *dump, u32 lost)
{
	struct dump_text *text = kvzalloc(struct_size(text, text, TEXT_BYTES), GFP_KERNEL);
	struct seq_buf buf;

	if (!text)
		return NULL;

	seq_buf_init(&buf, text->text, TEXT_BYTES);
	vivgpu_dump_print_head(&buf, dumps->vdev, dump, lost);
	vivgpu_dump_print_registers(&buf, dump);
	vivgpu_dump_print_mmu(&buf, dump);
	seq_buf_puts(&buf, "stream:\n");
	vivgpu_dump_print_words(&buf, dump->stream_va, dump->stream, dump->stream_words);
	vivgpu_dump_print_bos(&buf, dump);
	vivgpu_dump_print_ring(&buf, dump);
	text->length = seq_buf_used(&buf);
	text->dumps = dumps;
	return text;
}

/* Pass the oldest dump to devcoredump, unless it still holds one. */
static void vivgpu_dump_publish_work(struct work_struct *work)
{
	struct vivgpu_dumps *dumps = container_of(work, struct vivgpu_dumps, publish.work);
	struct drm_device *drm = &dumps->vdev->drm;
	struct dump_text *text;
	bool ready;
	u32 lost;

	spin_lock(&dumps->lock);
	ready = !dumps->published && dumps->first != dumps->next && !dumps->stopped;
	lost = dumps->dropped;
	if (ready) {
		dumps->published = true;
		dumps->dropped = 0;
	}
	spin_unlock(&dumps->lock);
	if (!ready)
		return;

	text = vivgpu_dump_format_text(dumps, &dumps->slots[dumps->first % DUMP_SLOTS], lost);
	if (!text) {
		vivgpu_dump_release_slot(dumps);
		return;
	}

	drm_dev_get(drm);
	dev_coredumpm(drm->dev, THIS_MODULE, text, text->length, GFP_KERNEL, vivgpu_dump_read_text,
		      vivgpu_dump_free_text);
}

static void vivgpu_dump_free_slots(struct drm_device *drm, void *data)
{
	struct vivgpu_dumps *dumps = data;

	kvfree(dumps->slots);
}

/**
 * vivgpu_dump_init - allocate the slots
 * @vdev: the device
 *
 * Return: 0 or -ENOMEM.
 */
int vivgpu_dump_init(struct vivgpu_device *vdev)
{
	struct vivgpu_dumps *dumps = drmm_kzalloc(&vdev->drm, sizeof(*dumps), GFP_KERNEL);

	if (!dumps)
		return -ENOMEM;

	dumps->slots = kvcalloc(DUMP_SLOTS, sizeof(*dumps->slots), GFP_KERNEL);
	if (!dumps->slots)
		return -ENOMEM;

	dumps->vdev = vdev;
	spin_lock_init(&dumps->lock);
	INIT_DELAYED_WORK(&dumps->publish, vivgpu_dump_publish_work);
	vdev->dumps = dumps;
	return drmm_add_action_or_reset(&vdev->drm, vivgpu_dump_free_slots, dumps);
}

/**
 * vivgpu_dump_stop - remove the dump that devcoredump holds, and publish no others
 * @vdev: the device, unplugged; no more faults
 */
void vivgpu_dump_stop(struct vivgpu_device *vdev)
{
	struct vivgpu_dumps *dumps = vdev->dumps;

	spin_lock(&dumps->lock);
	dumps->stopped = true;
	spin_unlock(&dumps->lock);
	cancel_delayed_work_sync(&dumps->publish);
	dev_coredump_put(vdev->drm.dev);
}
