// SPDX-License-Identifier: MIT
/* Actors that read what the device records, press its memory, and remove it. */
#include "races.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define READERS 3
#define READS 200
#define RECORDS 32
#define JOBS 32
#define PURGEABLE 6
#define PURGEABLE_BYTES 65536
#define DISCARDED 8
/* Of each of READERS threads; a client may have 16 */
#define STREAMS 5
#define ROUNDS 16
/* Totals are asked of so many clients: the newest and those before it. */
#define CLIENTS_BACK 16
/* DRM_VIVGPU_RECORD_BIT() of all types, 1 to 9 */
#define ALL_TYPES 0x3fe
#define DRIVER "/sys/bus/pci/drivers/vivgpu"
#define DROP_CACHES "/proc/sys/vm/drop_caches"

/*
 * A stream that several threads read: each record comes once, with a number of its own. @seen: the
 * last such number with each remainder modulo 4096, plus 1.
 */
struct readers {
	int stream;
	pthread_mutex_t lock;
	uint32_t seen[4096];
};

static void check_sequence(struct readers *readers, const struct drm_vivgpu_record *record)
{
	uint32_t *seen = &readers->seen[record->sequence % 4096];

	pthread_mutex_lock(&readers->lock);
	if (*seen == record->sequence + 1)
		fail("record %u was read twice", record->sequence);
	*seen = record->sequence + 1;
	pthread_mutex_unlock(&readers->lock);
	if (record->size != sizeof(*record) || !record->type ||
	    record->type > DRM_VIVGPU_RECORD_CLIENT_CLOSE)
		fail("a record of type %u has %u bytes", record->type, record->size);
}

static void *read_records(void *data)
{
	static _Thread_local struct drm_vivgpu_record records[RECORDS];
	struct readers *readers = data;
	int64_t end = now_ns() + SECOND_NS / 2;

	for (int i = 0; i < READS && !shared->stop && now_ns() < end; i++) {
		struct pollfd poller = { .fd = readers->stream, .events = POLLIN };
		ssize_t size;

		/* All readers wake up at the same record. */
		poll(&poller, 1, 100);
		size = read(readers->stream, records, sizeof(records));
		if (size < 0 && errno != EAGAIN && !permitted(errno, "read records"))
			break;
		for (int j = 0; j < size / (ssize_t)sizeof(records[0]); j++)
			check_sequence(readers, &records[j]);
	}
	return NULL;
}

/* Streams are opened, read by READERS threads and closed. */
void actor_read(struct random *r)
{
	struct drm_vivgpu_stream_open args = {
		.flags =
			DRM_VIVGPU_STREAM_ALL | (random_below(r, 2) ? DRM_VIVGPU_STREAM_COUNTS : 0),
		.types = ALL_TYPES,
		.ring_records = 64 << random_below(r, 4),
		.record_size = sizeof(struct drm_vivgpu_record),
	};
	struct readers readers = { .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t threads[READERS];
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	if (permitted(call(worker.client.fd, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args),
		      "open a stream")) {
		readers.stream = args.fd;
		fcntl(args.fd, F_SETFL, O_NONBLOCK);
		for (int i = 0; i < READERS; i++)
			pthread_create(&threads[i], NULL, read_records, &readers);
		for (int i = 0; i < READERS; i++)
			pthread_join(threads[i], NULL);
		close(args.fd);
	}
	worker_close(&worker);
}

/* Open streams one after the other, close them together; false at the end of the test. */
static bool open_streams(int gpu)
{
	int streams[STREAMS], count = 0;

	while (count < STREAMS && !shared->stop) {
		struct drm_vivgpu_stream_open args = {
			.flags = DRM_VIVGPU_STREAM_ALL,
			.types = ALL_TYPES,
			.ring_records = 64,
			.record_size = sizeof(struct drm_vivgpu_record),
		};

		if (!permitted(call(gpu, DRM_IOCTL_VIVGPU_STREAM_OPEN, &args), "open a stream"))
			break;
		streams[count++] = args.fd;
	}
	while (count)
		close(streams[--count]);
	return !shared->stop;
}

static void *peek(void *data)
{
	const struct worker *worker = data;

	for (int i = 0; i < ROUNDS; i++)
		if (!open_streams(worker->client.fd))
			break;
	return NULL;
}

/*
 * Streams without readers. A new one gets a record of each client; this client stays for many, and
 * opens them with several threads, so that some are opened whenever another client ends.
 */
void actor_peek(struct random *r)
{
	pthread_t threads[READERS];
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, peek, &worker);
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	worker_close(&worker);
}

