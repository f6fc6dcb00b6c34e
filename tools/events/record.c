// SPDX-License-Identifier: MIT
/*
 * Collect events: the kernel's records of all clients from a stream, and the spans of drivers
 * from a ring in a shared file, whose path programs get in VIVGPU_EVENTS. The stream is not the
 * exclusive one, so that programs can use EGL_BRCM_event_monitor at the same time.
 */

#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <vivgpu_drm.h>

#include "../command.h"
#include "../device.h"
#include "../groups/collect.h"
#include "vivgpu_group_record.h"
#include "vivgpu_records.h"

#define POLL_MS 10
#define READ_BYTES 32768
#define SECOND_NS 1000000000ull

struct recorder {
	int device, stream;
	struct vivgpu_ring *ring;
	char ring_path[64];
	/** The folder in which programs leave their groups, and what reads them */
	char groups_path[64];
	struct collector *collector;
	struct vivgpu_group_losses losses;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static bool open_stream(struct recorder *recorder)
{
	int fd = open_records(recorder->device, DRM_VIVGPU_STREAM_ALL, vivgpu_record_types());

	if (fd < 0)
		fprintf(stderr, "vivgpu-events: no records: %s%s\n", strerror(-fd),
			fd == -EACCES ? " (CAP_PERFMON is needed)" : "");
	recorder->stream = fd;
	return fd >= 0;
}

/*
 * Create the file with the ring, by whose path in VIVGPU_EVENTS programs find it. The new file
 * contains zeros, which are an empty ring. record() removes it.
 */
static bool open_ring(struct recorder *recorder)
{
	size_t size = sizeof(struct vivgpu_ring);
	int fd;

	strcpy(recorder->ring_path, "/dev/shm/vivgpu-events-XXXXXX");
	fd = mkstemp(recorder->ring_path);
	if (fd < 0) {
		strcpy(recorder->ring_path, "/tmp/vivgpu-events-XXXXXX");
		fd = mkstemp(recorder->ring_path);
	}
	if (fd >= 0 && ftruncate(fd, size) == 0)
		recorder->ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	else
		recorder->ring = MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (recorder->ring == MAP_FAILED) {
		fprintf(stderr, "vivgpu-events: no memory to share: %s\n", strerror(errno));
		return false;
	}
	return setenv("VIVGPU_EVENTS", recorder->ring_path, 1) == 0;
}

/* Create the folder for groups; programs whose environment names it switch on their monitors. */
static bool open_groups(struct recorder *recorder, struct recording *recording)
{
	strcpy(recorder->groups_path, "/tmp/vivgpu-events-XXXXXX");
	recording->groups = calloc(1, sizeof(*recording->groups));
	if (!recording->groups || !mkdtemp(recorder->groups_path) ||
	    setenv("VIVGPU_GROUPS", recorder->groups_path, 1)) {
		fprintf(stderr, "vivgpu-events: no folder for groups: %s\n", strerror(errno));
		return false;
	}
	/* The folder is new, so nothing is skipped; the kernel's records are read here already. */
	recorder->collector = collector_create(recorder->groups_path, false, false);
	return true;
}

/* If a program still runs that the command started, its file stays, and so does the folder. */
static void close_groups(struct recorder *recorder)
{
	collector_destroy(recorder->collector);
	collector_clear(recorder->groups_path);
	rmdir(recorder->groups_path);
}

/* Spans that began before the recording are dropped. */
static void add(struct recording *recording, const struct vivgpu_span *span)
{
	if (span->begin_ns >= recording->start_ns)
		recording_add(recording, span);
}

/* Add the job if the record is of one, unless it was submitted before the recording. */
static void add_job(struct recording *recording, const struct drm_vivgpu_record *record)
{
	const struct job job = {
		.client = record->client,
		.queue = record->queue,
		.number = record->job,
		.flags = record->flags,
		.submitted_ns = record->submitted_ns,
		.queued_ns = record->queued_ns,
		.started_ns = record->started_ns,
		.finished_ns = record->finished_ns,
		.deadline_ns = record->deadline_ns,
		.cost_ns = record->cost_ns,
		.ready_ns = record->ready_ns,
		.held_ns = record->held_ns,
		.bound_ns = record->bound_ns,
	};

	if (record->type == DRM_VIVGPU_RECORD_JOB && record->submitted_ns >= recording->start_ns)
		recording_add_job(recording, &job);
}

static void add_record(struct recorder *recorder, struct recording *recording,
		       const struct drm_vivgpu_record *record)
{
	struct vivgpu_span spans[VIVGPU_RECORD_SPANS];
	unsigned int count = vivgpu_record_spans(record, spans);

	recording->lost_records += vivgpu_group_losses(&recorder->losses, record->sequence);
	for (unsigned int i = 0; i < count; i++)
		add(recording, &spans[i]);
	add_job(recording, record);
}

/* A record of another version of the kernel may be shorter or longer than ours. */
static void read_stream(struct recorder *recorder, struct recording *recording)
{
	uint8_t bytes[READ_BYTES];
	ssize_t size;

	while ((size = read(recorder->stream, bytes, sizeof(bytes))) > 0) {
		const uint8_t *at = bytes, *end = bytes + size;
		struct drm_vivgpu_record record;

		while (vivgpu_group_next_record(&at, end, &record))
			add_record(recorder, recording, &record);
	}
}

static void read_ring(struct recorder *recorder, struct recording *recording)
{
	struct vivgpu_span span;

	while (vivgpu_ring_read(recorder->ring, &span))
		add(recording, &span);
	recording->lost_spans += vivgpu_ring_lost(recorder->ring);
}

/* Count spans that programs which still run wrote since the last read_ring(). */
static void count_unread(struct recorder *recorder, struct recording *recording)
{
	recording->lost_spans +=
		__atomic_load_n(&recorder->ring->written, __ATOMIC_ACQUIRE) - recorder->ring->read;
}

/*
 * Collect until the command @pid ends or, with @pid 0, for @seconds or until a signal comes. Returns
 * the command's exit status, or 0.
 */
static int collect(struct recorder *recorder, struct recording *recording, pid_t pid,
		   double seconds)
{
	struct pollfd poller = { .fd = recorder->stream, .events = POLLIN };
	uint64_t end = seconds > 0 ? recording->start_ns + (uint64_t)(seconds * SECOND_NS) : 0;
	int status = 0;
	bool over = false;

	while (!over) {
		poll(&poller, 1, POLL_MS);
		over = pid ? command_ended(pid, &status) : now_ns() >= end || command_interrupted();
		read_stream(recorder, recording);
		read_ring(recorder, recording);
		collector_poll(recorder->collector, recording->groups, over);
	}
	recording->end_ns = now_ns();
	count_unread(recorder, recording);
	return status;
}

int record(struct recording *recording, char *const command[], double seconds)
{
	struct recorder recorder = { .device = open_device(), .stream = -1 };
	pid_t pid = 0;
	int status = -1;

	if (recorder.device < 0)
		fprintf(stderr, "vivgpu-events: no device of the vivgpu driver\n");
	if (recorder.device < 0 || !open_stream(&recorder))
		return -1;
	/* Before there are files, which would stay. */
	command_take_signals();
	if (open_ring(&recorder) && open_groups(&recorder, recording)) {
		recording->start_ns = now_ns();
		if (command)
			pid = command_start("vivgpu-events", command, false);
		if (pid >= 0)
			status = collect(&recorder, recording, pid, seconds);
		recording_sort(recording);
		close_groups(&recorder);
		munmap(recorder.ring, sizeof(*recorder.ring));
	}
	unlink(recorder.ring_path);
	close(recorder.stream);
	close(recorder.device);
	return status;
}
