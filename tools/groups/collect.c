// SPDX-License-Identifier: MIT

#include "collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include "../allocate.h"
#include "../device.h"
#include "../printable.h"
#include "folders.h"
#include "vivgpu_group_file.h"
#include "vivgpu_group_reader.h"
#include "vivgpu_group_record.h"

#define READ_BYTES 32768
/*
 * Records that one read() returns at most, none of which is smaller than that, and room for the
 * attempt to take another one
 */
#define MAX_RECORDS (READ_BYTES / DRM_VIVGPU_RECORD_SIZE_0 + 1)
#define RECORD_TYPES                                      \
	(DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_JOB) |   \
	 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_EVENT) | \
	 DRM_VIVGPU_RECORD_BIT(DRM_VIVGPU_RECORD_CLIENT_OPEN))
/*
 * Command streams of a process (struct vivgpu_stream of its driver, one for each context), the last
 * ones, whose client is remembered: the upper half of a result's cookie names only the stream. A
 * result comes soon after its group. Elsewhere here a stream is one of the kernel's records.
 */
#define FILE_STREAMS 1024

/* The file of a program */
struct file {
	struct file *next;
	struct vivgpu_group_reader reader;
	int fd;
	dev_t device;
	ino_t inode;
	struct group_owner owner;
	/* A ring: @num_streams were added to it, over the oldest when full. Client 0: none yet */
	struct {
		uint32_t number;
		uint64_t client;
	} streams[FILE_STREAMS];
	unsigned int num_streams;
};

struct records {
	struct drm_vivgpu_record *records;
	size_t count, size;
};

/* Names of clients, as the kernel tells them */
struct client {
	struct client *next;
	struct group_owner owner;
};

struct collector {
	const char *folder;
	struct file *files;
	struct client *clients;
	/** Of the kernel's records; negative: they are not read */
	int device, stream;
	/** Read by the last call of collector_poll(), and by this one */
	struct records before, now;
	struct vivgpu_group_losses losses;
	uint64_t lost_records;
	/** Skip what is in a file that add_file() opens */
	bool skip;
};

/*
 * Called by each_file(): open a file, unless that was done before. As long as it is open, no other
 * file gets its inode.
 */
static void add_file(void *data, const char *path, int fd)
{
	struct collector *collector = data;
	struct file *file;
	struct stat stat;

	(void)path;
	if (fstat(fd, &stat))
		return;
	for (file = collector->files; file; file = file->next) {
		if (file->inode == stat.st_ino && file->device == stat.st_dev)
			return;
	}
	file = allocate(sizeof(*file));
	file->fd = dup(fd);
	if (file->fd < 0 || vivgpu_group_reader_open(&file->reader, file->fd)) {
		/* It may be a new file, whose program is about to fill in its head. */
		if (file->fd >= 0)
			close(file->fd);
		free(file);
		return;
	}
	file->inode = stat.st_ino;
	file->device = stat.st_dev;
	file->owner.process = file->reader.header.process;
	snprintf(file->owner.name, sizeof(file->owner.name), "%s", file->reader.header.program);
	make_printable(file->owner.name);
	if (collector->skip)
		vivgpu_group_reader_skip(&file->reader);
	file->next = collector->files;
	collector->files = file;
}

struct collector *collector_create(const char *folder, bool skip, bool records)
{
	struct collector *collector = allocate(sizeof(*collector));

	collector->folder = folder;
	collector->skip = skip;
	collector->device = records ? open_device() : -1;
	collector->stream = collector->device < 0
				    ? -1
				    : open_records(collector->device,
						   DRM_VIVGPU_STREAM_ALL | DRM_VIVGPU_STREAM_COUNTS,
						   RECORD_TYPES);
	each_file(folder, add_file, collector);
	/* Files that are found from now on are of new programs: all that they have is new. */
	collector->skip = false;
	return collector;
}

void collector_destroy(struct collector *collector)
{
	while (collector->files) {
		struct file *file = collector->files;

		collector->files = file->next;
		vivgpu_group_reader_close(&file->reader);
		close(file->fd);
		free(file);
	}
	while (collector->clients) {
		struct client *client = collector->clients;

		collector->clients = client->next;
		free(client);
	}
	free(collector->before.records);
	free(collector->now.records);
	if (collector->stream >= 0)
		close(collector->stream);
	if (collector->device >= 0)
		close(collector->device);
	free(collector);
}

bool collector_has_records(const struct collector *collector)
{
	return collector->stream >= 0;
}

static void read_records(struct collector *collector)
{
	struct records *now = &collector->now;
	uint8_t bytes[READ_BYTES];
	ssize_t size;

	while ((size = read(collector->stream, bytes, sizeof(bytes))) > 0) {
		const uint8_t *at = bytes;

		if (now->count + MAX_RECORDS > now->size) {
			now->size += 4 * MAX_RECORDS;
			now->records = resize(now->records, now->size * sizeof(now->records[0]));
		}
		while (vivgpu_group_next_record(&at, bytes + size, &now->records[now->count]))
			now->count++;
	}
}