/* Totals of clients that come and go, and of the device, which never decrease. */
void actor_totals(struct random *r)
{
	uint64_t last = 0, before = 0;
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < READS && !shared->stop; i++) {
		struct drm_vivgpu_usage device = { .flags = DRM_VIVGPU_USAGE_DEVICE };
		struct drm_vivgpu_usage other = {
			.flags = DRM_VIVGPU_USAGE_CLIENT,
			.client = shared->client - random_below(r, CLIENTS_BACK),
		};
		int error = call(worker.client.fd, DRM_IOCTL_VIVGPU_USAGE, &other);

		if (error != ENOENT)
			permitted(error, "totals of a client");
		permitted(call(worker.client.fd, DRM_IOCTL_VIVGPU_USAGE, &device),
			  "totals of the device");
		if (device.engine_ns < last || device.finished < before)
			fail("totals decrease");
		last = device.engine_ns;
		before = device.finished;
		fdinfo(worker.client.fd, "drm-engine-3d");
	}
	worker_close(&worker);
}

static int advise(const struct worker *worker, uint32_t handle, uint32_t madv)
{
	struct drm_vivgpu_bo_madvise args = { .handle = handle, .madv = madv };

	return call(worker->client.fd, DRM_IOCTL_VIVGPU_BO_MADVISE, &args);
}

/* A job with a buffer that may be purged: it is refused, or it succeeds. */
static void use_purgeable(struct worker *worker, const struct buffer *buffer)
{
	struct worker with = *worker;
	struct drm_vivgpu_submit args = { 0 };
	int fence, error;

	with.target = *buffer;
	error = worker_submit(&with, &args, &fence);
	worker->value = with.value;
	if (error == EFAULT || !permitted(error, "submit with a purgeable buffer"))
		return;
	permitted(-worker_wait(fence), "a job with a purgeable buffer");
}

/* Buffers that are purgeable, used and freed in turn. */
void actor_purge(struct random *r)
{
	struct buffer buffers[PURGEABLE] = { 0 };
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < JOBS * PURGEABLE && !shared->stop; i++) {
		struct buffer *buffer = &buffers[random_below(r, PURGEABLE)];

		if (!buffer->handle) {
			*buffer = (struct buffer){ .handle = make_bo(worker.client.fd,
								     PURGEABLE_BYTES) };
			buffer->map = map_bo(worker.client.fd, buffer->handle, PURGEABLE_BYTES,
					     &buffer->va);
			buffer->size = PURGEABLE_BYTES;
			continue;
		}
		advise(&worker, buffer->handle,
		       random_below(r, 3) ? DRM_VIVGPU_MADV_DONTNEED : DRM_VIVGPU_MADV_WILLNEED);
		if (random_below(r, 2))
			use_purgeable(&worker, buffer);
		if (random_below(r, 4) == 0)
			free_buffer(worker.client.fd, buffer);
	}
	for (int i = 0; i < PURGEABLE; i++)
		if (buffers[i].map)
			munmap(buffers[i].map, buffers[i].size);
	worker_close(&worker);
}

/* Buffers that the GPU never used are made purgeable, and closed together. */
void actor_discard(struct random *r)
{
	uint32_t handles[DISCARDED];
	struct worker worker;

	if (!worker_open(&worker, r))
		return;
	for (int i = 0; i < JOBS && !shared->stop; i++) {
		for (int j = 0; j < DISCARDED; j++) {
			handles[j] = make_bo(worker.client.fd, PURGEABLE_BYTES);
			advise(&worker, handles[j], DRM_VIVGPU_MADV_DONTNEED);
		}
		random_pause(r, 5000);
		for (int j = 0; j < DISCARDED; j++)
			drmCloseBufferHandle(worker.client.fd, handles[j]);
	}
	worker_close(&worker);
}

/* Memory is short: all shrinkers free what they can. */
void actor_pressure(struct random *r)
{
	write_file(DROP_CACHES, "2\n");
	random_pause(r, 5000);
}

static bool find_device(char *name, size_t size)
{
	FILE *pipe = popen("basename $(ls -d " DRIVER "/*:*)", "r");
	bool found = pipe && fgets(name, size, pipe);

	if (pipe)
		pclose(pipe);
	name[strcspn(name, "\n")] = 0;
	return found;
}

/* The driver is unbound and bound again. */
void actor_unbind(struct random *r)
{
	static char device[64];

	if (!device[0] && !find_device(device, sizeof(device)))
		fail("the driver has no device");
	random_pause(r, 300000);
	if (write_file(DRIVER "/unbind", device))
		fail("the driver cannot be unbound");
	random_pause(r, 20000);
	if (write_file(DRIVER "/bind", device))
		fail("the driver cannot be bound again");
}