/* The client of the command stream in a cookie, looked for from the last one on; 0: not known */
static uint64_t client_of(const struct file *file, uint64_t cookie)
{
	for (unsigned int i = 1; i <= FILE_STREAMS; i++) {
		unsigned int at = (file->num_streams - i) % FILE_STREAMS;

		if (file->streams[at].client && file->streams[at].number == cookie >> 32)
			return file->streams[at].client;
	}
	return 0;
}

/* Remember that a group with this cookie was of the client. */
static void remember_client(struct file *file, uint64_t cookie, uint64_t client)
{
	unsigned int at = file->num_streams % FILE_STREAMS;

	if (client_of(file, cookie) == client)
		return;
	file->streams[at].number = cookie >> 32;
	file->streams[at].client = client;
	file->num_streams++;
}

/*
 * Add what is new in a file. @results: the monitor's results are wanted, because the kernel's
 * records do not tell them. A result whose client is not known is added to client 0.
 */
static void read_file(struct file *file, struct list *list, bool results)
{
	struct vivgpu_group_item item;

	while (vivgpu_group_reader_next(&file->reader, &item)) {
		if (item.group) {
			file->owner.client = item.group->client;
			remember_client(file, item.group->cookie, item.group->client);
			list_add_group(list, &file->owner, item.group, item.commands);
		} else if (results) {
			struct group_owner owner = file->owner;

			owner.client = client_of(file, item.result->cookie);
			list_add_result(list, &owner, item.result, 0, 0);
		}
	}
}

/*
 * The owner of a client: monitored if a file had a group of it among the last FILE_STREAMS, else
 * what the kernel tells of it, else only its number.
 */
static struct group_owner owner_of_client(struct collector *collector, uint64_t client)
{
	struct group_owner owner = { .client = client };

	for (struct file *file = collector->files; file; file = file->next) {
		for (unsigned int i = 0; i < FILE_STREAMS; i++) {
			if (file->streams[i].client == client && client) {
				owner = file->owner;
				owner.client = client;
				return owner;
			}
		}
	}
	for (struct client *known = collector->clients; known; known = known->next) {
		if (known->owner.client == client)
			return known->owner;
	}
	return owner;
}

/* Clients are not removed: their numbers are not used again. */
static void add_client(struct collector *collector, const struct drm_vivgpu_record *record)
{
	struct client *client = allocate(sizeof(*client));

	*client = (struct client){
		.next = collector->clients,
		.owner = { .client = record->client, .process = record->pid, .unmonitored = true }
	};
	snprintf(client->owner.name, sizeof(client->owner.name), "%.*s", (int)sizeof(record->name),
		 record->name);
	make_printable(client->owner.name);
	collector->clients = client;
}

/* A submit without commands has the result that is set here; vivgpu_group_result() sets a job's. */
static void add_record(struct collector *collector, struct list *list,
		       const struct drm_vivgpu_record *record)
{
	struct group_owner owner = owner_of_client(collector, record->client);
	struct vivgpu_group_result result = {
		.cookie = record->cookie,
		.submitted_ns = record->submitted_ns,
		.queued_ns = record->queued_ns,
		.started_ns = record->time_ns,
		.finished_ns = record->time_ns,
	};

	collector->lost_records += vivgpu_group_losses(&collector->losses, record->sequence);
	if (record->type == DRM_VIVGPU_RECORD_CLIENT_OPEN)
		add_client(collector, record);
	else if (vivgpu_group_result(record, &result))
		list_add_result(list, &owner, &result, record->stream_size, record->job);
	else
		list_add_event(list, &owner, &result, record->job);
}

static void add_records(struct collector *collector, struct list *list, struct records *records)
{
	for (size_t i = 0; i < records->count; i++)
		add_record(collector, list, &records->records[i]);
	records->count = 0;
}

void collector_poll(struct collector *collector, struct list *list, bool last)
{
	struct records swap;

	if (collector->stream >= 0)
		read_records(collector);
	each_file(collector->folder, add_file, collector);
	for (struct file *file = collector->files; file; file = file->next)
		read_file(file, list, collector->stream < 0);
	add_records(collector, list, &collector->before);
	if (last)
		add_records(collector, list, &collector->now);
	swap = collector->before;
	collector->before = collector->now;
	collector->now = swap;
}

struct losses collector_losses(const struct collector *collector)
{
	struct losses losses = { .records = collector->lost_records };

	for (const struct file *file = collector->files; file; file = file->next) {
		losses.entries += file->reader.lost;
		losses.records += file->reader.header.lost_records;
		losses.descriptions += file->reader.unknown;
		losses.damaged += file->reader.damaged;
	}
	return losses;
}

/* Called by each_file(). @data: the number of files that were removed */
static void clear_file(void *data, const char *path, int fd)
{
	unsigned int *count = data;

	if (!vivgpu_group_file_is_live(fd) && !unlink(path))
		++*count;
}

unsigned int collector_clear(const char *folder)
{
	unsigned int count = 0;

	each_file(folder, clear_file, &count);
	return count;
}
